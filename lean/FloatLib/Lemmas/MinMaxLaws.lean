prelude
import FloatLib.Lemmas.Place
import FloatLib.Lemmas.Nan
import FloatLib.Lemmas.ZeroSign
/-!
# Laws of minima and maxima

Nested minima have one normal form, NaN and the signs of zeros included; the opposite of a minimum is the maximum of the opposites.
Laws that mix minimum and maximum need numbers, because each of the two ignores NaN on its own.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! Nested. -/

theorem minNum_assoc (a b c : Fp f) : Eq (minNum (minNum a b) c) (minNum a (minNum b c)) := (minNum_picks f).assoc a b c

theorem minNum_left_comm (a b c : Fp f) : Eq (minNum a (minNum b c)) (minNum b (minNum a c)) := (minNum_picks f).left_comm minNum_comm a b c

theorem minNum_left_self (a b : Fp f) : Eq (minNum a (minNum a b)) (minNum a b) := (minNum_picks f).left_self a b

theorem minNum_right_self (a b : Fp f) : Eq (minNum a (minNum b a)) (minNum b a) := (minNum_picks f).right_self a b

theorem minNum_self_left (a b : Fp f) : Eq (minNum (minNum a b) a) (minNum a b) := Eq.trans (minNum_comm (minNum a b) a) (minNum_left_self a b)

theorem minNum_self_right (a b : Fp f) : Eq (minNum (minNum a b) b) (minNum a b) := Eq.trans (minNum_comm (minNum a b) b) (minNum_right_self b a)

theorem maxNum_assoc (a b c : Fp f) : Eq (maxNum (maxNum a b) c) (maxNum a (maxNum b c)) := (maxNum_picks f).assoc a b c

theorem maxNum_left_comm (a b c : Fp f) : Eq (maxNum a (maxNum b c)) (maxNum b (maxNum a c)) := (maxNum_picks f).left_comm maxNum_comm a b c

theorem maxNum_left_self (a b : Fp f) : Eq (maxNum a (maxNum a b)) (maxNum a b) := (maxNum_picks f).left_self a b

theorem maxNum_right_self (a b : Fp f) : Eq (maxNum a (maxNum b a)) (maxNum b a) := (maxNum_picks f).right_self a b

theorem maxNum_self_left (a b : Fp f) : Eq (maxNum (maxNum a b) a) (maxNum a b) := Eq.trans (maxNum_comm (maxNum a b) a) (maxNum_left_self a b)

theorem maxNum_self_right (a b : Fp f) : Eq (maxNum (maxNum a b) b) (maxNum a b) := Eq.trans (maxNum_comm (maxNum a b) b) (maxNum_right_self b a)

theorem minNan_assoc (a b c : Fp f) : Eq (minNan (minNan a b) c) (minNan a (minNan b c)) := (minNan_picks f).assoc a b c

theorem minNan_left_comm (a b c : Fp f) : Eq (minNan a (minNan b c)) (minNan b (minNan a c)) := (minNan_picks f).left_comm minNan_comm a b c

theorem minNan_left_self (a b : Fp f) : Eq (minNan a (minNan a b)) (minNan a b) := (minNan_picks f).left_self a b

theorem minNan_right_self (a b : Fp f) : Eq (minNan a (minNan b a)) (minNan b a) := (minNan_picks f).right_self a b

theorem minNan_self_left (a b : Fp f) : Eq (minNan (minNan a b) a) (minNan a b) := Eq.trans (minNan_comm (minNan a b) a) (minNan_left_self a b)

theorem minNan_self_right (a b : Fp f) : Eq (minNan (minNan a b) b) (minNan a b) := Eq.trans (minNan_comm (minNan a b) b) (minNan_right_self b a)

theorem maxNan_assoc (a b c : Fp f) : Eq (maxNan (maxNan a b) c) (maxNan a (maxNan b c)) := (maxNan_picks f).assoc a b c

theorem maxNan_left_comm (a b c : Fp f) : Eq (maxNan a (maxNan b c)) (maxNan b (maxNan a c)) := (maxNan_picks f).left_comm maxNan_comm a b c

