"""Several requests, one after another: what is decided is shown and saved at once, and no failure takes it away.

A usage error or an internal error ends its own request only; both make the exit code 4.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from devsem.errors import UsageError
from devsem.leanrun import VERSION
from devsem.request import Request
from devsem.verdict import PRECEDENCE, USAGE, Document, Verdict, document, exit_code, save

Decide = Callable[[Request, Callable[[str], None]], list[Verdict]]
Show = Callable[[list[Verdict]], None]
Say = Callable[[str], None]

FILE = "verdict.json"


@dataclass
class Batch:
    """The verdicts so far, and the files that hold them."""

    files: tuple[Path, ...]
    verdicts: list[Verdict] = field(default_factory=list)
    failed: bool = False

    def document(self) -> Document:
        """What is decided by now."""
        return document(self.verdicts, VERSION)

    def code(self) -> int:
        """The exit code by now."""
        codes = {exit_code(self.verdicts)} | ({USAGE} if self.failed else set())
        return next(code for code in PRECEDENCE if code in codes)

    def run(self, requests: Iterable[Request], decide: Decide, show: Show, progress: Say, complain: Say) -> None:
        """Decide each request; `self` is up to date whenever this stops."""
        self._save()  # an older run's verdicts must not stand in for this one's
        for request in requests:
            try:
                found = decide(request, progress)
            except UsageError as error:
                self.failed = True
                complain(str(error))
                continue
            except Exception as error:  # the last line of defence: one kernel's bug must not lose the others' verdicts
                self.failed = True
                complain(internal(error, request.out))
                continue
            self.verdicts += found
            self._save()
            show(found)

    def _save(self) -> None:
        for file in self.files:
            save(self.document(), file)


def internal(error: Exception, out: Path) -> str:
    """Write the traceback into `out`; one sentence that says where it is."""
    path = out / "internal-error.txt"
    text = "".join(traceback.format_exception(error))
    try:
        out.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return f"internal error ({type(error).__name__}), and {path} cannot be written:\n{text}"
    return f"internal error ({type(error).__name__}): a bug in devsem, not in your kernel; please report it with {path}"
