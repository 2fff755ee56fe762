import torch.nn as nn
from torch.utils.cpp_extension import load_inline

cuda = """
__global__ void pool(const float* __restrict__ x, float* __restrict__ y, int planes, int h, int w, int oh, int ow, int k, int s, int p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * oh * ow) return;
    int ox = i % ow, oy = (i / ow) % oh, plane = i / (ow * oh);
    float best = -INFINITY;
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            int iy = oy * s - p + a, ix = ox * s - p + b;
            if (iy >= 0 && iy < h && ix >= 0 && ix < w) best = fmaxf(best, x[(plane * h + iy) * w + ix]);
        }
    y[i] = best;
}

at::Tensor pool_cuda(at::Tensor x, int k, int s, int p) {
    int B = x.size(0), C = x.size(1), h = x.size(2), w = x.size(3);
    int oh = (h + 2 * p - k) / s + 1, ow = (w + 2 * p - k) / s + 1;
    auto y = at::empty({B, C, oh, ow}, x.options());
    const int total = y.numel();
    pool<<<(total + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), B * C, h, w, oh, ow, k, s, p);
    return y;
}
"""
cpp = "at::Tensor pool_cuda(at::Tensor x, int k, int s, int p);"


def build():
    return load_inline(name="pool", cpp_sources=cpp, cuda_sources=cuda, functions=["pool_cuda"])


module = build()


class ModelNew(nn.Module):
    def __init__(self, kernel_size: int, stride: int = None, padding: int = 0):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding

    def forward(self, x):
        return module.pool_cuda(x, self.kernel_size, self.stride, self.padding)
