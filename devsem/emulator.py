"""Runs a compiled kernel's whole launch on concrete inputs: exact, all threads, real buffers. No device is needed, and none is asked.

What an instruction computes is `ptx_meaning.py`'s table; `Behaviour` says what is assumed where PTX leaves bits open (DOCUMENTED: a NaN that
arithmetic, `neg` and `abs` included, gives is 0x7fffffff; moves, selections, loads and stores keep every bit). Approximate
instructions are, unless `functions` gives others, the real functions rounded: no device's values, and the result's `notes` say so.
`add`, `sub` and `mul` without `.rn`, which ptxas may fuse, are taken as they stand: give the function that `ptxas.machine` predicts.

Blocks run side by side in lockstep. An instruction that is not known is refused (Rejected) when a thread comes to it; what a kernel
does wrong is a `Fault` in the result, the first one, with the memory as it then is.

>>> from devsem.frontend.ptx import parse
>>> text = '''.version 9.0 .target sm_90 .address_size 64
... .entry k(.param .u64 x, .param .f32 a) { .reg .b64 %rd<4>; .reg .b32 %r<4>;
... ld.param.u64 %rd1, [x]; ld.param.f32 %r1, [a]; mov.u32 %r2, %tid.x; mul.wide.u32 %rd2, %r2, 4; add.s64 %rd3, %rd1, %rd2;
... ld.global.f32 %r3, [%rd3]; mul.rn.f32 %r3, %r3, %r1; st.global.f32 [%rd3], %r3; ret; }'''
>>> k = parse(text, "k.ptx").functions[0]
>>> print(launch(k, [np.array([1, 2, 3], np.float32), 0.5], grid=1, block=3).memory[0])
[0.5 1.  1.5]
>>> print(launch(k, [np.array([1, 2, 3], np.float32), 0.5], grid=1, block=4).fault)
k.ptx:4:1: out of bounds: thread (3, 0, 0) of block (0, 0, 0) reads 4 bytes of `x`, which has 12 (at byte 12)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.behaviour import DOCUMENTED, Behaviour
from devsem.emulator_fault import Fault, Stop, Three
from devsem.emulator_memory import FIRST, LOCAL, OUTSIDE, SHARED, UNSET, Memory, Region, address_of, parted, region
from devsem.emulator_run import Layout, Run
from devsem.emulator_state import State, along
from devsem.emulator_words import Functions, Template
from devsem.errors import Rejected, UsageError
from devsem.frontend.ptx_ast import Address, Function, Instruction, Symbol, Variable
from devsem.frontend.ptx_cfg import blocks
from devsem.rejections import rejection

Array = npt.NDArray[Any]
Argument = npt.NDArray[Any] | np.generic | int | float | bytes
SIDE_BY_SIDE = 1 << 15      # threads, at least one block
MOST_THREADS = 1024         # of a block [Q:CPG 20, table of compute capabilities]
# our own, above what devices have of shared and constant memory
MOST_BYTES = {"shared": 1 << 18, "local": 1 << 16, "global": 1 << 26, "const": 1 << 16}      # of a block's, a thread's, or one array's memory
AT_ONCE = 1 << 28           # bytes of shared and local memory of the blocks side by side
GAP = 64                    # bytes between two arrays of shared or local memory, which belong to none


@dataclass(frozen=True)
class Result:
    """What a launch left: each argument's buffer (None for a scalar), in the order, shape and type given; the first fault; instructions one
    after another, and times threads; what was assumed."""

    memory: tuple[Array | None, ...]
    fault: Fault | None
    steps: int
    executed: int
    notes: tuple[str, ...]


def launch(function: Function, arguments: Sequence[Argument], grid: int | Sequence[int], block: int | Sequence[int], *, shared_bytes: int = 0,
           variables: Sequence[Variable] = (), functions: Functions | None = None, behaviour: Behaviour = DOCUMENTED, races: bool = True,
           limit: int = 1_000_000) -> Result:
    """Run a kernel. An argument is an array (a buffer of its extent, which is copied), a number, or a structure's bytes.

    `shared_bytes`: dynamic shared memory. `variables`: the module's arrays outside functions. `functions` gives rows such as
    `D.ex2_approx` other values. `races` looks for accesses of several threads to one cell. `limit`: instructions one after another.
    Raises Rejected for an instruction outside the table, UsageError for arguments or sizes that the kernel cannot be launched with.
    """
    shape, threads = _three(grid, "grid"), _three(block, "block")
    size = threads[0] * threads[1] * threads[2]
    if size > MOST_THREADS:
        raise UsageError(f"a block has at most {MOST_THREADS} threads, not {size}")
    graph = blocks(function)
    grain = _grain(function) if races else None
    regions, params = _buffers(function, arguments, grain)
    used = [*function.variables, *(v for v in variables if v.name in _mentioned(function))]
    outside = [v for v in used if v.space in ("global", "const")]
    first = FIRST + len(regions)
    symbols = {v.name: (v.space, address_of(first + k)) for k, v in enumerate(outside)}
    memory = Memory([*(r for r in regions), *(region(f"`{v.name}`", v.space, _initial(v), grain) for v in outside)])
    shared, local = (_laid_out([v for v in used if v.space == space], shared_bytes, symbols) for space in ("shared", "local"))
    templates: dict[Any, Template] = {}
    notes: set[str] = set()
    steps = executed = 0
    fault = None
    total = shape[0] * shape[1] * shape[2]
    together = max(min(SIDE_BY_SIDE // size, AT_ONCE // (len(shared) + len(local) * size)), 1)
    for begin in range(0, total, together):
        state = State(function, shape, threads, begin, min(together, total - begin))
        memory.regions[SHARED], memory.regions[LOCAL] = parted("shared", shared, state.rows, grain), parted("local", local, state.count, None)
        run = Run(graph, Layout(params, symbols), memory, state, behaviour, functions or {}, limit, templates)
        try:
            run.run()
        except Stop as stop:
            fault = _fault(run, stop)
        steps, executed = steps + run.steps, executed + run.executed
        notes |= {f"{row[2:]} is the real function, rounded: no device's values" for row in run.approximate if row not in (functions or {})}
        if fault is not None:
            break
    results = iter(regions)
    left = tuple(_back(next(results), a) if isinstance(a, np.ndarray) else None for a in arguments)
    return Result(left, fault, steps, executed, tuple(sorted(notes)))


def _three(given: int | Sequence[int], what: str) -> Three:
    sizes = (given,) if isinstance(given, int) else tuple(given)
    if not 1 <= len(sizes) <= 3 or any(n < 1 for n in sizes):
        raise UsageError(f"a {what} has one to three positive sizes, not {given}")
    x, y, z = (*sizes, 1, 1)[:3]
    return int(x), int(y), int(z)


def _fault(run: Run, stop: Stop) -> Fault:
    """The fault with its place and thread."""
    if run.at is None:
        raise stop
    i, lanes = run.at
    place = stop.lane if lanes.index is None else int(lanes.index[stop.lane])
    state = run.state
    block, thread = _point(int(state.who.blocks[place]), state.grid), _point(place % state.size, state.block)
    return Fault(stop.kind, i.where, block, thread, stop.what, stop.buffer, stop.offset)


def _point(number: int, shape: Three) -> Three:
    x, y, z = (int(c[0]) for c in along(np.array([number]), shape))
    return x, y, z


# --- arguments and arrays ---


def _buffers(function: Function, arguments: Sequence[Argument], grain: int | None) -> tuple[list[Region], dict[str, bytes]]:
    """The buffers, and every parameter's bytes."""
    if len(arguments) != len(function.params):
        raise UsageError(f"{function.name} has {len(function.params)} parameters, and {len(arguments)} arguments are given")
    found: list[Region] = []
    params: dict[str, bytes] = {}
    for position, (param, given) in enumerate(zip(function.params, arguments, strict=True)):
        size = int(param.type[1:]) // 8 if re.fullmatch(r"[busf](8|16|32|64)", param.type) else 0
        if isinstance(given, np.ndarray):
            if size != 8 or param.type[0] == "f" or param.count != 1:
                raise UsageError(f"argument {position + 1} of {function.name} is an array, its parameter a .{param.type}")
            params[param.name] = address_of(FIRST + len(found)).to_bytes(8, "little")
            found.append(region(f"`{param.name}`", "global", given.tobytes(), grain))
        else:
            params[param.name] = _scalar(param, size, given, f"argument {position + 1} of {function.name}")
    return found, params


