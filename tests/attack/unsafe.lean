prelude
import FloatLib
noncomputable section
namespace Verdict

unsafe def loop : False := loop
theorem claim : False := loop
#print axioms claim
