"""Directed roundings, conversions and bits of words in Python: against the processor, torch, and the fractions of `formats.py`."""

from __future__ import annotations

import ctypes
import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import formats
import numpy as np
import pytest
import torch
from draw import SPECIALS, Bits, patterns, seed, tuples
from formats import BFLOAT16, BINARY16, BINARY32, MODES, Format, Mode

from devsem import floats
from devsem.expr import const_int, var
from devsem.ops import B32
from devsem.simplify import make

MILLION, NAN = 10**6, 0x7FFFFFFF
ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "fma": 3, "sqrt": 1}
# Numbers around the ends of the integers, around halves, and where whole numbers stop being exact.
ENDS = (0x3F000000, 0x3FC00000, 0x40200000, 0x4B000000, 0x4B800000, 0x4F000000, 0x4F800000, 0x5F000000, 0x5F800000, 0x7F7FFFFF, 0x7F800000)


def canonical(x: Any) -> Bits:
    """Patterns of float32 numbers, NaNs made one."""
    bits = x.view(np.uint32)
    return np.where(bits & NAN > 0x7F800000, np.uint32(NAN), bits)


def differing(got: Any, want: Any, *args: Any) -> list[str]:
    """The first lanes that differ."""
    return [f"{[hex(int(a[i])) for a in args]}: got {int(got[i]):#x}, want {int(want[i]):#x}" for i in np.flatnonzero(np.asarray(got) != np.asarray(want))[:5]]


def numbers(n: int) -> Bits:
    """Patterns for conversions: the ends and their neighbours, special values, random ones, and numbers of every size."""
    s = seed()
    rng = np.random.default_rng(s)
    near = (rng.choice(np.array(ENDS, dtype=np.int64), n) + rng.integers(-3, 4, n)).astype(np.uint32) | rng.integers(0, 2, n, dtype=np.uint32) << 31
    sized = rng.integers(0x3E000000, 0x60000000, n, dtype=np.uint32) | rng.integers(0, 2, n, dtype=np.uint32) << 31
    halves = (rng.integers(-2**20, 2**20, n) / 2).astype(np.float32).view(np.uint32)
    return np.concatenate([SPECIALS, near, sized, halves, patterns(s, n)])


# --- directed roundings ---


@contextmanager
def rounding(mode: Mode) -> Iterator[None]:
    """The processor's own rounding mode (x86's numbers for it)."""
    lib = ctypes.CDLL("libm.so.6")
    assert lib.fesetround({"rn": 0, "rz": 0xC00, "rm": 0x400, "rp": 0x800}[mode]) == 0
    try:
        yield
    finally:
        lib.fesetround(0)


def fmaf(a: Any, b: Any, c: Any) -> Any:
    """The C library's fmaf, lane by lane."""
    f = ctypes.CDLL("libm.so.6").fmaf
    f.argtypes, f.restype = [ctypes.c_float] * 3, ctypes.c_float
    return np.fromiter(map(f, a.tolist(), b.tolist(), c.tolist()), dtype=np.float64, count=len(a)).astype(np.float32)


PROCESSOR: dict[str, Callable[..., Any]] = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "sqrt": np.sqrt, "fma": fmaf}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ARITY)
def test_rounds_as_the_processor_does(name: str, mode: Mode) -> None:
    args = tuples(seed(), MILLION // 10, ARITY[name])
    with np.errstate(all="ignore"), rounding(mode):
        raw = PROCESSOR[name](*(a.view(np.float32) for a in args))
    assert not differing(getattr(floats, name)(*args, mode=mode), canonical(raw), *args)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ARITY)
def test_rounds_as_fractions_do(name: str, mode: Mode) -> None:
    args = tuples(seed(), 600, ARITY[name])
    want = [getattr(formats, name)(BINARY32, mode, *map(int, row)) for row in zip(*args, strict=True)]
    assert not differing(getattr(floats, name)(*args, mode=mode), want, *args)


