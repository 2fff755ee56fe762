"""Reads straight-line SASS, as nvdisasm prints it, into exact expressions: the compiler's own account of a kernel, to compare with ours.

>>> from devsem.expr import var
>>> read("FMUL t1, a, b; FADD.FTZ t2, -|c|, t1; ->t2", {n: var(n, F32) for n in "abc"})
(ftz(add_rn(ftz(neg(abs(c))), ftz(mul_rn(a, b)))),)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from devsem.expr import Expr, bits, const, const_bool, mk
from devsem.ops import F32

ARITH = {"FMUL": "mul_rn", "FADD": "add_rn", "FFMA": "fma_rn"}
COMPARE = {"LT": ("lt", 0), "LE": ("le", 0), "GT": ("lt", 1), "GE": ("le", 1), "EQ": ("eq", 0)}
ROUND = {"FRND": "rint", "FRND.FLOOR": "floor", "FRND.CEIL": "ceil", "FRND.TRUNC": "trunc"}


def read(text: str, inputs: Mapping[str, Expr]) -> tuple[Expr, ...]:
    """The stored values, in order; `inputs` names the loaded registers."""
    known: dict[str, Expr] = {**inputs, "RZ": const(0.0), "PT": const_bool(True), "+INF": bits(0x7F800000), "-INF": bits(0xFF800000), "+QNAN": bits(0x7FFFFFFF)}
    stored = []
    for line in filter(None, (part.strip().replace(".reuse", "") for part in text.split(";"))):
        if line.startswith("->"):
            stored.append(_operand(line[2:].strip(), known))
            continue
        found = re.fullmatch(r"(?:@(!?P\d) )?([A-Z0-9.]+) (.*)", line)
        if found is None:
            raise ValueError(f"not an instruction: {line!r}")
        guard, name, rest = found.groups()
        target, *args = (a.strip() for a in rest.split(","))
        value = _value(name, args, known)
        if guard:
            value = mk("select_bool" if value.sort != F32 else "select", _predicate(guard, known), value, known[target])
        known[target] = value
    return tuple(stored)


def _value(name: str, args: list[str], known: Mapping[str, Expr]) -> Expr:
    base, *modifiers = name.split(".")
    flush = "FTZ" in modifiers
    core = ".".join([base, *(m for m in modifiers if m not in ("FTZ", "AND"))])

    def f(a: str) -> Expr:
        return mk("ftz", _operand(a, known)) if flush else _operand(a, known)

    if core in ARITH:
        return _flushed(mk(ARITH[core], *map(f, args)), flush)
    if core in ("FMNMX", "FMNMX.NAN"):
        kind = "nan" if core.endswith("NAN") else "num"
        return _flushed(mk(f"{'max' if args[2] == '!PT' else 'min'}_{kind}", f(args[0]), f(args[1])), flush)
    if core == "FSEL":
        return mk("select", _predicate(args[2], known), _operand(args[0], known), _operand(args[1], known))
    if core in ROUND:
        return mk(ROUND[core], f(args[0]))
    if base == "FSETP" and args[0] == args[3] == "PT":
        return _comparison(core.split(".")[1], f(args[1]), f(args[2]))
    if core == "MOV":
        return f(args[0])
    raise ValueError(f"no meaning for {name} {args}")


def _comparison(name: str, x: Expr, y: Expr) -> Expr:
    if name in ("NAN", "NUM"):
        nan = mk("or", mk("is_nan", x), mk("is_nan", y))
        return nan if name == "NAN" else mk("not", nan)
    if name == "NEU":
        return mk("not", mk("eq", x, y))
    op, swapped = COMPARE[name.removesuffix("U")]
    return mk(op + "_u" if name.endswith("U") else op, *((y, x) if swapped else (x, y)))


def _flushed(x: Expr, flush: bool) -> Expr:
    return mk("ftz", x) if flush else x


def _predicate(name: str, known: Mapping[str, Expr]) -> Expr:
    return mk("not", known[name[1:]]) if name.startswith("!") else known[name]


def _operand(text: str, known: Mapping[str, Expr]) -> Expr:
    if text in known:
        return known[text]
    if text.startswith("-") and not re.match(r"-[\d.]", text):
        return mk("neg", _operand(text[1:], known))
    if text.startswith("|"):
        return mk("abs", _operand(text.strip("|"), known))
    return const(float(text))
