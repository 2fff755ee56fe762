"""Each kernel of the corpus that has a PROVED equals itself, on every device and with every flag; anything else is our bug.

The other side is the same value after a neutral rewrite: operands exchanged where the law allows it, choices with their conditions negated,
variables renamed. No spec takes part, so a kernel is compared also where it is not what its spec says.
"""

from __future__ import annotations

import random
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from cases import Case, goal_of, proved
from draw import seed

from devsem import decide, leancheck
from devsem.expr import Expr, fold, mk, rebuild, substitute, var
from devsem.goal import Output
from devsem.leanrun import Lean
from devsem.lower import lower, prepare
from devsem.ops import F32, OPS
from devsem.profile import load_profile
from devsem.prove import Proof, prove
from devsem.refute import as_reference

pytestmark = pytest.mark.slow  # minutes; `make test-all` runs it

PROFILES = [*((device, "") for device in ("ieee", "t4", "a100", "h100", "b200", "rtx4090")),
            *((device, flags) for device in ("h100", "b200") for flags in ("-ftz=true", "-fmad=false", "-use_fast_math"))]
READINGS = 4
KERNELS = proved()


def disguised(e: Expr, rng: random.Random) -> Expr:
    """The same function, written otherwise."""
    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node.op in ("select", "select_bool") and rng.random() < 0.5:
            return mk(node.op, mk("not", args[0]), args[2], args[1])
        if node.args and "comm" in OPS[node.op].laws and rng.random() < 0.5:
            return mk(node.op, args[1], args[0], *args[2:])
        if node.op in ("lt", "le") and rng.random() < 0.3:
            return mk("not", mk({"lt": "le_u", "le": "lt_u"}[node.op], args[1], args[0]))
        return rebuild(node, args)
    return fold((e,), one)[e]


def test_a_disguise_changes_the_term() -> None:
    a, b, c = (var(n, F32) for n in "abc")
    e = mk("select", mk("lt", a, b), mk("fma_rn", a, b, c), mk("add_rn", a, c))
    seen = {disguised(e, random.Random(i)) for i in range(999)}
    assert len(seen) == 16 and mk("select", mk("not", mk("not", mk("le_u", b, a))), mk("add_rn", c, a), mk("fma_rn", b, a, c)) in seen


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in KERNELS])
def test_a_kernel_equals_itself(case: Case) -> None:
    rng = random.Random(seed())
    goal, _ = goal_of(case)
    tried = 0
    for device, flags in PROFILES:
        profile = load_profile(device, flags)
        sites = prepare(tuple(o.written for o in goal.outputs), profile)
        for _ in range(min(READINGS, 1 << sites.choices)):
            choice = tuple(rng.random() < 0.5 for _ in range(sites.choices))
            for value in sites.values:
                left = lower(value, profile, choice)
                found = prove(left, disguised(left, rng), seconds=10)
                assert isinstance(found, Proof), f"{device} {flags} {choice}: {found}"
                tried += 1
    assert tried >= len(PROFILES)


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in KERNELS[::9]])
def test_names_do_not_matter(case: Case) -> None:
    """The same proof search after a renaming that reverses the order of names."""
    rng = random.Random(seed())
    goal, _ = goal_of(case)
    left = lower(prepare((goal.outputs[0].written,), load_profile("h100", "-fmad=false")).values[0], load_profile("h100", "-fmad=false"), ())
    names = {v: var(f"z{len(goal.variables) - i}", F32) for i, v in enumerate(goal.variables)}
    assert isinstance(prove(substitute(left, names), disguised(substitute(left, names), rng), seconds=10), Proof)


@pytest.mark.lean
@pytest.mark.parametrize("device,flags", [("ieee", ""), ("h100", "-fmad=false"), ("t4", "-ftz=true -fmad=false")])
@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in KERNELS[::16]])
def test_lean_accepts_it(case: Case, device: str, flags: str, tmp_path: Path) -> None:
    """The whole way: the kernel's value, disguised, in place of the spec, and Lean judges."""
    rng = random.Random(seed())
    goal, _ = goal_of(case)
    profile = load_profile(device, flags)
    sites = prepare(tuple(o.written for o in goal.outputs), profile)
    if sites.choices:
        pytest.skip("the compiler has a choice here, so there is no single value")
    values = [substitute(v, goal.scalars) for v in sites.values]
    outputs = tuple(Output(o.buffer, o.written, disguised(as_reference(lower(v, profile, ())), rng)) for o, v in zip(goal.outputs, values, strict=True))
    if any("D." in repr(o.spec) for o in outputs):
        pytest.skip("a function of this device is none that a spec can have")
    decision = decide.decide(replace(goal, outputs=outputs, assumptions=()), profile, "bits", 10.0, lambda name: nullcontext())
    assert decision.verdict == "PROVED" and decision.lean is not None, decision.reason
    check = leancheck.check_text(decision.lean.text, decision.lean.theorems, lean=Lean.choose(), timeout=120)
    assert check.accepted, check.reason
