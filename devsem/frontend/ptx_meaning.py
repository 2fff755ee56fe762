"""THE TABLE of PTX instructions: what each writes, as expressions of what it reads. The symbolic run and the interpreter both read it.

An instruction is looked up by its mnemonic, with every modifier; what no pattern matches is refused by name, so that nothing is
ignored. Registers are untyped bits: `reads` and `writes` say as what the instruction takes each operand. `F32` is the number that
the bits are, `B32` the bits themselves, so that `mov`, `selp` and `copysign`, which keep a NaN's payload, are read as words. A 16-bit
float (`F16`, `BF16`) is carried as the Float32 of the same value, a 16-bit integer (`B16`, a `bool` parameter) as a word with nothing above.

Facts: [Q:PTX 9.1, 9.7] for each instruction, `.ftz` as its "Subnormal numbers" note says, and [Q:CPG 13.1, 20.3] for NaN results: "the quiet NaN
of bit pattern 0x7fffffff", where PTX says unspecified. `neg`, `abs` and conversions from 16-bit floats may keep a payload, so
`canonical` is false there. `add`, `sub` and `mul` without a rounding modifier mean `.rn`: whether ptxas fuses them is decided before.

>>> from devsem.frontend.ptx_ast import Register
>>> from devsem.expr import var
>>> m = meaning(Instruction("add", ("rz", "ftz", "f32"), tuple(map(Register, "abc"))))
>>> m.reads, m.writes, m.of(var("x", F32), var("y", F32))
(('F32', 'F32'), ('F32',), (ftz(add_rz(ftz(x), ftz(y))),))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from devsem.errors import Rejected
from devsem.expr import Expr, const, const_int
from devsem.frontend import ptx_words as words
from devsem.frontend.ptx_ast import Instruction, Pair
from devsem.ops import B32, BOOL, BY_PTX, F32, OPS, Sort
from devsem.rejections import rejection
from devsem.simplify import make

Kind = Sort | Literal["F16", "BF16", "B16"]
F16: Kind = "F16"
BF16: Kind = "BF16"
B16: Kind = "B16"
Of = Callable[..., tuple[Expr, ...]]
ONE, ZERO = const(1.0), const(0.0)


@dataclass(frozen=True)
class Meaning:
    """One instruction: as what it reads the operands after its destinations, as what it writes these, and the values written.

    `of` takes an expression for each operand read and gives one for each destination. `canonical`: a NaN that it writes as F32 is 0x7fffffff.
    """

    reads: tuple[Kind, ...]
    writes: tuple[Kind, ...]
    of: Of
    canonical: bool = True


def one(reads: tuple[Kind, ...], write: Kind, f: Callable[..., Expr], canonical: bool = True) -> Meaning:
    """An instruction with one destination."""
    return Meaning(reads, (write,), lambda *args: (f(*args),), canonical)


def flush(x: Expr) -> Expr:
    """A subnormal becomes the zero of its sign."""
    return x if x.op == "ftz" else make("ftz", x)


Match = re.Match[str]
Rule = Callable[[Instruction, Match], Meaning | None]

# --- arithmetic of numbers ---


def _rounded(f: Callable[..., Expr], ftz: bool, sat: bool = False) -> Callable[..., Expr]:
    """`.ftz` flushes subnormal inputs and results; `.sat` clamps last, and makes NaN +0."""
    def value(*args: Expr) -> Expr:
        out = flush(f(*map(flush, args))) if ftz else f(*args)
        return make("sat", out) if sat else out
    return value


def _arith(i: Instruction, m: Match) -> Meaning:
    name = f"{'fma' if m['op'] == 'mad' else m['op']}_{m['rnd'] or 'rn'}"
    return one((F32,) * len(OPS[name].args), F32, _rounded(partial(make, name), bool(m["ftz"]), bool(m.groupdict().get("sat"))))


def _reciprocal(i: Instruction, m: Match) -> Meaning:
    """`rcp.rn` is 1 divided by its operand, rounded once."""
    return one((F32,), F32, _rounded(lambda b: make(f"div_{m['rnd']}", ONE, b), bool(m["ftz"])))


def _sign(i: Instruction, m: Match) -> Meaning:
    return one((F32,), F32, _rounded(partial(make, m["op"]), bool(m["ftz"])), canonical=False)


def _bound(i: Instruction, m: Match) -> Meaning:
    """`min` and `max` of two operands, or three: a NaN loses to a number, and wins with `.NaN`."""
    count = 3 if len(i.operands) == 4 else 2
    row = f"{m['op']}_{'nan' if m['nan'] else 'num'}"

    def value(a: Expr, b: Expr, *rest: Expr) -> Expr:
        out = make(row, a, b)
        return value(out, *rest) if rest else out
    return one((F32,) * count, F32, _rounded(value, bool(m["ftz"])))


def _obligation(i: Instruction, m: Match) -> Meaning | None:
    """A quotient or reciprocal whose last product ptxas fused into a sum; the row's own flushing is the function's."""
    name = "D." + "_".join(i.modifiers)
    return one(OPS[name].args, F32, partial(make, name)) if name in OPS else None


# --- comparisons, choices ---

COMPARE: dict[str, Callable[[Expr, Expr], Expr]] = {
    "eq": lambda a, b: make("eq", a, b), "ne": lambda a, b: make("not", make("eq_u", a, b)),
    "lt": lambda a, b: make("lt", a, b), "le": lambda a, b: make("le", a, b), "gt": lambda a, b: make("lt", b, a), "ge": lambda a, b: make("le", b, a),
    "equ": lambda a, b: make("eq_u", a, b), "neu": lambda a, b: make("not", make("eq", a, b)),
    "ltu": lambda a, b: make("lt_u", a, b), "leu": lambda a, b: make("le_u", a, b), "gtu": lambda a, b: make("lt_u", b, a),
    "geu": lambda a, b: make("le_u", b, a),
    "num": lambda a, b: make("not", make("or", make("is_nan", a), make("is_nan", b))), "nan": lambda a, b: make("or", make("is_nan", a), make("is_nan", b)),
}


def _comparison(m: Match) -> tuple[Kind, Callable[[Expr, Expr], Expr]] | None:
    """The operands' kind, and whether the comparison holds."""
    if m["type"] == "f32":
        compare = COMPARE.get(m["cmp"])
        if compare is None or not m["ftz"]:
            return (F32, compare) if compare else None
        return F32, lambda a, b: compare(flush(a), flush(b))
    found = None if m["ftz"] else words.comparison(m["cmp"], m["type"])
    return (words.sort(m["type"]), found) if found else None


