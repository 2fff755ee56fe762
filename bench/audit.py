"""Audit the ten example kernels over four flag sets and three architectures, and print the seconds (issue 4: under 60 on two cores).

    python bench/audit.py [--timeout 2] [--table]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from devsem import audit_report, report
from devsem.audit import audit, devices_of
from devsem.request import Request

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
FLAGS = ("", "-ftz=true", "-use_fast_math", "-fmad=false")
ARCHS = ("sm_75", "sm_90", "sm_100")
LIMIT = 60.0


def main() -> None:
    """A line a kernel, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds for one question, after the quick try")
    parser.add_argument("--table", action="store_true", help="print each audit too")
    options = parser.parse_args()
    kernels = sorted([*EXAMPLES.glob("*.cu"), *(EXAMPLES / "audit").glob("*.cu")])
    start, cells = time.perf_counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel in kernels:
            request = Request(kernel=kernel, spec=kernel.with_suffix(".py"), devices=devices_of(ARCHS), reading="compiled", out=Path(folder),
                              timeout=options.timeout)
            found = audit(request, FLAGS, (), lambda _: None)
            cells += len(found.cells)
            verdicts = Counter(c.verdict.verdict for c in found.cells)
            against = Counter(a.result for c in found.cells for a in c.against)
            words = {k: found.seconds.get(k, 0.0) for k in ("spec", "compile", "read", "prove", "refute", "readings")}
            print(f"{kernel.stem:14} {found.seconds['total']:6.2f} s  {dict(verdicts)}  {dict(against)}  {words}", flush=True)
            if options.table:
                audit_report.show(found, report.console(sys.stdout))
    seconds = time.perf_counter() - start
    print(f"{len(kernels)} kernels, {cells} cells: {seconds:.1f} s, limit {LIMIT:.0f} s: {'met' if seconds <= LIMIT else 'NOT met'}")


if __name__ == "__main__":
    main()
