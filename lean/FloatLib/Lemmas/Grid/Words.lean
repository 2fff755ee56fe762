prelude
import FloatLib.Grid.U32
import FloatLib.Lemmas.Nat.Pow2
/-!
# Machine words that do not wrap around: theorems

Each `_eq` theorem takes what an expression's parts equal, as plain numbers, and a bound, and gives what the expression equals.
So a proof for a whole index expression follows its syntax, with `rfl` at the leaves; bounds that are larger than needed come
from `Nat.lt_of_lt_of_le h rfl`. First any width, then the two widths with their bounds as numerals.
-/

noncomputable section
namespace Word

theorem of_of_lt {w a : Nat} (h : Nat.Lt a (Nat.pow 2 w)) : Eq (of w a) a := Nat.mod_of_lt h

theorem of_lt (w a : Nat) : Nat.Lt (of w a) (Nat.pow 2 w) := Nat.mod_lt (Nat.two_pow_pos w) a

theorem add_comm (w a b : Nat) : Eq (add w a b) (add w b a) := congrArg (of w) (Nat.add_comm a b)

theorem mul_comm (w a b : Nat) : Eq (mul w a b) (mul w b a) := congrArg (of w) (Nat.mul_comm a b)

theorem ieq_comm (w a b : Nat) : Eq (ieq w a b) (ieq w b a) := Nat.beq_comm (of w a) (of w b)

theorem add_assoc (w a b c : Nat) : Eq (add w (add w a b) c) (add w a (add w b c)) :=
  Eq.step (add w (add w a b) c) (Nat.mod_add_mod (Nat.add a b) c (Nat.pow 2 w)) (
  Eq.step (of w (Nat.add (Nat.add a b) c)) (congrArg (of w) (Nat.add_assoc a b c)) (
  Eq.step (of w (Nat.add a (Nat.add b c))) (Eq.symm (Nat.add_mod_mod a (Nat.add b c) (Nat.pow 2 w))) (
  Eq.done (add w a (add w b c)))))

section
variable {w a b x y : Nat} (ha : Eq a x) (hb : Eq b y)
include ha hb

theorem add_eq (h : Nat.Lt (Nat.add x y) (Nat.pow 2 w)) : Eq (add w a b) (Nat.add x y) :=
  Eq.trans (congrArg2 (add w) ha hb) (of_of_lt h)

theorem mul_eq (h : Nat.Lt (Nat.mul x y) (Nat.pow 2 w)) : Eq (mul w a b) (Nat.mul x y) :=
  Eq.trans (congrArg2 (mul w) ha hb) (of_of_lt h)

theorem sub_eq (h : Nat.Lt x (Nat.pow 2 w)) (le : Nat.Le y x) : Eq (sub w a b) (Nat.sub x y) :=
  Eq.step (sub w a b) (congrArg2 (sub w) ha hb) (
  Eq.step (of w (Nat.add x (Nat.sub (Nat.pow 2 w) (of w y))))
    (congrArg (fun r => of w (Nat.add x (Nat.sub (Nat.pow 2 w) r))) (of_of_lt (Nat.lt_of_le_of_lt le h))) (
  Eq.step (of w (Nat.add x (Nat.sub (Nat.pow 2 w) y))) (congrArg (of w) (moved h le)) (
  Eq.step (of w (Nat.add (Nat.sub x y) (Nat.pow 2 w))) (Nat.add_mod_self (Nat.sub x y) (Nat.pow 2 w)) (
  Eq.step (of w (Nat.sub x y)) (of_of_lt (Nat.lt_of_le_of_lt (Nat.sub_le x y) h)) (
  Eq.done (Nat.sub x y))))))
where
  moved {w x y : Nat} (h : Nat.Lt x (Nat.pow 2 w)) (le : Nat.Le y x) :
      Eq (Nat.add x (Nat.sub (Nat.pow 2 w) y)) (Nat.add (Nat.sub x y) (Nat.pow 2 w)) :=
    Eq.step (Nat.add x (Nat.sub (Nat.pow 2 w) y)) (Eq.symm (Nat.add_sub_assoc (Nat.le_of_lt (Nat.lt_of_le_of_lt le h)) x)) (
    Eq.step (Nat.sub (Nat.add x (Nat.pow 2 w)) y) (congrArg (fun z => Nat.sub z y) (Nat.add_comm x (Nat.pow 2 w))) (
    Eq.step (Nat.sub (Nat.add (Nat.pow 2 w) x) y) (Nat.add_sub_assoc le (Nat.pow 2 w)) (
    Eq.step (Nat.add (Nat.pow 2 w) (Nat.sub x y)) (Nat.add_comm (Nat.pow 2 w) (Nat.sub x y)) (
    Eq.done (Nat.add (Nat.sub x y) (Nat.pow 2 w))))))

