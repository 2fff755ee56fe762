prelude
import FloatLib.Base.Logic
/-!
# Data: Booleans, pairs, natural numbers, lists

Types first, then the functions on Booleans that operations are made of. Their theorems are in `Lemmas/Bool.lean`.
-/

noncomputable section

/-- A pair whose parts may be proofs. -/
structure PProd (α : Sort u) (β : Sort v) where
  /-- From its two parts. -/
  mk ::
  /-- The first part. -/
  fst : α
  /-- The second part. -/
  snd : β

/-- A pair. -/
structure Prod (α : Type u) (β : Type v) where
  /-- From its two parts. -/
  mk ::
  /-- The first part. -/
  fst : α
  /-- The second part. -/
  snd : β

/-- A pair whose second part's type depends on the first part. -/
structure PSigma {α : Sort u} (β : α → Sort v) where
  /-- From its two parts. -/
  mk ::
  /-- The first part. -/
  fst : α
  /-- The second part. -/
  snd : β fst

/-- A value taken to a higher universe. -/
structure PULift.{r, s} (α : Sort s) : Sort (max s r 1) where
  /-- The value taken up. -/
  up ::
  /-- The value itself. -/
  down : α

set_option genCtorIdx false in
set_option genInjectivity false in
/-- The natural numbers. The kernel knows this type and computes with numerals as big integers. -/
inductive Nat where
  /-- Zero. -/
  | zero : Nat
  /-- The next number. -/
  | succ (n : Nat) : Nat

/-- The position of a number's constructor, which the elaborator asks for. -/
def Nat.ctorIdx (n : Nat) : Nat := n.rec zero (fun _ _ => succ zero)

/-- What a numeral means at a type. -/
class OfNat (α : Type u) (_ : Nat) where
  /-- The numeral's value. -/
  ofNat : α

/-- A numeral of type `Nat` is itself. -/
instance instOfNatNat (n : Nat) : OfNat Nat n := ⟨n⟩

set_option genCtorIdx false in
set_option genInjectivity false in
/-- The two truth values. -/
inductive Bool where
  /-- No. -/
  | false : Bool
  /-- Yes. -/
  | true : Bool

export Bool (false true)

/-- The position of a truth value's constructor, which the elaborator asks for. -/
def Bool.ctorIdx (b : Bool) : Nat := b.rec 0 1

/-- `cond c a b`: `a` if `c` is true, else `b`. -/
def cond {α : Sort u} (c : Bool) (a b : α) : α :=
  match c with
  | true => a
  | false => b

/-- Negation. -/
def Bool.not (a : Bool) : Bool :=
  match a with
  | true => false
  | false => true

/-- Conjunction. -/
def Bool.and (a b : Bool) : Bool :=
  match a with
  | true => b
  | false => false

/-- Disjunction. -/
def Bool.or (a b : Bool) : Bool :=
  match a with
  | true => true
  | false => b

/-- Exclusive disjunction. -/
def Bool.xor (a b : Bool) : Bool :=
  match a with
  | true => b.not
  | false => b

/-- Whether two truth values are the same. -/
def Bool.beq (a b : Bool) : Bool :=
  match a with
  | true => b
  | false => b.not

/-- Whether two numbers are the same. The kernel computes it on numerals. -/
def Nat.beq : Nat → Nat → Bool
  | zero, zero => true
  | zero, succ _ => false
  | succ _, zero => false
  | succ a, succ b => beq a b

/-- Whether `a` is at most `b`. The kernel computes it on numerals. -/
def Nat.ble : Nat → Nat → Bool
  | zero, _ => true
  | succ _, zero => false
  | succ a, succ b => ble a b

set_option genInjectivity false in
/-- A value, or none. -/
inductive Option (α : Type u) where
  /-- No value. -/
  | none : Option α
  /-- A value. -/
  | some (a : α) : Option α

set_option genInjectivity false in
/-- Finite sequences. -/
inductive List (α : Type u) where
  /-- The empty sequence. -/
  | nil : List α
  /-- An element before a sequence. -/
  | cons (head : α) (tail : List α) : List α
