prelude
import FloatLib.Lemmas.SumSign
import FloatLib.Lemmas.IntegralOrder
import FloatLib.Lemmas.Bits
/-!
# More comparisons that are others

With the largest number, of a flushed value with zero, of an absolute value, of a rounded value with itself; patterns compared.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Opposites and absolute values. -/

theorem eq_neg_left (a b : Fp f) : Eq (eq a.neg b) (eq a b.neg) :=
  Eq.trans (congrArg (eq a.neg) (Eq.symm (neg_neg b))) (eq_neg_neg a b.neg)

theorem abs_eq (a b : Fp f) : Eq (eq a.abs b) (((le a b).and (le b.neg a)).and ((le b a).or (le a b.neg))) :=
  Eq.trans (eq_eq_and a.abs b) (congrArg2 Bool.and (abs_le a b) (le_abs a b))

theorem abs_add_neg_left (a b : Fp f) : Eq (abs (add .rn a.neg b)) (abs (add .rn a b.neg)) :=
  Eq.step (abs (add .rn a.neg b)) (congrArg (fun x => abs (add .rn a.neg x)) (Eq.symm (neg_neg b))) (
  Eq.step (abs (add .rn a.neg b.neg.neg)) (Eq.symm (abs_posZero _)) (
  Eq.step (abs (add .rn a.neg b.neg.neg).posZero) (congrArg abs (Eq.symm (posZero_neg_add a b.neg))) (
  Eq.step (abs (add .rn a b.neg).neg.posZero) (abs_posZero _) (
  Eq.step (abs (add .rn a b.neg).neg) (abs_neg _) (
  Eq.done (abs (add .rn a b.neg)))))))

theorem mul_self_add_neg_left (a b : Fp f) : Eq (mul mode (add .rn a.neg b) (add .rn a.neg b)) (mul mode (add .rn a b.neg) (add .rn a b.neg)) :=
  Eq.trans (Eq.symm (mul_abs_self (add .rn a.neg b))) (Eq.trans (congrArg2 (mul mode) (abs_add_neg_left a b) (abs_add_neg_left a b))
    (mul_abs_self (add .rn a b.neg)))

/-! The largest number, whose pattern is the one before infinity's. -/

theorem inf_le : (a : Fp f) → Eq (le (inf false) a) (eq a (inf false))
  | nan => rfl
  | num s g hg => Bool.eq_of_iff
      (fun h => Nat.beq_of_eq (Nat.le_antisymm (Nat.le_trans (rank_le s g) (Nat.add_le_add_left hg f.inf)) h))
      (fun e => Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ e)))

theorem largest_lt {m : Nat} {hm : Eq (Nat.ble m f.inf) true} (e : Eq m.succ f.inf) : (a : Fp f) → Eq (lt (num false m hm) a) (eq a (inf false))
  | nan => rfl
  | num s g hg => Eq.trans (congrArg (fun k => Nat.ble (f.inf.add k) (rank f s g)) e) (inf_le (num s g hg))

theorem le_largest {m : Nat} {hm : Eq (Nat.ble m f.inf) true} (e : Eq m.succ f.inf) : (a : Fp f) → Eq (le a (num false m hm)) (lt a (inf false))
  | nan => rfl
  | num s g _ => congrArg (fun k => Nat.blt (rank f s g) (f.inf.add k)) e

/-! Flushing: what is not zero after it is at least the smallest normal number. -/

theorem zero_lt_ftz {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} : (a : Fp f) → Eq (lt (zero false) a.ftz) (le (num false (Nat.pow 2 f.mant) m) a)
  | nan => rfl
  | num s g hg => Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
      (fun small => Eq.trans (congrArg (lt (zero false)) (ftz_of_small small))
        (Eq.trans (Nat.blt_of_le (Nat.le_of_eq (rank_zero f s))) (Eq.symm (Nat.ble_of_lt (rank_blt_larger small s false)))))
      (fun big => Eq.trans (congrArg (lt (zero false)) (ftz_of_big big)) (sign s hg big))
where
  sign {g : Nat} : (s : Bool) → (hg : Eq (Nat.ble g f.inf) true) → Nat.Le (Nat.pow 2 f.mant) g →
      Eq (Nat.blt f.inf (rank f s g)) (Nat.ble (f.inf.add (Nat.pow 2 f.mant)) (rank f s g))
    | false, _, big => Eq.trans (Nat.lt_add_of_pos f.inf (Nat.lt_of_lt_of_le (Nat.two_pow_pos f.mant) big)) (Eq.symm (Nat.add_le_add_left big f.inf))
    | true, _, _ => Eq.trans (Nat.blt_of_le (Nat.sub_le f.inf g)) (Eq.symm (Nat.ble_of_lt (Nat.lt_of_le_of_lt (Nat.sub_le f.inf g)
        (Nat.lt_add_of_pos f.inf (Nat.two_pow_pos f.mant)))))

