prelude
import FloatLib.Lemmas.Grid.Launch
/-!
# What is below a bound when a thread's index is: its block number, its product with the block size, its number in the block
-/

noncomputable section
namespace Grid

variable {k t size bound : Nat}

theorem product_lt (small : Nat.Lt (Nat.add (Nat.mul k size) t) bound) : Nat.Lt (Nat.mul k size) bound :=
  Nat.lt_of_le_of_lt (Nat.le_add_right (Nat.mul k size) t) small

theorem thread_lt (small : Nat.Lt (Nat.add (Nat.mul k size) t) bound) : Nat.Lt t bound :=
  Nat.lt_of_le_of_lt (Nat.le_add_left t (Nat.mul k size)) small

theorem block_lt (pos : Nat.Le 1 size) (small : Nat.Lt (Nat.add (Nat.mul k size) t) bound) : Nat.Lt k bound :=
  Nat.lt_of_le_of_lt (Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.mul_one k))) (Nat.mul_le_mul_right k pos)) (product_lt small)

/-- In a launch of one block a thread's index is its number in the block. -/
theorem single_block (only : Nat.Lt k 1) (t size : Nat) : Eq t (Nat.add (Nat.mul k size) t) :=
  have zero : Eq k 0 := Nat.eq_zero_of_le_zero (Nat.le_of_succ_le_succ only)
  Eq.step t (Eq.symm (Nat.zero_add t)) (
  Eq.step (Nat.add 0 t) (congrArg (fun p => Nat.add p t) (Eq.symm (Nat.zero_mul size))) (
  Eq.step (Nat.add (Nat.mul 0 size) t) (congrArg (fun b => Nat.add (Nat.mul b size) t) (Eq.symm zero)) (
  Eq.done (Nat.add (Nat.mul k size) t))))

end Grid
