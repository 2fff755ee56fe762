"""What each PTX instruction means, against numbers computed another way: fractions (`formats.py`), and PTX's own words."""

from __future__ import annotations

import numpy as np
import pytest
from formats import BFLOAT16, BINARY16, Mode, add, convert, div, fma, from_word, integral, mul, sat, sqrt, sub, to_word
from ptxcheck import NAN, ONE, SIGN, TINY, F, Judge, check, instruction

from devsem.errors import Rejected
from devsem.expr import var
from devsem.frontend.ptx_meaning import meaning
from devsem.ops import B32, B64, F32, OPS

# --- numbers ---


def flush(a: int) -> int:
    return a & SIGN if a & NAN < TINY else a


def ftz(f: Judge) -> Judge:
    return lambda *args: flush(f(*map(flush, args)))


def saturated(f: Judge) -> Judge:
    return lambda *args: sat(F, f(*args))


def rounded(f: Judge, mode: Mode) -> Judge:
    return lambda *args: f(F, mode, *args)


ARITH = {"add": (add, 2), "sub": (sub, 2), "mul": (mul, 2), "fma": (fma, 3), "div": (div, 2), "sqrt": (sqrt, 1)}
MODES: tuple[Mode, ...] = ("rn", "rz", "rm", "rp")
BARE = ("add", "sub", "mul")
SATURATING = ("add", "sub", "mul", "fma")


@pytest.mark.parametrize("name", ARITH)
def test_rounded_arithmetic(name: str) -> None:
    judge, count = ARITH[name]
    for mode in MODES:
        check(instruction(f"{name}.{mode}.f32", count), rounded(judge, mode))
        check(instruction(f"{name}.{mode}.ftz.f32", count), ftz(rounded(judge, mode)))
        if name in SATURATING:
            check(instruction(f"{name}.{mode}.sat.f32", count), saturated(rounded(judge, mode)))
            check(instruction(f"{name}.{mode}.ftz.sat.f32", count), saturated(ftz(rounded(judge, mode))))


@pytest.mark.parametrize("name", BARE)
def test_no_rounding_modifier_is_to_nearest(name: str) -> None:
    check(instruction(f"{name}.f32", 2), rounded(ARITH[name][0], "rn"))
    check(instruction(f"{name}.ftz.f32", 2), ftz(rounded(ARITH[name][0], "rn")))
    check(instruction(f"{name}.ftz.sat.f32", 2), saturated(ftz(rounded(ARITH[name][0], "rn"))))


@pytest.mark.parametrize("mode", MODES)
def test_reciprocals(mode: Mode) -> None:
    check(instruction(f"rcp.{mode}.f32", 1), lambda a: div(F, mode, ONE, a))
    check(instruction(f"rcp.{mode}.ftz.f32", 1), ftz(lambda a: div(F, mode, ONE, a)))


def nan_of(a: int) -> int:
    return NAN if F.is_nan(a) else a


def test_signs() -> None:
    check(instruction("neg.f32", 1), lambda a: nan_of(a ^ SIGN))
    check(instruction("abs.f32", 1), lambda a: nan_of(a & NAN))
    check(instruction("neg.ftz.f32", 1), lambda a: flush(nan_of(a ^ SIGN)))
    check(instruction("abs.ftz.f32", 1), lambda a: flush(nan_of(a & NAN)))
    check(instruction("copysign.f32", 2), lambda a, b: a & SIGN | b & NAN)     # bits: a NaN's sign, too
    assert not meaning(instruction("neg.f32", 1)).canonical and not meaning(instruction("abs.f32", 1)).canonical
    assert meaning(instruction("add.f32", 2)).canonical


def place(a: int) -> int:
    """Numbers in order, -0 just below +0."""
    return ~(a & NAN) if a & SIGN else a


def least(pick: Judge, nan_wins: bool) -> Judge:
    def judge(*args: int) -> int:
        numbers = [a for a in args if not F.is_nan(a)]
        return NAN if not numbers or (nan_wins and len(numbers) < len(args)) else pick(numbers, key=place)
    return judge


@pytest.mark.parametrize(("name", "pick"), [("min", min), ("max", max)])
@pytest.mark.parametrize("count", [2, 3])
def test_minima_and_maxima(name: str, pick: Judge, count: int) -> None:
    check(instruction(f"{name}.f32", count), least(pick, False))
    check(instruction(f"{name}.NaN.f32", count), least(pick, True))
    check(instruction(f"{name}.ftz.f32", count), ftz(least(pick, False)))
    check(instruction(f"{name}.ftz.NaN.f32", count), ftz(least(pick, True)))


# --- comparisons ---


def floats(a: int, b: int) -> tuple[float, float]:
    x, y = np.array([a, b], np.uint32).view(np.float32).tolist()
    return x, y


