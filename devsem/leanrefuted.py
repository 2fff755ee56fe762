"""A refutation as Lean text: the witness, both sides on it, and the theorem that their patterns differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devsem.expr import Expr, bits
from devsem.goal import Goal
from devsem.leanfile import Part, Reading, agreement, comment, device, equality_wrap, kernel, spec, variable_names
from devsem.leanprint import constant, proof, text
from devsem.ops import OPS
from devsem.prove import Hypothesis
from devsem.refute import Bound
from devsem.term import Block


@dataclass(frozen=True)
class Values:
    """Both sides evaluated: a proof that each is its constant."""

    kernel: tuple[Expr, Block]
    spec: tuple[Expr, Block]


@dataclass(frozen=True)
class Bounded:
    """Both sides differ for every value that the bounds allow: one proof."""

    bounds: tuple[tuple[str, Bound], ...]
    block: Block


def bound_statement(bound: Bound) -> str:
    """A documented bound at one argument: the function's value there is one of a list."""
    call = f"({OPS[bound.row].lean} {' '.join(constant(bits(a)) for a in bound.args)})"
    values = [f"(Eq {call} {constant(bits(v))})" for v in bound.allowed]
    whole = values[-1]
    for v in reversed(values[:-1]):
        whole = f"(Or {v} {whole})"
    return whole


def listed(items: Sequence[str]) -> str:
    """A Lean list."""
    out = "(List.nil (α := Nat))"
    for item in reversed(items):
        out = f"(List.cons {item} {out})"
    return out


def refuted(goal: Goal, reading: Reading, output: int, inputs: Mapping[Expr, int], lowered: Expr, difference: Values | Bounded,
            obligations: Sequence[str], admitted: Sequence[tuple[Hypothesis, Block]], equality: str) -> Part:
    """A REFUTED reading: what the witness is, that it is admitted, and that the two sides differ on it."""
    names = variable_names(goal)
    xs = " ".join(names[b.before] for b in goal.inputs)
    binders = " ".join(f"({names[b.before]} : F32)" for b in goal.inputs)
    given = [f"{inputs[b.before]:#010x}" for b in goal.inputs]
    legend = ", ".join(f"{b.tensor or b.param + ' before the launch'} = {g}" for b, g in zip(goal.inputs, given, strict=True))
    lines = device(reading) + kernel(goal, reading) + spec(goal) + [f"/-! The witness: {comment(legend)}. -/", ""]
    for b, g in zip(goal.inputs, given, strict=True):
        lines += [f"/-- The pattern of {comment(b.tensor or b.param)}. -/", f"def pattern{b.number} : Nat := {g}", "",
                  f"/-- The value of {comment(b.tensor or b.param)}. -/", f"def in{b.number} : F32 := F32.ofBits pattern{b.number}", ""]
    patterns = [f"pattern{b.number}" for b in goal.inputs]
    lines += ["/-- The theorems below are about these very patterns. -/", f"theorem witness_eq : Eq {listed(patterns)} {listed(given)} := rfl", "",
              f"/-- Output {output} on this device, spelled out. -/",
              f"theorem lowered{output} (D : Libm) {binders} : Eq (kernelValue{output} device D {xs}) {text(lowered, names)} := rfl", ""]
    closed = {b.before: f"in{b.number}" for b in goal.inputs}
    theorems = ["witness_eq"]
    for i, (h, block) in enumerate(admitted):
        lines += ["/-- The witness satisfies the precondition. -/", f"theorem admitted{i} : Eq {text(h.condition, closed)} true :=", proof(block, {}), ""]
        theorems.append(f"admitted{i}")
    more, names_more = _difference(output, " ".join(closed[b.before] for b in goal.inputs), difference, obligations, equality)
    return Part(tuple(lines + more), (*theorems, *names_more))


def _difference(o: int, at: str, difference: Values | Bounded, obligations: Sequence[str], equality: str) -> tuple[list[str], list[str]]:
    left, right = equality_wrap(equality)
    kernel_side, spec_side = f"(kernelValue{o} device D {at})", f"(specValue{o} S {at})"
    goal = f"Eq (Fp.same {left}{kernel_side}{right} {left}{spec_side}{right}) false"
    lowered = f"(congrArg (fun y => Fp.same {left}y{right} {left}{spec_side}{right}) (lowered{o} D {at}))"
    if isinstance(difference, Bounded):
        agrees = "".join(f" ({name} : {statement})" for name, statement in map(agreement, obligations))
        given = "".join(f"\n    ({name} : {bound_statement(bound)})" for name, bound in difference.bounds)
        return ["/-- THE THEOREM. Whatever the functions return within their bounds, the kernel's pattern on the witness is not the spec's. -/",
                f"theorem kernel_ne_spec (D S : Libm){agrees}{given} :", f"    {goal} :=",
                f"  Eq.trans {lowered} (", proof(difference.block, {}), "  )", ""], ["kernel_ne_spec"]
    lines: list[str] = []
    for name, side, (value, block), start in (("kernel", kernel_side, difference.kernel, f"(lowered{o} D {at})"), ("spec", spec_side, difference.spec, "rfl")):
        lines += [f"/-- The {name}'s value on the witness. -/", f"theorem {name}_value (D S : Libm) : Eq {side} {constant(value)} :=",
                  f"  Eq.trans {start} (", proof(block, {}), "  )", "",
                  "/-- The same as a bit pattern. -/", f"theorem {name}_bits (D S : Libm) : Eq (Fp.toBits {side}) {value.value:#010x} :=",
                  f"  Eq.trans (congrArg Fp.toBits ({name}_value D S)) rfl", ""]
    lines += ["/-- THE THEOREM. The kernel's pattern on the witness is not the spec's. -/", "theorem kernel_ne_spec (D S : Libm) :", f"    {goal} :=",
              f"  Eq.trans (congrArg2 (fun y z => Fp.same {left}y{right} {left}z{right}) (kernel_value D S) (spec_value D S))",
              "    rfl", ""]
    return lines, ["kernel_bits", "spec_bits", "kernel_ne_spec"]
