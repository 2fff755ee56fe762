prelude
import FloatLib.Lemmas.AbsArith
import FloatLib.Lemmas.Flush
import FloatLib.Lemmas.Fused
/-!
# A summand of ordinary size hides a flush

Nothing as small as the smallest normal number changes it (`add_absorb`), so the other summand may be flushed (`add_ftz`). And what
differs from it does so by at least the smallest normal number, so the sum is never subnormal (`ftz_add`). A product with zero does not
see a flush either (`mul_ftz_zero`).
-/

noncomputable section
namespace Fp

variable {f : Format}

theorem Tame.normal {k : Nat} (t : Tame f k) : Nat.Lt (Nat.pow 2 f.mant) k :=
  lt_of_units_lt (f := f) (Nat.lt_of_le_of_lt (Nat.le_of_eq (units_of_lt_succ (Nat.two_pow_lt_succ f.mant))) t.big)

theorem add_absorb {s r : Bool} {g k : Nat} {hg : Eq (Nat.ble g f.inf) true} {hk : Eq (Nat.ble k f.inf) true} (t : Tame f k)
    (low : Nat.Le g (Nat.pow 2 f.mant)) : Eq (add .rn (num s g hg) (num r k hk)) (num r k hk) :=
  Eq.trans (cond_of_false (Nat.beq_of_lt (Nat.lt_of_le_of_lt low (Nat.lt_trans t.normal t.fin))) _ _)
    (Eq.trans (cond_of_false (Nat.beq_of_lt t.fin) _ _)
      (Eq.trans (congrArg (fun x => roundSum .rn s (units f g) r x 1) (Eq.symm (Nat.mul_one (units f k))))
        (roundSum_absorb (hk := hk) t rfl (Nat.le_trans (units_le low)
          (Nat.le_of_eq (Eq.trans (units_of_lt_succ (Nat.two_pow_lt_succ f.mant)) (Eq.symm (Nat.mul_one _))))))))

/-- A summand of ordinary size does not see whether the other one was flushed. -/
theorem add_ftz : (a c : Fp f) → Eq c.isTame true → Eq (add .rn a.ftz c) (add .rn a c)
  | nan, _, _ => rfl
  | num _ _ _, nan, t => (Bool.false_ne_true t).elim
  | num s g _, num r k hk, tame =>
    have t : Tame f k := tame_of_isTame tame
    Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
      (fun low => Eq.trans (congrArg (fun x => add .rn x (num r k hk)) (ftz_of_small low))
        (Eq.trans (add_absorb (s := s) (g := 0) (hg := rfl) t (Nat.zero_le _)) (Eq.symm (add_absorb t (Nat.le_of_lt low)))))
      (fun high => congrArg (fun x => add .rn x (num r k hk)) (ftz_of_big high))

theorem add_neg_ftz (a c : Fp f) (h : Eq c.isTame true) : Eq (add .rn a.ftz.neg c) (add .rn a.neg c) :=
  Eq.trans (congrArg (fun x => add .rn x c) (Eq.symm (ftz_neg a))) (add_ftz a.neg c h)

theorem add_abs_ftz (a c : Fp f) (h : Eq c.isTame true) : Eq (add .rn a.ftz.abs c) (add .rn a.abs c) :=
  Eq.trans (congrArg (fun x => add .rn x c) (Eq.symm (ftz_abs a))) (add_ftz a.abs c h)

/-- The product of a value at most as large as the smallest normal number and a factor of at most 1 is no larger. -/
theorem add_mul_absorb {s t r : Bool} {g h k : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} {hk : Eq (Nat.ble k f.inf) true}
    (tame : Tame f k) (fin : Nat.Lt h f.inf) (small : Nat.Le (units f h) f.one) (low : Nat.Le g (Nat.pow 2 f.mant)) :
    Eq (add .rn (mul .rn (num s g hg) (num t h hh)) (num r k hk)) (num r k hk) :=
  have least : Nat.Lt (Nat.pow 2 f.mant) f.inf := Nat.lt_trans tame.normal tame.fin
  Eq.trans (congrArg (fun x => add .rn x (num r k hk)) (mul_finite (Nat.lt_of_le_of_lt low least) fin))
    (add_absorb tame (roundMag_le_of_le_units one_pos least (Nat.mul_le_mul (units_le low) small)))

/-- Nor does it see whether the other factor of a product with such a factor was flushed. -/
theorem add_mul_ftz : (a b c : Fp f) → Eq b.isPart true → Eq c.isTame true → Eq (add .rn (mul .rn a.ftz b) c) (add .rn (mul .rn a b) c)
  | nan, _, _, _, _ => rfl
  | num _ _ _, nan, _, part, _ => (Bool.false_ne_true part).elim
  | num _ _ _, num _ _ _, nan, _, t => (Bool.false_ne_true t).elim
  | num s g _, num t h hh, num r k hk, part, tame =>
    have ordinary : Tame f k := tame_of_isTame tame
    have fin : Nat.Lt h f.inf := Bool.and_eq_true_left part
    have small : Nat.Le (units f h) f.one := Bool.and_eq_true_right part
    Or.elim (Nat.lt_or_ge g (Nat.pow 2 f.mant))
      (fun low => Eq.trans (congrArg (fun x => add .rn (mul .rn x (num t h hh)) (num r k hk)) (ftz_of_small low))
        (Eq.trans (add_mul_absorb (s := s) (g := 0) (hg := rfl) ordinary fin small (Nat.zero_le _))
          (Eq.symm (add_mul_absorb ordinary fin small (Nat.le_of_lt low)))))
      (fun high => congrArg (fun x => add .rn (mul .rn x (num t h hh)) (num r k hk)) (ftz_of_big high))

