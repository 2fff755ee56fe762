# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

// C[M, N] = A[K, M]^T B[K, N]
__global__ void matmul_at(const float* A, const float* B, float* C, int M, int N, int K) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;   // row of C
    const int j = blockIdx.y * blockDim.y + threadIdx.y;   // column of C
    if (i >= M || j >= N)
        return;
    float s = 0;
    for (int k = 0; k < K; k++)
        s += A[k * M + i] * B[k * N + j];
    C[i * N + j] = s;
}

torch::Tensor matmul_at_cuda(torch::Tensor A, torch::Tensor B) {
    const int K = A.size(0), M = A.size(1), N = B.size(1);
    auto opts = A.options();
    auto C = torch::empty({M, N}, opts);
    const dim3 b(8, 8, 1);
    const dim3 g((M + b.x - 1) / b.x, (N + b.y - 1) / b.y, 1);
    matmul_at<<<g, b>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), M, N, K);
    return C;
}
"""

ext = load_inline(name="matmul_at", cpp_sources="torch::Tensor matmul_at_cuda(torch::Tensor A, torch::Tensor B);", cuda_sources=source,
                  functions=["matmul_at_cuda"])


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        # the kernel reads A as it lies in memory, transposed
        return ext.matmul_at_cuda(A, B)
