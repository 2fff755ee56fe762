"""THE TABLE of ATen operators: what each PyTorch operator means, as an expression over `ops.py` (`--reference ieee`).

Each PyTorch operation is one correctly rounded IEEE operation; composite operators follow ATEN.md's formula and order
(`aten_activations.py`); functions without a standard are the named symbols `S.expf` and its kind. An operator that has no
row is refused by name.

>>> ATEN["aten.reciprocal.default"].build(Call(op="", args={"self": 2.0}, shapes={}, dtype="float32"))
div_rn(1.0, 2.0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from devsem.aten_activations import activation_rows
from devsem.aten_rows import NAN, ONE, ZERO, AtenRow, Call, Refused, clamped, ge, gt, value_of
from devsem.expr import Expr, const, mk

Build = Callable[[Call], Expr]
ADD_ALPHA = "add and sub with alpha other than 1 and -1: the product is rounded; PyTorch's CUDA code fuses it (fma)"
CLAMP_ZERO = "clamp at a zero bound: the newer PyTorch text, in which -0 passes (releases up to 2.11 give +0 on CUDA)"


# --- arithmetic


def add(c: Call) -> Expr:
    """self + alpha*other; of two truth values, their disjunction."""
    if c.is_bool("self", "other"):
        return mk("or", c.truth("self"), c.truth("other"))
    return mk("add_rn", c.f32("self"), _times_alpha(c, "other"))


def sub(c: Call) -> Expr:
    return mk("sub_rn", c.f32("self"), _times_alpha(c, "other"))


def rsub(c: Call) -> Expr:
    return mk("sub_rn", c.f32("other"), _times_alpha(c, "self"))


def _times_alpha(c: Call, name: str) -> Expr:
    x, alpha = c.f32(name), c.number("alpha")
    if alpha == 1:
        return x
    return mk("neg", x) if alpha == -1 else mk("mul_rn", const(alpha), x)


def has_alpha(c: Call) -> bool:
    return abs(c.number("alpha")) != 1


def mul(c: Call) -> Expr:
    """The product; of two truth values, their conjunction."""
    if c.is_bool("self", "other"):
        return mk("and", c.truth("self"), c.truth("other"))
    return mk("mul_rn", c.f32("self"), c.f32("other"))


def div(c: Call) -> Expr:
    """A true division, also by a number; rounding_mode "trunc" then drops the fraction."""
    quotient, mode = mk("div_rn", c.f32("self"), c.f32("other")), c.args.get("rounding_mode")
    if mode is None:
        return quotient
    if mode == "trunc":
        return mk("trunc", quotient)
    raise Refused(f"its argument rounding_mode is {mode!r}")


def remainder(c: Call) -> Expr:
    """fmod, moved by `other` when its sign differs from the sign of `other` and it is not zero."""
    b = c.f32("other")
    m = mk("S.fmodf", c.f32("self"), b)
    moved = mk("and", mk("not", mk("eq", m, ZERO)), mk("xor", mk("lt", b, ZERO), mk("lt", m, ZERO)))
    return mk("select", moved, mk("add_rn", m, b), m)


def sign(c: Call) -> Expr:
    """(0 < x) - (x < 0): NaN and both zeros give +0."""
    x = c.f32("self")
    return mk("select", gt(x, ZERO), ONE, mk("select", mk("lt", x, ZERO), const(-1.0), ZERO))


def reciprocal(c: Call) -> Expr:
    return mk("div_rn", ONE, c.f32("self"))


def square(c: Call) -> Expr:
    x = c.f32("self")
    return mk("mul_rn", x, x)


# exponents that PyTorch computes without powf
POWERS: dict[float, Callable[[Expr], Expr]] = {
    0.0: lambda x: ONE,
    1.0: lambda x: x,
    0.5: lambda x: mk("sqrt_rn", x),
    -0.5: lambda x: mk("S.rsqrtf", x),
    -1.0: lambda x: mk("div_rn", ONE, x),
    2.0: lambda x: mk("mul_rn", x, x),
    3.0: lambda x: mk("mul_rn", mk("mul_rn", x, x), x),
    -2.0: lambda x: mk("div_rn", ONE, mk("mul_rn", x, x)),
}


def pow_number(c: Call) -> Expr:
    """A number as exponent: eight special ones, otherwise powf."""
    x, exponent = c.f32("self"), c.number("exponent")
    if exponent not in POWERS and value_of(const(exponent)) in POWERS:
        raise Refused(f"its exponent {exponent!r} is a special one only after rounding to float32")
    return POWERS[exponent](x) if exponent in POWERS else mk("S.powf", x, const(exponent))


def pow_tensor(c: Call) -> Expr:
    """A tensor as exponent: powf; a 0-dimensional exponent may take the other path, so it is refused."""
    if c.shapes["exponent"] == ():
        raise Refused("its exponent is a 0-dimensional tensor; write a Python number")
    return mk("S.powf", c.f32("self"), c.f32("exponent"))


def number_pow(c: Call) -> Expr:
    """A number as base: 1 gives 1, otherwise powf."""
    return ONE if c.scalar("self") is ONE else mk("S.powf", c.scalar("self"), c.f32("exponent"))


# --- minima, maxima, clamps


def clamp_numbers(low: str, high: str) -> Build:
    """Bounds that are numbers; a NaN bound fills the result with NaN."""
    def build(c: Call) -> Expr:
        bounds = {name: c.scalar(name) for name in (low, high) if name and c.given(name)}
        if NAN in bounds.values():
            return NAN
        return clamped(c.f32("self"), bounds.get(low), bounds.get(high))
    return build


def has_zero_bound(low: str, high: str) -> Callable[[Call], bool]:
    """The condition of the assumption about -0."""
    return lambda c: any(name and c.given(name) and c.number(name) == 0 for name in (low, high))


def clamp_tensors(c: Call) -> Expr:
    """Bounds that are tensors: a NaN anywhere gives NaN; one bound alone is maximum or minimum."""
    if not c.given("min"):
        return mk("min_nan", c.f32("self"), c.f32("max"))
    if not c.given("max"):
        return mk("max_nan", c.f32("self"), c.f32("min"))
    low, high = c.f32("min"), c.f32("max")
    kept = clamped(c.f32("self"), low, high)
    return mk("select", mk("or", mk("is_nan", low), mk("is_nan", high)), NAN, kept)


def applied(op: str, *names: str) -> Build:
    """One operation of the vocabulary on these arguments as Float32."""
    return lambda c: mk(op, *(c.f32(n) for n in names))


# --- truth values


def logical(op: str, *names: str) -> Build:
    """One operation on these arguments as truth values."""
    return lambda c: mk(op, *(c.truth(n) for n in names))


def bitwise(op: str, *names: str) -> Build:
    """The same, for truth values only."""
    def build(c: Call) -> Expr:
        if not c.is_bool(*names):
            raise Refused("its arguments are not truth values")
        return mk(op, *(c.truth(n) for n in names))
    return build


def where(c: Call) -> Expr:
    if not c.is_bool("condition"):
        raise Refused("its condition is not a tensor of truth values")
    if c.is_bool("self", "other"):
        return mk("select_bool", c.truth("condition"), c.truth("self"), c.truth("other"))
    return mk("select", c.truth("condition"), c.f32("self"), c.f32("other"))


COMPARISONS: dict[str, Callable[[Expr, Expr], Expr]] = {
    "lt": lambda a, b: mk("lt", a, b), "le": lambda a, b: mk("le", a, b), "gt": gt, "ge": ge,
    "eq": lambda a, b: mk("eq", a, b), "ne": lambda a, b: mk("not", mk("eq", a, b)),
}


def compared(f: Callable[[Expr, Expr], Expr]) -> Build:
    """A comparison as Float32; a number is rounded to Float32 first."""
    return lambda c: f(c.f32("self"), c.f32("other"))


# --- no arithmetic


def same(c: Call) -> Expr:
    """The tensor itself."""
    value = c.args["self"]
    if not isinstance(value, Expr):
        raise Refused("its argument self is not a tensor")
    return value


def cast(c: Call) -> Expr:
    """Between float32 and bool; the result's dtype says which, and the front end refuses every other."""
    return c.truth("self") if c.dtype == "bool" else c.f32("self")


