"""A refutation as Lean text: the witness, both sides on it, and the theorem that their patterns differ."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devsem.expr import Expr, bits
from devsem.goal import Goal
from devsem.leanfile import Part, Reading, agreement, comment, device, equality_wrap, kernel, lowering, spec
from devsem.leanprint import constant, expressions, proof, text
from devsem.ops import OPS
from devsem.possible import Bound
from devsem.prove import Hypothesis
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
    """A documented bound: at one argument, the function's value is one of a list or lies between two; or the latter for all arguments between two."""
    arguments = [constant(bits(a)) for a in bound.args]
    if bound.allowed:
        call = f"({OPS[bound.row].lean} {' '.join(arguments)})"
        values = [f"(Eq {call} {constant(bits(v))})" for v in bound.allowed]
        whole = values[-1]
        for v in reversed(values[:-1]):
            whole = f"(Or {v} {whole})"
        return whole
    ends = constant(bits(bound.low)), constant(bits(bound.high))
    if not bound.upto:
        return _within(ends[0], f"({OPS[bound.row].lean} {' '.join(arguments)})", ends[1])
    names = [f"a{i}" for i in range(len(bound.args))]
    given = [_within(low, name, constant(bits(high))) for low, name, high in zip(arguments, names, bound.upto, strict=True)]
    claim = _within(ends[0], f"({OPS[bound.row].lean} {' '.join(names)})", ends[1])
    return f"({' '.join(names)} : F32) → {' → '.join([*given, claim])}"


def _within(low: str, value: str, high: str) -> str:
    """`value` is a number from `low` to `high`."""
    return f"Eq (Bool.and (Fp.le {low} {value}) (Fp.le {value} {high})) true"


def listed(items: Sequence[str]) -> str:
    """A Lean list."""
    out = "(List.nil (α := Nat))"
    for item in reversed(items):
        out = f"(List.cons {item} {out})"
    return out


def refuted(goal: Goal, reading: Reading, output: int, inputs: Mapping[Expr, int], lowered: Expr, difference: Values | Bounded,
            obligations: Sequence[str], admitted: Sequence[tuple[Hypothesis, Block]], equality: str) -> Part:
    """A REFUTED reading: what the witness is, that it is admitted, and that the two sides differ on it."""
    given = [f"{inputs[b.before]:#010x}" for b in goal.inputs]
    legend = ", ".join(f"{b.tensor or b.param + ' before the launch'} = {g}" for b, g in zip(goal.inputs, given, strict=True))
    generic, reference = kernel(goal, reading), spec(goal)
    blocks = [difference.block] if isinstance(difference, Bounded) else [difference.kernel[1], difference.spec[1]]
    spelled = lowering(goal, reading, generic, reference.names, [lowered, *(e for b in blocks for e in expressions(b))])
    lines = [*device(reading), *generic.lines, *reference.lines, *spelled.lines, f"/-! The witness: {comment(legend)}. -/", ""]
    for b, g in zip(goal.inputs, given, strict=True):
        lines += [f"/-- The pattern of {comment(b.tensor or b.param)}. -/", f"def pattern{b.number} : Nat := {g}", "",
                  f"/-- The value of {comment(b.tensor or b.param)}. -/", f"def in{b.number} : F32 := F32.ofBits pattern{b.number}", "",
                  f"theorem in{b.number}_eq : Eq in{b.number} {constant(bits(inputs[b.before]))} := rfl", ""]
    patterns = [f"pattern{b.number}" for b in goal.inputs]
    lines += ["/-- The theorems below are about these very patterns. -/", f"theorem witness_eq : Eq {listed(patterns)} {listed(given)} := rfl", ""]
    theorems = ["witness_eq"]
    at = _at(goal, spelled.names)
    for i, (h, block) in enumerate(admitted):
        lines += ["/-- The witness satisfies the precondition. -/", f"theorem admitted{i} : Eq {text(h.condition, at)} true :=", proof(block, at), ""]
        theorems.append(f"admitted{i}")
    more, names_more = _difference(output, goal, at, difference, obligations, equality)
    return Part(tuple(lines + more), (*theorems, *names_more))


def _at(goal: Goal, names: Mapping[Expr, str]) -> dict[Expr, str]:
    """The names of a kernel's parts, at the witness: `(e3 D S x0 x1)` becomes `(e3 D S in0 in1)`."""
    return {e: re.sub(r"\bx(\d+)\b", r"in\1", name) for e, name in names.items()}


def _difference(o: int, goal: Goal, at: Mapping[Expr, str], difference: Values | Bounded, obligations: Sequence[str],
                equality: str) -> tuple[list[str], list[str]]:
    left, right = equality_wrap(equality)
    ins = " ".join(f"in{b.number}" for b in goal.inputs)
    kernel_side, spec_side = f"(kernelValue{o} device D {ins})", f"(specValue{o} S {ins})"
    claim = f"Eq (Fp.same {left}{kernel_side}{right} {left}{spec_side}{right}) false"
    if isinstance(difference, Bounded):
        agrees = "".join(f" ({name} : {statement})" for name, statement in map(agreement, obligations))
        given = "".join(f"\n    ({name} : {bound_statement(bound)})" for name, bound in difference.bounds)
        return ["/-- THE THEOREM. Whatever the functions return within their bounds, the kernel's pattern on the witness is not the spec's. -/",
                f"theorem kernel_ne_spec (D S : Libm){agrees}{given} :", f"    {claim} :=",
                f"  Eq.trans (congrArg (fun y => Fp.same {left}y{right} {left}{spec_side}{right}) (lowered{o} D S {ins})) (",
                proof(difference.block, at), "  )", ""], ["kernel_ne_spec"]
    lines: list[str] = []
    sides = (("kernel", kernel_side, difference.kernel, f"(lowered{o} D S {ins})"), ("spec", spec_side, difference.spec, "rfl"))
    for name, side, (value, block), start in sides:
        lines += [f"/-- The {name}'s value on the witness. -/", f"theorem {name}_value (D S : Libm) : Eq {side} {constant(value)} :=",
                  f"  Eq.trans {start} (", proof(block, at), "  )", "",
                  "/-- The same as a bit pattern. -/", f"theorem {name}_bits (D S : Libm) : Eq (Fp.toBits {side}) {value.value:#010x} :=",
                  f"  Eq.trans (congrArg Fp.toBits ({name}_value D S)) rfl", ""]
    lines += ["/-- THE THEOREM. The kernel's pattern on the witness is not the spec's. -/", "theorem kernel_ne_spec (D S : Libm) :", f"    {claim} :=",
              f"  Eq.trans (congrArg2 (fun y z => Fp.same {left}y{right} {left}z{right}) (kernel_value D S) (spec_value D S))",
              "    rfl", ""]
    return lines, ["kernel_bits", "spec_bits", "kernel_ne_spec"]
