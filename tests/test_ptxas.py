"""The predicted machine operations of hand-written PTX, against what ptxas 13.0.88 was seen to emit (docs/PTXAS.md; compiled, not run)."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from devsem.errors import UsageError
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Instruction, Register
from devsem.frontend.ptxas import Machine, machine

HEAD = """.version 9.0
.target sm_90
.address_size 64
.entry k(.param .u64 out, .param .f32 pa, .param .f32 pb, .param .f32 pc, .param .f32 pd, .param .f32 pe) {
.reg .pred %p<4>; .reg .b32 a,b,c,d,e,%n<4>,%f<20>; .reg .b64 %o<2>;
ld.param.u64 %o1, [out]; ld.param.f32 a, [pa]; ld.param.f32 b, [pb]; ld.param.f32 c, [pc]; ld.param.f32 d, [pd]; ld.param.f32 e, [pe];
"""
FLOATS = ("fma", "mul", "add", "sub", "neg", "mov", "fused", "min", "max", "selp", "rcp", "div")
PQ = "mul.f32 %f0, a, b; mul.f32 %f1, c, d;"       # p and q
THREE, TWO, ONE, MINUS_ONE, ZERO = "0f40400000", "0f40000000", "0f3F800000", "0fBF800000", "0f00000000"


def function(body: str, *stored: str) -> Function:
    """A kernel that loads a … e, does `body`, and stores registers."""
    stores = " ".join(f"st.global.f32 [%o1+{4 * n}], {name};" for n, name in enumerate(stored))
    return parse(f"{HEAD}{body} {stores} ret; }}", "k.ptx").functions[0]


def made(f: Function) -> str:
    """The float operations of a function."""
    return "; ".join(str(i) for i in f.instructions() if i.opcode in FLOATS)


def predicted(body: str, *stored: str, arch: str = "sm_90", fmad: bool = True) -> str:
    return made(machine(function(body, *stored), arch=arch, fmad=fmad).function)


@pytest.mark.parametrize(("body", "stored", "expected"), [
    ("mul.f32 %f0, a, b; add.f32 %f1, %f0, c;", "%f1", "mul.rn.f32 %f0, a, b; fma.rn.f32 %f1, a, b, c"),
    ("mul.f32 %f0, a, b; add.f32 %f1, c, %f0;", "%f1", "mul.rn.f32 %f0, a, b; fma.rn.f32 %f1, a, b, c"),
    ("mul.f32 %f0, a, b; sub.f32 %f1, %f0, c;", "%f1", "mul.rn.f32 %f0, a, b; neg.f32 %machine0, c; fma.rn.f32 %f1, a, b, %machine0"),
    ("mul.f32 %f0, a, b; sub.f32 %f1, c, %f0;", "%f1", "mul.rn.f32 %f0, a, b; neg.f32 %machine0, a; fma.rn.f32 %f1, %machine0, b, c"),
    ("mul.f32 %f0, a, b; neg.f32 %f2, %f0; add.f32 %f1, %f2, c;", "%f1",
     "mul.rn.f32 %f0, a, b; neg.f32 %f2, %f0; neg.f32 %machine0, a; fma.rn.f32 %f1, %machine0, b, c"),
    (f"mul.f32 %f0, a, {TWO}; sub.f32 %f1, {ONE}, %f0;", "%f1", f"mul.rn.f32 %f0, a, {TWO}; neg.f32 %machine0, a; fma.rn.f32 %f1, %machine0, {TWO}, {ONE}"),
    ("mul.ftz.f32 %f0, a, b; add.ftz.f32 %f1, %f0, c;", "%f1", "mul.rn.ftz.f32 %f0, a, b; fma.rn.ftz.f32 %f1, a, b, c"),
    ("mul.f32 %f0, a, b; add.sat.f32 %f1, %f0, c;", "%f1", "mul.rn.f32 %f0, a, b; fma.rn.sat.f32 %f1, a, b, c"),
    ("mul.f32 %f0, a, b; mov.b32 %n1, %f0; mov.b32 %f2, %n1; add.f32 %f1, %f2, c;", "%f1",
     "mul.rn.f32 %f0, a, b; mov.b32 %n1, %f0; mov.b32 %f2, %n1; fma.rn.f32 %f1, a, b, c"),
    ("mul.f32 %f0, a, a; abs.f32 %f2, %f0; add.f32 %f1, %f2, c;", "%f1", "mul.rn.f32 %f0, a, a; fma.rn.f32 %f1, a, a, c"),
    (f"mul.f32 %f0, a, b; mul.f32 %f2, %f0, {MINUS_ONE}; add.f32 %f1, %f2, c;", "%f1",
     "mul.rn.f32 %f0, a, b; neg.f32 %f2, %f0; neg.f32 %machine0, a; fma.rn.f32 %f1, %machine0, b, c"),
    (f"mul.f32 %f0, a, {ONE};", "%f0", "mov.b32 %f0, a"),
    (f"mul.ftz.f32 %f0, {ONE}, a;", "%f0", "add.rn.ftz.f32 %f0, a, 0f80000000"),
])
def test_a_product_is_fused(body: str, stored: str, expected: str) -> None:
    """GPU_FLOAT.md 2.2 and 2.4."""
    assert predicted(body, stored) == expected


@pytest.mark.parametrize("body", [
    "mul.rn.f32 %f0, a, b; add.f32 %f1, %f0, c;", "mul.f32 %f0, a, b; add.rn.f32 %f1, %f0, c;", "mul.rz.f32 %f0, a, b; add.f32 %f1, %f0, c;",
    "mul.ftz.f32 %f0, a, b; add.f32 %f1, %f0, c;", "mul.f32 %f0, a, b; add.ftz.f32 %f1, %f0, c;", "mul.sat.f32 %f0, a, b; add.f32 %f1, %f0, c;",
    "mul.f32 %f0, a, b; abs.f32 %f2, %f0; add.f32 %f1, %f2, c;", "mul.f32 %f0, a, b; max.f32 %f2, %f0, e; add.f32 %f1, %f2, c;",
    "mul.f32 %f0, a, b; neg.ftz.f32 %f2, %f0; add.f32 %f1, %f2, c;", "mul.f32 %f0, a, b; xor.b32 %f2, %f0, 0x80000000; add.f32 %f1, %f2, c;",
    "setp.gt.f32 %p1, c, d; mul.f32 %f0, a, b; selp.f32 %f2, %f0, d, %p1; add.f32 %f1, %f2, c;",
    "mul.f32 %f0, a, b; add.f32 %f1, %f0, %f0;", "mul.f32 %f0, a, b; sub.f32 %f1, %f0, %f0;",
    "mul.f32 %f0, a, b; add.f32 %f1, %f0, c; st.global.f32 [%o1+64], %f0;",
    "mul.f32 %f0, a, b; neg.f32 %f2, %f0; add.f32 %f1, %f0, c; st.global.f32 [%o1+64], %f2;",
    "mul.f32 %f0, a, b; fma.rn.f32 %f2, e, e, %f0; st.global.f32 [%o1+64], %f2; add.f32 %f1, %f0, c;",
    "mul.f32 %f0, a, b; add.ftz.f32 %f2, %f0, d; st.global.f32 [%o1+64], %f2; add.f32 %f1, %f0, c;",
    "mov.b32 %f0, e; setp.gt.f32 %p1, c, d; @%p1 mul.f32 %f0, a, b; add.f32 %f1, %f0, c;",
])
def test_a_product_is_not_fused(body: str) -> None:
    """GPU_FLOAT.md 2.4, and ptxas on sm_75, sm_90 and sm_100 [M]."""
    text = predicted(body, "%f1")
    assert text.count("fma") == body.count("fma") and "add.f32" not in text and "mul.f32" not in text


@pytest.mark.parametrize(("body", "stored", "expected"), [
    ("add.f32 %f2, %f0, %f1;", ["%f2"], ["fma.rn.f32 %f2, a, b, %f1"]),
    ("add.f32 %f2, %f1, %f0;", ["%f2"], ["fma.rn.f32 %f2, c, d, %f0"]),
    ("sub.f32 %f2, %f0, %f1;", ["%f2"], ["neg.f32 %machine0, %f1", "fma.rn.f32 %f2, a, b, %machine0"]),
    # a product that is used once is fused before one that is used twice
    ("add.f32 %f2, %f1, %f0; add.f32 %f3, %f1, e;", ["%f2", "%f3"], ["fma.rn.f32 %f2, a, b, %f1", "add.rn.f32 %f3, %f1, e"]),
    ("add.f32 %f3, %f1, e; add.f32 %f2, %f1, %f0;", ["%f2", "%f3"], ["add.rn.f32 %f3, %f1, e", "fma.rn.f32 %f2, a, b, %f1"]),
    # both are used twice: sum by sum in the text's order, and an addend is fused no more
    ("add.f32 %f2, %f0, %f1; add.f32 %f3, %f0, e; add.f32 %f4, %f1, d;", ["%f2", "%f3", "%f4"],
     ["fma.rn.f32 %f2, a, b, %f1", "fma.rn.f32 %f3, a, b, e", "add.rn.f32 %f4, %f1, d"]),
    ("add.f32 %f2, %f1, %f0; add.f32 %f3, %f0, e; add.f32 %f4, %f1, d;", ["%f2", "%f3", "%f4"],
     ["fma.rn.f32 %f2, c, d, %f0", "add.rn.f32 %f3, %f0, e", "fma.rn.f32 %f4, c, d, d"]),
    ("add.f32 %f3, %f0, e; add.f32 %f4, %f1, d; add.f32 %f2, %f1, %f0;", ["%f2", "%f3", "%f4"],
     ["fma.rn.f32 %f3, a, b, e", "fma.rn.f32 %f4, c, d, d", "fma.rn.f32 %f2, c, d, %f0"]),
    ("st.global.f32 [%o1+64], %f0; add.f32 %f2, %f0, %f1;", ["%f2"], ["fma.rn.f32 %f2, c, d, %f0"]),
    ("max.f32 %f9, %f0, e; add.f32 %f2, %f0, c;", ["%f2"], ["max.f32 %f9, %f0, e", "fma.rn.f32 %f2, a, b, c"]),      # a use that nothing uses
])
def test_which_product_is_fused(body: str, stored: list[str], expected: list[str]) -> None:
    """ptxas on sm_75, sm_90 and sm_100 [M]."""
    lines = predicted(PQ + body, *stored).split("; ")
    assert [line for line in lines if not line.startswith("mul")] == expected


@pytest.mark.parametrize(("body", "expected"), [
    (f"div.approx.f32 %f0, a, {TWO}; add.f32 %f1, %f0, c;", "mul.rn.f32 %f0, a, 0f3F000000; fma.rn.f32 %f1, a, 0f3F000000, c"),
    (f"div.full.f32 %f1, a, {THREE};", "mul.rn.f32 %f1, a, 0f3EAAAAAB"),
    (f"div.approx.ftz.f32 %f1, a, {THREE};", "mul.rn.ftz.f32 %f1, a, 0f3EAAAAAB"),
    ("div.approx.f32 %f1, a, 0f7F61B1E6;", "div.approx.f32 %f1, a, 0f7F61B1E6"),                 # 3e38: the reciprocal would be subnormal
    ("div.approx.f32 %f0, a, b; add.f32 %f1, %f0, c;", "div.approx.f32 %f0, a, b; fused.div_approx.add %f1, a, b, c"),
    ("div.full.ftz.f32 %f0, a, b; sub.ftz.f32 %f1, c, %f0;", "div.full.ftz.f32 %f0, a, b; fused.div_full.ftz.rsub %f1, a, b, c"),
    ("div.full.f32 %f0, a, b; sub.f32 %f1, %f0, c;", "div.full.f32 %f0, a, b; neg.f32 %machine0, c; fused.div_full.add %f1, a, b, %machine0"),
    ("rcp.approx.f32 %f0, b; add.f32 %f1, %f0, c;", "rcp.approx.f32 %f0, b; fused.rcp_approx.add %f1, b, c"),
    ("rcp.approx.ftz.f32 %f0, b; add.ftz.f32 %f1, %f0, c;", "rcp.approx.ftz.f32 %f0, b; add.rn.ftz.f32 %f1, %f0, c"),
    (f"div.approx.ftz.f32 %f0, {ONE}, b; add.ftz.f32 %f1, %f0, c;", "rcp.approx.ftz.f32 %f0, b; add.rn.ftz.f32 %f1, %f0, c"),
    (f"div.approx.f32 %f0, a, {MINUS_ONE}; add.f32 %f1, %f0, c;", "neg.f32 %f0, a; add.rn.f32 %f1, %f0, c"),
    (f"div.full.ftz.f32 %f1, a, {ONE};", "add.rn.ftz.f32 %f1, a, 0f80000000"),
    (f"mov.f32 %f9, {TWO}; div.approx.f32 %f0, a, %f9; add.f32 %f1, %f0, c;",
     f"mov.f32 %f9, {TWO}; mul.rn.f32 %f0, a, 0f3F000000; fma.rn.f32 %f1, a, 0f3F000000, c"),
    ("div.rn.f32 %f0, a, b; add.f32 %f1, %f0, c;", "div.rn.f32 %f0, a, b; add.rn.f32 %f1, %f0, c"),
])
def test_quotients(body: str, expected: str) -> None:
    """GPU_FLOAT.md 2.4 and 6.2."""
    assert predicted(body, "%f1") == expected


@pytest.mark.parametrize(("compare", "chosen", "arch", "expected"), [
    ("gt", "a, {}", "sm_75", "max.f32 %f0, a, {}"), ("le", "a, {}", "sm_90", "min.f32 %f0, a, {}"), ("leu", "{}, a", "sm_90", "max.f32 %f0, a, {}"),
    ("le", "{}, a", "sm_90", "max.NaN.f32 %f0, a, {}"), ("gtu", "a, {}", "sm_100", "max.NaN.f32 %f0, a, {}"),
    ("le", "{}, a", "sm_75", "selp.f32 %f0, {}, a, %p1"), ("lt", "a, {}", "sm_90", "selp.f32 %f0, a, {}, %p1"),
    ("ge", "a, {}", "sm_90", "selp.f32 %f0, a, {}, %p1"),
    ("eq", "a, {}", "sm_90", "selp.f32 %f0, a, {}, %p1"),
])
def test_a_selection_that_is_a_maximum(compare: str, chosen: str, arch: str, expected: str) -> None:
    """GPU_FLOAT.md 3.3 and 4.2: with .ftz too, although PTX then flushes in the comparison; the site has both."""
    for flush in ("", ".ftz"):
        m = machine(function(f"setp.{compare}{flush}.f32 %p1, a, {ZERO}; selp.f32 %f0, {chosen.format(ZERO)}, %p1;", "%f0"), arch=arch, fmad=True)
        assert made(m.function) == expected.format(ZERO)
        assert len(m.sites) == int(bool(flush) and "selp" not in expected)


@pytest.mark.parametrize(("body", "sites", "limited"), [
    (f"setp.lt.ftz.f32 %p1, {ZERO}, a; selp.f32 %f0, a, {ZERO}, %p1;", 1, False),
    (f"mov.b32 %f5, a; setp.gt.ftz.f32 %p1, %f5, {ZERO}; selp.f32 %f0, a, {ZERO}, %p1;", 1, False),
    (f"setp.gt.ftz.f32 %p1, a, {ZERO}; mov.b32 %f0, {ZERO}; @%p1 mov.b32 %f0, a;", 0, True),
    (f"setp.gt.ftz.f32 %p1, a, {ZERO}; not.pred %p2, %p1; selp.f32 %f0, {ZERO}, a, %p2;", 0, True),
    (f"setp.gt.f32 %p1, a, {ZERO}; mov.b32 %f0, {ZERO}; @%p1 mov.b32 %f0, a;", 0, False),
    (f"setp.gt.ftz.f32 %p1, a, {ZERO}; mov.b32 %f0, {ZERO}; @%p1 bra $M; mov.b32 %f0, a; $M: mov.b32 %f3, a;", 0, False),
])
def test_where_a_flush_may_be_lost(body: str, sites: int, limited: bool) -> None:
    """FMNMX without .FTZ, but for branches [M]."""
    m = machine(function(body, "%f0"), arch="sm_90", fmad=True)
    assert len(m.sites) == sites and bool(m.limits) == limited and ("max.f32" in made(m.function)) == bool(sites)


def test_a_comparison_with_two_uses_stays() -> None:
    """FSETP and FSEL then [M]; with .ftz the other is an alternative all the same."""
    two = f"a, {ZERO}; selp.f32 %f0, a, {ZERO}, %p1; selp.f32 %f1, c, d, %p1;"
    m = machine(function("setp.gt.ftz.f32 %p1, " + two, "%f0", "%f1"), arch="sm_90", fmad=True)
    assert "max" not in made(m.function) and [s.predicted for s in m.sites] == [1] and m.choose((1,)) == m.function and "max" in made(m.choose((0,)))
    assert predicted("setp.gt.f32 %p1, " + two, "%f0", "%f1").count("selp") == 2


def test_a_nonzero_bound() -> None:
    """Strict or not is the same there; a bound that the flush makes zero is left alone."""
    assert predicted(f"setp.ge.ftz.f32 %p1, a, {ONE}; selp.f32 %f0, a, {ONE}, %p1;", "%f0") == f"max.f32 %f0, a, {ONE}"
    assert "selp" in predicted("setp.gt.ftz.f32 %p1, a, 0f00000001; selp.f32 %f0, a, 0f00000001, %p1;", "%f0")


def test_every_admissible_choice() -> None:
    m = machine(function(PQ + "add.f32 %f2, %f0, %f1; add.f32 %f3, %f2, e;", "%f3"), arch="sm_90", fmad=True)
    assert m.limits == () and m.count == 3 and [s.predicted for s in m.sites] == [1]
    found = [made(m.choose(choice)).split("; ")[2] for choice in m.choices()]
    assert found == ["fma.rn.f32 %f2, a, b, %f1", "add.rn.f32 %f2, %f0, %f1", "fma.rn.f32 %f2, c, d, %f0"]
    assert m.choose((1,)) == m.function
    for wrong in ((), (3,), (0, 0), (-1,)):
        with pytest.raises(UsageError):
            m.choose(wrong)


def test_without_fmad_nothing_is_open() -> None:
    """ptxas --fmad=false: GPU_FLOAT.md 2.4."""
    m = machine(function(PQ + "add.f32 %f2, %f0, %f1;", "%f2"), arch="sm_90", fmad=False)
    assert m.sites == () and "fma" not in made(m.function) and m.limits == ()


def test_factors_that_change_are_kept() -> None:
    """A factor that is overwritten before the sum is copied where the product stands."""
    text = predicted("mul.f32 %f0, a, b; mov.b32 a, c; add.f32 %f1, %f0, a;", "%f1")
    assert text == "mov.b32 %machine0, a; mul.rn.f32 %f0, a, b; mov.b32 a, c; fma.rn.f32 %f1, %machine0, b, a"


LOOP = "mov.b32 %f1, e; mov.u32 %n0, 0; $L: {} add.s32 %n0, %n0, 1; setp.lt.s32 %p1, %n0, 9; @%p1 bra $L;"


@pytest.mark.parametrize(("body", "stored", "limited"), [
    (LOOP.format("add.f32 %f3, %f1, c; mul.f32 %f1, %f3, b;"), "%f1", True),          # ptxas unrolls, and fuses all but the first sum
    (LOOP.format("mul.f32 %f5, %f1, b; max.f32 %f1, %f1, c;") + "add.f32 %f6, %f5, c;", "%f6", True),
    ("setp.gt.f32 %p1, c, d; mul.f32 %f0, a, b; mul.f32 %f2, a, d; selp.f32 %f3, %f0, %f2, %p1; add.f32 %f1, %f3, e;", "%f1", True),
    ("mov.b32 %f0, e; setp.gt.f32 %p1, c, d; @%p1 mul.f32 %f0, a, b; add.f32 %f1, %f0, c;", "%f1", True),
    (LOOP.format("mul.f32 %f3, %f1, b; add.f32 %f1, %f3, c;"), "%f1", False),
    (f"mul.f32 %f0, a, b; mov.f32 %f2, {TWO}; mul.f32 %f1, %f2, %f0;", "%f1", True),                      # FMUL.M2
    ("div.approx.f32 %f0, a, b; mul.f32 %f1, %f0, 0f3E000000;", "%f1", True),                           # FMUL.D8
    (f"mul.f32 %f0, a, b; mul.rn.f32 %f1, %f0, {TWO};", "%f1", True),                                    # its own .rn does not keep it apart
    (f"mul.f32 %f0, a, b; mul.rn.f32 %f2, %f0, {ONE}; add.f32 %f1, %f2, c;", "%f1", True),                # FFMA a, b, c
    (f"mul.f32 %f2, a, {ONE}; add.f32 %f1, %f2, c;", "%f1", False), (f"mul.rn.f32 %f2, a, {ONE}; add.f32 %f1, %f2, c;", "%f1", False),
    ("mul.f32 %f0, a, b; div.full.f32 %f1, %f0, 0f40800000;", "%f1", True), (f"mul.f32 %f0, a, a; abs.f32 %f2, %f0; mul.f32 %f1, %f2, {TWO};", "%f1", True),
    (f"mul.f32 %f0, a, b; max.f32 %f2, %f0, %f0; mul.f32 %f1, %f2, {TWO};", "%f1", True), (f"mul.f32 %f0, a, b; mul.rz.f32 %f1, %f0, {TWO};", "%f1", False),
    (f"mul.rn.f32 %f0, a, b; mul.f32 %f1, {TWO}, %f0;", "%f1", False), (f"mul.f32 %f0, a, b; mul.f32 %f1, %f0, {THREE};", "%f1", False),
    ("mul.f32 %f0, a, b;" + LOOP.format("add.f32 %f4, %f0, %f1; max.f32 %f1, %f1, %f4;"), "%f1", False),
])
def test_what_the_choices_leave_out_is_said(body: str, stored: str, limited: bool) -> None:
    m = machine(function(body, stored), arch="sm_90", fmad=True)
    assert bool(m.limits) == limited and all(x.startswith("k.ptx:") for x in m.limits)


def test_nothing_is_left_to_choose() -> None:
    """Every choice of a function with all kinds of sites has no bare operation, and declares what it uses."""
    body = PQ + (f"div.approx.f32 %f5, %f0, {THREE}; add.f32 %f6, %f5, %f1; sub.f32 %f7, c, %f6; setp.gt.ftz.f32 %p1, %f7, {ZERO};"
                 f" selp.f32 %f8, %f7, {ZERO}, %p1;")
    m: Machine = machine(function(body, "%f8"), arch="sm_90", fmad=True)
    texts = set()
    for choice in itertools.islice(m.choices(), 100):
        f = m.choose(choice)
        assert not [i for i in f.instructions() if i.mnemonic in ("add.f32", "sub.f32", "mul.f32")]
        used = {str(o) for i in f.instructions() if isinstance(i, Instruction) for o in i.operands if str(o).startswith("%machine")}
        assert all(f.register_type(name) == "b32" for name in used)
        texts.add(made(f))
    assert len(texts) == m.count > 4


def test_malformed_functions_do_not_stop_it() -> None:
    """Operands missing, repeated, exchanged or of another kind, modifiers and definitions lost: a function comes out, whatever comes in."""
    body = PQ + (f"neg.f32 %f9, %f0; mov.f32 %f10, {TWO}; div.approx.f32 %f5, %f9, %f10; add.f32 %f6, %f5, %f1; sub.f32 %f7, c, %f6;"
                 f" setp.gt.f32 %p1, %f7, {ZERO}; selp.f32 %f8, %f7, {ZERO}, %p1;"
                 f" mul.f32 %f11, %f8, {TWO}; rcp.approx.f32 %f12, %f11; add.f32 %f13, %f12, %f11;")
    base = function(LOOP.format(body), "%f13")
    source = random.Random(5)
    items = list(base.body)
    operands = [o for i in base.instructions() for o in i.operands]
    for _ in range(400):
        changed = list(items)
        for _ in range(source.randint(1, 3)):
            n = source.randrange(len(changed))
            i = changed[n]
            if not isinstance(i, Instruction):
                continue
            kinds = (replace(i, operands=i.operands[:source.randint(0, 3)]), replace(i, operands=(*i.operands, source.choice(operands))),
                     replace(i, operands=tuple(source.choice(operands) for _ in i.operands)), replace(i, modifiers=i.modifiers[:-1]),
                     replace(i, opcode=source.choice(FLOATS)), replace(i, predicate=Register("%p1")), replace(i, operands=i.operands[::-1]))
            changed[n] = source.choice(kinds)
        m = machine(replace(base, body=tuple(changed)), arch="sm_90", fmad=True)
        assert m.function.name == "k" and all(m.choose(c).name == "k" for c in itertools.islice(m.choices(), 3))
