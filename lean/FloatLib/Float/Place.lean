prelude
import FloatLib.Float.Value
/-!
# Places: the total order of values that minima and maxima follow

`rank` gives both zeros one place. Minima and maxima tell them apart, and some take NaN as below every number, others as above. No
statement about a kernel mentions this file: it is what the proofs in `Lemmas/Place.lean` and after reason with.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- The place of a value when NaN has place `n`: numbers have places above zero and below `top`, `-0` just below `+0`. -/
def place (n : Nat) : Fp f → Nat
  | nan => n
  | num s g _ => ((Nat.mul 2 (rank f s g)).add (cond s 0 1)).succ

/-- A place above those of all numbers. -/
def top (f : Format) : Nat := (Nat.mul 2 (f.inf.add f.inf)).add 3

end Fp

/-- `pick` gives the one of two values that comes first in the total preorder `r`. -/
structure Picks {α : Type} (r : α → α → Prop) (pick : α → α → α) : Prop where
  /-- From the four facts. -/
  mk ::
  /-- Any two values compare. -/
  total : (x y : α) → Or (r x y) (r y x)
  /-- Comparisons chain. -/
  trans : (x y z : α) → r x y → r y z → r x z
  /-- The first argument, if it comes first. -/
  left : (x y : α) → r x y → Eq (pick x y) x
  /-- The second, if that comes first. -/
  right : (x y : α) → r y x → Eq (pick x y) y
