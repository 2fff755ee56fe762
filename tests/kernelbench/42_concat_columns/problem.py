import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.cat((a, b), dim=1)


def get_inputs():
    return [torch.rand(4, 6), torch.rand(4, 9)]


def get_init_inputs():
    return []
