prelude
import FloatLib
noncomputable section
/- The kernel computes `Nat.gcd 2 2 = 2` whatever this definition says. -/
def Nat.gcd (_a _b : Nat) : Nat := 0
theorem always_zero (a b : Nat) : Eq (Nat.gcd a b) 0 := rfl
theorem claim : Eq (2 : Nat) 0 := always_zero 2 2
#print axioms claim
