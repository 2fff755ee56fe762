prelude
import FloatLib.Libm
import FloatLib.Op.Arith
import FloatLib.Op.Choose
import FloatLib.Op.Convert
import FloatLib.Op.Integral
import FloatLib.Op.Saturate
/-!
# Profiles: what a written operation means on a device with its flags

A kernel is translated once, into the functions of this file; a verdict applies them to one profile `P` and to the device's
functions `D`. Flushing is as PTX's `.ftz`: arithmetic flushes inputs and results, comparisons, `floor`/`ceil`, saturation and
conversions to integers their inputs, nothing else does. `devsem/lower.py` is the same table in Python.
-/

noncomputable section

/-- How `a / b` is compiled: correctly rounded, `div.full`, or `div.approx`. -/
inductive Division where
  /-- Correctly rounded. -/
  | ieee
  /-- `div.full.f32`. -/
  | full
  /-- `div.approx.f32`. -/
  | approx

/-- How `sqrtf` is compiled. -/
inductive Sqrt where
  /-- Correctly rounded. -/
  | ieee
  /-- `sqrt.approx.f32`. -/
  | approx

/-- Which functions the names of the math library mean. -/
inductive Library where
  /-- The accurate ones. -/
  | accurate
  /-- Their intrinsics, where there is one (`-use_fast_math`). -/
  | fast

/-- One device with one set of compiler choices. -/
structure Profile where
  /-- From its choices. -/
  mk ::
  /-- Are products fused into sums? -/
  contract : Bool
  /-- Are subnormals flushed? -/
  ftz : Bool
  /-- How divisions are compiled. -/
  division : Division
  /-- How square roots are compiled. -/
  sqrtKind : Sqrt
  /-- Which math library. -/
  libm : Library
  /-- At site `k`, where the compiler may choose: the first possibility? -/
  fuseLeft : Nat → Bool

namespace Profile

/-- Flushed, if the profile flushes. -/
def flush (P : Profile) (a : F32) : F32 := cond P.ftz (Fp.ftz a) a
/-- An operation that flushes its input and its result. -/
def arith1 (P : Profile) (op : F32 → F32) (a : F32) : F32 := P.flush (op (P.flush a))
/-- An operation that flushes its inputs and its result. -/
def arith2 (P : Profile) (op : F32 → F32 → F32) (a b : F32) : F32 := P.flush (op (P.flush a) (P.flush b))
/-- An operation that flushes its inputs and its result. -/
def arith3 (P : Profile) (op : F32 → F32 → F32 → F32) (a b c : F32) : F32 := P.flush (op (P.flush a) (P.flush b) (P.flush c))

/-- `a + b`, not fused. -/
def add (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.add .rn) a b
/-- `a - b`, not fused. -/
def sub (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.sub .rn) a b
/-- `a * b`, not fused. -/
def mul (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.mul .rn) a b
/-- `fmaf(a, b, c)`. -/
def fma (P : Profile) (a b c : F32) : F32 := P.arith3 (Fp.fma .rn) a b c
/-- `__fdiv_rn(a, b)`. -/
def divRn (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.div .rn) a b
/-- `__frcp_rn(b)`. -/
def rcpRn (P : Profile) (b : F32) : F32 := P.flush (Fp.div .rn (F32.ofBits 0x3f800000) (P.flush b))
/-- `__fsqrt_rn(a)`. -/
def sqrtRn (P : Profile) (a : F32) : F32 := P.arith1 (Fp.sqrt .rn) a
/-- `-a`. -/
def neg (P : Profile) (a : F32) : F32 := P.arith1 Fp.neg a
/-- `fabsf(a)`. -/
def abs (P : Profile) (a : F32) : F32 := P.arith1 Fp.abs a
/-- `fminf(a, b)`. -/
def min (P : Profile) (a b : F32) : F32 := P.arith2 Fp.minNum a b
/-- `fmaxf(a, b)`. -/
def max (P : Profile) (a b : F32) : F32 := P.arith2 Fp.maxNum a b

/-- `a < b`. -/
def lt (P : Profile) (a b : F32) : Bool := Fp.lt (P.flush a) (P.flush b)
/-- `a <= b`. -/
def le (P : Profile) (a b : F32) : Bool := Fp.le (P.flush a) (P.flush b)
/-- `a == b`. -/
def eq (P : Profile) (a b : F32) : Bool := Fp.eq (P.flush a) (P.flush b)
/-- `floorf(a)`. -/
def floor (P : Profile) (a : F32) : F32 := Fp.floor (P.flush a)
/-- `ceilf(a)`. -/
def ceil (P : Profile) (a : F32) : F32 := Fp.ceil (P.flush a)
/-- `rintf(a)`. -/
def rint (_ : Profile) (a : F32) : F32 := Fp.rint a
/-- `truncf(a)`. -/
def trunc (_ : Profile) (a : F32) : F32 := Fp.trunc a
/-- `roundf(a)`. -/
def roundAway (_ : Profile) (a : F32) : F32 := Fp.roundAway a
/-- `isnan(a)`. -/
def isNan (_ : Profile) (a : F32) : Bool := Fp.isNan a
/-- `isinf(a)`. -/
def isInf (_ : Profile) (a : F32) : Bool := Fp.isInf a
/-- `isfinite(a)`. -/
def isFinite (_ : Profile) (a : F32) : Bool := Fp.isFinite a

