# What scale.cu should compute. Look at the least subnormal: half of it rounds to zero, here too.
# The inputs below are only an example of the shape; a verdict is about every input.
import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        return x * 0.5 * 2.0


def get_inputs():
    return [torch.randn(4096)]


def get_init_inputs():
    return []
