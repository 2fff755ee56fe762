"""The second path for all sizes: the safety gate, and the values of every element, against a spec or another kernel.

    kernel.cu ── Program ── case ─┬─ gate: safe for all sizes, or a launch that is not (threads.run shows it)
                                  └─ summarise ── elements ─┐
    spec: its elements (pointwise, or over the dimensions of its tensors), or another kernel's ─┴─ match ──► Goal ── decide ──► Lean
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from devsem import decide, leanfolds
from devsem.array_goal import carries_a_product, is_pointwise
from devsem.arrays import NOT_PLAIN, TEXT, Source, unsafe_safety
from devsem.case import Case, at_most
from devsem.cells import Limits
from devsem.decide import Decision
from devsem.elements import INDEX, Element, Launched, Uncovered, elements
from devsem.evaluate import evaluate
from devsem.expr import Expr, const_int, fold, mk, rebuild, substitute, topo, var, variables
from devsem.folds import Normal
from devsem.frontend.spec import Spec
from devsem.gate import gate
from devsem.gate_setting import fitted
from devsem.goal import Goal, Output
from devsem.heads import judged
from devsem.hunt import Found, Launches, Sizes, candidates, hunt
from devsem.leanrun import Lean
from devsem.lower import lower, prepare
from devsem.matching import match
from devsem.ops import B64, F32, OPS
from devsem.pairing import Cell, Unpaired
from devsem.plan import number as value_at
from devsem.polynomial import atom
from devsem.profile import Profile
from devsem.program import BUILTINS
from devsem.second_look import Look, Text, Words, compiled, is_plain_value, look, run, settled
from devsem.size_facts import Known
from devsem.spec_elements import SpecElements
from devsem.summary import summarise
from devsem.summary_memory import Unsummarised
from devsem.symbols import Symbols
from devsem.threads_doubts import Doubt, doubts
from devsem.unroll import flatten
from devsem.verdict import HexWitness, Safety, Verdict

QUICK, LONG = 0.3, 4.0      # seconds of hunting beside the gate, and where the gate does not pass
SMALLER = (29, 28, 26, 20)  # powers of two for which the gate is asked where it does not pass for all sizes


@dataclass(frozen=True)
class Safe:
    """Is a case safe for all its sizes? `conditions`: what the gate showed, in words; `assumed`: what it took for granted."""

    safety: Safety
    reason: str
    conditions: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()


def safe(case: Case, seconds: float = 60.0) -> Safe:
    """The gate's answer, with a hunt beside it; a failure is always shown by a run. Raises Rejected for what a run refuses."""
    make, sizes = case.make, [s for s in case.setting.sizes if s not in case.threads]
    tried = candidates(make, sizes, threads=case.threads)
    written = frozenset(b.tensor for b in case.setting.buffers.values() if b.output and b.initial == "empty")
    start = time.monotonic()
    found = hunt(tried, make=make, seconds=QUICK, written=written)
    if found is not None:
        return _failed(found)
    empty = _empty(case)
    if empty is not None:
        return empty
    answer = gate(case.program, case.setting, max(1.0, seconds - (time.monotonic() - start)))
    if answer.verdict == "PASS":
        return Safe(Safety("PASS"), "", tuple(dict.fromkeys(q.name for q in answer.questions)), answer.assumed)
    found = hunt(tried, make=make, seconds=LONG, written=written)
    if found is not None:
        return _failed(found)
    return Safe(Safety("OPEN"), f"not shown to be safe for 1 to {case.setting.most} elements a tensor: {answer.reason}{_largest(case, seconds)}")


def _empty(case: Case) -> Safe | None:
    """Is there a size for which a launch has no block, which CUDA refuses, so that nothing is written? None if it is sure that there is none."""
    if case.threads:
        return None     # as many blocks as cover the elements, of which there is one at least
    s = case.setting
    sizes = tuple(s.sizes)
    known = Known(s.conditions, (), sizes, s.most)
    one = const_int(B64, 1)
    open_ = [e for e in (*s.grid, *s.block) if known.decides(mk("sle_b64", one, fitted(e, INDEX)), ()) is not True]
    if not open_:
        return None
    for n in (1, 2, 3, 7, 15, 31, 100, 255, 1000):
        at = dict.fromkeys(sizes, n)
        if all(n >= least for least, _ in s.sizes.values()) and all(value_at(c, at) for c in s.conditions) and any(value_at(e, at) < 1 for e in open_):
            found: dict[str, str | int] = {"fault": "empty launch", **{v.name: n for v in sizes}, "where": str(case.program.where)}
            return Safe(Safety("FAIL", found), f"with {', '.join(f'{v.name} = {n}' for v in sizes)} the launch has no block, and nothing is written")
    return Safe(Safety("OPEN"), "that the launch has a block for all sizes is not shown")


