"""The safety gate for kernels with loops, arrays and barriers: is every launch of a setting safe, for all its sizes?

    gate(program, setting) -> Gate

asks one question for each access, division, barrier and loop, for each pair of accesses that may race, for each output and for each read of
memory that the launch must write first. PASS means that every question is answered; whatever is not understood or not decided in time is
OPEN, by name; FAIL carries values, which the caller confirms by a run (a model may be of a path that no thread takes).

The questions are asked in two child processes with limits on time and memory; a crash or a hang leaves its question open.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from devsem.errors import Where
from devsem.gate_cover import covered, initialised
from devsem.gate_facts import Ground, ground
from devsem.gate_poly import Poly, both, le
from devsem.gate_process import asked
from devsem.gate_queries import Missing, countable, defined, earlier_rounds, in_bounds, race, steps, together, wrapped
from devsem.gate_setting import Gate, Question, Setting, launched, samples, traced
from devsem.gate_threads import Relation, relations
from devsem.program import Program
from devsem.trace_facts import Access, Traced

SECONDS, QUESTION_SECONDS, MODEL_SECONDS = 60.0, 20.0, 3.0
APART = Relation(frozenset(), frozenset(), frozenset())


@dataclass(frozen=True)
class Task:
    """A question before it is asked."""

    name: str
    where: Where
    ask: Callable[[Ground], Missing | None]


def gate(program: Program, setting: Setting, seconds: float = SECONDS) -> Gate:
    """The gate's answer for all launches of the setting, within so many seconds."""
    trace = traced(program, setting)
    if any(p.is_buffer and p.name not in setting.buffers for p in program.params):
        return Gate("OPEN", (), "a buffer's size is not known")
    if sum(a.elements is None for a in program.arrays) > 1:
        return Gate("OPEN", (), "two arrays of the launch's shared memory are one memory, which is not understood")
    if trace.open:
        return Gate("OPEN", (), "; ".join(trace.open))
    unknown = {a.buffer for a in trace.accesses} - set(setting.buffers) - {a.name for a in program.arrays}
    if unknown:
        return Gate("OPEN", (), f"it is not known what {', '.join(sorted(unknown))} points to")
    tasks = tuple(_tasks(program, setting, trace))
    end = time.monotonic() + seconds

    held: list[Ground] = []     # each process states the setting once

    def one(i: int) -> Question:
        if not held:
            held.append(ground(program, setting, trace, end))
        held[0].reader.facts.deadline = min(end, time.monotonic() + QUESTION_SECONDS)
        with held[0].reader.aside():
            return _answer(held[0], tasks[i])
    answers = asked(one, len(tasks), end, QUESTION_SECONDS + 2, lambda q: q.verdict == "FAIL")
    questions = tuple(a if isinstance(a, Question) else Question(t.name, str(t.where), "OPEN", "z3", 0.0, f"{t.name}: {a}")
                      for t, a in zip(tasks, answers, strict=True))
    return _verdict(questions)


def _verdict(questions: tuple[Question, ...]) -> Gate:
    for kind in ("FAIL", "OPEN"):
        found = [q for q in questions if q.verdict == kind]
        if found:
            return Gate("FAIL" if kind == "FAIL" else "OPEN", questions, f"{found[0].where}: {found[0].reason}", found[0].model)
    return Gate("PASS", questions)


def _answer(g: Ground, task: Task) -> Question:
    """Ask one question."""
    start = time.monotonic()
    missing = _wrapped_sizes(g) or task.ask(g)
    spent = time.monotonic() - start
    where = str(task.where)
    if missing is None:
        return Question(task.name, where, "PASS", "z3", spent)
    model = None if missing.fault is None else _model(g, g.setting, missing)
    return Question(task.name, where, "OPEN" if model is None or not missing.sure else "FAIL", "z3", time.monotonic() - start, missing.reason, model)


def _wrapped_sizes(g: Ground) -> Missing | None:
    """The setting's own integers do not wrap."""
    return wrapped(g.reader)


def _model(g: Ground, setting: Setting, missing: Missing) -> dict[str, int] | None:
    """Values of the sizes and threads for which the fault is possible, small ones if there are any."""
    if missing.fault is None:
        return None
    r = g.reader
    r.learn()
    for most in (8, 70, 1100, None):
        small = () if most is None else (both(*(le(Poly.of(v.name), Poly.number(most)) for v in setting.sizes)),)
        found = r.facts.exactly(missing.fault, *small, seconds=MODEL_SECONDS)
        if isinstance(found, dict):
            names = [v.name for v in setting.sizes]
            return {k: v for k, v in found.items() if k in names or k.split(".")[0] in ("threadIdx", "blockIdx", "cell")}
    return None


