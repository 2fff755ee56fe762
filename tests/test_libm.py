"""libm.allowed against what the documents say, and against numpy's own functions: two implementations that share nothing."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest

from devsem import libm
from devsem.ops import OPS

NAN, INF, SIGN, ONE = 0x7FFFFFFF, 0x7F800000, 0x80000000, 0x3F800000
SEED = int(os.environ.get("DEVSEM_SEED", "20240229"))
SPECIAL = [0, SIGN, 1, SIGN | 1, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000, ONE, SIGN | ONE, 0x40000000, 0xC0000000, 0x40400000, 0xC0400000,
           0x3F000000, 0xBF000000, 0x3FC00000, 0xBFC00000, 0x7F7FFFFF, 0xFF7FFFFF, INF, SIGN | INF, NAN]


def f32(x: float) -> int:
    return int(np.array([x], dtype=np.float32).view(np.uint32)[0])


def test_every_obligation_has_a_row() -> None:
    assert {libm.without_side(op.name) for op in OPS.values() if op.kind == "obligation"} == set(libm.ROWS)


@pytest.mark.parametrize(("row", "args", "result"), [
    ("D.expf", (SIGN | INF,), 0), ("D.expf", (NAN,), NAN), ("S.expf", (SIGN,), ONE), ("S.expf", (0x7FC00000,), NAN),
    ("D.logf", (0,), SIGN | INF), ("D.logf", (SIGN,), SIGN | INF), ("D.logf", (f32(-1),), NAN), ("D.logf", (ONE,), 0), ("D.logf", (SIGN | 1,), NAN),
    ("D.tanhf", (INF,), ONE), ("D.tanhf", (SIGN | INF,), SIGN | ONE), ("D.tanhf", (SIGN,), SIGN), ("D.sinf", (INF,), NAN), ("D.log1pf", (SIGN,), SIGN),
    ("D.powf", (f32(-2), f32(0.5)), NAN), ("D.powf", (ONE, NAN), ONE), ("D.powf", (NAN, 0), ONE), ("D.powf", (SIGN, f32(-3)), SIGN | INF),
    ("D.powf", (SIGN | INF, f32(2)), INF), ("D.powf", (SIGN | ONE, INF), ONE), ("D.powf", (f32(0.5), SIGN | INF), INF), ("D.powf", (f32(2), SIGN | INF), 0),
    ("D.hypotf", (INF, NAN), INF), ("D.hypotf", (NAN, f32(3)), NAN), ("D.hypotf", (f32(-3), SIGN), f32(3)), ("D.fmodf", (f32(-6), f32(3)), SIGN),
    ("D.fmodf", (f32(5.5), f32(-2)), f32(1.5)), ("D.fmodf", (ONE, 0), NAN), ("D.atan2f", (SIGN, f32(2)), SIGN), ("D.lgammaf", (f32(-2),), INF),
    ("D.ex2_approx", (SIGN,), ONE), ("D.ex2_approx_ftz", (SIGN | 5,), ONE), ("D.lg2_approx_ftz", (SIGN | 5,), SIGN | INF),
    ("D.rcp_approx", (SIGN | INF,), SIGN),
    ("D.rcp_approx_ftz", (SIGN | 1,), SIGN | INF), ("D.cos_approx", (0,), ONE), ("D.tanh_approx", (5,), 5),
    ("D.expf_add", (SIGN | INF, ONE), ONE), ("D.expf_add", (0, ONE), f32(2)), ("D.expf_rsub", (NAN, ONE), NAN),
    ("D.div_approx", (f32(-3), f32(1.5e38)), SIGN), ("D.div_approx", (INF, f32(1.5e38)), NAN), ("D.expf", (f32(100),), INF), ("D.expf_ftz", (NAN,), NAN),
])
def test_documented_values_are_single(row: str, args: tuple[int, ...], result: int) -> None:
    assert libm.allowed(row, args) == (result,)


@pytest.mark.parametrize(("row", "args"), [
    ("D.lg2_approx", (SIGN | 5,)), ("D.div_full", (ONE, 0)), ("D.div_approx", (ONE, 5)), ("D.sin_approx", (f32(1000),)), ("D.lgammaf", (f32(-5.5),)),
    ("D.tanhf_ftz", (ONE,)), ("D.expm1f_ftz", (f32(-3),)), ("D.tanh_approx", (ONE,)), ("D.lg2_approx", (f32(1.0001),)),
])
def test_silence_of_the_documents_is_none(row: str, args: tuple[int, ...]) -> None:
    assert libm.allowed(row, args) is None


@pytest.mark.parametrize(("row", "args", "patterns"), [
    ("D.expf", (f32(-100),), range(0x19, 0x1E)),                       # e^-100 is 26.55 of the smallest subnormal
    ("D.rcp_approx", (f32(3),), range(0x3EAAAAAA, 0x3EAAAAAD)),        # 1/3 lies between ..AA and ..AB
    ("D.expm1f", (1,), [0, 1, 2, SIGN]),                               # one step below the smallest subnormal are both zeros
    ("D.expf_ftz", (f32(-100),), [0, *range(0x19, 0x1E)]),
    ("D.ex2_approx_ftz", (f32(-126),), [0, 0x800000, 0x800001, 0x800002]),
    ("D.rcp_approx", (f32(2),), range(0x3EFFFFFE, 0x3F000002)),        # below a power of two an ulp of the result is two steps
    ("D.sinf", (f32(3.0),), range(f32(math.sin(3.0)) - 2, f32(math.sin(3.0)) + 3)),
])
def test_bounded_values_are_the_steps_around_the_rounded_result(row: str, args: tuple[int, ...], patterns: list[int]) -> None:
    assert libm.allowed(row, args) == tuple(sorted(patterns))


def test_overflow_threshold() -> None:
    """exp(88.72284) rounds to infinity by a little, exp(88.72283) is far inside: only a bound that reaches across allows both."""
    assert libm.allowed("D.exp2f", (f32(128.0),)) == (0x7F7FFFFC, 0x7F7FFFFD, 0x7F7FFFFE, 0x7F7FFFFF, INF)     # exactly 2^128; its ulp is two steps below it
    below = libm.allowed("D.expf", (0x42B17217,))
    assert below is not None and INF not in below and len(below) == 5


UNARY = sorted(n for n, r in libm.ROWS.items() if len(OPS.get(f"D.{n}", OPS["neg"]).args) == 1)
BINARY = sorted(n for n in libm.ROWS if len(OPS[f"D.{n}"].args) == 2)


def _agree(row: str, args: tuple[int, ...]) -> bool:
    found = libm.allowed(row, args)
    return found is None or int(libm.nominal(row)(*(np.array([a], dtype=np.uint32) for a in args))[0]) in found


@pytest.mark.parametrize("name", UNARY)
def test_numpy_lies_within_the_documents_unary(name: str) -> None:
    rng = np.random.default_rng(SEED)
    args = [*SPECIAL, *rng.integers(0, 1 << 32, 60).tolist(), *(f32(x) for x in rng.uniform(-10, 10, 60))]
    assert [hex(a) for a in args if not _agree(name, (a,))] == [], f"seed {SEED}"


@pytest.mark.parametrize("name", BINARY)
def test_numpy_lies_within_the_documents_binary(name: str) -> None:
    rng = np.random.default_rng(SEED)
    pairs = [(a, b) for a in SPECIAL for b in SPECIAL] + [(f32(x), f32(y)) for x, y in rng.uniform(-10, 10, (100, 2))]
    assert [(hex(a), hex(b)) for a, b in pairs if not _agree(name, (a, b))] == [], f"seed {SEED}"


@pytest.mark.parametrize("name", ["expf", "sinf", "log1pf", "tanhf", "ex2_approx", "rsqrt_approx", "erff"])
def test_the_set_holds_every_float_within_the_bound_and_little_else(name: str) -> None:
    """Distances in binary64, whose own error is 2^-29 of a binary32 ulp."""
    from devsem.libm_values import NOMINAL, SAME
    rng = np.random.default_rng(SEED)
    f = NOMINAL.get(name) or NOMINAL[SAME[name]]
    ulps = {"expf": 2, "sinf": 2, "log1pf": 1, "tanhf": 2, "ex2_approx": 2, "rsqrt_approx": 0, "erff": 2}[name]
    for x in rng.uniform(0.01, 5, 40).astype(np.float32):
        exact = float(f(np.array([x], dtype=np.float64))[0])
        rounded = np.float32(exact)
        around = [int(p) for p in (np.array([rounded]).view(np.uint32)[0].astype(np.int64) + np.arange(-12, 13))]
        values = np.array(around, dtype=np.uint32).view(np.float32).astype(np.float64)
        reach = ulps * float(np.spacing(abs(rounded))) if name != "rsqrt_approx" else exact * 2 ** -22.9
        center = float(rounded) if name != "rsqrt_approx" else exact
        inside = {p for p, v in zip(around, values, strict=True) if abs(v - center) <= reach * (1 - 1e-6)}
        found = set(libm.allowed(name, (f32(float(x)),)) or ())
        assert inside <= found and len(found) <= len(inside) + 4, f"seed {SEED}: {x}"


@pytest.mark.parametrize(("name", "sign"), [("expf_add", 1), ("expf_rsub", -1), ("expf_ftz_add", 1), ("rcp_approx_add", 1), ("exp10f_rsub", -1)])
def test_a_contracted_sum_holds_every_rounding_of_every_product(name: str, sign: int) -> None:
    """Any real number that rounds to an allowed value of the function may be the product; binary64 sums of such samples, rounded once."""
    rng = np.random.default_rng(SEED)
    inner = name.rsplit("_", 1)[0]
    for x, b in rng.uniform(-30, 30, (60, 2)).astype(np.float32):
        values = np.array(libm.allowed(inner, (f32(float(x)),)), dtype=np.uint32).view(np.float32)
        halves = np.concatenate([values + t * np.spacing(np.abs(values)).astype(np.float64) for t in (-0.25, 0, 0.25, 0.49)])
        for addend in (b, np.float32(0), sign * values[0]):
            found = libm.allowed(name, (f32(float(x)), f32(float(addend))), 1 << 24)
            assert found is not None
            sums = (float(addend) + sign * halves).astype(np.float32).view(np.uint32).tolist()
            assert set(sums) <= set(found), f"seed {SEED}: {name}({x}, {addend})"


def test_a_contracted_sum_at_overflow() -> None:
    """exp(100) - 1 need not be infinite: the product may be a hair above the largest float's upper midpoint."""
    assert libm.allowed("D.expf_add", (f32(100), f32(-1))) == (0x7F7FFFFF, INF)
    assert set(libm.allowed("D.expf_add", (INF, SIGN | INF)) or ()) == {NAN, SIGN | INF}
