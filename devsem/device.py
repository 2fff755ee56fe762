"""Where a compiled kernel can be run: a GPU, the emulator, or this processor's own arithmetic; one interface for all three.

An NVIDIA device is in device_cuda.py, the processor in device_host.py; devices.py chooses.

>>> Emulator("sm_90").identity.runner
'emulator'
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from devsem.behaviour import DOCUMENTED, Behaviour
from devsem.emulator import launch
from devsem.errors import Bug
from devsem.frontend.nvrtc import Compiled
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function
from devsem.frontend.ptxas import machine

Array = npt.NDArray[Any]
Value = Array | np.generic
Runner = Literal["gpu", "emulator", "host"]


@dataclass(frozen=True)
class Identity:
    """What was run on. `arch`: for which code was compiled; `capability`: the device's own, as "9.0"; `driver`: its version, as "13.0"; both empty
    where there is no GPU."""

    runner: Runner
    name: str
    arch: str
    capability: str = ""
    driver: str = ""


@dataclass(frozen=True)
class Ran:
    """What a launch left: every buffer, in the order given; whether the values of some instruction are not this device's; milliseconds on a GPU."""

    buffers: tuple[Array, ...]
    notes: tuple[str, ...] = ()
    milliseconds: float | None = None


class Device(Protocol):
    """Something that runs kernels."""

    @property
    def identity(self) -> Identity:
        """What it is."""

    def lacks(self, flags: str) -> str:
        """Why code compiled with these flags says nothing here; empty if it does."""

    def run(self, code: Compiled, kernel: str, arguments: Sequence[Value], grid: int, block: int) -> Ran:
        """Launch a kernel on buffers (arrays, which are copied) and numbers (of the parameter's own width); raises UsageError for what the device
        cannot do."""


@functools.lru_cache(maxsize=64)
def _functions(ptx: str, arch: str, fmad: bool) -> dict[str, Function]:
    """The module's kernels as ptxas is predicted to make them."""
    return {f.name: machine(f, arch=arch, fmad=fmad).function for f in parse(ptx, "probe.ptx").functions}


@dataclass(frozen=True)
class Emulator:
    """The emulator under a behaviour. `fuses` False: ptxas contracts nothing, though it may."""

    arch: str
    behaviour: Behaviour = DOCUMENTED
    fuses: bool = True
    identity: Identity = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "identity", Identity("emulator", "PTX emulator", self.arch))

    def lacks(self, flags: str) -> str:
        """Nothing: every instruction of the table has its meaning."""
        return ""

    def run(self, code: Compiled, kernel: str, arguments: Sequence[Value], grid: int, block: int) -> Ran:
        """A launch without a device."""
        return emulated(code, kernel, arguments, grid, block, self.behaviour, self.fuses)


def predicted(code: Compiled, kernel: str, fuses: bool = True) -> Function:
    """The kernel as ptxas is predicted to make it."""
    return _functions(code.ptx, code.arch, fuses and "--fmad=false" not in code.options)[kernel]


def emulated(code: Compiled, kernel: str, arguments: Sequence[Value], grid: int, block: int, behaviour: Behaviour, fuses: bool = True) -> Ran:
    """A launch of the code's PTX under a behaviour, with ptxas' predicted contraction."""
    function = predicted(code, kernel, fuses)
    result = launch(function, list(arguments), grid, block, behaviour=behaviour, races=False)
    if result.fault is not None:
        raise Bug(f"the probe {kernel} goes wrong: {result.fault}")
    return Ran(tuple(b for b in result.memory if b is not None), result.notes)
