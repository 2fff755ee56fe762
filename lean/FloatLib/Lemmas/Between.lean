prelude
import FloatLib.Op.Between
import FloatLib.Lemmas.FmaOrder
import FloatLib.Lemmas.Interval
import FloatLib.Lemmas.Invalid
import FloatLib.Lemmas.OrderF32
import FloatLib.Lemmas.OrderRewrites
/-!
# Values that are known only to lie between two ends

`(le a x).and (le x b)` says that `x` is a number from `a` to `b`. Each theorem carries such a fact through one operation: rounding keeps
order, so the results at the ends bound every result between. What is asked of the ends is a test of `Op/Between.lean`, which the kernel
computes. `Lemmas/Apart.lean` has the operations that do not round, and what two intervals decide.
-/

noncomputable section
namespace F32

/-! What follows from the ends alone. -/

/-- A value between finite ends is finite. -/
theorem finite_of_inside (a x b : F32) (h₁ : Eq (Fp.le a x) true) (h₂ : Eq (Fp.le x b) true) (k : Eq (Fp.bounded a b) true) : Eq x.isFinite true :=
  have low : Eq (Fp.lt (F32.ofBits 0xff800000) a) true := Bool.and_eq_true_left (Eq.trans (Eq.symm (isFinite_eq a)) (Bool.and_eq_true_left k))
  have high : Eq (Fp.lt b (F32.ofBits 0x7f800000)) true := Bool.and_eq_true_right (Eq.trans (Eq.symm (isFinite_eq b)) (Bool.and_eq_true_right k))
  Eq.trans (isFinite_eq x) (Bool.and_of_true (Fp.lt_of_lt_of_le _ a x low h₁) (Fp.lt_of_le_of_lt x b _ h₂ high))

theorem isInf_of_isFinite (x : F32) (h : Eq x.isFinite true) : Eq x.isInf false :=
  have both : Eq (Bool.and (Fp.lt (F32.ofBits 0xff800000) x) (Fp.lt x (F32.ofBits 0x7f800000))) true := Eq.trans (Eq.symm (isFinite_eq x)) h
  Eq.trans (isInf_eq x) (Bool.or_of_false (Fp.eq_false_of_lt x _ (Bool.and_eq_true_right both)) (Fp.eq_false_of_gt x _ (Bool.and_eq_true_left both)))

theorem notInf_of_inside (a x b : F32) (h₁ : Eq (Fp.le a x) true) (h₂ : Eq (Fp.le x b) true) (k : Eq (Fp.bounded a b) true) : Eq x.isInf false :=
  isInf_of_isFinite x (finite_of_inside a x b h₁ h₂ k)

theorem notZero_of_inside (a x b : F32) (h₁ : Eq (Fp.le a x) true) (h₂ : Eq (Fp.le x b) true) (k : Eq (Fp.off a b) true) :
    Eq (Fp.eq x (F32.ofBits 0x00000000)) false :=
  Or.elim (Bool.or_eq_true k)
    (fun pos => Fp.eq_false_of_gt x _ (Fp.lt_of_lt_of_le _ a x (show_lt pos) h₁))
    (fun neg => Fp.eq_false_of_lt x _ (Fp.lt_of_le_of_lt x b _ h₂ (show_gt neg)))
where
  show_lt {a : F32} (h : Eq (Fp.lt (Fp.zero false) a) true) : Eq (Fp.lt (F32.ofBits 0x00000000) a) true := h
  show_gt {b : F32} (h : Eq (Fp.lt b (Fp.zero false)) true) : Eq (Fp.lt b (F32.ofBits 0x00000000)) true := h

/-- A number is at least zero or at most zero. -/
theorem sign_cases {C : Prop} (x : F32) (n : Eq x.isNan false) (pos : Eq (Fp.le (F32.ofBits 0x00000000) x) true → C)
    (neg : Eq (Fp.le x (F32.ofBits 0x00000000)) true → C) : C :=
  Bool.byCases (Fp.le (F32.ofBits 0x00000000) x) pos (fun no => neg (Fp.le_of_lt x _ (Fp.lt_of_not_le _ x rfl n no)))

