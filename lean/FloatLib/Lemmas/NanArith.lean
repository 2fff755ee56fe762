prelude
import FloatLib.Lemmas.MinMaxLaws
import FloatLib.Lemmas.OrderF32
import FloatLib.Lemmas.Unit
/-!
# Which results are NaN

Only infinities, zero divisors and roots of negative numbers make NaN. With a finite operand the result is NaN exactly when the other
operand is.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem isNan_cond (a b : Fp f) : (p : Bool) → Eq (cond p a b).isNan (cond p a.isNan b.isNan)
  | true => rfl
  | false => rfl

theorem notNan_of_isFinite : (a : Fp f) → Eq a.isFinite true → Eq a.isNan false
  | nan, h => (Bool.false_ne_true h).elim
  | num _ _ _, _ => rfl

theorem notNan_of_isInf : (a : Fp f) → Eq a.isInf true → Eq a.isNan false
  | nan, h => (Bool.false_ne_true h).elim
  | num _ _ _, _ => rfl

/-- No choice between numbers is NaN. -/
theorem isNan_cond_of_notNan {c : Bool} {a b : Fp f} (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (cond c a b).isNan false :=
  Eq.trans (isNan_cond a b c) (Eq.trans (congrArg2 (cond c) ha hb) (cond_same false c))

/-- Rounding gives a number. -/
theorem isNan_roundSum (s : Bool) (u : Nat) (t : Bool) (v q : Nat) : Eq (roundSum (f := f) mode s u t v q).isNan false :=
  isNan_cond_of_notNan rfl (isNan_cond_of_notNan rfl (isNan_cond_of_notNan rfl rfl))

/-! Sums. -/

theorem isNan_add_right : (a b : Fp f) → Eq b.isFinite true → Eq (add mode a b).isNan a.isNan
  | nan, _, _ => rfl
  | num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num s g hg, num t h _, fin => isNan_cond_of_notNan
    (Eq.trans (congrArg isNan (cond_of_false (Bool.and_of_false_left (Nat.beq_of_lt fin)) nan (num s g hg))) rfl)
    (isNan_cond_of_notNan rfl (isNan_roundSum s (units f g) t (units f h) 1))

theorem isNan_add_left : (a b : Fp f) → Eq a.isFinite true → Eq (add mode a b).isNan b.isNan
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _ => rfl
  | num s g _, num t h _, fin => Eq.trans (congrArg isNan (cond_of_false (Nat.beq_of_lt fin) _ _))
    (isNan_cond_of_notNan rfl (isNan_roundSum s (units f g) t (units f h) 1))

/-! Products. -/

theorem isNan_mul_right : (a b : Fp f) → Eq b.isFinite true → Eq b.isNonzero true → Eq (mul mode a b).isNan a.isNan
  | nan, _, _, _ => rfl
  | num _ _ _, nan, h, _ => (Bool.false_ne_true h).elim
  | num _ g _, num _ h _, fin, pos => Bool.byCases (Nat.beq g f.inf)
    (fun yes => Eq.trans (congrArg isNan (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
      (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes (k := h) fin) (Nat.beq_of_gt pos)) _ _))) rfl)
    (fun no => Eq.trans (congrArg isNan (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt fin)) _ _)) rfl)

theorem isNan_mul_left (a b : Fp f) (h : Eq a.isFinite true) (k : Eq a.isNonzero true) : Eq (mul mode a b).isNan b.isNan :=
  match a, b, h, k with
  | nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, _ => rfl
  | num _ g _, num _ h _, fin, pos => Bool.byCases (Nat.beq h f.inf)
    (fun yes => Eq.trans (congrArg isNan (Eq.trans (cond_of_true (Bool.or_of_true_right yes) _ _)
      (cond_of_false (Bool.or_of_false (Nat.beq_of_gt pos) (beq_zero_of_inf yes (k := g) fin)) _ _))) rfl)
    (fun no => Eq.trans (congrArg isNan (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fin) no) _ _)) rfl)

theorem isNan_mul_of_finite : (a b : Fp f) → Eq a.isFinite true → Eq b.isFinite true → Eq (mul mode a b).isNan false
  | nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, h, h' => congrArg isNan (cond_of_false (Bool.or_of_false (Nat.beq_of_lt h) (Nat.beq_of_lt h')) _ _)

