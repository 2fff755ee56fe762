"""The elements that a kernel writes, over coordinates of the output: what `summary.py` found, without threads and blocks.

`blockIdx.x * blockDim.x + threadIdx.x` is one coordinate wherever nothing else depends on the block or on the thread alone; a loop's counter
that an index depends on is one, too. Two kernels' coordinates correspond where they have the same stride in the output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from devsem.digits import Digits
from devsem.errors import Where
from devsem.expr import Expr, const, const_bool, const_int, mk, substitute, topo, var
from devsem.folds import Normal
from devsem.ops import B32, B64, BOOL, F32
from devsem.polynomial import Poly, atom, number, read
from devsem.size_facts import ORDERS, Known, conjuncts
from devsem.summary import Summary
from devsem.summary_memory import Event
from devsem.symbols import Part, Read, Symbols

AXES = "xyz"
ZERO = const(0.0)
INDEX = var("element", B64)     # the one coordinate of an element that depends on nothing but the elements of its own number


class Uncovered(Exception):
    """An element's coordinates are not found; the sentence says why."""


@dataclass(frozen=True)
class Launched:
    """What the launch says of a kernel: the tensor of each buffer parameter, the block's extents, conditions on sizes, and the sizes; `grid`:
    what each blockIdx is below."""

    tensors: Mapping[str, str]
    block: tuple[Expr, Expr, Expr]
    conditions: tuple[Expr, ...]
    sizes: tuple[Expr, ...]
    grid: tuple[tuple[Expr, Expr], ...] = ()


@dataclass(frozen=True)
class Element:
    """An element of a tensor: its index and its value, in `normal`'s form, over `coordinates`.

    `digits`: of a specification's element, whose coordinates are those of the tensor's dimensions, what each is less than."""

    tensor: str
    index: Poly
    value: Expr
    coordinates: tuple[Expr, ...]
    normal: Normal
    known: Known
    where: Where
    digits: Digits | None = None


def elements(summary: Summary, launched: Launched, shared: Symbols) -> tuple[Element, ...]:
    """Every element, its symbols interned in `shared`. Raises Uncovered."""
    for k, a in enumerate(summary.events):
        for b in summary.events[k + 1:]:
            if launched.tensors[a.buffer] == launched.tensors[b.buffer] and not _apart(a, b, launched):
                raise Uncovered(f"{b.where}: an element of {b.buffer} may be written by two statements of one thread")
    return tuple(made for e in summary.events if (made := _element(e, summary.symbols, launched, shared)) is not None)


def _apart(a: Event, b: Event, launched: Launched) -> bool:
    """Does a thread write different elements in two statements, or not come to both?"""
    rounds = [mk("slt_b64", read(k).expr, read(n).expr) for e in (a, b) for k, n in e.rounds if n is not None]
    places = {v for e in (a, b) for p in (e.index, e.guard) for v in topo(p) if is_place(v)} | {k for e in (a, b) for k, _ in e.rounds}
    known = Known((*launched.conditions, *rounds), tuple(sorted(places, key=lambda v: v.name)), launched.sizes)
    for e in (a, b):
        known = _under(known, e, {})
    return known.apart(read(a.index), read(b.index))


