"""Which thread, block and round touch a given cell: the digits of the cell's number in the radices of an index.

An index such as (by·16 + ty)·N + bx·16 + tx is a number with digits by, ty, bx, tx; its digits are quotients and remainders by the strides N
and 16. What is found here is only a guess, however good: the caller shows that it is a thread of the launch that touches the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from devsem.gate_poly import Monomial, Poly
from devsem.gate_read import Reader


def strides(index: Poly, digits: Sequence[str]) -> tuple[dict[str, Poly], Poly] | None:
    """What each digit is multiplied by, and the rest; None where digits are multiplied by each other, or a stride is negative."""
    found: dict[str, dict[Monomial, int]] = {}
    rest: dict[Monomial, int] = {}
    for m, c in index.terms:
        inside = [a for a in m if a in digits]
        if len(inside) > 1:
            return None
        if inside:
            left = list(m)
            left.remove(inside[0])
            found.setdefault(inside[0], {})[tuple(left)] = c
        else:
            rest[m] = c
    made = {d: Poly.made(terms) for d, terms in found.items()}
    return (made, Poly.made(rest)) if all(any(c > 0 for _, c in s.terms) for s in made.values()) else None


def solve(r: Reader, index: Poly, digits: Sequence[str], cell: Poly) -> dict[str, Poly] | None:
    """Values of the digits for which the index is probably the cell; a digit that the index does not depend on is 0."""
    parts = strides(index, digits)
    if parts is None:       # an index that falls
        index, cell = -index, -cell
        parts = strides(index, digits)
    if parts is None:
        return None
    found, offset = parts
    values = {d: Poly() for d in digits}
    groups = _groups(found)
    if groups is None:
        return None
    small = offset.value is not None and groups and groups[-1][0].value is not None and 0 <= offset.value < groups[-1][0].value
    rest = cell if small else cell - offset
    for i, (base, members) in enumerate(groups):
        if i == len(groups) - 1 and base.value == 1:
            quotient = rest
        else:
            quotient, rest = r.quotient(rest, base)
        for ratio, digit in members:
            if ratio == 1:
                values[digit] = quotient
            else:
                values[digit], quotient = r.quotient(quotient, Poly.number(ratio))
    return values


def _groups(found: dict[str, Poly]) -> list[tuple[Poly, list[tuple[int, str]]]] | None:
    """Strides that are numbers times one polynomial, those of most factors first: the polynomial with the least number, and the ratios."""
    by_shape: dict[Poly, list[tuple[int, str]]] = {}
    for digit, s in found.items():
        common = gcd(*(c for _, c in s.terms))
        by_shape.setdefault(Poly(tuple((m, c // common) for m, c in s.terms)), []).append((common, digit))
    out = []
    for shape, members in sorted(by_shape.items(), key=lambda g: (-max(len(m) for m, _ in g[0].terms), str(g[0]))):
        least = min(c for c, _ in members)
        ratios = sorted(((c // least, d) for c, d in members), reverse=True)
        if any(c % least for c, _ in members) or len({c for c, _ in members}) < len(members):
            return None
        out.append((shape * Poly.number(least), ratios))
    return out
