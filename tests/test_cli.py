"""The command line: options, files, exit codes, and what is kept when something goes wrong. The pipeline is a stand-in here."""

from __future__ import annotations

import errno
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import devsem
from devsem import config, verdict
from devsem.cli import run
from devsem.errors import UsageError
from devsem.request import Request
from devsem.verdict import HexWitness, Safety, Verdict

Progress = Callable[[str], None]


def decided(request: Request, device: str, **change: object) -> Verdict:
    """A PROVED that answers the request, or with `change` another verdict."""
    proved = Verdict(
        kernel=str(request.kernel), function="k", spec=str(request.spec), device=device, flags=request.flags, equality=request.equality, verdict="PROVED",
        evidence="documented", safety=Safety("PASS"), theorem="T", lean_file="v.lean", seconds={"total": 0.1},
    )
    return replace(proved, **change)


class StandIn(ModuleType):
    """A pipeline that records its requests; a kernel's name says what becomes of it."""

    def __init__(self) -> None:
        super().__init__("devsem.solutions")
        self.requests: list[Request] = []

    def verify(self, request: Request, progress: Progress) -> list[Verdict]:
        self.requests.append(request)
        progress("lean [1/2]")
        name = request.kernel.stem
        if name == "usage":
            raise UsageError("unknown device `h999`")
        if name == "bug":
            raise ZeroDivisionError("inside")
        if name == "interrupt":
            raise KeyboardInterrupt
        change: dict[str, object] = {}
        if name == "wrong":
            change = {"verdict": "REFUTED", "witness": HexWitness({"x": "0x7fc00000"}, 0, "0x00000000", "0x7fffffff")}
        return [decided(request, device, **change) for device in request.devices]


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StandIn:
    """The stand-in, in an empty current folder with kernels of every name."""
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "devsem.solutions", stand_in)
    monkeypatch.setattr(devsem, "solutions", stand_in, raising=False)
    monkeypatch.delenv("DEVSEM_LEAN", raising=False)
    monkeypatch.chdir(tmp_path)
    for name in ("right", "wrong", "usage", "bug", "interrupt"):
        (tmp_path / f"{name}.cu").write_text("")
    (tmp_path / "spec.py").write_text("")
    return stand_in


def toml(text: str, *kernels: str) -> None:
    """Write devsem.toml with these kernels."""
    Path("devsem.toml").write_text(text + "".join(f'\n[[kernel]]\nkernel = "{name}.cu"\nspec = "spec.py"\n' for name in kernels))


def verify(*args: str) -> int:
    return run(["verify", *args])


def test_every_option_reaches_the_request(pipeline: StandIn) -> None:
    code = verify("right.cu", "--spec", "spec.py", "--device", "t4, a100", "--flags", "-ftz=true -fmad=false", "--bind", "in=x,out=y",
                  "--launch", "grid=1,1,1 block=8,1,1", "--assume", "not isnan(x)", "--assume", "n % 4 == 0", "--equality", "zero-sign",
                  "--function", "k", "--out", "o", "--timeout", "2.5", "--lean", "bin/lean")
    assert code == 0
    assert pipeline.requests == [Request(
        kernel=Path("right.cu"), spec=Path("spec.py"), devices=("t4", "a100"), flags="-ftz=true -fmad=false", bind="in=x,out=y",
        launch="grid=1,1,1 block=8,1,1", assume=("not isnan(x)", "n % 4 == 0"), equality="zero-sign", function="k", out=Path("o"),
        timeout=2.5, lean="bin/lean",
    )]
    assert [v.device for v in verdict.load(Path("o/verdict.json")).verdicts] == ["t4", "a100"]


