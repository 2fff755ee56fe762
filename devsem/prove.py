"""Find a proof of `left = right`: normalise both sides, and when they differ split on what they depend on, branch by branch.

Nothing here is trusted: the result is a `Block` that Lean checks. A failure is `Open`, with the cases that are left.

>>> from devsem.expr import mk, var
>>> a, b = var("a", "F32"), var("b", "F32")
>>> isinstance(prove(mk("add_rn", a, b), mk("add_rn", b, a)), Proof)
True
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from devsem.expr import Expr, mk, topo
from devsem.facts import assume, settle
from devsem.lemmas import NZERO, ZERO, Lemma
from devsem.narrow import leave_open
from devsem.normalise import simplify
from devsem.opencase import MOST, Case, Cases, TooMany
from devsem.order import path
from devsem.scope import FALSE, TRUE, Budget, Contradiction, OutOfBudget, Scope, is_atom
from devsem.term import Absurd, Block, Claim, Done, Names, Split, Use, inline, prune

DEPTH, STEPS = 40, 200_000
NAN_BITS = ("D.nan_bits", "S.nan_bits")
MIN_MAX = ("min_num", "max_num", "min_nan", "max_nan")


@dataclass(frozen=True)
class Hypothesis:
    """A named hypothesis of the theorem: a condition that holds."""

    name: str
    condition: Expr


@dataclass(frozen=True)
class Proof:
    """A proof term for the goal, from the hypotheses and from these cases."""

    block: Block
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True)
class Open:
    """No proof: why, and the cases that were met. `block` proves the goal from them; None when the search stopped before its end."""

    reason: str
    cases: tuple[Case, ...] = ()
    block: Block | None = None


NO_LEMMA = "the two sides differ in a form that no lemma of the pool joins"


def prove(left: Expr, right: Expr, hypotheses: Sequence[Hypothesis] = (), seconds: float = 10.0,
          agrees: Mapping[str, tuple[str, str]] | None = None, extra: Mapping[str, Sequence[Lemma]] | None = None, first: int = 1) -> Proof | Open:
    """A proof of `left = right` for all values of the variables that satisfy the hypotheses, or `Open`.

    `agrees` gives, for each D. row that the theorem assumes to be the reference's function, its S. row and the hypothesis' name.
    `extra` are a person's rewrite lemmas by the operation at their root; `first` is the number of the first open case."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    cases = Cases(first)
    scope = Scope(Names(), Budget(time.monotonic() + seconds, STEPS), agrees=agrees or {}, extra=extra or {}, cases=cases)
    try:
        block = _with(scope, hypotheses, left, right)
    except TooMany:
        return Open(f"{NO_LEMMA}, in more than {MOST} cases", tuple(cases.found))
    except OutOfBudget as out:
        return Open(NO_LEMMA if cases.found else str(out), tuple(cases.found))
    except RecursionError:
        return Open("the expression is nested too deeply for the prover")
    if cases.found:
        return Open(NO_LEMMA, tuple(cases.found), prune(block))
    return Proof(inline(prune(block)))


def _with(scope: Scope, hypotheses: Sequence[Hypothesis], left: Expr, right: Expr) -> Block:
    goal = Claim(left, right)
    try:
        for h in hypotheses:
            assume(scope, h.condition, True, h.name)
    except Contradiction as c:
        return Block(goal, tuple(scope.steps), Absurd(c.yes, c.no))
    return _close(scope, left, right, 0)


def _close(scope: Scope, left: Expr, right: Expr, depth: int) -> Block:
    """A block for `left = right` in this scope."""
    goal = Claim(left, right)
    a, p = simplify(scope, left)
    b, q = simplify(scope, right)
    if a is b:
        whole = scope.trans(left, p, a, scope.symm(right, q, b), right) or scope.refl(left, right)
        return Block(goal, tuple(scope.steps), Done(whole))
    inner = _split(scope, a, b, depth) if depth < DEPTH else None
    middle = leave_open(scope, a, b) if inner is None else scope.nest(Claim(a, b), inner)
    half = scope.trans(left, p, a, middle, b)
    full = scope.trans(left, half, b, scope.symm(right, q, b), right) or middle
    return Block(goal, tuple(scope.steps), Done(full))


def _split(scope: Scope, a: Expr, b: Expr, depth: int) -> Block | None:
    """Both cases of the first condition that the two sides depend on; None if they depend on none."""
    for atom in _conditions(scope, a, b):
        return _on_condition(scope, atom, a, b, depth)
    for term in _zeros(scope, a, b):
        return _on_zero(scope, term, a, b, depth)
    for candidate in _about_terms(topo(a, b)):
        known, _ = simplify(scope, candidate)
        if not known.is_const:
            return _on_condition(scope, next(_leaves(known)), a, b, depth)
    for x, y in _ties(topo(a, b)):
        branch = scope.branch()
        try:
            if _tied(branch, x, y):
                return _close(branch, a, b, depth + 1)
        except Contradiction as c:
            return Block(Claim(a, b), tuple(branch.steps), Absurd(c.yes, c.no))
    for leaf in (leaf for fact in scope.facts if not is_atom(fact) for leaf in _leaves(fact) if leaf not in scope.facts):
        return _on_condition(scope, leaf, a, b, depth)
    return None


def _on_condition(scope: Scope, atom: Expr, a: Expr, b: Expr, depth: int) -> Block:
    branches = []
    for value, constant in ((True, TRUE), (False, FALSE)):
        branch, name = scope.branch(), scope.names.fresh()
        claim = Claim(atom, constant)
        try:
            assume(branch, atom, value, name)
            block = _close(branch, a, b, depth + 1)
        except Contradiction as c:
            block = Block(Claim(a, b), tuple(branch.steps), Absurd(c.yes, c.no))
        branches.append((name, claim, block))
    return Block(Claim(a, b), (), Split("Bool.byCases", (atom,), tuple(branches)))


