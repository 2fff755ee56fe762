"""Two values with loops, cut into pieces without loops that have to be equal one by one.

A piece is a pair of loop-free values over *arguments*: cells of tensors, numbers that a loop carries, and what a loop leaves. Loops are
paired: they have equally many rounds, and their first values and bodies are pieces again. If every piece's two sides are equal for all
arguments, so are the two values: Lean puts that together (`leanfolds.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from devsem.digits import Split
from devsem.expr import Expr, const, mk, substitute, topo, var
from devsem.folds import Normal, Tiles
from devsem.ops import F32
from devsem.polynomial import Poly, read
from devsem.symbols import Fold, Part, Read


class Unpaired(Exception):
    """The two values have loops that do not correspond; the sentence says which."""


@dataclass(frozen=True)
class Cell:
    """An element of a tensor before the launch."""

    tensor: str
    index: Poly


@dataclass(frozen=True)
class Carried:
    """A number of the state of the loop that binds `counter`."""

    counter: Expr
    component: int
    of: int


@dataclass(frozen=True)
class Left:
    """A number that a pair of loops leaves."""

    loops: Loops
    component: int


@dataclass(frozen=True)
class Scalar:
    """A number that the kernel is given."""

    name: str


Argument = Cell | Scalar | Carried | Left
Same = Callable[[Poly, Poly], bool]
PLUS_ZERO = const(0.0)


@dataclass(frozen=True)
class Piece:
    """The piece that is output `number`, and what its variables stand for."""

    number: int
    arguments: tuple[tuple[Expr, Argument], ...]
    padded: frozenset[Argument] = frozenset()       # cells that the kernel reads as +0 from the loop's bound on


@dataclass(frozen=True)
class Loops:
    """Two loops of equally many rounds, each count as it is written; `tiles` where the kernel's, or the spec's, is written over tiles.

    `bound`: the kernel's tiles reach beyond it, and the terms of its sum are +0 from there on."""

    counter: Expr
    count: tuple[Poly, Poly]
    tiles: tuple[Tiles | None, Tiles | None]
    init: tuple[Piece, ...]
    body: tuple[Piece, ...]
    bound: Poly | None = None


@dataclass(frozen=True)
class Element:
    """An output tensor's element: its index over the coordinates, and what both sides say of it."""

    tensor: str
    index: Poly
    piece: Piece


@dataclass(frozen=True)
class Assembly:
    """How pieces make the elements of outputs, for all `sizes` and at all `coordinates`; `tensors` by number in memory. `splits`: the divisions by
    which the kernel's coordinates are found."""

    elements: tuple[Element, ...]
    coordinates: tuple[Expr, ...]
    sizes: tuple[Expr, ...]
    tensors: tuple[str, ...]
    scalars: tuple[str, ...]
    splits: tuple[Split, ...] = ()


