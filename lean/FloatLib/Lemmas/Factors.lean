prelude
import FloatLib.Lemmas.Exact
import FloatLib.Lemmas.MinMaxLaws
import FloatLib.Op.Saturate
/-!
# Exact factors

A product with a power of two is exact where it does not overflow, if the power is at least 1, and where the value is not too small, if it
is less. Around an exact product nothing is rounded twice: it may be fused with a sum, or joined with another factor.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! When a product is exact: it is worth a finite pattern. -/

/-- Times a power of two that is at least 1, if the result is finite. -/
theorem exact_of_scale {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (test : Eq (isScale (num t h hh)) true) (fin : Eq (mul .rn (num s g hg) (num t h hh)).isFinite true) :
    And (Nat.Lt g f.inf) (Exists (fun k => And (Nat.Lt k f.inf) (Eq ((units f g).mul (units f h)) ((units f k).mul f.one)))) :=
  have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left test
  have rest := Bool.and_eq_true_right test
  have bare := Bool.and_eq_true_left rest
  have low : Nat.Le f.one (units f h) := Bool.and_eq_true_right rest
  Bool.byCases (Nat.beq g f.inf)
    (fun yes => Bool.not_both fin (Eq.trans (congrArg isFinite (Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _)
      (cond_of_false (Bool.or_of_false (beq_zero_of_inf yes hfin)
        (Nat.beq_of_gt (Nat.lt_of_lt_of_le (Nat.two_pow_pos f.mant) (Bool.and_eq_true_left bare)))) _ _))) (Nat.blt_of_le (Nat.le_refl f.inf))))
    (fun no => have gfin : Nat.Lt g f.inf := lt_inf_of_beq hg no
      Exists.elim (exists_two_pow (f := f) (Bool.and_eq_true_left bare) (Nat.eq_of_beq _ _ (Bool.and_eq_true_right bare)) low) (fun n pow =>
      Exists.elim (exists_units_two_pow (f := f) g n) (fun k e =>
        have product : Eq ((units f g).mul (units f h)) ((units f k).mul f.one) := Eq.trans (congrArg (Nat.mul (units f g)) pow)
          (Eq.trans (Eq.symm (Nat.mul_assoc _ _ f.one)) (congrArg (fun x => Nat.mul x f.one) (Eq.symm e)))
        have kfin : Nat.Lt k f.inf := Nat.lt_of_not_le (fun over => Bool.not_both fin (Eq.trans (congrArg isFinite (mul_finite gfin hfin))
          (Nat.blt_of_le (Nat.le_of_eq (Eq.symm (roundMag_rn_inf one_pos
            (Nat.le_trans (Nat.mul_le_mul_left (units_le over) f.one) (Nat.le_of_eq (Eq.symm product)))))))))
        .intro gfin (Exists.intro k (.intro kfin product)))))

/-- A worth of at least the smallest normal number's, `2 ^ j` times over, is `2 ^ j` times a worth. -/
theorem exists_units_part {g j : Nat} (big : Nat.Le ((Nat.pow 2 f.mant).mul (Nat.pow 2 j)) (units f g)) :
    Exists (fun k => Eq (units f g) ((units f k).mul (Nat.pow 2 j))) :=
  Exists.elim (units_form f g) (fun c hc =>
    have high : Nat.Le j ((g.div (Nat.pow 2 f.mant)).sub 1) := Nat.le_of_not_lt (fun less => Nat.not_lt_of_le big
      (Nat.lt_of_le_of_lt (Nat.le_of_eq hc.right) (Nat.lt_of_lt_of_le (Nat.mul_lt_mul_left hc.left (Nat.two_pow_pos _))
        (Nat.le_trans (Nat.le_of_eq (Eq.trans (Nat.mul_assoc _ 2 _) (congrArg (Nat.mul (Nat.pow 2 f.mant)) (Nat.mul_comm 2 _))))
          (Nat.mul_le_mul_right (Nat.pow 2 f.mant) (Nat.two_pow_le_two_pow less))))))
    Exists.elim (exists_units (f := f) hc.left (((g.div (Nat.pow 2 f.mant)).sub 1).sub j)) (fun k w => Exists.intro k (
      Eq.step (units f g) hc.right (
      Eq.step (c.mul (Nat.pow 2 ((g.div (Nat.pow 2 f.mant)).sub 1))) (congrArg (Nat.mul c) (Eq.symm (Nat.two_pow_sub_mul high))) (
      Eq.step (c.mul ((Nat.pow 2 (((g.div (Nat.pow 2 f.mant)).sub 1).sub j)).mul (Nat.pow 2 j))) (Eq.symm (Nat.mul_assoc c _ _)) (
      Eq.step ((c.mul (Nat.pow 2 (((g.div (Nat.pow 2 f.mant)).sub 1).sub j))).mul (Nat.pow 2 j)) (congrArg (fun x => Nat.mul x (Nat.pow 2 j)) (Eq.symm w)) (
      Eq.done ((units f k).mul (Nat.pow 2 j)))))))))

