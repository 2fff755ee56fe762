"""libclang for the host's side of a CUDA text: parsed with our own small header in place of PyTorch's, and asked what a call means.

As in `cuda_clang.py` nothing is read from disk: no include passes `cuda_source.read`, and both headers are handed over in memory.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

from clang import cindex

from devsem.errors import Bug, Rejected, Where
from devsem.frontend.cuda_clang import ARGS, ERROR, HEADER, MAIN, Cursor, children, header, in_text, kind, literal, type_kind
from devsem.frontend.cuda_source import Source
from devsem.rejections import rejection

HOST_ARGS = [*ARGS, "-fexceptions", "-fcxx-exceptions", "-Wno-c++11-narrowing", "-Wno-everything"]
FUNCTIONS = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE"})
OUTER = frozenset({"LINKAGE_SPEC", "NAMESPACE", "UNEXPOSED_DECL"})
PARAMETERS = frozenset({"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER"})
DEVICE = frozenset({"CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR"})


@functools.cache
def host_header() -> str:
    """What stands for CUDA's and PyTorch's headers."""
    return header() + (resources.files("devsem.frontend") / "stubs" / "torch.h").read_text()


def parse_host(source: Source) -> Any:
    """The translation unit of a checked text, seen from the host."""
    try:
        unit = cindex.Index.create().parse(MAIN, args=HOST_ARGS, unsaved_files=[(MAIN, source.text), (HEADER, host_header())])
    except cindex.TranslationUnitLoadError as e:
        raise Rejected(rejection("cuda.depth", Where(source.path), what="the text")) from e
    if read := sorted({str(i.include.name) for i in unit.get_includes()} - {HEADER}):
        raise Rejected(*(rejection("cuda.include", Where(source.path), name=name) for name in read))
    wrong = [d for d in unit.diagnostics if d.severity >= ERROR and d.location.file is not None and d.location.file.name == HEADER]
    if wrong and not source.text.strip():
        raise Bug(f"stubs/torch.h:{wrong[0].location.line}: {wrong[0].spelling}")
    return unit


def functions(cursor: Cursor) -> list[Cursor]:
    """Every function that the text defines outside classes, in whatever namespace, host and device."""
    found: list[Cursor] = []
    for c in children(cursor):
        if in_text(c) and kind(c) in FUNCTIONS and c.is_definition():
            found.append(c)
        elif in_text(c) and kind(c) in OUTER:
            found += functions(c)
    return found


def body(function: Cursor) -> Cursor | None:
    """The statements of a function, or of a lambda."""
    return next((c for c in children(function) if kind(c) == "COMPOUND_STMT"), None)


def is_device(function: Cursor) -> bool:
    """Is it for the device, and not for the host?"""
    found = {kind(c) for c in children(function)}
    return bool(found & DEVICE) and "CUDAHOST_ATTR" not in found


def qualified(cursor: Cursor) -> str:
    """A declaration's name with its namespaces and classes, `c10` and `torch` said as `at`."""
    parts = [str(cursor.spelling)]
    parent = cursor.semantic_parent
    while parent is not None and kind(parent) not in ("TRANSLATION_UNIT", "INVALID_FILE"):
        if kind(parent) != "LINKAGE_SPEC" and parent.spelling:
            parts.append(str(parent.spelling))
        parent = parent.semantic_parent
    if parts[-1] in ("c10", "torch"):
        parts[-1] = "at"
    return "::".join(reversed(parts))


def template_arguments(function: Cursor) -> tuple[str, ...]:
    """What a function was instantiated with, as its launch would spell it."""
    template = cindex.conf.lib.clang_getSpecializedCursorTemplate(function)
    declared = [c for c in children(template) if kind(c) in PARAMETERS] if template is not None else []
    out = []
    for i in range(max(function.get_num_template_arguments(), 0)):
        if function.get_template_argument_kind(i) == cindex.TemplateArgumentKind.INTEGRAL:
            out.append(_integral(function, i, declared[i].type.get_canonical() if i < len(declared) else None))
        else:
            out.append(str(function.get_template_argument_type(i).get_canonical().spelling))
    return tuple(out)


def _integral(function: Cursor, i: int, of: Any) -> str:
    """A template's number, truth value or enumerator."""
    signed, unsigned = function.get_template_argument_value(i), function.get_template_argument_unsigned_value(i)
    match type_kind(of) if of is not None else "INT":
        case "BOOL":
            return "true" if signed else "false"
        case "ENUM":
            return f"({of.spelling}){signed}"
        case "UINT" | "ULONG" | "ULONGLONG":
            return str(unsigned)
    return str(signed)


def is_default(cursor: Cursor) -> bool:
    """Is it an argument that the call leaves to the declaration?"""
    return bool(cursor.extent.start.line == 0)


def constant(cursor: Cursor) -> int | float | None:
    """The value of a literal or of `sizeof`; None where clang has none."""
    try:
        return literal(cursor)
    except ValueError:
        return None
