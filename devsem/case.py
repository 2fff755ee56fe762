"""A kernel with every launch that a verdict is about: what the safety gate and the values for all sizes are asked of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from devsem.errors import UsageError
from devsem.expr import Expr, const, const_int, mk, var
from devsem.frontend.spec import Spec
from devsem.gate_setting import Buffer, Setting, fitted
from devsem.goal import INTEGERS, MAX_BLOCK, MAX_NUMEL, SIZE_NAMES, bind
from devsem.hunt import Launches, Make, Sizes
from devsem.instance import Extent, Initial, Instance
from devsem.launch_text import condition, number, parse
from devsem.ops import B32, B64, F32
from devsem.plan import Plan, number as value_at, refused
from devsem.program import BUILTINS, Load, Param, Program, Store, walk
from devsem.simplify import make as made

BLOCK = var("threads per block", B64)


@dataclass(frozen=True)
class Case:
    """`floats`: the kernel's float parameters as variables; `results`: the tensors that it must fill, in the order of the spec's outputs."""

    program: Program
    setting: Setting
    floats: Mapping[str, Expr]
    results: tuple[str, ...]
    notes: tuple[str, ...]
    threads: tuple[Expr, ...] = ()      # which of the sizes are those of blocks
    inputs: tuple[str, ...] = ()
    numbers: Mapping[Expr, Expr] = field(default_factory=dict)      # float parameters that are numbers, which the compiler does not know

    @property
    def tensors(self) -> dict[str, str]:
        """The tensor of each buffer parameter."""
        return {p: b.tensor for p, b in self.setting.buffers.items()}

    @property
    def fixed(self) -> dict[Expr, Expr]:
        """What the launch says of parameters and of the sizes of grid and block."""
        out = {p.expr: fitted(self.setting.scalars[p.name], p.expr) for p in self.program.params if p.name in self.setting.scalars}
        out |= {p.expr: self.floats[p.name] for p in self.program.params if p.name in self.floats}
        for name, sizes in (("blockDim", self.setting.block), ("gridDim", self.setting.grid)):
            out |= {b: fitted(e, b) for b, e in zip((b for b in BUILTINS if b.name.startswith(name)), sizes, strict=True)}
        for name, sizes in (("threadIdx", self.setting.block), ("blockIdx", self.setting.grid)):
            axes = (b for b in BUILTINS if b.name.startswith(name))
            out |= {b: const_int(B32, 0) for b, e in zip(axes, sizes, strict=True) if e.is_const and e.value == 1}
        return out

    @property
    def extents(self) -> dict[Expr, int]:
        """The number of threads along each axis, where it is a number."""
        return {var(f"threadIdx.{a}", B32): e.value for a, e in zip("xyz", self.setting.block, strict=True) if e.is_const}

    @property
    def make(self) -> Make:
        """The launch at given sizes."""
        def at(sizes: Sizes) -> Launches | None:
            s = self.setting
            if any(sizes[v] < least for v, (least, _) in s.sizes.items()) or not all(value_at(c, sizes) for c in s.conditions):
                return None
            buffers = {p: Extent(b.tensor, prod(value_at(d, sizes) for d in b.dims), b.initial) for p, b in s.buffers.items()}
            grid, block = (tuple(value_at(e, sizes) for e in three) for three in (s.grid, s.block))
            shared = value_at(s.shared_bytes, sizes)
            if refused(grid, block, shared, 0) or any(not 1 <= b.elements <= 1 << 20 for b in buffers.values()):
                return None
            scalars: dict[str, int | Expr] = {p: self.numbers.get(e, e) for p, e in self.floats.items()}
            scalars |= {p: value_at(e, sizes) for p, e in s.scalars.items()}
            return ((self.program, Instance((grid[0], grid[1], grid[2]), (block[0], block[1], block[2]), shared, buffers, scalars)),)
        return at


def pointwise_case(program: Program, spec: Spec, launch: str, bind_text: str | None, given: Sequence[str], most: int = MAX_NUMEL) -> Case:
    """A kernel of any shape against a spec whose tensors all have one number of elements; UsageError where a parameter's meaning is unknown."""
    written, read = _touched(program)
    dims = _dims(program, bind_text)
    binding = bind([p for p in program.params if p not in dims], spec, written, read, bind_text)
    sizes = [p for p in program.params if p.name in binding.sizes]
    n = sizes[0].expr if sizes else var("n", B64)
    wide = number("*".join(p.name for p in dims), {p.name: p.expr for p in dims}) if dims else n if n.sort == B64 else mk("sext", n)
    buffers = {p.name: Buffer(_tensor(p.name, binding.inputs, binding.outputs), (wide,), _initial(p.name, binding.inputs, binding.outputs),
                              p.name in binding.outputs) for p in program.params if p.is_buffer}
    scalars = {p.name: p.expr if p in dims else n if p.name in binding.sizes else const_int(p.expr.sort, int(binding.numbers[p.name]))
               for p in program.params if p.type in INTEGERS}
    floats = {p.name: p.expr for p in program.params if p.type == "float"}
    numbers = {p.expr: const(binding.numbers[p.name]) for p in program.params if p.type == "float"}
    names = {p.name: p.expr for p in dims} or {p.name: n for p in sizes} or {"n": n}
    grid, block, shared, ranges = launched(launch, names, wide)
    free = dict.fromkeys((p.expr for p in dims) if dims else (n,), (1, most))
    setting = Setting(buffers, grid, block, scalars, {**free, **ranges}, tuple(condition(g, names) for g in given), shared, most)
    tensors = [buffers[o].tensor for o in binding.outputs]
    product = (f"the tensors have {' * '.join(p.name for p in dims)} elements",) if dims else ()
    notes = (*product, f"the launch is {launch if launch.strip() != '1d' else ONE_D}", *(f"given: {g}" for g in given), *spec.assumptions)
    return Case(program, setting, floats, tuple(tensors), notes, tuple(ranges), tuple(i.name for i in spec.inputs), numbers)


