"""What a kernel stores, for all sizes: each write's index, condition and value, with loops as folds and shared memory resolved.

This is about values; that accesses are in bounds, that threads do not race and that nothing wraps around is the safety gate's. A kernel
that the rules here do not cover is `Unsummarised`, with the reason: no write is ever left out.

- A loop counts: its condition compares a variable that grows by a constant with a bound that the loop does not change.
- An element of shared memory is the value of the thread that wrote it in the interval before the last barrier; which thread that is
  follows from the index, read as mixed-radix digits of the thread's coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from devsem import program as p
from devsem.errors import Where
from devsem.expr import Expr, const_int, mk, topo, var
from devsem.ops import B32, B64, F32, Sort
from devsem.polynomial import Poly, atom, number, read
from devsem.simplify import TRUE, make
from devsem.summary_memory import SELECT, Event, Held, Run, State, Unsummarised, conditions, give_up, load, store, value_of
from devsem.symbols import Read, Symbols

COMPARE = {"slt": 0, "ult": 0, "sle": 1, "ule": 1}      # what is added to the bound: i <= n is i < n + 1


@dataclass(frozen=True)
class Summary:
    """Every write of a thread, and the symbols that their values rest on."""

    events: tuple[Event, ...]
    symbols: Symbols


def summarise(program: p.Program, fixed: Mapping[Expr, Expr], extents: Mapping[Expr, int]) -> Summary:
    """Every write. `fixed`: parameters and builtins that the launch fixes, `extents`: the number of threads along an axis, where it is a number.
    Raises Unsummarised."""
    arrays = {a.name: a for a in program.arrays}
    scalars = [*p.BUILTINS, *(q.expr for q in program.params if not q.is_buffer)]
    run = Run(arrays, extents)
    state = State({v: fixed.get(v, v) for v in scalars})
    run_block(program.body, state, run)
    for e in run.events:
        if any(read(e.index).coefficient(k) == number(0) for k, _ in e.rounds):
            raise give_up(f"an element of {e.buffer} is written in every round of a loop", e.where)
    written = {e.buffer for e in run.events}
    together = any(isinstance(s, p.Barrier) for s in p.walk(program.body))
    for v, meaning in run.symbols.meaning.items():
        if isinstance(meaning, Read) and meaning.buffer in written and (together or not _own(meaning, run.events, fixed)):
            raise Unsummarised(f"{meaning.buffer} is read and written ({v.name})")
    return Summary(tuple(run.events), run.symbols)


def _own(cell: Read, events: Sequence[Event], fixed: Mapping[Expr, Expr]) -> bool:
    """Is a cell that is read before the launch's writes, or by the thread that writes it? Only where the indices are one expression, no barrier
    lets another thread go first, and no later round of the thread comes to the cell again: in one loop at most, by a step that is not 0."""
    mine = [e for e in events if e.buffer == cell.buffer]
    grid = {a for b, e in fixed.items() if b.name.startswith("gridDim") for a in read(e).atoms}
    return all(e.index is cell.index and len(e.rounds) < 2 and all(_step(read(e.index), k, grid) for k, _ in e.rounds) for e in mine)


def _step(index: Poly, counter: Expr, grid: set[Expr]) -> bool:
    """Does an index grow with a counter by a product of what is at least 1: numbers, sizes and extents of the launch?"""
    once = index.coefficient(counter)
    rest = index - once * atom(counter)
    return len(once.terms) == 1 and counter not in _variables(rest) and all(
        k > 0 and all(a in grid or (a.is_var and "~" not in a.name and not a.name.startswith(("threadIdx", "blockIdx"))) for a in m) for m, k in once.terms)


def run_block(body: Sequence[p.Statement], state: State, run: Run) -> State:
    """Run statements in order. Where one side of an `if` always returns, the rest is run as part of the other side."""
    for i, s in enumerate(body):
        if isinstance(s, p.If) and p.always_returns(s.then) != p.always_returns(s.other):
            c = value_of(s.condition, state, run, s.where)
            leaves, stays, stay = (s.then, s.other, make("not", c)) if p.always_returns(s.then) else (s.other, s.then, c)
            gone = run_block(leaves, state.fork(make("not", stay)), run)
            kept = run_block((*stays, *body[i + 1:]), state.fork(stay), run)
            if (gone.fresh, gone.seen) != (state.fresh, state.seen):
                raise give_up("an array is written before an early return", s.where)
            if run.inlined and (kept.fresh, kept.seen) != (state.fresh, state.seen):
                raise give_up("a function writes an array after an early return", s.where)
            result = _chosen(stay, kept.result, gone.result) if kept.result is not None and gone.result is not None else kept.result or gone.result
            return replace(kept, alive=state.alive, result=result)
        state = _statement(s, state, run)
        if p.always_returns((s,)):
            return state
    return state


def _statement(s: p.Statement, state: State, run: Run) -> State:
    match s:
        case p.Assign():
            state.locals[s.variable] = value_of(s.value, state, run, s.where)
        case p.Load():
            state.locals[s.variable] = load(s, state, run)
        case p.Store():
            store(s, state, run)
        case p.If():
            if not p.always_returns((s,)) and _returns((s,)):
                raise give_up("a return under two conditions, after which others go on, is not followed", s.where)
            c = value_of(s.condition, state, run, s.where)
            return _join(c, state, run_block(s.then, state.fork(c), run), run_block(s.other, state.fork(make("not", c)), run), run, s.where)
        case p.Return():
            state.result = value_of(s.value, state, run, s.where) if s.value is not None else None
        case p.Inline():
            run.inlined += 1
            inside = run_block(s.body, replace(state.fork(TRUE), result=None), run)
            run.inlined -= 1
            state.fresh, state.seen = inside.fresh, inside.seen
            if s.variable is not None:
                if inside.result is None:
                    raise give_up(f"{s.function} does not return on every path", s.where)
                state.locals[s.variable] = inside.result
        case p.Barrier():
            shared = {name: held for name, held in state.fresh.items() if run.arrays[name].space == "shared"}
            state.seen = {**state.seen, **shared}
            state.fresh = {name: held for name, held in state.fresh.items() if name not in shared}
        case p.Aligned():
            value_of(s.index, state, run, s.where)
        case p.Loop():
            return _loop(_leading(s), state, run)
        case p.Break() | p.Continue():
            raise give_up("a loop with break or continue has no fixed number of rounds", s.where)
        case p.Shuffle():
            raise give_up("exchanges between the lanes of a warp are followed for fixed launches only", s.where)
    return state


def _chosen(c: Expr, a: Expr, b: Expr) -> Expr:
    """a where c holds, b elsewhere."""
    return a if a is b else make(SELECT[a.sort], c, a, b)


def _join(c: Expr, before: State, then: State, other: State, run: Run, where: Where) -> State:
    """The state after two branches. What one alone writes to shared memory is there under its condition."""
    values = {v: _chosen(c, then.locals[v], other.locals[v]) for v in then.locals if v in other.locals}
    result = _chosen(c, then.result, other.result) if then.result is not None and other.result is not None else then.result or other.result
    alone = sorted(set(then.fresh) ^ set(other.fresh))
    seen = [{name: held for name, held in side.seen.items() if name not in alone} for side in (then, other)]
    if seen[0] != seen[1] or any(run.arrays[name].space != "shared" for name in alone):
        raise give_up(f"{alone[0] if alone else 'shared memory'} is written on one side of a condition only", where)
    fresh = {name: _join_held(c, before, (then, other), name, where) for name in then.fresh if name in other.fresh}
    return State(values, before.alive, result, {**fresh, **{name: (then.fresh.get(name) or other.fresh[name]) for name in alone}}, seen[0])


def _join_held(c: Expr, before: State, sides: tuple[State, State], name: str, where: Where) -> tuple[Held, ...]:
    then, other = (side.fresh[name] for side in sides)
    if then == other:
        return then
    if [h.index for h in then] != [h.index for h in other]:
        raise give_up("an array is written at other places on the two sides of a condition", where)
    if any(conditions(h.guard) - conditions(side.alive) for side in sides for h in side.fresh[name]):
        raise give_up("an array is written under a condition, and then under another", where)
    return tuple(Held(a.index, before.alive, a.value if a.value is b.value else make("select", c, a.value, b.value))
                 for a, b in zip(then, other, strict=True))


def _leading(s: p.Loop) -> p.Loop:
    """A loop without a condition whose rounds begin with `if (c) break;` goes on while c does not hold."""
    first = s.body[0] if s.body else None
    if s.post or s.test or s.condition is not TRUE or not isinstance(first, p.If) or first.other or \
            [type(x) for x in first.then] != [p.Break]:
        return s
    return replace(s, condition=make("not", first.condition), body=s.body[1:])


def _loop(s: p.Loop, state: State, run: Run) -> State:
    """A counted loop: integers in closed form, floats as a fold."""
    if s.post or s.test:
        raise give_up("a loop whose condition reads memory, or comes last, is not counted", s.where)
    inside = (*s.body, *s.step)
    if _returns(inside):
        raise give_up("a loop that some threads leave by return has no fixed number of rounds", s.where)
    changed = list(dict.fromkeys(v for x in p.walk(inside) if (v := p.target(x)) is not None and v in state.locals))
    integers = [v for v in changed if v.sort != F32]
    steps = _steps(s, state, run, integers)
    run.count += 1
    counter = var(f"round~{run.count}", B32)
    own = [v for v in integers if v not in steps]       # set anew in every round, or this is found when the round reads them
    known = {v: e for v, e in state.locals.items() if v not in own}
    closed = {v: _after(state.locals[v], steps[v], counter) for v in steps}
    floats = {v: run.fresh(v.name, F32) for v in changed if v.sort == F32}
    gone = {x.buffer for x in p.walk(inside) if isinstance(x, p.Store) and x.buffer in run.arrays and run.arrays[x.buffer].space == "shared"}
    seen = {n: h for n, h in state.seen.items() if n not in gone}
    run.carried |= set(floats.values())
    entry = replace(state.fork(TRUE), locals={**known, **closed, **floats}, alive=TRUE, fresh=_local(state, run), seen=seen)
    goes_on = value_of(s.condition, entry, run, s.where)
    count = _rounds(goes_on, counter)
    around, start = run.rounds, len(run.events)
    run.rounds = (*around, (counter, count))
    end = run_block(inside, entry, run)
    run.rounds = around
    run.events[start:] = [replace(e, guard=make("and", make("and", state.alive, goes_on), e.guard)) for e in run.events[start:]]
    if _local(end, run) != entry.fresh:
        raise give_up("a local array changes in a loop", s.where)
    if count is None and any(end.locals[v] is not floats[v] for v in floats):
        raise give_up("the number of a loop's rounds is not found from its condition", s.where)
    values = _folds(state, floats, end, counter, count, run) if count is not None else {v: state.locals[v] for v in floats}
    after = {v: _after(state.locals[v], steps[v], count) for v in steps if count is not None and _some(goes_on, counter)}
    known = {v: e for v, e in known.items() if v in after or v not in steps}
    keep = {name: held for name, held in state.fresh.items() if name not in gone}
    return replace(state, locals={**known, **after, **values}, fresh=keep, seen=seen)


def _returns(body: Sequence[p.Statement]) -> bool:
    """Does a statement leave the kernel, or the function that a loop is in?"""
    return any(isinstance(x, p.Return) or (isinstance(x, p.If) and (_returns(x.then) or _returns(x.other))) or
               (isinstance(x, p.Loop) and _returns((*x.test, *x.body, *x.step))) for x in body)


def _local(state: State, run: Run) -> dict[str, tuple[Held, ...]]:
    return {name: held for name, held in state.fresh.items() if run.arrays[name].space == "local"}


def _steps(s: p.Loop, state: State, run: Run, integers: Sequence[Expr]) -> dict[Expr, Expr]:
    """What a round adds to each integer that goes on from round to round: a number that no round changes."""
    trial = Run(run.arrays, run.extents, run.symbols.copied(), rounds=run.rounds, written=set(run.written), count=run.count, trial=True, inlined=run.inlined)
    changed = [v for x in p.walk((*s.body, *s.step)) if (v := p.target(x)) is not None and v in state.locals]
    unknown = {v: trial.fresh(v.name, v.sort) for v in changed}
    stored = {x.buffer for x in p.walk((*s.body, *s.step)) if isinstance(x, p.Store)}
    begin = State({**state.locals, **unknown}, TRUE, None, _local(state, run), {n: h for n, h in state.seen.items() if n not in stored})
    end = run_block((*s.body, *s.step), begin, trial)
    out = {}
    for v in integers:
        step = _difference(unknown[v], end.locals[v])
        if step is None and unknown[v] not in topo(end.locals[v]):
            continue
        if step is None or any(x in trial.made or x.sort == F32 or x in trial.symbols.meaning for x in topo(step)):
            raise give_up(f"`{v.name.split('@')[0]}` does not grow by the same amount in every round", s.where)
        out[v] = step
    return out


def _difference(before: Expr, after: Expr) -> Expr | None:
    """after - before, if after is before plus something without it."""
    w = before.sort.lower()
    if after is before:
        return const_int(before.sort, 0)
    if after.op == f"add_{w}":
        for one, other in (after.args, after.args[::-1]):
            step = _difference(before, one)
            if step is not None and before not in topo(other):
                return make(f"add_{w}", step, other)
    return None


def _after(first: Expr, step: Expr, rounds: Expr) -> Expr:
    """first + rounds * step."""
    w = first.sort.lower()
    n = rounds if rounds.sort == first.sort else make("sext", rounds) if first.sort == B64 else make("wrap", rounds)
    return make(f"add_{w}", first, make(f"mul_{w}", n, step))


def _total(goes_on: Expr, counter: Expr) -> tuple[Poly, int] | None:
    """bound - first and step of a condition `first + counter * step < bound` with a constant step; None where it has another form."""
    name, _, _ = goes_on.op.partition("_")
    if name not in COMPARE or counter in topo(goes_on.args[1]):
        return None
    grown, bound = read(goes_on.args[0]), read(goes_on.args[1]) + number(COMPARE[name])
    step, first = grown.coefficient(counter).constant, grown.substitute({counter: number(0)})
    if step is None or step < 1 or any(m.count(counter) > 1 for m, _ in grown.terms) or counter in _variables(first):
        return None
    return bound - first, step


def _rounds(goes_on: Expr, counter: Expr) -> Expr | None:
    """How many rounds, from the condition; no round where it is less than 0."""
    found = _total(goes_on, counter)
    if found is None:
        return None
    (total, step), sort, (_, _, width) = found, goes_on.args[0].sort, goes_on.op.partition("_")
    whole = total if step == 1 else atom(mk(f"udiv_{width}", _word(total + number(step - 1), sort), const_int(sort, step)))
    return _word(whole, sort)


def _some(goes_on: Expr, counter: Expr) -> bool:
    """Is the bound at least the first value, by its form: a sum of what is not negative, where every size is at least 1?"""
    found = _total(goes_on, counter)
    return found is not None and all(k >= 0 and all(map(_natural, m)) for m, k in found[0].terms if m) and \
        sum(k for m, k in found[0].terms if all(v.is_var and v not in p.BUILTINS and "~" not in v.name for v in m)) >= 0


def _natural(a: Expr) -> bool:
    """Is it a variable of which none is negative, or a quotient of those?"""
    if a.is_var:
        return "~" not in a.name or a.name.startswith("round~")
    return a.op[1:4] in ("div", "rem") and all(k >= 0 and all(map(_natural, m)) for x in a.args for m, k in read(x).terms)


def _variables(q: Poly) -> frozenset[Expr]:
    """The variables of a polynomial."""
    return frozenset(v for a in q.atoms for v in topo(a) if v.is_var)


def _word(q: Poly, sort: Sort) -> Expr:
    """A polynomial as a word of a sort."""
    if q.constant is not None:
        return const_int(sort, q.constant % (1 << (64 if sort == B64 else 32)))
    return q.expr if sort == B64 else mk("wrap", q.expr)


def _folds(state: State, floats: Mapping[Expr, Expr], end: State, counter: Expr, count: Expr, run: Run) -> dict[Expr, Expr]:
    """What a loop leaves in each float: a fold over those that its value depends on, round by round."""
    body = {v: end.locals[v] for v in floats}
    states = {s: v for v, s in floats.items()}
    needs = {v: {states[x] for x in run.symbols.free(body[v]) if x in states} for v in floats}
    out: dict[Expr, Expr] = {}
    for v in floats:
        if body[v] is floats[v]:
            out[v] = state.locals[v]
            continue
        group = [v]
        for x in group:
            group += sorted((y for y in needs[x] if y not in group), key=lambda e: e.name)
        ordered = [x for x in floats if x in group]
        parts = run.symbols.fold(counter, count, [floats[x] for x in ordered], [state.locals[x] for x in ordered], [body[x] for x in ordered])
        out[v] = parts[ordered.index(v)]
    return out


