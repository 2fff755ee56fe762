"""The child process of `cuda_guard.py`: translate a text from standard input, and end with 0 if that ends in any orderly way."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from devsem.errors import Rejected, UsageError
from devsem.frontend.cuda import translate
from devsem.frontend.cuda_guard import NO_MEMORY, SECONDS
from devsem.frontend.cuda_source import Source

MEMORY = 1 << 30     # beyond what the libraries take


def main() -> None:
    """Arguments: the path to name in messages, the kernel's name (empty where none was given), and a template's arguments."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        limit = int(pages.read_text().split()[0]) * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        translate(Source(sys.argv[1], sys.stdin.buffer.read().decode()), sys.argv[2] or None, tuple(sys.argv[3:]))
    except UsageError:
        return
    except Rejected as e:
        if any(r.code == "cuda.depth" and not r.where.line for r in e.rejections):     # the parser gave up
            sys.exit(NO_MEMORY)
    except MemoryError:
        sys.exit(NO_MEMORY)


if __name__ == "__main__":
    main()