/-- A value that the compiler does not see through: another thread's. -/
def hold (_ : Profile) (a : F32) : F32 := a
/-- `__saturatef(a)`. -/
def saturate (P : Profile) (a : F32) : F32 := Fp.sat (P.flush a)

/-! Rounded as their names say: `__fadd_rz`, `__fadd_rd` (`.rm`), `__fadd_ru` (`.rp`) and their kind. Never fused. -/

/-- `__fadd_rz(a, b)` and its kind. -/
def addIn (mode : Mode) (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.add mode) a b
/-- `__fsub_rz(a, b)` and its kind. -/
def subIn (mode : Mode) (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.sub mode) a b
/-- `__fmul_rz(a, b)` and its kind. -/
def mulIn (mode : Mode) (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.mul mode) a b
/-- `__fdiv_rz(a, b)` and its kind. -/
def divIn (mode : Mode) (P : Profile) (a b : F32) : F32 := P.arith2 (Fp.div mode) a b
/-- `__fmaf_rz(a, b, c)` and its kind. -/
def fmaIn (mode : Mode) (P : Profile) (a b c : F32) : F32 := P.arith3 (Fp.fma mode) a b c
/-- `__frcp_rz(b)` and its kind. -/
def rcpIn (mode : Mode) (P : Profile) (b : F32) : F32 := P.flush (Fp.div mode (F32.ofBits 0x3f800000) (P.flush b))
/-- `__fsqrt_rz(a)` and its kind. -/
def sqrtIn (mode : Mode) (P : Profile) (a : F32) : F32 := P.arith1 (Fp.sqrt mode) a

/-! To integers: the input is flushed. -/

/-- `__float2int_rz(a)` and its kind. -/
def toS32 (mode : Mode) (P : Profile) (a : F32) : Nat := Fp.toS32 mode (P.flush a)
/-- `__float2uint_rz(a)` and its kind. -/
def toU32 (mode : Mode) (P : Profile) (a : F32) : Nat := Fp.toU32 mode (P.flush a)
/-- `__float2ll_rz(a)` and its kind. -/
def toS64 (mode : Mode) (P : Profile) (a : F32) : Nat := Fp.toS64 mode (P.flush a)
/-- `__float2ull_rz(a)` and its kind. -/
def toU64 (mode : Mode) (P : Profile) (a : F32) : Nat := Fp.toU64 mode (P.flush a)

/-- `a / b`. -/
def div (D : Libm) (P : Profile) (a b : F32) : F32 :=
  match P.division with
  | .ieee => P.divRn a b
  | .full => cond P.ftz (D.div_full_ftz a b) (D.div_full a b)
  | .approx => cond P.ftz (D.div_approx_ftz a b) (D.div_approx a b)