def _element(event: Event, symbols: Symbols, launched: Launched, shared: Symbols) -> Element | None:
    """One write; None if no thread ever comes to it."""
    counters = [k for k, _ in event.rounds]
    named = _coordinates(list(_integers((event.index, event.value, event.guard, *(n for _, n in event.rounds if n is not None)), symbols)), launched)
    index = read(event.index, named)
    together = _together(index, counters, list(_integers((event.index, event.value), symbols)), named, launched)
    if together:
        named = {**{v: p.substitute(together) for v, p in named.items()}, **together}
        index = read(event.index, named)
    found = tuple(sorted((v for v in _plain(index) if v in counters or is_place(v)), key=lambda v: v.name))
    rounds = tuple(mk("slt_b64", read(k, named).expr, read(n, named).expr) for k, n in event.rounds if n is not None)
    within = (*(mk("slt_b64", mk("sext", v), n) for v, n in launched.grid if v in found), *_places(found, launched))
    known = _under(Known((*launched.conditions, *_threads(named, launched), *rounds, *within), found, launched.sizes), event, named)
    if known.decides(const_bool(False)):
        return None
    _widened((event.index, event.value), symbols, known, named, event.where)
    normal = Normal(symbols, named, known.decides, known.fits, shared, launched.tensors)
    (value,) = normal.values((event.value,))
    cells = {v: m for v in topo(value) if (m := shared.meaning.get(v)) is not None}
    if all(isinstance(m, Read) and read(m.index) == index for m in cells.values()) and not shared.free(substitute(value, dict.fromkeys(cells, ZERO))) & {
            *found, *counters}:
        own = {v: shared.read(m.buffer, INDEX, v.sort) for v, m in cells.items() if isinstance(m, Read)}
        return Element(launched.tensors[event.buffer], atom(INDEX), substitute(value, own), (INDEX,), normal, Known((), (), ()), event.where)
    whole = _by_number(event, symbols, launched, shared, (named, index, known, found, counters))
    if whole is not None:
        return whole
    stray = [v for v in shared.free(value) if v.sort != F32 and (is_place(v) or v in counters) and v not in found]
    if stray:
        raise Uncovered(f"{event.where}: the value depends on {stray[0].name}, and the element's index does not")
    return Element(launched.tensors[event.buffer], index, value, found, normal, known, event.where)


def _widened(roots: Sequence[Expr], symbols: Symbols, known: Known, named: Mapping[Expr, Poly], where: Where) -> None:
    """Raises Uncovered where an index widens a word without its sign that may be negative: the polynomial is not what it becomes."""
    for e in topo(*(i for i in _integers(roots, symbols) if i.sort == B64)):
        if e.op == "zext" and not e.args[0].is_var:
            word = read(e.args[0], named)
            rounds = tuple(v for v in _plain(word) if v.name.startswith("round"))
            if not replace(known, not_negative=(*known.not_negative, *rounds)).at_most(number(0), word):
                raise Uncovered(f"{where}: an index widens an unsigned number that may have its first bit set")


def _under(known: Known, event: Event, named: Mapping[Expr, Poly]) -> Known:
    """What holds where a thread comes to a write: the conditions around it too, but for those that take a negative word as a large number."""
    for c in conjuncts(event.guard):
        if c.is_const:
            continue
        made = placed(c, named, event.where)
        unsigned = [a for n in topo(c) if n.op.partition("_")[0] in ("ult", "ule", "zext") for a in n.args]
        if all(known.decides(mk("sle_b64", const_int(B64, 0), read(a, named).expr)) for a in unsigned):
            known = replace(known, given=(*known.given, made))
    return known


def _threads(named: Mapping[Expr, Poly], launched: Launched) -> Iterator[Expr]:
    """That a thread's number along each axis is one of the block's."""
    for axis, size in zip(AXES, launched.block, strict=True):
        thread = named.get(var(f"threadIdx.{axis}", B32), atom(var(f"threadIdx.{axis}", B32)))
        yield mk("sle_b64", const_int(B64, 0), thread.expr)
        yield mk("slt_b64", thread.expr, read(size).expr)
        yield mk("sle_b64", const_int(B64, 0), atom(var(f"blockIdx.{axis}", B32)).expr)


def _places(found: Sequence[Expr], launched: Launched) -> Iterator[Expr]:
    """That a place in the whole launch is one of the launch's."""
    for axis, size, (_, blocks) in zip(AXES, launched.block, launched.grid, strict=False):
        place = var(f"place.{axis}", B32)
        if place in found:
            yield mk("slt_b64", mk("sext", place), (read(blocks) * read(size)).expr)


