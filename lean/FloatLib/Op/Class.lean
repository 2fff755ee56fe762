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

end Fp
