prelude
import FloatLib.Op.Class
import FloatLib.Lemmas.Value
/-!
# Rounding depends on the quotient only

A common factor of numerator and denominator does not change the rounded value (`round_mul_left`), so equal quotients round equally
(`round_ratio`). Division by a number whose reciprocal is exact is then multiplication by the reciprocal (`div_eq_mul`).
-/

noncomputable section

namespace Nat

theorem blt_mul_left {k : Nat} (pos : Lt 0 k) (a b : Nat) : Eq (blt (mul k a) (mul k b)) (blt a b) :=
  Bool.eq_of_iff (lt_of_mul_lt_mul_right k) (fun h => mul_lt_mul_right h pos)

theorem beq_mul_left {k : Nat} (pos : Lt 0 k) (a b : Nat) : Eq (beq (mul k a) (mul k b)) (beq a b) :=
  Bool.eq_of_iff (fun h => beq_of_eq (mul_left_cancel pos (eq_of_beq _ _ h))) (fun h => beq_of_eq (congrArg (mul k) (eq_of_beq _ _ h)))

end Nat

/-- The decision to go up sees the remainder as a part of the divisor only. -/
theorem Mode.up_mul_left {k : Nat} (pos : Nat.Lt 0 k) (neg : Bool) (c r d : Nat) :
    (mode : Mode) → Eq (mode.up neg c (k.mul r) (k.mul d)) (mode.up neg c r d)
  | rn => congrArg2 (fun x y => Bool.or x (Bool.and y c.odd))
      (Eq.trans (congrArg (Nat.blt (k.mul d)) (Nat.mul_left_comm 2 k r)) (Nat.blt_mul_left pos d (Nat.mul 2 r)))
      (Eq.trans (congrArg (Nat.beq (k.mul d)) (Nat.mul_left_comm 2 k r)) (Nat.beq_mul_left pos d (Nat.mul 2 r)))
  | rz => rfl
  | rm => congrArg (Bool.and neg) (Nat.blt_mul_left pos 0 r)
  | rp => congrArg (Bool.and neg.not) (Nat.blt_mul_left pos 0 r)

namespace Fp

variable {f : Format} {mode : Mode}

/-! A common factor. -/

theorem roundAt_mul_left {k : Nat} (pos : Nat.Lt 0 k) (neg : Bool) (p q s : Nat) :
    Eq (roundAt f mode neg (k.mul p) (k.mul q) s) (roundAt f mode neg p q s) :=
  Eq.trans
    (congrArg (fun d => ((s.mul (Nat.pow 2 f.mant)).add ((k.mul p).div d)).add (cond (mode.up neg ((k.mul p).div d) ((k.mul p).mod d) d) 1 0))
      (Nat.mul_assoc k q (Nat.pow 2 s)))
    (step (q.mul (Nat.pow 2 s)))
where
  step (d : Nat) :
      Eq (((s.mul (Nat.pow 2 f.mant)).add ((k.mul p).div (k.mul d))).add
          (cond (mode.up neg ((k.mul p).div (k.mul d)) ((k.mul p).mod (k.mul d)) (k.mul d)) 1 0))
        (((s.mul (Nat.pow 2 f.mant)).add (p.div d)).add (cond (mode.up neg (p.div d) (p.mod d) d) 1 0)) :=
    congrArg2 Nat.add (congrArg (Nat.add (s.mul (Nat.pow 2 f.mant))) (Nat.mul_div_mul_left pos p d))
      (congrArg (fun b => cond b 1 0) (Eq.trans
        (congrArg2 (fun c r => mode.up neg c r (k.mul d)) (Nat.mul_div_mul_left pos p d) (Nat.mul_mod_mul_left k p d))
        (Mode.up_mul_left pos neg (p.div d) (p.mod d) d mode)))

theorem roundMag_mul_left {k : Nat} (pos : Nat.Lt 0 k) (neg : Bool) (p q : Nat) :
    Eq (roundMag f mode neg (k.mul p) (k.mul q)) (roundMag f mode neg p q) :=
  congrArg (fun x => Nat.min x (Nat.min (mode.limit f neg) f.inf)) (Eq.trans
    (congrArg (fun n => roundAt f mode neg (k.mul p) (k.mul q) (stepLog f n)) (Nat.mul_div_mul_left pos p q))
    (roundAt_mul_left pos neg p q (stepLog f (p.div q))))

theorem round_mul_left {k : Nat} (pos : Nat.Lt 0 k) (neg : Bool) (p q : Nat) :
    Eq (round (f := f) mode neg (k.mul p) (k.mul q)) (round mode neg p q) := num_congr rfl (roundMag_mul_left pos neg p q)

theorem round_mul_right {k : Nat} (pos : Nat.Lt 0 k) (neg : Bool) (p q : Nat) :
    Eq (round (f := f) mode neg (p.mul k) (q.mul k)) (round mode neg p q) :=
  Eq.trans (congrArg2 (round mode neg) (Nat.mul_comm p k) (Nat.mul_comm q k)) (round_mul_left pos neg p q)

