"""A pointwise kernel at the size of the spec's own tensors, where that is beyond the stated range: a few blocks where indices wrap around.

No proof: what it finds is a fault, and finding none says nothing.
"""

from __future__ import annotations

from math import prod

from devsem import threads
from devsem.arrays import shown, unsafe_safety
from devsem.errors import Rejected, UsageError
from devsem.frontend.spec import Spec
from devsem.goal import MAX_NUMEL, bind
from devsem.instance import Extent, Instance
from devsem.program import Load, Program, Store, walk
from devsem.verdict import Safety

BLOCK = 256
MOST_BLOCKS = (1 << 31) - 1


def fault_at_own_size(program: Program, spec: Spec, bind_text: str | None) -> tuple[Safety, str] | None:
    """What goes wrong in a launch that covers the spec's own tensors, if they have more than 2^30 elements, and why in words."""
    n = max((prod(i.shape) for i in spec.inputs), default=0)
    blocks = -(-n // BLOCK)
    if n <= MAX_NUMEL or blocks > MOST_BLOCKS:
        return None
    written = {s.buffer for s in walk(program.body) if isinstance(s, Store)}
    try:
        bound = bind(program.params, spec, written, {s.buffer for s in walk(program.body) if isinstance(s, Load)}, bind_text)
    except UsageError:
        return None
    buffers = {p.name: Extent(bound.inputs[p.name], n, "input") if p.name in bound.inputs else Extent(f"{p.name} (output)", n, "empty")
               for p in program.params if p.is_buffer}
    scalars = dict.fromkeys(bound.sizes, n) | {p: int(v) for p, v in bound.numbers.items()}
    if any(not p.is_buffer and (p.name not in scalars or p.type == "float") for p in program.params):
        return None
    instance = Instance((blocks, 1, 1), (BLOCK, 1, 1), 0, buffers, scalars)
    edges = [e // BLOCK for e in (0, 1 << 31, 1 << 32)]
    chosen = sorted({b for e in edges for b in (e - 1, e, e + 1) if 0 <= b < blocks} | {blocks - 1})
    try:
        fault = threads.run(program, instance, values=False, blocks=chosen).fault
    except Rejected:
        return None
    if fault is None or not fault.certain:
        return None
    return unsafe_safety(fault), f"at the spec's own size, {shown(instance)}: {fault}"
