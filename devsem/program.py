"""One kernel as a structured thread program: what a single thread does, in written operations, before any of it is run.

Expressions are pure: every load, every conditional evaluation with a load in it and every inlined call is a statement of its
own, in the order of C. Each local variable, load and inlined call has a variable of its own, whatever the source calls it.

>>> from devsem.ops import B32
>>> print(show(Program("k", (Param("x", "const float*"), Param("y", "float*")),
...     (Load(var("x@0", F32), "x", var("threadIdx.x", B32)), Store("y", var("threadIdx.x", B32), var("x@0", F32))))))
kernel k(const float* x, float* y)
  x@0 = x[threadIdx.x]
  y[threadIdx.x] = x@0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devsem.errors import Bug, Where
from devsem.expr import Expr, show as show_expr, topo, var
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

HERE = Where("")
BUFFERS = ("float*", "const float*")
SCALARS: dict[str, Sort] = {
    "float": F32, "bool": BOOL, "int": B32, "unsigned": B32, "long": B64, "long long": B64, "size_t": B64, "unsigned long long": B64,
}
BUILTINS = tuple(var(name, B32) for name in ("blockIdx.x", "blockDim.x", "threadIdx.x", "gridDim.x"))


@dataclass(frozen=True)
class Param:
    """A kernel parameter: `type` is one of BUFFERS or SCALARS."""

    name: str
    type: str
    where: Where = HERE

    @property
    def is_buffer(self) -> bool:
        return self.type in BUFFERS

    @property
    def expr(self) -> Expr:
        """The variable that stands for a scalar parameter."""
        return var(self.name, SCALARS[self.type])


@dataclass(frozen=True)
class Assign:
    """variable = value."""

    variable: Expr
    value: Expr
    where: Where = HERE


@dataclass(frozen=True)
class Load:
    """variable = buffer[index]."""

    variable: Expr
    buffer: str
    index: Expr
    where: Where = HERE


@dataclass(frozen=True)
class Store:
    """buffer[index] = value."""

    buffer: str
    index: Expr
    value: Expr
    where: Where = HERE


@dataclass(frozen=True)
class If:
    """A branch; either side may be empty."""

    condition: Expr
    then: tuple[Statement, ...]
    other: tuple[Statement, ...] = ()
    where: Where = HERE


@dataclass(frozen=True)
class Return:
    """Ends the thread, or the innermost Inline; `value` is the inlined function's result."""

    value: Expr | None = None
    where: Where = HERE


@dataclass(frozen=True)
class Inline:
    """The body of a __device__ function in place of its call; its result is `variable` (None for void)."""

    function: str
    variable: Expr | None
    body: tuple[Statement, ...]
    where: Where = HERE


Statement = Assign | Load | Store | If | Return | Inline


@dataclass(frozen=True)
class Program:
    """A kernel: its parameters in order, and what each thread does."""

    function: str
    params: tuple[Param, ...]
    body: tuple[Statement, ...]
    where: Where = HERE


def always_returns(body: tuple[Statement, ...]) -> bool:
    """Does every path through these statements reach a Return? By structure, not by conditions."""
    return any(isinstance(s, Return) or (isinstance(s, If) and always_returns(s.then) and always_returns(s.other)) for s in body)


def walk(body: Iterable[Statement]) -> Iterator[Statement]:
    """Every statement, outer ones first."""
    for s in body:
        yield s
        if isinstance(s, If):
            yield from walk(s.then)
            yield from walk(s.other)
        elif isinstance(s, Inline):
            yield from walk(s.body)


def expressions(s: Statement) -> tuple[Expr, ...]:
    """The expressions that a statement reads, without those of the statements inside it."""
    match s:
        case Assign():
            return (s.value,)
        case Load():
            return (s.index,)
        case Store():
            return (s.index, s.value)
        case If():
            return (s.condition,)
        case Return():
            return () if s.value is None else (s.value,)
        case Inline():
            return ()


def target(s: Statement) -> Expr | None:
    """The variable that a statement sets."""
    return s.variable if isinstance(s, Assign | Load | Inline) else None


