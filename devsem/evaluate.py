"""Expressions on arrays of bit patterns, exactly: every operation by its `eval` in `ops.py`.

F32 and B32 values are uint32 arrays, B64 uint64, BOOL bool. A variable's NaN is made the one NaN 0x7fffffff first.

>>> from devsem.expr import F32, const, mk, var
>>> x = var("x", F32)
>>> evaluate([mk("add_rn", x, const(1.0))], {x: np.array([0x3F800000], dtype=np.uint32)})[0].tolist() == [0x40000000]
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.errors import Bug
from devsem.expr import Expr, bits, const_bool, const_int, fold
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

Array = npt.NDArray[Any]
DTYPE: Mapping[Sort, type[np.generic]] = {F32: np.uint32, B32: np.uint32, B64: np.uint64, BOOL: np.bool_}


def canonical(patterns: Array) -> Array:
    """The same F32 patterns with every NaN made 0x7fffffff."""
    return np.where(patterns & np.uint32(0x7FFFFFFF) > 0x7F800000, np.uint32(0x7FFFFFFF), patterns)


def leaf(node: Expr, env: Mapping[Expr, Array]) -> Array:
    """A constant or a variable as an array."""
    if node.is_const:
        return np.array([node.value], dtype=DTYPE[node.sort])
    if node not in env:
        raise Bug(f"no value given for variable {node.name}")
    given = np.asarray(env[node])
    if given.dtype != DTYPE[node.sort]:
        raise Bug(f"variable {node.name} of sort {node.sort} was given {given.dtype}")
    return canonical(given) if node.sort == F32 else given


def apply(row: str, args: Sequence[Array], functions: Mapping[str, Callable[..., Array]]) -> Array:
    """One operation: an exact row by the table, an obligation by `functions`."""
    op = OPS[row]
    if op.eval is not None:
        return np.asarray(op.eval(*args))
    if op.kind == "written":
        raise Bug(f"{row} has no value before a profile lowers it")
    if row not in functions:
        raise Bug(f"no function given for the obligation {row}")
    value = np.asarray(functions[row](*args))
    return canonical(value) if op.out == F32 else value


def evaluate(roots: Sequence[Expr], env: Mapping[Expr, Array], functions: Mapping[str, Callable[..., Array]] | None = None) -> list[Array]:
    """The roots' values; shapes broadcast. `functions` gives each obligation row, under its full name, a meaning on arrays."""
    known = functions or {}
    values = fold(roots, lambda n, args: leaf(n, env) if n.is_const or n.is_var else apply(n.op, args, known))
    return [values[r] for r in roots]


def constant(e: Expr) -> Expr:
    """The constant that an operation on constants evaluates to."""
    value = int(evaluate([e], {})[0].reshape(-1)[0])
    return bits(value) if e.sort == F32 else const_bool(bool(value)) if e.sort == BOOL else const_int(e.sort, value)
