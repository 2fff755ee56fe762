"""THE TABLE of wrong behaviours that calibration must find: each a switch of the emulator, with the probe that must see it.

`bench/planted.py` prints it with what was found. A switch changes how instructions behave (`behaviour`), whether ptxas contracts (`fuses`),
or what the compiler makes of one probe: `body` is then compiled instead of the probe's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem import floats
from devsem.behaviour import DOCUMENTED, Behaviour
from devsem.calibration import Seen, compile_probes, observe
from devsem.device import Emulator
from devsem.emulator_only import DOUBLE, narrowed
from devsem.frontend.nvrtc import Compiled
from devsem.lanes import canonical, nan
from devsem.ops import OPS
from devsem.probes import DEFAULT, Probe
from devsem.rounding import SIGN

Array = npt.NDArray[Any]
QUIET, SMALLEST, ONE = np.uint32(0x00400000), np.uint32(0x00800000), np.uint32(0x3F800000)
PRECISE, FLUSHING = "-prec-div=true -prec-sqrt=true", "-ftz=true"
PINNED = {"division_quotient", "division_reciprocal", "division_special", "sqrt_root", "sqrt_special", "ftz_div_input", "ftz_div_result", "ftz_div_rounding",
          "ftz_window_div", "ftz_rcp", "ftz_sqrt", "nan_div", "nan_made_div", "nan_sqrt", "nan_made_sqrt", "rewrite_reciprocal",
          "rewrite_reciprocal_flushed"}     # ask for PRECISE
START = "    int i = threadIdx.x;\n"


@dataclass(frozen=True)
class Switch:
    """One wrong behaviour: the field of the fact, the probe that must see it, with which flags."""

    name: str
    field: str
    probe: str
    flags: str = ""
    behaviour: Behaviour = DOCUMENTED
    fuses: bool = True
    body: str = ""

    @property
    def run(self) -> str:
        """The probe's run with these flags."""
        return " ".join(filter(None, (self.flags, PRECISE if self.probe in PINNED else ""))) or DEFAULT

    def device(self, arch: str) -> Emulator:
        """The emulator with this behaviour."""
        return Emulator(arch, self.behaviour, self.fuses)


def rows(**functions: Callable[..., Array]) -> Behaviour:
    """Operations computed otherwise."""
    return Behaviour(rows=functions)


# --- functions that are wrong ---


def _payload(row: str) -> Behaviour:
    """An operation that gives its first NaN operand, made quiet."""
    def function(*args: Array) -> Array:
        evaluate = OPS[row].eval
        assert evaluate is not None
        out: Array = evaluate(*args)
        for a in reversed(np.broadcast_arrays(*args)):
            out = np.where(nan(a), a | QUIET, out)
        return out
    return Behaviour(rows={row: function}, own_nans=True)


def _tiny(f: Callable[..., Array]) -> Callable[..., Array]:
    """What is exactly below 2^-126 is flushed, though it rounds to that."""
    def function(*args: Array) -> Array:
        nearest, down = f(*args), f(*args, mode="rz")
        return np.where((nearest & ~SIGN == SMALLEST) & (down & ~SIGN < SMALLEST), nearest & SIGN, nearest)
    return function


def _second_zero(f: Callable[..., Array]) -> Callable[..., Array]:
    return lambda a, b: np.where((a | b) & ~SIGN == 0, b, f(a, b))


def _flushed_product(a: Array, b: Array, c: Array) -> Array:
    product = floats.mul(a, b)
    return np.where((product & ~SIGN != 0) & (product & ~SIGN < SMALLEST), floats.add(floats.ftz(product), c), floats.fma(a, b, c))


def _unclamped(row: str) -> Callable[..., Array]:
    """0x80000000 for a NaN and every number that does not fit."""
    def function(a: Array) -> Array:
        evaluate = OPS[row].eval
        assert evaluate is not None
        value = a.view(np.float32).astype(np.float64)
        return np.where(~(np.abs(value) < 2.0 ** 31), np.uint32(0x80000000), evaluate(a))
    return function


