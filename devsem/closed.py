"""The closed tests of lemmas, which `lean/FloatLib/Op/Class.lean` defines, on constants."""

from __future__ import annotations

import struct
from fractions import Fraction

from devsem.expr import Expr, mk
from devsem.lemmas import MIN_NORMAL, ONE
from devsem.scope import evaluate_closed

HALF, INFINITY = 0x3F000000, 0x7F800000
TAME = 0x0D800000, 0x71800000    # 2^-100 and 2^100, well within what `Fp.isTame` admits


def holds(test: str, args: tuple[Expr, ...]) -> bool:
    """Whether constants pass a test; never where an argument is no constant."""
    if not all(a.is_const for a in args):
        return False
    magnitude = [a.value & 0x7FFFFFFF for a in args]
    if test == "Fp.isBig":
        return 0x00800000 <= magnitude[0] <= 0x7F800000
    if test == "Fp.isNonzero":
        return 0 < magnitude[0] <= 0x7F800000
    if test == "Fp.isRecip":
        a, b = args
        exact = a.value & 0x7FFFFF == 0 and b.value & 0x7FFFFF == 0 and all(0x00800000 <= m < 0x7F800000 for m in magnitude)
        return exact and evaluate_closed(mk("mul_rn", a, b)) is ONE
    if test == "Fp.isScalings":
        c, d, e = args
        exact = max(magnitude) < 0x7F800000 and (c.value ^ d.value ^ e.value) >> 31 == 0 and real(c) * real(d) == real(e)
        up = magnitude[0] >= ONE.value and magnitude[0] & 0x7FFFFF == 0 and magnitude[1] >= ONE.value
        return exact and (up or magnitude[0] == magnitude[1] == HALF)
    if test == "Fp.isBare":
        return magnitude[0] & 0x7FFFFF == 0 or magnitude[0] > INFINITY
    if test == "Fp.isPart":
        return magnitude[0] <= ONE.value
    if test == "Fp.isTame":
        return TAME[0] <= magnitude[0] <= TAME[1]
    if test == "Fp.isSucc":
        return all(0 < a.value < 0x7F800000 for a in args) and real(args[1]) == real(args[0]) + 1
    if test == "Fp.isScale":
        return ONE.value <= magnitude[0] < INFINITY and magnitude[0] & 0x7FFFFF == 0
    if test == "Fp.isProduct":
        c, d, e = args
        return max(magnitude) < INFINITY and (c.value ^ d.value ^ e.value) >> 31 == 0 and real(c) * real(d) == real(e)
    if test == "Fp.isShrink":
        c, b = args
        power = 0x00800000 <= b.value < INFINITY and b.value & 0x7FFFFF == 0
        return power and magnitude[0] < INFINITY and abs(real(c)) * real(b) == real(MIN_NORMAL)
    raise KeyError(test)


def real(e: Expr) -> Fraction:
    """A finite constant's worth."""
    return Fraction(struct.unpack("<f", struct.pack("<I", e.value))[0])
