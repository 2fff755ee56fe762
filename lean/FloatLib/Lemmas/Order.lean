prelude
import FloatLib.Lemmas.Rank
/-!
# The order of floats

Off NaN, `le` is a total preorder whose only ties are equal values and the two zeros; on NaN every comparison is false. `lt` and `eq` are
determined by `le`. Constants of binary32 are in `Lemmas/OrderF32.lean`.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! Each comparison by another one. -/

theorem not_le_num {s t : Bool} {g h : Nat} (hg : Eq (Nat.ble g f.inf) true) (hh : Eq (Nat.ble h f.inf) true) :
    Eq (le (num s g hg) (num t h hh)).not (lt (num t h hh) (num s g hg)) := Nat.not_ble (rank f s g) (rank f t h)

theorem eq_eq_and : (a b : Fp f) → Eq (eq a b) ((le a b).and (le b a))
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => Nat.beq_eq_and (rank f s g) (rank f t h)

theorem eq_comm (a b : Fp f) : Eq (eq a b) (eq b a) :=
  Eq.step (eq a b) (eq_eq_and a b) (
  Eq.step ((le a b).and (le b a)) (Bool.and_comm (le a b) (le b a)) (
  Eq.step ((le b a).and (le a b)) (Eq.symm (eq_eq_and b a)) (
  Eq.done (eq b a))))

/-! Comparisons that hold are of numbers. -/

theorem notNan_left_of_lt : (a b : Fp f) → Eq (lt a b) true → Eq a.isNan false
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, _, _ => rfl

theorem notNan_right_of_lt : (a b : Fp f) → Eq (lt a b) true → Eq b.isNan false
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, _ => rfl

theorem notNan_left_of_le : (a b : Fp f) → Eq (le a b) true → Eq a.isNan false
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, _, _ => rfl

theorem notNan_right_of_le : (a b : Fp f) → Eq (le a b) true → Eq b.isNan false
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, _ => rfl

theorem le_of_eq (a b : Fp f) (h : Eq (eq a b) true) : Eq (le a b) true := Bool.and_eq_true_left (Eq.trans (Eq.symm (eq_eq_and a b)) h)

theorem ge_of_eq (a b : Fp f) (h : Eq (eq a b) true) : Eq (le b a) true := Bool.and_eq_true_right (Eq.trans (Eq.symm (eq_eq_and a b)) h)

theorem notNan_left_of_eq (a b : Fp f) (h : Eq (eq a b) true) : Eq a.isNan false := notNan_left_of_le a b (le_of_eq a b h)

theorem notNan_right_of_eq (a b : Fp f) (h : Eq (eq a b) true) : Eq b.isNan false := notNan_right_of_le a b (le_of_eq a b h)

/-! A value and itself. -/

theorem lt_irrefl : (a : Fp f) → Eq (lt a a) false
  | nan => rfl
  | num s g _ => Nat.blt_self (rank f s g)

theorem le_self : (a : Fp f) → Eq (le a a) a.isNan.not
  | nan => rfl
  | num s g _ => Nat.le_refl (rank f s g)

theorem eq_self : (a : Fp f) → Eq (eq a a) a.isNan.not
  | nan => rfl
  | num s g _ => Nat.beq_self (rank f s g)

/-! Chains. -/

theorem lt_trans : (a b c : Fp f) → Eq (lt a b) true → Eq (lt b c) true → Eq (lt a c) true
  | nan, _, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, h₁, h₂ => Nat.lt_trans h₁ h₂

theorem lt_of_lt_of_le : (a b c : Fp f) → Eq (lt a b) true → Eq (le b c) true → Eq (lt a c) true
  | nan, _, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, h₁, h₂ => Nat.lt_of_lt_of_le h₁ h₂

theorem lt_of_le_of_lt : (a b c : Fp f) → Eq (le a b) true → Eq (lt b c) true → Eq (lt a c) true
  | nan, _, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, h₁, h₂ => Nat.lt_of_le_of_lt h₁ h₂

theorem le_trans : (a b c : Fp f) → Eq (le a b) true → Eq (le b c) true → Eq (le a c) true
  | nan, _, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, h₁, h₂ => Nat.le_trans h₁ h₂

/-! From one comparison to another. -/

theorem le_of_lt : (a b : Fp f) → Eq (lt a b) true → Eq (le a b) true
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, h => Nat.le_of_lt h