def test_directed_results_enclose_the_exact_one() -> None:
    """Downwards is at most to nearest is at most upwards, and towards zero is one of the ends."""
    a, b, c = tuples(seed(), 50_000, 3)
    got = {m: floats.fma(a, b, c, mode=m) for m in MODES}
    number = got["rn"] & NAN <= 0x7F800000
    assert floats.le(got["rm"], got["rn"])[number].all() and floats.le(got["rn"], got["rp"])[number].all()
    assert ((got["rz"] == got["rm"]) | (got["rz"] == got["rp"])).all() and (got["rm"] != got["rp"]).any()


# --- integers ---

KINDS = {"s32": (32, True), "u32": (32, False), "s64": (64, True), "u64": (64, False)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("word", KINDS)
def test_numbers_to_integers(word: str, mode: Mode) -> None:
    x = numbers(1000)
    want = [formats.to_word(BINARY32, mode, *KINDS[word], int(p)) for p in x]
    got = floats.to_word(x, word, mode)
    assert got.dtype == (np.uint32 if word.endswith("32") else np.uint64)
    assert not differing(got, np.array(want, dtype=got.dtype), x)


def test_a_nan_becomes_zero_or_the_top_bit() -> None:
    nans = np.array([0x7FC00000, 0xFFC00000, 0x7F800001], dtype=np.uint32)
    assert [floats.to_word(nans, word, "rz").tolist() for word in KINDS] == [[0] * 3, [0] * 3, [1 << 63] * 3, [1 << 63] * 3]


def test_in_range_truncation_is_the_processors() -> None:
    x = numbers(100_000)
    x = x[x & NAN < 0x4F000000]
    assert np.array_equal(floats.to_word(x, "s32", "rz"), x.view(np.float32).astype(np.int32).view(np.uint32))


def integers(width: int, n: int) -> np.ndarray:
    """Words of every length, powers of two and their neighbours, and those halfway between two numbers."""
    rng = np.random.default_rng(seed())
    words = {0, *((1 << k) + d for k in range(width) for d in (-1, 0, 1))}
    for _ in range(n):
        word = int(rng.integers(0, 1 << 63)) >> int(rng.integers(63))
        top = max(word.bit_length() - 25, 0)
        words |= {word, -word, ((word >> top) | 1) << top, ((word >> top) | 1) << top | 1, (((word >> top) | 1) << top) - 1}
    return np.array(sorted({w % (1 << width) for w in words}), dtype=np.uint32 if width == 32 else np.uint64)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("word", KINDS)
def test_integers_to_numbers(word: str, mode: Mode) -> None:
    a = integers(KINDS[word][0], 300)
    want = [formats.from_word(BINARY32, mode, *KINDS[word], int(p)) for p in a]
    assert not differing(floats.from_word(a, word, mode), want, a)


@pytest.mark.parametrize(("word", "kind"), [("s32", np.int32), ("u32", np.uint32), ("s64", np.int64), ("u64", np.uint64)])
def test_integers_to_numbers_is_the_processors(word: str, kind: Any) -> None:
    a = integers(KINDS[word][0], 5000)
    assert not differing(floats.from_word(a, word, "rn"), a.view(kind).astype(np.float32).view(np.uint32), a)


# --- narrower formats, powers of two ---


def narrowed(form: str, n: int) -> Bits:
    """Random patterns, and patterns at and around the middle between two numbers of the narrow format."""
    cut = {"f16": 13, "bf16": 16}[form]
    rng = np.random.default_rng(seed())
    x = np.concatenate([numbers(n), rng.integers(0x33000000, 0x48000000, n, dtype=np.uint32)])
    middle = (x >> cut << cut) + np.uint32(1 << (cut - 1)) + rng.integers(-1, 2, len(x)).astype(np.uint32)
    return np.concatenate([x, middle, middle >> 14 << 14])


def test_half_precision_is_numpys() -> None:
    x = narrowed("f16", 200_000)
    with np.errstate(all="ignore"):
        want = x.view(np.float32).astype(np.float16).astype(np.float32)
    assert not differing(floats.narrow(x, "f16"), canonical(want), x)


def test_bfloat16_is_torchs() -> None:
    x = narrowed("bf16", 200_000)
    want = torch.from_numpy(x.view(np.float32)).to(torch.bfloat16).to(torch.float32).numpy()
    assert not differing(floats.narrow(x, "bf16"), canonical(want), x)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("form", "narrow"), [("f16", BINARY16), ("bf16", BFLOAT16)])
