"""`devsem audit`: one kernel under several flags, architectures and toolkits, and a lock file of what was found."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from devsem.errors import UsageError

EPILOG = ("Exit code: that of `verify` over the cells' verdicts. With --strict also 1 where a cell differs from one that it is compared with; "
          "with --lock also 1 where a verdict or a function is not the locked one. Of several, the first of 4, 1, 3, 2, 0.")


def audit(
    kernel: Annotated[Path, typer.Argument(help="a .cu file")],
    spec: Annotated[Path, typer.Option(help="the PyTorch module in KernelBench layout; it is executed")],
    base: Annotated[str, typer.Option(help='nvcc flags that the others are compared with, as "-fmad=false"  [default: none]')] = "",
    flags: Annotated[list[str] | None, typer.Option(help='nvcc flags to try, as "-use_fast_math"; may be repeated')] = None,
    arch: Annotated[str | None, typer.Option(help="architectures, separated by commas  [default: sm_90]")] = None,
    device: Annotated[str | None, typer.Option(help="devices instead of architectures, as t4,h100,b200")] = None,
    toolkit: Annotated[str | None, typer.Option(help="NVRTC's versions, separated by commas, as 12.8,13.0  [default: the newest installed]")] = None,
    function: Annotated[str | None, typer.Option(help="the __global__ function, where the file has several")] = None,
    bind: Annotated[str | None, typer.Option(help="what each parameter is: in=x,out=y,n=numel(x),alpha=0.01")] = None,
    launch: Annotated[str, typer.Option(help='1d (ceil(n/b) blocks of any b), or "grid=1,1,1 block=8,1,1"')] = "1d",
    assume: Annotated[list[str] | None, typer.Option(help='a precondition, as "not isnan(x)"; may be repeated')] = None,
    equality: Annotated[str, typer.Option(help="bits, or zero-sign (both zeros taken as one)")] = "bits",
    reference: Annotated[str, typer.Option(help="ieee, or eager (PyTorch's CUDA code, compiled)")] = "ieee",
    text: Annotated[bool, typer.Option("--text", help="compare each cell also with the kernel's text, where each operation is rounded by itself")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="exit code 1 where a cell differs from one that it is compared with")] = False,
    lock: Annotated[Path | None, typer.Option(metavar="FILE", help="a baseline: written where there is none, compared with otherwise")] = None,
    update: Annotated[bool, typer.Option("--update", help="write the lock file anew, whatever it says now")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="write the audit there as JSON; - is the standard output")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the .lean files go")] = Path("devsem-out"),
    timeout: Annotated[float, typer.Option(metavar="S", help="seconds for one question")] = 10.0,
    lean: Annotated[str | None, typer.Option("--lean", metavar="PATH", help="a stock `lean` of the same version, not the wheel's; or DEVSEM_LEAN")] = None,
) -> int:
    """Compare a kernel's compilations with the spec, and with each other."""
    from rich.console import Console
    from rich.text import Text

    from devsem import audit as auditing, audit_cells, audit_report, lock as locking, report
    from devsem.request import Request

    if update and lock is None:
        raise UsageError("--update writes a lock file: name it with --lock FILE")
    if arch is not None and device is not None:
        raise UsageError("say --arch or --device, not both: each names the columns of the matrix")
    devices = _split(device) if device is not None else auditing.devices_of(_split(arch or "sm_90"))
    request = Request(kernel=kernel, spec=spec, devices=devices, function=function, bind=bind, launch=launch, assume=tuple(assume or ()),
                      equality=equality, reference=reference, reading="compiled", out=out, timeout=timeout, lean=lean)  # type: ignore[arg-type]
    question = {"function": function or "", "bind": bind or "", "launch": launch, "assume": "; ".join(assume or ()), "equality": equality,
                "reference": reference}
    old = None if lock is None else locking.load(lock)
    kept = old.kernels.get(kernel.as_posix()) if old and not update else None
    if kept is not None:
        locking.same_question(Path(str(lock)), kept, question)
    errors, table = Console(stderr=True), report.console(sys.stderr if json == "-" else sys.stdout)
    status = errors.status("reading") if errors.is_terminal else None

    def progress(words: str) -> None:
        if status is not None:
            status.update(Text(words))

    with status or nullcontext():
        found = auditing.audit(request, [base, *(flags or ())], _split(toolkit) if toolkit is not None else (), progress, text, kept)
    audit_report.show(found, table)
    if json == "-":
        sys.stdout.write(audit_cells.to_json(found))
    elif json is not None:
        audit_cells.save(found, Path(json))
    changed = list(locking.changes(kept, found)) if kept is not None else []
    for line in changed:
        table.print(Text(f"changed: {line}"))
    if lock is not None and kept is None:
        locking.write(lock, old, kernel.as_posix(), locking.locked(found, question))
    return 1 if changed else audit_cells.exit_code(found, strict)


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))
