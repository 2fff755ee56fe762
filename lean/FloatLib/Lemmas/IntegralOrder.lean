prelude
import FloatLib.Lemmas.AbsArith
import FloatLib.Lemmas.Flush
import FloatLib.Lemmas.Integral
import FloatLib.Lemmas.NanArith
/-!
# Values rounded to whole numbers: bounds, classes, flushing
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! Downward is at most the value, upward at least, toward zero at most in magnitude. -/

theorem floor_le : (a : Fp f) → Eq (le (floor a) a) a.isNan.not
  | nan => rfl
  | num s g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (congrArg (fun x => le x (num s g hg)) (cond_of_true yes _ _)) (le_self (num s g hg)))
      (fun no => toIntegral_cases (C := fun x => Eq (le x (num s g hg)) true) (up_keeps .rm) (infinite s no) (finite s))
where
  infinite : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → Eq (Nat.beq g f.inf) false → (k : Nat) → Nat.Le f.inf k →
      Or (Eq (Nat.beq g f.inf) true)
        (Eq (units f k) ((((units f g).div f.one).add (cond (Mode.rm.up s ((units f g).div f.one) ((units f g).mod f.one) f.one) 1 0)).mul f.one)) →
      Eq (le (inf s) (num s g hg)) true
    | true, _, _, _, _, _, _ => negInf_le _ rfl
    | false, _, _, no, _, _, .inl yes => Bool.not_both yes no
    | false, g, hg, no, k, over, .inr e => absurd (Nat.lt_of_le_of_lt (le_of_units_le (f := f) (g := k) (h := g) (down e)) (lt_inf_of_beq hg no))
      (Nat.not_lt_of_le over)
  down {g k : Nat} (e : Eq (units f k) (((units f g).div f.one).mul f.one)) : Nat.Le (units f k) (units f g) :=
    Nat.le_trans (Nat.le_of_eq (Eq.trans e (Nat.mul_comm _ f.one))) (Nat.div_mul_le (units f g) f.one)
  finite : (s : Bool) → {g : Nat} → {hg : Eq (Nat.ble g f.inf) true} → (k : Nat) → (hk : Eq (Nat.ble k f.inf) true) → Nat.Lt k f.inf →
      Eq (units f k) ((((units f g).div f.one).add (cond (Mode.rm.up s ((units f g).div f.one) ((units f g).mod f.one) f.one) 1 0)).mul f.one) →
      Eq (le (num s k hk) (num s g hg)) true
    | false, g, _, k, _, _, e => Nat.add_le_add_left (le_of_units_le (f := f) (g := k) (h := g) (down e)) f.inf
    | true, g, _, k, _, _, e => Nat.sub_le_sub_left f.inf (le_of_units_le (f := f) (g := g) (h := k) (Nat.le_trans (up (units f g))
        (Nat.le_of_eq (Eq.symm e))))
  up (u : Nat) : Nat.Le u (((u.div f.one).add (cond (Bool.and true (Nat.blt 0 (u.mod f.one))) 1 0)).mul f.one) :=
    Or.elim (Nat.eq_zero_or_pos (u.mod f.one))
      (fun r0 => Nat.le_trans (Nat.le_of_eq (Eq.trans (Eq.symm (Nat.div_of_mod_eq_zero r0)) (Nat.mul_comm f.one _)))
        (Nat.mul_le_mul_left (Nat.le_add_right _ _) f.one))
      (fun rpos => Nat.le_trans (Nat.le_of_lt (Nat.lt_mul_succ_div one_pos u)) (Nat.le_of_eq (Eq.trans (Nat.mul_comm f.one _)
        (congrArg (fun b => Nat.mul ((u.div f.one).add (cond b 1 0)) f.one) (Eq.symm (Eq.trans (Bool.true_and _) rpos))))))

theorem ceil_eq (a : Fp f) : Eq (ceil a) (floor a.neg).neg :=
  Eq.trans (congrArg ceil (Eq.symm (neg_neg a))) (ceil_neg a.neg)

theorem le_ceil (a : Fp f) : Eq (le a (ceil a)) a.isNan.not :=
  Eq.step (le a (ceil a)) (congrArg (le a) (ceil_eq a)) (
  Eq.step (le a (floor a.neg).neg) (le_neg_right a (floor a.neg)) (
  Eq.step (le (floor a.neg) a.neg) (floor_le a.neg) (
  Eq.step a.neg.isNan.not (congrArg Bool.not (isNan_neg a)) (
  Eq.done a.isNan.not))))

