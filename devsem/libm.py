"""THE TABLE of obligations: for each function no standard fixes, its documented error bound and special values.

`allowed` turns a row into the finite set of results that the documents permit at given argument bits, or None where they say nothing
(or too little). It errs on the large side: a refutation must separate for every result in the set. NVIDIA calls the bounds of the CUDA
math library "generated from extensive but not exhaustive tests"; a verdict that uses one says so. A row is named as in `ops.py`,
without the side (`D.` or `S.`): both sides mean CUDA's function.

>>> [hex(p) for p in allowed("D.expf", (0x80000000,))]
['0x3f800000']
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal

import numpy as np

from devsem import libm_values
from devsem.libm_ordinals import INF, NAN, SIGN, UNIT, above, around, below, nearest, number, ordinal, patterns, units
from devsem.ops import LIBM1, LIBM2, OPS

ONE, MIN_NORMAL = 0x3F800000, 0x00800000
CPG = "CUDA C++ Programming Guide 13.1, table 17 (tests extensive, not exhaustive)"
HEADER = "CUDA 13.0 math_functions.h"
PTX = "PTX ISA 9.1, 9.7.3"

# --- error bounds ---


@dataclass(frozen=True)
class Error:
    """A documented bound: `size` units in the last place, or an absolute or relative error, for arguments where `holds`."""

    kind: Literal["ulp", "absolute", "relative"]
    size: float
    where: str = "finite arguments"
    holds: Callable[..., bool] = lambda *x: all(map(math.isfinite, x))

    def __str__(self) -> str:
        size = f"{self.size:g}" if self.size >= 1 or self.kind == "ulp" else f"2^{math.log2(self.size):g}"
        return f"{size} ulp" if self.kind == "ulp" else f"{self.kind} error {size}"


def _positive(x: float) -> bool:
    return 0 < x < math.inf


ULPS = {"expf": 2, "exp2f": 2, "exp10f": 2, "expm1f": 1, "logf": 1, "log2f": 1, "log10f": 2, "log1pf": 1, "sinf": 2, "cosf": 2, "tanf": 4, "asinf": 2,
        "acosf": 2, "sinhf": 3, "coshf": 2, "tanhf": 2, "asinhf": 3, "acoshf": 4, "atanhf": 3, "erff": 2, "erfcf": 4, "cbrtf": 1, "rsqrtf": 2,
        "tgammaf": 5, "powf": 4, "hypotf": 3, "fmodf": 0}
_TRIG = tuple(Error("absolute", size, f"|x| <= {k} pi", partial(lambda k, x: abs(x) <= k * 3.14159, k)) for k, size in ((2, 2 ** -20.5), (100, 2 ** -14.7)))
ERRORS: dict[str, tuple[Error, ...]] = {
    **{f: (Error("ulp", k),) for f, k in ULPS.items()},
    "atanf": (Error("ulp", 2, "any number", lambda x: True),),
    "atan2f": (Error("ulp", 3, "any numbers", lambda y, x: True),),
    "lgammaf": (Error("ulp", 6, "outside (-10.001, -2.264)", lambda x: not -10.0011 < x < -2.2639),),
    "ex2_approx": (Error("ulp", 2),),
    "lg2_approx": (Error("absolute", 2 ** -22, "0.5 < x < 2", lambda x: 0.5 < x < 2), Error("relative", 2 ** -22, "positive, finite", _positive)),
    "rcp_approx": (Error("ulp", 1),),
    "sqrt_approx": (Error("relative", 2 ** -23, "positive, finite", _positive),),
    "rsqrt_approx": (Error("relative", 2 ** -22.9, "positive, finite", _positive),),
    "sin_approx": _TRIG, "cos_approx": _TRIG,
    "tanh_approx": (Error("relative", 2 ** -11),),
    "div_approx": (Error("ulp", 2, "2^-126 <= |b| <= 2^126", lambda a, b: math.isfinite(a) and 2.0 ** -126 <= abs(b) <= 2.0 ** 126),),
    "div_full": (Error("ulp", 2, "finite, b not 0", lambda a, b: math.isfinite(a) and math.isfinite(b) and b != 0),),
}


# --- special values ---

TESTS: dict[str, Callable[[int, float], bool]] = {
    "nan": lambda b, x: math.isnan(x), "±0": lambda b, x: x == 0, "+inf": lambda b, x: x == math.inf, "-inf": lambda b, x: x == -math.inf,
    "±inf": lambda b, x: math.isinf(x), "1": lambda b, x: x == 1, "2": lambda b, x: x == 2, "-1": lambda b, x: x == -1, "±1": lambda b, x: abs(x) == 1,
    "<0": lambda b, x: x < 0, "<1": lambda b, x: x < 1, "<-1": lambda b, x: x < -1, ">1": lambda b, x: abs(x) > 1,
    "pole": lambda b, x: -math.inf < x <= 0 and x == math.floor(x), "-normal": lambda b, x: -math.inf < x <= -(2.0 ** -126),
    "subnormal": lambda b, x: 0 < abs(x) < 2.0 ** -126,
}
RESULTS: dict[str, Callable[[int], int]] = {
    "x": lambda b: b, "nan": lambda b: NAN, "+0": lambda b: 0, "±0": lambda b: b & SIGN, "+inf": lambda b: INF, "-inf": lambda b: SIGN | INF,
    "±inf": lambda b: b & SIGN | INF, "1": lambda b: ONE, "-1": lambda b: SIGN | ONE, "±1": lambda b: b & SIGN | ONE, "2": lambda b: 0x40000000,
}
_EXP, _LOG, _ODD = "±0:1 -inf:+0 +inf:+inf", "±0:-inf 1:+0 <0:nan +inf:+inf", "±0:x ±inf:x"
# argument class:result, the first that fits; ">1" means |x| > 1, "pole" an integer at most 0, and ± takes the argument's sign
SPECIAL1 = {
    "expf": _EXP, "exp2f": _EXP, "exp10f": _EXP, "expm1f": "±0:x -inf:-1 +inf:+inf", "logf": _LOG, "log2f": _LOG, "log10f": _LOG,
    "log1pf": "±0:x -1:-inf <-1:nan +inf:+inf", "sinf": "±0:x ±inf:nan", "cosf": "±0:1 ±inf:nan", "tanf": "±0:x ±inf:nan",
    "asinf": "±0:x >1:nan", "acosf": "1:+0 >1:nan", "atanf": "±0:x", "sinhf": _ODD, "coshf": "±0:1 ±inf:+inf", "tanhf": "±0:x ±inf:±1", "asinhf": _ODD,
    "acoshf": "1:+0 <1:nan +inf:+inf", "atanhf": "±0:x ±1:±inf >1:nan", "erff": "±0:x ±inf:±1", "erfcf": "-inf:2 +inf:+0", "cbrtf": _ODD,
    "rsqrtf": "±0:±inf +inf:+0 <0:nan", "lgammaf": "1:+0 2:+0 ±inf:+inf pole:+inf", "tgammaf": "±0:±inf pole:nan -inf:nan +inf:+inf",
    "ex2_approx": _EXP, "lg2_approx": "±0:-inf -inf:nan -normal:nan +inf:+inf", "rcp_approx": "±0:±inf ±inf:±0",
    "rsqrt_approx": "±0:±inf +inf:+0 -inf:nan -normal:nan", "sqrt_approx": "±0:x +inf:+inf -inf:nan -normal:nan",
    "sin_approx": "±0:x ±inf:nan", "cos_approx": "±0:1 ±inf:nan", "tanh_approx": "±0:x subnormal:x ±inf:±1",
}


def _unary(table: str, args: tuple[int, ...]) -> int | None:
    (bits,) = args
    for entry in ("nan:nan " + table).split():
        test, result = entry.split(":")
        if TESTS[test](bits, number(bits)):
            return RESULTS[result](bits)
    return None


def _powf(args: tuple[int, ...]) -> int | None:
    x, y = map(number, args)
    odd = math.isfinite(y) and y % 2 == 1
    sign = args[0] & SIGN if odd else 0
    if x == 1 or y == 0 or (x == -1 and math.isinf(y)):
        return ONE
    if math.isnan(x) or math.isnan(y):
        return NAN
    if x == 0 or math.isinf(x):
        return sign | (INF if (x == 0) == (y < 0) else 0)
    if math.isinf(y):
        return INF if (abs(x) > 1) == (y > 0) else 0
    return NAN if x < 0 and y != math.floor(y) else None


def _atan2f(args: tuple[int, ...]) -> int | None:
    y, x = map(number, args)
    if math.isnan(x) or math.isnan(y):
        return NAN
    zero = (y == 0 and not args[1] & SIGN) or (math.isfinite(y) and x == math.inf)
    return args[0] & SIGN if zero else None


def _hypotf(args: tuple[int, ...]) -> int | None:
    x, y = map(number, args)
    if math.isinf(x) or math.isinf(y):
        return INF
    if math.isnan(x) or math.isnan(y):
        return NAN
    return next((b & ~SIGN for a, b in (args, args[::-1]) if a & ~SIGN == 0), None)


def _fmodf(args: tuple[int, ...]) -> int | None:
    x, y = map(number, args)
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return NAN
    if x == 0 or math.isinf(y):
        return args[0]
    return args[0] & SIGN if math.fmod(x, y) == 0 else None


def _div_approx(args: tuple[int, ...]) -> int | None:
    """a * (1/b): documented for 2^126 < |b| < 2^128; NaN, zero and infinite operands follow from the product and rcp.approx."""
    (a, b), sign = map(number, args), (args[0] ^ args[1]) & SIGN
    if math.isnan(a) or math.isnan(b) or (a == 0 and b == 0):
        return NAN
    if abs(b) > 2.0 ** 126:
        return NAN if math.isinf(a) else sign
    return sign | INF if b == 0 or (math.isinf(a) and abs(b) >= 2.0 ** -126) else None


def _div_full(args: tuple[int, ...]) -> int | None:
    """PTX lists no special values; that a NaN operand gives NaN follows from the instructions (reciprocal, product)."""
    return NAN if any(math.isnan(number(a)) for a in args) else None


SPECIAL: dict[str, Callable[[tuple[int, ...]], int | None]] = {
    **{f: partial(_unary, table) for f, table in SPECIAL1.items()},
    "powf": _powf, "atan2f": _atan2f, "hypotf": _hypotf, "fmodf": _fmodf, "div_approx": _div_approx, "div_full": _div_full,
}


# --- from a bound to a set of patterns ---

HUGE, TINY = 140, -400      # binary exponents: beyond the first every bound leaves only infinity, below the second nothing changes


def reach(name: str, args: tuple[float, ...], error: Error) -> tuple[int, int]:
    """The first and the last ordinal within the error of the function's value."""
    value = libm_values.real(name, args)
    exponent = int(value._mpf_[2] + value._mpf_[3])
    sign = -1 if value < 0 else 1
    if exponent > HUGE:
        return sign * INF, sign * INF
    if value and exponent < TINY:
        value = sign * value.context.mpf(2) ** TINY
    if error.kind == "ulp":
        return around(value, int(error.size))
    size = error.size if error.kind == "absolute" else abs(value) * error.size
    return below(libm_values.scaled(value - size, UNIT)[0]), above(libm_values.scaled(value + size, UNIT)[1])


