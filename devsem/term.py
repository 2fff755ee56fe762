"""Proofs as data: numbered steps, and how a block of them ends. `leanfile.py` prints them; Lean's kernel judges them.

A proof shows an equation between two expressions. Each step has a name and claims `lhs = rhs`; its reason applies one Lean constant
to expressions, to earlier steps, or to text that means the same in every proof (`rfl`). A block ends with the step that is the
goal, with a case split whose branches are blocks, or with a contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from devsem.expr import Expr


@dataclass(frozen=True)
class Claim:
    """An equation. A fact about a truth value is `condition = true` or `condition = false`."""

    lhs: Expr
    rhs: Expr


@dataclass(frozen=True)
class Use:
    """An earlier step or hypothesis, by name."""

    name: str


@dataclass(frozen=True)
class Function:
    """An operation as a Lean function, for congruence: the row's name."""

    op: str


Argument = Expr | Use | Function | Literal["rfl", "_"]


@dataclass(frozen=True)
class Reason:
    """A Lean constant with its arguments; `rfl` alone is `Reason("rfl")`."""

    head: str
    args: tuple[Argument, ...] = ()


@dataclass(frozen=True)
class Step:
    """`have NAME : CLAIM := REASON`; the reason of a case split is a block of its own."""

    name: str
    claim: Claim
    reason: Reason | Block


@dataclass(frozen=True)
class Done:
    """The goal is an earlier step."""

    name: str


@dataclass(frozen=True)
class Absurd:
    """A truth value was shown both true and false, so the goal follows."""

    yes: str
    no: str


@dataclass(frozen=True)
class Split:
    """Cases: `head` applied to `args`, then one branch per case, each with a hypothesis of the given name and claim."""

    head: str
    args: tuple[Argument, ...]
    branches: tuple[tuple[str, Claim, Block], ...]


@dataclass(frozen=True)
class AnyOf:
    """Cases of a hypothesis `subject = v0 or subject = v1 or …`: for each, the name of its equation and a block."""

    hypothesis: str
    branches: tuple[tuple[str, Claim, Block], ...]


End = Done | Absurd | Split | AnyOf


@dataclass(frozen=True)
class Block:
    """Steps in order, then the end; the whole shows `goal`."""

    goal: Claim
    steps: tuple[Step, ...]
    end: End


@dataclass
class Names:
    """A supply of names, counted in order so that one input always gives one text."""

    prefix: str = "h"
    count: int = field(default=0)

    def fresh(self) -> str:
        """The next name."""
        self.count += 1
        return f"{self.prefix}{self.count}"


def _uses(block: Block) -> set[str]:
    """The names that a pruned block needs, its own steps included."""
    found: set[str] = set()
    end = block.end
    if isinstance(end, Done):
        found.add(end.name)
    elif isinstance(end, Absurd):
        found |= {end.yes, end.no}
    else:
        found |= {end.hypothesis} if isinstance(end, AnyOf) else {a.name for a in end.args if isinstance(a, Use)}
        for _, _, inner in end.branches:
            found |= _uses(inner)
    for step in block.steps:
        found |= _uses(step.reason) if isinstance(step.reason, Block) else {a.name for a in step.reason.args if isinstance(a, Use)}
    return found


def prune(block: Block) -> Block:
    """The same proof without the steps that nothing uses: what the search tried in vain."""
    end = block.end
    if isinstance(end, Split | AnyOf):
        end = replace(end, branches=tuple((n, c, prune(b)) for n, c, b in end.branches))
    needed = _uses(Block(block.goal, (), end))
    kept: list[Step] = []
    for step in reversed(block.steps):
        if step.name not in needed:
            continue
        if isinstance(step.reason, Block):
            inner = prune(step.reason)
            needed |= _uses(inner)
            kept.append(Step(step.name, step.claim, inner))
        else:
            needed |= {a.name for a in step.reason.args if isinstance(a, Use)}
            kept.append(step)
    return Block(block.goal, tuple(reversed(kept)), end)


def size(block: Block) -> int:
    """How many steps a proof has, its branches included."""
    nested = [s.reason for s in block.steps if isinstance(s.reason, Block)]
    if isinstance(block.end, Split | AnyOf):
        nested += [b for _, _, b in block.end.branches]
    return len(block.steps) + sum(map(size, nested))
