"""Ask Lean whether a text proves its theorems, and believe only the whole answer.

A text is accepted when all of this holds:

1. its tokens are a verdict file's (`leantext.refusals` finds nothing);
2. Lean compiles it with exit code 0, no error and no warning;
3. a second, fresh Lean imports the compiled file, every FloatLib module and the kernel's reserved names together, and says of each
   theorem, by its full name, that it is a theorem and depends on no axiom, each on the line where we asked, and says nothing else.

The second run costs 0.06 s and is what makes the answer ours: the text cannot print there, cannot leave a comment or a namespace open
around our question, and cannot have redefined a library or kernel name, since Lean refuses to import two declarations of one name.

What is NOT decided here is whether a theorem's statement says what the reader hopes: `leanfile` writes it, and `Check.statements` shows it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from devsem import leanlib, leantext
from devsem.errors import UsageError
from devsem.leanlib import build_library
from devsem.leanrun import PINNED, VERSION, Diagnostic, Lean, Run, diagnostics, pinned_digest, run, verified

__all__ = ["PINNED", "VERSION", "Check", "Diagnostic", "Lean", "build_library", "check_file", "check_text", "info"]

MODULE = "Verdict"
_FREE = re.compile(r"'(?P<name>\S+)' does not depend on any axioms")
_AXIOMS = re.compile(r"'(?P<name>\S+)' depends on axioms: \[(?P<axioms>[^\]]*)\]")
_THEOREM = re.compile(r"(?:@\[[^\]]*\]\s*)?theorem (?P<name>\S+)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_'!?]*(\.[A-Za-z_][A-Za-z0-9_'!?]*)*")


@dataclass(frozen=True)
class Check:
    """Lean's answer about one text. `reason` is empty if and only if it is accepted; `axioms` and `statements` are by full theorem name."""

    accepted: bool
    reason: str
    diagnostics: tuple[Diagnostic, ...] = ()
    axioms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    statements: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    exit_code: int = 0


def warm(lean: Lean) -> None:
    """Do what every check in this process needs once: verify Lean, and read FloatLib's names. What fails here fails again where it is needed."""
    leanlib.names(leanlib.sources())
    verified(lean)


def check_file(path: str | Path, theorems: Sequence[str] | None = None, *, lean: Lean, timeout: float = 60, memory_mb: int = 4096,
               root: Path | None = None, cache: Path | None = None) -> Check:
    """Check a `.lean` file. Without `theorems`, those of its own `#print axioms NAME` lines are meant, and it must have one."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return refused("it is not a text file (not UTF-8)")
    return check(text, theorems, lean=lean, timeout=timeout, memory_mb=memory_mb, root=root, cache=cache)


def check_text(text: str, theorems: Sequence[str], *, lean: Lean, timeout: float = 60, memory_mb: int = 4096,
               root: Path | None = None, cache: Path | None = None) -> Check:
    """Check that `text` proves these theorems, named in full (`Verdict.relu_ieee`), without any axiom."""
    return check(text, theorems, lean=lean, timeout=timeout, memory_mb=memory_mb, root=root, cache=cache)


def check(text: str, theorems: Sequence[str] | None, *, lean: Lean, timeout: float, memory_mb: int, root: Path | None, cache: Path | None) -> Check:
    """The three conditions, in order."""
    root = root or leanlib.sources()
    found = leantext.refusals(text, leanlib.names(root))
    if found:
        return refused(f"{found[0].reason}, line {found[0].line}", tuple(Diagnostic("error", f.line, 1, f.reason) for f in found))
    if theorems is not None and not theorems:
        return refused("no theorem is expected of it")
    requests = leantext.axiom_requests(text) if theorems is None else []
    if theorems is None and not requests:
        return refused("it has no `#print axioms NAME` line")
    library = build_library(lean, root, cache=cache)
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        work = Path(folder)
        (work / f"{MODULE}.lean").write_text(text, encoding="utf-8")
        first = run(lean, ["--json", "-Dlinter.all=false", "-DautoImplicit=false", "-o", f"{MODULE}.olean", f"{MODULE}.lean"], folder=work, search=[library],
                    timeout=timeout, memory_mb=memory_mb)
        said = diagnostics(first)
        reason = unclean(first, said)
        if reason:
            return refused(reason, said, first, axioms=axioms_of(said))
        names = list(theorems) if theorems is not None else requested(requests, said)
        bad = [name for name in names if not _NAME.fullmatch(name)]
        if bad:
            return refused(f"`{bad[0]}` is not the name of a theorem", said, first)
        theirs = leanlib.names(root).intersection(names)
        if theirs:
            return refused(f"`{min(theirs)}` is FloatLib's, not this text's", said, first)
        return second_opinion(work, library, list(leanlib.modules(root)), names, said, first, lean, timeout, memory_mb)


def second_opinion(work: Path, library: Path, modules: Sequence[str], names: Sequence[str], said: tuple[Diagnostic, ...], first: Run, lean: Lean,
                   timeout: float, memory_mb: int) -> Check:
    """Ask a fresh Lean about the compiled file: three lines for each theorem, three messages, and no other."""
    head = ["prelude", *(f"import {module}" for module in (*modules, leanlib.RESERVED, MODULE)), "set_option pp.maxSteps 2000", "set_option pp.notation false"]
    asked = [line for name in names for line in (f"#print axioms _root_.{name}", f"#check _root_.{name}", f"set_option pp.maxSteps 1 in #print _root_.{name}")]
    (work / "Ask.lean").write_text("\n".join(head + asked) + "\n", encoding="utf-8")
    ran = run(lean, ["--json", "Ask.lean"], folder=work, search=[library, work], timeout=timeout, memory_mb=memory_mb)
    seconds = first.seconds + ran.seconds
    answers = diagnostics(ran)
    reason = unclean(ran, answers)
    axioms = axioms_of(answers)
    if not reason and len(answers) != len(asked):
        reason = f"Lean gave {len(answers)} answers to {len(asked)} questions"
    by_line = {answer.line: answer.message for answer in answers}
    statements = {}
    for i, name in enumerate(names):
        free, statement, kind = (by_line.get(len(head) + 3 * i + k, "") for k in (1, 2, 3))
        statements[name] = statement
        reason = reason or not_proved(name, free, kind)
    return Check(not reason, reason, said + answers if reason else said, axioms, statements if not reason else {}, seconds, ran.exit_code)


def not_proved(name: str, free: str, kind: str) -> str:
    """Why Lean's answers do not make `name` a theorem without axioms; empty if they do."""
    if free != f"'{name}' does not depend on any axioms":
        return f"Lean does not say that `{name}` is free of axioms: {free}"
    shown = _THEOREM.match(kind)
    if shown is None or shown["name"] != name:
        return f"`{name}` is not a theorem"
    return ""


