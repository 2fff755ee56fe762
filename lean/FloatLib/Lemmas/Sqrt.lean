prelude
import FloatLib.Lemmas.RoundOrder
import FloatLib.Lemmas.Compare
import FloatLib.Lemmas.NanArith
/-!
# Square roots: the search finds the largest pattern below the root, exact roots are returned, larger arguments have larger roots
-/

noncomputable section
namespace Fp

variable {f : Format} {mode : Mode}

/-! The search. -/

/-- What it finds has a square of at most `x`, if what it starts from has. -/
theorem sqrtSearch_low {x : Nat} : (i g : Nat) → Nat.Le ((units f g).mul (units f g)) x →
    Nat.Le ((units f (sqrtSearch f x i g)).mul (units f (sqrtSearch f x i g))) x
  | .zero, _, h => h
  | .succ i, g, h => Bool.byCases (Nat.ble ((units f (g.add (Nat.pow 2 i))).mul (units f (g.add (Nat.pow 2 i)))) x)
      (fun yes => Eq.subst (motive := fun k => Nat.Le ((units f (sqrtSearch f x i k)).mul (units f (sqrtSearch f x i k))) x)
        (Eq.symm (cond_of_true yes _ _)) (sqrtSearch_low i (g.add (Nat.pow 2 i)) yes))
      (fun no => Eq.subst (motive := fun k => Nat.Le ((units f (sqrtSearch f x i k)).mul (units f (sqrtSearch f x i k))) x)
        (Eq.symm (cond_of_false no _ _)) (sqrtSearch_low i g h))

/-- Nothing in its range with a square of at most `x` is larger. -/
theorem le_sqrtSearch {x h : Nat} (sq : Nat.Le ((units f h).mul (units f h)) x) : (i g : Nat) → Nat.Lt h (g.add (Nat.pow 2 i)) →
    Nat.Le h (sqrtSearch f x i g)
  | .zero, _, l => Nat.le_of_lt_succ l
  | .succ i, g, l => Bool.byCases (Nat.ble ((units f (g.add (Nat.pow 2 i))).mul (units f (g.add (Nat.pow 2 i)))) x)
      (fun yes => Eq.subst (motive := fun k => Nat.Le h (sqrtSearch f x i k)) (Eq.symm (cond_of_true yes _ _))
        (le_sqrtSearch sq i (g.add (Nat.pow 2 i)) (Nat.lt_of_lt_of_le l (Nat.le_of_eq
          (Eq.trans (congrArg (Nat.add g) (Nat.two_pow_succ i)) (Eq.symm (Nat.add_assoc g _ _)))))))
      (fun no => Eq.subst (motive := fun k => Nat.Le h (sqrtSearch f x i k)) (Eq.symm (cond_of_false no _ _))
        (le_sqrtSearch sq i g (Nat.lt_of_not_le (fun above => Nat.not_le_of_lt (Nat.lt_of_ble no)
          (Nat.le_trans (Nat.mul_le_mul (units_le above) (units_le above)) sq)))))

/-- It stays in its range. -/
theorem sqrtSearch_lt {x : Nat} : (i g : Nat) → Nat.Lt (sqrtSearch f x i g) (g.add (Nat.pow 2 i))
  | .zero, g => Nat.lt_succ_self g
  | .succ i, g => Bool.byCases (Nat.ble ((units f (g.add (Nat.pow 2 i))).mul (units f (g.add (Nat.pow 2 i)))) x)
      (fun yes => Eq.subst (motive := fun k => Nat.Lt (sqrtSearch f x i k) (g.add (Nat.pow 2 i.succ))) (Eq.symm (cond_of_true yes _ _))
        (Nat.lt_of_lt_of_le (sqrtSearch_lt i (g.add (Nat.pow 2 i))) (Nat.le_of_eq
          (Eq.trans (Nat.add_assoc g _ _) (congrArg (Nat.add g) (Eq.symm (Nat.two_pow_succ i)))))))
      (fun no => Eq.subst (motive := fun k => Nat.Lt (sqrtSearch f x i k) (g.add (Nat.pow 2 i.succ))) (Eq.symm (cond_of_false no _ _))
        (Nat.lt_trans (sqrtSearch_lt i g) (Nat.add_lt_add_left (Nat.two_pow_lt_succ i) g)))

theorem sqrt_floor_low (x : Nat) : Nat.Le ((units f (sqrtSearch f x f.width 0)).mul (units f (sqrtSearch f x f.width 0))) x :=
  sqrtSearch_low f.width 0 (Nat.le_trans (Nat.le_of_eq (congrArg (fun u => Nat.mul u u) units_zero)) (Nat.zero_le x))

