"""Run one thread of a compiled kernel symbolically: PTX becomes what it loads and what it finally stores, as `symbolic.py` has it.

What an instruction computes is `ptx_meaning.py`'s. Here are control flow, parameters and memory. The two sides of a branch are run up
to the block where they meet again, and joined: a register becomes a choice by the branch's condition, a cell keeps the condition
under which it is written. A loop is unrolled while its condition is a constant. Loads, stores and indices are named as the reading
as written names them, so that every later stage takes either.

The NaN that arithmetic makes is 0x7fffffff where its bits are read [Q:CPG 13.1, 20.3]; PTX leaves it open. `notes` says where a
result rests on that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from devsem.conversions import ANGLE
from devsem.errors import Rejected
from devsem.expr import Expr, bits, const_bool, const_int, topo, var
from devsem.frontend.ptx_ast import Address, Function, Immediate, Instruction, Operand, Pair, Register, Symbol, Variable, Vector
from devsem.frontend.ptx_cfg import Cfg, blocks
from devsem.frontend.ptx_meaning import B16, BF16, F16, Kind, flush, meaning
from devsem.frontend.ptx_words import sort
from devsem.ops import B32, B64, BOOL, F32
from devsem.program import Param
from devsem.ptx_address import BYTES, Chosen, Place, Pointer, element
from devsem.ptx_bits import MOST_PARAMS, Patterns, never_nan, renumbered
from devsem.ptx_own import constants, keep_word, own_word
from devsem.ptx_state import Double, Half, State, Value, choose, join
from devsem.rejections import rejection
from devsem.simplify import TRUE, make
from devsem.symbolic import Cell, Load, Store, Stores, Written, aliases, final_stores, join_cells, read_cell, write_cell

MAX_STEPS, MAX_DEPTH = 20_000, 150
SPECIAL = {"%tid.x": "threadIdx.x", "%ntid.x": "blockDim.x", "%ctaid.x": "blockIdx.x", "%nctaid.x": "gridDim.x"}
NAN_NOTE = "a NaN that an instruction computes has the bits 0x7fffffff where they are read (CUDA C++ Programming Guide 13.1, 20.3; PTX leaves them open)"
REFUSED = {
    **dict.fromkeys(("bar", "barrier", "shfl", "vote", "match", "activemask", "redux", "membar", "fence", "elect"), "ptx.threads"),
    **dict.fromkeys(("atom", "red"), "ptx.atomic"), "call": "ptx.call",
}
SPACES = {"shared": "ptx.shared", "local": "ptx.local"}
OWN = ("local", "table")
_ACCESS = re.compile(r"(?:ld|st)(?:\.global|\.local)?(?:\.(?:ca|cg|cs|lu|wb|wt|nc|L1::\w+|L2::\w+))*(?:\.v(?P<count>[24]))?\.(?:[bus]32|f32)")
_POINTER_COPY = re.compile(r"mov\.[bus]64|cvta(?:\.to)?\.(?:global|local)\.u64")
DOUBLE = ("cvt.rn.f64.s64", "mul.f64", "mul.rn.f64", "cvt.rn.f32.f64", "cvt.rn.ftz.f32.f64")
_POINTER_CHOICE = re.compile(r"selp\.[bus]64")
_POINTER_SUM = re.compile(r"(?P<op>add|sub|mad\.wide|mad\.lo)\.(?P<type>[su](?:32|64))")


def run_ptx(function: Function, params: Sequence[Param], tables: Sequence[Variable] = ()) -> Stores:
    """The loads and final stores of one thread; `params` are the kernel's parameters as its source declares them, in order, and `tables`
    the module's arrays (`Module.variables`), of which libdevice's own are known to hold constants.

    Raises Rejected for every instruction, address and loop that is not accepted, by its place in the PTX.
    """
    if len(params) != len(function.params) or len(params) > MOST_PARAMS:
        raise Rejected(rejection("ptx.parameter", function.where, name=str(len(params) + 1), what=f"one of {len(function.params)}"))
    run = Run(function, tuple(params), blocks(function), constants(function, tables))
    end = run.until(0, run.graph.exit, State(), frozenset())
    refused = aliases(run.loads, end.cells)
    if refused:
        raise Rejected(*(rejection("ptx.alias", load.where, name=load.buffer) for load in refused))
    loads, stores = tuple(run.loads.values()), final_stores(end.cells)
    made = iter(renumbered(tuple(e for x in loads for e in (x.index, x.guard)) + tuple(e for y in stores for e in (y.index, y.value, y.guard))))
    return Stores(function.name, tuple(params), tuple(Load(x.variable, x.buffer, next(made), next(made), x.where) for x in loads),
                  tuple(Store(y.buffer, next(made), next(made), next(made), y.where) for y in stores))


def value_ptx(function: Function, params: Sequence[Param], tables: Sequence[Variable] = ()) -> Expr:
    """What a kernel with one store writes, over its load variables; a guard is not in it."""
    stores = run_ptx(function, params, tables).stores
    if len(stores) != 1:
        raise Rejected(rejection("ptx.size", function.where, what=f"`{function.name}` has {len(stores)} stores where one is expected"))
    return stores[0].value


def notes(stores: Stores) -> tuple[str, ...]:
    """What the result assumes beyond PTX's text."""
    roots = [e for y in stores.stores for e in (y.index, y.value, y.guard)]
    computed = [n.args[-1] for n in topo(*roots) if n.op in ("bits_of", "copysign") and not n.args[-1].is_var]
    return () if all(map(never_nan, computed)) else (NAN_NOTE,)


