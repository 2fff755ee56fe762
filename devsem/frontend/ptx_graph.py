"""A PTX function in which nothing is left to choose, as a graph of float operations (`machine_graph.py`).

What has no row here is not understood, and then nothing is confirmed.
"""

from __future__ import annotations

from collections.abc import Callable

from devsem.frontend.low_words import Low, applied, joined, minus, number, plus, times, unknown
from devsem.frontend.machine_flow import Step, opposite
from devsem.frontend.machine_graph import Graph, Source, signed
from devsem.frontend.machine_reader import Reader
from devsem.frontend.ptx_ast import Address, Function, Immediate, Instruction, Label, Operand, Pair, Register, Symbol, Variable, Vector
from devsem.frontend.ptx_flow import Flow, targets

SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}
MODES = ("rn", "rz", "rm", "rp")
INTEGRAL = {"rni": "rn", "rmi": "rm", "rpi": "rp", "rzi": "rz"}
APPROXIMATE = ("rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos", "tanh")
CONTROL = ("bra", "ret", "exit")
COPIES = ("mov", "cvta", "cvt")
WORDS = {"add": lambda a, b: plus(a, b), "sub": lambda a, b: plus(a, minus(b)), "mul": times}
IGNORED = ("bra", "ret", "exit", "bar", "barrier", "st", "membar", "fence")


def read(function: Function) -> Graph:
    """The graph of a function."""
    reader = _PtxReader(function)
    reader.run()
    return reader.graph


def constants(function: Function) -> Callable[[Operand, int], int | None]:
    """The bits of an operand of the statement at an index, where they are the same for every input."""
    reader = _PtxReader(function)
    reader.run()
    return lambda o, n: reader.graph.pattern(reader.graph.expanded(reader.operand(o, n))) if isinstance(o, (Register, Immediate)) else None


def size(type_: str) -> int:
    """Bytes of a type: 4 for `f32`."""
    return next((n for bits, n in SIZES.items() if type_.endswith(bits)), 0)


