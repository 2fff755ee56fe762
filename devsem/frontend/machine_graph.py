"""Float operations as a graph with joins: what two programs are compared in, whatever their control flow.

An operand is the set of values that it may be (`Source`): one, or what branches, guards and selections join; each with its sign. So it is
asked which operations work on which, not under which condition: that a compiler keeps conditions is trusted, that it fuses or flushes is not.
Two graphs agree if their stores and comparisons do, by the coarsest bisimulation (loops included).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from devsem import floats

SIGN, ONE, MINUS_ZERO, MIN_NORMAL, MAX_ROUNDS = 0x80000000, 0x3F800000, 0x80000000, 0x00800000, 10_000
WHOLE = {"rn": floats.rint, "rm": floats.floor, "rp": floats.ceil, "rz": floats.trunc}
Label = tuple[object, ...]


@dataclass(frozen=True)
class Way:
    """One value that an operand may be: a node, its absolute value or not, then its negation or not."""

    node: int
    negative: bool = False
    absolute: bool = False

    def signed(self, negative: bool, absolute: bool) -> Way:
        """This value under further modifiers, the absolute value first."""
        return Way(self.node, negative, True) if absolute else Way(self.node, self.negative != negative, self.absolute)


Source = frozenset[Way]


@dataclass
class Node:
    """A label, operands, and how many of these, from the first on, may be exchanged."""

    label: Label
    operands: tuple[Source, ...] = ()
    alike: int = 0


def signed(source: Source, negative: bool = False, absolute: bool = False) -> Source:
    """A source under modifiers."""
    return frozenset(w.signed(negative, absolute) for w in source)


def _folded(operation: Callable[..., np.ndarray], x: int, y: int, ftz: bool) -> int | None:
    """The operation on constants, if nothing is or would be flushed and no NaN comes of it."""
    result = int(operation(np.array([x], dtype=np.uint32), np.array([y], dtype=np.uint32), mode="rn")[0])
    if result & ~SIGN > 0x7F800000 or (ftz and any(0 < v & ~SIGN < MIN_NORMAL for v in (x, y, result))):
        return None
    return result


@dataclass
class Graph:
    """The nodes, the stored values by place, the comparisons, and what was not understood."""

    nodes: list[Node] = field(default_factory=list)
    stores: dict[str, set[Way]] = field(default_factory=dict)
    tests: set[int] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)
    leaves: dict[Label, int] = field(default_factory=dict)
    holes: dict[int, Source] = field(default_factory=dict)

    def node(self, label: Label, *operands: Source, alike: int = 0) -> Source:
        """A new node."""
        self.nodes.append(Node(label, operands, alike))
        return frozenset({Way(len(self.nodes) - 1)})

    def leaf(self, *label: object) -> Source:
        """The node of a label without operands, always the same."""
        if label not in self.leaves:
            self.leaves[label] = len(self.nodes)
            self.nodes.append(Node(label))
        return frozenset({Way(self.leaves[label])})

    def hole(self) -> int:
        """A node that is not known yet, for loops; `fill` says what it is."""
        self.nodes.append(Node(("hole",)))
        return len(self.nodes) - 1

    def fill(self, hole: int, source: Source) -> None:
        """Says what a hole stands for."""
        self.holes[hole] = source

    def expanded(self, source: Source) -> Source:
        """The source without holes."""
        out: set[Way] = set()
        work, seen = list(source), set(source)
        while work:
            w = work.pop()
            if w.node not in self.holes:
                out.add(w)
                continue
            for inner in signed(self.holes[w.node], w.negative, w.absolute):
                if inner not in seen:
                    seen.add(inner)
                    work.append(inner)
        return frozenset(out)

    def number(self, pattern: int) -> Source:
        """A constant; a negative one is a positive one with a sign. The disassembler prints the NaN 0x7fc00000 as +QNAN, which is read as 0x7fffffff."""
        pattern = pattern & SIGN | 0x7FFFFFFF if pattern & ~SIGN == 0x7FC00000 else pattern
        way = next(iter(self.leaf("number", pattern & ~SIGN)))
        return frozenset({Way(way.node, bool(pattern & SIGN))})

    def pattern(self, source: Source) -> int | None:
        """The constant that a source is."""
        if len(source) != 1:
            return None
        (w,) = source
        label = self.nodes[w.node].label
        return int(label[1]) ^ (SIGN if w.negative else 0) if label[0] == "number" and isinstance(label[1], int) else None

    def flushed(self, source: Source) -> Source:
        """`source` with subnormals made zero. MUFU does that itself, since it is all that `rcp.approx.ftz` and its kind are; not for tanh."""
        if all(self._is_flushed(self.nodes[w.node].label) for w in source):
            return source
        if len(source) == 1:
            (w,) = source
            (inner,) = self.node(("flush",), frozenset({Way(w.node)}))
            return frozenset({Way(inner.node, w.negative, w.absolute)})
        return self.node(("flush",), source)

    def _is_flushed(self, label: Label) -> bool:
        if label[0] == "number" and isinstance(label[1], int):
            return label[1] == 0 or label[1] >= MIN_NORMAL
        return label[0] == "flush" or "ftz" in label or (label[0] == "mufu" and label[1] != "tanh")

    def integral(self, mode: str, source: Source, ftz: bool) -> Source:
        """A number rounded to a whole one."""
        pattern = self.pattern(source)
        if pattern is not None and not ftz and pattern & ~SIGN <= 0x7F800000:
            return self.number(int(WHOLE[mode](np.array([pattern], dtype=np.uint32))[0]))
        return self.node(("integral", mode, *(("ftz",) if ftz else ())), source)

    def to_whole(self, mode: str, source: Source, ftz: bool) -> Source:
        """A number as a signed word; ptxas takes the rounding of one that is integral already into this one."""
        if len(source) == 1 and not ftz:
            (w,) = source
            label = self.nodes[w.node].label
            if label[0] == "integral" and "ftz" not in label and w == Way(w.node):
                return self.node(("to whole", label[1]), *self.nodes[w.node].operands)
        return self.node(("to whole", mode, *(("ftz",) if ftz else ())), source)

    def magnitude(self, source: Source) -> Source:
        """The absolute value; of a square and of a constant it is these themselves."""
        return frozenset(Way(w.node) if self._is_positive(Way(w.node)) else w.signed(False, True) for w in source)

    def _is_positive(self, w: Way, depth: int = 8) -> bool:
        """Is it without a sign whatever its operands are? ptxas drops absolute values then."""
        node = self.nodes[w.node]
        if w.negative or depth == 0:
            return False
        if w.absolute or node.label[0] in ("number", "sat"):
            return True
        if node.label[0] == "mul" and len(node.operands[0]) == 1 and node.operands[0] == node.operands[1]:
            return True
        return node.label[0] in ("mul", "add", "flush") and True not in node.label and all(self._is_positive(v, depth - 1) for o in node.operands for v in o)

    def input(self, source: Source, ftz: bool) -> Source:
        """An operand of an operation; one that flushes its inputs need not be told to."""
        if not ftz or len(source) != 1:
            return source
        (w,) = source
        inner = self.nodes[w.node]
        return signed(inner.operands[0], w.negative, w.absolute) if inner.label == ("flush",) else source

    def _factors(self, a: Source, b: Source) -> tuple[Source, Source, bool]:
        """Two factors without the signs that can be taken out, and the sign of their product."""
        negative = False
        out = []
        for s in (a, b):
            if s and all(w.negative for w in s):
                negative, s = not negative, signed(s, True)
            out.append(s)
        if len(out[0]) == 1 and out[0] == out[1]:            # |x| * |x| is x * x
            out = [frozenset(Way(w.node) for w in s) for s in out]
        return out[0], out[1], negative

    def mul(self, a: Source, b: Source, mode: str = "rn", ftz: bool = False) -> Source:
        """A product; one with ±1 is a copy, one of constants a constant."""
        a, b = self.input(a, ftz), self.input(b, ftz)
        x, y = self.pattern(a), self.pattern(b)
        if x is not None and y is not None and mode == "rn" and (folded := _folded(floats.mul, x, y, ftz)) is not None:
            return self.number(folded)
        for one, other in ((x, b), (y, a)):
            if one is not None and one & ~SIGN == ONE:
                return signed(self.flushed(other) if ftz else other, bool(one & SIGN))
        a, b, negative = self._factors(a, b)
        directed = mode in ("rm", "rp")
        made = self.node(("mul", mode, negative and directed, *(("ftz",) if ftz else ())), a, b, alike=2)
        return signed(made, negative and not directed)

    def add(self, a: Source, b: Source, mode: str = "rn", ftz: bool = False) -> Source:
        """A sum; one with -0 is a copy."""
        a, b = self.input(a, ftz), self.input(b, ftz)
        x, y = self.pattern(a), self.pattern(b)
        if x is not None and y is not None and mode == "rn" and (folded := _folded(floats.add, x, y, ftz)) is not None:
            return self.number(folded)
        for zero, other in ((a, b), (b, a)):
            if self.pattern(zero) == MINUS_ZERO and mode == "rn":
                return self.flushed(other) if ftz else other
        return self.node(("add", mode, *(("ftz",) if ftz else ())), a, b, alike=2)

    def fma(self, a: Source, b: Source, c: Source, mode: str = "rn", ftz: bool = False) -> Source:
        """A fused product and sum; with the addend -0 it is the product, in every case."""
        if mode == "rn" and self.pattern(c) == MINUS_ZERO:
            return self.mul(a, b, ftz=ftz)
        a, b, negative = self._factors(self.input(a, ftz), self.input(b, ftz))
        return self.node(("fma", mode, negative, *(("ftz",) if ftz else ())), a, b, self.input(c, ftz), alike=2)

    def sat(self, source: Source) -> Source:
        """Clamped to 0 … 1, NaN to 0. `x + 0` clamped is x clamped."""
        if len(source) == 1:
            (w,) = source
            inner = self.nodes[w.node]
            if inner.label[0] == "sat" and not w.negative:
                return source
            zeros = [k for k in (0, 1) if inner.label[0] == "add" and self.pattern(inner.operands[k]) == 0]
            if zeros and not w.negative and not w.absolute:
                other = inner.operands[1 - zeros[0]]
                return self.sat(self.flushed(other) if "ftz" in inner.label else other)
        return self.node(("sat",), source)

    def bound(self, kind: str, nan: bool, sources: Iterable[Source], ftz: bool = False) -> Source:
        """A minimum or maximum of any number of values; `min(max(x, 0), 1)` is `sat`."""
        label: Label = (kind, nan, *(("ftz",) if ftz else ()))
        operands: list[Source] = []
        for s in sources:
            s = self.input(s, ftz)
            (w,) = s if len(s) == 1 else (None,)
            if w is not None and not w.negative and not w.absolute and self.nodes[w.node].label == label:
                operands += self.nodes[w.node].operands
            else:
                operands.append(s)
        if kind == "min" and not nan and len(operands) == 2 and ONE in map(self.pattern, operands):
            (inner,) = [o for o in operands if self.pattern(o) != ONE] or [operands[0]]
            clamped = self._clamped(inner, ("max", *label[1:]))
            if clamped is not None:
                return self.sat(self.flushed(clamped) if ftz else clamped)
        return self.node(label, *operands, alike=len(operands))

    def _clamped(self, source: Source, label: Label) -> Source | None:
        """The x of `max(x, 0)`."""
        (w,) = source if len(source) == 1 else (None,)
        if w is None or w.negative or w.absolute or self.nodes[w.node].label != label or len(self.nodes[w.node].operands) != 2:
            return None
        a, b = self.nodes[w.node].operands
        return b if self.pattern(a) == 0 else a if self.pattern(b) == 0 else None

    def test(self, kind: str, a: Source, b: Source, ftz: bool = False) -> None:
        """A comparison, or its negation, which is the same test: `lt`, `le`, `eq`, `equ`, `num`.

        `x < y` is `-y < -x`, so it is written as x and -y. ptxas compares `a + b < 0` as `a < -b`, which is the same unless a subnormal sum is flushed [M].
        """
        a, b = self.input(a, ftz), self.input(b, ftz)
        kind, swap = TESTS[kind]
        if kind in ("lt", "le"):
            a, b = (b, signed(a, True)) if swap else (a, signed(b, True))
            for zero, other in ((a, b), (b, a)):
                terms = self._summed(other) if kind == "lt" and not ftz and self.pattern(zero) in (0, SIGN) else None
                if terms is not None:
                    a, b = terms
                    break
        (way,) = self.node(("test", kind, ftz), a, b, alike=2)
        if self.pattern(a) is None or self.pattern(b) is None:      # of two constants the assembler knows the answer
            self.tests.add(way.node)

    def _summed(self, source: Source) -> tuple[Source, Source] | None:
        """The two terms of a sum that is not flushed."""
        (w,) = source if len(source) == 1 else (None,)
        if w is None or w.absolute or self.nodes[w.node].label != ("add", "rn"):
            return None
        a, b = (signed(o, w.negative) for o in self.nodes[w.node].operands)
        return a, b

    # --- whole numbers as bits ---

    def whole_sum(self, sources: Iterable[Source]) -> Source:
        """A sum modulo 2^32 of any number of words."""
        total, operands = 0, []
        for s in sources:
            (w,) = s if len(s) == 1 else (None,)
            parts = self.nodes[w.node].operands if w is not None and w == Way(w.node) and self.nodes[w.node].label == ("whole sum",) else (s,)
            for part in parts:
                pattern = self.pattern(part)
                if pattern is None:
                    operands.append(part)
                else:
                    total += pattern
        if total % (1 << 32):
            operands.append(self.number(total % (1 << 32)))
        return operands[0] if len(operands) == 1 else self.node(("whole sum",), *operands, alike=len(operands))

    def opposite(self, source: Source) -> Source:
        """The opposite number of a word."""
        pattern = self.pattern(source)
        return self.number(-pattern % (1 << 32)) if pattern is not None else self.node(("opposite",), source)

    def bitwise(self, table: int, a: Source, b: Source, c: Source) -> Source:
        """LOP3: `table` has the result's bit for each combination of three bits. Masks of the sign are `copysign`."""
        for mask, x, y, order in ((b, a, c, (4, 1, 2)), (c, a, b, (4, 2, 1)), (a, b, c, (2, 1, 4))):
            pattern = self.pattern(mask)
            if pattern not in (SIGN, ~SIGN & 0xFFFFFFFF):
                continue
            first, second, third = order        # places of x, y and the mask in the table's index
            halves = [[table >> (i * first + j * second + m * third) & 1 for i in (0, 1) for j in (0, 1)] for m in (0, 1)]
            low, high = halves if pattern == SIGN else halves[::-1]
            for magnitude, sign, got in ((x, y, ([0, 0, 1, 1], [0, 1, 0, 1])), (y, x, ([0, 1, 0, 1], [0, 0, 1, 1]))):
                if (low, high) == got:
                    return self.node(("copysign",), magnitude, sign)
        names = {0xC0: "and", 0xFC: "or", 0x3C: "xor"}
        if table in names and self.pattern(c) == 0:
            return self.node((names[table],), a, b, alike=2)
        return self.node(("bitwise", table), a, b, c)


