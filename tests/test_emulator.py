"""The emulator against kernels whose results numpy computes apart, in the same order of Float32 operations; and what kernels do wrong, found and named."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from devsem.emulator import Argument, Result, launch
from devsem.emulator_fault import Fault
from devsem.errors import Rejected, UsageError
from devsem.frontend.nvrtc import compile_device
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function

Array = npt.NDArray[Any]
Size = int | tuple[int, ...]
SOURCE = Path(__file__).resolve().with_name("emulated.cu")
F = np.float32
DRAW = np.random.default_rng(20261129)


@cache
def kernels() -> dict[str, Function]:
    """tests/emulated.cu, compiled once."""
    made = compile_device(SOURCE.read_text(encoding="utf-8"), file="emulated.cu", arch="sm_90", options=())
    return {f.name: f for f in parse(made.ptx, "emulated.ptx").functions}


def ran(name: str, arguments: list[Argument], grid: Size, block: Size, **options: Any) -> Result:
    return launch(kernels()[name], arguments, grid, block, **options)


def left(name: str, arguments: list[Argument], grid: Size, block: Size, position: int) -> Array:
    """The buffer of one argument after a launch without a fault."""
    result = ran(name, arguments, grid, block)
    assert result.fault is None, str(result.fault)
    found = result.memory[position]
    assert found is not None
    return found


def numbers(*shape: int) -> Array:
    """Ordinary numbers of several magnitudes, whose sums depend on their order."""
    return (DRAW.standard_normal(shape) * 2.0 ** DRAW.integers(-6, 7, shape)).astype(F)


def same(a: Array, b: Array) -> bool:
    """Bit by bit."""
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


# --- what kernels compute ---


@pytest.mark.parametrize("n", [1, 31, 33, 1000])
def test_a_size_that_is_no_multiple_of_the_block(n: int) -> None:
    x, y = numbers(n), np.full(n, 7, F)
    assert same(left("affine", [x, y, 1.5, -0.1, n], (n + 31) // 32, 32, 1), x * F(1.5) + F(-0.1))


def test_arguments_stay_and_inactive_threads_write_nothing() -> None:
    x, y = numbers(10), np.full(10, 7, F)
    got = left("affine", [x, y, 1.0, 0.0, 4], 1, 10, 1)
    assert same(got, np.concatenate([x[:4], np.full(6, 7, F)])) and (y == 7).all()


def test_special_values_and_the_nan_of_arithmetic() -> None:
    x = np.array([0x7FC12345, 0xFF800001, 0x7F800000, 0xFF800000, 0x80000000, 0x00000001, 0x7F7FFFFF], np.uint32)
    got = left("affine", [x.view(F), np.zeros(7, F), 2.0, 0.0, 7], 1, 32, 1).view(np.uint32)
    assert got.tolist() == [0x7FFFFFFF, 0x7FFFFFFF, 0x7F800000, 0xFF800000, 0, 2, 0x7F800000]


@pytest.mark.parametrize("n", [1, 5, 70])
def test_vector_loads_and_stores(n: int) -> None:
    x = numbers(n, 4)
    want = x[:, ::-1] + np.array([1, 2, 3, 4], F)
    assert same(left("vectors", [x, np.zeros((n, 4), F), n], (n + 31) // 32, 32, 1), np.ascontiguousarray(want))


@pytest.mark.parametrize("n", [1, 64, 700])
def test_shared_memory_and_barriers(n: int) -> None:
    x, count = numbers(n), (n + 63) // 64
    part = np.zeros(count * 64, F)
    part[:n] = x
    part = part.reshape(count, 64)
    while part.shape[1] > 1:
        half = part.shape[1] // 2
        part = part[:, :half] + part[:, half:]
    assert same(left("block_sum", [x, np.zeros(count, F), n], count, 64, 1), part[:, 0])


def test_blocks_that_pass_another_number_of_barriers() -> None:
    x = numbers(4, 8)
    want = []
    for block, v in enumerate(x):
        for _ in range(block + 1):
            v = v + v[np.arange(8) ^ 1]
        want.append(v)
    assert same(left("uneven", [x, np.zeros((4, 8), F)], 4, 8, 1), np.array(want))


@pytest.mark.parametrize("n", [1, 4, 11])
def test_a_tiled_product_of_matrices(n: int) -> None:
    a, b = numbers(n, n), numbers(n, n)
    want = np.zeros((n, n), F)
    for k in range(n):
        want = want + a[:, k:k + 1] * b[k:k + 1, :]
    tiles = (n + 3) // 4
    assert same(left("product", [a, b, np.zeros((n, n), F), n], (tiles, tiles), (4, 4), 2), want)


def test_loops_within_loops_with_break_and_continue() -> None:
    n, threads, limit = 6, 64, F(2.0)
    x = (DRAW.standard_normal((threads, n, n)) + 0.2).astype(F)

    def found(rows: Array) -> int:
        for r, row in enumerate(rows):
            s = F(0)
            for v in row:
                if v < 0:
                    continue
                if v > limit:
                    break
                s = s + v
            if s > limit:
                return r
        return -1
    want = np.array([found(rows) for rows in x], np.int32)
    assert len(set(want.tolist())) > 4
    assert same(left("search", [x, np.zeros(threads, np.int32), n, float(limit)], 2, 32, 1), want)


def test_loops_of_another_length_in_each_thread() -> None:
    def steps(v: int) -> int:
        return 0 if v == 1 else 1 + steps(3 * v + 1 if v & 1 else v // 2)
    x = np.arange(1, 97, dtype=np.int32)
    assert left("collatz", [x, np.zeros(96, np.int32)], 3, 32, 1).tolist() == [steps(v) for v in x.tolist()]


def test_branches_within_branches_and_an_early_return() -> None:
    x = np.array([-3, -0.5, -0.25, 0.5, 3, np.nan, -0.0, -1] * 5, F)

    def one(i: int, v: F) -> F:
        if v < 0:
            return F(-1) if v < -1 else v + v if i & 1 else v + F(10)
        return F(1) if v > 1 else v
    want = np.array([one(i, v) for i, v in enumerate(x)], F)
    assert same(left("nested", [x, np.zeros(40, F), 40], 2, 32, 1), want)


def test_a_local_array() -> None:
    x, by = numbers(9, 7), 3
    want = np.array([[x[i, (k * by + i) % 4] for k in range(7)] for i in range(9)], F)
    assert same(left("rotate", [x, np.zeros((9, 7), F), by], 3, 3, 1), want)


def test_every_axis_of_grid_and_block() -> None:
    grid, block = (3, 2, 2), (4, 3, 2)
    want = [x + 10 * y + 100 * z + 1000 * bx + 10000 * by + 100000 * bz
            for bz in range(2) for by in range(2) for bx in range(3) for z in range(2) for y in range(3) for x in range(4)]
    assert left("places", [np.zeros(len(want), np.int32)], grid, block, 0).tolist() == want


def test_indices_of_64_bits_that_wrap_around() -> None:
    x, shift = numbers(64), 1 << 41
    want = x[[((i + shift) * 3000000019) % (1 << 32) & 63 for i in range(70)]]
    assert same(left("wide", [x, np.zeros(70, F), shift, 64], 7, 10, 1), want)


# --- warps ---


@pytest.mark.parametrize("n", [1, 40, 64])
def test_a_sum_over_a_warp(n: int) -> None:
    """In the order of __shfl_xor_sync: sums of sums of neighbours at distance 16, 8, 4, 2, 1."""
    x = numbers(n)
    s = np.concatenate([x, np.zeros(64 - n, F)]).reshape(2, 32)
    for d in (16, 8, 4, 2, 1):
        s = s + s[:, np.arange(32) ^ d]
    assert same(left("warp_sum", [x, np.zeros(n, F), n], 1, 64, 1), s.reshape(-1)[:n])


def test_every_shuffle() -> None:
    x = DRAW.integers(0, 1000, 64).astype(np.int32)
    want = [[x[t - 3] if t % 32 >= 3 else x[t], x[t + 5] if t % 8 + 5 < 8 else x[t], x[t // 16 * 16 + 3], x[t ^ 9]] for t in range(64)]
    assert left("shuffles", [x, np.zeros(256, np.int32)], 1, 64, 1).tolist() == np.ravel(want).tolist()


def test_every_vote() -> None:
    x = np.concatenate([numbers(32), np.ones(32, F), -np.ones(32, F), [F(1)] + [F(-1)] * 7])
    def votes(warp: Array) -> list[int]:
        yes = warp > 0
        bits = sum(1 << k for k in np.flatnonzero(yes).tolist())
        return [bits - (bits >> 31 << 32), int(yes.any()), int(yes.all()), int(yes.all() or not yes.any())]
    want = [votes(x[t // 32 * 32:t // 32 * 32 + 32]) for t in range(104)]
    assert left("votes", [x, np.zeros(416, np.int32)], 1, 104, 1).tolist() == np.ravel(want).tolist()


def test_threads_that_ended_are_not_waited_for() -> None:
    x = numbers(32)
    assert same(left("half_warp", [x, np.zeros(32, F), 16], 1, 32, 1)[:16], x[np.arange(16) ^ 1])


# --- what kernels do wrong ---

FAULTS: tuple[tuple[str, list[Argument], Size, Size, str, tuple[int, int], str], ...] = (
    # a guard of `<=`: thread 1 of block 1 is the first of its kind
    ("late_guard", [np.zeros(33, F), np.zeros(33, F), 33], 2, 32, "out of bounds", (1, 1),
     "reads 4 bytes of `late_guard_param_0`, which has 132 (at byte 132)"),
    ("negative", [np.zeros(32, F), np.zeros(32, F)], 1, 32, "out of bounds", (0, 0), "reads 4 bytes of `negative_param_0`, which has 128 (at byte -8)"),
    ("crooked", [np.zeros(8, F), np.zeros(64, F)], 1, 32, "misaligned", (0, 1), "writes 16 bytes of `crooked_param_1` at once (at byte 4)"),
    ("two_writers", [np.arange(32, dtype=F), np.zeros(16, F)], 1, 32, "race", (0, 0), "another value than another thread"),
    ("neighbours", [numbers(64), np.zeros(64, F)], 1, 64, "race", (0, 0), "reads shared memory where another thread writes"),
    ("reused", [numbers(64), np.zeros(64, F)], 1, 64, "race", (0, 0), "writes shared memory where another thread reads"),
    ("blocks_meet", [np.zeros(65, F)], 3, 1, "race", (0, 0), "reads `blocks_meet_param_0` where another thread writes"),
    ("unset", [np.zeros(64, F)], 1, 64, "uninitialised", (0, 5), "reads 4 bytes of shared memory that nothing wrote (at byte 20)"),
    ("torn", [numbers(64), np.zeros(64, F)], 2, 64, "divergent barrier", (0, 0), "with 40 of its block's 64 threads: thread (40, 0, 0) is not there"),
    ("left_early", [numbers(64), np.zeros(64, F), 63], 1, 64, "divergent barrier", (0, 0), "with 63 of its block's 64 threads: thread (63, 0, 0) is not there"),
    ("half_warp", [numbers(32), np.zeros(32, F), 17], 1, 32, "absent thread", (0, 16), "reads a register of lane 17 of its warp, which is not there"),
    ("torn_warp", [numbers(32), np.zeros(32, F), 16], 1, 32, "absent thread", (0, 16), "exchanges registers with lane 0 of its warp, which is not there"),
    ("endless", [np.zeros(1, F), np.zeros(4, F)], 1, 4, "step limit", (0, 0), "is not done after 5000 instructions"),
)


@pytest.mark.parametrize(("name", "arguments", "grid", "block", "kind", "who", "what"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_is_found_and_named(name: str, arguments: list[Argument], grid: Size, block: Size, kind: str, who: tuple[int, int], what: str) -> None:
    fault = ran(name, arguments, grid, block, limit=5000).fault
    assert isinstance(fault, Fault) and fault.kind == kind, fault
    assert (fault.block[0], fault.thread[0]) == who and what in fault.what, str(fault)
    assert fault.where.file == "emulated.ptx" and fault.where.line > 1


@pytest.mark.parametrize(("name", "arguments", "grid", "block"), [
    ("late_guard", [np.zeros(33, F), np.zeros(33, F), 32], 2, 32), ("unset", [np.zeros(64, F)], 1, 5),
    ("left_early", [numbers(64), np.zeros(64, F), 64], 1, 64),
    ("two_writers", [np.ones(32, F), np.zeros(16, F)], 1, 32), ("endless", [np.ones(1, F), np.zeros(4, F)], 1, 4), ("blocks_meet", [np.zeros(65, F)], 1, 1),
])
def test_the_same_kernels_without_the_fault(name: str, arguments: list[Argument], grid: Size, block: Size) -> None:
    assert ran(name, arguments, grid, block, limit=5000).fault is None


def test_races_may_be_left_alone() -> None:
    result = ran("two_writers", [np.arange(32, dtype=F), np.zeros(16, F)], 1, 32, races=False)
    assert result.fault is None and result.memory[1] is not None and (result.memory[1] >= 2 * np.arange(16)).all()


def test_what_is_not_understood_is_refused_by_name() -> None:
    with pytest.raises(Rejected, match=r"emulated.ptx:\d+:\d+: the atomic operation `atom.global.add.f32`"):
        ran("total", [np.zeros(4, F), np.zeros(1, F)], 1, 4)


@pytest.mark.parametrize(("arguments", "grid", "block", "what"), [
    ([np.zeros(4, F)], 1, 4, "has 5 parameters, and 1 arguments are given"),
    ([np.zeros(4, F), np.zeros(4, F), np.zeros(4, F), 0.0, 4], 1, 4, "argument 3 of affine is an array"),
    ([np.zeros(4, F), np.zeros(4, F), 1, 0.0, 4], 1, 4, "argument 3 of affine is 1, which is no .f32"),
    ([np.zeros(4, F), np.zeros(4, F), 1.0, 0.0, 4.5], 1, 4, "argument 5 of affine is 4.5, which is no .u32"),
    ([np.zeros(4, F), np.zeros(4, F), 1.0, 0.0, 4], 0, 4, "a grid has one to three positive sizes"),
    ([np.zeros(4, F), np.zeros(4, F), 1.0, 0.0, 4], 1, (64, 64), "a block has at most 1024 threads, not 4096"),
])
def test_a_launch_that_cannot_be(arguments: list[Argument], grid: Size, block: Size, what: str) -> None:
    with pytest.raises(UsageError, match=what):
        ran("affine", arguments, grid, block)


def test_the_speed(capsys: pytest.CaptureFixture[str]) -> None:
    n = 1 << 17
    x = numbers(n)
    runs: tuple[tuple[str, Callable[[], Result]], ...] = (
        ("affine", lambda: ran("affine", [x, np.zeros(n, F), 1.5, 0.5, n], n // 256, 256)),
        ("block_sum", lambda: ran("block_sum", [x, np.zeros(n // 64, F), n], n // 64, 64)),
    )
    for name, run in runs:
        began = time.process_time()
        result = run()
        taken = time.process_time() - began
        assert result.fault is None
        with capsys.disabled():
            print(f"\n{name}: {result.executed} instructions of threads in {taken:.2f} s: {result.executed / taken / 1e6:.1f} million a second")
        assert result.executed / taken > 1e6
