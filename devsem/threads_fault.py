"""What a launch of concrete size does wrong: which thread of which block, which cell, at which place of the source, for which sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from devsem.errors import Where
from devsem.expr import Expr
from devsem.simplify import TRUE

Kind = Literal["out of bounds", "uninitialised", "race", "divergent barrier", "shuffle", "misaligned", "unwritten", "division", "shift", "step limit"]
Three = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchFault:
    """The first thing that goes wrong. `block` and `thread` are None where no one thread does it (`unwritten`).

    `other`: of a race, block and thread of the other access, whose place is `other_where`. `sizes`: the integer parameters and the
    numbers of elements. `guard`: the condition on floats under which it happens; `inputs`: float values (bit patterns) that meet it.
    `step limit` is no fault of the program: the run was given up.
    """

    kind: Kind
    what: str
    where: Where
    block: Three | None
    thread: Three | None
    sizes: Mapping[str, int]
    buffer: str = ""
    index: int = 0
    other: tuple[Three, Three] | None = None
    other_where: Where | None = None
    guard: Expr = TRUE
    inputs: Mapping[str, int] = field(default_factory=dict)

    @property
    def possible(self) -> bool:
        """Does it hang on a condition on floats that no input is known to meet? Then it is no counterexample."""
        return self.guard is not TRUE and not self.inputs

    @property
    def certain(self) -> bool:
        """Is it a counterexample: something that the program does wrong in this launch?"""
        return self.kind != "step limit" and not self.possible

    def __str__(self) -> str:
        who = "" if self.block is None else f"thread {self.thread} of block {self.block} "
        sizes = ", ".join(f"{name} = {value}" for name, value in self.sizes.items())
        given = "".join(f", {name} = {value:#010x}" for name, value in self.inputs.items())
        maybe = "possible " if self.possible else ""
        return f"{self.where}: {maybe}{self.kind}: {who}{self.what} (with {sizes or 'these sizes'}{given})"


class Stop(Exception):
    """Ends a run at its first fault."""

    def __init__(self, fault: LaunchFault) -> None:
        super().__init__(str(fault))
        self.fault = fault