# comparison -> the test it is or negates, and whether the operands change places
TESTS = {"lt": ("lt", False), "geu": ("lt", False), "gt": ("lt", True), "leu": ("lt", True), "le": ("le", False), "gtu": ("le", False),
         "ge": ("le", True), "ltu": ("le", True), "eq": ("eq", False), "neu": ("eq", False), "equ": ("equ", False), "ne": ("equ", False),
         "num": ("num", False), "nan": ("num", False)}


@dataclass(frozen=True)
class Classes:
    """The class of every node of two graphs: equal exactly if no way of looking at them tells them apart."""

    left: list[int]
    right: list[int]


def classes(left: Graph, right: Graph) -> Classes:
    """The coarsest partition in which nodes of one class have the same label and operands of the same classes."""
    graphs = (left, right)
    now = [[0] * len(g.nodes) for g in graphs]
    operands = [[[g.expanded(o) for o in n.operands] for n in g.nodes] for g in graphs]
    count = 1
    for _ in range(MAX_ROUNDS):
        names: dict[object, int] = {}
        new = []
        for g, class_of, sources in zip(graphs, now, operands, strict=True):
            row = []
            for n, ops in zip(g.nodes, sources, strict=True):
                seen = [shape(o, class_of) for o in ops]
                row.append(names.setdefault((n.label, *sorted(seen[:n.alike]), *seen[n.alike:]), len(names)))
            new.append(row)
        now = new
        if len(names) == count:
            break
        count = len(names)
    return Classes(now[0], now[1])


def shape(source: Iterable[Way], class_of: list[int]) -> tuple[tuple[int, bool, bool], ...]:
    """A source by classes of its nodes."""
    return tuple(sorted({(class_of[w.node], w.negative, w.absolute) for w in source}))
