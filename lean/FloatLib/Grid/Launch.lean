prelude
import FloatLib.Grid.Memory
/-!
# Launches: every thread of every block, one after another

The threads of a launch run in order, block by block. The safety gate shows that no order matters: no two threads touch one
cell with a write among them. `step k t` is what the thread `t` of block `k` does to memory.
-/

noncomputable section
namespace Grid

/-- `f 0`, then `f 1`, up to `f (n - 1)`. -/
def upTo {σ : Type} (f : Nat → σ → σ) (n : Nat) (s : σ) : σ :=
  match n with
  | .zero => s
  | .succ n => f n (upTo f n s)

/-- The memory after a launch of `blocks` blocks of `size` threads each. -/
def run {α : Type} (step : Nat → Nat → Mem α → Mem α) (blocks size : Nat) (m : Mem α) : Mem α :=
  upTo (fun k => upTo (step k) size) blocks m

/-- The number of blocks of `b` threads that covers `n` elements: `(n + b - 1) / b`. -/
def ceilDiv (n b : Nat) : Nat := Nat.div (Nat.sub (Nat.add n b) 1) b

end Grid
