"""The corpus of tests/safety against the tools: every clean kernel passed for all sizes, every planted fault found by a counterexample.

    python bench/safety.py [--only 'matmul*'] [--clean] [--seconds 30] [--faulty 8] [--hunt 8] [--compiled]

A line for each kernel: what is expected; the gate's answer for all sizes; the counterexample that a run of the launch shows, and who proposed it;
whether the compiled kernel does it too (`--compiled`); seconds of the front end, the gate and the search. Then the totals, and what issue 6 limits.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from safety_corpus import corpus
from safety_judged import Judged, judge

ELEMENTWISE, TILED, MEMORY = 1.0, 30.0, 4.0     # issue 6: seconds, seconds, GiB


def line(j: Judged) -> str:
    """A row of the table."""
    expected = "/".join(sorted(j.kernel.expected)) or "PASS"
    answer = j.gate.verdict if j.gate else "-"
    found = f"{j.found.fault.kind} ({j.found.by})" if j.found else "-"
    same = j.confirmed.result if j.confirmed else "-"
    return f"{j.kernel.name:48} {expected:32} {answer:5} {found:32} {same:8} {j.seconds[0]:5.1f} {j.seconds[1]:5.1f} {j.seconds[2]:5.1f}  {j.wrong}"


def totals(all_of: Iterable[Judged]) -> list[str]:
    """What the table comes to."""
    clean, faulty = [j for j in all_of if not j.kernel.expected], [j for j in all_of if j.kernel.expected]
    gate = Counter(j.gate.verdict for j in faulty if j.gate)
    shown = Counter(j.confirmed.result for j in faulty if j.confirmed)
    out = [f"clean: {len(clean)} kernels, {sum(bool(j.gate and j.gate.verdict == 'PASS') for j in clean)} passed for all sizes, "
           f"{sum(j.wrong == 'false alarm' for j in clean)} false alarms",
           f"faults: {len(faulty)} planted, {sum(j.found is not None for j in faulty)} found with a counterexample that a run shows, "
           f"{sum(not j.wrong for j in faulty)} of the kind expected; passed by the gate: {gate['PASS']} (FAIL {gate['FAIL']}, OPEN {gate['OPEN']})"]
    if shown:
        out.append(f"the compiled kernel in the PTX emulator: {', '.join(f'{k} {v}' for k, v in sorted(shown.items()))}")
    return out + [f"NOT AS EXPECTED: {j.kernel.name}: {j.wrong}: {j.gate.reason if j.gate else ''}" for j in (*clean, *faulty) if j.wrong]


def limits(judged: Iterable[Judged]) -> list[str]:
    """Issue 6's limits: of time for these two kernels, of memory for this process and the largest of its children."""
    took = {j.kernel.name: j.seconds[0] + j.seconds[1] for j in judged}
    out = [f"{name}: front end and gate {took[name]:.2f} s, limit {most:g} s: {'met' if took[name] < most else 'MISSED'}"
           for name, most in (("copy_guard", ELEMENTWISE), ("matmul_tiled", TILED)) if name in took]
    rss = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / (1 << 20)
    return [*out, f"memory: {rss:.2f} GiB in the largest process, limit {MEMORY:g} GiB: {'met' if rss < MEMORY else 'MISSED'}"]


def main() -> None:
    """Print the table, line by line, and the totals; the exit status is 1 where something is not as expected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="*", help="a pattern of file names")
    parser.add_argument("--clean", action="store_true", help="leave the faults out")
    parser.add_argument("--seconds", type=float, default=30.0, help="of the gate, for a clean kernel")
    parser.add_argument("--faulty", type=float, default=8.0, help="of the gate, for a kernel with a fault; 0: it is not asked")
    parser.add_argument("--hunt", type=float, default=8.0, help="of the search for a counterexample; a tenth of it for a clean kernel")
    parser.add_argument("--compiled", action="store_true", help="run counterexamples in the PTX emulator too")
    given = parser.parse_args()
    print(f"{'kernel':48} {'expected':32} {'gate':5} {'shown by a run':32} {'compiled':8} {'text':>5} {'gate':>5} {'hunt':>5}")
    judged = []
    for k in corpus(given.only):
        if not (k.expected and given.clean):
            j = judge(k, gate_seconds=given.faulty if k.expected else given.seconds, hunt_seconds=given.hunt * (1.0 if k.expected else 0.1),
                      compiled=given.compiled)
            judged.append(j)
            print(line(j), flush=True)
    print("\n".join(["", *totals(judged), *limits(judged)]))
    raise SystemExit(any(j.wrong for j in judged))


if __name__ == "__main__":
    main()
