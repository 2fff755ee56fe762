"""Plans: instances at sizes, conditions, and launches that CUDA refuses."""

from __future__ import annotations

import pytest

from devsem.expr import Expr, const, const_int, mk
from devsem.instance import Extent
from devsem.ops import B32, B64
from devsem.plan import Condition, Impossible, Launched, Plan, Tensor, instantiate, number, numel, size_of, unmet

N, M = size_of("x", 0), size_of("x", 1)
ZERO, ONE = const_int(B64, 0), const_int(B64, 1)


def plan(block: Expr, grid: Expr, shared: Expr = ZERO, static: int = 0) -> Plan:
    launch = Launched("k", ("16",), ("a", "b", "n", "s"), (grid, ONE, ONE), (block, ONE, ONE), shared, ("x", "y", mk("wrap", numel((N, M))), const(0.5)),
                      static_bytes=static)
    tensors = (Tensor("x", (N, M), "input"), Tensor("y", (N,), "zeros"))
    return Plan(tensors, (launch,), (Condition(mk("slt_b64", ZERO, N), "n > 0"),), ("y",), ((N,),), (N, M), {"x": "x"})


def test_an_instance_has_the_sizes_put_in() -> None:
    found = instantiate(plan(const_int(B64, 128), N), {N: 3, M: 7})
    assert not isinstance(found, Impossible)
    assert (found[0].grid, found[0].block, found[0].shared_bytes) == ((3, 1, 1), (128, 1, 1), 0)
    assert found[0].buffers == {"a": Extent("x", 21, "input"), "b": Extent("y", 3, "zeros")}
    assert found[0].scalars == {"n": 21, "s": const(0.5)}


def test_an_int_wraps() -> None:
    assert number(mk("wrap", numel((N, M))), {N: 1 << 16, M: 1 << 15}) == -(1 << 31)


def test_a_condition_that_does_not_hold_is_named() -> None:
    p = plan(ONE, ONE)
    assert unmet(p, {N: 1, M: 1}) is None
    assert unmet(p, {N: 0, M: 1}) is p.conditions[0]


@pytest.mark.parametrize(("block", "grid", "shared", "static", "why"), [
    (1024, 1, 49152, 0, ""), (1025, 1, 0, 0, "block of 1025"), (32, 0, 0, 0, "grid of 0"), (32, 1 << 31, 0, 0, "grid of 2147483648"),
    (0, 1, 0, 0, "block of 0"), (1, 1, 49152, 4, "49156 bytes"), (1, 1, -1, 0, "-1 bytes"),
])
def test_what_cuda_refuses(block: int, grid: int, shared: int, static: int, why: str) -> None:
    found = instantiate(plan(const_int(B64, block), const_int(B64, grid), const_int(B64, shared), static), {N: 1, M: 1})
    if why:
        assert isinstance(found, Impossible) and why in found.why
    else:
        assert not isinstance(found, Impossible)


def test_threads_of_a_block_count_over_all_axes() -> None:
    p = plan(const_int(B64, 1024), ONE)
    launch = Launched("k", (), (), p.launches[0].grid, (const_int(B64, 64), const_int(B64, 32), ONE), ZERO, ())
    found = instantiate(Plan((), (launch,), (), (), (), ()), {})
    assert isinstance(found, Impossible) and "2048 threads" in found.why


def test_an_integer_scalar_keeps_its_sign() -> None:
    launch = Launched("k", (), ("i",), (ONE, ONE, ONE), (ONE, ONE, ONE), ZERO, (const_int(B32, -5),))
    found = instantiate(Plan((), (launch,), (), (), (), ()), {})
    assert not isinstance(found, Impossible) and found[0].scalars == {"i": -5}
