"""The PTX reader: what it accepts, as data that a person can compare with the text, and what it refuses, by code and place."""

from __future__ import annotations

import time

import pytest

from devsem.errors import Rejected
from devsem.frontend.ptx import decode, parse
from devsem.frontend.ptx_ast import ALONE, Address, Arguments, Function, Immediate, Instruction, Label, Pair, Register, Symbol, Variable, Vector
from devsem.frontend.ptx_tokens import MAX_TEXT, MAX_TOKEN

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
R, S, I = Register, Symbol, Immediate


def function(body: str) -> Function:
    """A kernel with this body, whose first line is line 6."""
    return parse(f"{HEAD}.entry k()\n{{\n{body}\n}}", "k.ptx").functions[0]


def refused(text: str) -> str:
    """What the text is refused with."""
    with pytest.raises(Rejected) as caught:
        parse(text, "k.ptx")
    assert len(caught.value.rejections) == 1
    r = caught.value.rejections[0]
    return f"{r.code}@{r.where.line}:{r.where.column} {r.message}"


INSTRUCTIONS = {
    "add.rn.ftz.f32 %f3, %f1, 0f3F800000;": Instruction("add", ("rn", "ftz", "f32"), (R("%f3"), R("%f1"), I(0x3F800000, "f32"))),
    "mov.f64 %fd1, 0d3FF921FB54442D18;": Instruction("mov", ("f64",), (R("%fd1"), I(0x3FF921FB54442D18, "f64"))),
    "mov.u32 %r1, 0x7fFFU;": Instruction("mov", ("u32",), (R("%r1"), I(0x7FFF))),
    "mov.u32 %r1, 017;": Instruction("mov", ("u32",), (R("%r1"), I(15))),
    "mov.u32 %r1, 0b101U;": Instruction("mov", ("u32",), (R("%r1"), I(5))),
    "mov.u64 %r1, 18446744073709551615;": Instruction("mov", ("u64",), (R("%r1"), I(2**64 - 1))),
    "mov.s64 %r1, -9223372036854775808;": Instruction("mov", ("s64",), (R("%r1"), I(-2**63))),
    "mov.u32 %r1, %tid.x;": Instruction("mov", ("u32",), (R("%r1"), R("%tid.x"))),
    "mov.u64 %rd1, smem;": Instruction("mov", ("u64",), (R("%rd1"), S("smem"))),
    "@%p1 bra $L__BB0_2;": Instruction("bra", (), (S("$L__BB0_2"),), R("%p1")),
    "@!%p1 bra.uni L;": Instruction("bra", ("uni",), (S("L"),), R("%p1"), negated=True),
    "ld.param.u64 %rd1, [k_param_0+8];": Instruction("ld", ("param", "u64"), (R("%rd1"), Address(S("k_param_0"), 8))),
    "ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%f1, _}, [%rd1+-4];":
        Instruction("ld", ("global", "nc", "L1::no_allocate", "L2::128B", "v2", "f32"), (Vector((R("%f1"), R("_"))), Address(R("%rd1"), -4))),
    "st.shared.f32 [%r1-4], 0f00000000;": Instruction("st", ("shared", "f32"), (Address(R("%r1"), -4), I(0, "f32"))),
    "ld.global.f32 %f1, [16];": Instruction("ld", ("global", "f32"), (R("%f1"), Address(I(16)))),
    "st.v4.f32 [%rd1], {%f1, %f2, 0f3F800000, %f4};":
        Instruction("st", ("v4", "f32"), (Address(R("%rd1")), Vector((R("%f1"), R("%f2"), I(0x3F800000, "f32"), R("%f4"))))),
    "setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;":
        Instruction("setp", ("lt", "and", "f32"), (Pair(R("%p1"), R("%p2")), R("%f1"), R("%f2"), Pair(R("%p3"), None, negated=True))),
    "shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1;":
        Instruction("shfl", ("sync", "down", "b32"), (Pair(R("%r2"), R("%p1")), R("%r1"), I(16), I(31), I(-1))),
    "call.uni (retval0), f, (param0, %r1, 3);":
        Instruction("call", ("uni",), (Arguments((S("retval0"),)), S("f"), Arguments((S("param0"), R("%r1"), I(3))))),
    "bar.sync 0;": Instruction("bar", ("sync",), (I(0),)),
    "ret;": Instruction("ret"),
    "add .s32 \t%r1,/* a */%r2 // b\n,%r3 ;": Instruction("add", ("s32",), (R("%r1"), R("%r2"), R("%r3"))),
}


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_an_instruction(text: str) -> None:
    assert function(text).body == (INSTRUCTIONS[text],)
    assert next(function(text).instructions()).where.line == 6


