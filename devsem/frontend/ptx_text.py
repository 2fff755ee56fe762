"""Prints a PTX module as text that `ptx.parse` reads back as the same module, and that ptxas accepts.

>>> from devsem.frontend.ptx import parse
>>> print(show(parse(".version 9.0 .target sm_90 .address_size 64 .entry k(.param .u64 a) { .reg .b32 %r<2>; L: @%p1 bra L; ret; }", "k.ptx")), end="")
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(
    .param .u64 a
)
{
    .reg .b32 %r<2>;
L:
    @%p1 bra L;
    ret;
}
"""

from __future__ import annotations

from collections.abc import Iterator

from devsem.frontend.ptx_ast import ALONE, Function, Immediate, Label, Module, Variable
from devsem.frontend.ptx_declare import FLOATS


def show(module: Module) -> str:
    """The module's text. Blocks stay flattened, and what the reader leaves out (debug information, hints) is not there."""
    return "\n".join(_lines(module)) + "\n"


def _lines(module: Module) -> Iterator[str]:
    yield from (f".version {module.version}", f".target {module.target}", ".address_size 64")
    defined = {f.name for f in module.functions}
    for variable in module.variables:
        yield f"{'.extern ' * variable.external}{_variable(variable)};"
    for function in module.declarations:
        yield f"{'' if function.name in defined else '.extern '}{_signature(function)};"
    for function in module.functions:
        yield f"{'.visible ' * function.entry}{_signature(function)}"
        yield "{"
        for name, (kind, count) in function.registers.items():
            yield f"    .reg .{kind} {name}{'' if count == ALONE else f'<{count}>'};"
        for variable in function.variables:
            yield f"    {_variable(variable)};"
        for item in function.body:
            yield str(item) if isinstance(item, Label) else f"    {item};"
        yield "}"


def _signature(function: Function) -> str:
    results = f"{_parameters(function.results)} " if function.results else ""
    directives = "".join(f"\n.{name}{' ' * bool(values)}{', '.join(map(str, values))}" for name, values in function.directives)
    return f"{'.entry' if function.entry else '.func'} {results}{function.name}{_parameters(function.params)}{directives}"


def _parameters(params: tuple[Variable, ...]) -> str:
    return "(" + ",".join(f"\n    {_variable(p)}" for p in params) + "\n" * bool(params) + ")"


def _variable(variable: Variable) -> str:
    align = f".align {variable.align} " if variable.align else ""
    size = {0: "[]", 1: ""}.get(variable.count, f"[{variable.count}]")
    values = ", ".join(_value(v, variable.type) for v in variable.data)
    data = f" = {values if variable.count == 1 else f'{{{values}}}'}" if variable.data else ""
    return f".{variable.space} {align}.{variable.type} {variable.name}{size}{data}"


def _value(value: int, kind: str) -> str:
    return str(Immediate(value, "f32" if kind == "f32" else "f64") if kind in FLOATS else Immediate(value))
