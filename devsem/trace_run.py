"""One thread's statements, run symbolically, for `trace.py`: what holds where, and what is accessed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from devsem import program as p
from devsem.errors import Where
from devsem.expr import Expr, mk, topo, var, variables
from devsem.ops import B32, B64, BOOL, F32, UNDEFINED_IN_C, Sort
from devsem.simplify import FALSE, TRUE, make, resimplify
from devsem.trace_facts import Access, Fact, Meeting, Operation, Round, Tag

MOST_PLACES = 2000


@dataclass
class State:
    """A thread at one point. `live`: the condition, under `path`, under which a thread is there; `broken` and `continued` are those under
    which it has left the innermost loop or its round. `sure`: the path says all that holds, not less."""

    path: tuple[Fact, ...]
    locals: dict[Expr, Expr]
    live: Expr = TRUE
    broken: Expr = FALSE
    continued: Expr = FALSE
    result: Expr | None = None
    sure: bool = True

    @property
    def here(self) -> tuple[Fact, ...]:
        """The facts that hold of a thread that is there."""
        return self.path if self.live is TRUE else (*self.path, self.live)

    def fork(self, *facts: Fact) -> State:
        """The state at the beginning of a branch."""
        return replace(self, path=(*self.here, *facts), locals=dict(self.locals), live=TRUE, broken=FALSE, continued=FALSE)


@dataclass
class Run:
    """Grows along the run. `varying`: the variables that may differ between threads of a block; `owner`: whose loop's round a variable is of."""

    spaces: dict[str, str]
    loop: Callable[[p.Loop, State, Run], State]
    accesses: list[Access] = field(default_factory=list)
    meetings: list[Meeting] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    rounds: dict[int, Round] = field(default_factory=dict)
    open: dict[str, None] = field(default_factory=dict)
    varying: set[Expr] = field(default_factory=lambda: {b for b in p.BUILTINS if b.name.startswith("threadIdx")})
    owner: dict[Expr, int | None] = field(default_factory=dict)
    tags: frozenset[Tag] = frozenset({Tag(0)})
    loops: tuple[int, ...] = ()
    count: int = 0
    trial: bool = False

    def number(self) -> int:
        """A number that no other loop, barrier or variable has."""
        self.count += 1
        return self.count

    def fresh(self, name: str, sort: Sort, *, varying: bool, owner: int | None) -> Expr:
        """A new unknown."""
        v = var(f"{name.split('@')[0]}@{self.number()}", sort)
        self.owner[v] = owner
        if varying:
            self.varying.add(v)
        return v

    def uniform(self, *es: Expr) -> bool:
        """Is it the same number for every thread of a block (in the same round of the loops with barriers)?"""
        return not any(v in self.varying for v in variables(*es))

    def refuse(self, reason: str, where: Where) -> None:
        """Note what is not understood."""
        self.open[f"{where}: {reason}" if where.file else reason] = None

    @property
    def innermost(self) -> int | None:
        """The innermost loop."""
        return self.loops[-1] if self.loops else None


def block(body: tuple[p.Statement, ...], state: State, run: Run) -> State:
    """Run statements in order."""
    for s in body:
        if state.live is FALSE:
            break
        if state.continued is FALSE:
            state = statement(s, state, run)
            continue
        # a thread that goes on at the loop's step keeps its variables
        live, before = state.live, dict(state.locals)
        state = statement(s, state, run)
        state.locals = {v: choose(live, e, before[v]) if v in before else e for v, e in state.locals.items()}
    return state


def statement(s: p.Statement, state: State, run: Run) -> State:
    """The state after one statement."""
    match s:
        case p.Assign():
            state.locals[s.variable] = value(s.value, state, run, s.where)
        case p.Load():
            _access("read", s.buffer, value(s.index, state, run, s.where), 1, state, run, s.where)
            state.locals[s.variable] = run.fresh(s.variable.name, s.variable.sort, varying=True, owner=run.innermost)
        case p.Store():
            value(s.value, state, run, s.where)
            _access("write", s.buffer, value(s.index, state, run, s.where), 1, state, run, s.where)
        case p.Aligned():
            _access("aligned", s.buffer, value(s.index, state, run, s.where), s.elements, state, run, s.where)
        case p.If():
            return _branch(s, state, run)
        case p.Return():
            if s.value is not None:
                found = value(s.value, state, run, s.where)
                state.result = found if state.result is None else choose(state.live, found, state.result)
            state.live = FALSE
        case p.Break():
            state.broken, state.live = make("or", state.broken, state.live), FALSE
        case p.Continue():
            state.continued, state.live = make("or", state.continued, state.live), FALSE
        case p.Inline():
            return _inline(s, state, run)
        case p.Barrier():
            if not state.sure:
                run.refuse("a barrier after a loop that some threads may leave early is not understood", s.where)
            number = run.number()
            run.meetings.append(Meeting(state.here, run.loops, s.where, number, run.tags, len(run.accesses)))
            run.tags = frozenset({Tag(number)})
        case p.Shuffle():
            run.refuse("an exchange between the lanes of a warp is not understood", s.where)
            state.locals[s.variable] = run.fresh(s.variable.name, s.variable.sort, varying=True, owner=run.innermost)
        case p.Loop():
            return run.loop(s, state, run)
    return state


