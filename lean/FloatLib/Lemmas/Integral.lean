prelude
import FloatLib.Op.Integral
import FloatLib.Lemmas.Compare
import FloatLib.Lemmas.Exact
import FloatLib.Lemmas.Sign
/-!
# Rounding to an integral value

The result is a whole number, so rounding it to a whole number again, in any way, changes nothing (`toIntegral_toIntegral`). Ways that do
not see the sign commute with it; downward and upward change places.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-! Signs. -/

/-- The opposite of a value rounded one way is the opposite value rounded the other way. -/
theorem toIntegral_neg {up up' : Bool → Nat → Nat → Nat → Bool} (turn : (s : Bool) → (c r d : Nat) → Eq (up s.not c r d) (up' s c r d)) :
    (a : Fp f) → Eq (toIntegral up a.neg) (toIntegral up' a).neg
  | nan => rfl
  | num s g h => Eq.symm (Eq.trans (neg_cond _ _ _) (congrArg (cond (Nat.beq g f.inf) (num s.not g h)) (Eq.trans (neg_round s _ 1)
      (congrArg (fun b => round .rn s.not ((((units f g).div f.one).add (cond b 1 0)).mul f.one) 1) (Eq.symm (turn s _ _ _))))))

theorem toIntegral_abs {up : Bool → Nat → Nat → Nat → Bool} (blind : (s : Bool) → (c r d : Nat) → Eq (up false c r d) (up s c r d)) :
    (a : Fp f) → Eq (toIntegral up a.abs) (toIntegral up a).abs
  | nan => rfl
  | num s g h => Eq.symm (Eq.trans (apply_cond abs _ _ _) (congrArg (cond (Nat.beq g f.inf) (num false g h)) (Eq.trans
      (num_congr (s' := false) rfl (roundMag_rn s false _ 1))
      (congrArg (fun b => round .rn false ((((units f g).div f.one).add (cond b 1 0)).mul f.one) 1) (Eq.symm (blind s _ _ _))))))

theorem rint_neg (a : Fp f) : Eq (rint a.neg) (rint a).neg := toIntegral_neg (fun _ _ _ _ => rfl) a

theorem trunc_neg (a : Fp f) : Eq (trunc a.neg) (trunc a).neg := toIntegral_neg (fun _ _ _ _ => rfl) a

theorem roundAway_neg (a : Fp f) : Eq (roundAway a.neg) (roundAway a).neg := toIntegral_neg (fun _ _ _ _ => rfl) a

theorem floor_neg (a : Fp f) : Eq (floor a.neg) (ceil a).neg := toIntegral_neg (fun _ _ _ _ => rfl) a

theorem ceil_neg (a : Fp f) : Eq (ceil a.neg) (floor a).neg :=
  toIntegral_neg (up := Mode.rp.up) (up' := Mode.rm.up) (fun s _ r _ => congrArg (fun b => Bool.and b (Nat.blt 0 r)) (Bool.not_not s)) a

theorem rint_abs (a : Fp f) : Eq (rint a.abs) (rint a).abs := toIntegral_abs (up := Mode.rn.up) (fun _ _ _ _ => rfl) a

theorem trunc_abs (a : Fp f) : Eq (trunc a.abs) (trunc a).abs := toIntegral_abs (up := Mode.rz.up) (fun _ _ _ _ => rfl) a

theorem roundAway_abs (a : Fp f) : Eq (roundAway a.abs) (roundAway a).abs := toIntegral_abs (up :=
  fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (fun _ _ _ _ => rfl) a

theorem floor_abs : (a : Fp f) → Eq (floor a.abs) (trunc a.abs)
  | nan => rfl
  | num _ _ _ => rfl

/-! The result is worth a whole number. -/

/-- `m` times 1 is worth a pattern, if `m` has no more digits than a significand, or is the number after those. -/
theorem exists_units_whole {m : Nat} (high : Nat.Le m (Nat.pow 2 f.mant.succ)) : Exists (fun k => Eq (units f k) (m.mul f.one)) :=
  Or.elim (Nat.lt_or_eq_of_le high) (fun less => exists_units less _)
    (fun same => Exists.elim (exists_units (f := f) (c := Nat.pow 2 f.mant) (Nat.two_pow_lt_succ f.mant)
        (((Nat.pow 2 (f.expo.sub 1)).sub 2).add f.mant).succ) (fun k e => Exists.intro k
      (Eq.step (units f k) e (
      Eq.step ((Nat.pow 2 f.mant).mul (f.one.mul 2)) (congrArg (Nat.mul (Nat.pow 2 f.mant)) (Nat.mul_comm f.one 2)) (
      Eq.step ((Nat.pow 2 f.mant).mul (Nat.mul 2 f.one)) (Eq.symm (Nat.mul_assoc _ 2 f.one)) (
      Eq.step ((Nat.pow 2 f.mant.succ).mul f.one) (congrArg (fun x => Nat.mul x f.one) (Eq.symm same)) (
      Eq.done (m.mul f.one))))))))

/-- A worth of more than a significand's digits in whole numbers has nothing after the point. -/
theorem mod_one_of_big (g : Nat) (big : Nat.Le ((Nat.pow 2 f.mant.succ).mul f.one) (units f g)) : Eq ((units f g).mod f.one) 0 :=
  Exists.elim (units_form f g) (fun c hc =>
    have above : Nat.Le (((Nat.pow 2 (f.expo.sub 1)).sub 2).add f.mant) ((g.div (Nat.pow 2 f.mant)).sub 1) := Nat.le_of_not_lt (fun less =>
      Nat.not_lt_of_le big (Nat.lt_of_le_of_lt (Nat.le_of_eq hc.right) (Nat.lt_of_le_of_lt
        (Nat.mul_le_mul_right c (Nat.two_pow_le_two_pow (Nat.le_of_lt less))) (Nat.mul_lt_mul_left hc.left one_pos))))
    Eq.step ((units f g).mod f.one) (congrArg (fun u => Nat.mod u f.one) (Eq.trans hc.right (Eq.trans
      (congrArg (Nat.mul c) (Eq.symm (Nat.two_pow_sub_mul above))) (Eq.trans (Eq.symm (Nat.mul_assoc c _ f.one)) (Nat.mul_comm _ f.one))))) (
    Nat.mod_mul_self f.one _))

/-- A worth rounded to a whole number in a way that leaves whole numbers alone is the worth of a pattern. -/
theorem exists_units_toIntegral {up : Nat → Nat → Nat → Bool} (keep : (c d : Nat) → Nat.Lt 0 d → Eq (up c 0 d) false) (g : Nat) :
    Exists (fun k => Eq (units f k) ((((units f g).div f.one).add (cond (up ((units f g).div f.one) ((units f g).mod f.one) f.one) 1 0)).mul f.one)) :=
  Or.elim (Nat.lt_or_ge (units f g) ((Nat.pow 2 f.mant.succ).mul f.one))
    (fun small => exists_units_whole (Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one _) _)
      (Nat.div_lt_of_lt_mul (Nat.lt_of_lt_of_le small (Nat.le_of_eq (Nat.mul_comm _ f.one))))))
    (fun big => have whole : Eq ((units f g).mod f.one) 0 := mod_one_of_big g big
      Exists.intro g (Eq.symm (Eq.trans (congrArg (fun b => (((units f g).div f.one).add (cond b 1 0)).mul f.one)
        (Eq.trans (congrArg (fun r => up ((units f g).div f.one) r f.one) whole) (keep _ f.one one_pos)))
        (Eq.trans (Nat.mul_comm _ f.one) (Nat.div_of_mod_eq_zero whole)))))

/-- A value worth a whole number stays. -/
theorem toIntegral_whole {up : Bool → Nat → Nat → Nat → Bool} (keep : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up s c 0 d) false) {s : Bool} {k m : Nat}
    {hk : Eq (Nat.ble k f.inf) true} (e : Eq (units f k) (m.mul f.one)) : Eq (toIntegral up (num s k hk)) (num s k hk) :=
  Bool.byCases (Nat.beq k f.inf) (fun yes => cond_of_true yes _ _)
    (fun no => have whole : Eq ((units f k).mod f.one) 0 :=
        Eq.trans (congrArg (fun u => Nat.mod u f.one) (Eq.trans e (Nat.mul_comm m f.one))) (Nat.mod_mul_self f.one m)
      Eq.trans (cond_of_false no _ _) (Eq.trans (congrArg (fun p => round .rn s p 1)
        (Eq.trans (congrArg (fun b => (((units f k).div f.one).add (cond b 1 0)).mul f.one)
          (Eq.trans (congrArg (fun r => up s ((units f k).div f.one) r f.one) whole) (keep s _ f.one one_pos)))
          (Eq.trans (Nat.mul_comm _ f.one) (Nat.div_of_mod_eq_zero whole)))) (round_units (lt_inf_of_beq hk no))))

/-- What holds of infinities and of values worth whole numbers holds of a value rounded to a whole number. -/
theorem toIntegral_cases {C : Fp f → Prop} {up : Bool → Nat → Nat → Nat → Bool} (keep : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up s c 0 d) false)
    {s : Bool} {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (infinite : (k : Nat) → Nat.Le f.inf k → Or (Eq (Nat.beq g f.inf) true)
      (Eq (units f k) ((((units f g).div f.one).add (cond (up s ((units f g).div f.one) ((units f g).mod f.one) f.one) 1 0)).mul f.one)) → C (inf s))
    (whole : (k : Nat) → (hk : Eq (Nat.ble k f.inf) true) → Nat.Lt k f.inf →
      Eq (units f k) ((((units f g).div f.one).add (cond (up s ((units f g).div f.one) ((units f g).mod f.one) f.one) 1 0)).mul f.one) → C (num s k hk)) :
    C (toIntegral up (num s g hg)) :=
  Bool.byCases (Nat.beq g f.inf)
    (fun yes => Eq.subst (motive := C) (Eq.symm (Eq.trans (cond_of_true yes _ _) (eq_inf_of_beq yes)))
      (infinite f.inf (Nat.le_refl f.inf) (.inl yes)))
    (fun no => Eq.subst (motive := C) (Eq.symm (cond_of_false no (num s g hg) _)) (Exists.elim (exists_units_toIntegral (f := f) (keep s) g) (fun k e =>
      Or.elim (Nat.lt_or_ge k f.inf)
        (fun kfin => Eq.subst (motive := C) (Eq.trans (Eq.symm (round_units kfin)) (congrArg (fun p => round .rn s p 1) e))
          (whole k (Nat.le_of_lt kfin) kfin e))
        (fun over => Eq.subst (motive := C) (num_congr rfl (Eq.symm (roundMag_rn_inf (q := 1) rfl (Nat.le_trans (Nat.le_of_eq (Nat.mul_one _))
          (Nat.le_trans (units_le over) (Nat.le_of_eq e)))))) (infinite k over (.inr e))))))

theorem toIntegral_toIntegral {up up' : Bool → Nat → Nat → Nat → Bool} (keep : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up s c 0 d) false)
    (keep' : (s : Bool) → (c d : Nat) → Nat.Lt 0 d → Eq (up' s c 0 d) false) : (a : Fp f) → Eq (toIntegral up' (toIntegral up a)) (toIntegral up a)
  | nan => rfl
  | num _ _ _ => toIntegral_cases (C := fun x => Eq (toIntegral up' x) x) keep (fun _ _ _ => cond_of_true (Nat.beq_self f.inf) _ _)
      (fun _ _ _ e => toIntegral_whole keep' e)

theorem up_keeps (mode : Mode) (s : Bool) (c d : Nat) (pos : Nat.Lt 0 d) : Eq (mode.up s c 0 d) false := Mode.up_zero pos s c mode

theorem away_keeps (_ : Bool) (_ d : Nat) (pos : Nat.Lt 0 d) : Eq (Nat.ble d (Nat.mul 2 0)) false := Nat.ble_of_lt pos

/-! A whole number stays, whichever way it is rounded. -/

theorem rint_rint (a : Fp f) : Eq (rint (rint a)) (rint a) := toIntegral_toIntegral (up_keeps .rn) (up_keeps .rn) a

theorem rint_trunc (a : Fp f) : Eq (rint (trunc a)) (trunc a) := toIntegral_toIntegral (up_keeps .rz) (up_keeps .rn) a

theorem rint_floor (a : Fp f) : Eq (rint (floor a)) (floor a) := toIntegral_toIntegral (up_keeps .rm) (up_keeps .rn) a

theorem rint_ceil (a : Fp f) : Eq (rint (ceil a)) (ceil a) := toIntegral_toIntegral (up_keeps .rp) (up_keeps .rn) a

theorem rint_roundAway (a : Fp f) : Eq (rint (roundAway a)) (roundAway a) :=
  toIntegral_toIntegral (up := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) away_keeps (up_keeps .rn) a

theorem trunc_rint (a : Fp f) : Eq (trunc (rint a)) (rint a) := toIntegral_toIntegral (up_keeps .rn) (up_keeps .rz) a

theorem trunc_trunc (a : Fp f) : Eq (trunc (trunc a)) (trunc a) := toIntegral_toIntegral (up_keeps .rz) (up_keeps .rz) a

theorem trunc_floor (a : Fp f) : Eq (trunc (floor a)) (floor a) := toIntegral_toIntegral (up_keeps .rm) (up_keeps .rz) a

theorem trunc_ceil (a : Fp f) : Eq (trunc (ceil a)) (ceil a) := toIntegral_toIntegral (up_keeps .rp) (up_keeps .rz) a

theorem trunc_roundAway (a : Fp f) : Eq (trunc (roundAway a)) (roundAway a) :=
  toIntegral_toIntegral (up := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) away_keeps (up_keeps .rz) a

theorem floor_rint (a : Fp f) : Eq (floor (rint a)) (rint a) := toIntegral_toIntegral (up_keeps .rn) (up_keeps .rm) a

theorem floor_trunc (a : Fp f) : Eq (floor (trunc a)) (trunc a) := toIntegral_toIntegral (up_keeps .rz) (up_keeps .rm) a

theorem floor_floor (a : Fp f) : Eq (floor (floor a)) (floor a) := toIntegral_toIntegral (up_keeps .rm) (up_keeps .rm) a

theorem floor_ceil (a : Fp f) : Eq (floor (ceil a)) (ceil a) := toIntegral_toIntegral (up_keeps .rp) (up_keeps .rm) a

theorem floor_roundAway (a : Fp f) : Eq (floor (roundAway a)) (roundAway a) :=
  toIntegral_toIntegral (up := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) away_keeps (up_keeps .rm) a

theorem ceil_rint (a : Fp f) : Eq (ceil (rint a)) (rint a) := toIntegral_toIntegral (up_keeps .rn) (up_keeps .rp) a

theorem ceil_trunc (a : Fp f) : Eq (ceil (trunc a)) (trunc a) := toIntegral_toIntegral (up_keeps .rz) (up_keeps .rp) a

theorem ceil_floor (a : Fp f) : Eq (ceil (floor a)) (floor a) := toIntegral_toIntegral (up_keeps .rm) (up_keeps .rp) a

theorem ceil_ceil (a : Fp f) : Eq (ceil (ceil a)) (ceil a) := toIntegral_toIntegral (up_keeps .rp) (up_keeps .rp) a

theorem ceil_roundAway (a : Fp f) : Eq (ceil (roundAway a)) (roundAway a) :=
  toIntegral_toIntegral (up := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) away_keeps (up_keeps .rp) a

theorem roundAway_rint (a : Fp f) : Eq (roundAway (rint a)) (rint a) :=
  toIntegral_toIntegral (up' := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (up_keeps .rn) away_keeps a

theorem roundAway_trunc (a : Fp f) : Eq (roundAway (trunc a)) (trunc a) :=
  toIntegral_toIntegral (up' := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (up_keeps .rz) away_keeps a

theorem roundAway_floor (a : Fp f) : Eq (roundAway (floor a)) (floor a) :=
  toIntegral_toIntegral (up' := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (up_keeps .rm) away_keeps a

theorem roundAway_ceil (a : Fp f) : Eq (roundAway (ceil a)) (ceil a) :=
  toIntegral_toIntegral (up' := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (up_keeps .rp) away_keeps a

theorem roundAway_roundAway (a : Fp f) : Eq (roundAway (roundAway a)) (roundAway a) :=
  toIntegral_toIntegral (up := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) (up' := fun _ _ r d => Nat.ble d (Nat.mul 2 r)) away_keeps away_keeps a

end Fp
