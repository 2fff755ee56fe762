"""Find inputs on which kernel and spec differ, whatever the obligations return within their documents, and make them readable.

Order: special values and thresholds, aimed values, random ones (`candidates.py`), then bitwuzla; then shrink. A difference under the
nominal functions only proposes an input: `confirm` decides by the sets of `possible.py`. The result is for Lean to check.

>>> from devsem.expr import F32, const, mk, var
>>> x = var("x", F32)
>>> w = find(mk("max_num", x, const(0.0)), mk("max_nan", x, const(0.0)), variables=[x], equality="bits", seconds=5)
>>> hex(w.inputs["x"]), hex(w.kernel), hex(w.spec)
('0x7fc00000', '0x0', '0x7fffffff')
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from devsem import candidates, floats, libm, libm_guess, smt
from devsem.enclose import Enclosure, enclose
from devsem.errors import Bug
from devsem.evaluate import evaluate
from devsem.expr import Expr, fold, mk, rebuild, topo, variables as variables_of
from devsem.ops import F32, OPS
from devsem.possible import Bound, Unbounded, Worlds, possible
from devsem.ranges import Range, apart, evaluate_ranges, exactly, tiny

Array = npt.NDArray[Any]
Equality = Literal["bits", "zero-sign"]
CLASS = 1 << 40         # the distance of values of different classes: NaN, infinity, number
WORLDS = 1024           # combinations of documented results looked at for one side
CONFIRMED = 12          # differences a batch of candidates may send to `confirm`
ROBUST = 1 << 20        # shrinking an inexact problem keeps this nominal distance, where there was one: documents are not proofs
ENCLOSED = ((1, 1), (9, 64), (64, 256))     # how many documented results of one application, and combinations, are enumerated beside intervals
FEW = 24                # with more combinations than these, intervals make the shorter proof, if they suffice
SCREENED = 2048         # differences of a batch whose intervals are looked at
SUSPECTS = 128          # of those that the bounds leave open, how many are tried again with D.f = S.f


@dataclass(frozen=True)
class Witness:
    """Inputs that separate: every value the kernel may have differs from every value of the spec under the same bounds.

    `kernel` and `spec` are representatives. `correlated` says that the device's functions were taken to be the reference's (`D.f = S.f`),
    without which the bounds do not separate.
    """

    inputs: Mapping[str, int]
    kernel: int
    spec: int
    bounds: tuple[Bound, ...] = ()
    correlated: bool = False
    kernel_values: tuple[int, ...] = ()
    spec_values: tuple[int, ...] = ()


@dataclass(frozen=True)
class NoWitness:
    """Nothing found: why, how many inputs were tried, what bitwuzla said. `suspect` differs nominally, but within the documents' bounds."""

    reason: str
    tried: int
    solver: Literal["unsat", "unknown", "sat", "not run"]
    suspect: Mapping[str, int] | None = None
    unfinished: bool = False    # time ran out before the last candidates of a problem with bounds


Inputs = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """One question, with both sides as given and with the device's functions taken as the reference's."""

    kernel: Expr
    spec: Expr
    names: tuple[Expr, ...]
    assumptions: tuple[Expr, ...]
    equality: Equality
    functions: Mapping[str, Callable[..., Array]]
    intervals: Mapping[str, Callable[[Sequence[Range]], Range]]
    same_libm: Expr
    vague: Callable[[Mapping[str, int]], str]

    @property
    def exact(self) -> bool:
        return not any(OPS[n.op].kind == "obligation" for n in topo(self.kernel, self.spec) if n.args)

    def keys(self, values: Array) -> Array:
        """Patterns that are equal exactly where the equality says so."""
        return np.where(values == 0x80000000, np.uint32(0), values) if self.equality == "zero-sign" else values

    def distances(self, env: candidates.Env) -> Array:
        """How far kernel and spec are nominally apart at each input: 0 where equal or where an assumption fails."""
        kernel, spec, *holds = evaluate([self.kernel, self.spec, *self.assumptions], env, self.functions)
        lanes = candidates.lanes(env)
        a, b = (np.broadcast_to(self.keys(x), (lanes,)) for x in (kernel, spec))
        out = np.where(_kind(a) != _kind(b), CLASS, np.maximum(np.abs(_ordinal(a) - _ordinal(b)), 1))
        for hold in holds:
            out = np.where(hold, out, 0)
        return np.where(a == b, 0, out)

    def separated(self, env: candidates.Env) -> Array:
        """Where intervals, nearly right, keep kernel and spec apart."""
        kernel, spec = evaluate_ranges([self.kernel, self.spec], env, self.intervals)
        return self.differ(kernel, spec)

    def differ(self, a: Range, b: Range) -> Array:
        """Where two values certainly count as different."""
        found = apart(a, b) | (tiny(b) & (self.kernel.op == "ftz"))
        zeros = (self.keys(a.low) == self.keys(b.low)) & a.exact & b.exact
        return np.asarray(found & ~zeros)


