prelude
import FloatLib.Base.Data
/-!
# Decide: propositions with a decision, and what Lean derives from constructors

The elaborator needs these names to tell constructors apart in pattern matching. Statements about kernels do not use them:
there every condition is a Boolean.
-/

noncomputable section

/-- A proposition together with a proof of it or of its negation. -/
class inductive Decidable (p : Prop) where
  /-- It does not hold. -/
  | isFalse (h : Not p) : Decidable p
  /-- It holds. -/
  | isTrue (h : p) : Decidable p

/-- Every equation at a type has a decision. -/
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)

/-- A choice by a decided proposition. -/
def ite {α : Sort u} (p : Prop) [h : Decidable p] (a b : α) : α := h.rec (fun _ => b) (fun _ => a)

/-- A choice by a decided proposition, whose proof each branch may use. -/
def dite {α : Sort u} (p : Prop) [h : Decidable p] (a : p → α) (b : Not p → α) : α := h.rec b a

/-- The two truth values differ. -/
theorem Bool.false_ne_true (h : Eq false true) : False := Eq.subst (motive := fun b => cond b False True) h True.intro

/-- A true `Nat.beq` is an equation. -/
theorem Nat.eq_of_beq : (a b : Nat) → Eq (beq a b) true → Eq a b
  | zero, zero, _ => rfl
  | zero, succ _, h => (Bool.false_ne_true h).elim
  | succ _, zero, h => (Bool.false_ne_true h).elim
  | succ a, succ b, h => congrArg succ (eq_of_beq a b h)

/-- Every number passes `Nat.beq` against itself. -/
theorem Nat.beq_self : (a : Nat) → Eq (beq a a) true
  | zero => rfl
  | succ a => beq_self a

/-- Equations of numbers are decided by `Nat.beq`. -/
def Nat.decEq (a b : Nat) : Decidable (Eq a b) :=
  match h : beq a b with
  | true => .isTrue (eq_of_beq a b h)
  | false => .isFalse (fun e => Bool.false_ne_true (Eq.trans (Eq.symm h) (Eq.trans (congrArg (beq a) (Eq.symm e)) (beq_self a))))

/-- Equations of numbers are decided. -/
instance instDecidableEqNat : DecidableEq Nat := Nat.decEq

/-- Values with different images under `f : α → Nat` are different. -/
theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) : (Nat.beq (f a) (f b)).rec False True :=
  h.rec ((Nat.beq_self (f a)).symm.rec True.intro)

/-- What follows from an equation between constructors of an enumeration: its statement. -/
abbrev noConfusionTypeEnum {α : Sort u} (f : α → Nat) (P : Sort w) (a b : α) : Sort w :=
  (Nat.decEq (f a) (f b)).rec (fun _ => P) (fun _ => P → P)

/-- What follows from an equation between constructors of an enumeration. -/
abbrev noConfusionEnum {α : Sort u} (f : α → Nat) {P : Sort w} {a b : α} (h : Eq a b) : noConfusionTypeEnum f P a b :=
  Decidable.rec (motive := fun d => Decidable.rec (motive := fun _ => Sort w) (fun _ => P) (fun _ => P → P) d)
    (fun n => absurd (congrArg f h) n) (fun _ p => p) (Nat.decEq (f a) (f b))
