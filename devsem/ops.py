"""THE TABLE of operations: each is declared once, with its sorts, exact evaluation, SMT text, Lean constant and spellings.

Front ends, evaluator, solver, prover and printer all read this table; none has a second list. Three kinds of row:

- `exact`: a standard fixes every bit (IEEE 754, PTX). It has `eval` and `smt`.
- `written`: what a source text says (`a * b`); its meaning depends on a profile, and `lower.py` turns it into exact rows.
- `obligation`: no standard fixes it (`expf`, `ex2.approx.ftz.f32`): a field of the Lean record `Libm`, an uninterpreted
  function to the solver. `D.` rows are the device's functions, `S.` rows the reference's of the same name.

>>> BY_C["fmaxf"].name
'w_max'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from devsem import floats

Sort = Literal["F32", "BOOL", "B32", "B64"]
F32: Sort = "F32"
BOOL: Sort = "BOOL"
B32: Sort = "B32"
B64: Sort = "B64"

Kind = Literal["exact", "written", "obligation"]
Eval = Callable[..., Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Op:
    """One operation. `eval` takes uint32 arrays for F32 and B32, uint64 for B64, bool for BOOL; `smt` has {0} {1} {2}."""

    name: str
    args: tuple[Sort, ...]
    out: Sort
    lean: str
    kind: Kind = "exact"
    eval: Eval | None = None
    smt: str = ""
    c: tuple[str, ...] = ()
    ptx: tuple[str, ...] = ()
    laws: frozenset[str] = field(default_factory=frozenset)


def index(rows: Iterable[Op]) -> dict[str, Op]:
    """The rows by name; a repeated name stops the import."""
    out: dict[str, Op] = {}
    for row in rows:
        if row.name in out:
            raise ValueError(f"operation {row.name} is declared twice")
        out[row.name] = row
    return out


def reverse(ops: dict[str, Op], column: Literal["c", "ptx"]) -> dict[str, Op]:
    """The rows by one spelling column; two rows claiming one spelling stop the import."""
    out: dict[str, Op] = {}
    for row in ops.values():
        for spelling in getattr(row, column):
            if spelling in out:
                raise ValueError(f"{spelling!r} is claimed by {out[spelling].name} and {row.name}")
            out[spelling] = row
    return out


_1, _2, _3 = (F32,), (F32, F32), (F32, F32, F32)
COMM = frozenset({"comm"})
NAN, PZ, NZ = "(_ NaN 8 24)", "(_ +zero 8 24)", "(_ -zero 8 24)"
_EITHER_NAN = "(or (fp.isNaN {0}) (fp.isNaN {1}))"


def _arith() -> Iterable[Op]:
    """Correctly rounded to nearest even, subnormals kept."""
    yield Op(name="add_rn", args=_2, out=F32, lean="Fp.add .rn", eval=floats.add, smt="(fp.add RNE {0} {1})", ptx=("add.rn.f32",), laws=COMM)
    yield Op(name="sub_rn", args=_2, out=F32, lean="Fp.sub .rn", eval=floats.sub, smt="(fp.sub RNE {0} {1})", ptx=("sub.rn.f32",))
    yield Op(name="mul_rn", args=_2, out=F32, lean="Fp.mul .rn", eval=floats.mul, smt="(fp.mul RNE {0} {1})", ptx=("mul.rn.f32",), laws=COMM)
    yield Op(name="div_rn", args=_2, out=F32, lean="Fp.div .rn", eval=floats.div, smt="(fp.div RNE {0} {1})", ptx=("div.rn.f32",))
    yield Op(name="fma_rn", args=_3, out=F32, lean="Fp.fma .rn", eval=floats.fma, smt="(fp.fma RNE {0} {1} {2})", ptx=("fma.rn.f32",), laws=COMM)
    yield Op(name="sqrt_rn", args=_1, out=F32, lean="Fp.sqrt .rn", eval=floats.sqrt, smt="(fp.sqrt RNE {0})", ptx=("sqrt.rn.f32",))


def _integral() -> Iterable[Op]:
    """Rounding to an integral value: PTX cvt.rni .rmi .rpi .rzi, and C's roundf (ties away from zero)."""
    for name, lean, f, rm, ptx in (
        ("rint", "Fp.rint", floats.rint, "RNE", ("cvt.rni.f32.f32",)), ("floor", "Fp.floor", floats.floor, "RTN", ("cvt.rmi.f32.f32",)),
        ("ceil", "Fp.ceil", floats.ceil, "RTP", ("cvt.rpi.f32.f32",)), ("trunc", "Fp.trunc", floats.trunc, "RTZ", ("cvt.rzi.f32.f32",)),
        ("round_away", "Fp.roundAway", floats.round_away, "RNA", ()),
    ):
        yield Op(name=name, args=_1, out=F32, lean=lean, eval=f, smt=f"(fp.roundToIntegral {rm} {{0}})", ptx=ptx)