def _combined(m: Match, holds: Callable[[Expr, Expr], Expr], reads: Kind) -> tuple[tuple[Kind, ...], Callable[..., tuple[Expr, Expr]]]:
    """The comparison and its opposite, each joined with the predicate `c` if there is a Boolean operation."""
    def plain(a: Expr, b: Expr) -> tuple[Expr, Expr]:
        t = holds(a, b)
        return t, make("not", t)

    def joined(a: Expr, b: Expr, c: Expr) -> tuple[Expr, Expr]:
        t, opposite = plain(a, b)
        return make(m["bool"], t, c), make(m["bool"], opposite, c)
    return ((reads, reads, BOOL), joined) if m["bool"] else ((reads, reads), plain)


def _setp(i: Instruction, m: Match) -> Meaning | None:
    found = _comparison(m)
    if found is None:
        return None
    reads, both = _combined(m, found[1], found[0])
    two = bool(i.operands) and isinstance(i.operands[0], Pair)
    return Meaning(reads, (BOOL,) * (1 + two), lambda *args: both(*args)[:1 + two])


def _set(i: Instruction, m: Match) -> Meaning | None:
    """All ones or 1.0f where the comparison holds, else zero."""
    found = _comparison(m)
    if found is None:
        return None
    reads, both = _combined(m, found[1], found[0])
    if m["to"] == "f32":
        return one(reads, F32, lambda *args: make("select", both(*args)[0], ONE, ZERO))
    return one(reads, B32, lambda *args: make("select_b32", both(*args)[0], const_int(B32, -1), const_int(B32, 0)))


