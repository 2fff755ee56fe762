"""A kernel file with its wrapper, or a KernelBench solution, against a spec: every launch of the plan at the spec's sizes, every output cell compared.

A solution of one pointwise kernel goes the first path instead, in the very launch that its wrapper makes (`as_pointwise`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devsem.arrays import TEXT, Asked, second_look, shown, unsafe_safety
from devsem.cells import Pair, Question
from devsem.errors import Bug, Rejected, UsageError
from devsem.expr import Expr, show_const, substitute, var, variables
from devsem.flags import normalise
from devsem.frontend.host_load import PlannedKernel, init_of, is_solution, load_plan, placed_of, tensors_of
from devsem.frontend.spec import is_pointwise
from devsem.frontend.spec_arrays import ArraySpec, translate_arrays
from devsem.instance import Instance
from devsem.ops import F32
from devsem.plan import Impossible, dims_at, instantiate, number, numel
from devsem.plan_run import run_plan
from devsem.plan_safety import at_spec
from devsem.program import is_plain
from devsem.rejections import rejection
from devsem.second_look import Text
from devsem.verdict import Safety


@dataclass(frozen=True)
class Solved:
    """A file that is read with its wrapper, at the spec's sizes. `flags`: those that the request and the file give together."""

    kernel: PlannedKernel
    sizes: Mapping[Expr, int]
    flags: str


@dataclass(frozen=True)
class Pointwise:
    """What `devsem verify` would be given for a solution's one kernel: its text, and the options."""

    text: str
    function: str
    launch: str
    bind: str


def has_wrapper(path: Path) -> bool:
    """Could the file say by itself how its kernels are launched?"""
    return is_solution(path) or (path.suffix in (".cu", ".cuh") and b"<<<" in path.read_bytes())


def solve(path: Path, graph: Mapping[str, Any], numbers: Mapping[str, float], flags: str) -> Solved:
    """The file's plan for the spec of this graph. Raises Rejected and UsageError."""
    inputs = tensors_of(graph)
    kernel = load_plan(path, inputs, init_of(graph), numbers, placed_of(graph))
    given = normalise(flags)
    if given and kernel.flags and given != kernel.flags:
        raise UsageError(f"--flags {given!r} contradicts the file's own extra_cuda_cflags, {kernel.flags!r}; leave it away")
    sizes = at_spec(kernel, inputs)
    unknown = [v.name for launch in kernel.plan.launches for a in launch.arguments if isinstance(a, Expr) for v in variables(a) if v.sort == F32]
    if sizes is None or unknown:
        raise UsageError(f"{path}: say what the wrapper's number {(unknown or [v.name for v in kernel.plan.sizes if '.size(' not in v.name])[0]} is: "
                         "--bind NAME=VALUE")
    return Solved(kernel, sizes, given or kernel.flags)


def as_pointwise(solved: Solved, path: str, graph: Mapping[str, Any]) -> Pointwise | None:
    """The one kernel of a solution whose spec and kernel are pointwise, as the first path takes it; None for any other."""
    plan = solved.kernel.plan
    if len(plan.launches) != 1 or len(plan.results) != 1 or not is_plain(solved.kernel.programs[0]) or not is_pointwise(path, graph):
        return None
    launch, program = plan.launches[0], solved.kernel.programs[0]
    grid, block = dims_at(launch.grid, solved.sizes), dims_at(launch.block, solved.sizes)
    memories = [a for a in launch.arguments if isinstance(a, str)]
    elements = {number(numel(plan.tensor(m).dims), solved.sizes) for m in memories}
    own = [m for m in memories if m not in plan.bindings]
    if grid[1:] != (1, 1) or block[1:] != (1, 1) or len(set(memories)) != len(memories) or len(elements) != 1 or launch.template or \
            own != [plan.results[0]] or plan.tensor(own[0]).initial != "empty" or _shapes(graph) != [dims_at(plan.shapes[0], solved.sizes)]:
        return None
    words: list[str] = []
    has_size = False
    for p, a in zip(program.params, launch.arguments, strict=True):
        if isinstance(a, str):
            words.append(f"{p.name}={plan.bindings.get(a, 'output')}")
        elif a.sort == F32:
            words.append(f"{p.name}={show_const(a)}")
        else:
            found = number(a, solved.sizes)
            is_size = found in elements and not has_size
            has_size |= is_size
            words.append(f"{p.name}=n" if is_size else f"{p.name}={found}")
    threads = grid[0] * block[0]
    integers = any(isinstance(a, Expr) and a.sort != F32 for a in launch.arguments)     # the first path would take one for the number of elements
    if any("nan" in w or "0x" in w for w in words) or not (max(elements) <= threads if has_size else elements == {threads} and not integers):
        return None
    return Pointwise(solved.kernel.text[1], program.function, f"grid={grid[0]},1,1 block={block[0]},1,1", ",".join(words))


