"""Mutated PTX texts, and a run of every stage on one: it must be accepted or refused by name, quickly.

A later stage joins by one entry in STAGES: a function of the parsed module that raises Rejected for what it does not accept.

>>> outcome(".version 9.0 .target sm_90 .address_size 64 .entry k() { ret; }")
'accepted'
>>> outcome(".version 9.0 .target sm_90 .address_size 64 .entry k() { bra x; }")
'ptx.undeclared'
"""

from __future__ import annotations

import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import FrameType

import numpy as np

from devsem.emulator import Argument, Result, launch
from devsem.errors import Rejected
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Module, Variable
from devsem.frontend.ptx_cfg import blocks
from devsem.frontend.ptx_check import well_formed
from devsem.frontend.ptx_text import show
from devsem.program import Param
from devsem.ptx_symbolic import run_ptx
from devsem.rejections import TABLE

FOLDER = Path(__file__).resolve().parent / "ptx"
SECONDS = 1.0         # of the processor, for one text
HANGS = 20.0          # then it is stopped
FILE = "k.ptx"

Stage = Callable[[Module], object]


def round_trips(module: Module) -> None:
    """What was accepted, printed and read again is the same."""
    assert parse(show(module), FILE) == module


def graphs(module: Module) -> None:
    """Every function's control flow."""
    for function in module.functions:
        blocks(function)


def symbolic(module: Module) -> None:
    """One thread of every kernel; refused where all are. Which C types the parameters have is made up from their sizes."""
    kernels = [f for f in module.functions if f.entry]
    refusals = []
    for kernel in kernels:
        try:
            run_ptx(kernel, [Param(p.name, TYPES.get(p.type, "float"), p.where) for p in kernel.params])
        except Rejected as rejected:
            refusals.append(rejected)
    if refusals and len(refusals) == len(kernels):
        raise refusals[0]


def launched(kernel: Function, module: Module, limit: int) -> Result:
    """A launch of two blocks of four threads on made-up arguments."""
    return launch(kernel, [_argument(p) for p in kernel.params], 2, 4, variables=module.variables, shared_bytes=256, limit=limit)


def _argument(p: Variable) -> Argument:
    if p.type in ("u64", "b64") and p.count == 1:
        return np.linspace(0.25, 2.0, 4096, dtype=np.float32)
    size = int(p.type[1:]) // 8 if p.type[1:].isdigit() else 0
    return 0.5 if p.type == "f32" and p.count == 1 else 4 if size == 4 and p.count == 1 else bytes(size * p.count)


def emulated(module: Module) -> None:
    """A small launch of every kernel whose parameters can be made up; a fault is a result; refused where all are."""
    kernels = [f for f in module.functions if f.entry and all(p.count < 4096 for p in f.params)]
    refusals = []
    for kernel in kernels:
        try:
            launched(kernel, module, 300)
        except Rejected as rejected:
            refusals.append(rejected)
    if refusals and len(refusals) == len(kernels):
        raise refusals[0]


TYPES = {"u64": "float*", "b64": "float*", "u32": "int", "b32": "int"}
STAGES: tuple[Stage, ...] = (round_trips, well_formed, graphs, emulated, symbolic)


@cache
def corpus(folder: str) -> dict[str, str]:
    """The committed texts of a folder ("nvidia", "clang") by their names."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((FOLDER / folder).glob("*.ptx"))}


def outcome(text: str, stages: Sequence[Stage] = STAGES) -> str:
    """"accepted", or the code of the first refusal; any other exception, a bad refusal, or too long a time fails."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"not done after {HANGS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    began = time.process_time()
    try:
        return _run(text, stages)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        assert time.process_time() - began < SECONDS, f"{time.process_time() - began:.2f} s"


def _run(text: str, stages: Sequence[Stage]) -> str:
    try:
        module = parse(text, FILE)
        for stage in stages:
            stage(module)
    except Rejected as rejected:
        for r in rejected.rejections:
            assert r.code in TABLE and r.where.file == FILE and "\n" not in r.message and len(r.message) < 10_000, r
            assert r.where.line <= text.count("\n") + 1, r
        return rejected.rejections[0].code
    return "accepted"


TOKEN = re.compile(r"[\w.$%]+|\S")
ODD = ("{", "}", "(", ")", "[", "]", ";", ",", ":", "@", "!", "|", "+", "-", "<", ">", "=", '"', "/*", "*/", "//", "\0", "\n", "\\", "#", "%",
       "%r1", "%p1", "%tid.x", "_", "0", "-1", "0f7FC00000", "0x", "99999999999999999999999", "1.5", "ret", "bra", "brx.idx", "call", "bar.sync", "setp.lt.f32",
       "ld.global.f32", "é",
       ".reg", ".b32", ".entry", ".func", ".section", ".loc", ".pragma", ".branchtargets", "{" * 99, "(" * 999, "9" * 999, "a" * 9999, ";" * 99)


def mutate(text: str, other: str, draw: Random) -> str:
    """The text with one to four changes; `other` lends its lines."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 4))):
        text = draw.choice(CHANGES)(text, other, draw)
    return text


def _truncate(text: str, other: str, draw: Random) -> str:
    return text[:draw.randrange(len(text) + 1)]


def _cut(text: str, other: str, draw: Random) -> str:
    begin = draw.randrange(len(text) + 1)
    return text[:begin] + text[begin + draw.choice((1, 2, 9, 99)):]


def _token(text: str, other: str, draw: Random) -> str:
    """One token replaced by another of the text, or by an odd one."""
    found = list(TOKEN.finditer(text))
    if not found:
        return draw.choice(ODD)
    old, new = draw.choice(found), draw.choice(found)[0] if draw.random() < 0.6 else draw.choice(ODD)
    return text[:old.start()] + new + text[old.end():]


def _insert(text: str, other: str, draw: Random) -> str:
    at = draw.randrange(len(text) + 1)
    return f"{text[:at]} {draw.choice(ODD)} {text[at:]}"


def _character(text: str, other: str, draw: Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + chr(draw.choice((draw.randrange(128), draw.randrange(32, 127), draw.randrange(0x110000)))) + text[at + 1:]


def _lines(text: str, other: str, draw: Random) -> str:
    """One line of this or the other text put in, doubled, or moved."""
    lines = text.split("\n")
    line = draw.choice((lines, other.split("\n")))
    lines.insert(draw.randrange(len(lines) + 1), draw.choice(line))
    if draw.random() < 0.5:
        del lines[draw.randrange(len(lines))]
    return "\n".join(lines)


def _splice(text: str, other: str, draw: Random) -> str:
    return text[:draw.randrange(len(text) + 1)] + other[draw.randrange(len(other) + 1):]


CHANGES: tuple[Callable[[str, str, Random], str], ...] = (_truncate, _cut, _token, _token, _token, _insert, _character, _lines, _lines, _splice)


def mutants(folder: str, number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Mutated texts of a folder, each with the name that makes it again."""
    names = list(corpus(folder))
    for i in range(number):
        draw = Random(f"{folder}/{seed}/{i}")
        name = names[i % len(names)]
        yield f"{name} seed={seed} i={i}", mutate(corpus(folder)[name], corpus(folder)[draw.choice(names)], draw)


def tally(folder: str, number: int, seed: int, stages: Sequence[Stage] = STAGES) -> Counter[str]:
    """How many mutants had each outcome; a failure names the mutant."""
    found: Counter[str] = Counter()
    for name, text in mutants(folder, number, seed):
        try:
            found[outcome(text, stages)] += 1
        except Exception as error:
            raise AssertionError(f"{name}: {error!r}") from error
    return found
