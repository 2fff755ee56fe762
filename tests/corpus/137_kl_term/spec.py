import torch
from torch import nn


class Model(nn.Module):
    def forward(self, t, q):
        return t * (torch.log(t) - q)


def get_inputs():
    return [torch.randn(64), torch.randn(64)]
