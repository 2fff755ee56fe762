"""A branch on a condition on floats: its threads take both sides, one after the other, and what differs afterwards is a `select`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.expr import Expr
from devsem.ops import BOOL, F32
from devsem.simplify import FALSE, TRUE, make
from devsem.threads_eval import objects, symbolic
from devsem.threads_state import State

Array = npt.NDArray[Any]
Saved = dict[Expr, tuple[Array | None, Array, Array]]       # by variable: values, which of them are set, which are torn


@dataclass
class Fork:
    """Threads that take both sides of a branch; `conditions` by lane."""

    state: State
    conditions: dict[int, Expr]

    def __post_init__(self) -> None:
        self.lanes = np.array(list(self.conditions), np.int64)
        self.base = {n: self.state.guards.get(n, TRUE) for n in self.conditions}

    def run(self, then: Callable[[Array], Array], other: Callable[[Array], Array], variables: list[Expr]) -> tuple[Array, Array, Array]:
        """Both sides; `then` and `other` run some lanes of the fork, beside others that take this side only, and give the lanes that come to
        its end. `variables`: what the sides may set. The lanes of the fork that go on behind it, and those others of each side."""
        state = self.state
        before = self.saved(variables)
        after_then = then(self.enter(False))
        values, ends = self.saved(variables), self.guards()
        self.restore(before)
        state.gone[self.lanes] = False
        after_other = other(self.enter(True))
        reached = [np.isin(self.lanes, after) for after in (after_then, after_other)]
        for k, n in enumerate(self.lanes.tolist()):
            g, c, end = self.base[n], self.conditions[n], state.guards.get(n, TRUE)
            if reached[0][k] and reached[1][k]:
                whole = (ends[n], end) == (make("and", g, c), make("and", g, make("not", c)))
                self.guard(n, g if whole else make("or", ends[n], end))
            elif reached[0][k]:
                self.guard(n, ends[n])
        self.join(values, reached[0], reached[1])
        lasting = reached[0] | reached[1]
        state.gone[self.lanes] = ~lasting
        return self.lanes[lasting], np.setdiff1d(after_then, self.lanes), np.setdiff1d(after_other, self.lanes)

    def enter(self, opposite: bool) -> Array:
        """Put the threads under the condition of one side; those that can be there."""
        for n, c in self.conditions.items():
            self.guard(n, make("and", self.base[n], make("not", c) if opposite else c))
        return self.lanes[[g is not FALSE for g in self.guards().values()]]

    def guards(self) -> dict[int, Expr]:
        """The condition that each thread is under."""
        return {n: self.state.guards.get(n, TRUE) for n in self.conditions}

    def guard(self, lane: int, condition: Expr) -> None:
        """Put a thread under a condition."""
        if condition is TRUE:
            self.state.guards.pop(lane, None)
        else:
            self.state.guards[lane] = condition

    def saved(self, variables: list[Expr]) -> Saved:
        """What these threads have in some variables."""
        out: Saved = {}
        for v in variables:
            held = self.state.held(v)
            out[v] = (None if held.values is None else held.values[self.lanes], held.set[self.lanes], held.torn[self.lanes])
        return out

    def restore(self, saved: Saved) -> None:
        """Give it back to them."""
        for v, (values, known, torn) in saved.items():
            held = self.state.held(v)
            held.set[self.lanes], held.torn[self.lanes] = known, torn
            if values is not None and held.values is not None:
                held.values[self.lanes] = objects(symbolic(values)) if held.values.dtype == object and values.dtype == np.bool_ else values

    def join(self, then: Saved, by_then: Array, by_other: Array) -> None:
        """The variables behind the branch: of the one side that goes on, or a choice where both do and they differ."""
        both = by_then & by_other
        only = by_then & ~by_other
        for v, (values, known, torn) in then.items():
            held = self.state.held(v)
            held.set[self.lanes] = np.where(both, known & held.set[self.lanes], np.where(only, known, held.set[self.lanes]))
            held.torn[self.lanes] = np.where(both, torn | held.torn[self.lanes], np.where(only, torn, held.torn[self.lanes]))
            if values is None or held.values is None:
                continue
            if v.sort == BOOL:
                values = objects(symbolic(values))
                held.values = objects(symbolic(held.values)) if held.values.dtype == np.bool_ else held.values
            for k in np.flatnonzero(by_then & held.set[self.lanes]).tolist():
                n = int(self.lanes[k])
                if only[k]:
                    held.values[n] = values[k]
                elif v.sort in (F32, BOOL):
                    held.values[n] = make("select" if v.sort == F32 else "select_bool", self.conditions[n], values[k], held.values[n])
                elif values[k] != held.values[n]:
                    held.torn[n] = True
