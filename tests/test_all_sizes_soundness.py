"""A few of the random pairs of `bench/all_sizes_soundness.py`, and that it notices a wrong verdict."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import all_sizes_soundness
from all_sizes_pairs import FAMILIES, Drawn, Written, draw
from all_sizes_soundness import judge

from devsem.decide import Decision
from devsem.gate_setting import Gate
from devsem.verdict import HexWitness

BIND, LINE = FAMILIES["pointwise"]
SUM = LINE[0]
PRODUCT = Written(SUM.text.replace("+ 1.0f; }", "* 1.0f; }"), SUM.launch)


def test_verdicts_for_all_sizes_are_what_launches_do() -> None:
    found = [j for n in range(10) for j in judge(draw(n), False)]
    assert [j.detail for j in found if j.detail] == []
    assert {j.verdict for j in found} >= {"PROVED", "OPEN"}


@pytest.mark.slow
def test_verdicts_and_the_gate_are_what_launches_do() -> None:
    found = [j for n in range(1000, 1060) for j in judge(draw(n), n % 3 == 0)]
    assert [j.detail for j in found if j.detail] == []
    assert {"PROVED", "gate PASS"} <= {j.verdict for j in found}


@pytest.mark.parametrize(("decision", "kernel", "told"), [
    (Decision("PROVED"), PRODUCT, "outputs differ"),
    (Decision("REFUTED", witness=HexWitness({"a": "0x3f800000"}, 0, "", "")), SUM, "no launch shows it"),
])
def test_a_wrong_verdict_is_noticed(monkeypatch: pytest.MonkeyPatch, decision: Decision, kernel: Written, told: str) -> None:
    monkeypatch.setattr(all_sizes_soundness.all_sizes, "decided", lambda *_: decision)
    assert {told in j.detail for j in judge(Drawn(0, "pointwise", kernel, SUM, BIND), False)} == {True}


def test_a_gate_that_passes_a_fault_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_sizes_soundness, "gate", lambda *_: Gate("PASS", ()))
    beyond = replace(SUM, text=SUM.text.replace("i < n) y[i]", "i <= n) y[i]"))
    assert "out of bounds" in judge(Drawn(0, "pointwise", beyond, SUM, BIND), True)[0].detail
