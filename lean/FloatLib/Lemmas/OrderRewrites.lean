prelude
import FloatLib.Lemmas.Order
/-!
# Comparisons of opposites and of absolute values; tests as comparisons
-/

noncomputable section

/-- The first of two conditions, where it implies the second. -/
theorem Bool.and_of_imp {a b : Bool} (h : Eq a true → Eq b true) : Eq (a.and b) a :=
  Bool.eq_of_iff Bool.and_eq_true_left (fun ha => Bool.and_of_true ha (h ha))

/-- The first of two conditions, where the second implies it. -/
theorem Bool.or_of_imp {a b : Bool} (h : Eq b true → Eq a true) : Eq (a.or b) a :=
  Bool.eq_of_iff (fun e => (Bool.or_eq_true e).elim id h) Bool.or_of_true_left

namespace Fp

variable {f : Format}

/-! Opposites. -/

theorem lt_neg_neg : (a b : Fp f) → Eq (lt a.neg b.neg) (lt b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ hg, num t _ hh => Nat.blt_of_add_eq (rank_add_eq hg hh s t)

theorem le_neg_neg : (a b : Fp f) → Eq (le a.neg b.neg) (le b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ hg, num t _ hh => Nat.ble_of_add_eq (rank_add_eq hg hh s t)

theorem eq_neg_neg (a b : Fp f) : Eq (eq a.neg b.neg) (eq a b) :=
  Eq.step (eq a.neg b.neg) (eq_eq_and a.neg b.neg) (
  Eq.step ((le a.neg b.neg).and (le b.neg a.neg)) (congrArg2 Bool.and (le_neg_neg a b) (le_neg_neg b a)) (
  Eq.step ((le b a).and (le a b)) (Eq.symm (eq_eq_and b a)) (
  Eq.step (eq b a) (eq_comm b a) (
  Eq.done (eq a b)))))

theorem lt_neg_left : (a b : Fp f) → Eq (lt a.neg b) (lt b.neg a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ hg, num t _ hh => Nat.blt_of_add_eq (rank_add_eq_swap hg hh s t)

theorem le_neg_left : (a b : Fp f) → Eq (le a.neg b) (le b.neg a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ hg, num t _ hh => Nat.ble_of_add_eq (rank_add_eq_swap hg hh s t)

theorem lt_neg_right : (a b : Fp f) → Eq (lt a b.neg) (lt b a.neg)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ hg, num t _ hh => Eq.symm (Nat.blt_of_add_eq (Eq.symm (rank_add_eq_swap hg hh s t)))

theorem le_neg_right : (a b : Fp f) → Eq (le a b.neg) (le b a.neg)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ hg, num t _ hh => Eq.symm (Nat.ble_of_add_eq (Eq.symm (rank_add_eq_swap hg hh s t)))

/-! Absolute values: of a value and its opposite, the larger one. -/

theorem abs_lt (a b : Fp f) : Eq (lt a.abs b) ((lt a b).and (lt b.neg a)) :=
  Eq.trans (both a b) (congrArg (Bool.and (lt a b)) (lt_neg_left a b))
where
  /-- Compared with the value and with its opposite. -/
  both : (a b : Fp f) → Eq (lt a.abs b) ((lt a b).and (lt a.neg b))
    | nan, _ => rfl
    | num _ _ _, nan => rfl
    | num false g _, num _ _ _ => Eq.symm (Bool.and_of_imp (fun h => Nat.lt_of_le_of_lt (rank_le true g) h))
    | num true g _, num t h _ => Eq.symm (Eq.trans (Bool.and_comm _ (Nat.blt (rank f false g) (rank f t h)))
        (Bool.and_of_imp (fun h => Nat.lt_of_le_of_lt (rank_le true g) h)))

theorem abs_le (a b : Fp f) : Eq (le a.abs b) ((le a b).and (le b.neg a)) :=
  Eq.trans (both a b) (congrArg (Bool.and (le a b)) (le_neg_left a b))
where
  /-- Compared with the value and with its opposite. -/
  both : (a b : Fp f) → Eq (le a.abs b) ((le a b).and (le a.neg b))
    | nan, _ => rfl
    | num _ _ _, nan => rfl
    | num false g _, num _ _ _ => Eq.symm (Bool.and_of_imp (fun h => Nat.le_trans (rank_le true g) h))
    | num true g _, num t h _ => Eq.symm (Eq.trans (Bool.and_comm _ (Nat.ble (rank f false g) (rank f t h)))
        (Bool.and_of_imp (fun h => Nat.le_trans (rank_le true g) h)))

theorem lt_abs (a b : Fp f) : Eq (lt b a.abs) ((lt b a).or (lt a b.neg)) :=
  Eq.trans (both a b) (congrArg (Bool.or (lt b a)) (lt_neg_right b a))
where
  /-- Compared with the value and with its opposite. -/
  both : (a b : Fp f) → Eq (lt b a.abs) ((lt b a).or (lt b a.neg))
    | nan, nan => rfl
    | nan, num _ _ _ => rfl
    | num _ _ _, nan => rfl
    | num false g _, num _ _ _ => Eq.symm (Bool.or_of_imp (fun h => Nat.lt_of_lt_of_le h (rank_le true g)))
    | num true g _, num t h _ => Eq.symm (Eq.trans (Bool.or_comm _ (Nat.blt (rank f t h) (rank f false g)))
        (Bool.or_of_imp (fun h => Nat.lt_of_lt_of_le h (rank_le true g))))

theorem le_abs (a b : Fp f) : Eq (le b a.abs) ((le b a).or (le a b.neg)) :=
  Eq.trans (both a b) (congrArg (Bool.or (le b a)) (le_neg_right b a))
where
  /-- Compared with the value and with its opposite. -/
  both : (a b : Fp f) → Eq (le b a.abs) ((le b a).or (le b a.neg))
    | nan, nan => rfl
    | nan, num _ _ _ => rfl
    | num _ _ _, nan => rfl
    | num false g _, num _ _ _ => Eq.symm (Bool.or_of_imp (fun h => Nat.le_trans h (rank_le true g)))
    | num true g _, num t h _ => Eq.symm (Eq.trans (Bool.or_comm _ (Nat.ble (rank f t h) (rank f false g)))
        (Bool.or_of_imp (fun h => Nat.le_trans h (rank_le true g))))

/-! Tests as comparisons. -/

theorem isInf_eq : (a : Fp f) → Eq a.isInf ((eq a (inf false)).or (eq a (inf true)))
  | nan => rfl
  | num s g hg => Bool.eq_of_iff (fun h => both s (Nat.eq_of_beq g f.inf h))
    (fun h => (Bool.or_eq_true h).elim
      (fun e => Nat.beq_of_eq (mag_eq_of_rank_eq hg (ble_self f.inf) (Nat.eq_of_beq (rank f s g) (rank f false f.inf) e)))
      (fun e => Nat.beq_of_eq (mag_eq_of_rank_eq hg (ble_self f.inf) (Nat.eq_of_beq (rank f s g) (rank f true f.inf) e))))
where
  /-- An infinity is the one of its sign. -/
  both : (s : Bool) → {g : Nat} → Eq g f.inf →
      Eq ((Nat.beq (rank f s g) (rank f false f.inf)).or (Nat.beq (rank f s g) (rank f true f.inf))) true
    | false, _, e => Bool.or_of_true_left (Nat.beq_of_eq (congrArg (rank f false) e))
    | true, _, e => Bool.or_of_true_right (Nat.beq_of_eq (congrArg (rank f true) e))

theorem isFinite_eq_abs_lt : (a : Fp f) → Eq a.isFinite (lt a.abs (inf false))
  | nan => rfl
  | num _ _ _ => Bool.eq_of_iff (fun h => Nat.add_lt_add_left h f.inf) (fun h => Nat.lt_of_add_lt_add_left f.inf h)

theorem isFinite_eq (a : Fp f) : Eq a.isFinite ((lt (inf true) a).and (lt a (inf false))) :=
  Eq.step a.isFinite (isFinite_eq_abs_lt a) (
  Eq.step (lt a.abs (inf false)) (abs_lt a (inf false)) (
  Eq.step ((lt a (inf false)).and (lt (inf true) a)) (Bool.and_comm _ _) (
  Eq.done ((lt (inf true) a).and (lt a (inf false))))))

/-! The comparisons that are true on NaN. -/

theorem ltU_eq : (a b : Fp f) → Eq (ltU a b) (le b a).not
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num _ _ hg, num _ _ hh => Eq.symm (not_le_num hh hg)

theorem leU_eq : (a b : Fp f) → Eq (leU a b) (lt b a).not
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => Eq.symm (Nat.not_blt (rank f t h) (rank f s g))

theorem eqU_eq (a b : Fp f) : Eq (eqU a b) ((a.isNan.or b.isNan).or (eq a b)) := rfl

end Fp
