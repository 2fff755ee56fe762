"""A finished sweep as an entry of a record file; another run of the same sweep adds its digest to the entry."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from devsem import sweep_host, sweep_measure, sweep_pairs
from devsem.discharge import SPEC_FLAGS
from devsem.errors import UsageError
from devsem.profile import load_profile
from devsem.records import CHUNK_BITS, LAYOUTS, SCHEMA, SUFFIX, Error, Record, Role, Runner, Swept, load, sealed, to_json
from devsem.sweep import SPECIAL, Plan
from devsem.sweep_measure import Chunk
from devsem.sweep_runners import build, make_runner, opened


def entry(plan: Plan, chunks: Sequence[Chunk], role: Role, date: str) -> Swept:
    """What the chunks of a whole plan say of the function."""
    if plan.bits != CHUNK_BITS or len(chunks) != plan.count:
        raise UsageError(f"a record takes every chunk of 2^{CHUNK_BITS} inputs of a sweep")
    largest, at = sweep_measure.worst(chunks)
    one = plan.arguments == 1
    every = SPECIAL if one else [a for a in SPECIAL for _ in SPECIAL], SPECIAL * len(SPECIAL)
    given = [np.array(g, np.uint32) for g in ([SPECIAL] if one else every)]
    results = make_runner(plan.runner, plan.function)(*given)
    flush = sweep_measure.meaning(plan.function)[1]
    return Swept(
        function=plan.function, role=role, source=source(plan), toolkit=toolkit(plan),
        build="" if plan.runner.gpu == "host" else build(plan.runner, plan.function), flags=plan.runner.flags, date=date,
        inputs="all" if plan.count << plan.bits == 1 << 32 else "sample", sample=sample(plan),
        layout=LAYOUTS[plan.arguments], digests=(sweep_measure.digest(chunks),),
        error=Error(largest, at, sum(c.misrounded for c in chunks), sweep_measure.REFERENCE + (", subnormals flushed" if flush else "")),
        monotone=sweep_measure.order(chunks, max(0, ((1 << 31) - plan.first) >> plan.bits)) if one else "unknown",
        special={sweep_measure.shown(*map(int, x)): sweep_measure.shown(int(y)) for *x, y in zip(*given, results, strict=True)},
        subnormal_inputs=sweep_measure.subnormals([c.inputs for c in chunks]) if one else "unknown",
        subnormal_results=sweep_measure.subnormals([c.results for c in chunks]) if one else "unknown",
        differs=None)


def sample(plan: Plan) -> str:
    """Which inputs, where not all patterns are."""
    many = plan.count << plan.bits
    if plan.arguments == 1:
        return "" if many == plan.all else f"{many} patterns from {plan.first:#010x} on"
    return sweep_pairs.GENERATOR if many == plan.all else f"{many} pairs from number {plan.first:#x} on, of {sweep_pairs.GENERATOR}"


def source(plan: Plan) -> str:
    """What ran, in words."""
    if plan.runner.gpu == "host":
        return sweep_host.source(plan.function)
    if plan.runner.on_gpu:
        return f"NVRTC's code of a kernel that is this function, on {opened(plan.runner).identity.name}"
    return f"devsem's interpreter of PTX on NVRTC's code for {plan.runner.device}: no device"


def toolkit(plan: Plan) -> str:
    """What made the function."""
    return sweep_host.toolkit(plan.function) if plan.runner.gpu == "host" else plan.runner.toolkit


def blank(plan: Plan) -> Record:
    """A record of where the plan runs, without a function. The profiles `host` and `emulator` are none that devsem ships."""
    if plan.runner.on_gpu:
        gpu = opened(plan.runner).identity
        return Record(schema=SCHEMA, runner=gpu.runner, profile=load_profile(plan.runner.device).name, device=gpu.name,
                      compute_capability=gpu.capability, driver=gpu.driver, functions=(), digest="")
    runner: Runner = "host" if plan.runner.gpu == "host" else "emulator"
    device = sweep_host.processor() if runner == "host" else f"the emulator, for {plan.runner.device}"
    return Record(schema=SCHEMA, runner=runner, profile=runner, device=device, compute_capability="", driver="", functions=(), digest="")


def path(plan: Plan, folder: Path) -> Path:
    """The record file of where the plan runs."""
    return folder / f"{blank(plan).profile}{SUFFIX}"


def told(found: Swept) -> Iterator[str]:
    """The entry in a few lines."""
    yield f"{found.function} on {found.sample or 'all 2^32 inputs'}: {found.digests[0]}"
    yield f"what ran: {found.source}"
    if found.error is not None:
        e = found.error
        largest = "a NaN where a number belongs, or the other way round," if e.max_ulp is None else f"{e.max_ulp} ulp"
        yield f"largest error {largest} at {e.at}, {e.misrounded} not correctly rounded ({e.reference})"
    if found.monotone != "unknown":
        yield f"{found.monotone}; subnormal inputs {found.subnormal_inputs}, results {found.subnormal_results}"
    if found.differs is not None:
        yield f"at {found.differs.input} the kernel's function gives {found.differs.kernel}, the spec's {found.differs.spec}"


def unlike(plan: Plan, new: Swept, folder: Path) -> bool:
    """Does the record have the spec's entry of a kernel's function, of the same inputs, with another digest?"""
    file = path(plan, folder)
    specs = load(file).functions if file.exists() and new.role == "kernel" else ()
    return any((s.function, s.role, s.toolkit, s.flags, s.inputs, s.sample) == (new.function, "spec", new.toolkit, SPEC_FLAGS, new.inputs, new.sample)
               and set(s.digests) != set(new.digests) for s in specs)


def kernels_unlike(new: Swept, file: Path) -> Iterator[str]:
    """Of a spec's entry: the flags of the kernel's entries in the record that have another digest, and no input where the two differ."""
    for s in load(file).functions if new.role == "spec" else ():
        same = (s.function, s.role, s.toolkit, s.inputs, s.sample) == (new.function, "kernel", new.toolkit, new.inputs, new.sample)
        if same and s.differs is None and set(s.digests) != set(new.digests):
            yield s.flags or "(none)"


def add(old: Record, new: Swept) -> Record:
    """The record with the entry; a run of what it has already adds a digest, the rest is the newest run's."""
    same = next((s for s in old.functions if s.key == new.key), None)
    runs = same.digests if same is not None and (same.source, same.build, same.inputs, same.sample) == (new.source, new.build, new.inputs, new.sample) else ()
    return replace(old, functions=(*(s for s in old.functions if s.key != new.key), replace(new, digests=(*runs, *new.digests))))


def existing(plan: Plan, folder: Path) -> Record:
    """The record that a finished sweep is added to; UsageError where the file is another device's or driver's, or was changed."""
    file, fresh = path(plan, folder), blank(plan)
    if not file.exists():
        return fresh
    old = load(file)
    if replace(old, functions=(), digest="") != fresh:
        there, here = (f"{r.device}{f' with driver {r.driver}' if r.driver else ''}" for r in (old, fresh))
        raise UsageError(f"{file} is of {there}, not of {here}: give another --out")
    if not old.intact:
        raise UsageError(f"{file} was changed after it was written: its digest is another; give another --out")
    return old


def save(plan: Plan, new: Swept, folder: Path, state: Path) -> Path:
    """Write the entry into its record file; the old text or the new one is there, never half of it.

    The state goes first: a kill in between may lose a run, and never makes two of one, as two runs are evidence that one is not."""
    file = path(plan, folder)
    part = file.with_name(f".{file.name}.part")
    with _alone(folder):
        record = sealed(add(existing(plan, folder), new))
        try:
            part.write_text(to_json(record), encoding="utf-8")
            state.unlink(missing_ok=True)
            part.replace(file)
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror or error}") from None
    return file


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Other sweeps that record in the folder wait."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
