prelude
import FloatLib.Lemmas.Order
import FloatLib.Lemmas.Nat.Pow2
/-!
# Flushing subnormals to zero

A comparison with a value that is not subnormal does not see a flush; a choice between flushed values is flushed.
-/

noncomputable section
namespace Fp

variable {f : Format}

theorem ftz_zero (s : Bool) : Eq (zero s : Fp f).ftz (zero s) := cond_same (zero s) (Nat.blt 0 (Nat.pow 2 f.mant))

theorem ftz_of_small {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (small : Nat.Lt g (Nat.pow 2 f.mant)) :
    Eq (num s g h).ftz (zero s) := cond_of_true small _ _

theorem ftz_of_big {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (big : Nat.Le (Nat.pow 2 f.mant) g) :
    Eq (num s g h).ftz (num s g h) := cond_of_false (Nat.blt_of_le big) _ _

/-- What holds of a zero in place of each subnormal, and of the value itself, holds of the value flushed. -/
theorem ftz_cases {C : Fp f → Prop} {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true}
    (small : Nat.Lt g (Nat.pow 2 f.mant) → C (zero s)) (big : C (num s g h)) : C (num s g h).ftz :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun l => Eq.subst (motive := C) (Eq.symm (ftz_of_small l)) (small l))
    (fun b => Eq.subst (motive := C) (Eq.symm (ftz_of_big b)) big)

theorem ftz_ftz : (a : Fp f) → Eq a.ftz.ftz a.ftz
  | nan => rfl
  | num s g _ => Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun l => Eq.trans (congrArg ftz (ftz_of_small l)) (Eq.trans (ftz_zero s) (Eq.symm (ftz_of_small l))))
    (fun b => congrArg ftz (ftz_of_big b))

theorem ftz_neg : (a : Fp f) → Eq a.neg.ftz a.ftz.neg
  | nan => rfl
  | num s g h => Eq.symm (apply_cond neg (zero s) (num s g h) (Nat.blt g (Nat.pow 2 f.mant)))

theorem ftz_abs : (a : Fp f) → Eq a.abs.ftz a.ftz.abs
  | nan => rfl
  | num s g h => Eq.symm (apply_cond abs (zero s) (num s g h) (Nat.blt g (Nat.pow 2 f.mant)))

/-! Comparisons with a value that is not subnormal. -/

theorem ftz_lt : (a b : Fp f) → Eq b.isBig true → Eq (lt a.ftz b) (lt a b)
  | nan, _, _ => rfl
  | num _ _ _, nan, k => (Bool.false_ne_true k).elim
  | num s g hg, num t h hh, k => ftz_cases (C := fun x => Eq (lt x (num t h hh)) (lt (num s g hg) (num t h hh)))
    (fun l =>
      have less : Nat.Lt g h := Nat.lt_of_lt_of_le l k
      Eq.trans (rank_blt_larger (Nat.pos_of_lt less) s t) (Eq.symm (rank_blt_larger less s t)))
    rfl

theorem lt_ftz : (a b : Fp f) → Eq b.isBig true → Eq (lt b a.ftz) (lt b a)
  | nan, _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num s g hg, num t h hh, k => ftz_cases (C := fun x => Eq (lt (num t h hh) x) (lt (num t h hh) (num s g hg)))
    (fun l =>
      have less : Nat.Lt g h := Nat.lt_of_lt_of_le l k
      Eq.trans (larger_blt_rank hh (Nat.pos_of_lt less) s t) (Eq.symm (larger_blt_rank hh less s t)))
    rfl

theorem ftz_le : (a b : Fp f) → Eq b.isBig true → Eq (le a.ftz b) (le a b)
  | nan, _, _ => rfl
  | num _ _ _, nan, k => (Bool.false_ne_true k).elim
  | num s g hg, num t h hh, k => ftz_cases (C := fun x => Eq (le x (num t h hh)) (le (num s g hg) (num t h hh)))
    (fun l =>
      have less : Nat.Lt g h := Nat.lt_of_lt_of_le l k
      Eq.step (Nat.ble (rank f s 0) (rank f t h)) (Eq.symm (Nat.not_blt (rank f t h) (rank f s 0))) (
      Eq.step (Nat.blt (rank f t h) (rank f s 0)).not (congrArg Bool.not
        (Eq.trans (larger_blt_rank hh (Nat.pos_of_lt less) s t) (Eq.symm (larger_blt_rank hh less s t)))) (
      Eq.step (Nat.blt (rank f t h) (rank f s g)).not (Nat.not_blt (rank f t h) (rank f s g)) (
      Eq.done (Nat.ble (rank f s g) (rank f t h))))))
    rfl

