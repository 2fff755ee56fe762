import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(x > 3, 3.0, torch.where(x > 2, 2.0, torch.where(x > 1, 1.0, 0.0)))


def get_inputs():
    return [torch.randn(64)]
