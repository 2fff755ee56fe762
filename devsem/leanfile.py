"""A verdict as one self-contained Lean file: the device, the kernel, the spec, the theorem and its proof or its witness.

Names of kernels, parameters and tensors never become Lean names: they appear in comments, with everything but plain characters
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devsem import leangrid
from devsem.expr import Expr, mk
from devsem.goal import Goal
from devsem.leanprint import constant, definition, proof, text
from devsem.ops import OPS
from devsem.profile import Profile, lean_fields
from devsem.prove import Hypothesis
from devsem.refute import Bound
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


def header(goal: Goal, profile: Profile, what: str, facts: Sequence[str]) -> list[str]:
    """The head of a file: what it says, in words, and what it imports."""
    lines = ["prelude", *(f"import {m}" for m in IMPORTS), "", "/-!", comment(f"# {what}"), ""]
    lines += [f"- {comment(f)}" for f in facts]
    lines += ["-/", "", "set_option exponentiation.threshold 600", "set_option maxRecDepth 10000", "noncomputable section", f"namespace {NAMESPACE}", ""]
    return lines


def device(reading: Reading) -> list[str]:
    """The profile as a Lean constant."""
    f = lean_fields(reading.profile)
    fuse = "true" if not reading.choice else ""
    for k, bit in reversed(list(enumerate(reading.choice))):
        fuse = f"(cond (Nat.beq j {k}) {'true' if bit else 'false'} {fuse or 'true'})"
    p = reading.profile
    return [f"/-- {comment(f'{p.device or p.name}, flags: {p.flags or chr(39) + chr(39)}')}: contraction, flushing, division, square root, library, which product is fused. -/",
            f"def device : Profile := Profile.mk {f['contract']} {f['ftz']} {f['division']} {f['sqrt']} {f['libm']} (fun j => {fuse})", ""]


def variable_names(goal: Goal) -> dict[Expr, str]:
    """The Lean names of the tensors' elements: x0, x1 … by buffer number."""
    return {b.before: f"x{b.number}" for b in goal.buffers}


def _binders(goal: Goal) -> str:
    return " ".join(f"(x{b.number} : F32)" for b in goal.buffers)


def _arguments(goal: Goal, index: str) -> str:
    return " ".join(f"(m {b.number} {index})" for b in goal.buffers)


def kernel(goal: Goal, reading: Reading) -> list[str]:
    """The kernel: each output's value, generic in the profile and the device's functions, and the thread."""
    names, lines = variable_names(goal), []
    legend = ", ".join(f"x{b.number} is {b.tensor or b.param + ' before the launch'}" for b in goal.buffers)
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
           equality: str, facts: Sequence[str]) -> LeanFile:
    """The file of a PROVED reading."""
    names = variable_names(goal)
    lines = header(goal, reading.profile, f"kernel {goal.function} = spec {goal.spec}", facts) + device(reading) + kernel(goal, reading) + spec(goal)
    agrees = "".join(f" ({name} : {statement})" for name, statement in map(agreement, obligations))
    agree_args = "".join(f" {agreement(o)[0]}" for o in obligations)
    per_element = "".join(f" ({h.name} : Eq {text(h.condition, names)} true)" for h in hypotheses)
    xs = " ".join(f"x{b.number}" for b in goal.buffers)
    left, right = equality_wrap(equality)
    for o, p in enumerate(proofs):
        lines += [f"/-- Output {o} on this device, spelled out. -/",
                  f"theorem lowered{o} (D : Libm) {_binders(goal)} : Eq (kernelValue{o} device D {xs}) {text(p.lowered, names)} := rfl", "",
                  f"/-- Output {o}: the kernel's value is the spec's value. -/",
                  f"theorem value{o} (D S : Libm){agrees} {_binders(goal)}{per_element} :",
                  f"    Eq {left}(kernelValue{o} device D {xs}){right} {left}(specValue{o} S {xs}){right} :=",
                  f"  Eq.trans (congrArg (fun y => {left}y{right}) (lowered{o} D {xs})) (",
                  proof(p.block, names, "  "), "  )", ""]
        lines += _array_theorem(goal, o, agrees, agree_args, hypotheses, names, equality)
    theorems = tuple(f"{NAMESPACE}.kernel_eq_spec{o}" for o in range(len(proofs)))
    lines += [f"end {NAMESPACE}", "", *(f"#print axioms {t}" for t in theorems), ""]
    return LeanFile("\n".join(lines), theorems, statement(goal, obligations, hypotheses, equality))


