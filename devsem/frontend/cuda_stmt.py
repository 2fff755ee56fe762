"""Statements of the AST: one handler for each kind of cursor, and a row for each kind that is refused by name.

Inside a refused statement the translation goes on, so that every refusal of a kernel is reported at once.
"""

from __future__ import annotations

from collections.abc import Callable

from devsem.expr import const_int
from devsem.frontend.cuda_clang import Cursor, attributes, binary, children, is_expression, kind, same_extent, type_kind, unary
from devsem.frontend.cuda_expr import arithmetic, value
from devsem.frontend.cuda_memory import Place, element, load, store
from devsem.frontend.cuda_scope import State, arithmetic_type, boolean
from devsem.frontend.cuda_types import BOOLEAN, DOUBLE, FLOAT, INT, POISON, VOID, CType, Value, common
from devsem.ops import B32
from devsem.program import Assign, If, Return

LOOPS = {"FOR_STMT": "for", "WHILE_STMT": "while", "DO_STMT": "do", "CXX_FOR_RANGE_STMT": "for"}
REFUSED = {
    "SWITCH_STMT": "cuda.switch", "CASE_STMT": "cuda.switch", "DEFAULT_STMT": "cuda.switch", "GOTO_STMT": "cuda.goto", "INDIRECT_GOTO_STMT": "cuda.goto",
    "LABEL_STMT": "cuda.goto", "ASM_STMT": "cuda.asm", "MS_ASM_STMT": "cuda.asm", "CXX_TRY_STMT": "cuda.exception", "CXX_CATCH_STMT": "cuda.exception",
    **dict.fromkeys(LOOPS, "cuda.loop"),
}
SILENT = frozenset({"NULL_STMT", "BREAK_STMT", "CONTINUE_STMT"})    # the last two stand only inside a loop or switch, which is refused
PARTS = frozenset({"CASE_STMT", "DEFAULT_STMT", "CXX_CATCH_STMT"})       # of a statement that is refused already
NO_CODE = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL", "STATIC_ASSERT", "USING_DECLARATION", "USING_DIRECTIVE"})
RECORDS = frozenset({"STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "ENUM_DECL"})


def statement(state: State, cursor: Cursor) -> None:
    """Translate one statement into the innermost block."""
    with state.deeper(cursor) as ok:
        if not ok or kind(cursor) in SILENT:
            return
        name = kind(cursor)
        if name in HANDLERS:
            HANDLERS[name](state, cursor)
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
        state.refuse(REFUSED[name], cursor, name=LOOPS.get(name, name))
    with state.block():
        for below in children(cursor):
            if not is_expression(below) and not kind(below).endswith("_REF"):
                statement(state, below) if kind(below) != "VAR_DECL" else _variable(state, below)


def _compound(state: State, cursor: Cursor) -> None:
    for below in children(cursor):
        statement(state, below)


def _declarations(state: State, cursor: Cursor) -> None:
    for below in children(cursor):
        name = kind(below)
        if name == "VAR_DECL":
            _variable(state, below)
        elif name not in NO_CODE:
            state.refuse("cuda.struct" if name in RECORDS else "cuda.declaration", below, name=str(below.spelling) or name)


def _variable(state: State, cursor: Cursor) -> None:
    """A local variable. An integer or double constant stands for its value; anything else gets a variable of its own."""
    to, name = _variable_type(state, cursor), str(cursor.spelling)
    state.declare(cursor, POISON if to in (POISON.type, DOUBLE) else Value(to, state.fresh(name, to.sort)))
    variable = state.lookup(cursor) or POISON
    initial = [c for c in children(cursor) if is_expression(c)]
    constant = cursor.type.is_const_qualified()
    if to is DOUBLE and not constant:
        state.refuse("cuda.double", cursor)
    if to is POISON.type or not initial or (to is DOUBLE and not constant):
        return
    v = state.convert(value(state, initial[-1]), to, initial[-1])
    if constant and (to is DOUBLE or (to is not FLOAT and v.expr.is_const)):
        state.declare(cursor, v)
    else:
        state.emit(Assign(variable.expr, v.expr, state.where(cursor)))


def _variable_type(state: State, cursor: Cursor) -> CType:
    """The type of a local variable that may be one; POISON's once refused."""
    name, attrs = str(cursor.spelling), attributes(cursor)
    code = None
    if "CUDASHARED_ATTR" in attrs:
        code = "cuda.shared"
    elif attrs:
        code = "cuda.declaration"
    elif cursor.storage_class.name in ("STATIC", "EXTERN"):
        code = "cuda.static"
    elif cursor.type.is_volatile_qualified():
        code = "cuda.volatile"
    elif type_kind(cursor.type).endswith("ARRAY"):
        code = "cuda.array"
    if code is not None:
        state.refuse(code, cursor, name=name)
        return POISON.type
    return arithmetic_type(state, cursor)


def _if(state: State, cursor: Cursor) -> None:
    below = children(cursor)
    if not is_expression(below[0]) or len(below) not in (2, 3):
        state.refuse("cuda.construct", cursor, name="a declaration in the condition of an if")
        return
    condition = boolean(state, value(state, below[0]), below[0])
    with state.block() as then:
        statement(state, below[1])
    with state.block() as other:
        if len(below) == 3:
            statement(state, below[2])
    state.emit(If(condition, tuple(then), tuple(other), state.where(cursor)))


def _return(state: State, cursor: Cursor) -> None:
    below = children(cursor)
    if not below and state.results and state.results[-1] is not VOID:
        state.refuse("cuda.no_return", cursor, name=str(state.inlining[-1].spelling))
        return
    if not below:
        state.emit(Return(None, state.where(cursor)))
        return
    v = value(state, below[0])
    if not state.results or state.results[-1] is VOID:
        state.refuse("cuda.construct", cursor, name="return of a value")
        return
    state.emit(Return(state.convert(v, state.results[-1], below[0]).expr, state.where(cursor)))


def _expression(state: State, cursor: Cursor) -> None:
    """An assignment or a call; the value of anything else is dropped."""
    name = kind(cursor)
    if name == "PAREN_EXPR" or (name == "UNEXPOSED_EXPR" and len(children(cursor)) == 1 and same_extent(cursor, children(cursor)[0])):
        statement(state, children(cursor)[0])
    elif name == "COMPOUND_ASSIGNMENT_OPERATOR":
        target, right = children(cursor)
        _assign(state, target, value(state, right), binary(cursor)[:-1], cursor)
    elif name == "BINARY_OPERATOR" and binary(cursor) == "=":
        target, right = children(cursor)
        _assign(state, target, value(state, right), "", cursor)
    elif name == "UNARY_OPERATOR" and unary(cursor) in ("++", "--"):
        _assign(state, children(cursor)[0], Value(INT, const_int(B32, 1)), unary(cursor)[0], cursor)
    else:
        value(state, cursor)


def _assign(state: State, target: Cursor, right: Value, operator: str, cursor: Cursor) -> None:
    """target = right, or target = target operator right, in the type that C computes it in."""
    while kind(target) == "PAREN_EXPR":
        target = children(target)[0]
    place: Place | None = None
    if kind(target) == "DECL_REF_EXPR":
        old = value(state, target)
    elif arithmetic_type(state, target) is not FLOAT or (place := element(state, target)) is None:
        return
    else:
        old = load(state, place, target) if operator else Value(FLOAT, POISON.expr)
    new = _combined(state, old, right, operator, cursor) if operator else right
    if POISON.type in (old.type, new.type):
        return
    new = state.convert(new, old.type, cursor)
    if place is not None:
        store(state, place, new.expr, cursor)
    elif old.expr.is_var:
        state.emit(Assign(old.expr, new.expr, state.where(cursor)))
    else:
        state.refuse("cuda.construct", cursor, name="assignment to a constant")


def _combined(state: State, old: Value, right: Value, operator: str, cursor: Cursor) -> Value:
    """old operator right, after C's usual conversions."""
    if POISON.type in (old.type, right.type):
        return POISON
    if old.type is BOOLEAN:
        return state.refuse("cuda.bool_to_int", cursor)
    to = common(old.type, right.type)
    if to is DOUBLE:
        return state.refuse("cuda.double", cursor)
    return arithmetic(state, operator, state.convert(old, to, cursor), state.convert(right, to, cursor), cursor)


HANDLERS: dict[str, Callable[[State, Cursor], None]] = {
    "COMPOUND_STMT": _compound, "DECL_STMT": _declarations, "IF_STMT": _if, "RETURN_STMT": _return,
}
