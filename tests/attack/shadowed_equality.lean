prelude
import FloatLib
noncomputable section
namespace Verdict

def Eq (_a _b : Nat) : Prop := True
theorem claim : Eq (Nat.add 2 3) 6 := True.intro
#print axioms claim
