"""The goal of a kernel whose values have loops or whose launch has any shape: pieces that have to be equal, and how they make the elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devsem.expr import Expr, const_bool, const_int, topo
from devsem.folds import Normal
from devsem.goal import Buffer, Goal, Launch, Output
from devsem.ops import B32, B64
from devsem.pairing import Argument, Assembly, Element, Loops, Pairing, Piece, Same, Scalar
from devsem.polynomial import Poly


@dataclass(frozen=True)
class Side:
    """An output's element as one side has it: a value in `normal`'s form at an index over the coordinates."""

    index: Poly
    value: Expr


@dataclass(frozen=True)
class Both:
    """One output: which tensor, and its element on both sides, over the same coordinates."""

    tensor: str
    kernel: Side
    spec: Side


def array_goal(function: str, spec: str, outputs: Sequence[Both], left: Normal, right: Normal, same: Same, most: Same, tensors: Sequence[str],
               coordinates: Sequence[Expr], notes: Sequence[str] = (), scalars: Mapping[Expr, Expr] | None = None) -> Goal:
    """The goal. Raises pairing.Unpaired where the two sides' loops do not correspond."""
    pairing = Pairing(left, right, same, most)
    elements = tuple(Element(o.tensor, o.kernel.index, pairing.piece(o.kernel.value, o.spec.value)) for o in outputs)
    integers = _integers([e.piece for e in elements]) | {a for e in elements for a in _plain(e.index)}
    counters = _counters([e.piece for e in elements])
    sizes = sorted(integers - set(coordinates) - counters, key=lambda v: v.name)
    names = sorted(a.name for a in pairing.variables if isinstance(a, Scalar))
    whole = Assembly(elements, tuple(coordinates), tuple(sizes), tuple(tensors), tuple(names))
    buffers = tuple(Buffer(i, v.name, v.name, v) for i, v in enumerate(pairing.variables.values()))
    pieces = tuple(Output(Buffer(len(buffers), "", "", written), written, said) for written, said in pairing.sides)
    return Goal(function, spec, buffers, pieces, const_int(B32, 0), const_bool(True), const_int(B64, 1), Launch(), (), tuple(notes), {},
                dict(scalars or {}), whole)


def has_loops(goal: Goal) -> bool:
    """Does any value of the goal have a loop?"""
    return goal.assembly is not None and bool(_counters([e.piece for e in goal.assembly.elements]))


def _plain(p: Poly) -> set[Expr]:
    """The integer variables of a polynomial."""
    return {v for a in p.atoms for v in topo(a) if v.is_var}


def _loops(pieces: Sequence[Piece]) -> list[Loops]:
    """Every pair of loops, outer ones first."""
    out: list[Loops] = []
    for p in pieces:
        for _, a in p.arguments:
            found = getattr(a, "loops", None)
            if isinstance(found, Loops):
                out += [found, *_loops(found.init), *_loops(found.body)]
    return out


def _counters(pieces: Sequence[Piece]) -> set[Expr]:
    return {x.counter for x in _loops(pieces)}


def _integers(pieces: Sequence[Piece]) -> set[Expr]:
    """The integer variables of every index and number of rounds."""
    out: set[Expr] = set()
    for x in _loops(pieces):
        for count in x.count:
            out |= _plain(count)
        for tiles in x.tiles:
            out |= (_plain(tiles.count) | _plain(tiles.width)) if tiles else set()
    every: list[Argument] = [a for p in [*pieces, *(q for x in _loops(pieces) for q in (*x.init, *x.body))] for _, a in p.arguments]
    for a in every:
        index = getattr(a, "index", None)
        if isinstance(index, Poly):
            out |= _plain(index)
    return out


NO_PRODUCT = frozenset({"w_add", "w_sub", "w_fma", "w_min", "w_max", "w_div", "w_sqrt", "w_rint", "w_floor", "w_ceil"})


def carries_a_product(goal: Goal) -> bool:
    """May a loop carry the unrounded value of a product to its next round, where a compiler that unrolls the loop could fuse it into a sum?"""
    pieces = [q for x in _loops([e.piece for e in goal.assembly.elements]) for q in (*x.init, *x.body)] if goal.assembly else []
    return any(_may_end_in_a_product(goal.outputs[q.number].written) for q in pieces)


def _may_end_in_a_product(e: Expr) -> bool:
    if e.op == "select":
        return any(map(_may_end_in_a_product, e.args[1:]))
    return bool(e.args) and e.op not in NO_PRODUCT