def _sign_and_choice() -> Iterable[Op]:
    """No rounding: sign operations, choices, minima and maxima, flushing."""
    yield Op(name="neg", args=_1, out=F32, lean="Fp.neg", eval=floats.neg, smt="(fp.neg {0})", ptx=("neg.f32",))
    yield Op(name="abs", args=_1, out=F32, lean="Fp.abs", eval=floats.abs_, smt="(fp.abs {0})", ptx=("abs.f32",))
    order = "(ite (fp.lt {0} {1}) %s (ite (fp.lt {1} {0}) %s (ite (fp.isNegative {0}) %s %s)))"
    lo, hi = order % ("{0}", "{1}", "{0}", "{1}"), order % ("{1}", "{0}", "{1}", "{0}")
    number = "(ite (fp.isNaN {0}) {1} (ite (fp.isNaN {1}) {0} %s))"
    yield Op(name="min_num", args=_2, out=F32, lean="Fp.minNum", eval=floats.min_num, smt=number % lo, ptx=("min.f32",), laws=COMM)
    yield Op(name="max_num", args=_2, out=F32, lean="Fp.maxNum", eval=floats.max_num, smt=number % hi, ptx=("max.f32",), laws=COMM)
    nan = f"(ite {_EITHER_NAN} {NAN} %s)"
    yield Op(name="min_nan", args=_2, out=F32, lean="Fp.minNan", eval=floats.min_nan, smt=nan % lo, ptx=("min.NaN.f32",), laws=COMM)
    yield Op(name="max_nan", args=_2, out=F32, lean="Fp.maxNan", eval=floats.max_nan, smt=nan % hi, ptx=("max.NaN.f32",), laws=COMM)
    yield Op(name="ftz", args=_1, out=F32, lean="Fp.ftz", eval=floats.ftz, smt=f"(ite (fp.isSubnormal {{0}}) (ite (fp.isNegative {{0}}) {NZ} {PZ}) {{0}})")
    yield Op(name="pos_zero", args=_1, out=F32, lean="Fp.posZero", eval=floats.pos_zero, smt=f"(ite (fp.isZero {{0}}) {PZ} {{0}})")
    yield Op(name="select", args=(BOOL, F32, F32), out=F32, lean="cond", eval=floats.select, smt="(ite {0} {1} {2})", ptx=("selp.f32",))


