"""Replaying verdicts through the emulator: what a verdict says of a whole launch, true and made-up. Every pattern here was worked out by hand."""

from __future__ import annotations

import dataclasses
import json
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from cases import REGRESSIONS, Case, cases, spec_of

from devsem import cli, pipeline, replay as replay_module
from devsem.errors import UsageError
from devsem.expr import mk, var
from devsem.frontend import capture_process, spec as spec_module
from devsem.frontend.spec import Spec, SpecInput
from devsem.leancheck import Check
from devsem.ops import F32
from devsem.profile import load_profile
from devsem.readings import Compiled, read_compiled
from devsem.replay import Replayed, replay
from devsem.verdict import HexBound, HexWitness, Safety, Verdict, document, sha256_of, to_json

X = var("x", F32)
SPEC = Spec("relu", (SpecInput("x", "input", (16,)),), (mk("max_nan", X, mk("sub_rn", X, X)),), ())
HEAD = 'extern "C" __global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; '
NAN, QUIET = "0x7fc00000", "0x7fffffff"


@pytest.fixture(autouse=True)
def compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_module, "read_compiled",
                        lambda path, function, profile, toolkit: compiled(path.read_bytes(), function, profile.name, profile.flags))


@lru_cache
def compiled(text: bytes, function: str, device: str, flags: str) -> Compiled:
    """A text under one name, so that it need be compiled once."""
    with TemporaryDirectory() as folder:
        (path := Path(folder) / "k.cu").write_bytes(text)
        return read_compiled(path, function, load_profile(device, flags), None)


def verdict(kernel: Path, witness: HexWitness | None = None, **other: object) -> Verdict:
    """A refutation of compiled code."""
    rest = {"theorem": "t", "lean_file": "k.lean"} if witness else {}
    spec = kernel.with_name("spec.py")
    if kernel.is_file():
        spec.write_text("# not run here")
        rest |= {"kernel_digest": sha256_of(kernel), "spec_digest": sha256_of(spec)}
    return Verdict(**{"kernel": str(kernel), "function": "k", "spec": str(spec), "device": "h100", "flags": "", "reading": "both", "verdict": "REFUTED",  # type: ignore[arg-type]
                      "witness": witness, "evidence": "documented", "seconds": {"total": 1.0}, **rest, **other})


def replayed(path: Path, body: str, witness: HexWitness | None, **other: object) -> Replayed:
    kernel = path / "k.cu"
    kernel.write_text(HEAD + body + " }\n")
    return replay(verdict(kernel, witness, **other), SPEC)


def test_a_witness_is_found_again_at_every_size(tmp_path: Path) -> None:
    done = replayed(tmp_path, "if (i < n) y[i] = fmaxf(x[i], 0.0f);", HexWitness({"x": NAN}, 0, "0x00000000", QUIET))
    assert done == Replayed("agrees", "", "0x00000000", ("0x00000000",), (1, 33, 1000))


def test_nans_are_one(tmp_path: Path) -> None:
    assert replayed(tmp_path, "if (i < n) y[i] = x[i];", HexWitness({"x": NAN}, 0, QUIET, "0x00000000")).result == "agrees"


def test_another_output_than_the_verdict_says(tmp_path: Path) -> None:
    """Of -2 it is +0, and never 1; the verdict's 1 is made up."""
    done = replayed(tmp_path, "if (i < n) y[i] = fmaxf(x[i], 0.0f);", HexWitness({"x": "0xc0000000"}, 0, "0x3f800000", "0x00000000"))
    assert (done.result, done.said, done.found) == ("differs", "0x3f800000", ("0x00000000",))


def test_an_output_that_is_right_at_some_elements_only(tmp_path: Path) -> None:
    done = replayed(tmp_path, "if (i < n) y[i] = i == 999 ? 2.0f : x[i];", HexWitness({"x": "0x3f800000"}, 0, "0x3f800000", "0x00000000"))
    assert (done.result, done.found) == ("differs", ("0x3f800000", "0x40000000")), done


def test_a_witness_within_documented_bounds(tmp_path: Path) -> None:
    """ex2.approx of 3 is 8, or up to 2 ulp from it; the nominal value is 8, the verdict's representative the ulp below, which the bound allows."""
    body, below = "if (i < n) y[i] = exp2f(x[i]);", "0x40ffffff"
    witness = HexWitness({"x": "0x40400000"}, 0, below, "0x00000000")
    bound = HexBound("D.ex2_approx_ftz", ("0x40400000",), (below, "0x41000000"), "2 ulp")
    assert replayed(tmp_path, body, witness, flags="-use_fast_math", bounds=(bound,)).result == "agrees"
    assert replayed(tmp_path, body, witness, flags="-use_fast_math").found == ("0x41000000",)


