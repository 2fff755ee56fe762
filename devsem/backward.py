"""The pool's rows read from their conclusions: a comparison or a test for NaN is true, or false, because a row's conditions hold here.

`x + y >= 0` follows from `x >= 0` and `y >= 0`. The conditions speak of smaller terms, so the search ends. A row is tried only where
its outermost operations fit, in both orders of a commutative one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from devsem.closed import holds
from devsem.expr import Expr, mk
from devsem.lemmas import COMMUTE, LEMMAS, TRUE, Lemma
from devsem.scope import FALSE, Scope, instantiate, match
from devsem.term import Argument, Use

Simplify = Callable[[Scope, Expr], tuple[Expr, str | None]]
COMPARED = ("le", "lt")


def _shape(e: Expr) -> tuple[str, ...]:
    """The operation and those of its arguments; a variable or constant fits all."""
    return (e.op, *(a.op if a.args else "" for a in e.args))


def _index() -> dict[tuple[str, ...], tuple[Lemma, ...]]:
    rows: dict[tuple[str, ...], list[Lemma]] = {}
    for lemma in LEMMAS.values():
        bound = {v for v in lemma.variables if _within(v, lemma.lhs)}
        if lemma.use not in ("order", "interval") or bound != set(lemma.variables) or lemma.closed or not any(a.args for a in lemma.lhs.args):
            continue
        if (lemma.lhs.op in COMPARED and lemma.rhs is TRUE) or lemma.lhs.op == "is_nan":
            rows.setdefault(_shape(lemma.lhs), []).append(lemma)
    return {shape: tuple(found) for shape, found in rows.items()}


def _within(v: Expr, e: Expr) -> bool:
    return e is v or any(_within(v, a) for a in e.args)


ROWS = _index()


def _fitting(atom: Expr) -> Iterator[Lemma]:
    """The rows whose outermost operations are the atom's."""
    for keep in range(1 << len(atom.args)):
        shape = (atom.op, *(a.op if keep >> i & 1 else "" for i, a in enumerate(atom.args)))
        if any(shape[1:]):
            yield from ROWS.get(shape, ())


def _turned(scope: Scope, atom: Expr) -> Iterator[tuple[Expr, Callable[[], str | None]]]:
    """The atom with each order of commutative arguments, and a step from the atom to that."""
    choices = [[a] if a.op not in COMMUTE or a.args[0] is a.args[1] else [a, mk(a.op, a.args[1], a.args[0], *a.args[2:])] for a in atom.args]
    for first in choices[0]:
        for second in choices[1] if len(choices) == 2 else [None]:
            args = (first,) if second is None else (first, second)
            turned = mk(atom.op, *args)

            def why(turned: Expr = turned, args: tuple[Expr, ...] = args) -> str | None:
                moves = [None if a is b else scope.step(a, b, COMMUTE[a.op].lean, *a.args) for a, b in zip(atom.args, args, strict=True)]
                return scope.congr(atom, turned, moves)

            yield turned, why


def derive(scope: Scope, atom: Expr, simplify: Simplify) -> tuple[Expr, str] | None:
    """The truth value of a comparison that a row shows to hold, or of a test for NaN that a row reduces to one that is known."""
    rows = list(_fitting(atom))
    if not rows:
        return None
    for turned, why in _turned(scope, atom):
        for lemma in rows:
            found = _apply(scope, lemma, turned, simplify)
            if found is not None:
                value, proof = found
                return value, scope.trans(atom, why(), turned, proof, value) or proof
    return None


def instance(scope: Scope, lemma: Lemma, e: Expr, simplify: Simplify) -> tuple[dict[Expr, Expr], list[Argument]] | None:
    """What a lemma's variables are where its left side is `e`, and its arguments after them; None if it does not match or a condition is not known."""
    env: dict[Expr, Expr] = {}
    if not match(lemma.lhs, e, env):
        return None
    proofs: list[Argument] = []
    for condition, value in lemma.given:
        known, proof = simplify(scope, instantiate(condition, env))
        if known is not value:
            return None
        proofs.append(Use(proof) if proof else "rfl")
    for test, args in lemma.closed:
        if not holds(test, tuple(instantiate(a, env) for a in args)):
            return None
        proofs.append("rfl")
    return env, proofs


def _apply(scope: Scope, lemma: Lemma, atom: Expr, simplify: Simplify) -> tuple[Expr, str] | None:
    found = instance(scope, lemma, atom, simplify)
    if found is None:
        return None
    env, proofs = found
    after = instantiate(lemma.rhs, env)
    known, rest = simplify(scope, after)
    if not known.is_const:
        return None
    step = scope.step(atom, after, lemma.lean, *(env[v] for v in lemma.variables), *proofs)
    return known, scope.trans(atom, step, after, rest, known) or step


def decide(scope: Scope, atom: Expr, simplify: Simplify) -> tuple[Expr, str] | None:
    """The value of a comparison or a test for NaN, by a row about it or about its converse."""
    found = derive(scope, atom, simplify)
    if found is not None or atom.op not in COMPARED:
        return found
    a, b = atom.args
    converse = mk("le" if atom.op == "lt" else "lt", b, a)
    back = derive(scope, converse, simplify)
    if back is None or back[0] is FALSE:
        return None
    return FALSE, scope.step(atom, FALSE, "Fp.lt_false_of_le" if atom.op == "lt" else "Fp.le_false_of_lt", a, b, Use(back[1]))
