import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(x >= 0, 1 / (1 + torch.exp(-x)), torch.exp(x) / (1 + torch.exp(x)))


def get_inputs():
    return [torch.randn(64)]
