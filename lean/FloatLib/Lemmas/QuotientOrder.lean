prelude
import FloatLib.Lemmas.ProductOrder
/-!
# Signs and order of quotients by positive values

Results must not be NaN: `inf / inf` is the only trouble.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

theorem pos_cases {C : Prop} : (b : Fp f) → Eq (lt (zero false) b) true →
    ((h : Nat) → (hh : Eq (Nat.ble h f.inf) true) → Nat.Lt 0 h → Eq b (num false h hh) → C) → C
  | nan, h, _ => (Bool.false_ne_true h).elim
  | num false h hh, l, k => k h hh (Nat.lt_of_add_lt_add_left f.inf l) rfl
  | num true h _, l, _ => absurd l (Nat.not_lt_of_le (Nat.sub_le f.inf h))

theorem div_plus_cases {C : Fp f → Prop} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (pos : Nat.Lt 0 h)
    (s : Bool) (n : Eq (div mode (num s g hg) (num false h hh)).isNan false) (top : Eq g f.inf → Nat.Lt h f.inf → C (inf s))
    (bottom : Nat.Lt g f.inf → Eq h f.inf → C (zero s))
    (fin : Nat.Lt g f.inf → Nat.Lt h f.inf → C (round mode s ((units f g).mul f.one) (units f h))) :
    C (div mode (num s g hg) (num false h hh)) :=
  Eq.subst (motive := C) (rows (Bool.xor_false s)) (rest (Eq.trans (congrArg isNan (rows (Bool.xor_false s))) n))
where
  rows {x : Bool} (e : Eq x s) : Eq
      (cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf (f := f) s)) (cond (Nat.beq h f.inf) (zero s)
        (round mode s ((units f g).mul f.one) (units f h))))
      (cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf x)) (cond (Nat.beq h f.inf) (zero x)
        (cond (Nat.beq h 0) (cond (Nat.beq g 0) nan (inf x)) (round mode x ((units f g).mul f.one) (units f h))))) :=
    Eq.trans (congrArg (fun x => cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf x)) (cond (Nat.beq h f.inf) (zero x)
        (round mode x ((units f g).mul f.one) (units f h)))) (Eq.symm e))
      (congrArg (fun y => cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf x)) (cond (Nat.beq h f.inf) (zero x) y))
        (Eq.symm (cond_of_false (Nat.beq_of_gt pos) _ _)))
  rest (n : Eq (cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf (f := f) s)) (cond (Nat.beq h f.inf) (zero s)
        (round mode s ((units f g).mul f.one) (units f h)))).isNan false) :
      C (cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf (f := f) s)) (cond (Nat.beq h f.inf) (zero s)
        (round mode s ((units f g).mul f.one) (units f h)))) :=
    select (Nat.beq g f.inf) (Nat.beq h f.inf) (fun yes no => top (Nat.eq_of_beq _ _ yes) (lt_inf_of_beq hh no))
      (fun no yes => bottom (lt_inf_of_beq hg no) (Nat.eq_of_beq _ _ yes)) (fun no no' => fin (lt_inf_of_beq hg no) (lt_inf_of_beq hh no')) n
  select {i z r : Fp f} (c d : Bool) (top : Eq c true → Eq d false → C i) (bottom : Eq c false → Eq d true → C z)
      (fin : Eq c false → Eq d false → C r) (n : Eq (cond c (cond d nan i) (cond d z r)).isNan false) : C (cond c (cond d nan i) (cond d z r)) :=
    match c, d, top, bottom, fin, n with
    | true, true, _, _, _, n => (Bool.true_ne_false n).elim
    | true, false, top, _, _, _ => top rfl rfl
    | false, true, _, bottom, _, _ => bottom rfl rfl
    | false, false, _, _, fin, _ => fin rfl rfl

theorem zero_div {h : Nat} {hh : Eq (Nat.ble h f.inf) true} (pos : Nat.Lt 0 h) (s : Bool) : Eq (div mode (zero s) (num false h hh)) (zero s) :=
  Eq.trans (cond_of_false (Nat.beq_of_lt (Nat.lt_of_lt_of_le pos hh)) _ _)
    (cond_eq (fun _ => congrArg zero (Bool.xor_false s)) (fun _ => Eq.trans (cond_of_false (Nat.beq_of_gt pos) _ _)
      (Eq.trans (congrArg2 (fun x y => round mode x (Nat.mul y f.one) (units f h)) (Bool.xor_false s) units_zero)
        (Eq.trans (congrArg (fun x => round mode s x (units f h)) (Nat.zero_mul f.one)) (round_zero (units_pos pos))))))

