"""Expressions as SMT-LIB text, and bitwuzla on that text. The only file that imports bitwuzla.

One definition per shared node, so the text grows with the graph and not with the tree. Obligations are uninterpreted functions.
An answer is a hint: `Sat` carries candidate inputs, `Unsat` proves nothing here; only Lean's kernel proves.

>>> from devsem.expr import F32, mk, var
>>> x = var("x", F32)
>>> check_sat([mk("not", mk("le", x, x))], seconds=10)
Sat(model={x: 2143289344})
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bitwuzla

from devsem.expr import WIDTH, Expr, topo, variables
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

SORT: dict[Sort, str] = {F32: "(_ FloatingPoint 8 24)", BOOL: "Bool", B32: "(_ BitVec 32)", B64: "(_ BitVec 64)"}
NAN_BITS = 0x7FC00000
MEGABYTES = 4096


@dataclass(frozen=True)
class Sat:
    """There is a model: bit patterns of the variables (a NaN is 0x7fc00000); variables that no assertion mentions are absent."""

    model: dict[Expr, int]


@dataclass(frozen=True)
class Unsat:
    """bitwuzla finds no model."""


@dataclass(frozen=True)
class Unknown:
    """No answer, and why."""

    reason: str


Answer = Sat | Unsat | Unknown


def quoted(name: str) -> str:
    """A name as an SMT-LIB symbol."""
    if "|" in name or "\\" in name:
        raise ValueError(f"not an SMT-LIB symbol: {name}")
    return f"|{name}|"


def symbol(variable: Expr) -> str:
    """A variable's symbol; the space keeps it apart from every word of SMT-LIB, which `|let|` would not be to bitwuzla."""
    return quoted(f"var {variable.name}")


def constant(node: Expr) -> str:
    """A constant as SMT-LIB text."""
    if node.sort == BOOL:
        return "true" if node.value else "false"
    if node.sort != F32:
        return f"(_ bv{node.value} {WIDTH[node.sort]})"
    if node.value & 0x7FFFFFFF > 0x7F800000:
        return "(_ NaN 8 24)"
    pattern = f"{node.value:032b}"
    return f"(fp #b{pattern[0]} #b{pattern[1:9]} #b{pattern[9:]})"


def to_smt(assertions: Sequence[Expr], distinct: Sequence[tuple[Expr, Expr]] = ()) -> str:
    """The script: every assertion holds, and the two sides of every `distinct` pair differ in bits, NaNs taken as one."""
    roots = [*assertions, *(side for pair in distinct for side in pair)]
    name: dict[Expr, str] = {}
    lines = ["(set-logic ALL)"]
    nodes = topo(*roots)
    lines += [f"(declare-const {symbol(v)} {SORT[v.sort]})" for v in nodes if v.is_var]
    for row in sorted({n.op for n in nodes if not (n.is_var or n.is_const) and OPS[n.op].kind == "obligation"}):
        lines.append(f"(declare-fun {quoted(row)} ({' '.join(SORT[s] for s in OPS[row].args)}) {SORT[OPS[row].out]})")
    for i, node in enumerate(nodes):
        if node.is_const or node.is_var:
            name[node] = constant(node) if node.is_const else symbol(node)
            continue
        op, args = OPS[node.op], [name[a] for a in node.args]
        if op.kind == "written":
            raise ValueError(f"{node.op} has no meaning before a profile lowers it")
        term = op.smt.format(*args) if op.smt else f"({quoted(node.op)} {' '.join(args)})"
        name[node] = f"n!{i}"
        lines.append(f"(define-fun {name[node]} () {SORT[node.sort]} {term})")
    lines += [f"(assert {name[a]})" for a in assertions]
    lines += [f"(assert (not (= {name[a]} {name[b]})))" for a, b in distinct]
    return "\n".join(lines) + "\n"


def _pattern(value: str | list[str] | bool) -> int:
    """bitwuzla's value of a term, in base 2, as a bit pattern."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return int(value, 2)
    pattern = int("".join(value), 2)
    return NAN_BITS if pattern & 0x7FFFFFFF > 0x7F800000 else pattern


@dataclass
class _Clock:
    """Says when so many seconds of this process's own time have passed."""

    deadline: float

    def __call__(self) -> bool:
        return time.process_time() > self.deadline


def solve(text: str, seconds: float, own_time: bool = False) -> dict[str, int] | Unsat | Unknown:
    """Run bitwuzla on a script without commands; a model as patterns by symbol. The limit is on time, or on this process's own (CPU) time."""
    if seconds <= 0:
        return Unknown("no time left for the solver")
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    if not own_time:
        options.set(bitwuzla.Option.TIME_LIMIT_PER, max(1, int(seconds * 1000)))
    options.set(bitwuzla.Option.MEMORY_LIMIT, MEGABYTES)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, True, False)
    solver: Any = parser.bitwuzla()
    if own_time:
        solver.configure_terminator(_Clock(time.process_time() + seconds))
    result = solver.check_sat()
    if result == bitwuzla.Result.UNSAT:
        return Unsat()
    if result != bitwuzla.Result.SAT:
        return Unknown(f"bitwuzla gave no answer in {seconds:g} s")
    return {f.symbol(): _pattern(solver.get_value(f).value(2)) for f in parser.get_declared_funs() if not f.sort().is_fun()}


def check_sat(assertions: Sequence[Expr], seconds: float, distinct: Sequence[tuple[Expr, Expr]] = (), own_time: bool = False) -> Answer:
    """Whether all assertions (BOOL) can hold while each `distinct` pair differs; the limit is on time, or on this process's own (CPU) time."""
    found = solve(to_smt(assertions, distinct), seconds, own_time)
    if not isinstance(found, dict):
        return found
    roots = [*assertions, *(side for pair in distinct for side in pair)]
    return Sat({v: found[symbol(v)] for v in variables(*roots)})
