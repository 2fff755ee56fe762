"""The record of a calibration: the file that a profile's field names as its evidence, and what such a file must be for the field to be believed.

A record is JSON with the device, the toolkit, every probe's operands and results, and the fields that were decided from them. Its `digest` is over
all the rest. What was run on decides the kind of evidence: a GPU or this processor is `measured`, the emulator `emulated`. A processor shows nothing of
the compiler: contraction there is devsem's prediction of ptxas, and the library what NVRTC made. That an operation is approximate is read off its code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMAT = "devsem calibration 1"
EVIDENCE = {"gpu": "measured", "host": "measured", "emulator": "emulated"}      # by runner, but for these:
ON_HOST = {"contract": "emulated", "rewrites": "emulated", "libm": "compiled"}
BY_CODE = (("division", "full"), ("division", "approx"), ("sqrt", "approx"))


def evidence_of(runner: str, field: str, value: bool | str | None) -> str:
    """What kind of evidence a record is of a field's value; None is `undecided`, and an unknown runner is of none.

    >>> evidence_of("gpu", "division", "ieee"), evidence_of("gpu", "division", "full"), evidence_of("host", "contract", True)
    ('measured', 'compiled', 'emulated')
    """
    if value is None or runner not in EVIDENCE:
        return "undecided" if value is None else ""
    if (field, value) in BY_CODE:
        return "compiled"
    return ON_HOST.get(field, EVIDENCE[runner]) if runner == "host" else EVIDENCE[runner]


def digest(record: Mapping[str, Any]) -> str:
    """SHA-256 over the record without its digest, keys sorted.

    >>> digest({"a": 1, "digest": "x"}) == digest({"a": 1})
    True
    """
    rest = {key: value for key, value in record.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def driver(path: Path) -> str:
    """The driver of the device in a record that is fit, as "13.0"; empty where there is no GPU."""
    return str(json.loads(path.read_text(encoding="utf-8")).get("driver", ""))


def unfit(path: Path, field: str, value: bool | str | None, evidence: str, arch: str, flags: str) -> str:
    """Why the record in `path` is no `evidence` for a field's value (None: undecided) on `arch` ("" is no GPU) with these flags; empty if it is."""
    if not path.is_file():
        return f"the record file {path.name} does not exist"
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return f"the record file {path.name} is no JSON"
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        return f"the file {path.name} is no record of `devsem calibrate`"
    if record.get("digest") != digest(record):
        return f"the record {path.name} was changed: its digest is another"
    runner = record.get("runner")
    if evidence != (kind := evidence_of(str(runner), field, value)):
        return f"the record {path.name} is of {'the ' if runner == 'emulator' else 'a '}{runner}, which is not {evidence}" + (f", but {kind}" if kind else "")
    if arch != ("" if runner == "host" else record.get("arch")):
        return f"the record {path.name} is of another architecture than {arch or 'no device'}"
    if flags != record.get("flags", ""):
        return f"the record {path.name} is of other flags than {flags or 'none'}"
    found = record.get("fields", {}).get(field)
    if not isinstance(found, dict) or type(found.get("value")) is not type(value) or found.get("value") != value:
        return f"the record {path.name} does not say that"
    return ""
