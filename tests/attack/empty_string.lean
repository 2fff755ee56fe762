prelude
import FloatLib
set_option genCtorIdx false
/- The kernel gives every string literal the type of this name. -/
inductive String : Type
theorem nobody (x : String) : False := String.rec (fun _ => False) x
theorem claim : False := nobody "a"
#print axioms claim
