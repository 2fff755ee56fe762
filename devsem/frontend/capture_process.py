"""Where a spec is executed: in a process of its own, forked from a server that has imported torch, or else started afresh.

`warm()` starts the server, so that the seconds of importing torch pass beside other work, and once for many specs. Without it, or
when the server is gone, each spec starts a process that imports torch. Both run `capture_child.py` and give the same answer.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from devsem.errors import UsageError
from devsem.frontend.fork_server import Server, Warm, python_path

__all__ = ["Job", "Server", "Warm", "answer", "environment", "warm"]

# -P: a file in the current directory must not shadow a standard module
COMMAND = (sys.executable, "-P", "-m", "devsem.frontend.capture_child")


@dataclass(frozen=True)
class Job:
    """What to capture, the file for the answer, and the current directory."""

    path: str
    class_name: str
    result: str
    folder: str


_WARM = Warm()


def warm() -> None:
    """Begin to import torch in a child, unless that was done before."""
    _WARM.start(COMMAND, environment())


def environment() -> dict[str, str]:
    """Ours, with this package where a child finds it."""
    return {**os.environ, "PYTHONPATH": python_path()}


def answer(path: str, class_name: str, timeout: float) -> dict[str, Any]:
    """The child's JSON object for a spec; UsageError with one sentence where it gives none."""
    if not os.path.isfile(path):
        raise UsageError(f"{path}: there is no such spec file")
    with tempfile.TemporaryDirectory(prefix="devsem-", ignore_cleanup_errors=True) as folder:
        result, noise = os.path.join(folder, "graph.json"), Path(folder, "stderr")
        job = Job(os.path.realpath(path), class_name, result, os.getcwd())
        try:
            with noise.open("wb") as stderr:
                code = _WARM.server.run(asdict(job), {2: stderr.fileno()}, timeout) if _WARM.server is not None else None
                code = fresh(job, stderr, timeout) if code is None else code
        except TimeoutError:
            raise UsageError(f"{path}: capturing the spec took more than {timeout:g} s") from None
        if not os.path.exists(result):
            said = noise.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise UsageError(f"{path}: the process that captures the spec ended with code {code}" + (f": {said[-1].strip()}" if said else ""))
        found: dict[str, Any] = json.loads(Path(result).read_text(encoding="utf-8"))
    return found


def fresh(job: Job, stderr: IO[bytes], timeout: float) -> int:
    """The exit code of a process started for this capture; TimeoutError after some seconds, and its group is killed."""
    process = subprocess.Popen([*COMMAND, job.path, job.class_name, job.result], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=stderr, env=environment(), cwd=job.folder, start_new_session=True)
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
