"""A kernel's elements against those that they should be: the goal, with both sides over the kernel's coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from devsem.array_goal import Both, Side, array_goal
from devsem.elements import Element, Uncovered
from devsem.expr import Expr, mk
from devsem.goal import Goal
from devsem.ops import B64
from devsem.polynomial import Poly, atom
from devsem.size_facts import Known
from devsem.symbols import Symbols


def match(function: str, spec: str, kernel: Sequence[Element], wanted: Sequence[Element], tensors: Sequence[str], shared: Symbols,
          notes: Sequence[str] = ()) -> Goal:
    """The goal: each element that the kernel writes is the wanted one. Raises Uncovered, or Unpaired."""
    out = []
    for e in kernel:
        found = [w for w in wanted if w.tensor == e.tensor]
        if len(found) != 1:
            raise Uncovered(f"{e.where}: {len(found)} statements of the specification say what {e.tensor} is")
        w = at(found[0], e, shared)
        known = Known((*e.known.given, *w.known.given), e.known.not_negative, e.known.positive)
        out.append(Both(e.tensor, Side(e.index, e.value, e.normal), Side(e.index, w.value, w.normal), e.coordinates, known.same, known.at_most))
    return array_goal(function, spec, out, tensors, notes)


def at(wanted: Element, e: Element, shared: Symbols) -> Element:
    """The wanted element at the place of the kernel's."""
    if len(wanted.coordinates) == 1 and wanted.index.terms == frozenset({((wanted.coordinates[0],), 1)}):
        by = {wanted.coordinates[0]: e.index}
    else:
        ours, theirs = ({_key(x.index.coefficient(c)): c for c in x.coordinates} for x in (e, wanted))
        if set(ours) != set(theirs) or len(ours) != len(e.coordinates) or len(theirs) != len(wanted.coordinates):
            raise Uncovered(f"{e.where}: the element {e.index} of {e.tensor} is not matched with the specification's {wanted.index}")
        by = {theirs[k]: atom(ours[k]) for k in ours}
    words = {c: _word(p, c) for c, p in by.items()}
    (value,) = shared.substitute((wanted.value,), words)
    index = wanted.index.substitute(by)
    if index != e.index:
        raise Uncovered(f"{e.where}: the element {e.index} of {e.tensor} is not matched with the specification's {wanted.index}")
    normal = replace(wanted.normal, source=shared, named=by, truth=e.known.decides, buffers={})
    normal.tiles.update(wanted.normal.tiles)
    (again,) = normal.values((value,))
    given = tuple(shared.substitute((g,), words)[0] for g in wanted.known.given)
    return replace(wanted, index=index, value=again, coordinates=e.coordinates, normal=normal, known=replace(wanted.known, given=given))


def _key(p: Poly) -> str:
    return str(p)


def _word(p: Poly, like: Expr) -> Expr:
    return p.expr if like.sort == B64 else mk("wrap", p.expr)
