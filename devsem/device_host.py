"""This processor as a device: every arithmetic operation of a kernel's PTX is done by its own Float32 instructions, through numpy and the C library.

Control flow, moves, choices and integers are the emulator's. `neg` and `abs` are sums with -0, as machine code for GPUs has them. What the
C language leaves undefined (a NaN or a number out of range as an integer) is PTX's definition, so that nothing is said of it. A NaN keeps
the bits that the processor gives. With `flushing`, MXCSR has FTZ and DAZ set while an operation runs: x86-64 with glibc only.
"""

from __future__ import annotations

import ctypes
import platform
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.behaviour import Behaviour
from devsem.device import Identity, Ran, Value, emulated, predicted
from devsem.emulator_only import narrowed, widened
from devsem.errors import UsageError
from devsem.flags import effects
from devsem.frontend.nvrtc import Compiled
from devsem.ops import BOOL, OPS

Array = npt.NDArray[Any]
Function = Callable[..., Array]
FENV, MXCSR, FLUSH = 32, 28, 0x8040      # bytes of glibc's fenv_t on x86-64, where MXCSR is in it, and its bits FTZ and DAZ
F = np.float32
ZERO = F(-0.0)


def _fma(a: Array, b: Array, c: Array) -> Array:
    """The C library's fmaf, one after another."""
    fmaf = ctypes.CDLL("libm.so.6" if platform.system() == "Linux" else None).fmaf
    fmaf.argtypes, fmaf.restype = (ctypes.c_float,) * 3, ctypes.c_float
    rows = np.broadcast_arrays(a, b, c)
    return np.array([fmaf(*row) for row in zip(*(r.tolist() for r in rows), strict=True)], F)


def _unordered(f: Function) -> Function:
    return lambda a, b: np.isnan(a) | np.isnan(b) | f(a, b)


ROWS: dict[str, Function] = {
    "add_rn": np.add, "sub_rn": np.subtract, "mul_rn": np.multiply, "div_rn": np.divide, "sqrt_rn": np.sqrt, "fma_rn": _fma,
    "neg": lambda a: np.subtract(ZERO, a), "abs": lambda a: np.add(np.abs(a), ZERO),
    "floor": np.floor, "ceil": np.ceil, "rint": np.rint, "trunc": np.trunc, "min_num": np.fmin, "max_num": np.fmax,
    "lt": np.less, "le": np.less_equal, "eq": np.equal,
    "lt_u": _unordered(np.less), "le_u": _unordered(np.less_equal), "eq_u": _unordered(np.equal),
}
FOREIGN = re.compile(r"(?:atom|red)\..*|cvt\..*\bf16\b.*")      # what is done here without this processor's instructions
WHOLE = {"rn": np.rint, "rz": np.trunc, "rm": np.floor, "rp": np.ceil}
RANGES = {"s32": (-2.0 ** 31, 2.0 ** 31), "u32": (0.0, 2.0 ** 32)}


@contextmanager
def _mode(flushing: bool) -> Iterator[None]:
    """This thread's operations flush, or as they were."""
    if not flushing:
        yield
        return
    library = ctypes.CDLL(None)
    before = ctypes.create_string_buffer(FENV)
    library.fegetenv(before)
    word = int.from_bytes(before.raw[MXCSR:FENV], "little") | FLUSH
    library.fesetenv(ctypes.create_string_buffer(before.raw[:MXCSR] + word.to_bytes(4, "little"), FENV))
    try:
        yield
    finally:
        library.fesetenv(before)


def _native(name: str, flushing: bool) -> Function:
    """A row of `ops.py` on patterns, by the processor."""
    def function(*args: Array) -> Array:
        numbers = [np.ascontiguousarray(a).view(F) for a in args]
        with np.errstate(all="ignore"), _mode(flushing):
            found = np.asarray(ROWS[name](*numbers))
        return found if OPS[name].out == BOOL else np.ascontiguousarray(found, F).view(np.uint32)
    return function


def _to_word(to: str, mode: str, flushing: bool) -> Function:
    """A conversion to an integer: the processor's where C defines it."""
    low, high = RANGES[to]
    row = OPS[f"f32_to_{to}_{mode}"]

    def function(a: Array) -> Array:
        assert row.eval is not None
        with np.errstate(all="ignore"), _mode(flushing):
            whole = WHOLE[mode](np.ascontiguousarray(a).view(F))
            inside = (whole >= low) & (whole < high)
            found = np.where(inside, whole, F(0)).astype(np.int64)
        return np.where(inside, (found & 0xFFFFFFFF).astype(np.uint32), row.eval(a))
    return function


def _from_word(a: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(a).view(np.int32).astype(F).view(np.uint32)


def _in_mode(f: Function, flushing: bool, a: Array) -> Array:
    """A function of bits that is one instruction of the processor."""
    with _mode(flushing):
        return f(np.ascontiguousarray(a))


def native(flushing: bool) -> Behaviour:
    """What the emulator does with each operation, where this processor does it."""
    rows = {name: _native(name, flushing) for name in ROWS}
    rows.update({f"f32_to_{to}_{mode}": _to_word(to, mode, flushing) for to in RANGES for mode in WHOLE})
    rows.update({name: partial(_in_mode, f, flushing) for name, f in (("f64_to_f32_rn", narrowed), ("f32_to_f64", widened))})
    return Behaviour(rows={**rows, "s32_to_f32_rn": _from_word}, own_nans=True)


@dataclass(frozen=True)
class Host:
    """This processor, for code of an architecture."""

    arch: str
    flushing: bool = False
    identity: Identity = field(init=False)
    behaviour: Behaviour = field(init=False)

    def __post_init__(self) -> None:
        if self.flushing and (platform.machine(), platform.libc_ver()[0]) != ("x86_64", "glibc"):
            raise UsageError("host:ftz sets MXCSR through glibc, so it needs Linux on x86-64; take --gpu host")
        mode = ", FTZ and DAZ set" if self.flushing else ""
        object.__setattr__(self, "identity", Identity("host", f"host processor {processor()}{mode}", self.arch))
        object.__setattr__(self, "behaviour", native(self.flushing))

    def lacks(self, flags: str) -> str:
        """A processor has a flush mode, and no instructions that flush apart from it."""
        flushing = effects(flags).get("ftz")
        return "this processor has no instructions that flush by themselves" if flushing is not None and flushing.value else ""

    def run(self, code: Compiled, kernel: str, arguments: Sequence[Value], grid: int, block: int) -> Ran:
        """A launch whose operations this processor does, as far as it has them."""
        ran = emulated(code, kernel, arguments, grid, block, self.behaviour)
        foreign = dict.fromkeys(i.mnemonic for i in predicted(code, kernel).instructions() if FOREIGN.fullmatch(i.mnemonic))
        return replace(ran, notes=(*ran.notes, *foreign))


def processor() -> str:
    """The processor's name, by the system."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or platform.machine()
