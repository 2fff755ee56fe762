"""How fast the parts are, in one run: stages of a verdict, proofs and Lean's check by size, the pool's size against proving, closed evaluations
in Lean's kernel, FloatLib from scratch. Each line of issue 3 is printed with its limit and whether it is met.

    python bench/speed.py [--size 200] [--no-library]

Seconds are wall time; on a machine that does something else as well the CPU time beside it is the better guide, and judges.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent))

import counts

from devsem import leanlib, leanprint, lemmas, prove
from devsem.evaluate import constant
from devsem.expr import Expr, const, mk, topo, var
from devsem.leancheck import check_file, check_text
from devsem.leanrun import Lean, run
from devsem.ops import F32
from devsem.pipeline import verify
from devsem.request import Request
from devsem.term import size

T = TypeVar("T")
EXAMPLES = Path(__file__).parent.parent / "examples"
HEAD = ("prelude\nimport FloatLib.Profile\nimport FloatLib.Pool\nset_option exponentiation.threshold 600\nset_option maxRecDepth 10000\n"
        "noncomputable section\nnamespace Bench\n")
TYPICAL = ("relu_fmaxf", "leaky_relu", "sigmoid")
PROOF_SECONDS, CHECK_SECONDS, LIBRARY_SECONDS = 2.0, 0.4, 30.0   # issue 3's limits


@dataclass(frozen=True)
class Taken:
    """Seconds of an action: by the clock, and of this process and its children."""

    wall: float
    cpu: float

    def __add__(self, other: Taken) -> Taken:
        return Taken(self.wall + other.wall, self.cpu + other.cpu)

    def __str__(self) -> str:
        return f"{self.wall:.2f} s (CPU {self.cpu:.2f} s)"

    def judged(self, limit: float, processors: int = 1) -> str:
        """Against a limit: by the clock, or by the CPU time when the machine is busy with something else."""
        busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        found = min(self.wall, self.cpu / processors) if busy else self.wall
        return f"{self}, limit {limit:g} s: {'met' if found < limit else 'MISSED'}{' by CPU time, the machine is busy' if busy else ''}"


def take(action: Callable[..., T], *args: object, **options: object) -> tuple[T, Taken]:
    """Run it once: its result, and what it took."""
    wall, before = time.perf_counter(), os.times()
    result = action(*args, **options)
    after = os.times()
    return result, Taken(time.perf_counter() - wall, sum(after[:4]) - sum(before[:4]))


def seconds(action: Callable[[], object], times: int = 3) -> float:
    """The median CPU time of an action in this process."""
    found = []
    for _ in range(times):
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return statistics.median(found)


def chain(length: int) -> tuple[Expr, Expr]:
    """Two sides of about `length` nodes that differ by commuted products, halved quotients and a branch's form."""
    x, half, two, zero = var("x", F32), const(0.5), const(2.0), const(0.0)
    left = right = x
    while len(topo(left)) < length:
        left = mk("add_rn", mk("mul_rn", left, x), mk("div_rn", left, two))
        right = mk("add_rn", mk("mul_rn", right, half), mk("mul_rn", x, right))
    return mk("select", mk("lt", zero, x), left, x), mk("select", mk("le", x, zero), x, mk("select", mk("is_nan", x), x, right))


def theorem(left: Expr, right: Expr, proof: prove.Proof) -> str:
    """A text for Lean."""
    lines, known = leanprint.shared([left, right, *leanprint.expressions(proof.block)], {var("x", F32): "x0"}, leanprint.Scheme("e", "(x0 : F32)", "x0"))
    body = [f"theorem t (x0 : F32) : Eq {leanprint.text(left, known)} {leanprint.text(right, known)} :=", leanprint.proof(proof.block, known)]
    return HEAD + "\n".join([*lines, *body, "end Bench"]) + "\n"


def by_size(lean: Lean, largest: int) -> None:
    """Proving and Lean's check by the size of the expression."""
    base = 0.0
    for n in (n for n in (10, 25, 50, 100, 200, 400) if n <= largest):
        left, right = chain(n)
        proof, proving = take(prove.prove, left, right)
        if not isinstance(proof, prove.Proof):
            sys.exit(f"{n} nodes: not proved: {proof.reason}")
        text, printing = take(theorem, left, right, proof)
        _, checking = take(accept, lean, text)
        base = base or checking.cpu
        print(f"  {n:4} nodes: {size(proof.block):5} steps, {len(text) / 1000:6.1f} kB, prove {proving}, print {printing}, Lean {checking} "
              f"(x{checking.cpu / base:.1f})")
        if n == 200:
            print(f"  a proof of a 200-node expression: {(proving + printing + checking).judged(PROOF_SECONDS)}")


