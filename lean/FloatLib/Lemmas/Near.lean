prelude
import FloatLib.Lemmas.RoundOrder
import FloatLib.Lemmas.Scaling
/-!
# How far rounding goes: less than an ulp in every mode, half an ulp to nearest

`p / q` units is rounded on a grid whose steps are `2 ^ s` units, with `s = stepLog f (p / q)`. If the result is within the format, it is
worth a whole number of these steps (`units_roundAt`), and the theorems compare `q` times its worth with `p`.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! What a rounded magnitude is worth. -/

/-- Significand and exponent of a normal pattern. -/
theorem units_parts {e r : Nat} (small : Nat.Lt r (Nat.pow 2 f.mant)) :
    Eq (units f (((Nat.pow 2 f.mant).mul e.succ).add r)) (((Nat.pow 2 f.mant).add r).mul (Nat.pow 2 e)) :=
  Eq.trans (units_of_ge (Nat.le_add_of_le (Nat.le_mul_of_pos_right (b := e.succ) (Nat.pow 2 f.mant) rfl) r))
    (congrArg2 (fun m d => ((Nat.pow 2 f.mant).add m).mul (Nat.pow 2 (Nat.sub d 1))) (Nat.mod_unique small rfl) (Nat.div_unique small rfl))

/-- `m` steps of `2 ^ s` units, counted from the pattern where such steps begin, a carry included. -/
theorem units_steps {s m : Nat} (low : Or (Eq s 0) (Nat.Le (Nat.pow 2 f.mant) m)) (high : Nat.Le m (Nat.pow 2 f.mant.succ)) :
    Eq (units f ((s.mul (Nat.pow 2 f.mant)).add m)) (m.mul (Nat.pow 2 s)) :=
  Or.elim (Nat.lt_or_ge m (Nat.pow 2 f.mant))
    (fun small => Or.elim low
      (fun s0 => Eq.step (units f ((s.mul (Nat.pow 2 f.mant)).add m)) (congrArg (fun x => units f ((Nat.mul x (Nat.pow 2 f.mant)).add m)) s0) (
        Eq.step (units f ((Nat.mul 0 (Nat.pow 2 f.mant)).add m)) (congrArg (fun x => units f (Nat.add x m)) (Nat.zero_mul _)) (
        Eq.step (units f (Nat.add 0 m)) (congrArg (units f) (Nat.zero_add m)) (
        Eq.step (units f m) (units_of_lt small) (
        Eq.step m (Eq.symm (Nat.mul_one m)) (
        Eq.step (m.mul (Nat.pow 2 0)) (congrArg (fun x => m.mul (Nat.pow 2 x)) (Eq.symm s0)) (
        Eq.done (m.mul (Nat.pow 2 s)))))))))
      (fun big => absurd small (Nat.not_lt_of_le big)))
    (fun big => Or.elim (Nat.lt_or_eq_of_le high)
      (fun less =>
        have rest : Nat.Lt (m.sub (Nat.pow 2 f.mant)) (Nat.pow 2 f.mant) := Nat.lt_of_lt_of_le (Nat.sub_lt_sub_right big less)
          (Nat.le_of_eq (Eq.trans (congrArg (fun x => Nat.sub x (Nat.pow 2 f.mant)) (Nat.two_pow_succ f.mant)) (Nat.add_sub_cancel _ _)))
        Eq.step (units f ((s.mul (Nat.pow 2 f.mant)).add m)) (congrArg (units f) (pattern (Nat.pow 2 f.mant) s m (Nat.add_sub_of_le big))) (
        Eq.step (units f (((Nat.pow 2 f.mant).mul s.succ).add (m.sub (Nat.pow 2 f.mant)))) (units_parts rest) (
        Eq.step (((Nat.pow 2 f.mant).add (m.sub (Nat.pow 2 f.mant))).mul (Nat.pow 2 s)) (congrArg (fun x => Nat.mul x (Nat.pow 2 s)) (Nat.add_sub_of_le big)) (
        Eq.done (m.mul (Nat.pow 2 s))))))
      (fun carry =>
        have double : Eq ((Nat.pow 2 f.mant).add (Nat.pow 2 f.mant)) m := Eq.symm (Eq.trans carry (Nat.two_pow_succ f.mant))
        Eq.step (units f ((s.mul (Nat.pow 2 f.mant)).add m)) (congrArg (units f) (pattern (Nat.pow 2 f.mant) s m double)) (
        Eq.step (units f (((Nat.pow 2 f.mant).mul s.succ.succ).add 0)) (units_parts (Nat.two_pow_pos f.mant)) (
        Eq.step ((Nat.pow 2 f.mant).mul ((Nat.pow 2 s).mul 2)) (Eq.trans (congrArg (Nat.mul (Nat.pow 2 f.mant)) (Nat.mul_comm (Nat.pow 2 s) 2))
          (Eq.symm (Nat.mul_assoc (Nat.pow 2 f.mant) 2 (Nat.pow 2 s)))) (
        Eq.step (((Nat.pow 2 f.mant).mul 2).mul (Nat.pow 2 s)) (congrArg (fun x => Nat.mul x (Nat.pow 2 s)) (Eq.trans (Nat.mul_two _) double)) (
        Eq.done (m.mul (Nat.pow 2 s))))))))
