prelude
import FloatLib.Nat.Defs
/-!
# Formats: how many bits

A binary interchange format of IEEE 754 with `mant` stored significand bits and `expo` exponent bits. The numbers of a format are
whole multiples of its smallest positive number, the *unit*; everything below counts in units.
-/

noncomputable section

/-- A binary floating-point format. -/
structure Format where
  /-- From the two widths. -/
  mk ::
  /-- Stored significand bits (23 for binary32). -/
  mant : Nat
  /-- Exponent bits (8 for binary32). -/
  expo : Nat

namespace Format

/-- Single precision: Float32. -/
abbrev binary32 : Format := mk 23 8

/-- Double precision's significand with single precision's exponents: it rounds as Float64 does from `2 ^ -126` to `2 ^ 127`. -/
abbrev narrow64 : Format := mk 52 8

/-- Half precision: Float16. -/
abbrev binary16 : Format := mk 10 5

/-- The other half precision: bfloat16. -/
abbrev bfloat16 : Format := mk 7 8

/-- Two exponent bits more than nothing: small enough to check every pair of values. -/
abbrev toy : Format := mk 2 3

/-- Magnitude patterns are less than `2 ^ width`. -/
def width (f : Format) : Nat := f.mant.add f.expo

/-- The magnitude pattern of infinity: all exponent bits set, no significand bit. -/
def inf (f : Format) : Nat := ((Nat.pow 2 f.expo).sub 1).mul (Nat.pow 2 f.mant)

/-- How many units make `1`: two to the power `bias + mant - 1` (149 for binary32). -/
def one (f : Format) : Nat := Nat.pow 2 (((Nat.pow 2 (f.expo.sub 1)).sub 2).add f.mant)

end Format
