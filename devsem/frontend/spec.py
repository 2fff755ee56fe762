"""A PyTorch module as a `Spec`: captured in a child process by torch.export, then translated by the table `aten.py`.

This process never imports torch. Every tensor of a spec is pointwise: float32 (or a truth value in between), all of one
number of elements in row-major order, so one expression over `var(input.name)` says what every element is. Anything else is
refused by name and line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from devsem.aten import ATEN
from devsem.aten_rows import AtenRow, Call, Refused, exact, value_of
from devsem.errors import Bug, Rejected, Rejection, UsageError, Where
from devsem.expr import Expr, const, const_bool, var, variables
from devsem.frontend.capture_process import answer
from devsem.ops import BOOL, F32

Shape = tuple[int, ...]
SORTS = {"float32": F32, "bool": BOOL}
# these compute no value: torch.export's own checks
SILENT = frozenset({"aten._assert_tensor_metadata.default"})
ONE_SHAPE = "only pointwise operations on tensors of one shape are modelled"


@dataclass(frozen=True)
class SpecInput:
    """A tensor the spec reads: a forward argument, or a parameter or buffer by its qualified name."""

    name: str
    kind: Literal["input", "parameter"]
    shape: Shape


@dataclass(frozen=True)
class Captured:
    """The graph that a spec file gave, kept so that another reference can give its operators their values."""

    path: str
    graph: Mapping[str, Any]


@dataclass(frozen=True)
class Spec:
    """What every output element is, over exact and S. rows and `var(input.name, F32)`."""

    name: str
    inputs: tuple[SpecInput, ...]
    outputs: tuple[Expr, ...]
    assumptions: tuple[str, ...]
    captured: Captured | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Reference:
    """What gives the operators of a graph their values: which have one, the refusal's code and reason where not, and the value of one
    call with what that assumes. `build` raises Refused."""

    has: Callable[[str], bool]
    code: str
    why: str
    build: Callable[[AtenRow, Call], tuple[Expr, tuple[str, ...]]]


def ieee(row: AtenRow, call: Call) -> tuple[Expr, tuple[str, ...]]:
    """The value by the table `aten.py`."""
    value = row.build(call)
    return value, (row.assumption,) if row.assumption and row.when(call) else ()


IEEE = Reference(ATEN.__contains__, "spec.operator", "the table of operators has no such row", ieee)


class NotPointwise(Rejected):
    """The spec was captured, and its graph is not one of pointwise operators."""

    def __init__(self, graph: Mapping[str, Any], *rejections: Rejection) -> None:
        super().__init__(*rejections)
        self.graph = graph


def load_spec(path: str, *, class_name: str | None = None, timeout: float = 120) -> Spec:
    """Execute the spec file in a child process and translate what it captured; UsageError or Rejected where that fails, NotPointwise in the
    translation."""
    graph = load_graph(path, class_name=class_name, timeout=timeout)
    try:
        return translate(path, graph)
    except Rejected as rejected:
        raise NotPointwise(graph, *rejected.rejections) from None


def load_graph(path: str, *, class_name: str | None = None, timeout: float = 120) -> dict[str, Any]:
    """Execute the spec file in a child process; the graph that it captured."""
    return graph_in(path, answer(path, class_name or "Model", timeout))


def graph_in(path: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The graph in the child's answer, or the exception for the error in it."""
    if "error" in answer:
        raise _failure(path, **answer["error"])
    graph: dict[str, Any] = answer["graph"]
    return graph


def _failure(path: str, kind: str, message: str, line: int) -> Exception:
    """The exception for what the child reports."""
    where = Where(path, line)
    if kind == "usage":
        return UsageError(f"{path}:{line}: {message}" if line else f"{path}: {message}")
    if kind == "no_model":
        return Rejected(Rejection("spec.no_model", where, message, "name the class Model, or name yours on the command line"))
    if kind == "capture":
        return Rejected(Rejection("spec.capture", where, message, "write forward without control flow over tensor values"))
    return Bug(f"the capturing process reports an unknown kind of error: {kind}")


@dataclass(frozen=True)
class Tensor:
    """A node while the graph is read: its value and shape, whether it is one value everywhere, and the memory it lives in."""

    value: Expr
    shape: Shape
    uniform: bool
    cell: str


