"""`devsem safety` of a kernel alone: all sizes by the gate, one launch by running every thread."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from devsem.cli import app
from devsem.raw_safety import look_raw

HERE = Path(__file__).parent / "all_sizes"
SHARED = """extern "C" __global__ void sum(const float* x, float* y) {
  __shared__ float s[8];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int h = 4; h > 0; h >>= 1) { if (t < h) s[t] += s[t + h]; BARRIER }
  if (t == 0) y[0] = s[0];
}
"""


def test_a_kernel_alone_for_all_sizes() -> None:
    found = look_raw(HERE / "relu4.cu", None, "grid=(n+1023)/1024 block=256", None, (), 1 << 30, 30.0)
    assert found.verdict == "PASS"
    assert "2^30" in found.shown


def test_a_fault_is_named_with_sizes_and_threads() -> None:
    found = look_raw(HERE / "twod.cu", None, "grid=(cols+15)/16,(rows+15)/16 block=16,16", "x=rows*cols-1", (), 1 << 30, 10.0)
    assert found.verdict == "FAIL"
    assert "out of bounds: thread" in found.fault


@pytest.mark.parametrize(("barrier", "verdict"), [("__syncthreads();", "PASS"), ("", "FAIL")])
def test_one_launch_of_fixed_size(tmp_path: Path, barrier: str, verdict: str) -> None:
    kernel = tmp_path / "sum.cu"
    kernel.write_text(SHARED.replace("BARRIER", barrier))
    found = look_raw(kernel, None, "grid=1 block=8", "x=8,y=1", (), 1 << 30, 10.0)
    assert found.verdict == verdict
    assert ("race" in found.fault) is (verdict == "FAIL")


def test_the_command_line_prints_json_and_names_what_is_missing(tmp_path: Path) -> None:
    kernel = tmp_path / "sum.cu"
    kernel.write_text(SHARED.replace("BARRIER", "__syncthreads();"))
    run = CliRunner().invoke(app, ["safety", str(kernel), "--launch", "grid=1 block=8", "--bind", "x=8,y=1", "--json"], standalone_mode=False)
    assert json.loads(run.stdout)["safety"] == "PASS"
    missing = CliRunner().invoke(app, ["safety", str(kernel), "--launch", "grid=1 block=8"])
    assert missing.exit_code != 0
    assert "say how many elements x has" in str(missing.exception)
