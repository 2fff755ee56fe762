"""A verdict as one self-contained Lean file: the device, the kernel, the spec, the theorem and its proof or its witness.

Names of kernels, parameters and tensors never become Lean names: they appear in comments, with everything but plain characters
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from devsem import leangrid
from devsem.expr import Expr, mk
from devsem.goal import Goal
from devsem.leanprint import definition, proof, text
from devsem.ops import OPS
from devsem.profile import Profile, lean_fields
from devsem.prove import Hypothesis
from devsem.term import Block

NAMESPACE = "Verdict"
IMPORTS = ("FloatLib.Profile", "FloatLib.Pool")


@dataclass(frozen=True)
class Reading:
    """What one admissible reading of a kernel computes, on one device: the written value and the bits of its choices."""

    profile: Profile
    written: tuple[Expr, ...]
    choice: tuple[bool, ...]


@dataclass(frozen=True)
class LeanFile:
    """A text and the theorems in it that decide, by their full names."""

    text: str
    theorems: tuple[str, ...]
    statement: str


def comment(words: str) -> str:
    """Text from outside, safe inside a Lean comment."""
    return re.sub(r"[^\x20-\x7e]", "?", words).replace("-/", "- /").replace("/-", "/ -")


@dataclass(frozen=True)
class Part:
    """What a file says of one reading: lines inside a namespace of its own, and the theorems that decide."""

    lines: tuple[str, ...]
    theorems: tuple[str, ...]


def assemble(what: str, facts: Sequence[str], parts: Sequence[Part], statement: str) -> LeanFile:
    """The whole file: in words what it says, then one namespace for each reading."""
    lines = ["prelude", *(f"import {m}" for m in IMPORTS), "", "/-!", comment(f"# {what}"), "", *(f"- {comment(f)}" for f in facts), "-/", "",
             "set_option exponentiation.threshold 600", "set_option maxRecDepth 10000", "noncomputable section", ""]
    theorems: list[str] = []
    for i, part in enumerate(parts):
        space = NAMESPACE if len(parts) == 1 else f"{NAMESPACE}{i}"
        lines += [f"namespace {space}", "", *part.lines, f"end {space}", ""]
        theorems += [f"{space}.{t}" for t in part.theorems]
    lines += [f"#print axioms {t}" for t in theorems]
    return LeanFile("\n".join(lines) + "\n", tuple(theorems), statement)


def device(reading: Reading) -> list[str]:
    """The profile as a Lean constant."""
    f = lean_fields(reading.profile)
    fuse = "true" if not reading.choice else ""
    for k, bit in reversed(list(enumerate(reading.choice))):
        fuse = f"(cond (Nat.beq j {k}) {'true' if bit else 'false'} {fuse or 'true'})"
    p = reading.profile
    what = comment(f"{p.device or p.name}, flags {p.flags or '(none)'}")
    return [f"/-- {what}: contraction, flushing, division, square root, library, fused product. -/",
            f"def device : Profile := Profile.mk {f['contract']} {f['ftz']} {f['division']} {f['sqrt']} {f['libm']} (fun j => {fuse})", ""]


def variable_names(goal: Goal) -> dict[Expr, str]:
    """The Lean names of the tensors' elements: x0, x1 … by buffer number."""
    return {b.before: f"x{b.number}" for b in goal.inputs}


def _binders(goal: Goal) -> str:
    return " ".join(f"(x{b.number} : F32)" for b in goal.inputs)


def _arguments(goal: Goal, index: str) -> str:
    return " ".join(f"(m {b.number} {index})" for b in goal.inputs)


def kernel(goal: Goal, reading: Reading) -> list[str]:
    """The kernel: each output's value, generic in the profile and the device's functions, and the thread."""
    names, lines = variable_names(goal), []
    legend = ", ".join(f"x{b.number} is {b.tensor or b.param + ' before the launch'}" for b in goal.inputs)
    for o, written in enumerate(reading.written):
        lines += [f"/-- What the kernel `{comment(goal.function)}` stores in output {o}; {comment(legend)}. -/",
                  f"def kernelValue{o} (P : Profile) (D : Libm) {_binders(goal)} : F32 :=", definition(written, names), ""]
    calls = [lambda index, o=o: f"(kernelValue{o} P D {_arguments(goal, index)})" for o in range(len(reading.written))]
    lines += ["/-- What thread `t` of block `k` does, with `n` elements and blocks of `b` threads, to memory `m`. -/",
              "def thread (P : Profile) (D : Libm) (n b k t : Nat) (m : Mem F32) : Mem F32 :=", leangrid.thread(goal, calls), ""]
    return lines


