import torch
from torch import nn


class Model(nn.Module):
    def forward(self, a, b, c):
        return torch.fmax(torch.fmin(a, b), torch.fmin(torch.fmax(a, b), c))


def get_inputs():
    return [torch.randn(64), torch.randn(64), torch.randn(64)]
