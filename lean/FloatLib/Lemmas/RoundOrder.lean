prelude
import FloatLib.Lemmas.Round
/-!
# Rounding keeps the order

Within one step size because quotients do (`roundAt_le`), across step sizes because every pattern of a larger step is above every
one of a smaller step (`roundAt_le_top`, `top_le_roundAt`). So larger patterns are worth more (`units_lt`).
-/

noncomputable section

/-- A truth value as a number: more is more. -/
theorem cond_one_zero_le {a b : Bool} (h : Eq a true → Eq b true) : Nat.Le (cond a 1 0) (cond b 1 0) :=
  Bool.byCases a
    (fun yes => Nat.le_of_eq (Eq.trans (cond_of_true yes 1 0) (Eq.symm (cond_of_true (h yes) 1 0))))
    (fun no => Nat.le_trans (Nat.le_of_eq (cond_of_false no 1 0)) (Nat.zero_le _))

theorem cond_one_zero_le_one (a : Bool) : Nat.Le (cond a 1 0) 1 :=
  match a with
  | true => rfl
  | false => rfl

/-- A larger remainder goes up where a smaller one does. -/
theorem Mode.up_of_le {neg : Bool} {c r r' d : Nat} (h : Nat.Le r r') :
    (mode : Mode) → Eq (mode.up neg c r d) true → Eq (mode.up neg c r' d) true
  | rn, e => Or.elim (Bool.or_eq_true e)
      (fun more => Bool.or_of_true_left (Nat.lt_of_lt_of_le (a := d) (b := Nat.mul 2 r) more (Nat.mul_le_mul_right 2 h)))
      (fun tie => Or.elim (Nat.lt_or_eq_of_le (a := d) (b := Nat.mul 2 r')
          (Nat.le_trans (Nat.le_of_eq (Nat.eq_of_beq _ _ (Bool.and_eq_true_left tie))) (Nat.mul_le_mul_right 2 h)))
        Bool.or_of_true_left (fun same => Bool.or_of_true_right (Bool.and_of_true (Nat.beq_of_eq same) (Bool.and_eq_true_right tie))))
  | rz, e => e
  | rm, e => Bool.and_of_true (Bool.and_eq_true_left e) (Nat.lt_of_lt_of_le (a := 0) (b := r) (Bool.and_eq_true_right e) h)
  | rp, e => Bool.and_of_true (Bool.and_eq_true_left e) (Nat.lt_of_lt_of_le (a := 0) (b := r) (Bool.and_eq_true_right e) h)

namespace Fp

variable {f : Format} {mode : Mode}

/-! Within one step size. -/

/-- A rounded quotient is the quotient rounded down or the number after it; it grows with the numerator. -/
theorem roundQuot_le {neg : Bool} {a b d : Nat} (h : Nat.Le a b) :
    Nat.Le ((a.div d).add (cond (mode.up neg (a.div d) (a.mod d) d) 1 0)) ((b.div d).add (cond (mode.up neg (b.div d) (b.mod d) d) 1 0)) :=
  Or.elim (Nat.lt_or_eq_of_le (Nat.div_le_div h d))
    (fun less => Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one _) (a.div d))
      (Nat.le_trans (a := (a.div d).succ) less (Nat.le_add_right (b.div d) _)))
    (fun same => Nat.add_le_add (Nat.le_of_eq same) (cond_one_zero_le (fun e =>
      Eq.subst (motive := fun c => Eq (mode.up neg c (b.mod d) d) true) same (Mode.up_of_le (rest same) mode e))))
where
  rest (same : Eq (a.div d) (b.div d)) : Nat.Le (a.mod d) (b.mod d) :=
    Nat.le_of_add_le_add_left (d.mul (a.div d)) (Nat.le_trans (Nat.le_of_eq (Nat.div_add_mod a d)) (Nat.le_trans h
      (Nat.le_of_eq (Eq.trans (Eq.symm (Nat.div_add_mod b d)) (congrArg (fun c => (d.mul c).add (b.mod d)) (Eq.symm same))))))

theorem roundAt_le {neg : Bool} {a b : Nat} (h : Nat.Le a b) (q s : Nat) : Nat.Le (roundAt f mode neg a q s) (roundAt f mode neg b q s) :=
  Nat.le_trans (Nat.le_of_eq (Nat.add_assoc _ _ _)) (Nat.le_trans
    (Nat.add_le_add_left (roundQuot_le h) (s.mul (Nat.pow 2 f.mant))) (Nat.le_of_eq (Eq.symm (Nat.add_assoc _ _ _))))

/-! Across step sizes. -/

