"""Join what a kernel stores with what the spec says: which parameter is which tensor, which sizes and launches are meant.

v1 goals are pointwise: each thread reads and writes its own element. A `Goal` has, for every output, the kernel's written value and
the spec's value as expressions over one variable for each spec input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, prod

from devsem.assume import Assumption
from devsem.errors import Rejected, Rejection, UsageError, Where
from devsem.expr import Expr, const, const_bool, const_int, fold, mk, rebuild, substitute, var, variables
from devsem.frontend.spec import Spec
from devsem.ops import B32, F32
from devsem.pairing import Assembly
from devsem.places import Cells
from devsem.program import Param
from devsem.symbolic import Load, Store, Stores

SIZE_NAMES = ("n", "N", "size", "numel", "num_elements", "total", "length", "len", "count", "num", "total_elements", "n_elements")
MAX_NUMEL, MAX_BLOCK, MAX_SHARED = 1 << 30, 1024, 48 << 10      # shared memory: beyond this the host must ask for it (plan.py)
OWN_KEYS, SPEC_KEYS = 1 << 30, 1 << 31      # where the keys of NaNs that come from no tensor begin
INTEGERS = ("int", "unsigned", "long", "long long", "size_t", "unsigned long long")


@dataclass(frozen=True)
class Launch:
    """`blocks` is None for the default: as many blocks of any size as cover the elements."""

    blocks: int | None = None
    size: int = 0
    grid: tuple[int, int, int] = (1, 1, 1)
    block: tuple[int, int, int] = (1, 1, 1)
    shared_bytes: int = 0

    @property
    def flat(self) -> bool:
        """Is it along x only?"""
        return self.grid[1:] == self.block[1:] == (1, 1)

    @property
    def threads(self) -> int:
        """The threads of a fixed launch."""
        return (self.blocks or 0) * self.size


@dataclass(frozen=True)
class Buffer:
    """A tensor in memory by its number: a kernel parameter, a spec input, or both. `before` is its element before the launch."""

    number: int
    param: str
    tensor: str
    before: Expr


@dataclass(frozen=True)
class Output:
    """What must be equal at every element of one output."""

    buffer: Buffer
    written: Expr
    spec: Expr


@dataclass(frozen=True)
class Goal:
    """One kernel against one spec. `size` is the number of elements: a variable, or a constant when it is bound to a number.

    `scalars` are the numbers that parameters are bound to. They stand in no expression yet: the compiler does not know them, so that
    what it folds, rewrites and fuses has to be decided with variables. `cells`: the goal is about these cells of a launch of fixed sizes,
    by the elements' own names, and not about every element. `undecided` says why inputs decide nothing although the two values differ there.
    """

    function: str
    spec: str
    buffers: tuple[Buffer, ...]
    outputs: tuple[Output, ...]
    index: Expr
    guard: Expr
    size: Expr
    launch: Launch
    assumptions: tuple[Assumption, ...]
    notes: tuple[str, ...]
    integers: Mapping[Expr, Expr]
    scalars: Mapping[Expr, Expr]
    assembly: Assembly | None = None        # what the outputs are pieces of, where the values have loops
    cells: Cells | None = None
    undecided: Callable[[Mapping[str, int]], str] = field(default=lambda inputs: "", compare=False)

    @property
    def inputs(self) -> tuple[Buffer, ...]:
        """The buffers whose elements before the launch are used by the kernel, the spec or an assumption."""
        conditions = [a.condition for a in self.assumptions if a.condition is not None]
        used = set(variables(*(e for o in self.outputs for e in (o.written, o.spec)), *conditions))
        return tuple(b for b in self.buffers if b.before in used)

    @property
    def variables(self) -> tuple[Expr, ...]:
        """One variable for each input."""
        return tuple(b.before for b in self.inputs)


def parse_launch(text: str) -> Launch:
    """`1d`, or `grid=G,1,1 block=B,1,1`, with `smem=BYTES` of dynamic shared memory."""
    if text.strip() == "1d":
        return Launch()
    found = re.fullmatch(r"\s*grid=(\d+(?:,\d+){0,2})[\s;]+block=(\d+(?:,\d+){0,2})(?:[\s;]+smem=(\d+))?\s*", text)
    if found is None:
        raise UsageError(f"cannot read the launch {text!r}: write `1d`, or `grid=4,1,1 block=256,1,1`, and ` smem=BYTES` for dynamic shared memory")
    grid, block = (_three(found[i]) for i in (1, 2))
    size, blocks, shared = prod(block), prod(grid), int(found[3] or 0)
    if not 1 <= size <= MAX_BLOCK or block[2] > 64 or max(grid[1:]) > 65535 or not 1 <= blocks <= MAX_NUMEL // size or shared > MAX_SHARED:
        raise UsageError(f"the launch {text!r} is out of range: blocks of 1 to {MAX_BLOCK} threads (64 along z), at most 65535 blocks along y and z, "
                         f"at most 2^30 threads, at most {MAX_SHARED} bytes of shared memory")
    return Launch(grid[0], block[0], grid, block, shared)


def is_symbolic(text: str) -> bool:
    """Is it a launch for all sizes: `1d`, or one with names in it?"""
    return text.strip() == "1d" or bool(re.search(r"=[^;\s]*[A-Za-z(]", text))


def _three(text: str) -> tuple[int, int, int]:
    x, y, z = (*map(int, text.split(",")), 1, 1)[:3]
    return x, y, z


@dataclass(frozen=True)
class Binding:
    """What each kernel parameter is: a spec input's name, an output (by position), or a number."""

    inputs: Mapping[str, str]
    outputs: tuple[str, ...]
    numbers: Mapping[str, float]
    sizes: tuple[str, ...]


