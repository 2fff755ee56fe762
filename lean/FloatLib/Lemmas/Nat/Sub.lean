prelude
import FloatLib.Lemmas.Nat.Arith
/-!
# Natural numbers: difference

`sub a b` is zero where `b` is larger. `add_sub_of_le` is the fact to reach for.
-/

noncomputable section
namespace Nat

theorem sub_zero (a : Nat) : Eq (sub a 0) a := rfl

theorem sub_succ (a b : Nat) : Eq (sub a (succ b)) (pred (sub a b)) := rfl

theorem succ_sub_succ (a : Nat) : (b : Nat) → Eq (sub (succ a) (succ b)) (sub a b)
  | zero => rfl
  | succ b => congrArg pred (succ_sub_succ a b)

theorem zero_sub : (a : Nat) → Eq (sub 0 a) 0
  | zero => rfl
  | succ a => congrArg pred (zero_sub a)

theorem sub_self : (a : Nat) → Eq (sub a a) 0
  | zero => rfl
  | succ a => Eq.trans (succ_sub_succ a a) (sub_self a)

theorem sub_le (a : Nat) : (b : Nat) → Le (sub a b) a
  | zero => le_refl a
  | succ b => le_trans (pred_le (sub a b)) (sub_le a b)

theorem add_sub_add_right (a b : Nat) : (c : Nat) → Eq (sub (add a c) (add b c)) (sub a b)
  | zero => rfl
  | succ c => Eq.trans (succ_sub_succ (add a c) (add b c)) (add_sub_add_right a b c)

theorem add_sub_add_left (a b c : Nat) : Eq (sub (add c a) (add c b)) (sub a b) :=
  Eq.trans (congrArg2 sub (add_comm c a) (add_comm c b)) (add_sub_add_right a b c)

theorem add_sub_cancel (a b : Nat) : Eq (sub (add a b) b) a :=
  Eq.trans (congrArg (sub (add a b)) (Eq.symm (zero_add b))) (add_sub_add_right a 0 b)

theorem add_sub_cancel_left (a b : Nat) : Eq (sub (add a b) a) b :=
  Eq.trans (congrArg (fun x => sub x a) (add_comm a b)) (add_sub_cancel b a)

theorem sub_add (a b : Nat) : (c : Nat) → Eq (sub a (add b c)) (sub (sub a b) c)
  | zero => rfl
  | succ c => congrArg pred (sub_add a b c)

theorem sub_eq_zero_of_le : {a b : Nat} → Le a b → Eq (sub a b) 0
  | zero, b, _ => zero_sub b
  | succ _, zero, h => (not_lt_zero h).elim
  | succ a, succ b, h => Eq.trans (succ_sub_succ a b) (sub_eq_zero_of_le (a := a) (b := b) h)

theorem add_sub_of_le : {a b : Nat} → Le a b → Eq (add a (sub b a)) b
  | zero, b, _ => zero_add b
  | succ _, zero, h => (not_lt_zero h).elim
  | succ a, succ b, h =>
    Eq.step (add (succ a) (sub (succ b) (succ a))) (congrArg (add (succ a)) (succ_sub_succ b a)) (
    Eq.step (add (succ a) (sub b a)) (succ_add a (sub b a)) (
    Eq.step (succ (add a (sub b a))) (congrArg succ (add_sub_of_le (a := a) (b := b) h)) (
    Eq.done (succ b))))

theorem sub_add_cancel {a b : Nat} (h : Le a b) : Eq (add (sub b a) a) b := Eq.trans (add_comm (sub b a) a) (add_sub_of_le h)

/-- Whatever is larger is a sum. -/
theorem exists_of_le {a b : Nat} (h : Le a b) : Exists (fun k => Eq b (add a k)) := Exists.intro (sub b a) (Eq.symm (add_sub_of_le h))

theorem sub_eq_of_eq_add {a b c : Nat} (h : Eq a (add b c)) : Eq (sub a b) c :=
  Eq.trans (congrArg (fun x => sub x b) h) (add_sub_cancel_left b c)

theorem eq_add_of_sub_eq {a b c : Nat} (h : Le b a) (e : Eq (sub a b) c) : Eq a (add b c) :=
  Eq.trans (Eq.symm (add_sub_of_le h)) (congrArg (add b) e)

theorem add_sub_assoc {b c : Nat} (h : Le c b) (a : Nat) : Eq (sub (add a b) c) (add a (sub b c)) :=
  Eq.step (sub (add a b) c) (congrArg (fun x => sub (add a x) c) (Eq.symm (sub_add_cancel h))) (
  Eq.step (sub (add a (add (sub b c) c)) c) (congrArg (fun x => sub x c) (Eq.symm (add_assoc a (sub b c) c))) (
  Eq.step (sub (add (add a (sub b c)) c) c) (add_sub_cancel (add a (sub b c)) c) (
  Eq.done (add a (sub b c)))))

