"""Read a Lean text just far enough to refuse what a verdict file must not contain.

This is the first of two defences: it gives a reason in words, and it refuses what the second (`leancheck`, which asks Lean about the
compiled file) cannot see, such as a switched-off kernel check. It errs on the side of refusal: string literals, quoted names, types,
instances, attributes and unknown options have no place in a verdict file, so the tokens are few and easy to read as Lean reads them.

    [refusal.reason for refusal in refusals("prelude\\nimport FloatLib\\naxiom a : False", library)] == ["it declares an axiom (`axiom`)"]
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# What a verdict file must not contain, by reason. Each is a whole token of the text, comments aside.
FORBIDDEN = {
    "declares an axiom": ("axiom", "init_quot"),
    "leaves a proof out": ("sorry",),
    "says other than the kernel checks": ("unsafe", "partial", "opaque", "implemented_by", "extern", "csimp", "export", "native_decide"),
    "changes the language": ("macro", "macro_rules", "elab", "elab_rules", "syntax", "declare_syntax_cat", "notation", "notation3", "infix", "infixl",
                             "infixr", "prefix", "postfix", "binder_predicate", "attribute", "local", "scoped", "renaming"),
    "runs code": ("run_cmd", "run_elab", "run_meta", "initialize", "builtin_initialize", "include_str", "deriving"),
    "declares a type or an instance": ("inductive", "coinductive", "structure", "class", "instance", "mutual"),
    "is not a plain file": ("module", "public", "meta", "private", "protected"),
}
REASON = {word: reason for reason, words in FORBIDDEN.items() for word in words}
ATTRIBUTES = frozenset({"reducible", "irreducible", "inline", "noinline"})
OPTIONS = frozenset({"maxRecDepth", "maxHeartbeats", "exponentiation.threshold", "linter.unusedVariables", "linter.missingDocs", "linter.all"})
DECLARES = frozenset({"def", "theorem", "abbrev", "inductive", "structure", "class", "instance", "axiom", "opaque"})
COMMANDS = DECLARES | {"namespace", "section", "end", "open", "variable", "universe", "example", "set_option", "include", "omit", "noncomputable", "in"}

# Names that the kernel or the elaborator treats specially whether or not FloatLib declares them.
SPECIAL = frozenset({"Nat", "Int", "String", "Char", "List", "Array", "Quot", "Lean", "Classical", "Eq", "HEq", "Bool", "OfNat", "sorryAx", "propext",
                     "eagerReduce"})

_COMMENT_EDGE = re.compile(r"/-|-/")
_TOKEN = re.compile(r"[A-Za-z_][A-Za-z0-9_'!?]*(?:\.[A-Za-z_][A-Za-z0-9_'!?]*)*|0[xX][0-9a-fA-F]+|[0-9]+|:=|=>|.")
_WORD = re.compile(r"[A-Za-z_]")
_TOUCHABLE = frozenset(" \n()[]{},")


@dataclass(frozen=True)
class Token:
    """A word, a number or a symbol, and its line."""

    text: str
    line: int

    @property
    def is_word(self) -> bool:
        """Whether it is a name or a keyword."""
        return _WORD.match(self.text) is not None


@dataclass(frozen=True)
class Refusal:
    """Why a text is not accepted, and on which line."""

    line: int
    reason: str


class Unreadable(Exception):
    """The text cannot be split into tokens as Lean would."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(line, reason)


def tokens(text: str) -> Iterator[Token]:
    """The tokens outside comments. Comments nest; a comment that is not closed, or that touches a symbol, is `Unreadable`."""
    at, line = 0, 1
    while at < len(text):
        if text[at] in " \n":
            line, at = line + (text[at] == "\n"), at + 1
            continue
        if text[at] == "\t" or not text[at].isprintable():
            raise Unreadable(line, f"it has the character U+{ord(text[at]):04X}")
        if text.startswith(("--", "/-"), at):
            end = comment_end(text, at, line)
            line, at = line + text.count("\n", at, end), end
            continue
        token = _TOKEN.match(text, at)
        assert token is not None
        yield Token(token[0], line)
        at = token.end()


