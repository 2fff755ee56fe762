prelude
import FloatLib.Lemmas.Between
import FloatLib.Lemmas.Bits
import FloatLib.Lemmas.Compare
import FloatLib.Lemmas.Flush
import FloatLib.Lemmas.MinMax
import FloatLib.Lemmas.Pin
import FloatLib.Lemmas.SqrtLe
/-!
# Between two ends: roots, choices, and what two intervals decide

The rest of `Lemmas/Between.lean`: operations that keep or turn the order without rounding (and the root), comparisons of two such values,
and that their patterns differ.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- Flushing keeps the order. -/
theorem ftz_le_ftz : (a b : Fp f) → Eq (le a b) true → Eq (le a.ftz b.ftz) true
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, e => Or.elim (Nat.lt_or_ge h (Nat.pow 2 f.mant))
    (fun small => Eq.trans (congrArg (le (num s g hg).ftz) (ftz_of_small small)) (Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
      (fun l => Eq.trans (congrArg (fun x => le x (zero t)) (ftz_of_small l)) (Nat.le_of_eq (Eq.trans (rank_zero f s) (Eq.symm (rank_zero f t)))))
      (fun big => Eq.trans (congrArg (fun x => le x (zero t)) (ftz_of_big big)) (low g s t (Nat.lt_of_lt_of_le small big) e))))
    (fun big => Eq.trans (congrArg (le (num s g hg).ftz) (ftz_of_big big)) (Eq.trans (ftz_le (num s g hg) (num t h hh) big) e))
where
  /-- A smaller magnitude on the right is as good as zero. -/
  low {h : Nat} (g : Nat) (s t : Bool) (less : Nat.Lt h g) (e : Nat.Le (rank f s g) (rank f t h)) : Nat.Le (rank f s g) (rank f t 0) :=
    Eq.step (Nat.ble (rank f s g) (rank f t 0)) (Eq.symm (Nat.not_blt (rank f t 0) (rank f s g))) (
    Eq.step (Nat.blt (rank f t 0) (rank f s g)).not (congrArg Bool.not
      (Eq.trans (rank_blt_larger (Nat.pos_of_lt less) t s) (Eq.symm (rank_blt_larger less t s)))) (
    Eq.step (Nat.blt (rank f t h) (rank f s g)).not (Nat.not_blt (rank f t h) (rank f s g)) e))

/-- A fused sum with a product that is NaN is NaN, whatever is added. -/
theorem fma_of_invalid : (a b c : Fp f) → Eq (mul .rn a b).isNan true → Eq (fma .rn a b c) nan
  | nan, _, _, _ => rfl
  | num _ _ _, nan, _, _ => rfl
  | num _ _ _, num _ _ _, nan, _ => rfl
  | num _ g _, num _ h _, num _ _ _, e => Bool.byCases ((Nat.beq g f.inf).or (Nat.beq h f.inf))
    (fun inf => Bool.byCases ((Nat.beq g 0).or (Nat.beq h 0))
      (fun zero => Eq.trans (cond_of_true inf _ _) (cond_of_true zero _ _))
      (fun no => Bool.not_both e (congrArg isNan (Eq.trans (cond_of_true inf _ _) (cond_of_false no _ _)))))
    (fun no => Bool.not_both e (congrArg isNan (cond_of_false no _ _)))

end Fp

namespace F32

/-! Roots, absolute values, minima and maxima, flushing, choices. -/

