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
from devsem.ops import B32, DIRECTED, F32, OPS
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


# --- constants: folded in IEEE arithmetic whatever the flags; under -ftz=true a subnormal may be flushed on the way (fabsf on sm_100) or not ---

FOLDED = {"w_add": "add_rn", "w_sub": "sub_rn", "w_mul": "mul_rn", "w_div": "div_rn", "w_neg": "neg", "w_abs": "abs", "w_min": "min_num", "w_max": "max_num",
          "w_lt": "lt", "w_le": "le", "w_eq": "eq"}
PERHAPS_FOLDED = {"w_fma": "fma_rn", "w_floor": "floor", "w_ceil": "ceil", "w_sqrt": "sqrt_rn"}


def _fold(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    if not all(a.is_const and a is not NAN for a in e.args) or (e.op == "w_sqrt" and p.sqrt != "ieee"):
        return None
    result = compute({**FOLDED, **PERHAPS_FOLDED}[e.op], *e.args)
    if result is NAN:
        return None
    if p.ftz and result.sort == F32 and any(map(subnormal, (*e.args, result))):
        return choices.either(result, e)
    return result if e.op in FOLDED else None


def _decided(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    """A use in an arm that is never taken is no use."""
    condition, yes, no = e.args
    if condition.is_const:
        return yes if condition.value else no
    if yes is no:
        return yes
    inner_yes = yes.args[1] if yes.op == e.op and yes.args[0] is condition else yes
    inner_no = no.args[2] if no.op == e.op and no.args[0] is condition else no
    return None if (inner_yes, inner_no) == (yes, no) else mk(e.op, condition, inner_yes, inner_no)


def _never(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    return const_bool(False) if e.args[0] is e.args[1] else None


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


def _minus_subnormal(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    """x-1e-40f was seen to become a copy of x, without a flush, before sm_100."""
    return choices.either(e.args[0], e) if p.ftz and p.sm < 100 and subnormal(e.args[1]) else None


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
           "w_div_rn", "w_rcp_rn", "w_sqrt_rn", "w_rint", "w_floor", "w_ceil", "w_trunc", "w_round", "w_saturate",
           *(f"w_{name}_{mode}" for name in ("add", "sub", "mul", "div", "fma", "rcp", "sqrt") for mode in DIRECTED)}


@dataclass(frozen=True)
class Bound:
    """`select(compare(x, limit), …)` with results `x` and `kept`: a minimum or maximum but for zeros and flushes."""

    x: Expr
    limit: Expr
    kept: Expr
    strict: bool
    below: bool             # the comparison is x < limit, not limit < x
    number: bool            # it selects x where it holds, so a NaN gives `kept`, as PTX min and max; otherwise NaN, as min.NaN and max.NaN

    @property
    def largest(self) -> bool:
        """Is it nearly a maximum?"""
        return self.below != self.number

    @property
    def exact(self) -> str:
        """The exact operation that it nearly is."""
        return ("max_" if self.largest else "min_") + ("num" if self.number else "nan")

    def same_at(self, zero: Expr) -> bool:
        """Does that operation agree with the select where x is this zero?"""
        holds = compute("lt" if self.strict else "le", *((zero, self.limit) if self.below else (self.limit, zero)))
        return (zero if bool(holds.value) == self.number else self.kept) is compute(self.exact, zero, self.kept)


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
    return Bound(x, limit, kept, condition.op == "w_lt", x is low, x is yes)


def _bound(e: Expr, p: Profile, choices: Choices) -> Expr | None:
    """NVVM makes min or max of some (4.2), flushing and ordering zeros; ptxas makes FMNMX of others, without the flush of their setp.ftz."""
    b = bound(e)
    if b is None:
        return None
    legal = b.same_at(ZERO) and b.same_at(MINUS_ZERO)
    flushes = p.ftz and (b.x.op not in FLUSHED or subnormal(b.kept))
    zero = not b.kept.value & MAGNITUDE
    nvvm = b.number and (b.kept is b.limit or (p.sm >= 100 and b.kept is ZERO)) and (b.strict or not zero)
    if nvvm and (flushes or not legal):
        written = mk("w_max" if b.largest else "w_min", b.x, b.kept)
        # a negation is folded into the comparison first or not, by the order of passes; two different zeros are made +0 on sm_100 only
        return written if b.kept is b.limit and b.x.op != "w_neg" else choices.either(written, e)
    ptxas = legal and b.kept is not MINUS_ZERO and (b.number or p.sm >= 80)
    return choices.either(e, mk(b.exact, b.x, b.kept)) if flushes and ptxas else None


RULES = (
    Rule((*FOLDED, *PERHAPS_FOLDED), _fold, "2.5: constants fold, 1e-40f*2.0f unflushed; nvcc -ftz=true keeps __fmul_rn and its kind at run time"),
    Rule(("select", "select_bool"), _decided, "LLVM: a select with one possible result is that result"),
    Rule(("w_lt",), _never, "LLVM: x < x is false"),
    Rule((*IDENTITIES, "w_neg", "w_min", "w_max"), _identity, "3.3: copies of the operand, without a flush or a rounding"),
    Rule(("w_sub",), _minus_subnormal, "nvcc -ftz=true -arch=sm_90"),
    Rule(("w_fma",), _fma_identity, "0.6, 2.2: sm_100 and later"),
    Rule(("w_min", "w_max"), _nan_bound, "4.2: fmaxf(a, NaN) is a copy of a on sm_100 and later"),
    Rule(("w_div",), _divide, "6.2, 6.4: rcp.approx, rsqrt.approx, exact powers of two, flushed reciprocals on sm_100 and later"),
    Rule(("w_rsqrtf",), _rsqrt, "6.2: rsqrtf is rsqrt.approx on every device"),
    Rule(("select",), _bound, "4.2 and nvcc -ftz=true: min, max, FMNMX and FMNMX.NAN"),
)
BY_OP: dict[str, tuple[Rule, ...]] = {op: tuple(r for r in RULES if op in r.ops) for op in {op for r in RULES for op in r.ops}}


def rewrite(values: tuple[Expr, ...], profile: Profile, choices: Choices) -> tuple[Expr, ...]:
    """The values with every rule applied, innermost first, until none applies; unchanged for a profile that is no device."""
    if not profile.rewrites:
        return values

    def step(node: Expr) -> Expr:
        for rule in BY_OP.get(node.op, ()):
            found = rule.rewrite(node, profile, choices)
            if found is not None and found is not node:
                return found if found.op == "w_choice" else step(found)
        return node

    done = fold(values, lambda node, args: step(rebuild(node, args)))
    return tuple(done[v] for v in values)
