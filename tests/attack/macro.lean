prelude
import FloatLib
noncomputable section
namespace Verdict

macro "proof" : term => `(rfl)
theorem claim : Eq (Nat.add 2 3) 5 := proof
#print axioms claim
