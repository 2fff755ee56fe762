"""Audits: what a change of flags, architecture or toolkit does to a kernel. Expected values are GPU_FLOAT.md's facts, section 0, worked out by hand."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from devsem import lock
from devsem.audit import audit, devices_of
from devsem.audit_cells import Against, Audit, Axis, digest, exit_code, to_json
from devsem.audit_report import against
from devsem.cli import run
from devsem.compare import inlined
from devsem.errors import Rejected, UsageError
from devsem.expr import Expr, const, mk, var
from devsem.mnemonics import Change, changes, of_sass
from devsem.ops import F32
from devsem.profile import load_profile
from devsem.reference import Payloads
from devsem.request import Request

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "audit"
A, B = var("a", F32), var("b", F32)


def matrix(name: str, out: Path, archs: tuple[str, ...], flags: tuple[str, ...] = ("",), toolkits: tuple[str, ...] = (), text: bool = False) -> Audit:
    """The audit of an example."""
    request = Request(kernel=EXAMPLES / f"{name}.cu", spec=EXAMPLES / f"{name}.py", devices=devices_of(archs), reading="compiled", out=out, timeout=20.0)
    return audit(request, flags, toolkits, lambda _: None, text)


def compared(found: Audit, axis: Axis) -> list[Against]:
    """Every cell's comparison along an axis, in order."""
    return [a for c in found.cells for a in c.against if a.axis == axis]


def verdicts(found: Audit) -> list[str]:
    return [c.verdict.verdict for c in found.cells]


def test_one_rounding_or_two(two_archs: Audit) -> None:
    """Fact 6: fmaf(a, b, -0) + c is two roundings on sm_90 and one on sm_100."""
    found = two_archs
    assert verdicts(found) == ["PROVED", "REFUTED"]
    (arch,) = compared(found, "arch")
    assert arch.result == "differs" and arch.witness is not None
    # (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is a tie that rounds to 1 + 2^-11; the fused sum keeps the last term
    assert dict(arch.witness.inputs) == {"a": "0x3f800800", "b": "0x3f800800", "c": "0xbf800000"}
    assert (arch.witness.kernel, arch.witness.spec) == ("0x3a000400", "0x3a000000")
    assert Path(arch.lean_file).is_file()
    assert Change("add.rn.f32", 1, 0) in arch.ptx
    assert found.cells[0].function != found.cells[1].function
    text = json.loads(to_json(found))
    assert text["cells"][1]["against"][0]["other"] == {"flags": "", "device": "h100", "arch": "sm_90", "toolkit": found.cells[0].key.toolkit}
    assert (exit_code(found, strict=False), exit_code(found, strict=True)) == (1, 1)


@pytest.mark.slow
def test_a_quotient_becomes_a_product(tmp_path: Path) -> None:
    """Fact 7: under -ftz=true alone, x / 3 is x * 0.33333334 on sm_100."""
    found = matrix("third", tmp_path, ("sm_75", "sm_90", "sm_100"), ("", "-ftz=true"))
    assert verdicts(found) == ["PROVED"] * 3 + ["REFUTED"] * 3
    assert [a.result for a in compared(found, "arch")] == ["equal", "equal", "equal", "differs"]
    assert [a.result for a in compared(found, "flags")] == ["differs"] * 3
    *_, last = compared(found, "arch")
    assert last.witness is not None
    # 5/3 is 0x3fd55555 by IEEE division
    assert (dict(last.witness.inputs), last.witness.kernel, last.witness.spec) == ({"x": "0x40a00000"}, "0x3fd55556", "0x3fd55555")
    assert {Change("mul.rn.ftz.f32", 0, 1), Change("div.rn.ftz.f32", 1, 0)} <= set(last.ptx)


