import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return 1 / torch.sqrt(x)


def get_inputs():
    return [torch.randn(64)]