def unclean(ran: Run, said: Sequence[Diagnostic]) -> str:
    """Why a run is no clean success; empty if it is."""
    bad = [d for d in said if d.severity != "information"]
    if ran.failure:
        return ran.failure
    if bad:
        return f"Lean's {bad[0].severity} at line {bad[0].line}: {bad[0].message}"
    return f"Lean ended with exit code {ran.exit_code}: {ran.stderr.strip()[-300:]}" if ran.exit_code else ""


def requested(requests: Sequence[tuple[str, int]], said: Sequence[Diagnostic]) -> list[str]:
    """The full names that a file's own `#print axioms` lines mean, as Lean resolved them on those lines."""
    resolved = {d.line: found["name"] for d in said if (found := _FREE.fullmatch(d.message) or _AXIOMS.fullmatch(d.message))}
    return [resolved.get(line, name) for name, line in requests]


def axioms_of(said: Sequence[Diagnostic]) -> dict[str, tuple[str, ...]]:
    """What each theorem depends on, as far as Lean said it."""
    free = {found["name"]: () for d in said if (found := _FREE.fullmatch(d.message))}
    return free | {found["name"]: tuple(found["axioms"].replace(",", " ").split()) for d in said if (found := _AXIOMS.fullmatch(d.message))}


def refused(reason: str, said: tuple[Diagnostic, ...] = (), ran: Run | None = None, axioms: Mapping[str, tuple[str, ...]] | None = None) -> Check:
    """A check that failed."""
    return Check(False, reason, said, axioms or {}, {}, ran.seconds if ran else 0.0, ran.exit_code if ran else 0)


def info(lean: Lean, *, root: Path | None = None, cache: Path | None = None) -> dict[str, str]:
    """What `devsem lean info` shows: which Lean, which FloatLib, and where it lies compiled."""
    root, cache = root or leanlib.sources(), cache or leanlib.default_cache()
    target = leanlib.tree(lean, root, cache)
    return {
        "lean": VERSION,
        "prints": verified(lean),
        "kind": "bundled library" if lean.kind == "library" else "stock toolchain",
        "file": lean.target.name,
        "sha256": pinned_digest()[:16] if lean.kind == "library" else "",
        "floatlib": leanlib.source_hash(root)[:16],
        "modules": str(len(leanlib.modules(root))),
        "cache": str(target),
        "built": "yes" if target.exists() else "no",
    }
