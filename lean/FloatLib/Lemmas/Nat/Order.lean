prelude
import FloatLib.Nat.Defs
import FloatLib.Lemmas.Cond
/-!
# Natural numbers: order

`Le a b` is `Eq (ble a b) true`, `Lt a b` is `Le (succ a) b`. So what the kernel computes by `ble`, `blt` and `beq` is, without
translation, a proof or the refutation of an inequation. The Boolean forms are at the end.
-/

noncomputable section
namespace Nat

theorem zero_le (a : Nat) : Le 0 a := rfl

theorem not_lt_zero {a : Nat} (h : Lt a 0) : False := Bool.false_ne_true h

theorem succ_le_succ {a b : Nat} (h : Le a b) : Le (succ a) (succ b) := h

theorem le_of_succ_le_succ {a b : Nat} (h : Le (succ a) (succ b)) : Le a b := h

theorem lt_of_succ_le {a b : Nat} (h : Le (succ a) b) : Lt a b := h

theorem succ_le_of_lt {a b : Nat} (h : Lt a b) : Le (succ a) b := h

theorem lt_succ_of_le {a b : Nat} (h : Le a b) : Lt a (succ b) := h

theorem le_of_lt_succ {a b : Nat} (h : Lt a (succ b)) : Le a b := h

theorem zero_lt_succ (a : Nat) : Lt 0 (succ a) := rfl

theorem le_refl : (a : Nat) → Le a a
  | zero => rfl
  | succ a => le_refl a

theorem le_of_eq {a b : Nat} (h : Eq a b) : Le a b := Eq.subst (motive := fun x => Le a x) h (le_refl a)

theorem le_succ : (a : Nat) → Le a (succ a)
  | zero => rfl
  | succ a => le_succ a

theorem lt_succ_self (a : Nat) : Lt a (succ a) := le_refl a

theorem le_trans : {a b c : Nat} → Le a b → Le b c → Le a c
  | zero, _, _, _, _ => rfl
  | succ _, zero, _, h, _ => (not_lt_zero h).elim
  | succ _, succ _, zero, _, h => (not_lt_zero h).elim
  | succ a, succ b, succ c, h₁, h₂ => le_trans (a := a) (b := b) (c := c) h₁ h₂

theorem le_antisymm : {a b : Nat} → Le a b → Le b a → Eq a b
  | zero, zero, _, _ => rfl
  | zero, succ _, _, h => (not_lt_zero h).elim
  | succ _, zero, h, _ => (not_lt_zero h).elim
  | succ a, succ b, h₁, h₂ => congrArg succ (le_antisymm (a := a) (b := b) h₁ h₂)

theorem lt_or_ge : (a b : Nat) → Or (Lt a b) (Le b a)
  | _, zero => Or.inr rfl
  | zero, succ _ => Or.inl rfl
  | succ a, succ b => lt_or_ge a b

theorem le_succ_of_le {a b : Nat} (h : Le a b) : Le a (succ b) := le_trans h (le_succ b)

theorem le_of_lt {a b : Nat} (h : Lt a b) : Le a b := le_trans (le_succ a) h

theorem lt_of_lt_of_le {a b c : Nat} (h₁ : Lt a b) (h₂ : Le b c) : Lt a c := le_trans (a := succ a) h₁ h₂

theorem lt_of_le_of_lt {a b c : Nat} (h₁ : Le a b) (h₂ : Lt b c) : Lt a c := le_trans (a := succ a) (b := succ b) h₁ h₂

theorem lt_trans {a b c : Nat} (h₁ : Lt a b) (h₂ : Lt b c) : Lt a c := lt_of_lt_of_le h₁ (le_of_lt h₂)

theorem le_total (a b : Nat) : Or (Le a b) (Le b a) := Or.elim (lt_or_ge a b) (fun h => Or.inl (le_of_lt h)) Or.inr

theorem lt_irrefl : (a : Nat) → Not (Lt a a)
  | zero, h => not_lt_zero h
  | succ a, h => lt_irrefl a h

theorem not_le_of_lt {a b : Nat} (h : Lt a b) : Not (Le b a) := fun h' => lt_irrefl a (lt_of_lt_of_le h h')

