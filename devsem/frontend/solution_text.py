"""A string of a Python text that knows which line of it each of its own lines comes from, through concatenation and replacement.

The text to parse is laid out so that its lines have the numbers that they have in the Python file, wherever that is possible.

>>> source = literal("a\\n  b\\n", line=3, column=5, last=5)
>>> source.replaced("b", "c").laid_out()
('\\n\\n     a\\n  c\\n', True)
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Text:
    """`lines`: for each line of `value` the line of the Python file that it begins in; `column`: how far its first line is indented there."""

    value: str
    lines: tuple[int, ...]
    column: int = 0

    def __add__(self, other: Text) -> Text:
        """One after the other."""
        tail = self.value.rpartition("\n")[2]
        lines = (*self.lines[:-1], *other.lines) if not tail else (*self.lines, *other.lines[1:])
        return Text(self.value + other.value, lines, self.column if self.value else other.column)

    def replaced(self, old: str, new: str) -> Text:
        """`str.replace`."""
        value = self.value.replace(old, new)
        if old.count("\n") == new.count("\n") == 0:
            return replace(self, value=value)
        return _spread(value, self.lines[0])

    def stripped(self, left: bool, right: bool) -> Text:
        """`str.strip` and its halves."""
        value = self.value
        kept = value.lstrip() if left else value
        gone = value[:len(value) - len(kept)].count("\n")
        kept = kept.rstrip() if right else kept
        lines = self.lines[gone:]
        return Text(kept, lines[:kept.count("\n") + 1], self.column if not gone else 0)

    def dedented(self) -> Text:
        """`textwrap.dedent`."""
        return replace(self, value=textwrap.dedent(self.value))

    def laid_out(self) -> tuple[str, bool]:
        """The value with empty lines before its own, so that each has its number in the Python file; False if that is not so for all of them."""
        out: list[str] = []
        exact = True
        for i, (text, line) in enumerate(zip(self.value.split("\n"), self.lines, strict=True)):
            if len(out) + 1 < line and not (out and out[-1].rstrip().endswith("\\")):
                out += [""] * (line - 1 - len(out))
            exact &= len(out) + 1 == line
            out.append(" " * self.column + text if i == 0 and text.strip() else text)
        return "\n".join(out), exact


def literal(value: str, line: int, column: int, last: int) -> Text:
    """A string constant that stands from `line` (its text after `column` characters) to `last`."""
    count = value.count("\n")
    if count == last - line:
        return Text(value, tuple(range(line, line + count + 1)), column)
    return _spread(value, line)     # its line breaks are written as escapes


def joined(parts: tuple[Text, ...], separator: Text) -> Text:
    """`separator.join(parts)`."""
    if not parts:
        return Text("", (1,))
    out = parts[0]
    for p in parts[1:]:
        out = out + separator + p
    return out


def _spread(value: str, line: int) -> Text:
    """A text of which only the first line's place is known."""
    return Text(value, (line,) * (value.count("\n") + 1))
