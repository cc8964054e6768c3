import torch
from torch.nn import functional as F

from seq2see.attention import Additive, Attention, Scorer, mask_from_lengths


class DotForTest(Scorer):
    """q · h, so that torch's own attention says what context and weights must be."""

    def project(self, values: torch.Tensor) -> torch.Tensor:
        return values

    def energy(self, query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        return (keys @ query[:, :, None]).squeeze(2)


def test_context_is_that_of_torch() -> None:
    values, query = torch.randn(3, 5, 7), torch.randn(3, 7)
    mask = mask_from_lengths(torch.tensor([5, 2, 1]), 5)
    context, _ = Attention(scorer=DotForTest())(query, values, values, mask)
    expected = F.scaled_dot_product_attention(query[:, None], values, values, attn_mask=mask[:, None], scale=1.0)
    torch.testing.assert_close(context, expected.squeeze(1))


def test_weights_are_a_distribution_over_real_positions() -> None:
    attention = Attention(scorer=Additive(query_size=3, memory_size=5, attention_size=7))
    values, mask = torch.randn(4, 6, 5), mask_from_lengths(torch.tensor([6, 1, 3, 2]), 6)
    weights = attention(torch.randn(4, 3), attention.project(values), values, mask).weights
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(4))
    assert (weights >= 0).all()
    assert (weights[~mask] == 0.0).all()
