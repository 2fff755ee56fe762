"""Definitions and uses of the registers of a PTX function: who computes a value, who uses it, and through which copies.

PTX has no single assignment, so only a register with one definition, unguarded and textually before its uses, is seen through; a loop's variable
or what two branches join is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from devsem.frontend.ptx_ast import Address, Function, Immediate, Instruction, Label, Operand, Pair, Register, Symbol

# instructions that matter although they compute no value that is used
EFFECTS = ("st", "red", "atom", "bar", "barrier", "bra", "brx", "call", "ret", "exit", "trap", "membar", "fence", "cp", "activemask", "vote", "shfl", "match",
           "redux", "discard", "prefetch", "nanosleep", "brkpt", "mbarrier", "griddepcontrol")
# instructions whose first operand is read, not written
NO_TARGET = ("st", "red", "bar", "barrier", "bra", "brx", "ret", "exit", "trap", "membar", "fence", "prefetch", "discard", "nanosleep")


OPERANDS = {"mul": 3, "add": 3, "sub": 3, "div": 3, "rcp": 2, "neg": 2, "abs": 2, "mov": 2, "selp": 4}


def shaped(i: Instruction) -> bool:
    """Has it as many operands as its opcode takes, the first a register? What has not is left alone, for others to refuse."""
    return len(i.operands) == OPERANDS.get(i.opcode, -1) and isinstance(i.operands[0], Register)


def registers(operand: Operand) -> Iterator[str]:
    """The registers that occur in an operand."""
    if isinstance(operand, Register):
        yield operand.name
    elif isinstance(operand, Address):
        if isinstance(operand.base, Register):
            yield operand.base.name
    elif isinstance(operand, Pair):
        yield operand.first.name
        if operand.second is not None:
            yield operand.second.name
    elif not isinstance(operand, (Immediate, Symbol)):
        for item in operand.items:
            yield from registers(item)


def targets(i: Instruction) -> tuple[str, ...]:
    """The registers an instruction writes."""
    return () if i.opcode in NO_TARGET or not i.operands else tuple(registers(i.operands[0]))


def sources(i: Instruction) -> tuple[str, ...]:
    """The registers an instruction reads, its predicate among them."""
    read = i.operands if i.opcode in NO_TARGET else i.operands[1:]
    guard = (i.predicate.name,) if i.predicate is not None else ()
    return (*guard, *(r for o in read for r in registers(o)))


@dataclass
class Flow:
    """Definitions, uses, liveness and loops of one function. `body[index]` is the statement that an index means."""

    function: Function
    definitions: dict[str, list[int]] = field(default_factory=dict)
    uses: dict[str, list[int]] = field(default_factory=dict)
    live: set[int] = field(default_factory=set)
    loops: dict[int, frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for index, i in self.instructions():
            for name in targets(i):
                self.definitions.setdefault(name, []).append(index)
            for name in sources(i):
                self.uses.setdefault(name, []).append(index)
        self._find_live()
        self._find_loops()

    def instructions(self) -> Iterator[tuple[int, Instruction]]:
        """Every instruction with its index in the body."""
        return ((n, s) for n, s in enumerate(self.function.body) if isinstance(s, Instruction))

    def at(self, index: int) -> Instruction:
        """The instruction at an index."""
        found = self.function.body[index]
        assert isinstance(found, Instruction)
        return found

    def _find_live(self) -> None:
        """What an effect depends on."""
        work = [n for n, i in self.instructions() if i.opcode in EFFECTS or (i.opcode == "ld" and "volatile" in i.modifiers)]
        while work:
            index = work.pop()
            if index not in self.live:
                self.live.add(index)
                work += [d for name in sources(self.at(index)) for d in self.definitions.get(name, ())]

    def _find_loops(self) -> None:
        """The loops around each statement: a branch to an earlier label closes one."""
        labels = {s.name: n for n, s in enumerate(self.function.body) if isinstance(s, Label)}
        spans = [(labels[o.name], n) for n, i in self.instructions() if i.opcode in ("bra", "brx") for o in i.operands
                 if isinstance(o, Symbol) and labels.get(o.name, n) < n]
        for index in range(len(self.function.body)):
            self.loops[index] = frozenset(start for start, end in spans if start <= index <= end)

    def single(self, name: str) -> int | None:
        """The only definition of a register, if it is unguarded."""
        found = self.definitions.get(name, [])
        return found[0] if len(found) == 1 and self.at(found[0]).predicate is None else None

    def defined(self, operand: Operand, user: int) -> int | None:
        """The only definition of a register operand, if it stands before its user and inside no loop that its user is outside of."""
        if not isinstance(operand, Register):
            return None
        index = self.single(operand.name)
        return index if index is not None and index < user and self.loops[index] <= self.loops[user] else None

    def constant(self, operand: Operand, user: int) -> int | None:
        """The pattern of an operand that is an f32 literal, or a register that a `mov` of a 32-bit literal set."""
        if isinstance(operand, Immediate):
            return operand.value if operand.kind == "f32" else None
        at = self.defined(operand, user)
        i = self.at(at) if at is not None else None
        if at is None or i is None or i.opcode != "mov" or not shaped(i) or not i.modifiers or not i.modifiers[-1].endswith("32"):
            return None
        value = i.operands[1]
        if isinstance(value, Immediate):
            return value.value & 0xFFFFFFFF if value.kind != "f64" else None
        return self.constant(value, at)