theorem not_lt_of_le {a b : Nat} (h : Le a b) : Not (Lt b a) := fun h' => lt_irrefl b (lt_of_lt_of_le h' h)

theorem lt_of_not_le {a b : Nat} (h : Not (Le a b)) : Lt b a := Or.elim (lt_or_ge b a) id (fun h' => absurd h' h)

theorem le_of_not_lt {a b : Nat} (h : Not (Lt a b)) : Le b a := Or.elim (lt_or_ge a b) (fun h' => absurd h' h) id

theorem ne_of_lt {a b : Nat} (h : Lt a b) : Not (Eq a b) := fun e => lt_irrefl b (Eq.subst (motive := fun x => Lt x b) e h)

theorem ne_of_gt {a b : Nat} (h : Lt b a) : Not (Eq a b) := fun e => ne_of_lt h (Eq.symm e)

theorem lt_or_eq_of_le {a b : Nat} (h : Le a b) : Or (Lt a b) (Eq a b) :=
  Or.elim (lt_or_ge a b) Or.inl (fun h' => Or.inr (le_antisymm h h'))

theorem lt_of_le_of_ne {a b : Nat} (h : Le a b) (n : Not (Eq a b)) : Lt a b :=
  Or.elim (lt_or_eq_of_le h) id (fun e => absurd e n)

theorem eq_zero_of_le_zero {a : Nat} (h : Le a 0) : Eq a 0 := le_antisymm h (zero_le a)

theorem pos_of_ne_zero {a : Nat} (h : Not (Eq a 0)) : Lt 0 a := lt_of_le_of_ne (zero_le a) (fun e => h (Eq.symm e))

theorem pos_of_lt {a b : Nat} (h : Lt a b) : Lt 0 b := lt_of_le_of_lt (zero_le a) h

theorem eq_zero_or_pos (a : Nat) : Or (Eq a 0) (Lt 0 a) :=
  match a with
  | zero => Or.inl rfl
  | succ _ => Or.inr rfl

/-- A positive number is the successor of its predecessor. -/
theorem succ_pred : {a : Nat} → Lt 0 a → Eq (succ (pred a)) a
  | zero, h => (not_lt_zero h).elim
  | succ _, _ => rfl

theorem pred_le_pred : {a b : Nat} → Le a b → Le (pred a) (pred b)
  | zero, _, _ => rfl
  | succ _, zero, h => (not_lt_zero h).elim
  | succ _, succ _, h => h

theorem pred_le (a : Nat) : Le (pred a) a :=
  match a with
  | zero => rfl
  | succ a => le_succ a

/-- What holds of a number whenever it holds of all smaller ones holds of every number. -/
theorem strongInduction {C : Nat → Prop} (step : (n : Nat) → ((m : Nat) → Lt m n → C m) → C n) (n : Nat) : C n :=
  step n (below n)
where
  below : (n m : Nat) → Lt m n → C m
    | zero, _, h => (not_lt_zero h).elim
    | succ n, m, h => Or.elim (lt_or_eq_of_le (le_of_lt_succ h)) (below n m)
        (fun e => Eq.subst (motive := C) (Eq.symm e) (step n (below n)))

/-! The Boolean forms. -/

theorem ble_of_lt {a b : Nat} (h : Lt a b) : Eq (ble b a) false := Bool.eq_false_of_ne_true (not_le_of_lt h)

theorem blt_of_le {a b : Nat} (h : Le a b) : Eq (blt b a) false := Bool.eq_false_of_ne_true (not_lt_of_le h)

theorem lt_of_ble {a b : Nat} (h : Eq (ble a b) false) : Lt b a := lt_of_not_le (Bool.ne_true_of_eq_false h)

theorem le_of_blt {a b : Nat} (h : Eq (blt a b) false) : Le b a := le_of_not_lt (Bool.ne_true_of_eq_false h)

theorem not_ble (a b : Nat) : Eq (ble a b).not (blt b a) :=
  Bool.eq_of_iff (fun h => lt_of_ble (Bool.not_eq_true h)) (fun h => Bool.not_of_false (ble_of_lt h))

