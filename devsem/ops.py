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
from functools import partial
from typing import Any, Literal

from devsem import floats
from devsem.rounding import Mode

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
# the rounding modes, as PTX and FloatLib spell them, and SMT-LIB; and as CUDA's intrinsics do
RM: dict[Mode, str] = {"rn": "RNE", "rz": "RTZ", "rm": "RTN", "rp": "RTP"}
DIRECTED: dict[Mode, str] = {"rz": "rz", "rm": "rd", "rp": "ru"}
NAN, PZ, NZ, ONE = "(_ NaN 8 24)", "(_ +zero 8 24)", "(_ -zero 8 24)", "((_ to_fp 8 24) #x3f800000)"
# x * 2^k: exact in binary64 for |k| <= 500, beyond which nothing changes; then rounded once
SCALED = ("(let ((scale!k (ite (bvslt {1} (bvneg #x000001f4)) (bvneg #x000001f4) (ite (bvsgt {1} #x000001f4) #x000001f4 {1}))))"
          " ((_ to_fp 8 24) RNE (fp.mul RNE ((_ to_fp 11 53) RNE {0}) (fp #b0 ((_ extract 10 0) (bvadd scale!k #x000003ff)) #x0000000000000))))")
_EITHER_NAN = "(or (fp.isNaN {0}) (fp.isNaN {1}))"


def _arith() -> Iterable[Op]:
    """Correctly rounded in each mode, subnormals kept."""
    none = frozenset[str]()
    for name, args, f, laws in (("add", _2, floats.add, COMM), ("sub", _2, floats.sub, none), ("mul", _2, floats.mul, COMM), ("div", _2, floats.div, none),
                                ("fma", _3, floats.fma, COMM), ("sqrt", _1, floats.sqrt, none)):
        for mode, rm in RM.items():
            yield Op(name=f"{name}_{mode}", args=args, out=F32, lean=f"Fp.{name} .{mode}", eval=partial(f, mode=mode),
                     smt=f"(fp.{name} {rm} {' '.join(f'{{{i}}}' for i in range(len(args)))})", ptx=(f"{name}.{mode}.f32",), laws=laws)


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
    yield Op(name="sat", args=_1, out=F32, lean="Fp.sat", eval=floats.sat,
             smt=f"(ite (fp.leq {ONE} {{0}}) {ONE} (ite (fp.lt {PZ} {{0}}) {{0}} {PZ}))", ptx=("cvt.sat.f32.f32",))
    # the sign of a NaN is not observed: no front end may use this row where its second argument may be NaN, so it has no spelling
    yield Op(name="copysign", args=_2, out=F32, lean="Fp.copysign", eval=floats.copysign,
             smt="(ite (= (fp.isNegative {0}) (fp.isNegative {1})) {0} (fp.neg {0}))")
    yield Op(name="pos_zero", args=_1, out=F32, lean="Fp.posZero", eval=floats.pos_zero, smt=f"(ite (fp.isZero {{0}}) {PZ} {{0}})")
    yield Op(name="select", args=(BOOL, F32, F32), out=F32, lean="cond", eval=floats.select, smt="(ite {0} {1} {2})")


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
    yield Op(name="is_zero", args=_1, out=BOOL, lean="Fp.isZero", eval=floats.is_zero, smt="(fp.isZero {0})")
    yield Op(name="is_subnormal", args=_1, out=BOOL, lean="Fp.isSubnormal", eval=floats.is_subnormal, smt="(fp.isSubnormal {0})", ptx=("testp.subnormal.f32",))
    yield Op(name="is_normal", args=_1, out=BOOL, lean="Fp.isNormal", eval=floats.is_normal, smt="(fp.isNormal {0})")  # to testp.normal a zero is normal too
    # false on NaN, whose sign is not observed: no front end may use this row where a NaN may arrive, so it has no spelling
    yield Op(name="sign_bit", args=_1, out=BOOL, lean="Fp.isNeg", eval=floats.is_neg, smt="(fp.isNegative {0})")


