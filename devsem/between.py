"""Proofs about values that are known only to lie between two ends: from bounds to comparisons and to patterns that differ.

Ends go up through an expression by the lemmas of `lemmas_between.py`; which ends, `ranges.py` computes. What is decided on the way (an
interval of one value, a comparison, a product that is no number) is written into the scope, and the caller simplifies again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from devsem import ranges
from devsem.evaluate import DTYPE
from devsem.expr import Expr, bits, mk, topo
from devsem.lemma import NAN, ZERO
from devsem.lemmas_between import BY_NEGATIVE, WITHIN, within
from devsem.ops import BOOL, F32, OPS
from devsem.possible import Bound
from devsem.ranges import Range
from devsem.scope import FALSE, TRUE, Scope, evaluate_closed, truth
from devsem.term import Argument, Use

COMPARE = {("lt", True): "F32.lt_of_within", ("le", True): "F32.le_of_within", ("lt", False): "F32.not_lt_of_within",
           ("le", False): "F32.not_le_of_within", ("eq", False): "F32.not_eq_of_within"}
Named = tuple[str, Bound]  # a bound that is an interval, and the name of its hypothesis


@dataclass(frozen=True)
class Ends:
    """A step `within low e high = true`."""

    low: Expr
    high: Expr
    proof: str


@dataclass
class Search:
    """The ends of each sub-term in one scope."""

    scope: Scope
    bounds: Sequence[Named]
    known: dict[Expr, Ends | None] = field(default_factory=dict)

    def ends(self, e: Expr) -> Ends | None:
        """The ends of a term; a constant's are itself."""
        if e.is_const:
            return None if e is NAN or e.sort != F32 else Ends(e, e, self.scope.refl(within(e, e, e), TRUE))
        return self.known.get(e)

    def range(self, e: Expr) -> Range:
        """The term as `ranges.py` sees it."""
        if e.is_const:
            return ranges.exactly(np.array([e.value], dtype=DTYPE[e.sort]))
        found = self.known.get(e)
        return ranges.unknown(np.zeros(1, dtype=DTYPE[e.sort])) if found is None else ranges.between([found.low.value], [found.high.value])

    def put(self, e: Expr, low: Expr, high: Expr, head: str, *args: Argument) -> Ends:
        """Write the step `within low e high`."""
        return Ends(low, high, self.scope.step(within(low, e, high), TRUE, head, *args))

    def wider(self, e: Expr, found: Ends, low: Expr, high: Expr) -> Ends:
        """The same with other ends."""
        if (found.low, found.high) == (low, high):
            return found
        return self.put(e, low, high, "F32.within_wider", found.low, found.high, low, high, e, Use(found.proof), "rfl")


def learn(scope: Scope, root: Expr, bounds: Sequence[Named]) -> bool:
    """Decide by ends whatever can be decided below `root`; says whether the scope knows more than before."""
    search, before = Search(scope, bounds), (len(scope.equals), len(scope.facts))
    for node in topo(root):
        if not node.args or node.op == "same":
            continue
        if node.sort == BOOL:
            _decide(search, node)
        elif node.sort == F32:
            _bounded(search, node)
    return (len(scope.equals), len(scope.facts)) != before


def apart(scope: Scope, goal: Expr, bounds: Sequence[Named]) -> str | None:
    """A step `same a b = false`, when the ends say so."""
    search = Search(scope, bounds)
    for node in topo(goal):
        if node.args and node.sort == F32:
            _bounded(search, node)
    if goal.op != "same":
        return None
    a, b = goal.args
    left, right = search.ends(a), search.ends(b)
    if left and b is NAN:
        return scope.step(goal, FALSE, "F32.not_same_nan", left.low, left.high, a, b, Use(left.proof), "rfl")
    if right and a is NAN:
        return scope.step(goal, FALSE, "F32.nan_not_same", right.low, right.high, a, b, Use(right.proof), "rfl")
    flushed = _flushed(search, goal, right)
    if flushed:
        return flushed
    if left is None or right is None or not ranges.apart(search.range(a), search.range(b))[0]:
        return None
    return _pair(search, goal, FALSE, "F32.not_same_of_within", left, right)


def _flushed(search: Search, goal: Expr, right: Ends | None) -> str | None:
    """A step `same (ftz x) b = false` (or `eq`), when `b` is subnormal."""
    a, b = goal.args
    if goal.op not in ("same", "eq") or a.op != "ftz" or right is None or not ranges.tiny(search.range(b))[0]:
        return None
    return search.scope.step(goal, FALSE, f"F32.ftz_not_{goal.op}", right.low, right.high, a.args[0], b, Use(right.proof), "rfl")


