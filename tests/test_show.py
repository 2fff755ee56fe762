"""Every stage of a kernel as `devsem show` prints it."""

from __future__ import annotations

from pathlib import Path

import pytest

from devsem.cli import run
from devsem.frontend.sass import nvdisasm_path

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
KERNEL = """#include <vector>
std::vector<int> host() { return {}; }
__global__ void k(const float* a, const float* b, const float* c, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a[i] * b[i] - c[i];
}
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "k.cu"
    path.write_text(KERNEL)
    return path


def shown(capsys: pytest.CaptureFixture[str], *args: object) -> str:
    """What `devsem show` prints."""
    code = run(["show", *map(str, args)])
    out = capsys.readouterr()
    assert code == 0, out.err
    return out.out


def test_the_source_has_no_host_code(kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, kernel, "--stage", "source")
    assert "vector" not in text and text.splitlines()[2:] == KERNEL.splitlines()[2:]


def test_the_program_is_as_written(kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, kernel, "--stage", "program", "--device", "ieee")
    assert "kernel k(const float* a, const float* b, const float* c, float* y, int n)" in text
    assert "y[i] = w_sub(w_mul(a@0, b@0), c@0)" in text


def test_the_machine_marks_what_is_fused(kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """GPU_FLOAT.md, fact 1: PTX has mul and sub, ptxas fuses them; under -fmad=false both stay."""
    ptx = shown(capsys, kernel, "--stage", "ptx")
    assert "mul.f32" in ptx and "sub.f32" in ptx and "fma" not in ptx
    machine = shown(capsys, kernel, "--stage", "machine")
    (fused,) = (line for line in machine.splitlines() if "fma.rn.f32" in line)
    assert "// the PTX: sub.f32" in fused
    plain = shown(capsys, kernel, "--stage", "machine", "--flags=-fmad=false")
    assert "fma." not in plain and "mul.rn.f32" in plain and "sub.rn.f32" in plain and "// the PTX" not in plain


def test_the_expressions_of_both_readings(kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, kernel, "--stage", "expr")
    written, compiled = text.split("as compiled")
    assert "= w_sub(w_mul(a@0, b@0), c@0)" in written and "= fma_rn(a@0, b@0, neg(c@0))" in compiled
    assert "as compiled" not in shown(capsys, kernel, "--stage", "expr", "--device", "ieee")


@pytest.mark.skipif(nvdisasm_path() is None, reason="nvdisasm is not installed")
def test_the_machine_code(kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, kernel, "--stage", "sass").splitlines()
    assert sum(line.startswith("FFMA ") for line in lines) == 1 and not any(line.startswith(("FMUL", "FADD")) for line in lines)


def test_a_ptx_file(kernel: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ptx = tmp_path / "k.ptx"
    ptx.write_text(shown(capsys, kernel, "--stage", "ptx", "--flags=-fmad=false"))
    assert "= sub_rn(mul_rn(" in shown(capsys, ptx, "--stage", "expr")
    assert "sub.rn.f32" in shown(capsys, ptx, "--stage", "machine")


@pytest.mark.slow
@pytest.mark.parametrize(("device", "name"), [("ieee", "kernel_eq_spec0"), ("h100", "differ")])
def test_the_theorem(device: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """a * x + b as IEEE says is the spec; fused, it is not."""
    text = shown(capsys, EXAMPLES / "axpb.cu", "--spec", EXAMPLES / "axpb.py", "--device", device, "--stage", "lean")
    assert text.startswith("prelude\n") and "#print axioms Verdict." in text and name in text


@pytest.mark.parametrize(("args", "said"), [
    (["--stage", "nothing"], "there is no stage 'nothing'; the stages are source, program"),
    (["--stage", "ptx", "--device", "ieee"], "is no device"),
    (["--stage", "lean"], "add --spec SPEC"),
    (["--stage", "ptx", "--device", "h10"], "h10"),
    (["--stage", "ptx", "--function", "no", "--flags=-fast"], "-fast"),
    (["--stage", "program", "--function", "no"], "no kernel named no"),
    ([], "--stage"),
])
def test_a_wrong_command_is_one_sentence(args: list[str], said: str, kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["show", str(kernel), *args])
    out = capsys.readouterr()
    assert code == 4 and said in out.err and out.err.count("\n") == 1 and not out.out


def test_a_missing_kernel_and_a_refused_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(tmp_path / "no.cu"), "--stage", "source"]) == 4
    assert "there is no kernel file" in capsys.readouterr().err
    path = tmp_path / "k.cu"
    path.write_text("__global__ void k(float* y) { y[0] = nonsense; }\n")
    assert run(["show", str(path), "--stage", "ptx"]) == 3
    assert f"{path}:1:" in capsys.readouterr().err
