"""Strings that a solution fills in: `text.format(…)` and `text % …`, of constants and without widths or precisions."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from devsem.frontend.host_values import Items
from devsem.frontend.solution_text import Text
from devsem.frontend.solution_values import Unclear

MOST_TEXT = 1 << 18
FIELD = re.compile(r"%(.?)", re.DOTALL)


def formatted(e: ast.AST, text: Text, args: Sequence[Any], keywords: Mapping[str, Any]) -> Text:
    """`text.format(…)`. Raises Unclear."""
    given: dict[str, Any] = {**{str(i): a for i, a in enumerate(args)}, **keywords}
    if any(not isinstance(v, Text | int | float) for v in given.values()):
        raise _unclear(e, "`.format` of something that is no constant")
    out, following = "", 0
    try:
        for before, name, spec, conversion in string.Formatter().parse(text.value):
            out += before
            if name is None:
                continue
            if not name:
                name, following = str(following), following + 1
            if spec or conversion or name not in given:
                raise _unclear(e, f"the field `{name}` of `.format`")
            out = _longer(e, out, _said(given[name]))
    except ValueError as why:
        raise _unclear(e, str(why)) from None
    return _laid(text, out)


def filled(e: ast.AST, text: Text, given: Any) -> Text:
    """`text % given`, with `%s`, `%d` and `%%`. Raises Unclear."""
    values = list(given.values) if isinstance(given, Items) else [given]
    out, end = "", 0
    for found in FIELD.finditer(text.value):
        out, end = out + text.value[end:found.start()], found.end()
        if found[1] == "%":
            out += "%"
            continue
        value = values.pop(0) if values else None
        known = isinstance(value, int) and not isinstance(value, bool) if found[1] == "d" else found[1] == "s" and isinstance(value, Text | int | float)
        if not known:
            raise _unclear(e, f"the field `{found[0]}` of `%`")
        out = _longer(e, out, _said(value))
    if values:
        raise _unclear(e, "more values than fields of `%`")
    return _laid(text, out + text.value[end:])


def _said(value: Any) -> str:
    return value.value if isinstance(value, Text) else str(value)


def _longer(e: ast.AST, out: str, more: str) -> str:
    if len(out) + len(more) > MOST_TEXT:
        raise Unclear(e, "solution.size", what=f"a string has more than {MOST_TEXT} characters")
    return out + more


def _laid(text: Text, value: str) -> Text:
    """The filled text, with the lines of the one it was, where it has as many."""
    count = value.count("\n")
    return replace(text, value=value) if count == text.value.count("\n") else Text(value, tuple(range(1, count + 2)))


def _unclear(e: ast.AST, what: str) -> Unclear:
    return Unclear(e, "solution.text", name="the string", what=what)
