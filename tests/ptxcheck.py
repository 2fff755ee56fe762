"""One PTX instruction's meaning by the table, against a judge, on special values and random ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from draw import SPECIALS, seed
from formats import BINARY32

from devsem.evaluate import evaluate
from devsem.expr import var
from devsem.frontend.ptx_ast import Instruction, Operand, Pair, Register
from devsem.frontend.ptx_meaning import B16, Kind, meaning
from devsem.ops import B32, B64, BOOL, F32, Sort

F, NAN, SIGN, ONE, TINY = BINARY32, 0x7FFFFFFF, 0x80000000, 0x3F800000, 0x00800000
SORT: dict[Kind, Sort] = {"F16": F32, "BF16": F32, "B16": B32}
DTYPE: dict[Sort, type[np.generic]] = {F32: np.uint32, B32: np.uint32, B64: np.uint64, BOOL: np.bool_}
Judge = Callable[..., Any]


def instruction(mnemonic: str, count: int, *given: Operand | None, two: bool = False) -> Instruction:
    """An instruction with a destination and `count` sources: the operands given, or registers."""
    opcode, *modifiers = mnemonic.split(".")
    sources = [given[k] if k < len(given) and given[k] is not None else Register(f"%r{k}") for k in range(count)]
    target: Operand = Pair(Register("%p"), Register("%q")) if two else Register("%d")
    return Instruction(opcode, tuple(modifiers), (target, *(s for s in sources if s is not None)))


def arguments(kinds: tuple[Kind, ...], rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Special values crossed, and random ones."""
    def one(kind: Kind) -> int:
        if kind == BOOL:
            return rng.randrange(2)
        width = {B64: 64, B16: 16}.get(kind, 32)
        corners = [0, 1, 2, 5, 8, 31, 32, 33, 63, 64, 255, 256, (1 << width - 1) - 1, 1 << width - 1, (1 << width) - 1]
        if kind == F32:
            return int(rng.choice(SPECIALS)) if rng.random() < 0.7 else rng.getrandbits(32)
        return rng.choice(corners) % (1 << width) if rng.random() < 0.6 else rng.getrandbits(width)
    for _ in range(250):
        yield tuple(map(one, kinds))


def check(i: Instruction, judge: Judge) -> None:
    """The table's value is the judge's, on every row of arguments."""
    m = meaning(i)
    names = [var(f"a{k}", SORT.get(kind, kind)) for k, kind in enumerate(m.reads)]     # type: ignore[arg-type]
    rows = list(arguments(m.reads, random.Random(seed())))
    env = {v: np.array([row[k] for row in rows], DTYPE[v.sort]) for k, v in enumerate(names)}
    got = [np.broadcast_to(x, (len(rows),)).tolist() for x in evaluate(m.of(*names), env)]
    for k, row in enumerate(rows):
        want = judge(*row)
        want = want if isinstance(want, tuple) else (want,)
        assert tuple(x[k] for x in got) == want, f"{i} of {[hex(a) for a in row]}"


def signed(a: int, width: int) -> int:
    return a - (1 << width) * (a >> width - 1)
