"""Integer expressions as polynomials, read as exact integers: what index arithmetic means once nothing wraps around.

The words of a program wrap around; the safety gate shows for which sizes they do not. Under that condition an index is a polynomial
with integer coefficients over *atoms*: variables, and quotients, remainders and other operations whose arguments are canonical.

>>> from devsem.expr import const_int, mk, var
>>> r, c, n = (var(name, B32) for name in ("r", "c", "n"))
>>> a = mk("add_b32", mk("mul_b32", r, n), c)
>>> b = mk("add_b32", c, mk("mul_b32", n, r))
>>> read(a) == read(b)
True
>>> str(read(mk("sub_b32", a, const_int(B32, 1))))
'n*r + c + -1'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from devsem.expr import Expr, const_int, mk, show
from devsem.ops import B32, B64

Monomial = tuple[Expr, ...]     # atoms in the order of their names, one for each power
WIDENED = ("sext", "zext", "wrap")
BITS = {B32: 32, B64: 64}


@dataclass(frozen=True)
class Poly:
    """A sum of `coefficient * monomial`; no coefficient is zero."""

    terms: frozenset[tuple[Monomial, int]]

    def __add__(self, other: Poly) -> Poly:
        total = Counter(dict(self.terms))
        for monomial, k in other.terms:
            total[monomial] += k
        return _poly(total)

    def __neg__(self) -> Poly:
        return Poly(frozenset((m, -k) for m, k in self.terms))

    def __sub__(self, other: Poly) -> Poly:
        return self + -other

    def __mul__(self, other: Poly) -> Poly:
        total: Counter[Monomial] = Counter()
        for m, k in self.terms:
            for n, j in other.terms:
                total[_sorted((*m, *n))] += k * j
        return _poly(total)

    def __str__(self) -> str:
        return " + ".join("*".join([*([str(k)] if k != 1 or not m else []), *(_name(a) for a in m)]) for m, k in self.ordered) or "0"

    @property
    def ordered(self) -> list[tuple[Monomial, int]]:
        """The terms in a fixed order: those of most factors first."""
        return sorted(self.terms, key=lambda t: (-len(t[0]), tuple(_name(a) for a in t[0])))

    @property
    def atoms(self) -> frozenset[Expr]:
        """What it is over."""
        return frozenset(a for m, _ in self.terms for a in m)

    @property
    def constant(self) -> int | None:
        """Its value, if it is one number."""
        values = dict(self.terms)
        return values.get((), 0) if set(values) <= {()} else None

    def substitute(self, by: Mapping[Expr, Poly]) -> Poly:
        """The polynomial with atoms replaced."""
        out = ZERO
        for monomial, k in self.terms:
            term = number(k)
            for a in monomial:
                term = term * by.get(a, atom(a))
            out = out + term
        return out

    def coefficient(self, a: Expr) -> Poly:
        """What stands before the first power of an atom; terms with a higher power are not counted."""
        return Poly(frozenset((tuple(b for b in m if b is not a), k) for m, k in self.terms if m.count(a) == 1))

    @property
    def expr(self) -> Expr:
        """The same number as an expression of 64-bit words, in a fixed order; atoms of 32 bits are extended."""
        out: Expr | None = None
        for monomial, k in self.ordered:
            factors = [*([const_int(B64, k % (1 << 64))] if k != 1 or not monomial else []), *(wide(a) for a in monomial)]
            term = factors[0]
            for f in factors[1:]:
                term = mk("mul_b64", term, f)
            out = term if out is None else mk("add_b64", out, term)
        return const_int(B64, 0) if out is None else out


def _name(a: Expr) -> str:
    return a.name if a.is_var else show(a)


def _sorted(monomial: Monomial) -> Monomial:
    return tuple(sorted(monomial, key=_name))


def _poly(total: Mapping[Monomial, int]) -> Poly:
    return Poly(frozenset((m, k) for m, k in total.items() if k))


ZERO = Poly(frozenset())


def number(k: int) -> Poly:
    """A constant."""
    return Poly(frozenset({((), k)})) if k else ZERO


def atom(a: Expr) -> Poly:
    """One atom."""
    return Poly(frozenset({((a,), 1)}))


def wide(a: Expr) -> Expr:
    """An atom as a 64-bit word."""
    return mk("sext", a) if a.sort == B32 else a


def read(e: Expr, named: Mapping[Expr, Poly] | None = None) -> Poly:
    """The polynomial that an integer expression is where no operation wraps around; `named` gives variables a value."""
    return _read(e, named or {}, {})


def _read(e: Expr, named: Mapping[Expr, Poly], done: dict[Expr, Poly]) -> Poly:
    if e not in done:
        done[e] = _value(e, named, lambda a: _read(a, named, done))
    return done[e]


def _value(e: Expr, named: Mapping[Expr, Poly], inner: Callable[[Expr], Poly]) -> Poly:
    if e in named:
        return named[e]
    if e.is_const:
        half = 1 << (BITS[e.sort] - 1)
        return number((e.value + half) % (2 * half) - half)
    if e.is_var:
        return atom(e)
    if e.op in WIDENED:
        return inner(e.args[0])
    operation = e.op.partition("_b")[0]
    if operation in ("add", "sub", "mul"):
        a, b = (inner(x) for x in e.args)
        return a + b if operation == "add" else a - b if operation == "sub" else a * b
    if operation == "shl" and (by := inner(e.args[1]).constant) is not None and 0 <= by < BITS[e.sort]:
        return inner(e.args[0]) * number(1 << by)
    return atom(mk(e.op, *(a if a.sort not in BITS else _fit(inner(a), a) for a in e.args)))


def _fit(p: Poly, like: Expr) -> Expr:
    """A canonical argument of an operation that is no sum or product, of the sort that the operation takes."""
    if p.terms == frozenset({((like,), 1)}):
        return like
    if p.constant is not None:
        return const_int(like.sort, p.constant % (1 << BITS[like.sort]))
    return p.expr if like.sort == B64 else mk("wrap", p.expr)


