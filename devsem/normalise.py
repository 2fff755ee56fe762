"""Rewrite an expression under a branch's facts, with a proof: closed evaluation, known conditions, oriented lemmas, one order of arguments.

Every rule returns the new expression and the step that proves the equation; Lean checks each. Rules go bottom-up and are memoised
per scope. The order of commutative arguments is by a digest of their structure, so the result does not depend on history.
"""

from __future__ import annotations

from devsem import backward, chain, factors, interval
from devsem.closed import holds
from devsem.digest import digest
from devsem.expr import CONST, VAR, Expr, mk
from devsem.lemmas import COMMUTE, LEMMAS, NZERO, REWRITES, ZERO, Lemma
from devsem.order import decide
from devsem.scope import FALSE, TRUE, Proof, Scope, evaluate_closed, instantiate, is_atom, match, truth
from devsem.term import Function, Use

CHOICES = ("select", "select_b32", "select_b64")
Rewrite = tuple[Expr, str] | None


def simplify(scope: Scope, e: Expr) -> tuple[Expr, Proof]:
    """The normal form and a proof of `e = normal form` (None when it is `e` itself)."""
    hit = scope.memo.get(e)
    if hit is not None:
        return hit
    scope.budget.spend()
    if e.op in CHOICES:
        result = _select(scope, e)
    else:
        parts = [simplify(scope, a) for a in e.args]
        now = mk(e.op, *(a for a, _ in parts)) if e.args else e
        result = _finish(scope, e, now, scope.congr(e, now, [p for _, p in parts]) if e.args else None)
    scope.memo[e] = scope.memo[result[0]] = result
    scope.memo[result[0]] = (result[0], None)
    return result


def _finish(scope: Scope, e: Expr, now: Expr, proof: Proof) -> tuple[Expr, Proof]:
    """Apply rules at the root of `now`, whose arguments are in normal form."""
    step = _rule(scope, now)
    if step is None:
        return now, proof
    after, reason = step
    proof = scope.trans(e, proof, now, reason, after)
    last, rest = simplify(scope, after)
    return last, scope.trans(e, proof, after, rest, last)


def _select(scope: Scope, e: Expr) -> tuple[Expr, Proof]:
    """Look at the condition first: a branch that is not taken is never looked at."""
    condition, a, b = e.args
    known, proof = simplify(scope, condition)
    if known.is_const:
        chosen = a if known is TRUE else b
        lemma = "cond_of_true" if known is TRUE else "cond_of_false"
        why = scope.step(e, chosen, lemma, Use(proof) if proof else "rfl", a, b)  # by rfl alone the kernel would unfold both results
        last, rest = simplify(scope, chosen)
        return last, scope.trans(e, why, chosen, rest, last)
    left, right = simplify(scope, a), simplify(scope, b)
    now = mk(e.op, known, left[0], right[0])
    return _finish(scope, e, now, scope.congr(e, now, (proof, left[1], right[1])))


def _rule(scope: Scope, e: Expr) -> Rewrite:
    if e.op in (CONST,):
        return None
    for rule in RULES:
        found = rule(scope, e)
        if found is not None:
            return found
    if not is_atom(e) or e.op == VAR:
        return None
    return decide(scope, e) or interval.decide(scope, e, simplify) or backward.decide(scope, e, simplify)


def _known(scope: Scope, e: Expr) -> Rewrite:
    """A condition whose value the branch knows; a term that the branch knows to be a constant."""
    fact = scope.facts.get(e)
    if fact is not None:
        return truth(fact[0]), fact[1]
    if e.op in scope.agrees:
        row, hypothesis = scope.agrees[e.op]
        after = mk(row, *e.args)
        return after, scope.step(e, after, hypothesis, *e.args)
    return scope.equals.get(e)


def _closed(scope: Scope, e: Expr) -> Rewrite:
    value = evaluate_closed(e)
    return None if value is None else (value, scope.refl(e, value))


BOOLEAN = {  # (operation, which argument, its value): the result (None: the other argument) and the lemma
    ("and", 0, TRUE): (None, "Bool.true_and"), ("and", 1, TRUE): (None, "Bool.and_true"),
    ("and", 0, FALSE): (FALSE, "Bool.false_and"), ("and", 1, FALSE): (FALSE, "Bool.and_false"),
    ("or", 0, FALSE): (None, "Bool.false_or"), ("or", 1, FALSE): (None, "Bool.or_false"),
    ("or", 0, TRUE): (TRUE, "Bool.true_or"), ("or", 1, TRUE): (TRUE, "Bool.or_true"),
    ("xor", 0, FALSE): (None, "Bool.false_xor"), ("xor", 1, FALSE): (None, "Bool.xor_false"),
}


