"""What a trace consists of: accesses, barriers and loops, each with the facts under which a thread reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from devsem.errors import Where
from devsem.expr import Expr


@dataclass(frozen=True)
class Induction:
    """variable = first + counter × step as numbers, provided that no round of the loop wraps; the counter (64 bits) is not negative."""

    variable: Expr
    first: Expr
    step: Expr
    counter: Expr
    loop: int


@dataclass(frozen=True)
class Known:
    """Holds of the values of unknowns in every thread that comes here; an Expr alone is a condition that a thread may fail."""

    holds: Expr


Fact = Expr | Induction | Known


@dataclass(frozen=True)
class Tag:
    """An interval between barriers: that after barrier `barrier` (0: the kernel's beginning). `later`: the loops of which the access is in
    the round after the barrier's; `first`: the loops of which it is in the first round, the barrier being before the loop."""

    barrier: int
    later: frozenset[int] = frozenset()
    first: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Access:
    """One access (`aligned`: that of several elements at once begins here, so that `index` must be a multiple of `elements`). `sure`: a thread
    for which `path` holds really makes it. `number`: its place in the text's order."""

    kind: Literal["read", "write", "aligned"]
    buffer: str
    index: Expr
    elements: int
    path: tuple[Fact, ...]
    loops: tuple[int, ...]
    tags: frozenset[Tag]
    sure: bool
    number: int
    where: Where
    space: str


@dataclass(frozen=True)
class Meeting:
    """A barrier, or a round of a loop with barriers in it: all threads of a block must come to it together. Of a barrier: its number in tags,
    the tags of what comes before it, and how many accesses stand before it in the text's order."""

    path: tuple[Fact, ...]
    loops: tuple[int, ...]
    where: Where
    number: int = 0
    tags: frozenset[Tag] = frozenset()
    after: int = 0


@dataclass(frozen=True)
class Operation:
    """A division or a shift that C defines only for some second arguments."""

    value: Expr
    path: tuple[Fact, ...]
    loops: tuple[int, ...]
    where: Where


@dataclass(frozen=True)
class Round:
    """A loop: what holds before the condition of a round, the condition, and whether it has barriers. `shrinking`: unknowns that every round
    divides by at least 2."""

    number: int
    counter: Expr
    inductions: tuple[Induction, ...]
    before: tuple[Fact, ...]
    condition: Expr
    shrinking: tuple[Expr, ...]
    barriers: bool
    leaves_early: bool
    where: Where


@dataclass(frozen=True)
class Traced:
    """A kernel's accesses, barriers, partial operations and loops; `open` says what was not understood. `varying` and `owner` are of variables:
    which differ between threads of a block, and of which loop's round they are."""

    accesses: tuple[Access, ...]
    meetings: tuple[Meeting, ...]
    operations: tuple[Operation, ...]
    rounds: Mapping[int, Round]
    open: tuple[str, ...]
    varying: frozenset[Expr]
    owner: Mapping[Expr, int | None]
