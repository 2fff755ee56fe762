"""The command `devsem replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from devsem.errors import UsageError


def replay(
    file: Annotated[Path, typer.Argument(metavar="VERDICT.json", help="what `verify` wrote")],
    emulator: Annotated[bool, typer.Option("--emulator", help="run the compiled kernel without a device (so far the only way, so always on)")] = True,
    bind: Annotated[str | None, typer.Option(help="as it was for `verify`")] = None,
    launch: Annotated[str, typer.Option(help="as it was for `verify`")] = "1d",
    toolkit: Annotated[str | None, typer.Option(metavar="X.Y", help="NVRTC's version")] = None,
) -> int:
    """Run what each REFUTED verdict on compiled code is about, and compare. Exit code: 0 if all agree, else 1."""
    from devsem.frontend import capture_process
    from devsem.frontend.spec import load_spec
    from devsem.goal import parse_launch
    from devsem.replay import How, emulated, replay as run
    from devsem.verdict import load

    capture_process.warm()
    refuted = [v for v in load(file).verdicts if v.verdict == "REFUTED" and v.reading != "written"]
    if not refuted:
        raise UsageError(f"{file} has no refutation of compiled code, so nothing can be run")
    how, specs, agree = How(bind, parse_launch(launch), toolkit), {name: load_spec(name) for name in {v.spec for v in refuted}}, True
    for v in refuted:
        done = run(v, specs[v.spec], how, emulated)
        agree = agree and done.result == "agrees"
        said = f": the verdict says {done.said}, the launch gives {', '.join(done.found) or 'nothing'}" if done.said else ""
        why = f" ({done.reason})" if done.reason else ""
        typer.echo(f"{v.kernel} on {v.device} {v.flags}".strip() + f" {done.result}{said}{why}")
    return 0 if agree else 1
