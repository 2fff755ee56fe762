"""What a proof leaves open: each case is a statement of its own, with a name, that a person can prove (docs/PROOFS.md).

A proof with open cases uses `open1`, `open2`, … like lemmas. `leanfile` makes them hypotheses of the theorem, or theorems when a
person's file proves them. The numbers count the cases in the order in which the search meets them, so they are the same in every run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from devsem.expr import Expr, topo, variables
from devsem.infix import short
from devsem.ops import OPS
from devsem.term import Claim

MOST = 8


class TooMany(Exception):
    """More cases are open than a person would want to see."""


@dataclass(frozen=True)
class Case:
    """`left = right` for all values of the variables that satisfy `given`."""

    name: str
    given: tuple[Claim, ...]
    left: Expr
    right: Expr

    @property
    def roots(self) -> tuple[Expr, ...]:
        """Every expression of the statement."""
        return (*(side for c in self.given for side in (c.lhs, c.rhs)), self.left, self.right)

    @property
    def variables(self) -> tuple[Expr, ...]:
        """What the statement is about, by name."""
        return tuple(sorted(variables(*self.roots), key=lambda v: v.name))

    @property
    def sides(self) -> tuple[str, ...]:
        """Whose functions it mentions: `D`, the device's, and `S`, the reference's."""
        used = {n.op[0] for n in topo(*self.roots) if n.args and OPS[n.op].kind == "obligation"}
        return tuple(sorted(used))

    @property
    def head(self) -> str:
        """The case as the head of a proof step."""
        return " ".join((self.name, *self.sides))

    @property
    def size(self) -> int:
        """How much there is to read."""
        return len(topo(*self.roots))

    def __str__(self) -> str:
        where = f" where {' and '.join(map(fact, self.given))}" if self.given else ""
        return f"{self.name}{where}: {short(self.left)} = {short(self.right)}"


def fact(c: Claim) -> str:
    """A condition in words: `x < 0.0`, `not (x < 0.0)`, `x = 1.0`."""
    if c.rhs.sort != "BOOL":
        return f"{short(c.lhs)} = {short(c.rhs)}"
    return short(c.lhs) if c.rhs.value else f"not ({short(c.lhs)})"


@dataclass
class Cases:
    """The open cases of one proof, shared by all its scopes."""

    first: int = 1
    found: list[Case] = field(default_factory=list)

    def leave(self, known: Mapping[Claim, str], left: Expr, right: Expr) -> Case:
        """The case for `left = right` under these claims: one that is there already, or a new one. Raises `TooMany`."""
        for case in self.found:
            if (case.left, case.right) == (left, right) and known.keys() >= set(case.given):
                return case
        if len(self.found) == MOST:
            raise TooMany
        self.found.append(Case(f"open{self.first + len(self.found)}", tuple(known), left, right))
        return self.found[-1]