def _plain(name: str, args: tuple[int, ...], limit: int) -> tuple[int, ...] | None:
    """The set for a function without flushing: special value, else the first error bound that covers the arguments."""
    special = SPECIAL[name](args)
    if special is not None:
        return (special,)
    numbers = tuple(map(number, args))
    error = next((e for e in ERRORS[name] if e.holds(*numbers)), None)
    return None if error is None else patterns(*reach(name, numbers, error), limit)


def flush(bits: int) -> int:
    """A subnormal pattern becomes the zero of its sign."""
    return bits & SIGN if bits & ~SIGN < MIN_NORMAL else bits


def _flushing_instruction(name: str, args: tuple[int, ...], limit: int) -> tuple[int, ...] | None:
    """PTX: `.ftz` flushes subnormal inputs and results to sign-preserving zero."""
    plain = _plain(name, tuple(map(flush, args)), limit)
    return None if plain is None else tuple(sorted(set(map(flush, plain))))


def _flushing_program(name: str, args: tuple[int, ...], limit: int) -> tuple[int, ...] | None:
    """The C function compiled with -ftz=true: no document says where it flushes, so both readings of each subnormal count, and only
    special values (and expf, whose instructions were read) have a bound at all."""
    out: set[int] = set()
    for reading in {args, tuple(map(flush, args))}:
        if name != "expf" and SPECIAL[name](reading) is None:
            return None
        plain = _plain(name, reading, limit)
        if plain is None:
            return None
        out |= {*plain, *map(flush, plain)}
    return tuple(sorted(out))


