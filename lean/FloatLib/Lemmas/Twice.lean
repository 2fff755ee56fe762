prelude
import FloatLib.Lemmas.Near
import FloatLib.Lemmas.Sign
/-!
# A product and itself in one fused sum

In `t = a * b; t + t`, a compiler may fuse the product into the sum. The result does not change (`fma_mul_self`): the rounded product is
the exact one or the next number of its steps, and doubling it with or without what rounding took keeps the significand, in steps twice
as large; where steps stay a unit, the same part of a step is left over and goes the same way.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Rounding, computed from steps. -/

/-- A number that has a full significand of steps of `2 ^ s` units, or less of single units, has these steps. -/
theorem stepLog_of_div {n s c : Nat} (quot : Eq (n.div (Nat.pow 2 s)) c) (low : Or (Eq s 0) (Nat.Le (Nat.pow 2 f.mant) c))
    (high : Nat.Lt c (Nat.pow 2 f.mant.succ)) : Eq (stepLog f n) s :=
  have above : Nat.Lt n ((Nat.pow 2 s).mul (Nat.pow 2 f.mant.succ)) :=
    Nat.lt_mul_of_div_lt (Nat.two_pow_pos s) (Nat.lt_of_le_of_lt (Nat.le_of_eq quot) high)
  Or.elim low
    (fun s0 => Eq.trans (stepLog_of_lt (Nat.lt_of_lt_of_le above (Nat.le_of_eq (Eq.trans
      (congrArg (fun x => (Nat.pow 2 x).mul (Nat.pow 2 f.mant.succ)) s0) (Nat.one_mul _))))) (Eq.symm s0))
    (fun big =>
      have log : Eq n.log2 (s.add f.mant) := Nat.log2_unique
        (Nat.le_trans (Nat.le_of_eq (Nat.pow_add 2 s f.mant)) (Nat.mul_le_of_le_div (Nat.le_trans big (Nat.le_of_eq (Eq.symm quot)))))
        (Nat.lt_of_lt_of_le above (Nat.le_of_eq (Eq.symm (Nat.pow_add 2 s f.mant.succ))))
      Eq.trans (stepLog_eq f n) (Eq.trans (congrArg (fun x => Nat.sub x f.mant) log) (Nat.add_sub_cancel s f.mant)))

/-- What a quotient of `c` steps and a rest `r` rounds to. -/
theorem roundAt_of_steps {neg : Bool} {p q s c r : Nat} (e : Eq (((q.mul (Nat.pow 2 s)).mul c).add r) p) (small : Nat.Lt r (q.mul (Nat.pow 2 s)))
    (low : Or (Eq s 0) (Nat.Le (Nat.pow 2 f.mant) c)) (high : Nat.Lt c (Nat.pow 2 f.mant.succ)) :
    Eq (roundAt f mode neg p q (stepLog f (p.div q)))
      ((s.mul (Nat.pow 2 f.mant)).add (c.add (cond (mode.up neg c r (q.mul (Nat.pow 2 s))) 1 0))) :=
  have quot : Eq (p.div (q.mul (Nat.pow 2 s))) c := Nat.div_unique small e
  Eq.step (roundAt f mode neg p q (stepLog f (p.div q)))
    (congrArg (roundAt f mode neg p q) (stepLog_of_div (Eq.trans (Eq.symm (Nat.div_mul p q (Nat.pow 2 s))) quot) low high)) (
  Eq.step (roundAt f mode neg p q s) (congrArg2 (fun x y => ((s.mul (Nat.pow 2 f.mant)).add x).add (cond (mode.up neg x y (q.mul (Nat.pow 2 s))) 1 0))
    quot (Nat.mod_unique small e)) (
  Eq.step (((s.mul (Nat.pow 2 f.mant)).add c).add (cond (mode.up neg c r (q.mul (Nat.pow 2 s))) 1 0)) (Nat.add_assoc _ _ _) (
  Eq.done ((s.mul (Nat.pow 2 f.mant)).add (c.add (cond (mode.up neg c r (q.mul (Nat.pow 2 s))) 1 0))))))

