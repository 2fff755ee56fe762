"""The command `devsem sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from devsem.errors import UsageError


def sweep(
    function: Annotated[str, typer.Argument(help="expf, powf …, an intrinsic: __expf, or an instruction: ex2.approx.ftz.f32")],
    gpu: Annotated[str, typer.Option(metavar="WHERE", help="host: this processor's; emulator: as compiled, without a device; or a GPU's number")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the record goes, and while it runs the state")] = Path("devsem-out/records"),
    inputs: Annotated[str | None, typer.Option(metavar="FIRST:COUNT", help="COUNT patterns, or pairs of the sample, from FIRST on, in chunks of 0x400000 "
                                                                               " [default: all]")] = None,
    device: Annotated[str, typer.Option(help="for which profile the function is compiled; the GPU's own")] = "h100",
    flags: Annotated[str, typer.Option(help="of compiled code: nvcc flags")] = "",
    toolkit: Annotated[str | None, typer.Option(metavar="X.Y", help="of compiled code: NVRTC's version  [default: the newest installed]")] = None,
    role: Annotated[str, typer.Option(help="kernel: the function that kernels get; spec: the one that specifications mean")] = "kernel",
    jobs: Annotated[int, typer.Option(min=0, help="processes; 0: one a processor")] = 0,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="write what was recorded there as JSON too; - is the standard output")] = None,
) -> int:
    """Run a function on all 2^32 inputs, or of two arguments on a sample of 2^24 pairs, and record digest, error, order and special values.

    After a kill, the same command goes on."""
    import os
    from dataclasses import replace
    from datetime import UTC, datetime
    from typing import cast, get_args

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from devsem import flags as flag_table, sweep as sweeps, sweep_record
    from devsem.discharge import SPEC_FLAGS
    from devsem.frontend.toolkits import choose_toolkit
    from devsem.record import encode
    from devsem.records import FUNCTIONS, INSTRUCTIONS, Role
    from devsem.sweep_measure import POOR
    from devsem.sweep_runners import Runner, make_runner

    if function not in FUNCTIONS:
        raise UsageError(f"no function {function}; known are {', '.join(FUNCTIONS)}")
    if function in POOR:
        raise UsageError(f"{function} is not swept: binary64 is no good reference near its zeros and poles")
    if role not in get_args(Role):
        raise UsageError(f"--role is kernel or spec, not {role!r}")
    if role == "spec" and (flags or function in INSTRUCTIONS):
        raise UsageError("the spec's functions are compiled without flags" if flags else f"the instruction {function} stands on both sides: leave --role")
    runner = Runner("host") if gpu == "host" else Runner(gpu, device, flag_table.normalise(flags), choose_toolkit(toolkit))
    make_runner(runner, function)
    plan = sweeps.whole(function, runner) if inputs is None else sweeps.Plan(function, runner, *_range(inputs))
    sweep_record.existing(plan, out)
    state = out / f".{gpu}-{function}-{role}.sweep"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("chunks"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(function, total=plan.count)
        with sweeps.finished(plan, state, jobs or os.cpu_count() or 1, lambda done: bar.update(task, completed=done)) as chunks:
            found = sweep_record.entry(plan, chunks, cast(Role, role), datetime.now(UTC).date().isoformat())
            if sweep_record.unlike(plan, found, out):
                bar.update(task, description="against the spec's", completed=0)
                spec = replace(runner, flags=SPEC_FLAGS)
                found = replace(found, differs=sweeps.first_difference(plan, spec, lambda done: bar.update(task, completed=done)))
            file = sweep_record.save(plan, found, out, state)
    if json is not None:
        _write(json, {"record": str(file), **encode(found)})
    if json != "-":
        for line in (*sweep_record.told(found), f"recorded in {file}"):
            typer.echo(line)
        for of in sweep_record.kernels_unlike(found, file):
            typer.echo(f"the kernel's {function} with flags {of} has another digest: sweep it again, to find where the two differ")
    return 0


def _write(place: str, found: dict[str, object]) -> None:
    """The entry as JSON, in a file or on the standard output."""
    import json

    text = json.dumps(found, indent=2) + "\n"
    if place == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(place).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {place}: {error.strerror or error}") from None


def _range(text: str) -> tuple[int, int]:
    """The first pattern and the number of chunks."""
    from devsem.records import CHUNK_BITS

    try:
        first, count = (int(part, 0) for part in text.split(":"))
    except ValueError:
        raise UsageError(f"--inputs is FIRST:COUNT, as 0x3f800000:0x800000, not {text!r}") from None
    if count % (1 << CHUNK_BITS):
        raise UsageError(f"--inputs takes whole chunks of {1 << CHUNK_BITS:#x} patterns, not {count:#x}")
    return first, count >> CHUNK_BITS
