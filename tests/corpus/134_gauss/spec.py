import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.exp(-(x * x) / 2)


def get_inputs():
    return [torch.randn(64)]
