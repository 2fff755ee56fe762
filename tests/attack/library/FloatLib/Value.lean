prelude
import FloatLib.Base
/-! A stand-in for the values. -/

noncomputable section
set_option genCtorIdx false
set_option genInjectivity false
/-- A value. -/
inductive Fp where
  /-- NaN. -/
  | nan
  /-- A pattern. -/
  | finite (n : Nat)
/-- Its pattern. -/
def Fp.toNat (a : Fp) : Nat := Fp.rec 9 (fun n => n) a
/-- A sum. -/
def Fp.add (a b : Fp) : Fp := .finite (Nat.add a.toNat b.toNat)