def _ties_away(a: Array) -> Array:
    """The conversion with ties away from zero."""
    evaluate = OPS["f32_to_s32_rz"].eval
    assert evaluate is not None
    return np.asarray(evaluate(floats.round_away(a)))


def _sums_away(a: Array, b: Array) -> Array:
    """Sums with ties away from zero: in binary64 they are exact for the probe's rows."""
    total = a.view(np.float32).astype(np.float64) + b.view(np.float32).astype(np.float64)
    down = floats.add(a, b, mode="rz")
    with np.errstate(all="ignore"):
        gap = np.abs(total - down.view(np.float32)) * 2 >= np.abs((down + 1).view(np.float32).astype(np.float64) - down.view(np.float32))
        return np.where((down & ~SIGN < 0x7F7FFFFF) & (total != down.view(np.float32)) & gap, down + np.uint32(1), floats.add(a, b))


def _cut(a: Array) -> Array:
    """Doubles as Float32, toward zero."""
    nearest = narrowed(a)
    return np.where(np.abs(nearest.view(np.float32).astype(np.float64)) > np.abs(a.view(np.float64)), nearest - np.uint32(1), nearest)


def _cut_away(a: Array) -> Array:
    """Doubles as Float32, to nearest, ties away from zero."""
    nearest, down = narrowed(a), _cut(a)
    with np.errstate(all="ignore"):
        middle = (down.view(np.float32).astype(np.float64) + (down + np.uint32(1)).view(np.float32).astype(np.float64)) / 2
    return np.where((nearest == down) & (a.view(np.float64) == middle), down + np.uint32(1), nearest)


def _halved(a: Array) -> Array:
    evaluate = OPS["round_f16"].eval
    assert evaluate is not None
    return np.asarray(evaluate(a))


def _half_cut(a: Array) -> Array:
    """Toward zero as a half."""
    nearest = _halved(a)
    with np.errstate(all="ignore"):
        below = (nearest.view(np.float32).astype(np.float16).view(np.uint16) - np.uint16(1)).view(np.float16).astype(np.float32).view(np.uint32)
    return np.where(np.abs(nearest.view(np.float32)) > np.abs(a.view(np.float32)), below, nearest)


def _half_flushed(a: Array) -> Array:
    """A half below 2^-14 is a zero."""
    nearest = _halved(a)
    return np.where(np.abs(nearest.view(np.float32)) < 2.0 ** -14, nearest & SIGN, nearest)


# what is compiled instead of reading a half: a small one times 0
HALF_READ = ('float f;\n    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(f) : "r"(__float_as_int(a[i])));\n'
             "    r[i] = fabsf(f) < 6.103515625e-05f ? f * b[i] : f;")
FLUSHED = {"add": "ftz_add_input", "sub": "ftz_sub_result", "mul": "ftz_mul_input", "fma": "ftz_fma_factor", "div": "ftz_div_input", "rcp": "ftz_rcp",
           "sqrt": "ftz_sqrt", "setp": "ftz_compare", "min": "ftz_min", "max": "ftz_max", "neg": "ftz_neg", "abs": "ftz_abs", "cvt": "ftz_floor"}