def spec(goal: Goal) -> list[str]:
    """The spec: each output's value, generic in the reference's functions."""
    names, lines = variable_names(goal), []
    for o, output in enumerate(goal.outputs):
        lines += [f"/-- What the specification `{comment(goal.spec)}` says of output {o}. -/",
                  f"def specValue{o} (S : Libm) {_binders(goal)} : F32 :=", definition(output.spec, names), ""]
    return lines


def agreement(row: str) -> tuple[str, str]:
    """An obligation's hypothesis: its name and its statement. `row` is the D. row."""
    name = row[2:]
    binders = " ".join("abc"[: len(OPS[row].args)])
    return f"{name}_agrees", f"∀ {binders}, Eq (Libm.{name} D {binders}) (Libm.{name} S {binders})"


@dataclass(frozen=True)
class Proved:
    """One output under one reading: the lowered expression and the proof that it equals the spec, with the obligations it uses."""

    lowered: Expr
    block: Block


def equality_wrap(equality: str) -> tuple[str, str]:
    """Text before and after a value that makes the equality: `zero-sign` compares with -0 taken as +0."""
    return ("(Fp.posZero ", ")") if equality == "zero-sign" else ("", "")


def under(equality: str, e: Expr) -> Expr:
    """The expression that an equality compares."""
    return mk("pos_zero", e) if equality == "zero-sign" else e


def proved(goal: Goal, reading: Reading, proofs: Sequence[Proved], obligations: Sequence[str], hypotheses: Sequence[Hypothesis],
           equality: str) -> Part:
    """A PROVED reading."""
    names = variable_names(goal)
    lines = device(reading) + kernel(goal, reading) + spec(goal)
    agrees = "".join(f" ({name} : {statement})" for name, statement in map(agreement, obligations))
    agree_args = "".join(f" {agreement(o)[0]}" for o in obligations)
    per_element = "".join(f" ({h.name} : Eq {text(h.condition, names)} true)" for h in hypotheses)
    xs = " ".join(f"x{b.number}" for b in goal.inputs)
    left, right = equality_wrap(equality)
    for o, p in enumerate(proofs):
        lines += [f"/-- Output {o} on this device, spelled out. -/",
                  f"theorem lowered{o} (D : Libm) {_binders(goal)} : Eq (kernelValue{o} device D {xs}) {text(p.lowered, names)} := rfl", "",
                  f"/-- Output {o}: the kernel's value is the spec's value. -/",
                  f"theorem value{o} (D S : Libm){agrees} {_binders(goal)}{per_element} :",
                  f"    Eq {left}(kernelValue{o} device D {xs}){right} {left}(specValue{o} S {xs}){right} :=",
                  f"  Eq.trans (congrArg (fun y => {left}y{right}) (lowered{o} D {xs})) (",
                  proof(p.block, names, "  "), "  )", ""]
        lines += leangrid.array_theorem(goal, o, (agrees, agree_args), hypotheses, equality_wrap(equality))
    return Part(tuple(lines), tuple(f"kernel_eq_spec{o}" for o in range(len(proofs))))


def statement(goal: Goal, obligations: Sequence[str], equality: str) -> str:
    """The theorem in one line of words."""
    fixed = goal.launch.blocks is not None
    sizes = f"the launch of {goal.launch.blocks} x {goal.launch.size} threads" if fixed else "n to 2^30, blocks to 1024"
    given = "".join(f"; given that {o[2:]} agrees" for o in obligations) + "".join(f"; given {a.text}" for a in goal.assumptions)
    return f"kernel[i] = spec[i]{', up to the sign of zero,' if equality == 'zero-sign' else ''} for every i < n and memory; {sizes}{given}"