theorem abs_trunc_le (a : Fp f) : Eq (le (trunc a).abs a.abs) a.isNan.not :=
  Eq.step (le (trunc a).abs a.abs) (congrArg (fun x => le x a.abs) (Eq.trans (Eq.symm (trunc_abs a)) (Eq.symm (floor_abs a)))) (
  Eq.step (le (floor a.abs) a.abs) (floor_le a.abs) (
  Eq.step a.abs.isNan.not (congrArg Bool.not (isNan_abs a)) (
  Eq.done a.isNan.not)))

/-- A value that is not negative is rounded toward zero by rounding down, … -/
theorem trunc_of_nonneg : (a : Fp f) → Eq (le (zero false) a) true → Eq (trunc a) (floor a)
  | nan, h => (Bool.false_ne_true h).elim
  | num false _ _, _ => rfl
  | num true _ hg, h => at_zero (Nat.eq_zero_of_le_zero (Nat.le_of_not_lt (fun pos => Nat.not_le_of_lt (Nat.sub_lt (Nat.lt_of_lt_of_le pos hg) pos) h)))
where
  at_zero {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (g0 : Eq g 0) : Eq (trunc (num true g hg)) (floor (num true g hg)) :=
    congrArg (fun b => cond (Nat.beq g f.inf) (num true g hg) (round .rn true ((((units f g).div f.one).add (cond b 1 0)).mul f.one) 1))
      (Eq.symm (Eq.trans (Bool.true_and _) (congrArg (fun u => Nat.blt 0 (Nat.mod u f.one)) (Eq.trans (congrArg (units f) g0) units_zero))))

/-- … and one that is not positive by rounding up. -/
theorem trunc_of_nonpos (a : Fp f) (h : Eq (le a (zero false)) true) : Eq (trunc a) (ceil a) :=
  have plus : Eq (le (zero (f := f) false) a.neg) (le (zero true) a.neg) := posZero_le (zero true) a.neg
  Eq.step (trunc a) (Eq.trans (Eq.symm (neg_neg (trunc a))) (congrArg neg (Eq.symm (trunc_neg a)))) (
  Eq.step (trunc a.neg).neg (congrArg neg (trunc_of_nonneg a.neg (Eq.trans plus (Eq.trans (le_neg_neg (zero false) a) h)))) (
  Eq.step (floor a.neg).neg (Eq.symm (ceil_eq a)) (
  Eq.done (ceil a))))

/-! No finite value is rounded to an infinity, if the format has larger values than its last number with a digit after the point. -/

theorem toIntegral_finite {up : Bool → Nat → Nat → Nat → Bool} {B : Nat} (keep : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up s c 0 d) false)
    (fin : Nat.Lt B f.inf) (bound : Nat.Le ((Nat.pow 2 f.mant.succ).mul f.one) (units f B)) {s : Bool} {g : Nat} {hg : Eq (Nat.ble g f.inf) true}
    (gfin : Nat.Lt g f.inf) : Eq (toIntegral up (num s g hg)).isFinite true :=
  toIntegral_cases (C := fun x => Eq x.isFinite true) keep
    (fun k over why => Or.elim why (fun yes => Bool.not_both yes (Nat.beq_of_lt gfin))
      (fun e => absurd over (Nat.not_le_of_lt (Or.elim (Nat.lt_or_ge (units f g) ((Nat.pow 2 f.mant.succ).mul f.one))
        (fun small => Nat.lt_of_le_of_lt (le_of_units_le (f := f) (g := k) (h := B) (Nat.le_trans (Nat.le_of_eq e) (Nat.le_trans
          (Nat.mul_le_mul_left (Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one _) _)
            (Nat.div_lt_of_lt_mul (Nat.lt_of_lt_of_le small (Nat.le_of_eq (Nat.mul_comm _ f.one))))) f.one) bound))) fin)
        (fun big => have whole : Eq ((units f g).mod f.one) 0 := mod_one_of_big g big
          Nat.lt_of_le_of_lt (Nat.le_of_eq (units_inj (Eq.trans e (Eq.trans (congrArg (fun b => (((units f g).div f.one).add (cond b 1 0)).mul f.one)
            (Eq.trans (congrArg (fun r => up s ((units f g).div f.one) r f.one) whole) (keep s _ f.one one_pos)))
            (Eq.trans (Nat.mul_comm _ f.one) (Nat.div_of_mod_eq_zero whole)))))) gfin)))))
    (fun _ _ kfin _ => kfin)