def _shapes(graph: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """The shapes of a captured graph's outputs; none of one that is not a plain tensor."""
    made = {c["name"]: c.get("shape") for c in (*graph["placeholders"], *graph["calls"])}
    return [tuple(made.get(o["node"]) or ()) for o in graph["outputs"]]


def ask_plan(solved: Solved, path: str, graph: Mapping[str, Any]) -> Asked:
    """Run every launch; raises Rejected and UsageError."""
    spec = translate_arrays(path, graph)
    kernel, sizes = solved.kernel, solved.sizes
    _same_shapes(kernel, spec, sizes)
    ran = run_plan(kernel, sizes)
    function = ", ".join(dict.fromkeys(p.function for p in kernel.programs))
    bound = ", ".join(f"{host} = {name}" for host, name in kernel.plan.bindings.items())
    if isinstance(ran.fault, Impossible):
        made = instantiate(kernel.plan, sizes)
        if not isinstance(made, Impossible):
            raise Bug("a plan's launches are impossible, and then are not")
        found: dict[str, str | int] = {"fault": "launch", "where": str(ran.fault.where)}
        return Asked(function, Safety("FAIL", found), f"{ran.fault.where}: {ran.fault.why}", kernel.notes, None, {})
    launches = "; then ".join(f"{p.function} in {shown(i)}" for p, i in zip(kernel.programs, ran.instances, strict=True))
    notes = (f"the wrapper's tensors are: {bound}", f"it launches {launches}, and the verdict is about that alone", *kernel.notes,
             "different tensors do not overlap in memory", TEXT, *spec.assumptions)
    tensors = {i.name: _elements(ran.instances, kernel, i.name) for i in spec.inputs}
    if ran.fault is not None or ran.outcome is None:
        if ran.fault is None:
            raise Bug("a plan was not run, and nothing says why")
        return Asked(function, unsafe_safety(ran.fault), str(ran.fault), notes, None, tensors)
    pairs = tuple(_pairs(kernel, spec, ran.results))
    question = Question(function, spec.name, pairs, spec.free, tuple(i.name for i in spec.inputs), launches, notes, ran.outcome.doubts_for)
    text = Text(kernel.text[1].encode(), kernel.text[0], tuple(zip(kernel.programs, ran.instances, strict=True)), kernel.plan.bindings)
    return Asked(function, Safety("PASS"), "", notes, question, tensors,
                 lambda profile: second_look(text, pairs, kernel.plan.results, profile, None))


def _same_shapes(kernel: PlannedKernel, spec: ArraySpec, sizes: Mapping[Expr, int]) -> None:
    """Refuses results of other shapes than the spec's."""
    found = [dims_at(s, sizes) for s in kernel.plan.shapes]
    wanted = [tuple(o.shape) for o in spec.outputs]
    if found != wanted:
        where = kernel.plan.launches[-1].where
        what = f"tensors of shape {', '.join(map(str, found))}, where the spec returns {', '.join(map(str, wanted))}"
        raise Rejected(rejection("host.result", where, what=what))


def _elements(instances: Sequence[Instance], kernel: PlannedKernel, name: str) -> int:
    hosts = {host for host, spec in kernel.plan.bindings.items() if spec == name}
    return next((e.elements for i in instances for e in i.buffers.values() if e.tensor in hosts), 1)


def _pairs(kernel: PlannedKernel, spec: ArraySpec, results: Sequence[Sequence[Expr | None]]) -> list[Pair]:
    """Every output cell with both values, over the spec's names for the inputs' elements."""
    renamed: dict[Expr, Expr] = {}
    made = []
    for k, (name, cells, wanted) in enumerate(zip(kernel.plan.results, results, spec.outputs, strict=True)):
        flat = list(wanted.reshape(-1))
        if len(cells) != len(flat):
            raise Bug(f"{name}: the run left {len(cells)} cells for {len(flat)} of the spec's")
        for i, (cell, value) in enumerate(zip(cells, flat, strict=True)):
            if cell is None:
                raise Bug(f"{name}[{i}] is not written, and no fault says so")
            made.append(Pair(k, name, i, _renamed(cell, kernel.plan.bindings, renamed), value))
    return made


def _renamed(cell: Expr, bindings: Mapping[str, str], known: dict[Expr, Expr]) -> Expr:
    """A value over the spec's tensors, where the wrapper's have other names."""
    for v in variables(cell):
        if v not in known:
            host, bracket, rest = v.name.rpartition("[")
            if not bracket or host not in bindings:
                raise Bug(f"a value depends on {v.name}, which is no input's element")
            known[v] = var(f"{bindings[host]}[{rest}", v.sort)
    return substitute(cell, {v: known[v] for v in variables(cell) if known[v] is not v})