def offsets(params: tuple[Variable, ...]) -> dict[str, int]:
    """Where each parameter lies in the parameter space, each at a multiple of its alignment."""
    out, at = {}, 0
    for p in params:
        align = p.align or size(p.type)
        at = -(-at // align) * align if align else at
        out[p.name] = at
        at += size(p.type) * max(p.count, 1)
    return out


def _steps(function: Function) -> list[Step]:
    labels = {s.name: n for n, s in enumerate(function.body) if isinstance(s, Label)}
    steps = []
    for n, s in enumerate(function.body):
        if isinstance(s, Label):
            steps.append(Step((), "", ((n + 1, ""),)))
            continue
        guard = f"{'!' if s.negated else ''}{s.predicate}" if s.predicate is not None else ""
        ahead = [(n + 1, opposite(guard) if guard and s.opcode in CONTROL else "")] if guard or s.opcode not in CONTROL else []
        if s.opcode == "bra":
            ahead += [(labels[o.name], guard) for o in s.operands if isinstance(o, Symbol)]
        steps.append(Step(targets(s), guard, tuple(ahead)))
    return steps


class _PtxReader(Reader):
    def __init__(self, function: Function) -> None:
        super().__init__(_steps(function))
        self.flow = Flow(function)
        self.offsets = offsets(function.params)

    def run(self) -> None:
        """Reads the stores and comparisons, and all they depend on."""
        live = [(n, i) for n, i in self.flow.instructions() if n in self.flow.live]
        breaks = [n for n, s in enumerate(self.flow.function.body) if isinstance(s, Label) or s.opcode in CONTROL]
        self.rank([(n, place) for n, i in live if i.opcode == "ld" for place in self.places(n, i)], breaks)
        for n, i in live:
            if i.opcode == "st":
                self._store(n, i)
            elif i.opcode == "setp" and i.modifiers[-1] == "f32":
                a, b = i.operands[1:3]
                self.graph.test(i.modifiers[0], self.operand(a, n), self.operand(b, n), "ftz" in i.modifiers)
            elif i.opcode in ("call", "atom", "red", "brx", "shfl", "set", "testp", "slct"):
                self.refuse(i)

    def refuse(self, i: Instruction) -> Source:
        """Something that is not understood."""
        self.graph.unknown.append(f"{i.where}: `{i}`")
        return self.graph.leaf("unknown", len(self.graph.unknown))

    def place(self, address: Operand, n: int, more: int = 0) -> str:
        """The name of a cell."""
        assert isinstance(address, Address)
        base = self.low(address.base.name, n) if isinstance(address.base, Register) else unknown(str(address.base))
        return str(plus(base, number(address.offset + more)))

    def _store(self, n: int, i: Instruction) -> None:
        value = i.operands[1]
        items = value.items if isinstance(value, Vector) else (value,)
        width = size(i.modifiers[-1])
        if width != 4 or not {"global", "shared"} & set(i.modifiers):
            self.refuse(i)
        space = "shared" if "shared" in i.modifiers else "global"
        for k, item in enumerate(items):
            self.graph.stores.setdefault(f"{space} {self.place(i.operands[0], n, k * width)}", set()).update(self.operand(item, n))

    def operand(self, o: Operand, n: int, false: frozenset[str] = frozenset()) -> Source:
        """A float operand."""
        if isinstance(o, Register):
            return self.read(o.name, n, false) if not o.name.startswith(("%tid", "%ctaid", "%ntid", "%nctaid")) else self.graph.leaf("int", o.name)
        if isinstance(o, Immediate) and o.kind != "f64":
            return self.graph.number(o.value & 0xFFFFFFFF)
        self.graph.unknown.append(f"the operand `{o}`")
        return self.graph.leaf("unknown", len(self.graph.unknown))

    def computed(self, index: int, register: str) -> Source:
        i = self.flow.at(index)
        kind = i.modifiers[-1] if i.modifiers else ""
        if i.opcode == "ld":
            return self._load(index, i, register)
        if i.opcode == "selp" and size(kind) == 4:
            p = i.operands[3]
            if isinstance(p, Register):
                yes, no = frozenset({opposite(p.name)}), frozenset({p.name})
                return self.operand(i.operands[1], index, yes) | self.operand(i.operands[2], index, no)
        if i.opcode == "mov" and size(kind) == 4 and isinstance(i.operands[1], (Register, Immediate)):
            return self.operand(i.operands[1], index)
        if i.opcode == "shl" and isinstance(i.operands[2], Immediate):
            return self.graph.node(("shl", i.operands[2].value), self.operand(i.operands[1], index))
        if i.opcode == "fused":
            return self._fused(index, i)
        if kind in ("s32", "u32", "b32") and i.opcode in WHOLE and not {"hi", "wide", "sat", "cc"} & set(i.modifiers):
            return WHOLE[i.opcode](self.graph, [self.operand(o, index) for o in i.operands[1:]])
        row = FLOAT.get(i.opcode)
        if row is None or (kind != "f32" and i.opcode != "cvt"):
            return self.refuse(i)
        found = row(self, i, [self.operand(o, index) for o in i.operands[1:]])
        return found if found is not None else self.refuse(i)

    def _load(self, index: int, i: Instruction, register: str) -> Source:
        address, target = i.operands[1], i.operands[0]
        items = [str(t) for t in target.items] if isinstance(target, Vector) else [str(target)]
        width = size(i.modifiers[-1])
        assert isinstance(address, Address)
        if "param" in i.modifiers and isinstance(address.base, Symbol) and width == 4 and address.base.name in self.offsets:
            return self.graph.leaf("param", self.offsets[address.base.name] + address.offset + 4 * items.index(register))
        places = self.places(index, i)
        return self.loaded(index, places[items.index(register)]) if places else self.refuse(i)

    def places(self, n: int, i: Instruction) -> list[str]:
        """The cells that a load reads into each of its registers; none for a load that is not understood."""
        width, target = size(i.modifiers[-1]), i.operands[0]
        if width != 4 or not {"global", "shared"} & set(i.modifiers) or "volatile" in i.modifiers:
            return []
        space = "shared" if "shared" in i.modifiers else "global"
        return [f"{space} {self.place(i.operands[1], n, width * k)}" for k in range(len(target.items) if isinstance(target, Vector) else 1)]

    def _fused(self, index: int, i: Instruction) -> Source:
        kind, ftz, negative, sat = i.modifiers[0], "ftz" in i.modifiers, "rsub" in i.modifiers, "sat" in i.modifiers
        operands = [self.operand(o, index) for o in i.operands[1:]]
        if kind == "rcp_approx":
            a, b = self.reciprocal(operands[0])
        else:
            a, b = self.quotient(kind == "div_full", operands[0], operands[1], ftz)
        made = self.graph.fma(signed(a, negative), b, operands[-1], ftz=ftz)
        return self.graph.sat(made) if sat else made

    def word(self, index: int, register: str) -> Low:
        i = self.flow.at(index)

        def low(o: Operand, false: frozenset[str] = frozenset()) -> Low:
            if isinstance(o, Immediate):
                return number(o.value)
            if isinstance(o, Register):
                special = o.name.startswith(("%tid", "%ctaid", "%ntid", "%nctaid", "%laneid"))
                return unknown(o.name) if special else self.low(o.name, index, false)
            return unknown(str(o))

        if i.opcode == "ld":
            address = i.operands[1]
            assert isinstance(address, Address)
            if "param" in i.modifiers and isinstance(address.base, Symbol) and address.base.name in self.offsets:
                return unknown(f"param {self.offsets[address.base.name] + address.offset:#x}")
            return unknown(f"load {self.place(address, index)}")
        if i.opcode in COPIES and size(i.modifiers[-1]) >= 4 and "f32" not in i.modifiers and not isinstance(i.operands[1], (Vector, Pair)):
            return low(i.operands[1])
        if i.opcode in WORDS and "hi" not in i.modifiers and "f32" not in i.modifiers:
            return WORDS[i.opcode](low(i.operands[1]), low(i.operands[2]))
        if i.opcode == "mad" and "hi" not in i.modifiers:
            return plus(times(low(i.operands[1]), low(i.operands[2])), low(i.operands[3]))
        if i.opcode == "shl" and isinstance(i.operands[2], Immediate) and i.operands[2].value < 32:
            return times(low(i.operands[1]), number(1 << i.operands[2].value))
        if i.opcode == "selp" and isinstance(i.operands[3], Register):
            p = i.operands[3].name
            return joined([low(i.operands[1], frozenset({opposite(p)})), low(i.operands[2], frozenset({p}))])
        return applied(i.mnemonic, *(low(o) for o in i.operands[1:]))


Row = Callable[[_PtxReader, Instruction, list[Source]], Source | None]


def _mode(i: Instruction) -> str:
    return next((m for m in i.modifiers if m in MODES), "")


def _saturated(r: _PtxReader, i: Instruction, value: Source) -> Source:
    return r.graph.sat(value) if "sat" in i.modifiers else value


def _flush(r: _PtxReader, i: Instruction, value: Source) -> Source:
    return r.graph.flushed(value) if "ftz" in i.modifiers else value


def _arithmetic(name: str) -> Row:
    def row(r: _PtxReader, i: Instruction, x: list[Source]) -> Source | None:
        if not _mode(i):
            return None
        if name == "sub":
            return _saturated(r, i, r.graph.add(x[0], signed(x[1], True), _mode(i), "ftz" in i.modifiers))
        operation: Callable[..., Source] = getattr(r.graph, name)
        return _saturated(r, i, operation(*x, _mode(i), "ftz" in i.modifiers))
    return row


def _bound(kind: str) -> Row:
    return lambda r, i, x: None if {"abs", "xorsign"} & set(i.modifiers) else r.graph.bound(kind, "NaN" in i.modifiers, x, "ftz" in i.modifiers)


def _approximate(r: _PtxReader, i: Instruction, x: list[Source]) -> Source | None:
    ftz = "ftz" in i.modifiers
    if "approx" in i.modifiers:
        return r.approximate(i.opcode, x[0], ftz)
    exact = {"rcp": r.exact_reciprocal, "sqrt": r.exact_root}.get(i.opcode)
    return exact(x[0], ftz) if exact is not None and _mode(i) == "rn" else None


def _divided(r: _PtxReader, i: Instruction, x: list[Source]) -> Source | None:
    ftz = "ftz" in i.modifiers
    if _mode(i):
        return r.exact_quotient(x[0], x[1], ftz) if _mode(i) == "rn" else None
    a, b = r.quotient("full" in i.modifiers, x[0], x[1], ftz)
    return r.graph.mul(a, b, ftz=ftz)


def _converted(r: _PtxReader, i: Instruction, x: list[Source]) -> Source | None:
    rounding = next((INTEGRAL[m] for m in i.modifiers if m in INTEGRAL), "")
    if i.modifiers in (("rn", "f32", "s32"), ("rn", "f32", "u32")):
        return r.graph.node(("from whole", i.modifiers[2]), x[0])
    if rounding and i.modifiers[-2:] == ("s32", "f32") and set(i.modifiers[1:-2]) <= {"ftz"}:
        return r.graph.to_whole(rounding, x[0], "ftz" in i.modifiers)
    if i.modifiers[-2:] != ("f32", "f32"):
        return None
    if rounding:
        return _saturated(r, i, r.graph.integral(rounding, r.graph.input(x[0], "ftz" in i.modifiers), "ftz" in i.modifiers))
    return _saturated(r, i, _flush(r, i, x[0]))


FLOAT: dict[str, Row] = {
    **{name: _arithmetic(name) for name in ("add", "sub", "mul", "fma")}, "min": _bound("min"), "max": _bound("max"),
    "neg": lambda r, i, x: _flush(r, i, signed(x[0], True)), "abs": lambda r, i, x: _flush(r, i, r.graph.magnitude(x[0])),
    "copysign": lambda r, i, x: r.graph.node(("copysign",), x[1], x[0]), **dict.fromkeys(APPROXIMATE, _approximate), "div": _divided, "cvt": _converted,
}


def _bitwise(table: int) -> Callable[[Graph, list[Source]], Source]:
    return lambda g, x: g.bitwise(table, x[0], x[1], g.number(0))


WHOLE: dict[str, Callable[[Graph, list[Source]], Source]] = {
    "add": lambda g, x: g.whole_sum(x), "sub": lambda g, x: g.whole_sum([x[0], g.opposite(x[1])]),
    "and": _bitwise(0xC0), "or": _bitwise(0xFC), "xor": _bitwise(0x3C),
}
