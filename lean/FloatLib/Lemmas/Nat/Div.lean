prelude
import FloatLib.Lemmas.Nat.Sub
/-!
# Natural numbers: quotient and remainder

`div_add_mod` and `mod_lt` describe them, `div_unique` and `mod_unique` say that nothing else fits; the rest follows.
-/

noncomputable section
namespace Nat

theorem zero_div (d : Nat) : Eq (div 0 d) 0 := rfl

theorem zero_mod (d : Nat) : Eq (mod 0 d) 0 := rfl

theorem div_zero : (n : Nat) → Eq (div n 0) 0
  | zero => rfl
  | succ n => div_zero n

theorem mod_zero : (n : Nat) → Eq (mod n 0) n
  | zero => rfl
  | succ n => congrArg succ (mod_zero n)

theorem div_succ_of_full {n d : Nat} (h : Eq (beq (succ (mod n d)) d) true) : Eq (div (succ n) d) (succ (div n d)) :=
  cond_of_true h (succ (div n d)) (div n d)

theorem div_succ_of_not_full {n d : Nat} (h : Eq (beq (succ (mod n d)) d) false) : Eq (div (succ n) d) (div n d) :=
  cond_of_false h (succ (div n d)) (div n d)

theorem mod_succ_of_full {n d : Nat} (h : Eq (beq (succ (mod n d)) d) true) : Eq (mod (succ n) d) 0 :=
  cond_of_true h 0 (succ (mod n d))

theorem mod_succ_of_not_full {n d : Nat} (h : Eq (beq (succ (mod n d)) d) false) : Eq (mod (succ n) d) (succ (mod n d)) :=
  cond_of_false h 0 (succ (mod n d))

theorem div_add_mod : (n d : Nat) → Eq (add (mul d (div n d)) (mod n d)) n
  | zero, _ => rfl
  | succ n, d => Bool.byCases (beq (succ (mod n d)) d)
      (fun h =>
        Eq.step (add (mul d (div (succ n) d)) (mod (succ n) d)) (congrArg2 (fun q r => add (mul d q) r) (div_succ_of_full h) (mod_succ_of_full h)) (
        Eq.step (add (mul d (div n d)) d) (congrArg (add (mul d (div n d))) (Eq.symm (eq_of_beq _ _ h))) (
        Eq.step (succ (add (mul d (div n d)) (mod n d))) (congrArg succ (div_add_mod n d)) (
        Eq.done (succ n)))))
      (fun h =>
        Eq.step (add (mul d (div (succ n) d)) (mod (succ n) d)) (congrArg2 (fun q r => add (mul d q) r) (div_succ_of_not_full h) (mod_succ_of_not_full h)) (
        Eq.step (succ (add (mul d (div n d)) (mod n d))) (congrArg succ (div_add_mod n d)) (
        Eq.done (succ n))))

theorem mod_lt {d : Nat} (pos : Lt 0 d) : (n : Nat) → Lt (mod n d) d
  | zero => pos
  | succ n => Bool.byCases (beq (succ (mod n d)) d)
      (fun h => lt_of_le_of_lt (le_of_eq (mod_succ_of_full h)) pos)
      (fun h => lt_of_le_of_lt (le_of_eq (mod_succ_of_not_full h)) (lt_of_le_of_ne (mod_lt pos n) (ne_of_beq h)))

theorem div_mul_le (n d : Nat) : Le (mul d (div n d)) n :=
  le_trans (le_add_right (mul d (div n d)) (mod n d)) (le_of_eq (div_add_mod n d))

theorem lt_mul_succ_div {d : Nat} (pos : Lt 0 d) (n : Nat) : Lt n (mul d (succ (div n d))) :=
  lt_of_le_of_lt (le_of_eq (Eq.symm (div_add_mod n d))) (add_lt_add_left (mod_lt pos n) (mul d (div n d)))

