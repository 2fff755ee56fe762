"""Operators that move elements and make constants, for `spec_arrays.py`: each is numpy's, so that what shares memory in PyTorch does here."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from devsem.aten_rows import Refused
from devsem.expr import const, const_bool, mk
from devsem.frontend.spec import SORTS
from devsem.frontend.spec_arrays_base import INTEGERS, MOST_CELLS, Arguments, Array, Context, Data, Rule, as_expressions, filled


def _view(f: Callable[[Data, Arguments], Data]) -> Rule:
    """One array in, one out, of the same dtype."""
    return lambda context, a: Array(f(a["self"].data, a), a["self"].dtype)


def _shaped(data: Data, a: Arguments) -> Data:
    """In the result's shape; the order of the elements stays."""
    return data.reshape(a["result"][1])


def _slice(data: Data, a: Arguments) -> Data:
    size = data.shape[a["dim"]]
    return _at(data, a["dim"], slice(*slice(a.get("start"), a.get("end"), a["step"]).indices(size)))


def _at(data: Data, dim: int, key: Any) -> Data:
    """numpy's view at a key in one dimension."""
    keys: list[Any] = [slice(None)] * data.ndim
    keys[dim] = key
    made: Data = data[(*keys, ...)]     # with the ellipsis one element is an array, and a view
    return made


def _index(context: Context, a: Arguments) -> Array:
    """Indexing with tensors of integers, as numpy has it."""
    keys: list[Any] = []
    for key in a["indices"]:
        if key is None:
            keys.append(slice(None))
        elif isinstance(key, Array) and key.dtype in INTEGERS:
            keys.append(key.data)
        else:
            raise Refused("it selects by truth values")
    return Array(np.ascontiguousarray(a["self"].data[tuple(keys)]).reshape(a["result"][1]), a["self"].dtype)


def _gather(context: Context, a: Arguments) -> Array:
    return Array(np.take_along_axis(a["self"].data, a["index"].data, a["dim"]), a["self"].dtype)


def _joined(f: Callable[[list[Data], int], Data]) -> Rule:
    def rule(context: Context, a: Arguments) -> Array:
        kinds = {t.dtype for t in a["tensors"]}
        if len(kinds) != 1:
            raise Refused("its tensors differ in dtype", "spec.dtype")
        return Array(f([t.data for t in a["tensors"]], a["dim"]), kinds.pop())
    return rule


def _parts(context: Context, a: Arguments) -> tuple[Array, ...]:
    """split, split_with_sizes, chunk: consecutive parts along a dimension."""
    data, dim = a["self"].data, a["dim"]
    size, given = data.shape[dim], a.get("split_size", a.get("split_sizes"))
    each = math.ceil(size / a["chunks"]) if given is None else given
    sizes = each if isinstance(each, tuple) else (each,) * math.ceil(size / max(each, 1))
    starts = np.cumsum((0, *sizes))
    return tuple(Array(_at(data, dim, slice(int(s), int(e))), a["self"].dtype) for s, e in itertools.pairwise(starts))


def _broadcast(context: Context, a: Arguments) -> tuple[Array, ...]:
    shape = np.broadcast_shapes(*(t.data.shape for t in a["tensors"]))
    return tuple(Array(np.broadcast_to(t.data, shape), t.dtype) for t in a["tensors"])


def _unbind(context: Context, a: Arguments) -> tuple[Array, ...]:
    return tuple(Array(_at(a["self"].data, a["dim"], i), a["self"].dtype) for i in range(a["self"].data.shape[a["dim"]]))


def _copied(data: Data) -> Data:
    return np.array(data, copy=True, order="C")


def _of(value: float, dtype: str, shape: tuple[int, ...]) -> Array:
    """One number everywhere."""
    if math.prod(shape) > MOST_CELLS:
        raise Refused(f"its result has {math.prod(shape)} elements; at most {MOST_CELLS} are computed one by one", "spec.large")
    if dtype in INTEGERS:
        return Array(np.full(shape, int(value), INTEGERS[dtype]), dtype)
    if dtype not in SORTS:
        raise Refused(f"its result has dtype {dtype}; only float32 is modelled, and bool in between", "spec.dtype")
    return Array(filled([const_bool(value != 0) if dtype == "bool" else const(value)] * math.prod(shape), shape), dtype)


