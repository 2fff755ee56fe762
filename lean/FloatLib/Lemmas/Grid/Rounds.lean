prelude
import FloatLib.Lemmas.Grid.Launch
/-!
# Counted loops: theorems about `Grid.upTo`

Two loops agree where their rounds do; rounds that are added, or tiled, are one loop; rounds that change nothing can be left out.
No extensionality axiom: rounds are compared on each state.
-/

noncomputable section
namespace Grid

variable {σ τ : Type}

/-! Two loops with equal rounds. -/

/-- Loops whose rounds agree on every state agree. -/
theorem upTo_congr {f g : Nat → σ → σ} {n : Nat} (same : (k : Nat) → (s : σ) → Nat.Lt k n → Eq (f k s) (g k s)) (s : σ) :
    Eq (upTo f n s) (upTo g n s) := part n (Nat.le_refl n)
where
  part : (k : Nat) → Nat.Le k n → Eq (upTo f k s) (upTo g k s)
    | .zero, _ => rfl
    | .succ k, h => Eq.trans (same k (upTo f k s) h) (congrArg (g k) (part k (Nat.le_of_lt h)))

/-- Loops whose rounds agree on the states in which `P` holds agree, if `P` holds first and the rounds keep it. -/
theorem upTo_congr_of {f g : Nat → σ → σ} {n : Nat} (P : σ → Prop)
    (same : (k : Nat) → (s : σ) → Nat.Lt k n → P s → Eq (f k s) (g k s))
    (kept : (k : Nat) → (s : σ) → Nat.Lt k n → P s → P (f k s)) {s : σ} (start : P s) : Eq (upTo f n s) (upTo g n s) :=
  (upTo_induct (f := f) (n := n) (fun k t => And (Eq t (upTo g k s)) (P t))
    (fun k _ h both => And.intro (Eq.trans (same k _ h both.right) (congrArg (g k) both.left)) (kept k _ h both.right))
    (And.intro rfl start)).left

/-- What a map does to a loop's rounds it does to the loop: the state of `g` is the image of the state of `f`. -/
theorem upTo_map {f : Nat → σ → σ} {g : Nat → τ → τ} {n : Nat} (m : σ → τ)
    (same : (k : Nat) → (s : σ) → Nat.Lt k n → Eq (m (f k s)) (g k (m s))) (s : σ) : Eq (m (upTo f n s)) (upTo g n (m s)) := part n (Nat.le_refl n)
where
  part : (k : Nat) → Nat.Le k n → Eq (m (upTo f k s)) (upTo g k (m s))
    | .zero, _ => rfl
    | .succ k, h => Eq.trans (same k (upTo f k s) h) (congrArg (g k) (part k (Nat.le_of_lt h)))

/-- No rounds. -/
theorem upTo_zero (f : Nat → σ → σ) (s : σ) : Eq (upTo f 0 s) s := rfl

/-- One round. -/
theorem upTo_one (f : Nat → σ → σ) (s : σ) : Eq (upTo f 1 s) (f 0 s) := rfl

/-- Rounds that change nothing. -/
theorem upTo_id {f : Nat → σ → σ} {n : Nat} {s : σ} (same : (k : Nat) → Nat.Lt k n → Eq (f k s) s) : Eq (upTo f n s) s :=
  upTo_induct (fun _ t => Eq t s) (fun k _ h e => Eq.trans (congrArg (f k) e) (same k h)) rfl

/-! One loop after another, and one in another. -/

/-- The first `a` rounds, and then `b` more. -/
theorem upTo_add (f : Nat → σ → σ) (a : Nat) (s : σ) : (b : Nat) →
    Eq (upTo f (Nat.add a b) s) (upTo (fun k => f (Nat.add a k)) b (upTo f a s))
  | .zero => rfl
  | .succ b => congrArg (f (Nat.add a b)) (upTo_add f a s b)

/-- A loop over `a` tiles of `b` rounds each is one loop of `a * b` rounds. -/
theorem upTo_mul (f : Nat → σ → σ) (b : Nat) (s : σ) : (a : Nat) →
    Eq (upTo f (Nat.mul a b) s) (upTo (fun t => upTo (fun k => f (Nat.add (Nat.mul t b) k)) b) a s)
  | .zero => Eq.subst (motive := fun n => Eq (upTo f n s) s) (Eq.symm (Nat.zero_mul b)) rfl
  | .succ a =>
    Eq.step (upTo f (Nat.mul (Nat.succ a) b) s) (congrArg (fun n => upTo f n s) (Nat.succ_mul a b)) (
    Eq.trans (upTo_add f (Nat.mul a b) s b) (congrArg (upTo (fun k => f (Nat.add (Nat.mul a b) k)) b) (upTo_mul f b s a)))

/-- Rounds from `n` on that change nothing can be left out. -/
theorem upTo_of_le {f : Nat → σ → σ} {n m : Nat} (more : Nat.Le n m) (idle : (k : Nat) → (s : σ) → Nat.Le n k → Eq (f k s) s) (s : σ) :
    Eq (upTo f m s) (upTo f n s) :=
  Eq.step (upTo f m s) (congrArg (fun j => upTo f j s) (Eq.symm (Nat.add_sub_of_le more))) (
  Eq.trans (upTo_add f n s (Nat.sub m n))
    (upTo_id (fun k _ => idle (Nat.add n k) (upTo f n s) (Nat.le_add_right n k))))

/-- Rounds from `n` on that change nothing can be left out, where `P` holds first and the rounds keep it. -/
theorem upTo_of_le_of {f : Nat → σ → σ} {n m : Nat} (P : σ → Prop) (more : Nat.Le n m)
    (idle : (k : Nat) → (s : σ) → Nat.Le n k → P s → Eq (f k s) s) (kept : (k : Nat) → (s : σ) → Nat.Lt k n → P s → P (f k s))
    {s : σ} (start : P s) : Eq (upTo f m s) (upTo f n s) :=
  Eq.step (upTo f m s) (congrArg (fun j => upTo f j s) (Eq.symm (Nat.add_sub_of_le more))) (
  Eq.trans (upTo_add f n s (Nat.sub m n))
    (upTo_id (fun k _ => idle (Nat.add n k) (upTo f n s) (Nat.le_add_right n k) (upTo_induct (fun _ t => P t) kept start))))

/-- Tiles that cover `n` rounds and do nothing beyond them: a loop over `a` tiles of `b` rounds is the loop of `n` rounds. -/
theorem upTo_tiles {f : Nat → σ → σ} {n a b : Nat} (P : σ → Prop) (cover : Nat.Le n (Nat.mul a b))
    (idle : (k : Nat) → (s : σ) → Nat.Le n k → P s → Eq (f k s) s) (kept : (k : Nat) → (s : σ) → Nat.Lt k n → P s → P (f k s))
    {s : σ} (start : P s) : Eq (upTo (fun t => upTo (fun k => f (Nat.add (Nat.mul t b) k)) b) a s) (upTo f n s) :=
  Eq.trans (Eq.symm (upTo_mul f b s a)) (upTo_of_le_of P cover idle kept start)

end Grid
