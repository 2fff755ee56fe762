prelude
import FloatLib.Lemmas.Interval
/-!
# Fused products keep the order

As products in a factor and as sums in the addend, with one rounding.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Infinities. -/

/-- A product that is infinite decides, unless the result is NaN. -/
theorem fma_top {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (top : Eq ((Nat.beq g f.inf).or (Nat.beq h f.inf)) true) :
    (r : Fp f) → Eq (fma mode (num s g hg) (num t h hh) r).isNan false → Eq (fma mode (num s g hg) (num t h hh) r) (inf (s.xor t))
  | nan, n => (Bool.true_ne_false n).elim
  | num r k _, n => Eq.trans (cond_of_true top _ _)
      (rows ((Nat.beq g 0).or (Nat.beq h 0)) ((Nat.beq k f.inf).and ((s.xor t).xor r)) (Eq.trans (congrArg isNan (Eq.symm (cond_of_true top _ _))) n))
where
  rows {x : Fp f} (c d : Bool) (n : Eq (cond c nan (cond d nan x)).isNan false) : Eq (cond c nan (cond d nan x)) x :=
    match c, d, n with
    | true, _, n => (Bool.true_ne_false n).elim
    | false, true, n => (Bool.true_ne_false n).elim
    | false, false, _ => rfl

/-- An infinite addend decides, if the factors are finite. -/
theorem fma_addend_inf (x : Bool) : (a c : Fp f) → Eq a.isFinite true → Eq c.isFinite true → Eq (fma mode a c (inf x)) (inf x)
  | nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, fg, fh => Eq.trans (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fg) (Nat.beq_of_lt fh)) _ _)
      (cond_of_true (Nat.beq_self f.inf) _ _)

/-- A factor that is not negative keeps an infinite factor's sign, unless the result is NaN. -/
theorem fma_inf_left (s : Bool) (c r : Fp f) (h : Eq (le (zero false) c) true) (n : Eq (fma mode (inf s) c r).isNan false) :
    Eq (fma mode (inf s) c r) (inf s) :=
  zero_le_cases c h
    (fun _ hk ec => Eq.trans (congrArg (fun y => fma mode (inf s) y r) ec)
      (Eq.trans (fma_top (hg := ble_self f.inf) (hh := hk) (Bool.or_of_true_left (Nat.beq_self f.inf)) r
        (Eq.trans (congrArg (fun y => isNan (fma mode (inf s) y r)) (Eq.symm ec)) n)) (congrArg inf (Bool.xor_false s))))
    (fun ec => Bool.not_both (b := isNan (nan (f := f))) rfl (Eq.trans (Eq.symm (never s r))
      (Eq.trans (congrArg (fun y => isNan (fma mode (inf s) y r)) (Eq.symm ec)) n)))
where
  never (s : Bool) : (r : Fp f) → Eq (fma mode (inf s) (zero true) r).isNan true
    | nan => rfl
    | num _ _ _ => congrArg isNan (Eq.trans (cond_of_true (Bool.or_of_true_left (Nat.beq_self f.inf)) _ _) (cond_of_true (Bool.or_of_true_right rfl) nan _))

/-! Finite values. -/

/-- Signed worth times a factor that is not negative. -/
theorem signed_mul_le {s s' : Bool} {u u' v : Nat} (h : Nat.Le (Nat.add (cond s 0 u) (cond s' u' 0)) (Nat.add (cond s' 0 u') (cond s u 0))) :
    Nat.Le (Nat.add (cond s 0 (u.mul v)) (cond s' (u'.mul v) 0)) (Nat.add (cond s' 0 (u'.mul v)) (cond s (u.mul v) 0)) :=
  Nat.le_trans (Nat.le_of_eq (Eq.trans (congrArg2 Nat.add (low s u) (high s' u')) (Eq.symm (Nat.add_mul _ _ v))))
    (Nat.le_trans (Nat.mul_le_mul_left h v) (Nat.le_of_eq (Eq.trans (Nat.add_mul _ _ v) (congrArg2 Nat.add (Eq.symm (low s' u')) (Eq.symm (high s u))))))
where
  low : (s : Bool) → (u : Nat) → Eq (cond s 0 (u.mul v)) ((cond s 0 u).mul v)
    | true, _ => Eq.symm (Nat.zero_mul v)
    | false, _ => rfl
  high : (s : Bool) → (u : Nat) → Eq (cond s (u.mul v) 0) ((cond s u 0).mul v)
    | true, _ => rfl
    | false, _ => Eq.symm (Nat.zero_mul v)

