"""Is a condition on sizes, coordinates and rounds true wherever some others are? Asked of z3, over exact integers.

Only for what the safety gate has shown not to wrap around; a condition that is not understood is not decided.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from devsem.expr import Expr, mk
from devsem.folds import Inside
from devsem.gate_lemmas import one_product
from devsem.gate_poly import Formula, Poly as Words, both, either, eq, implies, le, lt, no
from devsem.gate_z3 import Facts
from devsem.polynomial import Poly, read

SECONDS = 2.0
ORDERS = {"slt": lt, "ult": lt, "sle": le, "ule": le, "ieq": eq}
QUOTIENTS = {"sdiv": "srem", "udiv": "urem"}


@dataclass
class Reader:
    """Conditions as the solver has them: each atom by a name; `sides`: what is known of quotients, remainders and products."""

    names: dict[Expr, str] = field(default_factory=dict)
    sides: list[Formula] = field(default_factory=list)
    products: set[tuple[str, ...]] = field(default_factory=set)

    def words(self, p: Poly) -> Words:
        """A polynomial over names."""
        out = Words()
        for monomial, k in p.ordered:
            names = tuple(sorted(self.name(a) for a in monomial))
            out = out + Words(((names, k),)) if names else out + Words.number(k)
        return self._noted(out)

    def _noted(self, words: Words) -> Words:
        """The same; what is known of its products is noted."""
        for names, _ in words.terms:
            if len(names) > 1 and names not in self.products:
                self.products.add(names)
                for least in (Words(), Words.number(1)):
                    self.sides.append(implies(both(*(le(least, Words.of(n)) for n in names)), le(least, Words(((names, 1),)))))
                if len(names) == 2:
                    a, b = map(Words.of, names)
                    self.sides += [*one_product(a, b, (None, None)), *one_product(b, a, (None, None))]
        return words

    def name(self, a: Expr) -> str:
        """An atom's name."""
        if a not in self.names:
            self.names[a] = f"v{len(self.names)}"
            self._divided(a)
        return self.names[a]

    def _divided(self, a: Expr) -> None:
        """x = w * (x / w) + x % w with 0 <= x % w < w, where x is not negative and w is positive."""
        operation = a.op.partition("_")[0]
        rest = next((r for q, r in QUOTIENTS.items() if operation in (q, r)), None)
        if rest is None:
            return
        kind = next(q for q, r in QUOTIENTS.items() if r == rest)
        width = a.op.partition("_")[2]
        x, w = (read(b) for b in a.args)
        keys = {part: self._pair(part, width, a) for part in (kind, rest)}
        q, r = Words.of(keys[kind]), Words.of(keys[rest])
        top, by = self.words(x), self.words(w)
        whole = both(eq(top, self._noted(by * q + r)), le(Words(), r), lt(r, by), le(Words(), q), implies(le(by, top), le(Words.number(1), q)))
        self.sides.append(either(lt(top, Words()), le(by, Words()), whole))

    def _pair(self, part: str, width: str, a: Expr) -> str:
        twin = mk(f"{part}_{width}", *a.args)
        if twin not in self.names:
            self.names[twin] = f"v{len(self.names)}"
        return self.names[twin]

    def formula(self, e: Expr) -> Formula | None:
        """A condition; None where it is not understood."""
        if e.is_const:
            return both() if e.value else either()
        if e.op in ("and", "or"):
            parts = [self.formula(a) for a in e.args]
            known = [p for p in parts if p is not None]
            return None if len(known) < len(parts) else both(*known) if e.op == "and" else either(*known)
        if e.op == "not":
            inner = self.formula(e.args[0])
            return None if inner is None else no(inner)
        order = ORDERS.get(e.op.partition("_")[0])
        if order is None:
            return None
        a, b = (self.words(read(x)) for x in e.args)
        return self._unsigned(a, b, order) if e.op[0] == "u" else order(a, b)

    def _unsigned(self, a: Words, b: Words, order: Callable[[Words, Words], Formula]) -> Formula:
        """Numbers below 0 are those from half the words on: above all others, and in their order."""
        below = [lt(x, Words()) for x in (a, b)]
        return either(both(no(below[0]), below[1]), both(either(below[1], no(below[0])), either(below[0], no(below[1])), order(a, b)))


@dataclass(frozen=True)
class Known:
    """What holds: conditions, atoms that are not negative, and sizes, which are 1 to `most`. `given` are conditions of the launch, in exact
    integers."""

    given: tuple[Expr, ...]
    not_negative: tuple[Expr, ...]
    positive: tuple[Expr, ...] = ()
    most: int = 1 << 30

    def decides(self, condition: Expr, inside: Inside = ()) -> bool | None:
        """True or False if the condition is so for all values, in the loops `inside`; else None."""
        r = Reader()
        asked = r.formula(condition)
        if asked is None:
            return None
        if self._sure(r, no(asked), inside):
            return True
        return False if self._sure(r, asked, inside) else None

    def fits(self, numbers: Sequence[Poly], inside: Inside = ()) -> bool:
        """Are these all numbers of 31 bits, which signed and unsigned words hold alike, for all values?"""
        for p in numbers:
            r = Reader()
            x = r.words(p)
            if not self._sure(r, either(lt(x, Words()), le(Words.number(1 << 31), x)), inside):
                return False
        return True

    def same(self, a: Poly, b: Poly) -> bool:
        """Is it one number, for all values?"""
        if a == b:
            return True
        r = Reader()
        return self._sure(r, no(eq(r.words(a), r.words(b))), ())

    def apart(self, a: Poly, b: Poly) -> bool:
        """Are they never the same number?"""
        r = Reader()
        return self._sure(r, eq(r.words(a), r.words(b)), ())

    def at_most(self, a: Poly, b: Poly) -> bool:
        """Is the first at most the second, for all values?"""
        r = Reader()
        return self._sure(r, lt(r.words(b), r.words(a)), ())

    def _sure(self, r: Reader, wrong: Formula, inside: Inside) -> bool:
        """Is it sure that this never holds?"""
        facts = Facts(time.monotonic() + SECONDS)
        facts.add([*self._facts(r, inside), *r.sides])
        return facts.refutes(wrong, seconds=SECONDS)

    def _facts(self, r: Reader, inside: Inside) -> Iterator[Formula]:
        for c in self.given:
            f = r.formula(c)
            if f is not None:
                yield f
        for a in self.not_negative:
            yield le(Words(), r.words(read(a)))
        for a in self.positive:
            yield both(le(Words.number(1), r.words(read(a))), le(r.words(read(a)), Words.number(self.most)))
        for counter, count in inside:
            k = r.words(read(counter))
            yield both(le(Words(), k), lt(k, r.words(count)))


def conjuncts(e: Expr) -> Sequence[Expr]:
    """The parts of a conjunction."""
    return [p for a in e.args for p in conjuncts(a)] if e.op == "and" else [e]
