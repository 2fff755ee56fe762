"""A kernel's machine code as a graph of float operations (`machine_graph.py`), sm_75 to sm_121 as nvdisasm prints it.

Only instructions with a row here are understood; any other makes the whole function not understood.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import cache

import numpy as np

from devsem.frontend.low_words import Low, applied, joined, minus, number, plus, times, unknown
from devsem.frontend.machine_flow import Step, opposite
from devsem.frontend.machine_graph import SIGN, Graph, Source, signed
from devsem.frontend.machine_reader import Reader
from devsem.frontend.sass import SIZE, Instruction, SassFunction

REGISTER = re.compile(r"(U?R)(\d+|Z)(?:\.64|\.U32)?")
PREDICATE = re.compile(r"(!?)(U?P)(\d|T)")
CONSTANT = re.compile(r"c\[0x0\]\[(0x[0-9a-f]+|RZ)\]")
SLOW = re.compile(r"__cuda_sm\w+?_((?:div|rcp|sqrt)_rn(?:_noftz|_ftz)?_f32)_slowpath")
MODES = {"RZ": "rz", "RM": "rm", "RP": "rp"}
MUFU = {"RCP": "rcp", "RSQ": "rsqrt", "SQRT": "sqrt", "EX2": "ex2", "LG2": "lg2", "SIN": "sin", "COS": "cos", "TANH": "tanh"}
INTEGRAL = {"FLOOR": "rm", "CEIL": "rp", "TRUNC": "rz"}
FLOATS = ("FADD", "FMUL", "FFMA", "FMNMX", "FMNMX3", "FRND", "MUFU")
SELECTS = ("FSEL", "SEL")
MOVES = ("MOV", "S2R", "S2UR", "R2UR", "LDC", "CS2R")
TESTS = ("FSETP",)
INTEGERS = ("IMAD", "IADD3", "IADD", "VIADD", "LEA", "SHF", "SHL", "LOP3", "IABS", "HFMA2", "IMNMX", "VIMNMX", "PRMT", "BREV", "FLO", "POPC", "I2F", "I2FP",
            "F2I")
PREDICATES = ("ISETP", "PLOP3", "FCHK")
FROM_WHOLE = {("I2FP", ("F32", "S32")): "s32", ("I2FP", ("F32", "U32")): "u32", ("I2F", ()): "s32", ("I2F", ("U32",)): "u32"}
LOADS = {"LDG": "global", "LDS": "shared"}
STORES = {"STG": "global", "STS": "shared"}
ENDS = ("EXIT",)
QUIET = ("NOP", "BSSY", "BSYNC", "BMOV", "BAR", "MEMBAR", "WARPSYNC", "YIELD", "DEPBAR", "ERRBAR", "CCTL", "PREEXIT", "ACQBULK")
KNOWN = {*FLOATS, *SELECTS, *MOVES, *TESTS, *INTEGERS, *PREDICATES, *LOADS, *STORES, *ENDS, *QUIET, "BRA", "CALL", "FSET"}
UNIFORM = {"ULDC": "LDC", "LDCU": "LDC", "UISETP": "ISETP", **{f"U{name}": name for name in (*FLOATS, *SELECTS, "MOV", "FSETP", "FSET", *INTEGERS, "PLOP3")}}
PARAMS = ((100, 0x380), (90, 0x210), (0, 0x160))          # where the parameters begin in constant bank 0 [M: c[0x0] operands of NVRTC 13.0.88's code]
NTID = ((100, 0x360), (0, 0x0))
WIDE = {"64": 2, "128": 4, "WIDE": 2}


def read(function: SassFunction, arch: int) -> Graph:
    """The graph of a function for sm_`arch`."""
    reader = _SassReader(function, arch)
    reader.run()
    return reader.graph


def opcode(i: Instruction) -> str:
    """The opcode, the uniform datapath's named as the other's."""
    return UNIFORM.get(i.opcode, i.opcode)


def _is_predicate(text: str) -> bool:
    return PREDICATE.fullmatch(text) is not None


def _guard(text: str) -> str:
    return "" if text in ("PT", "UPT") else text


def _needs(i: Instruction) -> tuple[tuple[str, str], ...]:
    """What a comparison's predicate tells of the one that it is joined with: `a and P` being true, `a or P` being false."""
    last = i.operands[-1] if i.operands else ""
    if opcode(i) not in ("ISETP", "FSETP") or "EX" in i.modifiers or not _is_predicate(last) or not _guard(last):
        return ()
    both = ((i.operands[0], last),) if "AND" in i.modifiers else ((opposite(i.operands[0]), opposite(last)),) if "OR" in i.modifiers else ()
    return tuple((written, need) for written, need in both if not written.endswith("T"))


