"""Sweeps: what results are compared with, by definitions of this test's own; what the host runs; the sample of pairs."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

from devsem import sweep as sweeping, sweep_measure as measure, sweep_pairs, sweep_record
from devsem.errors import Bug
from devsem.records import FUNCTIONS
from devsem.sweep import Plan
from devsem.sweep_host import LIBRARY, NAMES, host_function
from devsem.sweep_measure import correct
from devsem.sweep_runners import Runner

HOST = Runner("host")
mp = mpmath.MPContext()
mp.prec = 200


def patterns(*values: float) -> Any:
    return np.array(values, np.float32).view(np.uint32)


def nearest(exact: Any) -> int:
    """A real number's binary32, by its definition: whole multiples of the unit of its interval, ties to even. For normal results alone."""
    e = int(mp.floor(mp.log(abs(exact), 2)))
    whole = int(mp.nint(abs(exact) * mp.mpf(2) ** (23 - e)))
    return int(patterns((-1 if exact < 0 else 1) * float(whole) * 2.0 ** (e - 23))[0])


def power_of_two(x: Any) -> Any:
    return mp.mpf(2) ** x


def log2(x: Any) -> Any:
    return mp.log(x) / mp.log(2)


# each function that is to be swept, by definitions of this test's own: names, mpmath's function, a range
SWEPT: list[tuple[str, Any, float, float]] = [
    ("expf __expf", mp.exp, -80, 80), ("exp2f ex2.approx.f32 ex2.approx.ftz.f32", power_of_two, -120, 120), ("expm1f", mp.expm1, -5, 80),
    ("logf __logf", mp.log, 1e-30, 1e30), ("log2f lg2.approx.f32 lg2.approx.ftz.f32", log2, 1e-30, 1e30), ("log1pf", mp.log1p, -0.9, 1e6),
    ("tanhf __tanhf tanh.approx.f32", mp.tanh, -9, 9), ("erff", mp.erf, -3, 3), ("sinf __sinf sin.approx.f32 sin.approx.ftz.f32", mp.sin, -1e30, 1e30),
    ("cosf __cosf cos.approx.f32 cos.approx.ftz.f32", mp.cos, -1e30, 1e30), ("cbrtf", mp.cbrt, 0, 1e30),
    ("sqrt.approx.f32 sqrt.approx.ftz.f32", mp.sqrt, 0, 1e30),
    ("rsqrtf rsqrt.approx.f32 rsqrt.approx.ftz.f32", lambda x: 1 / mp.sqrt(x), 1e-30, 1e30),
    ("rcp.approx.f32 rcp.approx.ftz.f32", lambda x: 1 / x, 1e-30, 1e30),
]


@pytest.mark.parametrize("names, real, low, high", SWEPT, ids=lambda row: row if isinstance(row, str) else "")
def test_the_reference_is_correctly_rounded(names: str, real: Any, low: float, high: float) -> None:
    x = np.random.default_rng(1).uniform(low, high, 100).astype(np.float32)
    x[50:] = (x[50:].view(np.uint32) & np.uint32(0x87FFFFFF) | np.uint32(0x38000000)).view(np.float32)      # and magnitudes from 2^-15 to 2
    x = x[(x > low) & (x < high)]
    expected = [nearest(real(mp.mpf(float(v)))) for v in x]
    for name in names.split():
        assert correct(name, x.view(np.uint32)).patterns.tolist() == expected, name


@pytest.mark.parametrize("names, real", [
    ("powf __powf", lambda a, b: mp.power(a, b)), ("atan2f", mp.atan2), ("hypotf", lambda a, b: mp.sqrt(a * a + b * b)),
    ("fmodf", lambda a, b: a - b * mp.floor(a / b)),
    ("__fdividef div.approx.f32 div.full.f32", lambda a, b: a / b),
])
def test_the_reference_of_pairs_is_correctly_rounded(names: str, real: Any) -> None:
    a, b = (np.random.default_rng(s).uniform(0.1, 20, 100).astype(np.float32) for s in (1, 2))
    expected = [nearest(real(mp.mpf(float(x)), mp.mpf(float(y)))) for x, y in zip(a, b, strict=True)]
    for name in names.split():
        assert correct(name, a.view(np.uint32), b.view(np.uint32)).patterns.tolist() == expected, name


def test_what_is_next_to_a_tie_is_not_one() -> None:
    """By hand: atan t = t - t^3/3 ..., so at t = 2^-150, half the least subnormal, it is below the tie, and so at 3 * 2^-150; 2^-150 itself is one."""
    assert correct("atan2f", patterns(2.0 ** -149, 3 * 2.0 ** -149, -3 * 2.0 ** -149), patterns(2, 2, 2)).patterns.tolist() == [0, 1, 0x80000001]
    assert correct("powf", patterns(2, 16, 2), patterns(-150, -37.5, -149)).patterns.tolist() == [0, 0, 1]
    assert correct("__fdividef", patterns(3 * 2.0 ** -149), patterns(2)).patterns.tolist() == [2]


