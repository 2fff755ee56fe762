"""What `devsem separate` says, as a value and as JSON: a kernel between two sides (`apart_decide.py`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from devsem import __version__
from devsem.errors import Bug, Rejection
from devsem.record import encode
from devsem.request import Equality
from devsem.verdict import HexBound, Obligation, differ

SCHEMA = 1
Result = Literal["separated", "equal", "open", "rejected"]
EXIT: Mapping[Result, int] = {"equal": 0, "separated": 1, "open": 2, "rejected": 3}


@dataclass(frozen=True)
class Side:
    """A device with its flags, and how the kernel is read there: as `compiled` by a toolkit, or as `written`."""

    device: str
    flags: str
    arch: str
    reading: str
    toolkit: str

    def __str__(self) -> str:
        return f"{self.device} {self.flags}".strip()


@dataclass(frozen=True)
class Apart:
    """One kernel between two sides. `separated`: at `inputs` (patterns by name) the sides give `first_value` and `second_value`, both evaluated by
    Lean. `equal`: a theorem that Lean accepted, given the obligations. `open` has a reason, `rejected` says what is not accepted."""

    kernel: str
    function: str
    first: Side
    second: Side
    equality: Equality
    result: Result
    inputs: Mapping[str, str] = field(default_factory=dict)
    first_value: str = ""
    second_value: str = ""
    bounds: tuple[HexBound, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    theorem: str = ""
    lean_file: str = ""
    assumptions: tuple[str, ...] = ()
    reason: str = ""
    rejections: tuple[Rejection, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        decided = self.result in ("separated", "equal")
        if decided != bool(self.theorem and self.lean_file):
            raise Bug(f"{self.kernel}: {self.result} goes with Lean's theorem if the answer is known, and only then")
        if (self.result == "separated") != bool(self.first_value and self.second_value):
            raise Bug(f"{self.kernel}: values belong to two sides that are set apart")
        if self.result == "separated" and not differ(self.first_value, self.second_value, self.equality):
            raise Bug(f"{self.kernel}: the values {self.first_value} and {self.second_value} do not differ")


def to_json(found: Apart, lean: str) -> str:
    """The answer as text, with the versions that made it."""
    return json.dumps({"schema": SCHEMA, "devsem": __version__, "lean": lean, **encode(found)}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
