prelude
import FloatLib.Float.Bits
/-!
# Rounding: the one place where a result becomes a float

Every operation's exact result is a quotient `p / q` of natural numbers, counted in units, with a sign. `round` finds the pattern
of the float next to it: `c` is the exact result in steps of the float grid there (a step is `2 ^ s` units), `r` what is left over,
and the mode says whether to go one up. A carry into the next exponent is a carry into the exponent field, since patterns are consecutive.
-/

noncomputable section

/-- Rounding modes, by their PTX names. -/
inductive Mode where
  /-- To nearest, ties to even. -/
  | rn
  /-- Toward zero. -/
  | rz
  /-- Toward minus infinity. -/
  | rm
  /-- Toward plus infinity. -/
  | rp

namespace Mode

/-- Does a magnitude with `c` whole steps and a remainder of `r / d` of a step go to `c + 1`? -/
def up (mode : Mode) (neg : Bool) (c r d : Nat) : Bool :=
  match mode with
  | rn => (Nat.blt d (Nat.mul 2 r)).or ((Nat.beq d (Nat.mul 2 r)).and c.odd)
  | rz => false
  | rm => neg.and (Nat.blt 0 r)
  | rp => neg.not.and (Nat.blt 0 r)

/-- The largest pattern that a result of this sign may have: modes that round overflow toward zero stop before infinity. -/
def limit (f : Format) (mode : Mode) (neg : Bool) : Nat :=
  match mode with
  | rn => f.inf
  | rz => f.inf.sub 1
  | rm => cond neg f.inf (f.inf.sub 1)
  | rp => cond neg (f.inf.sub 1) f.inf

/-- The sign of a sum that is exactly zero, of terms with different signs. -/
def zeroNeg (mode : Mode) : Bool :=
  match mode with
  | rn => false
  | rz => false
  | rm => true
  | rp => false

end Mode

namespace Fp

/-- The largest `l + i` with `2 ^ (l + i)` at most `n`, for `i` below `2 ^ fuel`: the binary logarithm found by halving. -/
def topBitSearch (n : Nat) : Nat → Nat → Nat
  | .zero, l => l
  | .succ k, l => topBitSearch n k (cond (Nat.ble (Nat.pow 2 (l.add (Nat.pow 2 k))) n) (l.add (Nat.pow 2 k)) l)

/-- `Nat.log2 n` by a path that Lean's elaborator, which does not compute `Nat.log2` by name, can follow as well. -/
def topBit (fuel n : Nat) : Nat :=
  cond (Nat.beq n 0) 0
    (cond ((Nat.ble (Nat.pow 2 (topBitSearch n fuel 0)) n).and (Nat.blt n (Nat.pow 2 ((topBitSearch n fuel 0).add 1))))
      (topBitSearch n fuel 0) (Nat.log2 n))

/-- The binary logarithm of the step of the float grid around a magnitude of `n` whole units. -/
def stepLog (f : Format) (n : Nat) : Nat := (topBit (f.expo.add 1) n).sub f.mant

/-- The magnitude `p / q` units in steps of `2 ^ s` units, as a pattern, rounded; not yet limited to the format's range. -/
def roundAt (f : Format) (mode : Mode) (neg : Bool) (p q s : Nat) : Nat :=
  ((s.mul (Nat.pow 2 f.mant)).add (p.div (q.mul (Nat.pow 2 s)))).add
    (cond (mode.up neg (p.div (q.mul (Nat.pow 2 s))) (p.mod (q.mul (Nat.pow 2 s))) (q.mul (Nat.pow 2 s))) 1 0)

/-- The magnitude pattern of `p / q` units, rounded. -/
def roundMag (f : Format) (mode : Mode) (neg : Bool) (p q : Nat) : Nat :=
  Nat.min (roundAt f mode neg p q (stepLog f (p.div q))) (Nat.min (mode.limit f neg) f.inf)

/-- The smaller of two numbers is at most the second; so is the smaller of more. -/
theorem min_le (a b c : Nat) : Eq (Nat.ble (Nat.min a (Nat.min b c)) c) true :=
  have right : (x y : Nat) → Eq (Nat.ble (Nat.min x y) y) true := fun x y =>
    match h : Nat.ble x y with
    | true => Eq.trans (congrArg (fun t => Nat.ble (cond t x y) y) h) h
    | false => Eq.trans (congrArg (fun t => Nat.ble (cond t x y) y) h) (ble_self y)
  have trans : (x y z : Nat) → Eq (Nat.ble x y) true → Eq (Nat.ble y z) true → Eq (Nat.ble x z) true :=
    fun x => Nat.rec (fun _ _ _ _ => rfl)
      (fun _ ih y => Nat.rec (fun _ h _ => (Bool.false_ne_true h).elim)
        (fun y _ z => Nat.rec (fun _ h => (Bool.false_ne_true h).elim) (fun z _ h h' => ih y z h h') z) y) x
  trans (Nat.min a (Nat.min b c)) (Nat.min b c) c (right a (Nat.min b c)) (right b c)

/-- The float next to the exact value `p / q` units with the given sign. -/
def round {f : Format} (mode : Mode) (neg : Bool) (p q : Nat) : Fp f :=
  num neg (roundMag f mode neg p q) (min_le (roundAt f mode neg p q (stepLog f (p.div q))) (mode.limit f neg) f.inf)

/-- The float next to the exact sum of two signed magnitudes, `u / q` and `v / q` units. -/
def roundSum {f : Format} (mode : Mode) (s : Bool) (u : Nat) (t : Bool) (v q : Nat) : Fp f :=
  cond (Bool.beq s t) (round mode s (u.add v) q)
    (cond (Nat.beq u v) (zero mode.zeroNeg)
      (cond (Nat.blt v u) (round mode s (u.sub v) q) (round mode t (v.sub u) q)))

end Fp
