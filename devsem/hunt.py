"""Looks for a small concrete launch in which a kernel does something wrong: sizes and blocks next to the boundaries, the cheapest first.

What is found is a counterexample (`threads.run` shows it), made as small as it goes. Nothing found says nothing about other sizes.

>>> sizes_near((32,))
(1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 31, 32, 33, 37, 64, 67, 97, 100, 128, 129, 132, 257)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from devsem.expr import Expr
from devsem.instance import Instance
from devsem.plan import Impossible, Plan, instantiate, unmet
from devsem.program import Program
from devsem.threads import LaunchFault, Outcome, run_all

Launches = tuple[tuple[Program, Instance], ...]
Sizes = Mapping[Expr, int]
Make = Callable[[Sizes], Launches | None]

SECONDS = 1.0
LIMIT = 10_000_000              # of one candidate (threads.LIMIT says of what)
SHRINKING = 1.0                 # seconds, at most
ORDINARY = (1, 2, 3, 4, 5, 6, 7, 8, 13, 16, 33, 37, 64, 97, 100, 128, 257)
BLOCKS = (1, 2, 3, 32, 33, 64, 100, 128, 256, 1024)
MOST = 1200                     # combinations of sizes


@dataclass(frozen=True)
class Candidate:
    """Launches to try, one after the other on the same tensors, and the sizes that they come from."""

    launches: Launches
    sizes: Sizes

    @property
    def work(self) -> int:
        """About how long it takes: threads, and elements."""
        return sum(i.blocks * i.threads + sum(e.elements for e in i.buffers.values()) for _, i in self.launches)


@dataclass(frozen=True)
class Found:
    """A counterexample: the launches, of which the last one with a run shows `outcome.fault`, which is `certain`."""

    candidate: Candidate
    outcome: Outcome
    tried: int

    @property
    def fault(self) -> LaunchFault:
        """What goes wrong."""
        assert self.outcome.fault is not None
        return self.outcome.fault


def sizes_near(blocks: Iterable[int]) -> tuple[int, ...]:
    """Sizes to try for kernels with blocks of these lengths along some axis."""
    near = {n for b in blocks if b > 1 for n in (b - 1, b, b + 1, 2 * b + 3, 4 * b, 4 * b + 1, 4 * b + 4) if n <= 2100}
    return tuple(sorted({*ORDINARY, *near}))


def of_instances(program: Program, instances: Iterable[Instance]) -> Iterator[Candidate]:
    """Launches of one kernel, as they come."""
    return (Candidate(((program, i),), {}) for i in instances)


def of_plan(plan: Plan, programs: Mapping[str, Program]) -> Make:
    """The launches of a plan at given sizes; None where the host refuses them, or CUDA does. `programs` by the plan's name for the kernel."""
    def make(sizes: Sizes) -> Launches | None:
        if unmet(plan, sizes) is not None:
            return None
        made = instantiate(plan, sizes)
        return None if isinstance(made, Impossible) else tuple((programs[x.function], i) for x, i in zip(plan.launches, made, strict=True))
    return make


def candidates(make: Make, variables: Sequence[Expr], *, threads: Sequence[Expr] = ()) -> tuple[Candidate, ...]:
    """Launches at sizes near the boundaries, the cheapest first. `variables` are the sizes, all at least 1; `threads` those of blocks that are free."""
    blocks = {axis for guess in (1, 64) if (made := _made(make, {**dict.fromkeys(variables, guess), **dict.fromkeys(threads, 32)})) for _, i in made.launches
              for axis in i.block}
    sizes = sizes_near({*blocks, *(BLOCKS if threads else ())})
    free = len(variables) + len(threads)
    each = sizes if free <= 1 else _thinned(sizes, max(int(MOST ** (1 / free)), 2))
    rows = islice(product(*([each] * len(variables)), *([BLOCKS] * len(threads))), 4 * MOST)
    made_at = (_made(make, dict(zip((*variables, *threads), row, strict=True))) for row in rows)
    return tuple(sorted((c for c in made_at if c is not None), key=lambda c: c.work))


def _made(make: Make, sizes: Sizes) -> Candidate | None:
    launches = make(sizes)
    return None if launches is None else Candidate(launches, sizes)


def _thinned(sizes: Sequence[int], count: int) -> tuple[int, ...]:
    """So many of them, small ones and large ones."""
    if count >= len(sizes):
        return tuple(sizes)
    return tuple(dict.fromkeys(sizes[round(k * (len(sizes) - 1) / (count - 1))] for k in range(count)))


def hunt(tried: Iterable[Candidate], *, make: Make | None = None, seconds: float = SECONDS, written: frozenset[str] | None = None) -> Found | None:
    """The first candidate with a fault that is certain, made smaller by `make` where it can be; None after so many seconds.

    `written`: the tensors that the launches must fill together (see `threads.run_all`). Raises Rejected for what a run refuses.
    """
    end = time.monotonic() + seconds
    for count, c in enumerate(tried, 1):
        if time.monotonic() > end:
            return None
        outcome = _faulty(c, written)
        if outcome is not None:
            found = Found(c, outcome, count)
            return found if make is None else shrink(found, make, written)
    return None


def _faulty(c: Candidate, written: frozenset[str] | None) -> Outcome | None:
    """The outcome, if it is a counterexample. Floats are kept only where a fault hangs on a condition on them."""
    outcome = run_all(c.launches, values=False, limit=LIMIT, written=written)
    if outcome.fault is not None and outcome.fault.possible:
        outcome = run_all(c.launches, values=True, limit=LIMIT, written=written)
    return outcome if outcome.fault is not None and outcome.fault.certain else None


def shrink(found: Found, make: Make, written: frozenset[str] | None = None) -> Found:
    """The same kind of fault of the same buffer at smaller sizes, as far as one size after the other can be made smaller."""
    end = time.monotonic() + SHRINKING
    smaller = True
    while smaller:
        smaller = False
        for v, n in found.candidate.sizes.items():
            for less in dict.fromkeys((1, 2, n // 2, n - 1)):
                if not 1 <= less < n or time.monotonic() > end:
                    continue
                c = _made(make, {**found.candidate.sizes, v: less})
                outcome = None if c is None else _faulty(c, written)
                if c is not None and outcome is not None and outcome.fault is not None and \
                        (outcome.fault.kind, outcome.fault.buffer) == (found.fault.kind, found.fault.buffer):
                    found, smaller = Found(c, outcome, found.tried), True
                    break
    return found
