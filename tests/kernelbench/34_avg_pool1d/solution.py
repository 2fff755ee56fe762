# devsem: safety=PASS truth=unknown
import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline


def build():
    source = """
    #include <torch/extension.h>

    __global__ void avg_pool1d_kernel(const float* in, float* out, int L, int Lout, int ksize, int stride, int pad) {
        int o = blockIdx.x * blockDim.x + threadIdx.x;
        int c = blockIdx.y;
        int b = blockIdx.z;
        if (o < Lout) {
            const float* src = in + (b * gridDim.y + c) * L;
            float sum = 0.0f;
            for (int k = 0; k < ksize; k++) {
                int p = o * stride + k - pad;
                if (p < 0 || p >= L) continue;
                sum += src[p];
            }
            out[(b * gridDim.y + c) * Lout + o] = sum / ksize;
        }
    }

    torch::Tensor avg_pool1d_forward(torch::Tensor in, int ksize, int stride, int pad) {
        int B = in.size(0);
        int C = in.size(1);
        int L = in.size(2);
        int Lout = (L + 2 * pad - ksize) / stride + 1;
        auto out = torch::empty({B, C, Lout}, in.options());
        dim3 threads(32);
        dim3 blocks((Lout + threads.x - 1) / threads.x, C, B);
        avg_pool1d_kernel<<<blocks, threads>>>(in.data_ptr<float>(), out.data_ptr<float>(), L, Lout, ksize, stride, pad);
        return out;
    }
    """
    return load_inline(
        name="avg_pool1d_ext",
        cpp_sources="torch::Tensor avg_pool1d_forward(torch::Tensor in, int ksize, int stride, int pad);",
        cuda_sources=source,
        functions=["avg_pool1d_forward"],
    )


avg_pool1d_ext = build()


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int = 1, padding: int = 0):
        super().__init__()
        self.args = (kernel_size, stride, padding)

    def forward(self, x):
        k, s, p = self.args
        return avg_pool1d_ext.avg_pool1d_forward(x, k, s, p)
