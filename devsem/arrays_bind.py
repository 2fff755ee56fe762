"""What each parameter of a kernel is in a launch of fixed sizes: a tensor of the spec, an output, a size, or a number.

By `--bind`, or by default: buffers by name, or in the order in which the spec has them; integers by the sizes that their names mean,
where the tensors leave no doubt which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from devsem.errors import UsageError
from devsem.expr import Expr, const
from devsem.frontend.spec import SpecInput
from devsem.frontend.spec_arrays import ArraySpec
from devsem.goal import INTEGERS, SIZE_NAMES, Launch, parse_bind
from devsem.instance import Extent, Instance, element
from devsem.program import Load, Param, Program, Store, walk

DEFAULT = "_"       # in a list of values: what no --bind would give
Shape = tuple[int, ...]
FIRST = ("rows", "nrows", "num_rows", "n_rows", "batch", "batch_size", "outer", "R", "B")
SECOND = ("cols", "ncols", "num_cols", "n_cols", "dim", "features", "hidden", "hidden_size", "inner", "width", "D")


@dataclass(frozen=True)
class Bound:
    """A launch with everything that its parameters are: `outputs` are the written parameters in the order of the spec's outputs."""

    instance: Instance
    outputs: tuple[str, ...]
    note: str


def bind_arrays(program: Program, spec: ArraySpec, launch: Launch, text: str | None) -> Bound:
    """The launch; UsageError says what to write where something is not known."""
    given = {k: v for k, v in parse_bind(program.params, text).items() if v != DEFAULT}
    if launch.blocks is None:
        raise UsageError('this kernel is decided for a launch of fixed size: give it, --launch "grid=1,1,1 block=256,1,1"')
    shapes = {i.name: i.shape for i in spec.inputs}
    inputs, outputs = buffers_of(program, spec.inputs, len(spec.outputs), given)
    sizes = {**{p: shapes[t] for p, t in inputs.items()}, **{p: spec.outputs[k].shape for k, p in enumerate(outputs)}}
    buffers = {p.name: _extent(p, inputs, sizes) for p in program.params if p.is_buffer}
    scalars: dict[str, int | Expr] = {}
    for p in program.params:
        if not p.is_buffer:
            scalars[p.name] = _float(p, given, shapes) if p.type == "float" else _integer(p, given, shapes, sizes)
    parts = [*(f"{p} = {t}" for p, t in inputs.items()), *(f"{p} = output {k}" for k, p in enumerate(outputs)),
             *(f"{p} = {v}" for p, v in scalars.items())]
    return Bound(Instance(launch.grid, launch.block, launch.shared_bytes, buffers, scalars), outputs, f"the parameters are bound so: {', '.join(parts)}")


