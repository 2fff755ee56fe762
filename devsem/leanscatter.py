"""The array part of a verdict for a launch of any shape: a list of writes, of which one alone is to each element.

What the safety gate shows stands in the theorem as hypotheses: which write is to an element, that no other is, and that a write reads
the other tensors at the element that it writes. That a kernel's threads make these writes is the translation's and the gate's word.
"""

from __future__ import annotations

from collections.abc import Sequence

from devsem.goal import Goal
from devsem.leanprint import text
from devsem.prove import Hypothesis

ONCE = "(once : (k : Nat) → Nat.Lt k writes → Eq (on k) true → Eq (at_ k) i → Eq k e)"
EVENTS = f"(writes : Nat) (on : Nat → Bool) (at_ : Nat → Nat) (e i : Nat) (he : Nat.Lt e writes) (written : Eq (on e) true) (here : Eq (at_ e) i)\n    {ONCE}"


def array_theorem(goal: Goal, o: int, agreement: tuple[str, str], hypotheses: Sequence[Hypothesis], wrap: tuple[str, str]) -> list[str]:
    """The theorem about the launch, from the theorem about one element; arguments as those of `leangrid.array_theorem`."""
    agrees, agree_args = agreement
    left, right = wrap
    n = "n" if goal.size.is_var else str(goal.size.value)
    buffer = goal.outputs[o].buffer.number
    kinds = " → ".join(["F32"] * (len(goal.inputs) + 1))
    cells = " ".join(f"(m {c.number} i)" for c in goal.inputs)
    at_k = " ".join(f"(m {c.number} (at_ k))" for c in goal.inputs)
    at_j = " ".join(f"(m {c.number} j)" for c in goal.inputs)
    at = {b.before: f"(m {b.number} j)" for b in goal.inputs}
    size = " (n : Nat)" if goal.size.is_var else ""
    sizes = "".join(f" (size{i} : Eq (Nat.mod {n} {a.size.modulus}) {a.size.remainder})" for i, a in enumerate(goal.assumptions) if a.size)
    elements = "".join(f" ({h.name} : ∀ j, Nat.Lt j {n} → Eq {text(h.condition, at)} true)" for h in hypotheses)
    given = "".join(f" ({h.name} i hi)" for h in hypotheses)

    def memory(value: str) -> str:
        return f"(Grid.upTo (fun k u => cond (on k) (Mem.store u {buffer} (at_ k) ({value} {at_k})) u) writes m {buffer} i)"

    return [
        "/-- The launch, whatever the threads compute: an element has the value of the one write to it. -/",
        f"theorem launch{o} (v{o} : {kinds}) (m : Mem F32)", f"    {EVENTS} :", f"    Eq {memory(f'v{o}')} (v{o} {cells}) :=",
        f"  Eq.trans (Grid.scatter_at (v := fun k => v{o} {at_k}) {buffer} i m he written here once) (congrArg (fun j => v{o} {at_j}) here)", "",
        f"/-- THE THEOREM. After the launch, every element of output {o} is what the spec says. The hypotheses on writes are what the gate shows. -/",
        f"theorem kernel_eq_spec{o} (D S : Libm){agrees}{size}{sizes} (m : Mem F32){elements}", f"    {EVENTS}", f"    (hi : Nat.Lt i {n}) :",
        f"    Eq {left}{memory(f'kernelValue{o} device D')}{right} {left}(specValue{o} S {cells}){right} :=",
        f"  Eq.trans (congrArg (fun y => {left}y{right}) (launch{o} (kernelValue{o} device D) m writes on at_ e i he written here once))",
        f"    (value{o} D S{agree_args} {cells}{given})", ""]
