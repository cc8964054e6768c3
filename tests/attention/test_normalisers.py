import math

import pytest
import torch

from seq2see.attention import Carry, LocalWindow, Monotonic, Normaliser, Softmax, Sparsemax, mask_from_lengths
from tests.attention.carries import first_carry

Q = 3


def normalisers() -> dict[str, Normaliser]:
    return {
        "softmax": Softmax(),
        "sparsemax": Sparsemax(),
        "local": LocalWindow(query_size=Q, half_width=2),
        "monotonic": Monotonic(noise=0.0),
        "monotonic, hard": Monotonic().eval(),
    }


def weights_of(normaliser: Normaliser, energies: list[float], carry: Carry | None = None) -> list[float]:
    mask = torch.ones(1, len(energies), dtype=torch.bool)
    carry = carry or first_carry(1, len(energies), torch.float64)
    energy = torch.tensor([energies], dtype=torch.float64)
    weights: torch.Tensor = normaliser.double()(energy, mask, torch.zeros(1, Q, dtype=torch.float64), carry)
    found: list[float] = weights[0].tolist()
    return found


def test_hand_worked_sparsemax() -> None:
    # two in the support: τ = (1.5 + 1.2 − 1) / 2 = 0.85
    assert weights_of(Sparsemax(), [1.5, 0.1, 1.2]) == pytest.approx([0.65, 0.0, 0.35])
    assert weights_of(Sparsemax(), [3.0, 1.0, 2.0]) == [1.0, 0.0, 0.0]
    assert weights_of(Sparsemax(), [0.2, 0.2]) == pytest.approx([0.5, 0.5])


def test_sparsemax_is_the_nearest_point_of_the_simplex() -> None:
    energies = torch.randn(5, dtype=torch.float64)
    found = torch.tensor(weights_of(Sparsemax(), energies.tolist()), dtype=torch.float64)
    others = torch.distributions.Dirichlet(torch.ones(5, dtype=torch.float64)).sample((2000,))
    assert ((others - energies).norm(dim=1) >= (found - energies).norm()).all()


def test_hand_worked_local_window() -> None:
    # all weights of the prediction at 0: p = (S − 1) σ(0) = 2; D = 2, so the bell is exp(−(j − 2)² / 2)
    local = LocalWindow(query_size=Q, half_width=2)
    torch.nn.init.zeros_(local.v)
    bell = [math.exp(-2.0), math.exp(-0.5), 1.0, math.exp(-0.5), math.exp(-2.0)]
    assert weights_of(local, [0.0] * 5) == pytest.approx([height / sum(bell) for height in bell])
    narrow = LocalWindow(query_size=Q, half_width=1)
    torch.nn.init.zeros_(narrow.v)
    assert [weight > 0 for weight in weights_of(narrow, [0.0] * 5)] == [False, True, True, True, False]


def test_hand_worked_monotonic_expectation() -> None:
    # p = (1/2, 1/4, 1); the step before stopped at the first with 0.4 and at the second with 0.6
    energies = [0.0, -math.log(3.0), 0.0]
    carry = Carry(torch.tensor([[0.4, 0.6, 0.0]], dtype=torch.float64), torch.zeros(1, 3, dtype=torch.float64))
    first = 0.5 * 0.4
    second = 0.25 * (0.4 * 0.5 + 0.6)
    assert weights_of(Monotonic(noise=0.0), energies, carry) == pytest.approx([first, second, 1 - first - second])


def test_hand_worked_monotonic_decisions() -> None:
    hard = Monotonic().eval()
    on_second = Carry(torch.tensor([[0.0, 1.0, 0.0, 0.0]], dtype=torch.float64), torch.zeros(1, 4).double())
    assert weights_of(hard, [5.0, -1.0, 2.0, 3.0]) == [1.0, 0.0, 0.0, 0.0]
    assert weights_of(hard, [5.0, -1.0, 2.0, 3.0], on_second) == [0.0, 0.0, 1.0, 0.0]  # never back
    assert weights_of(hard, [5.0, 1.0, 2.0, 3.0], on_second) == [0.0, 1.0, 0.0, 0.0]  # may stay
    assert weights_of(hard, [-1.0, -1.0, -1.0, -1.0]) == [0.0, 0.0, 0.0, 1.0]  # the last one stops


def test_monotonic_expectation_is_what_decisions_give_on_average() -> None:
    """Drawing each decision by its probability, many times, gives the expected weights."""
    energies, draws = torch.tensor([[-1.0, 0.5, -0.3, 0.2]]), 20_000
    expected = torch.tensor(weights_of(Monotonic(noise=0.0), energies[0].tolist()))
    drawn = torch.rand(draws, 4) < energies.sigmoid()
    decided = torch.where(drawn, 1.0, -1.0)
    carry = first_carry(draws, 4)
    weights = Monotonic().eval()(decided, torch.ones(draws, 4, dtype=torch.bool), torch.zeros(draws, Q), carry)
    torch.testing.assert_close(weights.mean(dim=0), expected.float(), rtol=0, atol=0.02)


@pytest.mark.parametrize("name", normalisers())
def test_weights_are_a_distribution_whatever_the_energies(name: str) -> None:
    normaliser = normalisers()[name]
    mask = mask_from_lengths(torch.tensor([9, 1, 4, 2]), 9)
    carry = Carry.first(mask, torch.float32)
    for scale in (1.0, 100.0, 1e6):
        for _ in range(5):
            energy = scale * torch.randn(4, 9)
            weights = normaliser(energy, mask, torch.randn(4, Q), carry)
            assert (weights >= 0.0).all()
            assert (weights[~mask] == 0.0).all()
            torch.testing.assert_close(weights.sum(dim=1), torch.ones(4))
            changed = energy.masked_fill(~mask, 1e9)
            torch.testing.assert_close(normaliser(changed, mask, torch.zeros(4, Q), carry).sum(dim=1), torch.ones(4))
            carry = carry.after(weights)


@pytest.mark.parametrize("name", [name for name in normalisers() if "hard" not in name])
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    normaliser = normalisers()[name].double()
    mask = mask_from_lengths(torch.tensor([5, 3]), 5)
    energy = torch.randn(2, 5, dtype=torch.float64, requires_grad=True)
    query = torch.randn(2, Q, dtype=torch.float64, requires_grad=True)
    previous = (torch.rand(2, 5, dtype=torch.float64) * mask).requires_grad_()

    def weights(energy: torch.Tensor, query: torch.Tensor, previous: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = normaliser(energy, mask, query, Carry(previous, previous))
        return found

    assert torch.autograd.gradcheck(weights, (energy, query, previous))
