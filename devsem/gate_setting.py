"""What the safety gate is asked about: a kernel's launches for a range of sizes, and what it answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Literal

from devsem.expr import Expr, const_int, mk
from devsem.instance import Initial
from devsem.ops import B32, B64
from devsem.plan import MOST_BLOCK, MOST_GRID, MOST_THREADS, dims_at, number
from devsem.program import BUILTINS, Program
from devsem.trace import trace
from devsem.trace_facts import Traced

Verdict = Literal["PASS", "FAIL", "OPEN"]
MAX_NUMEL = 1 << 30
SMALL, ROUND = (1, 2, 3, 4, 5, 8, 16, 32), (8, 16, 32, 64, 128, 256, 1024)
AXES = "xyz"


@dataclass(frozen=True)
class Buffer:
    """What a buffer parameter points to: a tensor of the host with its dimensions (machine integers), what is in it before the launch, and
    whether the launch must write all of it."""

    tensor: str
    dims: tuple[Expr, ...]
    initial: Initial = "input"
    output: bool = False


@dataclass(frozen=True)
class Setting:
    """All launches that a verdict is about: every value of `sizes` (inclusive ranges) for which `conditions` hold, tensors have 1 to `most`
    elements, and CUDA accepts the launch. `scalars`: the kernel's integer parameters over the sizes."""

    buffers: Mapping[str, Buffer]
    grid: tuple[Expr, Expr, Expr]
    block: tuple[Expr, Expr, Expr]
    scalars: Mapping[str, Expr]
    sizes: Mapping[Expr, tuple[int, int]]
    conditions: tuple[Expr, ...] = ()
    shared_bytes: Expr = field(default_factory=lambda: const_int(B64, 0))
    most: int = MAX_NUMEL


@dataclass(frozen=True)
class Question:
    """One condition that the gate decided or not: what it is about, by which solver, in how many seconds. `model`: values of sizes, blocks
    and threads for which it may fail; a launch with them must be run to see whether it does."""

    name: str
    where: str
    verdict: Verdict
    solver: str
    seconds: float
    reason: str = ""
    model: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Gate:
    """The gate's answer. FAIL: a question has a model, to be confirmed by a run; OPEN: something is neither shown nor refuted."""

    verdict: Verdict
    questions: tuple[Question, ...]
    reason: str = ""
    model: Mapping[str, int] | None = None
    assumed: tuple[str, ...] = (
        "CUDA accepts the launch: at most 1024 threads a block, and a grid of at most 2147483647 x 65535 x 65535 blocks",
        "every dimension of a tensor is at least 1", "tensors begin at a multiple of 16 bytes, and different tensors do not overlap")


def samples(setting: Setting) -> Iterator[dict[Expr, int]]:
    """Sizes to try, small ones first, the same in every run."""
    rng = random.Random(1)
    for k in range(400):
        yield {v: min(high, max(low, rng.choice(SMALL if k < 200 else ROUND))) for v, (low, high) in setting.sizes.items()}


def launched(setting: Setting, sizes: Mapping[Expr, int]) -> bool:
    """Is there a launch at these sizes: conditions met, tensors of 1 to `most` elements, a grid and blocks that CUDA accepts?"""
    if any(not number(c, sizes) for c in setting.conditions):
        return False
    shapes = [dims_at(b.dims, sizes) for b in setting.buffers.values()]
    if any(min(s, default=1) < 1 or prod(s) > setting.most for s in shapes):
        return False
    grid, block = dims_at(setting.grid, sizes), dims_at(setting.block, sizes)
    limits = zip((*grid, *block), (*MOST_GRID, *MOST_BLOCK), strict=True)
    return all(1 <= x <= most for x, most in limits) and prod(block) <= MOST_THREADS


def traced(program: Program, setting: Setting) -> Traced:
    """The kernel's trace with its parameters and sizes of blocks and grid as the launch gives them."""
    fixed: dict[Expr, Expr] = {}
    for q in program.params:
        if q.name in setting.scalars:
            fixed[q.expr] = fitted(setting.scalars[q.name], q.expr)
    for name, values in (("blockDim", setting.block), ("gridDim", setting.grid)):
        fixed |= {b: fitted(v, b) for b, v in zip([b for b in BUILTINS if b.name.startswith(name)], values, strict=True)}
    zero = const_int(B32, 0)
    for name, values in (("threadIdx", setting.block), ("blockIdx", setting.grid)):
        fixed |= {b: zero for b, v in zip([b for b in BUILTINS if b.name.startswith(name)], values, strict=True) if v.is_const and v.value == 1}
    return trace(program, fixed)


def fitted(e: Expr, like: Expr) -> Expr:
    """An integer in another's sort, as C converts an argument."""
    if e.sort == like.sort:
        return e
    if e.is_const:
        return const_int(like.sort, e.value - (1 << 32) if e.sort == B32 and e.value >> 31 else e.value)
    return mk("wrap" if like.sort == B32 else "sext", e)

