"""Machine integers as exact ones: expressions over wrap-around words become polynomials and formulas that the integer solver can read.

A word stands for its two's complement number. Of every operation it is shown, from what holds where it is computed, that the exact result
fits the word; where that is not shown, the operation is noted in `unfit`, and the result is the wrapped number. An operation whose result
has no polynomial (bits, products of signs) is an atom of its own that lies in the right range. So what holds of the formulas holds of the
machine, whether or not anything is noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from devsem.errors import Bug
from devsem.expr import WIDTH, Expr, show
from devsem.gate_lemmas import Products
from devsem.gate_poly import FALSE, TRUE, Formula, Interval, Monomial, Poly, both, either, eq, implies, interval_of, le, lt, no
from devsem.gate_z3 import Facts
from devsem.ops import BOOL, F32

LINEAR_SECONDS, EXACT_SECONDS = 1.5, 3.0
ZERO = Poly()


def number(e: Expr) -> int:
    """A constant word as a number."""
    return e.value - (1 << WIDTH[e.sort]) if e.value >> (WIDTH[e.sort] - 1) else e.value


def span(width: int) -> tuple[int, int]:
    """The smallest and the largest number of a word."""
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


@dataclass
class Scope:
    """What was assumed, and what was defined and learnt under it."""

    assumed: Formula
    facts: list[Formula] = field(default_factory=list)
    lemmas: list[Formula] = field(default_factory=list)
    polys: dict[Expr, Poly] = field(default_factory=dict)
    formulas: dict[Expr, Formula] = field(default_factory=dict)
    quotients: dict[tuple[Poly, Poly], tuple[Poly, Poly]] = field(default_factory=dict)


@dataclass
class Reader:
    """Reads expressions, one after the other, each under the facts stated so far."""

    facts: Facts
    bounds: dict[Monomial, Interval] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=lambda: [Scope(TRUE)])
    unfit: list[Expr] = field(default_factory=list)
    count: int = 0
    guessing: bool = False      # read as if nothing wrapped; what comes of it must be shown otherwise
    rests: dict[str, Poly] = field(default_factory=dict)       # a remainder's atom: the dividend without the quotient's part
    products: Products = field(init=False)

    def __post_init__(self) -> None:
        self.products = Products(self.bounds)

    # --- facts and scopes ---

    def state(self, *formulas: Formula) -> None:
        """Assume something from here to the end of the scope."""
        self.scopes[-1].facts += formulas
        self.facts.add(formulas)

    def learn(self) -> None:
        """Give the solver the lemmas about new products."""
        new = self.products.take()
        self.scopes[-1].lemmas += new
        self.facts.add(new)

    def enter(self, assumed: Formula = TRUE) -> None:
        """Open a scope in which something more is assumed."""
        self.learn()
        self.scopes.append(Scope(assumed))
        self.facts.push()
        self.facts.add([assumed])

    def leave(self, *, keep: bool) -> None:
        """Close it. `keep`: what was defined in it stays, under its assumption, because a formula that was read in it will be used."""
        self.learn()
        scope = self.scopes.pop()
        self.facts.pop()
        self.scopes[-1].lemmas += scope.lemmas
        self.facts.add(scope.lemmas)
        if keep:
            self.state(*(implies(scope.assumed, f) for f in scope.facts))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Read and state something, and forget all of it."""
        self.learn()
        depth, names, products = len(self.scopes), set(self.facts.names), self.products
        kept = dict(self.bounds), list(self.unfit), self.count, dict(self.rests)
        self.products = products.copied(self.bounds)
        self.enter()
        try:
            yield
        finally:
            while len(self.scopes) > depth:
                self.scopes.pop()
                self.facts.pop()
            self.facts.names, self.products, self.guessing = names, products, False
            self.bounds.clear()
            self.bounds.update(kept[0])
            self.unfit, self.count, self.rests = kept[1], kept[2], kept[3]

    def surely(self, f: Formula, exact: bool = False) -> bool:
        """Does it follow from what is stated? `exact`: where the linear question leaves it open, true products are tried."""
        if f == TRUE:
            return True
        self.learn()
        wrong = no(f)
        return self.facts.refutes(wrong, seconds=LINEAR_SECONDS) or (exact and self.facts.exactly(wrong, seconds=EXACT_SECONDS) == "none")

    def fresh(self, what: str, low: int | None, high: int | None) -> Poly:
        """A new atom within bounds."""
        self.count += 1
        return self.declare(f"{what}.{self.count}", low, high)

    def declare(self, name: str, low: int | None, high: int | None) -> Poly:
        """An atom by name within bounds."""
        atom = Poly.of(name)
        self.bounds[(name,)] = low, high
        self.state(*(f for f in (None if low is None else le(Poly.number(low), atom), None if high is None else le(atom, Poly.number(high))) if f))
        return atom

    def bound(self, m: Monomial, low: int, high: int) -> None:
        """State that a product of atoms lies within bounds."""
        self.bounds[m] = low, high
        p = Poly(((m, 1),))
        self.state(le(Poly.number(low), p), le(p, Poly.number(high)))
        self.products.total(m)

    def product(self, a: Poly, b: Poly) -> Poly:
        """a·b, noted for the lemmas."""
        self.products.add(a, b)
        return a * b

    # --- words ---

    def word(self, e: Expr) -> Poly:
        """The number that a word stands for."""
        for scope in reversed(self.scopes):
            if e in scope.polys:
                return scope.polys[e]
        out = self._word(e)
        self.scopes[-1].polys[e] = out
        return out

    def define(self, variable: Expr, value: Poly) -> None:
        """From here on the variable stands for a polynomial."""
        self.scopes[-1].polys[variable] = value

    def _word(self, e: Expr) -> Poly:
        width = WIDTH[e.sort]
        if e.is_const:
            return Poly.number(number(e))
        if e.is_var:
            return self.declare(e.name, *span(width))
        name = e.op.rsplit("_", 1)[0]
        if name == "select":
            return self._select(e)
        if name == "shl" and e.args[1].is_const and e.args[1].value < width:
            return self.fit(self.word(e.args[0]) * Poly.number(1 << e.args[1].value), width, e)
        if e.op in READERS and F32 not in [a.sort for a in e.args]:
            return READERS[e.op](self, e, *map(self.word, e.args))
        if name in WORDS and F32 not in [a.sort for a in e.args]:
            return WORDS[name](self, e, *map(self.word, e.args))
        return self.opaque(e)

    def opaque(self, e: Expr) -> Poly:
        """A word of which nothing is known."""
        return self.declare(f"word.{e.id}", *span(WIDTH[e.sort]))

    def fit(self, exact: Poly, width: int, e: Expr) -> Poly:
        """The exact result of an operation, or the wrapped one where it is not shown to fit."""
        low, high = span(width)
        around = interval_of(exact, self.bounds)
        if self.guessing or (around[0] is not None and around[1] is not None and low <= around[0] and around[1] <= high):
            return exact
        if self.surely(both(le(Poly.number(low), exact), le(exact, Poly.number(high))), exact=True):
            return exact
        self.unfit.append(e)
        out, turns = self.fresh("wrapped", low, high), self.fresh("turns", None, None)
        self.state(eq(out + turns * Poly.number(1 << width), exact))
        return out

    def unsigned(self, p: Poly, width: int) -> Poly:
        """The number that the same bits are without a sign."""
        low, _ = interval_of(p, self.bounds)
        if self.guessing or (low is not None and low >= 0) or self.surely(le(ZERO, p)):
            return p
        out = self.fresh("unsigned", 0, (1 << width) - 1)
        self.state(either(both(le(ZERO, p), eq(out, p)), both(lt(p, ZERO), eq(out, p + Poly.number(1 << width)))))
        return out

    def _select(self, e: Expr) -> Poly:
        c = self.formula(e.args[0])
        if c in (TRUE, FALSE):
            return self.word(e.args[1] if c == TRUE else e.args[2])
        parts: list[tuple[Formula, Poly]] = []
        for given, arm in ((c, e.args[1]), (no(c), e.args[2])):
            self.enter(given)
            parts.append((given, self.word(arm)))
            self.leave(keep=True)
        out = self.fresh("chosen", *span(WIDTH[e.sort]))
        self.state(*(implies(given, eq(out, p)) for given, p in parts))
        return out

    def quotient(self, x: Poly, y: Poly) -> tuple[Poly, Poly]:
        """Quotient and remainder of x / y as C has them (toward zero) where y > 0; unknown numbers where y may be 0 or less."""
        for scope in reversed(self.scopes):
            if (x, y) in scope.quotients:
                return scope.quotients[x, y]
        low, high = interval_of(x, self.bounds)
        if x.value is not None and y.value is not None and y.value > 0 and x.value >= 0:
            return Poly.number(x.value // y.value), Poly.number(x.value % y.value)
        positive = (low is not None and low >= 0) or self.surely(le(ZERO, x))
        q = self.fresh("quotient", 0 if positive else None, high if positive else None)
        r = self.fresh("rest", 0 if positive else None, None)
        law = eq(self.product(q, y) + r, x)
        up, down = both(le(ZERO, r), lt(r, y)), both(le(r, ZERO), lt(-y, r), le(q, ZERO))
        self.state(implies(lt(ZERO, y), both(law, up, le(ZERO, q), le(q, x)) if positive else both(law, either(both(le(ZERO, x), up, le(ZERO, q)),
                                                                                                           both(lt(x, ZERO), down)))))
        if y.value is not None and y.value > 0:
            self.bounds[r.terms[0][0]] = (0 if positive else 1 - y.value, y.value - 1)
            if positive and high is not None:
                self.bounds[q.terms[0][0]] = (0, high // y.value)
        self.products.equation(q * y + r - x)
        self.rests[r.terms[0][0][0]] = x - q * y
        self.scopes[-1].quotients[x, y] = q, r
        return q, r

    def floor(self, x: Poly, y: int) -> tuple[Poly, Poly]:
        """Quotient and remainder of x / y for a number y > 0, the remainder never negative."""
        low, high = interval_of(x, self.bounds)
        if low is not None and low >= 0:
            return self.quotient(x, Poly.number(y))
        q, r = self.fresh("floor", None if low is None else low // y, None if high is None else high // y), self.fresh("rest", 0, y - 1)
        self.state(eq(q * Poly.number(y) + r, x))
        return q, r

    # --- truth values ---

    def formula(self, e: Expr) -> Formula:
        """The formula that a condition is. Of `a and b` and `a or b`, b is read under what a leaves."""
        for scope in reversed(self.scopes):
            if e in scope.formulas:
                return scope.formulas[e]
        out = self._formula(e)
        self.scopes[-1].formulas[e] = out
        return out

    def _formula(self, e: Expr) -> Formula:
        if e.sort != BOOL:
            raise Bug(f"not a condition: {show(e)}")
        if e.is_const:
            return TRUE if e.value else FALSE
        if e.op == "not":
            return no(self.formula(e.args[0]))
        if e.op in ("and", "or"):
            return self._short(e)
        if e.op == "select_bool":
            c = self.formula(e.args[0])
            return either(both(c, self.under(c, e.args[1])), both(no(c), self.under(no(c), e.args[2])))
        if e.op == "xor":
            a, b = map(self.formula, e.args)
            return either(both(a, no(b)), both(no(a), b))
        name, _, width = e.op.rpartition("_b")
        if name in COMPARED:
            return COMPARED[name](self, self.word(e.args[0]), self.word(e.args[1]), int(width))
        return Formula("atom", name=e.name if e.is_var else f"truth.{e.id}")

    def under(self, given: Formula, e: Expr) -> Formula:
        """A condition read where something is given."""
        self.enter(given)
        out = self.formula(e)
        self.leave(keep=True)
        return out

    def _short(self, e: Expr) -> Formula:
        a = self.formula(e.args[0])
        if e.op == "and":
            return FALSE if a == FALSE else both(a, self.under(a, e.args[1]))
        return TRUE if a == TRUE else either(a, self.under(no(a), e.args[1]))

    def all_of(self, conditions: Sequence[Expr]) -> Formula:
        """The conjunction, each condition read under those before it."""
        out: list[Formula] = []
        for c in conditions:
            self.enter(both(*out))
            out.append(self.formula(c))
            self.leave(keep=True)
        return both(*out)


def _ult(r: Reader, a: Poly, b: Poly, w: int) -> Formula:
    return lt(r.unsigned(a, w), r.unsigned(b, w))


def _ule(r: Reader, a: Poly, b: Poly, w: int) -> Formula:
    return le(r.unsigned(a, w), r.unsigned(b, w))


COMPARED: dict[str, Callable[[Reader, Poly, Poly, int], Formula]] = {
    "slt": lambda r, a, b, w: lt(a, b), "sle": lambda r, a, b, w: le(a, b), "ieq": lambda r, a, b, w: eq(a, b), "ult": _ult, "ule": _ule,
}


def _divide(r: Reader, e: Expr, a: Poly, b: Poly) -> Poly:
    w, name = WIDTH[e.sort], e.op.split("_")[0]
    if name[0] == "u":
        a, b = r.unsigned(a, w), r.unsigned(b, w)
    if not (b.value is not None and b.value > 0) and not r.surely(lt(ZERO, b)):
        return r.opaque(e)
    return r.fit(r.quotient(a, b)[name.endswith("rem")], w, e)


def _bitwise(r: Reader, e: Expr, a: Poly, b: Poly) -> Poly:
    """`x & (2^k - 1)` is a remainder; of other bits of numbers that are not negative only bounds are known."""
    name = e.op.split("_")[0]
    for x, mask in ((a, b), (b, a)):
        if name == "and" and mask.value is not None and mask.value >= 0 and mask.value & (mask.value + 1) == 0:
            return r.floor(x, mask.value + 1)[1]
    out = r.opaque(e)
    if r.surely(both(le(ZERO, a), le(ZERO, b))):
        r.state(le(ZERO, out), *((le(out, a), le(out, b)) if name == "and" else (le(out, a + b),)))
    return out


def _right(r: Reader, e: Expr, a: Poly, k: Poly) -> Poly:
    """Shifts to the right by a number of bits are divisions by a power of two, rounded down."""
    w = WIDTH[e.sort]
    x = a if e.op.startswith("ashr") else r.unsigned(a, w)
    if k.value is not None and 0 <= k.value < w:
        return r.fit(r.floor(x, 1 << k.value)[0], w, e)
    out = r.opaque(e)
    if r.surely(le(ZERO, a)):
        r.state(le(ZERO, out), le(out, a))
    return out


def _extreme(r: Reader, e: Expr, a: Poly, b: Poly) -> Poly:
    w, name = WIDTH[e.sort], e.op.split("_")[0]
    if name[0] == "u" and not r.surely(both(le(ZERO, a), le(ZERO, b))):
        return r.opaque(e)
    small, large = (a, b) if name.endswith("min") else (b, a)
    out = r.fresh(name, *span(w))
    ends = [interval_of(p, r.bounds) for p in (a, b)]
    if None not in (*ends[0], *ends[1]):
        pick = min if name.endswith("min") else max
        r.bounds[out.terms[0][0]] = (pick(x[0] for x in ends if x[0] is not None), pick(x[1] for x in ends if x[1] is not None))
    r.state(either(both(le(small, large), eq(out, a)), both(lt(large, small), eq(out, b))))
    return out


WORDS: dict[str, Callable[..., Poly]] = {
    "add": lambda r, e, a, b: r.fit(a + b, WIDTH[e.sort], e), "sub": lambda r, e, a, b: r.fit(a - b, WIDTH[e.sort], e),
    "mul": lambda r, e, a, b: r.fit(r.product(a, b), WIDTH[e.sort], e), "not": lambda r, e, a: -a - Poly.number(1),
    **dict.fromkeys(("sdiv", "srem", "udiv", "urem"), _divide), **dict.fromkeys(("and", "or", "xor"), _bitwise),
    **dict.fromkeys(("ashr", "lshr"), _right), **dict.fromkeys(("smin", "smax", "umin", "umax"), _extreme),
}
READERS: dict[str, Callable[..., Poly]] = {
    "sext": lambda r, e, a: a, "zext": lambda r, e, a: r.unsigned(a, 32), "wrap": lambda r, e, a: r.fit(a, 32, e),
}
