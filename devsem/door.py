"""The interactive door: a person's lemmas and proofs go in, the cases that are open come out (docs/PROOFS.md).

`open_door` reads the files of a request and has Lean check them by themselves, so that Lean's words come with the person's own line.
A lemma file that is wrong stops the run; a wrong proof is a reason in the verdict. The verdict file holds the text again, and Lean
checks it again there: nothing that this file says is believed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from devsem import leancheck, leanfile, rules, term
from devsem.errors import UsageError
from devsem.expr import Expr
from devsem.leancheck import Lean
from devsem.leanfile import Before, Part
from devsem.opencase import Case
from devsem.rules import SPACE, Rule
from devsem.term import AnyOf, Block, Split
from devsem.userlean import NAMESPACE, Refused, UserFile, read

AGAIN = "Copy the theorems into a file of your own, put a term after each `:=`, and run the same command with --proof FILE.lean."


@dataclass(frozen=True)
class Door:
    """What a person brought. `refused` says why the file of proofs is not used; `wanted` whether the open cases are to be written down."""

    files: tuple[UserFile, ...] = ()
    theorems: frozenset[str] = frozenset()
    rules: tuple[Rule, ...] = ()
    refused: str = ""
    wanted: bool = False
    proof: str = ""
    extra: Mapping[str, Sequence[Rule]] = field(default_factory=dict)

    def before(self, heads: Collection[str]) -> Before:
        """The text that a verdict file needs for proofs with these heads: nothing of a person's, where nothing of theirs is used."""
        used = [r for r in self.rules if r.lean in heads]
        own = [h for h in heads if h.startswith(f"{NAMESPACE}.")]
        return _before(self.files, used) if used or own else Before()


CLOSED = Door()


def open_door(lemmas: Sequence[Path], proof: Path | None, wanted: bool, lean: Lean) -> Door:
    """Read and check the files. UsageError when a lemma file is wrong."""
    try:
        pool = [read(path) for path in lemmas]
        _check(pool, lean)
        made = rules.rules([(str(f.path), m) for f in pool for m in f.marked])
    except Refused as refused:
        raise UsageError(f"a lemma file is refused: {refused}") from None
    if proof is None:
        return _door(pool, made, wanted, frozenset(), "")
    try:
        both = [*pool, read(proof)]
        _check(both, lean)
        made = rules.rules([(str(f.path), m) for f in both for m in f.marked])
    except Refused as refused:
        return _door(pool, made, wanted, frozenset(), str(proof), str(refused))
    return _door(both, made, wanted, frozenset(both[-1].theorems), str(proof))


def _door(files: Sequence[UserFile], made: Sequence[Rule], wanted: bool, theorems: frozenset[str], proof: str, refused: str = "") -> Door:
    extra: dict[str, list[Rule]] = {}
    for rule in made:
        extra.setdefault(rule.lhs.op, []).append(rule)
    return Door(tuple(files), theorems, tuple(made), refused, wanted, proof, extra)


def _before(files: Sequence[UserFile], used: Sequence[Rule]) -> Before:
    """The files in one namespace, each under its name, then the rules."""
    lines: list[str] = []
    for file in files:
        lines += [f"/-! {leanfile.comment(str(file.path))}, as it was given. -/", f"namespace {NAMESPACE}", *file.lines, f"end {NAMESPACE}", ""]
    if used:
        lines += [f"namespace {SPACE}", "", *(line for r in used for line in r.text), f"end {SPACE}", ""]
    return Before(tuple(m for f in files for m in f.modules), tuple(lines))


def _check(files: Sequence[UserFile], lean: Lean) -> None:
    """Have Lean check the files by themselves. Raises `Refused` with Lean's words and the place in the person's file."""
    theorems = [f"{NAMESPACE}.{name}" for f in files for name in f.theorems]
    if not theorems:
        for f in files:
            raise Refused(str(f.path), "it has no theorem")
        return
    lines = leanfile.opening("a person's theorems", (), _before(files, ()))
    check = leancheck.check_text("\n".join(lines) + "\n", theorems, lean=lean)
    if check.accepted:
        return
    bad = next((d for d in check.diagnostics if d.severity != "information"), None)
    start = len(lines) - len(_before(files, ()).lines)
    for f in files:
        start += 2
        if bad is not None and start < bad.line <= start + len(f.lines) + 1:
            said = f"Lean says: {' '.join(bad.message.split())}" if check.seconds else bad.message
            raise Refused(f"{f.path}:{min(bad.line - start, len(f.lines))}", said)
        start += len(f.lines) + 2
    raise Refused(str(files[-1].path), f"not accepted: {check.reason}")


def heads(block: Block) -> frozenset[str]:
    """Every Lean constant that a proof applies."""
    found: set[str] = set()
    for step in block.steps:
        found |= heads(step.reason) if isinstance(step.reason, Block) else term.heads(step.reason)
    if isinstance(block.end, Split | AnyOf):
        for _, _, inner in block.end.branches:
            found |= heads(inner)
    return frozenset(found)


def skeletons(cases: Sequence[Case], names: Mapping[Expr, str]) -> list[str]:
    """What a person is to prove, as a comment to copy from."""
    lines = ["/-", AGAIN, ""]
    for case in cases:
        binders, equation = leanfile.case_statement(case, names)
        lines += [f"-- {leanfile.comment(str(case))}", f"theorem {case.name} {binders} :", f"    {equation} :=", ""]
    return [*lines, "-/", ""]


def goal_part(part: Part, cases: Sequence[Case], names: Mapping[Expr, str]) -> Part:
    """A conditional reading with the skeletons of its open cases."""
    return Part((*part.lines, *skeletons(cases, names)), part.theorems)
