import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, A, B):
        return torch.matmul(A, B)


def get_inputs():
    return [torch.rand(7, 48), torch.rand(48, 1)]


def get_init_inputs():
    return []
