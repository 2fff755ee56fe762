prelude
import FloatLib.Lemmas.Bits
import FloatLib.Lemmas.Exact
import FloatLib.Op.Word
/-!
# Fused products with powers of two

CUDA's `expf` ends in a product with a power of two, which the compiler fuses into a sum that follows. Such a product is exact unless it
is subnormal or overflows, and then a summand of ordinary size decides alone: fused or not, the result is the same (`fma_bare`). The
power of two is a word shifted into the exponent field (`F32.fma_shl`).
-/

noncomputable section
namespace Fp

variable {f : Format}

theorem tame_of_isTame {r : Bool} {k : Nat} {hk : Eq (Nat.ble k f.inf) true} (h : Eq (isTame (num r k hk)) true) : Tame f k :=
  have two := Bool.and_eq_true_left h
  have three := Bool.and_eq_true_right h
  have rest := Bool.and_eq_true_right three
  .mk (Bool.and_eq_true_left two) (Bool.and_eq_true_right two) (Nat.eq_of_beq _ _ (Bool.and_eq_true_left three))
    (Nat.eq_of_beq _ _ (Bool.and_eq_true_left rest)) (Nat.eq_of_beq _ _ (Bool.and_eq_true_right rest))

/-- A sum with something at most as large as the smallest normal number. -/
theorem roundSum_absorb {s r : Bool} {u k q : Nat} {hk : Eq (Nat.ble k f.inf) true} (t : Tame f k) (pos : Nat.Lt 0 q)
    (small : Nat.Le u ((Nat.pow 2 f.mant).mul q)) : Eq (roundSum .rn s u r ((units f k).mul q) q) (num r k hk) :=
  have less : Nat.Lt u ((units f k).mul q) := Nat.lt_of_le_of_lt small (Nat.mul_lt_mul_left t.big pos)
  Bool.byCases (Bool.beq s r)
    (fun same =>
      Eq.trans (cond_of_true same _ _) (num_congr (h' := hk) (Bool.eq_of_beq same) (Nat.le_antisymm
        (Nat.le_trans (roundMag_le (f := f) (mode := .rn) (neg := s) (q' := 1) (p' := (units f k).add (Nat.pow 2 f.mant)) pos rfl
            (Nat.le_trans (Nat.le_of_eq (Nat.mul_one _)) (Nat.le_trans (Nat.add_le_add_right small _)
              (Nat.le_of_eq (Eq.trans (Nat.add_comm _ _) (Eq.symm (Nat.add_mul _ _ q)))))))
          (Nat.le_of_eq t.up))
        (le_roundMag_of_units_le pos t.fin (Nat.le_add_left _ _)))))
    (fun other =>
      Eq.trans (cond_of_false other _ _) (Eq.trans (cond_of_false (Nat.beq_of_lt less) _ _) (Eq.trans (cond_of_false (Nat.blt_of_le (Nat.le_of_lt less)) _ _)
        (num_congr (h' := hk) rfl (Nat.le_antisymm
          (roundMag_le_of_le_units pos t.fin (Nat.sub_le _ _))
          (Nat.le_trans (Nat.le_of_eq (Eq.symm t.down))
            (roundMag_le (f := f) (mode := .rn) (neg := r) (q := 1) (p := (units f k).sub (Nat.pow 2 f.mant)) rfl pos
              (Nat.le_trans (Nat.le_of_eq (Nat.sub_mul _ _ q)) (Nat.le_trans (Nat.sub_le_sub_left _ small) (Nat.le_of_eq (Eq.symm (Nat.mul_one _))))))))))))

