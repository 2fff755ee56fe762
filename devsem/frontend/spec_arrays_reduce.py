"""Reductions and products of matrices for `spec_arrays.py`, by ATEN.md sections 3 to 5.

A sum of three or more terms is written first to last, from +0, and noted as `Free`: PyTorch fixes no order. Maxima need no order but for
the sign of a zero, and any NaN makes the result NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from devsem.aten_order import ZEROS, Free, Kind
from devsem.aten_rows import NAN, ONE, ZERO, Refused
from devsem.expr import Expr, bits, const, mk
from devsem.frontend.spec_arrays_base import Arguments, Array, Context, Data, Rule, filled, floats_of, one

ORDER = "PyTorch fixes no order for a sum of three or more terms, nor which products of a dot product are fused: no kernel is proved equal to such a " \
        "value, and one is refuted only where every order gives another value than the kernel's"
MINUS_INF = bits(0xFF800000)
Terms = Sequence[Expr]
OfRow = Callable[[Context, Terms, Arguments], Expr]


def total(context: Context, terms: Terms, kind: Kind = "sum", of: Terms | None = None) -> Expr:
    """The sum of the terms from +0, its order noted as free where it matters; `of`: the factors in pairs, of a dot product."""
    context.take(len(terms))
    value = reduce(lambda a, t: mk("add_rn", a, t), terms, ZERO)
    if kind == "dot" or len(terms) > 2:
        context.assumptions[ORDER] = None
        return context.note(Free(kind, value, tuple(terms if of is None else of)))
    return value


def dot(context: Context, left: Terms, right: Terms, *more: Expr) -> Expr:
    """The sum of products, and of `more` terms, such as a bias."""
    pairs = [*zip(left, right, strict=True), *((m, ONE) for m in more)]
    return total(context, [*(mk("mul_rn", a, b) for a, b in zip(left, right, strict=True)), *more], "dot", [e for p in pairs for e in p])


def mean(context: Context, terms: Terms) -> Expr:
    """The sum times the Float32 quotient 1/n (ATEN.md 3.1)."""
    return mk("mul_rn", total(context, terms), mk("div_rn", ONE, const(float(len(terms)))))


def spread(context: Context, terms: Terms, correction: float) -> Expr:
    """The variance: PyTorch's formulas (Welford's, in several forms) are one of a kind that is not fixed."""
    centre, squares = ZERO, ZERO
    for n, t in enumerate(terms, 1):
        d = mk("sub_rn", t, centre)
        centre = mk("add_rn", centre, mk("div_rn", d, const(float(n))))
        squares = mk("add_rn", squares, mk("mul_rn", d, mk("sub_rn", t, centre)))
    value = mk("div_rn", squares, const(max(len(terms) - correction, 0.0)))
    context.take(len(terms))
    context.assumptions[ORDER] = None
    return context.note(Free("spread", value, tuple(terms)))


def prefixes(context: Context, terms: Terms) -> list[Expr]:
    """The running sums, each added in an order of its own (ATEN.md 3.2)."""
    return [total(context, terms[:n]) for n in range(1, len(terms) + 1)]


def _cumsum(context: Context, a: Arguments) -> Array | tuple[Array, ...]:
    """Running sums; of a tensor of one dimension not even the first one's zero is fixed."""
    if a["self"].data.ndim < 2:
        raise Refused("running sums over a whole tensor are added in an order that PyTorch does not say")
    return _along(prefixes)(context, a)


def largest(terms: Terms) -> Expr:
    """The maximum; NaN where one of them is."""
    return reduce(lambda a, t: mk("max_nan", a, t), terms)


def smallest(terms: Terms) -> Expr:
    """The minimum; NaN where one of them is."""
    return reduce(lambda a, t: mk("min_nan", a, t), terms)


def first(better: Callable[[Expr, Expr], Expr]) -> Callable[[Terms], Expr]:
    """max.dim and min.dim: a NaN wins, else the first of those that no other is better than."""
    def of(terms: Terms) -> Expr:
        best = reduce(lambda a, t: mk("select", better(a, t), t, a), terms)
        poisoned = reduce(lambda a, b: mk("or", a, b), [mk("is_nan", t) for t in terms])
        return mk("select", poisoned, NAN, best) if len(terms) > 1 else best
    return of


