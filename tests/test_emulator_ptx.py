"""The emulator on single instructions and on PTX that no compiler here writes, and on the compilers' texts; what another behaviour changes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from draw import SPECIALS
from ptxfuzz import corpus, launched

from devsem.behaviour import DOCUMENTED, Behaviour
from devsem.emulator import Result, launch
from devsem.emulator_words import BITS, template
from devsem.errors import Rejected
from devsem.evaluate import evaluate
from devsem.expr import var
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Module
from devsem.frontend.ptx_meaning import meaning
from devsem.ops import BY_PTX, F32, OPS

Array = npt.NDArray[Any]
SIGN, QUIET, PAYLOAD = 0x80000000, 0x7FFFFFFF, 0x7FC12345
HEAD = ".version 9.0 .target sm_90 .address_size 64\n"
REGISTERS = ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;\n"
# %r10 is the thread, %rd1 its cell of x, %rd2 its cell of y, %r1 the word of x
BEGIN = ("ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r10, %tid.x; mul.wide.u32 %rd3, %r10, 4; "
         "add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3; ld.global.b32 %r1, [%rd1];\n")


def module(body: str, outside: str = "", variables: str = "") -> Module:
    """A kernel of the words x, y and one body."""
    return parse(f"{HEAD}{outside}\n.entry k(.param .u64 x, .param .u64 y) {{ {REGISTERS} {variables} {BEGIN} {body}\nret; }}", "k.ptx")


def result(body: str, x: list[int], outside: str = "", variables: str = "", block: int | None = None, **options: Any) -> Result:
    found = module(body, outside, variables)
    words = np.array(x, np.uint32)
    return launch(found.functions[0], [words, np.zeros(len(x), np.uint32)], 1, block or len(x), variables=found.variables, **options)


def words(body: str, x: list[int], **options: Any) -> list[int]:
    """What a body leaves in y."""
    found = result(body, x, **options)
    assert found.fault is None, str(found.fault)
    assert found.memory[1] is not None
    out: list[int] = found.memory[1].tolist()
    return out


# --- bits ---


@pytest.mark.parametrize(("instructions", "want"), [
    ("mov.b32 %r2, %r1;", PAYLOAD), ("mov.f32 %r2, %r1;", PAYLOAD), ("setp.eq.s32 %p1, %r10, 0; selp.f32 %r2, %r1, 0f00000000, %p1;", PAYLOAD),
    ("copysign.f32 %r2, 0f80000000, %r1;", PAYLOAD | SIGN), ("slct.f32.s32 %r2, %r1, %r1, %r10;", PAYLOAD), ("xor.b32 %r2, %r1, -2147483648;", PAYLOAD | SIGN),
    ("add.rn.f32 %r2, %r1, 0f3F800000;", QUIET), ("neg.f32 %r2, %r1;", QUIET), ("abs.f32 %r2, %r1;", QUIET), ("max.NaN.f32 %r2, %r1, 0f3F800000;", QUIET),
    ("max.f32 %r2, %r1, 0f3F800000;", 0x3F800000), ("add.rn.sat.f32 %r2, %r1, 0f3F800000;", 0), ("ex2.approx.f32 %r2, %r1;", QUIET),
    ("cvt.rn.f16.f32 %h1, %r1; cvt.u32.u16 %r2, %h1;", 0x7FFF),
])
def test_where_a_nan_keeps_its_bits(instructions: str, want: int) -> None:
    assert words(f"{instructions} st.global.b32 [%rd2], %r2;", [PAYLOAD]) == [want]


def test_halves_of_both_formats() -> None:
    body = "cvt.rn.{0}.f32 %h1, %r1; st.global.b16 [%rd2], %h1; ld.global.b16 %h2, [%rd2]; cvt.f32.{0} %r2, %h2; st.global.b32 [%rd2], %r2;"
    numbers = [1.0, -0.1, 1e-7, 65504.0, 70000.0, -0.0, 3.0e-8, np.inf, np.nan]
    x = np.array(numbers, np.float32)
    with np.errstate(all="ignore"):
        half = x.astype(np.float16).astype(np.float32).view(np.uint32)
    got = words(body.format("f16"), x.view(np.uint32).tolist())
    assert got == [*half[:-1].tolist(), QUIET]
    got = words(body.format("bf16"), [0x3F800000, 0x3F808000, 0x3F818000, 0x3F818001, 0x7F7FFFFF, 0xFFC00001])
    assert got == [0x3F800000, 0x3F800000, 0x3F820000, 0x3F820000, 0x7F800000, QUIET]


def test_words_put_together_and_cut() -> None:
    body = "add.s32 %r2, %r1, 1; mov.b64 %rd5, {%r1, %r2}; shr.u64 %rd5, %rd5, 16; mov.b64 {%r3, _}, %rd5; st.global.b32 [%rd2], %r3;"
    assert words(body, [0xABCD1234]) == [0x1235ABCD]
    body = "mov.b32 {%h1, %h2}, %r1; mov.b32 %r2, {%h2, %h1}; st.global.b32 [%rd2], %r2;"
    assert words(body, [0xABCD1234, 1]) == [0x1234ABCD, 0x10000]
    for wrong in ("mov.b64 %rd5, {%r1, %rd1};", "mov.b64 {%r2, %rd5}, %rd1;", "mov.b32 %r2, {%p1, %p2};"):
        with pytest.raises(Rejected, match=r"the instruction `mov\.b\d+` reads"):
            words(f"setp.eq.s32 %p1, %r1, %r1; setp.eq.s32 %p2, %r1, %r1; {wrong}", [1])


def test_narrow_words_are_extended() -> None:
    x = [0x8081F2F3]
    for kind, want in (("u8", 0xF3), ("s8", 0xFFFFFFF3), ("u16", 0xF2F3), ("s16", 0xFFFFF2F3), ("b8", 0xF3)):
        assert words(f"ld.global.{kind} %r2, [%rd1]; st.global.u32 [%rd2], %r2;", x) == [want]
    assert words("st.global.u8 [%rd2+1], %r1;", x) == [0xF300]
    assert words("ld.global.s32 %rd5, [%rd1]; shr.s64 %rd5, %rd5, 60; st.global.u32 [%rd2], %rd5;", x) == [0xFFFFFFFF]


def test_predicated_instructions_and_their_negation() -> None:
    body = ("mov.b32 %r2, 5; setp.lt.s32 %p1|%p2, %r1, 3; @%p1 mov.b32 %r2, 7; @!%p1 st.global.b32 [%rd2], 1; @%p2 add.s32 %r2, %r2, 100; "
            "@!%p2 st.global.b32 [%rd2], %r2; @%p2 ret; add.s32 %r2, %r2, 1; st.global.b32 [%rd2], %r2;")
    assert words(body, [0, 1, 2, 3, 4, 2 ** 31]) == [8, 8, 8, 1, 1, 8]


def test_a_copied_register_is_another_register() -> None:
    body = "mov.b32 %r2, %r1; setp.lt.s32 %p1, %r1, 3; @%p1 mov.b32 %r2, 7; shl.b32 %r3, %r1, 8; or.b32 %r2, %r2, %r3; st.global.b32 [%rd2], %r2;"
    assert words(body, [1, 5]) == [0x107, 0x505]


def test_two_instructions_that_write_one_cell() -> None:
    body = "ld.param.u64 %rd5, [y]; setp.lt.s32 %p1, %r1, 3; @%p1 st.global.b32 [%rd5], 1; @!%p1 st.global.b32 [%rd5], {};"
    assert words(body.format(1), [1, 5]) == [1, 0]
    fault = result(body.format(2), [1, 5]).fault
    assert fault is not None and (fault.kind, fault.thread) == ("race", (1, 0, 0)) and "another value" in fault.what
    assert words(body.format(2), [1, 5], races=False) == [2, 0]


def test_a_register_that_only_some_threads_have_set() -> None:
    body = "setp.lt.s32 %p1, %r1, 3; @%p1 mov.b32 %r2, 7; {} st.global.b32 [%rd2], %r2;"
    assert words(body.format("@%p1"), [1, 5, 1]) == [7, 0, 7]
    fault = result(body.format(""), [1, 5, 1]).fault
    assert fault is not None and fault.kind == "uninitialised" and fault.thread == (1, 0, 0) and "%r2" in fault.what
    fault = result("st.global.b32 [%rd2], %r3;", [1]).fault
    assert fault is not None and fault.kind == "uninitialised" and "%r3" in fault.what


def test_warps() -> None:
    assert words("mov.u32 %r2, %laneid; mov.u32 %r3, %warpid; mad.lo.s32 %r2, %r3, 100, %r2; st.global.u32 [%rd2], %r2;",
                 [0] * 70) == [100 * (t // 32) + t % 32 for t in range(70)]


# --- memory ---


def test_shared_memory_by_addresses_of_all_spaces_and_of_its_own() -> None:
    variables = ".shared .align 4 .b8 a[8]; .shared .align 4 .b8 b[16];"
    body = ("mov.u64 %rd4, b; cvta.shared.u64 %rd5, %rd4; add.s64 %rd5, %rd5, %rd3; st.b32 [%rd5], %r1; bar.sync 0; "
            "mov.u32 %r5, b; xor.b32 %r6, %r10, 3; shl.b32 %r6, %r6, 2; add.s32 %r5, %r5, %r6; ld.shared.b32 %r7, [%r5]; ld.shared.b32 %r8, [b+4]; "
            "add.s32 %r7, %r7, %r8; st.global.b32 [%rd2], %r7;")
    assert words(body, [10, 20, 30, 40], variables=variables) == [60, 50, 40, 30]


def test_between_two_shared_arrays_there_is_nothing() -> None:
    variables = ".shared .align 4 .b8 a[8]; .shared .align 4 .b8 b[16];"
    fault = result("mov.u64 %rd4, a; add.s64 %rd4, %rd4, %rd3; st.shared.b32 [%rd4], %r1;", [1, 2, 3], variables=variables).fault
    assert fault is not None and (fault.kind, fault.thread, fault.offset) == ("out of bounds", (2, 0, 0), 8)


def test_local_memory_is_each_thread_s_own_and_unset_at_first() -> None:
    body = "mov.u64 %rd4, l; st.local.b32 [%rd4+4], %r1; ld.local.b32 %r2, [l+{}]; st.global.b32 [%rd2], %r2;"
    assert words(body.format(4), [7, 8, 9], variables=".local .align 4 .b8 l[8];") == [7, 8, 9]
    fault = result(body.format(0), [7, 8, 9], variables=".local .align 4 .b8 l[8];").fault
    assert fault is not None and (fault.kind, fault.offset) == ("uninitialised", 0) and "local memory" in fault.what


def test_more_memory_than_there_is() -> None:
    with pytest.raises(Rejected, match=r"k.ptx:4:\d+: `a` needs \d+ bytes of shared memory, more than 262144 \[ptx.size\]"):
        result("st.shared.b32 [a], %r1;", [1], variables=".shared .align 4 .b8 a[999999];")


def test_dynamic_shared_memory() -> None:
    body = "mov.u64 %rd4, more; add.s64 %rd4, %rd4, %rd3; st.shared.b32 [%rd4], %r1; ld.shared.b32 %r2, [%rd4]; st.global.b32 [%rd2], %r2;"
    outside = ".extern .shared .align 16 .b8 more[];"
    assert words(body, [4, 5], outside=outside, shared_bytes=8) == [4, 5]
    fault = result(body, [4, 5, 6], outside=outside, shared_bytes=8).fault
    assert fault is not None and (fault.kind, fault.thread) == ("out of bounds", (2, 0, 0))


def test_constant_and_global_arrays() -> None:
    outside = ".const .align 4 .b32 table[3] = {7, 8}; .global .align 4 .u32 counter[2] = {40, 50};"
    body = ("mov.u64 %rd4, table; add.s64 %rd4, %rd4, %rd3; ld.const.b32 %r2, [%rd4]; ld.global.u32 %r3, [counter+4]; add.s32 %r2, %r2, %r3; "
            "st.global.b32 [%rd2], %r2;")
    assert words(body, [0, 0, 0], outside=outside) == [57, 58, 50]
    fault = result("mov.u64 %rd4, table; st.b32 [%rd4], %r1;", [1], outside=outside).fault
    assert fault is not None and fault.kind == "read-only" and "`table`" in fault.what


def test_a_structure_by_value() -> None:
    text = (f"{HEAD}.entry k(.param .align 4 .b8 s[8], .param .u64 y) {{ {REGISTERS} ld.param.b32 %r1, [s+4]; ld.param.u16 %r2, [s+2]; add.s32 %r1, %r1, %r2; "
            "ld.param.u64 %rd1, [y]; st.global.b32 [%rd1], %r1; ret; }")
    found = launch(parse(text, "k.ptx").functions[0], [np.array([0x30001, 5], np.uint32).tobytes(), np.zeros(1, np.int32)], 1, 1)
    assert found.fault is None and found.memory[1] is not None and found.memory[1].tolist() == [8]


def test_an_address_of_nothing() -> None:
    for access, where in (("ld.global.b32 %r2, [%rd4]", "0x10"), ("st.b32 [%rd4], %r1", "0x10")):
        fault = result(f"mov.u64 %rd4, 16; {access};", [1]).fault
        assert fault is not None and fault.kind == "out of bounds" and where in fault.what
    fault = result("cvta.to.shared.u64 %rd4, %rd1; ld.shared.b32 %r2, [%rd1];", [1]).fault
    assert fault is not None and fault.kind == "out of bounds" and "shared" in fault.what


def test_cells_smaller_than_a_word_do_not_race() -> None:
    body = "ld.param.u64 %rd5, [y]; cvt.u64.u32 %rd6, %r10; add.s64 %rd5, %rd5, %rd6; st.global.u8 [%rd5], %r1;"
    assert words(body, [1, 2, 3, 4]) == [0x04030201, 0, 0, 0]
    fault = result(body.replace("u8 [%rd5]", "u16 [%rd2]").replace("cvt.u64.u32 %rd6, %r10;", "mov.u64 %rd6, 0;"), [1, 2], block=2).fault
    assert fault is None


# --- the table, evaluated ---

SORTS = ("F32", "B32", "B64", "BOOL")
MNEMONICS = sorted({i.mnemonic: i for folder in ("nvidia", "clang") for name, text in corpus(folder).items() if "nvrtc-13" in name or "O2" in name
                    for f in parse(text, name).functions for i in f.instructions()}.items())


def test_an_instruction_on_arrays_is_what_the_table_says() -> None:
    """Every instruction of the compilers' texts that is exact, by `evaluate`, on bits of all kinds."""
    rng, tried = np.random.default_rng(7), 0
    for _, i in MNEMONICS:
        try:
            m = meaning(i)
        except Rejected:
            continue
        if any(kind not in SORTS for kind in m.reads + m.writes) or (i.mnemonic in BY_PTX and OPS[BY_PTX[i.mnemonic].name].kind == "obligation"):
            continue
        args = [rng.choice(np.array(SPECIALS, np.uint32), 300) if kind in (F32, "B32") else rng.integers(0, 2, 300).astype(np.bool_) if kind == "BOOL"
                else rng.integers(0, 1 << 64, 300, dtype=np.uint64) for kind in m.reads]
        names = [var(f"a{k}", kind) for k, kind in enumerate(m.reads)]      # type: ignore[arg-type]
        want = evaluate(m.of(*names), dict(zip(names, args, strict=True)))
        got = template(i, DOCUMENTED, {}).run(args)
        for kind, a, b in zip(m.writes, got, want, strict=True):
            assert a.dtype == BITS[kind] and np.array_equal(np.broadcast_to(a, (300,)), np.broadcast_to(b, (300,))), i
        tried += 1
    assert tried > 80


