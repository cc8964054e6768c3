"""One layer of a Transformer decoder."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention import MultiHeadDot
from seq2see.layers import Dropout, FeedForward


class Cache(NamedTuple):
    """Keys and values of the target tokens that a layer has read."""

    keys: Float[Tensor, "B N P D"]
    values: Float[Tensor, "B N P D"]

    def with_more(self, keys: Float[Tensor, "B N T D"], values: Float[Tensor, "B N T D"]) -> "Cache":
        """Those of further tokens behind them."""
        if self.keys.shape[2] == 0:
            return Cache(keys, values)
        return Cache(torch.cat([self.keys, keys], dim=2), torch.cat([self.values, values], dim=2))


class TransformerLayerOutput(NamedTuple):
    """What a layer gives.

    Args:
        x: The new x.
        context: What it saw of the memory.
        head_weights: Weights on the memory.
        past: All that it has now read.
    """

    x: Float[Tensor, "B T H"]
    context: Float[Tensor, "B T H"]
    head_weights: Float[Tensor, "B N T S"]
    past: Cache


class TransformerDecoderLayer(nn.Module):
    r"""Look at the target so far, look at the memory, then a network; each is added to what was there.

    .. math::
        x &\leftarrow x + \mathrm{attention}(\mathrm{LN}(x), \text{target so far}) \\
        x &\leftarrow x + \mathrm{attention}(\mathrm{LN}(x), h_1 \dots h_S) \\
        x &\leftarrow x + \mathrm{FFN}(\mathrm{LN}(x))

    Args:
        size: Size of x.
        memory_size: Size of the memory.
        num_heads: Heads of both attentions.
        dropout: Share of what is added that is zeroed in training.

    References:
        Vaswani et al. 2017, §3.1 (arXiv:1706.03762); Xiong et al. 2020 for the norm in front (arXiv:2002.04745).
    """

    def __init__(self, *, size: int, memory_size: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.self_attention_norm = nn.LayerNorm(size)
        self.self_attention = MultiHeadDot(size=size, memory_size=size, num_heads=num_heads)
        self.attention_norm = nn.LayerNorm(size)
        self.attention = MultiHeadDot(size=size, memory_size=memory_size, num_heads=num_heads)
        self.feed_forward_norm = nn.LayerNorm(size)
        self.feed_forward = FeedForward(size=size, inner_size=4 * size, dropout=dropout)
        self.dropout = Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "B T H"],
        past: Cache,
        past_mask: Bool[Tensor, "T P"],
        keys: Float[Tensor, "B N S D"],
        values: Float[Tensor, "B N S D"],
        mask: Bool[Tensor, "B S"],
    ) -> TransformerLayerOutput:
        """Read T more target tokens.

        Args:
            x: Of the new tokens.
            past: Of the tokens read before.
            past_mask: True where new token t may look at token p, over past and new ones.
            keys: Of the memory.
            values: Of the memory.
            mask: True where a position of the memory is real.
        """
        x, past = self.read_target(x, past, past_mask)
        context, head_weights = self.attention(self.attention_norm(x), keys, values, mask[:, None, :])
        return TransformerLayerOutput(self.add(x, context), context, head_weights, past)

    def read_target(
        self, x: Float[Tensor, "B T H"], past: Cache, past_mask: Bool[Tensor, "T P"]
    ) -> tuple[Float[Tensor, "B T H"], Cache]:
        """Look at the target so far; the arguments are those of ``forward``."""
        normed = self.self_attention_norm(x)
        past = past.with_more(self.self_attention.keys(normed), self.self_attention.values(normed))
        seen, _ = self.self_attention(normed, past.keys, past.values, past_mask[None])
        return x + self.dropout(seen), past

    def add(self, x: Float[Tensor, "*batch H"], context: Float[Tensor, "*batch H"]) -> Float[Tensor, "*batch H"]:
        """Add what was seen of the memory, and what the network makes of it."""
        x = x + self.dropout(context)
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x
