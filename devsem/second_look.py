"""A second look at a PROVED: the compiled kernel, run by the PTX emulator on some inputs, has to leave what the specification says.

The second path reads the text; what the compiler makes of it is compared here, on a few inputs, and for one launch. Agreement proves nothing
and is only noted; a difference puts the reading of the text in doubt, so that nothing is PROVED.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from devsem.decide import Decision
from devsem.emulator import Argument, launch
from devsem.errors import Rejected, UsageError
from devsem.evaluate import canonical
from devsem.expr import Expr
from devsem.frontend.device_text import device_text
from devsem.frontend.mangled import entry_name
from devsem.frontend.nvrtc import Compiled, compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptxas import machine
from devsem.instance import Instance
from devsem.ops import OPS
from devsem.profile import Profile
from devsem.program import Program

Words = npt.NDArray[np.uint32]
Memory = dict[str, Words]
Wanted = Callable[[Mapping[str, Words], Mapping[str, int]], Mapping[str, Words]]
SETS, STEPS, MOST_THREADS = 3, 200_000, 1 << 13
SPECIAL = np.array([0, 0x80000000, 1, 0x80000001, 0x007FFFFF, 0x00800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF, 0x3F800001, 0x4B800001], np.uint32)
UNWRITTEN = 0x7FC0BEEF


@dataclass(frozen=True)
class Look:
    """What came of it, in a sentence."""

    result: Literal["agrees", "differs", "not run"]
    reason: str


@dataclass(frozen=True)
class Text:
    """A CUDA text with its launches, one after the other; `tensors`: what the specification calls the launches' tensors."""

    text: bytes
    file: str
    launches: tuple[tuple[Program, Instance], ...]
    tensors: Mapping[str, str] = field(default_factory=dict)

    def called(self, tensor: str) -> str:
        """The specification's name of a tensor."""
        return self.tensors.get(tensor, tensor)


def look(kernel: Text, wanted: Wanted, profile: Profile, toolkit: str | None) -> Look:
    """Compile and run. `wanted`: from the inputs and the float parameters, what the outputs must be, by tensor."""
    if not profile.arch:
        return Look("not run", f"{profile.name} is no device, so nothing is compiled")
    threads = sum(i.blocks * i.threads for _, i in kernel.launches)
    if threads > MOST_THREADS:
        return Look("not run", f"{threads} threads are more than the emulator is given")
    try:
        made = compiled(kernel, profile, toolkit)
        for number in range(SETS):
            inputs, numbers = drawn(kernel, number)
            left = run(kernel, made, profile, inputs, numbers)
            for tensor, cells in wanted(inputs, numbers).items():
                found = _difference(left[tensor], cells)
                if found is not None:
                    i, got, said = found
                    return Look("differs", f"the compiled code (NVRTC {made.toolkit} for {made.arch}) leaves {got:#010x} in {tensor}[{i}], where the "
                                           f"specification says {said:#010x}, on the inputs of set {number}: the reading of the text is in doubt")
    except Rejected as refused:
        return Look("not run", f"the compiled code is not run: {refused.rejections[0]}")
    except UsageError as error:
        return Look("not run", f"the compiled code is not run: {error}")
    return Look("agrees", f"beside the theorem, the compiled code (NVRTC {made.toolkit} for {made.arch}, run by devsem's emulator) gives the same on "
                          f"{SETS} sets of inputs")


def _difference(got: Words, said: Words) -> tuple[int, int, int] | None:
    """The first cell that differs, all NaNs being one."""
    a, b = canonical(got), canonical(said)
    at = np.flatnonzero(a != b)
    return (int(at[0]), int(a[at[0]]), int(b[at[0]])) if len(at) else None


def compiled(kernel: Text, profile: Profile, toolkit: str | None) -> Compiled:
    """The text as NVRTC makes it for the profile's architecture and flags."""
    return compile_device(device_text(kernel.text, kernel.file), file=kernel.file, arch=profile.arch, options=nvrtc_options(profile.flags), toolkit=toolkit)


def drawn(kernel: Text, number: int) -> tuple[Memory, dict[str, int]]:
    """Inputs: moderate numbers with special ones among them, the same for the same tensors and number."""
    rng = np.random.default_rng([number, len(kernel.launches)])
    inputs: Memory = {}
    numbers: dict[str, int] = {}
    for _, instance in kernel.launches:
        for extent in instance.buffers.values():
            name = kernel.called(extent.tensor)
            if extent.initial == "input" and name not in inputs:
                plain = rng.integers(0x3D000000, 0x42000000, extent.elements, np.uint32) | rng.integers(0, 2, extent.elements, np.uint32) << np.uint32(31)
                inputs[name] = np.where(rng.random(extent.elements) < 0.15 * number, rng.choice(SPECIAL, extent.elements), plain).astype(np.uint32)
        for given in instance.scalars.values():
            if isinstance(given, Expr) and given.is_var and given.name not in numbers:
                numbers[given.name] = int(rng.integers(0x3D000000, 0x42000000))
    return inputs, numbers


def run(kernel: Text, made: Compiled, profile: Profile, inputs: Mapping[str, Words], numbers: Mapping[str, int]) -> Memory:
    """The memory after the launches, by the specification's names. Raises Rejected and UsageError."""
    module = parse(made.ptx, f"{kernel.file}.ptx")
    memory: Memory = {}
    for program, instance in kernel.launches:
        name = entry_name((f.name for f in module.functions if f.body), program.function)
        predicted = machine(next(f for f in module.functions if f.name == name), arch=made.arch, fmad=profile.contract)
        if predicted.limits:
            raise UsageError("which products ptxas fuses is not known for it")
        arguments: list[Argument] = []
        for q in program.params:
            if q.is_buffer:
                extent = instance.buffers[q.name]
                known = kernel.called(extent.tensor)
                if known not in memory:
                    given = extent.initial == "input" and known in inputs
                    start = 0 if extent.initial == "zeros" else UNWRITTEN
                    memory[known] = inputs[known].copy() if given else np.full(extent.elements, start, np.uint32)
                arguments.append(memory[known])
            else:
                arguments.append(_scalar(instance.scalars[q.name], numbers))
        done = launch(predicted.function, arguments, instance.grid, instance.block, shared_bytes=instance.shared_bytes, variables=module.variables, limit=STEPS)
        if done.fault is not None:
            raise UsageError(f"the emulator stops at {done.fault}")
        for q, left in zip(program.params, done.memory, strict=True):
            if left is not None:
                memory[kernel.called(instance.buffers[q.name].tensor)] = left.view(np.uint32)
    return memory


def _scalar(given: int | Expr, numbers: Mapping[str, int]) -> Argument:
    if isinstance(given, int):
        return given
    pattern = given.value if given.is_const else numbers[given.name]
    return np.array(pattern, np.uint32).view(np.float32)[()]


def settled(decision: Decision, second: Callable[[], Look]) -> Decision:
    """The decision after a second look at what would be PROVED."""
    if decision.verdict != "PROVED":
        return decision
    found = second()
    if found.result == "differs":
        return replace(decision, verdict="OPEN", reason=found.reason, theorem="", obligations=())
    return replace(decision, assumptions=(*decision.assumptions, found.reason))


def is_plain_value(nodes: Sequence[Expr]) -> bool:
    """Do values rest on operations alone that a standard fixes?"""
    return all(not n.args or OPS[n.op].kind == "exact" for n in nodes)
