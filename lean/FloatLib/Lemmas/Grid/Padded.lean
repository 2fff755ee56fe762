prelude
import FloatLib.Lemmas.Grid.Rounds
import FloatLib.Lemmas.NegZero
/-!
# Sums over tiles that reach beyond the last term

A loop over `a` tiles of `b` rounds adds `h k` in round `k`; from `n` on `h k` is `+0`. If the sum does not begin as `-0`, it is the sum of
`n` rounds: a running sum never becomes `-0`, and `+0` changes nothing else.
-/

noncomputable section
namespace Grid

/-- A sum over tiles of terms that are `+0` from `n` on is the sum of the first `n` terms. -/
theorem upTo_padded_sum {f g : Nat → F32 → F32} {h : Nat → F32} {n a b : Nat} {s : F32} (cover : Nat.Le n (Nat.mul a b))
    (sum : (k : Nat) → (t : F32) → Eq (f k t) (Fp.add .rn t (h k))) (idle : (k : Nat) → Nat.Le n k → Eq (h k) (F32.ofBits 0x00000000))
    (same : (k : Nat) → (t : F32) → Nat.Lt k n → Eq (f k t) (g k t)) (start : Not (Eq s (F32.ofBits 0x80000000))) :
    Eq (upTo (fun t => upTo (fun k => f (Nat.add (Nat.mul t b) k)) b) a s) (upTo g n s) :=
  Eq.trans
    (upTo_tiles (f := f) (fun t => Not (Eq t (F32.ofBits 0x80000000))) cover
      (fun k t hk ht => Eq.trans (sum k t) (Eq.trans (congrArg (Fp.add .rn t) (idle k hk)) (F32.add_zero_of_ne_negZero t ht)))
      (fun k t _ ht => Eq.subst (motive := fun x => Not (Eq x (F32.ofBits 0x80000000))) (Eq.symm (sum k t)) (F32.add_ne_negZero t (h k) ht))
      start)
    (upTo_congr same s)

/-- Tiles of `b` that cover `n`: `(n + b - 1) / b` of them. -/
theorem le_tiles {b c : Nat} (pos : Nat.Le 1 b) (one : Eq (Nat.succ c) b) (n : Nat) : Nat.Le n (Nat.mul (Nat.div (Nat.add n c) b) b) :=
  have same : Eq (Nat.div (Nat.add n c) b) (ceilDiv n b) :=
    congrArg (fun x => Nat.div x b) (Eq.subst (motive := fun b => Eq (Nat.add n c) (Nat.sub (Nat.add n b) 1)) one rfl)
  Eq.subst (motive := fun x => Nat.Le n (Nat.mul x b)) (Eq.symm same) (le_ceilDiv_mul pos n)

end Grid
