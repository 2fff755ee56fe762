prelude
import FloatLib.Float.Round
/-!
# Saturation: PTX's `.sat`
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- The nearest value in the interval from `+0` to `1`. NaN becomes `+0`, and so does everything negative, `-0` included. -/
def sat : Fp f → Fp f
  | nan => zero false
  | num s g h => cond s (zero false) (cond (Nat.ble (units f g) f.one) (num false g h) (round .rn false f.one 1))

end Fp
