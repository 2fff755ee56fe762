prelude
import FloatLib.Op.Class
/-!
# Constants of binary32 that theorems name by their patterns
-/

noncomputable section
namespace F32

theorem ofBits_zero : Eq (F32.ofBits 0x00000000) (Fp.zero false) := rfl

theorem ofBits_negZero : Eq (F32.ofBits 0x80000000) (Fp.zero true) := rfl

theorem ofBits_inf : Eq (F32.ofBits 0x7f800000) (Fp.inf false) := rfl

theorem ofBits_negInf : Eq (F32.ofBits 0xff800000) (Fp.inf true) := rfl

/-- The smallest normal number is within the format. -/
theorem minNormal_valid : Eq (Nat.ble (Nat.pow 2 Format.binary32.mant) Format.binary32.inf) true := rfl

theorem ofBits_minNormal : Eq (F32.ofBits 0x00800000) (Fp.num false (Nat.pow 2 Format.binary32.mant) minNormal_valid) := rfl

theorem ofBits_negMinNormal : Eq (F32.ofBits 0x80800000) (Fp.num true (Nat.pow 2 Format.binary32.mant) minNormal_valid) := rfl

end F32
