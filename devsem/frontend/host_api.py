"""THE TABLE of what host code may call: PyTorch's and CUDA's functions by their qualified names (`c10` and `torch` said as `at`), with what they do to values.

What is not here is refused by name. Tensors are float32, contiguous, on the device: what asks for that is answered yes, and a verdict says
that it was taken for granted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from devsem.errors import Rejected, Where
from devsem.expr import Expr, const, const_int
from devsem.frontend.host_state import Host
from devsem.frontend.host_values import (
    HostTensor,
    Int,
    Items,
    NotModelled,
    Pointer,
    Real,
    Three,
    Word,
    as_type,
    binary,
    flag,
    integer_of,
    number_of,
    resized,
    whole,
)
from devsem.ops import B32, B64
from devsem.plan import Initial, numel
from devsem.rejections import rejection
from devsem.simplify import make

FLOAT = Word("dtype", "Float")
CUDA = Word("device", "CUDA")
STREAM = Word("stream", "current")


@dataclass(frozen=True)
class Called:
    """One call: its place, its name as written, the object of a method, the arguments (None: left to the declaration), and the type it returns."""

    host: Host
    where: Where
    name: str
    this: Any
    args: tuple[Any, ...]
    returns: str = ""

    def tensor(self, value: Any) -> HostTensor:
        """A tensor, and nothing else."""
        if not isinstance(value, HostTensor):
            raise NotModelled(f"`{self.name}` of something that is no tensor known here")
        return value

    def known(self, value: Any) -> int:
        """An integer that does not depend on sizes."""
        if not isinstance(value, Int):
            raise NotModelled(f"`{self.name}` of something that is no integer")
        return integer_of(value)


Handler = Callable[[Called], Any]


def _size(c: Called) -> Int:
    t = c.tensor(c.this)
    return Int(t.dims[c.host.axis(t, c.known(c.args[0]), c.where, t.memory)])


def _stride(c: Called) -> Int:
    t = c.tensor(c.this)
    return Int(numel(t.dims[c.host.axis(t, c.known(c.args[0]), c.where, t.memory) + 1:]))


def _dim(c: Called) -> Int:
    t = c.tensor(c.this)
    if t.memory in c.host.guessed:
        c.host.asked_rank.append(t.memory)
    return whole(len(t.dims))


def _data(c: Called) -> Pointer:
    if c.returns not in ("float *", "const float *", "void *", "const void *"):
        raise Rejected(rejection("host.dtype", c.where, name=c.returns))
    return Pointer(c.tensor(c.this).memory)


def _shape(c: Called) -> Items:
    return Items(tuple(Int(d) for d in c.tensor(c.this).dims))


def dims_of(value: Any, what: str) -> tuple[Expr, ...]:
    """A shape as 64-bit expressions."""
    if isinstance(value, Int):
        value = Items((value,))
    if not isinstance(value, Items) or not all(isinstance(v, Int) for v in value.values):
        raise NotModelled(f"the shape given to `{what}`")
    return tuple(resized(v, B64, True).expr for v in value.values)


def _made(initial: Initial) -> Handler:
    def build(c: Called) -> HostTensor:
        given = _float_options(c, c.args[1:])
        if given.device != "CUDA":
            raise Rejected(rejection("host.value", c.where, what=f"a tensor that `{c.name}` makes in the processor's memory"))
        dims = dims_of(c.args[0], c.name)
        return c.host.new(c.name, dims, initial)
    return build


def _like(initial: Initial) -> Handler:
    def build(c: Called) -> HostTensor:
        _float_options(c, c.args[1:])
        return c.host.new(c.name, c.tensor(c.args[0]).dims, initial)
    return build


@dataclass(frozen=True)
class Options:
    """A new tensor's options; an empty text is the default."""

    dtype: str = ""
    device: str = ""


def options_of(values: Iterable[Any]) -> Options:
    """What several options, dtypes and devices say together; the last one counts."""
    out = Options()
    for v in values:
        if isinstance(v, Options):
            out = Options(v.dtype or out.dtype, v.device or out.device)
        elif isinstance(v, Word) and v.kind == "dtype":
            out = replace(out, dtype=v.name)
        elif isinstance(v, Word) and v.kind == "device":
            out = replace(out, device=v.name)
    return out


def _float_options(c: Called, options: Iterable[Any]) -> Options:
    """A new tensor's options, which must be float32 on the device as far as they are said."""
    found = options_of(options)
    if found.dtype not in ("", "Float"):
        raise Rejected(rejection("host.dtype", c.where, name=found.dtype))
    if found.device not in ("", "CUDA"):
        raise Rejected(rejection("host.value", c.where, what=f"a tensor on the device {found.device}"))
    return found


def _with_option(c: Called) -> Options:
    return options_of((c.this, *c.args))


def _same(c: Called) -> Any:
    return c.this


def _to(c: Called) -> Any:
    """A copy with another type or on another device: nothing, if both are what a tensor has already."""
    _float_options(c, c.args)
    return c.this


