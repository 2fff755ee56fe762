"""What the records of a device say of a verdict's obligations: discharged, assumed (and why), or violated at an input.

A record counts only if a GPU gave it, it is as it was written, and it is of the verdict's own device, architecture, toolkit and flags; all that
count together are of one device and one driver. An error bound never becomes an equality, nor does a sample. A function is taken to
agree where the kernel's and the spec's entries, both of all 2^32 inputs, have one digest; an instruction, which stands on both sides on one
device, where two full runs of it have one digest: it is then taken to be a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

from devsem.decide import Decision
from devsem.profile import Profile
from devsem.records import INSTRUCTIONS, OBLIGATIONS, Record, Role, Swept, is_of
from devsem.verdict import Obligation

# the spec's function is the CUDA library's as compiled without flags, by the kernel's toolkit for its architecture (reference.resolve)
SPEC_FLAGS = ""
Settled = tuple[Literal["discharged", "violated"], str]
TWO_ARGUMENTS = "a function of two arguments, whose 2^64 inputs no record covers"


@dataclass(frozen=True)
class Book:
    """The records, by file, and whether what they leave assumed counts as open."""

    records: Mapping[Path, Record]
    required: bool = False


NO_RECORDS = Book({})


@dataclass(frozen=True)
class Entry:
    """One function of one record, with the record's file."""

    path: Path
    record: Record
    swept: Swept

    def __str__(self) -> str:
        s = self.swept
        where = f"{self.record.device} ({self.record.arch}, driver {self.record.driver})" if self.record.arch else self.record.device
        return f"{self.path.name}: {s.function} on {where}, toolkit {s.build or s.toolkit}, flags {s.flags or '(none)'}, {s.date}"


@dataclass(frozen=True)
class Asked:
    """What a verdict is about. `toolkit` is empty where it is not known which one assembles the kernel; `build` is the installed one's of that toolkit."""

    profile: Profile
    toolkit: str
    build: str


def settle(decision: Decision, asked: Asked, book: Book) -> Decision:
    """The decision with its obligations looked up. One that rests on a violated obligation is OPEN; so is one that rests on an assumed one
    where all must be discharged."""
    obligations = tuple(look_up(o, asked, book) for o in decision.obligations)
    found = replace(decision, obligations=obligations)
    if decision.verdict not in ("PROVED", "REFUTED"):
        return found
    violated = [o for o in obligations if o.status == "violated"]
    assumed = [o for o in obligations if o.status == "assumed"] if book.required else []
    if not violated and not assumed:
        return found
    rests = f"Lean accepts the {'theorem' if decision.verdict == 'PROVED' else 'refutation'}, but it rests on an obligation that "
    named = "; ".join(f"{o.name}: {o.evidence}" for o in violated or assumed)
    why = f"{rests}{'does not hold' if violated else 'no record discharges'}: {named}"
    return replace(found, verdict="OPEN", theorem="", reason="; ".join(filter(None, (why, decision.reason))))


def look_up(obligation: Obligation, asked: Asked, book: Book) -> Obligation:
    """The obligation as the records have it; one that is discharged without a record stays so."""
    if obligation.status != "assumed":
        return obligation
    if obligation.name not in OBLIGATIONS:
        return replace(obligation, evidence=TWO_ARGUMENTS)
    if not asked.profile.arch:
        return replace(obligation, evidence=f"{asked.profile.name} is no device, so there can be no record of it")
    entries = [Entry(path, record, s) for path, record in book.records.items() for s in record.functions if s.function == obligation.name]
    kernel, why = _fitting(entries, "kernel", asked, asked.profile.flags, obligation.name)
    found = why or _judged(kernel, partial(_fitting, entries, "spec", asked, SPEC_FLAGS, obligation.name), obligation.name)
    if OBLIGATIONS[obligation.name] != 1 and (isinstance(found, str) or found[0] != "violated"):
        return replace(obligation, evidence=f"{TWO_ARGUMENTS}: {found if isinstance(found, str) else found[1]}")
    if isinstance(found, str):
        return replace(obligation, evidence=found)
    return replace(obligation, status=found[0], evidence=found[1])


