"""The output cells of a launch of fixed sizes against the spec's: pair them, sort them into classes, decide one of each class.

Two cells are of one class if their kernel's and spec's values are the same up to the names of the elements that they read; so are their
verdicts. PROVED only if every class is; one refuted class refutes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from devsem import decide, leanfile
from devsem.aten_order import SETTLED, ZEROS, Free
from devsem.cells_fused import differs
from devsem.contract import PRODUCTS
from devsem.decide import Decision
from devsem.enclose import enclose
from devsem.expr import Expr, const_bool, const_int, rebuild, topo, var, variables
from devsem.goal import Buffer, Goal, Launch, Output
from devsem.lower import prepare
from devsem.ops import B32, F32
from devsem.places import Cells, Place
from devsem.profile import Profile
from devsem.verdict import HexWitness

ELEMENT = re.compile(r"(.*)\[(\d+)\]")
MOST_CLASSES, FEWEST_SECONDS = 256, 2.0
ANY_ORDER = "on the witness every sum of the spec has one value in every order of its terms, for all results that documents allow: found by devsem, " \
            "not by Lean, whose text adds first to last"
ONE_ORDER = "the kernel equals the spec with its sums added first to last; PyTorch fixes no order, so this is one of the values that it may give"
DOUBTED = "the values are equal as devsem expects the compiler to fuse products, which is not known from the text: {why}; -fmad=false leaves no doubt"
ANY_FUSION = "on the witness the two values differ whatever the compiler fuses: found by devsem by intervals; Lean's text has the ways that devsem expects"
FUSED = "the values are equal as devsem expects the compiler to fuse products; from the text alone that is not certain enough for a proof"
THREADS = "the values that each thread computes and what memory holds after the launch are devsem's (it runs every thread of this launch, one block's " \
          "threads in step); Lean judges that these values and the spec's are equal"


@dataclass(frozen=True)
class Pair:
    """One output cell: the output's number, the kernel's name for it, the element, and both values."""

    output: int
    name: str
    index: int
    written: Expr
    spec: Expr


@dataclass(frozen=True)
class Question:
    """All cells of a launch. `sizes` says which launch in words, `doubts` why the compiler of a profile may compute otherwise."""

    function: str
    spec: str
    pairs: tuple[Pair, ...]
    free: Mapping[Expr, Free]
    tensors: tuple[str, ...]
    sizes: str
    notes: tuple[str, ...]
    doubts: Callable[[Profile], tuple[str, ...]]


def classes(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """The cells, in classes; the first of each has the smallest output and element."""
    found: dict[tuple[Expr, Expr], list[Pair]] = {}
    memo: dict[tuple[Expr, Expr], tuple[Expr, Expr]] = {}
    for p in pairs:
        both = (p.written, p.spec)
        if both not in memo:
            memo[both] = renamed(*both)
        found.setdefault(memo[both], []).append(p)
    return list(found.values())


def renamed(first: Expr, second: Expr) -> tuple[Expr, Expr]:
    """Both with their variables numbered in the order in which they occur."""
    done: dict[Expr, Expr] = {}
    count = 0
    for n in topo(first, second):
        if n.is_var:
            done[n], count = var(f"v{count}", n.sort), count + 1
        else:
            done[n] = rebuild(n, tuple(done[a] for a in n.args)) if n.args else n
    return done[first], done[second]


def place_of(element: Expr, tensors: Sequence[str]) -> tuple[int, int]:
    """An element as tensor number and index."""
    found = ELEMENT.fullmatch(element.name)
    assert found is not None, element.name
    return tensors.index(found[1]), int(found[2])


def goal_of(q: Question, members: Sequence[Pair], free: Sequence[Free], profile: Profile) -> Goal:
    """The question about the first cell of a class."""
    head = members[0]
    buffers = tuple(Buffer(i, "", v.name, v) for i, v in enumerate(variables(head.written, head.spec)))
    places = tuple(Place(p.output, p.name, p.index, tuple(place_of(v, q.tensors) for v in variables(p.written, p.spec))) for p in members)
    target = Buffer(len(buffers), head.name, "", var(f"{head.name} before", F32))
    one, doubts = const_int(B32, 1), q.doubts(profile)

    def why_not(inputs: Mapping[str, int]) -> str:
        fused_else = doubts and not differs(head.written, head.spec, profile, inputs)
        if fused_else:
            return f"how products are fused matters there, and is not known: {doubts[0]}"
        return undecided(free, inputs) or ("PyTorch's maximum of zeros of both signs depends on its order" if _zeros(q.notes, inputs) else "")
    return Goal(q.function, q.spec, buffers, (Output(target, head.written, head.spec),), const_int(B32, 0), const_bool(True), one, Launch(1, 1), (), (), {}, {},
                cells=Cells(places, q.tensors, q.sizes), undecided=why_not)


def _zeros(notes: Sequence[str], inputs: Mapping[str, int]) -> bool:
    """Are there zeros of both signs, below a maximum or minimum of which PyTorch says only that it is a zero?"""
    return ZEROS in notes and {0, 0x80000000} <= set(inputs.values())


def undecided(free: Sequence[Free], inputs: Mapping[str, int]) -> str:
    """Why these inputs decide nothing: a sum below the spec's value that has, or may have, another value in another order."""
    env = {var(name, F32): pattern for name, pattern in inputs.items()}
    for f in free:
        bounds = enclose([f.value, *f.terms], env, 1, 1).roots
        if any(len(r.low) != 1 for r in bounds):
            return "a sum's terms are not known"
        nominal, *terms = bounds
        low, high = [int(t.low[0]) for t in terms], [int(t.high[0]) for t in terms]
        if not all(bool(t.known[0]) for t in terms):
            return "a sum's terms are not known"
        values = {SETTLED[f.kind](low), SETTLED[f.kind](high)}      # in one order, a sum of numbers between these lies between their sums
        if low != high and f.kind != "sum":
            return "the terms of a sum of products are not known exactly"
        if len(values) != 1 or None in values or not nominal.exact[0] or int(nominal.low[0]) not in values:
            return "the order of a sum matters there, and PyTorch fixes none"
    return ""


