"""THE HEART: `verify(request) -> verdicts`. If a stage is not visible here, it does not exist.

    spec.py ── load_spec ──► Spec ─────────────────┐
    kernel.cu ─ parse_kernel ─ run ──► Stores ──────┴─► Goal ── safety gate
        for each device: prepare (rewrites, contraction) ─► readings ─► lower ─► refute │ prove ─► Lean file ─► Lean ─► Verdict
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from devsem import assume, decide, leancheck, leangrid, safety
from devsem.decide import Decision
from devsem.door import Door, open_door
from devsem.errors import Bug, Rejected, Rejection
from devsem.frontend import capture_process
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.spec import Spec, load_spec
from devsem.goal import Goal, make_goal, make_sizes, parse_launch
from devsem.leanrun import Lean
from devsem.profile import Profile, load_profile
from devsem.program import Program
from devsem.request import Request
from devsem.safety import Safe
from devsem.symbolic import run
from devsem.verdict import Safety, Verdict

Progress = Callable[[str], None]


@dataclass
class Clock:
    """Seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of a block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def total(self, since: Mapping[str, float]) -> dict[str, float]:
        """This clock's stages after those of another, and the sum of all."""
        both = {**since, **self.seconds}
        return {"total": round(sum(both.values()), 3), **{k: round(v, 3) for k, v in both.items()}}


def verify(request: Request, progress: Progress) -> list[Verdict]:
    """One verdict for each device, in the order asked."""
    capture_process.warm()
    profiles = [load_profile(name, request.flags) for name in request.devices]
    lean = Lean.choose(request.lean)
    launch = parse_launch(request.launch)
    clock = Clock()
    try:
        with clock.stage("kernel"):
            progress(f"reading {request.kernel}")
            program = parse_kernel(str(request.kernel), request.kernel.read_bytes(), request.function)
            stores = run(program)
        with clock.stage("spec"):
            progress(f"capturing {request.spec}")
            spec = load_spec(str(request.spec), timeout=max(request.timeout, 120.0))
    except Rejected as rejected:
        return [_rejected(request, p, rejected.rejections, clock) for p in profiles]
    assumptions = tuple(assume.parse(text, [i.name for i in spec.inputs]) for text in request.assume)
    small = partial(safety.try_small, stores, make_sizes(stores, spec, request.bind, launch), launch, [a.size for a in assumptions if a.size])
    try:
        goal = make_goal(stores, spec, request.bind, launch, assumptions, str(request.kernel))
    except Rejected as rejected:
        return _not_pointwise(request, profiles, program, small(), rejected, clock)
    safety.refuse_empty(goal)
    with clock.stage("safety"):
        progress(f"checking {goal.function} for safety")
        safe = safety.check(goal, stores) if leangrid.is_thread_number(goal) else small()
    with clock.stage("door"):
        door = open_door(request.lemmas, request.proof, request.emit_goal is not None, lean)
    return [_on_device(request, p, goal, spec, safe, lean, door, clock, progress) for p in profiles]


def _on_device(request: Request, profile: Profile, goal: Goal, spec: Spec, safe: Safe, lean: Lean, door: Door, shared: Clock,
               progress: Progress) -> Verdict:
    """The verdict of one device."""
    clock = Clock()
    progress(f"{goal.function} on {profile.name} {profile.flags}".strip())
    if safe.verdict != "PASS":
        return _unsafe(request, profile, goal, safe, clock.total(shared.seconds))
    decision = decide.decide(goal, profile, request.equality, request.timeout, clock.stage, door)
    if request.emit_goal is not None:
        with clock.stage("goal"):
            decision = _emit(request.emit_goal, decision, lean)
    if decision.lean is None:
        return _verdict(request, profile, goal, safe, decision, "", clock.total(shared.seconds))
    path = _lean_path(request, profile)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(decision.lean.text, encoding="utf-8")
    with clock.stage("lean"):
        check = leancheck.check_text(decision.lean.text, decision.lean.theorems, lean=lean, timeout=max(60.0, request.timeout))
    if not check.accepted:
        decision = decide.not_accepted(decision, check.reason, decision.by)
    return _verdict(request, profile, goal, safe, decision, str(path), clock.total(shared.seconds))


