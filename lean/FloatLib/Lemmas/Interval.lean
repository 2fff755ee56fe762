prelude
import FloatLib.Lemmas.QuotientOrder
import FloatLib.Lemmas.ZeroSign
/-!
# Intervals: bounds of binary32 results from bounds of arguments

Rounding keeps the order, so `<=` passes through each operation where the exact operation keeps it; `<` does not (`a * b` may round to
zero). Each theorem says which results must not be NaN.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-- Nothing but infinity with its opposite: not if both terms are at least zero. -/
theorem isNan_add_nonneg (a c : Fp f) (h₁ : Eq (le (zero false) a) true) (h₂ : Eq (le (zero false) c) true) (pos : Nat.Lt 0 f.inf) :
    Eq (add mode a c).isNan false :=
  zero_le_cases a h₁
    (fun _ _ ea => zero_le_cases c h₂
      (fun _ _ ec => isNan_add_of_sign a c (notNan_right_of_le (zero false) a h₁) (notNan_right_of_le (zero false) c h₂)
        (congrArg2 Bool.xor (congrArg isNeg ea) (congrArg isNeg ec)))
      (fun ec => Eq.trans (isNan_add_right a c (Eq.trans (congrArg isFinite ec) pos)) (notNan_right_of_le (zero false) a h₁)))
    (fun ea => Eq.trans (isNan_add_left a c (Eq.trans (congrArg isFinite ea) pos)) (notNan_right_of_le (zero false) c h₂))

theorem isNan_add_neg_neg (a c : Fp f) : Eq (add .rn a.neg c.neg).isNan (add .rn a c).isNan :=
  Eq.step (add .rn a.neg c.neg).isNan (Eq.symm (isNan_posZero _)) (
  Eq.step (add .rn a.neg c.neg).posZero.isNan (congrArg isNan (Eq.symm (posZero_neg_add a c))) (
  Eq.step (add .rn a c).neg.posZero.isNan (isNan_posZero _) (
  Eq.step (add .rn a c).neg.isNan (isNan_neg _) (
  Eq.done (add .rn a c).isNan))))

/-- A root is `-0`, NaN or has a plus sign. -/
theorem sqrt_nonneg : (a : Fp f) → Eq (sqrt mode a).isNan false → Eq (le (zero false) (sqrt mode a)) true
  | nan, n => (Bool.true_ne_false n).elim
  | num false g _, _ => rows (Nat.beq g 0) (Nat.beq g f.inf) (Nat.le_add_right f.inf g) (Nat.le_add_right f.inf _)
  | num true g hg, n => Or.elim (Nat.eq_zero_or_pos g)
      (fun e => Eq.trans (congrArg (le (zero false)) (Eq.trans (cond_of_true (Nat.beq_of_eq e) _ _) (eq_zero_of_beq (Nat.beq_of_eq e)))) (Nat.le_refl f.inf))
      (fun pos => Bool.not_both (b := isNan (nan (f := f))) rfl (Eq.trans (congrArg isNan (Eq.symm (cond_of_false (Nat.beq_of_gt pos) (num true g hg) nan))) n))
where
  rows {x y : Fp f} (c d : Bool) (hx : Eq (le (zero false) x) true) (hy : Eq (le (zero false) y) true) :
      Eq (le (zero false) (cond c x (cond d x y))) true :=
    match c, d with
    | true, _ => hx
    | false, true => hx
    | false, false => hy

end Fp

namespace F32

variable {mode : Mode}

/-! Sums. -/

theorem add_le_of_le (a b c d : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le c d) true) (n₁ : Eq (Fp.isNan (Fp.add mode a c)) false)
    (n₂ : Eq (Fp.isNan (Fp.add mode b d)) false) : Eq (Fp.le (Fp.add mode a c) (Fp.add mode b d)) true :=
  Fp.add_le_of_le (f := Format.binary32) rfl a b c d h₁ h₂ n₁ n₂

theorem sub_le_of_le (a b c d : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le d c) true) (n₁ : Eq (Fp.isNan (Fp.sub mode a c)) false)
    (n₂ : Eq (Fp.isNan (Fp.sub mode b d)) false) : Eq (Fp.le (Fp.sub mode a c) (Fp.sub mode b d)) true :=
  Fp.sub_le_of_le (f := Format.binary32) rfl a b c d h₁ h₂ n₁ n₂