def _boolean(scope: Scope, e: Expr) -> Rewrite:
    if e.op == "not" and e.args[0].op == "not":
        inner = e.args[0].args[0]
        return inner, scope.step(e, inner, "Bool.not_not", inner)
    if e.op in ("select_bool", "select_b32", "select_b64") and e.args[0].is_const:
        chosen = e.args[1] if e.args[0] is TRUE else e.args[2]
        return chosen, scope.step(e, chosen, "cond_of_true" if e.args[0] is TRUE else "cond_of_false", "rfl", e.args[1], e.args[2])
    if e.op in ("and", "or") and e.args[0] is e.args[1]:
        return e.args[0], scope.step(e, e.args[0], f"Bool.{e.op}_self", e.args[0])
    for at in (0, 1):
        row = BOOLEAN.get((e.op, at, e.args[at])) if len(e.args) == 2 else None
        if row is not None:
            other = e.args[1 - at]
            result = other if row[0] is None else row[0]
            return result, scope.step(e, result, row[1], other)
    return None


def _choice(scope: Scope, e: Expr) -> Rewrite:
    if e.op != "select":
        return None
    condition, a, b = e.args
    if a is b:
        return a, scope.step(e, a, "cond_same", a, condition)
    if condition.op == "not":
        after = mk("select", condition.args[0], b, a)
        return after, scope.step(e, after, "cond_not", a, b, condition.args[0])
    return None


def _fma_signs(scope: Scope, e: Expr) -> Rewrite:
    """At most one negated factor, the first; the factors in order of their digests, signs aside."""
    if e.op != "fma_rn":
        return None
    a, b, c = e.args
    bare_a, bare_b = (x.args[0] if x.op == "neg" else x for x in (a, b))
    if a.op == b.op == "neg":
        after = mk("fma_rn", bare_a, bare_b, c)
        return after, scope.step(e, after, "Fp.fma_neg_neg", bare_a, bare_b, c)
    if digest(bare_b) < digest(bare_a):
        after = mk("fma_rn", b, a, c)
        return after, scope.step(e, after, "Fp.fma_comm", a, b, c)
    if b.op == "neg":
        after = mk("fma_rn", mk("neg", a), bare_b, c)
        return after, scope.step(e, after, "Fp.fma_neg_swap", a, bare_b, c)
    return None


def _commute(scope: Scope, e: Expr) -> Rewrite:
    lemma = COMMUTE.get(e.op)
    if lemma is None or e.op == "fma_rn" or e.op in chain.LEAN or digest(e.args[0]) <= digest(e.args[1]):
        return None
    after = mk(e.op, e.args[1], e.args[0])
    return after, scope.step(e, after, lemma.lean, *e.args)


def _factors(scope: Scope, e: Expr) -> Rewrite:
    """Constant factors."""
    return factors.rewrite(scope, e, simplify)


def _chain(scope: Scope, e: Expr) -> Rewrite:
    """A nest of minima or of maxima in order."""
    return chain.arrange(scope, e)


def _members(scope: Scope, e: Expr) -> Rewrite:
    """Two members of such a nest that a lemma joins."""
    return chain.meet(scope, e, _rows)


def use_lemma(scope: Scope, lemma: Lemma, e: Expr) -> Rewrite:
    """Apply a registered lemma left to right, if it matches and its conditions hold here."""
    found = backward.instance(scope, lemma, e, simplify)
    if found is None:
        return None
    env, proofs = found
    after = instantiate(lemma.rhs, env)
    return after, scope.step(e, after, lemma.lean, *(env[v] for v in lemma.variables), *proofs)


_by_shape: dict[tuple[str, ...], tuple[tuple[Lemma, ...], tuple[Lemma, ...]]] = {}


def _fitting(e: Expr) -> tuple[Lemma, ...]:
    """The pool's lemmas whose left side has the operations of `e`'s root and of its arguments, in the pool's order."""
    rows, shape = REWRITES.get(e.op, ()), (e.op, *(a.op for a in e.args))
    found = _by_shape.get(shape)
    if found is None or found[0] is not rows:
        found = rows, tuple(m for m in rows if all(p.op in (VAR, a) for p, a in zip(m.lhs.args, shape[1:], strict=True)))
        _by_shape[shape] = found
    return found[1]


def _rows(scope: Scope, e: Expr) -> Rewrite:
    for lemma in (*_fitting(e), *scope.extra.get(e.op, ())):
        found = use_lemma(scope, lemma, e)
        if found is not None:
            return found
    return None


