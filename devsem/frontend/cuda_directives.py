"""Preprocessor directives of a parsed text: which one is accepted, and whether a condition depends on the compiler or the device.

A condition may ask only for names that the text itself has defined or undefined on every way to it: any other name may be the
compiler's, a header's or the command line's. And no name of the language or of CUDA may be given another meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from clang import cindex

from devsem.errors import Rejection, Where
from devsem.frontend.cuda_clang import MAIN, header
from devsem.frontend.cuda_names import is_library
from devsem.frontend.cuda_source import Source
from devsem.rejections import rejection

ACCEPTED = frozenset({"define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma", "error", "warning"})
CONDITIONS = frozenset({"if", "ifdef", "ifndef", "elif"})
BRANCHES = frozenset({"elif", "else", "elifdef", "elifndef"})
PLATFORM = frozenset({"linux", "unix", "i386", "NDEBUG", "WIN32"})
SAME_EVERYWHERE = frozenset({"__VA_ARGS__", "__VA_OPT__", "__FILE__", "__LINE__", "__func__", "__FUNCTION__"})
ALWAYS_DEFINED = frozenset({"__cplusplus", "__CUDACC__"})
OPERATORS = frozenset({"defined", "true", "false", "and", "or", "not", "xor", "bitand", "bitor", "compl", "not_eq"})
KEYWORDS = frozenset("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const const_cast constexpr
continue decltype default defined delete do double dynamic_cast else enum explicit export extern false final float for friend goto if inline int long
mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected public register reinterpret_cast return short signed
sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using
virtual void volatile wchar_t while xor xor_eq std at torch c10 half""".split())
_CONSTANT = re.compile(r"(FLT|DBL|LDBL|CUDART)_\w+|M_(E|LOG|LN|PI|[12]_|SQRT)\w*|U?(CHAR|SHRT|INT|LONG|LLONG|SIZE|INT\d+)_(MAX|MIN)"
                       r"|(INFINITY|NAN|HUGE_VALL?|MAXFLOAT|EOF)")
_GUARD = re.compile(r"(?!CUDA|NV|HAVE_)[A-Z][A-Z0-9_]*_(H|CUH|HPP|CU)_*")
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_SPLICE = re.compile(rb"\\[ \t\f\v]*\r?\n")


def directives(source: Source, unit: Any) -> list[Rejection]:
    """What is refused in the text's directives."""
    if "#" not in source.text and "%:" not in source.text:
        return []
    lines = list(directive_lines(source, unit))
    out = []
    for line in lines:
        name, macro = line[1].spelling, line[2].spelling if len(line) > 2 else ""
        if name not in ACCEPTED or (name in ("define", "undef") and macro.startswith("__")):
            out.append(rejection("cuda.directive", _where(source, line), name="#" + " ".join(t.spelling for t in line[1:3])))
        elif name in ("define", "undef") and _is_cudas(macro):
            out.append(rejection("cuda.macro", _where(source, line), name=macro))
    out.extend(rejection("cuda.conditional", _where(source, lines[at]), name=word) for at, word in _unclear(lines))
    return sorted(out, key=lambda r: (r.where.line, r.where.column))


def _where(source: Source, line: list[Any]) -> Where:
    """A directive's place."""
    return Where(source.path, line[0].location.line, line[0].location.column)


def _is_cudas(name: str) -> bool:
    """Whether a name means something to the language or to CUDA."""
    return name in KEYWORDS or name in PLATFORM or is_library(name) or _CONSTANT.fullmatch(name) is not None or name in _declared()


@cache
def _declared() -> frozenset[str]:
    """Every name of our header, without its parameters and fields."""
    words = re.findall(r"\b[A-Za-z_]\w+", re.sub(r"//.*|\"[^\"\n]*\"", "", header()))
    return frozenset(words) - {"name", "module", "T0", "T1", "T2"}


def _unclear(lines: list[list[Any]]) -> list[tuple[int, str]]:
    """Directive and name wherever a condition depends on a name that the text has not certainly set before."""
    known: set[str] = set()
    defined: dict[str, list[int]] = {}
    stack: list[tuple[set[str], list[set[str]], bool]] = []         # known before, known after each finished branch, whether `else` was there
    out: dict[tuple[int, str], None] = {}
    for at, line in enumerate(lines):
        name, macro = line[1].spelling, line[2].spelling if len(line) > 2 else ""
        if name in CONDITIONS:
            if name == "ifndef" and _is_guard(lines, at):
                known.add(macro)
            before = stack[-1][0] if name == "elif" and stack else known
            out.update(dict.fromkeys(_unset(lines, at, before, defined)))
        if name in ("if", "ifdef", "ifndef"):
            stack.append((set(known), [], False))
        elif name in BRANCHES and stack:
            before, ends, _ = stack[-1]
            stack[-1] = (before, [*ends, known], name == "else")
            known = set(before)
        elif name == "endif" and stack:
            before, ends, exhaustive = stack.pop()
            known = set.intersection(known, *ends) if exhaustive else before
        elif name in ("define", "undef"):
            known.add(macro)
            if name == "define":
                defined.setdefault(macro, []).append(at)
    return list(out)


def _is_guard(lines: list[list[Any]], at: int) -> bool:
    """Whether `#ifndef X` opens the text and `#define X` follows: a header's guard."""
    if any(line[1].spelling != "pragma" for line in lines[:at]) or at + 1 >= len(lines) or len(lines[at]) != 3:
        return False
    after = [t.spelling for t in lines[at + 1][1:]]
    return after == ["define", lines[at][2].spelling] and _GUARD.fullmatch(after[1]) is not None


def _unset(lines: list[list[Any]], at: int, known: set[str], defined: dict[str, list[int]]) -> Iterator[tuple[int, str]]:
    """Names that a condition depends on, itself or by the macros it uses, and that the text has not set; and `##`, which makes names."""
    todo, seen = [at], {at}
    while todo:
        now = todo.pop()
        line = lines[now]
        words, local = [t.spelling for t in line[2:]], set()
        if line[1].spelling == "define":
            words = words[1:]
            if len(line) > 3 and words[0] == "(" and line[3].extent.start.offset == line[2].extent.end.offset and ")" in words:
                close = words.index(")")
                local, words = set(words[:close]), words[close + 1:]
        for i, word in enumerate(words):
            asked = line[1].spelling in ("ifdef", "ifndef") or "defined" in (words[max(i - 1, 0)], words[i - 2] if i > 1 and words[i - 1] == "(" else "")
            if word in ("##", "%:%:"):
                yield now, word
            if not word.isidentifier() or word in local or word in OPERATORS or word in SAME_EVERYWHERE or (asked and word in ALWAYS_DEFINED):
                continue
            if word not in known:
                yield now, word
            todo += [d for d in defined.get(word, ()) if d not in seen]
            seen.update(defined.get(word, ()))


def directive_lines(source: Source, unit: Any) -> Iterator[list[Any]]:
    """The tokens of each directive, from its `#` on."""
    data = source.text.encode()
    current: list[Any] | None = None
    end = 0
    for token in tokens(unit, len(data)):
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


def tokens(unit: Any, size: int) -> Iterator[Any]:
    """The text's tokens without comments."""
    file = unit.get_file(MAIN)
    extent = cindex.SourceRange.from_locations(cindex.SourceLocation.from_offset(unit, file, 0), cindex.SourceLocation.from_offset(unit, file, size))
    return (t for t in unit.get_tokens(extent=extent) if t.kind is not cindex.TokenKind.COMMENT)