def _compare() -> Iterable[Op]:
    """Ordered comparisons are false on NaN, unordered (`_u`) ones true. `a > b` is `lt b a`."""
    for name, lean, f, smt, ptx in (("lt", "Fp.lt", floats.lt, "(fp.lt {0} {1})", "lt"), ("le", "Fp.le", floats.le, "(fp.leq {0} {1})", "le"),
                                    ("eq", "Fp.eq", floats.eq, "(fp.eq {0} {1})", "eq")):
        laws = COMM if name == "eq" else frozenset[str]()
        yield Op(name=name, args=_2, out=BOOL, lean=lean, eval=f, smt=smt, ptx=(f"setp.{ptx}.f32",), laws=laws)
        yield Op(name=name + "_u", args=_2, out=BOOL, lean=lean + "U", eval=getattr(floats, name + "_u"), smt=f"(or {_EITHER_NAN} {smt})",
                 ptx=(f"setp.{ptx}u.f32",), laws=laws)
    yield Op(name="same", args=_2, out=BOOL, lean="Fp.same", eval=floats.same, smt="(= {0} {1})", laws=COMM)
    yield Op(name="is_nan", args=_1, out=BOOL, lean="Fp.isNan", eval=floats.is_nan, smt="(fp.isNaN {0})", ptx=("testp.notanumber.f32",))
    yield Op(name="is_inf", args=_1, out=BOOL, lean="Fp.isInf", eval=floats.is_inf, smt="(fp.isInfinite {0})", ptx=("testp.infinite.f32",))
    yield Op(name="is_finite", args=_1, out=BOOL, lean="Fp.isFinite", eval=floats.is_finite, smt="(not (or (fp.isNaN {0}) (fp.isInfinite {0})))",
             ptx=("testp.finite.f32",))


def _bool() -> Iterable[Op]:
    yield Op(name="not", args=(BOOL,), out=BOOL, lean="Bool.not", eval=floats.bool_not, smt="(not {0})", c=("!",), ptx=("not.pred",))
    for name, lean, f, smt, c in (("and", "Bool.and", floats.bool_and, "(and {0} {1})", ("&&",)), ("or", "Bool.or", floats.bool_or, "(or {0} {1})", ("||",)),
                                  ("xor", "Bool.xor", floats.bool_xor, "(xor {0} {1})", ())):
        yield Op(name=name, args=(BOOL, BOOL), out=BOOL, lean=lean, eval=f, smt=smt, c=c, ptx=(f"{name}.pred",), laws=COMM)
    yield Op(name="select_bool", args=(BOOL, BOOL, BOOL), out=BOOL, lean="cond", eval=floats.select, smt="(ite {0} {1} {2})")


def _integers() -> Iterable[Op]:
    """Wrap-around index arithmetic as C and PTX have it; `s` compares two's complement, `u` unsigned."""
    for sort, w in ((B32, 32), (B64, 64)):
        for name, smt, laws in (("add", "bvadd", COMM), ("sub", "bvsub", frozenset[str]()), ("mul", "bvmul", COMM)):
            yield Op(name=f"{name}_b{w}", args=(sort, sort), out=sort, lean=f"U{w}.{name}", eval=getattr(floats, f"int_{name}"),
                     smt=f"({smt} {{0}} {{1}})", laws=laws)
        for name, smt in (("slt", "bvslt"), ("sle", "bvsle"), ("ult", "bvult"), ("ule", "bvule"), ("ieq", "=")):
            yield Op(name=f"{name}_b{w}", args=(sort, sort), out=BOOL, lean=f"U{w}.{name}", eval=getattr(floats, f"int_{name}"), smt=f"({smt} {{0}} {{1}})")
    yield Op(name="sext", args=(B32,), out=B64, lean="U32.sext", eval=floats.int_sext, smt="((_ sign_extend 32) {0})")
    yield Op(name="zext", args=(B32,), out=B64, lean="U32.zext", eval=floats.int_zext, smt="((_ zero_extend 32) {0})")
    yield Op(name="wrap", args=(B64,), out=B32, lean="U64.wrap", eval=floats.int_wrap, smt="((_ extract 31 0) {0})")