def _access(kind: Literal["read", "write", "aligned"], buffer: str, index: Expr, elements: int, state: State, run: Run, where: Where) -> None:
    run.accesses.append(Access(kind, buffer, index, elements, state.here, run.loops, run.tags, state.sure, len(run.accesses), where,
                               run.spaces.get(buffer, "global")))


def value(e: Expr, state: State, run: Run, where: Where) -> Expr:
    """An expression over parameters, builtins and unknowns; what C leaves undefined for some operands is noted."""
    read: dict[Expr, Expr] = {}
    for v in variables(e):
        if v not in state.locals:
            run.refuse(f"`{v.name.split('.')[0].split('@')[0]}` may be read before it is set", where)
            state.locals[v] = run.fresh(v.name, v.sort, varying=True, owner=run.innermost)
        read[v] = state.locals[v]
    _undefined(e, read, state, run, where)
    return resimplify(e, read)


def _undefined(root: Expr, read: dict[Expr, Expr], state: State, run: Run, where: Where) -> None:
    """Note what C leaves undefined for some second arguments, with the conditions of the choices that it stands under."""
    if not any(e.op in UNDEFINED_IN_C for e in topo(root)):
        return
    seen: set[tuple[Expr, tuple[Expr, ...]]] = set()
    stack: list[tuple[Expr, tuple[Expr, ...]]] = [(root, ())]
    while stack:
        e, under = stack.pop()
        if (e, under) in seen:
            continue
        seen.add((e, under))
        if len(seen) > MOST_PLACES:
            run.refuse("an expression has too many conditional divisions", where)
            return
        if e.op in UNDEFINED_IN_C:
            found = resimplify(e, read)
            if found.op in UNDEFINED_IN_C and not _defined(found):
                run.operations.append(Operation(found, (*state.here, *(resimplify(c, read) for c in under)), run.loops, where))
        if e.op in ("and", "or"):
            stack += [(e.args[0], under), (e.args[1], (*under, e.args[0] if e.op == "and" else make("not", e.args[0])))]
        elif e.op.startswith("select"):
            c, a, b = e.args
            stack += [(c, under), (a, (*under, c)), (b, (*under, make("not", c)))]
        else:
            stack += [(a, under) for a in e.args]


def _defined(e: Expr) -> bool:
    """Is the second argument a constant for which C defines the operation?"""
    b, width = e.args[1], 64 if e.sort == B64 else 32
    if not b.is_const:
        return False
    if e.op[0:3] in ("shl", "lsh", "ash"):
        return b.value < width
    return b.value != 0 and not (e.op[0] == "s" and b.value == (1 << width) - 1)


def _branch(s: p.If, state: State, run: Run) -> State:
    c = value(s.condition, state, run, s.where)
    if c.is_const:
        return block(s.then if c.value else s.other, state, run)
    before = run.tags
    then = block(s.then, state.fork(c), run)
    after, run.tags = run.tags, before
    other = block(s.other, state.fork(make("not", c)), run)
    run.tags |= after
    return join(c, state, then, other)


def join(c: Expr, before: State, then: State, other: State) -> State:
    """The state after both branches. Where one side has left the kernel or the function, local variables are the other side's."""
    gone = [x.live is FALSE and x.broken is FALSE and x.continued is FALSE for x in (then, other)]
    if gone[0] or gone[1]:
        values = dict((other if gone[0] else then).locals)
    else:
        values = {v: choose(c, then.locals[v], other.locals[v]) for v in then.locals if v in other.locals}
    result = choose(c, then.result, other.result) if then.result is not None and other.result is not None else then.result or other.result

    def still(a: Expr, b: Expr) -> Expr:
        return make("and", before.live, make("select_bool", c, a, b))
    return State(before.path, values, still(then.live, other.live), make("or", before.broken, still(then.broken, other.broken)),
                 make("or", before.continued, still(then.continued, other.continued)), result, then.sure and other.sure)


def choose(c: Expr, a: Expr, b: Expr) -> Expr:
    """a where c holds, b elsewhere."""
    if a is b:
        return a
    rows: dict[Sort, str] = {F32: "select", BOOL: "select_bool", B32: "select_b32", B64: "select_b64"}
    return make(rows[a.sort], c, a, b)


def _inline(s: p.Inline, state: State, run: Run) -> State:
    inside = block(s.body, replace(state.fork(), result=None), run)
    if s.variable is not None:
        sort = s.variable.sort
        state.locals[s.variable] = inside.result if inside.result is not None and inside.sure else \
            run.fresh(s.variable.name, sort, varying=True, owner=run.innermost)
    return replace(state, locals={**inside.locals, **state.locals}, sure=state.sure and inside.sure)


def exactly(first: Expr, step: Expr, counter: Expr) -> Expr:
    """first + counter × step in words, for a 64-bit counter."""
    w = "b64" if first.sort == B64 else "b32"
    return make(f"add_{w}", first, make(f"mul_{w}", counter if first.sort == B64 else mk("wrap", counter), step))
