prelude
import FloatLib
noncomputable section
namespace Verdict

def claim : Prop := Eq (Nat.add 2 3) 6
#print axioms claim
