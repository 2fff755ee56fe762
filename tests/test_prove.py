"""The prover on equations of the kinds that kernels have; every proof goes to Lean, and what is false must not be proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from draw import patterns, seed, tuples

from devsem import leanprint
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const, const_int, mk, var, variables
from devsem.leancheck import check_text
from devsem.leanrun import Lean
from devsem.ops import B32, F32
from devsem.prove import Hypothesis, Open, Proof, prove

HEAD = ("prelude", "import FloatLib.Profile", "import FloatLib.Pool", "set_option exponentiation.threshold 600", "set_option maxRecDepth 10000",
        "noncomputable section", "namespace Pairs")


def _(op: str) -> Callable[..., Expr]:
    return lambda *args: mk(op, *(a if isinstance(a, Expr) else const(float(a)) for a in args))


add, sub, mul, div, fma, sqrt = map(_, ("add_rn", "sub_rn", "mul_rn", "div_rn", "fma_rn", "sqrt_rn"))
neg, ab, lo, hi, sel = map(_, ("neg", "abs", "min_num", "max_num", "select"))
lt, le, eq, nan, no, both, either, hi_nan, pz = map(_, ("lt", "le", "eq", "is_nan", "not", "and", "or", "max_nan", "pos_zero"))
x, y, z, a, b = (var(n, F32) for n in "xyzab")
power = mk("of_bits", mk("shl_b32", mk("bits_of", y), const_int(B32, 23)))    # any exponent field, as expf's last factor


def clamped(v: Expr, low: float, high: float) -> Expr:
    """torch.clamp."""
    r = sel(lt(v, low), low, v)
    return sel(lt(high, r), high, r)


def numbers(*terms: Expr) -> tuple[Expr, ...]:
    """The terms are not NaN."""
    return tuple(no(nan(t)) for t in terms)


@dataclass(frozen=True)
class Pair:
    """Two sides that are equal wherever the conditions hold; `zero_sign`: with -0 taken as +0."""

    name: str
    left: Expr
    right: Expr
    given: tuple[Expr, ...] = ()
    zero_sign: bool = False

    @property
    def sides(self) -> tuple[Expr, Expr]:
        return (pz(self.left), pz(self.right)) if self.zero_sign else (self.left, self.right)

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        return tuple(Hypothesis(f"given{i}", g) for i, g in enumerate(self.given))


TRUE_PAIRS = (
    Pair("commuted products", mul(mul(x, y), z), mul(z, mul(y, x))),
    Pair("commuted sum of products", add(mul(x, y), mul(z, a)), add(mul(a, z), mul(y, x))),
    Pair("slope at zero", sel(lt(0, x), x, mul(x, 0.01)), sel(le(0, x), x, mul(0.01, x))),
    Pair("clamp by fminf and fmaxf", lo(hi(x, -1), 1), clamped(x, -1, 1), numbers(x)),
    Pair("clamp the other way round", hi(lo(x, 1), -1), clamped(x, -1, 1), numbers(x)),
    Pair("clamp by branches", sel(lt(1, x), 1, sel(lt(x, -1), -1, x)), clamped(x, -1, 1)),
    Pair("clamp by weak branches", sel(le(1, x), 1, sel(le(x, -1), -1, x)), clamped(x, -1, 1)),
    Pair("relu6", lo(hi(x, 0), 6), clamped(x, 0, 6), numbers(x), True),
    Pair("absolute by comparison", sel(lt(x, 0), neg(x), x), ab(x), (), True),
    Pair("absolute by fmaxf", hi(x, neg(x)), ab(x)),
    Pair("nested minima", lo(lo(x, y), y), lo(x, y)),
    Pair("nested bounds", hi(hi(x, 1), 2), hi(x, 2)),
    Pair("redundant guard", sel(lt(0, x), sel(lt(-1, x), mul(x, 2), y), z), sel(lt(0, x), add(x, x), z)),
    Pair("dead branch", sel(lt(20, x), sel(lt(10, x), x, y), z), sel(lt(20, x), x, z)),
    Pair("dead branch of a product", sel(lt(20, x), sel(lt(10, mul(x, 2)), x, y), z), sel(lt(20, x), x, z)),
    Pair("dead branch of a sum", sel(lt(20, x), sel(lt(0, add(x, 1)), x, y), z), sel(lt(20, x), x, z)),
    Pair("dead branch of a negation", sel(lt(20, x), sel(lt(neg(x), 0), x, y), z), sel(lt(20, x), x, z)),
    Pair("dead branch of an absolute value", sel(lt(ab(x), 1), sel(lt(x, 2), x, y), z), sel(lt(ab(x), 1), x, z)),
    Pair("a square is not negative", sel(lt(mul(x, x), 0), y, z), z),
    Pair("no NaN where a comparison holds", sel(lt(0, x), sel(nan(x), y, x), z), sel(lt(0, x), x, z)),
    Pair("NaN by inequality", sel(no(eq(x, x)), y, x), sel(nan(x), y, x)),
    Pair("maximum that keeps NaN", sel(nan(x), x, sel(nan(y), y, hi(x, y))), hi_nan(x, y)),
    Pair("maximum spelled out", sel(either(lt(y, x), nan(x)), x, y), hi_nan(x, y), numbers(x, y), True),
    Pair("minimum by maximum", neg(hi(neg(x), neg(y))), lo(x, y)),
    Pair("signs of a product", mul(neg(x), neg(y)), mul(x, y)),
    Pair("signs of a quotient", div(neg(x), y), div(x, neg(y))),
    Pair("halved twice", div(div(x, 2), 2), div(x, 4)),
    Pair("doubled twice", add(add(x, x), add(x, x)), mul(4, x)),
    Pair("times minus one", mul(x, -1), neg(x)),
    Pair("over minus one", div(x, -1), neg(x)),
    Pair("difference from zero", sub(0, x), neg(x), (), True),
    Pair("fused with one", fma(x, 1, y), add(x, y)),
    Pair("fused with minus zero", fma(x, y, -0.0), mul(x, y)),
    Pair("fused with a power of two", fma(x, power, 1), add(1, mul(power, x))),
    Pair("a fused power of two taken away", fma(neg(power), x, 1), sub(1, mul(power, x))),
    Pair("fused with a constant power of two", fma(x, -0.5, 3), sub(3, mul(x, 0.5))),
    Pair("fused with itself", fma(x, 2, x), mul(x, 3)),
    Pair("shrink", sel(lt(0.5, x), sub(x, 0.5), sel(lt(x, -0.5), add(x, 0.5), 0)), sel(lt(0.5, ab(x)), sel(lt(0, x), sub(x, 0.5), add(x, 0.5)), 0)),
    Pair("band", sel(both(lt(-1, x), lt(x, 1)), 0, x), sel(lt(ab(x), 1), 0, x)),
    Pair("de Morgan", sel(no(both(lt(0, x), lt(0, y))), a, b), sel(either(le(x, 0), le(y, 0)), a, b), numbers(x, y)),
    Pair("choice inside a product", mul(y, sel(lt(0, x), 2, 3)), sel(lt(0, x), mul(y, 2), mul(y, 3))),
    Pair("the smaller", sel(lt(x, y), x, y), lo(x, y), numbers(x, y), True),
)

FALSE_PAIRS = (
    Pair("factored power of two", mul(mul(x, 4), 0.5), mul(x, 2)),
    Pair("half moved out", mul(mul(x, 0.5), y), mul(0.5, mul(x, y))),
    Pair("distributed", add(mul(2, x), mul(2, y)), mul(2, add(x, y))),
    Pair("root of a square", sqrt(mul(x, x)), ab(x)),
    Pair("halved three times", mul(mul(x, 0.25), 0.5), mul(x, 0.125)),
    Pair("associated", add(add(x, y), z), add(x, add(y, z))),
    Pair("negated difference", neg(sub(x, y)), sub(y, x)),
    Pair("times zero", mul(x, 0), const(0.0)),
    Pair("zero added", add(x, 0), x),
    Pair("maximum with NaN", hi(x, 0), hi_nan(x, 0)),
    Pair("absolute at minus zero", sel(lt(x, 0), neg(x), x), ab(x)),
    Pair("strict bound", sel(lt(1, x), y, z), sel(le(1, x), y, z)),
    Pair("fused with a power of two and anything", fma(x, power, z), add(z, mul(power, x))),
    Pair("fused with a power of two and something small", fma(x, power, bits(1)), add(bits(1), mul(power, x))),
    Pair("fused", fma(x, y, z), add(mul(x, y), z)),
    Pair("off by one unit", mul(x, bits(0x3F800001)), x),
)


@pytest.fixture(scope="module")
def proofs() -> dict[str, Proof]:
    """The proofs that are found, by name."""
    found = {p.name: prove(*p.sides, p.hypotheses) for p in TRUE_PAIRS}
    return {name: proof for name, proof in found.items() if isinstance(proof, Proof)}


def test_every_true_pair_is_proved(proofs: dict[str, Proof]) -> None:
    assert [p.name for p in TRUE_PAIRS if p.name not in proofs] == []


@pytest.mark.parametrize("pair", FALSE_PAIRS, ids=lambda p: p.name)
def test_no_false_pair_is_proved(pair: Pair) -> None:
    assert isinstance(prove(*pair.sides, pair.hypotheses), Open)


@pytest.mark.parametrize("pairs", [TRUE_PAIRS, FALSE_PAIRS], ids=["true", "false"])
def test_the_pairs_are_what_they_are_called(pairs: tuple[Pair, ...]) -> None:
    """By exact evaluation: no difference between the sides of a true pair, some between those of a false one."""
    start = seed()
    for pair in pairs:
        names = variables(*pair.sides, *pair.given)
        drawn = [*tuples(start, 20000, min(len(names), 3)), *(patterns(start + k, 20000) for k in range(len(names) - 3))]
        env = dict(zip(names, drawn, strict=True))
        left, right, *holds = (np.broadcast_to(v, (20000,)) for v in evaluate([*pair.sides, *pair.given], env))
        different = left != right
        for hold in holds:
            different = different & hold
        assert different.any() == (pairs is FALSE_PAIRS), f"{pair.name}, DEVSEM_SEED={start}"


@pytest.mark.lean
def test_lean_accepts_every_proof(proofs: dict[str, Proof]) -> None:
    lines, names = list(HEAD), []
    for k, pair in enumerate(p for p in TRUE_PAIRS if p.name in proofs):
        left, right = pair.sides
        block = proofs[pair.name].block
        shown = {v: f"in_{v.name}" for v in variables(left, right, *pair.given)}
        binders, arguments = " ".join(f"({n} : F32)" for n in shown.values()), " ".join(shown.values())
        parts, known = leanprint.shared([left, right, *leanprint.expressions(block)], shown, leanprint.Scheme(f"e{k}_", binders, arguments))
        given = "".join(f" ({h.name} : Eq {leanprint.text(h.condition, shown)} true)" for h in pair.hypotheses)
        goal = f"Eq {leanprint.text(left, known)} {leanprint.text(right, known)}"
        lines += [*parts, f"theorem t{k} {binders}{given} : {goal} :=", leanprint.proof(block, known), ""]
        names.append(f"Pairs.t{k}")
    check = check_text("\n".join([*lines, "end Pairs", ""]), names, lean=Lean.bundled(), timeout=300)
    assert check.accepted, check.reason


def test_a_proof_is_the_same_every_time() -> None:
    pair = TRUE_PAIRS[4]
    first, second = (prove(*pair.sides, pair.hypotheses) for _ in range(2))
    assert isinstance(first, Proof) and first == second
