"""Is a kernel the same function as another compilation of it, or as its own text? Decided as a verdict is, the other's value in the spec's place.

The other's approximate instructions are the reference's: what is not shown to be the same function on two architectures is an obligation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from devsem import mnemonics
from devsem.audit_cells import TEXT, Against, Axis, Key
from devsem.audit_judge import Judge, Ruled
from devsem.compare import inlined
from devsem.decide import with_numbers
from devsem.errors import Rejected
from devsem.expr import Expr, variables
from devsem.goal import Goal, make_goal
from devsem.lower import lower
from devsem.pipeline import Asked, Question, text_goal
from devsem.profile import Profile, load_profile
from devsem.readings import Compiled
from devsem.reference import Payloads, reference_side, resolve

OTHER_NAME = "of the other compilation"
ACROSS = "taken to be one function on {} and {}: no document or record says so"


@dataclass(frozen=True)
class Work:
    """A cell while it is worked on."""

    key: Key
    profile: Profile
    question: Question
    compiled: Compiled | Rejected
    asked: Asked | Rejected

    @property
    def values(self) -> tuple[tuple[Expr, ...], ...]:
        """What the kernel stores, with the numbers of its parameters, under each choice that the machine code leaves open."""
        if isinstance(self.asked, Rejected):
            return ()
        scalars = self.asked.goal.scalars
        return tuple(dict.fromkeys(tuple(with_numbers(v, scalars) for v in values) for values in self.asked.admissible or ()))


def others(w: Work, works: Sequence[Work]) -> list[tuple[Axis, Work]]:
    """The cells with which this one is compared: each has the first value of one coordinate, and is equal in the others."""
    first, by_key = works[0].key, {x.key: x for x in works}
    wanted: list[tuple[Axis, Key]] = [
        ("flags", replace(w.key, flags=first.flags)), ("arch", replace(w.key, device=first.device, arch=first.arch)),
        ("toolkit", replace(w.key, toolkit=first.toolkit))]
    return [(axis, by_key[key]) for axis, key in wanted if key != w.key]


def against(w: Work, other: Work, axis: Axis, judge: Judge) -> Callable[[], Against]:
    """The cell against another one, to be called when the answer is needed."""
    if isinstance(w.compiled, Rejected) or isinstance(other.compiled, Rejected):
        whose = w.key if isinstance(w.compiled, Rejected) else other.key
        return lambda: Against(axis, other.key, "open", f"the code of {whose} is not read")
    ptx = mnemonics.changes(mnemonics.of_ptx(other.compiled), mnemonics.of_ptx(w.compiled))
    sass = mnemonics.changes(mnemonics.of_sass(other.compiled.sass), mnemonics.of_sass(w.compiled.sass))
    found = Against(axis, other.key, "open", ptx=ptx, sass=sass)
    if isinstance(w.asked, Rejected) or isinstance(other.asked, Rejected):
        return lambda: replace(found, reason=f"what {w.key if isinstance(w.asked, Rejected) else other.key} stores is not read")
    unsafe = next((x.key for x, a in ((w, w.asked), (other, other.asked)) if a.safe.verdict != "PASS"), None)
    if unsafe is not None:
        return lambda: replace(found, reason=f"the safety gate does not pass {unsafe}")
    if len(other.values) != 1:
        return lambda: replace(found, reason=f"the machine code of {other.key} leaves open which of {len(other.values)} functions it is")
    if _one_program(w, other):
        return lambda: replace(found, result="same", reason="the compiler made the same program")
    notes = (*w.asked.notes, *other.asked.notes)
    ruled = judge.rule(f"{w.key} against {other.key}", _goal(w, other.values[0]), w.profile, w.values)
    return lambda: _judged(found, ruled, w, notes)


def _one_program(w: Work, other: Work) -> bool:
    """Did the compiler make one program for one architecture, with nothing left to choose, that stores one value?"""
    a, b = w.compiled, other.compiled
    return (isinstance(a, Compiled) and isinstance(b, Compiled) and w.key.arch == other.key.arch and len(a.admissible) == len(b.admissible) == 1
            and mnemonics.program(a.entry) == mnemonics.program(b.entry) and w.values == other.values)


def _goal(w: Work, values: Sequence[Expr]) -> Goal:
    """The cell's goal with another compilation's values in the spec's place, over the reference's functions."""
    assert isinstance(w.compiled, Compiled)
    q = w.question
    spec = replace(resolve(q.spec, q.request.reference, w.profile.arch, q.request.toolkit), name=OTHER_NAME,
                   outputs=tuple(map(reference_side, values)), assumptions=())
    return make_goal(w.compiled.admissible[0], spec, q.request.bind, q.launch, q.assumptions, str(q.request.kernel))


def against_text(w: Work, judge: Judge) -> Callable[[], Against]:
    """The cell against its text, where each operation is IEEE's and CUDA's functions are what this compiler makes of them by default."""
    found, q = Against("text", TEXT, "open"), w.question
    if isinstance(q.written, Rejected):
        refused = str(q.written.rejections[0])
        return lambda: replace(found, reason=refused)
    ieee = load_profile("ieee")
    try:
        goal = text_goal(q)
        lowered = (lower(with_numbers(o.written, goal.scalars), ieee, ()) for o in goal.outputs)
        values = [inlined(v, w.profile, w.key.toolkit, Payloads({b.before: b.number for b in goal.buffers})) for v in lowered]
    except Rejected as rejected:
        why = str(rejected.rejections[0])
        return lambda: replace(found, reason=why)
    return against_values(w, found, values, judge, "its text")


def against_values(w: Work, found: Against, values: Sequence[Expr], judge: Judge, name: object) -> Callable[[], Against]:
    """The cell against values that are no compilation's of now."""
    if isinstance(w.asked, Rejected):
        whose = str(w.asked.rejections[0])
        return lambda: replace(found, reason=whose)
    known = {b.before for b in w.asked.goal.buffers}
    foreign = [v.name for v in variables(*values) if v not in known]
    if foreign or len(values) != len(w.asked.goal.outputs):
        return lambda: replace(found, reason=f"it is a function of {foreign[0]}, which this kernel does not have" if foreign else "it has other outputs")
    if w.asked.safe.verdict != "PASS":
        return lambda: replace(found, reason=f"the safety gate does not pass {w.key}")
    notes = w.asked.notes
    ruled = judge.rule(f"{w.key} against {name}", _goal(w, values), w.profile, w.values)
    return lambda: _judged(found, ruled, w, notes)


def _judged(found: Against, ruled: Ruled, w: Work, notes: tuple[str, ...]) -> Against:
    """What Lean's answer says of the two."""
    decision, lean_file = ruled.settled()
    obligations = decision.obligations
    if found.axis == "arch":
        evidence = ACROSS.format(found.other.arch, w.key.arch)
        obligations = tuple(replace(o, evidence=evidence) if o.status == "assumed" else o for o in obligations)
    found = replace(found, witness=decision.witness, bounds=decision.bounds, obligations=obligations,
                    assumptions=tuple(dict.fromkeys((*notes, *decision.assumptions))))
    if decision.verdict == "PROVED":
        return replace(found, result="equal", theorem=decision.theorem.replace("spec[i]", "other[i]"), lean_file=lean_file)
    if decision.verdict == "REFUTED" and decision.witness is not None:
        at = ", ".join(f"{name} = {pattern}" for name, pattern in decision.witness.inputs.items())
        return replace(found, result="differs", theorem=f"the kernel differs at {at}", lean_file=lean_file)
    return replace(found, reason=decision.reason)
