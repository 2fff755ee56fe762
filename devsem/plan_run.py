"""Every launch of a plan at given sizes, one after the other: the first thing that goes wrong, or what the results hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from devsem.expr import Expr
from devsem.frontend.host_load import PlannedKernel
from devsem.instance import Instance
from devsem.plan import Impossible, dims_at, instantiate
from devsem.program import HERE
from devsem.threads import LIMIT, LaunchFault, Outcome, is_written, run_all

Cells = tuple[Expr | None, ...]


@dataclass(frozen=True)
class Ran:
    """`results`: the elements of each result in written rows, in the plan's order; none where something is wrong, or without values.

    `complete`: every thread of every launch was run, and none does anything wrong, whatever the inputs. `outcome`: of the run, if there was one."""

    fault: LaunchFault | Impossible | None
    results: tuple[Cells, ...]
    complete: bool
    outcome: Outcome | None
    instances: tuple[Instance, ...]


def run_plan(kernel: PlannedKernel, sizes: Mapping[Expr, int], *, values: bool = True, limit: int = LIMIT) -> Ran:
    """Run a plan's launches at sizes that meet its conditions. Raises Rejected, as `threads.run` does."""
    plan = kernel.plan
    instances = instantiate(plan, sizes)
    if isinstance(instances, Impossible):
        return Ran(instances, (), False, None, ())
    if missing := _never_written(kernel, sizes):
        return Ran(missing, (), False, None, instances)
    outcome = run_all(tuple(zip(kernel.programs, instances, strict=True)), values=values, limit=limit, written=due(kernel))
    done = outcome.fault is None and values
    return Ran(outcome.fault, tuple(outcome.memory.get(r, ()) for r in plan.results) if done else (), outcome.complete, outcome, instances)


def due(kernel: PlannedKernel) -> frozenset[str]:
    """The results that the kernels must fill: those that are empty at first."""
    return frozenset(r for r in kernel.plan.results if kernel.plan.tensor(r).initial == "empty")


def unwritten(kernel: PlannedKernel) -> frozenset[str]:
    """The results that no launch may write, and that are empty at first."""
    writes = {a for program, launch in zip(kernel.programs, kernel.plan.launches, strict=True)
              for p, a in zip(program.params, launch.arguments, strict=True) if isinstance(a, str) and is_written(p)}
    return due(kernel) - writes


def _never_written(kernel: PlannedKernel, sizes: Mapping[Expr, int]) -> LaunchFault | None:
    """A result that no launch may write."""
    plan = kernel.plan
    for r in unwritten(kernel):
        if 0 not in dims_at(plan.tensor(r).dims, sizes):
            where = plan.launches[-1].where if plan.launches else HERE
            return LaunchFault("unwritten", f"no kernel writes {r}", where, None, None, {v.name: n for v, n in sizes.items()}, r, 0)
    return None
