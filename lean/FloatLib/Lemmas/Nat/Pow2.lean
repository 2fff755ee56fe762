prelude
import FloatLib.Lemmas.Nat.Div
/-!
# Natural numbers: powers and binary logarithm
-/

noncomputable section
namespace Nat

theorem pow_zero (a : Nat) : Eq (pow a 0) 1 := rfl

theorem pow_succ (a k : Nat) : Eq (pow a (succ k)) (mul (pow a k) a) := rfl

theorem pow_one (a : Nat) : Eq (pow a 1) a := one_mul a

theorem pow_add (a m : Nat) : (n : Nat) → Eq (pow a (add m n)) (mul (pow a m) (pow a n))
  | zero => Eq.symm (mul_one (pow a m))
  | succ n => Eq.trans (congrArg (fun x => mul x a) (pow_add a m n)) (mul_assoc (pow a m) (pow a n) a)

theorem mul_pow (a b : Nat) : (n : Nat) → Eq (pow (mul a b) n) (mul (pow a n) (pow b n))
  | zero => rfl
  | succ n => Eq.trans (congrArg (fun x => mul x (mul a b)) (mul_pow a b n)) (mul_mul_mul_comm (pow a n) (pow b n) a b)

theorem pow_mul (a m : Nat) : (n : Nat) → Eq (pow a (mul m n)) (pow (pow a m) n)
  | zero => rfl
  | succ n => Eq.trans (pow_add a (mul m n) m) (congrArg (fun x => mul x (pow a m)) (pow_mul a m n))

theorem pow_pos {a : Nat} (h : Lt 0 a) : (n : Nat) → Lt 0 (pow a n)
  | zero => rfl
  | succ n => mul_pos (pow_pos h n) h

theorem two_pow_pos (n : Nat) : Lt 0 (pow 2 n) := pow_pos (a := 2) rfl n

theorem two_pow_succ (n : Nat) : Eq (pow 2 (succ n)) (add (pow 2 n) (pow 2 n)) := mul_two (pow 2 n)

theorem two_pow_lt_succ (n : Nat) : Lt (pow 2 n) (pow 2 (succ n)) :=
  lt_of_lt_of_le (lt_add_of_pos (pow 2 n) (two_pow_pos n)) (le_of_eq (Eq.symm (two_pow_succ n)))

theorem lt_two_pow_self : (n : Nat) → Lt n (pow 2 n)
  | zero => rfl
  | succ n => lt_of_le_of_lt (lt_two_pow_self n) (two_pow_lt_succ n)

theorem two_pow_le_two_pow {m n : Nat} (h : Le m n) : Le (pow 2 m) (pow 2 n) :=
  le_trans (le_mul_of_pos_right (pow 2 m) (two_pow_pos (sub n m)))
    (le_of_eq (Eq.trans (Eq.symm (pow_add 2 m (sub n m))) (congrArg (pow 2) (add_sub_of_le h))))

theorem two_pow_lt_two_pow {m n : Nat} (h : Lt m n) : Lt (pow 2 m) (pow 2 n) :=
  lt_of_lt_of_le (two_pow_lt_succ m) (two_pow_le_two_pow (m := succ m) h)

theorem le_of_two_pow_le {m n : Nat} (h : Le (pow 2 m) (pow 2 n)) : Le m n :=
  le_of_not_lt (fun h' => not_le_of_lt (two_pow_lt_two_pow h') h)

theorem lt_of_two_pow_lt {m n : Nat} (h : Lt (pow 2 m) (pow 2 n)) : Lt m n :=
  lt_of_not_le (fun h' => not_le_of_lt h (two_pow_le_two_pow h'))

theorem two_pow_inj {m n : Nat} (h : Eq (pow 2 m) (pow 2 n)) : Eq m n :=
  le_antisymm (le_of_two_pow_le (le_of_eq h)) (le_of_two_pow_le (le_of_eq (Eq.symm h)))

theorem two_pow_sub_mul {m n : Nat} (h : Le n m) : Eq (mul (pow 2 (sub m n)) (pow 2 n)) (pow 2 m) :=
  Eq.trans (Eq.symm (pow_add 2 (sub m n) n)) (congrArg (pow 2) (sub_add_cancel h))

theorem two_pow_div {m n : Nat} (h : Le n m) : Eq (div (pow 2 m) (pow 2 n)) (pow 2 (sub m n)) :=
  Eq.trans (congrArg (fun x => div x (pow 2 n)) (Eq.symm (two_pow_sub_mul h))) (mul_div_cancel_right (two_pow_pos n) (pow 2 (sub m n)))

/-! Shifts. -/

theorem shiftLeft_eq (a k : Nat) : Eq (shiftLeft a k) (mul a (pow 2 k)) := rfl

theorem shiftRight_eq (a k : Nat) : Eq (shiftRight a k) (div a (pow 2 k)) := rfl