/-- A magnitude has at most a full significand of steps, … -/
theorem steps_lt (f : Format) (n : Nat) : Nat.Lt (n.div (Nat.pow 2 (stepLog f n))) (Nat.pow 2 f.mant.succ) :=
  Nat.div_lt_of_lt_mul (Nat.lt_of_lt_of_le (Nat.lt_two_pow_log2 n) (Nat.le_trans
    (Nat.two_pow_le_two_pow (Nat.le_trans (Nat.succ_le_succ (a := n.log2) (b := f.mant.add (stepLog f n))
      (Nat.le_add_of_sub_le (Nat.le_of_eq (Eq.symm (stepLog_eq f n))))) (Nat.le_of_eq (congrArg Nat.succ (Nat.add_comm f.mant (stepLog f n))))))
    (Nat.le_of_eq (Nat.pow_add 2 (stepLog f n) f.mant.succ))))

/-- … and at least one with its highest bit set, if a step is more than a unit. -/
theorem le_steps {f : Format} {n : Nat} (pos : Nat.Lt 0 (stepLog f n)) : Nat.Le (Nat.pow 2 f.mant) (n.div (Nat.pow 2 (stepLog f n))) :=
  have log : Eq n.log2 (f.mant.add (stepLog f n)) :=
    Nat.eq_add_of_sub_eq (Nat.le_of_lt (Nat.lt_of_sub_pos (Nat.lt_of_lt_of_le pos (Nat.le_of_eq (stepLog_eq f n))))) (Eq.symm (stepLog_eq f n))
  have npos : Nat.Lt 0 n := Nat.pos_of_ne_zero (fun e => Nat.ne_of_gt pos
    (Eq.trans (congrArg (stepLog f) e) (stepLog_of_lt (Nat.two_pow_pos f.mant.succ))))
  Nat.le_div_of_mul_le (Nat.two_pow_pos (stepLog f n)) (Nat.le_trans
    (Nat.le_of_eq (Eq.trans (Eq.symm (Nat.pow_add 2 (stepLog f n) f.mant)) (congrArg (Nat.pow 2) (Nat.add_comm (stepLog f n) f.mant))))
    (Nat.two_pow_le_of_le_log2 npos (Nat.le_of_eq (Eq.symm log))))

theorem stepLog_le {a b : Nat} (h : Nat.Le a b) : Nat.Le (stepLog f a) (stepLog f b) :=
  Nat.le_trans (Nat.le_of_eq (stepLog_eq f a)) (Nat.le_trans (Nat.sub_le_sub_right (Nat.log2_le_log2 h) f.mant) (Nat.le_of_eq (Eq.symm (stepLog_eq f b))))

/-- The first pattern of the next step size bounds the patterns of this one, … -/
theorem roundAt_le_top {neg : Bool} (p q : Nat) :
    Nat.Le (roundAt f mode neg p q (stepLog f (p.div q))) (((stepLog f (p.div q)).succ.mul (Nat.pow 2 f.mant)).add (Nat.pow 2 f.mant)) :=
  Nat.le_trans (Nat.le_of_eq (Nat.add_assoc _ _ _)) (Nat.le_trans
    (Nat.add_le_add_left (Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one _) _)
      (Nat.lt_of_le_of_lt (Nat.le_of_eq (Nat.div_mul p q _)) (steps_lt f (p.div q)))) ((stepLog f (p.div q)).mul (Nat.pow 2 f.mant)))
    (Nat.le_of_eq (top (stepLog f (p.div q)) (Nat.pow 2 f.mant) _ (Nat.two_pow_succ f.mant))))
where
  top (s w t : Nat) (ht : Eq t (w.add w)) : Eq ((s.mul w).add t) ((s.succ.mul w).add w) :=
    Eq.trans (congrArg (Nat.add (s.mul w)) ht) (Eq.trans (Eq.symm (Nat.add_assoc _ w w)) (congrArg (fun x => Nat.add x w) (Eq.symm (Nat.succ_mul s w))))

/-- … and is the least of its own. -/
theorem top_le_roundAt {neg : Bool} {p q : Nat} (pos : Nat.Lt 0 (stepLog f (p.div q))) :
    Nat.Le (((stepLog f (p.div q)).mul (Nat.pow 2 f.mant)).add (Nat.pow 2 f.mant)) (roundAt f mode neg p q (stepLog f (p.div q))) :=
  Nat.le_add_of_le (Nat.add_le_add_left (Nat.le_trans (le_steps pos) (Nat.le_of_eq (Eq.symm (Nat.div_mul p q _)))) _) _

/-! All together. -/

