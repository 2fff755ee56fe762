"""Reads the body of a PTX function: statements, operands, and blocks `{ … }`, which are flattened.

What an inner block declares is renamed with a suffix that occurs nowhere in the text, so that every name of a flattened body is one thing.
No recursion: blocks are a list of open scopes, and vectors and argument lists hold no further ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from devsem.errors import Rejected
from devsem.frontend.ptx_ast import (
    ALONE,
    DIGITS,
    Address,
    Arguments,
    Immediate,
    Instruction,
    Label,
    Operand,
    Pair,
    Register,
    Symbol,
    Variable,
    Vector,
)
from devsem.frontend.ptx_declare import read_registers, read_variables
from devsem.frontend.ptx_tokens import Tokens, is_name, shown
from devsem.rejections import rejection

MAX_DEPTH = 64
SPACES = (".param", ".local", ".shared", ".global", ".const")
PRAGMAS = ("nounroll", "used_bytes_mask", "enable_smem_spilling", "frequency")    # hints to ptxas
BRANCH_TARGETS = ".branchtargets"


@dataclass
class Scope:
    """An open block: the suffix of its names, where in the body it began, and what it declares, each with its name in the function."""

    suffix: str
    start: int
    names: dict[str, str] = field(default_factory=dict)
    classes: dict[str, int] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """The function's name for what this block calls `name`, if it declares that."""
        if name in self.names:
            return self.names[name]
        base = name.rstrip(DIGITS)
        number = name[len(base):]
        if not number or base not in self.classes or str(int(number)) != number or int(number) >= self.classes[base]:
            return None
        return base + self.suffix + number