/-- Times a power of two that is less than 1, if the value is finite and so large that the result is normal. -/
theorem exact_of_shrink {s t r : Bool} {g h m : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} {hm : Eq (Nat.ble m f.inf) true}
    (test : Eq (isShrink (num t h hh) (num r m hm)) true) (big : Eq (le (num r m hm) (abs (num s g hg))) true) (gfin : Nat.Lt g f.inf) :
    Exists (fun k => And (Nat.Lt k f.inf) (Eq ((units f g).mul (units f h)) ((units f k).mul f.one))) :=
  have plus : Eq r false := plain r (Bool.and_eq_true_left (Bool.and_eq_true_left test))
  have rest := Bool.and_eq_true_right test
  have product : Eq ((units f h).mul (units f m)) ((Nat.pow 2 f.mant).mul f.one) := Nat.eq_of_beq _ _ (Bool.and_eq_true_left rest)
  have normal : Nat.Le (Nat.pow 2 f.mant) m := Bool.and_eq_true_left (Bool.and_eq_true_right rest)
  have worth : Eq (units f m) ((Nat.pow 2 f.mant).mul (Nat.pow 2 ((m.div (Nat.pow 2 f.mant)).sub 1))) := Eq.trans (units_of_ge normal)
    (congrArg (fun x => ((Nat.pow 2 f.mant).add x).mul (Nat.pow 2 ((m.div (Nat.pow 2 f.mant)).sub 1)))
      (Nat.eq_of_beq _ _ (Bool.and_eq_true_right (Bool.and_eq_true_right rest))))
  have part : Eq ((units f h).mul (Nat.pow 2 ((m.div (Nat.pow 2 f.mant)).sub 1))) f.one := Nat.mul_left_cancel (Nat.two_pow_pos f.mant)
    (Eq.trans (Nat.mul_left_comm _ _ _) (Eq.trans (congrArg (Nat.mul (units f h)) (Eq.symm worth)) product))
  have above : Nat.Le m g := Nat.le_of_add_le_add_left f.inf (Eq.trans (congrArg (fun b => Nat.ble (rank f b m) (rank f false g)) (Eq.symm plus)) big)
  Exists.elim (exists_units_part (Nat.le_trans (Nat.le_of_eq (Eq.symm worth)) (units_le above))) (fun k e => Exists.intro k (.intro
    (Nat.lt_of_le_of_lt (le_of_units_le (f := f) (Nat.le_trans (Nat.le_mul_of_pos_right (units f k) (Nat.two_pow_pos _)) (Nat.le_of_eq (Eq.symm e)))) gfin)
    (Eq.step ((units f g).mul (units f h)) (congrArg (fun x => Nat.mul x (units f h)) e) (
    Eq.step (((units f k).mul (Nat.pow 2 ((m.div (Nat.pow 2 f.mant)).sub 1))).mul (units f h)) (Nat.mul_assoc _ _ _) (
    Eq.step ((units f k).mul ((Nat.pow 2 ((m.div (Nat.pow 2 f.mant)).sub 1)).mul (units f h))) (congrArg (Nat.mul (units f k))
      (Eq.trans (Nat.mul_comm _ _) part)) (
    Eq.done ((units f k).mul f.one)))))))
