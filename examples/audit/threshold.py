# What threshold.cu should compute.
# Look at a NaN: it is not below the threshold, and stays.
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.threshold(x, 0.0, 0.0)


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return []
