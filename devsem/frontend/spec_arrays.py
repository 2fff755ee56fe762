"""A PyTorch module at concrete shapes: what every element of every output is.

A tensor is a numpy array of expressions over `var("x[5]", F32)`, the elements of the inputs in row-major order; tensors of integers
are concrete. Pointwise operators take their rows from `aten.py`, element by element with PyTorch's broadcasting; views are numpy's,
so that writing in place through one is seen through the others; reductions are `spec_arrays_reduce.py`. Where PyTorch fixes no order
of a sum, the result notes so (`aten_order.Free`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from devsem.aten import ATEN
from devsem.aten_order import Free
from devsem.aten_rows import Call, Refused
from devsem.errors import Rejected, Rejection, Where
from devsem.expr import Expr, const, const_bool, var
from devsem.frontend.capture_process import answer
from devsem.frontend.spec import SILENT, SORTS, SpecInput, graph_in, row_name, show
from devsem.frontend.spec_arrays_base import INTEGERS, MOST_CELLS, Arguments, Array, Context, Data, Rule, as_expressions, filled
from devsem.frontend.spec_arrays_rules import RULES
from devsem.frontend.spec_arrays_views import INTEGER
from devsem.ops import F32


@dataclass(frozen=True)
class ArraySpec:
    """Every element of every output at these shapes, over exact and S. rows; `free` has the sums below them whose order is not fixed."""

    name: str
    inputs: tuple[SpecInput, ...]
    outputs: tuple[Data, ...]
    free: Mapping[Expr, Free]
    assumptions: tuple[str, ...]


def load_array_spec(path: str, *, class_name: str | None = None, timeout: float = 120) -> ArraySpec:
    """Execute the spec file in a child process and translate what it captured; UsageError or Rejected where that fails."""
    return translate_arrays(path, graph_in(path, answer(path, class_name or "Model", timeout)))


@dataclass
class _State:
    path: str
    context: Context
    arrays: dict[str, Array | tuple[Array, ...]] = field(default_factory=dict)
    inputs: list[SpecInput] = field(default_factory=list)


def translate_arrays(path: str, graph: Mapping[str, Any]) -> ArraySpec:
    """The captured graph, element by element; Rejected names the operator and line."""
    calls = [c for c in graph["calls"] if c["op"] not in SILENT]
    unknown = {_rejection(path, c, "spec.operator", "the table of operators has no such row"): None
               for c in calls if c["op"] not in RULES and c["op"] not in INTEGER and row_name(c["op"]) not in ATEN}
    if unknown:
        raise Rejected(*unknown)
    if not graph["same_again"]:
        raise Rejected(Rejection("spec.state", Where(path), "the module computes something else when it is called again: it has state, or draws numbers",
                                 "let forward depend on its arguments, parameters and fixed numbers only"))
    state = _State(path, Context())
    for p in graph["placeholders"]:
        _placeholder(state, p)
    used = {name for made in (*calls, *graph["outputs"]) for name in _nodes(made.get("args", made))}
    for call in calls:
        if call["op"] != "getitem" or call["name"] in used:
            _call(state, call)
    return _finish(state, graph)


def _nodes(value: Any) -> Iterator[str]:
    """The nodes that a call's arguments, or an output, name."""
    if isinstance(value, list):
        for v in value:
            yield from _nodes(v)
    elif isinstance(value, dict):
        for k, v in value.items():
            if k == "node" and v is not None:
                yield v
            else:
                yield from _nodes(v)


def _rejection(path: str, call: Mapping[str, Any], code: str, why: str) -> Rejection:
    return Rejection(code, Where(path, call["line"]), f"PyTorch operator {call['op']}: {why}")


def _placeholder(state: _State, place: Mapping[str, Any]) -> None:
    """Define an input of the graph."""
    target, where = place["target"], Where(state.path)
    if place["kind"] == "number":
        value = place["value"]
        shown = float.fromhex(value["float"]) if isinstance(value, dict) and "float" in value else value
        state.context.assumptions[f"the argument {target} is the constant {shown!r}, as get_inputs() gives it"] = None
        return
    shape, kind = tuple(place["shape"]), place["kind"]
    if kind == "constant":
        state.arrays[place["name"]] = _constant(state, place, shape)
        return
    if kind not in ("input", "parameter"):
        raise Rejected(Rejection("spec.input", where, f"{target} is an input of kind {kind}"))
    if place["dtype"] != "float32":
        raise Rejected(Rejection("spec.dtype", where, f"the {kind} {target} has dtype {place['dtype']}; only float32 is modelled"))
    if math.prod(shape) > MOST_CELLS:
        raise Rejected(Rejection("spec.large", where, f"the {kind} {target} of shape {show(shape)} has more than {MOST_CELLS} elements",
                                 "let get_inputs() return small tensors of the same kind"))
    if not place["row_major"]:
        raise Rejected(Rejection("spec.strides", where, f"the {kind} {target} is not contiguous: its elements are not in row-major order",
                                 "call .contiguous() where it is made"))
    data = np.empty(math.prod(shape), object)
    data[:] = [var(f"{target}[{i}]", F32) for i in range(len(data))]
    data = data.reshape(shape)
    data.flags.writeable = False
    state.arrays[place["name"]] = Array(data, "float32")
    state.inputs.append(SpecInput(target, kind, shape))


