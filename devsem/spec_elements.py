"""A PyTorch module at all sizes: what each element of each output is, over one coordinate for each dimension.

Dimensions are polynomials in size variables (`spec_sizes.py`); pointwise operators take their rows from `aten.py`, at each index with
PyTorch's broadcasting; views and windows are maps of indices (`spec_views.py`). An operator whose sums PyTorch gives no order is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.aten import ATEN
from devsem.aten_rows import Call, Refused
from devsem.digits import Digits
from devsem.elements import Element
from devsem.errors import Rejected, Rejection, Where
from devsem.evaluate import DTYPE, evaluate
from devsem.expr import Expr, const, const_bool, mk, topo, var
from devsem.folds import Normal
from devsem.frontend.spec import SILENT, SORTS, SpecInput, row_name, show
from devsem.frontend.spec_arrays import decoded
from devsem.ops import B64
from devsem.polynomial import Poly, atom
from devsem.size_facts import Known
from devsem.spec_sizes import Sizes, sizes_of
from devsem.spec_views import COPIES, VIEWS, Dims, Index, Made, Reader, Tensor, broadcast, flat
from devsem.symbols import Read, Symbols

NO_ORDER = frozenset(f"aten.{name}" for name in (
    "sum.default", "sum.dim_IntList", "mean.default", "mean.dim", "matmul.default", "mm.default", "bmm.default", "addmm.default", "linear.default",
    "softmax.int", "log_softmax.int", "logsumexp.default", "layer_norm.default", "group_norm.default", "rms_norm.default", "var.correction",
    "std.correction", "prod.default", "prod.dim_int", "linalg_vector_norm.default", "cumsum.default", "conv1d.default", "conv2d.default", "conv3d.default",
    "einsum.default", "scaled_dot_product_attention.default"))
FIXED = "give a launch of fixed size"
Words = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class SpecElements:
    """A module's tensors at all sizes. `inputs` with their captured shapes; `dims` of every input by name."""

    name: str
    inputs: tuple[SpecInput, ...]
    dims: Mapping[str, Dims]
    outputs: tuple[Tensor, ...]
    sizes: Sizes
    assumptions: tuple[str, ...]
    where: Where

    def elements(self, tensors: tuple[str, ...], shared: Symbols) -> tuple[Element, ...]:
        """Each output's element, the output being called as in `tensors`."""
        return tuple(self._element(o, t, shared) for o, t in zip(self.outputs, tensors, strict=True))

    def values_at(self, tensors: tuple[str, ...], sizes: Mapping[Expr, int], inputs: Mapping[str, Words]) -> dict[str, Words]:
        """Every element at given sizes, from the inputs' elements: bits in row-major order, by tensor."""
        shared, out = Symbols(), {}
        known = {v: np.array([sizes[v]], DTYPE[B64]) for v in self.sizes.least}
        for output, e in zip(self.outputs, self.elements(tensors, shared), strict=True):
            shape = [int(evaluate([d.expr], known)[0].reshape(-1)[0]) for d in output.dims]
            places = np.indices(shape).reshape(len(shape), -1).astype(DTYPE[B64])
            env: dict[Expr, Any] = {**known, **dict(zip(e.coordinates, places, strict=True))}
            cells = {v: m for v in topo(e.value) if isinstance(m := shared.meaning.get(v), Read)}
            env |= {v: inputs[m.buffer][evaluate([m.index], env)[0].astype(np.int64)] for v, m in cells.items()}
            out[e.tensor] = np.broadcast_to(evaluate([e.value], env)[0], (places.shape[1],))
        return out

    def _element(self, output: Tensor, called: str, shared: Symbols) -> Element:
        axes = tuple(var(f"axis.{k}", B64) for k in range(len(output.dims)))
        below, index = dict(zip(axes, output.dims, strict=True)), tuple(map(atom, axes))
        sizes = tuple(self.sizes.least)
        digits = Digits(below, frozenset(sizes))
        value = output.at(index, Reader(shared, digits))
        within = tuple(mk("slt_b64", a, d.expr) for a, d in below.items())
        known = Known(within, axes, sizes)
        normal = Normal(shared, {}, known.decides, known.fits, shared, digits=digits)
        return Element(called, flat(index, output.dims), value, axes, normal, known, self.where, digits)


