"""Assignments, `++` and `--`, as statements and as the values that they have inside an expression."""

from __future__ import annotations

from devsem.expr import const_int, variables
from devsem.frontend.cuda_arith import SHIFTS, arithmetic
from devsem.frontend.cuda_clang import Cursor, binary, children, is_postfix, kind, type_kind, unary
from devsem.frontend.cuda_memory import advance, assign, kept, load, lvalue, pointer, stepped
from devsem.frontend.cuda_objects import Object, Pointer, Record, expressions
from devsem.frontend.cuda_order import changes
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_types import BOOLEAN, DOUBLE, INT, POISON, Value, common
from devsem.ops import B32
from devsem.program import Assign

ONE = Value(INT, const_int(B32, 1))
ASSIGNMENTS = frozenset({"=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="})


def is_assignment(cursor: Cursor) -> bool:
    """Does this expression change its operand?"""
    return kind(cursor) == "COMPOUND_ASSIGNMENT_OPERATOR" or (kind(cursor) == "BINARY_OPERATOR" and binary(cursor) == "=") or \
        (kind(cursor) == "UNARY_OPERATOR" and unary(cursor) in ("++", "--"))


def assignment(state: State, cursor: Cursor, used: bool = True) -> Object:
    """Translate one, and what its value is; `used` says whether anything asks for that."""
    if kind(cursor) == "UNARY_OPERATOR":
        return _step(state, cursor, used)
    left, right = children(cursor)
    return assign_to(state, left, right, binary(cursor)[:-1] if binary(cursor) != "=" else "", cursor)


def assign_to(state: State, left: Cursor, right: Cursor, operator: str, cursor: Cursor) -> Object:
    """left = right, or left = left operator right; the right side comes first, as C++17 has it."""
    is_pointer = type_kind(left.type) == "POINTER"
    new: Object | None = pointer(state, right) if is_pointer and not operator else \
        state.record(state, right) if type_kind(left.type) == "RECORD" else state.value(state, right)
    mark = len(state.order)
    with state.block() as placing:
        target = pointer(state, left) if is_pointer else lvalue(state, left)
    if new is None or target is None or new is POISON:
        return POISON
    if changes(placing, state, mark) & set(variables(*expressions(new))):
        new = state.frozen(new, "value", cursor) if isinstance(new, Value) else kept(state, new, cursor) if isinstance(new, Record) else new
    state.blocks[-1].extend(placing)
    if isinstance(target, Pointer) and operator in ("+", "-") and isinstance(new, Value) and new.type.is_int:
        advance(state, target, new if operator == "+" else arithmetic(state, "-", Value(new.type, const_int(new.type.sort, 0)), new, cursor), cursor)
        return target
    if operator:
        old = load(state, target, left)
        if not isinstance(old, Value) or not isinstance(new, Value):
            return state.refuse("cuda.pointer" if is_pointer else "cuda.struct", cursor, name=operator)
        new = combined(state, old, new, operator, cursor)
        if new.type is POISON.type:
            return POISON
        new = state.convert(new, old.type, cursor)
    assign(state, target, new, cursor)
    return new if not isinstance(target, Value) else target


def _step(state: State, cursor: Cursor, used: bool) -> Object:
    """++ and --."""
    operand, operator = children(cursor)[0], unary(cursor)[0]
    if type_kind(operand.type) == "POINTER":
        return stepped(state, cursor, used) or POISON
    target = lvalue(state, operand)
    old = load(state, target, operand)
    if target is None or not isinstance(old, Value) or old.type is POISON.type:
        return POISON
    before = old
    if used and is_postfix(cursor) and old is target:
        copy = state.fresh(old.expr.name if old.expr.is_var else "value", old.type.sort)
        state.emit(Assign(copy, old.expr, state.where(cursor)))
        before = Value(old.type, copy)
    new = state.convert(combined(state, old, ONE, operator, cursor), old.type, cursor)
    if new.type is not POISON.type:
        assign(state, target, new, cursor)
    return before if is_postfix(cursor) else old if old is target else new


def combined(state: State, old: Value, right: Value, operator: str, cursor: Cursor) -> Value:
    """old operator right, after C's usual conversions."""
    if POISON.type in (old.type, right.type):
        return POISON
    if operator in SHIFTS:
        promoted = INT if old.type is BOOLEAN else old.type
        if not promoted.is_int or not (right.type.is_int or right.type is BOOLEAN):
            return state.refuse("cuda.integer_op", cursor, name=operator)
        return arithmetic(state, operator, state.convert(old, promoted, cursor), state.convert(right, INT, cursor) if right.type is BOOLEAN else right, cursor)
    to = common(old.type, right.type)
    if to is DOUBLE:
        return state.refuse("cuda.double", cursor)
    return arithmetic(state, operator, state.convert(old, to, cursor), state.convert(right, to, cursor), cursor)
