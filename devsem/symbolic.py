"""Run one thread symbolically: a Program becomes what it loads and what it finally stores, each with the condition under which.

At a join of two branches a local variable becomes a `select`, a cell of memory keeps the condition under which it is written.
An early return ends a branch: what follows it is run as the other branch. Two loads of one cell are one variable, and a load
after a store to the same cell is the stored value. Cells are told apart by their index as an expression; that two cells of the
result may still be one is for the safety gate to exclude.

>>> from devsem.expr import const, mk
>>> from devsem.program import Param, Store as Write, If
>>> i, n = var("threadIdx.x", B32), var("n", B32)
>>> print(show(run(Program("k", (Param("y", "float*"), Param("n", "int")), (If(mk("slt_b32", i, n), (Write("y", i, const(1.0)),)),)))))
y[threadIdx.x] = 1.0 when slt_b32(threadIdx.x, n)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from devsem import program as p
from devsem.errors import Bug, Rejected, Rejection, Where
from devsem.expr import Expr, show as show_expr, var, variables
from devsem.ops import B32, B64, BOOL, F32
from devsem.program import Param, Program, Statement, always_returns
from devsem.rejections import rejection
from devsem.simplify import FALSE, TRUE, make, resimplify
from devsem.unroll import plain

Cell = tuple[str, Expr]
TORN = {B32: var("an integer that depends on a condition", B32), B64: var("an integer that depends on a condition", B64)}


@dataclass(frozen=True)
class Load:
    """What the variable stands for: the buffer's element before the kernel ran, read only when `guard` holds."""

    variable: Expr
    buffer: str
    index: Expr
    guard: Expr
    where: Where


@dataclass(frozen=True)
class Store:
    """The final value of a cell that is written exactly when `guard` holds."""

    buffer: str
    index: Expr
    value: Expr
    guard: Expr
    where: Where


@dataclass(frozen=True)
class Stores:
    """What one thread does; at most one Store for each (buffer, index)."""

    function: str
    params: tuple[Param, ...]
    loads: tuple[Load, ...]
    stores: tuple[Store, ...]


@dataclass(frozen=True)
class Written:
    """A cell so far: written where `guard` holds, and then it is `value`."""

    guard: Expr
    value: Expr
    where: Where


@dataclass
class State:
    """A thread at one point of a block. Conditions are meant under the one that leads to the block.

    `alive` is false where the thread has returned; `result` is what an inlined function returned where it did."""

    path: Expr
    alive: Expr
    locals: dict[Expr, Expr]
    cells: dict[Cell, Written]
    result: Expr | None = None

    def fork(self, condition: Expr) -> State:
        """The state at the beginning of a branch."""
        return State(make("and", self.path, condition), self.alive, dict(self.locals), dict(self.cells), self.result)

    @property
    def here(self) -> Expr:
        """The condition, from the kernel's beginning, under which a thread is at this point."""
        return make("and", self.path, self.alive)


@dataclass
class Trace:
    """Grows along the run: the loads, and what is refused."""

    loads: dict[Cell, Load] = field(default_factory=dict)
    refusals: list[Rejection] = field(default_factory=list)

    def refuse(self, code: str, where: Where, name: str) -> None:
        """Note a refusal once."""
        found = rejection(code, where, name=name)
        if found not in self.refusals:
            self.refusals.append(found)


def read_cell(loads: dict[Cell, Load], load: Load, written: Written | None, alive: Expr, here: Expr) -> Expr:
    """The value that a thread finds: what it stored there, or what the cell held before the kernel ran, noted in `loads` under `load`'s
    variable if it is the first load of that cell. `here` is the condition under which the thread is there, `alive` that part of it
    which stores so far are meant under."""
    if written is not None and written.guard in (TRUE, alive):
        return written.value
    guard = here if written is None else make("and", here, make("not", written.guard))
    cell = (load.buffer, load.index)
    found = loads.get(cell)
    loads[cell] = replace(load, guard=guard) if found is None else replace(found, guard=make("or", found.guard, guard))
    before = loads[cell].variable
    return before if written is None else make("select", written.guard, written.value, before)


def write_cell(old: Written | None, alive: Expr, value: Expr, where: Where) -> Written:
    """A cell after a store by the threads that are alive."""
    if old is None:
        return Written(alive, value, where)
    return Written(make("or", alive, old.guard), make("select", alive, value, old.value), where)


def join_cells(c: Expr, then: dict[Cell, Written], other: dict[Cell, Written]) -> dict[Cell, Written]:
    """Memory after two branches, the first taken where `c` holds."""
    return {cell: _join_cell(c, then.get(cell), other.get(cell)) for cell in dict.fromkeys((*then, *other))}


def aliases(loads: dict[Cell, Load], cells: dict[Cell, Written]) -> list[Load]:
    """The loads from a buffer that is written at another index: other threads' stores would be seen."""
    return [load for load in loads.values() if any(buffer == load.buffer and index is not load.index for buffer, index in cells)]


def final_stores(cells: dict[Cell, Written]) -> tuple[Store, ...]:
    """The cells that are written at all."""
    return tuple(Store(buffer, index, w.value, w.guard, w.where) for (buffer, index), w in cells.items() if w.guard is not FALSE)


def run(program: Program) -> Stores:
    """The loads and final stores of one thread of a program that is plain, or becomes so. Raises Rejected with every refusal."""
    program = plain(program)
    trace = Trace()
    scalars = (*p.FIRST_AXIS, *(q.expr for q in program.params if not q.is_buffer))
    end = _block(program.body, State(TRUE, TRUE, {v: v for v in scalars}, {}), trace)
    for load in aliases(trace.loads, end.cells):
        trace.refuse("cuda.alias", load.where, load.buffer)
    if trace.refusals:
        raise Rejected(*trace.refusals)
    return Stores(program.function, program.params, tuple(trace.loads.values()), final_stores(end.cells))


