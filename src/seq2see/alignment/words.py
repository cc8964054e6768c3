"""From weights between tokens to weights between words."""

import re
from collections.abc import Iterable

import numpy as np

from seq2see.alignment.alignment import Alignment
from seq2see.alignment.symmetrise import Link
from seq2see.decomposition import decompose

Span = tuple[int, int]
"""First character, and one past the last."""


def token_spans(tokens: list[str], text: str) -> list[Span | None]:
    """Where each token stands in the text that it was cut from; None for what does not stand in it, such as tags.

    Both are compared in their parts, so that tokens that are parts of a letter stand where the letter does.
    """
    spans: list[Span | None] = []
    whole, origins = decompose(text)
    end = 0
    for token in tokens:
        parts, _ = decompose(token)
        start = whole.find(parts, end)
        if start < 0:
            spans.append(None)
            continue
        end = start + len(parts)
        first = origins[start] if start < len(origins) else len(text)
        spans.append((first, origins[end - 1] + 1 if parts else first))
    return spans


def word_spans(text: str) -> list[Span]:
    """Where each word stands: what has no white space in it."""
    return [match.span() for match in re.finditer(r"\S+", text)]


def merge_to_words(alignment: Alignment, source: str, target: str) -> Alignment:
    r"""Weights between words, from weights between their tokens.

    .. math:: \alpha_{tw} \propto \sum_{i \in t} \sum_{j \in w} \alpha_{ij}

    Each row sums to 1 again: weight on tokens that belong to no word, spaces say, is left out. A row without any is
    all zeros.

    Args:
        alignment: Between tokens.
        source: The raw source text, without tags.
        target: The raw target text.
    """
    sources, targets = word_spans(source), word_spans(target)
    from_source = _membership(token_spans(alignment.source_tokens, source), sources)
    from_target = _membership(token_spans(alignment.target_tokens, target), targets)
    weights = from_target.T @ alignment.weights @ from_source
    sums = weights.sum(axis=1, keepdims=True)
    weights = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0.0)
    return Alignment(
        [source[start:end] for start, end in sources], [target[start:end] for start, end in targets], weights
    )


def links_between_tokens(
    links: Iterable[Link], source_tokens: list[str], target_tokens: list[str], source: str, target: str
) -> list[Link]:
    """Links between tokens, from links between words: every token of a word is linked as the word is.

    Args:
        links: (source word, target word), from 0.
        source_tokens: As text.
        target_tokens: As text.
        source: The raw source text, without tags.
        target: The raw target text.
    """
    from_source = _membership(token_spans(source_tokens, source), word_spans(source)) > 0.0
    from_target = _membership(token_spans(target_tokens, target), word_spans(target)) > 0.0
    return sorted(
        (int(i), int(j))
        for source_word, target_word in links
        for i in np.flatnonzero(from_source[:, source_word])
        for j in np.flatnonzero(from_target[:, target_word])
    )


def _membership(tokens: list[Span | None], words: list[Span]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """(tokens, words): the share of a token's characters, white space not counted, that are in a word."""
    # a token that does not stand in the text has no characters
    token_starts, token_ends = np.array([token or (0, 0) for token in tokens]).reshape(-1, 2).T
    word_starts, word_ends = np.array(words).reshape(-1, 2).T
    common = np.minimum(token_ends[:, None], word_ends) - np.maximum(token_starts[:, None], word_starts)
    shares: np.ndarray[tuple[int, int], np.dtype[np.float32]] = common.clip(min=0).astype(np.float32)
    sums = shares.sum(axis=1, keepdims=True)
    np.divide(shares, sums, out=shares, where=sums > 0.0)
    return shares
