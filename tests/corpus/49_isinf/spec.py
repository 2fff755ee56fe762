import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(torch.isinf(x), torch.ones_like(x), x)


def get_inputs():
    return [torch.randn(64)]
