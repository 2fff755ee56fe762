"""CUDA text to a Program: choose the kernel, translate it, and refuse by name, with every place, whatever is not accepted.

The text is parsed for the device by libclang, never compiled or run. Host code in the file only has to be skippable: what is
wrong inside a host function is ignored.

>>> from devsem.program import show
>>> print(show(parse_kernel("k.cu", "__global__ void k(float* y, float a) { y[threadIdx.x] = 2 * a; }")))
kernel k(float* y, float a)
  y[threadIdx.x] = w_mul(2.0, a)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

from devsem.errors import Rejected, Rejection, UsageError, Where
from devsem.frontend.cuda_aligned import unaligned
from devsem.frontend.cuda_clang import ERROR, MAIN, Cursor, attributes, children, in_text, kind, parse, type_kind
from devsem.frontend.cuda_directives import directives
from devsem.frontend.cuda_expr import value
from devsem.frontend.cuda_guard import survives
from devsem.frontend.cuda_inline import HARMLESS
from devsem.frontend.cuda_memory import BYTE, POINTERS
from devsem.frontend.cuda_names import code_of
from devsem.frontend.cuda_new import new_pointer, note_changes
from devsem.frontend.cuda_objects import ZERO, Pointer, Struct
from devsem.frontend.cuda_record import record
from devsem.frontend.cuda_scope import State
from devsem.frontend.cuda_shapes import VECTORS, element_type, shape_of
from devsem.frontend.cuda_source import Source, read
from devsem.frontend.cuda_stmt import statement
from devsem.frontend.cuda_template import instance, instantiation
from devsem.frontend.cuda_types import BOOLEAN, BY_KIND, DOUBLE, POISON, VOID, CType, Value
from devsem.ops import BY_C, F32
from devsem.program import Param, Program, well_formed
from devsem.rejections import rejection

FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR"})     # a method is one outside its class, too
CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE"})
OUTER = frozenset({"LINKAGE_SPEC", "NAMESPACE", "UNEXPOSED_DECL"})
# what clang says -> group 1 is the name that it is about
UNDECLARED = re.compile(r"(?:use of undeclared identifier|unknown type name) '(\w+)'.*")
NOT_OURS = re.compile(r"(?:reference to __host__ (?:__device__ )?function|no member named|no matching function for call to)"
                      r" '(\w+)'(?: in namespace '(\w+)')?.*")
HOST_VARIABLE = re.compile(r"reference to __host__ variable '(\w+)'")
NO_EXCEPTIONS = re.compile(r"cannot use '(?:try|throw)' .*")
FOLLOWS = frozenset({"cuda.construct", "cuda.type", "cuda.pointer", "cuda.declaration"})    # what a piece that did not compile looks like


def parse_kernel(path: str, text: str | bytes, function: str | None = None, template: tuple[str, ...] = ()) -> Program:
    """The kernel `function` of a CUDA text, or its only one; `template` gives a template's arguments where the text's launches do not.
    Raises Rejected, with every refusal, or UsageError."""
    source = read(path, text)
    survives(source, function, template)
    return translate(source, function, template)


def translate(source: Source, function: str | None, template: tuple[str, ...] = ()) -> Program:
    """The kernel of a checked text."""
    kernel, errors = _kernel(source, function, template)
    state = State(source.path, value, statement, record)
    program = _translate(state, kernel)
    places = {(e.code, e.where) for e in errors}
    refusals = [*errors, *(r for r in state.refusals if not errors or (r.code not in FOLLOWS and (r.code, r.where) not in places))]
    if refusals:
        raise Rejected(*sorted(refusals, key=lambda r: (r.where.line, r.where.column)))
    return well_formed(program)


def _kernel(source: Source, function: str | None, template: tuple[str, ...]) -> tuple[Cursor, list[Rejection]]:
    """The kernel's declaration, a template's instantiated; and what clang found wrong in the text."""
    path, unit = source.path, parse(source)
    refusals = directives(source, unit)
    if refusals:
        raise Rejected(*refusals)
    functions = list(_declared(unit.cursor, FUNCTIONS))
    kernels = [f for f in functions if "CUDAGLOBAL_ATTR" in attributes(f) and f.is_definition()]
    if not kernels:
        raise Rejected(*_errors(source, unit, functions) or [rejection("cuda.empty", Where(path))])
    kernel = _chosen(path, kernels, function)
    if kind(kernel) == "FUNCTION_TEMPLATE":
        whole = instantiation(source, kernel, template)
        unit = parse(whole)
        functions = list(_declared(unit.cursor, FUNCTIONS))
        kernel, failed = instance(whole, unit, kernel)
        inside = [e for e in _errors(whole, unit, functions, kernel) if e.where.line <= source.text.count("\n") + 1]
        return kernel, [*inside, *failed]
    return kernel, _errors(source, unit, functions, kernel)


def _declared(cursor: Cursor, kinds: frozenset[str]) -> Iterator[Cursor]:
    """Every function, or class, that the text declares outside others, in whatever namespace."""
    for c in children(cursor):
        if in_text(c) and kind(c) in kinds:
            yield c
        elif in_text(c) and kind(c) in OUTER:
            yield from _declared(c, kinds)


def _chosen(path: str, kernels: list[Cursor], function: str | None) -> Cursor:
    """The kernel to read."""
    names = [str(k.spelling) for k in kernels]
    fitting = [k for k in kernels if function is None or k.spelling == function]
    if len(fitting) == 1:
        return fitting[0]
    what = "no kernel" if not fitting else "several kernels"
    wanted = f" named {function}" if function is not None else ""
    raise UsageError(f"{path} has {what}{wanted}: choose one of {', '.join(sorted(set(names)))} with --function")


def _errors(source: Source, unit: Any, functions: list[Cursor], kernel: Cursor | None = None) -> list[Rejection]:
    """What clang found wrong outside host functions and other kernels; of plain syntax errors only the first, since others follow from it."""
    host = [f.extent for f in functions if not attributes(f) & {"CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR"} and f.is_definition()]
    host += [f.extent for f in functions if kernel is not None and "CUDAGLOBAL_ATTR" in attributes(f) and f.location != kernel.location]
    host += [c.extent for c in _declared(unit.cursor, CLASSES)]      # a kernel that uses a class is refused in any case
    out: list[Rejection] = []
    for d in unit.diagnostics:
        if d.severity < ERROR:
            continue
        at = d.location
        here = at.file is not None and at.file.name == MAIN
        if here and any(e.start.offset <= at.offset <= e.end.offset for e in host):
            continue
        found = _diagnosed(source, d.spelling, Where(source.path, at.line, at.column) if here else Where(source.path), at.offset)
        if found.code != "cuda.syntax" or all(r.code != "cuda.syntax" for r in out):
            out.append(found)
    return out


def _diagnosed(source: Source, message: str, where: Where, offset: int) -> Rejection:
    """An error of clang's as a refusal: a name of CUDA's or a call by its own code, nesting as depth, all else as syntax."""
    if "nesting level exceeded" in message:
        return rejection("cuda.depth", where, what="the code")
    if NO_EXCEPTIONS.fullmatch(message):
        return rejection("cuda.exception", where)
    if (found := NOT_OURS.fullmatch(message)) and (found[2] or found[1] not in BY_C):
        return rejection(code_of(found[1]) or "cuda.call", where, name=f"{found[2]}::{found[1]}" if found[2] else found[1])
    if host := HOST_VARIABLE.match(message):
        return rejection("cuda.global_variable", where, name=host[1])
    if undeclared := UNDECLARED.fullmatch(message):
        name = undeclared[1]
        after = source.text.encode()[offset + len(name.encode()):].lstrip()[:1]
        code = code_of(name) or ("cuda.call" if after == b"(" else None)
        if code is not None:
            return rejection(code, where, name=name)
    return rejection("cuda.syntax", where, what=f"the compiler says: {message}")


def _translate(state: State, kernel: Cursor) -> Program:
    """One kernel; its refusals are in `state`."""
    note_changes(state, kernel)
    declared = _signature(state, kernel)
    if kind(kernel) == "FUNCTION_DECL":
        statement(state, children(kernel)[-1])
    for array in state.arrays.values():
        if state.elements[array.name] is BYTE:
            state.refusals.append(rejection("cuda.array", array.where, name=array.name))
    program = replace(declared, body=tuple(state.blocks[0]), arrays=tuple(state.arrays.values()))
    state.refusals += unaligned(program, state.aligned)
    return program


def _signature(state: State, kernel: Cursor) -> Program:
    """A kernel's name and parameters."""
    name = str(kernel.spelling)
    if kind(kernel) != "FUNCTION_DECL":     # why it has no instance is refused already
        return Program(name, (), ())
    if not attributes(kernel) <= HARMLESS:
        state.refuse("cuda.attribute", kernel, name=name)
    declared = [c for c in children(kernel) if kind(c) == "PARM_DECL"]
    taken = {str(c.spelling) for c in declared}
    unnamed = (f"arg{i}" for i in count() if f"arg{i}" not in taken)
    params = tuple(_param(state, c, str(c.spelling) or next(unnamed)) for c in declared)
    return Program(name, params, (), state.where(kernel))


