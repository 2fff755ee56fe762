"""Planted faults are found by small launches next to the boundaries, made as small as they go, and shown by the compiled kernel too."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel_text import kernel
from launched import PROGRAMS
from launched_wrong import ALONE, WRONG

from devsem.expr import Expr, const_int, mk, var
from devsem.hunt import Candidate, Found, candidates, hunt, of_instances, of_plan
from devsem.hunt_confirm import confirm
from devsem.instance import Extent, Instance
from devsem.ops import B64
from devsem.plan import Launched, Plan, Tensor
from devsem.program import Program
from devsem.threads import run

N = var("x.size(0)", B64)
ONE = const_int(B64, 1)
TEXT = Path(__file__).resolve().with_name("launched_wrong.cu").read_bytes()


def ceil_div(e: Expr, by: int) -> Expr:
    return mk("sdiv_b64", mk("add_b64", e, const_int(B64, by - 1)), const_int(B64, by))


def one_size(program: Program, block: int, grid: Expr | None = None) -> Plan:
    """A wrapper as people write it: n elements, n / block blocks rounded up."""
    arguments = tuple(q.name if q.is_buffer else mk("wrap", N) for q in program.params)
    tensors = tuple(Tensor(q.name, (N,), "input" if q.type.startswith("const") else "empty") for q in program.params if q.is_buffer)
    launched = Launched(program.function, (), tuple(q.name for q in program.params), (grid or ceil_div(N, block), ONE, ONE), (const_int(B64, block), ONE, ONE),
                        const_int(B64, 0), arguments)
    return Plan(tensors, (launched,), (), ("y",), ((N,),), (N,), {})


def found(program: Program, plan: Plan) -> Found | None:
    make = of_plan(plan, {program.function: program})
    return hunt(candidates(make, plan.sizes), make=make, seconds=20)


# kernel, block, grid if it is not the usual one, (kind, smallest size, buffer, index)
PLANTED = (
    ("late_guard", WRONG["late_guard"], 32, None, ("out of bounds", 1, "x", 1)),
    ("quads", WRONG["quads"], 32, None, ("out of bounds", 1, "x", 1)),
    ("one block", kernel("x y! n:int", "if tx < n:\n    y[tx] = x[tx]"), 32, ONE, ("unwritten", 33, "y", 32)),
    ("early exit", kernel("x y! n:int", "i = bx * nx + tx\nif i + 1 < n:\n    y[i] = x[i]"), 64, None, ("unwritten", 1, "y", 0)),
    ("not the tail", kernel("x y! n:int", "i = bx * nx + tx\nif i < n and (i % 64 != 63 or bx == 0):\n    y[i] = x[i]"), 64, None,
     ("unwritten", 128, "y", 127)),
    ("overlap", kernel("x y! n:int", "i = bx * (nx - 1) + tx\nif i < n:\n    y[i] = x[i]"), 16, None, ("race", 17, "y", 15)),
    ("gap", ALONE["gap"], 32, None, ("unwritten", 2, "y", 1)),
    ("no barrier", kernel("x y! n:int", "s = shared(32)\ni = bx * nx + tx\nif i < n:\n    s[tx] = x[i]\n"
                          "if i < n:\n    y[i] = s[(tx + 1 if tx < 31 and i + 1 < n else tx)]"), 32, None, ("race", 2, "s", 1)),
)


@pytest.mark.parametrize(("program", "block", "grid", "expected"), [pytest.param(*row[1:], id=row[0]) for row in PLANTED])
def test_a_planted_fault_is_found_at_its_smallest_size(program: Program, block: int, grid: Expr | None, expected: tuple[str, int, str, int]) -> None:
    kind, n, buffer, index = expected
    plan = one_size(program, block, grid)
    got = found(program, plan)
    assert got is not None and (got.fault.kind, got.fault.buffer, got.fault.index) == (kind, buffer, index), got and str(got.fault)
    assert got.candidate.sizes[N] == n
    make = of_plan(plan, {program.function: program})
    for less in range(1, n):
        launches = make({N: less})
        assert launches is not None and run(*launches[0]).fault is None


@pytest.mark.parametrize("name", ["scale", "stride"])
def test_nothing_is_found_in_a_clean_kernel(name: str) -> None:
    plan = one_size(PROGRAMS[name], 32)
    make = of_plan(plan, {"k": PROGRAMS[name]})
    tried = candidates(make, plan.sizes)
    assert hunt(tried, seconds=20) is None and {c.sizes[N] for c in tried} >= {1, 31, 32, 33, 67, 97}
    assert [c.work for c in tried] == sorted(c.work for c in tried)


def test_two_sizes_are_tried_together() -> None:
    """A transposed index shows only where the matrix is no square."""
    rows, cols = var("x.size(0)", B64), var("x.size(1)", B64)
    program = kernel("x y! rows:int cols:int", "i = bx * 4 + tx\nj = by * 4 + ty\nif i < cols and j < rows:\n    y[i * cols + j] = x[j * cols + i]")
    plan = Plan((Tensor("x", (rows, cols), "input"), Tensor("y", (rows, cols), "empty")),
                (Launched("k", (), ("x", "y", "rows", "cols"), (ceil_div(cols, 4), ceil_div(rows, 4), ONE), (const_int(B64, 4), const_int(B64, 4), ONE),
                          const_int(B64, 0), ("x", "y", mk("wrap", rows), mk("wrap", cols))),), (), ("y",), ((rows, cols),), (rows, cols), {})
    got = found(program, plan)
    assert got is not None and got.fault.kind in ("out of bounds", "unwritten", "race") and sorted(got.candidate.sizes.values()) == [1, 2]


def test_a_free_block_is_varied() -> None:
    """R12: right only where the block is whole warps."""
    threads = var("threads", B64)
    program = WRONG["partial_warp"]
    plan = Plan((Tensor("x", (threads,), "input"), Tensor("y", (threads,), "empty")),
                (Launched("k", (), ("x", "y"), (ONE, ONE, ONE), (threads, ONE, ONE), const_int(B64, 0), ("x", "y")),), (), ("y",), ((threads,),), (), {})
    make = of_plan(plan, {"k": program})
    got = hunt(candidates(make, (), threads=(threads,)), seconds=20)
    assert got is not None and got.fault.kind == "shuffle" and got.candidate.launches[0][1].threads == 1


def test_a_fault_under_a_condition_on_floats_is_shown_with_inputs() -> None:
    program = WRONG["by_value"]
    instance = Instance((1, 1, 1), (1, 1, 1), 0, {"x": Extent("x", 1, "input"), "y": Extent("y", 1, "input")}, {"n": 1})
    got = hunt(of_instances(program, [instance]))
    assert got is not None and got.fault.certain and got.fault.inputs


def test_launches_one_after_the_other_share_their_tensors() -> None:
    """What the first leaves unwritten, the second reads."""
    first = kernel("x t! n:int", "i = tx\nif i + 1 < n:\n    t[i] = x[i] + 1.0")
    second = kernel("t y! n:int", "y[tx] = t[tx] * 2.0")
    x, t, y = (Extent(name, 4, initial) for name, initial in (("x", "input"), ("t", "empty"), ("y", "empty")))     # type: ignore[arg-type]
    def launches(n: int) -> Candidate:
        return Candidate(((first, Instance((1, 1, 1), (4, 1, 1), 0, {"x": x, "t": t}, {"n": n})),
                          (second, Instance((1, 1, 1), (4, 1, 1), 0, {"t": t, "y": y}, {"n": 4}))), {})
    got = hunt([launches(4)], written=frozenset({"y"}))
    assert got is not None and (got.fault.kind, got.fault.buffer, got.fault.index) == ("uninitialised", "t", 3)
    assert hunt([launches(5)], written=frozenset({"y"})) is None


def test_the_time_is_kept() -> None:
    program = kernel("y! n:int", "i = 0\nwhile i < n:\n    i = i * 2\ny[tx] = 1.0")
    instance = Instance((1, 1, 1), (1, 1, 1), 0, {"y": Extent("y", 1, "empty")}, {"n": 5})
    assert hunt(of_instances(program, iter([instance] * 10_000)), seconds=0.3) is None


# --- what the compiled kernel shows


def confirmed(name: str, instance: Instance) -> tuple[str, str]:
    program = WRONG[name]
    named = Program(name, program.params, program.body, program.where, program.arrays)
    fault = run(named, instance).fault
    assert fault is not None
    done = confirm(((named, instance),), fault, TEXT, "launched_wrong.cu")
    return done.result, done.reason


def buffers(x: int, y: int) -> dict[str, Extent]:
    return {"x": Extent("x", x, "input"), "y": Extent("y", y, "empty")}


def test_the_compiled_kernel_agrees() -> None:
    result, reason = confirmed("late_guard", Instance((1, 1, 1), (2, 1, 1), 0, buffers(1, 1), {"n": 1}))
    assert result == "agrees" and "out of bounds: thread (1, 0, 0)" in reason
    assert confirmed("by_value", Instance((1, 1, 1), (1, 1, 1), 0, buffers(1, 1), {"n": 1}))[0] == "agrees"
    result, reason = confirmed("late_guard", Instance((1, 1, 1), (2, 1, 1), 0, buffers(9, 9), {"n": 5}))
    assert (result, reason) == ("agrees", "the compiled kernel leaves y[2]")


def test_what_the_compiled_kernel_does_not_do_is_said() -> None:
    """A counterexample of another kernel: this one is right there."""
    instance = Instance((1, 1, 1), (4, 1, 1), 0, buffers(4, 4), {"n": 4})
    fault = run(WRONG["unrolled"], instance).fault
    assert fault is not None
    program = WRONG["late_guard"]
    named = Program("late_guard", program.params, program.body)
    fits = Instance((1, 1, 1), (4, 1, 1), 0, buffers(5, 5), {"n": 3})
    assert confirm(((named, fits),), fault, TEXT, "launched_wrong.cu").result == "differs"
    other = confirm(((named, fits),), fault, b"__global__ void k(float* y) { y[0] = 1; }", "k.cu")
    assert (other.result, other.reason) == ("not run", "no compiled kernel is named late_guard (there is _Z1kPf)")
