"""True facts about products of integers, as instances: what lets a solver of linear arithmetic reason about rows × columns.

Every instance holds for all integers, whatever is assumed (tests/test_gate.py evaluates them at random), so adding one never changes a
question; a product of two atoms is to the linear solver only a name, and these facts are what it knows of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from devsem.gate_poly import Formula, Interval, Monomial, Poly, both, eq, implies, interval_of, le

ZERO, ONE = Poly(), Poly.number(1)
MOST_PAIRS, MOST_TIMES = 60, 3


def one_product(a: Poly, b: Poly, around: Interval) -> Iterator[Formula]:
    """Of a·b: its sign; that it is at least a factor where the other is at least 1; and linear bounds where lo <= a <= hi and b >= 0."""
    ab, positive = a * b, le(ZERO, b)
    yield implies(both(le(ZERO, a), positive), le(ZERO, ab))
    yield implies(both(le(a, ZERO), positive), le(ab, ZERO))
    yield implies(both(le(ONE, a), positive), le(b, ab))
    yield implies(both(le(ZERO, a), le(ONE, b)), le(a, ab))
    low, high = around
    if low is not None:
        yield implies(both(le(Poly.number(low), a), positive), le(Poly.number(low) * b, ab))
    if high is not None:
        yield implies(both(le(a, Poly.number(high)), positive), le(ab, Poly.number(high) * b))


def two_products(a: Poly, c: Poly, b: Poly) -> Iterator[Formula]:
    """Of a·b and c·b with b >= 0: they are in the order of a and c, and where a < c they differ by at least b."""
    positive = le(ZERO, b)
    for x, y in ((a, c), (c, a)):
        yield implies(both(positive, le(x, y)), le(x * b, y * b))
        yield implies(both(positive, le(x + ONE, y)), le(x * b + b, y * b))


def times_equation(equation: Poly, factor: Poly) -> Formula:
    """Of an equation p = 0 and a factor f: p·f = 0."""
    return implies(eq(equation, ZERO), eq(equation * factor, ZERO))


@dataclass
class Products:
    """The products of a question, by factor; `new` holds the instances that nobody has taken yet."""

    bounds: dict[Monomial, Interval]
    factors: dict[Poly, list[Poly]] = field(default_factory=dict)
    totals: list[Monomial] = field(default_factory=list)
    equations: list[tuple[Poly, int]] = field(default_factory=list)
    new: list[Formula] = field(default_factory=list)
    multiplied: set[tuple[Poly, Poly]] = field(default_factory=set)

    def add(self, a: Poly, b: Poly) -> None:
        """Note that a·b occurs."""
        self._one(a, b)
        self._one(b, a)
        for x, y in ((a, b), (b, a)):
            m = y.monomial
            if m is not None and len(m) > 1:        # a·(f·g) is also (a·g)·f
                for i, f in enumerate(m):
                    rest = Poly(((m[:i] + m[i + 1:], 1),))
                    self._one(x * rest, Poly.of(f))
                    self._one(Poly.of(f), x * rest)     # so that steps of a whole matrix are compared, and its rows
                    self._one(Poly.of(f), x)
                    self._one(x, rest)
                    self._one(rest, Poly.of(f))     # so that the factor's own sign is known

    def total(self, m: Monomial) -> None:
        """Note a monomial, such as a tensor's number of elements, that products are compared with under every factor of it."""
        if m not in self.totals and len(m) > 1:
            self.totals.append(m)
            for b in list(self.factors):
                self._divide(m, b)

    def equation(self, p: Poly, times: int = 0) -> None:
        """Note that p = 0 was stated: it is multiplied by what its terms are multiplied by."""
        if p in [q for q, _ in self.equations] or times > MOST_TIMES:
            return
        self.equations.append((p, times))
        for b, with_b in list(self.factors.items()):
            for a in with_b:
                self._multiply(p, times, a, b)

    def copied(self, bounds: dict[Monomial, Interval]) -> Products:
        """The same products, to go on from apart; what nobody has taken is not copied."""
        return Products(bounds, {b: list(a) for b, a in self.factors.items()}, list(self.totals), list(self.equations), [], set(self.multiplied))

    def take(self) -> list[Formula]:
        """The instances since the last time."""
        out, self.new = self.new, []
        return out

    def _one(self, a: Poly, b: Poly) -> None:
        if a.value is not None or b.value is not None:
            return
        first = b not in self.factors
        others = self.factors.setdefault(b, [])
        if a in others:
            return
        self.new += one_product(a, b, interval_of(a, self.bounds))
        for c in others[:MOST_PAIRS]:
            self.new += two_products(a, c, b)
        others.append(a)
        for p, times in list(self.equations):
            self._multiply(p, times, a, b)
        if first:
            for m in self.totals:
                self._divide(m, b)

    def _divide(self, total: Monomial, b: Poly) -> None:
        """total = (total / b)·b, where b is a monomial that divides it."""
        factor, rest = b.monomial, list(total)
        if factor is None:
            return
        for a in factor:
            if a not in rest:
                return
            rest.remove(a)
        if rest:
            self._one(Poly(((tuple(rest), 1),)), b)

    def _multiply(self, p: Poly, times: int, a: Poly, b: Poly) -> None:
        terms = {m for m, _ in a.terms if m}
        if (p, b) not in self.multiplied and any(m in terms for m, c in p.terms if abs(c) == 1):
            self.multiplied.add((p, b))
            self.new.append(times_equation(p, b))
            self.equation(p * b, times + 1)
