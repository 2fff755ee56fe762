"""Every kernel of the corpus, and of `regressions/`, has the verdict that its first lines expect. See `cases.py` for the header.

A spec is captured once for all its kernels and devices; everything else is `pipeline.verify`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import REGRESSIONS, Case, cases, expectation, spec_of

from devsem import pipeline
from devsem.verdict import Verdict

pytestmark = pytest.mark.slow  # minutes; `make test-all` runs it


def marks(case: Case) -> list[pytest.MarkDecorator]:
    """What the header says about running the case."""
    e = case.expected
    slow = [pytest.mark.slow] if e.slow else []
    return [*slow, pytest.mark.xfail(reason=e.bug, raises=AssertionError)] if e.bug else slow


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name, marks=marks(c)) for c in (*cases(), *cases(REGRESSIONS))])
def test_the_verdict_is_the_expected_one(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "load_spec", lambda path, timeout: spec_of(path))
    verdicts = pipeline.verify(case.request(tmp_path), lambda text: None)
    assert [v.device for v in verdicts] == list(case.expected.devices)
    for v in verdicts:
        assert summary(v, case) == wanted(case), f"{v.device}: {v.reason}"


def summary(v: Verdict, case: Case) -> dict[str, str]:
    """What a verdict says of the things that its header names."""
    e = case.expected
    return {
        "verdict": v.verdict,
        "input": ",".join(f"{name}:{pattern[2:]}" for name, pattern in v.witness.inputs.items()) if e.input and v.witness else "",
        "safety": v.safety.verdict if e.safety else "",
        "reject": ",".join(dict.fromkeys(f"{r.code}@{r.where.line}" for r in v.rejections)),
        "obligations": ",".join(o.name for o in v.obligations) if v.verdict == "PROVED" else "",
    }


def wanted(case: Case) -> dict[str, str]:
    """The same, as the header has it."""
    e = case.expected
    return {"verdict": e.verdict, "input": e.input, "safety": e.safety, "reject": e.reject, "obligations": e.obligations}


def test_the_corpus_shows_every_verdict_and_device() -> None:
    all_ = [c.expected for c in cases()]
    assert {e.verdict for e in all_} == {"PROVED", "REFUTED", "OPEN", "REJECTED"}
    assert {d for e in all_ for d in e.devices} >= {"ieee", "t4", "a100", "h100", "b200", "rtx4090"}


@pytest.mark.parametrize("line", ["// devsem: device=h100", "// devsem: device=h100 verdict=PROVEN", "// devsem: device=h100 verdict=PROVED colour=red",
                                  "// devsem: device=h100 verdict=OPEN", "// devsem: device=h100 verdict=REJECTED"])
def test_a_header_that_says_nothing_is_refused(line: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        expectation(line)
