prelude
import FloatLib.Lemmas.NanArith
/-!
# Exactly which results are NaN

Beside NaN arguments: `inf - inf` in a sum, `0 * inf` in a product, `0 / 0` and `inf / inf` in a quotient. `Lemmas/NanArith.lean` has the
cases with a finite argument.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem isFinite_neg : (a : Fp f) → Eq a.neg.isFinite a.isFinite
  | nan => rfl
  | num _ _ _ => rfl

theorem eq_zero_eq_isZero : (a : Fp f) → Eq (eq a (zero false)) a.isZero
  | nan => rfl
  | num s g hg => Bool.eq_of_iff
      (fun e => Nat.beq_of_eq (mag_eq_of_rank_eq (t := false) (h := 0) hg rfl (Nat.eq_of_beq (rank f s g) (rank f false 0) e)))
      (fun e => Nat.beq_of_eq (Eq.trans (congrArg (rank f s) (Nat.eq_of_beq g 0 e)) (rank_zero f s)))

/-- An infinity is not a zero. -/
theorem inf_apart (pos : Nat.Lt 0 f.inf) (g : Nat) : Eq ((Nat.beq g f.inf).and (Nat.beq g 0)) false :=
  Bool.byCases (Nat.beq g f.inf) (fun yes => Bool.and_of_false_right (beq_zero_of_inf yes pos)) Bool.and_of_false_left

theorem isInf_cases {C : Prop} : (a : Fp f) → Eq a.isInf true → (Eq a (inf true) → C) → (Eq a (inf false) → C) → C
  | nan, h, _, _ => (Bool.false_ne_true h).elim
  | num true _ _, h, low, _ => low (eq_inf_of_beq h)
  | num false _ _, h, _, high => high (eq_inf_of_beq h)

/-! Sums. -/

theorem isNan_sub_left (a b : Fp f) (h : Eq a.isFinite true) : Eq (sub mode a b).isNan b.isNan :=
  Eq.trans (isNan_add_left a b.neg h) (isNan_neg b)

theorem isNan_sub_right (a b : Fp f) (h : Eq b.isFinite true) : Eq (sub mode a b).isNan a.isNan :=
  isNan_add_right a b.neg (Eq.trans (isFinite_neg b) h)

/-- Nothing but infinities of different signs. -/
theorem isNan_add_eq : (a b : Fp f) → Eq (add mode a b).isNan ((a.isNan.or b.isNan).or ((a.isInf.and b.isInf).and (a.isNeg.xor b.isNeg)))
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ => rows (Nat.beq g f.inf) (Nat.beq h f.inf) (s.xor t) rfl rfl (isNan_roundSum _ _ _ _ _)
where
  rows {a b r : Fp f} : (c d x : Bool) → Eq a.isNan false → Eq b.isNan false → Eq r.isNan false →
      Eq (cond c (cond (d.and x) nan a) (cond d b r)).isNan ((c.and d).and x)
    | true, true, true, _, _, _ => rfl
    | true, true, false, h, _, _ => h
    | true, false, _, h, _, _ => h
    | false, true, _, _, h, _ => h
    | false, false, _, _, _, h => h

theorem isNan_add_of_sign (a b : Fp f) (ha : Eq a.isNan false) (hb : Eq b.isNan false) (h : Eq (a.isNeg.xor b.isNeg) false) :
    Eq (add mode a b).isNan false :=
  Eq.trans (isNan_add_eq a b) (Bool.or_of_false (Bool.or_of_false ha hb) (Bool.and_of_false_right h))

/-! Products. -/

