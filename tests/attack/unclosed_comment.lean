prelude
import FloatLib
noncomputable section
namespace Verdict

theorem claim : Eq (Nat.add 2 3) 5 := rfl
#print axioms claim
/- and /- nested -/ never closed
