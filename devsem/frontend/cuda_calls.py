"""Calls: CUDA's math functions by `ops.BY_C`, barriers, shuffles, vectors and conversions by `KNOWN`, the file's own functions inlined,
everything else refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from devsem.expr import bits, const_int, mk
from devsem.frontend.cuda_assign import assign_to
from devsem.frontend.cuda_clang import Cursor, children, in_text, is_expression, type_kind
from devsem.frontend.cuda_inline import inline
from devsem.frontend.cuda_memory import load, pointer
from devsem.frontend.cuda_names import code_of
from devsem.frontend.cuda_objects import Address, Object, Place, Record, Struct, scalars
from devsem.frontend.cuda_order import operands
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_shapes import VECTORS, shape_of
from devsem.frontend.cuda_types import BOOLEAN, BY_KIND, DOUBLE, FLOAT, INT, LONG_LONG, POISON, UNSIGNED, UNSIGNED_LONG_LONG, VOID, CType, Value
from devsem.ops import B32, BY_C, F32
from devsem.program import Barrier, Shuffle
from devsem.simplify import is_nan, make

CONSTANTS = {"__builtin_inff": 0x7F800000, "__builtin_huge_valf": 0x7F800000, "__builtin_nanf": 0x7FFFFFFF}
LOADS = frozenset({"__ldg", "__ldca", "__ldcg", "__ldcs"})
ORDERS = {"min": "min", "max": "max", "umin": "min", "umax": "max", "llmin": "min", "llmax": "max", "ullmin": "min", "ullmax": "max"}
INTEGERS = frozenset(t for t in BY_KIND.values() if t.is_int)


def call(state: State, cursor: Cursor) -> Object:
    """The result of a call."""
    function, name = cursor.referenced, str(cursor.spelling)
    if function is None:
        return state.refuse(code_of(name) or "cuda.construct", cursor, name="a call of what is not a function")
    if name in CONSTANTS and function.get_definition() is None:
        return Value(FLOAT, bits(CONSTANTS[name]))
    if name == "operator=" and type_kind(cursor.type) in ("RECORD", "LVALUEREFERENCE") and _is_implicit(function):
        below = [c for c in children(cursor) if is_expression(c)]
        return assign_to(state, below[0], below[2], "", cursor)
    if in_text(function):
        return inline(state, cursor, function)
    arguments = list(cursor.get_arguments())
    if name in LOADS and len(arguments) == 1:
        return _read(state, cursor, arguments[0])
    if name in KNOWN:
        return KNOWN[name](state, cursor, name, arguments)
    types = [BY_KIND.get(type_kind(t)) for t in function.type.argument_types()]
    if name in ORDERS and len(types) == 2 and (set(types) <= INTEGERS or (function.semantic_parent.spelling == "std" and set(types) == {FLOAT})):
        return _order(state, cursor, name, arguments)
    if name not in BY_C or (function.semantic_parent.spelling == "std" and name in ORDERS):
        return state.refuse(code_of(name) or "cuda.call", cursor, name=name)
    if name == "abs" and set(types) <= INTEGERS and len(types) == 1:
        return _absolute(state, cursor, arguments[0])
    values = operands(state, cursor, [partial(state.value, state, a) for a in arguments])
    if DOUBLE in types or BY_KIND.get(type_kind(cursor.type)) is DOUBLE:
        return state.refuse("cuda.double", cursor)
    row = BY_C[name]
    if any(t is not FLOAT for t in types) or len(types) != len(row.args):
        return state.refuse("cuda.integer_call", cursor, name=name)
    return Value(FLOAT if row.out == F32 else BOOLEAN, mk(row.name, *(state.as_expr(v, F32, a) for v, a in zip(values, arguments, strict=True))))


def _is_implicit(function: Cursor) -> bool:
    """Did the compiler make this copy assignment itself? Then it stands where its class does."""
    return not in_text(function) or bool(function.location == function.semantic_parent.location)


def _read(state: State, cursor: Cursor, argument: Cursor) -> Object:
    """__ldg and its kind: a load, whatever cache it takes."""
    to = pointer(state, argument)
    if isinstance(to, Address):
        return state.refuse("cuda.pointer", cursor)
    return POISON if to is None else load(state, Place(to.buffer, to.index, to.to), cursor)


def _arguments(state: State, cursor: Cursor, arguments: list[Cursor], types: Sequence[CType]) -> list[Value] | None:
    """So many arguments of these types; None once one is refused."""
    if len(arguments) != len(types):
        state.refuse("cuda.call", cursor, name=str(cursor.spelling))
        return None
    values = operands(state, cursor, [partial(state.value, state, a) for a in arguments])
    out = [state.convert(v, t, a) for v, t, a in zip(values, types, arguments, strict=True)]
    return None if any(v.type is POISON.type for v in out) else out


def _order(state: State, cursor: Cursor, name: str, arguments: list[Cursor]) -> Value:
    """min and max of integers, as C++'s overload takes them; std::min and std::max of floats, as the standard writes them."""
    to = BY_KIND[type_kind(cursor.type)]
    found = _arguments(state, cursor, arguments, (to, to))
    if found is None:
        return POISON
    a, b = (v.expr for v in found)
    if to is FLOAT:
        return Value(FLOAT, make("select", make("w_lt", b, a) if name == "min" else make("w_lt", a, b), b, a))
    return Value(to, make(f"{'s' if to.signed else 'u'}{ORDERS[name]}_{to.sort.lower()}", a, b))


