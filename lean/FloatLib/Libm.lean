prelude
import FloatLib.Float.Value
/-!
# Functions that no standard defines

The record of a device's (or a reference's) mathematical functions. Nothing is assumed about them here: a theorem that needs to know
something says so in a hypothesis, an *obligation*. `f_ftz` is the function compiled with `-ftz=true`; `f_add x b` is `f x + b` where
the last multiplication of `f` was fused into the addition, and `f_rsub x b` is `b - f x` likewise. The last fields are PTX's
approximate instructions; the very last gives the bits of a NaN whose payload nothing fixes, by a number for where it came from.
-/

noncomputable section

/-- A device's functions. -/
structure Libm where
  /-- From its functions. -/
  mk ::
  /-- `expf`. -/
  expf : F32 → F32
  /-- `exp2f`. -/
  exp2f : F32 → F32
  /-- `exp10f`. -/
  exp10f : F32 → F32
  /-- `expm1f`. -/
  expm1f : F32 → F32
  /-- `logf`. -/
  logf : F32 → F32
  /-- `log2f`. -/
  log2f : F32 → F32
  /-- `log10f`. -/
  log10f : F32 → F32
  /-- `log1pf`. -/
  log1pf : F32 → F32
  /-- `sinf`. -/
  sinf : F32 → F32
  /-- `cosf`. -/
  cosf : F32 → F32
  /-- `tanf`. -/
  tanf : F32 → F32
  /-- `asinf`. -/
  asinf : F32 → F32
  /-- `acosf`. -/
  acosf : F32 → F32
  /-- `atanf`. -/
  atanf : F32 → F32
  /-- `sinhf`. -/
  sinhf : F32 → F32
  /-- `coshf`. -/
  coshf : F32 → F32
  /-- `tanhf`. -/
  tanhf : F32 → F32
  /-- `asinhf`. -/
  asinhf : F32 → F32
  /-- `acoshf`. -/
  acoshf : F32 → F32
  /-- `atanhf`. -/
  atanhf : F32 → F32
  /-- `erff`. -/
  erff : F32 → F32
  /-- `erfcf`. -/
  erfcf : F32 → F32
  /-- `cbrtf`. -/
  cbrtf : F32 → F32
  /-- `rsqrtf`. -/
  rsqrtf : F32 → F32
  /-- `lgammaf`. -/
  lgammaf : F32 → F32
  /-- `tgammaf`. -/
  tgammaf : F32 → F32
  /-- `powf`. -/
  powf : F32 → F32 → F32
  /-- `atan2f`. -/
  atan2f : F32 → F32 → F32
  /-- `hypotf`. -/
  hypotf : F32 → F32 → F32
  /-- `fmodf`. -/
  fmodf : F32 → F32 → F32
  /-- `expf_ftz`. -/
  expf_ftz : F32 → F32
  /-- `exp2f_ftz`. -/
  exp2f_ftz : F32 → F32
  /-- `exp10f_ftz`. -/
  exp10f_ftz : F32 → F32
  /-- `expm1f_ftz`. -/
  expm1f_ftz : F32 → F32
  /-- `logf_ftz`. -/
  logf_ftz : F32 → F32
  /-- `log2f_ftz`. -/
  log2f_ftz : F32 → F32
  /-- `log10f_ftz`. -/
  log10f_ftz : F32 → F32
  /-- `log1pf_ftz`. -/
  log1pf_ftz : F32 → F32
  /-- `sinf_ftz`. -/
  sinf_ftz : F32 → F32
  /-- `cosf_ftz`. -/
  cosf_ftz : F32 → F32
  /-- `tanf_ftz`. -/
  tanf_ftz : F32 → F32
  /-- `asinf_ftz`. -/
  asinf_ftz : F32 → F32
  /-- `acosf_ftz`. -/
  acosf_ftz : F32 → F32
  /-- `atanf_ftz`. -/
  atanf_ftz : F32 → F32
  /-- `sinhf_ftz`. -/
  sinhf_ftz : F32 → F32
  /-- `coshf_ftz`. -/
  coshf_ftz : F32 → F32
  /-- `tanhf_ftz`. -/
  tanhf_ftz : F32 → F32
  /-- `asinhf_ftz`. -/
  asinhf_ftz : F32 → F32
  /-- `acoshf_ftz`. -/
  acoshf_ftz : F32 → F32
  /-- `atanhf_ftz`. -/
  atanhf_ftz : F32 → F32
  /-- `erff_ftz`. -/
  erff_ftz : F32 → F32
  /-- `erfcf_ftz`. -/
  erfcf_ftz : F32 → F32
  /-- `cbrtf_ftz`. -/
  cbrtf_ftz : F32 → F32
  /-- `rsqrtf_ftz`. -/
  rsqrtf_ftz : F32 → F32
  /-- `lgammaf_ftz`. -/
  lgammaf_ftz : F32 → F32
  /-- `tgammaf_ftz`. -/
  tgammaf_ftz : F32 → F32
  /-- `powf_ftz`. -/
  powf_ftz : F32 → F32 → F32
  /-- `atan2f_ftz`. -/
  atan2f_ftz : F32 → F32 → F32
  /-- `hypotf_ftz`. -/
  hypotf_ftz : F32 → F32 → F32
  /-- `fmodf_ftz`. -/
  fmodf_ftz : F32 → F32 → F32
  /-- `ex2_approx`. -/
  ex2_approx : F32 → F32
  /-- `ex2_approx_ftz`. -/
  ex2_approx_ftz : F32 → F32
  /-- `lg2_approx`. -/
  lg2_approx : F32 → F32
  /-- `lg2_approx_ftz`. -/
  lg2_approx_ftz : F32 → F32
  /-- `rcp_approx`. -/
  rcp_approx : F32 → F32
  /-- `rcp_approx_ftz`. -/
  rcp_approx_ftz : F32 → F32
  /-- `rsqrt_approx`. -/
  rsqrt_approx : F32 → F32
  /-- `rsqrt_approx_ftz`. -/
  rsqrt_approx_ftz : F32 → F32
  /-- `sqrt_approx`. -/
  sqrt_approx : F32 → F32
  /-- `sqrt_approx_ftz`. -/
  sqrt_approx_ftz : F32 → F32
  /-- `sin_approx`. -/
  sin_approx : F32 → F32
  /-- `sin_approx_ftz`. -/
  sin_approx_ftz : F32 → F32
  /-- `cos_approx`. -/
  cos_approx : F32 → F32
  /-- `cos_approx_ftz`. -/
  cos_approx_ftz : F32 → F32
  /-- `div_approx`. -/
  div_approx : F32 → F32 → F32
  /-- `div_approx_ftz`. -/
  div_approx_ftz : F32 → F32 → F32
  /-- `div_full`. -/
  div_full : F32 → F32 → F32
  /-- `div_full_ftz`. -/
  div_full_ftz : F32 → F32 → F32
  /-- `expf_add`. -/
  expf_add : F32 → F32 → F32
  /-- `expf_rsub`. -/
  expf_rsub : F32 → F32 → F32
  /-- `expf_ftz_add`. -/
  expf_ftz_add : F32 → F32 → F32
  /-- `expf_ftz_rsub`. -/
  expf_ftz_rsub : F32 → F32 → F32
  /-- `exp10f_add`. -/
  exp10f_add : F32 → F32 → F32
  /-- `exp10f_rsub`. -/
  exp10f_rsub : F32 → F32 → F32
  /-- `exp10f_ftz_add`. -/
  exp10f_ftz_add : F32 → F32 → F32
  /-- `exp10f_ftz_rsub`. -/
  exp10f_ftz_rsub : F32 → F32 → F32
  /-- `atanhf_add`. -/
  atanhf_add : F32 → F32 → F32
  /-- `atanhf_rsub`. -/
  atanhf_rsub : F32 → F32 → F32
  /-- `atanhf_ftz_add`. -/
  atanhf_ftz_add : F32 → F32 → F32
  /-- `atanhf_ftz_rsub`. -/
  atanhf_ftz_rsub : F32 → F32 → F32
  /-- `div_approx_add`. -/
  div_approx_add : F32 → F32 → F32 → F32
  /-- `div_approx_rsub`. -/
  div_approx_rsub : F32 → F32 → F32 → F32
  /-- `div_approx_ftz_add`. -/
  div_approx_ftz_add : F32 → F32 → F32 → F32
  /-- `div_approx_ftz_rsub`. -/
  div_approx_ftz_rsub : F32 → F32 → F32 → F32
  /-- `div_full_add`. -/
  div_full_add : F32 → F32 → F32 → F32
  /-- `div_full_rsub`. -/
  div_full_rsub : F32 → F32 → F32 → F32
  /-- `div_full_ftz_add`. -/
  div_full_ftz_add : F32 → F32 → F32 → F32
  /-- `div_full_ftz_rsub`. -/
  div_full_ftz_rsub : F32 → F32 → F32 → F32
  /-- `rcp_approx_add`. -/
  rcp_approx_add : F32 → F32 → F32
  /-- `rcp_approx_rsub`. -/
  rcp_approx_rsub : F32 → F32 → F32
  /-- `tanh_approx`. -/
  tanh_approx : F32 → F32
  /-- The pattern of a NaN of unknown payload. -/
  nan_bits : Nat → F32 → Nat