/-- The ends of an interval that holds something are numbers in order. -/
theorem le_low (a x : F32) (h : Eq (Fp.le a x) true) : Eq (Fp.le a a) true := Eq.trans (Fp.le_self a) (Bool.not_of_false (Fp.notNan_left_of_le a x h))

theorem le_high (x b : F32) (h : Eq (Fp.le x b) true) : Eq (Fp.le b b) true := Eq.trans (Fp.le_self b) (Bool.not_of_false (Fp.notNan_right_of_le x b h))

/-- Wider ends. -/
theorem within_wider (a b l h x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (k : Eq (Fp.wider a b l h) true) :
    Eq (Bool.and (Fp.le l x) (Fp.le x h)) true :=
  Bool.and_of_true (Fp.le_trans l a x (Bool.and_eq_true_left k) (Bool.and_eq_true_left hx))
    (Fp.le_trans x b h (Bool.and_eq_true_right hx) (Bool.and_eq_true_right k))

/-- An equal value. -/
theorem within_of_eq (l h x y : F32) (e : Eq x y) (hy : Eq (Bool.and (Fp.le l y) (Fp.le y h)) true) : Eq (Bool.and (Fp.le l x) (Fp.le x h)) true :=
  Eq.trans (congrArg (fun t => Bool.and (Fp.le l t) (Fp.le t h)) e) hy

/-! Sums and differences. -/

theorem notNan_of_signs (x y : F32) (n₁ : Eq x.isNan false) (n₂ : Eq y.isNan false) (s : F32) (hs : Eq s.isInf true)
    (hx : Eq x.isInf true → Eq x s) (hy : Eq y.isInf true → Eq y s) : Eq (Fp.isNan (Fp.add .rn x y)) false :=
  Eq.trans (isNan_add_eq x y) (Bool.or_of_false (Bool.or_of_false n₁ n₂) (Bool.byCases (x.isInf.and y.isInf)
    (fun yes => Bool.and_of_false_right (Bool.not_of_true
      (Eq.trans (congrArg2 Fp.eq (hx (Bool.and_eq_true_left yes)) (hy (Bool.and_eq_true_right yes))) (Eq.trans (Fp.eq_self s) (Bool.not_of_false (number s hs))))))
    Bool.and_of_false_left))
where
  number : (s : F32) → Eq s.isInf true → Eq s.isNan false
    | .nan, h => (Bool.false_ne_true h).elim
    | .num _ _ _, _ => rfl

theorem isInf_of_above (a x : F32) (low : Eq (Fp.lt (F32.ofBits 0xff800000) a) true) (h : Eq (Fp.le a x) true) (yes : Eq x.isInf true) :
    Eq x (F32.ofBits 0x7f800000) :=
  Fp.isInf_cases x yes
    (fun e => Bool.not_both (Fp.lt_of_lt_of_le _ a x low h) (Eq.trans (congrArg (Fp.lt (F32.ofBits 0xff800000)) e) rfl))
    id

theorem isInf_of_below (x b : F32) (high : Eq (Fp.lt b (F32.ofBits 0x7f800000)) true) (h : Eq (Fp.le x b) true) (yes : Eq x.isInf true) :
    Eq x (F32.ofBits 0xff800000) :=
  Fp.isInf_cases x yes id
    (fun e => Bool.not_both (Fp.lt_of_le_of_lt x b _ h high) (Eq.trans (congrArg (fun t => Fp.lt t (F32.ofBits 0x7f800000)) e) rfl))

theorem notNan_add (a b c d x y : F32) (x₁ : Eq (Fp.le a x) true) (x₂ : Eq (Fp.le x b) true) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true)
    (k : Eq (Fp.addSafe a b c d) true) : Eq (Fp.isNan (Fp.add .rn x y)) false :=
  have nx : Eq x.isNan false := Fp.notNan_right_of_le a x x₁
  have ny : Eq y.isNan false := Fp.notNan_right_of_le c y y₁
  Or.elim (Bool.or_eq_true k)
    (fun k => Eq.trans (isNan_add_eq x y) (Bool.or_of_false (Bool.or_of_false nx ny) (Bool.and_of_false_left (Or.elim (Bool.or_eq_true k)
      (fun k => Bool.and_of_false_left (notInf_of_inside a x b x₁ x₂ k))
      (fun k => Bool.and_of_false_right (notInf_of_inside c y d y₁ y₂ k))))))
    (fun k => Or.elim (Bool.or_eq_true k)
      (fun k => notNan_of_signs x y nx ny (F32.ofBits 0x7f800000) rfl (isInf_of_above a x (Bool.and_eq_true_left k) x₁)
        (isInf_of_above c y (Bool.and_eq_true_right k) y₁))
      (fun k => notNan_of_signs x y nx ny (F32.ofBits 0xff800000) rfl (isInf_of_below x b (Bool.and_eq_true_left k) x₂)
        (isInf_of_below y d (Bool.and_eq_true_right k) y₂)))

