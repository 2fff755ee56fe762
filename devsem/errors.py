"""What can go wrong, kept apart: the user's code (`Rejected`), the user's command (`UsageError`), and us (`Bug`).

PROVED, REFUTED and OPEN are outcomes, never exceptions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Where:
    """A place in a source text; lines and columns count from 1, and 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True)
class Rejection:
    """One construct outside the accepted language: a stable code, where it stands, one sentence, what to do next."""

    code: str
    where: Where
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.code}]" + (f" ({self.hint})" if self.hint else "")


class Rejected(Exception):
    """The kernel or the spec uses something that devsem does not accept. Carries every rejection that was found."""

    def __init__(self, *rejections: Rejection) -> None:
        super().__init__("; ".join(map(str, rejections)))
        self.rejections = rejections


class UsageError(Exception):
    """The command, its options or the environment are wrong: one sentence that says what to do."""


class Bug(Exception):
    """devsem itself is wrong: two of its own views disagree, or Lean refused what we thought was a proof."""