def _written() -> Iterable[Op]:
    """What CUDA C says before a profile gives it a meaning. `_rn` rows are the intrinsics that the compiler never contracts."""
    def row(name: str, n: int, lean: str, *c: str, out: Sort = F32) -> Op:
        return Op(name=name, args=(F32,) * n, out=out, lean=f"Profile.{lean} P", kind="written", c=c)

    yield row("w_add", 2, "add", "+")
    yield row("w_sub", 2, "sub", "-")
    yield row("w_mul", 2, "mul", "*")
    yield row("w_div", 2, "div D", "/")
    yield row("w_neg", 1, "neg", "unary -")
    yield row("w_abs", 1, "abs", "fabsf", "fabs", "abs", "std::abs", "std::fabs")
    yield row("w_fma", 3, "fma", "fmaf", "fma", "__fmaf_rn", "std::fma")
    yield row("w_sqrt", 1, "sqrt D", "sqrtf", "sqrt", "std::sqrt")
    yield row("w_min", 2, "min", "fminf", "fmin", "min", "std::fmin")
    yield row("w_max", 2, "max", "fmaxf", "fmax", "max", "std::fmax")
    yield row("w_add_rn", 2, "add", "__fadd_rn")
    yield row("w_sub_rn", 2, "sub", "__fsub_rn")
    yield row("w_mul_rn", 2, "mul", "__fmul_rn")
    yield row("w_div_rn", 2, "divRn", "__fdiv_rn")
    yield row("w_rcp_rn", 1, "rcpRn", "__frcp_rn")
    yield row("w_sqrt_rn", 1, "sqrtRn", "__fsqrt_rn")
    yield row("w_rint", 1, "rint", "rintf", "nearbyintf", "rint", "nearbyint")
    yield row("w_floor", 1, "floor", "floorf", "floor", "std::floor")
    yield row("w_ceil", 1, "ceil", "ceilf", "ceil", "std::ceil")
    yield row("w_trunc", 1, "trunc", "truncf", "trunc", "std::trunc")
    yield row("w_round", 1, "roundAway", "roundf", "round", "std::round")
    yield row("w_lt", 2, "lt", "<", out=BOOL)
    yield row("w_le", 2, "le", "<=", out=BOOL)
    yield row("w_eq", 2, "eq", "==", out=BOOL)
    yield row("w_isnan", 1, "isNan", "isnan", "__isnanf", "std::isnan", out=BOOL)
    yield row("w_isinf", 1, "isInf", "isinf", "__isinff", "std::isinf", out=BOOL)
    yield row("w_isfinite", 1, "isFinite", "isfinite", "__finitef", "std::isfinite", out=BOOL)
    # approximate reciprocals the compiler chooses for 1.0f/b, rsqrtf(a) and 1.0f/sqrtf(a): rewrite.py puts them
    yield row("w_rcp", 1, "rcp D")
    yield row("w_rsqrt", 1, "rsqrt D")
    yield from _contracted_rows(row)
    # C functions of the CUDA math library; lower.py maps each to the device's function under the profile's flags
    for f in LIBM1:
        yield row(f"w_{f}", 1, f"{f} D", f, *C_ALIASES.get(f, ()))
    for f in LIBM2:
        yield row(f"w_{f}", 2, f"{f} D", f, *C_ALIASES.get(f, ()))
    for f, n in INTRINSICS.items():
        yield row(f"w_fast_{f}", n, f"fast_{f} D", f"__{f}")


def _contracted_rows(row: Callable[..., Op]) -> Iterable[Op]:
    """Contraction sites, found by contract.py: a*b+c, a*b-c, c-a*b; with two products, `P.fuseLeft k` says whether site k fuses the first.

    `w_choice k x y` is x or y by the same rule. `w_expf_add x b` is expf(x)+b where the rounded expf(x) never exists; `rsub`: b-expf(x).
    """
    yield row("w_mul_add", 3, "mulAdd")
    yield row("w_mul_sub", 3, "mulSub")
    yield row("w_sub_mul", 3, "subMul")
    for name, n, lean in (("w_mul_add_mul", 4, "mulAddMul"), ("w_mul_sub_mul", 4, "mulSubMul"), ("w_choice", 2, "choice")):
        yield Op(name=name, args=(B32,) + (F32,) * n, out=F32, lean=f"Profile.{lean} P", kind="written")
    for f, n in {**CONTRACTED_LIBM, **CONTRACTED_WRITTEN}.items():
        yield row(f"w_{f}_add", n + 1, f"{f}_add D")
        yield row(f"w_{f}_rsub", n + 1, f"{f}_rsub D")


