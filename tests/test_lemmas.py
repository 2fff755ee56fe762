"""Every lemma of the pool three times without its proof: on samples, by bitwuzla, and next to the false ideas that resemble it.

Lean has proved each; `test_tables.py` shows that the rows are the theorems. Here the rows are tried as the prover uses them, in Python.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import closed
import numpy as np
import numpy.typing as npt
import pytest
from asklean import refusals
from draw import SPECIALS, Bits, seed, tuples

from devsem import leanprint
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const, mk, substitute, var
from devsem.lemma import D, E, X
from devsem.lemmas import COMMUTE, LEMMAS, MIN_NORMAL, NAN, ONE, TRUE, TWO, ZERO, A, B, C, Lemma, P
from devsem.ops import BOOL, F32
from devsem.smt import Sat, Unknown, check_sat

Lanes = npt.NDArray[np.bool_]
SAMPLES = 20000

# Powers of two whose products are 1, for the one lemma that random numbers do not meet.
POWERS = np.arange(1, 254, dtype=np.uint32) << np.uint32(23)

# Which lemmas bitwuzla does not decide within seconds, and why; Lean has proved them like the others.
UNDECIDED_BECAUSE = {
    "fused products of unknowns, two or one beside a product and a sum": {
        "Fp.fma_neg_neg", "Fp.fma_neg_swap", "F32.fma_one", "F32.fma_negOne", "F32.fma_two", "Fp.fma_scale", "Fp.fma_shrink", "Fp.posZero_neg_fma",
        "Fp.fma_mul_self", "Fp.fma_neg_mul_self"},
    "two rounded results in order": {
        "F32.fma_le_of_le", "F32.fma_le_of_ge", "F32.add_le_of_le", "F32.sub_le_of_le", "F32.mul_le_of_le_nonneg", "F32.mul_le_of_le_left",
        "F32.mul_le_of_ge_left", "F32.div_le_of_le_nonneg", "F32.div_le_of_le_left", "Fp.add_le_add_left", "Fp.add_le_add_right",
        "F32.mul_le_mul_of_nonneg", "F32.mul_le_mul_of_nonpos", "F32.div_le_div_of_pos", "F32.sqrt_le_sqrt", "F32.mul_le_self",
        "F32.le_mul_self_of_nonpos", "F32.within_add", "F32.within_sub", "F32.within_mul", "F32.within_fma", "F32.within_div", "F32.within_div_neg",
        "F32.within_sqrt"},
    "two sums or products of unknowns that are rounded apart": {
        "F32.neg_add_of_ne", "Fp.mul_scale_swap", "Fp.abs_add_neg_left", "Fp.mul_self_add_neg_left"},
}
UNDECIDED = frozenset[str]().union(*UNDECIDED_BECAUSE.values())
DECIDED_SECONDS, UNDECIDED_SECONDS = 8, 2   # of CPU time for each row: most take milliseconds, the slowest of the decided ones 3 s


def numbers(x: Bits) -> npt.NDArray[np.float64]:
    """The values, exactly."""
    return x.view(np.float32).astype(np.float64)


def is_recip(b: Bits, c: Bits) -> Lanes:
    """Both finite, and their product, exact in binary64, is 1."""
    with np.errstate(all="ignore"):
        out: Lanes = (numbers(b) * numbers(c) == 1) & np.isfinite(numbers(b)) & np.isfinite(numbers(c))
    return out


def is_nonzero(b: Bits) -> Lanes:
    """A number or an infinity, no zero."""
    out: Lanes = ~np.isnan(numbers(b)) & (numbers(b) != 0)
    return out


def is_big(b: Bits) -> Lanes:
    """Normal or infinite."""
    out: Lanes = np.abs(numbers(b)) >= 2.0**-126
    return out


def is_scalings(c: Bits, d: Bits, e: Bits) -> Lanes:
    """All finite; the third is the product, exact in binary64; a power of two and a value, both at least 1, or two halves, signs aside."""
    x, y, z = numbers(c), numbers(d), numbers(e)
    ways = ((c & np.uint32(0x7FFFFF) == 0) & (np.abs(x) >= 1) & (np.abs(y) >= 1)) | ((np.abs(x) == 0.5) & (np.abs(y) == 0.5))
    with np.errstate(all="ignore"):
        out: Lanes = np.isfinite(x) & np.isfinite(y) & np.isfinite(z) & ((c ^ d ^ e) >> np.uint32(31) == 0) & (x * y == z) & ways
    return out


def is_succ(c: Bits, d: Bits) -> Lanes:
    """Both finite and positive, one more; where one of the differences is rounded, the other is not what it should be."""
    x, y = numbers(c), numbers(d)
    with np.errstate(all="ignore"):
        out: Lanes = (x > 0) & np.isfinite(y) & (y - x == 1) & (y - 1 == x)
    return out


def is_bare(p: Bits) -> Lanes:
    """Zero, infinity or NaN, or no significand bits."""
    out: Lanes = np.isnan(numbers(p)) | (p & np.uint32(0x7FFFFF) == 0)
    return out


def is_tame(c: Bits) -> Lanes:
    """Finite, and the smallest normal number does not change it, nor does it change an overflow; ample."""
    out: Lanes = (np.abs(numbers(c)) >= 2.0**-100) & (np.abs(numbers(c)) <= 2.0**100)
    return out


def is_part(b: Bits) -> Lanes:
    """At most 1, signs aside."""
    out: Lanes = np.abs(numbers(b)) <= 1
    return out


def is_scale(c: Bits) -> Lanes:
    """A finite power of two, 1 or more, signs aside."""
    x = np.abs(numbers(c))
    with np.errstate(all="ignore"):
        out: Lanes = (x >= 1) & np.isfinite(x) & (np.frexp(x)[0] == 0.5)
    return out


def is_product(c: Bits, d: Bits, e: Bits) -> Lanes:
    """All finite, and the third is the product, exact in binary64, with its sign."""
    x, y, z = numbers(c), numbers(d), numbers(e)
    with np.errstate(all="ignore"):
        out: Lanes = np.isfinite(x) & np.isfinite(y) & np.isfinite(z) & (x * y == z) & (np.signbit(x) ^ np.signbit(y) == np.signbit(z))
    return out


def is_shrink(c: Bits, b: Bits) -> Lanes:
    """The second is a positive power of two, and its product with the first, signs aside, is the smallest normal number."""
    x, y = np.abs(numbers(c)), numbers(b)
    with np.errstate(all="ignore"):
        out: Lanes = (y >= 2.0**-126) & np.isfinite(y) & (np.frexp(y)[0] == 0.5) & (x * y == 2.0**-126)
    return out


def decided_by(test: Callable[..., Expr], *args: Bits) -> Lanes:
    """A test given as an expression."""
    names = [var(f"t{i}", F32) for i in range(len(args))]
    out: Lanes = evaluate([test(*names)], dict(zip(names, args, strict=True)))[0]
    return out


TESTS: dict[str, Callable[..., Lanes]] = {
    "Fp.isBare": is_bare, "Fp.isTame": is_tame, "Fp.isPart": is_part,
    "Fp.isRecip": is_recip, "Fp.isNonzero": is_nonzero, "Fp.isBig": is_big, "Fp.isScalings": is_scalings, "Fp.isSucc": is_succ,
    "Fp.isScale": is_scale, "Fp.isProduct": is_product, "Fp.isShrink": is_shrink,
    **{name: partial(decided_by, test) for name, test in closed.TESTS.items()}}


def scalings(rng: np.random.Generator) -> dict[Expr, Bits]:
    """A power of two and a value, both from 1 up, or two halves, of either sign; and their product, unless it overflows."""
    power, value = rng.integers(127, 255, SAMPLES, dtype=np.uint32) << np.uint32(23), rng.integers(0x3F800000, 0x7F800000, SAMPLES, dtype=np.uint32)
    halves = rng.random(SAMPLES) < 0.1
    c, d = (np.where(halves, np.uint32(0x3F000000), x) | rng.integers(0, 2, SAMPLES, dtype=np.uint32) << np.uint32(31) for x in (power, value))
    with np.errstate(over="ignore"):
        return {C: c, D: d, E: (c.view(np.float32) * d.view(np.float32)).view(np.uint32)}


def successors(rng: np.random.Generator) -> dict[Expr, Bits]:
    """A value between 1 and 2^24, and the value less 1, which is exact."""
    d = rng.integers(0x3F800001, 0x4B800001, SAMPLES, dtype=np.uint32)
    return {C: (d.view(np.float32) - np.float32(1)).view(np.uint32), D: d}


def powers(rng: np.random.Generator) -> dict[Expr, Bits]:
    """Any exponent and sign without significand, and an ordinary value."""
    signs = rng.integers(0, 2, (2, SAMPLES), dtype=np.uint32) << np.uint32(31)
    return {B: rng.integers(0, 256, SAMPLES, dtype=np.uint32) << np.uint32(23) | signs[0],
            C: rng.integers(27 << 23, 227 << 23, SAMPLES, dtype=np.uint32) | signs[1]}


def _powers(rng: np.random.Generator, low: int, high: int) -> Bits:
    """Powers of two from 2^low to 2^(high - 1), of either sign."""
    return rng.integers(127 + low, 127 + high, SAMPLES).astype(np.uint32) << np.uint32(23) | rng.integers(0, 2, SAMPLES).astype(np.uint32) << np.uint32(31)


def _times(x: Bits, y: Bits) -> Bits:
    with np.errstate(over="ignore", under="ignore"):
        return (x.view(np.float32) * y.view(np.float32)).view(np.uint32)


def scaled(rng: np.random.Generator) -> dict[Expr, Bits]:
    """A power of two that is at least 1, another of any size, and their product."""
    c, d = _powers(rng, 0, 60), _powers(rng, -60, 60) | rng.integers(0, 1 << 23, SAMPLES).astype(np.uint32)
    return {C: c, D: d, E: _times(c, d)}


def shrunk(rng: np.random.Generator) -> dict[Expr, Bits]:
    """A power of two below 1, the least value that it may shrink, another value of any size, and its product with the power."""
    c, d = _powers(rng, -60, 0), _powers(rng, -60, 60) | rng.integers(0, 1 << 23, SAMPLES).astype(np.uint32)
    return {B: (np.uint32(128 << 23) - (c & np.uint32(0x7FFFFFFF))).astype(np.uint32), C: c, D: d, E: _times(c, d)}


FACTORS: dict[str, Callable[[np.random.Generator], dict[Expr, Bits]]] = {
    "Fp.isTame": powers, "Fp.isScalings": scalings, "Fp.isSucc": successors, "Fp.isScale": scaled, "Fp.isShrink": shrunk}


def columns(lemma: Lemma) -> dict[Expr, npt.NDArray[np.generic]]:
    """A value of each variable in each lane: special values crossed, hard tuples, and those that a rare condition needs."""
    s = seed()
    floats = [v for v in lemma.variables if v is not P]
    if X in floats:
        env = closed.ends(lemma, s, 10 * SAMPLES)
        return env | ({P: np.arange(10 * SAMPLES) % 2 == 0} if P in lemma.variables else {})
    few = SPECIALS[:: {1: 1, 2: 1, 3: 3, 4: 7, 5: 11}[len(floats)]]  # an odd step meets both signs
    crossed = [np.array(c, dtype=np.uint32) for c in zip(*itertools.product(few, repeat=len(floats)), strict=True)]
    drawn = tuples(s, SAMPLES, 3) + tuples(s + 1, SAMPLES, 3)
    env = {v: np.concatenate([crossed[i], drawn[i], drawn[(i + 1) % 3 + i // 3 * 3]]) for i, v in enumerate(floats)}
    if any(test == "Fp.isRecip" for test, _ in lemma.closed):
        rng = np.random.default_rng(s)
        power, sign = rng.choice(POWERS, SAMPLES), rng.integers(0, 2, SAMPLES, dtype=np.uint32) << np.uint32(31)
        env = {A: np.resize(env[A], SAMPLES), B: power | sign, C: (np.uint32(254 << 23) - power) | sign}
    if any(test in FACTORS for test, _ in lemma.closed):
        rng = np.random.default_rng(s)
        own = next(FACTORS[test](rng) for test, _ in lemma.closed if test in FACTORS)
        env = {v: own[v] if v in own else rng.choice(env[v], SAMPLES) for v in floats}
    if P in lemma.variables:
        half = len(env[A])
        return {v: np.concatenate([x, x]) for v, x in env.items()} | {P: np.arange(2 * half) < half}
    return dict(env)


def admitted(lemma: Lemma, env: dict[Expr, npt.NDArray[np.generic]]) -> Lanes:
    """The lanes where the lemma's conditions hold."""
    keep = np.ones(len(next(iter(env.values()))), dtype=np.bool_)
    for left, right in lemma.given:
        x, y = evaluate([left, right], env)
        keep &= x == y
    for test, args in lemma.closed:
        keep &= TESTS[test](*evaluate(args, env))
    return keep


