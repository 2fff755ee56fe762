"""floats.py against three judges that share nothing with it: the processor, exact fractions, and bitwuzla."""

from __future__ import annotations

import ctypes
import itertools
import math
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import bitwuzla
import numpy as np
import pytest
import torch
from draw import SPECIALS, Bits, patterns, seed, tuples

from devsem import floats
from devsem.ops import OPS, Op

MILLION = 10**6
NAN, INF, SIGN, MIN_NORMAL = 0x7FFFFFFF, 0x7F800000, 0x80000000, 0x00800000
EXACT = [op for op in OPS.values() if op.kind == "exact"]


def differing(got: Any, want: Any, *args: Bits) -> list[str]:
    """The first lanes that differ, as hexadecimal arguments, result and expectation."""
    lanes = np.flatnonzero(got != want)[:5]
    return [f"{[hex(a[i]) for a in args]}: got {int(got[i]):#x}, want {int(want[i]):#x}" for i in lanes]


# --- the processor ---


def on_floats(f: Callable[..., Any]) -> Callable[..., Any]:
    """A numpy function of float32 arrays as one of bit patterns, its NaNs made one."""
    def run(*args: Bits) -> Any:
        with np.errstate(all="ignore"):
            out = f(*(a.view(np.float32) for a in args))
        return out if out.dtype == np.bool_ else np.where(np.isnan(out), np.uint32(NAN), out.view(np.uint32))
    return run


def fmaf(a: Any, b: Any, c: Any) -> Any:
    """The C library's fmaf, lane by lane."""
    f = ctypes.CDLL(None).fmaf
    f.argtypes, f.restype = [ctypes.c_float] * 3, ctypes.c_float
    return np.fromiter(map(f, a.tolist(), b.tolist(), c.tolist()), dtype=np.float64, count=len(a)).astype(np.float32)


def half_away(x: Any) -> Any:
    """roundf in binary64, where adding a half to a binary32 number changes no integer part wrongly."""
    wide = x.astype(np.float64)
    return np.trunc(wide + np.copysign(0.5, wide)).astype(np.float32)


PROCESSOR: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "fma": fmaf, "sqrt": np.sqrt,
    "rint": np.rint, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "round_away": half_away, "neg": np.negative, "abs_": np.abs,
    "lt": np.less, "le": np.less_equal, "eq": np.equal, "is_nan": np.isnan, "is_inf": np.isinf, "is_finite": np.isfinite,
    "lt_u": lambda a, b: ~(a >= b), "le_u": lambda a, b: ~(a > b), "eq_u": lambda a, b: ~((a < b) | (a > b)),
}
UNARY = {"sqrt", "rint", "floor", "ceil", "trunc", "round_away", "neg", "abs_", "is_nan", "is_inf", "is_finite"}


def arity(name: str) -> int:
    return 1 if name in UNARY else 3 if name == "fma" else 2


@pytest.mark.parametrize("name", PROCESSOR)
def test_agrees_with_the_processor(name: str) -> None:
    args = [patterns(seed(), MILLION)] if name in UNARY else tuples(seed(), MILLION, arity(name))
    got, want = getattr(floats, name)(*args), on_floats(PROCESSOR[name])(*args)
    assert not differing(got, want, *args)


def test_square_roots_of_every_significand() -> None:
    """Every pattern in [1, 4): all significands, with both parities of the exponent."""
    x = np.arange(0x3F800000, 0x40800000, dtype=np.uint32)
    assert not differing(floats.sqrt(x), on_floats(np.sqrt)(x), x)


@pytest.mark.parametrize(("name", "processor", "of_zeros"), [
    ("min_num", np.fmin, np.bitwise_or), ("max_num", np.fmax, np.bitwise_and),
    ("min_nan", np.minimum, np.bitwise_or), ("max_nan", np.maximum, np.bitwise_and),
])
def test_minima_and_maxima_agree_with_the_processor(name: str, processor: Any, of_zeros: Any) -> None:
    """The processor fixes everything but the sign of a minimum of two zeros, which PTX does: -0 < +0."""
    a, b = tuples(seed(), MILLION, 2)
    zeros = (a | b) & NAN == 0
    want = np.where(zeros, of_zeros(a, b), on_floats(processor)(a, b))
    assert zeros.any()
    assert not differing(getattr(floats, name)(a, b), want, a, b)


# --- flushing, against the processor's flush mode ---


@contextmanager
def flushing() -> Iterator[None]:
    """Subnormal operands read as zero and tiny results become zero (MXCSR DAZ and FTZ)."""
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor has no flush mode")
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


