"""What an expression can be at concrete inputs, by intervals: where `possible.py` would meet too many combinations, or a bound too wide.

Obligations with few documented results are still enumerated, so that one application is one unknown; any other lies in the interval of
`libm_ranges.py`, and arithmetic on intervals forgets that two occurrences are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from devsem import libm, libm_ranges, ranges
from devsem.evaluate import DTYPE, leaf
from devsem.expr import Expr
from devsem.libm import MIN_NORMAL
from devsem.libm_ordinals import SIGN
from devsem.ops import OPS
from devsem.possible import CHOICES, Application, Bound
from devsem.ranges import Range

ROUNDED = ("mul_rn", "div_rn", "fma_rn")
APART = 4   # different arguments of one application in different worlds: up to so many have a bound each


@dataclass(frozen=True)
class Enclosure:
    """For each root what it can be in every world, and the bounds that say so."""

    roots: tuple[Range, ...]
    bounds: tuple[Bound, ...]


@dataclass
class _State:
    """The worlds computed so far, and the bounds used."""

    memo: dict[Expr, Range]
    worlds: int
    each: int
    most: int
    chosen: dict[Application, tuple[int, ...]]
    intervals: dict[tuple[str, tuple[int, ...], tuple[int, ...]], tuple[int, int]]


def enclose(roots: Sequence[Expr], inputs: Mapping[Expr, int], each: int, most: int) -> Enclosure:
    """The roots' values; an obligation with at most `each` documented results is enumerated as long as there are at most `most` worlds."""
    state = _State({}, 1, each, most, {}, {})
    env = {v: np.array([p], dtype=DTYPE[v.sort]) for v, p in inputs.items()}
    stack = list(roots)
    while stack:
        node = stack[-1]
        if node in state.memo:
            stack.pop()
            continue
        if node.is_const or node.is_var:
            state.memo[node] = ranges.exactly(np.repeat(leaf(node, env), state.worlds))
            continue
        needs = _needs(node, state.memo)
        missing = [a for a in needs if a not in state.memo]
        if missing:
            stack.extend(missing)
        elif OPS[node.op].kind == "obligation":
            _obligation(node, state)
        elif len(needs) < len(node.args):
            state.memo[node] = state.memo[needs[1]]
        else:
            found = ranges.step(node.op, [state.memo[a] for a in node.args])
            state.memo[node] = _edge(found) if node.op == "ftz" and node.args[0].op in ROUNDED else found
    return Enclosure(tuple(state.memo[r] for r in roots), _bounds(state))


def _edge(found: Range) -> Range:
    """No document says whether a product that rounds to the smallest normal number is flushed: with that number, zero counts as possible."""
    touches = ~found.exact & found.known & ((found.low == MIN_NORMAL) | (found.high == (MIN_NORMAL | SIGN)))
    zero = ranges.between(np.zeros_like(found.low), np.zeros_like(found.low))
    whole = ranges.hull(found, zero)
    return Range(np.where(touches, whole.low, found.low), np.where(touches, whole.high, found.high), found.known)


def _needs(node: Expr, memo: Mapping[Expr, Range]) -> Sequence[Expr]:
    """The arguments that this node takes its value from: the condition alone, then with the branch that every world takes."""
    if node.op not in CHOICES:
        return node.args
    condition, yes, no = node.args
    if condition not in memo:
        return (condition,)
    truth = memo[condition]
    if not truth.exact.all():
        return node.args
    return (condition, yes) if truth.low.all() else (condition, no) if not truth.low.any() else node.args