@pytest.mark.parametrize("lemma", LEMMAS.values(), ids=lambda lemma: lemma.lean)
def test_lemma_holds_on_samples(lemma: Lemma) -> None:
    env = columns(lemma)
    keep = admitted(lemma, env)
    assert keep.sum() > 50, "too few samples meet the conditions"
    left, right = (np.broadcast_to(x, keep.shape)[keep] for x in evaluate([lemma.lhs, lemma.rhs], env))
    wrong = np.flatnonzero(left != right)
    shown = {v.name: hex(x[keep][wrong[0]]) for v, x in env.items()} if len(wrong) else {}
    assert shown == {}


def condition(test: str, args: tuple[Expr, ...]) -> Expr:
    """A closed test as an expression for the solver."""
    if test in closed.TESTS:
        return closed.TESTS[test](*args)
    number = mk("not", mk("is_nan", args[0]))
    if test == "Fp.isNonzero":
        return mk("and", number, mk("not", mk("eq", args[0], ZERO)))
    assert test == "Fp.isBig"
    return mk("and", number, mk("le", MIN_NORMAL, mk("abs", args[0])))


CONSTANTS: dict[str, tuple[tuple[float, ...], ...]] = {
    "Fp.isTame": ((2.0**-60, 1.0), (-(2.0**127), 0.5), (0.0, 3.0), (2.0**-126, -1.0)),
    "Fp.isScalings": ((2.0, 3.0, 6.0), (1.0, 1.5, 1.5), (-4.0, 1.25, -5.0), (2.0**100, -(2.0**27), -(2.0**127)), (0.5, 0.5, 0.25), (-0.5, 0.5, -0.25)),
    "Fp.isSucc": ((1.0, 2.0), (0.5, 1.5), (2.0**-23, 1 + 2.0**-23), (2.0**24 - 1, 2.0**24)),
    "Fp.isScale": ((2.0, 0.5, 1.0), (4.0, 0.75, 3.0), (-1.0, 3.0, -3.0), (2.0**64, 2.0**-100, 2.0**-36)),
    "Fp.isShrink": ((0.5, 2.0, 1.0), (0.25, 3.0, 0.75), (-0.125, 0.5, -0.0625)),
}


