prelude
import FloatLib.Op.Arith
import FloatLib.Op.Choose
/-!
# Tests on constants that lemmas ask for

Closed conditions of lemmas, evaluated by the kernel. No statement about a kernel mentions them.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- Are both finite and not zero, of the same sign, with product exactly 1? Then dividing by one is multiplying by the other. -/
def isRecip : Fp f → Fp f → Bool
  | nan, _ => false
  | num _ _ _, nan => false
  | num s g _, num t h _ =>
    (Bool.beq s t).and (((Nat.blt 0 g).and (Nat.blt 0 h)).and
      (((Nat.blt g f.inf).and (Nat.blt h f.inf)).and (Nat.beq ((units f g).mul (units f h)) (f.one.mul f.one))))

/-- Is it a number or an infinity, but not a zero? -/
def isNonzero : Fp f → Bool
  | nan => false
  | num _ g _ => Nat.blt 0 g

/-- Is it a normal number or an infinity: neither NaN, nor zero, nor subnormal? -/
def isBig : Fp f → Bool
  | nan => false
  | num _ g _ => Nat.ble (Nat.pow 2 f.mant) g

/-- Are the three finite and not zero, the third exactly the product of the others, and these either a power of two that is at least 1
and a value that is at least 1, or halves? (The sign counts in the product only.) Then scaling by one and by the other is scaling by the product. -/
def isScalings : Fp f → Fp f → Fp f → Bool
  | nan, _, _ => false
  | num _ _ _, nan, _ => false
  | num _ _ _, num _ _ _, nan => false
  | num s g _, num t h _, num r k _ =>
    ((Bool.beq (s.xor t) r).and (((Nat.blt g f.inf).and (Nat.blt h f.inf)).and (Nat.blt k f.inf))).and
      ((Nat.beq ((units f g).mul (units f h)) ((units f k).mul f.one)).and
        ((((Nat.ble (Nat.pow 2 f.mant) g).and (Nat.beq (g.mod (Nat.pow 2 f.mant)) 0)).and
            ((Nat.ble f.one (units f g)).and (Nat.ble f.one (units f h)))).or
          ((Nat.beq ((units f g).mul 2) f.one).and (Nat.beq ((units f h).mul 2) f.one))))

/-- Is it finite and a power of two that is at least 1? (The sign does not count.) -/
def isScale : Fp f → Bool
  | nan => false
  | num _ g _ =>
    (Nat.blt g f.inf).and (((Nat.ble (Nat.pow 2 f.mant) g).and (Nat.beq (g.mod (Nat.pow 2 f.mant)) 0)).and (Nat.ble f.one (units f g)))

/-- Is the product of the first two the third, exactly, all finite? -/
def isProduct : Fp f → Fp f → Fp f → Bool
  | nan, _, _ => false
  | num _ _ _, nan, _ => false
  | num _ _ _, num _ _ _, nan => false
  | num s g _, num t h _, num r k _ =>
    ((Bool.beq (s.xor t) r).and (((Nat.blt g f.inf).and (Nat.blt h f.inf)).and (Nat.blt k f.inf))).and
      (Nat.beq ((units f g).mul (units f h)) ((units f k).mul f.one))

/-- Are both finite, and the second, times the first, exactly the smallest normal number, which the first is so many times less than, as a power of two? -/
def isShrink : Fp f → Fp f → Bool
  | nan, _ => false
  | num _ _ _, nan => false
  | num _ g _, num t h _ =>
    (t.not.and ((Nat.blt g f.inf).and (Nat.blt h f.inf))).and
      ((Nat.beq ((units f g).mul (units f h)) ((Nat.pow 2 f.mant).mul f.one)).and
        ((Nat.ble (Nat.pow 2 f.mant) h).and (Nat.beq (h.mod (Nat.pow 2 f.mant)) 0)))

/-- Are both finite and positive, and the second exactly the first plus 1? -/
def isSucc : Fp f → Fp f → Bool
  | nan, _ => false
  | num _ _ _, nan => false
  | num s g _, num t h _ =>
    ((s.not.and t.not).and (Nat.blt 0 g)).and
      (((Nat.blt g f.inf).and (Nat.blt h f.inf)).and (Nat.beq (units f h) ((units f g).add f.one)))

/-- Are its significand bits zero? So are those of zeros, powers of two and infinities; NaN counts as well. -/
def isBare : Fp f → Bool
  | nan => true
  | num _ h _ => Nat.beq (h.mod (Nat.pow 2 f.mant)) 0

/-- Is it at most 1 in magnitude? -/
def isPart : Fp f → Bool
  | nan => false
  | num _ h _ => (Nat.blt h f.inf).and (Nat.ble (units f h) f.one)

/-- Is it finite, and neither so small that adding or taking away the smallest normal number changes it, nor so large that taking it
from what overflows gives a number? -/
def isTame : Fp f → Bool
  | nan => false
  | num _ k _ => ((Nat.blt k f.inf).and (Nat.blt (Nat.pow 2 f.mant) (units f k))).and
      ((Nat.beq (roundMag f .rn false ((units f k).add (Nat.pow 2 f.mant)) 1) k).and
        ((Nat.beq (roundMag f .rn false ((units f k).sub (Nat.pow 2 f.mant)) 1) k).and
          (Nat.beq (roundMag f .rn false ((units f f.inf).sub (units f k)) 1) f.inf)))

/-- What `isTame` says of a pattern. -/
structure Tame (f : Format) (k : Nat) : Prop where
  /-- From the five facts. -/
  mk ::
  /-- It is finite. -/
  fin : Nat.Lt k f.inf
  /-- It is larger than the smallest normal number. -/
  big : Nat.Lt (Nat.pow 2 f.mant) (units f k)
  /-- Adding the smallest normal number changes nothing. -/
  up : Eq (roundMag f .rn false ((units f k).add (Nat.pow 2 f.mant)) 1) k
  /-- Nor does taking it away. -/
  down : Eq (roundMag f .rn false ((units f k).sub (Nat.pow 2 f.mant)) 1) k
  /-- Taken from what overflows, the rest overflows. -/
  over : Eq (roundMag f .rn false ((units f f.inf).sub (units f k)) 1) f.inf

end Fp
