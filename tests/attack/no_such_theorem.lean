prelude
import FloatLib
noncomputable section
namespace Verdict

theorem other : Eq (Nat.add 2 3) 5 := rfl
#print axioms claim
