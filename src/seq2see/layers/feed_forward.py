"""The position-wise network of a Transformer layer."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.layers.dropout import Dropout
from seq2see.linear import Linear


class FeedForward(nn.Module):
    r"""Two linear layers with a ReLU between, at every position alike.

    .. math:: \mathrm{FFN}(x) = W_2 \max(0, W_1 x + b_1) + b_2

    Args:
        size: Size of x and of the result.
        inner_size: Size between the layers.
        dropout: Share of the values between the layers that are zeroed in training.

    References:
        Vaswani et al. 2017, §3.3, eq. 2 (arXiv:1706.03762).
    """

    def __init__(self, *, size: int, inner_size: int, dropout: float) -> None:
        super().__init__()
        self.inner_projection = Linear(size, inner_size, stays_rounded=True)
        self.dropout = Dropout(dropout)
        self.output_projection = Linear(inner_size, size)

    def forward(self, x: Float[Tensor, "*batch H"]) -> Float[Tensor, "*batch H"]:
        """Return FFN(x)."""
        out: Tensor = self.output_projection(self.dropout(torch.relu(self.inner_projection(x))))
        return out
