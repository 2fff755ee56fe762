"""The host's functions, read statement by statement with sizes as symbols: what they launch is kept in a `Host`.

Nothing is run. A condition on sizes is decided at the spec's sizes and becomes a precondition of the plan (`Host.choose`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from devsem.errors import Rejected
from devsem.expr import const_int
from devsem.frontend.cuda_clang import Cursor, children, in_text, is_expression, kind, type_kind
from devsem.frontend.host_api import API, Called
from devsem.frontend.host_clang import body, is_default, is_device, qualified, template_arguments
from devsem.frontend.host_expr import TRANSPARENT, Cell, Expressions, plain
from devsem.frontend.host_values import Int, Pointer, Real, Three, as_type, resized
from devsem.ops import B32, B64
from devsem.plan import Launched
from devsem.rejections import rejection
from devsem.simplify import make

DEPTH, ROUNDS = 20, 64


@dataclass(frozen=True)
class Returned:
    """A function has ended with this value."""

    value: Any


@dataclass
class Reader(Expressions):
    """One text's functions, and the host program that they make. `functions`: those of every text, by name, with the reader of their text;
    `wrong`: what clang found wrong, by offset."""

    functions: Mapping[str, tuple[Reader, Cursor]] = field(default_factory=dict)
    wrong: Sequence[tuple[int, str]] = ()
    depth: int = 0

    def call(self, function: Cursor, arguments: Sequence[Any], at: Cursor) -> Any:
        """The value of a call of a function of the text."""
        parameters = [c for c in children(function) if kind(c) == "PARM_DECL"]
        if self.depth >= DEPTH:
            raise self.refused("host.recursion", at, depth=str(DEPTH))
        if len(arguments) > len(parameters):
            raise self.refused("host.arguments", at, name=str(function.spelling), given=str(len(arguments)), taken=str(len(parameters)))
        for p, a in zip(parameters, [*arguments, *([None] * (len(parameters) - len(arguments)))], strict=True):
            self.cells[p.hash] = a if isinstance(a, Cell) else Cell(self.default(p) if a is None else self.converted(a, p.type, at))
        statements = body(function)
        if statements is None:
            raise self.refused("host.call", at, name=str(function.spelling))
        self.is_right(function)
        self.depth += 1
        found = self.statement(statements)
        self.depth -= 1
        return self.converted(found.value, function.result_type, at) if isinstance(found, Returned) else None

    def is_right(self, function: Cursor) -> None:
        """Refuses a function in which clang found something wrong, since it leaves out what it does not understand."""
        for offset, message in self.wrong:
            if function.extent.start.offset <= offset <= function.extent.end.offset:
                raise Rejected(rejection("host.syntax", self.source.where(len(self.source.text.encode()[:offset].decode())), what=message))

    def default(self, parameter: Cursor) -> Any:
        """A parameter's default value."""
        given = [c for c in children(parameter) if is_expression(c)]
        if not given:
            raise self.refused("host.value", parameter, what=f"the parameter `{parameter.spelling}` without a value")
        return self.value(given[-1])

    # ---- statements

    def statement(self, s: Cursor) -> Returned | None:
        """Does a statement."""
        match kind(s):
            case "COMPOUND_STMT":
                for inner in children(s):
                    if (found := self.statement(inner)) is not None:
                        return found
            case "DECL_STMT":
                for d in children(s):
                    self.declaration(d)
            case "RETURN_STMT":
                return Returned(self.value(children(s)[0]) if children(s) else None)
            case "IF_STMT":
                return self.branch(s)
            case "FOR_STMT" | "WHILE_STMT":
                return self.loop(s)
            case "NULL_STMT":
                pass
            case _ if is_expression(s):
                self.value(s)
            case other:
                raise self.refused("host.construct", s, name=other.lower().removesuffix("_stmt"))
        return None

    def declaration(self, d: Cursor) -> None:
        """A local variable, or a name for a type."""
        match kind(d):
            case "VAR_DECL":
                if str(d.storage_class.name) == "STATIC" and not d.type.is_const_qualified():
                    raise self.refused("host.variable", d, name=str(d.spelling), what="static")
                given = [c for c in children(d) if is_expression(c)]
                if given and type_kind(d.type) in ("LVALUEREFERENCE",) and kind(given[-1]) == "DECL_REF_EXPR":
                    self.cells[d.hash] = self.cell(given[-1])
                    return
                self.host.naming = str(d.spelling)
                self.cells[d.hash] = Cell(self.converted(self.value(given[-1]), d.type, d) if given else None)
                self.host.naming = ""
            case "TYPE_ALIAS_DECL" | "TYPEDEF_DECL" | "USING_DIRECTIVE" | "USING_DECLARATION" | "NAMESPACE_ALIAS" | "STATIC_ASSERT":
                pass
            case other:
                raise self.refused("host.construct", d, name=other.lower().removesuffix("_decl"))

    def branch(self, s: Cursor) -> Returned | None:
        """`if`: only the way that the spec's sizes take is read."""
        parts = children(s)
        if len(parts) not in (2, 3) or not is_expression(parts[0]):
            raise self.refused("host.construct", s, name="if with a declaration")
        condition = self.value(parts[0])
        if not isinstance(condition, Int):
            raise self.refused("host.branch", parts[0], text=self.text(parts[0]))
        taken = self.host.choose(as_type(condition, "BOOL").expr, self.text(parts[0]), self.where(parts[0]), not _throws(parts[1]))
        if taken:
            return self.statement(parts[1])
        return self.statement(parts[2]) if len(parts) == 3 else None

    def loop(self, s: Cursor) -> Returned | None:
        """A loop of which every round is known at the spec's sizes."""
        parts = children(s)
        if len(parts) != (4 if kind(s) == "FOR_STMT" else 2):
            raise self.refused("host.construct", s, name="a loop without all its parts")
        if kind(s) == "FOR_STMT":
            self.statement(parts.pop(0))
        condition, step, inner = parts[0], parts[1] if len(parts) == 3 else None, parts[-1]
        for _ in range(ROUNDS):
            holds = self.value(condition)
            if not isinstance(holds, Int) or (self.host.at is None and not holds.expr.is_const):
                raise self.refused("host.branch", condition, text=self.text(condition))
            if not self.host.choose(as_type(holds, "BOOL").expr, self.text(condition), self.where(condition), True):
                return None
            if (found := self.statement(inner)) is not None:
                return found
            if step is not None:
                self.value(step)
        raise self.refused("host.loop", s, rounds=str(ROUNDS))

    def called(self, e: Cursor) -> Any:
        """A call: a launch, a constructor, a method, an operator, a function of the text or of the table."""
        parts = children(e)
        if any(kind(p) == "CALL_EXPR" and str(p.spelling) == "cudaConfigureCall" for p in parts[:2]):
            return self.launch(e, parts)
        ref = e.referenced
        if ref is None:
            raise self.refused("host.call", e, name=str(e.spelling) or self.text(e))
        expressions = [p for p in parts if is_expression(p)]
        if kind(ref) == "CONSTRUCTOR":
            return self.applied(e, ref, None, expressions)
        if kind(expressions[0]) == "MEMBER_REF_EXPR":
            inner = [c for c in children(expressions[0]) if is_expression(c)]
            return self.applied(e, ref, self.value(inner[0]) if inner else None, expressions[1:])
        operands = [p for p in expressions if not (_names(p) and plain(p).referenced == ref)]
        if str(ref.spelling) == "operator=" and len(operands) == 2:
            return self.assign(plain(operands[0]), self.value(operands[1]), e)
        if str(ref.spelling).startswith("operator") and kind(ref) == "CXX_METHOD":
            return self.applied(e, ref, self.value(operands[0]), operands[1:])
        name = qualified(ref)
        if name == "devsem::dispatch":
            return self.dispatched(operands[0])
        if in_text(ref) and name in self.functions and not is_device(self.functions[name][1]):
            return self.own(e, name, ref, operands)
        return self.applied(e, ref, None, operands)

    def applied(self, e: Cursor, ref: Cursor, this: Any, arguments: Sequence[Cursor]) -> Any:
        """A call of what the table knows."""
        name = qualified(ref)
        handler = API.get(name)
        if handler is None or in_text(ref):
            raise self.refused("host.call", e, name=name.removeprefix("at::Tensor::"))
        given = tuple(None if is_default(a) and not children(a) else self.value(a) for a in arguments)
        return handler(Called(self.host, self.where(e), str(e.spelling) or name, this, given, str(e.type.get_canonical().spelling)))

    def own(self, e: Cursor, name: str, ref: Cursor, operands: Sequence[Cursor]) -> Any:
        """A call of a function of the text, or of one that another text defines."""
        reader, function = self.functions[name]
        definition = ref if body(ref) is not None else ref.get_definition()
        if definition is not None and in_text(definition):
            reader, function = self, definition
        given = [c for c in children(function) if kind(c) == "PARM_DECL"]
        arguments: list[Any] = []
        for p, a in zip(given, operands, strict=False):
            by_reference = type_kind(p.type) == "LVALUEREFERENCE" and not p.type.get_pointee().is_const_qualified()
            arguments.append(self.cell(a) if by_reference and kind(a) == "DECL_REF_EXPR" else
                             None if is_default(a) and not children(a) else self.value(a))
        reader.depth = self.depth
        return reader.call(function, arguments, e if reader is self else function)

    def dispatched(self, argument: Cursor) -> None:
        """AT_DISPATCH…: the lambda, with scalar_t float."""
        inner = argument
        while kind(inner) in (*TRANSPARENT, "UNEXPOSED_EXPR", "CALL_EXPR") and len(children(inner)) == 1:
            inner = children(inner)[0]
        statements = body(inner) if kind(inner) == "LAMBDA_EXPR" else None
        if statements is None or any(kind(c) == "PARM_DECL" for c in children(inner)):
            raise self.refused("host.construct", argument, name="a dispatch over something that is no lambda")
        self.statement(statements)

    def launch(self, e: Cursor, parts: Sequence[Cursor]) -> None:
        """`k<<<grid, block, shared, stream>>>(arguments)`."""
        kernel, configuration, arguments = e.referenced, [c for c in children(parts[1]) if is_expression(c)][1:], parts[2:]
        if kernel is None or not in_text(kernel):
            raise self.refused("host.call", e, name=self.text(e)[:60])
        grid, block = (self.three(c) for c in configuration[:2])
        shared = const_int(B64, 0) if len(configuration) < 3 or is_default(configuration[2]) else resized(self.value(configuration[2]), B64, False).expr
        if len(configuration) > 3 and not is_default(configuration[3]):
            self.value(configuration[3])
        declared = [c for c in children(kernel) if kind(c) == "PARM_DECL"]
        if len(declared) != len(arguments):
            raise self.refused("host.arguments", e, name=str(kernel.spelling), given=str(len(arguments)), taken=str(len(declared)))
        given = tuple(self.argument(p, a) for p, a in zip(declared, arguments, strict=True))
        for p, g in zip(declared, given, strict=True):
            if isinstance(g, str) and not p.type.get_canonical().get_pointee().is_const_qualified():
                self.host.touched.add(g)
        taken = {str(p.spelling) for p in declared}
        unnamed = (f"arg{i}" for i in range(1 << 20) if f"arg{i}" not in taken)
        names = tuple(str(p.spelling) or next(unnamed) for p in declared)
        self.host.launches.append(Launched(str(kernel.spelling), template_arguments(kernel), names, grid, block, shared, given, self.where(e)))

    def three(self, c: Cursor) -> Any:
        """A grid or a block: three B64."""
        found = self.value(c)
        if isinstance(found, Int):
            found = Three((resized(found, B32, False).expr, const_int(B32, 1), const_int(B32, 1)))
        if not isinstance(found, Three):
            raise self.refused("host.value", c, what="a grid or block that is not made of integers")
        return tuple(make("zext", a) for a in found.axes)

    def argument(self, parameter: Cursor, given: Cursor) -> Any:
        """A kernel's argument: a tensor's name, or a number."""
        found = self.converted(self.value(given), parameter.type, given)
        if isinstance(found, Pointer) and found.memory is not None:
            return found.memory
        if isinstance(found, Int):
            return found.expr
        if isinstance(found, Real) and not found.double:
            return found.value
        what = "a null pointer" if isinstance(found, Pointer) else f"the argument `{self.text(given)}`"
        raise self.refused("host.value", given, what=what)


def _throws(s: Cursor) -> bool:
    """Does a branch end in an error?"""
    found = list(s.walk_preorder())
    return any(kind(c) == "CXX_THROW_EXPR" or str(c.spelling) in ("exit", "abort") or (kind(c) == "STRING_LITERAL" and str(c.spelling) == '"an error"')
               for c in found) and not any(str(c.spelling) == "cudaConfigureCall" for c in found)


def _names(e: Cursor) -> bool:
    """Is it the mention of the function that is called?"""
    ref = plain(e).referenced
    return kind(plain(e)) == "DECL_REF_EXPR" and ref is not None and kind(ref) in ("FUNCTION_DECL", "CXX_METHOD", "CONVERSION_FUNCTION")
