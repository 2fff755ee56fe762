"""THE HEART: `verify(request) -> verdicts`. If a stage is not visible here, it does not exist.

    spec.py ── load_spec ──► Spec ── resolve (for a device) ──────────────┐
    kernel.cu ─┬─ as written: parse_kernel ─ run ──► Stores ──────────────┴─► Goal ── safety gate
               └─ as compiled: NVRTC ─ PTX ─ ptxas' rule ─ run_ptx ──► Stores ──┘
        for each device: prepare (rewrites, contraction; not for compiled code) ─► readings ─► lower ─► refute │ prove ─► Lean file ─► Lean ─► Verdict

Where both readings are asked for, the compiled one decides, and the two are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from devsem import arrays, arrays_large, assume, consult, decide, discharge, every_size, leancheck, leangrid, safety
from devsem.assume import Assumption
from devsem.cells import Limits
from devsem.compare import compare
from devsem.decide import Decision
from devsem.discharge import NO_RECORDS, Book
from devsem.door import Door, open_door
from devsem.errors import Bug, Rejected, Rejection, UsageError, Where
from devsem.expr import Expr, variables
from devsem.frontend import capture_process, nvrtc
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.spec import NotPointwise, Spec, load_spec
from devsem.frontend.toolkits import build_of
from devsem.goal import Goal, Launch, is_symbolic, make_goal, make_sizes, parse_launch
from devsem.heads import Clock, Progress, as_rejected, head, judged, lean_path, reading_of, toolkit_of
from devsem.leanrun import Lean
from devsem.profile import Profile, load_open
from devsem.program import Program
from devsem.readings import Compiled, Key, Made, Written, begin, is_ptx, key_of, read_compiled, written as pointwise
from devsem.records import load_folder
from devsem.reference import resolve
from devsem.request import Reading, Request
from devsem.safety import Safe
from devsem.spec_elements import follows
from devsem.symbolic import Stores
from devsem.verdict import Comparison, Safety, Verdict

Compiling = Future[Mapping[Key, Made | Rejected]]


@dataclass(frozen=True)
class Question:
    """What every device of a request is asked, and what does not depend on the device."""

    request: Request
    spec: Spec
    assumptions: tuple[Assumption, ...]
    launch: Launch
    written: Written | Rejected
    compiling: Compiling | None
    lean: Lean
    door: Door
    shared: Mapping[str, float]
    progress: Progress
    book: Book = NO_RECORDS


@dataclass(frozen=True)
class Asked:
    """One reading of the kernel on one device, ready to be decided: `admissible` has the outputs' values under each choice left open
    (None: the profile finds them, as for a text), `notes` is what the reading rests on."""

    goal: Goal
    safe: Safe
    admissible: tuple[tuple[Expr, ...], ...] | None
    notes: tuple[str, ...] = ()


def verify(request: Request, progress: Progress) -> list[Verdict]:
    """One verdict for each device, in the order asked. The kernel is compiled and Lean is looked at while the spec is captured."""
    capture_process.warm()
    nvrtc.warm()
    pool = ThreadPoolExecutor(2)
    try:
        return _verify(request, progress, pool)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _verify(request: Request, progress: Progress, pool: Executor) -> list[Verdict]:
    profiles = [load_open(name, request.flags) for name in request.devices]
    book = open_book(request)
    lean = Lean.choose(request.lean)
    clock = Clock()
    if every_size.is_kernel(request.spec):
        return every_size.against_kernel(request, profiles, lean, clock, progress)
    symbolic = is_symbolic(request.launch)
    launch = Launch() if symbolic else parse_launch(request.launch)
    text: Program | None = None
    try:
        with clock.stage("kernel"):
            progress(f"reading {request.kernel}")
            text, written = _written(request, profiles, launch)
            asked = [p for p in profiles if reading_of(request, p) != "written"]
            compiling = begin(pool, request.kernel, asked, request.toolkit) if asked and not is_ptx(request.kernel) else None
        pool.submit(leancheck.warm, lean)
        with clock.stage("spec"):
            progress(f"capturing {request.spec}")
            spec, graph = _captured(request)
            second = text is not None and request.reference == "ieee" and request.reading != "compiled"
            if text is not None and graph is not None and second and launch.blocks is not None and \
                    (not launch.flat or isinstance(written, Rejected) or isinstance(spec, Rejected)):
                return _second(text, graph, request, profiles, lean, clock, progress)
            if text is not None and second and symbolic and (isinstance(written, Rejected) or request.launch.strip() != "1d") and isinstance(spec, Spec):
                return every_size.against_pointwise(request, profiles, text, spec, lean, clock, progress)
            if text is not None and graph is not None and second and symbolic and isinstance(spec, Rejected) and follows(graph):
                return every_size.against_shapes(request, profiles, text, graph, lean, clock, progress)
            if isinstance(written, Rejected) and all(reading_of(request, p) == "written" for p in profiles):
                raise written
            if isinstance(spec, Rejected):
                raise spec
        large = arrays_large.fault_at_own_size(text, spec, request.bind) if text is not None and launch.blocks is None else None
        if large is not None:
            return [Verdict(**head(request, p, text.function if text else "", "written", clock.total({})), verdict="REFUTED", way="fixed-launch",
                            safety=large[0], reason=f"unsafe: {large[1]}") for p in profiles]
    except Rejected as rejected:
        return [as_rejected(request, p, rejected.rejections, clock.total({})) for p in profiles]
    assumptions = tuple(assume.parse(text, [i.name for i in spec.inputs]) for text in request.assume)
    with clock.stage("door"):
        door = open_door(request.lemmas, request.proof, request.emit_goal is not None, lean)
    question = Question(request, spec, assumptions, launch, written, compiling, lean, door, clock.seconds, progress, book)
    return [_on_device(question, p) for p in profiles]


def _captured(request: Request) -> tuple[Spec | Rejected, Mapping[str, Any] | None]:
    """The spec, or why it is not pointwise; and its graph."""
    try:
        spec = load_spec(str(request.spec), timeout=max(request.timeout, 120.0))
    except NotPointwise as refused:
        return refused, refused.graph
    return spec, spec.captured.graph if spec.captured is not None else None


def _written(request: Request, profiles: Sequence[Profile], launch: Launch) -> tuple[Program | None, Written | Rejected]:
    """The kernel as its text says, and as a pointwise one; a refusal counts only where that is all there is."""
    text: Program | None = None
    try:
        if is_ptx(request.kernel):
            raise Rejected(Rejection("cuda.ptx", Where(str(request.kernel)), "a PTX file has no CUDA text", "use --reading compiled, on a device"))
        text = parse_kernel(str(request.kernel), request.kernel.read_bytes(), request.function)
        return text, pointwise(text)
    except Rejected as rejected:
        if any(reading_of(request, p) == "written" for p in profiles) and text is None:
            raise
        return text, rejected


def _second(text: Program, graph: Mapping[str, Any], request: Request, profiles: Sequence[Profile], lean: Lean, clock: Clock,
            progress: Progress) -> list[Verdict]:
    """The verdicts on a kernel or spec that is not pointwise, in a launch of fixed size."""
    for option, given in (("--assume", request.assume), ("--lemmas", request.lemmas), ("--proof", request.proof), ("--emit-goal", request.emit_goal)):
        if given:
            raise UsageError(f"{option} is for pointwise kernels; this one is decided for a launch of fixed size")
    try:
        with clock.stage("launch"):
            progress(f"running {text.function} in its launch, every thread")
            asked = arrays.ask(text, str(request.spec), graph, parse_launch(request.launch), request.bind,
                                arrays.Source(request.kernel.read_bytes(), str(request.kernel), request.toolkit))
    except Rejected as rejected:
        return [as_rejected(request, p, rejected.rejections, clock.total({})) for p in profiles]
    return [second_on(asked, request, profile, lean, clock, progress) for profile in profiles]


def second_on(asked: arrays.Asked, request: Request, profile: Profile, lean: Lean, before: Clock, progress: Progress) -> Verdict:
    """The same on one device."""
    progress(f"{request.kernel.name} on {profile.name} {profile.flags}".strip())
    clock = Clock()
    return arrays.verdict_on(asked, profile, Limits(request.equality, request.timeout, clock.stage), lean,
                             lambda: head(request, profile, asked.function, "written", clock.total(before.seconds)), lean_path(request, profile))


def _on_device(q: Question, profile: Profile) -> Verdict:
    """The verdict of one device: by the text, by the machine code, or by both."""
    clock, request = Clock(), q.request
    reading = reading_of(request, profile)
    q.progress(f"{request.kernel.name} on {profile.name} {profile.flags}".strip())
    if reading == "written":
        return _by_text(q, profile, clock, ())
    try:
        with clock.stage("compile"):
            made = _made(q, profile)
        with clock.stage("machine"):
            compiled = read_compiled(request.kernel, request.function, profile, request.toolkit, made)
        asked = ask_compiled(q, profile, compiled, clock)
    except Rejected as rejected:
        if reading == "compiled" or request.reference == "eager" or isinstance(q.written, Rejected):
            refused = q.written.rejections if reading == "both" and isinstance(q.written, Rejected) else rejected.rejections  # of two, the user's own text
            return as_rejected(request, profile, refused, clock.total(q.shared))
        why = f"only the text is read, since the compiled code is not: {rejected.rejections[0]}"
        return _by_text(q, profile, clock, (why,))
    verdict = _decided(q, profile, asked, clock, reading)
    if reading == "compiled" or isinstance(q.written, Rejected):
        return replace(verdict, reading="compiled", compiler=compiled.compiler)
    with clock.stage("readings"):
        comparison = _compared(q, profile, asked)
    return replace(verdict, compiler=compiled.compiler, readings=comparison, seconds=clock.total(q.shared))


def _compared(q: Question, profile: Profile, asked: Asked) -> Comparison:
    """The two readings against each other; of a text outside the pointwise form, which the compiler brought into it, only that."""
    if profile.open:
        return Comparison("unknown", f"undecided on {profile.name}: {', '.join(profile.open)}")
    try:
        text = text_goal(q)
    except Rejected as rejected:
        return Comparison("unknown", f"the text is not in a form that is decided: {rejected.rejections[0]}")
    return compare(text, asked.goal, asked.admissible or (), profile, q.request.toolkit)


def _made(q: Question, profile: Profile) -> Made | None:
    """What the compiler made of the kernel for this profile; raises Rejected."""
    made = q.compiling.result()[key_of(profile)] if q.compiling is not None else None
    if isinstance(made, Rejected):
        raise made
    return made


def _by_text(q: Question, profile: Profile, clock: Clock, notes: tuple[str, ...]) -> Verdict:
    """The verdict on the kernel as its text says."""
    if isinstance(q.written, Rejected):
        return as_rejected(q.request, profile, q.written.rejections, clock.total(q.shared))
    try:
        asked = ask_text(q, q.written, clock)
    except Rejected as rejected:
        if q.launch.blocks is not None and q.request.reference == "ieee" and q.spec.captured is not None:
            (verdict,) = _second(q.written.program, q.spec.captured.graph, q.request, [profile], q.lean, Clock(dict(q.shared)), q.progress)
            return verdict
        sizes = make_sizes(q.written.stores, q.spec, q.request.bind, q.launch)
        safe = safety.try_small(q.written.stores, sizes, q.launch, [a.size for a in q.assumptions if a.size])
        return _not_pointwise(q, profile, safe, rejected, clock)
    return _decided(q, profile, replace(asked, notes=notes), clock, "written")


def text_goal(q: Question) -> Goal:
    """The goal of the kernel's text; raises Rejected."""
    if isinstance(q.written, Rejected):
        raise q.written
    return make_goal(q.written.stores, q.spec, q.request.bind, q.launch, q.assumptions, str(q.request.kernel))