NANS = {"add_rn": "nan_add", "mul_rn": "nan_mul", "fma_rn": "nan_fma", "div_rn": "nan_div", "sqrt_rn": "nan_sqrt", "floor": "nan_floor", "min_num": "nan_min"}
UNFUSED = {
    "contract_statement": "r[i] = __fadd_rn(__fmul_rn(a[i], b[i]), c[i]);", "contract_across": "float t = __fmul_rn(a[i], b[i]);\n    r[i] = t + c[i];",
    "contract_function": "r[i] = contract_sum(__fmul_rn(a[i], b[i]), c[i]);", "contract_minuend": "r[i] = __fsub_rn(__fmul_rn(a[i], b[i]), c[i]);",
    "contract_subtrahend": "r[i] = __fsub_rn(c[i], __fmul_rn(a[i], b[i]));",
    "contract_loop": "float s = c[i];\n    for (int k = 0; k < 3; ++k) s += __fmul_rn(a[i + k], b[i + k]);\n    r[i] = s;",
    "contract_which": "r[i] = fmaf(c[i], d[i], __fmul_rn(a[i], b[i]));",
    "contract_which_swapped": "r[i] = __fadd_rn(__fmul_rn(c[i], d[i]), __fmul_rn(a[i], b[i]));",
    "contract_which_minus": "r[i] = fmaf(-c[i], d[i], __fmul_rn(a[i], b[i]));",
    "contract_shared_product": "r[i] = fmaf(a[i], b[i], c[i]) * __fmul_rn(a[i], b[i]);",
    "contract_intrinsics": "r[i] = fmaf(a[i], b[i], c[i]);", "contract_libm": "r[i] = __fadd_rn(expf(a[i]), b[i]);",
}
UNWRITTEN = {      # the operands beyond the rows' are zeros, which the compiler does not know
    "rewrite_min": ("", "r[i] = a[i] < b[i] ? a[i] : b[i];"), "rewrite_max": ("", "float z = -b[i];\n    r[i] = a[i] > z ? a[i] : z;"),
    "rewrite_relu": ("", "r[i] = a[i] >= b[i] ? a[i] : b[i];"), "rewrite_threshold_nan": ("", "r[i] = fmaxf(a[i], b[i]);"),
    "rewrite_flushed_compare": ("", "r[i] = fabsf(a[i]);"),
    "rewrite_folding": ("", "r[i] = (1.1f + b[i]) * 1.3f - 1.43f;"), "rewrite_fma_zero": ("", "r[i] = fmaf(a[i], b[i], c[i]);"),
    "rewrite_identity": (FLUSHING, "r[i] = a[i] * (1.0f + b[i]);"), "rewrite_reciprocal": (FLUSHING, "r[i] = a[i] * 0.33333334f;"),
    "rewrite_reciprocal_flushed": (FLUSHING, "r[i] = a[i] * b[i];"),
}
ROUNDED = {"exact_floor": "floor", "exact_ceil": "ceil", "exact_rint": "rint", "exact_trunc": "trunc"}
approximate_quotient = rows(div_rn=lambda a, b: floats.mul(a, floats.div(np.broadcast_to(ONE, b.shape), b)))

