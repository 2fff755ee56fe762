prelude
import FloatLib
noncomputable section
namespace Verdict

def slow : Nat := 1
@[implemented_by slow] def quick : Nat := 2
theorem claim : Eq quick 2 := rfl
#print axioms claim