theorem within_add (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.addEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.add .rn x y)) (Fp.le (Fp.add .rn x y) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have x₂ := Bool.and_eq_true_right hx
  have y₁ := Bool.and_eq_true_left hy
  have y₂ := Bool.and_eq_true_right hy
  have ends : Eq ((Fp.le l (Fp.add .rn a c)).and (Fp.le (Fp.add .rn b d) h)) true := Bool.and_eq_true_right k
  have n := notNan_add a b c d x y x₁ x₂ y₁ y₂ (Bool.and_eq_true_left k)
  Bool.and_of_true
    (Fp.le_trans l _ _ (Bool.and_eq_true_left ends)
      (add_le_of_le a x c y x₁ y₁ (Fp.notNan_right_of_le l _ (Bool.and_eq_true_left ends)) n))
    (Fp.le_trans _ _ h (add_le_of_le x b y d x₂ y₂ n (Fp.notNan_left_of_le _ h (Bool.and_eq_true_right ends))) (Bool.and_eq_true_right ends))

theorem within_neg (a b l h x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (k : Eq (Fp.negEnds a b l h) true) :
    Eq (Bool.and (Fp.le l (Fp.neg x)) (Fp.le (Fp.neg x) h)) true :=
  Bool.and_of_true
    (Fp.le_trans l b.neg x.neg (Bool.and_eq_true_left k) (Eq.trans (Fp.le_neg_neg b x) (Bool.and_eq_true_right hx)))
    (Fp.le_trans x.neg a.neg h (Eq.trans (Fp.le_neg_neg x a) (Bool.and_eq_true_left hx)) (Bool.and_eq_true_right k))

/-- The opposite of a value between two ends is between their opposites. -/
theorem within_opposite (a b x : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) :
    Eq (Bool.and (Fp.le (Fp.neg b) (Fp.neg x)) (Fp.le (Fp.neg x) (Fp.neg a))) true :=
  Bool.and_of_true (Eq.trans (Fp.le_neg_neg b x) (Bool.and_eq_true_right hx)) (Eq.trans (Fp.le_neg_neg x a) (Bool.and_eq_true_left hx))

theorem within_sub (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.subEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.sub .rn x y)) (Fp.le (Fp.sub .rn x y) h)) true :=
  within_add a b d.neg c.neg l h x y.neg hx (within_opposite c d y hy) k

/-! Products. -/

