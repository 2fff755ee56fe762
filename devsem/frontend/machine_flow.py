"""Which definitions of a register reach a use, in PTX as in machine code, guards and branches taken into account.

A definition guarded by `P0` does not end the search; one guarded by `P0` and one by `!P0` together do. What a branch or the user's own
guard says of a predicate holds back to the instruction that set it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

UNDEFINED = -1


@dataclass(frozen=True)
class Step:
    """One instruction: the registers it writes, its guard ("P0", "!P0", or ""), where it goes on, with the condition of each way, and
    what must hold for a predicate that it writes to be true (`ISETP.GT.AND P1, PT, a, b, P0`: P1 needs P0), or false (`OR`: !P1 needs !P0)."""

    writes: tuple[str, ...] = ()
    guard: str = ""
    follow: tuple[tuple[int, str], ...] = ()
    needs: tuple[tuple[str, str], ...] = ()


def opposite(guard: str) -> str:
    """The guard that holds when this one does not."""
    return guard[1:] if guard.startswith("!") else f"!{guard}"


@dataclass
class Reach:
    """The reaching definitions of a sequence of steps, step 0 being the entry."""

    steps: Sequence[Step]
    before: list[list[tuple[int, str]]] = field(default_factory=list)
    found: dict[tuple[str, int, frozenset[str]], frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.before = [[] for _ in self.steps]
        for n, step in enumerate(self.steps):
            for to, condition in step.follow:
                if to < len(self.steps):
                    self.before[to].append((n, condition))

    def __call__(self, register: str, at: int, false: frozenset[str] = frozenset()) -> frozenset[int]:
        """The steps whose write of `register` may be what step `at` reads, where the guards `false` do not hold; `UNDEFINED` if there may be none."""
        guard = self.steps[at].guard
        false = false | {opposite(guard)} if guard else false
        return self._found(register, at, self._with_needs(at, false))

    def _found(self, register: str, at: int, false: frozenset[str]) -> frozenset[int]:
        key = (register, at, false)
        if key not in self.found:
            self.found[key] = self._search(register, at, false)
        return self.found[key]

    def _with_needs(self, at: int, false: frozenset[str]) -> frozenset[str]:
        """What else is false, since a predicate that is true needed its opposite when it was set, and that has not been set since."""
        work = [opposite(g) for g in false]
        while work:
            predicate = work.pop()
            definitions = self._found(predicate.removeprefix("!"), at, frozenset())
            for n in definitions if len(definitions) == 1 and UNDEFINED not in definitions else ():
                for written, need in self.steps[n].needs:
                    name = need.removeprefix("!")
                    same = name not in self.steps[n].writes and self._found(name, at, frozenset()) == self._found(name, n, frozenset())
                    if written == predicate and same and opposite(need) not in false:
                        false |= {opposite(need)}
                        work.append(need)
        return false

    def _search(self, register: str, at: int, false: frozenset[str]) -> frozenset[int]:
        out: set[int] = set()
        seen = {(at, false)}
        work = [(at, false)]
        while work:
            position, known = work.pop()
            if position == 0:
                out.add(UNDEFINED)
            for n, condition in self.before[position]:
                if condition in known:
                    continue
                state = self._through(register, n, known | {opposite(condition)} if condition else known, out)
                if state is not None and (n, state) not in seen:
                    seen.add((n, state))
                    work.append((n, state))
        return frozenset(out - {UNDEFINED} or out)

    def _through(self, register: str, n: int, known: frozenset[str], out: set[int]) -> frozenset[str] | None:
        """What is known to be false before step n, or None where the search ends there."""
        step = self.steps[n]
        if step.guard and {step.guard, opposite(step.guard)} <= known:
            return None     # no execution comes this way
        if register in step.writes and step.guard not in known:
            out.add(n)
            if not step.guard or opposite(step.guard) in known:
                return None
            known = known | {step.guard}
        return frozenset(g for g in known if g.removeprefix("!") not in step.writes)