def statement(goal: Goal, obligations: Sequence[str], hypotheses: Sequence[Hypothesis], equality: str) -> str:
    """The theorem in one line of words."""
    sizes = "every size n up to 2^30, every block size up to 1024" if goal.launch.blocks is None else f"a launch of {goal.launch.blocks} x {goal.launch.size} threads"
    given = "".join(f", given {o[2:]} agrees" for o in obligations) + "".join(f", given {a.text}" for a in goal.assumptions)
    same = "equals" if equality == "bits" else "equals, up to the sign of zero,"
    return f"for {sizes}, every memory and every i < n{given}: the output element i {same} the spec of the input elements i"


def _array_theorem(goal: Goal, o: int, agrees: str, agree_args: str, hypotheses: Sequence[Hypothesis], names: Mapping[Expr, str], equality: str) -> list[str]:
    """The theorem about the launch, from the theorem about one element."""
    left, right = equality_wrap(equality)
    prover = leangrid.prover(goal)
    fixed = goal.launch.blocks is not None
    n = "n" if goal.size.is_var else str(goal.size.value)
    b, blocks = (str(goal.launch.size), str(goal.launch.blocks)) if fixed else ("b", f"(Grid.ceilDiv {n} b)")
    binders = "".join([" (n : Nat)" if goal.size.is_var else "", "" if fixed else " (b : Nat) (hb : Nat.Le 1 b) (hb' : Nat.Le b 1024)",
                       f" (hn : Nat.Le n {goal.launch.threads if fixed else 1073741824})" if goal.size.is_var else ""])
    at = {b.before: f"(m {b.number} j)" for b in goal.buffers}
    sizes = "".join(f" (size{i} : Eq (Nat.mod {n} {a.size.modulus}) {a.size.remainder})" for i, a in enumerate(goal.assumptions) if a.size)
    elements = "".join(f" ({h.name} : ∀ j, Nat.Lt j {n} → Eq {text(h.condition, at)} true)" for h in hypotheses)
    cells = " ".join(f"(m {c.number} i)" for c in goal.buffers)
    loads = " ".join(f"(u {c.number})" for c in goal.buffers)
    outs = "List.nil"
    for k in reversed(range(len(goal.outputs))):
        outs = f"(List.cons (Prod.mk {goal.outputs[k].buffer.number} (kernelValue{k} device D {loads})) {outs})"
    same = _extensional(goal)
    index, guard = prover.index(goal.index).proof, prover.guard(goal.guard)
    cover = "(Grid.le_ceilDiv_mul hb " + n + ")" if not fixed else ("(Nat.le_trans hn rfl)" if goal.size.is_var else "rfl")
    k_args = "".join(f" ({h.name} i hi)" for h in hypotheses)
    return [
        f"/-- THE THEOREM. After the launch, every element of output {o} is what the spec says. -/",
        f"theorem kernel_eq_spec{o} (D S : Libm){agrees}{binders}{sizes}",
        f"    (m : Mem F32){elements} (i : Nat) (hi : Nat.Lt i {n}) :",
        f"    Eq {left}(Grid.run (thread device D {n} {b}) {blocks} {b} m {goal.outputs[o].buffer.number} i){right} {left}(specValue{o} S {cells}){right} :=",
        f"  Eq.trans (congrArg (fun y => {left}y{right}) (Grid.run_elementwise (n := {n}) (blocks := {blocks}) (size := {b})",
        f"    (outs := fun u => {outs})",
        f"    (idx := fun k t => {text(goal.index, prover.names)})",
        f"    (guard := fun k t => {text(goal.guard, prover.names)})",
        f"    (fun u w h => {same})",
        f"    (fun k t hk ht => {index})",
        f"    (fun k t hk ht => {guard})",
        f"    {cover} m {goal.outputs[o].buffer.number} i hi))",
        f"    (value{o} D S{agree_args} {cells}{k_args})", ""]


def _extensional(goal: Goal) -> str:
    """A proof that what a thread writes depends on the cells at its index only: replace them one after another."""
    def outs(side: Sequence[str]) -> str:
        out = "List.nil"
        for k in reversed(range(len(goal.outputs))):
            out = f"(List.cons (Prod.mk {goal.outputs[k].buffer.number} (kernelValue{k} device D {' '.join(side)})) {out})"
        return out
    numbers = [b.number for b in goal.buffers]
    steps = []
    for at, c in enumerate(numbers):
        side = [f"(w {x})" if j < at else "z" if j == at else f"(u {x})" for j, x in enumerate(numbers)]
        steps.append(f"(congrArg (fun z => {outs(side)}) (h {c}))")
    if not steps:
        return "rfl"
    whole = steps[-1]
    for step in reversed(steps[:-1]):
        whole = f"(Eq.trans {step} {whole})"
    return whole


