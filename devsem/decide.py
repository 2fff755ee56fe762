"""Decide a goal on one device: every admissible reading is proved or refuted; the texts for Lean are made here, and Lean judges them.

PROVED only if all readings are proved, REFUTED only if all are refuted; otherwise OPEN, naming the reading.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from devsem import leanfile, leangrid, leanrefuted, libm, sampling
from devsem.consult import ROUNDED
from devsem.door import CLOSED, Door, goal_part, heads
from devsem.errors import Bug
from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const_bool, fold, rebuild, show, topo
from devsem.goal import Goal
from devsem.leanfile import LeanFile, Part, Reading
from devsem.leanrefuted import Bounded, Values
from devsem.lower import lower, prepare
from devsem.opencase import Case
from devsem.ops import OPS
from devsem.possible import Bound
from devsem.profile import Profile
from devsem.prove import Hypothesis, Open, Proof, prove
from devsem.refute import NoWitness, Witness, as_reference, find
from devsem.separate import separate_block, value_block
from devsem.simplify import make
from devsem.term import Claim, names
from devsem.userlean import NAMESPACE
from devsem.verdict import HexBound, HexWitness, Obligation, Outcome

Stage = Callable[[str], AbstractContextManager[None]]
MOST_CHOICES = 6
QUICK = 1.5
FEW = 8             # inputs of a suspect that are shown
MIN_NORMAL = 0x00800000


@dataclass(frozen=True)
class Decision:
    """What was decided on one device, before Lean has judged it. `lean` is the text to judge, `parts` its parts where it is proved; `goal` is
    what an OPEN leaves to a person, `by` the file of a person whose proofs the text uses."""

    verdict: Outcome
    reason: str = ""
    choice: str = ""
    witness: HexWitness | None = None
    bounds: tuple[HexBound, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    theorem: str = ""
    assumptions: tuple[str, ...] = ()
    lean: LeanFile | None = None
    goal: LeanFile | None = None
    by: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Outcome1:
    """One reading: a part of the Lean file, with a witness if it is refuted; or why it is open, with its part if the open cases prove it.

    `heads` are the Lean constants that the proofs apply, a person's among them."""

    kind: Outcome
    part: Part | None = None
    witness: Witness | None = None
    obligations: tuple[str, ...] = ()
    reason: str = ""
    cases: tuple[Case, ...] = ()
    heads: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Question:
    """What every reading of a goal is asked."""

    goal: Goal
    profile: Profile
    equality: str
    seconds: float
    hypotheses: tuple[Hypothesis, ...]
    stage: Stage
    door: Door


def decide(goal: Goal, profile: Profile, equality: str, seconds: float, stage: Stage, door: Door = CLOSED) -> Decision:
    """The decision for one device as the kernel is written, with what a person brought."""
    sites = prepare(tuple(o.written for o in goal.outputs), profile)
    notes = (*goal.notes, *sites.assumptions, *_flush_note(profile))
    if sites.choices > MOST_CHOICES:
        return Decision("OPEN", f"the compiler has 2^{sites.choices} admissible ways to fuse products; at most 2^{MOST_CHOICES} are tried", assumptions=notes)
    values = tuple(with_numbers(v, goal.scalars) for v in sites.values)
    readings = [Reading(profile, values, choice) for choice in itertools.product((True, False), repeat=sites.choices)]
    return _decide(goal, readings, notes, equality, seconds, stage, door)


def decide_compiled(goal: Goal, profile: Profile, admissible: Sequence[tuple[Expr, ...]], equality: str, seconds: float, stage: Stage,
                    door: Door = CLOSED) -> Decision:
    """The same for the kernel as compiled: `admissible` has the outputs' values under each choice that the machine code leaves open."""
    readings = [Reading(profile, tuple(with_numbers(v, goal.scalars) for v in values), ()) for values in admissible]
    return _decide(goal, readings, (*goal.notes, *_flush_note(profile)), equality, seconds, stage, door)


