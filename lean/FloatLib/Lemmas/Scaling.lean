prelude
import FloatLib.Lemmas.RoundOrder
import FloatLib.Lemmas.Unit
/-!
# Products with constants in one step or in two

`mul_mul_scale`: scaling by a power of two that is at least 1 is exact or overflows, so a further scaling may be done first. Scaling
down rounds twice where results are subnormal; of two such scalings only two halvings are always one quartering: a tie in the first
goes to an even number of units, which the second halves exactly. `fma_self_add`: `a * c + a` is `a * (c + 1)`.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Patterns of doubled worth. -/

/-- Below two full significands, patterns are worth themselves. -/
theorem units_of_lt_succ {g : Nat} (h : Nat.Lt g (Nat.pow 2 f.mant.succ)) : Eq (units f g) g :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant)) units_of_lt
    (fun low => Eq.trans (units_of_ge low) (first (Nat.pow 2 f.mant) (Nat.two_pow_pos f.mant) low
      (Nat.lt_of_lt_of_le h (Nat.le_of_eq rfl))))
where
  first (w : Nat) (pos : Nat.Lt 0 w) (low : Nat.Le w g) (high : Nat.Lt g (w.mul 2)) :
      Eq ((w.add (g.mod w)).mul (Nat.pow 2 ((g.div w).sub 1))) g :=
    have quot : Eq (g.div w) 1 := Nat.le_antisymm (Nat.le_of_lt_succ (Nat.div_lt_of_lt_mul high))
      (Nat.le_div_of_mul_le pos (Nat.le_trans (Nat.le_of_eq (Nat.mul_one w)) low))
    Eq.step ((w.add (g.mod w)).mul (Nat.pow 2 ((g.div w).sub 1))) (congrArg (fun x => (w.add (g.mod w)).mul (Nat.pow 2 (Nat.sub x 1))) quot) (
    Eq.step ((w.add (g.mod w)).mul 1) (Nat.mul_one _) (
    Eq.step (w.add (g.mod w)) (congrArg (fun x => Nat.add x (g.mod w)) (Eq.symm (Nat.mul_one w))) (
    Eq.step ((w.mul 1).add (g.mod w)) (congrArg (fun x => (w.mul x).add (g.mod w)) (Eq.symm quot)) (
    Eq.step ((w.mul (g.div w)).add (g.mod w)) (Nat.div_add_mod g w) (
    Eq.done g)))))

/-- The next exponent's pattern is worth twice as much. -/
theorem units_add {g : Nat} (h : Nat.Le (Nat.pow 2 f.mant) g) : Eq (units f (g.add (Nat.pow 2 f.mant))) ((units f g).mul 2) :=
  Eq.trans (units_of_ge (Nat.le_trans h (Nat.le_add_right g _)))
    (Eq.trans (double (Nat.pow 2 f.mant) (Nat.two_pow_pos f.mant) h) (congrArg (fun x => Nat.mul x 2) (Eq.symm (units_of_ge h))))
where
  double (w : Nat) (pos : Nat.Lt 0 w) (low : Nat.Le w g) :
      Eq ((w.add ((g.add w).mod w)).mul (Nat.pow 2 (((g.add w).div w).sub 1))) (((w.add (g.mod w)).mul (Nat.pow 2 ((g.div w).sub 1))).mul 2) :=
    have quot : Eq ((g.add w).div w) (g.div w).succ :=
      Eq.trans (congrArg (fun x => (g.add x).div w) (Eq.symm (Nat.mul_one w))) (Nat.add_mul_div pos g 1)
    have qpos : Nat.Lt 0 (g.div w) := Nat.le_div_of_mul_le pos (Nat.le_trans (Nat.le_of_eq (Nat.mul_one w)) low)
    Eq.step ((w.add ((g.add w).mod w)).mul (Nat.pow 2 (((g.add w).div w).sub 1)))
      (congrArg2 (fun m q => (w.add m).mul (Nat.pow 2 (Nat.sub q 1))) (Nat.add_mod_self g w) quot) (
    Eq.step ((w.add (g.mod w)).mul (Nat.pow 2 (g.div w))) (congrArg (fun q => (w.add (g.mod w)).mul (Nat.pow 2 q)) (Eq.symm (Nat.succ_pred qpos))) (
    Eq.step ((w.add (g.mod w)).mul ((Nat.pow 2 (g.div w).pred).mul 2)) (Eq.symm (Nat.mul_assoc _ _ 2)) (
    Eq.done (((w.add (g.mod w)).mul (Nat.pow 2 ((g.div w).sub 1))).mul 2))))

