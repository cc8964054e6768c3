"""From raw pairs to all that the loop needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from accelerate.utils import set_seed

from seq2see.build import build_model
from seq2see.bundle import Bundle
from seq2see.config import Config, SideConfig, chosen
from seq2see.data.batches import Example
from seq2see.data.pairs import Pair
from seq2see.data.tokenizer import Tokenizer
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import DataError
from seq2see.training.automatic import choose_tokens, choose_training


@dataclass(frozen=True, slots=True)
class Prepared:
    """A model that has not yet learnt, and the examples it will learn from.

    Args:
        bundle: Model with first weights, tokenizers, and the configuration without open choices.
        examples: Training examples as ids.
        valid: Validation pairs.
        notes: Lines for the user: what was chosen and why, what was left out.
    """

    bundle: Bundle
    examples: list[Example]
    valid: list[Pair]
    notes: list[str]


def prepare(config: Config, pairs: Sequence[Pair], valid: Sequence[Pair]) -> Prepared:
    """Choose what is open, train the tokenizers, cut the pairs into tokens, make the model.

    Args:
        config: May leave choices open.
        pairs: Training pairs.
        valid: Validation pairs.

    Raises:
        DataError: No pair is left to train on.
    """
    choice = choose_tokens(config, pairs)
    tokens = choice.config.tokens
    source_tokenizer = _tokenizer([pair.source for pair in pairs], tokens.source)
    target_tokenizer = _tokenizer([pair.target for pair in pairs], tokens.target)
    all_examples = [
        Example(*ids)
        for ids in zip(
            source_tokenizer.encode_ids([pair.source for pair in pairs]),
            target_tokenizer.encode_ids([pair.target for pair in pairs]),
            strict=True,
        )
    ]
    examples, left_out = _usable(all_examples, choice.config)
    if not examples:
        raise DataError(f"no pair is left to train on: {'; '.join(left_out)}")
    final = choose_training(choice.config, pairs, examples)
    set_seed(final.config.training.seed)
    model = build_model(
        final.config.model, source_vocab_size=source_tokenizer.vocab_size, target_vocab_size=target_tokenizer.vocab_size
    )
    notes = [*choice.reasons, *final.reasons, *left_out]
    bundle = Bundle(final.config, source_tokenizer, target_tokenizer, model)
    return Prepared(bundle, examples, list(valid), notes)


def _tokenizer(texts: Sequence[str], side: SideConfig) -> Tokenizer:
    return train_tokenizer(
        texts,
        chosen(None if side.type == "auto" else side.type, "tokens: type"),
        vocab_size=side.vocab_size,
        min_frequency=chosen(side.min_frequency, "tokens: min_frequency"),
    )


def _usable(examples: Sequence[Example], config: Config) -> tuple[list[Example], list[str]]:
    """Leave out pairs that are empty or too long, and say how many."""
    most_source, most_target = config.data.max_source_length, config.data.max_target_length
    empty = [example for example in examples if not example.source or not example.target]
    full = [example for example in examples if example.source and example.target]
    kept = [example for example in full if len(example.source) <= most_source and len(example.target) <= most_target]
    notes = []
    if empty:
        notes.append(f"left out {len(empty):,} pairs with an empty source or target")
    if len(kept) < len(full):
        notes.append(
            f"left out {len(full) - len(kept):,} pairs with more than {most_source:,} source or "
            f"{most_target:,} target tokens (data.max_source_length, data.max_target_length)"
        )
    return kept, notes
