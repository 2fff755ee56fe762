prelude
import FloatLib.Lemmas.Nat.Order
/-!
# Natural numbers: sum and product

The recursion equations, the semiring laws, and how sum and product keep order. Differences are in `Lemmas/Nat/Sub.lean`.
-/

noncomputable section
namespace Nat

/-! Sum. -/

theorem add_zero (a : Nat) : Eq (add a 0) a := rfl

theorem add_succ (a b : Nat) : Eq (add a (succ b)) (succ (add a b)) := rfl

theorem add_one (a : Nat) : Eq (add a 1) (succ a) := rfl

theorem zero_add : (a : Nat) → Eq (add 0 a) a
  | zero => rfl
  | succ a => congrArg succ (zero_add a)

theorem succ_add (a : Nat) : (b : Nat) → Eq (add (succ a) b) (succ (add a b))
  | zero => rfl
  | succ b => congrArg succ (succ_add a b)

theorem one_add (a : Nat) : Eq (add 1 a) (succ a) := Eq.trans (succ_add 0 a) (congrArg succ (zero_add a))

theorem add_comm (a : Nat) : (b : Nat) → Eq (add a b) (add b a)
  | zero => Eq.symm (zero_add a)
  | succ b => Eq.trans (congrArg succ (add_comm a b)) (Eq.symm (succ_add b a))

theorem add_assoc (a b : Nat) : (c : Nat) → Eq (add (add a b) c) (add a (add b c))
  | zero => rfl
  | succ c => congrArg succ (add_assoc a b c)

theorem add_left_comm (a b c : Nat) : Eq (add a (add b c)) (add b (add a c)) :=
  Eq.step (add a (add b c)) (Eq.symm (add_assoc a b c)) (
  Eq.step (add (add a b) c) (congrArg (fun x => add x c) (add_comm a b)) (
  Eq.step (add (add b a) c) (add_assoc b a c) (
  Eq.done (add b (add a c)))))

theorem add_right_comm (a b c : Nat) : Eq (add (add a b) c) (add (add a c) b) :=
  Eq.step (add (add a b) c) (add_assoc a b c) (
  Eq.step (add a (add b c)) (congrArg (add a) (add_comm b c)) (
  Eq.step (add a (add c b)) (Eq.symm (add_assoc a c b)) (
  Eq.done (add (add a c) b))))

theorem add_add_add_comm (a b c d : Nat) : Eq (add (add a b) (add c d)) (add (add a c) (add b d)) :=
  Eq.step (add (add a b) (add c d)) (add_assoc a b (add c d)) (
  Eq.step (add a (add b (add c d))) (congrArg (add a) (add_left_comm b c d)) (
  Eq.step (add a (add c (add b d))) (Eq.symm (add_assoc a c (add b d))) (
  Eq.done (add (add a c) (add b d)))))

theorem succ_inj {a b : Nat} (h : Eq (succ a) (succ b)) : Eq a b := congrArg pred h

theorem add_right_cancel {a b : Nat} : (c : Nat) → Eq (add a c) (add b c) → Eq a b
  | zero, h => h
  | succ c, h => add_right_cancel c (succ_inj h)

theorem add_left_cancel {a b : Nat} (c : Nat) (h : Eq (add c a) (add c b)) : Eq a b :=
  add_right_cancel c (Eq.trans (add_comm a c) (Eq.trans h (add_comm c b)))

theorem eq_zero_of_add_left {a : Nat} : (b : Nat) → Eq (add a b) 0 → Eq b 0
  | zero, _ => rfl
  | succ b, h => (not_lt_zero (Eq.subst (motive := fun x => Le (succ (add a b)) x) h (le_refl (succ (add a b))))).elim

theorem eq_zero_of_add_right {a : Nat} (b : Nat) (h : Eq (add a b) 0) : Eq a 0 :=
  eq_zero_of_add_left a (Eq.trans (add_comm b a) h)

/-! Sum and order. -/

theorem le_add_right (a : Nat) : (b : Nat) → Le a (add a b)
  | zero => le_refl a
  | succ b => le_succ_of_le (le_add_right a b)

