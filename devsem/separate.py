"""The proof of a refutation: evaluate both sides on the witness, step by step; where a function is only bounded, for each value it may have.

Every step is an operation on constants, which Lean's kernel computes; nothing else is assumed but the bounds that the theorem names.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence

from devsem.expr import Expr, bits, mk, topo
from devsem.normalise import simplify
from devsem.refute import Bound
from devsem.scope import FALSE, Budget, OutOfBudget, Scope
from devsem.term import AnyOf, Block, Claim, Done, Names, prune

STEPS = 400_000


def application(bound: Bound) -> Expr:
    """The function application that a bound is about."""
    return mk(bound.row, *map(bits, bound.args))


Witnessed = Mapping[Expr, tuple[Expr, str]]  # each variable: its constant, and the name of the equation that says so


def _scope(at: Witnessed, agrees: Mapping[str, tuple[str, str]], seconds: float) -> Scope:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    return Scope(Names(), Budget(time.monotonic() + seconds, STEPS), equals=dict(at), agrees=agrees)


def value_block(e: Expr, value: Expr, at: Witnessed, seconds: float) -> Block | None:
    """A proof that an expression is this constant on the witness, or None when it is not."""
    scope = _scope(at, {}, seconds)
    try:
        reached, proof = simplify(scope, e)
    except OutOfBudget:
        return None
    if reached is not value:
        return None
    whole = proof or scope.refl(e, value)
    return prune(Block(Claim(e, value), tuple(scope.steps), Done(whole)))


def separate_block(kernel: Expr, spec: Expr, at: Witnessed, bounds: Sequence[tuple[str, Bound]], agrees: Mapping[str, tuple[str, str]],
                   seconds: float) -> Block | None:
    """A proof of `same kernel spec = false` on the witness, from the named bounds; None when they do not separate."""
    scope = _scope(at, agrees, seconds)
    try:
        found = _separate(scope, mk("same", kernel, spec), {application(b): (name, b) for name, b in bounds})
    except OutOfBudget:
        return None
    return None if found is None else prune(found)


def _separate(scope: Scope, goal: Expr, bounds: Mapping[Expr, tuple[str, Bound]]) -> Block | None:
    claim = Claim(goal, FALSE)
    reached, proof = simplify(scope, goal)
    if reached is FALSE:
        whole = proof or scope.refl(goal, FALSE)
        return Block(claim, tuple(scope.steps), Done(whole))
    subject = next((n for n in topo(reached) if n in bounds), None)
    if subject is None:
        return None
    name, bound = bounds[subject]
    branches = []
    for pattern in bound.allowed:
        branch, equation = scope.branch(), scope.names.fresh()
        branch.equals[subject] = (bits(pattern), equation)
        inner = _separate(branch, reached, bounds)
        if inner is None:
            return None
        branches.append((equation, Claim(subject, bits(pattern)), inner))
    split = Block(Claim(reached, FALSE), (), AnyOf(name, tuple(branches)))
    middle = scope.nest(Claim(reached, FALSE), split)
    whole = scope.trans(goal, proof, reached, middle, FALSE) or middle
    return Block(claim, tuple(scope.steps), Done(whole))