def _pair(search: Search, goal: Expr, value: Expr, lemma: str, left: Ends, right: Ends) -> str:
    a, b = goal.args
    return search.scope.step(goal, value, lemma, left.low, left.high, right.low, right.high, a, b, Use(left.proof), Use(right.proof), "rfl")


def _decide(search: Search, atom: Expr) -> None:
    """A comparison, or whether a value is NaN."""
    scope = search.scope
    if atom in scope.facts or all(a.is_const for a in atom.args):
        return
    if atom.op == "is_nan":
        found = search.ends(atom.args[0])
        if found:
            scope.facts[atom] = (False, scope.step(atom, FALSE, "F32.notNan_of_within", found.low, found.high, atom.args[0], Use(found.proof)))
        return
    if atom.op not in ("lt", "le", "eq"):
        return
    left, right = map(search.ends, atom.args)
    flushed = _flushed(search, atom, right)
    if flushed:
        scope.facts[atom] = (False, flushed)
        return
    if left is None or right is None:
        return
    value = ranges.step(atom.op, [search.range(a) for a in atom.args])
    lemma = COMPARE.get((atom.op, bool(value.low[0])))
    if value.exact[0] and lemma:
        scope.facts[atom] = (bool(value.low[0]), _pair(search, atom, truth(bool(value.low[0])), lemma, left, right))


def _bounded(search: Search, e: Expr) -> None:
    """The ends of an operation's result; a value that they fix is written down as an equation."""
    scope = search.scope
    if e.op == "fma_rn" and e not in scope.equals and evaluate_closed(mk("mul_rn", *e.args[:2])) is NAN:
        scope.equals[e] = (NAN, scope.step(e, NAN, "Fp.fma_of_invalid", *e.args, "rfl"))
        return
    found = _application(search, e) if OPS[e.op].kind == "obligation" else _choice(search, e) if e.op == "select" else _operation(search, e)
    search.known[e] = found
    if found and found.low is found.high and found.low.value & 0x7FFFFFFF and e not in scope.equals:
        scope.equals[e] = (found.low, scope.step(e, found.low, "F32.eq_of_within", found.low, e, Use(found.proof), "rfl"))


def _application(search: Search, e: Expr) -> Ends | None:
    """A bound at these very arguments, or one for all arguments between its ends."""
    for name, bound in search.bounds:
        if bound.row != e.op:
            continue
        low, high = bits(bound.low), bits(bound.high)
        if not bound.upto:
            if tuple(a.value if a.is_const else None for a in e.args) == bound.args:
                return Ends(low, high, name)
            continue
        args = [search.ends(a) for a in e.args]
        limits = [(bits(a), bits(b)) for a, b in zip(bound.args, bound.upto, strict=True)]
        if all(f and _includes(outer, f) for f, outer in zip(args, limits, strict=True)):
            proofs = [Use(search.wider(a, f, *outer).proof) for a, f, outer in zip(e.args, args, limits, strict=True) if f]
            return search.put(e, low, high, name, *e.args, *proofs)
    return None


def _includes(outer: tuple[Expr, Expr], inner: Ends) -> bool:
    return evaluate_closed(mk("le", outer[0], inner.low)) is TRUE and evaluate_closed(mk("le", inner.high, outer[1])) is TRUE


def _choice(search: Search, e: Expr) -> Ends | None:
    """Whichever branch is taken, the value lies between the ends of both."""
    condition, a, b = e.args
    left, right = search.ends(a), search.ends(b)
    if left is None or right is None:
        return None
    whole = ranges.hull(search.range(a), search.range(b))
    low, high = bits(int(whole.low[0])), bits(int(whole.high[0]))
    proofs = [Use(search.wider(x, f, low, high).proof) for x, f in ((a, left), (b, right))]
    return search.put(e, low, high, "F32.within_cond", low, high, condition, a, b, *proofs)


def _operation(search: Search, e: Expr) -> Ends | None:
    """By the lemma of the operation."""
    args = [search.ends(a) for a in e.args]
    if not all(args) or (e.op not in WITHIN and e.op != "pos_zero"):
        return None
    given = [f for f in args if f]
    if e.op == "pos_zero":
        (only,) = given
        return search.put(e, only.low, only.high, "F32.within_posZero", only.low, only.high, e.args[0], Use(only.proof))
    value = ranges.step(e.op, [search.range(a) for a in e.args])
    if not value.known[0]:
        return None
    low, high = bits(int(value.low[0])), bits(int(value.high[0]))
    lemma, _ = BY_NEGATIVE if e.op == "div_rn" and evaluate_closed(mk("lt", ZERO, given[1].low)) is FALSE else WITHIN[e.op]
    ends = [end for f in given for end in (f.low, f.high)]
    return search.put(e, low, high, lemma, *ends, low, high, *e.args, *(Use(f.proof) for f in given), "rfl")
