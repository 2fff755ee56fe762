"""Mutants of the corpus's PROVED kernels. Where evaluation finds that a mutant differs, PROVED fails the suite; where it is PROVED, Lean must
accept the proof and bitwuzla must find no difference. Run with -rP to see every mutant and its verdict.

With obligations a difference is one for certain functions, the same ones on both sides; a theorem about all functions excludes it as well.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import product

import numpy as np
import pytest
from cases import Case, cases, goal_of, proved
from draw import SPECIALS, Bits, patterns, seed, tuples
from mutate import Mutant, mutants

from devsem import decide, leancheck, libm, safety, smt
from devsem.decide import Decision
from devsem.errors import Rejected
from devsem.evaluate import evaluate
from devsem.expr import Expr, substitute, topo
from devsem.goal import Goal
from devsem.leanfile import under
from devsem.leanrun import Lean
from devsem.lower import lower, prepare
from devsem.ops import F32, OPS
from devsem.profile import Profile, load_profile
from devsem.refute import as_reference

pytestmark = pytest.mark.slow  # minutes; `make test-all` runs it

SAMPLE, SECONDS = 20_000, 3.0
FEW = 2                  # mutants of each kernel in the fast run
KERNELS = proved()
TALLY: Counter[str] = Counter()


def inputs(roots: Sequence[Expr], number: int, drawn: int) -> list[Bits]:
    """Special values and the code's constants with their neighbours, crossed or drawn; numbers that belong together; independent ones."""
    rng = np.random.default_rng(drawn)
    constants = np.array([n.value for n in topo(*roots) if n.is_const and n.sort == F32], np.uint32)
    near = np.concatenate([c + d for d in np.array([0, 1, 0xFFFFFFFF], np.uint32) for c in (constants, constants ^ np.uint32(0x80000000))])
    some = np.concatenate([SPECIALS, near])
    crossed = list(np.array(list(product(some, repeat=number)), np.uint32).T) if number <= 2 else [rng.choice(some, SAMPLE) for _ in range(number)]
    together = [*tuples(drawn, SAMPLE, min(number, 3)), *(patterns(drawn + 7 + i, SAMPLE) for i in range(number - 3))]
    return [np.concatenate([a, b, patterns(drawn + 100 + i, SAMPLE)]) for i, (a, b) in enumerate(zip(crossed, together, strict=True))]


def readings(goal: Goal, profile: Profile) -> list[tuple[Expr, ...]]:
    """What each admissible reading stores, with the device's functions as the reference's."""
    sites = prepare(tuple(o.written for o in goal.outputs), profile)
    assert sites.choices <= 4
    values = [substitute(v, goal.scalars) for v in sites.values]
    return [tuple(as_reference(lower(v, profile, choice)) for v in values) for choice in product((True, False), repeat=sites.choices)]


def differs(goal: Goal, stored: Sequence[Expr], equality: str, drawn: int) -> str:
    """An input at which a reading and the spec differ, found by evaluation alone; empty if none is."""
    held = [a.condition for a in goal.assumptions if a.condition is not None]
    sides = [under(equality, e) for pair in zip(stored, (o.spec for o in goal.outputs), strict=True) for e in pair]
    env = dict(zip(goal.variables, inputs(sides, len(goal.variables), drawn), strict=True)) if goal.variables else {}
    functions = {n.op: libm.nominal(n.op) for n in topo(*sides) if n.args and OPS[n.op].kind == "obligation"}
    lanes = len(next(iter(env.values()), np.zeros(1)))
    with np.errstate(all="ignore"):
        values = [np.broadcast_to(v, (lanes,)) for v in evaluate([*sides, *held], env, functions)]
    wrong = np.zeros(lanes, bool)
    for a, b in zip(values[: len(sides) : 2], values[1 : len(sides) : 2], strict=True):
        wrong |= a != b
    for hold in values[len(sides):]:
        wrong &= hold
    at = int(np.argmax(wrong))
    return ", ".join(f"{v.name}={int(x[at]):#010x}" for v, x in env.items()) if wrong.any() else ""


def judge(case: Case, mutant: Mutant, drawn: int) -> str:
    """One mutant's fate in a word; raises AssertionError where devsem is wrong."""
    e = case.expected
    profile = load_profile(e.devices[0], e.flags)
    try:
        goal, stores = goal_of(case, mutant.text)
    except Rejected as rejected:
        return f"REJECTED {rejected.rejections[0].code}"
    safe = safety.check(goal, stores)
    if safe.verdict != "PASS":
        return f"UNSAFE {safe.verdict}"
    decision = decide.decide(goal, profile, e.equality, SECONDS, lambda name: nullcontext())
    found = [differs(goal, stored, e.equality, drawn) for stored in readings(goal, profile)]
    where = next(filter(None, found), "")
    if decision.verdict == "PROVED":
        assert not where, f"{mutant}: PROVED, but it differs at {where}\n{mutant.text}"
        _confirm(goal, decision, profile, e.equality)
        return "PROVED"
    missed = decision.verdict != "REFUTED" and where and not _excused(goal, profile, found)
    assert not missed, f"{mutant}: {decision.verdict}, but it differs at {where}: {decision.reason}"
    return f"{decision.verdict} {'differs' if where else 'no difference found'}"


