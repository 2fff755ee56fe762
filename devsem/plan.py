"""What the host does: tensors that it makes, kernels that it launches with which arguments, and what it checks first.

Sizes are integer expressions in the variables `x.size(0)`; arithmetic is that of the host's C++ code, with its 32-bit wrap-around.

>>> n, b = var("x.size(0)", B64), const_int(B64, 32)
>>> one = const_int(B64, 1)
>>> launch = Launched("k", (), ("x", "y", "n"), (one, one, one), (b, one, one), const_int(B64, 0), ("x", "y", mk("wrap", n)))
>>> plan = Plan((Tensor("x", (n,), "input"), Tensor("y", (n,), "empty")), (launch,), (), ("y",), ((n,),), (n,), {"x": "x"})
>>> instantiate(plan, {n: 20})[0].scalars
{'n': 20}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Literal

import numpy as np

from devsem.errors import Bug, Where
from devsem.evaluate import DTYPE, evaluate
from devsem.expr import WIDTH, Expr, const_int, mk, var
from devsem.instance import Extent, Instance
from devsem.ops import B64, F32
from devsem.program import HERE
from devsem.simplify import resimplify

Initial = Literal["input", "zeros", "empty"]
Three = tuple[Expr, Expr, Expr]
# [Q] CUDA C++ Programming Guide 13.1, "Technical Specifications per Compute Capability": the same for every capability from 7.5 on
MOST_THREADS, MOST_BLOCK, MOST_GRID = 1024, (1024, 1024, 64), (2**31 - 1, 65535, 65535)
# [Q] the same table: beyond 48 KiB a block needs cudaFuncSetAttribute, which no accepted host code calls
MOST_SHARED = 48 << 10


@dataclass(frozen=True)
class Tensor:
    """Memory of `dims` float32 elements in row-major order, and what is in it before the first launch."""

    name: str
    dims: tuple[Expr, ...]
    initial: Initial


@dataclass(frozen=True)
class Launched:
    """`function<template><<<grid, block, shared_bytes>>>(arguments)`. An argument is a tensor's name, an integer (B32 or B64), a truth value or
    a float; `params` are the kernel's names for them. `static_bytes`: the kernel's own shared arrays."""

    function: str
    template: tuple[str, ...]
    params: tuple[str, ...]
    grid: Three
    block: Three
    shared_bytes: Expr
    arguments: tuple[str | Expr, ...]
    where: Where = HERE
    static_bytes: int = 0


@dataclass(frozen=True)
class Condition:
    """What the host checks, or the branch that was taken: the plan is that of the sizes for which `holds` is true."""

    holds: Expr
    text: str
    where: Where = HERE


@dataclass(frozen=True)
class Plan:
    """The host code from its inputs to its `results` (tensors by name, with the dimensions that they are returned with).

    `sizes`: the free variables of every expression here. `bindings`: which input or parameter of the spec a tensor is. The launches happen
    one after the other, so a tensor that one wrote is there for the next."""

    tensors: tuple[Tensor, ...]
    launches: tuple[Launched, ...]
    conditions: tuple[Condition, ...]
    results: tuple[str, ...]
    shapes: tuple[tuple[Expr, ...], ...]
    sizes: tuple[Expr, ...]
    bindings: Mapping[str, str] = field(default_factory=dict)

    def tensor(self, name: str) -> Tensor:
        """A tensor by its name."""
        found = [t for t in self.tensors if t.name == name]
        if len(found) != 1:
            raise Bug(f"the plan has {len(found)} tensors {name}")
        return found[0]


@dataclass(frozen=True)
class Impossible:
    """A launch that CUDA refuses at these sizes, so that nothing of it runs: the number of the launch, and why."""

    launch: int
    why: str
    where: Where = HERE


def size_of(tensor: str, axis: int) -> Expr:
    """The variable for a size of an input tensor."""
    return var(f"{tensor}.size({axis})", B64)


def numel(dims: Sequence[Expr]) -> Expr:
    """The number of elements, in 64 bits."""
    out: Expr | None = None
    for d in dims:
        out = d if out is None else mk("mul_b64", out, d)
    return const_int(B64, 1) if out is None else out


def unmet(plan: Plan, sizes: Mapping[Expr, int]) -> Condition | None:
    """The first condition that does not hold at these sizes."""
    return next((c for c in plan.conditions if not number(c.holds, sizes)), None)


def number(value: Expr, sizes: Mapping[Expr, int]) -> int:
    """An integer or a truth value at these sizes; integers as two's complement."""
    env = {v: np.array([n % (1 << WIDTH[v.sort])], dtype=DTYPE[v.sort]) for v, n in sizes.items()}
    found = int(evaluate([value], env)[0].reshape(-1)[0])
    width = WIDTH[value.sort]
    return found - (1 << width) if width > 1 and found >> (width - 1) else found