theorem shiftRight_add (a j k : Nat) : Eq (shiftRight a (add j k)) (shiftRight (shiftRight a j) k) :=
  Eq.trans (congrArg (div a) (pow_add 2 j k)) (div_mul a (pow 2 j) (pow 2 k))

/-! Binary logarithm. -/

theorem log2_succ_of_full {n : Nat} (h : Le (pow 2 (succ (log2 n))) (succ n)) : Eq (log2 (succ n)) (succ (log2 n)) :=
  cond_of_true h (succ (log2 n)) (log2 n)

theorem log2_succ_of_not_full {n : Nat} (h : Lt (succ n) (pow 2 (succ (log2 n)))) : Eq (log2 (succ n)) (log2 n) :=
  cond_of_false (ble_of_lt h) (succ (log2 n)) (log2 n)

theorem lt_two_pow_log2 : (n : Nat) → Lt n (pow 2 (succ (log2 n)))
  | zero => rfl
  | succ n => Or.elim (lt_or_ge (succ n) (pow 2 (succ (log2 n))))
      (fun h => lt_of_lt_of_le h (le_of_eq (congrArg (fun k => pow 2 (succ k)) (Eq.symm (log2_succ_of_not_full h)))))
      (fun h => lt_of_le_of_lt (lt_two_pow_log2 n)
        (lt_of_lt_of_le (two_pow_lt_succ (succ (log2 n))) (le_of_eq (congrArg (fun k => pow 2 (succ k)) (Eq.symm (log2_succ_of_full h))))))

theorem two_pow_log2_le_succ : (n : Nat) → Le (pow 2 (log2 (succ n))) (succ n)
  | zero => rfl
  | succ n => Or.elim (lt_or_ge (succ (succ n)) (pow 2 (succ (log2 (succ n)))))
      (fun h => le_trans (le_of_eq (congrArg (pow 2) (log2_succ_of_not_full h))) (le_succ_of_le (two_pow_log2_le_succ n)))
      (fun h => le_trans (le_of_eq (congrArg (pow 2) (log2_succ_of_full h))) h)

theorem two_pow_log2_le {n : Nat} (pos : Lt 0 n) : Le (pow 2 (log2 n)) n :=
  Eq.subst (motive := fun x => Le (pow 2 (log2 x)) x) (succ_pred pos) (two_pow_log2_le_succ (pred n))

theorem log2_unique {n k : Nat} (low : Le (pow 2 k) n) (high : Lt n (pow 2 (succ k))) : Eq (log2 n) k :=
  le_antisymm
    (le_of_lt_succ (lt_of_two_pow_lt (lt_of_le_of_lt (two_pow_log2_le (lt_of_lt_of_le (two_pow_pos k) low)) high)))
    (le_of_lt_succ (lt_of_two_pow_lt (lt_of_le_of_lt low (lt_two_pow_log2 n))))

theorem log2_two_pow (k : Nat) : Eq (log2 (pow 2 k)) k := log2_unique (le_refl (pow 2 k)) (two_pow_lt_succ k)

theorem le_log2_of_two_pow_le {n k : Nat} (h : Le (pow 2 k) n) : Le k (log2 n) :=
  le_of_lt_succ (lt_of_two_pow_lt (lt_of_le_of_lt h (lt_two_pow_log2 n)))

theorem log2_lt_of_lt_two_pow {n k : Nat} (pos : Lt 0 n) (h : Lt n (pow 2 k)) : Lt (log2 n) k :=
  lt_of_two_pow_lt (lt_of_le_of_lt (two_pow_log2_le pos) h)

theorem lt_two_pow_of_log2_lt {n k : Nat} (h : Lt (log2 n) k) : Lt n (pow 2 k) :=
  lt_of_lt_of_le (lt_two_pow_log2 n) (two_pow_le_two_pow (m := succ (log2 n)) h)

theorem two_pow_le_of_le_log2 {n k : Nat} (pos : Lt 0 n) (h : Le k (log2 n)) : Le (pow 2 k) n :=
  le_trans (two_pow_le_two_pow h) (two_pow_log2_le pos)

theorem log2_le_log2 {a b : Nat} (h : Le a b) : Le (log2 a) (log2 b) :=
  Or.elim (eq_zero_or_pos a) (fun e => le_trans (le_of_eq (congrArg log2 e)) (zero_le (log2 b)))
    (fun pos => le_log2_of_two_pow_le (le_trans (two_pow_log2_le pos) h))

theorem log2_mul_two_pow {n : Nat} (pos : Lt 0 n) (k : Nat) : Eq (log2 (mul n (pow 2 k))) (add (log2 n) k) :=
  log2_unique
    (le_trans (le_of_eq (pow_add 2 (log2 n) k)) (mul_le_mul_left (two_pow_log2_le pos) (pow 2 k)))
    (lt_of_lt_of_le (mul_lt_mul_left (lt_two_pow_log2 n) (two_pow_pos k))
      (le_of_eq (Eq.trans (Eq.symm (pow_add 2 (succ (log2 n)) k)) (congrArg (pow 2) (succ_add (log2 n) k)))))

end Nat
