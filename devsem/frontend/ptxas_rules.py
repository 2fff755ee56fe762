"""What ptxas replaces before it contracts: products by one, division by a constant, selections that are minima and maxima (docs/PTXAS.md).

Each function returns the instruction that stands for another, or None. A replacement marked `same` has the same value (NaNs taken as one);
another is a place where the machine and the PTX text may differ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from devsem import floats
from devsem.frontend.ptx_ast import Immediate, Instruction, Operand, Register
from devsem.frontend.ptx_flow import Flow, shaped

SIGN, ONE = 0x80000000, 0x3F800000
MIN_NORMAL, TWO_126 = 0x00800000, 0x7E800000
ROUNDINGS = ("rn", "rz", "rm", "rp")
# comparison -> (is it <, is it strict, is it true on NaN)
COMPARISONS = {"lt": (True, True, False), "le": (True, False, False), "gt": (False, True, False), "ge": (False, False, False),
               "ltu": (True, True, True), "leu": (True, False, True), "gtu": (False, True, True), "geu": (False, False, True)}


SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


@dataclass(frozen=True)
class Replacement:
    """The instruction that ptxas may put, whether its value is the same, and whether it is predicted."""

    instruction: Instruction
    same: bool
    likely: bool = True


def is_f32(i: Instruction) -> bool:
    """Does it compute in f32?"""
    return bool(i.modifiers) and i.modifiers[-1] == "f32"


def flushes(i: Instruction) -> bool:
    """Has it .ftz?"""
    return "ftz" in i.modifiers


def free(i: Instruction) -> bool:
    """An f32 operation without a rounding modifier, which PTX lets the assembler contract (PTX 9.7.3.3 to 5)."""
    return is_f32(i) and not any(m in ROUNDINGS for m in i.modifiers)


def replaced(flow: Flow, index: int, arch: int, fmad: bool) -> Replacement | None:
    """What ptxas puts for the live instruction at `index`."""
    i = flow.at(index)
    if not shaped(i) or not i.modifiers or i.modifiers[-1] not in ("f32", "b32"):
        return None
    if i.opcode == "mul" and fmad and free(i):
        return _times(flow, index)
    if i.opcode == "div" and ("approx" in i.modifiers or "full" in i.modifiers):
        return _divided(flow, index)
    return _bound(flow, index, arch) if i.opcode == "selp" else None


def _times(flow: Flow, index: int) -> Replacement | None:
    """`mul x, 1` is a copy, or a flush; `mul x, -1` a sign flip [M: docs/PTXAS.md]."""
    i = flow.at(index)
    if "sat" in i.modifiers:
        return None
    for x, c in ((i.operands[1], i.operands[2]), (i.operands[2], i.operands[1])):
        pattern = flow.constant(c, index)
        if pattern is not None and pattern & ~SIGN == ONE:
            return Replacement(_signed_copy(i, x, bool(pattern & SIGN)), True)
    return None


def _signed_copy(i: Instruction, x: Operand, negative: bool) -> Instruction:
    if negative:
        return replace(i, opcode="neg", modifiers=("ftz", "f32") if flushes(i) else ("f32",), operands=(i.operands[0], x))
    if flushes(i):
        return replace(i, opcode="add", modifiers=("rn", "ftz", "f32"), operands=(i.operands[0], x, Immediate(SIGN, "f32")))
    return replace(i, opcode="mov", modifiers=("b32",), operands=(i.operands[0], x))


def _divided(flow: Flow, index: int) -> Replacement | None:
    """`div.approx` and `div.full` by a constant multiply with its rounded reciprocal; `div.approx.ftz 1, b` is one MUFU.RCP [M: docs/PTXAS.md]."""
    i = flow.at(index)
    target, a, b = i.operands
    pattern, top = flow.constant(b, index), flow.constant(a, index)
    if pattern is None:
        if top != ONE or "full" in i.modifiers or not flushes(i):
            return None
        return Replacement(replace(i, opcode="rcp", operands=(target, b)), False)
    if not MIN_NORMAL <= pattern & ~SIGN <= TWO_126:
        return None
    if pattern & ~SIGN == ONE:
        return Replacement(_signed_copy(i, a, bool(pattern & SIGN)), True)
    reciprocal = int(floats.div(np.array([ONE], dtype=np.uint32), np.array([pattern], dtype=np.uint32), mode="rn")[0])
    modifiers = tuple(m for m in i.modifiers if m not in ("approx", "full"))
    return Replacement(replace(i, opcode="mul", modifiers=modifiers, operands=(target, a, Immediate(reciprocal, "f32"))), False)


def _bound(flow: Flow, index: int, arch: int) -> Replacement | None:
    """`setp.gt p, x, C; selp x, C, p` is FMNMX, or FMNMX.NAN from sm_80 on, without the flush of the setp [M: docs/PTXAS.md]."""
    i = flow.at(index)
    target, yes, no, predicate = i.operands
    at = flow.defined(predicate, index)
    test = flow.at(at) if at is not None else None
    if at is None or test is None or test.opcode != "setp" or len(test.operands) != 3:
        return None
    bound = bounded(flow, at)
    if bound is None:
        return None
    x, limit, comparison = bound
    kept = flow.constant(no, index) if same(flow, yes, x, index) else flow.constant(yes, index) if same(flow, no, x, index) else None
    if kept is None:
        return None
    below, strict, unordered = COMPARISONS[comparison]
    chosen = same(flow, yes, x, index)        # x where the comparison holds
    number = chosen != unordered              # NaN gives the constant, as PTX min and max do
    flush = flushes(test)
    zero = kept & ~SIGN == 0
    if kept == SIGN or (kept != limit and (kept | limit) & ~SIGN) or limit & ~SIGN > 0x7F800000 or (flush and 0 < limit & ~SIGN < MIN_NORMAL):
        return None
    if (zero and below == strict) or (not number and arch < 80):
        return None
    largest = below != chosen
    modifiers = ("f32",) if number else ("NaN", "f32")
    likely = sum(user in flow.live for user in flow.uses[str(predicate)]) == 1       # the comparison has no other use [M]
    unchanged = not (flush and zero)
    made = replace(i, opcode="max" if largest else "min", modifiers=modifiers, operands=(target, x, Immediate(kept, "f32")))
    return Replacement(made, unchanged, likely) if likely or not unchanged else None


def bounded(flow: Flow, index: int) -> tuple[Register, int, str] | None:
    """For a `setp` of a register and a constant, on whichever side: the register, the constant, and the comparison of the register with it."""
    test = flow.at(index)
    if test.opcode != "setp" or len(test.operands) < 3 or not is_f32(test) or test.modifiers[0] not in COMPARISONS:
        return None
    name = test.modifiers[0]
    for x, c, comparison in ((test.operands[1], test.operands[2], name), (test.operands[2], test.operands[1], SWAPPED[name[:2]] + name[2:])):
        limit = flow.constant(c, index)
        if limit is not None and isinstance(x, Register) and flow.single(x.name) is not None:
            return x, limit, comparison
    return None


def same(flow: Flow, operand: Operand, x: Register, user: int) -> bool:
    """Is the operand the register, or a copy of it, or of what it is a copy of?"""
    return _origin(flow, operand, user) == _origin(flow, x, user)


def _origin(flow: Flow, operand: Operand, user: int) -> Operand:
    at = flow.defined(operand, user)
    while at is not None and flow.at(at).opcode == "mov" and shaped(flow.at(at)) and flow.defined(flow.at(at).operands[1], at) is not None:
        operand = flow.at(at).operands[1]
        at = flow.defined(operand, at)
    return operand
