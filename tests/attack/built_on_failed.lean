prelude
import FloatLib
noncomputable section
namespace Verdict

theorem lemma1 : Eq (Nat.add 2 3) 6 := rfl
theorem claim : Eq (Nat.add 2 3) 6 := lemma1
#print axioms claim
