"""The second path's table of contents: a kernel that is not pointwise, or a spec that is not, for a launch of fixed sizes.

    spec's graph ── translate_arrays ──► every element of every output ────────────────────────────┐
    kernel.cu ── Program ── bind_arrays ──► Instance ── threads.run ──► a fault, or memory's cells ─┴─► cells.decide_cells (for each device)

Sizes are those of the spec's get_inputs(). Only the text is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from devsem import threads
from devsem.arrays_bind import Bound, bind_arrays
from devsem.cells import Limits, Pair, Question, decide_cells, full_witness
from devsem.decide import Decision
from devsem.errors import Bug
from devsem.evaluate import evaluate
from devsem.expr import topo
from devsem.frontend.spec_arrays import ArraySpec, translate_arrays
from devsem.goal import Launch
from devsem.heads import judged
from devsem.instance import Instance
from devsem.leanrun import Lean
from devsem.profile import Profile
from devsem.program import Program
from devsem.second_look import Look, Text, Words, is_plain_value, look, settled
from devsem.threads import LaunchFault
from devsem.verdict import Safety, Verdict

TEXT = "only the text is read: what the compiler makes of loops, shared memory and barriers is not decided as compiled yet"
NOT_PLAIN = "the compiled code is not run beside the theorem, as the values rest on functions that no standard fixes"


@dataclass(frozen=True)
class Asked:
    """A kernel in one launch, run once for all devices: what is unsafe in it, or the cells to be compared."""

    function: str
    safety: Safety
    reason: str
    notes: tuple[str, ...]
    question: Question | None
    tensors: Mapping[str, int]
    second: Callable[[Profile], Look] | None = None


def ask(program: Program, path: str, graph: Mapping[str, Any], launch: Launch, bind: str | None, source: Source) -> Asked:
    """Run the launch; raises Rejected and UsageError. `source`: the kernel's text."""
    spec = translate_arrays(path, graph)
    bound = bind_arrays(program, spec, launch, bind)
    outcome = threads.run(program, bound.instance, values=True)
    sizes = shown(bound.instance)
    notes = (bound.note, f"the launch is {sizes}, and the verdict is about it alone", "different tensors do not overlap in memory", TEXT, *spec.assumptions)
    tensors = {i.name: bound_elements(bound, i.name) for i in spec.inputs}
    if outcome.fault is not None:
        return Asked(program.function, unsafe_safety(outcome.fault), str(outcome.fault), notes, None, tensors)
    pairs = tuple(_pairs(bound, spec, outcome.memory))
    question = Question(program.function, spec.name, pairs, spec.free, tuple(i.name for i in spec.inputs), sizes, notes, outcome.doubts_for)
    text = Text(source.text, source.file, ((program, bound.instance),))
    outputs = [bound.instance.buffers[name].tensor for name in bound.outputs]
    return Asked(program.function, Safety("PASS"), "", notes, question, tensors, lambda profile: second_look(text, pairs, outputs, profile, source.toolkit))


@dataclass(frozen=True)
class Source:
    """A CUDA text, its name in messages, and the toolkit that compiles it (None: the newest)."""

    text: bytes
    file: str
    toolkit: str | None


def second_look(text: Text, pairs: Sequence[Pair], outputs: Sequence[str], profile: Profile, toolkit: str | None) -> Look:
    """The compiled code against the specification's cells, on some inputs; `outputs`: the tensors' names by the pairs' numbers."""
    nodes = topo(*(p.spec for p in pairs))
    if not is_plain_value(nodes):
        return Look("not run", NOT_PLAIN)

    def wanted(inputs: Mapping[str, Words], numbers: Mapping[str, int]) -> dict[str, Words]:
        known = {v.name: v for v in nodes if v.is_var}
        env = {known[key]: cells[i:i + 1] for name, cells in inputs.items() for i in range(len(cells)) if (key := f"{name}[{i}]") in known}
        env |= {known[name]: np.array([n], np.uint32) for name, n in numbers.items() if name in known}
        values = evaluate([p.spec for p in pairs], env)
        out: dict[str, list[int]] = {}
        for p, v in zip(pairs, values, strict=True):
            out.setdefault(outputs[p.output], []).append(int(np.reshape(v, -1)[0]))
        return {name: np.array(cells, np.uint32) for name, cells in out.items()}
    return look(text, wanted, profile, toolkit)