@dataclass(frozen=True)
class Limits:
    """How the answers are looked for."""

    equality: str
    seconds: float
    stage: Callable[[str], AbstractContextManager[None]]


def decide_cells(q: Question, profile: Profile, limits: Limits) -> Decision:
    """The decision on one device."""
    groups = classes(q.pairs)
    if len(groups) > MOST_CLASSES:
        return Decision("OPEN", f"the outputs have {len(groups)} cells of different forms; at most {MOST_CLASSES} are decided", assumptions=q.notes)
    started, made, opened = time.monotonic(), list[Decision](), None
    each = max(limits.seconds / len(groups) / 2, FEWEST_SECONDS)      # to prove, and as long to refute
    for members in groups:
        free = [q.free[n] for n in topo(members[0].spec) if n in q.free]
        decision = _one(q, members, free, profile, replace(limits, seconds=each))
        if decision.verdict == "REFUTED":
            return replace(decision, assumptions=(*q.notes, *decision.assumptions, *((ANY_ORDER,) if free else ()),
                                                   *((ANY_FUSION,) if q.doubts(profile) else ())))
        if decision.verdict == "OPEN" and opened is None:
            opened = replace(decision, reason=f"{_called(members[0])}: {decision.reason}", assumptions=(*q.notes, *decision.assumptions))
        made.append(decision)
        if opened is not None and time.monotonic() - started > limits.seconds:
            break
    return opened or _together(q, profile, limits.equality, made)


def _called(p: Pair) -> str:
    return f"{p.name}[{p.index}]"


def _one(q: Question, members: Sequence[Pair], free: Sequence[Free], profile: Profile, limits: Limits) -> Decision:
    """The decision on one class."""
    goal = goal_of(q, members, free, profile)
    decision = decide.decide(goal, profile, limits.equality, limits.seconds, limits.stage)
    if decision.witness is not None:
        decision = replace(decision, witness=replace(decision.witness, index=members[0].index))
    if decision.verdict != "PROVED":
        return decision
    if free:
        return Decision("OPEN", ONE_ORDER, assumptions=decision.assumptions)
    doubts = q.doubts(profile)
    if doubts:
        return Decision("OPEN", DOUBTED.format(why=doubts[0]), assumptions=decision.assumptions)
    if fused(members[0].written, profile):
        return Decision("OPEN", FUSED, assumptions=decision.assumptions)
    return decision


def fused(written: Expr, profile: Profile) -> bool:
    """Does contraction change this value, or may it?"""
    if not profile.contract or not any(n.op in PRODUCTS for n in topo(written)):
        return False
    plain = replace(profile, contract=False)
    return prepare((written,), profile).values != prepare((written,), plain).values


def _together(q: Question, profile: Profile, equality: str, made: Sequence[Decision]) -> Decision:
    """All classes proved."""
    obligations = tuple({o.name: o for d in made for o in d.obligations}.values())
    notes = tuple(dict.fromkeys((*q.notes, *(a for d in made for a in d.assumptions), THREADS)))
    outputs = dict.fromkeys(p.name for p in q.pairs)
    statement = f"kernel = spec for all inputs, at all {len(q.pairs)} elements of {', '.join(outputs)}; {q.sizes}" + \
        "".join(f"; given that {o.name} agrees" for o in obligations)
    facts = [statement, f"device {profile.name} ({profile.device or 'no device'}), flags {profile.flags or '(none)'}", f"equality: {equality}",
             f"{len(made)} forms of cells; a namespace for each, and for each way in which the compiler may fuse it", *notes]
    text = leanfile.assemble(f"kernel {q.function} = spec {q.spec}", facts, [p for d in made for p in d.parts], statement)
    return Decision("PROVED", obligations=obligations, theorem=statement, assumptions=notes, lean=text)


def full_witness(witness: HexWitness, tensors: Mapping[str, int]) -> HexWitness:
    """A witness with every element of small tensors: those that do not matter are 0."""
    missing = {f"{t}[{i}]": "0x00000000" for t, n in tensors.items() if n <= 64 for i in range(n) if f"{t}[{i}]" not in witness.inputs}
    return replace(witness, inputs={**witness.inputs, **missing})
