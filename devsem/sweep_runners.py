"""What a sweep runs a function on: this processor (`host`), the interpreter of PTX (`emulator`), or a GPU by its number (`device.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from devsem import sweep_host
from devsem.device import Device
from devsem.devices import open_device
from devsem.emulator import launch
from devsem.errors import UsageError
from devsem.frontend.nvrtc import Compiled, compile_device, nvrtc_options
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
    """Where a function runs, and for compiled code what compiles it; of a GPU, `device` is the profile that it belongs to."""

    gpu: str
    device: str = "h100"
    flags: str = ""
    toolkit: str = ""

    @property
    def on_gpu(self) -> bool:
        """Is it a GPU?"""
        return self.gpu.isdecimal()

    @property
    def key(self) -> str:
        """Everything that the results may depend on."""
        if self.gpu == "host":
            return "; ".join(("host", sweep_host.processor(), f"numpy {np.__version__}"))
        ran_on = (opened(self).identity.name, opened(self).identity.driver) if self.on_gpu else ()
        return "; ".join((self.gpu, self.device, self.flags, self.toolkit, *ran_on))


def make_runner(runner: Runner, function: str) -> Callable[[Bits], Bits]:
    """The function on patterns; UsageError where this place cannot run it."""
    if runner.gpu == "host":
        return sweep_host.host_function(function)
    if runner.gpu == "emulator":
        return _emulated(runner, function)
    if runner.on_gpu:
        return _on_gpu(runner, function)
    raise UsageError(f"--gpu is host, emulator or the number of a device, not {runner.gpu!r}")


@cache
def opened(runner: Runner) -> Device:
    """The GPU; UsageError where there is none, or where it is no device of the profile's architecture."""
    arch = load_profile(runner.device).arch
    found = open_device(runner.gpu, arch)
    if found.identity.arch != arch:
        raise UsageError(f"device {runner.gpu} is {found.identity.name}, {found.identity.arch}, and the profile {runner.device} is of "
                         f"{arch or 'no architecture'}: name its profile with --device")
    return found


def kernel(function: str) -> str:
    """CUDA text of a kernel that applies the function, or the PTX instruction, to every element."""
    body = f'asm("{function} %0, %1;" : "=f"(r) : "f"(v));' if function in INSTRUCTIONS else f"r = {function}(v);"
    return KERNEL.format(body=body)


def _compiled(runner: Runner, function: str) -> Compiled:
    profile = load_profile(runner.device, runner.flags)
    return compile_device(kernel(function), file="sweep.cu", arch=profile.arch, options=nvrtc_options(profile.flags), toolkit=runner.toolkit)


def _blocks(patterns: Bits) -> tuple[int, Bits]:
    """How many blocks the patterns take, and the patterns with what fills the last one."""
    blocks = -(-len(patterns) // BLOCK)
    return blocks, np.concatenate([patterns, np.zeros(blocks * BLOCK - len(patterns), np.uint32)])


@cache
def _on_gpu(runner: Runner, function: str) -> Callable[[Bits], Bits]:
    made, device = _compiled(runner, function), opened(runner)

    def run(patterns: Bits) -> Bits:
        blocks, padded = _blocks(patterns)
        return np.asarray(device.run(made, "k", [padded, np.zeros_like(padded)], blocks, BLOCK).buffers[1], np.uint32)[:len(patterns)]
    return run


@cache
def _emulated(runner: Runner, function: str) -> Callable[[Bits], Bits]:
    profile, made = load_profile(runner.device, runner.flags), _compiled(runner, function)
    module = parse(made.ptx, "sweep.ptx")
    predicted = machine(module.functions[0], arch=profile.arch, fmad=profile.contract)
    if predicted.sites:
        raise UsageError(f"ptxas may build {function} in several ways, so the emulator cannot say what it gives")

    def run(patterns: Bits) -> Bits:
        blocks, padded = _blocks(patterns)
        out = launch(predicted.function, [padded, np.zeros_like(padded)], blocks, BLOCK, variables=module.variables, races=False)
        if out.fault is not None or out.memory[1] is None:
            raise UsageError(f"the emulator stopped: {out.fault}")
        return np.asarray(out.memory[1], np.uint32)[:len(patterns)]
    return run