theorem isFinite_toIntegral {up : Bool → Nat → Nat → Nat → Bool} {B : Nat} (keep : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up s c 0 d) false)
    (fin : Nat.Lt B f.inf) (bound : Nat.Le ((Nat.pow 2 f.mant.succ).mul f.one) (units f B)) : (a : Fp f) → Eq (toIntegral up a).isFinite a.isFinite
  | nan => rfl
  | num _ g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (congrArg isFinite (cond_of_true yes _ _)) rfl)
      (fun no => Eq.trans (toIntegral_finite keep fin bound (lt_inf_of_beq hg no)) (Eq.symm (lt_inf_of_beq hg no)))

/-- Off NaN, what is not finite is infinite. -/
theorem isInf_eq_not : (a : Fp f) → Eq a.isInf (a.isNan.or a.isFinite).not
  | nan => rfl
  | num _ g hg => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans yes (Eq.symm (Bool.not_of_false (Nat.blt_of_le (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes)))))))
      (fun no => Eq.trans no (Eq.symm (Bool.not_of_true (lt_inf_of_beq hg no))))

/-! Flushing. -/

theorem units_ge_of_whole {k m : Nat} (pos : Nat.Lt 0 k) (e : Eq (units f k) (m.mul f.one)) : Nat.Le (Nat.pow 2 f.mant) k :=
  Nat.le_of_not_lt (fun small =>
    have above : Nat.Le f.one (units f k) := Nat.le_trans (Nat.le_mul_of_pos_left (b := m) f.one (Nat.pos_of_ne_zero (fun m0 => Nat.ne_of_gt (units_pos pos)
      (Eq.trans e (Eq.trans (congrArg (fun x => Nat.mul x f.one) m0) (Nat.zero_mul f.one)))))) (Nat.le_of_eq (Eq.symm e))
    Nat.not_lt_of_le (Nat.le_trans (Nat.two_pow_le_two_pow (Nat.le_add_left f.mant ((Nat.pow 2 (f.expo.sub 1)).sub 2))) above)
      (Nat.lt_of_le_of_lt (Nat.le_of_eq (units_of_lt small)) small))

theorem ftz_toIntegral {up : Bool → Nat → Nat → Nat → Bool} (keep : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up s c 0 d) false)
    (normal : Nat.Le (Nat.pow 2 f.mant) f.inf) : (a : Fp f) → Eq (toIntegral up a).ftz (toIntegral up a)
  | nan => rfl
  | num s _ _ => toIntegral_cases (C := fun x => Eq x.ftz x) keep (fun _ _ _ => ftz_of_big normal)
      (fun k _ _ e => Or.elim (Nat.eq_zero_or_pos k)
        (fun k0 => Eq.trans (congrArg ftz (eq_zero_of_beq (Nat.beq_of_eq k0))) (Eq.trans (ftz_zero s) (Eq.symm (eq_zero_of_beq (Nat.beq_of_eq k0)))))
        (fun pos => ftz_of_big (units_ge_of_whole pos e)))