theorem le_add_left (a b : Nat) : Le a (add b a) := le_trans (le_add_right a b) (le_of_eq (add_comm a b))

theorem le_add_of_le {a b : Nat} (h : Le a b) (c : Nat) : Le a (add b c) := le_trans h (le_add_right b c)

theorem add_le_add_right {a b : Nat} (h : Le a b) : (c : Nat) → Le (add a c) (add b c)
  | zero => h
  | succ c => add_le_add_right h c

theorem add_le_add_left {a b : Nat} (h : Le a b) (c : Nat) : Le (add c a) (add c b) :=
  le_trans (le_of_eq (add_comm c a)) (le_trans (add_le_add_right h c) (le_of_eq (add_comm b c)))

theorem add_le_add {a b c d : Nat} (h₁ : Le a b) (h₂ : Le c d) : Le (add a c) (add b d) :=
  le_trans (add_le_add_right h₁ c) (add_le_add_left h₂ b)

theorem add_lt_add_left {a b : Nat} (h : Lt a b) (c : Nat) : Lt (add c a) (add c b) := add_le_add_left (a := succ a) h c

theorem add_lt_add_right {a b : Nat} (h : Lt a b) (c : Nat) : Lt (add a c) (add b c) :=
  le_trans (le_of_eq (Eq.symm (succ_add a c))) (add_le_add_right (a := succ a) h c)

theorem add_lt_add_of_le_of_lt {a b c d : Nat} (h₁ : Le a b) (h₂ : Lt c d) : Lt (add a c) (add b d) :=
  add_le_add (c := succ c) h₁ h₂

theorem add_lt_add_of_lt_of_le {a b c d : Nat} (h₁ : Lt a b) (h₂ : Le c d) : Lt (add a c) (add b d) :=
  lt_of_lt_of_le (add_lt_add_right h₁ c) (add_le_add_left h₂ b)

theorem add_lt_add {a b c d : Nat} (h₁ : Lt a b) (h₂ : Lt c d) : Lt (add a c) (add b d) :=
  add_lt_add_of_lt_of_le h₁ (le_of_lt h₂)

theorem le_of_add_le_add_right {a b : Nat} : (c : Nat) → Le (add a c) (add b c) → Le a b
  | zero, h => h
  | succ c, h => le_of_add_le_add_right c h

theorem le_of_add_le_add_left {a b : Nat} (c : Nat) (h : Le (add c a) (add c b)) : Le a b :=
  le_of_add_le_add_right c (le_trans (le_of_eq (add_comm a c)) (le_trans h (le_of_eq (add_comm c b))))

theorem lt_of_add_lt_add_left {a b : Nat} (c : Nat) (h : Lt (add c a) (add c b)) : Lt a b := le_of_add_le_add_left c (a := succ a) h

theorem lt_of_add_lt_add_right {a b : Nat} (c : Nat) (h : Lt (add a c) (add b c)) : Lt a b :=
  le_of_add_le_add_right c (a := succ a) (le_trans (le_of_eq (succ_add a c)) h)

theorem lt_add_of_pos {b : Nat} (a : Nat) (h : Lt 0 b) : Lt a (add a b) := add_lt_add_left h a

theorem add_pos_left {a : Nat} (h : Lt 0 a) (b : Nat) : Lt 0 (add a b) := lt_of_lt_of_le h (le_add_right a b)

theorem add_pos_right {b : Nat} (a : Nat) (h : Lt 0 b) : Lt 0 (add a b) := lt_of_lt_of_le h (le_add_left b a)

/-! Product. -/

theorem mul_zero (a : Nat) : Eq (mul a 0) 0 := rfl

theorem mul_succ (a b : Nat) : Eq (mul a (succ b)) (add (mul a b) a) := rfl

theorem zero_mul : (a : Nat) → Eq (mul 0 a) 0
  | zero => rfl
  | succ a => zero_mul a

