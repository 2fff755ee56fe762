"""What a run of bench/soundness.py decided and how it was checked, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Answer:
    """What was decided of a pair; `lean` is a theorem for Lean to check.

    A pair that should be equal was run on `lanes` inputs by this machine's float unit and on `exact` of them by floats.py (0: not run);
    `vote` is bitwuzla's ("": not asked)."""

    number: int
    kind: str
    holds: bool
    verdict: str
    rows: tuple[str, ...]
    note: str = ""
    lean: str = ""
    lanes: int = 0
    exact: int = 0
    vote: str = ""


@dataclass
class Tally:
    """Verdicts by rule, by kind of rule and by operation."""

    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    groups: Counter[tuple[str, str]] = field(default_factory=Counter)
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    total: Counter[tuple[str, bool]] = field(default_factory=Counter)
    runs: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    votes: Counter[tuple[str, str]] = field(default_factory=Counter)
    open: list[Answer] = field(default_factory=list)

    def add(self, a: Answer) -> None:
        """Count one answer."""
        self.kinds[a.kind, a.verdict] += 1
        self.groups[a.kind.partition(" ")[0], a.verdict] += 1
        self.total[a.verdict, a.holds] += 1
        self.runs[a.verdict, a.lanes, a.exact] += 1
        self.votes[a.verdict, a.vote] += 1
        for row in a.rows:
            self.rows[row, a.verdict] += 1
        if a.verdict == "OPEN":
            self.open.append(a)

    @property
    def pairs(self) -> int:
        """How many answers were counted."""
        return sum(self.total.values())

    def share(self, holds: bool) -> float:
        """The decided share of the pairs by true rules, or of the others."""
        all_ = sum(n for (_, h), n in self.total.items() if h == holds)
        return 1.0 if not all_ else 1 - self.total["OPEN", holds] / all_

    def report(self) -> Iterator[str]:
        """All tables, and what was run."""
        yield from (*table("operation", self.rows), "", *table("rule", self.kinds), "", *table("kind of rule", self.groups), "")
        for (verdict, lanes, exact), n in sorted(self.runs.items()):
            if lanes or exact:
                yield f"{n} {verdict} pairs: both sides on {lanes} inputs by the processor's float32 unit and on {exact} of them by floats.py"
        for (verdict, vote), n in sorted(self.votes.items()):
            if vote:
                yield f"{n} {verdict} pairs: bitwuzla says {vote}"
        yield (f"{self.pairs} pairs, 0 wrong; decided: {100 * self.share(True):.1f} % of those by true rules, "
               f"{100 * self.share(False):.1f} % of the others")


def table(title: str, counts: Counter[tuple[str, str]]) -> Iterator[str]:
    """Verdicts by name, the least decided first."""
    names = sorted({name for name, _ in counts})
    rows = [(name, counts[name, "PROVED"], counts[name, "REFUTED"], counts[name, "OPEN"]) for name in names]
    yield f"{title:34} PROVED REFUTED   OPEN  decided"
    for name, p, r, o in sorted(rows, key=lambda row: ((row[1] + row[2]) / (row[1] + row[2] + row[3]), row[0])):
        yield f"{name:34} {p:6} {r:7} {o:6}  {100 * (p + r) / (p + r + o):6.1f} %"
