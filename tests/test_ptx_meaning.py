"""What each PTX instruction means, against numbers computed another way: fractions (`formats.py`), Python's integers, and PTX's own words."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from draw import SPECIALS, seed
from formats import BFLOAT16, BINARY16, BINARY32, Mode, add, convert, div, fma, from_word, integral, mul, sat, sqrt, sub, to_word

from devsem.errors import Rejected
from devsem.evaluate import evaluate
from devsem.expr import var
from devsem.frontend.ptx_ast import Immediate, Instruction, Operand, Pair, Register
from devsem.frontend.ptx_meaning import Kind, meaning
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

F, NAN, SIGN, ONE, TINY = BINARY32, 0x7FFFFFFF, 0x80000000, 0x3F800000, 0x00800000
SORT: dict[Kind, Sort] = {"F16": F32, "BF16": F32}
DTYPE: dict[Sort, type[np.generic]] = {F32: np.uint32, B32: np.uint32, B64: np.uint64, BOOL: np.bool_}
Judge = Callable[..., Any]


def instruction(mnemonic: str, count: int, *given: Operand | None, two: bool = False) -> Instruction:
    """An instruction with a destination and `count` sources: the operands given, or registers."""
    opcode, *modifiers = mnemonic.split(".")
    sources = [given[k] if k < len(given) and given[k] is not None else Register(f"%r{k}") for k in range(count)]
    target: Operand = Pair(Register("%p"), Register("%q")) if two else Register("%d")
    return Instruction(opcode, tuple(modifiers), (target, *(s for s in sources if s is not None)))


def arguments(kinds: tuple[Kind, ...], rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Special values crossed, and random ones."""
    def one(kind: Kind) -> int:
        if kind == BOOL:
            return rng.randrange(2)
        width = 64 if kind == B64 else 32
        corners = [0, 1, 2, 5, 8, 31, 32, 33, 63, 64, 255, 256, (1 << width - 1) - 1, 1 << width - 1, (1 << width) - 1]
        if kind == F32:
            return int(rng.choice(SPECIALS)) if rng.random() < 0.7 else rng.getrandbits(32)
        return rng.choice(corners) if rng.random() < 0.6 else rng.getrandbits(width)
    for _ in range(250):
        yield tuple(map(one, kinds))


def check(i: Instruction, judge: Judge) -> None:
    """The table's value is the judge's, on every row of arguments."""
    m = meaning(i)
    names = [var(f"a{k}", SORT.get(kind, kind)) for k, kind in enumerate(m.reads)]     # type: ignore[arg-type]
    rows = list(arguments(m.reads, random.Random(seed())))
    env = {v: np.array([row[k] for row in rows], DTYPE[v.sort]) for k, v in enumerate(names)}
    got = [np.broadcast_to(x, (len(rows),)).tolist() for x in evaluate(m.of(*names), env)]
    for k, row in enumerate(rows):
        want = judge(*row)
        want = want if isinstance(want, tuple) else (want,)
        assert tuple(x[k] for x in got) == want, f"{i} of {[hex(a) for a in row]}"


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


def signed(a: int, width: int) -> int:
    return a - (1 << width) * (a >> width - 1)


@pytest.mark.parametrize("width", [32, 64])
def test_comparisons_of_words(width: int) -> None:
    for name, f in ORDERED.items():
        check(instruction(f"setp.{name}.s{width}", 2), lambda a, b, f=f: f(signed(a, width), signed(b, width)))
        check(instruction(f"setp.{name}.u{width}", 2), lambda a, b, f=f: f(a, b))
    for name, f in (("lo", ORDERED["lt"]), ("ls", ORDERED["le"]), ("hi", ORDERED["gt"]), ("hs", ORDERED["ge"])):
        check(instruction(f"setp.{name}.u{width}", 2), lambda a, b, f=f: f(a, b))
    check(instruction(f"setp.eq.b{width}", 2), lambda a, b: a == b)
    check(instruction(f"setp.ne.or.b{width}", 3), lambda a, b, c: a != b or bool(c))


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


# --- words ---


def words(width: int) -> dict[str, tuple[int, Judge]]:
    """Arithmetic on Python's integers."""
    top, low = 1 << width, (1 << width) - 1

    def two(f: Judge) -> Judge:
        return lambda *args: f(*(signed(a, width) for a in args)) % top
    s, u, b = f"s{width}", f"u{width}", f"b{width}"
    found: dict[str, tuple[int, Judge]] = {
        f"abs.{s}": (1, two(abs)), f"neg.{s}": (1, two(lambda a: -a)), f"not.{b}": (1, lambda a: ~a % top),
        f"and.{b}": (2, lambda x, y: x & y), f"or.{b}": (2, lambda x, y: x | y), f"xor.{b}": (2, lambda x, y: x ^ y),
        f"shl.{b}": (2, lambda x, k: x << min(k, width) & low), f"shr.{u}": (2, lambda x, k: x >> min(k, width)),
        f"shr.{b}": (2, lambda x, k: x >> min(k, width)),
        f"shr.{s}": (2, lambda x, k: (signed(x, width) >> min(k, width)) % top),
        f"bfe.{u}": (3, lambda x, start, size: x >> min(start & 255, width) & (1 << min(size & 255, width)) - 1),
        f"bfi.{b}": (4, insert(width)),
    }
    for t, view in ((s, two), (u, lambda f: lambda *args: f(*args) % top)):
        found |= {f"add.{t}": (2, view(lambda x, y: x + y)), f"sub.{t}": (2, view(lambda x, y: x - y)), f"mul.lo.{t}": (2, view(lambda x, y: x * y)),
                  f"mad.lo.{t}": (3, view(lambda x, y, z: x * y + z)), f"min.{t}": (2, view(min)), f"max.{t}": (2, view(max))}
    return found


