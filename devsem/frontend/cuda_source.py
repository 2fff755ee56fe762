"""A CUDA text before it is parsed: is it text, and does it reach outside itself?

A kernel file is not trusted. Known headers are blanked out, since `stubs/device.h` stands for all of them, and every other way
to name a file is refused before the compiler's front end sees the text. Positions in the text stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from devsem.errors import Rejected, Rejection, Where
from devsem.rejections import rejection

MAX_BYTES = 1 << 17
HEADERS = frozenset({
    "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "device_functions.h", "math_functions.h", "math_constants.h",
    "cuda_fp16.h", "cuda_bf16.h", "cooperative_groups.h", "curand_kernel.h", "math.h", "cmath", "float.h", "cfloat", "limits.h", "climits", "limits",
    "stdint.h", "cstdint", "stddef.h", "cstddef", "stdio.h", "cstdio", "stdlib.h", "cstdlib", "string.h", "cstring", "assert.h", "cassert", "iostream",
    "vector", "algorithm", "chrono", "random", "string", "torch/extension.h", "torch/torch.h", "torch/types.h", "ATen/ATen.h", "ATen/cuda/CUDAContext.h",
    "c10/cuda/CUDAStream.h", "c10/cuda/CUDAException.h", "c10/cuda/CUDAGuard.h", "pybind11/pybind11.h",
})
_INCLUDE = re.compile(r'^[ \t/]*(#[ \t]*include[ \t]*(?:<([^>"\n]+)>|"([^>"\n]+)"))', re.MULTILINE)
_HASH = re.compile(r"#|%:|\?\?=")
_REACHES = re.compile(r"(include|import|embed|__include_macros|include_next|pragma)\b")
_PROBES = re.compile(r"__has_\w+|_Pragma|__pragma")
_PRAGMA = re.compile(r"[ \t]+(once|unroll|nounroll|nv_\w+)\b")
_SPLICE = re.compile(r"\\[ \t\f\v]*\r?\n")


@dataclass(frozen=True)
class Source:
    """A checked text, its known includes blanked, and how to say where something is."""

    path: str
    text: str

    def where(self, offset: int) -> Where:
        """The place of a character."""
        starts = [0, *(m.end() for m in re.finditer("\n", self.text))]
        line = bisect_right(starts, offset)
        return Where(self.path, line, len(self.text[starts[line - 1]:offset].encode()) + 1)


def read(path: str, text: str | bytes) -> Source:
    """The text, if it is one and stays inside itself; otherwise Rejected with every reason."""
    source = Source(path, _decode(path, text))
    refused = _includes(source)
    if refused:
        raise Rejected(*refused)
    blanked = Source(path, _INCLUDE.sub(lambda m: m[0].replace(m[1], " " * len(m[1])), source.text))
    refused = list(_reaching(blanked))
    if refused:
        raise Rejected(*refused)
    return blanked


def _decode(path: str, text: str | bytes) -> str:
    """Text without NUL, of a size that a person could have written."""
    try:
        data = text.encode() if isinstance(text, str) else text
        if len(data) > MAX_BYTES:
            raise Rejected(rejection("cuda.size", Where(path), what=f"the file has {len(data)} bytes, more than {MAX_BYTES}"))
        decoded = data.decode("utf-8-sig")
    except UnicodeError as e:
        raise Rejected(rejection("cuda.binary", Where(path), what=str(e).split(":")[0])) from e
    if "\0" in decoded:
        raise Rejected(rejection("cuda.binary", Where(path), what=f"byte 0 at offset {decoded.index(chr(0))}"))
    return decoded


def _includes(source: Source) -> list[Rejection]:
    """Includes in the usual spelling of headers that are not known."""
    return [rejection("cuda.include", source.where(m.start(1)), name=m[2] or m[3]) for m in _INCLUDE.finditer(source.text) if (m[2] or m[3]) not in HEADERS]


def _reaching(source: Source) -> list[Rejection]:
    """Any other spelling that could name a file, or steer the compiler: also inside comments and strings, to be safe."""
    text, at = _unspliced(source.text)
    out = [rejection("cuda.directive", source.where(at(m.start())), name=m[0]) for m in _PROBES.finditer(text)]
    for mark in _HASH.finditer(text):
        word = _REACHES.match(text, _skip_blank(text, mark.end()))
        if word is None:
            continue
        if word[1] != "pragma":
            out.append(rejection("cuda.include", source.where(at(mark.start())), name=text[mark.start():word.end() + 40].split("\n")[0].strip()))
        elif not _PRAGMA.match(text, word.end()):
            out.append(rejection("cuda.pragma", source.where(at(mark.start())), name=text[word.end():word.end() + 40].split("\n")[0].strip()))
    return out


def _unspliced(text: str) -> tuple[str, Callable[[int], int]]:
    """The text without its line continuations, and the way back to the offsets of the text."""
    kept, cuts, removed, last = [], [0], [0], 0
    for m in _SPLICE.finditer(text):
        kept.append(text[last:m.start()])
        cuts.append(m.start() - removed[-1])
        removed.append(removed[-1] + m.end() - m.start())
        last = m.end()
    return "".join([*kept, text[last:]]), lambda offset: offset + removed[bisect_right(cuts, offset) - 1]


def _skip_blank(text: str, at: int) -> int:
    """The first position from `at` on that is neither white space nor inside a /* */ comment."""
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        end = text.find("*/", at + 2) if text.startswith("/*", at) else -1
        if end < 0:
            return at
        at = end + 2