theorem maxNan_left_self (a b : Fp f) : Eq (maxNan a (maxNan a b)) (maxNan a b) := (maxNan_picks f).left_self a b

theorem maxNan_right_self (a b : Fp f) : Eq (maxNan a (maxNan b a)) (maxNan b a) := (maxNan_picks f).right_self a b

theorem maxNan_self_left (a b : Fp f) : Eq (maxNan (maxNan a b) a) (maxNan a b) := Eq.trans (maxNan_comm (maxNan a b) a) (maxNan_left_self a b)

theorem maxNan_self_right (a b : Fp f) : Eq (maxNan (maxNan a b) b) (maxNan a b) := Eq.trans (maxNan_comm (maxNan a b) b) (maxNan_right_self b a)

/-! Opposites. -/

theorem neg_minNum : (a b : Fp f) → Eq (minNum a b).neg (maxNum a.neg b.neg)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg neg (lower_of_place e)) (Eq.symm (upper_of_place (place_le_neg e))))
    (fun e => Eq.trans (congrArg neg (lower_of_place' e)) (Eq.symm (upper_of_place' (place_le_neg e))))

theorem neg_minNan : (a b : Fp f) → Eq (minNan a b).neg (maxNan a.neg b.neg)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => neg_minNum (num s g hg) (num t h hh)

theorem neg_maxNum (a b : Fp f) : Eq (maxNum a b).neg (minNum a.neg b.neg) :=
  Eq.trans (congrArg neg (congrArg2 maxNum (Eq.symm (neg_neg a)) (Eq.symm (neg_neg b))))
    (Eq.trans (congrArg neg (Eq.symm (neg_minNum a.neg b.neg))) (neg_neg (minNum a.neg b.neg)))

theorem neg_maxNan (a b : Fp f) : Eq (maxNan a b).neg (minNan a.neg b.neg) :=
  Eq.trans (congrArg neg (congrArg2 maxNan (Eq.symm (neg_neg a)) (Eq.symm (neg_neg b))))
    (Eq.trans (congrArg neg (Eq.symm (neg_minNan a.neg b.neg))) (neg_neg (minNan a.neg b.neg)))

/-! NaN. -/