theorem succ_mul (a : Nat) : (b : Nat) → Eq (mul (succ a) b) (add (mul a b) b)
  | zero => rfl
  | succ b => congrArg succ (Eq.trans (congrArg (fun x => add x a) (succ_mul a b)) (add_right_comm (mul a b) b a))

theorem mul_comm (a : Nat) : (b : Nat) → Eq (mul a b) (mul b a)
  | zero => Eq.symm (zero_mul a)
  | succ b => Eq.trans (congrArg (fun x => add x a) (mul_comm a b)) (Eq.symm (succ_mul b a))

theorem mul_one (a : Nat) : Eq (mul a 1) a := zero_add a

theorem one_mul (a : Nat) : Eq (mul 1 a) a := Eq.trans (mul_comm 1 a) (mul_one a)

theorem mul_two (a : Nat) : Eq (mul a 2) (add a a) := congrArg (fun x => add x a) (mul_one a)

theorem two_mul (a : Nat) : Eq (mul 2 a) (add a a) := Eq.trans (mul_comm 2 a) (mul_two a)

theorem mul_add (a b : Nat) : (c : Nat) → Eq (mul a (add b c)) (add (mul a b) (mul a c))
  | zero => rfl
  | succ c => Eq.trans (congrArg (fun x => add x a) (mul_add a b c)) (add_assoc (mul a b) (mul a c) a)

theorem add_mul (a b c : Nat) : Eq (mul (add a b) c) (add (mul a c) (mul b c)) :=
  Eq.step (mul (add a b) c) (mul_comm (add a b) c) (
  Eq.step (mul c (add a b)) (mul_add c a b) (
  Eq.step (add (mul c a) (mul c b)) (congrArg2 add (mul_comm c a) (mul_comm c b)) (
  Eq.done (add (mul a c) (mul b c)))))

theorem mul_assoc (a b : Nat) : (c : Nat) → Eq (mul (mul a b) c) (mul a (mul b c))
  | zero => rfl
  | succ c => Eq.trans (congrArg (fun x => add x (mul a b)) (mul_assoc a b c)) (Eq.symm (mul_add a (mul b c) b))

theorem mul_left_comm (a b c : Nat) : Eq (mul a (mul b c)) (mul b (mul a c)) :=
  Eq.step (mul a (mul b c)) (Eq.symm (mul_assoc a b c)) (
  Eq.step (mul (mul a b) c) (congrArg (fun x => mul x c) (mul_comm a b)) (
  Eq.step (mul (mul b a) c) (mul_assoc b a c) (
  Eq.done (mul b (mul a c)))))

theorem mul_right_comm (a b c : Nat) : Eq (mul (mul a b) c) (mul (mul a c) b) :=
  Eq.step (mul (mul a b) c) (mul_assoc a b c) (
  Eq.step (mul a (mul b c)) (congrArg (mul a) (mul_comm b c)) (
  Eq.step (mul a (mul c b)) (Eq.symm (mul_assoc a c b)) (
  Eq.done (mul (mul a c) b))))

theorem mul_mul_mul_comm (a b c d : Nat) : Eq (mul (mul a b) (mul c d)) (mul (mul a c) (mul b d)) :=
  Eq.step (mul (mul a b) (mul c d)) (mul_assoc a b (mul c d)) (
  Eq.step (mul a (mul b (mul c d))) (congrArg (mul a) (mul_left_comm b c d)) (
  Eq.step (mul a (mul c (mul b d))) (Eq.symm (mul_assoc a c (mul b d))) (
  Eq.done (mul (mul a c) (mul b d)))))

/-! Product and order. -/

theorem mul_le_mul_left {a b : Nat} (h : Le a b) : (c : Nat) → Le (mul a c) (mul b c)
  | zero => rfl
  | succ c => add_le_add (mul_le_mul_left h c) h

theorem mul_le_mul_right {a b : Nat} (c : Nat) (h : Le a b) : Le (mul c a) (mul c b) :=
  le_trans (le_of_eq (mul_comm c a)) (le_trans (mul_le_mul_left h c) (le_of_eq (mul_comm b c)))

