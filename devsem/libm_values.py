"""The real functions behind the obligations: exact to 100 bits by mpmath, and nearly, on whole arrays, by numpy.

`real` decides what a documented error bound allows, so it must be right. `nominal` only proposes candidate inputs.

>>> float(real("expf", (0.0,)))
1.0
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint32]
Doubles = npt.NDArray[np.float64]

PRECISION = 400     # bits; cancellation near a zero of the function costs at most 150 of them
_mp = mpmath.MPContext()
_mp.prec = PRECISION

# the float32 arguments are exact in a Python float; PTX instructions share the C function of the same meaning
SAME = {"ex2_approx": "exp2f", "lg2_approx": "log2f", "rsqrt_approx": "rsqrtf", "sin_approx": "sinf", "cos_approx": "cosf", "tanh_approx": "tanhf",
        "div_full": "div_approx"}


def _power(x: Any, y: Any) -> Any:
    odd = y == _mp.floor(y) and int(y) % 2 == 1
    return (-1 if x < 0 and odd else 1) * _mp.exp(y * _mp.log(abs(x)))


def _signs(y: float, x: float) -> tuple[float, float]:
    """atan2 sees the signs of zeros and infinities; numbers far outside binary32 stand for them and move the angle by less than 2^-300."""
    y = math.copysign(1e-300, y) if y == 0 else math.copysign(1e200, y) if math.isinf(y) else y
    return y, math.copysign(1e-200, x) if x == 0 else math.copysign(1e200, x) if math.isinf(x) else x


def _gamma(x: Any) -> Any:
    """Beyond 40 and -60 the result is far above the largest or far below the smallest binary32."""
    if x > 40:
        return _mp.mpf(2) ** 150
    if x < -60:
        return _mp.mpf(2) ** -200 * (1 if int(_mp.floor(x)) % 2 == 0 else -1)
    return _mp.gamma(x)


REAL: dict[str, Callable[..., Any]] = {
    "expf": _mp.exp, "exp2f": lambda x: _mp.power(2, x), "exp10f": lambda x: _mp.power(10, x), "expm1f": _mp.expm1,
    "logf": _mp.log, "log2f": lambda x: _mp.log(x) / _mp.ln2, "log10f": lambda x: _mp.log(x) / _mp.ln10, "log1pf": _mp.log1p,
    "sinf": _mp.sin, "cosf": _mp.cos, "tanf": _mp.tan, "asinf": _mp.asin, "acosf": _mp.acos, "atanf": _mp.atan,
    "sinhf": _mp.sinh, "coshf": _mp.cosh, "tanhf": _mp.tanh, "asinhf": _mp.asinh, "acoshf": _mp.acosh, "atanhf": _mp.atanh,
    "erff": _mp.erf, "erfcf": lambda x: _mp.erfc(min(x, 30)), "cbrtf": lambda x: _mp.sign(x) * _mp.cbrt(abs(x)), "rsqrtf": lambda x: 1 / _mp.sqrt(x),
    "lgammaf": lambda x: _mp.re(_mp.loggamma(x)), "tgammaf": _gamma,
    "powf": _power, "atan2f": _mp.atan2, "hypotf": lambda x, y: _mp.sqrt(x * x + y * y), "fmodf": lambda x, y: _mp.sign(x) * _mp.fmod(abs(x), abs(y)),
    "rcp_approx": lambda x: 1 / x, "sqrt_approx": _mp.sqrt, "div_approx": lambda x, y: x / y,
}


def real(name: str, args: tuple[float, ...]) -> Any:
    """The function's real value as an mpmath number, relative error below 2^-100; the arguments lie in its domain."""
    return REAL[SAME.get(name, name)](*map(_mp.mpf, _signs(*args) if name == "atan2f" else args))


