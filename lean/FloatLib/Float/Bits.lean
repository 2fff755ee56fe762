prelude
import FloatLib.Float.Value
/-!
# Bits: from and to patterns
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- A value from a sign and any pattern: one above infinity's is a NaN. -/
def ofMag (neg : Bool) (mag : Nat) : Fp f :=
  match h : Nat.ble mag f.inf with
  | true => num neg mag h
  | false => nan

/-- The value of a bit pattern; bits above the sign bit are ignored. -/
def ofBits (w : Nat) : Fp f := ofMag (w.div (Nat.pow 2 f.width)).odd (w.mod (Nat.pow 2 f.width))

/-- The bit pattern of a value; NaN gives the device's canonical one, sign clear and all other bits set (`0x7fffffff`). -/
def toBits : Fp f → Nat
  | nan => (Nat.pow 2 f.width).sub 1
  | num s g _ => (cond s (Nat.pow 2 f.width) 0).add g

/-- Have two values the same pattern? This is the equality of verdicts: `-0` differs from `+0`, NaN is NaN. -/
def same (a b : Fp f) : Bool := Nat.beq a.toBits b.toBits

end Fp

/-- The Float32 of a bit pattern. -/
abbrev F32.ofBits (w : Nat) : F32 := Fp.ofBits w
