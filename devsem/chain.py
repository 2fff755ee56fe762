"""Minima of minima, and maxima of maxima, as one chain: sorted, without repeats, constants joined, and any two members compared.

All four operations are associative, commutative and idempotent, NaN and the signs of zeros included, so a nest of one of them is a
list of members: `f(m1, f(m2, … f(m, n)))` in the order of their digests.
"""

from __future__ import annotations

from collections.abc import Callable

from devsem.digest import digest
from devsem.expr import Expr, mk
from devsem.lemmas import COMMUTE, MIN_MAX
from devsem.scope import Scope
from devsem.term import Use

Rewrite = tuple[Expr, str] | None
Rule = Callable[[Scope, Expr], Rewrite]
LEAN = dict(MIN_MAX)


def arrange(scope: Scope, e: Expr) -> Rewrite:
    """One step towards the sorted chain; None when `e` is one, or no chain."""
    if e.op not in LEAN:
        return None
    a, b = e.args
    lean = f"Fp.{LEAN[e.op]}"
    if a.op == b.op == e.op:
        after = mk(e.op, a.args[0], mk(e.op, a.args[1], b))
        return after, scope.step(e, after, f"{lean}_assoc", *a.args, b)
    if b.op != e.op:
        if a.op != e.op and digest(a) <= digest(b):
            return None
        after = mk(e.op, b, a)
        return after, scope.step(e, after, COMMUTE[e.op].lean, a, b)
    first, rest = b.args
    if a is first:
        return b, scope.step(e, b, f"{lean}_left_self", a, rest)
    if digest(a) <= digest(first):
        return None
    after = mk(e.op, first, mk(e.op, a, rest))
    return after, scope.step(e, after, f"{lean}_left_comm", a, first, rest)


def meet(scope: Scope, e: Expr, rule: Rule) -> Rewrite:
    """The first member of a chain with any later one: the chain in which a rule has joined the two."""
    if e.op not in LEAN or e.args[1].op != e.op:
        return None
    a, (first, rest) = e.args[0], e.args[1].args
    lean = f"Fp.{LEAN[e.op]}"
    pair = mk(e.op, a, first)
    found = rule(scope, pair)
    if found is not None:
        joined, proof = found
        left, after = mk(e.op, pair, rest), mk(e.op, joined, rest)
        back = scope.step(e, left, "Eq.symm", Use(scope.step(left, e, f"{lean}_assoc", a, first, rest)))
        return after, _then(scope, e, left, after, back, scope.congr(left, after, (proof, None)))
    inner = mk(e.op, a, rest)
    found = meet(scope, inner, rule) if rest.op == e.op else rule(scope, inner)
    if found is None:
        return None
    joined, proof = found
    turned, after = mk(e.op, first, inner), mk(e.op, first, joined)
    swapped = scope.step(e, turned, f"{lean}_left_comm", a, first, rest)
    return after, _then(scope, e, turned, after, swapped, scope.congr(turned, after, (None, proof)))


def _then(scope: Scope, a: Expr, b: Expr, c: Expr, first: str, second: str | None) -> str:
    return scope.trans(a, first, b, second, c) or first
