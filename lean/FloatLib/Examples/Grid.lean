prelude
import FloatLib.Grid.U32
import FloatLib.Lemmas.Grid.Words
import FloatLib.Lemmas.Grid.Launch
/-!
# A worked launch

The kernel, for any function `f` on any type of cells:

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = f(x[i]);

Buffer 0 is `x`, buffer 1 is `y`; `b` is `blockDim.x`. First the launch that the host code sizes by `(n + b - 1) / b`, then a
launch of fixed size.
-/

noncomputable section
namespace Example

/-- What thread `t` of block `k` does. -/
def thread {α : Type} (f : α → α) (n b k t : Nat) (m : Mem α) : Mem α :=
  cond (U32.slt (U32.add (U32.mul k b) t) n)
    (Mem.storeAll m (U32.add (U32.mul k b) t) (List.cons (Prod.mk 1 (f (m 0 (U32.add (U32.mul k b) t)))) List.nil))
    m

/-- The index of a thread does not wrap around. -/
theorem index_eq {k t b bound : Nat} (small : Nat.Lt (Nat.add (Nat.mul k b) t) bound) (fits : Nat.Le bound 2147483648) :
    Eq (U32.add (U32.mul k b) t) (Nat.add (Nat.mul k b) t) :=
  have h32 : Nat.Lt (Nat.add (Nat.mul k b) t) 4294967296 := Nat.lt_of_lt_of_le small (Nat.le_trans fits rfl)
  U32.add_eq (U32.mul_eq rfl rfl (Nat.lt_of_le_of_lt (Nat.le_add_right (Nat.mul k b) t) h32)) rfl h32

/-- So the guard compares plain numbers. -/
theorem guard_eq {k t b n bound : Nat} (small : Nat.Lt (Nat.add (Nat.mul k b) t) bound) (fits : Nat.Le bound 2147483648)
    (hn : Nat.Le n 1073741824) : Eq (U32.slt (U32.add (U32.mul k b) t) n) (Nat.blt (Nat.add (Nat.mul k b) t) n) :=
  U32.slt_eq (index_eq small fits) rfl (Nat.lt_of_lt_of_le small fits) (Nat.lt_of_le_of_lt hn rfl)

/-- For every size, every block size and every memory: `y[i]` is `f(x[i])`. -/
theorem launch_eq {α : Type} (f : α → α) (n b : Nat) (hb : Nat.Le 1 b) (hb' : Nat.Le b 1024) (hn : Nat.Le n 1073741824)
    (m : Mem α) (i : Nat) (hi : Nat.Lt i n) : Eq (Grid.run (thread f n b) (Grid.ceilDiv n b) b m 1 i) (f (m 0 i)) :=
  Grid.run_elementwise
    (outs := fun u => List.cons (Prod.mk 1 (f (u 0))) List.nil)
    (idx := fun k t => U32.add (U32.mul k b) t)
    (guard := fun k t => U32.slt (U32.add (U32.mul k b) t) n)
    (fun _ _ h => congrArg (fun x => List.cons (Prod.mk 1 (f x)) List.nil) (h 0))
    (fun _ _ hk ht => index_eq (Grid.index_lt_of_range hb hb' hn hk ht) rfl)
    (fun _ _ hk ht => guard_eq (Grid.index_lt_of_range hb hb' hn hk ht) rfl hn)
    (Grid.le_ceilDiv_mul hb n)
    m 1 i hi

/-- The same for a launch of 4096 blocks of 256 threads, for every size that it covers. -/
theorem fixed_launch_eq {α : Type} (f : α → α) (n : Nat) (hn : Nat.Le n 1048576) (m : Mem α) (i : Nat) (hi : Nat.Lt i n) :
    Eq (Grid.run (thread f n 256) 4096 256 m 1 i) (f (m 0 i)) :=
  Grid.run_elementwise (blocks := 4096) (size := 256)
    (outs := fun u => List.cons (Prod.mk 1 (f (u 0))) List.nil)
    (idx := fun k t => U32.add (U32.mul k 256) t)
    (guard := fun k t => U32.slt (U32.add (U32.mul k 256) t) n)
    (fun _ _ h => congrArg (fun x => List.cons (Prod.mk 1 (f x)) List.nil) (h 0))
    (fun _ _ hk ht => index_eq (bound := 1048576) (Grid.index_lt hk ht) rfl)
    (fun _ _ hk ht => guard_eq (bound := 1048576) (Grid.index_lt hk ht) rfl (Nat.le_trans hn rfl))
    hn
    m 1 i hi

end Example
