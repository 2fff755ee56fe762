prelude
import FloatLib.Nat.Defs
/-!
# Machine words: 32-bit and 64-bit integers as C and PTX have them

A word is a natural number below `2 ^ 32` or `2 ^ 64`. Every function first takes its arguments modulo that power, so its
value is that of the machine's words whatever numbers it is given. Arithmetic wraps around and is the same for signed and
unsigned words; comparisons differ: `slt`, `sle` read the words in two's complement, `ult`, `ule` as they are.
-/

noncomputable section

/-! Any width `w`. -/
namespace Word

/-- The word of `w` bits that stands for `a`. -/
def of (w a : Nat) : Nat := Nat.mod a (Nat.pow 2 w)

/-- Sum, wrapping around. -/
def add (w a b : Nat) : Nat := of w (Nat.add a b)

/-- Difference, wrapping around: the two's complement of `b` is added. -/
def sub (w a b : Nat) : Nat := of w (Nat.add a (Nat.sub (Nat.pow 2 w) (of w b)))

/-- Product, wrapping around. -/
def mul (w a b : Nat) : Nat := of w (Nat.mul a b)

/-- Less, unsigned. -/
def ult (w a b : Nat) : Bool := Nat.blt (of w a) (of w b)

/-- At most, unsigned. -/
def ule (w a b : Nat) : Bool := Nat.ble (of w a) (of w b)

/-- The same word. -/
def ieq (w a b : Nat) : Bool := Nat.beq (of w a) (of w b)

/-- The word whose unsigned order is this word's signed order: the sign bit is flipped. -/
def bias (w a : Nat) : Nat := of w (Nat.add a (Nat.pow 2 (Nat.pred w)))

/-- Less, signed. -/
def slt (w a b : Nat) : Bool := Nat.blt (bias w a) (bias w b)

/-- At most, signed. -/
def sle (w a b : Nat) : Bool := Nat.ble (bias w a) (bias w b)

end Word

namespace U32

/-- Sum of 32-bit words. -/
def add (a b : Nat) : Nat := Word.add 32 a b
/-- Difference of 32-bit words. -/
def sub (a b : Nat) : Nat := Word.sub 32 a b
/-- Product of 32-bit words. -/
def mul (a b : Nat) : Nat := Word.mul 32 a b
/-- Less, signed. -/
def slt (a b : Nat) : Bool := Word.slt 32 a b
/-- At most, signed. -/
def sle (a b : Nat) : Bool := Word.sle 32 a b
/-- Less, unsigned. -/
def ult (a b : Nat) : Bool := Word.ult 32 a b
/-- At most, unsigned. -/
def ule (a b : Nat) : Bool := Word.ule 32 a b
/-- The same word. -/
def ieq (a b : Nat) : Bool := Word.ieq 32 a b

/-- The 64-bit word of the same unsigned value: `(unsigned long long)x` of an `unsigned`. -/
def zext (a : Nat) : Nat := Word.of 32 a

/-- The 64-bit word of the same signed value: `(long long)x` of an `int`. -/
def sext (a : Nat) : Nat :=
  cond (Nat.blt (Word.of 32 a) (Nat.pow 2 31)) (Word.of 32 a) (Nat.add (Word.of 32 a) (Nat.sub (Nat.pow 2 64) (Nat.pow 2 32)))

end U32

namespace U64

/-- Sum of 64-bit words. -/
def add (a b : Nat) : Nat := Word.add 64 a b
/-- Difference of 64-bit words. -/
def sub (a b : Nat) : Nat := Word.sub 64 a b
/-- Product of 64-bit words. -/
def mul (a b : Nat) : Nat := Word.mul 64 a b
/-- Less, signed. -/
def slt (a b : Nat) : Bool := Word.slt 64 a b
/-- At most, signed. -/
def sle (a b : Nat) : Bool := Word.sle 64 a b
/-- Less, unsigned. -/
def ult (a b : Nat) : Bool := Word.ult 64 a b
/-- At most, unsigned. -/
def ule (a b : Nat) : Bool := Word.ule 64 a b
/-- The same word. -/
def ieq (a b : Nat) : Bool := Word.ieq 64 a b

/-- The low 32 bits: `(int)x` or `(unsigned)x` of a 64-bit integer. -/
def wrap (a : Nat) : Nat := Word.of 32 a

end U64
