import torch
from torch import nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.sqrt((a - b) * 0.5 / b) + a


def get_inputs():
    return [torch.randn(64), torch.randn(64)]
