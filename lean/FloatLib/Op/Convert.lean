prelude
import FloatLib.Float.Round
import FloatLib.Grid.U32
import FloatLib.Op.Arith
/-!
# Conversions: to other formats, by powers of two, to and from machine integers

Each is exact in units of the result's format, or in whole numbers, and rounds once. To integers, what is out of range is clamped
and NaN has a fixed value, as PTX `cvt` has it.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- `round` for a magnitude `p / q` of any size. Whatever is as large as infinity's worth rounds as that does. -/
def roundAny (mode : Mode) (neg : Bool) (p q : Nat) : Fp f := round mode neg (Nat.min p (q.mul (units f f.inf))) q

/-- The value in another format, rounded. -/
def convert (f g : Format) (mode : Mode) : Fp f → Fp g
  | nan => nan
  | num s m _ => cond (Nat.beq m f.inf) (inf s) (roundAny mode s ((units f m).mul g.one) f.one)

/-- The value after a conversion to the narrower format `g` and back; the second is exact. -/
def through (g : Format) (mode : Mode) (a : Fp f) : Fp f := convert g f .rn (convert f g mode a)

/-! Powers of two. The exponent is a 32-bit word in two's complement. -/

/-- Beyond this exponent, a product with a power of two is as far out of range as with this one. -/
def farthest (f : Format) : Nat := (Nat.pow 2 f.expo).add f.mant

/-- A magnitude of `p` units times, or divided by, two to the power `k`. -/
def scaleMag (mode : Mode) (s : Bool) (p : Nat) (down : Bool) (k : Nat) : Fp f :=
  cond down (roundAny mode s p (Nat.pow 2 (Nat.min k (farthest f)))) (roundAny mode s (p.mul (Nat.pow 2 (Nat.min k (farthest f)))) 1)

/-- `a * 2 ^ k`, rounded once. -/
def scaleBy (mode : Mode) (a : Fp f) (k : Nat) : Fp f :=
  match a with
  | nan => nan
  | num s g h =>
    cond (Nat.beq g f.inf) (num s g h)
      (cond (Nat.blt (Word.of 32 k) (Nat.pow 2 31)) (scaleMag mode s (units f g) false (Word.of 32 k))
        (scaleMag mode s (units f g) true ((Nat.pow 2 32).sub (Word.of 32 k))))

/-! To integers: whole numbers first, then clamped. -/

/-- A magnitude pattern rounded to a whole number. -/
def whole (f : Format) (mode : Mode) (neg : Bool) (mag : Nat) : Nat :=
  ((units f mag).div f.one).add (cond (mode.up neg ((units f mag).div f.one) ((units f mag).mod f.one) f.one) 1 0)

/-- A magnitude pattern rounded to a whole number, at most `most`; infinity is `most`. -/
def wholeAtMost (f : Format) (mode : Mode) (neg : Bool) (mag most : Nat) : Nat :=
  cond (Nat.beq mag f.inf) most (Nat.min (whole f mode neg mag) most)

/-- The nearest `w`-bit integer in two's complement; NaN becomes `ofNan`. -/
def toSigned (w ofNan : Nat) (mode : Mode) : Fp f → Nat
  | nan => ofNan
  | num s g _ =>
    cond s (Word.sub w 0 (wholeAtMost f mode true g (Nat.pow 2 w.pred))) (wholeAtMost f mode false g ((Nat.pow 2 w.pred).sub 1))

/-- The nearest unsigned `w`-bit integer; NaN becomes `ofNan`. -/
def toUnsigned (w ofNan : Nat) (mode : Mode) : Fp f → Nat
  | nan => ofNan
  | num s g _ => cond s 0 (wholeAtMost f mode false g ((Nat.pow 2 w).sub 1))

/-- To `int`. -/
def toS32 (mode : Mode) (a : Fp f) : Nat := toSigned 32 0 mode a

/-- To `unsigned`. -/
def toU32 (mode : Mode) (a : Fp f) : Nat := toUnsigned 32 0 mode a

/-- To `long long`. -/
def toS64 (mode : Mode) (a : Fp f) : Nat := toSigned 64 (Nat.pow 2 63) mode a

/-- To `unsigned long long`. -/
def toU64 (mode : Mode) (a : Fp f) : Nat := toUnsigned 64 (Nat.pow 2 63) mode a

/-! From integers: zero becomes `+0`. -/

/-- The value of an unsigned `w`-bit integer. -/
def ofUnsigned (w : Nat) (mode : Mode) (a : Nat) : Fp f := roundAny mode false ((Word.of w a).mul f.one) 1

/-- The value of a `w`-bit integer in two's complement. -/
def ofSigned (w : Nat) (mode : Mode) (a : Nat) : Fp f :=
  cond (Nat.blt (Word.of w a) (Nat.pow 2 w.pred)) (ofUnsigned w mode a) (roundAny mode true (((Nat.pow 2 w).sub (Word.of w a)).mul f.one) 1)

/-- From `int`. -/
def ofS32 (mode : Mode) (a : Nat) : Fp f := ofSigned 32 mode a

/-- From `unsigned`. -/
def ofU32 (mode : Mode) (a : Nat) : Fp f := ofUnsigned 32 mode a

/-- From `long long`. -/
def ofS64 (mode : Mode) (a : Nat) : Fp f := ofSigned 64 mode a

/-- From `unsigned long long`. -/
def ofU64 (mode : Mode) (a : Nat) : Fp f := ofUnsigned 64 mode a

end Fp

namespace F32

/-- A Float32 from `int`. -/
abbrev ofS32 (mode : Mode) (a : Nat) : F32 := Fp.ofS32 mode a

/-- A Float32 from `unsigned`. -/
abbrev ofU32 (mode : Mode) (a : Nat) : F32 := Fp.ofU32 mode a

/-- A Float32 from `long long`. -/
abbrev ofS64 (mode : Mode) (a : Nat) : F32 := Fp.ofS64 mode a

/-- A Float32 from `unsigned long long`. -/
abbrev ofU64 (mode : Mode) (a : Nat) : F32 := Fp.ofU64 mode a

/-- The angle of `a / 2 ^ 64` quarter turns: `a`, times libdevice's double for `pi / 2 ^ 65`, computed in doubles, as a Float32: three
roundings to nearest. No value here is 0 or below `2 ^ -64` in magnitude unless `a` is 0, and none is above `2 ^ 63`. -/
def ofAngle (a : Nat) : F32 :=
  Fp.convert Format.narrow64 Format.binary32 .rn (Fp.mul .rn (Fp.ofS64 .rn a) (Fp.ofBits 0x3f921fb54442d19))

end F32
