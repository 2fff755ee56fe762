prelude
import FloatLib.Lemmas.Commute
import FloatLib.Lemmas.Sign
import FloatLib.Lemmas.ZeroSign
import FloatLib.Lemmas.Compare
/-!
# Absolute values in products and quotients; the constants -1, 0 and the infinities in arithmetic
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Absolute values. -/

theorem abs_mul : (a b : Fp f) → Eq (mul .rn a b).abs (mul .rn a.abs b.abs)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num _ _ _, num _ _ _ => Eq.trans (apply_cond abs _ _ _) (congrArg2 (cond _) (apply_cond abs _ _ _) (num_congr rfl (roundMag_rn _ _ _ _)))

theorem abs_div : (a b : Fp f) → Eq (div .rn a b).abs (div .rn a.abs b.abs)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num _ _ _, num _ _ _ => Eq.trans (apply_cond abs _ _ _) (congrArg2 (cond _) (apply_cond abs _ _ _)
      (Eq.trans (apply_cond abs _ _ _) (congrArg (cond _ (zero false))
        (Eq.trans (apply_cond abs _ _ _) (congrArg2 (cond _) (apply_cond abs _ _ _) (num_congr rfl (roundMag_rn _ _ _ _)))))))

/-- A square does not see the sign. -/
theorem mul_abs_self : (a : Fp f) → Eq (mul mode a.abs a.abs) (mul mode a a)
  | nan => rfl
  | num s g _ => congrArg (fun x => cond ((Nat.beq g f.inf).or (Nat.beq g f.inf)) (cond ((Nat.beq g 0).or (Nat.beq g 0)) nan (inf x))
      (round mode x ((units f g).mul (units f g)) f.one)) (Eq.symm (Bool.xor_self s))

theorem div_abs_self : (a : Fp f) → Eq (div mode a.abs a.abs) (div mode a a)
  | nan => rfl
  | num s g _ => congrArg (fun x => cond (Nat.beq g f.inf) (cond (Nat.beq g f.inf) nan (inf x)) (cond (Nat.beq g f.inf) (zero x)
      (cond (Nat.beq g 0) (cond (Nat.beq g 0) nan (inf x)) (round mode x ((units f g).mul f.one) (units f g))))) (Eq.symm (Bool.xor_self s))

theorem fma_abs_self : (a b : Fp f) → Eq (fma mode a.abs a.abs b) (fma mode a a b)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num r k hk => congrArg (fun x => cond ((Nat.beq g f.inf).or (Nat.beq g f.inf))
      (cond ((Nat.beq g 0).or (Nat.beq g 0)) nan (cond ((Nat.beq k f.inf).and (Bool.xor x r)) nan (inf x)))
      (cond (Nat.beq k f.inf) (num r k hk) (roundSum mode x ((units f g).mul (units f g)) r ((units f k).mul f.one) f.one)))
      (Eq.symm (Bool.xor_self s))

/-- A value that is not below zero is its own absolute value, but for `-0`. -/
theorem posZero_abs : (a : Fp f) → Eq a.abs.posZero a.abs
  | nan => rfl
  | num _ g _ => Or.elim (Nat.eq_zero_or_pos g) (fun e => Eq.trans (posZero_of_eq e) (num_congr rfl (Eq.symm e))) posZero_of_pos

theorem abs_posZero : (a : Fp f) → Eq a.posZero.abs a.abs
  | nan => rfl
  | num _ g _ => Or.elim (Nat.eq_zero_or_pos g) (fun e => Eq.trans (congrArg abs (posZero_of_eq e)) (num_congr rfl (Eq.symm e)))
      (fun pos => congrArg abs (posZero_of_pos pos))

