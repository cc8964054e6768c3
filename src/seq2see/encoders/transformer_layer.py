"""One layer of a Transformer encoder."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention import MultiHeadDot
from seq2see.layers import Dropout, FeedForward


class TransformerEncoderLayer(nn.Module):
    r"""Every position looks at all positions, then a network acts on each; both are added to what was there.

    .. math::
        x &\leftarrow x + \mathrm{attention}(\mathrm{LN}(x)) \\
        x &\leftarrow x + \mathrm{FFN}(\mathrm{LN}(x))

    Args:
        size: Size of x.
        num_heads: Heads.
        dropout: Share of what is added that is zeroed in training.

    References:
        Vaswani et al. 2017, §3.1 (arXiv:1706.03762); Xiong et al. 2020 for the norm in front (arXiv:2002.04745).
    """

    def __init__(self, *, size: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(size)
        self.attention = MultiHeadDot(size=size, memory_size=size, num_heads=num_heads)
        self.feed_forward_norm = nn.LayerNorm(size)
        self.feed_forward = FeedForward(size=size, inner_size=4 * size, dropout=dropout)
        self.dropout = Dropout(dropout)

    def forward(self, x: Float[Tensor, "B S H"], mask: Bool[Tensor, "B S"]) -> Float[Tensor, "B S H"]:
        """Return the new x; ``mask`` is True where a position is real."""
        normed = self.attention_norm(x)
        seen, _ = self.attention(normed, self.attention.keys(normed), self.attention.values(normed), mask[:, None, :])
        x = x + self.dropout(seen)
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x
