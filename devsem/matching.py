"""A kernel's elements against those that they should be: the goal, with both sides over one set of coordinates.

Where the wanted element's coordinates are those of a tensor's dimensions, each of the kernel's coordinates is one of these, or several in
row-major order (`rows * cols` elements in one row of threads), and what the kernel divides is found by `digits.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from devsem.array_goal import Both, Side, array_goal
from devsem.digits import Digits, Split
from devsem.elements import Element, Uncovered, is_place
from devsem.expr import Expr, mk, topo
from devsem.folds import Normal
from devsem.goal import Goal
from devsem.ops import B64
from devsem.polynomial import Poly, atom, number
from devsem.size_facts import Known
from devsem.spec_views import flat
from devsem.symbols import Symbols


def match(function: str, spec: str, kernel: Sequence[Element], wanted: Sequence[Element], tensors: Sequence[str], shared: Symbols,
          notes: Sequence[str] = ()) -> Goal:
    """The goal: each element that the kernel writes is the wanted one. Raises Uncovered, or Unpaired."""
    out, splits = [], dict[Split, None]()
    for e in kernel:
        found = [w for w in wanted if w.tensor == e.tensor]
        if len(found) != 1:
            raise Uncovered(f"{e.where}: {len(found)} statements of the specification say what {e.tensor} is")
        ours, theirs = (over_axes(e, found[0], found[0].digits, shared), found[0]) if found[0].digits is not None else (e, at(found[0], e, shared))
        known = Known((*ours.known.given, *theirs.known.given), ours.known.not_negative, ours.known.positive)
        splits |= ours.digits.used if ours.digits is not None else {}
        out.append(Both(e.tensor, Side(ours.index, ours.value, ours.normal), Side(ours.index, theirs.value, theirs.normal), ours.coordinates,
                        known.same, known.at_most))
    return array_goal(function, spec, out, tensors, notes, tuple(splits))


def over_axes(e: Element, wanted: Element, axes: Digits, shared: Symbols) -> Element:
    """The kernel's element over the coordinates of the tensor's dimensions. Raises Uncovered."""
    digits = Digits(axes.below, axes.sizes)
    by = _places(e, wanted, digits)
    words = {c: _word(p, c) for c, p in by.items()}
    given = tuple(shared.substitute((g,), words)[0] for g in e.known.given)
    known = Known((*given, *wanted.known.given), wanted.known.not_negative, wanted.known.positive)
    (value,) = shared.substitute((e.value,), words)
    normal = Normal(shared, {}, known.decides, known.fits, shared, digits=digits)
    (again,) = normal.values((value,))
    normal.tiles.update(e.normal.tiles)
    return replace(e, index=wanted.index, value=again, coordinates=wanted.coordinates, normal=normal, known=known, digits=digits)


def _places(e: Element, wanted: Element, digits: Digits) -> dict[Expr, Poly]:
    """What each of the kernel's coordinates is, over those of the dimensions: the tensor's element with these is the one that is written.

    Several coordinates are digits of the element's number, each of one dimension or several that follow one another, only where each is within
    its own range: that is asked of what the kernel's conditions and the launch say. One alone is the number itself, which the gate shows to be
    an element's."""
    stray = Uncovered(f"{e.where}: the element {e.index} of {e.tensor} is not matched with the specification's {wanted.index}")
    if len(e.coordinates) == 1 and e.index == atom(e.coordinates[0]):
        return {e.coordinates[0]: wanted.index}
    groups: dict[Expr, list[Expr]] = {c: [] for c in e.coordinates}
    strides = {c: e.index.coefficient(c) for c in e.coordinates}
    for axis, below in digits.below.items():
        stride = wanted.index.coefficient(axis)
        steps = {c: q for c, s in strides.items() if (q := _over(stride, s)) is not None}
        if not steps:
            if below == number(1):
                continue
            raise stray
        c = min(steps, key=lambda x: max((len(m), abs(k)) for m, k in steps[x].terms))
        groups[c].append(axis)
    by = {c: flat(tuple(map(atom, axes)), tuple(digits.below[a] for a in axes)) for c, axes in groups.items()}
    if e.index.substitute(by) != wanted.index:
        raise stray
    for c, axes in groups.items():
        size = prod((digits.below[a] for a in axes), start=number(1))
        if not e.known.at_most(atom(c) + number(1), size):
            raise Uncovered(f"{e.where}: {c.name} is not seen to be below {size}, and so not to be a coordinate of {e.tensor}")
    return by


def _over(a: Poly, b: Poly) -> Poly | None:
    """a / b, for a product of sizes b; None where it is not whole."""
    if len(b.terms) != 1:
        return number(1) if a == b else None
    ((factors, k),) = b.terms
    out: dict[tuple[Expr, ...], int] = {}
    for monomial, c in a.terms:
        left = list(monomial)
        for f in factors:
            if f not in left:
                return None
            left.remove(f)
        if c % k:
            return None
        out[tuple(left)] = c // k
    return Poly(frozenset(out.items())) if out else None


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
    normal = replace(wanted.normal, source=shared, named=by, truth=e.known.decides, fits=e.known.fits, buffers={})
    normal.tiles.update(wanted.normal.tiles)
    (again,) = normal.values((value,))
    given = tuple(shared.substitute((g,), words)[0] for g in wanted.known.given)
    if len(e.coordinates) > 1:
        _inside(given, e)
    return replace(wanted, index=index, value=again, coordinates=e.coordinates, normal=normal, known=replace(wanted.known, given=given))


def _inside(given: Sequence[Expr], e: Element) -> None:
    """Raises Uncovered where it is not seen that the specification's thread with the kernel's coordinates writes: another one may, else."""
    for g in given:
        stray = [v for v in topo(g) if (is_place(v) or "~" in (v.name if v.is_var else "")) and v not in e.coordinates]
        if not stray and e.known.decides(g) is not True:
            raise Uncovered(f"{e.where}: where the kernel writes {e.index} of {e.tensor}, the specification's thread of that place may not")


def _key(p: Poly) -> str:
    return str(p)


def _word(p: Poly, like: Expr) -> Expr:
    return p.expr if like.sort == B64 else mk("wrap", p.expr)
