prelude
import FloatLib.Float.Place
import FloatLib.Lemmas.MinMax
import FloatLib.Lemmas.OrderRewrites
/-!
# Minima and maxima pick the first in a total order

The number `place` decides each of the four operations, NaN and the two zeros included, so what holds of picking in any total order
(`Picks`) holds of them.
-/

noncomputable section

namespace Picks

variable {α : Type} {r : α → α → Prop} {pick : α → α → α}

theorem assoc (p : Picks r pick) (x y z : α) : Eq (pick (pick x y) z) (pick x (pick y z)) :=
  Or.elim (p.total x y)
    (fun xy => Or.elim (p.total y z)
      (fun yz => Eq.trans (congrArg (fun t => pick t z) (p.left x y xy)) (Eq.trans (p.left x z (p.trans x y z xy yz))
        (Eq.symm (Eq.trans (congrArg (pick x) (p.left y z yz)) (p.left x y xy)))))
      (fun zy => Eq.trans (congrArg (fun t => pick t z) (p.left x y xy)) (Eq.symm (congrArg (pick x) (p.right y z zy)))))
    (fun yx => Or.elim (p.total y z)
      (fun yz => Eq.trans (congrArg (fun t => pick t z) (p.right x y yx)) (Eq.trans (p.left y z yz)
        (Eq.symm (Eq.trans (congrArg (pick x) (p.left y z yz)) (p.right x y yx)))))
      (fun zy => Eq.trans (congrArg (fun t => pick t z) (p.right x y yx)) (Eq.trans (p.right y z zy)
        (Eq.symm (Eq.trans (congrArg (pick x) (p.right y z zy)) (p.right x z (p.trans z y x zy yx)))))))

theorem left_comm (p : Picks r pick) (comm : (x y : α) → Eq (pick x y) (pick y x)) (x y z : α) : Eq (pick x (pick y z)) (pick y (pick x z)) :=
  Eq.trans (Eq.symm (p.assoc x y z)) (Eq.trans (congrArg (fun t => pick t z) (comm x y)) (p.assoc y x z))

theorem left_self (p : Picks r pick) (x y : α) : Eq (pick x (pick x y)) (pick x y) :=
  Or.elim (p.total x y)
    (fun xy => Eq.trans (congrArg (pick x) (p.left x y xy)) (Eq.trans (Or.elim (p.total x x) (p.left x x) (p.left x x)) (Eq.symm (p.left x y xy))))
    (fun yx => congrArg (pick x) (p.right x y yx))

theorem right_self (p : Picks r pick) (x y : α) : Eq (pick x (pick y x)) (pick y x) :=
  Or.elim (p.total y x)
    (fun yx => Eq.trans (congrArg (pick x) (p.left y x yx)) (Eq.trans (p.right x y yx) (Eq.symm (p.left y x yx))))
    (fun xy => Eq.trans (congrArg (pick x) (p.right y x xy)) (Eq.trans (Or.elim (p.total x x) (p.left x x) (p.left x x)) (Eq.symm (p.right y x xy))))

