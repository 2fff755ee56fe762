"""A C++ text cut into the declarations that stand outside functions, by its tokens alone, so that unknown types do not matter."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

DEVICE = frozenset({"__global__", "__device__", "__constant__", "__shared__", "__managed__"})
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
CLASS = frozenset({"struct", "class", "union", "enum"})
TYPES = frozenset({*CLASS, "typedef", "using", "namespace", "static_assert"})
CONSTANT = frozenset({"const", "constexpr"})
ENDS_A_HEAD = frozenset({")", "const", "noexcept", "override", "final", "try"})
ENDS_A_NAME = frozenset({"(", "=", ";", ",", "[", "{", "<"})


@dataclass(frozen=True)
class Token:
    """A token without comments, and its place in bytes."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Is it an identifier or a keyword?"""
        return self.text.isidentifier()


@dataclass(frozen=True)
class Macro:
    """A macro of the text; the body has the parameters in it."""

    name: Token
    body: tuple[Token, ...]
    is_function: bool


class Unbalanced(Exception):
    """Brackets do not match; `token` is where that shows."""

    def __init__(self, token: Token) -> None:
        super().__init__(token.text)
        self.token = token


@dataclass(frozen=True)
class Piece:
    """One declaration outside functions; the head is what stands before its braces, and does not hold template parameters."""

    tokens: tuple[Token, ...]
    head: tuple[Token, ...]
    is_function: bool

    @property
    def start(self) -> int:
        """Its first byte."""
        return self.tokens[0].start

    @property
    def end(self) -> int:
        """The byte after its last."""
        return self.tokens[-1].end

    @property
    def is_type_or_constant(self) -> bool:
        """Does it declare a type, a name for one, or a constant?"""
        first = next((t.text for t in self.head if t.text not in ("static", "inline", "extern")), "")
        return first in TYPES or any(t.text in CONSTANT for t in _outside(self.head))

    def is_device(self, macros: Mapping[str, Macro]) -> bool:
        """Is something in it declared for the device, perhaps by a macro of the text?"""
        looked_at = self.head if self.is_function else self.tokens
        return not DEVICE.isdisjoint(closure((t.text for t in looked_at), macros))

    def declared(self) -> Iterator[Token]:
        """Every name that it might declare: words that stand where a declarator's name does."""
        if self.head and self.head[0].text in TYPES:
            yield from (t for t in self.head if t.is_word)
            return
        depth, tokens = 0, self.head if self.is_function else self.tokens
        for at, t in enumerate(tokens):
            depth += (t.text in OPEN) - (t.text in CLOSE)
            if not t.is_word:
                continue
            before, follows = tokens[at - 1].text if at else "", tokens[at + 1].text if at + 1 < len(tokens) else ";"
            plain = depth == 0 and follows in ENDS_A_NAME and (before != "::" or follows in ("(", "<"))
            enclosed = depth == 1 and follows == ")" and _is_called(tokens, at + 2) and _opens(tokens, at - 1)     # (*pointer)(…), (function)(…)
            if plain or enclosed:
                yield t

    def mentioned(self) -> Iterator[Token]:
        """Every word, except a kernel's own name at its declaration."""
        kernel = None
        if self.is_function and any(t.text == "__global__" for t in self.head):
            followed = zip(self.head, self.head[1:], strict=False)
            kernel = next((t for t, after in followed if after.text == "(" and t.is_word and not t.text.startswith("__")), None)
        return (t for t in self.tokens if t.is_word and t is not kernel)


def pieces(tokens: Sequence[Token], macros: Mapping[str, Macro]) -> Iterator[Piece]:
    """Every declaration outside functions, in whatever namespace or linkage block. Raises Unbalanced."""
    at, depth = 0, 0
    while at < len(tokens):
        text = tokens[at].text
        if text == ";":
            at += 1
        elif text in CLOSE:
            depth -= 1
            if depth < 0 or text != "}":
                raise Unbalanced(tokens[at])
            at += 1
        elif opening := _opening(tokens, at):
            depth += 1
            at = opening
        else:
            end, body, is_function = _declaration(tokens, at, macros)
            yield Piece(tuple(tokens[at:end]), tuple(_head(tokens, at, body)), is_function)
            at = end
    if depth:
        raise Unbalanced(tokens[-1])


def closure(words: Iterable[str], macros: Mapping[str, Macro]) -> set[str]:
    """The words, and all that the macros among them can bring."""
    seen: set[str] = set()
    todo = list(words)
    while todo:
        word = todo.pop()
        if word not in seen:
            seen.add(word)
            todo += [t.text for t in macros[word].body] if word in macros else []
    return seen


