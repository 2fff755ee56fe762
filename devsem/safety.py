"""The safety gate for pointwise kernels: every access in bounds, every output element written by exactly one thread.

The index is the thread's own number (the array theorem proves that it does not wrap), so no two threads touch one cell, and what
is left are conditions on that number and the size. bitwuzla decides them for all sizes in the stated range, where a condition on
floats, or on anything else, may be true or false. A failure comes with a size and a thread, and with float values where they
matter; what cannot be shown by concrete values stays OPEN. Kernels with another index are tried on small launches, which can only
show a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Literal

import numpy as np

from devsem import smt
from devsem.assume import SizeCondition
from devsem.errors import UsageError
from devsem.evaluate import evaluate
from devsem.expr import Expr, const_int, fold, mk, rebuild, substitute, topo, var, variables
from devsem.goal import MAX_BLOCK, MAX_NUMEL, Goal, Launch, Sizes, scalar
from devsem.ops import B64, BOOL, F32, OPS, Sort
from devsem.symbolic import Load, Store, Stores

SECONDS = 5.0
SMALL_SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 31, 32, 33, 64, 65, 100)
SMALL_BLOCKS = (1, 2, 4, 8, 32, 64)
GLOBAL = var("the thread's number", B64)


@dataclass(frozen=True)
class Safe:
    """What the gate found: PASS, FAIL with a counterexample, or OPEN with the condition that was not decided."""

    verdict: Literal["PASS", "FAIL", "OPEN"]
    reason: str = ""
    counterexample: Mapping[str, str | int] | None = None


@dataclass(frozen=True)
class Condition:
    """Something that must not happen: `where_not` holds of the thread, and its guard is `taken`."""

    name: str
    buffer: str
    where_not: Expr
    guard: Expr
    taken: bool
    where: str


def _all(*conditions: Expr) -> Expr:
    out = conditions[0]
    for c in conditions[1:]:
        out = mk("and", out, c)
    return out


def _word(sort: Sort) -> str:
    return "b64" if sort == B64 else "b32"


def _wide(e: Expr) -> Expr:
    """An integer that is no negative number, in 64 bits."""
    return e if e.sort == B64 else mk("zext", e)


def _number(sort: Sort) -> Expr:
    """The thread's number in the launch, in a sort: it is below 2^31, so that no extension changes it."""
    return GLOBAL if sort == B64 else mk("wrap", GLOBAL)


def _range(goal: Goal) -> Expr:
    """The sizes and thread numbers that the verdict is about."""
    size = _wide(goal.size)
    parts = [mk("ule_b64", const_int(B64, 1), size), mk("ule_b64", size, const_int(B64, MAX_NUMEL))]
    if goal.launch.blocks is None:
        parts.append(mk("ult_b64", GLOBAL, mk("add_b64", size, const_int(B64, MAX_BLOCK))))
    else:
        threads = const_int(B64, goal.launch.threads)
        parts += [mk("ult_b64", GLOBAL, threads), mk("ule_b64", size, threads)]
    return _all(*parts)


def _bare(e: Expr) -> Expr:
    while e.op in ("sext", "zext", "wrap"):
        e = e.args[0]
    return e


def _is_number(e: Expr, index: Expr) -> bool:
    """Is it the thread's number, in any spelling: the kernel's index, or blockIdx.x * blockDim.x + threadIdx.x?"""
    bare = _bare(e)
    if bare is _bare(index):
        return True
    if bare.op not in ("add_b32", "add_b64"):
        return False
    parts = {_bare(a) for a in bare.args}
    products = [p for p in parts if p.op in ("mul_b32", "mul_b64") and {_bare(a).name for a in p.args} == {"blockIdx.x", "blockDim.x"}]
    return len(products) == 1 and {p.name for p in parts - set(products)} == {"threadIdx.x"}


def _in_number(e: Expr, goal: Goal) -> Expr:
    """A condition in terms of the thread's number, with the integers that are bound to numbers."""
    return fold((e,), lambda n, args: _number(n.sort) if n.sort != BOOL and _is_number(n, goal.index) else goal.integers.get(n, rebuild(n, args)))[e]


def _abstract(e: Expr) -> Expr:
    """A condition in which every condition on floats is a truth value that may be anything."""
    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node.sort == BOOL and any(a.sort == F32 for a in node.args):
            return var(f"float condition {node.id}", BOOL)
        return rebuild(node, args) if all(a.sort != F32 for a in args) else node
    return fold((e,), one)[e]


