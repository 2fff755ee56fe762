# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

TILE = 4

SRC = r"""
#include <torch/extension.h>

template <int T>
__global__ void mm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, const int m, const int n, const int k)
{
    __shared__ float sa[T * T];
    __shared__ float sb[T * T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r = blockIdx.y * T + ty, q = blockIdx.x * T + tx;
    float acc = 0.f;
    for (int k0 = 0; k0 < k; k0 += T) {
        sa[ty * T + tx] = a[r * k + k0 + tx];
        sb[ty * T + tx] = b[(k0 + ty) * n + q];
        __syncthreads();
        for (int i = 0; i < T; ++i) acc = fmaf(sa[ty * T + i], sb[i * T + tx], acc);
        __syncthreads();
    }
    c[r * n + q] = acc;
}

torch::Tensor mm_forward(const torch::Tensor& a, const torch::Tensor& b)
{
    const int m = a.size(0), k = a.size(1), n = b.size(1);
    TORCH_CHECK(m % @TILE@ == 0 && n % @TILE@ == 0 && k % @TILE@ == 0, "sizes must be multiples of the tile");
    auto c = torch::empty({m, n}, a.options());
    mm<@TILE@><<<dim3(n / @TILE@, m / @TILE@), dim3(@TILE@, @TILE@)>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), m, n, k);
    return c;
}
"""
SRC = SRC.replace("@TILE@", str(TILE))

ops = load_inline("mm_ops", cpp_sources="torch::Tensor mm_forward(const torch::Tensor& a, const torch::Tensor& b);", cuda_sources=SRC, functions="mm_forward")


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        return ops.mm_forward(A, B)