def accept(lean: Lean, text: str) -> None:
    """Lean checks the theorem; anything else than acceptance ends the run."""
    check = check_text(text, ["Bench.t"], lean=lean)
    if not check.accepted:
        sys.exit(f"Lean does not accept a proof: {check.reason}")


def by_pool() -> None:
    """Proving time with parts of the pool; what is not needed should cost nothing."""
    whole = dict(lemmas.REWRITES)
    left, right = chain(60)
    base = 0.0
    for share in (1.0, 0.5, 0.25):
        for op, rows in whole.items():
            needed = tuple(r for r in rows if r.lean in ("F32.add_self", "Fp.sub_eq_add_neg"))
            others = [r for r in rows if r not in needed]
            lemmas.REWRITES[op] = (*needed, *others[: round(len(others) * share)])
        taken = seconds(lambda: prove.prove(left, right), 5)
        base = base or taken
        print(f"  {sum(map(len, lemmas.REWRITES.values())):4} rewrite rows: prove x{taken / base:.2f}")
    lemmas.REWRITES.update(whole)


def evaluations(lean: Lean, count: int = 300) -> None:
    """Closed evaluations in Lean, each its own step: in the kernel alone, by Lean's own profiler, and with elaboration."""
    sides = [mk(("add_rn", "mul_rn", "div_rn")[k % 3], const(1.0 + k / 7), const(0.1 + k)) for k in range(count)]
    rows = [f"theorem e{k} : Eq {leanprint.text(e, {})} {leanprint.constant(constant(e))} := rfl" for k, e in enumerate(sides)]
    text = HEAD + "\n".join(rows) + "\nend Bench\n"
    check, whole = take(check_text, text, ["Bench.e0"], lean=lean)
    _, empty = take(check_text, f"{HEAD}theorem e0 : Eq 1 1 := rfl\nend Bench\n", ["Bench.e0"], lean=lean)
    if not check.accepted:
        sys.exit(f"Lean does not accept an evaluation: {check.reason}")
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        (Path(folder) / "E.lean").write_text(text, encoding="utf-8")
        ran = run(lean, ["-Dprofiler=true", "E.lean"], folder=Path(folder), search=[leanlib.build_library(lean)], timeout=300, memory_mb=4096)
    said = ran.stdout + ran.stderr
    found = re.search(r"^\s*type checking ([\d.]+)(m?)s", said, re.MULTILINE)
    if found is None:
        sys.exit(f"Lean's profiler says nothing of type checking: {said[-500:]}")
    kernel = float(found[1]) / (1000 if found[2] else 1)
    print(f"  {count}: {count / kernel:.0f} a second in the kernel, {count / (whole.cpu - empty.cpu):.0f} a CPU second with elaboration")


def stages() -> None:
    """Where a verdict's time goes, and Lean's check of the file that it wrote. The verdict runs twice, the second time with everything warm."""
    lean = Lean.bundled()
    with tempfile.TemporaryDirectory(prefix="devsem-") as out:
        for name in TYPICAL:
            request = Request(kernel=EXAMPLES / f"{name}.cu", spec=EXAMPLES / f"{name}.py", devices=("h100",), out=Path(out))
            verify(request, lambda _: None)
            found = verify(request, lambda _: None)[0]
            total = found.seconds["total"]
            print(f"  {name:12} {total:5.2f} s: " + ", ".join(f"{k} {v / total:.0%}" for k, v in found.seconds.items() if k != "total"))
        for file in sorted(Path(out).rglob("*.lean")):
            check_file(file, lean=lean)
            print(f"  {file.name}: Lean's check {take(check_file, file, lean=lean)[1].judged(CHECK_SECONDS)}")


def library(jobs: int = 2) -> None:
    """FloatLib from its sources."""
    texts = {".".join(p.relative_to(counts.SOURCES).with_suffix("").parts): p.read_text(encoding="utf-8") for p in sorted(counts.SOURCES.rglob("*.lean"))}
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        _, found = take(counts.compile_all, texts, Path(folder), jobs)
    print(f"  {len(texts)} modules, {jobs} at a time: {found.judged(LIBRARY_SECONDS, jobs)}")


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--no-library", action="store_true", help="leave out compiling FloatLib from scratch")
    options = parser.parse_args()
    lean = Lean.bundled()
    print(f"stages of a verdict (share of its seconds); load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    stages()
    print("by size of the expression")
    by_size(lean, options.size)
    print("by size of the pool")
    by_pool()
    print("closed evaluations in Lean")
    evaluations(lean)
    if not options.no_library:
        print("FloatLib from scratch")
        library()


if __name__ == "__main__":
    main()
