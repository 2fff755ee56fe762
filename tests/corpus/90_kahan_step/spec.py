import torch
from torch import nn


class Model(nn.Module):
    def forward(self, s, c, x):
        t0 = x - c
        t = s + t0
        return t, (t - s) - t0


def get_inputs():
    return [torch.randn(64), torch.randn(64), torch.randn(64)]