/-- What is more than such a number's worth is so by at least the smallest normal number. -/
theorem Tame.above {g k : Nat} (t : Tame f k) (gfin : Nat.Lt g f.inf) (more : Nat.Lt (units f k) (units f g)) :
    Nat.Le (Nat.pow 2 f.mant) ((units f g).sub (units f k)) :=
  Nat.le_of_not_lt (fun close => Nat.not_lt_of_le
    (units_le (Nat.le_trans (Nat.le_of_eq (Eq.symm (roundMag_units_of_lt (mode := .rn) (neg := false) gfin)))
      (Nat.le_trans
        (roundMag_le (f := f) (mode := .rn) (neg := false) (q := 1) (q' := 1) rfl rfl (Nat.mul_le_mul_left (Nat.le_trans
          (Nat.le_of_eq (Eq.symm (Eq.trans (Nat.add_comm _ _) (Nat.sub_add_cancel (Nat.le_of_lt more)))))
          (Nat.add_le_add_left (Nat.le_of_lt close) (units f k))) 1))
        (Nat.le_of_eq t.up))))
    more)

/-- And what is less is so by as much. -/
theorem Tame.below {g k : Nat} (t : Tame f k) (less : Nat.Lt (units f g) (units f k)) :
    Nat.Le (Nat.pow 2 f.mant) ((units f k).sub (units f g)) :=
  Nat.le_of_not_lt (fun close => Nat.not_lt_of_le
    (units_le (Nat.le_trans (Nat.le_of_eq (Eq.symm t.down))
      (Nat.le_trans
        (roundMag_le (f := f) (mode := .rn) (neg := false) (q := 1) (q' := 1) rfl rfl (Nat.mul_le_mul_left (Nat.sub_le_of_le_add (Nat.le_trans
          (Nat.le_of_eq (Eq.symm (Nat.sub_add_cancel (Nat.le_of_lt less))))
          (Nat.add_le_add_right (Nat.le_of_lt close) (units f g)))) 1))
        (Nat.le_of_eq (roundMag_units_of_lt (mode := .rn) (neg := false) (Nat.lt_trans (lt_of_units_lt (f := f) less) t.fin))))))
    less)

/-- A sum with a summand of ordinary size is not subnormal. -/
theorem ftz_add : (a c : Fp f) → Eq c.isTame true → Eq (add .rn a c).ftz (add .rn a c)
  | nan, _, _ => rfl
  | num _ _ _, nan, t => (Bool.false_ne_true t).elim
  | num s g hg, num r k _, tame =>
    have t : Tame f k := tame_of_isTame tame
    have kinf : Eq (Nat.beq k f.inf) false := Nat.beq_of_lt t.fin
    have least : Nat.Lt (Nat.pow 2 f.mant) f.inf := Nat.lt_trans t.normal t.fin
    have rounded : (u : Bool) → (p : Nat) → Nat.Le (Nat.pow 2 f.mant) p → Eq (round (f := f) .rn u p 1).ftz (round .rn u p 1) := fun _ _ high =>
      ftz_of_big (le_roundMag_of_units_le rfl least (Nat.le_trans (Nat.le_of_eq (Eq.trans (Nat.mul_one _)
        (units_of_lt_succ (Nat.two_pow_lt_succ f.mant)))) high))
    Bool.byCases (Nat.beq g f.inf)
      (fun yes => kept (Eq.trans (cond_of_true yes _ _) (cond_of_false (Bool.and_of_false_left kinf) _ _))
        (ftz_of_big (Nat.le_trans (Nat.le_of_lt least) (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))))
      (fun no => kept (Eq.trans (cond_of_false no _ _) (cond_of_false kinf _ _))
        (Bool.byCases (Bool.beq s r)
          (fun same => kept (cond_of_true same _ _) (rounded s _ (Nat.le_trans (Nat.le_of_lt t.big) (Nat.le_add_left _ _))))
          (fun other => kept (cond_of_false other _ _) (Bool.byCases (Nat.beq (units f g) (units f k))
            (fun equal => kept (cond_of_true equal _ _) (ftz_zero _))
            (fun apart => kept (cond_of_false apart _ _) (Bool.byCases (Nat.blt (units f k) (units f g))
              (fun more => kept (cond_of_true more _ _) (rounded s _ (t.above (lt_inf_of_beq hg no) more)))
              (fun less => kept (cond_of_false less _ _) (rounded r _
                (t.below (Nat.lt_of_le_of_ne (Nat.le_of_blt less) (Nat.ne_of_beq apart)))))))))))
where
  kept {x y : Fp f} (e : Eq x y) (h : Eq y.ftz y) : Eq x.ftz x := Eq.trans (congrArg ftz e) (Eq.trans h (Eq.symm e))

/-- A product with zero does not see whether the other factor was flushed. -/
theorem mul_ftz_zero {mode : Mode} (normal : Nat.Lt (Nat.pow 2 f.mant) f.inf) (t : Bool) : (a : Fp f) →
    Eq (mul mode a.ftz (zero t)) (mul mode a (zero t))
  | nan => rfl
  | num s g h => ftz_cases (C := fun x => Eq (mul mode x (zero t)) (mul mode (num s g h) (zero t)))
    (fun low => Eq.trans (mul_zero_of_finite t s 0 rfl (Nat.pos_of_lt normal)) (Eq.symm (mul_zero_of_finite t s g h (Nat.lt_trans low normal))))
    rfl

end Fp

namespace F32

theorem mul_ftz_zero {mode : Mode} (a : F32) : Eq (Fp.mul mode a.ftz (ofBits 0x00000000)) (Fp.mul mode a (ofBits 0x00000000)) :=
  Fp.mul_ftz_zero (f := Format.binary32) rfl false a

end F32
