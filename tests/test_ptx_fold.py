"""What constants decide is left out of a PTX function, and nothing else is."""

from __future__ import annotations

import pytest

from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function
from devsem.frontend.ptx_fold import compare, folded
from devsem.frontend.ptx_graph import constants

ONE, NAN, TINY, MINUS_ONE = 0x3F800000, 0x7FC00000, 0x00000001, 0xBF800000
HEAD = """.version 9.0
.target sm_90
.address_size 64
.entry k(.param .u64 o, .param .u32 n) { .reg .pred %p<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [o];
ld.global.f32 %f1, [%rd1];
mov.f32 %f2, 0f3F800000;
"""


def function(text: str) -> Function:
    return parse(HEAD + text + "ret; }", "k.ptx").functions[0]


def fold(text: str) -> list[str]:
    """The folded statements behind the head."""
    f = function(text)
    return [str(s) for s in folded(f, constants(f)).body[3:]]


@pytest.mark.parametrize(("kind", "a", "b", "ftz", "result"), [
    ("lt", MINUS_ONE, ONE, False, True), ("gt", MINUS_ONE, ONE, False, False), ("eq", 0, 0x80000000, False, True), ("neu", ONE, ONE, False, False),
    ("lt", 0, TINY, False, True), ("lt", 0, TINY, True, None), ("eq", NAN, ONE, False, None), ("num", ONE, ONE, False, None),
    ("ge", 0x7F800000, ONE, True, True)])
def test_numbers_are_compared(kind: str, a: int, b: int, ftz: bool, result: bool | None) -> None:
    assert compare(kind, a, b, ftz) is result


def test_a_branch_that_is_never_taken_is_left_out() -> None:
    never = "setp.lt.f32 %p1, %f2, 0f00000000;\n@%p1 bra $L__1;\nst.global.f32 [%rd1], %f2;\n$L__1:\n"
    assert fold(never)[1:] == ["st.global.f32 [%rd1], %f2", "$L__1:", "ret"]


def test_code_that_is_never_reached_is_left_out() -> None:
    always = "setp.gt.f32 %p1, %f2, 0f00000000;\n@%p1 bra $L__1;\nst.global.f32 [%rd1], %f2;\n$L__1:\n"
    assert fold(always)[1:] == ["bra $L__1", "$L__1:", "ret"]


def test_a_selection_is_a_copy() -> None:
    text = "setp.eq.f32 %p1, %f2, 0f40000000;\nsetp.lt.f32 %p2, %f1, %f2;\nand.pred %p3, %p1, %p2;\nselp.f32 %f3, %f1, %f2, %p3;\nst.global.f32 [%rd1], %f3;\n"
    assert "mov.f32 %f3, %f2" in fold(text)


def test_an_input_decides_nothing() -> None:
    text = "setp.lt.f32 %p1, %f1, 0f00000000;\n@%p1 bra $L__1;\nst.global.f32 [%rd1], %f2;\n$L__1:\n"
    assert len(fold(text)) == len(function(text).body) - 3


def test_a_register_of_two_values_is_no_constant() -> None:
    text = ("setp.lt.f32 %p1, %f1, 0f00000000;\n@%p1 bra $L__1;\nmov.f32 %f2, 0f40000000;\n$L__1:\nsetp.lt.f32 %p2, %f2, 0f3FC00000;\n"
            "@%p2 bra $L__2;\nst.global.f32 [%rd1], %f1;\n$L__2:\n")
    assert len(fold(text)) == len(function(text).body) - 3


@pytest.mark.parametrize(("moved", "left"), [
    ("mov.f32 %f3, %f1", False), ("mov.f32 %f3, %f2", True), ("neg.f32 %f3, %f1", True), ("st.global.f32 [%rd1], %f1", True)])
def test_a_branch_over_what_is_done_already_is_left_out(moved: str, left: bool) -> None:
    text = ("setp.lt.f32 %p2, %f2, 0f00000000;\nsetp.lt.f32 %p1, %f1, 0f00000000;\nmov.f32 %f3, %f1;\n"
            f"@%p1 bra $L__1;\n{moved};\n$L__1:\nst.global.f32 [%rd1], %f3;\n")
    assert any("bra" in s for s in fold(text)) is left
