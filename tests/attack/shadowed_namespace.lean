prelude
import FloatLib
noncomputable section
namespace Verdict

def Fp.add (a b : Fp) : Fp := a
theorem claim : Eq (Fp.add (.finite 2) (.finite 3)) (.finite 2) := rfl
#print axioms claim