@dataclass
class Run:
    """One symbolic run: what it runs, and what grows along it."""

    function: Function
    params: tuple[Param, ...]
    graph: Cfg
    tables: Mapping[str, bytes]
    patterns: Patterns = field(default_factory=Patterns)
    loads: dict[Cell, Load] = field(default_factory=dict)
    steps: int = 0

    # --- control flow ---

    def until(self, block: int, end: int, state: State, active: frozenset[int]) -> State:
        """The state at the block `end`, from the beginning of another; `active` are the branches whose sides are being run."""
        while block != end:
            b = self.graph.blocks[block]
            for i in b.instructions:
                state = self.step(i, state)
            first, last = b.successors[0], b.successors[-1]
            condition = TRUE if first.target == last.target else self.predicate(first.predicate, first.negated, state, b.instructions[-1])
            if condition.is_const:
                block = first.target if condition.value else last.target
                continue
            where = b.instructions[-1].where
            if block in active:
                raise Rejected(rejection("ptx.loop", where))
            if len(active) >= MAX_DEPTH:
                raise Rejected(rejection("ptx.size", where, what=f"branches are nested more than {MAX_DEPTH} deep"))
            meet, inside = self.graph.ipdom[block], active | {block}
            then, other = (self.until(e.target, meet, state.fork(c), inside) for e, c in ((first, condition), (last, make("not", condition))))
            state, block = join(state.path, condition, then, other, self.patterns), meet
        return state

    def step(self, i: Instruction, state: State) -> State:
        """One instruction; jumps are the graph's."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise Rejected(rejection("ptx.size", i.where, what=f"more than {MAX_STEPS} instructions are run one after another"))
        if i.opcode in ("bra", "ret", "exit"):
            return state
        c = self.predicate(i.predicate, i.negated, state, i)
        if c.is_const:
            if c.value:
                self.execute(i, state)
            return state
        then = state.fork(c)
        self.execute(i, then)
        return join(state.path, c, then, state, self.patterns)

    def predicate(self, register: Register | None, negated: bool, state: State, i: Instruction) -> Expr:
        """Whether a predicate lets an instruction be."""
        if register is None:
            return TRUE
        held = self.read(register, BOOL, state, i)
        return make("not", held) if negated else held

    def execute(self, i: Instruction, state: State) -> None:
        """What an instruction does to registers and memory."""
        for modifier in i.modifiers:
            if modifier in SPACES and not (modifier == "local" and i.opcode in ("ld", "st", "cvta")):
                raise Rejected(rejection(SPACES[modifier], i.where, name=i.mnemonic))
        if i.opcode in REFUSED:
            raise Rejected(rejection(REFUSED[i.opcode], i.where, name=i.mnemonic))
        if i.opcode in HANDLERS and len(i.operands) != 2:
            raise Rejected(rejection("ptx.operands", i.where, name=i.mnemonic, count="2"))
        if i.opcode in HANDLERS:
            HANDLERS[i.opcode](self, i, state)
        elif any(isinstance(o, Register) and isinstance(state.registers.get(o.name), Place) for o in i.operands[1:]):
            self.move(i, state)
        elif any(isinstance(o, Symbol) for o in i.operands):
            self.name(i, state)
        elif i.mnemonic in DOUBLE:
            self.double(i, state)
        else:
            self.compute(i, state)

    # --- registers ---

    def compute(self, i: Instruction, state: State) -> None:
        """An instruction between registers, by the table."""
        m = meaning(i)
        written = m.of(*(self.read(o, kind, state, i) for o, kind in zip(i.operands[1:], m.reads, strict=True)))
        target = i.operands[0]
        pair = isinstance(target, Pair) and target.second is not None
        registers = [target.first, target.second] if isinstance(target, Pair) and pair else [target]
        if len(m.writes) != 1 + pair:
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what="or writes two predicates"))
        for register, value, kind in zip(registers, written, m.writes, strict=True):
            self.set(register, self.held(value, kind, m.canonical), state, i)

    def held(self, value: Expr, kind: Kind, canonical: bool) -> Value:
        """What a register holds after a write."""
        if kind in (F16, BF16, B16):
            return Half(kind, value)
        return value if canonical or kind != F32 else self.patterns.unknown(value)

    def set(self, target: Operand | None, value: Value, state: State, i: Instruction) -> None:
        """Write a register; `_` is none."""
        if not isinstance(target, Register):
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"or writes `{target}`, which is no register"))
        state.registers[target.name] = value

    def read(self, o: Operand, kind: Kind, state: State, i: Instruction) -> Expr:
        """An operand as what the instruction takes it for."""
        value = self.operand(o, kind, state, i)
        if isinstance(value, Half) and value.kind == kind:
            return value.value
        if isinstance(value, Expr):
            if kind == F32 and value.sort in (F32, B32):
                return self.patterns.number(value)
            if kind == B32 and value.sort in (F32, B32):
                return self.patterns.word(value)
            if value.sort == kind:
                return value
        what = "a pointer" if isinstance(value, Place) else f"`{o}`, which holds nothing of its type"
        raise Rejected(rejection("ptx.pointer" if isinstance(value, Place) else "ptx.kind", i.where, name=i.mnemonic, what=what))

    def operand(self, o: Operand, kind: Kind, state: State, i: Instruction) -> Value:
        """What an operand holds."""
        if isinstance(o, Pair) and o.second is None:
            return make("not", self.read(o.first, BOOL, state, i))
        if isinstance(o, Register):
            if o.name in SPECIAL:
                return var(SPECIAL[o.name], B32)
            if o.name not in state.registers:
                dotted = "." in o.name or o.name in ("%laneid", "%warpid", "%clock", "%clock64")
                raise Rejected(rejection("ptx.special" if dotted else "ptx.unset", i.where, name=o.name))
            return state.registers[o.name]
        if isinstance(o, Immediate) and o.kind != "f64":
            if kind == F32 and o.kind == "f32":
                return bits(o.value)
            if kind == BOOL and o.kind == "int":
                return const_bool(o.value != 0)
            if kind == B16 and o.kind == "int":
                return Half(B16, const_int(B32, o.value & 0xFFFF))
            if kind in (B32, B64) and i.modifiers[-1:] not in ((("f32",), ("f64",)) if o.kind == "int" else (("s32",), ("u32",))):
                return const_int(B64 if kind == B64 else B32, o.value)
        raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"`{o}`, which is not of its type"))

    # --- pointers, parameters, memory ---

    def move(self, i: Instruction, state: State) -> None:
        """A pointer copied, chosen, or moved by a number of bytes."""
        target, *rest = i.operands
        values = [state.registers.get(o.name) if isinstance(o, Register) else None for o in rest]
        pointers = [v for v in values if isinstance(v, Place)]
        m = _POINTER_SUM.fullmatch(i.mnemonic)
        if _POINTER_COPY.fullmatch(i.mnemonic):
            self.set(target, pointers[0], state, i)
            return
        if _POINTER_CHOICE.fullmatch(i.mnemonic) and len(rest) == 3 and len(pointers) == 2:
            c = self.read(rest[2], BOOL, state, i)
            self.set(target, choose(c, pointers[0], pointers[1], self.patterns), state, i)
            return
        if m is None or len(pointers) != 1 or (m["op"] in ("add", "sub")) != (len(rest) == 2):
            raise Rejected(rejection("ptx.pointer", i.where, name=i.mnemonic))
        at = values.index(pointers[0])
        others = rest[:at] + rest[at + 1:]
        if m["op"] in ("add", "sub") and m["type"][1:] == "64" and (at == 0 or m["op"] == "add"):
            by = self.read(others[0], B64, state, i)
            self.set(target, pointers[0].moved(by if m["op"] == "add" else make("sub_b64", const_int(B64, 0), by)), state, i)
        elif m["op"].startswith("mad") and at == 2:
            product = meaning(Instruction("mul", i.modifiers, (target, *others), where=i.where))
            (by,) = product.of(*(self.read(o, k, state, i) for o, k in zip(others, product.reads, strict=True)))
            if by.sort != B64:
                raise Rejected(rejection("ptx.pointer", i.where, name=i.mnemonic))
            self.set(target, pointers[0].moved(by), state, i)
        else:
            raise Rejected(rejection("ptx.pointer", i.where, name=i.mnemonic))

    def load(self, i: Instruction, state: State) -> None:
        """ld: from the parameters, or elements of a buffer."""
        if "param" in i.modifiers:
            self.parameter(i, state)
            return
        place, offsets = self.access(i, i.operands[-1], state)
        if isinstance(place, Pointer) and place.space in OWN:
            self.set(i.operands[0], own_word(place, offsets, i, state, self.tables), state, i)
            return
        target = i.operands[0]
        registers = target.items if isinstance(target, Vector) else (target,)
        if len(registers) != len(offsets):
            raise Rejected(rejection("ptx.operands", i.where, name=i.mnemonic, count=str(len(offsets))))
        found = [self.loaded(place, offset, i, state) for offset in offsets]
        for register, value in zip(registers, found, strict=True):
            self.set(register, value, state, i)

    def loaded(self, place: Place, offset: int, i: Instruction, state: State) -> Value:
        """A cell's value: what was loaded is any NaN if it is one, under the key of its parameter and of its place among the buffer's loads."""
        if isinstance(place, Chosen):
            sides = ((place.yes, place.condition), (place.no, make("not", place.condition)))
            yes, no = (self.loaded(side, offset, i, state.fork(c)) for side, c in sides)
            return choose(place.condition, yes, no, self.patterns)
        cell = self.cell(place, offset, i)
        places = [index for buffer, index in self.loads if buffer == place.buffer]
        fresh = Load(var(f"{place.buffer}@{len(places)}", F32), *cell, TRUE, i.where)
        value = read_cell(self.loads, fresh, state.cells.get(cell), TRUE, state.path)
        if cell not in self.loads or value is not self.loads[cell].variable:
            return self.patterns.unknown(value)
        number = places.index(cell[1]) if cell[1] in places else len(places)
        return self.patterns.unknown(value, place.position + number * MOST_PARAMS)

    def store(self, i: Instruction, state: State) -> None:
        """st: elements of a buffer."""
        place, offsets = self.access(i, i.operands[0], state)
        source = i.operands[-1]
        if isinstance(place, Pointer) and place.space in OWN:
            value = self.operand(source, B32, state, i)
            wide = isinstance(value, Expr) and value.sort == B64      # a store takes the low bits of a wider register
            keep_word(place, offsets, make("wrap", value) if wide and isinstance(value, Expr) else self.read(source, B32, state, i), i, state)
            return
        values = source.items if isinstance(source, Vector) else (source,)
        if len(values) != len(offsets):
            raise Rejected(rejection("ptx.operands", i.where, name=i.mnemonic, count=str(len(offsets))))
        numbers = [self.patterns.number(self.read(v, B32 if isinstance(v, Immediate) and v.kind == "int" else F32, state, i)) for v in values]
        for offset, number in zip(offsets, numbers, strict=True):
            state.cells = self.stored(place, offset, number, i, state.cells)

    def stored(self, place: Place, offset: int, number: Expr, i: Instruction, cells: dict[Cell, Written]) -> dict[Cell, Written]:
        """Memory after a store."""
        if isinstance(place, Chosen):
            yes, no = (self.stored(side, offset, number, i, cells) for side in (place.yes, place.no))
            return join_cells(place.condition, yes, no)
        cell = self.cell(place, offset, i)
        return {**cells, cell: write_cell(cells.get(cell), TRUE, number, i.where)}

    def access(self, i: Instruction, address: Operand, state: State) -> tuple[Place, list[int]]:
        """Where an access of one, two or four elements begins, and the bytes from there to each."""
        m = _ACCESS.fullmatch(i.mnemonic)
        if m is None:
            raise Rejected(rejection("ptx.f64" if "f64" in i.modifiers else "ptx.instruction", i.where, name=i.mnemonic))
        base = address.base if isinstance(address, Address) else None
        place = state.registers.get(base.name) if isinstance(base, Register) else None
        if not isinstance(place, Place) or not isinstance(address, Address):
            raise Rejected(rejection("ptx.address", i.where, name=str(address)))
        local = isinstance(place, Pointer) and place.space == "local"
        if local != ("local" in i.modifiers):
            raise Rejected(rejection("ptx.local", i.where, name=i.mnemonic))
        return place, [address.offset + BYTES * k for k in range(int(m["count"] or 1))]

    def cell(self, pointer: Pointer, offset: int, i: Instruction) -> Cell:
        """The element at an address."""
        index = element(make("add_b64", pointer.offset, const_int(B64, offset)))
        if index is None:
            raise Rejected(rejection("ptx.address", i.where, name=i.mnemonic))
        return pointer.buffer, index

    def name(self, i: Instruction, state: State) -> None:
        """mov of an array's address."""
        symbol = i.operands[1] if len(i.operands) == 2 else None
        local = next((v for v in self.function.variables if isinstance(symbol, Symbol) and v.name == symbol.name), None)
        table = isinstance(symbol, Symbol) and symbol.name in self.tables
        if not isinstance(symbol, Symbol) or not _POINTER_COPY.fullmatch(i.mnemonic) or not (table or (local and local.space == "local")):
            space = local.space if local else ""
            raise Rejected(rejection(SPACES.get(space, "ptx.address"), i.where, name=i.mnemonic if space in SPACES else ", ".join(map(str, i.operands))))
        self.set(i.operands[0], Pointer(symbol.name, -1, const_int(B64, 0), "table" if table else "local"), state, i)

    def double(self, i: Instruction, state: State) -> None:
        """The angle that libdevice reduces a huge argument to, in doubles, and no other use of them."""
        target, source, *rest = i.operands if len(i.operands) > 1 else (None, None)
        held = state.registers.get(source.name) if isinstance(source, Register) else None
        if i.mnemonic == "cvt.rn.f64.s64" and isinstance(source, Register) and not rest:
            self.set(target, Double(self.read(source, B64, state, i)), state, i)
        elif i.opcode == "mul" and isinstance(held, Double) and not held.angle and rest == [Immediate(ANGLE, "f64")]:
            self.set(target, Double(held.integer, angle=True), state, i)
        elif i.opcode == "cvt" and isinstance(held, Double) and held.angle and not rest:
            value = make("angle_to_f32", held.integer)
            self.set(target, flush(value) if "ftz" in i.modifiers else value, state, i)
        else:
            raise Rejected(rejection("ptx.f64", i.where, name=i.mnemonic))

    def parameter(self, i: Instruction, state: State) -> None:
        """ld.param: the kernel's parameter as its source's type says."""
        target, address = i.operands
        name = address.base.name if isinstance(address, Address) and isinstance(address.base, Symbol) and not address.offset else ""
        position = next((k for k, p in enumerate(self.function.params) if p.name == name), None)
        if position is None or len(i.modifiers) != 2:
            raise Rejected(rejection("ptx.parameter", i.where, name=f"`{address}`", what=i.mnemonic))
        param, type_, declared = self.params[position], i.modifiers[1], self.function.params[position]
        if not param.is_buffer and param.expr.sort == BOOL and type_ in ("s8", "u8", "b8") and declared.type in ("s8", "u8", "b8"):
            self.set(target, Half(B16, make("select_b32", param.expr, const_int(B32, 1), const_int(B32, 0))), state, i)
            return
        wanted = B64 if param.is_buffer else param.expr.sort
        found: Value = Pointer(param.name, position, const_int(B64, 0)) if param.is_buffer else param.expr
        if wanted == F32 and type_ in ("f32", "b32", "u32", "s32"):
            found = self.patterns.unknown(param.expr, position)
        elif wanted == B64 and type_ in ("u32", "s32", "b32") and not param.is_buffer:
            found = make("wrap", param.expr)
        elif wanted not in (B32, B64) or wanted != sort(type_) or type_[0] not in "bsu" or sort(declared.type) != wanted:
            raise Rejected(rejection("ptx.parameter", i.where, name=f"`{param.name}` of the type `{param.type}`", what=i.mnemonic))
        self.set(target, found, state, i)


HANDLERS: dict[str, Callable[[Run, Instruction, State], None]] = {"ld": Run.load, "st": Run.store}
