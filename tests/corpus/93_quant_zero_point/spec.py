import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x, s, z):
        q = torch.clamp(torch.round(x / s) + z, 0.0, 255.0)
        return (q - z) * s


def get_inputs():
    return [torch.randn(64), torch.randn(64), torch.randn(64)]