class Body:
    """One function's body while it is read; afterwards `registers`, `variables` and `items` are what `Function` holds."""

    def __init__(self, tokens: Tokens, suffixes: Iterator[str]) -> None:
        self.tokens, self.suffixes = tokens, suffixes
        self.registers: dict[str, tuple[str, int]] = {}
        self.variables: list[Variable] = []
        self.items: list[Instruction | Label] = []
        self.scopes = [Scope("", 0)]

    def read(self) -> None:
        """Reads up to the brace that closes the function, its opening one being passed."""
        tokens = self.tokens
        while self.scopes:
            token = tokens.now
            if token == "@" or is_name(token):
                self._labelled_or_instruction()
            elif token == "}":
                tokens.next()
                self._close()
            elif token == "{":
                self._open()
            elif token == ".reg":
                self._registers()
            elif token in SPACES:
                self._variables()
            elif token == ".loc":
                _location(tokens)
            elif token == ".pragma":
                read_pragma(tokens)
            elif not tokens.take(";"):
                tokens.unexpected("an instruction or `}`")

    def _open(self) -> None:
        if len(self.scopes) >= MAX_DEPTH:
            raise Rejected(rejection("ptx.size", self.tokens.where(), what=f"blocks are nested more than {MAX_DEPTH} deep"))
        self.tokens.next()
        self.scopes.append(Scope(next(self.suffixes), len(self.items)))

    def _close(self) -> None:
        """A block's labels may be used before they stand, so uses are renamed when it ends."""
        scope = self.scopes.pop()
        if not self.scopes or not scope.labels:
            return
        for i in range(scope.start, len(self.items)):
            item = self.items[i]
            if isinstance(item, Instruction):
                operands = tuple(Symbol(scope.labels[o.name]) if isinstance(o, Symbol) and o.name in scope.labels else o for o in item.operands)
                self.items[i] = replace(item, operands=operands) if operands != item.operands else item

    def _declare(self, name: str, table: dict[str, str]) -> str:
        scope = self.scopes[-1]
        if name in scope.names or name in scope.classes or name in scope.labels:
            raise Rejected(rejection("ptx.duplicate", self.tokens.where(), name=name))
        table[name] = name + scope.suffix
        return table[name]

    def _registers(self) -> None:
        scope = self.scopes[-1]
        for name, kind, number in read_registers(self.tokens):
            new = self._declare(name, scope.names)
            if number != ALONE:
                scope.classes[name] = number
                del scope.names[name]
            self.registers[new] = (kind, number)

    def _variables(self) -> None:
        for variable in read_variables(self.tokens, external=False):
            self.variables.append(replace(variable, name=self._declare(variable.name, self.scopes[-1].names)))

    def _labelled_or_instruction(self) -> None:
        tokens = self.tokens
        where = tokens.where()
        predicate, negated = None, False
        if tokens.take("@"):
            negated = tokens.take("!")
            predicate = Register(self._resolve(tokens.name("a predicate")))
        elif tokens.texts[tokens.at + 1] == ":":
            self.items.append(Label(self._declare(tokens.name("a label"), self.scopes[-1].labels), where))
            tokens.expect(":")
            if tokens.now == BRANCH_TARGETS:
                self.items.append(Instruction(tokens.next(), (), self._operands(), where=where))
            return
        if not tokens.now[:1].isalpha():
            tokens.unexpected("an instruction")
        opcode, modifiers = split(tokens.next())
        while tokens.now[:1] == ".":
            modifiers += split(tokens.next())[1]
        self.items.append(Instruction(opcode, modifiers, self._operands(), predicate, negated, where))

    def _operands(self) -> tuple[Operand, ...]:
        """Passes everything up to the semicolon."""
        found: list[Operand] = []
        while not self.tokens.take(";"):
            if found:
                self.tokens.expect(",")
            found.append(self._operand())
        return tuple(found)

    def _operand(self) -> Operand:
        tokens = self.tokens
        token = tokens.now
        if is_name(token):
            return self._named()
        if token == "[":
            return self._address()
        if token == "{":
            return self._vector()
        if token == "(":
            return Arguments(tuple(self._list("(", ")")))
        if tokens.take("!"):
            return Pair(Register(self._resolve(tokens.name("a predicate"))), None, negated=True)
        if token != "-" and not token[:1].isdigit():
            tokens.unexpected("an operand")
        return tokens.number()

    def _named(self) -> Register | Symbol | Pair:
        tokens = self.tokens
        name = self._name()
        if tokens.take("|"):
            second = self._name()
            return Pair(Register(name), Register(second))
        return Register(name) if self._is_register(name) else Symbol(name)

    def _name(self) -> str:
        """A register with or without a dot in its name, or any other name."""
        if not is_name(self.tokens.now):
            self.tokens.unexpected("a name")
        return self._resolve(self.tokens.next())

    def _resolve(self, name: str) -> str:
        """The function's name for it; what no inner block declares keeps its own."""
        for scope in reversed(self.scopes[1:]):
            if (found := scope.find(name)) is not None:
                return found
        return name

    def _is_register(self, name: str) -> bool:
        return name[0] == "%" or name == "_" or name in self.registers or name.rstrip(DIGITS) in self.registers

    def _address(self) -> Address:
        tokens = self.tokens
        tokens.expect("[")
        base: Register | Symbol | Immediate | Pair = self._named() if is_name(tokens.now) else tokens.number()
        if isinstance(base, Pair) or (isinstance(base, Immediate) and base.kind != "int"):
            tokens.refuse(f"the address `{base}` is no register, name or whole number")
        offset = 0
        if tokens.now in ("+", "-"):
            minus = tokens.next() == "-"
            literal = tokens.number()
            if literal.kind != "int":
                tokens.refuse("an offset is not a whole number")
            offset = -literal.value if minus else literal.value
        tokens.expect("]")
        return Address(base, offset)

    def _vector(self) -> Vector:
        return Vector(tuple(item for item in self._list("{", "}") if not isinstance(item, Symbol)))    # _list refuses a Symbol

    def _list(self, begin: str, end: str) -> list[Register | Immediate | Symbol]:
        tokens = self.tokens
        tokens.expect(begin)
        found: list[Register | Immediate | Symbol] = []
        while not tokens.take(end):
            if found:
                tokens.expect(",")
            item = self._named() if is_name(tokens.now) else tokens.number()
            if isinstance(item, Pair) or (isinstance(item, Symbol) and begin == "{"):
                tokens.refuse(f"{shown(str(item))} is not expected in a list of operands")
            found.append(item)
        return found


@lru_cache(maxsize=4096)
def split(word: str) -> tuple[str, tuple[str, ...]]:
    """An instruction's opcode and modifiers.

    >>> split("ld.global.L2::128B.nc.f32")
    ('ld', ('global', 'L2::128B', 'nc', 'f32'))
    """
    opcode, *modifiers = word.split(".")
    return opcode, tuple(modifiers)


def read_pragma(tokens: Tokens) -> None:
    """Passes `.pragma "nounroll";`, and refuses what is not known to be a hint."""
    tokens.expect(".pragma")
    while True:
        text = tokens.now.strip('"')
        if tokens.now[:1] != '"' or text.split(" ")[0] not in PRAGMAS:
            tokens.refuse(f"the pragma {shown(tokens.now)} is not accepted")
        tokens.next()
        if not tokens.take(","):
            break
    tokens.expect(";")


def _location(tokens: Tokens) -> None:
    """`.loc 1 12 5`, perhaps with `, function_name $L__info_string0+4, inlined_at 1 3 7`."""
    tokens.next()
    for _ in range(3):
        tokens.whole()
    while tokens.take(","):
        if tokens.take("function_name"):
            tokens.name("a label")
            if tokens.take("+"):
                tokens.whole()
        elif tokens.take("inlined_at"):
            for _ in range(3):
                tokens.whole()
        else:
            tokens.unexpected("`function_name` or `inlined_at`")
