"""The shapes of a captured graph for all sizes, from torch.export's own symbolic shapes: polynomials in size variables.

A size that a window takes two elements off is counted from there (`(x.size(2) - 2)`), so that every index is a sum. Sizes that are one
symbol to torch.export are equal in every call: two inputs' sizes that are one symbol are a condition, which is said.

>>> s = sizes_of({"shapes": {"x": ["s1", "s2"], "b": ["s2"], "pool": ["s1", "s2 - 2"]}, "guards": ["(-2) + (s2) >= 1", "((-2) + (s2)) != 1"],
...               "ranges": {"s1": ["2", "int_oo"], "s2": ["2", "int_oo"]}, "least": 1}, ["x", "b"], "spec.py")
>>> [str(d) for d in s.dims["pool"]], [str(d) for d in s.dims["b"]]
(['x.size(0)', '(x.size(1) - 2)'], ['(x.size(1) - 2) + 2'])
>>> {v.name: least for v, least in s.least.items()}, s.notes
({'x.size(0)': 1, '(x.size(1) - 2)': 2}, ('b.size(0) = x.size(1)', 'x.size(1) is at least 4'))
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devsem.errors import Rejected, Rejection, Where
from devsem.expr import Expr, var
from devsem.ops import B64
from devsem.polynomial import Poly, atom, number

LINEAR = (ast.Add, ast.Sub, ast.Mult)


@dataclass(frozen=True)
class Sizes:
    """`dims`: each tensor's, by node; `inputs`: how far a size variable stands below the input size that it is named for; `least` of each
    variable; `notes`: the conditions on sizes, in words."""

    dims: Mapping[str, tuple[Poly, ...]]
    least: Mapping[Expr, int]
    notes: tuple[str, ...]


def sizes_of(symbolic: Mapping[str, Any], places: Sequence[str], path: str, called: Mapping[str, str] | None = None,
             fixed: Mapping[str, Sequence[int]] | None = None) -> Sizes:
    """The sizes of a graph; `places`: the nodes of inputs, those that name a size first, and what they are `called`; `fixed`: the shapes of those
    that have one alone. Raises Rejected."""
    shapes = {n: [_poly(d, path) for d in shape] for n, shape in symbolic["shapes"].items()}
    homes: dict[Expr, list[str]] = {}
    constant = []
    for n in places:
        for axis, d in enumerate(shapes[n]):
            name = f"{(called or {}).get(n, n)}.size({axis})"
            if d.constant is not None:
                constant.append(f"{name} is {d.constant}")
            elif (home := _symbol(d)) is not None:
                homes.setdefault(home, []).append(name)
    strange = sorted({a.name for shape in shapes.values() for d in shape for a in d.atoms} - {a.name for a in homes})
    if strange:
        raise _rejected(path, f"it has the size {strange[0]}, which is the size of no input")
    low = {s: int(symbolic["least"]) for s in homes}
    for s, (least, most) in symbolic["ranges"].items():
        if most != "int_oo":
            raise _rejected(path, f"it is the same for sizes of at most {most} only")
        if int(least) > 2 and var(s, B64) in low:
            low[var(s, B64)] = max(low[var(s, B64)], int(least))
    for g in symbolic["guards"]:
        _guard(g, low, path)
    known: dict[Expr, int] = {}
    for n, shape in (fixed or {}).items():
        for d, size in zip(shapes[n], shape, strict=True):
            if (s_ := _symbol(d)) is not None and known.setdefault(s_, size) != size:
                raise _rejected(path, f"one size is {known[s_]} and {size}")
    if any(size < low[s] for s, size in known.items()):
        raise _rejected(path, "a parameter is too small for that")
    shift = {s: max([0, *(-k for shape in shapes.values() for d in shape if (k := _beside(d, s)) is not None)]) for s in homes if s not in known}
    named = {s: var(f"({names[0]} - {shift[s]})" if shift[s] else names[0], B64) for s, names in homes.items() if s not in known}
    by = {s: atom(v) + number(shift[s]) for s, v in named.items()} | {s: number(size) for s, size in known.items()}
    notes = [*constant, *(f"{name} is {known[s]}" for s, names in homes.items() if s in known for name in names),
             *(f"{other} = {names[0]}" for s, names in homes.items() if s not in known for other in names[1:]),
             *(f"{names[0]} is at least {max(low[s], shift[s] + 1)}" for s, names in homes.items() if s not in known and (low[s] > 1 or shift[s]))]
    dims = {n: tuple(d.substitute(by) for d in shape) for n, shape in shapes.items()}
    return Sizes(dims, {v: max(1, low[s] - shift[s]) for s, v in named.items()}, tuple(notes))


def _rejected(path: str, why: str) -> Rejected:
    return Rejected(Rejection("spec.size", Where(path), f"for all sizes, the captured graph is not followed: {why}", "give a launch of fixed size"))


def _symbol(d: Poly) -> Expr | None:
    """The symbol that a size is."""
    return next((a for a in d.atoms if d == atom(a)), None)


def _beside(d: Poly, s: Expr) -> int | None:
    """The number beside a symbol, in `s - 2`."""
    return (d - atom(s)).constant


def _poly(text: str, path: str) -> Poly:
    """A size in torch.export's spelling."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError):
        raise _rejected(path, f"a size is {text}") from None


def _value(node: ast.expr) -> Poly:
    match node:
        case ast.Constant(value=int() as k):
            return number(k)
        case ast.Name(id=name) if re.fullmatch(r"s\d+", name):
            return atom(var(name, B64))
        case ast.UnaryOp(op=ast.USub(), operand=x):
            return -_value(x)
        case ast.BinOp(left=a, op=op, right=b) if isinstance(op, LINEAR):
            one, other = _value(a), _value(b)
            return one + other if isinstance(op, ast.Add) else one - other if isinstance(op, ast.Sub) else one * other
    raise ValueError(ast.dump(node))


def _guard(text: str, low: dict[Expr, int], path: str) -> None:
    """What a guard asks of a size: one that has a least value, which `low` takes up. Raises Rejected for another."""
    try:
        node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Compare) or len(node.ops) != 1:
            raise ValueError(text)
        d, op = _value(node.left) - _value(node.comparators[0]), node.ops[0]
        if isinstance(op, ast.Lt | ast.LtE):
            d, op = -d, ast.Gt() if isinstance(op, ast.Lt) else ast.GtE()
        s = next(iter(d.atoms)) if len(d.atoms) == 1 else None
        k = d.constant if s is None else _beside(d, s)
    except (SyntaxError, ValueError):
        raise _rejected(path, f"it holds where {text}") from None
    holds = {ast.Eq: k == 0, ast.NotEq: k != 0, ast.Gt: (k or 0) > 0, ast.GtE: (k or 0) >= 0}
    if s is None and k is not None and holds.get(type(op), False):
        return
    if s is None or k is None or isinstance(op, ast.Eq) or not isinstance(op, ast.NotEq | ast.Gt | ast.GtE):
        raise _rejected(path, f"it holds where {text}")
    low[s] = max(low[s], -k + (0 if isinstance(op, ast.GtE) else 1))