/-- Nothing but infinity times zero. -/
theorem isNan_mul_eq (pos : Nat.Lt 0 f.inf) : (a b : Fp f) →
    Eq (mul mode a b).isNan ((a.isNan.or b.isNan).or ((a.isInf.and b.isZero).or (a.isZero.and b.isInf)))
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num _ g _, num _ h _ => rows (Nat.beq g f.inf) (Nat.beq h f.inf) (Nat.beq g 0) (Nat.beq h 0) (inf_apart pos g) (inf_apart pos h) rfl rfl
where
  rows {i r : Fp f} : (c d x y : Bool) → Eq (c.and x) false → Eq (d.and y) false → Eq i.isNan false → Eq r.isNan false →
      Eq (cond (c.or d) (cond (x.or y) nan i) r).isNan ((c.and y).or (x.and d))
    | true, _, true, _, h, _, _, _ => (Bool.true_ne_false h).elim
    | _, true, _, true, _, h, _, _ => (Bool.true_ne_false h).elim
    | true, false, false, true, _, _, _, _ => rfl
    | true, false, false, false, _, _, h, _ => h
    | true, true, false, false, _, _, h, _ => h
    | false, true, true, false, _, _, _, _ => rfl
    | false, true, false, false, _, _, h, _ => h
    | false, false, true, true, _, _, _, h => h
    | false, false, true, false, _, _, _, h => h
    | false, false, false, true, _, _, _, h => h
    | false, false, false, false, _, _, _, h => h

theorem isZero_of_isNonzero : (a : Fp f) → Eq a.isNonzero true → Eq a.isZero false
  | nan, _ => rfl
  | num _ _ _, h => Nat.beq_of_gt h

