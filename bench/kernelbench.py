"""Run KernelBench-style pairs (`DIR/NAME/{problem.py,solution.py}`) as a user does, without flags, and print what became of each.

    python bench/kernelbench.py tests/kernelbench [--only 2] [--device h100] [--timeout 20]

A solution's first line may say what a person expects: `# devsem: safety=PASS truth=equal` (truth under IEEE arithmetic, as written: equal,
differs or unknown), `# devsem: safety=FAIL`, `# devsem: reject=cuda.atomic@12`. What contradicts it is marked with `!`, and ends in exit code 1.
"""

from __future__ import annotations

import argparse
import functools
import shlex
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devsem.errors import Rejected, Rejection, UsageError
from devsem.frontend.host_load import PlannedKernel, init_of, load_plan, placed_of, tensors_of
from devsem.frontend.spec import load_graph
from devsem.request import Request
from devsem.solutions import verify

MARK, TRUTHS, SAFETY = "# devsem:", ("equal", "differs", "unknown"), ("PASS", "FAIL")


@dataclass(frozen=True)
class Expected:
    """What a person expects of a solution; `reject`: the refusal's code and line. Empty: nothing is expected."""

    safety: str = ""
    truth: str = ""
    reject: str = ""

    def __post_init__(self) -> None:
        if self.safety not in ("", *SAFETY) or self.truth not in ("", *TRUTHS) or (self.reject and (self.safety or self.truth or "@" not in self.reject)):
            raise ValueError(f"an expectation that says nothing: {self}")


@dataclass(frozen=True)
class Row:
    """What became of a pair. `launches`: how many kernels are launched; `bound`: of the spec's tensors, how many the launches take; `first`: the
    first refusal, or the verdict's reason."""

    name: str
    launches: int
    bound: str
    safety: str
    verdict: str
    seconds: float
    first: str
    wrong: str = ""

    @property
    def is_parsed(self) -> bool:
        """Is the solution read?"""
        return self.launches > 0

    def line(self) -> str:
        """As a line of the table."""
        told = f"!{self.wrong}  " if self.wrong else ""
        return (f"{self.name:30} {'yes' if self.is_parsed else 'no':6} {self.bound:5} {self.launches:8} {self.safety:7} {self.verdict:9} {self.seconds:7.1f}  "
                f"{told}{self.first}")


HEAD = f"{'pair':30} {'parsed':6} {'bound':5} {'launched':>8} {'gated':7} {'verdict':9} {'seconds':>7}  first refusal or reason"


def expected(solution: Path) -> Expected:
    """The expectation in a solution's first line; ValueError where it is not understood."""
    first = solution.read_text(encoding="utf-8").partition("\n")[0]
    if not first.startswith(MARK):
        return Expected()
    words = dict(w.split("=", 1) for w in shlex.split(first.removeprefix(MARK)))
    return Expected(**words)


def pairs(root: Path) -> Iterator[Path]:
    """The folders of pairs, by name."""
    return iter(sorted(p for p in root.iterdir() if (p / "problem.py").is_file() and (p / "solution.py").is_file()))


def run(pair: Path, device: str, timeout: float) -> Row:
    """Decide one pair."""
    start = time.perf_counter()
    launches, bound, safety, verdict, first = 0, "", "", "", ""
    where: tuple[Rejection, ...] = ()
    try:
        plan = loaded(pair)
        launches, bound = len(plan.programs), said_bound(pair, plan)
    except Rejected as rejected:
        where = rejected.rejections
    except UsageError as error:
        first = str(error)
    with tempfile.TemporaryDirectory() as out:
        try:
            made = verify(Request(kernel=pair / "solution.py", spec=pair / "problem.py", devices=(device,), out=Path(out), timeout=timeout), lambda _: None)[0]
            safety, verdict, where = made.safety.verdict, made.verdict, made.rejections or where
            first = str(where[0]) if where else made.reason.partition("\n")[0]
        except UsageError as error:
            verdict, first = "USAGE", str(error)
        except Exception:
            verdict, first = "CRASH", traceback.format_exc(limit=-2).replace("\n", " | ")
    row = Row(pair.name, launches, bound, safety, verdict, time.perf_counter() - start, first)
    return Row(**{**vars(row), "wrong": contradiction(row, where, expected(pair / "solution.py"))})


@functools.cache
def graph_of(pair: Path) -> Mapping[str, Any]:
    """The problem, captured once."""
    return load_graph(str(pair / "problem.py"), timeout=120.0)


def loaded(pair: Path) -> PlannedKernel:
    """The solution's plan at the problem's sizes. Raises Rejected and UsageError."""
    graph = graph_of(pair)
    return load_plan(pair / "solution.py", tensors_of(graph), init_of(graph), None, placed_of(graph))


def said_bound(pair: Path, plan: PlannedKernel) -> str:
    """How many of the spec's tensors the launches take, of how many."""
    taken = {a for x in plan.plan.launches for a in x.arguments if isinstance(a, str)}
    names = {i.name for i in tensors_of(graph_of(pair))}
    return f"{len({spec for host, spec in plan.plan.bindings.items() if host in taken} & names)}/{len(names)}"


def contradiction(row: Row, where: tuple[Rejection, ...], wanted: Expected) -> str:
    """What of a row is not as expected; empty where all is."""
    if row.verdict == "CRASH":
        return "crashed"
    if wanted.reject:
        code, _, line = wanted.reject.partition("@")
        is_it = row.verdict == "REJECTED" and bool(where) and where[0].code == code and where[0].where.line == int(line)
        return "" if is_it else f"expected {wanted.reject}"
    if wanted.safety and row.safety != wanted.safety:
        return f"safety is {wanted.safety}"
    lies = {"equal": "REFUTED", "differs": "PROVED"}.get(wanted.truth, "")
    return f"truth is {wanted.truth}" if row.verdict == lies and wanted.safety == "PASS" else ""


def totals(rows: list[Row]) -> str:
    """Counts for the last line."""
    verdicts, safeties = Counter(r.verdict for r in rows), Counter(r.safety for r in rows if r.is_parsed)
    said = ", ".join(f"{k} {n}" for k, n in sorted(verdicts.items()))
    return (f"{len(rows)} pairs: parsed {sum(r.is_parsed for r in rows)}, launched {sum(r.launches for r in rows)} kernels, gated "
            f"{', '.join(f'{k or None} {n}' for k, n in sorted(safeties.items()))}; {said}; not as expected {sum(bool(r.wrong) for r in rows)}; "
            f"{sum(r.seconds for r in rows):.0f} s")


def main() -> None:
    """Print a line a pair, then the totals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="pairs whose names begin so, separated by commas")
    parser.add_argument("--device", default="h100")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--width", type=int, default=200)
    options = parser.parse_args()
    print(HEAD, flush=True)
    rows = []
    for pair in pairs(options.folder):
        if pair.name.startswith(tuple(options.only.split(","))):
            rows.append(run(pair, options.device, options.timeout))
            print(rows[-1].line()[: 86 + options.width], flush=True)
    print(totals(rows))
    sys.exit(1 if any(r.wrong for r in rows) else 0)


if __name__ == "__main__":
    main()
