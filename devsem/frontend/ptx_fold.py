"""What the assembler knows to be constant in a PTX function: comparisons of two constants, what they decide, and the code that is never reached.

`powf(x, 2.0f)` asks of its exponent whether it is odd; the machine code has the answer alone. Only what is the same for every input is left out,
so the function computes what it did.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from devsem.frontend.ptx_ast import Function, Immediate, Instruction, Label, Operand, Pair, Register, Symbol
from devsem.frontend.ptx_flow import Flow, registers, targets

SIGN, MIN_NORMAL, INF = 0x80000000, 0x00800000, 0x7F800000
CONNECTIVES: Mapping[str, Callable[[bool, bool], bool]] = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
ABSORBS = {"and": False, "or": True}
ORDERED: Mapping[str, Callable[[float, float], bool]] = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq,
                                                         "ltu": operator.lt, "leu": operator.le, "gtu": operator.gt, "geu": operator.ge,
                                                         "equ": operator.eq, "neu": operator.ne, "ne": operator.ne}
Pattern = Callable[[Operand, int], int | None]
Statement = Instruction | Label


def folded(function: Function, pattern: Pattern) -> Function:
    """The function without what constants decide. `pattern` gives the bits of an f32 operand of the statement at an index, where it is constant."""
    known = _predicates(Flow(function), pattern)
    if not known:
        return function
    body = tuple(s if isinstance(s, Label) else _decided(s, known) for s in function.body)
    return replace(function, body=_without_idle(_reachable(tuple(s for s in body if s is not None))))


def compare(kind: str, a: int, b: int, ftz: bool) -> bool | None:
    """A comparison of two numbers, both given by their bits; None for a NaN, and for a subnormal number that is flushed."""
    if kind not in ORDERED or any(x & ~SIGN > INF or (ftz and 0 < x & ~SIGN < MIN_NORMAL) for x in (a, b)):
        return None
    x, y = np.array([a, b], dtype=np.uint32).view(np.float32).astype(np.float64)
    return bool(ORDERED[kind](float(x), float(y)))


def _predicates(flow: Flow, pattern: Pattern) -> dict[str, bool]:
    """The predicates that have one value whenever they are read: each with a single definition, and that unguarded."""
    known: dict[str, bool] = {}

    def value(o: Operand) -> bool | None:
        if isinstance(o, Pair) and o.second is None and o.negated:
            inner = known.get(o.first.name)
            return None if inner is None else not inner
        return known.get(o.name) if isinstance(o, Register) else None

    for n, i in flow.instructions():
        target = i.operands[0] if i.operands else None
        if not isinstance(target, Register) or flow.single(target.name) != n:
            continue
        found: bool | None = None
        if i.opcode == "setp" and i.modifiers[-1] == "f32" and len(i.modifiers) == 2 + ("ftz" in i.modifiers) and len(i.operands) == 3:
            a, b = pattern(i.operands[1], n), pattern(i.operands[2], n)
            found = None if a is None or b is None else compare(i.modifiers[0], a, b, "ftz" in i.modifiers)
        elif i.opcode in CONNECTIVES and i.modifiers == ("pred",):
            values = [value(o) for o in i.operands[1:]]
            if ABSORBS.get(i.opcode) in values and i.opcode in ABSORBS:
                found = ABSORBS[i.opcode]
            elif len(values) == 2 and values[0] is not None and values[1] is not None:
                found = CONNECTIVES[i.opcode](values[0], values[1])
        elif i.opcode == "not" and i.modifiers == ("pred",):
            inner = value(i.operands[1])
            found = None if inner is None else not inner
        if found is not None:
            known[target.name] = found
    return known


def _decided(i: Instruction, known: Mapping[str, bool]) -> Instruction | None:
    """The instruction without a guard or a selection that is known; None where it never happens."""
    if i.predicate is not None and i.predicate.name in known:
        return replace(i, predicate=None, negated=False) if known[i.predicate.name] != i.negated else None
    chooses = i.opcode == "selp" and len(i.operands) == 4 and isinstance(i.operands[3], Register) and i.operands[3].name in known
    if chooses and isinstance(i.operands[3], Register):
        return replace(i, opcode="mov", operands=(i.operands[0], i.operands[1 if known[i.operands[3].name] else 2]))
    return i


def _reachable(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The statements that some path from the first one reaches."""
    labels = {s.name: n for n, s in enumerate(body) if isinstance(s, Label)}
    seen: set[int] = set()
    work = [0]
    while work:
        n = work.pop()
        if n in seen or n >= len(body):
            continue
        seen.add(n)
        s = body[n]
        if isinstance(s, Label) or s.opcode not in ("bra", "ret", "exit") or s.predicate is not None:
            work.append(n + 1)
        if isinstance(s, Instruction) and s.opcode in ("bra", "brx"):
            work += [labels[o.name] for o in s.operands if isinstance(o, Symbol) and o.name in labels]
        if isinstance(s, Instruction) and s.opcode == "brx":
            work += list(labels.values())
    return tuple(s for n, s in enumerate(body) if n in seen)


def _without_idle(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Without the branches over nothing but moves that were made just before."""
    idle = {n for n, s in enumerate(body) if isinstance(s, Instruction) and s.opcode == "bra" and s.predicate is not None and _is_idle(body, n, s)}
    return tuple(s for n, s in enumerate(body) if n not in idle)


def _is_idle(body: tuple[Statement, ...], at: int, branch: Instruction) -> bool:
    """Does this branch end at a label that stands behind moves which change nothing, and comparisons that nothing there uses?"""
    held: dict[str, Operand] = {}
    start = max((n + 1 for n in range(at) if isinstance(body[n], Label)), default=0)
    for s in body[start:at]:
        if isinstance(s, Instruction):
            held = _after(held, s)
    uses = [name for s in body if isinstance(s, Instruction) for o in (*s.operands[1:], s.predicate) if o is not None for name in registers(o)]
    target = branch.operands[-1]
    for s in body[at + 1:]:
        if isinstance(s, Label):
            return isinstance(target, Symbol) and s.name == target.name
        made = s.operands[0] if s.operands else None
        again = s.opcode == "mov" and isinstance(made, Register) and held.get(made.name) == s.operands[1]
        if s.predicate is not None or not (again or (s.opcode in ("setp", "neg") and isinstance(made, Register) and made.name not in uses)):
            return False
    return False


def _after(held: Mapping[str, Operand], s: Instruction) -> dict[str, Operand]:
    """Which register holds which other or which constant, after one more instruction."""
    written = set(targets(s))
    left = {r: o for r, o in held.items() if r not in written and not (isinstance(o, Register) and o.name in written)}
    if s.opcode == "mov" and s.predicate is None and isinstance(s.operands[0], Register) and isinstance(s.operands[1], (Register, Immediate)):
        left[s.operands[0].name] = s.operands[1]
    return left
