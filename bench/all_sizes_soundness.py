"""Verdicts for all sizes on random pairs of kernels against many small launches: `python bench/all_sizes_soundness.py 1000 --first 0 [--gate]`.

Each pair (`all_sizes_pairs.py`) is decided as `--spec other.cu` is, before Lean has judged it. Where it is PROVED, both kernels are run by
`threads.run` at small sizes, and their memory, lowered for the device, is evaluated on ordinary and special inputs: a difference is a
contradiction. A REFUTED pair must differ in a launch on the witness' values. `--gate`: the gate is asked, too, and a kernel that passes
must have no fault in any of the launches; without it, launches with faults are left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent))

from all_sizes_pairs import Drawn, Written, draw
from arrays_soundness import SETS, inputs

from devsem import all_sizes, threads
from devsem.all_sizes import Safe
from devsem.case import Case, kernel_case
from devsem.cells import Limits
from devsem.errors import Rejected
from devsem.evaluate import canonical, evaluate
from devsem.expr import Expr, topo, var
from devsem.frontend.cuda import translate
from devsem.frontend.cuda_source import read
from devsem.gate import gate
from devsem.lower import lower, prepare
from devsem.ops import B32
from devsem.profile import Profile, load_open
from devsem.verdict import HexWitness, Safety

Array = npt.NDArray[Any]
DEVICES = (("ieee", ""), ("h100", "-fmad=false -ftz=true"), ("h100", ""))
SIZES = tuple(product((1, 2, 3, 5, 8, 11), (1, 2, 3, 4, 7, 9)))
LAUNCHES = 8


def _stage(_: str) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True)
class Judged:
    """What came of a pair on one device; `detail` tells of a contradiction."""

    verdict: str
    reason: str = ""
    detail: str = ""


def case(w: Written, bind: str) -> Case:
    """The kernel at all its sizes."""
    return kernel_case(translate(read("k.cu", w.text), "k"), w.launch, bind, (), ["a", "b", "y"])


def launches(ours: Case, theirs: Case, number: int) -> Iterator[tuple[Mapping[str, int], list[threads.Outcome]]]:
    """Both kernels at some sizes."""
    n, m = var("n", B32), var("m", B32)
    for k in np.random.default_rng(number).permutation(len(SIZES))[:LAUNCHES]:
        at = dict(zip((n, m), SIZES[k], strict=True))
        made = [c.make(at) for c in (ours, theirs)]
        if None not in made:
            yield {"n": at[n], "m": at[m]}, [threads.run(*launch[0], values=True, limit=2_000_000) for launch in made if launch is not None]


def cells(outcome: threads.Outcome, profile: Profile) -> list[Expr] | None:
    """The output as the device computes it; None where that is in doubt."""
    if outcome.doubts_for(profile):
        return None
    found = [c for c in outcome.memory["y"] if c is not None]
    sites = prepare(tuple(found), profile)
    return None if sites.choices else [lower(v, profile, ()) for v in sites.values]


def values(roots: Sequence[Expr], env: Mapping[Expr, Array]) -> Array:
    """Each cell's patterns."""
    return np.array([np.broadcast_to(canonical(v), (SETS,)) for v in evaluate(list(roots), env)])


def contradicted(runs: Sequence[tuple[Mapping[str, int], list[threads.Outcome]]], profile: Profile, number: int) -> str:
    """A launch whose memory differs, in words."""
    for at, (ours, theirs) in runs:
        if ours.fault is not None or theirs.fault is not None:
            continue
        left, right = cells(ours, profile), cells(theirs, profile)
        if left is None or right is None:
            continue
        names = sorted({v for v in topo(*left, *right) if v.is_var}, key=lambda v: v.name)
        env = {v: inputs(number, SETS, len(names))[:, i] for i, v in enumerate(names)}
        a, b = values(left, env), values(right, env)
        if a.shape != b.shape or (a != b).any():
            return f"PROVED, and at {at} the outputs differ"
    return ""


def unseen(runs: Sequence[tuple[Mapping[str, int], list[threads.Outcome]]], profile: Profile, witness: HexWitness) -> str:
    """A witness that no launch shows, in words."""
    for _, (ours, theirs) in runs:
        if ours.fault is not None or theirs.fault is not None:
            return ""
        left, right = cells(ours, profile), cells(theirs, profile)
        if left is None or right is None:
            return ""
        names = {v for v in topo(*left, *right) if v.is_var}
        env = {v: np.full(SETS, int(witness.inputs.get(v.name.split("[")[0], "0x0"), 16), np.uint32) for v in names}
        if (values(left, env) != values(right, env)).any():
            return ""
    return f"REFUTED by {dict(witness.inputs)}, and no launch shows it"


def judge(d: Drawn, ask_gate: bool, seconds: float = 10.0) -> list[Judged]:
    """The pair on all devices."""
    limits = Limits("bits", seconds, _stage)
    try:
        ours, theirs = case(d.kernel, d.bind), case(d.spec, d.bind)
        runs = list(launches(ours, theirs, d.number))
    except Rejected as why:
        return [Judged("REJECTED", why.rejections[0].code)]
    out = []
    if ask_gate:
        passed = gate(ours.program, ours.setting, seconds).verdict
        fault = next((f"at {at}: {found[0].fault}" for at, found in runs if found[0].fault is not None), "")
        out.append(Judged(f"gate {passed}", "", f"the gate passes, and {fault}" if passed == "PASS" and fault else ""))
    with patch.object(all_sizes, "safe", lambda case, seconds: Safe(Safety("PASS"), "")), patch.object(all_sizes, "_second", lambda *_: None):
        asked = all_sizes.ask(ours, theirs, limits, lambda _: None, ())
    for name, flags in DEVICES:
        profile = load_open(name, flags)
        found = all_sizes.decided(asked, profile, limits)
        wrong = contradicted(runs, profile, d.number) if found.verdict == "PROVED" else \
            unseen(runs, profile, found.witness) if found.verdict == "REFUTED" and found.witness else ""
        out.append(Judged(found.verdict, found.reason, wrong))
    return out


def main() -> None:
    """Print contradictions and counts; exit code 1 where there is a contradiction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--seconds", type=float, default=1e9, help="when to stop")
    o = parser.parse_args()
    tally, reasons, pairs, wrong, start = Counter[str](), Counter[str](), 0, 0, time.monotonic()
    for number in range(o.first, o.first + o.count):
        d = draw(number)
        pairs += 1
        for j in judge(d, o.gate):
            tally[j.verdict] += 1
            if j.verdict == "OPEN":
                reasons[j.reason.split(": ")[-1][:80]] += 1
            if j.detail:
                wrong += 1
                print(f"CONTRADICTION: pair {number} ({d.family}; {', '.join(d.changed)}): {j.detail}", flush=True)
        if time.monotonic() - start > o.seconds:
            break
    print(f"{pairs} pairs on {len(DEVICES)} devices: {', '.join(f'{k} {v}' for k, v in tally.most_common())}; {wrong} contradictions")
    for reason, n in reasons.most_common(12):
        print(f"{n:6} OPEN: {reason}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
