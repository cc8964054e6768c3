"""Making a tokenizer from the texts of one side."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, trainers

from seq2see.data.special import RESERVED, UNK
from seq2see.data.tokenizer import Tokenizer, TokenType
from seq2see.decomposition import decompose

CHARACTER = r"[\s\S]"
SPACE = " +"
WORD = r" ?[\p{L}\p{M}\p{N}_]+| ?[^\s\p{L}\p{M}\p{N}_]|\s"
NO_LIMIT = 1_000_000
WORD_BEFORE_MERGES = r" ?[\p{L}\p{M}]+| ?\p{N}+| ?[^\s\p{L}\p{M}\p{N}]+|\s+(?!\S)|\s"
"""Letters keep their combining marks; a space belongs to the word after it."""


def train_tokenizer(
    texts: Sequence[str],
    token_type: TokenType,
    *,
    vocab_size: int | None,
    min_frequency: int,
    decomposed: bool = False,
) -> Tokenizer:
    """Learn the vocabulary (and merges) of one side.

    Args:
        texts: One side of the training pairs.
        token_type: ``char``: one Unicode character a token; ``space``: what stands between spaces;
            ``word``: runs of letters and digits, and single other signs; ``bpe``: parts of words by merges
            (Sennrich et al. 2016, arXiv:1508.07909).
        vocab_size: Most tokens, for ``word`` and ``bpe``; None sets no limit. All characters are kept in any case.
        min_frequency: Rarer tokens, and for ``bpe`` rarer characters and merges, are unknown.
        decomposed: Whether texts are decomposed before they are cut.
    """
    # no token may hold a line feed: the reserved symbols do
    lines = [text.replace("\n", " ") for text in texts]
    if decomposed:
        lines = [decompose(line)[0] for line in lines]
    size = vocab_size if vocab_size is not None and token_type in ("word", "bpe") else NO_LIMIT
    trainer: trainers.Trainer
    if token_type == "bpe":
        alphabet = _frequent_characters(lines, min_frequency)
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            min_frequency=min_frequency,
            special_tokens=list(RESERVED),
            initial_alphabet=alphabet,
            limit_alphabet=len(alphabet),
            show_progress=False,
        )
    else:
        trainer = trainers.WordLevelTrainer(
            vocab_size=size, min_frequency=min_frequency, special_tokens=list(RESERVED), show_progress=False
        )
    backend = _untrained(token_type)
    backend.train_from_iterator(lines, trainer)
    return Tokenizer(token_type, _without_added_tokens(backend), decomposed=decomposed)


def _frequent_characters(lines: Sequence[str], min_frequency: int) -> list[str]:
    """The characters that are not rare, and the space that is put before every text."""
    counts = Counter(char for line in lines for char in line)
    counts[" "] += min_frequency
    return sorted(char for char, count in counts.items() if count >= min_frequency)


def _untrained(token_type: TokenType) -> tokenizers.Tokenizer:
    unknown = RESERVED[UNK]
    model = models.BPE(unk_token=unknown) if token_type == "bpe" else models.WordLevel(unk_token=unknown)
    backend = tokenizers.Tokenizer(model)
    pattern = {"char": CHARACTER, "space": SPACE, "word": WORD, "bpe": WORD_BEFORE_MERGES}[token_type]
    behavior = "removed" if token_type == "space" else "isolated"
    backend.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), behavior=behavior)
    if token_type == "char":
        backend.decoder = decoders.Fuse()
    elif token_type in ("word", "bpe"):
        # a word has the same form at the start of a text as elsewhere
        backend.normalizer = normalizers.Prepend(" ")
        backend.decoder = decoders.Sequence([decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return backend


def _without_added_tokens(backend: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """The same tokenizer, with the reserved symbols in the vocabulary but never searched for in a text."""
    content: dict[str, Any] = json.loads(backend.to_str())
    content["added_tokens"] = []
    return tokenizers.Tokenizer.from_str(json.dumps(content))
