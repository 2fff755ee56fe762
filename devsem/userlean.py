"""A person's Lean file: theorems that a proof may use, and rewrite lemmas for the prover (docs/PROOFS.md). Nothing in it is trusted.

Its text stands in the verdict file, before the theorem, inside `namespace User`. So it may hold nothing that reaches beyond itself:
only theorems, definitions and comments. `leantext` refuses the rest of what a verdict file must not contain, and Lean checks the proofs.

    -- devsem: rewrite                      the prover rewrites the left side to the right; `rewrite <-` goes the other way
    theorem abs_twice (a : F32) : Eq (Fp.abs (Fp.add .rn a a)) (Fp.add .rn (Fp.abs a) (Fp.abs a)) := …
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devsem.errors import UsageError
from devsem.expr import Expr, bits, const_bool, mk, var
from devsem.leantext import Token, Unreadable, header, tokens
from devsem.ops import BOOL, F32, OPS, Sort
from devsem.term import Claim

NAMESPACE = "User"
MARK = re.compile(r"-- devsem: *(?P<what>.*?) *$")
DIRECTIONS = {"rewrite": False, "rewrite ->": False, "rewrite <-": True}  # is it used from right to left?
SORTS: Mapping[str, Sort] = {"F32": F32, "Bool": BOOL}

# Commands whose effect does not end with the declaration: they could add a hypothesis to our theorem, or another meaning to its words.
REACHES = frozenset({"variable", "include", "omit", "open", "namespace", "section", "end", "universe", "set_option", "import", "prelude", "example", "#"})
SPELLED = {tuple(op.lean.split()): [o.name for o in OPS.values() if o.lean == op.lean] for op in OPS.values() if op.kind == "exact"}

Tree = str | list["Tree"]


class Refused(Exception):
    """A file that cannot be used: where, and why in one sentence."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")


@dataclass(frozen=True)
class Marked:
    """A theorem for the prover: its arguments in order (a variable, or a condition by its place in `given`) and its equation."""

    name: str
    line: int
    arguments: tuple[Expr | int, ...]
    given: tuple[Claim, ...]
    equation: Claim
    reverse: bool


@dataclass(frozen=True)
class UserFile:
    """A file without its header: its lines as they were, the modules it imports, its theorems with their lines, and those that are marked."""

    path: Path
    lines: tuple[str, ...]
    modules: tuple[str, ...]
    theorems: Mapping[str, int]
    marked: tuple[Marked, ...]


