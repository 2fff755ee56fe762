import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(x > 1, x, torch.where(x > -1, x * x, -x))


def get_inputs():
    return [torch.randn(64)]
