"""Is a wrapper's every launch safe? Looks for a counterexample at small sizes, and runs every thread at the spec's."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from devsem.case import plan_case
from devsem.errors import UsageError
from devsem.expr import Expr
from devsem.frontend.host_load import PlannedKernel, init_of, load_plan, placed_of, tensors_of
from devsem.frontend.spec import SpecInput, load_graph
from devsem.gate import gate
from devsem.goal import MAX_NUMEL
from devsem.hunt import Launches, Make, Sizes, candidates, hunt
from devsem.plan import Impossible, instantiate, put_in, size_of, unmet
from devsem.plan_run import due, run_plan, unwritten


@dataclass(frozen=True)
class Answer:
    """`fault`: what goes wrong, with its launch; empty where nothing was found. `proved`: the sizes at which every thread was run and nothing goes wrong.

    `shown`: what the gate showed for all sizes; empty where it did not, for the reason `why`."""

    fault: str
    proved: str
    notes: tuple[str, ...]
    shown: str = ""
    why: str = ""

    @property
    def verdict(self) -> Literal["PASS", "FAIL", "OPEN"]:
        """The answer in a word."""
        return "FAIL" if self.fault else "PASS" if self.shown else "OPEN"

    def lines(self) -> list[str]:
        """What to print."""
        if self.fault:
            return [f"FAIL  {self.fault}", *(f"      {n}" for n in self.notes)]
        if self.shown:
            return [f"PASS  {self.shown}", *(f"      {n}" for n in self.notes)]
        known = f"; with {self.proved} every thread was run, and nothing goes wrong" if self.proved else ""
        return [f"OPEN  no launch was found that does something wrong; this is no proof for all sizes{known}",
                *([f"      {self.why}"] if self.why else []), *(f"      {n}" for n in self.notes)]


def look(path: Path, spec: Path | None, numbers: Mapping[str, float], seconds: float, gate_seconds: float = 60.0) -> Answer:
    """Looks for a fault for some seconds; asks the gate for some more where there is none. Raises Rejected and UsageError."""
    graph = load_graph(str(spec)) if spec is not None else None
    inputs, init, placed = (tensors_of(graph), init_of(graph), placed_of(graph)) if graph is not None else (None, None, None)
    kernel = load_plan(path, inputs, init, numbers, placed)
    if inputs is not None and graph is not None and graph["size_free"]:
        kernel = tied(kernel, inputs)
    if bare := unwritten(kernel):
        return Answer(f"no kernel writes the result {', '.join(sorted(bare))}", "", kernel.notes)
    notes = (*kernel.notes, *(f"only where {c.text} ({c.where})" for c in kernel.plan.conditions))
    here, proved = at_spec(kernel, inputs), ""
    if here is not None:
        ran = run_plan(kernel, here, values=False)
        if isinstance(ran.fault, Impossible):
            return Answer(f"{ran.fault.where}: {ran.fault.why} (at the spec's sizes)", "", notes)
        if ran.fault is not None and ran.fault.certain:
            return Answer(str(ran.fault), "", notes)
        proved = said(here) if ran.complete else ""
    make = maker(kernel)
    found = hunt(candidates(make, kernel.plan.sizes), make=make, seconds=seconds, written=due(kernel))
    if found is None:
        shown, why = for_all_sizes(kernel, gate_seconds)
        return Answer("", proved, notes, shown, why)
    said_so = f"{found.fault} (sizes: {said(found.candidate.sizes)})"
    if graph is None or (graph["size_free"] and here is not None and is_alike(here, found.candidate.sizes)):
        return Answer(said_so, "", notes)
    return Answer("", proved, (*notes, f"at other sizes than the spec's, which it may not take: {said_so}"))


def is_alike(here: Mapping[Expr, int], sizes: Mapping[Expr, int]) -> bool:
    """Are sizes equal where the spec's are? A spec with free sizes may still need some of them to be the same, as the inner ones of a product."""
    by: dict[int, int] = {}
    return all(by.setdefault(here[v], n) == n for v, n in sizes.items() if v in here)


def tied(kernel: PlannedKernel, inputs: tuple[SpecInput, ...]) -> PlannedKernel:
    """The plan where inputs of one shape in the spec have one shape: what a spec takes whose sizes are free."""
    shapes = {i.name: i.shape for i in inputs if i.kind == "input"}
    first: dict[tuple[int, ...], str] = {}
    by: dict[Expr, Expr] = {}
    words = []
    for host, name in kernel.plan.bindings.items():
        if name in shapes and first.setdefault(shapes[name], host) != host:
            by |= {size_of(host, i): size_of(first[shapes[name]], i) for i in range(len(shapes[name]))}
            words.append(f"{host} has the shape of {first[shapes[name]]}")
    return replace(kernel, plan=put_in(kernel.plan, by), notes=(*kernel.notes, *words))


def for_all_sizes(kernel: PlannedKernel, seconds: float) -> tuple[str, str]:
    """What the gate shows for all sizes that the host's code admits, of every launch; or why it does not."""
    plan = kernel.plan
    end = time.monotonic() + seconds
    questions: dict[str, None] = {}
    for k, program in enumerate(kernel.programs):
        if seconds <= 0 or time.monotonic() >= end:
            return "", "the gate was given no time" if seconds <= 0 else f"the gate took longer than {seconds:g} s"
        answer = gate(program, plan_case(program, plan, k).setting, end - time.monotonic())
        if answer.verdict != "PASS":
            return "", f"the gate leaves {program.function} open: {answer.reason}"
        questions |= dict.fromkeys(q.name for q in answer.questions)
    return (f"every launch that CUDA accepts does nothing wrong, for all sizes with 1 to {MAX_NUMEL} elements a tensor: {len(questions)} questions, "
            "answered by the gate's solvers"), ""


def at_spec(kernel: PlannedKernel, inputs: tuple[SpecInput, ...] | None) -> dict[Expr, int] | None:
    """The plan's sizes as in the spec; None where some are not known."""
    shapes = {i.name: i.shape for i in inputs or ()}
    known = {size_of(host, axis): n for host, name in kernel.plan.bindings.items() for axis, n in enumerate(shapes.get(name, ()))}
    return known if inputs is not None and all(v in known for v in kernel.plan.sizes) else None


def maker(kernel: PlannedKernel) -> Make:
    """The plan's launches at given sizes, for `hunt`; None where the host or CUDA refuses them."""
    def make(sizes: Sizes) -> Launches | None:
        if unmet(kernel.plan, sizes) is not None:
            return None
        made = instantiate(kernel.plan, sizes)
        return None if isinstance(made, Impossible) else tuple(zip(kernel.programs, made, strict=True))
    return make


def said(sizes: Mapping[Expr, int]) -> str:
    """Sizes in words."""
    return ", ".join(f"{v.name} = {n}" for v, n in sizes.items()) or "no sizes"


def numbers(text: str | None) -> dict[str, float]:
    """`a=1,b=2.5` as numbers."""
    out: dict[str, float] = {}
    for entry in filter(None, (text or "").split(",")):
        name, equals, value = (part.strip() for part in entry.partition("="))
        try:
            out[name] = float(value.rstrip("f"))
        except ValueError:
            raise UsageError(f"--bind entry {entry.strip()!r}: write PARAMETER=NUMBER") from None
        if not equals or not name:
            raise UsageError(f"--bind entry {entry.strip()!r}: write PARAMETER=NUMBER")
    return out
