"""Which entry of a PTX text is the kernel of that name in the source: C++ names, as the Itanium ABI writes them.

Only the name is read, never the types: `_Z4reluPKfPfi` is `relu`, `_ZN2ml4reluIfEEvPT_` is `ml::relu`.

>>> unmangled("_ZN2ml4reluIfEEvPT_")
('ml', 'relu')
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from devsem.errors import UsageError

_UNNAMED = re.compile(r"_GLOBAL__N_\w*")      # how compilers call a namespace that has no name
_LENGTH = re.compile(r"\d+")


def unmangled(symbol: str) -> tuple[str, ...]:
    """The parts of the C++ name, outermost first and without template arguments; a symbol that is not mangled is its own only part."""
    if not symbol.startswith("_Z"):
        return (symbol,)
    rest = symbol[2:]
    if not rest.startswith("N"):
        part = _part(rest.removeprefix("L"))
        return (part[0],) if part else (symbol,)
    parts, rest = [], rest[1:].lstrip("rVK")
    while part := _part(rest.removeprefix("L")):
        parts.append(part[0])
        rest = part[1]
    return tuple(p for p in parts if not _UNNAMED.fullmatch(p)) or (symbol,)


def entry_name(ptx_names: Iterable[str], source_name: str) -> str:
    """The one PTX entry of the function `source_name`, given as `relu`, as `ml::relu`, or mangled; UsageError where none or several fit."""
    names = list(ptx_names)
    wanted = tuple(source_name.split("::"))
    fitting = [n for n in names if n == source_name] or [n for n in names if unmangled(n)[-len(wanted):] == wanted]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UsageError(f"several compiled kernels are named {source_name}: choose one of {', '.join(sorted(fitting))}")
    raise UsageError(f"no compiled kernel is named {source_name} (there {'is' if len(names) == 1 else 'are'} {', '.join(sorted(names)) or 'none'})")


def _part(text: str) -> tuple[str, str] | None:
    """The identifier that a length announces, and what follows it."""
    if (length := _LENGTH.match(text)) is None:
        return None
    end = length.end() + int(length[0])
    return (text[length.end():end], text[end:]) if len(text) >= end else None