def _largest(case: Case, seconds: float) -> str:
    """For how many elements the gate passes, if not for all."""
    for bits in SMALLER:
        if 1 << bits < case.setting.most and gate(case.program, at_most(case, 1 << bits).setting, seconds / 2).verdict == "PASS":
            return f"; it is for up to 2^{bits}: --max-numel {1 << bits}"
    return ""


def _failed(found: Found) -> Safe:
    sizes: Mapping[str, str | int] = {v.name: n for v, n in found.candidate.sizes.items()}
    return Safe(Safety("FAIL", {**sizes, **(unsafe_safety(found.fault).counterexample or {})}), str(found.fault))


@dataclass(frozen=True)
class Asked:
    """A kernel for all sizes: whether it is safe, and the goal, or why there is none. `spec_as_written`: the spec is another kernel. `doubts`: why
    either may be fused in more ways than its values show."""

    function: str
    safe: Safe
    notes: tuple[str, ...]
    goal: Goal | None
    reason: str = ""
    spec_as_written: bool = False
    doubts: tuple[Doubt, ...] = ()
    second: Callable[[Profile], Look] | None = None


def pointwise_elements(spec: Spec, case: Case, shared: Symbols) -> tuple[Element, ...]:
    """What each element of an output is: the spec's value of the inputs' elements there."""
    cells = {var(i.name, F32): shared.read(i.name, INDEX) for i in spec.inputs}
    normal, known = Normal(shared, {}, lambda c, inside: None, symbols=shared), Known((), (), ())
    return tuple(Element(tensor, atom(INDEX), substitute(value, cells), (INDEX,), normal, known, case.program.where)
                 for tensor, value in zip(case.results, spec.outputs, strict=True))


def elements_of(case: Case, shared: Symbols) -> tuple[Element, ...]:
    """What the kernel writes. Raises Unsummarised, or Uncovered."""
    written = [p for p, b in case.setting.buffers.items() if b.output or b.initial == "empty"]
    twice = [p for p in written if list(case.tensors.values()).count(case.tensors[p]) > 1]
    if twice:
        raise Uncovered(f"the tensor of {twice[0]} is another parameter, too")
    found = summarise(case.program, case.fixed, case.extents)
    s, blocks = case.setting, [b for b in BUILTINS if b.name.startswith("blockIdx")]
    return elements(found, Launched(case.tensors, s.block, s.conditions, tuple(s.sizes), tuple(zip(blocks, s.grid, strict=True))), shared)


def wanted_elements(spec: Spec | SpecElements | Case, case: Case, shared: Symbols) -> tuple[Element, ...]:
    """What each element should be. Raises Unsummarised, or Uncovered."""
    if isinstance(spec, SpecElements):
        return spec.elements(case.results, shared)
    return pointwise_elements(spec, case, shared) if isinstance(spec, Spec) else elements_of(spec, shared)


