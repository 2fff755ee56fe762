"""`devsem show`: any stage of a kernel, in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from devsem.errors import Rejected, UsageError
from devsem.verdict import EXIT

STAGES = "source, program, ptx, machine (the PTX after ptxas' rule), sass, expr (the values, both readings) or lean (needs --spec)"


def show(
    kernel: Annotated[Path, typer.Argument(help="a .cu or .ptx file")],
    stage: Annotated[str, typer.Option(help=STAGES)],
    device: Annotated[str, typer.Option(help="a device; ieee has no compiled stages")] = "h100",
    flags: Annotated[str, typer.Option(help='nvcc flags, as "-ftz=true -fmad=false"')] = "",
    toolkit: Annotated[str | None, typer.Option(metavar="VERSION", help="NVRTC's version, as 13.0  [default: the newest installed]")] = None,
    function: Annotated[str | None, typer.Option(help="the __global__ function, where the file has several")] = None,
    spec: Annotated[Path | None, typer.Option(help="the PyTorch module in KernelBench layout; it is executed, for the stage lean")] = None,
    bind: Annotated[str | None, typer.Option(help="what each parameter is: in=x,out=y,n=numel(x),alpha=0.01")] = None,
    launch: Annotated[str, typer.Option(help='1d (ceil(n/b) blocks of any b), or "grid=1,1,1 block=8,1,1"')] = "1d",
    equality: Annotated[str, typer.Option(help="bits, or zero-sign (both zeros taken as one)")] = "bits",
    reference: Annotated[str, typer.Option(help="ieee, or eager (PyTorch's CUDA code, compiled)")] = "ieee",
) -> int:
    """Print a stage of a kernel on its way from text to theorem."""
    from devsem import stages
    from devsem.profile import load_profile
    from devsem.request import Request

    if not kernel.is_file():
        raise UsageError(f"there is no kernel file {kernel}")
    request = None
    if spec is not None:
        request = Request(kernel=kernel, spec=spec, devices=(device,), flags=flags, function=function, bind=bind, launch=launch, toolkit=toolkit,
                          equality=equality, reference=reference)  # type: ignore[arg-type]
    try:
        text = stages.show(stage, stages.Asked(kernel, function, load_profile(device, flags), toolkit, request))
    except Rejected as rejected:
        for line in rejected.rejections:
            typer.echo(f"devsem: {line}", err=True)
        return EXIT["REJECTED"]
    typer.echo(text, nl=False)
    return 0
