"""The processes that execute specs, apart from the verifier: see `capture_process.py`, which starts them.

`python -m devsem.frontend.capture_child SPEC CLASS RESULT` captures one spec. With `--serve` it imports torch once, then forks one
process for each request (`forked.py`).
"""

from __future__ import annotations

import gc
import os
import sys
import traceback
from typing import NoReturn

from devsem.frontend import forked

# a forked process could not use a CUDA that its parent had initialised; and the parent must have no threads
SERVER_ONLY = {"PYTORCH_NVML_BASED_CUDA_CHECK": "1", "OPENBLAS_NUM_THREADS": "1"}


def prepare() -> None:
    """Import torch and all that a first export imports. What imports make stays: the garbage collector would cost a fifth of the time."""
    gc.disable()
    from devsem.frontend import capture

    capture.warm_up()
    gc.freeze()
    gc.enable()


def execute(path: str, class_name: str, result: str) -> NoReturn:
    """Capture a spec and end this process at once."""
    from devsem.frontend import capture

    code = 1
    try:
        capture.main(path, class_name, result)
        code = 0
    except BaseException:  # the last frame of this process
        traceback.print_exc()
    finally:
        forked.end(code)


def execute_in(folder: str, path: str, class_name: str, result: str) -> NoReturn:
    """Capture a spec in its own current directory."""
    os.chdir(folder)
    execute(path, class_name, result)


def main(arguments: list[str]) -> NoReturn:
    """One capture, or a server of captures."""
    if arguments != ["--serve"]:
        prepare()
        execute(*arguments)
    control = forked.take_control()
    kept = {name: os.environ.get(name) for name in SERVER_ONLY}
    os.environ.update(SERVER_ONLY)
    prepare()
    for name, value in kept.items():
        del os.environ[name]
        if value is not None:
            os.environ[name] = value
    forked.serve(control, execute_in)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
