"""Proofs as data: numbered steps, and how a block of them ends. `leanfile.py` prints them; Lean's kernel judges them.

A proof shows an equation between two expressions. Each step has a name and claims `lhs = rhs`; its reason applies one Lean constant
to expressions, to earlier steps, or to text that means the same in every proof (`rfl`). A block ends with the step that is the
goal, with a case split whose branches are blocks, or with a contradiction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
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


@dataclass(frozen=True)
class Reason:
    """A Lean constant with its arguments, some of them reasons themselves; `rfl` alone is `Reason("rfl")`."""

    head: str
    args: tuple[Argument, ...] = ()


Argument = Expr | Use | Function | Reason | Literal["rfl", "_"]


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


def _names(reason: Reason | Split) -> Counter[str]:
    """The names that a reason mentions, and how often."""
    found = Counter(a.name for a in reason.args if isinstance(a, Use))
    for inner in reason.args:
        if isinstance(inner, Reason):
            found += _names(inner)
    return found


def _uses(block: Block) -> Counter[str]:
    """The names that a pruned block needs, its own steps included, and how often."""
    end = block.end
    if isinstance(end, Done):
        found = Counter([end.name])
    elif isinstance(end, Absurd):
        found = Counter([end.yes, end.no])
    else:
        found = Counter([end.hypothesis]) if isinstance(end, AnyOf) else _names(end)
        for _, _, inner in end.branches:
            found.update(_uses(inner))
    for step in block.steps:
        found.update(_uses(step.reason) if isinstance(step.reason, Block) else _names(step.reason))
    return found


def prune(block: Block) -> Block:
    """The same proof without the steps that nothing uses: what the search tried in vain."""
    end = block.end
    if isinstance(end, Split | AnyOf):
        end = replace(end, branches=tuple((n, c, prune(b)) for n, c, b in end.branches))
    needed = set(_uses(Block(block.goal, (), end)))
    kept: list[Step] = []
    for step in reversed(block.steps):
        if step.name not in needed:
            continue
        if isinstance(step.reason, Block):
            inner = prune(step.reason)
            needed |= _uses(inner).keys()
            kept.append(Step(step.name, step.claim, inner))
        else:
            needed |= _names(step.reason).keys()
            kept.append(step)
    return Block(block.goal, tuple(reversed(kept)), end)


def heads(reason: Reason) -> set[str]:
    """The Lean constants that a reason applies."""
    return {reason.head}.union(*(heads(a) for a in reason.args if isinstance(a, Reason)))


INLINE = 4      # how deep reasons may be nested: Lean checks a claim's type once and not at every level, but a long chain would be one term
CONGRUENCE = ("Eq.trans", "Eq.symm", "congrArg", "congrArg2", "congrArg3")


def _depth(reason: Reason) -> int:
    return 1 + max((_depth(a) for a in reason.args if isinstance(a, Reason)), default=0)


def inline(block: Block) -> Block:
    """The same proof with fewer steps: a reason that is used once, by another step beside it, stands there without a claim of its own.

    A lemma whose condition holds by computation (`rfl`) keeps its claim: Lean would not know what to compute."""
    once = {name for name, n in _uses(block).items() if n == 1}
    beside = Counter[str]()
    for step in block.steps:
        if isinstance(step.reason, Reason):
            beside.update(_names(step.reason))
    return _inline(block, once & beside.keys())


def _inline(block: Block, once: Set[str]) -> Block:
    held: dict[str, Reason] = {}
    kept: list[Step] = []
    for step in block.steps:
        if isinstance(step.reason, Block):
            kept.append(replace(step, reason=inline(step.reason)))
            continue
        reason = replace(step.reason, args=tuple(held.get(a.name, a) if isinstance(a, Use) else a for a in step.reason.args))
        known = reason.head in CONGRUENCE or (reason.args and not {"rfl", "_"} & {a for a in reason.args if isinstance(a, str)})
        if step.name in once and known and _depth(reason) < INLINE:
            held[step.name] = reason
        else:
            kept.append(replace(step, reason=reason))
    end = block.end
    if isinstance(end, Split | AnyOf):
        end = replace(end, branches=tuple((n, c, inline(b)) for n, c, b in end.branches))
    return Block(block.goal, tuple(kept), end)


def names(block: Block) -> frozenset[str]:
    """Every step, hypothesis and Lean constant that a pruned block uses; a hypothesis about all arguments is applied like a constant."""
    nested = [s.reason for s in block.steps if isinstance(s.reason, Block)]
    if isinstance(block.end, Split | AnyOf):
        nested += [b for _, _, b in block.end.branches]
    applied = (heads(s.reason) for s in block.steps if isinstance(s.reason, Reason))
    return frozenset(_uses(block)).union(*applied, *map(names, nested))


def size(block: Block) -> int:
    """How many steps a proof has, its branches included."""
    nested = [s.reason for s in block.steps if isinstance(s.reason, Block)]
    if isinstance(block.end, Split | AnyOf):
        nested += [b for _, _, b in block.end.branches]
    return len(block.steps) + sum(map(size, nested))
