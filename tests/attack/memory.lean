prelude
import FloatLib
noncomputable section
namespace Verdict

/- The kernel multiplies big integers outside Lean's own memory limit. -/
set_option maxRecDepth 1000000
set_option maxHeartbeats 0
def square (n : Nat) : Nat := Nat.rec (motive := fun _ => Nat) 3 (fun _ m => Nat.mul m m) n
theorem claim : Eq (square 40) (square 41) := rfl
#print axioms claim
