"""Expressions: typed, immutable, hash-consed, over the operations of `ops.py`.

Equal expressions are the same object, so equality is identity and a shared sub-term is stored once.

>>> x = var("x", F32)
>>> mk("add_rn", x, const(1.0)) is mk("add_rn", x, const(1.0))
True
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

T = TypeVar("T")
CONST, VAR = "const", "var"
WIDTH = {F32: 32, BOOL: 1, B32: 32, B64: 64}


class Expr:
    """A node: an operation's name with its arguments, a constant (`value`: bit pattern as int), or a variable (`name`)."""

    __slots__ = ("op", "args", "sort", "value", "name", "id")
    op: str
    args: tuple[Expr, ...]
    sort: Sort
    value: int
    name: str
    id: int

    def __repr__(self) -> str:
        return show(self)

    @property
    def is_const(self) -> bool:
        return self.op == CONST

    @property
    def is_var(self) -> bool:
        return self.op == VAR


_table: dict[tuple[object, ...], Expr] = {}


def _intern(op: str, args: tuple[Expr, ...], sort: Sort, value: int, name: str) -> Expr:
    key = (op, tuple(a.id for a in args), sort, value, name)
    found = _table.get(key)
    if found is not None:
        return found
    node = object.__new__(Expr)
    node.op, node.args, node.sort, node.value, node.name, node.id = op, args, sort, value, name, len(_table)
    _table[key] = node
    return node


def mk(name: str, *args: Expr) -> Expr:
    """The application of operation `name`; raises KeyError on an unknown name and TypeError on wrong argument sorts."""
    op = OPS[name]
    got = tuple(a.sort for a in args)
    if got != op.args:
        raise TypeError(f"{name} takes {op.args}, got {got}")
    return _intern(name, args, op.out, 0, "")


def var(name: str, sort: Sort) -> Expr:
    """A variable."""
    return _intern(VAR, (), sort, 0, name)


def bits(pattern: int) -> Expr:
    """A Float32 constant by its bit pattern; every NaN becomes the one NaN 0x7fffffff."""
    if not 0 <= pattern < 1 << 32:
        raise ValueError(f"not a 32-bit pattern: {pattern:#x}")
    return _intern(CONST, (), F32, 0x7FFFFFFF if pattern & 0x7FFFFFFF > 0x7F800000 else pattern, "")


def const(value: float) -> Expr:
    """A Float32 constant, rounded to nearest even from a Python float (a binary64), as C and PyTorch convert a literal."""
    try:
        return bits(struct.unpack("<I", struct.pack("<f", value))[0])
    except OverflowError:
        return bits(0xFF800000 if value < 0 else 0x7F800000)


def const_bool(value: bool) -> Expr:
    """A truth value."""
    return _intern(CONST, (), BOOL, int(value), "")


def const_int(sort: Sort, value: int) -> Expr:
    """An integer constant of sort B32 or B64, taken modulo 2^width."""
    return _intern(CONST, (), sort, value % (1 << WIDTH[sort]), "")


def topo(*roots: Expr) -> list[Expr]:
    """Every node below the roots once, arguments before uses. Iterative: depth is no limit."""
    seen: set[Expr] = set()
    order: list[Expr] = []
    stack: list[tuple[Expr, bool]] = [(r, False) for r in reversed(roots)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
            continue
        if node in seen:
            continue
        seen.add(node)
        stack.append((node, True))
        stack.extend((a, False) for a in reversed(node.args) if a not in seen)
    return order


def fold(roots: Iterable[Expr], f: Callable[[Expr, tuple[T, ...]], T]) -> dict[Expr, T]:
    """Bottom-up, memoised: f(node, results of its arguments)."""
    out: dict[Expr, T] = {}
    for node in topo(*roots):
        out[node] = f(node, tuple(out[a] for a in node.args))
    return out


def rebuild(node: Expr, args: tuple[Expr, ...]) -> Expr:
    """The same node over other arguments."""
    return node if args == node.args else mk(node.op, *args)


def substitute(root: Expr, by: Mapping[Expr, Expr]) -> Expr:
    """Replace whole sub-terms (each key, wherever it occurs) by others of the same sort."""
    return fold((root,), lambda n, args: by[n] if n in by else rebuild(n, args))[root]


def variables(*roots: Expr) -> list[Expr]:
    """The variables below the roots, by first occurrence."""
    return [n for n in topo(*roots) if n.is_var]


def show_const(node: Expr) -> str:
    """A constant as a person reads it: 0x3f800000 as `1.0f`, a truth value, or an integer."""
    if node.sort == BOOL:
        return "true" if node.value else "false"
    if node.sort != F32:
        return str(node.value - (1 << WIDTH[node.sort]) if node.value >> (WIDTH[node.sort] - 1) else node.value)
    if node.value & 0x7FFFFFFF > 0x7F800000:
        return "nan"
    number: float = struct.unpack("<f", struct.pack("<I", node.value))[0]
    for digits in range(1, 10):
        text = f"{number:.{digits}g}"
        if const(float(text)) is node:
            return text if any(c in text for c in ".einf") else text + ".0"
    return f"{node.value:#010x}"


def show(root: Expr) -> str:
    """Readable prefix text, every shared node written out."""
    def text(node: Expr, args: tuple[str, ...]) -> str:
        if node.is_const:
            return show_const(node)
        return node.name if node.is_var else f"{node.op}({', '.join(args)})"
    return fold((root,), text)[root]
