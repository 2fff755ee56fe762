"""`make`: like `expr.mk`, but what is a constant becomes one, and truth values and guards are kept short.

Only equalities that hold for every input, on every device and with every flag are used. Constant arithmetic is folded as nvcc
does: rounded to nearest even whatever the flags say, and left in place where the result is a NaN.

>>> from devsem.expr import const
>>> make("w_div", const(1.0), const(4.0))
0.25
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from devsem.expr import WIDTH, Expr, bits, const_bool, const_int, fold, mk
from devsem.floats import WORDS
from devsem.ops import B32, B64, BOOL, F32, OPS, RM, UNDEFINED_IN_C, Sort

TRUE, FALSE = const_bool(True), const_bool(False)
DTYPE: dict[Sort, Any] = {F32: np.uint32, B32: np.uint32, B64: np.uint64, BOOL: np.bool_}
# what a written operation on constants is before any profile speaks
FOLDED = {"w_add": "add_rn", "w_sub": "sub_rn", "w_mul": "mul_rn", "w_div": "div_rn", "w_neg": "neg", "w_lt": "lt", "w_le": "le", "w_eq": "eq"}
NEGATED = {f"{a}_{w}": f"{b}_{w}" for a, b in (("slt", "sle"), ("sle", "slt"), ("ult", "ule"), ("ule", "ult")) for w in ("b32", "b64")}
SHIFTS = frozenset({"shl", "lshr", "ashr"})
NEUTRAL = {f"{name}_{w}": (sort, value) for name, value in (("add", 0), ("sub", 0), ("mul", 1), ("sdiv", 1), ("udiv", 1))
           for w, sort in (("b32", B32), ("b64", B64))}
CONST_OF: dict[Sort, Callable[[int], Expr]] = {
    F32: bits, BOOL: lambda v: const_bool(bool(v)), B32: lambda v: const_int(B32, v), B64: lambda v: const_int(B64, v),
}


def evaluate(name: str, *args: Expr) -> Expr:
    """The value of an exact operation on constants."""
    op = OPS[name]
    if op.eval is None:
        raise TypeError(f"{name} has no value of its own")
    arrays = [np.array(a.value, dtype=DTYPE[a.sort]) for a in args]
    return CONST_OF[op.out](int(op.eval(*arrays).item()))


def make(name: str, *args: Expr) -> Expr:
    """The application of an operation, simplified."""
    if name in RULES:
        return RULES[name](*args)
    exact = FOLDED.get(name, name)
    if all(a.is_const for a in args) and OPS[exact].kind == "exact" and is_defined(name, *args):
        value = evaluate(exact, *args)
        if name not in FOLDED or not is_nan(value):
            return value
    if name in NEUTRAL:
        return _neutral(name, *args)
    return mk(name, *args)


def resimplify(root: Expr, by: dict[Expr, Expr]) -> Expr:
    """`expr.substitute`, and then simplified. What becomes constant only here is not folded where flushing subnormals would show:
    the text's own constants are folded before the flags apply, a variable's value may be folded after."""
    return fold((root,), lambda n, args: by[n] if n in by else (_rebuild(n, args) if args else n))[root]


def _rebuild(node: Expr, args: tuple[Expr, ...]) -> Expr:
    """A node over other arguments."""
    if args == node.args:
        return node
    made = make(node.op, *args)
    return mk(node.op, *args) if node.op in FOLDED and made.is_const and any(map(is_subnormal, (made, *args))) else made


def is_nan(value: Expr) -> bool:
    """Is this constant the NaN?"""
    return value.sort == F32 and value.value & 0x7FFFFFFF > 0x7F800000


def is_subnormal(value: Expr) -> bool:
    """Is this constant subnormal?"""
    return value.sort == F32 and 0 < value.value & 0x7FFFFFFF < 0x00800000


def is_defined(name: str, *args: Expr) -> bool:
    """Is it certain that C gives this operation a value: does it divide by no zero, and shift within the width?"""
    if name not in UNDEFINED_IN_C:
        return True
    by = args[1]
    return by.is_const and (by.value < WIDTH[args[0].sort] if name.split("_")[0] in SHIFTS else by.value != 0)


def _neutral(name: str, a: Expr, b: Expr) -> Expr:
    """i + 0, i - 0, i * 1, i / 1."""
    sort, value = NEUTRAL[name]
    one = const_int(sort, value)
    if b is one:
        return a
    return b if a is one and name.startswith(("add", "mul")) else mk(name, a, b)


def _not(a: Expr) -> Expr:
    if a.is_const:
        return const_bool(not a.value)
    if a.op == "not":
        return a.args[0]
    return mk(NEGATED[a.op], a.args[1], a.args[0]) if a.op in NEGATED else mk("not", a)


def _and(a: Expr, b: Expr) -> Expr:
    if a is FALSE or b is FALSE or a is _not(b):
        return FALSE
    if a is TRUE or a is b:
        return b
    return a if b is TRUE else mk("and", a, b)


def _or(a: Expr, b: Expr) -> Expr:
    if a is TRUE or b is TRUE or a is _not(b):
        return TRUE
    if a is FALSE or a is b:
        return b
    return a if b is FALSE else mk("or", a, b)


def _select(c: Expr, a: Expr, b: Expr) -> Expr:
    if c.is_const or a is b:
        return a if a is b or c.value else b
    if c.op == "not":
        return _select(c.args[0], b, a)
    return mk("select", c, a, b)


def _select_word(sort: Sort) -> Callable[[Expr, Expr, Expr], Expr]:
    def choose(c: Expr, a: Expr, b: Expr) -> Expr:
        if c.is_const or a is b:
            return a if a is b or c.value else b
        return choose(c.args[0], b, a) if c.op == "not" else mk(f"select_{sort.lower()}", c, a, b)
    return choose


def _of_bits(a: Expr) -> Expr:
    """What was written as a pattern is read back."""
    return a.args[0] if a.op == "bits_of" else evaluate("of_bits", a) if a.is_const else mk("of_bits", a)


def _select_bool(c: Expr, a: Expr, b: Expr) -> Expr:
    if c.is_const or a is b:
        return a if a is b or c.value else b
    if a.is_const:
        return _or(c, b) if a.value else _and(_not(c), b)
    if b.is_const:
        return _or(_not(c), a) if b.value else _and(c, a)
    if c.op == "not":
        return _select_bool(c.args[0], b, a)
    return mk("select_bool", c, a, b)


def _to_word(word: str, mode: str) -> Callable[[Expr], Expr]:
    """A float as an integer. A constant is computed where every compiler and device does so alike: in range, and no subnormal or NaN."""
    kind = WORDS[word]

    def convert(a: Expr) -> Expr:
        if a.is_const and not is_nan(a) and not is_subnormal(a):
            number: float = struct.unpack("<f", a.value.to_bytes(4, "little"))[0]
            if -kind.smallest <= number <= kind.largest - 1:
                return evaluate(f"f32_to_{word}_{mode}", a)
        return mk(f"w_f32_to_{word}_{mode}", a)
    return convert


RULES: dict[str, Callable[..., Expr]] = {
    "not": _not, "and": _and, "or": _or, "select": _select, "select_bool": _select_bool, "select_b32": _select_word(B32), "select_b64": _select_word(B64),
    "of_bits": _of_bits, **{f"w_f32_to_{word}_{mode}": _to_word(word, mode) for word in WORDS for mode in RM},
}
