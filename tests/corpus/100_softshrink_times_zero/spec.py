import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(x > 0.5, x - 0.5, torch.where(x < -0.5, x + 0.5, x * 0.0))


def get_inputs():
    return [torch.randn(64)]