theorem sub_le_sub_right {a b : Nat} (h : Le a b) : (c : Nat) → Le (sub a c) (sub b c)
  | zero => h
  | succ c => pred_le_pred (sub_le_sub_right h c)

theorem sub_le_sub_left {a b : Nat} (c : Nat) (h : Le a b) : Le (sub c b) (sub c a) :=
  le_trans (le_of_eq (Eq.trans (congrArg (sub c) (Eq.symm (add_sub_of_le h))) (sub_add c a (sub b a)))) (sub_le (sub c a) (sub b a))

theorem sub_le_of_le_add {a b c : Nat} (h : Le a (add b c)) : Le (sub a b) c :=
  le_trans (sub_le_sub_right h b) (le_of_eq (add_sub_cancel_left b c))

theorem le_sub_of_add_le {a b c : Nat} (h : Le (add a b) c) : Le a (sub c b) :=
  le_trans (le_of_eq (Eq.symm (add_sub_cancel a b))) (sub_le_sub_right h b)

theorem add_le_of_le_sub {a b c : Nat} (h : Le b c) (h' : Le a (sub c b)) : Le (add a b) c :=
  le_trans (add_le_add_right h' b) (le_of_eq (sub_add_cancel h))

theorem le_add_of_sub_le {a b c : Nat} (h : Le (sub a b) c) : Le a (add b c) :=
  Or.elim (le_total b a) (fun h' => le_trans (le_of_eq (Eq.symm (add_sub_of_le h'))) (add_le_add_left h b))
    (fun h' => le_trans h' (le_add_right b c))

theorem sub_pos_of_lt {a b : Nat} (h : Lt a b) : Lt 0 (sub b a) :=
  lt_of_not_le (fun h' => not_le_of_lt h (le_trans (le_add_of_sub_le h') (le_refl a)))

theorem lt_of_sub_pos {a b : Nat} (h : Lt 0 (sub b a)) : Lt a b := lt_of_not_le (fun h' => ne_of_gt h (sub_eq_zero_of_le h'))

theorem sub_lt {a b : Nat} (ha : Lt 0 a) (hb : Lt 0 b) : Lt (sub a b) a :=
  Or.elim (le_total b a)
    (fun h => lt_of_lt_of_le (lt_add_of_pos (sub a b) hb) (le_of_eq (sub_add_cancel h)))
    (fun h => lt_of_le_of_lt (le_of_eq (sub_eq_zero_of_le h)) ha)

theorem sub_lt_sub_right {a b c : Nat} (h : Le c a) (h' : Lt a b) : Lt (sub a c) (sub b c) :=
  lt_of_add_lt_add_right c (lt_of_le_of_lt (le_of_eq (sub_add_cancel h))
    (lt_of_lt_of_le h' (le_of_eq (Eq.symm (sub_add_cancel (le_trans h (le_of_lt h')))))))

theorem sub_sub_self {a b : Nat} (h : Le b a) : Eq (sub a (sub a b)) b := sub_eq_of_eq_add (Eq.symm (sub_add_cancel h))

theorem sub_right_comm (a b c : Nat) : Eq (sub (sub a b) c) (sub (sub a c) b) :=
  Eq.trans (Eq.symm (sub_add a b c)) (Eq.trans (congrArg (sub a) (add_comm b c)) (sub_add a c b))

theorem mul_sub (a b c : Nat) : Eq (mul a (sub b c)) (sub (mul a b) (mul a c)) :=
  Or.elim (le_total c b)
    (fun h => Eq.symm (sub_eq_of_eq_add (Eq.trans (congrArg (mul a) (Eq.symm (add_sub_of_le h))) (mul_add a c (sub b c)))))
    (fun h => Eq.trans (congrArg (mul a) (sub_eq_zero_of_le h)) (Eq.symm (sub_eq_zero_of_le (mul_le_mul_right a h))))

theorem sub_mul (a b c : Nat) : Eq (mul (sub a b) c) (sub (mul a c) (mul b c)) :=
  Eq.step (mul (sub a b) c) (mul_comm (sub a b) c) (
  Eq.step (mul c (sub a b)) (mul_sub c a b) (
  Eq.step (sub (mul c a) (mul c b)) (congrArg2 sub (mul_comm c a) (mul_comm c b)) (
  Eq.done (sub (mul a c) (mul b c)))))

end Nat
