"""Convolutions and pooling for `spec_arrays.py`, by ATEN.md section 6: a window's elements in row-major order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from devsem.aten_rows import ZERO, Refused
from devsem.expr import Expr, const, mk
from devsem.frontend.spec_arrays_base import Arguments, Array, Context, Data, Rule, filled, floats_of
from devsem.frontend.spec_arrays_reduce import MINUS_INF, dot, mean

Sizes = Sequence[int]
NO_TF32 = "a convolution multiplies Float32 numbers: TF32 is off (torch.backends.cudnn.allow_tf32 = False), and nothing is multiplied for padding"


def _spread(value: int | Sizes, count: int) -> tuple[int, ...]:
    """One number for each dimension."""
    given = (value,) if isinstance(value, int) else tuple(value)
    return given * count if len(given) == 1 else given


def windows(sizes: Sizes, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes, out: Sizes) -> Iterator[list[tuple[int, tuple[int, ...]]]]:
    """For each result in row-major order the positions of its window that lie inside: the number within the window, and where."""
    for at in itertools.product(*map(range, out)):
        inside = []
        for number, offset in enumerate(itertools.product(*map(range, kernel))):
            where = tuple(a * s - p + o * d for a, s, p, o, d in zip(at, stride, padding, offset, dilation, strict=True))
            if all(0 <= w < n for w, n in zip(where, sizes, strict=True)):
                inside.append((number, where))
        yield inside


def _conv(context: Context, a: Arguments) -> Array:
    """A convolution of any number of dimensions."""
    x, w = floats_of(a["input"], "input"), floats_of(a["weight"], "weight")
    b = floats_of(a["bias"], "bias") if a.get("bias") is not None else None
    if isinstance(a["padding"], str):
        raise Refused(f"its padding is {a['padding']!r}")
    d, shape, groups = w.ndim - 2, a["result"][1], a["groups"]
    x = x[None] if x.ndim == d + 1 else x
    context.assumptions[NO_TF32] = None
    out = shape[-d:]
    every = list(windows(x.shape[2:], w.shape[2:], _spread(a["stride"], d), _spread(a["padding"], d), _spread(a["dilation"], d), out))
    each_in, each_out, flat = x.shape[1] // groups, w.shape[0] // groups, w.reshape(w.shape[0], w.shape[1], -1)
    made = []
    for n, o in itertools.product(range(x.shape[0]), range(w.shape[0])):
        base = o // each_out * each_in
        for inside in every:
            left = [x[(n, base + c, *where)] for c in range(each_in) for _, where in inside]
            right = [flat[o, c, number] for c in range(each_in) for number, _ in inside]
            made.append(dot(context, left, right, *([] if b is None else [b[o]])))
    return Array(filled(made, shape), "float32")


def _pool(data: Data, a: Arguments, d: int, dilation: Sizes) -> Iterator[tuple[list[Expr], int]]:
    """For each result its window's elements, and how many positions of the window lie in the padded tensor."""
    kernel = _spread(a["kernel_size"], d)
    stride = _spread(a["stride"], d) if a.get("stride") else kernel
    padding, out, sizes = _spread(a.get("padding", 0), d), a["result"][1][-d:], data.shape[-d:]
    if a.get("ceil_mode"):
        raise Refused("its ceil_mode is True")
    every = list(windows(sizes, kernel, stride, padding, dilation, out))
    for plane in data.reshape(-1, *sizes):
        for inside in every:
            yield [plane[where] for _, where in inside], math.prod(kernel)


def _max_pool(d: int) -> Rule:
    """-inf first; an element replaces it that is larger or NaN."""
    def rule(context: Context, a: Arguments) -> Array:
        made = []
        for window, _ in _pool(floats_of(a["self"]), a, d, _spread(a.get("dilation", 1), d)):
            context.take(len(window))
            made.append(reduce(lambda m, v: mk("select", mk("or", mk("lt", m, v), mk("is_nan", v)), v, m), window, MINUS_INF))
        return Array(filled(made, a["result"][1]), "float32")
    return rule


def _avg_pool(d: int) -> Rule:
    """The sum from 0, row by row, divided by the number of elements."""
    def rule(context: Context, a: Arguments) -> Array:
        made = []
        for window, padded in _pool(floats_of(a["self"]), a, d, (1,) * d):
            context.take(len(window))
            divisor = a.get("divisor_override") or (padded if a.get("count_include_pad", True) else len(window))
            made.append(mk("div_rn", reduce(lambda s, v: mk("add_rn", s, v), window, ZERO), const(float(divisor))))
        return Array(filled(made, a["result"][1]), "float32")
    return rule


def _adaptive(context: Context, a: Arguments) -> Array:
    """To one element: the mean."""
    data, d = floats_of(a["self"]), len(a["output_size"])
    if any(n != 1 for n in a["output_size"]):
        raise Refused("its result has more than one element a plane")
    return Array(filled([mean(context, list(r)) for r in data.reshape(-1, math.prod(data.shape[-d:]))], a["result"][1]), "float32")


WINDOWS: Mapping[str, Rule] = {
    **{f"aten.conv{d}d.default": _conv for d in (1, 2, 3)}, **{f"aten.max_pool{d}d.default": _max_pool(d) for d in (1, 2, 3)},
    **{f"aten.avg_pool{d}d.default": _avg_pool(d) for d in (1, 2, 3)}, **{f"aten.adaptive_avg_pool{d}d.default": _adaptive for d in (1, 2, 3)},
}
