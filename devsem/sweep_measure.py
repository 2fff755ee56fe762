"""What a function's results on a run of consecutive patterns show: digest, error, order, subnormals. Runs are measured apart and joined in any order.

The reference is the correctly rounded value: binary64 decides where the whole interval of relative width 2^-44 around its value rounds to one
binary32 number, mpmath with 400 bits (`libm_values.real`) decides the rest. That binary64 is that good is checked on a draw of each block.

>>> correct("expf", np.array([0x3f800000, 0xff800000], np.uint32)).patterns.tolist() == [0x402df854, 0]
True
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from devsem import libm
from devsem.errors import Bug
from devsem.libm_values import NOMINAL, SAME, real
from devsem.ops import OPS
from devsem.records import Order, Subnormals

Bits = npt.NDArray[np.uint32]
NAN, INF, SIGN, MIN_NORMAL = 0x7FFFFFFF, 0x7F800000, 0x80000000, 0x00800000
PLAINLY = 0x00001000        # 2^-137: no misrounding makes it a zero
DIVISION = {"fdividef": "div_approx"}       # the intrinsic is the instruction
POOR = ("lgammaf", "tgammaf")     # whose binary64 value is not good to WINDOW near their zeros and poles
MOST_FACTORS = 4096
WINDOW, GOOD = 2.0 ** -45, 2.0 ** -48      # relative; what is drawn must be better than GOOD by mpmath
DRAWN = 2
BLOCK = 1 << 16     # so many numbers stay in the processor's cache
REFERENCE = "correctly rounded: binary64 where it decides within 2^-45, else mpmath with 400 bits"


@dataclass(frozen=True)
class Correct:
    """The correctly rounded results with NaN as 0x7fffffff, and the real values in binary64."""

    patterns: Bits
    real: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Chunk:
    """What one run of patterns, or of pairs, showed. `worst`: the largest error in ulp, `at`: its input; `nans`: the first with a NaN on one side only.

    `up`, `down`: does the result rise, fall from one pattern to the next; `first`, `last`: the patterns of the first and last result that is a
    number, or None. `inputs`: of subnormal inputs whose correct result is not that of zero, how many gave the result of zero, and how many not;
    `results`: of normal inputs whose correct result is a subnormal of at least 2^-137, how many gave a zero, and how many not."""

    index: int
    sha256: str
    worst: float
    at: str
    nans: str | None
    misrounded: int
    up: bool
    down: bool
    first: int | None
    last: int | None
    inputs: tuple[int, int]
    results: tuple[int, int]


@cache
def meaning(function: str) -> tuple[str, bool]:
    """The function of `libm_values` that a recorded one approximates, and whether it flushes subnormals."""
    plain = function.removeprefix("__")
    row = next((op.name[2:] for op in OPS.values() if op.name.startswith("D.") and op.ptx[:1] == (function,)), DIVISION.get(plain, plain))
    return libm.ROWS[row].function, ".ftz." in function


def _flushed(patterns: Bits) -> Bits:
    return np.where(patterns & NAN < MIN_NORMAL, patterns & np.uint32(SIGN), patterns)


def canonical(patterns: Bits) -> Bits:
    """Every NaN as 0x7fffffff."""
    return np.where(patterns & NAN > INF, np.uint32(NAN), patterns)


def _nearest(values: npt.NDArray[np.float64]) -> Bits:
    """Binary64 rounded to binary32, NaN as 0x7fffffff."""
    found = values.astype(np.float32).view(np.uint32)
    return np.where(np.isnan(values), np.uint32(NAN), found)


def numbers(patterns: Bits) -> npt.NDArray[np.float64]:
    """The values of patterns."""
    return patterns.view(np.float32).astype(np.float64)


def shown(*patterns: int) -> str:
    """An input as records have it."""
    return " ".join(f"{p:#010x}" for p in patterns)


def correct(function: str, *patterns: Bits, flush: bool = False) -> Correct:
    """The correctly rounded results; if `flush`, of the flushed input, and flushed. Raises Bug where binary64 is not good enough."""
    name = meaning(function)[0]
    with np.errstate(all="ignore"):
        xs = [numbers(_flushed(p) if flush else p) for p in patterns]
        y = NOMINAL[SAME.get(name, name) if name not in NOMINAL else name](*xs)
        low, high = _nearest(y * (1 - WINDOW)), _nearest(y * (1 + WINDOW))
    _check(name, xs, y)
    for i in np.flatnonzero(low != high):
        low[i] = _decided(name, tuple(float(x[i]) for x in xs), int(low[i]), int(high[i]))
    return Correct(_flushed(low) if flush else low, y)


def _check(name: str, xs: Sequence[npt.NDArray[np.float64]], y: npt.NDArray[np.float64]) -> None:
    """Compare a draw with mpmath: the same one for the same inputs."""
    usable = np.isfinite(y) & (np.abs(y) > 2.0 ** -1000)
    for x in xs:
        usable &= np.isfinite(x) & (x != 0)
    drawn = np.flatnonzero(usable)
    for i in drawn[:: max(1, len(drawn) // DRAWN)][:DRAWN]:
        given = tuple(float(x[i]) for x in xs)
        exact = real(name, given)
        if abs(exact - float(y[i])) > abs(exact) * GOOD:
            raise Bug(f"binary64 gives {y[i]!r} for {name}{given}, which is too far from {exact}")


def _value(pattern: int) -> float:
    """A pattern's number, an infinity as the number that would follow."""
    sign = -1.0 if pattern & SIGN else 1.0
    return sign * 2.0 ** 128 if pattern & NAN == INF else float(np.array([pattern], np.uint32).view(np.float32)[0])


