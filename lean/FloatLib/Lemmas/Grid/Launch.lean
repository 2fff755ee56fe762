prelude
import FloatLib.Grid.Launch
import FloatLib.Lemmas.Grid.Memory
import FloatLib.Lemmas.Nat.Div
/-!
# Launches: theorems

`ceilDiv` covers every element and not much more. Then THE theorem, `Grid.run_map`: a launch whose every thread `j` (counted
through the blocks) writes `outs j m` at index `j` if `j < n`, leaves at each `i < n` what `outs i` of the FIRST memory says,
and everything else as it was. Memories are compared cell by cell, so no extensionality axiom is needed.
-/

noncomputable section
namespace Grid

/-! The number of blocks. -/

theorem le_ceilDiv_mul {b : Nat} (pos : Nat.Le 1 b) (n : Nat) : Nat.Le n (Nat.mul (ceilDiv n b) b) :=
  Nat.le_trans
    (Nat.le_of_add_le_add_right b
      (Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.succ_pred (Nat.add_pos_right n pos)))) (Nat.lt_mul_succ_div pos (Nat.sub (Nat.add n b) 1))))
    (Nat.le_of_eq (Nat.mul_comm b (ceilDiv n b)))

theorem ceilDiv_mul_lt {b : Nat} (pos : Nat.Le 1 b) (n : Nat) : Nat.Lt (Nat.mul (ceilDiv n b) b) (Nat.add n b) :=
  Nat.lt_of_le_of_lt (Nat.le_of_eq (Nat.mul_comm (ceilDiv n b) b))
    (Nat.lt_of_le_of_lt (Nat.div_mul_le (Nat.sub (Nat.add n b) 1) b) (Nat.sub_lt (Nat.add_pos_right n pos) rfl))

/-- The index of a thread is below the number of threads. -/
theorem index_lt {k t blocks size : Nat} (hk : Nat.Lt k blocks) (ht : Nat.Lt t size) :
    Nat.Lt (Nat.add (Nat.mul k size) t) (Nat.mul blocks size) :=
  Nat.lt_of_lt_of_le (Nat.add_lt_add_left ht (Nat.mul k size))
    (Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.succ_mul k size))) (Nat.mul_le_mul_left (a := Nat.succ k) hk size))

