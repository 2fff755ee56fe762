"""Instructions between registers, on arrays of bits: what `ptx_meaning.py` says, evaluated for many threads at once.

A register's bits are uint16, uint32, uint64 or bool; an array of one element is the same for all threads. Moves, selections and loads
keep a NaN's bits; a NaN that an instruction computes has those that `Behaviour` says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import libm
from devsem.behaviour import Behaviour
from devsem.evaluate import DTYPE, canonical
from devsem.expr import Expr, topo, var
from devsem.frontend.ptx_ast import Immediate, Instruction, Pair
from devsem.frontend.ptx_meaning import B16, BF16, F16, Kind, meaning
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

Array = npt.NDArray[Any]
Functions = Mapping[str, Callable[..., Array]]
BITS: Mapping[Kind, type[np.generic]] = {F16: np.uint16, BF16: np.uint16, B16: np.uint16, F32: np.uint32, B32: np.uint32, B64: np.uint64, BOOL: np.bool_}
SORTS: Mapping[Kind, Sort] = {F16: F32, BF16: F32, B16: B32, F32: F32, B32: B32, B64: B64, BOOL: BOOL}


def nominal(row: str) -> Callable[..., Array]:
    """What stands for an approximate instruction where no other function is given: the real function, rounded."""
    return libm.nominal(libm.without_side(row))


@dataclass(frozen=True)
class Template:
    """One instruction on arrays: the bits it takes and gives by their kinds, and the obligations of `ops.py` that it is made of."""

    reads: tuple[Kind, ...]
    writes: tuple[Kind, ...]
    run: Callable[[Sequence[Array]], list[Array]]
    approximate: tuple[str, ...]


@dataclass(frozen=True)
class _Step:
    """An operation on earlier values of a list, by their places there."""

    row: str
    function: Callable[..., Array]
    args: tuple[int, ...]


def shape(i: Instruction) -> tuple[Any, ...]:
    """What of an instruction decides its template: the mnemonic, and its operands where they are numbers."""
    return i.mnemonic, tuple(o.value if isinstance(o, Immediate) else isinstance(o, Pair) and o.second is not None for o in i.operands)


def template(i: Instruction, behaviour: Behaviour, functions: Functions) -> Template:
    """The instruction's function on arrays; raises Rejected for one that the table does not have."""
    m = meaning(behaviour.performed(i))
    variables = [var(f"operand{k}", SORTS[kind]) for k, kind in enumerate(m.reads)]
    roots = m.of(*variables)
    order = [n for n in topo(*variables, *roots) if not n.is_var]
    slot = {e: k for k, e in enumerate([*variables, *order])}
    rows = sorted({n.op for n in order if n.args and OPS[n.op].kind == "obligation"})
    steps = [_step(n, tuple(slot[a] for a in n.args), behaviour, functions) for n in order]
    out = [slot[r] for r in roots]

    def run(args: Sequence[Array]) -> list[Array]:
        values = [a if kind == F32 and behaviour.own_nans else _number(kind, a) for kind, a in zip(m.reads, args, strict=True)]
        for step in steps:
            values.append(step if isinstance(step, np.ndarray) else np.asarray(step.function(*(values[k] for k in step.args))))
        return [_bits(kind, values[k], i.opcode, behaviour, args) for kind, k in zip(m.writes, out, strict=True)]
    return Template(m.reads, m.writes, run, tuple(rows))


def _step(node: Expr, args: tuple[int, ...], behaviour: Behaviour, functions: Functions) -> Array | _Step:
    if node.is_const:
        return np.array([node.value], dtype=DTYPE[node.sort])
    op = OPS[node.op]
    function = behaviour.rows.get(op.name) or op.eval or functions.get(op.name) or nominal(op.name)
    if op.out != F32 or op.eval is not None or behaviour.own_nans:
        return _Step(op.name, function, args)
    return _Step(op.name, lambda *x: canonical(np.asarray(function(*x))), args)


def _number(kind: Kind, a: Array) -> Array:
    """An operand's bits as the table takes them: of a number all NaNs are one, a 16-bit float is the Float32 of the same value, a 16-bit word
    one of 32 bits with nothing above."""
    if kind == B16:
        return a.astype(np.uint32)
    if kind == F16:
        return canonical(a.view(np.float16).astype(np.float32).view(np.uint32))
    if kind == BF16:
        return canonical(a.astype(np.uint32) << np.uint32(16))
    return canonical(a) if kind == F32 else a


def _bits(kind: Kind, value: Array, opcode: str, behaviour: Behaviour, args: Sequence[Array]) -> Array:
    """A result's bits; a 16-bit NaN is 0x7fff."""
    if kind == B16:
        return value.astype(np.uint16)
    if kind == F32:
        return behaviour.written(opcode, value, args[0])
    if kind == B32:
        return behaviour.moved(opcode, value)
    if kind == F16:
        narrow = value.view(np.float32).astype(np.float16).view(np.uint16)
        return np.where(canonical(value) == 0x7FFFFFFF, np.uint16(0x7FFF), narrow)
    return (value >> np.uint32(16)).astype(np.uint16) if kind == BF16 else value


def word(o: Immediate, kind: Kind) -> Array | None:
    """A number in the text as an operand; None where the instruction cannot take it."""
    if kind == F32:
        return np.array([o.value], np.uint32) if o.kind == "f32" else None
    if kind in BITS and o.kind == "int":
        width = 8 * np.dtype(BITS[kind]).itemsize
        return np.array([bool(o.value)]) if BITS[kind] is np.bool_ else np.array([o.value % (1 << width)], BITS[kind])
    return np.array([o.value], np.uint32) if kind == "B32" and o.kind == "f32" else None


