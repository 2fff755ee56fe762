prelude
import FloatLib.Float.Bits
import FloatLib.Lemmas.Round
/-!
# The constants 0, 1 and 2 in sums, products, quotients and fused products

First for any format, with the constant described by its worth; then for binary32, with the constant's bits.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem pos_of_units {k n : Nat} (h : Eq (units f k) n) (pos : Nat.Lt 0 n) : Nat.Lt 0 k :=
  Nat.pos_of_ne_zero (fun e => Nat.ne_of_gt (Nat.lt_of_lt_of_le pos (Nat.le_of_eq (Eq.symm h))) (Eq.trans (congrArg (units f) e) units_zero))

/-- Infinity's pattern is not zero's, if some pattern is finite. -/
theorem beq_zero_of_inf {g k : Nat} (yes : Eq (Nat.beq g f.inf) true) (fin : Nat.Lt k f.inf) : Eq (Nat.beq g 0) false :=
  Nat.beq_of_gt (Nat.lt_of_lt_of_le (Nat.pos_of_lt fin) (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))

/-- Infinity times a finite positive value. -/
theorem mul_rows_inf {s : Bool} {g k : Nat} {valid : Eq (Nat.ble g f.inf) true} {r : Fp f} (yes : Eq (Nat.beq g f.inf) true)
    (pos : Nat.Lt 0 k) (fin : Nat.Lt k f.inf) :
    Eq (cond ((Nat.beq g f.inf).or (Nat.beq k f.inf)) (cond ((Nat.beq g 0).or (Nat.beq k 0)) nan (inf (s.xor false))) r) (num s g valid) :=
  Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
    (Eq.trans (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes fin) (Nat.beq_of_gt pos)) _ _)
      (num_congr (Bool.xor_false s) (Eq.symm (Nat.eq_of_beq _ _ yes))))

/-! One. -/

theorem mul_one {k : Nat} {hk : Eq (Nat.ble k f.inf) true} (isOne : Eq (units f k) f.one) (fin : Nat.Lt k f.inf) :
    (a : Fp f) → Eq (mul mode a (num false k hk)) a
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf) (fun yes => mul_rows_inf yes (pos_of_units isOne one_pos) fin)
      (fun no => Eq.trans (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt fin)) _ _)
        (Eq.trans (congrArg (fun x => round mode x _ f.one) (Bool.xor_false s))
          (round_exact one_pos (lt_inf_of_beq hg no) (congrArg (Nat.mul (units f g)) isOne))))

theorem div_one {k : Nat} {hk : Eq (Nat.ble k f.inf) true} (isOne : Eq (units f k) f.one) (fin : Nat.Lt k f.inf) :
    (a : Fp f) → Eq (div mode a (num false k hk)) a
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _)
        (num_congr (Bool.xor_false s) (Eq.symm (Nat.eq_of_beq _ _ yes)))))
      (fun no => Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _)
        (Eq.trans (cond_of_false (Nat.beq_of_gt (pos_of_units isOne one_pos)) _ _)
          (Eq.trans (congrArg (fun x => round mode x _ _) (Bool.xor_false s))
            (round_exact (Nat.lt_of_lt_of_le one_pos (Nat.le_of_eq (Eq.symm isOne))) (lt_inf_of_beq hg no)
              (congrArg (Nat.mul (units f g)) (Eq.symm isOne)))))))

theorem fma_one {k : Nat} {hk : Eq (Nat.ble k f.inf) true} (isOne : Eq (units f k) f.one) (fin : Nat.Lt k f.inf) :
    (a c : Fp f) → Eq (fma mode a (num false k hk) c) (add mode a c)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num r m hm =>
    Eq.trans (congrArg (fun x => cond ((Nat.beq g f.inf).or (Nat.beq k f.inf))
        (cond ((Nat.beq g 0).or (Nat.beq k 0)) nan (cond ((Nat.beq m f.inf).and (Bool.xor x r)) nan (inf x)))
        (cond (Nat.beq m f.inf) (num r m hm) (roundSum mode x ((units f g).mul (units f k)) r ((units f m).mul f.one) f.one)))
      (Bool.xor_false s)) (Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
        (Eq.trans (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes fin) (Nat.beq_of_gt (pos_of_units isOne one_pos))) _ _)
          (Eq.trans (congrArg (cond ((Nat.beq m f.inf).and (s.xor r)) nan) (num_congr (h' := hg) rfl (Eq.symm (Nat.eq_of_beq _ _ yes))))
            (Eq.symm (cond_of_true yes _ _)))))
      (fun no => Eq.trans (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt fin)) _ _)
        (Eq.trans (congrArg (cond (Nat.beq m f.inf) (num r m hm))
            (Eq.trans (congrArg2 (fun x q => roundSum mode s x r ((units f m).mul f.one) q)
              (congrArg (Nat.mul (units f g)) isOne) (Eq.symm (Nat.one_mul f.one))) (roundSum_mul_right one_pos s (units f g) r (units f m) 1)))
          (Eq.symm (cond_of_false no _ _)))))

/-! Two. -/