def _obligation(node: Expr, state: _State) -> None:
    args = [state.memo[a] for a in node.args]
    if all(a.exact.all() for a in args):
        keys: list[tuple[int, ...]] = [tuple(k) for k in np.stack([a.low for a in args], axis=1).tolist()]
        if not _enumerated(node, keys, state):
            state.memo[node] = _at_points(node.op, keys, state)
        return
    lanes = np.logical_and.reduce([a.number for a in args])
    out = ranges.unknown(np.zeros(state.worlds, dtype=np.uint32))
    if lanes.any():
        whole = [_union(a.take(lanes)) for a in args]
        found = _interval(node.op, tuple(low for low, _ in whole), tuple(high for _, high in whole), state)
        if found:
            out = Range(np.where(lanes, found.low, out.low), np.where(lanes, found.high, out.high), lanes)
    state.memo[node] = out


def _enumerated(node: Expr, keys: Sequence[tuple[int, ...]], state: _State) -> bool:
    """Split every world by the results documented for this application there, where they are few."""
    earlier = [m for m in state.memo if m.op == node.op and state.memo[m].exact.all()]
    results: list[Sequence[int]] = []
    chosen: dict[Application, tuple[int, ...]] = {}
    for world, key in enumerate(keys):
        same = next((m for m in earlier if all(int(state.memo[a].low[world]) == k for a, k in zip(m.args, key, strict=True))), None)
        found = libm.allowed(node.op, key) if same is None else (int(state.memo[same].low[world]),)
        if found is None or len(found) > state.each:
            return False
        results.append(found)
        if same is None:
            chosen[node.op, key] = found
    counts = [len(r) for r in results]
    if sum(counts) > state.most:
        return False
    state.chosen.update(chosen)
    order = np.repeat(np.arange(state.worlds), counts)
    state.memo = {n: r.take(order) for n, r in state.memo.items()}
    state.memo[node] = ranges.exactly(np.array([p for r in results for p in r], dtype=np.uint32))
    state.worlds = len(order)
    return True


def _at_points(row: str, keys: Sequence[tuple[int, ...]], state: _State) -> Range:
    """Intervals at known arguments: one for each, or one for all where they are many."""
    distinct = sorted(set(keys))
    if len(distinct) > APART:
        columns = [np.array(c, dtype=np.uint32) for c in zip(*distinct, strict=True)]
        ends = [_union(ranges.exactly(c)) for c in columns]
        found = {key: _interval(row, tuple(a for a, _ in ends), tuple(b for _, b in ends), state) for key in distinct}
    else:
        found = {key: _interval(row, key, key, state) for key in distinct}
    nothing = ranges.unknown(np.zeros(1, dtype=np.uint32))
    parts = [found[key] or nothing for key in keys]
    return Range(*(np.concatenate([getattr(p, f) for p in parts]) for f in ("low", "high", "known")))


def _union(r: Range) -> tuple[int, int]:
    """The ends of all lanes together."""
    whole = r
    while len(whole.low) > 1:
        half = len(whole.low) // 2
        rest = Range(whole.low[2 * half:], whole.high[2 * half:], whole.known[2 * half:])
        both = ranges.hull(Range(whole.low[:half], whole.high[:half], whole.known[:half]),
                           Range(whole.low[half:2 * half], whole.high[half:2 * half], whole.known[half:2 * half]))
        whole = Range(*(np.concatenate([getattr(both, f), getattr(rest, f)]) for f in ("low", "high", "known")))
    return int(whole.low[0]), int(whole.high[0])


def _interval(row: str, lows: tuple[int, ...], highs: tuple[int, ...], state: _State) -> Range | None:
    found = libm_ranges.interval(row, lows, highs)
    if found is None:
        return None
    state.intervals[row, lows, highs] = found
    return ranges.between([found[0]], [found[1]])


def _bounds(state: _State) -> tuple[Bound, ...]:
    """Everything that was used, as hypotheses."""
    rows = {row for row, _ in state.chosen} | {row for row, _, _ in state.intervals}
    reason = {row: libm.ROWS[libm.without_side(row)].reason for row in rows}
    points = [Bound(row, args, allowed, reason[row]) for (row, args), allowed in state.chosen.items()]
    return (*points, *(Bound(row, lows, (), reason[row], () if lows == highs else highs, *ends) for (row, lows, highs), ends in state.intervals.items()))
