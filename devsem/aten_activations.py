"""The ATen table, second part: activations and other composite operators, by ATEN.md's formula and order of operations.

One PyTorch kernel may do several operations; each is rounded here (`--reference ieee`). Where PyTorch's CUDA code fuses
some of them, the row's assumption says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from devsem.aten_rows import ONE, ZERO, AtenRow, Call, Refused, clamped, ge, gt, scaled, value_of
from devsem.expr import Expr, bits, const, mk

THREE, SIX, HALF = const(3.0), const(6.0), const(0.5)
ONE_SIXTH = bits(0x3E2AAAAB)
GELU_ALPHA, GELU_BETA, GELU_KAPPA = bits(0x3F3504F3), bits(0x3F4C422A), bits(0x3D372713)
SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
RELU_ZERO = "relu of -0: the newer PyTorch text, in which -0 stays -0 (releases up to 2.11 give +0 on CUDA)"
CONTRACTED = "{}: every operation is rounded; PyTorch's CUDA compiler may fuse a product into a sum"
SIXTH = "{} multiplies by float32(1/6), as PyTorch's CUDA text does (its CPU code divides by 6)"
FUSED = "{}: every operation is rounded; PyTorch 2.13's CUDA code fuses the last product into the sum (fma)"


def relu(c: Call) -> Expr:
    """Newer text: NaN -> x, a zero -> x, negative -> 0, otherwise x; `x < 0` alone decides all four."""
    x = c.f32("self")
    return mk("select", mk("lt", x, ZERO), ZERO, x)


def leaky_relu(c: Call) -> Expr:
    x = c.f32("self")
    return mk("select", gt(x, ZERO), x, mk("mul_rn", x, c.scalar("negative_slope")))


def sigmoid(c: Call) -> Expr:
    return mk("div_rn", ONE, _one_plus_exp_neg(c.f32("self")))


def silu(c: Call) -> Expr:
    x = c.f32("self")
    return mk("div_rn", x, _one_plus_exp_neg(x))


def _one_plus_exp_neg(x: Expr) -> Expr:
    return mk("add_rn", ONE, mk("S.expf", mk("neg", x)))


def gelu(c: Call) -> Expr:
    """approximate="none": (x*0.5) * (1 + erf(x*sqrt(1/2))); "tanh": (0.5*x) * (1 + tanh(beta*(x + kappa*((x*x)*x))))."""
    x, kind = c.f32("self"), c.args.get("approximate")
    half = mk("mul_rn", x, HALF)
    if kind == "none":
        return mk("mul_rn", half, mk("add_rn", ONE, mk("S.erff", mk("mul_rn", x, GELU_ALPHA))))
    if kind == "tanh":
        cube = mk("mul_rn", mk("mul_rn", x, x), x)
        inner = mk("mul_rn", GELU_BETA, mk("add_rn", x, mk("mul_rn", GELU_KAPPA, cube)))
        return mk("mul_rn", half, mk("add_rn", ONE, mk("S.tanhf", inner)))
    raise Refused(f"its argument approximate is {kind!r}")


def elu(c: Call) -> Expr:
    return _elu(c.f32("self"), c.number("alpha"), c.number("scale"), c.number("input_scale"))


def selu(c: Call) -> Expr:
    return _elu(c.f32("self"), SELU_ALPHA, SELU_SCALE, 1.0)


def celu(c: Call) -> Expr:
    """elu(x, alpha, 1, 1/alpha), the quotient taken in binary64."""
    alpha = c.number("alpha")
    if alpha == 0:
        raise Refused("its argument alpha is zero")
    return _elu(c.f32("self"), alpha, 1.0, 1.0 / alpha)


def _elu(x: Expr, alpha: float, scale: float, input_scale: float) -> Expr:
    """x > 0 ? x*scale : expm1(x*input_scale) * (alpha*scale); the product of two float32 constants is exact in binary64."""
    negative = const(value_of(const(alpha)) * value_of(const(scale)))
    tail = scaled(mk("S.expm1f", scaled(x, const(input_scale))), negative)
    return mk("select", gt(x, ZERO), scaled(x, const(scale)), tail)


def hardsigmoid(c: Call) -> Expr:
    return mk("mul_rn", clamped(mk("add_rn", c.f32("self"), THREE), ZERO, SIX), ONE_SIXTH)


def hardswish(c: Call) -> Expr:
    x = c.f32("self")
    return mk("mul_rn", mk("mul_rn", x, clamped(mk("add_rn", x, THREE), ZERO, SIX)), ONE_SIXTH)


def softplus(c: Call) -> Expr:
    x, beta = c.f32("self"), c.scalar("beta")
    z = scaled(x, beta)
    tail = mk("S.log1pf", mk("S.expf", z))
    return mk("select", gt(z, c.scalar("threshold")), x, tail if beta is ONE else mk("div_rn", tail, beta))


def mish(c: Call) -> Expr:
    x = c.f32("self")
    return mk("mul_rn", x, mk("S.tanhf", mk("S.log1pf", mk("S.expf", x))))


def log_sigmoid(c: Call) -> Expr:
    x = c.f32("self")
    low = mk("select", mk("lt", x, ZERO), x, ZERO)
    return mk("sub_rn", low, mk("S.log1pf", mk("S.expf", mk("neg", mk("abs", x)))))


def hardshrink(c: Call) -> Expr:
    x, width = c.f32("self"), c.number("lambd")
    return mk("select", mk("and", ge(x, const(-width)), mk("le", x, const(width))), ZERO, x)


def softshrink(c: Call) -> Expr:
    """NaN -> x, above lambd x - lambd, below -lambd x + lambd, otherwise +0."""
    x, width = c.f32("self"), c.number("lambd")
    below = mk("select", mk("lt", x, const(-width)), mk("add_rn", x, const(width)), ZERO)
    return mk("select", mk("is_nan", x), x, mk("select", gt(x, const(width)), mk("sub_rn", x, const(width)), below))


def threshold(c: Call) -> Expr:
    x = c.f32("self")
    return mk("select", mk("le", x, c.scalar("threshold")), c.scalar("value"), x)


def addcmul(c: Call) -> Expr:
    return _plus_scaled(c, mk("mul_rn", c.f32("tensor1"), c.f32("tensor2")))


def addcdiv(c: Call) -> Expr:
    return _plus_scaled(c, mk("div_rn", c.f32("tensor1"), c.f32("tensor2")))


def _plus_scaled(c: Call, term: Expr) -> Expr:
    value = c.scalar("value")
    return mk("add_rn", c.f32("self"), term if value is ONE else mk("mul_rn", value, term))


def lerp_scalar(c: Call) -> Expr:
    """abs(w) < 0.5 ? self + w*(end - self) : end - (end - self)*(1 - w), the choice made once, on float32(w)."""
    start, end, w = c.f32("self"), c.f32("end"), c.scalar("weight")
    near, far = _lerp(start, end, w)
    return near if abs(value_of(w)) < 0.5 else far


def lerp_tensor(c: Call) -> Expr:
    w = c.f32("weight")
    near, far = _lerp(c.f32("self"), c.f32("end"), w)
    return mk("select", mk("lt", mk("abs", w), HALF), near, far)


def _lerp(start: Expr, end: Expr, w: Expr) -> tuple[Expr, Expr]:
    d = mk("sub_rn", end, start)
    return mk("add_rn", start, mk("mul_rn", w, d)), mk("sub_rn", end, mk("mul_rn", d, mk("sub_rn", ONE, w)))


def xlogy(c: Call) -> Expr:
    """other NaN -> NaN, self zero -> +0, otherwise self*log(other)."""
    x, y = c.f32("self"), c.f32("other")
    return mk("select", mk("is_nan", y), y, mk("select", mk("eq", x, ZERO), ZERO, mk("mul_rn", x, mk("S.logf", y))))


def is_tanh_gelu(c: Call) -> bool:
    return c.args.get("approximate") == "tanh"


def value_is_not_one(c: Call) -> bool:
    return c.scalar("value") is not ONE


def activation_rows() -> Iterable[AtenRow]:
    """The rows of this part, grouped as ATEN.md lists them."""
    yield AtenRow(name="aten.relu.default", build=relu, evidence="[P #185354] [T]", assumption=RELU_ZERO)
    yield AtenRow(name="aten.leaky_relu.default", build=leaky_relu, evidence="[S ActivationLeakyReluKernel.cu@194ceea0] [T]")
    yield AtenRow(name="aten.sigmoid.default", build=sigmoid, evidence="[S UnarySpecialOpsKernel.cu@0d9372b8] [T]")
    yield AtenRow(name="aten.silu.default", build=silu, evidence="[S ActivationSiluKernel.cu@66a38d50] [T]")
    yield AtenRow(name="aten.gelu.default", build=gelu, evidence="[S ActivationGeluKernel.cu@043e4c88]", when=is_tanh_gelu,
                  assumption="gelu(tanh): every operation is rounded; PyTorch's CUDA compiler may fuse kappa*x^3 into the sum")
    yield AtenRow(name="aten.elu.default", build=elu, evidence="[S ActivationEluKernel.cu@0aafd810] [T]")
    yield AtenRow(name="aten.selu.default", build=selu, evidence="[S Activation.cpp@000b65a7] [T]")
    yield AtenRow(name="aten.celu.default", build=celu, evidence="[T] [I] (elu with input_scale 1/alpha)")
    yield AtenRow(name="aten.hardsigmoid.default", build=hardsigmoid, evidence="[S ActivationHardsigmoidKernel.cu@194ceea0]",
                  assumption=SIXTH.format("hardsigmoid"))
    yield AtenRow(name="aten.hardswish.default", build=hardswish, evidence="[S ActivationHardswishKernel.cu@194ceea0]",
                  assumption=SIXTH.format("hardswish"))
    yield AtenRow(name="aten.softplus.default", build=softplus, evidence="[S ActivationSoftplusKernel.cu@194ceea0] [T]")
    yield AtenRow(name="aten.mish.default", build=mish, evidence="[S ActivationMishKernel.cu@035290b7] [T]")
    yield AtenRow(name="aten.log_sigmoid.default", build=log_sigmoid, evidence="[S ActivationLogSigmoidKernel.cu@0726cc33] [T]")
    yield AtenRow(name="aten.hardshrink.default", build=hardshrink, evidence="[S ActivationHardshrinkKernel.cu] [T]")
    yield AtenRow(name="aten.softshrink.default", build=softshrink, evidence="[S ActivationSoftshrinkKernel.cu]",
                  assumption="softshrink inside the band is +0, as PyTorch's CUDA text has it (its CPU code keeps the sign of x)")
    yield AtenRow(name="aten.threshold.default", build=threshold, evidence="[S ActivationThresholdKernel.cu] [T]")
    # composite arithmetic
    yield AtenRow(name="aten.addcmul.default", build=addcmul, evidence="[W DeviceAddCmulCdiv.cuh]", assumption=FUSED.format("addcmul"))
    yield AtenRow(name="aten.addcdiv.default", build=addcdiv, evidence="[W DeviceAddCmulCdiv.cuh]", assumption=FUSED.format("addcdiv"), when=value_is_not_one)
    yield AtenRow(name="aten.lerp.Scalar", build=lerp_scalar, evidence="[W Lerp.h]", assumption=CONTRACTED.format("lerp"))
    yield AtenRow(name="aten.lerp.Tensor", build=lerp_tensor, evidence="[W Lerp.h]", assumption=CONTRACTED.format("lerp"))
    yield AtenRow(name="aten.xlogy.Tensor", build=xlogy, evidence="[S #16427738232 BinaryMiscOpsKernels.cu] [T]")
    yield AtenRow(name="aten.xlogy.Scalar_Other", build=xlogy, evidence="[S #16427738232 BinaryMiscOpsKernels.cu] [T]")
    yield AtenRow(name="aten.xlogy.Scalar_Self", build=xlogy, evidence="[S #16427738232 BinaryMiscOpsKernels.cu] [T]")