def _bool() -> Iterable[Op]:
    yield Op(name="not", args=(BOOL,), out=BOOL, lean="Bool.not", eval=floats.bool_not, smt="(not {0})", c=("!",), ptx=("not.pred",))
    for name, lean, f, smt, c in (("and", "Bool.and", floats.bool_and, "(and {0} {1})", ("&&",)), ("or", "Bool.or", floats.bool_or, "(or {0} {1})", ("||",)),
                                  ("xor", "Bool.xor", floats.bool_xor, "(xor {0} {1})", ())):
        yield Op(name=name, args=(BOOL, BOOL), out=BOOL, lean=lean, eval=f, smt=smt, c=c, ptx=(f"{name}.pred",), laws=COMM)
    yield Op(name="select_bool", args=(BOOL, BOOL, BOOL), out=BOOL, lean="cond", eval=floats.select, smt="(ite {0} {1} {2})")


def _integers() -> Iterable[Op]:
    """Wrap-around index arithmetic as C and PTX have it; `s` reads two's complement, `u` unsigned.

    Division by zero has the value that SMT-LIB gives it (unsigned: quotient all ones, remainder the dividend). C leaves it open, and shifts
    beyond the width too: a front end may write these rows (`UNDEFINED_IN_C`) only where something checks their second argument."""
    for sort, w in ((B32, 32), (B64, 64)):
        for name, smt, ptx, laws in (("add", "bvadd", "add", COMM), ("sub", "bvsub", "sub", frozenset[str]()), ("mul", "bvmul", "mul.lo", COMM)):
            yield Op(name=f"{name}_b{w}", args=(sort, sort), out=sort, lean=f"U{w}.{name}", eval=getattr(floats, f"int_{name}"),
                     smt=f"({smt} {{0}} {{1}})", ptx=(f"{ptx}.s{w}", f"{ptx}.u{w}"), laws=laws)
        for name, smt in (("slt", "bvslt"), ("sle", "bvsle"), ("ult", "bvult"), ("ule", "bvule"), ("ieq", "=")):
            yield Op(name=f"{name}_b{w}", args=(sort, sort), out=BOOL, lean=f"U{w}.{name}", eval=getattr(floats, f"int_{name}"), smt=f"({smt} {{0}} {{1}})")
        for name, lean, smt, ptx in (("and", "land", "bvand", "and.b"), ("or", "lor", "bvor", "or.b"), ("xor", "xor", "bvxor", "xor.b")):
            yield Op(name=f"{name}_b{w}", args=(sort, sort), out=sort, lean=f"U{w}.{lean}", eval=getattr(floats, f"int_{name}"), smt=f"({smt} {{0}} {{1}})",
                     ptx=(f"{ptx}{w}",))
        count = "{1}" if w == 32 else "((_ zero_extend 32) {1})"    # as in PTX the count has 32 bits; a shift by the width or more shifts all out
        for name, smt, ptx in (("shl", "bvshl", "shl.b"), ("lshr", "bvlshr", "shr.u"), ("ashr", "bvashr", "shr.s")):
            yield Op(name=f"{name}_b{w}", args=(sort, B32), out=sort, lean=f"U{w}.{name}", eval=getattr(floats, f"int_{name}"), smt=f"({smt} {{0}} {count})",
                     ptx=(f"{ptx}{w}",))
        for name, smt in (("sdiv", "(bvsdiv {0} {1})"), ("srem", "(bvsrem {0} {1})"), ("udiv", "(bvudiv {0} {1})"), ("urem", "(bvurem {0} {1})"),
                          *((f"{k}{m}", f"(ite (bv{k}le {{0}} {{1}}) {order})") for k in "su" for m, order in (("min", "{0} {1}"), ("max", "{1} {0}")))):
            yield Op(name=f"{name}_b{w}", args=(sort, sort), out=sort, lean=f"U{w}.{name}", eval=getattr(floats, f"int_{name}"), smt=smt)
        yield Op(name=f"not_b{w}", args=(sort,), out=sort, lean=f"U{w}.not", eval=floats.int_not, smt="(bvnot {0})")
        yield Op(name=f"select_b{w}", args=(BOOL, sort, sort), out=sort, lean="cond", eval=floats.int_select, smt="(ite {0} {1} {2})")   # selp
    yield Op(name="sext", args=(B32,), out=B64, lean="U32.sext", eval=floats.int_sext, smt="((_ sign_extend 32) {0})",
             ptx=("cvt.s64.s32", "cvt.u64.s32"))
    yield Op(name="zext", args=(B32,), out=B64, lean="U32.zext", eval=floats.int_zext, smt="((_ zero_extend 32) {0})",
             ptx=("cvt.u64.u32", "cvt.s64.u32"))
    yield Op(name="wrap", args=(B64,), out=B32, lean="U64.wrap", eval=floats.int_wrap, smt="((_ extract 31 0) {0})",
             ptx=tuple(f"cvt.{a}.{b}" for a in ("s32", "u32") for b in ("s64", "u64")))


