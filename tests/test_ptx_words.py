"""What PTX's integer and bit instructions mean, against Python's integers and PTX's own words."""

from __future__ import annotations

import numpy as np
import pytest
from formats import from_word
from ptxcheck import F, Judge, check, instruction, signed

from devsem.evaluate import evaluate
from devsem.expr import const, const_int, topo, var
from devsem.frontend.ptx_ast import Immediate
from devsem.frontend.ptx_meaning import lifted, meaning
from devsem.ops import B32, BOOL
from devsem.simplify import make

COMPARED: dict[str, Judge] = {"eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
                              "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y}


@pytest.mark.parametrize("width", [32, 64])
def test_comparisons_of_words(width: int) -> None:
    for name, f in COMPARED.items():
        check(instruction(f"setp.{name}.s{width}", 2), lambda a, b, f=f: f(signed(a, width), signed(b, width)))
        check(instruction(f"setp.{name}.u{width}", 2), lambda a, b, f=f: f(a, b))
    for name, f in (("lo", COMPARED["lt"]), ("ls", COMPARED["le"]), ("hi", COMPARED["gt"]), ("hs", COMPARED["ge"])):
        check(instruction(f"setp.{name}.u{width}", 2), lambda a, b, f=f: f(a, b))
    check(instruction(f"setp.eq.b{width}", 2), lambda a, b: a == b)
    check(instruction(f"setp.ne.or.b{width}", 3), lambda a, b, c: a != b or bool(c))


def test_sixteen_bit_integers() -> None:
    check(instruction("setp.eq.s16", 2), lambda a, b: a == b)
    check(instruction("setp.ne.u16", 2), lambda a, b: a != b)
    check(instruction("and.b16", 2), lambda a, b: a & b)
    check(instruction("xor.b16", 2), lambda a, b: a ^ b)
    check(instruction("cvt.s32.s16", 1), lambda a: signed(a, 16) % 2**32)
    check(instruction("cvt.u32.u16", 1), lambda a: a)
    check(instruction("cvt.rn.f32.s16", 1), lambda a: from_word(F, "rn", 32, True, signed(a, 16) % 2**32))
    check(instruction("cvt.rn.f32.u16", 1), lambda a: from_word(F, "rn", 32, True, a))


def test_a_flag_stays_a_flag() -> None:
    b, c = var("b", BOOL), var("c", BOOL)
    x, y = (make("select_b32", v, const_int(B32, 1), const_int(B32, 0)) for v in (b, c))
    (same,) = meaning(instruction("setp.eq.s16", 2)).of(x, y)
    env = {v: np.array(column) for v, column in ((b, [False, False, True, True]), (c, [False, True, False, True]))}
    assert evaluate([same], env)[0].tolist() == [True, False, False, True] and {v for v in topo(same) if v.sort == B32} == set()
    assert meaning(instruction("cvt.rn.f32.s16", 1)).of(x) == (make("select", b, const(1.0), const(0.0)),)
    assert lifted(lambda a: a, var("w", B32)) is var("w", B32)


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