/-- A sum with something that overflows. -/
theorem roundSum_over {s r : Bool} {u k q : Nat} (t : Tame f k) (pos : Nat.Lt 0 q)
    (large : Nat.Le ((units f f.inf).mul q) u) : Eq (roundSum (f := f) .rn s u r ((units f k).mul q) q) (inf s) :=
  have less : Nat.Lt ((units f k).mul q) u := Nat.lt_of_lt_of_le (Nat.mul_lt_mul_left (units_lt t.fin) pos) large
  Bool.byCases (Bool.beq s r)
    (fun same => Eq.trans (cond_of_true same _ _) (num_congr rfl (roundMag_rn_inf pos (Nat.le_trans large (Nat.le_add_right _ _)))))
    (fun other =>
      Eq.trans (cond_of_false other _ _) (Eq.trans (cond_of_false (Nat.beq_of_gt less) _ _) (Eq.trans (cond_of_true less _ _)
        (num_congr rfl (Nat.le_antisymm (min_le _ (Mode.limit f .rn s) f.inf)
          (Nat.le_trans (Nat.le_of_eq (Eq.symm t.over))
            (roundMag_le (f := f) (mode := .rn) (neg := s) (q := 1) (p := (units f f.inf).sub (units f k)) rfl pos
              (Nat.le_trans (Nat.le_of_eq (Nat.sub_mul _ _ q)) (Nat.le_trans (Nat.sub_le_sub_right large _) (Nat.le_of_eq (Eq.symm (Nat.mul_one _))))))))))))

/-- A product with a bare value is exact (if the format had no infinity), or at most as large as the smallest normal number. -/
theorem product_of_bare {g h : Nat} (bare : Eq (h.mod (Nat.pow 2 f.mant)) 0) :
    Or (Exists (fun m => Eq ((units f g).mul (units f h)) ((units f m).mul f.one)))
      (Nat.Le ((units f g).mul (units f h)) ((Nat.pow 2 f.mant).mul f.one)) :=
  Or.elim (Nat.lt_or_ge h (Nat.pow 2 f.mant))
    (fun low =>
      have none : Eq h 0 := Eq.trans (Eq.symm (Nat.mod_of_lt low)) bare
      Or.inr (Nat.le_trans (Nat.le_of_eq (Eq.trans (congrArg (fun x => (units f g).mul (units f x)) none)
        (congrArg (Nat.mul (units f g)) units_zero))) (Nat.zero_le _)))
    (fun normal =>
      have pow : Eq (units f h) (Nat.pow 2 (f.mant.add ((h.div (Nat.pow 2 f.mant)).sub 1))) :=
        Eq.trans (units_of_ge normal) (Eq.trans (congrArg (fun x => ((Nat.pow 2 f.mant).add x).mul (Nat.pow 2 ((h.div (Nat.pow 2 f.mant)).sub 1))) bare)
          (Eq.symm (Nat.pow_add 2 f.mant _)))
      Exists.elim (units_form f g) (fun _ hc => scaled hc.left (Eq.trans (congrArg2 Nat.mul hc.right pow) (Nat.mul_assoc _ _ _))))
where
  scaled {c i j p : Nat} (small : Nat.Lt c (Nat.pow 2 f.mant.succ)) (e : Eq p (c.mul ((Nat.pow 2 i).mul (Nat.pow 2 j)))) :
      Or (Exists (fun m => Eq p ((units f m).mul f.one))) (Nat.Le p ((Nat.pow 2 f.mant).mul f.one)) :=
    have whole : Eq p (c.mul (Nat.pow 2 (i.add j))) := Eq.trans e (congrArg (Nat.mul c) (Eq.symm (Nat.pow_add 2 i j)))
    at_ small whole (((Nat.pow 2 (f.expo.sub 1)).sub 2).add f.mant) rfl
  at_ {c n p : Nat} (small : Nat.Lt c (Nat.pow 2 f.mant.succ)) (e : Eq p (c.mul (Nat.pow 2 n))) (l : Nat) (one : Eq f.one (Nat.pow 2 l)) :
      Or (Exists (fun m => Eq p ((units f m).mul f.one))) (Nat.Le p ((Nat.pow 2 f.mant).mul f.one)) :=
    Or.elim (Nat.lt_or_ge n l)
      (fun below => Or.inr (Nat.le_trans (Nat.le_of_eq e) (Nat.le_trans (Nat.mul_le_mul_left (Nat.le_of_lt small) (Nat.pow 2 n))
        (Nat.le_trans (Nat.le_of_eq (Nat.mul_assoc (Nat.pow 2 f.mant) 2 (Nat.pow 2 n)))
          (Nat.mul_le_mul_right (Nat.pow 2 f.mant) (Nat.le_trans (Nat.le_of_eq (Nat.mul_comm 2 (Nat.pow 2 n))) (Nat.le_trans (Nat.two_pow_le_two_pow (m := n.succ) below)
            (Nat.le_of_eq (Eq.symm one)))))))))
      (fun above => Or.inl (Exists.elim (exists_units (f := f) small (n.sub l)) (fun m w => Exists.intro m
        (Eq.trans e (Eq.symm (Eq.trans (congrArg2 Nat.mul w one) (Eq.trans (Nat.mul_assoc _ _ _) (congrArg (Nat.mul c) (Nat.two_pow_sub_mul above)))))))))

