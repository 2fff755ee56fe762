"""THE TABLE of what a solution's Python may call and ask: strings, sizes, tensors, PyTorch's modules in __init__, load_inline, and the extension itself."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from devsem.expr import Expr
from devsem.frontend.host import Texts, add_tensor, bindings_of, call_wrapper, checked, texts_of
from devsem.frontend.host_api import API, CUDA, FLOAT, METHODS, Called
from devsem.frontend.host_values import HostTensor, Int, Items, NotModelled, Real, Unknown, Word, flag, integer_of, whole
from devsem.frontend.solution_format import MOST_TEXT, formatted
from devsem.frontend.solution_load import Built, built, load_inline
from devsem.frontend.solution_python import Python
from devsem.frontend.solution_text import Text, joined
from devsem.frontend.solution_values import Class, Extension, Function, Instance, Layer, Method, Named, NewParameter, NewTensor, Unclear, shown
from devsem.frontend.spec import SpecInput
from devsem.plan import size_of

CONSTANTS: dict[str, Any] = {"math.pi": math.pi, "math.e": math.e, "math.inf": math.inf, "torch.inf": math.inf, "numpy.inf": math.inf, "torch.pi": math.pi}
DTYPES = {"torch.float32": FLOAT, "torch.float": FLOAT, "torch.float16": Word("dtype", "Half"), "torch.half": Word("dtype", "Half"),
          "torch.bfloat16": Word("dtype", "BFloat16"), "torch.float64": Word("dtype", "Double"), "torch.double": Word("dtype", "Double"),
          "torch.int32": Word("dtype", "Int"), "torch.int": Word("dtype", "Int"), "torch.int64": Word("dtype", "Long"), "torch.long": Word("dtype", "Long"),
          "torch.contiguous_format": Word("layout", "contiguous")}
NEW_TENSORS = frozenset({"randn", "rand", "empty", "zeros", "ones", "full", "tensor", "randn_like", "zeros_like", "ones_like", "empty_like", "eye", "arange"})
MODULE_METHODS = frozenset({"register_parameter", "reset_parameters", "to", "cuda", "eval", "train", "float"})
# a module's constructor: its parameters in order, with the defaults that matter
LAYERS: dict[str, tuple[tuple[str, Any], ...]] = {
    "Linear": (("in_features", None), ("out_features", None), ("bias", True)),
    "LayerNorm": (("normalized_shape", None), ("eps", 1e-5), ("elementwise_affine", True), ("bias", True)),
    "GroupNorm": (("num_groups", None), ("num_channels", None), ("eps", 1e-5), ("affine", True)),
    **{f"BatchNorm{d}d": (("num_features", None), ("eps", 1e-5), ("momentum", 0.1), ("affine", True)) for d in (1, 2, 3)},
    **{f"InstanceNorm{d}d": (("num_features", None), ("eps", 1e-5), ("momentum", 0.1), ("affine", False)) for d in (1, 2, 3)},
    **{f"Conv{d}d": (("in_channels", None), ("out_channels", None), ("kernel_size", None), ("stride", 1), ("padding", 0), ("dilation", 1), ("groups", 1),
                     ("bias", True)) for d in (1, 2, 3)},
    "Embedding": (("num_embeddings", None), ("embedding_dim", None)),
}
# the number of dimensions of a module's weight
RANKS = {"nn.Linear": 2, "nn.LayerNorm": 1, "nn.GroupNorm": 1, "nn.Embedding": 2, **{f"nn.{n}Norm{d}d": 1 for n in ("Batch", "Instance") for d in (1, 2, 3)},
         **{f"nn.Conv{d}d": d + 2 for d in (1, 2, 3)}}
PARAMETERS = frozenset({"weight", "bias", "running_mean", "running_var"})
ROUNDED: dict[str, Callable[[Any], Any]] = {"math.sqrt": math.sqrt, "math.ceil": math.ceil, "math.floor": math.floor, "builtins.abs": abs}
IGNORED = frozenset({"builtins.print", "torch.manual_seed", "torch.cuda.manual_seed", "torch.cuda.synchronize", "torch.cuda.empty_cache",
                     "os.environ.setdefault", "torch.set_float32_matmul_precision", "warnings.filterwarnings", "torch._C._jit_set_profiling_executor"})


@dataclass
class Known:
    """What is known of the problem: the spec's tensors, and the names that the solution's have; what was built."""

    inputs: Sequence[SpecInput] | None
    ranks: Mapping[str, int]
    building: bool = False
    built: dict[int, Built] = field(default_factory=dict)
    texts: dict[int, Texts] = field(default_factory=dict)
    used: list[Extension] = field(default_factory=list)
    parameters: dict[str, HostTensor] = field(default_factory=dict)


class Calls:
    """Attributes and calls, over what is known of the problem."""

    def __init__(self, known: Known) -> None:
        self.known = known

    # ---- attributes

    def attribute(self, py: Python, e: ast.Attribute, this: Any) -> Any:
        """`this.attr`."""
        attr = e.attr
        if isinstance(this, Class) and attr in this.attributes:
            return this.attributes[attr]
        if isinstance(this, Instance):
            return self._of_instance(py, e, this)
        if isinstance(this, Layer):
            return self._of_layer(py, e, this)
        if isinstance(this, HostTensor):
            known = {"dtype": FLOAT, "device": CUDA, "is_cuda": True, "data": this, "ndim": len(this.dims), "requires_grad": False, "is_contiguous": None}
            if attr == "shape":
                return Items(tuple(Int(d) for d in this.dims))
            return known[attr] if known.get(attr) is not None else Method(this, attr)
        if isinstance(this, Word) and this.kind == "device" and attr == "type":
            return Text(this.name.lower(), (e.lineno,))
        return Method(this, attr)

    def _of_instance(self, py: Python, e: ast.Attribute, this: Instance) -> Any:
        if e.attr in this.attributes:
            found = this.attributes[e.attr]
            if isinstance(found, NewParameter):
                return self.parameter(py, e, this.prefix + e.attr, found.shape)
            if isinstance(found, NewTensor) and not self.known.building:
                raise Unclear(e, "solution.value", name=shown(e))
            return found
        if e.attr in this.of.methods:
            return Function(this.of.methods[e.attr], this)
        if e.attr in this.of.attributes:
            return this.of.attributes[e.attr]
        if e.attr == "training":
            return False
        if e.attr in MODULE_METHODS or e.attr == "register_buffer":
            return Method(this, e.attr)
        raise Unclear(e, "solution.value", name=shown(e))

    def _of_layer(self, py: Python, e: ast.Attribute, this: Layer) -> Any:
        if e.attr in PARAMETERS:
            if (e.attr == "bias" and this.arguments.get("bias") is False) or False in (this.arguments.get("affine"), this.arguments.get("elementwise_affine")):
                return None
            return self.parameter(py, e, f"{this.prefix}.{e.attr}", None, self._shape_in(py, e, this) if self.known.inputs is None else ())
        if e.attr in this.arguments and this.arguments[e.attr] is not None:
            return this.arguments[e.attr]
        if e.attr in MODULE_METHODS:
            return Method(this, e.attr)
        raise Unclear(e, "solution.value", name=shown(e))

    def _shape_in(self, py: Python, e: ast.Attribute, this: Layer) -> tuple[Expr, ...]:
        """The sizes of a module's parameter where no spec says them: those of its other parameters agree with its weight's."""
        sizes = tuple(size_of(f"{this.prefix}.weight", i) for i in range(RANKS[this.of]))
        return sizes if e.attr == "weight" else self.parameter(py, e, f"{this.prefix}.weight", None, sizes).dims[:1]

    def parameter(self, py: Python, e: ast.AST, name: str, shape: tuple[int, ...] | None, dims: tuple[Expr, ...] = ()) -> HostTensor:
        """A parameter of the model, which is the spec's of the same name."""
        if name not in self.known.parameters:
            self.known.parameters[name] = self._parameter(py, e, name, shape, dims)
        return self.known.parameters[name]

    def _parameter(self, py: Python, e: ast.AST, name: str, shape: tuple[int, ...] | None, dims: tuple[Expr, ...]) -> HostTensor:
        if self.known.inputs is None:
            return add_tensor(py.host, name, None, self.known.ranks.get(name, 1), not dims, given=dims)
        of = next((i for i in self.known.inputs if i.name == name and i.kind == "parameter"), None)
        if of is None or (shape is not None and shape != of.shape):
            raise Unclear(e, "solution.parameter", name=name)
        return add_tensor(py.host, name, of, 0, False)

    # ---- calls

    def call(self, py: Python, e: ast.Call, of: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """`of(args, keywords)`."""
        match of:
            case Function(node, this):
                return py.call(node, this, args, keywords, e)
            case Named(name):
                return self._named(py, e, name, args, keywords)
            case Method(Text() as text, name):
                return self._text(e, text, name, args, keywords)
            case Method(HostTensor() as tensor, name):
                return self._tensor(py, e, tensor, name, args, keywords)
            case Method(Extension() as extension, name):
                return self._extension(py, e, extension, name, args, keywords)
            case Method(NewParameter() | NewTensor(), _) if self.known.building:
                return NewTensor(None)
            case Method(Instance() as this, "register_buffer") if len(args) >= 2 and isinstance(args[0], Text) and isinstance(args[1], NewTensor):
                this.attributes[args[0].value] = NewParameter(args[1].shape)
                return None
            case Method(Instance() | Layer() as this, name) if name in MODULE_METHODS:
                return this
            case Method(Class(_, bases, methods), "apply") if "torch.autograd.Function" in bases and "forward" in methods:
                return py.call(methods["forward"], Word("context"), args, keywords, e)
            case Method(Word("context"), "save_for_backward" | "mark_non_differentiable"):
                return None
            case Class():
                return self.instance(py, e, of, args, keywords)
            case Instance():
                if "forward" not in of.of.methods:
                    raise Unclear(e, "solution.operator", name=shown(e))
                return py.call(of.of.methods["forward"], of, args, keywords, e)
            case Layer():
                raise Unclear(e, "solution.operator", name=of.of)
        raise Unclear(e, "solution.operator", name=shown(e.func))

    def instance(self, py: Python, e: ast.AST, of: Class, args: Sequence[Any], keywords: Mapping[str, Any]) -> Instance:
        """A module of the text: what its __init__ stores."""
        odd = [m for m in of.methods if m.startswith("__") and m not in ("__init__", "__repr__")]
        if of.bases not in (("torch.nn.Module",), ("torch.nn.modules.module.Module",)) or odd:
            raise Unclear(of.node, "solution.statement", name=f"class {of.node.name} with {odd[0] if odd else 'another base than nn.Module'}")
        made = Instance(of)
        if "__init__" in of.methods:
            before, self.known.building = self.known.building, True
            py.call(of.methods["__init__"], made, args, keywords, e)
            self.known.building = before
        elif args or keywords:
            raise Unclear(e, "host.arguments", name=of.node.name, given=str(len(args)), taken="0")
        for name, value in made.attributes.items():
            if isinstance(value, Layer | Instance):
                value.prefix = name if isinstance(value, Layer) else f"{name}."
        return made

    def _named(self, py: Python, e: ast.Call, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        short = name.rpartition(".")[2]
        if name == "torch.utils.cpp_extension.load_inline":
            return load_inline(e, args, keywords)
        if name in IGNORED or name.startswith("torch.nn.init."):
            return None
        if name == "builtins.super":
            return Named("super")
        if name in ("super.__init__", "torch.nn.Module.__init__"):
            return None
        if name == "textwrap.dedent" and len(args) == 1 and isinstance(args[0], Text):
            return args[0].dedented()
        if name == "torch.nn.Parameter" or name == "torch.nn.parameter.Parameter":
            if not args or not isinstance(args[0], NewTensor | NewParameter):
                raise Unclear(e, "solution.value", name=shown(e))
            return NewParameter(args[0].shape)
        if name.startswith("torch.nn.") and short in LAYERS and name.count(".") == 2:
            rows = LAYERS[short]
            if len(args) > len(rows):
                raise Unclear(e, "host.arguments", name=short, given=str(len(args)), taken=str(len(rows)))
            return Layer(f"nn.{short}", {**dict(rows), **dict(zip((r[0] for r in rows), args, strict=False)), **keywords})
        if self.known.building and name.startswith("torch.") and short in NEW_TENSORS:
            return NewTensor(_shape(args) if short not in ("tensor", "arange", "eye", "full") and not short.endswith("_like") else None)
        if name.startswith("torch.") and name.count(".") == 1:
            return self._torch(py, e, short, args, keywords)
        if name.startswith("builtins.") or name in ROUNDED:
            return self._builtin(py, e, name, args, keywords)
        raise Unclear(e, "solution.operator", name=name)

    def _builtin(self, py: Python, e: ast.Call, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Python's own functions, of known numbers, texts and shapes."""
        if keywords or not args:
            raise Unclear(e, "solution.construct", name=shown(e))
        a = args[0]
        is_number = isinstance(a, int | float)
        match name.removeprefix("builtins."):
            case "int" if isinstance(a, Int) or (is_number and math.isfinite(a)):
                return a if isinstance(a, Int) else int(a)
            case "float" if is_number or (isinstance(a, Text) and a.value.strip("+-").lower() in ("inf", "infinity", "nan")):
                return float(a.value if isinstance(a, Text) else a)
            case "float" if isinstance(a, Int):
                return float(integer_of(py.host.fixed(a, py.where(e))))
            case "bool" if is_number:
                return bool(a)
            case "str" if len(args) == 1:
                return py.as_text(e, a)
            case "len" if isinstance(a, Items):
                return len(a.values)
            case "tuple" | "list" if isinstance(a, Items):
                return a
            case "min" | "max" as which if len(args) > 1 and all(isinstance(v, int | float) for v in args):
                return min(args) if which == "min" else max(args)
            case "min" | "max" as which if len(args) == 2 and all(isinstance(v, int | Int) for v in args):
                return API[f"std::{which}"](Called(py.host, py.where(e), which, None, tuple(to_host(v) for v in args)))
            case _ if name in ROUNDED and is_number and (name != "math.sqrt" or a >= 0):
                return ROUNDED[name](a)
        raise Unclear(e, "solution.operator" if isinstance(a, HostTensor) else "solution.construct", name=shown(e))

    def _text(self, e: ast.Call, text: Text, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """A string's methods that only move text about."""
        known = [a.value for a in args if isinstance(a, Text)]
        if name == "replace" and len(known) == len(args) == 2 and not keywords:
            if len(text.value) + text.value.count(known[0]) * len(known[1]) > MOST_TEXT:
                raise Unclear(e, "solution.size", what=f"a string has more than {MOST_TEXT} characters")
            return text.replaced(known[0], known[1])
        if name in ("strip", "lstrip", "rstrip") and not args and not keywords:
            return text.stripped(name != "rstrip", name != "lstrip")
        if name == "join" and len(args) == 1 and isinstance(args[0], Items) and all(isinstance(v, Text) for v in args[0].values):
            return joined(args[0].values, text)
        if name == "format":
            return formatted(e, text, args, keywords)
        if name in ("startswith", "endswith") and len(known) == 1:
            return text.value.startswith(known[0]) if name == "startswith" else text.value.endswith(known[0])
        raise Unclear(e, "solution.text", name="the string", what=f"`.{name}` is not read")

    def _tensor(self, py: Python, e: ast.Call, tensor: HostTensor, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """A tensor's methods: the same as in C++."""
        if name == "float" and not args:
            return tensor
        if name == "size" and not args:
            return Items(tuple(Int(d) for d in tensor.dims))
        if name == "requires_grad_":
            return tensor
        if name not in METHODS or name in ("data_ptr", "data", "type"):
            raise Unclear(e, "solution.operator", name=f"{name}")
        given = [to_host(a) for a in args] + [to_host(keywords[k]) for k in ("start_dim", "end_dim", "dim", "device", "dtype") if k in keywords]
        if set(keywords) - {"start_dim", "end_dim", "dim", "device", "dtype", "non_blocking", "memory_format", "copy"}:
            raise Unclear(e, "solution.construct", name=shown(e))
        if name in ("view", "reshape") and not (len(given) == 1 and isinstance(given[0], Items)):
            given = [Items(tuple(given))]
        if name in ("cuda", "contiguous", "detach"):
            given = []
        found = METHODS[name](Called(py.host, py.where(e), name, tensor, tuple(given)))
        return bool(found.expr.value) if isinstance(found, Int) and found.expr.sort == "BOOL" and found.expr.is_const else found

    def _torch(self, py: Python, e: ast.Call, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """PyTorch's functions that only make memory or view it."""
        if name == "device" and len(args) == 1 and isinstance(args[0], Text):
            return Word("device", "CUDA" if args[0].value.startswith("cuda") else "CPU")
        if name == "flatten" and args and isinstance(args[0], HostTensor):
            return self._tensor(py, e, args[0], name, args[1:], keywords)
        if name not in ("empty", "zeros", "empty_like", "zeros_like") or not args:
            raise Unclear(e, "solution.operator", name=f"torch.{name}")
        if set(keywords) - {"device", "dtype", "memory_format", "requires_grad"}:
            raise Unclear(e, "solution.construct", name=shown(e))
        given = [to_host(a) for a in args]
        if not name.endswith("_like") and not (len(given) == 1 and isinstance(given[0], Items)):
            given = [Items(tuple(given))]
        options = [to_host(keywords[k]) for k in ("dtype", "device") if k in keywords]
        return API[f"at::{name}"](Called(py.host, py.where(e), name, None, (*given, *options)))

    def _extension(self, py: Python, e: ast.Call, extension: Extension, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """A call of a function of the extension."""
        texts = self.texts(py, extension)
        bound = bindings_of(texts) if extension.functions is None else {n: n for n in extension.functions}
        if name not in bound or bound[name] not in texts.owners or keywords:
            raise Unclear(e, "solution.operator", name=shown(e.func))
        if extension not in self.known.used:
            self.known.used.append(extension)
        return to_python(call_wrapper(texts, py.host, bound[name], [to_host(a) for a in args], py.where(e)))

    def texts(self, py: Python, extension: Extension) -> Texts:
        """The extension's functions, its texts read once."""
        key = id(extension)
        if key not in self.known.texts:
            self.known.built[key] = built(py.path, extension)
            self.known.texts[key] = texts_of([checked(p, t) for p, t in self.known.built[key].texts])
        return self.known.texts[key]


def to_host(value: Any) -> Any:
    """A Python value as the argument of a C++ function."""
    if isinstance(value, bool):
        return flag(value)
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 63:
            raise NotModelled(f"the integer {value}")
        return whole(value)
    if isinstance(value, float):
        return Real(value, True)
    if value is None:
        return Word("nothing")
    if isinstance(value, Items):
        return Items(tuple(to_host(v) for v in value.values))
    if isinstance(value, Text):
        return Word("device", "CUDA" if value.value.startswith("cuda") else "CPU") if value.value.startswith(("cuda", "cpu")) else Word("text", value.value)
    if isinstance(value, Named):
        if value.name not in DTYPES:
            raise NotModelled(f"`{value.name}`")
        return DTYPES[value.name]
    if isinstance(value, HostTensor | Int | Word | Real | Unknown):
        return value
    raise NotModelled("a value that no C++ function takes")


def to_python(value: Any) -> Any:
    """What a C++ function returned."""
    return Items(tuple(to_python(v) for v in value.values)) if isinstance(value, Items) else value


def _shape(args: Sequence[Any]) -> tuple[int, ...] | None:
    """The shape that a new tensor is made with, where it is known."""
    values = args[0].values if len(args) == 1 and isinstance(args[0], Items) else args
    return tuple(values) if all(isinstance(v, int) for v in values) else None