def test_narrow_formats_are_the_fractions(form: str, narrow: Format, mode: Mode) -> None:
    x = narrowed(form, 100)
    want = [formats.convert(narrow, BINARY32, "rn", formats.convert(BINARY32, narrow, mode, int(p))) for p in x]
    assert not differing(floats.narrow(x, form, mode), want, x)


def test_scaling_rounds_once() -> None:
    """Also where k would take 2^k itself out of range, and for k far beyond."""
    rng = np.random.default_rng(seed())
    x = numbers(600)
    k = np.where(rng.integers(0, 2, len(x)) == 0, rng.integers(-300, 300, len(x)), rng.integers(-2**31, 2**31, len(x)))
    want = [formats.scale_by(BINARY32, "rn", int(p), min(max(int(n), -600), 600)) for p, n in zip(x, k, strict=True)]
    assert not differing(floats.scale_by(x, k.astype(np.uint32)), want, x, k)
    assert floats.scale_by([0x00C00003, 0x7F000000, 1], np.array([2**32 - 2, 2**32 - 276, 276], dtype=np.uint32)).tolist() == [0x00300001, 1, 0x7F000000]


# --- signs, saturation, bits of words ---


def test_copysign_is_numpys_but_for_nans() -> None:
    a, b = tuples(seed(), MILLION, 2)
    known = b & NAN <= 0x7F800000
    assert not differing(floats.copysign(a, b)[known], canonical(np.copysign(a.view(np.float32), b.view(np.float32)))[known], a[known], b[known])
    assert floats.copysign([0xBF800000, 0xFFC00000], 0xFFC00000).tolist() == [0x3F800000, NAN]


def test_saturation() -> None:
    """PTX: clamped to [0, 1], NaN is +0; the zero is +0, as in FADD.SAT RZ, a."""
    x = patterns(seed(), MILLION)
    with np.errstate(all="ignore"):
        want = np.minimum(np.fmax(x.view(np.float32), np.float32(0)) + np.float32(0), np.float32(1))
    assert not differing(floats.sat(x), want.view(np.uint32), x)
    assert floats.sat([0x80000000, 0x80000001, 1, 0x3F800001, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000]).tolist() == [0, 0, 1, *[0x3F800000] * 2, 0, 0, 0]


def test_classes() -> None:
    x = patterns(seed(), MILLION)
    f = np.abs(x.view(np.float32))
    with np.errstate(invalid="ignore"):
        smallest = f >= np.float32(2.0 ** -126)
        assert np.array_equal(floats.is_normal(x), smallest & np.isfinite(f)) and np.array_equal(floats.is_zero(x), f == 0)
        assert np.array_equal(floats.is_subnormal(x), ~smallest & (f > 0)) and np.array_equal(floats.is_neg(x), np.signbit(x.view(np.float32)) & ~np.isnan(f))


@pytest.mark.parametrize("width", [32, 64])
def test_bits_of_words_are_pythons(width: int) -> None:
    kind, top = (np.uint32, 1 << 31) if width == 32 else (np.uint64, 1 << 63)
    edges = [0, 1, 2, top - 1, top, top + 1, 2 * top - 1, 0x9E3779B9, 0x5DEECE66]
    pairs = list(itertools.product(edges, repeat=2))
    a, b = (np.array(column, dtype=kind) for column in zip(*pairs, strict=True))
    for name, f in (("and", int.__and__), ("or", int.__or__), ("xor", int.__xor__)):
        assert getattr(floats, f"int_{name}")(a, b).tolist() == [f(x, y) for x, y in pairs]
    shifts = list(itertools.product(edges, [0, 1, 5, 31, 32, 33, 63, 64, 65, 1 << 31, 2**32 - 1]))
    a, k = np.array([x for x, _ in shifts], dtype=kind), np.array([n for _, n in shifts], dtype=np.uint32)
    far = [min(n, 200) for _, n in shifts]
    assert floats.int_shl(a, k).tolist() == [(x << n) % (2 * top) for (x, _), n in zip(shifts, far, strict=True)]
    assert floats.int_lshr(a, k).tolist() == [x >> n for (x, _), n in zip(shifts, far, strict=True)]
    assert floats.int_ashr(a, k).tolist() == [(x - 2 * top * (x >= top) >> n) % (2 * top) for (x, _), n in zip(shifts, far, strict=True)]


