"""The low 32 bits of integers as polynomials modulo 2^32 over unknowns: enough to tell which cell a load reads, exactly and without widths.

Addition, multiplication and shifts to the left of wider words have low words that are polynomials of their operands' low words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

WORD = 1 << 32
LARGE = 64      # terms


@dataclass(frozen=True)
class Low:
    """A sum of products of unknowns, each product sorted, with its factor; never with a factor 0."""

    terms: frozenset[tuple[tuple[str, ...], int]]

    def __str__(self) -> str:
        return " + ".join(f"{c:#x}*{'*'.join(u)}" if u else f"{c:#x}" for u, c in sorted(self.terms)) or "0"

    @property
    def number(self) -> int | None:
        """Its value, where it has no unknown."""
        return next((c for _, c in self.terms), 0) if all(not u for u, _ in self.terms) else None


def _made(terms: Mapping[tuple[str, ...], int]) -> Low:
    if len(terms) > LARGE:
        return unknown("large(" + ";".join(f"{u}{c}" for u, c in sorted(terms.items())) + ")")
    return Low(frozenset((u, c % WORD) for u, c in terms.items() if c % WORD))


def number(value: int) -> Low:
    """A constant."""
    return _made({(): value})


def unknown(name: str) -> Low:
    """A word that is not looked into; the same name is the same word."""
    return Low(frozenset({((name,), 1)}))


def plus(*words: Low) -> Low:
    """The sum."""
    terms: dict[tuple[str, ...], int] = {}
    for word in words:
        for u, c in word.terms:
            terms[u] = terms.get(u, 0) + c
    return _made(terms)


def times(a: Low, b: Low) -> Low:
    """The product."""
    terms: dict[tuple[str, ...], int] = {}
    for u, c in a.terms:
        for v, d in b.terms:
            key = tuple(sorted((*u, *v)))
            terms[key] = terms.get(key, 0) + c * d
    return _made(terms)


def minus(a: Low) -> Low:
    """The opposite number."""
    return times(number(-1), a)


def joined(words: Iterable[Low]) -> Low:
    """One of several words; of equal ones, that one."""
    different = sorted({str(w): w for w in words}.items())
    return different[0][1] if len(different) == 1 else unknown("one of (" + "; ".join(text for text, _ in different) + ")")


def applied(name: str, *words: Low) -> Low:
    """Another operation on words."""
    return unknown(f"{name}({'; '.join(map(str, words))})")
