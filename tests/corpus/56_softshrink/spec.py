import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.softshrink(x, 0.5)


def get_inputs():
    return [torch.randn(64)]
