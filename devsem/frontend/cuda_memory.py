"""Places in the kernel's buffers: `x[i]`, `*(x + i)`, `&x[i]`, as a buffer's name and an index."""

from __future__ import annotations

from dataclasses import dataclass

from devsem.expr import Expr, const_int
from devsem.frontend.cuda_clang import Cursor, binary, children, kind, same_extent, type_kind, unary
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_types import FLOAT, INT, LONG, POISON, Value, convert
from devsem.ops import B32
from devsem.program import Load, Store
from devsem.simplify import make


@dataclass(frozen=True)
class Place:
    """A buffer's element; `index` is of an integer type."""

    buffer: str
    index: Value


ZERO = Value(INT, const_int(B32, 0))
POINTERS = frozenset({"POINTER", "CONSTANTARRAY", "INCOMPLETEARRAY"})


def element(state: State, cursor: Cursor) -> Place | None:
    """The place that an lvalue names; None once it is refused."""
    match kind(cursor):
        case "PAREN_EXPR":
            return element(state, children(cursor)[0])
        case "ARRAY_SUBSCRIPT_EXPR":
            return _offset(state, *children(cursor))
        case "UNARY_OPERATOR" if unary(cursor) == "*":
            return pointer(state, children(cursor)[0])
    if kind(cursor) == "MEMBER_REF_EXPR":
        state.value(state, cursor)
    else:
        state.refuse("cuda.pointer", cursor)
    return None


def pointer(state: State, cursor: Cursor) -> Place | None:
    """The place that a pointer points to; None once it is refused."""
    below = children(cursor)
    match kind(cursor):
        case "PAREN_EXPR":
            return pointer(state, below[0])
        case "UNEXPOSED_EXPR" if len(below) == 1 and same_extent(cursor, below[0]):
            return pointer(state, below[0])
        case "DECL_REF_EXPR" if cursor.referenced is not None and (name := state.buffer(cursor.referenced)) is not None:
            return Place(name, ZERO)
        case "DECL_REF_EXPR" if cursor.referenced is not None and state.lookup(cursor.referenced) is POISON:
            return None
        case "BINARY_OPERATOR" if binary(cursor) == "+":
            return _offset(state, *below)
        case "UNARY_OPERATOR" if unary(cursor) == "&":
            return element(state, below[0])
    state.refuse("cuda.pointer", cursor)
    return None


def _offset(state: State, a: Cursor, b: Cursor) -> Place | None:
    """pointer + integer, in either order, as `[]` and `+` have it."""
    base, by = (a, b) if type_kind(a.type) in POINTERS else (b, a)
    place, index = pointer(state, base), state.value(state, by)
    if place is None or index.type is POISON.type:
        return None
    if not index.type.is_int:
        state.refuse("cuda.type", by, name=f"{index.type.name} as an index")
        return None
    if place.index is ZERO:
        return Place(place.buffer, index)
    return Place(place.buffer, Value(LONG, make("add_b64", convert(place.index, LONG).expr, convert(index, LONG).expr)))


def load(state: State, place: Place | None, cursor: Cursor) -> Value:
    """The element's value, loaded by a statement."""
    if place is None:
        return POISON
    variable = state.fresh_load(place.buffer)
    state.emit(Load(variable, place.buffer, place.index.expr, state.where(cursor)))
    return Value(FLOAT, variable)


def store(state: State, place: Place, value: Expr, cursor: Cursor) -> None:
    """Write the element."""
    state.emit(Store(place.buffer, place.index.expr, value, state.where(cursor)))
