"""What is read in random kernels for all sizes against one launch: `python bench/summary_soundness.py 1000 --first 0`.

Every write that `summary.summarise` finds is computed for each thread of a launch (`arrays_draw.py`), on one set of inputs, and must be what
`threads.run` leaves there. Most random kernels are refused by the summary; the counts say how many were compared.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from arrays_draw import draw
from arrays_soundness import LIBRARIES, Compared, Question, ours, question

from devsem.errors import Bug
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const_bool, const_int, mk, topo, var
from devsem.lower import lower
from devsem.ops import B32, BOOL, F32, OPS
from devsem.profile import load_profile
from devsem.program import BUILTINS
from devsem.summary import summarise
from devsem.summary_memory import Unsummarised
from devsem.symbols import Part, Read, Symbols

IEEE = load_profile("ieee")
MOST_ROUNDS = 40
Values = Mapping[Expr, Expr]


class Beyond(Exception):
    """A read is out of bounds, or a loop too long: only where the thread does not come to it."""


class Thread:
    """One thread's values: constants in place of the sizes, places and counters in `known`, of the elements in `memory`."""

    def __init__(self, symbols: Symbols, memory: Mapping[str, Sequence[int]]) -> None:
        self.symbols, self.memory = symbols, memory

    def value(self, e: Expr, known: Values) -> Expr:
        """A constant. Raises Beyond."""
        done: dict[Expr, Expr] = {}
        for n in topo(e):
            done[n] = self._one(n, [done[a] for a in n.args], known)
        return done[e]

    def _one(self, n: Expr, args: list[Expr], known: Values) -> Expr:
        if n in known or n.is_const:
            return known.get(n, n)
        match self.symbols.meaning.get(n):
            case Read(buffer, index):
                k = self.value(index, known).value
                if k >= len(self.memory[buffer]):
                    raise Beyond
                return bits(int(self.memory[buffer][k]))
            case Part(fold, component):
                state = [self.value(x, known) for x in fold.init]
                count = self.value(fold.count, known)
                rounds = count.value - ((1 << 32 if count.sort == B32 else 1 << 64) if count.value >> (31 if count.sort == B32 else 63) else 0)
                if rounds > MOST_ROUNDS:
                    raise Beyond
                for k in range(rounds):
                    inside = {**known, fold.counter: const_int(fold.counter.sort, k), **dict(zip(fold.state, state, strict=True))}
                    state = [self.value(b, inside) for b in fold.body]
                return state[component]
        if not n.args:
            raise Bug(f"{n.name} has no value")
        whole = mk(n.op, *args)
        found = evaluate([lower(whole, IEEE, ()) if OPS[n.op].kind == "written" else whole], {}, LIBRARIES[""])[0].reshape(-1)[0]
        return bits(int(found)) if n.sort == F32 else const_bool(bool(found)) if n.sort == BOOL else const_int(n.sort, int(found))


def compare(q: Question, set_: int = 0) -> Compared:
    """One launch on one set of inputs."""
    found = ours(q)
    if isinstance(found, Compared):
        return found
    program, outcome = found
    try:
        summary = summarise(program, {}, {var(f"threadIdx.{a}", B32): n for a, n in zip("xyz", q.block, strict=True)})
    except Unsummarised as why:
        return Compared(f"not summarised: {str(why).split(': ')[-1].split(' of ')[0][:50]}")
    given = q.given[set_]
    starts = np.cumsum([0, *q.buffers.values()])
    memory = {name: given[a:a + n].tolist() for (name, n), a in zip(q.buffers.items(), starts, strict=False)}
    target = list(q.buffers)[-1]
    left = dict(enumerate(memory[target]))
    sizes: dict[Expr, Expr] = {p.expr: const_int(p.expr.sort, q.integers[p.name] % (1 << 32)) for p in program.params if p.name in q.integers}
    sizes |= {var(f, F32): bits(int(given[starts[-1] + k])) for k, f in enumerate(q.floats)}
    sizes |= {b: const_int(B32, n) for name, three in (("blockDim", q.block), ("gridDim", q.grid)) for b, n in
              zip((b for b in BUILTINS if b.name.startswith(name)), three, strict=True)}
    for block, thread in product(range(q.grid[0]), range(q.block[0])):
        here = {**sizes, **{b: const_int(B32, 0) for b in BUILTINS if b.name.startswith(("threadIdx", "blockIdx"))},
                var("threadIdx.x", B32): const_int(B32, thread), var("blockIdx.x", B32): const_int(B32, block)}
        t = Thread(summary.symbols, memory)
        for event in summary.events:
            for rounds in product(range(MOST_ROUNDS), repeat=len(event.rounds)):
                inside = {**here, **{k: const_int(k.sort, n) for (k, _), n in zip(event.rounds, rounds, strict=True)}}
                if t.value(event.guard, inside).value:
                    left[t.value(event.index, inside).value] = t.value(event.value, inside).value
    cells = [c for c in outcome.memory[target] if c is not None]
    env = {v: x[set_:set_ + 1] for v, x in q.env().items()}
    wanted = [int(w.reshape(-1)[0]) for w in evaluate([lower(c, IEEE, ()) for c in cells], env, LIBRARIES[""])]
    for k, w in enumerate(wanted):
        mine = int(evaluate([bits(left[k])], {})[0][0])
        if mine != w and not (mine & 0x7FFFFFFF > 0x7F800000 and w & 0x7FFFFFFF > 0x7F800000):
            return Compared("differs", f"element {k}: for all sizes {mine:#010x}, in the launch {w:#010x}")
    return Compared("equal")


def main() -> None:
    """Run and print; exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    o = parser.parse_args()
    tally: Counter[str] = Counter()
    for number in range(o.first, o.first + o.count):
        q = question(draw(number))
        try:
            found = compare(q)
        except Beyond:
            found = Compared("beyond")
        tally[found.result] += 1
        if found.result == "differs":
            print(f"DIFFERS: kernel {number}: {found.detail}", flush=True)
    for result, n in tally.most_common():
        print(f"{n:6} {result}")
    sys.exit("differs" in tally)


if __name__ == "__main__":
    main()
