prelude
import FloatLib.Lemmas.AbsArith
import FloatLib.Lemmas.Near
import FloatLib.Lemmas.Scaling
/-!
# Exact results are returned exactly

Each operation on finite values whose exact result is worth a finite pattern gives that pattern, in every mode. Products with powers of two
and differences of close values (Sterbenz) are of this kind.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}
variable {s t : Bool} {g h k : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} {hk : Eq (Nat.ble k f.inf) true}

/-! Sums of one sign, differences of magnitudes, products, quotients, fused products. -/

theorem add_exact (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf) (e : Eq ((units f g).add (units f h)) (units f k)) :
    Eq (add mode (num s g hg) (num s h hh)) (num s k hk) :=
  Eq.trans (cond_of_false (Nat.beq_of_lt gfin) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt hfin) _ _)
    (Eq.trans (cond_of_true (Bool.beq_self s) _ _) (Eq.trans (congrArg (fun p => round mode s p 1) e) (round_units kfin))))

theorem sub_exact (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf) (less : Nat.Lt h g)
    (e : Eq ((units f g).sub (units f h)) (units f k)) : Eq (sub mode (num s g hg) (num s h hh)) (num s k hk) :=
  Eq.trans (cond_of_false (Nat.beq_of_lt gfin) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt hfin) _ _)
    (Eq.trans (cond_of_false (differ s) _ _) (Eq.trans (cond_of_false (Nat.beq_of_gt (units_lt less)) _ _)
      (Eq.trans (cond_of_true (units_lt less) _ _) (Eq.trans (congrArg (fun p => round mode s p 1) e) (round_units kfin))))))
where
  differ : (s : Bool) → Eq (Bool.beq s s.not) false
    | true => rfl
    | false => rfl

theorem mul_exact (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf) (e : Eq ((units f g).mul (units f h)) ((units f k).mul f.one)) :
    Eq (mul mode (num s g hg) (num t h hh)) (num (s.xor t) k hk) := Eq.trans (mul_finite gfin hfin) (round_exact one_pos kfin e)

theorem div_exact (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (hpos : Nat.Lt 0 h) (kfin : Nat.Lt k f.inf)
    (e : Eq ((units f g).mul f.one) ((units f k).mul (units f h))) : Eq (div mode (num s g hg) (num t h hh)) (num (s.xor t) k hk) :=
  Eq.trans (cond_of_false (Nat.beq_of_lt gfin) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt hfin) _ _)
    (Eq.trans (cond_of_false (Nat.beq_of_gt hpos) _ _) (round_exact (units_pos hpos) kfin e)))

/-- A fused product whose product is exact is the sum. -/
theorem fma_of_exact_mul (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf)
    (e : Eq ((units f g).mul (units f h)) ((units f k).mul f.one)) : (c : Fp f) →
    Eq (fma mode (num s g hg) (num t h hh) c) (add mode (num (s.xor t) k hk) c)
  | nan => rfl
  | num r m hm => Eq.trans (cond_of_false (Bool.or_of_false (Nat.beq_of_lt gfin) (Nat.beq_of_lt hfin)) _ _)
      (Eq.trans (congrArg (cond (Nat.beq m f.inf) (num r m hm)) (Eq.trans
        (congrArg2 (fun p q => roundSum mode (s.xor t) p r ((units f m).mul f.one) q) e (Eq.symm (Nat.one_mul f.one)))
        (roundSum_mul_right one_pos (s.xor t) (units f k) r (units f m) 1))) (Eq.symm (cond_of_false (Nat.beq_of_lt kfin) _ _)))

/-! Powers of two. -/

/-- Times `2 ^ j`: the result is the pattern worth that much, which exists (`exists_units_two_pow`) and may be too large. -/
theorem mul_two_pow {j : Nat} (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf) (pow : Eq (units f h) ((Nat.pow 2 j).mul f.one))
    (e : Eq (units f k) ((units f g).mul (Nat.pow 2 j))) : Eq (mul mode (num s g hg) (num t h hh)) (num (s.xor t) k hk) :=
  mul_exact gfin hfin kfin (Eq.trans (congrArg (Nat.mul (units f g)) pow)
    (Eq.trans (Eq.symm (Nat.mul_assoc _ _ f.one)) (congrArg (fun x => Nat.mul x f.one) (Eq.symm e))))

