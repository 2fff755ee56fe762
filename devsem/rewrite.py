"""What a device's compiler rewrites before it emits an operation, where that changes a value, a flush or a contraction.

Each rule is a row: when it applies, what it does, and the fact it rests on (facts/GPU_FLOAT.md; nvcc 13.0.88 on sm_75 … sm_120). A
rewrite that cannot change the result is left out, so that a kernel keeps the words its author wrote. Where compilers or documents
disagree, the result is a `w_choice` between both meanings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from devsem.expr import Expr, bits, const, const_bool, const_int, fold, mk, rebuild
from devsem.ops import B32, F32, OPS
from devsem.profile import Profile

ONE, MINUS_ONE, ZERO, MINUS_ZERO = const(1.0), const(-1.0), const(0.0), const(-0.0)
NAN = bits(0x7FFFFFFF)
MAGNITUDE, MIN_NORMAL = 0x7FFFFFFF, 0x00800000


@dataclass
class Choices:
    """Hands out the numbers of the choices: each is one bit that the reading decides."""

    count: int = 0
    made: dict[tuple[Expr, Expr], Expr] = field(default_factory=dict)

    def site(self) -> Expr:
        """A fresh number."""
        self.count += 1
        return const_int(B32, self.count - 1)

    def either(self, first: Expr, second: Expr) -> Expr:
        """One of two meanings; the same pair is the same choice."""
        if first is second:
            return first
        if (first, second) not in self.made:
            self.made[first, second] = mk("w_choice", self.site(), first, second)
        return self.made[first, second]


Rewrite = Callable[[Expr, Profile, Choices], Expr | None]


@dataclass(frozen=True)
class Rule:
    """A rewrite of nodes with one of these operations, and the fact it rests on."""

    ops: tuple[str, ...]
    rewrite: Rewrite
    fact: str


def compute(op: str, *args: Expr) -> Expr:
    """An exact operation on constants."""
    row = OPS[op]
    assert row.eval is not None
    result = row.eval(*(np.array([a.value], dtype=np.uint32) for a in args))[0]
    return bits(int(result)) if row.out == F32 else const_bool(bool(result))


def subnormal(e: Expr) -> bool:
    """Is it a subnormal constant?"""
    return e.is_const and e.sort == F32 and 0 < e.value & MAGNITUDE < MIN_NORMAL


def reciprocal_of_power(e: Expr) -> Expr | None:
    """1/C where C is ±2^k and both are normal numbers: x/C and x*(1/C) are then equal."""
    exponent = e.value >> 23 & 0xFF if e.is_const else 0
    return bits(e.value & 0x80000000 | 254 - exponent << 23) if e.is_const and not e.value & 0x7FFFFF and 1 <= exponent <= 253 else None


# --- constants: folded by the front end, in IEEE arithmetic whatever the flags ---

FOLDED = {"w_add": "add_rn", "w_sub": "sub_rn", "w_mul": "mul_rn", "w_div": "div_rn", "w_neg": "neg", "w_abs": "abs", "w_min": "min_num", "w_max": "max_num",
          "w_lt": "lt", "w_le": "le", "w_eq": "eq"}
PERHAPS_FOLDED = {"w_fma": "fma_rn", "w_floor": "floor", "w_ceil": "ceil", "w_sqrt": "sqrt_rn"}


def _fold(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    if not all(a.is_const and a is not NAN for a in e.args) or (e.op == "w_sqrt" and p.sqrt != "ieee"):
        return None
    result = compute({**FOLDED, **PERHAPS_FOLDED}[e.op], *e.args)
    if result is NAN:
        return None
    if e.op in FOLDED:
        return result
    return choices.either(result, e) if p.ftz and any(map(subnormal, (*e.args, result))) else None


def _decided(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    condition, yes, no = e.args
    if condition.is_const:
        return yes if condition.value else no
    return yes if yes is no else None


# --- identities: simplified even where they drop a flush or a rounding ---


def _identity(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    found = _identical(e, p)
    rounds = found is not None and p.contract and not (found.is_var or found.is_const)
    return found if p.ftz or rounds else None


def _identical(e: Expr, p: Profile) -> Expr | None:
    a, b = e.args[0], e.args[-1]
    if e.op == "w_neg":
        return a.args[0] if a.op == "w_neg" else None
    if e.op in ("w_min", "w_max"):
        return a if a is b else None
    return IDENTITIES[e.op](a, b, p)


def _times(a: Expr, b: Expr, p: Profile) -> Expr | None:
    for x, c in ((a, b), (b, a)):
        if c in (ONE, MINUS_ONE):
            return x if c is ONE else mk("w_neg", x)
    return None


def _over(a: Expr, b: Expr, p: Profile) -> Expr | None:
    if p.division == "approx" or b not in (ONE, MINUS_ONE):
        return None
    return a if b is ONE else mk("w_neg", a)


def _plus(a: Expr, b: Expr, p: Profile) -> Expr | None:
    return a if b is MINUS_ZERO else b if a is MINUS_ZERO else None


def _minus(a: Expr, b: Expr, p: Profile) -> Expr | None:
    return a if b is ZERO else mk("w_neg", b) if a is MINUS_ZERO else None


IDENTITIES: dict[str, Callable[[Expr, Expr, Profile], Expr | None]] = {"w_mul": _times, "w_div": _over, "w_add": _plus, "w_sub": _minus}


def _fma_identity(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    """fmaf(a,b,-0.0f) -> a*b and fmaf(x,±1.0f,c) -> x+c, c-x: one rounding either way, but now contractable."""
    if p.sm < 100 or not (p.ftz or p.contract):
        return None
    a, b, c = e.args
    if c is MINUS_ZERO:
        return mk("w_mul", a, b)
    for x, one in ((a, b), (b, a)):
        if one in (ONE, MINUS_ONE):
            return mk("w_add", x, c) if one is ONE else mk("w_sub", c, x)
    return None


def _nan_bound(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    a, b = e.args
    return (b if a is NAN else a if b is NAN else None) if p.sm >= 100 and p.ftz else None


# --- division and square root ---


def _divide(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    a, b = e.args
    if p.division != "ieee" and a is ONE:
        return mk("w_rsqrt", b.args[0]) if b.op == "w_sqrt" and p.sqrt == "approx" else mk("w_rcp", b)
    if not b.is_const or b is NAN or p.division == "approx":
        return None
    if p.sm >= 100 and p.ftz:
        return mk("w_mul", a, compute("ftz", compute("div_rn", ONE, compute("ftz", b))))
    power = reciprocal_of_power(b) if p.division == "full" else None
    return mk("w_mul", a, power) if power else None


def _rsqrt(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    return mk("w_rsqrt", *e.args)


# --- a comparison with a constant that selects one of the two: min and max instructions ---

FLUSHED = {"w_add", "w_sub", "w_mul", "w_div", "w_neg", "w_abs", "w_fma", "w_sqrt", "w_min", "w_max", "w_rcp", "w_rsqrt", "w_add_rn", "w_sub_rn", "w_mul_rn",
           "w_div_rn", "w_rcp_rn", "w_sqrt_rn", "w_rint", "w_floor", "w_ceil", "w_trunc", "w_round"}


@dataclass(frozen=True)
class Bound:
    """`select(compare(x, limit), …)` whose results are `x` and `kept`: a minimum or maximum but for zeros and flushes."""

    x: Expr
    limit: Expr
    kept: Expr
    strict: bool
    largest: bool
    number: bool            # a NaN x gives `kept`, as PTX min and max; otherwise it gives NaN, as min.NaN and max.NaN

    @property
    def exact(self) -> str:
        """The exact operation that it nearly is."""
        return ("max_" if self.largest else "min_") + ("num" if self.number else "nan")


def bound(e: Expr) -> Bound | None:
    """Reads a select as a bound, if it is one."""
    condition, yes, no = e.args
    while condition.op == "not":
        condition, yes, no = condition.args[0], no, yes
    if condition.op not in ("w_lt", "w_le"):
        return None
    low, high = condition.args
    x, limit = (low, high) if high.is_const else (high, low)
    kept = no if yes is x else yes
    if x.is_const or not limit.is_const or not kept.is_const or x not in (yes, no) or limit is NAN:
        return None
    if kept is not limit and (kept.value | limit.value) & MAGNITUDE:
        return None
    return Bound(x, limit, kept, condition.op == "w_lt", (x is low) != (x is yes), x is yes)


def _same_at_zeros(e: Expr, b: Bound) -> bool:
    """Does the minimum or maximum instruction agree with the select at both zeros?"""
    for zero in (ZERO, MINUS_ZERO):
        def at(n: Expr, args: tuple[Expr, ...], zero: Expr = zero) -> Expr:
            value = zero if n is b.x else rebuild(n, args)
            return value if value.is_const else compute(CONSTANT_OPS[n.op], *args) if n.op in CONSTANT_OPS else args[1] if args[0].value else args[2]
        if fold((e,), at)[e] is not compute(b.exact, zero, b.kept):
            return False
    return True
