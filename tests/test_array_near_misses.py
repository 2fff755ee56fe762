"""No kernel that differs from its spec in one subtle way is PROVED, and the kernel without the difference is (tests/array_near_misses.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from array_near_misses import SHAPES, Shape

from devsem.pipeline import verify
from devsem.request import Request
from devsem.verdict import Verdict

BY_NAME = {s.name: s for s in SHAPES}
FAST = [("row sum", None), ("row sum", "from zero"), ("row maximum", "starts at the smallest number"), ("transpose", "without a barrier"),
        ("square and add, as nvcc fuses it", "fused through a helper")]
ALL = [(s.name, miss) for s in SHAPES for miss in (None, *s.misses)]


def decide(s: Shape, miss: str | None, folder: Path) -> Verdict:
    """The verdict by the text."""
    (folder / "k.cu").write_text(s.text(miss), encoding="utf-8")
    (folder / "s.py").write_text(s.spec, encoding="utf-8")
    request = Request(kernel=folder / "k.cu", spec=folder / "s.py", devices=(s.device,), flags=s.flags, launch=s.launch, bind=s.bind, out=folder / "out",
                      timeout=4.0, reading="written")
    return verify(request, lambda _: None)[0]


@pytest.mark.parametrize(("name", "miss"), [pytest.param(*p, marks=() if p in FAST else pytest.mark.slow) for p in ALL])
def test_only_the_true_kernel_is_proved(name: str, miss: str | None, tmp_path: Path) -> None:
    s = BY_NAME[name]
    found = decide(s, miss, tmp_path)
    why = f"{found.reason} {' '.join(map(str, found.rejections))}"
    if miss is not None:
        assert found.verdict != "PROVED", found.theorem
    elif s.open:
        assert found.verdict in ("OPEN", "REJECTED") and s.open in why, f"{found.verdict}: {why}"
    else:
        assert found.verdict == "PROVED", f"{found.verdict}: {why}"


def test_every_miss_changes_the_text() -> None:
    assert sum(len(s.misses) for s in SHAPES) >= 90
    for s in SHAPES:
        texts = [s.text(miss) for miss in (None, *s.misses)]
        assert len(set(texts)) == len(texts), s.name
