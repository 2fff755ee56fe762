"""Statements of the AST: one handler for each kind of cursor, and a row for each kind that is refused by name.

Inside a refused statement the translation goes on, so that every refusal of a kernel is reported at once.
"""

from __future__ import annotations

from collections.abc import Callable

from devsem.frontend.cuda_assign import assignment, is_assignment
from devsem.frontend.cuda_clang import Cursor, attributes, binary, children, is_expression, kind, same_extent, type_kind
from devsem.frontend.cuda_expr import value
from devsem.frontend.cuda_loops import LOOPS, loop, switch
from devsem.frontend.cuda_memory import BYTE, POINTERS, lvalue, pointer
from devsem.frontend.cuda_new import captured, new_array, new_object, new_pointer
from devsem.frontend.cuda_objects import Place, Pointer, Row, Shape
from devsem.frontend.cuda_record import initialize, record
from devsem.frontend.cuda_scope import State, arithmetic_type, boolean
from devsem.frontend.cuda_shapes import shape_of
from devsem.frontend.cuda_types import DOUBLE, FLOAT, POISON, VOID, Value
from devsem.program import Assign, Break, Continue, If, Return

REFUSED = {
    "CASE_STMT": "cuda.switch", "DEFAULT_STMT": "cuda.switch", "GOTO_STMT": "cuda.goto", "INDIRECT_GOTO_STMT": "cuda.goto",
    "LABEL_STMT": "cuda.goto", "ASM_STMT": "cuda.asm", "MS_ASM_STMT": "cuda.asm", "CXX_TRY_STMT": "cuda.exception", "CXX_CATCH_STMT": "cuda.exception",
    "CXX_FOR_RANGE_STMT": "cuda.range_for",
}
SILENT = frozenset({"NULL_STMT"})
PARTS = frozenset({"CXX_CATCH_STMT"})       # of a statement that is refused already
NO_CODE = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL", "STATIC_ASSERT", "USING_DECLARATION", "USING_DIRECTIVE", "ENUM_DECL", "STRUCT_DECL", "CLASS_DECL"})
BYTES = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR"})


def statement(state: State, cursor: Cursor) -> None:
    """Translate one statement into the innermost block."""
    with state.deeper(cursor) as ok:
        if not ok or kind(cursor) in SILENT:
            return
        name, below = kind(cursor), children(cursor)
        if name in HANDLERS:
            HANDLERS[name](state, cursor)
        elif name == "UNEXPOSED_STMT" and below and kind(below[-1]) in LOOPS:      # with a `#pragma unroll`
            statement(state, below[-1])
        elif name in REFUSED:
            _refused(state, cursor)
        elif is_expression(cursor):
            _expression(state, cursor)
        else:
            state.refuse("cuda.construct", cursor, name=name)


def _refused(state: State, cursor: Cursor) -> None:
    """Refuse a statement, and look for more inside it."""
    name = kind(cursor)
    if name not in PARTS:
        state.refuse(REFUSED[name], cursor, name=name)
    if name == "CXX_FOR_RANGE_STMT":        # what is inside uses variables of the compiler's
        return
    with state.block():
        for below in children(cursor):
            if not is_expression(below) and not kind(below).endswith("_REF"):
                statement(state, below) if kind(below) != "VAR_DECL" else variable(state, below)


def _compound(state: State, cursor: Cursor) -> None:
    for below in children(cursor):
        statement(state, below)


def _declarations(state: State, cursor: Cursor) -> None:
    for below in children(cursor):
        name = kind(below)
        if name == "VAR_DECL":
            variable(state, below)
        elif name not in NO_CODE:
            state.refuse("cuda.struct" if name == "UNION_DECL" else "cuda.declaration", below, name=str(below.spelling) or name)