def bound_elements(bound: Bound, tensor: str) -> int:
    """The number of elements of a tensor in the launch; 1 where a scalar stands for it."""
    return next((e.elements for e in bound.instance.buffers.values() if e.tensor == tensor), 1)


def shown(instance: Instance) -> str:
    """A launch in words."""
    def three(t: tuple[int, int, int]) -> str:
        return " x ".join(map(str, t if t[1:] != (1, 1) else t[:1]))
    shared = f" and {instance.shared_bytes} bytes of shared memory" if instance.shared_bytes else ""
    return f"a launch of {three(instance.grid)} blocks of {three(instance.block)} threads{shared}"


def unsafe_safety(fault: LaunchFault) -> Safety:
    """What a fault says of safety: a counterexample, or nothing yet."""
    found: dict[str, str | int] = {"fault": fault.kind, **fault.sizes, "where": str(fault.where)}
    if fault.block is not None and fault.thread is not None:
        found |= {"block": str(fault.block), "thread": str(fault.thread)}
    if fault.buffer:
        found |= {"buffer": fault.buffer, "index": fault.index}
    if fault.other is not None:
        found |= {"other block": str(fault.other[0]), "other thread": str(fault.other[1])}
    found |= {name: f"{pattern:#010x}" for name, pattern in fault.inputs.items()}
    return Safety("FAIL", found) if fault.certain else Safety("OPEN")


def _pairs(bound: Bound, spec: ArraySpec, memory: Mapping[str, Any]) -> list[Pair]:
    """Every output cell with both values."""
    made = []
    for number, (name, wanted) in enumerate(zip(bound.outputs, spec.outputs, strict=True)):
        cells = memory[bound.instance.buffers[name].tensor]
        flat = list(wanted.reshape(-1))
        if len(cells) != len(flat) or any(c is None for c in cells):
            raise Bug(f"{name}: the run left {len(cells)} cells, some of them perhaps unwritten, for {len(flat)} of the spec's")
        made += [Pair(number, name, i, c, s) for i, (c, s) in enumerate(zip(cells, flat, strict=True))]
    return made


def verdict_on(asked: Asked, profile: Profile, limits: Limits, lean: Lean, head: Callable[[], Mapping[str, Any]], path: Path) -> Verdict:
    """The verdict of one device. `head`: what every verdict says of the question, asked at the end; `path`: where the text for Lean goes."""
    if asked.question is None:
        failed = asked.safety.verdict == "FAIL"
        return Verdict(**head(), way="fixed-launch", verdict="REFUTED" if failed else "OPEN", safety=asked.safety, assumptions=asked.notes,
                       reason=f"unsafe: {asked.reason}" if failed else asked.reason)
    if profile.open:
        decision = Decision("OPEN", f"undecided on {profile.name}: {', '.join(profile.open)}", assumptions=asked.notes)
    else:
        decision = decide_cells(asked.question, profile, limits)
    if decision.lean is None:
        return _verdict(asked, decision, head(), "")
    with limits.stage("lean"):
        decision, lean_file = judged(decision, path, lean, limits.seconds)
    if asked.second is not None:
        with limits.stage("compiled"):
            decision = settled(decision, partial(asked.second, profile))
    return _verdict(asked, decision, head(), lean_file)


def _verdict(asked: Asked, decision: Decision, head: Mapping[str, Any], lean_file: str) -> Verdict:
    witness = full_witness(decision.witness, asked.tensors) if decision.witness is not None else None
    return Verdict(**head, way="fixed-launch", verdict=decision.verdict, choice=decision.choice, witness=witness, bounds=decision.bounds, safety=asked.safety,
                   obligations=decision.obligations, theorem=decision.theorem, lean_file=lean_file, assumptions=decision.assumptions, reason=decision.reason)
