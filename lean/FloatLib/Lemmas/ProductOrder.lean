prelude
import FloatLib.Lemmas.Sign
import FloatLib.Lemmas.SumOrder
/-!
# Signs and order of products

A value is not negative if its sign is plus or if it is `-0` (`zero_le_cases`). Results must not be NaN: `0 * inf` is the only trouble.
What holds for values that are not negative gives, by opposites, what holds for those that are not positive.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem zero_le_cases {C : Prop} : (a : Fp f) → Eq (le (zero false) a) true → ((g : Nat) → (hg : Eq (Nat.ble g f.inf) true) → Eq a (num false g hg) → C) →
    (Eq a (zero true) → C) → C
  | nan, h, _, _ => (Bool.false_ne_true h).elim
  | num false g hg, _, plus, _ => plus g hg rfl
  | num true _ hg, h, _, minus =>
    minus (num_congr rfl (Nat.eq_zero_of_le_zero (Nat.le_of_add_le_add_left f.inf (Nat.add_le_of_le_sub hg h))))

theorem zero_le_num (g : Nat) (hg : Eq (Nat.ble g f.inf) true) : Eq (le (zero false) (num false g hg)) true := Nat.le_add_right f.inf g

/-- Both zeros compare alike. -/
theorem zero_le_sign (s : Bool) : (a : Fp f) → Eq (le (zero s) a) (le (zero false) a)
  | nan => rfl
  | num t g _ => congrArg (fun x => Nat.ble x (rank f t g)) (rank_zero f s)

theorem le_zero_sign (s : Bool) : (a : Fp f) → Eq (le a (zero s)) (le a (zero false))
  | nan => rfl
  | num t g _ => congrArg (Nat.ble (rank f t g)) (rank_zero f s)

theorem neg_nonneg (a : Fp f) : Eq (le (zero false) a.neg) (le a (zero false)) :=
  Eq.trans (Eq.symm (zero_le_sign true a.neg)) (le_neg_neg (zero false) a)

theorem neg_nonpos (a : Fp f) : Eq (le a.neg (zero false)) (le (zero false) a) :=
  Eq.trans (Eq.symm (le_zero_sign true a.neg)) (le_neg_neg a (zero false))

theorem nonneg_of_pos (a : Fp f) (h : Eq (lt (zero false) a) true) : Eq (le (zero false) a) true := le_of_lt (zero false) a h

/-! The sign of a product. -/

/-- A zero times anything is a zero, unless it is NaN. -/
theorem zero_mul_cases {C : Fp f → Prop} (s : Bool) : (c : Fp f) → Eq (mul mode (zero s) c).isNan false →
    (k : (t : Bool) → C (zero t)) → C (mul mode (zero s) c)
  | nan, n, _ => (Bool.true_ne_false n).elim
  | num t h _, n, k => Bool.byCases ((Nat.beq 0 f.inf).or (Nat.beq h f.inf))
      (fun yes => Bool.not_both (b := isNan (nan (f := f))) rfl
        (Eq.trans (congrArg isNan (Eq.symm (cond_of_true yes nan (round mode (s.xor t) ((units f 0).mul (units f h)) f.one)))) n))
      (fun no => Eq.subst (motive := C) (Eq.symm (Eq.trans (cond_of_false no nan (round mode (s.xor t) ((units f 0).mul (units f h)) f.one))
        (Eq.trans (congrArg (fun x => round mode (s.xor t) x f.one) (Eq.trans (congrArg (fun x => Nat.mul x (units f h)) units_zero) (Nat.zero_mul _)))
          (round_zero one_pos)))) (k (s.xor t)))