theorem div_nonneg (a b : Fp f) (h₁ : Eq (le (zero false) a) true) (h₂ : Eq (lt (zero false) b) true) (n : Eq (div mode a b).isNan false) :
    Eq (le (zero false) (div mode a b)) true :=
  pos_cases b h₂ (fun _ _ pos eb => zero_le_cases a h₁
    (fun _ _ ea => Eq.subst (motive := fun x => Eq (le (zero false) x) true) (congrArg2 (div mode) (Eq.symm ea) (Eq.symm eb))
      (div_plus_cases (C := fun x => Eq (le (zero false) x) true) pos false (Eq.trans (congrArg isNan (congrArg2 (div mode) (Eq.symm ea) (Eq.symm eb))) n)
        (fun _ _ => zero_le_num f.inf (ble_self f.inf)) (fun _ _ => Nat.le_refl f.inf) (fun _ _ => zero_le_num _ _)))
    (fun ea => Eq.trans (congrArg (le (zero false)) (Eq.trans (congrArg2 (div mode) ea eb) (zero_div pos true)))
      (Eq.trans (le_zero_sign true (zero false)) (Nat.le_refl f.inf))))

theorem div_nonpos (a b : Fp f) (h₁ : Eq (le a (zero false)) true) (h₂ : Eq (lt (zero false) b) true) (n : Eq (div .rn a b).isNan false) :
    Eq (le (div .rn a b) (zero false)) true :=
  Eq.trans (Eq.symm (neg_nonneg (div .rn a b))) (Eq.trans (congrArg (le (zero false)) (Eq.symm (div_neg_left a b)))
    (div_nonneg a.neg b (Eq.trans (neg_nonneg a) h₁) h₂ (Eq.trans (congrArg isNan (div_neg_left a b)) (Eq.trans (isNan_neg _) n))))

/-- Quotients of values that are not negative grow with the dividend and fall with the divisor. -/
theorem div_le_of_le_nonneg (a b c d : Fp f) (h₀ : Eq (le (zero false) a) true) (h₁ : Eq (le a b) true) (h₂ : Eq (lt (zero false) d) true)
    (h₃ : Eq (le d c) true) (n₁ : Eq (div mode a c).isNan false) (n₂ : Eq (div mode b d).isNan false) :
    Eq (le (div mode a c) (div mode b d)) true :=
  have hb : Eq (le (zero false) b) true := le_trans (zero false) a b h₀ h₁
  have hc : Eq (lt (zero false) c) true := lt_of_lt_of_le (zero false) d c h₂ h₃
  have low : Eq (le (zero false) (div mode b d)) true := div_nonneg b d hb h₂ n₂
  pos_cases c hc (fun h hh pos ec => pos_cases d h₂ (fun _ _ pos' ed => zero_le_cases a h₀
    (fun g hg ea => zero_le_cases b hb
      (fun _ _ eb => Eq.subst (motive := fun x => Eq (le x (div mode b d)) true) (congrArg2 (div mode) (Eq.symm ea) (Eq.symm ec))
        (Eq.subst (motive := fun y => Eq (le (div mode (num false g hg) (num false h hh)) y) true) (congrArg2 (div mode) (Eq.symm eb) (Eq.symm ed))
          (plus pos pos' (Nat.le_of_add_le_add_left f.inf (Eq.trans (congrArg2 le (Eq.symm ea) (Eq.symm eb)) h₁))
            (Nat.le_of_add_le_add_left f.inf (Eq.trans (congrArg2 le (Eq.symm ed) (Eq.symm ec)) h₃))
            (Eq.trans (congrArg isNan (congrArg2 (div mode) (Eq.symm ea) (Eq.symm ec))) n₁)
            (Eq.trans (congrArg isNan (congrArg2 (div mode) (Eq.symm eb) (Eq.symm ed))) n₂))))
      (fun eb => least low pos ec (mul_le_of_le_nonneg.below ea (Eq.trans (congrArg2 le (Eq.symm ea) (Eq.symm eb)) h₁))))
    (fun ea => least low pos ec ea)))
