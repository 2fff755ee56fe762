"""Does a captured graph depend on the sizes that it was captured at, and what are its shapes at others? By exports with symbolic sizes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from itertools import combinations

from torch import SymInt, Tensor, is_complex, is_floating_point
from torch.export import Dim, ExportedProgram, export
from torch.export.graph_signature import InputKind
from torch.func import functional_call
from torch.fx import Node
from torch.nn import Module
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

from devsem.frontend.capture_nodes import Json, named_args, tensor_nodes

# a guard of torch.export that asks no more than that two inputs agree in one dimension
SAME_SIZE = re.compile(r"L(\['?\w+'?\])+\.size\(\)\[(\d+)\] == L(\['?\w+'?\])+\.size\(\)\[\2\]")

# the most elements of inputs that a module is run on
MOST_RUN = 1 << 20
# how many exports with some sizes of 1 are tried: up to four dimensions
MOST_TRIED = 14

# an input's size, as guards spell it where `Lifted` is exported
SIZE = re.compile(r"L\['(\w+)'\]\[(\d+)\]\.size\(\)\[(\d+)\]")
# what Python code may ask of a tensor that has nothing to do with its sizes
SIZELESS = frozenset({Tensor.dim, Tensor.is_floating_point, Tensor.is_complex, is_floating_point, is_complex, *(
    getattr(Tensor, name).__get__ for name in ("ndim", "dtype", "device", "requires_grad", "is_cuda", "layout"))})
# operators whose lists are shapes, and those that give another tensor even where no shape changes
SHAPED = frozenset(f"aten.{name}.default" for name in ("view", "reshape", "_unsafe_view", "expand", "broadcast_to"))
REORDERED = frozenset({"aten.t.default", "aten.numpy_T.default", "aten.mT.default", "aten.transpose.int", "aten.permute.default", "aten.movedim.int"})


class Lifted(Module):
    """A module whose parameters and buffers are its first argument, so that their sizes can vary with those of the inputs."""

    def __init__(self, model: Module) -> None:
        super().__init__()
        self.call = partial(functional_call, model)
        self.names = [*dict(model.named_parameters()), *dict(model.named_buffers())]

    def forward(self, tensors: list[Tensor], inputs: list[object]) -> object:
        return self.call(dict(zip(self.names, tensors, strict=True)), tuple(inputs))


def is_size_free(static: ExportedProgram, model: Module, inputs: list[object]) -> bool:
    """Whether tracing with every size symbolic, and again with every size 1 (torch.export's symbols start at 2), gives the same calls.

    Where some sizes are 1 and others are not, they are the same too if no operator drops sizes, and no Python code looks at them; for code that
    does, that is tried."""
    values = tuple(inputs)
    rank = max((v.dim() for v in tree_flatten(values)[0] if isinstance(v, Tensor)), default=0)
    if rank > 1 and any(str(n.target).startswith("aten.squeeze") for n in tensor_nodes(static)):
        return False
    try:
        large = tree_map(at_least_two, values)
        symbolic = export(model, large, strict=False, dynamic_shapes=tree_map(auto_dims, large))
        ones = export(model, tree_map(first_element, values), strict=False)
    except Exception:  # torch.export raises many unrelated classes; any of them means: not known to be size-free
        return False
    calls = list(map(shape_free, tensor_nodes(static)))
    if not is_of_same_sizes(symbolic) or any(list(map(shape_free, tensor_nodes(p))) != calls for p in (symbolic, ones)):
        return False
    return rank < 2 or not is_looking(model, inputs) or is_same_mixed(calls, model, large, rank)


def is_same_mixed(calls: list[object], model: Module, large: tuple[object, ...], rank: int) -> bool:
    """Are the calls the same where the sizes along some axes are 1, and all others symbolic?"""
    some = [axes for n in range(1, rank) for axes in combinations(range(rank), n)]
    if len(some) > MOST_TRIED:
        return False
    for axes in some:
        cut = tree_map(partial(first_along, axes), large)
        try:
            made = export(model, cut, strict=False, dynamic_shapes=tree_map(partial(auto_dims, but=axes), cut))
        except Exception:  # as in is_size_free
            return False
        if not is_of_same_sizes(made) or list(map(shape_free, tensor_nodes(made))) != calls:
            return False
    return True


def is_of_same_sizes(program: ExportedProgram) -> bool:
    """Does an export ask no more than that inputs agree in dimensions?"""
    guards = getattr(program, "_guards_code", None)
    return guards is not None and all(map(SAME_SIZE.fullmatch, guards))


def symbolic_sizes(static: ExportedProgram, model: Module, inputs: list[object]) -> Json | None:
    """Every tensor's shape in torch.export's own size symbols, under `guards`, where the calls are the same at all sizes; None where all
    tensors have one shape, or the calls depend on sizes. `least`: the calls and shapes are the same at size 1, too, or that is known from 2 on only."""
    nodes = [n for n in static.graph.nodes if isinstance(n.meta.get("val"), Tensor)]
    if not all(isinstance(d, int) for n in nodes for d in n.meta["val"].shape):
        return None     # a size depends on values
    if len({tuple(map(str, n.meta["val"].shape)) for n in nodes}) < 2 and not any(str(n.target) in REORDERED for n in nodes):
        return None
    lifted = Lifted(model)
    values = list[object]([[t.detach() for t in (*model.parameters(), *model.buffers())], inputs])
    specs = static.graph_signature.input_specs
    if [s.target for s in specs if s.kind in (InputKind.PARAMETER, InputKind.BUFFER)] != lifted.names:
        return None
    large = tuple(tree_map(at_least_two, values))
    try:
        symbolic = export(lifted, large, strict=False, dynamic_shapes=tree_map(auto_dims, large))
    except Exception:  # as in is_size_free
        return None
    guards, known = getattr(symbolic, "_guards_code", None), numbered(static)
    if guards is None or known != numbered(symbolic):
        return None
    ours, theirs = tensors_of(static), tensors_of(symbolic)
    shapes = {a.name: [str(d) for d in b.meta["val"].shape] for a, b in zip(ours, theirs, strict=True)}
    for n in nodes:
        if n.name not in shapes:
            shapes[n.name] = shapes[n.args[0].name] if is_whole(n) else [str(d) for d in n.meta["val"].shape]
    by_name = {n.name: n.meta["val"].shape for n in theirs}
    ranges = {str(s): [str(r.lower), str(r.upper)] for s, r in symbolic.range_constraints.items()}
    return {"shapes": shapes, "guards": [SIZE.sub(lambda m: f"({by_name[f'{m[1]}_{m[2]}'][int(m[3])]})", g) for g in guards], "ranges": ranges,
            "least": 1 if is_same_at_one(lifted, values, known, theirs) and not is_looking(model, inputs) else 2}


def is_same_at_one(lifted: Module, values: list[object], known: object, nodes: list[Node]) -> bool:
    """Are the calls the same, with shapes as the symbols say, where one size or both are 1? For more than two sizes, that is not tried, nor where
    a tensor's size is a sum, which may be 1 elsewhere. `nodes`: the symbolic export's tensors, inputs first."""
    leaves, form = tree_flatten(values)
    places = [n for n in nodes if n.op == "placeholder"]
    tensors = [v for v in leaves if isinstance(v, Tensor)]
    sizes = {str(d): int(n) for p, t in zip(places, tensors, strict=True) for d, n in zip(p.meta["val"].shape, t.shape, strict=True) if isinstance(d, SymInt)}
    if len(sizes) > 2 or any(isinstance(d, SymInt) and d.node.expr.is_Add for n in nodes for d in n.meta["val"].shape):
        return False
    for ones in [{s} for s in sizes] + ([set(sizes)] if len(sizes) == 2 else []):
        cut = iter([t[tuple(slice(1) if str(d) in ones else slice(None) for d in p.meta["val"].shape)] for p, t in zip(places, tensors, strict=True)])
        at = {s: 1 if s in ones else n for s, n in sizes.items()}
        try:
            made = export(lifted, tuple(tree_unflatten([next(cut) if isinstance(v, Tensor) else v for v in leaves], form)), strict=False)
            shapes = [[int(d) for d in n.meta["val"].shape] for n in tensors_of(made)]
        except Exception:  # as in is_size_free
            return False
        if numbered(made) != known or shapes != [[_at(d, at) for d in n.meta["val"].shape] for n in nodes]:
            return False
    return True


def _at(size: int | SymInt, at: dict[str, int]) -> int:
    """A symbolic size at given sizes."""
    return int(size.node.expr.subs({s: at[str(s)] for s in size.node.expr.free_symbols})) if isinstance(size, SymInt) else int(size)


def tensors_of(program: ExportedProgram) -> list[Node]:
    """The tensors of a graph but for constants, and for slices of everything."""
    constants = held(program)
    return [n for n in program.graph.nodes if isinstance(n.meta.get("val"), Tensor) and n.name not in constants and not is_whole(n)]


def held(program: ExportedProgram) -> frozenset[str]:
    """The inputs that are constant tensors."""
    places = [n for n in program.graph.nodes if n.op == "placeholder"]
    return frozenset(n.name for n, s in zip(places, program.graph_signature.input_specs, strict=True) if s.kind == InputKind.CONSTANT_TENSOR)


def is_whole(node: Node) -> bool:
    """Is it a slice of everything, which an export with fixed sizes leaves out?"""
    given = named_args(node) if str(node.target) == "aten.slice.Tensor" else {}
    return given.get("start") in (0, None) and given.get("end") == sys.maxsize and given.get("step") == 1


def numbered(program: ExportedProgram) -> list[object]:
    """The calls that compute tensors, with other nodes by number: constants apart from inputs. Only lists that are shapes are left out."""
    constants = held(program)
    names: dict[str, str] = {}
    for n in program.graph.nodes:
        if is_whole(n):
            names[n.name] = names[n.args[0].name]
        elif isinstance(n.meta.get("val"), Tensor):
            kind = "constant" if n.name in constants else "tensor"
            names[n.name] = f"{kind} {len({v for v in names.values() if v.startswith(kind)})}"

    def plain(value: object) -> object:
        if isinstance(value, list):
            return [plain(v) for v in value]
        return {k: names.get(str(v), "a size") if k == "node" else v for k, v in value.items()} if isinstance(value, dict) else value
    return [(str(n.target), {k: plain(v) for k, v in named_args(n).items() if not (isinstance(v, list) and str(n.target) in SHAPED)})
            for n in tensor_nodes(program) if not is_whole(n)]


def is_fixed_by_parameters(model: Module, inputs: list[object]) -> bool:
    """Whether a module that is not size-free would be, if its parameters and buffers had the size of its inputs."""
    tensors = [t.detach() for t in (*model.parameters(), *model.buffers())]
    if not tensors:
        return False
    lifted, values = Lifted(model), list[object]([tensors, inputs])
    try:
        static = export(lifted, tuple(values), strict=False)
    except Exception:  # as in is_size_free
        return False
    return is_size_free(static, lifted, values)


class Looks(TorchFunctionMode):
    """Notes whether anything but a tensor is asked of a tensor that may depend on its sizes."""

    found = False

    def __torch_function__(self, func: Callable[..., object], types: object, args: tuple[object, ...] = (), kwargs: dict[str, object] | None = None) -> object:
        made = func(*args, **(kwargs or {}))
        self.found = self.found or not (made is None or isinstance(made, Tensor) or func in SIZELESS)
        return made


def is_looking(model: Module, inputs: list[object]) -> bool:
    """May the module's Python code look at sizes? It is run once: what it looks at first does not depend on them. One that does not run may."""
    given = run_inputs(inputs)
    try:
        with Looks() as looks:
            model(*given)
    except Exception:  # whatever the module raises
        return True
    return bool(looks.found)


def run_inputs(inputs: list[object]) -> list[object]:
    """Inputs to run the module on: its own, or one element of each where they are too large to be quick."""
    small = sum(v.numel() for v in tree_flatten(inputs)[0] if isinstance(v, Tensor)) <= MOST_RUN
    return inputs if small else [tree_map(first_element, v) for v in inputs]


def at_least_two(value: object) -> object:
    """A tensor of the same rank without sizes 0 and 1, which torch.export would take for constants; its elements do not matter."""
    if not isinstance(value, Tensor) or all(d > 1 for d in value.shape):
        return value
    return value.new_ones([max(d, 2) for d in value.shape])


def auto_dims(value: object, but: tuple[int, ...] = ()) -> object:
    """Every dimension of a tensor symbolic `but` for some, nothing else."""
    return {k: Dim.STATIC if k in but else Dim.AUTO for k in range(value.dim())} if isinstance(value, Tensor) else None


def first_along(axes: tuple[int, ...], value: object) -> object:
    """A tensor's first elements along some axes."""
    return value[tuple(slice(1) if k in axes else slice(None) for k in range(value.dim()))] if isinstance(value, Tensor) else value


def first_element(value: object) -> object:
    """A tensor of the same rank with one element."""
    return value[(slice(1),) * value.dim()] if isinstance(value, Tensor) else value


def shape_free(node: Node) -> object:
    """A call without its sizes: lists are sizes, everything else counts."""
    return str(node.target), {k: v for k, v in named_args(node).items() if not isinstance(v, list)}