def comment_end(text: str, at: int, line: int) -> int:
    """Where the comment that begins at `at` ends."""
    # Lean reads the longest token, so `<--x` would be `<-` and a minus sign there; neither is needed here.
    if at and text[at - 1] not in _TOUCHABLE and not text[at - 1].isalnum():
        raise Unreadable(line, "it has a comment that touches a symbol")
    if text.startswith("--", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if re.match(r"/-[-!]?/", text[at:at + 4]):
        raise Unreadable(line, "it has a comment that begins with `/-/`")
    depth, end = 1, at + 2
    while depth:
        edge = _COMMENT_EDGE.search(text, end)
        if edge is None:
            raise Unreadable(line, "it has a comment that is not closed")
        depth, end = depth + (1 if edge[0] == "/-" else -1), edge.end()
    return end


def header(row: Sequence[Token]) -> tuple[list[str], int]:
    """The modules that a file imports, and how many tokens its header has. Raises `Unreadable` if it does not begin with `prelude`."""
    if not row or row[0].text != "prelude":
        raise Unreadable(row[0].line if row else 1, "it does not begin with `prelude`")
    imports, at = [], 1
    while at + 1 < len(row) and row[at].text == "import":
        imports.append(row[at + 1].text)
        at += 2
    return imports, at


def imports(text: str) -> list[str]:
    """The modules that a file imports."""
    return header(list(tokens(text)))[0]


def declared(row: Sequence[Token]) -> list[Token]:
    """The names that a file declares, as it writes them, and the namespaces it enters."""
    starts = DECLARES | {"namespace"}
    return [name for word, name in itertools.pairwise(row) if word.text in starts and name.is_word]


def full_names(text: str) -> set[str]:
    """The full names that a library file declares or exports, constructors and fields included (and some binders of a structure)."""
    row, spaces, names, owner = list(tokens(text)), [""], set(), ""
    for i, token in enumerate(row[:-1]):
        following = row[i + 1]
        match token.text:
            case "namespace":
                spaces.append(f"{spaces[-1]}{following.text}.")
            case "section" | "mutual":
                spaces.append(spaces[-1])
            case "end" if len(spaces) > 1:
                spaces.pop()
        if token.text in COMMANDS:
            owner = ""
        if token.text == "export":
            names |= {t.text for t in itertools.takewhile(lambda t: t.text != ")", row[i + 3:])}
        if token.text in DECLARES and following.is_word and following.text not in DECLARES:
            name = spaces[-1] + following.text
            names.add(name)
            owner = name if token.text in ("inductive", "structure", "class") else ""
        if owner and token.text == "|" and following.is_word:
            names.add(f"{owner}.{following.text}")
        if owner and token.is_word and following.text == ":":
            names.add(f"{owner}.{token.text}")
    return names


def taken_names(row: Sequence[Token], library: frozenset[str]) -> set[str]:
    """The words by which this text can mean a declaration of the library: first components, and the members of what it opens."""
    taken = {name.split(".")[0] for name in library} | SPECIAL
    for i, token in enumerate(row):
        if token.text == "open":
            for space in itertools.takewhile(lambda t: t.is_word and t.text not in COMMANDS, row[i + 1:]):
                members = (f".{name}".partition(f".{space.text}.")[2] for name in library)
                taken |= {member.split(".")[0] for member in members if member}
    return taken


def axiom_requests(text: str) -> list[tuple[str, int]]:
    """The `#print axioms NAME` requests of a file: name and line."""
    row = list(tokens(text))
    return [(row[i + 3].text, row[i].line) for i in range(len(row) - 3) if [t.text for t in row[i:i + 3]] == ["#", "print", "axioms"]]


def refusals(text: str, library: frozenset[str]) -> list[Refusal]:
    """Every reason not to accept this text, by line. `library` are the full names that FloatLib declares."""
    try:
        row = list(tokens(text))
        modules, start = header(row)
    except Unreadable as unreadable:
        return [unreadable.refusal]
    if not modules:
        return [Refusal(1, "it imports no FloatLib module")]
    found = [Refusal(1, f"it imports `{name}`, which is not FloatLib") for name in modules if name != "FloatLib" and not name.startswith("FloatLib.")]
    body = row[start:]
    taken = taken_names(body, library)
    for i, token in enumerate(body):
        after = body[i + 1].text if i + 1 < len(body) else ""
        reason = token_refusal(token.text, after, body[i + 1:i + 4])
        if reason:
            found.append(Refusal(token.line, reason))
    for name in declared(body):
        clash = taken & set(name.text.split("."))
        if clash:
            found.append(Refusal(name.line, f"it declares `{name.text}`, and `{min(clash)}` is a name of FloatLib or of Lean"))
    found += [Refusal(t.line, f"it binds `{t.text}`, which is a name of FloatLib or of Lean") for t in bound(body) if t.text in taken]
    return sorted(found, key=lambda refusal: refusal.line)


def token_refusal(text: str, after: str, ahead: Sequence[Token]) -> str:
    """Why this token, with those that follow it, is refused; empty if it is not."""
    match text:
        case '"' | "'" | "«" | "»" | "`":
            return f"it has a literal or a quoted name ({text})"
        case "import":
            return "it imports after its header"
        case "set_option" if after not in OPTIONS:
            return f"it sets the option `{after}`"
        case "@" if after == "[" and (len(ahead) < 3 or ahead[1].text not in ATTRIBUTES or ahead[2].text != "]"):
            return f"it has the attribute `{ahead[1].text if len(ahead) > 1 else ''}`"
        case "#" if [t.text for t in ahead[:2]] != ["print", "axioms"]:
            return f"it has the command `#{after}`"
    return f"it {REASON[text]} (`{text}`)" if text in REASON else ""


def bound(row: Sequence[Token]) -> Iterator[Token]:
    """The words that stand where a variable is bound: `(x y : …)`, `fun x y =>`, `let x :=`. Some bind nothing."""
    for i, token in enumerate(row):
        if token.text in ("(", "{", "⦃", "fun", "λ", "∀", "let", "have"):
            end = i + 1
            while end < len(row) and row[end].is_word and row[end].text not in COMMANDS:
                end += 1
            closers = {"(": (":",), "{": (":",), "⦃": (":",)}.get(token.text, (":", ":=", "=>", ",", "(", "{", "↦"))
            if end < len(row) and row[end].text in closers:
                yield from row[i + 1:end]
