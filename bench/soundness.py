"""Decide random pairs of expressions, and let nothing wrong pass: `python bench/soundness.py 100000 --jobs 8 --resume FILE`.

Each pair (`pairs.py`) is given to the prover and, where it finds no proof, to the refuter. A PROVED pair is run on many adversarial
inputs by this machine's float32 unit and, on a part of them (on all for every `--exact-every`th pair), by `floats.py`, a REFUTED one is
replayed on both, and bitwuzla votes (`vote.py`). Any disagreement stops the run and prints the pair's number; `--first NUMBER` with a
count of 1 repeats it. Every `--lean`th answer goes to Lean. The tables at the end say which share of the pairs was decided, for each rule
and each operation, and what each pair was run on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent))

import processor
from inputs import adversarial
from journal import Journal, Refused, sources
from pairs import NAMES, Pair, make_pair
from tally import Answer, Tally
from vote import Voter

from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, mk, show, substitute, topo
from devsem.leancheck import Lean, check_text
from devsem.leanprint import proof, text
from devsem.prove import Proof, prove
from devsem.refute import Witness, find

Array = npt.NDArray[Any]
CHUNK, BATCH = 50, 25
BLOCK = 1 << 14         # inputs at a time: they stay in the cache
CHUNKS_A_PROCESS = 100  # then a fresh one: expressions are never forgotten


class Wrong(Exception):
    """Two of the judges disagree."""


@dataclass(frozen=True)
class Settings:
    """What every pair is given: seconds for the prover, the refuter and bitwuzla's votes (on general pairs, on the pair itself), and inputs."""

    seconds: float = 1.0
    refute: float = 0.2
    vote: float = 0.025
    itself: float = 0.01
    lanes: int = 100_000
    exact: int = 10_000
    exact_every: int = 20
    lean: int = 0

    def exact_lanes(self, number: int) -> int:
        """On how many of the inputs floats.py runs a pair."""
        return self.lanes if number % self.exact_every == 0 else min(self.exact, self.lanes)


def difference(pair: Pair, env: dict[Expr, Array], exact: int) -> str:
    """Where the two sides differ, by either evaluator, or the evaluators do; empty if nowhere. floats.py looks at the first `exact` inputs."""
    for start in range(0, len(env[NAMES[0]]), BLOCK):
        part = {v: x[start:start + BLOCK] for v, x in env.items()}
        if wrong := _differ(pair, part, min(max(exact - start, 0), len(part[NAMES[0]]))):
            return wrong
    return ""


def _differ(pair: Pair, env: dict[Expr, Array], exact: int) -> str:
    both = [pair.left, pair.right]
    machine = processor.compute(both, env)
    found = [("the sides, by the processor,", *machine)]
    if exact:
        left, right = (np.broadcast_to(x, (exact,)) for x in evaluate(both, {v: x[:exact] for v, x in env.items()}))
        found = [("the sides", left, right), ("floats.py and the processor on the left", left, machine[0][:exact]),
                 ("floats.py and the processor on the right", right, machine[1][:exact]), *found]
    for name, a, b in found:
        if (a != b).any():
            i = int(np.argmax(a != b))
            return f"{name} differ at {', '.join(f'{v.name} = {int(x[i]):#010x}' for v, x in env.items())}: {int(a[i]):#010x} and {int(b[i]):#010x}"
    return ""


def _where(pair: Pair) -> str:
    return f"pair {pair.number} ({pair.kind})\n  {show(pair.left)}\n  {show(pair.right)}\n "


def _equal(pair: Pair, answer: Answer, s: Settings, voter: Voter, said: str) -> Answer:
    """A pair that must be equal against the evaluators and bitwuzla."""
    exact = s.exact_lanes(pair.number)
    wrong = difference(pair, adversarial(pair, s.lanes), exact)
    vote = voter.ask(pair.left, pair.right, pair.number % s.exact_every == 0)
    if not wrong and vote == "different":
        wrong = "bitwuzla finds a difference"
    if wrong:
        raise Wrong(f"{_where(pair)} {said}, but {wrong}")
    return replace(answer, lanes=s.lanes, exact=exact, vote=vote)


def _refuted(pair: Pair, witness: Witness) -> None:
    """A refuted pair against the evaluators and against its own rule."""
    wrong = difference(pair, {v: np.array([witness.inputs[v.name]], np.uint32) for v in NAMES}, 1)
    if not wrong.startswith("the sides"):
        raise Wrong(f"{_where(pair)} is REFUTED at {dict(witness.inputs)}, but {wrong or 'the sides are equal there'}")
    if pair.holds:
        raise Wrong(f"{_where(pair)} should hold, but {wrong}")


