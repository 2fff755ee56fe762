prelude
import FloatLib
noncomputable section
namespace Verdict

theorem claim : Eq (Nat.add 2 3) 6 := sorry
#print axioms claim
