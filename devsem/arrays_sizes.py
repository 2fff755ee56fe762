"""What each parameter of a kernel is where a verdict is about all sizes of a spec's tensors of several shapes.

Buffers are bound as for a launch of fixed sizes (`arrays_bind.py`); integers by `--bind cols=x.size(1)`, over the spec's own sizes, or by
what their names mean where all tensors of a kind leave no doubt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import count

from devsem.arrays_bind import DEFAULT, FIRST, SECOND, buffers_of
from devsem.case import Case, launched
from devsem.digits import ONE
from devsem.errors import UsageError
from devsem.expr import Expr, const
from devsem.gate_setting import Buffer, Setting
from devsem.goal import INTEGERS, MAX_NUMEL, SIZE_NAMES, parse_bind
from devsem.launch_text import condition, number
from devsem.plan import numel
from devsem.polynomial import read
from devsem.program import Param, Program
from devsem.spec_elements import SpecElements
from devsem.spec_views import Dims

SIZE, WHOLE = re.compile(r"(\w+)\.size\((-?\d+)\)"), re.compile(r"numel\((\w+)\)")


def sizes_case(program: Program, spec: SpecElements, launch: str, bind_text: str | None, given: Sequence[str], most: int = MAX_NUMEL) -> Case:
    """The kernel with every launch that is meant; UsageError says what to write where something is not known."""
    bound = {k: v for k, v in parse_bind(program.params, bind_text).items() if v != DEFAULT}
    inputs, outputs = buffers_of(program, spec.inputs, len(spec.outputs), bound)
    results = dict(zip(outputs, spec.outputs, strict=True))
    dims = {p.name: spec.dims[inputs[p.name]] if p.name in inputs else results[p.name].dims for p in program.params if p.is_buffer}
    both = [p for p in outputs if p in inputs]
    if both:
        raise UsageError(f"the kernel updates {both[0]} in place; for all sizes, an output is a tensor of its own")
    buffers = {p: Buffer(inputs[p] if p in inputs else f"output {outputs.index(p)}", tuple(d.expr for d in shape), "input" if p in inputs else "empty",
                         p in outputs) for p, shape in dims.items()}
    names, scalars = dict[str, Expr](), dict[str, Expr]()
    for p in program.params:
        if not p.is_buffer and p.type != "float":
            scalars[p.name] = names[p.name] = _integer(p, bound, spec, list(dims.values()))
    floats = {p.name: p.expr for p in program.params if p.type == "float"}
    numbers = {p.expr: _float(p, bound) for p in program.params if p.type == "float"}
    wide = numel(tuple(d.expr for d in spec.outputs[0].dims))
    spelled, more = _spelled(launch, spec)
    grid, block, shared, ranges = launched(spelled, {**names, **more}, wide)
    conditions = tuple(condition(text, {**names, **known}) for text, known in (_spelled(g, spec) for g in given))
    sizes = {**{v: (least, most) for v, least in spec.sizes.least.items()}, **ranges}
    setting = Setting(buffers, grid, block, scalars, sizes, conditions, shared, most)
    parts = [*(f"{p} = {b.tensor}" for p, b in buffers.items()), *(f"{p} = {bound.get(p) or read(scalars[p])}" for p in scalars),
             *(f"{p} = {bound.get(p)}" for p in floats)]
    notes = (f"the parameters are bound so: {', '.join(parts)}", f"the launch is {launch}", *(f"given: {g}" for g in given), *spec.assumptions)
    return Case(program, setting, floats, tuple(buffers[o].tensor for o in outputs), notes, tuple(ranges), tuple(i.name for i in spec.inputs), numbers)


def _spelled(text: str, spec: SpecElements) -> tuple[str, dict[str, Expr]]:
    """A text with the spec's sizes as plain names, and what these are."""
    names: dict[str, Expr] = {}

    def one(e: Expr) -> str:
        new = next(n for k in count() if (n := f"size{k}") not in text and n not in names)
        name = next((n for n, known in names.items() if known is e), new)
        names[name] = e
        return name

    def size(m: re.Match[str]) -> str:
        shape = spec.dims.get(m[1])
        if shape is None or not -len(shape) <= int(m[2]) < len(shape):
            raise UsageError(f"{m[0]} in {text!r}: the spec's tensors are {', '.join(f'{n} of {len(d)} dimensions' for n, d in spec.dims.items())}")
        return one(shape[int(m[2])].expr)

    def whole(m: re.Match[str]) -> str:
        if m[1] not in spec.dims:
            raise UsageError(f"{m[0]} in {text!r}: the spec's tensors are {', '.join(spec.dims)}")
        return one(numel(tuple(d.expr for d in spec.dims[m[1]])))
    return WHOLE.sub(whole, SIZE.sub(size, text)), names


def _float(p: Param, bound: Mapping[str, str]) -> Expr:
    try:
        return const(float(bound.get(p.name, "").rstrip("f")))
    except ValueError:
        raise UsageError(f"parameter {p.name} has no value: --bind {p.name}=NUMBER") from None


def _integer(p: Param, bound: Mapping[str, str], spec: SpecElements, dims: Sequence[Dims]) -> Expr:
    """A size, or a number, in 64 bits."""
    if p.name in bound:
        spelled, names = _spelled(bound[p.name], spec)
        return number(spelled, names)
    found = _by_name(p.name, dims) if p.type in INTEGERS else set()
    if len(found) != 1:
        sizes = ", ".join(f"{n}.size({k})" for n, d in spec.dims.items() for k in range(len(d)))
        raise UsageError(f"say what the kernel's parameter `{p.type} {p.name}` is: --bind {p.name}=SIZE, over {sizes}")
    return found.pop()


def _by_name(name: str, dims: Sequence[Dims]) -> set[Expr]:
    """The sizes that an integer of this name may be: one, if the tensors leave no doubt."""
    flat = {d for d in dims if len(d) == 2}
    if name in FIRST and len(flat) == 1:
        return {d[0].expr for d in flat}
    if name in SECOND and len(flat) == 1:
        return {d[1].expr for d in flat}
    rank = max(map(len, dims))
    if name in SIZE_NAMES:
        wholes = {reduce(lambda a, b: a * b, d, ONE): numel(tuple(x.expr for x in d)) for d in dims if len(d) == rank}
        return set(wholes.values()) if len(wholes) == 1 else set()
    return set()
