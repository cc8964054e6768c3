"""From raw pairs to all that the loop needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from accelerate.utils import set_seed

from seq2see.bundle import Bundle, build_for, make_tokenizers
from seq2see.config import Config, SideConfig, chosen
from seq2see.data.batches import Example
from seq2see.data.pair_tokenizer import PairTokenizer, tags_as_symbols
from seq2see.data.pairs import Pair, split_tags
from seq2see.data.tokenizer import Tokenizer
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import ConfigError, DataError
from seq2see.seq2seq import Seq2Seq
from seq2see.training.automatic import choose_tokens, choose_training
from seq2see.training.copied_texts import with_copied_texts
from seq2see.training.guidance import guided
from seq2see.training.processes import Processes
from seq2see.training.sieve import Sieve
from seq2see.training.token_cache import cached_tokens
from seq2see.training.vectors import start_from_vectors

MOST_LOOKED_AT = 100_000
Item = TypeVar("Item")


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
    examples: Sequence[Example]
    valid: list[Pair]
    notes: list[str]


def prepare(config: Config, pairs: Sequence[Pair], valid: Sequence[Pair], processes: Processes) -> Prepared:
    """Choose what is open, train the tokenizers, cut the pairs into tokens, make the model.

    With ``data.copied_texts`` their texts are pairs, too. With ``data.cache`` choices are made, and tokens learnt, from
    some of the pairs, spread evenly over all.

    Args:
        config: May leave choices open.
        pairs: Training pairs.
        valid: Validation pairs.
        processes: Those of the run.

    Raises:
        ConfigError: Choices do not fit each other, or the pairs.
        DataError: No pair is left to train on.
    """
    given, tagged, notes = pairs, config.model.encoder.tags != "none", []
    if config.data.copied_texts:
        pairs = with_copied_texts(given, tags=tagged)
        notes.append(f"{len(pairs) - len(given):,} texts to copy beside {len(given):,} pairs (data.copied_texts)")
    looked_at = pairs if config.data.cache is None else _spread(pairs)
    sources, targets = [pair.source for pair in looked_at], [pair.target for pair in looked_at]
    tags = [tags_as_symbols(split_tags(source)[1] or "") for source in sources] if tagged else None
    texts = [split_tags(source)[0] for source in sources] if tagged else sources
    num_given = min(len(given), len(looked_at))  # the copies come last; tokens and metric fit the others
    choice = choose_tokens(config, texts[:num_given], targets[:num_given])

    def learn() -> PairTokenizer:
        return _tokenizers(choice.config, texts, targets, tags)

    examples: Sequence[Example]
    if config.data.cache is None:
        tokenizers = learn()
        sieve = Sieve(config)
        examples = sieve(_encoded(config, pairs, sources, targets, tokenizers), targets)
        left_out = sieve.notes()
    else:
        if any(pair.links is not None for pair in pairs[:1]):
            raise ConfigError("data.cache does not go with pairs that have links")
        tokenizers, examples, left_out = cached_tokens(choice.config, pairs, learn, processes)
    if not examples:
        raise DataError(f"no pair is left to train on: {'; '.join(left_out)}")
    final = choose_training(choice.config, looked_at[:num_given], _spread(examples), num_examples=len(examples))
    set_seed(final.config.training.seed)
    model = build_for(final.config, tokenizers)
    notes += [*choice.reasons, *final.reasons, *left_out, *_vectors(final.config, model, tokenizers)]
    bundle = Bundle(final.config, tokenizers, model)
    return Prepared(bundle, examples, list(valid), notes)


def _spread(items: Sequence[Item]) -> Sequence[Item]:
    """All, or so many spread evenly over all."""
    if len(items) <= MOST_LOOKED_AT:
        return items
    return [items[number * len(items) // MOST_LOOKED_AT] for number in range(MOST_LOOKED_AT)]


def _encoded(
    config: Config,
    pairs: Sequence[Pair],
    sources: Sequence[str],
    targets: Sequence[str],
    tokenizers: PairTokenizer,
) -> list[Example]:
    """The pairs as ids, with their links where they have some.

    Raises:
        ConfigError: There are links, and nothing is attended to.
    """
    examples = tokenizers.encode_pairs(sources, targets)
    if all(pair.links is None for pair in pairs):
        return examples
    if config.model.attention.scorer == "none":
        raise ConfigError("model.attention.scorer is none, so no attention could learn from the pairs' links")
    return guided(examples, pairs, tokenizers)


def _tokenizers(
    config: Config, texts: Sequence[str], targets: Sequence[str], tags: Sequence[str] | None
) -> PairTokenizer:
    """Train the tokenizers of both sides, and of tags where there are some."""
    tokens = config.tokens
    of_source = [*texts, *targets] if tokens.shared else texts
    source = _tokenizer(of_source, tokens.source, decomposed=bool(tokens.source.decomposed))
    target = source if tokens.shared else _tokenizer(targets, tokens.target)
    of_tags = None if tags is None else train_tokenizer(tags, "space", vocab_size=None, min_frequency=1)
    return make_tokenizers(config, source, target, of_tags)


def _vectors(config: Config, model: Seq2Seq, tokenizers: PairTokenizer) -> list[str]:
    """Set embeddings to the vectors that the configuration names; return a line for each."""
    notes = []
    for key, path, embedding, tokenizer in (
        ("data.source_vectors", config.data.source_vectors, model.encoder.token_embedding, tokenizers.source),
        ("data.target_vectors", config.data.target_vectors, model.decoder.embedding, tokenizers.target),
    ):
        if path is not None:
            notes.append(start_from_vectors(embedding, tokenizer, path, key))
    return notes


def _tokenizer(texts: Sequence[str], side: SideConfig, *, decomposed: bool = False) -> Tokenizer:
    return train_tokenizer(
        texts,
        chosen(None if side.type == "auto" else side.type, "tokens: type"),
        vocab_size=side.vocab_size,
        min_frequency=chosen(side.min_frequency, "tokens: min_frequency"),
        decomposed=decomposed,
    )