/-- Doubling by a sum or by a product. -/
theorem add_self {k : Nat} {hk : Eq (Nat.ble k f.inf) true} (isTwo : Eq (units f k) (Nat.mul 2 f.one)) (fin : Nat.Lt k f.inf) :
    (a : Fp f) → Eq (add mode a a) (mul mode a (num false k hk))
  | nan => rfl
  | num s g _ => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (Eq.trans (cond_of_false (Bool.and_of_false_right (Bool.xor_self s)) _ _)
        (Eq.symm (mul_rows_inf yes (pos_of_units isTwo (Nat.mul_pos (a := 2) rfl one_pos)) fin))))
      (fun no => Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_true (Bool.beq_self s) _ _)
        (Eq.symm (Eq.trans (cond_of_false (Bool.or_of_false no (Nat.beq_of_lt fin)) _ _)
          (Eq.trans (congrArg (fun x => round mode x _ _) (Bool.xor_false s)) (round_ratio one_pos (q' := 1) rfl
            (Eq.step (((units f g).mul (units f k)).mul 1) (Nat.mul_one _) (
            Eq.step ((units f g).mul (units f k)) (congrArg (Nat.mul (units f g)) isTwo) (
            Eq.step ((units f g).mul (Nat.mul 2 f.one)) (Eq.symm (Nat.mul_assoc _ 2 _)) (
            Eq.step (((units f g).mul 2).mul f.one) (congrArg (fun x => Nat.mul x f.one) (Nat.mul_two (units f g))) (
            Eq.done (((units f g).add (units f g)).mul f.one)))))))))))))

/-! Minus zero, which a sum does not see, unless the mode gives exact zeros a minus sign. -/

theorem roundSum_negZero {q : Nat} (pos : Nat.Lt 0 q) (plus : Eq mode.zeroNeg false) (s : Bool) (u : Nat) :
    Eq (roundSum (f := f) mode s u true 0 q) (round mode s u q) :=
  Bool.byCases (Bool.beq s true) (fun h => cond_of_true h _ _)
    (fun h => Eq.trans (cond_of_false h _ _) (Or.elim (Nat.eq_zero_or_pos u)
      (fun e => Eq.trans (cond_of_true (Nat.beq_of_eq e) _ _) (Eq.trans (congrArg zero plus)
        (Eq.symm (Eq.trans (congrArg2 (fun x y => round mode x y q) (plain s h) e) (round_zero pos)))))
      (fun e => Eq.trans (cond_of_false (Nat.beq_of_gt e) _ _) (cond_of_true e _ _))))
where
  plain : (s : Bool) → Eq (Bool.beq s true) false → Eq s false
    | true, h => (Bool.true_ne_false h).elim
    | false, _ => rfl

theorem add_negZero (plus : Eq mode.zeroNeg false) (fin : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (add mode a (zero true)) a
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (cond_of_false (Bool.and_of_false_left (Nat.beq_of_lt fin)) _ _))
      (fun no => Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _)
        (Eq.trans (congrArg (fun v => roundSum mode s (units f g) true v 1) units_zero)
          (Eq.trans (roundSum_negZero (q := 1) rfl plus s (units f g)) (round_units (lt_inf_of_beq hg no))))))

/-- The rows of a fused product whose addend is not an infinity. -/
theorem fma_rows_finite {c d z w : Bool} {i n x y : Fp f} (hz : Eq z false) (h : Eq x y) :
    Eq (cond c (cond d nan (cond (z.and w) nan i)) (cond z n x)) (cond c (cond d nan i) y) :=
  congrArg2 (cond c) (congrArg (cond d nan) (cond_of_false (Bool.and_of_false_left hz) nan i)) (Eq.trans (cond_of_false hz n x) h)

theorem fma_negZero (plus : Eq mode.zeroNeg false) (fin : Nat.Lt 0 f.inf) : (a b : Fp f) → Eq (fma mode a b (zero true)) (mul mode a b)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => fma_rows_finite (Nat.beq_of_lt fin)
      (Eq.trans (congrArg (fun v => roundSum mode (s.xor t) ((units f g).mul (units f h)) true v f.one)
          (Eq.trans (congrArg (fun x => Nat.mul x f.one) units_zero) (Nat.zero_mul f.one)))
        (roundSum_negZero one_pos plus (s.xor t) ((units f g).mul (units f h))))

end Fp

namespace F32

variable {mode : Mode}

/-! Binary32: the constants are bit patterns. -/

theorem mul_one (a : F32) : Eq (Fp.mul mode a (ofBits 0x3f800000)) a := Fp.mul_one (f := Format.binary32) (k := 0x3f800000) (hk := rfl) rfl rfl a

theorem div_one (a : F32) : Eq (Fp.div mode a (ofBits 0x3f800000)) a := Fp.div_one (f := Format.binary32) (k := 0x3f800000) (hk := rfl) rfl rfl a

theorem fma_one (a c : F32) : Eq (Fp.fma mode a (ofBits 0x3f800000) c) (Fp.add mode a c) :=
  Fp.fma_one (f := Format.binary32) (k := 0x3f800000) (hk := rfl) rfl rfl a c

theorem add_self (a : F32) : Eq (Fp.add mode a a) (Fp.mul mode a (ofBits 0x40000000)) :=
  Fp.add_self (f := Format.binary32) (k := 0x40000000) (hk := rfl) rfl rfl a

theorem add_negZero (a : F32) : Eq (Fp.add .rn a (ofBits 0x80000000)) a := Fp.add_negZero (f := Format.binary32) (mode := .rn) rfl rfl a

theorem fma_negZero (a b : F32) : Eq (Fp.fma .rn a b (ofBits 0x80000000)) (Fp.mul .rn a b) := Fp.fma_negZero (f := Format.binary32) (mode := .rn) rfl rfl a b

end F32
