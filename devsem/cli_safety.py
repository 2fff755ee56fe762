"""`devsem safety`: is a kernel safe, whatever it computes? Every thread of many small launches of its wrapper, and of the spec's sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from devsem.errors import Rejected, UsageError
from devsem.verdict import EXIT


def safety(
    kernel: Annotated[Path, typer.Argument(help="a .cu file, with its wrapper or a kernel alone, or a KernelBench solution (.py)")],
    spec: Annotated[Path | None, typer.Option(help="the PyTorch module in KernelBench layout, for its sizes; it is executed")] = None,
    bind: Annotated[str | None, typer.Option(help="what the wrapper's numbers are: alpha=0.01,k=3; of a kernel alone, its integers and how many "
                                                  "elements its buffers have: n=1000,x=rows*cols")] = None,
    launch: Annotated[str, typer.Option(help="of a kernel alone: 1d, or `grid=(n+255)/256 block=256` over its integers")] = "1d",
    assume: Annotated[list[str] | None, typer.Option(help="of a kernel alone, a condition on its integers: `n % 4 == 0`; may be repeated")] = None,
    max_numel: Annotated[int, typer.Option(metavar="N", help="of a kernel alone: buffers have 1 to N elements")] = 1 << 30,
    function: Annotated[str | None, typer.Option(help="of several kernels in the file, which")] = None,
    json: Annotated[bool, typer.Option("--json", help="print the answer as JSON")] = False,
    timeout: Annotated[float, typer.Option(metavar="S", help="seconds to look for a fault")] = 5.0,
    gate: Annotated[float, typer.Option(metavar="S", help="seconds for the proof for all sizes; 0 leaves it out")] = 60.0,
    export: Annotated[str | None, typer.Option(metavar="vercors", help="print the kernel with permissions and invariants for VerCors; not run here")] = None,
) -> int:
    """Look for a launch in which the kernel does something wrong: out of bounds, a race, an unwritten output …; or show that there is none."""
    import json as text

    from devsem.arrays_plan import has_wrapper
    from devsem.plan_safety import Answer, look, numbers
    from devsem.raw_safety import look_raw

    if not kernel.is_file():
        raise UsageError(f"there is no kernel file {kernel}")
    if export not in (None, "vercors"):
        raise UsageError(f"--export {export}: there is one format, vercors")
    try:
        alone = not has_wrapper(kernel)
        if alone and (export is not None or spec is not None):
            raise UsageError("--spec and --export are for files with a wrapper; of a kernel alone, --bind and --launch say the sizes")
        found: Answer = look_raw(kernel, function, launch, bind, assume or (), max_numel, gate) if alone else look(kernel, spec, numbers(bind), timeout, gate)
        if export is not None:
            from devsem.frontend.host_load import load_plan
            from devsem.vercors import exported

            typer.echo(exported(load_plan(kernel, numbers=numbers(bind)), found.lines()[0]), nl=False)
    except Rejected as rejected:
        for line in rejected.rejections:
            typer.echo(f"devsem: {line}", err=True)
        return EXIT["REJECTED"]
    if json:
        typer.echo(text.dumps({"kernel": str(kernel), "safety": found.verdict, "reason": found.fault or found.shown or found.why, "notes": list(found.notes)}))
    else:
        typer.echo("\n".join(found.lines()), err=export is not None)
    return {"PASS": EXIT["PROVED"], "FAIL": EXIT["REFUTED"], "OPEN": EXIT["OPEN"]}[found.verdict]
