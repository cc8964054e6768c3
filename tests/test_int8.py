import math
from pathlib import Path

import pytest
import torch

from seq2see import int8
from seq2see.inference import Translator, load
from seq2see.int8 import Int8Linear, has_int8, with_int8
from seq2see.linear import Linear
from seq2see.training import train_on_pairs
from tests.small import small_translator
from tests.toys import reverse_pairs
from tests.training.test_run import tiny

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


pytestmark = pytest.mark.skipif(not has_int8(), reason="the processor has no products of 8-bit integers")


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
    largest = 0.02 * math.sqrt(300) * layer.weight.abs().max().item()
    assert (ours - expected).abs().sum() <= largest * ours.numel()


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
    check_search(exact, exact.with_search(precision="int8"))


def check_search(exact: Translator, rounded: Translator) -> None:
    """Outputs do not depend on neighbours, and are others' than those of the exact model, but not by much."""
    outputs, others = rounded.translate(TEXTS, beam=3), exact.translate(TEXTS, beam=3)
    assert all(one.log_prob != other.log_prob for one, other in zip(outputs, others, strict=True))
    for text, output, other in zip(TEXTS, outputs, others, strict=True):
        (alone,) = rounded.translate([text], beam=3)
        assert alone.tokens == output.tokens
        assert output.weights.shape == (len(output.tokens), len(output.source_tokens))
        if output.tokens == other.tokens:
            assert output.log_prob == pytest.approx(other.log_prob, rel=0.1, abs=0.3)


def test_ensembles_and_shown_heads_search_with_it() -> None:
    bundle = small_translator(*KINDS["transformer"]).bundle
    together = Translator(bundle, [small_translator(*KINDS["transformer"]).bundle])
    check_search(together, together.with_search(precision="int8"))
    check_search(
        Translator(bundle).with_search(attention_head=1),
        Translator(bundle).with_search(attention_head=1, precision="int8"),
    )


def test_drawing_and_required_words_work_with_it() -> None:
    rounded = small_translator("search.precision=int8")
    assert len(rounded.with_search(sample=True).translate_n_best(["abc"], n_best=4)[0]) == 4
    (found,) = rounded.translate_n_best(["abc"], required=[["b"]], beam=3)[0]
    assert "b" in found.text


def test_the_rounded_layer_hides_no_weights() -> None:
    """What makes all steps at once would multiply with them as they are."""
    assert not hasattr(Int8Linear(Linear(3, 2)), "weight")


def test_where_the_processor_has_no_such_products_search_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(int8, "has_int8", lambda: False)
    model = small_translator().model
    assert with_int8(model) is model


def test_a_run_that_searches_with_it_validates_what_it_learns(tmp_path: Path) -> None:
    """The rounded weights are not those of the beginning."""
    pairs = reverse_pairs(60)
    translator = train_on_pairs(pairs, pairs[:20], tiny("search.precision=int8"), out=tmp_path / "m")
    fresh = load(tmp_path / "m")
    sources = [pair.source for pair in pairs[:10]]
    ours, expected = translator.translate(sources), fresh.translate(sources)
    assert [one.log_prob for one in ours] == pytest.approx([one.log_prob for one in expected])
    assert ours[0].log_prob != fresh.with_search(precision="float32").translate(sources)[0].log_prob


def test_what_is_searched_with_is_rounded_and_the_model_is_not() -> None:
    exact = small_translator()
    rounded = with_int8(exact.model)
    assert any(isinstance(module, Int8Linear) for module in rounded.modules())
    assert not any(isinstance(module, Linear) for module in rounded.modules())
    assert not any(isinstance(module, Int8Linear) for module in exact.model.modules())
    scores = [one.score(["abc"], ["xy"])[0].log_prob for one in (exact, exact.with_search(precision="int8"))]
    assert scores[0] == scores[1]


def test_another_length_penalty_does_not_round_again() -> None:
    translator = small_translator().with_search(precision="int8")
    assert translator.with_search(length_penalty=0.0).searched is translator.searched
    assert translator.with_search(precision="float32").searched is translator.model
