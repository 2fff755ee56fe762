"""The child process of `nvrtc.py`: one compilation, then the end. It imports cuda-python's NVRTC binding and nothing heavier.

With `--serve` it imports the binding, which loads no NVRTC, and forks one such process for each request (`forked.py`).

Standard input is a JSON object {text, name, headers, options, builtins, library, seconds}; standard output is one too: {"version", "archs"}, and
{"result", "log", "ptx", "cubin"} with the machine code in base 64, or {"missing"} where the library does not load.
After the libraries are loaded this process can open no file, so no text can make NVRTC read one.
"""

from __future__ import annotations

import base64
import ctypes
import importlib
import json
import os
import resource
import sys
from contextlib import suppress
from typing import Any, NoReturn

from devsem.frontend import forked

MEMORY, MAX_OUTPUT, NO_MEMORY = 4 << 30, 16 << 20, 3     # bytes, bytes, an exit code
NAME_OF_SUCCESS = "NVRTC_SUCCESS"


def main(arguments: list[str]) -> NoReturn:
    """One compilation, or a server of compilations."""
    if arguments == ["--serve"]:
        control = forked.take_control()
        with suppress(ImportError):     # each request says so itself
            importlib.import_module("cuda.bindings.nvrtc")
        forked.serve(control, answer_one)
        os._exit(0)
    answer_one()


def answer_one() -> NoReturn:
    """Answer the request at standard input, and end this process."""
    job = json.loads(sys.stdin.buffer.read())
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)     # whatever a library prints is not the answer
    seconds = int(job["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        said = json.dumps(compiled(job)).encode()
    except MemoryError:
        os._exit(NO_MEMORY)
    answer.write(said)
    answer.flush()
    os._exit(0)


def compiled(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request."""
    try:
        ctypes.CDLL(job["builtins"])
        ctypes.CDLL(job["library"])
        from cuda.bindings import nvrtc  # it takes the library that is loaded already
        _, major, minor = nvrtc.nvrtcVersion()
    except (OSError, ImportError, RuntimeError) as e:
        return {"missing": str(e).splitlines()[0]}
    about = {"version": f"{major}.{minor}", "archs": list(nvrtc.nvrtcGetSupportedArchs()[1])}
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    headers = {name.encode(): text.encode() for name, text in job["headers"].items()}
    options = [o.encode() for o in job["options"]]
    status, program = nvrtc.nvrtcCreateProgram(job["text"].encode(), job["name"].encode(), len(headers), list(headers.values()), list(headers))
    if status.name != NAME_OF_SUCCESS:
        return {**about, "result": status.name, "log": ""}
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
    log = _read(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).decode(errors="replace")
    if status.name != NAME_OF_SUCCESS:
        return {**about, "result": status.name, "log": log}
    if max(nvrtc.nvrtcGetPTXSize(program)[1], nvrtc.nvrtcGetCUBINSize(program)[1]) > MAX_OUTPUT:
        return {**about, "result": "TOO_LARGE", "log": log}
    ptx = _read(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program).decode()
    cubin = _read(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program, text=False)
    return {**about, "result": status.name, "log": log, "ptx": ptx, "cubin": base64.b64encode(cubin).decode()}


def _read(size_of: Any, read: Any, program: Any, *, text: bool = True) -> bytes:
    """What NVRTC has to say; a text without its final NUL."""
    _, size = size_of(program)
    buffer = bytes(size)
    read(program, buffer)
    return buffer[:-1] if text else buffer


if __name__ == "__main__":
    main(sys.argv[1:])
