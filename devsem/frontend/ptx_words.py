"""Integer and bit instructions of PTX as terms over the word operations of `ops.py`. `ptx_meaning.py` asks for them.

Each is composed: `mul.wide` multiplies extended operands, `bfe` and `bfi` shift and mask, `lop3` is written out from its table.

>>> from devsem.expr import var
>>> lop3(0x96, *(var(n, B32) for n in "abc")), lop3(0xC0, *(var(n, B32) for n in "abc"))
(xor_b32(xor_b32(a, b), c), and_b32(a, b))
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from devsem.expr import Expr, const_int
from devsem.frontend.ptx_ast import Immediate, Instruction
from devsem.ops import B32, B64, BOOL, Sort
from devsem.simplify import make

Compare = Callable[[Expr, Expr], Expr]


@dataclass(frozen=True)
class Composed:
    """The sorts read, the sort written, and its value."""

    reads: tuple[Sort, ...]
    write: Sort
    of: Callable[..., Expr]


Match = re.Match[str]
Rule = Callable[[Instruction, Match], Composed | None]


def sort(type_: str) -> Sort:
    """`s32`, `f32` and their like are 32 bits, `u64` 64."""
    return B64 if type_.endswith("64") else B32


def word(value: int, like: Sort = B32) -> Expr:
    """A constant."""
    return const_int(like, value)


def op(name: str, *args: Expr) -> Expr:
    """A word operation of the width of its last argument, or of its first for shifts."""
    return make(f"{name}_{(args[0] if name in ('shl', 'lshr', 'ashr') else args[-1]).sort.lower()}", *args)


def invert(a: Expr) -> Expr:
    """All bits flipped."""
    return op("xor", a, word(-1, a.sort))


# --- comparisons ---


def comparison(cmp: str, type_: str) -> Compare | None:
    """A comparison of words: `lo`, `ls`, `hi`, `hs` are the unsigned ones; bits have no order."""
    kind = type_[0]
    plain: dict[str, Compare] = {"eq": lambda a, b: op("ieq", a, b), "ne": lambda a, b: make("not", op("ieq", a, b))}
    if cmp in plain or kind == "b":
        return plain.get(cmp)
    unsigned = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
    name = unsigned.get(cmp, cmp) if kind == "u" else cmp
    ordered: dict[str, Compare] = {
        "lt": lambda a, b: op(f"{kind}lt", a, b), "le": lambda a, b: op(f"{kind}le", a, b),
        "gt": lambda a, b: op(f"{kind}lt", b, a), "ge": lambda a, b: op(f"{kind}le", b, a),
    }
    return ordered.get(name)


# --- arithmetic ---


def _extended(type_: str, a: Expr) -> Expr:
    return make("sext" if type_[0] == "s" else "zext", a)


def _wide(type_: str, a: Expr, b: Expr) -> Expr:
    """The whole product of two 32-bit words."""
    return op("mul", _extended(type_, a), _extended(type_, b))


def _multiply(i: Instruction, m: Match) -> Composed | None:
    """mul and mad with `.hi` or `.wide`, of 32-bit words."""
    def product(a: Expr, b: Expr) -> Expr:
        whole = _wide(m["type"], a, b)
        return whole if m["part"] == "wide" else make("wrap", op("lshr", whole, word(32)))
    out = B64 if m["part"] == "wide" else B32
    if m["op"] == "mul":
        return Composed((B32, B32), out, product)
    return Composed((B32, B32, out), out, lambda a, b, c: op("add", product(a, b), c))


def _mad(i: Instruction, m: Match) -> Composed:
    s = sort(m["type"])
    return Composed((s, s, s), s, lambda a, b, c: op("add", op("mul", a, b), c))


def _bound(i: Instruction, m: Match) -> Composed:
    s = sort(m["type"])
    less = f"{m['type'][0]}lt"
    if m["op"] == "min":
        return Composed((s, s), s, lambda a, b: op("select", op(less, a, b), a, b))
    return Composed((s, s), s, lambda a, b: op("select", op(less, a, b), b, a))


def _abs(i: Instruction, m: Match) -> Composed:
    s = sort(m["type"])
    return Composed((s,), s, lambda a: op("select", op("slt", a, word(0, s)), op("sub", word(0, s), a), a))


def _neg(i: Instruction, m: Match) -> Composed:
    s = sort(m["type"])
    return Composed((s,), s, lambda a: op("sub", word(0, s), a))


# --- bits ---


def _not(i: Instruction, m: Match) -> Composed:
    s = sort(m["type"])
    return Composed((s,), s, invert)


def _copysign(i: Instruction, m: Match) -> Composed:
    """The first's sign bit before the second's other bits: a NaN's, too."""
    return Composed((B32, B32), B32, lambda a, b: op("or", op("and", a, word(0x80000000)), op("and", b, word(0x7FFFFFFF))))


def _shift(i: Instruction, m: Match) -> Composed:
    """shr of untyped bits is unsigned."""
    s = sort(m["type"])
    return Composed((s, B32), s, lambda a, k: op("lshr", a, k))


def _funnel(i: Instruction, m: Match) -> Composed:
    """shf: 32 of the 64 bits `b:a`, shifted by a count modulo 32 (`.wrap`) or of at most 32 (`.clamp`)."""
    def count(c: Expr) -> Expr:
        return op("and", c, word(31)) if m["mode"] == "wrap" else op("select", op("ult", c, word(32)), c, word(32))

    def left(a: Expr, b: Expr, c: Expr) -> Expr:
        return op("or", op("shl", b, count(c)), op("lshr", a, op("sub", word(32), count(c))))

    def right(a: Expr, b: Expr, c: Expr) -> Expr:
        return op("or", op("shl", b, op("sub", word(32), count(c))), op("lshr", a, count(c)))
    return Composed((B32, B32, B32), B32, left if m["to"] == "l" else right)


