r"""PTX text cut into tokens by one regular expression, with the limits that keep a hostile text cheap.

By hand rather than by lark: for a kernel with powf, sinf and tanhf (462 lines, 2,459 tokens) lark 1.3.1's LALR parser takes 35 ms before
any tree of ours is made, and this takes 8 ms with the tree. The expression never backtracks: possessive, and its last branch takes any character.

>>> tokens = Tokens("add.rn.f32 %r1, %r2,\n 0f3F800000; // sum", "k.ptx")
>>> tokens.texts
['add.rn.f32', '%r1', ',', '%r2', ',', '0f3F800000', ';', '']
>>> str(tokens.where(5))
'k.ptx:2:2'
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NoReturn

from devsem.errors import Rejected, Where
from devsem.frontend.ptx_ast import Immediate
from devsem.rejections import rejection

MAX_TEXT, MAX_TOKEN, MAX_NUMBER = 1 << 19, 4096, 80    # characters; a kernel with every libm function has some 100,000
MAX_TOKENS = 100_000

_TOKEN = re.compile(r"""
    (?: [\ \t\r\n\f\v]+ | //[^\n]*+ | /\*(?s:.*?)\*/ )*+
    (?: ( [A-Za-z_$%][\w$]*+(?:\.\w[\w$]*+(?:::[\w$]++)*+)*+    # a name, a register, an instruction with its modifiers
        | \.[A-Za-z_0-9][\w$]*+(?:::[\w$]++)*+                  # a directive, or a modifier after a space
        | \d\w*+(?:\.\d++)?+                                   # a number
        | "[^"\n]*+"
        | [{}()\[\]<>,;:=|!@+-]
        | \Z )
      | (/\*|.) )
""", re.VERBOSE | re.ASCII | re.DOTALL)
_FLOAT = re.compile(r"0[fF]([0-9a-fA-F]{8})|0[dD]([0-9a-fA-F]{16})")
_WHOLE = re.compile(r"(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|(0[0-7]*)|([1-9][0-9]*))U?", re.ASCII)


class Tokens:
    """The tokens of one text, the last being "", and a position in them."""

    def __init__(self, text: str, file: str) -> None:
        """Raises Rejected for a text that is too large, is not text, or has a character or token that PTX has not."""
        self.file = file
        if len(text) > MAX_TEXT:
            raise Rejected(rejection("ptx.size", Where(file), what=f"the text has {len(text)} characters, more than {MAX_TEXT}"))
        self.lines = [0, *(m.end() for m in re.finditer("\n", text))]
        if "\0" in text:
            raise Rejected(rejection("ptx.binary", self.place(text.index("\0")), what="it contains a NUL byte"))
        self.texts: list[str] = []
        self.starts: list[int] = []
        self.at = 0
        for match in _TOKEN.finditer(text):
            token, start = match[1], match.start(1)
            if token is None:
                self.refuse(_bad(match[2]), self.place(match.start(2)))
            if len(token) > MAX_TOKEN:
                raise Rejected(rejection("ptx.size", self.place(start), what=f"a name or string has {len(token)} characters, more than {MAX_TOKEN}"))
            self.texts.append(token)
            self.starts.append(start)
            if not token:
                break
            if len(self.texts) > MAX_TOKENS:
                raise Rejected(rejection("ptx.size", self.place(start), what=f"the text has more than {MAX_TOKENS} tokens"))

    def place(self, offset: int) -> Where:
        """Where the character at `offset` stands."""
        line = bisect_right(self.lines, offset)
        return Where(self.file, line, offset - self.lines[line - 1] + 1)

    def where(self, index: int | None = None) -> Where:
        """Where the token `index` (the present one) stands."""
        return self.place(self.starts[self.at if index is None else index])

    def refuse(self, what: str, where: Where | None = None) -> NoReturn:
        """Raises the refusal `ptx.syntax` at the present token."""
        raise Rejected(rejection("ptx.syntax", self.where() if where is None else where, what=what))

    def unexpected(self, wanted: str) -> NoReturn:
        """Raises the refusal of the present token: something else is expected here."""
        self.refuse(f"{shown(self.texts[self.at])} stands where {wanted} is expected")

    @property
    def now(self) -> str:
        """The present token."""
        return self.texts[self.at]

    def next(self) -> str:
        """The present token, which is then passed; the end is never passed."""
        token = self.texts[self.at]
        if token:
            self.at += 1
        return token

    def take(self, wanted: str) -> bool:
        """Passes the present token if it is `wanted`."""
        if self.texts[self.at] != wanted:
            return False
        self.at += 1
        return True

    def expect(self, wanted: str) -> None:
        """Passes the token `wanted`, or refuses."""
        if not self.take(wanted):
            self.unexpected(f"`{wanted}`")

    def name(self, what: str) -> str:
        """Passes an identifier (a dot in it is refused), `what` says what of."""
        token = self.texts[self.at]
        if not is_name(token) or "." in token:
            self.unexpected(what)
        self.at += 1
        return token

    def number(self) -> Immediate:
        """Passes a literal; a minus may stand before a whole number."""
        negative = self.take("-")
        found = literal(self.texts[self.at])
        if found is None or (negative and found.kind != "int"):
            self.unexpected("a number")
        value = -found.value if negative else found.value
        if not -(1 << 63) <= value < 1 << 64:
            self.refuse(f"the number {shown(self.texts[self.at])} does not fit 64 bits")
        self.at += 1
        return Immediate(value) if negative else found

    def whole(self) -> int:
        """Passes a whole number that is not negative."""
        found = literal(self.texts[self.at])
        if found is None or found.kind != "int":
            self.unexpected("a whole number")
        self.at += 1
        return found.value


def literal(token: str) -> Immediate | None:
    """The literal that the token is: `0f…`, `0d…`, or a whole number in any base with or without U; None if it is none."""
    if len(token) > MAX_NUMBER:
        return None
    if found := _FLOAT.fullmatch(token):
        return Immediate(int(found[1], 16), "f32") if found[1] else Immediate(int(found[2], 16), "f64")
    if found := _WHOLE.fullmatch(token):
        digits = found[found.lastindex or 0]
        return Immediate(int(digits, {1: 16, 2: 2, 3: 8, 4: 10}[found.lastindex or 0]))
    return None


def is_name(token: str) -> bool:
    """Does the token begin as a name, a register or an instruction does?"""
    return token[:1].isalpha() or token[:1] in ("_", "$", "%")


def shown(token: str) -> str:
    """The token for a sentence."""
    if not token:
        return "the end of the text"
    return f"`{token if len(token) <= 40 else token[:37] + '...'}`"


def _bad(found: str) -> str:
    if found == "/*":
        return "a comment is not closed"
    if found == '"':
        return "a string is not closed on its line"
    return f"the character {found!a} is not accepted"
