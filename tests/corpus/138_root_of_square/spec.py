import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sqrt(x * x + 1e-6)


def get_inputs():
    return [torch.randn(64)]
