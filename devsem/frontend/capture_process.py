"""Where a spec is executed: in a process of its own, forked from a server that has imported torch, or else started afresh.

`warm()` starts the server, so that the seconds of importing torch pass beside other work, and once for many specs. Without it, or
when the server is gone, each spec starts a process that imports torch. Both run `capture_child.py` and give the same answer.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from devsem.errors import UsageError

PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])
# -P: a file in the current directory must not shadow a standard module
COMMAND = (sys.executable, "-P", "-m", "devsem.frontend.capture_child")


@dataclass(frozen=True)
class Job:
    """What to capture, the files for the answer and for what the spec says on standard error, and the current directory."""

    path: str
    class_name: str
    result: str
    noise: str
    folder: str


@dataclass
class Server:
    """The process that forks, and our end of its standard input."""

    process: subprocess.Popen[bytes]
    control: socket.socket

    @staticmethod
    def start() -> Server | None:
        """A server that begins to import torch; None where this system cannot have one."""
        if sys.platform != "linux":
            return None
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                process = subprocess.Popen([*COMMAND, "--serve"], stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                           env=environment(), start_new_session=True)
        except OSError:
            return None
        return Server(process, ours)

    def run(self, job: Job, timeout: float) -> int | None:
        """The exit code of a capture, None where the server died; TimeoutError after some seconds, and the capture is killed."""
        ours, theirs = socket.socketpair()
        with ours:
            try:
                with theirs:
                    socket.send_fds(self.control, [json.dumps(asdict(job)).encode()], [theirs.fileno()])
                ours.settimeout(timeout)
                said = ours.recv(16)
            except TimeoutError:
                raise
            except OSError:
                return None
        return int(said) if said else None

    def stop(self) -> None:
        """End the server: by itself, with what it runs, or at once where it still imports and runs nothing."""
        ready = False
        with suppress(OSError):
            ready = bool(self.control.recv(16, socket.MSG_DONTWAIT))
        self.control.close()
        if not ready:
            self.process.kill()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@dataclass
class Warm:
    """This process's server: at most one is ever started."""

    server: Server | None = None
    started: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


_WARM = Warm()


def warm() -> None:
    """Begin to import torch in a child, unless that was done before."""
    with _WARM.lock:
        if _WARM.started:
            return
        _WARM.started, _WARM.server = True, Server.start()
        if _WARM.server is not None:
            atexit.register(_WARM.server.stop)


def environment() -> dict[str, str]:
    """Ours, with this package where a child finds it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (PACKAGE_ROOT, os.environ.get("PYTHONPATH"))))}


def answer(path: str, class_name: str, timeout: float) -> dict[str, Any]:
    """The child's JSON object for a spec; UsageError with one sentence where it gives none."""
    if not os.path.isfile(path):
        raise UsageError(f"{path}: there is no such spec file")
    with tempfile.TemporaryDirectory(prefix="devsem-", ignore_cleanup_errors=True) as folder:
        result, noise = os.path.join(folder, "graph.json"), os.path.join(folder, "stderr")
        job = Job(os.path.realpath(path), class_name, result, noise, os.getcwd())
        try:
            code = _WARM.server.run(job, timeout) if _WARM.server is not None else None
            code = fresh(job, timeout) if code is None else code
        except TimeoutError:
            raise UsageError(f"{path}: capturing the spec took more than {timeout:g} s") from None
        if not os.path.exists(result):
            said = Path(noise).read_text(encoding="utf-8", errors="replace").strip().splitlines() if os.path.exists(noise) else []
            raise UsageError(f"{path}: the process that captures the spec ended with code {code}" + (f": {said[-1].strip()}" if said else ""))
        found: dict[str, Any] = json.loads(Path(result).read_text(encoding="utf-8"))
    return found


def fresh(job: Job, timeout: float) -> int:
    """The exit code of a process started for this capture; TimeoutError after some seconds, and its group is killed."""
    with open(job.noise, "wb") as stderr:
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
