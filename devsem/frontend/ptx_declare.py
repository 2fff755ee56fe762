"""Reads PTX's declarations of parameters, arrays and registers.

>>> from devsem.frontend.ptx_tokens import Tokens
>>> read_variables(Tokens(".const .align 4 .f32 c[2] = {0f3F800000, 0f40000000};", "k.ptx"), external=False)[0].data
(1065353216, 1073741824)
"""

from __future__ import annotations

from devsem.errors import Rejected
from devsem.frontend.ptx_ast import ALONE, Variable
from devsem.frontend.ptx_tokens import Tokens, shown
from devsem.rejections import rejection

BYTES = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2, "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4,
         "b64": 8, "u64": 8, "s64": 8, "f64": 8, "b128": 16}
REGISTER_TYPES = frozenset(BYTES) - {"b8", "u8", "s8"} | {"pred"}
FLOATS = {"f32", "f64"}
POINTER_SPACES = (".global", ".shared", ".local", ".const")
MAX_BYTES, MAX_REGISTERS = 1 << 31, 1 << 20


def read_type(tokens: Tokens, types: frozenset[str]) -> str:
    """Passes `.f32` and its kind."""
    name = tokens.now[1:]
    if tokens.now[:1] != "." or name not in types:
        tokens.unexpected("a type")
    tokens.next()
    return name


def read_parameters(tokens: Tokens) -> tuple[Variable, ...]:
    """Passes `(.param .u64 .ptr .align 1 k_param_0, .param .f32 k_param_1)`; what `.ptr` says is a hint, and is left out."""
    tokens.expect("(")
    found: list[Variable] = []
    while not tokens.take(")"):
        if found:
            tokens.expect(",")
        if tokens.now != ".param":
            tokens.unexpected("`.param`")
        tokens.next()
        align = _align(tokens)
        kind = read_type(tokens, frozenset(BYTES))
        if tokens.take(".ptr"):
            if tokens.now in POINTER_SPACES:
                tokens.next()
            _align(tokens)
        found.append(_declarator(tokens, kind, "param", align, external=False))
    return tuple(found)


def read_variables(tokens: Tokens, external: bool) -> list[Variable]:
    """Passes `.shared .align 4 .b8 tile[1024];`, which stands at its space."""
    space = tokens.next()[1:]
    align = _align(tokens)
    kind = read_type(tokens, frozenset(BYTES))
    found = [_declarator(tokens, kind, space, align, external)]
    while tokens.take(","):
        found.append(_declarator(tokens, kind, space, align, external))
    tokens.expect(";")
    return found


def read_registers(tokens: Tokens) -> list[tuple[str, str, int]]:
    """Passes `.reg .b32 %r<12>, %x;`: (name, type, count), the count ALONE for a single register."""
    tokens.expect(".reg")
    kind = read_type(tokens, REGISTER_TYPES)
    found: list[tuple[str, str, int]] = []
    while not found or tokens.take(","):
        name, number = tokens.name("a register"), ALONE
        if tokens.now == "<" and name[-1].isdigit():
            tokens.refuse(f"the register class {shown(name)} ends in a digit, so its registers' names are not told apart")
        if tokens.take("<"):
            number = tokens.whole()
            if number > MAX_REGISTERS:
                raise Rejected(rejection("ptx.size", tokens.where(), what=f"there are more than {MAX_REGISTERS} registers {shown(name)}"))
            tokens.expect(">")
        found.append((name, kind, number))
    tokens.expect(";")
    return found


def _align(tokens: Tokens) -> int:
    if not tokens.take(".align"):
        return 0
    align = tokens.whole()
    if align not in (1, 2, 4, 8, 16, 32, 64, 128):
        tokens.refuse(f"the alignment {align} is not a power of two up to 128")
    return align


def _declarator(tokens: Tokens, kind: str, space: str, align: int, external: bool) -> Variable:
    where = tokens.where()
    name, number = tokens.name("a variable's name"), 1
    while tokens.take("["):
        number *= 0 if tokens.now == "]" else tokens.whole()
        tokens.expect("]")
        if number * BYTES[kind] > MAX_BYTES:
            raise Rejected(rejection("ptx.size", where, what=f"the array {shown(name)} is larger than {MAX_BYTES} bytes"))
    data = _data(tokens, kind, number) if space in ("global", "const") and tokens.take("=") else ()
    return Variable(name, kind, number, space, align, data, where, external)


def _data(tokens: Tokens, kind: str, number: int) -> tuple[int, ...]:
    if not tokens.take("{"):
        return (_value(tokens, kind),)
    found: list[int] = []
    while not tokens.take("}"):
        if found:
            tokens.expect(",")
        found.append(_value(tokens, kind))
    if len(found) > number:
        tokens.refuse(f"{len(found)} values are given for {number} elements")
    return tuple(found)


def _value(tokens: Tokens, kind: str) -> int:
    """One initial value: `0f…` for a .f32, `0d…` for a .f64, a whole number for the others."""
    literal = tokens.number()
    if literal.kind != (kind if kind in FLOATS else "int"):
        tokens.refuse(f"an initial value is not of the type .{kind}")
    return literal.value