def _slct(i: Instruction, m: Match) -> Meaning:
    """The first where the third is at least zero, NaN is not; `.ftz` flushes the third only."""
    out = words.sort(m["type"])
    if m["by"] == "s32":
        return one((out, out, B32), out, lambda a, b, c: make(f"select_{out.lower()}", make("sle_b32", const_int(B32, 0), c), a, b))
    test = flush if m["ftz"] else (lambda c: c)
    return one((out, out, F32), out, lambda a, b, c: make(f"select_{out.lower()}", make("le", ZERO, test(c)), a, b))


def _testp(i: Instruction, m: Match) -> Meaning:
    """To `testp.normal` a zero is normal too."""
    if m["test"] == "number":
        return one((F32,), BOOL, lambda a: make("not", make("is_nan", a)))
    return one((F32,), BOOL, lambda a: make("or", make("is_normal", a), make("is_zero", a)))


# --- conversions ---

INTEGRAL = {"rni": "rint", "rmi": "floor", "rpi": "ceil", "rzi": "trunc"}


def _to_integral(i: Instruction, m: Match) -> Meaning | None:
    """f32 to f32, rounded to a whole number, or only clamped to [0, 1] or flushed, which may keep a payload."""
    row = INTEGRAL.get(m["rnd"] or "")
    if not (row or m["ftz"] or m["sat"]):
        return None
    return one((F32,), F32, _rounded((lambda a: make(row, a)) if row else (lambda a: a), bool(m["ftz"]), bool(m["sat"])), bool(row or m["sat"]))


def _to_word(i: Instruction, m: Match) -> Meaning:
    row = f"f32_to_{m['to']}_{m['rnd'][:2]}"
    return one((F32,), OPS[row].out, lambda a: make(row, flush(a) if m["ftz"] else a))


def _from_word(i: Instruction, m: Match) -> Meaning:
    row = f"{m['from']}_to_f32_{m['rnd']}"
    return one(OPS[row].args, F32, lambda a: make("sat", make(row, a)) if m["sat"] else make(row, a))


def _to_half(i: Instruction, m: Match) -> Meaning:
    kind: Kind = F16 if m["to"] == "f16" else BF16
    return one((F32,), kind, lambda a: make(f"round_{m['to']}", flush(a) if m["ftz"] else a))


def _from_half(i: Instruction, m: Match) -> Meaning:
    kind: Kind = F16 if m["from"] == "f16" else BF16
    return one((kind,), F32, lambda a: flush(a) if m["ftz"] else a, canonical=False)


# --- 16-bit integers: what a bool parameter needs ---


def lifted(f: Callable[..., Expr], *args: Expr) -> Expr:
    """A function of choices between constants is a choice between its values."""
    at = next((k for k, a in enumerate(args) if a.op == "select_b32" and a.args[1].is_const and a.args[2].is_const), None)
    if at is None:
        return f(*args)
    yes, no = (lifted(f, *args[:at], side, *args[at + 1:]) for side in args[at].args[1:])
    return make({F32: "select", BOOL: "select_bool"}.get(yes.sort, f"select_{yes.sort.lower()}"), args[at].args[0], yes, no)


def _extended(type_: str, a: Expr) -> Expr:
    """The 32-bit word of a 16-bit one."""
    sixteen = const_int(B32, 16)
    return make("ashr_b32", make("shl_b32", a, sixteen), sixteen) if type_ == "s16" else a


def _same16(i: Instruction, m: Match) -> Meaning:
    equal = make if m["cmp"] == "eq" else (lambda row, a, b: make("not", make(row, a, b)))
    return one((B16, B16), BOOL, lambda a, b: lifted(partial(equal, "ieq_b32"), a, b))


def _from16(i: Instruction, m: Match) -> Meaning:
    if m["to"] == "rn.f32":
        return one((B16,), F32, lambda a: lifted(lambda b: make("s32_to_f32_rn", _extended(m["type"], b)), a))
    return one((B16,), B32, lambda a: lifted(partial(_extended, m["type"]), a))


