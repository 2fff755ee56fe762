"""Preconditions on the command line: `not isnan(x)`, `abs(x) <= 88`, `isfinite(a) and a > 0`, `n % 4 == 0`.

Python's grammar, a few names: the spec's inputs (a condition on every element), or `n`, the number of elements. Numbers that stand
beside a tensor are rounded to Float32.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass

from devsem.errors import UsageError
from devsem.expr import Expr, const, mk, var
from devsem.ops import F32

CLASSES = {"isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite"}
COMPARE: dict[type[ast.cmpop], Callable[[Expr, Expr], Expr]] = {
    ast.Lt: lambda a, b: mk("lt", a, b), ast.LtE: lambda a, b: mk("le", a, b), ast.Gt: lambda a, b: mk("lt", b, a), ast.GtE: lambda a, b: mk("le", b, a),
    ast.Eq: lambda a, b: mk("eq", a, b), ast.NotEq: lambda a, b: mk("not", mk("eq", a, b)),
}


@dataclass(frozen=True)
class SizeCondition:
    """`n % modulus == remainder`."""

    modulus: int
    remainder: int


@dataclass(frozen=True)
class Assumption:
    """A precondition as it was written, and what it says of every element, or of the size."""

    text: str
    condition: Expr | None
    size: SizeCondition | None = None


def parse(text: str, inputs: Collection[str]) -> Assumption:
    """Read one precondition; raises UsageError naming what is not understood."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise UsageError(f"cannot read the assumption {text!r}: write for example \"not isnan(x)\" or \"abs(x) <= 88\"") from None
    size = _size(tree)
    return Assumption(text, None, size) if size else Assumption(text, _Reader(text, frozenset(inputs)).condition(tree))


def _size(tree: ast.expr) -> SizeCondition | None:
    match tree:
        case ast.Compare(left=ast.BinOp(left=ast.Name(id="n"), op=ast.Mod(), right=ast.Constant(value=int(m))), ops=[ast.Eq()],
                         comparators=[ast.Constant(value=int(r))]) if m > 0 and 0 <= r < m:
            return SizeCondition(m, r)
    return None


@dataclass(frozen=True)
class _Reader:
    text: str
    inputs: frozenset[str]

    def refuse(self, what: str) -> UsageError:
        return UsageError(f"the assumption {self.text!r} has {what}; known are not, and, or, comparisons, abs, isnan, isinf, isfinite, numbers, "
                          f"the spec's inputs ({', '.join(sorted(self.inputs))}) and `n % K == R`")

    def condition(self, tree: ast.expr) -> Expr:
        match tree:
            case ast.BoolOp(op=op, values=values):
                name = "and" if isinstance(op, ast.And) else "or"
                out = self.condition(values[0])
                for value in values[1:]:
                    out = mk(name, out, self.condition(value))
                return out
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return mk("not", self.condition(operand))
            case ast.Call(func=ast.Name(id=name), args=[arg], keywords=[]) if name in CLASSES:
                return mk(CLASSES[name], self.value(arg))
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self.chain(left, ops, comparators)
        raise self.refuse(f"`{ast.unparse(tree)}` where a condition is expected")

    def chain(self, left: ast.expr, ops: list[ast.cmpop], comparators: list[ast.expr]) -> Expr:
        parts = []
        for op, right in zip(ops, comparators, strict=True):
            build = COMPARE.get(type(op))
            if build is None:
                raise self.refuse(f"the comparison `{ast.unparse(right)}` is part of")
            parts.append(build(self.value(left), self.value(right)))
            left = right
        out = parts[0]
        for part in parts[1:]:
            out = mk("and", out, part)
        return out

    def value(self, tree: ast.expr) -> Expr:
        match tree:
            case ast.Name(id=name) if name in self.inputs:
                return var(name, F32)
            case ast.Name(id="inf"):
                return const(float("inf"))
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return const(float(number))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return mk("neg", self.value(operand)) if not isinstance(operand, ast.Constant) else self.negated(operand)
            case ast.Call(func=ast.Name(id="abs"), args=[arg], keywords=[]):
                return mk("abs", self.value(arg))
        raise self.refuse(f"`{ast.unparse(tree)}` where a value is expected")

    def negated(self, operand: ast.Constant) -> Expr:
        if isinstance(operand.value, bool) or not isinstance(operand.value, int | float):
            raise self.refuse(f"`{operand.value!r}` where a number is expected")
        return const(-float(operand.value))
