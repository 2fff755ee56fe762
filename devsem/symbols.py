"""What a value of one symbolic thread rests on: cells of arrays, and loops with a symbolic number of rounds.

Both stand in an expression as a variable, interned by content, so that everything that reads expressions (simplify, lower, evaluate,
prove) works on a loop's body as on any other value. Bound variables have canonical names by the height of their loop, so that two
loops that do the same are one symbol.

>>> from devsem.expr import const, mk
>>> from devsem.ops import B32
>>> s = Symbols()
>>> n, k, acc = var("n", B32), var("j", B32), var("acc", F32)
>>> dot = s.fold(k, n, (acc,), (const(0.0),), (mk("w_add", acc, s.read("x", k)),))[0]
>>> j, t = var("i", B32), var("t", F32)
>>> dot is s.fold(j, n, (t,), (const(0.0),), (mk("w_add", t, s.read("x", j)),))[0]
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from devsem.errors import Bug
from devsem.expr import Expr, substitute, topo, var
from devsem.ops import F32, Sort


@dataclass(frozen=True)
class Read:
    """The element of a buffer before the launch, at a word-sized index."""

    buffer: str
    index: Expr


@dataclass(frozen=True)
class Fold:
    """Rounds 0, 1 … `count` - 1 of a loop on a state: `body` over `counter` and `state`, from `init`. Only `body` mentions bound variables."""

    counter: Expr
    count: Expr
    state: tuple[Expr, ...]
    init: tuple[Expr, ...]
    body: tuple[Expr, ...]


@dataclass(frozen=True)
class Part:
    """One number of the state that a loop leaves."""

    fold: Fold
    component: int


@dataclass
class Symbols:
    """The symbols of one question, both ways."""

    meaning: dict[Expr, Read | Part] = field(default_factory=dict)
    known: dict[Read | Part, Expr] = field(default_factory=dict)
    height: dict[Expr, int] = field(default_factory=dict)

    def copied(self) -> Symbols:
        """The same symbols, to which others may be added."""
        return Symbols(dict(self.meaning), dict(self.known), dict(self.height))

    def read(self, buffer: str, index: Expr, sort: Sort = F32) -> Expr:
        """The variable for a cell."""
        return self._intern(Read(buffer, index), sort, 0)

    def fold(self, counter: Expr, count: Expr, state: Sequence[Expr], init: Sequence[Expr], body: Sequence[Expr]) -> tuple[Expr, ...]:
        """The variables for what a loop leaves, one for each number of its state."""
        if not len(state) == len(init) == len(body):
            raise Bug("a loop's state, first values and body are not of one length")
        height = 1 + max((self._height(e) for e in body), default=0)
        bound = [var(f"round.{height}", counter.sort), *(var(f"state.{height}.{i}", s.sort) for i, s in enumerate(state))]
        renamed = self.substitute(body, dict(zip([counter, *state], bound, strict=True)))
        fold = Fold(bound[0], count, tuple(bound[1:]), tuple(init), renamed)
        above = max((self._height(e) for e in init), default=0)
        return tuple(self._intern(Part(fold, i), s.sort, max(height, above)) for i, s in enumerate(state))

    def substitute(self, roots: Sequence[Expr], by: Mapping[Expr, Expr]) -> tuple[Expr, ...]:
        """The expressions with variables replaced, also those inside cells' indices and loops."""
        inside = {v: new for v in topo(*roots) if v in self.meaning and v not in by and (new := self._within(v, by)) is not v}
        whole = {**by, **inside}
        return tuple(substitute(r, whole) for r in roots) if whole else tuple(roots)

    def free(self, *roots: Expr) -> frozenset[Expr]:
        """The variables that some expressions rest on and that are no symbols, bound ones left out."""
        out: set[Expr] = set()
        for v in topo(*roots):
            if not v.is_var:
                continue
            match self.meaning.get(v):
                case Read(_, index):
                    out |= self.free(index)
                case Part(fold, _):
                    out |= self.free(fold.count, *fold.init) | (self.free(*fold.body) - {fold.counter, *fold.state})
                case None:
                    out.add(v)
        return frozenset(out)

    def _within(self, v: Expr, by: Mapping[Expr, Expr]) -> Expr:
        meaning = self.meaning[v]
        if isinstance(meaning, Read):
            (index,) = self.substitute((meaning.index,), by)
            return self.read(meaning.buffer, index, v.sort)
        fold = meaning.fold
        if {fold.counter, *fold.state} & set(by):
            raise Bug("a bound variable of a loop is replaced from outside")
        count, *rest = self.substitute((fold.count, *fold.init, *fold.body), by)
        n = len(fold.init)
        return self.fold(fold.counter, count, fold.state, rest[:n], rest[n:])[meaning.component]

    def _height(self, e: Expr) -> int:
        return max((self.height.get(v, 0) for v in topo(e)), default=0)

    def _intern(self, meaning: Read | Part, sort: Sort, height: int) -> Expr:
        if meaning not in self.known:
            symbol = var(f"symbol.{len(self.known)}", sort)
            self.known[meaning], self.meaning[symbol], self.height[symbol] = symbol, meaning, height
        return self.known[meaning]