where
  least {x y z : Fp f} {s : Bool} {h : Nat} {hh : Eq (Nat.ble h f.inf) true} (low : Eq (le (zero false) z) true) (pos : Nat.Lt 0 h)
      (ey : Eq y (num false h hh)) (ex : Eq x (zero s)) : Eq (le (div mode x y) z) true :=
    Eq.trans (congrArg (fun w => le w z) (Eq.trans (congrArg2 (div mode) ex ey) (zero_div pos s))) (Eq.trans (zero_le_sign s z) low)
  plus {g g' h h' : Nat} {hg : Eq (Nat.ble g f.inf) true} {hg' : Eq (Nat.ble g' f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
      {hh' : Eq (Nat.ble h' f.inf) true} (pos : Nat.Lt 0 h) (pos' : Nat.Lt 0 h') (le₁ : Nat.Le g g') (le₂ : Nat.Le h' h)
      (n₁ : Eq (div mode (num false g hg) (num false h hh)).isNan false) (n₂ : Eq (div mode (num false g' hg') (num false h' hh')).isNan false) :
      Eq (le (div mode (num false g hg) (num false h hh)) (div mode (num false g' hg') (num false h' hh'))) true :=
    div_plus_cases (C := fun y => Eq (le (div mode (num false g hg) (num false h hh)) y) true) pos' false n₂ (fun _ _ => le_inf _ n₁)
      (fun fin' e' => div_plus_cases (C := fun x => Eq (le x (zero false)) true) pos false n₁
        (fun e _ => (Nat.not_lt_of_le le₁ (Nat.lt_of_lt_of_le fin' (Nat.le_of_eq (Eq.symm e)))).elim)
        (fun _ _ => Nat.le_refl f.inf)
        (fun _ fin => (Nat.not_lt_of_le le₂ (Nat.lt_of_lt_of_le fin (Nat.le_of_eq (Eq.symm e')))).elim))
      (fun fin' _ => div_plus_cases (C := fun x => Eq (le x (round mode false ((units f g').mul f.one) (units f h'))) true) pos false n₁
        (fun e _ => (Nat.not_lt_of_le le₁ (Nat.lt_of_lt_of_le fin' (Nat.le_of_eq (Eq.symm e)))).elim)
        (fun _ _ => zero_le_num _ _)
        (fun _ _ => Nat.add_le_add_left (roundMag_le (units_pos pos) (units_pos pos')
          (Nat.mul_le_mul (Nat.mul_le_mul_left (units_le le₁) f.one) (units_le le₂))) f.inf))

/-- A quotient by a positive value grows with the dividend. -/
theorem div_le_of_le_left (a b c : Fp f) (h : Eq (le a b) true) (h₀ : Eq (lt (zero false) c) true) (n₁ : Eq (div .rn a c).isNan false)
    (n₂ : Eq (div .rn b c).isNan false) : Eq (le (div .rn a c) (div .rn b c)) true :=
  have na : Eq a.isNan false := notNan_left_of_le a b h
  have nb : Eq b.isNan false := notNan_right_of_le a b h
  have cc : Eq (le c c) true := Eq.trans (le_self c) (Bool.not_of_false (notNan_right_of_lt (zero false) c h₀))
  Bool.byCases (le (zero false) a)
    (fun up => div_le_of_le_nonneg a b c c up h h₀ cc n₁ n₂)
    (fun no =>
      have ha : Eq (le a (zero false)) true := le_of_lt a (zero false) (lt_of_not_le (zero false) a rfl na no)
      Bool.byCases (le (zero false) b)
        (fun up => le_trans (div .rn a c) (zero false) (div .rn b c) (div_nonpos a c ha h₀ n₁) (div_nonneg b c up h₀ n₂))
        (fun no' =>
          have hb : Eq (le b (zero false)) true := le_of_lt b (zero false) (lt_of_not_le (zero false) b rfl nb no')
          Eq.trans (Eq.symm (le_neg_neg (div .rn b c) (div .rn a c)))
            (Eq.trans (congrArg2 le (Eq.symm (div_neg_left b c)) (Eq.symm (div_neg_left a c)))
              (div_le_of_le_nonneg b.neg a.neg c c (Eq.trans (neg_nonneg b) hb) (Eq.trans (le_neg_neg b a) h) h₀ cc
                (Eq.trans (congrArg isNan (div_neg_left b c)) (Eq.trans (isNan_neg _) n₂))
                (Eq.trans (congrArg isNan (div_neg_left a c)) (Eq.trans (isNan_neg _) n₁))))))

end Fp
