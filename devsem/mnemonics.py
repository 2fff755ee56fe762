"""Which instructions two compilations of a kernel have, and how their numbers differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devsem.frontend.ptx_ast import Function
from devsem.readings import Compiled

PADDING = ("NOP",)      # what fills machine code up to its alignment


@dataclass(frozen=True)
class Change:
    """A mnemonic whose number of instructions is not the same: it appeared, vanished, or is there more or less often."""

    mnemonic: str
    before: int
    after: int

    def __str__(self) -> str:
        return f"{'+' if self.after > self.before else '-'}{abs(self.after - self.before)} {self.mnemonic}"


def of_ptx(compiled: Compiled) -> dict[str, int]:
    """The numbers of a kernel's PTX instructions after ptxas' rule, by mnemonic."""
    return _sorted(Counter(i.mnemonic for i in compiled.entry.instructions()))


def of_sass(lines: Sequence[str]) -> dict[str, int]:
    """The same for disassembled machine code, without padding; empty where there is none."""
    found = (next(word for word in line.split() if not word.startswith("@")) for line in lines)
    return _sorted(Counter(m for m in found if m not in PADDING))


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def changes(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[Change, ...]:
    """What became of each mnemonic whose number differs; what appeared first, then what vanished, then the rest."""
    found = [Change(m, before.get(m, 0), after.get(m, 0)) for m in sorted({*before, *after}) if before.get(m, 0) != after.get(m, 0)]
    return tuple(sorted(found, key=lambda c: (c.before > 0, c.after > 0)))


def program(function: Function) -> tuple[str, ...]:
    """The function's PTX without places in the file: equal ones are one program, instruction by instruction."""
    return (*(f"{p.type} {p.name}" for p in function.params), *map(repr, function.variables), *map(str, function.body))
