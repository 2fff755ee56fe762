"""A solution's expressions: constants, strings put together, sizes; what a call or an attribute means is told from outside."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from devsem.errors import Where
from devsem.expr import const_int
from devsem.frontend.host_state import Host
from devsem.frontend.host_values import HostTensor, Int, Items, NotModelled, Pointer, Word, as_type, binary, integer_of, whole
from devsem.frontend.solution_format import MOST_TEXT, filled
from devsem.frontend.solution_text import Text, literal
from devsem.frontend.solution_values import Named, Unclear, shown, where_of
from devsem.ops import B64
from devsem.simplify import make

NUMBERS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}
SIZES: dict[type[ast.AST], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%"}
COMPARE: dict[type[ast.AST], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("<", operator.lt), ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge), ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
}
MOST_STEPS, MOST_INTEGER = 1 << 17, 1 << 63


@dataclass
class Expressions:
    """Expressions of a Python text: its global names, the host program that it makes, and what calls and attributes mean."""

    path: str
    host: Host
    calls: Callable[[Any, ast.Call, Any, Sequence[Any], Mapping[str, Any]], Any]
    attribute: Callable[[Any, ast.Attribute, Any], Any]
    constants: Mapping[str, Any] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    depth: int = 0
    steps: int = 0

    def where(self, node: ast.AST) -> Where:
        """A node's place."""
        return Where(self.path, *where_of(node))

    def truth(self, test: ast.expr, names: dict[str, Any], otherwise: bool) -> bool:
        """Which way a condition goes."""
        found = self.value(test, names)
        if isinstance(found, Int):
            return self.host.choose(as_type(found, "BOOL").expr, shown(test), self.where(test), otherwise)
        if found is None or isinstance(found, bool | int | float):
            return bool(found)
        if isinstance(found, Items):
            return bool(found.values)
        raise Unclear(test, "solution.branch", name=shown(test))

    def value(self, e: ast.expr, names: dict[str, Any]) -> Any:
        """What an expression is."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unclear(e, "solution.size", what=f"it takes more than {MOST_STEPS} steps")
        try:
            return self._value(e, names)
        except NotModelled as why:
            raise Unclear(e, "host.value", what=str(why)) from None

    def _value(self, e: ast.expr, names: dict[str, Any]) -> Any:
        match e:
            case ast.Constant(value=str() as text):
                return literal(text, e.lineno, _column(e), e.end_lineno or e.lineno)
            case ast.Constant(value=bool() | int() | float() | None as value):
                return value
            case ast.Name(id=name):
                if name in names:
                    return names[name]
                return self.names[name] if name in self.names else Named(f"builtins.{name}")
            case ast.JoinedStr(values=values):
                return self.formatted(e, values, names)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                return Items(tuple(self.value(x, names) for x in elts))
            case ast.Dict(keys=keys, values=values) if all(isinstance(k, ast.Constant) for k in keys):
                return {k.value: self.value(v, names) for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant)}
            case ast.Attribute(value=inner, attr=attr):
                this = self.value(inner, names)
                if attr.startswith("__") and not (attr == "__init__" and isinstance(this, Named)):
                    raise Unclear(e, "solution.construct", name=shown(e))
                if isinstance(this, Named):
                    return self.constants.get(f"{this.name}.{attr}", Named(f"{this.name}.{attr}"))
                return self.attribute(self, e, this)
            case ast.Subscript(value=inner, slice=index):
                return self.element(e, self.value(inner, names), self.value(index, names))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combined(e, op, self.value(left, names), self.value(right, names))
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(e, op, self.value(operand, names))
            case ast.BoolOp(op=op, values=values):
                return self.logical(op, values, names)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.compared(e, op, self.value(left, names), self.value(right, names))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(body if self.truth(test, names, True) else orelse, names)
            case ast.Call(func=func, args=args, keywords=keywords):
                if any(isinstance(a, ast.Starred) for a in args) or any(k.arg is None for k in keywords):
                    raise Unclear(e, "solution.construct", name=shown(e))
                given = {k.arg: self.value(k.value, names) for k in keywords if k.arg is not None}
                return self.calls(self, e, self.value(func, names), [self.value(a, names) for a in args], given)
        raise Unclear(e, "solution.construct", name=shown(e))

    def formatted(self, e: ast.JoinedStr, values: Sequence[ast.expr], names: dict[str, Any]) -> Text:
        """An f-string of constants."""
        out: Text | None = None
        for v in values:
            if isinstance(v, ast.Constant):
                text = literal(str(v.value), e.lineno, 0, e.lineno)
            elif isinstance(v, ast.FormattedValue) and v.format_spec is None and v.conversion == -1:
                text = self.as_text(v, self.value(v.value, names))
            else:
                raise Unclear(v, "solution.text", name="the f-string", what="it has a format")
            out = text if out is None else out + text
        return Text("", (1,)) if out is None else literal(out.value, e.lineno, _column(e), e.end_lineno or e.lineno)

    def as_text(self, node: ast.AST, value: Any) -> Text:
        """`str` of a constant."""
        if isinstance(value, Text):
            return value
        if isinstance(value, bool | int | float):
            return Text(str(value), (where_of(node)[0],))
        if isinstance(value, Int) and value.expr.is_const:
            return Text(str(integer_of(value)), (where_of(node)[0],))
        raise Unclear(node, "solution.text", name="the string", what=f"`{shown(node)}` is no constant")

    def element(self, e: ast.Subscript, this: Any, index: Any) -> Any:
        """`items[index]`."""
        if isinstance(this, Items) and isinstance(index, int) and not isinstance(index, bool):
            if not -len(this.values) <= index < len(this.values):
                self.host.unpacked(this.values, index + 1)
                raise Unclear(e, "host.check", text=f"{shown(e.value)} has an element {index}")
            return this.values[index]
        if isinstance(this, dict) and isinstance(index, Text) and index.value in this:
            return this[index.value]
        raise Unclear(e, "solution.operator" if isinstance(this, HostTensor) else "solution.value", name=shown(e))

    def combined(self, e: ast.AST, op: ast.operator, a: Any, b: Any) -> Any:
        """`a op b`."""
        if isinstance(a, Text) and isinstance(b, Text) and isinstance(op, ast.Add):
            if len(a.value) + len(b.value) > MOST_TEXT:
                raise Unclear(e, "solution.size", what=f"a string has more than {MOST_TEXT} characters")
            return a + b
        if isinstance(a, Text) and isinstance(op, ast.Mod):
            return filled(e, a, b)
        if isinstance(a, Items) and isinstance(b, Items) and isinstance(op, ast.Add):
            return Items((*a.values, *b.values))
        if isinstance(a, HostTensor) or isinstance(b, HostTensor):
            raise Unclear(e, "solution.operator", name=shown(e))
        if _is_number(a) and _is_number(b):
            if type(op) not in NUMBERS or (isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) and b == 0) or (isinstance(op, ast.LShift) and b > 64):
                raise Unclear(e, "solution.value", name=shown(e))
            found = NUMBERS[type(op)](a, b)
            if isinstance(found, int) and abs(found) >= MOST_INTEGER:
                raise Unclear(e, "solution.value", name=shown(e))
            return found
        if _is_size(a) and _is_size(b):
            return self.sizes(e, op, _size(a), _size(b))
        raise Unclear(e, "solution.value", name=shown(e))

    def sizes(self, e: ast.AST, op: ast.operator, a: Int, b: Int) -> Any:
        """Arithmetic on sizes, in 64 bits; `//` and `%` only of what is not negative."""
        if isinstance(op, ast.Div):
            return NUMBERS[ast.Div](integer_of(self.host.fixed(a, self.where(e))), integer_of(self.host.fixed(b, self.where(e))))
        if type(op) not in SIZES:
            raise Unclear(e, "solution.value", name=shown(e))
        if isinstance(op, ast.FloorDiv | ast.Mod):
            zero = const_int(B64, 0)
            self.host.require(make("and", make("sle_b64", zero, a.expr), make("slt_b64", zero, b.expr)), f"no negative number in {shown(e)}", self.where(e))
        return binary(SIZES[type(op)], a, b)

    def unary(self, e: ast.AST, op: ast.unaryop, a: Any) -> Any:
        """`-a`, `+a`, `not a`."""
        if isinstance(op, ast.Not) and not isinstance(a, HostTensor | Named | Word):
            return Int(make("not", as_type(a, "BOOL").expr), False) if isinstance(a, Int) else not (a.values if isinstance(a, Items) else a)
        if isinstance(op, ast.USub) and _is_number(a):
            return -a
        if isinstance(op, ast.USub) and isinstance(a, Int):
            return binary("-", whole(0), a)
        raise Unclear(e, "solution.operator" if isinstance(a, HostTensor) else "solution.value", name=shown(e))

    def logical(self, op: ast.boolop, values: Sequence[ast.expr], names: dict[str, Any]) -> Any:
        """`and`, `or`: as far as they are decided."""
        out: Int | None = None
        for v in values:
            found = self.value(v, names)
            if isinstance(found, Int) and not found.expr.is_const:
                holds = as_type(found, "BOOL")
                out = holds if out is None else binary("&&" if isinstance(op, ast.And) else "||", out, holds)
                continue
            known = bool(found.expr.value) if isinstance(found, Int) else self.truth(v, names, True)
            if known == isinstance(op, ast.Or) and out is None:
                return found if not isinstance(found, Int) else known
            if known == isinstance(op, ast.Or):
                return known
        return out if out is not None else isinstance(op, ast.And)

    def compared(self, e: ast.Compare, op: ast.cmpop, a: Any, b: Any) -> Any:
        """A comparison."""
        if isinstance(op, ast.Is | ast.IsNot):
            if a is not None and b is not None:
                raise Unclear(e, "solution.construct", name=shown(e))
            return (a is b) == isinstance(op, ast.Is)
        if type(op) not in COMPARE:
            raise Unclear(e, "solution.construct", name=shown(e))
        symbol, known = COMPARE[type(op)]
        if _is_number(a) and _is_number(b):
            return known(a, b)
        if _is_size(a) and _is_size(b):
            return binary(symbol, _size(a), _size(b))
        if isinstance(a, Text) and isinstance(b, Text):
            return known(a.value, b.value)
        if isinstance(a, Items | Word | Pointer) and isinstance(b, type(a)):
            left, right = (Items(tuple(_size(v) for v in x.values)) if isinstance(x, Items) and all(map(_is_size, x.values)) else x for x in (a, b))
            return binary(symbol, left, right)
        raise Unclear(e, "solution.branch", name=shown(e))


def _column(e: ast.expr) -> int:
    """Where a string's own text begins in its line: behind the quotes."""
    return e.col_offset + (3 if (e.end_lineno or e.lineno) > e.lineno else 1)


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float)


def _is_size(value: Any) -> bool:
    return isinstance(value, Int) or (isinstance(value, int) and not isinstance(value, bool))


def _size(value: Any) -> Int:
    return value if isinstance(value, Int) else whole(value)