def ask(case: Case, spec: Spec | SpecElements | Case, limits: Limits, progress: Callable[[str], None], sources: Sequence[Source]) -> Asked:
    """The question for all devices. `spec`: a spec over the case's sizes, or another kernel over the same tensors and sizes;
    `sources`: the kernels' texts."""
    most = f"1 to {case.setting.most} elements a tensor".replace(str(1 << 30), "2^30")
    function, notes = case.program.function, (most, *case.notes, TEXT)
    with limits.stage("safety"):
        progress(f"checking {function} for safety, for all sizes")
        found = safe(case, limits.seconds)
        other = safe(spec, limits.seconds) if isinstance(spec, Case) else None
    if found.safety.verdict != "PASS":
        return Asked(function, found, notes, None)
    if other is not None and other.safety.verdict != "PASS":
        return Asked(function, found, notes, None, f"the other kernel is not safe for these sizes: {other.reason}")
    with limits.stage("values"):
        shared = Symbols()
        try:
            wanted = wanted_elements(spec, case, shared)
            filled = {b.tensor for b in case.setting.buffers.values() if b.output}
            if filled != {e.tensor for e in wanted}:
                return Asked(function, found, notes, None, f"the kernel writes {_listed(filled)}, the specification {_listed({e.tensor for e in wanted})}")
            tensors = tuple(dict.fromkeys([*case.tensors.values(), *(e.tensor for e in wanted), *(i for i in case.inputs)]))
            name = spec.program.function if isinstance(spec, Case) else spec.name
            written = replace(case, program=flatten(case.program)) if isinstance(spec, SpecElements) else case
            goal = replace(match(function, name, elements_of(written, shared), wanted, tensors, shared, notes), scalars=case.numbers)
        except (Unsummarised, Uncovered, Unpaired) as why:
            return Asked(function, found, notes, None, str(why))
    doubted = (*doubts(case.program), *(doubts(spec.program) if isinstance(spec, Case) else ()))
    return Asked(function, found, (*notes, *_shown(found)), goal, "", isinstance(spec, Case), doubted, _second(case, spec, sources))


def _second(case: Case, spec: Spec | SpecElements | Case, sources: Sequence[Source]) -> Callable[[Profile], Look]:
    """How the compiled code is looked at in one small launch, which is chosen when it is first needed."""
    @cache
    def chosen() -> tuple[Sizes, Launches, Launches | None] | None:
        return _small(case, spec)

    def second(profile: Profile) -> Look:
        found = chosen()
        if found is None:
            return Look("not run", "the compiled code is not run: no small launch meets the conditions")
        at, made, others = found
        text = Text(sources[0].text, sources[0].file, made)
        if others is not None:
            theirs = Text(sources[1].text, sources[1].file, others)
            code = cache(partial(compiled, theirs, profile, sources[1].toolkit))    # when it is first wanted, so that a refusal is `look`'s to say
            return look(text, lambda inputs, numbers: {t: m for t, m in run(theirs, code(), profile, inputs, numbers).items() if t in case.results},
                        profile, sources[0].toolkit)
        assert not isinstance(spec, Case)
        values = spec.outputs if isinstance(spec, Spec) else [e.value for e in spec.elements(case.results, Symbols())]
        if not is_plain_value(topo(*values)):
            return Look("not run", NOT_PLAIN)
        if isinstance(spec, Spec):
            return look(text, lambda inputs, numbers: _pointwise(spec, case, inputs), profile, sources[0].toolkit)
        return look(text, lambda inputs, numbers: spec.values_at(case.results, at, inputs), profile, sources[0].toolkit)
    return second


