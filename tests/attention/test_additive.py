import math

import torch

from seq2see.attention import Additive


def test_hand_worked_energies() -> None:
    scorer = Additive(query_size=2, memory_size=1, attention_size=2)
    with torch.no_grad():
        scorer.query_projection.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 2.0]]))
        scorer.key_projection.weight.copy_(torch.tensor([[3.0], [-1.0]]))
        scorer.key_projection.bias.copy_(torch.tensor([0.5, 0.25]))
        scorer.v.copy_(torch.tensor([2.0, -1.0]))
    energy = scorer.energy(torch.tensor([[0.1, 0.2]]), scorer.project(torch.tensor([[[1.0], [-2.0]]])))
    # position 1: W_s s = (0.1, 0.4); W_h h + b = (3.5, -0.75); position 2: W_h h + b = (-5.5, 2.25)
    expected = [
        2.0 * math.tanh(0.1 + 3.5) - math.tanh(0.4 - 0.75),
        2.0 * math.tanh(0.1 - 5.5) - math.tanh(0.4 + 2.25),
    ]
    torch.testing.assert_close(energy, torch.tensor([expected]))


def test_gradients_are_those_of_finite_differences() -> None:
    scorer = Additive(query_size=3, memory_size=5, attention_size=7).double()
    query = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    values = torch.randn(2, 4, 5, dtype=torch.float64, requires_grad=True)

    def energy(query: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        return scorer.energy(query, scorer.project(values))

    assert torch.autograd.gradcheck(energy, (query, values))
