prelude
import FloatLib.Op.Class
/-!
# Tests on the ends of intervals

Closed conditions of the lemmas in `Lemmas/Between.lean`: operands lie between `a` and `b` (and `c` and `d`, `e` and `r`), the result is
claimed between `l` and `h`. Rounding keeps order, so the ends decide; a test also says why no result is NaN.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- Is it at least `l` and at most `h`? -/
def inside (l x h : Fp f) : Bool := (le l x).and (le x h)

/-- Are both ends finite? -/
def bounded (a b : Fp f) : Bool := a.isFinite.and b.isFinite

/-- Is no zero between the ends? -/
def off (a b : Fp f) : Bool := (lt (zero false) a).or (lt b (zero false))

/-- Is one interval above the other? -/
def apart (a b c d : Fp f) : Bool := (lt b c).or (lt d a)

/-- Is there no sum of an infinity and its opposite? -/
def addSafe (a b c d : Fp f) : Bool :=
  ((bounded a b).or (bounded c d)).or (((lt (inf true) a).and (lt (inf true) c)).or ((lt b (inf false)).and (lt d (inf false))))

/-- Sums. -/
def addEnds (a b c d l h : Fp f) : Bool := (addSafe a b c d).and ((le l (add .rn a c)).and (le (add .rn b d) h))

/-- Differences. -/
def subEnds (a b c d l h : Fp f) : Bool := addEnds a b d.neg c.neg l h

/-- Is there no product of an infinity and a zero? -/
def mulSafe (a b c d : Fp f) : Bool := ((bounded a b).or (off c d)).and ((bounded c d).or (off a b))

/-- Products: the four corners. -/
def mulEnds (a b c d l h : Fp f) : Bool :=
  (mulSafe a b c d).and (((inside l (mul .rn a c) h).and (inside l (mul .rn a d) h)).and ((inside l (mul .rn b c) h).and (inside l (mul .rn b d) h)))

/-- Quotients by positive values. -/
def divEnds (a b c d l h : Fp f) : Bool :=
  ((lt (zero false) c).and ((bounded a b).or (bounded c d))).and
    (((inside l (div .rn a c) h).and (inside l (div .rn a d) h)).and ((inside l (div .rn b c) h).and (inside l (div .rn b d) h)))

/-- Quotients by negative values. -/
def divEndsNeg (a b c d l h : Fp f) : Bool := divEnds a b d.neg c.neg h.neg l.neg

/-- Fused sums of finite values: the corners of the product with the end of the addend. -/
def fmaEnds (a b c d e r l h : Fp f) : Bool :=
  (((bounded a b).and (bounded c d)).and (bounded e r)).and
    ((((le l (fma .rn a c e)).and (le l (fma .rn a d e))).and ((le l (fma .rn b c e)).and (le l (fma .rn b d e)))).and
      (((le (fma .rn a c r) h).and (le (fma .rn a d r) h)).and ((le (fma .rn b c r) h).and (le (fma .rn b d r) h))))

/-- Roots. -/
def sqrtEnds (a b l h : Fp f) : Bool := (le (zero false) a).and ((le l (sqrt .rn a)).and (le (sqrt .rn b) h))

/-- Opposites. -/
def negEnds (a b l h : Fp f) : Bool := (le l b.neg).and (le a.neg h)

/-- Absolute values. -/
def absEnds (a b l h : Fp f) : Bool := ((le l (zero false)).or ((le l a).or (le b l.neg))).and ((le b h).and (le h.neg a))

/-- Minima. -/
def minEnds (a b c d l h : Fp f) : Bool := ((le l a).and (le l c)).and ((le b h).or (le d h))

/-- Maxima. -/
def maxEnds (a b c d l h : Fp f) : Bool := ((le l a).or (le l c)).and ((le b h).and (le d h))

/-- Flushed values. -/
def ftzEnds (a b l h : Fp f) : Bool := (le l a.ftz).and (le b.ftz h)

/-- Is everything between the ends subnormal? -/
def tinyEnds (a b : Fp f) : Bool := (off a b).and (ftzEnds a b (zero false) (zero false))

/-- Wider ends. -/
def wider (a b l h : Fp f) : Bool := (le l a).and (le b h)

end Fp
