"""Concrete launches of thread programs: final memory and faults, against the PTX emulator on the same kernels compiled with -fmad=false."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from launched import PROGRAMS

from devsem.emulator import Argument, launch
from devsem.evaluate import evaluate
from devsem.expr import variables
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
