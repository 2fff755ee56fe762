"""Loops whose number of turns is in the text, written out; and local arrays whose indices then are constants, as variables.

What comes out does the same, statement by statement. A loop that is left in its middle under a condition that is not known, or that would
become more than MAX_STATEMENTS, stays. `plain` gives a program that `symbolic.run` can read, or refuses by name what still stands in the way.

>>> from devsem.expr import const, const_int, mk
>>> from devsem.ops import B32
>>> from devsem.program import show
>>> i, one = var("i", B32), const_int(B32, 1)
>>> loop = p.Loop((), mk("slt_b32", i, const_int(B32, 2)), (p.Store("y", i, const(1.0)),), (p.Assign(i, mk("add_b32", i, one)),))
>>> print(show(flatten(Program("k", (p.Param("y", "float*"),), (p.Assign(i, const_int(B32, 0)), loop)))))
kernel k(float* y)
  i = 0
  y[0] = 1.0
  i = 1
  y[1] = 1.0
  i = 2
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from devsem import program as p
from devsem.errors import Rejected, Rejection
from devsem.expr import Expr, topo, var, variables
from devsem.ops import F32
from devsem.program import Program, Statement, target, walk
from devsem.rejections import rejection
from devsem.simplify import resimplify

MAX_STATEMENTS, MAX_TURNS = 4096, 1024
ENDS = (p.Return, p.Break, p.Continue)


class Stays(Exception):
    """A loop cannot be written out."""


@dataclass
class Run:
    """What is known at one point: the constants that integer and truth variables are. `left`: statements that may still be made."""

    known: dict[Expr, Expr] = field(default_factory=dict)
    left: list[int] = field(default_factory=lambda: [MAX_STATEMENTS])

    def copy(self) -> Run:
        """The same at the beginning of a branch."""
        return Run(dict(self.known), self.left)

    def value(self, e: Expr) -> Expr:
        """An expression with the constants that are known."""
        by = {v: self.known[v] for v in variables(e) if v in self.known}
        return resimplify(e, by) if by else e

    def learn(self, v: Expr, value: Expr) -> None:
        """A variable has a new value."""
        self.known.pop(v, None)
        if value.is_const and v.sort != F32:
            self.known[v] = value

    def forget(self, body: Iterable[Statement]) -> None:
        """Variables that some statements may change are not known any more."""
        for s in walk(body):
            if (v := target(s)) is not None:
                self.known.pop(v, None)


def flatten(program: Program) -> Program:
    """The program with what can be written out written out."""
    whole = replace(program, body=tuple(_block(program.body, Run())))
    for array in program.arrays:
        whole = _split(whole, array)
    return whole


def plain(program: Program) -> Program:
    """A plain program that does the same. Raises Rejected with what stands in the way."""
    if p.is_plain(program):
        return program
    flat = flatten(program)
    if not p.is_plain(flat):
        raise Rejected(*dict.fromkeys(_obstacles(flat)))
    return p.well_formed(flat)


def _block(body: Sequence[Statement], run: Run) -> list[Statement]:
    """Statements with what is known; nothing stands behind one that always leaves."""
    out: list[Statement] = []
    for s in body:
        out += _statement(s, run)
        run.left[0] -= 1
        if run.left[0] < 0:
            raise Stays
        if out and isinstance(out[-1], ENDS):
            break
    return out


def _statement(s: Statement, run: Run) -> list[Statement]:
    match s:
        case p.Assign():
            value = run.value(s.value)
            run.learn(s.variable, value)
            return [replace(s, value=value)]
        case p.If():
            return _branch(s, run)
        case p.Loop():
            return _loop(s, run)
        case p.Inline():
            return [_inline(s, run)]
        case p.Load():
            run.known.pop(s.variable, None)
            return [replace(s, index=run.value(s.index))]
        case p.Store():
            return [replace(s, index=run.value(s.index), value=run.value(s.value))]
        case p.Aligned():
            return [replace(s, index=run.value(s.index))]
        case p.Shuffle():
            run.known.pop(s.variable, None)
            return [replace(s, mask=run.value(s.mask), value=run.value(s.value), lane=run.value(s.lane), width=run.value(s.width))]
        case p.Return():
            return [s if s.value is None else replace(s, value=run.value(s.value))]
        case p.Break() | p.Continue() | p.Barrier():
            return [s]


def _branch(s: p.If, run: Run) -> list[Statement]:
    """A branch, or the side of it that is taken."""
    c = run.value(s.condition)
    if c.is_const:
        return _block(s.then if c.value else s.other, run)
    then, other = run.copy(), run.copy()
    made = replace(s, condition=c, then=tuple(_block(s.then, then)), other=tuple(_block(s.other, other)))
    run.known = {v: e for v, e in then.known.items() if other.known.get(v) is e}
    return [made]


def _inline(s: p.Inline, run: Run) -> p.Inline:
    made = replace(s, body=tuple(_block(s.body, run)))
    if s.variable is not None:
        ends = [r for r in made.body if isinstance(r, p.Return)]
        last = ends[0].value if len(ends) == 1 and all(isinstance(x, p.Assign | p.Load | p.Return) for x in made.body) else None
        run.learn(s.variable, last or s.variable)
    return made


def _loop(s: p.Loop, run: Run) -> list[Statement]:
    """The loop's turns one after another, or the loop itself."""
    before, left = dict(run.known), run.left[0]
    try:
        return _turns(s, run)
    except Stays:
        run.known, run.left[0] = before, left - 1
    run.forget((s,))
    parts = [_kept(part, run) for part in (s.test, s.body, s.step)]
    return [p.Loop(parts[0], run.value(s.condition), parts[1], parts[2], s.post, s.where)]