def conditions(goal: Goal, stores: Stores) -> Iterator[Condition]:
    """What must not happen, one condition for each access and each output."""
    inside = mk("ult_b64", GLOBAL, _wide(goal.size))
    accesses: list[Load | Store] = [*stores.loads, *stores.stores]
    for access in accesses:
        verb = "writes" if isinstance(access, Store) else "reads"
        yield Condition(f"{verb} {access.buffer} out of bounds", access.buffer, mk("not", inside), _in_number(access.guard, goal), True, str(access.where))
    for store in stores.stores:
        yield Condition(f"leaves an element of {store.buffer} unwritten", store.buffer, inside, _in_number(store.guard, goal), False, str(store.where))


def refuse_empty(goal: Goal) -> None:
    """Preconditions that no size or no element satisfies would make every theorem true: raises UsageError."""
    given = [a.condition for a in goal.assumptions if a.condition is not None]
    sizes = [_range(goal), *_sizes(goal, [a.size for a in goal.assumptions if a.size])]
    for conditions, what in ((given, "values of an element"), (sizes, "number of elements")):
        if not isinstance(smt.check_sat(conditions, SECONDS), smt.Sat):
            texts = " and ".join(a.text for a in goal.assumptions)
            raise UsageError(f"no {what} is known to satisfy the assumptions ({texts}), so a verdict would say nothing")


def check(goal: Goal, stores: Stores) -> Safe:
    """The gate for a pointwise goal."""
    admitted = [_range(goal), *_sizes(goal, [a.size for a in goal.assumptions if a.size])]
    for c in conditions(goal, stores):
        guard = _abstract(c.guard)
        answer = smt.check_sat([*admitted, c.where_not, guard if c.taken else mk("not", guard)], SECONDS)
        if isinstance(answer, smt.Unknown):
            return Safe("OPEN", f"bitwuzla did not decide whether a thread {c.name}: {answer.reason}")
        if isinstance(answer, smt.Sat):
            found = _counterexample(goal, stores, c, answer.model)
            return Safe("FAIL", f"a thread {c.name}", found) if found else Safe("OPEN", f"it is not decided whether a thread {c.name}")
    return Safe("PASS")