def variable(state: State, cursor: Cursor) -> None:
    """A local variable."""
    attrs, name, shape = attributes(cursor), str(cursor.spelling), type_kind(cursor.type)
    initial = [c for c in children(cursor) if is_expression(c)]
    if attrs - {"ALIGNED_ATTR"} == {"CUDASHARED_ATTR"}:
        _shared(state, cursor)
    elif attrs or cursor.storage_class.name == "EXTERN" or (cursor.storage_class.name == "STATIC" and not cursor.type.is_const_qualified()):
        state.refuse("cuda.declaration" if attrs else "cuda.static", cursor, name=name)
        state.declare(cursor, POISON)
    elif cursor.type.is_volatile_qualified():
        state.refuse("cuda.volatile", cursor, name=name)
        state.declare(cursor, POISON)
    elif shape == "POINTER":
        to = pointer(state, initial[-1]) if initial else None
        if not initial:
            state.refuse("cuda.pointer", cursor)
        if isinstance(to, Pointer):
            new_pointer(state, cursor, to)
        else:
            state.declare(cursor, to or POISON)
    elif shape == "LVALUEREFERENCE":
        if initial:
            _reference(state, cursor, initial[-1])
        else:
            state.refuse("cuda.pointer", cursor)
            state.declare(cursor, POISON)
    elif shape in ("RECORD", *POINTERS, "VARIABLEARRAY"):
        _aggregate(state, cursor, initial if shape == "RECORD" else _initializer(cursor, initial))
    else:
        _number(state, cursor, initial)


def _initializer(cursor: Cursor, below: list[Cursor]) -> list[Cursor]:
    """An array's initialiser, apart from its sizes, which stand before the name's end."""
    return [c for c in below[-1:] if kind(c) == "INIT_LIST_EXPR"]


def _number(state: State, cursor: Cursor, initial: list[Cursor]) -> None:
    """A number. An integer or double constant stands for its value; anything else gets a variable of its own."""
    to, name, constant = arithmetic_type(state, cursor), str(cursor.spelling), cursor.type.is_const_qualified()
    made = POISON if to in (POISON.type, DOUBLE) else Value(to, state.fresh(name, to.sort))
    state.declare(cursor, made)
    if to is DOUBLE and not constant:
        state.refuse("cuda.double", cursor)
    if to is POISON.type or not initial or (to is DOUBLE and not constant):
        return
    v = state.convert(value(state, initial[-1]), to, initial[-1])
    if constant and (to is DOUBLE or (to is not FLOAT and v.expr.is_const)):
        state.declare(cursor, v)
    elif cursor.storage_class.name == "STATIC" and not v.expr.is_const:
        state.refuse("cuda.static", cursor, name=name)
    else:
        state.emit(Assign(made.expr, v.expr, state.where(cursor)))


def _reference(state: State, cursor: Cursor, initial: Cursor) -> None:
    """Another name for an object."""
    found = lvalue(state, initial)
    if isinstance(found, Place):
        found = Place(found.buffer, state.frozen(found.index, str(cursor.spelling), cursor), found.shape)
    state.declare(cursor, found or POISON)


def _aggregate(state: State, cursor: Cursor, initial: list[Cursor]) -> None:
    """A record, an array, or a lambda."""
    name = str(cursor.spelling)
    if initial and kind(initial[-1]) == "LAMBDA_EXPR":
        state.declare(cursor, captured(state, initial[-1]) or POISON)
        return
    shape = shape_of(state, cursor.type, cursor, name)
    if shape is None or (isinstance(shape, Row) and shape.count is None):
        if shape is not None:
            state.refuse("cuda.array", cursor, name=name)
        state.declare(cursor, POISON)
        return
    made = new_object(state, shape, name, cursor)
    state.declare(cursor, made)
    if initial and made is not POISON:
        initialize(state, made, initial[-1])


