prelude
import FloatLib
theorem claim : Eq (Nat.add 2 3) 5 := rfl
#print axioms rfl