def scaled(value: Any, shift: int) -> tuple[int, int]:
    """Integers below and above value * 2^shift, at most one apart from it by the slack that `real` leaves."""
    sign, man, exp, _ = value._mpf_
    if not man:
        return 0, 0
    extra = max(0, 120 - int(man).bit_length())
    man, exp = (int(man) << extra) * (-1 if sign else 1), exp - extra + shift
    slack = abs(man) >> 100
    low, high = man - slack, man + slack
    return (low << exp, high << exp) if exp >= 0 else (low >> -exp, -(-high >> -exp))


def _scalar(f: Callable[[float], float], at_error: Callable[[float], float] = lambda x: math.nan) -> Callable[[Doubles], Doubles]:
    """A function of the math module on arrays; where it raises, the value that C gives."""
    def one(x: float) -> float:
        try:
            return f(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return at_error(x)
    ufunc = np.frompyfunc(one, 1, 1)
    return lambda x: np.asarray(ufunc(x), dtype=np.float64)


def _div_approx(x: Doubles, y: Doubles) -> Doubles:
    """PTX: for 2^126 < |y| < 2^128 the quotient is a zero."""
    return np.where((np.abs(y) > 2.0 ** 126) & np.isfinite(y), x * 0.0 * np.sign(y), x / y)


def _nominal_power(x: Doubles, y: Doubles) -> Doubles:
    """numpy takes a root where one exponent 0.5 serves all lanes; pow differs from it at infinities and zeros with a minus sign."""
    x, y = np.broadcast_arrays(x, y)
    odd = (np.floor(y) == y) & (np.mod(y, 2) == 1)
    return np.where((np.isinf(x) | (x == 0)) & ~odd, np.power(np.abs(x), y), np.power(x, y))


NOMINAL: dict[str, Callable[..., Doubles]] = {
    "expf": np.exp, "exp2f": np.exp2, "exp10f": lambda x: np.power(10.0, x), "expm1f": np.expm1,
    "logf": np.log, "log2f": np.log2, "log10f": np.log10, "log1pf": np.log1p,
    "sinf": np.sin, "cosf": np.cos, "tanf": np.tan, "asinf": np.arcsin, "acosf": np.arccos, "atanf": np.arctan,
    "sinhf": np.sinh, "coshf": np.cosh, "tanhf": np.tanh, "asinhf": np.arcsinh, "acoshf": np.arccosh, "atanhf": np.arctanh,
    "erff": _scalar(math.erf), "erfcf": _scalar(math.erfc), "cbrtf": np.cbrt, "rsqrtf": lambda x: 1.0 / np.sqrt(x),
    "lgammaf": _scalar(math.lgamma, lambda x: math.inf),
    "tgammaf": _scalar(math.gamma, lambda x: math.copysign(math.inf, x) if x == 0 else math.nan),
    "powf": _nominal_power, "atan2f": np.arctan2, "hypotf": np.hypot, "fmodf": np.fmod,
    "rcp_approx": lambda x: 1.0 / x, "sqrt_approx": np.sqrt, "div_approx": _div_approx, "div_full": lambda x, y: x / y,
}


def _double(name: str, *args: Bits) -> Doubles:
    f = NOMINAL[name] if name in NOMINAL else NOMINAL[SAME[name]]
    return f(*(np.asarray(a, dtype=np.uint32).view(np.float32).astype(np.float64) for a in args))


def _rounded(doubles: Doubles) -> Bits:
    out = np.asarray(doubles.astype(np.float32)).view(np.uint32)
    return np.where(out & 0x7FFFFFFF > 0x7F800000, np.uint32(0x7FFFFFFF), out)


def nominal(name: str, *args: Bits) -> Bits:
    """The function on bit patterns, computed in binary64 and rounded: a good guess, not a fact."""
    with np.errstate(all="ignore"):
        return _rounded(_double(name, *args))


def nominal_sum(name: str, sign: int, *args: Bits) -> Bits:
    """The last argument plus (or minus) the function of the others, in binary64 and rounded once."""
    with np.errstate(all="ignore"):
        return _rounded(np.asarray(args[-1], dtype=np.uint32).view(np.float32).astype(np.float64) + sign * _double(name, *args[:-1]))
