"""What the translation of one kernel keeps: refusals so far, statements being built, variables in scope, calls being inlined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from devsem.errors import Rejection, Where
from devsem.expr import Expr, var
from devsem.frontend.cuda_clang import Cursor, is_expression, type_kind
from devsem.frontend.cuda_types import ANY_OF, BOOLEAN, BY_KIND, POISON, CType, Refused, Value, convert
from devsem.ops import BOOL, F32, Sort
from devsem.program import Statement
from devsem.rejections import rejection

MAX_DEPTH, MAX_CURSORS = 80, 30_000


@dataclass
class State:
    """Grows while one kernel is translated; `blocks` is the stack of statement lists being written."""

    path: str
    value: Callable[[State, Cursor], Value]           # how to translate an expression, and a statement
    statement: Callable[[State, Cursor], None]
    refusals: list[Rejection] = field(default_factory=list)
    blocks: list[list[Statement]] = field(default_factory=lambda: [[]])
    names: dict[str, int] = field(default_factory=dict)
    variables: dict[int, list[tuple[Cursor, Value]]] = field(default_factory=dict)
    buffers: dict[int, list[tuple[Cursor, str]]] = field(default_factory=dict)
    inlining: list[Cursor] = field(default_factory=list)
    results: list[CType] = field(default_factory=list)
    depth: int = 0
    cursors: int = 0

    def where(self, cursor: Cursor) -> Where:
        """A cursor's place in the user's file."""
        at = cursor.extent.start if is_expression(cursor) else cursor.location
        return Where(self.path, at.line, at.column)

    def refuse(self, code: str, cursor: Cursor, **names: str) -> Value:
        """Note a refusal once for each place and code."""
        found = rejection(code, self.where(cursor), **names)
        if all((r.code, r.where) != (found.code, found.where) for r in self.refusals):
            self.refusals.append(found)
        return POISON

    def convert(self, v: Value, to: CType, cursor: Cursor) -> Value:
        """`cuda_types.convert`, its refusal noted at the cursor."""
        try:
            return convert(v, to)
        except Refused as e:
            return self.refuse(e.code, cursor, **e.names)

    @property
    def is_cut(self) -> bool:
        """Has the translation stopped somewhere for depth or size? Then what looks incomplete is our doing."""
        return any(r.code in ("cuda.depth", "cuda.size") for r in self.refusals)

    def as_expr(self, v: Value, sort: Sort, cursor: Cursor) -> Expr:
        """The expression of a value that must have a sort."""
        if v.type is POISON.type:
            return ANY_OF[sort]
        if v.expr.sort == sort:
            return v.expr
        self.refuse("cuda.type", cursor, name=v.type.name)
        return ANY_OF[sort]

    def emit(self, statement: Statement) -> None:
        """Append to the innermost block."""
        self.blocks[-1].append(statement)

    @contextmanager
    def block(self) -> Iterator[list[Statement]]:
        """A statement list of its own."""
        self.blocks.append([])
        try:
            yield self.blocks[-1]
        finally:
            self.blocks.pop()

    @contextmanager
    def deeper(self, cursor: Cursor) -> Iterator[bool]:
        """One level of nesting; false where that, or the whole kernel, has become too much."""
        self.depth += 1
        self.cursors += 1
        try:
            if self.depth > MAX_DEPTH and not self.is_cut:
                self.refuse("cuda.depth", cursor, what="the code")
            if self.cursors == MAX_CURSORS:
                self.refuse("cuda.size", cursor, what="the kernel with its inlined functions is too large")
            yield self.depth <= MAX_DEPTH and self.cursors < MAX_CURSORS
        finally:
            self.depth -= 1

    def fresh(self, name: str, sort: Sort) -> Expr:
        """A variable that no other declaration has: `v`, then `v.1`, `v.2`."""
        n = self.names.get(name, 0)
        self.names[name] = n + 1
        return var(f"{name}.{n}" if n else name, sort)

    def fresh_load(self, buffer: str) -> Expr:
        """The variable of the next load from a buffer: `x@0`, `x@1`."""
        n = self.names.get(buffer + "@", 0)
        self.names[buffer + "@"] = n + 1
        return var(f"{buffer}@{n}", F32)

    def declare(self, cursor: Cursor, value: Value) -> None:
        """What a declaration's name stands for from now on."""
        known = [row for row in self.variables.get(cursor.hash, []) if row[0] != cursor]
        self.variables[cursor.hash] = [*known, (cursor, value)]

    def lookup(self, cursor: Cursor) -> Value | None:
        """What a declaration stands for; None if it is not a local variable or parameter."""
        return next((value for c, value in self.variables.get(cursor.hash, []) if c == cursor), None)

    def buffer(self, cursor: Cursor) -> str | None:
        """The buffer that a parameter's declaration is."""
        return next((name for c, name in self.buffers.get(cursor.hash, []) if c == cursor), None)


def arithmetic_type(state: State, cursor: Cursor) -> CType:
    """The type of an expression or declaration, refused by name where it is no arithmetic type."""
    name = type_kind(cursor.type)
    if name in BY_KIND:
        return BY_KIND[name]
    spelling = str(cursor.type.spelling)
    state.refuse("cuda.lambda" if "(lambda at" in spelling else TYPES.get(name, "cuda.type"), cursor, name=spelling)
    return POISON.type


# libclang's kinds of types that are refused under a name of their own
TYPES = {
    "RECORD": "cuda.struct", "HALF": "cuda.half", "kind 32": "cuda.half", "BFLOAT16": "cuda.half", "kind 39": "cuda.half",
    "POINTER": "cuda.pointer", "LVALUEREFERENCE": "cuda.pointer",
    "RVALUEREFERENCE": "cuda.pointer", "CONSTANTARRAY": "cuda.array", "INCOMPLETEARRAY": "cuda.array", "VARIABLEARRAY": "cuda.array",
    "LONGDOUBLE": "cuda.double", "FUNCTIONPROTO": "cuda.pointer", "NULLPTR": "cuda.pointer",
}


def boolean(state: State, v: Value, cursor: Cursor) -> Expr:
    """A value as a truth value, as `if` takes it."""
    return state.as_expr(state.convert(v, BOOLEAN, cursor), BOOL, cursor)
