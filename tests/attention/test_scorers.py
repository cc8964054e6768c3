import math

import pytest
import torch
from torch.nn import functional as F

from seq2see.attention import (
    Additive,
    Carry,
    Concat,
    Coverage,
    Dot,
    General,
    LocationAware,
    ScaledDot,
    Scorer,
    SingleHead,
    Softmax,
    mask_from_lengths,
)
from tests.attention.carries import first_carry

Q, M, A = 7, 5, 3


def scorers() -> dict[str, Scorer]:
    return {
        "additive": Additive(query_size=Q, memory_size=M, attention_size=A),
        "concat": Concat(query_size=Q, memory_size=M, attention_size=A),
        "general": General(query_size=Q, memory_size=M),
        "scaled_dot": ScaledDot(query_size=Q, memory_size=M, attention_size=A),
        "location_aware": LocationAware(query_size=Q, memory_size=M, attention_size=A, num_filters=2, width=3),
        "coverage": Coverage(query_size=Q, memory_size=M, attention_size=A),
    }


def test_hand_worked_additive() -> None:
    scorer = Additive(query_size=2, memory_size=1, attention_size=2)
    with torch.no_grad():
        scorer.query_projection.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
        scorer.key_projection.weight.copy_(torch.tensor([[3.0], [-1.0]]))
        scorer.key_projection.bias.copy_(torch.tensor([0.5, 0.25]))
        scorer.v.copy_(torch.tensor([2.0, -1.0]))
    keys = scorer.project(torch.tensor([[[1.0], [-2.0]]]))
    energy = scorer.energy(torch.tensor([[0.1, 0.2]]), keys, first_carry(1, 2))
    # position 1: W_s s = (0.1, 0.4); W_h h + b = (3.5, -0.75); position 2: W_h h + b = (-5.5, 2.25)
    expected = [
        2.0 * math.tanh(0.1 + 3.5) - math.tanh(0.4 - 0.75),
        2.0 * math.tanh(0.1 - 5.5) - math.tanh(0.4 + 2.25),
    ]
    torch.testing.assert_close(energy, torch.tensor([expected]))


def test_concat_is_additive_with_its_matrix_in_two() -> None:
    concat, additive = scorers()["concat"], scorers()["additive"]
    assert isinstance(concat, Concat)
    assert isinstance(additive, Additive)
    with torch.no_grad():
        additive.key_projection.weight.copy_(concat.projection.weight[:, :M])
        additive.query_projection.weight.copy_(concat.projection.weight[:, M:])
        additive.key_projection.bias.copy_(concat.projection.bias)
        additive.v.copy_(concat.v)
    query, states, carry = torch.randn(2, Q), torch.randn(2, 4, M), first_carry(2, 4)
    torch.testing.assert_close(
        concat.energy(query, concat.project(states), carry), additive.energy(query, additive.project(states), carry)
    )


def test_hand_worked_dot_and_general() -> None:
    states, carry = torch.tensor([[[1.0, 2.0], [-1.0, 0.5]]]), first_carry(1, 2)
    assert Dot().energy(torch.tensor([[3.0, -2.0]]), states, carry).tolist() == [[-1.0, -4.0]]
    general = General(query_size=1, memory_size=2)
    with torch.no_grad():
        general.key_projection.weight.copy_(torch.tensor([[2.0, -4.0]]))
    # W h = 2·1 − 4·2 = −6 and 2·(−1) − 4·0.5 = −4
    assert general.energy(torch.tensor([[0.5]]), general.project(states), carry).tolist() == [[-3.0, -2.0]]


def test_scaled_dot_is_that_of_torch() -> None:
    scorer = ScaledDot(query_size=Q, memory_size=M, attention_size=A)
    query, states = torch.randn(2, Q), torch.randn(2, 4, M)
    mask = mask_from_lengths(torch.tensor([4, 2]), 4)
    attention = SingleHead(scorer=scorer, normaliser=Softmax(), memory_size=M)
    carry = Carry.first(mask, torch.float32)
    state = {"keys": scorer.project(states), "values": states, "mask": mask, **carry._asdict()}
    expected = F.scaled_dot_product_attention(
        scorer.query_projection(query)[:, None], scorer.key_projection(states), states, attn_mask=mask[:, None]
    )
    torch.testing.assert_close(attention(query, state).context, expected.squeeze(1))
    assert scorer.scale == pytest.approx(1 / math.sqrt(A))


def test_hand_worked_location_aware() -> None:
    scorer = LocationAware(query_size=1, memory_size=1, attention_size=1, num_filters=1, width=3)
    with torch.no_grad():
        scorer.query_projection.weight.fill_(1.0)
        scorer.key_projection.weight.fill_(1.0)
        scorer.key_projection.bias.zero_()
        scorer.convolution.weight.copy_(torch.tensor([[[1.0, 2.0, 4.0]]]))
        scorer.location_projection.weight.fill_(0.5)
        scorer.v.fill_(3.0)
    carry = Carry(previous=torch.tensor([[0.0, 1.0, 0.0]]), coverage=torch.zeros(1, 3))
    energy = scorer.energy(torch.tensor([[0.25]]), scorer.project(torch.zeros(1, 3, 1)), carry)
    # a filter that sees (left, own, right): position 1 has the weight on its right, 4; position 2 2; position 3 1
    expected = [3 * math.tanh(0.25 + 0.5 * filtered) for filtered in (4.0, 2.0, 1.0)]
    torch.testing.assert_close(energy, torch.tensor([expected]))


def test_hand_worked_coverage() -> None:
    scorer = Coverage(query_size=1, memory_size=1, attention_size=1)
    with torch.no_grad():
        scorer.query_projection.weight.fill_(1.0)
        scorer.key_projection.weight.fill_(1.0)
        scorer.key_projection.bias.fill_(0.5)
        scorer.coverage_projection.weight.fill_(-2.0)
        scorer.v.fill_(1.0)
    carry = first_carry(1, 2).after(torch.tensor([[0.75, 0.25]])).after(torch.tensor([[0.5, 0.5]]))
    energy = scorer.energy(torch.tensor([[1.0]]), scorer.project(torch.zeros(1, 2, 1)), carry)
    torch.testing.assert_close(energy, torch.tensor([[math.tanh(1.5 - 2.5), math.tanh(1.5 - 1.5)]]))


@pytest.mark.parametrize("name", scorers())
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    scorer = scorers()[name].double()
    query = torch.randn(2, Q, dtype=torch.float64, requires_grad=True)
    states = torch.randn(2, 4, M, dtype=torch.float64, requires_grad=True)
    previous = torch.rand(2, 4, dtype=torch.float64, requires_grad=True)

    def energy(query: torch.Tensor, states: torch.Tensor, previous: torch.Tensor) -> torch.Tensor:
        return scorer.energy(query, scorer.project(states), Carry(previous, 2.0 * previous))

    assert torch.autograd.gradcheck(energy, (query, states, previous))
