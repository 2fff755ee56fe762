import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.clamp(x + 3.0, 0.0, 6.0)


def get_inputs():
    return [torch.randn(64)]