@pytest.mark.parametrize("width", [32, 64])
def test_division_and_order_of_words_are_pythons(width: int) -> None:
    kind, top = (np.uint32, 1 << 31) if width == 32 else (np.uint64, 1 << 63)
    rng = np.random.default_rng(seed())
    edges = [0, 1, 2, 3, 7, top - 1, top, top + 1, 2 * top - 7, 2 * top - 2, 2 * top - 1, *map(int, rng.integers(0, 2 * top, 9, dtype=np.uint64))]
    pairs = list(itertools.product(edges, repeat=2))
    a, b = (np.array(column, dtype=kind) for column in zip(*pairs, strict=True))

    def signed(x: int) -> int:
        return x - 2 * top * (x >= top)

    def toward_zero(x: int, y: int) -> int:
        return math.trunc(Fraction(x, y))

    by_zero: dict[str, Callable[[int], int]] = {     # as SMT-LIB has it
        "udiv": lambda x: -1, "urem": lambda x: x, "sdiv": lambda x: 1 if x >= top else -1, "srem": lambda x: x}
    rows: dict[str, Callable[[int, int], int]] = {
        "udiv": lambda x, y: x // y, "urem": lambda x, y: x % y, "sdiv": lambda x, y: toward_zero(signed(x), signed(y)),
        "srem": lambda x, y: signed(x) - signed(y) * toward_zero(signed(x), signed(y))}
    for name, f in rows.items():
        assert getattr(floats, f"int_{name}")(a, b).tolist() == [(f(x, y) if y else by_zero[name](x)) % (2 * top) for x, y in pairs], name
    for s, key in (("s", signed), ("u", int)):
        assert getattr(floats, f"int_{s}min")(a, b).tolist() == [min(p, key=key) for p in pairs]
        assert getattr(floats, f"int_{s}max")(a, b).tolist() == [max(p, key=key) for p in pairs]
    assert floats.int_not(a).tolist() == [2 * top - 1 - x for x, _ in pairs]


def test_what_c_leaves_undefined_is_not_computed_away() -> None:
    zero, one, far = const_int(B32, 0), const_int(B32, 1), const_int(B32, 32)
    assert make("sdiv_b32", one, zero).op == "sdiv_b32" and make("urem_b32", one, zero).op == "urem_b32" and make("shl_b32", one, far).op == "shl_b32"
    assert make("sdiv_b32", const_int(B32, -7), const_int(B32, 2)) is const_int(B32, -3) and make("shl_b32", one, const_int(B32, 4)) is const_int(B32, 16)
    x = var("x", B32)
    assert make("sdiv_b32", x, one) is x and make("udiv_b32", one, x).op == "udiv_b32"


@pytest.mark.parametrize("call", [
    lambda: floats.int_shl(np.uint32(1), np.uint64(1)), lambda: floats.int_and(np.uint32(1), np.uint64(1)), lambda: floats.from_word(np.uint32(1), "s64", "rn"),
    lambda: floats.to_word(np.uint64(1), "s64", "rn"), lambda: floats.scale_by(np.uint32(1), np.uint64(1)),
])
def test_a_wrong_sort_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()


def test_angles_are_the_fractions() -> None:
    rng, double = np.random.default_rng(seed()), Format(52, 11)
    corners = [0, 1, 2, 3, (1 << 53) - 1, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 0x7FFFFFFFFFFFFE00, 0xFFFFFFFFFFFFFC01]
    rows = [*corners, *(int(rng.integers(0, 1 << 64, dtype=np.uint64)) >> int(rng.integers(0, 64)) for _ in range(500))]
    products = [formats.mul(double, "rn", formats.from_word(double, "rn", 64, True, a), 0x3BF921FB54442D19) for a in rows]
    assert floats.from_angle(np.array(rows, dtype=np.uint64)).tolist() == [formats.convert(double, BINARY32, "rn", p) for p in products]
    assert double.value(0x3BF921FB54442D19) == Fraction(math.nextafter(math.pi, 4)) / 2**65      # libdevice's constant, not the nearest
