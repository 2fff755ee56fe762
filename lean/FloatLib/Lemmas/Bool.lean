prelude
import FloatLib.Base.Decide
/-!
# Booleans: theorems

First the two ways to use a truth value in a proof (`Bool.byCases`, contradictions), then what each function's value says
about its arguments, then the algebra. `Lemmas/Cond.lean` has the choice.
-/

noncomputable section
namespace Bool

/-- What follows from each of the two values of `b` follows. -/
theorem byCases {C : Prop} (b : Bool) (yes : Eq b true → C) (no : Eq b false → C) : C :=
  match b with
  | true => yes rfl
  | false => no rfl

/-- A truth value is one of the two. -/
theorem true_or_false (b : Bool) : Or (Eq b true) (Eq b false) := byCases b Or.inl Or.inr

/-- No truth value is both. -/
theorem not_both {b : Bool} {C : Prop} (yes : Eq b true) (no : Eq b false) : C :=
  (false_ne_true (Eq.trans (Eq.symm no) yes)).elim

theorem true_ne_false (h : Eq true false) : False := false_ne_true (Eq.symm h)

theorem eq_false_of_ne_true {b : Bool} (h : Not (Eq b true)) : Eq b false := byCases b (fun yes => absurd yes h) id

theorem eq_true_of_ne_false {b : Bool} (h : Not (Eq b false)) : Eq b true := byCases b id (fun no => absurd no h)

theorem ne_true_of_eq_false {b : Bool} (h : Eq b false) : Not (Eq b true) := fun yes => not_both yes h

theorem ne_false_of_eq_true {b : Bool} (h : Eq b true) : Not (Eq b false) := fun no => not_both h no

