"""Threads in lockstep through a PTX function: what each instruction does to registers and memory, and who runs after a branch.

Where threads part, one side runs up to the block where both meet again (the branch's immediate post-dominator), then the other.
A barrier in between, which only one side reaches, is a fault; threads that ended are missed there, too [Q:PTX 9.7.13: all threads of a
block take part].
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.behaviour import Behaviour
from devsem.emulator_fault import Stop
from devsem.emulator_memory import LOCAL, SHARED, WORDS, Memory, address_of
from devsem.emulator_only import atomic, convert
from devsem.emulator_state import Lanes, State
from devsem.emulator_warp import gathered, shuffle, vote
from devsem.emulator_words import BITS, Functions, Template, shape, template, word
from devsem.errors import Rejected
from devsem.frontend.ptx_ast import Address, Function, Immediate, Instruction, Operand, Pair, Register, Symbol, Vector
from devsem.frontend.ptx_cfg import Cfg
from devsem.frontend.ptx_meaning import Kind
from devsem.ops import B32, B64, BOOL
from devsem.rejections import rejection

Array = npt.NDArray[Any]
ACCESS = re.compile(r"(?:ld|st)(?:\.volatile|\.weak)?(?:\.(?P<space>global|shared|local|const|param))?(?:::\w+)?"
                    r"(?:\.(?:ca|cg|cs|cv|lu|wb|wt|nc|L1::\w+|L2::\w+))*(?:\.v(?P<count>[248]))?\.(?P<kind>[busf])(?P<bits>8|16|32|64)")
BARRIER = re.compile(r"bar\.sync|bar\.cta\.sync|barrier(?:\.cta)?\.sync(?:\.aligned)?")
SHUFFLE, VOTE = re.compile(r"shfl\.sync\.(up|down|bfly|idx)\.b32"), re.compile(r"vote\.sync\.(?:(all|any|uni)\.pred|(ballot)\.b32)")
REFUSED = {**dict.fromkeys(("bar", "barrier", "shfl", "vote", "match", "activemask", "redux", "membar", "fence", "elect"), "ptx.threads"),
           "call": "ptx.call"}
WINDOWS = {"shared": SHARED, "local": LOCAL}
JUMPS = ("bra", "ret", "exit")


@dataclass(frozen=True)
class Layout:
    """What a launch gives a function besides memory: its parameters' bytes, and the addresses of its arrays, in the array's own space."""

    params: Mapping[str, bytes]
    symbols: Mapping[str, tuple[str, int]]


@dataclass
class Frame:
    """Threads that run from a block on until another."""

    block: int
    until: int
    lanes: Lanes


@dataclass
class Run:
    """One group of blocks side by side. `steps` counts instructions run one after another, `executed` those times threads."""

    graph: Cfg
    layout: Layout
    memory: Memory
    state: State
    behaviour: Behaviour
    functions: Functions
    limit: int
    templates: dict[Any, Template]
    steps: int = 0
    executed: int = 0
    at: tuple[Instruction, Lanes] | None = None
    stack: list[Frame] = field(default_factory=list)
    approximate: set[str] = field(default_factory=set)

    @property
    def function(self) -> Function:
        """The function that is run."""
        return self.graph.function

    # --- control flow ---

    def run(self) -> None:
        """From the entry to the exit; raises Stop at a fault, whose place is then in `at`."""
        stack = self.stack = [Frame(0, self.graph.exit, self.state.everyone)]
        while stack:
            frame = stack[-1]
            if frame.block == frame.until:
                stack.pop()
                continue
            b = self.graph.blocks[frame.block]
            for i in b.instructions:
                self.step(i, frame.lanes)
            first, last = b.successors[0], b.successors[-1]
            if first.target == last.target:
                frame.block = first.target
                continue
            holds = self.predicate(first.predicate, first.negated, frame.lanes)
            taken, others = frame.lanes.where(holds), frame.lanes.where(~holds)
            if not others.count or not taken.count:
                frame.block = first.target if taken.count else last.target
                continue
            frame.block = self.graph.ipdom[frame.block]
            stack += [Frame(last.target, frame.block, others), Frame(first.target, frame.block, taken)]

    def step(self, i: Instruction, lanes: Lanes) -> None:
        """One instruction for those threads whose predicate lets it be; jumps are the graph's."""
        self.at = i, lanes
        self.steps += 1
        self.executed += lanes.count
        if self.steps > self.limit:
            raise Stop("step limit", 0, f"is not done after {self.limit} instructions")
        if i.opcode in JUMPS:
            return
        if i.predicate is not None:
            lanes = lanes.where(self.predicate(i.predicate, i.negated, lanes))
            self.at = i, lanes
            if not lanes.count:
                return
        if BARRIER.fullmatch(i.mnemonic) and len(i.operands) == 1 and isinstance(i.operands[0], Immediate):
            self.state.pass_barrier(lanes)
        elif (m := SHUFFLE.fullmatch(i.mnemonic)) and len(i.operands) == 5:
            self.shuffle(i, m[1], lanes)
        elif (m := VOTE.fullmatch(i.mnemonic)) and len(i.operands) == 3:
            self.vote(i, m[1] or m[2], lanes)
        elif i.opcode in REFUSED:
            raise Rejected(rejection(REFUSED[i.opcode], i.where, name=i.mnemonic))
        else:
            HANDLERS.get(i.opcode, Run.compute)(self, i, lanes)

    def predicate(self, register: Register | None, negated: bool, lanes: Lanes) -> Array:
        """Whether a predicate holds, for each thread or for all."""
        held = self.state.read(register.name, lanes) if register else np.ones(1, np.bool_)
        return ~held if negated else held

    # --- registers ---

    def compute(self, i: Instruction, lanes: Lanes) -> None:
        """An instruction between registers, by the table."""
        key = shape(i)
        if key not in self.templates:
            self.templates[key] = template(i, self.behaviour, self.functions)
        found = self.templates[key]
        self.approximate.update(found.approximate)
        target, *sources = i.operands
        values = found.run([self.operand(o, kind, i, lanes) for o, kind in zip(sources, found.reads, strict=True)])
        registers: list[Operand | None] = [target.first, target.second] if isinstance(target, Pair) else [target]
        if len(registers) != len(values):
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what="or writes two predicates"))
        for register, value in zip(registers, values, strict=True):
            self.set(register, value, i, lanes)

    def move(self, i: Instruction, lanes: Lanes) -> None:
        """mov: by the table, or a word put together from narrower registers, or cut into them, the low bits first [Q:PTX 9.7.9, mov]."""
        target, source = i.operands if len(i.operands) == 2 else (None, None)
        if isinstance(source, Vector):
            parts = [self.state.read(o.name, lanes) if isinstance(o, Register) else np.zeros(1, np.bool_) for o in source.items]
            whole = WORDS.get(sum(p.dtype.itemsize for p in parts)) if all(p.dtype != np.bool_ for p in parts) else None
            if whole is None:
                raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"`{source}`, which is not of its type"))
            shifts = np.cumsum([0, *(8 * p.dtype.itemsize for p in parts)])
            self.set(target, np.asarray(sum(p.astype(whole) << whole(k) for p, k in zip(parts, shifts, strict=False))), i, lanes)
        elif isinstance(target, Vector):
            value, at = self.state.read(source.name, lanes) if isinstance(source, Register) else np.zeros(1, np.bool_), 0
            widths = [self.state.width(o.name, i.where) if isinstance(o, Register) and o.name != "_" else value.dtype.type for o in target.items]
            size = value.dtype.itemsize // len(widths)
            if value.dtype == np.bool_ or any(w not in (WORDS.get(size), value.dtype.type) for w in widths):
                raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"`{source}`, which is not of its type"))
            for o in target.items:
                self.set(o, (value >> value.dtype.type(at)).astype(WORDS[size]), i, lanes)
                at += 8 * size
        else:
            self.compute(i, lanes)

    def set(self, target: Operand | None, value: Array, i: Instruction, lanes: Lanes) -> None:
        """Write a register of the value's width; `_` is none."""
        if not isinstance(target, Register):
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"or writes `{target}`, which is no register"))
        if target.name == "_":
            return
        if self.state.width(target.name, i.where) != value.dtype:
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"or writes `{target}`, which has another width"))
        self.state.write(target.name, value, lanes)

    def operand(self, o: Operand, kind: Kind, i: Instruction, lanes: Lanes) -> Array:
        """An operand's bits, as an instruction reads them; one element is the same for all threads."""
        found: Array | None = None
        if isinstance(o, Pair) and o.second is None and kind == BOOL:
            return ~self.operand(o.first, BOOL, i, lanes)
        if isinstance(o, Register) and (o.name.startswith("%") and self.function.register_type(o.name) is None):
            found = self.state.special(o.name, lanes)
            if found is None:
                raise Rejected(rejection("ptx.special", i.where, name=o.name))
        elif isinstance(o, Register):
            found = self.state.read(o.name, lanes)
        elif isinstance(o, Immediate):
            wrong = kind in (B32, B64) and i.modifiers[-1:] in ((("f32",), ("f64",)) if o.kind == "int" else (("s32",), ("u32",)))
            found = None if wrong else word(o, kind)
        elif isinstance(o, Symbol):
            found = self.symbol(o, kind, i, lanes)
        if found is None or found.dtype != BITS[kind]:
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"`{o}`, which is not of its type"))
        return found

    def symbol(self, o: Symbol, kind: Kind, i: Instruction, lanes: Lanes) -> Array | None:
        """An array's address in its own space."""
        if o.name == "WARP_SZ":
            return self.state.special(o.name, lanes)
        if o.name not in self.layout.symbols:
            raise Rejected(rejection("ptx.address", i.where, name=str(o)))
        return np.array([self.layout.symbols[o.name][1]], BITS[kind]) if kind in (B32, B64) else None

    def generic(self, i: Instruction, lanes: Lanes) -> None:
        """cvta: between an address in a space and one in all; those of shared and local memory are windows, the others stay."""
        space = next((m for m in i.modifiers if m in WINDOWS), "")
        value = self.operand(i.operands[1], B64, i, lanes)
        if space:
            base = np.uint64(address_of(WINDOWS[space]))
            value = value - base if "to" in i.modifiers else value + base
        self.set(i.operands[0], value, i, lanes)

    # --- warps ---

    def alive(self) -> Array:
        """Who of all threads side by side has more to do than to end: those that some frame takes on to a block that does something."""
        out = np.zeros(self.state.count, np.bool_)
        for frame in self.stack:
            block = self.graph.blocks[frame.block]
            while block.successors and len({e.target for e in block.successors}) == 1 and all(i.opcode in JUMPS for i in block.instructions):
                block = self.graph.blocks[block.successors[0].target]
            if block.index != self.graph.exit:
                out[self.state.who.places if frame.lanes.index is None else frame.lanes.index] = True
        return out

    def shuffle(self, i: Instruction, mode: str, lanes: Lanes) -> None:
        """shfl.sync: a register of another thread, and whether it is one of the thread's segment."""
        target, *sources = i.operands
        value, by, clamp, mask = (self.operand(o, B32, i, lanes) for o in sources)
        found, inside = shuffle(mode, value, by, clamp, gathered(self.state, lanes, mask, self.alive()))
        self.set(target.first if isinstance(target, Pair) else target, found, i, lanes)
        if isinstance(target, Pair):
            self.set(target.second, inside, i, lanes)

    def vote(self, i: Instruction, mode: str, lanes: Lanes) -> None:
        """vote.sync: what holds for the threads of a warp."""
        holds, mask = self.operand(i.operands[1], BOOL, i, lanes), self.operand(i.operands[2], B32, i, lanes)
        self.set(i.operands[0], vote(mode, holds, mask, gathered(self.state, lanes, mask, self.alive())), i, lanes)

    # --- memory ---

    def access(self, i: Instruction) -> re.Match[str]:
        """A load or store that is accepted."""
        m = ACCESS.fullmatch(i.mnemonic)
        if m is None:
            raise Rejected(rejection("ptx.instruction", i.where, name=i.mnemonic))
        return m

    def address(self, o: Operand, space: str, i: Instruction, lanes: Lanes) -> Array:
        """Where an access goes, as an address of all spaces."""
        if not isinstance(o, Address) or isinstance(o.base, Immediate):
            raise Rejected(rejection("ptx.address", i.where, name=str(o)))
        if isinstance(o.base, Register):
            base = self.state.read(o.base.name, lanes)
            base = base.astype(np.uint64)
        elif o.base.name in self.layout.symbols:
            home, at = self.layout.symbols[o.base.name]
            space, base = (home if home in WINDOWS else space), np.array([at], np.uint64)
        else:
            raise Rejected(rejection("ptx.address", i.where, name=str(o)))
        return base + np.uint64((o.offset + (address_of(WINDOWS[space]) if space in WINDOWS else 0)) % (1 << 64))

    def load(self, i: Instruction, lanes: Lanes) -> None:
        """ld: each word into a register as wide or wider."""
        m = self.access(i)
        size, count = int(m["bits"]) // 8, int(m["count"] or 1)
        if m["space"] == "param":
            values = self.parameter(i, size, count)
        else:
            values = self.memory.load(self.address(i.operands[-1], m["space"] or "", i, lanes), m["space"] or "", size, count, self.state.whose(lanes))
        target = i.operands[0]
        registers = target.items if isinstance(target, Vector) else (target,)
        if len(registers) != count:
            raise Rejected(rejection("ptx.operands", i.where, name=i.mnemonic, count=str(count)))
        for register, value in zip(registers, values, strict=True):
            if isinstance(register, Register) and register.name != "_":
                width = self.state.width(register.name, i.where)
                signed = value.view(f"i{size}") if m["kind"] == "s" else value
                self.set(register, signed.astype(width) if np.dtype(width).itemsize > size else value, i, lanes)

    def store(self, i: Instruction, lanes: Lanes) -> None:
        """st: each register's low bits."""
        m = self.access(i)
        size, count = int(m["bits"]) // 8, int(m["count"] or 1)
        source = i.operands[-1]
        sources = source.items if isinstance(source, Vector) else (source,)
        if len(sources) != count or m["space"] == "param":
            raise Rejected(rejection("ptx.operands" if m["space"] != "param" else "ptx.call", i.where, name=i.mnemonic, count=str(count)))
        values = [self.stored(o, size, i, lanes) for o in sources]
        self.memory.store(self.address(i.operands[0], m["space"] or "", i, lanes), m["space"] or "", values, self.state.whose(lanes))

    def stored(self, o: Operand, size: int, i: Instruction, lanes: Lanes) -> Array:
        """The bits that a store takes of an operand."""
        if isinstance(o, Immediate):
            return np.array([o.value % (1 << 8 * size)], WORDS[size])
        value = self.state.read(o.name, lanes) if isinstance(o, Register) else np.zeros(1, np.bool_)
        if value.dtype == np.bool_ or value.dtype.itemsize < size:
            raise Rejected(rejection("ptx.kind", i.where, name=i.mnemonic, what=f"`{o}`, which is not of its type"))
        return value.astype(WORDS[size])

    def parameter(self, i: Instruction, size: int, count: int) -> list[Array]:
        """ld.param: words of a parameter's bytes, the same for all threads."""
        address = i.operands[-1]
        name = address.base.name if isinstance(address, Address) and isinstance(address.base, Symbol) else ""
        offset = address.offset if isinstance(address, Address) else 0
        raw = self.layout.params.get(name)
        if raw is None or not 0 <= offset <= len(raw) - size * count or offset % size:
            raise Rejected(rejection("ptx.parameter", i.where, name=f"`{address}`", what=i.mnemonic))
        return [np.frombuffer(raw, WORDS[size], 1, offset + k * size) for k in range(count)]


HANDLERS: dict[str, Callable[[Run, Instruction, Lanes], None]] = {
    "ld": Run.load, "st": Run.store, "cvta": Run.generic, "mov": Run.move, "cvt": convert, "atom": atomic, "red": atomic}
