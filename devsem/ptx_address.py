"""Addresses in PTX: a parameter's pointer and an offset in bytes, which becomes an element's index.

>>> from devsem.expr import mk, var
>>> i = var("i", B32)
>>> element(make("add_b64", mk("mul_b64", mk("sext", i), const_int(B64, 4)), const_int(B64, 8)))
add_b64(sext(i), 2)
>>> element(mk("shl_b64", mk("sext", i), const_int(B32, 2)))
i
>>> element(mk("sext", i)) is None
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from devsem.expr import Expr, const_int
from devsem.ops import B32, B64
from devsem.simplify import make

BYTES = 4       # of an element: Float32 only


@dataclass(frozen=True)
class Pointer:
    """An address: the buffer of a parameter, its position, and the bytes after its beginning (B64).

    A thread's own array, and a table of constants, are buffers of another `space` by their names in the PTX; they have no position."""

    buffer: str
    position: int
    offset: Expr
    space: str = "global"

    def moved(self, by: Expr) -> Pointer:
        """So many bytes further."""
        return replace(self, offset=make("add_b64", self.offset, by))


@dataclass(frozen=True)
class Chosen:
    """One of two addresses, the first where the condition holds."""

    condition: Expr
    yes: Place
    no: Place

    def moved(self, by: Expr) -> Chosen:
        """Either, so many bytes further."""
        return Chosen(self.condition, self.yes.moved(by), self.no.moved(by))


Place = Pointer | Chosen


def element(offset: Expr) -> Expr | None:
    """The index of the element at an offset in bytes; None where that is not seen to be a multiple of four.

    An index is in 32 bits where it was computed so, as `symbolic.py` has it: one with the top bit set lies outside every buffer.
    """
    index = quarter(offset)
    return index.args[0] if index is not None and index.op in ("sext", "zext") else index


def quarter(e: Expr) -> Expr | None:
    """A number of which e is four times, modulo 2^64."""
    if e.is_const:
        signed = e.value - (1 << 64) if e.value >> 63 else e.value
        return const_int(B64, signed // BYTES) if signed % BYTES == 0 else None
    if e.op in ("add_b64", "sub_b64", "select_b64"):
        sides = [quarter(a) for a in e.args[-2:]]
        return None if None in sides else make(e.op, *e.args[:-2], *(s for s in sides if s is not None))
    if e.op == "mul_b64":
        for a, b in (e.args, e.args[::-1]):
            if (part := quarter(b) if b.is_const else None) is not None:
                return make("mul_b64", a, part)
    if e.op == "shl_b64" and e.args[1].is_const and 2 <= e.args[1].value < 64:
        count = e.args[1].value - 2
        return make("shl_b64", e.args[0], const_int(B32, count)) if count else e.args[0]
    return None
