"""What a sweep runs a function on: this processor (`host`), or the interpreter of PTX (`emulator`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from devsem import sweep_host
from devsem.emulator import launch
from devsem.errors import UsageError
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptxas import machine
from devsem.profile import load_profile
from devsem.records import INSTRUCTIONS

Bits = npt.NDArray[np.uint32]
BLOCK = 256
KERNEL = """extern "C" __global__ void k(const float* x, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], r;
    {body}
    y[i] = r;
}}
"""


@dataclass(frozen=True)
class Runner:
    """Where a function runs, and for an interpreter of compiled code what compiles it."""

    gpu: str
    device: str = "h100"
    flags: str = ""
    toolkit: str = ""

    @property
    def key(self) -> str:
        """Everything that the results may depend on."""
        return "; ".join(("host", sweep_host.processor(), f"numpy {np.__version__}") if self.gpu == "host" else
                         (self.gpu, self.device, self.flags, self.toolkit))


def make_runner(runner: Runner, function: str) -> Callable[[Bits], Bits]:
    """The function on patterns; UsageError where this place cannot run it."""
    if runner.gpu == "host":
        return sweep_host.host_function(function)
    if runner.gpu == "emulator":
        return _emulated(runner, function)
    raise UsageError(f"--gpu is host or emulator, not {runner.gpu!r}: running a sweep on a device is not built yet")


def kernel(function: str) -> str:
    """CUDA text of a kernel that applies the function, or the PTX instruction, to every element."""
    body = f'asm("{function} %0, %1;" : "=f"(r) : "f"(v));' if function in INSTRUCTIONS else f"r = {function}(v);"
    return KERNEL.format(body=body)


@cache
def _emulated(runner: Runner, function: str) -> Callable[[Bits], Bits]:
    profile = load_profile(runner.device, runner.flags)
    made = compile_device(kernel(function), file="sweep.cu", arch=profile.arch, options=nvrtc_options(profile.flags), toolkit=runner.toolkit)
    module = parse(made.ptx, "sweep.ptx")
    predicted = machine(module.functions[0], arch=profile.arch, fmad=profile.contract)
    if predicted.sites:
        raise UsageError(f"ptxas may build {function} in several ways, so the emulator cannot say what it gives")

    def run(patterns: Bits) -> Bits:
        blocks = -(-len(patterns) // BLOCK)
        padded = np.concatenate([patterns, np.zeros(blocks * BLOCK - len(patterns), np.uint32)])
        out = launch(predicted.function, [padded, np.zeros_like(padded)], blocks, BLOCK, variables=module.variables, races=False)
        if out.fault is not None or out.memory[1] is None:
            raise UsageError(f"the emulator stopped: {out.fault}")
        return np.asarray(out.memory[1], np.uint32)[:len(patterns)]
    return run
