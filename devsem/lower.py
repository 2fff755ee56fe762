"""From what a source says to exact operations, for one profile: `prepare` decides what is computed, `lower` spells it out.

`lower` is a plain expansion, row by row, with no simplification: the Lean definition `Profile.NAME` of each row unfolds to the same
term, so a lowered expression and Lean's reading of the written one are equal by definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from devsem.contract import Sites, sites
from devsem.errors import Bug
from devsem.expr import Expr, bits, const, const_int, fold, mk, rebuild, topo
from devsem.ops import B32, CONTRACTED_LIBM, DIRECTED, INTRINSICS, LIBM1, LIBM2, OPS, RM
from devsem.profile import Profile
from devsem.rewrite import Choices, rewrite

__all__ = ["Sites", "lower", "prepare"]


@dataclass(frozen=True)
class Reading:
    """A profile and one bit for each choice it leaves open."""

    profile: Profile
    choice: tuple[bool, ...]

    def ftz(self, x: Expr) -> Expr:
        """x, flushed where the profile flushes."""
        return mk("ftz", x) if self.profile.ftz else x

    def device(self, name: str, *args: Expr) -> Expr:
        """The device's function, compiled with or without flushing."""
        return mk(f"D.{name}_ftz" if self.profile.ftz else f"D.{name}", *args)

    def arith(self, name: str, *args: Expr) -> Expr:
        """An exact operation whose inputs and result are flushed."""
        return self.ftz(mk(name, *map(self.ftz, args)))

    def first(self, site: Expr) -> bool:
        """The bit of a site."""
        if not site.is_const or site.value >= len(self.choice):
            raise Bug(f"site {site!r} has no choice among {len(self.choice)}")
        return self.choice[site.value]


Row = Callable[..., Expr]
ONE = const(1.0)
LOG2_E, LOG2_10, LN2, LOG10_2 = bits(0x3FB8AA3B), bits(0x40549A78), bits(0x3F317218), bits(0x3E9A209B)

# --- rows that are one exact operation ---

FLUSH_ALL = {"w_add": "add_rn", "w_sub": "sub_rn", "w_mul": "mul_rn", "w_fma": "fma_rn", "w_neg": "neg", "w_abs": "abs", "w_min": "min_num", "w_max": "max_num",
             "w_add_rn": "add_rn", "w_sub_rn": "sub_rn", "w_mul_rn": "mul_rn", "w_div_rn": "div_rn", "w_sqrt_rn": "sqrt_rn",
             **{f"w_{name}_{mode}": f"{name}_{mode}" for mode in DIRECTED for name in ("add", "sub", "mul", "div", "fma", "sqrt")}}
FLUSH_INPUTS = {"w_lt": "lt", "w_le": "le", "w_eq": "eq", "w_floor": "floor", "w_ceil": "ceil", "w_saturate": "sat",
                **{f"w_f32_to_{word}_{mode}": f"f32_to_{word}_{mode}" for word in ("s32", "u32", "s64", "u64") for mode in RM}}
FLUSH_NOTHING = {"w_rint": "rint", "w_trunc": "trunc", "w_round": "round_away", "w_isnan": "is_nan", "w_isinf": "is_inf", "w_isfinite": "is_finite"}

# --- division, square root, reciprocals ---


def _div(r: Reading, a: Expr, b: Expr) -> Expr:
    return r.arith("div_rn", a, b) if r.profile.division == "ieee" else r.device(f"div_{r.profile.division}", a, b)


def _sqrt(r: Reading, a: Expr) -> Expr:
    return r.arith("sqrt_rn", a) if r.profile.sqrt == "ieee" else r.device("sqrt_approx", a)


def _rcp(mode: str) -> Row:
    """The correctly rounded reciprocal; the 1 is the instruction's own."""
    return lambda r, b: r.ftz(mk(f"div_{mode}", ONE, r.ftz(b)))


# --- contraction sites ---


def _mul_add(r: Reading, a: Expr, b: Expr, c: Expr) -> Expr:
    return r.arith("fma_rn", a, b, c) if r.profile.contract else r.arith("add_rn", r.arith("mul_rn", a, b), c)


def _mul_sub(r: Reading, a: Expr, b: Expr, c: Expr) -> Expr:
    return r.arith("fma_rn", a, b, mk("neg", c)) if r.profile.contract else r.arith("sub_rn", r.arith("mul_rn", a, b), c)


def _sub_mul(r: Reading, a: Expr, b: Expr, c: Expr) -> Expr:
    return r.arith("fma_rn", mk("neg", a), b, c) if r.profile.contract else r.arith("sub_rn", c, r.arith("mul_rn", a, b))