theorem lt_false_of_le : (a b : Fp f) → Eq (le b a) true → Eq (lt a b) false
  | nan, _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num _ _ _, num _ _ _, h => Nat.blt_of_le h

theorem le_false_of_lt : (a b : Fp f) → Eq (lt b a) true → Eq (le a b) false
  | nan, _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num _ _ _, num _ _ _, h => Nat.ble_of_lt h

theorem eq_of_le_le (a b : Fp f) (h₁ : Eq (le a b) true) (h₂ : Eq (le b a) true) : Eq (eq a b) true :=
  Eq.trans (eq_eq_and a b) (Bool.and_of_true h₁ h₂)

theorem eq_false_of_lt (a b : Fp f) (h : Eq (lt a b) true) : Eq (eq a b) false :=
  Eq.trans (eq_eq_and a b) (Bool.and_of_false_right (le_false_of_lt b a h))

theorem eq_false_of_gt (a b : Fp f) (h : Eq (lt b a) true) : Eq (eq a b) false :=
  Eq.trans (eq_eq_and a b) (Bool.and_of_false_left (le_false_of_lt a b h))

theorem le_of_not_lt : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (lt a b) false → Eq (le b a) true
  | nan, _, h, _, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, num _ _ _, _, _, h => Nat.le_of_blt h

theorem lt_of_not_le : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (le a b) false → Eq (lt b a) true
  | nan, _, h, _, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, num _ _ _, _, _, h => Nat.lt_of_ble h

/-! Ties. -/

/-- What follows when the values are the same, and when both are zeros, follows from their comparing equal. -/
theorem tie_cases {C : Prop} : (a b : Fp f) → Eq (eq a b) true → (Eq a b → C) → (Eq a.isZero true → Eq b.isZero true → C) → C
  | nan, _, h, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, h, _, _ => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, e, same, zeros => rank_cases hg hh (Nat.eq_of_beq (rank f s g) (rank f t h) e)
    (fun es eg => same (num_congr es eg)) (fun zg zh => zeros (Nat.beq_of_eq zg) (Nat.beq_of_eq zh))

/-- A zero is one of the two. -/
theorem isZero_cases {C : Prop} : (a : Fp f) → Eq a.isZero true → (Eq a (zero false) → C) → (Eq a (zero true) → C) → C
  | nan, h, _, _ => (Bool.false_ne_true h).elim
  | num false _ _, h, pos, _ => pos (eq_zero_of_beq h)
  | num true _ _, h, _, neg => neg (eq_zero_of_beq h)

theorem isNonzero_false_of_isZero : (a : Fp f) → Eq a.isZero true → Eq a.isNonzero false
  | nan, h => (Bool.false_ne_true h).elim
  | num _ g _, h => Nat.blt_of_le (Nat.le_of_eq (Nat.eq_of_beq g 0 h))

/-- What compares equal to a zero is a zero. -/
theorem zero_cases {C : Prop} (a z : Fp f) (h : Eq (eq a z) true) (hz : Eq z.isZero true) (pos : Eq a (zero false) → C)
    (neg : Eq a (zero true) → C) : C :=
  tie_cases a z h (fun e => isZero_cases a (Eq.trans (congrArg isZero e) hz) pos neg) (fun za _ => isZero_cases a za pos neg)

theorem eq_of_le_of_le (a b : Fp f) (h₁ : Eq (le a b) true) (h₂ : Eq (le b a) true) (k : Eq b.isNonzero true) : Eq a b :=
  tie_cases a b (eq_of_le_le a b h₁ h₂) id (fun _ zb => Bool.not_both k (isNonzero_false_of_isZero b zb))

/-! The largest and the smallest value; an absolute value is not below zero. -/

theorem le_inf : (a : Fp f) → Eq a.isNan false → Eq (le a (inf false)) true
  | nan, h => (Bool.true_ne_false h).elim
  | num s g hg, _ => Nat.le_trans (rank_le s g) (Nat.add_le_add_left hg f.inf)

theorem negInf_le : (a : Fp f) → Eq a.isNan false → Eq (le (inf true) a) true
  | nan, h => (Bool.true_ne_false h).elim
  | num s g _, _ => Nat.le_trans (Nat.le_of_eq (Nat.sub_self f.inf)) (Nat.zero_le (rank f s g))

theorem zero_le_abs : (a : Fp f) → Eq a.isNan false → Eq (le (zero false) a.abs) true
  | nan, h => (Bool.true_ne_false h).elim
  | num _ g _, _ => Nat.le_add_right f.inf g

end Fp
