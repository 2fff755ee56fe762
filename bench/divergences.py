"""Compare the two readings of every kernel of the corpus: `python bench/divergences.py [--only NAME] [--devices h100,b200] [--folder CASES]`.

For each kernel, device and set of flags: does the text under the profile mean what NVRTC and ptxas made of it? Prints a line for each that is
not shown to agree, and a count. No verdict is decided. docs/divergences.md explains what is printed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from cases import cases

from devsem.compare import compare
from devsem.errors import Rejected, UsageError
from devsem.expr import Expr
from devsem.frontend import capture_process
from devsem.frontend.spec import load_spec
from devsem.goal import make_goal, parse_launch
from devsem.profile import load_profile
from devsem.readings import read_compiled, read_written
from devsem.report import comparison
from devsem.symbolic import Stores

FLAGS = ("", "-fmad=false", "-ftz=true", "-use_fast_math")


@dataclass(frozen=True)
class Job:
    """One kernel with the options that bind it."""

    kernel: Path
    spec: Path
    bind: str | None
    launch: str


def corpus() -> list[Job]:
    """The corpus' kernels that are not refused, each once."""
    found = {c.kernel: Job(c.kernel, c.spec, c.expected.bind, c.expected.launch) for c in cases() if c.expected.verdict != "REJECTED"}
    return list(found.values())


def folder(path: Path, prefix: str) -> list[Job]:
    """`ID/{kernel.cu,spec.py}`."""
    return [Job(d / "kernel.cu", d / "spec.py", None, "1d") for d in sorted(path.glob(f"{prefix}*"))]


def one(job: Job, device: str, flags: str) -> tuple[str, str]:
    """How the readings compare, and a few words."""
    profile, launch = load_profile(device, flags), parse_launch(job.launch)
    try:
        spec, text = load_spec(str(job.spec)), read_written(job.kernel, None)
    except Rejected as rejected:
        return "not read", str(rejected.rejections[0])
    try:
        machine = read_compiled(job.kernel, None, profile, None)
    except Rejected as rejected:
        return "text only", str(rejected.rejections[0])

    def goal(stores: Stores):  # type: ignore[no-untyped-def]
        return make_goal(stores, spec, job.bind, launch, (), str(job.kernel))
    try:
        written, compiled = goal(text.stores), [goal(s) for s in machine.admissible]
    except (Rejected, UsageError) as error:
        return "not read", str(error)
    values: list[tuple[Expr, ...]] = [tuple(o.written for o in g.outputs) for g in compiled]
    found = compare(written, compiled[0], values, profile, None)
    confirmed = "" if machine.confirmed else " (not confirmed in the machine code)"
    return found.result, ("" if found.result == "agree" else comparison(found)) + confirmed


def main() -> None:
    """Print what does not agree, then the count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", default="h100,b200")
    parser.add_argument("--flags", default=",".join(FLAGS), help="sets of flags, separated by commas")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--prefix", default="")
    parser.add_argument("--only", default="")
    o = parser.parse_args()
    capture_process.warm()
    jobs = folder(o.folder, o.prefix) if o.folder else corpus()
    score: Counter[str] = Counter()
    start = time.monotonic()
    for job in (j for j in jobs if o.only in str(j.kernel)):
        for device in o.devices.split(","):
            for flags in o.flags.split(","):
                result, words = one(job, device, flags)
                score[result] += 1
                if result != "agree" or words:
                    print(f"{job.kernel.parent.name}/{job.kernel.stem} {device} {flags or '-'}: {result}: {words[:600]}", flush=True)
    print(f"{sum(score.values())} comparisons in {time.monotonic() - start:.0f} s: " + ", ".join(f"{k} {n}" for k, n in score.most_common()))


if __name__ == "__main__":
    main()
