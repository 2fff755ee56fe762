"""Compiles device code with NVRTC, as cuda-python binds it: PTX and machine code of one compilation, without a device.

Every compilation has a process of its own, since NVRTC's output depends on earlier ones in the same process (GPU_FLOAT.md fact 11), and since
the text is not trusted. That process gets no environment that NVRTC would read, and can open no file once the compiler is loaded. It is forked
from a server that has imported the binding, and neither loaded NVRTC nor compiled anything; where there is no such server, it is started afresh.

One compilation for a real architecture gives both results, so the PTX is the very text that the machine code was made from.

`nvcc -ptx` 13.0.88 writes the same text for the kernels of tests/corpus but for two things, none of them a float instruction: NVRTC keeps a
constant that nobody reads, and addresses __shared__ memory with 64 bits where nvcc takes 32 [M: all on sm_75 -use_fast_math and on sm_90, every
second one on sm_100 -ftz=true].
"""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import resources
from typing import IO, Any

from devsem.errors import Bug, Rejected, Rejection, UsageError, Where
from devsem.flags import FAST, parse
from devsem.frontend.fork_server import Warm, python_path
from devsem.frontend.nvrtc_child import NO_MEMORY
from devsem.frontend.toolkits import builtins_of, choose_toolkit, installed_toolkits
from devsem.rejections import rejection

COMMAND = (sys.executable, "-P", "-m", "devsem.frontend.nvrtc_child")
NAME = "kernel.cu"     # what the compiler is told, whatever the file's name is: it can occur in mangled names
HEADER = "devsem.h"    # the text of stubs/nvrtc.h, handed over in memory
# what every compilation gets: nvcc's language, no file of the current directory, no result of another day, no process number in names
ALWAYS = ("--std=c++17", "--no-source-include", f"--pre-include={HEADER}")
SINCE_13 = ("--no-cache", "--frandom-seed=0")
KEPT = ("LD_LIBRARY_PATH", "PYTHONHOME", "VIRTUAL_ENV")      # what Python itself may need; NVRTC reads NVRTC_* and CUDA_* variables
ERROR = re.compile(rf"(?:{re.escape(NAME)}\((\d+)\): |nvrtc: |ptxas )?(?:catastrophic |fatal )?(?:error|fatal)(?: #[\w-]+)?\s*: (.*)")
LOCATED = re.compile(r"\S.*\(\d+\): (?:\w+ )?(?:error|warning|remark)\b.*")
CARET = re.compile(r" *\s*\^\s*")

_WARM = Warm()


@dataclass(frozen=True)
class Job:
    """One compilation: the text, the file to name in messages, the architecture as "sm_90", `nvrtc_options`, and the toolkit as "13.0"."""

    text: str
    file: str
    arch: str
    options: tuple[str, ...] = ()
    toolkit: str | None = None


@dataclass(frozen=True)
class Compiled:
    """What NVRTC made of one text: `ptx` is the text from which it made the machine code `cubin`; `log` holds warnings."""

    ptx: str
    cubin: bytes
    log: str
    arch: str
    toolkit: str
    options: tuple[str, ...]


def nvrtc_options(flags: str) -> tuple[str, ...]:
    """The NVRTC options of nvcc's flags; raises UsageError where `flags.parse` does.

    >>> nvrtc_options("-use_fast_math -prec-div true")
    ('--use_fast_math', '--prec-div=true')
    """
    given = parse(flags)
    explicit = [f"--{name}={'true' if value else 'false'}" for name, value in sorted(given.items()) if name != FAST]
    return (*([f"--{FAST}"] if FAST in given else []), *explicit)


def compile_device(text: str, *, file: str, arch: str, options: Sequence[str], toolkit: str | None = None, timeout: float = 60) -> Compiled:
    """Compile device code for an architecture ("sm_90") within `timeout` seconds.

    Raises Rejected with every error of the text (`nvrtc.error`), or where the compiler gives up on it (`nvrtc.limit`); UsageError where the
    toolkit, the architecture or the library is missing. `options` come from `nvrtc_options`.
    """
    if not re.fullmatch(r"sm_\d+[af]?", arch):
        raise UsageError(f"code is compiled for a device, and {arch!r} names no architecture such as sm_90")
    version = choose_toolkit(toolkit)
    library = installed_toolkits()[version]
    passed = (f"--gpu-architecture={arch}", *ALWAYS, *(SINCE_13 if int(version.split(".")[0]) >= 13 else ()), *options)
    request = {"text": text, "name": NAME, "options": passed, "builtins": str(builtins_of(library, version)), "library": str(library), "seconds": timeout,
               "headers": {HEADER: header()}}
    answer = _answer(json.dumps(request).encode(), file, timeout)
    if "missing" in answer:
        raise UsageError(f"NVRTC {version} does not load: {answer['missing']}")
    if answer["version"] != version:
        raise Bug(f"asked for NVRTC {version}, but {answer['version']} answered")
    if int(re.sub(r"\D", "", arch)) not in answer["archs"]:
        raise UsageError(f"toolkit {version} does not compile for {arch} (it knows {', '.join(f'sm_{n}' for n in answer['archs'])})")
    match answer["result"]:
        case "NVRTC_SUCCESS":
            return Compiled(answer["ptx"], base64.b64decode(answer["cubin"]), answer["log"], arch, version, tuple(options))
        case "NVRTC_ERROR_COMPILATION":
            raise Rejected(*errors(answer["log"], text, file))
        case "NVRTC_ERROR_INVALID_OPTION":
            raise Bug(f"NVRTC {version} does not take {' '.join(passed)}: {answer['log'].strip()}")
        case "NVRTC_ERROR_OUT_OF_MEMORY" | "NVRTC_ERROR_INTERNAL_ERROR" | "NVRTC_ERROR_PROGRAM_CREATION_FAILURE" | "TOO_LARGE" as result:
            raise Rejected(rejection("nvrtc.limit", Where(file), what=f"gave up: {result}"))
        case other:
            raise Bug(f"NVRTC {version}: {other}: {answer['log'].strip()}")