def decide(pair: Pair, s: Settings, voter: Voter, lean: bool = False) -> Answer:
    """The verdict on a pair, contradicted by nobody; raises Wrong."""
    rows = tuple(sorted({n.op for n in topo(pair.left, pair.right) if n.args}))
    found = prove(pair.left, pair.right, seconds=s.seconds)
    if isinstance(found, Proof):
        answer = Answer(pair.number, pair.kind, pair.holds, "PROVED", rows, lean=_theorem(pair, found) if lean else "")
        return _equal(pair, answer, s, voter, "is PROVED")
    note = f"{show(pair.left)}  =  {show(pair.right)}  |  {found.reason}: {'; '.join(map(str, found.cases[:2]))}"
    answer = Answer(pair.number, pair.kind, pair.holds, "OPEN", rows, note)
    if voter.shows(pair.left, pair.right):
        return _equal(pair, answer, s, voter, "is equal to bitwuzla")
    witness = find(pair.left, pair.right, variables=NAMES, equality="bits", seconds=s.refute)
    if isinstance(witness, Witness):
        _refuted(pair, witness)
        return replace(answer, verdict="REFUTED", note="", lean=_refutation(pair, witness) if lean else "")
    return _equal(pair, answer, s, voter, "should hold") if pair.holds else answer


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


_voters: dict[tuple[float, float], Voter] = {}


def chunk(work: tuple[int, int, Settings]) -> list[Answer] | str:
    """The answers to some pairs in a row, or what is wrong."""
    first, count, s = work
    voter = _voters.setdefault((s.vote, s.itself), Voter(s.vote, s.itself))
    out = []
    for n in range(first, first + count):
        try:
            out.append(decide(make_pair(n), s, voter, s.lean > 0 and n % s.lean == 0))
        except Exception as error:
            return f"pair {n}: {type(error).__name__}: {error}"
    return out


def answers(work: Sequence[tuple[int, int, Settings]], jobs: int) -> Iterator[list[Answer] | str]:
    """All chunks, by so many processes."""
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=CHUNKS_A_PROCESS) as pool:
        yield from pool.imap_unordered(chunk, work)


def run(first: int, count: int, jobs: int, s: Settings, journal: Journal) -> Tally:
    """Decide what the journal lacks, show progress; exits when something is wrong."""
    tally, start, theorems = Tally(), time.monotonic(), list[tuple[int, str]]()
    work = [(at, min(CHUNK, first + count - at), s) for at in range(first, first + count, CHUNK)]
    for kept in journal.chunks.values():
        _count(kept, tally, theorems, journal)
    before = tally.pairs
    for result in answers([w for w in work if w[0] not in journal.chunks], jobs):
        if isinstance(result, str):
            sys.exit(f"\nWRONG: {result}")
        journal.decided(result)
        _count(result, tally, theorems, journal)
        speed = (tally.pairs - before) / (time.monotonic() - start)
        print(f"\r{tally.pairs} of {count}, true pairs decided {100 * tally.share(True):.1f} %, {speed:.1f} a second", end="", flush=True)
        if len(theorems) >= BATCH:
            _ask_lean(theorems, journal)
    _ask_lean(theorems, journal)
    print()
    return tally


def _count(result: Sequence[Answer], tally: Tally, theorems: list[tuple[int, str]], journal: Journal) -> None:
    for a in result:
        tally.add(a)
        if a.lean and a.number not in journal.accepted:
            theorems.append((a.number, a.lean))


def _ask_lean(theorems: list[tuple[int, str]], journal: Journal) -> None:
    """Lean checks all theorems that wait."""
    while theorems:
        batch = theorems[:BATCH]
        if reason := lean_refuses(batch):
            sys.exit(f"\nWRONG: Lean refuses a batch of pairs {batch[0][0]} … {batch[-1][0]}: {reason}")
        journal.lean_accepts(n for n, _ in batch)
        del theorems[:BATCH]


def main() -> None:
    """Run, print the tables; exit code 1 when something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=Settings.seconds, help="for the prover")
    parser.add_argument("--refute", type=float, default=Settings.refute, help="seconds for the refuter")
    parser.add_argument("--vote", type=float, default=Settings.vote, help="seconds of CPU time for bitwuzla on a general pair, asked once")
    parser.add_argument("--itself", type=float, default=Settings.itself, help="seconds of CPU time for bitwuzla on a pair itself, if it comes to that")
    parser.add_argument("--lanes", type=int, default=Settings.lanes, help="inputs for this machine's float unit")
    parser.add_argument("--exact", type=int, default=Settings.exact, help="inputs for floats.py")
    parser.add_argument("--exact-every", type=int, default=Settings.exact_every, help="floats.py gets all inputs of every so many pairs, bitwuzla more time")
    parser.add_argument("--lean", type=int, default=50, help="Lean checks every so many pairs; 0: none")
    parser.add_argument("--open", type=int, default=0, help="print so many pairs that stayed open")
    parser.add_argument("--resume", type=Path, help="a file that keeps what is decided; a second run with it goes on")
    o = parser.parse_args()
    if not processor.MODES:
        sys.exit("this machine's rounding modes are not known to bench/processor.py: use Linux on x86-64 or AArch64")
    s = Settings(o.seconds, o.refute, o.vote, o.itself, o.lanes, o.exact, o.exact_every, o.lean)
    try:
        journal = Journal(o.resume, {"first": o.first, "count": o.count, **asdict(s), "sources": sources()})
    except Refused as error:
        sys.exit(str(error))
    tally = run(o.first, o.count, o.jobs, s, journal)
    for a in islice(tally.open, o.open):
        print(f"open {a.number} {a.kind}: {a.note}")
    for line in tally.report():
        print(line)
    print(f"Lean accepted {len(journal.accepted)} of these answers as theorems, every {o.lean}th of those decided" if o.lean else "Lean was not asked")


if __name__ == "__main__":
    main()