@dataclass
class _State:
    path: str
    graph: Mapping[str, Any]
    sizes: Sizes
    tensors: dict[str, Tensor] = field(default_factory=dict)
    cells: dict[str, list[str]] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)
    inputs: list[SpecInput] = field(default_factory=list)
    assumptions: dict[str, None] = field(default_factory=dict)

    def define(self, name: str, tensor: Tensor) -> None:
        """A new node."""
        self.tensors[name] = tensor
        self.cells.setdefault(tensor.cell, []).append(name)


def follows(graph: Mapping[str, Any]) -> bool:
    """Are the graph's tensors known for all sizes, and of several shapes?"""
    return graph.get("symbolic") is not None


def spec_elements(path: str, graph: Mapping[str, Any], fixed: bool = False) -> SpecElements:
    """The captured graph at all sizes; Rejected names the operator and line, or says that it depends on sizes. `fixed`: parameters have the
    sizes that they were captured with."""
    if not graph["same_again"]:
        raise Rejected(Rejection("spec.state", Where(path), "the module computes something else when it is called again: it has state, or draws numbers",
                                 "let forward depend on its arguments, parameters and fixed numbers only"))
    calls = [c for c in graph["calls"] if c["op"] not in SILENT]
    unknown = {_rejection(path, c, "spec.operator", _why(c["op"])): None for c in calls if c["op"] not in VIEWS and row_name(c["op"]) not in ATEN}
    if unknown:
        raise Rejected(*unknown)
    if not follows(graph):
        raise Rejected(Rejection("spec.size", Where(path), "the captured graph is not known to be the same at all sizes", FIXED))
    places = sorted((p for p in graph["placeholders"] if p["kind"] in ("input", "parameter")), key=lambda p: p["kind"] != "input")
    sizes = sizes_of(graph["symbolic"], [p["name"] for p in places], path, {p["name"]: p["target"] for p in places},
                     {p["name"]: p["shape"] for p in places if fixed and p["kind"] == "parameter"})
    state = _State(path, graph, sizes)
    for p in graph["placeholders"]:
        _placeholder(state, p)
    for call in calls:
        _call(state, call)
    return _finish(state, fixed)


def _why(op: str) -> str:
    if op in NO_ORDER:
        return "PyTorch fixes no order of its sum, so that its value for all sizes is not one value"
    return "it is not known for all sizes"


def _rejection(path: str, call: Mapping[str, Any], code: str, why: str) -> Rejection:
    return Rejection(code, Where(path, call["line"]), f"PyTorch operator {call['op']}: {why}", FIXED if code == "spec.operator" else "")


def _placeholder(state: _State, place: Mapping[str, Any]) -> None:
    name, target, kind, where = place["name"], place["target"], place["kind"], Where(state.path)
    if kind == "number":
        value = place["value"]
        shown = float.fromhex(value["float"]) if isinstance(value, dict) and "float" in value else value
        state.assumptions[f"the argument {target} is the constant {shown!r}, as get_inputs() gives it"] = None
        return
    state.fixed.add(name)
    if kind == "constant":
        state.define(name, _constant(state, place))
        return
    if kind not in ("input", "parameter"):
        raise Rejected(Rejection("spec.input", where, f"{target} is an input of kind {kind}"))
    if place["dtype"] != "float32":
        raise Rejected(Rejection("spec.dtype", where, f"the {kind} {target} has dtype {place['dtype']}; only float32 is modelled"))
    if not place["row_major"]:
        raise Rejected(Rejection("spec.strides", where, f"the {kind} {target} is not contiguous: its elements are not in row-major order",
                                 "call .contiguous() where it is made"))
    dims = state.sizes.dims[name]
    state.define(name, Tensor(name, dims, "float32", lambda index, r: r.shared.read(target, r.digits(flat(index, dims)).expr), name))
    state.inputs.append(SpecInput(target, kind, tuple(place["shape"])))


def _constant(state: _State, place: Mapping[str, Any]) -> Tensor:
    """A constant tensor of one value."""
    value, dtype = place["value"], place["dtype"]
    if value is None or dtype not in SORTS:
        raise Rejected(Rejection("spec.constant", Where(state.path), f"the constant tensor {place['target']} of dtype {dtype} and shape "
                                 f"{show(place['shape'])} has more than one value", FIXED))
    given = float.fromhex(value["float"]) if isinstance(value, dict) else float(value)
    one = const_bool(bool(given)) if dtype == "bool" else const(given)
    return Tensor(place["name"], state.sizes.dims[place["name"]], dtype, lambda index, r: one, place["name"])