def ask_text(q: Question, written: Written, clock: Clock) -> Asked:
    """The question about the text; raises Rejected."""
    goal = text_goal(q)
    return Asked(goal, _safe(q, goal, written.stores, clock), None)


def ask_compiled(q: Question, profile: Profile, compiled: Compiled, clock: Clock) -> Asked:
    """The question about the machine code; raises Rejected."""
    with clock.stage("reference"):
        spec = resolve(q.spec, q.request.reference, profile.arch, q.request.toolkit)
    goals = [make_goal(stores, spec, q.request.bind, q.launch, q.assumptions, str(q.request.kernel)) for stores in compiled.admissible]
    if any((g.index, g.guard, g.buffers) != (goals[0].index, goals[0].guard, goals[0].buffers) for g in goals):
        raise Bug("two choices of ptxas differ in more than the values")
    values = tuple(dict.fromkeys(tuple(o.written for o in g.outputs) for g in goals))
    return Asked(goals[0], _safe(q, goals[0], compiled.admissible[0], clock), values, compiled.notes)


def _safe(q: Question, goal: Goal, stores: Stores, clock: Clock) -> Safe:
    """The safety gate, for all sizes or for small launches."""
    safety.refuse_empty(goal)
    with clock.stage("safety"):
        q.progress(f"checking {goal.function} for safety")
        if leangrid.is_thread_number(goal):
            return safety.check(goal, stores)
        return safety.try_small(stores, make_sizes(stores, q.spec, q.request.bind, q.launch), q.launch, [a.size for a in q.assumptions if a.size])


