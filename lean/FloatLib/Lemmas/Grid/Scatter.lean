prelude
import FloatLib.Lemmas.Grid.Launch
/-!
# Scattered writes: theorems

A launch of any shape is a list of events, one for each write that a thread may make: event `e` writes `v e` to cell `ix e` of a buffer
if `on e`. Where one event alone writes a cell, the cell ends as that event's value; the events' order does not matter.
-/

noncomputable section
namespace Grid

variable {α : Type}

/-- Events that write to one buffer leave the others as they are. -/
theorem scatter_other {on : Nat → Bool} {ix : Nat → Nat} {v : Nat → α} {n : Nat} (a : Nat) (m : Mem α) {b i : Nat} (h : Eq (Nat.beq b a) false) :
    Eq (upTo (fun e u => cond (on e) (Mem.store u a (ix e) (v e)) u) n m b i) (m b i) :=
  upTo_induct (fun _ (u : Mem α) => Eq (u b i) (m b i))
    (fun e (u : Mem α) _ (same : Eq (u b i) (m b i)) => Bool.byCases (on e)
      (fun t => Eq.step (cond (on e) (Mem.store u a (ix e) (v e)) u b i) (congrArg (fun c => cond c (Mem.store u a (ix e) (v e)) u b i) t) (
        Eq.trans (Mem.store_other_buffer u (ix e) i (v e) h) same))
      (fun t => Eq.trans (congrArg (fun c => cond c (Mem.store u a (ix e) (v e)) u b i) t) same))
    rfl

/-- A guarded write elsewhere in the buffer. -/
theorem event_other {on : Bool} {j i : Nat} (v : α) (u : Mem α) (a : Nat) (h : Eq on true → Not (Eq j i)) :
    Eq (cond on (Mem.store u a j v) u a i) (u a i) :=
  Bool.byCases on
    (fun t => Eq.step (cond on (Mem.store u a j v) u a i) (congrArg (fun c => cond c (Mem.store u a j v) u a i) t)
      (Mem.store_other_index u a a v (Bool.eq_false_of_ne_true (fun e => h t (Eq.symm (Nat.eq_of_beq i j e))))))
    (fun t => congrArg (fun c => cond c (Mem.store u a j v) u a i) t)

/-- A guarded write of the cell itself. -/
theorem event_own {on : Bool} {j i : Nat} (v : α) (u : Mem α) (a : Nat) (t : Eq on true) (h : Eq j i) :
    Eq (cond on (Mem.store u a j v) u a i) v :=
  Eq.step (cond on (Mem.store u a j v) u a i) (congrArg (fun c => cond c (Mem.store u a j v) u a i) t)
    (Eq.subst (motive := fun i => Eq (Mem.store u a j v a i) v) h (Mem.store_same u a j v))

/-- A cell that event `e` alone writes ends as `v e`. -/
theorem scatter_at {on : Nat → Bool} {ix : Nat → Nat} {v : Nat → α} {n e : Nat} (a i : Nat) (m : Mem α) (he : Nat.Lt e n)
    (written : Eq (on e) true) (here : Eq (ix e) i)
    (once : (k : Nat) → Nat.Lt k n → Eq (on k) true → Eq (ix k) i → Eq k e) :
    Eq (upTo (fun k u => cond (on k) (Mem.store u a (ix k) (v k)) u) n m a i) (v e) :=
  Eq.trans
    (upTo_induct (fun k (u : Mem α) => Eq (u a i) (cond (Nat.blt e k) (v e) (m a i)))
      (fun k (u : Mem α) hk (same : Eq (u a i) (cond (Nat.blt e k) (v e) (m a i))) =>
        Nat.byOrder k e
          (fun below => Eq.step (cond (on k) (Mem.store u a (ix k) (v k)) u a i)
            (event_other (v k) u a (fun t h => Nat.ne_of_lt below (once k hk t h))) (
            Eq.trans same (Eq.trans (cond_of_false (Nat.blt_of_le (Nat.le_of_lt below)) (v e) (m a i))
              (Eq.symm (cond_of_false (Nat.blt_of_le (a := Nat.succ k) below) (v e) (m a i))))))
          (fun same_event => Eq.step (cond (on k) (Mem.store u a (ix k) (v k)) u a i)
            (event_own (v k) u a (Eq.subst (motive := fun k => Eq (on k) true) (Eq.symm same_event) written)
              (Eq.trans (congrArg ix same_event) here)) (
            Eq.trans (congrArg v same_event)
              (Eq.symm (cond_of_true (Nat.lt_succ_of_le (Nat.le_of_eq (Eq.symm same_event))) (v e) (m a i)))))
          (fun above => Eq.step (cond (on k) (Mem.store u a (ix k) (v k)) u a i)
            (event_other (v k) u a (fun t h => Nat.ne_of_gt above (once k hk t h))) (
            Eq.trans same (Eq.trans (cond_of_true above (v e) (m a i))
              (Eq.symm (cond_of_true (Nat.lt_succ_of_le (Nat.le_of_lt above)) (v e) (m a i)))))))
      (cond_of_false (Nat.blt_of_le (Nat.zero_le e)) (v e) (m a i)))
    (cond_of_true he (v e) (m a i))

end Grid
