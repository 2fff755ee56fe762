"""What the device's compiler gets of a `.cu` file: the text with its host code blanked, every line and column where it was.

Host functions, PyTorch's tensors and bindings cannot be compiled here, and need not be: what a kernel computes does not depend on them. A piece
that stays never speaks of a name that a blanked piece declares, so that blanking changes no overload and no lookup; and what libclang knows as
device code is never touched. The text is held to the same rules as for `cuda.py`: it reaches no file, and does not ask which compiler reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from devsem.errors import Rejected, Rejection, Where
from devsem.frontend.cuda_clang import attributes, children, in_text, kind, parse, skipped
from devsem.frontend.cuda_directives import KEYWORDS, PLATFORM, directive_lines, directives, tokens
from devsem.frontend.cuda_guard import survives
from devsem.frontend.cuda_source import Source, read
from devsem.frontend.pieces import Macro, Piece, Token, Unbalanced, balanced, closure, half_brackets, is_pasted, pieces
from devsem.rejections import rejection

DEVICE_ATTRIBUTES = frozenset({"CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR", "CUDASHARED_ATTR", "CUDACONSTANT_ATTR"})
CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "UNION_DECL"})
OUTER = frozenset({"LINKAGE_SPEC", "NAMESPACE", "UNEXPOSED_DECL", "ENUM_DECL", *CLASSES})
HOST_NAMESPACES = frozenset({"torch", "at", "c10", "pybind11", "py"})
DEVICE_STD = frozenset("size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t".split())
# names that differ between nvcc and NVRTC, or between two devices, toolkits or days
ASKS = re.compile(r"_[A-Z][A-Z0-9_]+|__[A-Z]\w*"
                  r"|__(x86_64|amd64|i386|linux|gnu_linux|unix|pic|pie|optimize|clang|llvm|k8|code_model_\w+|nvcc|cuda_\w+|cudart_\w+)(__)?")
SAME = frozenset({"__VA_ARGS__", "__VA_OPT__", "__FILE__", "__LINE__"})
TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
DIGRAPHS = {"<%": "{", "%>": "}", "<:": "[", ":>": "]", "%:": "#", "%:%:": "##"}
SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")


def device_text(source: str | bytes, file: str) -> str:
    """The text to compile for the device. Raises Rejected, with the reasons and their places."""
    checked = read(file, source)
    if found := TRIGRAPH.search(checked.text):
        raise Rejected(rejection("cuda.directive", checked.where(found.start()), name=found[0]))
    survives(checked, None)
    unit = parse(checked, record=True)
    if refusals := directives(checked, unit):
        raise Rejected(*refusals)
    return _Text(checked, unit).blanked()


class _Text:
    """A parsed text, its tokens and macros."""

    def __init__(self, source: Source, unit: Any) -> None:
        self.source, self.unit, self.data = source, unit, source.text.encode()
        lines = list(directive_lines(source, unit))
        self.kept = [(line[0].extent.start.offset, line[-1].extent.end.offset) for line in lines]
        self.definitions = [_macro(line) for line in lines if line[1].spelling == "define" and len(line) > 2]
        self.macros: dict[str, Macro] = {}
        for m in self.definitions:     # a name that is defined twice can bring either
            before = self.macros.get(m.name.text, m)
            self.macros[m.name.text] = Macro(m.name, (*before.body, *m.body), before.is_function or m.is_function)
        words = [t.text for t in map(_token, tokens(unit, len(self.data)))]
        own = {b for a, b, c in zip(words, words[1:], words[2:], strict=False) if a == "namespace" and c in ("{", "::")}
        self.host = HOST_NAMESPACES - own
        dead = bytearray(len(self.data))
        for start, end in (*skipped(unit), *self.kept):
            dead[start:end] = b"\1" * (end - start)
        self.live = [t for t in map(_token, tokens(unit, len(self.data))) if not dead[t.start]]

    def blanked(self) -> str:
        """The text without its host pieces."""
        try:
            found = list(pieces(self.live, self.macros))
        except Unbalanced as e:
            raise Rejected(self._refusal("cuda.host_text", e.token, name=e.token.text)) from None
        staying = [p for p in found if self._stays(p)]
        going = [p for p in found if not self._stays(p)]
        self._asks_no_compiler(staying)
        if going:
            self._is_separate(staying, going)
        data = bytearray(self.data)
        for p in going:
            data[p.start:p.end] = re.sub(rb"[^\r\n]", b" ", self.data[p.start:p.end])
        for start, end in self.kept:
            data[start:end] = self.data[start:end]
        return data.decode()

    def _stays(self, piece: Piece) -> bool:
        """Does the device's compiler need to see it? All that is declared for the device; types and constants that no host type is part of."""
        if piece.is_device(self.macros):
            return True
        return not piece.is_function and piece.is_type_or_constant and not self._names_host(piece)

    def _names_host(self, piece: Piece) -> bool:
        """Is it about PyTorch's types or the C++ library's?"""
        words = [t.text for t in piece.tokens]
        if words[0] in ("using", "namespace"):
            return not self.host.isdisjoint(words)
        after = zip(words, [*words[1:], ""], [*words[2:], "", ""], strict=True)
        return any(b == "::" and (a in self.host or (a == "std" and c not in DEVICE_STD)) for a, b, c in after)

    def _asks_no_compiler(self, staying: Iterable[Piece]) -> None:
        """No piece that stays, and no macro it uses, mentions what is not the same for nvcc and for NVRTC."""
        refusals = []
        for piece in staying:
            for t in piece.tokens:
                for word in closure([t.text], self.macros):
                    if word not in self.macros and word not in SAME and (ASKS.fullmatch(word) or word in PLATFORM):
                        refusals.append(self._refusal("cuda.conditional", t, name=word))
        if refusals:
            raise Rejected(*refusals)

    def _is_separate(self, staying: list[Piece], going: list[Piece]) -> None:
        """What stays does not depend on what goes: no common name, and libclang sees no device code in what goes."""
        if operator := next((t for p in going for t in p.head if t.text == "operator"), None):
            raise Rejected(self._refusal("cuda.host_name", operator, name="operator"))
        pastes = any(t.text == "##" for m in self.definitions for t in m.body)
        refusals = [self._refusal("cuda.host_text", m.name, name=m.name.text) for m in self.definitions if not balanced(m.body)]
        if pastes:
            refusals += [self._refusal("cuda.host_text", t, name=t.text) for t in half_brackets(self.live, [m.body for m in self.definitions])]
        names = {t.text for p in going for t in p.declared()}
        names |= {word for p in going for t in p.head if t.text in self.macros for word in closure([t.text], self.macros)}
        spans = [(p.start, p.end) for p in going]
        for start, end, name, is_device in _declarations(self.unit.cursor):
            if at := next((span for span in spans if start < span[1] and span[0] < end), None):
                names.add(name)
                refusals += [rejection("cuda.host_text", self._where(max(at[0], start)), name=name)] if is_device else []
        names -= KEYWORDS
        words = {t.text for t in self.live} | {t.text for m in self.definitions for t in m.body}
        refusals += [self._refusal("cuda.host_name", going[0].tokens[0], name=n) for n in sorted(names) if pastes and is_pasted(n, words)]
        for piece in staying:
            for t in piece.mentioned():
                refusals += [self._refusal("cuda.host_name", t, name=w) for w in sorted(closure([t.text], self.macros) & names)]
        if refusals:
            raise Rejected(*refusals)

    def _where(self, offset: int) -> Where:
        return self.source.where(len(self.data[:offset].decode()))

    def _refusal(self, code: str, token: Token, **names: str) -> Rejection:
        return rejection(code, self._where(token.start), **names)


def _token(token: Any) -> Token:
    text = SPLICE.sub("", token.spelling)
    return Token(DIGRAPHS.get(text, text), token.extent.start.offset, token.extent.end.offset)


def _macro(line: list[Any]) -> Macro:
    """A `#define`; that of a function begins with a parenthesis right behind the name."""
    name, *body = map(_token, line[2:])
    return Macro(name, tuple(body), bool(body) and body[0].text == "(" and body[0].start == name.end)


def _declarations(cursor: Any, *, is_class: bool = False) -> Iterator[tuple[int, int, str, bool]]:
    """By libclang's account: where each declaration outside functions is, its name (a member's is empty), and whether it is for the device."""
    for c in filter(in_text, children(cursor)):
        if kind(c).endswith(("_DECL", "TEMPLATE", "METHOD", "CONSTRUCTOR", "SPECIALIZATION", "NAMESPACE_ALIAS")):
            yield c.extent.start.offset, c.extent.end.offset, "" if is_class else str(c.spelling), bool(attributes(c) & DEVICE_ATTRIBUTES)
        if kind(c) in OUTER:
            yield from _declarations(c, is_class=kind(c) in CLASSES)
