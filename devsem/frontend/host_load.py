"""A kernel file as people write it, `.cu` with its wrapper or `.py` with its sources as strings: the programs it launches, and its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from devsem.expr import WIDTH
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.host import read_wrapper
from devsem.frontend.solution import read_solution
from devsem.frontend.spec import SpecInput
from devsem.plan import Launched, Plan
from devsem.program import Program


@dataclass(frozen=True)
class PlannedKernel:
    """`programs`: the kernel of each of the plan's launches. `flags`: those that a solution itself gives, as `--flags` spells them.

    `text`: the CUDA text and the name it has in messages, for the device's compiler. `notes`: what was taken for granted."""

    programs: tuple[Program, ...]
    plan: Plan
    flags: str
    notes: tuple[str, ...]
    text: tuple[str, str]


def is_solution(path: Path) -> bool:
    """Is it a Python file, a KernelBench solution?"""
    return path.suffix == ".py"


def load_plan(path: Path, inputs: Sequence[SpecInput] | None = None, init: Sequence[object] | None = None,
              numbers: Mapping[str, float] | None = None, placed: Mapping[int, object] | None = None) -> PlannedKernel:
    """What a file launches. Raises Rejected and UsageError.

    `inputs`, `init`: the spec's tensors, and what its get_init_inputs returns; without them sizes and numbers are symbols. `numbers`: what
    numeric parameters of a `.cu` file's wrapper are. `placed`: what get_inputs returns that is no tensor, by its place."""
    data = path.read_bytes()
    if is_solution(path):
        found = read_solution(str(path), data, inputs, init, placed)
        return planned(found.plan, found.text, found.flags, found.notes)
    wrapped = read_wrapper(str(path), data, inputs, numbers)
    return planned(wrapped.plan, (str(path), data.decode("utf-8-sig")), "", wrapped.notes)


def tensors_of(graph: Mapping[str, Any]) -> tuple[SpecInput, ...]:
    """The tensors of a captured graph, with their shapes at get_inputs()."""
    return tuple(SpecInput(p["target"], p["kind"], tuple(p["shape"])) for p in graph["placeholders"] if p["kind"] in ("input", "parameter"))


def placed_of(graph: Mapping[str, Any]) -> dict[int, object]:
    """What get_inputs() of a captured graph returned that is no tensor, by its place."""
    given = [p for p in graph["placeholders"] if p["kind"] in ("input", "number")]
    return {i: _decoded(p["value"]) for i, p in enumerate(given) if p["kind"] == "number"}


def init_of(graph: Mapping[str, Any]) -> tuple[object, ...]:
    """What get_init_inputs() of a captured graph returned; what is no number, list or text is an object that is refused where it is used."""
    return tuple(_decoded(v) for v in graph.get("init", ()))


def _decoded(value: Any) -> object:
    if isinstance(value, dict):
        return float.fromhex(value["float"]) if "float" in value else object()
    return [_decoded(v) for v in value] if isinstance(value, list) else value


def planned(plan: Plan, text: tuple[str, str], flags: str, notes: tuple[str, ...]) -> PlannedKernel:
    """A plan with the programs that it launches."""
    programs: dict[tuple[str, tuple[str, ...]], Program] = {}
    for launch in plan.launches:
        key = (launch.function, launch.template)
        if key not in programs:
            programs[key] = parse_kernel(*text, *key)
    found = tuple(programs[q.function, q.template] for q in plan.launches)
    launches = tuple(_with_static(q, p) for q, p in zip(plan.launches, found, strict=True))
    return PlannedKernel(found, replace(plan, launches=launches), flags, notes, text)


def _with_static(launch: Launched, program: Program) -> Launched:
    """A launch that knows what its kernel's own shared arrays take, and the kernel's parameters by its names."""
    size = sum((a.elements or 0) * WIDTH[a.sort] // 8 for a in program.arrays if a.space == "shared")
    return replace(launch, static_bytes=size, params=tuple(p.name for p in program.params))
