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

from devsem.errors import Bug, Rejected
from devsem.expr import WIDTH, Expr
from devsem.instance import Extent, Instance
from devsem.ops import Sort
from devsem.profile import Profile
from devsem.program import SCALARS, Param, Program, Store, walk
from devsem.simplify import TRUE
from devsem.threads_doubts import Doubt, doubts, suspects
from devsem.threads_fault import LaunchFault, Stop
from devsem.threads_memory import PARTLY, UNSET, Cells
from devsem.threads_run import Function, Within, block
from devsem.threads_state import State

__all__ = ["LIMIT", "LaunchFault", "Outcome", "complete", "run", "run_all"]

LIMIT = 300_000_000         # units of about 0.1 microseconds (threads_state.STEP and LANE say what costs how many)
SIDE_BY_SIDE = 1 << 14      # threads of blocks that run side by side, at least one block's


@dataclass(frozen=True)
class Outcome:
    """What a launch left. `fault`: the first one, or one that is merely `possible`, or the step limit.

    `memory`: by tensor that the kernel may write, its elements at the end, in written rows; None where nothing was written. Only where
    `fault` is None and values were asked for. `complete`: every thread was run, and none does anything wrong, whatever the inputs.
    `doubted`: why the values may be fused or folded in more ways than `lower.prepare` finds in them; a profile to which one `applies`
    decides nothing. `steps`: statements, times threads.
    """

    fault: LaunchFault | None
    memory: Mapping[str, tuple[Expr | None, ...]]
    complete: bool
    doubted: tuple[Doubt, ...]
    steps: int

    @property
    def doubts(self) -> tuple[str, ...]:
        """All doubts in words."""
        return tuple(d.text for d in self.doubted)

    @property
    def ambiguous(self) -> bool:
        """Are there doubts?"""
        return bool(self.doubted)

    def doubts_for(self, profile: Profile) -> tuple[str, ...]:
        """The doubts that matter on a device with these flags."""
        return tuple(d.text for d in self.doubted if d.applies(profile))


def run(program: Program, instance: Instance, *, values: bool = True, limit: int = LIMIT, blocks: Sequence[int] | None = None,
        before: Mapping[str, Sequence[Expr | None]] | None = None, written: frozenset[str] | None = None) -> Outcome:
    """Run a launch. Raises Rejected for what depends on the values in tensors and may not.

    `values`: keep the floats; without, faults are found faster, but those under a condition on floats are only `possible`. `limit`: when to
    give up (see LIMIT). `blocks`: run only these (by linear number): finds faults, is never complete, and has no memory. `before`: by tensor what
    is in it, for launches after others; None where nothing was written. `written`: the tensors that this launch must fill, of which every
    element is checked; otherwise those that are empty before it and that it may write.
    """
    return run_all(((program, instance),), values=values, limit=limit, blocks=blocks, before=before, written=written)


def run_all(launches: Sequence[tuple[Program, Instance]], *, values: bool = True, limit: int = LIMIT, blocks: Sequence[int] | None = None,
            before: Mapping[str, Sequence[Expr | None]] | None = None, written: frozenset[str] | None = None) -> Outcome:
    """As `run`, one launch after the other on the same tensors; `written`: what they must fill together."""
    if not launches:
        raise Bug("no launch was given")
    memory: dict[str, Cells] = {}
    found: dict[Doubt, None] = {}
    possible: list[LaunchFault] = []
    state: State | None = None
    fault: LaunchFault | None = None
    for program, instance in launches:
        by_name = _buffers(program, instance, memory, before or {})
        if values:
            found |= dict.fromkeys(doubts(program))
        state = State(program, instance, (), {}, values, limit, state.spent if state else 0, state.steps if state else 0, possible=possible, doubts=found,
                      suspects=suspects(program) if values else {})
        try:
            state = _launch(state, by_name, range(instance.blocks) if blocks is None else blocks)
        except Stop as stop:
            fault = stop.fault
            break
    if fault is None and blocks is None:
        fault = _end(launches, memory, written, state)
    fault = fault or (possible[0] if possible else None)
    good = fault is None and blocks is None
    left = {instance.buffers[q.name].tensor for program, instance in launches for q in program.params if is_written(q)} if good and values else ()
    return Outcome(fault, {name: memory[name].final() for name in sorted(left)}, good, tuple(found), state.steps if state else 0)


def _launch(first: State, buffers: Mapping[str, Cells], blocks: Sequence[int]) -> State:
    """Run the blocks of one launch, as many side by side as fit. Raises Stop at a fault."""
    state, program, instance = first, first.program, first.instance
    at_once = max(SIDE_BY_SIDE // instance.threads, 1)
    for begin in range(0, len(blocks), at_once):
        numbers = list(blocks[begin:begin + at_once])
        cells = {**buffers, **_arrays(program, instance, len(numbers))}
        state = State(program, instance, numbers, cells, state.values, state.limit, state.spent, state.steps, possible=state.possible, doubts=state.doubts,
                      suspects=state.suspects, places=state.places, site=state.site)
        block(state, program.body, state.all, Within(Function(False)))
    return state


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


def _buffers(program: Program, instance: Instance, memory: dict[str, Cells], before: Mapping[str, Sequence[Expr | None]]) -> dict[str, Cells]:
    """The buffers of a launch by parameter; one tensor is one memory, which `memory` keeps between launches."""
    missing = [q.name for q in program.params if q.name not in (instance.buffers if q.is_buffer else instance.scalars)]
    if missing:
        raise Bug(f"the launch of {program.function} does not say what {missing[0]} is")
    out: dict[str, Cells] = {}
    names = {s.buffer for s in walk(program.body) if isinstance(s, Store)}
    stored = {instance.buffers[q.name].tensor for q in program.params if q.name in names}
    for q in program.params:
        if not q.is_buffer:
            continue
        extent: Extent = instance.buffers[q.name]
        found = memory.get(extent.tensor)
        if found is None:
            found = memory[extent.tensor] = Cells(q.name, sort_of(q), "global", 1, extent.elements, instance.threads, extent.initial, extent.tensor,
                                                  before.get(extent.tensor))
        if (found.elements, found.initial, found.sort) != (extent.elements, extent.initial, sort_of(q)):
            raise Bug(f"the tensor {extent.tensor} has two sizes, contents or types")
        if found not in out.values():
            found.begin(q.name, instance.threads, extent.tensor in stored)
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


def _end(launches: Sequence[tuple[Program, Instance]], memory: Mapping[str, Cells], written: frozenset[str] | None, state: State | None) -> LaunchFault | None:
    """Settle what was written under conditions; an element of an output that no thread writes is a fault."""
    if state is None:
        return None
    for cells in memory.values():
        cells.settle()
    outputs = {instance.buffers[q.name].tensor: (q, program) for program, instance in launches for q in program.params if is_written(q)}
    try:
        for tensor, (q, program) in outputs.items():
            cells = memory[tensor]
            if cells.sparse or not (cells.initial == "empty" if written is None else tensor in written):
                continue
            for slot in [*np.flatnonzero(cells.state == UNSET)[:1].tolist(), *np.flatnonzero(cells.state == PARTLY).tolist()]:
                what = f"no thread writes {q.name}[{slot}]; {q.name} has {cells.elements} elements"
                state.found(LaunchFault("unwritten", what, program.where, None, None, state.sizes, q.name, slot, guard=cells.missing(slot, TRUE)))
    except Stop as stop:
        return stop.fault
    return None
