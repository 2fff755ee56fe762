"""The order of evaluation, where C leaves it open: operands are translated from left to right, and refused where another order would differ.

An operand may change variables or memory (`i++`, a call that stores); no other operand of the same operator may then depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from devsem import program as p
from devsem.expr import Expr, variables
from devsem.frontend.cuda_clang import Cursor
from devsem.frontend.cuda_objects import Object, expressions
from devsem.frontend.cuda_scope import State
from devsem.program import Statement, target, walk

T = TypeVar("T", bound=Object | None)
EVERYWHERE = "*"        # what a barrier touches
Touched = set[Expr | str]


def operands(state: State, cursor: Cursor, thunks: Sequence[Callable[[], T]]) -> list[T]:
    """What each of some operands is; their statements are in the order of the operands."""
    mark, out, bodies = len(state.order), [], []
    for thunk in thunks:
        with state.block() as body:
            out.append(thunk())
        bodies.append(body)
    changed = [changes(body, state, mark) for body in bodies]
    if any(changed):
        read = [reads(body) | set(variables(*(() if v is None else expressions(v)))) for body, v in zip(bodies, out, strict=True)]
        if any(_meet(c, read[j] | changed[j]) for i, c in enumerate(changed) for j in range(len(out)) if i != j):
            state.refuse("cuda.side_effect", cursor)
    for body in bodies:
        state.blocks[-1].extend(body)
    return out


def _meet(changed: Touched, other: Touched) -> bool:
    both = {x for x in changed | other if isinstance(x, str)}
    return bool(changed & other) or (EVERYWHERE in both and any(isinstance(x, str) for x in changed) and any(isinstance(x, str) for x in other))


def changes(body: Sequence[Statement], state: State, mark: int) -> Touched:
    """The variables, made before `mark`, and the buffers that some statements change."""
    return set(_changes(body, state, mark))


def _changes(body: Sequence[Statement], state: State, mark: int) -> Iterator[Expr | str]:
    for s in walk(body):
        v = target(s)
        if v is not None and state.order.get(v, -1) < mark:
            yield v
        if isinstance(s, p.Store):
            yield s.buffer
        if isinstance(s, p.Barrier | p.Shuffle):
            yield EVERYWHERE


def reads(body: Sequence[Statement]) -> Touched:
    """The variables and buffers that some statements read."""
    out: Touched = set()
    for s in walk(body):
        out.update(variables(*p.expressions(s)))
        if isinstance(s, p.Load):
            out.add(s.buffer)
    return out