def _kind(x: Array) -> Array:
    mag = x & np.uint32(0x7FFFFFFF)
    return (mag >= 0x7F800000).astype(np.int64) + (mag > 0x7F800000)


def _ordinal(x: Array) -> Array:
    mag = (x & np.uint32(0x7FFFFFFF)).astype(np.int64)
    return np.where(x >> np.uint32(31) == 1, -mag, mag)


def as_reference(root: Expr, spec: Expr | None = None) -> Expr:
    """The expression with the device's functions taken as the reference's of the same name, where there is one (and the spec uses it)."""
    used = OPS.keys() if spec is None else _rows(spec)

    def other(node: Expr, args: tuple[Expr, ...]) -> Expr:
        partner = "S." + node.op[2:]
        return mk(partner, *args) if node.op.startswith("D.") and partner in used else rebuild(node, args)
    return fold((root,), other)[root]


def _rows(root: Expr) -> set[str]:
    return {n.op for n in topo(root) if n.args and OPS[n.op].kind == "obligation"}


def _worlds(problem: Problem, kernel: Expr, inputs: Mapping[Expr, int]) -> tuple[Worlds, Worlds] | Unbounded:
    """Both sides' worlds: each alone if they share no obligation, else the same worlds for both."""
    if _rows(kernel) & _rows(problem.spec):
        both = possible([kernel, problem.spec], inputs, WORLDS)
        return both if isinstance(both, Unbounded) else (Worlds(both.roots[:1], both.allowed), Worlds(both.roots[1:], both.allowed))
    left = possible([kernel], inputs, WORLDS)
    right = left if isinstance(left, Unbounded) else possible([problem.spec], inputs, WORLDS)
    return right if isinstance(right, Unbounded) else (left, right) if isinstance(left, Worlds) else left


def confirm(problem: Problem, patterns: Inputs, correlated: bool = False, by_intervals: bool = True) -> Witness | Unbounded:
    """The inputs as a witness, if the two sides differ in every world; where there are too many, if intervals keep them apart."""
    inputs = dict(zip(problem.names, patterns, strict=True))
    if not all(bool(holds[0]) for holds in evaluate(problem.assumptions, _one(problem, patterns))):
        return Unbounded("an assumption does not hold")
    vague = problem.vague({v.name: p for v, p in inputs.items()})
    if vague:
        return Unbounded(vague)
    kernel = problem.same_libm if correlated else problem.kernel
    found = _worlds(problem, kernel, inputs)
    if isinstance(found, Unbounded):
        return (_enclosed(problem, kernel, patterns, correlated) if by_intervals else None) or found
    left, right = found
    a, b = left.roots[0], right.roots[0]
    shared = left.allowed is right.allowed
    equal = bool((problem.keys(a) == problem.keys(b)).any()) if shared else bool(np.isin(problem.keys(a), problem.keys(b)).any())
    if equal:
        return Unbounded("the documented bounds do not separate the two sides")
    short = _enclosed(problem, kernel, patterns, correlated, ENCLOSED[:1]) if len(a) + len(b) > FEW else None
    if short:
        return short
    sets = [tuple(sorted(set(x.tolist()))) for x in (a, b)]
    bounds = tuple(Bound(row, args, allowed, libm.ROWS[libm.without_side(row)].reason) for (row, args), allowed in {**left.allowed, **right.allowed}.items())
    return _witness(problem, kernel, patterns, correlated, bounds, [exactly(a), exactly(b)], sets)


def _enclosed(problem: Problem, kernel: Expr, patterns: Inputs, correlated: bool,
              tries: Sequence[tuple[int, int]] = ENCLOSED) -> Witness | None:
    """The inputs as a witness by intervals, with as few combinations as possible."""
    inputs = dict(zip(problem.names, patterns, strict=True))
    for each, most in tries:
        found: Enclosure = enclose([kernel, problem.spec], inputs, each, most)
        if problem.differ(*found.roots).all():
            return _witness(problem, kernel, patterns, correlated, found.bounds, found.roots, [(), ()])
    return None