def _scalar(param: Variable, size: int, given: Any, what: str) -> bytes:
    """A number's bytes: a Python float as Float32; a whole number modulo its width."""
    if isinstance(given, bytes):
        if len(given) != size * param.count:
            raise UsageError(f"{what} has {len(given)} bytes, its parameter {size * param.count}")
        return given
    floating = isinstance(given, float | np.floating)
    if param.count != 1 or not size or (floating and (size != 4 or param.type[0] in "us")) or (param.type[0] == "f" and not floating):
        raise UsageError(f"{what} is {given!r}, which is no .{param.type}")
    return np.float32(given).tobytes() if floating else (int(given) % (1 << 8 * size)).to_bytes(size, "little")


def _back(found: Region, given: Array) -> Array:
    return np.frombuffer(found.data[:found.extent].tobytes(), given.dtype).reshape(given.shape).copy()


def _grain(function: Function) -> int:
    """The smallest word that the function loads or stores, 4 bytes at most: the races' unit."""
    sizes = [int(m[1]) // 8 for i in function.instructions() if i.opcode in ("ld", "st") and "param" not in i.modifiers
             and (m := re.fullmatch(r"[busf](8|16|32|64)", i.modifiers[-1]))]
    return min([4, *sizes])


def _mentioned(function: Function) -> set[str]:
    def names(i: Instruction) -> list[str]:
        parts = [o.base if isinstance(o, Address) else o for o in i.operands]
        return [p.name for p in parts if isinstance(p, Symbol)]
    return {name for i in function.instructions() for name in names(i)}


