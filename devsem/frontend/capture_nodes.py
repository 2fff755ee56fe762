"""The nodes of torch.export's graph as JSON: floats in hexadecimal, tensors as node names."""

from __future__ import annotations

from torch import Tensor
from torch.export import ExportedProgram
from torch.fx import Node

Json = dict[str, object]


def tensor_nodes(program: ExportedProgram) -> list[Node]:
    """The calls that compute tensors, in order."""
    return [n for n in program.graph.nodes if n.op == "call_function" and isinstance(n.meta.get("val"), Tensor)]


def encode(value: object) -> object:
    """An argument as JSON: tensors by node name, floats in hexadecimal, what is no number (a dtype, a device) by its text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, Node):
        return {"node": value.name}
    if isinstance(value, list | tuple):
        return [encode(v) for v in value]
    return {"other": str(value)}


def named_args(node: Node) -> Json:
    """A call's arguments by schema name and in its order, defaults filled in; by position where the operator has no schema."""
    schema = getattr(node.target, "_schema", None)
    if schema is None:      # Python's own, such as getitem on an operator's several results
        return {str(i): encode(a) for i, a in enumerate(node.args)}
    given: Json = {a.name: v for a, v in zip(schema.arguments, node.args, strict=False)}
    given.update(node.kwargs)
    known = [a for a in schema.arguments if a.name in given or a.has_default_value()]
    return {a.name: encode(given.get(a.name, a.default_value)) for a in known}
