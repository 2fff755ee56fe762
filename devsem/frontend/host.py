"""The wrapper around a kernel as a Plan: which tensors it makes, and which kernels it launches with what.

A wrapper is a function of the text that launches kernels: the one that PYBIND11_MODULE binds, or that no other such function calls.

>>> plan = read_wrapper("k.cu", '''
... #include <torch/extension.h>
... __global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i]; }
... torch::Tensor forward(torch::Tensor x) {
...     auto y = torch::empty_like(x);
...     int n = x.numel();
...     k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
...     return y;
... }''').plan
>>> plan.launches[0].arguments, plan.results
(('x', 'y', wrap(x.size(0))), ('y',))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from devsem.errors import Rejected, UsageError, Where
from devsem.expr import Expr, const_int, variables
from devsem.frontend.cuda_clang import ERROR, MAIN, Cursor, attributes, children, is_expression, kind, type_kind
from devsem.frontend.cuda_directives import directives
from devsem.frontend.cuda_guard import survives
from devsem.frontend.cuda_source import Source, read
from devsem.frontend.host_clang import functions, is_device, parse_host, qualified
from devsem.frontend.host_run import Reader
from devsem.frontend.host_state import Host, NeedsRank
from devsem.frontend.host_values import INTEGERS, HostTensor, Int, Items, NotModelled, Real, Unknown, as_type, free, resized
from devsem.frontend.spec import SpecInput
from devsem.ops import B64, F32
from devsem.plan import Plan, size_of
from devsem.rejections import rejection
from devsem.simplify import make

MOST_RANK = 6
TAKEN_FOR_GRANTED = "the wrapper's tensors are contiguous float32 on the device, and no CUDA call fails"


@dataclass
class Texts:
    """The host's functions of one or more texts that are linked together."""

    sources: tuple[Source, ...]
    units: tuple[Any, ...]
    owners: Mapping[str, tuple[int, Cursor]]
    wrong: tuple[tuple[tuple[int, str], ...], ...]

    def readers(self, host: Host) -> dict[str, tuple[Reader, Cursor]]:
        """A reader for each text, over one host."""
        table: dict[str, tuple[Reader, Cursor]] = {}
        made = [Reader(s, host, functions=table, wrong=w) for s, w in zip(self.sources, self.wrong, strict=True)]
        table.update({name: (made[i], f) for name, (i, f) in self.owners.items()})
        return table


@dataclass(frozen=True)
class Wrapped:
    """What a wrapper does, and what was taken for granted."""

    plan: Plan
    notes: tuple[str, ...] = field(default=(TAKEN_FOR_GRANTED,))


def checked(path: str, text: str | bytes) -> Source:
    """A text that may be parsed: it reaches no file, and does not exhaust the parser."""
    source = read(path, text)
    survives(source, None)
    return source


def texts_of(sources: Sequence[Source]) -> Texts:
    """The functions of some checked texts. Raises Rejected."""
    owners: dict[str, tuple[int, Cursor]] = {}
    units, wrong = [], []
    for i, source in enumerate(sources):
        unit = parse_host(source)
        if refused := directives(source, unit):
            raise Rejected(*refused)
        owners.update({qualified(f): (i, f) for f in functions(unit.cursor)})
        units.append(unit)
        wrong.append(tuple((d.location.offset, str(d.spelling)) for d in unit.diagnostics
                           if d.severity >= ERROR and d.location.file is not None and d.location.file.name == MAIN))
    return Texts(tuple(sources), tuple(units), owners, tuple(wrong))


def kernels_of(source: Source) -> list[str]:
    """The names of the kernels that a checked text defines, each once, in order."""
    found = [f for f in functions(parse_host(source).cursor) if "CUDAGLOBAL_ATTR" in attributes(f)]
    return list(dict.fromkeys(str(f.spelling) for f in found))


def launching(texts: Texts) -> list[str]:
    """The host's functions that launch kernels, themselves or by others, in the order of the texts."""
    calls = {name: _calls(f) for name, (_, f) in texts.owners.items() if not is_device(f) and not name.startswith("devsem_")}
    found = {name for name, called in calls.items() if "cudaConfigureCall" in called}
    while more := {name for name, called in calls.items() if name not in found and called & found}:
        found |= more
    return [name for name in calls if name in found]


def wrapper_of(texts: Texts, path: str) -> str | None:
    """The function that Python calls; None where no function launches a kernel. Raises Rejected where several could be meant."""
    found = launching(texts)
    called = {name for f in found for name in _calls(texts.owners[f][1])}
    roots = [name for name in found if name not in called and name != "main"] or found
    bound = [name for name in bindings_of(texts).values() if name in found]
    roots = bound or roots
    if not roots:
        return None
    named = [r for r in roots if r.split("::")[-1] in ("forward", "run", "launch")]
    if len(roots) > 1 and len(named) != 1:
        raise Rejected(rejection("host.several", Where(path, texts.owners[roots[1]][1].location.line, texts.owners[roots[1]][1].location.column),
                                 names=", ".join(roots)))
    return (named or roots)[0] if len(roots) > 1 else roots[0]