/-- If the format had no infinity, every doubled worth would be a pattern's. -/
theorem exists_units_double (g : Nat) : Exists (fun g' => Eq (units f g') ((units f g).mul 2)) :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun h => Exists.intro (g.mul 2)
      (Eq.trans (units_of_lt_succ (Nat.mul_lt_mul_left (c := 2) h rfl)) (congrArg (fun x => Nat.mul x 2) (Eq.symm (units_of_lt h)))))
    (fun h => Exists.intro (g.add (Nat.pow 2 f.mant)) (units_add h))

theorem exists_units_two_pow (g : Nat) : (n : Nat) → Exists (fun g' => Eq (units f g') ((units f g).mul (Nat.pow 2 n)))
  | .zero => Exists.intro g (Eq.symm (Nat.mul_one _))
  | .succ n => Exists.elim (exists_units_two_pow g n) (fun g' e => Exists.elim (exists_units_double (f := f) g') (fun g'' e' =>
      Exists.intro g'' (Eq.trans e' (Eq.trans (congrArg (fun x => Nat.mul x 2) e) (Nat.mul_assoc _ (Nat.pow 2 n) 2)))))

/-- A power of two that is at least 1 is so many times 1. -/
theorem exists_two_pow {g : Nat} (normal : Nat.Le (Nat.pow 2 f.mant) g) (bare : Eq (g.mod (Nat.pow 2 f.mant)) 0) (low : Nat.Le f.one (units f g)) :
    Exists (fun n => Eq (units f g) ((Nat.pow 2 n).mul f.one)) :=
  have pow : Eq (units f g) (Nat.pow 2 (f.mant.add ((g.div (Nat.pow 2 f.mant)).sub 1))) :=
    Eq.trans (units_of_ge normal) (Eq.trans (congrArg (fun x => ((Nat.pow 2 f.mant).add x).mul (Nat.pow 2 ((g.div (Nat.pow 2 f.mant)).sub 1))) bare)
      (Eq.symm (Nat.pow_add 2 f.mant _)))
  Exists.intro _ (Eq.trans pow (Eq.symm (Nat.two_pow_sub_mul (Nat.le_of_two_pow_le (Nat.le_trans low (Nat.le_of_eq pow))))))

/-! Products as quotients. -/

theorem mul_finite {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (gfin : Nat.Lt g f.inf)
    (hfin : Nat.Lt h f.inf) : Eq (mul mode (num s g hg) (num t h hh)) (round mode (s.xor t) ((units f g).mul (units f h)) f.one) :=
  cond_of_false (Bool.or_of_false (Nat.beq_of_lt gfin) (Nat.beq_of_lt hfin)) _ _

/-- A quotient that is at least infinity's worth rounds to infinity. -/
theorem roundMag_rn_inf {neg : Bool} {p q : Nat} (pos : Nat.Lt 0 q) (h : Nat.Le ((units f f.inf).mul q) p) : Eq (roundMag f .rn neg p q) f.inf :=
  Nat.le_antisymm (min_le _ (Mode.limit f .rn neg) f.inf)
    (Nat.le_trans (Nat.le_of_eq (Eq.symm (roundMag_rn_units (neg := neg) (Nat.le_refl f.inf))))
      (roundMag_le (q := 1) rfl pos (Nat.le_trans h (Nat.le_of_eq (Eq.symm (Nat.mul_one p))))))

/-- In a product with a value that is at least 1, infinity may count with its worth. -/
theorem mul_rn_of_one_le {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (hfin : Nat.Lt h f.inf) (low : Nat.Le f.one (units f h)) :
    Eq (mul .rn (num s g hg) (num t h hh)) (round .rn (s.xor t) ((units f g).mul (units f h)) f.one) :=
  Bool.byCases (Nat.beq g f.inf)
    (fun yes => Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
      (Eq.trans (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes hfin) (Nat.beq_of_gt (pos_of_units rfl (Nat.lt_of_lt_of_le one_pos low)))) _ _)
        (num_congr rfl (Eq.symm (roundMag_rn_inf one_pos (Nat.le_trans (Nat.mul_le_mul_right (units f f.inf) low)
          (Nat.le_of_eq (congrArg (fun x => (units f x).mul (units f h)) (Eq.symm (Nat.eq_of_beq _ _ yes))))))))))
    (fun no => mul_finite (lt_inf_of_beq hg no) hfin)

/-! Scaling up. -/

theorem roundMag_scale_up {s t : Bool} {g h k n : Nat} (low : Nat.Le f.one (units f h))
    (prod : Eq (((Nat.pow 2 n).mul f.one).mul (units f h)) ((units f k).mul f.one)) :
    Eq (roundMag f .rn s ((units f (roundMag f .rn t ((units f g).mul ((Nat.pow 2 n).mul f.one)) f.one)).mul (units f h)) f.one)
      (roundMag f .rn s ((units f g).mul (units f k)) f.one) :=
  Exists.elim (exists_units_two_pow (f := f) g n) (fun g' e =>
    have first : Eq (roundMag f .rn t ((units f g).mul ((Nat.pow 2 n).mul f.one)) f.one) (Nat.min g' (Nat.min f.inf f.inf)) :=
      Eq.step (roundMag f .rn t ((units f g).mul ((Nat.pow 2 n).mul f.one)) f.one)
        (congrArg (fun x => roundMag f .rn t x f.one) (Eq.trans (Eq.symm (Nat.mul_assoc _ _ _)) (congrArg (fun x => Nat.mul x f.one) (Eq.symm e)))) (
      Eq.step (roundMag f .rn t ((units f g').mul f.one) f.one) (roundMag_ratio (q' := 1) one_pos rfl (Nat.mul_one _)) (
      Eq.step (roundMag f .rn t (units f g') 1)
        (congrArg (fun x => Nat.min (roundAt f .rn t (units f g') 1 (stepLog f x)) (Nat.min f.inf f.inf)) (Nat.div_one _)) (
      Eq.step (Nat.min (roundAt f .rn t (units f g') 1 (stepLog f (units f g'))) (Nat.min f.inf f.inf))
        (congrArg (fun x => Nat.min x (Nat.min f.inf f.inf)) (roundAt_units t g')) (
      Eq.done (Nat.min g' (Nat.min f.inf f.inf))))))
    have total : Eq ((units f g').mul (units f h)) ((units f g).mul (units f k)) :=
      Nat.mul_right_cancel (one_pos (f := f)) (
      Eq.step (((units f g').mul (units f h)).mul f.one) (congrArg (fun x => (Nat.mul x (units f h)).mul f.one) e) (
      Eq.step ((((units f g).mul (Nat.pow 2 n)).mul (units f h)).mul f.one) (Nat.mul_right_comm _ _ _) (
      Eq.step ((((units f g).mul (Nat.pow 2 n)).mul f.one).mul (units f h)) (congrArg (fun x => Nat.mul x (units f h)) (Nat.mul_assoc _ _ _)) (
      Eq.step (((units f g).mul ((Nat.pow 2 n).mul f.one)).mul (units f h)) (Nat.mul_assoc _ _ _) (
      Eq.step ((units f g).mul (((Nat.pow 2 n).mul f.one).mul (units f h))) (congrArg (Nat.mul (units f g)) prod) (
      Eq.step ((units f g).mul ((units f k).mul f.one)) (Eq.symm (Nat.mul_assoc _ _ _)) (
      Eq.done (((units f g).mul (units f k)).mul f.one))))))))
    Or.elim (Nat.le_total g' f.inf)
      (fun small => congrArg (fun x => roundMag f .rn s x f.one)
        (Eq.trans (congrArg (fun x => (units f x).mul (units f h)) (Eq.trans first (Nat.min_of_le (Nat.le_min small small)))) total))
      (fun large =>
        have top : Eq (roundMag f .rn t ((units f g).mul ((Nat.pow 2 n).mul f.one)) f.one) f.inf :=
          Eq.trans first (Nat.le_antisymm (Nat.le_trans (Nat.min_le_right _ _) (Nat.min_le_left _ _))
            (Nat.le_min large (Nat.le_min (Nat.le_refl _) (Nat.le_refl _))))
        Eq.trans (congrArg (fun x => roundMag f .rn s ((units f x).mul (units f h)) f.one) top)
          (Eq.trans (roundMag_rn_inf one_pos (Nat.mul_le_mul_right (units f f.inf) low))
            (Eq.symm (roundMag_rn_inf one_pos (Nat.le_trans (Nat.mul_le_mul (units_le large) low) (Nat.le_of_eq total)))))))

/-! Halving twice. -/

/-- A quotient in steps of one unit. -/
theorem roundAt_zero {neg : Bool} {p d q r : Nat} (small : Nat.Lt r d) (e : Eq ((d.mul q).add r) p) :
    Eq (roundAt f mode neg p d 0) (q.add (cond (mode.up neg q r d) 1 0)) :=
  Eq.step (roundAt f mode neg p d 0) (congrArg (fun x => (Nat.add (Nat.mul 0 (Nat.pow 2 f.mant)) (p.div x)).add
      (cond (mode.up neg (p.div x) (p.mod x) x) 1 0)) (Nat.mul_one d)) (
  Eq.step ((Nat.add (Nat.mul 0 (Nat.pow 2 f.mant)) (p.div d)).add (cond (mode.up neg (p.div d) (p.mod d) d) 1 0))
    (congrArg (fun x => Nat.add x (cond (mode.up neg (p.div d) (p.mod d) d) 1 0))
      (Eq.trans (congrArg (fun x => Nat.add x (p.div d)) (Nat.zero_mul _)) (Nat.zero_add _))) (
  Eq.step ((p.div d).add (cond (mode.up neg (p.div d) (p.mod d) d) 1 0))
    (congrArg2 (fun x y => Nat.add x (cond (mode.up neg x y d) 1 0)) (Nat.div_unique small e) (Nat.mod_unique small e)) (
  Eq.done (q.add (cond (mode.up neg q r d) 1 0)))))

theorem odd_double (q : Nat) : Eq (Nat.odd (Nat.mul 2 q)) false :=
  Nat.beq_of_ne (fun e => Nat.ne_of_lt (a := 0) (b := 1) rfl (Eq.trans (Eq.symm (Nat.mod_mul_self 2 q)) e))

theorem odd_double_succ (q : Nat) : Eq (Nat.odd (Nat.mul 2 q).succ) true :=
  Nat.beq_of_eq (Nat.mod_unique (n := (Nat.mul 2 q).succ) (d := 2) (q := q) (r := 1) rfl rfl)

/-- What is left over by four is one of four numbers. -/
theorem four_cases {C : Nat → Prop} (p : Nat) (h₀ : (j : Nat) → C (Nat.mul 4 j)) (h₁ : (j : Nat) → C ((Nat.mul 4 j).add 1))
    (h₂ : (j : Nat) → C ((Nat.mul 4 j).add 2)) (h₃ : (j : Nat) → C ((Nat.mul 4 j).add 3)) : C p :=
  Eq.subst (Nat.div_add_mod p 4) (rest (p.mod 4) (Nat.mod_lt (d := 4) rfl p))
where
  rest : (r : Nat) → Nat.Lt r 4 → C ((Nat.mul 4 (p.div 4)).add r)
    | .zero, _ => h₀ _
    | .succ .zero, _ => h₁ _
    | .succ (.succ .zero), _ => h₂ _
    | .succ (.succ (.succ .zero)), _ => h₃ _
    | .succ (.succ (.succ (.succ r))), h => (Nat.not_lt_zero (a := r) h).elim

/-- Halving whole numbers twice, ties to even each time, is quartering: a tie in the first step gives an even number. -/
theorem roundAt_half_half (s t u : Bool) (p : Nat) : Eq (roundAt f .rn s (roundAt f .rn t p 2 0) 2 0) (roundAt f .rn u p 4 0) :=
  four_cases (C := fun p => Eq (roundAt f .rn s (roundAt f .rn t p 2 0) 2 0) (roundAt f .rn u p 4 0)) p
    (fun j =>
      have one : Eq (roundAt f .rn t (Nat.mul 4 j) 2 0) (Nat.mul 2 j) := roundAt_zero (q := Nat.mul 2 j) (r := 0) rfl (twice j)
      Eq.trans (again one) (Eq.trans (roundAt_zero (q := j) (r := 0) rfl rfl) (Eq.symm (roundAt_zero (q := j) (r := 0) rfl rfl))))
    (fun j =>
      have one : Eq (roundAt f .rn t ((Nat.mul 4 j).add 1) 2 0) (Nat.mul 2 j) :=
        Eq.trans (roundAt_zero (q := Nat.mul 2 j) (r := 1) rfl (congrArg Nat.succ (twice j)))
          (congrArg (fun b => (Nat.mul 2 j).add (cond b 1 0)) (odd_double j))
      Eq.trans (again one) (Eq.trans (roundAt_zero (q := j) (r := 0) rfl rfl) (Eq.symm (roundAt_zero (q := j) (r := 1) rfl rfl))))
    (fun j =>
      have one : Eq (roundAt f .rn t ((Nat.mul 4 j).add 2) 2 0) (Nat.mul 2 j).succ :=
        roundAt_zero (q := (Nat.mul 2 j).succ) (r := 0) rfl (congrArg (fun x => Nat.add x 2) (twice j))
      Eq.trans (again one) (Eq.trans (roundAt_zero (q := j) (r := 1) rfl rfl) (Eq.symm (roundAt_zero (q := j) (r := 2) rfl rfl))))
    (fun j =>
      have one : Eq (roundAt f .rn t ((Nat.mul 4 j).add 3) 2 0) (Nat.mul 2 j).succ.succ :=
        Eq.trans (roundAt_zero (q := (Nat.mul 2 j).succ) (r := 1) rfl (congrArg (fun x => Nat.add x 3) (twice j)))
          (congrArg (fun b => (Nat.mul 2 j).succ.add (cond b 1 0)) (odd_double_succ j))
      Eq.trans (again one) (Eq.trans (roundAt_zero (q := j.succ) (r := 0) rfl rfl) (Eq.symm (roundAt_zero (q := j) (r := 3) rfl rfl))))
where
  twice (j : Nat) : Eq (Nat.mul 2 (Nat.mul 2 j)) (Nat.mul 4 j) := Eq.symm (Nat.mul_assoc 2 2 j)
  again {x y : Nat} (e : Eq x y) : Eq (roundAt f .rn s x 2 0) (roundAt f .rn s y 2 0) := congrArg (fun z => roundAt f .rn s z 2 0) e

/-- A part of a number of units does not round above that number. -/
theorem roundAt_le_self {neg : Bool} {g d : Nat} (pos : Nat.Lt 0 d) (small : Nat.Lt g (Nat.pow 2 f.mant.succ)) :
    Nat.Le (roundAt f mode neg g d (stepLog f (g.div d))) g :=
  Nat.le_trans (roundAt_stepLog_le (Nat.le_mul_of_pos_right g pos) d) (Nat.le_of_eq (
    Eq.step (roundAt f mode neg (g.mul d) d (stepLog f ((g.mul d).div d))) (congrArg2 (fun x y => roundAt f mode neg x y (stepLog f ((g.mul d).div d)))
      (Nat.mul_comm g d) (Eq.symm (Nat.mul_one d))) (
    Eq.step (roundAt f mode neg (d.mul g) (d.mul 1) (stepLog f ((g.mul d).div d))) (roundAt_mul_left pos neg g 1 _) (
    Eq.step (roundAt f mode neg g 1 (stepLog f ((g.mul d).div d))) (congrArg (fun n => roundAt f mode neg g 1 (stepLog f n)) (Nat.mul_div_cancel_right pos g)) (
    Eq.step (roundAt f mode neg g 1 (stepLog f g)) (congrArg (fun u => roundAt f mode neg u 1 (stepLog f u)) (Eq.symm (units_of_lt_succ small))) (
    Eq.step (roundAt f mode neg (units f g) 1 (stepLog f (units f g))) (roundAt_units neg g) (
    Eq.done g)))))))

theorem stepLog_div_of_lt {g : Nat} (small : Nat.Lt g (Nat.pow 2 f.mant.succ)) (d : Nat) : Eq (stepLog f (g.div d)) 0 :=
  stepLog_of_lt (Nat.lt_of_le_of_lt (Nat.div_le_self g d) small)

/-- Small numbers of units, divided, round to whole units. -/
theorem roundMag_small {neg : Bool} {g d : Nat} (pos : Nat.Lt 0 d) (fin : Nat.Lt g f.inf) (small : Nat.Lt g (Nat.pow 2 f.mant.succ)) :
    Eq (roundMag f mode neg g d) (roundAt f mode neg g d 0) :=
  Eq.trans (Nat.min_of_le (Nat.le_trans (roundAt_le_self pos small) (Nat.le_min (Mode.le_limit fin neg mode) (Nat.le_of_lt fin))))
    (congrArg (roundAt f mode neg g d) (stepLog_div_of_lt small d))

theorem roundMag_half_half {g : Nat} (fin : Nat.Lt g f.inf) (s t u : Bool) :
    Eq (roundMag f .rn s (units f (roundMag f .rn t (units f g) 2)) 2) (roundMag f .rn u (units f g) 4) :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant.succ))
    (fun small =>
      have worth : Eq (units f g) g := units_of_lt_succ small
      have first : Eq (roundMag f .rn t (units f g) 2) (roundAt f .rn t g 2 0) :=
        Eq.trans (congrArg (fun x => roundMag f .rn t x 2) worth) (roundMag_small (d := 2) rfl fin small)
      have below : Nat.Le (roundAt f .rn t g 2 0) g :=
        Nat.le_trans (Nat.le_of_eq (congrArg (roundAt f .rn t g 2) (Eq.symm (stepLog_div_of_lt small 2)))) (roundAt_le_self (d := 2) rfl small)
      have small' : Nat.Lt (roundAt f .rn t g 2 0) (Nat.pow 2 f.mant.succ) := Nat.lt_of_le_of_lt below small
      Eq.step (roundMag f .rn s (units f (roundMag f .rn t (units f g) 2)) 2)
        (congrArg (fun x => roundMag f .rn s x 2) (Eq.trans (congrArg (units f) first) (units_of_lt_succ small'))) (
      Eq.step (roundMag f .rn s (roundAt f .rn t g 2 0) 2) (roundMag_small (d := 2) rfl (Nat.lt_of_le_of_lt below fin) small') (
      Eq.step (roundAt f .rn s (roundAt f .rn t g 2 0) 2 0) (roundAt_half_half s t u g) (
      Eq.step (roundAt f .rn u g 4 0) (Eq.symm (roundMag_small (d := 4) rfl fin small)) (
      Eq.step (roundMag f .rn u g 4) (congrArg (fun x => roundMag f .rn u x 4) (Eq.symm worth)) (
      Eq.done (roundMag f .rn u (units f g) 4)))))))
    (fun large => Exists.elim (Nat.exists_of_le (Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.two_pow_succ f.mant))) large))
      (fun k e => normal (g' := (Nat.pow 2 f.mant).add k)
        (Eq.trans e (Eq.trans (Nat.add_assoc _ _ k) (Nat.add_comm _ _))) (Nat.le_add_right _ k)))
where
  normal {g' : Nat} (e : Eq g (g'.add (Nat.pow 2 f.mant))) (low : Nat.Le (Nat.pow 2 f.mant) g') :
      Eq (roundMag f .rn s (units f (roundMag f .rn t (units f g) 2)) 2) (roundMag f .rn u (units f g) 4) :=
    have worth : Eq (units f g) ((units f g').mul 2) := Eq.trans (congrArg (units f) e) (units_add low)
    have first : Eq (roundMag f .rn t (units f g) 2) g' :=
      Eq.trans (roundMag_ratio (q' := 1) (q := 2) rfl rfl (Eq.trans (Nat.mul_one _) worth))
        (roundMag_rn_units (Nat.le_trans (Nat.le_trans (Nat.le_add_right g' _) (Nat.le_of_eq (Eq.symm e))) (Nat.le_of_lt fin)))
    Eq.trans (congrArg (fun x => roundMag f .rn s (units f x) 2) first)
      (roundMag_ratio (q := 2) (q' := 4) rfl rfl (Eq.symm (Eq.trans (congrArg (fun x => Nat.mul x 2) worth) (Nat.mul_assoc _ 2 2))))

/-! In two steps or in one. -/

theorem mul_mul_scale : (a c d e : Fp f) → Eq (isScalings c d e) true → Eq (mul .rn (mul .rn a c) d) (mul .rn a e)
  | nan, _, _, _, _ => rfl
  | num _ _ _, nan, _, _, k => (Bool.false_ne_true k).elim
  | num _ _ _, num _ _ _, nan, _, k => (Bool.false_ne_true k).elim
  | num _ _ _, num _ _ _, num _ _ _, nan, k => (Bool.false_ne_true k).elim
  | num s g _, num t h _, num r k hk, num x m _, test =>
    have outer := Bool.and_eq_true_left test
    have sign : Eq ((s.xor t).xor r) (s.xor x) := Eq.trans (Bool.xor_assoc s t r) (congrArg (Bool.xor s) (Bool.eq_of_beq (Bool.and_eq_true_left outer)))
    have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left (Bool.and_eq_true_left (Bool.and_eq_true_right outer))
    have kfin : Nat.Lt k f.inf := Bool.and_eq_true_right (Bool.and_eq_true_left (Bool.and_eq_true_right outer))
    have mfin : Nat.Lt m f.inf := Bool.and_eq_true_right (Bool.and_eq_true_right outer)
    have prod : Eq ((units f h).mul (units f k)) ((units f m).mul f.one) := Nat.eq_of_beq _ _ (Bool.and_eq_true_left (Bool.and_eq_true_right test))
    Or.elim (Bool.or_eq_true (Bool.and_eq_true_right (Bool.and_eq_true_right test)))
      (fun up =>
        have hlow : Nat.Le f.one (units f h) := Bool.and_eq_true_left (Bool.and_eq_true_right up)
        have klow : Nat.Le f.one (units f k) := Bool.and_eq_true_right (Bool.and_eq_true_right up)
        have mlow : Nat.Le f.one (units f m) :=
          Nat.le_of_mul_le_mul_left (Nat.le_trans (Nat.mul_le_mul hlow klow) (Nat.le_of_eq prod)) (one_pos (f := f))
        Exists.elim (exists_two_pow (Bool.and_eq_true_left (Bool.and_eq_true_left up))
            (Nat.eq_of_beq _ _ (Bool.and_eq_true_right (Bool.and_eq_true_left up))) hlow) (fun _ e =>
          Eq.trans (congrArg (fun y => mul .rn y (num r k hk)) (mul_rn_of_one_le hfin hlow))
            (Eq.trans (mul_rn_of_one_le kfin klow)
              (Eq.trans (num_congr (h' := min_le _ _ _) sign
                (Eq.trans (congrArg (fun y => roundMag f .rn ((s.xor t).xor r)
                    ((units f (roundMag f .rn (s.xor t) ((units f g).mul y) f.one)).mul (units f k)) f.one) e)
                  (roundMag_scale_up klow (Eq.trans (congrArg (fun y => Nat.mul y (units f k)) (Eq.symm e)) prod))))
                (Eq.symm (mul_rn_of_one_le mfin mlow))))))
      (fun halves => half sign hfin kfin mfin prod (Nat.eq_of_beq _ _ (Bool.and_eq_true_left halves)) (Nat.eq_of_beq _ _ (Bool.and_eq_true_right halves)))
where
  half {s t r x : Bool} {g h k m : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} {hk : Eq (Nat.ble k f.inf) true}
      {hm : Eq (Nat.ble m f.inf) true} (sign : Eq ((s.xor t).xor r) (s.xor x)) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf)
      (mfin : Nat.Lt m f.inf) (prod : Eq ((units f h).mul (units f k)) ((units f m).mul f.one)) (hhalf : Eq ((units f h).mul 2) f.one)
      (khalf : Eq ((units f k).mul 2) f.one) :
      Eq (mul .rn (mul .rn (num s g hg) (num t h hh)) (num r k hk)) (mul .rn (num s g hg) (num x m hm)) :=
    have pos : {y : Nat} → Eq ((units f y).mul 2) f.one → Nat.Lt 0 y := fun e =>
      pos_of_units rfl (Nat.pos_of_mul_pos_left (Nat.lt_of_lt_of_le one_pos (Nat.le_of_eq (Eq.symm e))))
    have quarter : Eq ((units f m).mul 4) f.one :=
      Nat.mul_right_cancel (one_pos (f := f)) (
      Eq.step (((units f m).mul 4).mul f.one) (Nat.mul_right_comm _ _ _) (
      Eq.step (((units f m).mul f.one).mul 4) (congrArg (fun y => Nat.mul y 4) (Eq.symm prod)) (
      Eq.step (((units f h).mul (units f k)).mul (Nat.mul 2 2)) (Nat.mul_mul_mul_comm _ _ _ _) (
      Eq.step (((units f h).mul 2).mul ((units f k).mul 2)) (congrArg2 Nat.mul hhalf khalf) (
      Eq.done (f.one.mul f.one))))))
    have mpos : Nat.Lt 0 m := pos_of_units rfl (Nat.pos_of_mul_pos_left (Nat.lt_of_lt_of_le one_pos (Nat.le_of_eq (Eq.symm quarter))))
    have part : {y d : Nat} → Nat.Lt 0 d → Eq ((units f y).mul d) f.one → (u : Bool) → (p : Nat) →
        Eq (roundMag f .rn u (p.mul (units f y)) f.one) (roundMag f .rn u p d) := fun dpos e _ p =>
      roundMag_ratio one_pos dpos (Eq.trans (Nat.mul_assoc _ _ _) (congrArg (Nat.mul p) e))
    Bool.byCases (Nat.beq g f.inf)
      (fun yes =>
        have gpos : Eq (Nat.beq g 0) false := beq_zero_of_inf yes hfin
        Eq.trans (congrArg (fun y => mul .rn y (num r k hk)) (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
            (cond_of_false (Bool.or_of_false gpos (Nat.beq_of_gt (pos hhalf))) _ _)))
          (Eq.trans (cond_of_true (Bool.or_of_true_left (Nat.beq_self f.inf)) _ _)
            (Eq.trans (cond_of_false (Bool.or_of_false (beq_zero_of_inf (Nat.beq_self f.inf) hfin) (Nat.beq_of_gt (pos khalf))) _ _)
              (Eq.trans (congrArg inf sign) (Eq.symm (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
                (cond_of_false (Bool.or_of_false gpos (Nat.beq_of_gt mpos)) _ _)))))))
      (fun no =>
        have fin : Nat.Lt g f.inf := lt_inf_of_beq hg no
        have low : Nat.Lt (roundMag f .rn (s.xor t) ((units f g).mul (units f h)) f.one) f.inf :=
          Nat.lt_of_le_of_lt (Nat.le_trans (Nat.le_of_eq (part (d := 2) rfl hhalf (s.xor t) (units f g)))
            (roundMag_le_of_le_units (q := 2) rfl fin (Nat.le_mul_of_pos_right (b := 2) _ rfl))) fin
        Eq.trans (congrArg (fun y => mul .rn y (num r k hk)) (mul_finite fin hfin)) (Eq.trans (mul_finite low kfin)
          (Eq.trans (num_congr (h' := min_le _ _ _) sign (
              Eq.trans (part (d := 2) rfl khalf _ _) (
              Eq.trans (congrArg (fun y => roundMag f .rn ((s.xor t).xor r) (units f y) 2) (part (d := 2) rfl hhalf (s.xor t) (units f g))) (
              Eq.trans (roundMag_half_half fin _ _ (s.xor x)) (Eq.symm (part (d := 4) rfl quarter (s.xor x) (units f g)))))))
            (Eq.symm (mul_finite fin mfin)))))

/-- A product and one more of its factor, rounded once, is a product with 1 more. -/
theorem fma_self_add : (a c d : Fp f) → Eq (isSucc c d) true → Eq (fma mode a c a) (mul mode a d)
  | nan, _, _, _ => rfl
  | num _ _ _, nan, _, k => (Bool.false_ne_true k).elim
  | num _ _ _, num _ _ _, nan, k => (Bool.false_ne_true k).elim
  | num _ _ _, num true _ _, num _ _ _, k => (Bool.false_ne_true k).elim
  | num _ _ _, num false _ _, num true _ _, k => (Bool.false_ne_true k).elim
  | num s g hg, num false h _, num false k _, test =>
    have hpos : Nat.Lt 0 h := Bool.and_eq_true_left test
    have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left (Bool.and_eq_true_left (Bool.and_eq_true_right test))
    have kfin : Nat.Lt k f.inf := Bool.and_eq_true_right (Bool.and_eq_true_left (Bool.and_eq_true_right test))
    have next : Eq (units f k) ((units f h).add f.one) := Nat.eq_of_beq _ _ (Bool.and_eq_true_right (Bool.and_eq_true_right test))
    have kpos : Nat.Lt 0 k := pos_of_units next (Nat.add_pos_right _ one_pos)
    Eq.trans (congrArg (fun x => cond ((Nat.beq g f.inf).or (Nat.beq h f.inf))
        (cond ((Nat.beq g 0).or (Nat.beq h 0)) nan (cond ((Nat.beq g f.inf).and (Bool.xor x s)) nan (inf x)))
        (cond (Nat.beq g f.inf) (num s g hg) (roundSum mode x ((units f g).mul (units f h)) s ((units f g).mul f.one) f.one)))
      (Bool.xor_false s)) (Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
        (Eq.trans (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes hfin) (Nat.beq_of_gt hpos)) _ _)
          (Eq.trans (cond_of_false (Bool.and_of_false_right (Bool.xor_self s)) _ _)
            (Eq.trans (num_congr (h' := hg) rfl (Eq.symm (Nat.eq_of_beq _ _ yes))) (Eq.symm (mul_rows_inf yes kpos kfin))))))
      (fun no => Eq.trans (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt hfin)) _ _)
        (Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_true (Bool.beq_self s) _ _)
          (Eq.trans (congrArg2 (fun x p => round mode x p f.one) (Eq.symm (Bool.xor_false s))
              (Eq.trans (Eq.symm (Nat.mul_add _ _ _)) (congrArg (Nat.mul (units f g)) (Eq.symm next))))
            (Eq.symm (mul_finite (lt_inf_of_beq hg no) kfin)))))))

end Fp
