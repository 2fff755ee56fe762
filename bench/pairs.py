"""Random pairs of expressions over the exact operations, each made from a number: equal by a true rule, or nearly equal by a false one.

A pair is a rule's two sides over random arguments, put into a random context. `TRUE` rules hold for every input, so a witness against
one is a mistake; `FALSE` rules fail somewhere, although a context may hide it. Nothing here is taken from the prover but its lemmas.

>>> make_pair(7) == make_pair(7)
True
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from devsem.closed import real
from devsem.expr import Expr, bits, const, fold, mk, rebuild, topo, var
from devsem.lemmas import LEMMAS, Lemma
from devsem.ops import BOOL, F32, OPS, Sort

A, B, C = NAMES = tuple(var(n, F32) for n in "abc")
ZERO, NZERO, ONE, TWO, HALF, INF, NINF, NAN = (bits(p) for p in (0, 0x80000000, 0x3F800000, 0x40000000, 0x3F000000, 0x7F800000, 0xFF800000, 0x7FFFFFFF))
TINY, NORMAL, LARGEST = bits(1), bits(0x00800000), bits(0x7F7FFFFF)
CONSTANTS = (ZERO, NZERO, ONE, const(-1.0), TWO, HALF, const(0.01), const(3.0), const(-6.0), const(1.0 / 3.0), INF, NINF, NAN, TINY, NORMAL, LARGEST)
EXACT = {n: op for n, op in OPS.items() if op.kind == "exact" and set(op.args) <= {F32, BOOL}}
ROWS: dict[Sort, tuple[str, ...]] = {s: tuple(n for n, op in EXACT.items() if op.out == s) for s in (F32, BOOL)}
Sides = tuple[Expr, Expr]


@dataclass(frozen=True)
class Pair:
    """Two expressions over a, b, c; `kind` is the rule, `holds` says that it is a true one."""

    number: int
    kind: str
    holds: bool
    left: Expr
    right: Expr


class Draw(random.Random):
    """Random expressions."""

    def f32(self, depth: int = 1) -> Expr:
        """A float expression."""
        return self.expression(F32, depth)

    def bool(self, depth: int = 2) -> Expr:
        """A truth value; some operation at least."""
        return self.expression(BOOL, max(depth, 1))

    def expression(self, sort: Sort, depth: int) -> Expr:
        """An expression of at most this depth."""
        if sort == F32 and (depth <= 0 or self.random() < 0.15):
            return self.choice(NAMES) if self.random() < 0.75 else self.choice(CONSTANTS)
        row = self.choice(ROWS[sort] if depth > 1 or sort == F32 else [r for r in ROWS[BOOL] if BOOL not in OPS[r].args])
        return mk(row, *(self.expression(s, depth - 1) for s in OPS[row].args))

    def limit(self) -> Expr:
        """A constant that is no NaN and no zero."""
        return self.choice([c for c in CONSTANTS if c not in (NAN, ZERO, NZERO)])

    def power(self) -> Expr:
        """A power of two whose reciprocal is normal, of either sign."""
        return bits(self.randrange(1, 254) << 23 | self.randrange(2) << 31)


Rule = Callable[[Draw], Sides]


def reciprocal(power: Expr) -> Expr:
    """1/p of a power of two."""
    return bits(power.value & 0x80000000 | 0x7F000000 - (power.value & 0x7F800000))


def _sel(c: Expr, a: Expr, b: Expr) -> Expr:
    return mk("select", c, a, b)


def _not(c: Expr) -> Expr:
    return mk("not", c)


def if_lift(d: Draw) -> Sides:
    """f(c ? x : y) and c ? f(x) : f(y)."""
    c, x, y, row = d.bool(), d.f32(), d.f32(), d.choice([r for r in ROWS[F32] if OPS[r].args[0] == F32])
    rest = [d.f32() for _ in OPS[row].args[1:]]
    return mk(row, _sel(c, x, y), *rest), _sel(c, mk(row, x, *rest), mk(row, y, *rest))


def if_swap(d: Draw) -> Sides:
    c, e, x, y, z, w = d.bool(), d.bool(), d.f32(), d.f32(), d.f32(), d.f32()
    return _sel(c, _sel(e, x, y), _sel(e, z, w)), _sel(e, _sel(c, x, z), _sel(c, y, w))


def if_dead(d: Draw) -> Sides:
    """The inner branch cannot be taken: the order says so."""
    x, y, junk, u, v = d.f32(), d.f32(), d.f32(2), d.f32(), d.f32()
    inner = d.choice([mk("le", y, x), mk("lt", y, x), mk("eq", x, y), mk("is_nan", x)])
    return _sel(mk("lt", x, y), _sel(inner, junk, u), v), _sel(mk("lt", x, y), u, v)


def clamp(d: Draw) -> Sides:
    """minimum(maximum(x, low), high) as PyTorch has it, and as comparisons."""
    x, low, high = d.f32(2), d.limit(), d.limit()
    inner = _sel(mk("lt", x, low), low, x)
    return mk("min_nan", mk("max_nan", x, low), high), _sel(mk("lt", high, inner), high, inner)


def distribute(d: Draw) -> Sides:
    c, e, x, y = d.bool(), d.bool(), d.f32(), d.f32()
    nan = mk("is_nan", x)
    return _sel(mk("and", c, mk("or", e, nan)), x, y), _sel(mk("or", mk("and", c, e), mk("and", c, nan)), x, y)


def leaky(d: Draw) -> Sides:
    """x > 0 ? x : x*k, and by x <= 0."""
    x, k = d.f32(2), d.limit()
    scaled = mk("mul_rn", x, k)
    return _sel(mk("lt", ZERO, x), x, scaled), _sel(mk("le", x, ZERO), scaled, _sel(mk("is_nan", x), NAN, x))


def compare_abs(d: Draw) -> Sides:
    x, k = d.f32(2), d.limit()
    return _sel(mk("lt", mk("abs", x), k), x, ONE), _sel(mk("and", mk("lt", x, k), mk("lt", _n(k), x)), x, ONE)


def _one(f: Callable[[Expr], Sides]) -> Rule:
    return lambda d: f(d.f32(2))


def _two(f: Callable[[Expr, Expr], Sides]) -> Rule:
    return lambda d: f(d.f32(), d.f32())


def _three(f: Callable[[Expr, Expr, Expr], Sides]) -> Rule:
    return lambda d: f(d.f32(), d.f32(), d.f32())


def _conditions(f: Callable[[Expr, Expr, Expr, Expr], Sides]) -> Rule:
    return lambda d: f(d.bool(), d.bool(), d.f32(), d.f32())


def _assoc(row: str) -> Rule:
    return _three(lambda x, y, z: (mk(row, mk(row, x, y), z), mk(row, x, mk(row, y, z))))


def _n(e: Expr) -> Expr:
    return mk("neg", e)


TRUE: dict[str, Rule] = {
    "if_not": _conditions(lambda c, d, x, y: (_sel(_not(c), x, y), _sel(c, y, x))),
    "if_and": _conditions(lambda c, d, x, y: (_sel(mk("and", c, d), x, y), _sel(c, _sel(d, x, y), y))),
    "if_or": _conditions(lambda c, d, x, y: (_sel(mk("or", c, d), x, y), _sel(c, x, _sel(d, x, y)))),
    "if_xor": _conditions(lambda c, d, x, y: (_sel(mk("xor", c, d), x, y), _sel(c, _sel(d, y, x), _sel(d, x, y)))),
    "if_again": _conditions(lambda c, d, x, y: (_sel(c, _sel(c, x, mk("sqrt_rn", y)), y), _sel(c, x, y))),
    "if_bool": _conditions(lambda c, d, x, y: (_sel(mk("select_bool", c, d, _not(d)), x, y), _sel(mk("xor", c, d), y, x))),
    "if_lift": if_lift, "if_swap": if_swap, "if_dead": if_dead, "clamp": clamp,
    "de_morgan": _conditions(lambda c, d, x, y: (_sel(_not(mk("and", c, d)), x, y), _sel(mk("or", _not(c), _not(d)), x, y))),
    "distribute": distribute,
    "maximum": lambda d: (lambda x, k: (mk("max_nan", x, k), _sel(mk("lt", x, k), k, x)))(d.f32(2), d.limit()),
    "minimum": lambda d: (lambda x, k: (mk("min_nan", k, x), _sel(mk("lt", k, x), k, x)))(d.f32(2), d.limit()),
    "fmax": lambda d: (lambda x, k: (mk("max_num", x, k), _sel(mk("lt", k, x), x, k)))(d.f32(2), d.limit()),
    "equal_constant": lambda d: (lambda x, k: (_sel(mk("eq", x, k), k, x), x))(d.f32(2), d.limit()),
    "positive_zero": _one(lambda x: (mk("pos_zero", x), _sel(mk("eq", x, ZERO), ZERO, x))),
    "flush": _one(lambda x: (mk("ftz", x), _sel(mk("lt", mk("abs", x), NORMAL), mk("mul_rn", x, ZERO), x))),
    "abs_branch": _one(lambda x: (mk("abs", x), _sel(mk("lt", x, ZERO), _n(x), _sel(mk("eq", x, ZERO), ZERO, x)))),
    "abs_max": _one(lambda x: (mk("abs", x), mk("max_num", x, _n(x)))),
    "leaky": leaky,
    "nan_compare": _one(lambda x: (_sel(mk("is_nan", x), ONE, ZERO), _sel(_not(mk("eq", x, x)), ONE, ZERO))),
    "inf_compare": _one(lambda x: (_sel(mk("is_inf", x), ONE, ZERO), _sel(mk("eq", mk("abs", x), INF), ONE, ZERO))),
    "finite_compare": _one(lambda x: (_sel(mk("is_finite", x), ONE, ZERO), _sel(mk("lt", mk("abs", x), INF), ONE, ZERO))),
    "unordered": _two(lambda x, y: (_sel(mk("lt_u", x, y), x, y), _sel(_not(mk("le", y, x)), x, y))),
    "same_bits": _two(lambda x, y: (_sel(mk("same", x, y), x, y), y)),
    "double": _one(lambda x: (mk("add_rn", x, x), mk("mul_rn", TWO, x))),
    "quadruple": _one(lambda x: (mk("mul_rn", mk("mul_rn", x, TWO), TWO), mk("mul_rn", x, const(4.0)))),
    "power": lambda d: (lambda x, p: (mk("div_rn", x, p), mk("mul_rn", reciprocal(p), x)))(d.f32(2), d.power()),
    "minus_one": _one(lambda x: (mk("mul_rn", x, const(-1.0)), _n(x))),
    "divided_by_minus_one": _one(lambda x: (mk("div_rn", x, const(-1.0)), _n(x))),
    "minus_constant": lambda d: (lambda x, k: (mk("mul_rn", x, bits(k.value ^ 0x80000000)), _n(mk("mul_rn", k, x))))(d.f32(2), d.limit()),
    "minus_zero": _one(lambda x: (mk("add_rn", x, NZERO), mk("sub_rn", x, ZERO))),
    "add_minus": _two(lambda x, y: (mk("sub_rn", x, _n(y)), mk("add_rn", y, x))),
    "abs_product": _two(lambda x, y: (mk("abs", mk("mul_rn", x, y)), mk("mul_rn", mk("abs", x), mk("abs", y)))),
    "abs_quotient": _two(lambda x, y: (mk("abs", mk("div_rn", x, y)), mk("div_rn", mk("abs", x), mk("abs", y)))),
    "square": _one(lambda x: (mk("mul_rn", x, x), mk("mul_rn", mk("abs", x), mk("abs", x)))),
    "compare_difference": _two(lambda x, y: (_sel(mk("lt", x, y), x, y), _sel(mk("lt", mk("sub_rn", x, y), ZERO), x, y))),
    "compare_minus": _two(lambda x, y: (_sel(mk("le", _n(x), y), x, y), _sel(mk("le", _n(y), x), x, y))),
    "compare_abs": compare_abs,
    "min_of_minus": _two(lambda x, y: (mk("min_num", _n(x), _n(y)), _n(mk("max_num", x, y)))),
    "max_num_assoc": _assoc("max_num"), "min_nan_assoc": _assoc("min_nan"),
    "max_twice": _two(lambda x, y: (mk("max_num", mk("max_num", x, y), y), mk("max_num", x, y))),
    "floor_minus": _one(lambda x: (mk("floor", _n(x)), _n(mk("ceil", x)))),
    "rint_minus": _one(lambda x: (mk("rint", _n(x)), _n(mk("rint", x)))),
    "trunc_branch": _one(lambda x: (mk("trunc", x), _sel(mk("lt", x, ZERO), mk("ceil", x), mk("floor", x)))),
    "round_twice": _one(lambda x: (mk("floor", mk("rint", x)), mk("rint", x))),
    "fma_minus_zero": _two(lambda x, y: (mk("fma_rn", x, y, NZERO), mk("mul_rn", y, x))),
    "fma_minus": _three(lambda x, y, z: (mk("fma_rn", _n(x), y, z), mk("fma_rn", y, _n(x), z))),
    "difference_aside_zero": _two(lambda x, y: (mk("pos_zero", _n(mk("sub_rn", x, y))), mk("pos_zero", mk("sub_rn", y, x)))),
    "zero_aside": _one(lambda x: (mk("pos_zero", mk("add_rn", x, ZERO)), mk("pos_zero", x))),
}
FALSE: dict[str, Rule] = {
    "times_zero": _one(lambda x: (mk("mul_rn", x, ZERO), ZERO)),
    "minus_itself": _one(lambda x: (mk("sub_rn", x, x), ZERO)),
    "plus_zero": _one(lambda x: (mk("add_rn", x, ZERO), x)),
    "half_twice": _one(lambda x: (mk("mul_rn", mk("mul_rn", x, HALF), TWO), x)),
    "quarter": _one(lambda x: (mk("mul_rn", mk("mul_rn", x, HALF), HALF), mk("mul_rn", x, const(0.25)))),
    "add_assoc": _assoc("add_rn"), "mul_assoc": _assoc("mul_rn"),
    "minus_difference": _two(lambda x, y: (_n(mk("sub_rn", x, y)), mk("sub_rn", y, x))),
    "smaller": _two(lambda x, y: (_sel(mk("lt", x, y), x, y), mk("min_num", x, y))),
    "zero_minus": _one(lambda x: (mk("sub_rn", ZERO, x), _n(x))),
    "relu_strict": _one(lambda x: (_sel(mk("lt", ZERO, x), x, ZERO), mk("max_nan", x, ZERO))),
    "relu_nan": _one(lambda x: (mk("max_num", x, ZERO), mk("max_nan", x, ZERO))),
    "maximum_zero": _one(lambda x: (mk("max_nan", x, NZERO), _sel(mk("lt", x, NZERO), NZERO, x))),
    "third": _one(lambda x: (mk("div_rn", x, const(3.0)), mk("mul_rn", x, const(1.0 / 3.0)))),
    "fuse": _three(lambda x, y, z: (mk("fma_rn", x, y, z), mk("add_rn", mk("mul_rn", x, y), z))),
    "fuse_double": _two(lambda x, y: (mk("fma_rn", x, TWO, y), mk("add_rn", mk("mul_rn", x, TWO), y))),
    "distribute_double": _two(lambda x, y: (mk("mul_rn", mk("add_rn", x, y), TWO), mk("add_rn", mk("mul_rn", x, TWO), mk("mul_rn", y, TWO)))),
    "root_of_square": _one(lambda x: (mk("sqrt_rn", mk("mul_rn", x, x)), mk("abs", x))),
    "square_of_root": _one(lambda x: (mk("mul_rn", mk("sqrt_rn", x), mk("sqrt_rn", x)), x)),
    "reciprocal_twice": _one(lambda x: (mk("div_rn", ONE, mk("div_rn", ONE, x)), x)),
    "not_less": _two(lambda x, y: (_sel(_not(mk("lt", x, y)), x, y), _sel(mk("le", y, x), x, y))),
    "at_most_difference": _two(lambda x, y: (_sel(mk("le", x, y), x, y), _sel(mk("le", mk("sub_rn", x, y), ZERO), x, y))),
    "flush_sum": _two(lambda x, y: (mk("ftz", mk("add_rn", x, y)), mk("add_rn", x, y))),
    "flush_before": _two(lambda x, y: (mk("mul_rn", mk("ftz", x), y), mk("mul_rn", x, y))),
    "equal_is_same": _two(lambda x, y: (_sel(mk("eq", x, y), ONE, ZERO), _sel(mk("same", x, y), ONE, ZERO))),
    "equal_zero": _one(lambda x: (_sel(mk("eq", x, ZERO), ZERO, x), x)),
    "round_half": _one(lambda x: (mk("rint", x), mk("round_away", x))),
    "floor_of_minus": _one(lambda x: (_n(mk("floor", x)), mk("floor", _n(x)))),
    "absorb": _two(lambda x, y: (mk("max_num", x, mk("min_num", x, y)), x)),
    "clamp_order": lambda d: (lambda x, p, q: (mk("min_nan", mk("max_nan", x, p), q), mk("max_nan", mk("min_nan", x, q), p)))(d.f32(), d.limit(), d.limit()),
}


# for each closed test, constants that pass it
CLOSED: dict[str, Callable[[Draw], tuple[Expr, ...]]] = {
    "Fp.isRecip": lambda d: (power := d.power(), reciprocal(power)),
    "Fp.isNonzero": lambda d: (d.choice([ONE, const(-6.0), NORMAL, LARGEST, INF]),),
    "Fp.isBig": lambda d: (d.choice([ONE, const(-6.0), NORMAL, LARGEST, INF]),),
    "Fp.isScale": lambda d: (const(d.choice([2.0, 1.0, -4.0, 1024.0])),),
    "Fp.isShrink": lambda d: d.choice([(const(0.5), const(2.0**-125)), (const(0.25), const(2.0**-124)), (const(-0.125), const(2.0**-123))]),
    "Fp.isProduct": lambda d: d.choice([(const(2.0), const(0.5), const(1.0)), (const(4.0), const(-3.0), const(-12.0))]),
    "Fp.isScalings": lambda d: d.choice([(const(0.5), const(0.5), const(0.25)), (const(2.0), const(4.0), const(8.0)), (const(-2.0), const(1.5), const(-3.0))]),
    "Fp.isBare": lambda d: (d.power(),), "Fp.isTame": lambda d: (d.choice([ONE, const(-6.0), HALF, const(0.01)]),),
    "Fp.isPart": lambda d: (d.choice([ONE, const(-0.5), const(0.01), NORMAL, TINY]),),
    "Fp.isSucc": lambda d: (lambda k: (const(k), const(k + 1)))(d.choice([1.0, 2.0, 7.0, 0.5])),
}


# for each test on the ends of intervals, ends that pass it and are no wider than they must be
ENDS: dict[str, tuple[float, ...]] = {
    "Fp.addEnds": (-1, 2, 0.5, 3, -0.5, 5), "Fp.subEnds": (-1, 2, 0.5, 3, -4, 1.5), "Fp.mulEnds": (-1, 2, 0.5, 3, -3, 6),
    "Fp.fmaEnds": (-1, 2, 0.5, 3, -1, 1, -4, 7), "Fp.divEnds": (-1, 2, 0.5, 3, -2, 4), "Fp.divEndsNeg": (-1, 2, -3, -0.5, -4, 2),
    "Fp.sqrtEnds": (0.25, 4, 0.5, 2), "Fp.negEnds": (-1, 2, -2, 1), "Fp.absEnds": (-1, 2, 0, 2), "Fp.minEnds": (-1, 2, 0.5, 3, -1, 2),
    "Fp.maxEnds": (-1, 2, 0.5, 3, 0.5, 3), "Fp.ftzEnds": (2.0**-130, 2, 0, 2), "Fp.tinyEnds": (2.0**-149, 2.0**-130), "Fp.wider": (-1, 2, -1, 2),
    "Fp.lt": (1, 2), "Fp.le": (1, 1), "Fp.apart": (-1, 1, 2, 3),
}
CLOSED |= {name: (lambda d, ends=ends: tuple(map(const, ends))) for name, ends in ENDS.items()}


def lemma_sides(lemma: Lemma, d: Draw) -> Sides:
    """A registered lemma at random arguments; its conditions become a branch."""
    env: dict[Expr, Expr] = {v: d.expression(v.sort, 1) for v in lemma.variables}
    for test, args in lemma.closed:
        env |= dict(zip(args, _product(env, args) if test == "Fp.isProduct" and len(lemma.closed) > 1 else CLOSED[test](d), strict=True))
    left, right, *given = (_put(e, env) for e in (lemma.lhs, lemma.rhs, *(c for pair in lemma.given for c in pair)))
    if left.sort == BOOL:
        yes, no = d.f32(), d.f32()
        left, right = _sel(left, yes, no), _sel(right, yes, no)
    for e, value in zip(given[::2], given[1::2], strict=True):
        holds = mk("same", e, value) if e.sort == F32 else e if value.value else _not(e)
        left, right = _sel(holds, left, B), _sel(holds, right, B)
    return left, right


def _product(env: dict[Expr, Expr], args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The first, drawn before, times two; and that."""
    return env[args[0]], TWO, const(2 * float(real(env[args[0]])))