theorem within_sqrt (a b l h x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (k : Eq (Fp.sqrtEnds a b l h) true) :
    Eq (Bool.and (Fp.le l (Fp.sqrt .rn x)) (Fp.le (Fp.sqrt .rn x) h)) true :=
  have nonneg : Eq (Fp.le (F32.ofBits 0x00000000) a) true := Bool.and_eq_true_left k
  have x₁ := Bool.and_eq_true_left hx
  Bool.and_of_true
    (Fp.le_trans l _ _ (Bool.and_eq_true_left (Bool.and_eq_true_right k)) (sqrt_le_sqrt a x x₁ nonneg))
    (Fp.le_trans _ _ h (sqrt_le_sqrt x b (Bool.and_eq_true_right hx) (Fp.le_trans _ a x nonneg x₁)) (Bool.and_eq_true_right (Bool.and_eq_true_right k)))

theorem within_abs (a b l h x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (k : Eq (Fp.absEnds a b l h) true) :
    Eq (Bool.and (Fp.le l (Fp.abs x)) (Fp.le (Fp.abs x) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have x₂ := Bool.and_eq_true_right hx
  have top := Bool.and_eq_true_right k
  Bool.and_of_true
    (Or.elim (Bool.or_eq_true (Bool.and_eq_true_left k))
      (fun zero => Fp.le_trans l (F32.ofBits 0x00000000) _ zero (zero_le_abs x (Fp.notNan_right_of_le a x x₁)))
      (fun k => Eq.trans (Fp.le_abs x l) (Or.elim (Bool.or_eq_true k)
        (fun k => Bool.or_of_true_left (Fp.le_trans l a x k x₁))
        (fun k => Bool.or_of_true_right (Fp.le_trans x b l.neg x₂ k)))))
    (Eq.trans (Fp.abs_le x h) (Bool.and_of_true (Fp.le_trans x b h x₂ (Bool.and_eq_true_left top))
      (Fp.le_trans h.neg a x (Bool.and_eq_true_right top) x₁)))

theorem within_minNum (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.minEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.minNum x y)) (Fp.le (Fp.minNum x y) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have y₁ := Bool.and_eq_true_left hy
  have low := Bool.and_eq_true_left k
  Bool.and_of_true
    (Fp.le_minNum x y l (Fp.le_trans l a x (Bool.and_eq_true_left low) x₁) (Fp.le_trans l c y (Bool.and_eq_true_right low) y₁))
    (Or.elim (Bool.or_eq_true (Bool.and_eq_true_right k))
      (fun k => Fp.le_trans _ x h (Fp.minNum_le_left x y (Fp.notNan_right_of_le a x x₁)) (Fp.le_trans x b h (Bool.and_eq_true_right hx) k))
      (fun k => Fp.le_trans _ y h (Fp.minNum_le_right x y (Fp.notNan_right_of_le c y y₁)) (Fp.le_trans y d h (Bool.and_eq_true_right hy) k)))

theorem within_maxNum (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.maxEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.maxNum x y)) (Fp.le (Fp.maxNum x y) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have y₁ := Bool.and_eq_true_left hy
  have top := Bool.and_eq_true_right k
  Bool.and_of_true
    (Or.elim (Bool.or_eq_true (Bool.and_eq_true_left k))
      (fun k => Fp.le_trans l x _ (Fp.le_trans l a x k x₁) (Fp.le_maxNum_left x y (Fp.notNan_right_of_le a x x₁)))
      (fun k => Fp.le_trans l y _ (Fp.le_trans l c y k y₁) (Fp.le_maxNum_right x y (Fp.notNan_right_of_le c y y₁))))
    (Fp.maxNum_le x y h (Fp.le_trans x b h (Bool.and_eq_true_right hx) (Bool.and_eq_true_left top))
      (Fp.le_trans y d h (Bool.and_eq_true_right hy) (Bool.and_eq_true_right top)))

theorem within_minNan (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.minEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.minNan x y)) (Fp.le (Fp.minNan x y) h)) true :=
  within_of_eq l h _ _ (Fp.minNan_of_notNan x y (Fp.notNan_right_of_le a x (Bool.and_eq_true_left hx)) (Fp.notNan_right_of_le c y (Bool.and_eq_true_left hy)))
    (within_minNum a b c d l h x y hx hy k)

theorem within_maxNan (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.maxEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.maxNan x y)) (Fp.le (Fp.maxNan x y) h)) true :=
  within_of_eq l h _ _ (Fp.maxNan_of_notNan x y (Fp.notNan_right_of_le a x (Bool.and_eq_true_left hx)) (Fp.notNan_right_of_le c y (Bool.and_eq_true_left hy)))
    (within_maxNum a b c d l h x y hx hy k)

theorem within_ftz (a b l h x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (k : Eq (Fp.ftzEnds a b l h) true) :
    Eq (Bool.and (Fp.le l (Fp.ftz x)) (Fp.le (Fp.ftz x) h)) true :=
  Bool.and_of_true (Fp.le_trans l a.ftz x.ftz (Bool.and_eq_true_left k) (Fp.ftz_le_ftz a x (Bool.and_eq_true_left hx)))
    (Fp.le_trans x.ftz b.ftz h (Fp.ftz_le_ftz x b (Bool.and_eq_true_right hx)) (Bool.and_eq_true_right k))

theorem within_posZero (a b x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) :
    Eq (Bool.and (Fp.le a (Fp.posZero x)) (Fp.le (Fp.posZero x) b)) true :=
  Bool.and_of_true (Eq.trans (Fp.le_posZero a x) (Bool.and_eq_true_left hx)) (Eq.trans (Fp.posZero_le x b) (Bool.and_eq_true_right hx))

theorem within_cond (l h : F32) (p : Bool) (x y : F32) (hx : Eq (Bool.and (Fp.le l x) (Fp.le x h)) true) (hy : Eq (Bool.and (Fp.le l y) (Fp.le y h)) true) :
    Eq (Bool.and (Fp.le l (cond p x y)) (Fp.le (cond p x y) h)) true :=
  Bool.byCases p
    (fun yes => within_of_eq l h _ x (cond_of_true yes x y) hx)
    (fun no => within_of_eq l h _ y (cond_of_false no x y) hy)

/-! What two intervals decide. -/

/-- Between a constant that is no zero and itself there is only it. -/
theorem eq_of_within (c x : F32) (hx : Eq (Bool.and (Fp.le c x) (Fp.le x c)) true) (k : Eq (Fp.isNonzero c) true) : Eq x c :=
  Fp.eq_of_le_of_le x c (Bool.and_eq_true_right hx) (Bool.and_eq_true_left hx) k

theorem notNan_of_within (a b x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) : Eq (Fp.isNan x) false :=
  Fp.notNan_right_of_le a x (Bool.and_eq_true_left hx)

theorem lt_of_within (a b c d x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.lt b c) true) : Eq (Fp.lt x y) true :=
  Fp.lt_of_lt_of_le x c y (Fp.lt_of_le_of_lt x b c (Bool.and_eq_true_right hx) k) (Bool.and_eq_true_left hy)