def dropout(c: Call) -> Expr:
    if c.args.get("train") is not False:
        raise Refused("it draws random numbers when it trains")
    value = c.args["input"]
    if not isinstance(value, Expr):
        raise Refused("its argument input is not a tensor")
    return value


def filled(name: str) -> Build:
    """The number that is the argument `name`, everywhere."""
    return lambda c: c.constant(c.number(name))


def everywhere(number: float) -> Build:
    """This number everywhere."""
    return lambda c: c.constant(number)


LIBM1 = {
    "exp": "expf", "exp2": "exp2f", "expm1": "expm1f", "log": "logf", "log2": "log2f", "log10": "log10f", "log1p": "log1pf", "sin": "sinf", "cos": "cosf",
    "tan": "tanf", "asin": "asinf", "acos": "acosf", "atan": "atanf", "sinh": "sinhf", "cosh": "coshf", "tanh": "tanhf", "asinh": "asinhf", "acosh": "acoshf",
    "atanh": "atanhf", "erf": "erff", "erfc": "erfcf", "rsqrt": "rsqrtf", "lgamma": "lgammaf",
}
EXACT1 = {"neg": "neg", "abs": "abs", "sqrt": "sqrt_rn", "round": "rint", "floor": "floor", "ceil": "ceil", "trunc": "trunc"}
CLAMPS = {"clamp": ("min", "max"), "clamp_min": ("min", ""), "clamp_max": ("", "max"), "hardtanh": ("min_val", "max_val")}
CLAMP_SOURCE = "[S TensorCompare.cu@0512f048] [P #185354] [T]"
VIEWS = ("alias", "detach", "contiguous", "expand", "expand_as", "lift_fresh_copy", "positive", "detach_")
RESHAPES = ("view.default", "reshape.default", "view_as.default", "reshape_as.default", "flatten.using_ints", "unflatten.int", "unsqueeze.default",
            "squeeze.default", "squeeze.dim", "squeeze.dims")


