prelude
import FloatLib
noncomputable section
namespace Verdict

theorem claim (Eq : Nat → Nat → Prop) (h : Eq 5 6) : Eq (Nat.add 2 3) 6 := h
#print axioms claim
