"""Why the compiler may fuse or fold a program's floats otherwise than its values show once loops are unrolled and memory is followed.

`lower.prepare` finds what a compiler does to an expression: which products it fuses, which constants it folds. The values of a concrete
launch are such expressions, but the compiler saw the program, in which a product computed in one turn of a loop and added in another is
no fused one, and a constant is perhaps none. Each doubt is a sentence; without one, the expressions show what the compiler saw.

>>> from devsem.expr import mk, var
>>> from devsem.program import Param, Store
>>> p_, x, i = var("p@0", F32), var("x@0", F32), BUILTINS[0]
>>> k = Program("k", (Param("x", "const float*"), Param("y", "float*")),
...     (Load(x, "x", i), Assign(p_, mk("w_mul", x, x)), Store("y", i, p_), Store("y", i, mk("w_add", p_, x))))
>>> print(*(d.text for d in doubts(k)))
: the product p@0 is added, and used otherwise too
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from devsem.contract import PRODUCTS, SUMS
from devsem.errors import Where
from devsem.expr import Expr, topo
from devsem.ops import F32
from devsem.profile import Profile
from devsem.program import BUILTINS, Assign, Barrier, If, Inline, Load, Loop, Program, Return, Shuffle, Statement, Store, expressions, target, walk

SIGNS = ("w_neg", "w_abs")
# operations whose result is the same whether the compiler knows that an operand is this constant or not; sums: unless it is a zero that it may drop
CONSTANT_DOES_NOT_MATTER = ("w_add", "w_sub", "w_min", "w_max", "w_lt", "w_le", "w_eq", "w_isnan", "w_isinf", "w_isfinite", "w_neg", "w_abs", "select")


def literals(program: Program) -> frozenset[Expr]:
    """Variables that are constants of the text: set once, by an assignment of constants and such variables. A parameter is set by the launch."""
    scalars = {q.expr for q in program.params if not q.is_buffer}
    sets: dict[Expr, list[Statement]] = {}
    for s in walk(program.body):
        v = target(s)
        if v is not None:
            sets.setdefault(v, []).append(s)
    once = {v: s.value for v, (s, *more) in sets.items() if not more and isinstance(s, Assign) and v not in scalars}
    found: set[Expr] = set()
    while new := [v for v, e in once.items() if v not in found and all(n in found for n in topo(e) if n.is_var)]:
        found.update(new)
    return frozenset(found)


@dataclass(frozen=True)
class Doubt:
    """A sentence, and the operations that it is about: products that may be fused, or (`constant`) operations of which an operand is perhaps
    a constant to the compiler, `added` where one is an operand of a sum."""

    text: str
    nodes: tuple[Expr, ...]
    constant: bool = False
    added: bool = False

    def applies(self, profile: Profile) -> bool:
        """Can it matter on a device with these flags? Where nothing is fused, flushed or approximated, it cannot."""
        if not self.constant:
            return profile.contract and any(PRODUCTS[n.op](n, profile) is not None for n in self.nodes)
        if not profile.rewrites:
            return False
        rounds_once = all(n.op in ("w_mul", "w_div", *SUMS) for n in self.nodes) and not profile.ftz and profile.division == "ieee"
        return not rounds_once or (self.added and profile.contract)


@dataclass(frozen=True)
class Use:
    """An expression in a statement; `block`: the number of the straight piece of code that it is in; `looped`: it is in a loop."""

    e: Expr
    where: Where
    block: int
    target: Expr | None
    looped: bool = False


def uses(program: Program) -> tuple[Use, ...]:
    """Every expression of the program; an inlined call is part of the code around it."""
    count = [0]

    def of(body: tuple[Statement, ...], block: int, result: Expr | None, looped: bool) -> Iterator[Use]:
        for s in body:
            goes_to = target(s) if isinstance(s, Assign) else result if isinstance(s, Return) else None
            yield from (Use(e, s.where, block, goes_to, looped) for e in expressions(s))
            if isinstance(s, Inline):
                yield from of(s.body, block, s.variable, looped)
            for part in (s.then, s.other) if isinstance(s, If) else (s.test, s.body, s.step) if isinstance(s, Loop) else ():
                count[0] += 1
                yield from of(part, count[0], result, looped or isinstance(s, Loop))
    return tuple(of(program.body, 0, None, False))


def copies(e: Expr) -> Iterator[Expr]:
    """What a value may be but for its sign: itself, or an arm of a choice."""
    if e.op in SIGNS:
        yield from copies(e.args[0])
    elif e.op == "select":
        yield from copies(e.args[1])
        yield from copies(e.args[2])
    else:
        yield e


@dataclass(frozen=True)
class Suspect:
    """A doubt, if the argument number `at` of an operation is a constant that the compiler may know."""

    doubt: Doubt
    operation: Expr
    at: int

    def raised(self, value: Expr) -> bool:
        """Is it, and does it matter?"""
        return value.op == "w_hold" and value.args[0].is_const and not _same_anyway(self.operation, self.at, value.args[0])


def doubts(program: Program) -> tuple[Doubt, ...]:
    """The reasons that the program's text gives; `threads.run` adds those of its memory, and of constants those that occur."""
    found = uses(program)
    return tuple(dict.fromkeys((*_variables(program, found), *_repeated(program, found), *_counted(program, found), *_unchanging(program))))


