import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x, w):
        return torch.where(x > 0, x, w * x)


def get_inputs():
    return [torch.randn(64), torch.randn(64)]