theorem notNan_mul (a b c d x y : F32) (x₁ : Eq (Fp.le a x) true) (x₂ : Eq (Fp.le x b) true) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true)
    (k : Eq (Fp.mulSafe a b c d) true) : Eq (Fp.isNan (Fp.mul .rn x y)) false :=
  Eq.trans (isNan_mul_eq x y) (Bool.or_of_false (Bool.or_of_false (Fp.notNan_right_of_le a x x₁) (Fp.notNan_right_of_le c y y₁)) (Bool.or_of_false
    (Or.elim (Bool.or_eq_true (Bool.and_eq_true_left k))
      (fun k => Bool.and_of_false_left (notInf_of_inside a x b x₁ x₂ k)) (fun k => Bool.and_of_false_right (notZero_of_inside c y d y₁ y₂ k)))
    (Or.elim (Bool.or_eq_true (Bool.and_eq_true_right k))
      (fun k => Bool.and_of_false_right (notInf_of_inside c y d y₁ y₂ k)) (fun k => Bool.and_of_false_left (notZero_of_inside a x b x₁ x₂ k)))))

/-- A product lies between those of the ends with the same second factor. -/
theorem mul_between (a b l h x y : F32) (x₁ : Eq (Fp.le a x) true) (x₂ : Eq (Fp.le x b) true) (n : Eq (Fp.isNan (Fp.mul .rn x y)) false)
    (ny : Eq y.isNan false) (ka : Eq (Fp.inside l (Fp.mul .rn a y) h) true) (kb : Eq (Fp.inside l (Fp.mul .rn b y) h) true) :
    Eq (Fp.inside l (Fp.mul .rn x y) h) true :=
  have na : Eq (Fp.isNan (Fp.mul .rn a y)) false := Fp.notNan_right_of_le l _ (Bool.and_eq_true_left ka)
  have nb : Eq (Fp.isNan (Fp.mul .rn b y)) false := Fp.notNan_right_of_le l _ (Bool.and_eq_true_left kb)
  sign_cases y ny
    (fun pos => Bool.and_of_true (Fp.le_trans l _ _ (Bool.and_eq_true_left ka) (mul_le_of_le_left a x y x₁ pos na n))
      (Fp.le_trans _ _ h (mul_le_of_le_left x b y x₂ pos n nb) (Bool.and_eq_true_right kb)))
    (fun neg => Bool.and_of_true (Fp.le_trans l _ _ (Bool.and_eq_true_left kb) (mul_le_of_ge_left x b y x₂ neg n nb))
      (Fp.le_trans _ _ h (mul_le_of_ge_left a x y x₁ neg na n) (Bool.and_eq_true_right ka)))

theorem inside_mul_comm (l h x y : F32) (k : Eq (Fp.inside l (Fp.mul .rn x y) h) true) : Eq (Fp.inside l (Fp.mul .rn y x) h) true :=
  Eq.trans (congrArg (fun t => Fp.inside l t h) (Fp.mul_comm y x)) k

theorem within_mul (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.mulEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.mul .rn x y)) (Fp.le (Fp.mul .rn x y) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have x₂ := Bool.and_eq_true_right hx
  have y₁ := Bool.and_eq_true_left hy
  have y₂ := Bool.and_eq_true_right hy
  have safe : Eq (Fp.mulSafe a b c d) true := Bool.and_eq_true_left k
  have low := Bool.and_eq_true_left (Bool.and_eq_true_right k)
  have high := Bool.and_eq_true_right (Bool.and_eq_true_right k)
  have ab : Eq (Fp.le a b) true := Fp.le_trans a x b x₁ x₂
  mul_between a b l h x y x₁ x₂ (notNan_mul a b c d x y x₁ x₂ y₁ y₂ safe) (Fp.notNan_right_of_le c y y₁)
    (side a c d y (Fp.notNan_left_of_le a x x₁) y₁ y₂ (notNan_mul a b c d a y (le_low a x x₁) ab y₁ y₂ safe)
      (Bool.and_eq_true_left low) (Bool.and_eq_true_right low))
    (side b c d y (Fp.notNan_right_of_le x b x₂) y₁ y₂ (notNan_mul a b c d b y ab (le_high x b x₂) y₁ y₂ safe)
      (Bool.and_eq_true_left high) (Bool.and_eq_true_right high))
where
  side {l h : F32} (a c d y : F32) (na : Eq a.isNan false) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true)
      (n : Eq (Fp.isNan (Fp.mul .rn a y)) false) (kc : Eq (Fp.inside l (Fp.mul .rn a c) h) true) (kd : Eq (Fp.inside l (Fp.mul .rn a d) h) true) :
      Eq (Fp.inside l (Fp.mul .rn a y) h) true :=
    inside_mul_comm l h y a (mul_between c d l h y a y₁ y₂ (Eq.trans (congrArg Fp.isNan (Fp.mul_comm y a)) n) na
      (inside_mul_comm l h a c kc) (inside_mul_comm l h a d kd))

