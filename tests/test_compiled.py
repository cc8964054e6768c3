"""What is compiled gives what the operations of torch give, which are exact in float64."""

import math
import sys
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from seq2see import linear_cross_entropy as losses
from seq2see.compiled import add_, cross_entropy_, dropped, usable
from seq2see.compiled.usable import is_there
from seq2see.recurrence import AdditiveEnergy, LSTMGates
from seq2see.recurrence.energy import Compared, LookGradient, Sums

needs_compiled = pytest.mark.skipif(not is_there(), reason="numba or GNU's OpenMP is not there")
LENGTHS = (5, 1, 3, 0, 5, 2, 4)


@pytest.fixture(params=[1, 3], ids=["one-thread", "three-threads"], autouse=True)
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def normal(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def look(tensors: dict[str, Tensor]) -> list[Tensor]:
    """Weights, context, and all gradients of a look."""
    energy, size = AdditiveEnergy(), tensors["v"].shape[0]
    mask = torch.arange(5) < torch.tensor(LENGTHS)[:, None]
    query = tensors["product"][:, -size:]  # a part of each row, as in the recurrence
    compared = Compared(query, energy.prepared(tensors["keys"]), tensors["v"])
    looked = energy.look(compared, tensors["values"], mask)
    sums = Sums(torch.zeros_like(compared.keys), torch.zeros_like(tensors["v"]))
    gradient = LookGradient(tensors["of_weights"], tensors["of_context"])
    of_query = energy.look_back(gradient, looked.weights, looked.hidden, compared, tensors["values"], sums)
    assert sums.of_v is not None
    return [looked.weights, looked.context, of_query, sums.of_v, energy.of_keys(sums, tensors["v"])]


def given_to_look() -> dict[str, Tensor]:
    shapes = {"product": (7, 70), "keys": (7, 5, 33), "values": (7, 5, 20), "v": (33,)}
    shapes |= {"of_weights": (7, 5), "of_context": (7, 20)}
    return {name: normal(*shape, seed=seed) for seed, (name, shape) in enumerate(shapes.items())}


@needs_compiled
def test_a_look_and_its_gradients() -> None:
    given = given_to_look()
    assert usable(given["keys"].float())
    for ours, exact in zip(look({name: x.float() for name, x in given.items()}), look(given), strict=True):
        torch.testing.assert_close(ours.double(), exact, rtol=1e-5, atol=2e-6)


@needs_compiled
def test_a_query_may_be_rounded() -> None:
    given = given_to_look()
    rounded = {name: x.bfloat16() if name == "product" else x.float() for name, x in given.items()}
    exact = look({**given, "product": given["product"].bfloat16().double()})
    for ours, expected in zip(look(rounded), exact, strict=True):
        torch.testing.assert_close(ours.double(), expected, rtol=1e-5, atol=2e-6)


@needs_compiled
def test_a_row_without_a_real_position_sees_nothing() -> None:
    weights, context, of_query, *_ = look({name: x.float() for name, x in given_to_look().items()})
    row = LENGTHS.index(0)
    assert not weights[row].any()
    assert not context[row].any()
    assert not of_query[row].any()


def gates(from_input: Tensor, from_hidden: Tensor, state: Tensor) -> list[Tensor]:
    """The new state, and all gradients."""
    before = (state[0], state[1])
    after, kept = LSTMGates().forward(from_input, from_hidden, before)
    found = LSTMGates().backward((state[2], state[3]), before, kept)
    return [*after, found.from_input, found.from_hidden, *found.state]


@needs_compiled
@pytest.mark.parametrize("half", [False, True])
def test_the_gates_of_an_lstm(half: bool) -> None:
    from_input, from_hidden, state = 3.0 * normal(7, 132), normal(7, 200)[:, :132], normal(4, 7, 33)
    from_hidden = from_hidden.bfloat16().double() if half else from_hidden
    exact = gates(from_input, from_hidden, state)
    given = from_hidden.bfloat16() if half else from_hidden.float()
    for ours, expected in zip(gates(from_input.float(), given, state.float()), exact, strict=True):
        torch.testing.assert_close(ours.double(), expected, rtol=1e-5, atol=2e-6)


@needs_compiled
def test_the_largest_numbers_saturate() -> None:
    large = torch.tensor([[1e30, -1e30, 1e30, -1e30, 1e30, 1e30, 1e30, -1e30]])  # i, f, g, o of two
    (hidden, cell), _ = LSTMGates().forward(large, torch.zeros(1, 8), (torch.zeros(1, 2), torch.ones(1, 2)))
    torch.testing.assert_close(cell, torch.tensor([[2.0, 0.0]]))
    torch.testing.assert_close(hidden, torch.tensor([[math.tanh(2.0), 0.0]]))


def entropy(scores: Tensor, bias: Tensor, labels: Tensor) -> tuple[Tensor, ...]:
    """The same by torch's own functions."""
    scores, bias = scores.double().requires_grad_(), bias.double().requires_grad_()
    log_probs = (scores + bias).log_softmax(dim=-1)
    nll, uniform = -log_probs.gather(1, labels[:, None]).sum(), -log_probs.mean(dim=-1).sum()
    (0.9 * nll + 0.1 * uniform).backward()
    assert scores.grad is not None
    assert bias.grad is not None
    return nll, uniform, bias.grad, scores.grad


@needs_compiled
def test_cross_entropy_and_its_gradients() -> None:
    scores, bias = (4.0 * normal(75, 101)).bfloat16(), normal(101)
    labels = torch.arange(75)
    expected = entropy(scores, bias, labels)
    ours = (*cross_entropy_(scores, bias.float(), labels, 0.1), scores)
    for found, exact in zip(ours[:3], expected[:3], strict=True):
        torch.testing.assert_close(found.double(), exact, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(ours[3].double(), expected[3], rtol=2**-8, atol=1e-7)


@needs_compiled
def test_what_is_not_a_number_is_seen() -> None:
    scores = normal(3, 8).bfloat16()
    scores[1, 5] = torch.nan
    nll, _, _ = cross_entropy_(scores, torch.zeros(8), torch.zeros(3, dtype=torch.int64), 0.1)
    assert nll.isnan()
    (hidden, _), _ = LSTMGates().forward(torch.full((2, 8), torch.nan), torch.zeros(2, 8), (torch.ones(2, 2),) * 2)
    assert hidden.isnan().all()


@needs_compiled
@pytest.mark.parametrize("label", [-1, 8])
def test_labels_outside_the_vocabulary_are_errors(label: int) -> None:
    with pytest.raises(IndexError, match="where there are 8 scores"):
        cross_entropy_(normal(1, 8).bfloat16(), torch.zeros(8), torch.tensor([label]), 0.1)


@needs_compiled
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    given = {name: x.float() for name, x in given_to_look().items()}
    scores, bias, labels = normal(75, 101).bfloat16(), normal(101).float(), torch.arange(75)
    here = [*look(given), *cross_entropy_(scores.clone(), bias, labels, 0.1)]
    torch.set_num_threads(1)
    alone = [*look(given), *cross_entropy_(scores.clone(), bias, labels, 0.1)]
    for ours, other in zip(here, alone, strict=True):
        torch.testing.assert_close(ours, other, rtol=0.0, atol=0.0)


@needs_compiled
def test_without_it_the_loss_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    hidden, weight, bias = normal(40, 16).float(), normal(50, 16).float(), normal(50).float()
    found = []
    for can in (True, False):
        monkeypatch.setattr(losses, "usable", lambda *_, can=can: can)
        x, w, b = (tensor.clone().requires_grad_() for tensor in (hidden, weight, bias))
        loss, _ = losses.linear_cross_entropy(x, w, b, torch.arange(40), label_smoothing=0.1, reduced=True)
        loss.backward()
        found.append([loss, x.grad, w.grad, b.grad])
    for compiled, other in zip(*found, strict=True):
        torch.testing.assert_close(compiled, other, rtol=1e-2, atol=2e-2)


@pytest.mark.parametrize("tensor", [torch.zeros(2, dtype=torch.float64), torch.zeros(2, dtype=torch.bfloat16)])
def test_other_types_are_left_to_torch(tensor: Tensor) -> None:
    assert not usable(tensor)


def test_without_numba_torch_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    is_there.cache_clear()
    try:
        assert not usable(torch.zeros(2))
    finally:
        is_there.cache_clear()


@needs_compiled
def test_where_numba_does_not_work_torch_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gates", "looks", "scores"):
        monkeypatch.setitem(sys.modules, f"seq2see.compiled.{name}", None)
        monkeypatch.delattr(f"seq2see.compiled.{name}", raising=False)
    is_there.cache_clear()
    try:
        with pytest.warns(UserWarning, match="numba is installed and cannot be used"):
            assert not usable(torch.zeros(2))
    finally:
        is_there.cache_clear()


@needs_compiled
def test_tensors_without_memory_are_left_to_torch() -> None:
    with FakeTensorMode():
        (hidden, _), _ = LSTMGates().forward(torch.zeros(2, 8), torch.zeros(2, 8), (torch.ones(2, 2),) * 2)
    assert hidden.shape == (2, 2)


@needs_compiled
def test_rounded_numbers_are_added_to_sums() -> None:
    sums, added = normal(7, 33).float(), normal(7, 33, seed=2).bfloat16()
    expected = sums + added.float()
    assert add_(sums, added) is sums
    assert torch.equal(sums, expected)
    with pytest.raises(ValueError, match="of one piece"):
        add_(torch.zeros(33, 7).T, added)
    with pytest.raises(ValueError, match=r"\[7, 33\], where \[7, 32\] is wanted"):
        add_(torch.zeros(7, 32), added)


@needs_compiled
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_what_is_dropped_and_what_is_kept(dtype: torch.dtype) -> None:
    x = normal(7, 33).to(dtype)
    drawn = torch.arange(-100, 131, dtype=torch.int16).view(7, 33)
    expected = torch.where(drawn >= 4, x.float() * 1.5, 0.0).to(dtype)
    torch.testing.assert_close(dropped(x, drawn, 4, 1.5), expected, rtol=0.0, atol=0.0)
    with pytest.raises(ValueError, match=r"230 drawn numbers of torch\.int16 for 231"):
        dropped(x, drawn.flatten()[1:], 4, 1.5)


@needs_compiled
def test_shapes_that_do_not_agree_are_errors() -> None:
    with pytest.raises(ValueError, match=r"got a tensor of \[2, 8\], where \[2, 12\] is wanted"):
        LSTMGates().forward(torch.zeros(2, 8), torch.zeros(2, 8), (torch.ones(2, 3),) * 2)
    with pytest.raises(ValueError, match="of one piece"):
        cross_entropy_(normal(8, 3).bfloat16().T, torch.zeros(8), torch.zeros(3, dtype=torch.int64), 0.1)


@needs_compiled
def test_tensors_need_not_be_of_one_piece() -> None:
    given = {name: x.float() for name, x in given_to_look().items()}
    turned = {name: x.T.contiguous().T if x.ndim == 2 else x for name, x in given.items()}
    turned |= {name: given[name].transpose(0, 1).contiguous().transpose(0, 1) for name in ("keys", "values")}
    assert not turned["values"].is_contiguous()
    for ours, expected in zip(look(turned), look(given), strict=True):
        torch.testing.assert_close(ours, expected, rtol=0.0, atol=0.0)
