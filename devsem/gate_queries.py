"""The safety gate's questions about one access, barrier or loop, and about two threads. Each states what it needs and asks the solver.

A question is answered by None where the fault is shown to be impossible, else by a sentence that says what is not shown; the reader's
facts are then those of the fault, for a model of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from devsem.expr import WIDTH, show, var
from devsem.gate_facts import Ground, differ, fails, renamed, state_path, swap, thread
from devsem.gate_poly import Formula, Poly, both, either, eq, le, lt, no
from devsem.gate_read import EXACT_SECONDS, LINEAR_SECONDS, Reader, span
from devsem.gate_threads import BLOCK, MARK, THREAD, Relation, other, path_variables
from devsem.trace_facts import Access, Meeting, Operation, Round, Traced

ZERO, ONE = Poly(), Poly.number(1)


@dataclass(frozen=True)
class Missing:
    """What is not shown, and the fault as a formula over what the reader was told (None where no model of it is sought). `sure`: a model of it
    is a fault, provided that a thread takes the path; else it says only where the proof fails."""

    reason: str
    fault: Formula | None
    sure: bool = True


def excluded(r: Reader, fault: Formula, reason: str, seconds: float = EXACT_SECONDS) -> Missing | None:
    """Is the fault impossible, and did all arithmetic stay in its words?"""
    r.learn()
    if not (r.facts.refutes(fault, seconds=2 * LINEAR_SECONDS) or r.facts.exactly(fault, seconds=seconds) == "none"):
        also = wrapped(r)
        return Missing(reason if also is None else f"{reason}; {also.reason}", fault)
    return wrapped(r)


def wrapped(r: Reader) -> Missing | None:
    """The first operation that is not shown to fit its word."""
    if not r.unfit:
        return None
    e = r.unfit[0]
    exact = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}.get(e.op.split("_")[0])
    fault = None
    if exact is not None:
        p = exact(*map(r.word, e.args))
        low, high = span(WIDTH[e.sort])
        fault = no(both(le(Poly.number(low), p), le(p, Poly.number(high))))
    return Missing(f"the {WIDTH[e.sort]}-bit integer {show(e)[:120]} may wrap", fault)


def in_bounds(g: Ground, a: Access) -> Missing | None:
    """The access lies within its buffer; one of several elements at once begins at a multiple of them."""
    r = g.reader
    state_path(r, a.path)
    index = r.word(a.index)
    if a.kind == "aligned":
        rest = r.floor(index, a.elements)[1]
        return excluded(r, no(eq(rest, ZERO)), f"an access of {a.elements} elements of {a.buffer} may begin at no multiple of {a.elements}")
    verb = "writes" if a.kind == "write" else "reads"
    return excluded(r, no(both(le(ZERO, index), lt(index, g.extents[a.buffer]))), f"a thread {verb} {a.buffer} out of bounds")


def defined(g: Ground, o: Operation) -> Missing | None:
    """A division or shift that C defines."""
    r = g.reader
    state_path(r, o.path)
    b, name = r.word(o.value.args[1]), o.value.op.split("_")[0]
    if name.endswith(("div", "rem")):
        bad = eq(b, ZERO)
        if name[0] == "s":
            a = r.word(o.value.args[0])
            bad = either(bad, both(eq(b, -ONE), eq(a, Poly.number(span(WIDTH[o.value.sort])[0]))))
        return excluded(r, bad, "a division by zero")
    fits = both(le(ZERO, b), lt(b, Poly.number(WIDTH[o.value.sort])))
    return excluded(r, no(fits), "a shift by as many bits as the word has, or by fewer than none")


def steps(g: Ground, loop: Round) -> Missing | None:
    """No round of the loop makes a variable wrap, and the loop ends: a variable moves in one direction in every round."""
    r = g.reader
    state_path(r, loop.before)
    r.state(r.formula(loop.condition))
    moves = False
    for i in loop.inductions:
        now, step = r.word(i.variable), r.word(i.step)
        low, high = span(WIDTH[i.variable.sort])
        after = now + step
        fits = both(le(Poly.number(low), after), le(after, Poly.number(high)))
        missing = excluded(r, no(fits), f"a loop's variable {i.variable.name.split('@')[0]} may wrap")
        if missing:
            return missing
        moves = moves or r.surely(le(ONE, step)) or r.surely(le(step, -ONE))
    if not moves and not any(r.surely(le(ONE, r.word(v))) for v in loop.shrinking):
        return Missing("a loop is not shown to end", None)
    return None


def countable(trace: Traced, loop: Round) -> bool:
    """Is a round known by its number alone, so that something can be said of the rounds before it?"""
    by = {i.variable for i in loop.inductions}
    return not loop.leaves_early and not any(trace.owner.get(v) == loop.number and v not in by for v in path_variables((loop.condition,)))


def earlier_rounds(g: Ground, loop: Round) -> Missing | None:
    """A round is preceded by all rounds before it: the condition of a round holds in the one before."""
    r = g.reader
    if not countable(g.trace, loop):
        return Missing("a loop that a round may leave early, or whose condition depends on what a round computes, is not known to reach a round", None)
    state_path(r, loop.before)
    r.state(r.formula(loop.condition), le(ONE, r.word(loop.counter)))
    before = {i.variable: var(f"{i.variable.name} before", i.variable.sort) for i in loop.inductions}
    for i in loop.inductions:
        r.define(before[i.variable], r.word(i.variable) - r.word(i.step))
    return excluded(r, no(r.formula(swap(loop.condition, before))), "a round of a loop is not known to be reached")


def together(g: Ground, m: Meeting) -> Missing | None:
    """Two threads of a block come to a barrier, or to a round of a loop with barriers, together."""
    names = path_variables(m.path)
    if not any(v in g.trace.varying for v in names):
        return None
    r = g.reader
    state_path(r, m.path)
    thread(g, MARK)
    by = other(g, names, same_block=True, same_rounds=frozenset(m.loops))
    return excluded(r, fails(r, renamed(m.path, by)), "a barrier that only some threads of a block reach")


def race(g: Ground, a: Access, b: Access, how: Relation, same_block: bool) -> Missing | None:
    """Two threads do not touch one cell, in one interval between barriers or in two blocks."""
    r = g.reader
    state_path(r, a.path)
    here = ([r.word(v) for v in THREAD], [r.word(v) for v in BLOCK])
    there = thread(g, MARK)
    if same_block:
        r.state(differ(here[0], there[0]))
    else:
        r.state(differ(here[1], there[1]))
    names = [*path_variables(b.path, b.index), *(g.trace.rounds[n].counter for n in b.loops)]
    by = other(g, names, same_block=same_block, same_rounds=how.same)
    mine = r.word(a.index)
    state_path(r, renamed(b.path, by))
    theirs = r.word(swap(b.index, by))
    fault = [eq(mine, theirs)]
    for n, side in how.later:
        counter = g.trace.rounds[n].counter
        k = [r.word(counter), r.word(swap(counter, by))]
        fault.append(eq(k[side], k[1 - side] + ONE))
    for n, side in how.first:
        counter = g.trace.rounds[n].counter
        fault.append(eq(r.word(swap(counter, by) if side else counter), ZERO))
    what = "write" if a.kind == b.kind == "write" else "read and write" if a.kind == "read" else "write and read"
    return excluded(r, both(*fault), f"two threads of {'one block' if same_block else 'two blocks'} {what} one cell of {a.buffer}"
                                     f"{' between two barriers' if same_block else ''}", 2 * EXACT_SECONDS)
