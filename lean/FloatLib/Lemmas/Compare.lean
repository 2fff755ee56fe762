prelude
import FloatLib.Lemmas.MinMaxLaws
import FloatLib.Lemmas.OrderF32
/-!
# Comparisons that are other comparisons: with minima, maxima and absolute values, and with the sign of zero aside
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! Below a minimum is below both; above a maximum is above both. The kinds that ignore NaN: below one, above one. -/

theorem lt_minNan : (a b c : Fp f) → Eq (lt c (minNan a b)) ((lt c a).and (lt c b))
  | nan, _, c => Eq.trans (lt_nan c) (Eq.symm (Bool.and_of_false_left (lt_nan c)))
  | num _ _ _, nan, c => Eq.trans (lt_nan c) (Eq.symm (Bool.and_of_false_right (lt_nan c)))
  | num _ _ _, num _ _ _, nan => rfl
  | num s g hg, num t h hh, num r k hk => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg (lt (num r k hk)) (lower_of_place e))
      (Eq.symm (Bool.and_of_imp (fun l => Nat.lt_of_lt_of_le l (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg (lt (num r k hk)) (lower_of_place' e))
      (Eq.symm (Eq.trans (Bool.and_comm _ _) (Bool.and_of_imp (fun l => Nat.lt_of_lt_of_le l (rank_le_of_place_le e))))))

theorem maxNan_lt (a b c : Fp f) : Eq (lt (maxNan a b) c) ((lt a c).and (lt b c)) :=
  Eq.trans (Eq.symm (lt_neg_neg c (maxNan a b))) (Eq.trans (congrArg (lt c.neg) (neg_maxNan a b))
    (Eq.trans (lt_minNan a.neg b.neg c.neg) (congrArg2 Bool.and (lt_neg_neg c a) (lt_neg_neg c b))))

theorem lt_maxNum : (a b c : Fp f) → Eq (lt c (maxNum a b)) ((lt c a).or (lt c b))
  | nan, _, c => Eq.symm (Eq.trans (congrArg (fun x => Bool.or x _) (lt_nan c)) (Bool.false_or _))
  | num s g hg, nan, c => Eq.symm (Eq.trans (congrArg (Bool.or (lt c (num s g hg))) (lt_nan c)) (Bool.or_false _))
  | num _ _ _, num _ _ _, nan => rfl
  | num s g hg, num t h hh, num r k hk => Or.elim (Nat.le_total (place 0 (num t h hh)) (place 0 (num s g hg)))
    (fun e => Eq.trans (congrArg (lt (num r k hk)) (upper_of_place e))
      (Eq.symm (Bool.or_of_imp (fun l => Nat.lt_of_lt_of_le l (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg (lt (num r k hk)) (upper_of_place' e))
      (Eq.symm (Eq.trans (Bool.or_comm _ _) (Bool.or_of_imp (fun l => Nat.lt_of_lt_of_le l (rank_le_of_place_le e))))))

theorem minNum_lt (a b c : Fp f) : Eq (lt (minNum a b) c) ((lt a c).or (lt b c)) :=
  Eq.trans (Eq.symm (lt_neg_neg c (minNum a b))) (Eq.trans (congrArg (lt c.neg) (neg_minNum a b))
    (Eq.trans (lt_maxNum a.neg b.neg c.neg) (congrArg2 Bool.or (lt_neg_neg c a) (lt_neg_neg c b))))

theorem le_minNan : (a b c : Fp f) → Eq (le c (minNan a b)) ((le c a).and (le c b))
  | nan, _, c => Eq.trans (le_nan c) (Eq.symm (Bool.and_of_false_left (le_nan c)))
  | num _ _ _, nan, c => Eq.trans (le_nan c) (Eq.symm (Bool.and_of_false_right (le_nan c)))
  | num _ _ _, num _ _ _, nan => rfl
  | num s g hg, num t h hh, num r k hk => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg (le (num r k hk)) (lower_of_place e))
      (Eq.symm (Bool.and_of_imp (fun l => Nat.le_trans l (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg (le (num r k hk)) (lower_of_place' e))
      (Eq.symm (Eq.trans (Bool.and_comm _ _) (Bool.and_of_imp (fun l => Nat.le_trans l (rank_le_of_place_le e))))))

theorem maxNan_le (a b c : Fp f) : Eq (le (maxNan a b) c) ((le a c).and (le b c)) :=
  Eq.trans (Eq.symm (le_neg_neg c (maxNan a b))) (Eq.trans (congrArg (le c.neg) (neg_maxNan a b))
    (Eq.trans (le_minNan a.neg b.neg c.neg) (congrArg2 Bool.and (le_neg_neg c a) (le_neg_neg c b))))

theorem le_maxNum : (a b c : Fp f) → Eq (le c (maxNum a b)) ((le c a).or (le c b))
  | nan, _, c => Eq.symm (Eq.trans (congrArg (fun x => Bool.or x _) (le_nan c)) (Bool.false_or _))
  | num s g hg, nan, c => Eq.symm (Eq.trans (congrArg (Bool.or (le c (num s g hg))) (le_nan c)) (Bool.or_false _))
  | num _ _ _, num _ _ _, nan => rfl
  | num s g hg, num t h hh, num r k hk => Or.elim (Nat.le_total (place 0 (num t h hh)) (place 0 (num s g hg)))
    (fun e => Eq.trans (congrArg (le (num r k hk)) (upper_of_place e))
      (Eq.symm (Bool.or_of_imp (fun l => Nat.le_trans l (rank_le_of_place_le e)))))
    (fun e => Eq.trans (congrArg (le (num r k hk)) (upper_of_place' e))
      (Eq.symm (Eq.trans (Bool.or_comm _ _) (Bool.or_of_imp (fun l => Nat.le_trans l (rank_le_of_place_le e))))))

theorem minNum_le (a b c : Fp f) : Eq (le (minNum a b) c) ((le a c).or (le b c)) :=
  Eq.trans (Eq.symm (le_neg_neg c (minNum a b))) (Eq.trans (congrArg (le c.neg) (neg_minNum a b))
    (Eq.trans (le_maxNum a.neg b.neg c.neg) (congrArg2 Bool.or (le_neg_neg c a) (le_neg_neg c b))))

/-! Of numbers, the kinds that ignore NaN are the others. -/

theorem lt_minNum_eq (a b c : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (lt c (minNum a b)) ((lt c a).and (lt c b)) :=
  Eq.trans (congrArg (lt c) (Eq.symm (minNan_of_notNan a b ha hb))) (lt_minNan a b c)

theorem maxNum_lt_eq (a b c : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (lt (maxNum a b) c) ((lt a c).and (lt b c)) :=
  Eq.trans (congrArg (fun x => lt x c) (Eq.symm (maxNan_of_notNan a b ha hb))) (maxNan_lt a b c)

theorem le_minNum_eq (a b c : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (le c (minNum a b)) ((le c a).and (le c b)) :=
  Eq.trans (congrArg (le c) (Eq.symm (minNan_of_notNan a b ha hb))) (le_minNan a b c)

theorem maxNum_le_eq (a b c : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (le (maxNum a b) c) ((le a c).and (le b c)) :=
  Eq.trans (congrArg (fun x => le x c) (Eq.symm (maxNan_of_notNan a b ha hb))) (maxNan_le a b c)

/-! A minimum is at most each number, a maximum at least. -/

theorem minNum_le_left (a b : Fp f) (h : Eq a.isNan false) : Eq (le (minNum a b) a) true :=
  Eq.trans (minNum_le a b a) (Bool.or_of_true_left (Eq.trans (le_self a) (Bool.not_of_false h)))

theorem minNum_le_right (a b : Fp f) (h : Eq b.isNan false) : Eq (le (minNum a b) b) true :=
  Eq.trans (minNum_le a b b) (Bool.or_of_true_right (Eq.trans (le_self b) (Bool.not_of_false h)))

theorem le_maxNum_left (a b : Fp f) (h : Eq a.isNan false) : Eq (le a (maxNum a b)) true :=
  Eq.trans (le_maxNum a b a) (Bool.or_of_true_left (Eq.trans (le_self a) (Bool.not_of_false h)))

theorem le_maxNum_right (a b : Fp f) (h : Eq b.isNan false) : Eq (le b (maxNum a b)) true :=
  Eq.trans (le_maxNum a b b) (Bool.or_of_true_right (Eq.trans (le_self b) (Bool.not_of_false h)))

theorem le_minNum (a b c : Fp f) (h : Eq (le c a) true) (h' : Eq (le c b) true) : Eq (le c (minNum a b)) true :=
  Eq.trans (congrArg (le c) (Eq.symm (minNan_of_notNan a b (notNan_right_of_le c a h) (notNan_right_of_le c b h'))))
    (Eq.trans (le_minNan a b c) (Bool.and_of_true h h'))

theorem maxNum_le (a b c : Fp f) (h : Eq (le a c) true) (h' : Eq (le b c) true) : Eq (le (maxNum a b) c) true :=
  Eq.trans (congrArg (fun x => le x c) (Eq.symm (maxNan_of_notNan a b (notNan_left_of_le a c h) (notNan_left_of_le b c h'))))
    (Eq.trans (maxNan_le a b c) (Bool.and_of_true h h'))

/-! Comparisons do not see the sign of zero. -/

theorem posZero_cases {C : Fp f → Prop} {s : Bool} {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (same : C (num s g hg))
    (zeros : Eq (rank f false 0) (rank f s g) → C (zero false)) : C (num s g hg).posZero :=
  Or.elim (Nat.eq_zero_or_pos g)
    (fun e => Eq.subst (motive := C) (Eq.symm (posZero_of_eq e))
      (zeros (Eq.trans (rank_zero f false) (Eq.symm (Eq.trans (congrArg (rank f s) e) (rank_zero f s))))))
    (fun pos => Eq.subst (motive := C) (Eq.symm (posZero_of_pos pos)) same)

theorem posZero_lt : (a b : Fp f) → Eq (lt a.posZero b) (lt a b)
  | nan, _ => rfl
  | num _ _ _, nan => lt_nan _
  | num s g hg, num t h hh => posZero_cases (C := fun x => Eq (lt x (num t h hh)) (lt (num s g hg) (num t h hh))) rfl
    (congrArg (fun x => Nat.blt x (rank f t h)))

theorem lt_posZero : (a b : Fp f) → Eq (lt a b.posZero) (lt a b)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => posZero_cases (C := fun x => Eq (lt (num s g hg) x) (lt (num s g hg) (num t h hh))) rfl
    (congrArg (Nat.blt (rank f s g)))

theorem posZero_le : (a b : Fp f) → Eq (le a.posZero b) (le a b)
  | nan, _ => rfl
  | num _ _ _, nan => le_nan _
  | num s g hg, num t h hh => posZero_cases (C := fun x => Eq (le x (num t h hh)) (le (num s g hg) (num t h hh))) rfl
    (congrArg (fun x => Nat.ble x (rank f t h)))

theorem le_posZero : (a b : Fp f) → Eq (le a b.posZero) (le a b)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => posZero_cases (C := fun x => Eq (le (num s g hg) x) (le (num s g hg) (num t h hh))) rfl
    (congrArg (Nat.ble (rank f s g)))

theorem posZero_eq : (a b : Fp f) → Eq (eq a.posZero b) (eq a b)
  | nan, _ => rfl
  | num _ _ _, nan => eq_nan _
  | num s g hg, num t h hh => posZero_cases (C := fun x => Eq (eq x (num t h hh)) (eq (num s g hg) (num t h hh))) rfl
    (congrArg (fun x => Nat.beq x (rank f t h)))

theorem eq_posZero : (a b : Fp f) → Eq (eq a b.posZero) (eq a b)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => posZero_cases (C := fun x => Eq (eq (num s g hg) x) (eq (num s g hg) (num t h hh))) rfl
    (congrArg (Nat.beq (rank f s g)))

/-! A value and its absolute value. -/

theorem le_abs_self : (a : Fp f) → Eq (le a a.abs) a.isNan.not
  | nan => rfl
  | num s g _ => rank_le s g

theorem neg_abs_le : (a : Fp f) → Eq (le a.abs.neg a) a.isNan.not
  | nan => rfl
  | num s g _ => le_rank s g

theorem abs_lt_self : (a : Fp f) → Eq (lt a.abs a) false
  | nan => rfl
  | num s g _ => Nat.blt_of_le (rank_le s g)

theorem zero_le_abs_eq : (a : Fp f) → Eq (le (zero false) a.abs) a.isNan.not
  | nan => rfl
  | num s g h => zero_le_abs (num s g h) rfl

theorem abs_lt_zero : (a : Fp f) → Eq (lt a.abs (zero false)) false
  | nan => rfl
  | num s g h => lt_false_of_le (num s g h).abs (zero false) (zero_le_abs (num s g h) rfl)

/-- A zero is the only value whose rank is that of zero. -/
theorem eq_zero_eq : (s : Bool) → (g : Nat) → (h : Eq (Nat.ble g f.inf) true) → Eq (eq (num s g h) (zero false)) (Nat.beq g 0)
  | s, g, h => Bool.eq_of_iff
    (fun e => Nat.beq_of_eq (mag_eq_of_rank_eq (t := false) (h := 0) h rfl (Nat.eq_of_beq (rank f s g) (rank f false 0) e)))
    (fun e => Nat.beq_of_eq (Eq.trans (congrArg (rank f s) (Nat.eq_of_beq g 0 e)) (Eq.trans (rank_zero f s) (Eq.symm (rank_zero f false)))))

theorem eq_abs_zero : (a : Fp f) → Eq (eq a.abs (zero false)) (eq a (zero false))
  | nan => rfl
  | num s g h => Eq.trans (eq_zero_eq false g h) (Eq.symm (eq_zero_eq s g h))

theorem abs_le_zero : (a : Fp f) → Eq (le a.abs (zero false)) (eq a (zero false))
  | nan => rfl
  | num s g h => Eq.trans (Eq.symm (Bool.and_true _)) (Eq.trans (congrArg (Bool.and _) (Eq.symm (zero_le_abs (num s g h) rfl)))
      (Eq.trans (Eq.symm (eq_eq_and (num s g h).abs (zero false))) (eq_abs_zero (num s g h))))

theorem zero_lt_abs (a : Fp f) : Eq (lt (zero false) a.abs) ((lt (zero false) a).or (lt a (zero false))) :=
  Eq.trans (lt_abs a (zero false)) (congrArg (Bool.or (lt (zero false) a)) (Eq.trans (Eq.symm (lt_posZero a (zero true))) rfl))

/-! Not being less chains off NaN: with `lt_irrefl` and `lt_trans`, `lt` is a strict weak order. -/

theorem lt_false_trans : (a b c : Fp f) → Eq b.isNan false → Eq (lt a b) false → Eq (lt b c) false → Eq (lt a c) false
  | nan, _, _, _, _, _ => rfl
  | num _ _ _, _, nan, _, _, _ => rfl
  | num _ _ _, nan, num _ _ _, h, _, _ => (Bool.true_ne_false h).elim
  | num _ _ _, num _ _ _, num _ _ _, _, h, h' => Nat.blt_of_le (Nat.le_trans (Nat.le_of_blt h') (Nat.le_of_blt h))

theorem lt_of_lt_of_eq (a b c : Fp f) (h : Eq (lt a b) true) (h' : Eq (eq b c) true) : Eq (lt a c) true :=
  lt_of_lt_of_le a b c h (le_of_eq b c h')

theorem lt_of_eq_of_lt (a b c : Fp f) (h : Eq (eq a b) true) (h' : Eq (lt b c) true) : Eq (lt a c) true :=
  lt_of_le_of_lt a b c (le_of_eq a b h) h'

theorem le_and_ge (a b : Fp f) : Eq ((le a b).and (le b a)) (eq a b) := Eq.symm (eq_eq_and a b)

theorem lt_and_gt (a b : Fp f) : Eq ((lt a b).and (lt b a)) false :=
  Bool.byCases (lt a b) (fun h => Bool.and_of_false_right (lt_false_of_le b a (le_of_lt a b h))) Bool.and_of_false_left

theorem lt_or_eq : (a b : Fp f) → Eq ((lt a b).or (eq a b)) (le a b)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => Bool.eq_of_iff
    (fun e => Or.elim (Bool.or_eq_true e) Nat.le_of_lt (fun k => Nat.le_of_eq (Nat.eq_of_beq _ _ k)))
    (fun e => Or.elim (Nat.lt_or_eq_of_le (a := rank f s g) (b := rank f t h) e) Bool.or_of_true_left (fun k => Bool.or_of_true_right (Nat.beq_of_eq k)))

theorem lt_or_gt : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq ((lt a b).or (lt b a)) (eq a b).not
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g _, num t h _, _, _ => Nat.byOrder (rank f s g) (rank f t h)
    (fun l => Eq.trans (Bool.or_of_true_left l) (Eq.symm (Bool.not_of_false (Nat.beq_of_lt l))))
    (fun e => Eq.trans (Bool.or_of_false (Nat.blt_of_le (Nat.le_of_eq (Eq.symm e))) (Nat.blt_of_le (Nat.le_of_eq e)))
      (Eq.symm (Bool.not_of_true (Nat.beq_of_eq e))))
    (fun l => Eq.trans (Bool.or_of_true_right l) (Eq.symm (Bool.not_of_false (Nat.beq_of_gt l))))

end Fp

namespace F32

theorem zero_le_abs_eq (a : F32) : Eq (Fp.le (ofBits 0x00000000) a.abs) a.isNan.not := Fp.zero_le_abs_eq a

theorem abs_lt_zero (a : F32) : Eq (Fp.lt a.abs (ofBits 0x00000000)) false := Fp.abs_lt_zero a

theorem abs_le_zero (a : F32) : Eq (Fp.le a.abs (ofBits 0x00000000)) (Fp.eq a (ofBits 0x00000000)) := Fp.abs_le_zero a

theorem eq_abs_zero (a : F32) : Eq (Fp.eq a.abs (ofBits 0x00000000)) (Fp.eq a (ofBits 0x00000000)) := Fp.eq_abs_zero a

theorem zero_lt_abs (a : F32) : Eq (Fp.lt (ofBits 0x00000000) a.abs) ((Fp.lt (ofBits 0x00000000) a).or (Fp.lt a (ofBits 0x00000000))) :=
  Fp.zero_lt_abs a

end F32
