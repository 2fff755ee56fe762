# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

selu_src = """
#include <torch/extension.h>
#include <c10/cuda/CUDAGuard.h>

#define CHECK_CUDA(x) TORCH_CHECK(x.device().is_cuda(), #x " must be a CUDA tensor")
#define CHECK_CONTIGUOUS(x) TORCH_CHECK(x.is_contiguous(), #x " must be contiguous")
#define CHECK_INPUT(x) CHECK_CUDA(x); CHECK_CONTIGUOUS(x)

template <typename scalar_t>
__device__ __forceinline__ scalar_t my_exp(scalar_t v);

template <>
__device__ __forceinline__ float my_exp<float>(float v) { return expf(v); }

template <typename scalar_t>
__global__ void selu_kernel(const scalar_t* __restrict__ input, scalar_t* __restrict__ output, size_t numel) {
    const scalar_t alpha = static_cast<scalar_t>(1.6732632423543772f);
    const scalar_t scale = static_cast<scalar_t>(1.0507009873554805f);
    size_t idx = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t step = blockDim.x * gridDim.x;
    for (; idx < numel; idx += step) {
        scalar_t v = input[idx];
        scalar_t r = v > static_cast<scalar_t>(0) ? v : alpha * (my_exp(v) - static_cast<scalar_t>(1));
        output[idx] = scale * r;
    }
}

torch::Tensor selu_forward(torch::Tensor input) {
    CHECK_INPUT(input);
    const at::cuda::OptionalCUDAGuard guard(device_of(input));
    auto output = torch::empty_like(input);
    const size_t numel = input.numel();
    const int threads = 1024;
    const int blocks = (numel + threads - 1) / threads;
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "selu_forward", ([&] {
        selu_kernel<scalar_t><<<blocks, threads>>>(input.data_ptr<scalar_t>(), output.data_ptr<scalar_t>(), numel);
    }));
    return output;
}
"""

selu_mod = load_inline(
    name="selu_mod",
    cpp_sources="torch::Tensor selu_forward(torch::Tensor input);",
    cuda_sources=selu_src,
    functions=["selu_forward"],
    with_cuda=True,
)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return selu_mod.selu_forward(x)
