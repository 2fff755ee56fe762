prelude
import FloatLib.Op.Arith
import FloatLib.Op.Choose
import FloatLib.Op.Integral
import FloatLib.Lemmas.Value
/-!
# NaN: what operations do with it, and which results are NaN
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Arithmetic with NaN is NaN. -/

theorem nan_add (a : Fp f) : Eq (add mode nan a) nan := rfl

theorem add_nan : (a : Fp f) → Eq (add mode a nan) nan
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_sub (a : Fp f) : Eq (sub mode nan a) nan := rfl

theorem sub_nan (a : Fp f) : Eq (sub mode a nan) nan := add_nan a

theorem nan_mul (a : Fp f) : Eq (mul mode nan a) nan := rfl

theorem mul_nan : (a : Fp f) → Eq (mul mode a nan) nan
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_div (a : Fp f) : Eq (div mode nan a) nan := rfl

theorem div_nan : (a : Fp f) → Eq (div mode a nan) nan
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_fma_left (a b : Fp f) : Eq (fma mode nan a b) nan := rfl

theorem nan_fma_right : (a b : Fp f) → Eq (fma mode a nan b) nan
  | nan, _ => rfl
  | num _ _ _, _ => rfl

theorem fma_nan : (a b : Fp f) → Eq (fma mode a b nan) nan
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num _ _ _, num _ _ _ => rfl

/-! Minimum and maximum of both kinds. -/

theorem nan_minNum (a : Fp f) : Eq (minNum nan a) a := rfl

theorem minNum_nan : (a : Fp f) → Eq (minNum a nan) a
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_maxNum (a : Fp f) : Eq (maxNum nan a) a := rfl

theorem maxNum_nan : (a : Fp f) → Eq (maxNum a nan) a
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_minNan (a : Fp f) : Eq (minNan nan a) nan := rfl

theorem minNan_nan : (a : Fp f) → Eq (minNan a nan) nan
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_maxNan (a : Fp f) : Eq (maxNan nan a) nan := rfl

theorem maxNan_nan : (a : Fp f) → Eq (maxNan a nan) nan
  | nan => rfl
  | num _ _ _ => rfl

/-! Comparisons with NaN are false. -/

theorem nan_lt (a : Fp f) : Eq (lt nan a) false := rfl

theorem lt_nan : (a : Fp f) → Eq (lt a nan) false
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_le (a : Fp f) : Eq (le nan a) false := rfl

theorem le_nan : (a : Fp f) → Eq (le a nan) false
  | nan => rfl
  | num _ _ _ => rfl

theorem nan_eq (a : Fp f) : Eq (eq nan a) false := rfl

theorem eq_nan : (a : Fp f) → Eq (eq a nan) false
  | nan => rfl
  | num _ _ _ => rfl

/-! Operations on one value neither make nor lose NaN. -/

theorem isNan_neg : (a : Fp f) → Eq a.neg.isNan a.isNan
  | nan => rfl
  | num _ _ _ => rfl

theorem isNan_abs : (a : Fp f) → Eq a.abs.isNan a.isNan
  | nan => rfl
  | num _ _ _ => rfl

theorem isNan_ftz : (a : Fp f) → Eq a.ftz.isNan a.isNan
  | nan => rfl
  | num _ _ _ => Eq.trans (apply_cond isNan _ _ _) (cond_same false _)

theorem isNan_posZero : (a : Fp f) → Eq a.posZero.isNan a.isNan
  | nan => rfl
  | num _ _ _ => Eq.trans (apply_cond isNan _ _ _) (cond_same false _)

theorem isNan_toIntegral (up : Bool → Nat → Nat → Nat → Bool) : (a : Fp f) → Eq (toIntegral up a).isNan a.isNan
  | nan => rfl
  | num _ _ _ => Eq.trans (apply_cond isNan _ _ _) (cond_same false _)

theorem isNan_rint (a : Fp f) : Eq a.rint.isNan a.isNan := isNan_toIntegral _ a

theorem isNan_floor (a : Fp f) : Eq a.floor.isNan a.isNan := isNan_toIntegral _ a

theorem isNan_ceil (a : Fp f) : Eq a.ceil.isNan a.isNan := isNan_toIntegral _ a

theorem isNan_trunc (a : Fp f) : Eq a.trunc.isNan a.isNan := isNan_toIntegral _ a

theorem isNan_roundAway (a : Fp f) : Eq a.roundAway.isNan a.isNan := isNan_toIntegral _ a

end Fp
