"""The attention of Transformer layers: many queries at once."""

from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.linear import Linear
from seq2see.masks import masked_softmax


class MultiHeadDot(nn.Module):
    r"""Scaled dot-product attention with several heads, for all positions of a sequence at once.

    .. math::
        \mathrm{head}_n = \operatorname{softmax}\Big(\frac{Q_n K_n^\top}{\sqrt{d_k}}\Big) V_n \qquad
        Q_n = X W^Q_n \quad K_n = Y W^K_n \quad V_n = Y W^V_n

    The result is :math:`[\mathrm{head}_1; \dots; \mathrm{head}_N] W^O`. :math:`X` is what looks, :math:`Y` what is
    looked at. All maps have biases but that of the keys, where one would add the same to all energies of a query.

    Args:
        size: Size H of both sides; a multiple of ``num_heads``.
        memory_size: Size M of Y.
        num_heads: N.

    References:
        Vaswani et al. 2017, §3.2 (arXiv:1706.03762).
    """

    def __init__(self, *, size: int, memory_size: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.scale = (size // num_heads) ** -0.5
        self.query_projection = Linear(size, size, stays_rounded=True)
        self.key_projection = Linear(memory_size, size, bias=False, stays_rounded=True)
        self.value_projection = Linear(memory_size, size, stays_rounded=True)
        self.output_projection = Linear(size, size)

    def keys(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B N S D"]:
        """The keys of what is looked at."""
        return self._split(self.key_projection(states))

    def values(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B N S D"]:
        """The values of what is looked at."""
        return self._split(self.value_projection(states))

    def contexts(self, values: Float[Tensor, "B N S D"]) -> Float[Tensor, "B S H"]:
        """What would be seen were all weight of all heads on one position; for every position."""
        seen: Tensor = self.output_projection(values.transpose(1, 2).flatten(2))
        return seen

    def forward(
        self,
        x: Float[Tensor, "B T H"],
        keys: Float[Tensor, "B N S D"],
        values: Float[Tensor, "B N S D"],
        mask: Bool[Tensor, "#B #T S"],
    ) -> tuple[Float[Tensor, "B T H"], Float[Tensor, "B N T S"]]:
        """Look from every position of x; return what was seen, and the weights.

        Args:
            x: What looks.
            keys: From ``keys``.
            values: From ``values``.
            mask: True where position t may look at position s.
        """
        queries = self._split(self.query_projection(x))
        energy = (queries @ keys.transpose(-2, -1).to(queries.dtype)).to(x.dtype) * self.scale
        weights = masked_softmax(energy, mask[:, None].expand_as(energy))
        seen: Tensor = self.output_projection((weights.to(values.dtype) @ values).transpose(1, 2).flatten(2))
        return seen, weights

    def _split(self, x: Float[Tensor, "B S H"]) -> Float[Tensor, "B N S D"]:
        heads: Tensor = x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
        return heads
