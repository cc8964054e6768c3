import numpy as np
import pytest

from seq2see.ensemble import Ensemble
from seq2see.errors import ConfigError
from seq2see.inference import Translator
from seq2see.shown_heads import ShownHeads
from tests.small import small_translator

TRANSFORMER = [
    "model.embedding_size=8",
    "model.decoder.hidden_size=8",
    "model.decoder.type=transformer",
    "model.decoder.num_layers=2",
    "model.attention.num_heads=2",
]
TWO_HEADS = ["model.attention.num_heads=2", "model.attention.attention_size=6"]


def shown(translator: Translator, **settings: int) -> Translator:
    return translator.with_search(beam_size=3, **settings)


@pytest.mark.parametrize(("settings", "num_layers"), [(TRANSFORMER, 2), (TWO_HEADS, 1)])
def test_every_head_alone_has_the_mean_that_is_shown_by_default(settings: list[str], num_layers: int) -> None:
    translator = small_translator(*settings)
    every = [
        shown(translator, attention_layer=layer, attention_head=head)
        for layer in range(1, num_layers + 1)
        for head in (1, 2)
    ]
    whole = shown(translator).translate(["abc", "fghij"])
    alone = [one.translate(["abc", "fghij"]) for one in every]
    for number, wanted in enumerate(whole):
        assert {one[number].text for one in alone} == {wanted.text}
        assert {one[number].score for one in alone} == {wanted.score}
        weights = np.stack([one[number].weights for one in alone])
        np.testing.assert_allclose(weights.mean(axis=0), wanted.weights, atol=1e-6)
        assert abs(weights - wanted.weights).max() > 0.01
    forced = [one.align("abc", "dbe").weights for one in every]
    np.testing.assert_allclose(np.mean(forced, axis=0), translator.align("abc", "dbe").weights, atol=1e-6)


def test_a_layer_is_the_mean_of_its_heads_and_a_head_the_mean_of_its_layers() -> None:
    translator = small_translator(*TRANSFORMER, spread=3.0)

    def weights(**settings: int) -> np.ndarray:
        return shown(translator, **settings).align("abc", "dbe").weights

    heads = [weights(attention_layer=2, attention_head=head) for head in (1, 2)]
    np.testing.assert_allclose(np.mean(heads, axis=0), weights(attention_layer=2), atol=1e-6)
    layers = [weights(attention_layer=layer, attention_head=1) for layer in (1, 2)]
    np.testing.assert_allclose(np.mean(layers, axis=0), weights(attention_head=1), atol=1e-6)


def test_models_together_show_the_chosen_heads_of_each() -> None:
    one, other = (small_translator(*TRANSFORMER, seed=seed, spread=3.0) for seed in (1, 2))
    together = Translator(one.bundle, [other.bundle]).with_search(attention_layer=1, attention_head=2)
    assert isinstance(together.together, Ensemble)
    assert all(isinstance(model, ShownHeads) for model in together.together.models)
    alone = [each.with_search(attention_layer=1, attention_head=2).align("abc", "de").weights for each in (one, other)]
    np.testing.assert_allclose(together.align("abc", "de").weights, np.mean(alone, axis=0), atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "wish", "fault"),
    [
        (TRANSFORMER, {"attention_layer": 3}, r"search\.attention_layer is 3, but a model has 2"),
        (TRANSFORMER, {"attention_head": 3}, r"search\.attention_head is 3, but a model has 2"),
        ([], {"attention_layer": 2}, r"search\.attention_layer is 2, but a model has 1"),
    ],
)
def test_what_is_not_there_is_refused(settings: list[str], wish: dict[str, int], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        small_translator(*settings).with_search(**wish)
