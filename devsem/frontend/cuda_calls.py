"""Calls: CUDA's math functions by `ops.BY_C`, the file's own __device__ functions inlined, everything else refused by name."""

from __future__ import annotations

import re

from devsem.expr import Expr, bits, mk
from devsem.frontend.cuda_clang import Cursor, attributes, children, in_text, is_instance, kind, type_kind
from devsem.frontend.cuda_memory import load, pointer
from devsem.frontend.cuda_scope import State, arithmetic_type
from devsem.frontend.cuda_types import BOOLEAN, BY_KIND, DOUBLE, FLOAT, POISON, VOID, Value
from devsem.ops import BY_C, F32
from devsem.program import Assign, Inline, always_returns
from devsem.rejections import TABLE

CONSTANTS = {"__builtin_inff": 0x7F800000, "__builtin_huge_valf": 0x7F800000, "__builtin_nanf": 0x7FFFFFFF}
NAMES = tuple((re.compile(pattern), code) for pattern, code in (
    (r"_*atomic\w*", "cuda.atomic"), (r"v?f?printf|puts|putchar|assert|__assert\w*", "cuda.printf"),
    (r"__syncthreads\w*|__syncwarp|__threadfence\w*|__barrier\w*", "cuda.syncthreads"),
    (r"__shfl\w*|__ballot\w*|__any\w*|__all\w*|__activemask|__reduce\w*|__match\w*|warpSize", "cuda.warp"),
    (r"_*half2?|_*nv_bfloat\w*|__\w*(half|bfloat16)\w*|__h\w+", "cuda.half"),
    (r"(make_)?(float|double|int|uint|char|short|long)[1234]", "cuda.struct"),
    (r"operator.*", "cuda.struct"), (r"__(int|uint)_as_float|__float_as_(int|uint)", "cuda.reinterpret"),
))
_DOUBLES = """abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv
exp exp10 exp2 expm1 fabs fdim fdivide finite floor fma fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan isnormal j0 j1 jn ldexp lgamma llrint
llround log log10 log1p log2 logb lrint lround max min modf nan nearbyint nextafter nexttoward norm norm3d norm4d normcdf normcdfinv pow powi rcbrt
remainder remquo rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn significand signbit sin sincos sincospi sinh sinpi sqrt tan tanh tanpi
tgamma trunc y0 y1 yn""".split()
_OTHERS = """all any assert ballot brkpt clock clock64 clz clzll double2float_rn fetch ffs ffsll float2int float2ll float2uint float2ull float_as_int
fpclassify free int2float int_as_float isgreater isgreaterequal isless islessequal islessgreater isunordered labs ll2float_rn llabs llmax llmin malloc
memcpy memset mul24 mul64hi mulhi popc popcll printf prof_trigger rhadd sad saturate syncthreads threadfence threadfence_block trap uint2float
ull2float ullmax ullmin umax umin umul24 umul64hi umulhi urhadd usad""".split()
LIBRARY = frozenset({*BY_C, *(n[:-1] for n in BY_C if n.endswith("f")), *_DOUBLES, *(n + s for n in _DOUBLES for s in "fl"), *_OTHERS})
_LIBRARY = re.compile(r"__\w*|(cuda|curand|cuC|tex|surf)\w*|h2?(ceil|cos|exp|exp2|exp10|floor|log|log2|log10|rcp|rint|rsqrt|sin|sqrt|tanh|tanh_approx|trunc)")
HARMLESS = frozenset({"CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR", "CUDAHOST_ATTR"})


def code_of(name: str) -> str | None:
    """The refusal that a name of CUDA's has to itself."""
    return next((code for pattern, code in NAMES if pattern.fullmatch(name)), None)


def is_library(name: str) -> bool:
    """Whether CUDA's headers may declare a function of this name, with overloads that ours do not show.

    >>> is_library("ldexp"), is_library("leaky")
    (True, False)
    """
    return name in LIBRARY or _LIBRARY.fullmatch(name) is not None or code_of(name) is not None


