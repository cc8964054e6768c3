"""Texts as lines of tokens between spaces, so that all toolkits learn from the very same tokens.

A space in a token is written ``▁``, and so is other white space, which some toolkits would cut at.
"""

import re
from collections.abc import Iterable, Sequence

from seq2see.data.pairs import Pair
from seq2see.data.tokenizer import TokenType
from seq2see.data.tokenizer_training import train_tokenizer

TokenPair = tuple[str, str]
"""Source and target as lines of tokens."""
MARK = "▁"


class LineTokenizer:
    """The tokenizer of one side, learnt from the texts to be trained on.

    Args:
        texts: That side of the training pairs.
        token_type: As in the configuration; lines of the type ``space`` stay as they are.
        vocab_size: Most tokens, for ``word`` and ``bpe``.
    """

    def __init__(self, texts: Sequence[str], token_type: TokenType, vocab_size: int | None = None) -> None:
        self._type = token_type
        self._tokenizer = train_tokenizer(texts, token_type, vocab_size=vocab_size, min_frequency=1)

    def to_line(self, text: str) -> str:
        """The tokens of a text; unknown ones as they are written."""
        return " ".join(re.sub(r"\s", MARK, name) for name in self._tokenizer.names(text))

    def to_text(self, line: str) -> str:
        """The text that a line of tokens stands for."""
        if self._type == "space":
            return line
        text = line.replace(" ", "").replace(MARK, " ")
        return text.removeprefix(" ") if self._type in ("bpe", "word") else text


def token_pairs(pairs: Iterable[Pair], source: LineTokenizer, target: LineTokenizer) -> list[TokenPair]:
    """Pairs as lines of tokens, those with an empty side left out."""
    lines = ((source.to_line(pair.source), target.to_line(pair.target)) for pair in pairs)
    return [(one, other) for one, other in lines if one and other]
