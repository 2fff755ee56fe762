"""The safety gate for pointwise kernels: every access in bounds, every output element written by exactly one thread.

The index is the thread's own number (the array theorem proves that it does not wrap), so no two threads touch one cell, and what
is left are conditions on that number and the size. bitwuzla decides them for all sizes in the stated range. A failure comes with
a size and a thread. Kernels with another index are tried on small launches, which can only show a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from devsem import smt
from devsem.assume import SizeCondition
from devsem.evaluate import evaluate
from devsem.expr import Expr, const_int, fold, mk, rebuild, substitute, topo, var
from devsem.goal import MAX_BLOCK, MAX_NUMEL, Goal, Launch
from devsem.ops import B64, BOOL, Sort
from devsem.symbolic import Load, Store, Stores

SECONDS = 5.0
SMALL_SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 10, 16, 31, 32, 33, 64, 65, 100)
SMALL_BLOCKS = (1, 2, 4, 8, 32, 64)


@dataclass(frozen=True)
class Safe:
    """What the gate found: PASS, FAIL with a counterexample, or OPEN with the condition that was not decided."""

    verdict: Literal["PASS", "FAIL", "OPEN"]
    reason: str = ""
    counterexample: Mapping[str, str | int] | None = None


@dataclass(frozen=True)
class Condition:
    """Something that must not happen: a formula that must have no solution."""

    name: str
    buffer: str
    formula: Expr
    where: str


def _all(*conditions: Expr) -> Expr:
    out = conditions[0]
    for c in conditions[1:]:
        out = mk("and", out, c)
    return out


def _word(sort: Sort) -> str:
    return "b64" if sort == B64 else "b32"


def _pointwise(goal: Goal) -> tuple[Expr, Expr, Mapping[Expr, Expr], Expr]:
    """A variable for the thread's number, the size, what replaces the index in conditions, and the range of both."""
    sort = goal.index.sort
    g = var("thread", sort)
    size = goal.size if goal.size.sort == sort else mk("zext", goal.size) if sort == B64 else mk("wrap", goal.size)
    w = _word(sort)
    n_range = [mk(f"ule_{w}", const_int(sort, 1), size), mk(f"ule_{w}", size, const_int(sort, MAX_NUMEL))]
    if goal.launch.blocks is None:
        n_range.append(mk(f"ult_{w}", g, mk(f"add_{w}", size, const_int(sort, MAX_BLOCK))))
    else:
        n_range += [mk(f"ult_{w}", g, const_int(sort, goal.launch.threads)), mk(f"ule_{w}", size, const_int(sort, goal.launch.threads))]
    return g, size, {goal.index: g}, _all(*n_range)


def _abstract(e: Expr, by: Mapping[Expr, Expr]) -> Expr:
    """A condition with the index replaced, and every condition on floats a truth value that may be anything."""
    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node in by:
            return by[node]
        if node.sort == BOOL and any(a.sort == "F32" for a in node.args):
            return var(f"float condition {node.id}", BOOL)
        return rebuild(node, args) if all(a.sort != "F32" for a in args) else node
    return fold((e,), one)[e]


def conditions(goal: Goal, stores: Stores) -> Iterator[Condition]:
    """What must not happen, one condition for each access and each output."""
    g, size, by, admitted = _pointwise(goal)
    inside = mk(f"ult_{_word(g.sort)}", g, size)
    accesses: list[Load | Store] = [*stores.loads, *stores.stores]
    for access in accesses:
        verb = "writes" if isinstance(access, Store) else "reads"
        guard = _abstract(_fixed(access.guard, goal), by)
        yield Condition(f"{verb} {access.buffer} out of bounds", access.buffer, _all(admitted, guard, mk("not", inside)), str(access.where))
    for store in stores.stores:
        guard = _abstract(_fixed(store.guard, goal), by)
        yield Condition(f"leaves an element of {store.buffer} unwritten", store.buffer, _all(admitted, inside, mk("not", guard)), str(store.where))


