prelude
import FloatLib.Base.Decide
/-!
# Natural numbers: the functions

The kernel computes the functions in the first two sections with big integers when their arguments are numerals, by NAME,
whatever stands here. So each definition must have exactly the kernel's values everywhere, the corners included:
`sub` stops at zero, `div n 0` is `0`, `mod n 0` is `n`, `log2 0` is `0`. (`Nat.beq` and `Nat.ble` in `Base/Data` are two more.)
Each is by structural recursion, so its recursion equations hold by `rfl`; see `Lemmas/Nat`.
-/

noncomputable section
namespace Nat

/-- Sum. -/
def add : Nat → Nat → Nat
  | a, zero => a
  | a, succ b => succ (add a b)

end Nat

/-! The elaborator writes the sum of a number and a numeral with these. -/

/-- A sum of two types' values. -/
class HAdd (α : Type u) (β : Type v) (γ : Type w) where
  /-- The sum. -/
  hAdd : α → β → γ

/-- A sum within a type. -/
class Add (α : Type u) where
  /-- The sum. -/
  add : α → α → α

/-- A sum within a type is a sum. -/
instance instHAdd {α : Type u} [Add α] : HAdd α α α := ⟨Add.add⟩

/-- Numbers have a sum. -/
instance instAddNat : Add Nat := ⟨Nat.add⟩

namespace Nat

/-- The number before, zero before zero. -/
def pred : Nat → Nat
  | zero => 0
  | succ a => a

/-- Difference, zero where it would be negative. -/
def sub : Nat → Nat → Nat
  | a, zero => a
  | a, succ b => pred (sub a b)

/-- Product. -/
def mul : Nat → Nat → Nat
  | _, zero => 0
  | a, succ b => add (mul a b) a

/-- Power. -/
def pow : Nat → Nat → Nat
  | _, zero => 1
  | a, succ b => mul (pow a b) a

/-- Remainder; `mod a 0` is `a`. Counting up, it starts again at zero when it reaches the divisor. -/
def mod : Nat → Nat → Nat
  | zero, _ => 0
  | succ a, d => cond (beq (succ (mod a d)) d) 0 (succ (mod a d))

/-- Quotient rounded down; `div a 0` is `0`. Counting up, it grows when the remainder starts again. -/
def div : Nat → Nat → Nat
  | zero, _ => 0
  | succ a, d => cond (beq (succ (mod a d)) d) (succ (div a d)) (div a d)

/-- The position of the highest bit; `log2 0` is `0`. Counting up, it grows at each power of two. -/
def log2 : Nat → Nat
  | zero => 0
  | succ a => cond (ble (pow 2 (succ (log2 a))) (succ a)) (succ (log2 a)) (log2 a)

/-- Times a power of two. -/
def shiftLeft (a k : Nat) : Nat := mul a (pow 2 k)

/-- Divided by a power of two, rounded down. -/
def shiftRight (a k : Nat) : Nat := div a (pow 2 k)

/-- Euclid's algorithm in at most `fuel` steps. -/
def gcdLoop : Nat → Nat → Nat → Nat
  | zero, _, b => b
  | succ fuel, a, b => cond (beq a 0) b (gcdLoop fuel (mod b a) a)

/-- Greatest common divisor; `gcd 0 b` is `b`. The first argument falls in each step, so `a` steps are enough. -/
def gcd (a b : Nat) : Nat := gcdLoop a a b

/-- Whether a number is odd. -/
def odd (a : Nat) : Bool := beq (mod a 2) 1

/-- `f` on each of the lowest `fuel` binary digits of two numbers. -/
def bitwise (f : Bool → Bool → Bool) : Nat → Nat → Nat → Nat
  | zero, _, _ => 0
  | succ fuel, a, b => add (mul 2 (bitwise f fuel (div a 2) (div b 2))) (cond (f (odd a) (odd b)) 1 0)

/-- Conjunction of binary digits. A number has no more digits than its value. -/
def land (a b : Nat) : Nat := bitwise Bool.and (add a b) a b

/-- Disjunction of binary digits. -/
def lor (a b : Nat) : Nat := bitwise Bool.or (add a b) a b

/-- Exclusive disjunction of binary digits. -/
def xor (a b : Nat) : Nat := bitwise Bool.xor (add a b) a b

/-! Not computed by name: made of the above. -/

/-- Whether `a` is less than `b`. -/
def blt (a b : Nat) : Bool := ble (succ a) b

/-- The smaller of two numbers. -/
def min (a b : Nat) : Nat := cond (ble a b) a b

/-- The larger of two numbers. -/
def max (a b : Nat) : Nat := cond (ble a b) b a

/-- `a` is at most `b`. -/
def Le (a b : Nat) : Prop := Eq (ble a b) true

/-- `a` is less than `b`. -/
def Lt (a b : Nat) : Prop := Eq (blt a b) true

end Nat