theorem posZero_neg_posZero : (a : Fp f) → Eq a.posZero.neg.posZero a.neg.posZero
  | nan => rfl
  | num _ g _ => Or.elim (Nat.eq_zero_or_pos g) (fun e => Eq.trans (congrArg (fun x : Fp f => x.neg.posZero) (posZero_of_eq e)) (Eq.symm (posZero_of_eq e)))
      (fun pos => congrArg (fun x : Fp f => x.neg.posZero) (posZero_of_pos pos))

theorem posZero_abs_of_nonneg : (a : Fp f) → Eq (le (zero false) a) true → Eq a.abs.posZero a.posZero
  | nan, h => (Bool.false_ne_true h).elim
  | num false _ _, _ => rfl
  | num true g hg, h => Or.elim (Nat.eq_zero_or_pos g) (fun e => Eq.trans (posZero_of_eq e) (Eq.symm (posZero_of_eq e)))
      (fun pos => absurd h (Nat.not_le_of_lt (Nat.sub_lt (Nat.lt_of_lt_of_le pos hg) pos)))

theorem posZero_abs_of_nonpos : (a : Fp f) → Eq (le a (zero false)) true → Eq a.abs.posZero a.neg.posZero
  | nan, h => (Bool.false_ne_true h).elim
  | num true _ _, _ => rfl
  | num false g _, h => Or.elim (Nat.eq_zero_or_pos g) (fun e => Eq.trans (posZero_of_eq e) (Eq.symm (posZero_of_eq e)))
      (fun pos => absurd h (Nat.not_le_of_lt (Nat.lt_add_of_pos f.inf pos)))

/-! Zero. -/

theorem posZero_of_ne : (a : Fp f) → Eq (eq a (zero false)) false → Eq a.posZero a
  | nan, _ => rfl
  | num s g h, e => cond_of_false (Eq.trans (Eq.symm (eq_zero_eq s g h)) e) _ _

theorem roundSum_zero {u q : Nat} (pos : Nat.Lt 0 u) (s t : Bool) : Eq (roundSum (f := f) mode s u t 0 q) (round mode s u q) :=
  Bool.byCases (Bool.beq s t) (fun h => cond_of_true h _ _)
    (fun h => Eq.trans (cond_of_false h _ _) (Eq.trans (cond_of_false (Nat.beq_of_gt pos) _ _) (cond_of_true pos _ _)))

/-- A zero does not change a sum with anything but a zero. -/
theorem add_zero_of_ne (fin : Nat.Lt 0 f.inf) (t : Bool) : (a : Fp f) → Eq (eq a (zero false)) false → Eq (add mode a (zero t)) a
  | nan, _ => rfl
  | num s g hg, e => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (cond_of_false (Bool.and_of_false_left (Nat.beq_of_lt fin)) _ _))
      (fun no => Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _)
        (Eq.trans (congrArg (fun v => roundSum mode s (units f g) t v 1) units_zero)
          (Eq.trans (roundSum_zero (units_pos (Nat.pos_of_ne_zero (Nat.ne_of_beq (Eq.trans (Eq.symm (eq_zero_eq s g hg)) e)))) s t)
            (round_units (lt_inf_of_beq hg no))))))

theorem add_neg_self : (a : Fp f) → Eq a.isFinite true → Eq (add mode a a.neg) (zero mode.zeroNeg)
  | nan, h => (Bool.false_ne_true h).elim
  | num s g _, h => Eq.trans (cond_of_false (Nat.beq_of_lt h) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt h) _ _)
      (Eq.trans (cond_of_false (differ s) _ _) (cond_of_true (Nat.beq_self (units f g)) _ _)))
where
  differ : (s : Bool) → Eq (Bool.beq s s.not) false
    | true => rfl
    | false => rfl

theorem mul_zero_of_finite (t : Bool) : (s : Bool) → (g : Nat) → (h : Eq (Nat.ble g f.inf) true) → Nat.Lt g f.inf →
    Eq (mul mode (num s g h) (zero t)) (zero (s.xor t))
  | s, g, _, fin => Eq.trans
      (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fin) (Nat.beq_of_lt (Nat.pos_of_lt (a := g) (b := f.inf) fin))) _ _)
      (Eq.trans (congrArg (fun v => round mode (s.xor t) ((units f g).mul v) f.one) units_zero) (round_zero one_pos))

