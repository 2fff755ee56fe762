"""Leave `a = b` open in a branch as a small statement: the sub-terms that really differ, and the facts of the branch that speak of them.

From `f(t, u) = f(t, v)` it is enough to know `u = v`. That may be false where the whole is true, so the smallest pair is taken that no
sampled input refutes.
"""

from __future__ import annotations

from dataclasses import dataclass

from devsem.expr import Expr, mk, variables
from devsem.lemmas import COMMUTE
from devsem.sampling import difference
from devsem.scope import Scope, truth
from devsem.term import Claim, Use


@dataclass(frozen=True)
class Level:
    """Two terms; from the second level on, which argument of the level above they are, and its right side with that order of arguments."""

    left: Expr
    right: Expr
    at: int = 0
    turned: Expr | None = None


def leave_open(scope: Scope, a: Expr, b: Expr) -> str:
    """The step `a = b`, from an open case. Raises `TooMany`."""
    levels = _levels(a, b)
    known = _known(scope)
    kept = next((n for n in range(len(levels), 1, -1) if difference(levels[n - 1].left, levels[n - 1].right, list(known)) is None), None)
    if kept is None and difference(a, b, list(known)) is None:
        kept = 1
    levels = levels[:kept]  # where nothing holds on samples, no lemma will do; the smallest pair then says best what is the matter
    left, right = levels[-1].left, levels[-1].right
    about = _about(known, left, right)
    case = scope.cases.leave(about, left, right)
    name = scope.step(left, right, case.head, *case.variables, *(Use(about[c]) for c in case.given))
    for outer, inner in zip(levels[-2::-1], levels[:0:-1], strict=True):
        name = _lift(scope, outer, inner, name)
    return name


def _levels(a: Expr, b: Expr) -> list[Level]:
    """The pair, and the pairs inside it as long as one operation differs in one argument."""
    levels = [Level(a, b)]
    while True:
        inner = _inner(levels[-1].left, levels[-1].right)
        if inner is None:
            return levels
        levels.append(inner)


def _inner(a: Expr, b: Expr) -> Level | None:
    if a.op != b.op or not 1 <= len(a.args) <= 3:
        return None
    turns = [b] if a.op not in COMMUTE else [b, mk(b.op, b.args[1], b.args[0], *b.args[2:])]
    for turned in turns:
        differing = [i for i, (x, y) in enumerate(zip(a.args, turned.args, strict=True)) if x is not y]
        if len(differing) == 1:
            at = differing[0]
            return Level(a.args[at], turned.args[at], at, turned)
    return None


def _lift(scope: Scope, outer: Level, inner: Level, name: str) -> str:
    """The equation of the level above, from that of an argument."""
    a, b, turned = outer.left, outer.right, inner.turned
    assert turned is not None
    up = scope.congr(a, turned, [name if i == inner.at else None for i in range(len(a.args))])
    assert up is not None
    if turned is b:
        return up
    back = scope.step(turned, b, COMMUTE[a.op].lean, *turned.args)
    return scope.step(a, b, "Eq.trans", Use(up), Use(back))


def _known(scope: Scope) -> dict[Claim, str]:
    """Everything that holds in the branch, with the step that says so."""
    facts = {Claim(condition, truth(value)): proof for condition, (value, proof) in scope.facts.items()}
    return facts | {Claim(term, value): proof for term, (value, proof) in scope.equals.items()}


def _about(known: dict[Claim, str], left: Expr, right: Expr) -> dict[Claim, str]:
    """The claims that speak of the terms' variables, or of variables that such claims speak of; all of them about constants."""
    reached = set(variables(left, right))
    if not reached:
        return known
    while True:
        found = {c: p for c, p in known.items() if reached & set(variables(c.lhs, c.rhs))}
        wider = reached | set(variables(*(side for c in found for side in (c.lhs, c.rhs))))
        if wider == reached:
            return found
        reached = wider