def _decided(name: str, given: tuple[float, ...], low: int, high: int) -> int:
    """Which of two neighbours is the correctly rounded result; a tie goes to the even one."""
    exact, middle = real(name, given), (_value(low) + _value(high)) / 2
    above = abs(exact) - abs(middle)
    if exact != middle and abs(above) < abs(middle) * 2.0 ** -300:
        above = CLOSE[name](given[0], given[1], middle) if name in CLOSE else None
        if above is None:
            raise Bug(f"{name}{given} is too close to a tie for mpmath")
    if above == 0:
        return low if low % 2 == 0 else high
    return low if above < 0 else high


def _power_above(x: float, y: float, middle: float) -> int | None:
    """0 where |x|^y is |middle|: logarithms cannot tell that, whole exponents of fractions can."""
    n, d = y.as_integer_ratio()
    if abs(n) > MOST_FACTORS or d > MOST_FACTORS:
        return None
    return 0 if Fraction(abs(x)) ** n == Fraction(abs(middle)) ** d else None


def _angle_above(y: float, x: float, middle: float) -> int | None:
    """-1 where y/x is the middle: the angle is a little less."""
    return -1 if x > 0 and Fraction(abs(y)) / Fraction(x) == Fraction(abs(middle)) else None


# what lies so close to a tie that 400 bits cannot tell: the sign of |exact| - |middle|, or None where that is not known either
CLOSE: Mapping[str, Callable[[float, float, float], int | None]] = {"powf": _power_above, "atan2f": _angle_above}


def ulps(results: Bits, exact: Correct) -> npt.NDArray[np.float64]:
    """The errors in units in the last place; NaN where a side is a NaN. 2^128 stands for an infinity."""
    f, y = (np.clip(v, -2.0 ** 128, 2.0 ** 128) for v in (numbers(results), exact.real))
    exponent = np.clip((y.view(np.uint64) >> np.uint64(52)).astype(np.int64) & 0x7FF, 1023 - 126, 1023 + 127)
    return np.asarray(np.abs(f - y) * ((1023 + 23 + 1023 - exponent) << 52).view(np.float64))


def measure(index: int, function: str, given: tuple[Bits, ...], results: Bits, zeros: tuple[int, int]) -> Chunk:
    """What the results show; `zeros` are those at +0 and -0. Of pairs neither order nor subnormals are told."""
    parts = [_errors(function, tuple(g[i:i + BLOCK] for g in given), results[i:i + BLOCK], zeros) for i in range(0, len(results), BLOCK)]
    largest = max(parts, key=lambda p: p.worst)
    told = _steps(given[0], results) if len(given) == 1 else (False, False, None, None)
    return Chunk(index, hashlib.sha256(np.ascontiguousarray(results, "<u4").data).hexdigest(), largest.worst, largest.at,
                 next((p.nan for p in parts if p.nan is not None), None), sum(p.misrounded for p in parts), *told,
                 _sums([p.inputs for p in parts]), _sums([p.results for p in parts]))


