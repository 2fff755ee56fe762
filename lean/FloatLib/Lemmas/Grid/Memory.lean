prelude
import FloatLib.Grid.Memory
import FloatLib.Lemmas.Nat.Order
/-!
# Memory: what is read after writes
-/

noncomputable section
namespace Mem

theorem store_same {α : Type} (m : Mem α) (a i : Nat) (v : α) : Eq (store m a i v a i) v :=
  cond_of_true (Bool.and_of_true (Nat.beq_self a) (Nat.beq_self i)) v (m a i)

theorem store_other_buffer {α : Type} (m : Mem α) {a a' : Nat} (i i' : Nat) (v : α) (h : Eq (Nat.beq a' a) false) :
    Eq (store m a i v a' i') (m a' i') := cond_of_false (Bool.and_of_false_left h) v (m a' i')

theorem store_other_index {α : Type} (m : Mem α) (a a' : Nat) {i i' : Nat} (v : α) (h : Eq (Nat.beq i' i) false) :
    Eq (store m a i v a' i') (m a' i') := cond_of_false (Bool.and_of_false_right h) v (m a' i')

theorem storeAll_other {α : Type} (a : Nat) {i j : Nat} (h : Eq (Nat.beq j i) false) : (m : Mem α) → (outs : List (Prod Nat α)) →
    Eq (storeAll m i outs a j) (m a j)
  | _, .nil => rfl
  | m, .cons out rest => Eq.trans (storeAll_other a h (store m out.fst i out.snd) rest) (store_other_index m out.fst a out.snd h)

theorem storeAll_same {α : Type} (a i : Nat) : (m : Mem α) → (outs : List (Prod Nat α)) → Eq (storeAll m i outs a i) (last outs a (m a i))
  | _, .nil => rfl
  | m, .cons out rest =>
    Eq.trans (storeAll_same a i (store m out.fst i out.snd) rest)
      (congrArg (last rest a) (congrArg (fun c => cond c out.snd (m a i))
        (Eq.trans (congrArg (Bool.and (Nat.beq a out.fst)) (Nat.beq_self i)) (Bool.and_true (Nat.beq a out.fst)))))

end Mem
