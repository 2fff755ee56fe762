prelude
import FloatLib.Lemmas.Sign
import FloatLib.Lemmas.Unit
/-!
# Up to the sign of zero

What holds only when `-0` is taken as `+0`: both sides under `posZero`.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem posZero_cond (c : Bool) (a b : Fp f) : Eq (cond c a b).posZero (cond c a.posZero b.posZero) := apply_cond posZero a b c

theorem posZero_zero (s : Bool) : Eq (zero (f := f) s).posZero (zero false) := rfl

/-- Anything but a zero stays. -/
theorem posZero_of_pos {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (pos : Nat.Lt 0 g) : Eq (num s g h).posZero (num s g h) :=
  cond_of_false (Nat.beq_of_gt pos) _ _

theorem posZero_of_eq {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (e : Eq g 0) : Eq (num (f := f) s g h).posZero (zero false) :=
  cond_of_true (Nat.beq_of_eq e) _ _

theorem posZero_posZero : (a : Fp f) → Eq a.posZero.posZero a.posZero
  | nan => rfl
  | num _ g _ => Or.elim (Nat.eq_zero_or_pos g)
      (fun e => Eq.trans (congrArg posZero (posZero_of_eq e)) (Eq.symm (posZero_of_eq e)))
      (fun pos => congrArg posZero (posZero_of_pos pos))

/-! The opposite of a sum is the sum of the opposites, but for `1 + -1`. -/

theorem posZero_neg_roundSum (s : Bool) (u : Nat) (t : Bool) (v q : Nat) :
    Eq (roundSum (f := f) .rn s u t v q).neg.posZero (roundSum .rn s.not u t.not v q).posZero :=
  Eq.trans (congrArg posZero (Eq.trans (neg_cond _ _ _) (congrArg2 (cond (Bool.beq s t)) (neg_round s (u.add v) q)
      (Eq.trans (neg_cond _ _ _) (congrArg (cond (Nat.beq u v) (zero true))
        (Eq.trans (neg_cond _ _ _) (congrArg2 (cond (Nat.blt v u)) (neg_round s (u.sub v) q) (neg_round t (v.sub u) q))))))))
    (Eq.trans (rows _ _ _ _) (congrArg (fun b => posZero (cond b _ _)) (beq_not s t)))
where
  rows (b c : Bool) (x y : Fp f) : Eq (cond b x (cond c (zero true) y)).posZero (cond b x (cond c (zero false) y)).posZero :=
    match b, c with
    | true, _ => rfl
    | false, true => rfl
    | false, false => rfl
  beq_not : (s t : Bool) → Eq (Bool.beq s t) (Bool.beq s.not t.not)
    | true, true => rfl
    | true, false => rfl
    | false, true => rfl
    | false, false => rfl

theorem posZero_neg_add : (a b : Fp f) → Eq (add .rn a b).neg.posZero (add .rn a.neg b.neg).posZero
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => rows (xor_not_not s t) (posZero_neg_roundSum s (units f g) t (units f h) 1)
where
  rows {c d x x' : Bool} {a b r r' : Fp f} (hx : Eq x x') (hr : Eq r.neg.posZero r'.posZero) :
      Eq (cond c (cond (d.and x) nan a) (cond d b r)).neg.posZero (cond c (cond (d.and x') nan a.neg) (cond d b.neg r')).posZero :=
    match c, d, x, x', hx with
    | true, true, true, true, _ => rfl
    | true, true, false, false, _ => rfl
    | true, true, true, false, e => (Bool.true_ne_false e).elim
    | true, true, false, true, e => (Bool.false_ne_true e).elim
    | true, false, _, _, _ => rfl
    | false, true, _, _, _ => rfl
    | false, false, _, _, _ => hr
  xor_not_not (s t : Bool) : Eq (s.xor t) (s.not.xor t.not) :=
    Eq.symm (Eq.trans (Bool.not_xor s t.not) (Eq.trans (congrArg Bool.not (Bool.xor_not s t)) (Bool.not_not (s.xor t))))

/-! Plus zero and minus zero in a sum and in a product. -/

theorem posZero_roundSum_zero {q : Nat} (pos : Nat.Lt 0 q) (s : Bool) (u : Nat) (t : Bool) :
    Eq (roundSum (f := f) mode s u t 0 q).posZero (round mode s u q).posZero :=
  Bool.byCases (Bool.beq s t) (fun h => congrArg posZero (cond_of_true h _ _))
    (fun h => Eq.trans (congrArg posZero (cond_of_false h _ _)) (Or.elim (Nat.eq_zero_or_pos u)
      (fun e => Eq.trans (congrArg posZero (cond_of_true (Nat.beq_of_eq e) _ _)) (Eq.trans (posZero_zero mode.zeroNeg)
        (Eq.symm (Eq.trans (congrArg (fun x => posZero (round mode s x q)) e) (congrArg posZero (round_zero pos))))))
      (fun e => congrArg posZero (Eq.trans (cond_of_false (Nat.beq_of_gt e) _ _) (cond_of_true e _ _)))))

theorem posZero_add_zero (fin : Nat.Lt 0 f.inf) (t : Bool) : (a : Fp f) → Eq (add mode a (zero t)).posZero a.posZero
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => congrArg posZero (Eq.trans (cond_of_true yes _ _) (cond_of_false (Bool.and_of_false_left (Nat.beq_of_lt fin)) _ _)))
      (fun no => Eq.trans (congrArg posZero (Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _)
          (congrArg (fun v => roundSum mode s (units f g) t v 1) units_zero))))
        (Eq.trans (posZero_roundSum_zero (q := 1) rfl s (units f g) t) (congrArg posZero (round_units (lt_inf_of_beq hg no)))))

theorem posZero_mul_zero (t : Bool) : (a : Fp f) → Eq a.isFinite true → Eq (mul mode a (zero t)).posZero (zero false)
  | nan, h => (Bool.false_ne_true h).elim
  | num s g _, fin =>
    Eq.trans (congrArg posZero (Eq.trans
        (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fin) (Nat.beq_of_lt (Nat.pos_of_lt (a := g) (b := f.inf) fin))) _ _)
        (Eq.trans (congrArg (fun v => round mode (s.xor t) ((units f g).mul v) f.one) units_zero) (round_zero one_pos))))
      (posZero_zero (s.xor t))

end Fp

namespace F32

variable {mode : Mode}

/-! Binary32: the constants are bit patterns. -/

theorem posZero_add_zero (a : F32) : Eq (Fp.add mode a (ofBits 0x00000000)).posZero a.posZero :=
  Fp.posZero_add_zero (f := Format.binary32) rfl false a

theorem posZero_mul_zero (a : F32) (h : Eq a.isFinite true) : Eq (Fp.mul mode a (ofBits 0x00000000)).posZero (ofBits 0x00000000) :=
  Fp.posZero_mul_zero false a h

end F32
