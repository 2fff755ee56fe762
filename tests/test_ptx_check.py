"""What a PTX module must satisfy before a later stage walks it, and that a printed module is the one that was read."""

from __future__ import annotations

import pytest

from devsem.errors import Rejected
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Module
from devsem.frontend.ptx_check import MAX_REPORTED, well_formed
from devsem.frontend.ptx_text import show

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n"
OUTSIDE = ".global .f32 table[2];\n.func (.param .b32 out) f(.param .b32 in);\n"
BODY = ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .param .b32 out0; .shared .b32 tile[4];\n"


def module(body: str) -> Module:
    """A kernel with this body, whose first line is line 8, beside a table and a function."""
    return parse(f"{HEAD}{OUTSIDE}.entry k(.param .u64 a) {{\n{BODY}{body}\n}}", "k.ptx")


def refused(text: Module) -> str:
    """What the module is refused with: code@line:column of each."""
    with pytest.raises(Rejected) as caught:
        well_formed(text)
    return " ".join(f"{r.code}@{r.where.line}:{r.where.column}" for r in caught.value.rejections)


@pytest.mark.parametrize("body", [
    "add.f32 %r1, %r2, 0f3F800000;", "fma.rn.f32 %r1, %r2, %r3, 1;", "min.f32 %r1, %r2, %r3, %r4;", "mov.b64 %rd1, table;", "mov.b64 %rd1, tile;",
    "mov.u32 %r1, %tid.x;", "mov.b64 %rd1, {%r1, %r2};", "mov.b64 {%r1, _}, %rd1;", "mov.pred %p1, %p2;", "mov.u32 %r1, WARP_SZ;", "mov.u64 %rd1, f;",
    "ld.param.u64 %rd1, [a+8];", "ld.shared.f32 %r1, [tile+4];", "ld.global.v2.f32 {%r1, %r2}, [%rd1+-8];", "ld.f32 %r1, [64];",
    "st.global.f32 [%rd1], 0f00000000;",
    "setp.lt.f32 %p1, %r1, %r2;", "setp.lt.and.f32 %p1|%p2, %r1, %r2, !%p3;", "setp.lt.and.f32 %p1|_, %r1, %r2, %p3;", "selp.f32 %r1, %r2, %r3, %p1;",
    "and.pred %p1, %p2, !%p3;", "xor.b32 %r1, %r2, -1;", "not.pred %p1, %p2;", "lop3.b32 %r1, %r2, %r3, %r4, 0xE8;", "cvta.to.global.u64 %rd1, %rd2;",
    "cvta.shared.u64 %rd1, tile;", "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;", "bar.sync 0;", "bar.sync 0, 64;", "vote.sync.any.pred %p1, %p2, -1;",
    "atom.global.add.f32 %r1, [%rd1], %r2;", "red.global.add.f32 [%rd1], %r2;", "call.uni (out0), f, (%r1);",
    "@!%p1 bra L; L: ret;", "unknown.f32 %r1, [%rd1], %p1, {%r1, %r2}, table, !%p2;", "membar.gl;", "@%p1 exit;", "T: .branchtargets L, M; L: ret; M: ret;",
])
def test_what_is_accepted(body: str) -> None:
    read = module(body)
    assert well_formed(read) is read
    assert parse(show(read), "x.ptx") == read