theorem fma_le_finite : (a b c r r' : Fp f) → Eq a.isFinite true → Eq b.isFinite true → Eq c.isFinite true → Eq r.isFinite true → Eq r'.isFinite true →
    Eq (le a b) true → Eq (le (zero false) c) true → Eq (le r r') true → Eq (le (fma mode a c r) (fma mode b c r')) true
  | nan, _, _, _, _, h, _, _, _, _, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, _, _, _, h, _, _, _, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, _, _, _, h, _, _, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, nan, _, _, _, _, h, _, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, num _ _ _, nan, _, _, _, _, h, _, _, _ => (Bool.false_ne_true h).elim
  | num s _ hg, num s' _ hg', num t _ _, num x _ hk, num x' _ hk', fg, fg', fh, fk, fk', le₁, low, le₂ =>
    Eq.trans (congrArg2 le (Eq.trans (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fg) (Nat.beq_of_lt fh)) _ _) (cond_of_false (Nat.beq_of_lt fk) _ _))
        (Eq.trans (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fg') (Nat.beq_of_lt fh)) _ _) (cond_of_false (Nat.beq_of_lt fk') _ _)))
      (roundSum_le_of_le one_pos
        (product t low (signed_units_le hg hg' s s' le₁))
        (signed_mul_le (signed_units_le hk hk' x x' le₂)))
