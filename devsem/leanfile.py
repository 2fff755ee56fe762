"""A verdict as one self-contained Lean file: the device, the kernel, the spec, the theorem and its proof or its witness.

Names of kernels, parameters and tensors never become Lean names: they appear in comments, with everything but plain characters
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from devsem import leancells, leanfolds, leangrid
from devsem.expr import Expr, mk, topo, var, variables
from devsem.goal import Goal
from devsem.leanprint import TYPES, Scheme, claim, constant, expressions, proof, shared, text
from devsem.lower import lower
from devsem.opencase import Case
from devsem.ops import B32, OPS
from devsem.profile import Profile, lean_fields
from devsem.prove import Hypothesis
from devsem.term import Block

NAMESPACE = "Verdict"
CONGRUENCE = {1: "congrArg", 2: "congrArg2", 3: "congrArg3", 4: "congrArg4"}
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


@dataclass(frozen=True)
class Before:
    """What stands before the readings: a person's theorems and the rules made of them, with the modules that they import."""

    modules: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def opening(what: str, facts: Sequence[str], before: Before) -> list[str]:
    """The lines up to the first namespace of ours; those of `before` are the last."""
    modules = dict.fromkeys((*IMPORTS, *before.modules))
    return ["prelude", *(f"import {m}" for m in modules), "", "/-!", comment(f"# {what}"), "", *(f"- {comment(f)}" for f in facts), "-/", "",
            "set_option exponentiation.threshold 600", "set_option maxRecDepth 10000", "noncomputable section", "", *before.lines]


def assemble(what: str, facts: Sequence[str], parts: Sequence[Part], statement: str, before: Before = Before()) -> LeanFile:
    """The whole file: in words what it says, then one namespace for each reading."""
    lines = opening(what, facts, before)
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


def binders(goal: Goal) -> str:
    """The inputs' elements as binders."""
    return " ".join(f"(x{b.number} : F32)" for b in goal.inputs)


def arguments(goal: Goal) -> str:
    """The inputs' elements as arguments."""
    return " ".join(f"x{b.number}" for b in goal.inputs)


def scheme(goal: Goal, prefix: str, functions: str) -> Scheme:
    """Definitions over the inputs' elements and some of D, S and P."""
    types = {"P": "(P : Profile)", "D": "(D : Libm)", "S": "(S : Libm)"}
    return Scheme(prefix, " ".join([*(types[f] for f in functions), binders(goal)]), " ".join([*functions, arguments(goal)]))


@dataclass(frozen=True)
class Side:
    """The kernel's or the spec's definitions, and the names of its shared parts."""

    lines: tuple[str, ...]
    names: Mapping[Expr, str]


def kernel(goal: Goal, reading: Reading) -> Side:
    """The kernel: each output's value, generic in the profile and the device's functions, and the thread."""
    legend = ", ".join(f"x{b.number} is {b.tensor or b.param + ' before the launch'}" for b in goal.inputs)
    lines, known = shared(reading.written, variable_names(goal), scheme(goal, "k", "PD"))
    for o, written in enumerate(reading.written):
        lines += [f"/-- What the kernel `{comment(goal.function)}` stores in output {o}; {comment(legend)}. -/",
                  f"def kernelValue{o} (P : Profile) (D : Libm) {binders(goal)} : F32 :=", f"  {text(written, known)}", ""]
    if goal.assembly is not None or goal.cells is not None:
        return Side(tuple(lines), known)

    def at(index: str) -> str:
        return " ".join(f"(m {b.number} {index})" for b in goal.inputs)

    calls = [lambda index, o=o: f"(kernelValue{o} P D {at(index)})" for o in range(len(reading.written))]
    lines += ["/-- What thread `t` of block `k` does, with `n` elements and blocks of `b` threads, to memory `m`. -/",
              "def thread (P : Profile) (D : Libm) (n b k t : Nat) (m : Mem F32) : Mem F32 :=", leangrid.thread(goal, calls, leangrid.thread_names(goal)), ""]
    return Side(tuple(lines), known)


def spec(goal: Goal) -> Side:
    """The spec: each output's value, generic in the reference's functions."""
    lines, known = shared([o.spec for o in goal.outputs], variable_names(goal), scheme(goal, "s", "S"))
    for o, output in enumerate(goal.outputs):
        lines += [f"/-- What the specification `{comment(goal.spec)}` says of output {o}. -/",
                  f"def specValue{o} (S : Libm) {binders(goal)} : F32 :=", f"  {text(output.spec, known)}", ""]
    return Side(tuple(lines), known)


@dataclass(frozen=True)
class Lowering:
    """The kernel on this device, spelled out: theorems `lowered0 …`, and the names of the shared parts of their right sides."""

    lines: tuple[str, ...]
    names: Mapping[Expr, str]


def _schema(node: Expr) -> Expr:
    """A written operation on variables a, b, c …; the number of a site stays."""
    return mk(node.op, *(a if a.sort == B32 else var("abcde"[i], a.sort) for i, a in enumerate(node.args)))