theorem ftz_lt_zero {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} (a : Fp f) :
    Eq (lt a.ftz (zero false)) (le a (num true (Nat.pow 2 f.mant) m)) :=
  Eq.step (lt a.ftz (zero false)) (Eq.symm (lt_zero_zero a.ftz)) (
  Eq.step (lt a.ftz (zero true)) (lt_neg_right a.ftz (zero false)) (
  Eq.step (lt (zero false) a.ftz.neg) (congrArg (lt (zero false)) (Eq.symm (ftz_neg a))) (
  Eq.step (lt (zero false) a.neg.ftz) (zero_lt_ftz (m := m) a.neg) (
  Eq.step (le (num false (Nat.pow 2 f.mant) m) a.neg) (Eq.symm (le_neg_right a (num false (Nat.pow 2 f.mant) m))) (
  Eq.done (le a (num true (Nat.pow 2 f.mant) m)))))))

theorem ftz_le_zero {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} : (a : Fp f) → Eq (le a.ftz (zero false)) (lt a (num false (Nat.pow 2 f.mant) m))
  | nan => rfl
  | num s g hg => have notNan : Eq (isNan (num s g hg).ftz) false := isNan_ftz (num s g hg)
      Eq.trans (Eq.symm (not_lt (zero false) (num s g hg).ftz rfl notNan)) (Eq.trans (congrArg Bool.not (zero_lt_ftz (m := m) (num s g hg)))
        (not_le_num m hg))

theorem zero_le_ftz {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} : (a : Fp f) → Eq (le (zero false) a.ftz) (lt (num true (Nat.pow 2 f.mant) m) a)
  | nan => rfl
  | num s g hg => have notNan : Eq (isNan (num s g hg).ftz) false := isNan_ftz (num s g hg)
      Eq.trans (Eq.symm (not_lt (num s g hg).ftz (zero false) notNan rfl)) (Eq.trans (congrArg Bool.not (ftz_lt_zero (m := m) (num s g hg)))
        (not_le_num hg m))

theorem eq_ftz_zero {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} (a : Fp f) : Eq (eq a.ftz (zero false))
    ((lt a (num false (Nat.pow 2 f.mant) m)).and (lt (num true (Nat.pow 2 f.mant) m) a)) :=
  Eq.trans (eq_eq_and a.ftz (zero false)) (congrArg2 Bool.and (ftz_le_zero a) (zero_le_ftz a))

/-- Below the smallest normal number, flushing is multiplying by zero. -/
theorem ftz_eq_mul_zero {m : Eq (Nat.ble (Nat.pow 2 f.mant) f.inf) true} (low : Nat.Le (Nat.pow 2 f.mant) f.inf) : (a : Fp f) →
    Eq (lt a (num false (Nat.pow 2 f.mant) m)) true → Eq (lt (num true (Nat.pow 2 f.mant) m) a) true → Eq a.ftz (mul mode a (zero false))
  | nan, h, _ => (Bool.false_ne_true h).elim
  | num s g hg, h, h' =>
    have small : Nat.Lt g (Nat.pow 2 f.mant) := Nat.lt_of_not_le (fun big => Or.elim (sign s)
      (fun plus => Nat.not_lt_of_le (Nat.le_trans (Nat.add_le_add_left big f.inf) (Nat.le_of_eq (congrArg (fun b => rank f b g) (Eq.symm plus)))) h)
      (fun minus => Nat.not_lt_of_le (Nat.le_trans (Nat.le_of_eq (congrArg (fun b => rank f b g) minus)) (Nat.sub_le_sub_left f.inf big)) h'))
    Eq.trans (ftz_of_small small) (Eq.symm (Eq.trans (mul_zero_of_finite false s g hg (Nat.lt_of_lt_of_le small low)) (congrArg zero (Bool.xor_false s))))
where
  sign : (s : Bool) → Or (Eq s false) (Eq s true)
    | false => .inl rfl
    | true => .inr rfl

/-! A value rounded downward is not above itself. -/

theorem lt_floor (a : Fp f) : Eq (lt a (floor a)) false :=
  Bool.byCases a.isNan (fun yes => congrArg (fun x : Fp f => lt x (floor x)) (eq_nan_of_isNan a yes))
    (fun no => lt_false_of_le a (floor a) (Eq.trans (floor_le a) (congrArg Bool.not no)))

theorem ceil_lt (a : Fp f) : Eq (lt (ceil a) a) false :=
  Bool.byCases a.isNan (fun yes => congrArg (fun x : Fp f => lt (ceil x) x) (eq_nan_of_isNan a yes))
    (fun no => lt_false_of_le (ceil a) a (Eq.trans (le_ceil a) (congrArg Bool.not no)))

/-! Products with zero. -/

theorem isNan_mul_zero (t : Bool) : (a : Fp f) → Eq (mul mode a (zero t)).isNan a.isFinite.not
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (congrArg isNan (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _) (cond_of_true (Bool.or_of_true_right rfl) _ _)))
        (Eq.symm (congrArg Bool.not (Nat.blt_of_le (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes)))))))
      (fun no => Eq.trans (congrArg isNan (mul_zero_of_finite t s g hg (lt_inf_of_beq hg no))) (Eq.symm (congrArg Bool.not (lt_inf_of_beq hg no))))

