prelude
/-! A small FloatLib for the attacks: it declares `Nat.add` and `Nat.mul`, and leaves the kernel's other names free. -/

universe u v
set_option genCtorIdx false
set_option genInjectivity false

/-- Compiler. -/
unsafe axiom lcErased : Type
/-- Compiler. -/
unsafe axiom lcAny : Type
/-- Compiler. -/
unsafe axiom lcVoid : Type
/-- Compiler. -/
unsafe axiom lcProof {α : Prop} : α
/-- Compiler. -/
unsafe axiom lcCast {α : Sort u} {β : Sort v} (a : α) : β
/-- Compiler. -/
unsafe axiom lcUnreachable {α : Sort u} : α

/-- Equality. -/
inductive Eq {α : Sort u} (a : α) : α → Prop where
  /-- Only this. -/
  | refl : Eq a a
/-- Reflexivity. -/
theorem rfl {α : Sort u} {a : α} : Eq a a := .refl
/-- Nothing. -/
inductive False : Prop
/-- Something. -/
inductive True : Prop where
  /-- This. -/
  | intro
/-- Naturals. -/
inductive Nat where
  /-- Zero. -/
  | zero
  /-- One more. -/
  | succ (n : Nat)
/-- Truth values. -/
inductive Bool where
  /-- No. -/
  | false
  /-- Yes. -/
  | true
/-- Numerals. -/
class OfNat (α : Type u) (_ : Nat) where
  /-- Its value. -/
  ofNat : α
noncomputable section
/-- Numerals are themselves. -/
instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩
/-- Sum. -/
def Nat.add (a b : Nat) : Nat := Nat.rec a (fun _ n => .succ n) b
/-- Product. -/
def Nat.mul (a b : Nat) : Nat := Nat.rec 0 (fun _ n => Nat.add n a) b