/-- Positive signs make a positive sign. -/
theorem mul_plus_cases {C : Fp f → Prop} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (n : Eq (mul mode (num false g hg) (num false h hh)).isNan false)
    (top : Eq ((Nat.beq g f.inf).or (Nat.beq h f.inf)) true → C (inf false))
    (fin : Nat.Lt g f.inf → Nat.Lt h f.inf → C (round mode false ((units f g).mul (units f h)) f.one)) :
    C (mul mode (num false g hg) (num false h hh)) :=
  Bool.byCases ((Nat.beq g f.inf).or (Nat.beq h f.inf))
    (fun yes => Bool.byCases ((Nat.beq g 0).or (Nat.beq h 0))
      (fun z => Bool.not_both (b := isNan (nan (f := f))) rfl
        (Eq.trans (congrArg isNan (Eq.symm (Eq.trans (cond_of_true yes _ (round mode false ((units f g).mul (units f h)) f.one))
          (cond_of_true z nan (inf false))))) n))
      (fun z => Eq.subst (motive := C) (Eq.symm (Eq.trans (cond_of_true yes _ (round mode false ((units f g).mul (units f h)) f.one))
          (cond_of_false z nan (inf false))))
        (top yes)))
    (fun no => Eq.subst (motive := C) (Eq.symm (cond_of_false no (cond ((Nat.beq g 0).or (Nat.beq h 0)) nan (inf false)) _))
      (fin (lt_inf_of_beq hg (Bool.or_eq_false_left no)) (lt_inf_of_beq hh (Bool.or_eq_false_right no))))

theorem mul_nonneg (a c : Fp f) (h₁ : Eq (le (zero false) a) true) (h₂ : Eq (le (zero false) c) true) (n : Eq (mul mode a c).isNan false) :
    Eq (le (zero false) (mul mode a c)) true :=
  zero_le_cases a h₁
    (fun _ _ ea => zero_le_cases c h₂
      (fun _ _ ec => Eq.subst (motive := fun x => Eq (le (zero false) x) true) (congrArg2 (mul mode) (Eq.symm ea) (Eq.symm ec))
        (mul_plus_cases (C := fun x => Eq (le (zero false) x) true) (Eq.trans (congrArg isNan (congrArg2 (mul mode) (Eq.symm ea) (Eq.symm ec))) n)
          (fun _ => zero_le_num f.inf (ble_self f.inf)) (fun _ _ => zero_le_num _ _)))
      (fun ec => Eq.trans (congrArg (le (zero false)) (mul_comm a c)) (left ec (Eq.trans (congrArg isNan (mul_comm c a)) n))))
    (fun ea => left ea n)
where
  left {x y : Fp f} (e : Eq x (zero true)) (n : Eq (mul mode x y).isNan false) : Eq (le (zero false) (mul mode x y)) true :=
    Eq.subst (motive := fun z => Eq (mul mode z y).isNan false → Eq (le (zero false) (mul mode z y)) true) (Eq.symm e)
      (fun n => zero_mul_cases (C := fun z => Eq (le (zero false) z) true) true y n
        (fun t => Nat.le_of_eq (Eq.symm (rank_zero f t)))) n

theorem mul_nonpos_left (a c : Fp f) (h₁ : Eq (le a (zero false)) true) (h₂ : Eq (le (zero false) c) true) (n : Eq (mul .rn a c).isNan false) :
    Eq (le (mul .rn a c) (zero false)) true :=
  Eq.trans (Eq.symm (neg_nonneg (mul .rn a c))) (Eq.trans (congrArg (le (zero false)) (Eq.symm (mul_neg_left a c)))
    (mul_nonneg a.neg c (Eq.trans (neg_nonneg a) h₁) h₂ (Eq.trans (congrArg isNan (mul_neg_left a c)) (Eq.trans (isNan_neg _) n))))

theorem mul_nonpos_right (a c : Fp f) (h₁ : Eq (le (zero false) a) true) (h₂ : Eq (le c (zero false)) true) (n : Eq (mul .rn a c).isNan false) :
    Eq (le (mul .rn a c) (zero false)) true :=
  Eq.trans (congrArg (fun x => le x (zero false)) (mul_comm a c)) (mul_nonpos_left c a h₂ h₁ (Eq.trans (congrArg isNan (mul_comm c a)) n))

theorem mul_nonneg_of_nonpos (a c : Fp f) (h₁ : Eq (le a (zero false)) true) (h₂ : Eq (le c (zero false)) true) (n : Eq (mul .rn a c).isNan false) :
    Eq (le (zero false) (mul .rn a c)) true :=
  Eq.trans (congrArg (le (zero false)) (Eq.symm (mul_neg_neg a c)))
    (mul_nonneg a.neg c.neg (Eq.trans (neg_nonneg a) h₁) (Eq.trans (neg_nonneg c) h₂) (Eq.trans (congrArg isNan (mul_neg_neg a c)) n))