def _together(index: Poly, counters: Sequence[Expr], integers: Sequence[Expr], named: Mapping[Expr, Poly], launched: Launched) -> dict[Expr, Poly]:
    """A thread's place together with the blocks and rounds that are steps of it along one dimension, where nothing depends on these alone."""
    sizes = [read(size) for size in launched.block]
    out: dict[Expr, Poly] = {}
    free = [q for q in sorted(_plain(index), key=lambda v: v.name) if q in counters or q.name.startswith("blockIdx.")]
    for t in sorted((v for v in _plain(index) if v.name.startswith("threadIdx.")), key=lambda v: v.name):
        one = index.coefficient(t)
        steps = {q: n for q in free if (n := _times(index.coefficient(q), one, sizes)) is not None}
        swap = {t: sum((-(n * atom(q)) for q, n in steps.items()), atom(var(f"place.{t.name}", B64)))}
        with_swap = {**{v: p.substitute(swap) for v, p in named.items()}, **swap}
        if steps and not any(_plain(read(e, with_swap)) & {t, *steps} for e in integers):
            out |= swap
            free = [q for q in free if q not in steps]
    return out


def _times(a: Poly, b: Poly, sizes: Sequence[Poly]) -> Poly | None:
    """The number, or the block's extent, that b is multiplied with to be a."""
    if not b.terms:
        return None
    ((first, k), *_) = b.ordered
    numbers = [number(c // k) for m, c in a.terms if m == first and c % k == 0 and c // k > 0]
    return next((n for n in (*numbers, *sizes) if n * b == a), None)


def _by_number(event: Event, symbols: Symbols, launched: Launched, shared: Symbols,
               of: tuple[dict[Expr, Poly], Poly, Known, tuple[Expr, ...], list[Expr]]) -> Element | None:
    """The element over its number alone, where threads, blocks and rounds matter only in what they make together."""
    named, index, known, found, counters = of
    place = next((v for v in found if is_place(v) and index.coefficient(v) == number(1)), None)
    if place is None or all(v.name.startswith("place.") for v in found):
        return None
    by = {place: atom(INDEX) - (index - atom(place))}
    normal = Normal(symbols, {**{v: p.substitute(by) for v, p in named.items()}, **by}, known.decides, known.fits, shared, launched.tensors)
    (value,) = normal.values((event.value,))
    if any(is_place(v) or v in counters for v in shared.free(value)):
        return None
    return Element(launched.tensors[event.buffer], atom(INDEX), value, (INDEX,), normal, Known((), (), ()), event.where)


def is_place(v: Expr) -> bool:
    """Does the variable say where a thread is?"""
    return v.is_var and v.name.split(".")[0] in ("threadIdx", "blockIdx", "place")


def placed(c: Expr, named: Mapping[Expr, Poly], where: Where) -> Expr:
    """A condition on integers over the coordinates. Raises Uncovered for a condition on data."""
    if any(v.sort == F32 for v in topo(c)):
        raise Uncovered(f"{where}: an element is written only where a condition on data holds")
    if c.op in ("and", "or", "not"):
        return mk(c.op, *(placed(a, named, where) for a in c.args))
    name = c.op.partition("_")[0]
    return mk(f"{name}_b64", *(read(a, named).expr for a in c.args)) if name in ORDERS else c


def _plain(p: Poly) -> set[Expr]:
    return {v for a in p.atoms for v in topo(a) if v.is_var}


def _integers(roots: Sequence[Expr], symbols: Symbols) -> Iterator[Expr]:
    """The integers that the values rest on: indices, numbers of rounds, both sides of conditions."""
    for node in topo(*roots):
        match symbols.meaning.get(node):
            case Read(_, index):
                yield index
            case Part(fold, 0):
                yield fold.count
                yield from _integers((*fold.init, *fold.body), symbols)
            case _ if node in roots or node.sort == BOOL:
                yield from (a for a in (node, *node.args) if a.sort in (B32, B64))


def _coordinates(integers: Sequence[Expr], launched: Launched) -> dict[Expr, Poly]:
    """The thread's place along each axis as the place in the whole launch, where only that matters."""
    named: dict[Expr, Poly] = {}
    for axis, size in zip(AXES, launched.block, strict=True):
        thread, block, place = var(f"threadIdx.{axis}", B32), var(f"blockIdx.{axis}", B32), var(f"place.{axis}", B32)
        swap = {thread: atom(place) - atom(block) * read(size)}
        if not any(_plain(read(e, swap)) & {thread, block} for e in integers):
            named |= swap
    return named
