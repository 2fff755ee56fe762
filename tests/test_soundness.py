"""A small run of bench/soundness.py, and that it notices what is wrong: each judge is made to lie once.

The pairs' numbers start at DEVSEM_SEED; `python bench/soundness.py 1 --first NUMBER` repeats one.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import closed
import numpy as np
import pytest
from draw import seed, tuples

from devsem import smt
from devsem.evaluate import evaluate
from devsem.expr import Expr, const, mk, var
from devsem.lemmas import LEMMAS
from devsem.ops import BOOL, F32
from devsem.prove import Open, Proof, prove
from devsem.refute import NoWitness, Witness

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import inputs
import journal
import pairs
import processor
import soundness
import vote
from tally import Answer

A, B, C, ONE = var("a", F32), var("b", F32), var("c", F32), const(1.0)
LANES = 4000
SETTINGS = soundness.Settings(seconds=1.0, refute=0.3, lanes=LANES, exact=1000, exact_every=2)


def decide(p: pairs.Pair, lean: bool = False) -> Answer:
    return soundness.decide(p, SETTINGS, vote.Voter(0.1, 0.1), lean)


def pair(left: Expr, right: Expr, holds: bool) -> pairs.Pair:
    return pairs.Pair(0, "test", holds, left, right)


def test_nothing_wrong_among_random_pairs() -> None:
    first = seed()
    found = [decide(pairs.make_pair(n), n % 5 == 0) for n in range(first, first + 30)]
    found.append(decide(pair(mk("add_rn", A, const(0.0)), A, False), True))
    assert found[-1].verdict == "REFUTED" and "PROVED" in {a.verdict for a in found}
    theorems = [(a.number, a.lean) for a in found if a.lean]
    assert theorems and not soundness.lean_refuses(theorems)


@pytest.mark.parametrize("name", pairs.ENDS)
def test_the_ends_pass_their_tests_and_are_tight(name: str) -> None:
    def passes(*ends: float) -> bool:
        return bool(evaluate([closed.TESTS[name](*map(const, ends))], {})[0].all())
    ends = pairs.ENDS[name]
    assert passes(*ends)
    for i in (len(ends) - 2, len(ends) - 1):    # the result's ends, moved towards each other
        narrower = [e + (0.25 if i == len(ends) - 2 else -0.25) * (j == i) for j, e in enumerate(ends)]
        assert name in ("Fp.lt", "Fp.apart", "Fp.tinyEnds") or not passes(*narrower)


@pytest.mark.parametrize("name", LEMMAS)
def test_every_lemma_makes_pairs(name: str) -> None:
    left, right = pairs.lemma_sides(LEMMAS[name], pairs.Draw(name))
    assert left.sort == right.sort == F32


def test_a_false_theorem_is_refused_by_lean() -> None:
    ok = decide(pair(mk("add_rn", A, B), mk("add_rn", B, A), True), True)
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
        decide(pair(*sides, False))


def test_a_witness_that_does_not_separate_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soundness, "prove", lambda *args, **kwargs: Open("made up"))
    monkeypatch.setattr(vote.Voter, "shows", lambda *args: False)
    monkeypatch.setattr(soundness, "find", lambda *args, **kwargs: Witness({"a": 0x3F800000, "b": 0, "c": 0}, 1, 2))
    with pytest.raises(soundness.Wrong, match="is REFUTED at"):
        decide(pair(mk("add_rn", A, A), mk("mul_rn", A, const(2.0)), False))


def test_a_rule_that_should_hold_and_does_not_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    false = pair(mk("mul_rn", A, const(0.0)), const(0.0), True)
    with pytest.raises(soundness.Wrong, match="should hold"):
        decide(false)
    monkeypatch.setattr(soundness, "find", lambda *args, **kwargs: NoWitness("made up", 0, "not run"))
    with pytest.raises(soundness.Wrong, match="should hold"):
        decide(false)
    monkeypatch.setattr(vote.Voter, "shows", lambda *args: True)
    with pytest.raises(soundness.Wrong, match="is equal to bitwuzla, but"):
        decide(false)


def test_an_evaluator_that_differs_from_the_processor_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    same = pair(mk("add_rn", A, B), mk("add_rn", B, A), True)
    assert decide(same).verdict == "PROVED"
    monkeypatch.setattr(processor, "ROWS", {**processor.ROWS, "add_rn": np.subtract})
    with pytest.raises(soundness.Wrong, match=r"floats\.py and the processor"):
        decide(same)


def test_the_processor_agrees_with_floats_on_every_row_of_the_pairs() -> None:
    rng = seed()
    for row in (*pairs.ROWS["F32"], *pairs.ROWS["BOOL"]):
        env = dict(zip((A, B, C), tuples(rng, LANES, 3), strict=True))
        whole = mk(row, *(v if s == F32 else mk("lt", v, ONE) for v, s in zip((A, B, C), pairs.EXACT[row].args, strict=False)))
        value = whole if whole.sort == F32 else mk("select", whole, ONE, const(0.0))
        assert (processor.compute([value], env)[0] == evaluate([value], env)[0]).all(), row


def test_rounding_is_to_nearest_again_after_a_directed_operation() -> None:
    third = {A: np.array([0x3F800000], np.uint32), B: np.array([0x40400000], np.uint32)}
    values = [int(processor.compute([mk(row, A, B)], third)[0][0]) for row in ("div_rm", "div_rp", "div_rz", "div_rn")]
    assert values == [0x3EAAAAAA, 0x3EAAAAAB, 0x3EAAAAAA, 0x3EAAAAAB]
    assert np.divide(np.float32(1), np.float32(41)).view(np.uint32) == 0x3CC7CE0C  # 1/41 = 0.0243902439024390…, above the float


def test_inputs_repeat_and_hold_what_breaks_identities() -> None:
    p = pair(mk("fma_rn", A, B, C), mk("add_rn", C, const(0.01)), False)
    env = inputs.adversarial(p, 100_000)
    assert all((x == y).all() for x, y in zip(env.values(), inputs.adversarial(p, 100_000).values(), strict=True))
    a, b, c = env.values()
    with np.errstate(all="ignore"):
        product = a.view(np.float32) * b.view(np.float32)
    for often in ((a & 0x7FFFFFFF) > 0x7F800000, a == 0x80000000, a == 1, a == b, a == b ^ np.uint32(0x80000000), a == const(0.01).value,
                  c.view(np.float32) == -product):
        assert often.mean() > 1e-3


SHARED = mk("div_rz", A, C)


@pytest.mark.parametrize("sides, said", [
    ((mk("neg", mk("add_rn", SHARED, B)), mk("neg", mk("add_rn", B, SHARED))), "equal"),
    ((mk("neg", mk("sub_rn", A, B)), mk("sub_rn", B, A)), "different"),
    ((mk("select", mk("lt", A, B), mk("max_num", A, B), A), mk("select", mk("lt", A, B), B, A)), "equal"),
])
def test_votes(sides: tuple[Expr, Expr], said: str) -> None:
    voter = vote.Voter(5, 5)
    assert voter.ask(*sides) == said
    assert (voter.ask(*sides), voter.shows(*sides)) == (("equal, asked before", True) if said == "equal" else (said, False))


def test_a_heavy_pair_is_asked_about_only_thoroughly(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(smt, "check_sat", lambda assertions, seconds, distinct, own_time: asked.append(distinct) or smt.Unknown("made up"))
    product = mk("mul_rn", B, C)
    heavier = mk("div_rn", A, product), mk("fma_rz", A, B, mk("add_rm", A, C))
    for weight, e in ((0, mk("mul_rn", A, ONE)), (1, product), (2, mk("div_rn", A, B)), (3, heavier[0]), (3, heavier[1])):
        assert vote.weight((e, A)) == weight
        voter = vote.Voter(1, 1)
        asked.clear()
        assert voter.ask(e, A) == "no answer" and bool(asked) == (weight <= 2)
        assert voter.ask(e, A, thorough=True) == "no answer" and asked


def test_the_forms_of_a_pair_from_wide_to_narrow() -> None:
    below, (p, x, y, z, w), v0, v1 = mk("lt", SHARED, B), (var(f"v{i}", F32 if i else BOOL) for i in range(5)), var("v0", F32), var("v1", F32)
    itself = mk("select", below, SHARED, A), mk("select", below, B, C)
    assert vote.forms(*itself) == [
        (mk("select", p, x, y), mk("select", p, z, w)),
        (mk("select", mk("lt", v0, v1), v0, var("v2", F32)), mk("select", mk("lt", v0, v1), v1, z)),
        itself]
    assert vote.forms(mk("floor", itself[0]), mk("floor", mk("select", below, B, A)))[0] == (SHARED, B)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, settings = tmp_path / "journal", {"count": 3, "sources": "x"}
    answers = [Answer(n, "true double", True, "PROVED", ("add_rn",), lean="theorem", lanes=9, exact=1, vote="equal") for n in range(3)]
    first = journal.Journal(file, settings)
    first.decided(answers[:2])
    first.lean_accepts([1])
    first.decided(answers[2:])
    file.write_text(file.read_text()[:-5])    # killed while it wrote
    second = journal.Journal(file, settings)
    assert (second.chunks, second.accepted) == ({0: answers[:2]}, {1})
    second.decided(answers[2:])
    assert journal.Journal(file, settings).chunks == {0: answers[:2], 2: answers[2:]}
    with pytest.raises(journal.Refused, match="sources"):
        journal.Journal(file, {**settings, "sources": "y"})


@pytest.mark.slow
def test_two_processes_and_a_resumed_run_say_the_same(tmp_path: Path) -> None:
    def run(*options: str) -> str:
        command = [sys.executable, "-P", str(Path(soundness.__file__)), "120", "--first", "900000", "--lanes", "2000", "--exact", "500", "--lean", "40"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=300, check=True)
        return done.stdout.splitlines()[-1] + done.stdout.splitlines()[-2].partition(";")[0]
    file = tmp_path / "journal"
    two = run("--jobs", "2", "--resume", str(file))
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in lines if '"first": 900050' not in line or '"answers"' not in line))
    assert run("--jobs", "1", "--resume", str(file)) == two
    assert "120 pairs, 0 wrong" in two