theorem mul_self_nonneg : (a : Fp f) → Nat.Lt 0 f.inf → Eq a.isNan false → Eq (le (zero false) (mul mode a a)) true
  | nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, pos, _ =>
    have square : Eq (mul mode (num s g hg) (num s g hg)) (mul mode (num false g hg) (num false g hg)) :=
      congrArg (fun x => cond ((Nat.beq g f.inf).or (Nat.beq g f.inf)) (cond ((Nat.beq g 0).or (Nat.beq g 0)) nan (inf x))
        (round mode x ((units f g).mul (units f g)) f.one)) (Bool.xor_self s)
    Eq.trans (congrArg (le (zero false)) square)
      (mul_nonneg (num false g hg) (num false g hg) (zero_le_num g hg) (zero_le_num g hg) (isNan_mul_self pos (num false g hg)))

/-! The order of products. -/

/-- Products of values that are not negative grow with both factors. -/
theorem mul_le_of_le_nonneg (a b c d : Fp f) (h₀ : Eq (le (zero false) a) true) (h₁ : Eq (le a b) true) (h₂ : Eq (le (zero false) c) true)
    (h₃ : Eq (le c d) true) (n₁ : Eq (mul mode a c).isNan false) (n₂ : Eq (mul mode b d).isNan false) :
    Eq (le (mul mode a c) (mul mode b d)) true :=
  have hb : Eq (le (zero false) b) true := le_trans (zero false) a b h₀ h₁
  have hd : Eq (le (zero false) d) true := le_trans (zero false) c d h₂ h₃
  have low : Eq (le (zero false) (mul mode b d)) true := mul_nonneg b d hb hd n₂
  zero_le_cases a h₀
    (fun g hg ea => zero_le_cases c h₂
      (fun h hh ec => zero_le_cases b hb
        (fun _ _ eb => zero_le_cases d hd
          (fun _ _ ed => Eq.subst (motive := fun x => Eq (le x (mul mode b d)) true) (congrArg2 (mul mode) (Eq.symm ea) (Eq.symm ec))
            (Eq.subst (motive := fun y => Eq (le (mul mode (num false g hg) (num false h hh)) y) true) (congrArg2 (mul mode) (Eq.symm eb) (Eq.symm ed))
              (plus (Nat.le_of_add_le_add_left f.inf (Eq.trans (congrArg2 le (Eq.symm ea) (Eq.symm eb)) h₁))
                (Nat.le_of_add_le_add_left f.inf (Eq.trans (congrArg2 le (Eq.symm ec) (Eq.symm ed)) h₃))
                (Eq.trans (congrArg isNan (congrArg2 (mul mode) (Eq.symm ea) (Eq.symm ec))) n₁)
                (Eq.trans (congrArg isNan (congrArg2 (mul mode) (Eq.symm eb) (Eq.symm ed))) n₂))))
          (fun ed => right low n₁ (below ec (Eq.trans (congrArg2 le (Eq.symm ec) (Eq.symm ed)) h₃))))
        (fun eb => left low n₁ (below ea (Eq.trans (congrArg2 le (Eq.symm ea) (Eq.symm eb)) h₁))))
      (fun ec => right low n₁ ec))
    (fun ea => left low n₁ ea)
