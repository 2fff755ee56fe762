# devsem: safety=PASS truth=equal
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda_source = '''
#include <torch/extension.h>
#include <cuda.h>

__device__ float softplus_one(float v) {
    if (v > 20.0f) {
        return v;
    }
    return log1pf(expf(v));
}

__global__ void softplus_kernel(const float* __restrict__ a, float* __restrict__ b, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        b[i] = softplus_one(a[i]);
    }
}

void launch_softplus(const float* a, float* b, unsigned int n) {
    const unsigned int threads = 128u;
    softplus_kernel<<<(n + threads - 1u) / threads, threads>>>(a, b, n);
}

torch::Tensor softplus_forward(torch::Tensor a) {
    auto b = torch::empty_like(a);
    launch_softplus(a.data_ptr<float>(), b.data_ptr<float>(), (unsigned int)a.numel());
    return b;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &softplus_forward, "softplus forward (CUDA)");
}
'''

softplus = load_inline(name="softplus_pybind", cpp_sources="", cuda_sources=cuda_source, verbose=False)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return softplus.forward(x)
