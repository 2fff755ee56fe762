"""PTX text as data: what `ptx.py` reads and every later stage walks. No meaning here; `ptx_meaning.py` gives that.

Registers are untyped bits, as in PTX itself: NVRTC 13 keeps floats in `.b32` registers, and an instruction says how it reads one.

>>> str(Instruction("fma", ("rn", "f32"), (Register("%r4"), Register("%r1"), Immediate(0x40000000, "f32"), Register("%r3"))))
'fma.rn.f32 %r4, %r1, 0f40000000, %r3'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from devsem.errors import Where

NOWHERE = Where("")
ALONE = -1              # the count of a register that is declared by its own name
DIGITS = "0123456789"


@dataclass(frozen=True)
class Register:
    """A virtual register, `%r1`, or a special one, `%tid.x`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Immediate:
    """A literal by its bits: `f32` and `f64` patterns, `int` a whole number of either sign as written."""

    value: int
    kind: Literal["f32", "f64", "int"] = "int"

    def __str__(self) -> str:
        return {"f32": f"0f{self.value:08X}", "f64": f"0d{self.value:016X}", "int": str(self.value)}[self.kind]


@dataclass(frozen=True)
class Symbol:
    """A name that is no register: a label, a variable, a parameter, a function."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Address:
    """`[base+offset]`, the offset in bytes."""

    base: Register | Symbol | Immediate
    offset: int = 0

    def __str__(self) -> str:
        return f"[{self.base}{f'+{self.offset}' if self.offset else ''}]"    # a negative offset is written `+-4`


@dataclass(frozen=True)
class Vector:
    """`{%r1, %r2}`."""

    items: tuple[Register | Immediate, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.items)) + "}"


@dataclass(frozen=True)
class Pair:
    """`%p1|%p2`, the two predicates that one `setp` sets; or a negated predicate operand `!%p1` (`second` is None)."""

    first: Register
    second: Register | None
    negated: bool = False

    def __str__(self) -> str:
        return f"!{self.first}" if self.second is None else f"{self.first}|{self.second}"


@dataclass(frozen=True)
class Arguments:
    """`(param0, param1)`: what a `call` passes, or takes back."""

    items: tuple[Register | Immediate | Symbol, ...]

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.items)) + ")"


Operand = Register | Immediate | Symbol | Address | Vector | Pair | Arguments


@dataclass(frozen=True)
class Instruction:
    """`@!%p1 fma.rn.f32 %r4, %r1, %r2, %r3;`: opcode `fma`, modifiers ("rn", "f32"), operands in the text's order."""

    opcode: str
    modifiers: tuple[str, ...] = ()
    operands: tuple[Operand, ...] = ()
    predicate: Register | None = None
    negated: bool = False
    where: Where = field(default=NOWHERE, compare=False)

    @property
    def mnemonic(self) -> str:
        """`fma.rn.f32`."""
        return ".".join((self.opcode, *self.modifiers))

    def __str__(self) -> str:
        guard = f"@{'!' if self.negated else ''}{self.predicate} " if self.predicate else ""
        return f"{guard}{self.mnemonic} {', '.join(map(str, self.operands))}".rstrip()


@dataclass(frozen=True)
class Label:
    """`$L__BB0_2:`"""

    name: str
    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.name}:"


@dataclass(frozen=True)
class Variable:
    """A parameter or an array of `count` elements (1 for a scalar, 0 where the launch says how many): `type` as in PTX (`u64`, `f32`, `b8`),
    `space` one of `param`, `shared`, `local`, `global`, `const`; `align` in bytes (0: the type's own); `data` the first elements' initial
    values (bit patterns where the type is a float's), the others being 0; `external` for `.extern`."""

    name: str
    type: str
    count: int
    space: str
    align: int = 0
    data: tuple[int, ...] = ()
    where: Where = field(default=NOWHERE, compare=False)
    external: bool = False


@dataclass(frozen=True)
class Function:
    """A kernel (`.entry`) or a device function (`.func`), its parameters in order, its registers, its own arrays, and its body.

    `registers`: a class `%r` -> ("b32", 12) is %r0 … %r11, and a single register `%SP` -> ("b64", ALONE) is that name.
    Blocks `{ … }` are flattened: what an inner block declares has a name of its own here, `temp$1_` for `temp`.
    `results`: what a `.func` returns. `directives`: `.maxntid 256, 1, 1` is ("maxntid", (256, 1, 1)).
    """

    name: str
    params: tuple[Variable, ...]
    registers: Mapping[str, tuple[str, int]]
    variables: tuple[Variable, ...]
    body: tuple[Instruction | Label, ...]
    where: Where = field(default=NOWHERE, compare=False)
    entry: bool = True
    results: tuple[Variable, ...] = ()
    directives: tuple[tuple[str, tuple[int, ...]], ...] = ()

    def register_type(self, name: str) -> str | None:
        """The class of a declared register, "b32" for `%r7`; None for a name that no declaration gives."""
        if self.registers.get(name, ("", 0))[1] == ALONE:
            return self.registers[name][0]
        base = name.rstrip(DIGITS)
        number = name[len(base):]
        kind, count = self.registers.get(base, ("", ALONE))
        return kind if number and str(int(number)) == number and int(number) < count else None

    def instructions(self) -> Iterator[Instruction]:
        """The instructions in the text's order."""
        return (s for s in self.body if isinstance(s, Instruction))


@dataclass(frozen=True)
class Module:
    """One PTX text: `version` and `target` as written ("9.0", "sm_90"), its kernels and device functions, the arrays outside them,
    and the functions that are declared without a body."""

    version: str
    target: str
    functions: tuple[Function, ...]
    variables: tuple[Variable, ...] = ()
    declarations: tuple[Function, ...] = ()
