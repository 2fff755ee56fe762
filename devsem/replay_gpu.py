"""A verdict's kernel on a real device: the machine code that NVRTC makes of it, launched as the emulator's runner is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from devsem.device import Device, Value
from devsem.emulator import Argument, Result
from devsem.emulator_words import Functions
from devsem.errors import Rejected, Rejection, Where
from devsem.frontend import nvrtc
from devsem.frontend.device_text import device_text
from devsem.frontend.ptx_ast import Function, Variable
from devsem.frontend.toolkits import choose_toolkit
from devsem.profile import Profile
from devsem.readings import Made, is_ptx, make


def made_for(path: Path, profile: Profile, toolkit: str | None) -> tuple[Made, nvrtc.Compiled]:
    """The kernel as compiled for the profile, and the machine code to launch; raises Rejected."""
    if is_ptx(path):
        raise Rejected(Rejection("cuda.ptx", Where(str(path)), "a PTX file is assembled by the driver, as no verdict knows", "replay it with --gpu emulator"))
    version = choose_toolkit(toolkit)
    made = make(path, device_text(path.read_bytes(), str(path)), profile, version)
    return made, nvrtc.Compiled(made.ptx, made.cubin, "", profile.arch, version, ())


def on_device(device: Device, code: nvrtc.Compiled) -> Callable[[Function, Sequence[Variable], Sequence[Argument], int, int, Functions], Result]:
    """What runs launches there. Approximate instructions are the device's own, so `functions` says nothing."""
    def run(function: Function, variables: Sequence[Variable], arguments: Sequence[Argument], grid: int, block: int, functions: Functions) -> Result:
        given = [_value(p, a) for p, a in zip(function.params, arguments, strict=True)]
        left = iter(device.run(code, function.name, given, grid, block).buffers)
        return Result(tuple(next(left) if isinstance(a, np.ndarray) else None for a in given), None, 0, 0, ())
    return run


def _value(param: Variable, given: Any) -> Value:
    """An argument with the parameter's own width."""
    if isinstance(given, np.ndarray):
        return given
    if param.type == "f32":
        return np.float32(given)
    size = int(param.type[1:])
    return np.array(int(given) % (1 << size), f"u{size // 8}")[()]
