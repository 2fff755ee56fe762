prelude
import FloatLib.Grid.U32
/-!
# Bits of machine words

Conjunction, disjunction and shifts of the words of `Grid/U32.lean`. A count is a 32-bit word; as in PTX, a shift by the width or
more shifts everything out.
-/

noncomputable section

/-! Any width `w`. -/
namespace Word

/-- Conjunction of bits. -/
def land (w a b : Nat) : Nat := Nat.land (of w a) (of w b)

/-- Disjunction of bits. -/
def lor (w a b : Nat) : Nat := Nat.lor (of w a) (of w b)

/-- Exclusive disjunction of bits. -/
def xor (w a b : Nat) : Nat := Nat.xor (of w a) (of w b)

/-- How far a count shifts: at most by the width. -/
def count (w k : Nat) : Nat := Nat.min (of 32 k) w

/-- Shifted to higher places. -/
def shl (w a k : Nat) : Nat := of w (Nat.shiftLeft (of w a) (count w k))

/-- Shifted to lower places, filling with zeros. -/
def lshr (w a k : Nat) : Nat := Nat.shiftRight (of w a) (count w k)

/-- Shifted to lower places, filling with the sign: the complement of the shifted complement if it is set. -/
def ashr (w a k : Nat) : Nat :=
  cond (Nat.blt (of w a) (Nat.pow 2 w.pred)) (lshr w a k)
    (Nat.sub (Nat.sub (Nat.pow 2 w) 1) (Nat.shiftRight (Nat.sub (Nat.sub (Nat.pow 2 w) 1) (of w a)) (count w k)))

end Word

namespace U32

/-- `a & b`. -/
def land (a b : Nat) : Nat := Word.land 32 a b
/-- `a | b`. -/
def lor (a b : Nat) : Nat := Word.lor 32 a b
/-- `a ^ b`. -/
def xor (a b : Nat) : Nat := Word.xor 32 a b
/-- `a << k`. -/
def shl (a k : Nat) : Nat := Word.shl 32 a k
/-- `a >> k` of an `unsigned`. -/
def lshr (a k : Nat) : Nat := Word.lshr 32 a k
/-- `a >> k` of an `int`. -/
def ashr (a k : Nat) : Nat := Word.ashr 32 a k

end U32

namespace U64

/-- `a & b`. -/
def land (a b : Nat) : Nat := Word.land 64 a b
/-- `a | b`. -/
def lor (a b : Nat) : Nat := Word.lor 64 a b
/-- `a ^ b`. -/
def xor (a b : Nat) : Nat := Word.xor 64 a b
/-- `a << k`. -/
def shl (a k : Nat) : Nat := Word.shl 64 a k
/-- `a >> k` of an `unsigned long long`. -/
def lshr (a k : Nat) : Nat := Word.lshr 64 a k
/-- `a >> k` of a `long long`. -/
def ashr (a k : Nat) : Nat := Word.ashr 64 a k

end U64
