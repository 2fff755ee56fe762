import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return x * w.view(1, -1, 1, 1)


def get_inputs() -> list[torch.Tensor]:
    return [torch.ones(2, 3, 4, 5), torch.ones(3)]
