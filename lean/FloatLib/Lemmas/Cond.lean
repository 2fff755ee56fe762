prelude
import FloatLib.Lemmas.Bool
/-!
# The choice `cond c a b`: theorems
-/

noncomputable section


theorem cond_true {α : Sort u} (a b : α) : Eq (cond true a b) a := rfl

theorem cond_false {α : Sort u} (a b : α) : Eq (cond false a b) b := rfl

theorem cond_of_true {α : Sort u} {c : Bool} (h : Eq c true) (a b : α) : Eq (cond c a b) a := congrArg (fun c => cond c a b) h

theorem cond_of_false {α : Sort u} {c : Bool} (h : Eq c false) (a b : α) : Eq (cond c a b) b := congrArg (fun c => cond c a b) h

theorem cond_same {α : Sort u} (a : α) : (c : Bool) → Eq (cond c a a) a
  | true => rfl
  | false => rfl

theorem cond_not {α : Sort u} (a b : α) : (c : Bool) → Eq (cond c.not a b) (cond c b a)
  | true => rfl
  | false => rfl

theorem cond_and {α : Sort u} (a b : α) (d : Bool) : (c : Bool) → Eq (cond (c.and d) a b) (cond c (cond d a b) b)
  | true => rfl
  | false => rfl

theorem cond_or {α : Sort u} (a b : α) (d : Bool) : (c : Bool) → Eq (cond (c.or d) a b) (cond c a (cond d a b))
  | true => rfl
  | false => rfl

/-- A function of a choice is the choice of its results. -/
theorem apply_cond {α : Sort u} {β : Sort v} (f : α → β) (a b : α) : (c : Bool) → Eq (f (cond c a b)) (cond c (f a) (f b))
  | true => rfl
  | false => rfl

/-- Each branch of a choice may use the condition's value. -/
theorem cond_congr {α : Sort u} {c : Bool} {a a' b b' : α} (yes : Eq c true → Eq a a') (no : Eq c false → Eq b b') :
    Eq (cond c a b) (cond c a' b') :=
  Bool.byCases c (fun h => Eq.trans (cond_of_true h a b) (Eq.trans (yes h) (Eq.symm (cond_of_true h a' b'))))
    (fun h => Eq.trans (cond_of_false h a b) (Eq.trans (no h) (Eq.symm (cond_of_false h a' b'))))

/-- What a choice equals in both cases, it equals. -/
theorem cond_eq {α : Sort u} {c : Bool} {a b d : α} (yes : Eq c true → Eq a d) (no : Eq c false → Eq b d) : Eq (cond c a b) d :=
  Eq.trans (cond_congr yes no) (cond_same d c)
