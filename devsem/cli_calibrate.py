"""The commands `devsem calibrate`, `devsem profiles diff`, `devsem profiles check` and `devsem profiles lean`."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Annotated

import typer

from devsem.errors import UsageError

UNDECIDED = 2
EPILOG = "Exit code: 0 every field decided, 2 some undecided, 4 usage or environment: no GPU, an old driver, no such file."


def calibrate(
    gpu: Annotated[str, typer.Option(metavar="K|emulator|host|host:ftz", help="the K-th NVIDIA device; devsem's reading of PTX; or this processor, "
                                                                              "with its flush mode set")] = "0",
    name: Annotated[str | None, typer.Option(help="the profile's name  [default: from the device's]")] = None,
    device: Annotated[str | None, typer.Option(help="the profile to compare with, whose architecture code is made for where there is no GPU"
                                                    "  [default: that of the device's name, or h100]")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="where NAME.toml and records/NAME.json go")] = Path("devsem-out"),
    toolkit: Annotated[str | None, typer.Option(metavar="VERSION", help="NVRTC's version, as 13.0  [default: the newest installed]")] = None,
    flags: Annotated[str, typer.Option(help='nvcc flags for the probes, as "-ftz=true"; they become the profile\'s')] = "",
) -> int:
    """Run every probe on a device and write what it does as a profile, with the record of every input and output."""
    from devsem import calibration
    from devsem.devices import open_device
    from devsem.flags import normalise
    from devsem.probes import load_probes
    from devsem.profile import load_profile

    flags = normalise(flags)
    arch = load_profile(device or "h100").arch
    if not arch:
        raise UsageError(f"{device} is no device, so there is no code for it; name one with --device")
    opened = open_device(gpu, arch)
    who = opened.identity
    if device is not None and who.arch != arch:
        raise UsageError(f"{device} is {arch}, and device {gpu} is a {who.name} of {who.arch}")
    if lacks := opened.lacks(flags):
        raise UsageError(f"nothing can be calibrated with {flags}: {lacks}")
    probes = load_probes()
    done = calibration.calibrate(opened, probes, calibration.compile_probes(probes, who.arch, toolkit, flags), flags)
    shipped = load_profile(device or _shipped(who.name, who.arch), flags)
    called = name or re.sub(r"[^a-z0-9]+", "-", who.name.lower()).strip("-")
    files = calibration.write(done, called, out, datetime.datetime.now(datetime.UTC).date().isoformat())
    typer.echo(f"{who.name} ({who.arch}{', driver ' + who.driver if who.driver else ''}), NVRTC {done.toolkit}: {calibration.WHAT[who.runner]}")
    for field in done.fields:
        typer.echo(f"{field.field:10} {'undecided' if field.value is None else str(field.value).lower():10} {field.reason}")
        for note in field.notes:
            typer.echo(f"{'':10} noted: {note}")
    skipped = [s for s in done.seen if s.skipped]
    typer.echo(f"{len(done.seen) - len(skipped)} runs of {len(probes)} probes{f'; {len(skipped)} not run: {skipped[0].skipped}' if skipped else ''}")
    found = list(calibration.differences(done, {key: f.value for key, f in shipped.fields.items()}))
    there = f"{shipped.name} {shipped.flags}".strip()
    typer.echo(f"as the profile {there} in every field" if not found else f"otherwise than the profile {there}:")
    for line in found:
        typer.echo(f"  {line}")
    typer.echo(f"wrote {files[0]} and {files[1]}")
    return UNDECIDED if any(f.value is None for f in done.fields) else 0


def _shipped(name: str, arch: str) -> str:
    """The shipped profile of a device of that name, else the first of its architecture, else h100."""
    from devsem.profile import list_profiles, load_profile

    words, known = set(re.findall(r"\w+", name.lower())), list_profiles()
    same = [p for p in known if load_profile(p).arch == arch]
    return next((p for p in same if p in words or p.removeprefix("rtx") in words), next(iter(same), "h100"))


def profiles_diff(
    one: Annotated[str, typer.Argument(metavar="A", help="a profile's name or .toml file")],
    other: Annotated[str, typer.Argument(metavar="B")],
) -> int:
    """Print the fields, and the flags, in which two profiles differ. Exit code: 0 if in none, else 1."""
    from devsem.profile import read_draft

    a, b = read_draft(one), read_draft(other)
    found = [key for key, f in a.fields.items() if (type(f.value), f.value) != (type(b.fields[key].value), b.fields[key].value)]
    for key in found:
        for draft in (a, b):
            f = draft.fields[key]
            typer.echo(f"{key:10} {draft.name:12} {'undecided' if f.value is None else str(f.value).lower():10} {f.evidence}: {f.source}")
    if a.flags != b.flags:
        for draft in (a, b):
            typer.echo(f"{'flags':10} {draft.name:12} {draft.flags or '-'}")
    if not found and a.flags == b.flags:
        typer.echo(f"{a.name} and {b.name} have the same value in every field")
    return 1 if found or a.flags != b.flags else 0


def profiles_check(file: Annotated[str, typer.Argument(metavar="FILE", help="a profile's .toml file, or a name")]) -> int:
    """Say whether a profile's file is well formed, and its records' own results say what it claims. Exit code: 0, or 4 with the reason."""
    from devsem import calibration
    from devsem.probes import load_probes
    from devsem.profile import load_open, profile_path

    draft = load_open(file)
    for record in dict.fromkeys(f.record for f in draft.fields.values() if f.record):
        try:
            wrong = list(calibration.unfounded(profile_path(file).parent / record, load_probes()))
        except (KeyError, TypeError, ValueError) as e:
            raise UsageError(f"{record} is no whole record: {e!r}") from e
        if wrong:
            raise UsageError(f"{record}: {'; '.join(wrong)}")
    kinds = [f.evidence for f in draft.fields.values()]
    counted = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    blocked = f"; no kernel is decided under it that consults {', '.join(draft.open)}" if draft.open else ""
    typer.echo(f"{draft.name}: {len(kinds)} fields, {counted}{blocked}")
    return 0


def profiles_lean(
    name: Annotated[str, typer.Argument(metavar="NAME", help="a profile's name or .toml file")],
    flags: Annotated[str, typer.Option(help="nvcc flags that change it")] = "",
) -> int:
    """Print a profile's variant of the Lean model, as verdicts use it: its constant, and what each operation means under it, by theorems."""
    from devsem.leanprofile import model
    from devsem.profile import load_open

    typer.echo(model(load_open(name, flags)).text, nl=False)
    return 0


def add(app: typer.Typer, profiles: typer.Typer) -> None:
    """Register the commands."""
    app.command("calibrate", epilog=EPILOG)(calibrate)
    profiles.command("diff")(profiles_diff)
    profiles.command("check")(profiles_check)
    profiles.command("lean")(profiles_lean)