def bind(params: Sequence[Param], spec: Spec, written: set[str], reads: set[str], text: str | None) -> Binding:
    """Match the kernel's parameters with the spec's inputs and outputs, by `--bind` or by the default rules."""
    given = parse_bind(params, text)
    read_back = written & reads
    names = [i.name for kind in ("input", "parameter") for i in spec.inputs if i.kind == kind]
    free = [n for n in names if n not in given.values()]
    inputs: dict[str, str] = {}
    outputs: list[str] = []
    numbers: dict[str, float] = {}
    sizes: list[str] = []
    read = [p.name for p in params if p.is_buffer and p.name in reads and p.name not in given]
    if read_back and set(read) <= set(free):     # a buffer that is updated in place may stand anywhere among the parameters: by name, if all have one
        given |= {name: name for name in read}
        free = [n for n in free if n not in read]
    for p in params:
        value = given.get(p.name)
        if p.is_buffer:
            if p.name in written or (value is not None and value not in names):
                outputs.append(p.name)
            if value in names:
                inputs[p.name] = str(value)
            elif p.name in outputs:
                continue
            elif free:
                inputs[p.name] = free.pop(0)
            else:
                raise UsageError(f"parameter {p.name} of the kernel reads a tensor that the spec does not have (its inputs: "
                                 f"{', '.join(names) or 'none'}); name it with --bind {p.name}=TENSOR")
        elif value is not None and _number(value) is not None:
            numbers[p.name] = float(_number(value) or 0)
        elif p.type in INTEGERS and (value is not None or p.name in SIZE_NAMES):
            if value is not None and not re.fullmatch(r"n|numel\(\w+\)", value):
                raise UsageError(f"--bind {p.name}={value}: an integer parameter is `n`, `numel(TENSOR)` or a number")
            sizes.append(p.name)
        else:
            raise UsageError(f"say what the kernel's parameter `{p.type} {p.name}` is: --bind {p.name}=VALUE "
                             f"(a spec input, a number, or n for the number of elements)")
    for name in (p.name for p in params if p.name in read_back and p.name not in inputs and p.name not in given and free):
        inputs[name] = free.pop(0)
    if len(outputs) != len(spec.outputs):
        raise UsageError(f"the kernel writes {len(outputs)} tensors ({', '.join(outputs) or 'none'}), the spec returns {len(spec.outputs)}; "
                         "use --bind to say which parameter is which")
    crossed = [p for p, tensor in inputs.items() if p in names and p != tensor and p not in given]
    if crossed:
        raise UsageError(f"the kernel's parameter {crossed[0]} would be bound to the spec's {inputs[crossed[0]]} by its place, to {crossed[0]} by its name; "
                         f"say which: --bind {','.join(f'{p}={p if p in names else t}' for p, t in inputs.items())}")
    twice = [t for t in inputs.values() if list(inputs.values()).count(t) > 1]
    if twice:
        raise UsageError(f"two kernel parameters are bound to the spec input {twice[0]}")
    return Binding(inputs, tuple(outputs), numbers, tuple(sizes))


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("f"))
    except ValueError:
        return None


def parse_bind(params: Sequence[Param], text: str | None) -> dict[str, str]:
    """`--bind` by parameter: its entries are `PARAMETER=VALUE`, or a value for each parameter in order."""
    if not text:
        return {}
    entries = [e.strip() for e in text.split(",")]
    if not any("=" in e for e in entries):
        if len(entries) != len(params):
            raise UsageError(f"--bind {text!r} has {len(entries)} entries, the kernel has {len(params)} parameters "
                             f"({', '.join(p.name for p in params)})")
        return dict(zip((p.name for p in params), entries, strict=True))
    out: dict[str, str] = {}
    for entry in entries:
        name, equals, value = (part.strip() for part in entry.partition("="))
        if not equals or not value or name not in {p.name for p in params} or name in out:
            raise UsageError(f"--bind entry {entry!r}: write PARAMETER=VALUE, once for each; the kernel's parameters are "
                             f"{', '.join(p.name for p in params)}")
        out[name] = value
    return out