def _block(body: tuple[Statement, ...], state: State, trace: Trace) -> State:
    """Run statements in order. Where one side of an `if` always returns, the rest is run as part of the other side."""
    joins: list[tuple[Expr, Expr, State]] = []
    for s in body:
        if state.alive is FALSE:
            break
        if not isinstance(s, p.If) or always_returns(s.then) == always_returns(s.other):
            state = _statement(s, state, trace)
            continue
        c = _value(s.condition, state, s.where, trace)
        leaves, stays, stay = (s.then, s.other, make("not", c)) if always_returns(s.then) else (s.other, s.then, c)
        joins.append((state.path, stay, _block(leaves, state.fork(make("not", stay)), trace)))
        state = _block(stays, state.fork(stay), trace)
    for path, stay, left in reversed(joins):
        state = _join(path, stay, state, left)
    return state


def _statement(s: Statement, state: State, trace: Trace) -> State:
    """The state after one statement."""
    match s:
        case p.Assign():
            state.locals[s.variable] = _value(s.value, state, s.where, trace)
        case p.Load():
            index = _index(s.index, state, s.where, trace)
            load = Load(s.variable, s.buffer, index, TRUE, s.where)
            state.locals[s.variable] = read_cell(trace.loads, load, state.cells.get((s.buffer, index)), state.alive, state.here)
        case p.Store():
            cell = (s.buffer, _index(s.index, state, s.where, trace))
            state.cells[cell] = write_cell(state.cells.get(cell), state.alive, _value(s.value, state, s.where, trace), s.where)
        case p.If():
            c = _value(s.condition, state, s.where, trace)
            return _join(state.path, c, _block(s.then, state.fork(c), trace), _block(s.other, state.fork(make("not", c)), trace))
        case p.Return():
            if s.value is not None:
                value = _value(s.value, state, s.where, trace)
                state.result = value if state.result is None else _choose(state.alive, value, state.result)
            state.alive = FALSE
        case p.Inline():
            inside = _block(s.body, replace(state.fork(TRUE), result=None), trace)
            state.cells = inside.cells
            if s.variable is not None:
                state.locals[s.variable] = _returned(s, inside, trace)
        case _:
            raise Bug(f"{s.where}: a {type(s).__name__} in a plain program")
    return state


def _returned(s: p.Inline, state: State, trace: Trace) -> Expr:
    """The result of an inlined call."""
    if state.result is None:
        raise Bug(f"{s.where}: {s.function} returned nothing")
    if state.result in TORN.values():
        trace.refuse("cuda.integer_select", s.where, s.function)
    return state.result


def _value(e: Expr, state: State, where: Where, trace: Trace) -> Expr:
    """An expression in terms of parameters, builtins and loads."""
    read: dict[Expr, Expr] = {}
    for v in variables(e):
        read[v] = state.locals.get(v, v)
        name = v.name.split(".")[0]
        if v not in state.locals:
            trace.refuse("cuda.uninitialized", where, name)
        elif read[v] in TORN.values():
            trace.refuse("cuda.integer_select", where, name)
    return resimplify(e, read)


def _index(e: Expr, state: State, where: Where, trace: Trace) -> Expr:
    """An index, as 32 bits where it was computed so. How it is extended to an address makes no difference: an index with the top
    bit set lies outside every buffer of at most 2^31 elements, whether it is read as negative or as large."""
    index = _value(e, state, where, trace)
    return index.args[0] if index.op in ("sext", "zext") else index


def _join(path: Expr, c: Expr, then: State, other: State) -> State:
    """The state after both branches; where only one goes on, local variables are that one's."""
    alive = make("select_bool", c, then.alive, other.alive)
    if then.alive is FALSE or other.alive is FALSE:
        values = dict((other if then.alive is FALSE else then).locals)
    else:
        values = {v: _choose(c, then.locals[v], other.locals[v]) for v in then.locals if v in other.locals}
    cells = join_cells(c, then.cells, other.cells)
    if then.result is None or other.result is None:
        result = then.result or other.result
    else:
        result = _choose(c, then.result, other.result)
    return State(path, alive, values, cells, result)


def _join_cell(c: Expr, then: Written | None, other: Written | None) -> Written:
    """One cell after both branches, written in at least one."""
    if then is None or other is None:
        one = then or other
        if one is None:
            raise Bug("a cell that no branch wrote")
        return Written(make("and", c if other is None else make("not", c), one.guard), one.value, one.where)
    return Written(make("select_bool", c, then.guard, other.guard), _choose(c, then.value, other.value), then.where)


def _choose(c: Expr, a: Expr, b: Expr) -> Expr:
    """a where c holds, b elsewhere; there is no such operation on integers."""
    if a is b:
        return a
    return make({F32: "select", BOOL: "select_bool"}[a.sort], c, a, b) if a.sort in (F32, BOOL) else TORN[a.sort]


def show(stores: Stores) -> str:
    """Readable text: a line for each load and each store, with its condition."""
    def when(guard: Expr) -> str:
        return "" if guard is TRUE else f" when {show_expr(guard)}"
    loads = [f"{x.variable.name} = {x.buffer}[{show_expr(x.index)}]{when(x.guard)}" for x in stores.loads]
    return "\n".join([*loads, *(f"{y.buffer}[{show_expr(y.index)}] = {show_expr(y.value)}{when(y.guard)}" for y in stores.stores)])