def _decide(goal: Goal, readings: Sequence[Reading], noted: tuple[str, ...], equality: str, seconds: float, stage: Stage, door: Door) -> Decision:
    """Every reading, until one is open."""
    notes = (*noted, *(f"given: {a.text}" for a in goal.assumptions))
    hypotheses = tuple(Hypothesis(f"given{i}", a.condition) for i, a in enumerate(goal.assumptions) if a.condition is not None)
    question = Question(goal, readings[0].profile, equality, seconds, hypotheses, stage, door)
    found: list[Outcome1] = []
    for reading in readings:
        found.append(_reading(question, reading, 1 + sum(len(f.cases) for f in found)))
        if found[-1].kind == "OPEN" and not (door.wanted and found[-1].part):
            break
    decision = _combine(question, readings, found, notes)
    if door.refused and decision.verdict != "OPEN":
        return replace(decision, reason=f"the file of proofs was not needed, and is refused: {door.refused}")
    return decision


def with_numbers(value: Expr, scalars: Mapping[Expr, Expr]) -> Expr:
    """A prepared value with the numbers of its parameters; a choice that they decide is taken."""
    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return scalars.get(node, node) if not args else make(node.op, *args) if OPS[node.op].kind == "exact" else rebuild(node, args)
    return fold((value,), one)[value]


def _flush_note(profile: Profile) -> tuple[str, ...]:
    if not profile.ftz or "window" in profile.open:
        return ()
    known = "measured of mul.rn, fma.rn and div.rn" if profile.fields["window"].evidence == "measured" else "PTX says only that subnormal results are flushed"
    return (f"flushing applies to the rounded result: a product that rounds to 2^-126 is kept ({known})",)


def _reading(q: Question, reading: Reading, first: int) -> Outcome1:
    """Prove quickly, refute, prove longer: each first with little time. The open cases are numbered from `first`."""
    lowered = tuple(lower(v, reading.profile, reading.choice) for v in reading.written)
    opened = Outcome1("OPEN")
    for seconds in (QUICK, q.seconds):
        with q.stage("prove"):
            proofs: list[Proof | Open] = []
            for low, output in zip(lowered, q.goal.outputs, strict=True):
                proofs.append(_prove(q, low, output.spec, seconds, first + sum(len(p.cases) for p in proofs)))
        done = [p for p in proofs if isinstance(p, Proof)]
        if len(done) == len(proofs):
            return _proved(q, reading, lowered, done)
        opened, again = _refute_open(q, reading, lowered, proofs, seconds)
        if not again:
            break
    return _left(q, reading, lowered, proofs, opened) if opened.kind == "OPEN" and q.door.wanted else opened


def _left(q: Question, reading: Reading, lowered: Sequence[Expr], proofs: Sequence[Proof | Open], opened: Outcome1) -> Outcome1:
    """An open reading with the theorem that its open cases would prove, as far as the prover came to an end."""
    blocks = [leanfile.Proved(low, p.block, p.cases) for low, p in zip(lowered, proofs, strict=True) if p.block is not None]
    if len(blocks) < len(proofs):
        return opened
    obligations = agreements(lowered, [o.spec for o in q.goal.outputs])
    try:
        part = leanfile.proved(q.goal, reading, blocks, obligations, q.hypotheses, q.equality)
    except leangrid.Unsupported as unsupported:
        return replace(opened, reason=f"{opened.reason}; and the array theorem does not cover this kernel yet: {unsupported}")
    cases = tuple(c for b in blocks for c in b.cases)
    used = frozenset[str]().union(*(heads(b.block) for b in blocks))
    return replace(opened, part=goal_part(part, cases, leanfile.variable_names(q.goal)), cases=cases, heads=used)


def _refute_open(q: Question, reading: Reading, lowered: Sequence[Expr], proofs: Sequence[Proof | Open], seconds: float) -> tuple[Outcome1, bool]:
    """Look for a witness for the outputs that are not proved; says whether more time may help."""
    opened, again = Outcome1("OPEN"), False
    cases = [c for p in proofs if isinstance(p, Open) for c in p.cases]
    for output, (low, failed) in enumerate(zip(lowered, proofs, strict=True)):
        if isinstance(failed, Proof):
            continue
        with q.stage("refute"):
            answer = _find(q, low, q.goal.outputs[output].spec, seconds)
        if isinstance(answer, Witness):
            return _refuted(q, reading, output, low, answer), False
        opened = opened if opened.reason else Outcome1("OPEN", reason=_why_open(q, lowered, failed, cases, answer))
        again |= "limit" in failed.reason or answer.solver == "unknown" or answer.unfinished
    return opened, again


