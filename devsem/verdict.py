"""The verdict: what DESIGN.md fixes, with the invariants that make a PROVED mean something, and its JSON (docs/VERDICT.md).

A `Verdict` that breaks an invariant cannot be made: the constructor raises `Bug`. A JSON text that does is refused with the place.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from devsem import __version__
from devsem.errors import Bug, Rejection, UsageError
from devsem.record import decode, encode
from devsem.request import Equality, Reading, Reference

SCHEMA = 1
Outcome = Literal["PROVED", "REFUTED", "OPEN", "REJECTED"]
# what decided: the theorem about one element of a pointwise kernel, the gate and the values for all sizes, or a run of every thread of one launch
Way = Literal["pointwise", "all-sizes", "fixed-launch"]
USAGE = 4
EXIT: Mapping[Outcome, int] = {"PROVED": 0, "REFUTED": 1, "OPEN": 2, "REJECTED": 3}
PRECEDENCE = (USAGE, 1, 3, 2, 0)
HEX = re.compile(r"0x[0-9a-f]{8}(?:[0-9a-f]{8})?")


@dataclass(frozen=True)
class HexWitness:
    """One input on which the two sides differ, every value as its bit pattern: `0x` and 8 (or 16) lower-case digits."""

    inputs: Mapping[str, str]
    index: int
    kernel: str
    spec: str


@dataclass(frozen=True)
class HexBound:
    """A refutation's hypothesis on a function that no standard fixes: at these arguments it gives one of these patterns.

    Where `allowed` is empty, it gives a number from `low` to `high`; with `upto`, for all numbers from each of `args` to that of `upto`."""

    function: str
    args: tuple[str, ...]
    allowed: tuple[str, ...]
    reason: str
    upto: tuple[str, ...] = ()
    low: str | None = None
    high: str | None = None


@dataclass(frozen=True)
class Safety:
    """What the safety gate found; a counterexample gives sizes, thread ids and the condition that fails."""

    verdict: Literal["PASS", "FAIL", "OPEN", "NOT_RUN"]
    counterexample: Mapping[str, str | int] | None = None


@dataclass(frozen=True)
class Obligation:
    """What the theorem, or the refutation, assumes of one function, and what the device's records say of it (`discharge.py`)."""

    name: str
    statement: str
    status: Literal["assumed", "discharged", "violated"]
    evidence: str


@dataclass(frozen=True)
class Comparison:
    """The kernel as written against the kernel as compiled: `agree` is a proof in devsem's logic, not checked by Lean; `differ` comes with inputs.

    The compiled one decides in any case."""

    result: Literal["agree", "differ", "unknown"]
    reason: str = ""
    inputs: Mapping[str, str] | None = None
    written: str = ""
    compiled: str = ""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """One kernel on one device with one set of flags. From `profile` to `spec_digest`: how it was asked, so that `devsem replay` needs nothing else."""

    kernel: str
    function: str
    spec: str
    device: str
    flags: str
    reading: Reading = "written"
    reference: Reference = "ieee"
    way: Way = "pointwise"
    readings: Comparison | None = None
    compiler: str = ""
    profile: str = ""
    toolkit: str = ""
    bind: str = ""
    launch: str = "1d"
    kernel_digest: str = ""
    spec_digest: str = ""
    equality: Equality = "bits"
    verdict: Outcome
    order: Literal["bits", "admissible"] = "bits"
    choice: str = ""
    witness: HexWitness | None = None
    bounds: tuple[HexBound, ...] = ()
    safety: Safety = Safety("NOT_RUN")
    obligations: tuple[Obligation, ...] = ()
    theorem: str = ""
    lean_file: str = ""
    axioms: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    evidence: Literal["emulated", "documented", "compiled", "measured"]
    rejections: tuple[Rejection, ...] = ()
    reason: str = ""
    seconds: Mapping[str, float]

    def __post_init__(self) -> None:
        broken = [why for holds, why in _invariants(self) if not holds]
        if broken:
            raise Bug(f"a {self.verdict} verdict on {self.kernel} for {self.device} that is none: {'; '.join(broken)}")


