"""One-edit mutants of a CUDA text, by its syntax tree: what a person gets wrong in a kernel.

Each rule looks at one cursor and gives edits (kind, first byte, last byte, replacement). The corpus is ASCII, so bytes are characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from devsem.frontend.cuda_clang import binary, children, in_text, kind, literal, parse, type_kind
from devsem.frontend.cuda_source import read

Cursor = Any
Edit = tuple[str, int, int, str]
COMPARE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
BOUNDS = ("fminf", "fmaxf", "min", "max", "fmin", "fmax")
FLOATS = ("FLOAT", "DOUBLE")


@dataclass(frozen=True)
class Mutant:
    """A changed text, and what was changed where."""

    kind: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.kind} in line {self.line}"


@dataclass(frozen=True)
class Text:
    """The text, by cursor."""

    text: str

    def span(self, cursor: Cursor) -> tuple[int, int]:
        """Where a cursor begins and ends."""
        return cursor.extent.start.offset, cursor.extent.end.offset

    def of(self, cursor: Cursor) -> str:
        """A cursor's text."""
        start, end = self.span(cursor)
        return self.text[start:end]


def bare(cursor: Cursor) -> Cursor:
    """Below parentheses and conversions that the compiler adds."""
    while kind(cursor) in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(children(cursor)) == 1:
        cursor = children(cursor)[0]
    return cursor


def is_float(cursor: Cursor) -> bool:
    """Is it a floating-point expression?"""
    return type_kind(cursor.type) in FLOATS


def operators(t: Text, c: Cursor) -> Iterator[Edit]:
    """Operands of - and / exchanged, < for <=, a*b+c as one fmaf."""
    if kind(c) != "BINARY_OPERATOR":
        return
    (left, right), op, (start, end) = children(c), binary(c), t.span(c)
    if op in ("-", "/") and is_float(c):
        yield f"operands of {op} exchanged", start, end, f"(({t.of(right)}) {op} ({t.of(left)}))"
    if op in COMPARE:
        what = "compare" if is_float(left) or is_float(right) else "index guard"
        yield f"{what} {op} to {COMPARE[op]}", t.span(left)[1], t.span(right)[0], f" {COMPARE[op]} "
    if op == "+" and is_float(c):
        for product, other in ((bare(left), right), (bare(right), left)):
            if kind(product) == "BINARY_OPERATOR" and binary(product) == "*":
                a, b = children(product)
                yield "product and sum fused", start, end, f"fmaf({t.of(a)}, {t.of(b)}, {t.of(other)})"


def constants(t: Text, c: Cursor) -> Iterator[Edit]:
    """A constant one unit in the last place up or down."""
    if kind(c) == "FLOATING_LITERAL":
        value = np.float32(literal(c))
        for to in (np.float32(np.inf), np.float32(-np.inf)):
            near = float(np.nextafter(value, to))
            yield f"constant {float(value)!r} to {near!r}", *t.span(c), f"({near.hex()}f)"


def guards(t: Text, c: Cursor) -> Iterator[Edit]:
    """An `if` that always or never holds, its branches exchanged."""
    if kind(c) != "IF_STMT":
        return
    condition, yes, *no = children(c)
    what = "bounds check" if not any(is_float(x) for x in condition.walk_preorder()) else "guard"
    yield f"{what} dropped", *t.span(condition), "false" if kind(yes) == "RETURN_STMT" else "true"
    if no:
        (start, middle), (after, end) = t.span(yes), t.span(no[0])
        yield "branches exchanged", start, end, t.of(no[0]) + t.text[middle:after] + t.of(yes)


def choices(t: Text, c: Cursor) -> Iterator[Edit]:
    """A ternary's arms exchanged, or one of them always taken."""
    if kind(c) == "CONDITIONAL_OPERATOR":
        condition, yes, no = children(c)
        yield "arms exchanged", *t.span(c), f"(({t.of(condition)}) ? ({t.of(no)}) : ({t.of(yes)}))"
        yield "first arm always", *t.span(c), f"({t.of(yes)})"
        yield "second arm always", *t.span(c), f"({t.of(no)})"


def clamps(t: Text, c: Cursor) -> Iterator[Edit]:
    """A minimum or maximum dropped."""
    if kind(c) == "CALL_EXPR" and c.spelling in BOUNDS:
        for argument in c.get_arguments():
            yield f"{c.spelling} dropped", *t.span(c), f"({t.of(argument)})"


RULES: tuple[Callable[[Text, Cursor], Iterator[Edit]], ...] = (operators, constants, guards, choices, clamps)


def mutants(path: str, text: str) -> list[Mutant]:
    """Every mutant of a text, each once."""
    t = Text(text)
    found: dict[str, Mutant] = {}
    for cursor in parse(read(path, text)).cursor.walk_preorder():
        if not in_text(cursor):
            continue
        for rule in RULES:
            for what, start, end, new in rule(t, cursor):
                changed = text[:start] + new + text[end:]
                if changed != text:
                    found.setdefault(changed, Mutant(what, text.count("\n", 0, start) + 1, changed))
    return list(found.values())
