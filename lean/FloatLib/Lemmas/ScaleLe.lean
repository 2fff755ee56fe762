prelude
import FloatLib.Lemmas.Monotone
/-!
# Products and quotients by a number that is not negative keep the order; signs of products
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-- A magnitude scaled by `m` and rounded, an infinity kept, keeps the order of signed values. -/
theorem scaled_le {m : Nat → Nat} {q : Nat} (hq : Nat.Lt 0 q) (mono : (a b : Nat) → Nat.Le a b → Nat.Le (m a) (m b)) (at_zero : Eq (m 0) 0)
    (pos : Nat.Lt 0 f.inf) {g h : Nat} (hg : Nat.Le g f.inf) (hh : Nat.Le h f.inf) (s t : Bool) (e : Nat.Le (rank f s g) (rank f t h)) :
    Eq (le (cond (Nat.beq g f.inf) (inf (f := f) s) (round mode s (m (units f g)) q))
      (cond (Nat.beq h f.inf) (inf t) (round mode t (m (units f h)) q))) true :=
  Bool.byCases (Nat.beq g f.inf)
    (fun yes => Eq.trans (congrArg (fun x => le x _) (cond_of_true yes _ _)) (left s e yes))
    (fun no => Eq.trans (congrArg (fun x => le x _) (cond_of_false no _ _)) (Bool.byCases (Nat.beq h f.inf)
      (fun yes => Eq.trans (congrArg (le _) (cond_of_true yes _ _)) (right t e no yes))
      (fun no' => Eq.trans (congrArg (le _) (cond_of_false no' _ _)) (finite s t (units_le_of_rank_le hg hh s t e)))))
where
  number {c : Bool} {t : Bool} {x : Nat} : Eq (cond c (inf (f := f) t) (round mode t x q)).isNan false := isNan_cond_of_notNan rfl rfl
  left : (s : Bool) → Nat.Le (rank f s g) (rank f t h) → Eq (Nat.beq g f.inf) true →
      Eq (le (inf s) (cond (Nat.beq h f.inf) (inf t) (round mode t (m (units f h)) q))) true
    | true, _, _ => negInf_le _ number
    | false, e, yes => have top := inf_of_le hh yes pos e
      Eq.trans (congrArg (le (inf false)) (cond_of_true top.right _ _)) (Eq.trans (congrArg (fun x => le (inf (f := f) false) (inf x)) top.left)
        (le_self (inf false)))
  right : (t : Bool) → Nat.Le (rank f s g) (rank f t h) → Eq (Nat.beq g f.inf) false → Eq (Nat.beq h f.inf) true →
      Eq (le (round mode s (m (units f g)) q) (inf t)) true
    | false, _, _, _ => le_inf _ rfl
    | true, e, no, yes => Bool.not_both (ninf_of_le hg yes pos e).right no
  finite : (s t : Bool) → Nat.Le ((cond s 0 (units f g)).add (cond t (units f h) 0)) ((cond t 0 (units f h)).add (cond s (units f g) 0)) →
      Eq (le (f := f) (round mode s (m (units f g)) q) (round mode t (m (units f h)) q)) true
    | false, false, e => round_le_pos (mono _ _ e)
    | true, true, e => round_le_neg (mono _ _ (Nat.le_of_add_le_add_left 0 e))
    | true, false, _ => round_neg_le_pos _ _ q q
    | false, true, e =>
      have zero : Eq (Nat.add (units f g) (units f h)) 0 := Nat.eq_zero_of_le_zero e
      Nat.le_of_eq (ranks (none false (Nat.eq_zero_of_add_right _ zero)) (none true (Nat.eq_zero_of_add_left _ zero)))
  none (s : Bool) {u : Nat} (e : Eq u 0) : Eq (roundMag f mode s (m u) q) 0 :=
    Eq.trans (congrArg (fun x => roundMag f mode s x q) (Eq.trans (congrArg m e) at_zero)) (roundMag_zero hq)
  ranks {x y : Nat} (hx : Eq x 0) (hy : Eq y 0) : Eq (rank f false x) (rank f true y) :=
    Eq.trans (congrArg (rank f false) hx) (Eq.trans (rank_zero f false) (Eq.symm (Eq.trans (congrArg (rank f true) hy) (rank_zero f true))))