def _sum_operands(e: Expr) -> Iterator[Expr]:
    for n in topo(e):
        if n.op in SUMS:
            for a in n.args:
                yield from copies(a)


def _variables(program: Program, found: tuple[Use, ...]) -> Iterator[Doubt]:
    """Variables that hold a product: added, and more than that."""
    group: dict[Expr, Expr] = {}

    def root(v: Expr) -> Expr:
        while group.get(v, v) is not v:
            v = group[v]
        return v
    for u in found:
        for c in copies(u.e) if u.target is not None and u.e.sort == F32 else ():
            if c.is_var and u.target is not None:
                group[root(c)] = root(u.target)
    sets = Counter([u.target for u in found if u.target is not None] + [s.variable for s in walk(program.body) if isinstance(s, Load | Shuffle)])
    made = [(root(u.target), u) for u in found if u.target is not None and any(c.op in PRODUCTS for c in copies(u.e))]
    for v in dict.fromkeys(r for r, _ in made):
        blocks = {u.block for r, u in made if r is v}
        added, other = False, False
        for u in found:
            inner = [n for n in topo(u.e) if n.is_var and n.sort == F32 and root(n) is v]
            if not inner:
                continue
            in_sums = any(n.is_var and root(n) is v for n in _sum_operands(u.e))
            added = added or in_sums
            elsewhere = any(n.is_var and root(n) is v and user.op not in (*SUMS, *SIGNS, "select") for user in topo(u.e) for n in user.args)
            other = other or elsewhere or (u.e in inner and u.target is None)
            blocks |= {u.block} if in_sums else set()
        where = next(u.where for r, u in made if r is v)
        products = tuple(c for r, u in made if r is v for c in copies(u.e) if c.op in PRODUCTS)
        if added and other:
            yield Doubt(f"{where}: the product {v.name} is added, and used otherwise too", products)
        elif added and (len(blocks) > 1 or any(times > 1 and root(w) is v for w, times in sets.items())):
            yield Doubt(f"{where}: the product {v.name} is added in another piece of code than it is computed in", products)


def _repeated(program: Program, found: tuple[Use, ...]) -> Iterator[Doubt]:
    """Products of the same operands in two places, one of them added: the compiler may compute them once or twice, and fuse one or none.

    Within one piece of code operands are the same if buffer and index are; between two pieces, perhaps, if the buffers are. A loop that is
    unrolled is several pieces: x[j]*x[j] of a round is x[j-1]*x[j-1] of the next (nvcc 13.0.88 computes it once, and fuses it in some rounds)."""
    loads = {s.variable: s for s in walk(program.body) if isinstance(s, Load)}
    wide: dict[tuple[object, ...], set[int]] = {}
    narrow: dict[tuple[object, ...], set[bool]] = {}
    rounds: dict[tuple[object, ...], dict[tuple[object, ...], set[bool]]] = {}
    added: dict[tuple[object, ...], tuple[Where, Expr]] = {}
    for u in found:
        summed = set(_sum_operands(u.e))
        alone = {c for n in topo(u.e) if n.op in SUMS for a, b in (n.args, n.args[::-1]) if not any(x.op in PRODUCTS for x in copies(b)) for c in copies(a)}
        for n in topo(u.e):
            if n.op not in PRODUCTS or n.op in ("select", "w_abs"):
                continue
            leaves = [v for v in topo(n) if not v.args]
            buffers = (n.op, *sorted(loads[v].buffer if v in loads else v.name or str(v.value) for v in leaves))
            cells = (n.op, u.block, *sorted(f"{loads[v].buffer}[{loads[v].index.id}]" if v in loads else str(v.id) for v in leaves))
            wide.setdefault(buffers, set()).add(u.block)
            narrow.setdefault(cells, set()).add(n in summed)
            if u.looped:
                rounds.setdefault(buffers, {}).setdefault(cells, set()).add(n in alone)
            if n in summed:
                added[buffers] = added[cells] = u.where, n
    for key, (where, product) in added.items():
        again = rounds.get(key, {})
        if len(wide.get(key, ())) > 1 or len(narrow.get(key, ())) > 1 or (len(again) > 1 and any(False in kept for kept in again.values())):
            yield Doubt(f"{where}: the product that is added here is computed elsewhere too", (product,))