where
  left {x y z : Fp f} {s : Bool} (low : Eq (le (zero false) z) true) (n : Eq (mul mode x y).isNan false) (e : Eq x (zero s)) :
      Eq (le (mul mode x y) z) true :=
    Eq.subst (motive := fun w => Eq (mul mode w y).isNan false → Eq (le (mul mode w y) z) true) (Eq.symm e)
      (fun n => zero_mul_cases (C := fun w => Eq (le w z) true) s y n (fun t => Eq.trans (zero_le_sign t z) low)) n
  right {x y z : Fp f} {s : Bool} (low : Eq (le (zero false) z) true) (n : Eq (mul mode x y).isNan false) (e : Eq y (zero s)) :
      Eq (le (mul mode x y) z) true :=
    Eq.trans (congrArg (fun w => le w z) (mul_comm x y)) (left low (Eq.trans (congrArg isNan (mul_comm y x)) n) e)
  /-- What is not above `-0` and has a plus sign is `+0`. -/
  below {x : Fp f} {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (e : Eq x (num false g hg)) (h : Eq (le (num false g hg) (zero true)) true) :
      Eq x (zero false) := Eq.trans e (num_congr rfl (Nat.eq_zero_of_le_zero (Nat.le_of_add_le_add_left f.inf h)))
  plus {g g' h h' : Nat} {hg : Eq (Nat.ble g f.inf) true} {hg' : Eq (Nat.ble g' f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
      {hh' : Eq (Nat.ble h' f.inf) true} (le₁ : Nat.Le g g') (le₂ : Nat.Le h h')
      (n₁ : Eq (mul mode (num false g hg) (num false h hh)).isNan false) (n₂ : Eq (mul mode (num false g' hg') (num false h' hh')).isNan false) :
      Eq (le (mul mode (num false g hg) (num false h hh)) (mul mode (num false g' hg') (num false h' hh'))) true :=
    mul_plus_cases (C := fun y => Eq (le (mul mode (num false g hg) (num false h hh)) y) true) n₂ (fun _ => le_inf _ n₁)
      (fun fin fin' => Eq.trans (congrArg (fun x => le x _)
          (cond_of_false (Bool.or_of_false (Nat.beq_of_lt (Nat.lt_of_le_of_lt le₁ fin)) (Nat.beq_of_lt (Nat.lt_of_le_of_lt le₂ fin'))) _ _))
        (Nat.add_le_add_left (roundMag_le_left (Nat.mul_le_mul (units_le le₁) (units_le le₂)) f.one) f.inf))

/-- A product grows with one factor if the other one is not negative, … -/
theorem mul_le_of_le_left (a b c : Fp f) (h : Eq (le a b) true) (h₀ : Eq (le (zero false) c) true) (n₁ : Eq (mul .rn a c).isNan false)
    (n₂ : Eq (mul .rn b c).isNan false) : Eq (le (mul .rn a c) (mul .rn b c)) true :=
  have na : Eq a.isNan false := notNan_left_of_le a b h
  have nb : Eq b.isNan false := notNan_right_of_le a b h
  have cc : Eq (le c c) true := Eq.trans (le_self c) (Bool.not_of_false (notNan_right_of_le (zero false) c h₀))
  Bool.byCases (le (zero false) a)
    (fun up => mul_le_of_le_nonneg a b c c up h h₀ cc n₁ n₂)
    (fun no =>
      have ha : Eq (le a (zero false)) true := le_of_lt a (zero false) (lt_of_not_le (zero false) a rfl na no)
      Bool.byCases (le (zero false) b)
        (fun up => le_trans (mul .rn a c) (zero false) (mul .rn b c) (mul_nonpos_left a c ha h₀ n₁) (mul_nonneg b c up h₀ n₂))
        (fun no' =>
          have hb : Eq (le b (zero false)) true := le_of_lt b (zero false) (lt_of_not_le (zero false) b rfl nb no')
          Eq.trans (Eq.symm (le_neg_neg (mul .rn b c) (mul .rn a c)))
            (Eq.trans (congrArg2 le (Eq.symm (mul_neg_left b c)) (Eq.symm (mul_neg_left a c)))
              (mul_le_of_le_nonneg b.neg a.neg c c (Eq.trans (neg_nonneg b) hb) (Eq.trans (le_neg_neg b a) h) h₀ cc
                (Eq.trans (congrArg isNan (mul_neg_left b c)) (Eq.trans (isNan_neg _) n₂))
                (Eq.trans (congrArg isNan (mul_neg_left a c)) (Eq.trans (isNan_neg _) n₁))))))

/-- … and falls if that one is not positive. -/
theorem mul_le_of_ge_left (a b c : Fp f) (h : Eq (le a b) true) (h₀ : Eq (le c (zero false)) true) (n₁ : Eq (mul .rn a c).isNan false)
    (n₂ : Eq (mul .rn b c).isNan false) : Eq (le (mul .rn b c) (mul .rn a c)) true :=
  Eq.trans (Eq.symm (le_neg_neg (mul .rn a c) (mul .rn b c)))
    (Eq.trans (congrArg2 le (Eq.symm (mul_neg_right a c)) (Eq.symm (mul_neg_right b c)))
      (mul_le_of_le_left a b c.neg h (Eq.trans (neg_nonneg c) h₀)
        (Eq.trans (congrArg isNan (mul_neg_right a c)) (Eq.trans (isNan_neg _) n₁))
        (Eq.trans (congrArg isNan (mul_neg_right b c)) (Eq.trans (isNan_neg _) n₂))))

end Fp
