prelude
import FloatLib.Lemmas.Order
/-!
# Minima and maxima
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! The choice between two values that are not NaN. -/

theorem lower_left (a b : Fp f) (h : Eq (lt a b) true) : Eq (lower a b) a := cond_of_true h _ _

theorem lower_right (a b : Fp f) (h : Eq (lt b a) true) : Eq (lower a b) b :=
  Eq.trans (cond_of_false (lt_false_of_le a b (le_of_lt b a h)) _ _) (cond_of_true h _ _)

theorem upper_left (a b : Fp f) (h : Eq (lt b a) true) : Eq (upper a b) a := cond_of_true h _ _

theorem upper_right (a b : Fp f) (h : Eq (lt a b) true) : Eq (upper a b) b :=
  Eq.trans (cond_of_false (lt_false_of_le b a (le_of_lt a b h)) _ _) (cond_of_true h _ _)

theorem lower_tie (a b : Fp f) (h : Eq (lt a b) false) (h' : Eq (lt b a) false) : Eq (lower a b) (cond a.isNeg a b) :=
  Eq.trans (cond_of_false h _ _) (cond_of_false h' _ _)

theorem upper_tie (a b : Fp f) (h : Eq (lt a b) false) (h' : Eq (lt b a) false) : Eq (upper a b) (cond a.isNeg b a) :=
  Eq.trans (cond_of_false h' _ _) (cond_of_false h _ _)

theorem lower_self (a : Fp f) : Eq (lower a a) a := Eq.trans (lower_tie a a (lt_irrefl a) (lt_irrefl a)) (cond_same a a.isNeg)

theorem upper_self (a : Fp f) : Eq (upper a a) a := Eq.trans (upper_tie a a (lt_irrefl a) (lt_irrefl a)) (cond_same a a.isNeg)

/-- Of two values of one magnitude, the sign bit chooses the same from both sides. -/
theorem tie_comm {g h : Nat} (hg : Eq (Nat.ble g f.inf) true) (hh : Eq (Nat.ble h f.inf) true) (e : Eq g h) :
    (s t : Bool) → Eq (cond s (num s g hg) (num t h hh)) (cond t (num t h hh) (num s g hg))
  | true, true => num_congr rfl e
  | true, false => rfl
  | false, true => rfl
  | false, false => num_congr rfl (Eq.symm e)

theorem lower_comm : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (lower a b) (lower b a)
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _, _ => Nat.byOrder (rank f s g) (rank f t h)
    (fun l => Eq.trans (lower_left (num s g hg) (num t h hh) l) (Eq.symm (lower_right (num t h hh) (num s g hg) l)))
    (fun e =>
      have l : Eq (lt (num s g hg) (num t h hh)) false := Nat.blt_of_le (Nat.le_of_eq (Eq.symm e))
      have r : Eq (lt (num t h hh) (num s g hg)) false := Nat.blt_of_le (Nat.le_of_eq e)
      Eq.trans (lower_tie _ _ l r) (Eq.trans (tie_comm hg hh (mag_eq_of_rank_eq hg hh e) s t) (Eq.symm (lower_tie _ _ r l))))
    (fun r => Eq.trans (lower_right (num s g hg) (num t h hh) r) (Eq.symm (lower_left (num t h hh) (num s g hg) r)))

theorem upper_comm : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (upper a b) (upper b a)
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _, _ => Nat.byOrder (rank f s g) (rank f t h)
    (fun l => Eq.trans (upper_right (num s g hg) (num t h hh) l) (Eq.symm (upper_left (num t h hh) (num s g hg) l)))
    (fun e =>
      have l : Eq (lt (num s g hg) (num t h hh)) false := Nat.blt_of_le (Nat.le_of_eq (Eq.symm e))
      have r : Eq (lt (num t h hh) (num s g hg)) false := Nat.blt_of_le (Nat.le_of_eq e)
      Eq.trans (upper_tie _ _ l r) (Eq.trans (upper_tie_comm hg hh (mag_eq_of_rank_eq hg hh e) s t) (Eq.symm (upper_tie _ _ r l))))
    (fun r => Eq.trans (upper_left (num s g hg) (num t h hh) r) (Eq.symm (upper_right (num t h hh) (num s g hg) r)))
where
  /-- The same, the other way round. -/
  upper_tie_comm {g h : Nat} (hg : Eq (Nat.ble g f.inf) true) (hh : Eq (Nat.ble h f.inf) true) (e : Eq g h) :
      (s t : Bool) → Eq (cond s (num t h hh) (num s g hg)) (cond t (num s g hg) (num t h hh))
    | true, true => num_congr rfl (Eq.symm e)
    | true, false => rfl
    | false, true => rfl
    | false, false => num_congr rfl e

/-! The four operations, off NaN. -/

theorem minNum_of_notNan (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (minNum a b) (lower a b) :=
  Eq.trans (cond_of_false ha _ _) (cond_of_false hb _ _)

theorem maxNum_of_notNan (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (maxNum a b) (upper a b) :=
  Eq.trans (cond_of_false ha _ _) (cond_of_false hb _ _)

theorem minNan_eq_lower (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (minNan a b) (lower a b) :=
  cond_of_false (Bool.or_of_false ha hb) _ _

theorem maxNan_eq_upper (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (maxNan a b) (upper a b) :=
  cond_of_false (Bool.or_of_false ha hb) _ _

theorem minNan_of_notNan (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (minNan a b) (minNum a b) :=
  Eq.trans (minNan_eq_lower a b ha hb) (Eq.symm (minNum_of_notNan a b ha hb))

theorem maxNan_of_notNan (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) : Eq (maxNan a b) (maxNum a b) :=
  Eq.trans (maxNan_eq_upper a b ha hb) (Eq.symm (maxNum_of_notNan a b ha hb))

/-! The order decides. -/

theorem minNum_left (a b : Fp f) (h : Eq (lt a b) true) : Eq (minNum a b) a :=
  Eq.trans (minNum_of_notNan a b (notNan_left_of_lt a b h) (notNan_right_of_lt a b h)) (lower_left a b h)

theorem minNum_right (a b : Fp f) (h : Eq (lt b a) true) : Eq (minNum a b) b :=
  Eq.trans (minNum_of_notNan a b (notNan_right_of_lt b a h) (notNan_left_of_lt b a h)) (lower_right a b h)

theorem maxNum_left (a b : Fp f) (h : Eq (lt b a) true) : Eq (maxNum a b) a :=
  Eq.trans (maxNum_of_notNan a b (notNan_right_of_lt b a h) (notNan_left_of_lt b a h)) (upper_left a b h)

theorem maxNum_right (a b : Fp f) (h : Eq (lt a b) true) : Eq (maxNum a b) b :=
  Eq.trans (maxNum_of_notNan a b (notNan_left_of_lt a b h) (notNan_right_of_lt a b h)) (upper_right a b h)

theorem minNan_left (a b : Fp f) (h : Eq (lt a b) true) : Eq (minNan a b) a :=
  Eq.trans (minNan_eq_lower a b (notNan_left_of_lt a b h) (notNan_right_of_lt a b h)) (lower_left a b h)

theorem minNan_right (a b : Fp f) (h : Eq (lt b a) true) : Eq (minNan a b) b :=
  Eq.trans (minNan_eq_lower a b (notNan_right_of_lt b a h) (notNan_left_of_lt b a h)) (lower_right a b h)

theorem maxNan_left (a b : Fp f) (h : Eq (lt b a) true) : Eq (maxNan a b) a :=
  Eq.trans (maxNan_eq_upper a b (notNan_right_of_lt b a h) (notNan_left_of_lt b a h)) (upper_left a b h)

theorem maxNan_right (a b : Fp f) (h : Eq (lt a b) true) : Eq (maxNan a b) b :=
  Eq.trans (maxNan_eq_upper a b (notNan_left_of_lt a b h) (notNan_right_of_lt a b h)) (upper_right a b h)

/-! A value with itself. -/

theorem minNum_self : (a : Fp f) → Eq (minNum a a) a
  | nan => rfl
  | num s g h => lower_self (num s g h)

theorem maxNum_self : (a : Fp f) → Eq (maxNum a a) a
  | nan => rfl
  | num s g h => upper_self (num s g h)

theorem minNan_self : (a : Fp f) → Eq (minNan a a) a
  | nan => rfl
  | num s g h => lower_self (num s g h)

theorem maxNan_self : (a : Fp f) → Eq (maxNan a a) a
  | nan => rfl
  | num s g h => upper_self (num s g h)

/-! From both sides. -/

theorem minNum_comm : (a b : Fp f) → Eq (minNum a b) (minNum b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => lower_comm (num s g hg) (num t h hh) rfl rfl

theorem maxNum_comm : (a b : Fp f) → Eq (maxNum a b) (maxNum b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => upper_comm (num s g hg) (num t h hh) rfl rfl

theorem minNan_comm : (a b : Fp f) → Eq (minNan a b) (minNan b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => lower_comm (num s g hg) (num t h hh) rfl rfl

theorem maxNan_comm : (a b : Fp f) → Eq (maxNan a b) (maxNan b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => upper_comm (num s g hg) (num t h hh) rfl rfl

end Fp
