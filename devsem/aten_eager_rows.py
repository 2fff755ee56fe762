"""What a row of the eager table is: the element function of an operator's CUDA kernel, in C, and how a call's arguments enter it.

`--reference eager` means what PyTorch's CUDA code computes: each operator is one kernel, compiled by itself with nvcc's default flags.
So a row gives a C text in our own words, following the order and the types of ATEN.md, and `compiled.py` compiles that text. Numbers of
the module (a slope, a bound, an exponent) are arguments of PyTorch's kernels, not constants of their text; here they are scalar
parameters likewise, so that the compiler sees what PyTorch's compiler saw.

>>> print(Formula((("a", "tensor"), ("s", "scalar")), "return a > 0.0f ? a : a * s;").kernel("k"))
static __device__ __forceinline__ float f_k(float a, float s) { return a > 0.0f ? a : a * s; }
extern "C" __global__ void k(const float* a, float s, float* o) { o[0] = f_k(a[0], s); }
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from devsem.aten_rows import Call, Refused, always
from devsem.expr import Expr

Kind = Literal["tensor", "scalar"]
OUTPUT = "o"
EAGER = "spec.eager"


@dataclass(frozen=True)
class Formula:
    """`float f_k(params…) { body }`: a tensor's element is loaded, a scalar is a parameter of the kernel. Names are C's, in order."""

    params: tuple[tuple[str, Kind], ...]
    body: str

    def kernel(self, name: str) -> str:
        """CUDA text of a kernel that stores f of one element in `o[0]`."""
        types = ", ".join(f"float {p}" for p, _ in self.params)
        params = "".join(f"const float* {p}, " if kind == "tensor" else f"float {p}, " for p, kind in self.params)
        args = ", ".join(f"{p}[0]" if kind == "tensor" else p for p, kind in self.params)
        return (f"static __device__ __forceinline__ float f_{name}({types}) {{ {self.body} }}\n"
                f'extern "C" __global__ void {name}({params}float* {OUTPUT}) {{ {OUTPUT}[0] = f_{name}({args}); }}\n')


@dataclass(frozen=True)
class Applied:
    """A formula at the arguments of one call."""

    formula: Formula
    args: tuple[Expr, ...]


Plan = Callable[[Call], Applied | Expr]


@dataclass(frozen=True, kw_only=True)
class EagerRow:
    """One ATen operator's CUDA kernel, the evidence for it (tags of ATEN.md), and what it assumes, when `when` holds.

    A plan that gives an expression needs no compiler: one correctly rounded instruction, or no arithmetic at all."""

    name: str
    plan: Plan
    evidence: str
    assumption: str = ""
    when: Callable[[Call], bool] = always


def kernel(body: str, **given: str | Callable[[Call], Expr]) -> Plan:
    """A plan from a C body: each C name is an argument of the call (a tensor or a number), or a number computed from the call."""
    def plan(c: Call) -> Applied:
        params: list[tuple[str, Kind]] = []
        args: list[Expr] = []
        for name, give in given.items():
            tensor = isinstance(give, str) and isinstance(c.args.get(give), Expr)
            params.append((name, "tensor" if tensor else "scalar"))
            args.append(give(c) if callable(give) else c.f32(give))
        return Applied(Formula(tuple(params), body), tuple(args))
    return plan


def unknown(why: str) -> Refused:
    """The refusal of a call whose CUDA kernel is not known well enough."""
    return Refused(f"its CUDA kernel is not in the table of `--reference eager`: {why}", EAGER)
