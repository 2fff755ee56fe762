"""The corpus of tests/safety: clean kernels pass the gate for all sizes, planted faults are found and never pass."""

from __future__ import annotations

import pytest
from safety_corpus import FOLDER, KINDS, Kernel, corpus, heading, planted
from safety_judged import judge

from devsem.frontend.cuda import parse_kernel

# a few of each kind that take little time
QUICK_CLEAN = ("copy_guard", "float4_multiple", "transpose_square", "one_block_stride", "size_t_index", "block_partial", "block_sum_any", "stencil_halo")
QUICK_FAULTY = (
    "copy_guard: off by one", "copy_guard: last element left", "copy_guard: two threads a cell", "float4_multiple: no promise",
    "float2_pairs: not at a pair", "two_outputs: only where positive", "transpose_square: no barrier", "scan_one_buffer: no barrier after the reads",
    "tile_loop_row: tiles until the thread's end", "stencil_halo: no left halo", "interleave: wrong stride", "matmul_tiled: no zeros",
    "lower_triangle: nothing above",
)
ALL = {k.name: k for k in corpus()}


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    clean = [k for k in ALL.values() if not k.expected]
    assert len(clean) >= 60 and len(ALL) - len(clean) >= 200 and len(ALL) == len(corpus())
    assert frozenset().union(*(k.expected for k in ALL.values())) == KINDS


@pytest.mark.parametrize("file", sorted(p.stem for p in FOLDER.glob("*.cu"))[::8])
def test_headings_name_what_the_kernels_have(file: str) -> None:
    kernel = ALL[file]
    h = heading(kernel.text)
    program = parse_kernel(f"{file}.cu", kernel.text)
    assert set(h.tensors) == {q.name for q in program.params if q.is_buffer}
    assert {q.name for q in program.params if not q.is_buffer and q.sort != "F32"} <= {v.name for v in h.sizes} | set(h.args)


def test_a_fault_changes_one_line_and_no_other() -> None:
    for k in ALL.values():
        if k.expected:
            clean = ALL[k.name.split(":")[0]].text.splitlines()
            assert sum(a != b for a, b in zip(clean, k.text.splitlines(), strict=True)) == 1, k.name


def test_a_fault_of_no_known_kind_is_an_error() -> None:
    with pytest.raises(ValueError):
        list(planted("k", "//: block 1\n//! wrong | rain | //: block 2\n"))


def told(kernel: Kernel, gate_seconds: float, hunt_seconds: float, compiled: bool) -> str:
    found = judge(kernel, gate_seconds=gate_seconds, hunt_seconds=hunt_seconds, compiled=compiled)
    agreed = found.confirmed is None or found.confirmed.result == "agrees"
    return found.wrong or ("" if agreed or found.confirmed is None else found.confirmed.reason)


@pytest.mark.parametrize("name", QUICK_CLEAN)
def test_a_clean_kernel_passes(name: str) -> None:
    assert told(ALL[name], 20.0, 0.3, False) == ""


@pytest.mark.parametrize("name", QUICK_FAULTY)
def test_a_planted_fault_is_found(name: str) -> None:
    assert told(ALL[name], 0.0, 10.0, True) == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, k in ALL.items() if k.expected])
def test_no_planted_fault_passes_and_each_is_found(name: str) -> None:
    assert told(ALL[name], 8.0, 10.0, False) == ""


# what the gate does not decide yet: three quotients of one index, a cell of four dimensions, an array chosen by a round's remainder
UNDECIDED = ("conv2d_channels", "permute_3d", "ping_pong", "rope_pairs")


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, k in ALL.items() if not k.expected])
def test_every_clean_kernel_passes_or_is_known_to_be_open(name: str) -> None:
    assert told(ALL[name], 40.0, 1.0, False) in (("", "open") if name in UNDECIDED else ("",))
