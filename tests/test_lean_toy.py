"""Small formats: FloatLib against the fractions of `formats.py`, and these against bitwuzla, on every pair of the toy format's 64 patterns.

A definition of FloatLib is for any format, so what holds of a format this small is evidence for all of them. By default Lean sees some of the
pairs, drawn anew; the slow run lets it see all.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import bitwuzla
import formats
import numpy as np
import pytest
from asklean import refusals
from draw import seed
from formats import BFLOAT16, BINARY16, BINARY32, MODES, TOY, Format, Mode

pytestmark = pytest.mark.slow  # minutes; `make test-all` runs it

MODULES = ("FloatLib.Op.Arith", "FloatLib.Op.Choose", "FloatLib.Op.Convert", "FloatLib.Op.Integral", "FloatLib.Op.Saturate", "FloatLib.Op.Sign")
ALL = range(64)
CHUNK, BASE = 64, 1 << 32      # evaluations in one theorem; their results are the digits of one number, to this base
LEAN = {TOY: "Format.toy", BINARY16: "Format.binary16", BFLOAT16: "Format.bfloat16", BINARY32: "Format.binary32"}
RM: dict[Mode, str] = {"rn": "RNE", "rz": "RTZ", "rm": "RTN", "rp": "RTP"}


@dataclass(frozen=True)
class Row:
    """An operation. `lean` is over `(x a)`, the value of pattern a; `smt` over {0} {1} {2}; a result in the format is a pattern, else a number or truth."""

    name: str
    arity: int
    lean: str
    model: Callable[..., int]
    smt: str = ""
    number: bool = True

    def definition(self, f: Format) -> str:
        """`evaluated_NAME t a b`: the number t with one more digit, the result on `a b`."""
        args = " ".join("abc"[:self.arity])
        lean = self.lean.replace("(x ", f"(Fp.ofBits (f := {LEAN[f]}) ")
        return f"def evaluated_{self.name} (t {args} : Nat) : Nat := Nat.add (Nat.mul t {BASE}) {f'(Fp.toBits {lean})' if self.number else lean}"

    def theorem(self, rows: Sequence[tuple[int, ...]], spoil: int = 0) -> str:
        """An `example`: the results on these arguments are the model's, the last one spoiled."""
        term, number = "0", 0
        for args in rows:
            term, number = f"(evaluated_{self.name} {term} {' '.join(map(str, args))})", number * BASE + self.model(*args)
        return f"example : Eq {term} {number + spoil:#x} := rfl"


