"""Stating a setting, a thread and its path to the integer solver, and a second thread beside the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from devsem.expr import Expr, fold, rebuild, var
from devsem.gate_poly import Formula, Poly, both, either, implies, interval_of, le, lt, no
from devsem.gate_read import Reader, span
from devsem.gate_setting import AXES, Setting
from devsem.gate_z3 import Facts
from devsem.ops import B32, B64
from devsem.plan import MOST_BLOCK, MOST_GRID, MOST_THREADS
from devsem.program import Array, Program
from devsem.trace_facts import Fact, Induction, Known, Traced

ONE = Poly.number(1)
MOST_ROUNDS = (1 << 63) - 1


@dataclass
class Ground:
    """A reader to which the setting has been stated, with the numbers that every question needs."""

    program: Program
    setting: Setting
    trace: Traced
    reader: Reader
    extents: dict[str, Poly] = field(default_factory=dict)
    block: list[Poly] = field(default_factory=list)
    grid: list[Poly] = field(default_factory=list)

    def tensor(self, buffer: str) -> str:
        """The memory that a buffer or array is: parameters with one tensor are one memory."""
        return self.setting.buffers[buffer].tensor if buffer in self.setting.buffers else f"array {buffer}"


def ground(program: Program, setting: Setting, trace: Traced, deadline: float) -> Ground:
    """State the setting: sizes in range, tensors of 1 to `most` elements, a launch that CUDA accepts, the preconditions."""
    r = Reader(Facts(deadline))
    g = Ground(program, setting, trace, r)
    for v, (smallest, largest) in setting.sizes.items():
        r.define(v, r.declare(v.name, smallest, largest))
    for name, buffer in setting.buffers.items():
        g.extents[name] = _elements(r, buffer.dims, setting.most)
    for values, most, into in ((setting.block, MOST_BLOCK, g.block), (setting.grid, MOST_GRID, g.grid)):
        for e, m in zip(values, most, strict=True):
            p = r.word(e)
            r.state(le(ONE, p), le(p, Poly.number(m)))
            if p.monomial is not None and len(p.monomial) == 1:
                least, high = r.bounds[p.monomial]
                r.bounds[p.monomial] = max(least or 1, 1), m if high is None else min(high, m)
            into.append(p)
    threads = r.product(r.product(g.block[0], g.block[1]), g.block[2])
    r.state(le(threads, Poly.number(MOST_THREADS)))
    r.product(r.product(g.grid[0], g.grid[1]), g.grid[2])
    for c in setting.conditions:
        r.state(r.formula(c))
    for a in program.arrays:
        g.extents[a.name] = _array(r, a, setting)
    thread(g, "")
    return g


def _array(r: Reader, a: Array, setting: Setting) -> Poly:
    """An array's elements; of `extern __shared__` as many as the launch's bytes hold."""
    if a.elements is not None:
        return Poly.number(a.elements)
    return r.quotient(r.word(setting.shared_bytes), Poly.number(8 if a.sort == B64 else 4))[0]


def _elements(r: Reader, dims: Sequence[Expr], most: int) -> Poly:
    """The number of elements, each dimension and each product of the first ones being 1 to `most`."""
    out = ONE
    for d in dims:
        p = r.word(d)
        r.state(le(ONE, p), le(p, Poly.number(most)))
        out = r.product(out, p) if out != ONE else p
        if out.monomial is not None:
            least, high = r.bounds.get(out.monomial, (1, most))
            r.bound(out.monomial, max(least or 1, 1), min(most if high is None else high, most))
        else:
            r.state(le(ONE, out), le(out, Poly.number(most)))
    return out


def thread(g: Ground, mark: str) -> tuple[list[Poly], list[Poly]]:
    """Declare a thread and its block: the builtins with `mark` after their names."""
    out: tuple[list[Poly], list[Poly]] = ([], [])
    for k, (name, most) in enumerate((("threadIdx", g.block), ("blockIdx", g.grid))):
        for axis, limit in zip(AXES, most, strict=True):
            high = interval_of(limit, g.reader.bounds)[1]
            atom = g.reader.declare(f"{name}.{axis}{mark}", 0, None if high is None else high - 1)
            g.reader.state(lt(atom, limit))
            g.reader.define(var(f"{name}.{axis}{mark}", B32), atom)
            out[k].append(atom)
    return out


def state_path(r: Reader, path: Iterable[Fact]) -> None:
    """State the facts of a path, each read under those before it."""
    for fact in path:
        match fact:
            case Induction():
                state_induction(r, fact)
            case Known(holds):
                r.state(r.formula(holds))
            case Expr():
                r.state(r.formula(fact))


def state_induction(r: Reader, fact: Induction) -> None:
    """The variable is first + counter × step. That no round before wraps is a question of its own about each loop."""
    counter = r.declare(fact.counter.name, 0, MOST_ROUNDS)
    r.define(fact.counter, counter)
    first, step = r.word(fact.first), r.word(fact.step)
    value = first + r.product(counter, step)
    low, high = span(64 if fact.variable.sort == B64 else 32)
    r.state(le(Poly.number(low), value), le(value, Poly.number(high)))
    before = value - step
    r.state(implies(le(ONE, counter), both(le(Poly.number(low), before), le(before, Poly.number(high)))))
    r.define(fact.variable, value)


def fails(r: Reader, path: Sequence[Fact]) -> Formula:
    """A thread fails a condition of the path, all before it being met. What is known of unknowns holds where the thread comes to it."""
    out: list[Formula] = []
    met: list[Formula] = []
    for fact in path:
        if isinstance(fact, Expr):
            r.enter(both(*met))
            c = r.formula(fact)
            r.leave(keep=True)
            out.append(both(*met, no(c)))
            met.append(c)
            continue
        r.enter(both(*met))
        state_path(r, (fact,))
        defined = r.scopes[-1].polys
        r.leave(keep=True)
        if isinstance(fact, Induction):
            for v in (fact.variable, fact.counter):
                r.define(v, defined[v])
    return either(*out)


def renamed(path: Sequence[Fact], by: Mapping[Expr, Expr]) -> tuple[Fact, ...]:
    """The same facts of another thread."""
    out: list[Fact] = []
    for fact in path:
        match fact:
            case Induction():
                out.append(Induction(swap(fact.variable, by), swap(fact.first, by), swap(fact.step, by), swap(fact.counter, by), fact.loop))
            case Known(holds):
                out.append(Known(swap(holds, by)))
            case Expr():
                out.append(swap(fact, by))
    return tuple(out)


def swap(e: Expr, by: Mapping[Expr, Expr]) -> Expr:
    """An expression over another thread's variables."""
    return fold((e,), lambda n, args: by.get(n, n) if n.is_var else rebuild(n, args))[e]


def differ(a: Sequence[Poly], b: Sequence[Poly]) -> Formula:
    """Some coordinate differs."""
    return either(*(either(lt(x, y), lt(y, x)) for x, y in zip(a, b, strict=True)))