@dataclass
class State:
    """The graph read so far. `tensors`: by node name; `cells`: the nodes that may share one memory; `fixed`: memory not ours to write."""

    path: str
    tensors: dict[str, Tensor]
    cells: dict[str, list[str]]
    fixed: set[str]
    assumptions: list[str]
    reference: Reference

    def define(self, name: str, tensor: Tensor) -> None:
        """A new node."""
        self.tensors[name] = tensor
        self.cells.setdefault(tensor.cell, []).append(name)

    def assume(self, text: str) -> None:
        """An assumption, once."""
        if text not in self.assumptions:
            self.assumptions.append(text)


def translate(path: str, graph: Mapping[str, Any], reference: Reference = IEEE) -> Spec:
    """The captured graph as a Spec; every refusal that can be found is reported at once."""
    known = [c for c in graph["calls"] if c["op"] not in SILENT]
    unknown = {_rejection(path, c, reference.code, reference.why): None for c in known if not reference.has(row_name(c["op"]))}
    if unknown:
        raise Rejected(*unknown)
    if not graph["same_again"]:
        raise Rejected(Rejection("spec.state", Where(path), "the module computes something else when it is called again: it has state, or draws numbers",
                                 "let forward depend on its arguments, parameters and fixed numbers only"))
    state = State(path, {}, {}, set(), [], reference)
    inputs = [i for p in graph["placeholders"] if (i := read_placeholder(state, p)) is not None]
    for call in known:
        read_call(state, call)
    return finish(state, graph, inputs)


def is_pointwise(path: str, graph: Mapping[str, Any]) -> bool:
    """Is the captured graph one that `translate` reads?"""
    try:
        translate(path, graph)
    except Rejected:
        return False
    return True


def row_name(op: str) -> str:
    """The row that gives an operator's value: `aten.relu_.default`, in place, has the value of `aten.relu.default`."""
    if op in ATEN:
        return op
    head, _, overload = op.rpartition(".")
    return f"{head[:-1]}.{overload}" if head.endswith("_") else op


def _rejection(path: str, call: Mapping[str, Any], code: str, why: str) -> Rejection:
    return Rejection(code, Where(path, call["line"]), f"PyTorch operator {call['op']}: {why}")


def read_placeholder(state: State, place: Mapping[str, Any]) -> SpecInput | None:
    """Define an input of the graph; None where it is a constant."""
    name, target, where = place["name"], place["target"], Where(state.path)
    if place["kind"] == "number":
        state.assume(f"the argument {target} is the constant {decode(state, place['value'])!r}, as get_inputs() gives it")
        return None
    shape = tuple(place["shape"])
    state.fixed.add(name)
    if place["kind"] == "constant":
        state.define(name, Tensor(constant(state, place), shape, True, name))
        return None
    if place["kind"] not in ("input", "parameter"):
        raise Rejected(Rejection("spec.input", where, f"{target} is an input of kind {place['kind']}"))
    if place["dtype"] != "float32":
        raise Rejected(Rejection("spec.dtype", where, f"the {place['kind']} {target} has dtype {place['dtype']}; only float32 is modelled"))
    if not place["row_major"]:
        raise Rejected(Rejection("spec.strides", where, f"the {place['kind']} {target} is not contiguous: its elements are not in row-major order",
                                 "call .contiguous() where it is made"))
    state.define(name, Tensor(var(target, F32), shape, False, name))
    return SpecInput(target, place["kind"], shape)


def constant(state: State, place: Mapping[str, Any]) -> Expr:
    """A constant tensor with one value everywhere, which float32 must hold exactly."""
    value = decode(state, place["value"])
    where, target = Where(state.path), place["target"]
    if not isinstance(value, int | float):
        raise Rejected(Rejection("spec.constant", where, f"the constant tensor {target} of shape {show(place['shape'])} has more than one value"))
    if place["dtype"] == "bool":
        return const_bool(bool(value))
    try:
        rounded = const(exact(value, target))
    except Refused as refused:
        raise Rejected(Rejection("spec.constant", where, f"the constant tensor {target}: {refused}")) from None
    if value == value and value_of(rounded) != value:
        raise Rejected(Rejection("spec.dtype", where, f"the constant tensor {target} of dtype {place['dtype']} is not a float32 value"))
    return rounded


def decode(state: State, value: Any) -> object:
    """An argument from JSON; a tensor becomes its expression."""
    if isinstance(value, list):
        return tuple(decode(state, v) for v in value)
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "float":
        return float.fromhex(content)
    return state.tensors[content].value if kind == "node" else f"<{content}>"