def arithmetic() -> Iterator[Row]:
    for name, n in (("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("fma", 3), ("sqrt", 1)):
        for mode in MODES:
            yield Row(f"{name}_{mode}", n, f"(Fp.{name} .{mode} {' '.join(f'(x {a})' for a in 'abc'[:n])})", partial(getattr(formats, name), TOY, mode),
                      f"(fp.{name} {RM[mode]} {' '.join(f'{{{i}}}' for i in range(n))})")


def integral() -> Iterator[Row]:
    modes: tuple[tuple[str, str, Mode | formats.Away], ...] = (("rint", "RNE", "rn"), ("floor", "RTN", "rm"), ("ceil", "RTP", "rp"), ("trunc", "RTZ", "rz"),
                                                              ("roundAway", "RNA", "away"))
    for lean, rm, mode in modes:
        yield Row(lean, 1, f"(Fp.{lean} (x a))", partial(formats.integral, TOY, mode), f"(fp.roundToIntegral {rm} {{0}})")


def order(p: int) -> int:
    """A place in the order of numbers; both zeros have one."""
    return -TOY.mag(p) if TOY.negative(p) else p


def extreme(pick: Callable[..., int], nan_wins: bool, a: int, b: int) -> int:
    """PTX min and max: -0 is below +0."""
    if TOY.is_nan(a) or TOY.is_nan(b):
        return TOY.nan if nan_wins or (TOY.is_nan(a) and TOY.is_nan(b)) else b if TOY.is_nan(a) else a
    return pick(a, b, key=lambda p: (order(p), not TOY.negative(p)))


def compared(test: Callable[[int, int], bool], unordered: bool, a: int, b: int) -> int:
    """A comparison, and what it is on NaN."""
    return int(unordered if TOY.is_nan(a) or TOY.is_nan(b) else test(order(a), order(b)))


def literal(p: int) -> str:
    """A pattern of the toy format to the solver; bitwuzla wants no `(_ NaN 3 3)` of formats that it calls experimental."""
    return f"((_ to_fp 3 3) #b{p:06b})"


def others() -> Iterator[Row]:
    nan, either = literal(TOY.nan), "(or (fp.isNaN {0}) (fp.isNaN {1}))"
    chosen = "(ite (or (fp.lt {0} {1}) (and (fp.eq {0} {1}) (fp.isNegative %s))) %s %s)"
    for lean, pick, wins in (("minNum", min, False), ("maxNum", max, False), ("minNan", min, True), ("maxNan", max, True)):
        best = chosen % (("{0}", "{0}", "{1}") if pick is min else ("{0}", "{1}", "{0}"))
        smt = f"(ite {either} {nan} {best})" if wins else f"(ite (fp.isNaN {{0}}) {{1}} (ite (fp.isNaN {{1}}) {{0}} {best}))"
        yield Row(lean, 2, f"(Fp.{lean} (x a) (x b))", partial(extreme, pick, wins), smt)
    for lean, smt, test in (("lt", "(fp.lt {0} {1})", int.__lt__), ("le", "(fp.leq {0} {1})", int.__le__), ("eq", "(fp.eq {0} {1})", int.__eq__)):
        yield Row(lean, 2, f"(cond (Fp.{lean} (x a) (x b)) 1 0)", partial(compared, test, False), smt, number=False)
        yield Row(lean + "U", 2, f"(cond (Fp.{lean}U (x a) (x b)) 1 0)", partial(compared, test, True), f"(or {either} {smt})", number=False)
    yield Row("same", 2, "(cond (Fp.same (x a) (x b)) 1 0)", lambda a, b: int(a == b or (TOY.is_nan(a) and TOY.is_nan(b))), "(= {0} {1})", number=False)
    yield Row("copysign", 2, "(Fp.copysign (x a) (x b))",
              lambda a, b: TOY.nan if TOY.is_nan(a) else TOY.mag(a) | (0 if TOY.is_nan(b) else b & TOY.sign),
              "(ite (= (fp.isNegative {0}) (fp.isNegative {1})) {0} (fp.neg {0}))")
    yield Row("neg", 1, "(Fp.neg (x a))", lambda a: TOY.nan if TOY.is_nan(a) else a ^ TOY.sign, "(fp.neg {0})")
    yield Row("abs", 1, "(Fp.abs (x a))", lambda a: TOY.nan if TOY.is_nan(a) else TOY.mag(a), "(fp.abs {0})")
    yield Row("ftz", 1, "(Fp.ftz (x a))", lambda a: TOY.nan if TOY.is_nan(a) else a & TOY.sign if TOY.mag(a) < 4 else a,
              f"(ite (fp.isSubnormal {{0}}) (ite (fp.isNegative {{0}}) {literal(TOY.sign)} {literal(0)}) {{0}})")
    yield Row("posZero", 1, "(Fp.posZero (x a))", lambda a: TOY.nan if TOY.is_nan(a) else 0 if TOY.mag(a) == 0 else a,
              f"(ite (fp.isZero {{0}}) {literal(0)} {{0}})")
    yield Row("sat", 1, "(Fp.sat (x a))", partial(formats.sat, TOY),
              f"(ite (or (fp.isNaN {{0}}) (fp.isNegative {{0}})) {literal(0)} (fp.min {{0}} {literal(12)}))")
    for lean, smt, classes in (("isNan", "NaN", range(29, 32)), ("isInf", "Infinite", (28,)), ("isZero", "Zero", (0,)), ("isSubnormal", "Subnormal", (1, 2, 3)),
                               ("isNormal", "Normal", range(4, 28))):
        yield Row(lean, 1, f"(cond (Fp.{lean} (x a)) 1 0)", lambda a, c=classes: int(TOY.mag(a) in c), f"(fp.is{smt} {{0}})", number=False)
    yield Row("isFinite", 1, "(cond (Fp.isFinite (x a)) 1 0)", lambda a: int(TOY.mag(a) < 28), "(not (or (fp.isNaN {0}) (fp.isInfinite {0})))", number=False)
    yield Row("isNeg", 1, "(cond (Fp.isNeg (x a)) 1 0)", lambda a: int(TOY.negative(a) and not TOY.is_nan(a)), "(fp.isNegative {0})", number=False)


def conversions() -> Iterator[Row]:
    """Integers of three and six bits: a number out of range, one in range, and infinity are clamped by different rules."""
    for mode, width in itertools.product(MODES, (3, 6)):
        yield Row(f"toSigned_{width}_{mode}", 1, f"(Fp.toSigned {width} 0 .{mode} (x a))", partial(formats.to_word, TOY, mode, width, True), number=False)
        yield Row(f"toUnsigned_{width}_{mode}", 1, f"(Fp.toUnsigned {width} 0 .{mode} (x a))", partial(formats.to_word, TOY, mode, width, False), number=False)
        yield Row(f"ofSigned_{width}_{mode}", 1, f"(Fp.ofSigned (f := Format.toy) {width} .{mode} a)",
                  lambda a, m=mode, w=width: formats.from_word(TOY, m, w, True, a % (1 << w)))
        yield Row(f"ofUnsigned_{width}_{mode}", 1, f"(Fp.ofUnsigned (f := Format.toy) {width} .{mode} a)",
                  lambda a, m=mode, w=width: formats.from_word(TOY, m, w, False, a % (1 << w)))
    for mode in MODES:
        yield Row(f"scaleBy_{mode}", 2, f"(Fp.scaleBy .{mode} (x a) (Nat.add b {2**32 - 32}))", lambda a, b, m=mode: formats.scale_by(TOY, m, a, b - 32))
    for mode, wide in itertools.product(MODES, (BINARY16, BFLOAT16, BINARY32)):
        yield Row(f"to_{wide.mant}_{mode}", 1, f"(Fp.convert {LEAN[TOY]} {LEAN[wide]} .{mode} (x a))", partial(formats.convert, TOY, wide, mode))


ROWS = {row.name: row for group in (arithmetic, integral, others, conversions) for row in group()}


# --- the questions ---


def wrong(f: Format, drawn: dict[str, list[tuple[int, ...]]], rows: dict[str, Row]) -> list[str]:
    """What Lean's kernel evaluates otherwise than the model; of each row also one wrong result, which Lean must refuse."""
    chunks = [(name, args[i:i + CHUNK]) for name, args in drawn.items() for i in range(0, len(args), CHUNK)]
    lines = [*(rows[name].theorem(chunk) for name, chunk in chunks), *(rows[name].theorem(args[:1], spoil=1) for name, args in drawn.items())]
    refused = refusals(lines, modules=MODULES, before="\n".join(rows[name].definition(f) for name in drawn))
    accepted = [name for i, name in enumerate(drawn, len(chunks)) if i not in refused]
    assert not accepted, f"Lean accepts a wrong result of {accepted}"
    return [f"{chunks[i][0]} on one of {chunks[i][1]}: {message}" for i, message in refused.items() if i < len(chunks)]


def some_result_differs(row: Row, rows: Sequence[tuple[int, ...]], results: Sequence[int]) -> bool:
    """Ask the solver whether, by the row's SMT text, any result is another one."""
    lanes = [f"(not (= {row.smt.format(*map(literal, args))} {literal(r) if row.number else ('false', 'true')[r]}))"
             for args, r in zip(rows, results, strict=True)]
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(f"(set-logic QF_BVFP)\n(assert (or false {' '.join(lanes)}))", True, False)
    answer = parser.bitwuzla().check_sat()
    assert answer in (bitwuzla.Result.SAT, bitwuzla.Result.UNSAT)
    return bool(answer == bitwuzla.Result.SAT)


def every(row: Row) -> list[tuple[int, ...]]:
    """All arguments, of three arguments a drawn part."""
    if row.arity < 3:
        return list(itertools.product(ALL, repeat=row.arity))
    return [tuple(map(int, args)) for args in np.random.default_rng(seed()).integers(0, 64, (4000, 3))]


def some(row: Row, n: int) -> list[tuple[int, ...]]:
    """Some of them."""
    rows = every(row)
    return [rows[int(i)] for i in np.random.default_rng(seed()).permutation(len(rows))[:n]]


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.smt])
def test_the_model_is_the_solvers(name: str) -> None:
    row = ROWS[name]
    rows = every(row) if row.arity == 1 else some(row, 400)
    results = [row.model(*args) for args in rows]
    assert not some_result_differs(row, rows, results)
    assert some_result_differs(row, rows, [*results[:-1], results[-1] ^ 1 if results[-1] != TOY.nan else 0]), "the question cannot fail"


