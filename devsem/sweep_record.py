"""A finished sweep as an entry of a record file; another run of the same sweep adds its digest to the entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from devsem import sweep_host, sweep_measure
from devsem.discharge import SPEC_FLAGS
from devsem.errors import UsageError
from devsem.profile import load_profile
from devsem.records import CHUNK_BITS, LAYOUT, SCHEMA, SUFFIX, Error, Record, Role, Swept, load, to_json
from devsem.sweep import SPECIAL, Plan
from devsem.sweep_measure import Chunk
from devsem.sweep_runners import make_runner, opened


def entry(plan: Plan, chunks: Sequence[Chunk], role: Role, date: str) -> Swept:
    """What the chunks of a whole plan say of the function."""
    if plan.bits != CHUNK_BITS or len(chunks) != plan.count:
        raise UsageError(f"a record takes every chunk of 2^{CHUNK_BITS} inputs of a sweep")
    everything = plan.count << plan.bits == 1 << 32
    largest, at = sweep_measure.worst(chunks)
    given = np.array(SPECIAL, np.uint32)
    results = make_runner(plan.runner, plan.function)(given)
    flush = sweep_measure.meaning(plan.function)[1]
    return Swept(
        function=plan.function, role=role, source=source(plan), toolkit=toolkit(plan), flags=plan.runner.flags, date=date,
        inputs="all" if everything else "sample", sample="" if everything else f"{plan.count << plan.bits} patterns from {plan.first:#010x} on",
        layout=LAYOUT, digests=(sweep_measure.digest(chunks),),
        error=Error(largest, f"{at:#010x}", sum(c.misrounded for c in chunks), sweep_measure.REFERENCE + (", subnormals flushed" if flush else "")),
        monotone=sweep_measure.order(chunks, max(0, ((1 << 31) - plan.first) >> plan.bits)),
        special={f"{x:#010x}": f"{y:#010x}" for x, y in zip(SPECIAL, results.tolist(), strict=True)},
        subnormal_inputs=sweep_measure.subnormals([c.inputs for c in chunks]), subnormal_results=sweep_measure.subnormals([c.results for c in chunks]),
        differs=None)


def source(plan: Plan) -> str:
    """What ran, in words."""
    if plan.runner.gpu == "host":
        return sweep_host.source(plan.function)
    if plan.runner.on_gpu:
        return f"NVRTC's code of a kernel that is this function, on {opened(plan.runner).identity.name}"
    return f"devsem's interpreter of PTX for {plan.runner.device}: no device; approximate instructions are the real functions rounded"


def toolkit(plan: Plan) -> str:
    """What made the function."""
    return f"numpy {np.__version__}" if plan.runner.gpu == "host" else plan.runner.toolkit


def blank(plan: Plan) -> Record:
    """A record of where the plan runs, without a function. The profiles `host` and `emulator` are none that devsem ships."""
    if plan.runner.on_gpu:
        gpu = opened(plan.runner).identity
        return Record(schema=SCHEMA, profile=load_profile(plan.runner.device).name, device=gpu.name, compute_capability=gpu.capability, driver=gpu.driver,
                      functions=())
    if plan.runner.gpu == "host":
        return Record(schema=SCHEMA, profile="host", device=sweep_host.processor(), compute_capability="", driver="", functions=())
    arch = load_profile(plan.runner.device).sm
    return Record(schema=SCHEMA, profile="emulator", device=f"the emulator, for {plan.runner.device}", compute_capability=f"{arch // 10}.{arch % 10}",
                  driver="none", functions=())


def path(plan: Plan, folder: Path) -> Path:
    """The record file of where the plan runs."""
    return folder / f"{blank(plan).profile}{SUFFIX}"


def unlike(plan: Plan, new: Swept, folder: Path) -> bool:
    """Does the record have the spec's entry of a kernel's function, of the same inputs, with another digest?"""
    file = path(plan, folder)
    specs = load(file).functions if file.exists() and new.role == "kernel" else ()
    return any((s.function, s.role, s.toolkit, s.flags, s.inputs, s.sample) == (new.function, "spec", new.toolkit, SPEC_FLAGS, new.inputs, new.sample)
               and set(s.digests) != set(new.digests) for s in specs)


def add(old: Record, new: Swept) -> Record:
    """The record with the entry; a run of what it has already adds a digest, the rest is the newest run's."""
    same = next((s for s in old.functions if s.key == new.key), None)
    runs = same.digests if same is not None and (same.source, same.inputs, same.sample) == (new.source, new.inputs, new.sample) else ()
    return replace(old, functions=(*(s for s in old.functions if s.key != new.key), replace(new, digests=(*runs, *new.digests))))


def save(plan: Plan, new: Swept, folder: Path, state: Path) -> Path:
    """Write the entry into its record file; the old text or the new one is there, never half of it.

    The state goes first: a kill in between may lose a run, and never makes two of one, as two runs are evidence that one is not."""
    file, fresh = path(plan, folder), blank(plan)
    old = load(file) if file.exists() else fresh
    if replace(old, functions=()) != fresh:
        raise UsageError(f"{file} is of {old.device}, not of {fresh.device}: give another --out")
    part = file.with_name(f".{file.name}.part")
    part.write_text(to_json(add(old, new)), encoding="utf-8")
    state.unlink(missing_ok=True)
    part.replace(file)
    return file
