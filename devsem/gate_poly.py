"""Integer polynomials with exact coefficients, and formulas over them: the language between the safety gate and its integer solver.

>>> i, n = Poly.of("i"), Poly.of("n")
>>> print((i + Poly.number(2)) * n)
2*n + i*n
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import Literal

Monomial = tuple[str, ...]      # its atoms in order, repeated for powers; () is 1
Interval = tuple[int | None, int | None]


@dataclass(frozen=True)
class Poly:
    """A sum of coefficient × monomial, no coefficient zero, in order."""

    terms: tuple[tuple[Monomial, int], ...] = ()

    @staticmethod
    def made(terms: Mapping[Monomial, int]) -> Poly:
        """From a table of coefficients."""
        return Poly(tuple(sorted((m, c) for m, c in terms.items() if c)))

    @staticmethod
    def number(value: int) -> Poly:
        """A constant."""
        return Poly.made({(): value})

    @staticmethod
    def of(atom: str) -> Poly:
        """A variable."""
        return Poly((((atom,), 1),))

    def __add__(self, other: Poly) -> Poly:
        out = dict(self.terms)
        for m, c in other.terms:
            out[m] = out.get(m, 0) + c
        return Poly.made(out)

    def __neg__(self) -> Poly:
        return Poly(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        out: dict[Monomial, int] = {}
        for (m, c), (n, d) in product(self.terms, other.terms):
            key = tuple(sorted((*m, *n)))
            out[key] = out.get(key, 0) + c * d
        return Poly.made(out)

    @property
    def value(self) -> int | None:
        """The number that it is, None where it has an atom."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == () else None

    @property
    def atoms(self) -> frozenset[str]:
        """Its variables."""
        return frozenset(a for m, _ in self.terms for a in m)

    @property
    def monomial(self) -> Monomial | None:
        """The monomial that it is, with coefficient 1; else None."""
        return self.terms[0][0] if len(self.terms) == 1 and self.terms[0][1] == 1 else None

    def replaced(self, by: Mapping[str, Poly]) -> Poly:
        """With polynomials in place of atoms."""
        out = Poly()
        for m, c in self.terms:
            out = out + reduce(lambda p, a: p * by.get(a, Poly.of(a)), m, Poly.number(c))
        return out

    def at(self, values: Mapping[str, int]) -> int:
        """Its value for given atoms."""
        return sum(c * reduce(lambda p, a: p * values[a], m, 1) for m, c in self.terms)

    def __str__(self) -> str:
        return " + ".join("*".join((*(() if c == 1 and m else (str(c),)), *m)) for m, c in self.terms) or "0"


@dataclass(frozen=True)
class Formula:
    """`le`: poly <= 0; `eq`: poly = 0; `atom`: a truth value by name; the rest over `parts`. `and` and `or` of nothing are true and false."""

    kind: Literal["le", "eq", "atom", "not", "and", "or"]
    poly: Poly = Poly()
    name: str = ""
    parts: tuple[Formula, ...] = ()

    def at(self, values: Mapping[str, int]) -> bool:
        """Its truth for given atoms (truth values are 0 and 1)."""
        match self.kind:
            case "le":
                return self.poly.at(values) <= 0
            case "eq":
                return self.poly.at(values) == 0
            case "atom":
                return bool(values[self.name])
            case "not":
                return not self.parts[0].at(values)
            case "and":
                return all(p.at(values) for p in self.parts)
            case "or":
                return any(p.at(values) for p in self.parts)


TRUE, FALSE = Formula("and"), Formula("or")


def le(a: Poly, b: Poly) -> Formula:
    """a <= b."""
    d = a - b
    return Formula("le", d) if d.value is None else TRUE if d.value <= 0 else FALSE


def lt(a: Poly, b: Poly) -> Formula:
    """a < b, of integers."""
    return le(a + Poly.number(1), b)


def eq(a: Poly, b: Poly) -> Formula:
    """a = b."""
    d = a - b
    return Formula("eq", d) if d.value is None else TRUE if d.value == 0 else FALSE


def both(*parts: Formula) -> Formula:
    """Their conjunction."""
    flat = [q for p in parts for q in (p.parts if p.kind == "and" else (p,))]
    return FALSE if FALSE in flat else flat[0] if len(flat) == 1 else Formula("and", parts=tuple(flat))


def either(*parts: Formula) -> Formula:
    """Their disjunction."""
    flat = [q for p in parts for q in (p.parts if p.kind == "or" else (p,))]
    return TRUE if TRUE in flat else flat[0] if len(flat) == 1 else Formula("or", parts=tuple(flat))


def no(a: Formula) -> Formula:
    """Its negation."""
    match a.kind:
        case "le":
            return lt(Poly(), a.poly)
        case "not":
            return a.parts[0]
        case "and":
            return either(*map(no, a.parts))
        case "or":
            return both(*map(no, a.parts))
        case _:
            return Formula("not", parts=(a,))


def implies(a: Formula, b: Formula) -> Formula:
    """If a then b."""
    return either(no(a), b)


def interval_of(p: Poly, bounds: Mapping[Monomial, Interval]) -> Interval:
    """An interval around a polynomial, from intervals of atoms and of whole monomials; None is no bound."""
    low: int | None = 0
    high: int | None = 0
    for m, c in p.terms:
        a, b = _monomial(m, bounds)
        a, b = (a, b) if c > 0 else (b, a)
        low = None if low is None or a is None else low + c * a
        high = None if high is None or b is None else high + c * b
    return low, high


def _monomial(m: Monomial, bounds: Mapping[Monomial, Interval]) -> Interval:
    """Around a monomial: what is known of it as a whole, and the product of its atoms' intervals."""
    found: Interval = (1, 1)
    for a in m:
        found = _times(found, bounds.get((a,), (None, None)))
    known = bounds.get(m, (None, None))
    low = max((x for x in (found[0], known[0]) if x is not None), default=None)
    return low, min((x for x in (found[1], known[1]) if x is not None), default=None)


def _times(a: Interval, b: Interval) -> Interval:
    """Around a product; without a bound only of what is not negative is anything known."""
    if None not in a and None not in b:
        ends = [x * y for x in a for y in b if x is not None and y is not None]
        return min(ends), max(ends)
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None
    return None, None