def _arithmetic() -> Iterable[AtenRow]:
    for kind in ("Tensor", "Scalar"):
        yield AtenRow(name=f"aten.add.{kind}", build=add, evidence="[S ufunc/add.h@66b5b0b5] [T]", assumption=ADD_ALPHA, when=has_alpha)
        yield AtenRow(name=f"aten.sub.{kind}", build=sub, evidence="[S ufunc/add.h@66b5b0b5] [T]", assumption=ADD_ALPHA, when=has_alpha)
        yield AtenRow(name=f"aten.rsub.{kind}", build=rsub, evidence="[I] [T]", assumption=ADD_ALPHA, when=has_alpha)
        yield AtenRow(name=f"aten.mul.{kind}", build=mul, evidence="[S BinaryMulKernel.cu@0512f048] [T]")
        yield AtenRow(name=f"aten.div.{kind}", build=div, evidence="[W BinaryInternal.h DivFunctor] [T]")
        yield AtenRow(name=f"aten.div.{kind}_mode", build=div, evidence="[I] [T]")
        yield AtenRow(name=f"aten.fmod.{kind}", build=applied("S.fmodf", "self", "other"), evidence="[I] [T]")
        yield AtenRow(name=f"aten.remainder.{kind}", build=remainder, evidence="[I] [T]")
    for name, op in EXACT1.items():
        yield AtenRow(name=f"aten.{name}.default", build=applied(op, "self"), evidence="[S UnaryOpsKernel.cu, AbsKernel.cu@131c37be] [T]")
    for name, f in LIBM1.items():
        yield AtenRow(name=f"aten.{name}.default", build=applied(f"S.{f}", "self"), evidence="[W CUDAMathCompat.h]")
    yield AtenRow(name="aten.atan2.default", build=applied("S.atan2f", "self", "other"), evidence="[W CUDAMathCompat.h]")
    yield AtenRow(name="aten.hypot.default", build=applied("S.hypotf", "self", "other"), evidence="[W CUDAMathCompat.h]")
    yield AtenRow(name="aten.sign.default", build=sign, evidence="[S #152448530 UnarySignKernels.cu] [T]")
    yield AtenRow(name="aten.reciprocal.default", build=reciprocal, evidence="[I] [T]")
    yield AtenRow(name="aten.square.default", build=square, evidence="[S #63923032 PowKernel.cu] [T]")
    yield AtenRow(name="aten.pow.Tensor_Scalar", build=pow_number, evidence="[S #63923032 PowKernel.cu] [W Pow.cuh] [T]")
    yield AtenRow(name="aten.pow.Tensor_Tensor", build=pow_tensor, evidence="[W Pow.cuh]")
    yield AtenRow(name="aten.pow.Scalar", build=number_pow, evidence="[S Pow.cpp@0298aaa1] [W Pow.cuh]")


def _choices() -> Iterable[AtenRow]:
    for name, bounds in CLAMPS.items():
        yield AtenRow(name=f"aten.{name}.default", build=clamp_numbers(*bounds), evidence=CLAMP_SOURCE, assumption=CLAMP_ZERO, when=has_zero_bound(*bounds))
    yield AtenRow(name="aten.relu6.default", build=lambda c: clamped(c.f32("self"), ZERO, const(6.0)), evidence=CLAMP_SOURCE, assumption=CLAMP_ZERO)
    for name in ("clamp", "clamp_min", "clamp_max"):
        yield AtenRow(name=f"aten.{name}.Tensor", build=clamp_tensors, evidence="[S TensorCompare.cu@0512f048] [S #120429268 TensorCompare.cpp]")
    for name, op in (("maximum", "max_nan"), ("minimum", "min_nan"), ("fmax", "max_num"), ("fmin", "min_num")):
        yield AtenRow(name=f"aten.{name}.default", build=applied(op, "self", "other"), evidence="[S MaxMinElementwiseKernel.cu@032c2950] [P #185765]",
                      assumption=f"{name} of two zeros of different signs orders -0 below +0, as CUDA does")
    for name, op in (("max", "max_nan"), ("min", "min_nan")):
        yield AtenRow(name=f"aten.{name}.other", build=applied(op, "self", "other"), evidence="[S MaxMinElementwiseKernel.cu@032c2950] [P #185765]",
                      assumption=f"{name} of two zeros of different signs orders -0 below +0, as CUDA does")
    for kind in ("self", "ScalarSelf", "ScalarOther", "Scalar"):
        yield AtenRow(name=f"aten.where.{kind}", build=where, evidence="[S TensorCompare.cu@0512f048] [T]")