def _witness(problem: Problem, kernel: Expr, patterns: Inputs, correlated: bool, bounds: tuple[Bound, ...], roots: Sequence[Range],
             sets: Sequence[tuple[int, ...]]) -> Witness:
    """A witness with a representative of each side: the nominal value if it is possible."""
    values = []
    for e, root in zip((kernel, problem.spec), roots, strict=True):
        nominal = evaluate([e], _one(problem, patterns), problem.functions)[0]
        inside = root.known & np.where(root.exact, root.low == nominal, floats.le(root.low, nominal) & floats.le(nominal, root.high))
        values.append(int(nominal[0]) if inside.any() else int(root.low[0]))
    inputs = {v.name: p for v, p in zip(problem.names, patterns, strict=True)}
    return Witness(inputs, values[0], values[1], bounds, correlated, *sets)


def _readable(patterns: Inputs) -> tuple[tuple[int, ...], ...]:
    """A key: smaller is easier to read, judged by the worst value first."""
    return tuple(sorted((candidates.simplicity(p) for p in patterns), reverse=True))


def _promising(problem: Problem, env: candidates.Env, most: int) -> list[Inputs]:
    """Inputs of the batch that differ: for an exact problem the most readable ones, else first those that differ most."""
    distance = problem.distances(env)
    hits = np.flatnonzero(distance)
    if problem.exact:
        rows = [tuple(int(env[v][i]) for v in problem.names) for i in hits[:2048]]
        return sorted(rows, key=_readable)[:most]
    classes = hits[distance[hits] >= CLASS][:512]
    far = hits[np.argsort(-distance[hits], kind="stable")][:most]
    by_class = sorted((tuple(int(env[v][i]) for v in problem.names) for i in classes), key=_readable)
    return list(dict.fromkeys([*by_class[:most], *(tuple(int(env[v][i]) for v in problem.names) for i in far)]))