def _view(c: Called) -> HostTensor:
    return c.host.reshaped(c.tensor(c.this), dims_of(c.args[0], c.name), c.where)


def _view_as(c: Called) -> HostTensor:
    return c.host.reshaped(c.tensor(c.this), c.tensor(c.args[0]).dims, c.where)


def _flatten(c: Called) -> HostTensor:
    t = c.tensor(c.this)
    first, last = (whole(d) if a is None else a for a, d in zip((*c.args, None, None), (0, -1), strict=False))
    start, end = (c.host.axis(t, c.known(a), c.where, t.memory) for a in (first, last))
    return HostTensor(t.memory, (*t.dims[:start], numel(t.dims[start:end + 1]), *t.dims[end + 1:]))


def _unsqueeze(c: Called) -> HostTensor:
    t, at = c.tensor(c.this), c.known(c.args[0])
    at = at if at >= 0 else at + len(t.dims) + 1
    return HostTensor(t.memory, (*t.dims[:at], const_int(B64, 1), *t.dims[at:]))


def _squeeze(c: Called) -> HostTensor:
    """Removes dimensions of one element; a dimension that is one at the spec's sizes becomes a precondition."""
    t = c.tensor(c.this)
    which = range(len(t.dims)) if not c.args or c.args[0] is None else [c.host.axis(t, c.known(c.args[0]), c.where, t.memory)]
    gone = [i for i in which if c.host.choose(make("ieq_b64", t.dims[i], const_int(B64, 1)), f"{t.memory} has one element in dimension {i}", c.where, False)]
    return HostTensor(t.memory, tuple(d for i, d in enumerate(t.dims) if i not in gone))


def _clone(c: Called) -> HostTensor:
    found = c.host.clone(c.tensor(c.this), "clone")
    if found is None:
        raise NotModelled("a copy of a tensor that a kernel has written, or that is empty")
    return found


def _zeroed(c: Called) -> HostTensor:
    """`x.zero_()` of memory that nobody has used."""
    t = c.tensor(c.this)
    memory = c.host.memories[t.memory]
    if memory.initial == "input" or t.memory in c.host.touched:
        raise NotModelled("clearing a tensor that has been used")
    c.host.memories[t.memory] = type(memory)(memory.name, memory.dims, "zeros")
    return t


def _check(c: Called) -> None:
    holds, text = c.args
    if isinstance(holds, HostTensor):
        return
    if not isinstance(holds, Int):
        raise NotModelled("a check of something that is no condition")
    condition = as_type(holds, "BOOL").expr
    c.host.require(condition, text.name if isinstance(text, Word) else c.name, c.where)


def _extreme(row: str) -> Handler:
    def build(c: Called) -> Any:
        a, b = c.args
        if isinstance(a, Real):
            larger = number_of(a) > number_of(b)
            return a if larger == (row == "max") else b
        if a.expr.sort != b.expr.sort:
            raise NotModelled(f"`{c.name}` of two types")
        prefix = "s" if a.signed else "u"
        return Int(make(f"{prefix}{row}_{a.expr.sort.lower()}", a.expr, b.expr), a.signed)
    return build


def _rounded(function: Callable[[float], float]) -> Handler:
    def build(c: Called) -> Real:
        value = c.args[0]
        if not isinstance(value, Real) or not math.isfinite(number_of(value)):
            raise NotModelled(f"`{c.name}` of this value")
        found = float(function(number_of(value)))
        return Real(found, True) if value.double else Real(const(found), False)     # exact, since the argument was a float
    return build


def _root(c: Called) -> Any:
    value = c.args[0]
    if isinstance(value, Real) and not value.double and isinstance(value.value, Expr) and value.value.is_const:
        return Real(make("sqrt_rn", value.value), False)
    return Real(math.sqrt(number_of(value)), True)


def _three(c: Called) -> Three:
    if len(c.args) == 1 and isinstance(c.args[0], Three):
        return c.args[0]
    axes = [const_int(B32, 1) if a is None else resized(a, B32, False).expr for a in (*c.args, None, None, None)[:3]]
    return Three((axes[0], axes[1], axes[2]))


def _list(c: Called) -> Any:
    """A list's constructor: of a list, or of nothing."""
    given = [a for a in c.args if a is not None]
    if not given:
        return Items(())
    if len(given) == 1 and isinstance(given[0], Items):
        return given[0]
    raise NotModelled("a list made by its length")


def _item(c: Called) -> Any:
    items, at = c.this, c.known(c.args[0])
    if not isinstance(items, Items) or not 0 <= at < len(items.values):
        raise Rejected(rejection("host.check", c.where, text=f"there is an element {at}"))
    return items.values[at]


def _constant(value: Any) -> Handler:
    return lambda c: value


def _nothing(c: Called) -> Any:
    return None


def _refused(c: Called) -> Any:
    raise Rejected(rejection("host.call", c.where, name=c.name))


def _equal(op: str) -> Handler:
    def build(c: Called) -> Any:
        values = [v for v in (c.this, *c.args) if v is not None]
        return binary(op, *values)
    return build


