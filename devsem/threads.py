"""Every thread of one concrete launch: what goes wrong in it, or what memory holds at its end.

Integers are computed as C computes them, floats stay written expressions over the elements of the input tensors, so that a profile can
lower them later. No address, trip count or barrier depends on a float (such programs are refused by name), so a run without a fault
is a proof that this launch has none, for all inputs: see `Outcome.complete`.

>>> from devsem.expr import const, mk
>>> from devsem.instance import Extent
>>> from devsem.program import BUILTINS, Param, Store
>>> i = next(b for b in BUILTINS if b.name == "threadIdx.x")
>>> k = Program("k", (Param("y", "float*"),), (Store("y", i, const(1.0)),))
>>> print(run(k, Instance((1, 1, 1), (4, 1, 1), 0, {"y": Extent("y", 3, "empty")}, {})).fault)
: out of bounds: thread (3, 0, 0) of block (0, 0, 0) writes y[3]; y has 3 elements (with elements of y = 3, gridDim.x = 1, blockDim.x = 4)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from devsem.errors import Bug, Rejected, Where
from devsem.expr import WIDTH, Expr
from devsem.instance import Extent, Instance
from devsem.ops import Sort
from devsem.program import SCALARS, Param, Program
from devsem.simplify import FALSE, TRUE
from devsem.threads_doubts import doubts
from devsem.threads_fault import LaunchFault, Stop
from devsem.threads_memory import PARTLY, UNSET, Cells
from devsem.threads_run import Function, Within, block
from devsem.threads_state import State

__all__ = ["LIMIT", "LaunchFault", "Outcome", "complete", "run"]

LIMIT = 20_000_000          # steps: 1 for each thread of each statement (4 with values), and 64 for each statement
SIDE_BY_SIDE = 1 << 14      # threads of blocks that run side by side, at least one block's


@dataclass(frozen=True)
class Outcome:
    """What a launch left. `fault`: the first one, or one that is merely `possible`, or the step limit.

    `memory`: by tensor that the kernel may write, its elements at the end, in written rows; None where nothing was written. Only where
    `fault` is None and values were asked for. `complete`: every thread was run, and none does anything wrong, whatever the inputs.
    `doubts`: why the values may be fused in more ways than `lower.prepare` finds in them; with such, a profile that contracts decides
    nothing. `steps`: statements, times threads.
    """

    fault: LaunchFault | None
    memory: Mapping[str, tuple[Expr | None, ...]]
    complete: bool
    doubts: tuple[str, ...]
    steps: int

    @property
    def ambiguous(self) -> bool:
        """Are there doubts?"""
        return bool(self.doubts)


def run(program: Program, instance: Instance, *, values: bool = True, limit: int = LIMIT, blocks: Sequence[int] | None = None,
        before: Mapping[str, Sequence[Expr | None]] | None = None, written: frozenset[str] | None = None) -> Outcome:
    """Run a launch. Raises Rejected for what depends on floats and may not.

    `values`: keep the floats; without, faults are found faster, but those under a condition on floats are only `possible`. `limit`: steps
    (see LIMIT). `blocks`: run only these (by linear number): finds faults, is never complete, and has no memory. `before`: by tensor what
    is in it, for launches after others; None where nothing was written. `written`: the tensors that this launch must fill, of which every
    element is checked; otherwise those that are empty before it and that it may write.
    """
    memory = _memory(program, instance, before or {})
    size = instance.threads
    chosen = range(instance.blocks) if blocks is None else blocks
    at_once = max(SIDE_BY_SIDE // size, 1)
    possible: list[LaunchFault] = []
    found = dict.fromkeys(doubts(program)) if values else {}
    spent = steps = 0
    state: State | None = None
    fault: LaunchFault | None = None
    places: list[Where] = []
    site: dict[Where, int] = {}
    for begin in range(0, len(chosen), at_once):
        numbers = chosen[begin:begin + at_once]
        cells = {**memory, **_arrays(program, instance, len(numbers))}
        state = State(program, instance, list(numbers), cells, values, limit, spent, steps, possible=possible, doubts=found, places=places, site=site)
        try:
            block(state, program.body, state.all, Within(Function(False)))
        except Stop as stop:
            fault = stop.fault
        spent, steps = state.spent, state.steps
        if fault is not None:
            break
    if state is None:
        raise Bug("no blocks were given")
    if fault is None and blocks is None:
        for c in memory.values():
            c.settle()
        try:
            _unwritten(program, instance, memory, written, state)
        except Stop as stop:
            fault = stop.fault
    fault = fault or (possible[0] if possible else None)
    good = fault is None and blocks is None
    writable = {q.name for q in program.params if is_written(q)}
    left = {instance.buffers[name].tensor: memory[name].final() for name in writable} if good and values else {}
    return Outcome(fault, left, good, tuple(found), steps)


def complete(program: Program, instance: Instance) -> bool:
    """Is it proved that this launch does nothing wrong? A concrete run is a proof, since nothing but values depends on the inputs."""
    try:
        return run(program, instance, values=False).complete or run(program, instance).complete
    except Rejected:
        return False


def is_written(q: Param) -> bool:
    """Is it a buffer that the kernel may write?"""
    return q.is_buffer and not q.type.startswith("const ")


def sort_of(q: Param) -> Sort:
    """The sort of a buffer's elements."""
    return SCALARS[q.type.removeprefix("const ").removesuffix("*")]


def _memory(program: Program, instance: Instance, before: Mapping[str, Sequence[Expr | None]]) -> dict[str, Cells]:
    """The buffers by parameter; one tensor is one memory."""
    tensors: dict[str, Cells] = {}
    out: dict[str, Cells] = {}
    for q in program.params:
        if not q.is_buffer:
            continue
        extent: Extent = instance.buffers[q.name]
        if extent.tensor not in tensors:
            tensors[extent.tensor] = Cells(q.name, sort_of(q), "global", 1, extent.elements, instance.threads, extent.initial, extent.tensor,
                                           before.get(extent.tensor))
        found = tensors[extent.tensor]
        if (found.elements, found.initial) != (extent.elements, extent.initial):
            raise Bug(f"the tensor {extent.tensor} has two sizes or contents")
        out[q.name] = found
    return out


def _arrays(program: Program, instance: Instance, blocks: int) -> dict[str, Cells]:
    """The shared and local arrays of some blocks."""
    out = {}
    for a in program.arrays:
        elements = instance.shared_bytes // max(WIDTH[a.sort] // 8, 1) if a.elements is None else a.elements
        rows = blocks if a.space == "shared" else blocks * instance.threads
        out[a.name] = Cells(a.name, a.sort, a.space, rows, elements, instance.threads)
    return out


def _unwritten(program: Program, instance: Instance, memory: Mapping[str, Cells], written: frozenset[str] | None, state: State) -> None:
    """An element of an output that no thread writes is a fault."""
    for q in program.params:
        if not is_written(q):
            continue
        extent, cells = instance.buffers[q.name], memory[q.name]
        if cells.sparse or not (extent.initial == "empty" if written is None else extent.tensor in written):
            continue
        for slot in [*np.flatnonzero(cells.state == UNSET)[:1].tolist(), *np.flatnonzero(cells.state == PARTLY).tolist()]:
            guard = cells.missing(slot, TRUE)
            what = f"no thread writes {q.name}[{slot}]; {q.name} has {extent.elements} elements"
            if guard is not FALSE:
                state.found(LaunchFault("unwritten", what, program.where, None, None, state.sizes, q.name, slot, guard=guard))