def _dims(program: Program, text: str | None) -> list[Param]:
    """The integer parameters that are sizes of the tensors along their axes: those that no binding and no name says to be anything else, where
    none is the number of elements."""
    integers = [p for p in program.params if p.type in INTEGERS]
    given = {e.partition("=")[0].strip() for e in (text or "").split(",")}
    free = [p for p in integers if p.name not in given and p.name not in SIZE_NAMES]
    return free if len(free) == len([p for p in integers if p.name not in given]) else []


def _initial(param: str, inputs: Mapping[str, str], outputs: Sequence[str]) -> Initial:
    """What a buffer holds before the launch; of one that is updated in place, every element must be written, too."""
    return "input" if param not in outputs else "zeros" if param in inputs else "empty"


ONE_D = f"as many blocks of 1 to {MAX_BLOCK} threads as cover the elements"


def launched(text: str, names: Mapping[str, Expr], n: Expr) -> tuple[tuple[Expr, Expr, Expr], tuple[Expr, Expr, Expr], Expr, dict[Expr, tuple[int, int]]]:
    """The launch, and the ranges of the sizes that are its own."""
    if text.strip() != "1d":
        return *parse(text, names), {}
    one = const_int(B64, 1)
    blocks = made("udiv_b64", made("add_b64", n, made("sub_b64", BLOCK, one)), BLOCK)
    return (blocks, one, one), (BLOCK, one, one), const_int(B64, 0), {BLOCK: (1, MAX_BLOCK)}


def _touched(program: Program) -> tuple[set[str], set[str]]:
    """The buffers that are written, and those that are read."""
    pointers = {p.name for p in program.params if p.is_buffer}
    statements = list(walk(program.body))
    return {s.buffer for s in statements if isinstance(s, Store)} & pointers, {s.buffer for s in statements if isinstance(s, Load)} & pointers


def _tensor(param: str, inputs: Mapping[str, str], outputs: Sequence[str]) -> str:
    return inputs.get(param) or f"output {outputs.index(param)}"


def kernel_case(program: Program, launch: str, bind_text: str | None, given: Sequence[str], order: Sequence[str] | None = None,
                most: int = MAX_NUMEL) -> Case:
    """A kernel that is compared with another one: its integer parameters are the sizes, and `--bind A=M*K` says how large a buffer is.

    `order`: the tensors' names, for the other kernel's buffers in the order of its parameters. Raises UsageError."""
    sizes = {p.name: p.expr for p in program.params if p.type in INTEGERS}
    pointers = [p.name for p in program.params if p.is_buffer]
    places = dict(zip(order or pointers, pointers, strict=True))
    extents = {places.get(name, name): n for name, n in (_entry(e) for e in bind_text.split(","))} if bind_text else {}
    missing = [p for p in pointers if p not in extents]
    if missing:
        raise UsageError(f"say how many elements {missing[0]} has, by the kernel's integers: --bind {','.join(f'{p}=…' for p in pointers)}")
    written, _ = _touched(program)
    names = dict(zip(pointers, order or pointers, strict=True))
    buffers = {p: Buffer(names[p], (number(extents[p], sizes),), "empty" if p in written else "input", p in written) for p in pointers}
    grid, block, shared, ranges = launched(launch, sizes, number("*".join(sizes) or "1", sizes))
    floats = {p.name: var(p.name, F32) for p in program.params if p.type == "float"}
    setting = Setting(buffers, grid, block, dict(sizes), {**dict.fromkeys(sizes.values(), (1, most)), **ranges},
                      tuple(condition(g, sizes) for g in given), shared, most)
    ranged = (f"the kernels' integers are 1 to {most}: {', '.join(sizes)}",) if sizes else ()
    notes = (f"the launch is {launch}", *ranged, *(f"given: {g}" for g in given))
    return Case(program, setting, floats, tuple(names[p] for p in pointers if p in written), notes, tuple(ranges))


