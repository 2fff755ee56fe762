prelude
import FloatLib.Grid.U32
/-!
# Bits of machine words, and division

Conjunction, disjunction, shifts and division of the words of `Grid/U32.lean`. A count is a 32-bit word; as in PTX, a shift by the width or
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

/-- The complement of each bit. -/
def not (w a : Nat) : Nat := Nat.sub (Nat.sub (Nat.pow 2 w) 1) (of w a)

/-- Quotient of unsigned words; by zero it is all ones, as in SMT-LIB (C leaves it open). -/
def udiv (w a b : Nat) : Nat := cond (Nat.beq (of w b) 0) (Nat.sub (Nat.pow 2 w) 1) (Nat.div (of w a) (of w b))

/-- Remainder of unsigned words; by zero it is the dividend. -/
def urem (w a b : Nat) : Nat := Nat.mod (of w a) (of w b)

/-- Is it negative in two's complement? -/
def isNeg (w a : Nat) : Bool := Nat.ble (Nat.pow 2 w.pred) (of w a)

/-- The word, or its negative where `n` holds. -/
def signed (w : Nat) (n : Bool) (a : Nat) : Nat := cond n (sub w 0 a) (of w a)

/-- The absolute value of a word in two's complement, as an unsigned word. -/
def magnitude (w a : Nat) : Nat := signed w (isNeg w a) a

/-- Quotient of words in two's complement, rounded toward zero. -/
def sdiv (w a b : Nat) : Nat := signed w (Bool.xor (isNeg w a) (isNeg w b)) (udiv w (magnitude w a) (magnitude w b))

/-- Remainder of words in two's complement, with the sign of the dividend. -/
def srem (w a b : Nat) : Nat := signed w (isNeg w a) (urem w (magnitude w a) (magnitude w b))

/-- The smaller word in two's complement. -/
def smin (w a b : Nat) : Nat := cond (sle w a b) (of w a) (of w b)

/-- The larger word in two's complement. -/
def smax (w a b : Nat) : Nat := cond (sle w a b) (of w b) (of w a)

/-- The smaller unsigned word. -/
def umin (w a b : Nat) : Nat := cond (ule w a b) (of w a) (of w b)

/-- The larger unsigned word. -/
def umax (w a b : Nat) : Nat := cond (ule w a b) (of w b) (of w a)

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
/-- `a / b` of an `int`. -/
def sdiv (a b : Nat) : Nat := Word.sdiv 32 a b
/-- `a % b` of an `int`. -/
def srem (a b : Nat) : Nat := Word.srem 32 a b
/-- `a / b` of an `unsigned`. -/
def udiv (a b : Nat) : Nat := Word.udiv 32 a b
/-- `a % b` of an `unsigned`. -/
def urem (a b : Nat) : Nat := Word.urem 32 a b
/-- `min(a, b)` of an `int`. -/
def smin (a b : Nat) : Nat := Word.smin 32 a b
/-- `max(a, b)` of an `int`. -/
def smax (a b : Nat) : Nat := Word.smax 32 a b
/-- `min(a, b)` of an `unsigned`. -/
def umin (a b : Nat) : Nat := Word.umin 32 a b
/-- `max(a, b)` of an `unsigned`. -/
def umax (a b : Nat) : Nat := Word.umax 32 a b
/-- `~a`. -/
def not (a : Nat) : Nat := Word.not 32 a

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
/-- `a / b` of an `long long`. -/
def sdiv (a b : Nat) : Nat := Word.sdiv 64 a b
/-- `a % b` of an `long long`. -/
def srem (a b : Nat) : Nat := Word.srem 64 a b
/-- `a / b` of an `unsigned long long`. -/
def udiv (a b : Nat) : Nat := Word.udiv 64 a b
/-- `a % b` of an `unsigned long long`. -/
def urem (a b : Nat) : Nat := Word.urem 64 a b
/-- `min(a, b)` of an `long long`. -/
def smin (a b : Nat) : Nat := Word.smin 64 a b
/-- `max(a, b)` of an `long long`. -/
def smax (a b : Nat) : Nat := Word.smax 64 a b
/-- `min(a, b)` of an `unsigned long long`. -/
def umin (a b : Nat) : Nat := Word.umin 64 a b
/-- `max(a, b)` of an `unsigned long long`. -/
def umax (a b : Nat) : Nat := Word.umax 64 a b
/-- `~a`. -/
def not (a : Nat) : Nat := Word.not 64 a

end U64
