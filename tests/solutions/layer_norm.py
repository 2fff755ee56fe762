import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
__global__ void layer_norm(const float* x, const float* gamma, const float* beta, float* y, int rows, int dim, float eps) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float mean = 0.0f;
    for (int j = 0; j < dim; ++j) mean += x[row * dim + j];
    mean /= dim;
    float var = 0.0f;
    for (int j = 0; j < dim; ++j) { float d = x[row * dim + j] - mean; var += d * d; }
    var /= dim;
    float inv = rsqrtf(var + eps);
    for (int j = 0; j < dim; ++j) y[row * dim + j] = (x[row * dim + j] - mean) * inv * gamma[j] + beta[j];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor gamma, torch::Tensor beta, double eps) {
    x = x.contiguous();
    const auto dim = gamma.numel();
    const auto rows = x.numel() / dim;
    auto y = torch::empty_like(x);
    layer_norm<<<(rows + 63) / 64, 64>>>(x.data_ptr<float>(), gamma.data_ptr<float>(), beta.data_ptr<float>(), y.data_ptr<float>(), rows, dim, (float)eps);
    return y;
}
"""
ext = load_inline("layer_norm", "torch::Tensor forward(torch::Tensor x, torch::Tensor gamma, torch::Tensor beta, double eps);", SOURCE, ["forward"])


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        if not x.is_contiguous():
            x = x.contiguous()
        return ext.forward(x, self.ln.weight, self.ln.bias, self.ln.eps)
