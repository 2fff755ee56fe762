"""Output cells of a launch of fixed sizes whose values are of one form: what a goal about cells is about.

>>> ranges([0, 1, 2, 3, 7])
'0-3, 7'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """An output cell: the output's number and name, the element, and the elements that it reads in the order of the class' variables, each as
    tensor number and index."""

    output: int
    name: str
    index: int
    reads: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Cells:
    """The cells of one class, and the tensors by their numbers."""

    places: tuple[Place, ...]
    tensors: tuple[str, ...]
    sizes: str

    @property
    def legend(self) -> str:
        """Which cells they are, in words."""
        outputs = dict.fromkeys((p.output, p.name) for p in self.places)
        return "; ".join(f"{name}[{ranges([p.index for p in self.places if p.output == o])}]" for o, name in outputs)

    @property
    def numbered(self) -> str:
        """Which tensor is which in a memory `m`, in words."""
        return ", ".join(f"`m {i}` is {name}" for i, name in enumerate(self.tensors))

    @property
    def statement(self) -> str:
        """The theorem in one line of words."""
        return f"kernel = spec for all inputs at {self.legend}; {self.sizes}"


def ranges(numbers: Sequence[int]) -> str:
    """Numbers in words: `0-3, 7`."""
    spans: list[list[int]] = []
    for n in sorted(numbers):
        if spans and spans[-1][1] + 1 == n:
            spans[-1][1] = n
        else:
            spans.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in spans)