# Products, quotients and sums just below the smallest normal number.
BELOW = {
    "mul": ([0x1FFFFFFF, 0x9FFFFFFF, 0x00FFFFFF], [0x20000000, 0x20000000, 0x3F000000]),
    "div": ([0x3F7FFFFF, 0xBF7FFFFF], [0x7E800000, 0x7E800000]),
    "fma": ([0x1FFFFFFF, 0x00800000, 0x00800001], [0x20000000, 0xB3000000, 0xB3000000], [0x00000000, 0x00800000, 0x00800000]),
}


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "fma", "sqrt"])
def test_flushing_agrees_with_the_processor(name: str) -> None:
    """`ftz` after rounding is the processor's FTZ but in one window, in which the lanes that disagree must lie, all of them.

    A product just below 2^-126 rounds to 2^-126, which is normal, so `ftz` keeps it. The processor asks whether the result is tiny
    before the exponent's range is applied: rounded to 24 bits there, a value below 2^-126 - 2^-151 stays below 2^-126 and is flushed.
    """
    args = tuples(seed(), MILLION, arity(name))
    args = [np.concatenate([a, np.array(extra, dtype=np.uint32)]) for a, extra in zip(args, BELOW.get(name, ([],) * len(args)), strict=True)]
    args = [np.where(a & NAN < MIN_NORMAL, a & np.uint32(SIGN), a) for a in args]
    got = floats.ftz(getattr(floats, name)(*args))
    with flushing():
        assert np.float32(1e-39) * np.float32(1) == 0
        want = on_floats(PROCESSOR[name])(*args)
        assert np.array_equal(floats.ftz(getattr(floats, name)(*args)), got)
    smallest = np.flatnonzero(got & NAN == MIN_NORMAL)
    tiny = [i for i in smallest if abs(EXACTLY[name](*(value(a[i]) for a in args))) < Fraction(1, 2**126) - Fraction(1, 2**151)]
    assert np.flatnonzero(got != want).tolist() == tiny
    assert np.array_equal(want[tiny], got[tiny] & np.uint32(SIGN))
    assert bool(tiny) == (name in BELOW)


def test_flushed_operands_compare_as_the_processor_compares() -> None:
    a, b = tuples(seed(), MILLION, 2)
    with flushing():
        want = np.less(a.view(np.float32), b.view(np.float32))
    assert not differing(floats.lt(floats.ftz(a), floats.ftz(b)), want, a, b)


# --- exact fractions ---


def value(p: Any) -> Fraction:
    """The number that a finite pattern stands for, by IEEE 754 section 3.4."""
    field, fraction = int(p) >> 23 & 0xFF, int(p) & 0x7FFFFF
    magnitude = Fraction(fraction, 2**149) if field == 0 else (1 + Fraction(fraction, 2**23)) * Fraction(2) ** (field - 127)
    return -magnitude if int(p) & SIGN else magnitude


def unit_of(q: Fraction) -> int:
    """The exponent of the last place of a binary32 number as large as q != 0."""
    e = abs(q).numerator.bit_length() - q.denominator.bit_length()
    e -= abs(q) < Fraction(2) ** e
    return max(e - 23, -149)


def pattern(n: int, unit: int, negative: bool) -> int:
    """The pattern of n * 2^unit (n >= 0), infinite from 2^128."""
    if n * Fraction(2) ** unit >= 2**128:
        return INF | SIGN * negative
    return int(struct.unpack("<I", struct.pack("<f", math.copysign(math.ldexp(n, unit), -1 if negative else 1)))[0])


def nearest(q: Fraction, negative_zero: bool) -> int:
    """q to nearest even (which is how Python rounds a fraction); an exact zero has the sign given."""
    if q == 0:
        return SIGN * negative_zero
    unit = unit_of(q)
    return pattern(round(abs(q) / Fraction(2) ** unit), unit, q < 0)


EXACTLY: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
    "sqrt": lambda a: Fraction(math.sqrt(a)),    # only asked whether it is near 2^-126, which a root never is
}


def is_nan(p: int) -> bool:
    return p & NAN > INF


def fma_by_hand(a: int, b: int, c: int) -> int:
    """IEEE 754 sections 6 and 7 for the special cases, `nearest` for the rest."""
    product_sign, infinite = (a ^ b) & SIGN, INF in (a & NAN, b & NAN)
    if is_nan(a) or is_nan(b) or is_nan(c) or (infinite and 0 in (a & NAN, b & NAN)):
        return NAN
    if infinite:
        return NAN if c == (product_sign ^ SIGN) | INF else product_sign | INF
    if c & NAN == INF:
        return c
    return nearest(value(a) * value(b) + value(c), bool(product_sign & c & SIGN))


def add_by_hand(a: int, b: int) -> int:
    return fma_by_hand(a, 0x3F800000, b)


def sub_by_hand(a: int, b: int) -> int:
    return add_by_hand(a, b if is_nan(b) else b ^ SIGN)


