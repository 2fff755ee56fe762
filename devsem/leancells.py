"""The cells part of a verdict as Lean text: after a launch of fixed sizes, each output cell of a class has the spec's value.

A class is all cells whose two values are the same up to the names of the elements that they read. The kernel's values are those that
running every thread gives (`threads.py`); Lean is not asked about threads and memory here, and the text says so.
"""

from __future__ import annotations

from devsem.leanprint import TYPES
from devsem.ops import F32
from devsem.places import Cells

FEW = 64        # cells of which the theorem has a statement each


def theorem(cells: Cells, agreement: tuple[str, str], wrap: tuple[str, str], tensors: str) -> tuple[list[str], str]:
    """The lines of the theorem about the cells, and its name: of many cells, the one about all values of the elements, which is above.

    `tensors`: which number is which, safe inside a comment."""
    if len(cells.places) > FEW:
        return [f"/-! The theorem above is about each of these cells. {tensors}. -/", ""], "value0"
    (agrees, agree_args), (left, right) = agreement, wrap
    parts, proofs = [], []
    for p in cells.places:
        given = " ".join(f"(m {tensor} {index})" for tensor, index in p.reads)
        parts.append(f"(Eq {left}(kernelValue0 device D {given}){right} {left}(specValue0 S {given}){right})".replace(" )", ")"))
        proofs.append(f"(value0 D S{agree_args} {given})".replace(" )", ")"))
    claim, proof = parts[-1], proofs[-1]
    for c, p_ in zip(reversed(parts[:-1]), reversed(proofs[:-1]), strict=True):
        claim, proof = f"(And {c}\n      {claim})", f"(And.intro {p_}\n    {proof})"
    return [f"/-- THE THEOREM. Whatever the tensors hold, each of these cells is what the spec says. {tensors}. -/",
            f"theorem kernel_eq_spec0 (D S : Libm){agrees} (m : Mem {TYPES[F32]}) :", f"    {claim} :=", f"  {proof}", ""], "kernel_eq_spec0"
