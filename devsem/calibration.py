"""Calibration: runs every probe on a device, decides each field of a profile by the probes' own rule, and writes the profile with its record.

A field has a value if every probe of it came out as one of its outcomes and all that speak for a value speak for the same. Otherwise it
is undecided, and the reason names the probes: nothing is guessed. What may differ from the documents without harm is noted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from devsem.calibrated import FORMAT, digest, evidence_of
from devsem.device import Device, Identity
from devsem.errors import Rejected, UsageError
from devsem.flags import merged, normalise
from devsem.frontend.nvrtc import Compiled, Job, compile_many, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Instruction
from devsem.probes import CODE, OPERANDS, Outcome, Probe, cases, flags_of, spelled
from devsem.profile import FIELDS

PAD = 4     # zeros after the last row
FEW = 5     # probes that are named
WRITTEN = "# Written by `devsem calibrate`"
WHAT = {
    "gpu": "what operations do was measured on this device",
    "host": "what operations do was measured on this processor, which is no GPU: NVRTC's PTX after ptxas' predicted contraction, each arithmetic operation "
            "done by the processor",
    "emulator": "no device was run: the emulator is devsem's own reading of PTX, so this says only that the reading is what the documents say",
}


@dataclass(frozen=True)
class Seen:
    """What one probe gave with one run: the results' patterns, or where its code decides the instructions, and their outcome; or why it was not run.
    `unexpected`: another outcome than the first that the field's value allows."""

    probe: Probe
    run: str
    results: tuple[int, ...] = ()
    outcome: Outcome | None = None
    value: str = "none"
    skipped: str = ""
    unexpected: bool = False
    code: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The probe, and its run if that is not the usual one."""
        return self.probe.name if not flags_of(self.run) else f"{self.probe.name} with {self.run}"

    def __str__(self) -> str:
        if self.skipped:
            return f"{self.name} was not run: {self.skipped}"
        found = self.code or tuple(f"{r:08x}" for r in self.results)
        return f"{self.name}: {self.outcome.words if self.outcome else 'no outcome: ' + ' '.join(found)}"


@dataclass(frozen=True)
class Decided:
    """A field's value, or None with the reason; and what was noted besides."""

    field: str
    value: bool | str | None
    reason: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Calibration:
    """One calibration: where, with which NVRTC and flags, what each run's code is, what was seen, what was decided."""

    identity: Identity
    toolkit: str
    flags: str
    code: dict[str, Compiled]
    seen: tuple[Seen, ...]
    fields: tuple[Decided, ...]


def compile_probes(probes: Sequence[Probe], arch: str, toolkit: str | None = None, flags: str = "") -> dict[str, Compiled]:
    """One module for each run, under these flags and its own; raises Rejected or UsageError."""
    runs = dict.fromkeys(run for p in probes for run in p.runs)
    jobs = [Job("\n".join(p.text for p in probes if run in p.runs), "calibration", arch, nvrtc_options(merged(flags, flags_of(run))), toolkit) for run in runs]
    made: dict[str, Compiled] = {}
    for run, found in zip(runs, compile_many(jobs), strict=True):
        if isinstance(found, Rejected):
            raise found
        made[run] = found
    return made


def calibrate(device: Device, probes: Sequence[Probe], code: dict[str, Compiled], flags: str = "") -> Calibration:
    """Run every probe, compiled under these flags, and decide every field."""
    seen = tuple(observe(device, p, run, code[run]) for p in probes for run in p.runs)
    return Calibration(device.identity, next(iter(code.values())).toolkit, normalise(flags), code, seen, tuple(_decided(name, seen) for name in FIELDS))