theorem mod_le (n d : Nat) : Le (mod n d) n := le_trans (le_add_left (mod n d) (mul d (div n d))) (le_of_eq (div_add_mod n d))

/-! Quotient and order. -/

theorem div_lt_of_lt_mul {n d q : Nat} (h : Lt n (mul d q)) : Lt (div n d) q :=
  lt_of_mul_lt_mul_right d (lt_of_le_of_lt (div_mul_le n d) h)

theorem le_div_of_mul_le {n d q : Nat} (pos : Lt 0 d) (h : Le (mul d q) n) : Le q (div n d) :=
  le_of_lt_succ (lt_of_mul_lt_mul_right d (lt_of_le_of_lt h (lt_mul_succ_div pos n)))

theorem mul_le_of_le_div {n d q : Nat} (h : Le q (div n d)) : Le (mul d q) n := le_trans (mul_le_mul_right d h) (div_mul_le n d)

theorem lt_mul_of_div_lt {n d q : Nat} (pos : Lt 0 d) (h : Lt (div n d) q) : Lt n (mul d q) :=
  lt_of_lt_of_le (lt_mul_succ_div pos n) (mul_le_mul_right d h)

theorem div_le_self (n d : Nat) : Le (div n d) n :=
  match d with
  | zero => le_trans (le_of_eq (div_zero n)) (zero_le n)
  | succ d => le_trans (le_mul_of_pos_left (div n (succ d)) (zero_lt_succ d)) (div_mul_le n (succ d))

theorem div_le_div {a b : Nat} (h : Le a b) (d : Nat) : Le (div a d) (div b d) :=
  match d with
  | zero => le_trans (le_of_eq (div_zero a)) (zero_le (div b 0))
  | succ d => le_div_of_mul_le (zero_lt_succ d) (le_trans (div_mul_le a (succ d)) h)

/-! Uniqueness. -/

theorem div_unique {n d q r : Nat} (small : Lt r d) (h : Eq (add (mul d q) r) n) : Eq (div n d) q :=
  le_antisymm
    (le_of_lt_succ (div_lt_of_lt_mul (lt_of_le_of_lt (le_of_eq (Eq.symm h)) (add_lt_add_left small (mul d q)))))
    (le_div_of_mul_le (pos_of_lt small) (le_trans (le_add_right (mul d q) r) (le_of_eq h)))

theorem mod_unique {n d q r : Nat} (small : Lt r d) (h : Eq (add (mul d q) r) n) : Eq (mod n d) r :=
  add_left_cancel (mul d q)
    (Eq.step (add (mul d q) (mod n d)) (congrArg (fun x => add (mul d x) (mod n d)) (Eq.symm (div_unique small h))) (
    Eq.step (add (mul d (div n d)) (mod n d)) (div_add_mod n d) (
    Eq.step n (Eq.symm h) (
    Eq.done (add (mul d q) r)))))

theorem div_of_lt {n d : Nat} (h : Lt n d) : Eq (div n d) 0 := div_unique h (zero_add n)

theorem mod_of_lt {n d : Nat} (h : Lt n d) : Eq (mod n d) n := mod_unique (q := 0) h (zero_add n)

theorem div_one (n : Nat) : Eq (div n 1) n := div_unique (r := 0) rfl (one_mul n)

theorem mod_one (n : Nat) : Eq (mod n 1) 0 := mod_unique (q := n) rfl (one_mul n)

theorem mul_div_cancel_left {d : Nat} (pos : Lt 0 d) (q : Nat) : Eq (div (mul d q) d) q := div_unique (r := 0) pos rfl

theorem mul_div_cancel_right {d : Nat} (pos : Lt 0 d) (q : Nat) : Eq (div (mul q d) d) q :=
  Eq.trans (congrArg (fun x => div x d) (mul_comm q d)) (mul_div_cancel_left pos q)

theorem div_self {d : Nat} (pos : Lt 0 d) : Eq (div d d) 1 := div_unique (r := 0) pos (mul_one d)

