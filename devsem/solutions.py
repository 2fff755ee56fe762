"""`verify(request) -> verdicts` for files that launch their kernels themselves: `.cu` with its wrapper, and KernelBench solutions; others go to `pipeline`.

    solution.py ─ read, never run ─► plan ─┬─ one pointwise kernel: pipeline.verify, in the launch that the wrapper makes
    kernel.cu with a wrapper ─► plan ──────┼─ a spec without sums: every_size.against_solution, for all sizes
                                           └─ anything else: arrays_plan.ask_plan, at the spec's sizes
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from devsem import arrays_plan, every_size, pipeline
from devsem.errors import Rejected, UsageError
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.host_load import is_solution
from devsem.frontend.spec import Spec, is_pointwise, load_graph, translate
from devsem.heads import Clock, Progress, as_rejected
from devsem.leanrun import Lean
from devsem.pipeline import second_on
from devsem.plan_safety import numbers
from devsem.profile import load_open
from devsem.program import is_plain
from devsem.request import Request
from devsem.spec_elements import SpecElements, spec_elements
from devsem.verdict import Verdict


def verify(request: Request, progress: Progress) -> list[Verdict]:
    """One verdict for each device, in the order asked."""
    if request.function is not None or request.launch != "1d" or not arrays_plan.has_wrapper(request.kernel) or _is_one_pointwise(request):
        return pipeline.verify(request, progress)
    lean, clock, flags = Lean.choose(request.lean), Clock(), request.flags
    try:
        with clock.stage("spec"):
            progress(f"capturing {request.spec}")
            graph = load_graph(str(request.spec), timeout=max(request.timeout, 120.0))
        with clock.stage("kernel"):
            progress(f"reading {request.kernel}")
            solved = arrays_plan.solve(request.kernel, graph, numbers(request.bind), request.flags)
            flags = solved.flags
            alone = arrays_plan.as_pointwise(solved, str(request.spec), graph)
        why = _only_pointwise(request)
        found = _alone(request, alone, flags, progress) if alone is not None else []
        if found and (why or all(v.safety.verdict != "OPEN" for v in found)):       # where the first path does not know whether it is safe, others may
            return found
        if why:
            raise UsageError(why)
        every = _for_all_sizes(request, solved, graph, lean, clock, progress)
        if every is not None:
            return every
        with clock.stage("launch"):
            progress(f"running {request.kernel.name}, every thread")
            asked = arrays_plan.ask_plan(solved, str(request.spec), graph)
    except Rejected as rejected:
        return [as_rejected(request, load_open(name, flags), rejected.rejections, clock.total({})) for name in request.devices]
    return [second_on(asked, request, load_open(name, flags), lean, clock, progress) for name in request.devices]


def _for_all_sizes(request: Request, solved: arrays_plan.Solved, graph: Mapping[str, Any], lean: Lean, clock: Clock,
                   progress: Progress) -> list[Verdict] | None:
    """The verdicts for all sizes, where the specification takes any; None where they are open."""
    spec = _spec(str(request.spec), graph)
    if spec is None:
        return None
    profiles = [load_open(name, solved.flags) for name in request.devices]
    return every_size.against_solution(request, profiles, solved.kernel, spec, lean, clock, progress)


def _spec(path: str, graph: Mapping[str, Any]) -> Spec | SpecElements | None:
    """The specification at all sizes; None where it is not known."""
    if is_pointwise(path, graph):
        return translate(path, graph) if graph["size_free"] else None
    try:
        return spec_elements(path, graph, fixed=True)
    except Rejected:
        return None


def _is_one_pointwise(request: Request) -> bool:
    """Is it a CUDA text with one kernel, without loops and the like? Its wrapper is not looked at: the verdict is about all sizes."""
    if is_solution(request.kernel):
        return False
    try:
        return is_plain(parse_kernel(str(request.kernel), request.kernel.read_bytes(), None))
    except UsageError:
        return False
    except Rejected:
        return True


def _alone(request: Request, alone: arrays_plan.Pointwise, flags: str, progress: Progress) -> list[Verdict]:
    """The verdicts on a solution's one pointwise kernel, whose text is written out for the compiler."""
    request.out.mkdir(parents=True, exist_ok=True)
    path = request.out / f"{request.kernel.stem}.cu"
    path.write_text(alone.text, encoding="utf-8")
    given = replace(request, kernel=path, function=alone.function, launch=alone.launch, bind=alone.bind, flags=flags)
    note = f"the kernel is that of {request.kernel}, launched as its wrapper does: {alone.launch}, {alone.bind}"
    return [replace(v, kernel=str(request.kernel), assumptions=(note, *v.assumptions)) for v in pipeline.verify(given, progress)]


def _only_pointwise(request: Request) -> str:
    """What is wrong with an option that only pointwise kernels have; empty if none is given."""
    for option, given in (("--assume", request.assume), ("--lemmas", request.lemmas), ("--proof", request.proof), ("--emit-goal", request.emit_goal),
                          ("--reference eager", request.reference == "eager"), ("--reading compiled", request.reading == "compiled")):
        if given:
            return f"{option} is for pointwise kernels; this one is decided for a launch of fixed size"
    return ""