/-! Fused sums. -/

theorem notNan_fma (x y z : F32) (fx : Eq x.isFinite true) (fy : Eq y.isFinite true) (fz : Eq z.isFinite true) :
    Eq (Fp.isNan (Fp.fma .rn x y z)) false :=
  Eq.trans (Fp.isNan_fma_of_finite x y z fz) (Eq.trans (isNan_mul_eq x y) (Bool.or_of_false (Bool.or_of_false (number x fx) (number y fy))
    (Bool.or_of_false (Bool.and_of_false_left (isInf_of_isFinite x fx)) (Bool.and_of_false_right (isInf_of_isFinite y fy)))))
where
  number : (s : F32) → Eq s.isFinite true → Eq s.isNan false
    | .nan, h => (Bool.false_ne_true h).elim
    | .num _ _ _, _ => rfl

/-- A fused sum is above its lower ends. -/
theorem fma_low (a b e l x y z : F32) (x₁ : Eq (Fp.le a x) true) (x₂ : Eq (Fp.le x b) true) (z₁ : Eq (Fp.le e z) true) (fy : Eq y.isFinite true)
    (n : Eq (Fp.isNan (Fp.fma .rn x y z)) false) (ny : Eq y.isNan false)
    (ka : Eq (Fp.le l (Fp.fma .rn a y e)) true) (kb : Eq (Fp.le l (Fp.fma .rn b y e)) true) : Eq (Fp.le l (Fp.fma .rn x y z)) true :=
  sign_cases y ny
    (fun pos => Fp.le_trans l _ _ ka (fma_le_of_le a x y e z x₁ pos fy z₁ (Fp.notNan_right_of_le l _ ka) n))
    (fun neg => Fp.le_trans l _ _ kb (fma_le_of_ge x b y e z x₂ neg fy z₁ (Fp.notNan_right_of_le l _ kb) n))

/-- A fused sum is below its upper ends. -/
theorem fma_high (a b r h x y z : F32) (x₁ : Eq (Fp.le a x) true) (x₂ : Eq (Fp.le x b) true) (z₂ : Eq (Fp.le z r) true) (fy : Eq y.isFinite true)
    (n : Eq (Fp.isNan (Fp.fma .rn x y z)) false) (ny : Eq y.isNan false)
    (ka : Eq (Fp.le (Fp.fma .rn a y r) h) true) (kb : Eq (Fp.le (Fp.fma .rn b y r) h) true) : Eq (Fp.le (Fp.fma .rn x y z) h) true :=
  sign_cases y ny
    (fun pos => Fp.le_trans _ _ h (fma_le_of_le x b y z r x₂ pos fy z₂ n (Fp.notNan_left_of_le _ h kb)) kb)
    (fun neg => Fp.le_trans _ _ h (fma_le_of_ge a x y z r x₁ neg fy z₂ n (Fp.notNan_left_of_le _ h ka)) ka)

