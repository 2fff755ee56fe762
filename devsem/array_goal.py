"""The goal of a kernel whose values have loops or whose launch has any shape: pieces that have to be equal, and how they make the elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from devsem.digits import Split
from devsem.expr import Expr, const_bool, const_int, substitute, topo, var
from devsem.folds import Normal
from devsem.goal import Buffer, Goal, Launch, Output
from devsem.ops import B32, B64
from devsem.pairing import Argument, Assembly, Cell, Element, Left, Loops, Pairing, Piece, Same, Scalar
from devsem.polynomial import Poly


@dataclass(frozen=True)
class Side:
    """An output's element as one side has it: a value in `normal`'s form at an index over the coordinates."""

    index: Poly
    value: Expr
    normal: Normal


@dataclass(frozen=True)
class Both:
    """One element: of which tensor, and what both sides say of it, over the same coordinates. `same` and `most` compare numbers of rounds."""

    tensor: str
    kernel: Side
    spec: Side
    coordinates: tuple[Expr, ...]
    same: Same
    most: Same


def array_goal(function: str, spec: str, outputs: Sequence[Both], tensors: Sequence[str], notes: Sequence[str] = (), splits: Sequence[Split] = ()) -> Goal:
    """The goal. Raises pairing.Unpaired where the two sides' loops do not correspond."""
    sides: list[tuple[Expr, Expr]] = []
    known: dict[Argument, Expr] = {}
    elements = []
    for o in outputs:
        pairing = Pairing(o.kernel.normal, o.spec.normal, o.same, o.most, sides, variables=known)
        elements.append(Element(o.tensor, o.kernel.index, pairing.piece(o.kernel.value, o.spec.value)))
    pieces = [e.piece for e in elements]
    coordinates = tuple(dict.fromkeys(c for o in outputs for c in o.coordinates))
    integers = _integers(pieces) | {a for p in (*(e.index for e in elements), *(q for s in splits for q in (s.width, s.quotient, s.remainder)))
                                    for a in _plain(p)}
    sizes = sorted(integers - set(coordinates) - {x.counter for x in loops_of(pieces)}, key=lambda v: v.name)
    called = _called(known)
    whole = Assembly(tuple(_renamed(e, called) for e in elements), coordinates, tuple(sizes), tuple(tensors),
                     tuple(sorted(a.name for a in known if isinstance(a, Scalar))), tuple(splits))
    buffers = tuple(Buffer(i, called[v].name, called[v].name, called[v]) for i, v in enumerate(known.values()))
    made = tuple(Output(Buffer(len(buffers), "", "", substitute(a, called)), substitute(a, called), substitute(b, called)) for a, b in sides)
    return Goal(function, spec, buffers, made, const_int(B32, 0), const_bool(True), const_int(B64, 1), Launch(), (), tuple(notes), {}, {}, whole)


def _called(known: dict[Argument, Expr]) -> dict[Expr, Expr]:
    """The arguments' variables under names that a person can read: a tensor's, where one element of it alone occurs."""
    tensors = [a.tensor for a in known if isinstance(a, Cell)]
    names: dict[Expr, Expr] = {}
    for a, v in known.items():
        match a:
            case Cell(tensor, index):
                name = tensor if tensors.count(tensor) == 1 else f"{tensor}[{index}]"
            case Scalar(name):
                pass
            case _:
                name = v.name
        names[v] = var(name, v.sort)
    return names


def _renamed(e: Element, called: dict[Expr, Expr]) -> Element:
    def piece(p: Piece) -> Piece:
        return Piece(p.number, tuple((called[v], argument(a)) for v, a in p.arguments), p.padded)

    def argument(a: Argument) -> Argument:
        if not isinstance(a, Left):
            return a
        x = a.loops
        return Left(Loops(x.counter, x.count, x.tiles, tuple(map(piece, x.init)), tuple(map(piece, x.body)), x.bound), a.component)
    return Element(e.tensor, e.index, piece(e.piece))


def is_pointwise(goal: Goal) -> bool:
    """Does each element rest on one cell of each tensor and on numbers alone? Then any values of these are possible."""
    if goal.assembly is None:
        return False
    arguments = [a for e in goal.assembly.elements for _, a in e.piece.arguments]
    per = [[a.tensor for _, a in e.piece.arguments if isinstance(a, Cell)] for e in goal.assembly.elements]
    return all(isinstance(a, Cell | Scalar) for a in arguments) and all(len(set(t)) == len(t) for t in per)


def loops_of(pieces: Sequence[Piece]) -> list[Loops]:
    """Every pair of loops, outer ones first."""
    out: list[Loops] = []
    for p in pieces:
        for _, a in p.arguments:
            if isinstance(a, Left):
                out += [a.loops, *loops_of(a.loops.init), *loops_of(a.loops.body)]
    return out


def _plain(p: Poly) -> set[Expr]:
    """The integer variables of a polynomial."""
    return {v for a in p.atoms for v in topo(a) if v.is_var}


def _integers(pieces: Sequence[Piece]) -> set[Expr]:
    """The integer variables of every index and number of rounds."""
    out: set[Expr] = set()
    inner = loops_of(pieces)
    for x in inner:
        for count in (*x.count, *(p for t in x.tiles if t for p in (t.count, t.width))):
            out |= _plain(count)
    for p in [*pieces, *(q for x in inner for q in (*x.init, *x.body))]:
        for _, a in p.arguments:
            out |= _plain(a.index) if isinstance(a, Cell) else set()
    return out


NO_PRODUCT = frozenset({"w_add", "w_sub", "w_fma", "w_min", "w_max", "w_div", "w_sqrt", "w_rint", "w_floor", "w_ceil"})


def carries_a_product(goal: Goal) -> bool:
    """May a loop carry the unrounded value of a product to its next round, where a compiler that unrolls the loop could fuse it into a sum?"""
    pieces = [q for x in loops_of([e.piece for e in goal.assembly.elements]) for q in (*x.init, *x.body)] if goal.assembly else []
    return any(_may_end_in_a_product(goal.outputs[q.number].written) for q in pieces)


def _may_end_in_a_product(e: Expr) -> bool:
    if e.op == "select":
        return any(map(_may_end_in_a_product, e.args[1:]))
    return bool(e.args) and e.op not in NO_PRODUCT
