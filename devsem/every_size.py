"""What `pipeline.verify` does where a verdict is about all sizes of a kernel that is not plain, or compares two kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import mul
from pathlib import Path
from typing import Any

from devsem import all_sizes
from devsem.arrays import Source
from devsem.arrays_sizes import sizes_case
from devsem.case import Case, kernel_case, plan_case, pointwise_case, renamed
from devsem.cells import Limits
from devsem.digits import ONE
from devsem.errors import Rejected, UsageError
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.host_load import PlannedKernel
from devsem.frontend.spec import Spec
from devsem.heads import Clock, Progress, as_rejected, head, lean_path
from devsem.leanrun import Lean
from devsem.plan import numel, put_in, size_of
from devsem.plan_safety import tied
from devsem.polynomial import read
from devsem.profile import Profile
from devsem.program import Program
from devsem.request import Request
from devsem.spec_elements import SpecElements, spec_elements
from devsem.verdict import Verdict


def is_kernel(spec: Path) -> bool:
    """Is the specification another kernel?"""
    return spec.suffix in (".cu", ".cuh")


def against_kernel(request: Request, profiles: Sequence[Profile], lean: Lean, clock: Clock, progress: Progress) -> list[Verdict]:
    """The verdicts on two kernels that are launched alike: do they leave the same in every buffer?"""
    try:
        with clock.stage("kernel"):
            progress(f"reading {request.kernel} and {request.spec}")
            program = parse_kernel(str(request.kernel), request.kernel.read_bytes(), request.function)
            other = parse_kernel(str(request.spec), request.spec.read_bytes(), None)
        case, wanted = cases(program, other, request)
        sources = [Source(p.read_bytes(), str(p), request.toolkit) for p in (request.kernel, request.spec)]
        return _verdicts(request, profiles, case, wanted, lean, clock, progress, sources)
    except Rejected as rejected:
        return [as_rejected(request, p, rejected.rejections, clock.total({})) for p in profiles]


def cases(program: Program, other: Program, request: Request) -> tuple[Case, Case]:
    """Both kernels over the same tensors and sizes: buffers correspond by their places, integers by their names."""
    pointers = [p.name for p in program.params if p.is_buffer]
    theirs = [p.name for p in other.params if p.is_buffer]
    if len(pointers) != len(theirs):
        raise UsageError(f"{request.kernel} has {len(pointers)} buffers and {request.spec} {len(theirs)}; both must have the same, in the same order")
    case = kernel_case(program, request.launch, request.bind, request.assume, most=request.max_numel)
    strange = [p.name for p in other.params if not p.is_buffer and p.name not in {q.name for q in program.params}]
    if strange:
        raise UsageError(f"{request.spec} has the parameter {strange[0]}, which {request.kernel} does not have; numbers correspond by name")
    return case, kernel_case(other, request.launch, request.bind, request.assume, pointers, request.max_numel)


def against_pointwise(request: Request, profiles: Sequence[Profile], program: Program, spec: Spec, lean: Lean, clock: Clock,
                      progress: Progress) -> list[Verdict]:
    """The verdicts on a kernel of any shape against a pointwise specification."""
    case = pointwise_case(program, spec, request.launch, request.bind, request.assume, request.max_numel)
    try:
        return _verdicts(request, profiles, case, spec, lean, clock, progress, [Source(request.kernel.read_bytes(), str(request.kernel), request.toolkit)])
    except Rejected as rejected:
        return [as_rejected(request, p, rejected.rejections, clock.total({})) for p in profiles]


def solution_case(kernel: PlannedKernel, spec: Spec, most: int) -> Case | None:
    """The one launch of a host's plan against a pointwise specification; None where the plan, or its tensors, have another form."""
    plan = tied(kernel, spec.inputs).plan
    if len(plan.launches) != 1 or len(plan.results) != len(spec.outputs) or any(plan.tensor(r).initial != "empty" for r in plan.results):
        return None
    case = plan_case(kernel.programs[0], plan, 0, most)
    sizes = {str(read(numel(b.dims))) for b in case.setting.buffers.values()}
    if len(sizes) != 1 or set(case.results) != set(plan.results) or len(set(case.tensors.values())) != len(case.tensors):
        return None
    out = renamed(case, dict(plan.bindings))
    return replace(out, results=plan.results, notes=(*out.notes, *kernel.notes), inputs=tuple(i.name for i in spec.inputs))