def mul_by_hand(a: int, b: int) -> int:
    """A zero of the product's sign added to it changes nothing."""
    return fma_by_hand(a, b, (a ^ b) & SIGN)


def div_by_hand(a: int, b: int) -> int:
    sign = (a ^ b) & SIGN
    if is_nan(a) or is_nan(b) or (a & NAN == b & NAN and a & NAN in (0, INF)):
        return NAN
    if a & NAN == INF or b & NAN == 0:
        return sign | INF
    return sign if b & NAN == INF else nearest(value(a) / value(b), bool(sign))


def sqrt_by_hand(a: int) -> int:
    """The nearest multiple of the unit is half of one more than the whole root of four times the square; a tie cannot happen."""
    if is_nan(a) or (a & SIGN and a & NAN):
        return NAN
    if a & NAN in (0, INF):
        return a
    unit = (unit_of(value(a) * Fraction(2) ** 400) - 400 + 23) // 2 - 23
    return pattern((math.isqrt(int(value(a) / Fraction(4) ** (unit - 1))) + 1) // 2, unit, False)


BY_HAND: dict[str, Callable[..., int]] = {
    "add": add_by_hand, "sub": sub_by_hand, "mul": mul_by_hand, "div": div_by_hand, "fma": fma_by_hand, "sqrt": sqrt_by_hand,
}
TRIPLE_MAGNITUDES = (0, 1, 2, 0x7FFFFF, 0x800000, 0x800001, 0x1FFFFFFF, 0x20000001, 0x33800000, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001,
                     0x40000000, 0x40400000, 0x4B800001, 0x5F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000)


@pytest.mark.parametrize("name", BY_HAND)
def test_special_values_crossed(name: str) -> None:
    values = SPECIALS.tolist() if name != "fma" else [m | s for m in TRIPLE_MAGNITUDES for s in (0, SIGN)]
    rows = list(itertools.product(values, repeat=arity(name)))
    args = [np.array(column, dtype=np.uint32) for column in zip(*rows, strict=True)]
    want = np.array([BY_HAND[name](*row) for row in rows], dtype=np.uint32)
    assert not differing(getattr(floats, name)(*args), want, *args)


@pytest.mark.parametrize("name", BY_HAND)
def test_agrees_with_fractions(name: str) -> None:
    args = tuples(seed(), 20_000, arity(name))
    want = np.array([BY_HAND[name](*row) for row in zip(*(a.tolist() for a in args), strict=True)], dtype=np.uint32)
    assert not differing(getattr(floats, name)(*args), want, *args)


@pytest.mark.parametrize(("name", "row"), [
    ("ftz", {0x00000001: 0, 0x807FFFFF: SIGN, 0x00800000: 0x00800000, SIGN: SIGN, 0x3F800000: 0x3F800000, 0x7F800001: NAN}),
    ("pos_zero", {SIGN: 0, 0: 0, 0x80000001: 0x80000001, 0xFF800000: 0xFF800000, 0xFFC00000: NAN}),
    ("canon", {0x7F800001: NAN, 0xFFFFFFFF: NAN, 0xFF800000: 0xFF800000, SIGN: SIGN}),
    ("neg", {0: SIGN, SIGN: 0, 0x7F800001: NAN, 0x7F800000: 0xFF800000}),
])
def test_sign_and_class_operations(name: str, row: dict[int, int]) -> None:
    assert getattr(floats, name)(list(row)).tolist() == list(row.values())


# --- bitwuzla ---

LITERAL: dict[str, Callable[[int], str]] = {
    "F32": "((_ to_fp 8 24) #x{:08x})".format, "BOOL": lambda b: "true" if b else "false", "B32": "#x{:08x}".format, "B64": "#x{:016x}".format,
}


def draw_arguments(op: Op, n: int) -> list[Any]:
    """n lanes of arguments of the row's sorts; float arguments belong together."""
    start = seed()
    rng, three = np.random.default_rng(start), tuples(start, n, 3)
    wide = three[0].astype(np.uint64) << 32 | three[1]
    near = np.where(rng.integers(0, 2, n) == 0, wide, wide + rng.integers(0, 3, n).astype(np.uint64))
    made = {"F32": three, "B32": [three[0], np.where(rng.integers(0, 2, n) == 0, three[0], three[1]), three[2]],
            "B64": [wide, near, ~wide],
            "BOOL": list(rng.integers(0, 2, (3, n)).astype(np.bool_))}
    return [made[sort][i] for i, sort in enumerate(op.args)]


def some_lane_differs(op: Op, args: list[Any], results: Any) -> bool:
    """Ask the solver whether, by the row's SMT text, any lane has another result; `=` on floats is identity with one NaN."""
    lanes = []
    for *row, result in zip(*args, results, strict=True):
        term = op.smt.format(*(LITERAL[sort](int(x)) for sort, x in zip(op.args, row, strict=True)))
        lanes.append(f"(not (= {term} {LITERAL[op.out](int(result))}))")
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(f"(set-logic QF_BVFP)\n(assert (or false {' '.join(lanes)}))", True, False)
    answer = parser.bitwuzla().check_sat()
    assert answer in (bitwuzla.Result.SAT, bitwuzla.Result.UNSAT)
    return bool(answer == bitwuzla.Result.SAT)


@pytest.mark.parametrize("op", EXACT, ids=lambda op: op.name)
def test_evaluation_is_the_solvers(op: Op) -> None:
    args = draw_arguments(op, 300)
    assert op.eval is not None
    results = op.eval(*args)
    assert not some_lane_differs(op, args, results)
    spoiled = results.copy()
    spoiled[7] = not spoiled[7] if op.out == "BOOL" else 0 if spoiled[7] == NAN else spoiled[7] ^ 1
    assert some_lane_differs(op, args, spoiled), "the question cannot fail"


# --- every row ---


@pytest.mark.parametrize("op", EXACT, ids=lambda op: op.name)
def test_rows_are_canonical_and_as_lawful_as_declared(op: Op) -> None:
    args = draw_arguments(op, 20_000)
    assert op.eval is not None
    out = op.eval(*args)
    assert out.dtype == {"F32": np.uint32, "BOOL": np.bool_, "B32": np.uint32, "B64": np.uint64}[op.out]
    if op.out == "F32":
        assert set(out[out & NAN > INF].tolist()) <= {NAN}
    if "comm" in op.laws:
        assert np.array_equal(out, op.eval(args[1], args[0], *args[2:]))


@pytest.mark.parametrize("width", [32, 64])
def test_integers_wrap_as_python_modulo(width: int) -> None:
    kind, top = (np.uint32, 1 << 31) if width == 32 else (np.uint64, 1 << 63)
    edges = [0, 1, 2, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 0x9E3779B9, 3037000500]
    pairs = list(itertools.product(edges, repeat=2))
    a, b = (np.array(column, dtype=kind) for column in zip(*pairs, strict=True))
    judges: dict[str, Callable[[int, int], int]] = {
        "add": lambda x, y: (x + y) % (2 * top), "sub": lambda x, y: (x - y) % (2 * top), "mul": lambda x, y: x * y % (2 * top),
        "ult": lambda x, y: x < y, "ule": lambda x, y: x <= y, "ieq": lambda x, y: x == y,
        "slt": lambda x, y: x - 2 * top * (x >= top) < y - 2 * top * (y >= top),
        "sle": lambda x, y: x - 2 * top * (x >= top) <= y - 2 * top * (y >= top),
    }
    for name, f in judges.items():
        assert getattr(floats, "int_" + name)(a, b).tolist() == [f(x, y) for x, y in pairs], name


def test_widening_and_narrowing() -> None:
    x = np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], dtype=np.uint32)
    assert floats.int_sext(x).tolist() == [0, 1, 0x7FFFFFFF, 0xFFFFFFFF80000000, 0xFFFFFFFFFFFFFFFF]
    assert floats.int_zext(x).tolist() == x.tolist()
    assert floats.int_wrap(np.array([0x123456789, 1 << 63], dtype=np.uint64)).tolist() == [0x23456789, 0]


