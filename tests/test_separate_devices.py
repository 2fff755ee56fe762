"""`devsem separate`: the same kernel on two devices or under two sets of flags. Every witness was worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devsem.apart import Apart, Side
from devsem.cli import run
from devsem.errors import Bug
from devsem.profile import profiles_dir

HEAD = 'extern "C" __global__ void k({}float* r, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) {} }}\n'


def kernel(folder: Path, body: str, buffers: str = "x") -> str:
    """A kernel of one file; `buffers` are what it reads."""
    path = folder / "k.cu"
    path.write_text(HEAD.format("".join(f"const float* {b}, " for b in buffers), body))
    return str(path)


def flusher(folder: Path, arch: str) -> str:
    """A profile as `calibrate --gpu host:ftz` might give it: IEEE, but for flushing."""
    text = (profiles_dir() / "ieee.toml").read_text(encoding="utf-8").replace('name = "ieee"', 'name = "flusher"').replace('arch = ""', f'arch = "{arch}"')
    head, _, rest = text.partition("[fields.ftz]\nvalue = false")
    assert rest
    path = folder / "flusher.toml"
    path.write_text(f"{head}[fields.ftz]\nvalue = true{rest}")
    return str(path)


def asked(folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    """The exit code, the JSON and the words of a command."""
    file = folder / "apart.json"
    code = run(["separate", *command, "--out", str(folder / "out"), "--json", str(file), "--timeout", "20"])
    out = capsys.readouterr()
    assert not out.err, out.err
    return code, json.loads(file.read_text(encoding="utf-8")), out.out


HALF = "r[i] = x[i] * 0.5f;"
SMALLEST = ({"x": "0x00800000"}, "0x00400000", "0x00000000")     # 2^-126 halved is 2^-127, a subnormal number


@pytest.mark.parametrize("arch", ["", "sm_90"])
def test_a_profile_that_flushes_and_one_that_does_not(arch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A device that flushes without `.ftz` is not read as compiled: its code says otherwise."""
    code, found, words = asked(tmp_path, [kernel(tmp_path, HALF), "--device", f"ieee,{flusher(tmp_path, arch)}"], capsys)
    assert (code, found["inputs"], found["first_value"], found["second_value"]) == (1, *SMALLEST)
    assert [found[s]["reading"] for s in ("first", "second")] == ["written", "written"]
    assert Path(found["lean_file"]).is_file() and "SEPARATED" in words and "0x00400000 (5.877472e-39)" in words


