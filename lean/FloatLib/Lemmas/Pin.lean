prelude
import FloatLib.Lemmas.OrderF32
/-!
# Pinning: a value between another one and itself

Two values that are each at most the other are equal, unless both are zeros. A comparison of one with zero tells.
-/

noncomputable section
namespace Fp

variable {f : Format}

theorem isNonzero_of_notZero : (a : Fp f) → Eq a.isNan false → Eq a.isZero false → Eq a.isNonzero true
  | nan, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, _, h => Nat.pos_of_ne_zero (Nat.ne_of_beq h)

theorem eq_of_le_of_le_pos (a b : Fp f) (h₁ : Eq (le a b) true) (h₂ : Eq (le b a) true) (pos : Eq (lt (zero false) b) true) : Eq a b :=
  eq_of_le_of_le a b h₁ h₂ (isNonzero_of_notZero b (notNan_right_of_le a b h₁) (notZero_of_pos b pos))

theorem eq_of_le_of_le_neg (a b : Fp f) (h₁ : Eq (le a b) true) (h₂ : Eq (le b a) true) (neg : Eq (lt b (zero false)) true) : Eq a b :=
  eq_of_le_of_le a b h₁ h₂ (isNonzero_of_notZero b (notNan_right_of_le a b h₁) (notZero_of_neg b neg))

end Fp

namespace F32

theorem eq_of_le_of_le_pos (a b : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le b a) true)
    (pos : Eq (Fp.lt (F32.ofBits 0x00000000) b) true) : Eq a b := Fp.eq_of_le_of_le_pos a b h₁ h₂ (zero_lt pos)

theorem eq_of_le_of_le_neg (a b : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le b a) true)
    (neg : Eq (Fp.lt b (F32.ofBits 0x00000000)) true) : Eq a b := Fp.eq_of_le_of_le_neg a b h₁ h₂ (lt_zero neg)

end F32
