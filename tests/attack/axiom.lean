prelude
import FloatLib
noncomputable section
namespace Verdict

axiom trust_me : False
theorem claim : Eq (Nat.add 2 3) 6 := False.rec (fun _ => Eq (Nat.add 2 3) 6) trust_me
#print axioms claim
