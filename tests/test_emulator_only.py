"""What only the emulator reads, for the probes: doubles and atomic sums, and what of them is still refused."""

from __future__ import annotations

import numpy as np
import pytest

from devsem.emulator import Result, launch
from devsem.errors import Rejected
from devsem.frontend.ptx import parse

HEAD = """.version 9.0 .target sm_90 .address_size 64
.entry k(.param .u64 x) {{ .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .f64 %fd<4>; .shared .align 4 .b8 s[64];
ld.param.u64 %rd1, [x]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, {stride}; add.s64 %rd3, %rd1, %rd2;
{body}
ret; }}"""


def ran(body: str, patterns: list[int], stride: int = 4, grid: int = 1, races: bool = False) -> Result:
    """A launch with a thread for each pattern."""
    function = parse(HEAD.format(body=body, stride=stride), "k.ptx").functions[0]
    return launch(function, [np.array(patterns, np.uint32)], grid, len(patterns), races=races)


ADD = "ld.global.f32 %f1, [%rd3]; {} ;"


@pytest.mark.parametrize(("instruction", "patterns", "after"), [
    # 2^-127 is flushed on both sides of a global sum, and a result of 2^-148 is; a sum of normal numbers is not
    ("atom.global.add.f32 %f2, [%rd3], %f1", [0x00400000, 0x80400000, 0x3F800000], [0, 0x80000000, 0x40000000]),
    ("red.global.add.f32 [%rd3], %f1", [0x00400000, 0x00000001, 0x7FC12345], [0, 0, 0x7FFFFFFF]),
])
def test_a_global_sum_flushes(instruction: str, patterns: list[int], after: list[int]) -> None:
    (found,) = ran(ADD.format(instruction), patterns).memory
    assert found is not None and found.tolist() == after


def test_the_value_before_is_what_an_atom_gives() -> None:
    (found,) = ran(ADD.format("atom.global.add.f32 %f2, [%rd3], %f1; st.global.f32 [%rd3], %f2"), [0x3F800000, 0x00400000]).memory
    assert found is not None and found.tolist() == [0x3F800000, 0x00400000]


@pytest.mark.parametrize(("instruction", "how"), [
    ("atom.global.add.f32 %f2, [%rd3], %f1", {"races": True}),          # a launch of a kernel, not of a probe
    ("atom.global.add.f32 %f2, [%rd3], %f1", {"stride": 0}),            # two threads, one element: the order is not fixed
    ("atom.global.add.f32 %f2, [%rd3], %f1", {"grid": 2}),
    ("atom.global.add.f32 %f2, [%rd3]", {}), ("red.global.max.u32 [%rd3], %r1", {}), ("atom.add.f32 %f2, [%rd3], %f1", {}),
    ("red.global.add.noftz.f16x2 [%rd3], %r1", {}),
])
def test_other_atomics_are_refused(instruction: str, how: dict[str, int]) -> None:
    with pytest.raises(Rejected) as e:
        ran(ADD.format(instruction), [0x3F800000, 0x40000000], **how)  # type: ignore[arg-type]
    assert e.value.rejections[0].code == "ptx.atomic"


def test_doubles_go_there_and_back() -> None:
    """Every Float32 is a double, and comes back; subnormal numbers do not with `.ftz`."""
    patterns = [0x3F800001, 0x00000001, 0x807FFFFF, 0x7F7FFFFF, 0xFF800000, 0x7FC12345]
    there = "ld.global.f32 %f1, [%rd3]; cvt{0}.f64.f32 %fd1, %f1; cvt.rn{0}.f32.f64 %f2, %fd1; st.global.f32 [%rd3], %f2;"
    for ftz, after in (("", [*patterns[:5], 0x7FFFFFFF]), (".ftz", [0x3F800001, 0, 0x80000000, *patterns[3:5], 0x7FFFFFFF])):
        (found,) = ran(there.format(ftz), patterns).memory
        assert found is not None and found.tolist() == after


@pytest.mark.parametrize("instruction", ["add.rn.f64 %fd2, %fd1, %fd1", "cvt.rz.f32.f64 %f1, %fd1", "cvt.rn.sat.f32.f64 %f1, %fd1",
                                         "cvt.rzi.s32.f64 %r1, %fd1"])
def test_other_double_instructions_are_refused(instruction: str) -> None:
    with pytest.raises(Rejected) as e:
        ran(f"ld.global.f32 %f1, [%rd3]; cvt.f64.f32 %fd1, %f1; {instruction};", [0])
    assert e.value.rejections[0].code == "ptx.f64"