def test_approximate_instructions_say_what_stands_for_them() -> None:
    body = "ex2.approx.ftz.f32 %r2, %r1; st.global.b32 [%rd2], %r2;"
    found = result(body, [0x40400000])
    assert found.notes == ("ex2_approx_ftz is the real function, rounded: no device's values",)
    assert words(body, [0x40400000, 0x3F000000]) == [0x41000000, 0x3FB504F3]        # 2^3; the square root of 2, rounded
    other = result(body, [0x40400000], functions={"D.ex2_approx_ftz": lambda x: x + np.uint32(1)})
    assert other.notes == () and other.memory[1] is not None and other.memory[1].tolist() == [0x40400001]


# --- other behaviours ---


@pytest.mark.parametrize(("behaviour", "instruction", "x", "documented", "planted"), [
    (Behaviour(flushing=frozenset({"add"})), "add.rn.f32 %r2, %r1, 0f00000000;", 1, 1, 0),
    (Behaviour(flushing=frozenset({"add"})), "add.rn.sat.f32 %r2, %r1, 0f00000000;", 1, 1, 0),
    (Behaviour(flushing=frozenset({"max"})), "max.NaN.f32 %r2, %r1, 0f00000000;", 1, 1, 0),
    (Behaviour(flushing=frozenset({"cvt"})), "cvt.rpi.s32.f32 %r2, %r1;", 1, 1, 0),
    (Behaviour(flushing=frozenset({"setp"})), "setp.gt.f32 %p1, %r1, 0f00000000; selp.b32 %r2, 5, 6, %p1;", 1, 5, 6),
    (Behaviour(flushing=frozenset({"add"})), "mul.rn.f32 %r2, %r1, 0f3F800000;", 1, 1, 1),
    (Behaviour(keeping=frozenset({"fma"})), "fma.rn.ftz.f32 %r2, %r1, 0f3F800000, 0f00000000;", 1, 0, 1),
    (Behaviour(bounds_pass_nan=True), "min.f32 %r2, %r1, 0f3F800000;", PAYLOAD, 0x3F800000, QUIET),
    (Behaviour(division="rz"), "div.rn.f32 %r2, 0f40000000, %r1;", 0x40400000, 0x3F2AAAAB, 0x3F2AAAAA),       # 2/3
    (Behaviour(division="rz"), "rcp.rn.f32 %r2, %r1;", 0x40400000, 0x3EAAAAAB, 0x3EAAAAAA),
    (Behaviour(nan=0x7FC00000), "mul.rn.f32 %r2, %r1, 0f3F800000;", PAYLOAD, QUIET, 0x7FC00000),
    (Behaviour(nan=0x7FC00000), "mov.b32 %r2, %r1;", PAYLOAD, PAYLOAD, PAYLOAD),
    (Behaviour(sign_keeps_nan=True), "neg.f32 %r2, %r1;", PAYLOAD, QUIET, PAYLOAD | SIGN),
    (Behaviour(sign_keeps_nan=True), "abs.f32 %r2, %r1;", PAYLOAD | SIGN, QUIET, PAYLOAD),
    (Behaviour(rows={"max_num": lambda a, b: b}), "max.f32 %r2, %r1, 0f80000000;", 0, 0, SIGN),
])
def test_a_planted_behaviour_changes_what_it_says(behaviour: Behaviour, instruction: str, x: int, documented: int, planted: int) -> None:
    body = f"{instruction} st.global.b32 [%rd2], %r2;"
    assert words(body, [x]) == [documented]
    assert words(body, [x], behaviour=behaviour) == [planted]


# --- the compilers' texts ---


@pytest.mark.parametrize("folder", ["nvidia", "clang"])
def test_every_kernel_of_the_corpus_runs_or_is_refused_by_name(folder: str) -> None:
    found = Counter[str]()
    for name, text in corpus(folder).items():
        read = parse(text, name)
        for kernel in (f for f in read.functions if f.entry):
            try:
                fault = launched(kernel, read, 5000).fault
                found["ran" if fault is None else fault.kind] += 1
            except Rejected as refused:
                assert all(r.where.line for r in refused.rejections)
                found[refused.rejections[0].code] += 1
    # the launch of four threads is not what the block-wide reductions are written for: they read cells that nobody wrote
    codes = {f"ptx.{code}" for code in ("instruction", "f64", "threads", "call", "address", "atomic", "kind")}
    assert set(found) <= {"ran", "uninitialised", "race", "absent thread", *codes}, found
    assert found["ran"] > found.total() // 2 and found["ptx.instruction"] > 0, found