def agreements(lowered: Sequence[Expr], spec: Sequence[Expr]) -> tuple[str, ...]:
    """The device's functions that a theorem may assume to be the reference's: those of both sides."""
    reference = {n.op for n in topo(*spec)}
    return tuple(sorted({n.op for n in topo(*lowered) if n.op.startswith("D.") and "S." + n.op[2:] in reference}))


def _agree(rows: Sequence[str]) -> dict[str, tuple[str, str]]:
    return {row: ("S." + row[2:], leanfile.agreement(row)[0]) for row in rows}


def _prove(q: Question, low: Expr, spec: Expr, seconds: float, first: int) -> Proof | Open:
    """A proof, also one from cases that a person has proved."""
    agrees = _agree(agreements([low], [spec]))
    found = prove(leanfile.under(q.equality, low), leanfile.under(q.equality, spec), q.hypotheses, seconds, agrees, q.door.extra, first)
    if isinstance(found, Open) and found.block is not None and all(c.name in q.door.theorems for c in found.cases):
        return Proof(found.block, found.cases)
    return found


def _find(q: Question, low: Expr, spec: Expr, seconds: float) -> Witness | NoWitness:
    def vague(inputs: Mapping[str, int]) -> str:
        edge = any(_on_the_edge(side, {v: inputs[v.name] for v in q.goal.variables}) for side in (low, spec))
        return "it rests on how a product that rounds to 2^-126 is flushed, which no document says" if edge else q.goal.undecided(inputs)
    return find(low, spec, variables=q.goal.variables, assumptions=[h.condition for h in q.hypotheses],
                equality="zero-sign" if q.equality == "zero-sign" else "bits", seconds=seconds, vague=vague)


def _on_the_edge(low: Expr, inputs: dict[Expr, int]) -> bool:
    """Does a flushed operation round to the smallest normal number here?"""
    flushed = [n.args[0] for n in topo(low) if n.op == "ftz" and n.args[0].op.startswith(ROUNDED)]
    if not flushed:
        return False
    env = {v: np.array([p], np.uint32) for v, p in inputs.items()}
    functions = {n.op: libm.nominal(n.op) for n in topo(low) if n.args and OPS[n.op].kind == "obligation"}
    return any(int(v.reshape(-1)[0]) & 0x7FFFFFFF == MIN_NORMAL for v in evaluate(flushed, env, functions))


def _proved(q: Question, reading: Reading, lowered: Sequence[Expr], proofs: Sequence[Proof]) -> Outcome1:
    """A proved reading as Lean text, after a last look for a counterexample by numpy."""
    obligations = agreements(lowered, [o.spec for o in q.goal.outputs])
    for low, o in zip(lowered, q.goal.outputs, strict=True):
        _sample(q, low, o.spec)
    cases = tuple(c for p in proofs for c in p.cases)
    used = frozenset(f"{NAMESPACE}.{c.name}" for c in cases).union(*(heads(p.block) for p in proofs))
    try:
        per_output = [leanfile.Proved(low, p.block, p.cases) for low, p in zip(lowered, proofs, strict=True)]
        part = leanfile.proved(q.goal, reading, per_output, obligations, q.hypotheses, q.equality, NAMESPACE)
    except leangrid.Unsupported as unsupported:
        return Outcome1("OPEN", reason=f"every element is equal, but the array theorem does not cover this kernel yet: {unsupported}")
    return Outcome1("PROVED", part, obligations=obligations, cases=cases, heads=used)


def _sample(q: Question, low: Expr, spec: Expr) -> None:
    """Evaluate both sides of a proved equation on a few thousand inputs; a difference is a bug of ours, and stops the work."""
    given = [Claim(h.condition, const_bool(True)) for h in q.hypotheses]
    at = sampling.difference(leanfile.under(q.equality, as_reference(low)), leanfile.under(q.equality, spec), given)
    if at is not None:
        raise Bug(f"a proof was found, but numpy finds a difference at {', '.join(f'{name}={pattern:#010x}' for name, pattern in at.items())}")


