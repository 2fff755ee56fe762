"""What a value of the host's code is here, and C's conversions and arithmetic on it. Integers are expressions in the sizes; other numbers are known.

>>> as_type(Int(const_int(B64, 1 << 32), True), "INT")
Int(expr=0, signed=True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from devsem.expr import Expr, const, const_bool, const_int, mk, var
from devsem.ops import B32, B64, BOOL, F32, Sort
from devsem.simplify import make

# clang's integer types: width and sign
INTEGERS: dict[str, tuple[Sort, bool]] = {
    "INT": (B32, True), "UINT": (B32, False), "LONG": (B64, True), "ULONG": (B64, False), "LONGLONG": (B64, True), "ULONGLONG": (B64, False),
    "BOOL": (BOOL, False),
}
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
SIGNED = {"/": "sdiv", "%": "srem", "<": "slt", "<=": "sle"}
UNSIGNED = {"/": "udiv", "%": "urem", "<": "ult", "<=": "ule"}
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
REALS = {"+": "add_rn", "-": "sub_rn", "*": "mul_rn", "/": "div_rn"}


@dataclass(frozen=True)
class Int:
    """An integer or a truth value: an expression of sort B32, B64 or BOOL, and whether it is signed."""

    expr: Expr
    signed: bool = True


@dataclass(frozen=True)
class Real:
    """A `float` (F32: a constant, or the variable of a parameter) or a `double` (a number, or the variable of a parameter not yet rounded)."""

    value: Expr | float
    double: bool


@dataclass(frozen=True)
class HostTensor:
    """A contiguous float32 tensor: the memory it lives in, and its dimensions (B64)."""

    memory: str
    dims: tuple[Expr, ...]


@dataclass(frozen=True)
class Pointer:
    """The address of a tensor's first element; of no tensor, if it is null."""

    memory: str | None


@dataclass(frozen=True)
class Three:
    """A dim3: three B32."""

    axes: tuple[Expr, Expr, Expr]


@dataclass(frozen=True)
class Items:
    """A list, a tuple, or a shape."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class Word:
    """Something with a name that no number depends on: a dtype, a device, a stream, a text."""

    kind: str
    name: str = ""


@dataclass(frozen=True)
class Unknown:
    """A number that only the caller of a solution knows, by the name of the parameter it comes by."""

    name: str


class NotModelled(Exception):
    """A conversion or an operation that has no value here: why."""


def whole(value: int) -> Int:
    """A 64-bit signed integer."""
    return Int(const_int(B64, value))


def flag(value: bool) -> Int:
    """A truth value that is known."""
    return Int(const_bool(value), False)


def number_of(value: Any) -> float:
    """A number that is known, as a binary64; raises NotModelled."""
    if isinstance(value, Real) and isinstance(value.value, float):
        return value.value
    if isinstance(value, Real) and isinstance(value.value, Expr) and value.value.is_const:
        return float(np.array([value.value.value], np.uint32).view(np.float32)[0])
    if isinstance(value, Int) and value.expr.is_const:
        return float(integer_of(value))
    raise NotModelled("a number that depends on sizes or parameters")


def integer_of(value: Int) -> int:
    """A constant integer, by its sign."""
    if not value.expr.is_const:
        raise NotModelled("an integer that depends on sizes")
    pattern, width = value.expr.value, {B32: 32, B64: 64, BOOL: 1}[value.expr.sort]
    return pattern - (1 << width) if value.signed and pattern >> (width - 1) else pattern


def resized(value: Int, sort: Sort, signed: bool) -> Int:
    """C's conversion between integer types."""
    e = value.expr
    if e.sort == sort:
        return Int(e, signed)
    if sort == BOOL:
        return Int(make("not", make(f"ieq_{e.sort.lower()}", e, const_int(e.sort, 0))), False)
    if e.sort == BOOL:
        return Int(make(f"select_{sort.lower()}", e, const_int(sort, 1), const_int(sort, 0)), signed)
    return Int(make("wrap", e) if sort == B32 else make("sext" if value.signed else "zext", e), signed)


def as_type(value: Any, type_kind: str) -> Any:
    """C's conversion of a value to a type by clang's name of it; what is no number stays as it is. Raises NotModelled."""
    if type_kind in INTEGERS:
        if isinstance(value, Int):
            return resized(value, *INTEGERS[type_kind])
        if isinstance(value, Real):
            return _truncated(value, *INTEGERS[type_kind])
        return value
    if type_kind not in ("FLOAT", "DOUBLE"):
        return value
    if isinstance(value, Int):
        exact = integer_of(value)
        return Real(float(exact), True) if type_kind == "DOUBLE" else Real(make("s64_to_f32_rn", const_int(B64, exact)), False)
    if isinstance(value, Real):
        return _rounded(value, type_kind == "DOUBLE")
    return value


