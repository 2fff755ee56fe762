prelude
import FloatLib.Lemmas.AbsArith
import FloatLib.Lemmas.Monotone
/-!
# The sign of a sum is exact

However a sum rounds, it is below zero exactly when one term is below the other's opposite: a difference that is not zero has at least
one unit. So `a - b < 0` is `a < b`, with infinities and NaN too.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem zero_lt_inf_of_one (one : Nat.Lt 1 f.inf) : Nat.Lt 0 f.inf := Nat.pos_of_lt one

/-- The sign decides how an infinity compares with zero. -/
theorem inf_lt_zero {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (yes : Eq (Nat.beq g f.inf) true) (pos : Nat.Lt 0 f.inf) :
    (s : Bool) → Eq (lt (num s g hg) (zero false)) s
  | true => Nat.lt_of_le_of_lt (Nat.le_of_eq (Eq.trans (congrArg (rank f true) (Nat.eq_of_beq _ _ yes)) (Nat.sub_self f.inf))) pos
  | false => Nat.blt_of_le (Nat.le_add_right f.inf g)

theorem lt_of_left_inf {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (yes : Eq (Nat.beq g f.inf) true) (pos : Nat.Lt 0 f.inf) {t : Bool} {h : Nat}
    {hh : Eq (Nat.ble h f.inf) true} : (s : Bool) → Eq ((Nat.beq h f.inf).and (Bool.beq s t)) false → Eq (lt (num s g hg) (num t h hh)) s
  | false, _ => Nat.blt_of_le (Nat.le_trans (rank_le t h) (Nat.add_le_add_left (Nat.le_trans hh (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes)))) f.inf))
  | true, no => Nat.lt_of_le_of_lt (Nat.le_of_eq (Eq.trans (congrArg (rank f true) (Nat.eq_of_beq _ _ yes)) (Nat.sub_self f.inf))) (above t no)
where
  above : (t : Bool) → Eq ((Nat.beq h f.inf).and (Bool.beq true t)) false → Nat.Lt 0 (rank f t h)
    | false, _ => Nat.add_pos_left pos h
    | true, no => Nat.sub_pos_of_lt (Nat.lt_of_le_of_ne hh (Nat.ne_of_beq (Eq.trans (Eq.symm (Bool.and_true _)) no)))

