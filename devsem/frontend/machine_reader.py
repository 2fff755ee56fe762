"""What reading PTX and reading machine code into a graph have in common: registers through their reaching definitions, and approximations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

import numpy as np

from devsem import floats
from devsem.frontend.low_words import Low, joined, unknown
from devsem.frontend.machine_flow import UNDEFINED, Reach, Step
from devsem.frontend.machine_graph import Graph, Source, Way, signed

MIN_NORMAL, TWO_126 = 0x00800000, 0x7E800000
TWO_24, TWO_12, TWO_M12, QUARTER, HALF, ONE = 0x4B800000, 0x45800000, 0x39800000, 0x3E800000, 0x3F000000, 0x3F800000
MINUS_126, MINUS_24, INVERSE_TWO_PI, MINUS_ONE = 0xC2FC0000, 0xC1C00000, 0x3E22F983, 0xBF800000


class Reader(ABC):
    """Reads steps into a graph; a subclass says what each definition computes."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.graph = Graph()
        self.reach = Reach(steps)
        self.known: dict[tuple[int, str], Source] = {}
        self.ranks: dict[tuple[int, str], int] = {}
        self.words: dict[tuple[int, str], Low | None] = {}

    @abstractmethod
    def computed(self, index: int, register: str) -> Source:
        """What the step writes to the register, as a float."""

    @abstractmethod
    def word(self, index: int, register: str) -> Low:
        """The low word of what the step writes to the register."""

    def read(self, register: str, at: int, false: frozenset[str] = frozenset()) -> Source:
        """What a register may be for step `at`, where the guards `false` do not hold."""
        return frozenset(w for d in self.reach(register, at, false) for w in self._value(d, register))

    def _value(self, index: int, register: str) -> Source:
        if index == UNDEFINED:
            return self.graph.leaf("undefined")
        key = (index, register)
        if key not in self.known:
            hole = self.graph.hole()
            self.known[key] = frozenset({Way(hole)})
            self.known[key] = self.computed(index, register)
            self.graph.fill(hole, self.known[key])
        return self.known[key]

    def rank(self, loads: Iterable[tuple[int, str]], breaks: Iterable[int]) -> None:
        """Numbers the loads of each place in order, which two of them may be told apart by if nothing in `breaks` stands between (jumps, labels)."""
        first: dict[str, int] = {}
        for index, place in sorted(loads):
            rank = sum(p == place for _, p in self.ranks)
            if rank and any(first[place] < b < index for b in breaks):
                self.graph.unknown.append(f"two loads of one place are not told apart: {place}")
            first.setdefault(place, index)
            self.ranks[index, place] = rank

    def loaded(self, index: int, place: str) -> Source:
        """What a load reads; the second load of a place may read another value than the first."""
        rank = self.ranks[index, place]
        return self.graph.leaf("load", f"{place} again {rank}" if rank else place)

    def low(self, register: str, at: int, false: frozenset[str] = frozenset()) -> Low:
        """The low word of a register for step `at`."""
        found = []
        for d in sorted(self.reach(register, at, false)):
            key = (d, register)
            if d == UNDEFINED:
                found.append(unknown("undefined"))
                continue
            if key not in self.words:
                self.words[key] = None
                self.words[key] = self.word(d, register)
            word = self.words[key]
            found.append(unknown("itself") if word is None else word)
        return joined(found)

    # --- approximations and quotients, as ptxas expands them [M: GPU_FLOAT.md 6.2, 6.3; docs/PTXAS.md]; alike on sm_75, sm_90 and sm_100 ---

    def special(self, name: str, x: Source) -> Source:
        """MUFU."""
        return self.graph.node(("mufu", name), self.graph.input(x, True))

    def _scaled(self, x: Source, factor: int, ftz: bool = False) -> Source:
        return x | self.graph.mul(x, self.graph.number(factor), ftz=ftz)

    def _test(self, kind: str, x: Source, limit: int, ftz: bool = False, absolute: bool = True) -> None:
        self.graph.test(kind, self.graph.magnitude(x) if absolute else x, self.graph.number(limit), ftz)

    def approximate(self, name: str, x: Source, ftz: bool) -> Source:
        """`rcp.approx` and its kind, of one operand."""
        g = self.graph
        if name in ("sin", "cos"):
            return self.special(name, g.mul(x, g.number(INVERSE_TWO_PI), "rz"))
        if ftz or name == "tanh":
            return self.special(name, x)
        if name == "rcp":
            scale, inverse = self.reciprocal(x)
            return g.mul(scale, inverse)
        if name == "ex2":
            self._test("lt", x, MINUS_126, absolute=False)
            t = self.special(name, self._scaled(x, HALF))
            return t | g.mul(t, t)
        self._test("lt", x, MIN_NORMAL)
        t = self.special(name, self._scaled(x, TWO_24))
        if name == "lg2":
            return t | g.add(t, g.number(MINUS_24))
        return self._scaled(t, TWO_12 if name == "rsqrt" else TWO_M12)

    def _inverse(self, b: Source) -> Source:
        """MUFU.RCP, which ptxas replaces by the rounded reciprocal of a constant."""
        pattern = self.graph.pattern(b)
        if pattern is None or not MIN_NORMAL <= pattern & 0x7FFFFFFF <= TWO_126:
            return self.special("rcp", b)
        return self.graph.number(int(floats.div(np.array([ONE], dtype=np.uint32), np.array([pattern], dtype=np.uint32), mode="rn")[0]))

    def reciprocal(self, x: Source) -> tuple[Source, Source]:
        """The two factors of `rcp.approx`: a scale, and the reciprocal of the scaled operand."""
        g = self.graph
        self._test("lt", x, MIN_NORMAL)
        self._test("gt", x, TWO_126)
        scale = g.number(TWO_24) | g.number(ONE) | g.number(QUARTER)
        return scale, self.special("rcp", g.mul(scale, x))

    def quotient(self, full: bool, a: Source, b: Source, ftz: bool) -> tuple[Source, Source]:
        """The two factors of `div.approx` and `div.full`: the scaled numerator, and the reciprocal of the scaled denominator."""
        if full:
            self._test("gt", b, TWO_126, ftz)
        if not ftz:
            self._test("lt", b, MIN_NORMAL)
        if full:
            a, b = self._scaled(a, QUARTER, ftz), self._scaled(b, QUARTER, ftz)
        if not ftz:
            a, b = self._scaled(a, TWO_24), self._scaled(b, TWO_24)
        return a, self.special("rcp", b)

    def exact_quotient(self, a: Source, b: Source, ftz: bool) -> Source:
        """`div.rn`: the fast path, or the slow one's result."""
        g = self.graph
        r = self._inverse(b)
        r = g.fma(r, g.fma(signed(b, True), r, g.number(ONE)), r)
        q = g.fma(a, r, g.number(0))
        return g.fma(r, g.fma(signed(b, True), q, a), q) | g.leaf("slow", f"div_rn_{'ftz' if ftz else 'noftz'}_f32")

    def exact_reciprocal(self, b: Source, ftz: bool) -> Source:
        """`rcp.rn`."""
        g = self.graph
        r = self.special("rcp", b)
        rest = g.flushed(signed(g.fma(r, b, g.number(MINUS_ONE)), True))
        return g.fma(r, rest, r) | g.leaf("slow", f"rcp_rn{'_ftz' if ftz else ''}_f32")

    def exact_root(self, b: Source, ftz: bool) -> Source:
        """`sqrt.rn`."""
        g = self.graph
        r = self.special("rsqrt", b)
        root, half = g.mul(r, b, ftz=True), g.mul(r, g.number(HALF), ftz=True)
        return g.fma(g.fma(signed(root, True), root, b), half, root) | g.leaf("slow", f"sqrt_rn{'_ftz' if ftz else ''}_f32")
