"""Questions about integers, asked of z3. The only file that imports z3.

A product of atoms is a name of its own to the linear question, with the lemmas that the caller gives; the exact question multiplies. A
`yes` (no values exist) to the linear question holds for products too.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

import z3

from devsem.gate_poly import Formula, Monomial, Poly

MEGABYTES = 1800


@dataclass
class Facts:
    """What is assumed, in scopes. Answers are about all facts of the open scopes together."""

    deadline: float
    solver: Any = field(default_factory=z3.SimpleSolver)
    memo: dict[Formula, Any] = field(default_factory=dict)
    terms: dict[tuple[Monomial, int], Any] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        z3.set_param("memory_max_size", MEGABYTES)

    def push(self) -> None:
        """Open a scope."""
        self.solver.push()

    def pop(self) -> None:
        """Forget the facts of the innermost scope."""
        self.solver.pop()

    def add(self, facts: Iterable[Formula]) -> None:
        """Assume more."""
        for f in facts:
            self.solver.add(self._formula(f))

    def refutes(self, *more: Formula, seconds: float) -> bool:
        """Is it sure that the facts and `more` hold for no integers?"""
        left = min(seconds, self.deadline - time.monotonic())
        if left <= 0.01:
            return False
        self.solver.set("timeout", int(left * 1000))
        self.solver.push()
        try:
            self.add(more)
            return bool(self.solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False
        finally:
            self.solver.pop()

    def exactly(self, *more: Formula, seconds: float) -> Literal["none", "unknown"] | dict[str, int]:
        """The same question with true products: values of the atoms, that there are `none`, or `unknown`."""
        left = min(seconds, self.deadline - time.monotonic())
        if left <= 0.01:
            return "unknown"
        exact = z3.Solver()
        exact.set("timeout", int(left * 1000))
        exact.add(*self.solver.assertions())
        exact.add(*(self._formula(f) for f in more))
        for name in self.names:
            if "*" in name:
                exact.add(z3.Int(name) == z3.Product(*(z3.Int(a) for a in name.split("*"))))
        try:
            answer = exact.check()
        except z3.Z3Exception:
            return "unknown"
        if answer == z3.unsat:
            return "none"
        if answer != z3.sat:
            return "unknown"
        model = exact.model()
        return {str(d.name()): _number(model[d]) for d in model.decls() if d.arity() == 0}

    def possible(self, *more: Formula, seconds: float) -> bool:
        """Is it sure that values exist for which the facts and `more` hold?"""
        return isinstance(self.exactly(*more, seconds=seconds), dict)

    def _formula(self, f: Formula) -> Any:
        if f not in self.memo:
            self.memo[f] = self._made(f)
        return self.memo[f]

    def _made(self, f: Formula) -> Any:
        match f.kind:
            case "le":
                return self._poly(f.poly) <= 0
            case "eq":
                return self._poly(f.poly) == 0
            case "atom":
                return z3.Bool(f.name)
            case "not":
                return z3.Not(self._formula(f.parts[0]))
            case "and":
                return z3.And([self._formula(p) for p in f.parts])
            case "or":
                return z3.Or([self._formula(p) for p in f.parts])

    def _poly(self, p: Poly) -> Any:
        """As `z3.Sum` of products would be, without z3's conversions, which cost more than its answers."""
        terms = [self._term(m, c) for m, c in p.terms]
        if len(terms) == 1:
            return terms[0]
        context = terms[0].ctx
        return z3.ArithRef(z3.Z3_mk_add(context.ref(), len(terms), (z3.Ast * len(terms))(*(t.as_ast() for t in terms))), context)

    def _term(self, m: Monomial, c: int) -> Any:
        self.names.update(("*".join(m), *m) if m else ())
        if (m, c) not in self.terms:
            self.terms[m, c] = z3.IntVal(c) if not m else z3.Int("*".join(m)) if c == 1 else c * z3.Int("*".join(m))
        return self.terms[m, c]


def _number(value: Any) -> int:
    return int(value.as_long()) if z3.is_int_value(value) else int(z3.is_true(value))
