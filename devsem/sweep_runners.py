"""What a sweep runs a function on: this processor (`host`), the interpreter of PTX (`emulator`), or a GPU by its number (`device.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from devsem import sweep_host
from devsem.device import Device
from devsem.devices import open_device
from devsem.emulator import launch
from devsem.errors import Bug, UsageError
from devsem.frontend.nvrtc import Compiled, compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Instruction
from devsem.frontend.ptxas import machine
from devsem.profile import load_profile
from devsem.records import FUNCTIONS, INSTRUCTIONS, is_of

Bits = npt.NDArray[np.uint32]
BLOCK = 256
KERNELS = {1: """extern "C" __global__ void k(const float* x, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], r;
    {body}
    y[i] = r;
}}
""", 2: """extern "C" __global__ void k(const float* x, const float* w, float* y) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], u = w[i], r;
    {body}
    y[i] = r;
}}
"""}


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

    def key(self, function: str) -> str:
        """Everything that the function's results may depend on."""
        if self.gpu == "host":
            return f"host; {sweep_host.source(function)}"
        ran_on = (opened(self).identity.name, opened(self).identity.driver) if self.on_gpu else ()
        return "; ".join((self.gpu, self.device, self.flags, self.toolkit, build(self, function), *ran_on))


def make_runner(runner: Runner, function: str) -> Callable[..., Bits]:
    """The function on patterns, an array for each argument; UsageError where this place cannot run it."""
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
    if found.identity.runner != "gpu":
        raise Bug(f"device {runner.gpu} is no GPU: {found.identity}")
    if found.identity.arch != arch:
        raise UsageError(f"device {runner.gpu} is {found.identity.name}, {found.identity.arch}, and the profile {runner.device} is of "
                         f"{arch or 'no architecture'}: name its profile with --device")
    if not is_of(load_profile(runner.device), found.identity.name):
        raise UsageError(f"device {runner.gpu} is {found.identity.name}, which is not what the profile {runner.device} is of: name its profile with --device")
    return found


def kernel(function: str) -> str:
    """CUDA text of a kernel that applies the function, or the PTX instruction, to every element."""
    arguments = FUNCTIONS[function]
    given, names = ('"f"(v)', "v") if arguments == 1 else ('"f"(v), "f"(u)', "v, u")
    operands = ", ".join(f"%{n}" for n in range(arguments + 1))
    body = f'asm("{function} {operands};" : "=f"(r) : {given});' if function in INSTRUCTIONS else f"r = {function}({names});"
    return KERNELS[arguments].format(body=body)


def build(runner: Runner, function: str) -> str:
    """Which build of NVRTC makes the function, as its PTX says: 13.0.88."""
    found = re.search(r"Cuda compilation tools, release \S+, V([\d.]+)", _compiled(runner, function).ptx)
    if found is None:
        raise Bug(f"the PTX of NVRTC {runner.toolkit} does not name its build")
    return found[1]


@cache
def _compiled(runner: Runner, function: str) -> Compiled:
    profile = load_profile(runner.device, runner.flags)
    return compile_device(kernel(function), file="sweep.cu", arch=profile.arch, options=nvrtc_options(profile.flags), toolkit=runner.toolkit)


def _padded(patterns: tuple[Bits, ...]) -> tuple[int, list[Bits]]:
    """How many blocks the patterns take, and the patterns with what fills the last one, and room for the results."""
    blocks = -(-len(patterns[0]) // BLOCK)
    rest = np.zeros(blocks * BLOCK - len(patterns[0]), np.uint32)
    return blocks, [*(np.concatenate([p, rest]) for p in patterns), np.zeros(blocks * BLOCK, np.uint32)]


@cache
def _on_gpu(runner: Runner, function: str) -> Callable[..., Bits]:
    made, device = _compiled(runner, function), opened(runner)

    def run(*patterns: Bits) -> Bits:
        blocks, buffers = _padded(patterns)
        return np.asarray(device.run(made, "k", buffers, blocks, BLOCK).buffers[-1], np.uint32)[:len(patterns[0])]
    return run


@cache
def _emulated(runner: Runner, function: str) -> Callable[..., Bits]:
    profile, made = load_profile(runner.device, runner.flags), _compiled(runner, function)
    module = parse(made.ptx, "sweep.ptx")
    predicted = machine(module.functions[0], arch=profile.arch, fmad=profile.contract)
    if predicted.sites:
        raise UsageError(f"ptxas may build {function} in several ways, so the emulator cannot say what it gives")
    undefined = sorted({i.mnemonic for i in predicted.function.body if isinstance(i, Instruction)} & INSTRUCTIONS.keys())
    if undefined:
        inside = "" if undefined == [function] else f", of which {function} is made,"
        raise UsageError(f"the emulator has no values for {', '.join(undefined)}{inside} since PTX gives only a bound; --gpu 0 runs it on a device")

    def run(*patterns: Bits) -> Bits:
        blocks, buffers = _padded(patterns)
        out = launch(predicted.function, buffers, blocks, BLOCK, variables=module.variables, races=False)
        if out.fault is not None or out.memory[-1] is None:
            raise UsageError(f"the emulator stopped: {out.fault}")
        return np.asarray(out.memory[-1], np.uint32)[:len(patterns[0])]
    return run
