"""The interactive door: open cases go out as hypotheses, a person's theorems come in, and Lean alone says what they are worth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from devsem import config, rules
from devsem.errors import UsageError
from devsem.expr import Expr, bits, const, mk, var
from devsem.frontend.spec import Spec, SpecInput
from devsem.infix import infix
from devsem.leancheck import check_file
from devsem.leanrun import Lean
from devsem.ops import F32
from devsem.pipeline import verify
from devsem.prove import Open, Proof, prove
from devsem.request import Request
from devsem.userlean import Refused, read
from devsem.verdict import Verdict

X, Y, Z = (var(name, F32) for name in "xyz")
ZERO = const(0.0)

# docs/PROOFS.md works through this with one output: `floor` is 0 between 0 and 1, which the pool does not know.
KERNEL = """
extern "C" __global__ void floors(const float* x, const float* y, float* out, float* out2, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i], w = y[i];
        out[i] = v > 0.0f && v < 1.0f ? 0.0f : floorf(v);
        out2[i] = w > 0.0f && w < 1.0f ? 0.0f : floorf(w);
    }
}
"""
LEMMAS = """prelude
import FloatLib.Pool

theorem floor_below_one {f : Format} {g : Nat} (v : Eq (Nat.ble g f.inf) true) (finite : Nat.Lt g f.inf) (small : Nat.Lt (Fp.units f g) f.one) :
    Eq (Fp.floor (.num false g v)) (Fp.zero false) :=
  have whole : Eq (((Fp.units f g).div f.one).add (cond (Mode.rm.up false ((Fp.units f g).div f.one) ((Fp.units f g).mod f.one) f.one) 1 0)) 0 :=
    Eq.trans (congrArg2 Nat.add (Nat.div_of_lt small) rfl) rfl
  Eq.trans (cond_of_false (Nat.beq_of_lt finite) _ _)
    (Eq.trans (congrArg (fun (c : Nat) => Fp.round (f := f) .rn false (c.mul f.one) 1) whole)
      (Eq.trans (congrArg (fun (p : Nat) => Fp.round (f := f) .rn false p 1) (Nat.zero_mul f.one)) (Fp.round_zero rfl)))

theorem floor_fraction : (a : F32) → Eq (Fp.lt (F32.ofBits 0x00000000) a) true → Eq (Fp.lt a (F32.ofBits 0x3f800000)) true →
    Eq (Fp.floor a) (F32.ofBits 0x00000000)
  | .nan, above, _ => (Bool.false_ne_true (F32.zero_lt above)).elim
  | .num true g _, above, _ => absurd (F32.zero_lt above) (Nat.not_lt_of_le (Nat.sub_le _ g))
  | .num false g v, _, below =>
    have small : Nat.Lt g 0x3f800000 := Nat.lt_of_add_lt_add_left Format.binary32.inf below
    floor_below_one v (Nat.lt_of_lt_of_le small rfl) (Fp.units_lt small)
