"""Vector accesses of shared and local arrays: accepted where something aligns the array, refused by name where the compiled kernel may miss."""

from __future__ import annotations

import pytest

from devsem.errors import Rejected
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.device_text import device_text
from devsem.frontend.nvrtc import compile_device
from devsem.frontend.ptx import parse

TEXT = """extern "C" __global__ void k(const float* x, float* y, int n) {{
  {0}
  int t = threadIdx.x;
  for (int j = t; j < 256; j += 64) s[j] = x[j];
  {1}
  __syncthreads();
  float4 q = reinterpret_cast<const float4*>(s)[(t * n) % 64];
  y[t] = q.x + q.y + q.z + q.w{2};
}}
"""
BEFORE = ("__shared__ float a[5];", "if (t < 5) a[t] = x[t];", " + a[t % 5]")
ALIGNED = {
    "alone": ("__shared__ float s[256];", "", ""), "declared": (BEFORE[0] + " __shared__ __align__(16) float s[256];", *BEFORE[1:]),
    "alignas": (BEFORE[0] + " alignas(16) __shared__ float s[256];", *BEFORE[1:]),
    "all sizes fit": ("__shared__ float a[4]; __shared__ float s[256];", "if (t < 4) a[t] = x[t];", " + a[t % 4]"),
    "vectors": (BEFORE[0] + " __shared__ float4 v[64]; float* s = reinterpret_cast<float*>(v);", *BEFORE[1:]),
    "extern": (BEFORE[0] + " extern __shared__ float s[];", *BEFORE[1:]),
}
NOT = {
    "after another": (BEFORE[0] + " __shared__ float s[256];", *BEFORE[1:]),
    "to eight bytes": (BEFORE[0] + " __shared__ __align__(8) float s[256];", *BEFORE[1:]),
    "pairs": (BEFORE[0] + " __shared__ float2 v[128]; float* s = reinterpret_cast<float*>(v);", *BEFORE[1:]),
}


def place_of_vectors(text: str) -> int:
    """Where the array of the vector access stands modulo 16 bytes, the compiled kernel's static arrays one after the other as `.align` says.
    [M] ptxas 13.0 for sm_75 places arrays so: after 12 bytes its SASS reads `LDS.U.128 R4, [R4.X16+0xc]`."""
    module = parse(compile_device(device_text(text.encode(), "k.cu"), file="k.cu", arch="sm_90", options=()).ptx, "k.cu")
    function, = (f for f in module.functions if f.body)
    found, end = {}, 0
    for v in (*function.variables, *module.variables):
        if v.space == "shared":
            end += -end % v.align
            found[v.name] = end
            end += v.count * int(v.type[1:]) // 8
    return max(found.values()) % 16


@pytest.mark.parametrize("name", ALIGNED)
def test_an_aligned_array_is_accepted_and_stands_well(name: str) -> None:
    text = TEXT.format(*ALIGNED[name])
    assert parse_kernel("k.cu", text).arrays
    assert place_of_vectors(text) == 0


@pytest.mark.parametrize("name", NOT)
def test_an_array_that_nothing_aligns_is_refused_and_stands_across(name: str) -> None:
    text = TEXT.format(*NOT[name])
    with pytest.raises(Rejected) as caught:
        parse_kernel("k.cu", text)
    assert [(r.code, r.where.line) for r in caught.value.rejections] == [("cuda.aligned", 7)]
    assert place_of_vectors(text) != 0