theorem ult_eq (hx : Nat.Lt x (Nat.pow 2 w)) (hy : Nat.Lt y (Nat.pow 2 w)) : Eq (ult w a b) (Nat.blt x y) :=
  congrArg2 Nat.blt (Eq.trans (congrArg (of w) ha) (of_of_lt hx)) (Eq.trans (congrArg (of w) hb) (of_of_lt hy))

theorem ule_eq (hx : Nat.Lt x (Nat.pow 2 w)) (hy : Nat.Lt y (Nat.pow 2 w)) : Eq (ule w a b) (Nat.ble x y) :=
  congrArg2 Nat.ble (Eq.trans (congrArg (of w) ha) (of_of_lt hx)) (Eq.trans (congrArg (of w) hb) (of_of_lt hy))

theorem ieq_eq (hx : Nat.Lt x (Nat.pow 2 w)) (hy : Nat.Lt y (Nat.pow 2 w)) : Eq (ieq w a b) (Nat.beq x y) :=
  congrArg2 Nat.beq (Eq.trans (congrArg (of w) ha) (of_of_lt hx)) (Eq.trans (congrArg (of w) hb) (of_of_lt hy))

end

/-- The sign bit of a small number is flipped by adding it. -/
theorem bias_eq {w a x : Nat} (ha : Eq a x) (hx : Nat.Lt x (Nat.pow 2 w)) : Eq (bias (Nat.succ w) a) (Nat.add x (Nat.pow 2 w)) :=
  Eq.trans (congrArg (bias (Nat.succ w)) ha)
    (of_of_lt (Nat.lt_of_lt_of_le (Nat.add_lt_add_right hx (Nat.pow 2 w)) (Nat.le_of_eq (Eq.symm (Nat.two_pow_succ w)))))

theorem blt_add_right (x y c : Nat) : Eq (Nat.blt (Nat.add x c) (Nat.add y c)) (Nat.blt x y) :=
  Bool.eq_of_iff (fun h => Nat.lt_of_add_lt_add_right c h) (fun h => Nat.add_lt_add_right h c)

theorem ble_add_right (x y c : Nat) : Eq (Nat.ble (Nat.add x c) (Nat.add y c)) (Nat.ble x y) :=
  Bool.eq_of_iff (fun h => Nat.le_of_add_le_add_right c h) (fun h => Nat.add_le_add_right h c)

theorem slt_eq {w a b x y : Nat} (ha : Eq a x) (hb : Eq b y) (hx : Nat.Lt x (Nat.pow 2 w)) (hy : Nat.Lt y (Nat.pow 2 w)) :
    Eq (slt (Nat.succ w) a b) (Nat.blt x y) :=
  Eq.trans (congrArg2 Nat.blt (bias_eq ha hx) (bias_eq hb hy)) (blt_add_right x y (Nat.pow 2 w))

theorem sle_eq {w a b x y : Nat} (ha : Eq a x) (hb : Eq b y) (hx : Nat.Lt x (Nat.pow 2 w)) (hy : Nat.Lt y (Nat.pow 2 w)) :
    Eq (sle (Nat.succ w) a b) (Nat.ble x y) :=
  Eq.trans (congrArg2 Nat.ble (bias_eq ha hx) (bias_eq hb hy)) (ble_add_right x y (Nat.pow 2 w))

end Word

namespace U32

theorem add_comm (a b : Nat) : Eq (add a b) (add b a) := Word.add_comm 32 a b

theorem mul_comm (a b : Nat) : Eq (mul a b) (mul b a) := Word.mul_comm 32 a b

theorem ieq_comm (a b : Nat) : Eq (ieq a b) (ieq b a) := Word.ieq_comm 32 a b

theorem add_assoc (a b c : Nat) : Eq (add (add a b) c) (add a (add b c)) := Word.add_assoc 32 a b c

section
variable {a b x y : Nat} (ha : Eq a x) (hb : Eq b y)
include ha hb

theorem add_eq (h : Nat.Lt (Nat.add x y) 4294967296) : Eq (add a b) (Nat.add x y) := Word.add_eq (w := 32) ha hb h

theorem mul_eq (h : Nat.Lt (Nat.mul x y) 4294967296) : Eq (mul a b) (Nat.mul x y) := Word.mul_eq (w := 32) ha hb h

theorem sub_eq (h : Nat.Lt x 4294967296) (le : Nat.Le y x) : Eq (sub a b) (Nat.sub x y) := Word.sub_eq (w := 32) ha hb h le

theorem ult_eq (hx : Nat.Lt x 4294967296) (hy : Nat.Lt y 4294967296) : Eq (ult a b) (Nat.blt x y) :=
  Word.ult_eq (w := 32) ha hb hx hy

