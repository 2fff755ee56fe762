"""Objects that an expression names: `x[i]`, `*(x + i)`, `&x[i]`, `v.x`, `p->x`, casts of pointers; loading and storing them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from devsem.expr import Expr, const_int, variables
from devsem.frontend.cuda_clang import Cursor, binary, children, is_expression, is_postfix, kind, same_extent, type_kind, unary
from devsem.frontend.cuda_objects import ZERO, Address, Object, Place, Pointer, Record, Row, Struct, expressions, further, moved, size
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_shapes import element_type, shape_of
from devsem.frontend.cuda_types import INT, LONG, POISON, CType, Value, convert
from devsem.ops import B32, B64
from devsem.program import Aligned, Assign, Load, Store
from devsem.simplify import make

POINTERS = frozenset({"POINTER", "CONSTANTARRAY", "INCOMPLETEARRAY"})
CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_CONST_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"})
BYTE = CType("char", B32)       # elements of a shared array whose real type a cast will tell


def lvalue(state: State, cursor: Cursor) -> Object | None:
    """The object that an lvalue names; None once it is refused."""
    below = children(cursor)
    match kind(cursor):
        case "PAREN_EXPR":
            return lvalue(state, below[0])
        case "UNEXPOSED_EXPR" if len(below) == 1 and same_extent(cursor, below[0]) and type_kind(below[0].type) == type_kind(cursor.type):
            return lvalue(state, below[0])
        case "DECL_REF_EXPR" if cursor.referenced is not None and (found := state.lookup(cursor.referenced)) is not None:
            return None if found is POISON else found
        case "DECL_REF_EXPR":
            v = state.value(state, cursor)
            return None if v.type is POISON.type else v
        case "ARRAY_SUBSCRIPT_EXPR":
            return _pointed(state, _offset(state, below[0], below[1], 1), cursor)
        case "UNARY_OPERATOR" if unary(cursor) == "*":
            return _pointed(state, pointer(state, below[0]), cursor)
        case "MEMBER_REF_EXPR" if below and is_expression(below[0]):
            return member(state, cursor, below[0])
        case name if name in ("CALL_EXPR", "INIT_LIST_EXPR", "CONDITIONAL_OPERATOR", *CASTS) and type_kind(cursor.type) == "RECORD":
            return state.record(state, cursor)
    state.refuse("cuda.pointer", cursor)
    return None


def member(state: State, cursor: Cursor, base: Cursor) -> Object | None:
    """`v.x` or `p->x`."""
    whole = _pointed(state, pointer(state, base), base) if type_kind(base.type) == "POINTER" else lvalue(state, base)
    name = str(cursor.spelling)
    if isinstance(whole, Record):
        return whole.get(name)
    if not isinstance(whole, Place) or not isinstance(whole.shape, Struct):
        if whole is not None:
            state.refuse("cuda.struct", cursor, name=name)
        return None
    _align(state, whole, cursor)
    at = 0
    for field, shape in whole.shape.fields:
        if field == name:
            return Place(whole.buffer, further(whole.index, at), shape)
        at += size(shape)
    state.refuse("cuda.struct", cursor, name=name)
    return None


def _align(state: State, place: Place, cursor: Cursor) -> None:
    """Note that one of CUDA's vectors stands at a multiple of its size."""
    if isinstance(place.shape, Struct) and place.shape.is_vector:
        state.emit(Aligned(place.buffer, place.index.expr, len(place.shape.fields), state.where(cursor)))


def _pointed(state: State, to: Pointer | Address | None, cursor: Cursor) -> Object | None:
    """What a pointer points to."""
    if isinstance(to, Pointer):
        if to.to is BYTE:
            state.refuse("cuda.reinterpret", cursor)
            return None
        return Place(to.buffer, to.index, to.to)
    return to.target if to is not None else None


