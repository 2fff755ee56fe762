prelude
import FloatLib.Lemmas.MinMaxLaws
import FloatLib.Lemmas.OrderF32
/-!
# Minima and maxima where the order is known: bounds, clamps, absolute values
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! A comparison with a value that is not zero decides. -/

theorem le_cases {C : Prop} (a b : Fp f) (h : Eq (le a b) true) (k : Eq b.isNonzero true) (less : Eq (lt a b) true → C) (same : Eq a b → C) : C :=
  Bool.byCases (le b a) (fun h' => same (eq_of_le_of_le a b h h' k))
    (fun h' => less (lt_of_not_le b a (notNan_right_of_le a b h) (notNan_left_of_le a b h) h'))

theorem minNum_of_le (a b : Fp f) (h : Eq (le a b) true) (k : Eq b.isNonzero true) : Eq (minNum a b) a :=
  le_cases a b h k (minNum_left a b) (fun e => Eq.trans (congrArg (fun x => minNum x b) e) (Eq.trans (minNum_self b) (Eq.symm e)))

theorem minNum_of_ge (a b : Fp f) (h : Eq (le b a) true) (k : Eq b.isNonzero true) : Eq (minNum a b) b :=
  Bool.byCases (le a b) (fun h' => have e : Eq a b := eq_of_le_of_le a b h' h k
      Eq.trans (congrArg (fun x => minNum x b) e) (Eq.trans (minNum_self b) rfl))
    (fun h' => minNum_right a b (lt_of_not_le a b (notNan_right_of_le b a h) (notNan_left_of_le b a h) h'))

theorem maxNum_of_le (a b : Fp f) (h : Eq (le a b) true) (k : Eq b.isNonzero true) : Eq (maxNum a b) b :=
  le_cases a b h k (maxNum_right a b) (fun e => Eq.trans (congrArg (fun x => maxNum x b) e) (Eq.trans (maxNum_self b) rfl))

theorem maxNum_of_ge (a b : Fp f) (h : Eq (le b a) true) (k : Eq b.isNonzero true) : Eq (maxNum a b) a :=
  Bool.byCases (le a b) (fun h' => have e : Eq a b := eq_of_le_of_le a b h' h k
      Eq.trans (congrArg (fun x => maxNum x b) e) (Eq.trans (maxNum_self b) (Eq.symm e)))
    (fun h' => maxNum_left a b (lt_of_not_le a b (notNan_right_of_le b a h) (notNan_left_of_le b a h) h'))

theorem minNan_of_le (a b : Fp f) (h : Eq (le a b) true) (k : Eq b.isNonzero true) : Eq (minNan a b) a :=
  le_cases a b h k (minNan_left a b) (fun e => Eq.trans (congrArg (fun x => minNan x b) e) (Eq.trans (minNan_self b) (Eq.symm e)))

theorem minNan_of_ge (a b : Fp f) (h : Eq (le b a) true) (k : Eq b.isNonzero true) : Eq (minNan a b) b :=
  Bool.byCases (le a b) (fun h' => have e : Eq a b := eq_of_le_of_le a b h' h k
      Eq.trans (congrArg (fun x => minNan x b) e) (Eq.trans (minNan_self b) rfl))
    (fun h' => minNan_right a b (lt_of_not_le a b (notNan_right_of_le b a h) (notNan_left_of_le b a h) h'))

theorem maxNan_of_le (a b : Fp f) (h : Eq (le a b) true) (k : Eq b.isNonzero true) : Eq (maxNan a b) b :=
  le_cases a b h k (maxNan_right a b) (fun e => Eq.trans (congrArg (fun x => maxNan x b) e) (Eq.trans (maxNan_self b) rfl))

theorem maxNan_of_ge (a b : Fp f) (h : Eq (le b a) true) (k : Eq b.isNonzero true) : Eq (maxNan a b) a :=
  Bool.byCases (le a b) (fun h' => have e : Eq a b := eq_of_le_of_le a b h' h k
      Eq.trans (congrArg (fun x => maxNan x b) e) (Eq.trans (maxNan_self b) (Eq.symm e)))
    (fun h' => maxNan_left a b (lt_of_not_le a b (notNan_right_of_le b a h) (notNan_left_of_le b a h) h'))