def read(path: Path) -> UserFile:
    """Read a file. Raises `Refused`, or UsageError where there is no text."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    try:
        row = list(tokens(text))
        modules, start = header(row) if row and row[0].text == "prelude" else ([], 0)
    except Unreadable as unreadable:
        raise Refused(f"{path}:{unreadable.refusal.line}", str(unreadable)) from None
    body = row[start:]
    lines = text.split("\n")
    last = row[start - 1].line if start else 0
    if last and body and body[0].line <= last:
        raise Refused(f"{path}:{last}", "the header and the first command share a line")
    for token in body:
        if token.text in REACHES or "_root_" in token.text.split("."):
            raise Refused(f"{path}:{token.line}", f"`{token.text}` reaches beyond a theorem: a file of proofs holds only theorems, definitions and comments")
    theorems = {body[i + 1].text: t.line for i, t in enumerate(body[:-1]) if t.text == "theorem" and body[i + 1].is_word}
    kept = ["" if number <= last else line for number, line in enumerate(lines, 1)]
    return UserFile(path, tuple(kept), tuple(modules), theorems, tuple(_marked(path, lines, last, body)))


def _marked(path: Path, lines: Sequence[str], last: int, body: Sequence[Token]) -> list[Marked]:
    """The theorem after each mark."""
    out = []
    for number, line in enumerate(lines, 1):
        mark = MARK.match(line)
        if mark is None or number <= last:
            continue
        if mark["what"] not in DIRECTIONS:
            raise Refused(f"{path}:{number}", f"a mark is one of {', '.join(f'`-- devsem: {d}`' for d in DIRECTIONS)}")
        after = next((i for i, t in enumerate(body) if t.line > number), None)
        if after is None or body[after].text != "theorem":
            raise Refused(f"{path}:{number}", "no theorem follows this mark")
        out.append(_statement(path, body[after:], DIRECTIONS[mark["what"]]))
    return out


def _statement(path: Path, row: Sequence[Token], reverse: bool) -> Marked:
    """`theorem NAME (x y : F32) (h : Eq CONDITION true) … : Eq LEFT RIGHT :=`."""
    end = next((i for i, t in enumerate(row) if t.text == ":="), len(row))
    name, line = row[1].text, row[0].line
    reader = _Reader(f"{path}:{line}")
    parts, colon = _trees(reader, [t.text for t in row[2:end]]), 0
    known: dict[str, Expr] = {}
    arguments: list[Expr | int] = []
    given: list[Claim] = []
    while colon < len(parts) and parts[colon] != ":":
        binder = parts[colon]
        colon += 1
        if isinstance(binder, str) or ":" not in binder:
            raise reader.refused(binder)
        at = binder.index(":")
        names, kind = binder[:at], binder[at + 1:]
        if len(kind) == 1 and isinstance(kind[0], str) and kind[0] in SORTS:
            for word in names:
                if not isinstance(word, str):
                    raise reader.refused(word)
                known[word] = var(f"x{len(known)}", SORTS[kind[0]])
                arguments.append(known[word])
        else:
            claim = reader.claim(kind, known)
            if not claim.rhs.is_const:
                raise Refused(reader.place, "a condition of a rewrite lemma has a constant on its right: `Eq (Fp.lt a b) true`")
            arguments += [len(given)] * len(names)
            given.append(claim)
    return Marked(name, line, tuple(arguments), tuple(given), reader.claim(parts[colon + 1:], known), reverse)


def _trees(reader: _Reader, words: Sequence[str]) -> list[Tree]:
    """The words by their parentheses; `.rn` and `@Fp.nan` are one word each."""
    stack: list[list[Tree]] = [[]]
    glue = ""
    for word in words:
        if word in (".", "@"):
            glue = word
        elif word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(glue + word)
            glue = ""
    if len(stack) != 1:
        raise reader.refused(list(words))
    return stack[0]


@dataclass(frozen=True)
class _Reader:
    """Turns Lean's text back into expressions: the forms that `leanprint` writes, and no other."""

    place: str

    def refused(self, tree: Tree) -> Refused:
        """The refusal of a form."""
        return Refused(self.place, f"a rewrite lemma is written with FloatLib's functions in prefix form, like `Fp.add .rn a b`, and `{_text(tree)}` is not")

    def claim(self, parts: list[Tree], known: Mapping[str, Expr]) -> Claim:
        """`Eq A B`."""
        if len(parts) == 1 and isinstance(parts[0], list):
            return self.claim(parts[0], known)
        if len(parts) != 3 or parts[0] != "Eq":
            raise self.refused(parts)
        lhs, rhs = self.term(parts[1], known), self.term(parts[2], known)
        if lhs.sort != rhs.sort:
            raise self.refused(parts)
        return Claim(lhs, rhs)

    def term(self, tree: Tree, known: Mapping[str, Expr]) -> Expr:
        """One expression."""
        if isinstance(tree, str):
            if tree in known:
                return known[tree]
            if tree in ("true", "false", "Bool.true", "Bool.false"):
                return const_bool(tree.endswith("true"))
            if tree in ("Fp.nan", ".nan"):
                return bits(0x7FFFFFFF)
            raise self.refused(tree)
        if len(tree) == 1:
            return self.term(tree[0], known)
        if tree in (["@Fp.nan", "Format.binary32"], ["@Fp.nan", "_"]):
            return bits(0x7FFFFFFF)
        if len(tree) == 2 and tree[0] == "F32.ofBits" and isinstance(tree[1], str) and re.fullmatch(r"0x[0-9a-fA-F]{1,8}", tree[1]):
            return bits(int(tree[1], 16))
        for length in (2, 1):
            head = tuple(t for t in tree[:length] if isinstance(t, str))
            for name in SPELLED.get(head, ()) if len(head) == length else ():
                args = [self.term(t, known) for t in tree[length:]]
                if OPS[name].args == tuple(a.sort for a in args):
                    return mk(name, *args)
        raise self.refused(tree)


def _text(tree: Tree) -> str:
    return tree if isinstance(tree, str) else " ".join(t if isinstance(t, str) else f"({_text(t)})" for t in tree)
