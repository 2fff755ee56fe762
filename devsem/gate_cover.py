"""That every cell of an output is written, and that what is read of a kernel's own arrays was written before.

For a cell a thread, a block and rounds are named (gate_inverse.py), and it is shown that this thread reaches the store and that its index is
the cell. Several stores may share the cells: each cell needs one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from devsem.expr import Expr, var
from devsem.gate_facts import Ground, fails, renamed, state_path, swap
from devsem.gate_inverse import solve
from devsem.gate_poly import TRUE, Formula, Poly, both, either, eq, le, lt, no
from devsem.gate_queries import Missing, excluded
from devsem.gate_read import EXACT_SECONDS
from devsem.gate_threads import BLOCK, THREAD, path_variables
from devsem.trace_facts import Access, Fact, Induction
from devsem.trace_run import exactly

ZERO = Poly()


def covered(g: Ground, buffer: str, writes: Sequence[Access]) -> Missing | None:
    """Every cell of an output is written by some thread."""
    r = g.reader
    cell = r.declare("cell", 0, None)
    r.state(lt(cell, g.extents[buffer]))
    missed = [f for w in writes if (f := misses(g, w, cell, _mark(writes, w), frozenset(), free=(*THREAD, *BLOCK))) is not None]
    if not missed:
        return Missing(f"no store is known to write a given cell of {buffer}", None)
    return _guessed(excluded(r, both(*missed), f"a cell of {buffer} may be left unwritten", 2 * EXACT_SECONDS))


def initialised(g: Ground, read: Access, writes: Sequence[Access]) -> Missing | None:
    """The cell of a read was written before it, by a thread of the block (by the same thread, of a local array): in the text's order, which with
    no race is the order in time."""
    r = g.reader
    state_path(r, read.path)
    cell = r.word(read.index)
    missed: list[Formula] = []
    for w in writes:
        if w.number >= read.number or not w.sure:
            continue
        common = [n for n in read.loops if n in w.loops]
        alone = read.space != "shared" or any(not g.trace.rounds[n].barriers for n in common)
        f = misses(g, w, cell, _mark(writes, w), frozenset(common), free=() if alone else THREAD)
        if f is not None:
            missed.append(f)
    return _guessed(excluded(r, both(*missed) if missed else TRUE, f"{read.buffer} may be read before it is written", 2 * EXACT_SECONDS))


def _mark(writes: Sequence[Access], w: Access) -> str:
    """A name for the thread that is named: stores at one index in the same loops have the same one, so that it fails the same conditions."""
    def key(x: Access) -> tuple[object, ...]:
        return x.index, x.loops, tuple(_pinned(x).items())
    return f"#{next(i for i, x in enumerate(writes) if key(x) == key(w))}"


def _pinned(w: Access) -> dict[Expr, Expr]:
    """The thread's coordinates for which the path to a store leaves one constant, as in `if (threadIdx.x == 255)`."""
    found: dict[Expr, Expr] = {}
    stack = [f for f in w.path if isinstance(f, Expr)]
    while stack:
        e = stack.pop()
        if e.op == "and":
            stack += e.args
        elif e.op.startswith("ieq"):
            a, b = e.args if e.args[1].is_const else e.args[::-1]
            if b.is_const and a in THREAD:
                found.setdefault(a, b)
    return dict(sorted(found.items(), key=lambda p: p[0].name))


def _guessed(missing: Missing | None) -> Missing | None:
    """Another thread than the named one may write the cell."""
    return None if missing is None else replace(missing, sure=False)


def misses(g: Ground, w: Access, cell: Poly, mark: str, same: frozenset[int], free: Sequence[Expr]) -> Formula | None:
    """The thread that is named for the cell does not write it; None where no thread is named. `same`: loops whose round is that of the reader;
    `free`: which of the thread's coordinates are to be found, the others being the reader's."""
    r = g.reader
    if not w.sure:
        return None
    rounds = [g.trace.rounds[n] for n in w.loops if n not in same]
    digits = [*(v for v in free), *(x.counter for x in rounds)]
    values = _digits(g, w, cell, digits, same)
    if values is None:
        return None
    mine = {v: var(v.name + mark, v.sort) for v in digits}
    inner = {x.number for x in rounds}
    for v in path_variables(w.path, w.index):
        if v not in mine and v in g.trace.owner:
            round_is_same = g.trace.owner[v] is None or g.trace.owner[v] in same
            if not (round_is_same and (not free or (v not in g.trace.varying and BLOCK[0] not in free))):
                mine[v] = var(v.name + mark, v.sort)
    path = _closed(w.path, mine, inner)
    index = swap(_substituted(w.index, w.path, inner), mine)
    limits: list[Formula] = []
    for v in digits:
        value = values[v.name]
        r.define(mine[v], value)
        limits += [le(ZERO, value), *([lt(value, _most(g, v))] if v in THREAD or v in BLOCK else [])]
    inside = both(*limits)
    r.enter(inside)
    bad = fails(r, path)
    r.enter(no(bad))
    bad = either(bad, no(eq(r.word(index), cell)))
    r.leave(keep=True)
    r.leave(keep=True)
    return either(no(inside), bad)


def _most(g: Ground, v: Expr) -> Poly:
    return dict(zip((*THREAD, *BLOCK), (*g.block, *g.grid), strict=True))[v]


def _digits(g: Ground, w: Access, cell: Poly, digits: Sequence[Expr], same: frozenset[int]) -> dict[str, Poly] | None:
    """Values of the digits, from the index as a polynomial."""
    r = g.reader
    if not digits:
        return {}
    r.guessing = True
    r.enter()
    inner = {n for n in w.loops if n not in same}
    state_path(r, [f for f in w.path if isinstance(f, Induction) and (f.loop in inner or f.loop in same)])
    index = r.word(w.index)
    r.leave(keep=True)
    r.guessing = False
    names = [v.name for v in digits]
    if any(a in r.rests for a in index.atoms):      # with quotients and remainders put together again, where that leaves none of them
        whole = index.replaced(r.rests)
        if not any(a.startswith("quotient.") and a not in index.atoms for a in whole.atoms):
            index = whole
    found = solve(r, index, names, cell)
    if found is not None:       # where the index says nothing of a coordinate, the path may
        found |= {v.name: r.word(e) for v, e in _pinned(w).items() if v in digits and v.name not in index.atoms}
    return found


def _closed(path: Iterable[Fact], mine: dict[Expr, Expr], inner: set[int]) -> tuple[Fact, ...]:
    """The path with the variables of the named rounds in closed form."""
    facts = tuple(path)
    left = [f for f in facts if not (isinstance(f, Induction) and f.loop in inner)]
    by = _forms(facts, inner)
    return renamed(renamed(left, by), mine)


def _substituted(e: Expr, path: Iterable[Fact], inner: set[int]) -> Expr:
    return swap(e, _forms(tuple(path), inner))


def _forms(path: Sequence[Fact], inner: set[int]) -> dict[Expr, Expr]:
    """first + counter × step for each variable of the named rounds, outer loops before inner ones."""
    by: dict[Expr, Expr] = {}
    for f in path:
        if isinstance(f, Induction) and f.loop in inner:
            by[f.variable] = exactly(swap(f.first, by), swap(f.step, by), f.counter)
    return by