def _block(name: str, count: int) -> tuple[str, ...]:
    kind, first = ("UR", name[2:]) if name.startswith("U") else ("R", name[1:])
    return () if first == "Z" else tuple(f"{kind}{int(first) + k}" for k in range(count))


def _width(i: Instruction) -> int:
    """How many registers it writes, or a store reads."""
    return max((WIDE.get(m, 1) for m in i.modifiers), default=1)


@cache
def writes(i: Instruction) -> tuple[str, ...]:
    """The registers and predicates that an instruction writes."""
    name = opcode(i)
    if name in (*STORES, *ENDS, *QUIET, "BRA", "CALL") or not i.operands:
        return ()
    count = _width(i)
    if name == "CS2R" and "32" not in i.modifiers:
        count = 2
    out: list[str] = []
    for text in i.operands[:1] if name not in ("ISETP", "FSETP", "PLOP3", "IADD3", "LEA", "IADD", "IMAD") else i.operands[:3]:
        register = REGISTER.fullmatch(text)
        if register is not None and not any(o.startswith(("R", "UR")) for o in out) and text == i.operands[0]:
            out += _block(text.split(".")[0], count)
        elif _is_predicate(text) and not text.endswith("T") and (text == i.operands[0] or i.operands[0] in out or _is_predicate(i.operands[0])):
            out.append(text)
        else:
            break
    return tuple(out)


