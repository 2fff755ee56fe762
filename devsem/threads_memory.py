"""The cells of one buffer or array while a launch runs: what each holds, whether anything wrote it, and who touched it.

A cell of floats holds a written expression; a value that another thread wrote, and a constant that is one only at run time, is read as
`w_hold` of it, because the compiler cannot compute with it. A large buffer keeps only the cells that are touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from devsem.evaluate import DTYPE
from devsem.expr import Expr, const, const_int, mk
from devsem.instance import Initial, element
from devsem.ops import B32, B64, BOOL, F32, Sort
from devsem.simplify import FALSE, TRUE, make
from devsem.threads_races import NOBODY, Log
from devsem.threads_reach import impossible

Array = npt.NDArray[Any]
DENSE = 1 << 20             # cells; of a larger buffer only the touched ones are kept
UNSET, PARTLY, SET = 0, 1, 2


def hold(value: Expr) -> Expr:
    """The same value, which the compiler does not see through."""
    return value if value.op in ("w_hold", "var") else mk("w_hold", value)


@dataclass
class Cells:
    """`rows` parts (one for global memory, one a block for shared, one a thread for local) of `elements` cells each."""

    name: str
    sort: Sort
    space: Literal["global", "shared", "local"]
    rows: int
    elements: int
    per_block: int
    initial: Initial = "empty"
    tensor: str = ""
    before: Sequence[Expr | None] | None = None
    partly: dict[int, Expr] = field(default_factory=dict)       # of cells written under a condition on floats: when they are written
    soft: dict[int, Expr] = field(default_factory=dict)         # of cells touched under such a condition: when
    places: dict[int, int] = field(default_factory=dict)        # of a large buffer: where a touched cell is kept

    def __post_init__(self) -> None:
        self.sparse = self.rows * self.elements > DENSE
        size = 1024 if self.sparse else self.rows * self.elements
        self.data: Array = np.full(size, None, object) if self.sort in (F32, BOOL) else np.zeros(size, DTYPE[self.sort])
        self.state = np.full(size, UNSET if self.initial == "empty" else SET, np.uint8)
        self.noted = self.space != "local"
        self.log = Log(size if self.noted else 0, self.per_block)
        if self.before is not None:
            self.data[:] = list(self.before) if self.sort == F32 else [0 if v is None else v.value for v in self.before]
            self.state[:] = [UNSET if v is None else SET for v in self.before]

    def begin(self, name: str, per_block: int, stored: bool) -> None:
        """A launch begins, by blocks of `per_block` threads; the kernel calls the buffer `name`. What was written before is there. Accesses
        to what the launch only reads are not noted."""
        self.name, self.per_block, self.noted = name, per_block, stored
        self.log = Log(len(self.state) if stored else 0, per_block)
        self.soft.clear()

    def slots(self, rows: Array, index: Array) -> Array:
        """Where the cells are kept, for indices within bounds."""
        found = rows * self.elements + index if self.space != "global" else index
        if not self.sparse:
            return found
        where = [self.places.setdefault(i, len(self.places)) for i in found.tolist()]
        while len(self.places) > len(self.state):
            self._grow(2 * len(self.state))
        return np.array(where, np.int64)

    def _grow(self, size: int) -> None:
        more = size - len(self.state)
        self.data = np.concatenate([self.data, np.full(more, None, object) if self.data.dtype == object else np.zeros(more, self.data.dtype)])
        self.state = np.concatenate([self.state, np.full(more, UNSET if self.initial == "empty" else SET, np.uint8)])
        if self.noted:
            self.log.grow(size)

    def was(self, index: int) -> Expr:
        """What a cell of a tensor held before the launch."""
        return element(self.tensor, index) if self.initial == "input" else const(0.0)

    def unset(self, slots: Array) -> Array:
        """Which cells nothing wrote, or not for certain."""
        out: Array = self.state[slots] != SET
        return out

    def missing(self, slot: int, guard: Expr) -> Expr:
        """When a cell is not written although `guard` holds."""
        state = self.state[slot]
        return guard if state == UNSET else FALSE if state == SET else make("and", guard, make("not", self.partly[slot]))

    def read(self, slots: Array, index: Array, threads: Array, forwarded: Callable[[Expr], None]) -> Array:
        """The values that threads find. `forwarded` is told of every expression that a thread gets back which it stored itself."""
        found = self.data[slots]
        if self.sort != F32:
            return found
        own = self.log.writer[slots] == threads if self.noted else np.full(len(slots), self.space == "local")
        got = found != np.array(None)
        for k in np.flatnonzero(own & got).tolist():
            forwarded(found[k])
        for k in np.flatnonzero(~(own & got)).tolist():
            found[k] = hold(self.was(int(index[k])) if found[k] is None else found[k])
        return found

    def write(self, slots: Array, index: Array, threads: Array, values: Array, guards: dict[int, Expr]) -> None:
        """Store; `guards` has, by position, the condition on floats where there is one: otherwise the cell keeps what it has."""
        for k, guard in guards.items():
            slot = int(slots[k])
            state, old = self.state[slot], self.data[slot]
            if state == UNSET:
                self.partly[slot] = guard
                continue
            if self.sort == F32 and values[k] is not None:
                own = self.space == "local" or self.log.writer[slot] == threads[k]
                old = self.was(int(index[k])) if old is None else old
                values[k] = make("select", guard, values[k], old if own and not old.is_const else hold(old))
            elif self.sort == BOOL:
                values[k] = make("select_bool", guard, values[k], old)
            if state == PARTLY:
                self.partly[slot] = make("or", guard, self.partly[slot])
        self.data[slots] = values
        if not guards and not self.partly:
            self.state[slots] = SET
            return
        for k, slot in enumerate(slots.tolist()):
            guard = guards.get(k, TRUE)
            if guard is TRUE or (slot in self.partly and self.partly[slot] is TRUE):
                self.state[slot] = SET
                self.partly.pop(slot, None)
            elif self.state[slot] == UNSET:
                self.state[slot] = PARTLY

    def settle(self) -> None:
        """Find the cells that are written under conditions of which one always holds."""
        for slot, guard in list(self.partly.items()):
            if impossible(make("not", guard)):
                self.state[slot] = SET
                del self.partly[slot]

    def unknown(self, slots: Array) -> Array:
        """Which cells hold an integer of an input tensor."""
        given = self.sort in (B32, B64) and self.initial == "input" and self.before is None
        out: Array = np.full(len(slots), given) & (self.log.writer[slots] == NOBODY if self.noted else True)
        return out

    def final(self) -> tuple[Expr | None, ...]:
        """What a tensor holds at the end; None where nothing was ever written, and for an integer that it held before."""
        if self.sparse:
            return ()
        slots = np.arange(len(self.state))
        missing = (self.state != SET) | (self.unknown(slots) if self.space == "global" else False)
        if self.sort in (B32, B64):
            return tuple(None if m else const_int(self.sort, v) for m, v in zip(missing.tolist(), self.data.tolist(), strict=True))
        return tuple(None if m else self.was(i) if v is None else v for i, (m, v) in enumerate(zip(missing.tolist(), self.data.tolist(), strict=True)))
