"""Functions on this processor: numpy's on float32 arrays, with the vector instructions that it finds; where numpy has none, the C library's.

`source` says which code a function is: two processors, or two versions of numpy or of the C library, may give different results.
"""

from __future__ import annotations

import ctypes
import os
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.errors import Bug, UsageError

Bits = npt.NDArray[np.uint32]
UFUNCS: Mapping[str, np.ufunc] = {
    "expf": np.exp, "exp2f": np.exp2, "expm1f": np.expm1, "logf": np.log, "log2f": np.log2, "log10f": np.log10, "log1pf": np.log1p, "sinf": np.sin,
    "cosf": np.cos, "tanf": np.tan, "asinf": np.arcsin, "acosf": np.arccos, "atanf": np.arctan, "sinhf": np.sinh, "coshf": np.cosh, "tanhf": np.tanh,
    "asinhf": np.arcsinh, "acoshf": np.arccosh, "atanhf": np.arctanh, "cbrtf": np.cbrt,
    "powf": np.power, "atan2f": np.arctan2, "hypotf": np.hypot, "fmodf": np.fmod,
}
LIBRARY = {"erff": 0x3F053F7B, "erfcf": 0x3EF5810A}       # of the C library, with its result at a half, by which the call is checked
ROOT = "rsqrtf"
NAMES = (*UFUNCS, *LIBRARY, ROOT)
LOOP = 6        # PyUFunc_f_f, numpy's loop over a C function from float to float: its number in the ufunc API is part of numpy's ABI


def host_function(name: str) -> Callable[..., Bits]:
    """The function on patterns; UsageError where this processor has none."""
    if name not in NAMES:
        raise UsageError(f"neither numpy nor the C library has {name} on float32, so the host cannot run it; there are {', '.join(NAMES)}")
    if name in LIBRARY:
        return _of_library(name)
    f: Callable[..., Any] = UFUNCS[name] if name in UFUNCS else lambda x: np.float32(1) / np.sqrt(x)

    def run(*patterns: Bits) -> Bits:
        with np.errstate(all="ignore"):
            out: npt.NDArray[np.float32] = f(*(p.view(np.float32) for p in patterns))
        return out.view(np.uint32)
    return run


def _of_library(name: str) -> Callable[..., Bits]:
    """The C library's function over an array, by numpy's own loop: from Python, element by element, it would take twenty times as long."""
    try:
        function = getattr(ctypes.CDLL("libm.so.6" if platform.system() == "Linux" else None), name)
    except (OSError, AttributeError):
        raise UsageError(f"this system's C library has no {name} that can be called") from None
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = (ctypes.c_void_p * (LOOP + 1)).from_address(pointer(np._core._multiarray_umath._UFUNC_API, None))     # type: ignore[attr-defined]
    loop = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(table[LOOP] or 0)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0

    def run(patterns: Bits) -> Bits:
        given = np.ascontiguousarray(patterns)
        out = np.empty_like(given)
        arrays, count = np.array([given.ctypes.data, out.ctypes.data], np.uintp), np.array([given.size], np.intp)
        steps = np.array([4, 4], np.intp)
        loop(arrays.ctypes.data, count.ctypes.data, steps.ctypes.data, address)
        return out
    if int(run(np.array([0x3F000000], np.uint32))[0]) not in range(LIBRARY[name] - 4, LIBRARY[name] + 5):
        raise Bug(f"the C library's {name} is not what was called")
    return run


def processor() -> str:
    """This processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or platform.machine())


def library() -> str:
    """The C library with its version."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or "an unknown C library"
    except (ValueError, OSError):
        return f"the C library of {platform.system()} {platform.release()}"


def toolkit(name: str) -> str:
    """Whose function it is."""
    return library() if name in LIBRARY else f"numpy {np.__version__}"


def source(name: str) -> str:
    """What runs, with what decides which of numpy's codes it takes."""
    if name in LIBRARY:
        return f"{name} of the C library, {library()}, on {processor()}"
    ours = f"numpy.{UFUNCS[name].__name__}" if name in UFUNCS else "1 / numpy.sqrt, rounded twice,"
    used = UFUNCS.get(name, np.sqrt)
    return f"{ours} on float32 arrays, numpy {np.__version__}, {_code(used)}, {library()}, on {processor()}"


def _code(f: np.ufunc) -> str:
    """The code that numpy has chosen for this processor, by its own account."""
    introspect = getattr(np.lib, "introspect", None)
    found = introspect.opt_func_info(func_name=f"^{f.__name__}$", signature="float32").get(f.__name__, {}) if introspect else {}
    chosen = next((row["current"] for row in found.values()), "")
    config: Any = np.show_config(mode="dicts")
    simd = config.get("SIMD Extensions", {}).get("found", [])
    return (f"its code for {chosen}" if chosen else "its code for every processor") + f" (vector instructions {', '.join(simd) or 'baseline'})"
