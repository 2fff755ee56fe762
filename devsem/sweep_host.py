"""Functions on this processor, as numpy computes them on float32 arrays with the vector instructions that it finds: not the C library's."""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.errors import UsageError

Bits = npt.NDArray[np.uint32]
UFUNCS: Mapping[str, np.ufunc] = {
    "expf": np.exp, "exp2f": np.exp2, "expm1f": np.expm1, "logf": np.log, "log2f": np.log2, "log10f": np.log10, "log1pf": np.log1p, "sinf": np.sin,
    "cosf": np.cos, "tanf": np.tan, "asinf": np.arcsin, "acosf": np.arccos, "atanf": np.arctan, "sinhf": np.sinh, "coshf": np.cosh, "tanhf": np.tanh,
    "asinhf": np.arcsinh, "acoshf": np.arccosh, "atanhf": np.arctanh, "cbrtf": np.cbrt,
}


def host_function(name: str) -> Callable[[Bits], Bits]:
    """The function on patterns; UsageError where numpy has none."""
    if name not in UFUNCS:
        raise UsageError(f"numpy has no {name} on float32, so the host cannot run it; it has {', '.join(UFUNCS)}")
    f = UFUNCS[name]

    def run(patterns: Bits) -> Bits:
        with np.errstate(all="ignore"):
            out: npt.NDArray[np.float32] = f(patterns.view(np.float32))
        return out.view(np.uint32)
    return run


def processor() -> str:
    """This processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor() or platform.machine())


def source(name: str) -> str:
    """What runs: numpy's function, with what decides which of its codes it takes."""
    config: Any = np.show_config(mode="dicts")
    simd = config.get("SIMD Extensions", {}).get("found", [])
    return f"numpy.{UFUNCS[name].__name__} on float32 arrays, numpy {np.__version__}, vector instructions {', '.join(simd) or 'baseline'}"
