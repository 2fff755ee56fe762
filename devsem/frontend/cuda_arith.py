"""C's operators on numbers, both operands converted already: which row of the table each one is."""

from __future__ import annotations

from collections.abc import Callable

from devsem.expr import Expr
from devsem.frontend.cuda_clang import Cursor
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_types import BOOLEAN, DOUBLE, FLOAT, POISON, CType, Value, convert, double, signed_value
from devsem.ops import B32, B64, UNDEFINED_IN_C
from devsem.simplify import is_defined, make

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
BITWISE = {"&": "and", "|": "or", "^": "xor"}
SHIFTS = frozenset({"<<", ">>"})
OPERATORS = frozenset({*ARITHMETIC, *BITWISE, *SHIFTS, "%"})
# C's comparison -> (row, swapped, negated)
COMPARE = {"<": ("lt", False, False), ">": ("lt", True, False), "<=": ("le", False, False), ">=": ("le", True, False),
           "==": ("eq", False, False), "!=": ("eq", False, True)}
FOLDS: dict[str, Callable[[float, float], float]] = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


def arithmetic(state: State, operator: str, a: Value, b: Value, cursor: Cursor) -> Value:
    """a operator b, both of the type of the result; the count of a shift may have another integer type."""
    if POISON.type in (a.type, b.type):
        return POISON
    if a.type is FLOAT and b.type is FLOAT and operator in ARITHMETIC:
        return Value(FLOAT, make(f"w_{ARITHMETIC[operator]}", a.expr, b.expr))
    if a.type is DOUBLE and b.type is DOUBLE and (operator in FOLDS or (operator == "/" and b.number != 0.0)):
        return double(FOLDS[operator](a.number, b.number) if operator in FOLDS else a.number / b.number)
    if DOUBLE in (a.type, b.type):
        return state.refuse("cuda.double", cursor)
    if a.type.is_int and b.type.is_int and (a.type is b.type or operator in SHIFTS):
        return _integers(state, operator, a, b, cursor)
    return state.refuse("cuda.integer_op", cursor, name=operator)


def _integers(state: State, operator: str, a: Value, b: Value, cursor: Cursor) -> Value:
    """The row for an operation on integers; refused where C certainly leaves its value open."""
    right, sign = b.expr, "s" if a.type.signed else "u"
    if operator in SHIFTS:
        if b.type.sort == B64 and not b.expr.is_const:
            return state.refuse("cuda.integer_op", cursor, name=f"{operator} by 64 bits")
        name = "shl" if operator == "<<" else "ashr" if a.type.signed else "lshr"
        count = signed_value(b) if b.expr.is_const else 0
        if not 0 <= count < (32 if a.type.sort == B32 else 64):
            return state.refuse("cuda.integer_op", cursor, name=f"{operator} {count}")
        right = convert(b, a.type if a.type.sort == B32 else CType("int", B32, True, 1)).expr
    elif operator in ("/", "%"):
        name = sign + ("div" if operator == "/" else "rem")
    else:
        name = (ARITHMETIC | BITWISE)[operator]
    row = f"{name}_{a.type.sort.lower()}"
    if row in UNDEFINED_IN_C and right.is_const and not is_defined(row, a.expr, right):
        return state.refuse("cuda.integer_op", cursor, name=f"{operator} {right}")
    return Value(a.type, make(row, a.expr, right))


def compare(state: State, operator: str, a: Value, b: Value, cursor: Cursor) -> Value:
    """A comparison; clang has converted both sides to one type."""
    if POISON.type in (a.type, b.type):
        return POISON
    if DOUBLE in (a.type, b.type) or a.type is not b.type:
        return state.refuse("cuda.double", cursor)
    name, swapped, negated = COMPARE[operator]
    if a.type is FLOAT:
        row = f"w_{name}"
    elif a.type.is_int:
        row = f"{'i' if name == 'eq' else 's' if a.type.signed else 'u'}{name}_{a.type.sort.lower()}"
    else:
        return state.refuse("cuda.type", cursor, name=f"{a.type.name} in a comparison")
    result = make(row, b.expr, a.expr) if swapped else make(row, a.expr, b.expr)
    return Value(BOOLEAN, make("not", result) if negated else result)


def choose(to: CType, c: Expr, a: Expr, b: Expr) -> Expr:
    """c ? a : b."""
    return make("select" if to is FLOAT else "select_bool" if to is BOOLEAN else f"select_{to.sort.lower()}", c, a, b)
