"""The prover on equations of the kinds that kernels have; every proof goes to Lean, and what is false must not be proved."""

from __future__ import annotations

import numpy as np
import pytest
from draw import patterns, seed
from near_misses import NEAR_MISSES
from pairlang import Pair, a, ab, add, b, both, clamped, div, either, eq, fma, hi, hi_nan, le, lo, lt, mul, nan, neg, no, numbers, sel, sqrt, sub, x, y, z
from true_pairs import TRUE_PAIRS as MORE

from devsem import leanprint
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const, const_int, mk, topo, variables
from devsem.leancheck import check_text
from devsem.leanrun import Lean
from devsem.ops import B32, BOOL
from devsem.prove import Open, Proof, prove

HEAD = ("prelude", "import FloatLib.Profile", "import FloatLib.Pool", "set_option exponentiation.threshold 600", "set_option maxRecDepth 10000",
        "noncomputable section", "namespace Pairs")
LANES = 20000
# True, and not proved yet: what each would need.
UNPROVED = {
    "clamp then scaled": "a comparison of a doubled value as one of the value", "doubled in a comparison": "the same", "scaled in a comparison": "the same",
    "dead by a whole number": "rounding to whole numbers keeps the order", "truncation by absolute value": "the sign of a value rounded to a whole number",
    "two doubles": "a factor moved out of a product that is not too small", "doubles factored": "a sum of exactly scaled values",
}

power = mk("of_bits", mk("shl_b32", mk("bits_of", y), const_int(B32, 23)))    # any exponent field, as expf's last factor

TRUE_PAIRS = (
    Pair("commuted products", mul(mul(x, y), z), mul(z, mul(y, x))),
    Pair("commuted sum of products", add(mul(x, y), mul(z, a)), add(mul(a, z), mul(y, x))),
    Pair("two constant factors of a fused product", fma(5, -0.7, x), fma(-0.7, 5, x)),
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
    Pair("fused with a negative constant", fma(x, -0.3, y), fma(neg(x), 0.3, y)),
    Pair("fused with itself", fma(x, 2, x), mul(x, 3)),
    Pair("a product fused with itself", fma(x, y, mul(x, y)), add(mul(y, x), mul(x, y))),
    Pair("a product fused with itself, the factors the other way", fma(y, x, mul(x, y)), mul(2, mul(x, y))),
    Pair("a square fused with itself", fma(x, x, mul(x, x)), mul(mul(x, x), 2)),
    Pair("a constant multiple fused with itself", fma(x, -0.3, mul(x, -0.3)), mul(mul(x, -0.3), 2)),
    Pair("an opposite product fused with itself", fma(x, neg(y), neg(mul(x, y))), mul(neg(mul(x, y)), 2)),
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
    Pair("a product fused with twice itself", fma(x, y, mul(mul(x, y), 2)), mul(mul(x, y), 3)),
    Pair("a product fused with its opposite", fma(x, y, neg(mul(x, y))), sub(mul(x, y), mul(x, y))),
    Pair("off by one unit", mul(x, bits(0x3F800001)), x),
)


PROVABLE = (*TRUE_PAIRS, *(p for p in MORE if p.name not in UNPROVED))
WRONG = (*FALSE_PAIRS, *NEAR_MISSES)


@pytest.fixture(scope="module")
def proofs() -> dict[Pair, Proof]:
    """The proofs that are found."""
    found = {p: prove(*p.sides, p.hypotheses) for p in PROVABLE}
    return {pair: proof for pair, proof in found.items() if isinstance(proof, Proof)}


def test_every_true_pair_is_proved(proofs: dict[Pair, Proof]) -> None:
    assert [p.name for p in PROVABLE if p not in proofs] == []


def test_what_is_not_proved_yet_is_little() -> None:
    open_ = [p for p in MORE if p.name in UNPROVED]
    assert len(open_) == len(UNPROVED) <= 0.05 * len(MORE)
    assert [p.name for p in open_ if isinstance(prove(*p.sides, p.hypotheses), Proof)] == [], "take these out of UNPROVED"


@pytest.mark.parametrize("pair", WRONG, ids=lambda p: p.name)
def test_no_false_pair_is_proved(pair: Pair) -> None:
    assert isinstance(prove(*pair.sides, pair.hypotheses), Open)


