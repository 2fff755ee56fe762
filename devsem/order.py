"""What the order facts of a branch imply: a graph of proved `lt` and `le` between terms, searched with proofs.

Off NaN the order is total, so a false comparison of two numbers is a true one the other way. Edges between constants, to the
infinities and from zero to an absolute value need no fact.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from devsem.expr import Expr, mk
from devsem.lemmas import INF, LEMMAS, NAN, NINF, NZERO, ZERO, A
from devsem.scope import FALSE, TRUE, Contradiction, Edge, Scope, evaluate_closed
from devsem.term import Argument, Function, Use

ORDER = ("lt", "le", "eq")
CHAIN = {(True, True): "Fp.lt_trans", (True, False): "Fp.lt_of_lt_of_le", (False, True): "Fp.lt_of_le_of_lt", (False, False): "Fp.le_trans"}

# operations whose result is NaN exactly where their argument is, and the lemma that says so
SAME_NAN = {m.lhs.args[0].op: m.lean for m in LEMMAS.values() if m.lean.startswith("Fp.isNan_") and m.rhs.op == "is_nan" and not m.given
            and m.lhs.args[0].args == (A,)}


def not_nan(scope: Scope, e: Expr) -> str | None:
    """A step `is_nan e = false`, if it is known without rewriting `e`."""
    claim = mk("is_nan", e)
    if e.is_const:
        return None if e is NAN else scope.refl(claim, FALSE)
    fact = scope.facts.get(claim)
    if fact is not None:
        return None if fact[0] else fact[1]
    if e.op in SAME_NAN:
        inner = not_nan(scope, e.args[0])
        if inner is None:
            return None
        moved = scope.step(claim, mk("is_nan", e.args[0]), SAME_NAN[e.op], e.args[0])
        return scope.trans(claim, moved, mk("is_nan", e.args[0]), inner, FALSE)
    for out in scope.edges.values():
        for edge in out:
            if e in (edge.source, edge.target):
                return _number(scope, e, edge)
    return None


def _number(scope: Scope, e: Expr, edge: Edge) -> str:
    side, op = ("left" if edge.source is e else "right"), ("lt" if edge.strict else "le")
    return scope.step(mk("is_nan", e), FALSE, f"Fp.notNan_{side}_of_{op}", edge.source, edge.target, Use(edge.proof))


def _edges(scope: Scope, node: Expr, goal: Expr) -> Iterator[Edge]:
    yield from scope.edges.get(node, ())
    zeros = (ZERO, NZERO) if any(n.op == "neg" for n in (*scope.edges, goal)) else ()
    nodes = dict.fromkeys((*scope.edges, goal, *zeros))
    if node.is_const:
        if node is NAN:
            return
        for other in nodes:
            if other.is_const and other is not node:
                for op in ("lt", "le"):
                    if evaluate_closed(mk(op, node, other)) is TRUE:
                        yield Edge(node, other, op == "lt", scope.refl(mk(op, node, other), TRUE))
                        break
    yield from _opposites(scope, node, nodes)
    for other in nodes:
        at = (node, other)
        lemma, term = (("F32.le_inf", node) if other is INF else ("F32.negInf_le", other) if node is NINF else
                       ("F32.zero_le_abs", other.args[0]) if node is ZERO and other.op == "abs" else ("", node))
        if lemma and node is not other and not (node.is_const and other.is_const):
            number = not_nan(scope, term)
            if number is not None:
                yield Edge(node, other, False, scope.step(mk("le", *at), TRUE, lemma, term, Use(number)))


def _opposites(scope: Scope, node: Expr, nodes: Iterable[Expr]) -> Iterator[Edge]:
    """`a` below `b` is `-b` below `-a`: edges from a negation, and to one."""
    if node.op == "neg":
        for out in list(scope.edges.values()):
            for edge in out:
                if edge.target is node.args[0]:
                    yield _mirrored(scope, edge)
    for other in nodes:
        if other.op == "neg" and other is not node:
            for edge in list(scope.edges.get(other.args[0], ())):
                if opposite(edge.target) is node:
                    yield _mirrored(scope, edge)


def opposite(e: Expr) -> Expr:
    """The normal form of a negation."""
    return e.args[0] if e.op == "neg" else evaluate_closed(mk("neg", e)) or mk("neg", e)


def _mirrored(scope: Scope, edge: Edge) -> Edge:
    """The edge between the opposites. Where an opposite is a constant or loses a double negation, it is equal by computation or by `neg_neg`."""
    op, a, b = ("lt" if edge.strict else "le"), edge.source, edge.target
    left, right = opposite(b), opposite(a)
    claim = mk(op, left, right)
    if b.op == "neg" or a.op == "neg":
        exact = mk(op, mk("neg", b), mk("neg", a))
        first = scope.step(exact, TRUE, "Eq.trans", Use(scope.step(exact, mk(op, a, b), f"Fp.{op}_neg_neg", b, a)), Use(edge.proof))
        sides: list[Argument] = [Use(scope.step(mk("neg", x), y, "Fp.neg_neg", y)) if x.op == "neg" else "rfl" for x, y in ((b, left), (a, right))]
        moved = scope.step(exact, claim, "congrArg2", Function(op), *sides)
        return Edge(left, right, edge.strict, scope.step(claim, TRUE, "Eq.trans", Use(scope.step(claim, exact, "Eq.symm", Use(moved))), Use(first)))
    moved = scope.step(claim, mk(op, a, b), f"Fp.{op}_neg_neg", b, a)
    return Edge(left, right, edge.strict, scope.step(claim, TRUE, "Eq.trans", Use(moved), Use(edge.proof)))


def path(scope: Scope, a: Expr, b: Expr, strict: bool) -> str | None:
    """A step `lt a b = true` (strict) or `le a b = true` by a path of edges, or None. A strict path also serves for `le`."""
    start = (a, False)
    came: dict[tuple[Expr, bool], tuple[tuple[Expr, bool], Edge] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        node, is_strict = state
        if node is b and came[state] is not None and (is_strict or not strict):
            break
        for edge in _edges(scope, node, b):
            following = (edge.target, is_strict or edge.strict)
            if following not in came:
                came[following] = (state, edge)
                queue.append(following)
    else:
        return None
    chain: list[Edge] = []
    at = state
    while (link := came[at]) is not None:
        at, edge = link
        chain.append(edge)
    chain.reverse()
    proof, reached = chain[0].proof, chain[0].strict
    for edge in chain[1:]:
        both = (reached, edge.strict)
        reached = reached or edge.strict
        claim = mk("lt" if reached else "le", a, edge.target)
        proof = scope.step(claim, TRUE, CHAIN[both], a, edge.source, edge.target, Use(proof), Use(edge.proof))
    if reached and not strict:
        proof = scope.step(mk("le", a, b), TRUE, "Fp.le_of_lt", a, b, Use(proof))
    return proof


def prove_true(scope: Scope, atom: Expr) -> str | None:
    """A step `atom = true` from the graph."""
    a, b = atom.args
    if atom.op in ("lt", "le"):
        return path(scope, a, b, atom.op == "lt")
    up = path(scope, a, b, False)
    down = up and path(scope, b, a, False)
    return scope.step(atom, TRUE, "Fp.eq_of_le_le", a, b, Use(up), Use(down)) if up and down else None


def prove_false(scope: Scope, atom: Expr) -> str | None:
    """A step `atom = false` from the graph."""
    a, b = atom.args
    if atom.op == "eq":
        for lemma, ends in (("Fp.eq_false_of_lt", (a, b)), ("Fp.eq_false_of_gt", (b, a))):
            way = path(scope, *ends, True)
            if way:
                return scope.step(atom, FALSE, lemma, a, b, Use(way))
        return None
    back = path(scope, b, a, atom.op == "le")
    lemma = "Fp.lt_false_of_le" if atom.op == "lt" else "Fp.le_false_of_lt"
    return scope.step(atom, FALSE, lemma, a, b, Use(back)) if back else None


def decide(scope: Scope, atom: Expr) -> tuple[Expr, str] | None:
    """The value of an order atom or of `is_nan`, when the graph decides it."""
    if atom.op == "is_nan":
        number = not_nan(scope, atom.args[0])
        return (FALSE, number) if number else None
    if atom.op not in ORDER or all(a.is_const for a in atom.args):
        return None
    if atom.args[0] not in scope.edges and not atom.args[0].is_const and atom.args[1] not in scope.edges:
        return None
    yes = prove_true(scope, atom)
    if yes:
        return TRUE, yes
    no = prove_false(scope, atom)
    return (FALSE, no) if no else None


def learn(scope: Scope, atom: Expr, value: bool, proof: str) -> None:
    """Put an order fact into the graph; a false comparison waits until both sides are known to be numbers."""
    a, b = atom.args
    if not value:
        if atom.op != "eq":
            scope.waiting.append(atom)
        return
    if atom.op == "eq":
        scope.add_edge(a, b, False, scope.step(mk("le", a, b), TRUE, "Fp.le_of_eq", a, b, Use(proof)))
        scope.add_edge(b, a, False, scope.step(mk("le", b, a), TRUE, "Fp.ge_of_eq", a, b, Use(proof)))
        return
    scope.add_edge(a, b, atom.op == "lt", proof)


def wake(scope: Scope, number: Callable[[Scope, Expr], str | None]) -> bool:
    """Turn waiting false comparisons of two numbers into edges; says whether any was. `number` finds a step `is_nan e = false`."""
    moved = False
    for atom in list(scope.waiting):
        a, b = atom.args
        left = number(scope, a)
        right = left and number(scope, b)
        if not left or not right:
            continue
        scope.waiting.remove(atom)
        op, lemma = ("le", "Fp.le_of_not_lt") if atom.op == "lt" else ("lt", "Fp.lt_of_not_le")
        fact = scope.facts[atom][1]
        scope.add_edge(b, a, op == "lt", scope.step(mk(op, b, a), TRUE, lemma, a, b, Use(left), Use(right), Use(fact)))
        moved = True
    return moved


def check(scope: Scope) -> None:
    """Raise `Contradiction` when the graph refutes a fact of the branch."""
    for atom, (value, proof) in list(scope.facts.items()):
        if atom.op == "is_nan":
            if value:
                for out in scope.edges.values():
                    for edge in out:
                        if atom.args[0] in (edge.source, edge.target):
                            number = _number(scope, atom.args[0], edge)
                            raise Contradiction(proof, number)
            continue
        if atom.op not in ORDER:
            continue
        other = prove_false(scope, atom) if value else prove_true(scope, atom)
        if other:
            raise Contradiction(*((proof, other) if value else (other, proof)))

