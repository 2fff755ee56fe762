"""Decide random pairs of expressions, and let nothing wrong pass: `python bench/soundness.py 100000 --jobs 8`.

Each pair (`pairs.py`) is given to the prover and, where it finds no proof, to the refuter. A PROVED pair is run on many adversarial
inputs by `floats.py` and by this machine's float32 unit, a REFUTED one is replayed on both, and bitwuzla is asked as well. Any
disagreement stops the run and prints the pair's number; `--first NUMBER` with a count of 1 repeats it. Every `--lean`th answer goes to Lean.
The table at the end says which share of the pairs was decided, for each rule and each operation.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent))

import processor
from pairs import NAMES, Pair, make_pair

from devsem import smt
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, mk, show, substitute, topo
from devsem.leancheck import Lean, check_text
from devsem.leanprint import proof, text
from devsem.prove import Proof, prove
from devsem.refute import Witness, find

Array = npt.NDArray[Any]
CHUNK, BATCH = 50, 100
MAGNITUDES = (
    0, 1, 2, 0x400000, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFF, 0x1000000, 0x19800000, 0x1FFFFFFF, 0x20000000, 0x33000000, 0x33800000, 0x34000000,
    0x3EAAAAAB, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40200000, 0x40400000, 0x40C00000,
    0x4AFFFFFF, 0x4B000000, 0x4B000001, 0x4B800000, 0x5F7FFFFF, 0x5F800000, 0x7E800000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000, 0x7FC00000)
SPECIALS = np.array([m | s for m in MAGNITUDES for s in (0, 0x80000000)], np.uint32)


class Wrong(Exception):
    """Two of the judges disagree."""


@dataclass(frozen=True)
class Answer:
    """What was decided; `lean` is a theorem for Lean to check."""

    number: int
    kind: str
    holds: bool
    verdict: str
    rows: tuple[str, ...]
    note: str
    lean: str = ""


def adversarial(pair: Pair, lanes: int) -> dict[Expr, Array]:
    """Inputs: special values and the pair's own constants, each give or take two steps, raw patterns, equal and opposite ones."""
    rng = np.random.default_rng(pair.number)
    own = np.array([n.value for n in topo(pair.left, pair.right) if n.is_const and n.sort == "F32"] or [0], np.uint32)
    env: dict[Expr, Array] = {}
    for v in NAMES:
        near = np.where(rng.random(lanes) < 0.7, rng.choice(SPECIALS, lanes), rng.choice(own, lanes))
        moved = (near + rng.integers(-2, 3, lanes) * (rng.random(lanes) < 0.4)).astype(np.uint32)
        plain = rng.normal(0, 4, lanes).astype(np.float32).view(np.uint32)
        value = np.choose(rng.integers(0, 4, lanes), [moved, moved, plain, rng.integers(0, 1 << 32, lanes, np.uint32)])
        for other in env.values():
            value = np.choose(rng.choice(3, lanes, p=[0.7, 0.15, 0.15]), [value, other, other ^ np.uint32(0x80000000)])
        env[v] = value.astype(np.uint32)
    return env


def difference(pair: Pair, env: dict[Expr, Array]) -> str:
    """Where the two sides differ, by either evaluator, or the evaluators do; empty if nowhere."""
    lanes = len(env[NAMES[0]])
    exact = [np.broadcast_to(x, (lanes,)) for x in evaluate([pair.left, pair.right], env)]
    machine = [processor.compute(e, env) for e in (pair.left, pair.right)]
    for name, a, b in (("the sides", exact[0], exact[1]), ("floats.py and the processor on the left", exact[0], machine[0]),
                       ("floats.py and the processor on the right", exact[1], machine[1])):
        if a is not None and b is not None and (a != b).any():
            i = int(np.argmax(a != b))
            return f"{name} differ at {', '.join(f'{v.name} = {int(x[i]):#010x}' for v, x in env.items())}: {int(a[i]):#010x} and {int(b[i]):#010x}"
    return ""