def pointer(state: State, cursor: Cursor) -> Pointer | Address | None:
    """What a pointer, or an array where it decays to one, is; None once it is refused."""
    below = [c for c in children(cursor) if is_expression(c)]
    name = kind(cursor)
    if name == "PAREN_EXPR":
        return pointer(state, below[0])
    if name == "UNEXPOSED_EXPR" and len(below) == 1 and same_extent(cursor, below[0]) and type_kind(below[0].type) in POINTERS:
        return pointer(state, below[0])
    if type_kind(cursor.type) != "POINTER" and name in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "UNARY_OPERATOR"):
        return _decayed(state, lvalue(state, cursor), cursor)
    match name:
        case "DECL_REF_EXPR" | "MEMBER_REF_EXPR":
            return _decayed(state, lvalue(state, cursor), cursor)
        case "BINARY_OPERATOR" if binary(cursor) in ("+", "-"):
            return _offset(state, below[0], below[1], -1 if binary(cursor) == "-" else 1)
        case "UNARY_OPERATOR" if unary(cursor) == "&":
            return _address(lvalue(state, below[0]))
        case "UNARY_OPERATOR" if unary(cursor) in ("++", "--"):
            return stepped(state, cursor)
    if name in CASTS and len(below) == 1:
        return _cast(state, cursor, pointer(state, below[0]))
    state.refuse("cuda.pointer", cursor)
    return None


def _decayed(state: State, found: Object | None, cursor: Cursor) -> Pointer | Address | None:
    """An array as a pointer to its first element; a pointer as itself."""
    if found is None or isinstance(found, Pointer | Address):
        return found
    if isinstance(found, Place) and isinstance(found.shape, Row):
        return Pointer(found.buffer, found.index, found.shape.of)
    state.refuse("cuda.pointer", cursor)
    return None


def _address(found: Object | None) -> Pointer | Address | None:
    if isinstance(found, Place):
        return Pointer(found.buffer, found.index, found.shape)
    return None if found is None else Address(found)


def stepped(state: State, cursor: Cursor, used: bool = True) -> Pointer | None:
    """`p++` and its kind: the pointer before it, or after; `used` says whether anything asks for it."""
    old = pointer(state, children(cursor)[0])
    if not isinstance(old, Pointer) or not old.index.expr.is_var:
        if old is not None:
            state.refuse("cuda.pointer", cursor)
        return None
    before = replace(old, index=state.frozen(old.index, old.index.expr.name, cursor)) if used and is_postfix(cursor) else old
    advance(state, old, Value(INT, const_int(B32, 1 if unary(cursor) == "++" else -1)), cursor)
    return before


def advance(state: State, p: Pointer, by: Value, cursor: Cursor) -> None:
    """p += by."""
    if p.index.expr.is_var:
        state.emit(Assign(p.index.expr, moved(p.index, by, size(p.to)).expr, state.where(cursor)))
    else:
        state.refuse("cuda.pointer", cursor)


def _cast(state: State, cursor: Cursor, found: Pointer | Address | None) -> Pointer | Address | None:
    """A pointer read as one to another type: of the same numbers, so that `float4` is four `float`s."""
    if found is None or isinstance(found, Address):
        if found is not None:
            state.refuse("cuda.reinterpret", cursor)
        return None
    to = shape_of(state, cursor.type.get_canonical().get_pointee(), cursor)
    element = element_type(to)
    if to is None or element is None:
        if to is not None:
            state.refuse("cuda.reinterpret", cursor)
        return None
    if state.elements[found.buffer] is BYTE and found.index is ZERO:
        state.elements[found.buffer] = element
        state.arrays[found.buffer] = replace(state.arrays[found.buffer], sort=element.sort)
    if state.elements[found.buffer].sort != element.sort or state.elements[found.buffer] is BYTE or (found.to is BYTE and found.index is not ZERO):
        state.refuse("cuda.reinterpret", cursor)
        return None
    return Pointer(found.buffer, found.index, to)