theorem not_blt (a b : Nat) : Eq (blt a b).not (ble b a) :=
  Bool.eq_of_iff (fun h => le_of_blt (Bool.not_eq_true h)) (fun h => Bool.not_of_false (blt_of_le h))

theorem blt_self (a : Nat) : Eq (blt a a) false := blt_of_le (le_refl a)

theorem blt_succ (a b : Nat) : Eq (blt a (succ b)) (ble a b) := rfl

theorem beq_of_eq {a b : Nat} (h : Eq a b) : Eq (beq a b) true := Eq.subst (motive := fun x => Eq (beq a x) true) h (beq_self a)

theorem beq_of_ne {a b : Nat} (h : Not (Eq a b)) : Eq (beq a b) false := Bool.eq_false_of_ne_true (fun e => h (eq_of_beq a b e))

theorem ne_of_beq {a b : Nat} (h : Eq (beq a b) false) : Not (Eq a b) := fun e => Bool.not_both (beq_of_eq e) h

theorem beq_of_lt {a b : Nat} (h : Lt a b) : Eq (beq a b) false := beq_of_ne (ne_of_lt h)

theorem beq_of_gt {a b : Nat} (h : Lt b a) : Eq (beq a b) false := beq_of_ne (ne_of_gt h)

theorem beq_comm (a b : Nat) : Eq (beq a b) (beq b a) :=
  Bool.eq_of_iff (fun h => beq_of_eq (Eq.symm (eq_of_beq a b h))) (fun h => beq_of_eq (Eq.symm (eq_of_beq b a h)))

/-- What follows from each of less, equal, greater follows. -/
theorem byOrder {C : Prop} (a b : Nat) (less : Lt a b → C) (same : Eq a b → C) (more : Lt b a → C) : C :=
  Or.elim (lt_or_ge a b) less (fun h => Or.elim (lt_or_eq_of_le h) more (fun e => same (Eq.symm e)))

/-! The smaller and the larger. -/

theorem min_of_le {a b : Nat} (h : Le a b) : Eq (min a b) a := cond_of_true h a b

theorem min_of_ge {a b : Nat} (h : Le b a) : Eq (min a b) b := cond_eq (fun h' => le_antisymm h' h) (fun _ => rfl)

theorem max_of_le {a b : Nat} (h : Le a b) : Eq (max a b) b := cond_of_true h b a

theorem max_of_ge {a b : Nat} (h : Le b a) : Eq (max a b) a := cond_eq (fun h' => le_antisymm h h') (fun _ => rfl)

theorem min_le_left (a b : Nat) : Le (min a b) a :=
  Or.elim (le_total a b) (fun h => le_of_eq (min_of_le h)) (fun h => le_trans (le_of_eq (min_of_ge h)) h)

theorem min_le_right (a b : Nat) : Le (min a b) b :=
  Or.elim (le_total a b) (fun h => le_trans (le_of_eq (min_of_le h)) h) (fun h => le_of_eq (min_of_ge h))

theorem le_max_left (a b : Nat) : Le a (max a b) :=
  Or.elim (le_total a b) (fun h => le_trans h (le_of_eq (Eq.symm (max_of_le h)))) (fun h => le_of_eq (Eq.symm (max_of_ge h)))

theorem le_max_right (a b : Nat) : Le b (max a b) :=
  Or.elim (le_total a b) (fun h => le_of_eq (Eq.symm (max_of_le h))) (fun h => le_trans h (le_of_eq (Eq.symm (max_of_ge h))))

theorem min_comm (a b : Nat) : Eq (min a b) (min b a) :=
  Or.elim (le_total a b) (fun h => Eq.trans (min_of_le h) (Eq.symm (min_of_ge h)))
    (fun h => Eq.trans (min_of_ge h) (Eq.symm (min_of_le h)))

theorem max_comm (a b : Nat) : Eq (max a b) (max b a) :=
  Or.elim (le_total a b) (fun h => Eq.trans (max_of_le h) (Eq.symm (max_of_ge h)))
    (fun h => Eq.trans (max_of_ge h) (Eq.symm (max_of_le h)))

end Nat
