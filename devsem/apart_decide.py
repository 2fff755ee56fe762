"""Is one kernel the same function on two devices, or under two sets of flags? Inputs that set the two apart, or a theorem that there are none.

No spec is needed: the second side's value stands in the spec's place, and the goal is decided as a verdict's is. A device is read as compiled,
a profile that is no device, or that does otherwise than compiled code says, by the kernel's text under the profile; where one side is text, CUDA's
functions in it are what the compiler of the other side makes of them by default. What documents do not show to be one function on both sides is
an obligation.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from devsem import assume
from devsem.apart import Apart, Side
from devsem.audit_judge import Judge
from devsem.compare import inlined
from devsem.decide import MOST_CHOICES, with_numbers
from devsem.discharge import NO_RECORDS
from devsem.door import CLOSED
from devsem.errors import Rejected, Rejection, Where
from devsem.expr import Expr, const, topo, variables
from devsem.frontend import nvrtc
from devsem.frontend.spec import Spec, SpecInput, load_spec
from devsem.frontend.toolkits import choose_toolkit
from devsem.goal import Goal, make_goal, parse_launch
from devsem.heads import Clock
from devsem.leanrun import Lean
from devsem.lower import lower, prepare
from devsem.ops import OPS
from devsem.pipeline import Asked, Question, ask_compiled, ask_text
from devsem.profile import Profile, load_profile
from devsem.readings import Compiled, Made, Written, begin, is_ptx, key_of, otherwise, read_compiled, read_written
from devsem.reference import Payloads, reference_side
from devsem.request import Request
from devsem.symbolic import Stores
from devsem.verdict import HexWitness

Progress = Callable[[str], None]
ACROSS = "taken to be one function on both sides: no document or record says so"
TEXT_ONLY = "a PTX file has no CUDA text, which the profile {} is decided by"


@dataclass(frozen=True)
class Read:
    """One side while it is worked on: its reading, its goal with nothing to be equal to, and the values it stores under each choice left open."""

    side: Side
    profile: Profile
    stores: Stores
    compiled: Compiled | None
    asked: Asked
    values: tuple[tuple[Expr, ...], ...]


def separate(request: Request, sides: Sequence[tuple[str, str]], spec: Path | None, progress: Progress) -> Apart:
    """Decide a kernel between two sides, each a profile's name and flags. `spec` only names the tensors; the request's own is not read.

    Raises UsageError for a command, a profile or a binding that is wrong."""
    clock, start = Clock(), time.perf_counter()
    profiles = [load_profile(device, flags) for device, flags in sides]
    shown = [Side(p.name, p.flags, p.arch, *_how(request, p)) for p in profiles]
    lean = Lean.choose(request.lean)

    def finish(found: Apart) -> Apart:
        return replace(found, seconds={"total": round(time.perf_counter() - start, 3), **{k: round(v, 3) for k, v in clock.seconds.items()}})

    blank = Apart(str(request.kernel), request.function or "", shown[0], shown[1], request.equality, "open")
    try:
        with clock.stage("read"):
            progress(f"reading {request.kernel}")
            sources = _sources(request, profiles)
        with clock.stage("spec"):
            names = load_spec(str(spec)).inputs if spec is not None else _inputs([s for s, _ in sources])
        question = _question(request, names, sources[0][0], lean, progress)
        reads = [_read(question, side, p, stores, how, clock) for side, p, (stores, how) in zip(shown, profiles, sources, strict=True)]
    except Rejected as rejected:
        return finish(replace(blank, result="rejected", rejections=tuple(dict.fromkeys(rejected.rejections))))
    blank = replace(blank, function=reads[0].asked.goal.function)
    with Judge(question, clock) as judge:
        return finish(_decided(blank, reads, judge))


def _how(request: Request, profile: Profile) -> tuple[str, str]:
    """The reading of a side, and the toolkit that compiles it."""
    if not _compiles(profile):
        return "written", ""
    return "compiled", "" if is_ptx(request.kernel) else choose_toolkit(request.toolkit)


def _compiles(profile: Profile) -> bool:
    """Is this a device that does what compiled code says?"""
    return bool(profile.arch) and not otherwise(profile)[0]


def _sources(request: Request, profiles: Sequence[Profile]) -> list[tuple[Stores, Compiled | Written]]:
    """What a thread stores on each side; raises Rejected."""
    devices, texts = [p for p in profiles if _compiles(p)], [p for p in profiles if not _compiles(p)]
    if is_ptx(request.kernel):
        if texts:
            raise Rejected(Rejection("cuda.ptx", Where(str(request.kernel)), TEXT_ONLY.format(texts[0].name), "name two devices"))
        return [_stored(read_compiled(request.kernel, request.function, p, request.toolkit)) for p in profiles]
    if devices:
        nvrtc.warm()
    with ThreadPoolExecutor(1) as pool:
        making = begin(pool, request.kernel, devices, request.toolkit) if devices else None
        written = read_written(request.kernel, request.function) if texts else None
        made = making.result() if making is not None else {}
    compiled = {key_of(p): read_compiled(request.kernel, request.function, p, request.toolkit, _accepted(made[key_of(p)])) for p in devices}
    found: Iterable[Compiled | Written | None] = (compiled[key_of(p)] if _compiles(p) else written for p in profiles)
    return [_stored(f) for f in found if f is not None]


def _accepted(made: Made | Rejected) -> Made:
    if isinstance(made, Rejected):
        raise made
    return made


def _stored(how: Compiled | Written) -> tuple[Stores, Compiled | Written]:
    return (how.admissible[0] if isinstance(how, Compiled) else how.stores), how


def _inputs(sides: Sequence[Stores]) -> tuple[SpecInput, ...]:
    """The buffers that some side reads, and those that none writes, by the names of the parameters."""
    read, written = {x.buffer for s in sides for x in s.loads}, {x.buffer for s in sides for x in s.stores}
    return tuple(SpecInput(p.name, "input", ()) for p in sides[0].params if p.is_buffer and (p.name in read or p.name not in written))


def _question(request: Request, inputs: tuple[SpecInput, ...], stores: Stores, lean: Lean, progress: Progress) -> Question:
    """What both sides are asked, with a spec that only names the inputs and counts the outputs."""
    outputs = len({s.buffer for s in stores.stores})
    spec = Spec("nothing yet", inputs, (const(0.0),) * outputs, ())
    assumptions = tuple(assume.parse(text, [i.name for i in inputs]) for text in request.assume)
    nothing = Rejected(Rejection("cuda.empty", Where(str(request.kernel)), "the text is not asked for"))
    return Question(request, spec, assumptions, parse_launch(request.launch), nothing, None, lean, CLOSED, {}, progress, NO_RECORDS)


def _read(q: Question, side: Side, profile: Profile, stores: Stores, how: Compiled | Written, clock: Clock) -> Read:
    """One side, ready to be compared; raises Rejected."""
    if isinstance(how, Compiled):
        asked = ask_compiled(q, profile, how, clock)
        values = [tuple(with_numbers(v, asked.goal.scalars) for v in found) for found in asked.admissible or ()]
        return Read(side, profile, stores, how, asked, tuple(dict.fromkeys(values)))
    asked = ask_text(replace(q, written=how), how, clock)
    sites = prepare(tuple(o.written for o in asked.goal.outputs), profile)
    choices = itertools.product((True, False), repeat=sites.choices) if sites.choices <= MOST_CHOICES else ()
    values = [tuple(lower(with_numbers(v, asked.goal.scalars), profile, choice) for v in sites.values) for choice in choices]
    return Read(side, profile, stores, None, replace(asked, notes=sites.assumptions), tuple(dict.fromkeys(values)))


def _decided(blank: Apart, reads: Sequence[Read], judge: Judge) -> Apart:
    """The answer, after Lean's. The kernel's side of the goal is the compiled one of two, or the one that leaves a choice."""
    unsafe = next((r for r in reads if r.asked.safe.verdict != "PASS"), None)
    if unsafe is not None:
        return replace(blank, reason=f"the safety gate does not pass the kernel on {unsafe.side}: {unsafe.asked.safe.reason}")
    swapped = _swapped(*reads)
    ours, other = (reads[1], reads[0]) if swapped else (reads[0], reads[1])
    if len(other.values) != 1 or not ours.values:
        loose = other if len(other.values) != 1 else ours
        return replace(blank, reason=f"on {loose.side} the compiler is free to fuse products in several ways, so the kernel is not one function there")
    if isinstance(values := _other_values(judge.question, ours, other), str):
        return replace(blank, reason=values)
    try:
        goal = _goal(judge.question, ours, other, values)
    except Rejected as rejected:
        return replace(blank, result="rejected", rejections=rejected.rejections)
    known = {b.before for b in goal.buffers}
    foreign = [v.name for o in goal.outputs for v in variables(o.spec) if v not in known]
    if foreign:
        return replace(blank, reason=f"on {other.side} the value depends on {foreign[0]}, which on {ours.side} it cannot")
    ruled = judge.rule(f"{ours.side} against {other.side}", goal, ours.profile, ours.values)
    decision, lean_file = ruled.settled()
    one_arch = ours.compiled is not None and ours.side.reading == other.side.reading and ours.side.arch == other.side.arch
    obligations = tuple(replace(o, evidence=ACROSS) if o.status == "assumed" and not one_arch else o for o in decision.obligations)
    bounds = tuple(replace(b, function=f"{b.function[2:]} on {ours.side if b.function.startswith('D.') else other.side}") for b in decision.bounds)
    notes = tuple(dict.fromkeys((*ours.asked.notes, *other.asked.notes, *decision.assumptions)))
    found = replace(blank, reason=decision.reason, obligations=obligations, bounds=bounds, assumptions=notes, lean_file=lean_file)
    if decision.verdict == "PROVED":
        return replace(found, result="equal", theorem=decision.theorem.replace("kernel[i]", "first[i]").replace("spec[i]", "second[i]"))
    if decision.verdict == "REFUTED" and decision.witness is not None:
        several = f"on {ours.side} the compiler may fuse products in {len(ours.values)} ways, which all differ from {other.side}; the inputs are of the first"
        return _apart(replace(found, reason=several if len(ours.values) > 1 else ""), decision.witness, swapped)
    return replace(found, lean_file="")


def _swapped(first: Read, second: Read) -> bool:
    """Is the second side the goal's kernel: the compiled one of two, the one whose functions the reference does not have, or the one with choices?"""
    if (first.compiled is None) != (second.compiled is None):
        return first.compiled is None
    return bool(_without_reference(second)) or len(second.values) != 1