def _offset(state: State, a: Cursor, b: Cursor, sign: int) -> Pointer | Address | None:
    """pointer + integer, in either order, as `[]` and `+` have it; pointer - integer."""
    base, by = (a, b) if type_kind(a.type) in POINTERS else (b, a)
    if type_kind(by.type) in POINTERS:
        state.refuse("cuda.pointer", by)
        return None
    start, index = (pointer(state, base), state.value(state, by)) if base is a else (state.value(state, by), pointer(state, base))[::-1]
    if start is None or not isinstance(index, Value) or index.type is POISON.type:
        return None
    if not index.type.is_int:
        state.refuse("cuda.type", by, name=f"{index.type.name} as an index")
        return None
    if isinstance(start, Address):
        if index.expr.is_const and index.expr.value == 0:
            return start
        state.refuse("cuda.pointer", base)
        return None
    if sign < 0:
        index = Value(LONG, make("sub_b64", const_int(B64, 0), convert(index, LONG).expr))
    return Pointer(start.buffer, moved(start.index, index, size(start.to)), start.to)


def load(state: State, found: Object | None, cursor: Cursor) -> Object:
    """The object's value: read from memory by statements; anything else is what it is."""
    if found is None:
        return POISON
    if not isinstance(found, Place):
        return found
    match found.shape:
        case CType():
            variable = state.fresh_load(found.buffer, found.shape.sort)
            state.emit(Load(variable, found.buffer, found.index.expr, state.where(cursor)))
            return Value(found.shape, variable)
        case Struct():
            _align(state, found, cursor)
            return Record(found.shape, tuple(load(state, part, cursor) for part in parts(found)))
    return state.refuse("cuda.array", cursor, name="an array as a value")


def parts(found: Place) -> Iterator[Place]:
    """The fields or elements of an object in memory."""
    shapes = [s for _, s in found.shape.fields] if isinstance(found.shape, Struct) else \
        [found.shape.of] * (found.shape.count or 0) if isinstance(found.shape, Row) else []
    at = 0
    for shape in shapes:
        yield Place(found.buffer, further(found.index, at), shape)
        at += size(shape)


def assign(state: State, target: Object, new: Object, cursor: Cursor) -> None:
    """target = new, field by field for a record."""
    if isinstance(target, Record) or (isinstance(target, Place) and isinstance(target.shape, Struct)):
        if isinstance(new, Record):
            _assign_record(state, target, new, cursor)
        elif new is not POISON:
            state.refuse("cuda.struct", cursor, name="another type")
        return
    if isinstance(target, Value | Place) and isinstance(new, Value):
        to = target.type if isinstance(target, Value) else target.shape
        if isinstance(to, CType):
            _assign_number(state, target, state.convert(new, to, cursor).expr, cursor)
            return
    if isinstance(target, Pointer) and isinstance(new, Pointer) and target.index.expr.is_var and (target.buffer, target.to) == (new.buffer, new.to):
        state.emit(Assign(target.index.expr, convert(new.index, LONG).expr, state.where(cursor)))
        return
    state.refuse("cuda.pointer", cursor)


def _assign_number(state: State, target: Value | Place, new: Expr, cursor: Cursor) -> None:
    if isinstance(target, Place):
        state.emit(Store(target.buffer, target.index.expr, new, state.where(cursor)))
    elif target.expr.is_var:
        state.emit(Assign(target.expr, new, state.where(cursor)))
    else:
        state.refuse("cuda.construct", cursor, name="assignment to a constant")


def _assign_record(state: State, target: Record | Place, new: Record, cursor: Cursor) -> None:
    """All fields at once: where one is read after another is set, as in `v = {v.y, v.x}`, all are kept first."""
    if isinstance(target, Place):
        _align(state, target, cursor)
        fields: list[Object] = list(parts(target))
    else:
        fields = list(target.fields)
        changed = set(expressions(target))
        if any(changed.intersection(variables(*expressions(v))) for v in new.fields):
            new = kept(state, new, cursor)
    for field, v in zip(fields, new.fields, strict=True):
        assign(state, field, v, cursor)


def kept(state: State, record: Record, cursor: Cursor) -> Record:
    """A record's fields as they are now."""
    fields = []
    for (name, _), v in zip(record.shape.fields, record.fields, strict=True):
        if isinstance(v, Value) and not v.expr.is_const:
            copy = state.fresh(name, v.type.sort)
            state.emit(Assign(copy, v.expr, state.where(cursor)))
            v = Value(v.type, copy)
        fields.append(kept(state, v, cursor) if isinstance(v, Record) else v)
    return Record(record.shape, tuple(fields))