def instances(lemma: Lemma) -> list[Lemma]:
    """The lemma, or, where the solver has no word for a closed test, the lemma at some constants that meet it."""
    tests = {test for test, _ in lemma.closed}
    if tests & FACTORS.keys():
        test = next(iter(tests & FACTORS.keys()))
        names = (B, C) if test == "Fp.isTame" else (C, D, E)
        envs = [{v: const(x) for v, x in zip(names, row, strict=False)} for row in CONSTANTS[test]]
        if test == "Fp.isShrink":
            envs = [env | {B: const(2.0**-126 / abs(row[0]))} for env, row in zip(envs, CONSTANTS[test], strict=True)]
        if not any(name == "Fp.isProduct" for name, _ in lemma.closed):
            envs = [{v: x for v, x in env.items() if v is C or v is B or test in ("Fp.isScalings", "Fp.isSucc", "Fp.isTame")} for env in envs]
        return [Lemma(lean=lemma.lean, lhs=substitute(lemma.lhs, env), rhs=substitute(lemma.rhs, env),
                      given=tuple((substitute(x, env), substitute(y, env)) for x, y in lemma.given)) for env in envs]
    if "Fp.isRecip" not in tests:
        return [lemma]
    pairs = [(const(2.0**k), const(2.0**-k)) for k in (-126, -1, 0, 1, 4, 126, 127)] + [(const(-0.5), const(-2.0))]
    return [Lemma(lean=lemma.lean, lhs=substitute(lemma.lhs, {B: b, C: c}), rhs=substitute(lemma.rhs, {B: b, C: c})) for b, c in pairs]


