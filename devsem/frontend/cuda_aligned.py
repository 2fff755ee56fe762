"""Do shared and local arrays stand where they are accessed as CUDA's vectors? C aligns an array of floats to 4 bytes only, and so does NVRTC's PTX
(13.0: `.shared .align 4`; an `extern` array of unknown size gets `.align 16`), so that a float4 may stand across.

An array stands well if its own type or `__align__` says so, or if the sizes of all arrays of its kind are multiples of the vector's, so that
wherever one ends the next may begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from clang.cindex import SourceLocation, SourceRange

from devsem.errors import Rejection
from devsem.expr import WIDTH
from devsem.frontend.cuda_clang import Cursor, children, kind
from devsem.frontend.cuda_objects import Row, Shape, Struct, size
from devsem.program import Aligned, Array, Program, walk
from devsem.rejections import rejection

EXTERN = 16         # [M] NVRTC and nvcc 13.0 on sm_90: `.extern .shared .align 16 .b8 s[]` for `extern __shared__ float s[]`


def declared(shape: Shape, cursor: Cursor) -> int:
    """The bytes to a multiple of which an array's declaration aligns it: by its elements' type, and by `__align__` with a plain number."""
    out = _natural(shape)
    for attribute in children(cursor):
        word, opened, value, closed, *_ = [*_words(attribute), "", "", "", ""] if kind(attribute) == "ALIGNED_ATTR" else ("",) * 4
        if word in ("__align__", "alignas", "aligned") and (opened, closed) == ("(", ")") and value.isdecimal():
            out = max(out, int(value))
    return out


def _words(attribute: Cursor) -> list[str]:
    """The text at an attribute. Its own tokens are those of the macro's definition, which stands in another file."""
    unit, at = attribute.translation_unit, attribute.extent.start
    ends = [SourceLocation.from_offset(unit, at.file, offset) for offset in (at.offset, at.offset + 40)]
    return [str(t.spelling) for t in unit.get_tokens(extent=SourceRange.from_locations(*ends))]


def _natural(shape: Shape) -> int:
    match shape:
        case Row():
            return _natural(shape.of)
        case Struct():
            return max([4 * size(shape) if shape.is_vector else 4, *(_natural(inner) for _, inner in shape.fields)])
        case _:
            return 4


def unaligned(program: Program, known: Mapping[str, int]) -> Iterator[Rejection]:
    """The accesses that nothing aligns; `known`: of each array what its declaration says, in bytes."""
    arrays = {a.name: a for a in program.arrays}
    for s in walk(program.body):
        if not isinstance(s, Aligned) or s.buffer not in arrays:
            continue
        array = arrays[s.buffer]
        least = s.elements * WIDTH[array.sort] // 8
        near = [a for a in program.arrays if a.space == array.space and a.elements is not None]
        if known.get(array.name, 4) < least and not (array.elements is None and least <= EXTERN) and any(_bytes(a) % least for a in near):
            yield rejection("cuda.aligned", s.where, name=array.name, bytes=str(least))


def _bytes(a: Array) -> int:
    return (a.elements or 0) * max(WIDTH[a.sort] // 8, 1)