/-- A fused product with a bare value, plus a tame one, is the product and then the sum: the product is exact, or does not matter. -/
theorem fma_bare : (e p c : Fp f) → Eq p.isBare true → Eq c.isTame true → Eq (fma .rn e p c) (add .rn (mul .rn e p) c)
  | nan, _, _, _, _ => rfl
  | num _ _ _, nan, _, _, _ => rfl
  | num _ _ _, num _ _ _, nan, _, t => (Bool.false_ne_true t).elim
  | num s g hg, num t h hh, num r k hk, b, tame =>
    have tk : Tame f k := tame_of_isTame tame
    have kinf : Eq (Nat.beq k f.inf) false := Nat.beq_of_lt tk.fin
    have infinite : (u : Bool) → Eq (add .rn (inf u) (num r k hk)) (inf u) := fun _ =>
      Eq.trans (cond_of_true (Nat.beq_self f.inf) _ _) (cond_of_false (Bool.and_of_false_left kinf) _ _)
    Bool.byCases ((Nat.beq g f.inf).or (Nat.beq h f.inf))
      (fun yes => Bool.byCases ((Nat.beq g 0).or (Nat.beq h 0))
        (fun zero => Eq.trans (cond_of_true yes _ _) (Eq.trans (cond_of_true zero _ _)
          (Eq.symm (congrArg (fun x => add .rn x (num r k hk)) (Eq.trans (cond_of_true yes _ _) (cond_of_true zero _ _))))))
        (fun some => Eq.trans (cond_of_true yes _ _) (Eq.trans (cond_of_false some _ _) (Eq.trans (cond_of_false (Bool.and_of_false_left kinf) _ _)
          (Eq.symm (Eq.trans (congrArg (fun x => add .rn x (num r k hk)) (Eq.trans (cond_of_true yes _ _) (cond_of_false some _ _)))
            (infinite (s.xor t))))))))
      (fun no =>
        have gfin : Nat.Lt g f.inf := lt_inf_of_beq hg (Bool.or_eq_false_left no)
        have hfin : Nat.Lt h f.inf := lt_inf_of_beq hh (Bool.or_eq_false_right no)
        have fused : Eq (fma .rn (num s g hg) (num t h hh) (num r k hk))
            (roundSum .rn (s.xor t) ((units f g).mul (units f h)) r ((units f k).mul f.one) f.one) :=
          Eq.trans (cond_of_false no _ _) (cond_of_false kinf _ _)
        have small : Nat.Lt (Nat.pow 2 f.mant) f.inf := Nat.lt_trans (lt_of_units_lt (f := f)
          (Nat.lt_of_le_of_lt (Nat.le_of_eq (units_of_lt_succ (Nat.two_pow_lt_succ f.mant))) tk.big)) tk.fin
        Or.elim (product_of_bare (f := f) (g := g) (Nat.eq_of_beq _ _ b))
          (fun exact => Exists.elim exact (fun m e => Or.elim (Nat.lt_or_ge m f.inf)
            (fun mfin => Eq.trans (fma_of_exact_mul (hk := Nat.le_of_lt mfin) gfin hfin mfin e (num r k hk))
              (congrArg (fun x => add .rn x (num r k hk)) (Eq.symm (mul_exact gfin hfin mfin e))))
            (fun over =>
              have large : Nat.Le ((units f f.inf).mul f.one) ((units f g).mul (units f h)) :=
                Nat.le_trans (Nat.mul_le_mul_left (units_le over) f.one) (Nat.le_of_eq (Eq.symm e))
              Eq.trans fused (Eq.trans (roundSum_over tk one_pos large) (Eq.symm (Eq.trans
                (congrArg (fun x => add .rn x (num r k hk)) (Eq.trans (mul_finite gfin hfin) (num_congr rfl (roundMag_rn_inf one_pos large))))
                (infinite (s.xor t))))))))
          (fun tiny =>
            have low : Nat.Le (roundMag f .rn (s.xor t) ((units f g).mul (units f h)) f.one) (Nat.pow 2 f.mant) :=
              roundMag_le_of_le_units one_pos small (Nat.le_trans tiny (Nat.le_of_eq (congrArg (fun x => Nat.mul x f.one)
                (Eq.symm (units_of_lt_succ (Nat.two_pow_lt_succ f.mant))))))
            Eq.trans fused (Eq.trans (roundSum_absorb (hk := hk) tk one_pos tiny) (Eq.symm (Eq.trans
              (congrArg (fun x => add .rn x (num r k hk)) (mul_finite gfin hfin))
              (Eq.trans (cond_of_false (Nat.beq_of_lt (Nat.lt_of_le_of_lt low small)) _ _) (Eq.trans (cond_of_false kinf _ _)
                (Eq.trans (congrArg (fun x => roundSum .rn (s.xor t) _ r x 1) (Eq.symm (Nat.mul_one (units f k))))
                  (roundSum_absorb (hk := hk) tk rfl (Nat.le_trans (units_le low)
                    (Nat.le_of_eq (Eq.trans (units_of_lt_succ (Nat.two_pow_lt_succ f.mant)) (Eq.symm (Nat.mul_one _))))))))))))))