def _fitting(entries: Sequence[Entry], role: Role, asked: Asked, flags: str, name: str) -> tuple[list[Entry], str]:
    """The entries of this device, toolkit and flags; or why there are none: the first condition that none of them meets."""
    profile = asked.profile
    conditions: tuple[tuple[Callable[[Entry], bool], str], ...] = (
        (lambda e: e.swept.role == role, f"no record has the {role}'s {name}"),
        (lambda e: e.record.runner == "gpu", f"no GPU's record has the {role}'s {name}: a processor's and the emulator's say nothing of a device"),
        (lambda e: e.record.intact, "the record was changed after it was written: its digest is another"),
        (lambda e: (e.record.profile, e.record.arch) == (profile.name, profile.arch), f"no record of {profile.name} ({profile.arch}) has the {role}'s {name}"),
        (lambda e: is_of(profile, e.record.device), f"the record is of another device than {profile.device}"),
        (lambda e: profile.driver in ("", e.record.driver), f"the record is for another driver than {profile.driver}, which the profile was measured with"),
        (lambda e: bool(asked.toolkit), "which toolkit assembles the kernel is not known, and a record is of one"),
        (lambda e: e.swept.toolkit == asked.toolkit, f"the record is for another toolkit than {asked.toolkit}"),
        (lambda e: e.swept.build == asked.build, f"the record is for another build of NVRTC {asked.toolkit} than {asked.build or 'one that is not installed'}"),
        (lambda e: e.swept.flags == flags, f"the record is for other flags than {flags or '(none)'}"),
    )
    left = list(entries)
    for holds, why in conditions:
        kept = [e for e in left if holds(e)]
        if not kept:
            return [], why + (f" ({'; '.join(map(str, left))})" if left else "")
        left = kept
    return left, ""


def _several(entries: Iterable[Entry]) -> str:
    """What is wrong with entries that are not of one device and one driver: nothing says which of them the verdict is about."""
    where = dict.fromkeys(f"{e.record.device} with driver {e.record.driver}" for e in entries)
    return "" if len(where) < 2 else f"the records are of several devices or drivers, and the verdict names none: {'; '.join(where)}"


def _judged(kernel: Sequence[Entry], spec: Callable[[], tuple[list[Entry], str]], name: str) -> Settled | str:
    """The status and its evidence, of entries that fit; a text alone says why it stays assumed."""
    for e in kernel:
        d = e.swept.differs
        if d is not None:
            sides = ("one run", "another") if name in INSTRUCTIONS else ("the kernel's", "the spec's")
            return "violated", f"at {d.input} {sides[0]} gives {d.kernel}, {sides[1]} {d.spec} ({e})"
    if several := _several(kernel):
        return several
    runs = [d for e in kernel if e.swept.whole for d in e.swept.digests]
    if not runs:
        return _partial(kernel)
    if name in INSTRUCTIONS:
        most = max(len(e.swept.digests) for e in kernel if e.swept.whole)       # of one entry: a copy of its file is no other run
        if most == 1:
            return f"run once over all inputs, and that it is a function takes two runs ({kernel[0]})"
        return _same(runs, kernel, f"all 2^32 inputs, {most} runs, one digest")
    reference, why = spec()
    if why:
        return why
    theirs = [d for e in reference if e.swept.whole for d in e.swept.digests]
    if not theirs:
        return _partial(reference)
    both = [*kernel, *reference]
    return _several(both) or _same([*runs, *theirs], both, "all 2^32 inputs, the kernel's and the spec's have one digest")


def _same(digests: Sequence[str], entries: Sequence[Entry], said: str) -> Settled | str:
    of = "; ".join(map(str, entries))
    if len(set(digests)) == 1:
        return "discharged", f"{said}, {digests[0]} ({of})"
    return f"the digests differ, and no input is named (payloads of NaNs count in a digest, and not in a verdict) ({of})"


def _partial(entries: Iterable[Entry]) -> str:
    """Why entries without a full run discharge nothing."""
    e = next(iter(entries))
    s = e.swept
    if s.inputs == "sample" and s.digests:
        return f"only a sample was run, {s.sample} ({e})"
    bound = "no bound" if s.error is None or s.error.max_ulp is None else f"an error bound of {s.error.max_ulp} ulp"
    return f"the record gives only {bound}, and a bound is no equality ({e})"
