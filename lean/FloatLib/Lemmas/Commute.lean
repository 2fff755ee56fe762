prelude
import FloatLib.Op.Arith
import FloatLib.Lemmas.Value
/-!
# Sum, product and fused product commute
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-- The exact sum does not depend on the order of its terms. -/
theorem roundSum_comm (s : Bool) (u : Nat) (t : Bool) (v q : Nat) : Eq (roundSum (f := f) mode s u t v q) (roundSum mode t v s u q) :=
  Bool.byCases (Bool.beq s t)
    (fun h =>
      have e : Eq s t := Bool.eq_of_beq h
      Eq.trans (cond_of_true h _ _) (Eq.trans (congrArg2 (fun x y => round mode x y q) e (Nat.add_comm u v))
        (Eq.symm (cond_of_true (Eq.trans (congrArg (Bool.beq t) e) (Bool.beq_self t)) _ _))))
    (fun h => Eq.trans (cond_of_false h _ _) (Eq.trans (differ u v) (Eq.symm (cond_of_false (Eq.trans (beq_comm s t) h) _ _))))
where
  beq_comm : (s t : Bool) → Eq (Bool.beq t s) (Bool.beq s t)
    | true, true => rfl
    | true, false => rfl
    | false, true => rfl
    | false, false => rfl
  differ (u v : Nat) : Eq
      (cond (Nat.beq u v) (zero (f := f) mode.zeroNeg) (cond (Nat.blt v u) (round mode s (u.sub v) q) (round mode t (v.sub u) q)))
      (cond (Nat.beq v u) (zero mode.zeroNeg) (cond (Nat.blt u v) (round mode t (v.sub u) q) (round mode s (u.sub v) q))) :=
    Nat.byOrder u v
      (fun less => Eq.trans (cond_of_false (Nat.beq_of_lt less) _ _) (Eq.trans (cond_of_false (Nat.blt_of_le (Nat.le_of_lt less)) _ _)
        (Eq.symm (Eq.trans (cond_of_false (Nat.beq_of_gt less) _ _) (cond_of_true less _ _)))))
      (fun same => Eq.trans (cond_of_true (Nat.beq_of_eq same) _ _) (Eq.symm (cond_of_true (Nat.beq_of_eq (Eq.symm same)) _ _)))
      (fun more => Eq.trans (cond_of_false (Nat.beq_of_gt more) _ _) (Eq.trans (cond_of_true more _ _)
        (Eq.symm (Eq.trans (cond_of_false (Nat.beq_of_lt more) _ _) (cond_of_false (Nat.blt_of_le (Nat.le_of_lt more)) _ _)))))

theorem add_comm : (a b : Fp f) → Eq (add mode a b) (add mode b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s g _, num t h _ =>
    Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (cond_of_true yes _ _) (Bool.byCases (Nat.beq h f.inf)
        (fun yes' => Eq.symm (Eq.trans (cond_of_true yes' _ _) (Eq.symm (both yes yes'))))
        (fun no' => Eq.trans (cond_of_false (Bool.and_of_false_left no') _ _)
          (Eq.symm (Eq.trans (cond_of_false no' _ _) (cond_of_true yes _ _))))))
      (fun no => Eq.trans (cond_of_false no _ _) (Bool.byCases (Nat.beq h f.inf)
        (fun yes' => Eq.trans (cond_of_true yes' _ _)
          (Eq.symm (Eq.trans (cond_of_true yes' _ _) (cond_of_false (Bool.and_of_false_left no) _ _))))
        (fun no' => Eq.trans (cond_of_false no' _ _) (Eq.trans (roundSum_comm s _ t _ 1)
          (Eq.symm (Eq.trans (cond_of_false no' _ _) (cond_of_false no _ _)))))))
where
  both {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
      (yes : Eq (Nat.beq g f.inf) true) (yes' : Eq (Nat.beq h f.inf) true) :
      Eq (cond ((Nat.beq h f.inf).and (s.xor t)) nan (num s g hg)) (cond ((Nat.beq g f.inf).and (t.xor s)) nan (num t h hh)) :=
    Bool.byCases (s.xor t)
      (fun x => Eq.trans (cond_of_true (Bool.and_of_true yes' x) _ _)
        (Eq.symm (cond_of_true (Bool.and_of_true yes (Eq.trans (Bool.xor_comm t s) x)) _ _)))
      (fun x => Eq.trans (cond_of_false (Bool.and_of_false_right x) _ _)
        (Eq.trans (num_congr (Bool.xor_eq_false x) (Eq.trans (Nat.eq_of_beq _ _ yes) (Eq.symm (Nat.eq_of_beq _ _ yes'))))
          (Eq.symm (cond_of_false (Bool.and_of_false_right (Eq.trans (Bool.xor_comm t s) x)) _ _))))

theorem mul_comm : (a b : Fp f) → Eq (mul mode a b) (mul mode b a)
  | nan, nan => rfl
  | nan, num _ _ _ => rfl
  | num _ _ _, nan => rfl
  | num s _ _, num t _ _ =>
    congrArg3 cond (Bool.or_comm _ _) (congrArg2 (fun c x => cond c nan (inf x)) (Bool.or_comm _ _) (Bool.xor_comm s t))
      (congrArg2 (fun x u => round mode x u f.one) (Bool.xor_comm s t) (Nat.mul_comm _ _))

theorem fma_comm : (a b c : Fp f) → Eq (fma mode a b c) (fma mode b a c)
  | nan, nan, _ => rfl
  | nan, num _ _ _, _ => rfl
  | num _ _ _, nan, _ => rfl
  | num _ _ _, num _ _ _, nan => rfl
  | num s _ _, num t _ _, num r k hk =>
    congrArg3 cond (Bool.or_comm _ _)
      (congrArg2 (fun c x => cond c nan (cond ((Nat.beq k f.inf).and (Bool.xor x r)) nan (inf x))) (Bool.or_comm _ _) (Bool.xor_comm s t))
      (congrArg2 (fun x u => cond (Nat.beq k f.inf) (num r k hk) (roundSum mode x u r ((units f k).mul f.one) f.one))
        (Bool.xor_comm s t) (Nat.mul_comm _ _))

end Fp
