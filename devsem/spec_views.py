"""Tensors of every size for `spec_elements.py`, and the operators that move elements or take windows of them: maps of indices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from math import prod
from typing import Any

from devsem.aten_rows import ZERO, Refused
from devsem.digits import ONE, Digits
from devsem.expr import Expr, bits, const, mk
from devsem.polynomial import Poly, number
from devsem.symbols import Symbols

Dims = tuple[Poly, ...]
Index = tuple[Poly, ...]
NOTHING = number(0)
MINUS_INF = bits(0xFF800000)
MOST_WINDOW = 64


@dataclass
class Reader:
    """Reads elements over coordinates: `digits` knows these, `shared` has the cells."""

    shared: Symbols
    digits: Digits
    done: dict[tuple[str, Index], Expr] = field(default_factory=dict)


@dataclass(frozen=True)
class Tensor:
    """A tensor: its dimensions, and the value at each index. `cell`: the memory it lives in."""

    name: str
    dims: Dims
    dtype: str
    value: Callable[[Index, Reader], Expr]
    cell: str

    def at(self, index: Index, reader: Reader) -> Expr:
        """The element at an index."""
        key = self.name, index
        if key not in reader.done:
            reader.done[key] = self.value(index, reader)
        return reader.done[key]


Arguments = Mapping[str, Any]
Made = Callable[[Index, Reader], Expr]
Rule = Callable[[Arguments, Dims], Made]


def flat(index: Index, dims: Dims) -> Poly:
    """The number of an element in row-major order."""
    return reduce(lambda at, one: at * one[1] + one[0], zip(index, dims, strict=True), NOTHING)


def unflat(at: Poly, dims: Dims, digits: Digits) -> Index:
    """The index of an element by its number."""
    out: list[Poly] = []
    for i, d in enumerate(dims):
        below = _product(dims[i + 1:])
        one = at if below == ONE else digits.quotient(at, below)
        out.append(NOTHING if d == ONE else one if _is_first(dims, i) else digits.remainder(one, d))
    return tuple(out)


def _is_first(dims: Dims, i: int) -> bool:
    """Is the dimension the first that is not 1?"""
    return all(d == ONE for d in dims[:i])


def broadcast(tensor: Tensor, index: Index, dims: Dims) -> Index:
    """The index in a tensor that is broadcast to `dims`. Raises Refused where a size is not known to be the same, or 1."""
    start = len(dims) - len(tensor.dims)
    out = []
    for mine, theirs, i in zip(tensor.dims, dims[start:], index[start:], strict=True):
        if mine != ONE and mine != theirs:
            raise Refused(f"a tensor of {mine} elements along a dimension meets one of {theirs}")
        out.append(NOTHING if mine == ONE and theirs != ONE else i)
    return tuple(out)


def _moved(order: Callable[[Arguments, int], Sequence[int]]) -> Rule:
    """Dimensions in another order: the result's j-th is the tensor's `order[j]`-th."""
    def rule(a: Arguments, dims: Dims) -> Made:
        x: Tensor = a["self"]
        axes = [k % len(x.dims) for k in order(a, len(x.dims))]

        def value(index: Index, reader: Reader) -> Expr:
            place = dict(zip(axes, index, strict=True))
            return x.at(tuple(place[k] for k in range(len(x.dims))), reader)
        return value
    return rule


def _swapped(a: int, b: int, rank: int) -> list[int]:
    out = list(range(rank))
    if rank:
        out[a], out[b] = out[b], out[a]
    return out


def _shaped(a: Arguments, dims: Dims) -> Made:
    """In another shape; the order of the elements stays."""
    x: Tensor = a["self"]
    groups = list(_groups(x.dims, dims))

    def value(index: Index, reader: Reader) -> Expr:
        place: list[Poly] = []
        for old, new in groups:
            at = reader.digits(flat(index[new], dims[new]))
            place += unflat(at, x.dims[old], reader.digits)
        return x.at(tuple(place), reader)
    return value


def _groups(old: Dims, new: Dims) -> Iterator[tuple[slice, slice]]:
    """Which dimensions become which, in the smallest groups of equally many elements. Raises Refused where the whole is not the same."""
    i = j = 0
    while (i, j) != (len(old), len(new)):
        ends = sorted(((a, b) for a in range(i, len(old) + 1) for b in range(j, len(new) + 1) if (a, b) != (i, j)), key=sum)
        found = next(((a, b) for a, b in ends if _product(old[i:a]) == _product(new[j:b])), None)
        if found is None:
            raise Refused(f"{_product(old)} elements are taken as {_product(new)}")
        yield slice(i, found[0]), slice(j, found[1])
        i, j = found


def _product(dims: Dims) -> Poly:
    return reduce(lambda p, q: p * q, dims, ONE)


def _expanded(a: Arguments, dims: Dims) -> Made:
    x: Tensor = a["self"]
    return lambda index, reader: x.at(broadcast(x, index, dims), reader)


def _shifted(a: Arguments, dims: Dims, start: int) -> Made:
    """A part of a dimension, from a constant place on, or from one counted from the end."""
    x: Tensor = a["self"]
    axis = a["dim"] % len(x.dims)
    first = number(start) if start >= 0 else x.dims[axis] + number(start)
    return lambda index, reader: x.at((*index[:axis], index[axis] + first, *index[axis + 1:]), reader)


def _slice(a: Arguments, dims: Dims) -> Made:
    if a["step"] != 1:
        raise Refused("its step is not 1")
    return _shifted(a, dims, a["start"] or 0)


def _select(a: Arguments, dims: Dims) -> Made:
    x: Tensor = a["self"]
    axis, k = a["dim"] % len(x.dims), a["index"]
    at = number(k) if k >= 0 else x.dims[axis] + number(k)
    return lambda index, reader: x.at((*index[:axis], at, *index[axis:]), reader)


def _same(a: Arguments, dims: Dims) -> Made:
    x: Tensor = a["self"]
    return x.at


def _spread(value: int | Sequence[int], count: int) -> tuple[int, ...]:
    given = (value,) if isinstance(value, int) else tuple(value)
    return given * count if len(given) == 1 else given


def _window(d: int, combine: Callable[[list[Expr], Arguments], Expr]) -> Rule:
    """Pooling without padding: each result is made of a window's elements, row by row (ATEN.md, section 6)."""
    def rule(a: Arguments, dims: Dims) -> Made:
        x: Tensor = a["self"]
        kernel = _spread(a["kernel_size"], d)
        stride = _spread(a["stride"], d) if a.get("stride") else kernel
        if any(_spread(a.get("padding", 0), d)) or a.get("ceil_mode") or any(k != 1 for k in _spread(a.get("dilation", 1), d)):
            raise Refused("it has padding, dilation or ceil_mode, whose windows are not the same everywhere")
        if prod(kernel) > MOST_WINDOW:
            raise Refused(f"its window has more than {MOST_WINDOW} elements")
        head = len(dims) - d

        def value(index: Index, reader: Reader) -> Expr:
            first = [i * number(s) for i, s in zip(index[head:], stride, strict=True)]
            places = [tuple(f + number(o) for f, o in zip(first, offset, strict=True)) for offset in product(*map(range, kernel))]
            return combine([x.at((*index[:head], *p), reader) for p in places], a)
        return value
    return rule