def shapes_case(kernel: PlannedKernel, spec: SpecElements, most: int) -> Case | None:
    """The one launch of a host's plan against a specification with tensors of several shapes, over the specification's sizes; None where the plan,
    or a shape, has another form."""
    bound = kernel.plan.bindings
    by = {size_of(host, i): d.expr for host, name in bound.items() if name in spec.dims for i, d in enumerate(spec.dims[name])}
    plan = put_in(kernel.plan, by)
    if len(plan.launches) != 1 or len(plan.results) != len(spec.outputs) or set(kernel.plan.sizes) - set(by) or \
            any(plan.tensor(r).initial != "empty" for r in plan.results):
        return None
    returned = [tuple(map(read, shape)) for shape in plan.shapes]
    case = plan_case(kernel.programs[0], plan, 0, most)
    shapes = {b.tensor: reduce(mul, map(read, b.dims)) for b in case.setting.buffers.values()}
    given = {host: reduce(mul, spec.dims[name], ONE) for host, name in bound.items() if name in spec.dims}
    if returned != [o.dims for o in spec.outputs] or set(case.results) != set(plan.results) or len(set(case.tensors.values())) != len(case.tensors) or \
            any(shapes[t] != given[t] for t in shapes if t in given) or any(t not in given for t in shapes if t not in plan.results):
        return None
    out = renamed(case, dict(bound))
    sizes = {v: (least, most) for v, least in spec.sizes.least.items()}
    return replace(out, results=plan.results, setting=replace(out.setting, sizes=sizes), inputs=tuple(i.name for i in spec.inputs),
                   notes=(*out.notes, *kernel.notes, *spec.assumptions))


def against_solution(request: Request, profiles: Sequence[Profile], kernel: PlannedKernel, spec: Spec | SpecElements, lean: Lean, clock: Clock,
                     progress: Progress) -> list[Verdict] | None:
    """The verdicts for all sizes on a file with its own launch; None where it is decided at the specification's sizes only."""
    case = solution_case(kernel, spec, request.max_numel) if isinstance(spec, Spec) else shapes_case(kernel, spec, request.max_numel)
    if case is None:
        return None
    found = _verdicts(request, profiles, case, spec, lean, clock, progress, [Source(kernel.text[1].encode(), kernel.text[0], request.toolkit)])
    return found if all(v.verdict != "OPEN" for v in found) else None


def against_shapes(request: Request, profiles: Sequence[Profile], program: Program, graph: Mapping[str, Any], lean: Lean, clock: Clock,
                   progress: Progress) -> list[Verdict]:
    """The verdicts on a kernel against a specification whose tensors have several shapes."""
    try:
        spec = spec_elements(str(request.spec), graph)
        case = sizes_case(program, spec, request.launch, request.bind, request.assume, request.max_numel)
        return _verdicts(request, profiles, case, spec, lean, clock, progress, [Source(request.kernel.read_bytes(), str(request.kernel), request.toolkit)])
    except Rejected as rejected:
        return [as_rejected(request, p, rejected.rejections, clock.total({})) for p in profiles]


def _verdicts(request: Request, profiles: Sequence[Profile], case: Case, spec: Spec | SpecElements | Case, lean: Lean, clock: Clock,
              progress: Progress, sources: Sequence[Source]) -> list[Verdict]:
    asked = all_sizes.ask(case, spec, Limits(request.equality, request.timeout, clock.stage), progress, sources)
    out = []
    for profile in profiles:
        progress(f"{request.kernel.name} on {profile.name} {profile.flags}".strip())
        mine = Clock()
        out.append(all_sizes.verdict_on(asked, profile, Limits(request.equality, request.timeout, mine.stage), lean,
                                        lambda p=profile, c=mine: head(request, p, asked.function, "written", c.total(clock.seconds)),   # type: ignore[misc]
                                        lean_path(request, profile)))
    return out