theorem within_fma (a b c d e r l h x y z : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (hz : Eq (Bool.and (Fp.le e z) (Fp.le z r)) true) (k : Eq (Fp.fmaEnds a b c d e r l h) true) :
    Eq (Bool.and (Fp.le l (Fp.fma .rn x y z)) (Fp.le (Fp.fma .rn x y z) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have x₂ := Bool.and_eq_true_right hx
  have y₁ := Bool.and_eq_true_left hy
  have y₂ := Bool.and_eq_true_right hy
  have z₁ := Bool.and_eq_true_left hz
  have z₂ := Bool.and_eq_true_right hz
  have finite := Bool.and_eq_true_left k
  have kx : Eq (Fp.bounded a b) true := Bool.and_eq_true_left (Bool.and_eq_true_left finite)
  have ky : Eq (Fp.bounded c d) true := Bool.and_eq_true_right (Bool.and_eq_true_left finite)
  have kz : Eq (Fp.bounded e r) true := Bool.and_eq_true_right finite
  have fx := finite_of_inside a x b x₁ x₂ kx
  have fy := finite_of_inside c y d y₁ y₂ ky
  have fz := finite_of_inside e z r z₁ z₂ kz
  have n := notNan_fma x y z fx fy fz
  have ny := Fp.notNan_right_of_le c y y₁
  have low := Bool.and_eq_true_left (Bool.and_eq_true_right k)
  have high := Bool.and_eq_true_right (Bool.and_eq_true_right k)
  have fa : Eq a.isFinite true := Bool.and_eq_true_left kx
  have fb : Eq b.isFinite true := Bool.and_eq_true_right kx
  have fe : Eq e.isFinite true := Bool.and_eq_true_left kz
  have fr : Eq r.isFinite true := Bool.and_eq_true_right kz
  Bool.and_of_true
    (fma_low a b e l x y z x₁ x₂ z₁ fy n ny
      (below a c d e y y₁ y₂ fa fy fe (Fp.notNan_left_of_le a x x₁) (le_low e z z₁) (Bool.and_eq_true_left (Bool.and_eq_true_left low))
        (Bool.and_eq_true_right (Bool.and_eq_true_left low)))
      (below b c d e y y₁ y₂ fb fy fe (Fp.notNan_right_of_le x b x₂) (le_low e z z₁) (Bool.and_eq_true_left (Bool.and_eq_true_right low))
        (Bool.and_eq_true_right (Bool.and_eq_true_right low))))
    (fma_high a b r h x y z x₁ x₂ z₂ fy n ny
      (above a c d r y y₁ y₂ fa fy fr (Fp.notNan_left_of_le a x x₁) (le_high z r z₂) (Bool.and_eq_true_left (Bool.and_eq_true_left high))
        (Bool.and_eq_true_right (Bool.and_eq_true_left high)))
      (above b c d r y y₁ y₂ fb fy fr (Fp.notNan_right_of_le x b x₂) (le_high z r z₂) (Bool.and_eq_true_left (Bool.and_eq_true_right high))
        (Bool.and_eq_true_right (Bool.and_eq_true_right high))))
where
  below {l : F32} (a c d e y : F32) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true) (fa : Eq a.isFinite true) (fy : Eq y.isFinite true)
      (fe : Eq e.isFinite true) (na : Eq a.isNan false) (ee : Eq (Fp.le e e) true) (kc : Eq (Fp.le l (Fp.fma .rn a c e)) true)
      (kd : Eq (Fp.le l (Fp.fma .rn a d e)) true) : Eq (Fp.le l (Fp.fma .rn a y e)) true :=
    Eq.trans (congrArg (Fp.le l) (Fp.fma_comm a y e)) (fma_low c d e l y a e y₁ y₂ ee fa (notNan_fma y a e fy fa fe) na
      (Eq.trans (congrArg (Fp.le l) (Fp.fma_comm c a e)) kc) (Eq.trans (congrArg (Fp.le l) (Fp.fma_comm d a e)) kd))
  above {h : F32} (a c d r y : F32) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true) (fa : Eq a.isFinite true) (fy : Eq y.isFinite true)
      (fr : Eq r.isFinite true) (na : Eq a.isNan false) (rr : Eq (Fp.le r r) true) (kc : Eq (Fp.le (Fp.fma .rn a c r) h) true)
      (kd : Eq (Fp.le (Fp.fma .rn a d r) h) true) : Eq (Fp.le (Fp.fma .rn a y r) h) true :=
    Eq.trans (congrArg (fun t => Fp.le t h) (Fp.fma_comm a y r)) (fma_high c d r h y a r y₁ y₂ rr fa (notNan_fma y a r fy fa fr) na
      (Eq.trans (congrArg (fun t => Fp.le t h) (Fp.fma_comm c a r)) kc) (Eq.trans (congrArg (fun t => Fp.le t h) (Fp.fma_comm d a r)) kd))

/-! Quotients. -/

theorem notNan_div (a b c d x y : F32) (x₁ : Eq (Fp.le a x) true) (x₂ : Eq (Fp.le x b) true) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true)
    (pos : Eq (Fp.lt (F32.ofBits 0x00000000) c) true) (k : Eq ((Fp.bounded a b).or (Fp.bounded c d)) true) : Eq (Fp.isNan (Fp.div .rn x y)) false :=
  Eq.trans (isNan_div_eq x y) (Bool.or_of_false (Bool.or_of_false (Fp.notNan_right_of_le a x x₁) (Fp.notNan_right_of_le c y y₁)) (Bool.or_of_false
    (Or.elim (Bool.or_eq_true k)
      (fun k => Bool.and_of_false_left (notInf_of_inside a x b x₁ x₂ k)) (fun k => Bool.and_of_false_right (notInf_of_inside c y d y₁ y₂ k)))
    (Bool.and_of_false_right (Fp.eq_false_of_gt y _ (Fp.lt_of_lt_of_le _ c y pos y₁)))))

