"""Every launch of a plan at given sizes, one after the other: the first thing that goes wrong, or what the results hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from devsem.expr import Expr
from devsem.frontend.host_load import PlannedKernel
from devsem.instance import Instance
from devsem.plan import Impossible, Plan, dims_at, instantiate
from devsem.program import HERE, Program
from devsem.threads import LIMIT, LaunchFault, is_written, run

Cells = tuple[Expr | None, ...]


@dataclass(frozen=True)
class Ran:
    """`results`: the elements of each result in written rows, in the plan's order; empty where something is wrong. `launch`: which one.

    `complete`: every thread of every launch was run, and none does anything wrong, whatever the inputs. `doubts`: as of `threads.Outcome`."""

    fault: LaunchFault | Impossible | None
    launch: int
    results: tuple[Cells, ...]
    complete: bool
    doubts: tuple[str, ...]
    instances: tuple[Instance, ...]


def run_plan(kernel: PlannedKernel, sizes: Mapping[Expr, int], *, values: bool = True, limit: int = LIMIT) -> Ran:
    """Run a plan's launches at sizes that meet its conditions. Raises Rejected, as `threads.run` does.

    Several launches keep their values in any case, since one reads what another wrote."""
    plan = kernel.plan
    instances = instantiate(plan, sizes)
    if isinstance(instances, Impossible):
        return Ran(instances, instances.launch, (), False, (), ())
    memory: dict[str, Cells] = {}
    doubts: dict[str, None] = {}
    last = _last_writers(kernel)
    for i, (program, instance) in enumerate(zip(kernel.programs, instances, strict=True)):
        due = frozenset(r for r in plan.results if last.get(r) == i and plan.tensor(r).initial == "empty")
        outcome = run(program, instance, values=values or len(instances) > 1, limit=limit, before=memory, written=due)
        doubts |= dict.fromkeys(outcome.doubts)
        if outcome.fault is not None:
            return Ran(outcome.fault, i, (), False, tuple(doubts), instances)
        memory |= outcome.memory
    if missing := _never_written(plan, last, sizes):
        return Ran(missing, len(instances) - 1, (), False, tuple(doubts), instances)
    found = tuple(memory.get(r, ()) for r in plan.results)
    return Ran(None, 0, found, True, tuple(doubts), instances)


def _last_writers(kernel: PlannedKernel) -> dict[str, int]:
    """The last launch that may write each tensor."""
    out: dict[str, int] = {}
    for i, (program, launch) in enumerate(zip(kernel.programs, kernel.plan.launches, strict=True)):
        out |= dict.fromkeys(_writes(program, launch.arguments), i)
    return out


def _writes(program: Program, arguments: tuple[str | Expr, ...]) -> list[str]:
    return [a for p, a in zip(program.params, arguments, strict=True) if is_written(p) and isinstance(a, str)]


def _never_written(plan: Plan, last: Mapping[str, int], sizes: Mapping[Expr, int]) -> LaunchFault | None:
    """A result that no launch may write."""
    for r, dims in zip(plan.results, plan.shapes, strict=True):
        if r not in last and plan.tensor(r).initial == "empty" and 0 not in dims_at(dims, sizes):
            return LaunchFault("unwritten", f"no kernel writes {r}", plan.launches[-1].where if plan.launches else HERE, None, None,
                               {v.name: n for v, n in sizes.items()}, r, 0)
    return None
