"""Take a condition into a branch: take it apart, put it into the order graph, draw what follows, notice contradictions."""

from __future__ import annotations

from devsem import interval
from devsem.digest import digest
from devsem.expr import Expr, mk, topo
from devsem.lemmas import NAN, ZERO
from devsem.normalise import simplify
from devsem.order import ORDER, check, learn, path, wake
from devsem.scope import FALSE, TRUE, Contradiction, Scope, is_atom, truth
from devsem.term import Use

TAKE_APART = {  # (operation, its value): (which argument, its value, lemma)
    ("not", True): ((0, False, "Bool.not_eq_true"),), ("not", False): ((0, True, "Bool.not_eq_false"),),
    ("and", True): ((0, True, "Bool.and_eq_true_left"), (1, True, "Bool.and_eq_true_right")),
    ("or", False): ((0, False, "Bool.or_eq_false_left"), (1, False, "Bool.or_eq_false_right")),
}


def assume(scope: Scope, condition: Expr, value: bool, proof: str) -> None:
    """Add `condition = value`, proved by step `proof`. Raises `Contradiction` when it cannot be."""
    _add(scope, condition, value, proof)
    settle(scope)


def settle(scope: Scope) -> None:
    """Draw what follows from the facts until nothing new does. Raises `Contradiction`."""
    while True:
        scope.memo.clear()
        if not (wake(scope, _number) or _pin(scope) or _renew(scope)):
            break
    check(scope)
    _check_bounds(scope)
    scope.memo.clear()


def _number(scope: Scope, e: Expr) -> str | None:
    """A step `is_nan e = false`."""
    known, proof = simplify(scope, mk("is_nan", e))
    return None if known is not FALSE else proof or scope.refl(mk("is_nan", e), FALSE)


def _check_bounds(scope: Scope) -> None:
    """Raise `Contradiction` when bounds refute a comparison of the branch."""
    for atom, (value, proof) in list(scope.facts.items()):
        found = interval.decide(scope, atom, simplify)
        if found is not None and found[0] is not truth(value):
            raise Contradiction(*((proof, found[1]) if value else (found[1], proof)))


def _add(scope: Scope, condition: Expr, value: bool, proof: str) -> None:
    known, why = simplify(scope, condition)
    if known.is_const:
        if (known is TRUE) != value:
            if why is None:
                raise ValueError("a closed condition was assumed to be what it is not")
            raise Contradiction(*((proof, why) if value else (why, proof)))
        return
    if why is not None:
        back = scope.symm(condition, why, known)
        joined = scope.trans(known, back, condition, proof, truth(value))
        proof = joined or proof
    parts = TAKE_APART.get((known.op, value))
    if parts is not None:
        for at, part_value, lemma in parts:
            _add(scope, known.args[at], part_value, scope.step(known.args[at], truth(part_value), lemma, Use(proof)))
        return
    scope.facts[known] = (value, proof)
    scope.memo.clear()
    if not is_atom(known):
        return
    if known.op == "is_nan" and value and not known.args[0].is_const:
        scope.equals[known.args[0]] = (NAN, scope.step(known.args[0], NAN, "Fp.eq_nan_of_isNan", known.args[0], Use(proof)))
    if known.op == "same" and value:
        _identify(scope, known.args[0], known.args[1], proof)
    if known.op in ORDER:
        learn(scope, known, value, proof)


def _identify(scope: Scope, a: Expr, b: Expr, proof: str) -> None:
    """Of two terms that are the same, the larger becomes the other."""
    keep, drop = sorted((a, b), key=lambda e: (not e.is_const, len(topo(e)), digest(e)))
    if drop in topo(keep) or drop in scope.equals:
        return
    equation = scope.step(a, b, "F32.eq_of_same", Use(proof))
    scope.equals[drop] = (keep, equation if drop is a else scope.step(b, a, "Eq.symm", Use(equation)))


def _pin(scope: Scope) -> bool:
    """A term between a constant and the same constant is that constant, unless it is a zero (there are two)."""
    for term in list(scope.edges):
        if term.is_const or term in scope.equals:
            continue
        if _pin_to_term(scope, term):
            return True
        for c in scope.constants():
            if c.value & 0x7FFFFFFF == 0 or c is NAN:
                continue
            up = path(scope, term, c, False)
            down = up and path(scope, c, term, False)
            if up and down:
                scope.equals[term] = (c, scope.step(term, c, "Fp.eq_of_le_of_le", term, c, Use(up), Use(down), "rfl"))
                return True
    return False


def _pin_to_term(scope: Scope, term: Expr) -> bool:
    """Two terms that are equal in order are the same, if one is known not to be a zero; the later is rewritten to the earlier, or a whole to its part."""
    for other in scope.edges:
        if other is term:
            return False
        if other.is_const or other in scope.equals:
            continue
        up = path(scope, term, other, False)
        down = up and path(scope, other, term, False)
        if not up or not down:
            continue
        keep, drop, least, most = (term, other, down, up) if term in topo(other) else (other, term, up, down)
        for lemma, ends in (("F32.eq_of_le_of_le_pos", (ZERO, keep)), ("F32.eq_of_le_of_le_neg", (keep, ZERO))):
            sign = path(scope, *ends, True)
            if sign:
                scope.equals[drop] = (keep, scope.step(drop, keep, lemma, drop, keep, Use(least), Use(most), Use(sign)))
                return True
    return False


def _renew(scope: Scope) -> bool:
    """Facts about a term that is now known to be a constant, said about the constant."""
    for atom, (value, proof) in list(scope.facts.items()):
        if not atom.args:
            continue
        parts = [simplify(scope, a) for a in atom.args]
        after = mk(atom.op, *(a for a, _ in parts))
        if after is atom:
            continue
        moved = scope.congr(atom, after, [p for _, p in parts])
        back = scope.symm(atom, moved, after)
        joined = scope.trans(after, back, atom, proof, truth(value))
        del scope.facts[atom]
        if atom in scope.waiting:
            scope.waiting.remove(atom)
        _add(scope, after, value, joined or proof)
        return True
    return False