/-- A number is not NaN. -/
theorem nan_absurd {C : Prop} {a : Fp f} (e : Eq a nan) (n : Eq a.isNan false) : C :=
  have yes : Eq a.isNan true := congrArg isNan e
  Bool.not_both yes n

/-! Products. -/

/-- What follows from one zero being at most another follows. -/
theorem le_of_zeros {a b : Fp f} {C : Prop} (ha : Eq a.isZero true) (hb : Eq b.isZero true) (k : Eq (le a b) true → C) : C :=
  isZero_cases a ha
    (fun ea => isZero_cases b hb (fun eb => k (Eq.trans (congrArg2 le ea eb) (Nat.le_refl f.inf))) (fun eb => k (Eq.trans (congrArg2 le ea eb)
      (Nat.le_refl f.inf))))
    (fun ea => isZero_cases b hb (fun eb => k (Eq.trans (congrArg2 le ea eb) (Nat.le_refl f.inf))) (fun eb => k (Eq.trans (congrArg2 le ea eb)
      (Nat.le_refl f.inf))))

/-- A product with a zero is a zero, if it is a number. -/
theorem mul_left_zero {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (g0 : Eq g 0)
    (num' : Eq (mul mode (num s g hg) (num t h hh)).isNan false) : Eq (mul mode (num s g hg) (num t h hh)).isZero true :=
  Bool.byCases ((Nat.beq g f.inf).or (Nat.beq h f.inf))
    (fun yes => nan_absurd (Eq.trans (cond_of_true yes _ _) (cond_of_true (Bool.or_of_true_left (Nat.beq_of_eq g0)) _ _)) num')
    (fun no => Eq.trans (congrArg isZero (cond_of_false no _ _)) (Nat.beq_of_eq (Eq.trans
      (congrArg (fun u => roundMag f mode (s.xor t) (Nat.mul u (units f h)) f.one) (Eq.trans (congrArg (units f) g0) units_zero))
      (Eq.trans (congrArg (fun p => roundMag f mode (s.xor t) p f.one) (Nat.zero_mul (units f h))) (roundMag_zero one_pos)))))

/-- A product with an infinity is an infinity, if it is a number, and then the other factor is no zero. -/
theorem mul_left_inf {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (yes : Eq (Nat.beq g f.inf) true)
    (num' : Eq (mul mode (num s g hg) (num t h hh)).isNan false) : And (Eq (mul mode (num s g hg) (num t h hh)) (inf (s.xor t))) (Nat.Lt 0 h) :=
  have row : Eq (mul mode (num s g hg) (num t h hh)) (cond ((Nat.beq g 0).or (Nat.beq h 0)) nan (inf (s.xor t))) :=
    cond_of_true (Bool.or_of_true_left yes) _ _
  Bool.byCases ((Nat.beq g 0).or (Nat.beq h 0))
    (fun zero => nan_absurd (Eq.trans row (cond_of_true zero _ _)) num')
    (fun no => .intro (Eq.trans row (cond_of_false no _ _)) (Nat.pos_of_ne_zero (Nat.ne_of_beq (Bool.or_eq_false_right no))))

theorem mul_left_finite {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (no : Eq (Nat.beq g f.inf) false)
    (pos : Nat.Lt 0 g) : Eq (mul mode (num s g hg) (num t h hh))
      (cond (Nat.beq h f.inf) (inf (s.xor t)) (round mode (s.xor t) ((units f g).mul (units f h)) f.one)) :=
  Bool.byCases (Nat.beq h f.inf)
    (fun yes => Eq.trans (cond_of_true (Bool.or_of_true_right yes) _ _) (Eq.trans
      (cond_of_false (Bool.or_of_false (Nat.beq_of_gt pos) (beq_zero_of_inf yes (lt_inf_of_beq hg no))) _ _) (Eq.symm (cond_of_true yes _ _))))
    (fun no' => Eq.trans (cond_of_false (Bool.or_of_false no no') _ _) (Eq.symm (cond_of_false no' _ _)))

/-- A value that is not negative has a clear sign bit or is a zero. -/
theorem nonneg_cases {C : Prop} {g : Nat} (hg : Nat.Le g f.inf) : (s : Bool) → Nat.Le f.inf (rank f s g) → (Eq s false → C) → (Eq g 0 → C) → C
  | false, _, plain, _ => plain rfl
  | true, e, _, zero => zero (Nat.eq_zero_of_le_zero (Nat.le_of_not_lt (fun l => Nat.not_lt_of_le e (Nat.sub_lt (Nat.lt_of_lt_of_le l hg) l))))

theorem inf_le_inf {t r : Bool} {h k : Nat} (pos : Nat.Lt 0 h) (e : Nat.Le (rank f t h) (rank f r k)) : Eq (le (inf (f := f) t) (inf r)) true :=
  match t, r, e with
  | true, r, _ => negInf_le (inf r) rfl
  | false, false, _ => le_self (inf false)
  | false, true, e => absurd (Nat.le_trans e (Nat.sub_le f.inf k)) (Nat.not_le_of_lt (Nat.lt_add_of_pos f.inf pos))

theorem mul_le_mul_of_nonneg : (a b c : Fp f) → Eq (le b c) true → Eq (le (zero false) a) true → Eq (mul mode a b).isNan false →
    Eq (mul mode a c).isNan false → Eq (le (mul mode a b) (mul mode a c)) true
  | nan, _, _, _, k, _, _ => (Bool.false_ne_true k).elim
  | num _ _ _, nan, _, h, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, h, _, _, _ => (Bool.false_ne_true h).elim
  | num s g hg, num t _ hh, num r _ hk, e, nonneg, nb, nc =>
    Or.elim (Nat.eq_zero_or_pos g)
      (fun g0 => le_of_zeros (mul_left_zero g0 nb) (mul_left_zero g0 nc) id)
      (fun pos => nonneg_cases hg s nonneg
        (fun plain => Bool.byCases (Nat.beq g f.inf)
          (fun yes => Eq.trans (congrArg2 le (Eq.trans (mul_left_inf yes nb).left (congrArg inf (sign plain t)))
              (Eq.trans (mul_left_inf yes nc).left (congrArg inf (sign plain r)))) (inf_le_inf (mul_left_inf yes nb).right e))
          (fun no => Eq.trans (congrArg2 le (row no pos plain) (row no pos plain))
            (scaled_le one_pos (fun _ _ => Nat.mul_le_mul_right (units f g)) rfl (Nat.pos_of_lt (lt_inf_of_beq hg no)) hh hk t r e)))
        (fun g0 => absurd g0 (Nat.ne_of_gt pos)))
where
  sign {s : Bool} (plain : Eq s false) (t : Bool) : Eq (s.xor t) t := Eq.trans (congrArg (fun x => Bool.xor x t) plain) (Bool.false_xor t)
  row {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (no : Eq (Nat.beq g f.inf) false) (pos : Nat.Lt 0 g)
      (plain : Eq s false) : Eq (mul mode (num s g hg) (num t h hh))
        (cond (Nat.beq h f.inf) (inf t) (round mode t ((units f g).mul (units f h)) f.one)) :=
    Eq.trans (mul_left_finite no pos) (congrArg (fun x => cond (Nat.beq h f.inf) (inf x) (round mode x ((units f g).mul (units f h)) f.one)) (sign plain t))

/-- By a number that is not positive, the order turns. -/
theorem mul_le_mul_of_nonpos (a b c : Fp f) (h : Eq (le b c) true) (k : Eq (le a (zero false)) true) (nb : Eq (mul .rn a b).isNan false)
    (nc : Eq (mul .rn a c).isNan false) : Eq (le (mul .rn a c) (mul .rn a b)) true :=
  have turn (x : Fp f) (n : Eq (mul .rn a x).isNan false) : Eq (mul .rn a.neg x).isNan false :=
    Eq.trans (congrArg isNan (mul_neg_left a x)) (Eq.trans (isNan_neg _) n)
  have plus : Eq (le (zero (f := f) false) a.neg) (le (zero true) a.neg) := posZero_le (zero true) a.neg
  Eq.step (le (mul .rn a c) (mul .rn a b)) (Eq.symm (le_neg_neg (mul .rn a b) (mul .rn a c))) (
  Eq.step (le (mul .rn a b).neg (mul .rn a c).neg) (congrArg2 le (Eq.symm (mul_neg_left a b)) (Eq.symm (mul_neg_left a c))) (
  mul_le_mul_of_nonneg a.neg b c h (Eq.trans plus (Eq.trans (le_neg_neg (zero false) a) k)) (turn b nb) (turn c nc)))

/-! Quotients. -/

theorem div_le_div_of_pos : (a b c : Fp f) → Eq (le b c) true → Eq (lt (zero false) a) true → Eq (div mode b a).isNan false →
    Eq (div mode c a).isNan false → Eq (le (div mode b a) (div mode c a)) true
  | nan, _, _, _, k, _, _ => (Bool.false_ne_true k).elim
  | num _ _ _, nan, _, h, _, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, h, _, _, _ => (Bool.false_ne_true h).elim
  | num true g _, num _ _ _, num _ _ _, _, k, _, _ => absurd k (Nat.not_lt_of_le (Nat.sub_le f.inf g))
  | num false g hg, num t _ hh, num r _ hk, e, above, nb, nc =>
    have pos : Nat.Lt 0 g := Nat.lt_of_add_lt_add_left f.inf above
    Bool.byCases (Nat.beq g f.inf)
      (fun yes => le_of_zeros (by_inf yes nb) (by_inf yes nc) id)
      (fun no => Eq.trans (congrArg2 le (row no pos) (row no pos))
        (scaled_le (m := fun x => Nat.mul x f.one) (units_pos pos) (fun _ _ l => Nat.mul_le_mul_left l f.one) (Nat.zero_mul f.one)
          (Nat.pos_of_lt (lt_inf_of_beq hg no)) hh hk t r e))
where
  by_inf {g h : Nat} {t : Bool} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (yes : Eq (Nat.beq g f.inf) true)
      (num' : Eq (div mode (num t h hh) (num false g hg)).isNan false) : Eq (div mode (num t h hh) (num false g hg)).isZero true :=
    Bool.byCases (Nat.beq h f.inf)
      (fun both => nan_absurd (Eq.trans (cond_of_true both _ _) (cond_of_true yes _ _)) num')
      (fun no => congrArg isZero (Eq.trans (cond_of_false no _ _) (cond_of_true yes _ _)))
  row {g h : Nat} {t : Bool} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (no : Eq (Nat.beq g f.inf) false) (pos : Nat.Lt 0 g) :
      Eq (div mode (num t h hh) (num false g hg)) (cond (Nat.beq h f.inf) (inf t) (round mode t ((units f h).mul f.one) (units f g))) :=
    Eq.trans (congrArg (fun x => cond (Nat.beq h f.inf) (cond (Nat.beq g f.inf) nan (inf x)) (cond (Nat.beq g f.inf) (zero x)
        (cond (Nat.beq g 0) (cond (Nat.beq h 0) nan (inf x)) (round mode x ((units f h).mul f.one) (units f g))))) (Bool.xor_false t))
      (congrArg2 (cond (Nat.beq h f.inf)) (cond_of_false no _ _) (Eq.trans (cond_of_false no _ _) (cond_of_false (Nat.beq_of_gt pos) _ _)))

/-! Signs of products. -/

/-- A square is not negative. -/
theorem zero_le_mul_self (pos : Nat.Lt 0 f.inf) : (a : Fp f) → Eq (le (zero false) (mul mode a a)) a.isNan.not
  | nan => rfl
  | num s g hg => have n : Eq (mul mode (num s g hg) (num s g hg)).isNan false := isNan_mul_self pos (num s g hg)
      plain (Bool.xor_self s) n
where
  plain {c d x : Bool} {p q : Nat} (e : Eq x false) (n : Eq (cond c (cond d nan (inf (f := f) x)) (round mode x p q)).isNan false) :
      Eq (le (zero false) (cond c (cond d nan (inf (f := f) x)) (round mode x p q))) true :=
    match c, d, x, e with
    | true, true, _, _ => (Bool.true_ne_false n).elim
    | true, false, false, _ => Nat.le_add_right f.inf _
    | false, _, false, _ => Nat.le_add_right f.inf _
    | _, _, true, e => (Bool.true_ne_false e).elim

theorem mul_self_lt_zero : (a : Fp f) → Eq (lt (mul mode a a) (zero false)) false
  | nan => rfl
  | num s _ _ => plain (Bool.xor_self s)
where
  plain {c d x : Bool} {p q : Nat} (e : Eq x false) : Eq (lt (cond c (cond d nan (inf (f := f) x)) (round mode x p q)) (zero false)) false :=
    match c, d, x, e with
    | true, true, _, _ => rfl
    | true, false, false, _ => Nat.blt_of_le (Nat.le_add_right f.inf _)
    | false, _, false, _ => Nat.blt_of_le (Nat.le_add_right f.inf _)
    | _, _, true, e => (Bool.true_ne_false e).elim

end Fp

namespace F32

variable {mode : Mode}

theorem mul_le_mul_of_nonneg (a b c : F32) (h : Eq (Fp.le b c) true) (k : Eq (Fp.le (ofBits 0x00000000) a) true) (nb : Eq (Fp.mul mode a b).isNan false)
    (nc : Eq (Fp.mul mode a c).isNan false) : Eq (Fp.le (Fp.mul mode a b) (Fp.mul mode a c)) true := Fp.mul_le_mul_of_nonneg a b c h k nb nc

theorem mul_le_mul_of_nonpos (a b c : F32) (h : Eq (Fp.le b c) true) (k : Eq (Fp.le a (ofBits 0x00000000)) true) (nb : Eq (Fp.mul .rn a b).isNan false)
    (nc : Eq (Fp.mul .rn a c).isNan false) : Eq (Fp.le (Fp.mul .rn a c) (Fp.mul .rn a b)) true := Fp.mul_le_mul_of_nonpos a b c h k nb nc

theorem div_le_div_of_pos (a b c : F32) (h : Eq (Fp.le b c) true) (k : Eq (Fp.lt (ofBits 0x00000000) a) true) (nb : Eq (Fp.div mode b a).isNan false)
    (nc : Eq (Fp.div mode c a).isNan false) : Eq (Fp.le (Fp.div mode b a) (Fp.div mode c a)) true := Fp.div_le_div_of_pos a b c h k nb nc

theorem zero_le_mul_self (a : F32) : Eq (Fp.le (ofBits 0x00000000) (Fp.mul mode a a)) a.isNan.not :=
  Fp.zero_le_mul_self (f := Format.binary32) rfl a

theorem mul_self_lt_zero (a : F32) : Eq (Fp.lt (Fp.mul mode a a) (ofBits 0x00000000)) false := Fp.mul_self_lt_zero a

end F32
