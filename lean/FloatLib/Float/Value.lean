prelude
import FloatLib.Float.Format
/-!
# Values: one NaN, or a sign and a magnitude pattern

A value that is not NaN is its sign and its *magnitude pattern*: the bits below the sign bit, read as a number. So the type ranges
over exactly the bit patterns of the format, with all NaNs taken as one; no value is invalid. Zero has pattern `0` and infinity
`f.inf`; larger values have larger patterns, so the order of floats is the order of natural numbers (`rank`).

What a pattern is worth is said once, by `units`.
-/

noncomputable section

/-- A floating-point value of format `f`. -/
inductive Fp (f : Format) where
  /-- Not a number. Sign and payload of a NaN are not observed. -/
  | nan : Fp f
  /-- A number or an infinity: is it negative, and its magnitude pattern. -/
  | num (neg : Bool) (mag : Nat) (valid : Eq (Nat.ble mag f.inf) true) : Fp f

/-- Float32. -/
abbrev F32 : Type := Fp Format.binary32

namespace Fp

variable {f : Format}

/-- The worth of a magnitude pattern, counted in units of the smallest positive number. With a zero exponent field the pattern
itself (subnormal); else the significand with its hidden bit, doubled for each exponent step. Infinity counts as the number that
would follow the largest one. -/
def units (f : Format) (mag : Nat) : Nat :=
  cond (Nat.blt mag (Nat.pow 2 f.mant)) mag
    (((Nat.pow 2 f.mant).add (mag.mod (Nat.pow 2 f.mant))).mul (Nat.pow 2 ((mag.div (Nat.pow 2 f.mant)).sub 1)))

/-- A zero of either sign. -/
def zero (neg : Bool) : Fp f := num neg 0 rfl

/-- A pattern equal to the limit is within it. -/
theorem ble_self (n : Nat) : Eq (Nat.ble n n) true := Nat.rec rfl (fun _ ih => ih) n

/-- An infinity of either sign. -/
def inf (neg : Bool) : Fp f := num neg f.inf (ble_self f.inf)

/-- Is it NaN? -/
def isNan : Fp f → Bool
  | nan => true
  | num _ _ _ => false

/-- Is it an infinity? -/
def isInf : Fp f → Bool
  | nan => false
  | num _ g _ => Nat.beq g f.inf

/-- Is it a number: neither NaN nor an infinity? -/
def isFinite : Fp f → Bool
  | nan => false
  | num _ g _ => Nat.blt g f.inf

/-- Is it a zero? -/
def isZero : Fp f → Bool
  | nan => false
  | num _ g _ => Nat.beq g 0

/-- The sign bit; that of NaN is not observed and counts as clear. -/
def isNeg : Fp f → Bool
  | nan => false
  | num s _ _ => s

/-- The place of a value in the order from `-inf` (0) to `+inf` (`2 * f.inf`); both zeros have the same place. -/
def rank (f : Format) (neg : Bool) (mag : Nat) : Nat := cond neg (f.inf.sub mag) (f.inf.add mag)

end Fp
