"""What ptxas makes of PTX arithmetic that leaves it a choice: the predicted machine operations, and every other admissible choice.

PTX lets the assembler fuse a `mul` into an `add` or `sub` when neither has a rounding modifier; ptxas 13.0 does so by the rule of `_predict`
([M] docs/PTXAS.md, compiled only; facts/GPU_FLOAT.md 2.3 and 2.4). The rule is a prediction, to be confirmed in the machine code
(`sass_match.py`). Where it is not confirmed, `Machine.choices` gives each admissible combination, and `Machine.limits` says what they leave out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product as combinations

from devsem.errors import UsageError, Where
from devsem.frontend.ptx_ast import Function, Immediate, Instruction, Label, Operand, Register
from devsem.frontend.ptx_flow import Flow, shaped, targets
from devsem.frontend.ptxas_rules import ROUNDINGS, SIGN, Replacement, bounded, flushes, free, is_f32, replaced

PRODUCTS = ("mul", "div", "rcp")
SUMS = ("add", "sub")
TEMPORARY = "%machine"
SCALES = tuple(127 + k << 23 for k in range(-3, 4))
BRANCHES = ("bra", "ret", "exit", "st", "ld", "bar")
FLOATS = ("f32", "f64", "f16", "f16x2", "bf16", "bf16x2", "f32x2")


@dataclass(frozen=True)
class Site:
    """One place where the machine has a choice: the PTX instruction, what it may become, and which of them ptxas is predicted to take."""

    where: Where
    text: str
    alternatives: tuple[str, ...]
    predicted: int


@dataclass(frozen=True)
class Term:
    """An operand of a sum that is a product, after copies and sign flips: where the product is computed, and its sign there."""

    product: int
    negative: bool


@dataclass(frozen=True)
class Plan:
    """A function with its choices: per sum the operands that may be fused, per instruction its replacement."""

    flow: Flow
    replacements: dict[int, Replacement]
    terms: dict[int, tuple[Term | None, Term | None]]


@dataclass(frozen=True)
class Machine:
    """The predicted machine operations as a PTX function in which nothing is left to choose, its sites, and why the sites may not be all.

    A fused product that ends an approximation is the pseudo instruction `fused.div_approx[.ftz].add d, a, b, c` (a/b + c; `rsub`: c - a/b).
    """

    function: Function
    sites: tuple[Site, ...]
    limits: tuple[str, ...]
    plan: Plan = field(repr=False, compare=False)
    keys: tuple[tuple[str, int, tuple[int, ...]], ...] = field(repr=False, compare=False)

    @property
    def count(self) -> int:
        """How many functions the choices make."""
        return math.prod(len(s.alternatives) for s in self.sites)

    def choose(self, choice: Sequence[int]) -> Function:
        """The function where each site takes the alternative of that number; for sites of two, these are bits."""
        if len(choice) != len(self.sites) or not all(0 <= c < len(s.alternatives) for c, s in zip(choice, self.sites, strict=False)):
            raise UsageError(f"{len(self.sites)} sites need one number each, below their numbers of alternatives")
        replace_at, fuse_at = {n for n, r in self.plan.replacements.items() if r.same}, {}
        for c, (kind, index, values) in zip(choice, self.keys, strict=True):
            if kind == "fuse" and values[c] >= 0:
                fuse_at[index] = values[c]
            elif kind == "replace" and values[c]:
                replace_at.add(index)
        return _emit(self.plan, frozenset(replace_at), fuse_at)

    def choices(self) -> Iterator[tuple[int, ...]]:
        """Every admissible choice, the predicted one first."""
        first = tuple(s.predicted for s in self.sites)
        yield first
        yield from (c for c in combinations(*(range(len(s.alternatives)) for s in self.sites)) if c != first)


def machine(function: Function, *, arch: str, fmad: bool) -> Machine:
    """The machine operations that ptxas 13.0 is predicted to make of a function on an architecture ("sm_90"), and the other admissible ones.

    `fmad` False is ptxas's --fmad=false, which contracts nothing.
    """
    flow = Flow(function)
    found = {n: replaced(flow, n, int("".join(filter(str.isdigit, arch))), fmad) for n in sorted(flow.live)}
    replacements = {n: r for n, r in found.items() if r is not None}
    plan = Plan(flow, replacements, {})
    if fmad:
        for n, i in flow.instructions():
            if n in flow.live and _is_sum(i):
                terms = _term(plan, n, 1), _term(plan, n, 2)
                if any(terms):
                    plan.terms[n] = terms
    fused = _predict(plan)
    sites: list[Site] = []
    keys: list[tuple[str, int, tuple[int, ...]]] = []
    for n, r in replacements.items():
        if not r.same:
            sites.append(Site(flow.at(n).where, str(flow.at(n)), (str(r.instruction), str(flow.at(n))), 0 if r.likely else 1))
            keys.append(("replace", n, (1, 0)))
    for n, terms in plan.terms.items():
        values = (-1, *(k for k, t in enumerate(terms) if t is not None))
        names = tuple("not fused" if v < 0 else f"operand {v + 1} fused" for v in values)
        sites.append(Site(flow.at(n).where, str(flow.at(n)), names, values.index(fused.get(n, -1))))
        keys.append(("fuse", n, values))
    limits = tuple(dict.fromkeys([*(_limits(plan) if fmad else ()), *_lost_flushes(plan)]))
    return Machine(_emit(plan, frozenset(n for n, r in replacements.items() if r.likely), fused), tuple(sites), limits, plan, tuple(keys))


def _is_sum(i: Instruction) -> bool:
    return i.opcode in SUMS and free(i) and shaped(i)


def _is_product(plan: Plan, index: int, i: Instruction) -> bool:
    """An unguarded operation that ends in a multiplication which may be contracted: also of an approximate quotient or reciprocal."""
    if i.opcode not in PRODUCTS or not shaped(i) or i.predicate is not None or not is_f32(i) or "sat" in i.modifiers:
        return False
    if index in plan.replacements and plan.replacements[index].instruction.opcode != "mul":
        return False
    if i.opcode == "mul":
        return free(i)
    approximate = "approx" in i.modifiers or "full" in i.modifiers
    return approximate and not (i.opcode == "rcp" and flushes(i))


def _step(plan: Plan, index: int) -> tuple[Operand, bool] | None:
    """For an instruction whose value is its operand's or that with the other sign: the operand, and whether the sign changes."""
    r = plan.replacements.get(index)
    i = r.instruction if r is not None else plan.flow.at(index)
    if i.predicate is not None or not shaped(i):
        return None
    if i.opcode == "mov" and i.modifiers in (("b32",), ("f32",)):
        return i.operands[1], False
    if i.opcode == "neg" and is_f32(i):
        return i.operands[1], True
    if i.opcode == "add" and r is not None:              # the flush that stands for `mul.ftz x, 1`
        return i.operands[1], False
    if i.opcode == "abs" and is_f32(i) and isinstance(i.operands[1], Register):
        square = plan.flow.defined(i.operands[1], index)
        if square is not None and plan.flow.at(square).opcode == "mul" and len(set(plan.flow.at(square).operands[1:])) == 1:
            return i.operands[1], False
    return None


