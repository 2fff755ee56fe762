prelude
import FloatLib.Lemmas.RoundLe
import FloatLib.Lemmas.NanArith
/-!
# Sums, products, quotients and roots keep the order

Each needs its two results to be numbers, as infinities may cancel or meet a zero. With these an interval goes through an expression.
Sums also show their sign exactly: `a + b < 0` is `a < -b`, whatever the rounding.
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! Sums. -/

/-- A sum with an infinity, if it is a number, is that infinity. -/
theorem add_left_inf {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (yes : Eq (Nat.beq g f.inf) true)
    (num' : Eq (add mode (num s g hg) (num t h hh)).isNan false) : Eq (add mode (num s g hg) (num t h hh)) (num s g hg) :=
  have row : Eq (add mode (num s g hg) (num t h hh)) (cond ((Nat.beq h f.inf).and (s.xor t)) nan (num s g hg)) := cond_of_true yes _ _
  Bool.byCases ((Nat.beq h f.inf).and (s.xor t))
    (fun both => (Bool.true_ne_false (Eq.trans (Eq.symm (congrArg isNan (Eq.trans row (cond_of_true both _ _)))) num')).elim)
    (fun not => Eq.trans row (cond_of_false not _ _))

theorem add_right_inf {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (no : Eq (Nat.beq g f.inf) false)
    (yes : Eq (Nat.beq h f.inf) true) : Eq (add mode (num s g hg) (num t h hh)) (num t h hh) :=
  Eq.trans (cond_of_false no _ _) (cond_of_true yes _ _)

theorem add_finite {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} (no : Eq (Nat.beq g f.inf) false)
    (no' : Eq (Nat.beq h f.inf) false) : Eq (add mode (num s g hg) (num t h hh)) (roundSum mode s (units f g) t (units f h) 1) :=
  Eq.trans (cond_of_false no _ _) (cond_of_false no' _ _)

/-- A minus infinity is below every number. -/
theorem le_of_left_inf {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (yes : Eq (Nat.beq g f.inf) true) (b : Fp f) (h : Eq b.isNan false) :
    Eq (le (num true g hg) b) true := Eq.trans (congrArg (fun x => le x b) (eq_inf_of_beq yes)) (negInf_le b h)

theorem le_of_right_inf {g : Nat} {hg : Eq (Nat.ble g f.inf) true} (yes : Eq (Nat.beq g f.inf) true) (a : Fp f) (h : Eq a.isNan false) :
    Eq (le a (num false g hg)) true := Eq.trans (congrArg (le a) (eq_inf_of_beq yes)) (le_inf a h)

/-- What is at least plus infinity is plus infinity. -/
theorem inf_of_le {t : Bool} {g h : Nat} (hh : Nat.Le h f.inf) (yes : Eq (Nat.beq g f.inf) true) (pos : Nat.Lt 0 f.inf)
    (e : Nat.Le (rank f false g) (rank f t h)) : And (Eq t false) (Eq (Nat.beq h f.inf) true) :=
  have top : Nat.Le (f.inf.add f.inf) (rank f t h) := Nat.le_trans (Nat.le_of_eq (congrArg (rank f false) (Eq.symm (Nat.eq_of_beq _ _ yes)))) e
  match t, top with
  | false, top => .intro rfl (Nat.beq_of_eq (Nat.le_antisymm hh (Nat.le_of_add_le_add_left f.inf top)))
  | true, top => absurd (Nat.le_trans top (Nat.sub_le f.inf h)) (Nat.not_le_of_lt (Nat.lt_add_of_pos f.inf pos))

theorem ninf_of_le {s : Bool} {g h : Nat} (hg : Nat.Le g f.inf) (yes : Eq (Nat.beq h f.inf) true) (pos : Nat.Lt 0 f.inf)
    (e : Nat.Le (rank f s g) (rank f true h)) : And (Eq s true) (Eq (Nat.beq g f.inf) true) :=
  have bottom : Nat.Le (rank f s g) 0 := Nat.le_trans e (Nat.le_of_eq (Eq.trans (congrArg (rank f true) (Nat.eq_of_beq _ _ yes)) (Nat.sub_self f.inf)))
  match s, bottom with
  | true, bottom => .intro rfl (Nat.beq_of_eq (Nat.le_antisymm hg (Nat.le_of_not_lt (fun l => Nat.not_lt_of_le bottom (Nat.sub_pos_of_lt l)))))
  | false, bottom => absurd (Nat.le_trans (Nat.le_add_right f.inf g) bottom) (Nat.not_le_of_lt pos)

theorem add_le_add_left : (a b c : Fp f) → Eq (le b c) true → Eq (add mode a b).isNan false → Eq (add mode a c).isNan false →
    Eq (le (add mode a b) (add mode a c)) true
  | nan, _, _, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h, _, _ => (Bool.false_ne_true h).elim
  | num _ _ _, num _ _ _, nan, h, _, _ => (Bool.false_ne_true h).elim
  | num s g hg, num t h hh, num r k hk, e, nb, nc =>
    Bool.byCases (Nat.beq g f.inf)
      (fun yes => Eq.trans (congrArg2 le (add_left_inf yes nb) (add_left_inf yes nc)) (le_self (num s g hg)))
      (fun no => have pos : Nat.Lt 0 f.inf := Nat.pos_of_lt (lt_inf_of_beq hg no)
        Bool.byCases (Nat.beq h f.inf)
        (fun yes => Eq.trans (congrArg (fun x => le x (add mode (num s g hg) (num r k hk))) (add_right_inf no yes))
          (sign yes pos t e nc no))
        (fun no' => Bool.byCases (Nat.beq k f.inf)
          (fun yes => Eq.trans (congrArg (le (add mode (num s g hg) (num t h hh))) (add_right_inf no yes)) (sign' hh no' yes pos r e nb))
          (fun no'' => Eq.trans (congrArg2 le (add_finite no no') (add_finite no no'')) (roundSum_le rfl
            (sums (cond s 0 (units f g)) (cond s (units f g) 0) (units_le_of_rank_le hh hk t r e))))))
where
  sign {s r : Bool} {g h k : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true} {hk : Eq (Nat.ble k f.inf) true}
      (yes : Eq (Nat.beq h f.inf) true) (pos : Nat.Lt 0 f.inf) : (t : Bool) → Nat.Le (rank f t h) (rank f r k) →
      Eq (add mode (num s g hg) (num r k hk)).isNan false → Eq (Nat.beq g f.inf) false → Eq (le (num t h hh) (add mode (num s g hg) (num r k hk))) true
    | true, _, nc, _ => le_of_left_inf yes _ nc
    | false, e, _, no => have top := inf_of_le hk yes pos e
      Eq.trans (congrArg (le (num false h hh)) (add_right_inf no top.right)) (Nat.le_of_eq (congrArg2 (rank f) (Eq.symm top.left)
        (Eq.trans (Nat.eq_of_beq _ _ yes) (Eq.symm (Nat.eq_of_beq _ _ top.right)))))
  sign' {s t : Bool} {g h k : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh' : Eq (Nat.ble h f.inf) true} {hk : Eq (Nat.ble k f.inf) true}
      (hh : Nat.Le h f.inf) (no' : Eq (Nat.beq h f.inf) false) (yes : Eq (Nat.beq k f.inf) true) (pos : Nat.Lt 0 f.inf) : (r : Bool) →
      Nat.Le (rank f t h) (rank f r k) → Eq (add mode (num s g hg) (num t h hh')).isNan false →
      Eq (le (add mode (num s g hg) (num t h hh')) (num r k hk)) true
    | false, _, nb => le_of_right_inf yes _ nb
    | true, e, _ => Bool.not_both (ninf_of_le hh yes pos e).right no'
  sums {p p' n n' : Nat} (a b : Nat) (e : Nat.Le (p.add n') (p'.add n)) : Nat.Le ((a.add p).add (b.add n')) ((a.add p').add (b.add n)) :=
    Nat.le_trans (Nat.le_of_eq (Nat.add_add_add_comm a p b n')) (Nat.le_trans (Nat.add_le_add_left e (a.add b))
      (Nat.le_of_eq (Nat.add_add_add_comm a b p' n)))

theorem add_le_add_right (a b c : Fp f) (h : Eq (le b c) true) (nb : Eq (add mode b a).isNan false) (nc : Eq (add mode c a).isNan false) :
    Eq (le (add mode b a) (add mode c a)) true :=
  Eq.trans (congrArg2 le (add_comm b a) (add_comm c a)) (add_le_add_left a b c h (Eq.trans (congrArg isNan (add_comm a b)) nb)
    (Eq.trans (congrArg isNan (add_comm a c)) nc))

end Fp
