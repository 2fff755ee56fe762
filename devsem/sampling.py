"""Look for a difference on a few thousand inputs, special values among them. Cheap, and never a proof."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from devsem import libm
from devsem.evaluate import Array, evaluate
from devsem.expr import Expr, topo, variables
from devsem.ops import B64, BOOL, F32, OPS
from devsem.term import Claim

SAMPLE = 4096
SPECIALS = (0, 1, 0x80000000, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x33800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0xBF800000,
            0x40000000, 0x40400000, 0xC0400000, 0x40C00000, 0x41A00000, 0x42B00000, 0xC2B00000, 0x4B800000, 0x7F7FFFFF,
            0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FFFFFFF)


def difference(left: Expr, right: Expr, given: Sequence[Claim] = ()) -> dict[str, int] | None:
    """An input where `given` holds and the sides differ, or None. The functions of `Libm` are their nominal ones, alike on both sides."""
    roots = [left, right, *(side for c in given for side in (c.lhs, c.rhs))]
    rng = np.random.default_rng(0)
    env = {v: _values(v, rng) for v in variables(*roots)}
    functions = {n.op: libm.nominal(n.op) for n in topo(*roots) if n.args and OPS[n.op].kind == "obligation"}
    with np.errstate(all="ignore"):
        first, second, *sides = (np.broadcast_to(r, (SAMPLE,)) for r in evaluate(roots, env, functions))
    wrong = first != second
    for lhs, rhs in zip(sides[::2], sides[1::2], strict=True):
        wrong &= lhs == rhs
    if not wrong.any():
        return None
    at = int(np.argmax(wrong))
    return {v.name: int(x[at]) for v, x in env.items()}


def _values(v: Expr, rng: np.random.Generator) -> Array:
    """Half special values, half any."""
    if v.sort == BOOL:
        return rng.random(SAMPLE) < 0.5
    if v.sort != F32:
        return rng.integers(0, 1 << (64 if v.sort == B64 else 32), SAMPLE, np.uint64 if v.sort == B64 else np.uint32)
    special = np.array(SPECIALS, np.uint32)
    return np.where(rng.random(SAMPLE) < 0.5, special[rng.integers(0, len(special), SAMPLE)], rng.integers(0, 1 << 32, SAMPLE, np.uint32)).astype(np.uint32)
