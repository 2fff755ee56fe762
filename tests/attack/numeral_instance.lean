prelude
import FloatLib
noncomputable section
namespace Verdict

instance zeros (n : Nat) : OfNat Fp n := ⟨.nan⟩
theorem claim : Eq (2 : Fp) 3 := rfl
#print axioms claim