def bound_hypothesis(i: int, bound: Bound, side_args: Sequence[str]) -> tuple[str, str]:
    """A documented bound at one argument as a hypothesis: the function's value is one of a list."""
    from devsem.expr import bits
    call = f"({OPS[bound.row].lean} {' '.join(side_args)})"
    values = [f"(Eq {call} {constant(bits(v))})" for v in bound.allowed]
    whole = values[-1]
    for v in reversed(values[:-1]):
        whole = f"(Or {v} {whole})"
    return f"bound{i}", whole


def refuted(goal: Goal, reading: Reading, output: int, inputs: Mapping[Expr, int], lowered: Expr, block: Block, bounds: Sequence[tuple[str, str]],
            obligations: Sequence[str], shown: tuple[int, int] | None, hypotheses: Sequence[Hypothesis], holds: Sequence[Block], equality: str,
            facts: Sequence[str]) -> LeanFile:
    """The file of a REFUTED reading: on the witness the kernel's pattern is not the spec's."""
    names = variable_names(goal)
    lines = header(goal, reading.profile, f"kernel {goal.function} differs from spec {goal.spec}", facts) + device(reading) + kernel(goal, reading) + spec(goal)
    o, xs = output, " ".join(f"x{b.number}" for b in goal.buffers)
    given = [f"{inputs[b.before]:#010x}" for b in goal.buffers]
    values = " ".join(f"(F32.ofBits {g})" for g in given)
    left, right = equality_wrap(equality)
    agrees = "".join(f" ({name} : {statement})" for name, statement in map(agreement, obligations))
    bound_binders = "".join(f"\n    ({name} : {statement})" for name, statement in bounds)
    closed = {b.before: f"(F32.ofBits {inputs[b.before]:#010x})" for b in goal.buffers}
    lines += [
        f"/-- The witness, one pattern a buffer: {comment(', '.join(f'{b.tensor or b.param} = {g}' for b, g in zip(goal.buffers, given, strict=True)))}. -/",
        f"def witness : List Nat := {_list(given)}", "",
        "/-- The theorem below is about these very patterns. -/",
        f"theorem witness_eq : Eq witness {_list(given)} := rfl", "",
        f"/-- Output {o} on this device, spelled out. -/",
        f"theorem lowered{o} (D : Libm) {_binders(goal)} : Eq (kernelValue{o} device D {xs}) {text(lowered, names)} := rfl", ""]
    theorems = [f"{NAMESPACE}.witness_eq"]
    for i, (h, b) in enumerate(zip(hypotheses, holds, strict=True)):
        lines += ["/-- The witness satisfies the precondition. -/", f"theorem admitted{i} : Eq {text(h.condition, closed)} true :=", proof(b, {}, "  "), ""]
        theorems.append(f"{NAMESPACE}.admitted{i}")
    statement_text = f"Eq (Fp.same {left}(kernelValue{o} device D {values}){right} {left}(specValue{o} S {values}){right}) false"
    lines += [f"/-- THE THEOREM. On the witness the kernel's pattern is not the spec's{comment(', whatever the bounded functions return' if bounds else '')}. -/",
              f"theorem kernel_ne_spec (D S : Libm){agrees}{bound_binders} :", f"    {statement_text} :=",
              f"  Eq.trans (congrArg (fun y => Fp.same {left}y{right} {left}(specValue{o} S {values}){right}) (lowered{o} D {values})) (",
              proof(block, {}, "  "), "  )", ""]
    theorems.append(f"{NAMESPACE}.kernel_ne_spec")
    if shown is not None:
        for name, value, call in (("kernel", shown[0], f"(kernelValue{o} device D {values})"), ("spec", shown[1], f"(specValue{o} S {values})")):
            lines += [f"/-- The {name}'s pattern on the witness. -/", f"theorem {name}_bits (D S : Libm) : Eq (Fp.toBits {call}) {value:#010x} :=",
                      f"  {_bits_proof(name, o, values, lowered, goal, inputs, value)}", ""]
            theorems.append(f"{NAMESPACE}.{name}_bits")
    lines += [f"end {NAMESPACE}", "", *(f"#print axioms {t}" for t in theorems), ""]
    return LeanFile("\n".join(lines), tuple(theorems), f"on the witness the kernel's pattern is not the spec's: {statement_text}")


def _list(items: Sequence[str]) -> str:
    out = "List.nil"
    for item in reversed(items):
        out = f"(List.cons {item} {out})"
    return out


def _bits_proof(name: str, o: int, values: str, lowered: Expr, goal: Goal, inputs: Mapping[Expr, int], value: int) -> str:
    return "rfl"
