import torch
from torch import nn


class Model(nn.Module):
    def forward(self, a, b):
        s = a + b
        bb = s - a
        return s, (a - (s - bb)) + (b - bb)


def get_inputs():
    return [torch.randn(64), torch.randn(64)]
