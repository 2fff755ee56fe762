"""Expressions of the AST to values: one handler for each kind of cursor, and a row for each kind that is refused by name.

What cannot stay inside an expression becomes statements before it: loads, inlined calls, assignments, and branches of `?:`, `&&`
and `||` that need either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from devsem.expr import const, const_bool, const_int
from devsem.frontend.cuda_arith import COMPARE, OPERATORS, arithmetic, choose, compare
from devsem.frontend.cuda_assign import ASSIGNMENTS, assignment
from devsem.frontend.cuda_calls import call
from devsem.frontend.cuda_clang import Cursor, attributes, binary, children, in_text, is_expression, kind, literal, same_extent, type_kind, unary
from devsem.frontend.cuda_memory import load, lvalue
from devsem.frontend.cuda_names import code_of
from devsem.frontend.cuda_objects import Object
from devsem.frontend.cuda_order import operands
from devsem.frontend.cuda_scope import State, arithmetic_type, boolean
from devsem.frontend.cuda_types import BOOLEAN, BY_KIND, DOUBLE, FLOAT, INT, POISON, UNSIGNED, VOID, Value, double
from devsem.ops import B32, BOOL
from devsem.program import BUILTINS, Assign, If
from devsem.simplify import make

REFUSED = {
    "LAMBDA_EXPR": "cuda.lambda", "BUILTIN_BIT_CAST_EXPR": "cuda.reinterpret", "CXX_REINTERPRET_CAST_EXPR": "cuda.pointer",
    "CXX_CONST_CAST_EXPR": "cuda.pointer", "CXX_NEW_EXPR": "cuda.pointer", "CXX_DELETE_EXPR": "cuda.pointer",
    "CXX_THROW_EXPR": "cuda.exception",
}
WARP = Value(INT, const_int(B32, 32))      # warpSize, of every device


def value(state: State, cursor: Cursor) -> Value:
    """The value of an expression; POISON once something in it is refused."""
    with state.deeper(cursor) as ok:
        if not ok:
            return POISON
        name = kind(cursor)
        if name in HANDLERS:
            return HANDLERS[name](state, cursor)
        return _refuse_kind(state, cursor)


def _refuse_kind(state: State, cursor: Cursor) -> Value:
    """A kind of cursor that has no handler."""
    code = REFUSED.get(kind(cursor), "cuda.construct")
    return state.refuse(code, cursor, name=kind(cursor))


def _inside(state: State, cursor: Cursor) -> Value:
    """Parentheses."""
    return value(state, children(cursor)[0])


def _conversion(state: State, cursor: Cursor) -> Value:
    """A conversion that the compiler adds, or a cast that is written; any other single-child node has tokens of its own."""
    below = [c for c in children(cursor) if is_expression(c)]
    implicit = kind(cursor) == "UNEXPOSED_EXPR"
    if kind(cursor) == "INIT_LIST_EXPR" and not below:
        return state.convert(Value(INT, const_int(B32, 0)), arithmetic_type(state, cursor), cursor)
    if len(below) != 1 or (implicit and not same_extent(cursor, below[0])):
        return _refuse_kind(state, cursor)
    to = arithmetic_type(state, cursor)
    if to is POISON.type:
        return POISON
    is_enumerator = type_kind(cursor.type) == "ENUM" and BY_KIND.get(type_kind(below[0].type)) is to
    if not implicit and to is not VOID and not is_enumerator and type_kind(below[0].type) not in (type_kind(cursor.type), "ENUM"):
        return state.refuse("cuda.reinterpret", cursor)     # clang converts a number below the cast; `(float&)i` it does not
    v = value(state, _truth(below[0]) if to is FLOAT else below[0])
    if to is VOID or v.type in (VOID, POISON.type):
        return Value(VOID, POISON.expr) if to is VOID else POISON
    return state.convert(v, to, cursor)


def _truth(cursor: Cursor) -> Cursor:
    """A truth value that C promotes to int on its way to float, as in `x * (x > 0)`: itself, before the promotion."""
    below = children(cursor)
    if kind(cursor) == "UNEXPOSED_EXPR" and len(below) == 1 and same_extent(cursor, below[0]) and BY_KIND.get(type_kind(below[0].type)) is BOOLEAN:
        return below[0]
    return cursor


def _number(state: State, cursor: Cursor) -> Value:
    """A literal, with the value that the compiler gives it."""
    to = arithmetic_type(state, cursor)
    if to is POISON.type:
        return POISON
    number = literal(cursor)
    if to is DOUBLE:
        return double(float(number))
    return Value(to, const(float(number)) if to is FLOAT else const_bool(bool(number)) if to is BOOLEAN else const_int(to.sort, int(number)))


def _size(state: State, cursor: Cursor) -> Value:
    """sizeof."""
    try:
        return _number(state, cursor)
    except ValueError:
        return _refuse_kind(state, cursor)


def _name(state: State, cursor: Cursor) -> Value:
    """A variable, a parameter or a constant of the file; or the number that stands for a template's parameter."""
    declared, below = cursor.referenced, children(cursor)
    if declared is None:
        return value(state, below[0]) if len(below) == 1 and is_expression(below[0]) else _refuse_kind(state, cursor)
    found = state.lookup(declared)
    if found is not None:
        return _number_of(state, load(state, found, cursor), cursor)
    name = str(declared.spelling)
    if kind(declared) == "ENUM_CONSTANT_DECL":
        to = arithmetic_type(state, cursor)
        return POISON if to is POISON.type else Value(to, const_int(to.sort, int(declared.enum_value)))
    if kind(declared) != "VAR_DECL":
        return state.refuse("cuda.construct", cursor, name=kind(declared))
    if not in_text(declared):
        return WARP if name == "warpSize" else state.refuse(code_of(name) or "cuda.struct", cursor, name=name)
    return _constant(state, cursor, declared)