/-- A function that keeps the order commutes with picking. -/
theorem map {β : Type} {r' : β → β → Prop} {pick' : β → β → β} (p : Picks r pick) (p' : Picks r' pick') (h : α → β)
    (mono : (x y : α) → r x y → r' (h x) (h y)) (x y : α) : Eq (h (pick x y)) (pick' (h x) (h y)) :=
  Or.elim (p.total x y)
    (fun xy => Eq.trans (congrArg h (p.left x y xy)) (Eq.symm (p'.left (h x) (h y) (mono x y xy))))
    (fun yx => Eq.trans (congrArg h (p.right x y yx)) (Eq.symm (p'.right (h x) (h y) (mono y x yx))))

end Picks

theorem Nat.two_mul_add_lt {a b : Nat} (h : Lt a b) (s t : Bool) : Lt ((Nat.mul 2 a).add (cond s 0 1)) ((Nat.mul 2 b).add (cond t 0 1)) :=
  Nat.lt_of_lt_of_le (bit s)
    (Nat.le_trans (Nat.le_of_eq (Eq.symm (Nat.mul_succ 2 a))) (Nat.le_add_of_le (Nat.mul_le_mul_right (b := b) 2 h) (cond t 0 1)))
where
  bit : (s : Bool) → Lt ((Nat.mul 2 a).add (cond s 0 1)) ((Nat.mul 2 a).add 2)
    | true => Nat.lt_add_of_pos (b := 2) (Nat.mul 2 a) rfl
    | false => Nat.lt_succ_self ((Nat.mul 2 a).add 1)

theorem Nat.le_of_two_mul_add_le {a b : Nat} {s t : Bool} (h : Le ((Nat.mul 2 a).add (cond s 0 1)) ((Nat.mul 2 b).add (cond t 0 1))) : Le a b :=
  Nat.le_of_not_lt (fun l => Nat.not_lt_of_le h (Nat.two_mul_add_lt l t s))

namespace Fp

variable {f : Format}

/-! Places of numbers. -/

theorem rank_le_of_place_le {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (place n (num s g hg)) (place n (num t h hh))) : Nat.Le (rank f s g) (rank f t h) := Nat.le_of_two_mul_add_le (s := s) (t := t) e

theorem place_lt_of_rank_lt {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Lt (rank f s g) (rank f t h)) : Nat.Lt (place n (num s g hg)) (place n (num t h hh)) := Nat.two_mul_add_lt e s t

theorem place_lt_top (s : Bool) (g : Nat) (hg : Eq (Nat.ble g f.inf) true) : Nat.Lt (place 0 (num s g hg)) (top f) :=
  Nat.lt_of_le_of_lt (b := ((Nat.mul 2 (f.inf.add f.inf)).add 1).succ)
    (Nat.add_le_add (Nat.mul_le_mul_right 2 (Nat.le_trans (rank_le s g) (Nat.add_le_add_left hg f.inf))) (bit s))
    (Nat.lt_succ_self ((Nat.mul 2 (f.inf.add f.inf)).add 2))
where
  bit : (s : Bool) → Nat.Le (cond s 0 1) 1
    | true => rfl
    | false => rfl

/-- Opposites have opposite places. -/
theorem place_le_neg {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (place n (num s g hg)) (place n (num t h hh))) : Nat.Le (place n (num t.not h hh)) (place n (num s.not g hg)) :=
  Eq.trans (Nat.ble_of_add_eq (x := (Nat.mul 2 (rank f t h)).add (cond t 0 1)) (x' := (Nat.mul 2 (rank f t.not h)).add (cond t.not 0 1))
    (y := (Nat.mul 2 (rank f s g)).add (cond s 0 1)) (y' := (Nat.mul 2 (rank f s.not g)).add (cond s.not 0 1))
    (Eq.trans (half hh t) (Eq.symm (half hg s)))) e
where
  bits : (s : Bool) → Eq (Nat.add (cond s 0 1) (cond s.not 0 1)) 1
    | true => rfl
    | false => rfl
  half {g : Nat} (hg : Eq (Nat.ble g f.inf) true) (s : Bool) :
      Eq (Nat.add ((Nat.mul 2 (rank f s g)).add (cond s 0 1)) ((Nat.mul 2 (rank f s.not g)).add (cond s.not 0 1))) ((Nat.mul 2 (f.inf.add f.inf)).add 1) :=
    Eq.trans (Nat.add_add_add_comm _ _ _ _) (congrArg2 Nat.add
      (Eq.trans (Eq.symm (Nat.mul_add 2 _ _)) (congrArg (Nat.mul 2) (rank_add_not hg s))) (bits s))

/-! Of two numbers, the place chooses. -/

theorem lower_of_place {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (place n (num s g hg)) (place n (num t h hh))) : Eq (lower (num s g hg) (num t h hh)) (num s g hg) :=
  Or.elim (Nat.lt_or_eq_of_le (rank_le_of_place_le e))
    (fun l => lower_left (num s g hg) (num t h hh) l)
    (fun same => Eq.trans (lower_tie (num s g hg) (num t h hh) (Nat.blt_of_le (Nat.le_of_eq (Eq.symm same))) (Nat.blt_of_le (Nat.le_of_eq same)))
      (sign s t e same (fun st => num_congr (Eq.symm st) (Eq.symm (mag_eq_of_rank_eq hg hh same)))))
where
  sign : (s t : Bool) → Nat.Le (place n (num s g hg)) (place n (num t h hh)) → Eq (rank f s g) (rank f t h) →
      (Eq s t → Eq (num t h hh) (num s g hg)) → Eq (cond s (num s g hg) (num t h hh)) (num s g hg)
    | true, _, _, _, _ => rfl
    | false, false, _, _, k => k rfl
    | false, true, e, same, _ => absurd e (Nat.not_le_of_lt (Nat.le_of_eq (congrArg (fun x => (Nat.mul 2 x).succ.succ) (Eq.symm same))))

theorem lower_of_place' {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (place n (num t h hh)) (place n (num s g hg))) : Eq (lower (num s g hg) (num t h hh)) (num t h hh) :=
  Eq.trans (lower_comm (num s g hg) (num t h hh) rfl rfl) (lower_of_place e)

/-- The larger of two is the opposite of the smaller of the opposites. -/
theorem upper_eq_neg_lower : (a b : Fp f) → Eq a.isNan false → Eq b.isNan false → Eq (upper a b) (lower a.neg b.neg).neg
  | nan, _, h, _ => (Bool.true_ne_false h).elim
  | num _ _ _, nan, _, h => (Bool.true_ne_false h).elim
  | num s g hg, num t h hh, _, _ =>
    Eq.symm (Eq.trans (congrArg neg (congrArg2 (fun x y => cond x (num s.not g hg) (cond y (num t.not h hh) (cond s.not (num s.not g hg) (num t.not h hh))))
        (lt_neg_neg (num s g hg) (num t h hh)) (lt_neg_neg (num t h hh) (num s g hg))))
      (Eq.trans (apply_cond neg _ _ _) (congrArg2 (cond _) (num_congr (Bool.not_not s) rfl)
        (Eq.trans (apply_cond neg _ _ _) (congrArg2 (cond _) (num_congr (Bool.not_not t) rfl)
          (Eq.trans (apply_cond neg _ _ _) (Eq.trans (cond_not _ _ s)
            (congrArg2 (cond s) (num_congr (Bool.not_not t) rfl) (num_congr (Bool.not_not s) rfl)))))))))

theorem upper_of_place {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (place n (num t h hh)) (place n (num s g hg))) : Eq (upper (num s g hg) (num t h hh)) (num s g hg) :=
  Eq.trans (upper_eq_neg_lower (num s g hg) (num t h hh) rfl rfl)
    (Eq.trans (congrArg neg (lower_of_place (place_le_neg e))) (num_congr (Bool.not_not s) rfl))

theorem upper_of_place' {n : Nat} {s t : Bool} {g h : Nat} {hg : Eq (Nat.ble g f.inf) true} {hh : Eq (Nat.ble h f.inf) true}
    (e : Nat.Le (place n (num s g hg)) (place n (num t h hh))) : Eq (upper (num s g hg) (num t h hh)) (num t h hh) :=
  Eq.trans (upper_comm (num s g hg) (num t h hh) rfl rfl) (upper_of_place e)

/-! The four operations: `minNum` and `maxNan` have NaN above all numbers, `maxNum` and `minNan` below. -/

theorem minNum_picks (f : Format) : Picks (fun a b : Fp f => Nat.Le (place (top f) a) (place (top f) b)) minNum :=
  .mk (fun _ _ => Nat.le_total _ _) (fun _ _ _ => Nat.le_trans) left (fun a b e => Eq.trans (minNum_comm a b) (left b a e))
where
  left : (a b : Fp f) → Nat.Le (place (top f) a) (place (top f) b) → Eq (minNum a b) a
    | nan, nan, _ => rfl
    | nan, num t h hh, e => absurd (place_lt_top t h hh) (Nat.not_lt_of_le e)
    | num _ _ _, nan, _ => rfl
    | num _ _ _, num _ _ _, e => lower_of_place e

theorem maxNan_picks (f : Format) : Picks (fun a b : Fp f => Nat.Le (place (top f) b) (place (top f) a)) maxNan :=
  .mk (fun _ _ => Nat.le_total _ _) (fun _ _ _ h h' => Nat.le_trans h' h) left (fun a b e => Eq.trans (maxNan_comm a b) (left b a e))
where
  left : (a b : Fp f) → Nat.Le (place (top f) b) (place (top f) a) → Eq (maxNan a b) a
    | nan, nan, _ => rfl
    | num s g hg, nan, e => absurd (place_lt_top s g hg) (Nat.not_lt_of_le e)
    | nan, num _ _ _, _ => rfl
    | num _ _ _, num _ _ _, e => upper_of_place e

theorem maxNum_picks (f : Format) : Picks (fun a b : Fp f => Nat.Le (place 0 b) (place 0 a)) maxNum :=
  .mk (fun _ _ => Nat.le_total _ _) (fun _ _ _ h h' => Nat.le_trans h' h) left (fun a b e => Eq.trans (maxNum_comm a b) (left b a e))
where
  left : (a b : Fp f) → Nat.Le (place 0 b) (place 0 a) → Eq (maxNum a b) a
    | nan, nan, _ => rfl
    | nan, num _ _ _, e => (Bool.false_ne_true e).elim
    | num _ _ _, nan, _ => rfl
    | num _ _ _, num _ _ _, e => upper_of_place e

theorem minNan_picks (f : Format) : Picks (fun a b : Fp f => Nat.Le (place 0 a) (place 0 b)) minNan :=
  .mk (fun _ _ => Nat.le_total _ _) (fun _ _ _ => Nat.le_trans) left (fun a b e => Eq.trans (minNan_comm a b) (left b a e))
where
  left : (a b : Fp f) → Nat.Le (place 0 a) (place 0 b) → Eq (minNan a b) a
    | nan, nan, _ => rfl
    | num _ _ _, nan, e => (Bool.false_ne_true e).elim
    | nan, num _ _ _, _ => rfl
    | num _ _ _, num _ _ _, e => lower_of_place e

end Fp