def call(state: State, cursor: Cursor) -> Value:
    """The result of a call."""
    function, name = cursor.referenced, str(cursor.spelling)
    if function is None:
        return state.refuse(code_of(name) or "cuda.construct", cursor, name="a call of what is not a function")
    if name in CONSTANTS and function.get_definition() is None:
        return Value(FLOAT, bits(CONSTANTS[name]))
    if in_text(function):
        return _inline(state, cursor, function)
    arguments = list(cursor.get_arguments())
    if name == "__ldg" and len(arguments) == 1:
        return load(state, pointer(state, arguments[0]), cursor)
    if name not in BY_C:
        return state.refuse(code_of(name) or "cuda.call", cursor, name=name)
    values = [state.value(state, a) for a in arguments]
    types = [BY_KIND.get(type_kind(t)) for t in function.type.argument_types()]
    if DOUBLE in types or BY_KIND.get(type_kind(cursor.type)) is DOUBLE:
        return state.refuse("cuda.double", cursor)
    row = BY_C[name]
    if any(t is not FLOAT for t in types) or len(types) != len(row.args):
        return state.refuse("cuda.integer_call", cursor, name=name)
    return Value(FLOAT if row.out == F32 else BOOLEAN, mk(row.name, *(state.as_expr(v, F32, a) for v, a in zip(values, arguments, strict=True))))


def _inline(state: State, cursor: Cursor, function: Cursor) -> Value:
    """A __device__ function's body in place of its call."""
    name, definition = str(function.spelling), function.get_definition()
    code = _refusal(state, function, definition)
    if code is not None:
        names = {"name": name} if "{name}" in TABLE[code][0] else {}
        return state.refuse(code, cursor, **names)
    parameters, arguments = [p for p in children(definition) if kind(p) == "PARM_DECL"], list(cursor.get_arguments())
    for p in parameters:
        if type_kind(p.type) in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
            return state.refuse("cuda.reference", p, name=str(p.spelling))
    if len(arguments) != len(parameters) or not all(map(in_text, arguments)):     # a default argument stands nowhere
        return state.refuse("cuda.call", cursor, name=name)
    values = [state.value(state, a) for a in arguments]
    result = BY_KIND.get(type_kind(definition.result_type), POISON.type)
    if result in (POISON.type, DOUBLE):
        return state.refuse("cuda.double" if result is DOUBLE else "cuda.type", definition, name=str(definition.result_type.spelling))
    state.inlining.append(definition)
    state.results.append(result)
    with state.block() as body:
        for p, v, a in zip(parameters, values, arguments, strict=True):
            _parameter(state, p, v, a)
        state.statement(state, children(definition)[-1])
    state.inlining.pop()
    state.results.pop()
    if result is not VOID and not always_returns(tuple(body)):
        return POISON if state.is_cut else state.refuse("cuda.no_return", definition, name=name)
    variable: Expr | None = None if result is VOID else state.fresh(name + "()", result.sort)
    state.emit(Inline(name, variable, tuple(body), state.where(cursor)))
    return Value(result, variable or POISON.expr)


def _refusal(state: State, function: Cursor, definition: Cursor | None) -> str | None:
    """Why a function of the file cannot be inlined."""
    if kind(function) != "FUNCTION_DECL":
        return "cuda.lambda" if function.spelling == "operator()" else "cuda.struct"
    if is_instance(function):
        return "cuda.template"
    if definition is None or "CUDADEVICE_ATTR" not in attributes(definition) | attributes(function):
        return "cuda.call"
    if is_library(str(function.spelling)):     # an overload in CUDA's headers could be the better match
        return "cuda.redefinition"
    if not attributes(definition) | attributes(function) <= HARMLESS:
        return "cuda.attribute"
    return "cuda.recursion" if any(definition == outer for outer in state.inlining) else None


def _parameter(state: State, parameter: Cursor, value: Value, argument: Cursor) -> None:
    """A parameter by value: a variable of its own, set to the argument."""
    to = arithmetic_type(state, parameter)
    if to is DOUBLE:
        state.refuse("cuda.double", parameter)
    if to in (POISON.type, DOUBLE):
        state.declare(parameter, POISON)
        return
    variable = state.fresh(str(parameter.spelling) or "unnamed", to.sort)
    state.declare(parameter, Value(to, variable))
    state.emit(Assign(variable, state.convert(value, to, argument).expr, state.where(argument)))