def _conversions() -> Iterable[Op]:
    """PTX cvt between numbers and integers, numbers rounded to a narrower format and back, powers of two, and patterns."""
    for word, kind in floats.WORDS.items():
        sort = B32 if kind.width == 32 else B64
        for mode, rm in RM.items():
            yield Op(name=f"f32_to_{word}_{mode}", args=_1, out=sort, lean=f"Fp.to{word.upper()} .{mode}", eval=partial(floats.to_word, word=word, mode=mode),
                     smt=_clamped(kind, rm), ptx=(f"cvt.{mode}i.{word}.f32",))
            yield Op(name=f"{word}_to_f32_{mode}", args=(sort,), out=F32, lean=f"F32.of{word.upper()} .{mode}",
                     eval=partial(floats.from_word, word=word, mode=mode), smt=f"((_ {'to_fp' if kind.signed else 'to_fp_unsigned'} 8 24) {rm} {{0}})",
                     ptx=(f"cvt.{mode}.f32.{word}",))
    for form, lean, (mant, expo) in (("f16", "binary16", floats.FORMATS["f16"]), ("bf16", "bfloat16", floats.FORMATS["bf16"])):
        yield Op(name=f"round_{form}", args=_1, out=F32, lean=f"Fp.through .{lean} .rn", eval=partial(floats.narrow, form=form),
                 smt=f"((_ to_fp 8 24) RNE ((_ to_fp {expo} {mant + 1}) RNE {{0}}))")
    # no instruction of its own: what sinf makes, in doubles, of the angle that it reduced a huge argument to
    yield Op(name="angle_to_f32", args=(B64,), out=F32, lean="F32.ofAngle", eval=floats.from_angle,
             smt=f"((_ to_fp 8 24) RNE (fp.mul RNE ((_ to_fp 11 53) RNE {{0}}) ((_ to_fp 11 53) #x{floats.ANGLE:016x})))")
    yield Op(name="scale_by_rn", args=(F32, B32), out=F32, lean="Fp.scaleBy .rn", eval=floats.scale_by, smt=SCALED)
    # Sign and payload of a NaN are not observed: of any NaN the pattern is 0x7fffffff here. No front end may use `bits_of` where a NaN may arrive.
    yield Op(name="bits_of", args=_1, out=B32, lean="Fp.toBits", eval=floats.canon, smt=_bits_of())
    yield Op(name="of_bits", args=(B32,), out=F32, lean="F32.ofBits", eval=floats.canon, smt="((_ to_fp 8 24) {0})")


def _clamped(word: floats.Word, rm: str) -> str:
    """A number as an integer: SMT-LIB leaves the conversion open outside the integer's range, and what a number rounds to decides whether it is outside."""
    def literal(value: int) -> str:
        return f"(_ bv{value % (1 << word.width)} {word.width})"

    def power(k: int) -> str:
        return f"((_ to_fp 8 24) #x{127 + k << 23:08x})"

    whole, kind = f"(fp.roundToIntegral {rm} {{0}})", "s" if word.signed else "u"
    low = f"(fp.neg {power(word.width - 1)})" if word.signed else PZ
    return (f"(ite (fp.isNaN {{0}}) {literal(word.nan)} (ite (fp.leq {whole} {low}) {literal(-word.smallest)} "
            f"(ite (fp.leq {power(word.width - word.signed)} {whole}) {literal(word.largest)} ((_ fp.to_{kind}bv {word.width}) {rm} {{0}}))))")


