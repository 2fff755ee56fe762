prelude
import FloatLib.Op.Class
import FloatLib.Lemmas.Nat.Sub
import FloatLib.Lemmas.Value
/-!
# Ranks: the order of floats as the order of natural numbers

`rank f s g` is `f.inf - g` or `f.inf + g`. So opposite values have ranks with the sum `2 * f.inf`, equal ranks belong to equal values
or to two zeros, and of two values the one with the larger magnitude has the outer rank. All theorems on comparisons come from here.
-/

noncomputable section

/-- With equal sums, the larger first summand has the smaller second one. -/
theorem Nat.blt_of_add_eq {x x' y y' : Nat} (e : Eq (Nat.add x x') (Nat.add y y')) : Eq (Nat.blt x' y') (Nat.blt y x) :=
  Bool.eq_of_iff
    (fun h => Nat.lt_of_not_le (fun h' => Nat.ne_of_lt (Nat.add_lt_add_of_le_of_lt h' h) e))
    (fun h => Nat.lt_of_not_le (fun h' => Nat.ne_of_gt (Nat.add_lt_add_of_lt_of_le h h') e))

theorem Nat.ble_of_add_eq {x x' y y' : Nat} (e : Eq (Nat.add x x') (Nat.add y y')) : Eq (Nat.ble x' y') (Nat.ble y x) :=
  Eq.step (Nat.ble x' y') (Eq.symm (Nat.not_blt y' x')) (
  Eq.step (Nat.blt y' x').not (congrArg Bool.not (Nat.blt_of_add_eq (Eq.symm e))) (
  Eq.step (Nat.blt x y).not (Nat.not_blt x y) (
  Eq.done (Nat.ble y x))))

theorem Nat.beq_eq_and (x y : Nat) : Eq (Nat.beq x y) ((Nat.ble x y).and (Nat.ble y x)) :=
  Bool.eq_of_iff
    (fun h => Bool.and_of_true (Nat.le_of_eq (Nat.eq_of_beq x y h)) (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq x y h))))
    (fun h => Nat.beq_of_eq (Nat.le_antisymm (Bool.and_eq_true_left h) (Bool.and_eq_true_right h)))

namespace Fp

variable {f : Format}

theorem rank_zero (f : Format) : (s : Bool) → Eq (rank f s 0) f.inf
  | true => rfl
  | false => rfl

theorem rank_le : (s : Bool) → (g : Nat) → Nat.Le (rank f s g) (rank f false g)
  | true, g => Nat.le_trans (Nat.sub_le f.inf g) (Nat.le_add_right f.inf g)
  | false, g => Nat.le_refl (rank f false g)

theorem le_rank : (s : Bool) → (g : Nat) → Nat.Le (rank f true g) (rank f s g)
  | true, g => Nat.le_refl (rank f true g)
  | false, g => rank_le true g

/-- Opposite values have opposite ranks. -/
theorem rank_add_not {g : Nat} (hg : Nat.Le g f.inf) (s : Bool) : Eq (Nat.add (rank f s g) (rank f s.not g)) (Nat.add f.inf f.inf) :=
  have down : Eq (Nat.add (rank f true g) (rank f false g)) (Nat.add f.inf f.inf) :=
    Eq.step (Nat.add (Nat.sub f.inf g) (Nat.add f.inf g)) (Nat.add_left_comm (Nat.sub f.inf g) f.inf g) (
    Eq.step (Nat.add f.inf (Nat.add (Nat.sub f.inf g) g)) (congrArg (Nat.add f.inf) (Nat.sub_add_cancel hg)) (
    Eq.done (Nat.add f.inf f.inf)))
  match s with
  | true => down
  | false => Eq.trans (Nat.add_comm (rank f false g) (rank f true g)) down

/-- The ranks of two values and their opposites have equal sums. -/
theorem rank_add_eq {g h : Nat} (hg : Nat.Le g f.inf) (hh : Nat.Le h f.inf) (s t : Bool) :
    Eq (Nat.add (rank f s g) (rank f s.not g)) (Nat.add (rank f t h) (rank f t.not h)) :=
  Eq.trans (rank_add_not hg s) (Eq.symm (rank_add_not hh t))

