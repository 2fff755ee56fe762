"""The kernel language, part by part: what the front end reads, run thread by thread, leaves the memory that NVRTC's code leaves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from devsem.emulator import launch
from devsem.evaluate import evaluate
from devsem.expr import variables
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Variable
from devsem.instance import Extent, Instance
from devsem.lower import lower
from devsem.ops import F32
from devsem.profile import load_profile
from devsem.threads import run

Three = tuple[int, int, int]
Array = npt.NDArray[Any]
F = np.float32
SOURCE = Path(__file__).resolve().with_name("language.cu")
ONE = (1, 1, 1)


@cache
def compiled() -> tuple[dict[str, Function], tuple[Variable, ...]]:
    """tests/language.cu, compiled once without contraction, and its arrays outside functions."""
    made = compile_device(SOURCE.read_text(encoding="utf-8"), file="language.cu", arch="sm_90", options=nvrtc_options("-fmad=false"))
    module = parse(made.ptx, "language.ptx")
    return {f.name: f for f in module.functions}, module.variables


def numbers(n: int) -> Array:
    """Numbers of several magnitudes, whose sums depend on their order."""
    draw = np.random.default_rng(n)
    return (draw.standard_normal(n) * 2.0 ** draw.integers(-3, 4, n)).astype(F)


# kernel, grid, block, elements of x, elements of y, bytes of dynamic shared memory
KERNELS: tuple[tuple[str, Three, Three, int, int, int], ...] = (
    ("loops", (2, 1, 1), (8, 1, 1), 40, 16, 0), ("early", ONE, (16, 1, 1), 16, 16, 0), ("integers", ONE, (12, 1, 1), 12, 12, 0),
    ("casts", ONE, (12, 1, 1), 12, 12, 0), ("pointers", ONE, (4, 1, 1), 16, 4, 0), ("references", ONE, (8, 1, 1), 16, 8, 0),
    ("records", ONE, (8, 1, 1), 16, 8, 0), ("vectors", ONE, (4, 1, 1), 16, 16, 0), ("local_arrays", ONE, (6, 1, 1), 16, 6, 0),
    ("shared_tiles", ONE, (8, 8, 1), 64, 64, 512), ("exchanges", ONE, (32, 1, 1), 32, 32, 0), ("choices", ONE, (16, 1, 1), 16, 16, 0),
    ("lambdas", ONE, (8, 1, 1), 16, 8, 0), ("generic", ONE, (8, 1, 1), 16, 8, 0),
)


@pytest.mark.parametrize(("name", "grid", "block", "taken", "given", "dynamic"), [pytest.param(*row, id=row[0]) for row in KERNELS])
def test_memory_is_that_of_the_compiled_kernel(name: str, grid: Three, block: Three, taken: int, given: int, dynamic: int) -> None:
    program, x = parse_kernel("language.cu", SOURCE.read_text(encoding="utf-8"), name), numbers(taken)
    instance = Instance(grid, block, dynamic, {"x": Extent("x", taken, "input"), "y": Extent("y", given, "empty")}, {"n": taken})
    outcome = run(program, instance)
    assert outcome.fault is None and outcome.complete, str(outcome.fault)
    values = [lower(c, load_profile("ieee"), ()) for c in outcome.memory["y"] if c is not None]
    env = {v: np.array([x[int(v.name.partition("[")[2][:-1])]], F).view(np.uint32) for v in variables(*values)}
    found = np.array([int(a.reshape(-1)[0]) for a in evaluate(values, env)], np.uint32)
    functions, variables_ = compiled()
    result = launch(functions[name], [x, np.full(given, 1e30, F), taken], grid, block, shared_bytes=dynamic, variables=variables_)
    assert result.fault is None, str(result.fault)
    expected = result.memory[1]
    assert expected is not None and found.view(F).tolist() == expected.view(F).tolist() and found.tolist() == expected.view(np.uint32).tolist()
    assert len(set(found.tolist())) > min(given, 4) - 1


def test_every_kernel_is_run() -> None:
    assert {k[0] for k in KERNELS} | {"words"} == compiled()[0].keys()


def test_integers_in_memory() -> None:
    program = parse_kernel("language.cu", SOURCE.read_text(encoding="utf-8"), "words")
    assert [(p.type, p.sort == F32) for p in program.params] == [("const int*", False), ("int*", False), ("int", False)]
