# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void layer_norm_kernel(const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                                  float* __restrict__ y, int D, float eps) {
    extern __shared__ float smem[];
    float* s_sum = smem;
    float* s_sq = smem + blockDim.x;
    const int tid = threadIdx.x;
    const float* row = x + blockIdx.x * D;

    float sum = 0.0f, sq = 0.0f;
    for (int i = tid; i < D; i += blockDim.x) {
        const float v = row[i];
        sum += v;
        sq += v * v;
    }
    s_sum[tid] = sum;
    s_sq[tid] = sq;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            s_sum[tid] += s_sum[tid + s];
            s_sq[tid] += s_sq[tid + s];
        }
        __syncthreads();
    }

    const float mean = s_sum[0] / D;
    const float var = s_sq[0] / D - mean * mean;
    const float rstd = rsqrtf(var + eps);
    for (int i = tid; i < D; i += blockDim.x) {
        y[blockIdx.x * D + i] = (row[i] - mean) * rstd * gamma[i] + beta[i];
    }
}

torch::Tensor layer_norm_cuda(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps) {
    const int D = weight.numel();
    const int rows = x.numel() / D;
    auto y = torch::empty_like(x);
    const int threads = 32;
    layer_norm_kernel<<<rows, threads, 2 * threads * sizeof(float)>>>(
        x.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), D, static_cast<float>(eps));
    return y;
}
"""

layer_norm = load_inline(
    name="layer_norm",
    cpp_sources="torch::Tensor layer_norm_cuda(torch::Tensor x, torch::Tensor weight, torch::Tensor bias, double eps);",
    cuda_sources=source,
    functions=["layer_norm_cuda"],
)


class ModelNew(nn.Module):
    def __init__(self, normalized_shape: tuple):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return layer_norm.layer_norm_cuda(x, self.ln.weight, self.ln.bias, self.ln.eps)