def _on_zero(scope: Scope, term: tuple[Expr, str], a: Expr, b: Expr, depth: int) -> Block:
    e, proof = term
    branches = []
    for zero in (ZERO, NZERO):
        branch, name = scope.branch(), scope.names.fresh()
        try:
            assume(branch, mk("eq", e, ZERO), True, proof)
            branch.equals[e] = (zero, name)
            settle(branch)
            block = _close(branch, a, b, depth + 1)
        except Contradiction as c:
            block = Block(Claim(a, b), tuple(branch.steps), Absurd(c.yes, c.no))
        branches.append((name, Claim(e, zero), block))
    return Block(Claim(a, b), (), Split("F32.zero_cases", (e, Use(proof)), tuple(branches)))


def _leaves(condition: Expr) -> Iterator[Expr]:
    if is_atom(condition):
        yield condition
    for arg in condition.args:
        if arg.sort == "BOOL":
            yield from _leaves(arg)


def _conditions(scope: Scope, a: Expr, b: Expr) -> Iterator[Expr]:
    """Conditions worth splitting on, the most telling first."""
    nodes = topo(a, b)
    apart = set(topo(a)) ^ set(topo(b))
    for node in nodes:
        if node.op in NAN_BITS and node in apart:     # bits that differ only where a NaN came in: there both sides are mostly NaN
            yield from (leaf for leaf in _leaves(simplify(scope, mk("is_nan", node.args[1]))[0]) if leaf not in scope.facts)
    found = [leaf for node in reversed(nodes) if node.op in ("select", "select_bool") for leaf in _leaves(node.args[0]) if leaf not in scope.facts]
    yield from (leaf for leaf in found if not any(n.op == "select" for n in topo(leaf)))
    yield from found
    for node in nodes:
        if is_atom(node) and not node.is_var and node not in scope.facts:
            yield node
    for fact in scope.waiting:
        for term in fact.args:
            yield from _leaves(simplify(scope, mk("is_nan", term))[0])


def _about_terms(nodes: Sequence[Expr]) -> Iterator[Expr]:
    """Conditions under which minima, absolute values and the like become one of their arguments."""
    for node in nodes:
        if node.op in MIN_MAX:
            x, y = node.args
            yield from (mk("is_nan", t) for t in node.args if not t.is_const)
            yield from (mk("lt", x, y), mk("lt", y, x))
    for node in nodes:
        if node.op in ("abs", "pos_zero"):
            x = node.args[0]
            yield from (mk("is_nan", x), mk("lt", ZERO, x), mk("lt", x, ZERO))
    for node in nodes:
        if node.op in MIN_MAX:
            yield from (mk("lt", *ends) for x in node.args if not x.is_const for ends in ((ZERO, x), (x, ZERO)))


def _ties(nodes: Sequence[Expr]) -> Iterator[tuple[Expr, Expr]]:
    """Terms that may compare equal: two that a minimum cannot choose between, and those that are neither positive nor negative."""
    for node in nodes:
        if node.op in MIN_MAX:
            yield node.args[0], node.args[1]
    for node in nodes:
        if node.op in ("abs", "pos_zero", *MIN_MAX):
            yield from ((x, ZERO) for x in node.args if not x.is_const)


def _tied(scope: Scope, x: Expr, y: Expr) -> bool:
    """Take in that two numbers of which neither is below the other are equal; False where that is not so, or known."""
    equal = mk("eq", x, y)
    if simplify(scope, equal)[0].is_const:
        return False
    proofs = []
    for condition in (mk("is_nan", x), mk("is_nan", y), mk("lt", x, y), mk("lt", y, x)):
        known, proof = simplify(scope, condition)
        if known is not FALSE:
            return False
        proofs.append(proof or scope.refl(condition, FALSE))
    left, right, below, above = map(Use, proofs)
    least = scope.step(mk("le", y, x), TRUE, "Fp.le_of_not_lt", x, y, left, right, below)
    most = scope.step(mk("le", x, y), TRUE, "Fp.le_of_not_lt", y, x, right, left, above)
    assume(scope, equal, True, scope.step(equal, TRUE, "Fp.eq_of_le_le", x, y, Use(most), Use(least)))
    return True


def _zeros(scope: Scope, a: Expr, b: Expr) -> Iterator[tuple[Expr, str]]:
    """Terms of the two sides that are known to be a zero of unknown sign, with the step that says so."""
    for term in topo(a, b):
        if term.sort != "F32" or term.is_const or term in scope.equals or term not in scope.edges:
            continue
        zero = next((z for z in scope.edges if z in (ZERO, NZERO)), None)
        if zero is None:
            continue
        up = path(scope, term, ZERO, False)
        down = up and path(scope, ZERO, term, False)
        if up and down:
            yield term, scope.step(mk("eq", term, ZERO), TRUE, "Fp.eq_of_le_le", term, ZERO, Use(up), Use(down))
    for term in _likely_zeros(topo(a, b)):
        equal = mk("eq", term, ZERO)
        known, proof = simplify(scope, equal)
        if known is TRUE and term not in scope.equals:
            yield term, proof or scope.refl(equal, TRUE)


def _likely_zeros(nodes: Sequence[Expr]) -> Iterator[Expr]:
    """Products with zero, and terms whose sign an operation asks for."""
    for node in nodes:
        if node.op == "mul_rn" and node.args[1] is ZERO:
            yield node
        if node.op in ("abs", "pos_zero", *MIN_MAX):
            yield from (x for x in node.args if not x.is_const)
