import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, A, B):
        return A @ B


def get_inputs():
    return [torch.rand(8, 16), torch.rand(16, 8)]


def get_init_inputs():
    return []
