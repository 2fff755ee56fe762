"""What a name, an expression or an argument can be: a number, a place in memory, a pointer, a record, a lambda; and the shapes of types.

A pointer keeps the buffer that it points into; its index counts that buffer's elements and may be a variable, so that `p += n` is an
assignment. A record is an object for each field, so that it never is in memory unless it is an element of a buffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from devsem.expr import Expr, const_int
from devsem.frontend.cuda_clang import Cursor
from devsem.frontend.cuda_types import INT, LONG, CType, Value, convert
from devsem.ops import B32, B64
from devsem.simplify import make


@dataclass(frozen=True)
class Struct:
    """A struct of numbers, arrays and structs. `is_vector`: one of CUDA's, whose address is a multiple of its size."""

    name: str
    fields: tuple[tuple[str, Shape], ...]
    is_vector: bool = False


@dataclass(frozen=True)
class Row:
    """An array type; `count` is None where the type does not say it."""

    count: int | None
    of: Shape


Shape = CType | Struct | Row


@dataclass(frozen=True)
class Place:
    """An object in memory: from `index` on in a buffer; `index` is of an integer type and counts the buffer's elements."""

    buffer: str
    index: Value
    shape: Shape


@dataclass(frozen=True)
class Pointer:
    """A pointer into a buffer, to an object of a shape. It can be assigned where its index is a variable."""

    buffer: str
    index: Value
    to: Shape


@dataclass(frozen=True)
class Address:
    """A pointer to a local variable."""

    target: Object


@dataclass(frozen=True)
class Record:
    """The fields of a struct that is not in memory."""

    shape: Struct
    fields: tuple[Object, ...]

    def get(self, name: str) -> Object:
        """A field by its name."""
        return self.fields[[n for n, _ in self.shape.fields].index(name)]


@dataclass(frozen=True)
class Lambda:
    """A lambda, and what the variables that it captured by value stand for in it."""

    cursor: Cursor = field(compare=False)
    captured: tuple[tuple[Cursor, Object], ...] = ()


Object = Value | Place | Pointer | Address | Record | Lambda
ZERO = Value(INT, const_int(B32, 0))


def scalars(shape: Shape) -> Iterator[CType]:
    """The types of the numbers in an object, in memory's order; of an array without a count, of one element."""
    match shape:
        case CType():
            yield shape
        case Struct():
            for _, inner in shape.fields:
                yield from scalars(inner)
        case Row():
            for _ in range(1 if shape.count is None else shape.count):
                yield from scalars(shape.of)


def size(shape: Shape) -> int:
    """How many numbers an object has; of an array without a count, 0."""
    match shape:
        case CType():
            return 1
        case Struct():
            return sum(size(inner) for _, inner in shape.fields)
        case Row():
            return (shape.count or 0) * size(shape.of)


def moved(index: Value, by: Value, elements: int = 1) -> Value:
    """An index further on by so many objects of so many elements; addresses have 64 bits."""
    if elements == 1 and index.expr is ZERO.expr:
        return by
    distance = convert(by, LONG).expr
    if elements != 1:
        distance = make("mul_b64", distance, const_int(B64, elements))
    return Value(LONG, make("add_b64", convert(index, LONG).expr, distance))


def further(index: Value, by: int) -> Value:
    """An index further on by a number of elements; zero leaves it as it is."""
    return moved(index, Value(INT, const_int(B32, by))) if by else index


def expressions(obj: Object) -> Iterator[Expr]:
    """What an object's value depends on."""
    match obj:
        case Value():
            yield obj.expr
        case Place() | Pointer():
            yield obj.index.expr
        case Address():
            yield from expressions(obj.target)
        case Record():
            for inner in obj.fields:
                yield from expressions(inner)
        case Lambda():
            for _, inner in obj.captured:
                yield from expressions(inner)