def meanings(reading: Reading) -> tuple[list[str], dict[Expr, str]]:
    """A theorem for each operation of the reading that this device gives a meaning to, and its name: the meaning, for all arguments."""
    lines: list[str] = []
    names: dict[Expr, str] = {}
    for schema in dict.fromkeys(_schema(n) for n in topo(*reading.written) if n.args and OPS[n.op].kind == "written"):
        names[schema] = f"op{len(names)}"
        letters = {v: v.name for v in variables(schema)}
        binders_ = " ".join(f"({v.name} : {TYPES[v.sort]})" for v in letters)
        left = text(schema, letters).replace(" P ", " device ")
        lines += ["/-- What an operation means on this device. -/", f"theorem {names[schema]} (D : Libm) {binders_} :",
                  f"    Eq {left} {text(lower(schema, reading.profile, reading.choice), letters)} := rfl", ""]
    return lines, names


def lowering(goal: Goal, reading: Reading, generic: Side, names: Mapping[Expr, str], mentioned: Sequence[Expr]) -> Lowering:
    """One theorem for each shared part of the kernel and for each output: the generic text on this device is the exact operations.

    Each follows from those of its parts and of its operation, so that Lean never compares more than one operation at a time."""
    if all(OPS[n.op].kind != "written" for n in topo(*reading.written) if n.args):
        return _as_it_is(goal, reading, {**names, **generic.names}, mentioned)
    low = {n: lower(n, reading.profile, reading.choice) for n in topo(*reading.written)}
    parts = [n for n in topo(*reading.written) if n in generic.names and n.args]
    definitions, known = shared(mentioned, names, scheme(goal, "e", "DS"), {low[n] for n in parts})
    lines, operations = meanings(reading)
    lines += definitions
    xs = arguments(goal)

    def proof_of(node: Expr, top: bool) -> str:
        if not top and node in generic.names and node.args:
            return f"({part_name(node)}_eq D S {xs})"
        inner = [proof_of(a, False) for a in node.args if a.sort != B32]
        meaning = operations.get(_schema(node)) if node.args else None
        applied = f"({meaning} D {' '.join(text(low[a], known) for a in node.args if a.sort != B32)})" if meaning else "rfl"
        if all(p == "rfl" for p in inner):
            return applied
        head = OPS[node.op].lean.replace(" P", " device") + "".join(f" {constant(a)}" for a in node.args if a.sort == B32)
        moved = f"({CONGRUENCE[len(inner)]} ({head}) {' '.join(inner)})"
        return f"(Eq.trans {moved} {applied})" if meaning else moved

    def part_name(node: Expr) -> str:
        return generic.names[node].split()[0].lstrip("(")

    for n in parts:
        lines += ["/-- A shared part on this device. -/",
                  f"theorem {part_name(n)}_eq (D S : Libm) {binders(goal)} : Eq ({part_name(n)} device D {xs}) {text(low[n], known)} :=",
                  f"  {proof_of(n, True)}", ""]
    for o, written in enumerate(reading.written):
        lines += [f"/-- Output {o} on this device, spelled out. -/",
                  f"theorem lowered{o} (D S : Libm) {binders(goal)} : Eq (kernelValue{o} device D {xs}) {text(low[written], known)} :=",
                  f"  {proof_of(written, written not in parts)}", ""]
    return Lowering(tuple(lines), known)


def _as_it_is(goal: Goal, reading: Reading, names: Mapping[Expr, str], mentioned: Sequence[Expr]) -> Lowering:
    """A kernel in exact operations already, as compiled code is: its own definitions serve the proof, on this device."""
    here = {e: name.replace(" P ", " device ") for e, name in names.items()}
    lines, known = shared(mentioned, here, scheme(goal, "e", "DS"))
    xs = arguments(goal)
    for o, value in enumerate(reading.written):
        lines += [f"/-- Output {o} on this device, spelled out. -/",
                  f"theorem lowered{o} (D S : Libm) {binders(goal)} : Eq (kernelValue{o} device D {xs}) {text(value, known)} := rfl", ""]
    return Lowering(tuple(lines), known)


def shown(row: str) -> str:
    """An obligation as a person knows it: an instruction by its PTX name, a function by its own."""
    return OPS[row].ptx[0] if OPS[row].ptx else row[2:]


def agreement(row: str) -> tuple[str, str]:
    """An obligation's hypothesis: its name and its statement. `row` is the D. row."""
    name = row[2:]
    binders = " ".join("abc"[: len(OPS[row].args)])
    return f"{name}_agrees", f"∀ {binders}, Eq (Libm.{name} D {binders}) (Libm.{name} S {binders})"


@dataclass(frozen=True)
class Proved:
    """One output under one reading: the lowered expression and the proof that it equals the spec, with the open cases that it rests on."""

    lowered: Expr
    block: Block
    cases: tuple[Case, ...] = ()


