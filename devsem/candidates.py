"""Inputs worth trying: special values and neighbours, values aimed at the code's thresholds and cancellations, seeded random ones.

Every generator yields environments: one uint32 array of patterns per variable, all of one length. Order matters: the readable come first.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import floats
from devsem.evaluate import evaluate
from devsem.expr import Expr, const, topo
from devsem.libm import without_side

Array = npt.NDArray[Any]
Env = dict[Expr, Array]
SIGN, INF, NAN = 0x80000000, 0x7F800000, 0x7FC00000
LANES = 1 << 14
BACKGROUND = 256    # random environments that the aimed candidates start from
MANY = 4            # variables: with more, crossing a pool of values reaches few of them
ELEMENT = re.compile(r"(.*)\[(\d+)\]")
AIMS = 96           # pairs of an edge and a variable that are aimed at, evenly chosen where there are more


def patterns(*values: float) -> list[int]:
    """The float32 patterns nearest to Python floats."""
    return [const(v).value for v in values]


INTEGERS = [p for i in range(1, 129) for p in patterns(i, -i)]
POWERS = [p for e in range(-149, 128) for p in patterns(2.0 ** e, -(2.0 ** e))]
# the most telling values first (1 + 2^-12 and -(1 + 2^-11) show a contraction): with several variables only a beginning of this list is crossed
SPECIALS = [NAN, 0, SIGN, *patterns(1, -1), INF, 0x3F800800, 0xBF801000, SIGN | INF, *patterns(2, 0.5, -2, -0.5, 3, 100, -100, 10, -10), 1, SIGN | 1,
            0x7F7FFFFF, 0xFF7FFFFF, 0x00800000, 0x80800000, 0x007FFFFF, 0x807FFFFF, 0x3F800001, 0x3F7FFFFF,
            *patterns(20, -20, 50, 89, -88, -104, 1e-8, -1e-8, 1e20, 1e-23, 6),
            0x00000002, 0x00800001, 0x00FFFFFF, 0x01000000, 0x7F7FFFFE, 0x7F000000, 0x7E800000, 0xBF800001, 0xBF7FFFFF,
            *patterns(0.1, -0.1, 1 / 3, 1.5, -1.5, 2.5, -2.5, 0.25, 8388607.5, 8388608, 16777216, 16777217, 4194303.5, 2147483648, 1e-30, 1e30)]

FAR = patterns(-200, 200)       # where exponentials are zero or infinite beyond doubt


def lanes(env: Env) -> int:
    """How many inputs an environment holds; without variables there is one."""
    return len(next(iter(env.values()))) if env else 1


@functools.lru_cache(maxsize=1 << 16)
def simplicity(pattern: int) -> tuple[int, ...]:
    """Smaller is easier to read: NaN, zeros, small integers, infinities, then few significant bits near 1, positive first."""
    sign, mag = pattern >> 31, pattern & 0x7FFFFFFF
    if mag > INF:
        return (0, int(pattern != NAN))
    if mag == 0:
        return (1, sign)
    if mag == INF:
        return (3, sign)
    value = abs(float(np.array([mag], dtype=np.uint32).view(np.float32)[0]))
    if value <= 128 and value == int(value):
        return (2, int(value), sign)
    used = 24 - ((mag | 0x800000) & -(mag | 0x800000)).bit_length() + 1
    return (4, used, abs((mag >> 23) - 127), sign, mag)


def nearby(pattern: int, steps: int) -> list[int]:
    """The pattern and those up to `steps` away on either side, as far as they are finite or infinite."""
    out = []
    for d in sorted(range(-steps, steps + 1), key=abs):
        mag = (pattern & 0x7FFFFFFF) + d
        out.append(pattern & SIGN | mag if 0 <= mag <= INF else (pattern & SIGN) ^ SIGN | -mag if mag < 0 else pattern)
    return out


def thresholds(roots: Sequence[Expr]) -> list[int]:
    """The constants of the code, negated, combined in pairs, each with its neighbours."""
    found = [n.value for n in topo(*roots) if n.is_const and n.sort == "F32"][:24]
    base = dict.fromkeys(q for p in found for q in (p, p ^ SIGN))
    a = np.array([p for p, _ in itertools.product(found, found)], dtype=np.uint32)
    b = np.array([q for _, q in itertools.product(found, found)], dtype=np.uint32)
    pairs = np.concatenate([floats.div(a, b), floats.sub(a, b), floats.mul(a, b), floats.add(a, b)]).tolist() if found else []
    near = [q for p in base for q in nearby(p, 2)]
    return list(dict.fromkeys([*near, *(q for p in pairs for r in nearby(p, 1) for q in (r, r ^ SIGN))]))[:2048]


def cross(names: Sequence[Expr], pool: Sequence[int], size: int) -> Iterator[Env]:
    """The beginning of the pool, crossed over all variables, as long as it fits."""
    width = max(2, min(len(pool), int(size ** (1 / len(names)) + 1e-9)))
    if width ** len(names) > 8 * size:
        return
    grid = np.meshgrid(*[np.array(pool[:width], dtype=np.uint32)] * len(names), indexing="ij")
    flat = [g.reshape(-1) for g in grid]
    for start in range(0, len(flat[0]), LANES):
        yield {v: f[start:start + LANES] for v, f in zip(names, flat, strict=True)}


def groups(names: Sequence[Expr]) -> list[Array]:
    """Ways to part many variables in two: each as a truth value for each variable. By place, where a variable is an element `x[3]` of a tensor."""
    found = [ELEMENT.fullmatch(v.name) for v in names]
    tensors = [m[1] if m else v.name for m, v in zip(found, names, strict=True)]
    places = np.array([int(m[2]) if m else i for i, m in enumerate(found)])
    middle = np.median(places)
    out = [places >= middle, places == places.min(), places == places.max(), places % 2 == 1, np.arange(len(names)) == 0]
    out += [np.array([t == tensor for t in tensors]) for tensor in dict.fromkeys(tensors)]
    return list({g.tobytes(): g for g in out if g.any()}.values())


def parted(names: Sequence[Expr], pool: Sequence[int]) -> Iterator[Env]:
    """Two values of the pool over all variables, in the ways of `groups`: what crossing cannot reach with many variables."""
    first, second = (g.reshape(-1) for g in np.meshgrid(*[np.array(pool, dtype=np.uint32)] * 2, indexing="ij"))
    for group in groups(names):
        yield {v: second if inside else first for v, inside in zip(names, group.tolist(), strict=True)}


def ordinary(rng: np.random.Generator, size: int) -> Array:
    """Numbers as people use them: in [-4, 4], short fractions, and magnitudes from 1e-4 to 1e4."""
    kind = rng.integers(0, 4, size)
    short = rng.integers(-64, 65, size) / 8.0
    wide = np.exp(rng.uniform(-9.2, 9.2, size)) * rng.choice([-1.0, 1.0], size)
    values = np.where(kind == 0, short, np.where(kind == 1, wide, rng.uniform(-4, 4, size)))
    return np.asarray(values.astype(np.float32)).view(np.uint32)


def random_env(names: Sequence[Expr], pool: Sequence[int], rng: np.random.Generator, size: int) -> Env:
    """Each input one style: all ordinary, all raw patterns, or a mixture with pool values; some variables equal or opposite."""
    pick = np.array(pool, dtype=np.uint32)
    style = rng.integers(0, 4, size)
    env: Env = {}
    for v in names:
        raw = rng.integers(0, 1 << 32, size, dtype=np.uint64).astype(np.uint32)
        source = np.where(style < 2, 0, np.where(style == 2, 1, rng.integers(0, 3, size)))
        value = np.where(source == 0, ordinary(rng, size), np.where(source == 1, raw, pick[rng.integers(0, len(pick), size)]))
        for earlier in list(env.values())[:3]:
            same = rng.integers(0, 12, size)
            value = np.where(same == 0, earlier, np.where(same == 1, earlier ^ np.uint32(SIGN), value))
        env[v] = value
    return env


# --- aimed candidates: choose a variable so that a node takes a wanted value ---

Inverse = Callable[..., Array]
INTEGRAL, CHOICE = ("rint", "floor", "ceil", "trunc", "round_away"), ("min_num", "max_num", "min_nan", "max_nan")
# the argument at a position from the wanted result t and all present arguments
INVERSE: Mapping[tuple[str, int], Inverse] = {
    ("add_rn", 0): lambda t, a, b: floats.sub(t, b), ("add_rn", 1): lambda t, a, b: floats.sub(t, a),
    ("sub_rn", 0): lambda t, a, b: floats.add(t, b), ("sub_rn", 1): lambda t, a, b: floats.sub(a, t),
    ("mul_rn", 0): lambda t, a, b: floats.div(t, b), ("mul_rn", 1): lambda t, a, b: floats.div(t, a),
    ("div_rn", 0): lambda t, a, b: floats.mul(t, b), ("div_rn", 1): lambda t, a, b: floats.div(a, t),
    ("fma_rn", 0): lambda t, a, b, c: floats.div(floats.sub(t, c), b), ("fma_rn", 1): lambda t, a, b, c: floats.div(floats.sub(t, c), a),
    ("fma_rn", 2): lambda t, a, b, c: floats.sub(t, floats.mul(a, b)),
    ("neg", 0): lambda t, a: floats.neg(t), ("sqrt_rn", 0): lambda t, a: floats.mul(t, t),
    **{(row, 0): lambda t, *_: t for row in ("abs", "ftz", "pos_zero", *INTEGRAL, *CHOICE)},
    **{(row, i): lambda t, *_: t for row, i in (*((c, 1) for c in CHOICE), ("select", 1), ("select", 2))},
}
# a function whose inverse is again in the table of obligations
INVERSE_FUNCTION = {"expf": "logf", "logf": "expf", "exp2f": "log2f", "log2f": "exp2f", "exp10f": "log10f", "log10f": "exp10f", "expm1f": "log1pf",
                    "log1pf": "expm1f", "tanhf": "atanhf", "atanhf": "tanhf", "ex2_approx": "log2f", "lg2_approx": "exp2f", "sinf": "asinf",
                    "rcp_approx": "rcp_approx", "tanh_approx": "atanhf"}


def _edge(pattern: int) -> Callable[..., Array]:
    return lambda *args: np.full_like(args[0], pattern)


def _halves(a: Array, *_: Array) -> Array:
    return floats.add(floats.floor(a), np.uint32(0x3F000000))


TIES = ("lt", "le", "eq", "lt_u", "le_u", "eq_u", "sub_rn", *CHOICE)
# (row, position of the argument to choose) -> the value that brings this row to an edge: a tie, a cancellation, a half
EDGES: Sequence[tuple[str, int, Inverse]] = [
    *((row, 0, lambda a, b: b) for row in TIES), *((row, 1, lambda a, b: a) for row in TIES),
    ("add_rn", 0, lambda a, b: floats.neg(b)), ("add_rn", 1, lambda a, b: floats.neg(a)), ("fma_rn", 2, lambda a, b, c: floats.neg(floats.mul(a, b))),
    ("fma_rn", 0, lambda a, b, c: floats.div(floats.neg(c), b)), ("fma_rn", 1, lambda a, b, c: floats.div(floats.neg(c), a)),
    *((row, 0, f) for row in INTEGRAL for f in (_halves, lambda a: floats.rint(a))),
]
# results near which arithmetic changes its manner: overflow, underflow, the smallest subnormal
EXTREMES = [_edge(p) for p in (0x7F7FFFFF, 0x00800000, 0x00000001, 0x00400000)]
ARITHMETIC = ("add_rn", "sub_rn", "mul_rn", "div_rn", "fma_rn")


def inverse(node: Expr, position: int, functions: Mapping[str, Callable[..., Array]]) -> Inverse | None:
    """How to choose the argument at `position` for a wanted result, if the tables say."""
    partner = INVERSE_FUNCTION.get(without_side(node.op).removesuffix("_ftz"))
    if partner is not None:
        f = functions[f"D.{partner}"]
        return lambda t, *_: f(t)
    return INVERSE.get((node.op, position))


def chosen(node: Expr, wanted: Array, target: Expr, below: Mapping[Expr, frozenset[Expr]], values: Mapping[Expr, Array],
           functions: Mapping[str, Callable[..., Array]]) -> Array | None:
    """The variable's value that gives `node` (nearly) the wanted value, everything else kept."""
    while node is not target:
        position = next((i for i, a in enumerate(node.args) if target in below[a] and inverse(node, i, functions)), None)
        step = None if position is None else inverse(node, position, functions)
        if position is None or step is None:
            return None
        wanted = step(wanted, *(values[a] for a in node.args))
        node = node.args[position]
    return wanted