theorem mul_zero_of_pos : (a : Fp f) → Eq (lt (zero false) a) true → Eq a.isFinite true → Eq (mul mode a (zero false)) (zero false)
  | nan, h, _ => (Bool.false_ne_true h).elim
  | num false g hg, _, fin => mul_zero_of_finite false false g hg fin
  | num true g _, h, _ => absurd h (Nat.not_lt_of_le (Nat.sub_le f.inf g))

theorem mul_zero_of_neg : (a : Fp f) → Eq (lt a (zero false)) true → Eq a.isFinite true → Eq (mul mode a (zero false)) (zero true)
  | nan, h, _ => (Bool.false_ne_true h).elim
  | num true g hg, _, fin => mul_zero_of_finite false true g hg fin
  | num false g _, h, _ => absurd h (Nat.not_lt_of_le (Nat.le_add_right f.inf g))

theorem posZero_fma_zero (fin : Nat.Lt 0 f.inf) (r : Bool) : (a b : Fp f) → Eq (fma mode a b (zero r)).posZero (mul mode a b).posZero
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => Eq.trans (congrArg posZero (fma_rows_finite (Nat.beq_of_lt fin) rfl)) (Eq.trans (posZero_cond _ _ _)
      (Eq.trans (congrArg (cond _ _) (Eq.trans
        (congrArg (fun v => (roundSum mode (s.xor t) ((units f g).mul (units f h)) r v f.one).posZero)
          (Eq.trans (congrArg (fun x => Nat.mul x f.one) units_zero) (Nat.zero_mul f.one)))
        (posZero_roundSum_zero one_pos (s.xor t) ((units f g).mul (units f h)) r))) (Eq.symm (posZero_cond _ _ _))))

theorem posZero_fma_mul_zero (t : Bool) : (a c : Fp f) → Eq a.isFinite true → Eq (fma mode a (zero t) c).posZero c.posZero
  | nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _ => rfl
  | num s g _, num r k hk, fin => Eq.trans
      (congrArg posZero (cond_of_false (Bool.or_of_false (Nat.beq_of_lt fin) (Nat.beq_of_lt (Nat.pos_of_lt (a := g) (b := f.inf) fin))) _ _))
      (Bool.byCases (Nat.beq k f.inf) (fun yes => congrArg posZero (cond_of_true yes _ _))
        (fun no => Eq.trans (congrArg posZero (Eq.trans (cond_of_false no _ _)
            (Eq.trans (congrArg (fun v => roundSum mode (s.xor t) ((units f g).mul v) r ((units f k).mul f.one) f.one) units_zero)
              (roundSum_comm (s.xor t) 0 r ((units f k).mul f.one) f.one))))
          (Eq.trans (posZero_roundSum_zero one_pos r ((units f k).mul f.one) (s.xor t))
            (congrArg posZero (round_exact one_pos (lt_inf_of_beq hk no) rfl)))))

/-! Infinities. -/

theorem add_inf : (a : Fp f) → Eq (lt (inf true) a) true → Eq (add mode a (inf false)) (inf false)
  | nan, h => (Bool.false_ne_true h).elim
  | num s g _, h => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (sign s yes h))
      (fun no => Eq.trans (cond_of_false no _ _) (cond_of_true (Nat.beq_self f.inf) _ _))
where
  sign {g : Nat} {hg : Eq (Nat.ble g f.inf) true} : (s : Bool) → Eq (Nat.beq g f.inf) true → Nat.Lt (rank f true f.inf) (rank f s g) →
      Eq (cond ((Nat.beq f.inf f.inf).and (s.xor false)) nan (num s g hg)) (inf false)
    | false, yes, _ => Eq.trans (cond_of_false (Bool.and_false _) _ _) (eq_inf_of_beq yes)
    | true, yes, h => absurd h (Nat.not_lt_of_le (Nat.le_of_eq (congrArg (rank f true) (Nat.eq_of_beq _ _ yes))))

