prelude
import FloatLib.Float.Value
import FloatLib.Lemmas.Nat.Pow2
/-!
# Values: when two are the same, and what patterns are worth
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- Same sign and pattern, same value: the proof of validity is not observed. -/
theorem num_congr {s s' : Bool} {g g' : Nat} {h : Eq (Nat.ble g f.inf) true} {h' : Eq (Nat.ble g' f.inf) true}
    (hs : Eq s s') (hg : Eq g g') : Eq (num (f := f) s g h) (num s' g' h') :=
  Eq.subst (motive := fun k => (hk : Eq (Nat.ble k f.inf) true) → Eq (num (f := f) s g h) (num s' k hk)) hg
    (fun _ => Eq.subst (motive := fun t => Eq (num (f := f) s g h) (num t g h)) hs rfl) h'

/-- NaN has one representation. -/
theorem eq_nan_of_isNan : (a : Fp f) → Eq a.isNan true → Eq a nan
  | nan, _ => rfl
  | num _ _ _, h => (Bool.false_ne_true h).elim

theorem eq_inf_of_beq {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (e : Eq (Nat.beq g f.inf) true) : Eq (num s g h) (inf s) :=
  num_congr rfl (Nat.eq_of_beq g f.inf e)

theorem eq_zero_of_beq {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (e : Eq (Nat.beq g 0) true) : Eq (num (f := f) s g h) (zero s) :=
  num_congr rfl (Nat.eq_of_beq g 0 e)

/-- A pattern that is not infinity's is below it. -/
theorem lt_inf_of_beq {g : Nat} (h : Eq (Nat.ble g f.inf) true) (n : Eq (Nat.beq g f.inf) false) : Nat.Lt g f.inf :=
  Nat.lt_of_le_of_ne h (Nat.ne_of_beq n)

/-! Worth. -/

/-- A subnormal pattern is worth itself. -/
theorem units_of_lt {g : Nat} (h : Nat.Lt g (Nat.pow 2 f.mant)) : Eq (units f g) g := cond_of_true h _ _

/-- Any other pattern is worth its significand, doubled for each exponent step. -/
theorem units_of_ge {g : Nat} (h : Nat.Le (Nat.pow 2 f.mant) g) :
    Eq (units f g) (((Nat.pow 2 f.mant).add (g.mod (Nat.pow 2 f.mant))).mul (Nat.pow 2 ((g.div (Nat.pow 2 f.mant)).sub 1))) :=
  cond_of_false (Nat.blt_of_le h) _ _

theorem units_zero : Eq (units f 0) 0 := units_of_lt (Nat.two_pow_pos f.mant)

theorem units_pos {g : Nat} (pos : Nat.Lt 0 g) : Nat.Lt 0 (units f g) :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun h => Nat.lt_of_lt_of_le pos (Nat.le_of_eq (Eq.symm (units_of_lt h))))
    (fun h => Nat.lt_of_lt_of_le
      (Nat.mul_pos (Nat.add_pos_left (Nat.two_pow_pos f.mant) _) (Nat.two_pow_pos _)) (Nat.le_of_eq (Eq.symm (units_of_ge h))))

theorem eq_zero_of_units {g : Nat} (h : Eq (units f g) 0) : Eq g 0 :=
  Or.elim (Nat.eq_zero_or_pos g) id (fun pos => absurd h (Nat.ne_of_gt (units_pos pos)))

theorem one_pos : Nat.Lt 0 f.one := Nat.two_pow_pos _

end Fp