def bindings_of(texts: Texts) -> dict[str, str]:
    """Python's names for functions: `m.def("forward", &forward)`."""
    out: dict[str, str] = {}
    for name, (_, f) in texts.owners.items():
        if not name.startswith("devsem_module_"):
            continue
        for c in f.walk_preorder():
            if kind(c) == "CALL_EXPR" and str(c.spelling) == "def":
                below = list(c.walk_preorder())
                words = [str(w.spelling).strip('"') for w in below if kind(w) == "STRING_LITERAL"]
                meant = [qualified(w.referenced) for w in below if kind(w) == "DECL_REF_EXPR" and w.referenced is not None
                         and kind(w.referenced) == "FUNCTION_DECL"]
                if words and meant:
                    out[words[-1] if len(words) == 1 else words[0]] = meant[0]
    return out


def _calls(function: Cursor) -> set[str]:
    return {qualified(c.referenced) for c in function.walk_preorder() if kind(c) == "CALL_EXPR" and c.referenced is not None}


def call_wrapper(texts: Texts, host: Host, name: str, arguments: Sequence[Any], at: Where | None = None) -> Any:
    """Calls a function of the texts, at a place of Python's; Rejected where an argument does not fit."""
    reader, function = texts.readers(host)[name]
    given = [c for c in children(function) if kind(c) == "PARM_DECL"]
    if at is not None:
        arguments = [passed(host, p, a, at) for p, a in zip(given, arguments, strict=False)] + list(arguments[len(given):])
    least = sum(1 for p in given if not any(is_expression(c) for c in children(p)))
    if not least <= len(arguments) <= len(given):
        raise reader.refused("host.arguments", function, name=name, given=str(len(arguments)), taken=str(len(given)))
    return reader.call(function, arguments, function)


def passed(host: Host, parameter: Cursor, value: Any, at: Where) -> Any:
    """A value that Python passes to a C++ parameter: a number that does not fit is an error there."""
    name, to = str(parameter.spelling), type_kind(parameter.type)
    if isinstance(value, Unknown):
        try:
            return free(value.name, to)
        except NotModelled:
            raise Rejected(rejection("host.value", at, what=f"the value of `{value.name}`, which the caller gives,")) from None
    if is_tensor(parameter) != isinstance(value, HostTensor) and "optional" not in str(parameter.type.spelling):
        raise Rejected(rejection("host.check", at, text=f"the argument for `{name}` is {'a tensor' if is_tensor(parameter) else 'no tensor'}"))
    if to in INTEGERS and isinstance(value, Real):
        raise Rejected(rejection("host.check", at, text=f"the argument for `{name}` is an integer"))
    if to in INTEGERS and isinstance(value, Int) and value.expr.sort == B64:
        narrow = as_type(value, to)
        back = resized(narrow, B64, True).expr
        host.require(make("ieq_b64", back, value.expr), f"the argument for `{name}` fits into its type", at)
    return value


def read_wrapper(path: str, text: str | bytes, inputs: Sequence[SpecInput] | None = None, numbers: Mapping[str, float] | None = None) -> Wrapped:
    """The plan of the wrapper in a CUDA text. Raises Rejected or UsageError.

    `inputs`: the spec's tensors; the wrapper's are these by name, or else in order. `numbers`: what numeric parameters are."""
    texts = texts_of((checked(path, text),))
    name = wrapper_of(texts, path)
    if name is None:
        raise Rejected(rejection("host.none", Where(path)))
    ranks: dict[str, int] = {}
    while True:
        try:
            return _read(texts, path, name, inputs, numbers or {}, ranks)
        except NeedsRank as needs:
            ranks[needs.tensor] = ranks.get(needs.tensor, 1) + 1
            if ranks[needs.tensor] > MOST_RANK:
                raise Rejected(rejection("host.view", Where(path), name=needs.tensor)) from None


def _read(texts: Texts, path: str, name: str, inputs: Sequence[SpecInput] | None, numbers: Mapping[str, float], ranks: Mapping[str, int]) -> Wrapped:
    parameters = [c for c in children(texts.owners[name][1]) if kind(c) == "PARM_DECL"]
    tensors = [p for p in parameters if is_tensor(p)]
    outputs = outputs_of(texts, name, tensors)
    bound = _bound([str(p.spelling) for p in tensors if str(p.spelling) not in outputs], inputs, path)
    host = Host(at=None if inputs is None else {})
    for p in tensors:
        add_tensor(host, str(p.spelling), bound.get(str(p.spelling)), ranks.get(str(p.spelling), 1), inputs is None, is_output=str(p.spelling) in outputs)
    given = [_given(host, p, numbers, texts.sources[0].path) for p in parameters]
    result = call_wrapper(texts, host, name, given)
    if result is None:
        result = Items(tuple(HostTensor(o, host.memories[o].dims) for o in outputs))
    return Wrapped(finish(host, result, Where(path, texts.owners[name][1].location.line)), (TAKEN_FOR_GRANTED, *host.notes))


