"""Hard witnesses are found, and shrink to one that a person can read. Each row's best witness was worked out by hand, in the row's comment.

`refute.find` is deterministic for a seed; two others are tried as well, printed by pytest with the test's name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const, mk, substitute, var, variables
from devsem.ops import F32
from devsem.refute import Equality, Witness, find

A, B, C = (var(n, F32) for n in "abc")
ZERO, ONE = const(0.0), const(1.0)
SEEDS = (0, 1, 20260101)


def add(a: Expr, b: Expr) -> Expr:
    return mk("add_rn", a, b)


def mul(a: Expr, b: Expr) -> Expr:
    return mk("mul_rn", a, b)


def at(x: Expr, pattern: int, then: Expr, otherwise: Expr) -> Expr:
    """`then` where x is one number, `otherwise` elsewhere."""
    return mk("select", mk("eq", x, bits(pattern)), then, otherwise)


@dataclass(frozen=True)
class Row:
    """Two expressions, and the one readable witness that they have."""

    name: str
    left: Expr
    right: Expr
    inputs: dict[str, int]
    equality: Equality = "bits"
    assume: tuple[Expr, ...] = ()


ROWS = (
    # fmaxf(x, 0) loses a NaN, and a NaN is the simplest input
    Row("nan", mk("max_num", A, ZERO), mk("max_nan", A, ZERO), {"a": 0x7FC00000}),
    # without NaN: max(x, 0) and (x < 0 ? 0 : x) part at -0 only
    Row("minus zero", mk("max_num", A, ZERO), mk("select", mk("lt", A, ZERO), ZERO, A), {"a": 0x80000000}, assume=(mk("not", mk("is_nan", A)),)),
    # -(a - b) and b - a part at equal inputs; the simplest are zeros
    Row("equal inputs", mk("neg", mk("sub_rn", A, B)), mk("sub_rn", B, A), {"a": 0, "b": 0}),
    # one number among 2^32: the constant of a comparison
    Row("one value", at(A, 0x42F6E979, B, C), C, {"a": 0x42F6E979, "b": 0x7FC00000, "c": 0}),
    # a threshold, strict or not: the threshold itself
    Row("threshold", mk("select", mk("lt", const(0.1), A), ONE, A), mk("select", mk("le", const(0.1), A), ONE, A), {"a": 0x3DCCCCCD}),
    # a threshold one ulp higher: the number that only one of the two lets pass
    Row("neighbour", mk("select", mk("le", const(0.1), A), ONE, A), mk("select", mk("le", bits(0x3DCCCCCE), A), ONE, A), {"a": 0x3DCCCCCD}),
    # one rounding or two: (1 + 2^-12)^2 is 1 + 2^-11 + 2^-24, a tie that rounds to 1 + 2^-11; taking 1 away shows the last term
    Row("contraction", mk("fma_rn", A, B, C), add(mul(A, B), C), {"a": 0x3F800800, "b": 0x3F800800, "c": 0xBF800000}),
    # a test that forgets one infinity
    Row("infinity", mk("select", mk("is_inf", A), ONE, ZERO), mk("select", mk("eq", A, bits(0x7F800000)), ONE, ZERO), {"a": 0xFF800000}),
    # x - x is 0 unless x is infinite or NaN
    Row("x - x", mk("sub_rn", A, A), ZERO, {"a": 0x7FC00000}),
    Row("x - x of numbers", mk("sub_rn", A, A), ZERO, {"a": 0x7F800000}, assume=(mk("not", mk("is_nan", A)),)),
    # 1/x tells the zeros apart
    Row("signed zero", mk("div_rn", ONE, A), mk("div_rn", ONE, add(A, ZERO)), {"a": 0x80000000}),
)


@pytest.mark.parametrize("drawn", SEEDS)
@pytest.mark.parametrize("row", [pytest.param(r, id=r.name) for r in ROWS])
def test_the_readable_witness(row: Row, drawn: int) -> None:
    names = [v for v in (A, B, C) if v.name in row.inputs]
    found = find(row.left, row.right, variables=names, assumptions=row.assume, equality=row.equality, seconds=10, seed=drawn)
    assert isinstance(found, Witness), found
    assert dict(found.inputs) == row.inputs


@dataclass(frozen=True)
class Hard:
    """Two expressions, and a property of the inputs without which they do not differ."""

    name: str
    left: Expr
    right: Expr
    holds: Callable[[dict[str, float]], bool]


def number(pattern: int) -> float:
    """A pattern's value."""
    return float(np.array([pattern], np.uint32).view(np.float32)[0])


HARD = (
    # (a + b)/2 overflows where a/2 + b/2 does not, and a/2 rounds in the subnormals; nowhere else do they differ
    Hard("midpoint", mul(add(A, B), const(0.5)), add(mul(A, const(0.5)), mul(B, const(0.5))),
         lambda v: abs(v["a"] + v["b"]) >= 2.0 ** 128 - 2.0 ** 103 or min(abs(v["a"]), abs(v["b"])) < 2.0 ** -125),
    # x * 2^64 * 2^-64 is x unless it overflows
    Hard("overflow", mul(mul(A, const(2.0 ** 64)), const(2.0 ** -64)), A, lambda v: 2.0 ** 63 < abs(v["a"]) < 2.0 ** 128),
    # x * 2^-64 * 2^64 is x unless bits are lost in the subnormals
    Hard("underflow", mul(mul(A, const(2.0 ** -64)), const(2.0 ** 64)), A, lambda v: 0 < abs(v["a"]) < 2.0 ** -61),
    # flushing shows only in the subnormals
    Hard("flush", mk("ftz", A), A, lambda v: 0 < abs(v["a"]) < 2.0 ** -126),
    # |a| and sqrt(a*a): the square overflows, underflows, or rounds
    Hard("square root", mk("sqrt_rn", mul(A, A)), mk("abs", A), lambda v: v["a"] != 0),
    # a product of three, associated otherwise
    Hard("associativity", mul(mul(A, B), C), mul(A, mul(B, C)), lambda v: len(v) == 3),
    # 2^24 + 1 is no number: adding 1 twice is not adding 2
    Hard("lost ones", add(add(A, ONE), ONE), add(A, const(2.0)), lambda v: abs(v["a"]) > 0),
    # a difference only between 0.3 and its neighbours, inside a larger expression
    Hard("narrow band", mk("select", mk("and", mk("le", const(0.3), A), mk("le", A, bits(const(0.3).value + 1))), B, C), C,
         lambda v: 0.29999 < v["a"] < 0.30001),
)


@pytest.mark.parametrize("drawn", SEEDS)
@pytest.mark.parametrize("row", [pytest.param(r, id=r.name) for r in HARD])
def test_a_hard_witness(row: Hard, drawn: int) -> None:
    names = variables(row.left, row.right)
    found = find(row.left, row.right, variables=names, equality="bits", seconds=20, seed=drawn)
    assert isinstance(found, Witness), found
    given = {v: bits(found.inputs[v.name]) for v in names}
    left, right = (int(evaluate([substitute(e, given)], {})[0].reshape(-1)[0]) for e in (row.left, row.right))
    assert (left, right) == (found.kernel, found.spec) and left != right
    assert row.holds({name: number(pattern) for name, pattern in found.inputs.items()}), found