def _kept(body: Sequence[Statement], run: Run) -> tuple[Statement, ...]:
    """A part of a loop that stays: what it changes is not known at any point of it, except where it is set just before."""
    inside = run.copy()
    try:
        return tuple(_block(body, inside))
    except Stays:
        return tuple(body)


def _turns(s: p.Loop, run: Run) -> list[Statement]:
    """Every turn of a loop. Raises Stays where it is not known whether there is a next one."""
    out: list[Statement] = []
    for turn in range(MAX_TURNS):
        if turn or not s.post:
            out += _block(s.test, run)
            condition = run.value(s.condition)
            if not condition.is_const:
                raise Stays
            if not condition.value:
                return out
        body = _block(s.body, run)
        end = body.pop() if body and isinstance(body[-1], p.Break | p.Continue) else None
        if any(_leaves(x) for x in body):
            raise Stays
        out += body
        if isinstance(end, p.Break) or (out and isinstance(out[-1], p.Return)):
            return out
        out += _block(s.step, run)
    raise Stays


def _leaves(s: Statement) -> bool:
    """May this statement leave the turn of the loop around it, without leaving the function?"""
    if isinstance(s, p.If):
        return any(map(_leaves, (*s.then, *s.other)))
    return isinstance(s, p.Break | p.Continue)


def _split(program: Program, array: p.Array) -> Program:
    """A local array as a variable for each element, where every index is a constant inside it and one function alone uses it."""
    uses = list(_uses(program.body, array.name, (0,), [0]))
    indices = [s.index for _, s in uses]
    if array.space != "local" or array.elements is None or len({scope for scope, _ in uses}) > 1 or \
            not all(i.is_const and i.value < array.elements for i in indices) or any(isinstance(s, p.Aligned) and s.index.value % s.elements for _, s in uses):
        return program
    return replace(program, body=_renamed(program.body, array), arrays=tuple(a for a in program.arrays if a is not array))


def _uses(body: Sequence[Statement], name: str, inside: tuple[int, ...], count: list[int]) -> Iterator[tuple[int, p.Load | p.Store | p.Aligned]]:
    """Each access to an array, with the number of the inlined function that it stands in."""
    for s in body:
        if isinstance(s, p.Load | p.Store | p.Aligned) and s.buffer == name:
            yield inside[-1], s
        elif isinstance(s, p.If):
            yield from _uses((*s.then, *s.other), name, inside, count)
        elif isinstance(s, p.Loop):
            yield from _uses((*s.test, *s.body, *s.step), name, inside, count)
        elif isinstance(s, p.Inline):
            count[0] += 1
            yield from _uses(s.body, name, (*inside, count[0]), count)


def _renamed(body: Sequence[Statement], array: p.Array) -> tuple[Statement, ...]:
    """The statements with variables in place of an array's elements."""
    out: list[Statement] = []
    for s in body:
        match s:
            case p.Aligned() if s.buffer == array.name:
                pass
            case p.Load() if s.buffer == array.name:
                out.append(p.Assign(s.variable, _element(array, s.index), s.where))
            case p.Store() if s.buffer == array.name:
                out.append(p.Assign(_element(array, s.index), s.value, s.where))
            case p.If():
                out.append(replace(s, then=_renamed(s.then, array), other=_renamed(s.other, array)))
            case p.Loop():
                out.append(replace(s, test=_renamed(s.test, array), body=_renamed(s.body, array), step=_renamed(s.step, array)))
            case p.Inline():
                out.append(replace(s, body=_renamed(s.body, array)))
            case _:
                out.append(s)
    return tuple(out)


def _element(array: p.Array, index: Expr) -> Expr:
    """The variable of an array's element; no tensor's element has such a name."""
    return var(f"{array.name}.[{index.value}]", array.sort)


def _obstacles(program: Program) -> Iterator[Rejection]:
    """What keeps a program from being plain, each with its place."""
    for q in program.params:
        if q.is_buffer and q.sort != F32:
            yield rejection("cuda.parameter", q.where, name=q.name, type=q.type)
    for array in program.arrays:
        yield rejection("plain.array", array.where, name=array.name, space=array.space)
    for s in walk(program.body):
        match s:
            case p.Loop() | p.Break() | p.Continue():
                yield rejection("plain.loop", s.where)
            case p.Barrier():
                yield rejection("plain.barrier", s.where)
            case p.Aligned():
                yield rejection("plain.vector", s.where)
            case p.Shuffle():
                yield rejection("cuda.warp", s.where, name=f"__shfl_{s.kind}_sync")
        for e in topo(*p.expressions(s)):
            if e in p.BUILTINS and e not in p.FIRST_AXIS:
                yield rejection("cuda.thread_dim", s.where, name=e.name)
            elif not p.is_plain_node(e):
                yield rejection("plain.operation", s.where, name=e.op)

