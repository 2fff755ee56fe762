"""Where the compiler fuses a product into an addition or subtraction (facts/GPU_FLOAT.md 2; nvcc 13.0.88 on sm_75 … sm_120).

A product is fused into every use if all its uses are additions or subtractions: then its rounded value never exists. Where the facts
leave open which products are fused, the result is a `w_choice` or has a numbered site, and each combination is one admissible reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from devsem.expr import Expr, bits, const, mk, rebuild, show, topo
from devsem.profile import Profile
from devsem.rewrite import Choices, reciprocal_of_power

Fused = Literal["always", "perhaps", "never"]
SUMS = ("w_add", "w_sub")
TWO = const(2.0)
LARGE = 300              # nodes: LLVM may fuse across a long distance although the product has other uses
# the last step of these is a multiplication by a power of two
EXACT_SCALE = {"expf", "exp10f", "rcp"}
SMALLEST, LARGEST = 127 - 100, 127 + 100  # exponent fields of 2^-100 and 2^100


@dataclass(frozen=True)
class Sites:
    """Values with their contraction sites marked, the number of choices left open, and what was assumed on the way."""

    values: tuple[Expr, ...]
    choices: int
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Product:
    """A node that ends in a multiplication: of two factors, or the last step of the function of written row `w_<function>`."""

    base: Expr
    args: tuple[Expr, ...]
    function: str = ""

    @property
    def doubles(self) -> bool:
        """x*2.0f, which the compiler may emit as x+x."""
        return not self.function and any(a.is_const and a.value & 0x7FFFFFFF == TWO.value for a in self.args)


@dataclass(frozen=True)
class Term:
    """A product as the left or right operand of a sum, after its negations, with the sign it has there."""

    product: Product
    negative: bool
    left: bool


LN2, LOG10_2 = bits(0x3F317218), bits(0x3E9A209B)


def _of(row: str) -> Callable[[Expr, Profile], Product]:
    return lambda e, p: Product(e, e.args, row)


def _scaled_log(scale: Expr) -> Callable[[Expr, Profile], Product]:
    return lambda e, p: Product(e, (mk("w_fast_log2f", *e.args), scale))


def _quotient(e: Expr, p: Profile) -> Product | None:
    if p.division != "ieee":
        return Product(e, e.args, "div")
    power = reciprocal_of_power(e.args[1])
    return Product(e, (e.args[0], power)) if power else None


def _tangent(e: Expr, p: Profile) -> Product:
    return Product(e, (mk("w_fast_sinf", *e.args), mk("w_fast_cosf", *e.args)), "fast_fdividef")


def _chosen(e: Expr, p: Profile) -> Product | None:
    """`c ? x*y : x*z`, which the compiler may make `x * (c ? y : z)`: nvcc 13.0.88 emits FSEL and FFMA for a sum with it."""
    yes, no = (_plain(arm, p) for arm in e.args[1:])
    for x, y in (yes, yes[::-1]) if yes else ():
        for x2, z in (no, no[::-1]) if no else ():
            if x is x2:
                return Product(e, (x, mk("select", e.args[0], y, z)))
    return None


def _plain(e: Expr, p: Profile) -> tuple[Expr, Expr] | None:
    """The two factors of a product that ends in a multiplication of its own, through negations and choices."""
    if e.op == "w_neg":
        inner = _plain(e.args[0], p)
        return (inner[0], mk("w_neg", inner[1])) if inner else None
    made = Product(e, e.args) if e.op == "w_mul" else _quotient(e, p) if e.op == "w_div" else _chosen(e, p) if e.op == "select" else None
    return (made.args[0], made.args[1]) if made and not made.function else None


def _square(e: Expr, p: Profile) -> Product | None:
    """`fabsf(x*x)`, from which the compiler drops the absolute value."""
    factors = _plain(e.args[0], p)
    return Product(e, factors) if factors and factors[0] is factors[1] else None


# what the compiler may find to be a product although its last operation is another one
HIDDEN = ("select", "w_abs")


def _only(when: Callable[[Profile], bool], then: Callable[[Expr, Profile], Product | None]) -> Callable[[Expr, Profile], Product | None]:
    return lambda e, p: then(e, p) if when(p) else None


def _fast(p: Profile) -> bool:
    return p.libm == "fast"


def _accurate(p: Profile) -> bool:
    return p.libm == "accurate"


# GPU_FLOAT 2, 2.4, 8.3, and the same experiment for every function of ops.LIBM1, LIBM2 and INTRINSICS (a function not here ends otherwise)
PRODUCTS: dict[str, Callable[[Expr, Profile], Product | None]] = {
    "w_mul": lambda e, p: Product(e, e.args),
    "w_div": _quotient, "select": _chosen, "w_abs": _square,
    "w_rcp": _only(lambda p: not p.ftz, _of("rcp")),
    "w_fast_fdividef": _of("fast_fdividef"),
    "w_fast_tanf": _tangent, "w_tanf": _only(_fast, _tangent),
    "w_fast_logf": _scaled_log(LN2), "w_logf": _only(_fast, _scaled_log(LN2)),
    "w_fast_log10f": _scaled_log(LOG10_2), "w_log10f": _only(_fast, _scaled_log(LOG10_2)),
    "w_expf": _only(_accurate, _of("expf")), "w_exp10f": _only(_accurate, _of("exp10f")), "w_atanhf": _of("atanhf"),
}


class _Uses:
    """Who uses each node, and by that which products are fused."""

    def __init__(self, values: tuple[Expr, ...], profile: Profile) -> None:
        self.order = topo(*values)
        self.roots = set(values)
        self.users: dict[Expr, list[Expr]] = {}
        for node in self.order:
            for a in node.args:
                self.users.setdefault(a, []).append(node)
        products = {n: PRODUCTS[n.op](n, profile) for n in self.order if n.op in PRODUCTS}
        self.products = {n: p for n, p in products.items() if p is not None}
        self.kind = _kinds(self.order)
        alone = {n: self._fused(p) for n, p in self.products.items()}
        firm = Counter(self.kind[n] for n, f in alone.items() if f == "always")
        like = Counter(map(self.kind.__getitem__, alone))
        self.fused: dict[Expr, Fused] = {n: "perhaps" if f == "always" and firm[self.kind[n]] < like[self.kind[n]] else f for n, f in alone.items()}
        self.terms = {n: self._terms(n) for n in self.order if n.op in SUMS}
        self.shared = Counter(t.product.base for terms in self.terms.values() if len(terms) == 2 for t in terms)
        self.movable = _movable(self.order)

    def sums(self, node: Expr) -> tuple[list[tuple[Expr, bool]], bool]:
        """The sums that use a node, directly or negated, with the sign; and whether anything else uses it."""
        found: list[tuple[Expr, bool]] = []
        other = node in self.roots
        for user in self.users.get(node, []):
            if user.op in SUMS:
                found.append((user, user.op == "w_sub" and user.args[1] is node))
            elif user.op == "w_neg":
                below, more = self.sums(user)
                found += [(s, not negative) for s, negative in below]
                other = other or more
            else:
                other = True
        return found, other

    def _fused(self, product: Product) -> Fused:
        """By its own uses. A negated product may be another product to the compiler, with its own uses."""
        base = product.base
        uses, other = self.sums(base)
        if other or not uses:
            return "perhaps" if uses and (len(self.order) > LARGE or any(u.op == "w_neg" for u in self.users[base])) else "never"
        itself = {u.op for u, _ in uses if u.args[0] is u.args[1]}
        if base.op in HIDDEN or "w_sub" in itself or (itself and any(u.op == "w_sub" for u, _ in uses)):
            return "perhaps"
        return self._doubled(product, uses) if product.doubles else "always"

    def _doubled(self, product: Product, uses: list[tuple[Expr, bool]]) -> Fused:
        """x*2.0f is fused into additions only; otherwise it becomes x+x first. Negations turn additions into subtractions and back."""
        base = product.base
        others = [u.args[0] if u.args[1] is base else u.args[1] for u, _ in uses]
        if TWO not in product.args or any(a.op == "w_neg" for a in (*product.args, *others)) or not all(base in u.args for u, _ in uses):
            return "perhaps"
        if len(uses) <= 4 and all(not negative and (u.op == "w_add" or o.is_const) for (u, negative), o in zip(uses, others, strict=True)):
            return "always"
        return "never" if len(uses) == 1 and uses[0][0].op == "w_sub" else "perhaps"

    def _terms(self, node: Expr) -> tuple[Term, ...]:
        """The operands of a sum that may be fused into it, left first."""
        terms = [t for t in (self._term(node, True), self._term(node, False)) if t is not None]
        if len(terms) == 2 and terms[0].product.base is terms[1].product.base:
            return ()  # t+t is fused with an equal result, t-t is not fused
        return tuple(terms)

    def _term(self, node: Expr, left: bool) -> Term | None:
        operand, negative = node.args[0 if left else 1], node.op == "w_sub" and not left
        while operand.op == "w_neg":
            operand, negative = operand.args[0], not negative
        return Term(self.products[operand], negative, left) if self.fused.get(operand, "never") != "never" else None

    def certain(self, node: Expr) -> bool:
        """Is it known that a product is fused into this sum?"""
        terms = self.terms[node]
        if node in self.movable or any(self.fused[t.product.base] == "perhaps" for t in terms):
            return False
        if len(terms) == 1:
            return self.shared[terms[0].product.base] == 0
        return any(self.shared[t.product.base] == 1 for t in terms) and len({self.kind[t.product.base] for t in terms}) == 2


def _kinds(order: Iterable[Expr]) -> dict[Expr, int]:
    """A number for each node, the same for nodes that the compiler might find equal up to sign: it knows that `a*b` is `b*a`, and x/2 is x*0.5."""
    numbers: dict[tuple[object, ...], int] = {}
    out: dict[Expr, int] = {}

    def number(*key: object) -> int:
        return numbers.setdefault(key, len(numbers))

    def constant(e: Expr) -> int:
        return number("const", e.sort, e.value & 0x7FFFFFFF)

    for n in order:
        if n.is_const or n.is_var:
            out[n] = constant(n) if n.is_const else number("var", n.name)
        elif n.op == "w_neg":
            out[n] = out[n.args[0]]
        else:
            power = reciprocal_of_power(n.args[1]) if n.op == "w_div" else None
            args = [out[n.args[0]], constant(power)] if power else [out[a] for a in n.args]
            out[n] = number("w_mul" if power else "w_add" if n.op in SUMS else n.op, *sorted(args))
    return out


def _movable(order: Iterable[Expr]) -> set[Expr]:
    """Sums in like places of both arms of a select: the compiler may make `c ? a*b+d : e+d` into `(c ? a*b : e) + d`, unfused."""
    found: set[Expr] = set()
    seen: set[tuple[Expr, Expr]] = set()
    pairs = [(n.args[1], n.args[2]) for n in order if n.op == "select"]
    while pairs:
        yes, no = pairs.pop()
        like = yes.op == no.op or (yes.op in SUMS and no.op in SUMS)
        if yes is no or (yes, no) in seen or not like or not yes.args:
            continue
        seen.add((yes, no))
        if yes.op in SUMS:
            found |= {yes, no}
        pairs += [(a, b) for a in yes.args for b in no.args]
    return found


def _harmless(product: Product, other: Expr) -> bool:
    """Is f(x)+c the same fused or not? The last step of f is exact unless it over- or underflows, and then c decides alone."""
    exponent = other.value >> 23 & 0xFF if other.is_const else 0
    return product.function in EXACT_SCALE and SMALLEST <= exponent < LARGEST


def _fuse(term: Term, args: tuple[Expr, ...], plain: Expr) -> Expr:
    """The sum `plain` with one product fused into it."""
    other = plain.args[1 if term.left else 0]
    minus = plain.op == "w_sub" and term.left
    f = term.product.function
    if f:
        return mk(f"w_{f}_rsub" if term.negative else f"w_{f}_add", *args, mk("w_neg", other) if minus else other)
    if minus:
        return mk("w_mul_sub", mk("w_neg", args[0]) if term.negative else args[0], args[1], other)
    return mk("w_sub_mul" if term.negative else "w_mul_add", *args, other)


def _fuse_one_of(terms: tuple[Term, ...], args: list[tuple[Expr, ...]], plain: Expr, choices: Choices) -> Expr:
    """The sum of two products: either one is fused, and the other is rounded."""
    left, right = terms
    if left.product.function or right.product.function:
        return choices.either(_fuse(left, args[0], plain), _fuse(right, args[1], plain))
    (a, b), (c, d) = args
    if left.negative and right.negative:
        return mk("w_mul_add_mul", choices.site(), mk("w_neg", a), b, mk("w_neg", c), d)
    if left.negative:
        return mk("w_mul_sub_mul", choices.site(), c, d, a, b)
    return mk("w_mul_sub_mul" if right.negative else "w_mul_add_mul", choices.site(), a, b, c, d)


def sites(values: tuple[Expr, ...], profile: Profile, choices: Choices | None = None) -> Sites:
    """The values, where each use that the compiler contracts is a site; every value counts as stored. `choices` goes on counting."""
    choices = choices or Choices()
    uses = _Uses(values, profile)
    new: dict[Expr, Expr] = {}
    assumptions: dict[str, None] = {}

    def renewed(e: Expr) -> Expr:
        return new[e] if e in new else rebuild(e, tuple(map(renewed, e.args)))

    for node in uses.order:
        plain = rebuild(node, tuple(new[a] for a in node.args))
        terms = uses.terms.get(node, ())
        args = [tuple(map(renewed, t.product.args)) for t in terms]
        if len(terms) == 1 and _harmless(terms[0].product, node.args[1 if terms[0].left else 0]):
            name, other = terms[0].product.function, node.args[1 if terms[0].left else 0]
            assumptions[f"the device's {name} ends in a multiplication by a power of two (compiled, GPU_FLOAT 8.3), so a sum with {show(other)} "
                        "is the same fused or not"] = None
            new[node] = plain
        elif not terms:
            new[node] = plain
        else:
            fused = _fuse(terms[0], args[0], plain) if len(terms) == 1 else _fuse_one_of(terms, args, plain, choices)
            new[node] = fused if uses.certain(node) else choices.either(fused, plain)
    return Sites(tuple(new[v] for v in values), choices.count, tuple(assumptions))
