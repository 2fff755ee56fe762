import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, A, B):
        return torch.matmul(A.T, B)


def get_inputs():
    return [torch.rand(11, 6), torch.rand(11, 7)]


def get_init_inputs():
    return []