def _absolute(state: State, cursor: Cursor, argument: Cursor) -> Value:
    """abs of an integer."""
    v = state.value(state, argument)
    if not v.type.is_int:
        return POISON if v.type is POISON.type else state.refuse("cuda.integer_call", cursor, name="abs")
    w, zero = v.type.sort.lower(), const_int(v.type.sort, 0)
    return Value(v.type, make(f"select_{w}", make(f"slt_{w}", v.expr, zero), make(f"sub_{w}", zero, v.expr), v.expr))


def _barrier(state: State, cursor: Cursor, name: str, arguments: list[Cursor]) -> Value:
    state.emit(Barrier(state.where(cursor)))
    return Value(VOID, POISON.expr)


def _shuffle(state: State, cursor: Cursor, name: str, arguments: list[Cursor]) -> Value:
    """__shfl_*_sync: another lane's value."""
    to = BY_KIND.get(type_kind(cursor.type))
    if to not in (FLOAT, INT, UNSIGNED) or not in_text(arguments[0]):
        return state.refuse("cuda.warp", cursor, name=name)
    given = [a for a in arguments if in_text(a)]
    found = _arguments(state, cursor, given, (UNSIGNED, to, INT, INT)[:len(given)])
    if found is None:
        return POISON
    mask, v, lane = (x.expr for x in found[:3])
    width = found[3].expr if len(found) > 3 else const_int(B32, 32)
    variable = state.fresh("shuffled", to.sort)
    state.emit(Shuffle(variable, SHUFFLE[name], mask, v, lane, width, state.where(cursor)))
    return Value(to, variable)


def _vector(state: State, cursor: Cursor, name: str, arguments: list[Cursor]) -> Object:
    """make_float4 and its kind."""
    shape = shape_of(state, cursor.type, cursor)
    if not isinstance(shape, Struct):
        return POISON
    found = _arguments(state, cursor, arguments, tuple(scalars(shape)))
    return POISON if found is None else Record(shape, tuple(found))


def _converted(state: State, cursor: Cursor, name: str, arguments: list[Cursor]) -> Value:
    """__float2int_rn and its kind."""
    row, source, to = CONVERSIONS[name]
    found = _arguments(state, cursor, arguments, (source,))
    return POISON if found is None else Value(to, make(row, found[0].expr))


def _number_bits(state: State, cursor: Cursor, name: str, arguments: list[Cursor]) -> Value:
    """__float_as_int: of constants that are numbers only, since a NaN's bits are not observed."""
    to = INT if name.endswith("_int") else UNSIGNED
    found = _arguments(state, cursor, arguments, (FLOAT,))
    if found is None:
        return POISON
    if not found[0].expr.is_const or is_nan(found[0].expr):
        return state.refuse("cuda.reinterpret", cursor)
    return Value(to, const_int(B32, found[0].expr.value))


Known = Callable[[State, Cursor, str, list[Cursor]], Object]
CONVERSIONS: dict[str, tuple[str, CType, CType]] = {
    **{f"__float2{c}_{mode}": (f"w_f32_to_{w}_{row}", FLOAT, to) for c, w, to in
       (("int", "s32", INT), ("uint", "u32", UNSIGNED), ("ll", "s64", LONG_LONG), ("ull", "u64", UNSIGNED_LONG_LONG))
       for mode, row in (("rn", "rn"), ("rz", "rz"), ("rd", "rm"), ("ru", "rp"))},
    **{f"__{c}2float_{mode}": (f"{w}_to_f32_{row}", source, FLOAT) for c, w, source in
       (("int", "s32", INT), ("uint", "u32", UNSIGNED), ("ll", "s64", LONG_LONG), ("ull", "u64", UNSIGNED_LONG_LONG))
       for mode, row in (("rn", "rn"), ("rz", "rz"), ("rd", "rm"), ("ru", "rp"))},
    "__int_as_float": ("of_bits", INT, FLOAT), "__uint_as_float": ("of_bits", UNSIGNED, FLOAT),
}
SHUFFLE = {"__shfl_sync": "idx", "__shfl_up_sync": "up", "__shfl_down_sync": "down", "__shfl_xor_sync": "xor"}
KNOWN: dict[str, Known] = {
    "__syncthreads": _barrier, **dict.fromkeys(SHUFFLE, _shuffle), **dict.fromkeys(CONVERSIONS, _converted),
    "__float_as_int": _number_bits, "__float_as_uint": _number_bits, **{f"make_{v}": _vector for v in VECTORS},
}