@dataclass(frozen=True)
class Document:
    """Several verdicts, as `--json` writes them."""

    schema: int
    devsem: str
    lean: str
    verdicts: tuple[Verdict, ...]


def differ(kernel: str, spec: str, equality: Equality) -> bool:
    """Whether two bit patterns count as different results: all NaNs are one, and under `zero-sign` both zeros are."""
    a, b = (0x7FFFFFFF if int(p, 16) & 0x7FFFFFFF > 0x7F800000 else int(p, 16) for p in (kernel, spec))
    zeros = equality == "zero-sign" and not a & 0x7FFFFFFF and not b & 0x7FFFFFFF
    return a != b and not zeros


def _invariants(v: Verdict) -> Iterable[tuple[bool, str]]:
    """Every condition that a verdict of its kind must meet, with its name."""
    yield "total" in v.seconds, "seconds have no total"
    yield (v.verdict == "REJECTED") == bool(v.rejections), "rejections belong to REJECTED, which has at least one"
    yield not v.bounds or v.witness is not None, "bounds belong to a witness"
    if v.witness is not None:
        patterns = [*v.witness.inputs.values(), v.witness.kernel, v.witness.spec]
        wellformed = all(HEX.fullmatch(p) for p in patterns)
        yield wellformed, "a witness is written in bit patterns like 0x7fc00000"
        yield wellformed and differ(v.witness.kernel, v.witness.spec, v.equality), "the witness shows no difference"
        yield v.verdict in ("REFUTED", "OPEN"), "a witness belongs to REFUTED, or to one choice of an OPEN"
    if v.verdict == "PROVED":
        yield bool(v.theorem), "no theorem"
        yield bool(v.lean_file), "no Lean file"
        yield not v.axioms, "the theorem depends on axioms"
        yield v.safety.verdict == "PASS", "the safety gate did not pass"
        yield all(o.status != "violated" for o in v.obligations), "an obligation is violated"
    if v.verdict == "REFUTED":
        yield v.witness is not None or v.safety.verdict == "FAIL", "neither a witness nor a failure of safety"
        yield v.witness is None or bool(v.theorem and v.lean_file), "a witness that Lean did not evaluate"
        yield not v.axioms, "the refutation depends on axioms"
        yield all(o.status != "violated" for o in v.obligations), "an obligation is violated"
    if v.verdict == "OPEN":
        yield bool(v.reason), "no reason"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a kernel's or a spec's file, as a verdict keeps it; raises UsageError."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None


def exit_code(verdicts: Iterable[Verdict]) -> int:
    """The process's exit code: of all that hold, the first of 4, 1, 3, 2, 0. Deciding nothing is a usage error."""
    codes = {1 if v.safety.verdict == "FAIL" else EXIT[v.verdict] for v in verdicts} or {USAGE}
    return next(code for code in PRECEDENCE if code in codes)


def document(verdicts: Iterable[Verdict], lean: str) -> Document:
    """The verdicts with the versions that made them."""
    return Document(SCHEMA, __version__, lean, tuple(verdicts))


def to_json(doc: Document) -> str:
    """The document as text; `from_json` gives it back."""
    return json.dumps(encode(doc), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def from_json(text: str, name: str = "verdict") -> Document:
    """The document in a text; UsageError names the place of an unknown, missing or wrong field."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{name} is no JSON: {error}") from None
    if isinstance(data, dict) and data.get("schema", SCHEMA) != SCHEMA:
        raise UsageError(f"{name} has schema {data['schema']!r}; this devsem reads schema {SCHEMA}")
    found: Document = decode(Document, data, name)
    return found


def load(path: Path) -> Document:
    """The document in a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    return from_json(text, str(path))


def save(doc: Document, path: Path) -> None:
    """Write the document; a reader sees the old text or the new one, never half of it."""
    if path.is_dir():
        raise UsageError(f"cannot write {path}: it is a folder")
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(to_json(doc), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