where
  product {s s' : Bool} {g g' h : Nat} {hh : Eq (Nat.ble h f.inf) true} : (t : Bool) → Eq (le (zero false) (num t h hh)) true →
      Nat.Le (Nat.add (cond s 0 (units f g)) (cond s' (units f g') 0)) (Nat.add (cond s' 0 (units f g')) (cond s (units f g) 0)) →
      Nat.Le (Nat.add (cond (s.xor t) 0 ((units f g).mul (units f h))) (cond (s'.xor t) ((units f g').mul (units f h)) 0))
        (Nat.add (cond (s'.xor t) 0 ((units f g').mul (units f h))) (cond (s.xor t) ((units f g).mul (units f h)) 0))
    | false, _, le =>
      Eq.subst (motive := fun y => Nat.Le (Nat.add (cond y 0 _) (cond (s'.xor false) _ 0)) (Nat.add (cond (s'.xor false) 0 _) (cond y _ 0)))
        (Eq.symm (Bool.xor_false s))
        (Eq.subst (motive := fun y => Nat.Le (Nat.add (cond s 0 _) (cond y _ 0)) (Nat.add (cond y 0 _) (cond s _ 0))) (Eq.symm (Bool.xor_false s'))
          (signed_mul_le le))
    | true, low, _ =>
      have z : Eq (units f h) 0 :=
        Eq.trans (congrArg (units f) (Nat.eq_zero_of_le_zero (Nat.le_of_add_le_add_left f.inf (Nat.add_le_of_le_sub hh low)))) units_zero
      Eq.subst (motive := fun y => Nat.Le (Nat.add (cond (s.xor true) 0 ((units f g).mul y)) (cond (s'.xor true) ((units f g').mul y) 0))
          (Nat.add (cond (s'.xor true) 0 ((units f g').mul y)) (cond (s.xor true) ((units f g).mul y) 0))) (Eq.symm z)
        (Nat.le_trans (Nat.le_of_eq (congrArg2 Nat.add (cond_same 0 (s.xor true)) (cond_same 0 (s'.xor true)))) (Nat.zero_le _))

/-! Any values. -/

/-- A fused product grows with a factor, if the other one is finite and not negative, and with the addend. -/
theorem fma_le_of_le (pos : Nat.Lt 0 f.inf) (a b c r r' : Fp f) (h₁ : Eq (le a b) true) (low : Eq (le (zero false) c) true) (fc : Eq c.isFinite true)
    (h₂ : Eq (le r r') true) (n₁ : Eq (fma mode a c r).isNan false) (n₂ : Eq (fma mode b c r').isNan false) :
    Eq (le (fma mode a c r) (fma mode b c r')) true :=
  inf_cases a (notNan_left_of_le a b h₁)
    (fun e => le_of_eq_negInf (factor low e n₁) n₂)
    (fun e => le_of_eq_posInf (factor low (eq_posInf pos b (Eq.trans (congrArg (fun x => le x b) (Eq.symm e)) h₁)) n₂) n₁)
    (fun fa => inf_cases b (notNan_right_of_le a b h₁)
      (fun e => (not_le_negInf pos a fa (Eq.trans (congrArg (le a) (Eq.symm e)) h₁)).elim)
      (fun e => le_of_eq_posInf (factor low e n₂) n₁)
      (fun fb => inf_cases r (notNan_left_of_le r r' h₂)
        (fun e => le_of_eq_negInf (addend fa fc e) n₂)
        (fun e => le_of_eq_posInf (addend fb fc (eq_posInf pos r' (Eq.trans (congrArg (fun x => le x r') (Eq.symm e)) h₂))) n₁)
        (fun fr => inf_cases r' (notNan_right_of_le r r' h₂)
          (fun e => (not_le_negInf pos r fr (Eq.trans (congrArg (le r) (Eq.symm e)) h₂)).elim)
          (fun e => le_of_eq_posInf (addend fb fc e) n₁)
          (fun fr' => fma_le_finite a b c r r' fa fb fc fr fr' h₁ low h₂))))
where
  factor {x c y : Fp f} {s : Bool} (low : Eq (le (zero false) c) true) (e : Eq x (inf s)) (n : Eq (fma mode x c y).isNan false) : Eq (fma mode x c y) (inf s) :=
    Eq.trans (congrArg (fun z => fma mode z c y) e) (fma_inf_left s c y low (Eq.trans (congrArg (fun z => isNan (fma mode z c y)) (Eq.symm e)) n))
  addend {x c y : Fp f} {s : Bool} (fx : Eq x.isFinite true) (fc : Eq c.isFinite true) (e : Eq y (inf s)) : Eq (fma mode x c y) (inf s) :=
    Eq.trans (congrArg (fma mode x c) e) (fma_addend_inf s x c fx fc)

/-- The least of the fused products of values that are not negative is a zero. -/
theorem zero_le_fma_zero (pos : Nat.Lt 0 f.inf) : (c : Fp f) → Eq c.isFinite true → Eq (le (zero false) (fma mode (zero false) c (zero false))) true
  | nan, h => (Bool.false_ne_true h).elim
  | num t h _, fin => Eq.trans (congrArg (le (zero false))
      (Eq.trans (cond_of_false (Bool.or_of_false (Nat.beq_of_lt pos) (Nat.beq_of_lt fin)) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt pos) _ _)
        (Eq.trans (congrArg (fun u => roundSum mode (Bool.xor false t) (Nat.mul u (units f h)) false (Nat.mul u f.one) f.one) units_zero)
          (congrArg2 (fun u v => roundSum mode (Bool.xor false t) u false v f.one) (Nat.zero_mul (units f h)) (Nat.zero_mul f.one))))))
      (signs t)
where
  signs : (t : Bool) → Eq (le (zero false) (roundSum (f := f) mode (Bool.xor false t) 0 false 0 f.one)) true
    | false => zero_le_num (roundMag f mode false 0 f.one) (min_le _ _ _)
    | true => Nat.le_of_eq (Eq.symm (rank_zero f mode.zeroNeg))

end Fp

namespace F32

variable {mode : Mode}

theorem fma_le_of_le (a b c r s : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true) (fin : Eq (Fp.isFinite c) true)
    (h₃ : Eq (Fp.le r s) true) (n₁ : Eq (Fp.isNan (Fp.fma mode a c r)) false) (n₂ : Eq (Fp.isNan (Fp.fma mode b c s)) false) :
    Eq (Fp.le (Fp.fma mode a c r) (Fp.fma mode b c s)) true := Fp.fma_le_of_le (f := Format.binary32) rfl a b c r s h₁ h₂ fin h₃ n₁ n₂

theorem fma_nonneg (a c r : F32) (h₁ : Eq (Fp.le (F32.ofBits 0x00000000) a) true) (h₂ : Eq (Fp.le (F32.ofBits 0x00000000) c) true)
    (fin : Eq (Fp.isFinite c) true) (h₃ : Eq (Fp.le (F32.ofBits 0x00000000) r) true) (n : Eq (Fp.isNan (Fp.fma mode a c r)) false) :
    Eq (Fp.le (F32.ofBits 0x00000000) (Fp.fma mode a c r)) true :=
  have least := Fp.zero_le_fma_zero (mode := mode) (f := Format.binary32) rfl c fin
  Fp.le_trans _ _ _ least (fma_le_of_le (F32.ofBits 0x00000000) a c (F32.ofBits 0x00000000) r h₁ h₂ fin h₃
    (Fp.notNan_right_of_le _ _ least) n)

/-- The other factor may be negative: then the result falls. -/
theorem fma_le_of_ge (a b c r s : F32) (h₁ : Eq (Fp.le a b) true) (h₂ : Eq (Fp.le c (F32.ofBits 0x00000000)) true) (fin : Eq (Fp.isFinite c) true)
    (h₃ : Eq (Fp.le r s) true) (n₁ : Eq (Fp.isNan (Fp.fma mode b c r)) false) (n₂ : Eq (Fp.isNan (Fp.fma mode a c s)) false) :
    Eq (Fp.le (Fp.fma mode b c r) (Fp.fma mode a c s)) true :=
  have swap : (x y : F32) → Eq (Fp.fma mode x c y) (Fp.fma mode x.neg c.neg y) := fun x y => Eq.symm (Fp.fma_neg_neg x c y)
  Eq.trans (congrArg2 Fp.le (swap b r) (swap a s))
    (fma_le_of_le b.neg a.neg c.neg r s (Eq.trans (Fp.le_neg_neg b a) h₁) (Eq.trans (Fp.neg_nonneg c) h₂) (Eq.trans (Fp.isFinite_neg c) fin) h₃
      (Eq.trans (congrArg Fp.isNan (Eq.symm (swap b r))) n₁) (Eq.trans (congrArg Fp.isNan (Eq.symm (swap a s))) n₂))

end F32