theorem lt_of_right_inf {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (yes : Eq (Nat.beq g f.inf) true) {t : Bool} {h : Nat}
    {hh : Eq (Nat.ble h f.inf) true} (fin : Nat.Lt h f.inf) : (s : Bool) → Eq (lt (num t h hh) (num s.not g hg)) s
  | true => Nat.lt_of_le_of_lt (rank_le t h) (Nat.add_lt_add_left (Nat.lt_of_lt_of_le fin (Nat.le_of_eq (Eq.symm (Nat.eq_of_beq _ _ yes)))) f.inf)
  | false => Nat.blt_of_le (Nat.le_trans (Nat.le_of_eq (Eq.trans (congrArg (rank f true) (Nat.eq_of_beq _ _ yes)) (Nat.sub_self f.inf)))
      (Nat.zero_le (rank f t h)))

/-- A difference of natural numbers is below zero when it is. -/
theorem diff_lt_zero (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (P N : Nat) :
    Eq (lt (f := f) (round mode (Nat.blt P N) ((P.sub N).add (N.sub P)) 1) (zero false)) (Nat.blt P N) :=
  Or.elim (Nat.lt_or_ge P N)
    (fun l => Eq.trans (congrArg (fun x => lt x (zero false)) (diff_of_lt l)) (Eq.trans
      (Nat.sub_lt (zero_lt_inf_of_one one) (roundMag_pos rfl one mant (Nat.sub_pos_of_lt l))) (Eq.symm l)))
    (fun g => Eq.trans (congrArg (fun x => lt x (zero false)) (diff_of_ge g)) (Eq.trans
      (Nat.blt_of_le (Nat.le_add_right f.inf _)) (Eq.symm (Nat.blt_of_le g))))

theorem add_lt_zero (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) : (a b : Fp f) → Eq (lt (add mode a b) (zero false)) (lt a b.neg)
  | nan, _ => rfl
  | num _ _ _, nan => rfl
  | num s g hg, num t h hh =>
    Bool.byCases (Nat.beq g f.inf)
      (fun yes => Bool.byCases ((Nat.beq h f.inf).and (s.xor t))
        (fun both => Eq.trans (congrArg (fun x => lt x (zero false)) (Eq.trans (cond_of_true yes _ _) (cond_of_true both _ _)))
          (Eq.symm (Nat.blt_of_le (Nat.le_of_eq (congrArg2 (rank f) (Eq.symm (opposite s t (Bool.and_eq_true_right both)))
            (Eq.trans (Nat.eq_of_beq _ _ (Bool.and_eq_true_left both)) (Eq.symm (Nat.eq_of_beq _ _ yes))))))))
        (fun no => Eq.trans (congrArg (fun x => lt x (zero false)) (Eq.trans (cond_of_true yes _ _) (cond_of_false no _ _)))
          (Eq.trans (inf_lt_zero yes (zero_lt_inf_of_one one) s) (Eq.symm (lt_of_left_inf yes (zero_lt_inf_of_one one) s
            (Eq.trans (congrArg (Bool.and _) (beq_not s t)) no))))))
      (fun no => Bool.byCases (Nat.beq h f.inf)
        (fun yes => Eq.trans (congrArg (fun x => lt x (zero false)) (add_right_inf no yes))
          (Eq.trans (inf_lt_zero yes (zero_lt_inf_of_one one) t) (Eq.symm (lt_of_right_inf yes (lt_inf_of_beq hg no) t))))
        (fun no' => Eq.step (lt (add mode (num s g hg) (num t h hh)) (zero false))
            (Eq.trans (congrArg (fun x => lt x (zero false)) (add_finite no no')) (Eq.trans (Eq.symm (posZero_lt _ (zero false)))
              (Eq.trans (congrArg (fun x => lt x (zero false)) (roundSum_split (q := 1) rfl s (units f g) t (units f h))) (posZero_lt _ (zero false))))) (
          Eq.trans (diff_lt_zero one mant _ _) (Eq.symm (finite hg hh s t)))))
where
  opposite : (s t : Bool) → Eq (s.xor t) true → Eq s t.not
    | true, true, h => (Bool.false_ne_true h).elim
    | true, false, _ => rfl
    | false, true, _ => rfl
    | false, false, h => (Bool.false_ne_true h).elim
  beq_not : (s t : Bool) → Eq (Bool.beq s t.not) (s.xor t)
    | true, true => rfl
    | true, false => rfl
    | false, true => rfl
    | false, false => rfl
  up (v : Nat) : (t : Bool) → Eq (cond t.not 0 v) (cond t v 0)
    | true => rfl
    | false => rfl
  down (v : Nat) : (t : Bool) → Eq (cond t.not v 0) (cond t 0 v)
    | true => rfl
    | false => rfl
  finite {g h : Nat} (hg : Nat.Le g f.inf) (hh : Nat.Le h f.inf) (s t : Bool) : Eq (Nat.blt (rank f s g) (rank f t.not h))
      (Nat.blt ((cond s 0 (units f g)).add (cond t 0 (units f h))) ((cond s (units f g) 0).add (cond t (units f h) 0))) :=
    Bool.eq_of_iff
      (fun l => Nat.lt_of_lt_of_le (Nat.lt_of_le_of_lt (Nat.le_of_eq (congrArg (Nat.add _) (Eq.symm (down (units f h) t))))
        (units_lt_of_rank_lt hg s t.not l)) (Nat.le_of_eq (Eq.trans (Nat.add_comm _ _) (congrArg (Nat.add _) (up (units f h) t)))))
      (fun l => Nat.lt_of_not_le (fun e => Nat.not_le_of_lt l (Nat.le_trans
        (Nat.le_of_eq (Eq.trans (Nat.add_comm _ _) (congrArg (fun x => Nat.add x _) (Eq.symm (up (units f h) t)))))
        (Nat.le_trans (units_le_of_rank_le hh hg t.not s e) (Nat.le_of_eq (congrArg (Nat.add _) (down (units f h) t)))))))

theorem lt_zero_zero (a : Fp f) : Eq (lt a (zero true)) (lt a (zero false)) := Eq.symm (lt_posZero a (zero true))

theorem zero_lt_add (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (a b : Fp f) : Eq (lt (zero false) (add .rn a b)) (lt b.neg a) :=
  Eq.step (lt (zero false) (add .rn a b)) (Eq.symm (lt_neg_neg (add .rn a b) (zero false))) (
  Eq.step (lt (add .rn a b).neg (zero true)) (lt_zero_zero _) (
  Eq.step (lt (add .rn a b).neg (zero false)) (Eq.symm (posZero_lt _ (zero false))) (
  Eq.step (lt (add .rn a b).neg.posZero (zero false)) (congrArg (fun x => lt x (zero false)) (posZero_neg_add a b)) (
  Eq.step (lt (add .rn a.neg b.neg).posZero (zero false)) (posZero_lt _ (zero false)) (
  Eq.step (lt (add .rn a.neg b.neg) (zero false)) (add_lt_zero one mant a.neg b.neg) (
  Eq.step (lt a.neg b.neg.neg) (congrArg (lt a.neg) (neg_neg b)) (
  Eq.step (lt a.neg b) (lt_neg_left a b) (
  Eq.done (lt b.neg a)))))))))

/-! The same for `le`, if the sum is a number. -/

theorem not_lt : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (lt a b).not (le b a)
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g _, num t h _, _, _ => Nat.not_blt (rank f s g) (rank f t h)

theorem notNan_left_of_add : (a b : Fp f) → Eq (add mode a b).isNan false → Eq a.isNan false
  | nan, _, h => h
  | num _ _ _, _, _ => rfl

theorem notNan_right_of_add : (a b : Fp f) → Eq (add mode a b).isNan false → Eq b.isNan false
  | nan, _, h => (Bool.true_ne_false h).elim
  | num _ _ _, nan, h => h
  | num _ _ _, num _ _ _, _ => rfl

theorem zero_le_add (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (a b : Fp f) (h : Eq (add mode a b).isNan false) :
    Eq (le (zero false) (add mode a b)) (le b.neg a) :=
  Eq.trans (Eq.symm (not_lt (add mode a b) (zero false) h rfl)) (Eq.trans (congrArg Bool.not (add_lt_zero one mant a b))
    (not_lt a b.neg (notNan_left_of_add a b h) (Eq.trans (isNan_neg b) (notNan_right_of_add a b h))))

theorem add_le_zero (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (a b : Fp f) (h : Eq (add .rn a b).isNan false) :
    Eq (le (add .rn a b) (zero false)) (le a b.neg) :=
  Eq.trans (Eq.symm (not_lt (zero false) (add .rn a b) rfl h)) (Eq.trans (congrArg Bool.not (zero_lt_add one mant a b))
    (not_lt b.neg a (Eq.trans (isNan_neg b) (notNan_right_of_add a b h)) (notNan_left_of_add a b h)))

theorem add_eq_zero (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (a b : Fp f) (h : Eq (add .rn a b).isNan false) :
    Eq (eq (add .rn a b) (zero false)) (eq a b.neg) :=
  Eq.trans (eq_eq_and _ _) (Eq.trans (congrArg2 Bool.and (add_le_zero one mant a b h) (zero_le_add one mant a b h)) (Eq.symm (eq_eq_and a b.neg)))

/-! The opposite of a sum that is not zero is the sum of the opposites. -/

theorem eq_neg_zero (a : Fp f) : Eq (eq a.neg (zero false)) (eq a (zero false)) :=
  Eq.trans (eq_neg_neg a (zero true)) (Eq.symm (eq_posZero a (zero true)))

theorem neg_add_of_ne (one : Nat.Lt 1 f.inf) (mant : Nat.Lt 1 (Nat.pow 2 f.mant)) (a b : Fp f) (h : Eq (eq a b.neg) false) :
    Eq (add .rn a b).neg (add .rn a.neg b.neg) :=
  have nans : Eq (add .rn a.neg b.neg).isNan (add .rn a b).isNan := Eq.trans (Eq.symm (isNan_posZero _)) (Eq.trans
    (congrArg isNan (Eq.symm (posZero_neg_add a b))) (Eq.trans (isNan_posZero _) (isNan_neg _)))
  Bool.byCases (add .rn a b).isNan
    (fun yes => Eq.trans (congrArg neg (eq_nan_of_isNan _ yes)) (Eq.symm (eq_nan_of_isNan _ (Eq.trans nans yes))))
    (fun no => Eq.step (add .rn a b).neg (Eq.symm (posZero_of_ne _ (Eq.trans (eq_neg_zero _) (Eq.trans (add_eq_zero one mant a b no) h)))) (
      Eq.step (add .rn a b).neg.posZero (posZero_neg_add a b) (
      Eq.step (add .rn a.neg b.neg).posZero (posZero_of_ne _ (Eq.trans (add_eq_zero one mant a.neg b.neg (Eq.trans nans no))
        (Eq.trans (eq_neg_neg a b.neg) h))) (
      Eq.done (add .rn a.neg b.neg)))))

end Fp

namespace F32

variable {mode : Mode}

theorem add_lt_zero (a b : F32) : Eq (Fp.lt (Fp.add mode a b) (ofBits 0x00000000)) (Fp.lt a b.neg) :=
  Fp.add_lt_zero (f := Format.binary32) rfl rfl a b

theorem zero_lt_add (a b : F32) : Eq (Fp.lt (ofBits 0x00000000) (Fp.add .rn a b)) (Fp.lt b.neg a) :=
  Fp.zero_lt_add (f := Format.binary32) rfl rfl a b

theorem zero_le_add (a b : F32) (h : Eq (Fp.add mode a b).isNan false) : Eq (Fp.le (ofBits 0x00000000) (Fp.add mode a b)) (Fp.le b.neg a) :=
  Fp.zero_le_add (f := Format.binary32) rfl rfl a b h

theorem add_le_zero (a b : F32) (h : Eq (Fp.add .rn a b).isNan false) : Eq (Fp.le (Fp.add .rn a b) (ofBits 0x00000000)) (Fp.le a b.neg) :=
  Fp.add_le_zero (f := Format.binary32) rfl rfl a b h

theorem add_eq_zero (a b : F32) (h : Eq (Fp.add .rn a b).isNan false) : Eq (Fp.eq (Fp.add .rn a b) (ofBits 0x00000000)) (Fp.eq a b.neg) :=
  Fp.add_eq_zero (f := Format.binary32) rfl rfl a b h

theorem neg_add_of_ne (a b : F32) (h : Eq (Fp.eq a b.neg) false) : Eq (Fp.add .rn a b).neg (Fp.add .rn a.neg b.neg) :=
  Fp.neg_add_of_ne (f := Format.binary32) rfl rfl a b h

end F32
