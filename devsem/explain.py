"""A verdict in plain words: what was shown, on what assumptions, trusting what, and how to check it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from devsem.report import bound, difference, heading
from devsem.verdict import Document, Outcome, Verdict, Way

EQUALITY = {"bits": "bit for bit, all NaNs taken as one", "zero-sign": "bit for bit, all NaNs taken as one and both zeros taken as one"}
EVIDENCE = {"emulated": "only by devsem's own reading of PTX", "documented": "by the vendor's documents", "compiled": "by what the compiler wrote",
            "measured": "by measurements on the device"}
# what a theorem is about, and what of the claim is not Lean's
PROVED: Mapping[Way, str] = {
    "pointwise": "For every size, launch, memory and input that the theorem admits, every output element equals the spec's.",
    "all-sizes": "For every size that the assumptions admit, in the launch that they name, whatever the inputs hold, every output element equals the "
                 "spec's. That the launch does nothing wrong and that each element is written once is the gate's word; by which write and with which "
                 "value, the summary's; that this value equals the spec's is Lean's.",
    "fixed-launch": "In the one launch that the assumptions name, whatever the inputs hold, every output element equals the spec's. Every thread was run: that "
                    "none does anything wrong and what each element's value is, is the executor's word; that this value equals the spec's is Lean's.",
}
STATUS = {"assumed": "Assuming of functions that no standard fixes, without a record", "discharged": "Known of functions that no standard fixes",
          "violated": "Found not to hold of functions that no standard fixes"}


def _by_lean(v: Verdict) -> bool:
    return bool(v.theorem)


def _by_executor(v: Verdict) -> bool:
    """Did a run of every thread decide, or show what is unsafe?"""
    return (v.way, v.safety.verdict) in (("all-sizes", "FAIL"), ("fixed-launch", "FAIL"), ("fixed-launch", "PASS"))


def _is_kernel(spec: str) -> bool:
    return spec.endswith((".cu", ".cuh"))


# what a verdict trusts, and which verdicts trust it
TRUSTED: tuple[tuple[str, Callable[[Verdict], bool]], ...] = (
    ("the Lean kernel: one pinned shared library, its SHA-256 checked", _by_lean),
    ("the definitions in lean/FloatLib outside Lemmas/ (not the proofs)", _by_lean),
    ("the translation of the kernel's text and of the spec into expressions", lambda v: v.verdict != "REJECTED"),
    ("where the file says itself how it launches, devsem's reading of its host code",
     lambda v: v.verdict != "REJECTED" and (v.way != "pointwise" or v.kernel.endswith(".py"))),
    ("the spec, which was executed to be captured; the kernel was only parsed", lambda v: not _is_kernel(v.spec)),
    ("the compiler: that it builds the kernel as the profile's fields say", lambda v: v.reading == "written" and v.device != "ieee"),
    ("NVRTC and ptxas, for the compiled reading", lambda v: v.reading != "written"),
    ("the device's records, and that a sweep's SHA-256 stands for its results", lambda v: any(o.status == "discharged" and o.name != "nan_bits"
                                                                                         for o in v.obligations)),
    ("bitwuzla, for the safety gate", lambda v: v.way == "pointwise" and v.safety.verdict in ("PASS", "FAIL")),
    ("z3 and devsem's gate: that every access, barrier, loop and pair of threads is asked about",
     lambda v: (v.way, v.safety.verdict) == ("all-sizes", "PASS")),
    ("devsem's summary of the kernel: which thread writes which element, with which value", lambda v: v.way == "all-sizes" and _by_lean(v)),
    ("devsem's executor: what every thread of a launch does, and what memory holds after it", _by_executor),
)


def explain(doc: Document) -> str:
    """The whole document in words."""
    return "\n\n".join("\n".join(_lines(v, doc)) for v in doc.verdicts) + "\n"


def _lines(v: Verdict, doc: Document) -> Iterable[str]:
    yield heading(v)
    yield f"  Device: {v.device}, flags: {v.flags or 'none'}"
    yield f"  Verdict: {v.verdict}. {SHOWN[v.verdict](v)}"
    yield from _list("On the assumptions", v.assumptions)
    for status, title in STATUS.items():
        yield from _list(title, tuple(f"{o.name}: {o.statement} ({o.status}: {o.evidence})" for o in v.obligations if o.status == status))
    yield from _list("With these values of approximate functions", tuple(map(bound, v.bounds)))
    if v.device != "ieee":
        yield f"  The device's facts are known {EVIDENCE[v.evidence]}, at the weakest."
    yield from _list("Trusting", tuple(text for text, holds in TRUSTED if holds(v)))
    if v.lean_file:
        yield f"  Check it again: devsem lean check {v.lean_file}, or any Lean {doc.lean} with lean/FloatLib."


def _list(title: str, items: tuple[str, ...]) -> Iterable[str]:
    if items:
        yield f"  {title}:"
        yield from (f"    - {item}" for item in items)


def _proved(v: Verdict) -> str:
    meant = "The other kernel's operations are this device's, with these flags" if _is_kernel(v.spec) else f"The spec's operations are meant as `{v.reference}`"
    return f"{PROVED[v.way]} Compared {EQUALITY[v.equality]}. The Lean kernel accepted the theorem `{v.theorem}`, which depends on no axiom. {meant}."


def _refuted(v: Verdict) -> str:
    if v.witness is None:
        return f"The kernel is unsafe: {_counterexample(v)}.{SEEN[v.way]}"
    return f"At {difference(v.witness)}, at element {v.witness.index}. The Lean kernel evaluated both sides (`{v.theorem}`). Compared {EQUALITY[v.equality]}."


def _open(v: Verdict) -> str:
    which = f"One admissible reading ({v.choice}) differs" if v.choice else "If the obligations hold, the two differ"
    known = "" if v.witness is None else f" {which} at {difference(v.witness)}."
    unsafe = "" if v.safety.verdict != "FAIL" else f" The kernel is unsafe: {_counterexample(v)}."
    return f"Neither proved nor refuted: {v.reason.rstrip('.')}.{known}{unsafe}"


def _rejected(v: Verdict) -> str:
    return "Nothing was decided, because of: " + "; ".join(map(str, v.rejections)) + "."


def _counterexample(v: Verdict) -> str:
    return ", ".join(f"{name} = {part}" for name, part in (v.safety.counterexample or {}).items())


# how a failure of safety was found
SEEN: Mapping[Way, str] = {"pointwise": "", "all-sizes": " The executor ran this launch and saw it; an empty launch is seen from its sizes.",
                           "fixed-launch": " The executor ran this launch and saw it."}
SHOWN: Mapping[Outcome, Callable[[Verdict], str]] = {"PROVED": _proved, "REFUTED": _refuted, "OPEN": _open, "REJECTED": _rejected}