theorem toIntegral_small {up : Bool → Nat → Nat → Nat → Bool} (low : (s : Bool) → (g : Nat) → Nat.Lt g (Nat.pow 2 f.mant) → Eq (up s 0 g f.one) false)
    (normal : Nat.Le (Nat.pow 2 f.mant) f.inf) {s : Bool} {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (small : Nat.Lt g (Nat.pow 2 f.mant)) :
    Eq (toIntegral up (num s g hg)) (zero s) :=
  have below : Nat.Lt g f.one := Nat.lt_of_lt_of_le small (Nat.two_pow_le_two_pow (Nat.le_add_left f.mant ((Nat.pow 2 (f.expo.sub 1)).sub 2)))
  Eq.trans (cond_of_false (Nat.beq_of_lt (Nat.lt_of_lt_of_le small normal)) _ _) (Eq.trans (congrArg (fun p => round .rn s p 1)
    (Eq.trans (congrArg (fun u => ((Nat.div u f.one).add (cond (up s (Nat.div u f.one) (Nat.mod u f.one) f.one) 1 0)).mul f.one) (units_of_lt small))
      (Eq.trans (congrArg2 (fun c r => (Nat.add c (cond (up s c r f.one) 1 0)).mul f.one) (Nat.div_of_lt below) (Nat.mod_of_lt below))
        (Eq.trans (congrArg (fun b => (Nat.add 0 (cond b 1 0)).mul f.one) (low s g small)) (Nat.zero_mul f.one))))) (round_zero (q := 1) rfl))

/-- Where subnormal values are rounded to zero, a flush before does not count. -/
theorem toIntegral_ftz {up : Bool → Nat → Nat → Nat → Bool} (low : (s : Bool) → (g : Nat) → Nat.Lt g (Nat.pow 2 f.mant) → Eq (up s 0 g f.one) false)
    (normal : Nat.Le (Nat.pow 2 f.mant) f.inf) : (a : Fp f) → Eq (toIntegral up a.ftz) (toIntegral up a)
  | nan => rfl
  | num s g hg => ftz_cases (C := fun x => Eq (toIntegral up x) (toIntegral up (num s g hg)))
      (fun small => Eq.trans (toIntegral_small low normal (g := 0) (Nat.two_pow_pos f.mant)) (Eq.symm (toIntegral_small low normal small))) rfl

/-- To nearest, what is below half of one goes to zero. -/
theorem up_rn_low (half : Nat.Le (Nat.pow 2 f.mant.succ) f.one) (s : Bool) (g : Nat) (small : Nat.Lt g (Nat.pow 2 f.mant)) :
    Eq (Mode.rn.up s 0 g f.one) false := Bool.or_of_false (Nat.blt_of_le (Nat.le_of_lt (below half small))) (Bool.and_of_false_left (Nat.beq_of_gt
      (below half small)))
where
  below {g : Nat} (half : Nat.Le (Nat.pow 2 f.mant.succ) f.one) (small : Nat.Lt g (Nat.pow 2 f.mant)) : Nat.Lt (Nat.mul 2 g) f.one :=
    Nat.lt_of_lt_of_le (Nat.lt_of_lt_of_le (Nat.mul_lt_mul_right (c := 2) small rfl) (Nat.le_of_eq (Nat.mul_comm 2 (Nat.pow 2 f.mant)))) half

theorem up_away_low (half : Nat.Le (Nat.pow 2 f.mant.succ) f.one) (_ : Bool) (g : Nat) (small : Nat.Lt g (Nat.pow 2 f.mant)) :
    Eq (Nat.ble f.one (Nat.mul 2 g)) false := Nat.ble_of_lt (up_rn_low.below half small)

/-! Classes of values whose sign or zero changes. -/

theorem isFinite_abs : (a : Fp f) → Eq a.abs.isFinite a.isFinite
  | nan => rfl
  | num _ _ _ => rfl

theorem isInf_neg : (a : Fp f) → Eq a.neg.isInf a.isInf
  | nan => rfl
  | num _ _ _ => rfl

theorem isInf_abs : (a : Fp f) → Eq a.abs.isInf a.isInf
  | nan => rfl
  | num _ _ _ => rfl

theorem isFinite_posZero (_ : Nat.Lt 0 f.inf) : (a : Fp f) → Eq a.posZero.isFinite a.isFinite
  | nan => rfl
  | num _ g _ => Or.elim (Nat.eq_zero_or_pos g)
      (fun e => Eq.trans (congrArg isFinite (posZero_of_eq e)) (congrArg (fun x => Nat.blt x f.inf) (Eq.symm e)))
      (fun pos => congrArg isFinite (posZero_of_pos pos))

theorem isFinite_ftz (normal : Nat.Le (Nat.pow 2 f.mant) f.inf) : (a : Fp f) → Eq a.ftz.isFinite a.isFinite
  | nan => rfl
  | num s g hg => ftz_cases (C := fun x => Eq x.isFinite (num s g hg).isFinite)
      (fun small => Eq.trans (Nat.lt_of_lt_of_le (Nat.two_pow_pos f.mant) normal) (Eq.symm (Nat.lt_of_lt_of_le small normal))) rfl

end Fp

namespace F32

/-! Binary32. -/

theorem trunc_of_nonneg (a : F32) (h : Eq (Fp.le (ofBits 0x00000000) a) true) : Eq a.trunc a.floor := Fp.trunc_of_nonneg a h

theorem trunc_of_nonpos (a : F32) (h : Eq (Fp.le a (ofBits 0x00000000)) true) : Eq a.trunc a.ceil := Fp.trunc_of_nonpos a h

theorem isFinite_posZero (a : F32) : Eq a.posZero.isFinite a.isFinite := Fp.isFinite_posZero (f := Format.binary32) rfl a

theorem isInf_posZero (a : F32) : Eq a.posZero.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.posZero) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_posZero a) (isFinite_posZero a)) (Eq.symm
    (Fp.isInf_eq_not a)))

theorem isFinite_ftz (a : F32) : Eq a.ftz.isFinite a.isFinite := Fp.isFinite_ftz (f := Format.binary32) rfl a

