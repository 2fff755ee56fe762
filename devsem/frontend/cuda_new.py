"""New objects for declarations: variables, records of variables, arrays, pointers; and what a lambda captures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from devsem.frontend.cuda_aligned import declared
from devsem.frontend.cuda_clang import Cursor, binary, children, descendants, is_expression, kind, type_kind, unary
from devsem.frontend.cuda_memory import BYTE, kept
from devsem.frontend.cuda_objects import ZERO, Lambda, Object, Place, Pointer, Record, Row, Shape, Struct, size
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_shapes import element_type
from devsem.frontend.cuda_types import LONG, POISON, CType, Value, convert
from devsem.ops import B64
from devsem.program import Array, Assign


def new_object(state: State, shape: Shape, name: str, cursor: Cursor) -> Object:
    """A new local object: a variable for each number, an array in the thread's own memory."""
    match shape:
        case CType():
            return Value(shape, state.fresh(name, shape.sort))
        case Struct():
            return Record(shape, tuple(new_object(state, inner, f"{name}.{field}", cursor) for field, inner in shape.fields))
        case Row():
            return new_array(state, shape, name, "local", cursor)


def new_array(state: State, shape: Shape, name: str, space: Literal["shared", "local"], cursor: Cursor) -> Object:
    """A new array; POISON where its elements are no numbers of one type."""
    element = BYTE if isinstance(shape, Row) and shape.of is BYTE else element_type(shape)
    if not isinstance(element, CType):
        return state.refuse("cuda.array", cursor, name=name)
    unique = state.unique(name)
    state.elements[unique] = element
    state.aligned[unique] = declared(shape, cursor)
    elements = None if isinstance(shape, Row) and shape.count is None else size(shape)
    state.arrays[unique] = Array(unique, element.sort, elements, space, state.where(cursor))
    return Place(unique, ZERO, shape)


def new_pointer(state: State, cursor: Cursor, to: Pointer) -> None:
    """A pointer that a name stands for: with a variable for its index where something assigns to it."""
    name = str(cursor.spelling) or "unnamed"
    if cursor.hash in state.changed:
        index = state.fresh(name, B64)
        state.emit(Assign(index, convert(to.index, LONG).expr, state.where(cursor)))
        state.declare(cursor, replace(to, index=Value(LONG, index)))
    else:
        state.declare(cursor, replace(to, index=state.frozen(to.index, name, cursor)))


def note_changes(state: State, function: Cursor) -> None:
    """Find the pointers that a function assigns to, or hands to something that may."""
    if function.hash in state.changed:
        return
    state.changed.add(function.hash)
    for c in descendants(function):
        changed: list[Cursor] = []
        match kind(c):
            case "UNARY_OPERATOR" if unary(c) in ("++", "--", "&"):
                changed = children(c)[:1]
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                changed = children(c)[:1]
            case "BINARY_OPERATOR" if binary(c) == "=":
                changed = children(c)[:1]
            case "CALL_EXPR" | "VAR_DECL":
                changed = [x for x in children(c) if is_expression(x)]
        state.changed.update(x.referenced.hash for x in map(_bare, changed) if kind(x) == "DECL_REF_EXPR" and x.referenced is not None
                             and type_kind(x.type) == "POINTER")


def _bare(cursor: Cursor) -> Cursor:
    """An expression without its parentheses."""
    while kind(cursor) == "PAREN_EXPR":
        cursor = children(cursor)[0]
    return cursor


def lambda_of(state: State, call: Cursor) -> Lambda | None:
    """The lambda that a call of `operator()` calls; None if it is no lambda of ours."""
    cursor = children(call)[0]
    while kind(cursor) in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(children(cursor)) == 1:
        cursor = children(cursor)[0]
    if kind(cursor) == "LAMBDA_EXPR":
        return captured(state, cursor)
    found = state.lookup(cursor.referenced) if kind(cursor) == "DECL_REF_EXPR" and cursor.referenced is not None else None
    return found if isinstance(found, Lambda) else None


def captured(state: State, cursor: Cursor) -> Lambda | None:
    """A lambda where it is made: what it captures by value is kept as it is now. None once it is refused."""
    words = list(_captures(cursor))
    if "this" in words or "*" in words or any(w == "=" and i for i, w in enumerate(words)):
        state.refuse("cuda.lambda", cursor)
        return None
    copies = {w for i, w in enumerate(words) if w.isidentifier() and words[i - 1:i] != ["&"]}
    everything = words[:1] == ["="]
    references = {w for i, w in enumerate(words) if w.isidentifier() and words[i - 1:i] == ["&"]}
    found: dict[int, tuple[Cursor, Object]] = {}
    for c in descendants(cursor):
        declared = c.referenced if kind(c) == "DECL_REF_EXPR" else None
        what = None if declared is None or declared.hash in found else state.lookup(declared)
        if what is None or declared is None or what is POISON:
            continue
        if declared.spelling in copies or (everything and declared.spelling not in references):
            copy = _copied(state, what, str(declared.spelling), c)
            if copy is None:
                return None
            found[declared.hash] = (declared, copy)
    return Lambda(cursor, tuple(found.values()))


def _captures(cursor: Cursor) -> Iterator[str]:
    """The words between a lambda's brackets."""
    tokens = [t.spelling for t in cursor.get_tokens()]
    return iter(tokens[1:tokens.index("]")] if tokens[:1] == ["["] and "]" in tokens else ["this"])


def _copied(state: State, what: Object, name: str, cursor: Cursor) -> Object | None:
    """An object that a lambda holds a copy of."""
    match what:
        case Value():
            return state.frozen(what, name, cursor)
        case Pointer():
            return replace(what, index=state.frozen(what.index, name, cursor))
        case Record():
            return kept(state, what, cursor)
        case Lambda():
            return what
    state.refuse("cuda.lambda", cursor)
    return None