def _mul_add_mul(r: Reading, k: Expr, a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
    left, right = r.arith("mul_rn", a, b), r.arith("mul_rn", c, d)
    if not r.profile.contract:
        return r.arith("add_rn", left, right)
    return r.arith("fma_rn", a, b, right) if r.first(k) else r.arith("fma_rn", c, d, left)


def _mul_sub_mul(r: Reading, k: Expr, a: Expr, b: Expr, c: Expr, d: Expr) -> Expr:
    left, right = r.arith("mul_rn", a, b), r.arith("mul_rn", c, d)
    if not r.profile.contract:
        return r.arith("sub_rn", left, right)
    return r.arith("fma_rn", a, b, mk("neg", right)) if r.first(k) else r.arith("fma_rn", mk("neg", c), d, left)


def _choice(r: Reading, k: Expr, x: Expr, y: Expr) -> Expr:
    return x if r.first(k) else y


def _ended(name: str, end: str) -> Row:
    """A device function with the sum that its last multiplication was fused into; under -ftz=true it is another program."""
    return lambda r, *args: mk(f"D.{name}_ftz_{end}" if r.profile.ftz else f"D.{name}_{end}", *args)


def _div_ended(end: str) -> Row:
    def row(r: Reading, a: Expr, b: Expr, c: Expr) -> Expr:
        if r.profile.division == "ieee":
            raise Bug("an IEEE division is never fused")
        return _ended(f"div_{r.profile.division}", end)(r, a, b, c)
    return row


def _rcp_ended(end: str) -> Row:
    def row(r: Reading, b: Expr, c: Expr) -> Expr:
        if r.profile.ftz:
            raise Bug("rcp.approx.ftz is never fused")
        return mk(f"D.rcp_approx_{end}", b, c)
    return row


# --- the CUDA math library ---

FAST: dict[str, Row] = {
    "expf": lambda r, x: r.device("ex2_approx", r.arith("mul_rn", x, LOG2_E)),
    "exp10f": lambda r, x: r.device("ex2_approx", r.arith("mul_rn", x, LOG2_10)),
    "logf": lambda r, x: r.arith("mul_rn", r.device("lg2_approx", x), LN2),
    "log2f": lambda r, x: r.device("lg2_approx", x),
    "log10f": lambda r, x: r.arith("mul_rn", r.device("lg2_approx", x), LOG10_2),
    "sinf": lambda r, x: r.device("sin_approx", x),
    "cosf": lambda r, x: r.device("cos_approx", x),
    "tanf": lambda r, x: r.device("div_approx", r.device("sin_approx", x), r.device("cos_approx", x)),
    "tanhf": lambda r, x: mk("D.tanh_approx", x),
    "powf": lambda r, x, y: r.device("ex2_approx", r.arith("mul_rn", y, r.device("lg2_approx", x))),
    "fdividef": lambda r, a, b: r.device("div_approx", a, b),
}


def _libm(name: str) -> Row:
    """The accurate function, or under -use_fast_math its intrinsic where there is one."""
    fast = FAST.get(name)
    return lambda r, *args: fast(r, *args) if fast is not None and r.profile.libm == "fast" else r.device(name, *args)


def _exact(kind: Callable[[Reading, str, tuple[Expr, ...]], Expr], op: str) -> Row:
    return lambda r, *args: kind(r, op, args)


ROWS: dict[str, Row] = {
    **{w: _exact(lambda r, op, args: r.arith(op, *args), op) for w, op in FLUSH_ALL.items()},
    **{w: _exact(lambda r, op, args: mk(op, *map(r.ftz, args)), op) for w, op in FLUSH_INPUTS.items()},
    **{w: _exact(lambda r, op, args: mk(op, *args), op) for w, op in FLUSH_NOTHING.items()},
    "w_hold": lambda r, a: a,
    "w_div": _div, "w_sqrt": _sqrt, **{f"w_rcp_{mode}": _rcp(mode) for mode in RM},
    "w_rcp": lambda r, b: r.device("rcp_approx", b),
    "w_rsqrt": lambda r, a: r.device("rsqrt_approx", a),
    "w_mul_add": _mul_add, "w_mul_sub": _mul_sub, "w_sub_mul": _sub_mul,
    "w_mul_add_mul": _mul_add_mul, "w_mul_sub_mul": _mul_sub_mul, "w_choice": _choice,
    **{f"w_{f}": _libm(f) for f in (*LIBM1, *LIBM2)},
    **{f"w_fast_{f}": FAST[f] for f in INTRINSICS},
    **{f"w_{f}_{end}": _ended(f, end) for f in CONTRACTED_LIBM for end in ("add", "rsub")},
    **{f"w_fast_fdividef_{end}": _ended("div_approx", end) for end in ("add", "rsub")},
    **{f"w_div_{end}": _div_ended(end) for end in ("add", "rsub")},
    **{f"w_rcp_{end}": _rcp_ended(end) for end in ("add", "rsub")},
}
if ROWS.keys() != {name for name, op in OPS.items() if op.kind == "written"}:
    raise ValueError(f"lower.py and ops.py disagree on {sorted(ROWS.keys() ^ {n for n, op in OPS.items() if op.kind == 'written'})}")


def prepare(values: tuple[Expr, ...], profile: Profile) -> Sites:
    """Written values as the profile's compiler leaves them: rewritten, and with contraction sites marked where it contracts.

    Every value counts as stored, so pass all of a kernel's stored values and the conditions that guard them at once.
    """
    choices = Choices()
    rewritten = rewrite(values, profile, choices)
    found = sites(rewritten, profile, choices) if profile.contract else Sites(rewritten, choices.count)
    return _numbered(found)


def _numbered(found: Sites) -> Sites:
    """The choices that are left, numbered from 0."""
    used = dict.fromkeys(n.args[0] for n in topo(*found.values) if n.args and n.op in ("w_choice", "w_mul_add_mul", "w_mul_sub_mul"))
    number = {site: const_int(B32, i) for i, site in enumerate(used)}

    def renumber(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return mk(node.op, number[args[0]], *args[1:]) if node.op in ("w_choice", "w_mul_add_mul", "w_mul_sub_mul") else rebuild(node, args)

    done = fold(found.values, renumber)
    return Sites(tuple(done[v] for v in found.values), len(number), found.assumptions)


def lower(value: Expr, profile: Profile, choice: tuple[bool, ...]) -> Expr:
    """The value in exact operations and device functions, for one reading: `choice` has a bit for every site."""
    reading = Reading(profile, choice)

    def row(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return ROWS[node.op](reading, *args) if node.op in ROWS else rebuild(node, args)

    return fold((value,), row)[value]
