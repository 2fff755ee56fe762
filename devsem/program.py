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
from typing import Literal

from devsem.errors import Bug, Where
from devsem.expr import Expr, show as show_expr, topo, var
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

HERE = Where("")
SCALARS: dict[str, Sort] = {
    "float": F32, "bool": BOOL, "int": B32, "unsigned": B32, "long": B64, "long long": B64, "size_t": B64, "unsigned long long": B64,
}
# what a buffer parameter points to
BUFFERS: dict[str, Sort] = {f"{const}{name}*": sort for name, sort in SCALARS.items() if sort != BOOL for const in ("", "const ")}
BUILTINS = tuple(var(f"{name}.{axis}", B32) for name in ("blockIdx", "blockDim", "threadIdx", "gridDim") for axis in "xyz")
FIRST_AXIS = frozenset(b for b in BUILTINS if b.name.endswith(".x"))
SHUFFLES = ("idx", "up", "down", "xor")
# the operations on integers that the pointwise path reads
PLAIN = frozenset(f"{name}_b{w}" for name in ("add", "sub", "mul", "slt", "sle", "ult", "ule", "ieq") for w in (32, 64)) | {"sext", "zext", "wrap"}


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
    def is_written(self) -> bool:
        """Is it a buffer that the kernel may write?"""
        return self.is_buffer and not self.type.startswith("const ")

    @property
    def sort(self) -> Sort:
        """The sort of a scalar, or of a buffer's elements."""
        return BUFFERS[self.type] if self.is_buffer else SCALARS[self.type]

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


@dataclass(frozen=True)
class Loop:
    """Rounds of `test`, then, where `condition` holds, `body` and `step`; it ends where `condition` does not hold.

    `test` is what evaluating the condition needs (its loads and calls). `continue` goes on at `step`. `post`: a do-while, whose first
    round begins at `body`."""

    test: tuple[Statement, ...]
    condition: Expr
    body: tuple[Statement, ...]
    step: tuple[Statement, ...] = ()
    post: bool = False
    where: Where = HERE


@dataclass(frozen=True)
class Break:
    """Leaves the innermost Loop."""

    where: Where = HERE


@dataclass(frozen=True)
class Continue:
    """Goes on at the `step` of the innermost Loop."""

    where: Where = HERE


@dataclass(frozen=True)
class Barrier:
    """`__syncthreads()`: all threads of the block."""

    where: Where = HERE


@dataclass(frozen=True)
class Aligned:
    """An access of `elements` consecutive elements at once begins at `index`, which must be a multiple of `elements`; the accesses
    themselves follow, one Load or Store for each element."""

    buffer: str
    index: Expr
    elements: int
    where: Where = HERE


@dataclass(frozen=True)
class Shuffle:
    """variable = `value` of another lane of the warp: `__shfl_<kind>_sync(mask, value, lane, width)`; `lane` is a lane, a delta or a mask."""

    variable: Expr
    kind: str
    mask: Expr
    value: Expr
    lane: Expr
    width: Expr
    where: Where = HERE


Statement = Assign | Load | Store | If | Return | Inline | Loop | Break | Continue | Barrier | Aligned | Shuffle


@dataclass(frozen=True)
class Array:
    """An array that is no parameter: `shared` by a block, or `local` to a thread. `elements` is None for `extern __shared__`, whose
    size the launch gives. Loads and stores name it as they name a buffer."""

    name: str
    sort: Sort
    elements: int | None
    space: Literal["shared", "local"]
    where: Where = HERE


@dataclass(frozen=True)
class Program:
    """A kernel: its parameters in order, its own arrays, and what each thread does."""

    function: str
    params: tuple[Param, ...]
    body: tuple[Statement, ...]
    where: Where = HERE
    arrays: tuple[Array, ...] = ()


def is_plain(program: Program) -> bool:
    """Is it what `symbolic.run` reads: one dimension, no loop, no array, no barrier, no exchange between threads, floats in buffers, and
    integers only added, multiplied and compared?"""
    statements = tuple(walk(program.body))
    return not program.arrays and all(p.sort == F32 for p in program.params if p.is_buffer) and \
        all(isinstance(s, Assign | Load | Store | If | Return | Inline) for s in statements) and \
        all(is_plain_node(e) for s in statements for e in topo(*expressions(s)))


def is_plain_node(e: Expr) -> bool:
    """May this node stand in an expression of a plain program?"""
    return e in FIRST_AXIS or (e not in BUILTINS and (not {e.sort, *(a.sort for a in e.args)} & {B32, B64} or not e.args or e.op in PLAIN))


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
        elif isinstance(s, Loop):
            yield from walk(s.test)
            yield from walk(s.body)
            yield from walk(s.step)