LIBM1: tuple[str, ...] = ("expf", "exp2f", "exp10f", "expm1f", "logf", "log2f", "log10f", "log1pf", "sinf", "cosf", "tanf", "asinf", "acosf", "atanf", "sinhf",
         "coshf", "tanhf", "asinhf", "acoshf", "atanhf", "erff", "erfcf", "cbrtf", "rsqrtf", "lgammaf", "tgammaf")
LIBM2: tuple[str, ...] = ("powf", "atan2f", "hypotf", "fmodf")
C_ALIASES = {f: (f[:-1], f"std::{f[:-1]}") for f in (*LIBM1, *LIBM2)}
# CUDA's intrinsics, spelled with two underscores in C: `__expf` is row `w_fast_expf`
INTRINSICS = {"expf": 1, "exp10f": 1, "logf": 1, "log2f": 1, "log10f": 1, "sinf": 1, "cosf": 1, "tanf": 1, "tanhf": 1, "powf": 2, "fdividef": 2}
PRIMITIVES1: tuple[str, ...] = ("ex2_approx", "lg2_approx", "rcp_approx", "rsqrt_approx", "sqrt_approx", "sin_approx", "cos_approx")
PRIMITIVES2: tuple[str, ...] = ("div_approx", "div_full")

# functions whose last instruction is a multiplication that ptxas fuses into a following add or sub (compiled: sm_75 … sm_120), with their arity
CONTRACTED_LIBM = {"expf": 1, "exp10f": 1, "atanhf": 1}
CONTRACTED_PRIMITIVES = {"div_approx": 2, "div_full": 2, "rcp_approx": 1}
CONTRACTED_WRITTEN = {"div": 2, "fast_fdividef": 2, "rcp": 1}


def _obligations() -> Iterable[Op]:
    """D.f is the device's function, S.f the reference's. Under -ftz=true the math library is another program: D.f_ftz."""
    for side in "DS":
        for n, names in ((1, LIBM1), (2, LIBM2)):
            for f in names:
                yield Op(name=f"{side}.{f}", args=(F32,) * n, out=F32, lean=f"Libm.{f} {side}", kind="obligation")
    for n, names in ((1, LIBM1), (2, LIBM2)):
        for f in names:
            yield Op(name=f"D.{f}_ftz", args=(F32,) * n, out=F32, lean=f"Libm.{f}_ftz D", kind="obligation")
    for n, names in ((1, PRIMITIVES1), (2, PRIMITIVES2)):
        for f in names:
            ptx = f.replace("_", ".")
            yield Op(name=f"D.{f}", args=(F32,) * n, out=F32, lean=f"Libm.{f} D", kind="obligation", ptx=(f"{ptx}.f32",))
            yield Op(name=f"D.{f}_ftz", args=(F32,) * n, out=F32, lean=f"Libm.{f}_ftz D", kind="obligation", ptx=(f"{ptx}.ftz.f32",))
    for f, n in {**CONTRACTED_LIBM, **CONTRACTED_PRIMITIVES}.items():
        for end in ("add", "rsub") if f == "rcp_approx" else ("add", "rsub", "ftz_add", "ftz_rsub"):  # rcp.approx.ftz ends in no multiplication
            yield Op(name=f"D.{f}_{end}", args=(F32,) * (n + 1), out=F32, lean=f"Libm.{f}_{end} D", kind="obligation")
    yield Op(name="D.tanh_approx", args=_1, out=F32, lean="Libm.tanh_approx D", kind="obligation", ptx=("tanh.approx.f32",))


def _rows() -> Iterable[Op]:
    for group in (_arith, _integral, _sign_and_choice, _compare, _bool, _integers, _written, _obligations):
        yield from group()


OPS = index(_rows())
BY_C, BY_PTX = reverse(OPS, "c"), reverse(OPS, "ptx")

for _op in OPS.values():
    if (_op.kind == "exact") != (_op.eval is not None and bool(_op.smt)):
        raise ValueError(f"{_op.name}: exactly the exact rows have eval and smt")
