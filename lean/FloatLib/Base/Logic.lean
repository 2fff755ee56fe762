prelude
/-!
# Logic: the connectives and equality

The first file of the library. Lean's own core library is not used: everything a statement can mention is defined here or
in the files that build on this one. The names are those that Lean's elaborator looks up.

The last section, `Eq.step` and `Eq.done`, writes a calculation as a chain, one line a step:

    Eq.step (b.add a) (Nat.add_comm a b) (
    Eq.step …)
-/

/-! The compiler's marks for what it erases. `unsafe`: no definition or theorem of ours can mention one. -/

/-- The compiler's mark for an erased value. -/
unsafe axiom lcErased : Type
/-- The compiler's mark for a type it does not know. -/
unsafe axiom lcAny : Type
/-- The compiler's mark for a value that takes no space. -/
unsafe axiom lcVoid : Type

noncomputable section

/-- The function that returns its argument. -/
def id {α : Sort u} (a : α) : α := a

set_option bootstrap.inductiveCheckResultingUniverse false in
/-- The type with one value, in any universe. -/
inductive PUnit : Sort u where
  /-- The one value. -/
  | unit : PUnit

/-- The type with one value. -/
abbrev Unit : Type := PUnit

/-- Its value. -/
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit

/-- The proposition that holds. -/
inductive True : Prop where
  /-- Its proof. -/
  | intro : True

/-- The proposition without a proof. -/
inductive False : Prop

/-- Anything follows from a contradiction. -/
def False.elim {C : Sort u} (h : False) : C := h.rec

/-- `Not p`: assuming `p` is contradictory. -/
def Not (p : Prop) : Prop := p → False

/-- Anything follows from a proposition and its negation. -/
def absurd {p : Prop} {C : Sort u} (h : p) (n : Not p) : C := (n h).rec

/-- `Eq a b`: `a` and `b` are the same value. -/
inductive Eq {α : Sort u} (a : α) : α → Prop where
  /-- Everything equals itself. -/
  | refl : Eq a a

/-- Everything equals itself, the value found from the context. -/
theorem rfl {α : Sort u} {a : α} : Eq a a := Eq.refl

/-- Replace equals by equals in a family of types. -/
abbrev Eq.ndrec.{v, u} {α : Sort u} {a : α} {motive : α → Sort v} (m : motive a) {b : α} (h : Eq a b) : motive b := h.rec m

/-- Replace equals by equals in a proposition. -/
theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h : Eq a b) (m : motive a) : motive b := Eq.ndrec m h

/-- Equality read from right to left. -/
theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a := h.rec rfl

/-- Two equalities with a common middle. -/
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c := h₂.rec h₁

/-- A value along an equality of types. -/
def cast {α β : Sort u} (h : Eq α β) (a : α) : β := h.rec a

/-- From an equality of propositions, the right one from the left one. -/
theorem Eq.mp {α β : Prop} (h : Eq α β) (a : α) : β := h.rec a

/-- From an equality of propositions, the left one from the right one. -/
theorem Eq.mpr {α β : Prop} (h : Eq α β) (b : β) : α := h.symm.rec b

/-- A function takes equal arguments to equal results. -/
theorem congrArg {α : Sort u} {β : Sort v} {a b : α} (f : α → β) (h : Eq a b) : Eq (f a) (f b) := h.rec rfl

/-- Equal functions give equal results on one argument. -/
theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : Eq f g) (a : α) : Eq (f a) (g a) := h.rec rfl

/-- Equal functions give equal results on equal arguments. -/
theorem congr {α : Sort u} {β : Sort v} {f g : α → β} {a b : α} (h₁ : Eq f g) (h₂ : Eq a b) : Eq (f a) (g b) :=
  Eq.trans (congrFun h₁ a) (congrArg g h₂)

/-- A function of two arguments takes equal arguments to equal results. -/
theorem congrArg2 {α : Sort u} {β : Sort v} {γ : Sort w} {a b : α} {c d : β} (f : α → β → γ) (h₁ : Eq a b) (h₂ : Eq c d) :
    Eq (f a c) (f b d) := congr (congrArg f h₁) h₂

/-- A function of three arguments takes equal arguments to equal results. -/
theorem congrArg3 {α : Sort u} {β : Sort v} {γ : Sort w} {δ : Sort z} {a a' : α} {b b' : β} {c c' : γ} (f : α → β → γ → δ)
    (h₁ : Eq a a') (h₂ : Eq b b') (h₃ : Eq c c') : Eq (f a b c) (f a' b' c') := congr (congrArg2 f h₁ h₂) h₃

/-- A function of four arguments takes equal arguments to equal results. -/
theorem congrArg4 {α : Sort u} {β : Sort v} {γ : Sort w} {δ : Sort z} {ε : Sort t} {a a' : α} {b b' : β} {c c' : γ} {d d' : δ}
    (f : α → β → γ → δ → ε) (h₁ : Eq a a') (h₂ : Eq b b') (h₃ : Eq c c') (h₄ : Eq d d') : Eq (f a b c d) (f a' b' c' d') :=
  congr (congrArg3 f h₁ h₂ h₃) h₄

/-- Equality of values whose types need not be the same text. -/
inductive HEq {α : Sort u} (a : α) : {β : Sort u} → β → Prop where
  /-- Everything equals itself. -/
  | refl : HEq a a

/-- At one type, `HEq` is `Eq`. -/
theorem eq_of_heq {α : Sort u} {a b : α} (h : HEq a b) : Eq a b :=
  have along : (β : Sort u) → (c : β) → HEq a c → (t : Eq α β) → Eq (cast t a) c := fun _ _ h' => h'.rec (fun _ => rfl)
  along α b h rfl

/-- `Eq` gives `HEq`. -/
theorem heq_of_eq {α : Sort u} {a b : α} (h : Eq a b) : HEq a b := h.rec HEq.refl

/-- Both propositions hold. -/
structure And (p q : Prop) : Prop where
  /-- From a proof of each. -/
  intro ::
  /-- The first holds. -/
  left : p
  /-- The second holds. -/
  right : q

/-- One of two propositions holds. -/
inductive Or (p q : Prop) : Prop where
  /-- The first does. -/
  | inl (h : p) : Or p q
  /-- The second does. -/
  | inr (h : q) : Or p q

/-- What follows in both cases follows. -/
theorem Or.elim {p q r : Prop} (h : Or p q) (left : p → r) (right : q → r) : r := h.rec left right

/-- Each of two propositions follows from the other. -/
structure Iff (p q : Prop) : Prop where
  /-- From both directions. -/
  intro ::
  /-- From the first to the second. -/
  mp : p → q
  /-- From the second to the first. -/
  mpr : q → p

/-- Some value has the property. -/
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  /-- A value and the proof that it has the property. -/
  | intro (w : α) (h : p w) : Exists p

/-- What follows from any value with the property follows from its existence. -/
theorem Exists.elim {α : Sort u} {p : α → Prop} {q : Prop} (h : Exists p) (f : (a : α) → p a → q) : q := h.rec f

/-- One step of a calculation: the term it starts from, the reason, the rest. -/
theorem Eq.step {α : Sort u} (a : α) {b c : α} (reason : Eq a b) (rest : Eq b c) : Eq a c := Eq.trans reason rest

/-- The end of a calculation. -/
theorem Eq.done {α : Sort u} (a : α) : Eq a a := rfl
