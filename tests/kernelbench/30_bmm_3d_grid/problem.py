import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, A, B):
        return torch.bmm(A, B)


def get_inputs():
    return [torch.randn(2, 5, 6), torch.randn(2, 6, 4)]


def get_init_inputs():
    return []