def well_formed(program: Program) -> Program:
    """The program itself, if it keeps the rules of this file; otherwise Bug, naming the statement."""
    names = [p.name for p in program.params]
    if len(set(names)) != len(names):
        raise Bug(f"{program.function}: two parameters have one name")
    known = {p.name: p.expr for p in program.params if not p.is_buffer} | {b.name: b for b in BUILTINS}
    statements = list(walk(program.body))
    for s in statements:
        v = target(s)
        if v is not None and known.setdefault(v.name, v) is not v:
            raise Bug(f"{s.where}: {v.name} has two sorts")
    written_only = {op.name for op in OPS.values() if op.kind != "obligation"}
    for s in statements:
        for e in topo(*expressions(s)):
            if e.is_var and known.setdefault(e.name, e) is not e:
                raise Bug(f"{s.where}: {e.name} has two sorts")
            if e.args and e.op not in written_only:
                raise Bug(f"{s.where}: {e.op} is no written operation")
        _check(s, program)
    _returns(program.body, None)
    _scopes(program.body, (0,), dict.fromkeys(names, 0), [0])
    return program


def _check(s: Statement, program: Program) -> None:
    """Sorts and buffers of one statement."""
    buffers = {p.name: p.type for p in program.params if p.is_buffer}
    match s:
        case Assign():
            ok = s.variable.is_var and s.variable.sort == s.value.sort
        case Load():
            ok = s.variable.sort == F32 and s.buffer in buffers and s.index.sort in (B32, B64)
        case Store():
            ok = s.value.sort == F32 and buffers.get(s.buffer) == "float*" and s.index.sort in (B32, B64)
        case If():
            ok = s.condition.sort == BOOL
        case Return():
            ok = True
        case Inline():
            ok = s.variable is None or always_returns(s.body)
    if not ok:
        raise Bug(f"{s.where}: a malformed {type(s).__name__}")


def _returns(body: tuple[Statement, ...], result: Expr | None) -> None:
    """Every Return has the sort of the function that it leaves."""
    for s in body:
        if isinstance(s, Return) and (s.value.sort if s.value else None) != (result.sort if result else None):
            raise Bug(f"{s.where}: a Return of the wrong sort")
        if isinstance(s, If):
            _returns(s.then, result)
            _returns(s.other, result)
        if isinstance(s, Inline):
            _returns(s.body, s.variable)


def _scopes(body: tuple[Statement, ...], inside: tuple[int, ...], owner: dict[str, int], count: list[int]) -> None:
    """A variable that is set in an inlined body belongs to it: no statement outside sets or reads it."""
    for s in body:
        v = target(s)
        if v is not None and owner.setdefault(v.name, inside[-1]) != inside[-1]:
            raise Bug(f"{s.where}: {v.name} belongs to another function")
        for e in topo(*expressions(s)):
            if e.is_var and owner.get(e.name, 0) not in inside:
                raise Bug(f"{s.where}: {e.name} belongs to another function")
        if isinstance(s, If):
            _scopes(s.then, inside, owner, count)
            _scopes(s.other, inside, owner, count)
        if isinstance(s, Inline):
            count[0] += 1
            _scopes(s.body, (*inside, count[0]), owner, count)


def show(program: Program) -> str:
    """Readable text, one statement a line."""
    params = ", ".join(f"{p.type} {p.name}" for p in program.params)
    return "\n".join([f"kernel {program.function}({params})", *_lines(program.body, "  ")])


def _lines(body: tuple[Statement, ...], indent: str) -> Iterator[str]:
    """The lines of some statements."""
    deeper = indent + "  "
    for s in body:
        match s:
            case Assign():
                yield f"{indent}{s.variable.name} = {show_expr(s.value)}"
            case Load():
                yield f"{indent}{s.variable.name} = {s.buffer}[{show_expr(s.index)}]"
            case Store():
                yield f"{indent}{s.buffer}[{show_expr(s.index)}] = {show_expr(s.value)}"
            case If():
                yield f"{indent}if {show_expr(s.condition)}"
                yield from _lines(s.then, deeper)
                if s.other:
                    yield f"{indent}else"
                    yield from _lines(s.other, deeper)
            case Return():
                yield f"{indent}return" + (f" {show_expr(s.value)}" if s.value else "")
            case Inline():
                yield f"{indent}{s.variable.name + ' = ' if s.variable else ''}inline {s.function}"
                yield from _lines(s.body, deeper)