FIRST_MAX, FIRST_MIN = first(lambda a, t: mk("lt", a, t)), first(lambda a, t: mk("lt", t, a))


def rows(data: Data, dim: Any) -> tuple[list[Terms], tuple[int, ...], tuple[int, ...]]:
    """The terms of each result, the results' shape, and the same with size 1 in the dimensions that are reduced (all of them where none is named)."""
    every = tuple(range(data.ndim))
    dims = every if dim is None or dim == () else (dim,) if isinstance(dim, int) else tuple(dim)
    axes = sorted(d % data.ndim for d in dims) if data.ndim else []
    left = [d for d in every if d not in axes]
    flat = data.transpose([*left, *axes]).reshape(math.prod(data.shape[d] for d in left), -1)
    if flat.shape[1] == 0:
        raise Refused("it reduces an empty dimension")
    kept = tuple(1 if d in axes else data.shape[d] for d in every)
    return [list(r) for r in flat], tuple(data.shape[d] for d in left), kept


def _reduced(of: OfRow, name: str = "self") -> Rule:
    """A reduction over `dim`, or over everything."""
    def rule(context: Context, a: Arguments) -> Array:
        made, _, _ = rows(floats_of(a[name], name), a.get("dim"))
        return Array(filled([of(context, r, a) for r in made], a["result"][1]), "float32")
    return rule


def _pick(of: Callable[[Terms], Expr], zeros: bool) -> OfRow:
    def row(context: Context, terms: Terms, a: Arguments) -> Expr:
        context.take(len(terms))
        if zeros:
            context.assumptions[ZEROS] = None
        return of(terms)
    return row


def _with_index(of: Callable[[Terms], Expr]) -> Rule:
    """max.dim and min.dim; their indices are no float32, so nothing may use them."""
    def rule(context: Context, a: Arguments) -> tuple[Array, ...]:
        made, shape, kept = rows(floats_of(a["self"]), a["dim"])
        context.take(a["self"].data.size)
        return (Array(filled([of(r) for r in made], kept if a["keepdim"] else shape), "float32"),)
    return rule


def _along(of: Callable[[Context, Terms], Sequence[Expr]]) -> Rule:
    """What keeps its shape, row by row along `dim`."""
    def rule(context: Context, a: Arguments) -> Array:
        data = np.moveaxis(floats_of(a["self"]), a["dim"], -1) if a["self"].data.ndim else floats_of(a["self"]).reshape(1)
        made = filled([e for r in data.reshape(-1, data.shape[-1]) for e in of(context, list(r))], data.shape)
        return Array(np.ascontiguousarray(np.moveaxis(made, -1, a["dim"])).reshape(a["result"][1]), "float32")
    return rule


def _shifted(context: Context, terms: Terms) -> tuple[list[Expr], list[Expr]]:
    """The terms less the largest, and the exponentials of that."""
    context.take(3 * len(terms))
    low = [mk("sub_rn", t, m) for m in [largest(terms)] for t in terms]
    return low, [mk("S.expf", d) for d in low]


def softmax(context: Context, terms: Terms) -> list[Expr]:
    """exp(x - max) over the sum of these (ATEN.md 3.3)."""
    _, e = _shifted(context, terms)
    return [mk("div_rn", t, s) for s in [total(context, e)] for t in e]


def log_softmax(context: Context, terms: Terms) -> list[Expr]:
    """x - max less the logarithm of the sum of exp(x - max)."""
    low, e = _shifted(context, terms)
    return [mk("sub_rn", d, s) for s in [mk("S.logf", total(context, e))] for d in low]


def logsumexp(context: Context, terms: Terms, a: Arguments) -> Expr:
    """The maximum plus the logarithm of the sum of exp(x - max); an infinite maximum counts as 0 there."""
    m = largest(terms)
    m = mk("select", mk("is_inf", m), ZERO, m)
    return mk("add_rn", mk("S.logf", total(context, [mk("S.expf", mk("sub_rn", t, m)) for t in terms])), m)


