import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super(Model, self).__init__()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x)


def get_inputs():
    return [torch.rand(4, 36)]


def get_init_inputs():
    return []
