# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void bmm_kernel(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
    int b = blockIdx.z;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    A += b * M * K;
    B += b * K * N;
    C += b * M * N;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc;
    }
}

torch::Tensor bmm_cuda(torch::Tensor A, torch::Tensor B) {
    auto batch = A.size(0);
    auto M = A.size(1);
    auto K = A.size(2);
    auto N = B.size(2);
    auto C = torch::empty({batch, M, N}, A.options());
    dim3 block(4, 4);
    dim3 grid((N + 3) / 4, (M + 3) / 4, batch);
    bmm_kernel<<<grid, block>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), M, N, K);
    return C;
}
"""

ext = load_inline(name="bmm_ext", cpp_sources="torch::Tensor bmm_cuda(torch::Tensor A, torch::Tensor B);", cuda_sources=source, functions=["bmm_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        A, B = A.contiguous(), B.contiguous()
        return ext.bmm_cuda(A, B)
