"""Memory and state of one symbolic thread, for `summary.py`: what it wrote, and which thread wrote what it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from devsem import program as p
from devsem.errors import Where
from devsem.expr import Expr, mk, topo, var, variables
from devsem.ops import B32, B64, BOOL, F32, Sort
from devsem.polynomial import Poly, atom, number, read
from devsem.simplify import TRUE, make, resimplify
from devsem.symbols import Symbols

SELECT: dict[Sort, str] = {F32: "select", BOOL: "select_bool", B32: "select_b32", B64: "select_b64"}
RING = ("add", "sub", "mul", "wrap", "sext", "zext")
ORDERS = ("slt", "ult", "sle", "ule", "ieq")
THREAD = tuple(b for b in p.BUILTINS if b.name.startswith("threadIdx"))


class Unsummarised(Exception):
    """The kernel's values for all sizes are not found; the sentence says why, with the place."""


def give_up(why: str, where: Where) -> Unsummarised:
    """The exception, with the place."""
    return Unsummarised(f"{where}: {why}" if where.file else why)


@dataclass(frozen=True)
class Event:
    """A write to a global buffer, in every round of the loops around it: `rounds` has their counters and, where found, numbers of rounds."""

    buffer: str
    index: Expr
    guard: Expr
    value: Expr
    rounds: tuple[tuple[Expr, Expr | None], ...]
    where: Where


@dataclass(frozen=True)
class Held:
    """A cell of a shared or local array, written by the thread that is run; for shared memory, in this interval."""

    index: Expr
    guard: Expr
    value: Expr


@dataclass
class State:
    """A thread at one point. `alive`: the condition, from the beginning of the kernel or the round, under which it is there. `fresh` has what
    the thread wrote to its arrays in this interval, `seen` what all threads wrote in the one before."""

    locals: dict[Expr, Expr]
    alive: Expr = TRUE
    result: Expr | None = None
    fresh: dict[str, tuple[Held, ...]] = field(default_factory=dict)
    seen: dict[str, tuple[Held, ...]] = field(default_factory=dict)

    def fork(self, condition: Expr) -> State:
        """The state at the beginning of a branch."""
        return State(dict(self.locals), make("and", self.alive, condition), self.result, dict(self.fresh), dict(self.seen))


@dataclass
class Run:
    """Grows along the run."""

    arrays: Mapping[str, p.Array]
    extents: Mapping[Expr, int]
    symbols: Symbols = field(default_factory=Symbols)
    events: list[Event] = field(default_factory=list)
    rounds: tuple[tuple[Expr, Expr | None], ...] = ()
    written: set[str] = field(default_factory=set)
    carried: set[Expr] = field(default_factory=set)     # the variables for what loops carry: a thread's own
    count: int = 0
    trial: bool = False     # only the integers are of interest
    inlined: int = 0        # how many functions are open
    made: set[Expr] = field(default_factory=set)

    def fresh(self, name: str, sort: Sort) -> Expr:
        """A new variable."""
        self.count += 1
        v = var(f"{name.split('@')[0]}~{self.count}", sort)
        self.made.add(v)
        return v


def value_of(e: Expr, state: State, run: Run, where: Where) -> Expr:
    """An expression with the values of the variables in it. Raises Unsummarised for one that may not be set."""
    missing = [v for v in variables(e) if v not in state.locals]
    if missing:
        raise give_up(f"`{missing[0].name.split('@')[0]}` may be read before it is set", where)
    return resimplify(e, state.locals)


def _place(s: p.Load | p.Store, state: State, run: Run) -> Expr:
    """The index of an access to floats, which depends on no data."""
    index = value_of(s.index, state, run, s.where)
    if any(e.sort == F32 for e in topo(index)):
        raise give_up(f"an index of {s.buffer} depends on data", s.where)
    if (s.variable if isinstance(s, p.Load) else s.value).sort != F32:
        raise give_up(f"{s.buffer} holds no floats", s.where)
    return index


def store(s: p.Store, state: State, run: Run) -> None:
    """A write: to memory an event, to an array what it holds from now on."""
    index, value = _place(s, state, run), value_of(s.value, state, run, s.where)
    if s.buffer not in run.arrays:
        run.written.add(s.buffer)
        run.events.append(Event(s.buffer, index, state.alive, value, run.rounds, s.where))
        return
    state.seen = {name: held for name, held in state.seen.items() if name != s.buffer}
    others = tuple(h for h in state.fresh.get(s.buffer, ()) if h.index is not index)
    if run.arrays[s.buffer].space == "local":       # what may be overwritten is no longer known
        others = tuple(h for h in others if (read(h.index) - read(index)).constant)
    state.fresh[s.buffer] = (*others, Held(index, state.alive, value))