theorem add_negInf : (a : Fp f) → Eq (lt a (inf false)) true → Eq (add mode a (inf true)) (inf true)
  | nan, h => (Bool.false_ne_true h).elim
  | num s g _, h => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (sign s yes h))
      (fun no => Eq.trans (cond_of_false no _ _) (cond_of_true (Nat.beq_self f.inf) _ _))
where
  sign {g : Nat} {hg : Eq (Nat.ble g f.inf) true} : (s : Bool) → Eq (Nat.beq g f.inf) true → Nat.Lt (rank f s g) (rank f false f.inf) →
      Eq (cond ((Nat.beq f.inf f.inf).and (s.xor true)) nan (num s g hg)) (inf true)
    | true, yes, _ => Eq.trans (cond_of_false (Bool.and_false _) _ _) (eq_inf_of_beq yes)
    | false, yes, h => absurd h (Nat.not_lt_of_le (Nat.le_of_eq (congrArg (rank f false) (Eq.symm (Nat.eq_of_beq _ _ yes)))))

theorem mul_inf_of_notZero (t : Bool) {s : Bool} {g : Nat} {h : Eq (Nat.ble g f.inf) true} (pos : Nat.Lt 0 g) :
    Eq (mul mode (num s g h) (inf t)) (inf (s.xor t)) :=
  Eq.trans (cond_of_true (Bool.or_of_true_right (Nat.beq_self f.inf)) _ _)
    (cond_of_false (Bool.or_of_false (Nat.beq_of_gt pos) (Nat.beq_of_gt (Nat.lt_of_lt_of_le pos h))) _ _)

theorem mul_inf_of_pos : (a : Fp f) → Eq (lt (zero false) a) true → Eq (mul mode a (inf false)) (inf false)
  | nan, h => (Bool.false_ne_true h).elim
  | num false _ _, h => mul_inf_of_notZero false (Nat.lt_of_add_lt_add_left f.inf h)
  | num true g _, h => absurd h (Nat.not_lt_of_le (Nat.sub_le f.inf g))

theorem mul_inf_of_neg : (a : Fp f) → Eq (lt a (zero false)) true → Eq (mul mode a (inf false)) (inf true)
  | nan, h => (Bool.false_ne_true h).elim
  | num true _ _, h => mul_inf_of_notZero false (Nat.pos_of_ne_zero (fun e => Nat.ne_of_lt h (congrArg (rank f true) e)))
  | num false g _, h => absurd h (Nat.not_lt_of_le (Nat.le_add_right f.inf g))

theorem posZero_div_inf : (a : Fp f) → (t : Bool) → Eq a.isFinite true → Eq (div mode a (inf t)).posZero (zero false)
  | nan, _, h => (Bool.false_ne_true h).elim
  | num s _ _, t, fin => Eq.trans (congrArg posZero (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _) (cond_of_true (Nat.beq_self f.inf) _ _)))
      (posZero_zero (s.xor t))

theorem posZero_zero_div : (a : Fp f) → (t : Bool) → Eq a.isNan false → Eq (eq a (zero false)) false → Eq (div mode (zero t) a).posZero (zero false)
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num s g h, t, _, e =>
    have pos : Nat.Lt 0 g := Nat.pos_of_ne_zero (Nat.ne_of_beq (Eq.trans (Eq.symm (eq_zero_eq s g h)) e))
    Eq.trans (congrArg posZero (cond_of_false (Nat.beq_of_lt (Nat.lt_of_lt_of_le pos h)) _ _)) (Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (congrArg posZero (cond_of_true yes _ _)) (posZero_zero (t.xor s)))
      (fun no => Eq.trans (congrArg posZero (Eq.trans (cond_of_false no _ _) (Eq.trans (cond_of_false (Nat.beq_of_gt pos) _ _)
        (Eq.trans (congrArg (fun u => round mode (t.xor s) (Nat.mul u f.one) (units f g)) units_zero)
          (Eq.trans (congrArg (fun u => round mode (t.xor s) u (units f g)) (Nat.zero_mul f.one)) (round_zero (units_pos pos)))))))
        (posZero_zero (t.xor s))))

