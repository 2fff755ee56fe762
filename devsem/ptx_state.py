"""A thread in the middle of a PTX kernel: what its registers and memory hold, and how two branches' threads become one.

A register holds a number (F32), bits (B32, B64), a truth value, a pointer, or a 16-bit float. A 32-bit one is a number where
arithmetic wrote it and bits elsewhere; `Patterns` goes from one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from devsem.expr import Expr
from devsem.ops import B32, B64, BOOL, F32
from devsem.ptx_address import Pointer
from devsem.ptx_bits import Patterns
from devsem.simplify import TRUE, make
from devsem.symbolic import Cell, Written, join_cells


@dataclass(frozen=True)
class Half:
    """A 16-bit float by its format and the number that it is."""

    form: str
    number: Expr


@dataclass(frozen=True)
class Torn:
    """What two branches left that has no common form: it may be overwritten, not read."""


Value = Expr | Pointer | Half | Torn


@dataclass
class State:
    """`path` is the condition, from the kernel's beginning, under which a thread is here."""

    path: Expr = TRUE
    registers: dict[str, Value] = field(default_factory=dict)
    cells: dict[Cell, Written] = field(default_factory=dict)

    def fork(self, condition: Expr) -> State:
        """The state at the beginning of a branch."""
        return State(make("and", self.path, condition), dict(self.registers), dict(self.cells))


def join(path: Expr, c: Expr, then: State, other: State, patterns: Patterns) -> State:
    """The state after two branches, the first taken where `c` holds. What only one of them set is not set."""
    common = [name for name in then.registers if name in other.registers]
    registers = {name: choose(c, then.registers[name], other.registers[name], patterns) for name in common}
    return State(path, registers, join_cells(c, then.cells, other.cells))


def choose(c: Expr, a: Value, b: Value, patterns: Patterns) -> Value:
    """a where c holds, b elsewhere."""
    if a is b or a == b:
        return a
    if isinstance(a, Half) and isinstance(b, Half) and a.form == b.form:
        return Half(a.form, make("select", c, a.number, b.number))
    if not isinstance(a, Expr) or not isinstance(b, Expr):
        return Torn()
    if a.sort in (F32, B32) and b.sort in (F32, B32):
        return make("select_b32", c, patterns.word(a), patterns.word(b))
    return make({BOOL: "select_bool", B64: "select_b64"}[a.sort], c, a, b) if a.sort == b.sort else Torn()