def expressions(s: Statement) -> tuple[Expr, ...]:
    """The expressions that a statement reads, without those of the statements inside it."""
    match s:
        case Assign():
            return (s.value,)
        case Load():
            return (s.index,)
        case Store():
            return (s.index, s.value)
        case If() | Loop():
            return (s.condition,)
        case Return():
            return () if s.value is None else (s.value,)
        case Aligned():
            return (s.index,)
        case Shuffle():
            return (s.mask, s.value, s.lane, s.width)
        case Inline() | Break() | Continue() | Barrier():
            return ()


def target(s: Statement) -> Expr | None:
    """The variable that a statement sets."""
    return s.variable if isinstance(s, Assign | Load | Inline | Shuffle) else None


def well_formed(program: Program) -> Program:
    """The program itself, if it keeps the rules of this file; otherwise Bug, naming the statement."""
    names = [*(p.name for p in program.params), *(a.name for a in program.arrays)]
    if len(set(names)) != len(names):
        raise Bug(f"{program.function}: two parameters or arrays have one name")
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
    _scopes(program.body, (0,), dict.fromkeys(names, 0), {})
    return program


def _check(s: Statement, program: Program) -> None:
    """Sorts and buffers of one statement."""
    sorts = {**{p.name: p.sort for p in program.params if p.is_buffer}, **{a.name: a.sort for a in program.arrays}}
    writable = {p.name for p in program.params if p.is_written} | {a.name for a in program.arrays}
    match s:
        case Assign():
            ok = s.variable.is_var and s.variable.sort == s.value.sort
        case Load():
            ok = s.variable.sort == sorts.get(s.buffer) and s.index.sort in (B32, B64)
        case Store():
            ok = s.buffer in writable and s.value.sort == sorts[s.buffer] and s.index.sort in (B32, B64)
        case If() | Loop():
            ok = s.condition.sort == BOOL
        case Aligned():
            ok = s.buffer in sorts and s.index.sort in (B32, B64) and s.elements in (2, 4)
        case Shuffle():
            ok = s.variable.sort == s.value.sort and s.kind in SHUFFLES and {s.mask.sort, s.lane.sort, s.width.sort} == {B32}
        case Return() | Break() | Continue() | Barrier():
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
        if isinstance(s, Loop):
            _returns((*s.test, *s.body, *s.step), result)
        if isinstance(s, Inline):
            _returns(s.body, s.variable)


def _scopes(body: tuple[Statement, ...], inside: tuple[int, ...], owner: dict[str, int], found: dict[tuple[object, ...], int]) -> None:
    """A variable that is set in an inlined body belongs to it: no statement outside sets or reads it. A loop's turns have one call several times."""
    for s in body:
        v = target(s)
        if v is not None and owner.setdefault(v.name, inside[-1]) != inside[-1]:
            raise Bug(f"{s.where}: {v.name} belongs to another function")
        for e in topo(*expressions(s)):
            if e.is_var and owner.get(e.name, 0) not in inside:
                raise Bug(f"{s.where}: {e.name} belongs to another function")
        if isinstance(s, If):
            _scopes(s.then, inside, owner, found)
            _scopes(s.other, inside, owner, found)
        if isinstance(s, Loop):
            _scopes((*s.test, *s.body, *s.step), inside, owner, found)
        if isinstance(s, Inline):
            call = (inside, s.function, s.variable, s.where)
            _scopes(s.body, (*inside, found.setdefault(call, len(found) + 1)), owner, found)


def show(program: Program) -> str:
    """Readable text, one statement a line."""
    params = ", ".join(f"{p.type} {p.name}" for p in program.params)
    arrays = [f"  {a.space} {a.name}[{'' if a.elements is None else a.elements}]" for a in program.arrays]
    return "\n".join([f"kernel {program.function}({params})", *arrays, *_lines(program.body, "  ")])


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
            case Loop():
                yield f"{indent}{'loop, first without its test,' if s.post else 'loop'} while {show_expr(s.condition)}"
                yield from _lines(s.test, f"{indent}  test ")
                yield from _lines(s.body, deeper)
                yield from _lines(s.step, f"{indent}  step ")
            case Break() | Continue() | Barrier():
                yield indent + type(s).__name__.lower()
            case Aligned():
                yield f"{indent}aligned {s.buffer}[{show_expr(s.index)}], {s.elements} elements"
            case Shuffle():
                args = ", ".join(show_expr(e) for e in (s.mask, s.value, s.lane, s.width))
                yield f"{indent}{s.variable.name} = shuffle {s.kind} {args}"
