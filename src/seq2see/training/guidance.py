"""Links between words that attention learns from."""

from collections.abc import Sequence
from pathlib import Path

from seq2see.alignment import links_between_tokens, parse_gold, word_spans
from seq2see.data.batches import Example
from seq2see.data.pair_tokenizer import PairTokenizer
from seq2see.data.pairs import Pair, split_tags
from seq2see.data.text_file import read_lines
from seq2see.errors import DataError


def with_links(pairs: Sequence[Pair], path: Path, *, tags: bool) -> list[Pair]:
    """Give every pair the links of its line, possible ones included.

    Args:
        pairs: Training pairs.
        path: Line n has the links of pair n, ``i-j`` between spaces, source word first, from 0; it may be empty.
        tags: Whether sources are ``text TAB tags``.

    Raises:
        DataError: The file is unreadable, has another number of lines, or a line has something that is no link or
            names a word that the pair has not; names the line.
    """
    lines = read_lines(path)
    if len(lines) != len(pairs):
        raise DataError(f"{path} has {len(lines):,} lines and there are {len(pairs):,} training pairs; wanted as many")
    return [
        _linked(pair, line, f"{path}: line {number}", tags)
        for number, (pair, line) in enumerate(zip(pairs, lines, strict=True), start=1)
    ]


def _linked(pair: Pair, line: str, place: str, tags: bool) -> Pair:
    links = parse_gold(line, place=place).possible
    source = split_tags(pair.source)[0] if tags else pair.source
    num_source, num_target = len(word_spans(source)), len(word_spans(pair.target))
    for i, j in sorted(links):
        if i >= num_source or j >= num_target:
            raise DataError(
                f"{place}: {i}-{j} is no link between a source of {num_source} words and a target of {num_target}; "
                "words count from 0"
            )
    return pair._replace(links=links)


def guided(examples: Sequence[Example], pairs: Sequence[Pair], tokenizers: PairTokenizer) -> list[Example]:
    """Give every example the links of its pair, between tokens."""
    return [
        example if pair.links is None else example._replace(links=_between_tokens(pair, tokenizers))
        for example, pair in zip(examples, pairs, strict=True)
    ]


def _between_tokens(pair: Pair, tokenizers: PairTokenizer) -> list[tuple[int, int]]:
    source = tokenizers.text_of(pair.source)
    return links_between_tokens(
        pair.links or (),
        tokenizers.source.encode(source).tokens,
        tokenizers.target.encode(pair.target).tokens,
        source,
        pair.target,
    )