/-- The same with one pair turned round. -/
theorem rank_add_eq_swap {g h : Nat} (hg : Nat.Le g f.inf) (hh : Nat.Le h f.inf) (s t : Bool) :
    Eq (Nat.add (rank f s g) (rank f s.not g)) (Nat.add (rank f t.not h) (rank f t h)) :=
  Eq.trans (rank_add_eq hg hh s t) (Nat.add_comm (rank f t h) (rank f t.not h))

/-- Against a larger magnitude `h`, only the sign `t` that goes with it matters. -/
theorem rank_blt_larger {g h : Nat} (less : Nat.Lt g h) (s : Bool) :
    (t : Bool) → Eq (Nat.blt (rank f s g) (rank f t h)) t.not
  | false => Nat.lt_of_le_of_lt (rank_le s g) (Nat.add_lt_add_left less f.inf)
  | true => Nat.blt_of_le (Nat.le_trans (Nat.sub_le_sub_left f.inf (Nat.le_of_lt less)) (le_rank s g))

theorem larger_blt_rank {g h : Nat} (hh : Nat.Le h f.inf) (less : Nat.Lt g h) (s : Bool) :
    (t : Bool) → Eq (Nat.blt (rank f t h) (rank f s g)) t
  | false => Nat.blt_of_le (Nat.le_of_lt (rank_blt_larger less s false))
  | true =>
    have outer : Nat.Lt (rank f true h) (rank f true g) :=
      Eq.trans (Nat.blt_of_add_eq (rank_add_eq hh (Nat.le_trans (Nat.le_of_lt less) hh) false false)) (rank_blt_larger less false false)
    Nat.lt_of_lt_of_le outer (le_rank s g)

/-- Values of equal rank have equal magnitudes and, if these are not zero, equal signs. -/
theorem rank_cases {C : Prop} {s t : Bool} {g h : Nat} (hg : Nat.Le g f.inf) (hh : Nat.Le h f.inf) (e : Eq (rank f s g) (rank f t h))
    (same : Eq s t → Eq g h → C) (zeros : Eq g 0 → Eq h 0 → C) : C :=
  Nat.byOrder g h
    (fun less => Bool.byCases t
      (fun yes => absurd (Eq.symm e) (Nat.ne_of_lt (Eq.trans (larger_blt_rank hh less s t) yes)))
      (fun no => absurd e (Nat.ne_of_lt (Eq.trans (rank_blt_larger less s t) (Bool.not_of_false no)))))
    (fun eg => Or.elim (Nat.eq_zero_or_pos g)
      (fun zero => zeros zero (Eq.trans (Eq.symm eg) zero))
      (fun pos => same (signs pos (Eq.trans e (congrArg (rank f t) (Eq.symm eg)))) eg))
    (fun less => Bool.byCases s
      (fun yes => absurd e (Nat.ne_of_lt (Eq.trans (larger_blt_rank hg less t s) yes)))
      (fun no => absurd (Eq.symm e) (Nat.ne_of_lt (Eq.trans (rank_blt_larger less t s) (Bool.not_of_false no)))))
where
  /-- A value that is not zero and its opposite have different ranks. -/
  signs {g : Nat} (pos : Nat.Lt 0 g) : {s t : Bool} → Eq (rank f s g) (rank f t g) → Eq s t
    | true, true, _ => rfl
    | false, false, _ => rfl
    | true, false, e => absurd e (Nat.ne_of_lt (Nat.lt_of_le_of_lt (Nat.sub_le f.inf g) (Nat.lt_add_of_pos f.inf pos)))
    | false, true, e => absurd e (Nat.ne_of_gt (Nat.lt_of_le_of_lt (Nat.sub_le f.inf g) (Nat.lt_add_of_pos f.inf pos)))

/-- Values of equal rank have equal magnitudes. -/
theorem mag_eq_of_rank_eq {s t : Bool} {g h : Nat} (hg : Nat.Le g f.inf) (hh : Nat.Le h f.inf) (e : Eq (rank f s g) (rank f t h)) : Eq g h :=
  rank_cases hg hh e (fun _ eg => eg) (fun zg zh => Eq.trans zg (Eq.symm zh))

end Fp