def _bytes_of(v: Variable) -> int:
    m = re.fullmatch(r"[busf](8|16|32|64)", v.type)
    if m is None:
        raise Rejected(rejection("ptx.address", v.where, name=v.name))
    return int(m[1]) // 8


def _limited(v: Variable, size: int) -> None:
    """Refuses more memory than is set aside for its space."""
    if size > MOST_BYTES[v.space]:
        raise Rejected(rejection("ptx.size", v.where, what=f"`{v.name}` needs {size} bytes of {v.space} memory, more than {MOST_BYTES[v.space]}"))


def _initial(v: Variable) -> bytes:
    size = _bytes_of(v)
    _limited(v, size * v.count)
    data = [x % (1 << 8 * size) for x in (*v.data, *[0] * (v.count - len(v.data)))]
    return b"".join(x.to_bytes(size, "little") for x in data)


def _laid_out(found: Sequence[Variable], dynamic: int, symbols: dict[str, tuple[str, int]]) -> Array:
    """The bytes of one block's or thread's arrays, apart from each other; last the one place of those whose size the launch gives."""
    end = 0
    parts: list[tuple[int, int]] = []
    fixed, open_ = [v for v in found if v.count], [v for v in found if not v.count]
    for group in (*([v] for v in fixed), open_):
        unit = max([16, *(max(v.align, _bytes_of(v)) for v in group)])
        begin = -(-end // unit) * unit
        symbols.update({v.name: (v.space, begin) for v in group})
        parts.append((begin, sum(_bytes_of(v) * v.count for v in group) or (dynamic if group else 0)))
        end = sum(parts[-1]) + GAP
        for v in group:
            _limited(v, end)
    layout = np.full(end, OUTSIDE, np.uint8)
    for begin, size in parts:
        layout[begin:begin + size] = UNSET
    return layout