def _tasks(program: Program, setting: Setting, trace: Traced) -> Iterator[Task]:
    """Every question about a trace."""
    yield Task("some launch is meant", program.where, _some)
    seen: set[object] = set()
    for a in trace.accesses:
        key = (a.kind, a.buffer, a.index, a.path, a.elements)
        if key not in seen:
            seen.add(key)
            yield Task(f"{a.kind} of {a.buffer} in bounds", a.where, lambda g, a=a: in_bounds(g, a))      # type: ignore[misc]
    for o in trace.operations:
        yield Task("a defined division or shift", o.where, lambda g, o=o: defined(g, o))        # type: ignore[misc]
    for m in trace.meetings:
        yield Task("a barrier of the whole block", m.where, lambda g, m=m: together(g, m))      # type: ignore[misc]
    for loop in trace.rounds.values():
        yield Task("a loop without wrapping", loop.where, lambda g, x=loop: steps(g, x))        # type: ignore[misc]
    yield from _races(setting, trace)
    yield from _coverage(program, setting, trace)


def _some(g: Ground) -> Missing | None:
    """Preconditions that nothing satisfies would make every answer empty."""
    if any(launched(g.setting, at) for at in samples(g.setting)):
        return None
    if g.reader.facts.possible(seconds=QUESTION_SECONDS / 2):
        return None
    return Missing("no launch is known to satisfy the preconditions", None)


def _memory(setting: Setting, a: Access) -> str:
    return setting.buffers[a.buffer].tensor if a.buffer in setting.buffers else f"array {a.buffer}"


def _races(setting: Setting, trace: Traced) -> Iterator[Task]:
    """Pairs of accesses of one memory, one of them a write; local arrays are a thread's own."""
    touched = [a for a in _distinct(trace.accesses) if a.kind != "aligned" and a.space != "local"]
    for a, b in combinations_with_replacement(touched, 2):
        if _memory(setting, a) != _memory(setting, b) or "write" not in (a.kind, b.kind):
            continue
        name = f"no race on {a.buffer}"
        # two writes of one cell of an output are one too many even with a barrier between them
        hows = (APART,) if a.space == "global" and a.kind == b.kind else tuple(relations(trace, a, b))
        for how in hows:
            yield Task(name, b.where, lambda g, a=a, b=b, how=how: race(g, a, b, how, True))        # type: ignore[misc]
        if a.space == "global" and not all(e.is_const and e.value == 1 for e in setting.grid):
            yield Task(name, b.where, lambda g, a=a, b=b: race(g, a, b, APART, False))       # type: ignore[misc]


def _distinct(accesses: Sequence[Access]) -> list[Access]:
    """Accesses that differ in more than their place in the text."""
    out: dict[object, Access] = {}
    for a in accesses:
        out.setdefault((a.kind, a.buffer, a.index, a.path, a.tags), a)
    return list(out.values())


def _counted(trace: Traced, w: Access, same: Sequence[int]) -> bool:
    """May a round of a store's loops be named for a cell, those in `same` apart?"""
    return all(countable(trace, trace.rounds[n]) for n in w.loops if n not in same)


def _coverage(program: Program, setting: Setting, trace: Traced) -> Iterator[Task]:
    """Outputs are written in whole, and what is read of fresh memory was written."""
    writes = [a for a in trace.accesses if a.kind == "write"]
    used: set[int] = set()
    for name, buffer in setting.buffers.items():
        if buffer.output:
            to = [w for w in writes if _memory(setting, w) == buffer.tensor and _counted(trace, w, ())]
            used |= {n for w in to for n in w.loops}
            yield Task(f"{name} written in whole", program.where, lambda g, name=name, to=to: covered(g, name, to))        # type: ignore[misc]
    fresh = {a.name for a in program.arrays} | {n for n, b in setting.buffers.items() if b.initial == "empty"}
    for a in trace.accesses:
        if a.kind == "read" and a.buffer in fresh:
            before = [w for w in writes if _memory(setting, w) == _memory(setting, a) and _counted(trace, w, a.loops)]
            used |= {n for w in before for n in w.loops if n not in a.loops}
            yield Task(f"{a.buffer} written before it is read", a.where, lambda g, a=a, ws=before: initialised(g, a, ws))      # type: ignore[misc]
    for n in sorted(used):
        yield Task("every round of a loop", trace.rounds[n].where, lambda g, x=trace.rounds[n]: earlier_rounds(g, x))      # type: ignore[misc]

