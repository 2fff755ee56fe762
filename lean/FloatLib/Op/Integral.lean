prelude
import FloatLib.Float.Round
/-!
# Rounding to an integral value
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- A value rounded to a whole number: `up neg c r d` says whether the magnitude `c + r / d` goes to `c + 1`. The sign is kept, so
`-0.25` rounds to `-0`. -/
def toIntegral (up : Bool → Nat → Nat → Nat → Bool) : Fp f → Fp f
  | nan => nan
  | num s g h =>
    cond (Nat.beq g f.inf) (num s g h)
      (round .rn s ((((units f g).div f.one).add (cond (up s ((units f g).div f.one) ((units f g).mod f.one) f.one) 1 0)).mul f.one) 1)

/-- To the nearest whole number, ties to even (`rintf`, `torch.round`). -/
def rint (a : Fp f) : Fp f := toIntegral Mode.rn.up a

/-- Downward. -/
def floor (a : Fp f) : Fp f := toIntegral Mode.rm.up a

/-- Upward. -/
def ceil (a : Fp f) : Fp f := toIntegral Mode.rp.up a

/-- Toward zero. -/
def trunc (a : Fp f) : Fp f := toIntegral Mode.rz.up a

/-- To the nearest whole number, ties away from zero (`roundf`). -/
def roundAway (a : Fp f) : Fp f := toIntegral (fun _ _ r d => Nat.ble d (Nat.mul 2 r)) a

end Fp