def observe(device: Device, probe: Probe, run: str, code: Compiled) -> Seen:
    """Run one probe, or say why it cannot be run here."""
    if lacks := device.lacks(" ".join(code.options)):
        return Seen(probe, run, skipped=lacks)
    if probe.rule == CODE:
        kernel = next(f for f in parse(code.ptx, "probe.ptx").functions if f.name == probe.name)
        return _judged(probe, run, (), _sm(code.arch), tuple(dict.fromkeys(i.mnemonic for i in kernel.body if isinstance(i, Instruction))))
    count, sm = len(probe.rows), _sm(code.arch)
    operands = np.zeros((OPERANDS, count + PAD), np.uint32)
    for k, row in enumerate(probe.rows):
        operands[:len(row.operands), k] = row.operands
    ran = device.run(code, probe.name, [*(o.view(np.float32) for o in operands), np.zeros(count, np.float32)], 1, count)
    if ran.notes and device.identity.runner == "host":
        return Seen(probe, run, skipped=f"this processor has no such instruction ({ran.notes[0]})")
    return _judged(probe, run, tuple(int(r) for r in ran.buffers[-1].view(np.uint32)), sm)


def _judged(probe: Probe, run: str, results: tuple[int, ...], sm: int, code: tuple[str, ...] = ()) -> Seen:
    """What the results or the instructions are, by the probe's rule."""
    found = probe.coded(code) if probe.rule == CODE else probe.outcome(results)
    value = found.value(run, sm) if found else "none"
    first = next((o for o in probe.outcomes if o.value(run, sm) == value or (value == "any" and o.value(run, sm) != "none")), None)
    return Seen(probe, run, results, found, value, "", value != "none" and found is not first, code)


def _decided(field: str, seen: Sequence[Seen]) -> Decided:
    of_it = [s for s in seen if s.probe.field == field and not s.skipped]
    notes = tuple(str(s) for s in of_it if s.unexpected)
    wrong = [s for s in of_it if s.value == "none"]
    speaking = {value: [s.name for s in of_it if s.value == value] for value in dict.fromkeys(s.value for s in of_it) if value not in ("any", "none")}
    if wrong:
        others = [f"{value} by {_by(names)}" for value, names in speaking.items()]
        return Decided(field, None, "; ".join(map(str, wrong)) + (f"; otherwise {' and '.join(others)}" if others else ""), notes)
    if len(speaking) > 1:
        return Decided(field, None, "probes speak for different values: " + "; ".join(f"{v} by {_by(names)}" for v, names in speaking.items()), notes)
    if not speaking:
        return Decided(field, None, "no probe that can be run here speaks for a value", notes)
    (value, names), = speaking.items()
    return Decided(field, next(v for v in FIELDS[field] if spelled(v) == value), f"{len(names)} probes, {len(of_it)} runs", notes)


def _by(names: Sequence[str]) -> str:
    """Few probes by name, many by number."""
    return ", ".join(names) if len(names) <= FEW else f"{len(names)} probes"


# --- files ---


def record(done: Calibration, date: str) -> dict[str, Any]:
    """The record as JSON has it; `date` as "2026-11-30"."""
    who = done.identity
    out: dict[str, Any] = {
        "format": FORMAT, "runner": who.runner, "what": WHAT[who.runner], "device": who.name, "arch": who.arch, "capability": who.capability,
        "driver": who.driver, "toolkit": f"NVRTC {done.toolkit}", "flags": done.flags, "date": date,
        "fields": {d.field: {"value": d.value, "reason": d.reason, "notes": list(d.notes)} for d in done.fields},
        "code": {run: {"flags": merged(done.flags, flags_of(run)), "ptx": _sha(c.ptx.encode()), "cubin": _sha(c.cubin)} for run, c in done.code.items()},
        "probes": [_shown(s) for s in done.seen],
    }
    return {**out, "digest": digest(out)}