where
  pattern (w s m : Nat) {r : Nat} (h : Eq (w.add r) m) : Eq ((s.mul w).add m) ((w.mul s.succ).add r) :=
    Eq.step ((s.mul w).add m) (congrArg2 Nat.add (Nat.mul_comm s w) (Eq.symm h)) (
    Eq.step ((w.mul s).add (w.add r)) (Eq.symm (Nat.add_assoc (w.mul s) w r)) (
    Eq.done ((w.mul s.succ).add r)))

/-- The rounded number of steps. -/
theorem units_roundAt {neg : Bool} (p q : Nat) :
    Eq (units f (roundAt f mode neg p q (stepLog f (p.div q))))
      (((p.div (q.mul (Nat.pow 2 (stepLog f (p.div q))))).add (cond (mode.up neg (p.div (q.mul (Nat.pow 2 (stepLog f (p.div q)))))
        (p.mod (q.mul (Nat.pow 2 (stepLog f (p.div q))))) (q.mul (Nat.pow 2 (stepLog f (p.div q))))) 1 0)).mul (Nat.pow 2 (stepLog f (p.div q)))) :=
  Eq.trans (congrArg (units f) (Nat.add_assoc _ _ _)) (units_steps
    (Or.elim (Nat.eq_zero_or_pos (stepLog f (p.div q))) Or.inl
      (fun pos => Or.inr (Nat.le_add_of_le (Nat.le_trans (le_steps pos) (Nat.le_of_eq (Eq.symm (Nat.div_mul p q _)))) _)))
    (Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one _) _)
      (Nat.lt_of_le_of_lt (Nat.le_of_eq (Nat.div_mul p q _)) (steps_lt f (p.div q)))))

/-! In steps: `p` against `d` times the rounded quotient. -/

