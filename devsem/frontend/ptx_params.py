"""The parameters of a kernel that is given as PTX: PTX has widths, no C types.

A 64-bit parameter whose value reaches an address is a float buffer, any other one an integer; a 32-bit one is a float where some
instruction reads it as `.f32`, otherwise an `int`. They are called `param_0`, `param_1` …; the only integer is `n`, the number of elements.
"""

from __future__ import annotations

from dataclasses import replace

from devsem.errors import Rejected, Rejection
from devsem.frontend.ptx_ast import Address, Function, Instruction, Register, Symbol, Variable
from devsem.program import Param

MOVES = frozenset({"mov", "cvta", "add", "mad", "sub"})


def ptx_params(function: Function) -> tuple[Param, ...]:
    """The parameters in order, as a C signature would declare them; raises Rejected for one of another type."""
    found = [_param(function, p, f"param_{k}") for k, p in enumerate(function.params)]
    whole = [p for p in found if p.type in ("int", "long long")]
    return tuple(replace(p, name="n") if len(whole) == 1 and p is whole[0] else p for p in found)


def _param(function: Function, p: Variable, name: str) -> Param:
    wide, narrow = p.type in ("u64", "s64", "b64"), p.type in ("u32", "s32", "b32")
    if p.count != 1 or not (wide or narrow or p.type == "f32"):
        many = f" and {p.count} elements" if p.count > 1 else ""
        raise Rejected(Rejection("ptx.parameter", p.where, f"the parameter {p.name} has the type .{p.type}{many}",
                                 "parameters are .u64 addresses, .f32, .u32 and .u64 numbers"))
    values = _flow(function, p.name)
    if wide:
        return Param(name, "float*" if _is_address(function, values) else "long long", p.where)
    return Param(name, "float" if p.type == "f32" or _is_float(function, values) else "int", p.where)


def _flow(function: Function, name: str) -> set[Register]:
    """The registers that hold the parameter, or an address made of it."""
    found: set[Register] = set()
    size = -1
    while len(found) > size:
        size = len(found)
        for i in function.instructions():
            target, *sources = i.operands or (None,)
            loads = i.opcode == "ld" and "param" in i.modifiers and any(isinstance(s, Address) and s.base == Symbol(name) for s in sources)
            if isinstance(target, Register) and (loads or (i.opcode in MOVES and found.intersection(s for s in sources if isinstance(s, Register)))):
                found.add(target)
    return found


def _is_address(function: Function, values: set[Register]) -> bool:
    return any(isinstance(o, Address) and o.base in values for i in function.instructions() if "param" not in i.modifiers for o in i.operands)


def _is_float(function: Function, values: set[Register]) -> bool:
    def reads(i: Instruction) -> bool:
        return i.opcode != "ld" and "f32" in i.modifiers and any(o in values for o in i.operands[1:] if isinstance(o, Register))
    return any(map(reads, function.instructions()))
