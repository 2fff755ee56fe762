import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.softmax(x, dim=-1)


def get_inputs():
    return [torch.randn(3, 40)]


def get_init_inputs():
    return []
