"""Processes that begin with their imports done: forked, one for each job, from a server that has imported what every job needs.

Our end; the server's is `forked.py`. A job's process starts as a fresh one would, and leaves nothing to the next. Where there is no server,
or it is gone, `run` says so, and the caller starts a fresh process, which must give the same answer.
"""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PACKAGE_ROOT = str(Path(__file__).resolve().parents[2])


@dataclass
class Server:
    """The process that forks, and our end of its standard input."""

    process: subprocess.Popen[bytes]
    control: socket.socket

    @staticmethod
    def start(command: Sequence[str], environment: Mapping[str, str]) -> Server | None:
        """A server that begins its imports; None where this system cannot have one."""
        if sys.platform != "linux":
            return None
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                process = subprocess.Popen([*command, "--serve"], stdin=theirs.fileno(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                           env=dict(environment), start_new_session=True)
        except OSError:
            return None
        return Server(process, ours)

    def run(self, job: Mapping[str, Any], streams: Mapping[int, int], timeout: float) -> int | None:
        """The exit code of a job, None where the server died; TimeoutError after some seconds, and the job is killed.

        `streams` maps the job's descriptors 0, 1, 2 to ours; one that is not there is /dev/null. May be called from several threads."""
        ours, theirs = socket.socketpair()
        with ours:
            try:
                with theirs:
                    message = json.dumps({"job": job, "streams": list(streams)}).encode()
                    socket.send_fds(self.control, [message], [theirs.fileno(), *streams.values()])
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
    """This process's server of one kind: at most one is ever started."""

    server: Server | None = None
    started: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> Server | None:
        """The server, which begins its imports now unless that was done before; None where there can be none."""
        with self.lock:
            if not self.started:
                self.started, self.server = True, Server.start(command, environment)
                if self.server is not None:
                    atexit.register(self.server.stop)
            return self.server


def python_path() -> str:
    """PYTHONPATH for a child: ours, with this package where a child finds it."""
    return os.pathsep.join(filter(None, (PACKAGE_ROOT, os.environ.get("PYTHONPATH"))))
