"""All rounds of a loop at once, for `trace.py`.

The body is run on unknowns for the variables that a round changes, first to see how each of them changes: one that grows by the same
amount in every round is known in closed form; of one that is halved its bounds are known; any other stays unknown. Then it is run
again for its accesses. A loop with few rounds that are all known is run round by round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from devsem import program as p
from devsem.expr import Expr, const_int, mk, topo, var, variables
from devsem.ops import B32, B64, F32
from devsem.simplify import FALSE, make, resimplify
from devsem.trace_facts import Fact, Induction, Known, Meeting, Round, Tag
from devsem.trace_run import Run, State, block, value

MOST_ROUNDS, MOST_STATEMENTS = 64, 4000


@dataclass(frozen=True)
class Shape:
    """How the variables that a round changes do so: inductions with their steps, and unknowns with the facts known of them."""

    steps: dict[Expr, Expr]
    unknown: dict[Expr, tuple[str, ...]]
    uniform: frozenset[Expr]


def loop(s: p.Loop, state: State, run: Run) -> State:
    """The state after a loop."""
    inside = tuple(p.walk((*s.test, *s.body, *s.step)))
    barriers = any(isinstance(x, p.Barrier) for x in inside)
    if s.post:
        run.refuse("a do-while loop is not understood", s.where)
    rounds = _rounds(s, state, run)
    shape = _shape(s, state, run)
    if rounds is not None and rounds * len(inside) <= MOST_STATEMENTS and \
            (rounds <= 1 or barriers or any(v.sort != F32 for v in shape.unknown)):
        return _unrolled(s, state, run)
    return _symbolic(s, state, run, shape, barriers)


def _targets(s: p.Loop) -> list[Expr]:
    """The variables that a round sets."""
    return list(dict.fromkeys(v for x in p.walk((*s.test, *s.body, *s.step)) if (v := p.target(x)) is not None))


def _muted(run: Run) -> tuple[int, ...]:
    return len(run.accesses), len(run.meetings), len(run.operations)


def _restore(run: Run, lengths: tuple[int, ...], tags: frozenset[Tag], opened: dict[str, None]) -> None:
    """Forget what a trial run noted."""
    del run.accesses[lengths[0]:], run.meetings[lengths[1]:], run.operations[lengths[2]:]
    run.tags, run.open = tags, opened


def _rounds(s: p.Loop, state: State, run: Run) -> int | None:
    """The number of rounds, if it is small and the same for every launch and thread: only the variables of the condition are run."""
    if s.test or s.post or any(isinstance(x, p.Break | p.Return) for x in p.walk(s.body)):
        return None
    needed = set(variables(s.condition))
    inner = list(p.walk((*s.body, *s.step)))
    for _ in range(len(inner)):
        more = {v for x in inner if p.target(x) in needed for v in (variables(x.value) if isinstance(x, p.Assign) else ())}
        if more <= needed:
            break
        needed |= more
    top = [x for x in (*s.body, *s.step) if isinstance(x, p.Assign) and x.variable in needed]
    if len(top) != sum(p.target(x) in needed for x in inner):
        return None         # set under a condition, by a load or in a loop of its own
    trial = replace(state, locals=dict(state.locals))
    lengths, tags, opened = _muted(run), run.tags, dict(run.open)
    rounds: int | None = None
    for n in range(MOST_ROUNDS + 1):
        c = value(s.condition, trial, run, s.where)
        if not c.is_const:
            break
        if not c.value:
            rounds = n
            break
        for x in top:
            trial.locals[x.variable] = value(x.value, trial, run, x.where)
    _restore(run, lengths, tags, opened)
    return rounds


def _unrolled(s: p.Loop, state: State, run: Run) -> State:
    """The rounds one after the other."""
    outer = state.broken, state.continued
    state = replace(state, broken=FALSE, continued=FALSE)
    for _ in range(MOST_ROUNDS + 1):
        c = value(s.condition, state, run, s.where)
        if not c.is_const:
            run.refuse("a loop's number of rounds depends on what a round leaves out", s.where)
        if not c.value:
            break
        state = block(s.body, state, run)
        state.live, state.continued = make("or", state.live, state.continued), FALSE
        state = block(s.step, state, run)
    else:
        run.refuse("a loop does not end", s.where)
    return replace(state, broken=outer[0], continued=outer[1])


def _round(s: p.Loop, state: State, run: Run) -> State:
    """One round: the state at its end, of the threads that go on to the next one."""
    state = block(s.test, state, run)
    c = value(s.condition, state, run, s.where)
    inner = block(s.body, state.fork(c), run)
    inner.live, inner.continued = make("or", inner.live, inner.continued), FALSE
    return block(s.step, inner, run)


def _shape(s: p.Loop, state: State, run: Run) -> Shape:
    """How a round changes the variables; found by running it on unknowns, and again until what is assumed of them is seen."""
    carried = [v for v in _targets(s) if v in state.locals]
    same: dict[Expr, Expr] = {}
    uniform = {v for v in carried if run.uniform(state.locals[v])}
    while True:     # the sets below only shrink
        lengths, tags, opened, loops, trial = _muted(run), run.tags, dict(run.open), run.loops, run.trial
        number = run.number()
        run.loops = (*run.loops, number)
        unknown = {v: run.fresh(v.name, v.sort, varying=v not in uniform, owner=number) for v in carried if v not in same}
        begin = replace(state.fork(), locals={**state.locals, **unknown})
        run.trial = True
        end = _round(s, begin, run)
        run.loops, run.trial = loops, trial
        _restore(run, lengths, tags, opened)
        still = {v for v in unknown if end.locals.get(v, unknown[v]) is unknown[v]}
        spread = {v for v in unknown if v in uniform and not run.uniform(end.locals.get(v, unknown[v]))}
        if not still and not spread:
            break
        same.update({v: state.locals[v] for v in still})
        uniform -= spread
    changing = set(unknown.values())
    steps: dict[Expr, Expr] = {}
    others: dict[Expr, tuple[str, ...]] = {}
    for v, u in unknown.items():
        step = _step(u, end.locals.get(v, u))
        if step is not None and not any(_of_round(x, number, run) or x in changing for x in variables(step)):
            steps[v] = step
        else:
            others[v] = _shrinks(u, end.locals.get(v, u))
    return Shape(steps, others, frozenset(uniform))


def _of_round(v: Expr, number: int, run: Run) -> bool:
    """Is it an unknown of this loop or of one inside it? Those inside have larger numbers."""
    owner = run.owner.get(v)
    return owner is not None and owner >= number


def _step(u: Expr, after: Expr) -> Expr | None:
    """What is added to an unknown in a round."""
    if u.sort not in (B32, B64):
        return None
    w = u.sort.lower()
    if after.op == f"add_{w}" and u in after.args:
        a, b = after.args
        step = b if a is u else a
        return step if u not in topo(step) else None
    if after.op == f"sub_{w}" and after.args[0] is u and u not in topo(after.args[1]):
        return make(f"sub_{w}", const_int(u.sort, 0), after.args[1])
    if after.op == f"add_{w}":      # (u + a) + b
        for inner, outer in (after.args, after.args[::-1]):
            part = _step(u, inner)
            if part is not None and u not in topo(outer):
                return make(f"add_{w}", part, outer)
    return None


def _shrinks(u: Expr, after: Expr) -> tuple[str, ...]:
    """Is it divided by a constant of at least 2 in every round? Then it stays between 0 and its first value, if that is not negative."""
    name = after.op.split("_")[0]
    least = 1 if name in ("ashr", "lshr") else 2
    if name in ("ashr", "lshr", "sdiv", "udiv") and after.args[0] is u and after.args[1].is_const and least <= after.args[1].value < 1 << 31:
        return ("unsigned",) if name in ("lshr", "udiv") else ("signed",)
    return ()


def _bounds(kind: tuple[str, ...], first: Expr, now: Expr) -> tuple[Expr, ...]:
    """What is known of an unknown that shrinks."""
    w, zero = now.sort.lower(), const_int(now.sort, 0)
    if not kind:
        return ()
    if kind[0] == "unsigned":
        return (mk(f"ule_{w}", now, first),)
    return (make("or", make(f"slt_{w}", first, zero), make("and", make(f"sle_{w}", zero, now), make(f"sle_{w}", now, first))),)


def _symbolic(s: p.Loop, state: State, run: Run, shape: Shape, barriers: bool) -> State:
    """One round for all, and what is known after the last."""
    leaves = _leaves(s)
    if not run.trial:
        _one_round(s, state, run, shape, barriers, leaves)
    return _after(s, state, run, shape, leaves)


def _one_round(s: p.Loop, state: State, run: Run, shape: Shape, barriers: bool, leaves: bool) -> None:
    """Note what any round does."""
    number = run.number()
    counter = var(f"round@{number}", B64)
    outer, before = run.loops, run.tags
    run.owner[counter] = number
    if not barriers:
        run.varying.add(counter)
    run.loops = (*outer, number)
    values, facts = _unknowns(state, run, shape, counter, number, number, shared=barriers)
    head, start = Tag(-number), len(run.accesses)
    if barriers:
        run.tags = frozenset({head})
    tested = _tested(s, state, run, values, facts, counter)
    c = value(s.condition, tested, run, s.where)
    inner = block(s.body, tested.fork(c), run)
    inner.live, inner.continued = make("or", inner.live, inner.continued), FALSE
    block(s.step, inner, run)
    shrinking = tuple(values[v] for v, kind in shape.unknown.items() if kind)
    run.rounds[number] = Round(number, counter, tuple(f for f in facts if isinstance(f, Induction)), tested.here, c, shrinking, barriers, leaves, s.where)
    run.loops = outer
    if barriers:
        if leaves:
            run.refuse("a loop with barriers that some threads may leave early is not understood", s.where)
        run.meetings.append(Meeting((*tested.here, c), (*outer, number), s.where))
        _tie(run, start, head, before, number, s)


def _tested(s: p.Loop, state: State, run: Run, values: dict[Expr, Expr], facts: tuple[Fact, ...], counter: Expr) -> State:
    """The state in a round before its condition, which held in the round before."""
    begin = replace(state.fork(*facts), locals={**state.locals, **values})
    moving = {f.variable: f for f in facts if isinstance(f, Induction)}
    if not s.test and not _is_plain(s.condition, _targets(s)):
        lengths = _muted(run)
        now = value(s.condition, begin, run, s.where)
        _restore(run, lengths, run.tags, run.open)
        others = set(values.values()) - set(moving)
        if not any(v in others for v in variables(now)):
            back = {v: make(f"sub_{v.sort.lower()}", v, f.step) for v, f in moving.items()}
            begin.path = (*begin.path, Known(make("or", make("ieq_b64", counter, const_int(B64, 0)), resimplify(now, back))))
    return block(s.test, begin, run)


def _is_plain(c: Expr, moving: list[Expr]) -> bool:
    """A comparison of a variable that moves, which says of the round before no more than of this one."""
    bare = [a.args[0] if a.op in ("sext", "zext") else a for a in c.args]
    return c.op.split("_")[0] in ("slt", "sle", "ult", "ule") and any(a in moving for a in bare)


def _leaves(s: p.Loop) -> bool:
    """May a round leave the loop otherwise than by its condition?"""
    stack = [*s.test, *s.body, *s.step]
    while stack:
        x = stack.pop()
        if isinstance(x, p.Break) or (isinstance(x, p.Loop) and any(isinstance(y, p.Return) for y in _own(x))) or isinstance(x, p.Return):
            return True
        if isinstance(x, p.If):
            stack += [*x.then, *x.other]
    return False


def _own(s: p.Loop) -> list[p.Statement]:
    """The statements of a loop that belong to its function, not to inlined ones."""
    out: list[p.Statement] = []
    stack = [*s.test, *s.body, *s.step]
    while stack:
        x = stack.pop()
        out.append(x)
        if isinstance(x, p.If):
            stack += [*x.then, *x.other]
        elif isinstance(x, p.Loop):
            stack += [*x.test, *x.body, *x.step]
    return out


def _unknowns(state: State, run: Run, shape: Shape, counter: Expr, number: int, owner: int | None, shared: bool) -> \
        tuple[dict[Expr, Expr], tuple[Fact, ...]]:
    """The variables after `counter` rounds, and what is known of them."""
    values: dict[Expr, Expr] = {}
    facts: list[Fact] = []
    for v, step in shape.steps.items():
        values[v] = run.fresh(v.name, v.sort, varying=not (shared and run.uniform(state.locals[v], step)), owner=owner)
        facts.append(Induction(values[v], state.locals[v], step, counter, number))
    for v, kind in shape.unknown.items():
        values[v] = run.fresh(v.name, v.sort, varying=not (shared and v in shape.uniform), owner=owner)
        facts += [Known(b) for b in _bounds(kind, state.locals[v], values[v])]
    return values, tuple(facts)


def _tie(run: Run, start: int, head: Tag, before: frozenset[Tag], number: int, s: p.Loop) -> None:
    """Put in what may be the last barrier before a round: one before the loop, for the first round, or one of the round before."""
    tail = run.tags
    if any(t.barrier == head.barrier for t in tail):
        run.refuse("a loop has a barrier that a round may pass by", s.where)
    entering = {replace(t, first=t.first | {number}) for t in before} | {replace(t, later=t.later | {number}) for t in tail if t.barrier != head.barrier}
    for i in range(start, len(run.accesses)):
        tags = run.accesses[i].tags
        if any(t.barrier == head.barrier for t in tags):
            made = {replace(e, later=e.later | t.later, first=e.first | t.first) for t in tags if t.barrier == head.barrier for e in entering}
            run.accesses[i] = replace(run.accesses[i], tags=frozenset({t for t in tags if t.barrier != head.barrier} | made))
    run.tags = before | frozenset(replace(t, first=t.first - {number}) for t in tail if t.barrier != head.barrier)


def _after(s: p.Loop, state: State, run: Run, shape: Shape, leaves: bool) -> State:
    """The state after the loop. Where no round leaves it, its condition does not hold there, and the number of rounds is one more unknown."""
    shared = not leaves and run.uniform(*(state.locals[v] for v in (*shape.steps, *shape.unknown)), *shape.steps.values()) and \
        all(v in shape.uniform for v in shape.unknown)
    kept = {v: e for v, e in state.locals.items() if v not in (*shape.steps, *shape.unknown)}
    number = run.number()
    counter = run.fresh("rounds", B64, varying=True, owner=run.innermost)
    if shared:
        run.varying.discard(counter)
    values, facts = _unknowns(state, run, shape, counter, number, run.innermost, shared)
    if leaves:
        unknown = {v: run.fresh(v.name, v.sort, varying=True, owner=run.innermost) for v in (*shape.steps, *shape.unknown)}
        returns = any(isinstance(x, p.Return) for x in _own(s))
        return replace(state, locals={**kept, **unknown}, sure=state.sure and not returns)
    lengths, tags, opened = _muted(run), run.tags, dict(run.open)
    tested = _tested(s, state, run, values, facts, counter)
    c = value(s.condition, tested, run, s.where)
    _restore(run, lengths, tags, opened)
    if not run.uniform(c):      # threads end after different numbers of rounds
        run.varying.update((counter, *values.values()))
    after = {v: tested.locals[v] for v in state.locals}
    return replace(state, locals=after, path=(*state.path, *tested.path[len(state.here):], Known(make("not", c))))