where
  plain : (r : Bool) → Eq r.not true → Eq r false
    | false, _ => rfl
    | true, h => (Bool.false_ne_true h).elim

/-! What follows. -/

/-- Two factors, the first of which multiplies exactly, are their product. -/
theorem mul_mul_of_exact {s t r u : Bool} {g h m e : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    {hm : Eq (Nat.ble m f.inf) true} {he : Eq (Nat.ble e f.inf) true} (test : Eq (isProduct (num t h hh) (num r m hm) (num u e he)) true)
    (gfin : Nat.Lt g f.inf) (exact : Exists (fun k => And (Nat.Lt k f.inf) (Eq ((units f g).mul (units f h)) ((units f k).mul f.one)))) :
    Eq (mul mode (mul mode (num s g hg) (num t h hh)) (num r m hm)) (mul mode (num s g hg) (num u e he)) :=
  have sign : Eq (t.xor r) u := Bool.eq_of_beq (Bool.and_eq_true_left (Bool.and_eq_true_left test))
  have finite := Bool.and_eq_true_right (Bool.and_eq_true_left test)
  have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left (Bool.and_eq_true_left finite)
  have mfin : Nat.Lt m f.inf := Bool.and_eq_true_right (Bool.and_eq_true_left finite)
  have efin : Nat.Lt e f.inf := Bool.and_eq_true_right finite
  have product : Eq ((units f h).mul (units f m)) ((units f e).mul f.one) := Nat.eq_of_beq _ _ (Bool.and_eq_true_right test)
  Exists.elim exact (fun k hk =>
    have total : Eq ((units f k).mul (units f m)) ((units f g).mul (units f e)) := Nat.mul_right_cancel (one_pos (f := f)) (
      Eq.step (((units f k).mul (units f m)).mul f.one) (Nat.mul_right_comm _ _ _) (
      Eq.step (((units f k).mul f.one).mul (units f m)) (congrArg (fun x => Nat.mul x (units f m)) (Eq.symm hk.right)) (
      Eq.step (((units f g).mul (units f h)).mul (units f m)) (Nat.mul_assoc _ _ _) (
      Eq.step ((units f g).mul ((units f h).mul (units f m))) (congrArg (Nat.mul (units f g)) product) (
      Eq.step ((units f g).mul ((units f e).mul f.one)) (Eq.symm (Nat.mul_assoc _ _ _)) (
      Eq.done (((units f g).mul (units f e)).mul f.one)))))))
    Eq.trans (congrArg (fun x => mul mode x (num r m hm)) (mul_exact (hk := Nat.le_of_lt hk.left) gfin hfin hk.left hk.right))
      (Eq.trans (mul_finite hk.left mfin) (Eq.trans
        (congrArg2 (fun x p => round mode x p f.one) (Eq.trans (Bool.xor_assoc s t r) (congrArg (Bool.xor s) sign)) total)
        (Eq.symm (mul_finite gfin efin)))))

theorem mul_mul_scale_of_finite : (a c d e : Fp f) → Eq (mul .rn a c).isFinite true → Eq (isScale c) true → Eq (isProduct c d e) true →
    Eq (mul .rn (mul .rn a c) d) (mul .rn a e)
  | nan, _, _, _, fin, _, _ => (Bool.false_ne_true fin).elim
  | num _ _ _, nan, _, _, _, test, _ => (Bool.false_ne_true test).elim
  | num _ _ _, num _ _ _, nan, _, _, _, test => (Bool.false_ne_true test).elim
  | num _ _ _, num _ _ _, num _ _ _, nan, _, _, test => (Bool.false_ne_true test).elim
  | num _ _ _, num _ _ _, num _ _ _, num _ _ _, fin, scale, test =>
    have exact := exact_of_scale scale fin
    mul_mul_of_exact test exact.left exact.right

theorem fma_scale : (a c d : Fp f) → Eq (mul .rn a c).isFinite true → Eq (isScale c) true → Eq (fma .rn a c d) (add .rn (mul .rn a c) d)
  | nan, _, _, fin, _ => (Bool.false_ne_true fin).elim
  | num _ _ _, nan, _, _, test => (Bool.false_ne_true test).elim
  | num _ _ _, num _ _ _, d, fin, scale =>
    have exact := exact_of_scale scale fin
    have hfin : Nat.Lt _ f.inf := Bool.and_eq_true_left scale
    Exists.elim exact.right (fun _ hk => Eq.trans (fma_of_exact_mul (hk := Nat.le_of_lt hk.left) exact.left hfin hk.left hk.right d)
      (congrArg (fun x => add .rn x d) (Eq.symm (mul_exact (hk := Nat.le_of_lt hk.left) exact.left hfin hk.left hk.right))))

/-- A scaling that is exact on both sides may be of either factor. -/
theorem mul_scale_swap : (a b c : Fp f) → Eq (mul .rn a c).isFinite true → Eq (mul .rn b c).isFinite true → Eq (isScale c) true →
    Eq (mul .rn (mul .rn a c) b) (mul .rn a (mul .rn b c))
  | nan, _, _, fin, _, _ => (Bool.false_ne_true fin).elim
  | num _ _ _, nan, _, _, fin, _ => (Bool.false_ne_true fin).elim
  | num _ _ _, num _ _ _, nan, _, _, test => (Bool.false_ne_true test).elim
  | num s g hg, num r m hm, num t h hh, fin, fin', scale =>
    have exact := exact_of_scale scale fin
    have exact' := exact_of_scale scale fin'
    have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left scale
    Exists.elim exact.right (fun k hk => Exists.elim exact'.right (fun j hj =>
      have total : Eq ((units f k).mul (units f m)) ((units f g).mul (units f j)) := Nat.mul_right_cancel (one_pos (f := f)) (
        Eq.step (((units f k).mul (units f m)).mul f.one) (Nat.mul_right_comm _ _ _) (
        Eq.step (((units f k).mul f.one).mul (units f m)) (congrArg (fun x => Nat.mul x (units f m)) (Eq.symm hk.right)) (
        Eq.step (((units f g).mul (units f h)).mul (units f m)) (Nat.mul_assoc _ _ _) (
        Eq.step ((units f g).mul ((units f h).mul (units f m))) (congrArg (Nat.mul (units f g)) (Nat.mul_comm _ _)) (
        Eq.step ((units f g).mul ((units f m).mul (units f h))) (congrArg (Nat.mul (units f g)) hj.right) (
        Eq.step ((units f g).mul ((units f j).mul f.one)) (Eq.symm (Nat.mul_assoc _ _ _)) (
        Eq.done (((units f g).mul (units f j)).mul f.one))))))))
      Eq.step (mul .rn (mul .rn (num s g hg) (num t h hh)) (num r m hm))
        (congrArg (fun x => mul .rn x (num r m hm)) (mul_exact (hk := Nat.le_of_lt hk.left) exact.left hfin hk.left hk.right)) (
      Eq.trans (mul_finite hk.left exact'.left) (Eq.trans
        (congrArg2 (fun x p => round .rn x p f.one) (Eq.trans (Bool.xor_assoc s t r) (congrArg (Bool.xor s) (Bool.xor_comm t r))) total)
        (Eq.trans (Eq.symm (mul_finite (hg := hg) (hh := Nat.le_of_lt hj.left) exact.left hj.left))
          (congrArg (mul .rn (num s g hg)) (Eq.symm (mul_exact (hk := Nat.le_of_lt hj.left) exact'.left hfin hj.left hj.right))))))))

/-! Shrinking leaves infinities alone. -/

theorem shrink_pos {h m : Nat} (product : Eq ((units f h).mul (units f m)) ((Nat.pow 2 f.mant).mul f.one)) : Nat.Lt 0 h :=
  Nat.pos_of_ne_zero (fun e => Nat.ne_of_lt (Nat.mul_pos (Nat.two_pow_pos f.mant) one_pos)
    (Eq.trans (Eq.symm (Nat.zero_mul (units f m))) (Eq.trans (congrArg (fun x => Nat.mul x (units f m)) (Eq.symm (Eq.trans (congrArg (units f) e) units_zero)))
      product)))

theorem mul_of_inf {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (yes : Eq (Nat.beq g f.inf) true)
    (pos : Nat.Lt 0 f.inf) : Eq (mul mode (num s g hg) (num t h hh)) (cond (Nat.beq h 0) nan (inf (s.xor t))) :=
  Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _) (congrArg (fun b => cond b nan (inf (s.xor t)))
    (Eq.trans (congrArg (fun b => Bool.or b (Nat.beq h 0)) (Nat.beq_of_gt (Nat.lt_of_lt_of_le pos (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))))
      (Bool.false_or (Nat.beq h 0))))

theorem mul_mul_shrink : (a b c d e : Fp f) → Eq (le b a.abs) true → Eq (isShrink c b) true → Eq (isProduct c d e) true →
    Eq (mul .rn (mul .rn a c) d) (mul .rn a e)
  | nan, nan, _, _, _, big, _, _ => (Bool.false_ne_true big).elim
  | nan, num _ _ _, _, _, _, big, _, _ => (Bool.false_ne_true big).elim
  | num _ _ _, nan, _, _, _, big, _, _ => (Bool.false_ne_true big).elim
  | num _ _ _, num _ _ _, nan, _, _, _, test, _ => (Bool.false_ne_true test).elim
  | num _ _ _, num _ _ _, num _ _ _, nan, _, _, _, test => (Bool.false_ne_true test).elim
  | num _ _ _, num _ _ _, num _ _ _, num _ _ _, nan, _, _, test => (Bool.false_ne_true test).elim
  | num s g hg, num _ _ _, num t h hh, num r m hm, num _ e _, big, shrink, test =>
    Bool.byCases (Nat.beq g f.inf)
      (fun yes =>
        have finite := Bool.and_eq_true_right (Bool.and_eq_true_left test)
        have hpos : Nat.Lt 0 h := shrink_pos (Nat.eq_of_beq _ _ (Bool.and_eq_true_left (Bool.and_eq_true_right shrink)))
        have pos : Nat.Lt 0 f.inf := Nat.pos_of_lt (a := h) (Bool.and_eq_true_left (Bool.and_eq_true_left finite))
        have product : Eq ((units f h).mul (units f m)) ((units f e).mul f.one) := Nat.eq_of_beq _ _ (Bool.and_eq_true_right test)
        Eq.step (mul .rn (mul .rn (num s g hg) (num t h hh)) (num r m hm)) (congrArg (fun x => mul .rn x (num r m hm))
          (Eq.trans (mul_of_inf yes pos) (cond_of_false (Nat.beq_of_gt hpos) _ _))) (
        Eq.step (mul .rn (inf (s.xor t)) (num r m hm)) (mul_of_inf (Nat.beq_self f.inf) pos) (
        Eq.step (cond (Nat.beq m 0) nan (inf ((s.xor t).xor r))) (congrArg2 (fun b x => cond b nan (inf x)) (zeros hpos product)
          (Eq.trans (Bool.xor_assoc s t r) (congrArg (Bool.xor s) (Bool.eq_of_beq (Bool.and_eq_true_left (Bool.and_eq_true_left test)))))) (
        Eq.symm (mul_of_inf yes pos)))))
      (fun no => have gfin : Nat.Lt g f.inf := lt_inf_of_beq hg no
        mul_mul_of_exact test gfin (exact_of_shrink shrink big gfin))
where
  zeros {h m e : Nat} (pos : Nat.Lt 0 h) (product : Eq ((units f h).mul (units f m)) ((units f e).mul f.one)) : Eq (Nat.beq m 0) (Nat.beq e 0) :=
    Bool.eq_of_iff
      (fun m0 => Nat.beq_of_eq (Or.elim (Nat.eq_zero_or_pos e) id (fun epos => absurd
        (Eq.trans (Eq.symm product) (Eq.trans (congrArg (Nat.mul (units f h)) (Eq.trans (congrArg (units f) (Nat.eq_of_beq _ _ m0)) units_zero)) rfl))
        (Nat.ne_of_gt (Nat.mul_pos (units_pos epos) one_pos)))))
      (fun e0 => Nat.beq_of_eq (Or.elim (Nat.eq_zero_or_pos m) id (fun mpos => absurd
        (Eq.trans product (Eq.trans (congrArg (fun x => Nat.mul x f.one) (Eq.trans (congrArg (units f) (Nat.eq_of_beq _ _ e0)) units_zero)) (Nat.zero_mul _)))
        (Nat.ne_of_gt (Nat.mul_pos (units_pos pos) (units_pos mpos))))))

theorem fma_shrink : (a b c d : Fp f) → Eq (le b a.abs) true → Eq (isShrink c b) true → Eq (fma .rn a c d) (add .rn (mul .rn a c) d)
  | nan, nan, _, _, big, _ => (Bool.false_ne_true big).elim
  | nan, num _ _ _, _, _, big, _ => (Bool.false_ne_true big).elim
  | num _ _ _, nan, _, _, big, _ => (Bool.false_ne_true big).elim
  | num _ _ _, num _ _ _, nan, _, _, test => (Bool.false_ne_true test).elim
  | num _ g hg, num _ _ _, num _ h _, d, big, shrink =>
    have hfin : Nat.Lt h f.inf := Bool.and_eq_true_left (Bool.and_eq_true_right (Bool.and_eq_true_left shrink))
    Bool.byCases (Nat.beq g f.inf)
      (fun yes =>
        have hpos : Nat.Lt 0 h := shrink_pos (Nat.eq_of_beq _ _ (Bool.and_eq_true_left (Bool.and_eq_true_right shrink)))
        have pos : Nat.Lt 0 f.inf := Nat.pos_of_lt hfin
        Eq.trans (infinite yes pos hpos d) (congrArg (fun x => add .rn x d)
          (Eq.symm (Eq.trans (mul_of_inf yes pos) (cond_of_false (Nat.beq_of_gt hpos) _ _)))))
      (fun no => have gfin : Nat.Lt g f.inf := lt_inf_of_beq hg no
        Exists.elim (exact_of_shrink shrink big gfin) (fun _ hk => Eq.trans (fma_of_exact_mul (hk := Nat.le_of_lt hk.left) gfin hfin hk.left hk.right d)
          (congrArg (fun x => add .rn x d) (Eq.symm (mul_exact (hk := Nat.le_of_lt hk.left) gfin hfin hk.left hk.right)))))
where
  infinite {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (yes : Eq (Nat.beq g f.inf) true)
      (pos : Nat.Lt 0 f.inf) (hpos : Nat.Lt 0 h) : (d : Fp f) → Eq (fma .rn (num s g hg) (num t h hh) d) (add .rn (inf (s.xor t)) d)
    | nan => rfl
    | num _ _ _ => Eq.trans (cond_of_true (Bool.or_of_true_left yes) _ _) (Eq.trans (cond_of_false (Bool.or_of_false
        (Nat.beq_of_gt (Nat.lt_of_lt_of_le pos (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes))))) (Nat.beq_of_gt hpos)) _ _)
        (Eq.symm (cond_of_true (Nat.beq_self f.inf) _ _)))

/-! The opposite of a fused product is the fused product of opposites, but for an exact zero. -/

theorem posZero_neg_fma : (a b c : Fp f) → Eq (fma .rn a b c).neg.posZero (fma .rn a.neg b c.neg).posZero
  | nan, _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num _ _ _, num _ _ _, nan => rfl
  | num s g _, num t h _, num r k _ => rows (Eq.symm (Bool.not_xor s t))
      (Eq.trans (congrArg (fun b => Bool.xor b r.not) (Bool.not_xor s t)) (Eq.trans (Bool.not_xor (s.xor t) r.not)
        (Eq.trans (congrArg Bool.not (Bool.xor_not (s.xor t) r)) (Bool.not_not _))))
      (Eq.trans (posZero_neg_roundSum (s.xor t) ((units f g).mul (units f h)) r ((units f k).mul f.one) f.one)
        (congrArg (fun b => (roundSum .rn b ((units f g).mul (units f h)) r.not ((units f k).mul f.one) f.one).posZero) (Eq.symm (Bool.not_xor s t))))
where
  rows {c d x x' y y' z : Bool} {v r r' : Fp f} (hx : Eq x.not x') (hy : Eq y' y) (hr : Eq r.neg.posZero r'.posZero) :
      Eq (cond c (cond d nan (cond (z.and y) nan (inf x))) (cond z v r)).neg.posZero
        (cond c (cond d nan (cond (z.and y') nan (inf x'))) (cond z v.neg r')).posZero :=
    match c, d, z, y, y', hy, x', hx with
    | true, true, _, _, _, _, _, _ => rfl
    | true, false, true, true, true, _, _, _ => rfl
    | true, false, true, false, false, _, _, hx => congrArg (fun b => posZero (inf b)) hx
    | true, false, true, true, false, e, _, _ => (Bool.false_ne_true e).elim
    | true, false, true, false, true, e, _, _ => (Bool.true_ne_false e).elim
    | true, false, false, _, _, _, _, hx => congrArg (fun b => posZero (inf b)) hx
    | false, _, true, _, _, _, _, _ => rfl
    | false, _, false, _, _, _, _, _ => hr

/-! Saturation is a maximum and a minimum. -/

theorem sat_eq {one : Nat} {h1 : Eq (Nat.ble one f.inf) true} (isOne : Eq (units f one) f.one) (fin : Nat.Lt one f.inf) :
    (a : Fp f) → Eq a.sat (minNum (maxNum a (zero false)) (num false one h1))
  | nan => Eq.symm (low h1)
  | num true _ hg => Eq.symm (Eq.trans (congrArg (fun x => minNum x (num false one h1)) ((maxNum_picks f).right _ _ (below hg))) (low h1))
  | num false g hg => Eq.symm (Eq.trans (congrArg (fun x => minNum x (num false one h1)) ((maxNum_picks f).left _ _ (above hg)))
      (Bool.byCases (Nat.ble (units f g) f.one)
        (fun yes => Eq.trans ((minNum_picks f).left _ _ (ordered (le_of_units_le (f := f) (Nat.le_trans yes (Nat.le_of_eq (Eq.symm isOne))))))
          (Eq.symm (cond_of_true yes _ _)))
        (fun no => Eq.trans ((minNum_picks f).right _ _ (ordered (le_of_units_le (f := f) (Nat.le_trans (Nat.le_of_eq isOne)
            (Nat.le_of_lt (Nat.lt_of_not_le (fun yes => Bool.not_both yes no)))))))
          (Eq.symm (Eq.trans (cond_of_false no _ _) (Eq.trans (congrArg (fun p => round .rn false p 1) (Eq.symm isOne)) (round_units fin)))))))
where
  ordered {n g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (e : Nat.Le g h) :
      Nat.Le (place n (num false g hg)) (place n (num false h hh)) :=
    Nat.add_le_add (c := 1) (d := 1) (Nat.mul_le_mul_right 2 (Nat.add_le_add_left e f.inf)) rfl
  low {one : Nat} (h1 : Eq (Nat.ble one f.inf) true) : Eq (minNum (zero false) (num false one h1)) (zero false) :=
    (minNum_picks f).left _ _ (ordered (Nat.zero_le one))
  above {n g : Nat} (hg : Eq (Nat.ble g f.inf) true) : Nat.Le (place n (zero (f := f) false)) (place n (num false g hg)) := ordered (Nat.zero_le g)
  below {n g : Nat} (hg : Eq (Nat.ble g f.inf) true) : Nat.Le (place n (num true g hg)) (place n (zero (f := f) false)) :=
    Nat.add_le_add (c := 0) (d := 1) (Nat.mul_le_mul_right 2 (Nat.sub_le f.inf g)) rfl

end Fp

namespace F32

/-! Binary32: the constants are bit patterns. -/

theorem sat_eq (a : F32) : Eq (Fp.sat a) (Fp.minNum (Fp.maxNum a (ofBits 0x00000000)) (ofBits 0x3f800000)) :=
  Fp.sat_eq (f := Format.binary32) (one := 0x3f800000) (h1 := rfl) rfl rfl a

end F32
