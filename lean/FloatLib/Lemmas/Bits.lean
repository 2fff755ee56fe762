prelude
import FloatLib.Float.Bits
import FloatLib.Lemmas.Value
/-!
# Patterns: reading what was written, and writing what was read

`ofBits_toBits` needs a significand bit, for without one a format has no pattern for NaN.
-/

noncomputable section

theorem Nat.odd_cond (b : Bool) : Eq (odd (cond b 1 0)) b :=
  match b with
  | true => rfl
  | false => rfl

namespace Fp

variable {f : Format}

/-- The choice in `ofMag`, whose branches use the condition's value. -/
theorem match_of_true {α : Type} : (c : Bool) → (a : Eq c true → α) → (b : Eq c false → α) → (h : Eq c true) →
    Eq (ofMag.match_1 (fun _ => α) c a b) (a h)
  | true, _, _, _ => rfl
  | false, _, _, h => (Bool.false_ne_true h).elim

theorem match_of_false {α : Type} : (c : Bool) → (a : Eq c true → α) → (b : Eq c false → α) → (h : Eq c false) →
    Eq (ofMag.match_1 (fun _ => α) c a b) (b h)
  | true, _, _, h => (Bool.true_ne_false h).elim
  | false, _, _, _ => rfl

theorem ofMag_of_le {s : Bool} {g : Nat} (h : Eq (Nat.ble g f.inf) true) : Eq (ofMag s g) (num s g h) :=
  match_of_true (Nat.ble g f.inf) (fun h => num s g h) (fun _ => nan) h

theorem ofMag_of_gt {s : Bool} {g : Nat} (h : Nat.Lt f.inf g) : Eq (ofMag (f := f) s g) nan :=
  match_of_false (Nat.ble g f.inf) (fun h => num s g h) (fun _ => nan) (Nat.ble_of_lt h)

/-! Where infinity's pattern lies. -/

theorem inf_add (f : Format) : Eq (f.inf.add (Nat.pow 2 f.mant)) (Nat.pow 2 f.width) :=
  Eq.step (f.inf.add (Nat.pow 2 f.mant)) (Eq.symm (Nat.succ_mul ((Nat.pow 2 f.expo).sub 1) (Nat.pow 2 f.mant))) (
  Eq.step (((Nat.pow 2 f.expo).sub 1).succ.mul (Nat.pow 2 f.mant))
    (congrArg (fun x => Nat.mul x (Nat.pow 2 f.mant)) (Nat.succ_pred (Nat.two_pow_pos f.expo))) (
  Eq.step ((Nat.pow 2 f.expo).mul (Nat.pow 2 f.mant)) (Nat.mul_comm _ _) (
  Eq.step ((Nat.pow 2 f.mant).mul (Nat.pow 2 f.expo)) (Eq.symm (Nat.pow_add 2 f.mant f.expo)) (
  Eq.done (Nat.pow 2 f.width)))))

theorem inf_lt (f : Format) : Nat.Lt f.inf (Nat.pow 2 f.width) :=
  Nat.lt_of_lt_of_le (Nat.lt_add_of_pos f.inf (Nat.two_pow_pos f.mant)) (Nat.le_of_eq (inf_add f))

/-- With a significand bit, the pattern of all ones is above infinity's. -/
theorem inf_lt_ones (h : Nat.Lt 0 f.mant) : Nat.Lt f.inf ((Nat.pow 2 f.width).sub 1) :=
  Nat.pred_le_pred (a := f.inf.succ.succ) (Nat.le_trans (Nat.add_le_add_left (Nat.two_pow_le_two_pow (m := 1) h) f.inf) (Nat.le_of_eq (inf_add f)))

/-! Reading. -/

/-- A sign bit above a pattern. -/
theorem ofBits_add {s : Bool} {g : Nat} (h : Nat.Lt g (Nat.pow 2 f.width)) : Eq (ofBits (f := f) ((cond s (Nat.pow 2 f.width) 0).add g)) (ofMag s g) :=
  have split : Eq (((Nat.pow 2 f.width).mul (cond s 1 0)).add g) ((cond s (Nat.pow 2 f.width) 0).add g) :=
    congrArg (fun x => Nat.add x g) (digit (Nat.pow 2 f.width) s)
  congrArg2 ofMag (Eq.trans (congrArg Nat.odd (Nat.div_unique h split)) (Nat.odd_cond s)) (Nat.mod_unique h split)
