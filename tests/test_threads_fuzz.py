"""Random kernels: what memory holds after `threads.run` of the front end's reading, against the PTX emulator on the same text with -fmad=false."""

from __future__ import annotations

import numpy as np
import pytest
import threads_fuzz
from draw import seed

from devsem.emulator import launch
from devsem.errors import Rejected
from devsem.evaluate import canonical, evaluate
from devsem.expr import variables
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.instance import Extent, Instance
from devsem.lower import lower
from devsem.profile import load_profile
from devsem.threads import run

SIZE = threads_fuzz.THREADS * threads_fuzz.CELLS


def agrees(draw: int) -> bool:
    """False where the emulator does not know an instruction; asserts the rest."""
    text = threads_fuzz.text(draw)
    program = parse_kernel("k.cu", text)
    instance = Instance((1, 1, 1), (32, 1, 1), 0, {"x": Extent("x", SIZE, "input"), "y": Extent("y", SIZE, "empty")}, {"n": 5})
    outcome = run(program, instance)
    assert outcome.fault is None, f"{outcome.fault}\n{text}"
    x = (np.random.default_rng(draw).standard_normal(SIZE) * 4).astype(np.float32)
    made = compile_device(text, file="k.cu", arch="sm_90", options=nvrtc_options("-fmad=false"))
    try:
        result = launch(parse(made.ptx, "k.ptx").functions[0], [x, np.zeros(SIZE, np.float32), 5], 1, 32)
    except Rejected as refused:
        assert {r.code for r in refused.rejections} == {"ptx.instruction"}
        return False
    assert result.fault is None and result.memory[1] is not None, f"{result.fault}\n{text}"
    values = [lower(v, load_profile("ieee"), ()) for v in outcome.memory["y"] if v is not None]
    env = {v: x[[int(v.name[2:-1])]].view(np.uint32) for v in variables(*values)}
    found = np.array([int(a.reshape(-1)[0]) for a in evaluate(values, env)], np.uint32)
    assert canonical(found).tolist() == canonical(result.memory[1].view(np.uint32)).tolist(), text
    return True


def test_random_kernels_leave_what_the_compiled_ones_leave() -> None:
    assert sum(agrees(seed() + draw) for draw in range(4)) >= 1


@pytest.mark.slow
def test_many_random_kernels_leave_what_the_compiled_ones_leave() -> None:
    assert sum(agrees(1000 * seed() + draw) for draw in range(150)) >= 100