def _fixed(e: Expr, goal: Goal) -> Expr:
    """A guard with the integers that are bound to numbers."""
    return substitute(e, goal.integers)


def check(goal: Goal, stores: Stores) -> Safe:
    """The gate for a pointwise goal."""
    sizes = [a.size for a in goal.assumptions if a.size]
    for condition in conditions(goal, stores):
        answer = smt.check_sat([condition.formula, *_sizes(goal, sizes)], SECONDS)
        if isinstance(answer, smt.Unknown):
            return Safe("OPEN", f"bitwuzla did not decide whether a thread {condition.name}: {answer.reason}")
        if isinstance(answer, smt.Sat):
            return Safe("FAIL", f"a thread {condition.name}", _counterexample(goal, condition, answer.model))
    return Safe("PASS")


def _sizes(goal: Goal, sizes: Sequence[SizeCondition]) -> list[Expr]:
    """`n % m == r` as formula: n = m * q + r without wrapping."""
    out = []
    for i, s in enumerate(sizes):
        w, sort = _word(goal.size.sort), goal.size.sort
        q = var(f"quotient {i}", sort)
        out += [mk(f"ieq_{w}", goal.size, mk(f"add_{w}", mk(f"mul_{w}", q, const_int(sort, s.modulus)), const_int(sort, s.remainder))),
                mk(f"ule_{w}", q, const_int(sort, MAX_NUMEL // s.modulus))]
    return out


def _counterexample(goal: Goal, condition: Condition, model: Mapping[Expr, int]) -> dict[str, str | int]:
    g = var("thread", goal.index.sort)
    n = model.get(goal.size, goal.size.value) if goal.size.is_var else goal.size.value
    thread = model.get(g, 0)
    block = goal.launch.size if goal.launch.blocks is not None else min(MAX_BLOCK, 256)
    out: dict[str, str | int] = {"condition": f"a thread {condition.name}", "buffer": condition.buffer, "n": n, "blockDim.x": block,
                                 "blockIdx.x": thread // block, "threadIdx.x": thread % block, "index": thread, "where": condition.where}
    if any(v.name.startswith("float condition") for v in model):
        out["when"] = "a condition on the values there does not hold" if "unwritten" in condition.name else "a condition on the values there holds"
    return out


def try_small(stores: Stores, size_name: str | None, launch: Launch) -> Safe:
    """Run the addresses of small launches, for kernels whose index is not the thread's number."""
    launches = [(launch.blocks, launch.size, n) for n in SMALL_SIZES if n <= launch.threads] if launch.blocks is not None else \
        [(-(-n // b), b, n) for n in SMALL_SIZES for b in SMALL_BLOCKS]
    for blocks, size, n in launches:
        fault = _run_small(stores, size_name, blocks or 1, size, n)
        if fault is not None:
            return Safe("FAIL", str(fault["condition"]), fault)
    return Safe("OPEN", "the index is not the thread's own number; small launches show no fault")


def _run_small(stores: Stores, size_name: str | None, blocks: int, size: int, n: int) -> dict[str, str | int] | None:
    total = blocks * size
    k, t = np.divmod(np.arange(total, dtype=np.uint32), np.uint32(size))
    env: dict[Expr, np.ndarray] = {}
    values = {"blockIdx.x": k, "threadIdx.x": t, "blockDim.x": np.full(total, size, np.uint32), "gridDim.x": np.full(total, blocks, np.uint32)}
    accesses: list[Load | Store] = [*stores.loads, *stores.stores]
    for v in topo(*(a.index for a in accesses), *(a.guard for a in accesses)):
        if v.is_var:
            if v.name in values:
                env[v] = values[v.name]
            elif v.name == size_name:
                env[v] = np.full(total, n, np.uint64 if v.sort == B64 else np.uint32)
            else:
                return None
    written: dict[str, np.ndarray] = {}
    for a in accesses:
        if any(x.sort == "F32" for x in topo(a.guard, a.index)):
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