def insert(width: int) -> Judge:
    """bfi, bit by bit as PTX writes it."""
    def judge(a: int, b: int, start: int, size: int) -> int:
        out, pos, length = b, start & 255, size & 255
        for k in range(length):
            if pos + k < width:
                bit = a >> k & 1 if k < width else 0
                out = out & ~(1 << pos + k) | bit << pos + k
        return out
    return judge


@pytest.mark.parametrize("width", [32, 64])
def test_words(width: int) -> None:
    for mnemonic, (count, judge) in words(width).items():
        check(instruction(mnemonic, count), judge)


def test_products() -> None:
    def product(a: int, b: int, is_signed: bool) -> int:
        return signed(a, 32) * signed(b, 32) if is_signed else a * b
    for t, is_signed in (("s32", True), ("u32", False)):
        check(instruction(f"mul.wide.{t}", 2), lambda a, b, s=is_signed: product(a, b, s) % 2**64)
        check(instruction(f"mul.hi.{t}", 2), lambda a, b, s=is_signed: (product(a, b, s) >> 32) % 2**32)
        check(instruction(f"mad.wide.{t}", 3), lambda a, b, c, s=is_signed: (product(a, b, s) + c) % 2**64)
        check(instruction(f"mad.hi.{t}", 3), lambda a, b, c, s=is_signed: ((product(a, b, s) >> 32) + c) % 2**32)


def test_widths() -> None:
    check(instruction("cvt.s64.s32", 1), lambda a: signed(a, 32) % 2**64)
    check(instruction("cvt.u64.s32", 1), lambda a: signed(a, 32) % 2**64)
    check(instruction("cvt.u64.u32", 1), lambda a: a)
    check(instruction("cvt.s64.u32", 1), lambda a: a)
    for to in ("s32", "u32"):
        for source in ("s64", "u64"):
            check(instruction(f"cvt.{to}.{source}", 1), lambda a: a % 2**32)
    check(instruction("cvt.u32.s32", 1), lambda a: a)


def test_funnel_shifts() -> None:
    for mode, count in (("wrap", lambda c: c & 31), ("clamp", lambda c: min(c, 32))):
        check(instruction(f"shf.l.{mode}.b32", 3), lambda a, b, c, n=count: ((b << 32 | a) << n(c) >> 32) % 2**32)
        check(instruction(f"shf.r.{mode}.b32", 3), lambda a, b, c, n=count: ((b << 32 | a) >> n(c)) % 2**32)


@pytest.mark.parametrize("start", range(256))
def test_lop3_of_every_table(start: int) -> None:
    """On the columns of a truth table: a is 0xF0, b is 0xCC, c is 0xAA, and the result is the table itself."""
    m = meaning(instruction("lop3.b32", 4, None, None, None, Immediate(start)))
    names = [var(f"a{k}", B32) for k in range(4)]
    env = {v: np.array([x], np.uint32) for v, x in zip(names, (0xF0, 0xCC, 0xAA, start), strict=True)}
    assert int(evaluate(m.of(*names), env)[0][0]) & 0xFF == start


def test_bytes_are_permuted() -> None:
    for selector in (0x3210, 0x7654, 0x0123, 0x5410, 0x7632, 0x4440, 0x8888, 0xFEDC, 0xB2A9):
        def judge(a: int, b: int, _: int, selector: int = selector) -> int:
            source = (b << 32 | a).to_bytes(8, "little")
            digits = [selector >> 4 * k & 15 for k in range(4)]
            return int.from_bytes(bytes(source[d & 7] if d < 8 else 255 * (source[d & 7] >> 7) for d in digits), "little")
        check(instruction("prmt.b32", 3, None, None, Immediate(selector)), judge)


@pytest.mark.parametrize("width", [32, 64])
def test_signed_fields(width: int) -> None:
    for start in (0, 1, 7, 23, 31, 32, 63, 64, 255):
        for size in (0, 1, 8, 9, 31, 32, 33, 64, 255):
            def judge(a: int, _: int, __: int, start: int = start, size: int = size) -> int:
                """PTX's own loop: bits above the field, and above the word, repeat its last bit."""
                last = a >> min(start + size - 1, width - 1) & 1 if size else 0
                return sum((a >> start + k & 1 if k < size and start + k < width else last) << k for k in range(width))
            check(instruction(f"bfe.s{width}", 3, None, Immediate(start), Immediate(size)), judge)


def test_predicates() -> None:
    check(instruction("not.pred", 1), lambda a: not a)
    check(instruction("and.pred", 2), lambda a, b: bool(a and b))
    check(instruction("or.pred", 2), lambda a, b: bool(a or b))
    check(instruction("xor.pred", 2), lambda a, b: a != b)
    check(instruction("mov.pred", 1), bool)


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
    ("cvt.rn.f32.f32", 1, "instruction"), ("cvt.rz.f16.f32", 1, "instruction"), ("lop3.b32", 4, "instruction"), ("prmt.b32", 3, "instruction"),
    ("bfe.s32", 3, "instruction"), ("add.rn.rz.f32", 2, "instruction"), ("foo.bar", 1, "instruction"), ("add.f32", 1, "operands"),
    ("fma.rn.f32", 2, "operands"),
    ("min.f32", 1, "operands"), ("min.f32", 4, "operands"), ("rcp.approx.ftz.f64", 1, "f64"), ("div.sat.f32", 2, "instruction"),
])
def test_everything_else_is_refused_by_name(mnemonic: str, count: int, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        meaning(instruction(mnemonic, count))
    assert caught.value.rejections[0].code == f"ptx.{code}" and mnemonic in str(caught.value)
