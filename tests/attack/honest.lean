prelude
import FloatLib
noncomputable section
namespace Verdict

/-- Two and three. -/
theorem claim : Eq (Nat.add 2 3) 5 := rfl
#print axioms claim