def answer(lemma: Lemma, seconds: float) -> Sat | Unknown | None:
    """A counterexample that bitwuzla finds, or that it gave up; none if it shows the lemma."""
    conditions = [mk("same", x, y) if x.sort != BOOL else x if y is TRUE else mk("not", x) for x, y in lemma.given]
    conditions += [condition(test, args) for test, args in lemma.closed]
    found = check_sat(conditions, seconds, [(lemma.lhs, lemma.rhs)], own_time=True)
    return found if isinstance(found, Sat | Unknown) else None


@pytest.mark.slow
def test_bitwuzla_shows_the_lemmas() -> None:
    assert LEMMAS.keys() >= UNDECIDED
    decided = [lemma for lemma in LEMMAS.values() if lemma.lean not in UNDECIDED]
    assert {lemma.lean: a for lemma in decided for one in instances(lemma) if (a := answer(one, DECIDED_SECONDS)) is not None} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(UNDECIDED))
def test_bitwuzla_finds_no_counterexample_to_the_others(name: str) -> None:
    assert not any(isinstance(answer(one, UNDECIDED_SECONDS), Sat) for one in instances(LEMMAS[name]))


def test_bitwuzla_finds_the_counterexample_to_a_false_lemma() -> None:
    assert isinstance(answer(Lemma(lean="", lhs=mk("mul_rn", A, ZERO), rhs=ZERO), 60), Sat)
    assert isinstance(answer(Lemma(lean="", lhs=mk("le", A, A), rhs=TRUE), 60), Sat)
    assert answer(Lemma(lean="", lhs=mk("le", A, A), rhs=TRUE, given=((mk("eq", A, A), TRUE),)), 60) is None