/-! One. -/

theorem div_self {k : Nat} {hk : Eq (Nat.ble k f.inf) true} (isOne : Eq (units f k) f.one) (kfin : Nat.Lt k f.inf) :
    (a : Fp f) → Eq a.isFinite true → Eq (eq a (zero false)) false → Eq (div mode a a) (num false k hk)
  | nan, h, _ => (Bool.false_ne_true h).elim
  | num s g h, fin, e =>
    have pos : Nat.Lt 0 g := Nat.pos_of_ne_zero (Nat.ne_of_beq (Eq.trans (Eq.symm (eq_zero_eq s g h)) e))
    Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt fin) _ _)
      (Eq.trans (cond_of_false (Nat.beq_of_gt pos) _ _) (Eq.trans (congrArg (fun x => round mode x _ _) (Bool.xor_self s))
        (round_exact (units_pos pos) kfin (Eq.trans (Nat.mul_comm _ _) (congrArg (fun x => Nat.mul x (units f g)) (Eq.symm isOne)))))))

end Fp

namespace F32

variable {mode : Mode}

/-! Binary32: the constants are bit patterns. -/

theorem posZero_abs_of_nonneg (a : F32) (h : Eq (Fp.le (ofBits 0x00000000) a) true) : Eq a.abs.posZero a.posZero := Fp.posZero_abs_of_nonneg a h

theorem posZero_abs_of_nonpos (a : F32) (h : Eq (Fp.le a (ofBits 0x00000000)) true) : Eq a.abs.posZero a.neg.posZero := Fp.posZero_abs_of_nonpos a h

theorem posZero_of_ne (a : F32) (h : Eq (Fp.eq a (ofBits 0x00000000)) false) : Eq a.posZero a := Fp.posZero_of_ne a h

theorem add_zero_of_ne (a : F32) (h : Eq (Fp.eq a (ofBits 0x00000000)) false) : Eq (Fp.add mode a (ofBits 0x00000000)) a :=
  Fp.add_zero_of_ne (f := Format.binary32) rfl false a h

theorem sub_zero (a : F32) : Eq (Fp.sub .rn a (ofBits 0x00000000)) a := F32.add_negZero a

theorem add_neg_self (a : F32) (h : Eq a.isFinite true) : Eq (Fp.add .rn a a.neg) (ofBits 0x00000000) := Fp.add_neg_self a h

theorem neg_add_self (a : F32) (h : Eq a.isFinite true) : Eq (Fp.add .rn a.neg a) (ofBits 0x00000000) :=
  Eq.trans (Fp.add_comm a.neg a) (Fp.add_neg_self a h)

theorem sub_self (a : F32) (h : Eq a.isFinite true) : Eq (Fp.sub .rn a a) (ofBits 0x00000000) := Fp.add_neg_self a h

theorem mul_zero_of_pos (a : F32) (h : Eq (Fp.lt (ofBits 0x00000000) a) true) (k : Eq a.isFinite true) :
    Eq (Fp.mul mode a (ofBits 0x00000000)) (ofBits 0x00000000) := Fp.mul_zero_of_pos a h k

theorem mul_zero_of_neg (a : F32) (h : Eq (Fp.lt a (ofBits 0x00000000)) true) (k : Eq a.isFinite true) :
    Eq (Fp.mul mode a (ofBits 0x00000000)) (ofBits 0x80000000) := Fp.mul_zero_of_neg a h k

