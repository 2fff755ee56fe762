prelude
import FloatLib.Lemmas.OrderRewrites
import FloatLib.Lemmas.Flush
import FloatLib.Lemmas.Constants
/-!
# The order of binary32: theorems with constants

Each is a theorem on every format, at a constant's pattern. Here also: what a value's comparison with zero says of it.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- What is above zero is not a zero. -/
theorem notZero_of_pos : (a : Fp f) → Eq (lt (zero false) a) true → Eq a.isZero false
  | nan, _ => rfl
  | num s _ _, h => Nat.beq_of_ne (fun e => absurd h (Nat.not_lt_of_le (Nat.le_of_eq (Eq.trans (congrArg (rank f s) e) (rank_zero f s)))))

theorem notZero_of_neg : (a : Fp f) → Eq (lt a (zero false)) true → Eq a.isZero false
  | nan, _ => rfl
  | num s _ _, h =>
    Nat.beq_of_ne (fun e => absurd h (Nat.not_lt_of_le (Nat.le_of_eq (Eq.symm (Eq.trans (congrArg (rank f s) e) (rank_zero f s))))))

theorem posZero_of_notZero : (a : Fp f) → Eq a.isZero false → Eq a.posZero a
  | nan, _ => rfl
  | num _ _ _, h => cond_of_false h _ _

theorem abs_of_pos : (a : Fp f) → Eq (lt (zero false) a) true → Eq a.abs a
  | nan, _ => rfl
  | num false _ _, _ => rfl
  | num true g _, h => absurd h (Nat.not_lt_of_le (Nat.sub_le f.inf g))

theorem abs_of_neg : (a : Fp f) → Eq (lt a (zero false)) true → Eq a.abs a.neg
  | nan, _ => rfl
  | num true _ _, _ => rfl
  | num false g _, h => absurd h (Nat.not_lt_of_le (Nat.le_add_right f.inf g))

end Fp

namespace F32

theorem le_inf (a : F32) (h : Eq (Fp.isNan a) false) : Eq (Fp.le a (F32.ofBits 0x7f800000)) true :=
  Eq.trans (congrArg (Fp.le a) ofBits_inf) (Fp.le_inf a h)

theorem negInf_le (a : F32) (h : Eq (Fp.isNan a) false) : Eq (Fp.le (F32.ofBits 0xff800000) a) true :=
  Eq.trans (congrArg (fun c => Fp.le c a) ofBits_negInf) (Fp.negInf_le a h)

theorem zero_le_abs (a : F32) (h : Eq (Fp.isNan a) false) : Eq (Fp.le (F32.ofBits 0x00000000) (Fp.abs a)) true :=
  Eq.trans (congrArg (fun c => Fp.le c (Fp.abs a)) ofBits_zero) (Fp.zero_le_abs a h)

theorem isInf_eq (a : F32) : Eq (Fp.isInf a) (Bool.or (Fp.eq a (F32.ofBits 0x7f800000)) (Fp.eq a (F32.ofBits 0xff800000))) :=
  Eq.trans (Fp.isInf_eq a) (congrArg2 (fun c d => Bool.or (Fp.eq a c) (Fp.eq a d)) (Eq.symm ofBits_inf) (Eq.symm ofBits_negInf))

theorem isFinite_eq (a : F32) : Eq (Fp.isFinite a) (Bool.and (Fp.lt (F32.ofBits 0xff800000) a) (Fp.lt a (F32.ofBits 0x7f800000))) :=
  Eq.trans (Fp.isFinite_eq a) (congrArg2 (fun c d => Bool.and (Fp.lt c a) (Fp.lt a d)) (Eq.symm ofBits_negInf) (Eq.symm ofBits_inf))

theorem zero_lt {a : F32} (h : Eq (Fp.lt (F32.ofBits 0x00000000) a) true) : Eq (Fp.lt (Fp.zero false) a) true :=
  Eq.trans (congrArg (fun c => Fp.lt c a) (Eq.symm ofBits_zero)) h

theorem lt_zero {a : F32} (h : Eq (Fp.lt a (F32.ofBits 0x00000000)) true) : Eq (Fp.lt a (Fp.zero false)) true :=
  Eq.trans (congrArg (Fp.lt a) (Eq.symm ofBits_zero)) h

theorem abs_of_pos (a : F32) (h : Eq (Fp.lt (F32.ofBits 0x00000000) a) true) : Eq (Fp.abs a) a := Fp.abs_of_pos a (zero_lt h)

theorem abs_of_neg (a : F32) (h : Eq (Fp.lt a (F32.ofBits 0x00000000)) true) : Eq (Fp.abs a) (Fp.neg a) := Fp.abs_of_neg a (lt_zero h)

theorem posZero_of_pos (a : F32) (h : Eq (Fp.lt (F32.ofBits 0x00000000) a) true) : Eq (Fp.posZero a) a :=
  Fp.posZero_of_notZero a (Fp.notZero_of_pos a (zero_lt h))

theorem posZero_of_neg (a : F32) (h : Eq (Fp.lt a (F32.ofBits 0x00000000)) true) : Eq (Fp.posZero a) a :=
  Fp.posZero_of_notZero a (Fp.notZero_of_neg a (lt_zero h))

theorem ftz_of_pos (a : F32) (h : Eq (Fp.le (F32.ofBits 0x00800000) a) true) : Eq (Fp.ftz a) a :=
  Fp.ftz_of_pos a (Eq.trans (congrArg (fun c => Fp.le c a) (Eq.symm ofBits_minNormal)) h)

theorem ftz_of_neg (a : F32) (h : Eq (Fp.le a (F32.ofBits 0x80800000)) true) : Eq (Fp.ftz a) a :=
  Fp.ftz_of_neg a (Eq.trans (congrArg (Fp.le a) (Eq.symm ofBits_negMinNormal)) h)

/-- What compares equal to zero is one of the two zeros. -/
theorem zero_cases {C : Prop} (a : F32) (h : Eq (Fp.eq a (F32.ofBits 0x00000000)) true) (pos : Eq a (F32.ofBits 0x00000000) → C)
    (neg : Eq a (F32.ofBits 0x80000000) → C) : C :=
  Fp.zero_cases a (F32.ofBits 0x00000000) h (congrArg Fp.isZero ofBits_zero)
    (fun e => pos (Eq.trans e (Eq.symm ofBits_zero))) (fun e => neg (Eq.trans e (Eq.symm ofBits_negZero)))

end F32