def _norm(context: Context, terms: Terms, a: Arguments) -> Expr:
    """A vector norm with p = 1, 2 or infinity."""
    p = a.get("ord", a.get("p", 2))
    if p in (2, None):
        return mk("sqrt_rn", dot(context, terms, terms))
    if p == 1:
        return total(context, [mk("abs", t) for t in terms])
    if p == math.inf:
        return largest([mk("abs", t) for t in terms])
    raise Refused(f"its order is {p}")


def _matmul(left: str, right: str, bias: str = "") -> Rule:
    """Products of matrices, as `torch.matmul` broadcasts them."""
    def rule(context: Context, a: Arguments) -> Array:
        if bias and (a.get("beta", 1) != 1 or a.get("alpha", 1) != 1):
            raise Refused("its alpha or beta is not 1")
        x, y = floats_of(a[left], left), floats_of(a[right], right)
        shape = a["result"][1]
        x, y = x[None, :] if x.ndim == 1 else x, y[:, None] if y.ndim == 1 else y
        batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
        x, y = np.broadcast_to(x, (*batch, *x.shape[-2:])), np.broadcast_to(y, (*batch, *y.shape[-2:]))
        full = (*batch, x.shape[-2], y.shape[-1])
        more = np.broadcast_to(floats_of(a[bias], bias), shape).reshape(full) if bias else None
        made = []
        for at in np.ndindex(*full):
            column = y[(*at[:-2], slice(None), at[-1])]
            made.append(dot(context, list(x[at[:-1]]), list(column), *([] if more is None else [one(more, at)])))
        return Array(filled(made, shape), "float32")
    return rule


def _linear(context: Context, a: Arguments) -> Array:
    x, w = floats_of(a["input"], "input"), floats_of(a["weight"], "weight")
    b = floats_of(a["bias"], "bias") if a.get("bias") is not None else None
    made = [dot(context, list(r), list(v), *([] if b is None else [one(b, (i,))])) for r in x.reshape(-1, x.shape[-1]) for i, v in enumerate(w)]
    return Array(filled(made, a["result"][1]), "float32")


def _normalised(context: Context, terms: Terms, eps: float) -> list[Expr]:
    """(x - mean) * rsqrt(var + eps), one of several formulas (ATEN.md 4)."""
    centre = mean(context, terms)
    scale = mk("S.rsqrtf", mk("add_rn", spread(context, terms, 0.0), const(eps)))
    return [mk("mul_rn", mk("sub_rn", t, centre), scale) for t in terms]


def _affine(context: Context, values: Terms, row: Terms, gains: Sequence[Expr | None], shifts: Sequence[Expr | None]) -> list[Expr]:
    """Each value times its gain plus its shift, noted as one of several formulas over the row."""
    made = []
    for value, gain, shift in zip(values, gains, shifts, strict=True):
        scaled = value if gain is None else mk("mul_rn", value, gain)
        made.append(context.note(Free("formula", scaled if shift is None else mk("add_rn", scaled, shift), tuple(row))))
    return made


def _each(a: Arguments, name: str, count: int) -> list[Expr | None]:
    return [None] * count if a.get(name) is None else list(floats_of(a[name], name).reshape(-1))


def _layer_norm(context: Context, a: Arguments) -> Array:
    x = floats_of(a["input"], "input")
    n = math.prod(a["normalized_shape"])
    made = [e for r in x.reshape(-1, n) for e in _affine(context, _normalised(context, list(r), a["eps"]), list(r), _each(a, "weight", n), _each(a, "bias", n))]
    return Array(filled(made, x.shape), "float32")


