"""A small run of bench/soundness.py, and that it notices what is wrong: each judge is made to lie once.

The pairs' numbers start at DEVSEM_SEED; `python bench/soundness.py 1 --first NUMBER` repeats one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from draw import seed

from devsem.expr import Expr, const, mk, var
from devsem.ops import F32
from devsem.prove import Open, Proof, prove
from devsem.refute import NoWitness, Witness

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import pairs
import processor
import soundness

A, B = var("a", F32), var("b", F32)
LANES = 4000


def pair(left: Expr, right: Expr, holds: bool) -> pairs.Pair:
    return pairs.Pair(0, "test", holds, left, right)


def test_nothing_wrong_among_random_pairs() -> None:
    first = seed()
    found = [soundness.decide(pairs.make_pair(n), 0.3, LANES, lean=n % 5 == 0) for n in range(first, first + 50)]
    assert {a.verdict for a in found} >= {"PROVED", "REFUTED"}
    theorems = [(a.number, a.lean) for a in found if a.lean]
    assert theorems and not soundness.lean_refuses(theorems)


def test_a_false_theorem_is_refused_by_lean() -> None:
    ok = soundness.decide(pair(mk("add_rn", A, B), mk("add_rn", B, A), True), 1.0, LANES, lean=True)
    assert not soundness.lean_refuses([(0, ok.lean)])
    assert soundness.lean_refuses([(0, ok.lean.replace("Fp.add", "Fp.sub", 1))])


@pytest.mark.parametrize("sides", [
    (mk("add_rn", A, const(0.0)), A), (mk("max_num", A, B), mk("max_nan", A, B)), (mk("sub_rn", A, A), const(0.0)),
    (mk("mul_rn", mk("mul_rn", A, const(0.5)), const(2.0)), A), (mk("neg", mk("sub_rn", A, B)), mk("sub_rn", B, A)),
])
def test_a_proof_of_something_false_is_noticed(sides: tuple[Expr, Expr], monkeypatch: pytest.MonkeyPatch) -> None:
    proof = prove(A, A)
    assert isinstance(proof, Proof)
    monkeypatch.setattr(soundness, "prove", lambda *args, **kwargs: proof)
    with pytest.raises(soundness.Wrong, match="is PROVED, but"):
        soundness.decide(pair(*sides, False), 1.0, LANES)


def test_a_witness_that_does_not_separate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soundness, "prove", lambda *args, **kwargs: Open("made up"))
    monkeypatch.setattr(soundness, "find", lambda *args, **kwargs: Witness({"a": 0x3F800000, "b": 0, "c": 0}, 1, 2))
    with pytest.raises(soundness.Wrong, match="is REFUTED at"):
        soundness.decide(pair(mk("add_rn", A, A), mk("mul_rn", A, const(2.0)), False), 1.0, LANES)


def test_a_rule_that_should_hold_and_does_not_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    false = pair(mk("mul_rn", A, const(0.0)), const(0.0), True)
    with pytest.raises(soundness.Wrong, match="should hold"):
        soundness.decide(false, 1.0, LANES)
    monkeypatch.setattr(soundness, "find", lambda *args, **kwargs: NoWitness("made up", 0, "not run"))
    with pytest.raises(soundness.Wrong, match="should hold"):
        soundness.decide(false, 1.0, LANES)


def test_an_evaluator_that_differs_from_the_processor_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    same = pair(mk("add_rn", A, B), mk("add_rn", B, A), True)
    assert soundness.decide(same, 1.0, LANES).verdict == "PROVED"
    monkeypatch.setattr(processor, "ROWS", {**processor.ROWS, "add_rn": np.subtract})
    with pytest.raises(soundness.Wrong, match=r"floats\.py and the processor"):
        soundness.decide(same, 1.0, LANES)


def test_the_processor_agrees_with_floats_on_every_row_it_has() -> None:
    rng = seed()
    for row in processor.ROWS:
        d = pairs.Draw(f"{row} {rng}")
        for _ in range(3):
            args = [d.expression(s, 1) for s in pairs.EXACT[row].args]
            whole = mk(row, *args)
            value = whole if whole.sort == F32 else mk("select", whole, const(1.0), const(0.0))
            p = pair(value, value, True)
            assert not soundness.difference(p, soundness.adversarial(p, LANES)), row
