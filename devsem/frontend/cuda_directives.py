"""Preprocessor directives of a parsed text: which one is accepted, and whether a condition depends on the compiler or the device.

A name that begins with an underscore belongs to the compiler unless the text or our header defines it: `#if __CUDA_ARCH__ >= 800`
would be another kernel for each device, so it is refused rather than decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clang import cindex

from devsem.errors import Rejection, Where
from devsem.frontend.cuda_clang import MAIN, header
from devsem.frontend.cuda_source import Source
from devsem.rejections import rejection

ACCEPTED = frozenset({"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma", "error", "warning"})
CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif"})
PLATFORM = frozenset({"linux", "unix", "i386", "NDEBUG", "WIN32"})
SAME_EVERYWHERE = frozenset({"__VA_ARGS__", "__VA_OPT__", "__FILE__", "__LINE__", "__func__", "__FUNCTION__"})
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_SPLICE = re.compile(rb"\\[ \t\f\v]*\r?\n")


def directives(source: Source, unit: Any) -> list[Rejection]:
    """What is refused in the text's directives."""
    if "#" not in source.text and "%:" not in source.text:
        return []
    lines = list(_directives(source, unit))
    own = {line[2].spelling for line in lines if line[1].spelling in ("define", "ifndef") and len(line) > 2}
    known = own | SAME_EVERYWHERE | set(re.findall(r"\b_\w+", header()))
    conditional = any(line[1].spelling in ("if", "elif") for line in lines)
    out = []
    for line in lines:
        name = line[1].spelling
        where = Where(source.path, line[0].location.line, line[0].location.column)
        if name not in ACCEPTED or (name in ("define", "undef") and len(line) > 2 and line[2].spelling.startswith("__")):
            out.append(rejection("cuda.directive", where, name="#" + " ".join(t.spelling for t in line[1:3])))
        if name in CONDITIONS or (conditional and name == "define"):
            words = [t.spelling for t in line[2:]]
            unclear = [w for w in words if (w.startswith("_") and w not in known) or w in PLATFORM or w in ("##", "%:%:")]
            out.extend(rejection("cuda.conditional", where, name=w) for w in dict.fromkeys(unclear))
    return out


def _directives(source: Source, unit: Any) -> Iterator[list[Any]]:
    """The tokens of each directive, from its `#` on."""
    data = source.text.encode()
    current: list[Any] | None = None
    end = 0
    for token in _tokens(unit, len(data)):
        gap = data[end:token.extent.start.offset]
        fresh = end == 0 or b"\n" in _SPLICE.sub(b"", gap) or b"/*" in gap
        if current is not None and b"\n" in _SPLICE.sub(b"", _COMMENT.sub(b" ", gap)):
            if len(current) > 1:
                yield current
            current = None
        if current is not None:
            current.append(token)
        elif fresh and token.spelling in ("#", "%:"):
            current = [token]
        end = token.extent.end.offset
    if current is not None and len(current) > 1:
        yield current


def _tokens(unit: Any, size: int) -> Iterator[Any]:
    """The text's tokens without comments."""
    file = unit.get_file(MAIN)
    extent = cindex.SourceRange.from_locations(cindex.SourceLocation.from_offset(unit, file, 0), cindex.SourceLocation.from_offset(unit, file, size))
    return (t for t in unit.get_tokens(extent=extent) if t.kind is not cindex.TokenKind.COMMENT)
