import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x / (1 + torch.exp(-(1.5 * x)))


def get_inputs():
    return [torch.randn(64)]
