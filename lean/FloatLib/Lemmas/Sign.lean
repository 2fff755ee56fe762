prelude
import FloatLib.Op.Arith
import FloatLib.Op.Choose
import FloatLib.Lemmas.Value
/-!
# The sign bit: opposite and absolute value, and what they do in products and quotients
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem neg_neg : (a : Fp f) → Eq a.neg.neg a
  | nan => rfl
  | num s _ _ => num_congr (Bool.not_not s) rfl

theorem abs_neg : (a : Fp f) → Eq a.neg.abs a.abs
  | nan => rfl
  | num _ _ _ => rfl

theorem abs_abs : (a : Fp f) → Eq a.abs.abs a.abs
  | nan => rfl
  | num _ _ _ => rfl

theorem sub_eq_add_neg (a b : Fp f) : Eq (sub mode a b) (add mode a b.neg) := rfl

/-- Rounding to nearest does not look at the sign. -/
theorem roundMag_rn (s t : Bool) (p q : Nat) : Eq (roundMag f .rn s p q) (roundMag f .rn t p q) := rfl

theorem neg_zero (s : Bool) : Eq (zero (f := f) s).neg (zero s.not) := rfl

theorem neg_inf (s : Bool) : Eq (inf (f := f) s).neg (inf s.not) := rfl

theorem neg_round (s : Bool) (p q : Nat) : Eq (round (f := f) .rn s p q).neg (round .rn s.not p q) := num_congr rfl (roundMag_rn s s.not p q)

theorem neg_cond (c : Bool) (a b : Fp f) : Eq (cond c a b).neg (cond c a.neg b.neg) := apply_cond neg a b c

/-! Products. -/

theorem mul_neg_left : (a b : Fp f) → Eq (mul .rn a.neg b) (mul .rn a b).neg
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s _ _, num t _ _ =>
    Eq.symm (Eq.trans (neg_cond _ _ _) (congrArg2 (cond _)
      (Eq.trans (neg_cond _ _ _) (congrArg (fun x => cond _ nan (inf x)) (Eq.symm (Bool.not_xor s t))))
      (Eq.trans (neg_round _ _ _) (congrArg (fun x => round .rn x _ _) (Eq.symm (Bool.not_xor s t))))))

theorem mul_neg_right : (a b : Fp f) → Eq (mul .rn a b.neg) (mul .rn a b).neg
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s _ _, num t _ _ =>
    Eq.symm (Eq.trans (neg_cond _ _ _) (congrArg2 (cond _)
      (Eq.trans (neg_cond _ _ _) (congrArg (fun x => cond _ nan (inf x)) (Eq.symm (Bool.xor_not s t))))
      (Eq.trans (neg_round _ _ _) (congrArg (fun x => round .rn x _ _) (Eq.symm (Bool.xor_not s t))))))

theorem mul_neg_neg (a b : Fp f) : Eq (mul .rn a.neg b.neg) (mul .rn a b) :=
  Eq.trans (mul_neg_left a b.neg) (Eq.trans (congrArg neg (mul_neg_right a b)) (neg_neg _))

/-! Quotients. -/

/-- The rows of the quotient of two values that are not NaN, for any sign of the result. -/
theorem neg_div_rows (c₁ c₂ c₃ c₄ : Bool) (x : Bool) (p q : Nat) :
    Eq (cond c₁ (cond c₂ nan (inf (f := f) x)) (cond c₂ (zero x) (cond c₃ (cond c₄ nan (inf x)) (round .rn x p q)))).neg
      (cond c₁ (cond c₂ nan (inf x.not)) (cond c₂ (zero x.not) (cond c₃ (cond c₄ nan (inf x.not)) (round .rn x.not p q)))) :=
  Eq.trans (neg_cond _ _ _) (congrArg2 (cond c₁) (neg_cond _ _ _)
    (Eq.trans (neg_cond _ _ _) (congrArg (cond c₂ (zero x.not))
      (Eq.trans (neg_cond _ _ _) (congrArg2 (cond c₃) (neg_cond _ _ _) (neg_round x p q))))))

theorem div_neg_left : (a b : Fp f) → Eq (div .rn a.neg b) (div .rn a b).neg
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => Eq.symm (Eq.trans (neg_div_rows _ _ _ _ _ _ _) (congrArg
      (fun x => cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf x)) (cond (Nat.beq h f.inf) (zero x)
        (cond (Nat.beq h 0) (cond (Nat.beq g 0) nan (inf x)) (round .rn x ((units f g).mul f.one) (units f h)))))
      (Eq.symm (Bool.not_xor s t))))

theorem div_neg_right : (a b : Fp f) → Eq (div .rn a b.neg) (div .rn a b).neg
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => Eq.symm (Eq.trans (neg_div_rows _ _ _ _ _ _ _) (congrArg
      (fun x => cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf x)) (cond (Nat.beq h f.inf) (zero x)
        (cond (Nat.beq h 0) (cond (Nat.beq g 0) nan (inf x)) (round .rn x ((units f g).mul f.one) (units f h)))))
      (Eq.symm (Bool.xor_not s t))))

/-! Fused products: only the sign of the product counts. -/

theorem fma_neg_swap : (a b c : Fp f) → Eq (fma mode a b.neg c) (fma mode a.neg b c)
  | nan, _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num _ _ _, num _ _ _, nan => rfl
  | num s g _, num t h _, num r k hk =>
    congrArg (fun x => cond ((Nat.beq g f.inf).or (Nat.beq h f.inf))
      (cond ((Nat.beq g 0).or (Nat.beq h 0)) nan (cond ((Nat.beq k f.inf).and (Bool.xor x r)) nan (inf x)))
      (cond (Nat.beq k f.inf) (num r k hk)
        (roundSum mode x ((units f g).mul (units f h)) r ((units f k).mul f.one) f.one)))
      (Eq.trans (Bool.xor_not s t) (Eq.symm (Bool.not_xor s t)))

theorem fma_neg_neg (a b c : Fp f) : Eq (fma mode a.neg b.neg c) (fma mode a b c) :=
  Eq.trans (fma_neg_swap a.neg b c) (congrArg (fun x => fma mode x b c) (neg_neg a))

end Fp