@dataclass
class Pairing:
    """Pairs two values; `sides` has what each piece's two sides are, in order. `same`: are two numbers of rounds one number, for all sizes?
    `most`: is the first at most the second?"""

    left: Normal
    right: Normal
    same: Same
    most: Same
    sides: list[tuple[Expr, Expr]] = field(default_factory=list)
    bound: dict[Expr, Carried] = field(default_factory=dict)
    variables: dict[Argument, Expr] = field(default_factory=dict)

    def piece(self, left: Expr, right: Expr) -> Piece:
        """The piece that says of two values that they are equal. Raises Unpaired."""
        ours, theirs = self._arguments(left, right)
        by_left = {v: self._variable(a) for v, a in ours.items()}
        by_right = {v: self._variable(a) for v, a in theirs.items()}
        self.sides.append((substitute(left, by_left), substitute(right, by_right)))
        return Piece(len(self.sides) - 1, tuple(dict.fromkeys((self._variable(a), a) for a in (*ours.values(), *theirs.values()))))

    def _variable(self, a: Argument) -> Expr:
        return self.variables.setdefault(a, var(f"argument.{len(self.variables)}", F32))

    def _arguments(self, left: Expr, right: Expr) -> tuple[dict[Expr, Argument], dict[Expr, Argument]]:
        ours, theirs = ({v: a for v in topo(side) if v.is_var and (a := self._simple(v)) is not None} for side in (left, right))
        open_left, open_right = ([v for v in topo(side) if isinstance(self.left.symbols.meaning.get(v), Part)] for side in (left, right))
        done: dict[tuple[Fold, Fold], Loops] = {}
        for v in open_left:
            loop, component = self._part(v)
            w = v if v in open_right else self._partner(loop, component, open_right, open_left)
            other, _ = self._part(w)
            if (loop, other) not in done:
                done[loop, other] = self._loops(loop, other)
            ours[v] = theirs[w] = Left(done[loop, other], component)
        lonely = [w for w in open_right if w not in theirs]
        if lonely:
            raise Unpaired("the specification has a loop that the kernel does not have")
        return ours, theirs

    def _simple(self, v: Expr) -> Argument | None:
        meaning = self.left.symbols.meaning.get(v)
        if isinstance(meaning, Read):
            return Cell(meaning.buffer, read(meaning.index))
        if isinstance(meaning, Part):
            return None
        if v.sort != F32:
            raise Unpaired(f"a value depends on the integer {v.name} in a way that is not decided for all sizes")
        return self.bound.get(v) or Scalar(v.name)

    def _part(self, v: Expr) -> tuple[Fold, int]:
        meaning = self.left.symbols.meaning[v]
        if not isinstance(meaning, Part):
            raise Unpaired("a loop stands against a value without one")
        return meaning.fold, meaning.component

    def _partner(self, loop: Fold, component: int, candidates: Sequence[Expr], taken: Sequence[Expr]) -> Expr:
        """The loop of the other side that may do the same: as many rounds, and as large a state."""
        for w in candidates:
            other, c = self._part(w)
            if w not in taken and c == component and len(other.state) == len(loop.state) and (
                    self.same(read(loop.count), read(other.count)) or self._beyond(loop, other)):
                return w
        raise Unpaired("the kernel has a loop that no loop of the specification corresponds to, by the number of its rounds")

    def _loops(self, loop: Fold, other: Fold) -> Loops:
        if loop.counter is not other.counter and any(isinstance(self.right.symbols.meaning.get(v), Part) for v in topo(*other.body)):
            raise Unpaired("the loops inside two loops do not correspond")
        by = dict(zip((other.counter, *other.state), (loop.counter, *loop.state), strict=True))
        theirs = self.right.symbols.substitute(other.body, by)
        ours, padded, bound = loop.body, frozenset[Argument](), None
        if not self.same(read(loop.count), read(other.count)):
            bound = read(other.count)
            ours, padded = self._without_padding(loop, bound)
        init = tuple(self.piece(a, b) for a, b in zip(loop.init, other.init, strict=True))
        outside = dict(self.bound)
        self.bound |= {s: Carried(loop.counter, i, len(loop.state)) for i, s in enumerate(loop.state)}
        body = tuple(replace(self.piece(a, b), padded=padded) for a, b in zip(ours, theirs, strict=True))
        self.bound = outside
        return Loops(loop.counter, (read(loop.count), read(other.count)), (self.left.tiles.get(loop), self.right.tiles.get(other)), init, body, bound)

    def _beyond(self, loop: Fold, other: Fold) -> bool:
        """Do the kernel's tiles reach beyond the rounds of the specification's loop?"""
        return loop in self.left.tiles and other not in self.right.tiles and len(loop.state) == 1 and self.most(read(other.count), read(loop.count))

    def _without_padding(self, loop: Fold, bound: Poly) -> tuple[tuple[Expr, ...], frozenset[Argument]]:
        """The body of the rounds before the bound, and the cells that are +0 in those after it. Raises Unpaired."""
        inside = mk("slt_b64", read(loop.counter).expr, bound.expr)
        by, cells = {}, set()
        for e in topo(*loop.body):
            if e.op == "select" and e.args[0] is inside and e.args[2] is PLUS_ZERO and (a := self._read(e.args[1])) is not None:
                by[e] = e.args[1]
                cells.add(a)
        body = tuple(substitute(e, by) for e in loop.body)
        bare = {a for e in loop.body for v in topo(substitute(e, dict.fromkeys(by, PLUS_ZERO))) if (a := self._read(v)) is not None}
        if not cells or cells & bare or any(inside in topo(e) for e in body):
            raise Unpaired("the kernel's tiles reach beyond the last round, and what they read there is not seen to be zero")
        return body, frozenset(cells)

    def _read(self, v: Expr) -> Cell | None:
        meaning = self.left.symbols.meaning.get(v)
        return Cell(meaning.buffer, read(meaning.index)) if isinstance(meaning, Read) else None
