"""What is known in one branch of a proof, and the steps that were written there.

A scope owns its list of steps and the facts of its branch: conditions with their value, terms that equal a constant, and the order
graph. Scopes of branches start from a copy and never change their parent. Every fact has the name of the step that proves it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from devsem.expr import Expr, const_bool, mk
from devsem.lemmas import Lemma
from devsem.opencase import Cases
from devsem.ops import BOOL, OPS
from devsem.term import Argument, Block, Claim, Function, Names, Reason, Step, Use

TRUE, FALSE = const_bool(True), const_bool(False)
Proof = str | None  # the name of a step that proves `before = after`; None when they are the same expression


class Contradiction(Exception):
    """Two steps of this scope show one condition true and false."""

    def __init__(self, yes: str, no: str) -> None:
        super().__init__(f"{yes} and {no}")
        self.yes, self.no = yes, no


class OutOfBudget(Exception):
    """The time or the number of steps that a proof may take is used up."""


@dataclass(frozen=True)
class Edge:
    """`lt source target` (strict) or `le source target` is true."""

    source: Expr
    target: Expr
    strict: bool
    proof: str


@dataclass
class Budget:
    """Shared by all scopes of one proof."""

    deadline: float
    steps: int

    def spend(self) -> None:
        """One step; raises when nothing is left."""
        self.steps -= 1
        if self.steps < 0 or time.monotonic() > self.deadline:
            raise OutOfBudget("no proof within the limit of time and steps")


@dataclass
class Scope:
    """One branch: its steps and what is known there."""

    names: Names
    budget: Budget
    steps: list[Step] = field(default_factory=list)
    facts: dict[Expr, tuple[bool, str]] = field(default_factory=dict)
    equals: dict[Expr, tuple[Expr, str]] = field(default_factory=dict)
    edges: dict[Expr, list[Edge]] = field(default_factory=dict)
    waiting: list[Expr] = field(default_factory=list)
    memo: dict[Expr, tuple[Expr, Proof]] = field(default_factory=dict)
    agrees: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # D. row: the S. row and the hypothesis that they agree
    extra: Mapping[str, Sequence[Lemma]] = field(default_factory=dict)  # a person's rewrite lemmas by the operation at their root
    cases: Cases = field(default_factory=Cases)

    def branch(self) -> Scope:
        """A scope for a case of this one."""
        edges = {node: list(out) for node, out in self.edges.items()}
        return Scope(self.names, self.budget, [], dict(self.facts), dict(self.equals), edges, list(self.waiting), {}, self.agrees, self.extra, self.cases)

    def step(self, lhs: Expr, rhs: Expr, head: str, *args: Argument) -> str:
        """Write a step and return its name."""
        self.budget.spend()
        name = self.names.fresh()
        self.steps.append(Step(name, Claim(lhs, rhs), Reason(head, args)))
        return name

    def nest(self, claim: Claim, block: Block) -> str:
        """Write a step whose reason is a block."""
        name = self.names.fresh()
        self.steps.append(Step(name, claim, block))
        return name

    def refl(self, lhs: Expr, rhs: Expr) -> str:
        """A step that holds by computation."""
        return self.step(lhs, rhs, "rfl")

    def trans(self, a: Expr, first: Proof, b: Expr, second: Proof, c: Expr) -> Proof:
        """`a = c` from `a = b` and `b = c`."""
        if first is None or second is None:
            return first or second
        return self.step(a, c, "Eq.trans", Use(first), Use(second))

    def symm(self, a: Expr, proof: Proof, b: Expr) -> Proof:
        """`b = a` from `a = b`."""
        return None if proof is None else self.step(b, a, "Eq.symm", Use(proof))

    def congr(self, before: Expr, after: Expr, proofs: Sequence[Proof]) -> Proof:
        """`f(a…) = f(b…)` from the arguments' equations."""
        if all(p is None for p in proofs):
            return None
        uses: list[Argument] = [Use(p) if p else "rfl" for p in proofs]
        head = {1: "congrArg", 2: "congrArg2", 3: "congrArg3"}[len(proofs)]
        return self.step(before, after, head, Function(before.op), *uses)

    def constants(self) -> list[Expr]:
        """The constants of the order graph."""
        return [n for n in self.edges if n.is_const]

    def add_edge(self, a: Expr, b: Expr, strict: bool, proof: str) -> None:
        """Record an order fact that holds."""
        self.edges.setdefault(a, []).append(Edge(a, b, strict, proof))
        self.edges.setdefault(b, [])


def truth(value: bool) -> Expr:
    """The constant."""
    return TRUE if value else FALSE


_constants: dict[Expr, Expr] = {}


def evaluate_closed(e: Expr) -> Expr | None:
    """The constant that an exact operation on constants is, or None when it is not closed."""
    from devsem.evaluate import constant  # numpy is loaded only when a proof needs it
    if not e.args or not all(a.is_const for a in e.args) or OPS[e.op].eval is None:
        return None
    if e not in _constants:
        _constants[e] = constant(e)
    return _constants[e]


def instantiate(pattern: Expr, env: dict[Expr, Expr]) -> Expr:
    """A pattern with its variables replaced."""
    if pattern.is_var:
        return env[pattern]
    if not pattern.args:
        return pattern
    return mk(pattern.op, *(instantiate(a, env) for a in pattern.args))


def match(pattern: Expr, e: Expr, env: dict[Expr, Expr]) -> bool:
    """Extend `env` so that the pattern becomes `e`; one variable stands for one expression."""
    if pattern.is_var:
        if pattern.sort != e.sort:
            return False
        return env.setdefault(pattern, e) is e
    if pattern.is_const or pattern.op != e.op:
        return pattern is e
    return all(match(p, a, env) for p, a in zip(pattern.args, e.args, strict=True))


def is_atom(e: Expr) -> bool:
    """A condition that is no Boolean combination of others."""
    return e.sort == BOOL and e.op not in ("not", "and", "or", "xor", "select_bool", "const")
