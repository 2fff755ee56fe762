import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.scale = scale

    def forward(self, x):
        return (x + self.bias) * self.scale


def get_inputs():
    return [torch.randn(6, 20)]


def get_init_inputs():
    return [20, 0.5]
