"""C formulas as the device's compiler leaves them: CUDA text → NVRTC → PTX → ptxas' rule → one expression.

The formulas are this project's own: PyTorch's kernels (`aten_eager.py`) and the CUDA math library's functions. All of them go through one
translation unit, which gives each kernel the code that it has alone [M: 57 formulas on sm_75, sm_90 and sm_100, NVRTC 13.0]. Flags are
nvcc's defaults: those PyTorch is built with, and those under which `expf` means the accurate function.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devsem.aten_eager_rows import OUTPUT, Formula
from devsem.errors import Bug, Rejected
from devsem.expr import Expr, substitute, var, variables
from devsem.frontend.nvrtc import compile_device
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Variable
from devsem.frontend.ptxas import Machine, machine
from devsem.frontend.sass import SassFunction, disassemble, nvdisasm_path
from devsem.frontend.sass_match import confirm
from devsem.frontend.toolkits import choose_toolkit
from devsem.ops import F32, LIBM1, LIBM2
from devsem.program import Param
from devsem.ptx_symbolic import notes, run_ptx
from devsem.simplify import TRUE

FILE = "formulas.cu"
PREDICTED = "which products ptxas fuses into a sum of `{}` is predicted by its measured rule, not confirmed in machine code"


@dataclass(frozen=True)
class Body:
    """What a formula computes, in D. rows over variables `params`; `notes` is what that rests on, for the verdict."""

    params: tuple[str, ...]
    value: Expr
    notes: tuple[str, ...] = ()


_known: dict[tuple[Formula, str, str], Body | Rejected] = {}


def compile_formulas(formulas: Iterable[Formula], arch: str, toolkit: str | None = None) -> dict[Formula, Body | Rejected]:
    """Each formula as compiled, or why its code cannot be read; remembered in this process.

    `arch` is "sm_90", `toolkit` "13.0" or None for the newest installed one. UsageError where NVRTC or that toolkit is missing."""
    version, wanted = choose_toolkit(toolkit), tuple(dict.fromkeys(formulas))
    new = [f for f in wanted if (f, arch, version) not in _known]
    if new:
        for formula, value in zip(new, _values(new, arch, version), strict=True):
            _known[formula, arch, version] = value
    return {f: _known[f, arch, version] for f in wanted}


def library_formula(name: str) -> Formula:
    """A function of the CUDA math library as a formula: `library_formula("expf").body == "return expf(a);"`."""
    params = ("a",) if name in LIBM1 else ("a", "b") if name in LIBM2 else ()
    if not params:
        raise Bug(f"{name} is no function of the table")
    return Formula(tuple((p, "tensor") for p in params), f"return {name}({', '.join(params)});")


def library(name: str, arch: str, toolkit: str | None = None) -> Body:
    """The body of a CUDA math function over `var("a")` (and `var("b")`); raises Rejected where its code cannot be read."""
    formula = library_formula(name)
    value = compile_formulas([formula], arch, toolkit)[formula]
    if isinstance(value, Rejected):
        raise value
    return value


def _values(formulas: Sequence[Formula], arch: str, version: str) -> list[Body | Rejected]:
    """The bodies of formulas compiled together."""
    text = "".join(f.kernel(f"k{i}") for i, f in enumerate(formulas))
    done = compile_device(text, file=FILE, arch=arch, options=(), toolkit=version)
    module = parse(done.ptx, FILE)
    made = {f.name: machine(f, arch=arch, fmad=True) for f in module.functions}
    asked = nvdisasm_path() is not None and any(m.sites or m.limits for m in made.values())
    code = {f.name: f for f in disassemble(done.cubin)} if asked else {}
    return [_body(f, made[name], module.variables, arch, code.get(name)) for i, f in enumerate(formulas) if (name := f"k{i}")]


def _body(formula: Formula, made: Machine, tables: Sequence[Variable], arch: str, code: SassFunction | None) -> Body | Rejected:
    """What one kernel stores, as predicted; confirmed in its machine code where that is there and the prediction had a choice."""
    params = (*(Param(name, "const float*" if kind == "tensor" else "float") for name, kind in formula.params), Param(OUTPUT, "float*"))
    try:
        stores = run_ptx(made.function, params, tables)
    except Rejected as refused:
        return refused
    if len(stores.stores) != 1 or stores.stores[0].guard is not TRUE:
        raise Bug(f"the formula {formula.body!r} is not one store")
    value = substitute(stores.stores[0].value, {load.variable: var(load.buffer, F32) for load in stores.loads})
    foreign = {v.name for v in variables(value)} - {name for name, _ in formula.params}
    if foreign:
        raise Bug(f"the formula {formula.body!r} depends on {', '.join(sorted(foreign))}")
    open_ = (made.sites or made.limits) and not (code is not None and confirm(made.function, code, arch=arch).confirmed)
    return Body(tuple(name for name, _ in formula.params), value, (*notes(stores), *([PREDICTED.format(formula.body)] if open_ else [])))