def _comparison(scope: Scope, e: Expr) -> Rewrite:
    """Comparisons of a negation or an absolute value, as comparisons of the value itself; of two, the negation goes to the later by digest."""
    if e.op not in ("lt", "le"):
        return None
    a, b = e.args
    for at, inner, other in ((0, a, b), (1, b, a)):
        if inner.op == "abs":
            return _restate(scope, e, LEMMAS[f"Fp.abs_{e.op}" if at == 0 else f"Fp.{e.op}_abs"])
        if inner.op == "neg" and other.op != "neg" and (other.is_const or digest(other) < digest(inner.args[0])):
            return _restate(scope, e, LEMMAS[f"Fp.{e.op}_neg_{'left' if at == 0 else 'right'}"])
    return None


def _minus_zero(scope: Scope, e: Expr) -> Rewrite:
    """A comparison does not see the sign of a zero: with -0 it is one with +0."""
    if e.op not in ("lt", "le", "eq") or NZERO not in e.args or all(a.is_const for a in e.args):
        return None
    at = e.args.index(NZERO)
    a, b = (tuple(x if i == at else y for i, y in enumerate(e.args)) for x in (mk("pos_zero", NZERO), ZERO))
    middle, after = mk(e.op, *a), mk(e.op, *b)
    back = scope.symm(middle, scope.step(middle, e, f"Fp.posZero_{e.op}" if at == 0 else f"Fp.{e.op}_posZero", *e.args), e)
    zero = scope.refl(mk("pos_zero", NZERO), ZERO)
    return after, scope.trans(e, back, middle, scope.congr(middle, after, [zero if i == at else None for i in (0, 1)]), after) or zero


def _equality(scope: Scope, e: Expr) -> Rewrite:
    """The same for equality, whose arguments are in order of their digests."""
    if e.op != "eq":
        return None
    for inner, other in (e.args, e.args[::-1]):
        move = inner.op == "neg" and other.op != "neg" and (other.is_const or digest(other) < digest(inner.args[0]))
        if not move and inner.op != "abs":
            continue
        first = mk("eq", inner, other)
        found = _restate(scope, first, LEMMAS["Fp.eq_neg_left" if move else "Fp.abs_eq"])
        if found is None or first is e:
            return found
        return found[0], scope.trans(e, scope.step(e, first, "Fp.eq_comm", *e.args), first, found[1], found[0]) or found[1]
    return None


def _restate(scope: Scope, e: Expr, lemma: Lemma) -> Rewrite:
    """A lemma without conditions, left to right."""
    env: dict[Expr, Expr] = {}
    if not match(lemma.lhs, e, env):
        return None
    after = instantiate(lemma.rhs, env)
    return after, scope.step(e, after, lemma.lean, *(env[v] for v in lemma.variables))


def flushed(scope: Scope, e: Expr) -> str | None:
    """A step `ftz e = e`, when the form of `e` shows it."""
    claim = mk("ftz", e)
    if e.is_const:
        return scope.refl(claim, e) if evaluate_closed(claim) is e else None
    if e.op == "ftz":
        return scope.step(claim, e, "Fp.ftz_ftz", e.args[0])
    if e.op == "add_rn" and holds("Fp.isTame", e.args[1:]):
        return scope.step(claim, e, "Fp.ftz_add", *e.args, "rfl")
    if e.op in ("min_num", "max_num", "min_nan", "max_nan"):
        parts, lemma = e.args, "Fp.ftz_" + {"min_num": "minNum", "max_num": "maxNum", "min_nan": "minNan", "max_nan": "maxNan"}[e.op]
        order = e.args
    elif e.op == "select":
        parts, lemma = e.args[1:], "Fp.ftz_cond"
        order = (e.args[1], e.args[2], e.args[0])
    else:
        return None
    proofs = [flushed(scope, p) for p in parts]
    if not all(proofs):
        return None
    return scope.step(claim, e, lemma, *order, *(Use(p) for p in proofs if p))


def _flushed(scope: Scope, e: Expr) -> Rewrite:
    if e.op != "ftz":
        return None
    proof = flushed(scope, e.args[0])
    return None if proof is None else (e.args[0], proof)


def _pos_zero(scope: Scope, e: Expr) -> Rewrite:
    """The choice moves out of `pos_zero`."""
    if e.op != "pos_zero" or e.args[0].op != "select":
        return None
    condition, a, b = e.args[0].args
    after = mk("select", condition, mk("pos_zero", a), mk("pos_zero", b))
    return after, scope.step(e, after, "apply_cond", Function("pos_zero"), a, b, condition)


RULES = (_known, _closed, _boolean, _choice, _fma_signs, _commute, _chain, _rows, _members, _factors, _minus_zero, _comparison, _equality, _flushed, _pos_zero)