def _contracted(name: str, args: tuple[int, ...], limit: int, *, sign: int) -> tuple[int, ...] | None:
    """b + p or b - p, rounded once, where p is the last product inside the function before it was rounded to one of the function's values.

    So p lies between the midpoints around those values; a value that may be a flushed subnormal stands for everything below 2^-126.
    """
    inner = allowed(name, args[:-1], limit)
    b = args[-1]
    if inner is None or b == NAN or NAN in inner:
        return None if inner is None or (NAN in inner and len(inner) > 1) else (NAN,)
    low, high = min(map(ordinal, inner)), max(map(ordinal, inner))
    if b & NAN == INF:
        opposite = SIGN | INF if (b == INF) == (sign > 0) else INF
        return (b, NAN) if opposite in inner else (b,)
    addends = {b}
    if name.endswith("_ftz"):
        addends.add(flush(b))
        low, high = (min(low, -MIN_NORMAL), max(high, MIN_NORMAL)) if 0 in inner or SIGN in inner else (low, high)
    ends = []
    for end, step in ((low, -1), (high, 1)):
        p = units(end) + units(end + step)                          # twice the midpoint beyond the end
        ends += [sign * end if end * step == INF else below(nearest(2 * units(ordinal(c)) + sign * p, 1)) for c in addends]
    found = patterns(min(ends), max(ends), limit)
    return found if found is None or not name.endswith("_ftz") else tuple(sorted({*found, *map(flush, found)}))