/-! Infinities bound. -/

theorem isNonzero_inf (fin : Nat.Lt 0 f.inf) (s : Bool) : Eq (inf (f := f) s).isNonzero true := fin

theorem minNum_inf (fin : Nat.Lt 0 f.inf) (a : Fp f) (h : Eq a.isNan false) : Eq (minNum a (inf false)) a := minNum_of_le a (inf false) (le_inf a h) fin

theorem maxNum_negInf (fin : Nat.Lt 0 f.inf) (a : Fp f) (h : Eq a.isNan false) : Eq (maxNum a (inf true)) a := maxNum_of_ge a (inf true) (negInf_le a h) fin

theorem maxNum_inf (fin : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (maxNum a (inf false)) (inf false)
  | nan => rfl
  | num s g h => maxNum_of_le (num s g h) (inf false) (le_inf (num s g h) rfl) fin

theorem minNum_negInf (fin : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (minNum a (inf true)) (inf true)
  | nan => rfl
  | num s g h => minNum_of_ge (num s g h) (inf true) (negInf_le (num s g h) rfl) fin

theorem minNan_inf (fin : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (minNan a (inf false)) a
  | nan => rfl
  | num s g h => minNan_of_le (num s g h) (inf false) (le_inf (num s g h) rfl) fin

theorem maxNan_negInf (fin : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (maxNan a (inf true)) a
  | nan => rfl
  | num s g h => maxNan_of_ge (num s g h) (inf true) (negInf_le (num s g h) rfl) fin

theorem maxNan_inf (fin : Nat.Lt 0 f.inf) (a : Fp f) (h : Eq a.isNan false) : Eq (maxNan a (inf false)) (inf false) :=
  maxNan_of_le a (inf false) (le_inf a h) fin

theorem minNan_negInf (fin : Nat.Lt 0 f.inf) (a : Fp f) (h : Eq a.isNan false) : Eq (minNan a (inf true)) (inf true) :=
  minNan_of_ge a (inf true) (negInf_le a h) fin

/-! Absorption. -/

theorem upper_lower : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (upper (lower a b) b) b
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _, _ => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg (fun x => upper x (num t h hh)) (lower_of_place e)) (upper_of_place' e))
    (fun e => Eq.trans (congrArg (fun x => upper x (num t h hh)) (lower_of_place' e)) (upper_self (num t h hh)))

theorem lower_upper : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (lower (upper a b) b) b
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _, _ => Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
    (fun e => Eq.trans (congrArg (fun x => lower x (num t h hh)) (upper_of_place' e)) (lower_self (num t h hh)))
    (fun e => Eq.trans (congrArg (fun x => lower x (num t h hh)) (upper_of_place e)) (lower_of_place' e))

theorem maxNum_minNum : (a b : Fp f) → Eq b.isNan false → Eq (maxNum (minNum a b) b) b
  | nan, b, _ => maxNum_self b
  | num _ _ _, nan, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _ => Eq.trans (maxNum_of_notNan (minNum (num s g hg) (num t h hh)) (num t h hh) (Eq.trans (isNan_minNum _ _) rfl) rfl)
      (upper_lower (num s g hg) (num t h hh) rfl rfl)

theorem minNum_maxNum : (a b : Fp f) → Eq b.isNan false → Eq (minNum (maxNum a b) b) b
  | nan, b, _ => minNum_self b
  | num _ _ _, nan, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _ => Eq.trans (minNum_of_notNan (maxNum (num s g hg) (num t h hh)) (num t h hh) (Eq.trans (isNan_maxNum _ _) rfl) rfl)
      (lower_upper (num s g hg) (num t h hh) rfl rfl)

theorem maxNan_minNan : (a b : Fp f) → Eq a.isNan false → Eq (maxNan (minNan a b) b) b
  | nan, _, h => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _ => rfl
  | num s g hg, num t h hh, _ => Eq.trans (maxNan_eq_upper (minNan (num s g hg) (num t h hh)) (num t h hh) (Eq.trans (isNan_minNan _ _) rfl) rfl)
      (upper_lower (num s g hg) (num t h hh) rfl rfl)

theorem minNan_maxNan : (a b : Fp f) → Eq a.isNan false → Eq (minNan (maxNan a b) b) b
  | nan, _, h => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _ => rfl
  | num s g hg, num t h hh, _ => Eq.trans (minNan_eq_lower (maxNan (num s g hg) (num t h hh)) (num t h hh) (Eq.trans (isNan_maxNan _ _) rfl) rfl)
      (lower_upper (num s g hg) (num t h hh) rfl rfl)

theorem maxNum_minNum_left (a b : Fp f) (h : Eq a.isNan false) : Eq (maxNum (minNum a b) a) a :=
  Eq.trans (congrArg (fun x => maxNum x a) (minNum_comm a b)) (maxNum_minNum b a h)

theorem maxNum_of_minNum (a b : Fp f) (h : Eq a.isNan false) : Eq (maxNum a (minNum a b)) a := Eq.trans (maxNum_comm a (minNum a b)) (maxNum_minNum_left a b h)

theorem maxNum_of_minNum_right (a b : Fp f) (h : Eq a.isNan false) : Eq (maxNum a (minNum b a)) a := Eq.trans (maxNum_comm a (minNum b a)) (maxNum_minNum b a h)

theorem minNum_maxNum_left (a b : Fp f) (h : Eq a.isNan false) : Eq (minNum (maxNum a b) a) a :=
  Eq.trans (congrArg (fun x => minNum x a) (maxNum_comm a b)) (minNum_maxNum b a h)

theorem minNum_of_maxNum (a b : Fp f) (h : Eq a.isNan false) : Eq (minNum a (maxNum a b)) a := Eq.trans (minNum_comm a (maxNum a b)) (minNum_maxNum_left a b h)

theorem minNum_of_maxNum_right (a b : Fp f) (h : Eq a.isNan false) : Eq (minNum a (maxNum b a)) a := Eq.trans (minNum_comm a (maxNum b a)) (minNum_maxNum b a h)

theorem maxNan_minNan_left (a b : Fp f) (h : Eq b.isNan false) : Eq (maxNan (minNan a b) a) a :=
  Eq.trans (congrArg (fun x => maxNan x a) (minNan_comm a b)) (maxNan_minNan b a h)

theorem maxNan_of_minNan (a b : Fp f) (h : Eq b.isNan false) : Eq (maxNan a (minNan a b)) a := Eq.trans (maxNan_comm a (minNan a b)) (maxNan_minNan_left a b h)

theorem maxNan_of_minNan_right (a b : Fp f) (h : Eq b.isNan false) : Eq (maxNan a (minNan b a)) a := Eq.trans (maxNan_comm a (minNan b a)) (maxNan_minNan b a h)

theorem minNan_maxNan_left (a b : Fp f) (h : Eq b.isNan false) : Eq (minNan (maxNan a b) a) a :=
  Eq.trans (congrArg (fun x => minNan x a) (maxNan_comm a b)) (minNan_maxNan b a h)

theorem minNan_of_maxNan (a b : Fp f) (h : Eq b.isNan false) : Eq (minNan a (maxNan a b)) a := Eq.trans (minNan_comm a (maxNan a b)) (minNan_maxNan_left a b h)

theorem minNan_of_maxNan_right (a b : Fp f) (h : Eq b.isNan false) : Eq (minNan a (maxNan b a)) a := Eq.trans (minNan_comm a (maxNan b a)) (minNan_maxNan b a h)

/-! Clamps: between bounds in order, either bound may be applied first. -/

theorem clamp_swap : (a b c : Fp f) → Eq a.isNan false → Eq (lt b c) true → Eq (lower (upper a b) c) (upper (lower a c) b)
  | nan, _, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, num r k hk, _, l =>
    have bc : Nat.Le (place 0 (num t h hh)) (place 0 (num r k hk)) := Nat.le_of_lt (place_lt_of_rank_lt l)
    Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num t h hh)))
      (fun ab => Eq.trans (congrArg (fun x => lower x (num r k hk)) (upper_of_place' ab)) (Eq.trans (lower_of_place bc)
        (Eq.symm (Eq.trans (congrArg (fun x => upper x (num t h hh)) (lower_of_place (Nat.le_trans ab bc))) (upper_of_place' ab)))))
      (fun ba => Eq.trans (congrArg (fun x => lower x (num r k hk)) (upper_of_place ba))
        (Or.elim (Nat.le_total (place 0 (num s g hg)) (place 0 (num r k hk)))
          (fun ac => Eq.trans (lower_of_place ac) (Eq.symm (Eq.trans (congrArg (fun x => upper x (num t h hh)) (lower_of_place ac)) (upper_of_place ba))))
          (fun ca => Eq.trans (lower_of_place' ca) (Eq.symm (Eq.trans (congrArg (fun x => upper x (num t h hh)) (lower_of_place' ca)) (upper_of_place bc))))))

theorem clamp_num : (a b c : Fp f) → Eq a.isNan false → Eq (lt b c) true → Eq (minNum (maxNum a b) c) (maxNum (minNum a c) b)
  | nan, _, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, num r k hk, na, l =>
    Eq.trans (minNum_of_notNan (maxNum (num s g hg) (num t h hh)) (num r k hk) (Eq.trans (isNan_maxNum _ _) rfl) rfl)
      (Eq.trans (clamp_swap (num s g hg) (num t h hh) (num r k hk) na l)
        (Eq.symm (maxNum_of_notNan (minNum (num s g hg) (num r k hk)) (num t h hh) (Eq.trans (isNan_minNum _ _) rfl) rfl)))

theorem clamp_nan : (a b c : Fp f) → Eq (lt b c) true → Eq (minNan (maxNan a b) c) (maxNan (minNan a c) b)
  | nan, _, _, _ => rfl
  | num _ _ _, nan, _, h => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, num r k hk, l =>
    Eq.trans (minNan_eq_lower (maxNan (num s g hg) (num t h hh)) (num r k hk) (Eq.trans (isNan_maxNan _ _) rfl) rfl)
      (Eq.trans (clamp_swap (num s g hg) (num t h hh) (num r k hk) rfl l)
        (Eq.symm (maxNan_eq_upper (minNan (num s g hg) (num r k hk)) (num t h hh) (Eq.trans (isNan_minNan _ _) rfl) rfl)))

/-! A value, its opposite and its absolute value. -/

theorem upper_neg_self : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → Eq (upper (num s g hg) (num s.not g hg)) (num false g hg)
  | false, g, _ => upper_of_place (n := 0) (Nat.add_le_add (c := 0) (d := 1) (Nat.mul_le_mul_right 2 (rank_le true g)) rfl)
  | true, g, _ => upper_of_place' (n := 0) (Nat.add_le_add (c := 0) (d := 1) (Nat.mul_le_mul_right 2 (rank_le true g)) rfl)

theorem upper_abs : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → Eq (upper (num s g hg) (num false g hg)) (num false g hg)
  | false, _, _ => upper_self _
  | true, g, _ => upper_of_place' (n := 0) (Nat.add_le_add (c := 0) (d := 1) (Nat.mul_le_mul_right 2 (rank_le true g)) rfl)

theorem lower_abs : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → Eq (lower (num s g hg) (num false g hg)) (num s g hg)
  | false, _, _ => lower_self _
  | true, g, _ => lower_of_place (n := 0) (Nat.add_le_add (c := 0) (d := 1) (Nat.mul_le_mul_right 2 (rank_le true g)) rfl)

theorem maxNum_neg_self : (a : Fp f) → Eq (maxNum a a.neg) a.abs
  | nan => rfl
  | num s _ _ => upper_neg_self s

theorem neg_maxNum_self (a : Fp f) : Eq (maxNum a.neg a) a.abs := Eq.trans (maxNum_comm a.neg a) (maxNum_neg_self a)

theorem maxNum_abs : (a : Fp f) → Eq (maxNum a a.abs) a.abs
  | nan => rfl
  | num s _ _ => upper_abs s

theorem minNum_abs : (a : Fp f) → Eq (minNum a a.abs) a
  | nan => rfl
  | num s _ _ => lower_abs s

theorem abs_maxNum (a : Fp f) : Eq (maxNum a.abs a) a.abs := Eq.trans (maxNum_comm a.abs a) (maxNum_abs a)

theorem abs_minNum (a : Fp f) : Eq (minNum a.abs a) a := Eq.trans (minNum_comm a.abs a) (minNum_abs a)

theorem minNum_neg_self (a : Fp f) : Eq (minNum a a.neg) a.abs.neg :=
  Eq.trans (Eq.symm (neg_neg _)) (congrArg neg (Eq.trans (neg_minNum a a.neg) (Eq.trans (maxNum_neg_self a.neg) (abs_neg a))))

theorem neg_minNum_self (a : Fp f) : Eq (minNum a.neg a) a.abs.neg := Eq.trans (minNum_comm a.neg a) (minNum_neg_self a)

theorem maxNan_neg_self : (a : Fp f) → Eq (maxNan a a.neg) a.abs
  | nan => rfl
  | num s _ _ => upper_neg_self s

theorem neg_maxNan_self (a : Fp f) : Eq (maxNan a.neg a) a.abs := Eq.trans (maxNan_comm a.neg a) (maxNan_neg_self a)

theorem maxNan_abs : (a : Fp f) → Eq (maxNan a a.abs) a.abs
  | nan => rfl
  | num s _ _ => upper_abs s

theorem minNan_abs : (a : Fp f) → Eq (minNan a a.abs) a
  | nan => rfl
  | num s _ _ => lower_abs s

theorem abs_maxNan (a : Fp f) : Eq (maxNan a.abs a) a.abs := Eq.trans (maxNan_comm a.abs a) (maxNan_abs a)

theorem abs_minNan (a : Fp f) : Eq (minNan a.abs a) a := Eq.trans (minNan_comm a.abs a) (minNan_abs a)

theorem minNan_neg_self (a : Fp f) : Eq (minNan a a.neg) a.abs.neg :=
  Eq.trans (Eq.symm (neg_neg _)) (congrArg neg (Eq.trans (neg_minNan a a.neg) (Eq.trans (maxNan_neg_self a.neg) (abs_neg a))))

theorem neg_minNan_self (a : Fp f) : Eq (minNan a.neg a) a.abs.neg := Eq.trans (minNan_comm a.neg a) (minNan_neg_self a)

end Fp

namespace F32

/-! Binary32: the infinities are bit patterns. -/

theorem minNum_inf (a : F32) (h : Eq a.isNan false) : Eq (Fp.minNum a (ofBits 0x7f800000)) a := Fp.minNum_inf (f := Format.binary32) rfl a h

theorem maxNum_negInf (a : F32) (h : Eq a.isNan false) : Eq (Fp.maxNum a (ofBits 0xff800000)) a := Fp.maxNum_negInf (f := Format.binary32) rfl a h

theorem maxNum_inf (a : F32) : Eq (Fp.maxNum a (ofBits 0x7f800000)) (ofBits 0x7f800000) := Fp.maxNum_inf (f := Format.binary32) rfl a

theorem minNum_negInf (a : F32) : Eq (Fp.minNum a (ofBits 0xff800000)) (ofBits 0xff800000) := Fp.minNum_negInf (f := Format.binary32) rfl a

theorem minNan_inf (a : F32) : Eq (Fp.minNan a (ofBits 0x7f800000)) a := Fp.minNan_inf (f := Format.binary32) rfl a

theorem maxNan_negInf (a : F32) : Eq (Fp.maxNan a (ofBits 0xff800000)) a := Fp.maxNan_negInf (f := Format.binary32) rfl a

theorem maxNan_inf (a : F32) (h : Eq a.isNan false) : Eq (Fp.maxNan a (ofBits 0x7f800000)) (ofBits 0x7f800000) := Fp.maxNan_inf (f := Format.binary32) rfl a h

theorem minNan_negInf (a : F32) (h : Eq a.isNan false) : Eq (Fp.minNan a (ofBits 0xff800000)) (ofBits 0xff800000) := Fp.minNan_negInf (f :=
  Format.binary32) rfl a h

end F32
