import math

import pytest
import torch

from seq2see.int8 import Int8Linear, with_int8
from seq2see.linear import Linear
from tests.small import small_translator

KINDS = {
    "bahdanau": [],
    "luong": ["model.decoder.order=luong"],
    "copies": ["model.decoder.copies=true", "model.attention.scorer=location_aware"],
    "transformer": [
        "model.embedding_size=8",
        "model.encoder.hidden_size=8",
        "model.encoder.type=transformer",
        "model.decoder.hidden_size=8",
        "model.decoder.type=transformer",
    ],
}
TEXTS = ["abcdefgh", "q", "xyab", "hello", "mnop"]


def test_hand_worked() -> None:
    layer = Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.27, -0.254], [0.0, 12.7]]))
        layer.bias.copy_(torch.tensor([1.0, 2.0]))
    # scales 0.01 and 0.1: weights 127, -25 and 0, 127; the input's scale is 0.02: 127, 64
    output = Int8Linear(layer)(torch.tensor([[2.54, 1.28]]))
    expected = [[0.02 * 0.01 * (127 * 127 - 64 * 25) + 1.0, 0.02 * 0.1 * 64 * 127 + 2.0]]
    torch.testing.assert_close(output, torch.tensor(expected))


@pytest.mark.parametrize("rows", [(), (1,), (3, 5), (0,)])
def test_is_near_the_layer_it_rounds(rows: tuple[int, ...]) -> None:
    layer, x = Linear(300, 40), torch.randn(*rows, 300)
    ours, expected = Int8Linear(layer)(x), layer(x).detach()
    assert ours.shape == expected.shape
    # each of 300 products has a rounding error of at most half a step on either side
    assert (ours - expected).abs().sum() <= 0.02 * math.sqrt(300) * layer.weight.abs().max().item() * max(
        1, ours.numel()
    )


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    layer, x = Int8Linear(Linear(64, 50)), torch.randn(9, 64) * torch.logspace(-3, 3, 9)[:, None]
    together = layer(x)
    for row, alone in zip(together, x, strict=True):
        assert torch.equal(layer(alone[None])[0], row)


def test_zeros_stay_zeros_and_nothing_is_divided_by_zero() -> None:
    layer = Linear(3, 2, bias=False)
    torch.nn.init.zeros_(layer.weight)
    assert torch.equal(Int8Linear(layer)(torch.randn(4, 3)), torch.zeros(4, 2))
    assert torch.equal(Int8Linear(Linear(3, 2, bias=False))(torch.zeros(4, 3)), torch.zeros(4, 2))


@pytest.mark.parametrize("settings", KINDS.values(), ids=KINDS)
def test_every_kind_of_model_searches_with_it(settings: list[str]) -> None:
    exact = small_translator(*settings)
    rounded = exact.with_search(precision="int8")
    outputs = rounded.translate(TEXTS, beam=3)
    for text, output, other in zip(TEXTS, outputs, exact.translate(TEXTS, beam=3), strict=True):
        (alone,) = rounded.translate([text], beam=3)
        assert alone.tokens == output.tokens
        assert output.weights.shape == (len(output.tokens), len(output.source_tokens))
        if output.tokens == other.tokens:
            assert output.log_prob == pytest.approx(other.log_prob, rel=0.1, abs=0.3)


def test_what_is_searched_with_is_rounded_and_the_model_is_not() -> None:
    exact = small_translator()
    rounded = with_int8(exact.model)
    assert any(isinstance(module, Int8Linear) for module in rounded.modules())
    assert not any(isinstance(module, Linear) for module in rounded.modules())
    assert not any(isinstance(module, Int8Linear) for module in exact.model.modules())
    scores = [one.score(["abc"], ["xy"])[0].log_prob for one in (exact, exact.with_search(precision="int8"))]
    assert scores[0] == scores[1]
