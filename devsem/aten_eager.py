"""THE TABLE of `--reference eager`: for each ATen operator, the element function of PyTorch's CUDA kernel, in C and in our own words.

Formula, order and types follow ATEN.md; where that says nothing certain there is no row, and the operator is refused by name. All is
float: nothing is widened on CUDA (ATEN.md, rule 1). `aten.py` stays the table of `--reference ieee`, and the only one that says what
moves data or compares.

>>> str(eager_row("aten.multiply.Tensor").name)
'aten.mul.Tensor'
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from devsem.aten import ATEN, CLAMP_ZERO, CLAMPS, LIBM1, SYNONYMS, has_zero_bound
from devsem.aten_eager_activations import activation_rows
from devsem.aten_eager_rows import Applied, EagerRow, Plan, kernel, unknown
from devsem.aten_rows import NAN, Call, value_of
from devsem.expr import Expr, const, mk, variables

# no arithmetic, or one correctly rounded instruction that nothing can be fused with: the value is the one of `--reference ieee`
UNCHANGED = frozenset((
    "where logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor bitwise_not __and__ __or__ __xor__ isnan isinf isfinite "
    "lt le gt ge eq ne alias detach detach_ contiguous expand expand_as lift_fresh_copy positive view view_as reshape reshape_as flatten unflatten "
    "unsqueeze squeeze clone to _to_copy type_as dropout zeros zeros_like new_zeros ones ones_like new_ones full full_like new_full scalar_tensor "
    "mul neg abs sqrt round floor ceil trunc sign maximum minimum fmax fmin").split())
UNCHANGED_FORMS = frozenset({"aten.max.other", "aten.min.other", "aten.clamp.Tensor", "aten.clamp_min.Tensor", "aten.clamp_max.Tensor"})
RECIPROCAL = "division by a number is a product with its reciprocal, taken in double and rounded to float32, as PyTorch's CUDA code has it since 2025-12"
LIBM = "[W CUDAMathCompat.h] [S UnaryOpsKernel.cu@005c445b, UnaryLogKernels.cu@02cc8f6a, UnaryGeometricKernels.cu@00049c9d] [W Math.cuh]"


# --- arithmetic


def plus_alpha(name: str, sign: int, first: str, second: str) -> Plan:
    """first + (±alpha)*second: one addition where alpha is 1 or -1 (that product is exact); otherwise the compiler may fuse."""
    fused = kernel("return a + s * b;", a=first, b=second, s=lambda c: const(sign * c.number("alpha")))

    def plan(c: Call) -> Applied | Expr:
        return ATEN[name].build(c) if abs(c.number("alpha")) == 1 or c.is_bool(first, second) else fused(c)
    return plan


def div(c: Call) -> Applied | Expr:
    """A true division by a tensor; a number's reciprocal is a run-time argument."""
    other, mode = c.args.get("other"), c.args.get("rounding_mode")
    if mode == "trunc" and isinstance(other, Expr) and variables(other):
        return kernel("return truncf(a / b);", a="self", b="other")(c)
    if mode is not None:
        raise unknown(f"division by a number with rounding_mode {mode!r}" if mode == "trunc" else f"rounding_mode {mode!r}")
    if isinstance(other, Expr):
        if c.shapes.get("other") == () and not variables(other):
            raise unknown("its divisor is a 0-dimensional constant, by whose reciprocal PyTorch multiplies when it is on the CPU; write a Python number")
        return ATEN["aten.div.Tensor"].build(c)
    return mk("mul_rn", c.f32("self"), const(reciprocal(c.number("other"))))


def reciprocal(divisor: float) -> float:
    """1/divisor in binary64; of a zero, the infinity of its sign."""
    return 1.0 / divisor if divisor else math.copysign(math.inf, divisor)


def divides_by_number(c: Call) -> bool:
    return not isinstance(c.args.get("other"), Expr)


# exponent -> C body; the others are powf
POWERS = {0.5: "return sqrtf(a);", -0.5: "return rsqrtf(a);", -1.0: "return 1.0f / a;", 2.0: "return a * a;", 3.0: "return a * a * a;",
          -2.0: "return 1.0f / (a * a);"}


def pow_number(c: Call) -> Applied | Expr:
    """A number as exponent: eight special ones, otherwise powf of a run-time exponent."""
    exponent = c.number("exponent")
    if exponent in (0.0, 1.0) or (exponent not in POWERS and value_of(const(exponent)) in (0.0, 1.0, *POWERS)):
        return ATEN["aten.pow.Tensor_Scalar"].build(c)
    if exponent in POWERS:
        return kernel(POWERS[exponent], a="self")(c)
    return kernel("return powf(a, s);", a="self", s="exponent")(c)


def pow_tensor(c: Call) -> Applied | Expr:
    ATEN["aten.pow.Tensor_Tensor"].build(c)     # refuses a 0-dimensional exponent
    return kernel("return powf(a, b);", a="self", b="exponent")(c)


