"""The command `devsem replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from devsem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from devsem.device import Device
    from devsem.verdict import Verdict

EPILOG = ("How the kernel was compiled, bound and launched is in the verdict; its file has to be the text that was decided. "
          "Exit code: 0 all agree, 1 not all, 4 usage or environment: no GPU, or none of the verdict's architecture, an old driver, a changed file.")


def replay(
    file: Annotated[Path, typer.Argument(metavar="VERDICT.json", help="what `verify` wrote")],
    gpu: Annotated[str, typer.Option(metavar="K|emulator", help="the K-th NVIDIA device, or devsem's reading of PTX, which needs none")] = "0",
) -> int:
    """Run what each REFUTED verdict on compiled code is about, on a GPU or the emulator, and compare the bits with Lean's evaluation."""
    from devsem.devices import open_device
    from devsem.frontend import capture_process
    from devsem.frontend.spec import load_spec
    from devsem.replay import replay as run, same
    from devsem.verdict import load

    if gpu != "emulator" and not gpu.isdecimal():
        raise UsageError(f"--gpu is the number of a device, or emulator, not {gpu!r}")
    refuted = [v for v in load(file).verdicts if v.verdict == "REFUTED" and v.reading != "written"]
    if not refuted:
        raise UsageError(f"{file} has no refutation of compiled code, so nothing can be run")
    for v in refuted:
        same(v)
    device = None if gpu == "emulator" else open_device(gpu, "")
    elsewhere = _elsewhere(refuted, device, gpu)
    capture_process.warm()
    specs, agree = {name: load_spec(name) for name in {v.spec for v in refuted}}, True
    for v, why in zip(refuted, elsewhere, strict=True):
        head = f"{v.kernel} on {v.device} {v.flags}".strip()
        if why:
            typer.echo(f"{head} not replayed ({why})")
            agree = False
            continue
        done = run(v, specs[v.spec], device)
        agree = agree and done.result == "agrees"
        said = f": the verdict says {done.said}, the launch gives {', '.join(done.found) or 'nothing'}" if done.said else ""
        typer.echo(f"{head} {done.result}{said}{f' ({done.reason})' if done.reason else ''}")
    return 0 if agree else 1


def _elsewhere(refuted: Sequence[Verdict], device: Device | None, gpu: str) -> list[str]:
    """For each verdict why this device is not its own; raises UsageError if it is none's."""
    from devsem.profile import load_open

    if device is None:
        return [""] * len(refuted)
    here = device.identity
    archs = [load_open(v.profile or v.device, v.flags).arch for v in refuted]
    why = ["" if arch == here.arch else f"it is about code for {arch}, and device {gpu} is a {here.name} of {here.arch}" for arch in archs]
    if all(why):
        raise UsageError(f"nothing can be replayed on device {gpu}, a {here.name} of {here.arch}: the verdicts are about {', '.join(dict.fromkeys(archs))}; "
                         f"--gpu emulator needs no device")
    return why