def test_a_module() -> None:
    module = parse("""// a comment
.version 8.8 /* another
   */ .target sm_100a, debug
.address_size 64
.file 1 "a b.cu", 1700000000, 12
.const .align 4 .f32 table[3] = {0f3F800000, 0f40000000};
.global .align 1 .b8 text[2][3] = {1, -2, 0x3};
.visible .global .u32 counter = 7;
.extern .shared .align 16 .b8 dynamic[];
.extern .func (.param .b32 out) vprintf (.param .b64 a, .param .b64 b) ;
.weak .func (.param .align 8 .b8 func_retval0[16]) _Z1fv() { ret; }
.visible .entry k(
	.param .u64 .ptr .global .align 16 k_param_0,
	.param .align 4 .b8 k_param_1[12]
)
.maxntid 256, 1, 1
.minnctapersm 2
.pragma "nounroll";
{ ret; }
.section .debug_info { .b8 1,2 .b32 .debug_abbrev+4 .b64 $L__tmp1-1 $L__a: }
""", "k.ptx")
    assert (module.version, module.target) == ("8.8", "sm_100a")
    assert module.variables == (
        Variable("table", "f32", 3, "const", 4, (0x3F800000, 0x40000000)), Variable("text", "b8", 6, "global", 1, (1, -2, 3)),
        Variable("counter", "u32", 1, "global", 0, (7,)), Variable("dynamic", "b8", 0, "shared", 16, external=True))
    assert module.declarations == (
        Function("vprintf", (Variable("a", "b64", 1, "param"), Variable("b", "b64", 1, "param")), {}, (), (), entry=False,
                 results=(Variable("out", "b32", 1, "param"),)),)
    assert module.functions == (
        Function("_Z1fv", (), {}, (), (Instruction("ret"),), entry=False, results=(Variable("func_retval0", "b8", 16, "param", 8),)),
        Function("k", (Variable("k_param_0", "u64", 1, "param"), Variable("k_param_1", "b8", 12, "param", 4)), {}, (), (Instruction("ret"),),
                 directives=(("maxntid", (256, 1, 1)), ("minnctapersm", (2,)))))
    assert [str(f.where) for f in module.functions] == ["k.ptx:11:52", "k.ptx:12:17"]


def test_registers() -> None:
    f = function(".reg .pred %p<3>, q; .reg .b32 %r<2>;\n.reg .f16x2 %h; .local .align 4 .b8 depot[8];")
    assert f.registers == {"%p": ("pred", 3), "q": ("pred", ALONE), "%r": ("b32", 2), "%h": ("f16x2", ALONE)}
    kinds = {name: f.register_type(name) for name in ("%p0", "%p2", "%p3", "%p02", "%p", "q", "q1", "%r1", "%h", "%x1", "7")}
    assert kinds == {"%p0": "pred", "%p2": "pred", "%p3": None, "%p02": None, "%p": None, "q": "pred", "q1": None, "%r1": "b32", "%h": "f16x2",
                     "%x1": None, "7": None}
    assert f.variables == (Variable("depot", "b8", 8, "local", 4),)


def test_a_block_has_names_of_its_own() -> None:
    f = function("""
.reg .b32 %r<9>, t; .reg .pred %p<2>;
mov.b32 t, %r1;
{ .reg .b32 t; .reg .b32 %r<4>; .param .b32 param0;
  L: mov.b32 t, %r3; mov.b32 t, %r4;
  st.param.b32 [param0], t;
  @%p1 bra L; bra M;
  { .reg .b32 t; M: mov.b32 t, 1; bra M; }
  bra M; M: }
L: mov.b32 t, 2; // $2_
bra L;
""")
    assert [str(item) for item in f.body] == [
        "mov.b32 t, %r1", "L$1_:", "mov.b32 t$1_, %r$1_3", "mov.b32 t$1_, %r4", "st.param.b32 [param0$1_], t$1_", "@%p1 bra L$1_", "bra M$1_",
        "M$3_:", "mov.b32 t$3_, 1", "bra M$3_", "bra M$1_", "M$1_:", "L:", "mov.b32 t, 2", "bra L"]
    assert f.registers == {"%r": ("b32", 9), "t": ("b32", ALONE), "%p": ("pred", 2), "t$1_": ("b32", ALONE), "%r$1_": ("b32", 4), "t$3_": ("b32", ALONE)}
    assert f.register_type("%r$1_3") == "b32"
    assert [v.name for v in f.variables] == ["param0$1_"]