def put_in(plan: Plan, by: Mapping[Expr, Expr]) -> Plan:
    """The plan with expressions in place of sizes."""
    def one(e: Expr) -> Expr:
        return resimplify(e, dict(by))

    def three(axes: Three) -> Three:
        return one(axes[0]), one(axes[1]), one(axes[2])
    tensors = tuple(replace(t, dims=tuple(map(one, t.dims))) for t in plan.tensors)
    launches = tuple(replace(x, grid=three(x.grid), block=three(x.block), shared_bytes=one(x.shared_bytes),
                             arguments=tuple(one(a) if isinstance(a, Expr) else a for a in x.arguments)) for x in plan.launches)
    conditions = tuple(replace(c, holds=one(c.holds)) for c in plan.conditions)
    shapes = tuple(tuple(map(one, s)) for s in plan.shapes)
    return replace(plan, tensors=tensors, launches=launches, conditions=conditions, shapes=shapes, sizes=tuple(v for v in plan.sizes if v not in by))


def dims_at(dims: Sequence[Expr], sizes: Mapping[Expr, int]) -> tuple[int, ...]:
    """A shape at these sizes."""
    return tuple(number(d, sizes) for d in dims)


def instantiate(plan: Plan, sizes: Mapping[Expr, int]) -> tuple[Instance, ...] | Impossible:
    """One Instance for each launch at these sizes, which must meet the plan's conditions; Impossible where CUDA refuses a launch."""
    out = []
    for i, launch in enumerate(plan.launches):
        grid, block, shared = dims_at(launch.grid, sizes), dims_at(launch.block, sizes), number(launch.shared_bytes, sizes)
        why = refused(grid, block, shared, launch.static_bytes)
        if why:
            return Impossible(i, why, launch.where)
        given = dict(zip(launch.params, launch.arguments, strict=True))
        buffers = {p: _extent(plan.tensor(a), sizes) for p, a in given.items() if isinstance(a, str)}
        scalars: dict[str, int | Expr] = {p: a if a.sort == F32 else number(a, sizes) for p, a in given.items() if isinstance(a, Expr)}
        out.append(Instance((grid[0], grid[1], grid[2]), (block[0], block[1], block[2]), shared, buffers, scalars))
    return tuple(out)


def _extent(tensor: Tensor, sizes: Mapping[Expr, int]) -> Extent:
    return Extent(tensor.name, prod(dims_at(tensor.dims, sizes)), tensor.initial)


def refused(grid: tuple[int, ...], block: tuple[int, ...], shared: int, static: int) -> str:
    """Why CUDA does not start such a launch; empty where it does."""
    for name, given, most in (("grid", grid, MOST_GRID), ("block", block, MOST_BLOCK)):
        if any(not 1 <= g <= m for g, m in zip(given, most, strict=True)):
            return f"a {name} of {' x '.join(map(str, given))} is outside 1 to {' x '.join(map(str, most))}"
    if prod(block) > MOST_THREADS:
        return f"a block has {prod(block)} threads, more than {MOST_THREADS}"
    if shared < 0 or shared + static > MOST_SHARED:
        return f"a block has {shared + static} bytes of shared memory, more than {MOST_SHARED}"
    return ""
