"""Concrete launches of thread programs: final memory and faults, against the PTX emulator on the same kernels compiled with -fmad=false."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from launched import PROGRAMS
from launched_wrong import ALONE, WRONG

from devsem.emulator import Argument, launch
from devsem.evaluate import evaluate
from devsem.expr import variables
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function
from devsem.instance import Extent, Instance
from devsem.lower import lower
from devsem.profile import load_profile
from devsem.program import Program
from devsem.threads import run

Array = npt.NDArray[Any]
Three = tuple[int, int, int]
F = np.float32
SOURCE = Path(__file__).resolve().with_name("launched.cu")
DRAW = np.random.default_rng(20261130)


@cache
def compiled() -> dict[str, Function]:
    """tests/launched.cu, compiled once."""
    made = compile_device(SOURCE.read_text(encoding="utf-8"), file="launched.cu", arch="sm_90", options=nvrtc_options("-fmad=false"))
    return {f.name: f for f in parse(made.ptx, "launched.ptx").functions}


def ex2(x: Array) -> Array:
    """Some function for ex2.approx, the same for both."""
    with np.errstate(over="ignore"):
        return np.exp2(x.view(F).astype(np.float64)).astype(F).view(np.uint32)


def numbers(n: int) -> Array:
    """Ordinary numbers of several magnitudes, whose sums depend on their order."""
    return (DRAW.standard_normal(n) * 2.0 ** DRAW.integers(-6, 7, n)).astype(F)


def launched(program: Program, grid: Three, block: Three, sizes: dict[str, int], scalars: dict[str, int]) -> Instance:
    """A launch; inputs are inputs, outputs are empty."""
    buffers = {q.name: Extent(q.name, sizes[q.name], "input" if q.type.startswith("const") else "empty") for q in program.params if q.is_buffer}
    return Instance(grid, block, 0, buffers, scalars)


def arguments(program: Program, instance: Instance, inputs: dict[str, Array]) -> list[Argument]:
    """The same for the emulator; what is empty is a pattern that no result has."""
    return [inputs.get(q.name, np.full(instance.buffers[q.name].elements, 1e30, F)) if q.is_buffer else instance.scalars[q.name]       # type: ignore[misc]
            for q in program.params]


# kernel, grid, block, elements, scalars
CLEAN: tuple[tuple[str, Three, Three, dict[str, int], dict[str, int]], ...] = (
    ("scale", (3, 1, 1), (32, 1, 1), {"x": 70, "y": 70}, {"n": 70}),
    ("stride", (2, 1, 1), (4, 1, 1), {"x": 29, "y": 29}, {"n": 29}),
    ("tree", (3, 1, 1), (64, 1, 1), {"x": 192, "y": 3}, {}),
    ("tiled", (2, 2, 1), (4, 4, 1), {"a": 49, "b": 49, "c": 49}, {"n": 7}),
    ("softmax", (2, 1, 1), (4, 1, 1), {"x": 35, "y": 35}, {"rows": 5, "cols": 7}),
    ("transpose", (2, 2, 1), (8, 8, 1), {"x": 117, "y": 117}, {"n": 9, "m": 13}),
    ("vectors", (2, 1, 1), (3, 1, 1), {"x": 20, "y": 20}, {"n": 20}),
    ("warp_sum", (1, 1, 1), (64, 1, 1), {"x": 64, "y": 64}, {}),
    ("choose", (1, 1, 1), (64, 1, 1), {"x": 240, "y": 120}, {"n": 60}),
    ("search", (1, 1, 1), (16, 1, 1), {"x": 11, "y": 16}, {"n": 11}),
    ("rotate", (1, 1, 1), (8, 1, 1), {"x": 32, "y": 32}, {}),
)


@pytest.mark.parametrize(("name", "grid", "block", "sizes", "scalars"), [pytest.param(*row, id=row[0]) for row in CLEAN])
def test_the_final_memory_is_that_of_the_compiled_kernel(name: str, grid: Three, block: Three, sizes: dict[str, int],
                                                         scalars: dict[str, int]) -> None:
    program = PROGRAMS[name]
    instance = launched(program, grid, block, sizes, scalars)
    inputs = {q.name: numbers(sizes[q.name]) for q in program.params if q.type.startswith("const")}
    outcome = run(program, instance)
    assert outcome.fault is None and outcome.complete, str(outcome.fault)
    (output,) = (k for k, q in enumerate(program.params) if q.type == "float*")
    cells = outcome.memory[program.params[output].name]
    profile = load_profile("ieee")
    values = [lower(c, profile, ()) for c in cells if c is not None]
    assert len(values) == len(cells)
    env = {v: np.array([inputs[v.name.partition("[")[0]][int(v.name.partition("[")[2][:-1])]], F).view(np.uint32) for v in variables(*values)}
    found = np.array([int(a.reshape(-1)[0]) for a in evaluate(values, env, {"D.ex2_approx": ex2})], np.uint32)
    result = launch(compiled()[name], arguments(program, instance, inputs), grid, block, functions={"D.ex2_approx": ex2})
    assert result.fault is None, str(result.fault)
    expected = result.memory[output]
    assert expected is not None and found.tolist() == expected.view(np.uint32).tolist()
    assert len(set(found.tolist())) > 1
    assert run(program, instance, values=False).complete


# --- what kernels do wrong: the kind and thread, found apart by both; buffer, index and line, as a person reads them off the text

ONE = (1, 1, 1)
# kernel, grid, threads, elements, scalars, (kind, block, thread, buffer, index, line of the text)
FOUND: tuple[tuple[str, int, int, dict[str, int], dict[str, int], tuple[str, int, int, str, int, int]], ...] = (
    ("late_guard", 2, 32, {"x": 33, "y": 33}, {"n": 33}, ("out of bounds", 1, 1, "x", 33, 3)),
    ("quads", 1, 2, {"x": 5, "y": 5}, {"n": 5}, ("out of bounds", 0, 1, "x", 5, 6)),
    ("unrolled", 1, 4, {"x": 10, "y": 10}, {"n": 10}, ("out of bounds", 0, 2, "x", 10, 6)),
    ("reused", 1, 64, {"x": 64, "y": 64}, {}, ("race", 0, 0, "s", 0, 24)),
    ("cleared", 1, 64, {"x": 64, "y": 1}, {}, ("race", 0, 32, "s", 1, 15)),
    ("counter", 1, 2, {"x": 2, "y": 1}, {}, ("race", 0, 0, "c", 0, 5)),
    ("shared_end", 1, 4, {"x": 4, "y": 4}, {}, ("out of bounds", 0, 2, "s", 2, 6)),
    ("partial_warp", 1, 48, {"x": 48, "y": 48}, {}, ("shuffle", 0, 32, "", 0, 4)),
    ("half_there", 1, 32, {"x": 32, "y": 32}, {}, ("shuffle", 0, 0, "", 0, 3)),
    ("no_barrier", 1, 64, {"x": 64, "y": 64}, {}, ("race", 0, 0, "s", 63, 3)),
    ("torn", 1, 64, {"x": 64, "y": 64}, {}, ("divergent barrier", 0, 0, "", 0, 4)),
    ("left_early", 1, 64, {"x": 64, "y": 64}, {"n": 63}, ("divergent barrier", 0, 0, "", 0, 5)),
    ("unset", 1, 64, {"x": 64, "y": 64}, {}, ("uninitialised", 0, 58, "s", 5, 5)),
    ("crooked", 1, 2, {"x": 4, "y": 8}, {}, ("misaligned", 0, 1, "y", 1, 2)),
    ("blocks_meet", 3, 1, {"y": 6}, {"n": 3}, ("race", 0, 0, "y", 1, 4)),
    ("by_value", 1, 4, {"x": 4, "y": 4}, {"n": 4}, ("out of bounds", 0, 0, "y", 4, 3)),
)
NAMES = {"absent thread": "shuffle"}


@cache
def wrong() -> dict[str, Function]:
    """tests/launched_wrong.cu, compiled once."""
    text = SOURCE.with_name("launched_wrong.cu").read_text(encoding="utf-8")
    made = compile_device(text, file="launched_wrong.cu", arch="sm_90", options=nvrtc_options("-fmad=false"))
    return {f.name: f for f in parse(made.ptx, "launched_wrong.ptx").functions}


@pytest.mark.parametrize("values", [True, False])
@pytest.mark.parametrize(("name", "grid", "threads", "sizes", "scalars", "expected"), [pytest.param(*row, id=row[0]) for row in FOUND])
def test_a_fault_is_found_and_named(name: str, grid: int, threads: int, sizes: dict[str, int], scalars: dict[str, int],
                                    expected: tuple[str, int, int, str, int, int], values: bool) -> None:
    program = WRONG[name]
    instance = launched(program, (grid, 1, 1), (threads, 1, 1), sizes, scalars)
    outcome = run(program, instance, values=values)
    f = outcome.fault
    assert f is not None and not outcome.complete and not outcome.memory and f.block is not None and f.thread is not None
    assert (f.kind, f.block[0], f.thread[0], f.buffer, f.index, f.where.line) == expected, str(f)
    assert f.certain == (values or name != "by_value") and f.sizes.items() >= {"gridDim.x": grid, "blockDim.x": threads, **scalars}.items()
    given = {q.name: np.full(sizes[q.name], 3.0, F) for q in program.params if q.type.startswith("const")}
    result = launch(wrong()[name], arguments(program, instance, given), grid, threads)
    assert result.fault is not None and NAMES.get(result.fault.kind, result.fault.kind) == f.kind, str(result.fault)
    assert (result.fault.block, result.fault.thread) == (f.block, f.thread) or f.kind in ("race", "shuffle", "out of bounds")


def test_a_fault_under_a_condition_on_floats_comes_with_an_input() -> None:
    program = WRONG["by_value"]
    fault = run(program, launched(program, ONE, ONE, {"x": 1, "y": 1}, {"n": 1})).fault
    assert fault is not None and np.uint32(fault.inputs["x[0]"]).view(F) > 2.5 and fault.inputs.keys() == {"x[0]"}


# faults that no compiled kernel shows: text, grid, threads, elements, scalars, (kind, block, thread, buffer, index)
@pytest.mark.parametrize(("name", "grid", "threads", "sizes", "scalars", "expected"), [
    ("gap", 1, 4, {"y": 7}, {"n": 7}, ("unwritten", None, None, "y", 1)),
    ("same_value", 1, 2, {"y": 1}, {}, ("race", (0, 0, 0), (0, 0, 0), "y", 0)),
    ("same_value", 2, 1, {"y": 1}, {}, ("race", (0, 0, 0), (0, 0, 0), "y", 0)),
    ("by_zero", 1, 1, {"y": 1}, {"n": 0}, ("division", (0, 0, 0), (0, 0, 0), "", 0)),
    ("smallest", 1, 1, {"y": 1}, {"n": -1}, ("division", (0, 0, 0), (0, 0, 0), "", 0)),
    ("far_shift", 1, 1, {"y": 1}, {"n": 32}, ("shift", (0, 0, 0), (0, 0, 0), "", 0)),
    ("endless", 1, 2, {"y": 2}, {"n": 5}, ("step limit", (0, 0, 0), (0, 0, 0), "", 0)),
    ("read_back", 1, 2, {"y": 2}, {}, ("uninitialised", (0, 0, 0), (0, 0, 0), "y", 0)),
    ("local_end", 1, 5, {"y": 5}, {}, ("out of bounds", (0, 0, 0), (4, 0, 0), "a", 4)),
])
def test_faults_of_the_language(name: str, grid: int, threads: int, sizes: dict[str, int], scalars: dict[str, int], expected: tuple[Any, ...]) -> None:
    program = ALONE[name]
    fault = run(program, launched(program, (grid, 1, 1), (threads, 1, 1), sizes, scalars), limit=100_000).fault
    assert fault is not None and (fault.kind, fault.block, fault.thread, fault.buffer, fault.index) == expected, str(fault)
    assert fault.certain == (name != "endless")


def test_what_c_does_not_evaluate_is_no_fault() -> None:
    program = ALONE["by_zero_unused"]
    assert run(program, launched(program, ONE, (3, 1, 1), {"y": 3}, {"n": 0})).complete


def test_two_blocks_of_a_huge_launch() -> None:
    """S03: block 16777216 of 256 threads computes 32-bit index 0 again."""
    program = ALONE["wide"]
    n = (1 << 32) + 256
    outcome = run(program, launched(program, ((1 << 24) + 1, 1, 1), (256, 1, 1), {"y": n}, {"n": 0}), blocks=(0, 1 << 24))
    assert outcome.fault is not None and (outcome.fault.kind, outcome.fault.index, outcome.fault.block) == ("race", 0, (0, 0, 0))
    assert outcome.fault.other == ((1 << 24, 0, 0), (0, 0, 0)) and not outcome.complete


# --- the same through the front end, whose reading of the text is compared with the one by hand


@pytest.mark.parametrize(("name", "grid", "block", "sizes", "scalars"), [pytest.param(*row, id=row[0]) for row in CLEAN])
def test_the_text_gives_the_same_values(name: str, grid: Three, block: Three, sizes: dict[str, int], scalars: dict[str, int]) -> None:
    program = parse_kernel(str(SOURCE), SOURCE.read_text(encoding="utf-8"), name)
    outcome = run(program, launched(program, grid, block, sizes, scalars))
    by_hand = run(PROGRAMS[name], launched(PROGRAMS[name], grid, block, sizes, scalars))
    assert outcome.fault is None, str(outcome.fault)
    assert outcome.memory == by_hand.memory


@pytest.mark.parametrize(("name", "grid", "threads", "sizes", "scalars", "expected"), [pytest.param(*row, id=row[0]) for row in FOUND])
def test_the_text_gives_the_same_fault(name: str, grid: int, threads: int, sizes: dict[str, int], scalars: dict[str, int],
                                       expected: tuple[str, int, int, str, int, int]) -> None:
    path = SOURCE.with_name("launched_wrong.cu")
    text = path.read_text(encoding="utf-8")
    fault = run(program := parse_kernel(str(path), text, name), launched(program, (grid, 1, 1), (threads, 1, 1), sizes, scalars)).fault
    assert fault is not None and fault.block is not None and fault.thread is not None
    assert (fault.kind, fault.block[0], fault.buffer, fault.index) == (expected[0], expected[1], expected[3], expected[4]), str(fault)
    line = text.splitlines()[fault.where.line - 1]
    assert text.splitlines().index(next(s for s in text.splitlines() if f"void {name}(" in s)) < fault.where.line - 1
    assert (fault.buffer or {"shuffle": "__shfl", "divergent barrier": "__syncthreads"}[fault.kind]) in line