theorem le_sqrt_floor {x h : Nat} (fits : Nat.Lt h (Nat.pow 2 f.width)) (sq : Nat.Le ((units f h).mul (units f h)) x) :
    Nat.Le h (sqrtSearch f x f.width 0) :=
  le_sqrtSearch sq f.width 0 (Nat.lt_of_lt_of_le fits (Nat.le_of_eq (Eq.symm (Nat.zero_add _))))

theorem sqrt_floor_lt (x : Nat) : Nat.Lt (sqrtSearch f x f.width 0) (Nat.pow 2 f.width) :=
  Nat.lt_of_lt_of_le (sqrtSearch_lt f.width 0) (Nat.le_of_eq (Nat.zero_add _))

/-! Order. -/

theorem sqrt_floor_le {x y : Nat} (h : Nat.Le x y) : Nat.Le (sqrtSearch f x f.width 0) (sqrtSearch f y f.width 0) :=
  le_sqrt_floor (sqrt_floor_lt x) (Nat.le_trans (sqrt_floor_low x) h)

theorem sqrtUp_of_le {x y g : Nat} (h : Nat.Le x y) : (mode : Mode) → Eq (sqrtUp f mode x g) true → Eq (sqrtUp f mode y g) true
  | .rn, e => Nat.lt_of_lt_of_le (b := Nat.mul 4 x) e (Nat.mul_le_mul_right 4 h)
  | .rz, e => e
  | .rm, e => e
  | .rp, e => Nat.lt_of_lt_of_le (b := x) e h

theorem sqrtMag_le {x y : Nat} (h : Nat.Le x y) : Nat.Le (sqrtMag f mode x) (sqrtMag f mode y) :=
  Or.elim (Nat.lt_or_eq_of_le (sqrt_floor_le (f := f) h))
    (fun less => Nat.le_trans (Nat.add_le_add_left (cond_one_zero_le_one _) _) (Nat.le_trans (a := (sqrtSearch f x f.width 0).succ) less
      (Nat.le_add_right _ _)))
    (fun same => Nat.add_le_add (Nat.le_of_eq same) (cond_one_zero_le (fun e =>
      Eq.subst (motive := fun g => Eq (sqrtUp f mode y g) true) same (sqrtUp_of_le h mode e))))

/-! Exact roots. -/

theorem sqrtUp_exact {x g : Nat} (e : Eq ((units f g).mul (units f g)) x) : (mode : Mode) → Eq (sqrtUp f mode x g) false
  | .rn =>
    have up : Nat.Le (units f g) (units f (g.add 1)) := units_le (Nat.le_succ g)
    have twice : Nat.Le ((units f g).mul 2) ((units f g).add (units f (g.add 1))) :=
      Nat.le_trans (Nat.le_of_eq (Nat.mul_two (units f g))) (Nat.add_le_add_left up (units f g))
    Nat.blt_of_le (Nat.le_trans (Nat.le_of_eq (Eq.trans (congrArg (Nat.mul 4) (Eq.symm e)) (Eq.trans (Nat.mul_comm 4 _)
      (Nat.mul_mul_mul_comm (units f g) (units f g) 2 2)))) (Nat.mul_le_mul twice twice))
  | .rz => rfl
  | .rm => rfl
  | .rp => Nat.blt_of_le (Nat.le_of_eq (Eq.symm e))

theorem sqrtMag_exact {x g : Nat} (fits : Nat.Lt g (Nat.pow 2 f.width)) (e : Eq ((units f g).mul (units f g)) x) : Eq (sqrtMag f mode x) g :=
  have floor : Eq (sqrtSearch f x f.width 0) g := Nat.le_antisymm
    (Nat.le_of_not_lt (fun l => Nat.not_lt_of_le (Nat.le_trans (sqrt_floor_low x) (Nat.le_of_eq (Eq.symm e)))
      (Nat.lt_of_le_of_lt (Nat.mul_le_mul_right (units f g) (Nat.le_of_lt (units_lt l)))
        (Nat.mul_lt_mul_left (units_lt l) (Nat.lt_of_le_of_lt (Nat.zero_le _) (units_lt l))))))
    (le_sqrt_floor fits (Nat.le_of_eq e))
  Eq.trans (congrArg2 (fun a b => Nat.add a (cond b 1 0)) floor (Eq.trans (congrArg (sqrtUp f mode x) floor) (sqrtUp_exact e mode))) rfl

end Fp
