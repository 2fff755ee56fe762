"""Expressions of the AST to values: one handler for each kind of cursor, and a row for each kind that is refused by name.

What cannot stay inside an expression becomes statements before it: loads, inlined calls, and branches of `?:`, `&&` and `||`
that need either.
"""

from __future__ import annotations

from collections.abc import Callable

from devsem.expr import Expr, const_int
from devsem.frontend.cuda_calls import call
from devsem.frontend.cuda_clang import Cursor, binary, children, in_text, is_expression, kind, literal, same_extent, unary
from devsem.frontend.cuda_scope import State, boolean
from devsem.frontend.cuda_types import (
    BOOLEAN, BY_KIND, DOUBLE, FLOAT, POISON, UNSIGNED, VOID, CType, Value, common, double,
)
from devsem.ops import B32, B64, BOOL, F32
from devsem.program import BUILTINS, Assign, If, Load
from devsem.simplify import make

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
# C's comparison -> (row, swapped, negated)
COMPARE = {"<": ("lt", False, False), ">": ("lt", True, False), "<=": ("le", False, False), ">=": ("le", True, False), "==": ("eq", False, False), "!=": ("eq", False, True)}
ASSIGNMENTS = frozenset({"=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|="})
REFUSED = {
    "LAMBDA_EXPR": "cuda.lambda", "BUILTIN_BIT_CAST_EXPR": "cuda.reinterpret", "CXX_REINTERPRET_CAST_EXPR": "cuda.pointer", "CXX_CONST_CAST_EXPR": "cuda.pointer",
    "CXX_NEW_EXPR": "cuda.pointer", "CXX_DELETE_EXPR": "cuda.pointer", "CXX_THROW_EXPR": "cuda.exception", "COMPOUND_ASSIGNMENT_OPERATOR": "cuda.side_effect",
}
FOLDS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