def _constant(state: _State, place: Mapping[str, Any], shape: tuple[int, ...]) -> Array:
    """A constant tensor."""
    where, dtype = Where(state.path), place["dtype"]
    if place["values"] is None or (dtype not in SORTS and dtype not in INTEGERS):
        raise Rejected(Rejection("spec.constant", where, f"the constant tensor {place['target']} of dtype {dtype} and shape {show(shape)} is not accepted"))
    values = [float.fromhex(v["float"]) if isinstance(v, dict) else v for v in place["values"]]
    if dtype in INTEGERS:
        return Array(np.array(values, INTEGERS[dtype]).reshape(shape), dtype)
    return Array(filled([const_bool(bool(v)) if dtype == "bool" else const(float(v)) for v in values], shape), dtype)


def decoded(value: Any, nodes: Mapping[str, Any]) -> Any:
    """An argument from JSON; a tensor becomes what `nodes` says of its node."""
    if isinstance(value, list):
        return tuple(decoded(v, nodes) for v in value)
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "float":
        return float.fromhex(content)
    return nodes[content] if kind == "node" else f"<{content}>"


def _call(state: _State, call: Mapping[str, Any]) -> None:
    """Define the node of one call."""
    arguments = {k: decoded(v, state.arrays) for k, v in call["args"].items()}
    try:
        tensors = [v for v in arguments.values() if isinstance(v, Array)]
        concrete = tensors and not any(t.symbolic for t in tensors)
        rule: Rule | None = (INTEGER.get(call["op"]) if concrete else None) or RULES.get(call["op"])
        if rule is not None:
            made = rule(state.context, {**arguments, "result": (call["dtype"], tuple(call["shape"] or ()))})
        else:
            made = _pointwise(state.context, call, arguments)
    except Refused as refused:
        raise Rejected(_rejection(state.path, call, refused.code, str(refused))) from None
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        raise Rejected(_rejection(state.path, call, "spec.mutation", "it writes in place to an input, or to a tensor that is expanded")) from None
    if isinstance(made, Array):
        _check(state, call, made)
    state.arrays[call["name"]] = made


def _check(state: _State, call: Mapping[str, Any], made: Array) -> None:
    """PyTorch's own type and shape of the result."""
    if call["dtype"] not in SORTS and call["dtype"] not in INTEGERS:
        raise Rejected(_rejection(state.path, call, "spec.dtype", f"its result has dtype {call['dtype']}; only float32 is modelled, and bool in between"))
    if made.dtype != call["dtype"] or made.data.shape != tuple(call["shape"]):
        raise Rejected(_rejection(state.path, call, "spec.operator", f"its result is {call['dtype']} {show(call['shape'])}, which the table does not give"))


def _pointwise(context: Context, call: Mapping[str, Any], arguments: Arguments) -> Array:
    """A row of the table of pointwise operators, element by element."""
    if row_name(call["op"]) not in ATEN:
        raise Refused("it is known for tensors of integers only")
    row = ATEN[row_name(call["op"])]
    dtype, shape = call["dtype"], tuple(call["shape"])
    if math.prod(shape) > MOST_CELLS:
        raise Refused(f"its result has {math.prod(shape)} elements; at most {MOST_CELLS} are computed one by one", "spec.large")
    if dtype not in SORTS:
        raise Refused(f"its result has dtype {dtype}; only float32 is modelled, and bool in between", "spec.dtype")
    context.take(math.prod(shape))
    tensors = {k: as_expressions(v) for k, v in arguments.items() if isinstance(v, Array)}
    whole = {k: np.broadcast_to(v, shape) for k, v in tensors.items()} if not row.uniform else {}
    plain = {k: v for k, v in arguments.items() if k not in tensors}
    shapes = {k: v.shape for k, v in tensors.items()}
    data = np.empty(math.prod(shape), object)
    flat = {k: v.reshape(-1) for k, v in whole.items()}
    for i in range(len(data)):
        one = Call(op=call["op"], args={**plain, **{k: v[i] for k, v in flat.items()}}, shapes=shapes, dtype=dtype)
        data[i] = row.build(one)
        if row.assumption and i == 0 and row.when(one):
            context.assumptions[row.assumption] = None
    target = next((v for v in arguments.values() if isinstance(v, Array)), None)
    if row.alias and target is not None and target.dtype == dtype and target.data.shape == shape:
        return target
    if len(data) and data[0].sort != SORTS[dtype]:
        raise Refused(f"its result has dtype {dtype} and the table gives {data[0].sort}", "spec.dtype")
    if row.name == call["op"] or target is None:
        return Array(data.reshape(shape), dtype)
    target.data[...] = data.reshape(shape)
    return target


def _finish(state: _State, graph: Mapping[str, Any]) -> ArraySpec:
    """Check the outputs."""
    where, outputs = Where(state.path), []
    for made in graph["outputs"]:
        if made["node"] is None:
            raise Rejected(Rejection("spec.output", where, made["why"]))
        array = state.arrays[made["node"]]
        if not isinstance(array, Array) or array.dtype != "float32":
            raise Rejected(Rejection("spec.dtype", where, "an output is not a tensor of float32; only float32 is modelled"))
        outputs.append(array.data)
    if not outputs or not all(o.size for o in outputs):
        raise Rejected(Rejection("spec.output", where, "it has no output, or an empty one"))
    if len({i.name for i in state.inputs}) != len(state.inputs):
        raise Rejected(Rejection("spec.name", where, "a forward argument and a parameter have the same name"))
    shapes = ", ".join(f"{i.name} {show(i.shape)}" for i in state.inputs)
    notes = (f"the spec's values are computed at the shapes {shapes or '()'}, and the verdict is about these alone", *state.context.assumptions)
    return ArraySpec(graph["model"], tuple(state.inputs), tuple(outputs), state.context.free, notes)
