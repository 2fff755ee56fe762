"""A thread in the middle of a PTX kernel: what its registers and memory hold, and how two branches' threads become one.

A register holds a number (F32), bits (B32, B64), a truth value, a pointer, or 16 bits. A 32-bit one is a number where
arithmetic wrote it and bits elsewhere; `Patterns` goes from one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from devsem.expr import Expr
from devsem.frontend.ptx_meaning import Kind
from devsem.ops import B32, B64, BOOL, F32
from devsem.ptx_address import Chosen, Place
from devsem.ptx_bits import Patterns
from devsem.simplify import TRUE, make
from devsem.symbolic import Cell, Written, join_cells


@dataclass(frozen=True)
class Half:
    """16 bits by what they are: a float by the number that it is, or an integer by a word with nothing above."""

    kind: Kind
    value: Expr


@dataclass(frozen=True)
class Double:
    """A 64-bit float: a signed integer's number, or the angle (`angle_to_f32`) of so many 2^-64 quarter turns."""

    integer: Expr
    angle: bool = False


@dataclass(frozen=True)
class Torn:
    """What two branches left that has no common form: it may be overwritten, not read."""


Value = Expr | Place | Half | Double | Torn


@dataclass
class State:
    """`path` is the condition, from the kernel's beginning, under which a thread is here."""

    path: Expr = TRUE
    registers: dict[str, Value] = field(default_factory=dict)
    cells: dict[Cell, Written] = field(default_factory=dict)
    own: dict[tuple[str, int], Expr] = field(default_factory=dict)      # the words of the thread's own arrays, by array and place

    def fork(self, condition: Expr) -> State:
        """The state at the beginning of a branch."""
        return State(make("and", self.path, condition), dict(self.registers), dict(self.cells), dict(self.own))


def join(path: Expr, c: Expr, then: State, other: State, patterns: Patterns) -> State:
    """The state after two branches, the first taken where `c` holds. What only one of them set is not set."""
    common = [name for name in then.registers if name in other.registers]
    registers = {name: choose(c, then.registers[name], other.registers[name], patterns) for name in common}
    own = {word: make("select_b32", c, then.own[word], other.own[word]) for word in then.own if word in other.own}
    return State(path, registers, join_cells(c, then.cells, other.cells), own)


def choose(c: Expr, a: Value, b: Value, patterns: Patterns) -> Value:
    """a where c holds, b elsewhere."""
    if a is b or a == b:
        return a
    if isinstance(a, Half) and isinstance(b, Half) and a.kind == b.kind:
        return Half(a.kind, make("select_b32" if a.value.sort == B32 else "select", c, a.value, b.value))
    if isinstance(a, Place) and isinstance(b, Place):
        return Chosen(c, a, b)
    if not isinstance(a, Expr) or not isinstance(b, Expr):
        return Torn()
    if a.sort in (F32, B32) and b.sort in (F32, B32):
        return make("select_b32", c, patterns.word(a), patterns.word(b))
    return make({BOOL: "select_bool", B64: "select_b64"}[a.sort], c, a, b) if a.sort == b.sort else Torn()
