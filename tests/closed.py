"""The closed tests of `FloatLib/Op/Between.lean` as expressions, and ends of intervals that often pass them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
from draw import Bits, tuples

from devsem.expr import Expr, mk
from devsem.lemma import INF, NAN, NINF, ZERO, A, B, C, D, E, H, L, Lemma, R, X, Y, Z


def _op(name: str) -> Callable[..., Expr]:
    return lambda *args: mk(name, *args)


le, lt, neg, finite, both, either = map(_op, ("le", "lt", "neg", "is_finite", "and", "or"))
add, mul, div, fma, sqrt, ftz = map(_op, ("add_rn", "mul_rn", "div_rn", "fma_rn", "sqrt_rn", "ftz"))


def every(*tests: Expr) -> Expr:
    """All of them."""
    first, *rest = tests
    for test in rest:
        first = both(first, test)
    return first


def inside(low: Expr, high: Expr, *values: Expr) -> Expr:
    """All values lie between the two."""
    return every(*(test for v in values for test in (le(low, v), le(v, high))))


def bounded(a: Expr, b: Expr) -> Expr:
    """Both ends are finite."""
    return both(finite(a), finite(b))


def off(a: Expr, b: Expr) -> Expr:
    """No zero lies between them."""
    return either(lt(ZERO, a), lt(b, ZERO))


def add_ends(a: Expr, b: Expr, c: Expr, d: Expr, low: Expr, high: Expr) -> Expr:
    """Sums: no infinity meets its opposite."""
    safe = either(either(bounded(a, b), bounded(c, d)), either(both(lt(NINF, a), lt(NINF, c)), both(lt(b, INF), lt(d, INF))))
    return every(safe, le(low, add(a, c)), le(add(b, d), high))


def mul_ends(a: Expr, b: Expr, c: Expr, d: Expr, low: Expr, high: Expr) -> Expr:
    """Products: no infinity meets a zero."""
    safe = both(either(bounded(a, b), off(c, d)), either(bounded(c, d), off(a, b)))
    return both(safe, inside(low, high, mul(a, c), mul(a, d), mul(b, c), mul(b, d)))


def div_ends(a: Expr, b: Expr, c: Expr, d: Expr, low: Expr, high: Expr) -> Expr:
    """Quotients by positive values."""
    return every(lt(ZERO, c), either(bounded(a, b), bounded(c, d)), inside(low, high, div(a, c), div(a, d), div(b, c), div(b, d)))


def fma_ends(a: Expr, b: Expr, c: Expr, d: Expr, e: Expr, r: Expr, low: Expr, high: Expr) -> Expr:
    """Fused sums of finite values."""
    corners = [(x, y) for x in (a, b) for y in (c, d)]
    return every(bounded(a, b), bounded(c, d), bounded(e, r), *(le(low, fma(x, y, e)) for x, y in corners), *(le(fma(x, y, r), high) for x, y in corners))


TESTS: Mapping[str, Callable[..., Expr]] = {
    "Fp.lt": lt, "Fp.le": le, "Fp.apart": lambda a, b, c, d: either(lt(b, c), lt(d, a)),
    "Fp.addEnds": add_ends, "Fp.subEnds": lambda a, b, c, d, low, high: add_ends(a, b, neg(d), neg(c), low, high),
    "Fp.mulEnds": mul_ends, "Fp.fmaEnds": fma_ends,
    "Fp.divEnds": div_ends, "Fp.divEndsNeg": lambda a, b, c, d, low, high: div_ends(a, b, neg(d), neg(c), neg(high), neg(low)),
    "Fp.sqrtEnds": lambda a, b, low, high: every(le(ZERO, a), le(low, sqrt(a)), le(sqrt(b), high)),
    "Fp.negEnds": lambda a, b, low, high: both(le(low, neg(b)), le(neg(a), high)),
    "Fp.absEnds": lambda a, b, low, high: every(either(either(le(low, ZERO), le(low, a)), le(b, neg(low))), le(b, high), le(neg(high), a)),
    "Fp.minEnds": lambda a, b, c, d, low, high: every(le(low, a), le(low, c), either(le(b, high), le(d, high))),
    "Fp.maxEnds": lambda a, b, c, d, low, high: every(either(le(low, a), le(low, c)), le(b, high), le(d, high)),
    "Fp.ftzEnds": lambda a, b, low, high: both(le(low, ftz(a)), le(ftz(b), high)),
    "Fp.tinyEnds": lambda a, b: every(off(a, b), le(ZERO, ftz(a)), le(ftz(b), ZERO)),
    "Fp.wider": lambda a, b, low, high: both(le(low, a), le(b, high)),
}


def ends(lemma: Lemma, seed: int, lanes: int) -> dict[Expr, npt.NDArray[np.generic]]:
    """Values between ends, and two more ends: hard values in their order, some of them equal, and wide or narrow ends for the result."""
    rng = np.random.default_rng(seed)
    positive = rng.random(lanes) < 0.5      # a root's and a divisor's
    env: dict[Expr, npt.NDArray[np.generic]] = {}
    for i, (low, high, middle) in enumerate(((A, B, X), (C, D, Y), (E, R, Z))):
        three = np.stack(tuples(seed + i, lanes, 3)).view(np.float32)
        three[:, rng.random(lanes) < 0.1] = 0
        three[1] = np.where(rng.random(lanes) < 0.2, three[0], three[1])
        three = np.sort(np.where(positive, np.abs(three), three), axis=0)
        tiny = rng.random(lanes) < 0.2
        small: Bits = np.sort(rng.integers(1, 0x00800000, (3, lanes), dtype=np.uint32), axis=0)
        env |= {v: np.where(tiny, s, x.view(np.uint32)) for v, x, s in zip((low, middle, high), three, small, strict=True)}
        env[middle] = np.where(rng.random(lanes) < 0.05, np.uint32(NAN.value), env[middle])
    wide = np.array([NINF.value, 0xFF7FFFFF, 0xBF800000, 0x80000000, 0, 1, 0x3F800000], np.uint32)
    env[L] = np.where(rng.random(lanes) < 0.3, env[A], rng.choice(wide, lanes))
    env[H] = np.where(rng.random(lanes) < 0.3, env[B], rng.choice(wide ^ np.uint32(0x80000000), lanes))
    return {v: env[v] for v in lemma.variables if v in env}
