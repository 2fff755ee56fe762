"""What the statements of a program do to the threads of some blocks, all in step.

A statement is run once for all threads that are at it; a branch splits them, and they meet again behind it. That is the meaning which
CUDA documents for barriers: all threads of a block come to the same one. Where a condition on floats is not known, a thread takes both
branches, under the condition and under its opposite, and what differs afterwards is a `select`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import program as p
from devsem.contract import PRODUCTS
from devsem.errors import Bug, Rejected, Where
from devsem.expr import Expr
from devsem.ops import BOOL, F32
from devsem.program import Statement
from devsem.rejections import rejection
from devsem.simplify import FALSE, TRUE, make
from devsem.threads_doubts import Doubt
from devsem.threads_eval import objects, symbolic
from devsem.threads_fork import Fork
from devsem.threads_meet import barrier, shuffle
from devsem.threads_memory import Cells
from devsem.threads_races import Clash
from devsem.threads_state import State

Array = npt.NDArray[Any]
NONE = np.zeros(0, np.int64)


@dataclass
class Function:
    """An inlined call that threads are in: what it returned so far, by lane. `variable` is None for the kernel itself, too."""

    inlined: bool
    results: dict[int, Any] = field(default_factory=dict)


@dataclass
class Turn:
    """One turn of a loop: the conditions on floats at its beginning, the threads that left it, and those that went on to its step."""

    guards: dict[int, Expr]
    left: list[Array] = field(default_factory=list)
    gone_on: list[Array] = field(default_factory=list)


@dataclass(frozen=True)
class Within:
    """The innermost function and loop."""

    function: Function
    turn: Turn | None = None


def together(parts: Iterable[Array]) -> Array:
    """Lanes in order."""
    found = [part for part in parts if len(part)]
    if not found:
        return NONE
    return found[0] if len(found) == 1 else np.sort(np.concatenate(found))


def block(state: State, body: tuple[Statement, ...], lanes: Array, within: Within) -> Array:
    """Run statements; the lanes that come to their end."""
    for s in body:
        if not len(lanes):
            break
        state.spend(lanes, s.where)
        match s:
            case p.Assign():
                state.set(s.variable, lanes, state.evaluate(s.value, lanes, s.where))
            case p.Load():
                load(state, s, lanes)
            case p.Store():
                store(state, s, lanes)
            case p.If():
                lanes = branch(state, s, lanes, within)
            case p.Loop():
                lanes = loop(state, s, lanes, within)
            case p.Inline():
                call(state, s, lanes)
            case p.Return():
                returned(state, s, lanes, within.function)
                lanes = NONE
            case p.Break() | p.Continue():
                if within.turn is None:
                    raise Bug(f"{s.where}: a {type(s).__name__.lower()} outside a loop")
                if any(g is not within.turn.guards.get(int(lanes[k]), TRUE) for k, g in state.soft(lanes).items()):
                    raise Rejected(rejection("run.loop", s.where))
                (within.turn.left if isinstance(s, p.Break) else within.turn.gone_on).append(lanes)
                lanes = NONE
            case p.Barrier():
                barrier(state, lanes, s.where)
            case p.Aligned():
                cells = state.cells[s.buffer]
                index = state.index(cells, s.index, lanes, s.where)
                state.check(index % s.elements != 0, lanes, "misaligned",
                            lambda k, n=s.elements, b=s.buffer, i=index: f"accesses {n} elements of {b} at once from {b}[{i[k]}], no multiple of {n}",   # type: ignore[misc]
                            s.where, more=lambda k, b=s.buffer, i=index: {"buffer": b, "index": int(i[k])})     # type: ignore[misc]
            case p.Shuffle():
                shuffle(state, s, lanes)
    return lanes


# --- memory


def within_bounds(state: State, cells: Cells, e: Expr, lanes: Array, where: Where, verb: str) -> tuple[Array, Array, Array]:
    """The lanes whose access is within bounds, their indices, and the cells."""
    index = state.index(cells, e, lanes, where)
    bad = (index < 0) | (index >= cells.elements)
    if bad.any():
        have = f"{cells.elements} element" + "s" * (cells.elements != 1)
        good = state.check(bad, lanes, "out of bounds", lambda k: f"{verb} {cells.name}[{index[k]}]; {cells.name} has {have}", where,
                           more=lambda k: {"buffer": cells.name, "index": int(index[k])})
        lanes, index = lanes[good], index[good]
    rows = lanes if cells.space == "local" else state.row[lanes]
    return lanes, index, cells.slots(rows, index)


def load(state: State, s: p.Load, all_lanes: Array) -> None:
    """variable = buffer[index]."""
    cells = state.cells[s.buffer]
    lanes, index, slots = within_bounds(state, cells, s.index, all_lanes, s.where, "reads")
    state.check(cells.unset(slots), lanes, "uninitialised", lambda k: f"reads {s.buffer}[{index[k]}], which nothing has written", s.where,
                lambda k: cells.missing(int(slots[k]), state.guards.get(int(lanes[k]), TRUE)), lambda k: {"buffer": s.buffer, "index": int(index[k])})
    if cells.noted:
        clash = cells.log.read(slots, who := state.who(lanes, s.where))
        race(state, cells, s.where, Access(lanes, index, slots, "reads"), clash)
        threads = who.threads
    else:
        threads = state.thread[lanes]
    if s.variable.sort == F32 and not state.values:
        state.set(s.variable, all_lanes, None)
        return

    def forwarded(e: Expr | None) -> None:
        if e is not None and any(True for _ in products(e)):
            state.doubts[Doubt(f"{s.where}: a product that a thread stored to {s.buffer} is read again by it", tuple(products(e)))] = None
    found = cells.read(slots, index, threads, forwarded)
    if len(lanes) < len(all_lanes):
        whole = np.empty(len(all_lanes), found.dtype)
        whole[:] = TRUE if s.variable.sort == BOOL else state.nothing if s.variable.sort == F32 else 0
        whole[np.isin(all_lanes, lanes)] = found
        found = whole
    state.set(s.variable, all_lanes, found)
    if cells.space == "global" and cells.sort != F32:
        state.held(s.variable).torn[lanes] = cells.unknown(slots)


def products(e: Expr) -> Iterator[Expr]:
    """What the compiler may fuse into a sum, if it sees that it is this."""
    stack, seen = [e], {e}
    while stack:
        n = stack.pop()
        if n.op in ("select", "w_neg", "w_abs"):
            inside = [a for a in n.args if a.sort == F32 and a not in seen]
            stack += inside
            seen.update(inside)
        elif n.op in PRODUCTS:
            yield n


def store(state: State, s: p.Store, all_lanes: Array) -> None:
    """buffer[index] = value."""
    cells = state.cells[s.buffer]
    lanes, index, slots = within_bounds(state, cells, s.index, all_lanes, s.where, "writes")
    values = state.evaluate(s.value, lanes, s.where) if len(lanes) else None
    soft = state.soft(lanes)
    if values is not None:
        values = np.array(np.broadcast_to(values, (len(lanes),)))
        if cells.sort == BOOL:
            values = objects(symbolic(values))
        if cells.sort not in (F32, BOOL) and any((cells.data[slots[k]] != values[k]) for k in soft):
            raise Rejected(rejection("run.integer", s.where))
    else:
        values = cells.data[slots]
    cells.write(slots, index, state.thread[lanes], values, soft)
    if cells.space != "local":
        race(state, cells, s.where, Access(lanes, index, slots, "writes"), cells.log.write(slots, state.who(lanes, s.where)))


@dataclass(frozen=True)
class Access:
    """One access of some threads."""

    lanes: Array
    index: Array
    slots: Array
    verb: str


def race(state: State, cells: Cells, where: Where, access: Access, clash: Clash) -> None:
    """Faults of the accesses that race with another thread's; note which cells are touched under a condition on floats."""
    if (clash.threads >= 0).any():
        def said(k: int) -> str:
            other = int(clash.threads[k])
            block, thread = state.coordinates(other)
            apart = "and no barrier is between" if other // state.instance.threads == int(state.block[access.lanes[k]]) else "in another block"
            return f"{access.verb} {cells.name}[{access.index[k]}], which thread {thread} of block {block} {'reads' if clash.reads[k] else 'writes'} at " \
                   f"{state.places[clash.sites[k]]}, {apart}"

        def more(k: int) -> dict[str, Any]:
            return {"buffer": cells.name, "index": int(access.index[k]), "other": state.coordinates(int(clash.threads[k])),
                    "other_where": state.places[clash.sites[k]]}
        state.check(clash.threads >= 0, access.lanes, "race", said, where, lambda k: cells.soft.get(int(access.slots[k]), TRUE), more)
    for k, guard in state.soft(access.lanes).items():
        slot = int(access.slots[k])
        cells.soft[slot] = make("or", cells.soft[slot], guard) if slot in cells.soft else guard


