"""A register's number and its bits: what one is, given the other, where a NaN's payload may matter.

Expressions know one NaN, registers hold one of many. A value that is written as bits keeps them (`mov`, `selp`, `copysign` are
bits); what arithmetic writes is 0x7fffffff where it is NaN; what came from memory, and what `neg` and `abs` make of a NaN, has bits
that nothing says: `D.nan_bits(key, x)` there, any function, under a key for the place it came from. The number of bits is found by
what is known of them, never by assuming that `D.nan_bits` gives a NaN.
"""

from __future__ import annotations

from devsem.expr import Expr, bits, const_int, fold, mk, rebuild
from devsem.ops import B32, F32
from devsem.simplify import is_nan, make

SIGN, MAGNITUDE = const_int(B32, 0x80000000), const_int(B32, 0x7FFFFFFF)
MOST_PARAMS = 1 << 12
FIRST_SITE = 1 << 29     # keys below are those of parameters: MOST_PARAMS for each place among a buffer's loads
INTEGERS = ("s32_to_f32", "u32_to_f32", "s64_to_f32", "u64_to_f32")
EITHER, SAME = ("select", "min_num", "max_num"), ("neg", "abs", "ftz", "rint", "floor", "ceil", "trunc", "round_away", "copysign", "pos_zero")


def never_nan(x: Expr) -> bool:
    """Is this number no NaN, whatever its variables are? By its shape only: False is no answer."""
    while x.op in SAME:
        x = x.args[0]
    if x.is_const:
        return not is_nan(x)
    if x.op in EITHER:
        branches = x.args[-2:]
        return all(a.is_const and not is_nan(a) for a in branches) or (x.op != "select" and any(a.is_const and not is_nan(a) for a in branches))
    return x.op == "sat" or x.op.rpartition("_")[0] in INTEGERS


class Patterns:
    """The bits of numbers, and the numbers of bits, along one run."""

    def __init__(self) -> None:
        self.numbers: dict[Expr, Expr] = {}
        self.sites = FIRST_SITE

    def unknown(self, x: Expr, key: int | None = None) -> Expr:
        """The bits of a number whose NaN is any: under a parameter's key, or one of its own."""
        if key is None:
            key, self.sites = self.sites, self.sites + 1
        if never_nan(x):
            return make("bits_of", x)
        word = make("select_b32", make("is_nan", x), mk("D.nan_bits", const_int(B32, key), x), make("bits_of", x))
        self.numbers[word] = x
        return word

    def word(self, x: Expr) -> Expr:
        """The bits of a register that holds them, or the result of arithmetic."""
        return make("bits_of", x) if x.sort == F32 else x

    def number(self, x: Expr) -> Expr:
        """The number of a register that holds it, or bits."""
        if x.sort == F32:
            return x
        if x not in self.numbers:
            self.numbers[x] = self._number(x)
        return self.numbers[x]

    def _number(self, w: Expr) -> Expr:
        if w.is_const:
            return bits(w.value)
        if w.op == "select_b32":
            return make("select", w.args[0], self.number(w.args[1]), self.number(w.args[2]))
        if w.op == "and_b32" and w.args[1] is MAGNITUDE:
            return make("abs", self.number(w.args[0]))
        if w.op == "xor_b32" and w.args[1] is SIGN:
            return make("neg", self.number(w.args[0]))
        if w.op == "or_b32" and w.args[0].op == "and_b32" and w.args[0].args[1] is SIGN:
            sign, rest = w.args[0].args[0], w.args[1]
            if rest.op == "and_b32" and rest.args[1] is MAGNITUDE:
                return self._signed(sign, self.number(rest.args[0]))
            if rest.is_const and rest.value <= MAGNITUDE.value:
                return self._signed(sign, bits(rest.value))
        return make("of_bits", w)

    def _signed(self, sign: Expr, x: Expr) -> Expr:
        """The magnitude of a number with the sign bit of a word."""
        if sign.is_const:
            return make("neg", make("abs", x)) if sign.value & SIGN.value else make("abs", x)
        if sign.op == "bits_of":
            return make("copysign", x, sign.args[0])
        if sign.op == "select_b32":
            return make("select", sign.args[0], self._signed(sign.args[1], x), self._signed(sign.args[2], x))
        return make("select", make("slt_b32", sign, const_int(B32, 0)), make("neg", make("abs", x)), make("abs", x))


def renumbered(roots: tuple[Expr, ...]) -> list[Expr]:
    """The same expressions, the keys of NaNs that no parameter brought being numbered as they occur: what is not used has no number."""
    keys: dict[int, int] = {}

    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if node.op == "D.nan_bits" and node.args[0].value >= FIRST_SITE:
            key = keys.setdefault(node.args[0].value, FIRST_SITE + len(keys))
            return mk(node.op, const_int(B32, key), args[1])
        return rebuild(node, args)
    made = fold(roots, one)
    return [made[r] for r in roots]