theorem div_of_mod_eq_zero {n d : Nat} (h : Eq (mod n d) 0) : Eq (mul d (div n d)) n :=
  Eq.trans (congrArg (add (mul d (div n d))) (Eq.symm h)) (div_add_mod n d)

theorem mod_mul_self (d q : Nat) : Eq (mod (mul d q) d) 0 :=
  match d with
  | zero => Eq.trans (congrArg (fun x => mod x 0) (zero_mul q)) rfl
  | succ d => mod_unique (q := q) (zero_lt_succ d) rfl

theorem mod_self (d : Nat) : Eq (mod d d) 0 := Eq.trans (congrArg (fun x => mod x d) (Eq.symm (mul_one d))) (mod_mul_self d 1)

/-! A multiple of the divisor added, a common factor, a divisor in two steps. -/

theorem mul_add_div {d : Nat} (pos : Lt 0 d) (k n : Nat) : Eq (div (add (mul d k) n) d) (add k (div n d)) :=
  div_unique (mod_lt pos n)
    (Eq.step (add (mul d (add k (div n d))) (mod n d)) (congrArg (fun x => add x (mod n d)) (mul_add d k (div n d))) (
    Eq.step (add (add (mul d k) (mul d (div n d))) (mod n d)) (add_assoc (mul d k) (mul d (div n d)) (mod n d)) (
    Eq.step (add (mul d k) (add (mul d (div n d)) (mod n d))) (congrArg (add (mul d k)) (div_add_mod n d)) (
    Eq.done (add (mul d k) n)))))

theorem mul_add_mod (d k n : Nat) : Eq (mod (add (mul d k) n) d) (mod n d) :=
  match d with
  | zero => congrArg (fun x => mod x 0) (Eq.trans (congrArg (fun x => add x n) (zero_mul k)) (zero_add n))
  | succ d => mod_unique (q := add k (div n (succ d))) (mod_lt (zero_lt_succ d) n)
      (Eq.step (add (mul (succ d) (add k (div n (succ d)))) (mod n (succ d)))
        (congrArg (fun x => add x (mod n (succ d))) (mul_add (succ d) k (div n (succ d)))) (
      Eq.step (add (add (mul (succ d) k) (mul (succ d) (div n (succ d)))) (mod n (succ d)))
        (add_assoc (mul (succ d) k) (mul (succ d) (div n (succ d))) (mod n (succ d))) (
      Eq.step (add (mul (succ d) k) (add (mul (succ d) (div n (succ d))) (mod n (succ d))))
        (congrArg (add (mul (succ d) k)) (div_add_mod n (succ d))) (
      Eq.done (add (mul (succ d) k) n)))))

theorem add_mul_mod (n d k : Nat) : Eq (mod (add n (mul d k)) d) (mod n d) :=
  Eq.trans (congrArg (fun x => mod x d) (add_comm n (mul d k))) (mul_add_mod d k n)

theorem add_mul_div {d : Nat} (pos : Lt 0 d) (n k : Nat) : Eq (div (add n (mul d k)) d) (add (div n d) k) :=
  Eq.step (div (add n (mul d k)) d) (congrArg (fun x => div x d) (add_comm n (mul d k))) (
  Eq.step (div (add (mul d k) n) d) (mul_add_div pos k n) (
  Eq.step (add k (div n d)) (add_comm k (div n d)) (
  Eq.done (add (div n d) k))))

theorem add_mod_self (n d : Nat) : Eq (mod (add n d) d) (mod n d) :=
  Eq.trans (congrArg (fun x => mod (add n x) d) (Eq.symm (mul_one d))) (add_mul_mod n d 1)

theorem mul_div_mul_left {k : Nat} (pos : Lt 0 k) (p q : Nat) : Eq (div (mul k p) (mul k q)) (div p q) :=
  match q with
  | zero => Eq.trans (div_zero (mul k p)) (Eq.symm (div_zero p))
  | succ q => div_unique (r := mul k (mod p (succ q))) (mul_lt_mul_right (mod_lt (zero_lt_succ q) p) pos)
      (factor k p (succ q))
