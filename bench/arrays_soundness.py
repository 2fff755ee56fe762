"""What we read in random kernels against what the compiler makes of them: `python bench/arrays_soundness.py 1000 --first 0`.

Each kernel (`arrays_draw.py`) is run in its launch by `threads.run`, whose final memory, lowered for the flags, is evaluated on random and
special inputs; and compiled by NVRTC for sm_90, with ptxas' choices as predicted, and run by the PTX emulator. The two must agree at every
cell, bit for bit, NaNs as one; where our reading leaves choices open, one of them must agree on all inputs. Where contraction is in doubt
(`Outcome.doubts`), nothing is decided, and nothing compared. A difference stops nothing; it is printed with the kernel's number.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent))

from arrays_draw import INPUTS, Drawn, draw

from devsem import ranges, threads
from devsem.cells_fused import anyway
from devsem.emulator import launch
from devsem.errors import Rejected
from devsem.evaluate import canonical, evaluate
from devsem.expr import Expr, const, const_bool, const_int, mk, show, substitute, topo, var
from devsem.frontend.cuda import translate
from devsem.frontend.cuda_source import read
from devsem.frontend.mangled import entry_name
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Module
from devsem.frontend.ptxas import machine
from devsem.instance import Extent, Instance, element
from devsem.libm import nominal
from devsem.lower import Sites, lower, prepare
from devsem.ops import B32, F32, LIBM1, LIBM2, OPS
from devsem.profile import Profile, load_open
from devsem.program import Program
from devsem.simplify import resimplify
from devsem.symbolic import run as run_symbolic
from devsem.unroll import plain

Array = npt.NDArray[Any]
FLAGS = ("", "-fmad=false", "-ftz=true", "-use_fast_math", "-fmad=false -ftz=true")
MOST_CHOICES = 5
SETS = 6
LIBRARY = re.compile(rf"D\.({'|'.join(sorted((*LIBM1, *LIBM2), key=len, reverse=True))})(_ftz)?(_add|_rsub)?")
PLAIN = np.array([0x3F800000, 0x40000000, 0xBF800000, 0x3F000000, 0], np.uint32)
SPECIAL = np.array([0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F7FFFFF, 0x3F7FFFFF, 0x3F800001,
                    0x4F000000, 0xCF000000, 0x4EFFFFFF, 0x4B800001, 0x33800000, 0x1FFFFFFF, 0x20000000, 0x5F800000, 0x3EAAAAAB], np.uint32)


def inputs(number: int, sets: int, count: int) -> Array:
    """`sets` rows of `count` patterns: numbers around 1, whole numbers, numbers of any size, special ones among ordinary ones."""
    rng = np.random.default_rng([number, sets, count])
    shape = (sets, count)
    middling = rng.integers(0x3D000000, 0x42000000, shape, np.uint32) | rng.integers(0, 2, shape, np.uint32) << np.uint32(31)
    out = middling
    for k in range(sets):
        if k % 3 == 1:
            out[k] = np.where(rng.random(count) < 0.4, rng.choice(SPECIAL, count), np.where(rng.random(count) < 0.2, rng.choice(PLAIN, count), middling[k]))
        if k % 6 == 5:
            out[k] = rng.integers(0, 1 << 32, count, np.uint32)
        if k % 6 == 2:
            out[k] = rng.integers(0, 0x01800000, count, np.uint32) | rng.integers(0, 2, count, np.uint32) << np.uint32(31)
    return out


@dataclass(frozen=True)
class Question:
    """A kernel in a launch: its text, the float buffers with their sizes, of which the last is written, and the scalars, the last a float."""

    number: int
    name: str
    text: str
    buffers: Mapping[str, int]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    integers: Mapping[str, int]
    floats: tuple[str, ...] = ("s",)
    approximate: bool = False
    shared_bytes: int = 0

    @property
    def instance(self) -> Instance:
        """The launch; every buffer is an input, too."""
        return Instance(self.grid, self.block, self.shared_bytes, {name: Extent(name, n, "input") for name, n in self.buffers.items()},
                        {**self.integers, **{f: var(f, F32) for f in self.floats}})

    @cached_property
    def given(self) -> Array:
        """The inputs: sets by cells, then float scalars."""
        return inputs(self.number, SETS, sum(self.buffers.values()) + len(self.floats))

    def env(self) -> dict[Expr, Array]:
        """The same by variables."""
        names = [element(name, i) for name, n in self.buffers.items() for i in range(n)] + [var(f, F32) for f in self.floats]
        return {v: self.given[:, k] for k, v in enumerate(names)}


def question(d: Drawn) -> Question:
    """A drawn kernel as a question."""
    return Question(d.number, f"k{d.number}", d.text, {**INPUTS, "y": d.each * d.threads}, (d.grid, 1, 1), (d.block, 1, 1),
                    {"n": d.threads, "m": d.m, "u": d.u}, approximate=d.approximate)


class Library(Mapping[str, Callable[..., Array]]):
    """The device's functions for `evaluate`: those of the math library by their own compiled code, run by the emulator, all others nominal."""

    def __init__(self, flags: str) -> None:
        self.flags = flags
        self.known: dict[str, Callable[..., Array]] = {}

    def __iter__(self) -> Iterator[str]:
        return (name for name, op in OPS.items() if op.kind == "obligation")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, row: str) -> Callable[..., Array]:
        if row not in self.known:
            self.known[row] = self._compiled(row) if LIBRARY.fullmatch(row) else nominal(row)
        return self.known[row]

    def _compiled(self, row: str) -> Callable[..., Array]:
        found = LIBRARY.fullmatch(row)
        assert found is not None
        name, _, end = found.groups()
        params = ["a", *(["b"] if name in LIBM2 else []), *(["c"] if end else [])]
        call = f"{name}({', '.join(f'{p}[i]' for p in params if p != 'c')})"
        value = {None: call, "_add": f"{call} + c[i]", "_rsub": f"c[i] - {call}"}[end]
        text = f"__global__ void f({', '.join(f'const float* {p}' for p in params)}, float* y) {{ int i = blockIdx.x * 32 + threadIdx.x; y[i] = {value}; }}"
        made = compiled(text, self.flags)
        function = machine(made.functions[0], arch="sm_90", fmad=contracts(self.flags)).function

        def run(*args: Array) -> Array:
            whole = np.broadcast_arrays(*args)
            size = whole[0].size
            blocks = -(-size // 32)
            buffers = [np.pad(np.ascontiguousarray(a).reshape(-1), (0, 32 * blocks - size)) for a in whole]
            done = launch(function, [*buffers, np.zeros(32 * blocks, np.uint32)], blocks, 32, variables=made.variables, races=False)
            left = done.memory[-1]
            assert done.fault is None and left is not None, done.fault
            return canonical(left[:size].reshape(whole[0].shape))
        return run


LIBRARIES: dict[str, Library] = {flags: Library(flags) for flags in FLAGS}


def contracts(flags: str) -> bool:
    """Does ptxas contract under these flags?"""
    return "-fmad=false" not in flags


def compiled(text: str, flags: str) -> Module:
    """What NVRTC makes of a text for sm_90."""
    return parse(compile_device(text, file="k.cu", arch="sm_90", options=nvrtc_options(flags)).ptx, "k.cu.ptx")


@dataclass(frozen=True)
class Compared:
    """`result`: "equal", "differs", or why nothing was compared; `detail` names the cell and inputs of a difference."""

    result: str
    detail: str = ""


def expected(q: Question, module: Module, flags: str) -> Array | Compared:
    """The written buffer after the compiled kernel ran, for each set of inputs."""
    name = entry_name((f.name for f in module.functions if f.body), q.name)
    made = machine(next(f for f in module.functions if f.name == name), arch="sm_90", fmad=contracts(flags))
    if made.limits:
        return Compared("skipped: ptxas' choices are not all known")
    out = []
    for row in q.given:
        arguments: list[Any] = []
        at = 0
        for n in q.buffers.values():
            arguments.append(row[at:at + n].copy())
            at += n
        arguments += list(q.integers.values())
        arguments += [row[at + k:at + k + 1].view(np.float32)[0] for k in range(len(q.floats))]
        try:
            done = launch(made.function, arguments, q.grid, q.block, shared_bytes=q.shared_bytes, variables=module.variables, limit=200_000)
        except Rejected as refused:
            return Compared(f"skipped: the emulator does not run {refused.rejections[0].message[:40]}")
        left = done.memory[len(q.buffers) - 1]
        if done.fault is not None or left is None:
            return Compared("differs", f"the compiled kernel: {done.fault}")
        out.append(canonical(left))
    return np.array(out)


def compare(q: Question, wanted: Array, cells: Sequence[Expr], profile: Profile, flags: str) -> Compared:
    """Each cell by itself, as it is decided: one admissible reading must agree on all inputs."""
    library, env, most = LIBRARIES[flags], q.env(), 0
    by_sites: dict[Expr, Sites] = {c: prepare((c,), profile) for c in dict.fromkeys(cells)}
    if any(s.choices > MOST_CHOICES for s in by_sites.values()):
        return Compared("skipped: too many choices")
    open_ = list(range(len(cells)))
    for number in range(1 << MOST_CHOICES):
        tried = [k for k in open_ if number < 1 << by_sites[cells[k]].choices]
        if not tried:
            break
        lowered = [lower(by_sites[cells[k]].values[0], profile, _choice(number, by_sites[cells[k]].choices)) for k in tried]
        found = evaluate(lowered, env, library)
        good = {k for k, value in zip(tried, found, strict=True) if (np.broadcast_to(value, (SETS,)) == wanted[:, k]).all()}
        open_ = [k for k in open_ if k not in good]
        most = number
    if not open_:
        return Compared("equal" if most == 0 else "equal, one of several readings")
    k = open_[0]
    sites = by_sites[cells[k]]
    value = np.broadcast_to(evaluate([lower(sites.values[0], profile, _choice(0, sites.choices))], env, library)[0], (SETS,))
    at = int(np.argmax(value != wanted[:, k]))
    numbers = ", ".join(f"{v.name}={int(env[v][at]):#010x}" for v in topo(cells[k])[:200] if v.is_var)
    return Compared("differs", f"cell {k}, set {at}: ours {int(value[at]):#010x}, compiled {int(wanted[at, k]):#010x}, of {1 << sites.choices} readings; "
                               f"{show(cells[k])[:600]}; {numbers}")


def within(q: Question, wanted: Array, cells: Sequence[Expr], profile: Profile, flags: str) -> Compared:
    """Where contraction is in doubt: the compiled value must be among all that a refutation takes into account. Two cells, for it is slow."""
    names = [v.name for v in q.env()]
    unknown = 0
    for k in dict.fromkeys((0, len(cells) - 1)):
        for at in range(len(wanted)):
            found = anyway(cells[k], profile, dict(zip(names, map(int, q.given[at]), strict=True)))
            unknown += found is None
            if found is not None and bool(ranges.apart(found, ranges.exactly(wanted[at:at + 1, k])).any()):
                ours = f"ours from {int(found.low[0]):#010x} to {int(found.high[0]):#010x}"
                return Compared("differs", f"cell {k}, set {at}: compiled {int(wanted[at, k]):#010x}, {ours}; {show(cells[k])[:600]}")
    return Compared("nothing known" if unknown else "within")


def _choice(number: int, choices: int) -> tuple[bool, ...]:
    return tuple(bool(number >> i & 1) for i in range(choices))


def pointwise_cells(q: Question, program: Program) -> list[Expr] | None:
    """The written cells as the pointwise path reads the kernel, thread by thread; None where it does not."""
    try:
        stores = run_symbolic(plain(program))
    except Rejected:
        return None
    out: dict[int, Expr] = {}
    target = list(q.buffers)[-1]
    for block, thread in product(range(q.grid[0]), range(q.block[0])):
        known: dict[Expr, Expr] = {var("blockIdx.x", B32): const_int(B32, block), var("threadIdx.x", B32): const_int(B32, thread),
                                   var("blockDim.x", B32): const_int(B32, q.block[0]), var("gridDim.x", B32): const_int(B32, q.grid[0])}
        known |= {p.expr: const_int(p.expr.sort, q.integers[p.name] % (1 << (32 if p.expr.sort == B32 else 64)))
                  for p in program.params if not p.is_buffer and p.expr.sort != F32}
        loads = {load.variable: const(0.0) if resimplify(load.guard, known) is const_bool(False) else
                 element(load.buffer, int(evaluate([substitute(load.index, known)], {})[0][0])) for load in stores.loads}
        for s in stores.stores:
            if resimplify(s.guard, known) is const_bool(False):
                continue
            k = int(evaluate([substitute(s.index, known)], {})[0][0])
            value = substitute(s.value, {**known, **loads})
            guard = substitute(resimplify(s.guard, known), loads)
            out[k] = value if guard is const_bool(True) else mk("select", guard, value, out.get(k, element(target, k)))
    return [out.get(k, element(target, k)) for k in range(q.buffers[target])]


def ours(q: Question) -> tuple[Program, threads.Outcome] | Compared:
    """Our reading."""
    try:
        program = translate(read("k.cu", q.text), q.name)      # without the child process that shields from a crash
        outcome = threads.run(program, q.instance, values=True, limit=20_000_000)
    except Rejected as refused:
        return Compared(f"refused: {refused.rejections[0].code}")
    if outcome.fault is not None:
        return Compared(f"fault: {outcome.fault.kind}")
    return program, outcome


def judge(q: Question, read: tuple[Program, threads.Outcome], module: Module, flags: str) -> list[tuple[str, Compared]]:
    """The comparisons of one kernel under one set of flags, by the path that reads it."""
    program, outcome = read
    profile = load_open("h100", flags)
    cells = [c for c in outcome.memory[list(q.buffers)[-1]] if c is not None]
    paths: list[tuple[str, list[Expr]]] = []
    doubted = bool(outcome.doubts_for(profile))
    paths.append(("doubted" if doubted else "launch", cells))
    flat = pointwise_cells(q, program)
    if flat is not None:
        paths.append(("pointwise", flat))
    wanted = expected(q, module, flags)
    if isinstance(wanted, Compared):
        return [(name, wanted) for name, _ in paths]
    return [(name, (within if name == "doubted" else compare)(q, wanted, values, profile, flags)) for name, values in paths]


def check(questions: Sequence[Question], flags: Sequence[str] = FLAGS) -> Iterator[tuple[Question, str, str, Compared]]:
    """All comparisons of some kernels, which are compiled together: kernel, flags, path, result."""
    known = {q.number: ours(q) for q in questions}
    for q in questions:
        found = known[q.number]
        if isinstance(found, Compared):
            yield q, "", "launch", found
    asked = [(q, r) for q in questions if not isinstance(r := known[q.number], Compared)]
    if not asked:
        return
    for f in flags:
        module = compiled("\n".join(q.text for q, _ in asked), f)
        for q, r in asked:
            if not (q.approximate and "fast" in f):
                yield from ((q, f, path, found) for path, found in judge(q, r, module, f))


def main() -> None:
    """Run and print; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1e9, help="when to stop")
    o = parser.parse_args()
    tally: Counter[tuple[str, str, str]] = Counter()
    start = time.monotonic()
    for first in range(o.first, o.first + o.count, o.batch):
        drawn = [question(draw(n)) for n in range(first, min(first + o.batch, o.first + o.count))]
        for q, flags, path, found in check(drawn):
            tally[path, flags, found.result] += 1
            if found.result == "differs":
                print(f"DIFFERS: kernel {q.number}, flags `{flags}`, {path}: {found.detail}", flush=True)
        if time.monotonic() - start > o.seconds:
            break
    for (path, flags, result), n in sorted(tally.items()):
        print(f"{n:6} {path:10} {flags:24} {result}")
    sys.exit(any(r == "differs" for _, _, r in tally))


if __name__ == "__main__":
    main()