def test_flags_that_flush(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = asked(tmp_path, [kernel(tmp_path, HALF), "--flags=-ftz=true"], capsys)
    assert (code, found["inputs"], found["first_value"], found["second_value"]) == (1, *SMALLEST)
    assert (found["first"]["flags"], found["second"]["flags"], found["first"]["reading"]) == ("", "-ftz=true", "compiled")


def test_the_text_of_one_side_against_the_code_of_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The flusher stands first, and is the spec's side of the goal: its value is given as the first."""
    code, found, _ = asked(tmp_path, [kernel(tmp_path, HALF), "--device", f"{flusher(tmp_path, '')},h100"], capsys)
    inputs, kept, flushed = SMALLEST
    assert (code, found["inputs"], found["first_value"], found["second_value"]) == (1, inputs, flushed, kept)


def test_a_kernel_that_is_the_same_on_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, words = asked(tmp_path, [kernel(tmp_path, HALF), "--device", "h100,t4"], capsys)
    assert (code, found["result"], found["obligations"]) == (0, "equal", []) and "first[i] = second[i]" in found["theorem"]
    assert Path(found["lean_file"]).is_file() and "PROVED equal" in words


def test_contraction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """(1 + 2^-12)^2 - 1 is 2^-11 + 2^-24, whose last term a rounded product has lost. A spec gives the tensors other names."""
    path = kernel(tmp_path, "r[i] = a[i] * b[i] + c[i];", "abc")
    code, found, _ = asked(tmp_path, [path, "--flags=-fmad=true", "--flags=-fmad=false"], capsys)
    assert (code, found["first_value"], found["second_value"]) == (1, "0x3a000400", "0x3a000000")
    assert found["inputs"] == {"a": "0x3f800800", "b": "0x3f800800", "c": "0xbf800000"}


def test_expf_on_two_architectures_is_equal_if_the_instruction_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, words = asked(tmp_path, [kernel(tmp_path, "r[i] = expf(x[i]);"), "--device", "h100,b200"], capsys)
    assert (code, [(o["name"], o["status"]) for o in found["obligations"]]) == (0, [("ex2.approx.ftz.f32", "assumed")])
    assert "taken to be one function on both sides: no document or record says so" in words and "given that ex2.approx.ftz.f32 agrees" in found["theorem"]


def test_fast_expf_differs_whatever_the_instruction_gives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where e^x is subnormal the fast one is flushed to 0, the accurate one is not: true for all values that the documents allow."""
    code, found, _ = asked(tmp_path, [kernel(tmp_path, "r[i] = expf(x[i]);"), "--flags=-use_fast_math"], capsys)
    x = int(found["inputs"]["x"], 16)
    assert code == 1 and 0xC2AEAC4F < x < 0xC2CFF1B5        # below -126 ln 2 = -87.34, above -150 ln 2 = -103.97
    assert found["second_value"] == "0x00000000" and 0 < int(found["first_value"], 16) < 0x00800000
    assert {b["function"] for b in found["bounds"]} == {"ex2_approx_ftz on h100", "ex2_approx_ftz on h100 -use_fast_math"}


def test_what_no_document_decides_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """rcp.approx is within 1 ulp of the quotient: it may be it or not."""
    code, found, words = asked(tmp_path, [kernel(tmp_path, "r[i] = 1.0f / x[i];"), "--flags=-prec-div=false"], capsys)
    assert (code, found["result"]) == (2, "open") and found["reason"] in words and found["lean_file"] == ""


@pytest.mark.parametrize(("devices", "flags", "why"), [
    ("ieee,FLUSHER", "", "the kernel uses expf_ftz"), ("FLUSHER,ieee", "", "the kernel uses expf_ftz"),
    ("FLUSHER,h100", "", "on flusher the text is not compared: expf under these flags"), ("ieee,h100", "-ftz=true", "on ieee -ftz=true the text is not"),
])
def test_a_function_of_which_nothing_is_known_is_open(devices: str, flags: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [kernel(tmp_path, "r[i] = expf(x[i]);"), "--device", devices.replace("FLUSHER", flusher(tmp_path, "")), f"--flags={flags}"]
    code, found, _ = asked(tmp_path, command, capsys)
    assert (code, found["result"]) == (2, "open") and found["reason"].startswith(why)


@pytest.mark.slow
def test_of_several_ways_to_fuse_all_have_to_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A profile that contracts, read by its text, may fuse either product of two: which of them is not the device's to say."""
    text = Path(flusher(tmp_path, "")).read_text()
    (path := tmp_path / "fuser.toml").write_text(text.replace("[fields.contract]\nvalue = false", "[fields.contract]\nvalue = true"))
    body = kernel(tmp_path, "r[i] = a[i] * b[i] + c[i] * d[i];", "abcd")
    for devices in (f"ieee,{path}", f"{path},ieee"):
        code, found, words = asked(tmp_path, [body, "--device", devices], capsys)
        assert code == 1 and "may fuse products in 2 ways, which all differ from ieee" in found["reason"] and found["reason"] in words
    (other := tmp_path / "other.toml").write_text(path.read_text().replace('name = "flusher"', 'name = "other"'))
    code, found, _ = asked(tmp_path, [body, "--device", f"{path},{other}"], capsys)
    assert code == 2 and "free to fuse products in several ways" in found["reason"]


def test_a_device_with_an_open_field_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(flusher(tmp_path, ""))
    text = path.read_text().replace('[fields.window]\nvalue = "result"', '[fields.window]\nvalue = "after"')
    path.write_text(text)
    assert run(["separate", kernel(tmp_path, HALF), "--device", f"{path},h100"]) == 4
    assert "window" in capsys.readouterr().err and '"after"' in text


def test_a_kernel_that_is_not_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found, words = asked(tmp_path, [kernel(tmp_path, "atomicAdd(r + i, x[i]);"), "--flags=-ftz=true"], capsys)
    assert (code, found["result"], [r["code"] for r in found["rejections"]]) == (3, "rejected", ["ptx.atomic"])
    assert "REJECTED" in words and "[ptx.atomic]" in words


def test_an_unsafe_kernel_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "k.cu"
    path.write_text(HEAD.format("const float* x, ", "r[i] = x[i];").replace("if (i < n)", ""))
    code, found, _ = asked(tmp_path, [str(path), "--device", "h100,t4"], capsys)
    assert code == 2 and "the safety gate does not pass the kernel on h100" in found["reason"]


@pytest.mark.parametrize(("args", "said"), [
    ([], "both sides are h100"), (["--device", "h100,h100"], "both sides are h100"), (["--device", "h100,t4,b200"], "one or two devices"),
    (["--flags=-ftz=true"] * 2, "both sides are h100 -ftz=true"), (["--device", "h100,"], "one or two devices"),
    (["--device", "h100,mi300"], "no profile named"),
    (["--flags=-ftz=maybe"], "ftz"), (["--flags=-ftz=true", "--bind", "q=1"], "--bind"), (["--flags=-ftz=true", "--timeout", "0"], "time-out"),
])
def test_a_wrong_command_is_one_sentence(args: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["separate", kernel(tmp_path, HALF), "--out", str(tmp_path), *args]) == 4
    out = capsys.readouterr()
    assert said in out.err and out.err.count("\n") == 1 and not out.out
    assert run(["separate", "absent.cu", "--flags=-ftz=true"]) == 4 and "no kernel file absent.cu" in capsys.readouterr().err


def test_an_answer_that_shows_nothing_cannot_be_made() -> None:
    side = Side("h100", "", "sm_90", "compiled", "13.0")
    for wrong in ({"result": "equal"}, {"result": "separated", "theorem": "t", "lean_file": "f", "first_value": "0x7fc00000", "second_value": "0x7fffffff"},
                  {"result": "separated", "theorem": "t", "lean_file": "f"}, {"result": "open", "theorem": "t", "lean_file": "f"}):
        with pytest.raises(Bug):
            Apart("k.cu", "k", side, side, "bits", **wrong)  # type: ignore[arg-type]
