"""Decides goals once each, while Lean judges earlier ones: the search runs in this thread, Lean in processes beside it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from devsem import decide, leancheck
from devsem.decide import Decision
from devsem.expr import Expr, topo
from devsem.goal import Goal
from devsem.heads import Clock
from devsem.leancheck import Check
from devsem.pipeline import Question
from devsem.profile import Profile

T = TypeVar("T")
WORKERS = 2


@dataclass(frozen=True)
class Ruled:
    """A decision, and Lean's answer about it when it comes."""

    decision: Decision
    check: Future[Check] | None
    lean_file: str
    seconds: dict[str, float]

    def settled(self) -> tuple[Decision, str]:
        """The decision as Lean leaves it, and the file with its text."""
        if self.check is None:
            return self.decision, ""
        check = self.check.result()
        return (self.decision if check.accepted else decide.not_accepted(self.decision, check.reason, "")), self.lean_file


@dataclass
class Judge:
    """Decides goals, and has Lean judge them."""

    question: Question
    clock: Clock
    known: dict[object, object] = field(default_factory=dict)
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(WORKERS))

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.pool.shutdown(cancel_futures=True)

    def progress(self, text: str) -> None:
        """Say what is done now."""
        self.question.progress(text)

    def remembered(self, key: object, make: Callable[[], T]) -> T:
        """What `make` gives, made once for each key."""
        if key not in self.known:
            self.known[key] = make()
        found: T = self.known[key]  # type: ignore[assignment]
        return found

    def rule(self, name: str, goal: Goal, profile: Profile, admissible: Sequence[tuple[Expr, ...]]) -> Ruled:
        """The decision on a goal: of equal goals, and profiles that make no difference to it, the first one's."""
        rows = any(n.op[:2] in ("D.", "S.") for n in topo(*(e for v in admissible for e in v), *(o.spec for o in goal.outputs)))
        key = ("goal", tuple(admissible), tuple(o.spec for o in goal.outputs), goal.index, goal.guard, goal.size, goal.notes,
               tuple(goal.scalars.items()), profile.ftz, profile.fields["window"].evidence, profile.arch if rows else "")
        return self.remembered(key, lambda: self._rule(name, goal, profile, admissible))

    def _rule(self, name: str, goal: Goal, profile: Profile, admissible: Sequence[tuple[Expr, ...]]) -> Ruled:
        request, start = self.question.request, time.perf_counter()
        decision = decide.decide_compiled(goal, profile, admissible, request.equality, request.timeout, self.clock.stage)
        seconds = {"total": round(time.perf_counter() - start, 3)}
        if decision.lean is None:
            return Ruled(decision, None, "", seconds)
        path = self._path(name, decision.lean.text)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(decision.lean.text, encoding="utf-8")
        check = self.pool.submit(leancheck.check_text, decision.lean.text, decision.lean.theorems, lean=self.question.lean, timeout=max(60.0, request.timeout))
        return Ruled(decision, check, str(path), seconds)

    def _path(self, name: str, text: str) -> Path:
        """Where the text goes: named by its cell, and by itself, so that no two share a file."""
        words = "".join(c if c.isalnum() else "_" for c in name).strip("_")
        return self.question.request.out / f"{self.question.request.kernel.stem}-{words}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.lean"