def _shown(s: Seen) -> dict[str, Any]:
    base = {"probe": s.probe.name, "field": s.probe.field, "run": s.run, "source": _sha(s.probe.text.encode())}
    if s.skipped:
        return {**base, "skipped": s.skipped}
    if s.probe.rule == CODE:
        return {**base, "instructions": list(s.code), "outcome": s.outcome.words if s.outcome else None, "value": s.value}
    return {**base, "operands": [[f"{o:08x}" for o in row.operands] for row in s.probe.rows], "results": [f"{r:08x}" for r in s.results],
            "outcome": s.outcome.words if s.outcome else None, "value": s.value}


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def profile_text(done: Calibration, name: str, date: str) -> str:
    """The profile's file."""
    who = done.identity
    where = " ".join(filter(None, (who.name, f"driver {who.driver}" if who.driver else "", f"NVRTC {done.toolkit} for {who.arch}")))
    lines = [f"{WRITTEN} on {date}: {WHAT[who.runner]}.", "", "[profile]", f"name = {_quoted(name)}", f"device = {_quoted(who.name)}",
             f"arch = {_quoted('' if who.runner == 'host' else who.arch)}", *([f"flags = {_quoted(done.flags)}"] if done.flags else [])]
    for d in done.fields:
        lines += ["", f"[fields.{d.field}]"]
        lines += [] if d.value is None else [f"value = {spelled(d.value) if isinstance(d.value, bool) else _quoted(d.value)}"]
        lines += [f"evidence = {_quoted(evidence_of(who.runner, d.field, d.value))}", f"source = {_quoted(f'{where}: {d.reason}')}",
                  f"record = {_quoted(f'records/{name}.json')}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def write(done: Calibration, name: str, out: Path, date: str) -> tuple[Path, Path]:
    """Write `NAME.toml` and `records/NAME.json`, and give their places; raises UsageError rather than replace a file of another origin."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise UsageError(f"a profile's name is of letters, digits, - and _, not {name!r}")
    path, beside = out / f"{name}.toml", out / "records" / f"{name}.json"
    try:
        if path.exists() and not path.read_text(encoding="utf-8", errors="replace").startswith(WRITTEN):
            raise UsageError(f"{path} is there and was not written by calibrate; choose another --name or --out")
        beside.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(record(done, date), indent=1) + "\n", encoding="utf-8")
        path.write_text(profile_text(done, name, date), encoding="utf-8")
    except OSError as e:
        raise UsageError(f"cannot write {e.filename}: {e.strerror}") from e
    return path, beside


def differences(done: Calibration, values: dict[str, bool | str | None]) -> Iterator[str]:
    """Where the fields differ from those of another profile, in words."""
    for d in done.fields:
        other = values[d.field]
        if d.value != other or type(d.value) is not type(other):
            yield f"{d.field}: {_said(d.value)} here, {_said(other)} there" + (f" ({d.reason})" if d.value is None else "")


def _said(value: bool | str | None) -> str:
    return "undecided" if value is None else spelled(value)


def unfounded(path: Path, probes: Sequence[Probe]) -> Iterator[str]:
    """What a record, itself well formed, says otherwise than its own results and the probes of today do, in words."""
    found = json.loads(path.read_text(encoding="utf-8"))
    known = {p.name: p for p in probes}
    seen = []
    for s in found["probes"]:
        probe = known.get(s["probe"])
        if probe is None or s["source"] != _sha(probe.text.encode()):
            yield f"the probe {s['probe']} is not the one that was run: calibrate again"
        elif "skipped" in s:
            seen.append(Seen(probe, s["run"], skipped=s["skipped"]))
        else:
            results = () if probe.rule == CODE else tuple(int(r, 16) for r in s["results"])
            seen.append(_judged(probe, s["run"], results, _sm(found["arch"]), tuple(s["instructions"]) if probe.rule == CODE else ()))
    if missing := [f"{p.name} ({run})" for p, run in cases(probes) if not any(s.probe is p and s.run == run for s in seen)]:
        yield f"{len(missing)} runs are missing: {', '.join(missing[:FEW])}"
    for d in (_decided(name, seen) for name in FIELDS):
        if (told := found["fields"][d.field]["value"]) != d.value or type(told) is not type(d.value):
            yield f"{d.field} is {_said(told)} there, but the results say {_said(d.value)}" + (f" ({d.reason})" if d.value is None else "")


def _sm(arch: str) -> int:
    return int(re.sub(r"\D", "", arch))
