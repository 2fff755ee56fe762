prelude
import FloatLib
noncomputable section
/- The kernel computes `Nat.gcd 2 2 = 2` whatever this definition says. -/
def Nat.gcd (_a _b : Nat) : Nat := 0
theorem always_zero (a b : Nat) : Eq (Nat.gcd a b) 0 := rfl
theorem two_is_zero : Eq (2 : Nat) 0 := always_zero 2 2
theorem claim : False := Eq.rec (motive := fun n _ => Nat.rec (motive := fun _ => Prop) False (fun _ _ => True) n) True.intro two_is_zero
#print axioms claim