def _sizes(goal: Goal, sizes: Sequence[SizeCondition]) -> list[Expr]:
    """`n % m == r` as formula: n = m * q + r without wrapping."""
    out = []
    for i, s in enumerate(sizes):
        q = var(f"quotient {i}", B64)
        out += [mk("ieq_b64", _wide(goal.size), mk("add_b64", mk("mul_b64", q, const_int(B64, s.modulus)), const_int(B64, s.remainder))),
                mk("ule_b64", q, const_int(B64, MAX_NUMEL // s.modulus))]
    return out


def _counterexample(goal: Goal, stores: Stores, c: Condition, model: Mapping[Expr, int]) -> dict[str, str | int] | None:
    """The size, the thread and the float values at which it happens, tried on the guard itself; None where that does not show it."""
    thread = model.get(GLOBAL, 0)
    n = model.get(goal.size, goal.size.value) if goal.size.is_var else goal.size.value
    at = {GLOBAL: const_int(B64, thread), goal.size: const_int(goal.size.sort, n)}
    guard = substitute(c.guard, {v: at[v] for v in variables(c.guard) if v in at})
    floats = _values(goal, stores, guard, c.taken)
    blocks = (goal.launch.size,) if goal.launch.blocks is not None else (256, *range(MAX_BLOCK, 0, -1))
    block = next((b for b in blocks if goal.launch.blocks is not None or thread < -(-n // b) * b), 0)
    if floats is None or not block:
        return None
    return {"condition": f"a thread {c.name}", "buffer": c.buffer, "n": n, "blockDim.x": block, "blockIdx.x": thread // block, "threadIdx.x": thread % block,
            "index": thread, "where": c.where, **floats}


# what a comparison of numbers that are not subnormal means on every device, with any flags
PLAIN = {"w_lt": "lt", "w_le": "le", "w_eq": "eq", "w_isnan": "is_nan", "w_isinf": "is_inf", "w_isfinite": "is_finite", "w_neg": "neg", "w_abs": "abs"}
VALUES = (0x3F800000, 0xBF800000, 0, 0x80000000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x3F000000, 0x7F7FFFFF, 0xFF7FFFFF)
TRIED = 4096


def _values(goal: Goal, stores: Stores, guard: Expr, wanted: bool) -> dict[str, str | int] | None:
    """Float values for which the guard is `wanted`, whatever the device: values and constants are not subnormal, nothing is rounded."""
    before = {b.param: b.before for b in goal.buffers if b.param}
    numbers = {p.expr: goal.scalars[scalar(p)] for p in stores.params if not p.is_buffer and scalar(p) in goal.scalars}
    guard = substitute(guard, {**numbers, **{load.variable: before[load.buffer] for load in stores.loads}})
    if not all(n.is_var or n.is_const or n.op in PLAIN or OPS[n.op].kind == "exact" for n in topo(guard)):
        return None
    plain = fold((guard,), lambda n, args: mk(PLAIN[n.op], *args) if n.op in PLAIN else rebuild(n, args))[guard]
    given = [a.condition for a in goal.assumptions if a.condition is not None]
    names = variables(plain, *given)
    constants = {n.value for n in topo(plain, *given) if n.is_const and n.sort == F32}
    if not set(names) <= {b.before for b in goal.buffers} or any(0 < c & 0x7FFFFFFF < 0x00800000 for c in constants):
        return None
    near = {c + d for c in constants for d in (-1, 0, 1) if 0x00800000 <= (c + d) & 0x7FFFFFFF <= 0x7F800000 and c + d >= 0}
    pool = [*dict.fromkeys((*VALUES, *sorted(near)))]
    rows = list(islice(product(pool, repeat=len(names)), TRIED))
    env = {v: np.array([row[i] for row in rows], np.uint32) for i, v in enumerate(names)}
    truth, *holds = (np.broadcast_to(r, (len(rows),)) for r in evaluate([plain, *given], env))
    fits = np.flatnonzero(np.logical_and.reduce([truth == wanted, *holds]))
    return {v.name: f"{int(env[v][fits[0]]):#010x}" for v in names} if len(fits) else None


def try_small(stores: Stores, sizes: Sizes, launch: Launch, assumed: Sequence[SizeCondition]) -> Safe:
    """Run the addresses of small launches, for kernels whose index is not the thread's number."""
    all_sizes = SMALL_SIZES if sizes.size.is_var else (sizes.size.value,) if sizes.size.value <= max(SMALL_SIZES) else ()
    admitted = [n for n in all_sizes if all(n % a.modulus == a.remainder for a in assumed)]
    launches = [(launch.blocks, launch.size, n) for n in admitted if n <= launch.threads] if launch.blocks is not None else \
        [(-(-n // b), b, n) for n in admitted for b in SMALL_BLOCKS]
    for blocks, size, n in launches:
        fault = _run_small(stores, sizes, blocks or 1, size, n)
        if fault is not None:
            return Safe("FAIL", str(fault["condition"]), fault)
    return Safe("OPEN", "the index is not the thread's own number; small launches show no fault")


def _run_small(stores: Stores, sizes: Sizes, blocks: int, size: int, n: int) -> dict[str, str | int] | None:
    total = blocks * size
    k, t = np.divmod(np.arange(total, dtype=np.uint32), np.uint32(size))
    env: dict[Expr, np.ndarray] = {}
    values = {"blockIdx.x": k, "threadIdx.x": t, "blockDim.x": np.full(total, size, np.uint32), "gridDim.x": np.full(total, blocks, np.uint32)}
    accesses: list[Load | Store] = [*stores.loads, *stores.stores]
    accesses = [replace(a, index=substitute(a.index, sizes.fixed), guard=substitute(a.guard, sizes.fixed)) for a in accesses]
    for v in topo(*(a.index for a in accesses), *(a.guard for a in accesses)):
        if v.is_var:
            if v.name in values:
                env[v] = values[v.name]
            elif v is sizes.size:
                env[v] = np.full(total, n, np.uint64 if v.sort == B64 else np.uint32)
            else:
                return None
    written: dict[str, np.ndarray] = {}
    for a in accesses:
        if any(x.sort == F32 for x in topo(a.guard, a.index)):
            return None
        index, guard = (np.broadcast_to(r, (total,)) for r in evaluate([a.index, a.guard], env))
        signed = index.astype(np.int64) if index.dtype == np.uint64 else index.astype(np.int32).astype(np.int64)
        out = guard & ((signed < 0) | (signed >= n))
        base: dict[str, str | int] = {"n": n, "blockDim.x": size, "buffer": a.buffer, "where": str(a.where)}
        if out.any():
            j = int(np.argmax(out))
            verb = "writes" if isinstance(a, Store) else "reads"
            return {"condition": f"a thread {verb} {a.buffer} out of bounds", **base, "blockIdx.x": j // size, "threadIdx.x": j % size, "index": int(signed[j])}
        if isinstance(a, Store):
            counts = np.bincount(signed[guard], minlength=n)
            written[a.buffer] = written.get(a.buffer, np.zeros(n, np.int64)) + counts
            if (counts > 1).any():
                return {"condition": f"two threads write one element of {a.buffer}", **base, "index": int(np.argmax(counts > 1))}
    for buffer, counts in written.items():
        if (counts == 0).any():
            return {"condition": f"no thread writes an element of {buffer}", "n": n, "blockDim.x": size, "buffer": buffer, "index": int(np.argmax(counts == 0))}
    return None

