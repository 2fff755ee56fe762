prelude
import FloatLib
noncomputable section
namespace Verdict

theorem claim : Eq (Nat.add 2 3) 5 := rfl
#print axioms claim
#exit
theorem never_read : False := nonsense