where
  factor (k p q : Nat) : Eq (add (mul (mul k q) (div p q)) (mul k (mod p q))) (mul k p) :=
    Eq.step (add (mul (mul k q) (div p q)) (mul k (mod p q))) (congrArg (fun x => add x (mul k (mod p q))) (mul_assoc k q (div p q))) (
    Eq.step (add (mul k (mul q (div p q))) (mul k (mod p q))) (Eq.symm (mul_add k (mul q (div p q)) (mod p q))) (
    Eq.step (mul k (add (mul q (div p q)) (mod p q))) (congrArg (mul k) (div_add_mod p q)) (
    Eq.done (mul k p))))

theorem mul_mod_mul_left (k p q : Nat) : Eq (mod (mul k p) (mul k q)) (mul k (mod p q)) :=
  match k, q with
  | zero, q => Eq.trans (congrArg2 mod (zero_mul p) (zero_mul q)) (Eq.symm (zero_mul (mod p q)))
  | succ k, zero => Eq.trans (mod_zero (mul (succ k) p)) (congrArg (mul (succ k)) (Eq.symm (mod_zero p)))
  | succ k, succ q => mod_unique (mul_lt_mul_right (mod_lt (zero_lt_succ q) p) (zero_lt_succ k)) (mul_div_mul_left.factor (succ k) p (succ q))

theorem mul_div_mul_right {k : Nat} (pos : Lt 0 k) (p q : Nat) : Eq (div (mul p k) (mul q k)) (div p q) :=
  Eq.trans (congrArg2 div (mul_comm p k) (mul_comm q k)) (mul_div_mul_left pos p q)

theorem mul_mod_mul_right (k p q : Nat) : Eq (mod (mul p k) (mul q k)) (mul (mod p q) k) :=
  Eq.trans (congrArg2 mod (mul_comm p k) (mul_comm q k)) (Eq.trans (mul_mod_mul_left k p q) (mul_comm k (mod p q)))

/-- A remainder below `a` and a digit below `b` make a number below `a * b`. -/
theorem mul_add_lt {a b r s : Nat} (hr : Lt r a) (hs : Lt s b) : Lt (add (mul a s) r) (mul a b) :=
  lt_of_lt_of_le (add_lt_add_left hr (mul a s)) (mul_le_mul_right (a := succ s) a hs)

/-- A number in the mixed base `a`, `b`. -/
theorem mul_mul_add_mul_add (n a b : Nat) :
    Eq (add (mul (mul a b) (div (div n a) b)) (add (mul a (mod (div n a) b)) (mod n a))) n :=
  Eq.step (add (mul (mul a b) (div (div n a) b)) (add (mul a (mod (div n a) b)) (mod n a)))
    (Eq.symm (add_assoc (mul (mul a b) (div (div n a) b)) (mul a (mod (div n a) b)) (mod n a))) (
  Eq.step (add (add (mul (mul a b) (div (div n a) b)) (mul a (mod (div n a) b))) (mod n a))
    (congrArg (fun x => add x (mod n a)) (mul_div_mul_left.factor a (div n a) b)) (
  Eq.step (add (mul a (div n a)) (mod n a)) (div_add_mod n a) (
  Eq.done n)))

theorem div_mul (n a b : Nat) : Eq (div n (mul a b)) (div (div n a) b) :=
  match a, b with
  | zero, b => Eq.trans (congrArg (div n) (zero_mul b)) (Eq.trans (div_zero n) (Eq.symm (congrArg (fun x => div x b) (div_zero n))))
  | succ a, zero => Eq.trans (div_zero n) (Eq.symm (div_zero (div n (succ a))))
  | succ a, succ b => div_unique (mul_add_lt (mod_lt (zero_lt_succ a) n) (mod_lt (zero_lt_succ b) (div n (succ a))))
      (mul_mul_add_mul_add n (succ a) (succ b))