def _sums(counts: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


@dataclass(frozen=True)
class _Errors:
    """What a block of a chunk shows, with the meanings of `Chunk`."""

    worst: float
    at: str
    nan: str | None
    misrounded: int
    inputs: tuple[int, int]
    results: tuple[int, int]


def _errors(function: str, given: tuple[Bits, ...], results: Bits, zeros: tuple[int, int]) -> _Errors:
    flush = meaning(function)[1]
    exact = correct(function, *given, flush=flush)
    found = canonical(results)
    with np.errstate(all="ignore"):
        one_nan = (found == NAN) != (exact.patterns == NAN)
        errors = ulps(results, exact)
        if flush:
            errors[found == exact.patterns] = 0
        errors[np.isnan(errors)] = 0
    worst, nan = int(np.argmax(errors)), int(np.argmax(one_nan))
    small = ((0, 0), (0, 0))
    if len(given) == 1:
        small = _subnormals(given[0], found, (correct(function, *given) if flush else exact).patterns, zeros)
    return _Errors(float(errors[worst]), shown(*(int(g[worst]) for g in given)), shown(*(int(g[nan]) for g in given)) if one_nan.any() else None,
                   int(np.count_nonzero(found != exact.patterns)), *small)


def _steps(patterns: Bits, results: Bits) -> tuple[bool, bool, int | None, int | None]:
    """From pattern to pattern, -0 and NaNs left out."""
    kept = results[(results & NAN <= INF) & (patterns & NAN <= INF) & (patterns != SIGN)]
    if not len(kept):
        return False, False, None, None
    v = kept.view(np.float32)
    return bool((v[1:] > v[:-1]).any()), bool((v[1:] < v[:-1]).any()), int(kept[0]), int(kept[-1])


def _subnormals(patterns: Bits, results: Bits, exact: Bits, zeros: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    small = (patterns & NAN < MIN_NORMAL) & (patterns & NAN != 0)
    ours = np.where(patterns & SIGN, np.uint32(zeros[1]), np.uint32(zeros[0]))
    told = small & (exact != ours)
    tiny = (patterns & NAN >= MIN_NORMAL) & (patterns & NAN < INF) & (exact & NAN < MIN_NORMAL) & (exact & NAN >= PLAINLY)
    at_zero, gone = told & (results == ours), tiny & (results & NAN == 0)
    return (int(at_zero.sum()), int(told.sum() - at_zero.sum())), (int(gone.sum()), int(tiny.sum() - gone.sum()))


# --- all runs together ---


def digest(chunks: Sequence[Chunk]) -> str:
    """SHA-256 over the chunks' SHA-256s in order, as `records.LAYOUT` says."""
    return hashlib.sha256(b"".join(bytes.fromhex(c.sha256) for c in sorted(chunks, key=lambda c: c.index))).hexdigest()


def worst(chunks: Sequence[Chunk]) -> tuple[float | None, str]:
    """The largest error, rounded up to a millionth, with its first input; None where a NaN stands on one side only."""
    nans = [c.nans for c in chunks if c.nans is not None]
    if nans:
        return None, min(nans)
    largest = max(c.worst for c in chunks)
    return math.ceil(largest * 1e6) / 1e6, min(c.at for c in chunks if c.worst == largest)


def order(chunks: Sequence[Chunk], negative: int) -> Order:
    """Over the numbers, from below; `negative` is the index of the first chunk of negative inputs."""
    ordered = sorted(chunks, key=lambda c: c.index)
    below = [(c.down, c.up, c.last, c.first) for c in reversed(ordered) if c.index >= negative]
    above = [(c.up, c.down, c.first, c.last) for c in ordered if c.index < negative]
    rises = falls = False
    before: float | None = None
    for up, down, first, last in (*below, *above):
        if first is None or last is None:
            continue
        start = _value(first)
        rises |= up or (before is not None and start > before)
        falls |= down or (before is not None and start < before)
        before = _value(last)
    return "unknown" if before is None else "neither" if rises and falls else "decreasing" if falls else "increasing"


def subnormals(counts: Sequence[tuple[int, int]]) -> Subnormals:
    """What became of subnormals, of how many were lost and kept."""
    lost, kept = _sums(counts)
    return "mixed" if lost and kept else "flushed" if lost else "kept" if kept else "not seen"