def aimed(roots: Sequence[Expr], names: Sequence[Expr], rng: np.random.Generator, functions: Mapping[str, Callable[..., Array]]) -> Iterator[Env]:
    """Random backgrounds in which one variable is chosen so that some node lies on an edge, give or take two steps."""
    nodes = topo(*roots)
    below: dict[Expr, frozenset[Expr]] = {}
    for n in nodes:
        below[n] = frozenset((n,)) if n.is_var else frozenset().union(*(below[a] for a in n.args))
    background = {v: ordinary(rng, BACKGROUND) for v in names}
    values = {n: np.broadcast_to(x, (BACKGROUND,)) for n, x in zip(nodes, evaluate(nodes, background, functions), strict=True)}
    goals = [(n, n.args[i], f(*(values[a] for a in n.args))) for n in nodes for row, i, f in EDGES if n.op == row]
    goals += [(n, n, f(values[n])) for n in nodes if n.op in ARITHMETIC or n.op.startswith(("D.", "S.")) for f in EXTREMES]
    targets = [(v, start, wanted) for _, start, wanted in goals for v in names if v in below[start]]
    parts: list[Env] = []
    for v, start, wanted in targets[:: max(1, len(targets) // AIMS)]:
        value = chosen(start, wanted, v, below, values, functions)
        if value is None:
            continue
        jitter = rng.integers(-2, 3, BACKGROUND).astype(np.int64)
        moved = np.clip((value & 0x7FFFFFFF).astype(np.int64) + jitter, 0, INF).astype(np.uint32) | (value & np.uint32(SIGN))
        parts.append({**background, v: moved})
        if len(parts) * BACKGROUND >= LANES:
            yield {u: np.concatenate([p[u] for p in parts]) for u in names}
            parts = []
    if parts:
        yield {u: np.concatenate([p[u] for p in parts]) for u in names}


def batches(roots: Sequence[Expr], names: Sequence[Expr], functions: Mapping[str, Callable[..., Array]], seed: int) -> Iterator[Env]:
    """All environments, in the order of trying them; the same for the same seed."""
    if not names:
        yield {}
        return
    rng = np.random.default_rng(seed)
    code = thresholds(roots)
    pool = list(dict.fromkeys([*SPECIALS[:16], *code[:32], *SPECIALS, *code]))
    yield from cross(names, pool, 1 << 12)
    if len(names) > MANY:
        yield from parted(names, list(dict.fromkeys([*SPECIALS[:40], *FAR, *code[:8]])))
    yield from aimed(roots, names, rng, functions)
    yield random_env(names, pool, rng, 1 << 12)
    yield from cross(names, [*pool, *INTEGERS, *POWERS], 1 << 16)
    for _ in range(6):
        yield random_env(names, pool, rng, LANES)