def _first(c: Called) -> Any:
    return c.args[0] if c.args else Word("nothing")


def _has(c: Called) -> Int:
    return flag(not (isinstance(c.this, Word) and c.this.kind == "nothing"))


_T, _O, _S, _D = "at::Tensor::", "at::TensorOptions::", "at::IntArrayRef::", "at::Device::"
METHODS: dict[str, Handler] = {
    "size": _size, "stride": _stride, "sizes": _shape, "numel": lambda c: Int(numel(c.tensor(c.this).dims)), "dim": _dim, "ndimension": _dim,
    "data_ptr": _data, "mutable_data_ptr": _data, "const_data_ptr": _data, "data": _data, "defined": _has,
    "contiguous": _same, "detach": _same, "cuda": _same, "set_requires_grad": _same, "to": _to, "clone": _clone, "zero_": _zeroed,
    "view": _view, "reshape": _view, "view_as": _view_as, "reshape_as": _view_as, "flatten": _flatten, "squeeze": _squeeze, "unsqueeze": _unsqueeze,
    "is_cuda": _constant(flag(True)), "is_cpu": _constant(flag(False)), "is_contiguous": _constant(flag(True)), "requires_grad": _constant(flag(False)),
    "is_floating_point": _constant(flag(True)), "device": _constant(CUDA), "get_device": _constant(Int(const_int(B64, 0))),
    "dtype": _constant(FLOAT), "scalar_type": _constant(FLOAT), "type": _constant(FLOAT), "options": _constant(Options("Float", "CUDA")),
    "element_size": _constant(whole(4)), "itemsize": _constant(whole(4)),
}
API: dict[str, Handler] = {
    **{_T + name: handler for name, handler in METHODS.items()},
    _T + "Tensor": _first,
    "at::empty": _made("empty"), "at::zeros": _made("zeros"), "at::empty_like": _like("empty"), "at::zeros_like": _like("zeros"),
    "at::device_of": _constant(CUDA), "at::dtype": _with_option, "at::device": _with_option, "at::requires_grad": _with_option,
    **{_O + name: _with_option for name in ("dtype", "device", "requires_grad", "memory_format", "layout", "TensorOptions")},
    _S + "IntArrayRef": _list, _S + "operator[]": _item, _S + "size": lambda c: whole(len(c.this.values)), _S + "vec": _same,
    _S + "back": lambda c: c.this.values[-1], _S + "front": lambda c: c.this.values[0], _S + "operator==": _equal("=="), _S + "operator!=": _equal("!="),
    _D + "Device": lambda c: Word("device", getattr(c.args[0], "name", "CUDA")), _D + "type": _same, _D + "index": _constant(whole(0)),
    _D + "is_cuda": lambda c: flag(c.this.name == "CUDA"), _D + "is_cpu": lambda c: flag(c.this.name != "CUDA"),
    _D + "operator==": _equal("=="), _D + "operator!=": _equal("!="),
    "at::cuda::getCurrentCUDAStream": _constant(STREAM), "at::cuda::CUDAStream::stream": _constant(STREAM),
    "at::cuda::CUDAStream::operator CUstream_st *": _constant(STREAM), "at::cuda::CUDAStream::CUDAStream": _first,
    "at::cuda::CUDAGuard::CUDAGuard": _constant(CUDA), "at::cuda::OptionalCUDAGuard::OptionalCUDAGuard": _constant(CUDA),
    "devsem::check": _check,
    "std::min": _extreme("min"), "std::max": _extreme("max"), "min": _extreme("min"), "max": _extreme("max"), "std::move": _first,
    **{f"{std}{name}": _rounded(function) for std in ("", "std::") for name, function in (("ceil", math.ceil), ("floor", math.floor))},
    "ceilf": _rounded(math.ceil), "floorf": _rounded(math.floor), "sqrtf": _root, "sqrt": _root, "std::sqrt": _root,
    "dim3::dim3": _three,
    "std::vector::vector": _list, "std::vector::operator[]": _item, "std::vector::at": _item, "std::vector::size": lambda c: whole(len(c.this.values)),
    "std::tuple::tuple": lambda c: Items(c.args), "std::make_tuple": lambda c: Items(c.args),
    "std::optional::optional": _first, "std::optional::has_value": _has, "std::optional::operator bool": _has, "std::optional::value": _same,
    "std::optional::operator*": _same, "std::string::string": _first, "std::string::c_str": _same, "std::operator==": _equal("=="),
    # no kernel is known to fail, so no status says that one did
    **{name: _constant(Int(const_int(B32, 0))) for name in ("cudaGetLastError", "cudaPeekAtLastError", "cudaDeviceSynchronize", "cudaStreamSynchronize",
                                                           "cudaSetDevice")},
    "cudaGetErrorString": _constant(Word("text")), "cudaGetErrorName": _constant(Word("text")),
    **dict.fromkeys(("printf", "fprintf", "fflush", "std::operator<<", "std::endl"), _nothing),
}