def _shared(state: State, cursor: Cursor) -> None:
    """A __shared__ array or variable: one for the block, however often its function is inlined; all `extern` ones are one memory."""
    if state.lookup(cursor) is not None:
        return
    if [c for c in children(cursor) if is_expression(c) and kind(c) in ("INIT_LIST_EXPR",)]:
        state.refuse("cuda.declaration", cursor, name=str(cursor.spelling))
    outer = cursor.type.get_canonical()
    if cursor.storage_class.name == "EXTERN" and type_kind(outer) == "INCOMPLETEARRAY" and type_kind(outer.element_type) in BYTES:
        shape: Shape | None = Row(None, BYTE)
    else:
        shape = shape_of(state, cursor.type, cursor, str(cursor.spelling))
    if shape is None:
        state.declare(cursor, POISON)
        return
    if isinstance(shape, Row) and shape.count is None and (cursor.storage_class.name != "EXTERN" or any(a.elements is None for a in state.arrays.values())):
        state.refuse("cuda.shared", cursor, name=str(cursor.spelling))
        state.declare(cursor, POISON)
        return
    state.declare(cursor, new_array(state, shape, str(cursor.spelling), "shared", cursor))


def _if(state: State, cursor: Cursor) -> None:
    below = children(cursor)
    if kind(below[0]) == "VAR_DECL" and len(below) > 2:
        variable(state, below.pop(0))
    elif kind(below[0]) == "DECL_STMT" and len(below) > 2:
        _declarations(state, below.pop(0))
    if not is_expression(below[0]) or len(below) not in (2, 3):
        state.refuse("cuda.construct", cursor, name="such a condition of an if")
        return
    condition = boolean(state, value(state, below[0]), below[0])
    with state.block() as then:
        statement(state, below[1])
    with state.block() as other:
        if len(below) == 3:
            statement(state, below[2])
    state.emit(If(condition, tuple(then), tuple(other), state.where(cursor)))


def _return(state: State, cursor: Cursor) -> None:
    below, frame = children(cursor), state.inlining[-1] if state.inlining else None
    if not below and frame is not None and (frame.result is not VOID or frame.record is not None):
        state.refuse("cuda.no_return", cursor, name=str(frame.cursor.spelling))
        return
    if not below:
        state.emit(Return(None, state.where(cursor)))
        return
    if frame is not None and frame.record is not None:
        initialize(state, frame.record, below[0])
        state.emit(Return(None, state.where(cursor)))
        return
    v = value(state, below[0])
    if frame is None or frame.result is VOID:
        if v.type not in (VOID, POISON.type):
            state.refuse("cuda.construct", cursor, name="return of a value")
        state.emit(Return(None, state.where(cursor)))
        return
    state.emit(Return(state.convert(v, frame.result, below[0]).expr, state.where(cursor)))


def _expression(state: State, cursor: Cursor) -> None:
    """An assignment or a call; the value of anything else is dropped."""
    name = kind(cursor)
    if name == "PAREN_EXPR" or (name == "UNEXPOSED_EXPR" and len(children(cursor)) == 1 and same_extent(cursor, children(cursor)[0])):
        statement(state, children(cursor)[0])
    elif is_assignment(cursor):
        assignment(state, cursor, used=False)
    elif name == "BINARY_OPERATOR" and binary(cursor) == ",":
        for below in children(cursor):
            statement(state, below)
    elif type_kind(cursor.type) in ("RECORD", "LVALUEREFERENCE"):
        record(state, cursor)
    else:
        value(state, cursor)


HANDLERS: dict[str, Callable[[State, Cursor], None]] = {
    "COMPOUND_STMT": _compound, "DECL_STMT": _declarations, "IF_STMT": _if, "RETURN_STMT": _return,
    **dict.fromkeys(LOOPS, loop), "SWITCH_STMT": switch,
    "BREAK_STMT": lambda state, cursor: state.emit(Break(state.where(cursor))),
    "CONTINUE_STMT": lambda state, cursor: state.emit(Continue(state.where(cursor))),
}