/-- A quotient by a positive value lies between those by the ends of an interval above zero. -/
theorem div_between (c d l h x y : F32) (y₁ : Eq (Fp.le c y) true) (y₂ : Eq (Fp.le y d) true) (pos : Eq (Fp.lt (F32.ofBits 0x00000000) c) true)
    (nx : Eq x.isNan false) (n : Eq (Fp.isNan (Fp.div .rn x y)) false) (kc : Eq (Fp.inside l (Fp.div .rn x c) h) true)
    (kd : Eq (Fp.inside l (Fp.div .rn x d) h) true) : Eq (Fp.inside l (Fp.div .rn x y) h) true :=
  have nc : Eq (Fp.isNan (Fp.div .rn x c)) false := Fp.notNan_right_of_le l _ (Bool.and_eq_true_left kc)
  have nd : Eq (Fp.isNan (Fp.div .rn x d)) false := Fp.notNan_right_of_le l _ (Bool.and_eq_true_left kd)
  have xx : Eq (Fp.le x x) true := Eq.trans (Fp.le_self x) (Bool.not_of_false nx)
  have py : Eq (Fp.lt (F32.ofBits 0x00000000) y) true := Fp.lt_of_lt_of_le _ c y pos y₁
  sign_cases x nx
    (fun up => Bool.and_of_true
      (Fp.le_trans l _ _ (Bool.and_eq_true_left kd) (div_le_of_le_nonneg x x d y up xx py y₂ nd n))
      (Fp.le_trans _ _ h (div_le_of_le_nonneg x x y c up xx pos y₁ n nc) (Bool.and_eq_true_right kc)))
    (fun down =>
      have up : Eq (Fp.le (F32.ofBits 0x00000000) x.neg) true := Eq.trans (Fp.neg_nonneg x) down
      have nn : Eq (Fp.le x.neg x.neg) true := Eq.trans (Fp.le_neg_neg x x) xx
      Bool.and_of_true
        (Fp.le_trans l _ _ (Bool.and_eq_true_left kc) (turn x y c (div_le_of_le_nonneg x.neg x.neg y c up nn pos y₁ (turned x y n) (turned x c nc))))
        (Fp.le_trans _ _ h (turn x d y (div_le_of_le_nonneg x.neg x.neg d y up nn py y₂ (turned x d nd) (turned x y n))) (Bool.and_eq_true_right kd)))