def _emit(path: Path, decision: Decision, lean: Lean) -> Decision:
    """Write what an OPEN leaves to a person, once Lean accepts it as a conditional theorem."""
    if decision.goal is None:
        why = "the search did not come to an end, or another reading is refuted" if decision.verdict == "OPEN" else "nothing is open"
        return replace(decision, reason="; ".join(filter(None, (decision.reason, f"{path} is not written: {why}"))))
    check = leancheck.check_text(decision.goal.text, decision.goal.theorems, lean=lean)
    if not check.accepted:
        raise Bug(f"Lean does not accept the theorem with its open cases as hypotheses: {check.reason}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(decision.goal.text, encoding="utf-8")
    return replace(decision, reason=f"{decision.reason}; {path} has the open cases, and the theorem that they would prove")


def _lean_path(request: Request, profile: Profile) -> Path:
    """Where a verdict's file goes: kernel, device and flags make its name."""
    words = [request.kernel.stem, profile.name, profile.flags, request.equality if request.equality != "bits" else "",
             *request.assume]
    name = "-".join("".join(c if c.isalnum() else "_" for c in w).strip("_") for w in words if w)
    return request.out / f"{name}.lean"


def _verdict(request: Request, profile: Profile, goal: Goal, safe: Safe, decision: Decision, lean_file: str, seconds: Mapping[str, float]) -> Verdict:
    return Verdict(
        kernel=str(request.kernel), function=goal.function, spec=str(request.spec), device=profile.name, flags=profile.flags, equality=request.equality,
        verdict=decision.verdict, order="bits", choice=decision.choice, witness=decision.witness, bounds=decision.bounds, safety=Safety(safe.verdict),
        obligations=decision.obligations, theorem=decision.theorem, lean_file=lean_file, assumptions=decision.assumptions, evidence=profile.evidence,
        reason=decision.reason, seconds=seconds)


def _unsafe(request: Request, profile: Profile, goal: Goal, safe: Safe, seconds: Mapping[str, float]) -> Verdict:
    """A kernel that the gate did not pass: REFUTED with its counterexample, or OPEN."""
    return Verdict(
        kernel=str(request.kernel), function=goal.function, spec=str(request.spec), device=profile.name, flags=profile.flags, equality=request.equality,
        verdict="REFUTED" if safe.verdict == "FAIL" else "OPEN", safety=Safety(safe.verdict, safe.counterexample), assumptions=goal.notes,
        evidence=profile.evidence, reason=f"unsafe: {safe.reason}" if safe.verdict == "FAIL" else safe.reason, seconds=seconds)


def _not_pointwise(request: Request, profiles: list[Profile], program: Program, safe: Safe, rejected: Rejected, clock: Clock) -> list[Verdict]:
    """A kernel outside the pointwise form is REJECTED, unless a small launch already shows that it is unsafe."""
    out = []
    for profile in profiles:
        if safe.verdict == "FAIL":
            out.append(Verdict(kernel=str(request.kernel), function=program.function, spec=str(request.spec), device=profile.name, flags=profile.flags,
                               equality=request.equality, verdict="REFUTED", safety=Safety("FAIL", safe.counterexample), evidence=profile.evidence,
                               reason=f"unsafe: {safe.reason}", seconds=clock.total({})))
        else:
            out.append(_rejected(request, profile, rejected.rejections, clock))
    return out


def _rejected(request: Request, profile: Profile, rejections: tuple[Rejection, ...], clock: Clock) -> Verdict:
    return Verdict(kernel=str(request.kernel), function=request.function or "", spec=str(request.spec), device=profile.name, flags=profile.flags,
                   equality=request.equality, verdict="REJECTED", rejections=rejections, evidence=profile.evidence, seconds=clock.total({}))
