"""Known pairs: a witness is found fast, and separates for arithmetic that shares no code with devsem (the processor's, `fractions`, `math`).

Each case is written once over an abstract `o`, which `Build` turns into expressions and `Run` computes on float32 numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from devsem import refute
from devsem.errors import Bug
from devsem.expr import Expr, bits, const, mk, var
from devsem.ops import B32, F32
from devsem.possible import Unbounded, Worlds, possible
from devsem.refute import NoWitness, Witness, find

NAN = 0x7FC00000


class Build:
    """Names and numbers become expressions."""

    def k(self, value: float) -> Expr:
        return const(value)

    def f(self, row: str, *args: Expr) -> Expr:
        return mk(row, *args)

    def pick(self, condition: Expr, yes: Expr, no: Expr) -> Expr:
        return mk("select", condition, yes, no)


def rounded(exact: Fraction) -> np.float32:
    """A rational number correctly rounded to float32, by search between the neighbours of a guess."""
    guess = np.float32(exact.numerator / exact.denominator)
    near = [np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))]
    return min((n for n in near if np.isfinite(n)), key=lambda n: (abs(Fraction(float(n)) - exact), int(n.view(np.uint32)) & 1))


def fma(a: np.float32, b: np.float32, c: np.float32) -> np.float32:
    assert all(map(np.isfinite, (a, b, c)))
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return rounded(exact) if exact else np.float32(0)


def libm(f: Callable[..., float]) -> Callable[..., np.float32]:
    def call(*args: np.float32) -> np.float32:
        try:
            return np.float32(f(*map(float, args)))
        except OverflowError:
            return np.float32(math.inf)
        except ValueError:
            return np.float32(-math.inf if f is math.log and args[0] == 0 else math.nan)
    return call


def prefer_number(f: Callable[..., Any]) -> Callable[..., np.float32]:
    return lambda a, b: b if np.isnan(a) else a if np.isnan(b) else f(a, b)


PROCESSOR: dict[str, Callable[..., Any]] = {
    "add_rn": lambda a, b: a + b, "sub_rn": lambda a, b: a - b, "mul_rn": lambda a, b: a * b, "div_rn": lambda a, b: a / b, "fma_rn": fma, "sqrt_rn": np.sqrt,
    "neg": lambda a: -a, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "floor": np.floor, "max_nan": np.maximum, "min_nan": np.minimum,
    "max_num": prefer_number(np.maximum), "min_num": prefer_number(np.minimum),
    **{f"{s}.{n}f": libm(f) for s in "DS" for n, f in (("exp", math.exp), ("log", math.log), ("log1p", math.log1p), ("expm1", math.expm1), ("tanh", math.tanh),
                                                         ("erf", math.erf), ("hypot", math.hypot))},
}


class Run:
    """The same on the processor."""

    def k(self, value: float) -> np.float32:
        return np.float32(value)

    def f(self, row: str, *args: Any) -> Any:
        with np.errstate(all="ignore"):
            return PROCESSOR[row](*args)

    def pick(self, condition: Any, yes: Any, no: Any) -> Any:
        return yes if condition else no


def add(o: Any, a: Any, b: Any) -> Any:
    return o.f("add_rn", a, b)


def sub(o: Any, a: Any, b: Any) -> Any:
    return o.f("sub_rn", a, b)


def mul(o: Any, a: Any, b: Any) -> Any:
    return o.f("mul_rn", a, b)


def div(o: Any, a: Any, b: Any) -> Any:
    return o.f("div_rn", a, b)


def _clamp(o: Any, x: Any, kind: str, low: float, high: float) -> Any:
    return o.f(f"min_{kind}", o.f(f"max_{kind}", x, o.k(low)), o.k(high))


def _gelu(o: Any, x: Any, side: str) -> Any:
    inner = mul(o, o.k(0.7978845608028654), add(o, x, mul(o, o.k(0.044715), mul(o, mul(o, x, x), x))))
    return mul(o, mul(o, o.k(0.5), x), add(o, o.k(1), o.f(f"{side}.tanhf", inner)))


def _tanh_ratio(o: Any, x: Any) -> Any:
    e = o.f("D.expf", mul(o, o.k(2), x))
    return div(o, sub(o, e, o.k(1)), add(o, e, o.k(1)))


def _bce(o: Any, p: Any, t: Any, log: Callable[[Any], Any]) -> Any:
    return o.f("neg", add(o, mul(o, t, log(p)), mul(o, sub(o, o.k(1), t), log(sub(o, o.k(1), p)))))


def _log_clamped(o: Any) -> Callable[[Any], Any]:
    return lambda p: o.f("max_nan", o.f("S.logf", p), o.k(-100))


def _positive(o: Any, x: Any) -> Any:
    return o.f("lt", o.k(0), x)


CASES: dict[str, tuple[int, Callable[..., Any], Callable[..., Any]]] = {
    "E01": (1, lambda o, x: o.pick(_positive(o, x), x, o.k(0)), lambda o, x: o.f("max_nan", x, o.k(0))),
    "E07": (1, lambda o, x: mul(o, mul(o, x, _clamp(o, add(o, x, o.k(3)), "num", 0, 6)), o.k(1 / 6)),
            lambda o, x: div(o, mul(o, x, _clamp(o, add(o, x, o.k(3)), "nan", 0, 6)), o.k(6))),
    "E09": (1, lambda o, x: _gelu(o, _clamp(o, x, "num", -88.3762626647949, 88.3762626647949), "D"), lambda o, x: _gelu(o, x, "S")),
    "E15": (1, _tanh_ratio, lambda o, x: o.f("S.tanhf", x)),
    "E17": (1, lambda o, x: o.f("D.logf", add(o, o.k(1), o.f("D.expf", x))), lambda o, x: o.pick(o.f("lt", o.k(20), x), x, o.f("S.log1pf", o.f("S.expf", x)))),
    "E19": (1, lambda o, x: o.pick(_positive(o, x), x, mul(o, o.k(1), sub(o, o.f("D.expf", x), o.k(1)))),
            lambda o, x: o.pick(_positive(o, x), x, o.f("S.expm1f", x))),
    "E28 contracted": (2, lambda o, a, b: o.f("fma_rn", o.f("neg", b), o.f("floor", div(o, a, b)), a),
                       lambda o, a, b: sub(o, a, mul(o, b, o.f("floor", div(o, a, b))))),
    "E30 contracted": (3, lambda o, a, b, c: o.f("fma_rn", a, b, c), lambda o, a, b, c: add(o, mul(o, a, b), c)),
    "E34 contracted": (2, lambda o, a, b: o.f("sqrt_rn", o.f("fma_rn", a, a, o.f("neg", mul(o, b, b)))),
                       lambda o, a, b: o.f("sqrt_rn", sub(o, mul(o, a, a), mul(o, b, b)))),
    "E36": (1, lambda o, x: sub(o, o.k(0), x), lambda o, x: o.f("neg", x)),
    "E38": (2, lambda o, a, b: o.f("sqrt_rn", add(o, mul(o, a, a), mul(o, b, b))), lambda o, a, b: o.f("S.hypotf", a, b)),
    "E40": (2, lambda o, p, t: _bce(o, p, t, lambda q: o.f("D.logf", q)), lambda o, p, t: _bce(o, p, t, _log_clamped(o))),
    "E46": (1, lambda o, x: mul(o, x, div(o, o.k(1), add(o, o.k(1), o.f("D.expf", mul(o, o.k(-1.702), x))))),
            lambda o, x: mul(o, mul(o, o.k(0.5), x), add(o, o.k(1), o.f("S.erff", mul(o, x, o.k(0.7071067811865476)))))),
    "E48 contracted": (4, lambda o, a, b, c, d: o.f("fma_rn", a, b, mul(o, c, d)), lambda o, a, b, c, d: add(o, mul(o, a, b), mul(o, c, d))),
    "third": (1, lambda o, x: mul(o, x, o.k(1 / 3)), lambda o, x: div(o, x, o.k(3))),
    "strict threshold": (1, lambda o, x: o.pick(o.f("lt", o.k(0.3333), mul(o, x, o.k(7.77))), x, o.k(0)),
                         lambda o, x: o.pick(o.f("le", o.k(0.3333), mul(o, x, o.k(7.77))), x, o.k(0))),
    "threshold on a sum of three": (3, lambda o, a, b, c: o.pick(o.f("lt", add(o, mul(o, a, b), c), o.k(1)), o.k(7), o.k(8)),
                                    lambda o, a, b, c: o.pick(o.f("le", add(o, mul(o, a, b), c), o.k(1)), o.k(7), o.k(8))),
}


def _expressions(case: str) -> tuple[list[Expr], Expr, Expr]:
    count, kernel, spec = CASES[case]
    names = [var(n, F32) for n in "abcd"[:count]]
    return names, kernel(Build(), *names), spec(Build(), *names)


def _pattern(x: np.float32) -> int:
    return 0x7FFFFFFF if np.isnan(x) else int(np.float32(x).view(np.uint32))


@pytest.mark.parametrize("case", CASES)
def test_known_pairs_are_separated(case: str) -> None:
    names, kernel, spec = _expressions(case)
    started = time.monotonic()
    found = find(kernel, spec, variables=names, equality="bits", seconds=10)
    assert isinstance(found, Witness), found
    assert time.monotonic() - started < 1
    _, run_kernel, run_spec = CASES[case]
    inputs = [np.array([found.inputs[v.name]], dtype=np.uint32).view(np.float32)[0] for v in names]
    left, right = (_pattern(f(Run(), *inputs)) for f in (run_kernel, run_spec))
    assert left != right
    assert left in found.kernel_values and right in found.spec_values
    assert not set(found.kernel_values) & set(found.spec_values)
    if not found.bounds:
        assert (found.kernel, found.spec) == (left, right)


@pytest.mark.parametrize(("case", "inputs"), [
    ("E01", [NAN]), ("E36", [0]), ("E15", [const(45).value]), ("E17", [const(89).value]), ("E40", [0, 0]),
    ("third", [const(5).value]), ("E07", [const(2).value]),
])
def test_witnesses_shrink_to_the_readable_one(case: str, inputs: list[int]) -> None:
    names, kernel, spec = _expressions(case)
    found = find(kernel, spec, variables=names, equality="bits", seconds=10)
    assert isinstance(found, Witness) and list(found.inputs.values()) == inputs


@pytest.mark.parametrize("case", ["E30 contracted", "E46", "E38"])
def test_the_same_seed_finds_the_same(case: str) -> None:
    names, kernel, spec = _expressions(case)
    assert find(kernel, spec, variables=names, equality="bits", seconds=10, seed=5) == find(kernel, spec, variables=names, equality="bits", seconds=10, seed=5)


X, Y, Z = (var(n, F32) for n in "xyz")


def test_equality_of_zeros_is_a_choice() -> None:
    kernel, spec = mk("neg", mk("sub_rn", X, Y)), mk("sub_rn", Y, X)
    found = find(kernel, spec, variables=[X, Y], equality="bits", seconds=5)
    assert isinstance(found, Witness) and found.inputs == {"x": 0, "y": 0} and {found.kernel, found.spec} == {0, 0x80000000}
    none = find(kernel, spec, variables=[X, Y], equality="zero-sign", seconds=1)
    assert isinstance(none, NoWitness) and none.suspect is None and none.tried > 10000
    negated = find(mk("sub_rn", const(0.0), X), mk("neg", X), variables=[X], equality="zero-sign", seconds=10)
    assert isinstance(negated, NoWitness) and negated.solver == "unsat"


def test_assumptions_hold_at_the_witness() -> None:
    names, kernel, spec = _expressions("E15")
    calm = mk("le", mk("abs", names[0]), const(60.0))
    found = find(kernel, spec, variables=names, assumptions=[calm, mk("lt", const(50.0), names[0])], equality="bits", seconds=5)
    assert isinstance(found, Witness) and 50 < float(np.array([found.inputs["a"]], dtype=np.uint32).view(np.float32)[0]) <= 60
    names, kernel, spec = _expressions("E01")
    numbers = find(kernel, spec, variables=names, assumptions=[mk("not", mk("is_nan", names[0]))], equality="zero-sign", seconds=10)
    assert isinstance(numbers, NoWitness) and numbers.solver == "unsat"


def test_equal_sides_are_not_separated() -> None:
    found = find(mk("mul_rn", X, const(0.5)), mk("div_rn", X, const(2.0)), variables=[X], equality="bits", seconds=20)
    assert isinstance(found, NoWitness) and found.solver == "unsat" and found.suspect is None


def test_the_solver_finds_the_needle() -> None:
    """Three equations at once: no list of candidates meets them."""
    needle = mk("and", mk("eq", mk("mul_rn", X, Y), const(1.2345678)), mk("and", mk("eq", mk("add_rn", X, Y), const(3.3333335)), mk("lt", X, Y)))
    found = find(mk("select", needle, const(1.0), const(2.0)), const(2.0), variables=[X, Y], equality="bits", seconds=60)
    assert isinstance(found, Witness)
    x, y = (np.array([found.inputs[n]], dtype=np.uint32).view(np.float32)[0] for n in "xy")
    assert x * y == np.float32(1.2345678) and x + y == np.float32(3.3333335) and x < y


def test_the_same_function_of_the_same_argument_is_no_difference() -> None:
    kernel, spec = (mk("div_rn", const(1.0), mk("add_rn", const(1.0), mk(f"{side}.expf", mk("neg", X)))) for side in "DS")
    found = find(kernel, spec, variables=[X], equality="bits", seconds=5)
    assert isinstance(found, NoWitness) and found.solver == "not run"


def test_a_difference_within_the_bounds_is_no_witness() -> None:
    """exp(x) as exp2(x * log2 e) differs nominally at small x, but not beyond what the documents allow both."""
    kernel = mk("D.ex2_approx", mk("mul_rn", X, const(1.4426950408889634)))
    small = [mk("le", mk("abs", X), const(1.0))]
    found = find(kernel, mk("S.expf", X), variables=[X], assumptions=small, equality="bits", seconds=3)
    assert isinstance(found, NoWitness) and found.suspect is not None and "bounds do not separate" in found.reason
    wide = find(kernel, mk("S.expf", X), variables=[X], equality="bits", seconds=5)
    assert isinstance(wide, Witness) and {b.row for b in wide.bounds} == {"D.ex2_approx", "S.expf"}


def test_correlated_functions_are_a_named_last_resort() -> None:
    """sin(x) * (1 + 2^-23) against sin(x): one step apart, far less than both bounds, so only the same sin(x) on both sides separates them."""
    kernel, spec = mk("mul_rn", mk("D.sinf", X), bits(0x3F800001)), mk("S.sinf", X)
    found = find(kernel, spec, variables=[X], assumptions=[mk("lt", const(1.0), X), mk("lt", X, const(1.1))], equality="bits", seconds=5)
    assert isinstance(found, Witness) and found.correlated and {b.row for b in found.bounds} == {"S.sinf"}
    assert set(found.kernel_values) & set(found.spec_values)


def test_contraction_into_a_function_still_separates() -> None:
    """E15 as ptxas fuses it: the rounded expf never exists, and its sum is bounded by what the product may have been."""
    twice = mk("mul_rn", const(2.0), X)
    kernel = mk("div_rn", mk("D.expf_add", twice, const(-1.0)), mk("D.expf_add", twice, const(1.0)))
    found = find(kernel, mk("S.tanhf", X), variables=[X], equality="bits", seconds=5)
    assert isinstance(found, Witness) and {b.row for b in found.bounds} == {"D.expf_add", "S.tanhf"}


def test_an_obligation_is_a_function_in_every_world() -> None:
    """The same argument, reached by two expressions, gives the same result; different arguments do not."""
    inputs = {X: const(0.7).value, Y: const(0.7).value, Z: const(0.9).value}
    same = possible([mk("sub_rn", mk("D.expf", X), mk("D.expf", Y))], inputs, 1000)
    assert isinstance(same, Worlds) and set(same.roots[0].tolist()) == {0} and len(same.allowed) == 1
    other = possible([mk("sub_rn", mk("D.expf", X), mk("D.expf", Z))], inputs, 1000)
    assert isinstance(other, Worlds) and len(other.roots[0]) == 25 and len(other.allowed) == 2


def test_a_branch_not_taken_needs_no_bound() -> None:
    unbounded = mk("D.tanhf_ftz", X)
    root = mk("select", mk("lt", X, const(0.0)), unbounded, const(3.0))
    taken = possible([root], {X: const(1.0).value}, 1000)
    assert isinstance(taken, Worlds) and taken.roots[0].tolist() == [const(3.0).value] and not taken.allowed
    other = possible([root], {X: const(-1.0).value}, 1000)
    assert isinstance(other, Unbounded) and "D.tanhf_ftz(0xbf800000)" in other.reason


def test_constants_alone_are_compared() -> None:
    found = find(const(1.0), mk("add_rn", const(0.5), const(0.25)), variables=[], equality="bits", seconds=5)
    assert isinstance(found, Witness) and found.inputs == {} and (found.kernel, found.spec) == (0x3F800000, 0x3F400000)


def test_what_is_not_a_question_is_a_bug_by_name() -> None:
    with pytest.raises(Bug, match=r"not given \['y'\]"):
        find(mk("add_rn", X, Y), X, variables=[X], equality="bits", seconds=1)
    with pytest.raises(Bug, match=r"not of sort F32 \['i'\]"):
        find(X, X, variables=[X, var("i", B32)], equality="bits", seconds=1)


def test_distance_orders_classes_before_numbers() -> None:
    problem = refute.pose(X, Y, [X, Y], [], "bits")
    env = {X: np.array([0x7FFFFFFF, 0x7F800000, 0x3F800000, 0x80000001, 5], dtype=np.uint32), Y: np.array([0, 0x7F7FFFFF, 0x3F800003, 1, 5], dtype=np.uint32)}
    assert problem.distances(env).tolist() == [refute.CLASS, refute.CLASS, 3, 2, 0]
