import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, kernel_size: int):
        super().__init__()
        self.avg_pool = nn.AvgPool2d(kernel_size=kernel_size)

    def forward(self, x):
        return self.avg_pool(x)


def get_inputs():
    return [torch.rand(2, 2, 9, 9)]


def get_init_inputs():
    return [3]