def unsafe(condition: str, **other: str | int) -> dict[str, object]:
    return {"safety": Safety("FAIL", {"condition": condition, "buffer": "y", "n": 5, "blockDim.x": 4, **other})}


@pytest.mark.parametrize(("body", "condition", "other", "result", "found"), [
    ("y[i] = x[i] + 1.0f;", "a thread writes y out of bounds", {}, "agrees", "out of bounds"),
    ("if (i < n) y[i] = x[i] + 1.0f;", "a thread writes y out of bounds", {}, "differs", "no fault"),
    ("if (i < n && x[i] > 0.0f) y[i] = 1.0f;", "a thread leaves an element of y unwritten", {"x": "0xbf800000"}, "agrees", "an element keeps what it had"),
    ("if (i < n && x[i] > 0.0f) y[i] = 1.0f;", "a thread leaves an element of y unwritten", {"x": "0x3f800000"}, "differs", "every element is written"),
])
def test_an_unsafe_access_happens_or_not(tmp_path: Path, body: str, condition: str, other: dict[str, str], result: str, found: str) -> None:
    done = replayed(tmp_path, body, None, **unsafe(condition, **other))
    assert (done.result, done.found) == (result, (found,)), done


def test_what_cannot_be_run_says_why(tmp_path: Path) -> None:
    done = replayed(tmp_path, "if (i < n) y[i] = x[i];", None, reading="written", **unsafe("a thread writes y out of bounds"))
    assert done.result == "not replayed" and "compiled" in done.reason
    done = replayed(tmp_path, "if (i < n) atomicAdd(y + i, x[i]);", None, **unsafe("a thread writes y out of bounds"))
    assert done.result == "not replayed" and "atomic" in done.reason
    with pytest.raises(UsageError, match=r"kernel absent\.cu is not there"):
        replay(verdict(Path("absent.cu"), None, **unsafe("")), SPEC)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(spec_module, "load_spec", lambda path: SPEC)
    monkeypatch.setattr(capture_process, "warm", lambda: None)
    kernel, file = tmp_path / "k.cu", tmp_path / "verdict.json"
    kernel.write_text(HEAD + "if (i < n) y[i] = fmaxf(x[i], 0.0f); }\n")
    right, wrong = (verdict(kernel, HexWitness({"x": NAN}, 0, pattern, QUIET)) for pattern in ("0x00000000", "0x3f800000"))
    text = verdict(kernel, HexWitness({"x": NAN}, 0, "0x00000000", QUIET), reading="written", device="ieee")
    for verdicts, code, lines in (((right, text), 0, ["agrees"]), ((right, wrong), 1, ["agrees", "differs"])):
        file.write_text(to_json(document(verdicts, "")))
        assert cli.run(["replay", str(file), "--gpu", "emulator"]) == code
        said = capsys.readouterr().out.splitlines()
        assert len(said) == len(lines) and all(word in line for word, line in zip(lines, said, strict=True)), said
    assert said[1].endswith("differs: the verdict says 0x3f800000, the launch gives 0x00000000")
    file.write_text(to_json(document((text,), "")))
    assert cli.run(["replay", str(file)]) == 4 and "no refutation of compiled code" in capsys.readouterr().err
    assert json.loads(file.read_text())["verdicts"][0]["verdict"] == "REFUTED"


REFUTED = [c for c in (*cases(), *cases(REGRESSIONS)) if c.expected.verdict == "REFUTED" and c.expected.device != "ieee"]
UNREAD = {"73_powers_logs/exchanged h100"}      # the symbolic run refuses the compiled code


@pytest.mark.slow
@pytest.mark.parametrize("case", REFUTED, ids=[c.name for c in REFUTED])
def test_every_refutation_of_the_corpus_is_what_a_launch_does(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit for bit; whether Lean accepts the texts is `test_corpus`'s question."""
    monkeypatch.setattr(pipeline, "load_spec", lambda path, timeout: spec_of(path))
    monkeypatch.setattr(pipeline.leancheck, "check_text", lambda *args, **options: Check(True, ""))
    for v in pipeline.verify(dataclasses.replace(case.request(tmp_path), reading="both"), lambda text: None):
        assert v.verdict == "REFUTED"
        assert (v.reading == "written") == (case.name in UNREAD)
        done = replay(v, spec_of(v.spec))
        assert done.result == ("not replayed" if case.name in UNREAD else "agrees"), f"{v.device}: {done}"
