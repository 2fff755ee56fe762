"""What `pipeline.verify` is asked: one kernel against one spec, on some devices. Checked when it is made.

>>> Request(kernel=Path("absent.cu"), spec=Path("absent.py"))
Traceback (most recent call last):
devsem.errors.UsageError: there is no kernel file absent.cu
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from devsem.errors import UsageError

Equality = Literal["bits", "zero-sign"]


@dataclass(frozen=True, kw_only=True)
class Request:
    """One kernel, one spec, and the options of `devsem verify`; every field has the option's name."""

    kernel: Path
    spec: Path
    devices: tuple[str, ...] = ("ieee", "h100")
    flags: str = ""
    bind: str | None = None
    launch: str = "1d"
    assume: tuple[str, ...] = ()
    equality: Equality = "bits"
    function: str | None = None
    out: Path = Path("devsem-out")
    timeout: float = 60.0
    lean: str | None = None

    def __post_init__(self) -> None:
        for kind, path in (("kernel", self.kernel), ("spec", self.spec)):
            if not path.is_file():
                raise UsageError(f"there is no {kind} file {path}")
        if not self.devices or not all(self.devices):
            raise UsageError("name at least one device: `--device ieee,h100`; `devsem profiles list` prints them")
        if self.equality not in get_args(Equality):
            raise UsageError(f"equality {self.equality!r} is none of {', '.join(get_args(Equality))}")
        if not self.timeout > 0:
            raise UsageError(f"a time-out is a positive number of seconds, not {self.timeout}")