/-- Truth values that are true in the same cases are the same. -/
theorem eq_of_iff {a b : Bool} (h : Eq a true → Eq b true) (h' : Eq b true → Eq a true) : Eq a b :=
  byCases a (fun yes => Eq.trans yes (Eq.symm (h yes)))
    (fun no => Eq.trans no (Eq.symm (eq_false_of_ne_true (fun yes => not_both (h' yes) no))))

/-! What a function's value says about its arguments, and back. -/

theorem not_eq_true {a : Bool} (h : Eq a.not true) : Eq a false :=
  match a, h with
  | true, h => (false_ne_true h).elim
  | false, _ => rfl

theorem not_eq_false {a : Bool} (h : Eq a.not false) : Eq a true :=
  match a, h with
  | true, _ => rfl
  | false, h => (true_ne_false h).elim

theorem not_of_false {a : Bool} (h : Eq a false) : Eq a.not true :=
  match a, h with
  | true, h => (true_ne_false h).elim
  | false, _ => rfl

theorem not_of_true {a : Bool} (h : Eq a true) : Eq a.not false :=
  match a, h with
  | true, _ => rfl
  | false, h => (false_ne_true h).elim

theorem and_eq_true_left {a b : Bool} (h : Eq (a.and b) true) : Eq a true :=
  match a, b, h with
  | true, true, _ => rfl
  | true, false, h => (false_ne_true h).elim
  | false, true, h => (false_ne_true h).elim
  | false, false, h => (false_ne_true h).elim

theorem and_eq_true_right {a b : Bool} (h : Eq (a.and b) true) : Eq b true :=
  match a, b, h with
  | true, true, _ => rfl
  | true, false, h => (false_ne_true h).elim
  | false, true, h => (false_ne_true h).elim
  | false, false, h => (false_ne_true h).elim

theorem and_of_true {a b : Bool} (h1 : Eq a true) (h2 : Eq b true) : Eq (a.and b) true :=
  match a, b, h1, h2 with
  | true, true, _, _ => rfl
  | true, false, _, h => (false_ne_true h).elim
  | false, true, h, _ => (false_ne_true h).elim
  | false, false, h, _ => (false_ne_true h).elim

theorem and_of_false_left {a b : Bool} (h : Eq a false) : Eq (a.and b) false :=
  match a, b, h with
  | true, true, h => (true_ne_false h).elim
  | true, false, h => (true_ne_false h).elim
  | false, true, _ => rfl
  | false, false, _ => rfl

theorem and_of_false_right {a b : Bool} (h : Eq b false) : Eq (a.and b) false :=
  match a, b, h with
  | true, true, h => (true_ne_false h).elim
  | true, false, _ => rfl
  | false, true, h => (true_ne_false h).elim
  | false, false, _ => rfl

theorem or_eq_false_left {a b : Bool} (h : Eq (a.or b) false) : Eq a false :=
  match a, b, h with
  | true, true, h => (true_ne_false h).elim
  | true, false, h => (true_ne_false h).elim
  | false, true, h => (true_ne_false h).elim
  | false, false, _ => rfl

theorem or_eq_false_right {a b : Bool} (h : Eq (a.or b) false) : Eq b false :=
  match a, b, h with
  | true, true, h => (true_ne_false h).elim
  | true, false, h => (true_ne_false h).elim
  | false, true, h => (true_ne_false h).elim
  | false, false, _ => rfl

theorem or_of_false {a b : Bool} (h1 : Eq a false) (h2 : Eq b false) : Eq (a.or b) false :=
  match a, b, h1, h2 with
  | true, true, h, _ => (true_ne_false h).elim
  | true, false, h, _ => (true_ne_false h).elim
  | false, true, _, h => (true_ne_false h).elim
  | false, false, _, _ => rfl

theorem or_of_true_left {a b : Bool} (h : Eq a true) : Eq (a.or b) true :=
  match a, b, h with
  | true, true, _ => rfl
  | true, false, _ => rfl
  | false, true, h => (false_ne_true h).elim
  | false, false, h => (false_ne_true h).elim

theorem or_of_true_right {a b : Bool} (h : Eq b true) : Eq (a.or b) true :=
  match a, b, h with
  | true, true, _ => rfl
  | true, false, h => (false_ne_true h).elim
  | false, true, _ => rfl
  | false, false, h => (false_ne_true h).elim

theorem and_eq_false_right {a b : Bool} (h1 : Eq (a.and b) false) (h2 : Eq a true) : Eq b false :=
  match a, b, h1, h2 with
  | true, true, h, _ => (true_ne_false h).elim
  | true, false, _, _ => rfl
  | false, true, _, h => (false_ne_true h).elim
  | false, false, _, h => (false_ne_true h).elim

theorem or_eq_true_right {a b : Bool} (h1 : Eq (a.or b) true) (h2 : Eq a false) : Eq b true :=
  match a, b, h1, h2 with
  | true, true, _, h => (true_ne_false h).elim
  | true, false, _, h => (true_ne_false h).elim
  | false, true, _, _ => rfl
  | false, false, h, _ => (false_ne_true h).elim

theorem xor_eq_false {a b : Bool} (h : Eq (a.xor b) false) : Eq a b :=
  match a, b, h with
  | true, true, _ => rfl
  | true, false, h => (true_ne_false h).elim
  | false, true, h => (true_ne_false h).elim
  | false, false, _ => rfl

theorem eq_of_beq {a b : Bool} (h : Eq (a.beq b) true) : Eq a b :=
  match a, b, h with
  | true, true, _ => rfl
  | true, false, h => (false_ne_true h).elim
  | false, true, h => (false_ne_true h).elim
  | false, false, _ => rfl

theorem or_eq_true {a b : Bool} (h : Eq (a.or b) true) : Or (Eq a true) (Eq b true) :=
  byCases a Or.inl (fun no => Or.inr (or_eq_true_right h no))

theorem and_eq_false {a b : Bool} (h : Eq (a.and b) false) : Or (Eq a false) (Eq b false) :=
  byCases a (fun yes => Or.inr (and_eq_false_right h yes)) Or.inl

/-! The algebra. -/

theorem not_not : (a : Bool) → Eq a.not.not a
  | true => rfl
  | false => rfl

theorem and_comm : (a b : Bool) → Eq (a.and b) (b.and a)
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem and_assoc : (a b c : Bool) → Eq ((a.and b).and c) (a.and (b.and c))
  | true, true, true => rfl
  | true, true, false => rfl
  | true, false, true => rfl
  | true, false, false => rfl
  | false, true, true => rfl
  | false, true, false => rfl
  | false, false, true => rfl
  | false, false, false => rfl

theorem or_comm : (a b : Bool) → Eq (a.or b) (b.or a)
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem or_assoc : (a b c : Bool) → Eq ((a.or b).or c) (a.or (b.or c))
  | true, true, true => rfl
  | true, true, false => rfl
  | true, false, true => rfl
  | true, false, false => rfl
  | false, true, true => rfl
  | false, true, false => rfl
  | false, false, true => rfl
  | false, false, false => rfl

theorem xor_comm : (a b : Bool) → Eq (a.xor b) (b.xor a)
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem xor_assoc : (a b c : Bool) → Eq ((a.xor b).xor c) (a.xor (b.xor c))
  | true, true, true => rfl
  | true, true, false => rfl
  | true, false, true => rfl
  | true, false, false => rfl
  | false, true, true => rfl
  | false, true, false => rfl
  | false, false, true => rfl
  | false, false, false => rfl

theorem and_self : (a : Bool) → Eq (a.and a) a
  | true => rfl
  | false => rfl

theorem and_true : (a : Bool) → Eq (a.and true) a
  | true => rfl
  | false => rfl

theorem true_and : (a : Bool) → Eq (Bool.and true a) a
  | true => rfl
  | false => rfl

theorem and_false : (a : Bool) → Eq (a.and false) false
  | true => rfl
  | false => rfl

theorem false_and : (a : Bool) → Eq (Bool.and false a) false
  | true => rfl
  | false => rfl

theorem and_not_self : (a : Bool) → Eq (a.and a.not) false
  | true => rfl
  | false => rfl

theorem or_self : (a : Bool) → Eq (a.or a) a
  | true => rfl
  | false => rfl

theorem or_false : (a : Bool) → Eq (a.or false) a
  | true => rfl
  | false => rfl

theorem false_or : (a : Bool) → Eq (Bool.or false a) a
  | true => rfl
  | false => rfl

theorem or_true : (a : Bool) → Eq (a.or true) true
  | true => rfl
  | false => rfl

theorem true_or : (a : Bool) → Eq (Bool.or true a) true
  | true => rfl
  | false => rfl

theorem or_not_self : (a : Bool) → Eq (a.or a.not) true
  | true => rfl
  | false => rfl

theorem not_and : (a b : Bool) → Eq (a.and b).not (a.not.or b.not)
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem not_or : (a b : Bool) → Eq (a.or b).not (a.not.and b.not)
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem and_or : (a b c : Bool) → Eq (a.and (b.or c)) ((a.and b).or (a.and c))
  | true, true, true => rfl
  | true, true, false => rfl
  | true, false, true => rfl
  | true, false, false => rfl
  | false, true, true => rfl
  | false, true, false => rfl
  | false, false, true => rfl
  | false, false, false => rfl

theorem or_and : (a b c : Bool) → Eq (a.or (b.and c)) ((a.or b).and (a.or c))
  | true, true, true => rfl
  | true, true, false => rfl
  | true, false, true => rfl
  | true, false, false => rfl
  | false, true, true => rfl
  | false, true, false => rfl
  | false, false, true => rfl
  | false, false, false => rfl

theorem xor_self : (a : Bool) → Eq (a.xor a) false
  | true => rfl
  | false => rfl

theorem xor_false : (a : Bool) → Eq (a.xor false) a
  | true => rfl
  | false => rfl

theorem xor_true : (a : Bool) → Eq (a.xor true) a.not
  | true => rfl
  | false => rfl

theorem false_xor : (a : Bool) → Eq (Bool.xor false a) a
  | true => rfl
  | false => rfl

theorem not_xor : (a b : Bool) → Eq (a.not.xor b) (a.xor b).not
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem xor_not : (a b : Bool) → Eq (a.xor b.not) (a.xor b).not
  | true, true => rfl
  | true, false => rfl
  | false, true => rfl
  | false, false => rfl

theorem beq_self : (a : Bool) → Eq (a.beq a) true
  | true => rfl
  | false => rfl

theorem cond_true_false : (a : Bool) → Eq (cond a true false) a
  | true => rfl
  | false => rfl

theorem cond_false_true : (a : Bool) → Eq (cond a false true) a.not
  | true => rfl
  | false => rfl

end Bool
