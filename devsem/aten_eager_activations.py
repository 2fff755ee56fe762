"""The eager table, second part: activations and other composite kernels. See `aten_eager.py`.

A constant that PyTorch's functor captures is a scalar parameter; one that stands in the functor's text (gelu's) is a literal here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from devsem.aten_activations import ONE_SIXTH, RELU_ZERO, SELU_ALPHA, SELU_SCALE, SIX, SIXTH, THREE
from devsem.aten_eager_rows import Applied, EagerRow, Plan, kernel
from devsem.aten_rows import ZERO, Call, Refused, value_of
from devsem.expr import Expr, const

# M_SQRT1_2; M_SQRT2 * M_2_SQRTPI * 0.5; 0.044715
ALPHA, BETA, KAPPA = "0.707106769084930419921875f", "0.797884583473205566406250f", "0.044714998453855514526367f"
GELU = {
    "none": f"return a * 0.5f * (1.0f + erff(a * {ALPHA}));",
    "tanh": f"float cube = a * a * a; float inner = {BETA} * (a + {KAPPA} * cube); return 0.5f * a * (1.0f + tanhf(inner));",
}
ELU = "return a > 0.0f ? a * p : expm1f(a * i) * n;"
CAPPED = "float h = a + t; float m = h < z ? z : h; m = s < m ? s : m;"
SOFTPLUS = "return a * b > t ? a : log1pf(expf(a * b)) / b;"
LOG_SIGMOID = "float m = a < 0.0f ? a : 0.0f; return m - log1pf(expf(-fabsf(a)));"
ADDCMUL = "return s == 1.0f ? fmaf(b, c, a) : fmaf(s, b * c, a);"
ADDCDIV = "return s == 1.0f ? a + b / c : fmaf(s, b / c, a);"
SOFTSHRINK = "if (isnan(a)) return a; return a > l ? a - l : (a < -l ? a + l : 0.0f);"
SOFTSHRINK_NAN = "softshrink of a NaN: the newer PyTorch text, in which it stays NaN (older ones give 0 on CUDA)"
LERP = "return fabsf(w) < 0.5f ? a + w * (b - a) : b - (b - a) * (1.0f - w);"
XLOGY = "if (isnan(b)) return b; if (a == 0.0f) return 0.0f; return a * logf(b);"


def number(value: Expr) -> Callable[[Call], Expr]:
    """A constant that the functor captures."""
    return lambda c: value


def gelu(c: Call) -> Applied | Expr:
    kind = c.args.get("approximate")
    if kind not in GELU:
        raise Refused(f"its argument approximate is {kind!r}")
    return kernel(GELU[str(kind)], a="self")(c)


def elu(alpha: Callable[[Call], float], scale: Callable[[Call], float], input_scale: Callable[[Call], float]) -> Plan:
    """a > 0 ? a*scale : expm1(a*input_scale) * negcoef, where negcoef = float(alpha)*float(scale) is rounded once on the host."""
    def negcoef(c: Call) -> Expr:
        return const(value_of(const(alpha(c))) * value_of(const(scale(c))))
    return kernel(ELU, a="self", p=lambda c: const(scale(c)), i=lambda c: const(input_scale(c)), n=negcoef)


def celu(c: Call) -> Applied | Expr:
    """elu(x, alpha, 1, 1/alpha), the quotient taken in binary64."""
    alpha = c.number("alpha")
    if alpha == 0:
        raise Refused("its argument alpha is zero")
    return elu(lambda c: alpha, lambda c: 1.0, lambda c: 1.0 / alpha)(c)


def capped(ending: str) -> Plan:
    """min(max(a+3, 0), 6) and what follows it; the four constants are captured."""
    return kernel(f"{CAPPED} return {ending};", a="self", z=number(ZERO), w=number(ONE_SIXTH), t=number(THREE), s=number(SIX))


def activation_rows() -> Iterable[EagerRow]:
    """The rows of this part, in the order of ATEN.md."""
    yield EagerRow(name="aten.relu.default", plan=kernel("return a < z ? z : a;", a="self", z=number(ZERO)), evidence="[P #185354]", assumption=RELU_ZERO)
    yield EagerRow(name="aten.leaky_relu.default", plan=kernel("return a > 0.0f ? a : a * s;", a="self", s="negative_slope"),
                   evidence="[S ActivationLeakyReluKernel.cu@194ceea0]")
    yield EagerRow(name="aten.sigmoid.default", plan=kernel("return 1.0f / (1.0f + expf(-a));", a="self"), evidence="[S UnarySpecialOpsKernel.cu@0d9372b8]")
    yield EagerRow(name="aten.silu.default", plan=kernel("return a / (1.0f + expf(-a));", a="self"), evidence="[S ActivationSiluKernel.cu@66a38d50]")
    yield EagerRow(name="aten.gelu.default", plan=gelu, evidence="[S ActivationGeluKernel.cu@043e4c88]")
    yield EagerRow(name="aten.elu.default", plan=elu(lambda c: c.number("alpha"), lambda c: c.number("scale"), lambda c: c.number("input_scale")),
                   evidence="[S ActivationEluKernel.cu@0aafd810]")
    yield EagerRow(name="aten.selu.default", plan=elu(lambda c: SELU_ALPHA, lambda c: SELU_SCALE, lambda c: 1.0),
                   evidence="[S ActivationEluKernel.cu@0aafd810] [S Activation.cpp@000b65a7]")
    yield EagerRow(name="aten.celu.default", plan=celu, evidence="[S ActivationEluKernel.cu@0aafd810] [S Activation.cpp@000b65a7]")
    yield EagerRow(name="aten.hardsigmoid.default", plan=capped("m * w"), evidence="[S ActivationHardsigmoidKernel.cu@194ceea0]",
                   assumption=SIXTH.format("hardsigmoid"))
    yield EagerRow(name="aten.hardswish.default", plan=capped("a * m * w"), evidence="[S ActivationHardswishKernel.cu@194ceea0]",
                   assumption=SIXTH.format("hardswish"))
    yield EagerRow(name="aten.softplus.default", plan=kernel(SOFTPLUS, a="self", b="beta", t="threshold"), evidence="[S ActivationSoftplusKernel.cu@194ceea0]")
    yield EagerRow(name="aten.mish.default", plan=kernel("return a * tanhf(log1pf(expf(a)));", a="self"), evidence="[S ActivationMishKernel.cu@035290b7]")
    yield EagerRow(name="aten.log_sigmoid.default", plan=kernel(LOG_SIGMOID, a="self"), evidence="[S ActivationLogSigmoidKernel.cu@0726cc33]")
    yield EagerRow(name="aten.hardshrink.default", plan=kernel("return a >= -l && a <= l ? 0.0f : a;", a="self", l="lambd"),
                   evidence="[S ActivationHardshrinkKernel.cu@194ceea0]")
    yield EagerRow(name="aten.softshrink.default", plan=kernel(SOFTSHRINK, a="self", l="lambd"), assumption=SOFTSHRINK_NAN,
                   evidence="[S #54832323895, #69157852936 ActivationSoftshrinkKernel.cu]")
    yield EagerRow(name="aten.threshold.default", plan=kernel("return a <= t ? v : a;", a="self", t="threshold", v="value"),
                   evidence="[S ActivationThresholdKernel.cu@05f814fe]")
    # composite arithmetic
    yield EagerRow(name="aten.addcmul.default", plan=kernel(ADDCMUL, a="self", b="tensor1", c="tensor2", s="value"),
                   evidence="[W DeviceAddCmulCdiv.cuh]")
    yield EagerRow(name="aten.addcdiv.default", plan=kernel(ADDCDIV, a="self", b="tensor1", c="tensor2", s="value"),
                   evidence="[W DeviceAddCmulCdiv.cuh]")
    for kind in ("Scalar", "Tensor"):
        yield EagerRow(name=f"aten.lerp.{kind}", plan=kernel(LERP, a="self", b="end", w="weight"), evidence="[W Lerp.h] [S Lerp.cu@02aa0f6f]")
    for kind in ("Tensor", "Scalar_Other", "Scalar_Self"):
        yield EagerRow(name=f"aten.xlogy.{kind}", plan=kernel(XLOGY, a="self", b="other"), evidence="[S #16427738232 BinaryMiscOpsKernels.cu]")