# --- shapes and sorts ---


def test_shapes_broadcast_and_results_are_arrays() -> None:
    one, two = np.uint32(0x3F800000), np.array([[0x40000000], [0x3F800000]], dtype=np.uint32)
    assert floats.add(one, one).shape == () and floats.add(one, one) == 0x40000000
    assert floats.mul(two, np.array([one] * 3)).tolist() == [[0x40000000] * 3, [0x3F800000] * 3]
    assert floats.select(np.bool_(True), one, two).shape == (2, 1)
    assert floats.sqrt(np.zeros((0, 4), dtype=np.uint32)).shape == (0, 4)
    assert floats.int_mul(np.uint32(0x80000001), np.uint32(2)) == 2


@pytest.mark.parametrize("call", [
    lambda: floats.add(np.float32(1), np.uint32(0)), lambda: floats.add(np.int64(1), 0), lambda: floats.canon(1.0),
    lambda: floats.bool_and(np.uint32(1), np.bool_(True)), lambda: floats.select(np.uint32(1), np.uint32(1), np.uint32(0)),
    lambda: floats.select(np.bool_(True), np.uint32(1), np.bool_(False)), lambda: floats.int_add(np.uint32(1), np.uint64(1)),
    lambda: floats.int_add(1, 2), lambda: floats.int_wrap(np.uint32(1)), lambda: floats.int_sext(np.uint64(1)),
])
def test_a_wrong_sort_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()