def _bits_of() -> str:
    """The pattern of a number, which SMT-LIB has no function for: the largest magnitude whose number is at most |x|, found bit by bit."""
    lines, g = "(let ((bits!x (fp.abs {0})))", "#x00000000"
    for i in reversed(range(31)):
        with_bit = f"(bvor {g} #x{1 << i:08x})"
        lines += f" (let ((bits!{i} (ite (fp.leq ((_ to_fp 8 24) {with_bit}) bits!x) {with_bit} {g})))"
        g = f"bits!{i}"
    return f"(ite (fp.isNaN {{0}}) #x7fffffff (bvor (ite (fp.isNegative {{0}}) #x80000000 #x00000000) {lines} {g}{')' * 32}))"


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
    yield row("w_saturate", 1, "saturate", "__saturatef")
    # a value that the compiler does not see through: it came from another thread, or it is a constant only at run time. No source spells it.
    yield row("w_hold", 1, "hold")
    for mode, c in DIRECTED.items():
        for name, n in (("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("fma", 3), ("rcp", 1), ("sqrt", 1)):
            yield row(f"w_{name}_{mode}", n, f"{name}In .{mode}", f"__f{'maf' if name == 'fma' else name}_{c}")
    for word, kind in floats.WORDS.items():     # __float2int_rz and its kind: no spelling yet, since the CUDA front end declares functions to F32 and BOOL
        for mode in RM:
            yield Op(name=f"w_f32_to_{word}_{mode}", args=_1, out=B32 if kind.width == 32 else B64, lean=f"Profile.to{word.upper()} .{mode} P", kind="written")
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
    """D.f is the device's function, S.f the reference's. Under -ftz=true the math library is another program: D.f_ftz. PTX spells the device's."""
    def row(side: str, f: str, n: int, *ptx: str) -> Op:
        return Op(name=f"{side}.{f}", args=(F32,) * n, out=F32, lean=f"Libm.{f} {side}", kind="obligation", ptx=ptx if side == "D" else ())

    for n, names in ((1, LIBM1), (2, LIBM2)):
        for f in names:
            yield from (row("D", f, n), row("S", f, n), row("D", f"{f}_ftz", n))
    for f, n in CONTRACTED_LIBM.items():
        yield from (row("D", f"{f}_{end}", n + 1) for end in ("add", "rsub", "ftz_add", "ftz_rsub"))
    for side in "DS":       # the reference is compiled too, so it has the same instructions
        for n, names in ((1, PRIMITIVES1), (2, PRIMITIVES2)):
            for f in names:
                spelled = f.replace("_", ".")
                yield from (row(side, f, n, f"{spelled}.f32"), row(side, f"{f}_ftz", n, f"{spelled}.ftz.f32"))
        for f, n in CONTRACTED_PRIMITIVES.items():     # rcp.approx.ftz ends in no multiplication
            yield from (row(side, f"{f}_{end}", n + 1) for end in (("add", "rsub") if f == "rcp_approx" else ("add", "rsub", "ftz_add", "ftz_rsub")))
        yield row(side, "tanh_approx", 1, "tanh.approx.f32")
        # the bits of a NaN whose payload nothing fixes, by its source and itself: any function, so that no proof can depend on them
        yield Op(name=f"{side}.nan_bits", args=(B32, F32), out=B32, lean=f"Libm.nan_bits {side}", kind="obligation")


def _rows() -> Iterable[Op]:
    for group in (_arith, _integral, _sign_and_choice, _compare, _bool, _integers, _conversions, _written, _obligations):
        yield from group()


OPS = index(_rows())
# rows that C leaves undefined for some second arguments: a divisor of zero, a count of the width or more
UNDEFINED_IN_C = frozenset(f"{name}_b{w}" for name in ("sdiv", "srem", "udiv", "urem", "shl", "lshr", "ashr") for w in (32, 64))
BY_C, BY_PTX = reverse(OPS, "c"), reverse(OPS, "ptx")

for _op in OPS.values():
    if (_op.kind == "exact") != (_op.eval is not None and bool(_op.smt)):
        raise ValueError(f"{_op.name}: exactly the exact rows have eval and smt")