# --- branches


def branch(state: State, s: p.If, lanes: Array, within: Within) -> Array:
    """If: threads whose condition hangs on floats take both sides."""
    c = state.evaluate(s.condition, lanes, s.where)
    if c is None:
        raise Bug(f"{s.where}: a condition without a value")
    if c.dtype == np.bool_:
        c = np.broadcast_to(c, (len(lanes),))
        return together((block(state, s.then, lanes[c], within), block(state, s.other, lanes[~c], within)))
    conditions = dict(zip(lanes.tolist(), np.broadcast_to(c, (len(lanes),)).tolist(), strict=True))
    yes, no = (np.array([n for n, t in conditions.items() if t is fixed], np.int64) for fixed in (TRUE, FALSE))
    changed = [v for v in dict.fromkeys(p.target(x) for x in p.walk((*s.then, *s.other))) if v is not None]
    fork = Fork(state, {n: t for n, t in conditions.items() if not t.is_const})
    return together(fork.run(lambda some: block(state, s.then, together((some, yes)), within),
                             lambda some: block(state, s.other, together((some, no)), within), changed))


# --- loops and calls


def loop(state: State, s: p.Loop, lanes: Array, within: Within) -> Array:
    """Rounds of the loop for the threads that are still in it."""
    out: list[Array] = []
    first = s.post
    while len(lanes):
        if not first:
            state.spend(lanes, s.where)
            lanes = block(state, s.test, lanes, within)
            if not len(lanes):
                break
            c = state.evaluate(s.condition, lanes, s.where)
            if c is None or c.dtype == object:
                raise Rejected(rejection("run.loop", s.where))
            c = np.broadcast_to(c, (len(lanes),))
            out.append(lanes[~c])
            lanes = lanes[c]
        first = False
        turn = Turn(dict(state.guards))
        lanes = block(state, s.body, lanes, replace(within, turn=turn))
        out += turn.left
        lanes = block(state, s.step, together((lanes, *turn.gone_on)), within)
    return together(out)


