"""`devsem coverage`: how much of a folder of kernels is read, and which constructs refuse the rest."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import Annotated

import typer


def coverage(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="a folder with .cu files and KernelBench solutions (.py)")],
    json: Annotated[str | None, typer.Option(metavar="FILE", help="write the result there as JSON; - is the standard output")] = None,
    timeout: Annotated[float, typer.Option(metavar="S", help="seconds for one file")] = 60.0,
) -> int:
    """Read every kernel of a folder, and count what refuses the others."""
    from rich.console import Console

    from devsem.coverage import Read, cover, kernels_in

    console = Console(stderr=json == "-", highlight=False, soft_wrap=True)

    def seen(read: Read) -> None:
        why = f"  {read.refusals[0].where}: {read.refusals[0].message} [{read.refusals[0].code}]" if read.refusals else ""
        console.print(f"{read.state:9} {read.path}{why}", markup=False)
    found = cover(kernels_in(folder), timeout, seen)
    for code, count, example in found.constructs():
        console.print(f"{count:6} {code:24} {example}", markup=False)
    console.print(f"{found.accepted} of {len(found.files)} files are read ({100 * found.rate:.1f}%), "
                  f"{sum(f.state == 'crashed' for f in found.files)} crashed, {sum(f.state == 'too long' for f in found.files)} took too long")
    if json is not None:
        text = jsonlib.dumps(found.document(), indent=1) + "\n"
        if json == "-":
            sys.stdout.write(text)
        else:
            Path(json).write_text(text, encoding="utf-8")
    return 0