def _decided(q: Question, profile: Profile, asked: Asked, clock: Clock, reading: Reading) -> Verdict:
    """Decide one reading, and have Lean judge it."""
    request, goal, safe = q.request, asked.goal, asked.safe
    if profile.open and consult.has_numbers(goal.index, goal.guard):
        why = f"undecided on {profile.name}: {', '.join(profile.open)}; and where the kernel stores depends on numbers"
        return as_verdict(request, profile, goal, safe, Decision("OPEN", why, assumptions=goal.notes), reading, "", clock.total(q.shared))
    if safe.verdict != "PASS":
        return as_unsafe(request, profile, goal, safe, reading, clock.total(q.shared))
    consulted = _consulted(profile, asked, request.reference)
    folded = asked.admissible is not None and bool(goal.scalars)     # what a parameter's number is folded into cannot be seen at a witness
    if consulted.keys() - (set() if folded else {consult.WINDOW}):
        decision = Decision("OPEN", consult.says(profile, consulted), assumptions=(*asked.notes, *goal.notes))
        return as_verdict(request, profile, goal, safe, decision, reading, "", clock.total(q.shared))
    arguments = (request.equality, request.timeout, clock.stage, q.door)
    if asked.admissible is None:
        decision = decide.decide(goal, profile, *arguments)
    else:
        decision = decide.decide_compiled(goal, profile, asked.admissible, *arguments)
    decision = replace(decision, assumptions=(*asked.notes, *decision.assumptions, *consult.notes(profile, consulted)))
    if consulted and (decision.verdict == "PROVED" or decision.bounds or decision.obligations):     # no witness of exact operations rests on the window
        decision = Decision("OPEN", consult.says(profile, consulted), assumptions=(*asked.notes, *goal.notes))
    if request.emit_goal is not None:
        with clock.stage("goal"):
            decision = _emit(request.emit_goal, decision, q.lean)
    if decision.lean is None:
        return as_verdict(request, profile, goal, safe, decision, reading, "", clock.total(q.shared))
    with clock.stage("lean"):
        decision, path = judged(decision, lean_path(request, profile), q.lean, request.timeout)
    toolkit = toolkit_of(request)
    decision = discharge.settle(decision, discharge.Asked(profile, toolkit, build_of(toolkit)), q.book)
    return as_verdict(request, profile, goal, safe, decision, reading, path, clock.total(q.shared))