/-- `sqrtf(a)`. -/
def sqrt (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.sqrtKind with
  | .ieee => P.sqrtRn a
  | .approx => cond P.ftz (D.sqrt_approx_ftz a) (D.sqrt_approx a)
/-- `1.0f / b`, approximately. -/
def rcp (D : Libm) (P : Profile) (b : F32) : F32 := cond P.ftz (D.rcp_approx_ftz b) (D.rcp_approx b)
/-- `rsqrtf(a)`. -/
def rsqrt (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.rsqrt_approx_ftz a) (D.rsqrt_approx a)

/-! Sums with products: fused, if the profile contracts. -/

/-- `a * b + c`. -/
def mulAdd (P : Profile) (a b c : F32) : F32 := cond P.contract (P.fma a b c) (P.add (P.mul a b) c)
/-- `a * b - c`. -/
def mulSub (P : Profile) (a b c : F32) : F32 := cond P.contract (P.fma a b (Fp.neg c)) (P.sub (P.mul a b) c)
/-- `c - a * b`. -/
def subMul (P : Profile) (a b c : F32) : F32 := cond P.contract (P.fma (Fp.neg a) b c) (P.sub c (P.mul a b))
/-- `a * b + c * d`; one product is fused. -/
def mulAddMul (P : Profile) (k : Nat) (a b c d : F32) : F32 :=
  cond P.contract (cond (P.fuseLeft k) (P.fma a b (P.mul c d)) (P.fma c d (P.mul a b))) (P.add (P.mul a b) (P.mul c d))
/-- `a * b - c * d`; one product is fused. -/
def mulSubMul (P : Profile) (k : Nat) (a b c d : F32) : F32 :=
  cond P.contract (cond (P.fuseLeft k) (P.fma a b (Fp.neg (P.mul c d))) (P.fma (Fp.neg c) d (P.mul a b))) (P.sub (P.mul a b) (P.mul c d))
/-- One of two results that the compiler may produce. -/
def choice (P : Profile) (k : Nat) (a b : F32) : F32 := cond (P.fuseLeft k) a b

/-! Intrinsics: approximate instructions and a multiplication. -/

/-- `__expf(a)`. -/
def fast_expf (D : Libm) (P : Profile) (a : F32) : F32 :=
  cond P.ftz (D.ex2_approx_ftz (P.mul a (F32.ofBits 0x3fb8aa3b))) (D.ex2_approx (P.mul a (F32.ofBits 0x3fb8aa3b)))
/-- `__exp10f(a)`. -/
def fast_exp10f (D : Libm) (P : Profile) (a : F32) : F32 :=
  cond P.ftz (D.ex2_approx_ftz (P.mul a (F32.ofBits 0x40549a78))) (D.ex2_approx (P.mul a (F32.ofBits 0x40549a78)))
/-- `__log2f(a)`. -/
def fast_log2f (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.lg2_approx_ftz a) (D.lg2_approx a)
/-- `__logf(a)`. -/
def fast_logf (D : Libm) (P : Profile) (a : F32) : F32 := P.mul (fast_log2f D P a) (F32.ofBits 0x3f317218)
/-- `__log10f(a)`. -/
def fast_log10f (D : Libm) (P : Profile) (a : F32) : F32 := P.mul (fast_log2f D P a) (F32.ofBits 0x3e9a209b)
/-- `__sinf(a)`. -/
def fast_sinf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.sin_approx_ftz a) (D.sin_approx a)
/-- `__cosf(a)`. -/
def fast_cosf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.cos_approx_ftz a) (D.cos_approx a)
/-- `__fdividef(a, b)`. -/
def fast_fdividef (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.div_approx_ftz a b) (D.div_approx a b)
/-- `__tanf(a)`. -/
def fast_tanf (D : Libm) (P : Profile) (a : F32) : F32 := fast_fdividef D P (fast_sinf D P a) (fast_cosf D P a)
/-- `__tanhf(a)`. -/
def fast_tanhf (D : Libm) (_ : Profile) (a : F32) : F32 := D.tanh_approx a
/-- `__powf(a, b)`. -/
def fast_powf (D : Libm) (P : Profile) (a b : F32) : F32 :=
  cond P.ftz (D.ex2_approx_ftz (P.mul b (fast_log2f D P a))) (D.ex2_approx (P.mul b (fast_log2f D P a)))

/-! The math library: with an intrinsic, that under `-use_fast_math`; compiled with or without flushing. -/

/-- `expf`. -/
def expf (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.expf_ftz a) (D.expf a)
  | .fast => fast_expf D P a
/-- `exp2f`. -/
def exp2f (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.exp2f_ftz a) (D.exp2f a)
/-- `exp10f`. -/
def exp10f (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.exp10f_ftz a) (D.exp10f a)
  | .fast => fast_exp10f D P a
/-- `expm1f`. -/
def expm1f (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.expm1f_ftz a) (D.expm1f a)
/-- `logf`. -/
def logf (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.logf_ftz a) (D.logf a)
  | .fast => fast_logf D P a
/-- `log2f`. -/
def log2f (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.log2f_ftz a) (D.log2f a)
  | .fast => fast_log2f D P a
/-- `log10f`. -/
def log10f (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.log10f_ftz a) (D.log10f a)
  | .fast => fast_log10f D P a
/-- `log1pf`. -/
def log1pf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.log1pf_ftz a) (D.log1pf a)
/-- `sinf`. -/
def sinf (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.sinf_ftz a) (D.sinf a)
  | .fast => fast_sinf D P a
/-- `cosf`. -/
def cosf (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.cosf_ftz a) (D.cosf a)
  | .fast => fast_cosf D P a
/-- `tanf`. -/
def tanf (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.tanf_ftz a) (D.tanf a)
  | .fast => fast_tanf D P a
/-- `asinf`. -/
def asinf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.asinf_ftz a) (D.asinf a)
/-- `acosf`. -/
def acosf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.acosf_ftz a) (D.acosf a)
/-- `atanf`. -/
def atanf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.atanf_ftz a) (D.atanf a)
/-- `sinhf`. -/
def sinhf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.sinhf_ftz a) (D.sinhf a)
/-- `coshf`. -/
def coshf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.coshf_ftz a) (D.coshf a)
/-- `tanhf`. -/
def tanhf (D : Libm) (P : Profile) (a : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.tanhf_ftz a) (D.tanhf a)
  | .fast => fast_tanhf D P a