theorem le_ftz : (a b : Fp f) → Eq b.isBig true → Eq (le b a.ftz) (le b a)
  | nan, _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num s g hg, num t h hh, k => ftz_cases (C := fun x => Eq (le (num t h hh) x) (le (num t h hh) (num s g hg)))
    (fun l =>
      have less : Nat.Lt g h := Nat.lt_of_lt_of_le l k
      Eq.step (Nat.ble (rank f t h) (rank f s 0)) (Eq.symm (Nat.not_blt (rank f s 0) (rank f t h))) (
      Eq.step (Nat.blt (rank f s 0) (rank f t h)).not (congrArg Bool.not
        (Eq.trans (rank_blt_larger (Nat.pos_of_lt less) s t) (Eq.symm (rank_blt_larger less s t)))) (
      Eq.step (Nat.blt (rank f s g) (rank f t h)).not (Nat.not_blt (rank f s g) (rank f t h)) (
      Eq.done (Nat.ble (rank f t h) (rank f s g))))))
    rfl

theorem ftz_eq (a b : Fp f) (k : Eq b.isBig true) : Eq (eq a.ftz b) (eq a b) :=
  Eq.step (eq a.ftz b) (eq_eq_and a.ftz b) (
  Eq.step ((le a.ftz b).and (le b a.ftz)) (congrArg2 Bool.and (ftz_le a b k) (le_ftz a b k)) (
  Eq.step ((le a b).and (le b a)) (Eq.symm (eq_eq_and a b)) (
  Eq.done (eq a b))))

theorem eq_ftz (a b : Fp f) (k : Eq b.isBig true) : Eq (eq b a.ftz) (eq b a) :=
  Eq.trans (eq_comm b a.ftz) (Eq.trans (ftz_eq a b k) (eq_comm a b))

/-! Values beyond the smallest normal numbers are not flushed. -/

theorem ftz_of_pos {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} :
    (a : Fp f) → Eq (le (num false (Nat.pow 2 f.mant) m) a) true → Eq a.ftz a
  | nan, h => (Bool.false_ne_true h).elim
  | num s g _, h => Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun l => absurd h (Nat.not_le_of_lt (rank_blt_larger l s false))) ftz_of_big

theorem ftz_of_neg {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} :
    (a : Fp f) → Eq (le a (num true (Nat.pow 2 f.mant) m)) true → Eq a.ftz a
  | nan, h => (Bool.false_ne_true h).elim
  | num s g _, h => Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun l => absurd h (Nat.not_le_of_lt (larger_blt_rank m l s true))) ftz_of_big

/-! Choices. -/

theorem ftz_cond (a b : Fp f) (p : Bool) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (cond p a b).ftz (cond p a b) :=
  match p with
  | true => ha
  | false => hb

theorem ftz_lower (a b : Fp f) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (lower a b).ftz (lower a b) :=
  ftz_cond a _ (lt a b) ha (ftz_cond b _ (lt b a) hb (ftz_cond a b a.isNeg ha hb))

theorem ftz_upper (a b : Fp f) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (upper a b).ftz (upper a b) :=
  ftz_cond a _ (lt b a) ha (ftz_cond b _ (lt a b) hb (ftz_cond b a a.isNeg hb ha))

theorem ftz_minNum (a b : Fp f) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (minNum a b).ftz (minNum a b) :=
  ftz_cond b _ a.isNan hb (ftz_cond a _ b.isNan ha (ftz_lower a b ha hb))

theorem ftz_maxNum (a b : Fp f) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (maxNum a b).ftz (maxNum a b) :=
  ftz_cond b _ a.isNan hb (ftz_cond a _ b.isNan ha (ftz_upper a b ha hb))

theorem ftz_minNan (a b : Fp f) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (minNan a b).ftz (minNan a b) :=
  ftz_cond nan _ (unordered a b) rfl (ftz_lower a b ha hb)

theorem ftz_maxNan (a b : Fp f) (ha : Eq a.ftz a) (hb : Eq b.ftz b) : Eq (maxNan a b).ftz (maxNan a b) :=
  ftz_cond nan _ (unordered a b) rfl (ftz_upper a b ha hb)

end Fp
