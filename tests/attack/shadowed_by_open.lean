prelude
import FloatLib
noncomputable section
namespace Verdict

open Fp
def add (a b : Fp) : Fp := a
theorem claim : Eq (add (.finite 2) (.finite 3)) (.finite 2) := rfl
#print axioms claim
