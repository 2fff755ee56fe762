"""Kernels of any shape for all sizes, end to end: safe by the gate, equal by a theorem that Lean accepts; or not, with what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from devsem import solutions
from devsem.errors import UsageError
from devsem.expr import show, var
from devsem.launch_text import condition, number, parse
from devsem.ops import B32
from devsem.pipeline import verify
from devsem.request import Request
from devsem.verdict import Verdict

HERE = Path(__file__).parent / "all_sizes"
FOUR = "grid=(n+1023)/1024 block=256"
PLANE = "grid=(cols+15)/16,(rows+15)/16 block=16,16"
MATRIX = {"launch": "grid=(N+15)/16,(M+15)/16 block=16,16", "bind": "A=M*K,B=K*N,C=M*N"}


def verdict(folder: Path, kernel: Path, spec: str = "leaky_relu.py", device: str = "ieee", **options: object) -> Verdict:
    (found,) = verify(Request(kernel=kernel, spec=HERE / spec, devices=(device,), out=folder, timeout=30.0, **options), lambda _: None)  # type: ignore[arg-type]
    return found


def changed(folder: Path, name: str, old: str, new: str) -> Path:
    """A kernel with one place changed."""
    text = (HERE / name).read_text()
    assert text.count(old) == 1
    out = folder / name
    out.write_text(text.replace(old, new))
    return out


def test_vector_loads_with_a_tail(tmp_path: Path) -> None:
    v = verdict(tmp_path, HERE / "relu4.cu", launch=FOUR)
    assert v.verdict == "PROVED"
    assert v.safety.verdict == "PASS"
    assert any("the gate shows" in a for a in v.assumptions)
    assert {"every dimension of a tensor is at least 1", "tensors begin at a multiple of 16 bytes, and different tensors do not overlap"} <= set(v.assumptions)
    assert "theorem kernel_eq_spec4" in Path(v.lean_file).read_text()


def test_flushing_is_found_in_a_kernel_of_any_shape(tmp_path: Path) -> None:
    v = verdict(tmp_path, HERE / "relu4.cu", device="h100", flags="-ftz=true", launch=FOUR)
    assert v.verdict == "REFUTED"
    assert v.witness is not None
    assert list(v.witness.inputs) == ["x"]


def test_a_tiled_product_is_the_naive_one_for_all_sizes(tmp_path: Path) -> None:
    v = verdict(tmp_path, HERE / "padded.cu", "naive.cu", **MATRIX)
    assert v.verdict == "PROVED"
    assert "Grid.upTo_padded_sum" in Path(v.lean_file).read_text()


def test_a_wrong_index_is_out_of_bounds_in_a_small_launch(tmp_path: Path) -> None:
    v = verdict(tmp_path, changed(tmp_path, "twod.cu", "r * cols + c", "r * rows + c"), launch=PLANE)
    assert v.verdict == "REFUTED"
    assert v.safety.verdict == "FAIL"
    assert v.safety.counterexample is not None
    assert {"rows", "cols", "block", "thread"} <= set(v.safety.counterexample)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["twod.cu", "stride.cu"])
def test_planes_and_strides(tmp_path: Path, kernel: str) -> None:
    options = {"launch": PLANE} if kernel == "twod.cu" else {"max_numel": 1 << 29}
    assert verdict(tmp_path, HERE / kernel, **options).verdict == "PROVED"


@pytest.mark.slow
def test_a_stride_that_may_wrap_says_for_which_sizes_it_does_not(tmp_path: Path) -> None:
    v = verdict(tmp_path, HERE / "stride.cu")
    assert v.verdict == "OPEN"
    assert "--max-numel 536870912" in v.reason


def test_a_launch_without_a_block_writes_nothing(tmp_path: Path) -> None:
    v = verdict(tmp_path, HERE / "stride.cu", launch="grid=n/256 block=256")
    assert v.verdict == "REFUTED"
    assert v.safety.counterexample is not None
    assert v.safety.counterexample["fault"] == "empty launch"


@pytest.mark.slow
def test_a_solution_is_decided_for_all_sizes_in_its_own_launch(tmp_path: Path) -> None:
    request = Request(kernel=HERE / "relu4_solution.py", spec=HERE / "leaky_relu.py", devices=("h100",), out=tmp_path, timeout=30.0)
    (v,) = solutions.verify(request, lambda _: None)
    assert v.verdict == "PROVED"
    assert "all sizes" in v.theorem


@pytest.mark.slow
def test_tiles_that_divide_need_the_condition(tmp_path: Path) -> None:
    launch = {"launch": "grid=N/16,M/16 block=16,16", "bind": "A=M*K,B=K*N,C=M*N"}
    given = tuple(f"{x} % 16 == 0" for x in "MNK")
    assert verdict(tmp_path, HERE / "tiled.cu", "naive.cu", "h100", assume=given, **launch).verdict == "PROVED"
    assert verdict(tmp_path, HERE / "tiled.cu", "naive.cu", assume=given[:2], **launch).verdict != "PROVED"


@pytest.mark.slow
def test_padding_is_not_the_plain_sum_where_products_are_fused(tmp_path: Path) -> None:
    assert verdict(tmp_path, HERE / "padded.cu", "naive.cu", "h100", **MATRIX).verdict == "OPEN"
    assert verdict(tmp_path, HERE / "padded.cu", "naive.cu", "h100", flags="-fmad=false", **MATRIX).verdict == "PROVED"


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [
    ("acc += As[ty][k] * Bs[k][tx];", "acc = acc + Bs[k][tx] * As[ty][TILE - 1 - k];"),
    ("float acc = 0.0f;", "float acc = -0.0f;"),
    (": 0.0f;\n    __syncthreads();", ": 1.0f;\n    __syncthreads();"),
    ("A[row * K + t * TILE + tx]", "A[row * K + t * TILE + (TILE - 1 - tx)]"),
    ("for (int k = 0; k < TILE; ++k)", "for (int k = 1; k < TILE; ++k)"),
    ("t < (K + TILE - 1) / TILE", "t < K / TILE"),
    ("    __syncthreads();\n  }", "  }"),
    ("if (row < M && col < N) C", "if (row < M) C"),
])
def test_a_tiled_product_with_one_mistake_is_never_proved(tmp_path: Path, old: str, new: str) -> None:
    assert verdict(tmp_path, changed(tmp_path, "padded.cu", old, new), "naive.cu", **MATRIX).verdict != "PROVED"


def test_launches_as_text() -> None:
    n = var("n", B32)
    grid, block, shared = parse("grid=(n + 255) / 256, 2 block=256 smem=4*n", {"n": n})
    assert [show(g) for g in grid] == ["udiv_b64(add_b64(sext(n), 255), 256)", "2", "1"]
    assert (show(block[0]), show(shared)) == ("256", "mul_b64(4, sext(n))")
    assert show(condition("n % 4 == 0", {"n": n})) == "ieq_b64(urem_b64(sext(n), 4), 0)"
    for bad in ("m", "n +", "n ** 2", "__import__('os')", "n if n else 1", "-1", "1.5"):
        with pytest.raises(UsageError):
            number(bad, {"n": n})
    for bad in ("grid=n", "grid=1,1,1,1 block=1", "block=1 grid=1"):
        with pytest.raises(UsageError):
            parse(bad, {"n": n})
