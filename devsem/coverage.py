"""Which kernels of a folder are read, and what refuses the others: each file in a process of its own, so that none can end or hold up the rest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from devsem.errors import UsageError

State = Literal["accepted", "refused", "crashed", "too long"]
SECONDS = 60.0
PACKAGE_ROOT = str(Path(__file__).resolve().parents[1])


@dataclass(frozen=True)
class Refusal:
    """Why a file is not read: the first refusal of each kind, and where it stands."""

    code: str
    where: str
    message: str


@dataclass(frozen=True)
class Read:
    """One file: `launches` kernels by its wrapper, or `kernels` without one."""

    path: str
    state: State
    launches: int = 0
    kernels: int = 0
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class Coverage:
    """All files of a folder, in order."""

    files: tuple[Read, ...]

    @property
    def accepted(self) -> int:
        """How many are read."""
        return sum(f.state == "accepted" for f in self.files)

    @property
    def rate(self) -> float:
        """Of 1."""
        return self.accepted / len(self.files) if self.files else 0.0

    def constructs(self) -> list[tuple[str, int, str]]:
        """Each refusal's code, how many files have it, and an example; the most frequent first."""
        files = Counter(code for f in self.files for code in {r.code for r in f.refusals})
        example = {r.code: f"{r.where}: {r.message}" for f in reversed(self.files) for r in reversed(f.refusals)}
        return [(code, count, example[code]) for code, count in sorted(files.items(), key=lambda item: (-item[1], item[0]))]

    def document(self) -> dict[str, Any]:
        """As JSON."""
        return {"files": len(self.files), "accepted": self.accepted, "rate": round(self.rate, 4),
                "crashed": [f.path for f in self.files if f.state == "crashed"],
                "too_long": [f.path for f in self.files if f.state == "too long"],
                "constructs": [{"code": code, "files": count, "example": example} for code, count, example in self.constructs()],
                "each": [asdict(f) for f in self.files]}


def kernels_in(folder: Path) -> list[Path]:
    """The `.cu` files below a folder, and the `.py` files that are solutions (those that mention ModelNew), by name."""
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    return sorted(p for p in folder.rglob("*") if p.is_file() and (p.suffix in (".cu", ".cuh") or (p.suffix == ".py" and b"ModelNew" in p.read_bytes())))


def cover(paths: Sequence[Path], seconds: float = SECONDS, seen: Callable[[Read], None] = lambda read: None) -> Coverage:
    """Reads every file, each within so many seconds."""
    def reads() -> Iterator[Read]:
        for path in paths:
            found = read_apart(path, seconds)
            seen(found)
            yield found
    return Coverage(tuple(reads()))


def read_apart(path: Path, seconds: float) -> Read:
    """Reads one file in a process of its own."""
    paths = os.pathsep.join(filter(None, (PACKAGE_ROOT, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-P", "-m", "devsem.coverage_child", str(path)]
    try:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, env={**os.environ, "PYTHONPATH": paths}, check=False)
    except subprocess.TimeoutExpired:
        return Read(str(path), "too long")
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        last = ran.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return Read(str(path), "crashed", refusals=(Refusal("crashed", str(path), f"exit code {ran.returncode}: {''.join(last)[:200]}"),))
    return Read(str(path), answer["state"], answer["launches"], answer["kernels"], tuple(Refusal(**r) for r in answer["refusals"]))