def buffers_of(program: Program, tensors: Sequence[SpecInput], results: int, given: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The tensor of each parameter that is an input, and the parameters that are outputs."""
    written = {s.buffer for s in walk(program.body) if isinstance(s, Store)}
    read = {s.buffer for s in walk(program.body) if isinstance(s, Load)}
    names = [i.name for kind in ("input", "parameter") for i in tensors if i.kind == kind]
    pointers = [p for p in program.params if p.is_buffer]
    inputs = {p.name: given[p.name] for p in pointers if given.get(p.name) in names}
    own = [p.name for p in pointers if p.name not in given and p.name in names and (p.name in read or p.name not in written)]
    inputs |= {p: p for p in own if p not in inputs.values()}
    free = [n for n in names if n not in inputs.values()]
    for p in pointers:
        if p.name in inputs or p.name in written or p.name in given:
            continue
        if not free:
            raise UsageError(f"parameter {p.name} of the kernel reads a tensor that the spec does not have (its inputs: {', '.join(names) or 'none'}); "
                             f"name it with --bind {p.name}=TENSOR")
        inputs[p.name] = free.pop(0)
    crossed = [p for p, t in inputs.items() if p in names and p != t and p not in given]
    if crossed:
        raise UsageError(f"the kernel's parameter {crossed[0]} would be bound to the spec's {inputs[crossed[0]]} by its place, to {crossed[0]} by its name; "
                         f"say which with --bind {crossed[0]}=TENSOR")
    outputs = tuple(p.name for p in pointers if p.name in written)
    if len(outputs) != results:
        raise UsageError(f"the kernel writes {len(outputs)} tensors ({', '.join(outputs) or 'none'}), the spec returns {results}; "
                         "use --bind to say which parameter is which")
    return inputs, outputs


def _extent(p: Param, inputs: Mapping[str, str], sizes: Mapping[str, Shape]) -> Extent:
    if p.name in inputs:
        return Extent(inputs[p.name], prod(sizes[p.name]), "input")
    return Extent(f"{p.name} (output)", prod(sizes[p.name]), "empty")


def _float(p: Param, given: Mapping[str, str], shapes: Mapping[str, Shape]) -> Expr:
    """A number, or the one element of a tensor of the spec."""
    value = given.get(p.name, p.name)
    if value in shapes and prod(shapes[value]) == 1:
        return element(value, 0)
    try:
        return const(float(value.rstrip("f")))
    except ValueError:
        raise UsageError(f"parameter {p.name} has no value: --bind {p.name}=NUMBER, or the name of a spec input of one element") from None


def _integer(p: Param, given: Mapping[str, str], shapes: Mapping[str, Shape], sizes: Mapping[str, Shape]) -> int:
    """A size."""
    value = given.get(p.name)
    if value is None:
        found = _by_name(p.name, sizes) if p.type in INTEGERS else set()
        if len(found) != 1:
            raise UsageError(f"say what the kernel's parameter `{p.type} {p.name}` is: --bind {p.name}=NUMBER, or {p.name}=TENSOR.size(AXIS)")
        return found.pop()
    size = re.fullmatch(r"(\w+)\.size\((-?\d+)\)", value)
    whole = re.fullmatch(r"numel\((\w+)\)", value)
    if size and size[1] in shapes and -len(shapes[size[1]]) <= int(size[2]) < len(shapes[size[1]]):
        return shapes[size[1]][int(size[2])]
    if whole and whole[1] in shapes:
        return prod(shapes[whole[1]])
    if value == "n" and len({prod(s) for s in sizes.values()}) == 1:
        return prod(next(iter(sizes.values())))
    if re.fullmatch(r"-?\d+", value) and -(1 << 63) <= int(value) < 1 << 63:
        return int(value)
    raise UsageError(f"--bind {p.name}={value}: an integer parameter is a number, TENSOR.size(AXIS), or numel(TENSOR); "
                     f"the spec's tensors are {', '.join(f'{n} {s}' for n, s in shapes.items())}")


def _by_name(name: str, sizes: Mapping[str, Shape]) -> set[int]:
    """The sizes that an integer of this name may be: one, if the tensors leave no doubt."""
    large = [s for s in sizes.values() if prod(s) == max(map(prod, sizes.values()))]
    flat = {s for s in sizes.values() if len(s) == 2}
    if name in ("M", "N", "K") and len(sizes) == 3:
        return _matrices(name, list(sizes.values()))
    if name in FIRST and len(flat) == 1:
        return {s[0] for s in flat}
    if name in SECOND and len(flat) == 1:
        return {s[1] for s in flat}
    if name in SIZE_NAMES:
        same = {prod(s) for s in sizes.values() if s} or {prod(s) for s in large}
        one = {prod(s) for s in sizes.values() if prod(s) > 1}
        return same if len(same) == 1 else one
    return set()


def _matrices(name: str, shapes: Sequence[Shape]) -> set[int]:
    """M, N and K of a product of two matrices, given with its result last."""
    if [len(s) for s in shapes] != [2, 2, 2]:
        return set()
    (m, k), (k2, n), out = shapes
    return {{"M": m, "N": n, "K": k}[name]} if k == k2 and out == (m, n) else set()