def _without_reference(read: Read) -> str:
    """A function in the values that the reference does not have; empty if there is none."""
    return next((n.op[2:] for v in read.values for n in topo(*v) if n.op.startswith("D.") and f"S.{n.op[2:]}" not in OPS), "")


def _other_values(q: Question, ours: Read, other: Read) -> tuple[Expr, ...] | str:
    """The other side's values over the reference's functions, or why there are none."""
    values = other.values[0]
    if other.compiled is None and ours.compiled is not None:
        payloads = Payloads({b.before: b.number for b in other.asked.goal.buffers})
        try:
            values = tuple(inlined(v, ours.profile, q.request.toolkit, payloads) for v in values)
        except Rejected as rejected:
            return f"on {other.side} the text is not compared: {rejected.rejections[0].message}"
    elif name := _without_reference(other):
        return f"on {other.side} the text is not compared: what {name} is there, no code and no document says"
    return tuple(map(reference_side, values))


def _apart(found: Apart, w: HexWitness, swapped: bool) -> Apart:
    """The answer with inputs that set the two apart."""
    first, second = (w.spec, w.kernel) if swapped else (w.kernel, w.spec)
    at = ", ".join(f"{name} = {pattern}" for name, pattern in w.inputs.items())
    return replace(found, result="separated", inputs=w.inputs, first_value=first, second_value=second, theorem=f"the two differ at {at}")


def _goal(q: Question, ours: Read, other: Read, values: tuple[Expr, ...]) -> Goal:
    """One side's goal with the other's values in the spec's place; raises Rejected."""
    spec = replace(q.spec, name=f"of {other.side}", outputs=values)
    return make_goal(ours.stores, spec, q.request.bind, q.launch, q.assumptions, str(q.request.kernel))
