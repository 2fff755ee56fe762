"""The server's end of `fork_server.py`: forks one process for each request.

A request is a message on the socket at standard input, with a socket for the reply, which is the exit code, and the process's streams. A reply
socket that the other side closes cancels its job; when standard input ends, so does everything. The server must have no threads.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

PR_SET_PDEATHSIG = 1
MESSAGE, DESCRIPTORS = 1 << 16, 4

Action = Callable[..., object]


@dataclass(frozen=True)
class Running:
    """A job: its process (leader of a group of its own), the descriptor that says when it ends, and where its exit code goes."""

    pid: int
    ended: int
    reply: int


def take_control() -> socket.socket:
    """The socket at standard input, which is /dev/null from now on."""
    control, null = socket.socket(fileno=os.dup(0)), os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    return control


def serve(control: socket.socket, action: Action) -> None:
    """Answer requests until the other side closes `control`: `action(**job)` in a process of its own, which it should end itself."""
    selector = selectors.DefaultSelector()
    selector.register(control, selectors.EVENT_READ)
    control.send(b"ready")
    while True:
        for key, _ in selector.select()[:1]:  # one at a time: to end one job is to close other descriptors of this list
            if key.data is None:
                if not begin(control, selector, action):
                    return stop(selector)
            elif key.fd == key.data.ended:
                finish(selector, key.data)
            else:
                selector.unregister(key.data.reply)
                kill(key.data)


def begin(control: socket.socket, selector: selectors.BaseSelector, action: Action) -> bool:
    """Fork for the next request; False where there will be none."""
    message, descriptors, _, _ = socket.recv_fds(control, MESSAGE, DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
    if not message:
        return False
    (reply, *streams), server = descriptors, os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            request = json.loads(message)
            isolate(server, selector, reply, dict(zip(request["streams"], streams, strict=True)))
            action(**request["job"])
        except BaseException:  # the last frame of this process
            traceback.print_exc()
        finally:  # whatever happens, never back into the server's loop
            os._exit(1)
    for stream in streams:
        os.close(stream)
    with suppress(OSError):  # it did this itself, and may have ended
        os.setpgid(pid, pid)
    running = Running(pid, os.pidfd_open(pid), reply)
    for descriptor in (running.ended, running.reply):
        selector.register(descriptor, selectors.EVENT_READ, running)
    return True


def isolate(server: int, selector: selectors.BaseSelector, reply: int, streams: Mapping[int, int]) -> None:
    """The forked process: a group of its own, nothing of the server's open, and dead when the server is."""
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)
    for descriptor in [reply, *(key.fd for key in selector.get_map().values())]:
        os.close(descriptor)
    selector.close()
    for number, descriptor in streams.items():
        os.dup2(descriptor, number)
        os.close(descriptor)


def end(code: int) -> NoReturn:
    """End this process at once, whatever threads it has left."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # a job may have closed it
            stream.flush()
    os._exit(code)


def kill(running: Running) -> None:
    """End a job's process and all that it started in its group; it is not yet waited for, so the number is still its own."""
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)


def finish(selector: selectors.BaseSelector, running: Running) -> None:
    """Reply with the exit code of a process that ended."""
    kill(running)
    code = os.waitstatus_to_exitcode(os.waitpid(running.pid, 0)[1])
    with suppress(OSError):  # nobody waits for it any more
        os.write(running.reply, str(code).encode())
    with suppress(KeyError):  # unregistered when it was cancelled
        selector.unregister(running.reply)
    selector.unregister(running.ended)
    os.close(running.reply)
    os.close(running.ended)


def stop(selector: selectors.BaseSelector) -> None:
    """End every job."""
    for key in selector.get_map().values():
        if key.data is not None:
            kill(key.data)
