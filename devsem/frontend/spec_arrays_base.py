"""What the rules of `spec_arrays.py` share: a tensor as an array of expressions, and what a rule may note."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.aten_order import Free
from devsem.aten_rows import Refused
from devsem.expr import Expr, const
from devsem.frontend.spec import SORTS

Data = npt.NDArray[Any]
INTEGERS = {"int64": np.int64, "int32": np.int32, "int16": np.int16, "int8": np.int8, "uint8": np.uint8}
MOST_CELLS = 1 << 16        # elements of one tensor
MOST_WORK = 1 << 19         # elements computed in the whole graph, terms of sums included


@dataclass(frozen=True)
class Array:
    """A tensor's elements: expressions where `dtype` is float32 or bool, integers otherwise."""

    data: Data
    dtype: str

    @property
    def symbolic(self) -> bool:
        """Does it hold expressions?"""
        return self.dtype in SORTS


@dataclass
class Context:
    """What an operator's rule may note: sums without an order, and assumptions. `take` counts what is computed."""

    free: dict[Expr, Free] = field(default_factory=dict)
    assumptions: dict[str, None] = field(default_factory=dict)
    left: int = MOST_WORK

    def take(self, elements: int) -> None:
        """Count elements; Refused beyond the limit."""
        self.left -= elements
        if self.left < 0:
            raise Refused(f"the spec computes more than {MOST_WORK} elements, terms of sums included", "spec.large")

    def note(self, free: Free) -> Expr:
        """A value whose order is free."""
        self.free[free.value] = free
        return free.value


Arguments = Mapping[str, Any]
Rule = Callable[[Context, Arguments], Array | tuple[Array, ...]]


def filled(values: Sequence[Expr], shape: tuple[int, ...]) -> Data:
    """Expressions in row-major order, as an array."""
    data = np.empty(len(values), object)
    data[:] = list(values)
    return data.reshape(shape)


def as_expressions(array: Array) -> Data:
    """The elements as expressions; an integer becomes the Float32 that PyTorch converts it to."""
    if array.symbolic:
        return array.data
    return filled([const(float(v)) for v in array.data.reshape(-1).tolist()], array.data.shape)


def one(data: Data, at: tuple[int, ...]) -> Expr:
    """The element at a position."""
    made: Expr = data[at]
    return made


def floats_of(array: Array, name: str = "self") -> Data:
    """The elements of a float32 tensor."""
    if array.dtype != "float32":
        raise Refused(f"its argument {name} has dtype {array.dtype}; only float32 is modelled", "spec.dtype")
    return array.data