def call(state: State, s: p.Inline, lanes: Array) -> None:
    """An inlined call: every thread comes back from it."""
    guards = {n: state.guards[n] for n in lanes.tolist() if n in state.guards} if state.guards else {}
    function = Function(True)
    block(state, s.body, lanes, Within(function))
    for n in lanes.tolist() if state.guards else ():
        if n in guards:
            state.guards[n] = guards[n]
        else:
            state.guards.pop(n, None)
    if s.variable is None:
        return
    if s.variable.sort == F32 and not state.values:
        state.set(s.variable, lanes, None)
        return
    found = [function.results.get(n) for n in lanes.tolist()]
    if any(r is None for r in found):
        raise Bug(f"{s.where}: {s.function} returned nothing")
    if s.variable.sort in (F32, BOOL):
        state.set(s.variable, lanes, objects(found))
    else:
        state.set(s.variable, lanes, np.array(found, np.uint32 if s.variable.sort == "B32" else np.uint64))


def returned(state: State, s: p.Return, lanes: Array, function: Function) -> None:
    """The end of the innermost call, or of the thread."""
    if not function.inlined:
        state.gone[lanes] = True
        return
    if s.value is None:
        return
    values = state.evaluate(s.value, lanes, s.where)
    if values is None:
        return
    rows = symbolic(values) if s.value.sort == BOOL else values.tolist()
    rows = rows if len(rows) == len(lanes) else rows * len(lanes)
    for n, value in zip(lanes.tolist(), rows, strict=True):
        guard = state.guards.get(n, TRUE)
        if n in function.results and function.results[n] is not value:
            if s.value.sort not in (F32, BOOL):
                if function.results[n] != value:
                    raise Rejected(rejection("run.integer", s.where))
                continue
            value = make("select" if s.value.sort == F32 else "select_bool", guard, value, function.results[n])
        function.results[n] = value