def _immediate(i: Instruction, k: int) -> int | None:
    """Operand k, if it is written as a number."""
    found = i.operands[k] if k < len(i.operands) else None
    return found.value if isinstance(found, Immediate) and found.kind == "int" else None


def lop3(table: int, a: Expr, b: Expr, c: Expr) -> Expr:
    """The bitwise function of three words whose value at bits (a, b, c) is bit 4a + 2b + c of the table."""
    return _function(table & 0xFF, (a, b, c))


def _function(table: int, args: tuple[Expr, ...]) -> Expr:
    """By the last argument: what is left where it is 0, and where it is 1."""
    if not args:
        return word(-1 if table else 0)
    count = 1 << len(args) - 1
    zero, one_ = (sum((table >> 2 * k + side & 1) << k for k in range(count)) for side in (0, 1))
    *rest, c = args
    full, others = (1 << count) - 1, tuple(rest)
    if zero == one_:
        return _function(zero, others)
    if zero == full ^ one_:
        return c if zero == 0 else invert(c) if zero == full else op("xor", _function(zero, others), c)
    if zero in (0, full):       # c & f, or ~c | f
        return op("and", _function(one_, others), c) if zero == 0 else op("or", _function(one_, others), invert(c))
    if one_ in (0, full):
        return op("and", _function(zero, others), invert(c)) if one_ == 0 else op("or", _function(zero, others), c)
    return op("or", op("and", _function(one_, others), c), op("and", _function(zero, others), invert(c)))


def _lop3(i: Instruction, m: Match) -> Composed | None:
    table = _immediate(i, 4)
    return None if table is None else Composed((B32, B32, B32, B32), B32, lambda a, b, c, _: lop3(table, a, b, c))


def _prmt(i: Instruction, m: Match) -> Composed | None:
    """Four bytes of the eight of `b:a`, chosen by the selector's digits; a digit from 8 on repeats its byte's sign."""
    selector = _immediate(i, 3)
    if selector is None:
        return None

    def value(a: Expr, b: Expr, _: Expr) -> Expr:
        out = word(0)
        for place in range(4):
            digit = selector >> 4 * place & 0xF
            up = op("shl", a if digit & 7 < 4 else b, word(24 - 8 * (digit & 3)))      # the byte at the top
            byte = op("lshr", op("ashr", up, word(31)) if digit & 8 else up, word(24))
            out = op("or", out, op("shl", byte, word(8 * place)))
        return out
    return Composed((B32, B32, B32), B32, value)


def _ones(length: Expr, like: Sort) -> Expr:
    """As many low bits set as the length's low byte says."""
    return op("sub", op("shl", word(1, like), op("and", length, word(0xFF))), word(1, like))


def _extract(i: Instruction, m: Match) -> Composed | None:
    """bfe: `length` bits from `start` on; signed, the last of them is repeated, or the word's last."""
    s = sort(m["type"])
    if m["type"][0] == "u":
        return Composed((s, B32, B32), s, lambda a, start, length: op("and", op("lshr", a, op("and", start, word(0xFF))), _ones(length, s)))
    start, length, width = _immediate(i, 2), _immediate(i, 3), 32 if s == B32 else 64
    if start is None or length is None:
        return None
    first, size = start & 0xFF, length & 0xFF
    above = max(width - first - size, 0)
    return Composed((s, B32, B32), s, lambda a, _, __: op("ashr", op("shl", a, word(above)), word(first + above)) if size else word(0, s))


def _insert(i: Instruction, m: Match) -> Composed:
    """bfi: the low `length` bits of a, in b from `start` on."""
    s = sort(m["type"])

    def value(a: Expr, b: Expr, start: Expr, length: Expr) -> Expr:
        at = op("and", start, word(0xFF))
        mask = op("shl", _ones(length, s), at)
        return op("or", op("and", op("shl", a, at), mask), op("and", b, invert(mask)))
    return Composed((s, s, B32, B32), s, value)


# --- copies and choices ---


def _copy(i: Instruction, m: Match) -> Composed:
    s = BOOL if m["type"] == "pred" else sort(m["type"])
    return Composed((s,), s, lambda a: a)


def _select(i: Instruction, m: Match) -> Composed:
    s = sort(m["type"])
    return Composed((s, s, BOOL), s, lambda a, b, c: op("select", c, a, b))




_INT = r"(?P<type>[su]32|[su]64)"
RULES: tuple[tuple[str, Rule], ...] = (
    (rf"mad\.lo\.{_INT}", _mad),
    (r"(?P<op>mul|mad)\.(?P<part>hi|wide)\.(?P<type>[su]32)", _multiply),
    (rf"(?P<op>min|max)\.{_INT}", _bound),
    (r"abs\.(?P<type>s32|s64)", _abs),
    (r"neg\.(?P<type>s32|s64)", _neg),
    (r"not\.(?P<type>b32|b64)", _not),
    (r"copysign\.(?P<type>f32)", _copysign),
    (r"shr\.(?P<type>b32|b64)", _shift),
    (r"shf\.(?P<to>l|r)\.(?P<mode>wrap|clamp)\.b32", _funnel),
    (r"lop3\.b32", _lop3),
    (r"prmt\.b32", _prmt),
    (rf"bfe\.{_INT}", _extract),
    (r"bfi\.(?P<type>b32|b64)", _insert),
    (r"mov\.(?P<type>pred|f32|[bsu]32|[bsu]64)", _copy),
    (r"selp\.(?P<type>f32|[bsu]32|[bsu]64)", _select),
    (r"cvt\.[su](?P<type>32|64)\.[su](?P=type)", _copy),
)