/-- To nearest: half a step. -/
theorem quot_near {neg : Bool} {d : Nat} (pos : Nat.Lt 0 d) (p : Nat) : And
    (Nat.Le (Nat.mul 2 p) ((d.mul (Nat.mul 2 ((p.div d).add (cond (Mode.rn.up neg (p.div d) (p.mod d) d) 1 0)))).add d))
    (Nat.Le (d.mul (Nat.mul 2 ((p.div d).add (cond (Mode.rn.up neg (p.div d) (p.mod d) d) 1 0)))) ((Nat.mul 2 p).add d)) :=
  have split : Eq (Nat.mul 2 p) ((d.mul (Nat.mul 2 (p.div d))).add (Nat.mul 2 (p.mod d))) :=
    Eq.trans (congrArg (Nat.mul 2) (Eq.symm (Nat.div_add_mod p d))) (Eq.trans (Nat.mul_add 2 _ _)
      (congrArg (fun x => Nat.add x (Nat.mul 2 (p.mod d))) (Nat.mul_left_comm 2 d (p.div d))))
  Bool.byCases (Mode.rn.up neg (p.div d) (p.mod d) d)
    (fun yes => Eq.subst (motive := fun c => And (Nat.Le (Nat.mul 2 p) ((d.mul (Nat.mul 2 ((p.div d).add (cond c 1 0)))).add d))
        (Nat.Le (d.mul (Nat.mul 2 ((p.div d).add (cond c 1 0)))) ((Nat.mul 2 p).add d))) (Eq.symm yes)
      (have more : Nat.Le d (Nat.mul 2 (p.mod d)) := Or.elim (Bool.or_eq_true yes) Nat.le_of_lt
        (fun tie => Nat.le_of_eq (Nat.eq_of_beq _ _ (Bool.and_eq_true_left tie)))
      have next : Eq (d.mul (Nat.mul 2 (p.div d).succ)) ((d.mul (Nat.mul 2 (p.div d))).add (d.mul 2)) := Nat.mul_add d (Nat.mul 2 (p.div d)) 2
      .intro
        (Nat.le_trans (Nat.le_of_eq split) (Nat.le_trans (Nat.add_le_add_left (Nat.le_trans (Nat.mul_le_mul_right 2 (Nat.le_of_lt (Nat.mod_lt pos p)))
          (Nat.le_of_eq (Nat.mul_comm 2 d))) _) (Nat.le_add_of_le (Nat.le_of_eq (Eq.symm next)) d)))
        (Nat.le_trans (Nat.le_of_eq next) (Nat.le_trans (Nat.le_of_eq (Eq.trans (congrArg (Nat.add _) (Nat.mul_two d)) (Eq.symm (Nat.add_assoc _ d d))))
          (Nat.add_le_add_right (Nat.le_trans (Nat.add_le_add_left more _) (Nat.le_of_eq (Eq.symm split))) d)))))
    (fun no => Eq.subst (motive := fun c => And (Nat.Le (Nat.mul 2 p) ((d.mul (Nat.mul 2 ((p.div d).add (cond c 1 0)))).add d))
        (Nat.Le (d.mul (Nat.mul 2 ((p.div d).add (cond c 1 0)))) ((Nat.mul 2 p).add d))) (Eq.symm no)
      (have less : Nat.Le (Nat.mul 2 (p.mod d)) d := Nat.le_of_blt (Bool.or_eq_false_left no)
      .intro (Nat.le_trans (Nat.le_of_eq split) (Nat.add_le_add_left less _))
        (Nat.le_add_of_le (Nat.le_trans (Nat.le_add_right _ _) (Nat.le_of_eq (Eq.symm split))) d)))

/-- In every mode: less than a step. -/
theorem quot_within {neg : Bool} {d : Nat} (pos : Nat.Lt 0 d) (p : Nat) : And
    (Nat.Lt p ((d.mul ((p.div d).add (cond (mode.up neg (p.div d) (p.mod d) d) 1 0))).add d))
    (Nat.Lt (d.mul ((p.div d).add (cond (mode.up neg (p.div d) (p.mod d) d) 1 0))) (p.add d)) :=
  have down : Nat.Lt p ((d.mul (p.div d)).add d) := Nat.lt_mul_succ_div pos p
  Bool.byCases (mode.up neg (p.div d) (p.mod d) d)
    (fun yes => Eq.subst (motive := fun c => And (Nat.Lt p ((d.mul ((p.div d).add (cond c 1 0))).add d)) (Nat.Lt (d.mul ((p.div d).add (cond c 1 0)))
      (p.add d)))
      (Eq.symm yes) (.intro (Nat.lt_of_lt_of_le down (Nat.le_add_right _ d))
        (Nat.add_lt_add_right (Nat.lt_of_lt_of_le (Nat.lt_add_of_pos (b := p.mod d) (d.mul (p.div d)) (Nat.pos_of_ne_zero (fun r0 =>
          Bool.not_both (Eq.trans (congrArg (fun r => mode.up neg (p.div d) r d) (Eq.symm r0)) yes) (Mode.up_zero pos neg (p.div d) mode))))
          (Nat.le_of_eq (Nat.div_add_mod p d))) d)))
    (fun no => Eq.subst (motive := fun c => And (Nat.Lt p ((d.mul ((p.div d).add (cond c 1 0))).add d)) (Nat.Lt (d.mul ((p.div d).add (cond c 1 0))) (p.add d)))
      (Eq.symm no) (.intro down (Nat.lt_of_le_of_lt (Nat.div_mul_le p d) (Nat.lt_add_of_pos p pos))))

/-! In units: `p` against `q` times what the rounded pattern is worth. -/

/-- A result within the format is not limited. -/
theorem roundMag_of_fits {neg : Bool} {p q : Nat} (fits : Nat.Le (roundAt f mode neg p q (stepLog f (p.div q))) (Nat.min (mode.limit f neg) f.inf)) :
    Eq (roundMag f mode neg p q) (roundAt f mode neg p q (stepLog f (p.div q))) := Nat.min_of_le fits

