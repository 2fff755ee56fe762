"""Blocks of a launch side by side: where each thread is, its variables, the conditions on floats that it is under, and what it may reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import program as p
from devsem.errors import Bug, Rejected, Where
from devsem.evaluate import DTYPE
from devsem.expr import WIDTH, Expr, const, topo
from devsem.instance import Instance
from devsem.ops import BOOL, F32, UNDEFINED_IN_C
from devsem.program import Program
from devsem.rejections import rejection
from devsem.simplify import FALSE, TRUE, make
from devsem.threads_doubts import Doubt, Suspect, literals
from devsem.threads_eval import apply, concrete, constant, objects, symbolic
from devsem.threads_fault import Kind, LaunchFault, Stop, Three
from devsem.threads_memory import Cells, hold
from devsem.threads_races import Who
from devsem.threads_reach import impossible, reach

Array = npt.NDArray[Any]
# what a step costs, in units of `limit` (each about 0.1 microseconds, bench/threads.py): itself, and each thread in it without and with values
STEP, LANE, LANE_WITH_VALUES = 600, 1, 50
INTERVALS = 1 << 30
TRIED = 50          # conditions on floats for which inputs are looked for
TRIED_AT_ONCE = 8   # of one statement
NOTHING = hold(const(0.0))


@dataclass(frozen=True)
class Order:
    """An expression's nodes, arguments first; whether it has operations that C leaves undefined; its constants of the text."""

    nodes: tuple[Expr, ...]
    partial: bool
    literal: frozenset[Expr]
    constants: Mapping[Expr, Array]


def point(number: int, shape: Three) -> Three:
    """A linear number as coordinates; x counts fastest."""
    return number % shape[0], number // shape[0] % shape[1], number // (shape[0] * shape[1])


def along(numbers: Array, shape: Three) -> tuple[Array, Array, Array]:
    """Linear numbers as coordinates."""
    return numbers % shape[0], numbers // shape[0] % shape[1], numbers // (shape[0] * shape[1])


def uniform(program: Program, instance: Instance) -> dict[Expr, Array]:
    """What is the same for all threads: sizes of grid and block, and the scalar parameters."""
    out: dict[Expr, Array] = {}
    for name, shape in (("blockDim", instance.block), ("gridDim", instance.grid)):
        out |= {b: np.array([shape["xyz".index(b.name[-1])]], np.uint32) for b in p.BUILTINS if b.name.startswith(name)}
    for param in program.params:
        if param.is_buffer:
            continue
        given, e = instance.scalars[param.name], param.expr
        if isinstance(given, Expr) != (e.sort == F32):
            raise Bug(f"the parameter {param.name} is {param.type}, and its value {given!r}")
        if isinstance(given, Expr):
            out[e] = objects([hold(given)])
        else:
            out[e] = np.array([given != 0 if e.sort == BOOL else given % (1 << WIDTH[e.sort])], DTYPE[e.sort])
    return out


@dataclass
class Held:
    """A variable of all threads: its values, which of them are set, and which are integers that depend on a condition on floats."""

    values: Array | None
    set: Array
    torn: Array