def case_statement(case: Case, names: Mapping[Expr, str]) -> tuple[str, str]:
    """An open case: its binders and its equation."""
    sides = f"({' '.join(case.sides)} : Libm) " if case.sides else ""
    typed = " ".join(f"({names[v]} : {TYPES[v.sort]})" for v in case.variables)
    given = "".join(f" (c{i} : {claim(c, names)})" for i, c in enumerate(case.given))
    return f"{sides}{typed}{given}".strip(), f"Eq {text(case.left, names)} {text(case.right, names)}"


def shown_case(case: Case, names: Mapping[Expr, str], by: str) -> list[str]:
    """An open case as a theorem, from a person's of the same statement."""
    binders, equation = case_statement(case, names)
    arguments = " ".join([*case.sides, *(names[v] for v in case.variables), *(f"c{i}" for i in range(len(case.given)))])
    return [f"/-- {comment(str(case))}. -/", f"theorem {case.name} {binders} :", f"    {equation} := {by}.{case.name} {arguments}", ""]


def assumed_case(case: Case, names: Mapping[Expr, str]) -> str:
    """An open case as a hypothesis."""
    binders, equation = case_statement(case, names)
    return f"\n    ({case.name} : ∀ {binders}, {equation})" if binders else f"\n    ({case.name} : {equation})"


def equality_wrap(equality: str) -> tuple[str, str]:
    """Text before and after a value that makes the equality: `zero-sign` compares with -0 taken as +0."""
    return ("(Fp.posZero ", ")") if equality == "zero-sign" else ("", "")


def under(equality: str, e: Expr) -> Expr:
    """The expression that an equality compares."""
    return mk("pos_zero", e) if equality == "zero-sign" else e


def proved(goal: Goal, reading: Reading, proofs: Sequence[Proved], obligations: Sequence[str], hypotheses: Sequence[Hypothesis],
           equality: str, by: str = "") -> Part:
    """A PROVED reading. Open cases are the theorems of the namespace `by`; without one, they are hypotheses."""
    generic, reference, variables_ = kernel(goal, reading), spec(goal), variable_names(goal)
    mentioned = [e for p in proofs for e in (p.lowered, *expressions(p.block))]
    spelled = lowering(goal, reading, generic, reference.names, mentioned)
    names = spelled.names
    lines = [*device(reading), *generic.lines, *reference.lines, *spelled.lines]
    stated = "".join(f" ({name} : {statement})" for name, statement in map(agreement, obligations))
    stated_args = "".join(f" {agreement(o)[0]}" for o in obligations)
    per_element = "".join(f" ({h.name} : Eq {text(h.condition, variables_)} true)" for h in hypotheses)
    xs = arguments(goal)
    left, right = equality_wrap(equality)
    theorems = [f"kernel_eq_spec{o}" for o in range(len(proofs))]
    for o, p in enumerate(proofs):
        agrees, agree_args = stated, stated_args
        for case in p.cases:
            if by:
                lines += shown_case(case, variables_, by)
            else:
                agrees, agree_args = agrees + assumed_case(case, variables_), f"{agree_args} {case.name}"
        lines += [f"/-- Output {o}: the kernel's value is the spec's value. -/",
                  f"theorem value{o} (D S : Libm){agrees} {binders(goal)}{per_element} :",
                  f"    Eq {left}(kernelValue{o} device D {xs}){right} {left}(specValue{o} S {xs}){right} :=",
                  f"  Eq.trans (congrArg (fun y => {left}y{right}) (lowered{o} D S {xs})) (",
                  proof(p.block, names, "  "), "  )", ""]
        if goal.cells is not None:
            tensors = comment(f"The cells are {goal.cells.legend}; of a memory, {goal.cells.numbered}")
            more, theorems[o] = leancells.theorem(goal.cells, (agrees, agree_args), equality_wrap(equality), tensors)
            lines += more
        elif goal.assembly is None:
            lines += leangrid.array_theorem(goal, o, (agrees, agree_args), hypotheses, equality_wrap(equality))
    if goal.assembly is None:
        return Part(tuple(lines), tuple(theorems))
    assembled, count = leanfolds.theorems(goal.assembly, goal.variables, (stated, stated_args), [p.lowered for p in proofs])
    return Part((*lines, *assembled), tuple(f"kernel_eq_spec{o}" for o in range(count)))


def statement(goal: Goal, obligations: Sequence[str], equality: str) -> str:
    """The theorem in one line of words."""
    if goal.cells is not None:
        return goal.cells.statement + "".join(f"; given that {shown(o)} agrees" for o in obligations)
    n = "n to 2^30" if goal.size.is_var else f"n = {goal.size.value}"
    sizes = f"{n}, blocks to 1024" if goal.launch.blocks is None else f"the launch of {goal.launch.blocks} x {goal.launch.size} threads"
    if goal.assembly is not None:
        sizes = "all sizes for which the gate shows that each element is written once"
    given = "".join(f"; given that {shown(o)} agrees" for o in obligations) + "".join(f"; given {a.text}" for a in goal.assumptions)
    return f"kernel[i] = spec[i]{', up to the sign of zero,' if equality == 'zero-sign' else ''} for every i < n and memory; {sizes}{given}"
