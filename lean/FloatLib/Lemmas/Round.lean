prelude
import FloatLib.Lemmas.Scale
/-!
# Rounding a representable value is exact

`roundMag_units`: the worth of a pattern rounds to that pattern. So patterns of equal worth are equal (`units_inj`), and rounding
twice is rounding once.
-/

noncomputable section

theorem Nat.le_min {a b c : Nat} (h : Le c a) (h' : Le c b) : Le c (min a b) :=
  Or.elim (le_total a b) (fun e => le_trans h (le_of_eq (Eq.symm (min_of_le e)))) (fun e => le_trans h' (le_of_eq (Eq.symm (min_of_ge e))))

/-- Nothing left over, nothing to round. -/
theorem Mode.up_zero {d : Nat} (pos : Nat.Lt 0 d) (neg : Bool) (c : Nat) : (mode : Mode) → Eq (mode.up neg c 0 d) false
  | rn => Bool.or_of_false rfl (Bool.and_of_false_left (Nat.beq_of_gt pos))
  | rz => rfl
  | rm => Bool.and_false neg
  | rp => Bool.and_false neg.not

/-- No mode stops before the largest finite pattern. -/
theorem Mode.le_limit {f : Format} {g : Nat} (h : Nat.Lt g f.inf) (neg : Bool) : (mode : Mode) → Nat.Le g (mode.limit f neg)
  | rn => Nat.le_of_lt h
  | rz => Nat.pred_le_pred (a := g.succ) h
  | rm => Bool.byCases neg (fun e => Nat.le_trans (Nat.le_of_lt h) (Nat.le_of_eq (Eq.symm (cond_of_true e _ _))))
      (fun e => Nat.le_trans (Nat.pred_le_pred (a := g.succ) h) (Nat.le_of_eq (Eq.symm (cond_of_false e _ _))))
  | rp => Bool.byCases neg (fun e => Nat.le_trans (Nat.pred_le_pred (a := g.succ) h) (Nat.le_of_eq (Eq.symm (cond_of_true e _ _))))
      (fun e => Nat.le_trans (Nat.le_of_lt h) (Nat.le_of_eq (Eq.symm (cond_of_false e _ _))))

namespace Fp

variable {f : Format} {mode : Mode}

/-! The step of the grid. -/

theorem topBit_eq (fuel n : Nat) : Eq (topBit fuel n) n.log2 :=
  cond_eq (fun zero => Eq.symm (congrArg Nat.log2 (Nat.eq_of_beq n 0 zero)))
    (fun _ => cond_eq (fun h => Eq.symm (Nat.log2_unique (n := n) (k := topBitSearch n fuel 0) (Bool.and_eq_true_left h) (Bool.and_eq_true_right h)))
      (fun _ => rfl))

theorem stepLog_eq (f : Format) (n : Nat) : Eq (stepLog f n) (n.log2.sub f.mant) := congrArg (fun x => Nat.sub x f.mant) (topBit_eq _ n)

/-- Subnormal numbers and the first normal ones are a unit apart. -/
theorem stepLog_of_lt {n : Nat} (h : Nat.Lt n (Nat.pow 2 f.mant.succ)) : Eq (stepLog f n) 0 :=
  Eq.trans (stepLog_eq f n) (Nat.sub_eq_zero_of_le (Or.elim (Nat.eq_zero_or_pos n)
    (fun e => Nat.le_trans (Nat.le_of_eq (congrArg Nat.log2 e)) (Nat.zero_le f.mant))
    (fun pos => Nat.le_of_lt_succ (Nat.log2_lt_of_lt_two_pow pos h))))

/-- Around a full significand times `2 ^ e`, a step is `2 ^ e` units. -/
theorem stepLog_mul {c : Nat} (low : Nat.Le (Nat.pow 2 f.mant) c) (high : Nat.Lt c (Nat.pow 2 f.mant.succ)) (e : Nat) :
    Eq (stepLog f (c.mul (Nat.pow 2 e))) e :=
  Eq.step (stepLog f (c.mul (Nat.pow 2 e))) (stepLog_eq f _) (
  Eq.step ((c.mul (Nat.pow 2 e)).log2.sub f.mant)
    (congrArg (fun x => Nat.sub x f.mant) (Nat.log2_mul_two_pow (Nat.lt_of_lt_of_le (Nat.two_pow_pos f.mant) low) e)) (
  Eq.step ((c.log2.add e).sub f.mant) (congrArg (fun x => Nat.sub (Nat.add x e) f.mant) (Nat.log2_unique low high)) (
  Eq.step ((f.mant.add e).sub f.mant) (Nat.add_sub_cancel_left f.mant e) (
  Eq.done e))))

/-! Exact values. -/

/-- A whole number of steps is not changed. -/
theorem roundAt_exact {neg : Bool} {p q s c : Nat} (pos : Nat.Lt 0 q) (h : Eq p ((q.mul (Nat.pow 2 s)).mul c)) :
    Eq (roundAt f mode neg p q s) ((s.mul (Nat.pow 2 f.mant)).add c) :=
  have dpos : Nat.Lt 0 (q.mul (Nat.pow 2 s)) := Nat.mul_pos pos (Nat.two_pow_pos s)
  have quot : Eq (p.div (q.mul (Nat.pow 2 s))) c := Eq.trans (congrArg (fun x => Nat.div x _) h) (Nat.mul_div_cancel_left dpos c)
  have rest : Eq (p.mod (q.mul (Nat.pow 2 s))) 0 := Eq.trans (congrArg (fun x => Nat.mod x _) h) (Nat.mod_mul_self _ c)
  congrArg2 (fun x b => ((s.mul (Nat.pow 2 f.mant)).add x).add (cond b 1 0)) quot
    (Eq.trans (congrArg (fun r => mode.up neg _ r _) rest) (Mode.up_zero dpos neg _ mode))

theorem roundAt_units (neg : Bool) (g : Nat) : Eq (roundAt f mode neg (units f g) 1 (stepLog f (units f g))) g :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun h =>
      Eq.step (roundAt f mode neg (units f g) 1 (stepLog f (units f g)))
        (congrArg (fun u => roundAt f mode neg u 1 (stepLog f u)) (units_of_lt h)) (
      Eq.step (roundAt f mode neg g 1 (stepLog f g))
        (congrArg (roundAt f mode neg g 1) (stepLog_of_lt (Nat.lt_trans h (Nat.two_pow_lt_succ f.mant)))) (
      Eq.step (roundAt f mode neg g 1 0) (roundAt_exact rfl (Eq.symm (Nat.one_mul g))) (
      Eq.step ((Nat.mul 0 (Nat.pow 2 f.mant)).add g) (congrArg (fun x => Nat.add x g) (Nat.zero_mul _)) (
      Eq.step (Nat.add 0 g) (Nat.zero_add g) (
      Eq.done g))))))
    (fun h =>
      Eq.trans (congrArg (fun u => roundAt f mode neg u 1 (stepLog f u)) (units_of_ge h))
        (normal (Nat.pow 2 f.mant) rfl (g.div (Nat.pow 2 f.mant)) (g.mod (Nat.pow 2 f.mant))
          (Nat.le_div_of_mul_le (Nat.two_pow_pos f.mant) (Nat.le_trans (Nat.le_of_eq (Nat.mul_one _)) h))
          (Nat.mod_lt (Nat.two_pow_pos f.mant) g) (Nat.div_add_mod g (Nat.pow 2 f.mant))))
where
  /-- With significand `m` and exponent field `e`. -/
  normal (w : Nat) (hw : Eq (Nat.pow 2 f.mant) w) (e m : Nat) (epos : Nat.Lt 0 e) (small : Nat.Lt m w) (he : Eq ((w.mul e).add m) g) :
      Eq (roundAt f mode neg ((w.add m).mul (Nat.pow 2 (e.sub 1))) 1 (stepLog f ((w.add m).mul (Nat.pow 2 (e.sub 1))))) g :=
    Eq.step (roundAt f mode neg ((w.add m).mul (Nat.pow 2 (e.sub 1))) 1 (stepLog f ((w.add m).mul (Nat.pow 2 (e.sub 1)))))
      (congrArg (roundAt f mode neg ((w.add m).mul (Nat.pow 2 (e.sub 1))) 1)
        (stepLog_mul (Nat.le_trans (Nat.le_of_eq hw) (Nat.le_add_right w m))
          (Nat.lt_of_lt_of_le (Nat.add_lt_add_left small w)
            (Nat.le_of_eq (Eq.symm (Eq.trans (Nat.two_pow_succ f.mant) (congrArg2 Nat.add hw hw))))) (e.sub 1))) (
    Eq.step (roundAt f mode neg ((w.add m).mul (Nat.pow 2 (e.sub 1))) 1 (e.sub 1))
      (roundAt_exact rfl (Eq.trans (Nat.mul_comm _ _) (congrArg (fun x => Nat.mul x (w.add m)) (Eq.symm (Nat.one_mul _))))) (
    Eq.step (((e.sub 1).mul (Nat.pow 2 f.mant)).add (w.add m)) (congrArg (fun x => ((e.sub 1).mul x).add (w.add m)) hw) (
    Eq.step (((e.sub 1).mul w).add (w.add m)) (Eq.symm (Nat.add_assoc _ w m)) (
    Eq.step ((((e.sub 1).mul w).add w).add m) (congrArg (fun x => Nat.add x m) (Eq.symm (Nat.succ_mul e.pred w))) (
    Eq.step ((e.pred.succ.mul w).add m) (congrArg (fun x => Nat.add x m)
      (Eq.trans (congrArg (fun x => Nat.mul x w) (Nat.succ_pred epos)) (Nat.mul_comm e w))) (
    Eq.step ((w.mul e).add m) he (
    Eq.done g)))))))

/-- The worth of a pattern that the mode may give rounds to that pattern. -/
theorem roundMag_units {neg : Bool} {g : Nat} (h : Nat.Le g (Nat.min (mode.limit f neg) f.inf)) : Eq (roundMag f mode neg (units f g) 1) g :=
  Eq.trans (congrArg (fun n => Nat.min (roundAt f mode neg (units f g) 1 (stepLog f n)) _) (Nat.div_one (units f g)))
    (Eq.trans (congrArg (fun n => Nat.min n _) (roundAt_units neg g)) (Nat.min_of_le h))

theorem roundMag_units_of_lt {neg : Bool} {g : Nat} (h : Nat.Lt g f.inf) : Eq (roundMag f mode neg (units f g) 1) g :=
  roundMag_units (Nat.le_min (Mode.le_limit h neg mode) (Nat.le_of_lt h))

/-- To nearest, infinity's worth too. -/
theorem roundMag_rn_units {neg : Bool} {g : Nat} (h : Nat.Le g f.inf) : Eq (roundMag f .rn neg (units f g) 1) g :=
  roundMag_units (Nat.le_min h h)

/-- A quotient that is worth a finite pattern rounds to it. -/
theorem round_exact {s : Bool} {p q g : Nat} {valid : Eq (Nat.ble g f.inf) true} (pos : Nat.Lt 0 q) (fin : Nat.Lt g f.inf)
    (h : Eq p ((units f g).mul q)) : Eq (round mode s p q) (num s g valid) :=
  num_congr rfl (Eq.trans (roundMag_ratio (q' := 1) pos rfl (Eq.trans (Nat.mul_one p) h)) (roundMag_units_of_lt fin))

theorem round_units {s : Bool} {g : Nat} {valid : Eq (Nat.ble g f.inf) true} (fin : Nat.Lt g f.inf) :
    Eq (round mode s (units f g) 1) (num s g valid) := num_congr rfl (roundMag_units_of_lt fin)

theorem roundMag_zero {neg : Bool} {q : Nat} (pos : Nat.Lt 0 q) : Eq (roundMag f mode neg 0 q) 0 :=
  Eq.trans (roundMag_ratio (p' := units f 0) (q' := 1) pos rfl
    (Eq.symm (Eq.trans (congrArg (fun x => Nat.mul x q) units_zero) (Nat.zero_mul q)))) (roundMag_units (g := 0) rfl)

theorem round_zero {s : Bool} {q : Nat} (pos : Nat.Lt 0 q) : Eq (round (f := f) mode s 0 q) (zero s) := num_congr rfl (roundMag_zero pos)

/-- Patterns of equal worth are equal. -/
theorem units_inj {g h : Nat} (e : Eq (units f g) (units f h)) : Eq g h :=
  Eq.trans (Eq.symm (roundAt_units (mode := .rn) false g))
    (Eq.trans (congrArg (fun u => roundAt f .rn false u 1 (stepLog f u)) e) (roundAt_units false h))

/-- Rounding to nearest twice is rounding once. -/
theorem roundMag_rn_roundMag (s t : Bool) (p q : Nat) : Eq (roundMag f .rn s (units f (roundMag f mode t p q)) 1) (roundMag f mode t p q) :=
  roundMag_rn_units (min_le _ (mode.limit f t) f.inf)

/-- Rounding twice in one mode is rounding once. -/
theorem roundMag_roundMag (s : Bool) (p q : Nat) : Eq (roundMag f mode s (units f (roundMag f mode s p q)) 1) (roundMag f mode s p q) :=
  roundMag_units (Nat.min_le_right _ _)

end Fp
