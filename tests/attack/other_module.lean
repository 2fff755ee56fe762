prelude
import Init
theorem claim : Eq (2 + 3) 5 := rfl
#print axioms claim
