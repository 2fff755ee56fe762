prelude
import FloatLib.Lemmas.AbsArith
import FloatLib.Lemmas.Invalid
import FloatLib.Lemmas.OrderF32
import FloatLib.Lemmas.SumSign
/-!
# Sums and the negative zero

Rounded to nearest, a sum is `-0` only if both of its terms are. So a running sum that does not begin as `-0` never becomes it, and adding
`+0` to it changes nothing.
-/

noncomputable section
namespace Fp

variable {f : Format}

/-- What can be added to its opposite without a NaN is finite. -/
theorem isFinite_of_add_neg {mode : Mode} : (a : Fp f) → Eq (add mode a a.neg).isNan false → Eq a.isFinite true
  | nan, h => (Bool.false_ne_true (Eq.symm h)).elim
  | num s g hg, h => Bool.byCases (Nat.beq g f.inf)
      (fun yes => (Bool.false_ne_true (Eq.trans (Eq.symm h) (Eq.trans (isNan_add_eq (num s g hg) (neg (num s g hg)))
        (Eq.trans (congrArg (fun c => Bool.or (Bool.or false false) (Bool.and (Bool.and c c) (Bool.xor s s.not))) yes) (differ s))))).elim)
      (fun no => Nat.lt_of_le_of_ne hg (Nat.ne_of_beq no))
where
  differ : (s : Bool) → Eq (Bool.or (Bool.or false false) (Bool.and (Bool.and true true) (Bool.xor s s.not))) true
    | true => rfl
    | false => rfl

end Fp

namespace F32

/-- Adding `+0` changes nothing but `-0`. -/
theorem add_zero_of_ne_negZero (a : F32) (h : Not (Eq a (ofBits 0x80000000))) : Eq (Fp.add .rn a (ofBits 0x00000000)) a :=
  Bool.byCases (Fp.eq a (ofBits 0x00000000))
    (fun yes => zero_cases a yes
      (fun e => Eq.trans (congrArg (fun x => Fp.add .rn x (ofBits 0x00000000)) e)
        (Eq.trans (rfl : Eq (Fp.add .rn (ofBits 0x00000000) (ofBits 0x00000000)) (ofBits 0x00000000)) (Eq.symm e)))
      (fun e => (h e).elim))
    (fun no => add_zero_of_ne a no)

/-- `-0` is not `+0`. -/
theorem zero_ne_negZero (h : Eq (ofBits 0x00000000) (ofBits 0x80000000)) : False :=
  Bool.false_ne_true (congrArg Fp.isNeg h)

/-- A sum is `-0` only if its first term is. -/
theorem add_ne_negZero (a b : F32) (h : Not (Eq a (ofBits 0x80000000))) : Not (Eq (Fp.add .rn a b) (ofBits 0x80000000)) :=
  fun e =>
    have number : Eq (Fp.add .rn a b).isNan false := congrArg Fp.isNan e
    have opposite : Eq (Fp.eq a b.neg) true :=
      Eq.trans (Eq.symm (add_eq_zero a b number)) (congrArg (fun x => Fp.eq x (ofBits 0x00000000)) e)
    Fp.tie_cases a b.neg opposite
      (fun same =>
        have eb : Eq b a.neg := Eq.trans (Eq.symm (Fp.neg_neg b)) (congrArg Fp.neg (Eq.symm same))
        have fin : Eq a.isFinite true := Fp.isFinite_of_add_neg a (Eq.subst (motive := fun x => Eq (Fp.add .rn a x).isNan false) eb number)
        zero_ne_negZero (Eq.trans (Eq.symm (add_neg_self a fin)) (Eq.subst (motive := fun x => Eq (Fp.add .rn a x) (ofBits 0x80000000)) eb e)))
      (fun za zb => Fp.isZero_cases a za
        (fun pa => Fp.isZero_cases b.neg zb
          (fun pb => both a b pa (Eq.trans (Eq.symm (Fp.neg_neg b)) (congrArg Fp.neg pb)) e)
          (fun pb => both' a b pa (Eq.trans (Eq.symm (Fp.neg_neg b)) (congrArg Fp.neg pb)) e))
        (fun na => h (Eq.trans na (Eq.symm ofBits_negZero))))
where
  both (a b : F32) (ea : Eq a (Fp.zero false)) (eb : Eq b (Fp.neg (Fp.zero false))) (e : Eq (Fp.add .rn a b) (ofBits 0x80000000)) : False :=
    zero_ne_negZero (Eq.trans (Eq.symm (Eq.trans (congrArg2 (Fp.add .rn) ea eb)
      (rfl : Eq (Fp.add .rn (Fp.zero false) (Fp.neg (Fp.zero false))) (ofBits 0x00000000)))) e)
  both' (a b : F32) (ea : Eq a (Fp.zero false)) (eb : Eq b (Fp.neg (Fp.zero true))) (e : Eq (Fp.add .rn a b) (ofBits 0x80000000)) : False :=
    zero_ne_negZero (Eq.trans (Eq.symm (Eq.trans (congrArg2 (Fp.add .rn) ea eb)
      (rfl : Eq (Fp.add .rn (Fp.zero false) (Fp.neg (Fp.zero true))) (ofBits 0x00000000)))) e)

end F32
