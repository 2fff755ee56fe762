"""Expressions as a person writes them: `fma(x, 2.0, x) == y`, with as few parentheses as C needs.

>>> from devsem.expr import const, mk, var
>>> x = var("x", "F32")
>>> infix(mk("mul_rn", mk("add_rn", x, const(1.0)), x))
'(x + 1.0) * x'
"""

from __future__ import annotations

from devsem.expr import Expr, fold, show_const

# operation: its sign and how tightly it binds; the rest are written as calls
BINARY = {"mul_rn": ("*", 7), "div_rn": ("/", 7), "add_rn": ("+", 6), "sub_rn": ("-", 6), "lt": ("<", 5), "le": ("<=", 5), "eq": ("==", 4),
          "and": ("&&", 3), "or": ("||", 2)}
PREFIX = {"neg": "-", "not": "!"}
CHOICE, UNARY, ATOM = 1, 8, 9
LONGEST = 160  # characters


def infix(root: Expr) -> str:
    """The whole expression."""
    return fold((root,), _node)[root][0]


def short(root: Expr) -> str:
    """The expression, cut where it is too long for a sentence."""
    text = infix(root)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _node(e: Expr, args: tuple[tuple[str, int], ...]) -> tuple[str, int]:
    """The text of one node and how tightly it binds."""
    if e.is_const:
        text = show_const(e)
        return text, UNARY if text.startswith("-") else ATOM
    if e.is_var:
        return e.name, ATOM
    if e.op in BINARY:
        sign, level = BINARY[e.op]
        return f"{_in(args[0], level)} {sign} {_in(args[1], level + 1)}", level
    if e.op in PREFIX:
        return PREFIX[e.op] + _in(args[0], ATOM), UNARY
    if e.op in ("select", "select_bool"):
        return f"{_in(args[0], CHOICE + 1)} ? {_in(args[1], CHOICE + 1)} : {_in(args[2], CHOICE)}", CHOICE
    return f"{e.op.removesuffix('_rn')}({', '.join(text for text, _ in args)})", ATOM


def _in(part: tuple[str, int], level: int) -> str:
    """A part where at least `level` is needed."""
    text, binds = part
    return text if binds >= level else f"({text})"