def _number_of(state: State, found: Object | None, cursor: Cursor) -> Value:
    """An object that must be a number."""
    if isinstance(found, Value):
        return found
    return POISON if found is None else state.refuse("cuda.pointer", cursor)


def _constant(state: State, cursor: Cursor, declared: Cursor) -> Value:
    """A variable outside the kernel: only a constant, whose value the text itself gives."""
    initial = [c for c in children(declared) if is_expression(c)]
    if not declared.type.is_const_qualified() or not attributes(declared) <= {"CUDADEVICE_ATTR"} or len(initial) != 1:
        return state.refuse("cuda.global_variable", cursor, name=str(declared.spelling))
    with state.block() as computed:
        v = value(state, initial[0])
    if v.type is POISON.type or (not computed and (v.type is DOUBLE or v.expr.is_const)):
        return v
    return state.refuse("cuda.global_variable", cursor, name=str(declared.spelling))


def _member(state: State, cursor: Cursor) -> Value:
    """threadIdx.x and its kind; a field of a record."""
    base = children(cursor)
    if len(base) == 1 and kind(base[0]) == "DECL_REF_EXPR" and base[0].referenced is not None and not in_text(base[0].referenced):
        name = f"{base[0].spelling}.{cursor.spelling}"
        builtin = next((b for b in BUILTINS if b.name == name), None)
        return Value(UNSIGNED, builtin) if builtin else state.refuse("cuda.thread_dim", cursor, name=name)
    if cursor.referenced is None or kind(cursor.referenced) != "FIELD_DECL":
        return state.refuse("cuda.struct", cursor, name=str(cursor.spelling))
    return _number_of(state, load(state, lvalue(state, cursor), cursor), cursor)


def _element(state: State, cursor: Cursor) -> Value:
    """x[i] where its value is used."""
    if arithmetic_type(state, cursor) is POISON.type:
        return POISON
    return _number_of(state, load(state, lvalue(state, cursor), cursor), cursor)


