"""The file's own __device__ functions and lambdas, in place of their calls.

A function that only computes becomes an `Inline`. One that changes its caller's variables (by a reference, a pointer, a capture) or
returns a record has its statements put in place of the call, its returns turned into branches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from devsem.expr import Expr
from devsem.frontend.cuda_clang import Cursor, attributes, children, in_text, is_expression, kind, type_kind
from devsem.frontend.cuda_memory import POINTERS, assign, load, lvalue, pointer
from devsem.frontend.cuda_names import is_library
from devsem.frontend.cuda_new import lambda_of, new_object, new_pointer, note_changes
from devsem.frontend.cuda_objects import Lambda, Object, Place, Pointer, Record
from devsem.frontend.cuda_order import operands
from devsem.frontend.cuda_scope import Frame, State, arithmetic_type
from devsem.frontend.cuda_shapes import shape_of
from devsem.frontend.cuda_types import BY_KIND, DOUBLE, POISON, VOID, Value
from devsem.program import Assign, If, Inline, Loop, Return, Statement, always_returns, target, walk
from devsem.rejections import TABLE

HARMLESS = frozenset({"CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR", "CUDAHOST_ATTR"})
LVALUES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"})
MAX_COPIES = 20_000


def inline(state: State, cursor: Cursor, function: Cursor) -> Object:
    """The result of a call of one of the file's functions, or of a lambda; VOID's value if it has none."""
    closure = lambda_of(state, cursor) if function.spelling == "operator()" else None
    definition = function.get_definition() if closure is None else closure.cursor
    code = _refusal(state, function, definition) if closure is None else _recursion(state, closure.cursor)
    if code is not None:
        names = {"name": str(function.spelling)} if "{name}" in TABLE[code][0] else {}
        return state.refuse(code, cursor, **names)
    parameters = [p for p in children(definition) if kind(p) == "PARM_DECL"]
    arguments = _given(cursor, parameters, closure is not None)
    if arguments is None:
        return state.refuse("cuda.call", cursor, name=str(function.spelling))
    mark = len(state.order)
    given = operands(state, cursor, [_argument(state, p, a) for p, a in zip(parameters, arguments, strict=True)])
    bound = [(p, g or POISON, a) for p, g, a in zip(parameters, given, arguments, strict=True)]
    return _body(state, cursor, function, definition, closure, bound, mark)


def _given(cursor: Cursor, parameters: list[Cursor], is_lambda: bool) -> list[Cursor] | None:
    """The argument of each parameter; a default argument stands at the parameter."""
    below = [c for c in children(cursor) if is_expression(c)]
    written = [a for a in (below[2:] if is_lambda else cursor.get_arguments()) if a is not None and in_text(a)]
    written = [a for a in written if cursor.extent.start.offset <= a.extent.start.offset <= cursor.extent.end.offset]
    out = []
    for i, p in enumerate(parameters):
        default = [c for c in children(p) if is_expression(c)]
        if i >= len(written) and not default:
            return None
        out.append(written[i] if i < len(written) else default[-1])
    return out if len(written) <= len(parameters) else None


def _argument(state: State, parameter: Cursor, argument: Cursor) -> Callable[[], Object | None]:
    """How to evaluate an argument for its parameter."""
    def evaluate() -> Object | None:
        shape, name = type_kind(parameter.type), str(parameter.spelling)
        if shape in POINTERS:
            to = pointer(state, argument)
            return replace(to, index=state.frozen(to.index, name, argument)) if isinstance(to, Pointer) else to
        if shape == "LVALUEREFERENCE":
            if _is_lvalue(argument):
                found = lvalue(state, argument)
                return replace(found, index=state.frozen(found.index, name, argument)) if isinstance(found, Place) else found
            return state.record(state, argument) if type_kind(argument.type) == "RECORD" else state.value(state, argument)
        return state.record(state, argument) if shape == "RECORD" else state.value(state, argument)
    return evaluate


def _is_lvalue(cursor: Cursor) -> bool:
    """Does an argument for a reference name an object?"""
    below = children(cursor)
    while (kind(cursor) == "PAREN_EXPR" or (kind(cursor) == "UNEXPOSED_EXPR" and type_kind(cursor.type) == type_kind(below[0].type))) and len(below) == 1:
        cursor = below[0]
        below = children(cursor)
    return kind(cursor) in LVALUES or (kind(cursor) == "UNARY_OPERATOR" and type_kind(below[0].type) == "POINTER")


def _body(state: State, cursor: Cursor, function: Cursor, definition: Cursor, closure: Lambda | None,
          given: Sequence[tuple[Cursor, Object, Cursor]], mark: int) -> Object:
    """The statements of a function, and its result."""
    name = "lambda" if closure else str(function.spelling)
    returned = function.result_type
    result, record = BY_KIND.get(type_kind(returned), POISON.type), None
    if type_kind(returned) == "RECORD":
        shape = shape_of(state, returned, definition)
        if shape is None:
            return POISON
        record, result = new_object(state, shape, name, cursor), VOID
    if result in (POISON.type, DOUBLE):
        return state.refuse("cuda.double" if result is DOUBLE else "cuda.type", definition, name=str(returned.spelling))
    note_changes(state, definition)
    known = [(c, state.lookup(c)) for c, _ in (closure.captured if closure else ())]
    state.inlining.append(Frame(definition, result, record if isinstance(record, Record) else None))
    with state.block() as body:
        for c, what in closure.captured if closure else ():
            state.declare(c, what)
        for p, v, a in given:
            _bind(state, p, v, a)
        state.statement(state, children(definition)[-1])
    state.inlining.pop()
    for c, before in known:
        if before is not None:
            state.declare(c, before)
    if (result is not VOID or record is not None) and not always_returns(tuple(body)):
        return POISON if state.is_cut else state.refuse("cuda.no_return", definition, name=name)
    changes = any(v is not None and state.order.get(v, mark) < mark for v in map(target, walk(body)))
    variable: Expr | None = None if result is VOID else state.fresh(name + "()", result.sort)
    if not changes and record is None:
        state.emit(Inline(name, variable, tuple(body), state.where(cursor)))
    else:
        left = [MAX_COPIES]
        spliced = _without_returns(tuple(body), variable, left)
        if any(isinstance(s, Loop) and _returns(s.body) for s in _own(body)) or left[0] < 0:
            return state.refuse("cuda.loop_return", cursor, name=name)
        state.blocks[-1].extend(spliced)
    return record if record is not None else Value(result, variable or POISON.expr)


def _own(body: Sequence[Statement]) -> Iterator[Statement]:
    """The statements of a function itself, without those of functions inlined in it."""
    for s in body:
        yield s
        if isinstance(s, If):
            yield from _own((*s.then, *s.other))
        elif isinstance(s, Loop):
            yield from _own((*s.test, *s.body, *s.step))


def _returns(body: Sequence[Statement]) -> bool:
    """May the function end inside these statements?"""
    return any(isinstance(s, Return) for s in _own(body))


def _without_returns(body: tuple[Statement, ...], result: Expr | None, left: list[int]) -> tuple[Statement, ...]:
    """The same statements with each return as the end of its branch; what follows a branch goes into the sides that go on."""
    out: list[Statement] = []
    for i, s in enumerate(body):
        left[0] -= 1
        if left[0] < 0:
            return tuple(out)
        if isinstance(s, Return):
            return (*out, *(() if s.value is None or result is None else (Assign(result, s.value, s.where),)))
        if isinstance(s, If) and _returns((*s.then, *s.other)):
            rest = body[i + 1:]
            return (*out, replace(s, then=_without_returns((*s.then, *rest), result, left), other=_without_returns((*s.other, *rest), result, left)))
        out.append(s)
    return tuple(out)


def _recursion(state: State, definition: Cursor) -> str | None:
    return "cuda.recursion" if any(definition == frame.cursor for frame in state.inlining) else None


def _refusal(state: State, function: Cursor, definition: Cursor | None) -> str | None:
    """Why a function of the file cannot be inlined."""
    if kind(function) != "FUNCTION_DECL":
        return "cuda.lambda" if function.spelling == "operator()" else "cuda.struct"
    if definition is None or "CUDADEVICE_ATTR" not in attributes(definition) | attributes(function):
        return "cuda.call"
    if is_library(str(function.spelling)) and not str(function.spelling).startswith("operator"):     # an overload in CUDA's headers could be the better match
        return "cuda.redefinition"
    if not attributes(definition) | attributes(function) <= HARMLESS:
        return "cuda.attribute"
    return _recursion(state, definition)


def _bind(state: State, parameter: Cursor, what: Object, argument: Cursor) -> None:
    """What a parameter stands for: a variable of its own by value, the argument itself by reference."""
    shape, name = type_kind(parameter.type), str(parameter.spelling) or "unnamed"
    if what is POISON:
        if shape not in POINTERS | {"LVALUEREFERENCE", "RECORD"}:
            arithmetic_type(state, parameter)
        state.declare(parameter, POISON)
    elif isinstance(what, Pointer) and shape in POINTERS:
        new_pointer(state, parameter, what)
    elif shape == "LVALUEREFERENCE" and _is_lvalue(argument):
        state.declare(parameter, what)
    elif isinstance(what, Record | Lambda | Place):
        state.declare(parameter, _copied(state, what, name, argument))
    elif isinstance(what, Value):
        _number(state, parameter, what, name, argument)
    else:
        state.declare(parameter, what)


def _copied(state: State, what: Object, name: str, argument: Cursor) -> Object:
    """A record by value."""
    if not isinstance(what, Record):
        return what if isinstance(what, Lambda) else load(state, what, argument)
    made = new_object(state, what.shape, name, argument)
    assign(state, made, what, argument)
    return made


def _number(state: State, parameter: Cursor, value: Value, name: str, argument: Cursor) -> None:
    """A number by value: a variable of its own, set to the argument."""
    to = value.type if type_kind(parameter.type) == "LVALUEREFERENCE" else arithmetic_type(state, parameter)
    if to is DOUBLE:
        state.refuse("cuda.double", parameter)
    if to in (POISON.type, DOUBLE):
        state.declare(parameter, POISON)
        return
    variable = state.fresh(name, to.sort)
    state.declare(parameter, Value(to, variable))
    state.emit(Assign(variable, state.convert(value, to, argument).expr, state.where(argument)))
