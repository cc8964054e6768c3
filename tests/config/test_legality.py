"""Choices that do not go together are refused with the reason."""

import pytest

from seq2see.config import load_config
from seq2see.errors import ConfigError

REFUSED = [
    (["attention.scorer=dot"], r"decoder\.hidden_size is 256 and an encoder state has 512 units; make them equal"),
    (["decoder.first_state=last"], r"an encoder state has 512 units; make them equal, or take bridge"),
    (["decoder.input_feeding=false"], r"in Bahdanau's order the context always enters the cell"),
    (["decoder.order=luong", "decoder.input_feeding=false", "decoder.fusion=project"], r"there is nothing to fuse"),
    (["attention.scorer=none", "attention.num_heads=2"], r"nothing is attended to, so num_heads=2 has no meaning"),
    (["attention.scorer=none", "decoder.copies=true"], r"nothing is attended to, so decoder\.copies has no meaning"),
    (["attention.scorer=none", "attention.normaliser=local"], r"so normaliser=local has no meaning"),
    (["attention.scorer=none", "encoder.tags=attended"], r"so encoder\.tags=attended has no meaning"),
    (["attention.num_heads=3"], r"num_heads is 3, but the attention\.attention_size of 256 units is no multiple"),
    (
        ["attention.scorer=dot", "attention.num_heads=2", "encoder.hidden_size=128"],
        r"dot, which has no weights: all heads would look at the same; take general",
    ),
    (["encoder.tags=attended", "attention.normaliser=monotonic"], r"tags have no place in the order of the source"),
    (["encoder.tags=attended", "attention.scorer=location_aware"], r"tags have no place in the order of the source"),
    (["decoder.type=transformer", "decoder.order=luong"], r"decoder\.order is luong, which belongs to type rnn"),
    (["encoder.type=transformer", "encoder.cell=gru"], r"encoder\.cell is gru, which belongs to type rnn"),
    (["decoder.type=transformer", "attention.scorer=dot"], r"whose layers have scaled_dot attention with softmax"),
    (["encoder.type=transformer", "embedding_size=128"], r"hidden_size is 256 and model\.embedding_size 128; .* equal"),
    (["encoder.type=transformer", "encoder.num_heads=3"], r"wanted a multiple of its num_heads, 3"),
    (["decoder.type=transformer", "attention.num_heads=3"], r"wanted a multiple of model\.attention\.num_heads, 3"),
    (["tie_output=true", "decoder.output=linear", "embedding_size=128"], r"embeddings have 128 units and the state"),
]


@pytest.mark.parametrize(("settings", "reason"), REFUSED)
def test_refused_with_the_reason(settings: list[str], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        load_config(None, [f"model.{setting}" for setting in settings])


def test_coverage_wants_something_to_cover() -> None:
    with pytest.raises(ConfigError, match=r"so training\.coverage_loss and .* have no meaning"):
        load_config(None, ["model.attention.scorer=none", "training.coverage_loss=1.0"])


def test_sharing_embeddings_wants_one_vocabulary() -> None:
    with pytest.raises(ConfigError, match=r"vocabularies of their own; set tokens\.shared=true"):
        load_config(None, ["model.share_embeddings=true"])
    load_config(None, ["model.share_embeddings=true", "tokens.shared=true"])


@pytest.mark.parametrize(
    "settings",
    [
        ["decoder.type=transformer"],
        ["encoder.type=transformer"],
        ["attention.scorer=none"],
        ["attention.scorer=location_aware"],
        ["attention.normaliser=monotonic"],
        ["attention.num_heads=4"],
        ["decoder.order=luong"],
        ["decoder.copies=true"],
        ["encoder.tags=attended"],
        ["tie_output=true"],
    ],
)
def test_one_line_is_enough(settings: list[str]) -> None:
    load_config(None, [f"model.{setting}" for setting in settings])


@pytest.mark.parametrize("setting", ["tokens.shared=true", "model.decoder.copies=true"])
def test_sources_in_parts_are_not_cut_as_targets_are(setting: str) -> None:
    with pytest.raises(ConfigError, match=r"decomposed is true, but .* wants sources cut as targets are"):
        load_config(None, ["tokens.source.decomposed=true", setting])
