# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

constexpr int BLOCK_DIM = 16;

__global__ void matvec(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int K) {
    __shared__ float partial[BLOCK_DIM];
    const int m = blockIdx.x;
    float p = 0.0f;
    for (int k = threadIdx.x; k < K; k += BLOCK_DIM) p += A[m * K + k] * x[k];
    partial[threadIdx.x] = p;
    __syncthreads();
    #pragma unroll
    for (int s = BLOCK_DIM / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[m] = partial[0];
}

torch::Tensor matvec_cuda(torch::Tensor A, torch::Tensor B) {
    TORCH_CHECK(B.size(1) == 1);
    int M = A.size(0), K = A.size(1);
    auto y = torch::empty({M, 1}, A.options());
    matvec<<<M, BLOCK_DIM>>>(A.data_ptr<float>(), B.data_ptr<float>(), y.data_ptr<float>(), K);
    return y;
}
"""

ext = load_inline(name="matvec", cpp_sources="torch::Tensor matvec_cuda(torch::Tensor A, torch::Tensor B);", cuda_sources=source, functions=["matvec_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        return ext.matvec_cuda(A, B)