def _param(state: State, cursor: Cursor, name: str) -> Param:
    """A kernel parameter, declared as a buffer or as a variable."""
    state.names[name] = 1
    shape = type_kind(cursor.type)
    if shape in POINTERS:
        to = cursor.type.get_canonical().get_pointee() if shape == "POINTER" else cursor.type.element_type
        element = BY_KIND.get(type_kind(to), VOID)
        if element not in (VOID, DOUBLE, BOOLEAN) and not to.is_volatile_qualified():
            state.elements[name] = element
            new_pointer(state, cursor, Pointer(name, ZERO, element))
            return Param(name, f"{'const ' if to.is_const_qualified() else ''}{element.name}*", state.where(cursor))
        vector = shape_of(state, to, cursor, name) if str(to.spelling).removeprefix("const ") in VECTORS and not to.is_volatile_qualified() else None
        if isinstance(vector, Struct) and isinstance(found := element_type(vector), CType):
            state.elements[name] = found
            new_pointer(state, cursor, Pointer(name, ZERO, vector))
            return Param(name, f"{'const ' if to.is_const_qualified() else ''}{found.name}*", state.where(cursor))
    scalar = BY_KIND.get(shape, VOID)
    if scalar in (VOID, DOUBLE):
        state.refuse("cuda.double" if scalar is DOUBLE else "cuda.parameter", cursor, name=name, type=str(cursor.type.spelling))
        state.declare(cursor, POISON)
        return Param(name, "float", state.where(cursor))
    param = Param(name, scalar.name, state.where(cursor))
    state.declare(cursor, Value(scalar, param.expr))
    state.order[param.expr] = len(state.order)
    return param


def signature(path: str, text: str | bytes, function: str | None = None, template: tuple[str, ...] = ()) -> Program:
    """The kernel with its parameters and no body: what the compiled reading needs of the text. Refuses only the parameters."""
    source = read(path, text)
    survives(source, function, template)
    kernel, _ = _kernel(source, function, template)
    state = State(source.path, value, statement, record)
    found = _signature(state, kernel)
    vectors = {c.spelling for c in children(kernel) if kind(c) == "PARM_DECL" and type_kind(c.type.get_canonical().get_pointee()) == "RECORD"}
    refusals = state.refusals + [rejection("cuda.parameter", p.where, name=p.name, type=p.type) for p in found.params
                                 if p.is_buffer and (p.sort != F32 or p.name in vectors)]
    if refusals:
        raise Rejected(*refusals)
    return found
