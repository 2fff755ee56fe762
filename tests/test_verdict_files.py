"""What `verify` writes is accepted by `lean check`; a changed digit, a weaker proof or another statement is not."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from draw import seed

from devsem.leancheck import check_file
from devsem.leanrun import Lean
from devsem.pipeline import verify
from devsem.request import Reading, Request
from devsem.verdict import Verdict

EXAMPLES = Path(__file__).parent.parent / "examples"
DIGITS = "0123456789abcdef"


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """A proved and two refuted examples, as written; the proved one as compiled too."""
    out = tmp_path_factory.mktemp("out")

    def decided(name: str, reading: Reading) -> Verdict:
        return verify(Request(kernel=EXAMPLES / f"{name}.cu", spec=EXAMPLES / f"{name}.py", devices=("h100",), reading=reading, out=out), lambda _: None)[0]

    return {**{name: decided(name, "written") for name in ("leaky_relu", "relu_fmaxf", "axpb")}, "compiled": decided("leaky_relu", "compiled")}


@pytest.fixture(scope="module")
def lean() -> Lean:
    return Lean.bundled()


@pytest.mark.lean
@pytest.mark.parametrize("name", ["leaky_relu", "relu_fmaxf", "axpb", "compiled"])
def test_a_verdict_file_is_accepted(verdicts: dict[str, Verdict], lean: Lean, name: str) -> None:
    check = check_file(Path(verdicts[name].lean_file), lean=lean)
    assert check.accepted, check.reason
    assert set(check.axioms) >= {f"Verdict.{'kernel_eq_spec0' if name in ('leaky_relu', 'compiled') else 'kernel_ne_spec'}"}


@pytest.mark.lean
@pytest.mark.parametrize("name", ["relu_fmaxf", "axpb"])
def test_editing_one_digit_of_the_witness_is_refused(verdicts: dict[str, Verdict], lean: Lean, name: str, tmp_path: Path) -> None:
    verdict = verdicts[name]
    assert verdict.verdict == "REFUTED" and verdict.witness is not None
    text = Path(verdict.lean_file).read_text()
    code = text[text.index("def pattern"):]
    start = seed()
    rng = random.Random(start)
    places = [m.start() + 2 + rng.randrange(8) for pattern in verdict.witness.inputs.values() for m in re.finditer(pattern, code)]
    for at in rng.sample(places, min(6, len(places))):
        digit = rng.choice([d for d in DIGITS if d != code[at]])
        edited = tmp_path / "edited.lean"
        edited.write_text(text[: len(text) - len(code)] + code[:at] + digit + code[at + 1:])
        check = check_file(edited, lean=lean)
        assert not check.accepted, f"seed {start}: digit {at} became {digit}: {code[max(0, at - 60):at + 20]!r}"


@pytest.mark.lean
def test_a_proof_by_sorry_is_refused(verdicts: dict[str, Verdict], lean: Lean, tmp_path: Path) -> None:
    text = Path(verdicts["leaky_relu"].lean_file).read_text()
    start, end = text.index("theorem value0"), text.index("/-- THE THEOREM")
    statement = text[start:text.index(":=", start)]
    for proof in ("sorry", "value0 D S x0", "rfl"):
        edited = tmp_path / "edited.lean"
        edited.write_text(text[:start] + statement + f":= {proof}\n\n" + text[end:])
        assert not check_file(edited, lean=lean).accepted, proof


@pytest.mark.lean
def test_another_kernel_under_the_same_proof_is_refused(verdicts: dict[str, Verdict], lean: Lean, tmp_path: Path) -> None:
    """The theorem depends on the kernel's text: another slope, another comparison or another device is another theorem."""
    changes = (("leaky_relu", "0x3c23d70a", "0x3c23d70b"), ("leaky_relu", "Profile.le P", "Profile.lt P"), ("leaky_relu", "U32.slt", "U32.sle"),
               ("leaky_relu", "Profile.mk true false", "Profile.mk true true"), ("compiled", "0x3c23d70a", "0x3c23d70b"),
               ("compiled", "Fp.mul .rn", "Fp.mul .rz"))
    for name, old, new in changes:
        text = Path(verdicts[name].lean_file).read_text()
        assert old in text
        edited = tmp_path / "edited.lean"
        edited.write_text(text.replace(old, new, 1))
        assert not check_file(edited, lean=lean).accepted, (old, new)
