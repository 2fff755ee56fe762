"""The processes that execute specs, apart from the verifier: see `capture_process.py`, which starts them.

`python -m devsem.frontend.capture_child SPEC CLASS RESULT` captures one spec. With `--serve` it imports torch once, then forks one
process for each request: a message on the socket at standard input, with a socket for the reply, which is the exit code. A reply
socket that the other side closes cancels its capture; when standard input ends, so does everything.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import selectors
import signal
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

PR_SET_PDEATHSIG = 1
MESSAGE = 1 << 16
# a forked process could not use a CUDA that its parent had initialised; and the parent must have no threads
SERVER_ONLY = {"PYTORCH_NVML_BASED_CUDA_CHECK": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Running:
    """A capture: its process (leader of a group of its own), the descriptor that says when it ends, and where its exit code goes."""

    pid: int
    ended: int
    reply: int


def prepare() -> None:
    """Import torch and all that a first export imports. What imports make stays: the garbage collector would cost a fifth of the time."""
    gc.disable()
    from devsem.frontend import capture

    capture.warm_up()
    gc.freeze()
    gc.enable()


def execute(path: str, class_name: str, result: str) -> NoReturn:
    """Capture a spec and end this process at once, whatever threads the spec has left."""
    from devsem.frontend import capture

    code = 1
    try:
        capture.main(path, class_name, result)
        code = 0
    except BaseException:  # the last frame of this process
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):  # the spec may have closed it
                stream.flush()
        os._exit(code)


def serve(control: socket.socket) -> None:
    """Answer requests until the other side closes `control`."""
    selector = selectors.DefaultSelector()
    selector.register(control, selectors.EVENT_READ)
    control.send(b"ready")
    while True:
        for key, _ in selector.select()[:1]:  # one at a time: to end one capture is to close other descriptors of this list
            if key.data is None:
                if not begin(control, selector):
                    return stop(selector)
            elif key.fd == key.data.ended:
                finish(selector, key.data)
            else:
                selector.unregister(key.data.reply)
                kill(key.data)


def begin(control: socket.socket, selector: selectors.BaseSelector) -> bool:
    """Fork for the next request; False where there will be none."""
    message, descriptors, _, _ = socket.recv_fds(control, MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
    if not message:
        return False
    (reply,), server = descriptors, os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            isolate(server, selector, reply, **json.loads(message))
        finally:  # whatever happens, never back into the server's loop
            os._exit(1)
    with suppress(OSError):  # it did this itself, and may have ended
        os.setpgid(pid, pid)
    running = Running(pid, os.pidfd_open(pid), reply)
    for descriptor in (running.ended, running.reply):
        selector.register(descriptor, selectors.EVENT_READ, running)
    return True


def isolate(server: int, selector: selectors.BaseSelector, reply: int, path: str, class_name: str, result: str, noise: str, folder: str) -> NoReturn:
    """The forked process: a group of its own, nothing of the server's open, and dead when the server is."""
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)
    for descriptor in [reply, *(key.fd for key in selector.get_map().values())]:
        os.close(descriptor)
    selector.close()
    os.chdir(folder)
    error = os.open(noise, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(error, 2)
    os.close(error)
    execute(path, class_name, result)


def kill(running: Running) -> None:
    """End a capture's process and all that it started in its group; it is not yet waited for, so the number is still its own."""
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
    """End every capture."""
    for key in selector.get_map().values():
        if key.data is not None:
            kill(key.data)


def main(arguments: list[str]) -> NoReturn:
    """One capture, or a server of captures."""
    if arguments != ["--serve"]:
        prepare()
        execute(*arguments)
    control, null = socket.socket(fileno=os.dup(0)), os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    kept = {name: os.environ.get(name) for name in SERVER_ONLY}
    os.environ.update(SERVER_ONLY)
    prepare()
    for name, value in kept.items():
        del os.environ[name]
        if value is not None:
            os.environ[name] = value
    serve(control)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