def _full(value: float | str) -> Rule:
    """A constant tensor, of a number or of the number that is an argument."""
    def rule(context: Context, a: Arguments) -> Array:
        number = a[value] if isinstance(value, str) else value
        if not isinstance(number, int | float):
            raise Refused("its value is not a number")
        return _of(number, *a["result"])
    return rule


def _arange(context: Context, a: Arguments) -> Array:
    dtype = a["result"][0]
    values = np.arange(a.get("start", 0), a["end"], a.get("step", 1))
    if values.dtype.kind != "i" or len(values) > MOST_CELLS:
        raise Refused("its numbers are no integers, or too many")
    if dtype in INTEGERS:
        return Array(values.astype(INTEGERS[dtype]), dtype)
    return Array(filled([const(float(v)) for v in values.tolist()], values.shape), dtype)


def _cast(context: Context, a: Arguments) -> Array:
    """Between dtypes; the tensor itself where nothing changes."""
    array, dtype = a["self"], a["result"][0]
    if array.dtype == dtype:
        return Array(array.data, dtype)
    if array.dtype in INTEGERS and dtype in INTEGERS:
        return Array(array.data.astype(INTEGERS[dtype]), dtype)
    if dtype == "float32":
        values = as_expressions(array).reshape(-1)
        return Array(filled([mk("select", v, const(1.0), const(0.0)) if v.sort == "BOOL" else v for v in values], array.data.shape), dtype)
    if dtype == "bool" and array.dtype in INTEGERS:
        return Array(filled([const_bool(v != 0) for v in array.data.reshape(-1).tolist()], array.data.shape), dtype)
    if dtype == "bool":
        return Array(filled([mk("not", mk("eq", v, const(0.0))) for v in array.data.reshape(-1)], array.data.shape), dtype)
    raise Refused(f"its result has dtype {dtype}; only float32 is modelled, and bool in between", "spec.dtype")


def _copy_to(context: Context, a: Arguments) -> Array:
    """Write a tensor over another, in place."""
    target, source = a["self"], a["src"]
    if source.dtype != target.dtype:
        raise Refused("it converts while it copies", "spec.dtype")
    target.data[...] = np.broadcast_to(source.data, target.data.shape).copy()
    return Array(target.data, target.dtype)


def _fill(context: Context, a: Arguments) -> Array:
    """Write one number over a tensor, in place."""
    target, number = a["self"], a.get("value", 0)
    if not isinstance(number, int | float):
        raise Refused("its value is not a number")
    target.data[...] = _of(number, target.dtype, target.data.shape).data
    return Array(target.data, target.dtype)


def _triangle(keep: Callable[[Data, int], Data]) -> Rule:
    """Zero beyond a diagonal."""
    def rule(context: Context, a: Arguments) -> Array:
        inside = keep(np.ones(a["self"].data.shape, np.int64), a["diagonal"]) != 0
        made = _copied(a["self"].data)
        made[~inside] = const(0.0)
        return Array(made, a["self"].dtype)
    return rule


def _integer(f: Callable[[Any, Any], Any]) -> Rule:
    """Arithmetic of concrete integers; comparisons of them give truth values."""
    def rule(context: Context, a: Arguments) -> Array:
        if a.get("alpha", 1) != 1:
            raise Refused("its alpha is not 1")
        sides = [v.data if isinstance(v, Array) else v for v in (a["self"], a["other"])]
        made, (dtype, shape) = np.asarray(f(*sides)), a["result"]
        if dtype in INTEGERS:
            return Array(made.astype(INTEGERS[dtype]), dtype)
        return Array(filled([const_bool(bool(v)) for v in made.reshape(-1).tolist()], shape), dtype)
    return rule


def getitem(context: Context, a: Arguments) -> Array:
    """One of an operator's several results."""
    made: Array = a["0"][a["1"]]
    return made