def _screened(problem: Problem, env: candidates.Env, most: int) -> list[Inputs]:
    """Inputs of the batch that intervals, nearly right, separate: the most readable ones."""
    distance = problem.distances(env)
    hits = np.flatnonzero(distance)
    far = hits[np.argsort(-distance[hits], kind="stable")]
    half = SCREENED // 2
    chosen = np.concatenate([far[:half], far[half::max(1, len(far[half:]) // half)]])
    if not len(chosen):
        return []
    found = chosen[problem.separated({v: x[chosen] for v, x in env.items()})]
    return sorted((tuple(int(env[v][i]) for v in problem.names) for i in found), key=_readable)[:most]


# --- shrinking ---

_SIMPLE = sorted({*candidates.SPECIALS, *candidates.INTEGERS, *candidates.POWERS}, key=candidates.simplicity)


def _simpler(pattern: int, others: Sequence[int]) -> list[int]:
    """Readable replacements for one value, the most readable first: constants, the other values, shorter significands, nearer exponents."""
    short = {q & 0x7FFFFFFF | sign for k in range(23) for q in (pattern >> k << k, (pattern + (1 << k)) >> k << k) for sign in (0, 0x80000000)}
    exponents = {pattern & 0x807FFFFF | e << 23 for e in range(120, 135)}
    all_ = {*_SIMPLE, *short, *exponents, pattern & 0x7FFFFFFF, *others, *(o ^ 0x80000000 for o in others)}
    key = candidates.simplicity(pattern)
    usable = (p for p in all_ if p & 0x7FFFFFFF <= 0x7F800000 or p == candidates.NAN)
    return sorted((p for p in usable if candidates.simplicity(p) < key), key=candidates.simplicity)


def _one(problem: Problem, patterns: Inputs) -> candidates.Env:
    return {v: np.array([p], dtype=np.uint32) for v, p in zip(problem.names, patterns, strict=True)}


def shrink(problem: Problem, witness: Witness, deadline: float) -> Witness:
    """Replace one value after another by a more readable one that still separates, until nothing improves."""
    best = tuple(witness.inputs[v.name] for v in problem.names)
    distance = int(problem.distances(_one(problem, best))[0])
    floor = 1 if problem.exact else distance if distance >= CLASS else max(1, min(distance // 2, ROBUST))
    for position in (i for _ in range(4) for i in range(len(best))):
        options = _simpler(best[position], best[:position] + best[position + 1:])
        if not options or time.monotonic() > deadline:
            continue
        env = {v: np.full(len(options), p, dtype=np.uint32) for v, p in zip(problem.names, best, strict=True)}
        env[problem.names[position]] = np.array(options, dtype=np.uint32)
        for i in np.flatnonzero(problem.distances(env) >= floor)[:CONFIRMED]:
            trial = best[:position] + (options[i],) + best[position + 1:]
            found = confirm(problem, trial, witness.correlated)
            if isinstance(found, Witness):
                best, witness = trial, found
                break
    return witness


# --- the search ---


def pose(kernel: Expr, spec: Expr, names: Sequence[Expr], assumptions: Sequence[Expr], equality: Equality,
         vague: Callable[[Mapping[str, int]], str] = lambda inputs: "") -> Problem:
    """The question, checked: every variable is given, and ranges over F32. `vague` says why inputs are no witness though the sides differ there."""
    missing = [v.name for v in variables_of(kernel, spec, *assumptions) if v not in names]
    other = [v.name for v in names if v.sort != F32]
    if missing or other:
        raise Bug(f"refute: variables not given {missing}, not of sort F32 {other}")
    functions = {f"{side}.{name}": libm.nominal(name) for name in libm.ROWS for side in "DS"}
    intervals = {f"{side}.{name}": libm_guess.guess(name) for name in libm.ROWS for side in "DS"}
    return Problem(kernel, spec, tuple(names), tuple(assumptions), equality, functions, intervals, as_reference(kernel, spec), vague)


def _ask_solver(problem: Problem, deadline: float, tried: int, suspects: Mapping[Inputs, str]) -> Witness | NoWitness:
    """The last resort; with obligations its model is only one more candidate, since to bitwuzla they are arbitrary functions."""
    sides = problem.same_libm, problem.spec
    pair = sides if problem.equality == "bits" else (mk("pos_zero", sides[0]), mk("pos_zero", sides[1]))
    answer = smt.check_sat(problem.assumptions, deadline - time.monotonic(), [pair])
    near = next(((p, why) for p, why in suspects.items()), None)
    suspect = None if near is None else {v.name: p for v, p in zip(problem.names, near[0], strict=True)}
    nominal = "" if near is None else f"; an input where the two differ nominally is not decided: {near[1]}"
    if isinstance(answer, smt.Unsat):
        return NoWitness("bitwuzla finds no difference" + nominal, tried, "unsat", suspect)
    if isinstance(answer, smt.Unknown):
        return NoWitness(answer.reason + nominal, tried, "unknown", suspect)
    patterns = tuple(answer.model.get(v, 0) for v in problem.names)
    for correlated in (False, True):
        found = confirm(problem, patterns, correlated)
        if isinstance(found, Witness):
            return shrink(problem, found, deadline)
    why = problem.vague({v.name: p for v, p in zip(problem.names, patterns, strict=True)})
    if why:
        return NoWitness(f"bitwuzla separates the two where it decides nothing: {why}", tried, "sat", suspect)
    if problem.exact:
        raise Bug(f"bitwuzla separates at {[hex(p) for p in patterns]}, the evaluator does not")
    return NoWitness("the two sides differ for some functions, none that the documents fix" + nominal, tried, "sat", suspect)


def find(kernel: Expr, spec: Expr, *, variables: Sequence[Expr], assumptions: Sequence[Expr] = (), equality: Equality, seconds: float,
         seed: int = 0, vague: Callable[[Mapping[str, int]], str] = lambda inputs: "") -> Witness | NoWitness:
    """A readable witness that kernel and spec (lowered: exact rows and obligations) differ, or what was tried."""
    started = time.monotonic()
    deadline = started + seconds
    problem = pose(kernel, spec, variables, assumptions, equality, vague)
    if problem.same_libm is spec:
        return NoWitness("both sides are the same expression" + ("" if kernel is spec else ", the device's functions being the reference's"), 0, "not run")
    tried, unfinished = 0, False
    suspects: dict[Inputs, str] = {}
    for env in candidates.batches([kernel, spec, *assumptions], problem.names, problem.functions, seed):
        unfinished = time.monotonic() > started + seconds * 0.6
        if unfinished:
            break
        tried += candidates.lanes(env)
        for patterns in _promising(problem, env, CONFIRMED):
            found = confirm(problem, patterns, by_intervals=False)
            if isinstance(found, Witness):
                return shrink(problem, found, deadline)
            suspects[patterns] = found.reason
        for patterns in [] if problem.exact else _screened(problem, env, CONFIRMED):
            found = confirm(problem, patterns)
            if isinstance(found, Witness):
                return shrink(problem, found, deadline)
    for correlated, patterns in itertools.product((False, True), list(suspects)[:SUSPECTS]):
        found = confirm(problem, patterns, correlated)
        if isinstance(found, Witness):
            return shrink(problem, found, deadline)
    last = _ask_solver(problem, deadline, tried, suspects)
    return replace(last, unfinished=unfinished and not problem.exact) if isinstance(last, NoWitness) else last
