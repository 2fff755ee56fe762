"""The host's expressions, with sizes as symbols; what is no expression of its own (a call) is left to `host_run.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from devsem.errors import Rejected, Where
from devsem.expr import Expr, const_int
from devsem.frontend.cuda_clang import Cursor, binary as operator_of, children, in_text, is_expression, kind, type_kind, unary
from devsem.frontend.cuda_source import Source
from devsem.frontend.host_clang import constant
from devsem.frontend.host_state import Host
from devsem.frontend.host_values import Int, Items, NotModelled, Pointer, Real, Three, Word, as_type, binary, flag, negated, number_of, resized
from devsem.ops import B32, B64, BOOL
from devsem.rejections import rejection
from devsem.simplify import make

TRANSPARENT = frozenset({"PAREN_EXPR", "CXX_BIND_TEMP_EXPR"})
CASTS = frozenset({"UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR",
                   "CXX_CONST_CAST_EXPR"})
LITERALS = frozenset({"INTEGER_LITERAL", "FLOATING_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CHARACTER_LITERAL", "CXX_UNARY_EXPR"})
NULL = frozenset({"CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR"})
VECTORS = frozenset({"float2", "float3", "float4"})     # a pointer to one is a pointer to its first float
MOST_STEPS = 1 << 16
AXES = {"x": 0, "y": 1, "z": 2}


@dataclass
class Cell:
    """A variable; None before it is set."""

    value: Any


@dataclass
class Expressions(ABC):
    """What expressions of one text are, for a host."""

    source: Source
    host: Host
    cells: dict[int, Cell] = field(default_factory=dict)

    def where(self, cursor: Cursor) -> Where:
        """A cursor's place."""
        return Where(self.source.path, cursor.location.line, cursor.location.column)

    def refused(self, code: str, cursor: Cursor, **names: str) -> Rejected:
        """A refusal at a cursor's place."""
        return Rejected(rejection(code, self.where(cursor), **names))

    def text(self, cursor: Cursor) -> str:
        """The text of an expression, on one line."""
        found = self.source.text.encode()[cursor.extent.start.offset:cursor.extent.end.offset].decode(errors="replace")
        return " ".join(found.split())[:120]

    @abstractmethod
    def called(self, e: Cursor) -> Any:
        """A call."""

    def value(self, e: Cursor) -> Any:
        """What an expression is; refuses by name what is not modelled."""
        self.host.steps += 1
        if self.host.steps > MOST_STEPS:
            raise self.refused("host.loop", e, rounds=str(MOST_STEPS))
        try:
            return self._value(e)
        except NotModelled as why:
            raise self.refused("host.value", e, what=str(why)) from None

    def _value(self, e: Cursor) -> Any:
        what = kind(e)
        if what in LITERALS:
            found = constant(e)
            if found is None:
                raise NotModelled(f"`{self.text(e)}`")
            return as_type(Real(found, True) if isinstance(found, float) else Int(const_int(B64, found)), type_kind(e.type))
        if what in TRANSPARENT:
            return self.value(children(e)[0])
        if what in CASTS:
            inner = [c for c in children(e) if is_expression(c)]
            if len(inner) != 1:
                raise NotModelled(f"`{self.text(e) or e.spelling}`")
            return self.converted(self.value(inner[0]), e.type, e)
        if what == "CALL_EXPR":
            return self.called(e)
        match what:
            case "DECL_REF_EXPR":
                return self.variable(e)
            case "STRING_LITERAL":
                return Word("text", str(e.spelling).strip('"'))
            case _ if what in NULL:
                return Pointer(None)
            case "MEMBER_REF_EXPR":
                return self.member(e)
            case "BINARY_OPERATOR":
                return self.operation(e)
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                left, right = children(e)
                return self.assign(left, self.combined(operator_of(e)[:-1], self.value(left), self.value(right), right, e), e)
            case "UNARY_OPERATOR":
                return self.signed(e)
            case "CONDITIONAL_OPERATOR":
                return self.either(e)
            case "INIT_LIST_EXPR":
                return Items(tuple(self.value(c) for c in children(e) if is_expression(c)))
            case "CXX_THROW_EXPR":
                raise self.refused("host.throws", e)
            case "LAMBDA_EXPR":
                raise self.refused("host.construct", e, name="a lambda that is kept")
            case other:
                raise self.refused("host.construct", e, name=other.lower().removesuffix("_expr"))

    def converted(self, value: Any, type_: Any, at: Cursor) -> Any:
        """A value as C converts it to a type."""
        to = type_kind(type_)
        if to in ("LVALUEREFERENCE", "RVALUEREFERENCE"):
            return self.converted(value, type_.get_pointee(), at)
        if to == "POINTER" and isinstance(value, Pointer):
            inner = type_.get_canonical().get_pointee()
            if type_kind(inner) not in ("FLOAT", "VOID") and str(inner.spelling).removeprefix("const ") not in VECTORS:
                raise self.refused("host.pointer", at, name=self.text(at) or "nullptr")
            return value
        if to == "POINTER" and isinstance(value, Int):      # 0 as a null pointer, and as the default stream
            return Pointer(None)
        if to in ("FLOAT", "DOUBLE") and isinstance(value, Int):
            value = self.host.fixed(value, self.where(at))
        return as_type(value, to)

    def variable(self, e: Cursor) -> Any:
        """The value of a name."""
        ref = e.referenced
        if ref is None:
            raise NotModelled(f"`{self.text(e)}`")
        if kind(ref) == "ENUM_CONSTANT_DECL":
            family = str(ref.semantic_parent.spelling)
            return Word({"ScalarType": "dtype", "DeviceType": "device"}.get(family, family), str(ref.spelling)) if not in_text(ref) else \
                as_type(Int(const_int(B64, int(ref.enum_value))), type_kind(e.type))
        found = self.cell(e).value
        if found is None:
            raise self.refused("host.variable", e, name=str(ref.spelling), what="read before it is set")
        return found

    def cell(self, e: Cursor) -> Cell:
        """The variable that a name stands for."""
        ref = e.referenced
        if ref is not None and ref.hash in self.cells:
            return self.cells[ref.hash]
        if ref is None or kind(ref) != "VAR_DECL":
            raise NotModelled(f"`{self.text(e)}`")
        given = [c for c in children(ref) if is_expression(c)]
        if not ref.type.is_const_qualified() or not given:
            raise self.refused("host.variable", e, name=str(ref.spelling), what="no constant")
        self.cells[ref.hash] = Cell(self.converted(self.value(given[-1]), ref.type, e))
        return self.cells[ref.hash]

    def member(self, e: Cursor) -> Any:
        """`grid.x`."""
        inner = [c for c in children(e) if is_expression(c)]
        found = self.value(inner[0]) if inner else None
        if isinstance(found, Three) and str(e.spelling) in AXES:
            return Int(found.axes[AXES[str(e.spelling)]], False)
        raise self.refused("host.construct", e, name=str(e.spelling))

    def operation(self, e: Cursor) -> Any:
        """A binary operator."""
        op, (left, right) = operator_of(e), children(e)
        if op == "=":
            return self.assign(left, self.value(right), e)
        if op == ",":
            self.value(left)
            return self.value(right)
        a = self.value(left)
        if op in ("&&", "||") and isinstance(a, Int) and a.expr.is_const and bool(a.expr.value) == (op == "||"):
            return flag(op == "||")     # the other side is not evaluated
        return self.combined(op, a, self.value(right), right, e)

    def combined(self, op: str, a: Any, b: Any, right: Cursor, e: Cursor) -> Any:
        """`a op b`, converted to the type of the whole."""
        if op in ("/", "%") and isinstance(b, Int):
            self.host.divides(b, self.text(right), self.where(e))
        if isinstance(a, Int) and isinstance(b, Int) and a.expr.sort != b.expr.sort and op not in ("<<", ">>") and kind(e) == "COMPOUND_ASSIGNMENT_OPERATOR":
            wide = B64 if B64 in (a.expr.sort, b.expr.sort) else B32      # `a += b` computes in their common type
            a, b = resized(a, wide, a.signed), resized(b, wide, b.signed)
        found = binary(op, a, b)
        return as_type(found, type_kind(e.type)) if isinstance(found, Int | Real) else found

    def signed(self, e: Cursor) -> Any:
        """A unary operator."""
        op, inner = unary(e), children(e)[0]
        a = self.value(inner)
        if op == "!" and isinstance(a, Int):
            return Int(make("not", as_type(a, "BOOL").expr), False)
        if op == "-" and isinstance(a, Int) and a.expr.sort != BOOL:
            return Int(negated(a.expr), a.signed)
        if op == "-" and isinstance(a, Real):
            return Real(make("neg", a.value), False) if isinstance(a.value, Expr) and not a.double else Real(-number_of(a), True)
        if op == "+":
            return a
        if op in ("++", "--") and isinstance(a, Int) and a.expr.sort != BOOL:
            after = binary("+" if op == "++" else "-", a, Int(const_int(a.expr.sort, 1), a.signed))
            self.assign(inner, after, e)
            return after if self.text(e).startswith(op) else a
        if op == "*":
            return a
        raise NotModelled(f"the operator `{op}`")

    def either(self, e: Cursor) -> Any:
        """`c ? a : b`."""
        test, then, other = children(e)
        condition = self.value(test)
        if not isinstance(condition, Int):
            raise self.refused("host.branch", test, text=self.text(test))
        holds = as_type(condition, "BOOL").expr
        if holds.is_const:
            return self.value(then if holds.value else other)
        a, b = self.value(then), self.value(other)
        if isinstance(a, Int) and isinstance(b, Int) and a.expr.sort == b.expr.sort and a.expr.sort in (B32, B64):
            return Int(make(f"select_{a.expr.sort.lower()}", holds, a.expr, b.expr), a.signed)
        return a if self.host.choose(holds, self.text(test), self.where(test), True) else b

    def assign(self, left: Cursor, value: Any, at: Cursor) -> Any:
        """`left = value`."""
        if kind(left) == "MEMBER_REF_EXPR" and str(left.spelling) in AXES:
            inner = next(c for c in children(left) if is_expression(c))
            old = self.value(inner)
            if isinstance(old, Three):
                axes = list(old.axes)
                axes[AXES[str(left.spelling)]] = resized(value, B32, False).expr
                self.cell(inner).value = Three((axes[0], axes[1], axes[2]))
                return value
        if kind(left) != "DECL_REF_EXPR" or left.referenced is None or left.referenced.hash not in self.cells:
            raise self.refused("host.construct", at, name=f"an assignment to {self.text(left)}")
        found = self.converted(value, left.type, at)
        self.cells[left.referenced.hash].value = found
        return found


def plain(e: Cursor) -> Cursor:
    """An expression without conversions around it."""
    while kind(e) in (*TRANSPARENT, "UNEXPOSED_EXPR") and len(children(e)) == 1:
        e = children(e)[0]
    return e