VIEWS: Mapping[str, Rule] = {
    **{f"aten.{name}": _view(_shaped) for name in (
        "view.default", "reshape.default", "flatten.using_ints", "unflatten.int", "unsqueeze.default", "squeeze.default", "squeeze.dim", "squeeze.dims",
        "view_as.default", "reshape_as.default", "_unsafe_view.default")},
    **{f"aten.{name}": _view(lambda d, a: np.broadcast_to(d, a["result"][1])) for name in ("expand.default", "expand_as.default", "broadcast_to.default")},
    "aten.permute.default": _view(lambda d, a: d.transpose(a["dims"])),
    "aten.transpose.int": _view(lambda d, a: d.swapaxes(a["dim0"], a["dim1"])),
    "aten.t.default": _view(lambda d, a: d.T), "aten.numpy_T.default": _view(lambda d, a: d.T), "aten.mT.default": _view(lambda d, a: d.swapaxes(-1, -2)),
    "aten.movedim.int": _view(lambda d, a: np.moveaxis(d, a["source"], a["destination"])),
    "aten.select.int": _view(lambda d, a: _at(d, a["dim"], a["index"])),
    "aten.slice.Tensor": _view(_slice),
    "aten.narrow.default": _view(lambda d, a: _at(d, a["dim"], slice(a["start"], a["start"] + a["length"]))),
    "aten.flip.default": _view(lambda d, a: _copied(np.flip(d, a["dims"]))),
    "aten.roll.default": _view(lambda d, a: np.roll(d, a["shifts"], a["dims"] or None)),
    "aten.repeat.default": _view(lambda d, a: np.tile(d, a["repeats"])),
    "aten.clone.default": _view(lambda d, a: _copied(d)), "aten.contiguous.default": _view(lambda d, a: np.ascontiguousarray(d).reshape(d.shape)),
    **{f"aten.{name}.default": _view(lambda d, a: d) for name in ("alias", "detach", "detach_", "positive", "lift_fresh_copy", "lift_fresh")},
    "aten.tril.default": _triangle(np.tril), "aten.triu.default": _triangle(np.triu),
    "aten.index.Tensor": _index, "aten.gather.default": _gather,
    "aten.index_select.default": lambda c, a: Array(np.take(a["self"].data, a["index"].data, a["dim"]), a["self"].dtype),
    "aten.cat.default": _joined(lambda parts, dim: np.concatenate([p for p in parts if p.shape != (0,)], dim)),
    "aten.concat.default": _joined(lambda parts, dim: np.concatenate(parts, dim)), "aten.stack.default": _joined(lambda parts, dim: np.stack(parts, dim)),
    **{f"aten.{name}": _parts for name in ("split.Tensor", "split_with_sizes.default", "split.sizes", "chunk.default")},
    "aten.unbind.int": _unbind, "aten.broadcast_tensors.default": _broadcast, "getitem": getitem,
    **{f"aten.{name}{form}.default": _full(number) for name, number in (("zeros", 0.0), ("ones", 1.0)) for form in ("", "_like")},
    "aten.new_zeros.default": _full(0.0), "aten.new_ones.default": _full(1.0),
    **{f"aten.{name}.default": _full("fill_value") for name in ("full", "full_like", "new_full")}, "aten.scalar_tensor.default": _full("s"),
    **{f"aten.arange.{form}": _arange for form in ("default", "start", "start_step")},
    **{f"aten.to.{form}": _cast for form in ("dtype", "dtype_layout", "device", "other")}, "aten._to_copy.default": _cast, "aten.type_as.default": _cast,
    "aten.copy_.default": _copy_to, "aten.fill_.Scalar": _fill, "aten.zero_.default": _fill,
}

INTEGER: Mapping[str, Rule] = {
    f"aten.{name}.{form}": _integer(f) for names, f in (
        (("add",), operator.add), (("sub",), operator.sub), (("mul",), operator.mul), (("floor_divide",), operator.floordiv),
        (("remainder",), operator.mod), (("bitwise_xor", "__xor__"), operator.xor), (("bitwise_and", "__and__"), operator.and_),
        (("bitwise_or", "__or__"), operator.or_), (("bitwise_left_shift", "__lshift__"), operator.lshift),
        (("bitwise_right_shift", "__rshift__"), operator.rshift), (("lt",), operator.lt), (("le",), operator.le), (("gt",), operator.gt),
        (("ge",), operator.ge), (("eq",), operator.eq), (("ne",), operator.ne)) for name in names for form in ("Tensor", "Scalar")}
