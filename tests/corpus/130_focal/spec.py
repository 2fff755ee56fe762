import torch
from torch import nn


class Model(nn.Module):
    def forward(self, p):
        return -((1 - p) ** 2) * torch.log(p)


def get_inputs():
    return [torch.randn(64)]