def test_marks_and_hints_are_left_out() -> None:
    f = function('.loc 1 2 3\n.loc\t1 12 5, function_name $L__info_string0, inlined_at 1 10 3\n.pragma "nounroll";\n;ret;\n'
                 ".loc 1 9 1, function_name $L__info_string0+4, inlined_at 1 10 3\n$L__end: ")
    assert f.body == (Instruction("ret"), Label("$L__end"))


ENTRY = HEAD + ".entry k() {\n"
REFUSED = {
    "": "ptx.syntax@1:1 the end of the text stands where `.version` is expected",
    "\n /* x": "ptx.syntax@2:2 a comment is not closed",
    '.version "': "ptx.syntax@1:10 a string is not closed on its line",
    ".version 9.0\n.target sm_90 é": "ptx.syntax@2:15 the character '\\xe9' is not accepted",
    ".version 9.0\0": "ptx.binary@1:13 the file is not PTX text: it contains a NUL byte",
    ".version 9.0 .target sm_90, map_f64_to_f32": "ptx.target@1:29 the target option `map_f64_to_f32` is not accepted",
    ".version 9.0 .target sm_90 .address_size 32": "ptx.target@1:42 `32` stands where `.address_size 64` is expected",
    ".version 9.0 .target sm_90 .entry k() {}": "ptx.target@1:28 `.entry` stands where `.address_size 64` is expected",
    HEAD + "x": "ptx.syntax@4:1 `x` stands where a function or a variable is expected",
    HEAD + ".common .global .u32 x;": "ptx.syntax@4:1 `.common` stands where a function or a variable is expected",
    HEAD + ".global .texref t;": "ptx.syntax@4:9 `.texref` stands where a type is expected",
    HEAD + ".global .v4 .f32 t;": "ptx.syntax@4:9 `.v4` stands where a type is expected",
    HEAD + ".global .u64 p = x;": "ptx.syntax@4:18 `x` stands where a number is expected",
    HEAD + ".global .f32 p = 1;": "ptx.syntax@4:19 an initial value is not of the type .f32",
    HEAD + ".global .b32 p[1] = {1, 2};": "ptx.syntax@4:27 2 values are given for 1 elements",
    HEAD + ".global .b32 p[2][1] = {{1}, {2}};": "ptx.syntax@4:25 `{` stands where a number is expected",
    HEAD + ".shared .b32 p = 1;": "ptx.syntax@4:16 `=` stands where `;` is expected",
    HEAD + ".global .align 3 .b32 p;": "ptx.syntax@4:18 the alignment 3 is not a power of two up to 128",
    HEAD + ".shared .b64 p[536870912];": "ptx.size@4:14 the array `p` is larger than 2147483648 bytes",
    HEAD + ".alias f, g;": "ptx.syntax@4:1 `.alias` stands where a function or a variable is expected",
    HEAD + ".entry k() .something { }": "ptx.syntax@4:12 the directive `.something` is not accepted",
    HEAD + ".func f (.reg .f32 x) { }": "ptx.syntax@4:10 `.reg` stands where `.param` is expected",
    ENTRY: "ptx.syntax@5:1 the end of the text stands where an instruction or `}` is expected",
    ENTRY + "add.f32 %f1, %f2": "ptx.syntax@5:17 the end of the text stands where `,` is expected",
    ENTRY + "add.f32 %f1 %f2;": "ptx.syntax@5:13 `%f2` stands where `,` is expected",
    ENTRY + "add.f32 %f1, 1.5;": "ptx.syntax@5:14 `1.5` stands where a number is expected",
    ENTRY + "add.f32 %f1, -0f3F800000;": "ptx.syntax@5:15 `0f3F800000` stands where a number is expected",
    ENTRY + "add.f32 %f1, 0f3F80000;": "ptx.syntax@5:14 `0f3F80000` stands where a number is expected",
    ENTRY + "mov.u32 %r1, 08;": "ptx.syntax@5:14 `08` stands where a number is expected",
    ENTRY + "mov.u64 %r1, 18446744073709551616;": "ptx.syntax@5:14 the number `18446744073709551616` does not fit 64 bits",
    ENTRY + f"mov.u64 %r1, {'9' * 4000};": f"ptx.syntax@5:14 `{'9' * 37}...` stands where a number is expected",
    ENTRY + "mov.u64 %r1, (1+2)*3;": "ptx.syntax@5:19 the character '*' is not accepted",
    ENTRY + "mov.u64 %r1, x+4;": "ptx.syntax@5:15 `+` stands where `,` is expected",
    ENTRY + "ld.f32 %f1, [[%r1]];": "ptx.syntax@5:14 `[` stands where a number is expected",
    ENTRY + "ld.f32 %f1, [%r1+%r2];": "ptx.syntax@5:18 `%r2` stands where a number is expected",
    ENTRY + "ld.f32 %f1, [%p1|%p2];": "ptx.syntax@5:21 the address `%p1|%p2` is no register, name or whole number",
    ENTRY + "tex.2d.v4.f32.s32 {%f1}, [t, {%r1}];": "ptx.syntax@5:28 `,` stands where `]` is expected",
    ENTRY + "mov.b64 {%r1, x}, %rd1;": "ptx.syntax@5:16 `x` is not expected in a list of operands",
    ENTRY + "mov.b64 {%r1, {%r2}}, %rd1;": "ptx.syntax@5:15 `{` stands where a number is expected",
    ENTRY + "% r1;": "ptx.syntax@5:1 `%` stands where an instruction is expected",
    ENTRY + "$x.f32 %r1;": "ptx.syntax@5:1 `$x.f32` stands where an instruction is expected",
    ENTRY + "@p q: ret;": "ptx.syntax@5:5 `:` stands where an operand is expected",
    ENTRY + ".reg .v2 .f32 x;": "ptx.syntax@5:6 `.v2` stands where a type is expected",
    ENTRY + ".reg .b32 %r1<4>;": "ptx.syntax@5:14 the register class `%r1` ends in a digit, so its registers' names are not told apart",
    ENTRY + ".reg .b32 %r<1048577>;": "ptx.size@5:21 there are more than 1048576 registers `%r`",
    ENTRY + ".reg .b32 %r<2>; .reg .f32 %r;": "ptx.duplicate@5:31 `%r` is declared twice",
    ENTRY + "L: L: ret;": "ptx.duplicate@5:5 `L` is declared twice",
    ENTRY + '.pragma "fast"; ret;': "ptx.syntax@5:9 the pragma `\"fast\"` is not accepted",
    ENTRY + ".callprototype _ (); ret;": "ptx.syntax@5:1 `.callprototype` stands where an instruction or `}` is expected",
    ENTRY + "{" * 64: "ptx.size@5:64 blocks are nested more than 64 deep",
    ENTRY + "ret; } }": "ptx.syntax@5:8 `}` stands where a function or a variable is expected",
    ENTRY + "x" * (MAX_TOKEN + 1): f"ptx.size@5:1 a name or string has {MAX_TOKEN + 1} characters, more than {MAX_TOKEN}",
    HEAD + '.file 1 "' + "x" * MAX_TOKEN: "ptx.syntax@4:9 a string is not closed on its line",
    HEAD + ".section .text { }": "ptx.syntax@4:10 `.text` stands where a debug section is expected",
    HEAD + ".section .debug_info { .b8 1": "ptx.syntax@4:29 the end of the text stands where `}` is expected",
    "x" * (MAX_TEXT + 1): f"ptx.size@0:0 the text has {MAX_TEXT + 1} characters, more than {MAX_TEXT}",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text.removeprefix(HEAD)[:40])
