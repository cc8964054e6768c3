"""Choosing from the data what the configuration leaves open, and saying why."""

from collections.abc import Sequence
from typing import Any

from seq2see.config import Config, SideConfig, replace
from seq2see.data.batches import Example
from seq2see.data.pairs import Pair
from seq2see.data.token_type import TokenChoice, choose_token_type
from seq2see.errors import ConfigError
from seq2see.linear import has_bfloat16
from seq2see.training.choice import Choice
from seq2see.training.sizes import choose_epochs, choose_sizes
from seq2see.writing_systems import HANGUL, WITHOUT_SPACES, share_of_letters

MANY_PAIRS = 1_000
PAIRS_FOR_LARGER_BATCHES = 10_000
FEWEST_UNITS_FOR_BFLOAT16, FEWEST_OF_TRANSFORMERS = 256, 128


def choose_tokens(config: Config, sources: Sequence[str], targets: Sequence[str]) -> Choice:
    """Choose how each side is cut into tokens, and how many there are.

    Args:
        config: May leave choices open.
        sources: Source texts, without tags.
        targets: Target texts.

    Raises:
        ConfigError: The sides must have tokens of one type, and the configuration gives two.
    """
    values: dict[str, Any] = {}
    reasons = []
    sides: tuple[tuple[str, SideConfig, Sequence[str]], ...] = (
        ("source", config.tokens.source, sources),
        ("target", config.tokens.target, targets),
    )
    common = _common_type(config, sources, targets)
    for side, chosen, texts in sides:
        key = f"tokens.{side}"
        token_type = chosen.type
        if token_type == "auto":
            token_type, reason = common or _own_type(config, texts)
            reasons.append(f"{key}.type = {token_type} ({reason})")
        values[f"{key}.type"] = token_type
        if chosen.min_frequency is None:
            # copying is learnt from tokens that are rare enough to be unknown
            rare = len(sources) >= MANY_PAIRS or config.model.decoder.copies
            values[f"{key}.min_frequency"] = 2 if rare else 1
            reasons.append(f"{key}.min_frequency = {values[f'{key}.min_frequency']} ({len(sources):,} pairs)")
        if chosen.vocab_size is None and token_type in ("word", "bpe"):
            size = min(8000, max(500, len(sources) // 4)) if token_type == "bpe" else 30_000
            values[f"{key}.vocab_size"] = size
            reasons.append(f"{key}.vocab_size = {size:,} at most ({len(sources):,} pairs)")
    if config.tokens.source.decomposed is None:
        values["tokens.source.decomposed"] = _wants_parts(config, values, sources)
        if values["tokens.source.decomposed"]:
            reasons.append("tokens.source.decomposed = true (Hangul syllables, cut into letters)")
    if config.tokens.shared:  # one vocabulary, learnt as the source's is
        for name in ("type", "min_frequency", "vocab_size"):
            key = f"tokens.source.{name}"
            values[f"tokens.target.{name}"] = values.get(key, getattr(config.tokens.source, name))
        reasons = [reason for reason in reasons if not reason.startswith("tokens.target")]
    return Choice(replace(config, values), reasons)


def _wants_parts(config: Config, values: dict[str, Any], sources: Sequence[str]) -> bool:
    """Whether the sources' characters should be cut into their parts: syllables are many, their letters few."""
    if config.tokens.shared or config.model.decoder.copies or values["tokens.source.type"] != "char":
        return False
    return share_of_letters(sources, HANGUL) > 0.5


def _own_type(config: Config, texts: Sequence[str]) -> TokenChoice:
    if config.model.encoder.tags != "none":
        return TokenChoice("char", "forms of words, since sources have tags")
    return choose_token_type(texts)


def _common_type(config: Config, sources: Sequence[str], targets: Sequence[str]) -> TokenChoice | None:
    """The token type of both sides, where they must have one; None where they need not."""
    if config.tokens.shared:
        key = "tokens.shared"
    elif config.model.decoder.copies:
        key = "model.decoder.copies"
    else:
        return None
    given = [side.type for side in (config.tokens.source, config.tokens.target) if side.type != "auto"]
    if len(set(given)) == 2:
        raise ConfigError(
            f"tokens.source.type is {given[0]} and tokens.target.type {given[1]}, but {key} wants tokens of one type"
        )
    if given:
        return TokenChoice(given[0], f"the other side's, since {key} is set")
    found, reason = _own_type(config, [*sources, *targets])
    if config.model.decoder.copies and found == "bpe":
        return TokenChoice("word", "whole words can be copied")
    return TokenChoice(found, reason)


def choose_training(
    config: Config, pairs: Sequence[Pair], examples: Sequence[Example], *, num_examples: int | None = None
) -> Choice:
    """Choose sizes, epochs, learning rate, batch size, metric and the limit of output lengths.

    Args:
        config: With token types.
        pairs: Training pairs, or some of them.
        examples: The same as ids, or some of them.
        num_examples: How many there are, if these are some.
    """
    count = num_examples or len(examples)
    rows = 32 if count < PAIRS_FOR_LARGER_BATCHES else 64
    sized = choose_sizes(config, count)
    config, epochs = choose_epochs(sized.config, count, rows=rows)
    values: dict[str, Any] = {}
    reasons = [*sized.reasons, *epochs]
    transformer = "transformer" in (config.model.encoder.type, config.model.decoder.type)
    kind = "a Transformer" if transformer else "recurrent"
    if config.training.learning_rate is None:
        values["training.learning_rate"] = 0.001 if transformer else 0.003
        reasons.append(f"training.learning_rate = {values['training.learning_rate']} ({kind})")
    if config.training.warmup_updates is None:
        falls_at_once = config.training.schedule == "inverse_sqrt"
        values["training.warmup_updates"] = 300 if transformer or falls_at_once else 0
        reason = "the rate falls from there on" if falls_at_once else kind
        reasons.append(f"training.warmup_updates = {values['training.warmup_updates']} ({reason})")
    if config.training.precision == "auto":
        values["training.precision"], reason = choose_precision(config)
        reasons.append(f"training.precision = {values['training.precision']} ({reason})")
    if config.training.batch_tokens is None:
        mean_length = sum(example.length for example in examples) / len(examples)
        values["training.batch_tokens"] = max(1, round(rows * mean_length))
        reasons.append(
            f"training.batch_tokens = {values['training.batch_tokens']:,} "
            f"(about {rows} pairs of mean length {mean_length:.1f})"
        )
    if config.training.metric == "auto":
        values["training.metric"], reason = choose_metric([pair.target for pair in pairs], config)
        reasons.append(f"training.metric = {values['training.metric']} ({reason})")
    if config.search.length_ratio is None:
        ratios = sorted((len(example.target) - 20) / len(example.source) for example in examples)
        high = ratios[round(0.999 * (len(ratios) - 1))]  # one strange pair does not decide
        values["search.length_ratio"] = round(min(1000.0, max(1.0, 1.5 * high)), 2)
        reasons.append(f"search.length_ratio = {values['search.length_ratio']} (from target and source lengths)")
    return Choice(replace(config, values), reasons)


def choose_precision(config: Config) -> tuple[str, str]:
    """Products in bfloat16 where this processor has them and the model is large enough to gain; with the reason."""
    if not has_bfloat16():
        return "float32", "this processor has no bfloat16"
    kinds = {config.model.encoder.type, config.model.decoder.type}
    fewest = FEWEST_OF_TRANSFORMERS if kinds == {"transformer"} else FEWEST_UNITS_FOR_BFLOAT16
    if config.model.decoder.hidden_size < fewest:
        return "float32", "a small model"
    return "bfloat16", "this processor has it"


def choose_metric(targets: Sequence[str], config: Config) -> tuple[str, str]:
    """BLEU for sentences, exact match for words and symbols; with the reason."""
    if config.tokens.target.type == "space" and choose_token_type(targets).token_type == "space":
        return "exact_match", "targets are symbols"
    if share_of_letters(targets, WITHOUT_SPACES) > 0.5:
        mean_length = sum(map(len, targets)) / len(targets)
        if mean_length >= 6:
            return "bleu", f"targets have {mean_length:.1f} characters"
        return "exact_match", f"targets have {mean_length:.1f} characters"
    words = sum(len(target.split()) for target in targets) / len(targets)
    return ("bleu" if words >= 3 else "exact_match"), f"targets have {words:.1f} words"
