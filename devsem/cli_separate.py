"""The command `devsem separate`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from devsem.errors import UsageError

if TYPE_CHECKING:
    from devsem.apart import Apart

EPILOG = ("Exit code: 0 PROVED equal, 1 SEPARATED by inputs, 2 OPEN, 3 REJECTED, 4 usage or environment. "
          "The two sides: --device h100,b200 are two devices under the same flags; --device h100 with --flags twice two sets of flags; "
          "with --flags once, none and those.")


def separate(
    kernel: Annotated[Path, typer.Argument(help="a .cu or .ptx file")],
    spec: Annotated[Path | None, typer.Argument(help="a PyTorch module that names the tensors; its function plays no part, and it is not needed")] = None,
    device: Annotated[str, typer.Option(help="one or two devices or profile files, as h100,b200")] = "h100",
    flags: Annotated[list[str] | None, typer.Option(help='nvcc flags, as "-ftz=true"; once for both sides, or twice, once for each')] = None,
    function: Annotated[str | None, typer.Option(help="the __global__ function, where the file has several")] = None,
    bind: Annotated[str | None, typer.Option(help="what each parameter is, where its name does not say: n=n,alpha=0.01")] = None,
    launch: Annotated[str, typer.Option(help='1d (ceil(n/b) blocks of any b), or "grid=1,1,1 block=8,1,1"')] = "1d",
    assume: Annotated[list[str] | None, typer.Option(help='look only at inputs with this, as "not isnan(a)"; may be repeated')] = None,
    equality: Annotated[str, typer.Option(help="bits, or zero-sign (both zeros taken as one)")] = "bits",
    toolkit: Annotated[str | None, typer.Option(metavar="VERSION", help="NVRTC's version, as 13.0  [default: the newest installed]")] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="write the answer there as JSON; - is the standard output")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the .lean file goes")] = Path("devsem-out"),
    timeout: Annotated[float, typer.Option(metavar="S", help="seconds for the search")] = 60.0,
    lean: Annotated[str | None, typer.Option("--lean", metavar="PATH", help="a stock `lean` of the same version, not the wheel's; or DEVSEM_LEAN")] = None,
) -> int:
    """Find inputs on which one kernel gives different bits on two devices, or under two sets of flags; or prove that there are none."""
    from rich.console import Console
    from rich.text import Text

    from devsem import apart, apart_decide
    from devsem.leanrun import VERSION
    from devsem.request import Request

    both = sides([d.strip() for d in device.split(",")], flags or [])
    # a request has a spec; this one's is the second side, so that its file is never read
    request = Request(kernel=kernel, spec=spec or kernel, devices=tuple(d for d, _ in both), function=function, bind=bind, launch=launch,
                      assume=tuple(assume or ()), equality=equality, toolkit=toolkit, out=out, timeout=timeout, lean=lean)  # type: ignore[arg-type]
    errors = Console(stderr=True)
    status = errors.status("reading") if errors.is_terminal else None

    def progress(words: str) -> None:
        if status is not None:
            status.update(Text(words))

    with status or nullcontext():
        found = apart_decide.separate(request, both, spec, progress)
    text = apart.to_json(found, VERSION)
    for line in lines(found):
        typer.echo(line, err=json == "-")
    if json == "-":
        sys.stdout.write(text)
    elif json is not None:
        try:
            Path(json).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {json}: {error.strerror or error}") from None
    return apart.EXIT[found.result]


def sides(devices: list[str], flags: list[str]) -> list[tuple[str, str]]:
    """The two sides of a command, each a device and flags; raises UsageError where they are not two.

    >>> sides(["h100"], ["-ftz=true"])
    [('h100', ''), ('h100', '-ftz=true')]
    """
    if not 1 <= len(devices) <= 2 or not all(devices) or len(flags) > 2:
        raise UsageError("name one or two devices, as `--device h100,b200`, and --flags at most twice")
    if len(devices) == 1 and len(flags) == 1:
        flags = ["", *flags]
    pairs = list(zip(devices * 2 if len(devices) == 1 else devices, flags * 2 if len(flags) == 1 else flags or ["", ""], strict=True))
    if pairs[0] == pairs[1]:
        raise UsageError(f"both sides are {' '.join(pairs[0]).strip()}: name two devices, as `--device h100,b200`, or other flags, as `--flags=-ftz=true`")
    return pairs


def lines(found: Apart) -> list[str]:
    """The answer in words, one fact a line."""
    from devsem.report import bound, value

    words = {"separated": "SEPARATED", "equal": "PROVED equal", "open": "OPEN", "rejected": "REJECTED"}
    out = [f"{found.kernel}{f' ({found.function})' if found.function else ''}: {words[found.result]}"]
    width = max(len(str(s)) for s in (found.first, found.second))
    for side, pattern in ((found.first, found.first_value), (found.second, found.second_value)):
        how = f"compiled for {side.arch}" + (f" by NVRTC {side.toolkit}" if side.toolkit else "") if side.reading == "compiled" else "as written"
        out.append(f"  {side!s:{width}}  {value(pattern) if pattern else '-'}  ({how})")
    if found.inputs:
        out.insert(1, "  at " + ", ".join(f"{name} = {value(pattern)}" for name, pattern in found.inputs.items()))
    out += [f"  {found.reason}"] if found.reason else []
    out += [f"  {found.theorem}"] if found.result == "equal" else []
    out += [f"  {r}" for r in found.rejections]
    out += [f"  given that {bound(b)}" for b in found.bounds]
    out += [f"  {o.name}: {o.statement}: {o.status}, {o.evidence}" for o in found.obligations]
    return [*out, f"  Lean: {found.lean_file}"] if found.lean_file else out