def _group_norm(context: Context, a: Arguments) -> Array:
    x = floats_of(a["input"], "input")
    n, c, groups = x.shape[0], x.shape[1], a["num_groups"]
    inner, made = math.prod(x.shape[2:]), []
    for r, group in ((x.reshape(n * groups, -1)[i], i % groups) for i in range(n * groups)):
        channels = [group * (c // groups) + k // inner for k in range(len(r))]
        gains, shifts = ([_each(a, name, c)[i] for i in channels] for name in ("weight", "bias"))
        made += _affine(context, _normalised(context, list(r), a["eps"]), list(r), gains, shifts)
    return Array(filled(made, x.shape), "float32")


def _batch_norm(context: Context, a: Arguments) -> Array:
    """In evaluation: gamma*(x - mean)*rsqrt(var + eps) + beta, one of several formulas."""
    if a["training"]:
        raise Refused("it normalises by the batch's own statistics")
    x = floats_of(a["input"], "input")
    centre, var = floats_of(a["running_mean"], "running_mean"), floats_of(a["running_var"], "running_var")
    gains, shifts = _each(a, "weight", x.shape[1]), _each(a, "bias", x.shape[1])
    context.take(x.size)
    context.assumptions[ORDER] = None
    made = []
    for at in np.ndindex(*x.shape):
        c = at[1]
        value = mk("mul_rn", mk("sub_rn", one(x, at), one(centre, (c,))), mk("S.rsqrtf", mk("add_rn", one(var, (c,)), const(a["eps"]))))
        made += _affine(context, [value], [one(x, at)], [gains[c]], [shifts[c]])
    return Array(filled(made, x.shape), "float32")


def _mse(context: Context, a: Arguments) -> Array:
    squares = [mk("mul_rn", d, d) for d in (mk("sub_rn", x, y) for x, y in zip(
        floats_of(a["self"]).reshape(-1), np.broadcast_to(floats_of(a["target"], "target"), a["self"].data.shape).reshape(-1), strict=True))]
    made = {0: lambda: squares, 1: lambda: [mean(context, squares)], 2: lambda: [total(context, squares)]}[a["reduction"]]()
    return Array(filled(made, a["result"][1]), "float32")


def _variance(root: bool) -> OfRow:
    def row(context: Context, terms: Terms, a: Arguments) -> Expr:
        correction = a.get("correction")
        value = spread(context, terms, 1.0 if correction is None and a.get("unbiased", True) else float(correction or 0))
        return mk("sqrt_rn", value) if root else value
    return row


def _product(context: Context, terms: Terms, a: Arguments) -> Expr:
    context.take(len(terms))
    context.assumptions[ORDER] = None
    value = reduce(lambda p, t: mk("mul_rn", p, t), terms)
    return context.note(Free("formula", value, tuple(terms))) if len(terms) > 2 else value


_SUM: Rule = _reduced(lambda context, terms, a: total(context, terms))
_MEAN: Rule = _reduced(lambda context, terms, a: mean(context, terms))
REDUCTIONS: Mapping[str, Rule] = {
    "aten.sum.default": _SUM, "aten.sum.dim_IntList": _SUM, "aten.mean.default": _MEAN, "aten.mean.dim": _MEAN,
    "aten.amax.default": _reduced(_pick(largest, True)), "aten.amin.default": _reduced(_pick(smallest, True)),
    "aten.max.default": _reduced(_pick(largest, True)), "aten.min.default": _reduced(_pick(smallest, True)),
    "aten.max.dim": _with_index(FIRST_MAX), "aten.min.dim": _with_index(FIRST_MIN),
    "aten.cumsum.default": _cumsum, "aten.softmax.int": _along(softmax), "aten._softmax.default": _along(softmax),
    "aten.log_softmax.int": _along(log_softmax), "aten._log_softmax.default": _along(log_softmax), "aten.logsumexp.default": _reduced(logsumexp),
    **{f"aten.{name}.{form}": _reduced(_variance(name == "std")) for name in ("var", "std") for form in ("default", "dim", "correction")},
    "aten.linalg_vector_norm.default": _reduced(_norm), "aten.norm.ScalarOpt_dim": _reduced(_norm), "aten.norm.Scalar": _reduced(_norm),
    "aten.mm.default": _matmul("self", "mat2"), "aten.bmm.default": _matmul("self", "mat2"), "aten.matmul.default": _matmul("self", "other"),
    "aten.mv.default": _matmul("self", "vec"), "aten.dot.default": _matmul("self", "tensor"), "aten.addmm.default": _matmul("mat1", "mat2", "self"),
    "aten.linear.default": _linear, "aten.layer_norm.default": _layer_norm, "aten.group_norm.default": _group_norm,
    "aten.batch_norm.default": _batch_norm, "aten.mse_loss.default": _mse,
}
