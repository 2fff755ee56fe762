"""A kernel that is a template, instantiated: its arguments are given, or those of the launches in the text.

A line behind the text names the instance, so that the compiler makes it; every place in the text stays as it is.
"""

from __future__ import annotations

import re
from typing import Any

from devsem.errors import Rejected, Rejection, UsageError, Where
from devsem.frontend.cuda_clang import ERROR, Cursor, children, descendants, kind
from devsem.frontend.cuda_source import Source
from devsem.rejections import rejection

NAME = "devsem_instance"
_ARGUMENT = re.compile(r"[\w:<>,()*+\- \t]+")


def instantiation(source: Source, kernel: Cursor, given: tuple[str, ...]) -> Source:
    """The text with a line behind it that names the instance. Raises Rejected where the arguments are not known."""
    name, where = str(kernel.spelling), Where(source.path, kernel.location.line, kernel.location.column)
    if not source.text.isascii() and any(not a.isascii() for a in given):
        raise UsageError(f"the template's arguments {', '.join(given)} are no text that C++ reads")
    for argument in given:
        if not _ARGUMENT.fullmatch(argument):
            raise UsageError(f"the template's argument {argument!r} is neither a type nor a number")
    launched = sorted({" ".join(a.split()) for a in _launched(source.text, name)})
    if not given and len(launched) > 1:
        shown = "; ".join(f"<{a}>" for a in launched)
        raise UsageError(f"{source.path} launches {name} with several template arguments: choose one of {shown}")
    parameters = [c for c in children(kernel) if kind(c) in ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER")]
    arguments = ", ".join(given) if given else launched[0] if launched else ""
    if not given and not launched and any(not _has_default(c) for c in parameters):
        raise Rejected(rejection("cuda.template", where, name=name, what="its arguments are not known"))
    return Source(source.path, f"{source.text}\n__device__ auto {NAME} = &{_qualified(kernel)}<{arguments}>;\n")


def _launched(text: str, name: str) -> list[str]:
    """The template arguments of each launch; the type that PyTorch's dispatch macros choose is float here."""
    found = re.findall(rf"\b{re.escape(name)}\s*<(?!<)([^;{{}}]*?)>\s*<<<", text)
    return [re.sub(r"\bscalar_t\b", "float", a) for a in found if _ARGUMENT.fullmatch(" ".join(a.split()))]


def _has_default(parameter: Cursor) -> bool:
    return "=" in {t.spelling for t in parameter.get_tokens()}


def _qualified(cursor: Cursor) -> str:
    """A function's name with its namespaces."""
    names = [str(cursor.spelling)]
    outer = cursor.semantic_parent
    while outer is not None and kind(outer) == "NAMESPACE":
        names.append(str(outer.spelling))
        outer = outer.semantic_parent
    return "::" + "::".join(n for n in reversed(names) if n)


def instance(source: Source, unit: Any, template: Cursor) -> tuple[Cursor, list[Rejection]]:
    """The instance in a parsed text, and why there is none."""
    name, where = str(template.spelling), Where(source.path, template.location.line, template.location.column)
    last = source.text.count("\n")
    for d in unit.diagnostics:
        if d.severity >= ERROR and d.location.line >= last:
            return template, [rejection("cuda.template", where, name=name, what=f"the compiler says: {d.spelling}")]
    for declared in reversed(list(unit.cursor.get_children())):
        if kind(declared) == "VAR_DECL" and declared.spelling == NAME:
            found = [c.referenced.get_definition() for c in descendants(declared) if kind(c) == "DECL_REF_EXPR" and c.referenced is not None]
            if found and found[0] is not None and kind(found[0]) == "FUNCTION_DECL":
                return found[0], []
    return template, [rejection("cuda.template", where, name=name, what="its body is not there")]
