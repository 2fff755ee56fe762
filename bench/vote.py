"""bitwuzla's vote on a pair, cast on the most general pair that implies it, and on each of those once.

A general pair is the given one without the context that both sides share, and with what else they share made variables: where its sides are equal
for all values, so are the given ones. Where bitwuzla does not show that, the next less general pair is asked, at last the pair itself.

>>> from devsem.expr import F32, mk, var
>>> a, b = var("a", F32), mk("sqrt_rn", var("b", F32))
>>> forms(mk("neg", mk("add_rn", a, b)), mk("neg", mk("add_rn", b, a)))[0]
(add_rn(v0, v1), add_rn(v1, v0))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from devsem import smt
from devsem.expr import Expr, mk, topo, var
from devsem.ops import F32

Sides = tuple[Expr, Expr]
Vote = Literal["equal", "equal, asked before", "no answer", "different"]


def _peel(left: Expr, right: Expr) -> Sides:
    """The only arguments that differ, as long as there is one context around them."""
    while left.op == right.op and left.args:
        other = [(a, b) for a, b in zip(left.args, right.args, strict=True) if a is not b]
        if len(other) != 1:
            break
        left, right = other[0]
    return left, right


def _generalise(left: Expr, right: Expr, conditions: bool) -> Sides:
    """Both sides with the largest terms that they share as variables; conditions too, or only floats."""
    shared = {n for n in topo(left) if not n.is_const and (conditions or n.sort == F32)} & set(topo(right))
    names: dict[Expr, Expr] = {}
    made: dict[Expr, Expr] = {}

    def general(e: Expr) -> Expr:
        if e in shared:
            return names.setdefault(e, var(f"v{len(names)}", e.sort))
        if e not in made:
            made[e] = mk(e.op, *map(general, e.args)) if e.args else e
        return made[e]
    return general(left), general(right)


def forms(left: Expr, right: Expr) -> list[Sides]:
    """Pairs whose equality implies that of the given one, the most general first, the given one last."""
    return list(dict.fromkeys([_generalise(*_peel(left, right), True), _generalise(left, right, False), (left, right)]))


# how hard an operation on something unknown is to bit-blast; with more than `MOST` of it bitwuzla rarely answers within milliseconds
WEIGHT = {"div": 2, "sqrt": 2, "fma": 2, "mul": 1, "add": 1, "sub": 1}
MOST, THOROUGH = 2, 0.06


def weight(sides: Sides) -> int:
    """How hard a pair is for bitwuzla; a product with a constant is easy."""
    free = [(n.op[:-3], sum(not a.is_const for a in n.args)) for n in topo(*sides)]
    return sum(WEIGHT.get(op, 0) for op, unknown in free if unknown > (op == "mul"))


@dataclass
class Voter:
    """Asks bitwuzla and remembers the answers; `general` seconds of CPU time for a pair that many may share, `itself` for the one at hand.

    Only a `thorough` question is put about pairs heavier than `MOST`, and it has `THOROUGH` seconds."""

    general: float
    itself: float
    answers: dict[Sides, smt.Answer] = field(default_factory=dict)

    def ask(self, left: Expr, right: Expr, thorough: bool = False) -> Vote:
        """`different` and `no answer` are said of the pair itself."""
        *wider, itself = forms(left, right)
        for sides in wider:
            before = sides in self.answers
            if isinstance(self._answer(sides, self.general, thorough), smt.Unsat):
                return "equal, asked before" if before else "equal"
        answer = self._answer(itself, self.itself, thorough)
        return "different" if isinstance(answer, smt.Sat) else "no answer" if isinstance(answer, smt.Unknown) else "equal"

    def shows(self, left: Expr, right: Expr) -> bool:
        """Whether one of the pairs more general than this is equal."""
        return any(isinstance(self._answer(sides, self.general), smt.Unsat) for sides in forms(left, right)[:-1])

    def _answer(self, sides: Sides, seconds: float, thorough: bool = False) -> smt.Answer:
        known = self.answers.get(sides)
        if known is None or (thorough and isinstance(known, smt.Unknown)):
            if sides[0] is sides[1]:
                known = smt.Unsat()
            elif weight(sides) > MOST and not thorough:
                return smt.Unknown("too hard to ask")
            else:
                known = smt.check_sat([], THOROUGH if thorough else seconds, [sides], own_time=True)
            self.answers[sides] = known
        return known