def _truth() -> Iterable[AtenRow]:
    for name, f in COMPARISONS.items():
        for kind in ("Tensor", "Scalar"):
            yield AtenRow(name=f"aten.{name}.{kind}", build=compared(f), evidence="[I] [T]")
    for name, op in (("and", "and"), ("or", "or"), ("xor", "xor")):
        yield AtenRow(name=f"aten.logical_{name}.default", build=logical(op, "self", "other"), evidence="[I] [T]")
        yield AtenRow(name=f"aten.bitwise_{name}.Tensor", build=bitwise(op, "self", "other"), evidence="[I] [T]")
        yield AtenRow(name=f"aten.__{name}__.Tensor", build=bitwise(op, "self", "other"), evidence="[I] [T]")
    yield AtenRow(name="aten.logical_not.default", build=logical("not", "self"), evidence="[I] [T]")
    yield AtenRow(name="aten.bitwise_not.default", build=bitwise("not", "self"), evidence="[I] [T]")
    for name, op in (("isnan", "is_nan"), ("isinf", "is_inf"), ("isfinite", "is_finite")):
        yield AtenRow(name=f"aten.{name}.default", build=applied(op, "self"), evidence="[I] [T]")


def _moves() -> Iterable[AtenRow]:
    for name in VIEWS:
        yield AtenRow(name=f"aten.{name}.default", build=same, evidence="[T]", alias=True)
    for form in RESHAPES:
        yield AtenRow(name=f"aten.{form}", build=same, evidence="[T]", alias=True, reshapes=True)
    yield AtenRow(name="aten.clone.default", build=same, evidence="[T]")
    for kind in ("dtype", "dtype_layout", "device", "other"):
        yield AtenRow(name=f"aten.to.{kind}", build=cast, evidence="[T]", alias=True)
    yield AtenRow(name="aten._to_copy.default", build=cast, evidence="[T]")
    yield AtenRow(name="aten.type_as.default", build=cast, evidence="[T]", alias=True)
    yield AtenRow(name="aten.dropout.default", build=dropout, evidence="[T]", alias=True,
                  assumption="dropout is the identity: the module is captured in evaluation mode")
    for name, number in (("zeros", 0.0), ("ones", 1.0)):
        for form in (f"{name}.default", f"{name}_like.default", f"new_{name}.default"):
            yield AtenRow(name=f"aten.{form}", build=everywhere(number), evidence="[T]", uniform=True)
    yield AtenRow(name="aten.scalar_tensor.default", build=filled("s"), evidence="[T]", uniform=True)
    for form in ("full", "full_like", "new_full"):
        yield AtenRow(name=f"aten.{form}.default", build=filled("fill_value"), evidence="[T]", uniform=True)


# PyTorch keeps both spellings in a captured graph
SYNONYMS = {
    "clip": "clamp", "multiply": "mul", "subtract": "sub", "divide": "div", "negative": "neg", "absolute": "abs", "fix": "trunc", "greater": "gt", "less": "lt",
    "greater_equal": "ge", "less_equal": "le", "not_equal": "ne", "arctan": "atan", "arcsin": "asin", "arccos": "acos", "arctanh": "atanh",
    "arcsinh": "asinh", "arccosh": "acosh", "arctan2": "atan2", "special_expm1": "expm1", "special_exp2": "exp2", "special_erf": "erf",
    "special_erfc": "erfc", "special_log1p": "log1p", "special_gammaln": "lgamma", "special_expit": "sigmoid",
}


def with_synonyms(rows: dict[str, AtenRow]) -> dict[str, AtenRow]:
    """The rows, and each row that has a second spelling under that as well."""
    spelled: dict[str, AtenRow] = {}
    for other, name in SYNONYMS.items():
        for row in [r for r in rows.values() if r.name.split(".")[1] == name]:
            spelled[f"aten.{other}.{row.name.split('.')[2]}"] = row
    return index(rows.values(), (replace(row, name=name) for name, row in spelled.items()))


def index(*groups: Iterable[AtenRow]) -> dict[str, AtenRow]:
    """The rows by name; a repeated name stops the import."""
    out: dict[str, AtenRow] = {}
    for row in (row for group in groups for row in group):
        if row.name in out:
            raise ValueError(f"ATen operator {row.name} is declared twice")
        out[row.name] = row
    return out


ATEN = with_synonyms(index(_arithmetic(), _choices(), _truth(), _moves(), activation_rows()))