theorem le_of_within (a b c d x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.le b c) true) : Eq (Fp.le x y) true :=
  Fp.le_trans x c y (Fp.le_trans x b c (Bool.and_eq_true_right hx) k) (Bool.and_eq_true_left hy)

theorem not_lt_of_within (a b c d x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.le d a) true) : Eq (Fp.lt x y) false := Fp.lt_false_of_le x y (le_of_within c d a b y x hy hx k)

theorem not_le_of_within (a b c d x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.lt d a) true) : Eq (Fp.le x y) false := Fp.le_false_of_lt x y (lt_of_within c d a b y x hy hx k)

theorem not_eq_of_within (a b c d x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.apart a b c d) true) : Eq (Fp.eq x y) false :=
  Or.elim (Bool.or_eq_true k)
    (fun k => Fp.eq_false_of_lt x y (lt_of_within a b c d x y hx hy k))
    (fun k => Fp.eq_false_of_gt x y (lt_of_within c d a b y x hy hx k))

/-- Values in intervals apart have different patterns. -/
theorem not_same_of_within (a b c d x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.apart a b c d) true) : Eq (Fp.same x y) false :=
  Bool.eq_false_of_ne_true (fun yes => Bool.not_both
    (Eq.trans (congrArg (Fp.eq x) (Eq.symm (eq_of_same yes))) (Eq.trans (Fp.eq_self x) (Bool.not_of_false (notNan_of_within a b x hx))))
    (not_eq_of_within a b c d x y hx hy k))

/-- A number is not NaN. -/
theorem not_same_nan (a b x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Fp.isNan y) true) : Eq (Fp.same x y) false :=
  Bool.eq_false_of_ne_true (fun yes => Bool.not_both hy (Eq.trans (congrArg Fp.isNan (Eq.symm (eq_of_same yes))) (notNan_of_within a b x hx)))

theorem nan_not_same (a b x y : F32) (hy : Eq (Bool.and (Fp.le a y) (Fp.le y b)) true) (hx : Eq (Fp.isNan x) true) : Eq (Fp.same x y) false :=
  Bool.eq_false_of_ne_true (fun yes => Bool.not_both (Eq.trans (congrArg Fp.isNan (Eq.symm (eq_of_same yes))) hx) (notNan_of_within a b y hy))

/-- A flushed value is never subnormal. -/
theorem ftz_not_same (c d x y : F32) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true) (k : Eq (Fp.tinyEnds c d) true) :
    Eq (Fp.same (Fp.ftz x) y) false :=
  have nonzero := notZero_of_inside c y d (Bool.and_eq_true_left hy) (Bool.and_eq_true_right hy) (Bool.and_eq_true_left k)
  have zero := within_ftz c d (F32.ofBits 0x00000000) (F32.ofBits 0x00000000) y hy (Bool.and_eq_true_right k)
  Bool.eq_false_of_ne_true (fun yes =>
    have e : Eq x.ftz y := eq_of_same yes
    have kept : Eq y.ftz y := Eq.trans (congrArg Fp.ftz (Eq.symm e)) (Eq.trans (Fp.ftz_ftz x) e)
    Bool.not_both
      (Eq.trans (congrArg (fun t => Fp.eq t (F32.ofBits 0x00000000)) (Eq.symm kept))
        (Fp.eq_of_le_le y.ftz (F32.ofBits 0x00000000) (Bool.and_eq_true_right zero) (Bool.and_eq_true_left zero)))
      nonzero)

theorem ftz_not_eq (c d x y : F32) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true) (k : Eq (Fp.tinyEnds c d) true) :
    Eq (Fp.eq (Fp.ftz x) y) false :=
  have zero : Eq y.isZero false :=
    Eq.trans (isZero_eq y) (notZero_of_inside c y d (Bool.and_eq_true_left hy) (Bool.and_eq_true_right hy) (Bool.and_eq_true_left k))
  have nonzero : Eq y.isNonzero true := Fp.isNonzero_of_notZero y (notNan_of_within c d y hy) zero
  Bool.eq_false_of_ne_true (fun yes => Bool.not_both
    (Eq.trans (congrArg (fun t => Fp.same t y) (Fp.eq_of_le_of_le x.ftz y (Fp.le_of_eq x.ftz y yes) (Fp.ge_of_eq x.ftz y yes) nonzero)) (Fp.same_self y))
    (ftz_not_same c d x y hy k))

end F32
