"""Values with loops in one form: indices as polynomials, conditions on sizes decided, a loop over tiles of a loop made one loop.

What is done here is arithmetic of indices, which the safety gate backs (nothing wraps around), and one rewriting that Lean proves
(`Grid.upTo_mul`): rounds `t * width + k` for k < `width`, for t < `tiles`, are rounds 0 … tiles * width - 1.

>>> from devsem.expr import const, const_int, mk, var
>>> from devsem.ops import B32, F32
>>> s, (t, k, tiles, acc, mid) = Symbols(), (var("t", B32), var("k", B32), var("tiles", B32), var("acc", F32), var("mid", F32))
>>> j = mk("add_b32", mk("mul_b32", t, const_int(B32, 16)), k)
>>> inner = s.fold(k, const_int(B32, 16), (mid,), (acc,), (mk("w_add", mid, s.read("x", j)),))
>>> tiled = s.fold(t, tiles, (acc,), (const(0.0),), inner)[0]
>>> n = Normal(s, {}, lambda c, inside: None)
>>> (value,) = n.values((tiled,))
>>> one = n.symbols.meaning[value].fold
>>> print(read(one.count), n.tiles[one])
16*tiles (tiles, 16)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from devsem.errors import Bug
from devsem.expr import Expr, const_bool, fold, mk, topo
from devsem.ops import B32, B64, BOOL
from devsem.polynomial import Poly, atom, read
from devsem.simplify import make
from devsem.symbols import Fold, Part, Read, Symbols

ORDERS = frozenset({"slt", "ult", "sle", "ule", "ieq"})      # comparisons, of words of either width
RING = ("add_", "sub_", "mul_")
Inside = tuple[tuple[Expr, Poly], ...]      # the loops around an expression: each counter, and the number of its rounds
Truth = Callable[[Expr, Inside], bool | None]


@dataclass(frozen=True)
class Tiles:
    """How a loop was written: over `count` tiles of `width` rounds."""

    count: Poly
    width: Poly

    def __str__(self) -> str:
        return f"({self.count}, {self.width})"


@dataclass
class Normal:
    """Brings values into one form. `named` gives integer variables a value; `truth` decides a condition on integers for all sizes, or not;
    `fits` says whether numbers are of 31 bits; `buffers` renames what is read; `digits` brings indices into a simpler form."""

    source: Symbols
    named: Mapping[Expr, Poly]
    truth: Truth
    fits: Callable[[Sequence[Poly], Inside], bool] = lambda numbers, inside: True
    symbols: Symbols = field(default_factory=Symbols)
    buffers: Mapping[str, str] = field(default_factory=dict)
    tiles: dict[Fold, Tiles] = field(default_factory=dict)
    digits: Callable[[Poly], Poly] = lambda p: p

    def values(self, roots: Sequence[Expr], inside: Inside = ()) -> tuple[Expr, ...]:
        """The values in one form, over `symbols`."""
        made = fold(roots, lambda node, args: self._node(node, args, inside))
        return tuple(made[r] for r in roots)

    def index(self, e: Expr) -> Poly:
        """An index or a number of rounds."""
        return self.digits(read(e, self.named))

    def _node(self, node: Expr, args: tuple[Expr, ...], inside: Inside) -> Expr:
        match self.source.meaning.get(node):
            case Read(buffer, index):
                return self.symbols.read(self.buffers.get(buffer, buffer), self.index(index).expr, node.sort)
            case Part(loop, component):
                return self._fold(loop, inside)[component]
        if node.sort == BOOL and node.args and all(a.sort not in ("F32", BOOL) for a in node.args):
            condition = self._condition(node)
            decided = self.truth(condition, inside) if self._exact(node, inside) else None
            return (condition if self._exact(node, inside) else node) if decided is None else const_bool(decided)
        return make(node.op, *args) if args else node

    def _exact(self, node: Expr, inside: Inside) -> bool:
        """Is what a comparison compares the polynomials' values? Sums and products may wrap around on the way, being exact modulo the word."""
        used = [*node.args, *(b for a in node.args for e in topo(a) if e.args and not e.op.startswith(RING) for b in e.args)]
        return self.fits([self.index(e) for e in used if e.sort in (B32, B64)], inside)

    def _condition(self, node: Expr) -> Expr:
        """A comparison of indices, both sides in one form."""
        name = node.op.partition("_")[0]
        return mk(f"{name}_b64", *(self.index(a).expr for a in node.args)) if name in ORDERS else node

    def _fold(self, loop: Fold, inside: Inside) -> tuple[Expr, ...]:
        count = self.index(loop.count)
        init = self.values(loop.init, inside)
        body = self.values(loop.body, (*inside, (loop.counter, count)))
        tiled = self._tiled(loop, count, body)
        if tiled is None:
            return self._close(loop.counter, count, loop.state, init, body)
        counter, total, state, rounds, how = tiled
        parts = self._close(counter, total, state, init, rounds)
        self.tiles[self._of(parts[0])] = how
        return parts

    def _close(self, counter: Expr, count: Poly, state: tuple[Expr, ...], init: tuple[Expr, ...], body: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return self.symbols.fold(counter, count.expr, state, init, body)

    def _of(self, part: Expr) -> Fold:
        meaning = self.symbols.meaning[part]
        if not isinstance(meaning, Part):
            raise Bug("a loop's result is no loop's result")
        return meaning.fold

    def _tiled(self, loop: Fold, count: Poly, body: tuple[Expr, ...]) -> tuple[Expr, Poly, tuple[Expr, ...], tuple[Expr, ...], Tiles] | None:
        """The one loop that a loop over tiles is: its body is another loop that goes on from its state, and uses both counters only as
        `outer * width + inner`."""
        meanings = [self.symbols.meaning.get(b) for b in body]
        inner = meanings[0].fold if meanings and isinstance(meanings[0], Part) else None
        if inner is None or inner in self.tiles or inner.init != loop.state or meanings != [Part(inner, i) for i in range(len(loop.state))]:
            return None
        width = read(inner.count)
        if any(loop.counter in topo(a) for a in width.atoms):
            return None
        joined = self._joined(inner.body, inner.counter, atom(inner.counter) - atom(loop.counter) * width)
        if joined is None or loop.counter in self.symbols.free(*joined):
            return None
        return inner.counter, count * width, inner.state, joined, Tiles(count, width)

    def _joined(self, body: tuple[Expr, ...], counter: Expr, value: Poly) -> tuple[Expr, ...] | None:
        """A body with its counter replaced in the cells' indices; None where the counter stands elsewhere."""
        by: dict[Expr, Expr] = {}
        rest = list(body)
        while rest:
            v = rest.pop()
            if v is counter:
                return None
            if v.sort == BOOL and v.op.partition("_")[0] in ORDERS:
                sides = [read(a) for a in v.args]
                if any(q.expr is not a for q, a in zip(sides, v.args, strict=True)) or any(_hidden(counter, q) for q in sides):
                    return None
                by[v] = mk(v.op, *(q.substitute({counter: value}).expr for q in sides))
                continue
            match self.symbols.meaning.get(v):
                case Read(buffer, index):
                    if _hidden(counter, read(index)):
                        return None
                    by[v] = self.symbols.read(buffer, read(index).substitute({counter: value}).expr, v.sort)
                case Part():
                    if counter in self.symbols.free(v):
                        return None
                case None:
                    rest += v.args
        return self.symbols.substitute(body, by)


def _hidden(counter: Expr, q: Poly) -> bool:
    """Does a polynomial depend on a counter otherwise than by its powers?"""
    return any(counter in topo(a) for a in q.atoms if a is not counter)