def test_the_table_goes_to_the_output(pipeline: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("wrong.cu", "--spec", "spec.py", "--device", "ieee") == 1
    out, err = capsys.readouterr()
    assert "ieee" in out and "REFUTED" in out and "0x7fc00000" in out
    assert err == ""


def test_json_on_the_output_is_alone_there(pipeline: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("wrong.cu", "--spec", "spec.py", "--json", "-") == 1
    out, err = capsys.readouterr()
    assert [v["device"] for v in json.loads(out)["verdicts"]] == ["ieee", "h100"]
    assert "REFUTED" in err


def test_json_file(pipeline: StandIn) -> None:
    assert verify("right.cu", "--spec", "spec.py", "--json", "a/b.json") == 0
    assert verdict.load(Path("a/b.json")) == verdict.load(Path("devsem-out/verdict.json"))


def test_the_file_of_kernels(pipeline: StandIn) -> None:
    toml('devices = ["t4"]\ntimeout = 5\n', "right", "wrong")
    Path("devsem.toml").write_text(Path("devsem.toml").read_text() + 'devices = ["a100"]\nflags = "-ftz=true"\nbind = "x,y,n"\nassume = ["isfinite(x)"]\n')
    assert verify() == 1
    first, second = pipeline.requests
    assert (first.kernel, first.devices, first.flags, first.timeout) == (Path("right.cu"), ("t4",), "", 5.0)
    assert (second.kernel, second.devices, second.flags, second.bind, second.assume) == (Path("wrong.cu"), ("a100",), "-ftz=true", "x,y,n", ("isfinite(x)",))
    assert len(verdict.load(Path("devsem-out/verdict.json")).verdicts) == 2


def test_an_option_overrides_the_file(pipeline: StandIn) -> None:
    toml('devices = ["t4"]\n', "right")
    assert verify("--device", "ieee", "--flags", "-fmad=false") == 0
    assert (pipeline.requests[0].devices, pipeline.requests[0].flags) == (("ieee",), "-fmad=false")


RIGHT = ("right.cu", "--spec", "spec.py")


@pytest.mark.parametrize("args, says", [
    (["right.cu"], "--spec SPEC"),
    (["absent.cu", "--spec", "spec.py"], "no kernel file absent.cu"),
    (["right.cu", "--spec", "absent.py"], "no spec file absent.py"),
    (["usage.cu", "--spec", "spec.py"], "unknown device `h999`"),
    ([*RIGHT, "--equality", "close"], "equality 'close' is none of bits, zero-sign"),
    ([*RIGHT, "--device", "ieee,"], "at least one device"),
    ([*RIGHT, "--timeout", "0"], "time-out"),
    ([*RIGHT, "--timeout", "nan"], "time-out"),
    ([*RIGHT, "--timeout", "soon"], "--timeout"),
    ([*RIGHT, "--devcie", "ieee"], "--devcie"),
    ([*RIGHT, "--json", "."], "cannot write ."),
    ([*RIGHT, "--out", "spec.py"], "cannot write spec.py"),
    ([], "no devsem.toml here"),
    (["--bind", "x,y"], "--bind needs a KERNEL"),
    (["--spec", "spec.py"], "--spec needs a KERNEL"),
])
def test_a_wrong_command_is_one_sentence(pipeline: StandIn, capsys: pytest.CaptureFixture[str], args: list[str], says: str) -> None:
    assert verify(*args) == 4
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("devsem: ") and says in lines[0]


ENTRY = '[[kernel]]\nkernel = "right.cu"\nspec = "spec.py"\n'


@pytest.mark.parametrize("text, says", [
    ("x = [", "cannot read devsem.toml"),
    ("", "no [[kernel]]"),
    ('kernel = "a.cu"', "no [[kernel]]"),
    ('[[kernel]]\nspec = "spec.py"', "kernel 1 has no `kernel`"),
    (ENTRY + '[[kernel]]\nkernel = "right.cu"', "kernel 2 has no `spec`"),
    (ENTRY + 'flag = ""', "did you mean `flags`?"),
    (ENTRY + 'devices = "ieee"', "`devices` is a list of strings"),
    (ENTRY + "timeout = true", "`timeout` is a number"),
    (ENTRY.replace("right", "absent"), "devsem.toml, kernel 1: there is no kernel file absent.cu"),
    ('bind = "x"\n' + ENTRY, "unknown key `bind`"),
])
def test_a_wrong_file_of_kernels_is_one_sentence(pipeline: StandIn, capsys: pytest.CaptureFixture[str], text: str, says: str) -> None:
    Path("devsem.toml").write_text(text)
    assert verify() == 4
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and says in lines[0]
    assert pipeline.requests == []


def test_one_kernel_s_failure_keeps_the_others(pipeline: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    toml("", "right", "usage", "bug", "wrong")
    assert verify() == 4
    assert [Path(v.kernel).stem for v in verdict.load(Path("devsem-out/verdict.json")).verdicts] == ["right"] * 2 + ["wrong"] * 2
    err = capsys.readouterr().err.splitlines()
    assert err[0] == "devsem: unknown device `h999`"
    assert err[1].startswith("devsem: internal error (ZeroDivisionError)") and len(err) == 2
    assert "ZeroDivisionError: inside" in Path("devsem-out/internal-error.txt").read_text()


def test_an_interrupt_keeps_what_is_decided(pipeline: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    toml("", "right", "interrupt", "wrong")
    assert verify("--json", "-") == 130
    assert [Path(v.kernel).stem for v in verdict.load(Path("devsem-out/verdict.json")).verdicts] == ["right"] * 2
    out, err = capsys.readouterr()
    assert len(json.loads(out)["verdicts"]) == 2
    assert err.splitlines()[-1] == "devsem: interrupted; what was decided is kept"


def test_a_closed_output_is_no_refutation(pipeline: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "gone")

    monkeypatch.setattr("devsem.report.show", gone)
    assert verify(*RIGHT) == 4


def test_an_older_run_does_not_stand_in_for_this_one(pipeline: StandIn) -> None:
    assert verify("right.cu", "--spec", "spec.py") == 0
    assert verify("bug.cu", "--spec", "spec.py") == 4
    assert verdict.load(Path("devsem-out/verdict.json")).verdicts == ()


def test_explain(pipeline: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("right.cu", "--spec", "spec.py", "--device", "ieee") == 0
    capsys.readouterr()
    assert run(["explain", "devsem-out/verdict.json"]) == 0
    assert "Verdict: PROVED." in capsys.readouterr().out
    assert run(["explain", "spec.py"]) == 4
    assert capsys.readouterr().err.startswith("devsem: spec.py is no JSON")


@pytest.mark.parametrize("args, code, says", [
    ([], 0, "verify"),
    (["--help"], 0, "profiles"),
    (["--version"], 0, f"devsem {devsem.__version__}"),
    (["verify", "--help"], 0, "Exit code: 0 all PROVED"),
    (["lean"], 4, "Missing command"),
    (["prove"], 4, "No such command 'prove'"),
    (["explain"], 4, "VERDICT.json"),
    (["explain", "absent.json"], 4, "cannot read absent.json"),
    (["lean", "check", "absent.lean"], 4, "absent.lean cannot be read"),
    (["profiles", "list"], 0, "h100"),
    (["profiles", "show", "h100", "--flags", "-ftz=true"], 0, "ftz        True"),
    (["profiles", "show", "h999"], 4, "no profile named 'h999'"),
    (["lean", "info", "--lean", "no/such/lean"], 4, "no/such/lean is not a program"),
])
def test_the_rest_of_the_command_line(capsys: pytest.CaptureFixture[str], args: list[str], code: int, says: str) -> None:
    assert run(args) == code
    out, err = capsys.readouterr()
    assert says in (err if code else out)


@pytest.mark.parametrize(("line", "says"), [
    ("max_numel = 0", "1 to 2^30, not 0"), ("max_numel = true", "`max_numel` is a whole number, not True"), ("max_numel = 1.5", "is a whole number, not 1.5"),
    ('assume = "n > 0"', "`assume` is a list of strings"), ("launches = 1", "did you mean `launch`?"),
])
def test_a_kernel_in_the_file_may_have_every_option(tmp_path: Path, line: str, says: str) -> None:
    for name in ("k.cu", "other.cu"):
        (tmp_path / name).touch()
    entry = '[[kernel]]\nkernel = "k.cu"\nspec = "other.cu"\nlaunch = "grid=n block=32"\nbind = "x=n"\nassume = ["n % 4 == 0"]\n'
    (tmp_path / config.FILE).write_text(f"{entry}max_numel = 1048576\n", encoding="utf-8")
    (r,) = config.load(tmp_path / config.FILE, {})
    assert (r.spec, r.launch, r.bind, r.assume, r.max_numel) == (tmp_path / "other.cu", "grid=n block=32", "x=n", ("n % 4 == 0",), 1 << 20)
    (tmp_path / config.FILE).write_text(f'[[kernel]]\nkernel = "k.cu"\nspec = "other.cu"\n{line}\n', encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(says)):
        config.load(tmp_path / config.FILE, {})


EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def test_the_examples_are_a_file_of_kernels() -> None:
    requests = config.load(EXAMPLES / "devsem.toml", {})
    named = {path.name for request in requests for path in (request.kernel, request.spec)}
    assert named == {path.name for path in EXAMPLES.iterdir() if path.suffix in (".cu", ".py")}
    assert {(r.kernel.name, r.flags) for r in requests} >= {("scale.cu", "-ftz=true"), ("scale.cu", ""), ("axpb.cu", "-fmad=false"), ("axpb.cu", "")}


@pytest.mark.parametrize("path", sorted(p for p in EXAMPLES.rglob("*.*") if p.suffix != ".md"), ids=lambda path: path.name)
def test_an_example_says_what_to_look_for(path: Path) -> None:
    first, second, third = path.read_text(encoding="utf-8").splitlines()[:3]
    mark = "//" if path.suffix == ".cu" else "#"
    assert first.startswith(mark) and second.startswith(mark) and not third.startswith(mark)
    assert "Look at" in first + second


def test_the_spec_may_be_the_second_argument(pipeline: StandIn, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify("right.cu", "spec.py") == 0
    assert [r.spec.name for r in pipeline.requests] == ["spec.py"]
    assert verify("right.cu", "spec.py", "--spec", "spec.py") == 4
    assert "the spec is given twice" in capsys.readouterr().err