theorem mul_le_mul {a b c d : Nat} (h₁ : Le a b) (h₂ : Le c d) : Le (mul a c) (mul b d) :=
  le_trans (mul_le_mul_left h₁ c) (mul_le_mul_right b h₂)

theorem mul_pos : {a b : Nat} → Lt 0 a → Lt 0 b → Lt 0 (mul a b)
  | _, zero, _, h => (not_lt_zero h).elim
  | _, succ _, h, _ => add_pos_right _ h

theorem mul_lt_mul_right {a b c : Nat} (h : Lt a b) (pos : Lt 0 c) : Lt (mul c a) (mul c b) :=
  lt_of_lt_of_le (lt_add_of_pos (mul c a) pos) (mul_le_mul_right (a := succ a) c h)

theorem mul_lt_mul_left {a b c : Nat} (h : Lt a b) (pos : Lt 0 c) : Lt (mul a c) (mul b c) :=
  lt_of_le_of_lt (le_of_eq (mul_comm a c)) (lt_of_lt_of_le (mul_lt_mul_right h pos) (le_of_eq (mul_comm c b)))

theorem lt_of_mul_lt_mul_right {a b : Nat} (c : Nat) (h : Lt (mul c a) (mul c b)) : Lt a b :=
  lt_of_not_le (fun h' => not_le_of_lt h (mul_le_mul_right c h'))

theorem lt_of_mul_lt_mul_left {a b : Nat} (c : Nat) (h : Lt (mul a c) (mul b c)) : Lt a b :=
  lt_of_not_le (fun h' => not_le_of_lt h (mul_le_mul_left h' c))

theorem le_of_mul_le_mul_right {a b c : Nat} (h : Le (mul c a) (mul c b)) (pos : Lt 0 c) : Le a b :=
  le_of_not_lt (fun h' => not_le_of_lt (mul_lt_mul_right h' pos) h)

theorem le_of_mul_le_mul_left {a b c : Nat} (h : Le (mul a c) (mul b c)) (pos : Lt 0 c) : Le a b :=
  le_of_not_lt (fun h' => not_le_of_lt (mul_lt_mul_left h' pos) h)

theorem mul_left_cancel {a b c : Nat} (pos : Lt 0 c) (h : Eq (mul c a) (mul c b)) : Eq a b :=
  le_antisymm (le_of_mul_le_mul_right (le_of_eq h) pos) (le_of_mul_le_mul_right (le_of_eq (Eq.symm h)) pos)

theorem mul_right_cancel {a b c : Nat} (pos : Lt 0 c) (h : Eq (mul a c) (mul b c)) : Eq a b :=
  le_antisymm (le_of_mul_le_mul_left (le_of_eq h) pos) (le_of_mul_le_mul_left (le_of_eq (Eq.symm h)) pos)

theorem pos_of_mul_pos_left {a b : Nat} (h : Lt 0 (mul a b)) : Lt 0 a :=
  pos_of_ne_zero (fun e => ne_of_gt h (Eq.trans (congrArg (fun x => mul x b) e) (zero_mul b)))

theorem pos_of_mul_pos_right {a b : Nat} (h : Lt 0 (mul a b)) : Lt 0 b :=
  pos_of_mul_pos_left (lt_of_lt_of_le h (le_of_eq (mul_comm a b)))

theorem mul_eq_zero {a b : Nat} (h : Eq (mul a b) 0) : Or (Eq a 0) (Eq b 0) :=
  Or.elim (eq_zero_or_pos a) Or.inl (fun ha => Or.elim (eq_zero_or_pos b) Or.inr (fun hb => absurd h (ne_of_gt (mul_pos ha hb))))

theorem le_mul_of_pos_right {b : Nat} (a : Nat) (h : Lt 0 b) : Le a (mul a b) :=
  le_trans (le_of_eq (Eq.symm (mul_one a))) (mul_le_mul_right a h)

theorem le_mul_of_pos_left {b : Nat} (a : Nat) (h : Lt 0 b) : Le a (mul b a) :=
  le_trans (le_mul_of_pos_right a h) (le_of_eq (mul_comm a b))

end Nat