def _bits16(i: Instruction, m: Match) -> Meaning:
    return one((B16, B16), B16, lambda a, b: lifted(partial(make, f"{m['op']}_b32"), a, b))


# --- the table ---

_CMP = r"\.(?P<cmp>[a-z]+)(?:\.(?P<bool>and|or|xor))?(?P<ftz>\.ftz)?"
_TYPES = r"(?P<type>f32|[bsu]32|[bsu]64)"
_FTZ, _SAT, _MODE = r"(?P<ftz>\.ftz)?", r"(?P<sat>\.sat)?", r"\.(?P<rnd>rn|rz|rm|rp)"

RULES: tuple[tuple[str, Rule], ...] = (
    (rf"(?P<op>add|sub|mul)(?:{_MODE})?{_FTZ}{_SAT}\.f32", _arith),
    (rf"(?P<op>fma|mad){_MODE}{_FTZ}{_SAT}\.f32", _arith),
    (rf"(?P<op>div|sqrt){_MODE}{_FTZ}\.f32", _arith),
    (rf"rcp{_MODE}{_FTZ}\.f32", _reciprocal),
    (rf"(?P<op>neg|abs){_FTZ}\.f32", _sign),
    (rf"(?P<op>min|max){_FTZ}(?P<nan>\.NaN)?\.f32", _bound),
    (r"fused\..*", _obligation),
    (rf"setp{_CMP}\.{_TYPES}", _setp),
    (rf"set{_CMP}\.(?P<to>f32|[su]32)\.{_TYPES}", _set),
    (rf"slct{_FTZ}\.{_TYPES}\.(?P<by>f32|s32)", _slct),
    (r"testp\.(?P<test>number|normal)\.f32", _testp),
    (rf"cvt(?:\.(?P<rnd>rni|rmi|rpi|rzi))?{_FTZ}{_SAT}\.f32\.f32", _to_integral),
    (rf"cvt\.(?P<rnd>rni|rmi|rpi|rzi){_FTZ}(?:\.sat)?\.(?P<to>[su]32|[su]64)\.f32", _to_word),
    (rf"cvt{_MODE}{_SAT}\.f32\.(?P<from>[su]32|[su]64)", _from_word),
    (rf"cvt\.rn{_FTZ}\.(?P<to>f16|bf16)\.f32", _to_half),
    (rf"cvt{_FTZ}\.f32\.(?P<from>f16|bf16)", _from_half),
    (r"setp\.(?P<cmp>eq|ne)\.[bsu]16", _same16),
    (r"cvt\.(?P<to>rn\.f32|[su]32)\.(?P<type>[su]16)", _from16),
    (r"(?P<op>and|or|xor)\.b16", _bits16),
)
PATTERNS = tuple((re.compile(pattern), rule) for pattern, rule in RULES)
WORDS = tuple((re.compile(pattern), rule) for pattern, rule in words.RULES)


def _found(i: Instruction) -> Iterator[Meaning | None]:
    """What the table says: a pattern, or a row of `ops.py` with this very spelling."""
    text = i.mnemonic
    for pattern, rule in PATTERNS:
        if m := pattern.fullmatch(text):
            yield rule(i, m)
    if text in BY_PTX:
        row = BY_PTX[text]
        yield one(row.args, row.out, partial(make, row.name))
    for pattern, composed in WORDS:
        if m := pattern.fullmatch(text):
            made = composed(i, m)
            yield one(made.reads, made.write, made.of) if made else None


def meaning(i: Instruction) -> Meaning:
    """What an instruction does with registers; raises Rejected for everything else (memory, control flow, and what is not known)."""
    found = next(iter(_found(i)), None)
    if found is None:
        raise Rejected(rejection("ptx.f64" if ".f64" in i.mnemonic else "ptx.instruction", i.where, name=i.mnemonic))
    if len(i.operands) != 1 + len(found.reads):
        raise Rejected(rejection("ptx.operands", i.where, name=i.mnemonic, count=str(1 + len(found.reads))))
    return found
