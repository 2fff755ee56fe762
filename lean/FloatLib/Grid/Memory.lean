prelude
import FloatLib.Nat.Defs
/-!
# Memory: buffers of cells

A memory gives each buffer's cell at each index. Buffers are numbered; different numbers are different buffers, which do not
overlap. A cell's type is a parameter, so that nothing here knows about floating point.
-/

noncomputable section

/-- A memory: the value of buffer `a` at index `i`. -/
abbrev Mem (α : Type) : Type := Nat → Nat → α

namespace Mem

/-- The memory after writing `v` to buffer `a` at index `i`. -/
def store {α : Type} (m : Mem α) (a i : Nat) (v : α) : Mem α :=
  fun a' i' => cond (Bool.and (Nat.beq a' a) (Nat.beq i' i)) v (m a' i')

/-- The memory after writing each pair of a buffer and a value at index `i`, in order. -/
def storeAll {α : Type} (m : Mem α) (i : Nat) (outs : List (Prod Nat α)) : Mem α :=
  match outs with
  | .nil => m
  | .cons out rest => storeAll (store m out.fst i out.snd) i rest

/-- The value that a list of writes leaves in buffer `a`: that of its last pair for `a`, or the old one. -/
def last {α : Type} (outs : List (Prod Nat α)) (a : Nat) (old : α) : α :=
  match outs with
  | .nil => old
  | .cons out rest => last rest a (cond (Nat.beq a out.fst) out.snd old)

end Mem