SWITCHES: tuple[Switch, ...] = (
    Switch("ptxas contracts nothing", "contract", "contract_minuend", fuses=False),
    *(Switch(f"{name} compiled otherwise", "contract", name, body=body) for name, body in UNFUSED.items()),
    *(Switch(f"{op} flushes without .ftz", "ftz", probe, behaviour=Behaviour(flushing=frozenset({op}))) for op, probe in FLUSHED.items()),
    *(Switch(f"{op} keeps subnormal numbers in spite of .ftz", "ftz", probe, FLUSHING, Behaviour(keeping=frozenset({op}))) for op, probe in FLUSHED.items()),
    *(Switch(f"{name} flushes without .ftz", "ftz", name, behaviour=Behaviour(flushing=frozenset({"cvt"}))) for name in ("ftz_ceil", "ftz_to_int")),
    *(Switch(f"{name} flushes without .ftz", "ftz", name, behaviour=Behaviour(flushing=frozenset({DOUBLE}))) for name in ("ftz_from_double", "ftz_to_double")),
    *(Switch(f"{name} keeps them in spite of .ftz", "ftz", name, FLUSHING, Behaviour(keeping=frozenset({DOUBLE})))
      for name in ("ftz_from_double", "ftz_to_double")),
    Switch("atomic sums in global memory keep subnormal numbers", "ftz", "ftz_atomic_global", behaviour=Behaviour(keeping=frozenset({"atom"}))),
    Switch("atomic sums in shared memory flush", "ftz", "ftz_atomic_shared", behaviour=Behaviour(flushing=frozenset({"atom"}))),
    Switch("flushing loses the sign", "ftz", "ftz_sub_result", FLUSHING, rows(ftz=lambda a: np.where(floats.ftz(a) == SIGN, np.uint32(0), floats.ftz(a)))),
    Switch("a product that rounds to 2^-126 is flushed", "window", "ftz_window_mul", FLUSHING, rows(mul_rn=_tiny(floats.mul))),
    Switch("an fma that rounds to 2^-126 is flushed", "window", "ftz_window_fma", FLUSHING, rows(fma_rn=_tiny(floats.fma))),
    Switch("a quotient that rounds to 2^-126 is flushed", "window", "ftz_window_div", FLUSHING, rows(div_rn=_tiny(floats.div))),
    Switch("fma flushes its product", "ftz", "ftz_fma_product", behaviour=rows(fma_rn=_flushed_product)),
    Switch("a product's subnormal result is flushed", "ftz", "ftz_mul_result", behaviour=rows(mul_rn=lambda a, b: floats.ftz(floats.mul(a, b)))),
    Switch("a quotient's subnormal result is flushed", "ftz", "ftz_div_result", behaviour=rows(div_rn=lambda a, b: floats.ftz(floats.div(a, b)))),
    Switch("fma flushes its result", "ftz", "ftz_fma_result", behaviour=rows(fma_rn=lambda a, b, c: floats.ftz(floats.fma(a, b, c)))),
    Switch("fma flushes its addend", "ftz", "ftz_fma_addend", behaviour=rows(fma_rn=lambda a, b, c: floats.fma(a, b, floats.ftz(c)))),
    Switch("a selection flushes", "ftz", "ftz_select", behaviour=Behaviour(moves=floats.ftz)),
    Switch("subnormal quotients are rounded toward zero", "ftz", "ftz_div_rounding", behaviour=Behaviour(division="rz")),
    Switch("subnormal products are rounded toward zero", "ftz", "ftz_mul_rounding", behaviour=rows(mul_rn=partial(floats.mul, mode="rz"))),
    Switch("quotients are rounded toward zero", "division", "division_quotient", behaviour=Behaviour(division="rz")),
    Switch("reciprocals are rounded toward zero", "division", "division_reciprocal", behaviour=Behaviour(division="rz")),
    Switch("a quotient is a product with the reciprocal", "division", "division_quotient", behaviour=approximate_quotient),
    Switch("1/0 is the largest number", "division", "division_special", behaviour=rows(div_rn=lambda a, b: np.minimum(floats.div(a, b), 0x7F7FFFFF))),
    Switch("square roots are rounded toward zero", "sqrt", "sqrt_root", behaviour=rows(sqrt_rn=partial(floats.sqrt, mode="rz"))),
    Switch("the root of a negative number is that of its magnitude", "sqrt", "sqrt_special", behaviour=rows(sqrt_rn=lambda a: floats.sqrt(a & ~SIGN))),
    Switch("powf is compiled as __powf", "libm", "libm_powf", body="r[i] = __powf(a[i], b[i]);"),
    Switch("sinf is compiled as __sinf", "libm", "libm_instruction", body="r[i] = __sinf(a[i]);"),
    Switch("a quotient is compiled as __fdividef", "division", "division_instruction", body="r[i] = __fdividef(a[i], b[i]);"),
    Switch("a root is compiled as sqrt.approx", "sqrt", "sqrt_instruction", body='asm("sqrt.approx.f32 %0, %1;" : "=f"(r[i]) : "f"(a[i]));'),
    *(Switch(f"{name} compiled otherwise", "rewrites", name, flags, body=body) for name, (flags, body) in UNWRITTEN.items()),
    Switch("min and max give a NaN for a NaN", "minmax", "minmax_min", behaviour=Behaviour(bounds_pass_nan=True)),
    Switch("max gives a NaN for a NaN", "minmax", "minmax_max", behaviour=rows(max_num=floats.max_nan)),
    Switch("a signaling NaN wins", "minmax", "minmax_signaling", behaviour=rows(min_num=floats.min_nan)),
    Switch("min takes the second of two zeros", "minmax", "minmax_min", behaviour=rows(min_num=_second_zero(floats.min_num))),
    Switch("max takes the second of two zeros", "minmax", "minmax_max", behaviour=rows(max_num=_second_zero(floats.max_num))),
    *(Switch(f"{row} keeps a NaN's payload", "nan", probe, behaviour=_payload(row)) for row, probe in NANS.items()),
    *(Switch(f"the NaN of {probe} is 0x7fc00000", "nan", probe, behaviour=Behaviour(nan=0x7FC00000))
      for probe in ("nan_made_sub", "nan_made_mul", "nan_made_div", "nan_made_sqrt")),
    *(Switch(f"{probe} changes the sign bit only", "nan", probe, behaviour=Behaviour(sign_keeps_nan=True)) for probe in ("nan_neg", "nan_abs")),
    Switch("sums are rounded toward zero", "exact", "exact_add", behaviour=rows(add_rn=partial(floats.add, mode="rz"))),
    Switch("sums round ties away from zero", "exact", "exact_add", behaviour=rows(add_rn=_sums_away)),
    Switch("products are rounded toward zero", "exact", "exact_mul", behaviour=rows(mul_rn=partial(floats.mul, mode="rz"))),
    Switch("fma rounds its product", "exact", "exact_fma", behaviour=rows(fma_rn=lambda a, b, c: floats.add(floats.mul(a, b), c))),
    Switch("to int does not clamp", "exact", "exact_to_int", behaviour=rows(f32_to_s32_rz=_unclamped("f32_to_s32_rz"))),
    Switch("to unsigned does not clamp", "exact", "exact_to_uint", behaviour=rows(f32_to_u32_rz=_unclamped("f32_to_u32_rz"))),
    Switch("to int rounds ties away", "exact", "exact_to_int_even", behaviour=rows(f32_to_s32_rn=_ties_away)),
    Switch("from int rounds toward zero", "exact", "exact_from_int", behaviour=rows(s32_to_f32_rn=OPS["s32_to_f32_rz"].eval or floats.ftz)),
    Switch("a double is cut off to a float", "exact", "exact_from_double", behaviour=rows(f64_to_f32_rn=_cut)),
    Switch("a double rounds ties away", "exact", "exact_from_double", behaviour=rows(f64_to_f32_rn=_cut_away)),
    Switch("a float is cut off to a half", "exact", "exact_to_half", behaviour=rows(round_f16=_half_cut)),
    Switch("a subnormal half is flushed where it is made", "exact", "exact_to_half", behaviour=rows(round_f16=_half_flushed)),
    Switch("a subnormal half is flushed where it is read", "exact", "exact_from_half", body=HALF_READ),
    Switch("saturation keeps a NaN", "exact", "exact_saturate", behaviour=rows(sat=lambda a: np.where(nan(a), a, floats.sat(a)))),
    Switch("saturation keeps -0", "exact", "exact_saturate", behaviour=rows(sat=lambda a: np.where(a == SIGN, a, floats.sat(a)))),
    Switch("a NaN is below", "exact", "exact_compare", behaviour=rows(lt=floats.lt_u)),
    Switch("a NaN is equal", "exact", "exact_compare", behaviour=rows(eq=floats.eq_u)),
    Switch("a selection makes NaNs 0x7fffffff", "exact", "exact_move", behaviour=Behaviour(moves=canonical)),
    *(Switch(f"{row} loses the sign of zero", "exact", probe, behaviour=rows(**{row: partial(lambda f, a: floats.pos_zero(f(a)), OPS[row].eval)}))
      for probe, row in ROUNDED.items()),
)


def with_body(probe: Probe, body: str) -> Probe:
    """The probe whose kernel does something else."""
    head, _, _ = probe.text.partition(START)
    return replace(probe, text=f"{head}{START}    {body}\n}}\n")


def found(probes: Sequence[Probe], arch: str, code: Mapping[str, Compiled]) -> Iterator[tuple[Switch, Seen, Seen]]:
    """Each switch with what its probe gives without and with it. `code` is the probes'; raises as `compile_probes`."""
    named, other = {p.name: p for p in probes}, compile_probes(with_bodies(probes), arch)
    for s in SWITCHES:
        probe = named[s.probe]
        yield s, observe(Emulator(arch), probe, s.run, code[s.run]), observe(s.device(arch), probe, s.run, (other if s.body else code)[s.run])


def with_bodies(probes: Sequence[Probe]) -> tuple[Probe, ...]:
    """The probes that some switch compiles otherwise, with that body."""
    bodies = {s.probe: s.body for s in SWITCHES if s.body}
    return tuple(with_body(p, bodies[p.name]) for p in probes if p.name in bodies)
