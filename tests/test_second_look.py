"""What would be PROVED is looked at in the compiled code: agreement is noted, a difference leaves it OPEN."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from devsem.decide import Decision
from devsem.frontend.cuda import parse_kernel
from devsem.instance import Extent, Instance
from devsem.pipeline import verify
from devsem.profile import load_profile
from devsem.request import Request
from devsem.second_look import Text, Words, look, settled

TEXT = b"""extern "C" __global__ void twice(const float* x, float* y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i] * 2.0f;
}
"""
LAUNCH = Instance((1, 1, 1), (32, 1, 1), 0, {"x": Extent("x", 50, "input"), "y": Extent("y", 50, "empty")}, {"n": 50})


def text(source: bytes = TEXT, launch: Instance = LAUNCH) -> Text:
    return Text(source, "twice.cu", ((parse_kernel("twice.cu", TEXT), launch),))


def doubled(inputs: Mapping[str, Words], numbers: Mapping[str, int]) -> dict[str, Words]:
    with np.errstate(all="ignore"):
        return {"y": (inputs["x"].view(np.float32) * np.float32(2)).view(np.uint32)}


def test_compiled_code_that_agrees_is_noted() -> None:
    found = look(text(), doubled, load_profile("h100", ""), None)
    assert found.result == "agrees"
    assert "sm_90" in found.reason
    assert settled(Decision("PROVED"), lambda: found).assumptions == (found.reason,)


@pytest.mark.parametrize("changed", [TEXT.replace(b"2.0f", b"2.0000002f"), TEXT.replace(b"i < n;", b"i + 1 < n;"), TEXT.replace(b"x[i] *", b"x[0] *")])
def test_compiled_code_that_differs_leaves_it_open(changed: bytes) -> None:
    found = look(text(changed), doubled, load_profile("h100", ""), None)
    assert found.result == "differs"
    decision = settled(Decision("PROVED", theorem="t"), lambda: found)
    assert (decision.verdict, decision.theorem) == ("OPEN", "")
    assert "in doubt" in decision.reason


def test_flushing_flags_reach_the_compiled_code() -> None:
    assert look(text(), doubled, load_profile("h100", "-ftz=true"), None).result == "differs"


def test_what_is_not_run_says_why() -> None:
    assert look(text(), doubled, load_profile("ieee", ""), None).result == "not run"
    large = Instance((1000, 1, 1), (32, 1, 1), 0, LAUNCH.buffers, LAUNCH.scalars)
    assert "threads" in look(text(launch=large), doubled, load_profile("h100", ""), None).reason
    refuted = Decision("REFUTED")
    assert settled(refuted, lambda: look(text(), doubled, load_profile("h100", ""), None)) is refuted


def test_a_verdict_says_that_the_compiled_code_agrees(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_bytes(TEXT)
    (tmp_path / "s.py").write_text("import torch\nclass Model(torch.nn.Module):\n    def forward(self, x): return x * 2.0\n"
                                   "def get_inputs(): return [torch.randn(50)]\ndef get_init_inputs(): return []\n")
    request = Request(kernel=tmp_path / "k.cu", spec=tmp_path / "s.py", devices=("h100",), out=tmp_path, launch="grid=1,1,1 block=32,1,1")
    (v,) = verify(request, lambda _: None)
    assert v.verdict == "PROVED"
    assert any("the compiled code" in a for a in v.assumptions)
