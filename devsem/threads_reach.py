"""Float inputs for which a condition holds whatever the device: nothing is rounded, and no value or constant is subnormal.

>>> from devsem.expr import const
>>> reach(mk("w_lt", const(2.0), var("x[0]", F32)))
{'x[0]': 1073741825}
"""

from __future__ import annotations

from itertools import islice, product

import numpy as np

from devsem.evaluate import evaluate
from devsem.expr import Expr, fold, mk, rebuild, topo, var, variables
from devsem.ops import BOOL, F32, OPS
from devsem.safety import PLAIN, TRIED, VALUES
from devsem.smt import Unsat, check_sat

SECONDS = 1.0
FEW = 10        # comparisons, whose every combination is tried


def impossible(guard: Expr) -> bool:
    """Is it false whatever its comparisons of floats are?"""
    def abstract(n: Expr, args: tuple[Expr, ...]) -> Expr:
        if n.sort == BOOL and any(a.sort == F32 for a in n.args):
            return var(f"comparison {n.id}", BOOL)
        return rebuild(n, args) if all(a.sort != F32 for a in args) else n
    bare = fold((guard,), abstract)[guard]
    atoms = variables(bare)
    if len(atoms) > FEW:
        return isinstance(check_sat([bare], SECONDS), Unsat)
    rows = np.arange(1 << len(atoms))
    return not evaluate([bare], {v: rows >> k & 1 == 1 for k, v in enumerate(atoms)})[0].any()


def reach(guard: Expr) -> dict[str, int] | None:
    """Bit patterns by variable, or None where none was found (which does not say that there are none)."""
    if not all(n.is_var or n.is_const or n.op in PLAIN or n.op == "w_hold" or OPS[n.op].kind == "exact" for n in topo(guard)):
        return None

    def plain(n: Expr, args: tuple[Expr, ...]) -> Expr:
        return args[0] if n.op == "w_hold" else mk(PLAIN[n.op], *args) if n.op in PLAIN else rebuild(n, args)

    bare = fold((guard,), plain)[guard]
    names = variables(bare)
    constants = sorted({n.value for n in topo(bare) if n.is_const and n.sort == F32})
    if any(v.sort != F32 for v in names) or any(0 < c & 0x7FFFFFFF < 0x00800000 for c in constants):
        return None
    near = [c + d for c in constants for d in (1, -1, 0) if c + d >= 0 and 0x00800000 <= (c + d) & 0x7FFFFFFF <= 0x7F800000]
    rows = list(islice(product([*dict.fromkeys((*near, *VALUES))], repeat=len(names)), TRIED))
    env = {v: np.array([row[i] for row in rows], np.uint32) for i, v in enumerate(names)}
    fits = np.flatnonzero(np.broadcast_to(evaluate([bare], env)[0], (len(rows),)))
    return {v.name: int(env[v][fits[0]]) for v in names} if len(fits) else None