def outputs_of(texts: Texts, name: str, tensors: Sequence[Cursor]) -> tuple[str, ...]:
    """The tensors that a `void` wrapper writes: those that it passes to a kernel as `float*`. None of a wrapper that returns its result."""
    if type_kind(texts.owners[name][1].result_type) != "VOID":
        return ()
    host = Host()
    for p in tensors:
        add_tensor(host, str(p.spelling), None, MOST_RANK, False)
    with suppress(Rejected):        # said again when it is read in earnest
        call_wrapper(texts, host, name, [_given(host, p, {}, texts.sources[0].path)
                                         for p in children(texts.owners[name][1]) if kind(p) == "PARM_DECL"])
    return tuple(str(p.spelling) for p in tensors if str(p.spelling) in host.touched)


def is_tensor(parameter: Cursor) -> bool:
    """Is it a `torch::Tensor`, by value or by reference?"""
    of = parameter.type.get_pointee() if type_kind(parameter.type) in ("LVALUEREFERENCE", "RVALUEREFERENCE") else parameter.type
    return str(of.get_canonical().spelling).removeprefix("const ") == "at::Tensor"


def add_tensor(host: Host, name: str, spec: SpecInput | None, rank: int, is_guess: bool, *, is_output: bool = False,
               given: tuple[Expr, ...] = ()) -> HostTensor:
    """A tensor that the caller gives; its sizes are variables, known at the spec's; a parameter's are fixed. `given`: sizes that are known otherwise."""
    name = host.unused(name)
    if spec is not None and spec.kind == "parameter":      # the model has them in these sizes, whatever its inputs are
        host.bindings[name] = spec.name
        return host.new(name, tuple(const_int(B64, n) for n in spec.shape), "input")
    dims = given or tuple(size_of(name, i) for i in range(len(spec.shape) if spec is not None else rank))
    if is_guess:
        host.guessed.add(name)
    made = host.new(name, dims, "empty" if is_output else "input")
    if spec is not None:
        host.bindings[name] = spec.name
        host.at = {**(host.at or {}), **dict(zip(dims, spec.shape, strict=True))}
    elif not is_output:
        host.bindings[name] = name
    return made


def _bound(names: Sequence[str], inputs: Sequence[SpecInput] | None, path: str) -> dict[str, SpecInput]:
    if inputs is None:
        return {}
    by_name = {i.name: i for i in inputs}
    if set(names) <= by_name.keys():
        return {n: by_name[n] for n in names}
    if len(names) > len(inputs):
        raise UsageError(f"{path}: the wrapper takes {len(names)} tensors ({', '.join(names)}), the spec has {len(inputs)} "
                         f"({', '.join(by_name) or 'none'}); use --bind to say which is which")
    return dict(zip(names, inputs, strict=False))


def _given(host: Host, parameter: Cursor, numbers: Mapping[str, float], path: str) -> Any:
    """The value of a parameter of the wrapper."""
    name = str(parameter.spelling)
    if is_tensor(parameter):
        return HostTensor(name, host.memories[name].dims)
    where = Where(path, parameter.location.line, parameter.location.column)
    if type_kind(parameter.type) == "POINTER":
        raise Rejected(rejection("host.raw", where, name=name))
    if name in numbers:
        found = numbers[name]
        return Real(float(found), True) if type_kind(parameter.type) in ("FLOAT", "DOUBLE") else Int(const_int(B64, int(found)))
    if any(is_expression(c) for c in children(parameter)):
        return None
    try:
        return free(name, type_kind(parameter.type))
    except NotModelled:
        raise Rejected(rejection("host.value", where, what=f"the parameter `{name}` of type `{parameter.type.spelling}`")) from None


def finish(host: Host, result: Any, where: Where) -> Plan:
    """The plan of what a host has done, with its result."""
    results = result.values if isinstance(result, Items) else (result,)
    if not results or not all(isinstance(r, HostTensor) for r in results):
        raise Rejected(rejection("host.result", where, what="nothing that is a tensor"))
    shapes = tuple(r.dims for r in results)
    tensors = tuple(host.memories.values())
    launches = tuple(host.launches)
    if not launches:
        raise Rejected(rejection("host.none", where))
    used: list[Expr] = [*(d for t in tensors for d in t.dims), *(d for s in shapes for d in s), *(c.holds for c in host.conditions)]
    for launch in launches:
        used += [*launch.grid, *launch.block, launch.shared_bytes, *(a for a in launch.arguments if isinstance(a, Expr))]
    sizes = tuple(v for v in variables(*used) if v.sort != F32)
    return Plan(tensors, launches, tuple(host.conditions), tuple(r.memory for r in results), shapes, sizes, host.bindings)


def constant_value(value: object) -> Any:
    """A Python number, as a wrapper's argument; None for anything else."""
    if isinstance(value, bool):
        return Int(const_int(B64, int(value)))
    if isinstance(value, int):
        return Int(const_int(B64, value))
    return Real(value, True) if isinstance(value, float) else None
