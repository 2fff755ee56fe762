"""KernelBench-style pairs, decided as a user does it, without flags. What each must give stands in its first line, and was said by a person.

The fast ones are one of a kind: a guard, a template, float4, a loop, a tree in shared memory, a chain of kernels, parameters, refusals.
`python bench/kernelbench.py tests/kernelbench` prints them all.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from devsem.errors import Rejected

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import kernelbench as kb

ROOT = Path(__file__).parent / "kernelbench"
PAIRS = {p.name: p for p in kb.pairs(ROOT)}
LAUNCHES = {"32_linear_relu_chain": 2, "43_softmax_three_kernels": 3}
READ = sorted(name for name, p in PAIRS.items() if not kb.expected(p / "solution.py").reject)
REFUSED = sorted(PAIRS.keys() - set(READ))
FAST = ("16_bias_add_parameter", "55_unsafe_missing_barrier")


def test_there_are_enough_of_them_and_each_says_what_is_expected() -> None:
    wanted = {name: kb.expected(p / "solution.py") for name, p in PAIRS.items()}
    assert sum(w.safety == "PASS" and w.truth != "" for w in wanted.values()) >= 40
    assert sum(w.reject != "" for w in wanted.values()) >= 4 and sum(w.safety == "FAIL" for w in wanted.values()) >= 2
    assert all(w != kb.Expected() for w in wanted.values())


def check_read(name: str) -> None:
    plan = kb.loaded(PAIRS[name])
    assert len(plan.programs) == LAUNCHES.get(name, 1)
    taken, _, given = kb.said_bound(PAIRS[name], plan).partition("/")
    assert taken == given != "0"


def check_refused(name: str) -> None:
    code, _, line = kb.expected(PAIRS[name] / "solution.py").reject.partition("@")
    with pytest.raises(Rejected) as found:
        kb.loaded(PAIRS[name])
    first = found.value.rejections[0]
    assert (first.code, first.where.line, Path(first.where.file).parent.name) == (code, int(line), name)


@pytest.mark.parametrize("name", READ[::15])
def test_it_is_read_and_bound(name: str) -> None:
    check_read(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(READ) - set(READ[::15])))
def test_all_are_read_and_bound(name: str) -> None:
    check_read(name)


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_by_name_and_line(name: str) -> None:
    check_refused(name)


def decide(name: str) -> None:
    row = kb.run(PAIRS[name], "h100", 10.0)
    wanted = kb.expected(PAIRS[name] / "solution.py")
    assert not row.wrong and row.safety == (wanted.safety or "NOT_RUN"), row.line()


@pytest.mark.parametrize("name", FAST)
def test_it_is_decided_as_expected(name: str) -> None:
    decide(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PAIRS.keys() - set(FAST)))
def test_all_are_decided_as_expected(name: str) -> None:
    decide(name)


def test_a_lie_is_noticed() -> None:
    row = kb.Row("p", 1, "1/1", "PASS", "PROVED", 0.0, "")
    assert kb.contradiction(row, (), kb.Expected(safety="PASS", truth="differs")) == "truth is differs"
    assert kb.contradiction(row, (), kb.Expected(safety="FAIL")) == "safety is FAIL"
    assert kb.contradiction(row, (), kb.Expected(reject="cuda.atomic@3")) and not kb.contradiction(row, (), kb.Expected(safety="PASS", truth="equal"))
    with pytest.raises(ValueError, match="says nothing"):
        kb.Expected(safety="FINE")