theorem isNan_mul_of_nonzero : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq a.isNonzero true → Eq b.isNonzero true →
    Eq (mul mode a b).isNan false
  | nan, _, h, _, _, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h, _, _ => (Bool.true_ne_false h).elim
  | num _ _ _, num _ _ _, _, _, pos, pos' => isNan_cond_of_notNan
      (congrArg isNan (cond_of_false (Bool.or_of_false (Nat.beq_of_gt pos) (Nat.beq_of_gt pos')) _ _)) rfl

/-! Quotients. -/

/-- Nothing but zero by zero and infinity by infinity. -/
theorem isNan_div_eq (pos : Nat.Lt 0 f.inf) : (a b : Fp f) →
    Eq (div mode a b).isNan ((a.isNan.or b.isNan).or ((a.isInf.and b.isInf).or (a.isZero.and b.isZero)))
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num _ g _, num _ h _ =>
    rows (Nat.beq g f.inf) (Nat.beq h f.inf) (Nat.beq g 0) (Nat.beq h 0) (inf_apart pos g) (inf_apart pos h) rfl rfl rfl rfl
where
  rows {i z j r : Fp f} : (c d x y : Bool) → Eq (c.and x) false → Eq (d.and y) false →
      Eq i.isNan false → Eq z.isNan false → Eq j.isNan false → Eq r.isNan false →
      Eq (cond c (cond d nan i) (cond d z (cond y (cond x nan j) r))).isNan ((c.and d).or (x.and y))
    | true, _, true, _, h, _, _, _, _, _ => (Bool.true_ne_false h).elim
    | _, true, _, true, _, h, _, _, _, _ => (Bool.true_ne_false h).elim
    | true, true, false, false, _, _, _, _, _, _ => rfl
    | true, false, false, _, _, _, h, _, _, _ => h
    | false, true, true, false, _, _, _, h, _, _ => h
    | false, true, false, false, _, _, _, h, _, _ => h
    | false, false, true, true, _, _, _, _, _, _ => rfl
    | false, false, false, true, _, _, _, _, h, _ => h
    | false, false, true, false, _, _, _, _, _, h => h
    | false, false, false, false, _, _, _, _, _, h => h

/-! Fused products. -/

/-- A finite addend makes no NaN. -/
theorem isNan_fma_of_finite : (a b c : Fp f) → Eq c.isFinite true → Eq (fma mode a b c).isNan (mul mode a b).isNan
  | nan, _, _, _ => rfl
  | num _ _ _, nan, _, _ => rfl
  | num _ _ _, num _ _ _, nan, h => (Bool.false_ne_true h).elim
  | num _ g _, num _ h _, num _ _ _, fin => Eq.trans (isNan_cond _ _ ((Nat.beq g f.inf).or (Nat.beq h f.inf))) (Eq.trans
      (congrArg2 (cond _) (congrArg isNan (congrArg (cond _ nan) (cond_of_false (Bool.and_of_false_left (Nat.beq_of_lt fin)) _ _)))
        (Eq.trans (congrArg isNan (cond_of_false (Nat.beq_of_lt fin) _ _)) (isNan_roundSum _ _ _ _ _)))
      (Eq.symm (isNan_cond _ _ ((Nat.beq g f.inf).or (Nat.beq h f.inf)))))

end Fp

namespace F32

variable {mode : Mode}

theorem isZero_eq (a : F32) : Eq a.isZero (Fp.eq a (F32.ofBits 0x00000000)) :=
  Eq.trans (Eq.symm (Fp.eq_zero_eq_isZero a)) (congrArg (Fp.eq a) (Eq.symm ofBits_zero))

/-- Infinities differ in sign or are equal. -/
theorem isNan_add_eq (a b : F32) : Eq (Fp.add mode a b).isNan ((a.isNan.or b.isNan).or ((a.isInf.and b.isInf).and (Fp.eq a b).not)) :=
  Eq.trans (Fp.isNan_add_eq a b) (congrArg (Bool.or (a.isNan.or b.isNan)) (Bool.byCases (a.isInf.and b.isInf)
    (fun yes => congrArg (Bool.and (a.isInf.and b.isInf)) (Fp.isInf_cases a (Bool.and_eq_true_left yes)
      (fun ea => Fp.isInf_cases b (Bool.and_eq_true_right yes) (fun eb => differ ea eb rfl) (fun eb => differ ea eb rfl))
      (fun ea => Fp.isInf_cases b (Bool.and_eq_true_right yes) (fun eb => differ ea eb rfl) (fun eb => differ ea eb rfl))))
    (fun no => Eq.trans (Bool.and_of_false_left no) (Eq.symm (Bool.and_of_false_left no)))))
where
  differ {a b x y : F32} (ea : Eq a x) (eb : Eq b y) (h : Eq (x.isNeg.xor y.isNeg) (Fp.eq x y).not) : Eq (a.isNeg.xor b.isNeg) (Fp.eq a b).not :=
    Eq.trans (congrArg2 (fun a b => Bool.xor (Fp.isNeg a) (Fp.isNeg b)) ea eb) (Eq.trans h
      (congrArg2 (fun a b => Bool.not (Fp.eq a b)) (Eq.symm ea) (Eq.symm eb)))

theorem isNan_mul_eq (a b : F32) : Eq (Fp.mul mode a b).isNan ((a.isNan.or b.isNan).or
    ((a.isInf.and (Fp.eq b (F32.ofBits 0x00000000))).or ((Fp.eq a (F32.ofBits 0x00000000)).and b.isInf))) :=
  Eq.trans (Fp.isNan_mul_eq (f := Format.binary32) rfl a b)
    (congrArg2 (fun x y => (a.isNan.or b.isNan).or ((a.isInf.and y).or (Bool.and x b.isInf))) (isZero_eq a) (isZero_eq b))

theorem isNan_div_eq (a b : F32) : Eq (Fp.div mode a b).isNan ((a.isNan.or b.isNan).or
    ((a.isInf.and b.isInf).or ((Fp.eq a (F32.ofBits 0x00000000)).and (Fp.eq b (F32.ofBits 0x00000000))))) :=
  Eq.trans (Fp.isNan_div_eq (f := Format.binary32) rfl a b)
    (congrArg2 (fun x y => (a.isNan.or b.isNan).or ((a.isInf.and b.isInf).or (Bool.and x y))) (isZero_eq a) (isZero_eq b))

end F32