def balanced(tokens: Iterable[Token]) -> bool:
    """Do the brackets match?"""
    stack = []
    for t in tokens:
        if t.text in OPEN:
            stack.append(OPEN[t.text])
        elif t.text in CLOSE and (not stack or stack.pop() != t.text):
            return False
    return not stack


def half_brackets(text: Sequence[Token], bodies: Iterable[Sequence[Token]]) -> Iterator[Token]:
    """Where `##` could make a bracket out of its halves, as `{` out of `<` and `%`: a first half at the end of an argument or of a macro."""
    for row in (text, *bodies):
        for at, t in enumerate(row):
            if t.text in ("<", "%", ":"):
                follows = row[at + 1].text if at + 1 < len(row) else ""
                if follows in (",", ")", "##") or (not follows and row is not text):
                    yield t


def is_pasted(name: str, words: Container[str]) -> bool:
    """Could `##` make this name out of two or more words of the text?"""
    reached = [True] + [False] * len(name)
    for end in range(1, len(name) + 1):
        reached[end] = any(reached[start] and name[start:end] in words for start in range(end) if end - start < len(name))
    return reached[-1]


def _opening(tokens: Sequence[Token], at: int) -> int:
    """Behind the brace of a namespace or of `extern "C"` that begins here; 0 where none does."""
    words = [t.text for t in tokens[at:at + 16]]
    if words[0] == "extern" and len(words) > 2 and words[1].startswith('"') and words[2] == "{":
        return at + 3
    first = 1 if words[0] == "inline" else 0
    if words[first:first + 1] != ["namespace"]:
        return 0
    for n, word in enumerate(words[first + 1:], first + 1):
        if word == "{":
            return at + n + 1
        if word != "::" and word != "inline" and not word.isidentifier():
            return 0
    return 0


def _declaration(tokens: Sequence[Token], at: int, macros: Mapping[str, Macro]) -> tuple[int, int, bool]:
    """Where the declaration that begins here ends, where its head does, and whether it is a function."""
    now, body, parameters, initialized = at, 0, False, False
    while now < len(tokens):
        text = tokens[now].text
        if text == ";":
            return now + 1, body or now, parameters and not body and tokens[at].text not in TYPES
        if text in CLOSE:
            raise Unbalanced(tokens[now])
        if text not in OPEN:
            initialized = initialized or (text == "=" and tokens[now - 1].text not in (*ENDS_A_HEAD, "operator"))
            now += 1
            continue
        close = _matching(tokens, now)
        if text == "{" and parameters and not body and not initialized and _begins_a_body(tokens, at, now):
            return close, now, True
        if text == "{" and not body:
            body = now
        if text == "(" and now == at + 1 and (m := macros.get(tokens[at].text)) and m.is_function and any(t.text in "{;" for t in m.body):
            return close, close, True
        parameters = parameters or (text == "(" and not initialized and not body)
        now = close
    raise Unbalanced(tokens[-1])


def _begins_a_body(tokens: Sequence[Token], at: int, brace: int) -> bool:
    """Is this brace a function's body, and not that of a class or an initializer?"""
    return tokens[brace - 1].text in ENDS_A_HEAD or any(t.text == "->" for t in tokens[at:brace])


def _matching(tokens: Sequence[Token], at: int) -> int:
    """Behind the bracket that closes the one here."""
    stack: list[str] = []
    for now in range(at, len(tokens)):
        text = tokens[now].text
        if text in OPEN:
            stack.append(OPEN[text])
        elif text in CLOSE:
            if stack.pop() != text:
                raise Unbalanced(tokens[now])
            if not stack:
                return now + 1
    raise Unbalanced(tokens[at])


def _is_called(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text in ("(", "[")


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Is this a parenthesis, or are there only `*` and `&` between it and here?"""
    while at >= 0 and tokens[at].text in ("*", "&"):
        at -= 1
    return at >= 0 and tokens[at].text == "("


def _head(tokens: Sequence[Token], at: int, end: int) -> Iterator[Token]:
    """From here to the end, without `template <…>`."""
    while at < end and tokens[at].text == "template" and at + 1 < end and tokens[at + 1].text == "<":
        depth = 0
        for now in range(at + 1, end):
            depth += {"<": 1, ">": -1, ">>": -2}.get(tokens[now].text, 0)
            if depth <= 0:
                at = now + 1
                break
        else:
            break
    yield from tokens[at:end]


def _outside(tokens: Iterable[Token]) -> Iterator[Token]:
    """Those outside brackets."""
    depth = 0
    for t in tokens:
        depth -= t.text in CLOSE
        if depth == 0:
            yield t
        depth += t.text in OPEN
