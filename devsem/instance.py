"""One concrete launch of one kernel: how many blocks and threads, what each parameter is, how large each buffer is.

>>> Instance((1, 1, 1), (32, 1, 1), 0, {"x": Extent("x", 32, "input")}, {"n": 32}).threads
32
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Literal

from devsem.errors import Bug
from devsem.expr import Expr, var
from devsem.ops import F32

Initial = Literal["input", "zeros", "empty"]


@dataclass(frozen=True)
class Extent:
    """What a buffer parameter points to: a tensor of the host, how many elements it has, and what they are before the launch.

    Two parameters with the same `tensor` are the same memory.
    """

    tensor: str
    elements: int
    initial: Initial

    def __post_init__(self) -> None:
        if self.elements < 0:
            raise Bug(f"{self.tensor}: {self.elements} elements")


@dataclass(frozen=True)
class Instance:
    """A launch. `grid` and `block` are numbers of blocks and of threads along x, y and z; `shared_bytes` is the size of `extern __shared__`.

    `buffers` and `scalars` are by the kernel's parameter names. An integer parameter has an int (of either sign, taken modulo its
    width), a float one an F32 expression: a constant or a variable.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    buffers: Mapping[str, Extent]
    scalars: Mapping[str, int | Expr]

    def __post_init__(self) -> None:
        if min(*self.grid, *self.block) < 1 or self.shared_bytes < 0:
            raise Bug(f"a launch of grid {self.grid}, block {self.block} and {self.shared_bytes} bytes of shared memory")

    @property
    def threads(self) -> int:
        """The threads of a block."""
        return prod(self.block)

    @property
    def blocks(self) -> int:
        """The blocks of the grid."""
        return prod(self.grid)


def element(tensor: str, index: int) -> Expr:
    """The variable that stands for an element of an input tensor."""
    return var(f"{tensor}[{index}]", F32)