def number_pow(c: Call) -> Applied | Expr:
    """A number as base: 1 gives 1, otherwise powf."""
    if c.number("self") == 1:
        return ATEN["aten.pow.Scalar"].build(c)
    return kernel("return powf(s, a);", s="self", a="exponent")(c)


# --- clamps


def clamp_numbers(low: str, high: str) -> Plan:
    """Comparisons that a NaN makes false; a NaN bound fills the result with NaN."""
    def plan(c: Call) -> Applied | Expr:
        lo, hi = bool(low) and c.given(low), bool(high) and c.given(high)
        if any(given and c.scalar(name) is NAN for name, given in ((low, lo), (high, hi))):
            return NAN
        if lo and hi:
            return kernel("float r = a < l ? l : a; return h < r ? h : r;", a="self", l=low, h=high)(c)
        if not lo and not hi:
            raise unknown("it has no bound")
        return kernel("return a < l ? l : a;", a="self", l=low)(c) if lo else kernel("return h < a ? h : a;", a="self", h=high)(c)
    return plan


def relu6(c: Call) -> Applied | Expr:
    return clamp_numbers("min_val", "max_val")(Call(op=c.op, args={**c.args, "min_val": 0.0, "max_val": 6.0}, shapes=c.shapes, dtype=c.dtype))


def _rows() -> Iterable[EagerRow]:
    for row in ATEN.values():
        if row.name.split(".")[1] in UNCHANGED or row.name in UNCHANGED_FORMS:
            yield EagerRow(name=row.name, plan=row.build, evidence=row.evidence, assumption=row.assumption, when=row.when)
    for kind in ("Tensor", "Scalar"):
        evidence = "[W _inductor/lowering.py] [P #175838] [S ufunc/add.h@66b5b0b5]"
        yield EagerRow(name=f"aten.add.{kind}", plan=plus_alpha(f"aten.add.{kind}", 1, "self", "other"), evidence=evidence)
        yield EagerRow(name=f"aten.sub.{kind}", plan=plus_alpha(f"aten.sub.{kind}", -1, "self", "other"), evidence=evidence)
        yield EagerRow(name=f"aten.rsub.{kind}", plan=plus_alpha(f"aten.rsub.{kind}", -1, "other", "self"), evidence=evidence)
        for form in (kind, f"{kind}_mode"):
            yield EagerRow(name=f"aten.div.{form}", plan=div, assumption=RECIPROCAL, when=divides_by_number, evidence=(
                "[S #68290070773] [P #169507] [W BinaryInternal.h] [W _inductor/lowering.py] [S BinaryDivTruncKernel.cu@05386373]"))
    for name, f in LIBM1.items():
        yield EagerRow(name=f"aten.{name}.default", plan=kernel(f"return {f}(a);", a="self"), evidence=LIBM)
    for name, f in (("atan2", "atan2f"), ("hypot", "hypotf")):
        yield EagerRow(name=f"aten.{name}.default", plan=kernel(f"return {f}(a, b);", a="self", b="other"), evidence="[S BinaryGeometricKernels.cu@131c37be]")
    yield EagerRow(name="aten.reciprocal.default", plan=kernel("return 1.0f / a;", a="self"), evidence="[S UnaryFractionKernels.cu@07059c1a]")
    yield EagerRow(name="aten.square.default", plan=kernel(POWERS[2.0], a="self"), evidence="[S #63923032 PowKernel.cu]")
    yield EagerRow(name="aten.pow.Tensor_Scalar", plan=pow_number, evidence="[S #63923032 PowKernel.cu] [W Pow.cuh]")
    yield EagerRow(name="aten.pow.Tensor_Tensor", plan=pow_tensor, evidence="[S #63923032 PowKernel.cu] [W Pow.cuh]")
    yield EagerRow(name="aten.pow.Scalar", plan=number_pow, evidence="[S Pow.cpp@0298aaa1] [W Pow.cuh]")
    for name, bounds in CLAMPS.items():
        yield EagerRow(name=f"aten.{name}.default", plan=clamp_numbers(*bounds), evidence="[S TensorCompare.cu@0512f048] [P #185354]",
                       assumption=CLAMP_ZERO, when=has_zero_bound(*bounds))
    yield EagerRow(name="aten.relu6.default", plan=relu6, evidence="[S TensorCompare.cu@0512f048] [P #185354]", assumption=CLAMP_ZERO)
    yield from activation_rows()


def index(rows: Iterable[EagerRow]) -> Mapping[str, EagerRow]:
    """The rows by name; a repeated name, or one that `aten.py` does not have, stops the import."""
    out: dict[str, EagerRow] = {}
    for row in rows:
        if row.name in out or row.name not in ATEN:
            raise ValueError(f"the eager row {row.name} is declared twice, or aten.py has no such operator")
        out[row.name] = row
    return out


EAGER = index(_rows())


def eager_row(name: str) -> EagerRow | None:
    """The row of an operator of `ATEN`, whichever way it is spelled; None where its CUDA kernel is not known well enough."""
    if name not in ATEN:
        return None
    namespace, operator, overload = name.split(".")
    return EAGER.get(f"{namespace}.{SYNONYMS.get(operator, operator)}.{overload}")
