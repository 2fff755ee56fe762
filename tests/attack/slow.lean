prelude
import FloatLib
noncomputable section
namespace Verdict

set_option maxRecDepth 1000000
set_option maxHeartbeats 0
def twice (n : Nat) : Nat → Nat := Nat.rec (motive := fun _ => Nat → Nat) (fun x => .succ x) (fun _ f => fun x => f (f x)) n
theorem claim : Eq (twice 60 0) (twice 60 1) := rfl
#print axioms claim
