import math

import pytest
import torch
from torch.nn import functional as F

from seq2see.attention import Additive, Attention, Concat, Dot, General, ScaledDot, Scorer, mask_from_lengths

Q, M, A = 7, 5, 3


def scorers() -> dict[str, Scorer]:
    return {
        "additive": Additive(query_size=Q, memory_size=M, attention_size=A),
        "concat": Concat(query_size=Q, memory_size=M, attention_size=A),
        "general": General(query_size=Q, memory_size=M),
        "scaled_dot": ScaledDot(query_size=Q, memory_size=M, attention_size=A),
    }


def test_concat_is_additive_with_its_matrix_in_two() -> None:
    concat, additive = scorers()["concat"], scorers()["additive"]
    assert isinstance(concat, Concat)
    assert isinstance(additive, Additive)
    with torch.no_grad():
        additive.key_projection.weight.copy_(concat.projection.weight[:, :M])
        additive.query_projection.weight.copy_(concat.projection.weight[:, M:])
        additive.key_projection.bias.copy_(concat.projection.bias)
        additive.v.copy_(concat.v)
    query, values = torch.randn(2, Q), torch.randn(2, 4, M)
    torch.testing.assert_close(
        concat.energy(query, concat.project(values)), additive.energy(query, additive.project(values))
    )


def test_hand_worked_dot_and_general() -> None:
    values = torch.tensor([[[1.0, 2.0], [-1.0, 0.5]]])
    assert Dot().energy(torch.tensor([[3.0, -2.0]]), values).tolist() == [[-1.0, -4.0]]
    general = General(query_size=1, memory_size=2)
    with torch.no_grad():
        general.key_projection.weight.copy_(torch.tensor([[2.0, -4.0]]))
    # W h = 2·1 − 4·2 = −6 and 2·(−1) − 4·0.5 = −4
    assert general.energy(torch.tensor([[0.5]]), general.project(values)).tolist() == [[-3.0, -2.0]]


def test_scaled_dot_is_that_of_torch() -> None:
    scorer = ScaledDot(query_size=Q, memory_size=M, attention_size=A)
    query, values = torch.randn(2, Q), torch.randn(2, 4, M)
    mask = mask_from_lengths(torch.tensor([4, 2]), 4)
    context, _ = Attention(scorer=scorer)(query, scorer.project(values), values, mask)
    expected = F.scaled_dot_product_attention(
        scorer.query_projection(query)[:, None], scorer.key_projection(values), values, attn_mask=mask[:, None]
    )
    torch.testing.assert_close(context, expected.squeeze(1))
    assert scorer.scale == pytest.approx(1 / math.sqrt(A))


@pytest.mark.parametrize("name", scorers())
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    scorer = scorers()[name].double()
    query = torch.randn(2, Q, dtype=torch.float64, requires_grad=True)
    values = torch.randn(2, 4, M, dtype=torch.float64, requires_grad=True)

    def energy(query: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        return scorer.energy(query, scorer.project(values))

    assert torch.autograd.gradcheck(energy, (query, values))
