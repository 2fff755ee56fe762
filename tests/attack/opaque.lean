prelude
import FloatLib
noncomputable section
namespace Verdict

opaque secret : False
theorem claim : False := secret
#print axioms claim