def _mean(window: list[Expr], a: Arguments) -> Expr:
    """The sum from 0, then a true division."""
    return mk("div_rn", reduce(lambda s, v: mk("add_rn", s, v), window, ZERO), const(float(a.get("divisor_override") or len(window))))


def _largest(window: list[Expr], a: Arguments) -> Expr:
    """-inf first; an element replaces it that is larger or NaN."""
    return reduce(lambda m, v: mk("select", mk("or", mk("lt", m, v), mk("is_nan", v)), v, m), window, MINUS_INF)


VIEWS: Mapping[str, Rule] = {
    **{f"aten.{name}": _shaped for name in (
        "view.default", "reshape.default", "flatten.using_ints", "unflatten.int", "unsqueeze.default", "squeeze.default", "squeeze.dim", "squeeze.dims",
        "view_as.default", "reshape_as.default", "_unsafe_view.default")},
    **{f"aten.{name}.default": _expanded for name in ("expand", "expand_as", "broadcast_to")},
    "aten.permute.default": _moved(lambda a, rank: a["dims"]),
    "aten.transpose.int": _moved(lambda a, rank: _swapped(a["dim0"], a["dim1"], rank)),
    **{f"aten.{name}.default": _moved(lambda a, rank: list(range(rank))[::-1]) for name in ("t", "numpy_T")},
    "aten.mT.default": _moved(lambda a, rank: _swapped(-1, -2, rank)),
    "aten.slice.Tensor": _slice, "aten.narrow.default": lambda a, dims: _shifted(a, dims, a["start"]), "aten.select.int": _select,
    **{f"aten.{name}.default": _same for name in ("clone", "contiguous", "alias", "detach", "lift_fresh_copy", "positive")},
    **{f"aten.avg_pool{d}d.default": _window(d, _mean) for d in (1, 2, 3)}, **{f"aten.max_pool{d}d.default": _window(d, _largest) for d in (1, 2, 3)},
}
COPIES = frozenset({"aten.clone.default", "aten.lift_fresh_copy.default", *(k for k in VIEWS if "_pool" in k)})
