"""C's arithmetic types as this project has them, and C's conversions between their values.

A value is an expression of its type's sort; a `double` is only ever a constant, kept as a Python float. A refused value is
`POISON`: it has been reported where it arose, and converts to anything in silence, so that one mistake is one report.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass

from devsem.expr import Expr, bits, const, const_bool, const_int, var
from devsem.ops import B32, B64, BOOL, F32, Sort
from devsem.simplify import make

EXACT_INT = 1 << 53


@dataclass(frozen=True)
class CType:
    """An arithmetic type: C's name, the sort of its values, signedness, conversion rank among integers."""

    name: str
    sort: Sort
    signed: bool = True
    rank: int = 0

    @property
    def is_int(self) -> bool:
        return self.rank > 0


FLOAT, DOUBLE, BOOLEAN = CType("float", F32), CType("double", F32), CType("bool", BOOL)
INT, UNSIGNED = CType("int", B32, True, 1), CType("unsigned", B32, False, 1)
LONG, SIZE = CType("long", B64, True, 2), CType("size_t", B64, False, 2)
LONG_LONG, UNSIGNED_LONG_LONG = CType("long long", B64, True, 3), CType("unsigned long long", B64, False, 3)
VOID = CType("void", F32)
# libclang's names of the kinds of canonical types
BY_KIND = {
    "FLOAT": FLOAT, "DOUBLE": DOUBLE, "BOOL": BOOLEAN, "INT": INT, "UINT": UNSIGNED, "LONG": LONG, "ULONG": SIZE,
    "LONGLONG": LONG_LONG, "ULONGLONG": UNSIGNED_LONG_LONG, "VOID": VOID,
}


@dataclass(frozen=True)
class Value:
    """A typed value; `number` is a double constant's."""

    type: CType
    expr: Expr
    number: float = 0.0


class Refused(Exception):
    """A conversion or operation outside the accepted language: the rejection's code and the names in its sentence."""

    def __init__(self, code: str, **names: str) -> None:
        super().__init__(code)
        self.code, self.names = code, names


POISON = Value(CType("poison", F32), var("refused", F32))
ANY_OF: dict[Sort, Expr] = {F32: POISON.expr, BOOL: var("refused", BOOL), B32: var("refused", B32), B64: var("refused", B64)}


def double(number: float) -> Value:
    """A constant of type double."""
    return Value(DOUBLE, POISON.expr, number)


def signed_value(v: Value) -> int:
    """The number that an integer or truth constant is."""
    width = {BOOL: 1, B32: 32, B64: 64}[v.type.sort]
    negative = v.type.is_int and v.type.signed and v.expr.value >> (width - 1)
    return v.expr.value - (1 << width) if negative else v.expr.value


def common(a: CType, b: CType) -> CType:
    """The usual arithmetic conversions: the type in which a binary operation on two types is computed."""
    for t in (DOUBLE, FLOAT):
        if t in (a, b):
            return t
    a, b = (INT if t is BOOLEAN else t for t in (a, b))
    if a.signed == b.signed:
        return max(a, b, key=lambda t: t.rank)
    signed, other = (a, b) if a.signed else (b, a)
    if other.rank >= signed.rank:
        return other
    return signed if other.sort == B32 else UNSIGNED_LONG_LONG


def convert(v: Value, to: CType) -> Value:
    """The value as another type, by C's rules; raises Refused."""
    if v.type is POISON.type or to is POISON.type or v.type is to:
        return v if v.type is to else POISON
    row = CONVERSIONS.get((_family(v.type), _family(to)))
    if row is None:
        raise Refused("cuda.type", name=f"{v.type.name} as {to.name}")
    return row(v, to)


def _family(t: CType) -> str:
    return "int" if t.is_int else t.name


def _int_to_int(v: Value, to: CType) -> Value:
    """Widening keeps the number that the source type means; narrowing wraps."""
    if v.type.sort == to.sort:
        return Value(to, v.expr)
    name = "wrap" if to.sort == B32 else "sext" if v.type.signed else "zext"
    return Value(to, make(name, v.expr))


def word(t: CType) -> str:
    """An integer type as the conversion rows name it.

    >>> word(SIZE)
    'u64'
    """
    return f"{'s' if t.signed else 'u'}{32 if t.sort == B32 else 64}"


def _int_to_float(v: Value, to: CType) -> Value:
    """Rounded to nearest even, as C has it on a GPU."""
    return Value(to, make(f"{word(v.type)}_to_f32_rn", v.expr))


def _int_to_double(v: Value, to: CType) -> Value:
    if not v.expr.is_const or abs(signed_value(v)) >= EXACT_INT:
        raise Refused("cuda.double")
    return double(float(signed_value(v)))


def _int_to_bool(v: Value, to: CType) -> Value:
    return Value(to, _truth(v.expr) or make("not", make(f"ieq_{v.type.sort.lower()}", v.expr, const_int(v.type.sort, 0))))


def _truth(e: Expr) -> Expr | None:
    """The truth value of an integer that is 0 or 1 by its form, as in `(a < b) & (c < d)`."""
    if e.op in ("select_b32", "select_b64") and [a.value for a in e.args[1:] if a.is_const] == [1, 0]:
        return e.args[0]
    if e.op in ("and_b32", "or_b32", "xor_b32"):
        a, b = map(_truth, e.args)
        return make(e.op.removesuffix("_b32"), a, b) if a and b else None
    return None


def _bool_to_int(v: Value, to: CType) -> Value:
    return Value(to, make(f"select_{to.sort.lower()}", v.expr, const_int(to.sort, 1), const_int(to.sort, 0)))


def _float_to_double(v: Value, to: CType) -> Value:
    raise Refused("cuda.double")


def _float_to_int(v: Value, to: CType) -> Value:
    """Rounded toward zero; a constant that the type does not hold is undefined in C."""
    if not v.expr.is_const:
        return Value(to, make(f"w_f32_to_{word(to)}_rz", v.expr))
    return _double_to_int(double(struct.unpack("<f", v.expr.value.to_bytes(4, "little"))[0]), to)


def _double_to_int(v: Value, to: CType) -> Value:
    width = 32 if to.sort == B32 else 64
    low, high = (-(1 << width - 1), 1 << width - 1) if to.signed else (0, 1 << width)
    if not math.isfinite(v.number) or not low <= int(v.number) < high:
        raise Refused("cuda.float_to_int")
    return Value(to, const_int(to.sort, int(v.number)))


def _double_to_bool(v: Value, to: CType) -> Value:
    return Value(to, const_bool(v.number != 0.0))


CONVERSIONS: dict[tuple[str, str], Callable[[Value, CType], Value]] = {
    ("int", "int"): _int_to_int, ("int", "float"): _int_to_float, ("int", "double"): _int_to_double, ("int", "bool"): _int_to_bool,
    ("bool", "int"): _bool_to_int, ("bool", "float"): lambda v, to: Value(to, make("select", v.expr, const(1.0), const(0.0))),
    ("bool", "double"): _float_to_double, ("float", "double"): _float_to_double, ("float", "int"): _float_to_int,
    ("float", "bool"): lambda v, to: Value(to, make("not", make("w_eq", v.expr, bits(0)))),
    ("double", "float"): lambda v, to: Value(to, const(v.number)), ("double", "int"): _double_to_int, ("double", "bool"): _double_to_bool,
}
