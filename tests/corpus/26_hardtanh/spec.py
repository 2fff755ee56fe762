import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Hardtanh(-2.0, 0.5)

    def forward(self, x):
        return self.f(x)


def get_inputs():
    return [torch.randn(64)]