/-- In the stated range (block sizes from 1 to 1024, up to `2 ^ 30` elements) an index stays far below `2 ^ 31`. -/
theorem index_lt_of_range {k t n b : Nat} (hb : Nat.Le 1 b) (hb' : Nat.Le b 1024) (hn : Nat.Le n 1073741824)
    (hk : Nat.Lt k (ceilDiv n b)) (ht : Nat.Lt t b) : Nat.Lt (Nat.add (Nat.mul k b) t) 1073742848 :=
  Nat.lt_of_lt_of_le (Nat.lt_trans (index_lt hk ht) (ceilDiv_mul_lt hb n)) (Nat.add_le_add hn hb')

/-! Induction over the threads of a launch. -/

theorem upTo_induct {σ : Type} {f : Nat → σ → σ} {n : Nat} (P : Nat → σ → Prop)
    (next : (k : Nat) → (s : σ) → Nat.Lt k n → P k s → P (Nat.succ k) (f k s)) {s : σ} (start : P 0 s) : P n (upTo f n s) :=
  part n (Nat.le_refl n)
where
  part : (k : Nat) → Nat.Le k n → P k (upTo f k s)
    | .zero, _ => start
    | .succ k, h => next k (upTo f k s) h (part k (Nat.le_of_lt h))

/-- What holds of the first memory and is kept by each thread, counted through the blocks, holds of the last memory. -/
theorem run_induct {α : Type} {step : Nat → Nat → Mem α → Mem α} {blocks size : Nat} (P : Nat → Mem α → Prop)
    (next : (k t : Nat) → (m : Mem α) → Nat.Lt k blocks → Nat.Lt t size →
      P (Nat.add (Nat.mul k size) t) m → P (Nat.succ (Nat.add (Nat.mul k size) t)) (step k t m))
    {m : Mem α} (start : P 0 m) : P (Nat.mul blocks size) (run step blocks size m) :=
  upTo_induct (fun k m => P (Nat.mul k size) m)
    (fun k m hk h => Eq.subst (motive := fun j => P j (upTo (step k) size m)) (Eq.symm (Nat.succ_mul k size))
      (upTo_induct (fun t m => P (Nat.add (Nat.mul k size) t) m) (fun t m ht => next k t m hk ht) h))
    (Eq.subst (motive := fun j => P j m) (Eq.symm (Nat.zero_mul size)) start)

/-! The theorem. -/

theorem guarded_store_other {α : Type} (g : Bool) (m : Mem α) (a : Nat) {i j : Nat} (outs : List (Prod Nat α)) (h : Eq (Nat.beq i j) false) :
    Eq (cond g (Mem.storeAll m j outs) m a i) (m a i) :=
  match g with
  | true => Mem.storeAll_other a h m outs
  | false => rfl

section
variable {α : Type} {outs : Nat → Mem α → List (Prod Nat α)} {written : Nat → Bool} {n : Nat}
  /- What thread `j` writes depends on the cells with index `j`, and on buffers that no thread writes to. -/
  (local_ : (j : Nat) → (u v : Mem α) → ((a : Nat) → Eq (u a j) (v a j)) →
    ((a i : Nat) → Eq (written a) false → Eq (u a i) (v a i)) → Eq (outs j u) (outs j v))
  (kept : (j : Nat) → (u : Mem α) → (a : Nat) → (old : α) → Eq (written a) false → Eq (Mem.last (outs j u) a old) old)
include local_ kept

/-- Thread `j` takes the memory in which the elements below `j` are done to that in which those below `j + 1` are. -/
theorem map_step {m before after : Mem α} {j : Nat}
    (done : (a i : Nat) → Eq (before a i) (cond (Bool.and (Nat.blt i j) (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i)))
    (step : (a i : Nat) → Eq (after a i) (cond (Nat.blt j n) (Mem.storeAll before j (outs j before)) before a i)) (a i : Nat) :
    Eq (after a i) (cond (Bool.and (Nat.blt i (Nat.succ j)) (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i)) :=
  have other (h : Eq (Nat.beq i j) false) (same : Eq (Nat.blt i j) (Nat.blt i (Nat.succ j))) :
      Eq (after a i) (cond (Bool.and (Nat.blt i (Nat.succ j)) (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i)) :=
    Eq.step (after a i) (step a i) (
    Eq.step (cond (Nat.blt j n) (Mem.storeAll before j (outs j before)) before a i)
      (guarded_store_other (Nat.blt j n) before a (outs j before) h) (
    Eq.trans (done a i) (congrArg (fun c => cond (Bool.and c (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i)) same)))
  have fresh (a : Nat) : Eq (before a j) (m a j) :=
    Eq.trans (done a j) (cond_of_false (Bool.and_of_false_left (Nat.blt_self j)) (Mem.last (outs j m) a (m a j)) (m a j))
  have inputs (a i : Nat) (h : Eq (written a) false) : Eq (before a i) (m a i) :=
    Eq.trans (done a i) (cond_eq (fun _ => kept i m a (m a i) h) (fun _ => rfl))
  have own : Eq (after a j) (cond (Bool.and (Nat.blt j (Nat.succ j)) (Nat.blt j n)) (Mem.last (outs j m) a (m a j)) (m a j)) :=
    Eq.step (after a j) (step a j) (
    Bool.byCases (Nat.blt j n)
      (fun h =>
        Eq.step (cond (Nat.blt j n) (Mem.storeAll before j (outs j before)) before a j)
          (congrArg (fun c => cond c (Mem.storeAll before j (outs j before)) before a j) h) (
        Eq.step (Mem.storeAll before j (outs j before) a j) (Mem.storeAll_same a j before (outs j before)) (
        Eq.step (Mem.last (outs j before) a (before a j))
          (congrArg2 (fun o old => Mem.last o a old) (local_ j before m fresh inputs) (fresh a)) (
        Eq.symm (cond_of_true (Bool.and_of_true (Nat.lt_succ_self j) h) (Mem.last (outs j m) a (m a j)) (m a j))))))
      (fun h =>
        Eq.step (cond (Nat.blt j n) (Mem.storeAll before j (outs j before)) before a j)
          (congrArg (fun c => cond c (Mem.storeAll before j (outs j before)) before a j) h) (
        Eq.step (before a j) (fresh a) (
        Eq.symm (cond_of_false (Bool.and_of_false_right h) (Mem.last (outs j m) a (m a j)) (m a j))))))
  Nat.byOrder i j
    (fun h => other (Nat.beq_of_lt h) (Eq.trans h (Eq.symm (Nat.le_of_lt h))))
    (fun h => Eq.subst (motive := fun i => Eq (after a i)
      (cond (Bool.and (Nat.blt i (Nat.succ j)) (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i))) (Eq.symm h) own)
    (fun h => other (Nat.beq_of_gt h) (Eq.trans (Nat.blt_of_le (Nat.le_of_lt h)) (Eq.symm (Nat.blt_of_le (a := Nat.succ j) h))))

variable {step : Nat → Nat → Mem α → Mem α} {blocks size : Nat}
  (thread : (k t : Nat) → (m : Mem α) → (a i : Nat) → Nat.Lt k blocks → Nat.Lt t size → Eq (step k t m a i)
    (cond (Nat.blt (Nat.add (Nat.mul k size) t) n)
      (Mem.storeAll m (Nat.add (Nat.mul k size) t) (outs (Nat.add (Nat.mul k size) t) m)) m a i))
  (cover : Nat.Le n (Nat.mul blocks size))
include thread cover

/-- Every cell after a launch whose thread `j` does the work of element `j`. -/
theorem run_map (m : Mem α) (a i : Nat) : Eq (run step blocks size m a i) (cond (Nat.blt i n) (Mem.last (outs i m) a (m a i)) (m a i)) :=
  Eq.step (run step blocks size m a i)
    (run_induct
      (fun j m' => (a i : Nat) → Eq (m' a i) (cond (Bool.and (Nat.blt i j) (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i)))
      (fun k t m' hk ht done => map_step local_ kept done (fun a i => thread k t m' a i hk ht)) (fun _ _ => rfl) a i) (
  Eq.step (cond (Bool.and (Nat.blt i (Nat.mul blocks size)) (Nat.blt i n)) (Mem.last (outs i m) a (m a i)) (m a i))
    (congrArg (fun c => cond c (Mem.last (outs i m) a (m a i)) (m a i))
      (Bool.eq_of_iff Bool.and_eq_true_right (fun h => Bool.and_of_true (Nat.lt_of_lt_of_le h cover) h))) (
  Eq.done (cond (Nat.blt i n) (Mem.last (outs i m) a (m a i)) (m a i))))

end

section
variable {α : Type} {outs : (Nat → α) → List (Prod Nat α)} {idx : Nat → Nat → Nat} {guard : Nat → Nat → Bool} {blocks size n : Nat}
  (local_ : (u v : Nat → α) → ((a : Nat) → Eq (u a) (v a)) → Eq (outs u) (outs v))
  (hidx : (k t : Nat) → Nat.Lt k blocks → Nat.Lt t size → Eq (idx k t) (Nat.add (Nat.mul k size) t))
  (hguard : (k t : Nat) → Nat.Lt k blocks → Nat.Lt t size → Eq (guard k t) (Nat.blt (Nat.add (Nat.mul k size) t) n))
  (cover : Nat.Le n (Nat.mul blocks size))
include local_ hidx hguard cover

/-- Every cell after a launch whose threads read and write at their own index only. -/
theorem run_elementwise_all (m : Mem α) (a i : Nat) :
    Eq (run (fun k t m => cond (guard k t) (Mem.storeAll m (idx k t) (outs (fun c => m c (idx k t)))) m) blocks size m a i)
      (cond (Nat.blt i n) (Mem.last (outs (fun c => m c i)) a (m a i)) (m a i)) :=
  run_map (outs := fun j m => outs (fun c => m c j)) (written := fun _ => true)
    (fun j u v same _ => local_ (fun c => u c j) (fun c => v c j) same) (fun _ _ _ _ h => (Bool.true_ne_false h).elim)
    (fun k t m a i hk ht =>
      congrArg2 (fun g j => cond g (Mem.storeAll m j (outs (fun c => m c j))) m a i) (hguard k t hk ht) (hidx k t hk ht))
    cover m a i

/-- Each element below `n` gets its value. -/
theorem run_elementwise (m : Mem α) (a i : Nat) (hi : Nat.Lt i n) :
    Eq (run (fun k t m => cond (guard k t) (Mem.storeAll m (idx k t) (outs (fun c => m c (idx k t)))) m) blocks size m a i)
      (Mem.last (outs (fun c => m c i)) a (m a i)) :=
  Eq.trans (run_elementwise_all local_ hidx hguard cover m a i) (cond_of_true hi (Mem.last (outs (fun c => m c i)) a (m a i)) (m a i))

/-- Nothing else changes. -/
theorem run_elementwise_outside (m : Mem α) (a i : Nat) (hi : Nat.Le n i) :
    Eq (run (fun k t m => cond (guard k t) (Mem.storeAll m (idx k t) (outs (fun c => m c (idx k t)))) m) blocks size m a i) (m a i) :=
  Eq.trans (run_elementwise_all local_ hidx hguard cover m a i)
    (cond_of_false (Nat.blt_of_le hi) (Mem.last (outs (fun c => m c i)) a (m a i)) (m a i))

end

end Grid