def _term(plan: Plan, index: int, position: int) -> Term | None:
    """The product that the operand of a sum is, if it may be fused there."""
    i = plan.flow.at(index)
    flush, negative, user, operand = flushes(i), i.opcode == "sub" and position == 2, index, i.operands[position]
    while (at := plan.flow.defined(operand, user)) is not None:
        product = plan.flow.at(at)
        if _is_product(plan, at, product):
            return Term(at, negative) if flushes(product) == flush else None
        step = _step(plan, at)
        if step is None or (flushes(product) and not flush):
            return None
        operand, negative, user = step[0], negative != step[1], at
    return None


@dataclass
class _Uses:
    """How a product is used: by which sums, and whether by anything else."""

    sums: list[int] = field(default_factory=list)
    other: bool = False


def _uses(plan: Plan, index: int, root: int, uses: _Uses) -> None:
    """Collects the uses of the value at `index`, which is the product at `root` but for its sign."""
    (name,) = targets(plan.flow.at(index))
    for user in plan.flow.uses.get(name, ()):
        if user not in plan.flow.live:
            continue
        terms = plan.terms.get(user, ())
        step = _step(plan, user)
        if any(t is not None and t.product == root for t in terms):
            uses.sums.append(user)
        elif step is not None and plan.flow.defined(step[0], user) == index and plan.flow.single(targets(plan.flow.at(user))[0]) is not None:
            _uses(plan, user, root, uses)
        else:
            uses.other = True


