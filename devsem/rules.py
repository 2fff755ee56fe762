"""A person's rewrite lemmas as the prover uses them: each with its left side in the prover's normal form, and in every order of arguments.

The prover looks at a term when it is in normal form, where commutative arguments stand in an order of their own. So for each order
there is a theorem `Rule.rN`, proved from the person's by the prover's own steps, and Lean checks it with the rest.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devsem.expr import Expr, mk, variables
from devsem.leanprint import TYPES, claim, proof
from devsem.lemmas import COMMUTE, Lemma
from devsem.normalise import simplify
from devsem.scope import Budget, Scope
from devsem.term import Block, Claim, Done, Names, Use
from devsem.userlean import NAMESPACE, Marked, Refused

SPACE = "Rule"
ORDERS, STEPS, SECONDS = 16, 20_000, 5.0


@dataclass(frozen=True, kw_only=True)
class Rule(Lemma):
    """A rewrite lemma with its variables in the order of its theorem's binders, and its text."""

    binders: tuple[Expr, ...]
    text: tuple[str, ...]

    @property
    def variables(self) -> tuple[Expr, ...]:
        """The order of the binders."""
        return self.binders


def rules(marked: Sequence[tuple[str, Marked]]) -> list[Rule]:
    """The rules of these lemmas, each with the file it is from. Raises `Refused`."""
    out: list[Rule] = []
    for path, lemma in marked:
        found = list(_of(lemma, f"{path}:{lemma.line}", len(out) + 1))
        if not found:
            raise Refused(f"{path}:{lemma.line}", f"`{lemma.name}` rewrites nothing that the prover would look at")
        out += found
    return out


def _of(lemma: Marked, place: str, first: int) -> Iterator[Rule]:
    left, right = (lemma.equation.rhs, lemma.equation.lhs) if lemma.reverse else (lemma.equation.lhs, lemma.equation.rhs)
    normal, _ = simplify(_scope(), left)
    end, _ = simplify(_scope(), right)
    if normal is end:
        raise Refused(place, f"the prover already knows `{lemma.name}`: both sides have the same normal form")
    if not normal.args:
        raise Refused(place, f"`{lemma.name}` rewrites a bare {'variable' if normal.is_var else 'constant'}; mark it `rewrite <-` to go the other way")
    binders = tuple(a for a in lemma.arguments if isinstance(a, Expr))
    if set(binders) - set(variables(normal)):
        raise Refused(place, f"the left side of `{lemma.name}` does not mention every variable")
    number = first
    for order in itertools.islice(_orders(normal), ORDERS):
        block = _proof(lemma, order, left, right)
        if block is not None:
            yield _rule(lemma, f"r{number}", order, right, binders, block)
            number += 1


def _scope() -> Scope:
    return Scope(Names(), Budget(time.monotonic() + SECONDS, STEPS))


def _orders(e: Expr) -> Iterator[Expr]:
    """The term in every order of its commutative arguments, as it stands first."""
    for args in itertools.product(*(list(_orders(a)) for a in e.args)):
        yield mk(e.op, *args) if args else e
        if e.op in COMMUTE and args[0] is not args[1]:
            yield mk(e.op, args[1], args[0], *args[2:])


def _proof(lemma: Marked, order: Expr, left: Expr, right: Expr) -> Block | None:
    """`order = right` from the lemma, when the prover's steps join `order` with the lemma's left side."""
    scope = _scope()
    (a, p), (b, q) = simplify(scope, order), simplify(scope, left)
    if a is not b:
        return None
    arguments = [x if isinstance(x, Expr) else Use(f"g{x}") for x in lemma.arguments]
    used = scope.step(lemma.equation.lhs, lemma.equation.rhs, f"{NAMESPACE}.{lemma.name}", *arguments)
    turned = scope.symm(right, used, left) if lemma.reverse else used
    joined = scope.trans(order, p, a, scope.symm(left, q, b), left)
    whole = scope.trans(order, joined, left, turned, right)
    assert whole is not None
    return Block(Claim(order, right), tuple(scope.steps), Done(whole))


def _rule(lemma: Marked, name: str, order: Expr, right: Expr, binders: tuple[Expr, ...], block: Block) -> Rule:
    names = {v: v.name for v in binders}
    typed = "".join(f" ({v.name} : {TYPES[v.sort]})" for v in binders) + "".join(f" (g{i} : {claim(c, names)})" for i, c in enumerate(lemma.given))
    text = (f"/-- `{NAMESPACE}.{lemma.name}`, as the prover uses it. -/", f"theorem {name}{typed} : {claim(block.goal, names)} :=", proof(block, names), "")
    return Rule(lean=f"{SPACE}.{name}", lhs=order, rhs=right, given=tuple((c.lhs, c.rhs) for c in lemma.given), binders=binders, text=text)