theorem isNan_add_nonneg (a c : F32) (h₁ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true) :
    Eq (Fp.isNan (Fp.add mode a c)) false := Fp.isNan_add_nonneg a c h₁ h₂ rfl

theorem isNan_add_nonpos (a c : F32) (h₁ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₂ : Eq (Fp.le c (F32.ofBits 0x00000000)) true) :
    Eq (Fp.isNan (Fp.add .rn a c)) false :=
  Eq.trans (Eq.symm (Fp.isNan_add_neg_neg a c)) (Fp.isNan_add_nonneg a.neg c.neg (Eq.trans (Fp.neg_nonneg a) h₁) (Eq.trans (Fp.neg_nonneg c) h₂) rfl)

theorem add_nonneg (a c : F32) (h₁ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true) :
    Eq (Fp.le (F32.ofBits 0x00000000) (Fp.add .rn a c)) true :=
  add_le_of_le (mode := .rn) (F32.ofBits 0x00000000) a (F32.ofBits 0x00000000) c h₁ h₂ rfl (isNan_add_nonneg a c h₁ h₂)

theorem add_nonpos (a c : F32) (h₁ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₂ : Eq (Fp.le c (F32.ofBits 0x00000000)) true) :
    Eq (Fp.le (Fp.add .rn a c) (F32.ofBits 0x00000000)) true :=
  add_le_of_le (mode := .rn) a (F32.ofBits 0x00000000) c (F32.ofBits 0x00000000) h₁ h₂ (isNan_add_nonpos a c h₁ h₂) rfl

theorem le_add_of_nonneg (a c : F32) (h : Eq (Fp.le (F32.ofBits 0x00000000) c) true) (n : Eq (Fp.isNan (Fp.add .rn a c)) false) :
    Eq (Fp.le a (Fp.add .rn a c)) true :=
  have na : Eq (Fp.isNan a) false := Bool.or_eq_false_left (Bool.or_eq_false_left (Eq.trans (Eq.symm (Fp.isNan_add_eq a c)) n))
  have aa : Eq (Fp.le a a) true := Eq.trans (Fp.le_self a) (Bool.not_of_false na)
  Eq.trans (congrArg (fun x => Fp.le x (Fp.add .rn a c)) (Eq.symm (add_negZero a)))
    (add_le_of_le a a (F32.ofBits 0x80000000) c aa (Eq.trans (Fp.zero_le_sign true c) h) (Eq.trans (congrArg Fp.isNan (add_negZero a)) na) n)

theorem add_le_of_nonpos (a c : F32) (h : Eq (Fp.le c (F32.ofBits 0x00000000)) true) (n : Eq (Fp.isNan (Fp.add .rn a c)) false) :
    Eq (Fp.le (Fp.add .rn a c) a) true :=
  have na : Eq (Fp.isNan a) false := Bool.or_eq_false_left (Bool.or_eq_false_left (Eq.trans (Eq.symm (Fp.isNan_add_eq a c)) n))
  have aa : Eq (Fp.le a a) true := Eq.trans (Fp.le_self a) (Bool.not_of_false na)
  Eq.trans (congrArg (Fp.le (Fp.add .rn a c)) (Eq.symm (add_negZero a)))
    (add_le_of_le a a c (F32.ofBits 0x80000000) aa (Eq.trans (Fp.le_zero_sign true c) h) n (Eq.trans (congrArg Fp.isNan (add_negZero a)) na))

/-! Products. -/

theorem mul_nonneg (a c : F32) (h₁ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true)
    (n : Eq (Fp.isNan (Fp.mul mode a c)) false) : Eq (Fp.le (F32.ofBits 0x00000000) (Fp.mul mode a c)) true := Fp.mul_nonneg a c h₁ h₂ n

theorem mul_nonneg_of_nonpos (a c : F32) (h₁ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₂ : Eq (Fp.le c (F32.ofBits 0x00000000)) true)
    (n : Eq (Fp.isNan (Fp.mul .rn a c)) false) : Eq (Fp.le (F32.ofBits 0x00000000) (Fp.mul .rn a c)) true := Fp.mul_nonneg_of_nonpos a c h₁ h₂ n

