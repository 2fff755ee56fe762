# devsem: safety=PASS truth=equal
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

kernel = """
__global__ void leaky_relu_kernel(const float* __restrict__ x, float* __restrict__ out, const float slope, const int64_t n) {
    const int64_t stride = (int64_t)blockDim.x * gridDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float v = x[i];
        out[i] = v > 0.0f ? v : v * slope;
    }
}
"""

wrapper = """
torch::Tensor leaky_relu(torch::Tensor x, double negative_slope) {
    auto out = torch::empty_like(x);
    const int64_t n = x.numel();
    const int threads = 128;
    int64_t blocks = (n + threads - 1) / threads;
    if (blocks > 65535) blocks = 65535;
    leaky_relu_kernel<<<(int)blocks, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), (float)negative_slope, n);
    return out;
}
"""

headers = "#include <torch/extension.h>\n" + "#include <cuda.h>\n#include <cuda_runtime.h>\n"

ext = load_inline(
    name="leaky",
    cpp_sources="torch::Tensor leaky_relu(torch::Tensor x, double negative_slope);",
    cuda_sources=headers + kernel + wrapper,
    functions=["leaky_relu"],
)


class ModelNew(nn.Module):
    def __init__(self, negative_slope: float = 0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return ext.leaky_relu(x.contiguous(), self.negative_slope)