@dataclass(frozen=True)
class Sizes:
    """The number of elements, and the integer parameters that are bound to numbers."""

    size: Expr
    fixed: Mapping[Expr, Expr]


def make_sizes(stores: Stores, spec: Spec, bind_text: str | None, launch: Launch) -> Sizes:
    """What the binding says of a kernel's integers."""
    binding = bind(stores.params, spec, {s.buffer for s in stores.stores}, {load.buffer for load in stores.loads}, bind_text)
    return Sizes(_size(stores.params, binding, launch), _fixed_integers(stores.params, binding))


def make_goal(stores: Stores, spec: Spec, bind_text: str | None, launch: Launch, assumptions: tuple[Assumption, ...], path: str) -> Goal:
    """The goal; raises Rejected for a kernel that is not pointwise, UsageError when a parameter's meaning is unknown."""
    if not launch.flat:
        raise Rejected(Rejection("goal.launch", Where(path), "its launch has more than one dimension, and it uses one", "give the launch along x"))
    written = {s.buffer for s in stores.stores}
    binding = bind(stores.params, spec, written, {load.buffer for load in stores.loads}, bind_text)
    size = _size(stores.params, binding, launch)
    fixed = _fixed_integers(stores.params, binding)
    buffers = _buffers(stores, spec, binding)
    index = _one_index(stores, path)
    values = _values(stores, buffers, binding)
    guards = {substitute(s.guard, fixed) for s in stores.stores}
    if len(guards) != 1:
        raise Rejected(Rejection("goal.guards", stores.stores[-1].where, "outputs are stored under different conditions",
                                 "store all outputs of an element under one bounds check"))
    by_param = {b.param: b for b in buffers if b.param}
    store_of = {s.buffer: s for s in stores.stores}
    for out in binding.outputs:
        if out not in store_of:
            raise Rejected(Rejection("goal.unwritten", Where(path), f"the kernel never writes {out}", "bind the parameters with --bind"))
    keys = {b.before: b.number for b in buffers}
    outputs = tuple(Output(by_param[out], _keyed(substitute(store_of[out].value, values), keys, OWN_KEYS), _keyed(spec.outputs[i], keys, SPEC_KEYS))
                    for i, out in enumerate(binding.outputs))
    scalars = _scalars(stores.params, binding)
    _refuse_other(outputs, {b.before for b in buffers} | scalars.keys(), store_of)
    notes = (_bound(binding), *spec.assumptions, *_notes(launch, size), "different tensors do not overlap in memory")
    return Goal(stores.function, spec.name, buffers, outputs, substitute(index, fixed), next(iter(guards)), size, launch, assumptions, notes, fixed, scalars)


def _keyed(value: Expr, tensors: Mapping[Expr, int], first: int) -> Expr:
    """The value with the unknown bits of a NaN named by where it comes from: the same for both sides where both read one tensor's element,
    and from `first` on, which the other side does not use, for anything else."""
    keys: dict[tuple[Expr, ...], int] = {}

    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node.op not in ("D.nan_bits", "S.nan_bits"):
            return rebuild(node, args) if args else node
        key = tensors.get(args[1])
        return mk(node.op, const_int(B32, keys.setdefault(args, first + len(keys)) if key is None else key), args[1])
    return fold((value,), one)[value]


def _refuse_other(outputs: Sequence[Output], tensors: set[Expr], store_of: Mapping[str, Store]) -> None:
    """A stored value depends on the tensors' elements only."""
    for o in outputs:
        other = [v for v in variables(o.written) if v not in tensors]
        if other:
            raise Rejected(Rejection("goal.value", store_of[o.buffer.param].where, f"the value stored in {o.buffer.param} depends on {other[0].name}",
                                     "only values of the tensors' elements and of parameters bound to numbers are decided so far"))


def _bound(binding: Binding) -> str:
    """What each parameter is, in words."""
    parts = [*(f"{p} = {tensor}" for p, tensor in binding.inputs.items()), *(f"{p} = output {k}" for k, p in enumerate(binding.outputs)),
             *(f"{p} = {number:g}" for p, number in binding.numbers.items()), *(f"{p} = the number of elements" for p in binding.sizes)]
    return f"the parameters are bound so: {', '.join(parts)}"