@pytest.mark.slow
def test_another_program_for_one_function(tmp_path: Path) -> None:
    """Fact 9: a threshold is a selection on sm_75, FMNMX.NAN on sm_80 and later; the values are equal, all NaNs being one."""
    found = matrix("threshold", tmp_path, ("sm_75", "sm_80", "sm_90", "sm_100"))
    assert verdicts(found) == ["PROVED"] * 4
    for a in compared(found, "arch"):
        assert a.result == "equal" and Path(a.lean_file).is_file() and "kernel[i] = other[i]" in a.theorem
        assert {Change("max.NaN.f32", 0, 1), Change("selp.f32", 1, 0)} <= set(a.ptx)
        assert not a.sass or {Change("FMNMX.NAN", 0, 1), Change("FSEL", 1, 0)} <= set(a.sass)
    assert (exit_code(found, strict=False), exit_code(found, strict=True)) == (0, 0)


@pytest.mark.slow
def test_the_text_against_the_machine(tmp_path: Path) -> None:
    """Fact 10: x < 0 ? x : 0 becomes min(x, +0), whose value at -0 is -0, on every architecture; the text says +0."""
    found = matrix("below_zero", tmp_path, ("sm_75", "sm_90", "sm_100"), text=True)
    assert verdicts(found) == ["REFUTED"] * 3
    assert [a.result for a in compared(found, "arch")] == ["equal", "equal"]
    for a in compared(found, "text"):
        assert a.result == "differs" and a.witness is not None
        assert (dict(a.witness.inputs), a.witness.kernel, a.witness.spec) == ({"x": "0x80000000"}, "0x80000000", "0x00000000")


@pytest.mark.slow
def test_an_instruction_of_two_architectures_is_an_obligation(tmp_path: Path) -> None:
    """ex2.approx and rcp.approx have no definition, so that one program on two architectures is one function only if they agree."""
    folder = EXAMPLES.parent
    request = Request(kernel=folder / "sigmoid.cu", spec=folder / "sigmoid.py", devices=("h100", "b200"), reading="compiled", out=tmp_path, timeout=5.0)
    (arch,) = compared(audit(request, ("-use_fast_math",), (), lambda _: None), "arch")
    assert arch.result == "equal" and "given that ex2.approx.ftz.f32 agrees" in arch.theorem
    taken = "taken to be one function on sm_90 and sm_100: no document or record says so"
    assert [(o.name, o.status, o.evidence) for o in arch.obligations] == [(name, "assumed", taken) for name in ("ex2.approx.ftz.f32", "rcp.approx.ftz.f32")]
    assert against(arch) == "first arch: equal (theorem), given ex2.approx.ftz.f32 and rcp.approx.ftz.f32"


@pytest.mark.slow
def test_flags_and_toolkits(tmp_path: Path) -> None:
    """Cells that the compiler makes the same program of are the same without a proof; others need a theorem.

    Under -ftz=true only the comparison is flushed, whose result max.NaN, the instruction that decides, does not use."""
    found = matrix("threshold", tmp_path, ("sm_90",), ("", "-fmad=false", "-ftz=true"), ("13.0", "12.8"))
    assert [str(c.key) for c in found.cells[:2]] == ["(no flags) sm_90 13.0", "(no flags) sm_90 12.8"]
    results = {(str(c.key), a.axis): a.result for c in found.cells for a in c.against}
    assert results["-fmad=false sm_90 13.0", "flags"] == "same"
    assert results["(no flags) sm_90 12.8", "toolkit"] == "same"
    (ftz,) = (a for c in found.cells for a in c.against if a.axis == "flags" and str(c.key) == "-ftz=true sm_90 13.0")
    assert ftz.result == "equal" and set(ftz.ptx) == {Change("setp.le.ftz.f32", 0, 1), Change("setp.le.f32", 1, 0)}


