"""How fast `threads.run` goes: statements of threads a second, with values and without, on some launches.

    PYTHONPATH=.:tests python -P bench/threads.py
"""

from __future__ import annotations

import time

from launched import PROGRAMS

from devsem.instance import Extent, Instance
from devsem.threads import run

Three = tuple[int, int, int]
# kernel, grid, block, elements of each buffer, scalars
CASES: tuple[tuple[str, Three, Three, tuple[int, ...], dict[str, int]], ...] = (
    ("scale", (256, 1, 1), (256, 1, 1), (65536, 65536), {"n": 65536}),
    ("stride", (4, 1, 1), (32, 1, 1), (8192, 8192), {"n": 8192}),
    ("stride", (1, 1, 1), (1, 1, 1), (500, 500), {"n": 500}),
    ("tree", (256, 1, 1), (64, 1, 1), (16384, 256), {}),
    ("tiled", (8, 8, 1), (4, 4, 1), (1024, 1024, 1024), {"n": 32}),
    ("softmax", (4, 1, 1), (32, 1, 1), (4096, 4096), {"rows": 128, "cols": 32}),
    ("warp_sum", (1, 1, 1), (64, 1, 1), (64, 64), {}),
)


def main() -> None:
    """Print a table."""
    print(f"{'kernel':10} {'threads':>8} {'values':>6} {'seconds':>8} {'statements':>11} {'a second':>10} {'us each':>9}")
    for name, grid, block, elements, scalars in CASES:
        program = PROGRAMS[name]
        names = [q for q in program.params if q.is_buffer]
        buffers = {q.name: Extent(q.name, n, "input" if q.type.startswith("const") else "empty") for q, n in zip(names, elements, strict=True)}
        instance = Instance(grid, block, 0, buffers, scalars)
        for values in (False, True):
            start = time.perf_counter()
            outcome = run(program, instance, values=values, limit=1 << 40)
            took = time.perf_counter() - start
            if not outcome.complete:
                raise SystemExit(f"{name}: {outcome.fault}")
            print(f"{name:10} {instance.threads * instance.blocks:8} {values!s:>6} {took:8.3f} {outcome.steps:11} {outcome.steps / took:10.0f} "
                  f"{took * 1e6 / outcome.steps:9.2f}")


if __name__ == "__main__":
    main()