theorem eq_mul_zero_zero (t : Bool) : (a : Fp f) → Eq (eq (mul mode a (zero t)) (zero false)) a.isFinite
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (congrArg (fun x => eq x (zero false)) (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
          (cond_of_true (Bool.or_of_true_right rfl) _ _)))
        (Eq.symm (Nat.blt_of_le (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))))
      (fun no => Eq.trans (congrArg (fun x => eq x (zero false)) (mul_zero_of_finite t s g hg (lt_inf_of_beq hg no)))
        (Eq.trans (Nat.beq_of_eq (Eq.trans (rank_zero f (s.xor t)) (Eq.symm (rank_zero f false)))) (Eq.symm (lt_inf_of_beq hg no))))

/-! Patterns. -/

theorem same_comm (a b : Fp f) : Eq (same a b) (same b a) := Nat.beq_comm _ _

theorem same_eq (mant : Nat.Lt 0 f.mant) (a b : Fp f) (k : Eq b.isNonzero true) : Eq (same a b) (eq a b) :=
  Bool.eq_of_iff
    (fun s => Eq.trans (congrArg (fun x => eq x b) (eq_of_same mant s)) (Eq.trans (eq_self b) (notNan b k)))
    (fun e => tie_cases a b e (fun ab => Eq.trans (congrArg (fun x => same x b) ab) (same_self b))
      (fun _ zb => Bool.not_both k (isNonzero_false_of_isZero b zb)))
where
  notNan : (b : Fp f) → Eq b.isNonzero true → Eq b.isNan.not true
    | nan, h => h
    | num _ _ _, _ => rfl

end Fp

namespace F32

variable {mode : Mode}

/-! Binary32: the constants are bit patterns. -/

theorem inf_le (a : F32) : Eq (Fp.le (ofBits 0x7f800000) a) (Fp.eq a (ofBits 0x7f800000)) := Fp.inf_le a

theorem le_negInf (a : F32) : Eq (Fp.le a (ofBits 0xff800000)) (Fp.eq a (ofBits 0xff800000)) :=
  Eq.step (Fp.le a (ofBits 0xff800000)) (Fp.le_neg_right a (ofBits 0x7f800000)) (
  Eq.step (Fp.le (ofBits 0x7f800000) a.neg) (Fp.inf_le a.neg) (
  Eq.step (Fp.eq a.neg (ofBits 0x7f800000)) (Fp.eq_neg_left a (ofBits 0x7f800000)) (
  Eq.done (Fp.eq a (ofBits 0xff800000)))))

theorem largest_lt (a : F32) : Eq (Fp.lt (ofBits 0x7f7fffff) a) (Fp.eq a (ofBits 0x7f800000)) :=
  Fp.largest_lt (f := Format.binary32) (m := 0x7f7fffff) (hm := rfl) rfl a

theorem le_largest (a : F32) : Eq (Fp.le a (ofBits 0x7f7fffff)) (Fp.lt a (ofBits 0x7f800000)) :=
  Fp.le_largest (f := Format.binary32) (m := 0x7f7fffff) (hm := rfl) rfl a

theorem lt_negLargest (a : F32) : Eq (Fp.lt a (ofBits 0xff7fffff)) (Fp.eq a (ofBits 0xff800000)) :=
  Eq.step (Fp.lt a (ofBits 0xff7fffff)) (Fp.lt_neg_right a (ofBits 0x7f7fffff)) (
  Eq.step (Fp.lt (ofBits 0x7f7fffff) a.neg) (largest_lt a.neg) (
  Eq.step (Fp.eq a.neg (ofBits 0x7f800000)) (Fp.eq_neg_left a (ofBits 0x7f800000)) (
  Eq.done (Fp.eq a (ofBits 0xff800000)))))