@dataclass
class State:
    """`numbers`: the blocks that run here. A thread is known by its lane: block after block, in the order of their numbers."""

    program: Program
    instance: Instance
    numbers: Sequence[int]
    cells: Mapping[str, Cells]
    values: bool
    limit: int
    spent: int = 0
    steps: int = 0
    guards: dict[int, Expr] = field(default_factory=dict)       # lanes under a condition on floats
    possible: list[LaunchFault] = field(default_factory=list)
    doubts: dict[Doubt, None] = field(default_factory=dict)
    suspects: Mapping[tuple[Where, Expr], tuple[Suspect, ...]] = field(default_factory=dict)     # where a variable's being a constant raises a doubt
    places: list[Where] = field(default_factory=list)
    site: dict[Where, int] = field(default_factory=dict)
    nothing: Expr = NOTHING                                     # what a thread has whose access is out of bounds under some condition

    def __post_init__(self) -> None:
        size, count = self.instance.threads, len(self.numbers)
        self.count = count * size
        lanes = np.arange(self.count, dtype=np.int64)
        self.all, self.row, self.place = lanes, lanes // size, lanes % size
        self.block = np.array(self.numbers, np.int64)[self.row]
        self.thread = self.block * size + self.place
        self.interval = np.zeros(count, np.int64)
        self.gone = np.zeros(self.count, np.bool_)
        self.variables: dict[Expr, Held] = {}
        self.literal = literals(self.program)
        self.uniform = uniform(self.program, self.instance)
        self.orders: dict[Expr, Order] = {}
        for name, numbers, shape in (("threadIdx", self.place, self.instance.block), ("blockIdx", self.block, self.instance.grid)):
            for axis, values in zip("xyz", along(numbers, shape), strict=True):
                v = next(b for b in p.BUILTINS if b.name == f"{name}.{axis}")
                self.set(v, self.all, values.astype(np.uint32))

    # --- faults

    def coordinates(self, thread: int) -> tuple[Three, Three]:
        """Block and thread of a thread's number in the launch."""
        size = self.instance.threads
        return point(thread // size, self.instance.grid), point(thread % size, self.instance.block)

    @property
    def sizes(self) -> dict[str, int]:
        """The integer parameters, the numbers of elements, and the launch."""
        integers = {n: v for n, v in self.instance.scalars.items() if isinstance(v, int)}
        shape = {f"{name}.{axis}": n for name, three in (("gridDim", self.instance.grid), ("blockDim", self.instance.block))
                 for axis, n in zip("xyz", three, strict=True) if axis == "x" or n > 1}
        return integers | {f"elements of {n}": e.elements for n, e in self.instance.buffers.items()} | shape

    def fault(self, kind: Kind, what: str, where: Where, lane: int, guard: Expr, **more: Any) -> None:
        """Something went wrong: ends the run, unless it hangs on a condition on floats that no input is known to meet."""
        block, thread = self.coordinates(int(self.thread[lane]))
        self.found(LaunchFault(kind, what, where, block, thread, self.sizes, guard=guard, **more))

    def found(self, fault: LaunchFault) -> None:
        """As `fault`."""
        if fault.guard is not TRUE and len(self.possible) < TRIED:
            if impossible(fault.guard):
                return
            fault = replace(fault, inputs=reach(fault.guard) or {})
        if not fault.possible:
            raise Stop(fault)
        self.possible.append(fault)

    def check(self, bad: Array, lanes: Array, kind: Kind, what: Callable[[int], str], where: Where,
              guard: Callable[[int], Expr] | None = None, more: Callable[[int], dict[str, Any]] | None = None) -> Array:
        """Faults of those lanes that are `bad`; which lanes are left. `what`, `guard` and `more` are asked by position in `lanes`."""
        if not bad.any():
            return ~bad
        doubtful: list[tuple[int, Expr]] = []
        for k in np.flatnonzero(bad).tolist():
            g = self.guards.get(int(lanes[k]), TRUE)
            g = g if guard is None else make("and", g, guard(k))
            if g is TRUE:
                self.fault(kind, what(k), where, int(lanes[k]), g, **(more(k) if more else {}))
            if g is not FALSE:
                doubtful.append((k, g))
        known = len(self.possible)
        for k, g in doubtful:
            if len(self.possible) < known + TRIED_AT_ONCE:
                self.fault(kind, what(k), where, int(lanes[k]), g, **(more(k) if more else {}))
        return ~bad

    def spend(self, lanes: Array, where: Where) -> None:
        """Count a step of some threads."""
        self.steps += len(lanes)
        self.spent += STEP + (LANE_WITH_VALUES if self.values else LANE) * len(lanes)
        if self.spent > self.limit:
            self.fault("step limit", f"is not done after {self.steps} steps of all threads together", where, int(lanes[0]), TRUE)

    def who(self, lanes: Array, where: Where) -> Who:
        """These threads, for a log of accesses."""
        site = self.site.setdefault(where, len(self.places))
        if site == len(self.places):
            self.places.append(where)
        return Who(self.thread[lanes], self.block[lanes], self.block[lanes] * INTERVALS + self.interval[self.row[lanes]], site)

    def soft(self, lanes: Array) -> dict[int, Expr]:
        """By position: the conditions on floats that lanes are under."""
        return {k: self.guards[n] for k, n in enumerate(lanes.tolist()) if n in self.guards} if self.guards else {}

    # --- variables and expressions

    def read(self, v: Expr, lanes: Array, where: Where) -> Array | None:
        """A variable of some threads."""
        if v in self.uniform and v not in self.variables:
            return self.uniform[v]
        held = self.held(v)
        everyone = len(lanes) == self.count
        if not (held.set.all() if everyone else held.set[lanes].all()):
            raise Rejected(rejection("run.unset", where, name=v.name.split("@")[0]))
        if v.sort != F32 and held.torn[lanes].any():
            raise Rejected(rejection("run.integer", where))
        if held.values is None or everyone:
            return held.values
        return concrete(held.values[lanes]) if v.sort == BOOL else held.values[lanes]

    def held(self, v: Expr) -> Held:
        """The variable of all threads; a parameter that is assigned to becomes one, with its argument in it."""
        found = self.variables.get(v)
        if found is None:
            given = self.uniform.get(v)
            values = None if given is None else np.array(np.broadcast_to(given, (self.count,)))
            found = self.variables[v] = Held(values, np.full(self.count, given is not None), np.zeros(self.count, np.bool_))
        return found

    def set(self, v: Expr, lanes: Array, values: Array | None) -> None:
        """Set a variable of some threads."""
        held = self.held(v)
        held.set[lanes], held.torn[lanes] = True, False
        if values is None:
            return
        if v.sort == F32 and v not in self.literal and any(x.is_const for x in values.tolist()):
            values = objects([hold(x) if x.is_const else x for x in values.tolist()])
        old = np.full(self.count, None, object) if v.sort == F32 else np.zeros(self.count, DTYPE[v.sort])
        if held.values is not None:      # one who has read it may still have the old array
            old = held.values.copy() if len(lanes) == self.count else held.values
        if values.dtype == object and old.dtype == np.bool_:
            old = objects(symbolic(old))
        old[lanes] = objects(symbolic(values)) if old.dtype == object and values.dtype == np.bool_ else values
        held.values = old

    def order(self, e: Expr) -> Order:
        """The expression's nodes in order, once."""
        if e not in self.orders:
            nodes = tuple(topo(e))
            fixed: set[Expr] = set()
            for n in nodes:
                if n.is_const or n in self.literal or (n.args and all(a in fixed for a in n.args)):
                    fixed.add(n)
            self.orders[e] = Order(nodes, any(n.op in UNDEFINED_IN_C for n in nodes), frozenset(fixed),
                                   {n: constant(n) for n in nodes if n.is_const})
        return self.orders[e]

    def evaluate(self, e: Expr, lanes: Array, where: Where) -> Array | None:
        """An expression's value for some threads; one entry where all agree."""
        order = self.order(e)
        out: dict[Expr, Array | None] = {}
        for n in order.nodes:
            if n.is_var:
                out[n] = self.read(n, lanes, where)
                if self.suspects and (where, n) in self.suspects:
                    self.suspect(self.suspects[where, n], out[n])
            elif n.is_const:
                out[n] = order.constants[n] if self.values or n.sort != F32 else None
            else:
                out[n] = apply(n.op, [out[a] for a in n.args], n in order.literal, where, values=self.values, threads=len(lanes))
        if order.partial:
            self.undefined(order.nodes, out, lanes, where)
        return out[e]

    def suspect(self, suspects: Sequence[Suspect], found: Array | None) -> None:
        """Note the doubts that one of a variable's values raises."""
        held = dict.fromkeys(v for v in found.tolist() if v.op == "w_hold") if found is not None else {}
        self.doubts.update((s.doubt, None) for s in suspects for v in held if s.raised(v))

    def integers(self, e: Expr, lanes: Array, where: Where) -> Array:
        """An integer or truth value for each of some threads, known without the floats."""
        found = self.evaluate(e, lanes, where)
        if found is None or found.dtype == object:
            raise Rejected(rejection("run.integer", where))
        return found if len(found) == len(lanes) else np.broadcast_to(found, (len(lanes),))

    def index(self, cells: Cells, e: Expr, lanes: Array, where: Where) -> Array:
        """An index for each of some threads, negative where it was computed so."""
        found = self.integers(e, lanes, where)
        signed = found.view(np.int64) if found.dtype == np.uint64 else found.astype(np.int32).astype(np.int64)
        if found.dtype == np.uint32 and cells.elements > 1 << 31 and (signed < 0).any():
            raise Rejected(rejection("run.index", where, name=cells.name))
        return signed

    def undefined(self, nodes: Iterable[Expr], out: Mapping[Expr, Array | None], lanes: Array, where: Where) -> None:
        """Divisions by zero and shifts by the width or more, where C evaluates them: in the chosen part of a conditional expression."""
        wrong: dict[Expr, Array] = {}
        kinds: dict[Expr, Kind] = {}
        none = np.zeros(len(lanes), np.bool_)
        for n in nodes:
            bad = [wrong.get(a, none) for a in n.args]
            here = np.logical_or.reduce(bad) if bad else none
            if here.any() and (n.op.startswith("select") or n.op in ("and", "or")):
                c = out[n.args[0]]
                if c is None or c.dtype == object:
                    raise Rejected(rejection("run.integer", where))
                here = bad[0] | (np.where(c, bad[1], bad[2]) if n.op.startswith("select") else bad[1] & (c if n.op == "and" else ~c))
            if n.op in UNDEFINED_IN_C:
                second = out[n.args[1]]
                if second is None or second.dtype == object:
                    raise Rejected(rejection("run.integer", where))
                divides = n.op[1:4] in ("div", "rem")
                here = here | (second == 0 if divides else second >= WIDTH[n.sort]) | _overflows(n, out)
                kinds[n] = "division" if divides else "shift"
            if here.any():
                wrong[n] = np.broadcast_to(here, none.shape)
        for n, kind in kinds.items():
            at = wrong.get(n, none) & wrong.get(last(nodes), none)
            self.check(at, lanes, kind, lambda k, n=n: _said(n, out, k), where)     # type: ignore[misc]


def last(nodes: Iterable[Expr]) -> Expr:
    """The root."""
    return tuple(nodes)[-1]


def _said(n: Expr, out: Mapping[Expr, Array | None], k: int) -> str:
    second = out[n.args[1]]
    if second is None:
        raise Bug("an integer without a value")
    value = int(second[k if len(second) > 1 else 0])
    if n.op[1:4] in ("div", "rem"):
        return "divides an integer by zero" if value == 0 else "divides the smallest integer by -1"
    return f"shifts a word of {WIDTH[n.sort]} bits by {value}"


def _overflows(n: Expr, out: Mapping[Expr, Array | None]) -> Array | bool:
    """Where a signed division is that of the smallest integer by -1, whose result is no integer of that width."""
    first, second = (out[a] for a in n.args)
    if n.op[:4] not in ("sdiv", "srem") or first is None or second is None:
        return False
    found: Array = (first == 1 << (WIDTH[n.sort] - 1)) & (second == (1 << WIDTH[n.sort]) - 1)
    return found
