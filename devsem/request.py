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
# what a kernel means: as written under the profile, as compiled by NVRTC, or both, where the compiled one decides and the two are compared
Reading = Literal["written", "compiled", "both"]
# what the spec's operators mean: IEEE operations, or PyTorch's CUDA code as compiled
Reference = Literal["ieee", "eager"]


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
    max_numel: int = 1 << 30
    equality: Equality = "bits"
    reading: Reading = "both"
    reference: Reference = "ieee"
    toolkit: str | None = None
    function: str | None = None
    out: Path = Path("devsem-out")
    timeout: float = 60.0
    lean: str | None = None
    lemmas: tuple[Path, ...] = ()
    proof: Path | None = None
    emit_goal: Path | None = None
    records: Path | None = None
    require_discharged: bool = False

    def __post_init__(self) -> None:
        mine = [("lemma", path) for path in self.lemmas] + ([("proof", self.proof)] if self.proof is not None else [])
        for kind, path in (("kernel", self.kernel), ("spec", self.spec), *mine):
            if not path.is_file():
                raise UsageError(f"there is no {kind} file {path}")
        if not self.devices or not all(self.devices):
            raise UsageError("name at least one device: `--device ieee,h100`; `devsem profiles list` prints them")
        for option, file in (("--emit-goal", self.emit_goal), ("--proof", self.proof)):
            if file is not None and len(self.devices) != 1:
                raise UsageError(f"{option} is about one device, as each has open cases of its own: add `--device {self.devices[0]}`")
        for option, value, known in (("equality", self.equality, Equality), ("reading", self.reading, Reading), ("reference", self.reference, Reference)):
            if value not in get_args(known):
                raise UsageError(f"{option} {value!r} is none of {', '.join(get_args(known))}")
        if self.reference == "eager" and self.reading == "written":
            raise UsageError("--reference eager is PyTorch's code as compiled, so it needs the kernel as compiled: --reading compiled or both")
        if self.toolkit is not None and self.reading == "written":
            raise UsageError("--toolkit chooses NVRTC's version, which --reading written does not use")
        if not 1 <= self.max_numel <= 1 << 30:
            raise UsageError(f"the largest number of elements of a tensor is 1 to 2^30, not {self.max_numel}")
        if not self.timeout > 0:
            raise UsageError(f"a time-out is a positive number of seconds, not {self.timeout}")