@pytest.fixture(scope="module")
def two_archs(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    """The matrix of the first fact."""
    return matrix("fma_zero", tmp_path_factory.mktemp("out"), ("sm_90", "sm_100"))


def test_a_lock_goes_round(two_archs: Audit, tmp_path: Path) -> None:
    """What is written is read back, and the same audit has no change to it; the same file comes of it again."""
    file, question = tmp_path / "devsem.lock", {"launch": "1d", "bind": ""}
    lock.write(file, None, "k.cu", lock.locked(two_archs, question))
    text, found = file.read_text(), lock.load(file)
    assert found is not None and list(lock.changes(found.kernels["k.cu"], two_archs)) == []
    lock.write(file, found, "k.cu", lock.locked(two_archs, question))
    assert file.read_text() == text and json.loads(text)["kernels"]["k.cu"]["cells"][0]["verdict"] == "REFUTED"      # sm_100 sorts before sm_90
    lock.same_question(file, found.kernels["k.cu"], question)
    with pytest.raises(UsageError, match="was written with bind '', and this is 'n=n'"):
        lock.same_question(file, found.kernels["k.cu"], {**question, "bind": "n=n"})


def test_a_lock_notices(two_archs: Audit) -> None:
    """Another verdict, another function and an unknown cell, each named; a cell under another toolkit has its own."""
    kernel = lock.locked(two_archs, {})
    of_100, of_90 = kernel.cells
    changed = replace(kernel, cells=(replace(of_100, verdict="PROVED"), replace(of_90, function=of_100.function, rows=of_100.rows)))
    said = list(lock.changes(changed, two_archs))
    assert len(said) == 2
    assert "sm_90" in said[0] and "the function changed" in said[0] and of_100.function[:12] in said[0]
    assert "sm_100" in said[1] and "the verdict was PROVED and is REFUTED, at a = 0x3f800800" in said[1]
    (missing,) = lock.changes(replace(kernel, cells=(of_90,)), two_archs)
    assert "sm_100" in missing and "--update" in missing
    older = replace(kernel, cells=(of_100, replace(of_90, toolkit="11.0", verdict="OPEN")))
    (upgraded,) = lock.changes(older, two_archs)
    assert "(locked with 11.0): the verdict was OPEN and is PROVED" in upgraded


@pytest.mark.parametrize(("text", "said"), [
    ("", "it is not JSON"), ("{", "it is not JSON"), ("[" * 100_000, "it is not JSON"), ("[]", "no lock file of this devsem"), ("{}", "no lock file"),
    ('{"lock": 2, "kernels": {}}', "no lock file"), ('{"lock": 1}', "kernels"), ('{"lock": 1, "kernels": {"k": 3}}', "kernels"),
    ('{"schema": 1, "verdicts": []}', "no lock file"), ('{"lock": 1, "kernels": {}, "more": 1}', "more"),
])
def test_a_foreign_lock_is_one_sentence(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "devsem.lock"
    file.write_text(text)
    code = run(["audit", str(EXAMPLES / "third.cu"), "--spec", str(EXAMPLES / "third.py"), "--out", str(tmp_path), "--lock", str(file)])
    out = capsys.readouterr()
    assert code == 4 and said in out.err and out.err.count("\n") == 1 and file.read_text() == text


@pytest.mark.parametrize("row", [
    ["add_rn", "0", "7"], ["add_rn", "0"], ["no_such", "0", "0"], ["add_rn", "-1", "0"],
    ["var", "F33", "x"], ["const", "F32", "0x1ffffffff"], ["const", "F32", "x"], [],
])
def test_a_damaged_function_is_refused(row: list[str], two_archs: Audit, tmp_path: Path) -> None:
    file = tmp_path / "devsem.lock"
    lock.write(file, None, "k.cu", lock.locked(two_archs, {}))
    data = json.loads(file.read_text())
    data["kernels"]["k.cu"]["cells"][0]["rows"][1] = row
    file.write_text(json.dumps(data))
    with pytest.raises(UsageError, match=r"is damaged: the function of k\.cu"):
        lock.load(file)


@pytest.mark.slow
def test_a_lock_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Written, met, and broken by another kernel, whose difference is shown; an equal kernel of another form is no change."""
    kernel, file = tmp_path / "k.cu", tmp_path / "devsem.lock"
    text = (EXAMPLES / "fma_zero.cu").read_text()
    command = ["audit", str(kernel), "--spec", str(EXAMPLES / "fma_zero.py"), "--arch", "sm_90", "--out", str(tmp_path / "out"), "--lock", str(file)]
    kernel.write_text(text)
    assert run(command) == 0
    kept = file.read_text()
    kernel.write_text(text.replace("fmaf(a[i], b[i], -0.0f) + c[i]", "__fadd_rn(__fmul_rn(a[i], b[i]), c[i])"))
    assert run(command) == 0
    assert "the lock: equal (theorem)" in capsys.readouterr().out
    kernel.write_text(text.replace("fmaf(a[i], b[i], -0.0f) + c[i]", "fmaf(a[i], b[i], c[i])"))
    assert run(command) == 1
    said = capsys.readouterr().out
    assert "the verdict was PROVED and is REFUTED" in said
    assert "at a = 0x3f800800 (1.0002441), b = 0x3f800800 (1.0002441), c = 0xbf800000 (-1.0) it was 0x3a000000" in said
    assert file.read_text() == kept
    assert run([*command, "--update"]) == 1 and file.read_text() != kept        # exit code 1 is the REFUTED's
    assert run(command) == 1 and "changed:" not in capsys.readouterr().out


def test_changes_of_instructions() -> None:
    assert changes({"mul": 2, "add": 1, "mov": 1}, {"fma": 1, "add": 1, "mov": 3}) == (Change("fma", 0, 1), Change("mul", 2, 0), Change("mov", 1, 3))
    assert [str(c) for c in changes({"mul": 2}, {"fma": 1})] == ["+1 fma", "-2 mul"]
    assert of_sass(["@!P0 FADD.FTZ R0, R1, R2", "EXIT", "NOP", "NOP", "FADD.FTZ R3, R1, R2"]) == {"EXIT": 1, "FADD.FTZ": 2}


def test_a_digest_is_of_the_structure() -> None:
    """The same for equal expressions, in whatever order the alternatives are; another one for another expression."""
    def add(x: Expr, y: Expr) -> Expr:
        return mk("add_rn", x, y)
    assert digest([(add(A, B),)]) == digest([(add(A, B),)])
    assert len({digest([(e,)]) for e in (A, B, add(A, B), add(B, A), add(A, const(1.0)), add(A, const(2.0)), mk("mul_rn", A, B))}) == 7
    assert digest([(A,), (B,)]) == digest([(B,), (A,)]) != digest([(A, B)])

    def sha(*words: str) -> str:
        return hashlib.sha256("\0".join(words).encode()).hexdigest()
    # as lock files keep it: a node is its operation, sort, value, name and arguments
    assert digest([(add(A, B),)]) == sha(sha("add_rn", "F32", "0", "", sha("var", "F32", "0", "a"), sha("var", "F32", "0", "b")))


def test_the_devices_of_architectures() -> None:
    assert devices_of(("sm_75", "sm_90", "sm_100")) == ("t4", "h100", "b200")
    with pytest.raises(UsageError, match=r"no profile has the architecture 'sm_60' \(known: sm_75, sm_80, sm_89, sm_90, sm_100, sm_120\)"):
        devices_of(("sm_60",))


@pytest.mark.parametrize(("args", "said"), [
    (["--arch", "sm_90", "--device", "h100"], "--arch or --device, not both"),
    (["--arch", "sm_1"], "no profile has the architecture"),
    (["--device", "ieee"], "is no device"),
    (["--flags=-ftz=maybe"], "ftz"),
    (["--toolkit", "9.9"], "9.9"),
    (["--equality", "nearly"], "equality"),
])
def test_a_wrong_command_is_one_sentence(args: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = run(["audit", str(EXAMPLES / "third.cu"), "--spec", str(EXAMPLES / "third.py"), "--out", str(tmp_path), *args])
    out = capsys.readouterr()
    assert code == 4 and said in out.err and out.err.count("\n") == 1 and not out.out


def test_a_flushed_library_function_is_not_compared() -> None:
    """Its body is another than that of the default flags, so that the text is not compared with it, and nothing fails."""
    x = var("x", F32)
    with pytest.raises(Rejected, match="expf under these flags is not compiled by itself yet"):
        inlined(mk("D.expf_ftz", x), load_profile("h100", "-ftz=true"), None, Payloads({x: 0}))