def test_what_is_refused(text: str) -> None:
    assert refused(text) == REFUSED[text]


def test_bytes() -> None:
    assert decode(b"\xc3\xa9", "k.ptx") == "\u00e9"
    with pytest.raises(Rejected, match=r"k\.ptx: the file is not PTX text: byte 1 is not UTF-8 \[ptx\.binary\]"):
        decode(b"a\xff", "k.ptx")


@pytest.mark.parametrize("text", [
    "/*" * (MAX_TEXT // 2), "/" * MAX_TEXT, " " * MAX_TEXT, "\n" * MAX_TEXT, '"' * MAX_TEXT, ENTRY + "{}" * (MAX_TEXT // 3), ENTRY + "{" * (MAX_TEXT - 99),
    ENTRY + "(" * (MAX_TEXT - 99), ENTRY + "a.b" * (MAX_TEXT // 4), ENTRY + "@" * (MAX_TEXT - 99), ENTRY + ";" * (MAX_TEXT - 99),
    ENTRY + "{x:}" * (MAX_TEXT // 5), ENTRY + "{" * 60 + "x:ret;" * 20000, ENTRY + "a b," + "c," * (MAX_TEXT // 3),
], ids=lambda text: text.removeprefix(ENTRY)[:6].encode("unicode_escape").decode())
def test_hostile_texts_do_not_hang(text: str) -> None:
    began = time.process_time()
    assert refused(text)
    assert time.process_time() - began < 4