/-- Twice as large steps: `c` of them again, and what is left over goes the same way. -/
theorem up_double {neg : Bool} {d c r : Nat} (pos : Nat.Lt 0 d) (small : Nat.Lt r d) : (u : Bool) → Eq (Mode.rn.up neg c r d) u →
    Exists (fun r' => And (And (Eq (((d.mul 2).mul c).add r') (((d.mul c).add r).add (d.mul (c.add (cond u 1 0))))) (Nat.Lt r' (d.mul 2)))
      (Eq (Mode.rn.up neg c r' (d.mul 2)) u))
  | false, _ =>
    have less : Nat.Lt (Nat.mul 2 r) (d.mul 2) := Nat.lt_of_lt_of_le (Nat.mul_lt_mul_right (c := 2) small rfl) (Nat.le_of_eq (Nat.mul_comm 2 d))
    Exists.intro r (.intro
      (.intro (Eq.trans (congrArg (fun x => Nat.add x r) (twice d c)) (Nat.add_right_comm (d.mul c) (d.mul c) r))
        (Nat.lt_of_lt_of_le small (Nat.le_mul_of_pos_right (b := 2) d rfl)))
      (Bool.or_of_false (Nat.blt_of_le (Nat.le_of_lt less)) (Bool.and_of_false_left (Nat.beq_of_gt less))))
  | true, yes =>
    have some : Nat.Lt 0 r := Nat.pos_of_ne_zero (fun r0 =>
      Bool.not_both (Eq.trans (congrArg (fun x => Mode.rn.up neg c x d) (Eq.symm r0)) yes) (Mode.up_zero pos neg c .rn))
    Exists.intro (r.add d) (.intro
      (.intro (Eq.step (((d.mul 2).mul c).add (r.add d)) (congrArg (fun x => Nat.add x (r.add d)) (twice d c)) (
          Eq.step (((d.mul c).add (d.mul c)).add (r.add d)) (Nat.add_add_add_comm (d.mul c) (d.mul c) r d) (
          Eq.done (((d.mul c).add r).add ((d.mul c).add d)))))
        (Nat.lt_of_lt_of_le (Nat.add_lt_add_right small d) (Nat.le_of_eq (Eq.symm (Nat.mul_two d)))))
      (Bool.or_of_true_left (Nat.lt_of_le_of_lt (a := d.mul 2) (Nat.le_of_eq (Nat.mul_comm d 2))
        (Nat.mul_lt_mul_right (c := 2) (Nat.lt_of_lt_of_le (Nat.lt_add_of_pos d some) (Nat.le_of_eq (Nat.add_comm d r))) rfl))))
where
  twice (d c : Nat) : Eq ((d.mul 2).mul c) ((d.mul c).add (d.mul c)) :=
    Eq.trans (congrArg (fun x => Nat.mul x c) (Nat.mul_two d)) (Nat.add_mul d d c)

/-- The same steps, twice as many: the same is left over and goes the same way. -/
theorem up_same {neg : Bool} {d c r : Nat} : (u : Bool) → Eq (Mode.rn.up neg c r d) u → Eq (Mode.rn.up neg (c.add (c.add (cond u 1 0))) r d) u
  | false, no => Bool.or_of_false (Bool.or_eq_false_left no)
      (Bool.and_of_false_right (Eq.trans (congrArg Nat.odd (Eq.symm (Nat.two_mul c))) (odd_double c)))
  | true, yes => Or.elim (Bool.or_eq_true yes) Bool.or_of_true_left (fun tie => Bool.or_of_true_right (Bool.and_of_true (Bool.and_eq_true_left tie)
      (Eq.trans (congrArg (fun x => Nat.odd (Nat.succ x)) (Eq.symm (Nat.two_mul c))) (odd_double_succ c))))

/-- A quotient plus itself, rounded, rounds to twice itself, rounded. -/
theorem roundAt_add_rounded {neg : Bool} {p q s c r : Nat} {u : Bool} (pos : Nat.Lt 0 q) (e : Eq (((q.mul (Nat.pow 2 s)).mul c).add r) p)
    (small : Nat.Lt r (q.mul (Nat.pow 2 s))) (low : Or (Eq s 0) (Nat.Le (Nat.pow 2 f.mant) c)) (high : Nat.Lt c (Nat.pow 2 f.mant.succ))
    (hu : Eq (Mode.rn.up neg c r (q.mul (Nat.pow 2 s))) u) : Exists (fun k => And
      (Eq (roundAt f .rn neg (p.add ((q.mul (Nat.pow 2 s)).mul (c.add (cond u 1 0)))) q
        (stepLog f ((p.add ((q.mul (Nat.pow 2 s)).mul (c.add (cond u 1 0)))).div q))) k)
      (Eq (units f k) (((c.add (cond u 1 0)).mul (Nat.pow 2 s)).add ((c.add (cond u 1 0)).mul (Nat.pow 2 s))))) :=
  Or.elim (Nat.lt_or_ge c (Nat.pow 2 f.mant))
    (fun few => Or.elim low
      (fun s0 =>
        have most : Nat.Le (c.add (cond u 1 0)) (Nat.pow 2 f.mant) := Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one u) c) few
        have sum : Eq (((q.mul (Nat.pow 2 s)).mul (c.add (c.add (cond u 1 0)))).add r) (p.add ((q.mul (Nat.pow 2 s)).mul (c.add (cond u 1 0)))) :=
          Eq.trans (congrArg (fun x => Nat.add x r) (Nat.mul_add _ c (c.add (cond u 1 0)))) (Eq.trans (Nat.add_right_comm _ _ r)
            (congrArg (fun x => Nat.add x ((q.mul (Nat.pow 2 s)).mul (c.add (cond u 1 0)))) e))
        Exists.intro ((s.mul (Nat.pow 2 f.mant)).add ((c.add (cond u 1 0)).add (c.add (cond u 1 0)))) (.intro
          (Eq.trans (roundAt_of_steps sum small (Or.inl s0) (Nat.lt_of_lt_of_le (Nat.add_lt_add_of_lt_of_le few most)
              (Nat.le_of_eq (Eq.symm (Nat.two_pow_succ f.mant)))))
            (congrArg (Nat.add (s.mul (Nat.pow 2 f.mant))) (Eq.trans (congrArg (fun b => Nat.add (c.add (c.add (cond u 1 0))) (cond b 1 0)) (up_same u hu))
              (Nat.add_right_comm c (c.add (cond u 1 0)) (cond u 1 0)))))
          (Eq.trans (units_steps (Or.inl s0) (Nat.le_trans (Nat.add_le_add most most) (Nat.le_of_eq (Eq.symm (Nat.two_pow_succ f.mant)))))
            (Nat.add_mul _ _ _))))
      (fun many => absurd few (Nat.not_lt_of_le many)))
    (fun many => Exists.elim (up_double (Nat.mul_pos pos (Nat.two_pow_pos s)) small u hu) (fun r' h =>
      have next : Eq (q.mul (Nat.pow 2 s.succ)) ((q.mul (Nat.pow 2 s)).mul 2) := Eq.symm (Nat.mul_assoc q (Nat.pow 2 s) 2)
      have sum : Eq (((q.mul (Nat.pow 2 s.succ)).mul c).add r') (p.add ((q.mul (Nat.pow 2 s)).mul (c.add (cond u 1 0)))) :=
        Eq.trans (congrArg (fun x => (Nat.mul x c).add r') next) (Eq.trans h.left.left
          (congrArg (fun x => Nat.add x ((q.mul (Nat.pow 2 s)).mul (c.add (cond u 1 0)))) e))
      Exists.intro ((s.succ.mul (Nat.pow 2 f.mant)).add (c.add (cond u 1 0))) (.intro
        (Eq.trans (roundAt_of_steps sum (Nat.lt_of_lt_of_le h.left.right (Nat.le_of_eq (Eq.symm next))) (Or.inr many) high)
          (congrArg (fun b => (s.succ.mul (Nat.pow 2 f.mant)).add (c.add (cond b 1 0)))
            (Eq.trans (congrArg (Mode.rn.up neg c r') next) h.right)))
        (Eq.trans (units_steps (Or.inr (Nat.le_add_of_le many _)) (Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one u) c) high))
          (Eq.trans (congrArg (Nat.mul (c.add (cond u 1 0))) (Nat.two_pow_succ s)) (Nat.mul_add _ _ _))))))

/-- The same for patterns: adding the exact quotient to a rounded one, which is finite, is doubling it. -/
theorem roundMag_add_rounded {neg : Bool} {p q : Nat} (pos : Nat.Lt 0 q) (fin : Nat.Lt (roundMag f .rn neg p q) f.inf) :
    Eq (roundMag f .rn neg (p.add ((units f (roundMag f .rn neg p q)).mul q)) q)
      (roundMag f .rn neg ((units f (roundMag f .rn neg p q)).add (units f (roundMag f .rn neg p q))) 1) :=
  have fits : Eq (roundMag f .rn neg p q) (roundAt f .rn neg p q (stepLog f (p.div q))) :=
    Or.elim (Nat.le_total (roundAt f .rn neg p q (stepLog f (p.div q))) (Nat.min f.inf f.inf)) Nat.min_of_le
      (fun over => absurd (Eq.trans (Nat.min_of_ge over) (Nat.min_of_le (Nat.le_refl f.inf))) (Nat.ne_of_lt fin))
  have worth := Eq.trans (congrArg (units f) fits) (units_roundAt p q)
  Exists.elim (roundAt_add_rounded (f := f) (neg := neg) pos (Nat.div_add_mod p (q.mul (Nat.pow 2 (stepLog f (p.div q)))))
      (Nat.mod_lt (Nat.mul_pos pos (Nat.two_pow_pos _)) p)
      (Or.elim (Nat.eq_zero_or_pos (stepLog f (p.div q))) Or.inl
        (fun some => Or.inr (Nat.le_trans (le_steps some) (Nat.le_of_eq (Eq.symm (Nat.div_mul p q _))))))
      (Nat.lt_of_le_of_lt (Nat.le_of_eq (Nat.div_mul p q _)) (steps_lt f (p.div q))) rfl)
    (fun k h => congrArg (fun x => Nat.min x (Nat.min f.inf f.inf))
      (Eq.step (roundAt f .rn neg (p.add ((units f (roundMag f .rn neg p q)).mul q)) q
          (stepLog f ((p.add ((units f (roundMag f .rn neg p q)).mul q)).div q)))
        (congrArg (fun x => roundAt f .rn neg (p.add x) q (stepLog f ((p.add x).div q)))
          (Eq.trans (Nat.mul_comm _ q) (Eq.trans (congrArg (Nat.mul q) worth) (mul_units q _ _)))) (
      Eq.trans h.left (
      Eq.step k (Eq.symm (roundAt_units neg k)) (
      Eq.step (roundAt f .rn neg (units f k) 1 (stepLog f (units f k)))
        (congrArg (fun x => roundAt f .rn neg x 1 (stepLog f x)) (Eq.trans h.right (Eq.symm (congrArg2 Nat.add worth worth)))) (
      congrArg (fun x => roundAt f .rn neg ((units f (roundMag f .rn neg p q)).add (units f (roundMag f .rn neg p q))) 1 (stepLog f x))
        (Eq.symm (Nat.div_one _))))))))

/-- A product fused into its sum with itself, rounded: fused or not, the same. -/
theorem fma_mul_self : (a b : Fp f) → Eq (fma .rn a b (mul .rn a b)) (add .rn (mul .rn a b) (mul .rn a b))
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh => Bool.byCases ((Nat.beq g f.inf).or (Nat.beq h f.inf))
      (fun yes => Bool.byCases ((Nat.beq g 0).or (Nat.beq h 0))
        (fun zero =>
          have product : Eq (mul .rn (num s g hg) (num t h hh)) nan := Eq.trans (cond_of_true yes _ _) (cond_of_true zero _ _)
          Eq.trans (congrArg (fma .rn (num s g hg) (num t h hh)) product) (Eq.symm (congrArg2 (add .rn) product product)))
        (fun some =>
          have product : Eq (mul .rn (num s g hg) (num t h hh)) (inf (s.xor t)) := Eq.trans (cond_of_true yes _ _) (cond_of_false some _ _)
          Eq.trans (congrArg (fma .rn (num s g hg) (num t h hh)) product) (Eq.trans
            (Eq.trans (cond_of_true yes _ _) (Eq.trans (cond_of_false some _ _) (cond_of_false (Bool.and_of_false_right (Bool.xor_self (s.xor t))) _ _)))
            (Eq.symm (Eq.trans (congrArg2 (add .rn) product product) (infinite (s.xor t)))))))
      (fun no =>
        have product : Eq (mul .rn (num s g hg) (num t h hh)) (round .rn (s.xor t) ((units f g).mul (units f h)) f.one) := cond_of_false no _ _
        Eq.trans (congrArg (fma .rn (num s g hg) (num t h hh)) product) (Eq.trans
          (Eq.trans (cond_of_false no _ _) (finite (s.xor t) ((units f g).mul (units f h))))
          (Eq.symm (congrArg2 (add .rn) product product))))
where
  infinite (u : Bool) : Eq (add .rn (inf (f := f) u) (inf u)) (inf u) :=
    Eq.trans (cond_of_true (Nat.beq_self f.inf) _ _) (cond_of_false (Bool.and_of_false_right (Bool.xor_self u)) _ _)
  finite (u : Bool) (p : Nat) : Eq
      (cond (Nat.beq (roundMag f .rn u p f.one) f.inf) (round .rn u p f.one)
        (roundSum .rn u p u ((units f (roundMag f .rn u p f.one)).mul f.one) f.one))
      (add .rn (round (f := f) .rn u p f.one) (round .rn u p f.one)) :=
    Bool.byCases (Nat.beq (roundMag f .rn u p f.one) f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (Eq.symm (Eq.trans (cond_of_true yes _ _)
        (cond_of_false (Bool.and_of_false_right (Bool.xor_self u)) _ _))))
      (fun no => Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_true (Bool.beq_self u) _ _) (Eq.trans
        (num_congr rfl (roundMag_add_rounded one_pos (lt_inf_of_beq (min_le _ (Mode.limit f .rn u) f.inf) no)))
        (Eq.symm (Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false no _ _) (cond_of_true (Bool.beq_self u) _ _)))))))

/-- The same with the sign outside the product, as the prover has it. -/
theorem fma_neg_mul_self (a b : Fp f) : Eq (fma .rn a.neg b (mul .rn a b).neg) (add .rn (mul .rn a b).neg (mul .rn a b).neg) :=
  Eq.subst (motive := fun p => Eq (fma .rn a.neg b p) (add .rn p p)) (mul_neg_left a b) (fma_mul_self a.neg b)

end Fp
