"""Choosing from the number of pairs how large a model is and how long it learns."""

from typing import Any

from seq2see.config import Config, left_open, replace
from seq2see.training.choice import Choice

SIZES = (
    "model.embedding_size",
    "model.encoder.hidden_size",
    "model.decoder.hidden_size",
    "model.attention.attention_size",
)
FEW_PAIRS, FEW_PAIRS_UNITS = 2_000, 128
MANY_PAIRS, MANY_PAIRS_UNITS = 20_000, 512
UPDATES, PAIRS = 4_000, 3_600
"""So many updates for so many pairs; for others the updates grow with the square root of the pairs."""
FEWEST_EPOCHS, MOST_EPOCHS = 3, 100


def choose_sizes(config: Config, num_pairs: int) -> Choice:
    """Choose the units of a model of which none are given.

    Args:
        config: With token types.
        num_pairs: Training pairs.
    """
    if not all(left_open(config, key) for key in SIZES):
        return Choice(config, [])
    values: dict[str, Any] = {}
    if num_pairs < FEW_PAIRS:
        values = dict.fromkeys(SIZES, FEW_PAIRS_UNITS)
    elif num_pairs >= MANY_PAIRS and _may_differ(config):
        values = {"model.decoder.hidden_size": MANY_PAIRS_UNITS}
    reasons = [f"{key} = {value} ({num_pairs:,} pairs)" for key, value in values.items()]
    return Choice(replace(config, values), reasons)


def _may_differ(config: Config) -> bool:
    """Whether the decoder can have other sizes than the rest, and time enough to gain from it."""
    model = config.model
    recurrent = model.decoder.type == "rnn" and model.decoder.first_state != "last"
    if model.attention.scorer == "dot" or (model.tie_output and model.decoder.output == "linear"):
        return False
    return recurrent and config.training.minutes is None and config.tokens.target.type in ("bpe", "word")


def choose_epochs(config: Config, num_pairs: int, *, rows: int) -> Choice:
    """Choose the number of epochs where nothing says when the run ends.

    Args:
        config: May leave it open.
        num_pairs: Training pairs.
        rows: Pairs of a batch, about.
    """
    settings = config.training
    if settings.minutes is not None or settings.max_updates is not None or not left_open(config, "training.max_epochs"):
        return Choice(config, [])
    updates = UPDATES * (num_pairs / PAIRS) ** 0.5
    epochs = min(MOST_EPOCHS, max(FEWEST_EPOCHS, round(updates * rows / num_pairs)))
    reason = f"training.max_epochs = {epochs} ({num_pairs:,} pairs, about {rows} in a batch)"
    return Choice(replace(config, {"training.max_epochs": epochs}), [reason])
