"""A second thread beside the first, for the gate's questions about races and barriers: which of its unknowns are the first one's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from devsem.expr import Expr, var, variables
from devsem.gate_facts import Ground
from devsem.program import BUILTINS
from devsem.trace_facts import Access, Fact, Induction, Known, Tag, Traced

THREAD = tuple(b for b in BUILTINS if b.name.startswith("threadIdx"))
BLOCK = tuple(b for b in BUILTINS if b.name.startswith("blockIdx"))
MARK = "'"


def path_variables(path: Iterable[Fact], *more: Expr) -> list[Expr]:
    """The variables of a path and of expressions."""
    out = list(variables(*more))
    for fact in path:
        match fact:
            case Induction():
                out += variables(fact.variable, fact.first, fact.step, fact.counter)
            case Known(holds):
                out += variables(holds)
            case Expr():
                out += variables(fact)
    return list(dict.fromkeys(out))


def other(g: Ground, names: Iterable[Expr], *, same_block: bool, same_rounds: frozenset[int], mark: str = MARK) -> dict[Expr, Expr]:
    """What the variables of a path are called in another thread. Variables of the launch, and in one block those that do not vary within it,
    stay; those of a loop's round do so only in the same round."""
    out: dict[Expr, Expr] = {}
    for v in names:
        if v in THREAD or (v in BLOCK and not same_block):
            out[v] = var(v.name + mark, v.sort)
        elif v in g.trace.owner:
            owner = g.trace.owner[v]
            shared = same_block and v not in g.trace.varying and (owner is None or owner in same_rounds)
            if not shared:
                out[v] = var(v.name + mark, v.sort)
    return out


@dataclass(frozen=True)
class Relation:
    """How the rounds of loops with barriers relate in which two accesses lie in one interval: loops in the same round; (loop, which access)
    in the round after the other's; (loop, access) in the first round."""

    same: frozenset[int]
    later: frozenset[tuple[int, int]]
    first: frozenset[tuple[int, int]]


def relations(trace: Traced, a: Access, b: Access) -> Iterator[Relation]:
    """Every way in which two accesses can lie in one interval."""
    seen = set()
    for t in a.tags:
        for u in b.tags:
            if t.barrier == u.barrier:
                found = _relation(trace, (a, t), (b, u))
                if found not in seen:
                    seen.add(found)
                    yield found


def _relation(trace: Traced, *sides: tuple[Access, Tag]) -> Relation:
    common = [n for n in sides[0][0].loops if n in sides[1][0].loops]
    same: list[int] = []
    later: list[tuple[int, int]] = []
    first = [(n, i) for i, (access, tag) in enumerate(sides) for n in access.loops if n in tag.first and trace.rounds[n].barriers]
    for n in common:
        if not trace.rounds[n].barriers or len(same) < common.index(n):
            break       # its rounds are free, and so are those of the loops inside it
        kinds = [(n in tag.later, n in tag.first) for _, tag in sides]
        if kinds[0] == kinds[1]:
            same.append(n)
        elif kinds[0] == (True, False) and kinds[1] == (False, False):
            later.append((n, 0))
        elif kinds[1] == (True, False) and kinds[0] == (False, False):
            later.append((n, 1))
    return Relation(frozenset(same), frozenset(later), frozenset(first))