theorem isNan_mul_self (fin : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (mul mode a a).isNan a.isNan
  | nan => rfl
  | num _ g _ => rows (Nat.beq g f.inf) (Nat.beq g 0) (fun yes => beq_zero_of_inf yes fin)
where
  rows {s t : Bool} {p q : Nat} (c d : Bool) (h : Eq c true → Eq d false) :
      Eq (cond (c.or c) (cond (d.or d) nan (inf (f := f) s)) (round mode t p q)).isNan false :=
    match c, d, h with
    | true, true, h => (Bool.true_ne_false (h rfl)).elim
    | true, false, _ => rfl
    | false, _, _ => rfl

/-! Quotients. -/

theorem isNan_div_right : (a b : Fp f) → Eq b.isFinite true → Eq b.isNonzero true → Eq (div mode a b).isNan a.isNan
  | nan, _, _, _ => rfl
  | num _ _ _, nan, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, fin, pos => isNan_cond_of_notNan (congrArg isNan (cond_of_false (Nat.beq_of_lt fin) _ _))
    (isNan_cond_of_notNan rfl (congrArg isNan (cond_of_false (Nat.beq_of_gt pos) _ _)))

theorem isNan_div_left : (a b : Fp f) → Eq a.isFinite true → Eq a.isNonzero true → Eq (div mode a b).isNan b.isNan
  | nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, _ => rfl
  | num _ _ _, num _ _ _, fin, pos => Eq.trans (congrArg isNan (cond_of_false (Nat.beq_of_lt fin) _ _))
    (isNan_cond_of_notNan rfl (isNan_cond_of_notNan (congrArg isNan (cond_of_false (Nat.beq_of_gt pos) _ _)) rfl))

/-! Fused products. -/

theorem isNan_fma_right : (a b c : Fp f) → Eq a.isFinite true → Eq b.isFinite true → Eq (fma mode a b c).isNan c.isNan
  | nan, _, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, _ => rfl
  | num s g _, num t h _, num r k _, fg, fh => Eq.trans
    (congrArg isNan (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fg) (Nat.beq_of_lt fh)) _ _))
    (isNan_cond_of_notNan rfl (isNan_roundSum (s.xor t) ((units f g).mul (units f h)) r ((units f k).mul f.one) f.one))

theorem isNan_fma_left : (a b c : Fp f) → Eq b.isFinite true → Eq c.isFinite true → Eq b.isNonzero true → Eq (fma mode a b c).isNan a.isNan
  | nan, _, _, _, _, _ => rfl
  | num _ _ _, nan, _, h, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h, _ => (Bool.false_ne_true h).elim
  | num s g _, num t h _, num r k _, fh, fk, pos => Bool.byCases (Nat.beq g f.inf)
    (fun yes => Eq.trans (congrArg isNan (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _) (Eq.trans
      (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes (k := h) fh) (Nat.beq_of_gt pos)) _ _)
      (cond_of_false (Bool.and_of_false_left (Nat.beq_of_lt fk)) _ _)))) rfl)
    (fun no => Eq.trans (congrArg isNan (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt fh)) _ _))
      (isNan_cond_of_notNan rfl (isNan_roundSum (s.xor t) ((units f g).mul (units f h)) r ((units f k).mul f.one) f.one)))

/-! Roots. -/

theorem isNan_sqrt : (a : Fp f) → Eq (sqrt mode a).isNan (a.isNan.or (lt a (zero false)))
  | nan => rfl
  | num s g h => Or.elim (Nat.eq_zero_or_pos g)
    (fun e => Eq.trans (congrArg isNan (cond_of_true (Nat.beq_of_eq e) _ _)) (Eq.symm (Nat.blt_of_le
      (Nat.le_of_eq (Eq.symm (Eq.trans (congrArg (rank f s) e) (Eq.trans (rank_zero f s) (Eq.symm (rank_zero f false)))))))))
    (fun pos => Eq.trans (congrArg isNan (cond_of_false (Nat.beq_of_gt pos) _ _))
      (signs s (Nat.sub_lt (Nat.lt_of_lt_of_le pos h) pos) (Nat.blt_of_le (Nat.le_add_right f.inf g))))
where
  /-- The root of a value that is no zero is NaN if it is negative. -/
  signs {g k : Nat} {c : Bool} {hg : Eq (Nat.ble g f.inf) true} {hk : Eq (Nat.ble k f.inf) true} : (s : Bool) →
      Eq (Nat.blt (rank f true g) (rank f false 0)) true → Eq (Nat.blt (rank f false g) (rank f false 0)) false →
      Eq (cond s nan (cond c (num s g hg) (num false k hk))).isNan (Nat.blt (rank f s g) (rank f false 0))
    | true, low, _ => Eq.symm low
    | false, _, high => Eq.trans (isNan_cond_of_notNan (c := c) (a := num false g hg) (b := num false k hk) rfl rfl) (Eq.symm high)

end Fp

namespace F32

variable {mode : Mode}

theorem isNan_add_self : (a : F32) → Eq (Fp.add mode a a).isNan a.isNan
  | .nan => rfl
  | .num s g hg => Fp.isNan_cond_of_notNan
    (Eq.trans (congrArg Fp.isNan (cond_of_false (Bool.and_of_false_right (Bool.xor_self s)) Fp.nan (Fp.num s g hg))) rfl)
    (Fp.isNan_cond_of_notNan rfl (Fp.isNan_roundSum s (Fp.units Format.binary32 g) s (Fp.units Format.binary32 g) 1))

theorem isNan_mul_self (a : F32) : Eq (Fp.mul mode a a).isNan a.isNan := Fp.isNan_mul_self (f := Format.binary32) rfl a

theorem isNan_sqrt (a : F32) : Eq (Fp.sqrt mode a).isNan (a.isNan.or (Fp.lt a (ofBits 0x00000000))) := Fp.isNan_sqrt a

theorem isNan_sqrt_of_nonneg (a : F32) (h : Eq (Fp.le (ofBits 0x00000000) a) true) : Eq (Fp.sqrt mode a).isNan false :=
  Eq.trans (Fp.isNan_sqrt a) (Bool.or_of_false (Fp.notNan_right_of_le (ofBits 0x00000000) a h) (Fp.lt_false_of_le a (ofBits 0x00000000) h))

end F32
