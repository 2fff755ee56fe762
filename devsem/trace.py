"""One symbolic thread of a kernel with loops, arrays and barriers: every access with the facts that lead to it.

Integers are wrap-around words over parameters, builtins and the variables of loops. A loop is run once for all its rounds
(`trace_loop.py`): a variable that grows by the same amount in every round is `first + round × step`, any other one that a round changes is
unknown. What is not understood is named in `Traced.open`; no access is ever left out, and a path says at most as much as really holds.

Barriers cut a thread into intervals. An access carries `Tag`s: the barriers that may be the last one before it, and in which round.
"""

from __future__ import annotations

from devsem import program as p
from devsem.expr import Expr
from devsem.simplify import TRUE
from devsem.trace_facts import Traced
from devsem.trace_loop import loop
from devsem.trace_run import Run, State, block


def trace(program: p.Program, fixed: dict[Expr, Expr] | None = None) -> Traced:
    """What one thread does; `fixed` gives parameters and builtins, such as blockDim.x, as expressions of other variables."""
    given = fixed or {}
    spaces: dict[str, str] = {a.name: a.space for a in program.arrays}
    run = Run(spaces, loop)
    scalars = {v: given.get(v, v) for v in (*p.BUILTINS, *(q.expr for q in program.params if not q.is_buffer))}
    state = State((), scalars)
    for s in program.body:
        state = block((s,), state, run)
        if not state.live.is_const:
            state.path, state.live = state.here, TRUE
    return Traced(tuple(run.accesses), tuple(run.meetings), tuple(run.operations), dict(run.rounds), tuple(run.open), frozenset(run.varying),
                  dict(run.owner))
