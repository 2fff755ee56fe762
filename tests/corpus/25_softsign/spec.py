import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.softsign(x)


def get_inputs():
    return [torch.randn(64)]