theorem isInf_ftz (a : F32) : Eq a.ftz.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.ftz) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_ftz a) (isFinite_ftz a)) (Eq.symm (Fp.isInf_eq_not a)))

theorem isFinite_rint (a : F32) : Eq a.rint.isFinite a.isFinite :=
  Fp.isFinite_toIntegral (f := Format.binary32) (up := Mode.rn.up) (B := 0x4b800000) (Fp.up_keeps .rn) rfl rfl a

theorem isInf_rint (a : F32) : Eq a.rint.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.rint) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_rint a) (isFinite_rint a)) (Eq.symm (Fp.isInf_eq_not a)))

theorem ftz_rint (a : F32) : Eq a.rint.ftz a.rint := Fp.ftz_toIntegral (f := Format.binary32) (up := Mode.rn.up) (Fp.up_keeps .rn) rfl a

theorem rint_ftz (a : F32) : Eq (Fp.rint a.ftz) a.rint := Fp.toIntegral_ftz (f := Format.binary32) (up := Mode.rn.up) (Fp.up_rn_low rfl) rfl a

theorem isFinite_trunc (a : F32) : Eq a.trunc.isFinite a.isFinite :=
  Fp.isFinite_toIntegral (f := Format.binary32) (up := Mode.rz.up) (B := 0x4b800000) (Fp.up_keeps .rz) rfl rfl a

theorem isInf_trunc (a : F32) : Eq a.trunc.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.trunc) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_trunc a) (isFinite_trunc a)) (Eq.symm (Fp.isInf_eq_not a)))

theorem ftz_trunc (a : F32) : Eq a.trunc.ftz a.trunc := Fp.ftz_toIntegral (f := Format.binary32) (up := Mode.rz.up) (Fp.up_keeps .rz) rfl a

theorem trunc_ftz (a : F32) : Eq (Fp.trunc a.ftz) a.trunc := Fp.toIntegral_ftz (f := Format.binary32) (up := Mode.rz.up) (fun _ _ _ => rfl) rfl a

theorem isFinite_floor (a : F32) : Eq a.floor.isFinite a.isFinite :=
  Fp.isFinite_toIntegral (f := Format.binary32) (up := Mode.rm.up) (B := 0x4b800000) (Fp.up_keeps .rm) rfl rfl a

theorem isInf_floor (a : F32) : Eq a.floor.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.floor) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_floor a) (isFinite_floor a)) (Eq.symm (Fp.isInf_eq_not a)))

theorem ftz_floor (a : F32) : Eq a.floor.ftz a.floor := Fp.ftz_toIntegral (f := Format.binary32) (up := Mode.rm.up) (Fp.up_keeps .rm) rfl a

theorem isFinite_ceil (a : F32) : Eq a.ceil.isFinite a.isFinite :=
  Fp.isFinite_toIntegral (f := Format.binary32) (up := Mode.rp.up) (B := 0x4b800000) (Fp.up_keeps .rp) rfl rfl a

theorem isInf_ceil (a : F32) : Eq a.ceil.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.ceil) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_ceil a) (isFinite_ceil a)) (Eq.symm (Fp.isInf_eq_not a)))

theorem ftz_ceil (a : F32) : Eq a.ceil.ftz a.ceil := Fp.ftz_toIntegral (f := Format.binary32) (up := Mode.rp.up) (Fp.up_keeps .rp) rfl a

theorem isFinite_roundAway (a : F32) : Eq a.roundAway.isFinite a.isFinite :=
  Fp.isFinite_toIntegral (f := Format.binary32) (up := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (B := 0x4b800000) Fp.away_keeps rfl rfl a

theorem isInf_roundAway (a : F32) : Eq a.roundAway.isInf a.isInf :=
  Eq.trans (Fp.isInf_eq_not a.roundAway) (Eq.trans (congrArg2 (fun x y => (Bool.or x y).not) (Fp.isNan_roundAway a) (isFinite_roundAway a)) (Eq.symm
    (Fp.isInf_eq_not a)))

theorem ftz_roundAway (a : F32) : Eq a.roundAway.ftz a.roundAway := Fp.ftz_toIntegral (f := Format.binary32) (up :=
  fun _ _ r d => Nat.ble d (Nat.mul 2 r)) Fp.away_keeps rfl a

theorem roundAway_ftz (a : F32) : Eq (Fp.roundAway a.ftz) a.roundAway := Fp.toIntegral_ftz (f := Format.binary32) (up :=
  fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (Fp.up_away_low rfl) rfl a

end F32
