"""The safety gate on CUDA text of many shapes: clean kernels are safe for all sizes, each planted fault is not passed."""

from __future__ import annotations

import pytest
from gate_kernels import CLEAN, PLANTED

from devsem.frontend.cuda import parse_kernel
from devsem.gate import gate

FAST = {"slice", "naive matmul", "tiled matmul", "n % 4", "barrier in a branch", "zero divisor"}


def listed(names: object) -> list[object]:
    """All of them, most as slow tests."""
    return [n if n in FAST else pytest.param(n, marks=pytest.mark.slow) for n in names]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", listed(CLEAN))
def test_a_clean_kernel_is_safe_for_all_sizes(name: str) -> None:
    text, setting = CLEAN[name]
    found = gate(parse_kernel("k.cu", text), setting)
    assert (found.verdict, found.reason) == ("PASS", "")


@pytest.mark.parametrize("name", listed(PLANTED))
def test_a_planted_fault_is_not_passed(name: str) -> None:
    text, old, new, setting, reason = PLANTED[name]
    assert old in text
    found = gate(parse_kernel("k.cu", text.replace(old, new, 1)), setting)
    assert found.verdict != "PASS"
    assert any(reason in q.reason for q in found.questions if q.verdict != "PASS")
