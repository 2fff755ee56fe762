"""Integer expressions and conditions in C's notation, for readers of other tools: exact integers, whatever their width.

>>> from devsem.ops import B32
>>> from devsem.expr import mk, var
>>> i, n = var("i", B32), var("n", B32)
>>> integer(mk("slt_b32", mk("mul_b32", mk("add_b32", i, n), n), n), {i: "i", n: "n"})
'(i + n) * n < n'
"""

from __future__ import annotations

from collections.abc import Mapping

from devsem.expr import WIDTH, Expr, fold
from devsem.ops import B32, B64, BOOL

# operation -> sign, how strongly it binds, and how strongly its right side must
INFIX = {"add": ("+", 5, 5), "sub": ("-", 5, 6), "mul": ("*", 6, 7), "sdiv": ("/", 6, 7), "udiv": ("/", 6, 7), "srem": ("%", 6, 7), "urem": ("%", 6, 7),
         "slt": ("<", 4, 5), "ult": ("<", 4, 5), "sle": ("<=", 4, 5), "ule": ("<=", 4, 5), "ieq": ("==", 4, 5)}
LOGIC = {"and": ("&&", 2, 2), "or": ("||", 1, 1)}
SHIFTS = {"shl": "*", "ashr": "/", "lshr": "/"}
ATOM = 9


def integer(e: Expr, names: Mapping[Expr, str]) -> str | None:
    """The expression; None where it has a variable without a name, or an operation on bits or floats."""
    found: tuple[str, int] | None = fold((e,), lambda n, args: _one(n, args, names))[e]
    return None if found is None else found[0]


def _one(e: Expr, args: tuple[tuple[str, int] | None, ...], names: Mapping[Expr, str]) -> tuple[str, int] | None:
    if e.is_var:
        return (names[e], ATOM) if e in names else None
    if e.is_const:
        return _constant(e)
    below = [a for a in args if a is not None]
    if len(below) < len(args):
        return None
    row, _, width = e.op.rpartition("_b")
    name = row if width in ("32", "64", "ool") else e.op
    if e.op in LOGIC:
        return _infix(*LOGIC[e.op], below)
    if name in INFIX:
        return _infix(*INFIX[name], below)
    if name in SHIFTS and e.args[1].is_const:
        return _infix(SHIFTS[name], 6, 7, [below[0], (str(1 << e.args[1].value), ATOM)])
    if e.op in ("wrap", "sext", "zext"):
        return below[0]
    if e.op == "not":
        return f"!{_in(below[0], 8)}", 8
    if name in ("smin", "smax", "umin", "umax"):
        a, b = (_in(x, 5) for x in below)
        return f"({a} {'<' if name[1:] == 'min' else '>'} {b} ? {a} : {b})", ATOM
    if name == "select" and width:
        return f"({_in(below[0], 1)} ? {_in(below[1], 1)} : {_in(below[2], 1)})", ATOM
    return None


def _constant(e: Expr) -> tuple[str, int] | None:
    if e.sort == BOOL:
        return ("true" if e.value else "false"), ATOM
    if e.sort not in (B32, B64):
        return None
    signed = e.value - (1 << WIDTH[e.sort]) if e.value >> (WIDTH[e.sort] - 1) else e.value
    return str(signed), (ATOM if signed >= 0 else 7)


def _infix(sign: str, strength: int, right: int, below: list[tuple[str, int]]) -> tuple[str, int]:
    return f"{_in(below[0], strength)} {sign} {_in(below[1], right)}", strength


def _in(part: tuple[str, int], strength: int) -> str:
    return part[0] if part[1] >= strength else f"({part[0]})"