def _call(state: _State, call: Mapping[str, Any]) -> None:
    """Define the node of one call."""
    def reject(code: str, why: str) -> Rejected:
        return Rejected(_rejection(state.path, call, code, why))

    if call["dtype"] not in SORTS:
        raise reject("spec.dtype", f"its result has dtype {call['dtype']}; only float32 is modelled, and bool in between")
    arguments = {k: decoded(v, state.tensors) for k, v in call["args"].items()}
    dims = state.sizes.dims[call["name"]]
    tensors = [v for v in arguments.values() if isinstance(v, Tensor)]
    rule = VIEWS.get(call["op"])
    try:
        made = rule(arguments, dims) if rule is not None else _pointwise(state, call, arguments, dims)
    except Refused as refused:
        raise reject(refused.code, str(refused)) from None
    view = rule is not None and call["op"] not in COPIES
    row = None if rule is not None else ATEN[row_name(call["op"])]
    shares = view or (row is not None and (row.alias or row.name != call["op"]))
    tensor = Tensor(call["name"], dims, call["dtype"], made, tensors[0].cell if shares else call["name"])
    if rule is not None and tensors[0].dtype != call["dtype"]:
        raise reject("spec.dtype", f"its result has dtype {call['dtype']}, its argument {tensors[0].dtype}")
    if row is not None and row.name != call["op"]:
        old = tensors[0]
        if old.cell in state.fixed or any(state.tensors[n] is not old for n in state.cells[old.cell]) or old.dims != dims or old.dtype != call["dtype"]:
            raise reject("spec.mutation", "it writes in place to a tensor that is an input or that has another name")
        for n in state.cells[old.cell]:
            state.tensors[n] = tensor
    state.define(call["name"], tensor)


def _pointwise(state: _State, call: Mapping[str, Any], arguments: Mapping[str, Any], dims: Dims) -> Made:
    """A row of the table of pointwise operators, at each index."""
    row = ATEN[row_name(call["op"])]
    given = {k: v for k, v in call["args"].items() if isinstance(v, dict) and "node" in v}
    captured = {c["name"]: tuple(c["shape"]) for c in (*state.graph["placeholders"], *state.graph["calls"]) if c["shape"] is not None}
    shapes = {k: captured[v["node"]] for k, v in given.items()}

    def value(index: Index, reader: Reader) -> Expr:
        cells = {} if row.uniform else {k: v.at(broadcast(v, index, dims), reader) for k, v in arguments.items() if isinstance(v, Tensor)}
        return row.build(one(cells))

    def one(cells: Mapping[str, Expr]) -> Call:
        return Call(op=call["op"], args={**arguments, **cells}, shapes=shapes, dtype=call["dtype"])
    trial = one({k: var(f"{k} of {v.name}", SORTS[v.dtype]) for k, v in arguments.items() if isinstance(v, Tensor)})
    made = row.build(trial)
    if made.sort != SORTS[call["dtype"]]:
        raise Refused(f"its result has dtype {call['dtype']} and the table gives {made.sort}", "spec.dtype")
    if row.assumption and row.when(trial):
        state.assumptions[row.assumption] = None
    for v in arguments.values():
        if isinstance(v, Tensor) and not row.uniform:
            broadcast(v, tuple(dims), dims)
    return value


def _finish(state: _State, fixed: bool) -> SpecElements:
    """Check the outputs."""
    where, outputs = Where(state.path), []
    for made in state.graph["outputs"]:
        if made["node"] is None:
            raise Rejected(Rejection("spec.output", where, made["why"]))
        tensor = state.tensors[made["node"]]
        if tensor.dtype != "float32":
            raise Rejected(Rejection("spec.dtype", where, "an output is not a tensor of float32; only float32 is modelled"))
        outputs.append(tensor)
    if not outputs or not state.inputs or len({i.name for i in state.inputs}) != len(state.inputs):
        raise Rejected(Rejection("spec.output", where, "it has no tensor input, no output, or a forward argument and a parameter of one name"))
    varied = [i.name for i in state.inputs if i.kind == "parameter"]
    notes = (*(f"the sizes meant are those where {n}" for n in state.sizes.notes),
             *([f"parameters have any size that fits: {', '.join(varied)}"] if varied and not fixed else []), *state.assumptions)
    targets = {p["target"]: p["name"] for p in state.graph["placeholders"] if p["kind"] in ("input", "parameter")}
    dims: dict[str, tuple[Poly, ...]] = {t: state.sizes.dims[n] for t, n in targets.items()}
    return SpecElements(state.graph["model"], tuple(state.inputs), dims, tuple(outputs), state.sizes, notes, where)