where
  digit (w : Nat) : (s : Bool) → Eq (w.mul (cond s 1 0)) (cond s w 0)
    | true => Nat.mul_one w
    | false => rfl

theorem ofBits_toBits (h : Nat.Lt 0 f.mant) : (a : Fp f) → Eq (ofBits a.toBits) a
  | nan => Eq.step (ofBits ((Nat.pow 2 f.width).sub 1)) (congrArg ofBits (Eq.symm (Nat.zero_add _))) (
      Eq.step (ofBits (Nat.add 0 ((Nat.pow 2 f.width).sub 1)))
        (ofBits_add (s := false) (Nat.lt_of_lt_of_le (Nat.lt_succ_self _) (Nat.le_of_eq (Nat.succ_pred (Nat.two_pow_pos f.width))))) (
      Eq.step (ofMag false ((Nat.pow 2 f.width).sub 1)) (ofMag_of_gt (inf_lt_ones h)) (
      Eq.done nan)))
  | num _ _ valid => Eq.trans (ofBits_add (Nat.lt_of_le_of_lt valid (inf_lt f))) (ofMag_of_le valid)

/-- Values with the same pattern are the same. -/
theorem eq_of_toBits (h : Nat.Lt 0 f.mant) {a b : Fp f} (e : Eq a.toBits b.toBits) : Eq a b :=
  Eq.trans (Eq.symm (ofBits_toBits h a)) (Eq.trans (congrArg ofBits e) (ofBits_toBits h b))

theorem eq_of_same (h : Nat.Lt 0 f.mant) {a b : Fp f} (e : Eq (same a b) true) : Eq a b := eq_of_toBits h (Nat.eq_of_beq _ _ e)

theorem same_self (a : Fp f) : Eq (same a a) true := Nat.beq_self a.toBits

/-! Writing. -/

/-- A pattern of sign bit and magnitude, with nothing above and no NaN, is written as it was read. -/
theorem toBits_ofBits {w : Nat} (fits : Nat.Lt w (Nat.pow 2 f.width.succ)) (valid : Nat.Le (w.mod (Nat.pow 2 f.width)) f.inf) :
    Eq (toBits (ofBits (f := f) w)) w :=
  have digit : Nat.Lt (w.div (Nat.pow 2 f.width)) 2 := Nat.div_lt_of_lt_mul fits
  Eq.step (toBits (ofBits (f := f) w)) (congrArg toBits (ofMag_of_le valid)) (
  Eq.step ((cond (w.div (Nat.pow 2 f.width)).odd (Nat.pow 2 f.width) 0).add (w.mod (Nat.pow 2 f.width)))
    (congrArg (fun x => Nat.add x (w.mod (Nat.pow 2 f.width))) (sign (Nat.pow 2 f.width) (w.div (Nat.pow 2 f.width)) digit)) (
  Eq.step (((Nat.pow 2 f.width).mul (w.div (Nat.pow 2 f.width))).add (w.mod (Nat.pow 2 f.width))) (Nat.div_add_mod w (Nat.pow 2 f.width)) (
  Eq.done w)))
where
  sign (w : Nat) : (d : Nat) → Nat.Lt d 2 → Eq (cond d.odd w 0) (w.mul d)
    | .zero, _ => rfl
    | .succ .zero, _ => Eq.symm (Nat.mul_one w)
    | .succ (.succ d), h => (Nat.not_lt_zero (a := d) h).elim

/-- The pattern of all ones below the sign bit is written as it was read. -/
theorem toBits_ofBits_ones (h : Nat.Lt 0 f.mant) : Eq (toBits (ofBits (f := f) ((Nat.pow 2 f.width).sub 1))) ((Nat.pow 2 f.width).sub 1) :=
  congrArg toBits (ofBits_toBits h nan)

end Fp

namespace F32

theorem ofBits_toBits (a : F32) : Eq (ofBits a.toBits) a := Fp.ofBits_toBits (f := Format.binary32) rfl a

theorem eq_of_same {a b : F32} (h : Eq (Fp.same a b) true) : Eq a b := Fp.eq_of_same (f := Format.binary32) rfl h

end F32
