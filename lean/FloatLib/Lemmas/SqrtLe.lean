prelude
import FloatLib.Lemmas.Bits
import FloatLib.Lemmas.ScaleLe
import FloatLib.Lemmas.Sqrt
/-!
# Square roots of values: order, sign, exact roots
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem sqrt_zero {s : Bool} {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (g0 : Eq g 0) : Eq (sqrt mode (num s g hg)) (num s g hg) :=
  cond_of_true (Nat.beq_of_eq g0) _ _

theorem sqrt_inf {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (pos : Nat.Lt 0 g) (yes : Eq (Nat.beq g f.inf) true) :
    Eq (sqrt mode (num false g hg)) (num false g hg) := Eq.trans (cond_of_false (Nat.beq_of_gt pos) _ _) (cond_of_true yes _ _)

theorem sqrt_finite {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (pos : Nat.Lt 0 g) (no : Eq (Nat.beq g f.inf) false) :
    Eq (sqrt mode (num false g hg)) (num false (Nat.min (sqrtMag f mode ((units f g).mul f.one)) (Nat.min f.inf f.inf))
      (min_le (sqrtMag f mode ((units f g).mul f.one)) f.inf f.inf)) :=
  Eq.trans (cond_of_false (Nat.beq_of_gt pos) _ _) (cond_of_false no _ _)

/-! Exact roots. -/

/-- If a value is worth exactly a square, its root is what was squared. -/
theorem sqrt_exact {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (fin : Nat.Lt g f.inf)
    (e : Eq ((units f h).mul (units f h)) ((units f g).mul f.one)) : Eq (sqrt mode (num false g hg)) (num false h hh) :=
  Or.elim (Nat.eq_zero_or_pos g)
    (fun g0 => Eq.trans (sqrt_zero g0) (num_congr rfl (Eq.trans g0 (Eq.symm (eq_zero_of_units (Or.elim (Nat.mul_eq_zero
      (Eq.trans e (Eq.trans (congrArg (fun u => Nat.mul u f.one) (Eq.trans (congrArg (units f) g0) units_zero)) (Nat.zero_mul f.one)))) id id))))))
    (fun pos => Eq.trans (sqrt_finite pos (Nat.beq_of_lt fin)) (num_congr rfl (Eq.trans
      (congrArg (fun m => Nat.min m (Nat.min f.inf f.inf)) (sqrtMag_exact (Nat.lt_of_le_of_lt hh (inf_lt f)) e))
      (Nat.min_of_le (Nat.le_min hh hh)))))

/-- The root of an exact square is the absolute value. -/
theorem sqrt_mul_self {mode' : Mode} {s : Bool} {g k : Nat} {hg : Eq (Nat.ble g f.inf) true} (gfin : Nat.Lt g f.inf) (kfin : Nat.Lt k f.inf)
    (e : Eq ((units f g).mul (units f g)) ((units f k).mul f.one)) : Eq (sqrt mode (mul mode' (num s g hg) (num s g hg))) (num s g hg).abs :=
  have square : Eq (mul mode' (num s g hg) (num s g hg)) (num false k (Nat.le_of_lt kfin)) :=
    Eq.trans (cond_of_false (Bool.or_of_false (Nat.beq_of_lt gfin) (Nat.beq_of_lt gfin)) _ _)
      (Eq.trans (congrArg (fun x => round mode' x _ f.one) (Bool.xor_self s)) (round_exact one_pos kfin e))
  Eq.trans (congrArg (sqrt mode) square) (sqrt_exact kfin e)

/-! Order and sign. -/

theorem zero_le_sqrt_of_pos {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (pos : Nat.Lt 0 g) : Eq (le (zero false) (sqrt mode (num false g hg))) true :=
  Bool.byCases (Nat.beq g f.inf)
    (fun yes => Eq.trans (congrArg (le (zero false)) (sqrt_inf pos yes)) (Nat.le_add_right f.inf g))
    (fun no => Eq.trans (congrArg (le (zero false)) (sqrt_finite pos no)) (Nat.le_add_right f.inf _))

theorem zero_le_sqrt : (a : Fp f) → Eq (le (zero false) (sqrt mode a)) (le (zero false) a)
  | nan => rfl
  | num s g _ => Or.elim (Nat.eq_zero_or_pos g) (fun g0 => congrArg (le (zero false)) (sqrt_zero g0)) (fun pos => sign s pos)
where
  sign : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → Nat.Lt 0 g →
      Eq (le (zero false) (sqrt mode (num s g hg))) (le (zero false) (num s g hg))
    | false, g, _, pos => Eq.trans (zero_le_sqrt_of_pos pos) (Eq.symm (Nat.le_add_right f.inf g))
    | true, _, hg, pos => Eq.trans (congrArg (le (zero false)) (cond_of_false (Nat.beq_of_gt pos) _ _))
        (Eq.symm (Nat.ble_of_lt (Nat.sub_lt (Nat.lt_of_lt_of_le pos hg) pos)))

theorem sqrt_lt_zero : (a : Fp f) → Eq (lt (sqrt mode a) (zero false)) false
  | nan => rfl
  | num s g _ => Or.elim (Nat.eq_zero_or_pos g)
      (fun g0 => Eq.trans (congrArg (fun x => lt x (zero false)) (sqrt_zero g0)) (Nat.blt_of_le (Nat.le_of_eq
        (Eq.symm (Eq.trans (congrArg (rank f s) g0) (Eq.trans (rank_zero f s) (Eq.symm (rank_zero f false))))))))
      (fun pos => sign s pos)
where
  sign : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → Nat.Lt 0 g → Eq (lt (sqrt mode (num s g hg)) (zero false)) false
    | false, _, _, pos => lt_false_of_le _ _ (zero_le_sqrt_of_pos pos)
    | true, _, _, pos => congrArg (fun x => lt x (zero false)) (cond_of_false (Nat.beq_of_gt pos) _ _)

theorem sqrt_le_sqrt : (a b : Fp f) → Eq (le a b) true → Eq (le (zero false) a) true → Eq (le (sqrt mode a) (sqrt mode b)) true
  | nan, _, h, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, h, _ => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, e, nonneg =>
    have root : Eq (le (zero false) (sqrt mode (num t h hh))) true :=
      Eq.trans (zero_le_sqrt (num t h hh)) (le_trans (zero false) (num s g hg) (num t h hh) nonneg e)
    Or.elim (Nat.eq_zero_or_pos g)
      (fun g0 => le_trans (sqrt mode (num s g hg)) (zero false) (sqrt mode (num t h hh)) (Eq.trans (congrArg (fun x => le x (zero false)) (sqrt_zero g0))
        (le_of_zeros (a := num s g hg) (b := zero false) (Nat.beq_of_eq g0) rfl id)) root)
      (fun pos => nonneg_cases hg s nonneg (fun plain => positive pos s plain t e) (fun g0 => absurd g0 (Nat.ne_of_gt pos)))
where
  positive {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (pos : Nat.Lt 0 g) : (s : Bool) → Eq s false → (t : Bool) →
      Nat.Le (rank f s g) (rank f t h) → Eq (le (sqrt mode (num s g hg)) (sqrt mode (num t h hh))) true
    | true, plain, _, _ => (Bool.true_ne_false plain).elim
    | false, _, true, e => absurd (Nat.le_trans e (Nat.sub_le f.inf h)) (Nat.not_le_of_lt (Nat.lt_add_of_pos f.inf pos))
    | false, _, false, e =>
      have above : Nat.Le g h := Nat.le_of_add_le_add_left f.inf e
      have hpos : Nat.Lt 0 h := Nat.lt_of_lt_of_le pos above
      Bool.byCases (Nat.beq h f.inf)
        (fun yes => Eq.trans (congrArg (le (sqrt mode (num false g hg))) (sqrt_inf hpos yes)) (le_of_right_inf yes _
          (Eq.trans (isNan_sqrt (num false g hg)) (Nat.blt_of_le (Nat.le_add_right f.inf g)))))
        (fun no => have gno : Eq (Nat.beq g f.inf) false := Nat.beq_of_lt (Nat.lt_of_le_of_lt above (lt_inf_of_beq hh no))
          Eq.trans (congrArg2 le (sqrt_finite pos gno) (sqrt_finite hpos no))
            (Nat.add_le_add_left (min_le_min_left (sqrtMag_le (Nat.mul_le_mul_left (units_le above) f.one)) _) f.inf))

end Fp

namespace F32

variable {mode : Mode}

theorem zero_le_sqrt (a : F32) : Eq (Fp.le (ofBits 0x00000000) (Fp.sqrt mode a)) (Fp.le (ofBits 0x00000000) a) := Fp.zero_le_sqrt a

theorem sqrt_lt_zero (a : F32) : Eq (Fp.lt (Fp.sqrt mode a) (ofBits 0x00000000)) false := Fp.sqrt_lt_zero a

theorem sqrt_le_sqrt (a b : F32) (h : Eq (Fp.le a b) true) (k : Eq (Fp.le (ofBits 0x00000000) a) true) :
    Eq (Fp.le (Fp.sqrt mode a) (Fp.sqrt mode b)) true := Fp.sqrt_le_sqrt a b h k

end F32