theorem negLargest_le (a : F32) : Eq (Fp.le (ofBits 0xff7fffff) a) (Fp.lt (ofBits 0xff800000) a) :=
  Eq.step (Fp.le (ofBits 0xff7fffff) a) (Fp.le_neg_left (ofBits 0x7f7fffff) a) (
  Eq.step (Fp.le a.neg (ofBits 0x7f7fffff)) (le_largest a.neg) (
  Eq.step (Fp.lt a.neg (ofBits 0x7f800000)) (Fp.lt_neg_left a (ofBits 0x7f800000)) (
  Eq.done (Fp.lt (ofBits 0xff800000) a))))

theorem zero_lt_ftz (a : F32) : Eq (Fp.lt (ofBits 0x00000000) a.ftz) (Fp.le (ofBits 0x00800000) a) := Fp.zero_lt_ftz (m := minNormal_valid) a

theorem ftz_lt_zero (a : F32) : Eq (Fp.lt a.ftz (ofBits 0x00000000)) (Fp.le a (ofBits 0x80800000)) := Fp.ftz_lt_zero (m := minNormal_valid) a

theorem zero_le_ftz (a : F32) : Eq (Fp.le (ofBits 0x00000000) a.ftz) (Fp.lt (ofBits 0x80800000) a) := Fp.zero_le_ftz (m := minNormal_valid) a

theorem ftz_le_zero (a : F32) : Eq (Fp.le a.ftz (ofBits 0x00000000)) (Fp.lt a (ofBits 0x00800000)) := Fp.ftz_le_zero (m := minNormal_valid) a

theorem eq_ftz_zero (a : F32) :
    Eq (Fp.eq a.ftz (ofBits 0x00000000)) ((Fp.lt a (ofBits 0x00800000)).and (Fp.lt (ofBits 0x80800000) a)) := Fp.eq_ftz_zero (m := minNormal_valid) a

theorem ftz_eq_mul_zero (a : F32) (h : Eq (Fp.lt a (ofBits 0x00800000)) true) (h' : Eq (Fp.lt (ofBits 0x80800000) a) true) :
    Eq a.ftz (Fp.mul .rn a (ofBits 0x00000000)) := Fp.ftz_eq_mul_zero (m := minNormal_valid) minNormal_valid a h h'

theorem isNan_mul_zero (a : F32) : Eq (Fp.mul mode a (ofBits 0x00000000)).isNan a.isFinite.not :=
  Fp.isNan_mul_zero false a

theorem eq_mul_zero_zero (a : F32) : Eq (Fp.eq (Fp.mul mode a (ofBits 0x00000000)) (ofBits 0x00000000)) a.isFinite :=
  Fp.eq_mul_zero_zero false a

theorem same_eq (a b : F32) (k : Eq b.isNonzero true) : Eq (Fp.same a b) (Fp.eq a b) := Fp.same_eq (f := Format.binary32) rfl a b k

/-! The sign of a sum that may be NaN. -/

theorem zero_le_add_eq (a b : F32) : Eq (Fp.le (ofBits 0x00000000) (Fp.add .rn a b)) ((Fp.add .rn a b).isNan.not.and (Fp.le b.neg a)) :=
  Bool.byCases (Fp.add .rn a b).isNan
    (fun yes => Eq.trans (congrArg (Fp.le (ofBits 0x00000000)) (Fp.eq_nan_of_isNan _ yes)) (Eq.symm (Bool.and_of_false_left (congrArg Bool.not yes))))
    (fun no => Eq.trans (zero_le_add a b no) (Eq.symm (congrArg (fun c => (Bool.not c).and (Fp.le b.neg a)) no)))

theorem add_le_zero_eq (a b : F32) : Eq (Fp.le (Fp.add .rn a b) (ofBits 0x00000000)) ((Fp.add .rn a b).isNan.not.and (Fp.le a b.neg)) :=
  Bool.byCases (Fp.add .rn a b).isNan
    (fun yes => Eq.trans (congrArg (fun x => Fp.le x (ofBits 0x00000000)) (Fp.eq_nan_of_isNan _ yes)) (Eq.symm (Bool.and_of_false_left (congrArg Bool.not yes))))
    (fun no => Eq.trans (add_le_zero a b no) (Eq.symm (congrArg (fun c => (Bool.not c).and (Fp.le a b.neg)) no)))

theorem add_eq_zero_eq (a b : F32) : Eq (Fp.eq (Fp.add .rn a b) (ofBits 0x00000000)) ((Fp.add .rn a b).isNan.not.and (Fp.eq a b.neg)) :=
  Bool.byCases (Fp.add .rn a b).isNan
    (fun yes => Eq.trans (congrArg (fun x => Fp.eq x (ofBits 0x00000000)) (Fp.eq_nan_of_isNan _ yes)) (Eq.symm (Bool.and_of_false_left (congrArg Bool.not yes))))
    (fun no => Eq.trans (add_eq_zero a b no) (Eq.symm (congrArg (fun c => (Bool.not c).and (Fp.eq a b.neg)) no)))

end F32