# --- the table ---


@dataclass(frozen=True)
class Row:
    """One obligation: the function of `libm_values` it means, how its set is found, and what documents it."""

    name: str
    function: str
    rule: Callable[[str, tuple[int, ...], int], tuple[int, ...] | None]
    reason: str


def silent(name: str, args: tuple[int, ...], limit: int) -> None:
    """No document says anything."""


def _row(name: str) -> Row:
    if name == "nan_bits":
        return Row(name, name, silent, f"the bits of a NaN are unspecified [{PTX}]")
    for ending, sign in (("_add", 1), ("_rsub", -1)):
        if name.endswith(ending):
            inner = name.removesuffix(ending)
            return Row(name, inner, partial(_contracted, sign=sign), f"{_row(inner).reason}; its last product fused with the caller's sum")
    base = name.removesuffix("_ftz")
    bounds = "; ".join(f"{e} ({e.where})" for e in ERRORS[base])
    if base not in LIBM1 and base not in LIBM2:
        rule = _plain if base == name else _flushing_instruction
        return Row(name, base, rule, f"{base}: {bounds}, special values [{PTX}]" + (", subnormals flushed" if base != name else ""))
    if base == name:
        return Row(name, base, _plain, f"{base}: {bounds} [{CPG}], special values [{HEADER}]")
    flushed = f", {bounds} [{CPG}], flushed or not" if base == "expf" else ""
    return Row(name, base, _flushing_program, f"{base} with -ftz=true: special values [{HEADER}]{flushed}")


def without_side(row: str) -> str:
    """`expf` for both `D.expf` and `S.expf`."""
    return row.split(".", 1)[-1]


ROWS: Mapping[str, Row] = {name: _row(name) for name in sorted({without_side(op.name) for op in OPS.values() if op.kind == "obligation"})}


@lru_cache(maxsize=1 << 16)
def allowed(row: str, args: tuple[int, ...], limit: int = 64) -> tuple[int, ...] | None:
    """The patterns that documents allow for the obligation `row` at these argument bits; None where unbounded or more than `limit`."""
    entry = ROWS[without_side(row)]
    canonical = tuple(NAN if a & NAN > INF else a for a in args)
    return entry.rule(entry.function, canonical, limit)


def nominal(row: str) -> Callable[..., libm_values.Bits]:
    """The obligation `row` as a function on arrays of patterns, nearly right: only for proposing inputs."""
    name = without_side(row)
    entry = ROWS[name]
    if name == "nan_bits":
        return lambda key, x: np.full(np.broadcast(key, x).shape, NAN, np.uint32)
    to_zero = OPS["ftz"].eval
    assert to_zero is not None
    if isinstance(entry.rule, partial):
        plain = partial(libm_values.nominal_sum, entry.function.removesuffix("_ftz"), entry.rule.keywords["sign"])
    else:
        plain = partial(libm_values.nominal, entry.function)
    return plain if "_ftz" not in name else lambda *args: to_zero(plain(*map(to_zero, args)))