theorem mul_units (q c s : Nat) : Eq (q.mul (c.mul (Nat.pow 2 s))) ((q.mul (Nat.pow 2 s)).mul c) :=
  Eq.trans (congrArg (Nat.mul q) (Nat.mul_comm c (Nat.pow 2 s))) (Eq.symm (Nat.mul_assoc q (Nat.pow 2 s) c))

/-- Rounded to nearest, a quotient is at most half an ulp (`2 ^ s` units) from the result, which may be the pattern of infinity. -/
theorem roundMag_rn_near {neg : Bool} {p q : Nat} (pos : Nat.Lt 0 q) (fits : Nat.Le (roundAt f .rn neg p q (stepLog f (p.div q))) f.inf) : And
    (Nat.Le (Nat.mul 2 p) ((Nat.mul 2 (q.mul (units f (roundMag f .rn neg p q)))).add (q.mul (Nat.pow 2 (stepLog f (p.div q))))))
    (Nat.Le (Nat.mul 2 (q.mul (units f (roundMag f .rn neg p q)))) ((Nat.mul 2 p).add (q.mul (Nat.pow 2 (stepLog f (p.div q)))))) :=
  have worth : Eq (Nat.mul 2 (q.mul (units f (roundMag f .rn neg p q)))) ((q.mul (Nat.pow 2 (stepLog f (p.div q)))).mul (Nat.mul 2
      ((p.div (q.mul (Nat.pow 2 (stepLog f (p.div q))))).add (cond (Mode.rn.up neg (p.div (q.mul (Nat.pow 2 (stepLog f (p.div q)))))
        (p.mod (q.mul (Nat.pow 2 (stepLog f (p.div q))))) (q.mul (Nat.pow 2 (stepLog f (p.div q))))) 1 0)))) :=
    Eq.trans (congrArg (fun u => Nat.mul 2 (q.mul u)) (Eq.trans (congrArg (units f) (roundMag_of_fits (Nat.le_min fits fits))) (units_roundAt p q)))
      (Eq.trans (congrArg (Nat.mul 2) (mul_units q _ _)) (Nat.mul_left_comm 2 _ _))
  have both := quot_near (neg := neg) (Nat.mul_pos pos (Nat.two_pow_pos (stepLog f (p.div q)))) p
  .intro (Nat.le_trans both.left (Nat.le_of_eq (congrArg (fun x => Nat.add x _) (Eq.symm worth)))) (Nat.le_trans (Nat.le_of_eq worth) both.right)

/-- In every mode, a quotient is less than an ulp from the result. -/
theorem roundMag_within {neg : Bool} {p q : Nat} (pos : Nat.Lt 0 q)
    (fits : Nat.Le (roundAt f mode neg p q (stepLog f (p.div q))) (Nat.min (mode.limit f neg) f.inf)) : And
    (Nat.Lt p ((q.mul (units f (roundMag f mode neg p q))).add (q.mul (Nat.pow 2 (stepLog f (p.div q))))))
    (Nat.Lt (q.mul (units f (roundMag f mode neg p q))) (p.add (q.mul (Nat.pow 2 (stepLog f (p.div q)))))) :=
  have worth : Eq (q.mul (units f (roundMag f mode neg p q))) ((q.mul (Nat.pow 2 (stepLog f (p.div q)))).mul
      ((p.div (q.mul (Nat.pow 2 (stepLog f (p.div q))))).add (cond (mode.up neg (p.div (q.mul (Nat.pow 2 (stepLog f (p.div q)))))
        (p.mod (q.mul (Nat.pow 2 (stepLog f (p.div q))))) (q.mul (Nat.pow 2 (stepLog f (p.div q))))) 1 0))) :=
    Eq.trans (congrArg (fun u => q.mul u) (Eq.trans (congrArg (units f) (roundMag_of_fits fits)) (units_roundAt p q))) (mul_units q _ _)
  have both := quot_within (mode := mode) (neg := neg) (Nat.mul_pos pos (Nat.two_pow_pos (stepLog f (p.div q)))) p
  .intro (Nat.lt_of_lt_of_le both.left (Nat.le_of_eq (congrArg (fun x => Nat.add x _) (Eq.symm worth)))) (Nat.lt_of_le_of_lt (Nat.le_of_eq worth) both.right)