class _SassReader(Reader):
    def __init__(self, function: SassFunction, arch: int) -> None:
        self.code = function.body
        self.params = next(base for least, base in PARAMS if arch >= least)
        self.ntid = next(base for least, base in NTID if arch >= least)
        self.clobbered = _subroutine_writes(function)
        self.odd: list[str] = []
        super().__init__([self._step(n, i) for n, i in enumerate(self.code)])
        self.graph.unknown += self.odd

    def _step(self, n: int, i: Instruction) -> Step:
        name = opcode(i)
        if name not in KNOWN:
            self.odd.append(f"`{i}`")
        guard = _guard(i.predicate)
        if i.predicate in ("!PT", "!UPT"):
            return Step((), "", ((n + 1, ""),))
        if name == "CALL":
            return Step(self.clobbered.get(i.operands[-1], ()), guard, ((n + 1, ""),))
        if name not in ("BRA", *ENDS):
            return Step(writes(i), guard, ((n + 1, ""),), _needs(i))
        conditions = [_guard(o) for o in i.operands if _is_predicate(o)] + ([guard] if guard else [])
        conditions = [c for c in conditions if c]
        condition = conditions[0] if len(conditions) == 1 else ""
        ahead = [(n + 1, opposite(condition) if condition else "")] if conditions else []
        if name == "BRA":
            target = i.operands[-1]
            if not re.fullmatch(r"0x[0-9a-f]+", target) or set(i.modifiers) - {"U", "UNI"}:
                self.odd.append(f"`{i}`")
                return Step((), guard, ((n + 1, ""),))
            ahead.append((int(target, 16) // SIZE - self.code[0].address // SIZE, condition))
        return Step((), guard, tuple(ahead))

    def run(self) -> None:
        """Reads the stores and comparisons, and all they depend on."""
        jumps = [n for n, i in enumerate(self.code) if opcode(i) in ("BRA", *ENDS)]
        targets = [to - 1 for n in jumps for to, _ in self.reach.steps[n].follow if to != n + 1]
        self.rank([(n, self.loaded_place(n, i, k)) for n, i in enumerate(self.code) if i.opcode in LOADS for k in range(_width(i))], [*jumps, *targets])
        for n, i in enumerate(self.code):
            name = opcode(i)
            if name in STORES and i.predicate != "!PT":
                self._store(n, i, STORES[name])
            elif name in ("FSETP", "FSET"):
                kind = [m.lower() for m in i.modifiers if m not in ("FTZ", "AND", "OR", "XOR", "BF")]
                at = 2 if name == "FSETP" else 1
                if len(kind) != 1 or kind[0] not in ("lt", "le", "gt", "ge", "ltu", "leu", "gtu", "geu", "eq", "neu", "equ", "ne", "num", "nan"):
                    self.refuse(i)
                else:
                    self.graph.test(kind[0], self.operand(i.operands[at], n), self.operand(i.operands[at + 1], n), "FTZ" in i.modifiers)

    def refuse(self, i: Instruction) -> Source:
        """Something that is not understood."""
        self.graph.unknown.append(f"`{i}`")
        return self.graph.leaf("unknown", len(self.graph.unknown))

    def _store(self, n: int, i: Instruction, space: str) -> None:
        count = _width(i)
        value = i.operands[1]
        if set(i.modifiers) & {"U8", "S8", "U16", "S16"} or not REGISTER.fullmatch(value):
            self.refuse(i)
            return
        registers = _block(value, count) or (value,) * count
        for k, register in enumerate(registers):
            self.graph.stores.setdefault(f"{space} {self.place(i.operands[0], n, 4 * k)}", set()).update(self.operand(register, n))

    def place(self, address: str, n: int, more: int = 0) -> str:
        """The name of the cell at an address operand."""
        inner = address[address.rindex("[") + 1:].rstrip("]")
        words = [number(more)]
        for part in inner.split("+"):
            scaled = re.fullmatch(r"(.*)\.X(4|8|16)", part)
            text, scale = (scaled[1], int(scaled[2])) if scaled else (part, 1)
            words.append(times(self.low_operand(text, n), number(scale)))
        return str(plus(*words))

    # --- floats ---

    def operand(self, text: str, n: int, false: frozenset[str] = frozenset()) -> Source:
        """A float operand."""
        if text.startswith("-") and not re.match(r"-[\d.]", text) and text not in ("-INF", "-QNAN"):
            return signed(self.operand(text[1:], n, false), True)
        if text.startswith("|") and text.endswith("|"):
            return self.graph.magnitude(self.operand(text[1:-1], n, false))
        register = REGISTER.fullmatch(text)
        if register is not None:
            return self.graph.number(0) if register[2] == "Z" else self.read(text.split(".")[0], n, false)
        constant = CONSTANT.fullmatch(text)
        if constant is not None:
            return self._constant(_offset(constant))
        pattern = _pattern(text)
        if pattern is None:
            self.graph.unknown.append(f"the operand `{text}` of `{self.code[n]}`")
            return self.graph.leaf("unknown", len(self.graph.unknown))
        return self.graph.number(pattern)

    def _constant(self, offset: int) -> Source:
        return self.graph.leaf("param", offset - self.params) if offset >= self.params else self.graph.leaf("constant", offset)

    def computed(self, index: int, register: str) -> Source:
        i = self.code[index]
        name = opcode(i)
        part = int(re.sub(r"\D", "", register)) - int(re.sub(r"\D", "", i.operands[0].split(".")[0]) or 0) if name != "CALL" else 0
        if name == "CALL":
            kind = SLOW.search(i.operands[-1])
            return self.graph.leaf("slow", kind[1]) if kind is not None else self.refuse(i)
        if name in LOADS:
            return self._load(index, i, part)
        if name == "LDC":
            constant = CONSTANT.fullmatch(i.operands[1])
            return self._constant(_offset(constant) + 4 * part) if constant is not None else self.refuse(i)
        if name in FLOATS:
            return self._float(index, i)
        if name in SELECTS:
            return self._selected(index, i)
        if name == "MOV" or (name == "R2UR" and len(i.operands) == 2) or (name == "IMAD" and "MOV" in i.modifiers):
            return self._bits(i.operands[-1] if name != "MOV" else i.operands[1], index)
        if name == "CS2R" and i.operands[1] == "SRZ":
            return self.graph.number(0)
        if name == "HFMA2" and i.operands[1:3] in (("-RZ", "RZ"), ("RZ", "-RZ")):
            return self.graph.number(_halves(i.operands[3], i.operands[4]))
        if name == "FSET" and "BF" in i.modifiers:
            return self.graph.number(0x3F800000) | self.graph.number(0)
        shift = self._shift(i)
        if shift is not None:
            return self.graph.node(("shl", shift[1]), self.operand(shift[0], index))
        return self._whole(index, i)

    def _whole(self, index: int, i: Instruction) -> Source:
        """Arithmetic on words."""
        g, name, modifiers = self.graph, opcode(i), set(i.modifiers)
        x = [o for o in i.operands[1:] if not _is_predicate(o)]
        if (name in ("IADD3", "VIADD", "IADD") and not modifiers) or (name == "IMAD" and modifiers == {"IADD"} and i.operands[2] == "0x1"):
            terms = x if name != "IMAD" else [x[0], x[2]]
            return g.whole_sum([self._term(t, index) for t in terms])
        if name == "LEA" and not modifiers and len(x) == 3 and x[2].startswith("0x"):
            return g.whole_sum([g.node(("shl", int(x[2], 16)), self._bits(x[0], index)), self._term(x[1], index)])
        if name == "LOP3" and modifiers == {"LUT"} and len(x) == 4 and not any(t.startswith("~") for t in x):
            return g.bitwise(int(x[3], 16), *(self._bits(t, index) for t in x[:3]))
        if name == "F2I" and "NTZ" in modifiers and not modifiers - {"NTZ", "FTZ", *INTEGRAL}:
            return g.to_whole(next((INTEGRAL[m] for m in i.modifiers if m in INTEGRAL), "rn"), self.operand(x[0], index), "FTZ" in modifiers)
        kind = FROM_WHOLE.get((name, i.modifiers))
        return g.node(("from whole", kind), self._bits(x[0], index)) if kind is not None else self.refuse(i)

    def _term(self, text: str, n: int) -> Source:
        """A summand, which may have a minus."""
        return self.graph.opposite(self._bits(text[1:], n)) if text.startswith(("-R", "-UR")) else self._bits(text, n)

    def _bits(self, text: str, n: int) -> Source:
        """An operand of an instruction on bits: a number there is a whole number."""
        if re.fullmatch(r"-?0x[0-9a-f]+|-?\d+", text):
            return self.graph.number(int(text, 0) & 0xFFFFFFFF)
        return self.operand(text, n)

    def _shift(self, i: Instruction) -> tuple[str, int] | None:
        """What is shifted to the left, and by how many bits."""
        name = opcode(i)
        if name == "SHF" and "L" in i.modifiers and len(i.operands) == 4 and i.operands[3] in ("RZ", "URZ") and i.operands[2].startswith("0x"):
            return i.operands[1], int(i.operands[2], 16)
        if name == "IMAD" and "SHL" in i.modifiers and i.operands[2].startswith("0x"):
            return i.operands[1], int(i.operands[2], 16).bit_length() - 1
        return None

    def _load(self, index: int, i: Instruction, part: int) -> Source:
        if set(i.modifiers) & {"U8", "S8", "U16", "S16"}:
            return self.refuse(i)
        return self.loaded(index, self.loaded_place(index, i, part))

    def loaded_place(self, index: int, i: Instruction, part: int) -> str:
        """The cell that a load reads into its register number `part`."""
        return f"{LOADS[i.opcode]} {self.place(i.operands[1], index, 4 * part)}"

    def _selected(self, index: int, i: Instruction) -> Source:
        a, b, p = i.operands[1:4]
        guard = _guard(p)
        if p in ("PT", "UPT", "!PT", "!UPT"):
            return self.operand(b if p.startswith("!") else a, index)
        read = self.operand if opcode(i) == "FSEL" else self._bits_where
        return read(a, index, frozenset({opposite(guard)})) | read(b, index, frozenset({guard}))

    def _bits_where(self, text: str, n: int, false: frozenset[str]) -> Source:
        return self.operand(text, n, false) if REGISTER.fullmatch(text) else self._bits(text, n)

    def _float(self, index: int, i: Instruction) -> Source:
        g, name, modifiers = self.graph, opcode(i), set(i.modifiers)
        ftz = "FTZ" in modifiers
        x = [self.operand(o, index) for o in i.operands[1:] if not _is_predicate(o)]
        if name == "MUFU":
            kinds = modifiers & set(MUFU)
            return self.special(MUFU[kinds.pop()], x[0]) if len(modifiers) == 1 and kinds else self.refuse(i)
        if name in ("FMNMX", "FMNMX3"):
            ends = [o for o in i.operands[1:] if _is_predicate(o)]
            if modifiers - {"FTZ", "NAN"} or len(ends) != len(x) - 1 or len(set(ends)) != 1 or ends[0].strip("!U") != "PT":
                return self.refuse(i)
            return g.bound("max" if ends[0].startswith("!") else "min", "NAN" in modifiers, x, ftz)
        if name == "FRND":
            if modifiers - {"FTZ", *INTEGRAL}:
                return self.refuse(i)
            mode = next((INTEGRAL[m] for m in i.modifiers if m in INTEGRAL), "rn")
            return g.integral(mode, g.input(x[0], ftz), ftz)
        if modifiers - {"FTZ", "SAT", *MODES}:
            return self.refuse(i)
        mode = next((MODES[m] for m in i.modifiers if m in MODES), "rn")
        operation: dict[str, Callable[..., Source]] = {"FADD": g.add, "FMUL": g.mul, "FFMA": g.fma}
        made = operation[name](*x, mode, ftz)
        return g.sat(made) if "SAT" in modifiers else made

    # --- addresses ---

    def low_operand(self, text: str, n: int, false: frozenset[str] = frozenset()) -> Low:
        """The low word of an integer operand."""
        if text.startswith("-") and not text.startswith("-0x"):
            return minus(self.low_operand(text[1:], n, false))
        register = REGISTER.fullmatch(text)
        if register is not None:
            return number(0) if register[2] == "Z" else self.low(text.split(".")[0], n, false)
        constant = CONSTANT.fullmatch(text)
        if constant is not None:
            return self._constant_word(_offset(constant))
        return number(int(text, 0)) if re.fullmatch(r"-?(0x[0-9a-f]+|\d+)", text) else unknown(text)

    def _constant_word(self, offset: int) -> Low:
        if offset >= self.params:
            return unknown(f"param {offset - self.params:#x}")
        names = {self.ntid: "%ntid.x", self.ntid + 4: "%ntid.y", self.ntid + 8: "%ntid.z"}
        return unknown(names.get(offset, f"constant {offset:#x}"))

    def word(self, index: int, register: str) -> Low:
        i = self.code[index]
        name = opcode(i)
        part = int(re.sub(r"\D", "", register)) - int(re.sub(r"\D", "", i.operands[0].split(".")[0]) or 0) if name != "CALL" else 0
        if name == "LDC" and (constant := CONSTANT.fullmatch(i.operands[1])) is not None:
            return self._constant_word(_offset(constant) + 4 * part)
        if name in LOADS:
            return unknown(f"load {self.place(i.operands[1], index, 4 * part)}")
        x = [self.low_operand(o, index) for o in i.operands[1:] if not _is_predicate(o)]
        if part:
            return applied(f"part {part} of {i.mnemonic}", *x)
        if name == "SEL" and (guard := _guard(i.operands[3])):
            return joined([self.low_operand(i.operands[1], index, frozenset({opposite(guard)})), self.low_operand(i.operands[2], index, frozenset({guard}))])
        shift = self._shift(i)
        if shift is not None:
            return times(self.low_operand(shift[0], index), number(1 << shift[1]))
        if name in ("S2R", "S2UR"):
            return unknown(i.operands[1].replace("SR_", "%").lower())
        if name == "HFMA2" and i.operands[1:3] in (("-RZ", "RZ"), ("RZ", "-RZ")):
            return number(_halves(i.operands[3], i.operands[4]))
        if {"X", "HI"} & set(i.modifiers):
            return applied(i.mnemonic, *x)
        row = WORDS.get(name)
        return row(x) if row is not None else applied(i.mnemonic, *x)


def _offset(constant: re.Match[str]) -> int:
    return 0 if constant[1] == "RZ" else int(constant[1], 16)


def _leading(x: list[Low]) -> Low:
    a, b, shift = x[0], x[1], x[2].number
    return plus(times(a, number(1 << shift)), b) if shift is not None and shift < 32 else applied("LEA", *x)


WORDS: dict[str, Callable[[list[Low]], Low]] = {
    "IMAD": lambda x: plus(times(x[0], x[1]), x[2]), "IADD3": lambda x: plus(*x), "IADD": lambda x: plus(*x), "VIADD": lambda x: plus(*x), "LEA": _leading,
    "MOV": lambda x: x[0], "R2UR": lambda x: x[-1], "CS2R": lambda x: number(0) if x and x[0] == unknown("SRZ") else applied("CS2R", *x),
}


def _subroutine_writes(function: SassFunction) -> dict[str, tuple[str, ...]]:
    """What each subroutine writes."""
    starts = sorted((address, name) for name, address in function.subroutines.items())
    ends = [*(address for address, _ in starts), 1 << 62][1:]
    return {name: tuple(sorted({w for i in function.instructions if start <= i.address < end for w in writes(i)}))
            for (start, name), end in zip(starts, ends, strict=False)}


def _pattern(text: str) -> int | None:
    """The bits of a float literal."""
    named = {"+INF": 0x7F800000, "INF": 0x7F800000, "-INF": 0xFF800000, "+QNAN": 0x7FFFFFFF, "QNAN": 0x7FFFFFFF, "-QNAN": 0x7FFFFFFF | SIGN}
    if text in named:
        return named[text]
    if re.fullmatch(r"0x[0-9a-f]{1,8}", text):
        return int(text, 16)
    if not re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", text):
        return None
    with np.errstate(over="ignore"):
        return int(np.array(float(text), dtype=np.float32).view(np.uint32))


def _halves(high: str, low: str) -> int:
    """The word of two f16 literals."""
    return int.from_bytes(struct.pack("<ee", float(low), float(high)), "little")