def compile_many(jobs: Sequence[Job], *, timeout: float = 60) -> list[Compiled | Rejected]:
    """`compile_device` for each job, as many side by side as there are processors; results in the order of the jobs."""

    def one(job: Job) -> Compiled | Rejected:
        try:
            return compile_device(job.text, file=job.file, arch=job.arch, options=job.options, toolkit=job.toolkit, timeout=timeout)
        except Rejected as refused:
            return refused

    if not jobs:
        return []
    with ThreadPoolExecutor(min(len(jobs), os.cpu_count() or 1)) as pool:
        return list(pool.map(one, jobs))


@functools.cache
def header() -> str:
    """What stands for the C headers that nvcc includes by itself, and NVRTC does not have."""
    return (resources.files("devsem.frontend") / "stubs" / "nvrtc.h").read_text()


def warm() -> None:
    """Begin the imports that every compilation needs in a child, unless that was done before."""
    _WARM.start(COMMAND, _environment())


def _environment() -> dict[str, str]:
    """Nothing that NVRTC would read."""
    return {**{name: os.environ[name] for name in KEPT if name in os.environ}, "PYTHONPATH": python_path()}


def _answer(request: bytes, file: str, timeout: float) -> dict[str, Any]:
    """What a child process of this compilation's own says; Rejected where it dies or does not end on this text."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as noise:
        given.write(request)
        given.flush()
        try:
            code = _run((given, said, noise), timeout)
        except (TimeoutError, subprocess.TimeoutExpired):
            raise Rejected(rejection("nvrtc.limit", Where(file), what=f"did not end within {timeout:g} s")) from None
        if code == NO_MEMORY:
            raise Rejected(rejection("nvrtc.limit", Where(file), what="ran out of memory"))
        if code < 0:
            raise Rejected(rejection("nvrtc.limit", Where(file), what=f"was ended by signal {-code}"))
        try:
            answer: dict[str, Any] = json.loads(_content(said))
        except ValueError:
            words = _content(noise).decode(errors="replace").strip().splitlines()
            raise Bug(f"the compiler's process ended with code {code}: {words[-1] if words else 'it says nothing'}") from None
    return answer


def _run(streams: Sequence[IO[bytes]], timeout: float) -> int:
    """The exit code of a process with these standard streams: forked by the server, or started afresh where there is none."""
    for stream in streams:
        stream.seek(0)
    server = _WARM.start(COMMAND, _environment())
    code = server.run({}, {number: stream.fileno() for number, stream in enumerate(streams)}, timeout) if server else None
    if code is not None:
        return code
    for stream in streams:
        stream.seek(0)
    given, said, noise = streams
    return subprocess.run(COMMAND, stdin=given, stdout=said, stderr=noise, timeout=timeout, env=_environment(), check=False).returncode


def _content(file: IO[bytes]) -> bytes:
    """All that a child wrote into a file."""
    file.seek(0)
    return file.read()


def errors(log: str, text: str, file: str) -> list[Rejection]:
    """NVRTC's errors, each at its line and column; the column is 1 where the log shows none."""
    lines, said, out = text.splitlines(), log.splitlines(), []
    for at, line in enumerate(said):
        if (found := ERROR.fullmatch(line)) is None:
            continue
        where = Where(file)
        if found[1] and 0 < int(found[1]) <= len(lines):
            where = Where(file, int(found[1]), _column(said[at + 1:], lines[int(found[1]) - 1]))
        out.append(rejection("nvrtc.error", where, what=found[2].strip()))
    return out or [rejection("nvrtc.error", Where(file), what=log.strip().splitlines()[0] if log.strip() else "no reason is given")]


def _column(after: Sequence[str], line: str) -> int:
    """Where the caret below the source line points, in bytes from 1."""
    for number, text in enumerate(after):
        if not text.strip() or LOCATED.fullmatch(text):
            break
        if CARET.fullmatch(text) and number:
            return len(line[:max(text.index("^") - 2, 0)].encode()) + 1
    return 1