def _put(e: Expr, env: dict[Expr, Expr]) -> Expr:
    return fold((e,), lambda n, args: env.get(n, n) if not n.args else rebuild(n, args))[e]


def mutated(d: Draw) -> Sides:
    """A random expression and the same with one operation, or the order of its arguments, changed."""
    whole = d.f32(3)
    at = d.choice([n for n in topo(whole) if n.args] or [whole])
    if not at.args:
        return whole, d.choice(NAMES)
    other = d.choice([r for r, op in OPS.items() if op.kind == "exact" and (op.args, op.out) == (OPS[at.op].args, at.sort)])
    args = d.sample(at.args, len(at.args)) if len({a.sort for a in at.args}) == 1 else at.args
    return whole, fold((whole,), lambda n, new: mk(other, *args) if n is at else rebuild(n, new))[whole]


def in_context(d: Draw, sides: Sides) -> Sides:
    """Both sides in one random context."""
    if d.random() < 0.4:
        return sides
    row = d.choice([r for r in ROWS[F32] if F32 in OPS[r].args])
    at = d.choice([i for i, s in enumerate(OPS[row].args) if s == F32])
    args = [d.expression(s, 1) for s in OPS[row].args]
    left, right = (mk(row, *(x if i == at else a for i, a in enumerate(args))) for x in sides)
    return left, right


def make_pair(number: int, only: Sequence[str] = ()) -> Pair:
    """The pair of this number."""
    d = Draw(f"pair {number}")
    names = [*(f"lemma {n}" for n in LEMMAS), *(2 * [f"true {n}" for n in TRUE]), *(2 * [f"false {n}" for n in FALSE]), *(20 * ["mutated"])]
    kind = d.choice([n for n in names if not only or n in only])
    word, _, name = kind.partition(" ")
    rule = {"lemma": lambda: lemma_sides(LEMMAS[name], d), "true": lambda: TRUE[name](d), "false": lambda: FALSE[name](d), "mutated": lambda: mutated(d)}
    sides = in_context(d, rule[word]())
    left, right = sides if d.random() < 0.5 else sides[::-1]
    return Pair(number, kind, word in ("lemma", "true"), left, right)
