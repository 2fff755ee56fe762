prelude
import FloatLib.Float.Round
/-!
# Arithmetic: add, subtract, multiply, divide, fused multiply-add, square root

Each is one match: the NaN rows, the rows with infinities, and one finite row that computes exactly in units and rounds once.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- The opposite: the sign bit changes, nothing else. -/
def neg : Fp f → Fp f
  | nan => nan
  | num s g h => num s.not g h

/-- The sum. -/
def add (mode : Mode) : Fp f → Fp f → Fp f
  | nan, _ => nan
  | num _ _ _, nan => nan
  | num s g hg, num t h hh =>
    cond (Nat.beq g f.inf) (cond ((Nat.beq h f.inf).and (s.xor t)) nan (num s g hg))
      (cond (Nat.beq h f.inf) (num t h hh) (roundSum mode s (units f g) t (units f h) 1))

/-- The difference: the sum with the opposite. -/
def sub (mode : Mode) (a b : Fp f) : Fp f := add mode a b.neg

/-- The product. -/
def mul (mode : Mode) : Fp f → Fp f → Fp f
  | nan, _ => nan
  | num _ _ _, nan => nan
  | num s g _, num t h _ =>
    cond ((Nat.beq g f.inf).or (Nat.beq h f.inf)) (cond ((Nat.beq g 0).or (Nat.beq h 0)) nan (inf (s.xor t)))
      (round mode (s.xor t) ((units f g).mul (units f h)) f.one)

/-- The quotient. -/
def div (mode : Mode) : Fp f → Fp f → Fp f
  | nan, _ => nan
  | num _ _ _, nan => nan
  | num s g _, num t h _ =>
    cond (Nat.beq g f.inf) (cond (Nat.beq h f.inf) nan (inf (s.xor t)))
      (cond (Nat.beq h f.inf) (zero (s.xor t))
        (cond (Nat.beq h 0) (cond (Nat.beq g 0) nan (inf (s.xor t)))
          (round mode (s.xor t) ((units f g).mul f.one) (units f h))))

/-- `a * b + c`, rounded once. -/
def fma (mode : Mode) : Fp f → Fp f → Fp f → Fp f
  | nan, _, _ => nan
  | num _ _ _, nan, _ => nan
  | num _ _ _, num _ _ _, nan => nan
  | num s g _, num t h _, num r k hk =>
    cond ((Nat.beq g f.inf).or (Nat.beq h f.inf))
      (cond ((Nat.beq g 0).or (Nat.beq h 0)) nan (cond ((Nat.beq k f.inf).and ((s.xor t).xor r)) nan (inf (s.xor t))))
      (cond (Nat.beq k f.inf) (num r k hk)
        (roundSum mode (s.xor t) ((units f g).mul (units f h)) r ((units f k).mul f.one) f.one))

/-- The largest pattern below `2 ^ (i + i₀) …` whose worth has a square of at most `x`, found bit by bit from bit `i - 1` down, on top of `g`. -/
def sqrtSearch (f : Format) (x : Nat) : Nat → Nat → Nat
  | .zero, g => g
  | .succ i, g => sqrtSearch f x i (cond (Nat.ble ((units f (g.add (Nat.pow 2 i))).mul (units f (g.add (Nat.pow 2 i)))) x) (g.add (Nat.pow 2 i)) g)

/-- Does the square root of `x`, whose pattern rounded down is `g`, go to `g + 1`? A root is never halfway between two floats. -/
def sqrtUp (f : Format) (mode : Mode) (x g : Nat) : Bool :=
  match mode with
  | .rn => Nat.blt (((units f g).add (units f (g.add 1))).mul ((units f g).add (units f (g.add 1)))) (Nat.mul 4 x)
  | .rz => false
  | .rm => false
  | .rp => Nat.blt ((units f g).mul (units f g)) x

/-- The magnitude pattern of the square root of a number with square-root argument `x` (units times `f.one`). -/
def sqrtMag (f : Format) (mode : Mode) (x : Nat) : Nat :=
  (sqrtSearch f x f.width 0).add (cond (sqrtUp f mode x (sqrtSearch f x f.width 0)) 1 0)

/-- The square root. -/
def sqrt (mode : Mode) : Fp f → Fp f
  | nan => nan
  | num s g h =>
    cond (Nat.beq g 0) (num s g h)
      (cond s nan (cond (Nat.beq g f.inf) (num s g h)
        (num false (Nat.min (sqrtMag f mode ((units f g).mul f.one)) (Nat.min f.inf f.inf)) (min_le (sqrtMag f mode ((units f g).mul f.one)) f.inf f.inf))))

end Fp