/-- Equal quotients have equal rounded patterns. -/
theorem roundMag_ratio {neg : Bool} {p q p' q' : Nat} (hq : Nat.Lt 0 q) (hq' : Nat.Lt 0 q') (h : Eq (p.mul q') (p'.mul q)) :
    Eq (roundMag f mode neg p q) (roundMag f mode neg p' q') :=
  Eq.step (roundMag f mode neg p q) (Eq.symm (roundMag_mul_left hq' neg p q)) (
  Eq.step (roundMag f mode neg (q'.mul p) (q'.mul q)) (congrArg2 (roundMag f mode neg)
    (Eq.trans (Nat.mul_comm q' p) (Eq.trans h (Nat.mul_comm p' q))) (Nat.mul_comm q' q)) (
  Eq.step (roundMag f mode neg (q.mul p') (q.mul q')) (roundMag_mul_left hq neg p' q') (
  Eq.done (roundMag f mode neg p' q'))))

/-- Equal quotients round to equal values. -/
theorem round_ratio {neg : Bool} {p q p' q' : Nat} (hq : Nat.Lt 0 q) (hq' : Nat.Lt 0 q') (h : Eq (p.mul q') (p'.mul q)) :
    Eq (round (f := f) mode neg p q) (round mode neg p' q') := num_congr rfl (roundMag_ratio hq hq' h)

theorem roundSum_mul_left {k : Nat} (pos : Nat.Lt 0 k) (s : Bool) (u : Nat) (t : Bool) (v q : Nat) :
    Eq (roundSum (f := f) mode s (k.mul u) t (k.mul v) (k.mul q)) (roundSum mode s u t v q) :=
  congrArg2 (cond (Bool.beq s t))
    (Eq.trans (congrArg (fun x => round mode s x (k.mul q)) (Eq.symm (Nat.mul_add k u v))) (round_mul_left pos s (u.add v) q))
    (congrArg2 (fun c x => cond c (zero mode.zeroNeg) x) (Nat.beq_mul_left pos u v)
      (congrArg3 cond (Nat.blt_mul_left pos v u)
        (Eq.trans (congrArg (fun x => round mode s x (k.mul q)) (Eq.symm (Nat.mul_sub k u v))) (round_mul_left pos s (u.sub v) q))
        (Eq.trans (congrArg (fun x => round mode t x (k.mul q)) (Eq.symm (Nat.mul_sub k v u))) (round_mul_left pos t (v.sub u) q))))

theorem roundSum_mul_right {k : Nat} (pos : Nat.Lt 0 k) (s : Bool) (u : Nat) (t : Bool) (v q : Nat) :
    Eq (roundSum (f := f) mode s (u.mul k) t (v.mul k) (q.mul k)) (roundSum mode s u t v q) :=
  Eq.trans (congrArg3 (fun x y z => roundSum mode s x t y z) (Nat.mul_comm u k) (Nat.mul_comm v k) (Nat.mul_comm q k))
    (roundSum_mul_left pos s u t v q)

/-! Reciprocals. -/

/-- Dividing by one of two numbers with product 1 is multiplying by the other. -/
theorem div_eq_mul : (a b c : Fp f) → Eq (isRecip b c) true → Eq (div mode a b) (mul mode a c)
  | nan, _, _, _ => rfl
  | num _ _ _, nan, _, r => (Bool.false_ne_true r).elim
  | num _ _ _, num _ _ _, nan, r => (Bool.false_ne_true r).elim
  | num s g _, num t h _, num t' k _, r =>
    have sign : Eq t t' := Bool.eq_of_beq (Bool.and_eq_true_left r)
    have rest := Bool.and_eq_true_right r
    have hpos : Nat.Lt 0 h := Bool.and_eq_true_left (Bool.and_eq_true_left rest)
    have kpos : Nat.Lt 0 k := Bool.and_eq_true_right (Bool.and_eq_true_left rest)
    have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left (Bool.and_eq_true_left (Bool.and_eq_true_right rest))
    have kfin : Nat.Lt k f.inf := Bool.and_eq_true_right (Bool.and_eq_true_left (Bool.and_eq_true_right rest))
    have prod : Eq ((units f h).mul (units f k)) (f.one.mul f.one) :=
      Nat.eq_of_beq _ _ (Bool.and_eq_true_right (Bool.and_eq_true_right rest))
    have xor_eq : Eq (s.xor t) (s.xor t') := congrArg (Bool.xor s) sign
    Bool.byCases (Nat.beq g f.inf)
      (fun yes =>
        have gpos : Eq (Nat.beq g 0) false := Nat.beq_of_gt
          (Nat.lt_of_lt_of_le (Nat.lt_trans hpos hfin) (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))
        Eq.trans (cond_of_true yes _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt hfin) _ _) (Eq.trans (congrArg inf xor_eq)
          (Eq.symm (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
            (cond_of_false (Bool.or_of_false gpos (Nat.beq_of_gt kpos)) _ _))))))
      (fun no =>
        Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt hfin) _ _) (Eq.trans (cond_of_false (Nat.beq_of_gt hpos) _ _)
          (Eq.trans (congrArg (fun x => round mode x _ _) xor_eq) (Eq.trans (round_ratio (units_pos hpos) one_pos
            (Eq.step (((units f g).mul f.one).mul f.one) (Nat.mul_assoc _ _ _) (
            Eq.step ((units f g).mul (f.one.mul f.one)) (congrArg (Nat.mul (units f g)) (Eq.symm prod)) (
            Eq.step ((units f g).mul ((units f h).mul (units f k))) (congrArg (Nat.mul (units f g)) (Nat.mul_comm _ _)) (
            Eq.step ((units f g).mul ((units f k).mul (units f h))) (Eq.symm (Nat.mul_assoc _ _ _)) (
            Eq.done (((units f g).mul (units f k)).mul (units f h))))))))
            (Eq.symm (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt kfin)) _ _)))))))

end Fp
