"""What every verdict says of its question, whichever path decides it: the clock, the head, the file for Lean, and what Lean says of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from devsem import decide, leancheck
from devsem.decide import Decision
from devsem.errors import Rejection
from devsem.frontend.toolkits import installed_toolkits
from devsem.leanrun import Lean
from devsem.profile import Profile, load_open
from devsem.readings import is_ptx
from devsem.request import Reading, Request
from devsem.verdict import Verdict, sha256_of

Progress = Callable[[str], None]


@dataclass
class Clock:
    """Seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of a block to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def total(self, since: Mapping[str, float]) -> dict[str, float]:
        """This clock's stages after those of another, and the sum of all."""
        both = {**since, **self.seconds}
        return {"total": round(sum(both.values()), 3), **{k: round(v, 3) for k, v in both.items()}}


def reading_of(request: Request, profile: Profile) -> Reading:
    """The reading that a request means on a profile: a profile that is no device has no compiler."""
    return request.reading if profile.arch else "written"


def toolkit_of(request: Request) -> str:
    """The toolkit that makes the kernel: the one asked for, or the newest installed; empty for PTX, which the driver assembles."""
    return "" if is_ptx(request.kernel) else request.toolkit or next(iter(installed_toolkits()), "")


def lean_path(request: Request, profile: Profile) -> Path:
    """Where a verdict's file goes: kernel, device and flags make its name."""
    words = [request.kernel.stem, profile.name, profile.flags, request.equality if request.equality != "bits" else "",
             request.reference if request.reference != "ieee" else "", request.reading if request.reading != "both" else "", request.toolkit or "",
             *request.assume]
    name = "-".join("".join(c if c.isalnum() else "_" for c in w).strip("_") for w in words if w)
    return request.out / f"{name}.lean"


def judged(decision: Decision, path: Path, lean: Lean, seconds: float) -> tuple[Decision, str]:
    """The decision once Lean has judged its text, which is written to `path`; and the path, "" where there is no text to judge."""
    if decision.lean is None:
        return decision, ""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(decision.lean.text, encoding="utf-8")
    check = leancheck.check_text(decision.lean.text, decision.lean.theorems, lean=lean, timeout=max(60.0, seconds))
    return (decision if check.accepted else decide.not_accepted(decision, check.reason, decision.by)), str(path)


def head(request: Request, profile: Profile, function: str, reading: Reading, seconds: Mapping[str, float]) -> dict[str, Any]:
    """What every verdict says of the question."""
    return {"kernel": str(request.kernel), "function": function, "spec": str(request.spec), "device": profile.name, "flags": profile.flags,
            "profile": _profile(request, profile), "toolkit": toolkit_of(request), "bind": request.bind or "", "launch": request.launch,
            "kernel_digest": sha256_of(request.kernel), "spec_digest": sha256_of(request.spec), "equality": request.equality,
            "reading": reading, "reference": request.reference, "evidence": profile.evidence, "seconds": seconds}


def _profile(request: Request, profile: Profile) -> str:
    """The profile as the request names it."""
    return next((d for d in request.devices if d == profile.name or (d.endswith(".toml") and load_open(d).name == profile.name)), profile.name)


def as_rejected(request: Request, profile: Profile, rejections: tuple[Rejection, ...], seconds: Mapping[str, float]) -> Verdict:
    """The verdict on a kernel or a spec that is refused."""
    return Verdict(**head(request, profile, request.function or "", reading_of(request, profile), seconds), verdict="REJECTED", rejections=rejections)
