import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
        return x * scale + shift


def get_inputs() -> list[torch.Tensor]:
    return [torch.ones(8, 24), torch.ones(24), torch.ones(24)]
