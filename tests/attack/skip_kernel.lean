prelude
import FloatLib
noncomputable section
namespace Verdict

set_option debug.skipKernelTC true
theorem claim : Eq (Nat.add 2 3) 5 := rfl
#print axioms claim