def _rounded(value: Real, double: bool) -> Real:
    if value.double == double:
        return value
    if isinstance(value.value, float):
        return Real(const(value.value), False)
    if not double:
        return Real(value.value, False)     # the variable of a parameter, which stands for what it is rounded to
    return Real(number_of(value), True)


def _truncated(value: Real, sort: Sort, signed: bool) -> Int:
    found = number_of(value)
    if sort == BOOL:
        return flag(found != 0.0)
    width = 32 if sort == B32 else 64
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
    if not math.isfinite(found) or not low <= math.trunc(found) < high:
        raise NotModelled(f"the conversion of {found} to an integer")
    return Int(const_int(sort, math.trunc(found)), signed)


def binary(op: str, a: Any, b: Any) -> Any:
    """`a op b` after C's conversions, so that both have one type. Raises NotModelled."""
    if isinstance(a, Int) and isinstance(b, Int):
        return _integers(op, a, b)
    if isinstance(a, Real) and isinstance(b, Real):
        return _reals(op, a, b)
    if op in ("==", "!="):
        same = _same(a, b)
        return same if op == "==" else Int(make("not", same.expr), False)
    raise NotModelled(f"`{op}` on these values")


def _integers(op: str, a: Int, b: Int) -> Int:
    if op in ("&&", "||"):
        return Int(make("and" if op == "&&" else "or", a.expr, b.expr), False)
    if op in ("<<", ">>"):
        name = "shl" if op == "<<" else "ashr" if a.signed else "lshr"
        return Int(make(f"{name}_{a.expr.sort.lower()}", a.expr, resized(b, B32, False).expr), a.signed)
    if a.expr.sort == BOOL or a.expr.sort != b.expr.sort:
        if op not in ("==", "!=") or a.expr.sort != b.expr.sort:
            raise NotModelled(f"`{op}` on truth values")
        same = make("not", make("xor", a.expr, b.expr))
        return Int(same if op == "==" else make("not", same), False)
    w, signed = a.expr.sort.lower(), a.signed and b.signed
    if op in ARITHMETIC:
        return Int(make(f"{ARITHMETIC[op]}_{w}", a.expr, b.expr), signed)
    if op in ("==", "!="):
        same = make(f"ieq_{w}", a.expr, b.expr)
        return Int(same if op == "==" else make("not", same), False)
    x, y, name = (b, a, op.replace(">", "<")) if op in (">", ">=") else (a, b, op)
    row = (SIGNED if signed else UNSIGNED).get(name)
    if row is None:
        raise NotModelled(f"the operator `{op}`")
    return Int(make(f"{row}_{w}", x.expr, y.expr), signed if op in ("/", "%") else False)


def _reals(op: str, a: Real, b: Real) -> Any:
    x, y = number_of(a), number_of(b)
    if op in COMPARISONS:
        return flag({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[op])
    if op not in REALS:
        raise NotModelled(f"the operator `{op}` on floats")
    if not a.double and isinstance(a.value, Expr) and isinstance(b.value, Expr):
        return Real(make(REALS[op], a.value, b.value), False)
    if op == "/" and y == 0.0:
        raise NotModelled("a division by zero")
    return Real({"+": x + y, "-": x - y, "*": x * y}[op] if op != "/" else x / y, True)


def _same(a: Any, b: Any) -> Int:
    """Equality of words and of shapes."""
    if isinstance(a, Word) and isinstance(b, Word) and a.kind == b.kind:
        return flag(a.name == b.name)
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return flag(a.memory == b.memory)
    if isinstance(a, Items) and isinstance(b, Items):
        if len(a.values) != len(b.values):
            return flag(False)
        out = const_bool(True)
        for x, y in zip(a.values, b.values, strict=True):
            out = make("and", out, make("ieq_b64", resized(x, B64, True).expr, resized(y, B64, True).expr))
        return Int(out, False)
    raise NotModelled("a comparison of these values")


def free(name: str, type_kind: str) -> Any:
    """The value of a parameter of the wrapper that nothing is known of."""
    if type_kind in INTEGERS:
        sort, signed = INTEGERS[type_kind]
        return Int(var(name, sort), signed)
    if type_kind in ("FLOAT", "DOUBLE"):
        return Real(var(name, F32), type_kind == "DOUBLE")
    raise NotModelled("a parameter of this type")


def negated(e: Expr) -> Expr:
    """`-e` of an integer."""
    return make(f"sub_{e.sort.lower()}", const_int(e.sort, 0), e) if e.sort != BOOL else mk("not", e)