def _refuted(q: Question, reading: Reading, output: int, low: Expr, witness: Witness) -> Outcome1:
    """A refuted reading as Lean text."""
    goal, spec = q.goal, q.goal.outputs[output].spec
    inputs = {v: witness.inputs[v.name] for v in goal.variables}
    at = {b.before: (bits(inputs[b.before]), f"in{b.number}_eq") for b in goal.inputs}
    obligations = agreements([low], [spec]) if witness.correlated else ()
    seconds = max(q.seconds, 20.0)
    difference: Values | Bounded | None
    if witness.bounds:
        named = tuple((f"bound{i}", b) for i, b in enumerate(witness.bounds))
        sides = [leanfile.under(q.equality, e) for e in (low, spec)]
        block = separate_block(sides[0], sides[1], at, named, _agree(obligations), seconds)
        if block:
            named = tuple((name, b) for name, b in named if name in names(block))
            witness = replace(witness, bounds=tuple(b for _, b in named))
        difference = Bounded(named, block) if block else None
    else:
        values = (bits(witness.kernel), bits(witness.spec))
        blocks = [value_block(e, v, at, seconds) for e, v in zip((low, spec), values, strict=True)]
        difference = Values((values[0], blocks[0]), (values[1], blocks[1])) if blocks[0] and blocks[1] else None
    admitted = []
    for h in q.hypotheses:
        holds = value_block(h.condition, const_bool(True), at, seconds)
        if holds is None:
            raise Bug(f"the witness does not satisfy the assumption {show(h.condition)}")
        admitted.append((h, holds))
    if difference is None:
        return Outcome1("OPEN", witness=witness, reason="a witness was found, but its evaluation is too long for the prover")
    part = leanrefuted.refuted(goal, reading, output, inputs, low, difference, obligations, admitted, q.equality)
    return Outcome1("REFUTED", part, witness, obligations)


def _combine(q: Question, readings: Sequence[Reading], found: Sequence[Outcome1], notes: tuple[str, ...]) -> Decision:
    """All readings together."""
    goal = q.goal
    facts = [f"device {q.profile.name} ({q.profile.device or 'no device'}), flags {q.profile.flags or '(none)'}", f"equality: {q.equality}", *notes]
    kinds = {f.kind for f in found}
    rows = tuple(sorted({o for f in found for o in f.obligations}))
    obligations = tuple(_obligation(o, q.profile) for o in rows)
    before = q.door.before(frozenset[str]().union(*(f.heads for f in found)))
    theirs = f"the proof uses theorems of {', '.join(str(f.path) for f in q.door.files)}, which the Lean file repeats" if before.lines else ""
    if kinds == {"PROVED"} and len(found) == len(readings):
        statement = leanfile.statement(goal, rows, q.equality)
        text = leanfile.assemble(f"kernel {goal.function} = spec {goal.spec}", [statement, *facts], [f.part for f in found if f.part], statement, before)
        by = q.door.proof if any(f.cases for f in found) else ""
        return Decision("PROVED", theirs, obligations=obligations, theorem=statement, assumptions=notes, lean=text, by=by,
                        parts=tuple(f.part for f in found if f.part))
    if kinds == {"REFUTED"} and len(found) == len(readings):
        witness, bounds = hex_witness(found[0].witness)
        statement = f"kernel {goal.function} and spec {goal.spec} differ at {', '.join(f'{k} = {v}' for k, v in witness.inputs.items())}"
        text = leanfile.assemble(f"kernel {goal.function} differs from spec {goal.spec}", facts, [f.part for f in found if f.part], statement)
        assumed = (*notes, *(f"{b.function} is bounded: {b.reason}" for b in bounds))
        return Decision("REFUTED", witness=witness, bounds=bounds, obligations=obligations, theorem=statement,
                        assumptions=tuple(dict.fromkeys(assumed)), lean=text)
    bad = next((i for i, f in enumerate(found) if f.kind == "OPEN"), None)
    if bad is not None:
        left = None
        if "REFUTED" not in kinds and len(found) == len(readings) and all(f.part for f in found):
            title = f"OPEN: kernel {goal.function} = spec {goal.spec}, if its open cases hold"
            left = leanfile.assemble(title, facts, [f.part for f in found if f.part], "", before)
        return Decision("OPEN", found[bad].reason, _choice_name(readings[bad]), assumptions=notes, goal=left)
    bad = next(i for i, f in enumerate(found) if f.kind == "REFUTED")
    witness, bounds = hex_witness(found[bad].witness)
    return Decision("OPEN", "the compiler may fuse products in several ways, and they do not agree: one is proved, another refuted by the witness",
                    _choice_name(readings[bad]), witness, bounds, assumptions=notes)