theorem isNan_lower : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (lower a b).isNan false
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _, _ => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => congrArg isNan (lower_of_place e)) (fun e => congrArg isNan (lower_of_place' e))

theorem isNan_minNum : (a b : Fp f) → Eq (minNum a b).isNan (a.isNan.and b.isNan)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => isNan_lower (num s g hg) (num t h hh) rfl rfl

theorem isNan_minNan : (a b : Fp f) → Eq (minNan a b).isNan (a.isNan.or b.isNan)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => isNan_lower (num s g hg) (num t h hh) rfl rfl

theorem isNan_maxNum (a b : Fp f) : Eq (maxNum a b).isNan (a.isNan.and b.isNan) :=
  Eq.trans (Eq.symm (isNan_neg (maxNum a b))) (Eq.trans (congrArg isNan (neg_maxNum a b))
    (Eq.trans (isNan_minNum a.neg b.neg) (congrArg2 Bool.and (isNan_neg a) (isNan_neg b))))

theorem isNan_maxNan (a b : Fp f) : Eq (maxNan a b).isNan (a.isNan.or b.isNan) :=
  Eq.trans (Eq.symm (isNan_neg (maxNan a b))) (Eq.trans (congrArg isNan (neg_maxNan a b))
    (Eq.trans (isNan_minNan a.neg b.neg) (congrArg2 Bool.or (isNan_neg a) (isNan_neg b))))

/-! With `-0` taken as `+0`: the order is kept, so the choice is. -/

theorem place_posZero_le {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (rank f s g) (rank f t h)) : Nat.Le (place n (num s g hg).posZero) (place n (num t h hh).posZero) :=
  Or.elim (Nat.lt_or_eq_of_le e)
    (fun l => Or.elim (Nat.eq_zero_or_pos g)
      (fun g0 => Or.elim (Nat.eq_zero_or_pos h)
        (fun h0 => Nat.le_of_eq (congrArg (place n) (Eq.trans (posZero_of_eq g0) (Eq.symm (posZero_of_eq h0)))))
        (fun hp => Nat.le_of_lt (Eq.subst (motive := fun x => Nat.Lt (place n x) (place n (num t h hh).posZero)) (Eq.symm (posZero_of_eq g0))
          (Eq.subst (motive := fun x => Nat.Lt (place n (zero false)) (place n x)) (Eq.symm (posZero_of_pos hp))
            (place_lt_of_rank_lt (s := false) (g := 0) (Eq.subst (motive := fun x => Nat.Lt x (rank f t h))
              (Eq.trans (congrArg (rank f s) g0) (Eq.trans (rank_zero f s) (Eq.symm (rank_zero f false)))) l))))))
      (fun gp => Nat.le_of_lt (Eq.subst (motive := fun x => Nat.Lt (place n x) (place n (num t h hh).posZero)) (Eq.symm (posZero_of_pos gp))
        (Or.elim (Nat.eq_zero_or_pos h)
          (fun h0 => Eq.subst (motive := fun x => Nat.Lt (place n (num s g hg)) (place n x)) (Eq.symm (posZero_of_eq h0))
            (place_lt_of_rank_lt (t := false) (h := 0) (Eq.subst (motive := fun x => Nat.Lt (rank f s g) x)
              (Eq.trans (congrArg (rank f t) h0) (Eq.trans (rank_zero f t) (Eq.symm (rank_zero f false)))) l)))
          (fun hp => Eq.subst (motive := fun x => Nat.Lt (place n (num s g hg)) (place n x)) (Eq.symm (posZero_of_pos hp))
            (place_lt_of_rank_lt l))))))
    (fun same => rank_cases hg hh same (fun st gh => Nat.le_of_eq (congrArg (fun x => place n (posZero x)) (num_congr st gh)))
      (fun g0 h0 => Nat.le_of_eq (congrArg (place n) (Eq.trans (posZero_of_eq g0) (Eq.symm (posZero_of_eq h0))))))

theorem posZero_minNum : (a b : Fp f) → Eq (minNum a b).posZero (minNum a.posZero b.posZero)
  | nan, _ => rfl
  | num s g hg, nan => Eq.symm (minNum_nan (num s g hg).posZero)
  | num s g hg, num t h hh => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg posZero (lower_of_place e)) (Eq.symm ((minNum_picks f).left _ _ (place_posZero_le (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg posZero (lower_of_place' e)) (Eq.symm ((minNum_picks f).right _ _ (place_posZero_le (rank_le_of_place_le e)))))

theorem posZero_maxNum : (a b : Fp f) → Eq (maxNum a b).posZero (maxNum a.posZero b.posZero)
  | nan, _ => rfl
  | num s g hg, nan => Eq.symm (maxNum_nan (num s g hg).posZero)
  | num s g hg, num t h hh => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg posZero (upper_of_place' e)) (Eq.symm ((maxNum_picks f).right _ _ (place_posZero_le (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg posZero (upper_of_place e)) (Eq.symm ((maxNum_picks f).left _ _ (place_posZero_le (rank_le_of_place_le e)))))

theorem posZero_minNan : (a b : Fp f) → Eq (minNan a b).posZero (minNan a.posZero b.posZero)
  | nan, _ => rfl
  | num s g hg, nan => Eq.symm (minNan_nan (num s g hg).posZero)
  | num s g hg, num t h hh => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg posZero (lower_of_place e)) (Eq.symm ((minNan_picks f).left _ _ (place_posZero_le (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg posZero (lower_of_place' e)) (Eq.symm ((minNan_picks f).right _ _ (place_posZero_le (rank_le_of_place_le e)))))

theorem posZero_maxNan : (a b : Fp f) → Eq (maxNan a b).posZero (maxNan a.posZero b.posZero)
  | nan, _ => rfl
  | num s g hg, nan => Eq.symm (maxNan_nan (num s g hg).posZero)
  | num s g hg, num t h hh => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg posZero (upper_of_place' e)) (Eq.symm ((maxNan_picks f).right _ _ (place_posZero_le (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg posZero (upper_of_place e)) (Eq.symm ((maxNan_picks f).left _ _ (place_posZero_le (rank_le_of_place_le e)))))

end Fp
