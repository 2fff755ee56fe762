"""Does the compiled kernel do the same wrong? A counterexample, run again by the PTX emulator, which shares nothing with `threads.run`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from devsem.emulator import Argument, Result, launch
from devsem.errors import Rejected, UsageError
from devsem.expr import Expr
from devsem.frontend.device_text import device_text
from devsem.frontend.mangled import entry_name
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Module
from devsem.instance import Instance
from devsem.program import Program
from devsem.threads import LaunchFault

Words = npt.NDArray[np.uint32]
EMPTY = 0x7FC0BEEF          # what is in memory that nothing has written
OTHER = 0x3F800000          # what a number is that does not matter: 1.0
SAME = {"absent thread": "shuffle"}
MOST = 1 << 22              # elements of a buffer
STEPS = 200_000
UNSEEN = ("division", "shift", "step limit")


@dataclass(frozen=True)
class Confirmed:
    """`agrees`: the compiled kernel does it too. `differs`: it does not, in this order of threads. `not run`: why it could not be tried."""

    result: Literal["agrees", "differs", "not run"]
    reason: str


def confirm(launches: Sequence[tuple[Program, Instance]], fault: LaunchFault, source: bytes, file: str, *, arch: str = "sm_90", flags: str = "") -> Confirmed:
    """Compile the text with NVRTC and run the launches, one after the other, with the fault's float inputs."""
    if fault.kind in UNSEEN:
        return Confirmed("not run", f"a compiled kernel does not show a {fault.kind}")
    try:
        made = compile_device(device_text(source, file), file=file, arch=arch, options=nvrtc_options(flags))
        module = parse(made.ptx, file)
        return _judged(launches, fault, module)
    except Rejected as refused:
        return Confirmed("not run", str(refused.rejections[0]))
    except UsageError as error:
        return Confirmed("not run", str(error))


def _judged(launches: Sequence[tuple[Program, Instance]], fault: LaunchFault, module: Module) -> Confirmed:
    memory: dict[str, Words] = {}
    for program, instance in launches:
        if any(e.elements > MOST for e in instance.buffers.values()):
            return Confirmed("not run", f"a buffer has more than {MOST} elements")
        found = _run(program, instance, fault, module, memory).fault
        if found is None:
            continue
        what = f"the compiled kernel: {found.kind}: thread {found.thread} of block {found.block} {found.what}"
        return Confirmed("agrees" if SAME.get(found.kind, found.kind) == fault.kind else "differs", what)
    if fault.kind == "unwritten":
        tensor = next(i.buffers[fault.buffer].tensor for _, i in reversed(launches) if fault.buffer in i.buffers)
        kept = int(memory[tensor][fault.index]) == EMPTY
        return Confirmed("agrees" if kept else "differs", f"the compiled kernel {'leaves' if kept else 'does write'} {fault.buffer}[{fault.index}]")
    return Confirmed("differs", "the compiled kernel shows no fault")


def _run(program: Program, instance: Instance, fault: LaunchFault, module: Module, memory: dict[str, Words]) -> Result:
    """One launch; buffers that two parameters share are one only if they name one tensor, which the emulator takes apart: refused."""
    tensors = [instance.buffers[q.name].tensor for q in program.params if q.is_buffer]
    if len(set(tensors)) < len(tensors):
        raise UsageError("two parameters are one tensor")
    name = entry_name((f.name for f in module.functions if f.body), program.function)
    function = next(f for f in module.functions if f.name == name)
    arguments: list[Argument] = []
    for q in program.params:
        if q.is_buffer:
            extent = instance.buffers[q.name]
            if extent.tensor not in memory:
                # inputs that do not matter differ from one another, since two writes of one value are no race to the emulator
                memory[extent.tensor] = np.arange(1, extent.elements + 1, dtype=np.float32).view(np.uint32) if extent.initial == "input" else \
                    np.full(extent.elements, 0 if extent.initial == "zeros" else EMPTY, np.uint32)
                for i in range(extent.elements if fault.inputs and extent.initial == "input" else 0):
                    memory[extent.tensor][i] = fault.inputs.get(f"{extent.tensor}[{i}]", OTHER)
            arguments.append(memory[extent.tensor])
        else:
            arguments.append(_scalar(instance.scalars[q.name], fault))
    result = launch(function, arguments, instance.grid, instance.block, shared_bytes=instance.shared_bytes, variables=module.variables, limit=STEPS)
    for q, left in zip(program.params, result.memory, strict=True):
        if left is not None:
            memory[instance.buffers[q.name].tensor] = left.view(np.uint32)
    return result


def _scalar(given: int | Expr, fault: LaunchFault) -> Argument:
    """A scalar argument."""
    if isinstance(given, int):
        return given
    pattern = given.value if given.is_const else fault.inputs.get(given.name, OTHER)
    return np.array(pattern, np.uint32).view(np.float32)[()]