def _notes(launch: Launch, size: Expr) -> tuple[str, ...]:
    if launch.blocks is None:
        n = "1 to 2^30 elements" if size.is_var else f"{size.value} elements"
        return (f"{n} a tensor, blocks of 1 to {MAX_BLOCK} threads, as many blocks as cover the elements",)
    return (f"a launch of {launch.blocks} blocks of {launch.size} threads, and at most as many elements",)


def _size(params: Sequence[Param], binding: Binding, launch: Launch) -> Expr:
    """The element count: the (one) size parameter, a number it is bound to, or the threads of a fixed launch."""
    sized = [p for p in params if p.name in binding.sizes]
    if len({p.expr for p in sized}) > 1:
        raise UsageError(f"two parameters are the number of elements ({', '.join(p.name for p in sized)}); bind one to a number")
    if sized:
        return sized[0].expr
    numbers = [p for p in params if p.type in INTEGERS and p.name in binding.numbers]
    if len(numbers) == 1 and numbers[0].name in SIZE_NAMES:
        size, most = binding.numbers[numbers[0].name], MAX_NUMEL if launch.blocks is None else launch.threads
        if not 1 <= size <= most:
            raise UsageError(f"--bind {numbers[0].name}={size:g}: the number of elements is 1 to {most}" + (" in this launch" if launch.blocks else ""))
        return const_int(numbers[0].expr.sort, int(size))
    if launch.blocks is None:
        raise UsageError("the kernel has no parameter for the number of elements: name it with --bind PARAMETER=n, "
                         "or give the launch, --launch \"grid=1,1,1 block=8,1,1\"")
    return const_int("B32", launch.threads)


def _fixed_integers(params: Sequence[Param], binding: Binding) -> dict[Expr, Expr]:
    out = {}
    for p in params:
        if p.type in INTEGERS and p.name in binding.numbers:
            value = binding.numbers[p.name]
            if value != value or value in (inf, -inf) or value != int(value) or not -(1 << 31) <= value < 1 << 31:
                raise UsageError(f"--bind {p.name}={value:g}: an integer parameter needs a whole number of 32 bits")
            out[p.expr] = const_int(p.expr.sort, int(value))
    return out


def _buffers(stores: Stores, spec: Spec, binding: Binding) -> tuple[Buffer, ...]:
    """Kernel parameters in order, then spec inputs that no parameter is bound to."""
    out: list[Buffer] = []
    for p in stores.params:
        if not p.is_buffer:
            continue
        tensor = binding.inputs.get(p.name, "")
        out.append(Buffer(len(out), p.name, tensor, var(tensor, F32) if tensor else var(f"{p.name} before", F32)))
    bound = {b.tensor for b in out}
    for i in spec.inputs:
        if i.name not in bound:
            out.append(Buffer(len(out), "", i.name, var(i.name, F32)))
    return tuple(out)


def _one_index(stores: Stores, path: str) -> Expr:
    """The index that every access uses."""
    if not stores.stores:
        raise Rejected(Rejection("goal.unwritten", Where(path), "the kernel writes nothing"))
    index = stores.stores[0].index
    accesses: list[Store | Load] = [*stores.stores, *stores.loads]
    for access in accesses:
        if access.index is not index:
            raise Rejected(Rejection("goal.index", access.where, f"{access.buffer} is accessed at an index other than the thread's own element",
                                     "only pointwise kernels are decided so far: read and write element i"))
    return index


def scalar(p: Param) -> Expr:
    """A scalar parameter as a variable that is no tensor's."""
    return var(f"{p.name} parameter", F32) if p.type == "float" else p.expr


def _scalars(params: Sequence[Param], binding: Binding) -> dict[Expr, Expr]:
    """The numbers of the parameters that are bound to some."""
    bound = [p for p in params if p.name in binding.numbers and p.type in ("float", "bool")]
    numbers = {scalar(p): const(binding.numbers[p.name]) if p.type == "float" else const_bool(binding.numbers[p.name] != 0) for p in bound}
    return {**numbers, **_fixed_integers(params, binding)}


def _values(stores: Stores, buffers: Sequence[Buffer], binding: Binding) -> dict[Expr, Expr]:
    """Loads become the tensors' variables, scalar parameters variables of their own."""
    by_param = {b.param: b.before for b in buffers if b.param}
    out = {load.variable: by_param[load.buffer] for load in stores.loads}
    out.update({p.expr: scalar(p) for p in stores.params if p.type == "float"})
    left = [p for p in stores.params if p.type == "float" and p.name not in binding.numbers and any(p.expr in variables(s.value) for s in stores.stores)]
    if left:
        raise UsageError(f"parameter {left[0].name} has no value: --bind {left[0].name}=NUMBER")
    return out
