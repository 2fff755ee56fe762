import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x * 0.5 + 0.5


def get_inputs():
    return [torch.randn(64)]
