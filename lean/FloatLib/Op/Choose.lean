prelude
import FloatLib.Float.Round
/-!
# Comparisons, minima and maxima, sign, flushing: operations that do not round
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- Less than; false on NaN. -/
def lt : Fp f → Fp f → Bool
  | nan, _ => false
  | num _ _ _, nan => false
  | num s g _, num t h _ => Nat.blt (rank f s g) (rank f t h)

/-- At most; false on NaN. -/
def le : Fp f → Fp f → Bool
  | nan, _ => false
  | num _ _ _, nan => false
  | num s g _, num t h _ => Nat.ble (rank f s g) (rank f t h)

/-- Equal in worth: `-0` equals `+0`; false on NaN. -/
def eq : Fp f → Fp f → Bool
  | nan, _ => false
  | num _ _ _, nan => false
  | num s g _, num t h _ => Nat.beq (rank f s g) (rank f t h)

/-- Is at least one of them NaN? -/
def unordered (a b : Fp f) : Bool := a.isNan.or b.isNan

/-- Less than, or unordered. -/
def ltU (a b : Fp f) : Bool := (unordered a b).or (lt a b)

/-- At most, or unordered. -/
def leU (a b : Fp f) : Bool := (unordered a b).or (le a b)

/-- Equal, or unordered. -/
def eqU (a b : Fp f) : Bool := (unordered a b).or (eq a b)

/-- The smaller of two values that are not NaN, `-0` below `+0`. -/
def lower (a b : Fp f) : Fp f := cond (lt a b) a (cond (lt b a) b (cond a.isNeg a b))

/-- The larger of two values that are not NaN, `+0` above `-0`. -/
def upper (a b : Fp f) : Fp f := cond (lt b a) a (cond (lt a b) b (cond a.isNeg b a))

/-- Minimum that prefers a number to NaN (PTX `min.f32`). -/
def minNum (a b : Fp f) : Fp f := cond a.isNan b (cond b.isNan a (lower a b))

/-- Maximum that prefers a number to NaN (PTX `max.f32`). -/
def maxNum (a b : Fp f) : Fp f := cond a.isNan b (cond b.isNan a (upper a b))

/-- Minimum that is NaN if either is (PTX `min.NaN.f32`). -/
def minNan (a b : Fp f) : Fp f := cond (unordered a b) nan (lower a b)

/-- Maximum that is NaN if either is (PTX `max.NaN.f32`). -/
def maxNan (a b : Fp f) : Fp f := cond (unordered a b) nan (upper a b)

/-- The absolute value: the sign bit cleared. -/
def abs : Fp f → Fp f
  | nan => nan
  | num _ g h => num false g h

/-- Flush to zero: a subnormal becomes the zero of its sign. -/
def ftz : Fp f → Fp f
  | nan => nan
  | num s g h => cond (Nat.blt g (Nat.pow 2 f.mant)) (zero s) (num s g h)

/-- `-0` taken as `+0`: what the equality `zero-sign` compares. -/
def posZero : Fp f → Fp f
  | nan => nan
  | num s g h => cond (Nat.beq g 0) (zero false) (num s g h)

end Fp
