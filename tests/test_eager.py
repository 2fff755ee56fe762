"""Every row of the eager table against PyTorch's CPU code of the same operator, and the formulas that ATEN.md settles, by hand.

The C text of a formula is read by this project's own CUDA front end, under nvcc's default flags, and evaluated with the math library and
the approximate instructions nearly right: bit for bit where neither takes part, else within a few units in the last place. That catches
a wrong formula. That the compiler reads the text so too is for `test_compiled.py`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping

import numpy as np
import pytest
import test_aten as cpu

from devsem import libm
from devsem.aten import ATEN
from devsem.aten_eager import EAGER, eager_row
from devsem.aten_eager_rows import Applied, Formula
from devsem.aten_rows import Call, Refused
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const, mk, show, substitute, topo, var
from devsem.frontend.cuda import translate
from devsem.frontend.cuda_source import read
from devsem.lower import lower, prepare
from devsem.ops import BOOL, F32, LIBM1, LIBM2, OPS
from devsem.profile import load_profile
from devsem.simplify import resimplify
from devsem.symbolic import run

X, Y, Z = cpu.X, cpu.Y, cpu.Z
CASES = [pytest.param(name, args, id=f"{name}-{k}") for name, row in EAGER.items() if row.plan is not ATEN[name].build
         for k, args in enumerate(cpu.examples(name)) if args.get("rounding_mode") is None or args["other"] == cpu.Y]
# a product is fused into a sum, which the CPU may or may not do: these are compared with formulas written by hand
FUSED = {"aten.addcmul.default", "aten.addcdiv.default", "aten.lerp.Scalar", "aten.lerp.Tensor"}
NEAR_ROOT = {*cpu.CANCELS, "aten.lgamma.default"}
ROUNDED_TWICE = {"aten.div.Tensor", "aten.div.Scalar", "aten.div.Tensor_mode", "aten.div.Scalar_mode", *cpu.DIVIDES_BY_SIX}
LIBRARY = frozenset((*LIBM1, *LIBM2))
DEFAULT = load_profile("h100", "")


def as_written(formula: Formula) -> Expr:
    """The formula over variables of its parameters' names, as the CUDA front end reads it under nvcc's default flags."""
    stores = run(translate(read("formula.cu", formula.kernel("k")), None))
    (store,) = stores.stores
    sites = prepare((store.value,), DEFAULT)
    value = lower(sites.values[0], DEFAULT, (True,) * sites.choices)
    return substitute(value, {load.variable: var(load.buffer, F32) for load in stores.loads})


def planned(name: str, args: Mapping[str, object]) -> Applied | Expr:
    """What a row makes of a call."""
    op = cpu.overload(name)
    named = {a.name: a.default_value for a in op._schema.arguments if a.has_default_value()} | dict(args)
    made = {k: var(v, BOOL if v.startswith("b:") else F32) if isinstance(v, str) and v[:2] in ("f:", "b:") else v for k, v in named.items()}
    return EAGER[name].plan(Call(op=name, args=made, shapes={k: (2,) if v.is_var else () for k, v in made.items() if isinstance(v, Expr)}, dtype="float32"))


def value(plan: Applied | Expr, body: Callable[[Formula], Expr] = as_written) -> Expr:
    """A plan's value over the call's arguments."""
    if isinstance(plan, Expr):
        return plan
    return resimplify(body(plan.formula), {var(name, F32): arg for (name, _), arg in zip(plan.formula.params, plan.args, strict=True)})


def evaluated(root: Expr, inputs: Mapping[str, np.ndarray]) -> np.ndarray:
    """The value on arrays of patterns, functions that no standard fixes nearly right."""
    functions = {n.op: libm.nominal(n.op) for n in topo(root) if n.args and OPS[n.op].kind == "obligation"}
    return evaluate([root], {var(n, BOOL if n.startswith("b:") else F32): v for n, v in inputs.items()}, functions)[0]


ROUNDED = [case for case in CASES if case.values[0] not in FUSED]


@pytest.mark.parametrize(("name", "args"), ROUNDED)
def test_formula_agrees_with_the_cpu(name: str, args: cpu.Args) -> None:
    agrees_with_the_cpu(name, args, value(planned(name, args)))


def agrees_with_the_cpu(name: str, args: cpu.Args, root: Expr) -> None:
    """Assert that a call's value is PyTorch's, bit for bit or within what the functions of the math library may differ by."""
    names = sorted({v for v in args.values() if isinstance(v, str) and v[:2] in ("f:", "b:")})
    inputs = cpu.patterns(names, cpu.SEED + zlib.crc32(name.encode()) % 1000)
    given = {k: cpu.tensor(inputs[v], False) if isinstance(v, str) and v in inputs else v for k, v in args.items()}
    theirs = cpu.as_patterns(cpu.overload(name)(**given))
    obliged = any(n.args and OPS[n.op].kind == "obligation" for n in topo(root))
    ours = np.resize(evaluated(root, inputs), theirs.shape)
    if theirs.dtype == np.bool_:
        assert np.array_equal(ours, theirs)
        return
    most = cpu.LIBM_ULPS if obliged else 2 if name in ROUNDED_TWICE else cpu.tolerance(root)
    wrong = (ours != theirs) & ~(cpu.is_nan(ours) & cpu.is_nan(theirs)) & ~cpu.both_zero(name, ours, theirs)
    wrong &= (cpu.ulps(ours, theirs) > most) | (cpu.is_nan(ours) != cpu.is_nan(theirs)) | (most == 0)
    if obliged:     # near a root a small error is many units, and so is one unit of a subnormal that is then multiplied
        first, a, b = (v.view(np.float32).astype(np.float64) for v in (next(iter(inputs.values())), ours, theirs))
        with np.errstate(invalid="ignore"):
            wrong &= ~(abs(a - b) <= abs(first) * (2.0**-22 if name in NEAR_ROOT else 2.0**-148))
    bad = np.flatnonzero(wrong)
    assert bad.size == 0, [({n: hex(int(v[i])) for n, v in inputs.items()}, hex(int(ours[i])), hex(int(theirs[i]))) for i in bad[:3]]


# from ATEN.md, section 2, with the contraction that its rows name; f32 constants as their shortest decimal
BY_HAND: list[tuple[str, cpu.Args, str]] = [
    ("aten.add.Tensor", {"self": X, "other": Y}, "add_rn(f:x, f:y)"),
    ("aten.add.Tensor", {"self": X, "other": Y, "alpha": 0.3}, "fma_rn(0.3, f:y, f:x)"),
    ("aten.sub.Tensor", {"self": X, "other": Y, "alpha": 0.3}, "fma_rn(-0.3, f:y, f:x)"),
    ("aten.rsub.Tensor", {"self": X, "other": Y, "alpha": 0.3}, "fma_rn(-0.3, f:x, f:y)"),
    ("aten.div.Tensor", {"self": X, "other": Y}, "div_rn(f:x, f:y)"),
    ("aten.div.Tensor", {"self": X, "other": 13.0}, "mul_rn(f:x, 0.07692308)"),
    ("aten.div.Scalar", {"self": X, "other": 0}, "mul_rn(f:x, inf)"),
    ("aten.addcmul.default", {"self": X, "tensor1": Y, "tensor2": Z}, "fma_rn(f:y, f:z, f:x)"),
    ("aten.addcmul.default", {"self": X, "tensor1": Y, "tensor2": Z, "value": 0.3}, "fma_rn(0.3, mul_rn(f:y, f:z), f:x)"),
    ("aten.addcdiv.default", {"self": X, "tensor1": Y, "tensor2": Z}, "add_rn(f:x, div_rn(f:y, f:z))"),
    ("aten.addcdiv.default", {"self": X, "tensor1": Y, "tensor2": Z, "value": 0.3}, "fma_rn(0.3, div_rn(f:y, f:z), f:x)"),
    ("aten.lerp.Scalar", {"self": X, "end": Y, "weight": 0.25}, "fma_rn(0.25, sub_rn(f:y, f:x), f:x)"),
    ("aten.lerp.Scalar", {"self": X, "end": Y, "weight": 0.75}, "fma_rn(neg(sub_rn(f:y, f:x)), 0.25, f:y)"),
    ("aten.gelu.default", {"self": X, "approximate": "tanh"},
     "mul_rn(mul_rn(0.5, f:x), add_rn(1.0, D.tanhf(mul_rn(0.7978846, fma_rn(0.044715, mul_rn(mul_rn(f:x, f:x), f:x), f:x)))))"),
    ("aten.selu.default", {"self": X}, "select(lt(0.0, f:x), mul_rn(f:x, 1.050701), mul_rn(D.expm1f(mul_rn(f:x, 1.0)), 1.7580993))"),
    ("aten.pow.Tensor_Scalar", {"self": X, "exponent": 3}, "mul_rn(mul_rn(f:x, f:x), f:x)"),
    ("aten.pow.Tensor_Scalar", {"self": X, "exponent": 1.5}, "D.powf(f:x, 1.5)"),
    ("aten.pow.Tensor_Scalar", {"self": X, "exponent": 0}, "1.0"),
]


@pytest.mark.parametrize(("name", "args", "expected"), BY_HAND)
def test_formula_is_the_documented_one(name: str, args: cpu.Args, expected: str) -> None:
    assert show(value(planned(name, args))) == expected


def test_the_reciprocal_of_a_divisor_is_rounded_once() -> None:
    """ATEN.md, row div: from double, which differs from a float32 quotient at the divisor 0.001."""
    product = planned("aten.div.Tensor", {"self": X, "other": 0.001})
    assert isinstance(product, Expr)
    assert product.args[1] is bits(0x447A0000) is not bits(0x4479FFFF)
    assert np.float32(1) / np.float32(0.001) == np.uint32(0x4479FFFF).view(np.float32)


def test_numbers_of_the_module_are_arguments_of_the_kernel() -> None:
    plan = planned("aten.leaky_relu.default", {"self": X, "negative_slope": 0.2})
    assert isinstance(plan, Applied)
    assert plan.formula.params == (("a", "tensor"), ("s", "scalar"))
    assert plan.args == (var(X, F32), const(0.2))
    assert "0.2" not in plan.formula.kernel("k")


@pytest.mark.parametrize(("name", "args", "why"), [
    ("aten.div.Tensor_mode", {"self": X, "other": 3.0, "rounding_mode": "trunc"}, "by a number with rounding_mode"),
    ("aten.div.Tensor_mode", {"self": X, "other": Y, "rounding_mode": "floor"}, "rounding_mode 'floor'"),
    ("aten.div.Tensor", {"self": X, "other": mk("mul_rn", const(6.0), const(2.0))}, "0-dimensional constant"),
    ("aten.pow.Tensor_Scalar", {"self": X, "exponent": 2.00000000001}, "only after rounding"),
    ("aten.gelu.default", {"self": X, "approximate": "sigmoid"}, "approximate"),
    ("aten.celu.default", {"self": X, "alpha": 0}, "alpha is zero"),
])
def test_what_is_not_known_is_refused(name: str, args: dict[str, object], why: str) -> None:
    with pytest.raises(Refused, match=why):
        planned(name, args)


def test_every_operator_has_a_row_or_is_known_not_to() -> None:
    assert {name for name in ATEN if eager_row(name) is None} == {
        "aten.fmod.Tensor", "aten.fmod.Scalar", "aten.remainder.Tensor", "aten.remainder.Scalar"}
    assert eager_row("aten.multiply.Tensor") is EAGER["aten.mul.Tensor"]
    assert eager_row("torch.sym_size") is None