def _unchanging(program: Program) -> Iterator[Doubt]:
    """Products that are the same in every round of a loop and added in it: nvcc 13.0.88 computes them before the loop, and rounds them.

    An element that the loop itself stores, behind a barrier, may be another one in each round."""
    for loop in (s for s in walk(program.body) if isinstance(s, Loop)):
        inside = list(walk((*loop.test, *loop.body, *loop.step)))
        stored = {s.buffer for s in inside if isinstance(s, Store)} if any(isinstance(s, Barrier) for s in inside) else set()
        sets: dict[Expr, list[tuple[Expr, ...] | None]] = {}
        for s in inside:
            v = target(s)
            if v is not None:
                changes = isinstance(s, Shuffle) or (isinstance(s, Load) and s.buffer in stored)
                results = tuple(r.value for r in walk(s.body) if isinstance(r, Return) and r.value is not None) if isinstance(s, Inline) else expressions(s)
                sets.setdefault(v, []).append(None if changes else results)
        same: set[Expr] = set()

        def is_same(*of: Expr, sets: dict[Expr, list[tuple[Expr, ...] | None]] = sets, same: set[Expr] = same) -> bool:
            return all(v not in sets or v in same for v in topo(*of) if v.is_var)
        while new := [v for v, made in sets.items() if v not in same and all(m is not None and is_same(*m) for m in made)]:
            same.update(new)
        for s in inside:
            for product in (c for e in expressions(s) for c in _sum_operands(e) if c.op in PRODUCTS):
                if is_same(product):
                    yield Doubt(f"{s.where}: the product that is added here is the same in every round of the loop", (product,))


def _counted(program: Program, found: tuple[Use, ...]) -> Iterator[Doubt]:
    """Numbers of turns made floats: constants, if the compiler unrolls the loop."""
    known = {*BUILTINS, *literals(program), *_unassigned(program)}
    for u in found:
        for n, _, a in _operands(u.e):
            if "_to_f32_" in a.op and any(v.is_var and v not in known for v in topo(a)) and n.op not in CONSTANT_DOES_NOT_MATTER:
                yield _known(u, n, "an integer made a float")


def suspects(program: Program) -> dict[tuple[Where, Expr], tuple[Suspect, ...]]:
    """By place and variable: doubts that apply if the variable is a constant there, by the loop's first turn or through memory."""
    scalars = _unassigned(program)
    fixed = literals(program)
    found = uses(program)
    given = {u.target for u in found if u.target is not None and scalars & set(topo(u.e)) and all(v in scalars for v in topo(u.e) if v.is_var)}
    out: dict[tuple[Where, Expr], tuple[Suspect, ...]] = {}
    for u in found:
        for n, at, a in _operands(u.e):
            if a.is_var and a not in fixed and a not in scalars and a not in given and (n.op in SUMS or n.op not in CONSTANT_DOES_NOT_MATTER):
                out[u.where, a] = (*out.get((u.where, a), ()), Suspect(_known(u, n, a.name), n, at))
    return out


def _unassigned(program: Program) -> set[Expr]:
    """The scalar parameters that keep what the launch gives."""
    return {q.expr for q in program.params if not q.is_buffer} - {target(s) for s in walk(program.body)}


def _operands(e: Expr) -> Iterator[tuple[Expr, int, Expr]]:
    """Operations with the number of each argument that is a float."""
    return ((n, at, a) for n in topo(e) for at, a in enumerate(n.args) if a.sort == F32)


def _known(u: Use, n: Expr, name: str) -> Doubt:
    return Doubt(f"{u.where}: the compiler may know that {name} is a constant here, if it unrolls a loop", (n,), True, n in set(_sum_operands(u.e)))


def _same_anyway(n: Expr, at: int, value: Expr) -> bool:
    """Is the result the same whether the compiler knows the constant or not? A zero may be dropped from a sum: x + -0, x - 0, -0 - x."""
    if n.op not in SUMS:
        return n.op in CONSTANT_DOES_NOT_MATTER
    return value.value != (0 if n.op == "w_sub" and at == 1 else 0x80000000)
