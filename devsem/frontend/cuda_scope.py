"""What the translation of one kernel keeps: refusals so far, statements being built, variables in scope, calls being inlined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from devsem.errors import Bug, Rejection, Where
from devsem.expr import Expr, topo, var
from devsem.frontend.cuda_clang import Cursor, is_expression, type_kind
from devsem.frontend.cuda_objects import Object, Record
from devsem.frontend.cuda_types import ANY_OF, BOOLEAN, BY_KIND, POISON, CType, Refused, Value, convert
from devsem.ops import BOOL, Sort
from devsem.program import BUILTINS, Array, Assign, Statement
from devsem.rejections import rejection

MAX_DEPTH, MAX_CURSORS = 80, 30_000
NUMBERED = re.compile(r"(\.\d+)+$")


@dataclass
class Frame:
    """A function that is being inlined: its declaration, its result's type (VOID for none), the fields of a record that it returns."""

    cursor: Cursor
    result: CType
    record: Record | None = None


@dataclass
class State:
    """Grows while one kernel is translated; `blocks` is the stack of statement lists being written."""

    path: str
    value: Callable[[State, Cursor], Value]           # how to translate an expression, and a statement
    statement: Callable[[State, Cursor], None]
    record: Callable[[State, Cursor], Object | None]
    refusals: list[Rejection] = field(default_factory=list)
    blocks: list[list[Statement]] = field(default_factory=lambda: [[]])
    names: dict[str, int] = field(default_factory=lambda: {b.name: 1 for b in BUILTINS})
    order: dict[Expr, int] = field(default_factory=dict)        # each variable, by when it was made
    objects: dict[int, list[tuple[Cursor, Object]]] = field(default_factory=dict)
    elements: dict[str, CType] = field(default_factory=dict)    # the type of each buffer's elements
    arrays: dict[str, Array] = field(default_factory=dict)
    aligned: dict[str, int] = field(default_factory=dict)       # of each array, to how many bytes its declaration aligns it
    changed: set[int] = field(default_factory=set)              # the hashes of declarations that some expression changes
    inlining: list[Frame] = field(default_factory=list)
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
        return self._made(self.unique(name), sort)

    def _made(self, name: str, sort: Sort) -> Expr:
        made = var(name, sort)
        if made in self.order:
            raise Bug(f"{self.path}: two variables are called {name}")
        self.order[made] = len(self.order)
        return made

    def unique(self, name: str) -> str:
        """A name that nothing else has; the number that another one got does not count."""
        base = NUMBERED.sub("", name)
        n = self.names.get(base, 0)
        self.names[base] = n + 1
        return f"{base}.{n}" if n else base

    def fresh_load(self, buffer: str, sort: Sort) -> Expr:
        """The variable of the next load from a buffer: `x@0`, `x@1`."""
        n = self.names.get(buffer + "@", 0)
        self.names[buffer + "@"] = n + 1
        return self._made(f"{buffer}@{n}", sort)

    def declare(self, cursor: Cursor, what: Object) -> None:
        """What a declaration's name stands for from now on."""
        known = [row for row in self.objects.get(cursor.hash, []) if row[0] != cursor]
        self.objects[cursor.hash] = [*known, (cursor, what)]

    def lookup(self, cursor: Cursor) -> Object | None:
        """What a declaration stands for; None if it is not a local variable or parameter."""
        return next((what for c, what in self.objects.get(cursor.hash, []) if c == cursor), None)

    def frozen(self, v: Value, name: str, cursor: Cursor) -> Value:
        """An integer as it is now, whatever is assigned to its variables later."""
        if all(e in BUILTINS or not e.is_var for e in topo(v.expr)):
            return v
        kept = self.fresh(name, v.type.sort)
        self.emit(Assign(kept, v.expr, self.where(cursor)))
        return Value(v.type, kept)


def arithmetic_type(state: State, cursor: Cursor) -> CType:
    """The type of an expression or declaration, refused by name where it is no arithmetic type."""
    name = type_kind(cursor.type)
    if name == "ENUM":
        name = type_kind(cursor.type.get_canonical().get_declaration().enum_type)
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
