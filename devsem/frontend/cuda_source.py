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
# what these declare is unknown here, unless `stubs/` says it: a kernel that uses it is refused where it does
HEADERS = frozenset("""
cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h device_launch_parameters.h device_functions.h device_atomic_functions.h sm_30_intrinsics.h
math_functions.h math_constants.h vector_types.h vector_functions.h builtin_types.h driver_types.h cuda_profiler_api.h cuda_fp8.h cuda_fp16.h cuda_bf16.h mma.h
cooperative_groups.h cooperative_groups/reduce.h cooperative_groups/scan.h cooperative_groups/memcpy_async.h cuda_pipeline.h cuda/barrier cuda/pipeline
cuda/atomic cuda/std/limits cuda/std/type_traits cub/cub.cuh cublas.h cublas_v2.h cublasLt.h cudnn.h cufft.h cusparse.h cusolverDn.h curand.h curand_kernel.h
nccl.h
nvToolsExt.h nvtx3/nvToolsExt.h
math.h float.h limits.h stdint.h inttypes.h stddef.h stdbool.h stdarg.h stdio.h stdlib.h string.h assert.h time.h errno.h ctype.h signal.h unistd.h sys/time.h
sys/types.h sys/stat.h omp.h cmath cfloat climits cstdint cinttypes cstddef cstdarg cstdio cstdlib cstring cassert ctime cerrno cctype limits numeric algorithm
functional type_traits utility tuple optional array vector list map set unordered_map unordered_set string string_view iostream fstream sstream iomanip ostream
istream memory initializer_list stdexcept exception chrono random thread mutex complex bitset iterator
torch/extension.h torch/torch.h torch/types.h torch/all.h torch/python.h torch/library.h torch/script.h torch/csrc/utils/pybind.h pybind11/pybind11.h
pybind11/stl.h
ATen/ATen.h ATen/Dispatch.h ATen/AccumulateType.h ATen/TensorUtils.h ATen/OpMathType.h ATen/core/Tensor.h ATen/cuda/CUDAContext.h ATen/cuda/CUDAUtils.h
ATen/cuda/Exceptions.h ATen/cuda/detail/KernelUtils.h ATen/cuda/detail/IndexUtils.cuh ATen/native/cuda/KernelUtils.cuh THC/THC.h THC/THCAtomics.cuh
c10/cuda/CUDAStream.h c10/cuda/CUDAException.h c10/cuda/CUDAGuard.h c10/cuda/CUDAMathCompat.h c10/cuda/CUDAFunctions.h c10/util/Half.h c10/util/BFloat16.h
c10/util/Optional.h c10/util/Exception.h c10/core/ScalarType.h
""".split())
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
