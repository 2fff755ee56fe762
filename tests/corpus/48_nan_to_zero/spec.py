import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(torch.isnan(x), torch.zeros_like(x), x)


def get_inputs():
    return [torch.randn(64)]
