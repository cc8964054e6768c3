"""Sizes and epochs by the number of pairs."""

import pytest

from seq2see.config import Config, left_open, load_config, replace
from seq2see.training.sizes import SIZES, choose_epochs, choose_sizes


def sizes(config: Config) -> list[int]:
    model = config.model
    return [
        model.embedding_size,
        model.encoder.hidden_size,
        model.decoder.hidden_size,
        model.attention.attention_size,
    ]


@pytest.mark.parametrize(
    ("num_pairs", "expected"),
    [(700, [128] * 4), (1_999, [128] * 4), (2_000, [256] * 4), (19_999, [256] * 4), (20_000, [256, 256, 512, 256])],
)
def test_sizes_follow_the_number_of_pairs(num_pairs: int, expected: list[int]) -> None:
    config, reasons = choose_sizes(load_config(None, ["tokens.target.type=bpe"]), num_pairs)
    assert sizes(config) == expected
    assert len(reasons) == sum(size != 256 for size in expected)
    assert all(f"({num_pairs:,} pairs)" in reason for reason in reasons)


@pytest.mark.parametrize("key", SIZES)
def test_nothing_is_chosen_where_a_size_is_given(key: str) -> None:
    config = load_config(None, [f"{key}=64"])
    assert choose_sizes(config, 700) == (config, [])


@pytest.mark.parametrize(
    "settings",
    [
        ["tokens.target.type=char"],
        ["tokens.target.type=bpe", "training.minutes=6"],
        ["tokens.target.type=bpe", "model.encoder.type=transformer", "model.decoder.type=transformer"],
        ["tokens.target.type=bpe", "model.decoder.first_state=last", "model.encoder.bidirectional=false"],
        ["tokens.target.type=bpe", "model.attention.scorer=dot", "model.encoder.bidirectional=false"],
        ["tokens.target.type=bpe", "model.tie_output=true", "model.decoder.output=linear"],
    ],
)
def test_a_large_decoder_is_for_sentences_with_time_enough(settings: list[str]) -> None:
    assert choose_sizes(load_config(None, settings), 50_000).reasons == []


@pytest.mark.parametrize(
    ("num_pairs", "rows", "epochs"),
    [(30, 32, 100), (700, 32, 81), (3_600, 32, 36), (14_400, 64, 36), (2_000_000, 64, 3), (10_000_000, 64, 3)],
)
def test_updates_grow_with_the_square_root_of_the_pairs(num_pairs: int, rows: int, epochs: int) -> None:
    # 4,000 updates for 3,600 pairs: sqrt(700 / 3,600) of them are 1,764, each of 32 pairs, so 80.6 passes over 700
    config, reasons = choose_epochs(Config(), num_pairs, rows=rows)
    assert config.training.max_epochs == epochs
    assert reasons == [f"training.max_epochs = {epochs} ({num_pairs:,} pairs, about {rows} in a batch)"]


@pytest.mark.parametrize("setting", ["max_epochs=30", "max_updates=10", "minutes=1"])
def test_what_says_when_a_run_ends_is_kept(setting: str) -> None:
    config = load_config(None, [f"training.{setting}"])
    assert choose_epochs(config, 700, rows=32) == (config, [])


def test_what_is_open_stays_open_until_it_is_chosen() -> None:
    config = replace(load_config(None, ["model.dropout=0.3"]), {"training.seed": 3})
    assert not left_open(config, "model.dropout")
    assert not left_open(config, "training.seed")
    assert left_open(config, "model.encoder.hidden_size")
    assert not left_open(replace(config, {"model.encoder.hidden_size": 256}), "model.encoder.hidden_size")
