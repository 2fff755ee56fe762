"""Is a kernel without a wrapper safe, in the launches that its user names? By the gate for all sizes, or by running every thread of one launch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from devsem import all_sizes, threads
from devsem.case import Case, raw_case
from devsem.frontend.cuda import parse_kernel
from devsem.gate_setting import MAX_NUMEL
from devsem.plan_safety import Answer
from devsem.verdict import Safety


def look_raw(path: Path, function: str | None, launch: str, bind: str | None, assume: Sequence[str], most: int, seconds: float) -> Answer:
    """The answer. Raises Rejected and UsageError."""
    program = parse_kernel(str(path), path.read_bytes(), function)
    case = raw_case(program, launch, bind, assume, most)
    if not case.setting.sizes:
        return _one_launch(case)
    found = all_sizes.safe(case, seconds)
    return _answer(found.safety, found.reason, case, f"for 1 to {most} elements a tensor".replace(str(MAX_NUMEL), "2^30"), found.conditions)


def _one_launch(case: Case) -> Answer:
    """A launch of fixed size: every thread is run."""
    made = case.make({})
    if made is None:
        return Answer("CUDA refuses the launch, or a condition does not hold", "", case.notes)
    outcome = threads.run(*made[0], values=False, written=frozenset(case.results))
    if outcome.fault is not None and outcome.fault.possible:
        outcome = threads.run(*made[0], values=True, written=frozenset(case.results))
    if outcome.fault is not None:
        return Answer(str(outcome.fault), "", case.notes) if outcome.fault.certain else Answer("", "", case.notes, "", str(outcome.fault))
    shown = "every thread of the launch was run, and none does anything wrong, whatever is in the tensors" if outcome.complete else ""
    return Answer("", "", case.notes, shown, "" if shown else "the run does not show that every launch of this size does the same")


def _answer(safety: Safety, reason: str, case: Case, sizes: str, conditions: Sequence[str]) -> Answer:
    if safety.verdict == "FAIL":
        return Answer(reason, "", case.notes)
    if safety.verdict == "PASS":
        return Answer("", "", case.notes, f"{sizes}, by the gate's solvers: {', '.join(conditions)}")
    return Answer("", "", case.notes, "", reason)
