"""An expression for many threads at once: integers as arrays of words, floats as arrays of written expressions, one entry a thread.

What all threads agree on is an array of one entry. Truth values are an array of bools, or where they depend on floats an array of
expressions. Constants of the text are folded as `simplify.make` does; a number that is constant only because the launch is concrete is
wrapped in `w_hold`, so that nothing which the compiler does to constants is done to it. Without values, floats are None, and each
comparison of floats is a truth value that may be anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import simplify
from devsem.errors import Rejected, Where
from devsem.evaluate import DTYPE
from devsem.expr import Expr, bits, const_bool, mk, var
from devsem.ops import BOOL, F32, OPS
from devsem.rejections import rejection
from devsem.safety import PLAIN
from devsem.simplify import is_nan, is_subnormal, make
from devsem.threads_memory import hold

Array = npt.NDArray[Any]
OPAQUE = count()
# exact on every device for numbers that are not subnormal, whether it is done before or during the run
COPIES = {"w_neg": "neg", "w_abs": "abs", "w_floor": "floor", "w_ceil": "ceil", "w_trunc": "trunc", "w_rint": "rint"}
EXACT = {"w_add": "add_rn", "w_sub": "sub_rn", "w_mul": "mul_rn"}


def objects(values: Sequence[Any]) -> Array:
    """An array of expressions."""
    out = np.empty(len(values), object)
    out[:] = values
    return out


def constant(node: Expr) -> Array:
    """A constant, the same for all threads."""
    return objects([node]) if node.sort == F32 else np.array([node.value], DTYPE[node.sort])


def concrete(truths: Array) -> Array:
    """Truth values as bools, if none depends on a float."""
    if truths.dtype == np.bool_ or not all(t.is_const for t in truths.tolist()):
        return truths
    return np.array([bool(t.value) for t in truths.tolist()], np.bool_)


def symbolic(truths: Array) -> list[Expr]:
    """Truth values as expressions."""
    return [const_bool(t) for t in truths.tolist()] if truths.dtype == np.bool_ else truths.tolist()


def lists(args: Sequence[Array]) -> list[list[Any]]:
    """The arguments' entries, as many of each as the longest has."""
    longest = max(len(a) for a in args)
    rows = [symbolic(a) if a.dtype == np.bool_ else a.tolist() for a in args]
    return [r if len(r) == longest else r * longest for r in rows]


def apply(op: str, args: Sequence[Array | None], literal: bool, where: Where, *, values: bool, threads: int) -> Array | None:
    """One operation on the values of some threads. `literal`: its arguments are constants of the text, or come from such.

    Raises Rejected where an integer depends on a float."""
    row = OPS[op]
    if row.out == F32 or F32 in row.args:
        return _float(op, args, literal, where) if values else _unknown(op, where, threads)
    known = [a for a in args if a is not None]
    if all(a.dtype != object for a in known):
        assert row.eval is not None
        return np.asarray(row.eval(*known))
    if op.startswith("select_b") and row.out != BOOL:
        return _chosen(known, where)
    return concrete(objects([make(op, *entry) for entry in zip(*lists(known), strict=True)]))


def _chosen(args: Sequence[Array], where: Where) -> Array:
    """One of two integers by a condition on floats: it must not matter."""
    condition, yes, no = np.broadcast_arrays(*args)
    out = yes.copy()
    for k, c in enumerate(condition.tolist()):
        if not c.is_const and yes[k] != no[k]:
            raise Rejected(rejection("run.integer", where))
        if c.is_const and not c.value:
            out[k] = no[k]
    return out


def _unknown(op: str, where: Where, threads: int) -> Array | None:
    """Without values: no float is known, a condition on floats may be anything for each thread."""
    out = OPS[op].out
    if out == F32:
        return None
    if out != BOOL:
        raise Rejected(rejection("run.integer", where))
    return objects([var(f"a condition on floats, {next(OPAQUE)}", BOOL) for _ in range(threads)])


def _float(op: str, args: Sequence[Array | None], literal: bool, where: Where) -> Array:
    """An operation on floats, to floats or of floats."""
    row, given = OPS[op], [a for a in args if a is not None]
    if op == "select" and given[0].dtype == np.bool_:
        chosen = np.where(*given)
        return chosen if literal else objects([hold(v) if v.is_const else v for v in chosen.tolist()])
    if F32 not in row.args:
        assert row.eval is not None
        return objects([bits(int(p)) if literal else hold(bits(int(p))) for p in np.asarray(row.eval(*given)).tolist()])
    found = [_one(op, entry, literal) for entry in zip(*lists(given), strict=True)]
    if row.out == F32:
        return objects(found)
    if row.out == BOOL:
        return concrete(objects(found))
    if not all(v.is_const for v in found):
        raise Rejected(rejection("run.integer", where))
    return np.array([v.value for v in found], DTYPE[row.out])


def _one(op: str, args: tuple[Expr, ...], literal: bool) -> Expr:
    """An operation on one thread's values."""
    if op not in simplify.RULES and not any(a.op in ("const", "w_hold") for a in args):
        return mk(op, *args)
    bare = [a.args[0] if a.op == "w_hold" else a for a in args]
    plain = all(b.is_const and not is_subnormal(b) and not is_nan(b) for b in bare)
    if not literal and plain:
        exact = EXACT.get(op) if _rounds_nothing(op, bare) else op.removeprefix("w_") if op.startswith("w_f32_to_") else {**PLAIN, **COPIES}.get(op)
        if exact is not None:
            value = simplify.evaluate(exact, *bare)
            return hold(value) if value.sort == F32 else value
    made = make(op, *args)
    if op in simplify.FOLDED and made.is_const and any(map(is_subnormal, (made, *args))):
        return mk(op, *args)
    return made if literal or not made.is_const or made.sort != F32 else hold(made)


def _rounds_nothing(op: str, args: Sequence[Expr]) -> bool:
    """Is the result of a sum or product of these constants a normal number that is exact, so that fusing it changes nothing?"""
    if op not in EXACT:
        return False
    result = simplify.evaluate(EXACT[op], *args)
    if is_subnormal(result) or any(v.value & 0x7F800000 == 0x7F800000 for v in (result, *args)):
        return False
    a, b, r = (Fraction(float(np.uint32(v.value).view(np.float32))) for v in (*args, result))
    return r == {"w_add": a + b, "w_sub": a - b, "w_mul": a * b}[op] and (r != 0 or op != "w_mul" or 0 in (a, b))
