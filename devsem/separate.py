"""The proof of a refutation: evaluate both sides on the witness, step by step; where a function is only bounded, for each value it may have.

Every step is an operation on constants, which Lean's kernel computes; nothing else is assumed but the bounds that the theorem names.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence

from devsem import between
from devsem.expr import Expr, bits, mk, topo
from devsem.normalise import simplify
from devsem.possible import Bound
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
    except (OutOfBudget, RecursionError):
        return None
    if reached is not value:
        return None
    whole = proof or scope.refl(e, value)
    return prune(Block(Claim(e, value), tuple(scope.steps), Done(whole)))


def separate_block(kernel: Expr, spec: Expr, at: Witnessed, bounds: Sequence[tuple[str, Bound]], agrees: Mapping[str, tuple[str, str]],
                   seconds: float) -> Block | None:
    """A proof of `same kernel spec = false` on the witness, from the named bounds; None when they do not separate."""
    scope = _scope(at, agrees, seconds)
    listed = {application(b): (name, b) for name, b in bounds if b.allowed}
    try:
        found = _separate(scope, mk("same", kernel, spec), listed, [(name, b) for name, b in bounds if not b.allowed])
    except (OutOfBudget, RecursionError):
        return None
    return None if found is None else prune(found)


def _separate(scope: Scope, goal: Expr, listed: Mapping[Expr, tuple[str, Bound]], intervals: Sequence[between.Named]) -> Block | None:
    claim = Claim(goal, FALSE)
    reached, proof = simplify(scope, goal)
    subject = _subject(reached, listed)
    while subject is None and reached is not FALSE and between.learn(scope, reached, intervals):
        scope.memo.clear()
        after, more = simplify(scope, reached)
        reached, proof = after, scope.trans(goal, proof, reached, more, after)
        subject = _subject(reached, listed)
    if reached is FALSE:
        whole = proof or scope.refl(goal, FALSE)
        return Block(claim, tuple(scope.steps), Done(whole))
    if subject is None:
        last = between.apart(scope, reached, intervals)
        if last is None:
            return None
        whole = scope.trans(goal, proof, reached, last, FALSE) or last
        return Block(claim, tuple(scope.steps), Done(whole))
    name, bound = listed[subject]
    branches = []
    for pattern in bound.allowed:
        branch, equation = scope.branch(), scope.names.fresh()
        branch.equals[subject] = (bits(pattern), equation)
        inner = _separate(branch, reached, listed, intervals)
        if inner is None:
            return None
        branches.append((equation, Claim(subject, bits(pattern)), inner))
    split = Block(Claim(reached, FALSE), (), AnyOf(name, tuple(branches)))
    middle = scope.nest(Claim(reached, FALSE), split)
    whole = scope.trans(goal, proof, reached, middle, FALSE) or middle
    return Block(claim, tuple(scope.steps), Done(whole))


def _subject(e: Expr, listed: Mapping[Expr, tuple[str, Bound]]) -> Expr | None:
    """A function application whose documented values are a list."""
    return next((n for n in topo(e) if n in listed), None)