def _where(pair: Pair) -> str:
    return f"pair {pair.number} ({pair.kind})\n  {show(pair.left)}\n  {show(pair.right)}\n "


def _proved(pair: Pair, lanes: int, seconds: float) -> None:
    """A proved pair against the evaluators and bitwuzla."""
    wrong = difference(pair, adversarial(pair, lanes))
    if not wrong and isinstance(smt.check_sat([], seconds, [(pair.left, pair.right)]), smt.Sat):
        wrong = "bitwuzla finds a difference"
    if wrong:
        raise Wrong(f"{_where(pair)} is PROVED, but {wrong}")


def _refuted(pair: Pair, witness: Witness) -> None:
    """A refuted pair against the evaluators and against its own rule."""
    wrong = difference(pair, {v: np.array([witness.inputs[v.name]], np.uint32) for v in NAMES})
    if not wrong.startswith("the sides"):
        raise Wrong(f"{_where(pair)} is REFUTED at {dict(witness.inputs)}, but {wrong or 'the sides are equal there'}")
    if pair.holds:
        raise Wrong(f"{_where(pair)} should hold, but {wrong}")


def decide(pair: Pair, seconds: float = 1.0, lanes: int = 100_000, lean: bool = False) -> Answer:
    """The verdict on a pair, contradicted by nobody; raises Wrong."""
    rows = tuple(sorted({n.op for n in topo(pair.left, pair.right) if n.args}))
    proof_found = prove(pair.left, pair.right, seconds=seconds)
    if isinstance(proof_found, Proof):
        _proved(pair, lanes, seconds)
        return Answer(pair.number, pair.kind, pair.holds, "PROVED", rows, "", _theorem(pair, proof_found) if lean else "")
    answer = find(pair.left, pair.right, variables=NAMES, equality="bits", seconds=seconds)
    if isinstance(answer, Witness):
        _refuted(pair, answer)
        return Answer(pair.number, pair.kind, pair.holds, "REFUTED", rows, "", _refutation(pair, answer) if lean else "")
    if pair.holds and (wrong := difference(pair, adversarial(pair, lanes))):
        raise Wrong(f"{_where(pair)} should hold, but {wrong}")
    note = f"{show(pair.left)}  =  {show(pair.right)}  |  {proof_found.reason}: {'; '.join(map(str, proof_found.cases[:2]))}"
    return Answer(pair.number, pair.kind, pair.holds, "OPEN", rows, note)


NAMED = {v: v.name for v in NAMES}


def _theorem(pair: Pair, found: Proof) -> str:
    """The proof as a theorem."""
    return (f"theorem pair{pair.number} (a b c : F32) : Eq {text(pair.left, NAMED)} {text(pair.right, NAMED)} :=\n{proof(found.block, NAMED)}\n")


def _refutation(pair: Pair, witness: Witness) -> str:
    """The difference on the witness as a theorem, which Lean computes without a proof of ours."""
    at = {v: bits(witness.inputs[v.name]) for v in NAMES}
    differ = mk("same", *(substitute(e, at) for e in (pair.left, pair.right)))
    return f"theorem pair{pair.number} : Eq {text(differ, {})} false := rfl\n"


def lean_refuses(theorems: Sequence[tuple[int, str]]) -> str:
    """Why Lean does not accept these theorems; empty if it does."""
    lean = Lean.choose()
    head = ["prelude", "import FloatLib.Profile", "import FloatLib.Pool", "set_option exponentiation.threshold 600", "set_option maxRecDepth 10000",
            "noncomputable section"]
    names = [f"pair{number}" for number, _ in theorems]
    whole = "\n".join([*head, *(t for _, t in theorems), *(f"#print axioms {n}" for n in names)]) + "\n"
    return check_text(whole, names, lean=lean, timeout=600, memory_mb=6000).reason


