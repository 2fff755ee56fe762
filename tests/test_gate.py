"""The safety gate for all sizes: clean kernels pass, each planted fault does not, and the lemmas are true."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest
from gate_programs import BX, NUMBER, TX, N, add, each, i, less, line, mul, n, plane, rows, size, stride, sums, turned, word

from devsem.expr import Expr, mk, var
from devsem.gate import gate
from devsem.gate_lemmas import Products, one_product, times_equation, two_products
from devsem.gate_plan import gate_plan
from devsem.gate_poly import Poly, interval_of
from devsem.gate_process import asked
from devsem.gate_setting import Setting
from devsem.ops import B32, B64
from devsem.plan import Launched, Plan, Tensor
from devsem.program import Program

BLOCK, GRID = var("block", B64), var("grid", B64)
CLEAN = {
    "guarded": (each(less(i, n)), line()), "any block": (each(less(i, n)), line(BLOCK)), "grid-stride": (stride(), line(256, GRID)),
    "grid-stride, a thread an element": (stride(), line()), "exact": (each(mk("sle_b32", word(0), i)), line(256, None, (mk("ieq_b64",
        mk("srem_b64", N, size(256)), size(0)),))), "sums": (sums(), rows()), "turned": (turned(), plane()), "early return": (turned(early=True), plane()),
}
FAULTY = {
    "off by one": (each(mk("sle_b32", i, n)), line(), "out of bounds"),
    "unwritten tail": (each(less(i, mk("sub_b32", n, word(1)))), line(), "unwritten"),
    "wrong stride": (each(less(i, n), add(mul(BX, word(128)), TX)), line(), "two threads"),
    "no guard": (each(mk("sle_b32", word(0), i)), line(), "out of bounds"),
    "double write": (each(less(i, n), NUMBER, mk("sdiv_b32", i, word(2))), line(), "two threads"),
    "other cell": (each(less(i, n), NUMBER, add(i, word(1))), line(), "out of bounds"),
    "overflow": (each(less(i, n), mk("sdiv_b32", mul(NUMBER, word(4)), word(4))), line(), "may wrap"),
    "last element": (each(less(i, n)), line(1000, most=(1 << 31) - 1), "may wrap"),
    "stride of a block": (stride(word(256)), line(256, GRID), "two threads"), "endless": (stride(word(0)), line(), "not shown to end"),
    "no barrier": (sums(barrier=False), rows(), "between two barriers"), "block too large": (sums(), rows(512), "out of bounds"),
    "block too small": (sums(), rows(128), "before it is written"), "all write": (sums(last=less(word(-1), TX)), rows(), "two threads"),
    "turned twice": (turned(add(mul(var("r", B32), var("cols", B32)), var("r", B32))), plane(), ""), "half a guard": (turned(guard=False), plane(), ""),
    "wrong width": (turned(add(mul(var("c", B32), var("cols", B32)), var("r", B32))), plane(), "out of bounds"),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_kernel_passes(name: str) -> None:
    found = gate(*CLEAN[name])
    assert (found.verdict, found.reason) == ("PASS", "")
    assert len(found.questions) >= 5 and all(q.verdict == "PASS" for q in found.questions)


SLOW = {"no barrier", "turned twice", "half a guard", "wrong width"}       # a model is looked for, and there is more than one question to fail


@pytest.mark.parametrize("name", [pytest.param(f, marks=pytest.mark.slow) if f in SLOW else f for f in FAULTY])
def test_a_planted_fault_does_not_pass(name: str) -> None:
    program, setting, reason = FAULTY[name]
    found = gate(program, setting)
    assert found.verdict != "PASS"
    assert any(reason in q.reason for q in found.questions if q.verdict != "PASS")


def test_a_failure_names_sizes_and_threads() -> None:
    found = gate(*FAULTY["off by one"][:2])
    assert found.verdict == "FAIL" and found.model is not None
    size_, index = found.model["x.size(0)"], found.model["blockIdx.x"] * 256 + found.model["threadIdx.x"]
    assert index == size_ <= 8


def test_elementwise_is_fast() -> None:
    start = time.process_time()
    assert gate(*CLEAN["guarded"]).verdict == "PASS"
    assert time.process_time() - start < 1


def test_preconditions_that_nothing_satisfies_are_open() -> None:
    found = gate(each(less(i, n)), line(256, None, (mk("slt_b64", N, size(0)),)))
    assert found.verdict == "OPEN" and "preconditions" in found.reason


def test_no_time_is_open() -> None:
    found = gate(*CLEAN["guarded"], seconds=0.0)
    assert found.verdict == "OPEN"


def test_a_crash_or_a_hang_costs_its_own_answer() -> None:
    def ask(q: int) -> int:
        if q == 1:
            raise SystemExit(3)
        if q == 2:
            time.sleep(30)
        return 10 * q
    found = asked(ask, 5, time.monotonic() + 20, 0.5)
    assert [found[q] for q in (0, 3, 4)] == [0, 30, 40]
    assert isinstance(found[1], str) and isinstance(found[2], str)


def draw(rng: random.Random) -> Poly:
    """A small polynomial."""
    p = Poly.number(rng.choice((0, 0, 1, -3, 16)))
    for _ in range(rng.randint(1, 3)):
        factors = [Poly.of(rng.choice("abc")) for _ in range(rng.randint(1, 2))]
        p = p + (factors[0] * factors[-1] if len(factors) > 1 else factors[0]) * Poly.number(rng.choice((1, 1, 2, -1, 256)))
    return p


def test_lemmas_are_true() -> None:
    rng = random.Random(6)
    for _ in range(60):
        p, q, r = draw(rng), draw(rng), draw(rng)
        bounds = {(x,): (-3, 9) for x in "abc"}
        formulas = [*one_product(p, q, interval_of(p, bounds)), *two_products(p, q, r), times_equation(p, q)]
        products = Products(dict(bounds))  # type: ignore[arg-type]
        products.total(("a", "b", "c"))
        products.equation(p)
        products.add(p, q)
        products.add(r, Poly.of("a") * Poly.of("b"))
        formulas += products.take()
        for _ in range(25):
            at = {x: rng.randint(-3, 9) for x in "abc"}
            wrong = [f for f in formulas if not f.at(at)]
            assert not wrong, (at, wrong)


def test_a_lemma_about_the_wrong_order_would_be_seen() -> None:
    """The test above can fail: the lemmas without their premises are false."""
    a, b = Poly.of("a"), Poly.of("b")
    assert not all(f.parts[-1].at({"a": -1, "b": 2}) for f in one_product(a, b, (None, None)))


def test_unknown_buffers_are_open() -> None:
    program, setting = CLEAN["guarded"]
    lacking = Setting({"x": setting.buffers["x"]}, setting.grid, setting.block, setting.scalars, setting.sizes)
    assert gate(program, lacking).verdict == "OPEN"


def test_what_is_not_understood_is_open() -> None:
    program, setting = CLEAN["grid-stride"]
    loop = program.body[1]
    odd = Program(program.function, program.params, (program.body[0], replace(loop, post=True)))  # type: ignore[type-var]
    found = gate(odd, setting)
    assert found.verdict == "OPEN" and "do-while" in found.reason


def planned(write: Expr = i, second: bool = False) -> tuple[Plan, tuple[Program, ...]]:
    """One launch from x to y, or a second one from y to z."""
    tensors = tuple(Tensor(name, (N,), "input" if name == "x" else "empty") for name in ("x", "y", "z"))
    grid, block = (mk("sdiv_b64", mk("add_b64", N, size(255)), size(256)), size(1), size(1)), (size(256), size(1), size(1))
    launches = tuple(Launched("each", (), ("x", "y", "n"), grid, block, size(0), (a, b, mk("wrap", N))) for a, b in (("x", "y"), ("y", "z")))
    count = 2 if second else 1
    return Plan(tensors, launches[:count], (), ("z" if second else "y",), ((N,),), (N,)), (each(less(i, n), NUMBER, write),) * count


def test_a_plan_of_two_launches() -> None:
    assert gate_plan(*planned()).verdict == "PASS"
    assert gate_plan(*planned(second=True)).verdict == "PASS"
    assert gate_plan(*planned(mk("sub_b32", i, word(0)), second=True)).verdict == "PASS"
    found = gate_plan(*planned(mul(i, word(0))))
    assert found.verdict == "FAIL" and "two threads" in found.reason


def test_what_the_first_launch_leaves_the_second_may_not_read() -> None:
    plan, programs = planned(second=True)
    partial = each(less(i, mk("sub_b32", n, word(1))))
    assert gate_plan(plan, (partial, programs[1])).verdict != "PASS"
    assert gate_plan(plan, (programs[0], partial)).verdict != "PASS"


def test_a_result_that_no_launch_writes_is_open() -> None:
    plan, programs = planned()
    assert gate_plan(replace(plan, results=("z",)), programs).verdict == "OPEN"
