prelude
import FloatLib.Float.Value
/-!
# Signs and classes

The sign of a NaN is not observed: it counts as clear. So nothing here says what a device does with the sign of a NaN.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- The magnitude of the first with the sign of the second. -/
def copysign : Fp f → Fp f → Fp f
  | nan, _ => nan
  | num _ g h, b => num b.isNeg g h

/-- Is it subnormal: smaller than every normal number, but not zero? -/
def isSubnormal : Fp f → Bool
  | nan => false
  | num _ g _ => (Nat.blt 0 g).and (Nat.blt g (Nat.pow 2 f.mant))

/-- Is it a normal number: finite, and neither zero nor subnormal? -/
def isNormal : Fp f → Bool
  | nan => false
  | num _ g _ => (Nat.ble (Nat.pow 2 f.mant) g).and (Nat.blt g f.inf)

end Fp
