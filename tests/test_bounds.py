"""Refuting through functions of which documents give only bounds: the intervals against the table of single results and against exact
evaluation, and verdicts that Lean checks. What a document says is written out here by hand.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from asklean import refusals

from devsem import evaluate, floats, leanrefuted, libm, libm_guess, ranges
from devsem.expr import Expr, bits, const, mk, var, variables
from devsem.leanprint import proof, text
from devsem.libm_ordinals import number, ordinal
from devsem.libm_ranges import interval
from devsem.ops import F32, OPS
from devsem.possible import Bound
from devsem.ranges import Range
from devsem.refute import NoWitness, Witness, find
from devsem.separate import separate_block
from devsem.term import names

X, Y = var("x", F32), var("y", F32)
INF, NINF = 0x7F800000, 0xFF800000


def p(value: float) -> int:
    return const(value).value


def ends(row: str, low: float, high: float) -> tuple[float, float]:
    found = interval(row, (p(low),), (p(high),))
    assert found is not None
    return number(found[0]), number(found[1])


# --- the table's intervals


@pytest.mark.parametrize(("row", "at", "low", "high"), [
    # tanh.approx: max relative error 2^-11; tanh(1) = 0.76159415…
    ("D.tanh_approx", 1.0, 0.7615941559557649 * (1 - 2 ** -11), 0.7615941559557649 * (1 + 2 ** -11)),
    # lg2.approx: max absolute error 2^-22 for arguments between 0.5 and 2; log2(1) = 0
    ("D.lg2_approx", 1.0, -(2.0 ** -22), 2.0 ** -22),
    # sin.approx: max absolute error 2^-20.5 up to 2 pi, then 2^-14.7 up to 100 pi
    ("D.sin_approx", 1.0, math.sin(1) - 2 ** -20.5, math.sin(1) + 2 ** -20.5),
    ("D.sin_approx", 100.0, math.sin(100) - 2 ** -14.7, math.sin(100) + 2 ** -14.7),
])
def test_a_bound_at_one_argument_is_the_documented_one(row: str, at: float, low: float, high: float) -> None:
    found = interval(row, (p(at),), (p(at),))
    assert found is not None and number(found[0]) <= low and high <= number(found[1])
    inner = [ordinal(found[0]) + 2, ordinal(found[1]) - 2]      # two floats further in, each end would be wrong
    values = [number(o if o > 0 else 0x80000000 - o) for o in inner]
    assert values[0] > low and values[1] < high


@pytest.mark.parametrize(("row", "lows", "highs"), [
    ("D.sin_approx", (1000.0,), (1000.0,)),     # beyond 100 pi no document says anything
    ("D.lg2_approx", (-1.0,), (1.0,)),          # NaN below zero
    ("D.rcp_approx", (-1.0,), (1.0,)),          # both infinities
    ("D.rsqrt_approx", (0.0,), (1.0,)),         # -0 gives minus infinity
    ("D.div_approx", (1.0, -1.0), (1.0, 1.0)),
    ("D.powf", (-2.0, 1.0), (2.0, 3.0)),
    ("D.tanhf_ftz", (1.0,), (2.0,)),            # where a whole function flushes is not documented
])
def test_silence_has_no_interval(row: str, lows: Sequence[float], highs: Sequence[float]) -> None:
    assert interval(row, tuple(map(p, lows)), tuple(map(p, highs))) is None


def test_a_nan_has_no_interval_and_the_bits_of_a_nan_have_none() -> None:
    assert interval("D.expf", (0x7FFFFFFF,), (0x7FFFFFFF,)) is None
    assert interval("D.nan_bits", (3, p(1.0)), (3, p(1.0))) is None


def test_an_end_at_infinity_bounds_what_lies_before_it() -> None:
    """tanh.approx(+inf) is 1, yet at large arguments the relative error allows more than 1."""
    assert ends("D.tanh_approx", 10, math.inf)[1] > 1.0004
    assert ends("D.expf", -math.inf, 0)[0] < 0


def test_a_wave_reaches_its_crest_between_the_ends() -> None:
    assert ends("D.sin_approx", 1, 2)[1] >= 1 and ends("D.cosf", 3, 3.5)[0] <= -1 and ends("D.sinf", 0.1, 0.2)[1] < 0.2


def drawn(rng: random.Random) -> tuple[int, int]:
    """Two patterns in order: near, far, special, or one."""
    x = rng.choice([rng.uniform(-5, 5), math.exp(rng.uniform(-100, 88)), -math.exp(rng.uniform(-100, 88)), 0.0, -0.0, 1.0, 2.0 ** -126, 88.7, math.pi])
    y = rng.choice([x, x + abs(x) * rng.choice([1e-7, 1e-5, 0.1, 2]), math.inf if rng.random() < 0.1 else x + 1])
    low, high = p(x), p(y)
    if number(low) == number(high) == 0 and low != high:
        return 0x80000000, 0
    return low, high


def inside(low: int, high: int, rng: random.Random) -> int:
    """A pattern between two, near an end or anywhere; zero with either sign."""
    if low == high:
        return low
    a, b = ordinal(low), ordinal(high)
    at = rng.choice([a, min(a + 1, b), b, max(b - 1, a), rng.randint(a, b)])
    return rng.choice([0, 0x80000000]) if at == 0 else at if at > 0 else 0x80000000 - at


def test_an_interval_of_arguments_holds_what_is_allowed_at_each() -> None:
    rng, tried = random.Random(4), 0
    for _ in range(700):
        row = "D." + rng.choice(sorted(libm.ROWS.keys() - {"nan_bits"}))
        pairs = [drawn(rng) for _ in OPS[row].args]
        lows, highs = tuple(a for a, _ in pairs), tuple(b for _, b in pairs)
        found = interval(row, lows, highs)
        if found is None:
            continue
        for _ in range(4):
            at = tuple(inside(a, b, rng) for a, b in pairs)
            single, allowed = interval(row, at, at), libm.allowed(row, at, 256)
            for value in (*(allowed or ()), *(single or ())):
                tried += 1
                assert number(found[0]) <= number(value) <= number(found[1]), (row, lows, highs, at, hex(value))
            assert single is not None or allowed is not None, (row, lows, highs, at)
    assert tried > 2000


# --- arithmetic on intervals


LANES = 4000


def patterns(rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    special = np.array([0, 0x80000000, INF, NINF, 1, 0x80000001, p(1), p(-1), 0x7F7FFFFF, 0x00800000, 0x807FFFFF, 0x7FFFFFFF], dtype=np.uint32)
    raw = rng.integers(0, 1 << 32, LANES, dtype=np.uint64).astype(np.uint32)
    usual = np.asarray(rng.uniform(-4, 4, LANES).astype(np.float32)).view(np.uint32)
    pick = rng.integers(0, 4, LANES)
    return np.where(pick == 0, raw, np.where(pick == 1, special[rng.integers(0, len(special), LANES)], usual))


def some(rng: np.random.Generator) -> Range:
    """Lanes that are exact, between two ends, or unknown."""
    a, b = floats.canon(patterns(rng)), floats.canon(patterns(rng))
    numbers = ~floats.is_nan(a) & ~floats.is_nan(b)
    kind = rng.integers(0, 10, LANES)
    whole = ranges.between(np.where(floats.le(a, b), a, b), np.where(floats.le(a, b), b, a))
    use = numbers & (kind > 3)
    return Range(np.where(use, whole.low, a), np.where(use, whole.high, a), (kind != 9) | ~numbers)


def member(r: Range, rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """A value that each lane may have."""
    low, high = (np.array([ordinal(int(v)) for v in x]) for x in (r.low, r.high))
    at = np.where(rng.integers(0, 2, LANES) == 0, low + (rng.random(LANES) * (high - low + 1)).astype(np.int64), np.where(rng.random(LANES) < 0.5, low, high))
    at = np.minimum(at, high)
    found = np.where(at > 0, at, 0x80000000 - at).astype(np.uint32)
    found = np.where((at == 0) & (rng.random(LANES) < 0.5), np.uint32(0), found)
    return np.where(r.known, np.where(r.low == r.high, r.low, found), floats.canon(patterns(rng)))


@pytest.mark.parametrize("op", [*ranges.RULES, *(t for t in ranges.TRUTH if t not in ("not", "and", "or")), "sat", "add_rz", "rint"])
def test_an_operation_on_intervals_holds_every_result(op: str) -> None:
    rng = np.random.default_rng(7)
    args = [some(rng) for _ in OPS[op].args]
    found = ranges.step(op, args)
    for _ in range(3):
        value = evaluate.apply(op, [member(a, rng) for a in args], {})
        exact = found.low == value
        holds = exact if value.dtype == np.bool_ else np.where(found.low == found.high, exact, floats.le(found.low, value) & floats.le(value, found.high))
        assert (holds | ~found.known).all()
    assert found.known.mean() > (0.5 if op in ranges.RULES else 0.15)


def test_guesses_hold_the_true_intervals() -> None:
    """A guess only proposes; one far too wide would hide witnesses, and one far too narrow would cost time."""
    values = np.array([p(v) for v in (-100, -3, -0.5, -1e-39, 0, 1e-39, 0.3, 0.7, 1, 1.9, 5, 60, 87)], dtype=np.uint32)
    for name in ("ex2_approx_ftz", "tanh_approx", "lg2_approx", "sin_approx", "expf", "tanhf", "rcp_approx", "rsqrt_approx_ftz"):
        got = libm_guess.guess(name)([ranges.exactly(values)])
        for i, at in enumerate(values.tolist()):
            true = interval(name, (at,), (at,))
            if true is None or not got.known[i]:
                continue
            low, high = ordinal(int(got.low[i])), ordinal(int(got.high[i]))
            assert low <= ordinal(true[0]) + 4 and ordinal(true[1]) - 4 <= high, (name, hex(at))
            assert high - low <= 4 * (ordinal(true[1]) - ordinal(true[0])) + 16, (name, hex(at))


# --- witnesses and their proofs


def tanh_gelu(tanh: str, x: Expr, clamp: bool) -> Expr:
    v = mk("min_num", mk("max_num", x, const(-88.375)), const(88.375)) if clamp else x
    u = mk("mul_rn", const(0.7978846), mk("fma_rn", mk("mul_rn", mk("mul_rn", v, v), v), const(0.044715), v))
    return mk("mul_rn", mk("mul_rn", const(0.5), v), mk("add_rn", const(1.0), mk(tanh, u)))


def call(row: str, *args: Expr) -> Expr:
    return mk(row, *args)


SCALED = mk("mul_rn", X, const(1.4426950408889634))
NUMBER = (mk("not", mk("is_nan", X)),)
BIG = mk("lt", const(1.0), X), mk("lt", X, const(5.0))
ZEROS = mk("eq", X, const(0.0)), mk("eq", Y, const(0.0))
EXP = call("D.ex2_approx", X)
# kernel, spec, assumptions, and whether the documents separate them somewhere: reasoned in the comment
PAIRS = {
    # clamped input, gross difference at 100, with 2^-11 around tanh
    "clamped tanh gelu": (tanh_gelu("D.tanh_approx", X, True), tanh_gelu("S.tanhf", X, False), NUMBER, True),
    # within 2^-11 of each other everywhere but at NaN, infinities and subnormals, where both are exact
    "tanh": (call("D.tanh_approx", X), call("S.tanhf", X), BIG, False),
    # sums of 1 % apart, sin.approx known to 2^-20.5
    "shifted cosine": (mk("add_rn", call("D.cos_approx", X), const(0.01)), call("S.cosf", X), BIG, True),
    # three primitives in a row: e^x to a few ulps, but -1 % from the reference
    "chain": (mk("mul_rn", call("D.rcp_approx_ftz", call("D.rcp_approx_ftz", call("D.ex2_approx_ftz", SCALED))), const(0.99)), call("S.expf", X), BIG, True),
    # the same chain without the 1 %: overlapping intervals
    "chain of the same": (call("D.rcp_approx_ftz", call("D.rcp_approx_ftz", call("D.ex2_approx_ftz", SCALED))), call("S.expf", X), BIG, False),
    # lg2.approx(1) may be anything within 2^-22 of 0: it is not the reason; the flushed result is, where the spec is subnormal
    "flushed": (mk("ftz", mk("add_rn", call("D.lg2_approx", const(1.0)), X)), X, (), True),
    # one application is one unknown: it cancels, beside tanh.approx with its thousands of results
    "hybrid": (mk("fma_rn", mk("sub_rn", EXP, EXP), const(1e30), call("D.tanh_approx", X)), const(2.0), BIG, True),
    # zero times minus infinity, whatever lg2.approx(1) is
    "NaN product": (mk("fma_rn", X, call("D.lg2_approx", Y), call("D.lg2_approx", const(1.0))), const(3.0), ZEROS, True),
    # a choice that the interval decides: 1 + tanh is above 0.5, whatever tanh.approx gives
    "decided choice": (mk("select", mk("lt", const(1.5), mk("add_rn", const(1.0), call("D.tanh_approx", X))), const(2.0), const(4.0)), const(4.0), BIG, True),
    # a choice that it does not decide: both branches count
    "open choice": (mk("select", mk("lt", call("D.tanh_approx", X), call("S.tanhf", X)), const(2.0), const(4.0)), const(5.0), BIG, True),
    "open choice that may be right": (mk("select", mk("lt", call("D.tanh_approx", X), call("S.tanhf", X)), const(2.0), const(4.0)), const(4.0), BIG, False),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_is_separated_exactly_if_documents_do(name: str) -> None:
    kernel, spec, assumptions, separated = PAIRS[name]
    given = [v for v in (X, Y) if v in variables(kernel, spec)]
    found = find(kernel, spec, variables=given, assumptions=assumptions, equality="bits", seconds=4)
    assert isinstance(found, Witness if separated else NoWitness), found
    if isinstance(found, Witness):
        at = {v: (bits(found.inputs[v.name]), f"in{i}_eq") for i, v in enumerate(given)}
        named = [(f"bound{i}", b) for i, b in enumerate(found.bounds)]
        assert separate_block(kernel, spec, at, named, {}, 20) is not None


TANH = Bound("D.tanh_approx", (p(2.0),), (), "", (), p(0.9), p(0.99))
INNER = mk("min_nan", mk("max_num", mk("ftz", call("D.tanh_approx", X)), const(-3.0)), const(0.95))
FRACTION = mk("div_rn", mk("neg", mk("fma_rn", call("D.tanh_approx", X), const(-2.0), X)), mk("sub_rn", const(-7.0), INNER))
WIDE = {  # proofs by intervals: the two sides, the witness, the hypotheses
    "at a point": (mk("mul_rn", X, call("D.tanh_approx", X)), const(3.0), p(2.0), [TANH]),
    "at an interval of arguments": (call("D.rcp_approx", mk("add_rn", const(1.0), call("D.tanh_approx", X))), const(0.75), p(2.0),
                                    [TANH, Bound("D.rcp_approx", (p(1.5),), (), "", (p(2.0),), p(0.49), p(0.67))]),
    "through many operations": (mk("sqrt_rn", mk("abs", FRACTION)), const(9.0), p(2.0), [TANH]),
}


@pytest.mark.lean
def test_lean_accepts_the_proofs_and_refuses_a_narrower_bound() -> None:
    lines, spoiled = [], []
    for kernel, spec, at, bounds in WIDE.values():
        named = [(f"bound{i}", b) for i, b in enumerate(bounds)]
        block = separate_block(kernel, spec, {X: (bits(at), "in0_eq")}, named, {}, 20)
        assert block is not None
        given = " ".join(f"({name} : {leanrefuted.bound_statement(b)})" for name, b in named)
        body = proof(block, {X: "x"}).replace("\n", " ; ").replace(" := ;", " := ")
        statement = f"Eq (Fp.same {text(kernel, {X: 'x'})} {text(spec, {X: 'x'})}) false"
        lines.append(f"example (D : Libm) (x : F32) (in0_eq : Eq x (F32.ofBits {at:#010x})) {given} : {statement} := {body}")
        spoiled.append(lines[-1].replace(f"{bounds[0].low:#010x}", f"{p(-50.0):#010x}", 1))
    bad = refusals([*lines, *spoiled], modules=("FloatLib.Pool", "FloatLib.Libm"))
    assert set(bad) == set(range(len(lines), 2 * len(lines)))


def test_a_bound_is_stated_as_documents_state_it() -> None:
    point = Bound("D.tanh_approx", (p(2.0),), (), "", (), p(0.5), p(1.0))
    assert leanrefuted.bound_statement(point) == ("Eq (Bool.and (Fp.le (F32.ofBits 0x3f000000) (Libm.tanh_approx D (F32.ofBits 0x40000000))) "
                                                  "(Fp.le (Libm.tanh_approx D (F32.ofBits 0x40000000)) (F32.ofBits 0x3f800000))) true")
    wide = Bound("D.tanh_approx", (p(2.0),), (), "", (p(3.0),), p(0.5), p(1.0))
    assert leanrefuted.bound_statement(wide) == (
        "(a0 : F32) → Eq (Bool.and (Fp.le (F32.ofBits 0x40000000) a0) (Fp.le a0 (F32.ofBits 0x40400000))) true → "
        "Eq (Bool.and (Fp.le (F32.ofBits 0x3f000000) (Libm.tanh_approx D a0)) (Fp.le (Libm.tanh_approx D a0) (F32.ofBits 0x3f800000))) true")


def test_a_proof_names_the_bounds_that_it_uses() -> None:
    kernel, spec, at, bounds = WIDE["at an interval of arguments"]
    spare = Bound("D.expf", (p(2.0),), (), "", (), p(7.0), p(8.0))
    block = separate_block(kernel, spec, {X: (bits(at), "in0_eq")}, [(f"bound{i}", b) for i, b in enumerate([*bounds, spare])], {}, 20)
    assert block is not None and {n for n in names(block) if n.startswith("bound")} == {"bound0", "bound1"}


def test_without_its_bounds_nothing_is_separated() -> None:
    kernel, spec, at, bounds = WIDE["at an interval of arguments"]
    for missing in range(len(bounds)):
        rest = [(f"bound{i}", b) for i, b in enumerate(bounds) if i != missing]
        assert separate_block(kernel, spec, {X: (bits(at), "in0_eq")}, rest, {}, 20) is None
