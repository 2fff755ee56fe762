"""Execute a spec and capture its graph as JSON; `capture_child.py` does this in a process of its own.

Only this file, `capture_nodes.py` and `capture_sizes.py` import torch. The spec is trusted code, but it runs apart from the verifier:
whatever it prints, raises or breaks, the parent gets one JSON object, `{"graph": …}` or `{"error": {"kind", "message", "line"}}`, in the
file RESULT. The graph is torch.export's before any decomposition. Floats travel as hexadecimal text, tensors as node names.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import ModuleType

from torch import Tensor, manual_seed, no_grad, set_num_threads, strided, zeros
from torch.export import ExportedProgram, export
from torch.export.graph_signature import InputKind, InputSpec, OutputKind, OutputSpec, TensorArgument
from torch.fx import Node
from torch.nn import Module, ReLU

from devsem.frontend.capture_nodes import Json, encode, named_args
from devsem.frontend.capture_sizes import is_fixed_by_parameters, is_size_free, run_inputs, symbolic_sizes

KINDS = {InputKind.USER_INPUT: "input", InputKind.PARAMETER: "parameter", InputKind.BUFFER: "parameter", InputKind.CONSTANT_TENSOR: "constant"}

# how often a module runs between two captures that must be the same
RUNS = 3
# the largest constant tensor whose elements travel
MOST_VALUES = 1 << 14


class SpecError(Exception):
    """The spec cannot be captured: `kind` says whose fault, `line` where in the spec (0: unknown)."""

    def __init__(self, kind: str, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.kind, self.message, self.line = kind, message, line


def last_line(error: BaseException) -> str:
    """An exception as its class and the first line of what it says."""
    said = [text for text in str(error).splitlines() if text.strip()]
    return f"{type(error).__name__}: {said[0].strip()}" if said else type(error).__name__


def line_in(path: str, error: BaseException) -> int:
    """The deepest line of the spec file in an exception's traceback."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno or 0
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] or 0 if lines else 0


def guarded(path: str, what: str, action: Callable[[], object]) -> object:
    """Run code of the spec; whatever it raises, exits included, becomes a SpecError."""
    try:
        return action()
    except BaseException as error:  # the spec is foreign code: sys.exit and KeyboardInterrupt in it are its errors too
        raise SpecError("usage", f"{what} fails: {last_line(error)}", line_in(path, error)) from error


def load_module(path: str) -> ModuleType:
    """Import the spec by path; modules beside it can be imported too."""
    found = importlib.util.spec_from_file_location("devsem_spec", path)
    if found is None or found.loader is None:
        raise SpecError("usage", "it is not a Python file (its name must end in .py)")
    module, loader = importlib.util.module_from_spec(found), found.loader
    sys.modules["devsem_spec"] = module
    sys.path.append(os.path.dirname(path))
    guarded(path, "importing the spec", lambda: loader.exec_module(module))
    return module


def find_class(module: ModuleType, name: str) -> type[Module]:
    """The nn.Module class of that name, or a sentence that lists those which exist."""
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Module):
        return found
    others = [k for k, v in vars(module).items() if isinstance(v, type) and issubclass(v, Module) and v.__module__ == module.__name__]
    raise SpecError("no_model", f"it defines no nn.Module class {name}" + (f"; it has {', '.join(others)}" if others else ""))


def call_list(path: str, module: ModuleType, name: str, default: list[object] | None) -> list[object]:
    """What the spec's function `name` returns, as a list."""
    function = getattr(module, name, None)
    if function is None and default is not None:
        return default
    if function is None:
        raise SpecError("usage", f"it has no function {name}()")
    result = guarded(path, f"{name}()", function)
    if not isinstance(result, list | tuple):
        raise SpecError("usage", f"{name}() returns {type(result).__name__}, not a list")
    return list(result)


def exported(path: str, model: Module, inputs: list[object]) -> ExportedProgram:
    """torch.export's graph; where that fails, the model is run, to tell a broken spec from one that cannot be captured."""
    try:
        return export(model, tuple(inputs), strict=False)
    except BaseException as error:
        guarded(path, "running the spec", lambda: model(*inputs))
        raise SpecError("capture", f"torch.export cannot capture it: {last_line(error)}", line_in(path, error)) from error


def tensor_type(node: Node) -> Json:
    """dtype, shape and layout of a node's value, null where it is no tensor; a size that depends on values is a text."""
    value = node.meta.get("val")
    if not isinstance(value, Tensor):
        return {"dtype": None, "shape": None, "row_major": True}
    shape = [d if isinstance(d, int) else str(d) for d in value.shape]
    plain = value.layout == strided and all(isinstance(d, int) for d in value.shape)
    return {"dtype": str(value.dtype).removeprefix("torch."), "shape": shape, "row_major": not plain or value.is_contiguous()}


def line_of(path: str, node: Node) -> int:
    """The line of the spec that made this node, from the stack trace torch.export keeps; 0 where there is none."""
    frames: list[tuple[str, str]] = re.findall(r'File "([^"\n]+)", line (\d+)', node.meta.get("stack_trace") or "")
    lines = [int(number) for file, number in frames if file == path]
    return lines[-1] if lines else 0