end Fp

namespace F32

/-- A word shifted into the exponent field has no significand bits. -/
theorem isBare_shl (w : Nat) : Eq (Fp.isBare (F32.ofBits (U32.shl w 23))) true :=
  mag _ (Eq.step ((((Word.of 32 w).mul (Nat.pow 2 23)).mod (Nat.pow 2 32)).mod (Nat.pow 2 31))
    (congrArg (fun x => Nat.mod x (Nat.pow 2 31)) (part 512 (Word.of 32 w))) (
  Eq.step ((((Word.of 32 w).mod 512).mul (Nat.pow 2 23)).mod (Nat.pow 2 31)) (part 256 ((Word.of 32 w).mod 512)) (
  Eq.done ((((Word.of 32 w).mod 512).mod 256).mul (Nat.pow 2 23)))))
where
  part (k x : Nat) : Eq ((x.mul (Nat.pow 2 23)).mod (k.mul (Nat.pow 2 23))) ((x.mod k).mul (Nat.pow 2 23)) := Nat.mul_mod_mul_right (Nat.pow 2 23) x k
  mag {x : Nat} (s : Bool) {g : Nat} (e : Eq g (x.mul (Nat.pow 2 23))) : Eq (Fp.isBare (Fp.ofMag (f := Format.binary32) s g)) true :=
    Or.elim (Nat.lt_or_ge Format.binary32.inf g)
      (fun above => congrArg Fp.isBare (Fp.ofMag_of_gt above))
      (fun within => Eq.trans (congrArg Fp.isBare (Fp.ofMag_of_le (s := s) within)) (Nat.beq_of_eq (Eq.trans (congrArg (fun y => Nat.mod y (Nat.pow 2 23)) e)
        (Eq.trans (congrArg (fun y => Nat.mod y (Nat.pow 2 23)) (Nat.mul_comm x (Nat.pow 2 23))) (Nat.mul_add_mod (Nat.pow 2 23) x 0)))))

/-- The last product of `expf`, fused into a sum with a value of ordinary size. -/
theorem fma_shl (e c : F32) (w : Nat) (h : Eq c.isTame true) :
    Eq (Fp.fma .rn e (ofBits (U32.shl w 23)) c) (Fp.add .rn (Fp.mul .rn e (ofBits (U32.shl w 23))) c) :=
  Fp.fma_bare e (ofBits (U32.shl w 23)) c (isBare_shl w) h

end F32