def _predict(plan: Plan) -> dict[int, int]:
    """Which operand (0 or 1) ptxas fuses into each sum [M: docs/PTXAS.md].

    Products with a single use first, then those whose every use is a sum; sum by sum in the text's order, the left operand first. A product
    that is the addend of a fused one has by that another use than sums, and is fused no more.
    """
    uses: dict[int, _Uses] = {}
    for terms in plan.terms.values():
        for t in terms:
            if t is not None and t.product not in uses:
                uses[t.product] = _Uses()
                _uses(plan, t.product, t.product, uses[t.product])
    for u in uses.values():
        u.other = u.other or len(set(u.sums)) < len(u.sums)
    fused: dict[int, int] = {}
    for single in (True, False):
        for index, terms in plan.terms.items():
            for k, term in enumerate(terms):
                if index in fused or term is None or uses[term.product].other or (single and len(uses[term.product].sums) > 1):
                    continue
                fused[index] = k
                addend = terms[1 - k]
                if addend is not None:
                    uses[addend.product].other = True
    return fused


def _limits(plan: Plan) -> Iterator[str]:
    """Products that reach a sum on a way that the sites do not cover: through a loop, a join of branches, a selection, or a guard."""
    for index, i in plan.flow.instructions():
        if index not in plan.flow.live or i.opcode not in PRODUCTS or not i.modifiers:
            continue
        if _may_scale(plan, index):
            yield f"{i.where}: `{i}` may become one instruction with the product that it scales (FMUL.D4), whose rounding no document states"
        copied = index in plan.replacements and plan.replacements[index].instruction.opcode != "mul"
        if i.modifiers[-1] in FLOATS and not copied and not any(m in ROUNDINGS for m in i.modifiers) and not (i.opcode == "rcp" and flushes(i)):
            for user in _reached(plan, index):
                terms = plan.terms.get(user, ())
                if not any(t is not None and t.product == index for t in terms):
                    yield f"{i.where}: the product `{i}` may be fused into `{plan.flow.at(user)}` on some ways only"


def _lost_flushes(plan: Plan) -> Iterator[str]:
    """A `setp.ftz` with 0 whose predicate guards a copy or is combined: it may become FMNMX without a flush, as a selection may [M: docs/PTXAS.md]."""
    flow = plan.flow
    for index, i in flow.instructions():
        if index not in flow.live or i.opcode != "setp" or not flushes(i):
            continue
        bound = bounded(flow, index)
        if bound is None or bound[1] & ~SIGN:
            continue
        for user in (u for name in targets(i) for u in flow.uses.get(name, ()) if u in flow.live):
            other = flow.at(user)
            if other.opcode not in (*BRANCHES, "selp") or (other.opcode == "selp" and other.predicate is not None):
                yield f"{i.where}: `{i}` may lose its flush where `{other}` uses it"


def _may_scale(plan: Plan, index: int) -> bool:
    """A product without .rn, times 1, 2, 4, 8 or their reciprocals (.rn or not): FMUL.M2 … FMUL.D8, and `mul.rn t, 1` vanishes [M: docs/PTXAS.md]."""
    r = plan.replacements.get(index)
    i = r.instruction if r is not None else plan.flow.at(index)
    if i.opcode != "mul" or not is_f32(i) or not shaped(i) or {"rz", "rm", "rp"} & set(i.modifiers):
        return False
    for x, c in ((i.operands[1], i.operands[2]), (i.operands[2], i.operands[1])):
        if plan.flow.constant(c, index) not in SCALES:
            continue
        at = plan.flow.defined(x, index)
        while at is not None:
            inner = plan.flow.at(at)
            if inner.opcode in PRODUCTS and is_f32(inner) and _step(plan, at) is None:
                return not any(m in ROUNDINGS for m in inner.modifiers)
            step = _step(plan, at)
            same = inner.opcode in ("min", "max") and len(inner.operands) == 3 and inner.operands[1] == inner.operands[2]
            at = plan.flow.defined(step[0] if step is not None else inner.operands[1], at) if step is not None or same else None
    return False