/-! Directed modes, on their side of the quotient, limited or not. -/

/-- A mode that does not go up here gives at most the quotient, … -/
theorem roundMag_le_quot {neg : Bool} {p q : Nat} (down : (c r d : Nat) → Eq (mode.up neg c r d) false) :
    Nat.Le (q.mul (units f (roundMag f mode neg p q))) p :=
  Nat.le_trans (Nat.mul_le_mul_right q (units_le (Nat.min_le_left _ _))) (Nat.le_trans
    (Nat.le_of_eq (Eq.trans (congrArg (Nat.mul q) (Eq.trans (units_roundAt p q)
      (congrArg (fun c => ((p.div (q.mul (Nat.pow 2 (stepLog f (p.div q))))).add (cond c 1 0)).mul (Nat.pow 2 (stepLog f (p.div q)))) (down _ _ _))))
      (mul_units q _ _))) (Nat.div_mul_le p (q.mul (Nat.pow 2 (stepLog f (p.div q))))))

/-- … and one that goes up wherever something is left over at least the quotient, within the format. -/
theorem quot_le_roundMag {neg : Bool} {p q : Nat} (pos : Nat.Lt 0 q) (up : (c r d : Nat) → Nat.Lt 0 r → Eq (mode.up neg c r d) true)
    (fits : Nat.Le (roundAt f mode neg p q (stepLog f (p.div q))) (Nat.min (mode.limit f neg) f.inf)) :
    Nat.Le p (q.mul (units f (roundMag f mode neg p q))) :=
  Nat.le_trans (above (Nat.mul_pos pos (Nat.two_pow_pos _))) (Nat.le_of_eq (Eq.symm (Eq.trans (congrArg (fun u => q.mul u)
    (Eq.trans (congrArg (units f) (roundMag_of_fits fits)) (units_roundAt p q))) (mul_units q _ _))))
where
  above {d : Nat} (dpos : Nat.Lt 0 d) : Nat.Le p (d.mul ((p.div d).add (cond (mode.up neg (p.div d) (p.mod d) d) 1 0))) :=
    Or.elim (Nat.eq_zero_or_pos (p.mod d))
      (fun r0 => Nat.le_trans (Nat.le_of_eq (Eq.trans (Eq.symm (Nat.div_add_mod p d)) (congrArg (Nat.add _) r0))) (Nat.mul_le_mul_right d
        (Nat.le_add_right _ _)))
      (fun rpos => Nat.le_trans (Nat.le_of_lt (Nat.lt_mul_succ_div dpos p))
        (Nat.le_of_eq (congrArg (fun c => d.mul ((p.div d).add (cond c 1 0))) (Eq.symm (up (p.div d) (p.mod d) d rpos)))))

/-- Toward zero: at most the quotient. -/
theorem roundMag_rz_le {neg : Bool} {p q : Nat} : Nat.Le (q.mul (units f (roundMag f .rz neg p q))) p := roundMag_le_quot (fun _ _ _ => rfl)

/-- Downward, a magnitude is at most the quotient of a value that is not negative, … -/
theorem roundMag_rm_le {p q : Nat} : Nat.Le (q.mul (units f (roundMag f .rm false p q))) p := roundMag_le_quot (fun _ _ _ => rfl)

/-- … and at least that of a negative one. -/
theorem le_roundMag_rm {p q : Nat} (pos : Nat.Lt 0 q) (fits : Nat.Le (roundAt f .rm true p q (stepLog f (p.div q))) f.inf) :
    Nat.Le p (q.mul (units f (roundMag f .rm true p q))) := quot_le_roundMag pos (fun _ _ _ h => h) (Nat.le_min fits fits)

/-- Upward, the other way round. -/
theorem le_roundMag_rp {p q : Nat} (pos : Nat.Lt 0 q) (fits : Nat.Le (roundAt f .rp false p q (stepLog f (p.div q))) f.inf) :
    Nat.Le p (q.mul (units f (roundMag f .rp false p q))) := quot_le_roundMag pos (fun _ _ _ h => h) (Nat.le_min fits fits)

theorem roundMag_rp_le {p q : Nat} : Nat.Le (q.mul (units f (roundMag f .rp true p q))) p := roundMag_le_quot (fun _ _ _ => rfl)

end Fp