def drawn(pair: Pair, start: int) -> dict[Expr, np.ndarray[tuple[int], np.dtype[np.generic]]]:
    """Inputs: hard patterns, the pair's own constants and their neighbours, tiny and whole numbers, earlier inputs again."""
    rng = np.random.default_rng(start)
    own = np.array([n.value for n in topo(*pair.sides, *pair.given) if n.is_const and n.sort != BOOL], np.uint32)
    env: dict[Expr, np.ndarray[tuple[int], np.dtype[np.generic]]] = {}
    for v in variables(*pair.sides, *pair.given):
        if v.sort == BOOL:
            env[v] = rng.random(LANES) < 0.5
            continue
        near = (rng.choice(own, LANES) if len(own) else patterns(start, LANES)) + rng.integers(-2, 3, LANES).astype(np.uint32)
        whole, plain = rng.integers(-9, 10, LANES).astype(np.float32).view(np.uint32), rng.normal(0, 4, LANES).astype(np.float32).view(np.uint32)
        hard = patterns(int(rng.integers(1 << 31)), LANES)
        again = [e ^ s for e in env.values() if e.dtype == np.uint32 for s in (np.uint32(0), np.uint32(1 << 31))]
        choices = [hard, hard, hard & np.uint32(0x800001FF), near, whole, plain, *again]
        env[v] = np.choose(rng.integers(0, len(choices), LANES), choices).astype(np.uint32)
    return env


@pytest.mark.parametrize("pairs", [(*TRUE_PAIRS, *MORE), WRONG], ids=["true", "false"])
def test_the_pairs_are_what_they_are_called(pairs: tuple[Pair, ...]) -> None:
    """By exact evaluation: no difference between the sides of a true pair, some between those of a false one."""
    start = seed()
    for pair in pairs:
        left, right, *holds = (np.broadcast_to(v, (LANES,)) for v in evaluate([*pair.sides, *pair.given], drawn(pair, start)))
        kept = np.all(holds, axis=0) if holds else np.ones(LANES, bool)
        assert kept.sum() > 100, f"{pair.name}: too few inputs meet the conditions"
        assert (kept & (left != right)).any() == (pairs is WRONG), f"{pair.name}, DEVSEM_SEED={start}"


def refused(proofs: dict[Pair, Proof]) -> str:
    """Why Lean does not accept these proofs; empty if it does."""
    lines, names = list(HEAD), []
    for k, (pair, proof) in enumerate(proofs.items()):
        left, right = pair.sides
        block = proof.block
        shown = {v: f"in_{v.name}" for v in variables(left, right, *pair.given)}
        binders, arguments = " ".join(f"({n} : {leanprint.TYPES[v.sort]})" for v, n in shown.items()), " ".join(shown.values())
        parts, known = leanprint.shared([left, right, *leanprint.expressions(block)], shown, leanprint.Scheme(f"e{k}_", binders, arguments))
        given = "".join(f" ({h.name} : Eq {leanprint.text(h.condition, shown)} true)" for h in pair.hypotheses)
        goal = f"Eq {leanprint.text(left, known)} {leanprint.text(right, known)}"
        lines += [*parts, f"theorem t{k} {binders}{given} : {goal} :=", leanprint.proof(block, known), ""]
        names.append(f"Pairs.t{k}")
    check = check_text("\n".join([*lines, "end Pairs", ""]), names, lean=Lean.bundled(), timeout=300)
    return "" if check.accepted else check.reason or "refused"


@pytest.mark.lean
def test_lean_accepts_proofs(proofs: dict[Pair, Proof]) -> None:
    assert refused({pair: proof for k, (pair, proof) in enumerate(proofs.items()) if pair in TRUE_PAIRS or k % 16 == 0}) == ""


@pytest.mark.lean
@pytest.mark.slow
def test_lean_accepts_every_proof(proofs: dict[Pair, Proof]) -> None:
    assert refused(proofs) == ""


def test_a_proof_is_the_same_every_time() -> None:
    pair = TRUE_PAIRS[4]
    first, second = (prove(*pair.sides, pair.hypotheses) for _ in range(2))
    assert isinstance(first, Proof) and first == second