theorem ule_eq (hx : Nat.Lt x 4294967296) (hy : Nat.Lt y 4294967296) : Eq (ule a b) (Nat.ble x y) :=
  Word.ule_eq (w := 32) ha hb hx hy

theorem ieq_eq (hx : Nat.Lt x 4294967296) (hy : Nat.Lt y 4294967296) : Eq (ieq a b) (Nat.beq x y) :=
  Word.ieq_eq (w := 32) ha hb hx hy

theorem slt_eq (hx : Nat.Lt x 2147483648) (hy : Nat.Lt y 2147483648) : Eq (slt a b) (Nat.blt x y) :=
  Word.slt_eq (w := 31) ha hb hx hy

theorem sle_eq (hx : Nat.Lt x 2147483648) (hy : Nat.Lt y 2147483648) : Eq (sle a b) (Nat.ble x y) :=
  Word.sle_eq (w := 31) ha hb hx hy

end

theorem zext_eq {a x : Nat} (ha : Eq a x) (h : Nat.Lt x 4294967296) : Eq (zext a) x := Eq.trans (congrArg zext ha) (Word.of_of_lt (w := 32) h)

theorem sext_eq {a x : Nat} (ha : Eq a x) (h : Nat.Lt x 2147483648) : Eq (sext a) x :=
  Eq.step (sext a) (congrArg sext ha) (
  Eq.step (sext x) (congrArg (fun r => cond (Nat.blt r (Nat.pow 2 31)) r (Nat.add r (Nat.sub (Nat.pow 2 64) (Nat.pow 2 32))))
    (Word.of_of_lt (w := 32) (Nat.lt_of_lt_of_le h rfl))) (
  Eq.step (cond (Nat.blt x (Nat.pow 2 31)) x (Nat.add x (Nat.sub (Nat.pow 2 64) (Nat.pow 2 32))))
    (cond_of_true (c := Nat.blt x (Nat.pow 2 31)) h x (Nat.add x (Nat.sub (Nat.pow 2 64) (Nat.pow 2 32)))) (
  Eq.done x)))

end U32

namespace U64

theorem add_comm (a b : Nat) : Eq (add a b) (add b a) := Word.add_comm 64 a b

theorem mul_comm (a b : Nat) : Eq (mul a b) (mul b a) := Word.mul_comm 64 a b

theorem ieq_comm (a b : Nat) : Eq (ieq a b) (ieq b a) := Word.ieq_comm 64 a b

theorem add_assoc (a b c : Nat) : Eq (add (add a b) c) (add a (add b c)) := Word.add_assoc 64 a b c

section
variable {a b x y : Nat} (ha : Eq a x) (hb : Eq b y)
include ha hb

theorem add_eq (h : Nat.Lt (Nat.add x y) 18446744073709551616) : Eq (add a b) (Nat.add x y) := Word.add_eq (w := 64) ha hb h

theorem mul_eq (h : Nat.Lt (Nat.mul x y) 18446744073709551616) : Eq (mul a b) (Nat.mul x y) := Word.mul_eq (w := 64) ha hb h

theorem sub_eq (h : Nat.Lt x 18446744073709551616) (le : Nat.Le y x) : Eq (sub a b) (Nat.sub x y) := Word.sub_eq (w := 64) ha hb h le

theorem ult_eq (hx : Nat.Lt x 18446744073709551616) (hy : Nat.Lt y 18446744073709551616) : Eq (ult a b) (Nat.blt x y) :=
  Word.ult_eq (w := 64) ha hb hx hy

theorem ule_eq (hx : Nat.Lt x 18446744073709551616) (hy : Nat.Lt y 18446744073709551616) : Eq (ule a b) (Nat.ble x y) :=
  Word.ule_eq (w := 64) ha hb hx hy

theorem ieq_eq (hx : Nat.Lt x 18446744073709551616) (hy : Nat.Lt y 18446744073709551616) : Eq (ieq a b) (Nat.beq x y) :=
  Word.ieq_eq (w := 64) ha hb hx hy

theorem slt_eq (hx : Nat.Lt x 9223372036854775808) (hy : Nat.Lt y 9223372036854775808) : Eq (slt a b) (Nat.blt x y) :=
  Word.slt_eq (w := 63) ha hb hx hy

theorem sle_eq (hx : Nat.Lt x 9223372036854775808) (hy : Nat.Lt y 9223372036854775808) : Eq (sle a b) (Nat.ble x y) :=
  Word.sle_eq (w := 63) ha hb hx hy

end

theorem wrap_eq {a x : Nat} (ha : Eq a x) (h : Nat.Lt x 4294967296) : Eq (wrap a) x := Eq.trans (congrArg wrap ha) (Word.of_of_lt (w := 32) h)

end U64
