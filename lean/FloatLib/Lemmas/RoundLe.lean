prelude
import FloatLib.Lemmas.Commute
import FloatLib.Lemmas.RoundOrder
import FloatLib.Lemmas.Compare
/-!
# Rounding keeps the order of signed values; exact sums as differences

A signed magnitude is a difference of two natural numbers, of which one is zero: `cond s 0 u` minus `cond s u 0`. The exact sum of two
is then the difference of the sums (`roundSum_split`, zero's sign aside), and the order is an inequality of sums.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Rounded magnitudes. -/

theorem round_le_pos {a b q : Nat} (h : Nat.Le a b) : Eq (le (f := f) (round mode false a q) (round mode false b q)) true :=
  Nat.add_le_add_left (roundMag_le_left h q) f.inf

theorem round_le_neg {a b q : Nat} (h : Nat.Le a b) : Eq (le (f := f) (round mode true b q) (round mode true a q)) true :=
  Nat.sub_le_sub_left f.inf (roundMag_le_left h q)

theorem round_neg_le_pos (a b q r : Nat) : Eq (le (f := f) (round mode true a q) (round mode false b r)) true :=
  Nat.le_trans (Nat.sub_le f.inf _) (Nat.le_add_right f.inf _)

/-- Of one sign, and with any denominators: a larger quotient does not round to a smaller value. -/
theorem round_le_round {p q p' q' : Nat} (hq : Nat.Lt 0 q) (hq' : Nat.Lt 0 q') (h : Nat.Le (p.mul q') (p'.mul q)) :
    (s : Bool) → Eq (le (f := f) (cond s (round mode s p' q') (round mode s p q)) (cond s (round mode s p q) (round mode s p' q'))) true
  | false => Nat.add_le_add_left (roundMag_le hq hq' h) f.inf
  | true => Nat.sub_le_sub_left f.inf (roundMag_le hq hq' h)

/-- A magnitude of a unit or more does not round to zero. -/
theorem roundMag_pos {neg : Bool} {p q : Nat} (hq : Nat.Lt 0 q) (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (h : Nat.Le q p) :
    Nat.Lt 0 (roundMag f mode neg p q) :=
  le_roundMag_of_units_le (g := 1) hq one (Nat.le_trans (Nat.le_of_eq
    (Eq.trans (congrArg (fun x => Nat.mul x q) (units_of_lt mant)) (Nat.one_mul q))) h)

/-! A difference of natural numbers, rounded. -/

theorem diff_of_lt {P N q : Nat} (h : Nat.Lt P N) :
    Eq (round (f := f) mode (Nat.blt P N) ((P.sub N).add (N.sub P)) q) (round mode true (N.sub P) q) :=
  congrArg2 (fun s p => round mode s p q) h
    (Eq.trans (congrArg (fun x => Nat.add x (N.sub P)) (Nat.sub_eq_zero_of_le (Nat.le_of_lt h))) (Nat.zero_add (N.sub P)))

theorem diff_of_ge {P N q : Nat} (h : Nat.Le N P) :
    Eq (round (f := f) mode (Nat.blt P N) ((P.sub N).add (N.sub P)) q) (round mode false (P.sub N) q) :=
  congrArg2 (fun s p => round mode s p q) (Nat.blt_of_le h) (congrArg (Nat.add (P.sub N)) (Nat.sub_eq_zero_of_le h))

theorem diff_le {P N P' N' q : Nat} (h : Nat.Le (P.add N') (P'.add N)) :
    Eq (le (f := f) (round mode (Nat.blt P N) ((P.sub N).add (N.sub P)) q) (round mode (Nat.blt P' N') ((P'.sub N').add (N'.sub P')) q)) true :=
  Or.elim (Nat.lt_or_ge P N)
    (fun l => Eq.trans (congrArg (fun x => le x _) (diff_of_lt l)) (Or.elim (Nat.lt_or_ge P' N')
      (fun l' => Eq.trans (congrArg (le _) (diff_of_lt l')) (round_le_neg (Nat.sub_le_of_le_add
        (Nat.le_of_add_le_add_right P (Nat.le_trans (Nat.le_of_eq (Nat.add_comm N' P)) (Nat.le_trans h (Nat.le_of_eq
          (Eq.symm (Eq.trans (Nat.add_assoc P' (N.sub P) P) (congrArg (Nat.add P') (Nat.sub_add_cancel (Nat.le_of_lt l)))))))))))) 
      (fun g' => Eq.trans (congrArg (le _) (diff_of_ge g')) (round_neg_le_pos _ _ q q))))
    (fun g => Eq.trans (congrArg (fun x => le x _) (diff_of_ge g)) (Or.elim (Nat.lt_or_ge P' N')
      (fun l' => absurd h (Nat.not_le_of_lt (Nat.lt_of_lt_of_le (Nat.add_lt_add_right l' N)
        (Nat.le_trans (Nat.le_of_eq (Nat.add_comm N' N)) (Nat.add_le_add_right g N')))))
      (fun g' => Eq.trans (congrArg (le _) (diff_of_ge g')) (round_le_pos (Nat.sub_le_of_le_add
        (Nat.le_of_add_le_add_right N' (Nat.le_trans h (Nat.le_of_eq
          (Eq.symm (Eq.trans (congrArg (fun x => Nat.add x N') (Nat.add_comm N (P'.sub N'))) (Eq.trans (Nat.add_right_comm (P'.sub N') N N')
            (congrArg (fun x => Nat.add x N) (Nat.sub_add_cancel g'))))))))))))) 

/-- The exact sum, with the sign of zero aside, is the difference of what counts up and what counts down. -/
theorem roundSum_split {q : Nat} (pos : Nat.Lt 0 q) : (s : Bool) → (u : Nat) → (t : Bool) → (v : Nat) →
    Eq (roundSum (f := f) mode s u t v q).posZero
      (round mode (Nat.blt ((cond s 0 u).add (cond t 0 v)) ((cond s u 0).add (cond t v 0)))
        ((((cond s 0 u).add (cond t 0 v)).sub ((cond s u 0).add (cond t v 0))).add
          (((cond s u 0).add (cond t v 0)).sub ((cond s 0 u).add (cond t 0 v)))) q).posZero
  | false, u, false, v => congrArg posZero (Eq.symm (diff_of_ge (P := u.add v) (N := 0) (Nat.zero_le _)))
  | true, u, true, v => Or.elim (Nat.eq_zero_or_pos (u.add v))
      (fun e => Eq.trans (congrArg (fun x => (round mode true x q).posZero) e) (Eq.trans (congrArg posZero (round_zero pos))
        (Eq.symm (Eq.trans (congrArg posZero (diff_of_ge (P := 0) (N := u.add v) (Nat.le_of_eq e)))
          (Eq.trans (congrArg (fun x => (round mode false x q).posZero) (Nat.zero_sub (u.add v)))
            (Eq.trans (congrArg posZero (round_zero pos)) (Eq.symm (posZero_zero true))))))))
      (fun l => congrArg posZero (Eq.symm (diff_of_lt (P := 0) (N := u.add v) l)))
  | false, u, true, v => Eq.trans (differ u v) (Eq.symm (congrArg (fun n => (round mode (Nat.blt u n) ((u.sub n).add (n.sub u)) q).posZero) (Nat.zero_add v)))
  | true, u, false, v => Eq.trans (congrArg posZero (roundSum_comm true u false v q))
      (Eq.trans (differ v u) (Eq.symm (congrArg (fun p => (round mode (Nat.blt p u) ((p.sub u).add (u.sub p)) q).posZero) (Nat.zero_add v))))
where
  differ (u v : Nat) : Eq (roundSum (f := f) mode false u true v q).posZero (round mode (Nat.blt u v) ((u.sub v).add (v.sub u)) q).posZero :=
    Nat.byOrder u v
      (fun l => congrArg posZero (Eq.trans (Eq.trans (cond_of_false (Nat.beq_of_lt l) _ _) (cond_of_false (Nat.blt_of_le (Nat.le_of_lt l)) _ _))
        (Eq.symm (diff_of_lt l))))
      (fun e => Eq.trans (congrArg posZero (cond_of_true (Nat.beq_of_eq e) _ _)) (Eq.symm (Eq.trans (congrArg posZero (diff_of_ge (Nat.le_of_eq (Eq.symm e))))
        (Eq.trans (congrArg (fun x => (round mode false x q).posZero) (Nat.sub_eq_zero_of_le (Nat.le_of_eq e)))
          (Eq.trans (congrArg posZero (round_zero pos)) (Eq.symm (posZero_zero mode.zeroNeg)))))))
      (fun l => congrArg posZero (Eq.trans (Eq.trans (cond_of_false (Nat.beq_of_gt l) _ _) (cond_of_true l _ _))
        (Eq.symm (diff_of_ge (Nat.le_of_lt l)))))

/-- Sums keep the order of what they sum to. -/
theorem roundSum_le {s t s' t' : Bool} {u v u' v' q : Nat} (pos : Nat.Lt 0 q)
    (h : Nat.Le (((cond s 0 u).add (cond t 0 v)).add ((cond s' u' 0).add (cond t' v' 0)))
      (((cond s' 0 u').add (cond t' 0 v')).add ((cond s u 0).add (cond t v 0)))) :
    Eq (le (f := f) (roundSum mode s u t v q) (roundSum mode s' u' t' v' q)) true :=
  Eq.step (le (roundSum mode s u t v q) (roundSum mode s' u' t' v' q)) (Eq.trans (Eq.symm (posZero_le _ _)) (Eq.symm (le_posZero _ _))) (
  Eq.step (le (roundSum mode s u t v q).posZero (roundSum mode s' u' t' v' q).posZero)
    (congrArg2 le (roundSum_split pos s u t v) (roundSum_split pos s' u' t' v')) (
  Eq.trans (Eq.trans (posZero_le _ _) (le_posZero _ _)) (diff_le h)))

/-! The order of two numbers, in units. -/

theorem units_le_of_rank_le {g h : Nat} (_ : Nat.Le g f.inf) (hh : Nat.Le h f.inf) : (s t : Bool) → Nat.Le (rank f s g) (rank f t h) →
    Nat.Le ((cond s 0 (units f g)).add (cond t (units f h) 0)) ((cond t 0 (units f h)).add (cond s (units f g) 0))
  | false, false, e => units_le (Nat.le_of_add_le_add_left f.inf e)
  | true, true, e => Nat.add_le_add_left (units_le (Nat.le_of_not_lt
      (fun l => Nat.not_lt_of_le e (larger_blt_rank hh l true true)))) 0
  | true, false, _ => Nat.zero_le _
  | false, true, e =>
    have g0 : Eq g 0 := Nat.eq_zero_of_le_zero (Nat.le_of_not_lt (fun l => Nat.not_lt_of_le (Nat.le_trans e (Nat.sub_le f.inf h)) (Nat.lt_add_of_pos f.inf l)))
    have h0 : Eq h 0 := Nat.eq_zero_of_le_zero (Nat.le_of_not_lt (fun l => Nat.not_lt_of_le (Nat.le_trans (Nat.le_add_right f.inf g) e)
      (Nat.sub_lt (Nat.lt_of_lt_of_le l hh) l)))
    Nat.le_of_eq (congrArg2 Nat.add (Eq.trans (congrArg (units f) g0) units_zero) (Eq.trans (congrArg (units f) h0) units_zero))

theorem units_lt_of_rank_lt {g h : Nat} (_ : Nat.Le g f.inf) : (s t : Bool) → Nat.Lt (rank f s g) (rank f t h) →
    Nat.Lt ((cond s 0 (units f g)).add (cond t (units f h) 0)) ((cond t 0 (units f h)).add (cond s (units f g) 0))
  | false, false, e => units_lt (Nat.lt_of_add_lt_add_left f.inf e)
  | true, true, e => Nat.add_lt_add_left (units_lt (Nat.lt_of_not_le (fun l => Nat.not_lt_of_le (Nat.sub_le_sub_left f.inf l) e))) 0
  | true, false, e => Or.elim (Nat.eq_zero_or_pos h)
      (fun h0 => Nat.add_pos_right (units f h) (units_pos (Nat.pos_of_ne_zero (fun g0 => Nat.ne_of_lt e
        (Eq.trans (congrArg (rank f true) g0) (Eq.trans (rank_zero f true) (Eq.symm (Eq.trans (congrArg (rank f false) h0) (rank_zero f false)))))))))
      (fun hp => Nat.add_pos_left (units_pos hp) (units f g))
  | false, true, e => absurd e (Nat.not_lt_of_le (Nat.le_trans (Nat.sub_le f.inf h) (Nat.le_add_right f.inf g)))

end Fp