def raw_case(program: Program, launch: str, bind_text: str | None, given: Sequence[str], most: int = MAX_NUMEL) -> Case:
    """A kernel without a wrapper and without a specification: what its own integers say of the sizes of its buffers.

    `--bind` gives an integer a number (`n=1000`) and a buffer its number of elements (`x=rows*cols`); by default the buffers have as many as the
    parameter that is called so says, or the product of all integers. A buffer that is written and not read must be filled. Raises UsageError."""
    entries = dict(_entry(e) for e in bind_text.split(",")) if bind_text else {}
    strange = [e for e in entries if e not in {p.name for p in program.params}]
    if strange:
        raise UsageError(f"--bind {strange[0]}: the kernel has no such parameter; it has {', '.join(p.name for p in program.params) or 'none'}")
    integers = [p for p in program.params if p.type in INTEGERS]
    sizes = {p.name: p.expr if p.name not in entries else number(entries[p.name], {}) for p in integers}
    counts = [p.name for p in integers if p.name in SIZE_NAMES]
    whole = counts[0] if len(counts) == 1 else "*".join(p.name for p in integers if p.name not in entries or len(integers) == 1)
    written, read = _touched(program)
    buffers = {}
    for p in (q for q in program.params if q.is_buffer):
        if p.name not in entries and not whole:
            raise UsageError(f"say how many elements {p.name} has: --bind {p.name}=NUMBER")
        own = p.name in written and p.name not in read
        buffers[p.name] = Buffer(p.name, (number(entries.get(p.name, whole), sizes),), "empty" if own else "input", own)
    grid, block, shared, ranges = launched(launch, sizes, number(whole or "1", sizes))
    free = {p.expr: (1, most) for p in integers if p.name not in entries}
    setting = Setting(buffers, grid, block, sizes, {**free, **ranges}, tuple(condition(g, sizes) for g in given), shared, most)
    floats = {p.name: p.expr for p in program.params if p.type == "float"}
    elements = ", ".join(f"{p}: {entries.get(p, whole)}" for p in buffers)
    ranged = (f"the kernel's integers are 1 to {most}: {', '.join(v.name for v in free)}",) if free else ()
    notes = (f"elements: {elements}", *ranged, f"the launch is {launch if launch.strip() != '1d' else ONE_D}", *(f"given: {g}" for g in given))
    return Case(program, setting, floats, tuple(p for p, b in buffers.items() if b.output), notes, tuple(ranges))


def _entry(text: str) -> tuple[str, str]:
    name, equals, value = (x.strip() for x in text.partition("="))
    if not equals or not value:
        raise UsageError(f"--bind entry {text!r}: write BUFFER=ELEMENTS, as A=M*K")
    return name, value


def plan_case(program: Program, plan: Plan, k: int, most: int = MAX_NUMEL) -> Case:
    """The `k`-th launch of what the host does, after the launches before it."""
    x = plan.launches[k]
    given = dict(zip(x.params, x.arguments, strict=True))
    before = {a for y in plan.launches[:k] for a in y.arguments if isinstance(a, str)}
    written, _ = _touched(program)
    buffers = {}
    for p, a in given.items():
        if isinstance(a, str):
            t = plan.tensor(a)
            initial = "input" if t.initial == "empty" and a in before else t.initial
            buffers[p] = Buffer(a, t.dims, initial, p in written and (a in plan.results or initial == "empty"))
    scalars = {p: a for p, a in given.items() if isinstance(a, Expr) and a.sort in (B32, B64)}
    floats = {p: var(p, F32) for p, a in given.items() if isinstance(a, Expr) and a.sort == F32}
    numbers = {v: a for p, v in floats.items() if isinstance(a := given[p], Expr)}
    setting = Setting(buffers, x.grid, x.block, scalars, dict.fromkeys(plan.sizes, (1, most)), tuple(c.holds for c in plan.conditions), x.shared_bytes, most)
    notes = ("the launch is as the host code makes it", *(f"given: {c.text}" for c in plan.conditions))
    return Case(program, setting, floats, tuple(b.tensor for p, b in buffers.items() if p in written), notes, numbers=numbers)


def at_most(case: Case, most: int) -> Case:
    """The case for tensors of at most so many elements."""
    sizes = {v: (low, high if v in case.threads else min(high, most)) for v, (low, high) in case.setting.sizes.items()}
    return replace(case, setting=replace(case.setting, sizes=sizes, most=most))


def renamed(case: Case, tensors: Mapping[str, str]) -> Case:
    """The case with tensors called by other names."""
    buffers = {p: replace(b, tensor=tensors.get(b.tensor, b.tensor)) for p, b in case.setting.buffers.items()}
    return replace(case, setting=replace(case.setting, buffers=buffers), results=tuple(tensors.get(r, r) for r in case.results))