@dataclass(frozen=True)
class Settings:
    """What every pair is given."""

    seconds: float
    lanes: int
    lean: int


def chunk(work: tuple[int, int, Settings]) -> list[Answer] | str:
    """The answers to some pairs in a row, or what is wrong."""
    first, count, s = work
    try:
        return [decide(make_pair(n), s.seconds, s.lanes, s.lean > 0 and n % s.lean == 0) for n in range(first, first + count)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def answers(first: int, count: int, jobs: int, settings: Settings) -> Iterator[list[Answer] | str]:
    """All chunks, by so many processes."""
    work = [(at, min(CHUNK, first + count - at), settings) for at in range(first, first + count, CHUNK)]
    if jobs == 1:
        yield from map(chunk, work)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=20) as pool:
        yield from pool.imap_unordered(chunk, work)


@dataclass
class Tally:
    """Verdicts by rule and by operation."""

    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    total: Counter[tuple[str, bool]] = field(default_factory=Counter)
    open: list[Answer] = field(default_factory=list)

    def add(self, a: Answer) -> None:
        """Count one answer."""
        self.kinds[a.kind, a.verdict] += 1
        self.total[a.verdict, a.holds] += 1
        for row in a.rows:
            self.rows[row, a.verdict] += 1
        if a.verdict == "OPEN":
            self.open.append(a)

    def share(self, holds: bool) -> float:
        """The decided share of the pairs by true rules, or of the others."""
        all_ = sum(n for (_, h), n in self.total.items() if h == holds)
        return 1.0 if not all_ else 1 - self.total["OPEN", holds] / all_


def table(title: str, counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """Verdicts by name, the least decided first."""
    names = sorted({name for name, _ in counts})
    rows = [(name, counts[name, "PROVED"], counts[name, "REFUTED"], counts[name, "OPEN"]) for name in names]
    yield f"{title:34} PROVED REFUTED   OPEN  decided"
    for name, p, r, o in sorted(rows, key=lambda row: ((row[1] + row[2]) / (row[1] + row[2] + row[3]), row[0])):
        yield f"{name:34} {p:6} {r:7} {o:6}  {100 * (p + r) / (p + r + o):6.1f} %"


def main() -> None:
    """Run, show progress, print the tables; exit code 1 when something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--lanes", type=int, default=100_000)
    parser.add_argument("--lean", type=int, default=50, help="Lean checks every so many pairs; 0: none")
    parser.add_argument("--open", type=int, default=0, help="print so many pairs that stayed open")
    o = parser.parse_args()
    tally, start, theorems, done = Tally(), time.monotonic(), list[tuple[int, str]](), 0
    for result in answers(o.first, o.count, o.jobs, Settings(o.seconds, o.lanes, o.lean)):
        if isinstance(result, str):
            sys.exit(f"WRONG: {result}")
        for a in result:
            tally.add(a)
            theorems += [(a.number, a.lean)] if a.lean else []
        done += len(result)
        speed = done / (time.monotonic() - start)
        print(f"\r{done} of {o.count}, true pairs decided {100 * tally.share(True):.1f} %, {speed:.1f} a second", end="", flush=True)
        while len(theorems) >= BATCH or (theorems and done == o.count):
            batch, theorems = theorems[:BATCH], theorems[BATCH:]
            if reason := lean_refuses(batch):
                sys.exit(f"\nWRONG: Lean refuses a batch of pairs {batch[0][0]} … {batch[-1][0]}: {reason}")
    print()
    for line in (*table("operation", tally.rows), "", *table("rule", tally.kinds)):
        print(line)
    for a in islice(tally.open, o.open):
        print(f"open {a.number} {a.kind}: {a.note}")
    print(f"{done} pairs, 0 wrong; decided: {100 * tally.share(True):.1f} % of those by true rules, {100 * tally.share(False):.1f} % of the others")


if __name__ == "__main__":
    main()