ORDERED: dict[str, Judge] = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
                             "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}


def compare(name: str) -> Judge:
    """PTX: an ordered comparison is false with a NaN, one that ends in `u` is true."""
    def judge(a: int, b: int) -> bool:
        (x, y), unordered = floats(a, b), F.is_nan(a) or F.is_nan(b)
        if name in ("num", "nan"):
            return unordered == (name == "nan")
        if name in ORDERED:
            return not unordered and bool(ORDERED[name](x, y))
        return unordered or bool(ORDERED[name.removesuffix("u")](x, y))
    return judge


BOOLEAN: dict[str, Judge] = {"and": lambda t, c: t and c, "or": lambda t, c: t or c, "xor": lambda t, c: t != c}


@pytest.mark.parametrize("name", [*ORDERED, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"])
def test_comparisons_of_numbers(name: str) -> None:
    judge = compare(name)
    check(instruction(f"setp.{name}.f32", 2), judge)
    check(instruction(f"setp.{name}.f32", 2, two=True), lambda a, b: (judge(a, b), not judge(a, b)))
    check(instruction(f"setp.{name}.ftz.f32", 2), lambda a, b: judge(flush(a), flush(b)))
    for word, f in BOOLEAN.items():
        check(instruction(f"setp.{name}.{word}.f32", 3), lambda a, b, c, f=f: bool(f(judge(a, b), bool(c))))
        check(instruction(f"setp.{name}.{word}.f32", 3, two=True), lambda a, b, c, f=f: (bool(f(judge(a, b), bool(c))), bool(f(not judge(a, b), bool(c)))))
    check(instruction(f"set.{name}.f32.f32", 2), lambda a, b: ONE if judge(a, b) else 0)
    check(instruction(f"set.{name}.u32.f32", 2), lambda a, b: 0xFFFFFFFF if judge(a, b) else 0)
    check(instruction(f"set.{name}.and.ftz.s32.f32", 3), lambda a, b, c: 0xFFFFFFFF if judge(flush(a), flush(b)) and c else 0)


def test_choices_keep_bits() -> None:
    for kind, width in (("f32", 32), ("b32", 32), ("s32", 32), ("u32", 32), ("b64", 64), ("u64", 64)):
        check(instruction(f"selp.{kind}", 3), lambda a, b, c: a if c else b)
        check(instruction(f"mov.{kind}", 1), lambda a: a)
        assert meaning(instruction(f"selp.{kind}", 3)).writes == (B64 if width == 64 else B32,)
    check(instruction("slct.f32.f32", 3), lambda a, b, c: a if compare("ge")(c, 0) else b)
    check(instruction("slct.ftz.f32.f32", 3), lambda a, b, c: a if compare("ge")(flush(c), 0) else b)
    check(instruction("slct.u32.s32", 3), lambda a, b, c: b if c >> 31 else a)
    check(instruction("slct.b64.f32", 3), lambda a, b, c: a if compare("ge")(c, 0) else b)


def test_classes() -> None:
    exponents: dict[str, Judge] = {
        "finite": lambda a: a & NAN < F.inf, "infinite": lambda a: a & NAN == F.inf, "number": lambda a: a & NAN <= F.inf,
        "notanumber": lambda a: a & NAN > F.inf, "subnormal": lambda a: 0 < a & NAN < TINY, "normal": lambda a: TINY <= a & NAN < F.inf or a & NAN == 0,
    }
    for name, judge in exponents.items():
        check(instruction(f"testp.{name}.f32", 1), judge)


# --- conversions ---


@pytest.mark.parametrize("mode", MODES)
def test_conversions(mode: Mode) -> None:
    check(instruction(f"cvt.{mode}i.f32.f32", 1), lambda a: integral(F, mode, a))
    check(instruction(f"cvt.{mode}i.ftz.f32.f32", 1), ftz(lambda a: integral(F, mode, a)))
    check(instruction(f"cvt.{mode}i.sat.f32.f32", 1), saturated(lambda a: integral(F, mode, a)))
    for word in ("s32", "u32", "s64", "u64"):
        width, is_signed = int(word[1:]), word[0] == "s"
        check(instruction(f"cvt.{mode}i.{word}.f32", 1), lambda a, w=width, s=is_signed: to_word(F, mode, w, s, a))
        check(instruction(f"cvt.{mode}i.ftz.{word}.f32", 1), lambda a, w=width, s=is_signed: to_word(F, mode, w, s, flush(a)))
        check(instruction(f"cvt.{mode}.f32.{word}", 1), lambda a, w=width, s=is_signed: from_word(F, mode, w, s, a))
        check(instruction(f"cvt.{mode}.sat.f32.{word}", 1), lambda a, w=width, s=is_signed: sat(F, from_word(F, mode, w, s, a)))


def test_clamping_and_flushing_conversions() -> None:
    check(instruction("cvt.sat.f32.f32", 1), lambda a: sat(F, a))
    check(instruction("cvt.ftz.sat.f32.f32", 1), lambda a: sat(F, flush(a)))
    check(instruction("cvt.ftz.f32.f32", 1), lambda a: flush(nan_of(a)))


def test_sixteen_bit_floats_are_carried_as_numbers() -> None:
    for name, form in (("f16", BINARY16), ("bf16", BFLOAT16)):
        check(instruction(f"cvt.rn.{name}.f32", 1), lambda a, g=form: convert(g, F, "rn", convert(F, g, "rn", a)))
        check(instruction(f"cvt.rn.ftz.{name}.f32", 1), lambda a, g=form: convert(g, F, "rn", convert(F, g, "rn", flush(a))))
        back = meaning(instruction(f"cvt.f32.{name}", 1))
        assert back.reads == (name.upper(),) and back.of(var("x", F32)) == (var("x", F32),) and not back.canonical


# --- obligations, refusals ---


@pytest.mark.parametrize(("mnemonic", "row"), [
    ("ex2.approx.f32", "D.ex2_approx"), ("ex2.approx.ftz.f32", "D.ex2_approx_ftz"), ("lg2.approx.f32", "D.lg2_approx"),
    ("rcp.approx.ftz.f32", "D.rcp_approx_ftz"),
    ("rsqrt.approx.f32", "D.rsqrt_approx"), ("sqrt.approx.ftz.f32", "D.sqrt_approx_ftz"), ("sin.approx.f32", "D.sin_approx"),
    ("cos.approx.ftz.f32", "D.cos_approx_ftz"), ("tanh.approx.f32", "D.tanh_approx"), ("div.approx.f32", "D.div_approx"),
    ("div.full.ftz.f32", "D.div_full_ftz"),
    ("fused.div_approx.add", "D.div_approx_add"), ("fused.div_approx.ftz.rsub", "D.div_approx_ftz_rsub"), ("fused.div_full.add", "D.div_full_add"),
    ("fused.rcp_approx.rsub", "D.rcp_approx_rsub"),
])
def test_what_no_standard_fixes_is_the_devices_own(mnemonic: str, row: str) -> None:
    names = [var(f"a{k}", F32) for k in range(len(OPS[row].args))]
    m = meaning(instruction(mnemonic, len(names)))
    (value,) = m.of(*names)
    assert value.op == row and value.args == tuple(names) and m.canonical


@pytest.mark.parametrize(("mnemonic", "count", "code"), [
    ("add.f64", 2, "f64"), ("mul.rn.f64", 2, "f64"), ("cvt.f64.f32", 1, "f64"), ("cvt.rn.f32.f64", 1, "f64"), ("setp.lt.f64", 2, "f64"),
    ("add.rn.f16", 2, "instruction"), ("fma.rn.f16x2", 3, "instruction"), ("fma.rn.f32x2", 3, "instruction"), ("popc.b32", 1, "instruction"),
    ("div.u32", 2, "instruction"), ("rem.s32", 2, "instruction"), ("min.xorsign.abs.f32", 2, "instruction"), ("fma.rn.relu.f32", 3, "instruction"),
    ("add.sat.s32", 2, "instruction"), ("add.cc.u32", 2, "instruction"), ("fma.f32", 3, "instruction"), ("setp.lo.f32", 2, "instruction"),
    ("setp.lt.b32", 2, "instruction"), ("setp.eq.ftz.s32", 2, "instruction"), ("tanh.approx.ftz.f32", 1, "instruction"),
    ("fused.rcp_approx.ftz.add", 2, "instruction"),
    ("cvt.rn.f32.f32", 1, "instruction"), ("cvt.f32.f32", 1, "instruction"),
    ("cvt.rz.f16.f32", 1, "instruction"), ("lop3.b32", 4, "instruction"), ("prmt.b32", 3, "instruction"),
    ("bfe.s32", 3, "instruction"), ("add.rn.rz.f32", 2, "instruction"), ("foo.bar", 1, "instruction"), ("add.f32", 1, "operands"),
    ("fma.rn.f32", 2, "operands"),
    ("min.f32", 1, "operands"), ("min.f32", 4, "operands"), ("rcp.approx.ftz.f64", 1, "f64"), ("div.sat.f32", 2, "instruction"),
])
def test_everything_else_is_refused_by_name(mnemonic: str, count: int, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        meaning(instruction(mnemonic, count))
    assert caught.value.rejections[0].code == f"ptx.{code}" and mnemonic in str(caught.value)
