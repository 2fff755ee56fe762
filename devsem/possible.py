"""Every value an expression can have at concrete inputs, when each obligation returns anything its documents allow.

A *world* fixes one allowed result for each (row, arguments) that is reached: obligations are functions, so equal arguments give equal
results. Worlds are computed side by side, and a `select` whose condition all worlds agree on reaches only the chosen branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import libm
from devsem.evaluate import DTYPE, apply, leaf
from devsem.expr import Expr
from devsem.ops import OPS

Array = npt.NDArray[Any]
Application = tuple[str, tuple[int, ...]]
CHOICES = ("select", "select_bool", "select_b32", "select_b64")


@dataclass(frozen=True)
class Bound:
    """An assumption of a refutation about the obligation `row`: at these argument patterns it returns one of `allowed`.

    Where `allowed` is empty, it returns a number from `low` to `high`, both patterns; with `upto`, it does so for all numbers from each
    of `args` to the one of `upto`."""

    row: str
    args: tuple[int, ...]
    allowed: tuple[int, ...]
    reason: str
    upto: tuple[int, ...] = ()
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Worlds:
    """For each root its value in every world, and what each obligation reached was allowed to be."""

    roots: tuple[Array, ...]
    allowed: Mapping[Application, tuple[int, ...]]


@dataclass(frozen=True)
class Unbounded:
    """No answer: the obligation for which the documents allow too much, or the number of worlds when there are too many."""

    reason: str


def _needs(node: Expr, memo: Mapping[Expr, Array]) -> Sequence[Expr]:
    """The arguments to evaluate next before this node."""
    if node.op not in CHOICES:
        return node.args
    condition, yes, no = node.args
    if condition not in memo:
        return (condition,)
    truth = memo[condition]
    return (yes,) if truth.all() else (no,) if not truth.any() else node.args


def _results(node: Expr, memo: Mapping[Expr, Array], allowed: dict[Application, tuple[int, ...]]) -> list[Sequence[int]] | Unbounded:
    """For each world, what this obligation may return there: one value where the same row has seen the same arguments."""
    earlier = [m for m in memo if m.op == node.op]
    keys = np.stack([memo[a] for a in node.args], axis=1).tolist()
    out: list[Sequence[int]] = []
    for world, key in enumerate(keys):
        same = next((m for m in earlier if all(int(memo[a][world]) == k for a, k in zip(m.args, key, strict=True))), None)
        if same is not None:
            out.append((int(memo[same][world]),))
            continue
        application = (node.op, tuple(key))
        if application not in allowed:
            found = libm.allowed(*application)
            if found is None:
                return Unbounded(f"no useful documented bound for {node.op}({', '.join(f'{k:#010x}' for k in key)})")
            allowed[application] = found
        out.append(allowed[application])
    return out


def possible(roots: Sequence[Expr], inputs: Mapping[Expr, int], most: int) -> Worlds | Unbounded:
    """The worlds of the roots at one input, at most `most` of them."""
    env = {v: np.array([p], dtype=DTYPE[v.sort]) for v, p in inputs.items()}
    memo: dict[Expr, Array] = {}
    allowed: dict[Application, tuple[int, ...]] = {}
    worlds = 1
    stack = list(roots)
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        if node.is_const or node.is_var:
            memo[node] = np.repeat(leaf(node, env), worlds)
            continue
        needs = _needs(node, memo)
        missing = [a for a in needs if a not in memo]
        if missing:
            stack.extend(missing)
            continue
        if OPS[node.op].kind == "obligation":
            results = _results(node, memo, allowed)
            if isinstance(results, Unbounded):
                return results
            counts = [len(r) for r in results]
            worlds = sum(counts)
            if worlds > most:
                return Unbounded(f"more than {most} combinations of documented results")
            memo = {n: np.repeat(x, counts) for n, x in memo.items()}
            memo[node] = np.array([p for r in results for p in r], dtype=np.uint32)
            continue
        memo[node] = memo[needs[0]] if len(needs) < len(node.args) else apply(node.op, [memo[a] for a in needs], {})
    return Worlds(tuple(memo[r] for r in roots), allowed)