def load(s: p.Load, state: State, run: Run) -> Expr:
    """The value of a read. Raises Unsummarised where it is not known which write it sees."""
    index = _place(s, state, run)
    if s.buffer not in run.arrays:
        if s.buffer in run.written:
            raise give_up(f"{s.buffer} is read after it was written", s.where)
        return run.symbols.read(s.buffer, index, s.variable.sort)
    if run.trial:
        return run.fresh(s.variable.name, s.variable.sort)
    own = [h for h in state.fresh.get(s.buffer, ()) if h.index is index]
    if own and run.arrays[s.buffer].space == "local":
        return own[0].value
    if run.arrays[s.buffer].space == "local" or s.buffer in state.fresh or s.buffer not in state.seen:
        raise give_up(f"which value {s.buffer} has here is not found", s.where)
    held = state.seen[s.buffer]
    if len(held) != 1:
        raise give_up(f"{s.buffer} is written by several statements between two barriers", s.where)
    return _from_thread(s, held[0], index, state.alive, run)


def conditions(e: Expr) -> set[object]:
    """The parts of a conjunction, comparisons by what both sides are as words: two parts that are one here hold together."""
    if e.op == "and":
        return {c for a in e.args for c in conditions(a)}
    return {(e.op, *map(_as_word, e.args))} if e.op.partition("_b")[0] in ORDERS else set() if e is TRUE else {e}


def _as_word(e: Expr) -> Expr | Poly:
    """An integer as a polynomial, where expressions with one polynomial are one word: sums and products, all modulo that word."""
    ring = all(n.is_const or n.is_var or n.op.partition("_b")[0] in RING for n in topo(e))
    plain = e.sort == B32 or all(n.op != "zext" and (n.op != "sext" or n.args[0].is_var) for n in topo(e))
    return read(e) if ring and plain else e


def _from_thread(s: p.Load, held: Held, index: Expr, alive: Expr, run: Run) -> Expr:
    """The value that the thread wrote whose write is to this index: it made that write under every condition under which this one reads."""
    digits = invert(read(held.index), read(index), run.extents, {k: n for k, n in run.rounds if n is not None})
    if digits is None:
        raise give_up(f"which thread wrote this element of {s.buffer} is not found", s.where)
    if run.symbols.free(held.value, held.guard) & run.carried:
        raise give_up(f"an element of {s.buffer} is what another thread's loop carries", s.where)
    by = {v: digit.expr if v.sort == B64 else mk("wrap", digit.expr) for v, digit in digits.items()}
    guard, value = run.symbols.substitute((held.guard, held.value), by)
    if guard is not TRUE and not conditions(guard) <= conditions(alive):
        raise give_up(f"an element of {s.buffer} is written under a condition", s.where)
    plain = value.is_const or value.is_var
    return value if plain or (value.op == "select" and all(a.is_const or a.is_var for a in value.args[1:])) else make("w_hold", value)


def invert(written: Poly, wanted: Poly, extents: Mapping[Expr, int], rounds: Mapping[Expr, Expr]) -> dict[Expr, Poly] | None:
    """The thread whose write is to an index: the digits of `wanted` where `written` is a sum of stride * threadIdx; None if it is not sure."""
    strides: dict[Expr, int] = {}
    rest = written
    for t in THREAD:
        k = written.coefficient(t).constant
        if k is None or any(m.count(t) and m != (t,) for m, _ in written.terms):
            return None
        if k:
            strides[t], rest = k, rest - number(k) * atom(t)
    out: dict[Expr, Poly] = {}
    left = wanted - rest
    for t, k in sorted(strides.items(), key=lambda x: -x[1]):
        digit = Poly(frozenset((m, c // k) for m, c in left.terms if c % k == 0))
        left = left - number(k) * digit
        if t not in extents or not within(digit, extents[t], extents, rounds):
            return None
        out[t] = digit
    axes = [t for t in THREAD if t not in strides and extents.get(t, 2) != 1]
    if left.terms or axes or sorted(strides.values()) != _radix(strides, extents):
        return None
    return {**out, **{t: number(0) for t in THREAD if t not in strides}}


def _radix(strides: Mapping[Expr, int], extents: Mapping[Expr, int]) -> list[int]:
    """The strides, smallest first, if each is at least the extent times stride of the one below: then no two threads write one place."""
    out, least = [], 1
    for t, k in sorted(strides.items(), key=lambda x: x[1]):
        if k < least:
            return []
        out.append(k)
        least = k * extents[t]
    return out


def within(digit: Poly, below: int, extents: Mapping[Expr, int], rounds: Mapping[Expr, Expr]) -> bool:
    """Is the digit one of 0 … below - 1, whatever the threads and rounds are?"""
    most = 0
    for monomial, k in digit.terms:
        top = k
        for a in monomial:
            bound = extents.get(a) if a in extents else read(rounds[a]).constant if a in rounds else None
            if bound is None or k < 0:
                return False
            top *= bound - 1
        most += top if monomial else k
    return 0 <= most < below and all(k >= 0 for _, k in digit.terms)