def _unary(state: State, cursor: Cursor) -> Value:
    operator = unary(cursor)
    if operator == "*":
        return _element(state, cursor)
    if operator in ("++", "--"):
        return _number_of(state, assignment(state, cursor), cursor)
    if operator == "&":
        return state.refuse("cuda.pointer", cursor)
    if operator not in ("-", "+", "!", "~", "__extension__"):
        return state.refuse("cuda.integer_op", cursor, name=operator)
    v = value(state, children(cursor)[0])
    if v.type is POISON.type or operator in ("+", "__extension__"):
        return v
    if operator == "!":
        return Value(BOOLEAN, make("not", boolean(state, v, cursor)))
    if operator == "~":
        return Value(v.type, make(f"not_{v.type.sort.lower()}", v.expr)) if v.type.is_int else state.refuse("cuda.integer_op", cursor, name=operator)
    if v.type is DOUBLE:
        return double(-v.number)
    return Value(v.type, make("w_neg", v.expr)) if v.type is FLOAT else arithmetic(state, "-", Value(v.type, const_int(v.type.sort, 0)), v, cursor)


def _binary(state: State, cursor: Cursor) -> Value:
    operator = binary(cursor)
    if operator in ASSIGNMENTS:
        return _number_of(state, assignment(state, cursor), cursor)
    left, right = children(cursor)
    if operator in ("&&", "||"):
        return _logical(state, operator, left, right, cursor)
    if operator == ",":
        state.statement(state, left)
        return value(state, right)
    if operator not in COMPARE and operator not in OPERATORS:
        return state.refuse("cuda.construct", cursor, name=operator)
    a, b = operands(state, cursor, [partial(value, state, left), partial(value, state, right)])
    if operator in COMPARE:
        return compare(state, operator, a, b, cursor)
    return arithmetic(state, operator, a, b, cursor)


def _logical(state: State, operator: str, left: Cursor, right: Cursor, cursor: Cursor) -> Value:
    """&& and ||: the right side is computed only where the left one does not decide."""
    a = boolean(state, value(state, left), left)
    with state.block() as computed:
        b = boolean(state, value(state, right), right)
    row = "and" if operator == "&&" else "or"
    if not computed:
        return Value(BOOLEAN, make(row, a, b))
    variable, where = state.fresh(row, BOOL), state.where(cursor)
    long, short = (*computed, Assign(variable, b, where)), (Assign(variable, const_bool(operator == "||"), where),)
    state.emit(If(a, long, short, where) if operator == "&&" else If(a, short, long, where))
    return Value(BOOLEAN, variable)


def _conditional(state: State, cursor: Cursor) -> Value:
    """c ? a : b: a `select`, or a branch where one side has to load or call."""
    condition, yes, no = children(cursor)
    c, to = boolean(state, value(state, condition), condition), arithmetic_type(state, cursor)
    with state.block() as before_a:
        a = value(state, yes)
    with state.block() as before_b:
        b = value(state, no)
    if POISON.type in (a.type, b.type, to):
        return POISON
    if to is DOUBLE or a.type is not to or b.type is not to:
        return state.refuse("cuda.double", cursor)
    if not before_a and not before_b:
        return a if a.expr is b.expr else Value(to, choose(to, c, a.expr, b.expr))
    variable, where = state.fresh("choice", to.sort), state.where(cursor)
    state.emit(If(c, (*before_a, Assign(variable, a.expr, where)), (*before_b, Assign(variable, b.expr, where)), where))
    return Value(to, variable)


def _call(state: State, cursor: Cursor) -> Value:
    return _number_of(state, call(state, cursor), cursor)


HANDLERS: dict[str, Callable[[State, Cursor], Value]] = {
    "PAREN_EXPR": _inside, "UNEXPOSED_EXPR": _conversion, "CSTYLE_CAST_EXPR": _conversion, "CXX_FUNCTIONAL_CAST_EXPR": _conversion,
    "CXX_STATIC_CAST_EXPR": _conversion, "INIT_LIST_EXPR": _conversion, "INTEGER_LITERAL": _number, "FLOATING_LITERAL": _number,
    "CXX_BOOL_LITERAL_EXPR": _number, "CXX_UNARY_EXPR": _size, "DECL_REF_EXPR": _name, "MEMBER_REF_EXPR": _member, "ARRAY_SUBSCRIPT_EXPR": _element,
    "UNARY_OPERATOR": _unary, "BINARY_OPERATOR": _binary, "COMPOUND_ASSIGNMENT_OPERATOR": _binary, "CONDITIONAL_OPERATOR": _conditional, "CALL_EXPR": _call,
}