theorem roundAt_stepLog_le {neg : Bool} {a b : Nat} (h : Nat.Le a b) (q : Nat) :
    Nat.Le (roundAt f mode neg a q (stepLog f (a.div q))) (roundAt f mode neg b q (stepLog f (b.div q))) :=
  Or.elim (Nat.lt_or_eq_of_le (stepLog_le (f := f) (Nat.div_le_div h q)))
    (fun less => Nat.le_trans (roundAt_le_top a q) (Nat.le_trans
      (Nat.add_le_add_right (Nat.mul_le_mul_left (a := (stepLog f (a.div q)).succ) less (Nat.pow 2 f.mant)) (Nat.pow 2 f.mant))
      (top_le_roundAt (Nat.pos_of_lt less))))
    (fun same => Nat.le_trans (roundAt_le h q (stepLog f (a.div q))) (Nat.le_of_eq (congrArg (roundAt f mode neg b q) same)))

theorem min_le_min_left {a b : Nat} (h : Nat.Le a b) (c : Nat) : Nat.Le (Nat.min a c) (Nat.min b c) :=
  Nat.le_min (Nat.le_trans (Nat.min_le_left a c) h) (Nat.min_le_right a c)

theorem roundMag_le_left {neg : Bool} {a b : Nat} (h : Nat.Le a b) (q : Nat) : Nat.Le (roundMag f mode neg a q) (roundMag f mode neg b q) :=
  min_le_min_left (roundAt_stepLog_le h q) _

/-- A larger quotient has at least the pattern of a smaller one. -/
theorem roundMag_le {neg : Bool} {p q p' q' : Nat} (hq : Nat.Lt 0 q) (hq' : Nat.Lt 0 q') (h : Nat.Le (p.mul q') (p'.mul q)) :
    Nat.Le (roundMag f mode neg p q) (roundMag f mode neg p' q') :=
  Nat.le_trans (Nat.le_of_eq (Eq.symm (roundMag_mul_left hq' neg p q))) (Nat.le_trans
    (Nat.le_of_eq (congrArg2 (roundMag f mode neg) (Nat.mul_comm q' p) (Nat.mul_comm q' q))) (Nat.le_trans
    (roundMag_le_left h (q.mul q')) (Nat.le_trans
    (Nat.le_of_eq (congrArg (fun x => roundMag f mode neg x (q.mul q')) (Nat.mul_comm p' q)))
    (Nat.le_of_eq (roundMag_mul_left hq neg p' q')))))

/-! Worth keeps the order of patterns, and shows it. -/

theorem le_of_units_le {g h : Nat} (e : Nat.Le (units f g) (units f h)) : Nat.Le g h :=
  Nat.le_trans (Nat.le_of_eq (Eq.symm (at_one g))) (Nat.le_trans (roundAt_stepLog_le (mode := .rn) (neg := false) e 1) (Nat.le_of_eq (at_one h)))
where
  at_one (g : Nat) : Eq (roundAt f .rn false (units f g) 1 (stepLog f ((units f g).div 1))) g :=
    Eq.trans (congrArg (fun n => roundAt f .rn false (units f g) 1 (stepLog f n)) (Nat.div_one (units f g))) (roundAt_units false g)

theorem units_lt {g h : Nat} (e : Nat.Lt g h) : Nat.Lt (units f g) (units f h) :=
  Nat.lt_of_not_le (fun l => Nat.not_le_of_lt e (le_of_units_le l))

theorem units_le {g h : Nat} (e : Nat.Le g h) : Nat.Le (units f g) (units f h) :=
  Nat.le_of_not_lt (fun l => Nat.not_lt_of_le e (Nat.lt_of_le_of_ne (le_of_units_le (Nat.le_of_lt l)) (fun same => Nat.ne_of_lt l (congrArg (units f) same))))

theorem lt_of_units_lt {g h : Nat} (e : Nat.Lt (units f g) (units f h)) : Nat.Lt g h :=
  Nat.lt_of_not_le (fun l => Nat.not_lt_of_le (units_le l) e)

/-- A quotient that is not above a pattern's worth does not round above that pattern. -/
theorem roundMag_le_of_le_units {neg : Bool} {p q g : Nat} (pos : Nat.Lt 0 q) (fin : Nat.Lt g f.inf) (h : Nat.Le p ((units f g).mul q)) :
    Nat.Le (roundMag f mode neg p q) g :=
  Nat.le_trans (roundMag_le (q' := 1) pos rfl (Nat.le_trans (Nat.le_of_eq (Nat.mul_one p)) h)) (Nat.le_of_eq (roundMag_units_of_lt fin))

/-- A quotient that is not below a pattern's worth does not round below that pattern. -/
theorem le_roundMag_of_units_le {neg : Bool} {p q g : Nat} (pos : Nat.Lt 0 q) (fin : Nat.Lt g f.inf) (h : Nat.Le ((units f g).mul q) p) :
    Nat.Le g (roundMag f mode neg p q) :=
  Nat.le_trans (Nat.le_of_eq (Eq.symm (roundMag_units_of_lt fin)))
    (roundMag_le (q := 1) rfl pos (Nat.le_trans h (Nat.le_of_eq (Eq.symm (Nat.mul_one p)))))

end Fp