def _excused(goal: Goal, profile: Profile, found: Sequence[str]) -> bool:
    """May a mutant that differs be left OPEN? If only some readings differ, or where a function's documents may not separate the sides."""
    used = topo(*(e for stored in readings(goal, profile) for e in stored), *(o.spec for o in goal.outputs))
    return not all(found) or any(n.args and OPS[n.op].kind == "obligation" for n in used)


def _confirm(goal: Goal, decision: Decision, profile: Profile, equality: str) -> None:
    """A proof is one: bitwuzla finds no difference, and Lean accepts it."""
    held = [a.condition for a in goal.assumptions if a.condition is not None]
    for stored in readings(goal, profile):
        pairs = [(under(equality, e), under(equality, o.spec)) for e, o in zip(stored, goal.outputs, strict=True)]
        answer = smt.check_sat(held, SECONDS, pairs)
        assert not isinstance(answer, smt.Sat), f"bitwuzla finds a difference: {answer}"
    assert decision.lean is not None
    check = leancheck.check_text(decision.lean.text, decision.lean.theorems, lean=Lean.choose(), timeout=120)
    assert check.accepted, check.reason


def run(case: Case, chosen: Sequence[Mutant], drawn: int) -> None:
    """Judge these mutants, and print what became of them."""
    for mutant in chosen:
        fate = judge(case, mutant, drawn)
        TALLY[fate] += 1
        print(f"{case.name}: {mutant}: {fate}")


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in KERNELS[::3]])
def test_a_few_mutants(case: Case) -> None:
    drawn = seed()
    made = mutants(str(case.kernel), case.kernel.read_text(encoding="utf-8"))
    values = [m for m in made if not m.kind.startswith(("index guard", "bounds check"))] or made
    run(case, random.Random(drawn).sample(values, min(FEW, len(values))), drawn)


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in KERNELS])
def test_every_mutant(case: Case) -> None:
    run(case, mutants(str(case.kernel), case.kernel.read_text(encoding="utf-8")), seed())


def test_most_mutants_were_decided() -> None:
    """The tally of this run; OPEN is allowed, but not to be the rule."""
    print(*(f"{fate}: {n}" for fate, n in sorted(TALLY.items())), sep="\n")
    undecided = sum(n for fate, n in TALLY.items() if fate.startswith(("OPEN", "UNSAFE OPEN")))
    assert undecided <= max(3, sum(TALLY.values()) // 5)


def test_the_rules_make_what_they_say() -> None:
    """Each kind of mutant on a text that has all of them."""
    text = """extern "C" __global__ void k(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (a[i] > 1.0f) {
            y[i] = a[i] * b[i] + 2.0f;
        } else {
            y[i] = a[i] < 0.0f ? a[i] - b[i] : fminf(a[i], b[i]);
        }
    }
}
"""
    made = mutants("k.cu", text)
    assert {"index guard < to <=", "bounds check dropped", "guard dropped", "branches exchanged", "compare > to >=", "compare < to <=", "arms exchanged",
            "product and sum fused", "operands of - exchanged", "fminf dropped", "first arm always"} <= {m.kind for m in made}
    assert any("fmaf(a[i], b[i], 2.0f)" in m.text for m in made) and any("((b[i]) - (a[i]))" in m.text for m in made)
    assert any(f"> ({float(np.nextafter(np.float32(1), np.float32(2))).hex()}f)" in m.text for m in made)
    assert len({m.text for m in made}) == len(made) and text not in {m.text for m in made}


def test_evaluation_finds_a_difference() -> None:
    """The oracle is not blind: kernels that the corpus calls wrong without any function of the math library do differ."""
    wrong = [c for c in cases() if c.expected.verdict == "REFUTED" and not c.expected.safety and "obligation" not in {
        OPS[n.op].kind for o in goal_of(c)[0].outputs for n in topo(as_reference(lower(o.written, load_profile("ieee"), ())), o.spec) if n.args}]
    missed = []
    for case in wrong[::4]:
        goal, _ = goal_of(case)
        profile = load_profile(case.expected.devices[0], case.expected.flags)
        if not all(differs(goal, stored, case.expected.equality, 1) for stored in readings(goal, profile)):
            missed.append(case.name)
    assert len(wrong) >= 40 and len(missed) <= 2, missed