def _obligation(row: str, profile: Profile) -> Obligation:
    """What a theorem assumes of a function, as the verdict says it."""
    name, statement = leanfile.shown(row), leanfile.agreement(row)[1]
    if row == "D.nan_bits":
        return Obligation(name, statement, "discharged", "both sides read the same words: a NaN in memory has one payload")
    if OPS[row].ptx:
        return Obligation(name, statement, "assumed", f"one instruction of {profile.arch} on both sides; that it is a function is not recorded")
    return Obligation(name, statement, "assumed", f"no record of {profile.name} compares its {name} with the reference's")


def _choice_name(reading: Reading) -> str:
    return ", ".join(f"site {k}: {'first' if bit else 'second'}" for k, bit in enumerate(reading.choice))


def hex_witness(witness: Witness | None) -> tuple[HexWitness, tuple[HexBound, ...]]:
    """A witness as the verdict shows it."""
    if witness is None:
        raise Bug("a refuted reading without a witness")
    inputs = {name: f"{pattern:#010x}" for name, pattern in witness.inputs.items()}
    bounds = tuple(map(_hex_bound, witness.bounds))
    return HexWitness(inputs, 0, f"{witness.kernel:#010x}", f"{witness.spec:#010x}"), bounds


def _hex_bound(b: Bound) -> HexBound:
    args, allowed, upto = (tuple(f"{a:#010x}" for a in patterns) for patterns in (b.args, b.allowed, b.upto))
    return HexBound(b.row, args, allowed, b.reason) if allowed else HexBound(b.row, args, (), b.reason, upto, f"{b.low:#010x}", f"{b.high:#010x}")


def _why_open(q: Question, lowered: Sequence[Expr], failed: Open, cases: Sequence[Case], answer: NoWitness) -> str:
    """What is known, in one paragraph: of the first output that failed, and the smallest open case of all."""
    rows = {n.op for n in topo(*lowered) if n.args and OPS[n.op].kind == "obligation"} - set(agreements(lowered, [o.spec for o in q.goal.outputs]))
    parts = []
    if rows:
        names = ", ".join(sorted(r[2:] for r in rows))
        parts.append(f"the kernel uses {names}, of which documents give at most a bound, and nothing says that it is a function of the spec")
    parts.append(f"no proof: {failed.reason}")
    if cases:
        smallest, more = min(cases, key=lambda c: c.size), len(cases) - 1
        parts.append(str(smallest) + (f" (and {more} more open case{'s' * (more > 1)})" if more else ""))
    parts += _about_the_proof(q, cases)
    parts.append(f"no witness: {answer.reason}")
    if answer.suspect:
        shown = [f"{k} = {v:#010x}" for k, v in answer.suspect.items()]
        rest = f" and {len(shown) - FEW} more" if len(shown) > FEW else ""
        parts.append(f"nominally they differ at {', '.join(shown[:FEW])}{rest}, within what the documents allow")
    return "; ".join(parts)


def _about_the_proof(q: Question, cases: Sequence[Case]) -> list[str]:
    """Why a person's file of proofs did not help."""
    if not q.door.proof:
        return []
    missing = [c.name for c in cases if c.name not in q.door.theorems]
    if q.door.refused:
        return [f"the proof is refused: {q.door.refused}"]
    return [f"{q.door.proof} has no theorem {' and no '.join(missing)}"] if missing else []


def not_accepted(decision: Decision, why: str, by: str) -> Decision:
    """A decision whose text Lean refused: OPEN, since nothing else judges. `by` is the file of a person's proofs that it used."""
    if by:
        why = f"{by} does not prove the open cases as they are stated: {' '.join(why.split())}"
        return replace(decision, verdict="OPEN", theorem="", reason=f"{why}; --emit-goal FILE.lean writes the statements")
    return replace(decision, verdict="OPEN", witness=None, bounds=(), theorem="",
                   reason=f"devsem found an answer, but Lean did not accept its text ({why}): a bug in devsem; please report it with the .lean file")