"""
CASE = """
theorem openN (xN : F32) (c0 : Eq (Fp.lt (F32.ofBits 0x00000000) xN) true) (c1 : Eq (Fp.lt xN (F32.ofBits 0x3f800000)) true) :
    Eq (F32.ofBits 0x00000000) (Fp.floor xN) :="""
OPEN1, OPEN2 = (CASE.replace("openN", f"open{k + 1}").replace("xN", f"x{k}") + f" Eq.symm (floor_fraction x{k} c0 c1)\n" for k in (0, 1))
MARKED = """
-- devsem: rewrite <-
theorem zero_is_floor (a : F32) (h : Eq (Fp.lt (F32.ofBits 0x00000000) a) true) (h' : Eq (Fp.lt a (F32.ofBits 0x3f800000)) true) :
    Eq (F32.ofBits 0x00000000) (Fp.floor a) :=
  Eq.symm (floor_fraction a h h')
"""
PROOF = LEMMAS + OPEN1 + OPEN2

Ask = Callable[..., Verdict]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The verdict on the kernel above; `proof` and `lemmas` are texts. No PyTorch: the spec is given."""
    inputs = tuple(SpecInput(name, "input", (64,)) for name in "xy")
    spec = Spec("Model", inputs, (mk("floor", X), mk("floor", Y)), ())
    monkeypatch.setattr("devsem.pipeline.load_spec", lambda path, timeout: spec)
    (tmp_path / "k.cu").write_text(KERNEL)
    (tmp_path / "k.py").write_text("")

    def of(device: str = "ieee", **texts: Any) -> Verdict:
        options: dict[str, Any] = {"devices": (device,), "timeout": 0.5, "out": tmp_path}
        if "proof" in texts:
            options["proof"] = written(tmp_path / "proof.lean", texts["proof"])
        if "lemmas" in texts:
            options["lemmas"] = (written(tmp_path / "mine.lean", texts["lemmas"]),)
        if "goal" in texts:
            options["emit_goal"] = tmp_path / texts["goal"]
        return verify(Request(kernel=tmp_path / "k.cu", spec=tmp_path / "k.py", **options), lambda _: None)[0]
    return of


def line(text: str, words: str) -> int:
    """Where the words stand for the first time."""
    return 1 + text[: text.index(words)].count("\n")


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# ---- out: the open cases ----

@pytest.mark.lean
def test_the_goal_is_a_conditional_theorem(ask: Ask, tmp_path: Path) -> None:
    v = ask(goal="goal.lean")
    assert v.verdict == "OPEN" and v.lean_file == ""
    assert "open1 where 0.0 < x and x < 1.0: 0.0 = floor(x)" in v.reason and "1 more open case" in v.reason and "goal.lean" in v.reason
    text = (tmp_path / "goal.lean").read_text()
    check = check_file(tmp_path / "goal.lean", lean=Lean.bundled())
    assert check.accepted, check.reason
    for output in (0, 1):
        statement = check.statements[f"Verdict.kernel_eq_spec{output}"]
        assert f"(open{output + 1} :" in statement and f"(open{2 - output} :" not in statement, statement
    skeletons = text[text.index("Copy the theorems"):]
    assert all(f"{case.split(' Eq.symm')[0].strip()}\n" in skeletons for case in (OPEN1, OPEN2)), skeletons
    ask(goal="again.lean")
    assert (tmp_path / "again.lean").read_text() == text


@pytest.mark.lean
def test_no_goal_where_nothing_is_open(ask: Ask, tmp_path: Path) -> None:
    v = ask(goal="goal.lean", lemmas=LEMMAS + MARKED)
    assert v.verdict == "PROVED" and "goal.lean is not written: nothing is open" in v.reason
    assert not (tmp_path / "goal.lean").exists()


@pytest.mark.lean
def test_a_fact_about_a_function(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It brings the reference's functions into the statement."""
    below = mk("lt", mk("S.expf", X), const(1.0))
    spec = Spec("Model", (SpecInput("x", "input", (64,)),), (mk("select", below, mk("floor", X), mk("rint", X)),), ())
    monkeypatch.setattr("devsem.pipeline.load_spec", lambda path, timeout: spec)
    (tmp_path / "k.cu").write_text("""
extern "C" __global__ void k(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float v = x[i]; out[i] = expf(v) < 1.0f ? (v > 0.0f && v < 1.0f ? 0.0f : floorf(v)) : rintf(v); }
}""")
    v = ask(goal="goal.lean")
    assert v.verdict == "OPEN", v.reason
    text = (tmp_path / "goal.lean").read_text()
    assert "theorem open1 (S : Libm) (x0 : F32)" in text and "(Libm.expf S x0)" in text[text.index("Copy the theorems"):]


def cases(left: Expr, right: Expr) -> list[str]:
    found = prove(left, right)
    assert isinstance(found, Open)
    return [str(c) for c in found.cases]


def test_a_case_is_the_smallest_pair_that_differs() -> None:
    """Through products in either order of their arguments; not past what the sampled inputs refute."""
    fused = mk("fma_rn", mk("rint", X), const(7.0), mk("mul_rn", mk("rint", X), const(2.0)))
    product = mk("mul_rn", mk("rint", X), const(9.0))
    assert set(cases(mk("mul_rn", mk("sqrt_rn", fused), Y), mk("mul_rn", Y, mk("sqrt_rn", product)))) == {
        "open1: fma(rint(x), 7.0, rint(x) * 2.0) = rint(x) * 9.0"}
    below = cases(mk("ftz", mk("sqrt_rn", X)), mk("ftz", mk("mul_rn", mk("sqrt_rn", X), const(1.5))))
    assert below == ["open1: sqrt(x) = sqrt(x) * 1.5"], "nothing holds here, so the smallest pair is shown"


def test_a_smaller_pair_that_is_false_is_not_taken() -> None:
    """A whole number and an eighth or a quarter have the same floor, and are not equal."""
    left, right = (mk("mul_rn", Y, mk("floor", mk("add_rn", mk("rint", X), const(part)))) for part in (0.125, 0.25))
    assert cases(left, right) == ["open1: floor(rint(x) + 0.125) = floor(rint(x) + 0.25)"]


def test_more_cases_than_a_person_wants() -> None:
    value = X
    for k in range(12, 0, -1):
        value = mk("select", mk("lt", X, const(float(k))), mk("mul_rn", Y, const(1.0 + k / 16)), value)
    found = prove(value, mk("sqrt_rn", Y))
    assert isinstance(found, Open) and len(found.cases) == 8 and found.block is None and "more than 8 cases" in found.reason


@pytest.mark.parametrize("e, text", [
    (mk("mul_rn", mk("add_rn", X, Y), mk("neg", Z)), "(x + y) * -z"),
    (mk("sub_rn", X, mk("sub_rn", Y, Z)), "x - (y - z)"), (mk("sub_rn", mk("sub_rn", X, Y), Z), "x - y - z"),
    (mk("neg", mk("add_rn", X, Y)), "-(x + y)"), (mk("neg", mk("neg", X)), "-(-x)"), (mk("mul_rn", X, const(-2.0)), "x * -2.0"),
    (mk("select", mk("and", mk("lt", X, Y), mk("not", mk("eq", X, ZERO))), mk("select", mk("is_nan", X), X, Y), Z),
     "x < y && !(x == 0.0) ? (is_nan(x) ? x : y) : z"),
    (mk("fma_rn", X, bits(0x7FFFFFFF), mk("D.expf", Y)), "fma(x, nan, D.expf(y))"),
])
def test_infix(e: Expr, text: str) -> None:
    assert infix(e) == text


# ---- in: proofs ----

@pytest.mark.lean
def test_a_proof_of_the_open_cases(ask: Ask) -> None:
    v = ask(proof=PROOF)
    assert v.verdict == "PROVED", v.reason
    assert "proof.lean" in v.reason
    text = Path(v.lean_file).read_text()
    assert "theorem floor_fraction" in text and "theorem open2" in text
    check = check_file(v.lean_file, lean=Lean.bundled())
    assert check.accepted, check.reason
    assert not any("open" in statement for statement in check.statements.values())


STATED = CASE.replace("openN", "open1").replace("xN", "x0")
ANYTHING = "(wrong : ∀ a : F32, Eq (F32.ofBits 0x00000000) (Fp.floor a))"
FALSE = "theorem wrong (a : F32) : Eq (Fp.mul .rn a (F32.ofBits 0)) (F32.ofBits 0) := rfl\n"
BEYOND = "reaches beyond a theorem"


@pytest.mark.lean
@pytest.mark.parametrize("text, says", [
    (LEMMAS + OPEN1, "proof.lean has no theorem open2"),
    (LEMMAS + OPEN2, "proof.lean has no theorem open1"),
    ("\n\n" + FALSE, "proof.lean:3: Lean says: Not a definitional equality"),
    (PROOF + FALSE, f"proof.lean:{line(PROOF + FALSE, 'theorem wrong')}: Lean says: Not a definitional equality"),
    (PROOF.replace("floor_fraction x1 c0 c1", "floor_fraction x1 c0 c2"), f"proof.lean:{line(PROOF, 'floor_fraction x1')}: Lean says: Unknown identifier `c2`"),
    (PROOF.replace(STATED, STATED.replace(" (c1 : Eq (Fp.lt x0 (F32.ofBits 0x3f800000)) true)", "")), "Lean says: Unknown identifier `c1`"),
    (PROOF.replace("(c0 : Eq (Fp.lt (F32.ofBits 0x00000000) x1) true)", "(d : F32) (c0 : Eq (Fp.lt (F32.ofBits 0x00000000) x1) true)"),
     "does not prove the open cases as they are stated"),
    (LEMMAS + OPEN2 + STATED + " sorry", "it leaves a proof out"),
    (LEMMAS + OPEN2 + STATED + " by admit", "Lean "),
    (f"axiom wrong {ANYTHING[7:-1]}" + STATED + " wrong x0", "it declares an axiom"),
    (f"variable {ANYTHING}\ninclude wrong" + STATED + " wrong x0", BEYOND),
    (OPEN1 + "end User\n" + OPEN2, BEYOND),
    ("namespace Verdict\n" + PROOF, BEYOND),
    (PROOF.replace("prelude\nimport FloatLib.Pool\n", "open Fp\n"), BEYOND),
    (PROOF + "\ntheorem _root_.Verdict.kernelValue0 : Eq true true := rfl\n", BEYOND),
    (PROOF + "\nset_option debug.skipKernelTC true\n", BEYOND),
    (PROOF + "\nset_option maxRecDepth 100000 in\n", BEYOND),
    (PROOF + '\nnotation "Fp.floor" => Fp.ceil\n', "it changes the language"),
    (PROOF + "\ninstance : F32 := .nan\n", "it declares a type or an instance"),
    (PROOF + "\ndef Fp.floor (a : F32) : F32 := Fp.ceil a\n", "it declares `Fp.floor`"),
    (PROOF + "\n/- open", "a comment that is not closed"),
    (PROOF + "\n@[reducible]", "Lean "),
    (PROOF + "\n/-- dangling -/", "Lean "),
    (PROOF.replace("import FloatLib.Pool", "import Verdict"), "which is not FloatLib"),
    ("-- nothing\n", "it has no theorem"),
])
def test_a_proof_that_is_none(ask: Ask, text: str, says: str) -> None:
    v = ask(proof=text)
    assert v.verdict == "OPEN" and says in v.reason, v.reason
    assert "\n" not in v.reason


@pytest.mark.lean
def test_a_refused_proof_that_was_not_needed_is_named(ask: Ask) -> None:
    v = ask(lemmas=LEMMAS + MARKED, proof=STATED + " sorry")
    assert v.verdict == "PROVED" and "was not needed, and is refused" in v.reason
    assert "sorry" not in Path(v.lean_file).read_text()


# ---- in: lemmas ----

@pytest.mark.lean
@pytest.mark.parametrize("device, mark", [("ieee", "rewrite <-"), ("h100", "rewrite <-"), ("h100", "rewrite"), ("h100", "rewrite ->")])
def test_lemmas_of_a_project(ask: Ask, device: str, mark: str) -> None:
    turned = MARKED.replace("Eq (F32.ofBits 0x00000000) (Fp.floor a) :=", "Eq (Fp.floor a) (F32.ofBits 0x00000000) :=").replace("Eq.symm (", "id (")
    v = ask(device, lemmas=LEMMAS + (MARKED if mark == "rewrite <-" else turned.replace("rewrite <-", mark)))
    assert v.verdict == "PROVED", v.reason
    assert "zero_is_floor" in Path(v.lean_file).read_text()


@pytest.mark.lean
@pytest.mark.parametrize("text, says", [
    (LEMMAS + MARKED.replace("a h h'", "a h g"), f"mine.lean:{line(LEMMAS + MARKED, 'Eq.symm (floor_fraction a')}: Lean says: Unknown identifier `g`"),
    (LEMMAS + MARKED.replace("rewrite <-", "rewrit"), f"mine.lean:{line(LEMMAS + MARKED, '-- devsem')}: a mark is one of"),
    (LEMMAS + "-- devsem: rewrite\n", "no theorem follows this mark"),
    (LEMMAS + MARKED.replace("(Fp.floor a) :=", "a.floor :="), "`a.floor` is not"),
    (LEMMAS + "-- devsem: rewrite\ntheorem known (a b : F32) : Eq (Fp.add .rn a b) (Fp.add .rn b a) := Fp.add_comm a b\n", "the prover already knows `known`"),
    (LEMMAS + "-- devsem: rewrite\ntheorem bare (a : F32) : Eq a (Fp.neg (Fp.neg a)) := Eq.symm (Fp.neg_neg a)\n", "the prover already knows `bare`"),
])
def test_a_lemma_file_that_is_wrong_stops_the_run(ask: Ask, text: str, says: str) -> None:
    with pytest.raises(UsageError) as error:
        ask(lemmas=text)
    assert says in str(error.value) and "\n" not in str(error.value)


@pytest.mark.lean
def test_a_proof_that_uses_nothing_of_a_person_repeats_nothing(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(KERNEL.replace("v > 0.0f && v < 1.0f ? 0.0f : ", "").replace("w > 0.0f && w < 1.0f ? 0.0f : ", ""))
    v = ask(lemmas=LEMMAS + MARKED)
    assert v.verdict == "PROVED" and v.reason == ""
    assert "floor_fraction" not in Path(v.lean_file).read_text()


def marked(tmp_path: Path, statement: str, mark: str = "rewrite") -> dict[str, list[rules.Rule]]:
    """The rules of one lemma, whose proof does not matter here."""
    file = read(written(tmp_path / "mine.lean", f"-- devsem: {mark}\ntheorem mine {statement} := rfl\n"))
    extra: dict[str, list[rules.Rule]] = {}
    for rule in rules.rules([(str(file.path), m) for m in file.marked]):
        extra.setdefault(rule.lhs.op, []).append(rule)
    return extra


def test_a_rule_applies_in_every_order_of_its_arguments(tmp_path: Path) -> None:
    """Whatever order the normal form of an instance has. (That the lemma is false is Lean's business.)"""
    extra = marked(tmp_path, "(a b c : F32) : Eq (Fp.mul .rn (Fp.add .rn a b) (Fp.fma .rn a b c)) (Fp.sqrt .rn c)")
    instances = [(X, Y, Z), (Y, X, Z), (Z, Y, X), (mk("abs", X), mk("sqrt_rn", Y), mk("neg", Z)), (const(3.0), X, Y), (X, const(3.0), Y)]
    for a, b, c in instances:
        for product in (mk("mul_rn", mk("add_rn", a, b), mk("fma_rn", a, b, c)), mk("mul_rn", mk("fma_rn", b, a, c), mk("add_rn", b, a))):
            assert isinstance(prove(product, mk("sqrt_rn", c), extra=extra), Proof), infix(product)
            assert isinstance(prove(product, mk("sqrt_rn", c)), Open)
    assert isinstance(prove(mk("mul_rn", mk("add_rn", X, Y), mk("fma_rn", X, Z, Z)), mk("sqrt_rn", Z), extra=extra), Open)


def test_a_rule_s_left_side_is_brought_to_normal_form(tmp_path: Path) -> None:
    """`a - b` is `a + -b` to the prover."""
    extra = marked(tmp_path, "(a b : F32) : Eq (Fp.sqrt .rn (Fp.sub .rn a b)) (Fp.rint b)")
    assert isinstance(prove(mk("sqrt_rn", mk("add_rn", mk("neg", Y), X)), mk("rint", Y), extra=extra), Proof)


def test_a_rule_without_end_leaves_the_goal_open(tmp_path: Path) -> None:
    extra = marked(tmp_path, "(a : F32) : Eq (Fp.sqrt .rn a) (Fp.sqrt .rn (Fp.rint (Fp.sqrt .rn a)))")
    found = prove(mk("sqrt_rn", X), mk("floor", X), seconds=1.0, extra=extra)
    assert isinstance(found, Open) and ("limit" in found.reason or "nested too deeply" in found.reason), found


@pytest.mark.parametrize("statement, mark, says", [
    ("(a b : F32) : Eq (Fp.sqrt .rn a) (Fp.add .rn a b)", "rewrite", "does not mention every variable"),
    ("(a b : F32) (h : Eq a b) : Eq (Fp.sqrt .rn a) (Fp.sqrt .rn b)", "rewrite", "constant on its right"),
    ("(a : F32) : Eq (Fp.sqrt .rn a) a", "rewrite <-", "rewrites a bare variable"),
    ("{a : F32} : Eq (Fp.sqrt .rn a) a", "rewrite", "in prefix form"),
    ("(a : F32) : Eq (Fp.sqrt .rx a) a", "rewrite", "`Fp.sqrt .rx a` is not"),
    ("(a : F32) : Eq (F32.ofBits 0x1ffffffff) (Fp.sqrt .rn a)", "rewrite <-", "0x1ffffffff` is not"),
    ("(a : F32) : Eq (Fp.lt a) a", "rewrite", "`Fp.lt a` is not"),
    ("(a : F32) : Eq (Fp.lt a a) a", "rewrite", "is not"),
    ("(S : Libm) (a : F32) : Eq (Libm.expf S a) a", "rewrite", "is not"),
    ("(a : F32) : Eq (Fp.sqrt .rn a", "rewrite", "is not"),
])
def test_a_marked_theorem_outside_the_grammar(tmp_path: Path, statement: str, mark: str, says: str) -> None:
    with pytest.raises(Refused) as refused:
        marked(tmp_path, statement, mark)
    assert says in str(refused.value) and str(refused.value).startswith(f"{tmp_path / 'mine.lean'}:2: ")


# ---- the request ----

def test_paths_of_a_project_count_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("k.cu", "k.py", "mine.lean", "proof.lean"):
        (tmp_path / "sub" / name).write_text("")
    file = written(tmp_path / "sub" / "devsem.toml",
                   'devices = ["ieee"]\nlemmas = ["mine.lean"]\n[[kernel]]\nkernel = "k.cu"\nspec = "k.py"\nproof = "proof.lean"\n')
    request = config.load(file, {})[0]
    assert (request.lemmas, request.proof) == ((tmp_path / "sub" / "mine.lean",), tmp_path / "sub" / "proof.lean")


@pytest.mark.parametrize("options, says", [
    ({"proof": Path("absent.lean")}, "no proof file absent.lean"), ({"lemmas": (Path("absent.lean"),)}, "no lemma file absent.lean"),
    ({"emit_goal": Path("g.lean"), "devices": ("ieee", "h100")}, "--emit-goal is about one device"),
])
def test_a_wrong_request(tmp_path: Path, options: dict[str, Any], says: str) -> None:
    kernel = written(tmp_path / "k.cu", "")
    with pytest.raises(UsageError, match=says):
        Request(**{"kernel": kernel, "spec": kernel, "devices": ("ieee",), **options})