REFUSED = {
    "add.f32 %r1, %r9, %r10;": "ptx.undeclared@8:1 ptx.undeclared@8:1",
    "add.f32 %r1, %r1, %x;": "ptx.undeclared@8:1",
    "add.f32 %r1, %r1, x;": "ptx.undeclared@8:1",
    "add.f32 %r1, %r1, %r01;": "ptx.undeclared@8:1",
    "mov.u32 %r1, %tid;": "ptx.undeclared@8:1",
    "mov.u32 %r1, %tid.w;": "ptx.undeclared@8:1",
    "ld.f32 %r1, [b];": "ptx.undeclared@8:1",
    "@%p4 ret;": "ptx.undeclared@8:1",
    "bra N;": "ptx.undeclared@8:1",
    "call (out0), g, (%r1);": "ptx.undeclared@8:1",
    "@%r1 ret;": "ptx.predicate@8:1",
    "setp.lt.and.f32 %p1|%r1, %r1, %r2, !%r3;": "ptx.predicate@8:1 ptx.predicate@8:1",
    "add.f32 %r1, %r2;": "ptx.operand@8:1",
    "add.f32 %r1, %r2, %r3, %r4;": "ptx.operand@8:1",
    "add.f32 %tid.x, %r2, %r3;": "ptx.operand@8:1",
    "add.f32 1, %r2, %r3;": "ptx.operand@8:1",
    "add.f32 %r1, %p1, %r3;": "ptx.operand@8:1",
    "add.f32 %r1, [%rd1], %r3;": "ptx.operand@8:1",
    "add.f32 {%r1, %r2}, %r3, %r4;": "ptx.operand@8:1",
    "mov.b64 {%r1}, %rd1;": "ptx.operand@8:1",
    "mov.b64 {}, %rd1;": "ptx.operand@8:1",
    "mov.u32 %r1, [%rd1];": "ptx.operand@8:1",
    "ld.f32 %r1, %rd1;": "ptx.operand@8:1",
    "ld.f32 %r1, [%p1];": "ptx.operand@8:1",
    "ld.f32 %r1, [%tid.x];": "ptx.operand@8:1",
    "ld.f32 %r1, [f];": "ptx.operand@8:1",
    "st.f32 %r1, [%rd1];": "ptx.operand@8:1",
    "setp.lt.f32 %r1, %r1, %r2;": "ptx.operand@8:1",
    "selp.f32 %r1, %r2, %r3, %r4;": "ptx.operand@8:1",
    "and.b32 %r1, %p1, %r2;": "ptx.operand@8:1",
    "bra tile;": "ptx.operand@8:1",
    "bra %r1;": "ptx.operand@8:1",
    "L: mov.u64 %rd1, L;": "ptx.operand@8:4",
    "unknown.f32 %r1, (%r2);": "ptx.operand@8:1",
    "unknown.f32 f;": "ptx.operand@8:1",
    "ret 1;": "ptx.operand@8:1",
    "call (out0), f, (out0), a;": "ptx.operand@8:1",
    "call (out0), %rd1, (%r1);": "ptx.indirect@8:1",
    ".reg .f32 %r3;": "ptx.duplicate@6:8",
    ".reg .f32 f;": "ptx.duplicate@6:8",
    "a: ret;": "ptx.duplicate@8:1",
    "table: ret;": "ptx.duplicate@8:1",
    "%r8: ret;": "ptx.duplicate@8:1",
    ".shared .b32 a;": "ptx.duplicate@8:14",
    "bra L, M;\nmov.u32 %r1, %r1, %r1;": "ptx.undeclared@8:1 ptx.undeclared@8:1 ptx.operand@9:1",
}


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_refused(body: str) -> None:
    assert refused(module(body)) == REFUSED[body]


@pytest.mark.parametrize("head, code", [
    (".version 5.0 .target sm_90", "ptx.target"), (".version x .target sm_90", "ptx.target"), (".version 9.0 .target sm_20", "ptx.target"),
    (".version 9.0 .target sm_90x", "ptx.target"), (".version 9.0 .target gfx942", "ptx.target"), (".version 4.3 .target sm_2", "ptx.target ptx.target"),
])
def test_an_unknown_target(head: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        well_formed(parse(head + " .address_size 64 .entry k() { ret; }", "k.ptx"))
    assert [r.code for r in caught.value.rejections] == code.split()


def test_module_names() -> None:
    body = " .address_size 64\n.func f();\n.func f();\n.global .b32 x;\n.func f() { ret; }\n"
    read = parse(".version 9.0 .target sm_90a" + body, "k.ptx")
    assert well_formed(read) is read
    for wrong in (".entry x() { ret; }", ".entry f() { ret; }", ".const .b32 x;", ".func x();"):
        assert refused(parse(".version 9.0 .target sm_90a" + body + wrong, "k.ptx")).split("@")[0] == "ptx.duplicate"


def test_few_refusals_are_reported_of_many() -> None:
    assert len(refused(module("bra x;\n" * 1000)).split()) == MAX_REPORTED


def test_a_printed_module() -> None:
    text = """.version 8.8
.target sm_100a
.address_size 64
.global .align 1 .b8 text[3] = {1, -2, 3};
.const .f32 one = 0f3F800000;
.const .f64 two[2] = {0d4000000000000000};
.extern .shared .align 16 .b8 dynamic[];
.extern .func (
    .param .b32 out
) g(
    .param .b64 in
);
.func f();
.func (
    .param .align 8 .b8 out[16]
) f()
.noreturn
{
    ret;
}
.visible .entry k(
    .param .u64 a,
    .param .align 4 .b8 b[12]
)
.maxntid 256, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 t;
    .shared .align 4 .f32 tile[8];
L:
    @!%p1 bra.uni L;
    ld.global.nc.L2::128B.v2.f32 {t, _}, [a+-4];
    setp.lt.and.f32 %p1|_, t, 0f3F800000, !%p0;
    call (tile), f, (a, -1, t);
    bar.sync 0;
}
"""
    assert show(parse(text, "k.ptx")) == text