def read_call(state: State, call: Mapping[str, Any]) -> None:
    """Define the node of one call."""
    row = ATEN[row_name(call["op"])]

    def reject(code: str, why: str) -> Rejected:
        return Rejected(_rejection(state.path, call, code, why))

    if call["dtype"] not in SORTS:
        raise reject("spec.dtype", f"its result has dtype {call['dtype']}; only float32 is modelled, and bool in between")
    used = {k: state.tensors[v["node"]] for k, v in call["args"].items() if isinstance(v, dict) and "node" in v}
    shape = tuple(call["shape"])
    for name, tensor in used.items():
        if not (row.uniform or row.reshapes or tensor.uniform) and tensor.shape != shape:
            raise reject("spec.broadcast", f"its argument {name} has shape {show(tensor.shape)}, its result {show(shape)}; {ONE_SHAPE}")
    made = Call(op=call["op"], args={k: decode(state, v) for k, v in call["args"].items()}, shapes={k: t.shape for k, t in used.items()}, dtype=call["dtype"])
    try:
        value, assumed = state.reference.build(row, made)
    except Refused as refused:
        raise reject(refused.code, str(refused)) from None
    if value.sort != SORTS[call["dtype"]]:
        raise reject("spec.dtype", f"its result has dtype {call['dtype']} and the table gives {value.sort}")
    uniform = row.uniform or all(t.uniform for t in used.values())
    if not (call["row_major"] or uniform):
        raise reject("spec.strides", "its result is not contiguous: the elements are not in row-major order")
    for text in assumed:
        state.assume(text)
    place(state, call, row, used, Tensor(value, shape, uniform, call["name"]))


def place(state: State, call: Mapping[str, Any], row: AtenRow, used: Mapping[str, Tensor], made: Tensor) -> None:
    """Put a new value in memory: its own, its operand's (a view), or over its operand's (an operation in place)."""
    if row.name == call["op"] and not row.alias:
        return state.define(call["name"], made)
    operand = next(iter(used.values()))
    if row.name == call["op"]:
        return state.define(call["name"], Tensor(made.value, made.shape, made.uniform, operand.cell))
    if operand.cell in state.fixed or any(state.tensors[n] is not operand for n in state.cells[operand.cell]):
        raise Rejected(_rejection(state.path, call, "spec.mutation", "it writes in place to a tensor that is an input or that has another name"))
    kept = Tensor(made.value, made.shape, made.uniform, operand.cell)
    for name in state.cells[operand.cell]:
        state.tensors[name] = kept
    return state.define(call["name"], kept)


def finish(state: State, graph: Mapping[str, Any], inputs: list[SpecInput]) -> Spec:
    """Check outputs, shapes and names; parameters that nothing uses are dropped."""
    outputs = [output(state, o) for o in graph["outputs"]]
    read = variables(*(o.value for o in outputs))
    kept = [i for i in inputs if i.kind == "input" or var(i.name, F32) in read]
    where = Where(state.path)
    if not outputs or not kept:
        raise Rejected(Rejection("spec.output", where, f"it has {len(kept)} tensor inputs and {len(outputs)} outputs; at least one of each is needed"))
    shapes = {f"the {i.kind} {i.name}": i.shape for i in kept} | {f"output {k}": o.shape for k, o in enumerate(outputs)}
    (first, shape), *rest = shapes.items()
    other = [(name, s) for name, s in rest if math.prod(s) != math.prod(shape)]
    if other:
        raise Rejected(*(Rejection("spec.broadcast", where, f"{name} has shape {show(s)}, {first} has {show(shape)}; {ONE_SHAPE}") for name, s in other))
    if len({i.name for i in kept}) != len(kept):
        raise Rejected(Rejection("spec.name", where, "a forward argument and a parameter have the same name"))
    if not (graph["size_free"] or graph["fixed_by_parameters"]):
        raise Rejected(Rejection("spec.size", where, f"the captured graph depends on the captured shape, {show(shape)}", "write it without sizes"))
    if not graph["size_free"]:
        state.assume(f"the spec is captured at shape {show(shape)}; that it is the same function at other sizes is not known")
    return Spec(graph["model"], tuple(kept), tuple(o.value for o in outputs), tuple(state.assumptions),
                Captured(state.path, graph))


def output(state: State, made: Mapping[str, Any]) -> Tensor:
    """A result of the module, which must be a float32 tensor."""
    where = Where(state.path)
    if made["node"] is None:
        raise Rejected(Rejection("spec.output", where, made["why"]))
    tensor = state.tensors[made["node"]]
    if tensor.value.sort != F32:
        raise Rejected(Rejection("spec.dtype", where, "an output is a tensor of truth values; only float32 is modelled"))
    return tensor


def show(shape: Any) -> str:
    """A shape as PyTorch writes it."""
    return "(" + ", ".join(map(str, shape)) + ")"