@pytest.mark.lean
def test_lean_is_the_model() -> None:
    assert wrong(TOY, {name: some(row, 48) for name, row in ROWS.items()}, ROWS) == []


@pytest.mark.slow
@pytest.mark.lean
@pytest.mark.parametrize("name", ROWS)
def test_lean_is_the_model_and_the_solver_everywhere(name: str) -> None:
    row = ROWS[name]
    rows = every(row)
    assert not row.smt or not some_result_differs(row, rows, [row.model(*args) for args in rows])
    assert wrong(TOY, {name: rows}, ROWS) == []


# --- the half precisions ---


def halves(f: Format) -> dict[str, Row]:
    """Arithmetic in each mode, rounding to whole numbers, saturation, and conversions to and from other formats."""
    rows = [Row(r.name, r.arity, r.lean, partial(getattr(formats, r.name[:-3]), f, r.name[-2:])) for r in arithmetic()]
    rows += [Row(r.name, 1, r.lean, partial(formats.integral, f, r.model.args[1])) for r in integral() if isinstance(r.model, partial)]
    rows.append(Row("sat", 1, "(Fp.sat (x a))", partial(formats.sat, f)))
    for mode in MODES:
        rows += [Row(f"to_{g.mant}_{mode}", 1, f"(Fp.convert {LEAN[f]} {LEAN[g]} .{mode} (x a))", partial(formats.convert, f, g, mode))
                 for g in (TOY, BINARY16, BFLOAT16, BINARY32)]
        rows.append(Row(f"toS32_{mode}", 1, f"(Fp.toS32 .{mode} (x a))", partial(formats.to_word, f, mode, 32, True), number=False))
        rows.append(Row(f"ofU64_{mode}", 1, f"(Fp.ofU64 (f := {LEAN[f]}) .{mode} (Nat.mul a 0x0001000100010001))",
                        lambda a, m=mode: formats.from_word(f, m, 64, False, a * 0x0001000100010001 % (1 << 64))))
        rows += [Row(f"scale_{n % 1000}_{mode}", 1, f"(Fp.scaleBy .{mode} (x a) {n % (1 << 32)})", lambda a, m=mode, n=n: formats.scale_by(f, m, a, n))
                 for n in (-9, 14, -300, 300)]
    return {row.name: row for row in rows}


def patterns(f: Format, n: int, arity: int) -> list[tuple[int, ...]]:
    """Random patterns and special ones, and sums and products that cancel or are near the format's ends."""
    rng = np.random.default_rng(seed())
    special = [m | s for m in (0, 1, (1 << f.mant) - 1, 1 << f.mant, f.bias << f.mant, f.inf - 1, f.inf, f.nan) for s in (0, f.sign)]
    drawn = np.where(rng.integers(0, 3, (n, arity)) == 0, rng.choice(special, (n, arity)), rng.integers(0, 2 * f.sign, (n, arity)))
    near = (drawn[:, :1] ^ f.sign) + rng.integers(-2, 3, (n, arity))
    return [tuple(int(p) % (2 * f.sign) for p in row) for row in np.where(rng.integers(0, 4, (n, 1)) == 0, near, drawn)]


@pytest.mark.lean
@pytest.mark.parametrize("f", [BINARY16, BFLOAT16], ids=["binary16", "bfloat16"])
def test_half_precisions_are_the_model(f: Format) -> None:
    rows = halves(f)
    assert wrong(f, {name: patterns(f, 30, row.arity) for name, row in rows.items()}, rows) == []
