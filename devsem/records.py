"""Records of whole functions on one device: what ran over all inputs, and what came out, as `calibration/records/NAME.functions.json` has it.

calibration/README.md describes every field. Reading is strict: what is unknown, missing, of another type or without evidence is refused
with its place. A record is evidence only for the device, toolkit and flags that it names, and only as it was written (`discharge.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date as Date
from pathlib import Path
from typing import Literal

from devsem import calibrated, flags as flag_table
from devsem.errors import Bug, UsageError
from devsem.ops import INTRINSICS, LIBM1, LIBM2, OPS
from devsem.profile import Profile, list_profiles
from devsem.record import decode, encode
from devsem.verdict import differ

SCHEMA = 2
SUFFIX = ".functions.json"
CHUNK_BITS = 22
# the one layout of a digest by the number of arguments; two digests are compared only within it
LAYOUTS = {n: (f"results as little-endian uint32 in order of {order}, NaNs as stored; SHA-256 over the SHA-256s, in order, "
               f"of the chunks of 2^{CHUNK_BITS} inputs")
           for n, order in ((1, "the input pattern"), (2, "the sample's pairs"))}
LAYOUT = LAYOUTS[1]
PATTERN, SHA = re.compile(r"0x[0-9a-f]{8}"), re.compile(r"[0-9a-f]{64}")
# what a function of n arguments is given: one pattern, or two with a blank between
GIVEN = {1: PATTERN, 2: re.compile(r"0x[0-9a-f]{8} 0x[0-9a-f]{8}")}
CAPABILITY = re.compile(r"[1-9]\d*\.\d")
INSTRUCTIONS: Mapping[str, int] = {op.ptx[0]: len(op.args) for op in OPS.values() if op.kind == "obligation" and op.ptx}
# what an obligation may be about, with its number of arguments: instructions as PTX spells them, CUDA's functions as C does
OBLIGATIONS: Mapping[str, int] = {**dict.fromkeys(LIBM1, 1), **dict.fromkeys(LIBM2, 2), **INSTRUCTIONS}
# what can be recorded: CUDA's intrinsics too, which no obligation is about, since a profile says of which instructions each is made
FUNCTIONS: Mapping[str, int] = {**OBLIGATIONS, **{f"__{name}": n for name, n in INTRINSICS.items()}}
OTHER_CHIPS = frozenset({"laptop", "d"})     # an `RTX 4090 Laptop GPU` and an `RTX 4090 D` are not the card of that name

Runner = Literal["gpu", "host", "emulator"]
Role = Literal["kernel", "spec"]
Order = Literal["increasing", "decreasing", "neither", "unknown"]
Subnormals = Literal["kept", "flushed", "mixed", "not seen", "unknown"]


@dataclass(frozen=True)
class Error:
    """The largest error over the inputs that ran, in units in the last place of the real value's binary32 interval.

    `max_ulp` is null where a result is a NaN and the real value is a number, or the other way round; `at` is an input that has it;
    `misrounded` counts the inputs whose result is not the correctly rounded one; `reference` says what the results were compared with."""

    max_ulp: float | None
    at: str
    misrounded: int
    reference: str


@dataclass(frozen=True)
class Difference:
    """An input (one pattern for each argument) where the kernel's function and the spec's differ; of an instruction: where two runs of it do."""

    input: str
    kernel: str
    spec: str


@dataclass(frozen=True, kw_only=True)
class Swept:
    """One function, as one toolkit with one set of flags made it, run on the record's device. `build` is NVRTC's own, "13.0.88"; empty of the host."""

    function: str
    role: Role
    source: str
    toolkit: str
    build: str
    flags: str
    date: str
    inputs: Literal["all", "sample"]
    sample: str
    layout: str
    digests: tuple[str, ...]
    error: Error | None
    monotone: Order
    special: Mapping[str, str]
    subnormal_inputs: Subnormals
    subnormal_results: Subnormals
    differs: Difference | None

    def __post_init__(self) -> None:
        _refuse(f"{self.function or 'an entry'}", _broken(self))

    @property
    def key(self) -> tuple[str, ...]:
        """What makes the entry one; a file has each once."""
        return self.function, self.role, self.toolkit, self.flags

    @property
    def whole(self) -> bool:
        """Did all 2^32 inputs run, with digests?"""
        return self.inputs == "all" and bool(self.digests)


@dataclass(frozen=True, kw_only=True)
class Record:
    """One device's functions. `profile` is the profile that the device belongs to, `device` its own name as the driver gives it.

    `runner` says what ran: no verdict is about a processor or the emulator, and neither has a compute capability or a driver. `digest` is over
    all the rest (`sealed`): it shows that the record is as it was written, not by whom."""

    schema: int
    runner: Runner
    profile: str
    device: str
    compute_capability: str
    driver: str
    functions: tuple[Swept, ...]
    digest: str

    def __post_init__(self) -> None:
        keys = [f.key for f in self.functions]
        _refuse("the record", (
            (self.schema == SCHEMA, f"has schema {self.schema}; this devsem reads schema {SCHEMA}"),
            (bool(self.profile.strip() and self.device.strip()), "names no profile or no device"),
            (not self.compute_capability or CAPABILITY.fullmatch(self.compute_capability) is not None,
             f"has the compute capability {self.compute_capability!r}; write it as \"9.0\", or \"\" for a processor"),
            ((self.runner == "gpu") == bool(self.compute_capability), "has a compute capability just if it is of a GPU"),
            ((self.runner == "gpu") == bool(self.driver.strip()), "names a driver just if it is of a GPU"),
            (len(set(keys)) == len(keys), "has an entry twice: " + ", ".join(dict.fromkeys(k[0] for k in keys if keys.count(k) > 1))),
        ))

    @property
    def arch(self) -> str:
        """`sm_90`; empty of a processor."""
        return f"sm_{self.compute_capability.replace('.', '')}" if self.compute_capability else ""

    @property
    def intact(self) -> bool:
        """Is it as it was written?"""
        return self.digest == calibrated.digest(encode(self))


def sealed(record: Record) -> Record:
    """The record with the digest of what it says: of one that was just made, never of one that was read and is not intact."""
    return replace(record, digest=calibrated.digest(encode(record)))


def is_of(profile: Profile, device: str) -> bool:
    """Is a device, by its driver's name, the profile's? Shipped profiles are named like the device (`h100`, NVIDIA H100 80GB HBM3); others give its name."""
    if profile.name not in list_profiles():
        return device == profile.device
    words = set(re.findall(r"\w+", device.lower()))
    return bool({profile.name, profile.name.removeprefix("rtx")} & words) and not words & OTHER_CHIPS


def _refuse(who: str, conditions: Iterable[tuple[bool, str]]) -> None:
    broken = [why for holds, why in conditions if not holds]
    if broken:
        raise Bug(f"{who} {'; '.join(broken)}")


def _broken(s: Swept) -> Iterable[tuple[bool, str]]:
    """Every condition that an entry must meet, with what is wrong where it does not."""
    yield s.function in FUNCTIONS, "is no function or instruction that devsem knows"
    yield bool(s.source.strip()), "has no source: say what ran"
    yield bool(s.toolkit.strip()), "names no toolkit"
    yield not s.build or s.build.startswith(f"{s.toolkit}."), "has a build of another toolkit"
    yield _normal(s.flags), f"has flags that are not as a verdict names them: {s.flags!r}"
    yield _is_date(s.date), f"has the date {s.date!r}; write it as 2026-01-31"
    yield (s.inputs == "sample") == bool(s.sample.strip()), "has a sample that is not said, or says one where all inputs ran"
    yield s.inputs == "sample" or FUNCTIONS.get(s.function) == 1, "has two arguments, so not all inputs can have been run"
    arguments = FUNCTIONS.get(s.function, 1)
    given = GIVEN[arguments]
    yield s.layout == LAYOUTS[arguments], f"has digests of another layout than {LAYOUTS[arguments]!r}"
    yield all(SHA.fullmatch(d) for d in s.digests), "has a digest that is not 64 lower-case hexadecimal digits"
    yield bool(s.digests) or s.error is not None, "has no evidence: neither a digest nor an error"
    if s.error is not None:
        e = s.error
        yield e.max_ulp is None or 0 <= e.max_ulp < 2.0 ** 32, "has an error that is no number of ulp"
        yield bool(given.fullmatch(e.at)) and 0 <= e.misrounded <= 1 << 32, "has an error without the input that has it, or with an impossible count"
        yield bool(e.reference.strip()), "has an error and does not say against what"
    yield all(given.fullmatch(x) and PATTERN.fullmatch(y) for x, y in s.special.items()), "has special values that are not patterns like 0x7fc00000"
    if s.differs is not None:
        told = bool(given.fullmatch(s.differs.input) and PATTERN.fullmatch(s.differs.kernel) and PATTERN.fullmatch(s.differs.spec))
        yield told, "has a difference that is not told in patterns like 0x7fc00000"
        yield not told or differ(s.differs.kernel, s.differs.spec, "bits"), "has a difference that is none"
        yield s.role == "kernel", "tells a difference in the spec's entry; it belongs into the kernel's"


def _normal(text: str) -> bool:
    try:
        return flag_table.normalise(text) == text
    except UsageError:
        return False


def _is_date(text: str) -> bool:
    try:
        return Date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def records_dir() -> Path:
    """Where devsem's own records lie: packaged inside the wheel, or in a source checkout."""
    here = Path(__file__).resolve().parent
    packaged = here / "_calibration" / "records"
    return packaged if packaged.is_dir() else here.parent / "calibration" / "records"


def parse(text: str, name: str) -> Record:
    """The record in a text; UsageError names the place of what is wrong."""
    try:
        data = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name} is no record: {error}") from None
    found: Record = decode(Record, data, name)
    return found


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object's fields; a field given twice is refused, as the last one would win in silence."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a field is given twice")
    return found


def load(path: Path) -> Record:
    """The record in a file."""
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None


def load_folder(folder: Path | None = None) -> dict[Path, Record]:
    """Every record of a folder by its file; without one, devsem's own, of which there may be none."""
    if folder is not None and not folder.is_dir():
        raise UsageError(f"there is no folder of records {folder}")
    return {path: load(path) for path in sorted((folder or records_dir()).glob(f"*{SUFFIX}"))}


def to_json(record: Record) -> str:
    """The record as text; `parse` gives it back."""
    return json.dumps(encode(record), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
