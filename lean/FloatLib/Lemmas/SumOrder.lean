prelude
import FloatLib.Lemmas.Commute
import FloatLib.Lemmas.Invalid
import FloatLib.Lemmas.RoundOrder
/-!
# Sums keep the order

A signed magnitude `s`, `u` is the difference of `cond s 0 u` and `cond s u 0`, so a sum of two is a difference `p - n`, and its rounded
value has rank `f.inf + [p - n] - [n - p]`, one of the two differences being zero (`roundSum_cases`). That grows with `p` and falls with `n`.
-/

noncomputable section

theorem Nat.sub_le_sub_of_add_le {p n p' n' : Nat} (h : Le (add p n') (add p' n)) : Le (sub p n) (sub p' n') :=
  sub_le_of_le_add (le_of_add_le_add_right n' (le_trans h (le_trans
    (add_le_add_right (le_add_of_sub_le (le_refl (sub p' n'))) n)
    (le_of_eq (Eq.trans (add_assoc n' (sub p' n') n) (Eq.trans (add_comm n' _) (congrArg (fun x => add x n') (add_comm (sub p' n') n))))))))

namespace Fp

variable {f : Format} {mode : Mode}

/-! The rank of a rounded sum. -/

/-- Where the difference is not negative. -/
theorem rank_of_le {q p n : Nat} (pos : Nat.Lt 0 q) (h : Nat.Le n p) :
    Eq ((f.inf.add (roundMag f mode false (p.sub n) q)).sub (roundMag f mode true (n.sub p) q)) (rank f false (roundMag f mode false (p.sub n) q)) :=
  congrArg (Nat.sub (f.inf.add (roundMag f mode false (p.sub n) q)))
    (Eq.trans (congrArg (fun x => roundMag f mode true x q) (Nat.sub_eq_zero_of_le h)) (roundMag_zero pos))

/-- Where it is not positive. -/
theorem rank_of_ge {q p n : Nat} (pos : Nat.Lt 0 q) (h : Nat.Le p n) :
    Eq ((f.inf.add (roundMag f mode false (p.sub n) q)).sub (roundMag f mode true (n.sub p) q)) (rank f true (roundMag f mode true (n.sub p) q)) :=
  congrArg (fun x => (Nat.add f.inf x).sub (roundMag f mode true (n.sub p) q))
    (Eq.trans (congrArg (fun x => roundMag f mode false x q) (Nat.sub_eq_zero_of_le h)) (roundMag_zero pos))

/-- Where it is zero. -/
theorem rank_of_eq {q p n : Nat} (pos : Nat.Lt 0 q) (h : Eq p n) (s : Bool) :
    Eq (rank f s 0) ((f.inf.add (roundMag f mode false (p.sub n) q)).sub (roundMag f mode true (n.sub p) q)) :=
  Eq.trans (rank_zero f s) (Eq.symm (Eq.trans (rank_of_le pos (Nat.le_of_eq (Eq.symm h)))
    (congrArg (Nat.add f.inf) (Eq.trans (congrArg (fun x => roundMag f mode false x q) (Nat.sub_eq_zero_of_le (Nat.le_of_eq h))) (roundMag_zero pos)))))

theorem roundSum_cases {C : Fp f → Prop} {q : Nat} (pos : Nat.Lt 0 q) (s : Bool) (u : Nat) (t : Bool) (v : Nat)
    (k : (n : Bool) → (g : Nat) → (h : Eq (Nat.ble g f.inf) true) → Eq (rank f n g)
      ((f.inf.add (roundMag f mode false ((Nat.add (cond s 0 u) (cond t 0 v)).sub (Nat.add (cond s u 0) (cond t v 0))) q)).sub
        (roundMag f mode true ((Nat.add (cond s u 0) (cond t v 0)).sub (Nat.add (cond s 0 u) (cond t 0 v))) q)) → C (num n g h)) :
    C (roundSum mode s u t v q) :=
  match s, t, k with
  | false, false, k => k false _ _ (Eq.symm (rank_of_le (p := u.add v) (n := 0) pos (Nat.zero_le _)))
  | true, true, k =>
    k true _ _ (Eq.symm (rank_of_ge (p := 0) (n := u.add v) pos (Nat.zero_le _)))
  | false, true, k => differ u v false true (fun n g h e => k n g h (Eq.trans e (congrArg
      (fun n => (f.inf.add (roundMag f mode false (u.sub n) q)).sub (roundMag f mode true (Nat.sub n u) q)) (Eq.symm (Nat.zero_add v)))))
      (fun n same => rank_of_eq pos same n) (rank_of_le pos) (rank_of_ge pos)
  | true, false, k => differ u v true false (fun n g h e => k n g h (Eq.trans e (congrArg
      (fun p => (f.inf.add (roundMag f mode false (Nat.sub p u) q)).sub (roundMag f mode true (u.sub p) q)) (Eq.symm (Nat.zero_add v)))))
      (fun n same => rank_of_eq pos (Eq.symm same) n) (rank_of_ge pos) (rank_of_le pos)
where
  /-- Terms of different signs. -/
  differ {S : Nat} (u v : Nat) (s t : Bool) (k : (n : Bool) → (g : Nat) → (h : Eq (Nat.ble g f.inf) true) → Eq (rank f n g) S → C (num n g h))
      (z : (n : Bool) → Eq u v → Eq (rank f n 0) S) (first : Nat.Le v u → Eq S (rank f s (roundMag f mode s (u.sub v) q)))
      (second : Nat.Le u v → Eq S (rank f t (roundMag f mode t (v.sub u) q))) :
      C (cond (Nat.beq u v) (zero mode.zeroNeg) (cond (Nat.blt v u) (round mode s (u.sub v) q) (round mode t (v.sub u) q))) :=
    Nat.byOrder u v
      (fun less => Eq.subst (motive := C) (Eq.symm (Eq.trans (cond_of_false (Nat.beq_of_lt less) _ _) (cond_of_false (Nat.blt_of_le (Nat.le_of_lt less)) _ _)))
        (k t _ _ (Eq.symm (second (Nat.le_of_lt less)))))
      (fun same => Eq.subst (motive := C) (Eq.symm (cond_of_true (Nat.beq_of_eq same) _ _)) (k mode.zeroNeg 0 rfl (z mode.zeroNeg same)))
      (fun more => Eq.subst (motive := C) (Eq.symm (Eq.trans (cond_of_false (Nat.beq_of_gt more) _ _) (cond_of_true more _ _)))
        (k s _ _ (Eq.symm (first (Nat.le_of_lt more)))))

/-- Larger sums round to larger values. -/
theorem roundSum_le_of_le {q : Nat} (pos : Nat.Lt 0 q) {s t s' t' : Bool} {u v u' v' : Nat}
    (h : Nat.Le (Nat.add (cond s 0 u) (cond s' u' 0)) (Nat.add (cond s' 0 u') (cond s u 0)))
    (k : Nat.Le (Nat.add (cond t 0 v) (cond t' v' 0)) (Nat.add (cond t' 0 v') (cond t v 0))) :
    Eq (le (roundSum (f := f) mode s u t v q) (roundSum mode s' u' t' v' q)) true :=
  have total : Nat.Le (Nat.add (Nat.add (cond s 0 u) (cond t 0 v)) (Nat.add (cond s' u' 0) (cond t' v' 0)))
      (Nat.add (Nat.add (cond s' 0 u') (cond t' 0 v')) (Nat.add (cond s u 0) (cond t v 0))) :=
    Nat.le_trans (Nat.le_of_eq (Nat.add_add_add_comm _ _ _ _)) (Nat.le_trans (Nat.add_le_add h k) (Nat.le_of_eq (Nat.add_add_add_comm _ _ _ _)))
  roundSum_cases (C := fun x => Eq (le x (roundSum mode s' u' t' v' q)) true) pos s u t v (fun n g hg e =>
    roundSum_cases (C := fun y => Eq (le (num n g hg) y) true) pos s' u' t' v' (fun n' g' _ e' =>
      Nat.le_trans (a := rank f n g) (c := rank f n' g') (Nat.le_of_eq e) (Nat.le_trans
        (Nat.le_trans (Nat.sub_le_sub_right (Nat.add_le_add_left (roundMag_le_left (Nat.sub_le_sub_of_add_le total) q) f.inf) _)
          (Nat.sub_le_sub_left _ (roundMag_le_left (Nat.sub_le_sub_of_add_le (Nat.le_trans (Nat.le_of_eq (Nat.add_comm _ _))
            (Nat.le_trans total (Nat.le_of_eq (Nat.add_comm _ _))))) q)))
        (Nat.le_of_eq (Eq.symm e')))))

/-! Worth with a sign grows with rank. -/

theorem signed_units_le {g g' : Nat} (hg : Nat.Le g f.inf) (hg' : Nat.Le g' f.inf) : (s s' : Bool) → Nat.Le (rank f s g) (rank f s' g') →
    Nat.Le (Nat.add (cond s 0 (units f g)) (cond s' (units f g') 0)) (Nat.add (cond s' 0 (units f g')) (cond s (units f g) 0))
  | false, false, h => units_le (Nat.le_of_add_le_add_left f.inf h)
  | true, false, _ => Nat.zero_le _
  | true, true, h => Nat.add_le_add_left (units_le (Nat.le_of_add_le_add_left (f.inf.sub g)
      (Nat.le_trans (Nat.add_le_add_right h g') (Nat.le_of_eq (Eq.trans (Nat.sub_add_cancel hg') (Eq.symm (Nat.sub_add_cancel hg))))))) 0
  | false, true, h =>
    have low : Eq g 0 := Nat.eq_zero_of_le_zero (Nat.le_of_add_le_add_left f.inf (Nat.le_trans h (Nat.sub_le f.inf g')))
    have high : Eq g' 0 := Nat.eq_zero_of_le_zero (Nat.le_of_add_le_add_left f.inf (Nat.add_le_of_le_sub hg' (Nat.le_trans (Nat.le_add_right f.inf g) h)))
    Nat.le_of_eq (Eq.trans (congrArg2 (fun x y => Nat.add (units f x) (units f y)) low high) (congrArg2 Nat.add units_zero units_zero))

/-! Infinities. -/

theorem inf_cases {C : Prop} : (a : Fp f) → Eq a.isNan false → (Eq a (inf true) → C) → (Eq a (inf false) → C) → (Eq a.isFinite true → C) → C
  | nan, h, _, _, _ => (Bool.true_ne_false h).elim
  | num s g hg, _, low, high, fin => Bool.byCases (Nat.beq g f.inf)
      (fun yes => match s, low, high with
        | true, low, _ => low (eq_inf_of_beq yes)
        | false, _, high => high (eq_inf_of_beq yes))
      (fun no => fin (lt_inf_of_beq hg no))

theorem add_inf_left (s : Bool) : (c : Fp f) → Eq (add mode (inf s) c).isNan false → Eq (add mode (inf s) c) (inf s)
  | nan, h => (Bool.true_ne_false h).elim
  | num t h _, n => rows (Nat.beq h f.inf) (s.xor t) (Eq.trans (congrArg isNan (Eq.symm (cond_of_true (Nat.beq_self f.inf) _ _))) n)
      (cond_of_true (Nat.beq_self f.inf) _ _)
where
  rows {x y : Fp f} (d b : Bool) (n : Eq (cond (d.and b) nan x).isNan false) (e : Eq y (cond (d.and b) nan x)) : Eq y x :=
    match d, b, n, e with
    | true, true, n, _ => (Bool.true_ne_false n).elim
    | true, false, _, e => e
    | false, _, _, e => e

theorem add_inf_right (s : Bool) (c : Fp f) (n : Eq (add mode c (inf s)).isNan false) : Eq (add mode c (inf s)) (inf s) :=
  Eq.trans (add_comm c (inf s)) (add_inf_left s c (Eq.trans (congrArg isNan (add_comm (inf s) c)) n))

theorem not_le_negInf (pos : Nat.Lt 0 f.inf) (a : Fp f) (fin : Eq a.isFinite true) (h : Eq (le a (inf true)) true) : False :=
  Bool.not_both (Eq.trans (congrArg isFinite (Eq.symm (eq_of_le_of_le a (inf true) h (negInf_le a (notNan_left_of_le a (inf true) h)) pos))) fin)
    (Nat.blt_self f.inf)

theorem eq_posInf (pos : Nat.Lt 0 f.inf) (a : Fp f) (h : Eq (le (inf false) a) true) : Eq a (inf false) :=
  eq_of_le_of_le a (inf false) (le_inf a (notNan_right_of_le (inf false) a h)) h pos

theorem le_of_eq_negInf {x y : Fp f} (e : Eq x (inf true)) (n : Eq y.isNan false) : Eq (le x y) true :=
  Eq.trans (congrArg (fun z => le z y) e) (negInf_le y n)

theorem le_of_eq_posInf {x y : Fp f} (e : Eq y (inf false)) (n : Eq x.isNan false) : Eq (le x y) true :=
  Eq.trans (congrArg (le x) e) (le_inf x n)

/-! Sums. -/

theorem add_le_finite : (a b c d : Fp f) → Eq a.isFinite true → Eq b.isFinite true → Eq c.isFinite true → Eq d.isFinite true →
    Eq (le a b) true → Eq (le c d) true → Eq (le (add mode a c) (add mode b d)) true
  | nan, _, _, _, h, _, _, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, nan, _, _, _, h, _, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, _, _, _, h, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, num _ _ _, nan, _, _, _, h, _, _ => (Bool.false_ne_true h).elim
  | num s _ hg, num s' _ hg', num t _ hh, num t' _ hh', fg, fg', fh, fh', le₁, le₂ =>
    Eq.trans (congrArg2 le (Eq.trans (cond_of_false (Nat.beq_of_lt fg) _ _) (cond_of_false (Nat.beq_of_lt fh) _ _))
        (Eq.trans (cond_of_false (Nat.beq_of_lt fg') _ _) (cond_of_false (Nat.beq_of_lt fh') _ _)))
      (roundSum_le_of_le (q := 1) rfl (signed_units_le hg hg' s s' le₁) (signed_units_le hh hh' t t' le₂))

/-- A sum grows with both terms. -/
theorem add_le_of_le (pos : Nat.Lt 0 f.inf) (a b c d : Fp f) (h₁ : Eq (le a b) true) (h₂ : Eq (le c d) true)
    (n₁ : Eq (add mode a c).isNan false) (n₂ : Eq (add mode b d).isNan false) : Eq (le (add mode a c) (add mode b d)) true :=
  inf_cases a (notNan_left_of_le a b h₁)
    (fun e => le_of_eq_negInf (eq_left e n₁) n₂)
    (fun e => le_of_eq_posInf (eq_left (eq_posInf pos b (Eq.trans (congrArg (fun x => le x b) (Eq.symm e)) h₁)) n₂) n₁)
    (fun fa => inf_cases c (notNan_left_of_le c d h₂)
      (fun e => le_of_eq_negInf (eq_right e n₁) n₂)
      (fun e => le_of_eq_posInf (eq_right (eq_posInf pos d (Eq.trans (congrArg (fun x => le x d) (Eq.symm e)) h₂)) n₂) n₁)
      (fun fc => inf_cases b (notNan_right_of_le a b h₁)
        (fun e => (not_le_negInf pos a fa (Eq.trans (congrArg (le a) (Eq.symm e)) h₁)).elim)
        (fun e => le_of_eq_posInf (eq_left e n₂) n₁)
        (fun fb => inf_cases d (notNan_right_of_le c d h₂)
          (fun e => (not_le_negInf pos c fc (Eq.trans (congrArg (le c) (Eq.symm e)) h₂)).elim)
          (fun e => le_of_eq_posInf (eq_right e n₂) n₁)
          (fun fd => add_le_finite a b c d fa fb fc fd h₁ h₂))))
where
  eq_left {x y : Fp f} {s : Bool} (e : Eq x (inf s)) (n : Eq (add mode x y).isNan false) : Eq (add mode x y) (inf s) :=
    Eq.trans (congrArg (fun z => add mode z y) e) (add_inf_left s y (Eq.trans (congrArg (fun z => isNan (add mode z y)) (Eq.symm e)) n))
  eq_right {x y : Fp f} {s : Bool} (e : Eq y (inf s)) (n : Eq (add mode x y).isNan false) : Eq (add mode x y) (inf s) :=
    Eq.trans (congrArg (add mode x) e) (add_inf_right s x (Eq.trans (congrArg (fun z => isNan (add mode x z)) (Eq.symm e)) n))

theorem sub_le_of_le (pos : Nat.Lt 0 f.inf) (a b c d : Fp f) (h₁ : Eq (le a b) true) (h₂ : Eq (le d c) true)
    (n₁ : Eq (sub mode a c).isNan false) (n₂ : Eq (sub mode b d).isNan false) : Eq (le (sub mode a c) (sub mode b d)) true :=
  add_le_of_le pos a b c.neg d.neg h₁ (Eq.trans (le_neg_neg c d) h₂) n₁ n₂

end Fp