# --- false ideas


@dataclass(frozen=True)
class Tempting:
    """An equation that does not hold: at these patterns its sides have these two different values."""

    lhs: Expr
    rhs: Expr
    at: dict[Expr, int]
    left: int
    right: int


def _add(a: Expr, b: Expr) -> Expr:
    return mk("add_rn", a, b)


_INF, _MINUS_ZERO, _HALF = 0x7F800000, 0x80000000, const(0.5)
_X_TIMES_ZERO, _X_MINUS_X = mk("mul_rn", A, ZERO), mk("sub_rn", A, A)
_MIN = mk("select", mk("lt", A, B), A, B)
FALSE_IDEAS = {
    "x * 0 = 0, NaN": Tempting(_X_TIMES_ZERO, ZERO, {A: NAN.value}, NAN.value, 0),
    "x * 0 = 0, infinity": Tempting(_X_TIMES_ZERO, ZERO, {A: _INF}, NAN.value, 0),
    "x * 0 = 0, negative": Tempting(_X_TIMES_ZERO, ZERO, {A: 0xBF800000}, _MINUS_ZERO, 0),
    "x - x = 0": Tempting(_X_MINUS_X, ZERO, {A: _INF}, NAN.value, 0),
    "x + 0 = x": Tempting(_add(A, ZERO), A, {A: _MINUS_ZERO}, 0, _MINUS_ZERO),
    "(x * 0.5) * 2 = x": Tempting(mk("mul_rn", mk("mul_rn", A, _HALF), TWO), A, {A: 1}, 0, 1),
    "(x + y) + z = x + (y + z)": Tempting(_add(_add(A, B), C), _add(A, _add(B, C)), {A: ONE.value, B: 0x33800000, C: 0x33800000}, 0x3F800000, 0x3F800001),
    "neg (x - y) = y - x": Tempting(mk("neg", mk("sub_rn", A, B)), mk("sub_rn", B, A), {A: ONE.value, B: ONE.value}, _MINUS_ZERO, 0),
    "x < y ? x : y = min x y, NaN": Tempting(_MIN, mk("min_num", A, B), {A: ONE.value, B: NAN.value}, NAN.value, 0x3F800000),
    "x < y ? x : y = min x y, zeros": Tempting(_MIN, mk("min_num", A, B), {A: _MINUS_ZERO, B: 0}, 0, _MINUS_ZERO),
    "0 - x = neg x": Tempting(mk("sub_rn", ZERO, A), mk("neg", A), {A: 0}, 0, _MINUS_ZERO),
}


@pytest.mark.parametrize("idea", FALSE_IDEAS.values(), ids=FALSE_IDEAS)
def test_false_idea_has_its_counterexample(idea: Tempting) -> None:
    left, right = evaluate([idea.lhs, idea.rhs], {v: np.array([x], dtype=np.uint32) for v, x in idea.at.items()})
    assert (int(left[0]), int(right[0])) == (idea.left, idea.right) and idea.left != idea.right


@pytest.mark.lean
def test_lean_has_the_same_counterexamples() -> None:
    lines = [f"example : Eq (Fp.toBits {leanprint.text(substitute(side, {v: bits(x) for v, x in idea.at.items()}), {})}) {value:#x} := rfl"
             for idea in FALSE_IDEAS.values() for side, value in ((idea.lhs, idea.left), (idea.rhs, idea.right))]
    assert refusals(lines) == {}


def test_max_of_two_zeros_commutes_as_ptx_orders_them() -> None:
    zeros = np.array([0, _MINUS_ZERO], dtype=np.uint32)
    left, right = evaluate([mk("max_num", A, B), mk("max_num", B, A)], {A: zeros, B: zeros[::-1]})
    assert left.tolist() == right.tolist() == [0, 0] and "max_num" in COMMUTE
