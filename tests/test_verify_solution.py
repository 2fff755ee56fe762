"""`devsem verify solution.py problem.py`, whole: the verdicts, and what must not be taken for a pointwise kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from devsem.arrays_plan import as_pointwise, ask_plan, solve
from devsem.errors import Rejected, UsageError
from devsem.frontend.spec import load_graph
from devsem.request import Request
from devsem.solutions import verify

FOLDER = Path(__file__).parent / "solutions"
HEAD = "import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n"
SCALE = f"""{HEAD}    def __init__(self, a):
        super().__init__()
        self.a = a
    def forward(self, x, y):
        return x * self.a + y
def get_inputs(): return [torch.randn(16, 16), torch.randn(16, 16)]
def get_init_inputs(): return [0.5]
"""
ROWS = f"{HEAD}    def forward(self, x):\n        return x.sum(dim=1, keepdim=True)\ndef get_inputs(): return [torch.randn(2, 3)]\n"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    path = tmp_path_factory.mktemp("spec") / "scale.py"
    path.write_text(SCALE)
    return str(path), load_graph(str(path))


def verdicts(tmp_path: Path, kernel: Path, spec: str, **options: Any) -> list[Any]:
    (tmp_path / "spec.py").write_text(spec)
    return verify(Request(kernel=kernel, spec=tmp_path / "spec.py", out=tmp_path / "out", **options), lambda text: None)


def changed(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Path:
    text = (FOLDER / name).read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / name).write_text(text)
    return tmp_path / name


def test_a_pointwise_solution_is_proved(tmp_path: Path) -> None:
    (found,) = verdicts(tmp_path, FOLDER / "scale_add.py", SCALE, devices=("ieee",))
    assert (found.verdict, found.kernel, found.safety.verdict) == ("PROVED", str(FOLDER / "scale_add.py"), "PASS")
    assert any("grid=1,1,1 block=256,1,1" in a for a in found.assumptions)


def test_a_wrong_one_is_refuted(tmp_path: Path) -> None:
    path = changed(tmp_path, "scale_add.py", ("self.a = a", "self.a = a * 2"))
    (found,) = verdicts(tmp_path, path, SCALE, devices=("ieee",))
    assert found.verdict == "REFUTED" and found.witness is not None


def test_a_reduction_is_unsafe_where_its_output_is_too_large(tmp_path: Path) -> None:
    path = changed(tmp_path, "row_sum.cu", ("<<<x.size(0), 64", "<<<x.size(0) - 1, 64"))
    (found,) = verdicts(tmp_path, path, ROWS, devices=("ieee",))
    assert (found.verdict, found.safety.verdict) == ("REFUTED", "FAIL") and "unwritten" in found.reason


def test_flags_of_the_file_count(tmp_path: Path) -> None:
    path = changed(tmp_path, "scale_add.py", ('extra_ldflags=[""],', 'extra_cuda_cflags=["--use_fast_math"],'))
    (found,) = verdicts(tmp_path, path, SCALE, devices=("ieee",))
    assert found.flags == "-use_fast_math"
    with pytest.raises(UsageError, match="contradicts"):
        verdicts(tmp_path, path, SCALE, devices=("ieee",), flags="-fmad=false")


LAUNCH = "<<<num_blocks, block_size>>>"
TRAPS = [
    # the result is not what the kernel writes
    (("return out;", "return torch::empty_like(x);"),),
    # fewer threads than elements, or a size that is not theirs
    ((LAUNCH, "<<<num_blocks, block_size / 2>>>"),),
    ((", a, size);", ", a, 100);"),),
    # another shape than the spec's
    (("return out;", "return out.view({-1});"),),
    # in place
    (("auto out = torch::empty_like(x);", "auto out = x;"),),
]


@pytest.mark.parametrize("changes", TRAPS)
def test_what_is_not_taken_for_pointwise(tmp_path: Path, graph: tuple[str, dict[str, Any]], changes: tuple[tuple[str, str], ...]) -> None:
    solved = solve(changed(tmp_path, "scale_add.py", *changes), graph[1], {}, "")
    assert as_pointwise(solved, *graph) is None
    try:
        asked = ask_plan(solved, *graph)
    except Rejected as rejected:
        assert "view" in str(changes) and rejected.rejections[0].code == "host.result"
    else:
        assert asked.safety.verdict == "FAIL" or "auto out = x;" in str(changes)


def test_the_right_one_is_pointwise(graph: tuple[str, dict[str, Any]]) -> None:
    found = as_pointwise(solve(FOLDER / "scale_add.py", graph[1], {}, ""), *graph)
    assert found is not None and (found.launch, found.bind) == ("grid=1,1,1 block=256,1,1", "x=x,y=y,out=output,a=0.5,size=n")