def uniform_value(tensor: object) -> object:
    """The one value of all elements, as JSON; null where they differ."""
    if not isinstance(tensor, Tensor) or tensor.numel() == 0 or tensor.dtype.is_complex:
        return None
    first, flat = tensor.flatten()[0], tensor.flatten()
    same = bool((flat == first).all()) and bool((flat.signbit() == first.signbit()).all())
    return encode(first.item()) if same or bool(flat.isnan().all()) else None


def all_values(tensor: object) -> object:
    """Every element in row-major order, as JSON; null of a large tensor."""
    if not isinstance(tensor, Tensor) or tensor.numel() > MOST_VALUES or tensor.dtype.is_complex:
        return None
    return [encode(v) for v in tensor.flatten().tolist()]


def placeholder(program: ExportedProgram, node: Node, spec: InputSpec) -> Json:
    """An input of the graph: a tensor the caller gives, a parameter or buffer, a constant tensor, or a number fixed at capture."""
    if not isinstance(spec.arg, TensorArgument):
        return {"name": node.name, "kind": "number", "target": node.name, "value": encode(getattr(spec.arg, "value", None)), **tensor_type(node)}
    held = program.constants.get(spec.target) if spec.kind == InputKind.CONSTANT_TENSOR and spec.target else None
    return {"name": node.name, "kind": KINDS.get(spec.kind, str(spec.kind)), "target": spec.target or node.name, "value": uniform_value(held),
            "values": all_values(held), **tensor_type(node)}


def output(spec: OutputSpec) -> Json:
    """An output of the graph: the node it names, or why it is not a plain tensor result."""
    if spec.kind != OutputKind.USER_OUTPUT:
        return {"node": None, "why": f"the module changes {spec.target} in place"}
    if not isinstance(spec.arg, TensorArgument):
        return {"node": None, "why": "an output is not a tensor"}
    return {"node": spec.arg.name, "why": ""}


def operator(node: Node) -> str:
    """What a node calls: `aten.relu.default`, or a Python function's name."""
    return node.target if isinstance(node.target, str) else str(node.target) if hasattr(node.target, "_schema") else node.target.__name__


def call(path: str, node: Node) -> Json:
    """One call of the graph."""
    return {"name": node.name, "op": operator(node), "args": named_args(node), "line": line_of(path, node), **tensor_type(node)}


def graph_of(path: str, class_name: str) -> Json:
    """Import, build, capture."""
    module = load_module(path)
    cls = find_class(module, class_name)
    init = call_list(path, module, "get_init_inputs", [])
    model = guarded(path, f"{class_name}(*get_init_inputs())", lambda: cls(*init))
    if not isinstance(model, Module):
        raise SpecError("usage", f"{class_name}(*get_init_inputs()) is not an nn.Module")
    inputs = call_list(path, module, "get_inputs", None)
    with no_grad():
        program = exported(path, model.eval(), inputs)
        graph = tensors_and_calls(path, program)
        for _ in range(RUNS):  # an export puts back the attributes that it assigned
            with suppress(Exception):  # what cannot run on these inputs may still be captured
                model(*run_inputs(inputs))
        same = graph == tensors_and_calls(path, exported(path, model, inputs))
        free = is_size_free(program, model, inputs)
        by_parameters = not free and is_fixed_by_parameters(model, inputs)
        sizes = symbolic_sizes(program, model, inputs)
    return {"model": class_name, **graph, "init": encode(init), "size_free": free, "fixed_by_parameters": by_parameters, "same_again": same,
            "symbolic": sizes}


def tensors_and_calls(path: str, program: ExportedProgram) -> Json:
    """A captured graph as JSON."""
    nodes: Iterable[Node] = program.graph.nodes
    places = [n for n in nodes if n.op == "placeholder"]
    signature = program.graph_signature
    return {
        "placeholders": [placeholder(program, n, s) for n, s in zip(places, signature.input_specs, strict=True)],
        "calls": [call(path, n) for n in nodes if n.op not in ("placeholder", "output")],
        "outputs": [output(s) for s in signature.output_specs],
    }


def warm_up() -> None:
    """Capture a trivial module, so that whatever an export imports late is there. No threads, so that one can fork; one seed, so that
    a spec that draws numbers has the same graph each time."""
    set_num_threads(1)
    with no_grad():
        model, inputs = ReLU().eval(), list[object]([zeros(2)])
        is_size_free(exported("", model, inputs), model, inputs)
    manual_seed(0)


def main(path: str, class_name: str, result: str) -> None:
    """Write the graph, or the error, to the file `result`, which is whole whenever it is there."""
    try:
        answer: Json = {"graph": graph_of(path, class_name)}
    except SpecError as error:
        answer = {"error": {"kind": error.kind, "message": error.message, "line": error.line}}
    part = f"{result}.part"
    with open(part, "w", encoding="utf-8") as out:
        json.dump(answer, out)
    os.replace(part, result)
