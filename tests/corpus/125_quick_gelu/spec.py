import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(1.702 * x)


def get_inputs():
    return [torch.randn(64)]