/-- `asinhf`. -/
def asinhf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.asinhf_ftz a) (D.asinhf a)
/-- `acoshf`. -/
def acoshf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.acoshf_ftz a) (D.acoshf a)
/-- `atanhf`. -/
def atanhf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.atanhf_ftz a) (D.atanhf a)
/-- `erff`. -/
def erff (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.erff_ftz a) (D.erff a)
/-- `erfcf`. -/
def erfcf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.erfcf_ftz a) (D.erfcf a)
/-- `cbrtf`. -/
def cbrtf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.cbrtf_ftz a) (D.cbrtf a)
/-- `rsqrtf`. -/
def rsqrtf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.rsqrtf_ftz a) (D.rsqrtf a)
/-- `lgammaf`. -/
def lgammaf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.lgammaf_ftz a) (D.lgammaf a)
/-- `tgammaf`. -/
def tgammaf (D : Libm) (P : Profile) (a : F32) : F32 := cond P.ftz (D.tgammaf_ftz a) (D.tgammaf a)
/-- `powf`. -/
def powf (D : Libm) (P : Profile) (a b : F32) : F32 :=
  match P.libm with
  | .accurate => cond P.ftz (D.powf_ftz a b) (D.powf a b)
  | .fast => fast_powf D P a b
/-- `atan2f`. -/
def atan2f (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.atan2f_ftz a b) (D.atan2f a b)
/-- `hypotf`. -/
def hypotf (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.hypotf_ftz a b) (D.hypotf a b)
/-- `fmodf`. -/
def fmodf (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.fmodf_ftz a b) (D.fmodf a b)

/-! A function's last multiplication fused into a following addition (`_add`) or subtraction from (`_rsub`). -/

/-- `expf` with its last product fused into a sum. -/
def expf_add (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.expf_ftz_add a b) (D.expf_add a b)
/-- `expf` with its last product fused into a sum. -/
def expf_rsub (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.expf_ftz_rsub a b) (D.expf_rsub a b)
/-- `exp10f` with its last product fused into a sum. -/
def exp10f_add (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.exp10f_ftz_add a b) (D.exp10f_add a b)
/-- `exp10f` with its last product fused into a sum. -/
def exp10f_rsub (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.exp10f_ftz_rsub a b) (D.exp10f_rsub a b)
/-- `atanhf` with its last product fused into a sum. -/
def atanhf_add (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.atanhf_ftz_add a b) (D.atanhf_add a b)
/-- `atanhf` with its last product fused into a sum. -/
def atanhf_rsub (D : Libm) (P : Profile) (a b : F32) : F32 := cond P.ftz (D.atanhf_ftz_rsub a b) (D.atanhf_rsub a b)
/-- An approximate division with its product fused into a sum; an IEEE division is never fused. -/
def div_add (D : Libm) (P : Profile) (a b c : F32) : F32 :=
  match P.division with
  | .ieee => P.add (P.divRn a b) c
  | .full => cond P.ftz (D.div_full_ftz_add a b c) (D.div_full_add a b c)
  | .approx => cond P.ftz (D.div_approx_ftz_add a b c) (D.div_approx_add a b c)
/-- `__fdividef` with its product fused into a sum. -/
def fast_fdividef_add (D : Libm) (P : Profile) (a b c : F32) : F32 := cond P.ftz (D.div_approx_ftz_add a b c) (D.div_approx_add a b c)
/-- An approximate reciprocal with its product fused into a sum; `rcp.approx.ftz` never is. -/
def rcp_add (D : Libm) (_ : Profile) (b c : F32) : F32 := D.rcp_approx_add b c
/-- An approximate division with its product fused into a sum; an IEEE division is never fused. -/
def div_rsub (D : Libm) (P : Profile) (a b c : F32) : F32 :=
  match P.division with
  | .ieee => P.sub c (P.divRn a b)
  | .full => cond P.ftz (D.div_full_ftz_rsub a b c) (D.div_full_rsub a b c)
  | .approx => cond P.ftz (D.div_approx_ftz_rsub a b c) (D.div_approx_rsub a b c)
/-- `__fdividef` with its product fused into a sum. -/
def fast_fdividef_rsub (D : Libm) (P : Profile) (a b c : F32) : F32 := cond P.ftz (D.div_approx_ftz_rsub a b c) (D.div_approx_rsub a b c)
/-- An approximate reciprocal with its product fused into a sum; `rcp.approx.ftz` never is. -/
def rcp_rsub (D : Libm) (_ : Profile) (b c : F32) : F32 := D.rcp_approx_rsub b c

end Profile
