"""Quotients and remainders of indices whose coordinates are bounded: `(cols*r + c) / cols` is r, and `% cols` is c, where c < cols.

>>> from devsem.expr import mk, var
>>> r, c, n, rows = (var(x, B64) for x in ("r", "c", "n", "rows"))
>>> d = Digits({r: atom(rows), c: atom(n)}, frozenset({n, rows}))
>>> i = atom(r) * atom(n) + atom(c)
>>> str(d.quotient(i, atom(n))), str(d.remainder(i, atom(n)))
('r', 'c')
>>> str(d(atom(mk("sdiv_b64", i.expr, n))))
'r'
>>> str(d.remainder(i, atom(rows)))
'urem_b64(add_b64(mul_b64(n, r), c), rows)'
>>> str(d(atom(n) * d.quotient(i, atom(rows)) + d.remainder(i, atom(rows))))     # n is not rows: nothing is joined
'n*udiv_b64(add_b64(mul_b64(n, r), c), rows) + urem_b64(add_b64(mul_b64(n, r), c), rows)'
>>> str(d(atom(rows) * d.quotient(i, atom(rows)) + d.remainder(i, atom(rows))))
'n*r + c'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from devsem.expr import Expr, mk
from devsem.polynomial import Poly, atom, number, read

ONE = number(1)
DIVISIONS = ("sdiv", "udiv")
REMAINDERS = ("srem", "urem")


@dataclass(frozen=True)
class Split:
    """`width * quotient + remainder`, with the remainder below the width."""

    width: Poly
    quotient: Poly
    remainder: Poly


@dataclass(frozen=True)
class Digits:
    """`below`: the coordinates, which are not negative, each with what it is less than; `sizes`: variables of at least 1. `used` collects
    what was found."""

    below: Mapping[Expr, Poly]
    sizes: frozenset[Expr]
    used: dict[Split, None] = field(default_factory=dict, compare=False)

    def __call__(self, p: Poly) -> Poly:
        """The polynomial with every quotient and remainder that is known, and with what they are joined to again."""
        return self._joined(p.substitute({a: known for a in p.atoms if (known := self._known(a)) is not None}))

    def quotient(self, x: Poly, width: Poly) -> Poly:
        """x / width."""
        return self._divided(x, width, "udiv_b64")

    def remainder(self, x: Poly, width: Poly) -> Poly:
        """x % width."""
        return self._divided(x, width, "urem_b64")

    def _divided(self, x: Poly, width: Poly, op: str) -> Poly:
        known = self._known(mk(op, x.expr, width.expr))
        return atom(mk(op, x.expr, width.expr)) if known is None else known

    def _known(self, a: Expr) -> Poly | None:
        """An atom in another form: a quotient or a remainder that is known, or one of arguments in a simpler form."""
        kind = a.op.partition("_")[0]
        if kind not in (*DIVISIONS, *REMAINDERS):
            return None
        x, width = (self(read(b)) for b in a.args)
        split = self.split(x, width)
        if split is None:
            again = mk(f"{kind}_b64", x.expr, width.expr)
            return None if again is a else atom(again)
        self.used[split] = None
        return split.quotient if kind in DIVISIONS else split.remainder

    def split(self, x: Poly, width: Poly) -> Split | None:
        """How a number is divided; None where that is not seen."""
        if len(width.terms) != 1:
            return None
        ((factors, k),) = width.terms
        if k < 1:
            return None
        whole: dict[tuple[Expr, ...], int] = {}
        rest: dict[tuple[Expr, ...], int] = {}
        for monomial, c in x.terms:
            left = list(monomial)
            if all(left.count(f) >= n for f, n in Counter(factors).items()):
                for f in factors:
                    left.remove(f)
                q, r = divmod(c, k)
                whole[tuple(left)] = q
                rest[monomial] = r
            else:
                rest[monomial] = c
        quotient, remainder = (Poly(frozenset((m, c) for m, c in d.items() if c)) for d in (whole, rest))
        if not (self._natural(quotient) and self._natural(remainder) and self._less(remainder, width)) or width * quotient + remainder != x:
            return None
        return Split(width, quotient, remainder)

    def _natural(self, p: Poly) -> bool:
        """Is it a sum of numbers that are not negative?"""
        return all(k > 0 for _, k in p.terms) and all(self._is_natural(a) for a in p.atoms)

    def _is_natural(self, a: Expr) -> bool:
        known = a in self.below or a in self.sizes
        return known or (a.op.partition("_")[0] in (*DIVISIONS, *REMAINDERS) and all(self._natural(read(b)) for b in a.args))

    def _less(self, r: Poly, width: Poly) -> bool:
        """Is a sum of numbers that are not negative below the width, where every coordinate is the last one? Every size is 1 and something."""
        top = r.substitute({c: d - ONE for c, d in self.below.items()})
        spare = (width - ONE - top).substitute({s: atom(s) + ONE for s in self.sizes})
        return all(k > 0 for _, k in spare.terms) and spare.atoms <= self.sizes

    def _joined(self, p: Poly) -> Poly:
        """`w * (x / w) + x % w` as x."""
        for a in sorted(p.atoms, key=lambda e: e.name if e.is_var else repr(e)):
            kind, _, bits = a.op.partition("_")
            if kind not in REMAINDERS:
                continue
            twin = mk(f"{DIVISIONS[REMAINDERS.index(kind)]}_{bits}", *a.args)
            x, width = (read(b) for b in a.args)
            k = p.coefficient(a)
            if k.terms and p.coefficient(twin) == k * width and self._natural(x) and self._natural(width) and width.atoms <= self.sizes:
                return self._joined(p - k * atom(a) - k * width * atom(twin) + k * x)
        return p