where
  turned (x y : F32) (n : Eq (Fp.isNan (Fp.div .rn x y)) false) : Eq (Fp.isNan (Fp.div .rn x.neg y)) false :=
    Eq.trans (congrArg Fp.isNan (Fp.div_neg_left x y)) (Eq.trans (Fp.isNan_neg _) n)
  turn (x y z : F32) (h : Eq (Fp.le (Fp.div .rn x.neg y) (Fp.div .rn x.neg z)) true) : Eq (Fp.le (Fp.div .rn x z) (Fp.div .rn x y)) true :=
    Eq.trans (Eq.symm (Fp.le_neg_neg _ _)) (Eq.trans (congrArg2 Fp.le (Eq.symm (Fp.div_neg_left x y)) (Eq.symm (Fp.div_neg_left x z))) h)

theorem within_div (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.divEnds a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.div .rn x y)) (Fp.le (Fp.div .rn x y) h)) true :=
  have x₁ := Bool.and_eq_true_left hx
  have x₂ := Bool.and_eq_true_right hx
  have y₁ := Bool.and_eq_true_left hy
  have y₂ := Bool.and_eq_true_right hy
  have pos : Eq (Fp.lt (F32.ofBits 0x00000000) c) true := Bool.and_eq_true_left (Bool.and_eq_true_left k)
  have safe := Bool.and_eq_true_right (Bool.and_eq_true_left k)
  have low := Bool.and_eq_true_left (Bool.and_eq_true_right k)
  have high := Bool.and_eq_true_right (Bool.and_eq_true_right k)
  have ab : Eq (Fp.le a b) true := Fp.le_trans a x b x₁ x₂
  have n := notNan_div a b c d x y x₁ x₂ y₁ y₂ pos safe
  have na := notNan_div a b c d a y (le_low a x x₁) ab y₁ y₂ pos safe
  have nb := notNan_div a b c d b y ab (le_high x b x₂) y₁ y₂ pos safe
  have py : Eq (Fp.lt (F32.ofBits 0x00000000) y) true := Fp.lt_of_lt_of_le _ c y pos y₁
  have ka := div_between c d l h a y y₁ y₂ pos (Fp.notNan_left_of_le a x x₁) na (Bool.and_eq_true_left low) (Bool.and_eq_true_right low)
  have kb := div_between c d l h b y y₁ y₂ pos (Fp.notNan_right_of_le x b x₂) nb (Bool.and_eq_true_left high) (Bool.and_eq_true_right high)
  Bool.and_of_true
    (Fp.le_trans l _ _ (Bool.and_eq_true_left ka) (div_le_of_le_left a x y x₁ py na n))
    (Fp.le_trans _ _ h (div_le_of_le_left x b y x₂ py n nb) (Bool.and_eq_true_right kb))

theorem within_div_neg (a b c d l h x y : F32) (hx : Eq (Bool.and (Fp.le a x) (Fp.le x b)) true) (hy : Eq (Bool.and (Fp.le c y) (Fp.le y d)) true)
    (k : Eq (Fp.divEndsNeg a b c d l h) true) : Eq (Bool.and (Fp.le l (Fp.div .rn x y)) (Fp.le (Fp.div .rn x y) h)) true :=
  have turned := within_div a b d.neg c.neg h.neg l.neg x y.neg hx (within_opposite c d y hy) k
  have e : Eq (Fp.div .rn x y.neg).neg (Fp.div .rn x y) := Eq.trans (congrArg Fp.neg (Fp.div_neg_right x y)) (Fp.neg_neg _)
  within_of_eq l h (Fp.div .rn x y) (Fp.div .rn x y.neg).neg (Eq.symm e)
    (Bool.and_of_true
      (Eq.trans (Fp.le_neg_right l _) (Bool.and_eq_true_right turned))
      (Eq.trans (Fp.le_neg_left _ h) (Bool.and_eq_true_left turned)))

end F32
