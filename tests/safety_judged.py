"""What the tools say of a kernel of the corpus: the gate for all sizes; a counterexample, by the hunt or at the gate's values; and whether the compiled
kernel agrees."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from safety_corpus import Heading, Kernel, heading, plan_of, setting_of

from devsem.expr import Expr
from devsem.frontend.cuda import parse_kernel
from devsem.gate import gate
from devsem.gate_setting import Gate
from devsem.hunt import Launches, Make, candidates, hunt, of_plan
from devsem.hunt_confirm import Confirmed, confirm
from devsem.program import Program
from devsem.threads import LaunchFault, run

WORK = 1 << 17              # threads of a launch that is run in whole
LIMIT = 30_000_000


@dataclass(frozen=True)
class Counterexample:
    """A launch that shows a fault, found by `by`."""

    launches: Launches
    fault: LaunchFault
    by: str


@dataclass(frozen=True)
class Judged:
    """What was said of a kernel. `seconds`: of the front end, the gate, and the search for a counterexample."""

    kernel: Kernel
    gate: Gate | None
    found: Counterexample | None
    confirmed: Confirmed | None
    seconds: tuple[float, float, float]

    @property
    def wrong(self) -> str:
        """What is not as expected, in short; empty where all is. Nothing found in a clean kernel and no answer of the gate is `open`."""
        if self.gate is not None and self.gate.verdict == "PASS" and (self.kernel.expected or self.found):
            return "UNSOUND"
        if not self.kernel.expected:
            return "false alarm" if self.found else "open" if self.gate is not None and self.gate.verdict != "PASS" else ""
        if self.found is None:
            return "missed"
        return "" if self.found.fault.kind in self.kernel.expected else "another fault"


def judge(kernel: Kernel, *, gate_seconds: float, hunt_seconds: float, compiled: bool) -> Judged:
    """Ask everything. `gate_seconds` 0: not the gate. `compiled`: whether the counterexample is run by the PTX emulator too."""
    start = time.monotonic()
    h = heading(kernel.text)
    file = kernel.name.split(":")[0] + ".cu"
    program = parse_kernel(file, kernel.text)
    read = time.monotonic()
    answer = gate(program, setting_of(program, h), gate_seconds) if gate_seconds else None
    answered = time.monotonic()
    found = search(program, h, answer.model if answer else None, hunt_seconds)
    searched = time.monotonic()
    same = confirm(found.launches, found.fault, kernel.text.encode(), file) if compiled and found else None
    return Judged(kernel, answer, found, same, (read - start, answered - read, searched - answered))


def search(program: Program, h: Heading, model: Mapping[str, int] | None, seconds: float) -> Counterexample | None:
    """A counterexample by small launches, or at the values of the gate's model."""
    plan = plan_of(program, h)
    make = of_plan(plan, {program.function: program})
    blocks = {v for e in h.block for v in h.sizes if v is e}
    found = hunt(candidates(make, [v for v in h.sizes if v not in blocks], threads=tuple(blocks)), make=make, seconds=seconds)
    if found is not None:
        return Counterexample(found.candidate.launches, found.fault, "hunt")
    return None if model is None else _at(make, h, model)


def _at(make: Make, h: Heading, model: Mapping[str, int]) -> Counterexample | None:
    """A run at the model's sizes: of all blocks, or where there are too many of those that it names, and of those
    whose product with the block's size is the same in 32 bits."""
    sizes: dict[Expr, int] = {v: model[v.name] for v in h.sizes if v.name in model}
    launches = make(sizes) if len(sizes) == len(h.sizes) else None
    if launches is None:
        return None
    (program, instance), = launches
    some = None
    if instance.blocks * instance.threads > WORK:
        x, y, _ = instance.grid
        named = {model.get(f"blockIdx.x{m}", 0) + x * (model.get(f"blockIdx.y{m}", 0) + y * model.get(f"blockIdx.z{m}", 0)) for m in ("", "'", "2")}
        turn = (1 << 32) // instance.threads
        some = sorted(named | {b % turn for b in named})
    fault = run(program, instance, values=False, limit=LIMIT, blocks=some).fault
    return Counterexample(launches, fault, "gate's values") if fault is not None and fault.certain else None