theorem mul_nonpos_left (a c : F32) (h₁ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true)
    (n : Eq (Fp.isNan (Fp.mul .rn a c)) false) : Eq (Fp.le (Fp.mul .rn a c) (F32.ofBits 0x00000000)) true := Fp.mul_nonpos_left a c h₁ h₂ n

theorem mul_nonpos_right (a c : F32) (h₁ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₂ : Eq (Fp.le c (F32.ofBits 0x00000000)) true)
    (n : Eq (Fp.isNan (Fp.mul .rn a c)) false) : Eq (Fp.le (Fp.mul .rn a c) (F32.ofBits 0x00000000)) true := Fp.mul_nonpos_right a c h₁ h₂ n

theorem mul_self_nonneg (a : F32) (n : Eq (Fp.isNan a) false) : Eq (Fp.le (F32.ofBits 0x00000000) (Fp.mul mode a a)) true :=
  Fp.mul_self_nonneg a rfl n

theorem mul_le_of_le_nonneg (a b c d : F32) (h₀ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₁ : Eq (Fp.le a b) true)
    (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true) (h₃ : Eq (Fp.le c d) true) (n₁ : Eq (Fp.isNan (Fp.mul mode a c)) false)
    (n₂ : Eq (Fp.isNan (Fp.mul mode b d)) false) : Eq (Fp.le (Fp.mul mode a c) (Fp.mul mode b d)) true :=
  Fp.mul_le_of_le_nonneg a b c d h₀ h₁ h₂ h₃ n₁ n₂

theorem mul_le_of_le_left (a b c : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true)
    (n₁ : Eq (Fp.isNan (Fp.mul .rn a c)) false) (n₂ : Eq (Fp.isNan (Fp.mul .rn b c)) false) : Eq (Fp.le (Fp.mul .rn a c) (Fp.mul .rn b c)) true :=
  Fp.mul_le_of_le_left a b c h₁ h₂ n₁ n₂

theorem mul_le_of_ge_left (a b c : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le c (F32.ofBits 0x00000000)) true)
    (n₁ : Eq (Fp.isNan (Fp.mul .rn a c)) false) (n₂ : Eq (Fp.isNan (Fp.mul .rn b c)) false) : Eq (Fp.le (Fp.mul .rn b c) (Fp.mul .rn a c)) true :=
  Fp.mul_le_of_ge_left a b c h₁ h₂ n₁ n₂

/-- A factor from 0 to 1 does not take a value away from zero. -/
theorem mul_le_self (a c : F32) (h₀ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₁ : Eq (Fp.le c (F32.ofBits 0x3f800000)) true)
    (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true) (n : Eq (Fp.isNan (Fp.mul mode a c)) false) : Eq (Fp.le (Fp.mul mode a c) a) true :=
  have na : Eq (Fp.isNan a) false := Bool.or_eq_false_left (Bool.or_eq_false_left (Eq.trans (Eq.symm (Fp.isNan_mul_eq (f := Format.binary32) rfl a c)) n))
  have aa : Eq (Fp.le a a) true := Eq.trans (Fp.le_self a) (Bool.not_of_false na)
  Eq.trans (congrArg (Fp.le (Fp.mul mode a c)) (Eq.symm (mul_one (mode := mode) a)))
    (mul_le_of_le_nonneg a a c (F32.ofBits 0x3f800000) h₀ aa h₂ h₁ n (Eq.trans (congrArg Fp.isNan (mul_one a)) na))

theorem le_mul_self (a c : F32) (h₀ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₁ : Eq (Fp.le (F32.ofBits 0x3f800000) c) true)
    (n : Eq (Fp.isNan (Fp.mul mode a c)) false) : Eq (Fp.le a (Fp.mul mode a c)) true :=
  have na : Eq (Fp.isNan a) false := Bool.or_eq_false_left (Bool.or_eq_false_left (Eq.trans (Eq.symm (Fp.isNan_mul_eq (f := Format.binary32) rfl a c)) n))
  have aa : Eq (Fp.le a a) true := Eq.trans (Fp.le_self a) (Bool.not_of_false na)
  Eq.trans (congrArg (fun x => Fp.le x (Fp.mul mode a c)) (Eq.symm (mul_one (mode := mode) a)))
    (mul_le_of_le_nonneg a a (F32.ofBits 0x3f800000) c h₀ aa rfl h₁ (Eq.trans (congrArg Fp.isNan (mul_one a)) na) n)