theorem posZero_fma_zero (a b : F32) : Eq (Fp.fma mode a b (ofBits 0x00000000)).posZero (Fp.mul mode a b).posZero :=
  Fp.posZero_fma_zero (f := Format.binary32) rfl false a b

theorem posZero_fma_mul_zero (a c : F32) (h : Eq a.isFinite true) : Eq (Fp.fma mode a (ofBits 0x00000000) c).posZero c.posZero :=
  Fp.posZero_fma_mul_zero false a c h

theorem add_inf (a : F32) (h : Eq (Fp.lt (ofBits 0xff800000) a) true) : Eq (Fp.add mode a (ofBits 0x7f800000)) (ofBits 0x7f800000) := Fp.add_inf a h

theorem add_negInf (a : F32) (h : Eq (Fp.lt a (ofBits 0x7f800000)) true) : Eq (Fp.add mode a (ofBits 0xff800000)) (ofBits 0xff800000) := Fp.add_negInf a h

theorem mul_inf_of_pos (a : F32) (h : Eq (Fp.lt (ofBits 0x00000000) a) true) : Eq (Fp.mul mode a (ofBits 0x7f800000)) (ofBits 0x7f800000) :=
  Fp.mul_inf_of_pos a h

theorem mul_inf_of_neg (a : F32) (h : Eq (Fp.lt a (ofBits 0x00000000)) true) : Eq (Fp.mul mode a (ofBits 0x7f800000)) (ofBits 0xff800000) :=
  Fp.mul_inf_of_neg a h

theorem posZero_div_inf (a : F32) (h : Eq a.isFinite true) : Eq (Fp.div mode a (ofBits 0x7f800000)).posZero (ofBits 0x00000000) :=
  Fp.posZero_div_inf a false h

theorem posZero_zero_div (a : F32) (h : Eq a.isNan false) (k : Eq (Fp.eq a (ofBits 0x00000000)) false) :
    Eq (Fp.div mode (ofBits 0x00000000) a).posZero (ofBits 0x00000000) := Fp.posZero_zero_div a false h k

theorem div_self (a : F32) (h : Eq a.isFinite true) (k : Eq (Fp.eq a (ofBits 0x00000000)) false) : Eq (Fp.div mode a a) (ofBits 0x3f800000) :=
  Fp.div_self (f := Format.binary32) (k := 0x3f800000) (hk := rfl) rfl rfl a h k

theorem mul_negOne (a : F32) : Eq (Fp.mul .rn a (ofBits 0xbf800000)) a.neg :=
  have minus : Eq (F32.ofBits 0xbf800000) (Fp.neg (F32.ofBits 0x3f800000)) := rfl
  Eq.trans (congrArg (Fp.mul .rn a) minus) (Eq.trans (Fp.mul_neg_right a (ofBits 0x3f800000)) (congrArg Fp.neg (F32.mul_one a)))

theorem div_negOne (a : F32) : Eq (Fp.div .rn a (ofBits 0xbf800000)) a.neg :=
  have minus : Eq (F32.ofBits 0xbf800000) (Fp.neg (F32.ofBits 0x3f800000)) := rfl
  Eq.trans (congrArg (Fp.div .rn a) minus) (Eq.trans (Fp.div_neg_right a (ofBits 0x3f800000)) (congrArg Fp.neg (F32.div_one a)))

theorem fma_negOne (a c : F32) : Eq (Fp.fma mode a (ofBits 0xbf800000) c) (Fp.add mode a.neg c) :=
  have minus : Eq (F32.ofBits 0xbf800000) (Fp.neg (F32.ofBits 0x3f800000)) := rfl
  Eq.trans (congrArg (fun x => Fp.fma mode a x c) minus) (Eq.trans (Fp.fma_neg_swap a (ofBits 0x3f800000) c) (F32.fma_one a.neg c))

end F32
