"""Records as values, and initialisers: `float4 v = {1, 2, 3, 4}`, `float acc[4] = {0}`."""

from __future__ import annotations

from devsem.expr import bits, const_bool, const_int
from devsem.frontend.cuda_calls import call
from devsem.frontend.cuda_clang import Cursor, children, is_expression, kind, same_extent, type_kind
from devsem.frontend.cuda_memory import CASTS, assign, load, lvalue, parts
from devsem.frontend.cuda_new import captured, new_object
from devsem.frontend.cuda_objects import Object, Place, Record, size
from devsem.frontend.cuda_scope import State, boolean
from devsem.frontend.cuda_shapes import shape_of
from devsem.frontend.cuda_types import BOOLEAN, FLOAT, POISON, CType, Value
from devsem.program import If

MAX_STORES = 4096


def record(state: State, cursor: Cursor) -> Object | None:
    """The value of an expression whose type is a struct; None once it is refused."""
    with state.deeper(cursor) as ok:
        return _record(state, cursor) if ok else None


def _record(state: State, cursor: Cursor) -> Object | None:
    below = [c for c in children(cursor) if is_expression(c)]
    name = kind(cursor)
    if name == "CALL_EXPR" and cursor.referenced is not None and kind(cursor.referenced) == "CONSTRUCTOR":
        if len(below) == 1 and type_kind(below[0].type) in ("RECORD", "LVALUEREFERENCE"):
            return record(state, below[0])
        return _listed(state, cursor, below)
    if name == "CALL_EXPR":
        found = call(state, cursor)
        return None if found is POISON else load(state, found, cursor)
    if name == "INIT_LIST_EXPR":
        return _listed(state, cursor, below)
    if (name == "PAREN_EXPR" or name in CASTS or (name == "UNEXPOSED_EXPR" and same_extent(cursor, below[0]))) and len(below) == 1:
        return record(state, below[0])
    if name == "CONDITIONAL_OPERATOR":
        return _conditional(state, cursor)
    if name == "LAMBDA_EXPR":
        return captured(state, cursor)
    found = load(state, lvalue(state, cursor), cursor)
    return None if found is POISON else found


def _listed(state: State, cursor: Cursor, below: list[Cursor]) -> Object | None:
    """A record of listed values, or of zeros."""
    shape = shape_of(state, cursor.type, cursor, str(cursor.type.spelling))
    if shape is None:
        return None
    made = new_object(state, shape, "value", cursor)
    fill(state, made, list(below), cursor)
    return made


def _conditional(state: State, cursor: Cursor) -> Object | None:
    """c ? a : b, by a branch."""
    condition, yes, no = children(cursor)
    c, shape = boolean(state, state.value(state, condition), condition), shape_of(state, cursor.type, cursor)
    if shape is None:
        return None
    made = new_object(state, shape, "choice", cursor)
    sides = []
    for side in (yes, no):
        with state.block() as body:
            assign(state, made, record(state, side) or POISON, side)
        sides.append(tuple(body))
    state.emit(If(c, sides[0], sides[1], state.where(cursor)))
    return made


def initialize(state: State, target: Object, initial: Cursor) -> None:
    """What a declaration's initialiser sets."""
    if kind(initial) == "INIT_LIST_EXPR" and isinstance(target, Record | Place):
        fill(state, target, [c for c in children(initial) if is_expression(c)], initial)
    elif kind(initial) == "CALL_EXPR" and not [c for c in children(initial) if is_expression(c)] and initial.referenced is not None \
            and kind(initial.referenced) == "CONSTRUCTOR":
        return      # `float4 v;`
    elif isinstance(target, Record):
        assign(state, target, record(state, initial) or POISON, initial)
    elif isinstance(target, Place) and isinstance(target.shape, CType):
        assign(state, target, state.value(state, initial), initial)
    else:
        state.refuse("cuda.array", initial, name="an array set at once")


def fill(state: State, target: Object, items: list[Cursor], cursor: Cursor) -> None:
    """Set an object from a list: braces may be left out, and what the list does not reach is zero."""
    if isinstance(target, Place) and size(target.shape) > MAX_STORES:
        state.refuse("cuda.size", cursor, what=f"an array with an initialiser has more than {MAX_STORES} elements")
        return
    whole = target.fields if isinstance(target, Record) else tuple(parts(target)) if isinstance(target, Place) else ()
    for part in whole:
        inside = isinstance(part, Record) or (isinstance(part, Place) and not isinstance(part.shape, CType))
        if not inside:
            new = state.value(state, items.pop(0)) if items else _zero(part)
            if new.type is not POISON.type:
                assign(state, part, new, cursor)
        elif items and kind(items[0]) == "INIT_LIST_EXPR":
            first = items.pop(0)
            fill(state, part, [c for c in children(first) if is_expression(c)], first)
        elif items and type_kind(items[0].type) == "RECORD":
            assign(state, part, record(state, items.pop(0)) or POISON, cursor)
        else:
            fill(state, part, items, cursor)


def _zero(part: Object) -> Value:
    """The zero of a number's type."""
    to = part.type if isinstance(part, Value) else part.shape if isinstance(part, Place) else POISON.type
    if not isinstance(to, CType):
        return POISON
    return Value(to, bits(0) if to is FLOAT else const_bool(False) if to is BOOLEAN else const_int(to.sort, 0))