theorem isNan_mul_neg (a c : F32) (n : Eq (Fp.isNan (Fp.mul .rn a c)) false) : Eq (Fp.isNan (Fp.mul .rn a.neg c)) false :=
  Eq.trans (congrArg Fp.isNan (Fp.mul_neg_left a c)) (Eq.trans (Fp.isNan_neg _) n)

theorem le_mul_self_of_nonpos (a c : F32) (h₀ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₁ : Eq (Fp.le c (F32.ofBits 0x3f800000)) true)
    (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true) (n : Eq (Fp.isNan (Fp.mul .rn a c)) false) : Eq (Fp.le a (Fp.mul .rn a c)) true :=
  Eq.trans (Eq.symm (Fp.le_neg_neg (Fp.mul .rn a c) a)) (Eq.trans (congrArg (fun x => Fp.le x a.neg) (Eq.symm (Fp.mul_neg_left a c)))
    (mul_le_self a.neg c (Eq.trans (Fp.neg_nonneg a) h₀) h₁ h₂ (isNan_mul_neg a c n)))

theorem mul_le_self_of_nonpos (a c : F32) (h₀ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₁ : Eq (Fp.le (F32.ofBits 0x3f800000) c) true)
    (n : Eq (Fp.isNan (Fp.mul .rn a c)) false) : Eq (Fp.le (Fp.mul .rn a c) a) true :=
  Eq.trans (Eq.symm (Fp.le_neg_neg a (Fp.mul .rn a c))) (Eq.trans (congrArg (Fp.le a.neg) (Eq.symm (Fp.mul_neg_left a c)))
    (le_mul_self a.neg c (Eq.trans (Fp.neg_nonneg a) h₀) h₁ (isNan_mul_neg a c n)))

/-! Quotients by positive values. -/

theorem div_nonneg (a b : F32) (h₁ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₂ : Eq (Fp.lt (F32.ofBits 0x00000000) b) true)
    (n : Eq (Fp.isNan (Fp.div mode a b)) false) : Eq (Fp.le (F32.ofBits 0x00000000) (Fp.div mode a b)) true := Fp.div_nonneg a b h₁ h₂ n

theorem div_nonpos (a b : F32) (h₁ : Eq (Fp.le a (F32.ofBits 0x00000000)) true) (h₂ : Eq (Fp.lt (F32.ofBits 0x00000000) b) true)
    (n : Eq (Fp.isNan (Fp.div .rn a b)) false) : Eq (Fp.le (Fp.div .rn a b) (F32.ofBits 0x00000000)) true := Fp.div_nonpos a b h₁ h₂ n

theorem div_le_of_le_nonneg (a b c d : F32) (h₀ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₁ : Eq (Fp.le a b) true)
    (h₂ : Eq (Fp.lt (F32.ofBits 0x00000000) d) true) (h₃ : Eq (Fp.le d c) true) (n₁ : Eq (Fp.isNan (Fp.div mode a c)) false)
    (n₂ : Eq (Fp.isNan (Fp.div mode b d)) false) : Eq (Fp.le (Fp.div mode a c) (Fp.div mode b d)) true :=
  Fp.div_le_of_le_nonneg a b c d h₀ h₁ h₂ h₃ n₁ n₂

theorem div_le_of_le_left (a b c : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.lt (F32.ofBits 0x00000000) c) true)
    (n₁ : Eq (Fp.isNan (Fp.div .rn a c)) false) (n₂ : Eq (Fp.isNan (Fp.div .rn b c)) false) : Eq (Fp.le (Fp.div .rn a c) (Fp.div .rn b c)) true :=
  Fp.div_le_of_le_left a b c h₁ h₂ n₁ n₂

/-! Square roots. -/

theorem sqrt_nonneg (a : F32) (n : Eq (Fp.isNan (Fp.sqrt mode a)) false) : Eq (Fp.le (F32.ofBits 0x00000000) (Fp.sqrt mode a)) true :=
  Fp.sqrt_nonneg a n

end F32