def _small(case: Case, spec: Spec | SpecElements | Case) -> tuple[Sizes, Launches, Launches | None] | None:
    """A small launch of the kernel, its sizes, and of the other kernel, if there is one."""
    sizes = [s for s in case.setting.sizes if s not in case.threads]
    tried = candidates(case.make, sizes, threads=case.threads)
    small = [c for c in tried if 40 <= c.work <= 4000] or list(tried[:1])
    if not small:
        return None
    at = small[len(small) // 2].sizes
    made = case.make(at)
    other = spec.make(at) if isinstance(spec, Case) else None
    return None if made is None or (isinstance(spec, Case) and other is None) else (at, made, other)


def _pointwise(spec: Spec, case: Case, inputs: Mapping[str, Words]) -> dict[str, Words]:
    env = {v: inputs[v.name] for v in variables(*spec.outputs)}
    size = max((len(c) for c in inputs.values()), default=1)
    return {t: np.broadcast_to(v, (size,)) for t, v in zip(case.results, evaluate(list(spec.outputs), env), strict=True)}


def _listed(tensors: set[str]) -> str:
    return ", ".join(sorted(tensors)) or "nothing"


def _shown(found: Safe) -> tuple[str, ...]:
    return (*found.assumed,
            "the gate shows, for all sizes and launches: " + ", ".join(found.conditions),
            "which thread writes which element, and with which value, is the translation's word; that the values are equal is Lean's")


def decided(asked: Asked, profile: Profile, limits: Limits) -> Decision:
    """The decision on one device, before Lean has judged it."""
    if asked.goal is None:
        return Decision("OPEN", asked.reason, assumptions=asked.notes)
    if limits.equality != "bits":
        return Decision("OPEN", "for all sizes, values are compared by their bits only", assumptions=asked.notes)
    if profile.contract and carries_a_product(asked.goal):
        return Decision("OPEN", "a loop carries a product from round to round; a compiler that unrolls it may fuse that into a sum", assumptions=asked.notes)
    doubted = next((d.text for d in asked.doubts if d.applies(profile)), None)
    if doubted is not None:
        return Decision("OPEN", f"how the compiler fuses products is not known from the text: {doubted}; -fmad=false leaves no doubt", assumptions=asked.notes)
    goal = _on(asked.goal, profile) if asked.spec_as_written else asked.goal
    if goal is None:
        return Decision("OPEN", "the other kernel can be compiled in several ways", assumptions=asked.notes)
    try:
        found = decide.decide(goal, profile, limits.equality, limits.seconds, limits.stage)
    except leanfolds.Unsupported as why:
        return Decision("OPEN", f"the theorem about the loops is not made yet: {why}", assumptions=asked.notes)
    if found.verdict == "REFUTED" and not is_pointwise(goal):
        return Decision("OPEN", f"the values of one round, or of one element, can differ, but that such values occur is not shown: {found.reason}",
                        assumptions=found.assumptions)
    found = replace(found, witness=_witness(found.witness, goal)) if found.witness is not None else found
    return replace(found, assumptions=(*found.assumptions, *(n for n in asked.notes if n not in found.assumptions)))


def _witness(w: HexWitness, goal: Goal) -> HexWitness:
    """A witness by tensors: one element of each is concerned, whichever it is."""
    assert goal.assembly is not None
    p = goal.assembly.elements[w.index].piece
    names = {v.name: a.tensor if isinstance(a, Cell) else v.name for v, a in p.arguments}
    return HexWitness({names[n]: x for n, x in w.inputs.items() if n in names}, 0, w.kernel, w.spec)


def _on(goal: Goal, profile: Profile) -> Goal | None:
    """The goal with the other kernel's values as this device computes them; None where they are several."""
    sites = prepare(tuple(o.spec for o in goal.outputs), profile)
    if sites.choices:
        return None
    made = [_reference(lower(v, profile, ())) for v in sites.values]
    return replace(goal, outputs=tuple(Output(o.buffer, o.written, v) for o, v in zip(goal.outputs, made, strict=True)))


def _reference(e: Expr) -> Expr:
    """The device's functions, as the reference's: they are the same ones for both kernels."""
    return fold((e,), lambda n, args: mk(f"S.{n.op[2:]}", *args) if n.op.startswith("D.") and f"S.{n.op[2:]}" in OPS else rebuild(n, args) if args else n)[e]


def verdict_on(asked: Asked, profile: Profile, limits: Limits, lean: Lean, head: Callable[[], Mapping[str, Any]], path: Path) -> Verdict:
    """The verdict of one device."""
    if asked.safe.safety.verdict == "FAIL":
        return Verdict(**head(), way="all-sizes", verdict="REFUTED", safety=asked.safe.safety, assumptions=asked.notes, reason=f"unsafe: {asked.safe.reason}")
    if asked.safe.safety.verdict != "PASS":
        return Verdict(**head(), way="all-sizes", verdict="OPEN", safety=asked.safe.safety, assumptions=asked.notes, reason=asked.safe.reason)
    if profile.open:
        decision = Decision("OPEN", f"undecided on {profile.name}: {', '.join(profile.open)}", assumptions=asked.notes)
    else:
        decision = decided(asked, profile, limits)
    lean_file = ""
    if decision.lean is not None:
        with limits.stage("lean"):
            decision, lean_file = judged(decision, path, lean, limits.seconds)
    if asked.second is not None:
        with limits.stage("compiled"):
            decision = settled(decision, partial(asked.second, profile))
    return Verdict(**head(), way="all-sizes", verdict=decision.verdict, choice=decision.choice, witness=decision.witness, bounds=decision.bounds,
                   safety=asked.safe.safety, obligations=decision.obligations, theorem=decision.theorem, lean_file=lean_file,
                   assumptions=decision.assumptions, reason=decision.reason)
