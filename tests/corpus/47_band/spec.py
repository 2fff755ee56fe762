import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where((x > 0) & (x < 1), x, torch.zeros_like(x))


def get_inputs():
    return [torch.randn(64)]
