"""What is wished of the output of each source."""

from collections.abc import Sequence
from dataclasses import dataclass

from seq2see.data.pair_tokenizer import EncodedSource, PairTokenizer
from seq2see.data.special import RESERVED, UNK


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wished of an output, as text.

    Args:
        prefix: What it begins with, or the ids of its tokens.
        forbidden: Texts that it may not hold.
        required: Texts that it must hold, in any order.
    """

    prefix: str | Sequence[int]
    forbidden: Sequence[str]
    required: Sequence[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A source, and what is wished of its output, as ids.

    Args:
        text: The raw source; where tokens are drawn at random, it decides how.
        source: The source as ids.
        prefix: Ids that the output begins with.
        forbidden: Runs of ids that the output may not hold.
        required: Runs of ids that the output must hold.
    """

    text: str
    source: EncodedSource
    prefix: list[int]
    forbidden: list[list[int]]
    required: list[tuple[int, ...]]


def wishes_for(
    count: int,
    prefixes: Sequence[str | Sequence[int]] | None,
    forbidden: Sequence[str],
    required: Sequence[Sequence[str]] | None,
) -> list[Wish]:
    """A wish for each of so many sources.

    Raises:
        ValueError: There are not as many prefixes, or lists of required texts, as sources.
    """
    for given, name in ((prefixes, "prefixes"), (required, "lists of required texts")):
        if given is not None and len(given) != count:
            raise ValueError(f"{count} texts and {len(given)} {name}; wanted as many")
    begins: Sequence[str | Sequence[int]] = [""] * count if prefixes is None else prefixes
    must = [()] * count if required is None else required
    return [Wish(prefix, forbidden, texts) for prefix, texts in zip(begins, must, strict=True)]


def make_wanted(
    tokenizers: PairTokenizer, text: str, source: EncodedSource, wish: Wish, *, most: int
) -> tuple[Wanted, str]:
    """Turn a wish into ids.

    Returns:
        (the wish as ids, why it cannot be met; '' if it can)
    """
    prefix = _prefix_ids(tokenizers, wish.prefix, len(source.copied))
    runs = tokenizers.required_ids(wish.required, source)
    problem = tokenizers.fault(text, source.ids, source.tags, most=most)
    if not problem and source.ids and UNK in prefix:
        problem = "the prefix has tokens that the model does not know"
    if not problem and source.ids and None in runs:
        problem = "what is required has tokens that the model does not know"
    forbidden = tokenizers.forbidden_ids(wish.forbidden, source)
    return Wanted(text, source, prefix, forbidden, [run for run in runs if run]), problem


def _prefix_ids(tokenizers: PairTokenizer, prefix: str | Sequence[int], num_copied: int) -> list[int]:
    """A prefix as ids; those that are no token's are unknown."""
    if isinstance(prefix, str):
        return tokenizers.target.encode(prefix).ids if prefix else []
    most = tokenizers.target.vocab_size + num_copied
    return [number if len(RESERVED) <= number < most else UNK for number in prefix]