def test_exact_powers_go_to_even() -> None:
    """By hand: 4097^2 = 2^24 + 2^13 + 1 is halfway between two binary32 numbers, and so is 84681^1.5 = 291^3, an odd number above 2^24."""
    given = patterns(4097, 84681, 4097), patterns(2, 1.5, -2)
    two = float(np.float32(2 ** 24 + 2 ** 13))      # the even one of the two
    assert measure.correct("powf", *given).patterns.tolist()[:2] == [int(patterns(two)[0]), nearest(mp.mpf(291) ** 3)]
    assert 291 ** 3 % 2 == 1 and 2 ** 24 < 291 ** 3 < 2 ** 25 and 84681 == 291 ** 2


def test_hard_cases_are_decided() -> None:
    """By hand: e^x is 1 + x + x^2/2 …, above the tie 1 + 2^-24 at x = 2^-24, below 1 - 2^-25 … at -2^-25; 2^-150 is itself a tie."""
    given = patterns(2.0 ** -24, -2.0 ** -25, 2.0 ** -25)
    assert correct("expf", given).patterns.tolist() == [0x3F800001, 0x3F800000, 0x3F800000]
    assert correct("exp2f", patterns(-149, -150, -149.5, 128)).patterns.tolist() == [1, 0, 1, 0x7F800000]
    assert correct("cosf", patterns(2.0 ** -12)).patterns.tolist() == [0x3F800000]
    specials = np.array([0x7FC00001, 0x7F800000, 0xFF800000, 0x80000000, 0xBF800000], np.uint32)
    assert correct("logf", specials).patterns.tolist() == [0x7FFFFFFF, 0x7F800000, 0x7FFFFFFF, 0xFF800000, 0x7FFFFFFF]


def test_a_poor_reference_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(measure.NOMINAL, "expf", lambda x: np.exp(x) * (1 + 2.0 ** -40))
    with pytest.raises(Bug, match="too far"):
        correct("expf", patterns(*np.linspace(1, 2, 64)))


@pytest.mark.parametrize("name", NAMES)
def test_the_hosts_functions_are_those_of_their_names(name: str) -> None:
    """A millionth, near 0.3 (and 1.3 for acosh): the host computes the function that the reference means."""
    one = patterns(*np.linspace(1.2, 1.4, 64)) if name == "acoshf" else patterns(*np.linspace(0.2, 0.4, 64))
    given = (one, one[::-1].copy())[:FUNCTIONS[name]]
    assert measure.measure(0, name, given, host_function(name)(*given), (0, 0)).worst < 8


@pytest.mark.parametrize("name, f", [("erff", math.erf), ("erfcf", math.erfc)])
def test_the_c_librarys_functions_take_whole_arrays(name: str, f: Any) -> None:
    """Against the math module's, in binary64; arrays that are not contiguous too; and the record names the library."""
    x = np.linspace(-3, 3, 1001).astype(np.float32)
    found = host_function(name)(x.view(np.uint32)[::2]).view(np.float32)
    assert np.abs(found - np.array([f(float(v)) for v in x[::2]])).max() < 1e-6
    assert name in LIBRARY and f"{name} of the C library" in sweep_record.source(Plan(name, HOST))


def test_the_record_says_which_code_ran() -> None:
    for name in ("expf", "rsqrtf", "cbrtf", "powf"):
        said = sweep_record.source(sweeping.whole(name, HOST))
        assert f"numpy {np.__version__}" in said and "vector instructions" in said and ("rounded twice" in said) == (name == "rsqrtf"), said


def test_the_pairs_are_as_the_record_says() -> None:
    """The generator's first outputs with the seed 0 are known: e220a8397b1dcdaf, 6e789e6aa1b965f4, 06c45d188009454f."""
    assert [hex(int(v)) for v in sweep_pairs.splitmix64(np.arange(3, dtype=np.uint64))] == ["0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f"]
    many = len(sweep_pairs.SPECIAL)
    a, b = sweep_pairs.first(many * many + 4)
    assert {(int(x), int(y)) for x, y in zip(a[:-4], b[:-4], strict=True)} == {(x, y) for x in sweep_pairs.SPECIAL for y in sweep_pairs.SPECIAL}
    word = int(sweep_pairs.splitmix64(np.array([many * many], np.uint64))[0])
    assert (int(a[-4]), int(b[-4])) == (word >> 32, word & 0xFFFFFFFF) and many % 2 == 0
    odd = np.abs(np.concatenate([a[-3::2], b[-3::2]]).view(np.float32))
    assert ((odd >= 2.0 ** -3) & (odd < 2.0 ** 5)).all() and sweep_pairs.first(2, 7)[0].tolist() == sweep_pairs.first(9)[0][7:].tolist()
