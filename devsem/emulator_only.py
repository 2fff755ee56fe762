"""Instructions that the emulator reads for the probes of calibration/, and no verdict rests on: conversions to and from double, atomic sums.

A double is its 64 bits. `atom` and `red` add in global memory with subnormal numbers flushed, in shared memory without, whatever the flags
[Q:CPG 13.1, 20.3]; threads that add to one element at once are refused, since their order is not fixed, and so are several blocks, and any
launch that looks for races.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from devsem import floats
from devsem.behaviour import Behaviour
from devsem.emulator_memory import Memory
from devsem.emulator_state import Lanes, State
from devsem.emulator_words import Functions, template
from devsem.errors import Rejected
from devsem.evaluate import canonical
from devsem.frontend.ptx_ast import Instruction, Operand
from devsem.frontend.ptx_meaning import Kind
from devsem.ops import B64, F32
from devsem.rejections import rejection

Array = npt.NDArray[Any]
NARROW, WIDEN = re.compile(r"cvt\.rn(?:\.ftz)?\.f32\.f64"), re.compile(r"cvt(?:\.ftz)?\.f64\.f32")
DOUBLE = "cvt.f64"      # what `Behaviour` calls conversions from and to double
ATOMIC = re.compile(r"(?:atom|red)\.(?P<space>global|shared)\.add\.f32")


class Running(Protocol):
    """What is used here of `emulator_run.Run`."""

    behaviour: Behaviour
    functions: Functions
    memory: Memory
    state: State

    def compute(self, i: Instruction, lanes: Lanes) -> None:
        """By the table."""

    def operand(self, o: Operand, kind: Kind, i: Instruction, lanes: Lanes) -> Array:
        """An operand's bits."""

    def set(self, target: Operand | None, value: Array, i: Instruction, lanes: Lanes) -> None:
        """Write a register."""

    def address(self, o: Operand, space: str, i: Instruction, lanes: Lanes) -> Array:
        """Where an access goes."""


def narrowed(a: Array) -> Array:
    """Doubles as Float32, to nearest even."""
    with np.errstate(all="ignore"):
        return a.view(np.float64).astype(np.float32).view(np.uint32)


def widened(a: Array) -> Array:
    """Float32 as doubles, which is exact."""
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(a).view(np.float32).astype(np.float64).view(np.uint64)


def _kept(a: Array) -> Array:
    return a


def convert(run: Running, i: Instruction, lanes: Lanes) -> None:
    """cvt: those between Float32 and double here, the others by the table."""
    b, narrow = run.behaviour, NARROW.fullmatch(i.mnemonic)
    if (not narrow and not WIDEN.fullmatch(i.mnemonic)) or len(i.operands) != 2:
        return run.compute(i, lanes)
    flushes = ("ftz" in i.modifiers and DOUBLE not in b.keeping) or DOUBLE in b.flushing
    flush = b.rows.get("ftz", floats.ftz) if flushes else _kept
    if narrow:
        value = flush(b.rows.get("f64_to_f32_rn", narrowed)(run.operand(i.operands[1], B64, i, lanes)))
        return run.set(i.operands[0], b.written("cvt", value if b.own_nans else canonical(value), value), i, lanes)
    return run.set(i.operands[0], b.rows.get("f32_to_f64", widened)(flush(run.operand(i.operands[1], F32, i, lanes))), i, lanes)


def atomic(run: Running, i: Instruction, lanes: Lanes) -> None:
    """atom.add and red.add of Float32, where no two threads add to one element."""
    refused = Rejected(rejection("ptx.atomic", i.where, name=i.mnemonic))
    m = ATOMIC.fullmatch(i.mnemonic)
    if m is None or len(i.operands) != (3 if i.opcode == "atom" else 2) or any(r.log is not None for r in run.memory.regions.values()):
        raise refused
    space, (place, source), who = m["space"], i.operands[-2:], run.state.whose(lanes)
    address = np.broadcast_to(run.address(place, space, i, lanes), (lanes.count,))
    if len(np.unique(address)) != lanes.count or run.state.grid != (1, 1, 1):
        raise refused
    before = run.memory.load(address, space, 4, 1, who)[0]
    b = run.behaviour
    flushes = (space == "global" and "atom" not in b.keeping) or "atom" in b.flushing
    words = ("rn", "ftz", "f32") if flushes else ("rn", "f32")
    add = template(Instruction("add", words, (source, source, source)), replace(b, flushing=frozenset(), keeping=frozenset()), run.functions)
    run.memory.store(address, space, add.run([before, run.operand(source, F32, i, lanes)]), who)
    if i.opcode == "atom":
        run.set(i.operands[0], before, i, lanes)
