"""Runs a refuted kernel's whole launch and looks whether it does what the verdict says: the witness's output, or the unsafe access.

The kernel is compiled again and bound to the spec again, as the verdict says that `verify` did. Launches
of several sizes put the witness at the first, the middle and the last element, among others that are ordinary and special numbers; every one must
then give the verdict's pattern, all NaNs taken as one. On the emulator, approximate instructions give the real functions' rounded values, or, where
the witness rests on documented bounds, one of the allowed ones. On a GPU they give what they give there, and nothing is run that the safety gate
did not pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from devsem.device import Device
from devsem.emulator import Argument, Result, launch
from devsem.emulator_words import Functions, nominal
from devsem.errors import Rejected, UsageError
from devsem.evaluate import canonical
from devsem.expr import const
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Variable
from devsem.frontend.spec import Spec
from devsem.goal import Binding, Launch, Sizes, bind, make_sizes, parse_launch
from devsem.profile import load_open
from devsem.program import Param
from devsem.readings import Compiled, read_compiled
from devsem.replay_gpu import made_for, on_device
from devsem.verdict import HexBound, Verdict, differ, sha256_of

Array = npt.NDArray[Any]
# a kernel, its module's arrays, arguments by position, blocks, threads a block, and what approximate instructions give
Runner = Callable[[Function, Sequence[Variable], Sequence[Argument], int, int, Functions], Result]
SIZES, BLOCK = (1, 33, 1000), 32
MOST = 1 << 20          # elements of a launch that is run here
STEPS = 100_000         # instructions one after another
WORLDS = 256            # combinations of documented values that are tried
OTHERS = (0x3F800000, 0xBF000000, 0x7F800000, 0x00000001, 0x80000000, 0x7FC12345, 0x41200000, 0xC2C80000)
SENTINEL = 0x4B5EED00


@dataclass(frozen=True)
class Replayed:
    """`agrees`, `differs`, or `not replayed` with the reason; the patterns that the verdict says and that were found, and the sizes run."""

    result: Literal["agrees", "differs", "not replayed"]
    reason: str = ""
    said: str = ""
    found: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()


def emulated(function: Function, variables: Sequence[Variable], arguments: Sequence[Argument], grid: int, block: int, functions: Functions) -> Result:
    """A launch without a device."""
    return launch(function, arguments, grid, block, variables=variables, functions=functions, limit=STEPS)


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel, and what its parameters are. `real`: it runs on a device, not on the emulator."""

    compiled: Compiled
    variables: tuple[Variable, ...]
    binding: Binding
    sizes: Sizes
    launch: Launch
    run: Runner
    real: bool = False

    def tensor(self, p: Param) -> str:
        """The name that a witness has for a buffer's elements before the launch."""
        return self.binding.inputs.get(p.name) or f"{p.name} before"

    def fitting(self, wanted: Sequence[int]) -> tuple[int, ...]:
        """The numbers of elements to launch for: those wanted, as far as the kernel's binding and launch leave them open."""
        if not self.sizes.size.is_var:
            return (self.sizes.size.value,)
        most = MOST if self.launch.blocks is None else self.launch.threads
        return tuple(dict.fromkeys(min(n, most) for n in wanted))

    def launched(self, n: int, buffers: Mapping[str, Array], functions: Functions, block: int = BLOCK) -> Result:
        """A launch on buffers by parameter."""
        arguments: list[Argument] = []
        for p in self.compiled.params:
            number = self.binding.numbers.get(p.name, 0.0)
            if p.is_buffer:
                arguments.append(buffers[p.name])
            elif p.type == "float":
                arguments.append(np.uint32(const(number).value).view(np.float32))
            else:
                arguments.append(n if p.name in self.binding.sizes else int(number != 0) if p.type == "bool" else int(number))
        blocks, size = (self.launch.blocks, self.launch.size) if self.launch.blocks is not None else (-(-n // block), block)
        return self.run(self.compiled.entry, self.variables, arguments, blocks, size, functions)

    @property
    def buffers(self) -> tuple[Param, ...]:
        """The parameters that are buffers."""
        return tuple(p for p in self.compiled.params if p.is_buffer)


def replay(verdict: Verdict, spec: Spec, device: Device | None = None) -> Replayed:
    """Run what a REFUTED verdict on compiled code is about, on the device, or on the emulator. `spec` is the verdict's, captured.

    Raises UsageError where a file is not the one that was decided, or the device cannot run the code."""
    if verdict.verdict != "REFUTED" or verdict.reading == "written":
        return Replayed("not replayed", "only a refutation of compiled code can be run")
    if device is not None and verdict.witness is None:
        return Replayed("not replayed", "what is unsafe is not run on a device: --gpu emulator shows it")
    same(verdict)
    path, launched, toolkit = Path(verdict.kernel), parse_launch(verdict.launch), verdict.toolkit or None
    profile = load_open(verdict.profile or verdict.device, verdict.flags)
    try:
        run: Runner = emulated
        if device is None:
            compiled = read_compiled(path, verdict.function, profile, toolkit)
        else:
            made, code = made_for(path, profile, toolkit)
            compiled = read_compiled(path, verdict.function, profile, toolkit, made)
            run = on_device(device, code)
        stores = compiled.admissible[0]
        binding = bind(compiled.params, spec, {s.buffer for s in stores.stores}, {x.buffer for x in stores.loads}, verdict.bind or None)
        variables = parse(compiled.ptx, verdict.kernel).variables
        kernel = Kernel(compiled, variables, binding, make_sizes(stores, spec, verdict.bind or None, launched), launched, run, device is not None)
        if not kernel.sizes.size.is_var and kernel.sizes.size.value > MOST:
            return Replayed("not replayed", f"{kernel.sizes.size.value} elements are more than {MOST}")
        return _witness(kernel, verdict) if verdict.witness is not None else _unsafe(kernel, verdict)
    except Rejected as rejected:
        return Replayed("not replayed", str(rejected.rejections[0]))


def same(verdict: Verdict) -> None:
    """Refuses a verdict whose kernel or spec is not there, or has changed since."""
    for what, name, digest in (("kernel", verdict.kernel, verdict.kernel_digest), ("spec", verdict.spec, verdict.spec_digest)):
        if not Path(name).is_file():
            raise UsageError(f"the verdict's {what} {name} is not there; start from the folder where it was decided")
        if sha256_of(Path(name)) != digest:
            raise UsageError(f"the {what} {name} is not the text that was decided: it has changed since, so verify it again")


# --- a witness ---


def _witness(kernel: Kernel, verdict: Verdict) -> Replayed:
    assert verdict.witness is not None
    said = int(canonical(np.array([int(verdict.witness.kernel, 16)], np.uint32))[0])
    values = {name: int(pattern, 16) for name, pattern in verdict.witness.inputs.items()}
    sizes = kernel.fitting(SIZES)
    last: tuple[str, ...] = ()
    worlds: Iterator[Functions] = iter(({},)) if kernel.real else islice(_worlds([b for b in verdict.bounds if b.function.startswith("D.")]), WORLDS)
    for functions in worlds:
        found = [_patterns(kernel, n, values, functions) for n in sizes]
        faults = [f for f in found if isinstance(f, str)]
        if faults:
            return Replayed("differs", faults[0], f"{said:#010x}", (), sizes)
        outputs = [set().union(*(f[name] for f in found if not isinstance(f, str))) for name in kernel.binding.outputs]
        if any(patterns == {said} for patterns in outputs):
            return Replayed("agrees", "", f"{said:#010x}", (f"{said:#010x}",), sizes)
        last = last or tuple(f"{p:#010x}" for patterns in outputs for p in sorted(patterns))
    if kernel.real and verdict.bounds:
        return _within(verdict, f"{said:#010x}", last, sizes)
    return Replayed("differs", "", f"{said:#010x}", last, sizes)


def _within(verdict: Verdict, said: str, found: tuple[str, ...], sizes: tuple[int, ...]) -> Replayed:
    """A device's own value where the verdict has one of those that the documents allow: what was refuted is that it is the spec's."""
    assert verdict.witness is not None
    exact = not any(b.function.startswith("S.") for b in verdict.bounds)
    if len(found) == 1 and exact and differ(found[0], verdict.witness.spec, verdict.equality):
        return Replayed("agrees", "the documents allow several values; the device's is another than the verdict's, and not the spec's", said, found, sizes)
    return Replayed("differs", "the witness rests on documented bounds, and this does not show that the device keeps them", said, found, sizes)


def _patterns(kernel: Kernel, n: int, values: Mapping[str, int], functions: Functions) -> dict[str, set[int]] | str:
    """What each output has where the witness is put; or the fault."""
    places = sorted({0, n // 2, n - 1})
    buffers = {}
    for k, p in enumerate(kernel.buffers):
        words = np.array([OTHERS[(3 * i + k) % len(OTHERS)] for i in range(n)], np.uint32)
        words[places] = values.get(kernel.tensor(p), SENTINEL)
        buffers[p.name] = words.view(np.float32)
    result = kernel.launched(n, buffers, functions)
    if result.fault is not None:
        return str(result.fault)
    after = dict(zip((p.name for p in kernel.compiled.params), result.memory, strict=True))
    return {name: set(canonical(_words(after[name])[places]).tolist()) for name in kernel.binding.outputs}


def _words(buffer: Array | None) -> Array:
    return np.zeros(0, np.uint32) if buffer is None else buffer.view(np.uint32)


def _worlds(bounds: Sequence[HexBound]) -> Iterator[Functions]:
    """The real functions rounded; then, at the arguments that the bounds name, every combination of what the documents allow: of an interval its ends."""
    yield {}
    points = [b for b in bounds if not b.upto]
    for combination in product(*(b.allowed or tuple(filter(None, (b.low, b.high))) for b in points)) if points else ():
        values = [(b.function, tuple(int(a, 16) for a in b.args), int(v, 16)) for b, v in zip(points, combination, strict=True)]
        yield {row: _at(row, [(args, value) for name, args, value in values if name == row]) for row in {b.function for b in points}}


def _at(row: str, points: Sequence[tuple[tuple[int, ...], int]]) -> Callable[..., Array]:
    """The nominal function with other values at some arguments."""
    def function(*args: Array) -> Array:
        out = nominal(row)(*args)
        for given, value in points:
            here = np.logical_and.reduce([canonical(np.asarray(a)) == g for a, g in zip(args, given, strict=True)])
            out = np.where(here, np.uint32(value), out)
        return out
    return function


# --- an unsafe access ---


def _unsafe(kernel: Kernel, verdict: Verdict) -> Replayed:
    """The launch of the safety gate's counterexample: a fault, or an element that keeps what it had, whatever that is."""
    case = dict(verdict.safety.counterexample or {})
    n, block = int(case.get("n", 1)), int(case.get("blockDim.x", BLOCK))
    said = str(case.get("condition", ""))
    if n > MOST:
        return Replayed("not replayed", f"{n} elements are more than {MOST}")
    kept, fault = set(kernel.binding.outputs), None
    for fill in (SENTINEL, SENTINEL + 1):
        result = kernel.launched(n, {p.name: _filled(kernel, p, n, case, fill) for p in kernel.buffers}, {}, block)
        fault = fault or result.fault
        after = dict(zip((p.name for p in kernel.compiled.params), result.memory, strict=True))
        kept = {name for name in kept if (_words(after[name]) == fill).any()}
    if "unwritten" in said or "no thread writes" in said:
        agrees, found = fault is None and case.get("buffer") in kept, "an element keeps what it had" if kept else "every element is written"
    elif fault is None and "two threads" in said:
        return Replayed("not replayed", "two writes of one value to one element change nothing", said, (), (n,))
    else:
        wanted = "out of bounds" if "out of bounds" in said else "race"
        agrees, found = fault is not None and fault.kind == wanted, fault.kind if fault else "no fault"
    return Replayed("agrees" if agrees else "differs", str(fault or ""), said, (found,), (n,))


def _filled(kernel: Kernel, p: Param, n: int, case: Mapping[str, str | int], fill: int) -> Array:
    """A buffer: what the counterexample says of it, `fill` for an output, else a number for each element."""
    if (given := case.get(kernel.tensor(p))) is not None:
        return np.full(n, int(str(given), 16), np.uint32).view(np.float32)
    if p.name in kernel.binding.outputs:
        return np.full(n, fill, np.uint32).view(np.float32)
    return (np.arange(n, dtype=np.uint32) * np.uint32(64) + np.uint32(0x3F800000)).view(np.float32)
