"""The safety gate for what a host does: one setting for each launch of a plan, for all sizes that the plan is about."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from devsem.expr import Expr
from devsem.gate import SECONDS, gate
from devsem.gate_setting import MAX_NUMEL, Buffer, Gate, Setting
from devsem.instance import Initial
from devsem.ops import F32
from devsem.plan import Launched, Plan
from devsem.program import Program, Store, walk

WORD = {"B32": (-(1 << 31), (1 << 31) - 1), "B64": (-(1 << 63), (1 << 63) - 1), "BOOL": (0, 1), "F32": (0, 0)}


def gate_plan(plan: Plan, programs: Sequence[Program], *, assumed: Sequence[Expr] = (), most: int = MAX_NUMEL, seconds: float = SECONDS) -> Gate:
    """Are all launches of a plan safe, for all sizes that meet its conditions and `assumed` (over the plan's sizes), with tensors of 1 to `most`
    elements? `programs`: the kernel of each launch. An empty tensor that a launch writes must be written in whole by the first such launch."""
    end = time.monotonic() + seconds
    questions: list[Gate] = []
    for program, setting in zip(programs, settings(plan, programs, assumed, most), strict=True):
        found = gate(program, setting, end - time.monotonic())
        questions.append(found)
        if found.verdict == "FAIL":
            break
    worst = next((g for kind in ("FAIL", "OPEN") for g in questions if g.verdict == kind), None)
    together = tuple(q for g in questions for q in g.questions)
    if worst is not None:
        return Gate(worst.verdict, together, worst.reason, worst.model)
    never = [r for r in plan.results if plan.tensor(r).initial == "empty" and r not in _written(plan, programs)]
    return Gate("OPEN", together, f"no launch writes {', '.join(never)}") if never or not questions else Gate("PASS", together)


def settings(plan: Plan, programs: Sequence[Program], assumed: Sequence[Expr] = (), most: int = MAX_NUMEL) -> tuple[Setting, ...]:
    """What each launch is given: dimensions and numbers over the plan's sizes, and what the launches before it have written."""
    sizes = {v: (1, most) if v.name.partition(".")[2].startswith("size(") else WORD[v.sort] for v in plan.sizes if v.sort != F32}
    conditions = (*(c.holds for c in plan.conditions), *assumed)
    full: set[str] = set()
    out: list[Setting] = []
    for program, launch in zip(programs, plan.launches, strict=True):
        written = _writes(program, launch)
        buffers = {p: _buffer(plan, a, a in written, a in full) for p, a in _given(launch).items() if isinstance(a, str)}
        scalars = {p: a for p, a in _given(launch).items() if isinstance(a, Expr) and a.sort != F32}
        out.append(Setting(buffers, launch.grid, launch.block, scalars, sizes, conditions, launch.shared_bytes, most))
        full |= written
    return tuple(out)


def _given(launch: Launched) -> Mapping[str, str | Expr]:
    return dict(zip(launch.params, launch.arguments, strict=True))


def _writes(program: Program, launch: Launched) -> set[str]:
    """The tensors that a launch stores to."""
    given = _given(launch)
    return {a for s in walk(program.body) if isinstance(s, Store) and isinstance(a := given.get(s.buffer), str)}


def _written(plan: Plan, programs: Sequence[Program]) -> set[str]:
    return {a for program, launch in zip(programs, plan.launches, strict=True) for a in _writes(program, launch)}


def _buffer(plan: Plan, name: str, written: bool, full: bool) -> Buffer:
    """A tensor as a launch finds it: an empty one is to be written in whole by the first launch that writes it, and is an input to the later ones."""
    t = plan.tensor(name)
    initial: Initial = "input" if full else t.initial
    return Buffer(name, t.dims, initial, written and initial == "empty")
