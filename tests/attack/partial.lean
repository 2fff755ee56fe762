prelude
import FloatLib
noncomputable section
namespace Verdict

partial def loop (n : Nat) : False := loop n
theorem claim : False := loop 0
#print axioms claim