def _consulted(profile: Profile, asked: Asked, reference: str) -> Mapping[str, str]:
    """The profile's open fields that the kernel consults, or its reference where that is compiled for the device too."""
    goal = asked.goal
    known = {*(b.before for b in goal.buffers), *goal.scalars, *goal.integers, *variables(goal.index, goal.guard)}
    if asked.admissible is None:
        return consult.of_text(profile, [o.written for o in goal.outputs], known)
    return consult.of_compiled(profile, asked.admissible, [o.spec for o in goal.outputs] if reference == "eager" else (), known)


def open_book(request: Request) -> Book:
    """The records that a request names, or devsem's own."""
    return Book(load_folder(request.records), request.require_discharged)


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


def as_verdict(request: Request, profile: Profile, goal: Goal, safe: Safe, decision: Decision, reading: Reading, lean_file: str,
             seconds: Mapping[str, float]) -> Verdict:
    """The verdict that a decision on a safe kernel is."""
    return Verdict(
        **head(request, profile, goal.function, reading, seconds), verdict=decision.verdict, choice=decision.choice, witness=decision.witness,
        bounds=decision.bounds, safety=Safety(safe.verdict), obligations=decision.obligations, theorem=decision.theorem, lean_file=lean_file,
        assumptions=decision.assumptions, reason=decision.reason)


def as_unsafe(request: Request, profile: Profile, goal: Goal, safe: Safe, reading: Reading, seconds: Mapping[str, float]) -> Verdict:
    """A kernel that the gate did not pass: REFUTED with its counterexample, or OPEN."""
    failed = safe.verdict == "FAIL"
    return Verdict(
        **head(request, profile, goal.function, reading, seconds), verdict="REFUTED" if failed else "OPEN", assumptions=goal.notes,
        safety=Safety(safe.verdict, safe.counterexample), reason=f"unsafe: {safe.reason}" if failed else safe.reason)


def _not_pointwise(q: Question, profile: Profile, safe: Safe, rejected: Rejected, clock: Clock) -> Verdict:
    """A kernel outside the pointwise form is REJECTED, unless a small launch already shows that it is unsafe."""
    seconds = clock.total(q.shared)
    if safe.verdict != "FAIL" or isinstance(q.written, Rejected) or profile.open:
        return as_rejected(q.request, profile, rejected.rejections, seconds)
    return Verdict(**head(q.request, profile, q.written.program.function, "written", seconds), verdict="REFUTED",
                   safety=Safety("FAIL", safe.counterexample), reason=f"unsafe: {safe.reason}")