def _reached(plan: Plan, index: int) -> list[int]:
    """The sums without a rounding modifier, of the product's type and flush, that a product reaches through copies, signs and selections."""
    flow, product = plan.flow, plan.flow.at(index)
    seen, work, found = {index}, [index], []
    while work:
        for name in targets(flow.at(work.pop())):
            for user in flow.uses.get(name, ()):
                i = flow.at(user)
                if user in seen or user not in flow.live:
                    continue
                seen.add(user)
                if i.opcode in SUMS and i.modifiers[-1:] == product.modifiers[-1:] and not any(m in ROUNDINGS for m in i.modifiers):
                    found += [user] if flushes(i) == flushes(product) else []
                elif i.opcode in ("mov", "neg", "abs", "selp"):
                    work.append(user)
    return found


def _emit(plan: Plan, replace_at: frozenset[int], fuse_at: dict[int, int]) -> Function:
    """The function with these replacements and fused sums, every other choice taken literally (`.rn`)."""
    body: list[Instruction | Label] = []
    before: dict[int, list[Instruction]] = {}
    temporaries: list[Register] = []

    def temporary() -> Register:
        temporaries.append(Register(f"{TEMPORARY}{len(temporaries)}"))
        return temporaries[-1]

    def stable(operand: Operand, product: int, user: int) -> Operand:
        """The operand of a product, or a copy of it made there if it might change before the product's use."""
        if not isinstance(operand, Register):
            return operand
        between = plan.flow.function.body[product:user]
        if not any(isinstance(s, Label) or operand.name in targets(s) for s in between):
            return operand
        copy = temporary()
        before.setdefault(product, []).append(Instruction("mov", ("b32",), (copy, operand), where=plan.flow.at(product).where))
        return copy

    new: dict[int, list[Instruction]] = {}
    for index, i in plan.flow.instructions():
        r = plan.replacements.get(index) if index in replace_at else None
        if index in fuse_at:
            term = plan.terms[index][fuse_at[index]]
            assert term is not None
            p = plan.replacements[term.product].instruction if term.product in replace_at else plan.flow.at(term.product)
            factors = [stable(o, term.product, index) for o in p.operands[1:]]
            new[index] = _fused(i, p, factors, i.operands[2 - fuse_at[index]], term.negative, i.opcode == "sub" and fuse_at[index] == 0, temporary)
        else:
            new[index] = [_literal(r.instruction if r is not None else i)]
    for index, s in enumerate(plan.flow.function.body):
        body += [*before.get(index, ()), *new[index]] if isinstance(s, Instruction) else [s]
    declared = {**plan.flow.function.registers, TEMPORARY: ("b32", len(temporaries))} if temporaries else plan.flow.function.registers
    return replace(plan.flow.function, body=tuple(body), registers=declared)


def _literal(i: Instruction) -> Instruction:
    """The instruction with its rounding written out, so that nothing may be contracted."""
    return replace(i, modifiers=("rn", *i.modifiers)) if i.opcode in ("mul", *SUMS) and free(i) else i


def _fused(i: Instruction, product: Instruction, factors: list[Operand], addend: Operand, negative: bool, minus: bool,
           temporary: Callable[[], Register]) -> list[Instruction]:
    """The sum `i` with a product fused: `negative` flips the product's sign, `minus` the addend's."""
    flips: list[Instruction] = []

    def flipped(operand: Operand) -> Operand:
        if isinstance(operand, Immediate) and operand.kind == "f32":
            return Immediate(operand.value ^ SIGN, "f32")
        out = temporary()
        flips.append(Instruction("neg", ("f32",), (out, operand), where=i.where))
        return out

    third = flipped(addend) if minus else addend
    ends = tuple(m for m in i.modifiers if m in ("ftz", "sat"))
    if product.opcode == "mul":
        first, second = factors
        operands = (i.operands[0], flipped(first) if negative else first, second, third)
        return [*flips, replace(i, opcode="fma", modifiers=("rn", *ends, "f32"), operands=operands)]
    kind = f"{product.opcode}_{'full' if 'full' in product.modifiers else 'approx'}"
    modifiers = (kind, *(m for m in ends if m == "ftz"), "rsub" if negative else "add", *(m for m in ends if m == "sat"))
    return [*flips, replace(i, opcode="fused", modifiers=modifiers, operands=(i.operands[0], *factors, third))]