theorem mod_mul {a b : Nat} (ha : Lt 0 a) (hb : Lt 0 b) (n : Nat) : Eq (mod n (mul a b)) (add (mul a (mod (div n a) b)) (mod n a)) :=
  mod_unique (mul_add_lt (mod_lt ha n) (mod_lt hb (div n a))) (mul_mul_add_mul_add n a b)

/-! Remainders of remainders: a sum or product may be reduced before or after. -/

theorem mod_mod (n d : Nat) : Eq (mod (mod n d) d) (mod n d) :=
  Eq.trans (Eq.symm (mul_add_mod d (div n d) (mod n d))) (congrArg (fun x => mod x d) (div_add_mod n d))

theorem mod_add_mod (a b d : Nat) : Eq (mod (add (mod a d) b) d) (mod (add a b) d) :=
  Eq.step (mod (add (mod a d) b) d) (Eq.symm (mul_add_mod d (div a d) (add (mod a d) b))) (
  Eq.step (mod (add (mul d (div a d)) (add (mod a d) b)) d) (congrArg (fun x => mod x d) (Eq.symm (add_assoc (mul d (div a d)) (mod a d) b))) (
  Eq.step (mod (add (add (mul d (div a d)) (mod a d)) b) d) (congrArg (fun x => mod (add x b) d) (div_add_mod a d)) (
  Eq.done (mod (add a b) d))))

theorem add_mod_mod (a b d : Nat) : Eq (mod (add a (mod b d)) d) (mod (add a b) d) :=
  Eq.trans (congrArg (fun x => mod x d) (add_comm a (mod b d)))
    (Eq.trans (mod_add_mod b a d) (congrArg (fun x => mod x d) (add_comm b a)))

theorem mod_mul_mod (a b d : Nat) : Eq (mod (mul (mod a d) b) d) (mod (mul a b) d) :=
  Eq.step (mod (mul (mod a d) b) d) (Eq.symm (mul_add_mod d (mul (div a d) b) (mul (mod a d) b))) (
  Eq.step (mod (add (mul d (mul (div a d) b)) (mul (mod a d) b)) d)
    (congrArg (fun x => mod (add x (mul (mod a d) b)) d) (Eq.symm (mul_assoc d (div a d) b))) (
  Eq.step (mod (add (mul (mul d (div a d)) b) (mul (mod a d) b)) d)
    (congrArg (fun x => mod x d) (Eq.symm (add_mul (mul d (div a d)) (mod a d) b))) (
  Eq.step (mod (mul (add (mul d (div a d)) (mod a d)) b) d) (congrArg (fun x => mod (mul x b) d) (div_add_mod a d)) (
  Eq.done (mod (mul a b) d)))))

theorem mul_mod_mod (a b d : Nat) : Eq (mod (mul a (mod b d)) d) (mod (mul a b) d) :=
  Eq.trans (congrArg (fun x => mod x d) (mul_comm a (mod b d)))
    (Eq.trans (mod_mul_mod b a d) (congrArg (fun x => mod x d) (mul_comm b a)))

/-! Halves. -/

theorem mod_two (n : Nat) : Or (Eq (mod n 2) 0) (Eq (mod n 2) 1) :=
  Or.elim (lt_or_eq_of_le (le_of_lt_succ (mod_lt (d := 2) rfl n))) (fun h => Or.inl (eq_zero_of_le_zero h)) Or.inr

theorem odd_eq_true {n : Nat} (h : Eq (odd n) true) : Eq (mod n 2) 1 := eq_of_beq (mod n 2) 1 h

theorem odd_eq_false {n : Nat} (h : Eq (odd n) false) : Eq (mod n 2) 0 := Or.elim (mod_two n) id (fun h' => absurd h' (ne_of_beq h))

end Nat
