"""What documents say of an obligation as an interval: at one argument, or for every argument between two ends.

`interval` is a fact, found with the table of `libm.py`: the smallest interval that holds everything documents allow. Nothing is assumed
of how the device's function varies between arguments: the real function is monotone between the ends (or has its extreme there), and
the error bound holds at each argument by itself. `guess` is the same on arrays, nearly: it only proposes inputs.

>>> [hex(p) for p in interval("D.expf", (0x3f800000,), (0x3f800000,))]
['0x402df852', '0x402df856']
>>> [hex(p) for p in interval("D.tanh_approx", (0x41200000,), (0x42c80000,))]
['0x3f7fdfff', '0x3f801001']
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from devsem.libm import ERRORS, MIN_NORMAL, ROWS, SPECIAL, Error, flush, reach, silent, without_side
from devsem.libm_ordinals import INF, NAN, SIGN, UNIT, above, below, nearest, number, ordinal, units
from devsem.ops import LIBM1, LIBM2

Ordinals = tuple[int, int]
Bits = tuple[int, ...]

# where the real function rises, or falls, from the first argument of this domain to the last
RISES = {**dict.fromkeys(("expf", "exp2f", "exp10f", "expm1f", "sinhf", "tanhf", "asinhf", "atanf", "erff", "cbrtf", "ex2_approx", "tanh_approx"),
                         (-math.inf, math.inf)),
         **dict.fromkeys(("logf", "log2f", "log10f", "lg2_approx", "sqrt_approx"), (0.0, math.inf)),
         "log1pf": (-1.0, math.inf), "acoshf": (1.0, math.inf), "asinf": (-1.0, 1.0), "atanhf": (-1.0, 1.0)}
SMALLEST = 2.0 ** -149
FALLS = {"acosf": ((-1.0, 1.0),), "erfcf": ((-math.inf, math.inf),), "rsqrtf": ((SMALLEST, math.inf),), "rsqrt_approx": ((SMALLEST, math.inf),),
         "rcp_approx": ((-math.inf, -SMALLEST), (SMALLEST, math.inf))}
WAVES = {"sinf": 0.5, "sin_approx": 0.5, "cosf": 0.0, "cos_approx": 0.0}  # the first maximum, in units of pi; then every pi a minimum or a maximum


def _formula(name: str, args: tuple[float, ...], error: Error, between: bool) -> Ordinals:
    """What the error allows at one argument; `between` arguments an ulp may be twice the one at the end, so twice as many steps."""
    return reach(name, args, replace(error, size=2 * error.size + 1) if between and error.kind == "ulp" else error)


def _hull(parts: Sequence[Ordinals]) -> Ordinals:
    low, high = (max(-INF, min(INF, end)) for end in (min(p[0] for p in parts), max(p[1] for p in parts)))
    return low, high


def _point(name: str, args: Bits, errors: Sequence[Error], between: bool) -> Ordinals | None:
    """The interval at one argument; as an end of an interval of arguments, it also bounds what the errors allow just inside."""
    special = SPECIAL[name](args)
    if special == NAN or (special is None and not errors):
        return None
    parts = [] if special is None else [(ordinal(special), ordinal(special))]
    if special is None or (between and special & NAN < INF):    # an infinite value is the outermost there is
        parts += [_formula(name, tuple(map(number, args)), e, between) for e in errors]
    return _hull(parts)


def _errors(name: str, ends: Sequence[Bits]) -> Sequence[Error]:
    """The errors that count for everything between the ends: the first if it holds at all of them, else all; none if an end has none.

    The first holds on an interval around zero or inside the positive numbers, so between two ends where it holds."""
    rows = ERRORS[name]
    numbers = [tuple(map(number, e)) for e in ends]
    if all(rows[0].holds(*x) for x in numbers):
        return rows[:1]
    special = [SPECIAL[name](e) for e in ends]
    covered = all(s is not None or any(r.holds(*x) for r in rows) for x, s in zip(numbers, special, strict=True))
    return rows if covered else ()


def _monotone(name: str, low: int, high: int) -> bool:
    domains = (RISES[name],) if name in RISES else FALLS.get(name, ())
    return any(a <= number(low) and number(high) <= b for a, b in domains)


def _plain(name: str, lows: Bits, highs: Bits) -> Ordinals | None:
    """The interval of a function without flushing."""
    if lows == highs:
        error = next((e for e in ERRORS[name] if e.holds(*map(number, lows))), None)
        return _point(name, lows, () if error is None else (error,), False)
    if all(number(a) == number(b) for a, b in zip(lows, highs, strict=True)):   # zeros of either sign
        parts = [_plain(name, ends, ends) for ends in set(product(*zip(lows, highs, strict=True)))]
        return None if None in parts else _hull([p for p in parts if p])
    ends = list(dict.fromkeys(product(*zip(lows, highs, strict=True))))
    errors = _errors(name, ends)
    if not errors:
        return None
    if len(lows) > 1:
        usable = _quotient(lows, highs) if name in ("div_approx", "div_full") else name == "powf" and _power(lows, highs)
        parts = [_point(name, e, errors, True) for e in ends] if usable and all(all(r.holds(*map(number, e)) for r in errors) for e in ends) else [None]
    elif name in WAVES:
        parts = [*(_point(name, e, errors, True) for e in ends), *_crests(name, lows[0], highs[0], errors)]
    elif name == "coshf":
        straddles = number(lows[0]) < 0 < number(highs[0])
        parts = [_point(name, e, errors, True) for e in (*ends, *([(0,)] if straddles else []))]
    else:
        parts = [_point(name, e, errors, True) for e in ends] if _monotone(name, lows[0], highs[0]) else [None]
    return None if None in parts else _hull([p for p in parts if p])


def _quotient(lows: Bits, highs: Bits) -> bool:
    """Divisors of one sign: then the quotient is monotone in each argument."""
    return number(lows[1]) > 0 or number(highs[1]) < 0


def _power(lows: Bits, highs: Bits) -> bool:
    """Powers of positive numbers are monotone in each argument."""
    return number(lows[0]) > 0


def _crests(name: str, low: int, high: int, errors: Sequence[Error]) -> list[Ordinals | None]:
    """The extremes of a wave inside an interval, if any."""
    a, b = number(low), number(high)
    if not all(map(math.isfinite, (a, b))):
        return [None]
    first = math.ceil(a / math.pi - WAVES[name] - 1e-6)        # on the safe side: an extreme just outside counts as well
    last = math.floor(b / math.pi - WAVES[name] + 1e-6)
    if abs(a) > 1e5 or abs(b) > 1e5:
        signs = {1, -1}
    else:
        signs = {1 if k % 2 == 0 else -1 for k in range(first, min(last, first + 1) + 1)}
    out: list[Ordinals | None] = []
    for sign in signs:
        for e in errors:
            end = 0x3F800000 + 2 * int(e.size) + 1 if e.kind == "ulp" else above((int((1 + e.size) * 2.0 ** 60) + 1) << UNIT - 60)
            out.append((sign * end, sign * end))
    return out


def _flushed(position: int) -> int:
    return 0 if abs(position) < MIN_NORMAL else position


def _flushed_ends(lows: Bits, highs: Bits) -> tuple[Bits, Bits]:
    """The arguments flushed; an interval keeps both zeros if it has one."""
    pairs = [(flush(a), flush(b)) if a == b else _zeros(flush(a), flush(b)) for a, b in zip(lows, highs, strict=True)]
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def _zeros(low: int, high: int) -> tuple[int, int]:
    return (low if low & NAN else SIGN), (high if high & NAN else 0)


def _contracted(name: str, sign: int, lows: Bits, highs: Bits) -> Ordinals | None:
    """b + p or b - p, rounded once: see `libm._contracted`; between the ends everything is monotone."""
    inner, ftz = _ordinals(name, lows[:-1], highs[:-1]), name.endswith("_ftz")
    if inner is None or any(b & NAN >= INF for b in (lows[-1], highs[-1])):
        return None
    low, high = inner
    if ftz and low <= 0 <= high:
        low, high = min(low, -MIN_NORMAL), max(high, MIN_NORMAL)
    addends = {b for end in (lows[-1], highs[-1]) for b in ((end, flush(end)) if ftz else (end,))}
    ends = []
    for end, step in ((low, -1), (high, 1)):
        p = units(end) + units(end + step)
        ends += [sign * end if end * step == INF else below(nearest(2 * units(ordinal(c)) + sign * p, 1)) for c in addends]
    found = _hull([(min(ends), max(ends))])
    return _hull([found, (_flushed(found[0]), _flushed(found[1]))]) if ftz else found


def _ordinals(row: str, lows: Bits, highs: Bits) -> Ordinals | None:
    for ending, sign in (("_add", 1), ("_rsub", -1)):
        if row.endswith(ending):
            return _contracted(row.removesuffix(ending), sign, lows, highs)
    base = row.removesuffix("_ftz")
    if base == row:
        return _plain(base, lows, highs)
    if base not in LIBM1 and base not in LIBM2:     # an instruction: `.ftz` flushes inputs and results
        found = _plain(base, *_flushed_ends(lows, highs))
        return None if found is None else (_flushed(found[0]), _flushed(found[1]))
    if base != "expf":      # no document says where a whole function flushes
        return None
    parts = [_plain(base, lows, highs), _plain(base, *_flushed_ends(lows, highs))]
    if None in parts:
        return None
    low, high = _hull([p for p in parts if p])
    return _hull([(low, high), (_flushed(low), _flushed(high))])


@lru_cache(maxsize=1 << 14)
def interval(row: str, lows: Bits, highs: Bits) -> tuple[int, int] | None:
    """Patterns between which the obligation's value lies, a number, for all arguments between the ends; None where no document says so.

    An interval of arguments is one of numbers in the order of `le`: it has both zeros if it has one. Equal patterns are that argument."""
    if ROWS[without_side(row)].rule is silent or any(a & NAN > INF for a in (*lows, *highs)):
        return None
    ends = [(a, b) if a == b else _zeros(a, b) for a, b in zip(lows, highs, strict=True)]
    found = _ordinals(without_side(row), tuple(a for a, _ in ends), tuple(b for _, b in ends))
    if found is None:
        return None
    low, high = found
    return (SIGN | -low if low < 0 else low), (SIGN | -high if high < 0 else high)
