"""What a row of the ATen table is, and how its builder reads the arguments of one call.

A builder sees arguments by schema name, defaults filled in. A tensor is an `Expr`; a Python number stays a number until the
builder asks for it as Float32 (`Call.f32`), and is then rounded once, as PyTorch casts it once per kernel (ATEN.md, rule 4).

>>> Call(op="aten.neg.default", args={"self": 0.5}, shapes={}, dtype="float32").f32("self")
0.5
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from devsem.expr import Expr, bits, const, const_bool, mk
from devsem.ops import BOOL, F32

ZERO, ONE, NAN = const(0.0), const(1.0), bits(0x7FFFFFFF)


class Refused(Exception):
    """This call of a known operator is outside the table, for the reason given; the front end adds where it stands. `code`: the refusal's."""

    def __init__(self, why: str, code: str = "spec.operator") -> None:
        super().__init__(why)
        self.code = code


@dataclass(frozen=True)
class Call:
    """One call in a captured graph: schema name -> argument, the shapes of the tensor arguments, and the result's dtype."""

    op: str
    args: Mapping[str, object]
    shapes: Mapping[str, tuple[int, ...]]
    dtype: str

    def given(self, name: str) -> bool:
        """Whether the call has this argument with a value other than None."""
        return self.args.get(name) is not None

    def is_bool(self, *names: str) -> bool:
        """Whether all these arguments are tensors of truth values."""
        return all(isinstance(a, Expr) and a.sort == BOOL for a in map(self.args.get, names))

    def number(self, name: str) -> float:
        """A Python number, which no tensor may stand for."""
        value = self.args.get(name)
        if not isinstance(value, int | float):
            raise Refused(f"its argument {name} is not a number")
        return exact(value, name)

    def scalar(self, name: str) -> Expr:
        """A Python number as a Float32 constant."""
        return const(self.number(name))

    def f32(self, name: str) -> Expr:
        """A tensor or a number as Float32; truth values become 1 and 0, as PyTorch promotes them."""
        value = self.args.get(name)
        if not isinstance(value, Expr):
            return self.scalar(name)
        if value.sort == F32:
            return value
        if value.sort == BOOL:
            return mk("select", value, ONE, ZERO)
        raise Refused(f"its argument {name} is not a tensor of float32 or bool")

    def truth(self, name: str) -> Expr:
        """A tensor or a number as a truth value: false exactly when it equals zero, so NaN is true."""
        value = self.args.get(name)
        if not isinstance(value, Expr):
            return const_bool(self.number(name) != 0)
        return value if value.sort == BOOL else mk("not", mk("eq", value, ZERO))

    def constant(self, value: float) -> Expr:
        """A number as the result's dtype has it."""
        return const_bool(value != 0) if self.dtype == "bool" else const(value)


def exact(value: float, name: str) -> float:
    """The number as a binary64 that float32 can hold; PyTorch refuses or changes the others, so they are refused here."""
    if isinstance(value, int) and abs(value) > 1 << 53:
        raise Refused(f"its argument {name} = {value} is an integer above 2^53")
    if math.isfinite(value) and const(value).value & 0x7FFFFFFF == 0x7F800000:
        raise Refused(f"its argument {name} = {value} overflows float32")
    return float(value)


def value_of(constant: Expr) -> float:
    """The number a Float32 constant stands for."""
    number: float = struct.unpack("<f", struct.pack("<I", constant.value))[0]
    return number


def always(call: Call) -> bool:
    """The condition of an assumption that every call makes."""
    return True


@dataclass(frozen=True, kw_only=True)
class AtenRow:
    """One ATen operator: how to build its value, the evidence for that (tags of ATEN.md), and what it assumes, when `when` holds.

    `alias`: the result may share memory with the first operand. `reshapes`: the same elements in the same (row-major) order, in
    another shape. `uniform`: the result is one value everywhere, whatever the operands hold.
    """

    name: str
    build: Callable[[Call], Expr]
    evidence: str
    assumption: str = ""
    when: Callable[[Call], bool] = always
    alias: bool = False
    reshapes: bool = False
    uniform: bool = False


def gt(a: Expr, b: Expr) -> Expr:
    """a > b, which the vocabulary spells b < a."""
    return mk("lt", b, a)


def ge(a: Expr, b: Expr) -> Expr:
    """a >= b, which the vocabulary spells b <= a."""
    return mk("le", b, a)


def clamped(v: Expr, low: Expr | None, high: Expr | None) -> Expr:
    """PyTorch's clamp: comparisons that a NaN makes false, so that NaN and -0 pass, and a crossed range gives the upper bound."""
    r = v if low is None else mk("select", mk("lt", v, low), low, v)
    return r if high is None else mk("select", mk("lt", high, r), high, r)


def scaled(x: Expr, factor: Expr) -> Expr:
    """x * factor, where the factor 1 changes nothing: that product is exact and all NaNs are one."""
    return x if factor is ONE else mk("mul_rn", x, factor)