/-- Times `2 ^ -j`: exact where nothing is lost below a unit. -/
theorem mul_two_pow_neg {j : Nat} (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (kfin : Nat.Lt k f.inf) (pow : Eq ((units f h).mul (Nat.pow 2 j)) f.one)
    (e : Eq (units f g) ((units f k).mul (Nat.pow 2 j))) : Eq (mul mode (num s g hg) (num t h hh)) (num (s.xor t) k hk) :=
  mul_exact gfin hfin kfin (Eq.trans (congrArg (fun x => Nat.mul x (units f h)) e) (Eq.trans (Nat.mul_assoc _ _ _)
    (congrArg (Nat.mul (units f k)) (Eq.trans (Nat.mul_comm _ _) pow))))

/-- Times `2 ^ j` and back, without overflow between. -/
theorem mul_two_pow_cancel {r : Bool} {j m : Nat} {hm : Eq (Nat.ble m f.inf) true} (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (mfin : Nat.Lt m f.inf)
    (kfin : Nat.Lt k f.inf) (up : Eq (units f h) ((Nat.pow 2 j).mul f.one)) (down : Eq ((units f m).mul (Nat.pow 2 j)) f.one)
    (e : Eq (units f k) ((units f g).mul (Nat.pow 2 j))) :
    Eq (mul mode (mul mode (num s g hg) (num t h hh)) (num r m hm)) (num ((s.xor t).xor r) g hg) :=
  Eq.trans (congrArg (fun x => mul mode x (num r m hm)) (mul_two_pow (hk := Nat.le_of_lt kfin) gfin hfin kfin up e))
    (mul_two_pow_neg kfin mfin gfin down e)

/-- A doubling that does not overflow is exact, so a fused one is a doubling and a sum. -/
theorem fma_two {two : Nat} {h2 : Eq (Nat.ble two f.inf) true} (isTwo : Eq (units f two) (Nat.mul 2 f.one)) (twofin : Nat.Lt two f.inf) :
    (a c : Fp f) → Eq (mul .rn a (num false two h2)).isFinite true → Eq (fma .rn a (num false two h2) c) (add .rn (mul .rn a (num false two h2)) c)
  | nan, _, fin => (Bool.false_ne_true fin).elim
  | num _ g hg, c, fin => Bool.byCases (Nat.beq g f.inf)
      (fun yes => Bool.not_both fin (Eq.trans (congrArg isFinite (mul_rows_inf (valid := hg) yes
        (pos_of_units isTwo (Nat.mul_pos (a := 2) rfl one_pos)) twofin)) (Nat.blt_of_le (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))))
      (fun no => have gfin : Nat.Lt g f.inf := lt_inf_of_beq hg no
        Exists.elim (exists_units_double (f := f) g) (fun k e =>
          have product : Eq ((units f g).mul (units f two)) ((units f k).mul f.one) := Eq.trans (congrArg (Nat.mul (units f g)) isTwo)
            (Eq.trans (Eq.symm (Nat.mul_assoc _ 2 f.one)) (congrArg (fun x => Nat.mul x f.one) (Eq.symm e)))
          have kfin : Nat.Lt k f.inf := Nat.lt_of_not_le (fun over => Bool.not_both fin (Eq.trans (congrArg isFinite (mul_finite gfin twofin))
            (Nat.blt_of_le (Nat.le_of_eq (Eq.symm (roundMag_rn_inf one_pos
              (Nat.le_trans (Nat.mul_le_mul_left (units_le over) f.one) (Nat.le_of_eq (Eq.symm product)))))))))
          Eq.trans (fma_of_exact_mul (hk := Nat.le_of_lt kfin) gfin twofin kfin product c)
            (congrArg (fun x => add .rn x c) (Eq.symm (mul_exact gfin twofin kfin product)))))

/-! Differences of close values. -/

/-- Less than two full significands of any step is worth a pattern. -/
theorem exists_units {c : Nat} (small : Nat.Lt c (Nat.pow 2 f.mant.succ)) (e : Nat) : Exists (fun k => Eq (units f k) (c.mul (Nat.pow 2 e))) :=
  Exists.elim (exists_units_two_pow (f := f) c e) (fun k w => Exists.intro k (Eq.trans w (congrArg (fun u => Nat.mul u (Nat.pow 2 e))
    (units_of_lt_succ small))))

/-- A pattern is worth less than two full significands of its step. -/
theorem units_form (f : Format) (g : Nat) : Exists (fun c => And (Nat.Lt c (Nat.pow 2 f.mant.succ))
    (Eq (units f g) (c.mul (Nat.pow 2 ((g.div (Nat.pow 2 f.mant)).sub 1))))) :=
  Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
    (fun low => Exists.intro g (.intro (Nat.lt_trans low (Nat.two_pow_lt_succ f.mant)) (Eq.trans (units_of_lt low)
      (Eq.symm (Eq.trans (congrArg (fun d => g.mul (Nat.pow 2 (Nat.sub d 1))) (Nat.div_of_lt low)) (Nat.mul_one g))))))
    (fun high => Exists.intro _ (.intro (Nat.lt_of_lt_of_le (Nat.add_lt_add_left (Nat.mod_lt (Nat.two_pow_pos f.mant) g) (Nat.pow 2 f.mant))
      (Nat.le_of_eq (Eq.symm (Nat.two_pow_succ f.mant)))) (units_of_ge high)))

/-- If one worth is between another and its double, their difference is worth a pattern. -/
theorem exists_units_sub {g h : Nat} (below : Nat.Le h g) (close : Nat.Le (units f g) (Nat.mul 2 (units f h))) :
    Exists (fun k => Eq (units f k) ((units f g).sub (units f h))) :=
  Exists.elim (units_form f g) (fun c hc => Exists.elim (units_form f h) (fun _ hd =>
    have exponents : Nat.Le ((h.div (Nat.pow 2 f.mant)).sub 1) ((g.div (Nat.pow 2 f.mant)).sub 1) :=
      Nat.sub_le_sub_right (Nat.div_le_div below (Nat.pow 2 f.mant)) 1
    step (f := f) (Nat.two_pow_pos _) (Eq.trans hc.right (Eq.trans (congrArg (Nat.mul c) (Eq.symm (Nat.two_pow_sub_mul exponents)))
      (Eq.symm (Nat.mul_assoc c _ _)))) hd.right hd.left close))
where
  step {f : Format} {u v c d e : Nat} (pos : Nat.Lt 0 (Nat.pow 2 e)) (hu : Eq u (c.mul (Nat.pow 2 e))) (hv : Eq v (d.mul (Nat.pow 2 e)))
      (small : Nat.Lt d (Nat.pow 2 f.mant.succ)) (close : Nat.Le u (Nat.mul 2 v)) : Exists (fun k => Eq (units f k) (u.sub v)) :=
    have rest : Eq (u.sub v) ((c.sub d).mul (Nat.pow 2 e)) := Eq.trans (congrArg2 Nat.sub hu hv) (Eq.symm (Nat.sub_mul c d (Nat.pow 2 e)))
    have less : Nat.Le (c.sub d) d := Nat.le_of_mul_le_mul_left (c := Nat.pow 2 e) (Nat.le_trans (Nat.le_of_eq (Eq.symm rest))
      (Nat.le_trans (Nat.sub_le_of_le_add (Nat.le_trans close (Nat.le_of_eq (Nat.two_mul v)))) (Nat.le_of_eq hv))) pos
    Exists.elim (exists_units (f := f) (Nat.lt_of_le_of_lt less small) e) (fun k w => Exists.intro k (Eq.trans w (Eq.symm rest)))

/-- Sterbenz: the difference of two values of one sign, of which the first is larger and at most twice the second, is exact. -/
theorem sterbenz (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (less : Nat.Lt h g) (close : Nat.Le (units f g) (Nat.mul 2 (units f h))) :
    Exists (fun k => And (Eq (units f k) ((units f g).sub (units f h)))
      ((hk : Eq (Nat.ble k f.inf) true) → Eq (sub mode (num s g hg) (num s h hh)) (num s k hk))) :=
  Exists.elim (exists_units_sub (Nat.le_of_lt less) close) (fun k e => Exists.intro k (.intro e (fun _ =>
    sub_exact gfin hfin (Nat.lt_of_le_of_lt (le_of_units_le (Nat.le_trans (Nat.le_of_eq e) (Nat.sub_le _ _))) gfin) less (Eq.symm e))))

/-- The same when the second is larger: the sign turns. -/
theorem sterbenz_neg (gfin : Nat.Lt g f.inf) (hfin : Nat.Lt h f.inf) (less : Nat.Lt g h) (close : Nat.Le (units f h) (Nat.mul 2 (units f g))) :
    Exists (fun k => And (Eq (units f k) ((units f h).sub (units f g)))
      ((hk : Eq (Nat.ble k f.inf) true) → Eq (sub mode (num s g hg) (num s h hh)) (num s.not k hk))) :=
  Exists.elim (exists_units_sub (Nat.le_of_lt less) close) (fun k e => Exists.intro k (.intro e (fun _ =>
    have kfin : Nat.Lt k f.inf := Nat.lt_of_le_of_lt (le_of_units_le (Nat.le_trans (Nat.le_of_eq e) (Nat.sub_le _ _))) hfin
    Eq.trans (cond_of_false (Nat.beq_of_lt gfin) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt hfin) _ _)
      (Eq.trans (cond_of_false (differ s) _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt (units_lt less)) _ _)
        (Eq.trans (cond_of_false (Nat.blt_of_le (Nat.le_of_lt (units_lt less))) _ _)
          (Eq.trans (congrArg (fun p => round mode s.not p 1) (Eq.symm e)) (round_units kfin)))))))))
where
  differ : (s : Bool) → Eq (Bool.beq s s.not) false
    | true => rfl
    | false => rfl

end Fp

namespace F32

theorem fma_two (a c : F32) (h : Eq (Fp.mul .rn a (ofBits 0x40000000)).isFinite true) :
    Eq (Fp.fma .rn a (ofBits 0x40000000) c) (Fp.add .rn (Fp.mul .rn a (ofBits 0x40000000)) c) :=
  Fp.fma_two (f := Format.binary32) (two := 0x40000000) (h2 := rfl) rfl rfl a c h

end F32
